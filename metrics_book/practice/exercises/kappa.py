"""Cohen's kappa."""

import math
from collections import Counter

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_book.practice.exercises.labels import draw_labels
from metrics_lib import cohen_kappa_score, matthews_corrcoef

MCC = matthews_corrcoef


def kappa(y_true: Array, y_pred: Array) -> float:
    return float(cohen_kappa_score(y_true, y_pred)) if len({*y_true.tolist(), *y_pred.tolist()}) > 1 else math.nan


def kappa_by_counting(y_true: Array, y_pred: Array) -> float:
    n, pairs = len(y_true), zip(y_true.tolist(), y_pred.tolist(), strict=True)
    true, predicted = Counter(y_true.tolist()), Counter(y_pred.tolist())
    agreed = sum(t == p for t, p in pairs)
    by_chance = sum(true[label] * predicted[label] for label in true)
    if by_chance == n * n:
        return math.nan
    return float((n * agreed - by_chance) / (n * n - by_chance))


def kappa_by_matrix(y_true: Array, y_pred: Array) -> float:
    labels, codes = np.unique(np.r_[y_true, y_pred], return_inverse=True)
    if len(labels) == 1:
        raise ValueError("one constant on both sides: kappa is 0/0")
    true, predicted = np.split(codes, 2)
    matrix = np.zeros((len(labels), len(labels)))
    np.add.at(matrix, (true, predicted), 1 / len(true))
    chance = matrix.sum(axis=1) @ matrix.sum(axis=0)
    return float((np.trace(matrix) - chance) / (1 - chance))


CHANCE = "sum(true[label] * predicted[label] for label in true)"
LAST = "(n * agreed - by_chance) / (n * n - by_chance)"
GUARD = "if by_chance == n * n: -> if len(true | predicted) == 1:"


def chance(*values: str) -> tuple[str, ...]:
    """Another chance agreement, times n squared."""
    return tuple(
        f"{GUARD} ;; {CHANCE} -> {value} ;; {LAST} -> np.float64(n * agreed - by_chance) / (n * n - by_chance)"
        for value in values
    )


def last(*values: str) -> tuple[str, ...]:
    return tuple(f"{LAST} -> {value}" for value in values)


COHEN_KAPPA = Exercise(
    name="cohen_kappa",
    title="Cohen's kappa (科恩 kappa 系数)",
    parameters="y_true, y_pred",
    task=(
        "y_true and y_pred hold the labels that two raters, or truth and model, gave to the same items: numbers or "
        "strings, two or more classes.",
        "Return one number: (p_o - p_e) / (1 - p_e), where p_o is the share of items on which both agree.",
        "p_e is the agreement that chance alone would give: the sum over the labels of the share of the label in "
        "y_true times its share in y_pred.",
        "Kappa is negative where both agree less often than by chance.",
        "Both sides one and the same constant: the value is 0/0; return nan or raise a ValueError.",
    ),
    right=kappa,
    draw=draw_labels,
    zero="both sides are one and the same constant",
    cases=(
        ("ten items", ([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 0, 1]), "7 of 10, and 5 by chance."),
        (
            "a rare class",
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]),
            "They agree on 8 of 10 items, and chance alone would give more: kappa is below 0.",
        ),
        ("perfect agreement", ([0, 1, 2, 1], [0, 1, 2, 1]), "The highest value: 1."),
        ("less than by chance", ([0, 1, 0, 1], [1, 0, 1, 0]), "They agree on no item: kappa is negative."),
        (
            "different habits",
            ([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0]),
            "One says yes twice as often: chance is made of both habits, not of their mean.",
        ),
        ("one side is a constant", ([0, 1, 1, 0, 1], [1, 1, 1, 1, 1]), "Chance gives all agreement: 0, and defined."),
        ("labels on one side only", ([0, 0, 1, 1, 2], [0, 0, 1, 3, 3]), "It adds nothing to chance, and disagrees."),
        (
            "labels that are strings",
            (["spam", "ham", "ham", "spam", "ham"], ["spam", "ham", "spam", "ham", "ham"]),
            "Labels are names; nothing is calculated with them.",
        ),
        ("capital letters", (["A", "a", "a", "B"], ["a", "a", "A", "B"]), "A and a are different labels."),
        ("two different constants", ([0, 0, 0], [1, 1, 1]), "No agreement, and none by chance: 0, and defined."),
        ("one constant on both sides", ([1, 1, 1], [1, 1, 1]), "Chance explains everything: 0/0."),
    ),
    hints=(
        "Two shares: how often they agree, and how often two people with these habits would agree by chance.",
        "Chance: for each label multiply its share on one side by its share on the other, and add up.",
        "What is beyond chance, over the most that could be beyond it: (p_o - p_e) / (1 - p_e). Look at p_e = 1 first.",
    ),
    approaches=(
        Approach(
            kappa_by_counting,
            "Three counts in whole numbers; multiplied by n squared, the formula needs no shares.",
            "O(n) time, O(c) memory for c classes",
            "a loop in Python: slow for millions of items",
        ),
        Approach(
            kappa_by_matrix,
            "The confusion matrix as shares: its trace, and the product of its margins.",
            "O(n log n + c^2) time, O(n + c^2) memory",
            "tens of thousands of classes make a matrix too large",
        ),
    ),
    mistakes={
        "chance is 1 over the number of classes here (Bennett's S); it is made of the shares of each label.": chance(
            "n * n / len(true | predicted)", "n * n / len(true)"
        ),
        "chance is made of the mean shares of both sides (Scott's pi); multiply the two shares of a label.": chance(
            "sum((true[c] + predicted[c]) ** 2 for c in true | predicted) / 4"
        ),
        "chance is made of the squared shares of y_true; multiply them by those of y_pred.": chance(
            "sum(count**2 for count in true.values())"
        ),
        "chance is one half here, as for two labels that are equally frequent.": chance("n * n / 2"),
        "chance is made of label 1 alone; the other labels agree by chance as well.": chance("true[1] * predicted[1]"),
        "p_o - p_e is divided by 1 - p_o; divide by 1 - p_e, the most that can be beyond chance.": last(
            "np.float64(n * agreed - by_chance) / (n * n - n * agreed)",
            "(n * agreed - by_chance) / (n * n - n * agreed or n * n - by_chance)",
            "(n * agreed - by_chance) / (n * n - n * agreed or math.inf)",
        ),
        "a negative value is cut off at 0; kappa is negative where both agree less than by chance.": last(
            f"max({LAST}, 0)"
        ),
        "the sign of kappa is lost or wrong: it is p_o less p_e.": last(f"abs({LAST})", f"-{LAST}"),
        "this is raw agreement, the accuracy: it is not corrected for chance.": (
            *last("agreed / n"),
            "return: float(np.mean(y_true == y_pred))",
        ),
        "this is Matthews' correlation coefficient; it equals kappa only where both sides have the same shares.": last(
            "MCC(y_true, y_pred)"
        ),
        "upper and lower case are taken for one label; labels that differ in anything are different.": (
            "begin: y_true, y_pred = (np.char.lower(y) if y.dtype.kind == 'U' else y for y in (y_true, y_pred))",
        ),
    },
)
