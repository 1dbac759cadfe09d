"""Checking an open answer by what must be true of it, so that every right answer passes and not only ours."""

import itertools
import math
import re
import warnings
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import metrics_lib
from metrics_book.practice._values import wrapped

__all__ = ["tried"]

SHOWN = re.compile(r"\{(.+?):([^:{}\]]*)\}")  # an expression and its form
_KNOWN = {name: getattr(metrics_lib, name) for name in metrics_lib.__all__}
_KNOWN |= {"Fraction": Fraction, "itertools": itertools, "math": math, "np": np}


def tried(names: Mapping[str, Any], blanks: Iterable[str], checks: Iterable[tuple[str, str]]) -> bool:
    """Print whether an answer is right, or else the words of the first check that it fails.

    Parameters
    ----------
    names : mapping
        The answer: values by their names, such as ``globals()`` after it ran.
    blanks : iterable of str
        The names that the reader was to fill in, where three dots stood.
    checks : iterable of pairs of str
        An expression of these names, ``metrics_lib``, ``itertools``, ``math``, ``np`` and ``Fraction`` that is true for
        a right answer, and what to say if it is not; there, ``{sum(ranks):.3g}`` shows the value of an expression.

    Returns
    -------
    bool
        Whether the answer passes all checks.

    Examples
    --------
    >>> from metrics_book.practice.answers import tried
    >>> checks = [
    ...     ("len(ranks) == 2", "Give two ranks."),
    ...     ("sum(1 / r for r in ranks) / 2 == 0.5", "Their MRR is {sum(1 / r for r in ranks) / 2:.3g}."),
    ... ]
    >>> tried({"ranks": ...}, ["ranks"], checks)
    Nothing to check yet: fill in `ranks`, where the dots stand.
    False
    >>> tried({"ranks": [1, 2]}, ["ranks"], checks)
    Their MRR is 0.75.
    False
    >>> tried({"ranks": [2, 2]}, ["ranks"], checks)
    Right.
    True
    """
    known = {**names, **_KNOWN, **{name: names.get(name, ...) for name in blanks}}
    empty = [f"`{name}`" for name in blanks if _dots(known[name])]
    if empty:
        print(wrapped(f"Nothing to check yet: fill in {' and '.join(empty)}, where the dots stand."))
        return False
    for expression, said in checks:
        fault = _fault(expression, said, known)
        if fault:
            print(wrapped(fault))
            return False
    print("Right.")
    return True


def _dots(value: Any) -> bool:
    """Whether a value is three dots, or holds them."""
    if isinstance(value, list | tuple | set | dict):
        return any(map(_dots, value.values() if isinstance(value, dict) else value))
    return value is ...


def _fault(expression: str, said: str, known: dict[str, Any]) -> str:
    """What to say of one check; nothing if it is true."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            if eval(expression, known):
                return ""
            return SHOWN.sub(lambda part: format(eval(part[1], known), part[2]), said)
        except Exception as error:  # of an answer of another form: a text for a list, three numbers for two
            hint = "" if "{" in said else f"{said} "
            return f"{hint}(This answer cannot be used: {type(error).__name__}: {error})"
