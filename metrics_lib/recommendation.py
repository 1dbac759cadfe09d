"""Metrics of recommendation lists: hit ratio, and the similarity of the items within a list."""

import math
from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    Undefined,
    UndefinedInMean,
    as_floats,
    as_numbers,
    check_undefined,
    invalid,
    one_of,
    same_shape,
)
from metrics_lib._floats import Result, as_result, divide
from metrics_lib.ranking import mean_over_queries

__all__ = ["hit_ratio", "intra_list_similarity"]

Matrix = Sequence[Sequence[float]]


def hit_ratio(
    hits: ArrayLike,
    n_relevant: ArrayLike,
    *,
    definition: Literal["pooled", "per_user", "any"],
    undefined: UndefinedInMean = np.nan,
) -> float:
    r"""Hit ratio: how much of what the users like was in their lists.

    Parameters
    ----------
    hits : array_like of int of shape (n_users,)
        Number of relevant items in each user's list, from 0 to ``n_relevant``.
    n_relevant : array_like of int of shape (n_users,)
        Number of relevant items (the test items) of each user, in the list or not.
    definition : {'pooled', 'per_user', 'any'}
        ``'pooled'``: sum of the hits over sum of the relevant items. ``'per_user'``: mean of the users' own ratios.
        ``'any'``: share of the users with at least one hit. There is no default, because the name is used for all
        three and their values are far apart.
    undefined : float, 'raise' or 'skip', default=nan
        What stands for a user without relevant items, whom no list can satisfy, in the mean of ``'per_user'`` and
        ``'any'``; ``'skip'`` leaves these users out. In ``'pooled'`` such a user adds nothing to either sum.
        If all users are without relevant items, that is also the value of ``'pooled'``, and ``'skip'`` gives nan.

    Returns
    -------
    float
        Value in [0, 1], higher is better.

    Raises
    ------
    ValueError
        If an argument is invalid, a user has more hits than relevant items,
        ``undefined='raise'`` and a value is undefined, or the sum of the counts leaves the range of float64.

    See Also
    --------
    metrics_lib.ranking.recall_at_k : The ratio of one user, from a ranked list.

    Notes
    -----
    .. math:: \mathrm{HR}_\text{pooled} = \frac{\sum_u h_u}{\sum_u n_u}, \qquad
              \mathrm{HR}_\text{per user} = \frac{1}{|U|} \sum_u \frac{h_u}{n_u}, \qquad
              \mathrm{HR}_\text{any} = \frac{1}{|U|} \sum_u [h_u \ge 1]

    for :math:`h_u` hits among :math:`n_u` relevant items of user u. The pooled form, which some lecture notes define,
    is micro-averaged recall, and the form per user is mean recall. Most papers and libraries mean ``'any'`` (Deshpande
    and Karypis, 2004; He et al., 2017; ranx, cornac, torchmetrics). With one relevant item for every user the three
    agree.

    References
    ----------
    Deshpande and Karypis (2004). He et al. (2017).

    Examples
    --------
    >>> hits, n_relevant = [6, 5, 4], [10, 12, 8]
    >>> hit_ratio(hits, n_relevant, definition="pooled")
    0.5
    >>> round(hit_ratio(hits, n_relevant, definition="per_user"), 6)
    0.505556
    >>> hit_ratio(hits, n_relevant, definition="any")
    1.0
    """
    one_of(definition, "definition", ("pooled", "per_user", "any"))
    check_undefined(undefined, mean=True)
    found, relevant = _counts(hits, "hits"), _counts(n_relevant, "n_relevant")
    same_shape(found, "hits", relevant, "n_relevant")
    if (found > relevant).any():
        user = int(np.argmax(found > relevant))
        raise invalid("hits", "at most n_relevant", f"{found[user]:g} of {relevant[user]:g} for the user at {user}")
    if definition == "pooled":
        with np.errstate(over="ignore"):
            found, relevant = found.sum(keepdims=True), relevant.sum(keepdims=True)
        if not np.isfinite(relevant).all():
            raise invalid("n_relevant", "counts whose sum float64 can hold", "an overflow")
    elif definition == "any":
        found, relevant = np.minimum(found, 1.0), np.minimum(relevant, 1.0)
    why = "undefined: a user has no relevant item (pass undefined= to give it a value)"
    of_one: Undefined = np.nan if undefined == "skip" else undefined
    return mean_over_queries(divide(found, relevant, undefined=of_one, why=why), undefined=undefined)


@overload
def intra_list_similarity(
    similarity: Matrix, *, definition: Literal["mean", "sum"] = "mean", undefined: Undefined = np.nan
) -> float: ...
@overload
def intra_list_similarity(
    similarity: Sequence[Matrix], *, definition: Literal["mean", "sum"] = "mean", undefined: Undefined = np.nan
) -> NDArray[np.float64]: ...
@overload
def intra_list_similarity(
    similarity: ArrayLike, *, definition: Literal["mean", "sum"] = "mean", undefined: Undefined = np.nan
) -> Result: ...
def intra_list_similarity(
    similarity: ArrayLike, *, definition: Literal["mean", "sum"] = "mean", undefined: Undefined = np.nan
) -> Result:
    r"""Intra-list similarity (ILS): how alike the items of one list are; the lower, the more diverse the list.

    Parameters
    ----------
    similarity : array_like of shape (..., n_items, n_items)
        Similarity of each pair of items of a list, a symmetric matrix; leading axes are lists of the same length.
        The diagonal is never used.
    definition : {'mean', 'sum'}, default='mean'
        Mean or sum over the pairs, each unordered pair once.
    undefined : float or 'raise', default=nan
        Mean of a list of one item, which has no pair. Its sum is 0.

    Returns
    -------
    float or ndarray of shape (...)
        The mean lies between the least and the greatest similarity; the sum grows with the square of the length.

    Raises
    ------
    ValueError
        If ``similarity`` is not finite, not square or not symmetric (up to the rounding of its type), the sum leaves
        the range of float64, or ``undefined='raise'`` and the mean is undefined.

    Notes
    -----
    .. math:: \mathrm{ILS}_\text{sum}(L) = \sum_{i < j} S(b_i, b_j), \qquad
              \mathrm{ILS}_\text{mean}(L) = \frac{2}{|L| (|L| - 1)} \sum_{i < j} S(b_i, b_j)

    Ziegler et al. (2005) define the sum, written as half the sum over ordered pairs. The mean divides it by the number
    of pairs, which makes lists of different length comparable. The two entries of a pair may differ by the square root
    of the machine epsilon of the type, relative to the largest similarity; then their mean counts.

    References
    ----------
    Ziegler et al. (2005).

    Examples
    --------
    >>> similarity = [[1, 0.75, 0.25], [0.75, 1, 0.5], [0.25, 0.5, 1]]
    >>> intra_list_similarity(similarity)
    0.5
    >>> intra_list_similarity(similarity, definition="sum")
    1.5
    """
    one_of(definition, "definition", ("mean", "sum"))
    check_undefined(undefined)
    length, pairs = _pairs(similarity)
    with np.errstate(over="ignore"):
        total = pairs.sum(axis=-1)
    if not np.isfinite(total).all():
        raise invalid("similarity", "values whose sum float64 can hold", "an overflow")
    if definition == "sum":
        return as_result(np.asarray(total))
    why = "undefined: a list of one item has no pair (pass undefined= to give it a value)"
    return divide(total, length * (length - 1) / 2, undefined=undefined, why=why)


def _counts(values: ArrayLike, name: str) -> NDArray[np.float64]:
    counts = as_floats(values, name, ndim=1)
    wrong = counts[(counts < 0) | (counts != np.floor(counts))]
    if wrong.size:
        raise invalid(name, "non-negative integers", wrong[0])
    return counts


def _pairs(similarity: ArrayLike) -> tuple[int, NDArray[np.float64]]:
    """The length of the lists, and along the last axis the similarity of each unordered pair."""
    given = as_numbers(similarity, "similarity", min_ndim=2)
    length = given.shape[-1]
    if given.shape[-2] != length:
        raise invalid("similarity", "square matrices", f"shape {given.shape}")
    first, second = np.triu_indices(length, 1)
    above, below = (given[..., i, j].astype(np.float64) for i, j in ((first, second), (second, first)))
    largest = np.maximum(np.abs(above), np.abs(below)).max(axis=-1, keepdims=True, initial=0)
    rounding = math.sqrt(np.finfo(given.dtype if given.dtype.kind == "f" else np.float64).eps)
    with np.errstate(over="ignore", under="ignore"):
        gap = below - above
        if (np.abs(gap) > rounding * largest).any():
            worst = np.abs(gap).argmax()
            raise invalid("similarity", "symmetric matrices", f"{above.flat[worst]} facing {below.flat[worst]}")
        return length, above + gap / 2
