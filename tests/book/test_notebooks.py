"""The notebooks of the book: in normal form, and in style."""

from pathlib import Path
from statistics import median

import pytest

from tests.book import style
from tests.book.chapter import Chapter
from tools import notebooks

NOTEBOOKS = notebooks.book_notebooks()
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.relative_to(notebooks.BOOK)))


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@each_notebook
def test_notebook_is_in_normal_form(path: Path) -> None:
    assert not notebooks.faults(path), "run: make notebooks"


@each_notebook
def test_notebook_is_in_style(path: Path) -> None:
    faults = style.faults(Chapter.read(path))
    assert not faults, "\n" + "\n".join(faults)


def test_most_chapters_of_documents_are_short() -> None:
    chapters = [Chapter.read(path) for path in NOTEBOOKS if path.parent.name[0].isdigit()]
    assert median(map(style.visible_words, chapters)) <= style.MEDIAN_WORDS
