"""What modules share of computing with floats: means, quotients with a value for 0/0, blocks that fit the cache."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics_lib._arrays import Undefined, check_undefined, fits_float, invalid

Floats = NDArray[np.float64]
Result = float | Floats

BLOCK = 1 << 15  # elements worked on at a time, few enough to stay in the cache


def row_blocks(shape: tuple[int, ...], n_blocks: int = 1) -> Iterator[slice]:
    """Slices of consecutive rows, each of about ``n_blocks`` times `BLOCK` elements."""
    rows = max(1, n_blocks * BLOCK // math.prod(shape[1:]))
    return (slice(start, start + rows) for start in range(0, shape[0], rows))


def mean(values: NDArray[Any], weights: NDArray[Any] | None = None) -> float:
    """The weighted mean, in which a value of weight zero does no harm, undefined or not.

    Both sums are taken in the same order, so that the mean of ones is exactly 1.
    """
    if weights is None:
        return float(values.sum() / len(values))
    return float((np.where(weights > 0, values, 0) * weights).sum() / weights.sum())


def resolution(dtype: np.dtype[Any]) -> float:
    """The machine epsilon of the type in which numbers came, at least that of float64."""
    return float(max(np.finfo(dtype if dtype.kind == "f" else np.float64).eps, np.finfo(np.float64).eps))


def precision_share(beta: object) -> float:
    r"""The weight of precision in F-beta: van Rijsbergen's :math:`\alpha=1/(1+\beta^2)`, from 1 down to 0."""
    if isinstance(beta, bool) or not fits_float(beta) or not float(beta) >= 0:
        raise invalid("beta", "a non-negative number", repr(beta))
    return 1 / (1 + float(beta) * float(beta))


def divide(
    numerator: Floats | float,
    denominator: Floats | float,
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


def as_result(values: Floats) -> Result:
    """A float for a single value, the array otherwise."""
    return values if values.ndim else float(values)
