"""Exercises on scores: AUC, grouped AUC, the points of the ROC curve, AUC from a histogram."""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable
from itertools import groupby, pairwise
from typing import Any, Literal

import numpy as np

from metrics_lib.curves import gauc, roc_auc_score, roc_curve
from metrics_lib.practice._engine import Approach, Array, Case, Exercise, Mistake, ratio, reordered

Curve = tuple[Array, Array]
Two = tuple[float, float]
LABELS_AND_SCORES = (
    "y_true holds the labels, 0 or 1, and 1 is the positive class.",
    "y_score holds the scores, finite numbers on any scale; higher means more likely positive.",
)


# ---- AUC --------------------------------------------------------------------------------------------------------


def auc(y_true: Array, y_score: Array) -> float:
    return float(roc_auc_score(y_true, y_score))


def auc_by_pairs(y_true: Array, y_score: Array) -> float:
    positive, negative = y_score[y_true == 1], y_score[y_true == 0]
    if len(positive) == 0 or len(negative) == 0:
        return math.nan
    won = (positive[:, None] > negative).sum()
    tied = (positive[:, None] == negative).sum()
    return float((won + tied / 2) / (len(positive) * len(negative)))


def auc_by_sorting(y_true: Array, y_score: Array) -> float:
    won = below = 0.0
    rows = sorted(zip(y_score, y_true, strict=True))
    for _, tied in groupby(rows, key=lambda row: row[0]):
        labels = [label for _, label in tied]
        positive = sum(labels)
        negative = len(labels) - positive
        won += positive * (below + negative / 2)
        below += negative
    pairs = sum(y_true) * below
    return won / pairs if pairs else math.nan


def auc_by_ranks(y_true: Array, y_score: Array) -> float:
    ordered = np.sort(y_score)
    first = np.searchsorted(ordered, y_score, side="left") + 1
    last = np.searchsorted(ordered, y_score, side="right")
    mean_rank = (first + last) / 2
    n_positive = int((y_true == 1).sum())
    n_negative = len(y_true) - n_positive
    if n_positive == 0 or n_negative == 0:
        return math.nan
    least = n_positive * (n_positive + 1) / 2
    return float((mean_rank[y_true == 1].sum() - least) / (n_positive * n_negative))


def _pairs(y_true: Array, y_score: Array, tie: float) -> float:
    """The share of won pairs, a tie being worth so much."""
    difference = y_score[y_true == 1][:, None] - y_score[y_true == 0]
    return ratio((difference > 0).sum() + tie * (difference == 0).sum(), difference.size)


def _walk(y_true: Array, ascending: Array) -> float:
    """The share of won pairs if the rows had different scores, in this order."""
    labels = y_true[ascending]
    below = np.cumsum(labels == 0)
    return ratio(below[labels == 1].sum(), (labels == 1).sum() * (labels == 0).sum())


def _rank_sum(y_true: Array, y_score: Array, side: Literal["left", "right"]) -> float:
    """The Mann-Whitney statistic with the lowest or the highest rank for all equals."""
    ranks = np.array(np.searchsorted(np.sort(y_score), y_score, side)) + (side == "left")
    n_positive = int((y_true == 1).sum())
    least = n_positive * (n_positive + 1) / 2
    return ratio(ranks[y_true == 1].sum() - least, n_positive * (len(y_true) - n_positive))


def _in_unit_bins(y_true: Array, y_score: Array) -> float:
    return _unit_index(y_true, y_score, 100)[0]


def _in_clipped_bins(y_true: Array, y_score: Array) -> float:
    return _unit_clipped(y_true, y_score, 100)[0]


def _in_histogram(y_true: Array, y_score: Array) -> float:
    return _unit_histogram(y_true, y_score, 100)[0]


def _within_unit(y_true: Array, y_score: Array) -> float:
    inside = (y_score >= 0) & (y_score < 1)
    return auc_by_pairs(y_true[inside], (100 * y_score[inside]).astype(int))


def _on_grid(y_true: Array, y_score: Array, *, start: bool) -> float:
    """The area under the points of 101 thresholds, from 1 down to 0, with or without (0, 0) before them."""
    cuts = np.r_[[math.inf] if start else [], np.linspace(1, 0, 101)][:, None]
    fpr, tpr = ((y_score[y_true == c] >= cuts).mean(axis=1) for c in (0, 1))
    return float(np.trapezoid(tpr, fpr))


def _rank_formula(y_true: Array, ranks: Array, least: Callable[[int], float]) -> float:
    """The rank sum of the positives less something, over the pairs."""
    positive = int((y_true == 1).sum())
    return ratio(ranks[y_true == 1].sum() - least(positive), positive * (len(y_true) - positive))


def _of_ranks(least: Callable[[int], float]) -> tuple[Callable[[Array, Array], float], ...]:
    """Another number than P (P + 1) / 2 for P positives: with mean ranks, and with the ranks that sorting gives."""

    def mean_ranks(y_true: Array, y_score: Array) -> float:
        low, high = (np.searchsorted(np.sort(y_score), y_score, side) for side in ("left", "right"))
        return _rank_formula(y_true, (low + 1 + high) / 2, least)

    return (
        mean_ranks,
        lambda y, s: _rank_formula(y, np.argsort(np.argsort(s)) + 1, least),
        lambda y, s: _rank_formula(y, np.argsort(np.argsort(s, kind="stable")) + 1, least),
    )


def _area(points: slice) -> Callable[[Array, Array], float]:
    """The area under some of the points of the curve."""

    def area(y_true: Array, y_score: Array) -> float:
        fpr, tpr = roc_points(y_true, y_score)
        return float(np.trapezoid(tpr[points], fpr[points]))

    return area


def _turned_over(value: float) -> float:
    return max(value, 1 - value)


def _without_ties(y_true: Array, y_score: Array) -> float:
    difference = y_score[y_true == 1][:, None] - y_score[y_true == 0]
    return ratio((difference > 0).sum(), (difference != 0).sum())


def _of_dense_ranks(y_true: Array, y_score: Array) -> float:
    dense = np.unique(y_score, return_inverse=True)[1] + 1
    return _rank_formula(y_true, dense, lambda positive: positive * (positive + 1) / 2)


def _pr_area(steps: bool) -> Callable[[Array, Array], float]:
    """The area under the precision-recall curve."""

    def area(y_true: Array, y_score: Array) -> float:
        accepted = y_score >= np.unique(y_score)[::-1, None]
        tp = (accepted & (y_true == 1)).sum(axis=1)
        precision, recall = np.r_[1, tp / accepted.sum(axis=1)], np.r_[0, tp / (y_true == 1).sum()]
        height = precision[1:] if steps else (precision[1:] + precision[:-1]) / 2
        return float((np.diff(recall) * height).sum())

    return area


def _both_classes(metric: Callable[[Array, Array], float]) -> Callable[[Array, Array], float]:
    return lambda y, s: metric(y, s) if 0 < y.sum() < len(y) else math.nan


def _over_all_pairs(pairs: Callable[[int], float]) -> tuple[Callable[[Array, Array], float], ...]:
    """The won pairs over the pairs of any two rows; nan or 0 for one class."""

    def share(y_true: Array, y_score: Array) -> float:
        n, positive = len(y_true), int(y_true.sum())
        return auc_by_pairs(y_true, y_score) * positive * (n - positive) / pairs(n)

    return share, lambda y, s: share(y, s) if 0 < y.sum() < len(y) else 0.0


def _if_one_class(value: float) -> Callable[[Array, Array], float]:
    return lambda y_true, y_score: value if len(set(y_true.tolist())) == 1 else auc_by_pairs(y_true, y_score)


_rng = np.random.default_rng(0)
_MANY_LABELS = _rng.integers(0, 2, 400)
_MANY_SCORES = np.round(_rng.random(400) * 0.7 + 0.2 * _MANY_LABELS, 1)

AUC = Exercise(
    name="auc",
    title="area under the ROC curve (ROC 曲线下面积)",
    task=(
        *LABELS_AND_SCORES,
        "Return one number: the share of pairs of a positive and a negative in which the positive has the higher "
        "score.",
        "Ties: a pair with equal scores counts one half.",
        "One class only: the value is 0/0; return nan or raise a ValueError.",
    ),
    reference=auc,
    cases=(
        Case(
            "four points",
            "Three of the four pairs are in the right order.",
            ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]),
        ),
        Case(
            "equal scores",
            "Two of the six pairs tie, and each counts one half.",
            ([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4]),
        ),
        Case(
            "the same rows in another order",
            "The order of the rows carries no information; it must not change the value.",
            ([0, 0, 1, 1, 1], [0.4, 0.6, 0.6, 0.6, 0.8]),
        ),
        Case(
            "all scores equal",
            "A constant model ranks nothing: every pair ties.",
            ([0, 1, 0, 1, 1], [0.3, 0.3, 0.3, 0.3, 0.3]),
        ),
        Case("a perfect ranking", "Every positive stands above every negative.", ([0, 1, 0, 1], [0.2, 0.7, 0.4, 0.9])),
        Case(
            "worse than chance",
            "One of six pairs is in the right order; who turns the value over hides a broken model.",
            ([1, 0, 1, 0, 0], [0.1, 0.9, 0.4, 0.3, 0.6]),
        ),
        Case(
            "a score of exactly 1",
            "Probabilities of 0 and 1 occur; bins that end below 1 lose them.",
            ([0, 1, 0, 1], [0.0, 0.3, 0.6, 1.0]),
        ),
        Case(
            "logits",
            "Only the order of scores matters, so they may lie outside [0, 1].",
            ([0, 1, 0, 1, 1], [-2.0, -1.0, 1.5, 3.0, 5.0]),
        ),
        Case(
            "tiny scores",
            "Scores that differ in the ninth decimal are still in an order.",
            ([0, 1, 0, 1], [1e-9, 2e-9, 3e-9, 4e-9]),
        ),
        Case("one class only", "Without a negative there is no pair to compare.", ([1, 1, 1], [0.2, 0.5, 0.9])),
        Case("the other class only", "Without a positive there is no pair to compare.", ([0, 0], [0.2, 0.5])),
        Case("400 rows with ties", "Real scores are rounded, and many are equal.", (_MANY_LABELS, _MANY_SCORES)),
    ),
    hints=(
        "Forget the curve: take every positive with every negative, and ask how often the positive scores higher.",
        "Sort by score and walk upwards, counting the negatives you have passed. Rows of equal score belong to one "
        "step.",
        "For each group of equal scores add positives * (negatives below + negatives in the group / 2), and divide "
        "the sum by the number of pairs.",
    ),
    approaches=(
        Approach(
            auc_by_pairs,
            "Compare every positive with every negative: the definition itself.",
            "O(P N) time and memory for P positives and N negatives",
            "a million rows make up to a quarter of a trillion pairs",
        ),
        Approach(
            auc_by_sorting,
            "Walk up the sorted scores, one group of equal scores at a time, and count the negatives below.",
            "O(n log n) time, O(n) memory",
            "without the grouping the result depends on the order of the rows",
        ),
        Approach(
            auc_by_ranks,
            "The Mann-Whitney statistic: the sum of the positives' ranks less its least value, over the pairs.",
            "O(n log n) time, O(n) memory, no loop in Python",
            "ranks without averaging over ties, as argsort gives them, are wrong",
        ),
    ),
    singular=(
        Mistake(
            "you counted the pairs the wrong way round: this is 1 - AUC. A pair is won if the positive scores higher.",
            (lambda y, s: 1 - auc_by_pairs(y, s),),
        ),
        Mistake(
            "equal scores are not merged: the result depends on the order of the rows. Handle all rows of one score "
            "in one step.",
            (
                lambda y, s: _walk(y, np.argsort(s, kind="stable")),
                lambda y, s: _walk(y, np.argsort(-s, kind="stable")[::-1]),
                lambda y, s: _walk(y, np.argsort(s)),
                lambda y, s: _walk(y, np.argsort(-s)[::-1]),
            ),
        ),
        Mistake("a tied pair counts nothing here; it counts one half.", (lambda y, s: _pairs(y, s, 0),)),
        Mistake(
            "a tied pair counts as won here; it counts one half. (Sorting pairs of score and label does this, too.)",
            (lambda y, s: _pairs(y, s, 1),),
        ),
        Mistake(
            "equal scores share their lowest or highest rank; it is the mean rank that counts a tie one half.",
            (
                lambda y, s: _rank_sum(y, s, "left"),
                lambda y, s: _rank_sum(y, s, "right"),
            ),
        ),
        Mistake(
            "the scores are put into bins between 0 and 1: a score of 1 or beyond falls out, and tiny scores share "
            "one bin.",
            (_in_unit_bins, _in_clipped_bins, _in_histogram, _within_unit),
        ),
        Mistake(
            "the thresholds are a grid between 0 and 1; take the scores themselves, which may lie anywhere.",
            (lambda y, s: _on_grid(y, s, start=True), lambda y, s: _on_grid(y, s, start=False)),
        ),
        Mistake(
            "the curve does not begin at (0, 0): the area up to its first point is missing.",
            (_area(slice(1, None)),),
        ),
        Mistake(
            "the curve does not reach (1, 1): its last step is missing. Accept rows equal to the threshold.",
            (_area(slice(None, -1)),),
        ),
        Mistake(
            "the area is negative: the points go from right to left; sort the scores from the highest down.",
            (lambda y, s: -auc_by_pairs(y, s),),
        ),
        Mistake(
            "the rank sum lacks the subtraction of its least value, P (P + 1) / 2 for P positives.",
            _of_ranks(lambda positive: 0),
        ),
        Mistake(
            "the ranks start at 0; where P (P + 1) / 2 is subtracted they start at 1.",
            _of_ranks(lambda positive: positive * (positive + 3) / 2),
        ),
        Mistake(
            "P (P - 1) / 2 is subtracted from the rank sum; with ranks from 1 it is P (P + 1) / 2.",
            _of_ranks(lambda positive: positive * (positive - 1) / 2),
        ),
        Mistake(
            "the divisor counts pairs of any two rows; only the P N pairs of a positive and a negative count.",
            (*_over_all_pairs(lambda n: n * (n - 1) / 2), *_over_all_pairs(lambda n: n**2)),
        ),
        Mistake(
            "the scores are cut at one half first: this is the AUC of the predicted labels, one point of the curve.",
            (lambda y, s: auc_by_pairs(y, 1 * (s >= 0.5)), lambda y, s: auc_by_pairs(y, 1 * (s > 0.5))),
        ),
        Mistake(
            "a value below one half is turned over into 1 - AUC; a ranking worse than chance must stay below.",
            (lambda y, s: _turned_over(auc_by_pairs(y, s)), lambda y, s: abs(auc_by_pairs(y, s) - 0.5) + 0.5),
        ),
        Mistake(
            "this is 2 AUC - 1, the Gini coefficient (Somers' D): lost pairs count -1 here, and tied ones 0.",
            (lambda y, s: 2 * auc_by_pairs(y, s) - 1,),
        ),
        Mistake(
            "the pairs are counted the wrong way round, and a tied pair counts nothing.",
            (lambda y, s: _pairs(y, -s, 0),),
        ),
        Mistake(
            "the pairs are counted the wrong way round, and a tied pair counts in full.",
            (lambda y, s: _pairs(y, -s, 1),),
        ),
        Mistake("tied pairs are left out, of the divisor too; each counts one half.", (_without_ties,)),
        Mistake(
            "the ranks are dense (1, 1, 2); after a tie they must go on with the number of rows.", (_of_dense_ranks,)
        ),
        Mistake(
            "this is average precision, the area under the precision-recall curve.",
            (_pr_area(True), _pr_area(False), _both_classes(_pr_area(True)), _both_classes(_pr_area(False))),
        ),
        Mistake("one class only gives 0 here, which says that every pair is lost; there is none.", (_if_one_class(0),)),
        Mistake("one class only gives one half here, as if the ranking were random.", (_if_one_class(0.5),)),
        Mistake("one class only gives 1 here, as if the ranking were perfect.", (_if_one_class(1),)),
    ),
)


# ---- grouped AUC ------------------------------------------------------------------------------------------------


def gauc_by_impressions(y_true: Array, y_score: Array, groups: Array) -> float:
    value = gauc(y_true, y_score, groups)
    assert isinstance(value, float)
    return value


def gauc_by_dictionary(y_true: Array, y_score: Array, groups: Array) -> float:
    rows = defaultdict(list)
    for label, score, group in zip(y_true, y_score, groups, strict=True):
        rows[group].append((score, label))
    total = weight = 0.0
    for pairs in rows.values():
        positive = [score for score, label in pairs if label == 1]
        negative = [score for score, label in pairs if label == 0]
        if positive and negative:
            won = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
            total += len(pairs) * won / (len(positive) * len(negative))
            weight += len(pairs)
    return total / weight if weight else math.nan


def gauc_by_sorting(y_true: Array, y_score: Array, groups: Array) -> float:
    _, code = np.unique(groups, return_inverse=True)
    order = np.lexsort((y_score, code))
    label, score, group = y_true[order], y_score[order], code[order]
    starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    total = weight = 0.0
    for start, end in pairwise([*starts, len(group)]):
        y, s = label[start:end], score[start:end]
        positive, negative = s[y == 1], s[y == 0]
        below = np.searchsorted(negative, positive, side="left")
        not_above = np.searchsorted(negative, positive, side="right")
        if len(positive) and len(negative):
            pairs = len(positive) * len(negative)
            total += len(y) * float((below + not_above).sum() / (2 * pairs))
            weight += len(y)
    return total / weight if weight else math.nan


User = tuple[Array, Array]


def _users(y_true: Array, y_score: Array, groups: Array) -> list[User]:
    return [(y_true[groups == group], y_score[groups == group]) for group in np.unique(groups)]


def _runs(y_true: Array, y_score: Array, groups: Array) -> list[User]:
    """The rows of one user that stand together, as if they were all."""
    cuts = np.flatnonzero(groups[1:] != groups[:-1]) + 1
    return list(zip(np.split(y_true, cuts), np.split(y_score, cuts), strict=True))


def _poisoned(y_true: Array, y_score: Array, groups: Array) -> float:
    users = _users(y_true, y_score, groups)
    return _mean(users) if all(map(_both, users)) else math.nan


def _both(user: User) -> bool:
    return 0 < int(user[0].sum()) < len(user[0])


def _mean(
    users: list[User],
    weight: Callable[[User], float] = lambda user: len(user[0]),
    metric: Callable[[Array, Array], float] = auc_by_pairs,
    single: float = math.nan,
) -> float:
    """The weighted mean of the users' AUCs; ``single`` stands for that of a user with one class, nan to drop it."""
    kept = [user for user in users if _both(user) or not math.isnan(single)]
    values = [metric(*user) if _both(user) else single for user in kept]
    weights = [weight(user) for user in kept]
    return ratio(sum(w * v for w, v in zip(weights, values, strict=True)), sum(weights))


def _clicks(user: User) -> float:
    return float(user[0].sum())


def _if_no_group(value: float) -> Callable[[Array, Array, Array], float]:
    def metric(y_true: Array, y_score: Array, groups: Array) -> float:
        users = _users(y_true, y_score, groups)
        return _mean(users) if any(map(_both, users)) else value

    return metric


_rng = np.random.default_rng(1)
_GROUPS = _rng.integers(0, 60, 400)
_CLICKED = (_rng.random(400) < 0.3).astype(int)
_GUESSED = np.round(_rng.random(400) * 0.6 + 0.2 * _CLICKED, 1)

GAUC = Exercise(
    name="gauc",
    title="grouped AUC (分组 AUC)",
    task=(
        *LABELS_AND_SCORES,
        "groups holds the group (user) of each row, numbers or strings; the rows come in any order.",
        "Return one number: the mean of the groups' AUCs, weighted by their numbers of rows (impressions).",
        "Ties: within a group, a pair with equal scores counts one half.",
        "Groups of one class have no AUC: leave them out, of the weights too.",
        "No group with both classes: the value is 0/0; return nan or raise a ValueError.",
    ),
    reference=gauc_by_impressions,
    cases=(
        Case(
            "two users",
            "Each user's AUC is weighted by the number of rows.",
            ([1, 0, 1, 0, 0, 0, 1], [0.2, 0.9, 0.8, 0.3, 0.5, 0.1, 0.4], [1, 1, 2, 2, 2, 2, 2]),
        ),
        Case(
            "the same rows interleaved",
            "A log is sorted by time, not by user.",
            ([1, 1, 0, 0, 0, 0, 1], [0.8, 0.2, 0.3, 0.9, 0.5, 0.1, 0.4], [2, 1, 2, 1, 2, 2, 2]),
        ),
        Case(
            "scores on another level",
            "One user's scores are never compared with another's.",
            ([1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8], [1, 1, 2, 2]),
        ),
        Case(
            "a user without clicks",
            "No pair, no AUC: the rows of this user must not weigh either.",
            ([1, 0, 0, 0, 0, 1, 0], [0.7, 0.6, 0.5, 0.9, 0.8, 0.3, 0.4], [1, 1, 1, 2, 2, 3, 3]),
        ),
        Case(
            "worse than chance",
            "Both users' clicks stand too low; the value must stay below one half.",
            ([1, 0, 0, 1, 0, 1, 0], [0.1, 0.5, 0.9, 0.2, 0.8, 0.6, 0.4], [1, 1, 1, 2, 2, 2, 2]),
        ),
        Case(
            "a user with clicks only",
            "The other way to have one class.",
            ([1, 0, 0, 1, 1], [0.5, 0.6, 0.4, 0.9, 0.8], [1, 1, 1, 2, 2]),
        ),
        Case(
            "equal scores within a user",
            "A tie counts one half, whichever row comes first.",
            ([1, 0, 0, 0, 1, 1], [0.5, 0.5, 0.2, 0.7, 0.7, 0.9], [1, 1, 1, 2, 2, 2]),
        ),
        Case(
            "users named by strings",
            "Identifiers are not numbers to calculate with.",
            ([0, 1, 1, 0, 1], [0.3, 0.6, 0.2, 0.4, 0.7], ["u9", "u9", "u10", "u10", "u10"]),
        ),
        Case(
            "no user with both classes",
            "Nothing is left to average.",
            ([1, 1, 0, 0], [0.9, 0.4, 0.3, 0.8], [1, 1, 2, 2]),
        ),
        Case("60 users", "Users of all sizes, ties, and some with one class.", (_CLICKED, _GUESSED, _GROUPS)),
    ),
    hints=(
        "Collect the labels and scores of each group first; the rows of a group need not stand together.",
        "A group without a positive or without a negative has no AUC. Drop it before you sum values or weights.",
        "Sum rows * AUC over the groups that are kept, and divide by the sum of their rows.",
    ),
    approaches=(
        Approach(
            gauc_by_dictionary,
            "Collect the rows of each group in a dictionary, then count pairs group by group.",
            "O(n) to collect, then the sum of P N over the groups",
            "slow for a group with many rows of both classes",
        ),
        Approach(
            gauc_by_sorting,
            "Sort once by group and score, cut where the group changes, and search each positive among the negatives.",
            "O(n log n) time, O(n) memory",
            "the loop over groups is in Python: millions of small groups take their time",
        ),
    ),
    singular=(
        Mistake(
            "you averaged the AUCs without weights; each group weighs as many as it has rows.",
            (lambda y, s, g: _mean(_users(y, s, g), lambda user: 1),),
        ),
        Mistake(
            "the groups weigh by their clicks; the task asks for impressions, the number of rows.",
            (lambda y, s, g: _mean(_users(y, s, g), _clicks),),
        ),
        Mistake(
            "the groups weigh by their pairs of a positive and a negative, so that large groups weigh quadratically.",
            (lambda y, s, g: _mean(_users(y, s, g), lambda user: _clicks(user) * (1 - user[0]).sum()),),
        ),
        Mistake(
            "this is the AUC of all rows together: it compares the scores of different users.",
            (lambda y, s, g: auc_by_pairs(y, s) if any(map(_both, _users(y, s, g))) else math.nan,),
        ),
        Mistake(
            "groups of one class count 0, and their rows weigh; they have no AUC and are left out.",
            (lambda y, s, g: _mean(_users(y, s, g), single=0),),
        ),
        Mistake(
            "groups of one class count one half, and their rows weigh; they have no AUC and are left out.",
            (lambda y, s, g: _mean(_users(y, s, g), single=0.5),),
        ),
        Mistake(
            "groups of one class count 1, and their rows weigh; they have no AUC and are left out.",
            (lambda y, s, g: _mean(_users(y, s, g), single=1),),
        ),
        Mistake("a group of one class makes the whole mean nan; leave it out before you sum.", (_poisoned,)),
        Mistake(
            "only rows that stand together are taken as a group; collect them, or sort by group first.",
            (lambda y, s, g: _mean(_runs(y, s, g)),),
        ),
        Mistake(
            "within a group a tied pair counts nothing; it counts one half.",
            (lambda y, s, g: _mean(_users(y, s, g), metric=lambda y, s: _pairs(y, s, 0)),),
        ),
        Mistake(
            "within a group equal scores are not merged: the result depends on the order of the rows.",
            (
                lambda y, s, g: _mean(_users(y, s, g), metric=lambda y, s: _walk(y, np.argsort(s, kind="stable"))),
                lambda y, s, g: _mean(
                    _users(y, s, g), metric=lambda y, s: _walk(y, np.argsort(-s, kind="stable")[::-1])
                ),
            ),
        ),
        Mistake(
            "within a group a tied pair counts as won; it counts one half.",
            (lambda y, s, g: _mean(_users(y, s, g), metric=lambda y, s: _pairs(y, s, 1)),),
        ),
        Mistake(
            "a value below one half is turned over; a ranking worse than chance must stay below.",
            (lambda y, s, g: _turned_over(_mean(_users(y, s, g))),),
        ),
        Mistake(
            "the AUC of a group is turned over where it is below one half; a group may be ranked worse than by chance.",
            (lambda y, s, g: _mean(_users(y, s, g), metric=lambda y, s: _turned_over(auc_by_pairs(y, s))),),
        ),
        Mistake(
            "this is 2 GAUC - 1: lost pairs count -1 here, and tied ones 0.",
            (lambda y, s, g: 2 * _mean(_users(y, s, g)) - 1,),
        ),
        Mistake(
            "the median of the groups' AUCs is taken; the task asks for their weighted mean.",
            (lambda y, s, g: float(np.median([auc_by_pairs(*u) for u in _users(y, s, g) if _both(u)] or [math.nan])),),
        ),
        Mistake(
            "the groups weigh by their rows without a click; the task asks for all rows.",
            (lambda y, s, g: _mean(_users(y, s, g), lambda user: (1 - user[0]).sum()),),
        ),
        Mistake(
            "the pairs are counted the wrong way round: this is 1 - GAUC.",
            (lambda y, s, g: 1 - _mean(_users(y, s, g)),),
        ),
        Mistake("no group with both classes gives 0 here; there is nothing to average.", (_if_no_group(0),)),
        Mistake("no group with both classes gives one half here, as if the ranking were random.", (_if_no_group(0.5),)),
    ),
)


# ---- the points of the ROC curve --------------------------------------------------------------------------------


def roc_points(y_true: Array, y_score: Array) -> Curve:
    curve = roc_curve(y_true, y_score, drop_intermediate=False)
    return curve.fpr, curve.tpr


def roc_points_by_threshold(y_true: Array, y_score: Array) -> Curve:
    positive, negative = int((y_true == 1).sum()), int((y_true == 0).sum())
    if positive == 0 or negative == 0:
        raise ValueError("one class only: a rate is 0/0")
    fpr, tpr = [0.0], [0.0]
    for threshold in sorted(set(y_score.tolist()), reverse=True):
        accepted = y_score >= threshold
        fpr.append(float((accepted & (y_true == 0)).sum() / negative))
        tpr.append(float((accepted & (y_true == 1)).sum() / positive))
    return np.array(fpr), np.array(tpr)


def roc_points_by_sorting(y_true: Array, y_score: Array) -> Curve:
    order = np.argsort(-y_score, kind="stable")
    label, score = y_true[order], y_score[order]
    last_of_tie = np.r_[score[1:] != score[:-1], True]
    tps = np.r_[0, np.cumsum(label == 1)[last_of_tie]]
    fps = np.r_[0, np.cumsum(label == 0)[last_of_tie]]
    if tps[-1] == 0 or fps[-1] == 0:
        raise ValueError("one class only: a rate is 0/0")
    return fps / fps[-1], tps / tps[-1]


def _curve(
    y_true: Array,
    y_score: Array,
    *,
    of_fps: Callable[[Array, Array, Array], Array] = lambda fps, tps, cut: fps / fps[-1],
    merged: bool = True,
    of_tps: Callable[[Array, Array], Array] = lambda fps, tps: tps / tps[-1],
) -> Curve:
    """The curve with other rates, or with a point for each row."""
    order = np.argsort(-y_score, kind="stable")
    label, score = y_true[order], y_score[order]
    ends = np.r_[score[1:] != score[:-1], True] if merged else np.full(len(score), True)
    tps, fps = np.r_[0, np.cumsum(label == 1)[ends]], np.r_[0, np.cumsum(label == 0)[ends]]
    if tps[-1] * fps[-1] == 0:
        return roc_points(y_true, y_score)
    return of_fps(fps, tps, tps + fps), of_tps(fps, tps)


def _changed(change: Callable[[Array, Array], Any]) -> Callable[[Array, Array], Any]:
    """Something else made of the points where both rates are defined."""

    def curve(y_true: Array, y_score: Array) -> Any:
        fpr, tpr = roc_points(y_true, y_score)
        return change(fpr, tpr) if 0 < y_true.sum() < len(y_true) else (fpr, tpr)

    return curve


def _points(points: slice) -> Callable[[Array, Array], Any]:
    """Some of the points, or all in another order."""
    return _changed(lambda fpr, tpr: (fpr[points], tpr[points]))


def _lowest_first(y_true: Array, y_score: Array) -> Curve:
    return roc_points(y_true, -y_score)


def _corners_only(y_true: Array, y_score: Array) -> Curve:
    curve = roc_curve(y_true, y_score, drop_intermediate=True)
    return curve.fpr, curve.tpr


def _precisions(first: float) -> Callable[[Array, Array], Curve]:
    """Precision for the second rate; 0/0 at the first point."""

    def curve(y_true: Array, y_score: Array) -> Curve:
        fpr, _ = roc_points(y_true, y_score)
        accepted = y_score >= np.unique(y_score)[::-1, None]
        return fpr, np.r_[first, (accepted & (y_true == 1)).sum(axis=1) / accepted.sum(axis=1)]

    return curve


def _at_thresholds(number: int, start: bool) -> Callable[[Array, Array], Curve]:
    """The points of a grid of thresholds, with or without (0, 0) before them."""

    def curve(y_true: Array, y_score: Array) -> Curve:
        cuts = np.r_[[math.inf] if start else [], np.linspace(1, 0, number)][:, None]
        fpr, tpr = ((y_score[y_true == c] >= cuts).mean(axis=1) for c in (0, 1))
        return fpr, tpr

    return curve


def _curve_or_zeros(y_true: Array, y_score: Array) -> Curve:
    """The rate of a class that is missing as zeros."""
    if 0 < y_true.sum() < len(y_true):
        return _curve(y_true, y_score)
    fpr, tpr = map(np.nan_to_num, roc_points(y_true, y_score))
    return fpr, tpr


ROC_POINTS = Exercise(
    name="roc_points",
    title="the points of the ROC curve (ROC 曲线)",
    task=(
        *LABELS_AND_SCORES,
        "Return two sequences of equal length, the false positive rates and the true positive rates (假正例率, "
        "真正例率), in this order.",
        "Points: first (0, 0), where nothing is accepted; then one point for each different score, from the highest "
        "to the lowest, where every row with at least this score is accepted. Keep points on straight lines.",
        "Ties: rows of one score are accepted together.",
        "One class only: a rate is 0/0; raise a ValueError, or return nan for the rate that is undefined.",
    ),
    reference=roc_points,
    cases=(
        Case("four points", "Each row adds a step to the right or up.", ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])),
        Case(
            "a perfect ranking",
            "The curve goes up first, then to the right.",
            ([0, 1, 0, 1, 0], [0.2, 0.7, 0.4, 0.9, 0.1]),
        ),
        Case(
            "equal scores",
            "A tie of both classes is one sloping step.",
            ([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4]),
        ),
        Case(
            "the same rows in another order",
            "The order of the rows carries no information.",
            ([0, 0, 1, 1, 1], [0.4, 0.6, 0.6, 0.6, 0.8]),
        ),
        Case("all scores equal", "One threshold accepts everything.", ([0, 1, 0], [0.5, 0.5, 0.5])),
        Case(
            "logits",
            "Thresholds come from the scores, not from a grid on [0, 1].",
            ([0, 1, 0, 1, 1], [-2.0, -1.0, 0.5, 3.0, 5.0]),
        ),
        Case("one class only", "Without a negative the false positive rate is 0/0.", ([1, 1], [0.2, 0.9])),
        Case("the other class only", "Without a positive the true positive rate is 0/0.", ([0, 0, 0], [0.2, 0.9, 0.9])),
        Case("400 rows with ties", "One point for each different score, and the start.", (_MANY_LABELS, _MANY_SCORES)),
    ),
    hints=(
        "Sort by score, highest first, and count how many positives and negatives you have accepted so far.",
        "Keep the counts only where the next score differs: rows of one score are accepted together.",
        "Put (0, 0) first, then divide the two columns by the number of negatives and of positives.",
    ),
    approaches=(
        Approach(
            roc_points_by_threshold,
            "For each different score from the highest down, count what is accepted.",
            "O(n t) time for t different scores",
            "quadratic where all scores differ",
        ),
        Approach(
            roc_points_by_sorting,
            "Sort once, take cumulative counts, and keep the last row of each tie.",
            "O(n log n) time, O(n) memory",
            "scores that differ by rounding only are different thresholds",
        ),
    ),
    singular=(
        Mistake(
            "the curve does not begin at (0, 0), where nothing is accepted.",
            (_points(slice(1, None)),),
        ),
        Mistake(
            "the last point, (1, 1), is missing: accept a row whose score equals the threshold.",
            (_points(slice(None, -1)), _changed(lambda fpr, tpr: (np.r_[0, fpr[:-1]], np.r_[0, tpr[:-1]]))),
        ),
        Mistake(
            "the last point, (1, 1), comes twice: the lowest score already accepts every row.",
            (_changed(lambda fpr, tpr: (np.r_[fpr, 1], np.r_[tpr, 1])),),
        ),
        Mistake("the axes are swapped: the false positive rate comes first.", (_changed(lambda fpr, tpr: (tpr, fpr)),)),
        Mistake(
            "the first rates are TN / N, the specificity; the false positive rate is FP / N.",
            (_changed(lambda fpr, tpr: (1 - fpr, tpr)),),
        ),
        Mistake(
            "the first rates are FN / P, the miss rate; the false positive rate is FP / N.",
            (_changed(lambda fpr, tpr: (1 - tpr, tpr)),),
        ),
        Mistake(
            "the second rates are FN / P, the miss rate; the true positive rate is TP / P.",
            (_changed(lambda fpr, tpr: (fpr, 1 - tpr)),),
        ),
        Mistake(
            "the second numbers are TP / (TP + FP), the precision; the true positive rate is TP / P.",
            (_precisions(0), _precisions(1), _precisions(math.nan)),
        ),
        Mistake(
            "these are points, pairs of two rates; return all false positive rates, then all true positive rates.",
            (_changed(lambda fpr, tpr: np.c_[fpr, tpr]),),
        ),
        Mistake(
            "the rows with the lowest scores are accepted first: sort from the highest score down.", (_lowest_first,)
        ),
        Mistake("points on straight lines are left out; the task keeps them.", (_corners_only,)),
        Mistake(
            "the thresholds are a grid between 0 and 1; take the scores themselves.",
            tuple(_at_thresholds(number, start) for number in (11, 21, 100, 101, 1001) for start in (True, False)),
        ),
        Mistake(
            "these are counts; divide them by the numbers of negatives and of positives.",
            (lambda y, s: _curve(y, s, of_fps=lambda fps, tps, cut: fps, of_tps=lambda fps, tps: tps),),
        ),
        Mistake(
            "equal scores are not merged: the curve depends on the order of the rows.",
            (lambda y, s: _curve(y, s, merged=False),),
        ),
        Mistake(
            "the points come from the lowest threshold up; the rates must rise.", (_points(slice(None, None, -1)),)
        ),
        Mistake(
            "the false positive rate is divided by FP + FN; its denominator is FP + TN, all negatives.",
            (
                lambda y, s: _curve(
                    y, s, of_fps=lambda fps, tps, cut: fps / np.maximum(fps + tps[-1] - tps, (fps == 0) * 1)
                ),
            ),
        ),
        Mistake(
            "this is FP / (TP + FP), the false discovery rate; the false positive rate divides by all negatives.",
            (lambda y, s: _curve(y, s, of_fps=lambda fps, tps, cut: fps / np.maximum(cut, 1)),),
        ),
        Mistake(
            "both counts are divided by the number of rows; each rate divides by its own class.",
            (
                lambda y, s: _curve(
                    y,
                    s,
                    of_fps=lambda fps, tps, cut: fps / cut[-1],
                    of_tps=lambda fps, tps: tps / (fps[-1] + tps[-1]),
                ),
            ),
        ),
        Mistake("the rate of the missing class is 0 here; it is 0/0.", (_curve_or_zeros,)),
    ),
)


# ---- AUC from a histogram ---------------------------------------------------------------------------------------


def auc_by_histogram(y_true: Array, y_score: Array, bins: int) -> Two:
    edges = np.linspace(y_score.min(), y_score.max(), bins + 1)[1:-1]
    return _value_and_bound(y_true, np.searchsorted(edges, y_score, side="right"))


def _value_and_bound(y_true: Array, number: Array) -> Two:
    """The AUC of the numbers of the bins, exactly, and what it may be off: half the share of pairs in one bin."""
    tied = (number[y_true == 1][:, None] == number[y_true == 0]).sum()
    return auc(y_true, number), ratio(tied, 2 * (y_true == 1).sum() * (y_true == 0).sum())


def histogram_by_numpy(y_true: Array, y_score: Array, bins: int) -> Two:
    limits = float(y_score.min()), float(y_score.max())
    positive, _ = np.histogram(y_score[y_true == 1], bins, range=limits)
    negative, _ = np.histogram(y_score[y_true == 0], bins, range=limits)
    below = np.cumsum(negative) - negative
    pairs = positive.sum() * negative.sum()
    if pairs == 0:
        return math.nan, math.nan
    won = (positive * (below + negative / 2)).sum()
    return float(won / pairs), float((positive * negative).sum() / (2 * pairs))


def histogram_by_counting(y_true: Array, y_score: Array, bins: int) -> Two:
    low, high = min(y_score), max(y_score)
    width = (high - low) / bins or 1.0
    positive, negative = [0] * bins, [0] * bins
    for label, score in zip(y_true, y_score, strict=True):
        number = min(int((score - low) / width), bins - 1)
        (positive if label else negative)[number] += 1
    won = tied = below = 0
    for p, n in zip(positive, negative, strict=True):
        won += p * below
        tied += p * n
        below += n
    pairs = sum(positive) * sum(negative)
    if pairs == 0:
        raise ValueError("one class only: there is no pair")
    return (won + tied / 2) / pairs, tied / 2 / pairs


def histogram_by_edges(y_true: Array, y_score: Array, bins: int) -> Two:
    low, high = float(y_score.min()), float(y_score.max())
    edges = [low + (high - low) * b / bins for b in range(1, bins)]
    number = np.array([bisect_right(edges, score) for score in y_score])
    negative = sorted(number[y_true == 0].tolist())
    left = [bisect_left(negative, b) for b in number[y_true == 1]]
    right = [bisect_right(negative, b) for b in number[y_true == 1]]
    pairs = len(left) * len(negative)
    if pairs == 0:
        return math.nan, math.nan
    won, not_lost = sum(left) / pairs, sum(right) / pairs
    return (won + not_lost) / 2, (not_lost - won) / 2


Histogram = Callable[[Array, Array, int], Two]


def _index(y_true: Array, y_score: Array, bins: int) -> Array:
    edges = np.linspace(y_score.min(), y_score.max(), bins + 1)[1:-1]
    return np.searchsorted(edges, y_score, side="right")


def _worth(tie: float) -> Histogram:
    def histogram(y_true: Array, y_score: Array, bins: int) -> Two:
        number = _index(y_true, y_score, bins)
        return _pairs(y_true, number, tie), _value_and_bound(y_true, number)[1]

    return histogram


def _bounded(bound: Callable[[float, int], float]) -> Histogram:
    def histogram(y_true: Array, y_score: Array, bins: int) -> Two:
        value, right = _value_and_bound(y_true, _index(y_true, y_score, bins))
        return value, right if math.isnan(value) else bound(right, bins)

    return histogram


def _with_value(change: Callable[[float], float]) -> Histogram:
    """Another value, and the right bound."""

    def histogram(y_true: Array, y_score: Array, bins: int) -> Two:
        value, bound = _value_and_bound(y_true, _index(y_true, y_score, bins))
        return change(value), bound

    return histogram


def _bound_in_pairs(y_true: Array, y_score: Array, bins: int) -> Two:
    value, bound = _value_and_bound(y_true, _index(y_true, y_score, bins))
    return value, bound * float((y_true == 1).sum() * (y_true == 0).sum())


def _unit_index(y_true: Array, y_score: Array, bins: int) -> Two:
    counts = np.zeros((2, bins))
    for label, score in zip(y_true, y_score, strict=True):
        counts[label, int(bins * score)] += 1
    return _of_counts(counts)


def _unit_histogram(y_true: Array, y_score: Array, bins: int) -> Two:
    return _of_counts(np.array([np.histogram(y_score[y_true == c], bins, range=(0, 1))[0] for c in (0, 1)]))


def _unit_clipped(y_true: Array, y_score: Array, bins: int) -> Two:
    return _value_and_bound(y_true, np.clip((bins * y_score).astype(int), 0, bins - 1))


def _no_last_bin(y_true: Array, y_score: Array, bins: int) -> Two:
    low, high = y_score.min(), y_score.max()
    width = (high - low) / bins or 1.0
    counts = np.zeros((2, bins))
    for label, score in zip(y_true, y_score, strict=True):
        counts[label, int((score - low) / width)] += 1
    return _of_counts(counts)


def _last_dropped(y_true: Array, y_score: Array, bins: int) -> Two:
    inside = y_score < (y_score.max() if y_score.max() > y_score.min() else math.inf)
    edges = np.linspace(y_score.min(), y_score.max(), bins + 1)[1:-1]
    return _value_and_bound(y_true[inside], np.searchsorted(edges, y_score[inside], side="right"))


def _last_alone(y_true: Array, y_score: Array, bins: int) -> Two:
    """The highest score in a bin of its own."""
    return _value_and_bound(y_true, _index(y_true, y_score, bins) + (y_score == y_score.max()))


def _one_bin_less(y_true: Array, y_score: Array, bins: int) -> Two:
    return _value_and_bound(y_true, _index(y_true, y_score, max(bins - 1, 1)))


def _one_bin_less_and_last_alone(y_true: Array, y_score: Array, bins: int) -> Two:
    return _last_alone(y_true, y_score, bins - 1) if bins > 1 else _value_and_bound(y_true, np.zeros(len(y_true)))


def _equally_filled(y_true: Array, y_score: Array, bins: int) -> Two:
    edges = np.quantile(y_score, np.linspace(0, 1, bins + 1))[1:-1]
    return _value_and_bound(y_true, np.searchsorted(edges, y_score, side="right"))


def _exact(y_true: Array, y_score: Array, bins: int) -> Two:
    return auc_by_pairs(y_true, y_score), _value_and_bound(y_true, _index(y_true, y_score, bins))[1]


def _true_error(y_true: Array, y_score: Array, bins: int) -> Two:
    value = _value_and_bound(y_true, _index(y_true, y_score, bins))[0]
    return value, abs(value - auc_by_pairs(y_true, y_score))


def _own_ranges(y_true: Array, y_score: Array, bins: int) -> Two:
    return _of_counts(np.array([np.histogram(y_score[y_true == c], bins)[0] for c in (0, 1)]))


def _of_counts(counts: Array) -> Two:
    """The same for rows of which only the counts of negatives and positives in each bin are known."""
    bins = np.tile(np.arange(counts.shape[1]), 2)
    of_each = counts.ravel().astype(int)
    return _value_and_bound(np.repeat([0, 1], counts.sum(axis=1).astype(int)), np.repeat(bins, of_each))


def _zeros_for_one_class(y_true: Array, y_score: Array, bins: int) -> Two:
    value = _value_and_bound(y_true, _index(y_true, y_score, bins))
    return (0.0, 0.0) if math.isnan(value[0]) else value


_rng = np.random.default_rng(2)
_NORMAL_LABELS = _rng.integers(0, 2, 300)
_NORMAL_SCORES = _rng.normal(_NORMAL_LABELS.astype(float))

AUC_BY_HISTOGRAM = Exercise(
    name="auc_by_histogram",
    title="AUC from a histogram, with its error bound (直方图近似 AUC)",
    task=(
        *LABELS_AND_SCORES,
        "bins is the number of bins, of equal width, from the lowest to the highest score of the data. A bin holds "
        "its lower edge and not its upper one, except the last, which holds both.",
        "Return two numbers: the AUC in which all rows of one bin tie, and a bound of its error: half the share of "
        "pairs that fall into one bin.",
        "Ties: a pair within one bin counts one half. Where all scores are equal, all are in one bin.",
        "One class only: both are 0/0; return two nans or raise a ValueError.",
        "The tests keep away from inner edges, where rounding decides.",
    ),
    reference=auc_by_histogram,
    cases=(
        Case(
            "two bins",
            "Each bin holds a won pair that the histogram cannot see.",
            ([0, 1, 0, 1], [0.0, 0.1, 0.9, 1.0], 2),
        ),
        Case(
            "the highest score is a negative",
            "The last bin holds its upper edge: no row may fall out.",
            ([0, 1, 1, 0], [0.0, 0.3, 0.6, 1.0], 4),
        ),
        Case(
            "logits",
            "The range comes from the data, not from [0, 1].",
            ([0, 1, 0, 1, 1, 0], [-2.0, -1.1, 0.6, 3.2, 5.0, 4.8], 5),
        ),
        Case(
            "tiny scores",
            "Bins on [0, 1] would hold all of these in the first.",
            ([0, 1, 0, 1], [1e-9, 2.1e-9, 2.9e-9, 4e-9], 3),
        ),
        Case(
            "worse than chance",
            "Two of six pairs, ties counted half: the value must stay below one half.",
            ([1, 1, 0, 0, 1], [0.0, 0.3, 0.35, 0.9, 1.0], 4),
        ),
        Case("all scores equal", "One bin, and a width of zero.", ([0, 1, 1, 0, 1], [0.4] * 5, 4)),
        Case("one bin", "Everything ties: the value says nothing, and the bound says so.", ([0, 1, 1], [1, 2, 3], 1)),
        Case(
            "more bins than rows",
            "With a bin for each score nothing is lost: the bound is 0.",
            ([0, 1, 0, 1], [0.1, 0.42, 0.35, 0.8], 50),
        ),
        Case("one class only", "There is no pair.", ([0, 0, 0], [0.1, 0.2, 0.6], 4)),
        Case("the other class only", "Without a negative there is no pair.", ([1, 1], [0.1, 0.6], 4)),
        Case(
            "300 normal scores",
            "The value is near the true AUC, within the bound.",
            (_NORMAL_LABELS, _NORMAL_SCORES, 16),
        ),
    ),
    hints=(
        "Count positives and negatives for each bin. What follows is the AUC of the bins' numbers, with many ties.",
        "The number of a bin is int((score - lowest) / width), but the highest score belongs to the last bin.",
        "Going up the bins: won += p * (negatives below + n / 2), and tied += p * n. The bound is tied / (2 * pairs).",
    ),
    approaches=(
        Approach(
            histogram_by_numpy,
            "Two histograms over one range, then the sorted algorithm over the bins.",
            "O(n + b) time, O(b) memory for b bins; histograms of parts of the data add up",
            "one far outlier puts all other scores into one bin; the bound then says so",
        ),
        Approach(
            histogram_by_counting,
            "The same in one pass over the rows and one over the bins.",
            "O(n + b) time, O(b) memory",
            "a division decides at the edges: two machines may disagree on a score that lies on one",
        ),
        Approach(
            histogram_by_edges,
            "Look up each score among the edges, then each positive's bin among the negatives' bins.",
            "O(n log n) time, O(n) memory",
            "slower than counting; made for few rows and uneven bins",
        ),
    ),
    singular=(
        Mistake(
            "the bins lie between 0 and 1; take the range from the data, for scores may lie anywhere.",
            (_unit_index, _unit_histogram, _unit_clipped),
        ),
        Mistake(
            "the highest score falls out of the last bin: number bins - 1 holds the upper edge, too.",
            (_no_last_bin, _last_dropped),
        ),
        Mistake("the highest score has a bin of its own; it belongs to the last bin.", (_last_alone,)),
        Mistake(
            "there is one bin too few: linspace(lowest, highest, bins) gives bins - 1 of them, for the edges are one "
            "more than the bins.",
            (_one_bin_less, _one_bin_less_and_last_alone),
        ),
        Mistake("the bins hold equal numbers of rows; they should have equal width.", (_equally_filled,)),
        Mistake("the value is the AUC of the scores; the task asks for that of the bins.", (_exact,)),
        Mistake(
            "this is the error itself, which a histogram cannot know; the bound comes from the bins alone.",
            (_true_error,),
        ),
        Mistake("each class has bins over its own range; the bins must be the same for both.", (_own_ranges,)),
        Mistake("a pair within one bin counts nothing here; it counts one half.", (_worth(0),)),
        Mistake("a pair within one bin counts as won here; it counts one half.", (_worth(1),)),
        Mistake(
            "the pairs are counted the wrong way round: the value is 1 - AUC.",
            (_with_value(lambda value: 1 - value),),
        ),
        Mistake(
            "a value below one half is turned over; a ranking worse than chance must stay below.",
            (_with_value(_turned_over),),
        ),
        Mistake("the value and the bound are swapped.", reordered(auc_by_histogram, (1, 0))),
        Mistake("the value is 2 AUC - 1: lost pairs count -1 here.", (_with_value(lambda value: 2 * value - 1),)),
        Mistake(
            "the bound is a number of pairs; divide by the number of all pairs of a positive and a negative.",
            (_bound_in_pairs,),
        ),
        Mistake(
            "the bound is twice too wide: a pair within one bin is off by one half at most.",
            (_bounded(lambda right, bins: 2 * right),),
        ),
        Mistake(
            "the bound is made of the number of bins alone; how many pairs share a bin depends on the data.",
            (_bounded(lambda right, bins: 1 / bins), _bounded(lambda right, bins: 1 / (2 * bins))),
        ),
        Mistake("one class only gives 0 here; there is no pair.", (_zeros_for_one_class,)),
    ),
)

EXERCISES = (AUC, GAUC, ROC_POINTS, AUC_BY_HISTOGRAM)
