"""Show what a folded cell draws before its code, which follows in one quiet line that names the figure.

Imports that are folded at the head of a page stand with the code of the first figure, so that nothing is above it.
"""

from collections.abc import Mapping

from docutils import nodes
from folded import details, summary
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx


def is_folded(node: nodes.Node) -> bool:
    """Whether this is a cell whose code is folded, and not its output."""
    return isinstance(node, nodes.container) and bool(node.children) and isinstance(node[0], HideCodeCellNode)


def fold(line: str, *content: nodes.Node) -> nodes.Element:
    """What unfolds below a line."""
    return details("", summary("", line), *content, classes=["hide"])


def drawn_by(cell: nodes.Element, numbers: Mapping[str, tuple[int, ...]]) -> str:
    """The figure that a cell draws, by its number."""
    found = [numbers[name] for figure in cell.findall(nodes.figure) for name in figure["ids"] if name in numbers]
    return f"Fig. {'.'.join(map(str, found[0]))}" if found else "this output"


def pictures_first(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Take the place of the folds of MyST-NB, which stand above the output."""
    numbers = app.env.toc_fignumbers.get(page, {}).get("figure", {})
    cells = list(doctree.findall(is_folded))
    opening, first = [*cells[:2], None, None][:2]
    if first is not None and len(opening) == 1 < len(first) and opening.parent is first.parent:
        open_with(opening, first, f"The code of {drawn_by(first, numbers)}, imports included")
        cells = cells[2:]
    for cell in cells:
        code, output = cell[0].children, cell.children[1:]
        line = f"The code of {drawn_by(cell, numbers)}" if output else "Imports and helpers"
        cell.children = []
        cell += [*output, fold(line, *code)]


def open_with(imports: nodes.Element, first: nodes.Element, line: str) -> None:
    """The picture, then both cells in one fold, each still a cell that can be edited."""
    imports.parent.remove(imports)
    shown = nodes.container("", *first.children[1:], classes=["cell"])
    within = first.copy()
    within += first[0].children
    code = imports[0].children
    imports.children = []
    imports += code
    place = first.parent.index(first)
    first.parent[place : place + 1] = [shown, nodes.container("", fold(line, imports, within), classes=["cell"])]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", pictures_first, priority=900)  # after the notebook was exported for readers
    return {"parallel_read_safe": True, "parallel_write_safe": True}
