"""Judging a printed number by its last digit, as the book does with every number of its sources."""

import math
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from numbers import Rational, Real
from typing import Literal

from metrics_lib._arrays import invalid

__all__ = ["Table", "compare", "verdict"]

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
    if not isinstance(printed, str):
        raise invalid("printed", "text", repr(printed))
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


class Table:
    """Rows under a head, which a notebook shows as a table and a terminal as aligned text.

    Parameters
    ----------
    head : sequence of str
        The name of each column.
    rows : iterable of sequences
        The cells of each row, as many as the head has names; the first cell is the head of its row. Text, whole numbers
        and fractions are shown as they are, floats rounded to as many decimals as ``digits`` says.
    digits : int, default 6
        The decimals of a float.

    Raises
    ------
    ValueError
        If the head is empty, a row has more or fewer cells than it, or ``digits`` is no whole number from 0.

    Examples
    --------
    >>> Table(["rank", "discount"], [(1, 1.0), (2, 0.6309297)])
    rank  discount
       1  1.000000
       2  0.630930
    """

    def __init__(self, head: Sequence[str], rows: Iterable[Sequence[object]], *, digits: int = 6) -> None:
        if isinstance(head, str) or not len(head):
            raise invalid("head", "a list of the name of a column or more", repr(head))
        if isinstance(digits, bool) or not isinstance(digits, int) or digits < 0:
            raise invalid("digits", "a whole number from 0", repr(digits))
        self.head = [str(name) for name in head]
        self.rows = [[f"{cell:.{digits}f}" if _is_decimal(cell) else str(cell) for cell in row] for row in rows]
        for row in self.rows:
            if len(row) != len(self.head):
                raise invalid("rows", f"{len(self.head)} cells in each row, as in head", f"{len(row)} in {row}")

    def __repr__(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]
        lines = [
            [cell.rjust(width) for cell, width in zip(row, widths, strict=True)] for row in [self.head, *self.rows]
        ]
        return "\n".join("  ".join(line) for line in lines)

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(name)}</th>' if name else "<td></td>" for name in self.head)
        rows = [
            f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in row[1:])}</tr>'
            for row in self.rows
        ]
        return f'<table class="table numbers"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _is_decimal(cell: object) -> bool:
    """Whether a cell is a float of Python or NumPy, and no whole number or fraction."""
    return isinstance(cell, Real) and not isinstance(cell, Rational)


def compare(rows: Iterable[tuple[str, str, float | Fraction]]) -> Table:
    """Set printed numbers beside their values, with a verdict on each.

    Parameters
    ----------
    rows : iterable of (str, str, number)
        What is printed, as which number (as `verdict` takes it), and its value. A percentage is shown in percent.

    Returns
    -------
    Table
        What, printed, computed and verdict; computed are three decimals more than printed, at least six.

    Raises
    ------
    ValueError
        If a row is no triple, or `verdict` refuses its number.

    Examples
    --------
    >>> compare([("two thirds", "0.66", 2 / 3), ("NDCG", "81.96%", 6.85 / 8.37)])
          what  printed    computed    verdict
    two thirds     0.66    0.666667  truncated
          NDCG   81.96%  81.839904%      wrong
    """
    cells = []
    for row in rows:
        if len(row) != 3:
            raise invalid("rows", "(what, printed, value) in each row", repr(row))
        what, printed, value = row
        judged = verdict(printed, value)
        cells.append((what, printed or "nothing", _to_digits(printed, value), judged))
    return Table(["what", "printed", "computed", "verdict"], cells)


def _to_digits(printed: str, value: float | Fraction) -> str:
    """A value to three decimals more than the print has, at least six, in percent if that is."""
    percent = printed.endswith("%")
    digits = max(6, len(printed.removesuffix("%").partition(".")[2]) + 3)
    if isinstance(value, Rational) and value.denominator == 1 and not percent:
        return str(value)
    return f"{float(value) * (100 if percent else 1):.{digits}f}{'%' * percent}"
