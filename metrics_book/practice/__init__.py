"""Checked exercises: write a metric by hand, and hear what went wrong.

Twenty exercises in the order in which interviews ask for them. ``task`` says what to write, `check` runs all tests
of a submission and names the usual mistake that gives its values, `hint` helps one step at a time, and `approaches`
shows correct solutions with their cost and their weak point. Nothing of this is imported with the library itself.
"""

import difflib
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from metrics_book.practice import _distributions, _labels, _queries, _rankings, _scores, _uncertainty
from metrics_book.practice._engine import (
    Approach,
    Exercise,
    Listing,
    Report,
    Result,
    Text,
    examine,
    kind,
    listed,
    words,
    wrapped,
)
from metrics_book.practice._queries import QueryExercise
from metrics_lib._arrays import as_number_above, invalid

__all__ = ["Approach", "Report", "Result", "approaches", "check", "exercises", "hint", "task"]

_DEMAND = (
    "auc",
    "gauc",
    "precision_recall_f1",
    "ndcg_at_k",
    "average_precision",
    "reciprocal_rank",
    "macro_micro_f1",
    "hit_rate",
    "log_loss",
    "perplexity",
    "kl_divergence",
    "expected_reciprocal_rank",
    "intra_list_similarity",
    "roc_points",
    "auc_by_histogram",
    "auc_sql",
    "gauc_sql",
    "cohen_kappa",
    "expected_calibration_error",
    "bootstrap_interval",
)
_MODULES = (_labels, _scores, _queries, _rankings, _distributions, _uncertainty)
_BY_NAME: dict[str, Exercise] = {exercise.name: exercise for module in _MODULES for exercise in module.EXERCISES}
_EXERCISES = {name: _BY_NAME[name] for name in _DEMAND}
_HINTS_GIVEN = dict.fromkeys(_DEMAND, 0)


def exercises() -> tuple[str, ...]:
    """List the names of the exercises, the one that is asked for most first.

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
    width = max(map(len, _EXERCISES)) + 2
    lines = [f"{name:{width}}{exercise.title}" for name, exercise in _EXERCISES.items()]
    rows = [f"| `{name}` | {exercise.title} |" for name, exercise in _EXERCISES.items()]
    text = Text("\n".join(lines), "\n".join(["| name | exercise |", "|---|---|", *rows]))
    return Listing(_EXERCISES, text)


def task(name: str) -> str:
    """Say what to write: the signature, the arguments, the result and the conventions.

    Parameters
    ----------
    name : str
        The name of an exercise.

    Returns
    -------
    str
        The task; shown as it is, in a notebook as Markdown.

    Raises
    ------
    ValueError
        If there is no exercise of this name; the message lists them.

    Examples
    --------
    >>> from metrics_book import practice
    >>> practice.task("reciprocal_rank")
    reciprocal_rank: reciprocal rank of one query (倒数排名)
    <BLANKLINE>
      my_reciprocal_rank(rel, k)
    <BLANKLINE>
    - rel holds the relevance of the items of one list in ranked order,
      best-ranked first; ranks start at 1.
    - An item is relevant if its value is greater than 0: 0.5 is relevant,
      -1 is not. The value plays no other part.
    - k, at least 1, is the number of ranks to look at.
    - Return one number: one over the rank of the first relevant item among
      the first k.
    - No relevant item in the first k: 0.
    - k beyond the list: look at the whole list.
    - Arguments come by position and, unless single numbers, as NumPy
      arrays. Leave them as they are. Results are compared to nine digits.
    """
    exercise = _exercise(name)
    lines = [*exercise.task, exercise.rules]
    plain = [f"{name}: {exercise.title}", "", f"  {exercise.signature}", "", *map(listed, lines)]
    markdown = [
        f"**{exercise.title[0].upper()}{exercise.title[1:]}**",
        "",
        f"```{exercise.language}",
        exercise.signature,
        "```",
        "",
    ]
    return Text("\n".join(plain), "\n".join([*markdown, *(f"- {line}" for line in lines)]))


def check(name: str, function: Callable[..., Any] | str, *, time_limit: float = 2.0) -> Report:
    """Run all tests of an exercise on a function or a query, and print what went wrong.

    Parameters
    ----------
    name : str
        The name of an exercise.
    function : callable or str
        The submission: anything that can be called with the arguments that ``task`` names, or, for ``"auc_sql"`` and
        ``"gauc_sql"``, the text of a query.
    time_limit : float, default 2.0
        Seconds allowed for each test.

    Returns
    -------
    Report
        ``passed``; ``failed``, the names of the tests that were not; ``results``, the outcome of each test in words.
        ``str(report)`` is what was printed: what went wrong, the failed test with the fewest values in full, and the
        names of the others. ``report.details`` is the full list of all tests.

    Raises
    ------
    ValueError
        If there is no exercise of this name (the message lists them), or ``time_limit`` is not a positive number.
    TypeError
        If ``function`` cannot be called, or not with these arguments; for an exercise in SQL, if it is no text.

    See Also
    --------
    hint : Help without the solution.
    approaches : Solutions.

    Notes
    -----
    No test is skipped because another one failed, except that after two calls which take too long no more are made.
    Each call gets copies of the data and runs in a thread of its own, and its result is read there as well. After the
    time limit it is stopped by an exception; a call that cannot be stopped so, because it catches everything or stays
    within compiled code, is left behind. Compiled code that never lets another thread run, such as
    ``sum(itertools.count())``, can be ended only from outside. The time of an import does not count, and none is
    interrupted: the module would stay broken.

    After a check the seeds of ``random`` and ``numpy.random``, the working directory, the limit of recursion and the
    names in ``math``, ``random``, ``numpy`` and the builtins are what they were before. Everything else that a function
    changes stays changed: its own globals, other modules, files, the environment. A thread that it started or that was
    left behind goes on, and what it prints later is printed.

    A query is run by ``sqlite3``, on a new table in memory for each test. It can only read: one SELECT (or WITH, or
    VALUES), and no other statement. It is stopped at the time limit like a function.

    What the function prints and the warnings it gives are shown and count neither for nor against it. A value may be
    anything with ``__float__``: a real number, a NumPy scalar, a ``Decimal``, an array of no dimension; a group of
    values any sequence, array, pandas ``Series`` or iterator of up to 10,000 values, but no set and no dictionary.
    Values are right if they differ by no more than 1e-9, relative to the larger one, or by 1e-12; numbers of single
    precision by no more than 1e-5 or 1e-6.

    Usual mistakes are made of factors, such as how ties count, what divides, where the list is cut and what 0/0 gives:
    one choice that is right, and several that are not. A mistake is named if its values are those of the submission in
    all failed tests, and if it would not fail a test which the submission passes. The name is certain only if no other
    single mistake explains as much. If several do, or only two mistakes at once, or one explains two thirds of the
    failed tests and not all, it "may be" this one. What is seen and not inferred is said as it is: a result that is the
    same for all arguments, too few values, a missing return.

    Examples
    --------
    >>> from metrics_book import practice
    >>> def my_reciprocal_rank(rel, k):
    ...     return 1 / ((rel[:k] > 0).argmax() + 1)
    >>> report = practice.check("reciprocal_rank", my_reciprocal_rank)
    reciprocal_rank: 9 of 12 tests passed.
    What went wrong: a list without a hit counts 1 here: argmax is 0 where
    nothing is true.
    <BLANKLINE>
      FAIL  no hit and k beyond the list
            call        my_reciprocal_rank([0, 0], 5)
            got         1
            expected    0
            why         The list ends before the cut: 0.
      FAIL  no hit
      FAIL  a hit just below the cut
    <BLANKLINE>
    Help: practice.hint('reciprocal_rank')
    >>> report.failed
    ('no hit', 'a hit just below the cut', 'no hit and k beyond the list')

    The text of a query:

    >>> my_auc = "SELECT AVG(p.score > n.score) FROM log AS p JOIN log AS n ON p.label > n.label"
    >>> report = practice.check("auc_sql", my_auc)
    auc_sql: 7 of 12 tests passed.
    What went wrong: a tied pair counts as lost, as by > alone or by 1 / 2,
    which is 0 in integers; it counts one half.
    <BLANKLINE>
      FAIL  equal scores
            table       log(label, score): (1, 0.8), (1, 0.6), (1, 0.6), (0,
                        0.6), (0, 0.4)
            got         0.666667
            expected    0.833333
            why         Two of the six pairs tie, and each counts one half.
      FAIL  the same rows in another order
      FAIL  a constant score, positives first
      FAIL  a constant score, negatives first
      FAIL  400 rows
    <BLANKLINE>
    Help: practice.hint('auc_sql')
    """
    exercise = _exercise(name)
    submission = _submitted(exercise, function)
    report = examine(exercise, submission, as_number_above(time_limit, "time_limit", 0))
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
    hints = _exercise(name).hints
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
        Shown as text; each has its ``function``, ``idea``, ``complexity`` and ``failure``.

    Raises
    ------
    ValueError
        If there is no exercise of this name; the message lists them.

    Examples
    --------
    >>> from metrics_book import practice
    >>> for approach in practice.approaches("auc"):
    ...     print(approach.function.__name__, "-", approach.complexity)
    auc_by_pairs - O(P N) time and memory for P positives and N negatives
    auc_by_sorting - O(n log n) time, O(n) memory
    auc_by_ranks - O(n log n) time, O(n) memory, no loop in Python
    """
    found = _exercise(name).approaches
    markdown = "\n\n".join(approach._repr_markdown_() for approach in found)
    return Listing(found, Text("\n\n".join(map(str, found)), markdown))


def _submitted(exercise: Exercise, function: object) -> Callable[..., Any]:
    """The function, or the text as one; an error if it is not what the exercise asks for."""
    is_text = issubclass(type(function), str)
    if isinstance(exercise, QueryExercise):
        if is_text:
            return exercise.query(str(function))
        expected = f"the text of a query, which {exercise.name} asks for"
    elif is_text:
        expected = f"{exercise.signature} itself; the text of a query is for auc_sql and gauc_sql"
    elif callable(function):
        return function
    else:
        expected = f"{exercise.signature} itself, not its result"
    raise TypeError(f"function: expected {expected}, got {words(function, repr)} of type {kind(function)}")


def _exercise(name: str) -> Exercise:
    if isinstance(name, str) and name in _EXERCISES:
        return _EXERCISES[name]
    near = difflib.get_close_matches(str(name), _DEMAND, n=1)
    meant = f" (did you mean {near[0]!r}?)" if near else ""
    raise invalid("name", "one of " + ", ".join(_DEMAND), f"{name!r}{meant}")
