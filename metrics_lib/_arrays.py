"""Validation shared by all modules: what a caller passed becomes an array, or an error that says what is wrong.

Every message has the form ``name: expected ..., got ...``.
"""

import math
import numbers
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Undefined = float | Literal["raise"]
UndefinedInMean = float | Literal["raise", "skip"]
Result = float | NDArray[np.float64]


class UndefinedMetricWarning(UserWarning):
    """The value returned is a convention, because the definition gives 0/0."""


def invalid(name: str, expected: str, got: object) -> ValueError:
    return ValueError(f"{name}: expected {expected}, got {got}")


def warn_undefined(message: str) -> None:
    """Warn at the line outside the library that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_LIBRARY):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UndefinedMetricWarning, stacklevel=level)


_LIBRARY = __file__.rpartition("_arrays")[0]


def as_numbers(values: ArrayLike, name: str, *, ndim: int | None = None, min_ndim: int = 1) -> NDArray[Any]:
    """A non-empty array of finite real numbers; booleans, integers and floats keep their type.

    Finiteness is tested on the smallest and the largest value: NaN wins both, and nothing is allocated.
    """
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise invalid(name, "an array of numbers", "lists of unequal lengths") from error
    if array.dtype.kind == "O" and all(isinstance(value, numbers.Real) for value in array.flat):
        array = array.astype(np.float64)
    if array.dtype.kind not in "buif":
        raise invalid(name, "an array of real numbers", f"dtype {array.dtype}")
    if ndim is not None and array.ndim != ndim:
        raise invalid(name, f"{ndim} dimension{'s' * (ndim > 1)}", f"shape {array.shape}")
    if array.ndim < min_ndim:
        raise invalid(name, f"at least {min_ndim} dimension{'s' * (min_ndim > 1)}", f"shape {array.shape}")
    if array.size == 0:
        raise invalid(name, "at least one value", f"shape {array.shape}")
    if array.dtype.kind == "f":
        for extreme in (array.min(), array.max()):
            if not math.isfinite(extreme):
                raise invalid(name, "finite numbers", extreme)
    return array


def as_floats(values: ArrayLike, name: str, *, ndim: int | None = None, min_ndim: int = 1) -> NDArray[np.float64]:
    """As `as_numbers`, converted to float64 (a copy only where the type differs)."""
    return as_numbers(values, name, ndim=ndim, min_ndim=min_ndim).astype(np.float64, copy=False)


def same_shape(first: NDArray[Any], first_name: str, second: NDArray[Any], second_name: str) -> None:
    if first.shape != second.shape:
        raise invalid(second_name, f"the shape of {first_name}, {first.shape}", second.shape)


def one_of(value: object, name: str, allowed: Sequence[object]) -> None:
    if not any(value is option or (isinstance(value, str) and value == option) for option in allowed):
        raise invalid(name, "one of " + ", ".join(map(repr, allowed)), repr(value))


def as_cutoff(k: int | None, length: int, name: str = "k") -> int:
    """The rank to cut at: ``k`` itself, which may exceed the list, or the length of the list for None."""
    if k is None:
        return length
    if isinstance(k, (bool, np.bool_)) or not isinstance(k, (int, np.integer)) or k < 1:
        raise invalid(name, "an integer of at least 1 or None", repr(k))
    return int(k)


def as_weights(values: ArrayLike | None, length: int, name: str = "sample_weight") -> NDArray[np.float64] | None:
    """One non-negative weight a sample, not all of them zero; None stays None."""
    if values is None:
        return None
    weights = as_floats(values, name, ndim=1)
    if len(weights) != length:
        raise invalid(name, f"{length} weights, one per sample", len(weights))
    if weights.min() < 0:
        raise invalid(name, "non-negative weights", weights.min())
    if weights.max() == 0:
        raise invalid(name, "at least one positive weight", "only zeros")
    return weights


def check_undefined(undefined: object, *, mean: bool = False) -> None:
    """Refuse what is neither a number nor one of the words."""
    words = ("raise", "skip") if mean else ("raise",)
    number = isinstance(undefined, numbers.Real) and not isinstance(undefined, bool)
    if not number and not (isinstance(undefined, str) and undefined in words):
        raise invalid("undefined", "a number, nan or " + " or ".join(map(repr, words)), repr(undefined))


def divide(
    numerator: NDArray[np.float64] | float,
    denominator: NDArray[np.float64] | float,
    *,
    undefined: Undefined,
    why: str,
) -> Result:
    """The quotient, with ``undefined`` in place of each division by zero and ``why`` as the error for "raise"."""
    check_undefined(undefined)
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    zero = denominator == 0
    if undefined == "raise":
        if zero.any():
            raise ValueError(why)
        return as_result(numerator / denominator)
    out = np.full(numerator.shape, undefined, dtype=np.float64)
    np.divide(numerator, denominator, out=out, where=~zero)
    return as_result(out)


def as_result(values: NDArray[np.float64]) -> Result:
    """A float for a single value, the array otherwise."""
    return values if values.ndim else float(values)


def mean_over_queries(metric: Callable[[Undefined], Result], undefined: UndefinedInMean) -> float:
    """The mean of a metric over its queries, where "skip" leaves out those without a value."""
    check_undefined(undefined, mean=True)
    if undefined != "skip":
        return float(np.mean(metric(undefined)))
    values = np.atleast_1d(metric(math.nan))
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def as_number_above(value: object, name: str, bound: float) -> float:
    """One finite real number greater than ``bound``."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise invalid(name, f"a number greater than {bound}", repr(value))
    if not bound < float(value) < math.inf:
        raise invalid(name, f"a finite number greater than {bound}", repr(value))
    return float(value)
