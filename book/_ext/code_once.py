"""Read each block of code once, and nothing else: that was half of the time of a build.

To find the names of a block sphinx_codeautolink reads all blocks above it, too, and to link them the whole page.
"""

import ast
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx_codeautolink import extension
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


CODE = re.compile(r'<div class="(?:highlight-|doctest)[^>]*><div class="highlight">.*?</pre></div>\s*</div>', re.DOTALL)
BETWEEN = "\n<!-- the next block -->\n"


def link_html(document: str, out_dir: str, *others: object, **settings: object) -> None:
    """What the function of this name in sphinx_codeautolink does, on a page that is cut down to its code."""
    path = Path(out_dir, f"{document}.html")
    page = path.read_text(encoding="utf-8")
    path.write_text(BETWEEN.join(CODE.findall(page)), encoding="utf-8")
    block.link_html(document, out_dir, *others, **settings)
    linked = iter(path.read_text(encoding="utf-8").split(BETWEEN))
    path.write_text(CODE.sub(lambda match: next(linked), page), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    block.parse_names = parse_names
    extension.link_html = link_html
    return {"parallel_read_safe": True}
