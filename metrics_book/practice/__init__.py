"""Checked exercises: write a metric by hand, and hear what went wrong.

``exercises`` lists them all, `exercise` gives one as a record, `task` says what to write, and `check` runs all
tests of a submission and names the usual mistake that gives its values. `hint` helps one step at a time, and
`approaches` shows correct solutions with their cost and their weak point. Nothing of this is imported with the library.
"""

import difflib
import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from metrics_book.practice._engine import Diagnosis, Stopped
from metrics_book.practice._exercise import Approach, Exercise
from metrics_book.practice._report import Report, Result, examine
from metrics_book.practice._sql import Query
from metrics_book.practice._values import short, wrapped
from metrics_book.practice.exercises import ALL

__all__ = ["Approach", "Diagnosis", "Exercise", "Report", "Result", "Stopped"]
__all__ += ["approaches", "check", "exercise", "exercises", "hint", "task"]

_BY_NAME = {one.name: one for one in ALL}
_HINTS_GIVEN = dict.fromkeys(_BY_NAME, 0)
T = TypeVar("T")


class Text(str):
    """Markdown that shows itself."""

    def __repr__(self) -> str:
        return str(self)

    _repr_markdown_ = __repr__


class Listing(tuple[T, ...]):
    """A tuple that shows itself as Markdown."""

    text: Text

    def __new__(cls, items: Iterable[T], text: str) -> "Listing[T]":
        listing = super().__new__(cls, items)
        listing.text = Text(text)
        return listing

    def __repr__(self) -> str:
        return self.text

    _repr_markdown_ = __repr__


def exercises() -> tuple[str, ...]:
    """List the names of the exercises.

    Returns
    -------
    tuple of str
        The names; shown with the titles.

    See Also
    --------
    task : What an exercise asks for.

    Examples
    --------
    >>> from metrics_book import practice
    >>> practice.exercises()[:3]
    ('auc', 'gauc', 'precision_recall_f1')
    """
    rows = [f"| `{one.name}` | {one.title} |" for one in ALL]
    return Listing(_BY_NAME, "\n".join(["| name | exercise |", "|---|---|", *rows]))


def exercise(name: str) -> Exercise:
    """One exercise as a record, for whoever makes a page of it.

    Parameters
    ----------
    name : str
        The name of an exercise.

    Returns
    -------
    Exercise
        Its ``title``, ``language``, ``signature``, ``answer`` (what the stub calls a submission), ``stub``, ``task``,
        ``rules``, ``hints`` and ``approaches``.

    Raises
    ------
    ValueError
        If there is no exercise of this name; the message lists them.

    Examples
    --------
    >>> from metrics_book import practice
    >>> practice.exercise("auc").signature
    'my_auc(y_true, y_score)'
    """
    if name in _BY_NAME:
        return _BY_NAME[name]
    near = difflib.get_close_matches(str(name), _BY_NAME, n=1)
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    raise ValueError(f"name: expected one of {', '.join(_BY_NAME)}, got {name!r}{meant}")


def task(name: str) -> str:
    """Say what to write: the signature, the arguments, the result and the conventions.

    Parameters
    ----------
    name : str
        The name of an exercise.

    Returns
    -------
    str
        The task as Markdown.

    Raises
    ------
    ValueError
        If there is no exercise of this name; the message lists them.

    Examples
    --------
    >>> from metrics_book import practice
    >>> practice.task("kl_divergence").splitlines()[3]
    'my_kl_divergence(p, q)'
    """
    one = exercise(name)
    head = [f"**{one.title[0].upper()}{one.title[1:]}**", "", f"```{one.language}", one.signature, "```", ""]
    return Text("\n".join([*head, *(f"- {line}" for line in (*one.task, one.rules))]))


def check(name: str, function: Callable[..., Any] | str, *, time_limit: float = 2.0) -> Report:
    """Run all tests of an exercise on a function or a query, and print what went wrong.

    Parameters
    ----------
    name : str
        The name of an exercise.
    function : callable or str
        The submission: a function that takes the arguments that ``task`` names by position, or, for ``"auc_sql"`` and
        ``"gauc_sql"``, the text of a query.
    time_limit : float, default 2.0
        Seconds allowed for each call.

    Returns
    -------
    Report
        ``passed``; ``failed``, the names of the tests that were not; ``results``, the outcome of each test in words;
        ``diagnosis``, what went wrong and how sure that is. ``str(report)`` is what was printed: what went wrong, the
        failed test with the fewest values in full, and the names of the others. ``report.details`` is the list of all.

    Raises
    ------
    ValueError
        If there is no exercise of this name (the message lists them), or ``time_limit`` is not a positive number.
    TypeError
        If ``function`` cannot be called with these arguments; for an exercise in SQL, if it is not a text.

    See Also
    --------
    hint : Help without the solution.
    approaches : Solutions.

    Notes
    -----
    Beside the named tests there are sixty random inputs, which are the same each time. Each call gets copies of the
    data. After a call that takes too long no more are made; it goes on in its thread, which ends with the kernel. A
    query can only read, and is ended. What a function prints and the warnings it gives are shown and count neither for
    nor against it. If all tests pass, longer and longer inputs show how the time grows.

    A value may be anything with ``__float__``: a real number, a NumPy scalar, a ``Decimal``, an array of no dimension;
    a group of values any sequence, array, pandas ``Series`` or iterator, but no set and no dictionary. Values are right
    if they differ by no more than 1e-9, relative to the larger one, or by 1e-12; those near single precision by no more
    than 1e-5 or 1e-6, and then the report says so.

    A mistake is an edit of a correct solution. It is named if its values are those of the submission and if it would
    not fail a test which the submission passes: with certainty if it alone explains all failed tests, and as what "may
    be" if it explains two thirds of them, or if several explain all. Tests in which the value is 0/0 are judged apart.
    What is seen and not inferred is said as it is: an endless loop, an error in every test, a text for a number, a
    value that is printed and not returned, too few values.

    Examples
    --------
    >>> from metrics_book import practice
    >>> def my_reciprocal_rank(rel, k):
    ...     return 1 / ((rel[:k] > 0).argmax() + 1)
    >>> report = practice.check("reciprocal_rank", my_reciprocal_rank)
    reciprocal_rank: 9 of 13 tests passed.
    It may be this: a list without a hit counts 1 here: argmax is 0 where
    nothing is true.
    <BLANKLINE>
      FAIL  no hit and k beyond the list
            call        my_reciprocal_rank([0, 0], 5)
            got         1
            expected    0
            why         The list ends before the cut: 0.
      FAIL  no hit
      FAIL  a hit just below the cut
      FAIL  random inputs
    <BLANKLINE>
    Help: practice.hint('reciprocal_rank')
    >>> report.failed
    ('no hit', 'a hit just below the cut', 'no hit and k beyond the list', 'random inputs')

    The text of a query:

    >>> my_auc = "SELECT AVG(p.score > n.score) FROM log AS p JOIN log AS n ON p.label > n.label"
    >>> practice.check("auc_sql", my_auc).mistakes  # doctest: +ELLIPSIS
    auc_sql: 7 of 12 tests passed.
    What went wrong: a tied pair counts as lost, as by > alone or by 1 / 2,
    which is 0 in integers; it counts one half.
    ...
    """
    one = exercise(name)
    if not time_limit > 0:
        raise ValueError(f"time_limit: expected a positive number, got {time_limit!r}")
    report = examine(one, _submitted(one, function, time_limit), time_limit)
    with suppress(OSError, ValueError):  # nobody listens if the output is closed
        print(report)
    return report


def hint(name: str) -> None:
    """Print the next hint; after the last one, say so and begin again.

    Parameters
    ----------
    name : str
        The name of an exercise.

    Raises
    ------
    ValueError
        If there is no exercise of this name; the message lists them.

    Examples
    --------
    >>> from metrics_book import practice
    >>> practice.hint("kl_divergence")
    hint 1 of 3: The weights are those of the truth, p; the logarithm
    compares truth with belief, p / q.
    """
    hints = exercise(name).hints
    given = _HINTS_GIVEN[name]
    _HINTS_GIVEN[name] = (given + 1) % (len(hints) + 1)
    if given == len(hints):
        print(wrapped(f"There are no more hints. practice.approaches({name!r}) shows solutions."))
    else:
        print(wrapped(f"hint {given + 1} of {len(hints)}: {hints[given]}"))


def approaches(name: str) -> tuple[Approach, ...]:
    """Show correct solutions: the idea, the cost, the weak point and the source.

    Parameters
    ----------
    name : str
        The name of an exercise.

    Returns
    -------
    tuple of Approach
        Shown as Markdown; each has its ``function``, ``idea``, ``complexity`` and ``failure``.

    Raises
    ------
    ValueError
        If there is no exercise of this name; the message lists them.

    Examples
    --------
    >>> from metrics_book import practice
    >>> for approach in practice.approaches("gauc"):
    ...     print(approach.function.__name__, "-", approach.complexity)
    gauc_by_dictionary - O(n) to collect, then the sum of P N over the groups
    gauc_by_sorting - O(n log n) time, O(n) memory
    """
    found = exercise(name).approaches
    return Listing(found, "\n\n".join(map(str, found)))


def _submitted(one: Exercise, function: object, limit: float) -> Callable[..., Any]:
    """The function, or the text as one; an error if it is not what the exercise asks for."""
    kind, is_text = type(function).__name__, isinstance(function, str)
    if one.language == "sql" and is_text:
        query = Query(one.name, one.parameters, str(function))
        query.limit = limit
        return query
    if one.language == "sql" or not callable(function) or is_text:
        wanted = "the text of a query" if one.language == "sql" else f"the function {one.signature} itself"
        raise TypeError(f"function: expected {wanted}, got {short(repr(function), 60)} of type {kind}")
    try:
        takes = inspect.signature(function)
    except ValueError:  # some compiled functions do not tell
        return function
    try:
        takes.bind(*one.parameters.split(", "))
    except TypeError:
        raise TypeError(f"function: expected {one.signature}, got a function of {takes}") from None
    return function
