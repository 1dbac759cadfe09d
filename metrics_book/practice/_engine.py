"""Running a submission on the tests of an exercise, and saying what went wrong."""

import builtins
import ctypes
import inspect
import io
import math
import os
import random
import re
import sys
import textwrap
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import combinations, product
from math import isclose  # our own name: a submission may put another function into math
from pathlib import Path
from threading import Thread
from time import monotonic
from types import FrameType
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
SINGLE_RELATIVE, SINGLE_ABSOLUTE = 1e-5, 1e-6  # what single precision leaves of a sum over some hundred rows
MOST_VALUES, DEEPEST = 10_000, 4
MOST_TIMEOUTS, MOST_NAMES = 2, 3
NOT_WRITTEN = "no query yet"
MISSING = {"None: is the return missing?", "Ellipsis: is the body missing?", NOT_WRITTEN}
LONGEST_IMPORT = 60.0  # seconds
THREADS = sys.platform != "emscripten"  # in a browser Python starts none
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
class Factor:
    """One choice in a solution: a keyword of the exercise's model, whose default is right, and its wrong levels."""

    name: str
    wrong: Mapping[str, Any]  # by what is said of them: one level, or a list of those that are called the same
    brief: bool = False  # with another mistake, only the first of those

    @property
    def levels(self) -> list[tuple[str, Any]]:
        return [
            (message, level)
            for message, levels in self.wrong.items()
            for level in (levels if isinstance(levels, list) else [levels])
        ]

    @property
    def levels_in_pairs(self) -> list[tuple[str, Any]]:
        first = dict(reversed(self.levels))  # by what is said of them
        return list(first.items()) if self.brief else self.levels


@dataclass(frozen=True)
class Suspect:
    """A mistake made in one way, or two at once, with what it gives in each test."""

    message: str
    trace: Callable[[int], "Trace"]


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
    def _told(self) -> list[tuple[str, str]]:
        return [("idea", self.idea), ("complexity", self.complexity), ("fails", self.failure)]

    @property
    def _source(self) -> str:
        return str(self.function) if self._language == "sql" else inspect.getsource(self.function).rstrip()

    @property
    def _language(self) -> str:
        return "sql" if isinstance(self.function, str) else "python"

    def __str__(self) -> str:
        told = [labelled(*pair, indent=2) for pair in self._told]
        return "\n".join([self.function.__name__, *told, "", textwrap.indent(self._source, "    ")])

    def _repr_markdown_(self) -> str:
        told = [f"- **{label}**: {text}" for label, text in self._told]
        return "\n".join([f"`{self.function.__name__}`", "", *told, "", f"```{self._language}", self._source, "```"])


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
    model: Function  # gives the right values, and with the wrong level of a factor those of a mistake
    factors: tuple[Factor, ...]
    singular: tuple[Mistake, ...] = ()  # what no factor expresses
    nothing: str = ""  # where the value is 0/0, and why no number will do

    language, given = "python", "arguments"
    rules = (
        "Arguments come by position and, unless single numbers, as NumPy arrays. Leave them as they are. Results are "
        "compared to nine digits."
    )

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.reference).parameters)

    @property
    def signature(self) -> str:
        return f"my_{self.name}({', '.join(self.parameters)})"

    def call(self, name: str, arguments: tuple[Any, ...]) -> str:
        """What a test does, in words."""
        return f"{name}({', '.join(map(shown, arguments))})"

    def said(self, value: str) -> str:
        """A value in the words of its language."""
        return value

    def wanted(self, value: "Plain") -> str:
        return shown(value) + (", or a ValueError" if undefined(value) else "")

    @cached_property
    def expected(self) -> tuple["Plain", ...]:
        values = [quiet(self.reference, case).value for case in self.cases]
        return tuple(value for value in values if value is not None)

    @cached_property
    def mistakes(self) -> tuple[Mistake, ...]:
        """One for each wrong level of a factor, the singular ones, and one for each number given for 0/0."""
        generated = [
            Mistake(message, tuple(partial(self.model, **{f.name: level}) for m, level in f.levels if m == message))
            for f in self.factors
            for message in f.wrong
        ]
        return (*generated, *self.singular, *self.filled)

    @cached_property
    def filled(self) -> tuple[Mistake, ...]:
        where, _, why = self.nothing.partition("; ")
        numbers = {"0": 0.0, "one half": 0.5, "1": 1.0} if where else {}
        return tuple(
            Mistake(f"{where} gives {said} here; {why}.", (partial(self._with, value),))
            for said, value in numbers.items()
        )

    def _with(self, value: float, *arguments: Any) -> Array:
        """The right values, with this one in place of 0/0."""
        right = np.array(plain(self.reference(*arguments)))
        return np.where(np.isnan(right), value, right)

    def suspects(self, mistakes: Iterable[Mistake]) -> list[Suspect]:
        return [Suspect(m.message, self._traced(variant)) for m in mistakes for variant in m.variants]

    def _traced(self, function: Function) -> Callable[[int], "Trace"]:
        return cache(lambda test: quiet(function, self.cases[test]).trace)

    @cached_property
    def single(self) -> list[Suspect]:
        """Each way to make one mistake."""
        return self.suspects(self.mistakes)

    @cached_property
    def general(self) -> list[Suspect]:
        """The mistakes that can be made in every exercise."""
        return usual_everywhere(self.expected)

    @cached_property
    def double(self) -> list[Suspect]:
        """Two mistakes at once: wrong levels of two factors, or one mistake and no care for 0/0."""
        pairs = [
            Suspect(both(a, b), self._traced(partial(self.model, **{one.name: x, other.name: y})))
            for one, other in combinations(self.factors, 2)
            for (a, x), (b, y) in product(one.levels_in_pairs, other.levels_in_pairs)
        ]
        return pairs + self._careless(self.single)

    @cached_property
    def double_general(self) -> list[Suspect]:
        return self._careless(self.general)

    def _careless(self, suspects: Iterable[Suspect]) -> list[Suspect]:
        """One of these mistakes, and a number or an error where the value is 0/0."""
        zeros = [*self.suspects(self.filled), *unguarded(self.expected)]
        names = {zero.message for zero in zeros}
        return [
            Suspect(both(suspect.message, zero.message), self._either(suspect, zero))
            for suspect, zero in product(suspects, zeros)
            if suspect.message not in names
        ]

    def _either(self, suspect: Suspect, zero: Suspect) -> Callable[[int], "Trace"]:
        return lambda test: (zero if undefined(self.expected[test]) else suspect).trace(test)


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
        What was called, or the rows that were queried, what came, what should have come, and why it matters.
    language : str
        Of the submission, ``"python"`` or ``"sql"``.
    """

    name: str
    passed: bool
    call: str
    got: str
    expected: str
    why: str
    language: str = "python"

    def __str__(self) -> str:
        if self.passed:
            return f"  ok    {self.name}"
        head = "call" if self.language == "python" else "table"
        told = [(head, self.call), ("got", self.got), ("expected", self.expected), ("why", self.why)]
        return "\n".join([f"  FAIL  {self.name}", *(labelled(*pair, indent=8) for pair in told)])


@dataclass(frozen=True, repr=False)
class Report:
    """What `check` found. ``str(report)`` is the short text that it printed, ``report.details`` the full one.

    The short text begins with what went wrong, shows the failed test with the fewest values in full, and names the
    other failed tests.

    Parameters
    ----------
    name : str
        The name of the exercise.
    results : tuple of Result
        One for each named test.
    mistakes : tuple of str
        The usual mistakes that were recognised by their values, named. "What went wrong" is certain; what "may be" is
        one of several explanations, or two mistakes at once, or explains only most of the failed tests.
    notes : tuple of str
        What the submission printed, and how it warned.
    smallest : str, optional
        The name of the failed test with the fewest values, or of the first that took too long.
    blank : str, optional
        The name of the submission if it returns nothing in any test, and is to be written yet.
    """

    name: str
    results: tuple[Result, ...]
    mistakes: tuple[str, ...]
    notes: tuple[str, ...]
    smallest: str = ""
    blank: str = ""

    @property
    def passed(self) -> bool:
        """Whether every test was passed."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the tests that were not passed."""
        return tuple(result.name for result in self.results if not result.passed)

    @property
    def details(self) -> str:
        """Every test, in full where it failed and by its name where it passed."""
        return "\n".join(map(str, self.results))

    @property
    def _count(self) -> str:
        total = len(self.results)
        return f"{self.name}: {total - len(self.failed)} of {total} tests passed"

    def __repr__(self) -> str:
        return f"<{self._count}>"

    def __str__(self) -> str:
        notes = ["", *map(wrapped, self.notes)] if self.notes else []
        help_line = f"Help: practice.hint({self.name!r})"
        if self.blank:
            return "\n".join([wrapped(f"{self.blank} returns nothing yet. {help_line}"), *notes])
        if self.passed:
            return "\n".join([f"{self._count}.", f"Compare: practice.approaches({self.name!r})", *notes])
        diagnosis = self.mistakes or ("No usual mistake gives this.",)
        first = next(result for result in self.results if result.name == self.smallest)
        others = [f"  FAIL  {name}" for name in self.failed if name != self.smallest]
        return "\n".join([f"{self._count}.", *map(wrapped, diagnosis), "", str(first), *others, "", help_line, *notes])


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


def ratio(part: float, whole: float, undefined: float = math.nan) -> float:
    """The quotient; what 0/0 is."""
    return float(part) / float(whole) if whole else undefined


def plain(value: Any, left: Iterator[int] | None = None, depth: int = 0) -> Plain:
    """A float, or a tuple (of tuples) of floats, of whatever holds real numbers in an order.

    What `value` does when it is asked may be anything; this runs where the submission runs, and under its time limit.
    """
    left = iter(range(MOST_VALUES)) if left is None else left
    if next(left, None) is None:
        raise NotNumbersError(f"more than {MOST_VALUES} values")
    if depth > DEEPEST:
        raise NotNumbersError(f"sequences more than {DEEPEST} deep in one another")
    name = kind(value)
    if hasattr(type(value), "__array__"):  # of NumPy, pandas and others
        if np.size(value) > MOST_VALUES:
            raise NotNumbersError(f"more than {MOST_VALUES} values, in the shape {np.shape(value)}")
        if np.ma.is_masked(value):
            raise NotNumbersError("a masked value, which stands for no number")
        value = np.asarray(value).tolist()
    if value is None:
        raise NotNumbersError("None: is the return missing?")
    if value is Ellipsis:
        raise NotNumbersError("Ellipsis: is the body missing?")
    if isinstance(value, bool | str | bytes | complex):
        raise NotNumbersError(f"{words(value, repr)}, of type {kind(value)} and not a real number")
    if hasattr(type(value), "__float__"):
        return float(value)
    if isinstance(value, dict | set | frozenset) or not hasattr(type(value), "__iter__"):
        raise NotNumbersError(f"an object of type {name} where a number is expected")
    try:
        return tuple(plain(part, left, depth + 1) for part in value)
    except NotNumbersError as error:
        raise NotNumbersError(str(error) if depth else f"a {name} with {error}") from None


def close(got: Plain, expected: Plain, relative: float = RELATIVE, absolute: float = ABSOLUTE) -> bool:
    """Equal up to rounding, which in single precision comes sooner; undefined only where the other is."""
    if isinstance(got, tuple) and isinstance(expected, tuple):
        pairs = zip(got, expected, strict=False)
        return len(got) == len(expected) and all(close(*pair, relative, absolute) for pair in pairs)
    if isinstance(got, tuple) or isinstance(expected, tuple):
        return False
    if single(got):
        relative, absolute = SINGLE_RELATIVE, SINGLE_ABSOLUTE
    return isclose(got, expected, rel_tol=relative, abs_tol=absolute) or (math.isnan(got) and math.isnan(expected))


def single(value: float) -> bool:
    """Whether this is a fraction in single precision: of doubles one in 2**29 looks like that."""
    with np.errstate(all="ignore"):
        return not value.is_integer() and float(np.float32(value)) == value


def undefined(value: Plain) -> bool:
    """Whether the value, or a part of it, is 0/0."""
    return any(map(undefined, value)) if isinstance(value, tuple) else math.isnan(value)


def shortened(text: str, length: int = 60) -> str:
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(text[:2000].split()))
    return text if len(text) <= length else f"{text[: length - 4]} ..."


def kind(value: object) -> str:
    """The name of its type, whatever the type says of itself."""
    return str(type.__dict__["__name__"].__get__(type(value)))


def words(value: Any, spoken: Callable[[Any], str] = str, length: int = 60) -> str:
    """What an object says of itself, if it can."""
    try:
        return shortened(spoken(value), length)
    except OutOfTime:
        raise
    except BaseException:
        return f"something of type {kind(value)} that cannot be shown"


def shown(value: Any, digits: int = 6) -> str:
    """Numbers in so many digits, long sequences by their beginning and their length."""
    if isinstance(value, np.ndarray | list | tuple):
        few = len(value) <= 10
        part = value if few else value[:4]
        parts = [shown(one, digits) for one in (part.tolist() if isinstance(part, np.ndarray) else part)]
        parts += [] if few else [f"... {len(value)} values"]
        return f"[{', '.join(parts)}]"
    return f"{value:.{digits}g}" if isinstance(value, float) else words(value, repr)


def told_apart(got: Plain, expected: Plain) -> tuple[str, str]:
    """Both values in as many digits as it takes to see that they differ."""
    for digits in (6, 10, 17):
        texts = shown(got, digits), shown(expected, digits)
        if texts[0] != texts[1]:
            return texts
    return f"{texts[0]}, which differs further on", texts[1]


# ---- one call ---------------------------------------------------------------------------------------------------


class OutOfTime(SystemExit):
    """Raised inside a submission that takes too long."""


class Beginning(io.StringIO):
    """Keeps only the beginning of what is written, for a loop may print without end, and cannot be closed."""

    def write(self, text: str) -> int:
        if self.tell() < 1000:
            super().write(text[:1000])
        return len(text)

    def close(self) -> None:
        pass


@dataclass
class Outcome:
    """What one call came to: numbers, or the type of an error, or neither; and what to say if it is not numbers."""

    value: Plain | None = None
    error: type[BaseException] | None = None
    said: str = "nothing that can be shown"
    late: bool = False
    changed: str = ""
    printed: str = ""
    warned: list[str] = field(default_factory=list)

    @property
    def trace(self) -> Trace:
        """What is compared with the values of usual mistakes."""
        return self.value if self.error is None else self.error


def fresh(value: Any) -> Any:
    """A copy in the form in which submissions get it."""
    if isinstance(value, tuple):
        return [fresh(part) for part in value]
    return np.array(value) if isinstance(value, list | np.ndarray) else value


def unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, list):
        return len(before) == len(after) and all(map(unchanged, before, after))
    if isinstance(before, np.ndarray):
        return isinstance(after, np.ndarray) and before.dtype == after.dtype and np.array_equal(before, after)
    return True  # numbers cannot change


def run(function: Function, exercise: Exercise, case: Case, time_limit: float) -> Outcome:
    """Call the function with copies of the arguments, and put all that it does into words and numbers.

    Whatever it made is looked at within the call's own thread and time, and nothing of it is kept.
    """
    outcome = Outcome()
    arguments = [fresh(value) for value in case.arguments]

    def work() -> None:
        try:
            outcome.value = plain(function(*arguments))
        except OutOfTime:
            raise
        except NotNumbersError as error:
            outcome.said = str(error)
        except BaseException as error:
            outcome.error, outcome.said = type(error), raised(error)
        for name, before, after in zip(exercise.parameters, case.arguments, arguments, strict=True):
            if not unchanged(fresh(before), after):
                outcome.changed = f"{name} was {shown(before)} and is {shown(after)} after the call"
                break

    printed = Beginning()
    with redirect_stdout(printed), redirect_stderr(printed), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        too_late = overrun(work, time_limit)
    if too_late:
        outcome = Outcome(late=True, said=too_late)
    outcome.printed = shortened(printed.getvalue())
    outcome.warned = list(
        dict.fromkeys(words(w, lambda w: f"{w.category.__name__}: {w.message}") for w in caught[:100])
    )
    return outcome


def overrun(work: Callable[[], None], time_limit: float) -> str:
    """Do the work in a thread of its own, and say so if it took too long. An import takes the time it takes."""

    def silently() -> None:
        with suppress(OutOfTime):
            work()

    if not THREADS:
        return f"no result within {time_limit:g} s; the call was stopped" if watched(work, time_limit) else ""
    thread = Thread(target=silently, daemon=True)
    thread.start()
    left = {False: time_limit, True: LONGEST_IMPORT}
    try:
        while thread.is_alive() and min(left.values()) > 0:
            start = monotonic()
            thread.join(min(left[False], 0.05))
            left[importing(thread)] -= monotonic() - start
    finally:  # an interrupt from the keyboard, too, leaves no thread
        alive = thread.is_alive()
        ended = "was stopped" if alive and stopped(thread) else "could not be stopped and is left behind"
    return f"no result within {time_limit:g} s; the call {ended}" if alive else ""


def watched(work: Callable[[], None], time_limit: float) -> bool:
    """Do the work here, end it once its time is over, and tell whether it was.

    Code that runs for long jumps back or calls, and each time the error is raised again, whatever became of the last
    one. As in a thread, a long call into compiled code cannot end, and no import is interrupted.
    """
    watch: Any = vars(sys)["monitoring"]  # of Python 3.12, for whatever the work calls, too
    tool = next(number for number in range(6) if watch.get_tool(number) is None)  # one watch may be within another
    events = watch.events.JUMP | watch.events.PY_START | watch.events.PY_RESUME
    end, over = monotonic() + time_limit, OutOfTime()

    def look(code: Any, *_: object) -> None:
        if monotonic() > end and code.co_filename != __file__ and not within_import(sys._getframe(1)):
            raise over

    watch.use_tool_id(tool, f"{__name__} {tool}")
    try:
        for event in (watch.events.JUMP, watch.events.PY_START, watch.events.PY_RESUME):
            watch.register_callback(tool, event, look)
        watch.set_events(tool, events)
        work()
    except OutOfTime as error:
        if error is not over:
            raise
    finally:
        watch.set_events(tool, 0)
        watch.free_tool_id(tool)
    return monotonic() > end


def stopped(thread: Thread) -> bool:
    """Raise an error in the thread until it ends. It cannot end within one long call into compiled code.

    A module whose import is interrupted would stay broken for all that follows, so that is never done.
    """
    for _ in range(20):
        if not importing(thread):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(OutOfTime))
        thread.join(0.05)
        if not thread.is_alive():
            return True
    return False


def importing(thread: Thread) -> bool:
    """Whether the thread is within an import."""
    return within_import(sys._current_frames().get(thread.ident or 0))


def within_import(frame: FrameType | None) -> bool:
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def quiet(function: Function, case: Case) -> Outcome:
    """Call a function of this package: without a thread, without a warning."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return Outcome(plain(function(*map(fresh, case.arguments))))
        except Exception as error:
            return Outcome(error=type(error))


@contextmanager
def restored() -> Iterator[None]:
    """Put back what submissions change for everybody: names in modules, seeds, the folder, the depth of recursion."""
    names = [(vars(module), dict(vars(module))) for module in (builtins, math, random, np, np.random)]
    shared: Any = np.random  # whose stubs lack the two functions for its generator
    seeds, generator, numpy_seeds = random.getstate(), shared.get_bit_generator(), shared.get_state(legacy=False)
    depth, folder = sys.getrecursionlimit(), Path()
    with suppress(OSError):  # there may be none
        folder = Path.cwd()
    try:
        yield
    finally:
        for now, before in names:
            now.update(before)
        random.setstate(seeds)
        if shared.get_bit_generator() is not generator:
            shared.set_bit_generator(generator)
        shared.set_state(numpy_seeds)
        sys.setrecursionlimit(depth)
        with suppress(OSError):  # or no more
            os.chdir(folder)


# ---- all calls --------------------------------------------------------------------------------------------------


def callable_as(exercise: Exercise, function: Function) -> Function:
    """The function as one of the arguments in their order, by position or by name; an error if it takes others."""
    try:
        takes = inspect.signature(function)
    except Exception:  # some compiled functions do not tell
        return function
    names = exercise.parameters
    for positional, named in ((names, ()), ((), names)):
        try:
            takes.bind(*positional, **dict.fromkeys(named))
        except TypeError:
            continue
        return function if positional else lambda *values: function(**dict(zip(names, values, strict=True)))
    raise TypeError(
        f"function: expected one that can be called as {exercise.signature}, got one that takes {words(takes)}"
    )


def examine(exercise: Exercise, function: Function, time_limit: float) -> Report:
    """Run all tests and put what they show into words."""
    called = callable_as(exercise, function)
    expected, outcomes = exercise.expected, list[Outcome]()
    with restored():
        for case in exercise.cases:
            if sum(outcome.late for outcome in outcomes) < MOST_TIMEOUTS:
                outcomes.append(run(called, exercise, case, time_limit))
            else:
                outcomes.append(Outcome(late=True, said=f"not called: {MOST_TIMEOUTS} calls before took too long"))
    name = words(function, lambda function: getattr(function, "__name__", ""))
    name = name if name.isidentifier() else f"my_{exercise.name}"
    calls = [exercise.call(name, case.arguments) for case in exercise.cases]
    results = [judged(exercise, *parts) for parts in zip(exercise.cases, calls, expected, outcomes, strict=True)]
    mistakes = recognised(exercise, outcomes, [result.passed for result in results])
    if exercise.language == "python":
        results.append(untouched(calls, outcomes))
    failed = [result.name for result in results if not result.passed]
    late = [case.name for case, outcome in zip(exercise.cases, outcomes, strict=True) if outcome.late]
    smallest = late[:1] + [case.name for case in sorted(exercise.cases, key=size) if case.name in failed] + failed
    blank = name if all(outcome.said in MISSING or outcome.error is NotImplementedError for outcome in outcomes) else ""
    return Report(exercise.name, tuple(results), mistakes, noted(outcomes), next(iter(smallest), ""), blank)


def size(case: Case) -> int:
    """How many values its arguments hold."""
    return sum(np.size(part) for value in case.arguments for part in (value if isinstance(value, tuple) else [value]))


def judged(exercise: Exercise, case: Case, call: str, expected: Plain, outcome: Outcome) -> Result:
    """Pass or fail: a value is compared; an undefined one may also be refused by a ValueError."""
    wanted = exercise.wanted(expected)
    result = partial(Result, case.name, call=call, expected=wanted, why=case.why, language=exercise.language)
    value = outcome.value
    if value is None:
        passed = undefined(expected) and outcome.error is not None and issubclass(outcome.error, ValueError)
        return result(passed, got=outcome.said)
    if close(value, expected):
        return result(True, got=exercise.said(shown(value)))
    got, exact = told_apart(value, expected)
    if isinstance(value, tuple) and not isinstance(expected, tuple):
        got += f", a sequence of length {len(value)} and not one number"
    elif isinstance(expected, tuple) and not isinstance(value, tuple):
        got += f", one number and not {len(expected)} values"
    return result(False, got=exercise.said(got), expected=wanted if undefined(expected) else exact)


def raised(error: BaseException) -> str:
    """The error, and the line of the submission that led to it."""
    text = words(error, lambda error: f"{type(error).__name__}: {error}".rstrip(": "), 200)
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


def recognised(exercise: Exercise, outcomes: Sequence[Outcome], passed: Sequence[bool]) -> tuple[str, ...]:
    """Name the mistake that explains every failed test, or else two at once, or else one that explains most of them.

    A mistake that would fail a test which the submission passes is not the one. A name is certain only where no other
    mistake explains as much. The tests with the fewest values come first: most suspects are out after one of them.
    """
    in_order = sorted(range(len(outcomes)), key=lambda test: size(exercise.cases[test]))
    failed = [test for test in in_order if not passed[test]]
    right = [test for test in in_order if passed[test]]

    def explains(suspect: Suspect, test: int) -> bool:
        return agrees(outcomes[test].trace, suspect.trace(test))

    def spares_others(suspect: Suspect) -> bool:
        return all(agrees(suspect.trace(test), exercise.expected[test]) for test in right)

    def named(suspects: Iterable[Suspect]) -> list[str]:
        fitting = (s.message for s in suspects if all(explains(s, test) for test in failed) and spares_others(s))
        return list(dict.fromkeys(fitting))

    if not failed:
        changed = any(outcome.changed for outcome in outcomes)
        message = "What went wrong: the values are right, and the arguments are changed; work on a copy."
        return (message,) if changed else ()
    missing = [outcomes[test].said in MISSING for test in failed]
    faults = [outcomes[test].said for test in failed if outcomes[test].value is None and not outcomes[test].late]
    if exercise.language == "sql" and 3 * len(faults) >= 2 * len(failed) and not all(missing):
        return (f"What went wrong: {faults[0].rstrip('.')}.",)  # often SQLite's own words
    if all(missing) and right:
        return ("What went wrong: nothing is returned in these tests: some way through the function has no return.",)
    values = {outcome.value for outcome in outcomes}
    if len(values) == 1 and isinstance(value := values.pop(), float):
        return (f"What went wrong: the result is {exercise.said(shown(value))} whatever the {exercise.given}.",)
    names = named(exercise.single) or named(exercise.general)
    if len(names) == 1:
        return (f"What went wrong: {names[0]}",)
    if names:
        return tuple(f"It may be this: {message}" for message in names[:MOST_NAMES])
    counts = {(counted(outcomes[test].value), counted(exercise.expected[test])) for test in failed}
    if len(counts) == 1 and (pair := counts.pop())[0] not in (pair[1], ""):
        return (f"What went wrong: the result is {pair[0]}; the task asks for {pair[1]}.",)
    if names := named(exercise.double) or named(exercise.double_general):
        return tuple(f"It may be two mistakes at once: {message}" for message in names[:MOST_NAMES])
    for suspects in (exercise.single, exercise.general):
        explained: dict[str, int] = {}
        for suspect in filter(spares_others, suspects):
            number = sum(explains(suspect, test) for test in failed)
            explained[suspect.message] = max(number, explained.get(suspect.message, 0))
        best = max(explained.values(), default=0)
        if best >= 2 and 3 * best >= 2 * len(failed):
            names = [message for message, number in explained.items() if number == best][:MOST_NAMES]
            return tuple(f"It may be this, in {best} of {len(failed)} failed tests: {message}" for message in names)
    return tuple(nearly_right(exercise.expected, outcomes, passed))


def nearly_right(expected: Sequence[Plain], outcomes: Sequence[Outcome], passed: Sequence[bool]) -> list[str]:
    """A word on values that are right as far as single precision goes."""
    triples = zip(expected, outcomes, passed, strict=True)
    failed = [(outcome.value, right) for right, outcome, fine in triples if not fine]
    if failed and all(value is not None and close(value, right, 1e-5, 1e-6) for value, right in failed):
        return ["It may be this: the first five digits are right; compute in float64, and add no small number."]
    return []


def counted(value: Plain | None) -> str:
    """How many values these are, in words."""
    return "" if value is None else f"{len(value)} values" if isinstance(value, tuple) else "one number"


def both(one: str, other: str) -> str:
    return f"{one} And: {other}"


def usual_everywhere(expected: Sequence[Plain]) -> list[Suspect]:
    """The mistakes that can be made in every exercise, with the values that they give."""

    def each(change: Function) -> Callable[[int], Trace]:
        def trace(test: int) -> Trace:
            with np.errstate(all="ignore"):
                return plain(change(np.array(expected[test])))

        return cache(trace)

    return [
        Suspect("the values are percentages; return fractions.", each(lambda value: 100 * value)),
        *(
            Suspect("the values are rounded; return all digits.", each(partial(np.round, decimals=d)))
            for d in range(2, 7)
        ),
        Suspect("the values are cut to whole numbers.", each(np.trunc)),
        Suspect("the values are twice as large as the right ones: look for a factor 2.", each(lambda value: 2 * value)),
        Suspect("the values are half as large as the right ones: look for a factor 2.", each(lambda value: value / 2)),
        Suspect("the values have the wrong sign.", each(np.negative)),
        Suspect("each value is 1 minus the right one.", each(lambda value: 1 - value)),
        Suspect("each value is one over the right one.", each(np.reciprocal)),
        *unguarded(expected),
    ]


def unguarded(expected: Sequence[Plain]) -> list[Suspect]:
    """A division by zero where the value is 0/0."""
    message = "0/0 is not handled: look at the denominator first, and return nan or raise a ValueError where it is 0."

    def trace(test: int) -> Trace:
        return ZeroDivisionError if undefined(expected[test]) else expected[test]

    return [Suspect(message, trace)] if any(map(undefined, expected)) else []


def agrees(got: object, other: object) -> bool:
    """The same values, or an error of this type."""
    if isinstance(got, float | tuple) and isinstance(other, float | tuple):
        return close(got, other)
    return isinstance(got, type) and isinstance(other, type) and issubclass(got, other)
