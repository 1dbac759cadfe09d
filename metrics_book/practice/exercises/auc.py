"""AUC."""

import math
from itertools import groupby

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import roc_auc_score


def auc_by_pairs(y_true: Array, y_score: Array) -> float:
    positive, negative = y_score[y_true == 1], y_score[y_true == 0]
    won = (positive[:, None] > negative).sum()
    tied = (positive[:, None] == negative).sum()
    pairs = len(positive) * len(negative)
    return float((won + tied / 2) / pairs) if pairs else math.nan


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
    ranks = (first + last) / 2
    p = int((y_true == 1).sum())
    n = len(y_true) - p
    least = p * (p + 1) / 2
    return float((ranks[y_true == 1].sum() - least) / (p * n)) if p * n else math.nan


def auc_by_curve(y_true: Array, y_score: Array) -> float:
    cuts = np.unique(y_score)[::-1, None]
    tpr = np.r_[0, (y_score[y_true == 1] >= cuts).mean(axis=1)]
    fpr = np.r_[0, (y_score[y_true == 0] >= cuts).mean(axis=1)]
    return float(np.trapezoid(tpr, fpr))


def scores(rng: np.random.Generator, n: int) -> Array:
    """Scores as they come: with one decimal, as logits, tiny, large, whole, nearly tied, and of few values."""
    kind = rng.integers(9)
    normal = rng.normal(size=n)
    return [
        np.round(rng.random(n), 1),
        np.round(3 * normal, 1),
        1e-9 * rng.integers(1, 9, n),
        1e6 * np.round(normal, 2),
        rng.integers(-3, 4, n).astype(float),
        0.5 + 1e-7 * rng.integers(0, 5, n),
        np.round(1.2 * rng.random(n), 4),
        0.9 * rng.random(n) ** 2,
        rng.choice([0.2, 0.8], n),
    ][kind]


def draw(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    labels = rng.integers(0, 2, n)
    return labels, scores(rng, n) if n < 100 else rng.normal(size=n)


LABELS_AND_SCORES = (
    "y_true holds the labels, 0 or 1, and 1 is the positive class.",
    "y_score holds the scores, finite numbers on any scale; higher means more likely positive.",
)
BINS = "the scores are cut to 0...1 or put into bins there; scores may lie on any scale, and any two may differ."
ROUNDED = "the scores are rounded, or nearly equal ones tie; any two different scores are in an order."
UNMERGED = (
    "equal scores are not merged: the result depends on the order of the rows. Take all rows of a score together."
)
CUT = "the scores are cut at one half first: this is the AUC of the predicted labels, one point of the curve."
TURNED = "a value below one half is turned over into 1 - AUC; worse than chance must stay below."
GRID = "the thresholds are a grid between 0 and 1; take the scores themselves, which may lie anywhere."

AUC = Exercise(
    name="auc",
    title="area under the ROC curve (ROC 曲线下面积)",
    parameters="y_true, y_score",
    task=(
        *LABELS_AND_SCORES,
        "Return one number: the share of pairs of a positive and a negative in which the positive has the higher "
        "score.",
        "Ties: a pair with equal scores counts one half.",
        "One class only: the value is 0/0; return nan or raise a ValueError.",
    ),
    right=roc_auc_score,
    draw=draw,
    zero="there is one class only",
    cases=(
        ("four points", ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "Three of the four pairs are in the right order."),
        ("equal scores", ([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4]), "Two of the six pairs tie: one half each."),
        ("the same rows in another order", ([0, 0, 1, 1, 1], [0.4, 0.6, 0.6, 0.6, 0.8]), "Rows have no order."),
        ("all scores equal", ([0, 1, 0, 1, 1], [0.3] * 5), "A constant model ranks nothing: every pair ties."),
        ("a perfect ranking", ([0, 1, 0, 1], [0.2, 0.7, 0.4, 0.9]), "Every positive is above every negative."),
        ("worse than chance", ([1, 0, 1, 0, 0], [0.1, 0.9, 0.4, 0.3, 0.6]), "Turned over, it hides a broken model."),
        ("a score of exactly 1", ([0, 1, 0, 1], [0.0, 0.3, 0.6, 1.0]), "Bins that end below 1 lose it."),
        ("logits", ([0, 1, 0, 1, 1], [-2.0, -1.0, 1.5, 3.0, 5.0]), "Only the order counts: no scale is given."),
        ("tiny scores", ([0, 1, 0, 1], [1e-9, 2e-9, 3e-9, 4e-9]), "The ninth decimal is an order, too."),
        ("near ties", ([0, 1, 1, 0], [0.70001, 0.70002, 0.7, 0.69999]), "Nearly equal is not equal."),
        ("one class only", ([1, 1, 1], [0.2, 0.5, 0.9]), "Without a negative there is no pair."),
        ("the other class only", ([0, 0], [0.2, 0.5]), "Without a positive there is no pair."),
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
        Approach(
            auc_by_curve,
            "The trapezoids under the points of the ROC curve, one for each different score.",
            "O(n t) time for t different scores",
            "quadratic where all scores differ",
        ),
    ),
    mistakes={
        "you counted the pairs the wrong way round: this is 1 - AUC. A pair is won if the positive scores higher.": (
            "> negative -> < negative",
        ),
        "a tied pair counts nothing here, as with rectangles left of each step of the curve; it counts one half.": (
            "tied / 2 -> 0",
        ),
        "a tied pair counts as won here, as with rectangles right of each step; it counts one half. (Sorting pairs of "
        "score and label does this, too.)": ("tied / 2 -> tied",),
        "tied pairs are left out, of the divisor too; each counts one half.": (
            "won + tied / 2 -> won ;; / pairs -> / (pairs - tied)",
        ),
        UNMERGED: (
            "begin: y_score = np.argsort(np.argsort(y_score, kind='stable'))",
            "begin: y_score = -np.argsort(np.argsort(-y_score, kind='stable'))",
            "begin: y_score = np.argsort(np.argsort(y_score))",
            "begin: y_score = -np.argsort(np.argsort(-y_score))",
            "begin: y_score = len(y_score) - np.argsort(np.argsort(y_score, kind='stable')[::-1])",
        ),
        CUT: ("begin: y_score = y_score >= 0.5", "begin: y_score = y_score > 0.5"),
        BINS: (
            "begin: y_score = np.clip(y_score, 0, 1)",
            "begin: y_score = np.clip((100 * y_score).astype(int), 0, 99)",
            "begin: y_score = np.clip((10 * y_score).astype(int), 0, 9)",
            "begin: y_score = (100 * y_score).astype(int)",
            "begin: y_true, y_score = (y[(0 <= y_score) & (y_score <= 1)] for y in (y_true, y_score))",
        ),
        GRID: tuple(
            f"curve: np.unique(y_score)[::-1, None] -> np.linspace(1, 0, {n})[:, None]{more}"
            for n in (11, 100, 101, 1001)
            for more in ("", " ;; tpr, fpr) -> tpr[1:], fpr[1:])")
        ),
        ROUNDED: (
            *(f"begin: y_score = np.round(y_score, {digits})" for digits in range(1, 7)),
            "(positive[:, None] == negative) -> np.isclose(positive[:, None], negative)",
            "positive[:, None] > negative -> positive[:, None] > negative + 1e-6 ;; (positive[:, None] == negative) -> "
            "(abs(positive[:, None] - negative) <= 1e-6)",
        ),
        "this is 2 AUC - 1, the Gini coefficient (Somers' D): lost pairs count -1 here, and tied ones 0.": (
            "float((won + tied / 2) / pairs) -> 2 * (won + tied / 2) / pairs - 1",
        ),
        TURNED: ("float((won + tied / 2) / pairs) -> max((won + tied / 2) / pairs, 1 - (won + tied / 2) / pairs)",),
        "the ranks are dense (1, 1, 2); after a tie they must go on with the number of rows.": (
            "ranks: (first + last) / 2 -> np.unique(y_score, return_inverse=True)[1] + 1",
        ),
        "argsort is taken for the ranks; it gives the rows in order. Apply it twice, and average over ties.": (
            "ranks: (first + last) / 2 -> np.argsort(y_score, kind='stable') + 1",
            "ranks: (first + last) / 2 -> np.argsort(y_score) + 1",
        ),
        "the rank sum lacks the subtraction of its least value, P (P + 1) / 2 for P positives.": (
            "ranks: p * (p + 1) / 2 -> 0",
            "ranks: p * (p + 1) / 2 -> 0 ;; (first + last) / 2 -> 1 + np.argsort(np.argsort(y_score, kind='stable'))",
        ),
        "the area lies under fpr as a function of tpr: the axes are swapped.": (
            "curve: np.trapezoid(tpr, fpr) -> np.trapezoid(fpr, tpr)",
        ),
    },
)
