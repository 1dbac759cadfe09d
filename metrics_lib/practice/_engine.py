"""Running a submission on the tests of an exercise, and saying what went wrong."""

import ctypes
import inspect
import io
import math
import numbers
import re
import textwrap
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Function = Callable[..., Any]
Plain = float | tuple["Plain", ...]
Trace = Plain | type[BaseException] | None
T = TypeVar("T")

WIDTH = 72
RELATIVE, ABSOLUTE = 1e-9, 1e-12
UNTOUCHED = "leaves its input alone"
_NOT_THEIRS = (str(Path(__file__).parent), str(Path(np.__file__).parent))


# ---- what an exercise is made of --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One named test. A list among the arguments is passed as an array, a tuple of lists as a list of arrays."""

    name: str
    why: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Mistake:
    """A usual mistake, and the ways to make it, each as a function that gives its wrong values."""

    message: str
    variants: tuple[Function, ...]


@dataclass(frozen=True)
class Approach:
    """A correct way to solve an exercise.

    Parameters
    ----------
    function : callable
        The solution itself; it takes the arguments of the exercise.
    idea, complexity, failure : str
        How it works, what it costs for n values, and where it fails in practice.
    """

    function: Function
    idea: str
    complexity: str
    failure: str

    @property
    def _told(self) -> list[tuple[str, str]]:
        return [("idea", self.idea), ("complexity", self.complexity), ("fails", self.failure)]

    @property
    def _source(self) -> str:
        return inspect.getsource(self.function).rstrip()

    def __str__(self) -> str:
        told = [labelled(*pair, indent=2) for pair in self._told]
        return "\n".join([self.function.__name__, *told, "", textwrap.indent(self._source, "    ")])

    def _repr_markdown_(self) -> str:
        told = [f"- **{label}**: {text}" for label, text in self._told]
        return "\n".join([f"`{self.function.__name__}`", "", *told, "", "```python", self._source, "```"])


@dataclass(frozen=True)
class Exercise:
    """A function to write, the tests it must pass, and what helps on the way."""

    name: str
    title: str
    task: tuple[str, ...]
    reference: Function
    cases: tuple[Case, ...]
    hints: tuple[str, ...]
    approaches: tuple[Approach, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.reference).parameters)

    @property
    def signature(self) -> str:
        return f"my_{self.name}({', '.join(self.parameters)})"


class Text(str):
    """A text that shows itself, in a notebook as Markdown."""

    markdown: str

    def __new__(cls, plain: str, markdown: str) -> "Text":
        text = super().__new__(cls, plain)
        text.markdown = markdown
        return text

    def __repr__(self) -> str:
        return str(self)

    def _repr_markdown_(self) -> str:
        return self.markdown


class Listing(tuple[T, ...]):
    """A tuple that shows itself as a text."""

    text: Text

    def __new__(cls, items: Iterable[T], text: Text) -> "Listing[T]":
        listing = super().__new__(cls, items)
        listing.text = text
        return listing

    def __repr__(self) -> str:
        return repr(self.text)

    def _repr_markdown_(self) -> str:
        return self.text.markdown


# ---- the report -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """The outcome of one named test, in words.

    Parameters
    ----------
    name : str
        The name of the test.
    passed : bool
        Whether the submission passed it.
    call, got, expected, why : str
        What was called, what came, what should have come, and why it matters.
    """

    name: str
    passed: bool
    call: str
    got: str
    expected: str
    why: str

    def __str__(self) -> str:
        if self.passed:
            return f"  ok    {self.name}"
        told = [("call", self.call), ("got", self.got), ("expected", self.expected), ("why", self.why)]
        return "\n".join([f"  FAIL  {self.name}", *(labelled(*pair, indent=8) for pair in told)])


@dataclass(frozen=True, repr=False)
class Report:
    """What `check` found; ``str(report)`` is the text that it printed.

    Parameters
    ----------
    name : str
        The name of the exercise.
    results : tuple of Result
        One for each named test.
    mistakes : tuple of str
        The usual mistakes that were recognised by their values, named.
    notes : tuple of str
        What the submission printed, and how it warned.
    """

    name: str
    results: tuple[Result, ...]
    mistakes: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every test was passed."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the tests that were not passed."""
        return tuple(result.name for result in self.results if not result.passed)

    @property
    def _count(self) -> str:
        total = len(self.results)
        return f"{self.name}: {total - len(self.failed)} of {total} tests passed"

    def __repr__(self) -> str:
        return f"<{self._count}>"

    def __str__(self) -> str:
        more = "approaches" if self.passed else "hint"
        closing = [
            *self.mistakes,
            *self.notes,
            f"{'Compare' if self.passed else 'Help'}: practice.{more}({self.name!r})",
        ]
        return "\n".join([f"{self._count}.", "", *map(str, self.results), "", *map(wrapped, closing)])


def wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_on_hyphens=False)


def listed(text: str) -> str:
    return textwrap.fill(f"- {text}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def labelled(label: str, text: str, *, indent: int) -> str:
    """A label, and the text beside it in lines of its own."""
    margin = " " * (indent + 12)
    lines = textwrap.fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
    return " " * indent + f"{label:12}" + lines.lstrip()


# ---- values -----------------------------------------------------------------------------------------------------


class NotNumbersError(Exception):
    """What came is neither a number nor a sequence of numbers; the message says what it is."""


def plain(value: Any) -> Plain:
    """A float, or a tuple (of tuples) of floats."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(map(plain, value))
    if value is None:
        raise NotNumbersError("None: is the return missing?")
    if isinstance(value, bool | str | complex):
        raise NotNumbersError(f"{shortened(repr(value))}, of type {type(value).__name__} and not a real number")
    if not isinstance(value, numbers.Real):
        raise NotNumbersError(f"an object of type {type(value).__name__} where a number is expected")
    return float(value)


def close(one: Plain, other: Plain) -> bool:
    """Equal up to rounding; undefined only where the other is."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, tuple) or isinstance(other, tuple):
        return False
    return math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE) or (math.isnan(one) and math.isnan(other))


def undefined(value: Plain) -> bool:
    """Whether the value, or a part of it, is 0/0."""
    return any(map(undefined, value)) if isinstance(value, tuple) else math.isnan(value)


def shortened(text: str, length: int = 60) -> str:
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(text.split()))
    return text if len(text) <= length else f"{text[: length - 4]} ..."


def shown(value: Any, digits: int = 6) -> str:
    """Numbers in so many digits, long sequences by their beginning and their length."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        few = len(value) <= 10
        parts = [shown(part, digits) for part in (value if few else value[:4])]
        parts += [] if few else [f"... {len(value)} values"]
        return f"[{', '.join(parts)}]"
    return f"{value:.{digits}g}" if isinstance(value, float) else repr(value)


def told_apart(got: Plain, expected: Plain) -> tuple[str, str]:
    """Both values in as many digits as it takes to see that they differ."""
    for digits in (6, 10, 17):
        texts = shown(got, digits), shown(expected, digits)
        if texts[0] != texts[1]:
            return texts
    return f"{texts[0]}, which differs further on", texts[1]


# ---- one call ---------------------------------------------------------------------------------------------------


class OutOfTime(SystemExit):
    """Raised inside a submission that takes too long; a thread that it ends stays silent."""


class Beginning(io.StringIO):
    """Keeps only the beginning of what is written, for a loop may print without end."""

    def write(self, text: str) -> int:
        if self.tell() < 1000:
            super().write(text[:1000])
        return len(text)


@dataclass
class Outcome:
    """What one call came to."""

    value: Any = None
    error: BaseException | None = None
    late: str = ""
    changed: str = ""
    printed: str = ""
    warned: list[str] = field(default_factory=list)

    @property
    def trace(self) -> Trace:
        """What is compared with the values of usual mistakes: numbers, or the type of an error."""
        if self.late or self.error:
            return type(self.error) if self.error else None
        try:
            return plain(self.value)
        except (NotNumbersError, OverflowError):
            return None


def fresh(value: Any) -> Any:
    """A copy in the form in which submissions get it."""
    if isinstance(value, tuple):
        return [fresh(part) for part in value]
    return np.array(value) if isinstance(value, list | np.ndarray) else value


def unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, list):
        return len(before) == len(after) and all(map(unchanged, before, after))
    if isinstance(before, np.ndarray):
        return before.dtype == after.dtype and np.array_equal(before, after)
    return True  # numbers cannot change


def run(function: Function, exercise: Exercise, case: Case, time_limit: float) -> Outcome:
    """Call the function in a thread of its own, with copies of the arguments, and collect all that it does."""
    outcome = Outcome()
    arguments = [fresh(value) for value in case.arguments]

    def work() -> None:
        try:
            outcome.value = function(*arguments)
        except OutOfTime:
            pass
        except BaseException as error:
            outcome.error = error

    thread, printed = Thread(target=work, daemon=True), Beginning()
    with redirect_stdout(printed), redirect_stderr(printed), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        thread.start()
        try:
            thread.join(time_limit)
        finally:
            if thread.is_alive():
                after = f"no result within {time_limit:g} s"
                ended = "was stopped" if stopped(thread) else "could not be stopped and is left behind"
                outcome = Outcome(late=f"{after}; the call {ended}")
    outcome.printed = shortened(printed.getvalue())
    outcome.warned = list(dict.fromkeys(shortened(f"{w.category.__name__}: {w.message}") for w in caught))
    if not outcome.late:
        for name, before, after in zip(exercise.parameters, case.arguments, arguments, strict=True):
            if not unchanged(fresh(before), after):
                outcome.changed = f"{name} was {shown(before)} and is {shown(after)} after the call"
                break
    return outcome


def stopped(thread: Thread) -> bool:
    """Raise an error in the thread until it ends. It cannot end within one long call into compiled code."""
    for _ in range(20):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(OutOfTime))
        thread.join(0.05)
        if not thread.is_alive():
            return True
    return False


def quiet(function: Function, case: Case) -> Outcome:
    """Call a function of this package: without a thread, without a warning."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return Outcome(function(*map(fresh, case.arguments)))
        except Exception as error:
            return Outcome(error=error)


# ---- all calls --------------------------------------------------------------------------------------------------


def callable_as(exercise: Exercise, function: Function) -> Function:
    """The function as one of the arguments in their order, by position or by name; an error if it takes others."""
    try:
        takes = inspect.signature(function)
    except (TypeError, ValueError):  # some compiled functions do not tell
        return function
    names = exercise.parameters
    for positional, named in ((names, ()), ((), names)):
        try:
            takes.bind(*positional, **dict.fromkeys(named))
        except TypeError:
            continue
        return function if positional else lambda *values: function(**dict(zip(names, values, strict=True)))
    raise TypeError(f"function: expected one that can be called as {exercise.signature}, got one that takes {takes}")


def examine(exercise: Exercise, function: Function, time_limit: float) -> Report:
    """Run all tests and put what they show into words."""
    called = callable_as(exercise, function)
    expected = [plain(quiet(exercise.reference, case).value) for case in exercise.cases]
    outcomes = [run(called, exercise, case, time_limit) for case in exercise.cases]
    name = getattr(function, "__name__", "")
    name = name if name.isidentifier() else f"my_{exercise.name}"
    calls = [f"{name}({', '.join(map(shown, case.arguments))})" for case in exercise.cases]
    results = [judged(*parts) for parts in zip(exercise.cases, calls, expected, outcomes, strict=True)]
    mistakes = recognised(exercise, expected, outcomes, [result.passed for result in results])
    return Report(exercise.name, (*results, untouched(calls, outcomes)), mistakes, noted(outcomes))


def judged(case: Case, call: str, expected: Plain, outcome: Outcome) -> Result:
    """Pass or fail: a value is compared; an undefined one may also be refused by a ValueError."""
    wanted = shown(expected) + (", or a ValueError" if undefined(expected) else "")
    if outcome.late:
        return Result(case.name, False, call, outcome.late, wanted, case.why)
    if outcome.error is not None:
        passed = undefined(expected) and isinstance(outcome.error, ValueError)
        return Result(case.name, passed, call, raised(outcome.error), wanted, case.why)
    try:
        value = plain(outcome.value)
    except (NotNumbersError, OverflowError) as error:
        inside = f"a {type(outcome.value).__name__} with " if isinstance(outcome.value, list | tuple) else ""
        return Result(case.name, False, call, f"{inside}{error}", wanted, case.why)
    if close(value, expected):
        return Result(case.name, True, call, shown(value), wanted, case.why)
    got, exact = told_apart(value, expected)
    if isinstance(value, tuple) and not isinstance(expected, tuple):
        got += f", a sequence of length {len(value)} and not one number"
    elif isinstance(expected, tuple) and not isinstance(value, tuple):
        got += f", one number and not {len(expected)} values"
    return Result(case.name, False, call, got, wanted if undefined(expected) else exact, case.why)


def raised(error: BaseException) -> str:
    """The error, and the line of the submission that led to it."""
    text = shortened(f"{type(error).__name__}: {error}".rstrip(": "), 200)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_NOT_THEIRS)]
    if frames:
        last = [frame for frame in frames if frame.filename == frames[0].filename][-1]
        text += f" (line {last.lineno} in {last.name}: {last.line})" if last.line else f" (line {last.lineno})"
    return text


def untouched(calls: Sequence[str], outcomes: Sequence[Outcome]) -> Result:
    """The test of what all calls did to their arguments."""
    why = "The caller goes on to use the data; sort or fill a copy."
    for call, outcome in zip(calls, outcomes, strict=True):
        if outcome.changed:
            return Result(UNTOUCHED, False, call, outcome.changed, "arguments that stay as they were", why)
    if all(outcome.late for outcome in outcomes):
        return Result(UNTOUCHED, False, calls[0], "no call that came to an end", "a result", why)
    return Result(UNTOUCHED, True, calls[0], "unchanged arguments", "unchanged arguments", why)


def noted(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """What a submission says besides its result is neither right nor wrong."""
    spoken = [outcome.printed for outcome in outcomes if outcome.printed]
    notes = [f"Your function printed, in {len(spoken)} tests: {spoken[0]!r}"] if spoken else []
    warned = [text for outcome in outcomes for text in outcome.warned]
    return (*notes, *(f"Your function warned: {text}" for text in list(dict.fromkeys(warned))[:3]))


def recognised(
    exercise: Exercise, expected: Sequence[Plain], outcomes: Sequence[Outcome], passed: Sequence[bool]
) -> tuple[str, ...]:
    """Name the mistake that explains every failed test, or else one for the defined values and one for 0/0.

    A mistake that would fail a test which the submission passes is not the one.
    """
    if all(passed):
        return ()
    known = [
        (mistake.message, [quiet(variant, case).trace for case in exercise.cases])
        for mistake in exercise.mistakes
        for variant in mistake.variants
    ] + usual_everywhere(expected)
    everywhere = range(len(expected))
    at_zero = [i for i in everywhere if undefined(expected[i])]
    elsewhere = [i for i in everywhere if not undefined(expected[i])]

    def named(tests: Sequence[int], right: Sequence[int] = (), *, most: bool = False) -> list[str]:
        """The mistake that explains all failed ones of these tests, or most of them, and is right in others."""
        failed = [i for i in tests if not passed[i]]
        fitting = [
            (sum(agrees(traces[i], outcomes[i].trace) for i in failed), message)
            for message, traces in known
            if all(agrees(traces[i], expected[i]) for i in [*right, *tests] if i not in failed)
        ]
        explained, message = max(fitting, key=lambda pair: pair[0], default=(0, ""))
        if explained == len(failed) > 0:
            return [f"What went wrong: {message}"]
        if most and explained >= 2 and 2 * explained >= len(failed):
            return [f"What went wrong in {explained} of {len(failed)} failed tests: {message}"]
        return []

    return tuple(named(everywhere) or named(elsewhere, most=True) + named(at_zero, right=elsewhere))


def usual_everywhere(expected: Sequence[Plain]) -> list[tuple[str, list[Trace]]]:
    """The mistakes that can be made in every exercise, with the values that they give."""

    def each(change: Function) -> list[Trace]:
        return [plain(change(np.array(value))) for value in expected]

    return [
        ("the values are percentages; return fractions.", each(lambda value: 100 * value)),
        *(("the values are rounded; return all digits.", each(partial(np.round, decimals=d))) for d in range(2, 7)),
        (
            "0/0 is not handled: look at the denominator first, and return nan or raise a ValueError where it is 0.",
            [ZeroDivisionError if undefined(value) else value for value in expected],
        ),
    ]


def agrees(one: object, other: object) -> bool:
    """The same values, or the same type of error."""
    if isinstance(one, float | tuple) and isinstance(other, float | tuple):
        return close(one, other)
    return one is not None and one is other
