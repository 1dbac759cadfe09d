"""Directives that show the registries of ``book/data``, so that no page repeats them by hand."""

import sys
from collections.abc import Iterable
from importlib.metadata import version

from docutils import nodes
from docutils.statemachine import StringList
from records import DATA as DATA
from records import all_faults, files
from records import load as load
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Registry(SphinxDirective):
    """A directive that shows records of a registry as Markdown made from them."""

    def named(self, name: str) -> dict:
        """The record of a registry that the first argument names."""
        found = [record for record in load(name) if record["id"] == self.arguments[0]]
        if not found:
            raise self.error(f"no record of {name} has the id {self.arguments[0]!r}")
        return found[0]

    def show(self, name: str, lines: Iterable[str]) -> list[nodes.Node]:
        """Parse the Markdown made from the registry ``name``; the page is built anew when a file of it changes."""
        for path in files(name):
            self.env.note_dependency(str(path))
        return self.parsed(lines, name)

    def parsed(self, lines: Iterable[str], name: str) -> list[nodes.Node]:
        """Parse Markdown; headings may stand in it, one level below the section in which the directive stands."""
        container, here = nodes.container(), self.state_machine.node
        before = len(here)
        self.state.nested_parse(StringList(list(lines), name), 0, container, match_titles=True)
        sections = here[before:]  # the parser hangs sections into the page, past the container
        del here[before:]
        return [*container, *sections]


def chinese(text: str) -> str:
    """Chinese as Markdown that tells screen readers and browsers how to speak it."""
    return f"[{text}]{{.language-zh}}"


def row(first: str, *others: str) -> list[str]:
    return [f"* - {first}"] + [f"  - {cell}" for cell in others]


def installed(name: str, rawtext: str, text: str, *others: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """The version of a package that the page was made with, and the tests run with."""
    return [nodes.Text(version(text))], []


def check_all(app: Sphinx) -> None:
    """Read every registry before the first page, and stop with a line for each fault."""
    if found := all_faults():
        sys.exit("\n".join(found))  # an exception would be followed by its way through Jupyter Book


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", check_all)
    app.add_role("version", installed)
    return {"parallel_read_safe": True}
