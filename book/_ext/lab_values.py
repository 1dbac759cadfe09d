"""The values that a lab shows in a state, computed by metrics_lib: for its tables, and for the tests of its script.

A state is the text by which a link to the lab carries it, its parts between full stops.
A scored item is a letter: its place in the alphabet is the score, and a capital is a positive.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from metrics_lib import (
    ConfusionCounts,
    average_precision_score,
    roc_auc_score,
)

FORMS = {
    "threshold": r"[a-kA-K]{1,24}\.(\d|1[01])\.([1-9]|1\d|20)\.(10-1|5-1|2-1|1-1|1-2|1-5|1-10|1-20)",
}
CUTS = range(12)  # one below each of the eleven scores, one above all


def read(lab: str, text: str) -> list[str]:
    """The parts of a state; ValueError if the text is none."""
    if not re.fullmatch(FORMS[lab], text):
        raise ValueError(f"{text!r} is no state of the lab {lab}, expected {FORMS[lab]}")
    return text.split(".")


def scored(letters: str) -> tuple[np.ndarray, np.ndarray]:
    """The labels and the scores of items."""
    y_true = np.array([letter.isupper() for letter in letters], dtype=int)
    return y_true, np.array([ord(letter) - ord("a") for letter in letters.lower()])


def auc(y_true: np.ndarray, y_score: np.ndarray, **options: Any) -> float:
    """The AUC, undefined where there is one class only."""
    return roc_auc_score(y_true, y_score, **options) if 0 < y_true.sum() < len(y_true) else np.nan


def threshold(text: str) -> dict[str, Any]:
    letters, cut, weight, cost = read("threshold", text)
    y_true, y_score = scored(letters)
    weights = np.where(y_true, 1, int(weight))
    counts = [ConfusionCounts.from_labels(y_true, (y_score >= cut).astype(int), sample_weight=weights) for cut in CUTS]
    alarm, miss = map(int, cost.split("-"))
    costs = [(alarm * count.fp + miss * count.fn) / int(weights.sum()) for count in counts]
    here = counts[int(cut)]
    return {
        "tp": here.tp,
        "fp": here.fp,
        "fn": here.fn,
        "tn": here.tn,
        "prevalence": here.prevalence,
        "accuracy": here.accuracy,
        "precision": here.precision,
        "recall": here.recall,
        "fpr": here.false_positive_rate,
        "f1": here.f1,
        "auc": auc(y_true, y_score, sample_weight=weights),
        "ap": average_precision_score(y_true, y_score, sample_weight=weights) if y_true.any() else np.nan,
        "cost": costs[int(cut)],
        "costs": costs,
        "best": [cut for cut in CUTS if costs[cut] == min(costs)],
        "roc": [[count.false_positive_rate, count.recall] for count in reversed(counts)],
        "pr": [[count.recall, count.precision] for count in reversed(counts)],
    }


VALUES: dict[str, Callable[[str], dict[str, Any]]] = {"threshold": threshold}
