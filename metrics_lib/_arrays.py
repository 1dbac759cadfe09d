"""Validation shared by all modules: what a caller passed becomes an array, or an error that says what is wrong.

Every message has the form ``name: expected ..., got ...``.
"""

import math
import numbers
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Literal, TypeGuard, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

Undefined = float | Literal["raise"]
UndefinedInMean = float | Literal["raise", "skip"]
PosLabel = float | str | bool | None

TARGETS = ("y_true", "y_pred")
_INT64 = np.iinfo(np.int64)


class UndefinedMetricWarning(UserWarning):
    """The value returned is a convention, because the definition gives 0/0."""


def invalid(name: str, expected: str, got: object) -> ValueError:
    shown = str(got)
    return ValueError(f"{name}: expected {expected}, got {shown if len(shown) <= 200 else shown[:197] + '...'}")


def warn_undefined(message: str) -> None:
    """Warn at the line outside the library that led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_LIBRARY):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, UndefinedMetricWarning, stacklevel=level)


_LIBRARY = __file__.rpartition("_arrays")[0]


def as_numbers(
    values: ArrayLike, name: str, *, ndim: int | None = None, min_ndim: int = 1, finite: bool = True
) -> NDArray[Any]:
    """A non-empty array of finite real numbers; booleans, integers and floats keep their type, long doubles too.

    Finiteness is tested on the smallest and the largest value: NaN wins both, and nothing is allocated. With
    ``finite=False`` it is not tested: the caller sees it by what it computes, and asks again only if that is amiss.
    """
    array = as_array(values, name, "numbers")
    if array.dtype.kind not in "buif":
        array = _of_objects(array, name) if array.dtype.kind == "O" else array
        if array.dtype.kind not in "buif":
            raise invalid(name, "an array of real numbers", _kind_of(values, array))
    if ndim is not None and array.ndim != ndim:
        raise invalid(name, _dimensions(ndim), f"shape {array.shape}")
    if array.ndim < min_ndim:
        raise invalid(name, f"at least {_dimensions(min_ndim)}", f"shape {array.shape}")
    if array.size == 0:
        raise invalid(name, "at least one value", f"shape {array.shape}")
    if finite and array.dtype.kind == "f":
        for extreme in (array.min(), array.max()):
            if not (math.isfinite(extreme) or np.isfinite(extreme)):  # the second for long doubles beyond float64
                raise invalid(name, "finite numbers", extreme)
    return array


def as_floats(values: ArrayLike, name: str, *, ndim: int | None = None, min_ndim: int = 1) -> NDArray[np.float64]:
    """As `as_numbers`, converted to float64 (a copy only where the type differs)."""
    return _in_floats(as_numbers(values, name, ndim=ndim, min_ndim=min_ndim), name)


def _in_floats(array: NDArray[Any], name: str) -> NDArray[np.float64]:
    if array.dtype == np.float64:
        return array
    with np.errstate(over="ignore"):
        floats: NDArray[np.float64] = array.astype(np.float64, copy=False)
    if array.dtype.itemsize > 8 and not np.isfinite(floats).all():
        raise invalid(name, "numbers that float64 can hold", f"a number beyond it of dtype {array.dtype}")
    return floats


def as_labels(values: ArrayLike, name: str) -> NDArray[Any]:
    """Class labels in one dimension, or a matrix (of indicators, which the caller checks); one column is a vector.

    Labels are integers, booleans, whole floats (as integers) or strings. Unsigned integers come back as such only where
    they need all 64 bits.
    """
    array = as_array(_dense(values), name, "labels")
    if array.ndim not in (1, 2):
        raise invalid(name, "labels in one dimension or an indicator matrix", _kind_of(values, array))
    if array.size == 0:
        raise invalid(name, "at least one label", f"shape {array.shape}")
    array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
    if array.dtype.kind in "OUT":
        array = _as_strings_or_numbers(values, array, name)
    if array.dtype.kind == "f":
        return _as_integers(array, name)
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max() <= _INT64.max:
        return array.astype(np.int64)
    if array.dtype.kind not in "buiOU":
        raise invalid(name, "integer, boolean or string labels", _kind_of(values, array))
    return array


def as_targets(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    *,
    exact_weights: bool = False,
    names: tuple[str, str] = TARGETS,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """Two vectors of labels, both of numbers or both of strings, or two boolean matrices; and the weights."""
    true, pred = as_labels(y_true, names[0]), as_labels(y_pred, names[1])
    if true.ndim == 2:
        true = as_indicators(true, names[0])
    if pred.ndim == 2:
        pred = as_indicators(pred, names[1])
    same_shape(true, names[0], pred, names[1])
    true, pred = of_one_kind(true, names[0], pred, names[1])
    return true, pred, as_weights(sample_weight, len(true), exact=exact_weights)


def of_one_kind(
    first: NDArray[Any], first_name: str, second: NDArray[Any], second_name: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Labels that can be compared: no numbers beside strings, no integers that 64 bits do not hold together."""
    if first.dtype == second.dtype and first.dtype.kind in "biu":
        return first, second
    kinds = ["strings" if labels.dtype.kind in "OU" else "numbers" for labels in (first, second)]
    if kinds[0] != kinds[1]:
        raise invalid(second_name, f"{kinds[0]}, as in {first_name}", kinds[1])
    if np.uint64 not in (first.dtype, second.dtype):
        return first, second
    if min(first.min(), second.min()) < 0:
        raise invalid(second_name, f"labels that 64 bits hold together with {first_name}", "a wider range")
    return first.astype(np.uint64), second.astype(np.uint64)


def as_keys(values: ArrayLike, name: str) -> NDArray[Any]:
    """One value a row that tells rows apart and can be sorted: numbers, strings, dates; none is missing."""
    column = as_column(as_array(values, name, "values, one per row"))
    if column.ndim != 1 or not len(column):
        raise invalid(name, "one value per row", f"shape {column.shape}")
    if column.dtype.kind == "U" and isinstance(values, (list, tuple)):  # NumPy makes strings of all that is beside one
        given = np.asarray(values, dtype=object)
        kinds = {type(value) for value in given.flat}
        _check_nothing_missing(given, kinds, name)
        if not all(issubclass(kind, str) for kind in kinds):
            raise invalid(name, "values that are all numbers or all strings", "strings beside others")
    elif column.dtype.kind == "O":
        _check_nothing_missing(column, set(map(type, column)), name)
    elif column.dtype.kind not in "biu" and (column != column).any():
        raise invalid(name, "no missing values", "nan")
    return column


def unique_keys(keys: NDArray[Any], name: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The distinct values in order, and the place of each row's value among them."""
    try:
        labels, codes = np.unique(keys, return_inverse=True)
    except TypeError as error:
        raise invalid(name, "values that can be sorted", f"mixed types in dtype {keys.dtype}") from error
    return labels, codes.astype(np.int64, copy=False)


def as_indicators(values: ArrayLike, name: str) -> NDArray[np.bool_]:
    """An indicator matrix as booleans; zeros and ones of any numeric type are taken."""
    array = as_numbers(_dense(values), name, ndim=2)
    if array.dtype.kind == "b":
        return array
    indicators = array.astype(np.bool_)
    if (array != indicators).any():
        raise invalid(name, "an indicator matrix of zeros and ones", "other values")
    return indicators


def as_column(array: NDArray[Any]) -> NDArray[Any]:
    """A matrix of one column is as good as one dimension, as in scikit-learn."""
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def distinct(labels: NDArray[Any]) -> NDArray[Any]:
    """The distinct labels in order; two numbers are told apart without sorting."""
    if labels.dtype.kind in "biuf":
        extremes = np.array([labels.min(), labels.max()])
        low, high = extremes
        if int(high) - int(low) <= 1 or ((labels == low) | (labels == high)).all():
            return extremes if low != high else extremes[:1]
    return np.unique(labels)


def implies_one(present: NDArray[Any]) -> bool:
    """Whether 1 is the positive label without being named."""
    return present.dtype.kind in "biuf" and present.tolist() in ([0, 1], [-1, 1], [0], [-1], [1])


def equals(labels: NDArray[Any], pos_label: object) -> NDArray[np.bool_]:
    return np.asarray(labels == pos_label, dtype=np.bool_)


def positives(labels: NDArray[Any], pos_label: object) -> NDArray[np.bool_]:
    """Which labels are the positive one; it may be absent only where the data hold a single label."""
    check_pos_label(pos_label)
    positive = equals(labels, pos_label)
    if not positive.any():
        present = distinct(labels)
        if len(present) > 1:
            raise invalid("pos_label", f"one of the labels {shown(present)}", repr(pos_label))
    return positive


def shown(labels: NDArray[Any]) -> str:
    """The first labels, as a message shows them."""
    return "[" + ", ".join(map(repr, labels[:10].tolist())) + ", ..." * (len(labels) > 10) + "]"


def as_binary(
    y_true: ArrayLike, y_score: ArrayLike, name: str, pos_label: PosLabel, sample_weight: ArrayLike | None
) -> tuple[NDArray[np.bool_], NDArray[Any], NDArray[np.float64] | None]:
    """Which samples are positive, their scores and their weights, where two classes are all there is."""
    labels = as_labels(y_true, "y_true")
    if labels.ndim != 1:
        raise invalid("y_true", "1 dimension", f"shape {labels.shape}")
    if pos_label is None:
        present = distinct(labels)
        if not implies_one(present):
            expected = "labels {0, 1} or {-1, 1}, or the positive one given by pos_label"
            raise invalid("y_true", expected, shown(present))
        positive = equals(labels, 1)
    else:
        positive = positives(labels, pos_label)
    scores = as_column(as_numbers(y_score, name))
    check_scores(labels, scores, name)
    return positive, scores, as_weights(sample_weight, len(labels))


def check_scores(labels: NDArray[Any], scores: NDArray[Any], name: str) -> None:
    """Refuse scores that are not one for each label, and say what the usual slips need."""
    remedy = ""
    if scores.shape == (len(labels), 2):
        remedy = f": pass the column of the positive class, {name}[:, 1]"
    elif scores.shape == (1, len(labels)):
        remedy = f": pass its only row, {name}[0]"
    if scores.shape != labels.shape:
        raise invalid(name, f"the shape of y_true, {labels.shape}", f"{scores.shape}{remedy}")


def as_array(values: ArrayLike, name: str, of_what: str) -> NDArray[Any]:
    """What was passed as an array of any type; lists of unequal lengths and masked values are refused."""
    if type(values) is np.ndarray:
        return values
    rows = (
        values if isinstance(values, (list, tuple)) and len(values) and isinstance(values[0], np.ndarray) else [values]
    )
    if any(isinstance(row, np.ndarray) and np.any(getattr(row, "mask", False)) for row in rows):
        raise invalid(name, f"an array of {of_what} without masked values", "a masked array")
    try:
        return np.asarray(values)
    except ValueError as error:
        raise invalid(name, f"an array of {of_what}", "lists of unequal lengths") from error
    except (TypeError, RuntimeError) as error:  # an array of another library that does not convert itself
        raise invalid(name, f"an array of {of_what}", f"a value of type {type(values).__name__} ({error})") from error


def _kind_of(values: object, array: NDArray[Any]) -> str:
    """What came in place of numbers or labels."""
    if values is None:
        return "None"
    if array.dtype.kind != "O":
        named = {"U": "strings", "T": "strings", "S": "bytes (pass strings)", "c": "complex numbers", "M": "dates"}
        other = named.get(array.dtype.kind)
        return f"shape {array.shape}" if array.dtype.kind in "buif" else other or f"dtype {array.dtype}"
    if array.ndim == 0:
        return f"a value of type {type(values).__name__}"
    strange = [type(value).__name__ for value in array.flat if not issubclass(type(value), _numbers())]
    return f"a value of type {strange[0]}" if strange else f"shape {array.shape}"


def _dimensions(ndim: int) -> str:
    return {0: "a single number", 1: "1 dimension"}.get(ndim, f"{ndim} dimensions")


def _numbers() -> tuple[type, ...]:
    from decimal import Decimal  # no Real, but what the columns of databases hold; slow to import

    return numbers.Real, np.bool_, Decimal


def _of_objects(array: NDArray[Any], name: str) -> NDArray[Any]:
    """An array of Python numbers in the type that holds them all exactly, integers as integers; others as they are."""
    kinds = set(map(type, array.flat))
    if not all(issubclass(kind, _numbers()) for kind in kinds):
        return array
    if kinds and all(issubclass(kind, (bool, np.bool_)) for kind in kinds):
        return array.astype(np.bool_)
    if kinds and all(issubclass(kind, numbers.Integral) for kind in kinds):
        low, high = int(array.min()), int(array.max())
        for dtype in (np.int64, np.uint64):
            if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
                return array.astype(dtype)
    try:
        floats = array.astype(np.float64)
    except OverflowError as error:
        raise invalid(name, "numbers that float64 can hold", "a number beyond it") from error
    whole = [value for value in array.flat if isinstance(value, numbers.Integral)]
    if any(int(float(value)) != value for value in whole):
        raise invalid(name, "integers that 64 bits hold", "wider integers, which floats would round")
    return floats


def _dense(values: ArrayLike) -> ArrayLike:
    """A sparse matrix of SciPy as an array; anything else as it came."""
    return cast(ArrayLike, values.toarray()) if hasattr(values, "toarray") else values


def _as_strings_or_numbers(values: ArrayLike, array: NDArray[Any], name: str) -> NDArray[Any]:
    """Labels of one kind; NumPy makes strings of all that is in ``["a", 1]``, so the list is asked."""
    if array.dtype.kind == "U" and not isinstance(values, (list, tuple)):
        return array
    given = array if array.dtype.kind != "U" else np.asarray(values, dtype=object)
    kinds = {type(value) for value in given.flat}
    if all(issubclass(kind, str) for kind in kinds):
        if any(label.endswith("\0") for label in given.flat):
            raise invalid(name, "labels that do not end in NUL, which NumPy drops", "one that does")
        return given.astype(object) if array.dtype.kind == "T" else array
    _check_nothing_missing(given, kinds, name)
    if all(issubclass(kind, _numbers()) for kind in kinds):
        return as_numbers(given, name)
    others = sorted(kind.__name__ for kind in kinds if not issubclass(kind, str))
    raise invalid(name, "labels that are all numbers or all strings", f"a value of type {others[0]}")


def _check_nothing_missing(values: NDArray[Any], kinds: set[type], name: str) -> None:
    """Refuse None, nan and their like among objects of these types."""
    if all(issubclass(kind, (str, int)) for kind in kinds):
        return
    for value in values.flat:
        try:
            missing = value is None or bool(value != value)
        except TypeError:  # NA of pandas is neither true nor false
            missing = True
        if missing:
            raise invalid(name, "no missing values", repr(value))


def _as_integers(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Whole floats as integers."""
    array = as_numbers(array, name)
    whole = array.astype(np.int64) if float(abs(array).max()) < 2.0**63 else None
    if whole is None or (whole != array).any():
        raise invalid(name, "whole numbers below 2**63 as labels", f"other numbers of dtype {array.dtype}")
    return whole


def same_shape(first: NDArray[Any], first_name: str, second: NDArray[Any], second_name: str) -> None:
    if first.shape != second.shape:
        raise invalid(second_name, f"the shape of {first_name}, {first.shape}", second.shape)


def as_totals(n_relevant: ArrayLike, listed: NDArray[np.float64]) -> NDArray[np.float64]:
    """The relevant items that exist per query, one number or one each, if that covers those in its list."""
    total = as_floats(n_relevant, "n_relevant", min_ndim=0)
    if total.ndim and total.shape != listed.shape:
        raise invalid("n_relevant", f"one number or shape {listed.shape}", f"shape {total.shape}")
    if (total != np.floor(total)).any():
        raise invalid("n_relevant", "whole numbers", total)
    if (total < listed).any():
        raise invalid("n_relevant", f"at least the number of relevant items in the list, {listed}", total)
    return np.broadcast_to(total, listed.shape)


def one_of(value: object, name: str, allowed: Sequence[object]) -> None:
    if not any(value is option or (isinstance(value, str) and value == option) for option in allowed):
        raise invalid(name, "one of " + ", ".join(map(repr, allowed)), repr(value))


def as_count(value: object, name: str, *, expected: str = "an integer of at least 1") -> int:
    """One integer from 1 that 64 bits hold."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not 1 <= value <= _INT64.max:
        raise invalid(name, expected, repr(value))
    return int(value)


def as_cutoff(k: int | None, length: int, name: str = "k") -> int:
    """The rank to cut at: ``k`` itself, which may exceed the list, or the length of the list for None."""
    return length if k is None else as_count(k, name, expected="an integer of at least 1 or None")


def as_weights(
    values: ArrayLike | None, length: int, name: str = "sample_weight", *, exact: bool = False
) -> NDArray[Any] | None:
    """One non-negative weight a sample, not all of them zero; None stays None.

    Only ratios of weights count, so where the largest is huge or tiny all are divided by one power of two, which
    changes no digit of a ratio; then sums and products of weights stay within the range of floats.
    Where a sum of weights is itself the value, ``exact`` leaves them as they are, integers as integers.
    """
    if values is None:
        return None
    weights = as_numbers(values, name, ndim=1)
    if len(weights) != length:
        raise invalid(name, f"{length} weights, one per sample", len(weights))
    if weights.min() < 0:
        raise invalid(name, "non-negative weights", weights.min())
    largest = float(weights.max())
    if largest == 0:
        raise invalid(name, "at least one positive weight", "only zeros")
    if exact:
        return _summable(weights, name)
    weights = _in_floats(weights, name)
    return weights if 2.0**-30 <= largest <= 2.0**30 else _scaled(weights, name)


def _scaled(weights: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    """The weights over a power of two, the largest then from 1/2 to 1."""
    with np.errstate(under="ignore"):
        shares: NDArray[np.float64] = np.ldexp(weights, -np.frexp(weights.max())[1])
    if np.count_nonzero(shares) < np.count_nonzero(weights):
        least = weights[weights > 0].min()
        raise invalid(name, "weights whose ratios float64 can hold", f"weights from {least} to {weights.max()}")
    return shares


def _summable(weights: NDArray[Any], name: str) -> NDArray[Any]:
    """Integers as int64 and floats as float64, where that type holds the sum of all."""
    whole = weights.dtype.kind != "f"
    with np.errstate(over="ignore"):
        total = float(weights.sum(dtype=np.float64))
    if not total < (2.0**63 if whole else math.inf):
        raise invalid(name, f"weights whose sum {'int64' if whole else 'float64'} can hold", f"a sum of {total:g}")
    return weights.astype(np.int64 if whole else np.float64, copy=False)


def check_undefined(undefined: object, *, mean: bool = False) -> None:
    """Refuse what is neither a number nor one of the words."""
    words = ("raise", "skip") if mean else ("raise",)
    if isinstance(undefined, str) and undefined in words:
        return
    if isinstance(undefined, bool) or not fits_float(undefined):
        raise invalid("undefined", "a number, nan or " + " or ".join(map(repr, words)), repr(undefined))


def check_flag(value: object, name: str) -> None:
    if not isinstance(value, (bool, np.bool_)):
        raise invalid(name, "True or False", repr(value))


def check_pos_label(pos_label: object) -> None:
    if not isinstance(pos_label, (numbers.Real, str, np.bool_)) or pos_label != pos_label:
        raise invalid("pos_label", "a number, a boolean or a string", repr(pos_label))


def fits_float(value: object) -> TypeGuard[numbers.Real]:
    """Whether the value is a real number that a float can hold, if only rounded."""
    try:
        return isinstance(value, numbers.Real) and float(value) is not None
    except OverflowError:
        return False


def as_number_above(value: object, name: str, bound: float) -> float:
    """One finite real number greater than ``bound``."""
    if isinstance(value, bool) or not fits_float(value) or not bound < float(value) < math.inf:
        raise invalid(name, f"a finite number greater than {bound}", repr(value))
    return float(value)
