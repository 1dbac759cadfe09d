"""Read each block of code once: for its names, sphinx_codeautolink reads all blocks above it on the page, too."""

import ast
from contextlib import suppress
from dataclasses import replace

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_codeautolink.extension import block
from sphinx_codeautolink.parse import ImportTrackerVisitor, Name


class Reader(ImportTrackerVisitor):
    """Finds the names of a program, and goes on where it stopped."""

    source = ""

    def read(self, more: str) -> list[Name]:
        """All names so far; each time anew, because who gets them shifts their lines."""
        self.visit(ast.increment_lineno(ast.parse(more), self.source.count("\n")))
        self.source += f"{more}\n"
        return [replace(name) for name in self.accessed]


reader = Reader(None)


def parse_names(source: str, node: nodes.Node) -> list[Name]:
    """What the function of this name in sphinx_codeautolink gives."""
    global reader
    if reader.source and source.startswith(reader.source):
        with suppress(SyntaxError):  # what follows may not stand alone
            return reader.read(source.removeprefix(reader.source))
    reader = Reader(node)
    return reader.read(source)


def setup(app: Sphinx) -> dict[str, bool]:
    block.parse_names = parse_names
    return {"parallel_read_safe": True}
