"""Run a submission on the cases of an exercise, compare with the library, and find what went wrong."""

import io
import linecache
import math
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from metrics_book.practice._exercise import Case, Exercise, Function
from metrics_book.practice._sql import QueryError
from metrics_book.practice._values import (
    NotNumbersError,
    Plain,
    close,
    is_finite,
    numbers,
    plain,
    same_shape,
    shape,
    short,
    shown,
    size,
    trace,
    undefined,
)

CLOCK = getattr(time, "thread_time", time.perf_counter)  # of this thread, where there are threads
THREADS = sys.platform != "emscripten"
LEAST = 0.004 if THREADS else 0.05  # seconds that tell something of the cost
LONGEST = 60.0  # seconds for a million rows: more is worth a note
LONGEST_IMPORT = 30.0
ENOUGH = 0.1  # seconds for a call that tells of the cost: no longer one is made
HERE = (str(Path(__file__).parent), str(Path(np.__file__).parent))


class Stopped(BaseException):
    """Raised by whoever runs Python in a page, within a submission whose time is over."""


# ---- one call ---------------------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """What one call came to: a value, or the name of an error, or neither; in words what it is if it is no value."""

    value: Plain | None = None
    error: str = ""
    refused: bool = False  # by a ValueError
    said: str = ""
    changed: bool = False
    late: bool = False
    printed: str = ""
    warned: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def trace(self) -> Any:
        return self.error or self.value


def timed(work: Callable[[], None], limit: float) -> bool:
    """Do the work in a thread and wait; tell whether it ended. In a page there are no threads: it ends the worker."""
    if not THREADS:
        work()
        return True
    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(limit)
    if thread.is_alive() and importing(thread):  # which takes its time, and only once
        thread.join(LONGEST_IMPORT)
    return not thread.is_alive()


def importing(thread: Thread) -> bool:
    frame = sys._current_frames().get(thread.ident or 0)
    while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def fresh(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(fresh, value))
    return np.copy(value) if isinstance(value, np.ndarray) else value


def same(one: Any, other: Any) -> bool:
    if isinstance(other, list):
        return isinstance(one, list) and len(one) == len(other) and all(map(same, one, other))
    if not isinstance(other, np.ndarray):
        return True
    return one.dtype == other.dtype and one.shape == other.shape and bool(np.all((one == other) | (one != one)))


def run(function: Function, case: Case, limit: float) -> Outcome:
    """Call the function with copies of the arguments."""
    outcome, printed = Outcome(), io.StringIO()
    arguments = fresh(list(case.arguments))

    def work() -> None:
        begin = CLOCK()
        try:
            outcome.value = plain(function(*arguments))
        except NotNumbersError as error:
            outcome.said = str(error)
        except (TimeoutError, Stopped):
            outcome.late = True
        except BaseException as error:
            outcome.error, outcome.refused = type(error).__name__, isinstance(error, ValueError)
            outcome.said = str(error) if isinstance(error, QueryError) else raised(error)
        outcome.seconds = CLOCK() - begin
        outcome.changed = not all(map(same, arguments, case.arguments))

    with redirect_stdout(printed), redirect_stderr(printed), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome.late = not timed(work, limit) or outcome.late
    outcome.printed = short(printed.getvalue())
    outcome.warned = tuple(f"{one.category.__name__}: {one.message}" for one in caught[:100])
    return outcome


def raised(error: BaseException) -> str:
    """The error, and the line of the submission that led to it."""
    text = short(f"{type(error).__name__}: {error}".rstrip(": "), 200)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(HERE)]
    line = frames[-1].line or linecache.getline(frames[-1].filename, frames[-1].lineno or 0) if frames else ""
    return f"{text} (line {frames[-1].lineno}: {line.strip()})" if line else text


def passes(outcome: Outcome, expected: Any) -> bool:
    if outcome.value is None or outcome.late:
        return undefined(expected) and outcome.refused
    return close(outcome.value, expected) or (undefined(expected) and all(map(math.isnan, numbers(outcome.value))))


# ---- what went wrong --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Diagnosis:
    """Lines to say, and how sure they are: passed, seen, certain, may be, unknown."""

    sure: str
    lines: tuple[str, ...]


Suspect = tuple[str, Callable[[int], Any]]  # what is said of it, and what it gives in each test


def general(expected: Sequence[Any]) -> list[Suspect]:
    """Mistakes that can be made in every exercise, as changes of the right values."""
    changes: dict[str, list[Callable[[Any], Any]]] = {
        "the values are percentages; return fractions.": [lambda v: 100 * v],
        "the values are rounded; return all digits.": [partial(np.round, decimals=d) for d in range(2, 7)],
        "the values are cut to whole numbers.": [np.trunc],
        "the values are twice the right ones: look for a factor 2.": [lambda v: 2 * v],
        "the values are half the right ones: look for a factor 2.": [lambda v: v / 2],
        "the values have the wrong sign.": [np.negative],
        "each value is 1 minus the right one.": [lambda v: 1 - v],
        "each value is one over the right one.": [np.reciprocal],
    }

    def changed(way: Callable[[Any], Any]) -> Callable[[int], Any]:
        return lambda test: trace(way, (np.array(expected[test], dtype=float),))

    return [(message, changed(way)) for message, ways in changes.items() for way in ways]


def diagnose(exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> Diagnosis:
    """First what is plain, then the one mistake that explains every failed test, else several or most of them.

    Tests where the value is 0/0 are judged apart, so that no mistake needs a second one beside it. The tests with the
    fewest values come first: most suspects are out after one of them.
    """
    expected = exercise.expected[: len(outcomes)]
    fine = [passes(outcome, right) for outcome, right in zip(outcomes, expected, strict=True)]
    order = sorted(range(len(outcomes)), key=lambda test: size(cases[test].arguments))
    failed = [test for test in order if not fine[test] and not undefined(expected[test])]
    right = [test for test in order if fine[test] and not undefined(expected[test])]
    if seen := plain_fact(expected, outcomes):
        return Diagnosis("seen", (seen,))
    zeros = zero_fact(exercise, expected, outcomes, fine)
    if not failed:
        return Diagnosis("certain" if zeros else "passed", zeros)

    def names(suspects: Iterable[Suspect]) -> dict[str, int]:
        """Of those that fail no test which is passed: how many of the failed tests they explain."""
        found: dict[str, int] = {}
        for message, given in suspects:
            explained, most = 0, len(failed) / 3
            for number, test in enumerate(failed):
                explained += close(outcomes[test].trace, given(test))
                if number + 1 - explained > most:
                    break
            else:
                if all(close(given(test), expected[test]) for test in right):
                    found[message] = max(explained, found.get(message, 0))
        return found

    values = {outcomes[test].trace for test in failed}
    telling = len(failed) > 1 and (len(values) > 1 or not is_finite(values.pop()))

    def traced(mutant: Function) -> Callable[[int], Any]:
        return lambda test: trace(mutant, cases[test].arguments)

    own = [(message, traced(mutant)) for message, mutant in exercise.suspects]
    for suspects in (own, general(expected)):
        found = names(suspects)
        whole = [message for message, number in found.items() if number == len(failed)]
        if len(whole) == 1 and telling:
            return Diagnosis("certain", (f"What went wrong: {whole[0]}", *zeros))
        if whole:
            return Diagnosis("may be", (*(f"It may be this: {message}" for message in whole[:3]), *zeros))
        first = outcomes[failed[0]].value
        if first is not None and all(close(outcomes[test].value, first) for test in (*failed, *right)):
            nan = exercise.language == "sql" and undefined(first)
            value = "NULL" if nan else shown(first)
            return Diagnosis("seen", (f"The result is {value} whatever the arguments.", *zeros))
        best = max(found.values(), default=0)
        if best > 1:
            some = [message for message, number in found.items() if number == best][:3]
            lines = (f"It may be this, in {best} of {len(failed)} failed tests: {message}" for message in some)
            return Diagnosis("may be", (*lines, *zeros))
    if all(outcomes[test].value is None for test in failed):
        said = {"nothing" if outcomes[test].said == "nothing" else outcomes[test].error for test in failed}
        if len(said) == 1:
            return Diagnosis("seen", (f"Each failed test gives {outcomes[failed[0]].said}.", *zeros))
    if different := unlike(expected, outcomes):
        return Diagnosis("seen", (different, *zeros))
    if all(close(outcomes[test].trace, expected[test], 1e-4, 1e-6) for test in failed):
        digits = "the first digits are right. Compute in float64, and add no small number."
        return Diagnosis("may be", (f"It may be this: {digits}", *zeros))
    return Diagnosis("unknown", ("No usual mistake gives these values.", *zeros))


def plain_fact(expected: Sequence[Any], outcomes: Sequence[Outcome]) -> str:
    """What can be seen without any guess, if it is so in all tests."""
    if any(outcome.late for outcome in outcomes):
        return "No result in time: a loop does not end, or is far too slow."
    defined = [outcome for outcome, right in zip(outcomes, expected, strict=True) if not undefined(right)]
    said = [outcome.said for outcome in defined]
    if all(text == "nothing" for text in said):
        printed = next((outcome.printed for outcome in outcomes if outcome.printed), "")
        if printed:
            return f"It prints ({printed}) and returns nothing: write return in the place of print."
        return "Nothing is returned: is the return missing?"
    if all(outcome.error for outcome in defined):
        return f"Every test ends in an error: {said[0]}"
    if all(said):
        return f"The result is {said[0]}."
    return ""


def unlike(expected: Sequence[Any], outcomes: Sequence[Outcome]) -> str:
    """A wrong shape in all tests."""
    pairs = [(o.value, r) for o, r in zip(outcomes, expected, strict=True) if o.value is not None and not undefined(r)]
    if not pairs or any(same_shape(*pair) for pair in pairs):
        return ""
    return f"The result is {shape(pairs[0][0])}; the task asks for {shape(pairs[0][1])}."


def zero_fact(
    exercise: Exercise, expected: Sequence[Any], outcomes: Sequence[Outcome], fine: Sequence[bool]
) -> tuple[str, ...]:
    """What comes where the value is 0/0, if it should not."""
    wrong = [o for o, r, ok in zip(outcomes, expected, fine, strict=True) if undefined(r) and not ok]
    if not wrong:
        return ()
    got = wrong[0].said or shown(wrong[0].value)
    wanted = "return NULL" if exercise.language == "sql" else "return nan or raise a ValueError"
    return (f"What went wrong: where {exercise.zero}, the value is 0/0, and yours is {got}; {wanted}.",)


# ---- how the time grows -----------------------------------------------------------------------------------------


def growth(exercise: Exercise, function: Function, limit: float) -> tuple[str, Case | None]:
    """More and more rows until it takes long: a word on the cost, or the first input whose value is wrong."""
    rows, before = 0, Case("", (), "")
    for n in exercise.sizes:
        case = Case(f"{n:,} rows", exercise.draw(np.random.default_rng(n), n), "Long inputs have the same definition.")
        outcome = run(function, case, limit)
        if outcome.late or outcome.error:
            what = f"take more than {limit:g} s" if outcome.late else f"end in {outcome.said}"
            return f"Right, but not for long inputs: {n:,} rows {what}.", None
        if not passes(outcome, trace(exercise.right, case.arguments)):
            return "", case
        million = outcome.seconds * (1e6 / n) ** 2
        if rows and million > LONGEST and outcome.seconds > LEAST:  # look again, as other work disturbs the clock
            times = [[run(function, each, limit).seconds for each in (before, case)] for _ in range(3)]
            first, second = map(min, zip(*times, strict=True))
            if second > LEAST and math.log(second / max(first, 1e-5), n / rows) > 1.6:
                took = f"{rows:,} rows take {first:.2g} s and {n:,} rows {second:.2g} s"
                whole = in_words(second * (1e6 / n) ** 2)
                return f"Right, but quadratic: {took}. At this rate a million take {whole}.", None
        if 16 * outcome.seconds > ENOUGH:
            break
        rows, before = n, case
    return "", None


def in_words(seconds: float) -> str:
    return f"{seconds / 3600:.0f} hours" if seconds > 7200 else f"{seconds / 60:.0f} minutes"
