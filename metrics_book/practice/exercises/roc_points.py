"""The points of the ROC curve."""

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_book.practice.exercises.auc import GRID, LABELS_AND_SCORES, ROUNDED, draw
from metrics_lib import roc_curve


def roc_right(y_true: Array, y_score: Array) -> tuple[Array, Array]:
    curve = roc_curve(y_true, y_score, drop_intermediate=False)
    return curve.fpr, curve.tpr


def roc_points_by_threshold(y_true: Array, y_score: Array) -> tuple[list[float], list[float]]:
    p, n = int((y_true == 1).sum()), int((y_true == 0).sum())
    if p == 0 or n == 0:
        raise ValueError("one class only: a rate is 0/0")
    cuts = sorted(set(y_score.tolist()), reverse=True)
    fpr, tpr = [0.0], [0.0]
    for cut in cuts:
        accepted = y_score >= cut
        fp, tp = int((accepted & (y_true == 0)).sum()), int((accepted & (y_true == 1)).sum())
        fpr.append(fp / n)
        tpr.append(tp / p)
    return fpr, tpr


def roc_points_by_sorting(y_true: Array, y_score: Array) -> tuple[Array, Array]:
    order = np.argsort(-y_score, kind="stable")
    label, score = y_true[order], y_score[order]
    last_of_tie = np.r_[score[1:] != score[:-1], True]
    tps = np.r_[0, np.cumsum(label == 1)[last_of_tie]]
    fps = np.r_[0, np.cumsum(label == 0)[last_of_tie]]
    if tps[-1] == 0 or fps[-1] == 0:
        raise ValueError("one class only: a rate is 0/0")
    return fps / fps[-1], tps / tps[-1]


STABLE = 'sorting: np.argsort(-y_score, kind="stable") ->'
EACH_ROW = " ;; last_of_tie = np.r_[score[1:] != score[:-1], True] -> last_of_tie = slice(None)"
UNMERGED = "equal scores are not merged: the curve depends on the order of the rows."
RETURN = "return fpr, tpr -> return"

ROC_POINTS = Exercise(
    name="roc_points",
    title="the points of the ROC curve (ROC 曲线)",
    parameters="y_true, y_score",
    task=(
        *LABELS_AND_SCORES,
        "Return two sequences of equal length, the false positive rates and the true positive rates (假正例率, "
        "真正例率), in this order.",
        "Points: first (0, 0), where nothing is accepted; then one point for each different score, from the highest "
        "to the lowest, where every row with at least this score is accepted. Keep points on straight lines.",
        "Ties: rows of one score are accepted together.",
        "One class only: a rate is 0/0; raise a ValueError, or return nan for the rate that is undefined.",
    ),
    right=roc_right,
    draw=draw,
    zero="there is one class only",
    cases=(
        ("four points", ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "Each row adds a step to the right or up."),
        ("a perfect ranking", ([0, 1, 0, 1, 0], [0.2, 0.7, 0.4, 0.9, 0.1]), "Up first, then to the right."),
        ("equal scores", ([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4]), "A tie of both classes is one sloping step."),
        ("the same rows in another order", ([0, 0, 1, 1, 1], [0.4, 0.6, 0.6, 0.6, 0.8]), "Rows have no order."),
        ("all scores equal", ([0, 1, 0], [0.5, 0.5, 0.5]), "One threshold accepts everything."),
        ("logits", ([0, 1, 0, 1, 1], [-2.0, -1.0, 0.5, 3.0, 5.0]), "Thresholds come from the scores, not from a grid."),
        ("near ties", ([0, 1, 1, 0], [0.70001, 0.70002, 0.7, 0.69999]), "Nearly equal is not equal."),
        ("one class only", ([1, 1], [0.2, 0.9]), "Without a negative the false positive rate is 0/0."),
        ("the other class only", ([0, 0, 0], [0.2, 0.9, 0.9]), "Without a positive the true positive rate is 0/0."),
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
    mistakes={
        UNMERGED: (
            f'{STABLE} np.argsort(-y_score, kind="stable"){EACH_ROW}',
            f"{STABLE} np.argsort(y_score)[::-1]{EACH_ROW}",
            f'{STABLE} np.argsort(y_score, kind="stable")[::-1]{EACH_ROW}',
            f"{STABLE} np.lexsort((-y_true, -y_score)){EACH_ROW}",
            f"{STABLE} np.lexsort((y_true, -y_score)){EACH_ROW}",
        ),
        "the rows with the lowest scores are accepted first: sort from the highest score down.": (
            "y_score >= cut -> y_score <= cut ;; reverse=True -> reverse=False",
            f"{STABLE} np.argsort(y_score){EACH_ROW}",
        ),
        "the curve does not begin at (0, 0), where nothing is accepted.": (
            f"{RETURN} fpr[1:], tpr[1:]",
            f"{STABLE} np.argsort(-y_score, kind='stable'){EACH_ROW} ;; fps / fps[-1], tps / tps[-1] -> fps[1:] / "
            "fps[-1], tps[1:] / tps[-1]",
        ),
        "the first point, (0, 0), comes twice.": (f"{RETURN} [0.0, *fpr], [0.0, *tpr]",),
        "the last point, (1, 1), is missing: accept a row whose score equals the threshold.": (
            f"{RETURN} fpr[:-1], tpr[:-1]",
            ">= cut -> > cut",
            ">= cut -> > cut ;; [0.0], [0.0] -> [], []",
        ),
        "the first rates are TN / N, the specificity; the false positive rate is FP / N.": (
            f"{RETURN} [1 - x for x in fpr], tpr",
        ),
        "the axes are swapped: the false positive rate comes first.": (f"{RETURN} tpr, fpr",),
        "these are points, pairs of two rates; return all false positive rates first, then all true ones.": (
            f"{RETURN} list(zip(fpr, tpr))",
        ),
        "points on straight lines are left out; the task keeps them.": (
            f"{RETURN} tuple(map(np.array, roc_curve(y_true, y_score, drop_intermediate=True)[:2]))",
        ),
        GRID: tuple(
            f"cuts = sorted(set(y_score.tolist()), reverse=True) -> cuts = np.linspace(1, 0, {n}){more}"
            for n in (11, 21, 100, 101, 1001)
            for more in ("", " ;; [0.0], [0.0] -> [], []")
        ),
        ROUNDED: tuple(f"begin: y_score = np.round(y_score, {digits})" for digits in range(7)),
    },
)
