"""How long the notebooks are, which no rule limits: ``python -m tools.lengths`` prints words, cells, lines of code."""

import re

from nbformat import NotebookNode

from tools import notebooks


def words(notebook: NotebookNode) -> int:
    """Words of prose, those of boxes and solutions among them, of formulas, links and directives not."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for aside in (r"\$\$.*?\$\$", r"\$[^$\n]+\$", r"^(```|:).*$", r"\]\([^)]*\)", r"^\(.*\)=$"):
        text = re.sub(aside, " ", text, flags=re.DOTALL if "$$" in aside else re.MULTILINE)
    return len(re.findall(r"\w[\w'’-]*", text))


if __name__ == "__main__":
    print(f"{'notebook':50} words  cells  lines")
    for path in notebooks.book_notebooks():
        notebook = notebooks.read(path)
        code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        lines = sum(source.count("\n") + 1 for source in code)
        print(f"{path.relative_to(notebooks.BOOK)!s:50} {words(notebook):5} {len(code):6} {lines:6}")
