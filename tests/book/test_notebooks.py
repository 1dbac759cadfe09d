"""The notebooks of the book: in normal form, and within the rules."""

from pathlib import Path

import pytest

from tests.book import rules
from tests.book.chapter import Chapter
from tools import notebooks

NOTEBOOKS = notebooks.book_notebooks()
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: str(path.relative_to(notebooks.BOOK)))


@each_notebook
def test_notebook_is_in_normal_form(path: Path) -> None:
    assert not notebooks.faults(path), "run: make notebooks"


@each_notebook
def test_notebook_keeps_to_the_rules(path: Path) -> None:
    faults = rules.faults(Chapter.read(path))
    assert not faults, "\n" + "\n".join(faults)
