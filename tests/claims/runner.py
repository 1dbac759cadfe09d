"""Claims: checks of what a notebook says, run on the names that its code cells have bound by the end of a section.

A claim is a test whose parameters are names of the notebook, or of functions beside it that are marked as well:

    @section("lesson-ndcg-by-hand")
    def test_any_order(A, B):
        holds("add up the first $k$, which gives 11 in any order")
        assert {sum(rel) for engine in (A, B) for rel in permutations(engine)} == {11}

The file's place tells the notebook: ``tests/claims/lessons/test_ndcg.py`` is about ``book/lessons/ndcg.ipynb``.
"""

import contextlib
import difflib
import inspect
import io
import linecache
import reprlib
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from matplotlib import pyplot as plt

from tests.book.chapter import ROOT, Chapter
from tests.book.held import plain, sentences

CLAIMS = Path(__file__).parent
matplotlib.use("agg")
NOW: list["Place"] = []  # the place of the claim that runs, last; a function it asks for may stand in another section


class Notebook:
    """A notebook that has run in one namespace as far as its claims have asked, and what it had bound by each cell."""

    def __init__(self, path: Path) -> None:
        self.path, self.chapter, self.names = path, Chapter.read(path), {"__name__": "__main__"}
        self.states: dict[int, dict[str, Any]] = {0: {}}

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Stand in the notebook's folder; its style of figures and what it prints stay inside, and a warning fails."""
        with contextlib.chdir(self.path.parent), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("error")
            yield

    def state(self, cell: int) -> dict[str, Any]:
        """What is bound when the cell has run; a name that is bound again later keeps its value here."""
        todo = [code for code in self.chapter.code if max(self.states) < code.cell <= cell]
        with self.entered(), matplotlib.rc_context(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(plt, "show", lambda: None)
            for code in todo:
                name = f"{self.path.relative_to(ROOT)}[cell {code.cell}]"
                linecache.cache[name] = len(code.source), None, code.source.splitlines(keepends=True), name
                exec(compile(code.source, name, "exec"), self.names)
                plt.close("all")  # as a notebook does after each cell
                self.states[code.cell] = dict(self.names)
        return self.states[max(number for number in self.states if number <= cell)]


notebook = cache(Notebook)


class Place:
    """A section of a notebook, by its label or heading, or an exercise by its label; perhaps up to one of its cells."""

    def __init__(self, file: Path, key: str, after: str) -> None:
        name = file.stem.removeprefix("test_").replace("_", "-")
        self.notebook = notebook(ROOT / "book" / file.parent.relative_to(CLAIMS) / f"{name}.ipynb")
        chapter, self.key, self.quote, self.found = self.notebook.chapter, key, "", set[str]()
        section, first, self.last = chapter.span(key)
        self.lines = [line for cell, of, line in sentences(chapter) if of == section and first <= cell <= self.last]
        if after:
            [self.last] = [c.cell for c in chapter.code if first <= c.cell <= self.last and after in c.source]

    def __str__(self) -> str:
        return f"{self.notebook.path.relative_to(ROOT)}, section {self.key!r}"


def section(key: str, after: str = "") -> Callable[[Callable[..., Any]], Callable[[], Any]]:
    """Give a claim what is bound when the section, or the one cell of it that has these words, has run."""

    def bind(function: Callable[..., Any]) -> Callable[[], Any]:
        @cache  # what several claims ask for is computed once
        def run() -> Any:
            __tracebackhide__ = True
            place, values = Place(Path(inspect.getfile(function)), key, after), {}
            NOW.append(place)
            try:
                state = place.notebook.state(place.last)
                for name in inspect.signature(function).parameters:
                    beside = function.__globals__.get(name)
                    marked = hasattr(beside, "place_as")
                    assert marked or name in state, f"no cell of the notebook up to here binds {name!r}"
                    values[name] = beside() if marked else state[name]
                with place.notebook.entered():
                    return function(**values)
            except BaseException as error:
                shown = "".join(f"\n  {name} = {reprlib.repr(value)}" for name, value in values.items())
                error.add_note(f"{place}\n  claim: {place.quote!r}{shown}")
                raise
            finally:
                NOW.pop()

        run.__name__, run.__module__, run.place_as = function.__name__, function.__module__, function
        return run

    return bind


def holds(*quotes: str) -> None:
    """What follows holds these words, which stand in the section's prose, captions or alt texts."""
    __tracebackhide__ = True
    place = NOW[-1]
    for place.quote in quotes:
        if place.quote not in place.found and not any(plain(place.quote) in line for line in place.lines):
            near = difflib.get_close_matches(place.quote, place.lines, 1, 0.3)
            pytest.fail(f"{place} does not say {place.quote!r}" + "".join(f"\n  but {line!r}" for line in near))
        place.found.add(place.quote)  # a loop asks again


def proved(*quotes: str) -> None:
    """What follows proves these words by itself, from definitions, without the notebook and the library."""
    __tracebackhide__ = True
    holds(*quotes)


def unchecked(quote: str, reason: str) -> None:
    """No computation holds these words, for a reason; they stand in the section all the same."""
    __tracebackhide__ = True
    assert reason
    holds(quote)
