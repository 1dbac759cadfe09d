"""NDCG, average precision and the hit rate of ranked lists."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import average_precision, hit_ratio, ndcg, precision_at_k, recall_at_k

LIST = "rel holds the relevance of the items of one list in ranked order, best-ranked first; ranks start at 1."
BINARY = "An item is relevant if its value is above 0: 0.5 is relevant, -1 is not. The value plays no other part."
RANKS = "k, at least 1, is the number of ranks to look at."
HALF = "a value between 0 and 1 is not taken as relevant (cut to a whole number, or compared with 1); it is above 0."
IGNORED = "k is ignored: items below the cut are counted."
EARLY = "the cut comes one rank early: rank k itself counts."
LATE = "the cut comes one rank late: rank k + 1 is counted."
BEYOND = "k beyond the list is not handled: there is no item at these ranks."
RELEVANT = {
    "only a grade of exactly 1 is taken as relevant; any grade above 0 is.": ("value > 0 -> value == 1",),
    HALF: ("value > 0 -> value >= 1",),
    "a negative value is taken as relevant (any value but 0 counts as true); compare with > 0.": (
        "value > 0 -> value != 0",
    ),
    "only a grade above 1 is taken as relevant; any grade above 0 is.": ("value > 0 -> value > 1",),
    "an item of grade 0 is taken as relevant (>= 0); compare with > 0.": ("value > 0 -> value >= 0",),
}

# ---- NDCG -------------------------------------------------------------------------------------------------------


def ndcg_by_loop(rel: Array, k: int) -> float:
    def dcg(grades: Array | list[float]) -> float:
        total = 0.0
        for rank, grade in enumerate(grades[:k], start=1):
            total += grade / math.log2(rank + 1)
        return total

    ideal = dcg(sorted(rel, reverse=True))
    return dcg(rel) / ideal if ideal else math.nan


def ndcg_by_arrays(rel: Array, k: int) -> float:
    discount = 1 / np.log2(np.arange(2, min(k, len(rel)) + 2))
    ideal = np.sort(rel)[::-1][:k] @ discount
    if ideal == 0:
        raise ValueError("no relevant item: NDCG is 0/0")
    return float(rel[:k] @ discount / ideal)


def draw_graded(rng: np.random.Generator, n: int) -> tuple[Array, int]:
    if n >= 100:
        return rng.integers(0, 4, n), n
    grades = rng.choice([0, 0, 1, 2, 3, 5], n) if rng.random() < 0.6 else rng.choice([0, 0.25, 0.5, 0.75, 1.5], n)
    return grades, int(rng.integers(1, n + 3))


NDCG_AT_K = Exercise(
    name="ndcg_at_k",
    title="NDCG@k (归一化折损累计增益)",
    parameters="rel, k",
    task=(
        LIST,
        RANKS,
        "Return one number: DCG@k over ideal DCG@k, where DCG@k is the sum of rel_i / log2(i + 1) over the first k "
        "ranks (the gain is the grade itself, which may be a fraction and is never negative).",
        "The ideal sorts the whole list, not only its first k items, and is cut at k as well.",
        "k beyond the list: look at the whole list.",
        "No relevant item: the value is 0/0; return nan or raise a ValueError.",
    ),
    right=ndcg,
    draw=draw_graded,
    zero="nothing is relevant",
    cases=(
        ("six graded items", ([3, 2, 3, 0, 1, 2], 6), "The whole list: only the order costs something."),
        ("cut at rank 3", ([1, 0, 2, 3, 2, 3], 3), "The ideal may take items from below the cut."),
        ("k = 1", ([1, 3, 2], 1), "Only the first item counts, against the best of the list."),
        ("k beyond the list", ([2, 0, 3], 10), "Ranks that do not exist add nothing."),
        ("the ideal order", ([3, 3, 2, 1, 0], 5), "Nothing can be better: 1."),
        ("the reverse order", ([0, 1, 2, 3], 4), "The lowest value of this list; it is not 0."),
        ("relevant items below the cut only", ([0, 0, 3, 1], 2), "DCG is 0 and the ideal is not: 0, and defined."),
        ("binary relevance", ([0, 1, 1, 0, 1], 4), "For grades 0 and 1 all gains agree."),
        ("grades with fractions", ([0.5, 2, 1.5, 0, 0.25], 4), "Means of several judges need not be whole."),
        ("grades below 1", ([0.2, 0.0, 0.6], 2), "Small grades are grades."),
        ("nothing relevant", ([0, 0, 0], 3), "No order is better than another: 0/0."),
        ("50 items, k = 10", ([0, 1, 0, 0, 2, 0, 3, 0, 0, 1] * 5, 10), "Most relevant items are below the cut."),
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
    mistakes={
        "the gain is 2^rel - 1 here; the task asks for the grade itself.": ("+= grade / -> += (2.0**grade - 1) /",),
        "grades are taken as 0 or 1; the gain is the grade itself.": ("+= grade / -> += (grade > 0) /",),
        "grades are cut to whole numbers; the gain is the grade itself, fraction and all.": (
            "+= grade / -> += int(grade) /",
            "+= grade / -> += round(grade) /",
        ),
        "ranks start at 0: log2(0 + 1) is 0, and the first rank divides by it.": (
            "start=1 -> start=0",
            "math.log2(rank + 1) -> np.log2(rank)",
        ),
        "the discount starts one rank late, at log2(3); with ranks from 1 it is log2(i + 1).": ("start=1 -> start=2",),
        "the discount is 1 / log2(i) with ranks 1 and 2 in full, as in the first paper; the task asks for "
        "log2(i + 1).": ("math.log2(rank + 1) -> max(math.log2(rank), 1)",),
        "the discount is 1 / i; the task asks for 1 / log2(i + 1).": ("math.log2(rank + 1) -> rank",),
        "the discount is 1 / (i + 1); the task asks for 1 / log2(i + 1).": ("math.log2(rank + 1) -> (rank + 1)",),
        "there is no discount: the sums of grades are compared, whatever their order.": ("/ math.log2(rank + 1) -> ",),
        IGNORED: ("grades[:k] -> grades",),
        EARLY: ("grades[:k] -> grades[:k - 1]",),
        LATE: ("grades[:k] -> grades[:k + 1]",),
        BEYOND: (" in enumerate(grades[:k], start=1) ->  in ((i + 1, grades[i]) for i in range(k))",),
        "the ideal is taken from the cut list: items below the cut cost nothing. Sort the whole list.": (
            "sorted(rel, -> sorted(rel[:k],",
            "sorted(rel, -> sorted(rel[:k], ;; if ideal else math.nan -> if ideal else 0.0",
        ),
        "the ideal holds ones; it holds the grades of the list, sorted.": (
            "sorted(rel, reverse=True) -> [1] * len(rel)",
            "sorted(rel, reverse=True) -> [1] * k",
            "sorted(rel, reverse=True) -> [1] * int((rel > 0).sum())",
        ),
        "the ideal is sorted the wrong way round, from the lowest grade up.": (
            "reverse=True -> reverse=False",
            "reverse=True -> reverse=False ;; if ideal else math.nan -> if ideal else 0.0",
        ),
        "the ideal is not sorted: every list is its own ideal.": ("sorted(rel, reverse=True) -> rel",),
        "the ideal is not cut at k, so that even a perfect top k stays below 1.": (
            "in enumerate(grades[:k], start=1) -> in enumerate(grades, start=1) ;; dcg(rel) / -> dcg(rel[:k]) /",
        ),
        "the cut is missing in the list, not in its ideal: items below the cut are counted, and it can exceed 1.": (
            "in enumerate(grades[:k], start=1) -> in enumerate(grades, start=1) ;; reverse=True) -> reverse=True)[:k]",
        ),
        "this is DCG: it is not divided by its ideal.": ("dcg(rel) / ideal if ideal else math.nan -> dcg(rel)",),
        "a list whose best grade is below 1 is taken for one without a relevant item.": (
            "if ideal else -> if max(rel) >= 1 else",
        ),
    },
)

# ---- average precision ------------------------------------------------------------------------------------------


def ap_right(rel: Array, k: int, n_relevant: int) -> float:
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


def draw_hits(rng: np.random.Generator, n: int) -> tuple[Array, int, int]:
    values = np.array([[0, 0, 1, 1], [0, 1, 2, 3], [0, 0, 0.5, 1], [-1, 0, 1, 2]][rng.integers(4)])
    rel = rng.choice(values, n)
    return rel, n if n >= 100 else int(rng.integers(1, n + 3)), int((rel > 0).sum() + rng.integers(0, 3))


AP_MEAN = "total / n_relevant if"
AVERAGE_PRECISION = Exercise(
    name="average_precision",
    title="average precision of one list (平均精确率)",
    parameters="rel, k, n_relevant",
    task=(
        LIST,
        BINARY,
        RANKS,
        "n_relevant is the number of relevant items that exist, whether they are in the list or not.",
        "Return one number: the sum of the precisions at the ranks of the relevant items among the first k, divided by "
        "n_relevant.",
        "k beyond the list: look at the whole list. No relevant item in the first k: 0.",
        "n_relevant = 0: the value is 0/0; return nan or raise a ValueError.",
    ),
    right=ap_right,
    draw=draw_hits,
    zero="no relevant item exists",
    cases=(
        ("hits at ranks 1, 3 and 5", ([1, 0, 1, 0, 1], 5, 3), "The precisions at the hits are 1/1, 2/3 and 3/5."),
        ("a relevant item is missing from the list", ([1, 1, 0, 0, 0], 5, 3), "It counts as a precision of 0."),
        ("a cut between the hits", ([0, 1, 0, 0, 1, 1], 4, 3), "Hits below the cut are not found."),
        ("more relevant items than ranks", ([1, 1, 0, 1], 2, 5), "A full top k need not reach 1."),
        ("k beyond the list", ([0, 1], 10, 2), "Ranks that do not exist hold no hit."),
        ("everything found at the top", ([1, 1, 1, 0, 0], 5, 3), "All precisions are 1."),
        ("no hit", ([0, 0, 0], 3, 2), "Relevant items exist, none is found: 0, and defined."),
        ("graded relevance", ([2, 0, 3, 1], 4, 4), "A grade above 0 is one relevant item."),
        ("a grade of one half", ([0.5, 0, 1, 0.5], 4, 3), "It is above 0, and so it is relevant."),
        ("a negative grade", ([-1, 1, -2, 1], 4, 2), "It is not 0, and still not relevant."),
        ("no relevant item exists", ([0, 0, 0], 3, 0), "Nothing could be found: 0/0."),
        ("60 items, k = 40", ([0, 0, 1, 0, 0, 1] * 10, 40, 20), "Twenty exist, fourteen are above the cut."),
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
    mistakes={
        "you divided by the hits found, not by the relevant items: a missing item costs nothing.": (
            f"{AP_MEAN} -> total / (hits or 1) if",
            f"{AP_MEAN} -> total / hits if",
        ),
        "you divided by k; the divisor is the number of relevant items.": (
            f"{AP_MEAN} -> total / k if",
            f"{AP_MEAN} -> total / min(k, len(rel)) if",
        ),
        "you divided by the smaller of k and n_relevant; the task asks for n_relevant.": (
            f"{AP_MEAN} -> total / min(k, n_relevant) if",
        ),
        "you divided by the relevant items in the list; n_relevant counts those outside it, too.": (
            f"{AP_MEAN} -> total / ((rel > 0).sum() or 1) if",
            f"{AP_MEAN} -> total / (rel > 0).sum() if",
        ),
        "the sum of the precisions is not divided by the number of relevant items.": (f"{AP_MEAN} -> total if",),
        "ranks start at 0 here; they start at 1.": (
            "start=1 -> start=0",
            "hits / rank -> hits / np.float64(rank - 1)",
        ),
        "ranks start at 2 here: an index that starts at 1 needs no + 1.": ("start=1 -> start=2",),
        "only the first hit counts: is the return inside the loop?": ("hits / rank -> hits / rank * (hits == 1)",),
        IGNORED: ("rel[:k] -> rel",),
        EARLY: ("rel[:k] -> rel[:k - 1]",),
        LATE: ("rel[:k] -> rel[:k + 1]",),
        BEYOND: (" in enumerate(rel[:k], start=1) ->  in ((i + 1, rel[i]) for i in range(k))",),
        **RELEVANT,
        "grades are added up as if they were hits; a grade above 0 is one relevant item.": (
            "hits += 1 -> hits += value",
            "hits += 1 -> hits += value ;; hits / rank -> value * hits / rank",
            "hits / rank -> value * hits / rank",
        ),
        "this is recall at k: the ranks of the hits play no part.": ("hits / rank -> 1",),
    },
)

# ---- hit rate ---------------------------------------------------------------------------------------------------


def hit_rate_right(rel: Array, k: int, n_relevant: Array) -> tuple[float, float, float]:
    kept = n_relevant > 0
    if not kept.any():
        return math.nan, math.nan, math.nan
    hits = (rel[kept, :k] > 0).sum(axis=1)
    recall = recall_at_k(rel[kept], k, n_relevant=n_relevant[kept])
    any_hit = hit_ratio(hits, n_relevant[kept], definition="any")
    return any_hit, float(np.mean(precision_at_k(rel[kept], k))), float(np.mean(recall))


def hit_rate_by_loop(rel: Array, k: int, n_relevant: Array) -> tuple[float, float, float]:
    users, with_hit, precision, recall = 0, 0, 0.0, 0.0
    for ranked, total in zip(rel, n_relevant, strict=True):
        if total == 0:
            continue
        hits = sum(1 for value in ranked[:k] if value > 0)
        users += 1
        with_hit += hits > 0
        precision += hits / k
        recall += hits / total
    if users == 0:
        raise ValueError("no user has a relevant item")
    return with_hit / users, precision / users, recall / users


def hit_rate_by_arrays(rel: Array, k: int, n_relevant: Array) -> tuple[float, float, float]:
    kept = n_relevant > 0
    if not kept.any():
        return math.nan, math.nan, math.nan
    hits = (rel[kept, :k] > 0).sum(axis=1)
    recall = (hits / n_relevant[kept]).mean()
    return float((hits > 0).mean()), float(hits.mean() / k), float(recall)


def draw_users(rng: np.random.Generator, n: int) -> tuple[Array, int, Array]:
    if n >= 100:
        return rng.integers(0, 2, (n, 20)), 10, rng.integers(20, 40, n)
    users, width = 1 + n // 2, int(rng.integers(1, n + 2)) if rng.random() < 0.9 else 70
    values = np.array([[0, 0, 0, 1], [0, 0, 1, 3], [0, 0, 0.5, 1], [-1, 0, 1, 1]][rng.integers(4)])
    rel = rng.choice(values, (users, width)) if width < 70 else np.eye(70, dtype=int)[60 : 60 + users]
    n_relevant = (rel > 0).sum(axis=1)
    return (
        rel,
        int(rng.integers(1, width + 3)) if width < 70 else 70,
        n_relevant + rng.integers(0, 3, users) * (rng.random() < 0.7),
    )


SKIP = "if total == 0: -> if False:"
ALL = "return with_hit / users, precision / users, recall / users"
HIT_RATE = Exercise(
    name="hit_rate",
    title="hit rate, precision and recall at k (命中率、前 k 位精确率与召回率)",
    parameters="rel, k, n_relevant",
    task=(
        "rel is a matrix: one row for each user, the relevance of the user's list in ranked order; ranks start at 1.",
        BINARY,
        RANKS,
        "n_relevant holds each user's number of relevant items, in the list or not.",
        "Return three numbers in this order: the hit rate (share of users with at least one relevant item among the "
        "first k), the mean over users of precision at k (hits / k), the mean of recall at k (hits / n_relevant).",
        "k beyond the list: the list ends, but precision still divides by k.",
        "Users with n_relevant = 0 are left out of all three. If no user is left the values are 0/0: return three "
        "nans or raise a ValueError.",
    ),
    right=hit_rate_right,
    draw=draw_users,
    zero="no user has a relevant item",
    cases=(
        ("three users", ([[1, 0, 1, 0, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 1]], 3, [2, 2, 1]), "Two hits, one and none."),
        ("k = 1", ([[1, 1], [0, 1], [1, 0]], 1, [2, 1, 1]), "Only the first item counts."),
        ("relevant items outside the list", ([[1, 1, 0], [1, 0, 0]], 2, [4, 5]), "Recall divides by all that exist."),
        ("k beyond the list", ([[1, 0, 1], [0, 1, 0]], 5, [2, 3]), "Precision divides by k: a short list is no merit."),
        ("more relevant items than ranks", ([[1, 1], [1, 0]], 2, [8, 3]), "Recall cannot reach 1."),
        ("nobody is hit", ([[0, 0, 1], [0, 0, 1]], 2, [1, 1]), "All three are 0, and defined."),
        ("a list with nothing relevant", ([[1, 0], [0, 0]], 2, [1, 3]), "Items exist: the user counts, with zeros."),
        ("graded relevance", ([[3, 0, 2], [0, 2, 0]], 2, [2, 1]), "A grade above 0 is one hit."),
        ("a grade of one half", ([[0.5, 0, 1], [0, 0.5, 0]], 2, [2, 1]), "It is above 0, and so it is a hit."),
        ("a negative grade", ([[-1, 1, -1], [-2, 0, 1]], 2, [1, 2]), "It is not 0, and still no hit."),
        ("a user without relevant items", ([[1, 0], [0, 0], [0, 1]], 2, [1, 0, 2]), "No list can satisfy this user."),
        ("no user with relevant items", ([[0, 0], [0, 0]], 2, [0, 0]), "Nobody is left to average over."),
        ("a hit at rank 60", ([[0] * 59 + [1]], 60, [1]), "k may be large."),
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
    mistakes={
        "the hit rate is pooled: hits over relevant items is recall; a user counts once, hit or not.": (
            "with_hit += hits > 0 -> with_hit += hits ;; with_hit / users -> with_hit / n_relevant.sum()",
        ),
        "hits are counted, not users with a hit: this hit rate can exceed 1.": ("hits > 0 -> hits",),
        "precision divides by the length of the list where k is beyond it; it still divides by k.": (
            "hits / k -> hits / min(k, len(ranked))",
        ),
        "precision divides by the length of the list; the task asks for k.": ("hits / k -> hits / len(ranked)",),
        "recall is pooled over the users; average the users' own recalls.": (
            "hits / total -> hits ;; recall / users -> recall / n_relevant.sum()",
        ),
        "precision and recall are swapped.": (f"{ALL} -> return with_hit / users, recall / users, precision / users",),
        "users without relevant items are counted; leave them out.": (
            f"{SKIP} ;; hits / total -> hits / max(total, 1)",
        ),
        "users without relevant items are left out of recall only; leave them out of all three.": (
            f"{SKIP} ;; hits / total -> hits / max(total, 1) ;; recall / users -> recall / (n_relevant > 0).sum()",
        ),
        IGNORED: ("ranked[:k] -> ranked",),
        EARLY: ("ranked[:k] -> ranked[:k - 1]",),
        LATE: ("ranked[:k] -> ranked[:k + 1]",),
        BEYOND: ("for value in ranked[:k] -> for value in (ranked[i] for i in range(k))",),
        **RELEVANT,
        "the three numbers are added up over the users; the task asks for means.": (" / users -> ",),
        "grades are added up as if they were hits; a grade above 0 is one hit.": (
            "sum(1 for value in ranked[:k] if value > 0) -> ranked[:k].sum()",
        ),
    },
)
