"""Exercises on ranked lists: NDCG, AP, reciprocal rank, hit rate, ERR, intra-list similarity."""

import math
from collections.abc import Callable

import numpy as np

from metrics_book.practice._engine import Approach, Array, Case, Exercise, Factor, Mistake, ratio
from metrics_lib.ranking import (
    average_precision,
    dcg,
    expected_reciprocal_rank,
    ideal_dcg,
    ndcg,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)
from metrics_lib.recommendation import hit_ratio, intra_list_similarity

LIST = "rel holds the relevance of the items of one list in ranked order, best-ranked first; ranks start at 1."
BINARY = (
    "An item is relevant if its value is greater than 0: 0.5 is relevant, -1 is not. The value plays no other part."
)
BELOW_ONE = (
    "a value between 0 and 1 is not taken as relevant (cut to a whole number, or compared with 1); it is above 0."
)
NOT_ZERO = "a negative value is taken as relevant (any value but 0 counts as true); compare with > 0."
CUT = "k, at least 1, is the number of ranks to look at."

Cut = Callable[[Array, int], Array]


def _cut(rel: Array, k: int) -> Array:
    """The first k ranks; none is taken from the end."""
    return rel[: max(k, 0)]


def _beyond_the_end(rel: Array, k: int) -> Array:
    """As a loop over k ranks of a list that may be shorter."""
    if k > len(rel):
        raise IndexError
    return rel[:k]


CUTS: dict[str, Cut] = {
    "k is ignored: items below the cut are counted.": (lambda rel, k: rel),
    "the cut comes one rank early: rank k itself counts.": (lambda rel, k: _cut(rel, k - 1)),
    "the cut comes one rank late: rank k + 1 is counted.": (lambda rel, k: _cut(rel, k + 1)),
    "k beyond the list is not handled: there is no item at these ranks.": _beyond_the_end,
}
RELEVANT: dict[str, Callable[[Array], Array]] = {
    "only a grade of exactly 1 is taken as relevant; any grade above 0 is.": (lambda rel: rel == 1),
    BELOW_ONE: (lambda rel: rel >= 1),
    NOT_ZERO: (lambda rel: rel != 0),
    "only a grade above 1 is taken as relevant; any grade above 0 is.": (lambda rel: rel > 1),
    "an item of grade 0 is taken as relevant (>= 0); compare with > 0.": (lambda rel: rel >= 0),
}


_rng = np.random.default_rng(4)

# ---- NDCG -------------------------------------------------------------------------------------------------------


def ndcg_at_k(rel: Array, k: int) -> float:
    return float(ndcg(rel, k))


def ndcg_by_loop(rel: Array, k: int) -> float:
    def dcg(grades: list[float]) -> float:
        ranked = enumerate(grades[:k], start=1)
        return sum(grade / math.log2(rank + 1) for rank, grade in ranked)

    grades = rel.tolist()
    ideal = dcg(sorted(grades, reverse=True))
    return dcg(grades) / ideal if ideal else math.nan


def ndcg_by_arrays(rel: Array, k: int) -> float:
    discount = 1 / np.log2(np.arange(2, min(k, len(rel)) + 2))
    ideal = np.sort(rel)[::-1][:k] @ discount
    if ideal == 0:
        raise ValueError("no relevant item: NDCG is 0/0")
    return float(rel[:k] @ discount / ideal)


Grades = Callable[[Array], Array]


def ndcg_as(
    rel: Array,
    k: int,
    *,
    gain: Grades = np.asarray,
    discount: Grades = lambda rank: 1 / np.log2(rank + 1),
    cut: Cut = _cut,
    ideal: Callable[[Array, int], Array] = lambda rel, k: np.sort(rel)[::-1],
    ideal_cut: bool = True,
    over: Callable[[float], float] = float,
) -> float:
    """DCG with one gain, one discount and one cut, over that of an ideal order of some grades."""

    def dcg(grades: Array) -> float:
        return float((gain(grades) * discount(np.arange(1.0, len(grades) + 1))).sum())

    best = ideal(rel, k)
    return ratio(dcg(cut(rel, k)), over(dcg(cut(best, k) if ideal_cut else best)))


def _from_zero(rank: Array) -> Array:
    """In Python, where the first rank divides by 0."""
    raise ZeroDivisionError


_GRADES = _rng.choice(4, 50, p=[0.6, 0.2, 0.15, 0.05])

NDCG_AT_K = Exercise(
    name="ndcg_at_k",
    title="NDCG@k (归一化折损累计增益)",
    task=(
        LIST,
        CUT,
        "Return one number: DCG@k over ideal DCG@k, where DCG@k is the sum of rel_i / log2(i + 1) over the first k "
        "ranks (the gain is the grade itself, which may be a fraction and is never negative).",
        "The ideal sorts the whole list, not only its first k items, and is cut at k as well.",
        "k beyond the list: look at the whole list.",
        "No relevant item: the value is 0/0; return nan or raise a ValueError.",
    ),
    reference=ndcg_at_k,
    cases=(
        Case("six graded items", "The whole list: only the order costs something.", ([3, 2, 3, 0, 1, 2], 6)),
        Case(
            "cut at rank 3",
            "The ideal may take items from below the cut: that they stand there is the fault to measure.",
            ([1, 0, 2, 3, 2, 3], 3),
        ),
        Case("k = 1", "Only the first item counts, against the best of the list.", ([1, 3, 2], 1)),
        Case("k beyond the list", "Ranks that do not exist add nothing.", ([2, 0, 3], 10)),
        Case("the ideal order", "Nothing can be better: 1.", ([3, 3, 2, 1, 0], 5)),
        Case("the reverse order", "The lowest value of this list; it is not 0.", ([0, 1, 2, 3], 4)),
        Case(
            "relevant items below the cut only",
            "DCG is 0 and the ideal is not: 0, and defined.",
            ([0, 0, 3, 1], 2),
        ),
        Case("binary relevance", "For grades 0 and 1 all gains agree.", ([0, 1, 1, 0, 1], 4)),
        Case(
            "grades with fractions",
            "Means of several judges need not be whole numbers.",
            ([0.5, 2, 1.5, 0, 0.25], 4),
        ),
        Case("nothing relevant", "No order is better than another: 0/0.", ([0, 0, 0], 3)),
        Case("50 items, k = 10", "Most relevant items stand below the cut.", (_GRADES, 10)),
    ),
    hints=(
        "Write DCG as a function of a list of grades first, and call it twice.",
        "The second call gets the grades of the whole list, sorted from the highest down, and the same k.",
        "With enumerate(..., start=1) the discount of rank i is log2(i + 1): 1 at the first rank.",
    ),
    approaches=(
        Approach(
            ndcg_by_loop,
            "DCG as an inner function, of the list and of the sorted list.",
            "O(n log n) for the sort; a heap of k items makes it O(n log k)",
            "returns nan where nothing is relevant: the caller must skip it in a mean",
        ),
        Approach(
            ndcg_by_arrays,
            "One vector of discounts, two dot products.",
            "O(n log n) time, O(n) memory, no loop in Python",
            "padding a batch with grades other than 0 changes the ideal",
        ),
    ),
    model=ndcg_as,
    factors=(
        Factor(
            "gain",
            {
                "the gain is 2^rel - 1 here; the task asks for the grade itself.": (lambda rel: np.exp2(rel) - 1),
                "grades are taken as 0 or 1; the gain is the grade itself.": (lambda rel: 1 * (rel > 0)),
                "grades are cut to whole numbers; the gain is the grade itself, fraction and all.": [
                    np.trunc,
                    np.round,
                ],
                "the gain is 2^rel: even an item of grade 0 gains 1; the task asks for the grade itself.": np.exp2,
                "the gain is the square of the grade; the task asks for the grade itself.": np.square,
            },
        ),
        Factor(
            "discount",
            {
                "ranks start at 0: log2(0 + 1) is 0, and the first rank divides by it.": [
                    _from_zero,
                    lambda rank: 1 / np.log2(rank),
                ],
                "the discount starts one rank late, at log2(3); with ranks from 1 it is log2(i + 1).": (
                    lambda rank: 1 / np.log2(rank + 2)
                ),
                "the discount is 1 / log2(i) with ranks 1 and 2 in full, as in the first paper; the task asks for "
                "log2(i + 1).": (lambda rank: 1 / np.maximum(np.log2(rank), 1)),
                "the discount is 1 / i; the task asks for 1 / log2(i + 1).": np.reciprocal,
                "there is no discount: the sums of grades are compared, whatever their order.": np.ones_like,
                "the discount is 1 / (1 + log2(i)); the task asks for 1 / log2(i + 1).": (
                    lambda rank: 1 / (1 + np.log2(rank))
                ),
                "the gain is multiplied by log2(i + 1); divide by it: lower ranks count less.": (
                    lambda rank: np.log2(rank + 1)
                ),
                "the discount is the root of the rank; the task asks for log2(i + 1).": (lambda rank: rank**-0.5),
            },
        ),
        Factor("cut", CUTS),
        Factor(
            "ideal",
            {
                "the ideal is taken from the cut list: items that stand below the cut cost nothing. Sort the whole "
                "list.": [
                    lambda rel, k: np.sort(rel[:k])[::-1],
                    lambda rel, k: np.sort(rel[:k])[::-1] if rel[:k].any() or not rel.any() else np.full(1, math.inf),
                ],
                "the ideal holds the highest grade at every rank; it holds the grades of the list, sorted.": [
                    lambda rel, k: np.full(len(rel), rel.max()),
                    lambda rel, k: np.full(k, rel.max()),
                ],
                "the ideal is made of a set, in which equal grades are one; it holds every grade of the list.": (
                    lambda rel, k: np.unique(rel)[::-1]
                ),
                "the ideal holds ones; it holds the grades of the list, sorted.": [
                    lambda rel, k: np.ones(len(rel)),
                    lambda rel, k: np.ones(len(rel)) * rel.any(),
                    lambda rel, k: np.sort(1 * (rel > 0))[::-1],
                    lambda rel, k: np.ones(k),
                ],
                "the ideal is sorted the wrong way round, from the lowest grade up.": [
                    lambda rel, k: np.sort(rel),
                    lambda rel, k: np.sort(rel) if np.sort(rel)[:k].any() else np.full(1, math.inf),
                ],
                "the ideal is the list from its end; sort it from the highest grade down.": lambda rel, k: rel[::-1],
                "the ideal is not sorted: every list is its own ideal.": (lambda rel, k: rel),
            },
        ),
        Factor("ideal_cut", {"the ideal is not cut at k, so that even a perfect top k stays below 1.": False}),
        Factor(
            "over",
            {
                "this is DCG: it is not divided by its ideal.": [
                    lambda ideal: 1,
                    lambda ideal: 1 if ideal else 0,
                ]
            },
        ),
    ),
    nothing="a list without a relevant item; there is nothing to get right or wrong",
    singular=(
        Mistake(
            "list and ideal have different gains, the grade itself and 2^rel - 1; take the grade for both.",
            (
                lambda rel, k: ratio(float(dcg(rel, k)), float(ideal_dcg(rel, k, gain="exponential"))),
                lambda rel, k: ratio(float(dcg(rel, k, gain="exponential")), float(ideal_dcg(rel, k))),
            ),
        ),
        Mistake(
            "the quotient is divided by k once more; the ideal is the divisor.",
            (lambda rel, k: ndcg_at_k(rel, k) / k,),
        ),
        Mistake(
            "list and ideal have different logarithms, log2 and the natural one.",
            (lambda rel, k: ndcg_at_k(rel, k) / math.log(2), lambda rel, k: ndcg_at_k(rel, k) * math.log(2)),
        ),
        Mistake(
            "the cut is missing in the list, not in its ideal: items below the cut are counted, and it can exceed 1.",
            (lambda rel, k: ratio(float(dcg(rel)), float(ideal_dcg(rel, k))),),
        ),
    ),
)


# ---- average precision ------------------------------------------------------------------------------------------


def ap_at_k(rel: Array, k: int, n_relevant: int) -> float:
    return float(average_precision(rel, k, n_relevant=n_relevant))


def ap_by_loop(rel: Array, k: int, n_relevant: int) -> float:
    hits, total = 0, 0.0
    for rank, value in enumerate(rel[:k], start=1):
        if value > 0:
            hits += 1
            total += hits / rank
    return total / n_relevant if n_relevant else math.nan


def ap_by_arrays(rel: Array, k: int, n_relevant: int) -> float:
    if n_relevant == 0:
        raise ValueError("no relevant item: average precision is 0/0")
    ranks = np.flatnonzero(rel[:k] > 0) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).sum() / n_relevant)


def ap_by_recall_steps(rel: Array, k: int, n_relevant: int) -> float:
    if n_relevant == 0:
        return math.nan
    relevant = rel[:k] > 0
    precision = relevant.cumsum() / np.arange(1, len(relevant) + 1)
    recall = relevant.cumsum() / n_relevant
    return float((np.diff(recall, prepend=0) * precision).sum())


def _found(rel: Array, k: int) -> int:
    return int((rel[:k] > 0).sum())


def ap_as(
    rel: Array,
    k: int,
    n_relevant: int,
    *,
    relevant: Callable[[Array], Array] = lambda rel: rel > 0,
    cut: Cut = _cut,
    value: Callable[[Array, Array], Array] = lambda number, rank: number / rank,
    counted: Callable[[Array], Array] = np.asarray,
    divisor: Callable[[int, int, Array, Array], float] = lambda n, k, hits, rel: n,
) -> float:
    """A value for each hit, of its number among the hits and its rank, of some of the hits, over something."""
    hits = np.asarray(relevant(cut(rel, k)), bool)
    rank = np.flatnonzero(hits) + 1
    values = counted(value(np.arange(1, len(rank) + 1), rank))
    return ratio(values.sum(), divisor(n_relevant, k, hits, rel)) if n_relevant else math.nan


def _mean_of_precisions(rel: Array, k: int, n_relevant: int, divisor: int = 0) -> float:
    """Every rank's precision, not only those of the hits."""
    precisions = _rank_precisions(rel, k)
    return float(precisions.sum()) / (divisor or len(precisions)) if n_relevant else math.nan


def _graded(weights: Callable[[Array], Array]) -> Callable[[Array, int, int], float]:
    def ap(rel: Array, k: int, n_relevant: int) -> float:
        top = rel[:k]
        return ratio(float((top.cumsum() / np.arange(1, len(top) + 1) * weights(top)).sum()), n_relevant)

    return ap


def _rank_precisions(rel: Array, k: int) -> Array:
    top = rel[:k] > 0
    precisions: Array = top.cumsum() / np.arange(1, len(top) + 1)
    return precisions


def _interpolated(rel: Array, k: int, n_relevant: int) -> float:
    """The greatest precision from the hit on."""
    highest = np.maximum.accumulate(_rank_precisions(rel, k)[::-1])[::-1]
    return ratio(highest[rel[:k] > 0].sum(), n_relevant)


def _eleven_points(rel: Array, k: int, n_relevant: int) -> float:
    if n_relevant == 0:
        return math.nan
    precision, recall = _rank_precisions(rel, k), (rel[:k] > 0).cumsum() / n_relevant
    levels = [level / 10 for level in range(11)]
    return float(np.mean([max(precision[recall >= level - 1e-12], default=0.0) for level in levels]))


def _trapezoidal(start: float | None) -> Callable[[Array, int, int], float]:
    """The area of straight lines between the points of all ranks, from recall 0 with this precision, or without it."""

    def area(rel: Array, k: int, n_relevant: int) -> float:
        if n_relevant == 0:
            return math.nan
        precision, recall = _rank_precisions(rel, k), (rel[:k] > 0).cumsum() / n_relevant
        if start is not None:
            precision, recall = np.r_[start, precision], np.r_[0, recall]
        return float(np.trapezoid(precision, recall))

    return area


_HITS = (_rng.random(60) < 0.2).astype(int)

AVERAGE_PRECISION = Exercise(
    name="average_precision",
    title="average precision of one list (平均精确率)",
    task=(
        LIST,
        BINARY,
        CUT,
        "n_relevant is the number of relevant items that exist, whether they are in the list or not.",
        "Return one number: the sum of the precisions at the ranks of the relevant items among the first k, divided by "
        "n_relevant.",
        "k beyond the list: look at the whole list. No relevant item in the first k: 0.",
        "n_relevant = 0: the value is 0/0; return nan or raise a ValueError.",
    ),
    reference=ap_at_k,
    cases=(
        Case("hits at ranks 1, 3 and 5", "The precisions at the hits are 1/1, 2/3 and 3/5.", ([1, 0, 1, 0, 1], 5, 3)),
        Case(
            "a relevant item is missing from the list",
            "It counts as a precision of 0; else short lists would win.",
            ([1, 1, 0, 0, 0], 5, 3),
        ),
        Case("a cut between the hits", "Hits below the cut are not found.", ([0, 1, 0, 0, 1, 1], 4, 3)),
        Case(
            "more relevant items than ranks",
            "The divisor stays n_relevant: a full top k need not reach 1.",
            ([1, 1, 0, 1], 2, 5),
        ),
        Case("k beyond the list", "Ranks that do not exist hold no hit.", ([0, 1], 10, 2)),
        Case("everything found at the top", "All precisions are 1.", ([1, 1, 1, 0, 0], 5, 3)),
        Case("no hit", "Relevant items exist, none is found: 0, and defined.", ([0, 0, 0], 3, 2)),
        Case("graded relevance", "A grade above 0 is one relevant item.", ([2, 0, 3, 1], 4, 4)),
        Case("a grade of one half", "It is above 0, and so it is relevant.", ([0.5, 0, 1, 0.5], 4, 3)),
        Case("a negative grade", "It is not 0, and still not relevant.", ([-1, 1, -2, 1], 4, 2)),
        Case("no relevant item exists", "Nothing could be found: 0/0.", ([0, 0, 0], 3, 0)),
        Case("60 items, k = 40", "Twenty relevant items exist, not all in the list.", (_HITS, 40, 20)),
    ),
    hints=(
        "Go down the list and count hits. Only at a hit you take the precision: hits so far over rank.",
        "Ranks start at 1, and ranks without a hit add nothing to the sum.",
        "Divide by n_relevant: not by k, not by the hits found, not by the smaller of two.",
    ),
    approaches=(
        Approach(
            ap_by_loop,
            "One pass with two accumulators.",
            "O(k) time, O(1) memory",
            "returns nan without relevant items: the caller must skip it in a mean",
        ),
        Approach(
            ap_by_arrays,
            "The j-th hit at rank r adds j / r.",
            "O(k) time and memory, no loop in Python",
            "takes one list; a batch needs a cumulative sum along the ranks",
        ),
        Approach(
            ap_by_recall_steps,
            "The area under the stepwise precision-recall curve: recall rises by 1 / n_relevant at each hit.",
            "O(k) time and memory",
            "the trapezoidal rule in place of the steps gives another number",
        ),
    ),
    model=ap_as,
    factors=(
        Factor(
            "divisor",
            {
                "you divided by the hits found, not by the relevant items: a missing item costs nothing.": (
                    lambda n, k, hits, rel: hits.sum() or 1
                ),
                "you divided by k; the divisor is the number of relevant items.": [
                    lambda n, k, hits, rel: k,
                    lambda n, k, hits, rel: min(k, len(rel)),
                ],
                "you divided by the smaller of k and n_relevant; the task asks for n_relevant.": (
                    lambda n, k, hits, rel: min(k, n)
                ),
                "you divided by the greater of k and n_relevant; the task asks for n_relevant.": (
                    lambda n, k, hits, rel: max(k, n)
                ),
                "you divided by the relevant items in the list; n_relevant counts those outside it, too.": [
                    lambda n, k, hits, rel: _found(rel, len(rel)) or 1,
                    lambda n, k, hits, rel: _found(rel, len(rel)),
                ],
                "you divided by the length of the list; the divisor is the number of relevant items.": (
                    lambda n, k, hits, rel: len(rel)
                ),
                "the sum of the precisions is not divided by the number of relevant items.": (
                    lambda n, k, hits, rel: 1
                ),
            },
        ),
        Factor(
            "value",
            {
                "ranks start at 0 here; they start at 1.": [
                    lambda number, rank: number / (rank - 1),
                    lambda number, rank: [n / (r - 1) for n, r in zip(number.tolist(), rank.tolist(), strict=True)],
                ],
                "ranks start at 2 here: an index that starts at 1 needs no + 1.": (
                    lambda number, rank: number / (rank + 1)
                ),
                "a hit is counted after its precision is taken; it is one of the hits so far.": (
                    lambda number, rank: (number - 1) / rank
                ),
                "one over the rank is added at each hit; the precision there is hits so far over rank.": (
                    lambda number, rank: 1 / rank
                ),
                "the discount of NDCG, 1 / log2(rank + 1), is added at each hit; the precision there is hits over "
                "rank.": (lambda number, rank: 1 / np.log2(rank + 1)),
            },
        ),
        Factor(
            "counted",
            {
                "only the first hit counts: does the return stand inside the loop?": (lambda values: values[:1]),
                "this is the precision at the last hit; the precisions at all hits are added.": (
                    lambda values: values[-1:]
                ),
            },
        ),
        Factor("cut", CUTS),
        Factor("relevant", RELEVANT),
    ),
    nothing="no relevant item; nothing could be found, so the value is 0/0",
    singular=(
        Mistake(
            "the first rank is not looked at: the loop begins with the second.",
            (lambda rel, k, n: ap_as(np.r_[0, rel[1:]], k, n),),
        ),
        Mistake(
            "you averaged the precisions of all ranks; only those of the hits count.",
            (
                _mean_of_precisions,
                lambda rel, k, n: _mean_of_precisions(rel, k, n, k),
                lambda rel, k, n: _mean_of_precisions(rel, k, n, n),
            ),
        ),
        Mistake(
            "grades are added up as if they were hits; a grade above 0 is one relevant item.",
            (_graded(np.asarray), _graded(lambda top: top > 0)),
        ),
        Mistake(
            "the precision is interpolated: at each hit stands the greatest precision from there on.",
            (_interpolated,),
        ),
        Mistake("this is the mean of interpolated precisions at eleven levels of recall.", (_eleven_points,)),
        Mistake(
            "the area is made of trapezoids; average precision is the area of the steps, without interpolation.",
            (_trapezoidal(1), _trapezoidal(0), _trapezoidal(None)),
        ),
        Mistake(
            "this is R-precision, the precision at rank n_relevant.",
            (lambda rel, k, n: ratio(_found(rel, n), n), lambda rel, k, n: ratio(_found(rel, min(n, k)), n)),
        ),
        Mistake(
            "this is recall at k: the ranks of the hits play no part.",
            (lambda rel, k, n: ratio(_found(rel, k), n),),
        ),
        Mistake(
            "this is precision at k: the ranks of the hits play no part.",
            (lambda rel, k, n: _found(rel, k) / k if n else math.nan,),
        ),
        Mistake(
            "this is the reciprocal rank of the first hit; the precisions at all hits are averaged.",
            (lambda rel, k, n: rr(rel, k), lambda rel, k, n: rr(rel, k) if n else math.nan),
        ),
    ),
)


# ---- reciprocal rank --------------------------------------------------------------------------------------------


def rr(rel: Array, k: int) -> float:
    return float(reciprocal_rank(rel, k))


def rr_by_loop(rel: Array, k: int) -> float:
    for rank, value in enumerate(rel[:k], start=1):
        if value > 0:
            return 1 / rank
    return 0.0


def rr_by_arrays(rel: Array, k: int) -> float:
    relevant = rel[:k] > 0
    return 1 / (int(relevant.argmax()) + 1) if relevant.any() else 0.0


def rr_as(
    rel: Array,
    k: int,
    *,
    relevant: Callable[[Array], Array] = lambda rel: rel > 0,
    cut: Cut = _cut,
    rank: Callable[[list[int], Array], int] = lambda ranks, rel: ranks[0],
    value: Callable[[int, Array], float] = lambda rank, rel: 1 / rank,
    none: Callable[[int, Array], float] = lambda k, rel: 0.0,
) -> float:
    """A value of one of the ranks of the hits, or what a list without a hit counts."""
    ranks = [int(rank) for rank in np.flatnonzero(relevant(cut(rel, k))) + 1]
    return float(value(rank(ranks, rel), rel)) if ranks else none(k, rel)


def _ranks(rel: Array, k: int) -> list[int]:
    return [int(rank) for rank in np.flatnonzero(rel[:k] > 0) + 1]


def _no_more(k: int, rel: Array) -> float:
    """As a loop over k ranks of a list that may be shorter."""
    if k > len(rel):
        raise IndexError
    return 0.0


def _no_first(k: int, rel: Array) -> float:
    raise IndexError


_LATE = np.r_[np.zeros(36), (_rng.random(64) < 0.3)].astype(int)
_LATE[36] = 1

RECIPROCAL_RANK = Exercise(
    name="reciprocal_rank",
    title="reciprocal rank of one query (倒数排名)",
    task=(
        LIST,
        BINARY,
        CUT,
        "Return one number: one over the rank of the first relevant item among the first k.",
        "No relevant item in the first k: 0.",
        "k beyond the list: look at the whole list.",
    ),
    reference=rr,
    cases=(
        Case("first hit at rank 3", "Later hits do not matter.", ([0, 0, 1, 1, 0], 5)),
        Case("hit at the first rank", "The best there is: 1.", ([1, 0, 1], 3)),
        Case("no hit", "0, and the query counts in the mean.", ([0, 0, 0], 3)),
        Case("a hit just below the cut", "What stands at rank k + 1 was not seen.", ([0, 0, 1], 2)),
        Case("a hit at the cut", "Rank k itself is seen.", ([0, 0, 1, 1], 3)),
        Case("k beyond the list", "Ranks that do not exist hold no hit.", ([0, 1], 10)),
        Case("no hit and k beyond the list", "The list ends before the cut: 0.", ([0, 0], 5)),
        Case("graded relevance", "Any grade above 0 is relevant, not only the highest.", ([0, 2, 0, 3], 4)),
        Case("a grade of one half", "It is above 0, and so it is relevant.", ([0, 0.5, 0, 1], 4)),
        Case("a negative grade", "It is not 0, and still not relevant.", ([-1, 0, 1, 0], 4)),
        Case("100 items", "The first hit is far down.", (_LATE, 100)),
    ),
    hints=(
        "Only the first hit matters: stop there.",
        "Ranks start at 1; Python's indices do not.",
        "After a loop that found nothing, return 0.",
    ),
    approaches=(
        Approach(
            rr_by_loop, "Go down the list and return at the first hit.", "O(k) time, O(1) memory", "one list at a time"
        ),
        Approach(
            rr_by_arrays,
            "argmax of a boolean array is the index of the first True.",
            "O(k) time and memory; with axis=-1 for a batch, too",
            "argmax is 0 where nothing is true: without any() a list without a hit would count 1",
        ),
    ),
    model=rr_as,
    factors=(
        Factor("relevant", RELEVANT),
        Factor(
            "cut",
            {
                "a hit below the cut is counted: k is ignored, or the cut comes one rank late.": (lambda rel, k: rel),
                "the cut comes one rank early: rank k itself is seen.": (lambda rel, k: _cut(rel, k - 1)),
            },
        ),
        Factor(
            "rank",
            {
                "this is the rank of the last hit; the first one counts.": (lambda ranks, rel: ranks[-1]),
                "this is the rank of the highest grade; the first grade above 0 counts.": (
                    lambda ranks, rel: max(ranks, key=lambda rank: float(rel[rank - 1]))
                ),
            },
        ),
        Factor(
            "value",
            {
                "this is the rank; the value is one over it.": (lambda rank, rel: rank),
                "ranks start at 0 here; they start at 1.": [
                    lambda rank, rel: 1 / (rank - 1),
                    lambda rank, rel: 1 / (rank - 1) if rank > 1 else math.inf,
                ],
                "ranks start at 2 here: an index that starts at 1 needs no + 1.": (lambda rank, rel: 1 / (rank + 1)),
                "the grade is divided by the rank; the grade plays no part beyond being above 0.": (
                    lambda rank, rel: rel[rank - 1] / rank
                ),
                "this is one over the square of the rank.": (lambda rank, rel: rank**-2),
                "the discount is 1 / log2(rank + 1), that of NDCG; here it is 1 / rank.": (
                    lambda rank, rel: 1 / math.log2(rank + 1)
                ),
                "only a hit at the first rank counts: does the loop return 0 too early, or is // written for /?": (
                    lambda rank, rel: 1 // rank
                ),
                "this is 1 wherever there is a hit, the hit rate; the value is one over its rank.": (
                    lambda rank, rel: 1
                ),
            },
        ),
        Factor(
            "none",
            {
                "a list without a hit counts 1 here: argmax is 0 where nothing is true.": (lambda k, rel: 1.0),
                "a list without a hit is undefined here; it counts 0.": [lambda k, rel: math.nan, _no_first],
                "a list without a hit counts -1 here; it counts 0.": lambda k, rel: -1.0,
                "a list without a hit is infinite here; it counts 0.": (lambda k, rel: math.inf),
                "a list without a hit counts as if the hit stood just below the cut; it counts 0.": [
                    lambda k, rel: 1 / (k + 1),
                    lambda k, rel: 1 / (len(rel) + 1),
                ],
                "a list without a hit counts as if the hit stood at the cut; it counts 0.": [
                    lambda k, rel: 1 / k,
                    lambda k, rel: 1 / len(rel),
                ],
                "k beyond the list is not handled: there is no item at these ranks.": _no_more,
            },
        ),
    ),
    singular=(
        Mistake(
            "the reciprocal ranks of all hits are averaged; only the first one counts.",
            (lambda rel, k: float(np.mean([1 / rank for rank in _ranks(rel, k)] or [0.0])),),
        ),
        Mistake(
            "the reciprocal ranks of all hits are added; only the first one counts.",
            (lambda rel, k: sum(1 / rank for rank in _ranks(rel, k)),),
        ),
        Mistake(
            "the list is read from its end; the best-ranked item comes first.",
            (lambda rel, k: rr(rel[:k][::-1], k), lambda rel, k: rr(rel[::-1], k)),
        ),
        Mistake(
            "the loop begins with the second item, and takes its index for the rank.",
            (lambda rel, k: rr(rel[1:k], k) if len(rel[1:k]) else 0.0,),
        ),
        Mistake(
            "this is one over the mean rank of the hits; only the first one counts.",
            (lambda rel, k: 1 / float(np.mean(_ranks(rel, k))) if _ranks(rel, k) else 0.0,),
        ),
        Mistake(
            "argmax of the grades is 0 where none is above 0, and finds the highest one; the first above 0 counts.",
            (lambda rel, k: 1 / (int(rel[:k].argmax()) + 1),),
        ),
    ),
)


# ---- hit rate ---------------------------------------------------------------------------------------------------

Three = tuple[float, float, float]


def hit_rate(rel: Array, k: int, n_relevant: Array) -> Three:
    kept = n_relevant > 0
    if not kept.any():
        return math.nan, math.nan, math.nan
    rel, n_relevant = rel[kept], n_relevant[kept]
    hits = (rel[:, :k] > 0).sum(axis=1)
    precision, recall = precision_at_k(rel, k), recall_at_k(rel, k, n_relevant=n_relevant)
    return hit_ratio(hits, n_relevant, definition="any"), float(np.mean(precision)), float(np.mean(recall))


def hit_rate_by_loop(rel: Array, k: int, n_relevant: Array) -> Three:
    users, with_hit, precision, recall = 0, 0, 0.0, 0.0
    for ranked, total in zip(rel, n_relevant, strict=True):
        if total == 0:
            continue
        hits = sum(value > 0 for value in ranked[:k])
        users += 1
        with_hit += hits > 0
        precision += hits / k
        recall += hits / total
    if users == 0:
        raise ValueError("no user has a relevant item")
    return with_hit / users, precision / users, recall / users


def hit_rate_by_arrays(rel: Array, k: int, n_relevant: Array) -> Three:
    kept = n_relevant > 0
    if not kept.any():
        return math.nan, math.nan, math.nan
    hits = (rel[kept, :k] > 0).sum(axis=1)
    recall = (hits / n_relevant[kept]).mean()
    return float((hits > 0).mean()), float(hits.mean() / k), float(recall)


PerUser = Callable[[Array, Array, int, Array], Array]


def _mean(values: Array) -> float:
    return float(np.mean(values)) if len(values) else math.nan


def _pooled(hits: Array, n_relevant: Array, k: int, rel: Array) -> Array:
    return np.full(1, ratio(hits.sum(), n_relevant.sum())) if len(hits) else hits


def hit_rate_as(
    rel: Array,
    k: int,
    n_relevant: Array,
    *,
    relevant: Callable[[Array], Array] = lambda rel: rel > 0,
    cut: Cut = lambda rel, k: rel[:, : max(k, 0)],
    users: Callable[[Array, Array, int], Array] = lambda n, rel, k: n > 0,
    rate: PerUser = lambda hits, n, k, rel: hits > 0,
    precision: PerUser = lambda hits, n, k, rel: hits / k,
    recall: PerUser = lambda hits, n, k, rel: hits / np.maximum(n, 1),
    mean: Callable[[Array], float] = _mean,
    order: tuple[int, ...] = (0, 1, 2),
) -> list[float]:
    """The means over some users of three values for each of them, of their hits and their relevant items."""
    kept = users(n_relevant, rel, k)
    hits = relevant(cut(rel[kept], k)).sum(axis=1)
    per_user = (value(hits, n_relevant[kept], k, rel[kept]) for value in (rate, precision, recall))
    values = [average(value) for average, value in zip((_mean, mean, mean), per_user, strict=True)]
    return [values[place] for place in order]


def _all_users(rel: Array, k: int, n_relevant: Array) -> Three:
    hits = (rel[:, :k] > 0).sum(axis=1)
    recall = hits / np.maximum(n_relevant, 1)
    return float((hits > 0).mean()), float(hits.mean() / k), float(recall.mean())


def _all_users_but_recall(rel: Array, k: int, n_relevant: Array) -> Three:
    """Those without relevant items are left out of recall only."""
    rate, precision, _ = _all_users(rel, k, n_relevant)
    return rate, precision, hit_rate(rel, k, n_relevant)[2]


def _all_users_with_nan(rel: Array, k: int, n_relevant: Array) -> Three:
    rate, precision, recall = _all_users(rel, k, n_relevant)
    return rate, precision, recall if n_relevant.all() else math.nan


def _summed_over_users(rel: Array, k: int, n_relevant: Array) -> Three:
    kept = n_relevant > 0
    hits = (rel[kept, :k] > 0).sum(axis=0)
    recall = (hits[: min(len(hits), kept.sum())] / n_relevant[kept][: len(hits)]).mean()
    return float((hits > 0).mean()), float((hits / k).mean()), float(recall)


_N_RELEVANT = _rng.integers(0, 8, 60)
_LISTS = np.array([_rng.permutation([1] * min(n, 5) + [0] * (12 - min(n, 5))) for n in _N_RELEVANT.tolist()])

HIT_RATE = Exercise(
    name="hit_rate",
    title="hit rate, precision and recall at k (命中率、前 k 位精确率与召回率)",
    task=(
        "rel is a matrix: one row for each user, the relevance of the user's list in ranked order; ranks start at 1.",
        BINARY,
        CUT,
        "n_relevant holds each user's number of relevant items, in the list or not.",
        "Return three numbers in this order: the hit rate (share of users with at least one relevant item among the "
        "first k), the mean over users of precision at k (hits / k), the mean of recall at k (hits / n_relevant).",
        "k beyond the list: the list ends, but precision still divides by k.",
        "Users with n_relevant = 0 are left out of all three. If no user is left the values are 0/0: return three "
        "nans or raise a ValueError.",
    ),
    reference=hit_rate,
    cases=(
        Case(
            "three users",
            "One user has two hits, one has one, one has none.",
            ([[1, 0, 1, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 1]], 3, [2, 2, 1]),
        ),
        Case("k = 1", "Only the first item counts.", ([[1, 1], [0, 1], [1, 0]], 1, [2, 1, 1])),
        Case(
            "relevant items outside the list",
            "Recall divides by all that exist, not by what was listed.",
            ([[1, 1, 0], [1, 0, 0]], 2, [4, 5]),
        ),
        Case(
            "k beyond the list",
            "Precision still divides by k: a short list is no merit.",
            ([[1, 0, 1], [0, 1, 0]], 5, [2, 3]),
        ),
        Case("more relevant items than ranks", "Recall cannot reach 1.", ([[1, 1], [1, 0]], 2, [8, 3])),
        Case("nobody is hit", "All three are 0, and defined.", ([[0, 0, 1], [0, 0, 1]], 2, [1, 1])),
        Case(
            "a list with nothing relevant",
            "Relevant items exist and none was listed: the user counts, with zeros.",
            ([[1, 0], [0, 0]], 2, [1, 3]),
        ),
        Case("graded relevance", "A grade above 0 is one hit.", ([[3, 0, 2], [0, 2, 0]], 2, [2, 1])),
        Case("a grade of one half", "It is above 0, and so it is a hit.", ([[0.5, 0, 1], [0, 0.5, 0]], 2, [2, 1])),
        Case("a negative grade", "It is not 0, and still no hit.", ([[-1, 1, -1], [-2, 0, 1]], 2, [1, 2])),
        Case(
            "a user without relevant items",
            "No list can satisfy this user, who would only lower the means.",
            ([[1, 0], [0, 0], [0, 1]], 2, [1, 0, 2]),
        ),
        Case("no user with relevant items", "Nobody is left to average over.", ([[0, 0], [0, 0]], 2, [0, 0])),
        Case("60 users", "Different numbers of relevant items, some zero.", (_LISTS, 6, _N_RELEVANT)),
    ),
    hints=(
        "Count for each user the hits among the first k items. All three numbers come from these counts.",
        "The hit rate asks only whether there is a hit; it does not count hits.",
        "Average over users last: hits / k and hits / n_relevant first, user by user.",
    ),
    approaches=(
        Approach(
            hit_rate_by_loop,
            "One pass over the users with four accumulators.",
            "O(users * k) time, O(1) memory",
            "slow in Python for millions of users",
        ),
        Approach(
            hit_rate_by_arrays,
            "One vector of hits for all users, three means.",
            "O(users * k) time, O(users) memory",
            "lists of different length must be padded with 0",
        ),
    ),
    model=hit_rate_as,
    factors=(
        Factor(
            "rate",
            {
                "the hit rate is pooled: hits over relevant items is recall; a user counts once, hit or not.": _pooled,
                "hits are counted, not users with a hit: this hit rate can exceed 1.": (lambda hits, n, k, rel: hits),
                "the hit rate is not cut at k: hits further down are counted.": (
                    lambda hits, n, k, rel: (rel > 0).any(axis=1)
                ),
                "a user counts only with all relevant items found; one among the first k is enough.": (
                    lambda hits, n, k, rel: hits == n
                ),
                "the hit rate asks for a hit at the last rank; one among the first k is enough.": (
                    lambda hits, n, k, rel: rel[:, :k][:, -1] > 0
                ),
                "the hit rate asks for a hit at the first rank; one among the first k is enough.": (
                    lambda hits, n, k, rel: rel[:, 0] > 0
                ),
            },
        ),
        Factor(
            "precision",
            {
                "precision divides by the length of the list where k is beyond it; it still divides by k.": (
                    lambda hits, n, k, rel: hits / min(k, rel.shape[1])
                ),
                "precision divides by the smaller of k and n_relevant; the task asks for k.": (
                    lambda hits, n, k, rel: hits / np.minimum(k, n)
                ),
                "precision divides by the length of the list; the task asks for k.": (
                    lambda hits, n, k, rel: hits / rel.shape[1]
                ),
            },
        ),
        Factor(
            "recall",
            {
                "recall divides by the relevant items in the list; items outside it count, too.": (
                    lambda hits, n, k, rel: hits / np.maximum((rel > 0).sum(axis=1), 1)
                ),
                "recall divides by the smaller of k and n_relevant; the task asks for n_relevant.": (
                    lambda hits, n, k, rel: hits / np.minimum(k, n)
                ),
                "recall is pooled over the users; average the users' own recalls.": _pooled,
            },
        ),
        Factor(
            "order",
            {
                "precision and recall are swapped.": (0, 2, 1),
                "the three numbers are right and stand in the wrong order; it is hit rate, precision, recall.": [
                    (1, 0, 2),
                    (1, 2, 0),
                    (2, 0, 1),
                    (2, 1, 0),
                ],
            },
        ),
        Factor(
            "users",
            {
                "users without relevant items are counted; leave them out.": [
                    lambda n, rel, k: np.full(len(n), True),
                    lambda n, rel, k: np.full(len(n), n.any()),
                ],
                "users without a hit are left out; n_relevant says who counts.": [
                    lambda n, rel, k: (n > 0) & (rel > 0).any(axis=1),
                    lambda n, rel, k: (n > 0) & (rel[:, :k] > 0).any(axis=1),
                ],
            },
        ),
        Factor(
            "cut",
            {
                "k is ignored: hits below the cut are counted.": (lambda rel, k: rel),
                "the cut comes one rank early: rank k itself counts.": (lambda rel, k: rel[:, : max(k - 1, 0)]),
                "the cut comes one rank late: rank k + 1 is counted.": (lambda rel, k: rel[:, : k + 1]),
            },
        ),
        Factor("relevant", RELEVANT),
        Factor(
            "mean",
            {
                "the medians of the users' values are taken; the task asks for means.": (
                    lambda values: float(np.median(values)) if len(values) else math.nan
                ),
                "precision and recall are added up over the users; the task asks for means.": (
                    lambda values: float(values.sum()) if len(values) else math.nan
                ),
            },
        ),
    ),
    nothing="nobody to average over; the values are 0/0",
    singular=(
        Mistake(
            "users without relevant items are left out of recall only; leave them out of all three.",
            (_all_users_but_recall,),
        ),
        Mistake(
            "users without relevant items are counted in precision; leave them out of all three.",
            (
                lambda rel, k, n: (
                    hit_rate(rel, k, n)[0],
                    float((rel[:, :k] > 0).sum(axis=1).mean() / k) if n.any() else math.nan,
                    hit_rate(rel, k, n)[2],
                ),
            ),
        ),
        Mistake(
            "users without relevant items are counted, and make recall undefined; leave them out.",
            (_all_users_with_nan,),
        ),
        Mistake(
            "k is ignored, and precision divides by the length of the list: hits below the cut are counted.",
            (lambda rel, k, n: hit_rate(rel, max(k, rel.shape[1]), n),),
        ),
        Mistake(
            "the three numbers are added up over the users; the task asks for means.",
            (lambda rel, k, n: np.array(hit_rate(rel, k, n)) * (n > 0).sum(),),
        ),
        Mistake(
            "the hits of a rank are summed over the users (axis=0); sum over the ranks of each user.",
            (_summed_over_users,),
        ),
        Mistake(
            "grades are added up as if they were hits; a grade above 0 is one hit.",
            (
                lambda rel, k, n: (
                    hit_rate(rel, k, n)[0],
                    ratio(rel[n > 0, :k].sum(), k * (n > 0).sum()),
                    ratio((rel[n > 0, :k].sum(axis=1) / n[n > 0]).sum(), (n > 0).sum()),
                ),
            ),
        ),
    ),
)


# ---- expected reciprocal rank -----------------------------------------------------------------------------------


def err(grades: Array, k: int, max_grade: int) -> float:
    return float(expected_reciprocal_rank(grades, k, max_grade=max_grade))


def err_by_loop(grades: Array, k: int, max_grade: int) -> float:
    still_reading, total = 1.0, 0.0
    for rank, grade in enumerate(grades[:k], start=1):
        satisfied = (2 ** int(grade) - 1) / 2**max_grade
        total += still_reading * satisfied / rank
        still_reading *= 1 - satisfied
    return total


def err_by_arrays(grades: Array, k: int, max_grade: int) -> float:
    satisfied = (np.exp2(grades[:k]) - 1) / 2.0**max_grade
    reached = np.r_[1, np.cumprod(1 - satisfied)[:-1]]
    return float((satisfied * reached / np.arange(1, len(satisfied) + 1)).sum())


def err_as(
    grades: Array,
    k: int,
    max_grade: int,
    *,
    top: Callable[[Array, int, int], float] = lambda grades, k, max_grade: max_grade,
    probability: Callable[[Array, float], Array] = lambda grade, top: (np.exp2(grade) - 1) / np.exp2(top),
    reach: Callable[[Array], Array] = lambda p: np.r_[1, np.cumprod(1 - p)[:-1]],
    weight: Callable[[Array], Array] = np.reciprocal,
    cut: Cut = _cut,
    divisor: Callable[[Array, int, int], float] = lambda grades, k, max_grade: 1,
) -> float:
    """The sum of satisfaction times reach times weight."""
    p = probability(cut(grades, k).astype(float), top(grades, k, max_grade))
    reached = reach(p)[: len(p)]
    return ratio((p * reached * weight(np.arange(1.0, len(p) + 1))).sum(), divisor(grades, k, max_grade), 0)


def _whole(formula: Callable[[int, int], float]) -> Callable[[Array, float], Array]:
    """A formula of Python's whole numbers."""
    return lambda grades, top: np.array([formula(int(grade), int(top)) for grade in grades])


def _from_rank_zero(rank: Array) -> Array:
    raise ZeroDivisionError


_WEB = _rng.choice(5, 40, p=[0.5, 0.2, 0.15, 0.1, 0.05])

EXPECTED_RECIPROCAL_RANK = Exercise(
    name="expected_reciprocal_rank",
    title="expected reciprocal rank, ERR@k (期望倒数排名)",
    task=(
        "grades holds the grades of one list in ranked order, whole numbers from 0; ranks start at 1.",
        CUT,
        "max_grade is the highest grade of the scale, whether it occurs in the list or not.",
        "A reader goes down the list and is satisfied by an item of grade g with probability "
        "(2^g - 1) / 2^max_grade, and then stops.",
        "Return one number: the expected value of 1 / rank of the item that satisfies, over the first k ranks; a "
        "reader who is never satisfied counts 0.",
        "k beyond the list: look at the whole list.",
    ),
    reference=err,
    cases=(
        Case("grades 3, 2, 0 of at most 3", "Every grade but 0 may stop the reader.", ([3, 2, 0], 3, 3)),
        Case(
            "the same list on a scale up to 4",
            "The scale belongs to the judgements, not to the list: the same grade satisfies less.",
            ([3, 2, 0], 3, 4),
        ),
        Case("nothing relevant", "Nobody is satisfied: 0, and defined.", ([0, 0, 0], 3, 3)),
        Case("k = 1", "Only the first item.", ([2, 3], 1, 3)),
        Case("a cut before the best item", "What stands below the cut adds nothing.", ([0, 1, 3, 3], 2, 3)),
        Case("k beyond the list", "Ranks that do not exist add nothing.", ([1, 2], 10, 2)),
        Case(
            "one more good item below",
            "Few readers get there: an item is worth less the better those above it are.",
            ([3, 3, 3, 3], 4, 3),
        ),
        Case("the good item last", "Ranks above it lower its weight, grade 0 stops nobody.", ([0, 0, 0, 2], 4, 2)),
        Case("binary grades", "With grades 0 and 1 every hit satisfies every second reader.", ([0, 1, 1, 1], 4, 1)),
        Case("40 items, k = 20", "Most of the value comes from the first ranks.", (_WEB, 20, 4)),
    ),
    hints=(
        "Keep the probability that the reader is still reading; it starts at 1.",
        "At each rank add still_reading * p / rank, and only then multiply still_reading by 1 - p.",
        "p = (2^g - 1) / 2^max_grade: for grade 0 it is 0, and it never reaches 1.",
    ),
    approaches=(
        Approach(
            err_by_loop,
            "One pass that carries the probability of still reading.",
            "O(k) time, O(1) memory",
            "grades that are not whole are cut by int(grade)",
        ),
        Approach(
            err_by_arrays,
            "A cumulative product, shifted by one rank, is the probability of reaching each item.",
            "O(k) time and memory, no loop in Python",
            "without the shift every item is hidden by itself",
        ),
    ),
    model=err_as,
    factors=(
        Factor(
            "top",
            {
                "g_max is taken from the list; it is the top of the scale, max_grade, whatever the list holds.": [
                    lambda grades, k, max_grade: float(grades.max()),
                    lambda grades, k, max_grade: float(grades[:k].max()),
                ],
            },
        ),
        Factor(
            "reach",
            {
                "the reader never stops: weight each item by the probability that it is reached.": np.ones_like,
                "an item's own probability is already taken off when it is reached: only those above it count.": (
                    lambda p: np.cumprod(1 - p)
                ),
                "the probability of still reading is that of passing the item before alone; multiply over all items "
                "above.": (lambda p: np.r_[1, 1 - p[:-1]]),
                "the probability of still reading is multiplied by p, not by 1 - p.": (
                    lambda p: np.r_[1, np.cumprod(p)[:-1]]
                ),
                "the probabilities above are subtracted from 1; the reader goes on with the product of 1 - p.": (
                    lambda p: np.r_[1, 1 - np.cumsum(p)[:-1]]
                ),
            },
        ),
        Factor(
            "weight",
            {
                "the discount is 1 / log2(rank + 1), that of NDCG; here it is 1 / rank.": (
                    lambda rank: 1 / np.log2(rank + 1)
                ),
                "there is no 1 / rank: this is the probability that the reader is satisfied at all.": np.ones_like,
                "the discount is 1 / rank^2; here it is 1 / rank.": (lambda rank: rank**-2),
                "ranks start at 0 here; they start at 1.": [lambda rank: 1 / (rank - 1), _from_rank_zero],
                "ranks start at 2 here: an index that starts at 1 needs no + 1.": (lambda rank: 1 / (rank + 1)),
            },
        ),
        Factor(
            "probability",
            {
                "the probability is divided by 2^max - 1, so that the top grade always satisfies; divide by 2^max.": (
                    lambda grade, top: (np.exp2(grade) - 1) / (np.exp2(top) - 1)
                ),
                "the - 1 is missing in 2^g - 1: even grade 0 satisfies.": (
                    lambda grade, top: np.exp2(grade) / np.exp2(top)
                ),
                "the probability is grade / max_grade; it is (2^g - 1) / 2^max_grade.": (
                    lambda grade, top: grade / top
                ),
                "the probability is not divided by 2^max_grade.": (lambda grade, top: np.exp2(grade) - 1),
                "this is the reciprocal rank of the first grade above 0: an item of a low grade may fail to satisfy.": (
                    lambda grade, top: 1.0 * (grade > 0)
                ),
                "e is raised to the grades; it is (2^g - 1) / 2^max_grade.": (
                    lambda grade, top: (np.exp(grade) - 1) / np.exp(top)
                ),
                "^ is exclusive or in Python, not a power: write 2**g.": [
                    _whole(lambda grade, top: ((2 ^ grade) - 1) / (2 ^ top)),
                    _whole(lambda grade, top: (2 ^ (grade - 1)) / (2 ^ top)),  # how 2 ^ grade - 1 is read
                    _whole(lambda grade, top: ((2 ^ grade) - 1) / 2**top),
                    _whole(lambda grade, top: (2 ^ (grade - 1)) / 2**top),
                ],
                "brackets are missing: in 2**g - 1 / 2**max_grade only the 1 is divided.": (
                    lambda grade, top: np.exp2(grade) - 1 / np.exp2(top)
                ),
                "brackets are missing: 2**(g - 1) stands where 2**g - 1 should.": (
                    lambda grade, top: np.exp2(grade - 1) / np.exp2(top)
                ),
            },
        ),
        Factor("cut", CUTS),
        Factor(
            "divisor",
            {
                "this is divided by the ERR of the ideal order (nERR); the task asks for ERR itself.": [
                    lambda grades, k, max_grade: err(np.sort(grades)[::-1], k, max_grade),
                    lambda grades, k, max_grade: err(np.sort(grades)[::-1], k, max_grade) or math.nan,
                ],
                "the sum is divided by k; the probabilities are weights enough.": [
                    lambda grades, k, max_grade: k,
                    lambda grades, k, max_grade: min(k, len(grades)),
                ],
            },
        ),
    ),
)


# ---- intra-list similarity --------------------------------------------------------------------------------------


def ils(similarity: Array) -> float:
    return float(intra_list_similarity(similarity))


def ils_by_loop(similarity: Array) -> float:
    n = len(similarity)
    if n < 2:
        raise ValueError("a list of one item has no pair")
    total = sum(similarity[i][j] for i in range(n) for j in range(i + 1, n))
    return float(total / (n * (n - 1) / 2))


def ils_by_sums(similarity: Array) -> float:
    n = len(similarity)
    off_diagonal = similarity.sum() - np.trace(similarity)
    return float(off_diagonal / (n * (n - 1))) if n > 1 else math.nan


def ils_by_indices(similarity: Array) -> float:
    pairs = similarity[np.triu_indices(len(similarity), 1)]
    return float(pairs.mean()) if len(pairs) else math.nan


def _upper(similarity: Array) -> Array:
    pairs: Array = similarity[np.triu_indices(len(similarity), 1)]
    return pairs


def _everything(similarity: Array) -> Array:
    return similarity.ravel()


def ils_as(
    similarity: Array,
    *,
    pairs: Callable[[Array], Array] = _upper,
    each: Callable[[Array], Array] = np.asarray,
    total: Callable[[Array], float] = lambda values: float(values.sum()),
    divisor: Callable[[int, Array], float] = lambda n, values: len(values),
    scale: Callable[[float], float] = float,
) -> float:
    """Some entries of the matrix, put together and divided; one item has no pair."""
    values = each(pairs(similarity))
    if len(similarity) < 2:
        return math.nan
    return scale(ratio(total(values), divisor(len(similarity), values), 0))


_items = _rng.normal(size=(12, 5))
_items /= np.linalg.norm(_items, axis=1, keepdims=True)
_COSINES = _items @ _items.T

INTRA_LIST_SIMILARITY = Exercise(
    name="intra_list_similarity",
    title="intra-list similarity, ILS (列表内相似度)",
    task=(
        "similarity is a symmetric matrix: the similarity of each pair of items of one list. It may be negative.",
        "Return one number: the mean over all pairs of different items, each pair counted once.",
        "The diagonal, an item with itself, is no pair; it may hold anything.",
        "One item: there is no pair and the value is 0/0; return nan or raise a ValueError.",
    ),
    reference=ils,
    cases=(
        Case(
            "three items",
            "Three pairs, the diagonal is not among them.",
            ([[1, 0.75, 0.25], [0.75, 1, 0.5], [0.25, 0.5, 1]],),
        ),
        Case("two items", "One pair: its similarity is the value.", ([[1, 0.4], [0.4, 1]],)),
        Case("three copies of one item", "The least diverse list: 1.", ([[1, 1, 1], [1, 1, 1], [1, 1, 1]],)),
        Case(
            "nothing in common",
            "The most diverse list for similarities of at least 0.",
            ([[1, 0, 0], [0, 1, 0], [0, 0, 1]],),
        ),
        Case(
            "some pairs with similarity 0",
            "A pair without similarity is a pair and counts.",
            ([[1, 0, 0.9, 0], [0, 1, 0, 0.3], [0.9, 0, 1, 0], [0, 0.3, 0, 1]],),
        ),
        Case(
            "negative similarities",
            "Cosines may be negative, and count with their sign.",
            ([[1, -0.5, 0.25], [-0.5, 1, -0.25], [0.25, -0.25, 1]],),
        ),
        Case(
            "a diagonal of zeros",
            "Some libraries leave it empty; the value must not change.",
            ([[0, 0.75, 0.25], [0.75, 0, 0.5], [0.25, 0.5, 0]],),
        ),
        Case("one item", "There is no pair.", ([[1.0]],)),
        Case("twelve items", "Cosines of random vectors.", (_COSINES,)),
    ),
    hints=(
        "How many pairs do n items make? Each of them stands twice in the matrix.",
        "Sum above the diagonal only: rows i, columns j > i.",
        "Divide by n (n - 1) / 2; with one item that is 0.",
    ),
    approaches=(
        Approach(
            ils_by_loop,
            "Two loops over i < j.",
            "O(n^2) time, O(1) memory",
            "slow in Python beyond a few hundred items; lists are shorter than that",
        ),
        Approach(
            ils_by_sums,
            "The whole sum less the diagonal, over all ordered pairs: each pair counts twice above and below.",
            "O(n^2) time, O(1) memory, no loop in Python",
            "needs a symmetric matrix",
        ),
        Approach(
            ils_by_indices,
            "Take the entries above the diagonal and average them.",
            "O(n^2) time and memory",
            "np.triu keeps the shape: its mean divides by n^2",
        ),
    ),
    model=ils_as,
    factors=(
        Factor(
            "pairs",
            {
                "the diagonal is counted: an item is not a pair with itself.": [
                    _everything,
                    lambda s: s[np.triu_indices(len(s))],
                ],
                "entries of 1 are taken for the diagonal; two items may be copies, and the diagonal may hold "
                "anything.": [lambda s: s[s < 1], lambda s: s[s != 1] if (s != 1).any() else np.full(1, math.nan)],
                "the last item is compared with none: range(n) already ends at n - 1.": (
                    lambda s: np.r_[_upper(s[:-1, :-1]), np.zeros(len(s) - 1)]
                ),
                "only neighbours in the list are compared; every pair counts.": (lambda s: np.diag(s, 1)),
                "only the first item is compared with the others; every pair counts.": (lambda s: s[0, 1:]),
                "pairs with similarity 0 are left out; they are pairs.": [
                    lambda s: _upper(s)[_upper(s) != 0],
                    lambda s: _upper(s)[_upper(s) != 0] if _upper(s).any() else np.full(1, math.nan),
                ],
                "pairs with a negative similarity are left out; they are pairs.": (lambda s: _upper(s)[_upper(s) > 0]),
            },
        ),
        Factor(
            "each",
            {
                "the similarities are squared before they are averaged.": np.square,
                "the sign of the similarities is lost.": np.abs,
                "negative similarities are cut off at 0; they count with their sign.": (lambda s: np.maximum(s, 0)),
            },
        ),
        Factor(
            "total",
            {
                "this is the median over the pairs; the task asks for the mean.": (
                    lambda values: float(np.median(values)) * len(values)
                ),
                "this is the greatest similarity of a pair; the task asks for the mean.": (
                    lambda values: float(values.max()) * len(values)
                ),
                "this is the least similarity of a pair; the task asks for the mean.": (
                    lambda values: float(values.min()) * len(values)
                ),
                "each pair is counted twice, but the divisor counts it once.": (lambda values: 2 * float(values.sum())),
            },
        ),
        Factor(
            "divisor",
            {
                "this is the sum over the pairs, which grows with the list; the task asks for the mean.": (
                    lambda n, values: 1
                ),
                "each pair is counted once, but the divisor counts it twice.": (lambda n, values: n * (n - 1)),
                "the sum over the pairs is divided by n^2, the size of the matrix; there are n (n - 1) / 2 pairs.": (
                    lambda n, values: n**2
                ),
                "the sum over the pairs is divided by the number of items; there are n (n - 1) / 2 pairs.": (
                    lambda n, values: n
                ),
                "the sum over the pairs is divided by n - 1; there are n (n - 1) / 2 pairs.": (lambda n, values: n - 1),
                "the divisor is n (n + 1) / 2, which counts the diagonal; there are n (n - 1) / 2 pairs.": (
                    lambda n, values: n * (n + 1) / 2
                ),
                "the divisor is n^2 / 2; there are n (n - 1) / 2 pairs.": (lambda n, values: n**2 / 2),
            },
        ),
        Factor("scale", {"this is 1 - ILS, a diversity.": (lambda ils: 1 - ils)}),
    ),
    nothing="one item; without a pair there is no mean",
    singular=(
        Mistake(
            "the diagonal is counted, and for one item, too: an item is not a pair with itself.",
            (lambda s: float(s.mean()),),
        ),
        Mistake(
            "the diagonal is subtracted as n, as if it held ones; it may hold anything.",
            (lambda s: ratio(s.sum() - len(s), len(s) * (len(s) - 1)),),
        ),
        Mistake(
            "the diagonal is added up with the pairs, and not counted in the divisor.",
            (
                lambda s: ratio(s.sum(), len(s) * (len(s) - 1)),
                lambda s: ratio(np.triu(s).sum(), len(s) * (len(s) - 1) / 2),
            ),
        ),
        Mistake(
            "this is the sum over the pairs, 0 for one item; the task asks for the mean.",
            (lambda s: float(_upper(s).sum()),),
        ),
        Mistake(
            "np.triu(s, 1).mean() counts the zeros on and below the diagonal, too, and gives 0 for one item.",
            (lambda s: float(np.triu(s, 1).mean()),),
        ),
    ),
)

EXERCISES = (
    NDCG_AT_K,
    AVERAGE_PRECISION,
    RECIPROCAL_RANK,
    HIT_RATE,
    EXPECTED_RECIPROCAL_RANK,
    INTRA_LIST_SIMILARITY,
)
