"""Turn what a docstring says of its chapter into a link.

It says ``the chapter "average precision" of document 000``, or ``the lesson "average precision"``.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

BOOK = Path(__file__).parents[1]
CHAPTER = re.compile(r'"([\w -]+)"\s+of\s+document\s+(\d{3})')
LESSON = re.compile(r'(lesson)\s+"([\w -]+)"')


def link(words: str, pattern: str) -> str:
    """The same words as a link if the chapter exists."""
    found = sorted(BOOK.glob(f"{pattern.lower().replace(' ', '-')}.ipynb"))
    if not found:
        return words
    return f":doc:`{words} </book/{found[0].relative_to(BOOK).with_suffix('').as_posix()}>`"


def linked(text: str) -> str:
    text = CHAPTER.sub(lambda match: link(f'"{match[1]}" of document {match[2]}', f"{match[2]}-*/{match[1]}"), text)
    return LESSON.sub(lambda match: link(f'lesson "{match[2]}"', f"lessons/{match[2]}"), text)


def add_links(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = linked("\n".join(lines)).split("\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", add_links, priority=100)
    return {"parallel_read_safe": True}
