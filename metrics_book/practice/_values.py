"""Values as plain numbers: reading, comparing and showing them."""

import math
import textwrap
import warnings
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np

Plain = float | tuple["Plain", ...]

WIDTH = 72
MOST_VALUES = 1_000_000


class NotNumbersError(Exception):
    """What came is neither a number nor a sequence of numbers; the message says what it is."""


def plain(value: Any, depth: int = 0) -> Plain:
    """A float, or a tuple of them, of whatever holds real numbers in an order."""
    if hasattr(type(value), "__array__"):  # of NumPy, pandas and others
        if np.ma.is_masked(value):
            raise NotNumbersError("a masked value")
        value = np.asarray(value).tolist()
    if value is None or value is Ellipsis:
        raise NotNumbersError("nothing")
    kind = type(value).__name__
    if isinstance(value, str | bytes | complex) or (isinstance(value, bool) and depth == 0):
        raise NotNumbersError(f"{short(repr(value))}, of type {kind} and not a number")
    if hasattr(type(value), "__float__"):
        return float(value)
    if isinstance(value, dict | set | frozenset) or not hasattr(type(value), "__iter__") or depth > 4:
        raise NotNumbersError(f"an object of type {kind} and not a number")
    return tuple(plain(part, depth + 1) for part in islice(value, MOST_VALUES))


def close(got: Any, expected: Any, relative: float = 1e-9, absolute: float = 1e-12, single: bool = True) -> bool:
    """Equal up to rounding, which in single precision comes sooner; nan only where the other is."""
    if isinstance(got, tuple) and isinstance(expected, tuple):
        return len(got) == len(expected) and all(
            close(a, b, relative, absolute, single) for a, b in zip(got, expected, strict=True)
        )
    if not (isinstance(got, float) and isinstance(expected, float)):
        return isinstance(got, str) and got == expected  # the same error
    if single and not got.is_integer() and float(np.float32(got)) == got:
        relative, absolute = max(relative, 1e-5), max(absolute, 1e-6)
    return math.isclose(got, expected, rel_tol=relative, abs_tol=absolute) or (math.isnan(got) and math.isnan(expected))


def numbers(value: Any) -> list[float]:
    return [number for part in value for number in numbers(part)] if isinstance(value, tuple) else [value]


def undefined(value: Any) -> bool:
    """Whether this is 0/0, at least in part."""
    return any(map(math.isnan, numbers(value)))


def is_finite(value: Any) -> bool:
    return not isinstance(value, str | None) and all(map(math.isfinite, numbers(value)))


def same_shape(got: Any, expected: Any) -> bool:
    if not (isinstance(got, tuple) and isinstance(expected, tuple)):
        return isinstance(got, tuple) == isinstance(expected, tuple)
    return len(got) == len(expected) and all(map(same_shape, got, expected))


def trace(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """What a function of this package gives: a value, or the name of an error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return plain(function(*arguments))
        except Exception as error:
            return type(error).__name__


def size(value: Any) -> int:
    """How many values arguments hold."""
    return sum(map(size, value)) if isinstance(value, tuple | list) else int(np.size(value))


def shape(value: Any) -> str:
    """How many values these are, in words."""
    if not isinstance(value, tuple):
        return "one number"
    inner = [str(len(part)) for part in value if isinstance(part, tuple)]
    few = f"{len(value)} {'sequence' if inner else 'value'}{'s' * (len(value) != 1)}"
    return f"{few} of {' and '.join(inner)} values" if 0 < len(inner) < 4 else few


def short(text: str, length: int = 100) -> str:
    text = " ".join(text[:2000].split())
    return text if len(text) <= length else f"{text[: length - 4]} ..."


def shown(value: Any, digits: int = 6) -> str:
    """Numbers in so many digits, long sequences by their beginning and their length."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(value, list | tuple):
        parts = [shown(part, digits) for part in value[: 10 if len(value) <= 10 else 4]]
        return f"[{', '.join(parts + ([] if len(value) <= 10 else [f'... {len(value)} values']))}]"
    return f"{value:.{digits}g}" if isinstance(value, float) else short(repr(value))


def wrapped(text: str, margin: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
