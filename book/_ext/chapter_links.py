"""Turn what a docstring says of its chapter, ``the chapter "average precision" of document 000``, into a link."""

import re
from pathlib import Path

from sphinx.application import Sphinx

BOOK = Path(__file__).parents[1]
CHAPTER = re.compile(r'"([\w -]+)"\s+of\s+document\s+(\d{3})')


def link(match: re.Match) -> str:
    """The same words as a link if the chapter exists."""
    name, document = match.groups()
    found = sorted(BOOK.glob(f"{document}-*/{name.lower().replace(' ', '-')}.ipynb"))
    if not found:
        return match[0]
    return f':doc:`"{name}" of document {document} </book/{found[0].relative_to(BOOK).with_suffix("").as_posix()}>`'


def add_links(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = CHAPTER.sub(link, "\n".join(lines)).split("\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", add_links, priority=100)
    return {"parallel_read_safe": True}
