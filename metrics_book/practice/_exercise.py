"""What an exercise is made of: data, and the wrong solutions that edits of its right ones give."""

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics_book.practice._sql import Query
from metrics_book.practice._values import trace

Array = NDArray[Any]
Function = Callable[..., Any]
Draw = Callable[[np.random.Generator, int], tuple[Any, ...]]
DRAWS = 60  # random inputs beside the named cases
SIZES = (200, 800, 3_200, 12_800, 51_200)


@dataclass(frozen=True)
class Case:
    """One input, with what it is there for; a random one has no name."""

    name: str
    arguments: tuple[Any, ...]
    why: str


@dataclass(frozen=True)
class Approach:
    """A correct way to solve an exercise.

    Parameters
    ----------
    function : callable
        The solution itself; it takes the arguments of the exercise. For an exercise in SQL it is a text as well.
    idea, complexity, failure : str
        How it works, what it costs for n values, and where it fails in practice.
    """

    function: Function
    idea: str
    complexity: str
    failure: str

    @property
    def name(self) -> str:
        """A short name, such as ``pairs`` for ``auc_by_pairs``."""
        return self.function.__name__.rpartition("_by_")[2]

    @property
    def language(self) -> str:
        return "sql" if isinstance(self.function, str) else "python"

    @property
    def source(self) -> str:
        return str(self.function) if self.language == "sql" else inspect.getsource(self.function).rstrip()

    def __str__(self) -> str:
        """The approach as Markdown."""
        told = {"idea": self.idea, "complexity": self.complexity, "fails": self.failure}
        items = [f"- **{label}**: {text}" for label, text in told.items()]
        return "\n".join([f"`{self.function.__name__}`", "", *items, "", f"```{self.language}", self.source, "```"])


@dataclass(frozen=True)
class Exercise:
    """A function to write. ``right`` is the library's own; ``draw(rng, n)`` gives arguments of about n rows.

    The first of the ``approaches`` is the one that most ``mistakes`` are edits of; ``zero`` says where the value is
    0/0, and ``sizes`` are the numbers of rows at which the growth of the time is measured.
    """

    name: str
    title: str
    parameters: str
    task: tuple[str, ...]
    right: Function
    cases: tuple[tuple[str, tuple[Any, ...], str], ...]  # name, arguments, why
    draw: Draw
    hints: tuple[str, ...]
    approaches: tuple[Approach, ...]
    mistakes: dict[str, tuple[str, ...]]  # what is said of it: the edits that make it
    zero: str = ""
    sizes: tuple[int, ...] = SIZES

    @property
    def language(self) -> str:
        """``"python"`` or ``"sql"``."""
        return self.approaches[0].language

    @property
    def answer(self) -> str:
        """What the stub calls the submission."""
        return self.name if self.language == "sql" else f"my_{self.name}"

    @property
    def signature(self) -> str:
        return f"{'log' if self.language == 'sql' else self.answer}({self.parameters})"

    @property
    def stub(self) -> str:
        """What a reader completes."""
        if self.language == "sql":
            return f'{self.name} = """\nSELECT ...  -- your query\nFROM log\n"""'
        return f"import numpy as np  # NumPy only\n\n\ndef {self.signature}:\n    ...  # your code"

    @property
    def rules(self) -> str:
        """What every task of this language says at its end."""
        if self.language == "sql":
            return (
                "Submit the text of one query for SQLite, which can only read. Results are compared to nine digits, "
                "those near single precision to five."
            )
        return (
            "Arguments come by position and, unless single numbers or texts, as NumPy arrays. Leave them as they are. "
            "Results are compared to nine digits, those near single precision (float32) to five."
        )

    @cached_property
    def all_cases(self) -> tuple[Case, ...]:
        """The named cases, then the random ones, from short to long."""
        rng = np.random.default_rng(0)
        drawn = [Case("", self.draw(rng, 2 + number // 6), "") for number in range(DRAWS)]
        named = [Case(name, tuple(map(array, arguments)), why) for name, arguments, why in self.cases]
        return (*named, *drawn)

    @cached_property
    def expected(self) -> tuple[Any, ...]:
        """The right value of each case."""
        return tuple(trace(self.right, case.arguments) for case in self.all_cases)

    @cached_property
    def suspects(self) -> list[tuple[str, Function]]:
        """Each way to make a mistake, with what is said of it."""
        return [(message, self.mutant(edit)) for message, edits in self.mistakes.items() for edit in edits]

    def mutant(self, edit: str) -> Function:
        """The wrong solution that an edit makes of a right one.

        ``a -> b`` replaces a by b, wherever it stands; ``begin: statement`` puts a statement first; ``return:
        expression`` returns that and nothing else. Several are joined by ``;;``, and ``name:`` before them says which
        approach they edit.
        """
        names = {approach.name: approach for approach in self.approaches}
        name, colon, rest = edit.partition(": ")
        approach, rest = (names[name], rest) if colon and name in names else (self.approaches[0], edit)
        source = approach.source
        for part in rest.split(" ;; "):
            head = source.partition("\n")[0]
            old, arrow, new = part.partition(" -> ")
            if part.startswith("return: "):
                source = f"{head}\n    return {part[8:]}"
            elif part.startswith("begin: "):
                source = source.replace(head, f"{head}\n    {part[7:]}", 1)
            elif arrow and old in source:
                source = source.replace(old, new)
            else:
                raise ValueError(f"{self.name}: {old!r} is not in {approach.name}")
        return self.compiled(approach, source)

    def compiled(self, approach: Approach, source: str) -> Function:
        """Another source in the place of an approach's own, with the names of its module."""
        if isinstance(approach.function, Query):
            return approach.function.with_text(source)
        space = dict(approach.function.__globals__)
        exec(compile(textwrap.dedent(source), f"<{self.name}>", "exec"), space)
        function: Function = space[approach.function.__name__]
        return function


def array(value: Any) -> Any:
    """A list among the arguments is passed as an array, and a tuple of lists as a list of arrays."""
    if isinstance(value, tuple):
        return list(map(array, value))
    return np.array(value, dtype=object if None in value else None) if isinstance(value, list) else value
