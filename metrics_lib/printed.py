"""Judging a printed number by its last digit, as the book does with every number of its sources."""

import math
import re
from fractions import Fraction
from typing import Literal

from metrics_lib._arrays import invalid

__all__ = ["verdict"]

Verdict = Literal["exact", "rounded", "truncated", "rounded or truncated", "wrong", "missing"]
_NUMBER = re.compile(r"[+-]?\d+(?:\.(\d+)|/0*[1-9]\d*)?")


def verdict(printed: str, value: float | Fraction) -> Verdict:
    """Say whether a printed number is its value, or the value rounded or cut off where the print ends.

    Parameters
    ----------
    printed : str
        The number as printed: ``"0.38"``, ``"81.96%"``, ``"11/18"``, ``"3"``, or ``""`` where none is printed.
    value : int, float or Fraction
        What it should be; of a percentage the share, 0.8196 and not 81.96.

    Returns
    -------
    {'exact', 'rounded', 'truncated', 'rounded or truncated', 'wrong', 'missing'}
        ``'exact'`` if the number equals the value (a float: up to rounding errors); ``'rounded'`` if it is the value
        rounded to as many decimals, halves away from zero; ``'truncated'`` if further decimals were cut off;
        ``'rounded or truncated'`` if the two give the same number, so that the print cannot tell which was done;
        ``'missing'`` for an empty print; otherwise ``'wrong'``. Fractions and whole numbers are exact or wrong.

    Raises
    ------
    ValueError
        If ``printed`` is not a number or ``value`` is not finite.

    Examples
    --------
    >>> [verdict(printed, 2 / 3) for printed in ("2/3", "0.67", "0.66", "0.68", "")]
    ['exact', 'rounded', 'truncated', 'wrong', 'missing']
    >>> verdict("0.33", 1 / 3)
    'rounded or truncated'
    >>> verdict("81.96%", 6.86 / 8.37)
    'rounded'
    """
    if not math.isfinite(value):
        raise invalid("value", "a finite number", value)
    if not printed:
        return "missing"
    percent = printed.endswith("%")
    match = _NUMBER.fullmatch(printed.removesuffix("%").rstrip())
    if match is None:
        raise invalid("printed", "a decimal, a fraction or a percentage", repr(printed))
    number, true = Fraction(match[0]) / (100 if percent else 1), Fraction(value)
    if number == true or (isinstance(value, float) and math.isclose(number, value, rel_tol=1e-13)):
        return "exact"
    if match[1] is None:
        return "wrong"
    last = 10 ** (len(match[1]) + 2 * percent)
    half = Fraction(1 if true >= 0 else -1, 2)
    rounded = number * last == math.trunc(true * last + half)
    truncated = number * last == math.trunc(true * last)
    if rounded and truncated:
        return "rounded or truncated"
    return "rounded" if rounded else "truncated" if truncated else "wrong"
