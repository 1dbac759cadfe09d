"""Exercises on scores: AUC, grouped AUC, the points of the ROC curve, AUC from a histogram."""

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Any, Literal

import numpy as np

from metrics_book.practice._engine import Approach, Array, Case, Exercise, Factor, Mistake, ratio
from metrics_lib.curves import gauc, roc_auc_score, roc_curve

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


def auc_as(
    y_true: Array,
    y_score: Array,
    *,
    direction: int = 1,
    ties: float | None = 0.5,
    scores: Callable[[Array], Array] = np.asarray,
    divisor: Callable[[int, int], float] = lambda pairs, rows: pairs,
    scale: Callable[[float], float] = float,
) -> float:
    """The share of won pairs; ``ties`` is what a tied one is worth, None to leave it out."""
    y_score = scores(y_score)
    difference = direction * np.subtract.outer(y_score[y_true == 1], y_score[y_true == 0])
    won, tied = (difference > 0).sum(), (difference == 0).sum()
    pairs = difference.size if ties is not None else difference.size - tied
    return scale(ratio(won + (ties or 0) * tied, divisor(pairs, len(y_true))))


def _ranks(kind: Literal["quicksort", "stable"], sign: int) -> Callable[[Array], Array]:
    """Ranks from 1 that are all different, whatever the ties."""
    return lambda s: sign * (np.argsort(np.argsort(sign * s, kind=kind)) + 1)


def _turned_over(value: float) -> float:
    return max(value, 1 - value)


UNMERGED = [_ranks(kind, sign) for kind in ("stable", "quicksort") for sign in (1, -1)]
AUC_FACTORS: dict[str, dict[str, Any]] = {
    "direction": {
        "you counted the pairs the wrong way round: this is 1 - AUC. A pair is won if the positive scores higher.": -1,
    },
    "ties": {
        "a tied pair counts nothing here; it counts one half.": 0,
        "a tied pair counts as won here; it counts one half. (Sorting pairs of score and label does this, too.)": 1,
        "tied pairs are left out, of the divisor too; each counts one half.": None,
    },
    "scores": {
        "equal scores are not merged: the result depends on the order of the rows. Handle all rows of one score in "
        "one step.": UNMERGED,
        "the scores are cut at one half first: this is the AUC of the predicted labels, one point of the curve.": [
            lambda s: 1 * (s >= 0.5),
            lambda s: 1 * (s > 0.5),
        ],
        "the scores are put into bins between 0 and 1: a score beyond shares the outermost bin, and so do tiny ones.": (
            lambda s: np.clip((100 * s).astype(int), 0, 99)
        ),
        "the scores are cut or rounded to whole numbers, so that different ones tie.": [
            np.trunc,
            np.round,
            np.floor,
        ],
    },
    "scale": {
        "this is 2 AUC - 1, the Gini coefficient (Somers' D): lost pairs count -1 here, and tied ones 0.": (
            lambda auc: 2 * auc - 1
        ),
        "a value below one half is turned over into 1 - AUC; worse than chance must stay below.": _turned_over,
        "the area is negative: the points go from right to left; sort the scores from the highest down.": (
            lambda auc: -auc
        ),
    },
    "divisor": {
        "the divisor counts pairs of any two rows; only the P N pairs of a positive and a negative count.": [
            lambda pairs, rows: rows * (rows - 1) / 2,
            lambda pairs, rows: rows**2,
            lambda pairs, rows: pairs and rows * (rows - 1) / 2,
            lambda pairs, rows: pairs and rows**2,
        ],
    },
}


def _binned(y_true: Array, y_score: Array) -> float:
    return _unit_index(y_true, y_score, 100)[0]


def _in_histogram(y_true: Array, y_score: Array) -> float:
    return _unit_histogram(y_true, y_score, 100)[0]


def _within_unit(y_true: Array, y_score: Array) -> float:
    inside = (y_score >= 0) & (y_score < 1)
    return auc_as(y_true[inside], (100 * y_score[inside]).astype(int))


def _on_grid(y_true: Array, y_score: Array, *, start: bool) -> float:
    """The area under the points of 101 thresholds, from 1 down to 0, with or without (0, 0) before them."""
    cuts = np.r_[[math.inf] if start else [], np.linspace(1, 0, 101)][:, None]
    fpr, tpr = ((y_score[y_true == c] >= cuts).mean(axis=1) for c in (0, 1))
    return float(np.trapezoid(tpr, fpr))


def _rank_formula(y_true: Array, ranks: Array, least: Callable[[int], float] = lambda p: p * (p + 1) / 2) -> float:
    """The rank sum of the positives less something, over the pairs."""
    positive = int((y_true == 1).sum())
    return ratio(ranks[y_true == 1].sum() - least(positive), positive * (len(y_true) - positive))


def _side_ranks(y_score: Array, side: Literal["left", "right"]) -> Array:
    return np.array(np.searchsorted(np.sort(y_score), y_score, side)) + (side == "left")


def _of_ranks(least: Callable[[int], float]) -> tuple[Callable[[Array, Array], float], ...]:
    """Another number than P (P + 1) / 2 for P positives: with mean ranks, and with the ranks that sorting gives."""
    return (
        lambda y, s: _rank_formula(y, (_side_ranks(s, "left") + _side_ranks(s, "right")) / 2, least),
        *(lambda y, s, ranks=ranks: _rank_formula(y, ranks(s), least) for ranks in UNMERGED[::2]),
    )


def _area(points: slice) -> Callable[[Array, Array], float]:
    """The area under some of the points of the curve."""

    def area(y_true: Array, y_score: Array) -> float:
        fpr, tpr = roc_points(y_true, y_score)
        return float(np.trapezoid(tpr[points], fpr[points]))

    return area


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
    model=auc_as,
    factors=tuple(Factor(name, wrong) for name, wrong in AUC_FACTORS.items()),
    nothing="one class only; there is no pair",
    singular=(
        Mistake(
            "equal scores share their lowest or highest rank; it is the mean rank that counts a tie one half.",
            tuple(lambda y, s, side=side: _rank_formula(y, _side_ranks(s, side)) for side in ("left", "right")),
        ),
        Mistake(
            "the scores are put into bins between 0 and 1: a score of 1 or beyond falls out, and tiny scores share "
            "one bin.",
            (_binned, _in_histogram, _within_unit),
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
            "N (N + 1) / 2 is subtracted, for N negatives; it is P (P + 1) / 2, for P positives.",
            tuple(
                lambda y, s, ranks=ranks: _rank_formula(y, ranks(s), lambda p: (len(y) - p) * (len(y) - p + 1) / 2)
                for ranks in (*UNMERGED[::2], lambda s: (_side_ranks(s, "left") + _side_ranks(s, "right")) / 2)
            ),
        ),
        Mistake(
            "the ranks are dense (1, 1, 2); after a tie they must go on with the number of rows.",
            (lambda y, s: _rank_formula(y, np.unique(s, return_inverse=True)[1] + 1),),
        ),
        Mistake(
            "argsort is taken for the ranks; it gives the rows in order. Apply it twice, and average over ties.",
            tuple(
                lambda y, s, kind=kind: _rank_formula(y, np.argsort(s, kind=kind) + 1)
                for kind in ("quicksort", "stable")
            ),
        ),
        Mistake(
            "this is average precision, the area under the precision-recall curve.",
            (_pr_area(True), _pr_area(False), _both_classes(_pr_area(True)), _both_classes(_pr_area(False))),
        ),
        Mistake(
            "the arguments are taken the wrong way round: the labels come first, then the scores.",
            (lambda y, s: auc_as(s, y), lambda y, s: auc_as(s > np.median(s), y)),
        ),
        Mistake(
            "this is the difference of the mean scores of both classes; only the order of the scores counts.",
            (lambda y, s: float(s[y == 1].mean() - s[y == 0].mean()),),
        ),
        Mistake(
            "this is accuracy at a threshold of one half; AUC needs no threshold.",
            (lambda y, s: float(((s >= 0.5) == y).mean()), _both_classes(lambda y, s: float(((s >= 0.5) == y).mean()))),
        ),
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


def _both(user: User) -> bool:
    return 0 < int(user[0].sum()) < len(user[0])


def _clicks(user: User) -> float:
    return float(user[0].sum())


def gauc_as(
    y_true: Array,
    y_score: Array,
    groups: Array,
    *,
    rows: Callable[[Array, Array, Array], list[User]] = _users,
    weights: Callable[[User], float] = lambda user: len(user[0]),
    one_class: Callable[[list[User]], float | None] = lambda users: None,
    each: Callable[[float], float] = float,
    scale: Callable[[float], float] = float,
    **within: Any,
) -> float:
    """The weighted mean of the users' AUCs; ``one_class`` says what a user of one class counts, None to drop it."""
    users = rows(y_true, y_score, groups)
    single = one_class(users)
    values = [each(auc_as(*user, **within)) if _both(user) else single for user in users]
    kept = [(weights(user), value) for user, value in zip(users, values, strict=True) if value is not None]
    return scale(ratio(sum(weight * value for weight, value in kept), sum(weight for weight, _ in kept)))


def _counted(value: float) -> list[Callable[[list[User]], float]]:
    """What users of one class count: everywhere, and only where there is a user of both."""
    return [lambda users: value, lambda users: value if any(map(_both, users)) else math.nan]


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
    model=gauc_as,
    factors=(
        Factor(
            "weights",
            {
                "you averaged the AUCs without weights; each group weighs as many as it has rows.": (lambda user: 1),
                "the groups weigh by their clicks; the task asks for impressions, the number of rows.": _clicks,
                "the groups weigh by their rows without a click; the task asks for all rows.": (
                    lambda user: len(user[0]) - _clicks(user)
                ),
                "the groups weigh by the root of their rows; the task asks for the number of rows.": (
                    lambda user: len(user[0]) ** 0.5
                ),
                "the groups weigh by the logarithm of their rows; the task asks for the number of rows.": (
                    lambda user: math.log(len(user[0]))
                ),
                "the groups weigh by their pairs of a positive and a negative, so that large groups weigh "
                "quadratically.": (lambda user: _clicks(user) * (len(user[0]) - _clicks(user))),
            },
        ),
        Factor(
            "rows",
            {
                "this is the AUC of all rows together: it compares the scores of different users.": [
                    lambda y, s, g: [(y, s)],
                    lambda y, s, g: [(y, s)] if any(map(_both, _users(y, s, g))) else [],
                ],
                "the last group is left out: it still has to be added after the loop.": (
                    lambda y, s, g: _users(y, s, g)[:-1]
                ),
                "only rows that stand together are taken as a group; collect them, or sort by group first.": _runs,
            },
        ),
        Factor(
            "one_class",
            {
                **{
                    f"groups of one class count {said}, and their rows weigh; they have no AUC and are left out.": (
                        _counted(value)
                    )
                    for said, value in {"0": 0, "one half": 0.5, "1": 1}.items()
                },
                "a group of one class makes the whole mean nan; leave it out before you sum.": (lambda users: math.nan),
            },
        ),
        Factor(
            "ties",
            {
                "within a group a tied pair counts nothing; it counts one half.": 0,
                "within a group a tied pair counts as won; it counts one half.": 1,
            },
        ),
        Factor(
            "scores",
            {"within a group equal scores are not merged: the result depends on the order of the rows.": UNMERGED[:2]},
        ),
        Factor(
            "each",
            {
                "the AUC of a group is turned over where it is below one half; a group may be ranked worse than by "
                "chance.": _turned_over,
            },
        ),
        Factor(
            "scale",
            {
                "a value below one half is turned over; a ranking worse than chance must stay below.": _turned_over,
                "this is 2 GAUC - 1: lost pairs count -1 here, and tied ones 0.": (lambda gauc: 2 * gauc - 1),
                "the pairs are counted the wrong way round: this is 1 - GAUC.": (lambda gauc: 1 - gauc),
            },
        ),
    ),
    nothing="no group with both classes; there is nothing to average",
    singular=(
        Mistake(
            "the median of the groups' AUCs is taken; the task asks for their weighted mean.",
            (lambda y, s, g: float(np.median([auc_as(*u) for u in _users(y, s, g) if _both(u)] or [math.nan])),),
        ),
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


Rates = Callable[[Array, Array], Array]


def roc_as(
    y_true: Array,
    y_score: Array,
    *,
    ties: Callable[[Array], Array] | None = None,
    direction: int = 1,
    first: Rates = lambda fps, tps: fps / fps[-1],
    second: Rates = lambda fps, tps: tps / tps[-1],
    points: Callable[[Array], Array] = np.asarray,
    axes: Callable[[Array, Array], Any] = lambda fpr, tpr: (fpr, tpr),
) -> Any:
    """The curve with merged ties or a point for each row in some order, other rates, points or axes."""
    if not 0 < y_true.sum() < len(y_true):
        return roc_points(y_true, y_score)
    order = (ties or np.argsort)(-direction * y_score)
    label, score = y_true[order], y_score[order]
    ends = np.full(len(score), True) if ties else np.r_[score[1:] != score[:-1], True]
    tps, fps = np.r_[0, np.cumsum(label == 1)[ends]], np.r_[0, np.cumsum(label == 0)[ends]]
    return axes(points(first(fps, tps)), points(second(fps, tps)))


def _precision(at_zero: float) -> Rates:
    return lambda fps, tps: np.r_[at_zero, tps[1:] / (tps + fps)[1:]]


def _corners_only(y_true: Array, y_score: Array) -> Curve:
    curve = roc_curve(y_true, y_score, drop_intermediate=True)
    return curve.fpr, curve.tpr


def _at_thresholds(number: int, start: bool) -> Callable[[Array, Array], Curve]:
    """The points of a grid of thresholds, with or without (0, 0) before them."""

    def curve(y_true: Array, y_score: Array) -> Curve:
        if not 0 < y_true.sum() < len(y_true):
            return roc_points(y_true, y_score)
        cuts = np.r_[[math.inf] if start else [], np.linspace(1, 0, number)][:, None]
        fpr, tpr = ((y_score[y_true == c] >= cuts).mean(axis=1) for c in (0, 1))
        return fpr, tpr

    return curve


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
    model=roc_as,
    factors=(
        Factor(
            "ties",
            {
                "equal scores are not merged: the curve depends on the order of the rows.": [
                    lambda s: np.argsort(s, kind="stable"),
                    np.argsort,
                    lambda s: np.argsort(-s)[::-1],
                ]
            },
        ),
        Factor(
            "direction",
            {"the rows with the lowest scores are accepted first: sort from the highest score down.": -1},
        ),
        Factor(
            "points",
            {
                "the curve does not begin at (0, 0), where nothing is accepted.": (lambda rate: rate[1:]),
                "the first point, (0, 0), comes twice.": lambda rate: np.r_[rate[0], rate],
                "the last point, (1, 1), is missing: accept a row whose score equals the threshold.": [
                    lambda rate: rate[:-1],
                    lambda rate: np.r_[rate[0], rate[:-1]],
                ],
                "the last point, (1, 1), comes twice: the lowest score already accepts every row.": (
                    lambda rate: np.r_[rate, rate[-1]]
                ),
                "the points come from the lowest threshold up; the rates must rise.": [
                    lambda rate: rate[::-1],
                    lambda rate: rate[:0:-1],
                ],
            },
        ),
        Factor(
            "first",
            {
                "the first rates are TN / N, the specificity; the false positive rate is FP / N.": (
                    lambda fps, tps: 1 - fps / fps[-1]
                ),
                "the first rates are FN / P, the miss rate; the false positive rate is FP / N.": (
                    lambda fps, tps: 1 - tps / tps[-1]
                ),
                "the false positive rate is divided by FP + FN; its denominator is FP + TN, all negatives.": (
                    lambda fps, tps: fps / np.maximum(fps + tps[-1] - tps, 1)
                ),
                "this is FP / (TP + FP), the false discovery rate; the false positive rate divides by all negatives.": (
                    lambda fps, tps: fps / np.maximum(fps + tps, 1)
                ),
            },
        ),
        Factor(
            "second",
            {
                "the second numbers are accuracies; the true positive rate is TP / P.": (
                    lambda fps, tps: (tps + fps[-1] - fps) / (tps + fps)[-1]
                ),
                "the second rates are FN / P, the miss rate; the true positive rate is TP / P.": (
                    lambda fps, tps: 1 - tps / tps[-1]
                ),
                "the second numbers are TP / (TP + FP), the precision; the true positive rate is TP / P.": [
                    _precision(at_zero) for at_zero in (0, 1, math.nan)
                ],
            },
        ),
        Factor(
            "axes",
            {
                "the axes are swapped: the false positive rate comes first.": (lambda fpr, tpr: (tpr, fpr)),
                "these are points, pairs of two rates; return all false positive rates first, then all true ones.": (
                    lambda fpr, tpr: np.c_[fpr, tpr]
                ),
            },
        ),
    ),
    singular=(
        Mistake(
            "there is a third sequence, that of the thresholds; return the two rates.",
            (
                lambda y, s: (
                    (*roc_points(y, s), np.r_[math.inf, np.unique(s)[::-1]])
                    if 0 < y.sum() < len(y)
                    else roc_points(y, s)
                ),
            ),
        ),
        Mistake("points on straight lines are left out; the task keeps them.", (_corners_only,)),
        Mistake(
            "the thresholds are a grid between 0 and 1; take the scores themselves.",
            tuple(_at_thresholds(number, start) for number in (11, 21, 100, 101, 1001) for start in (True, False)),
        ),
        Mistake(
            "these are counts; divide them by the numbers of negatives and of positives.",
            (partial(roc_as, first=lambda fps, tps: fps, second=lambda fps, tps: tps),),
        ),
        Mistake(
            "the divisors are exchanged: FP is divided by the positives, and TP by the negatives.",
            (partial(roc_as, first=lambda fps, tps: fps / tps[-1], second=lambda fps, tps: tps / fps[-1]),),
        ),
        Mistake(
            "both counts are divided by the number of rows; each rate divides by its own class.",
            (
                partial(
                    roc_as,
                    first=lambda fps, tps: fps / (fps + tps)[-1],
                    second=lambda fps, tps: tps / (fps + tps)[-1],
                ),
            ),
        ),
        Mistake(
            "the rate of the missing class is 0 here; it is 0/0.",
            (lambda y, s: np.nan_to_num(roc_as(y, s)),),
        ),
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


def _index(y_true: Array, y_score: Array, bins: int) -> Array:
    edges = np.linspace(y_score.min(), y_score.max(), bins + 1)[1:-1]
    return np.searchsorted(edges, y_score, side="right")


def histogram_as(
    y_true: Array,
    y_score: Array,
    bins: int,
    *,
    number: Callable[[Array, Array, int], Array] = _index,
    value: Callable[..., float] = auc_as,
    bound: Callable[[float, int, float, float], float] = lambda right, bins, pairs, error: right,
    order: int = 1,
    **factors: Any,
) -> Sequence[float]:
    """The AUC of the numbers of the bins, and the bound, of which ``bound`` makes something else."""
    numbers = number(y_true, y_score, bins)
    area, right = _value_and_bound(y_true, numbers)
    pairs = float((y_true == 1).sum() * (y_true == 0).sum())
    error = abs(area - auc_as(y_true, y_score))
    return (value(y_true, numbers, **factors), bound(right, bins, pairs, error) if pairs else right)[::order]


def _unit_index(y_true: Array, y_score: Array, bins: int) -> Two:
    counts = np.zeros((2, bins))
    for label, score in zip(y_true, y_score, strict=True):
        counts[label, int(bins * score)] += 1
    return _of_counts(counts)


def _unit_histogram(y_true: Array, y_score: Array, bins: int) -> Two:
    return _of_counts(np.array([np.histogram(y_score[y_true == c], bins, range=(0, 1))[0] for c in (0, 1)]))


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


def _last_alone(y_true: Array, y_score: Array, bins: int) -> Array:
    """The highest score in a bin of its own."""
    return np.asarray(_index(y_true, y_score, bins) + (y_score == y_score.max()))


def _equally_filled(y_true: Array, y_score: Array, bins: int) -> Array:
    edges = np.quantile(y_score, np.linspace(0, 1, bins + 1))[1:-1]
    return np.searchsorted(edges, y_score, side="right")


def _of_width_zero(y_true: Array, y_score: Array, bins: int) -> Array:
    if len(set(y_score.tolist())) == 1:
        raise ZeroDivisionError
    return _index(y_true, y_score, bins)


def _own_ranges(y_true: Array, y_score: Array, bins: int) -> Two:
    return _of_counts(np.array([np.histogram(y_score[y_true == c], bins)[0] for c in (0, 1)]))


def _of_counts(counts: Array) -> Two:
    """The same for rows of which only the counts of negatives and positives in each bin are known."""
    bins = np.tile(np.arange(counts.shape[1]), 2)
    of_each = counts.ravel().astype(int)
    return _value_and_bound(np.repeat([0, 1], counts.sum(axis=1).astype(int)), np.repeat(bins, of_each))


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
    model=histogram_as,
    factors=(
        Factor(
            "number",
            {
                "the bins lie between 0 and 1, and scores beyond are put into the outermost; take the range from the "
                "data.": (lambda y, s, b: np.clip((b * s).astype(int), 0, b - 1)),
                "the highest score has a bin of its own; it belongs to the last bin.": _last_alone,
                "there is one bin too few: linspace(lowest, highest, bins) gives bins - 1 of them, for the edges are "
                "one more than the bins.": [
                    lambda y, s, b: _index(y, s, max(b - 1, 1)),
                    lambda y, s, b: _last_alone(y, s, b - 1) if b > 1 else np.zeros(len(y)),
                ],
                "the bins hold equal numbers of rows; they should have equal width.": _equally_filled,
                "bins of width 0 are not handled: where all scores are equal, all are in one bin.": _of_width_zero,
            },
        ),
        Factor("direction", {"the pairs are counted the wrong way round: the value is 1 - AUC.": -1}),
        Factor(
            "ties",
            {
                "a pair within one bin counts nothing here; it counts one half.": 0,
                "a pair within one bin counts as won here; it counts one half.": 1,
            },
        ),
        Factor(
            "scale",
            {
                "a value below one half is turned over; a ranking worse than chance must stay below.": _turned_over,
                "the value is 2 AUC - 1: lost pairs count -1 here.": (lambda auc: 2 * auc - 1),
            },
        ),
        Factor(
            "bound",
            {
                "the bound is a number of pairs; divide by the number of all pairs of a positive and a negative.": (
                    lambda right, bins, pairs, error: right * pairs
                ),
                "the bound is twice too wide: a pair within one bin is off by one half at most.": (
                    lambda right, bins, pairs, error: 2 * right
                ),
                "the bound is made of the number of bins alone; how many pairs share a bin depends on the data.": [
                    lambda right, bins, pairs, error: 1 / bins,
                    lambda right, bins, pairs, error: 1 / (2 * bins),
                ],
                "this is the error itself, which a histogram cannot know; the bound comes from the bins alone.": (
                    lambda right, bins, pairs, error: error
                ),
            },
        ),
        Factor("order", {"the value and the bound are swapped.": -1}),
    ),
    nothing="one class only; there is no pair",
    singular=(
        Mistake(
            "the bins lie between 0 and 1; take the range from the data, for scores may lie anywhere.",
            (_unit_index, _unit_histogram),
        ),
        Mistake(
            "the highest score falls out of the last bin: number bins - 1 holds the upper edge, too.",
            (_no_last_bin, _last_dropped),
        ),
        Mistake(
            "the value is the AUC of the scores; the task asks for that of the bins.",
            (lambda y, s, b: (auc_as(y, s), histogram_as(y, s, b)[1]),),
        ),
        Mistake("each class has bins over its own range; the bins must be the same for both.", (_own_ranges,)),
    ),
)

EXERCISES = (AUC, GAUC, ROC_POINTS, AUC_BY_HISTOGRAM)
