"""Measures of lists in which equal scores have no order: the mean over all orders of the tied items, in closed form."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics_lib._arrays import invalid, precision_share
from metrics_lib._lists import Lists, relevant_of, rows_of, values_for
from metrics_lib._sorting import Integers, places
from metrics_lib.ranking import ideal_dcg

Floats = NDArray[np.float64]


class _Ranks(NamedTuple):
    """Lists of one length as the rows of matrices: what is known of each rank."""

    rank: Floats  # from 1
    value: Floats  # of an item in some order: its gain, its chance to satisfy, or whether it is relevant
    mean: Floats  # of the values of its tie
    total: Floats  # their sum
    size: Integers  # their number
    place: Integers  # from 0 within the tie
    n_relevant: Floats  # of the list


def mean_over_orders(
    lists: Lists, tied: NDArray[np.bool_], name: str, k: int | None, options: dict[str, Any], of_one: Floats
) -> Floats:
    """The mean of a measure over all orders; where it is 0/0, its value of one order."""
    if options.get("denominator", "relevant") != "relevant":
        raise invalid("measures", "AP with denominator=relevant, where ties have no order", options["denominator"])
    value = (lists.grades if name != "Judged" or lists.known is None else lists.known).astype(np.float64)
    if name == "ERR" or options.get("gain") == "exponential":
        top_grade = options.get("max_grade", 0.0)
        value = np.exp2(value - top_grade) - np.exp2(-top_grade)
    relevant = relevant_of(lists)
    relevant_of_row = rows_of(lists, relevant)

    def sums(rows: Integers) -> Any:
        ranks = _ranks(value[rows], tied[rows], relevant_of_row[rows])
        return _SHARES[name](ranks, options)[:, :k].sum(axis=1)

    in_order = Lists(lists.queries, lists.lengths, lists.grades, lists.order)
    divisor: Any = 1.0
    if name == "P":
        divisor = k
    elif name == "Judged":
        divisor = np.minimum(lists.lengths, k or lists.lengths)
    elif name == "F":
        assert k is not None  # F has a cut
        share = precision_share(options.get("beta", 1.0))
        divisor = share * k + (1 - share) * relevant
    elif name == "nDCG":
        pool = in_order if lists.pool is None else lists.pool
        divisor = values_for(lists, pool, ideal_dcg(pool, k, gain=options.get("gain", "linear")))
    elif name in ("R", "AP", "Rprec"):
        divisor = relevant
    found = replace(in_order, grades=np.arange(len(value))).each(sums)
    values = of_one.copy()
    np.divide(found, divisor, out=values, where=np.greater(divisor, 0))
    return values


def _ranks(value: Floats, tied: NDArray[np.bool_], n_relevant: Floats) -> _Ranks:
    start = places(~tied.ravel()).astype(np.intp, copy=False)  # of each tie; an item without equals is one of its own
    size = np.diff(start, append=tied.size)
    total = np.add.reduceat(value.ravel(), start)
    mean, total, start, sizes = (
        np.repeat(of_ties, size).reshape(tied.shape) for of_ties in (total / size, total, start, size)
    )
    rank = np.broadcast_to(np.arange(1.0, tied.shape[1] + 1), tied.shape)
    return _Ranks(rank, value, mean, total, sizes, np.arange(tied.size).reshape(tied.shape) - start, n_relevant)


def _precisions(at: _Ranks) -> Floats:
    """The precision at each rank if it is relevant: its item, those of ties before, those before it in its own tie."""
    before = at.mean.cumsum(axis=1) - at.mean * (at.place + 1)
    own = at.place * (at.total - 1) / np.maximum(at.size - 1, 1)
    return at.mean * (1 + before + own) / at.rank


def _first_relevant(at: _Ranks) -> Floats:
    """The chance that a rank is the first relevant one: the items are drawn from their tie one after the other."""
    none = np.cumprod(1 - np.minimum(at.total / (at.size - at.place), 1), axis=1)
    return -np.diff(none, axis=1, prepend=1)


def _first_satisfying(at: _Ranks) -> Floats:
    """The chance that a rank is the first to satisfy.

    That none of t items of a tie satisfies has, over the orders, the mean over all subsets of t items: if the first m
    items are known, ``mean[t]`` of these is (m - t)/m of that without the last, and t/m of those that hold it.
    """
    missed = 1 - at.value
    column = np.arange(missed.shape[1]) - at.place
    none_before = np.take_along_axis(np.cumprod(np.insert(missed, 0, 1, axis=1), axis=1), column, axis=1)
    mean, t = np.zeros_like(missed), at.place + 1
    for m in range(1, int(at.size.max()) + 1):
        last = np.take_along_axis(missed, np.minimum(column + m - 1, missed.shape[1] - 1), axis=1)
        one_less = np.where(at.place == 0, 1, np.insert(mean[:, :-1], 0, 1, axis=1))
        mean = np.where(m <= at.size, (np.maximum(m - t, 0) * mean + t * last * one_less) / m, mean)
    return -np.diff(none_before * mean, axis=1, prepend=1)


_SHARES: dict[str, Callable[[_Ranks, dict[str, Any]], Floats]] = {
    **dict.fromkeys(("P", "R", "F", "Judged"), lambda at, options: at.mean),
    "Success": lambda at, options: _first_relevant(at),
    "AP": lambda at, options: _precisions(at),
    "RR": lambda at, options: _first_relevant(at) / at.rank,
    "Rprec": lambda at, options: at.mean * (at.rank <= at.n_relevant),
    "RBP": lambda at, options: at.mean * (1 - options.get("p", 0.8)) * options.get("p", 0.8) ** (at.rank - 1),
    "ERR": lambda at, options: _first_satisfying(at) / at.rank,
    **dict.fromkeys(("DCG", "nDCG"), lambda at, options: at.mean / np.log2(at.rank + 1)),
}
