"""Directives that show the registries of ``book/data``, so that no page repeats them by hand."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import yaml
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DATA = Path(__file__).parents[1] / "data"
SEVERITY = {3: "3, wrong result", 2: "2, misleading", 1: "1, minor"}


def load(name: str) -> list[dict]:
    return yaml.safe_load((DATA / f"{name}.yml").read_text(encoding="utf-8"))


class Registry(SphinxDirective):
    """A directive that shows records of a registry as Markdown made from them."""

    def show(self, name: str, lines: Iterable[str]) -> list[nodes.Node]:
        """Parse the Markdown made from ``book/data/<name>.yml``; the page is built anew when that file changes."""
        path = str(DATA / f"{name}.yml")
        self.env.note_dependency(path)
        container = nodes.container()
        self.state.nested_parse(StringList(list(lines), path), 0, container)
        return container.children


class Errata(Registry):
    """A table of the faults of one document (``X``: between documents), each with a link to its box."""

    required_arguments = 1
    option_spec: ClassVar = {"caption": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        records = [record for record in load("errata") if record["id"].startswith(self.arguments[0] + "-")]
        lines = ["::::{list-table} " + self.options.get("caption", ""), ":header-rows: 1", ":class: errata", ""]
        lines += row("Fault", "Lines", "Severity", "Printed", "Right", "On an example")
        for record in records:
            label = f"erratum-{record['id'].lower()}"
            where = record["line"] if isinstance(record["line"], list) else [record["line"]]
            lines += row(
                f"{{ref}}`{record['id']} <{label}>`",
                ", ".join(map(str, where)),
                SEVERITY[record["severity"]],
                *(record[key] for key in ("printed", "correct", "demo")),
            )
        return self.show("errata", [*lines, "::::"])


class MetricMap(Registry):
    """A table of metric by document, with a link to each chapter that exists."""

    def run(self) -> list[nodes.Node]:
        documents = ["000", "001", "002", "003", "004"]
        lines = ["::::{list-table}", ":header-rows: 1", ":stub-columns: 1", ""]
        lines += row("metric", *documents)
        for record in load("metric_map"):
            chapters = [name for name in record["chapters"] if f"book/{name}" in self.env.found_docs]
            if chapters:
                cells = [links(name for name in chapters if name.startswith(document)) for document in documents]
                lines += row(record["metric"], *cells)
        return self.show("metric_map", [*lines, "::::"])


def links(chapters: Iterable[str]) -> str:
    """The chapters by the names of their files."""
    return ", ".join(f"{{doc}}`{name.partition('/')[2].replace('-', ' ')} </book/{name}>`" for name in chapters)


def row(first: str, *others: str) -> list[str]:
    return [f"* - {first}"] + [f"  - {cell}" for cell in others]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("errata", Errata)
    app.add_directive("metric-map", MetricMap)
    return {"parallel_read_safe": True}
