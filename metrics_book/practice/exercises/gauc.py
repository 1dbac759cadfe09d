"""Grouped AUC."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_book.practice.exercises.auc import BINS, LABELS_AND_SCORES, ROUNDED, scores
from metrics_lib import gauc


def gauc_by_dictionary(y_true: Array, y_score: Array, groups: Array) -> float:
    rows: dict[object, list[tuple[int, float]]] = {}
    for label, score, group in zip(y_true, y_score, groups, strict=True):
        rows.setdefault(group, []).append((label, score))
    total = weight = 0.0
    for pairs in rows.values():
        positive = [score for label, score in pairs if label == 1]
        negative = [score for label, score in pairs if label == 0]
        if positive and negative:
            won = sum((p > n) + (p == n) / 2 for p in positive for n in negative)
            auc = won / (len(positive) * len(negative))
            w = len(pairs)
            total += w * auc
            weight += w
    return total / weight if weight else math.nan


def gauc_by_sorting(y_true: Array, y_score: Array, groups: Array) -> float:
    _, code = np.unique(groups, return_inverse=True)
    order = np.lexsort((y_score, code))
    label, score, group = y_true[order], y_score[order], code[order]
    starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    total = weight = 0.0
    for start, end in zip(starts, [*starts[1:], len(group)], strict=True):
        y, s = label[start:end], score[start:end]
        positive, negative = s[y == 1], s[y == 0]
        below = np.searchsorted(negative, positive, side="left")
        not_above = np.searchsorted(negative, positive, side="right")
        if len(positive) and len(negative):
            total += len(y) * float((below + not_above).sum() / (2 * len(positive) * len(negative)))
            weight += len(y)
    return total / weight if weight else math.nan


def draw(rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
    users = rng.integers(0, max(n // 3, 1), n) if n < 100 else np.where(rng.random(n) < 0.5, 0, rng.integers(0, n, n))
    users = np.array([f"u{user}" for user in users]) if n < 100 and rng.random() < 0.2 else users
    return rng.integers(0, 2, n), scores(rng, n) if n < 100 else rng.normal(size=n), users


KEEP = "if positive and negative:"
DIVIDED = "won / (len(positive) * len(negative))"


def one_class(value: object) -> tuple[str]:
    """Groups of one class count so much."""
    return (f"{KEEP} -> if True: ;; {DIVIDED} -> {DIVIDED} if positive and negative else {value}",)


GAUC = Exercise(
    name="gauc",
    title="grouped AUC (分组 AUC)",
    parameters="y_true, y_score, groups",
    task=(
        *LABELS_AND_SCORES,
        "groups holds the group (user) of each row, numbers or strings; the rows come in any order.",
        "Return one number: the mean of the groups' AUCs, weighted by their numbers of rows (impressions).",
        "Ties: within a group, a pair with equal scores counts one half.",
        "Groups of one class have no AUC: leave them out, of the weights too.",
        "No group with both classes: the value is 0/0; return nan or raise a ValueError.",
    ),
    right=gauc,
    draw=draw,
    zero="no group has both classes",
    cases=(
        (
            "two users",
            ([1, 0, 1, 0, 0, 0, 1], [0.2, 0.9, 0.8, 0.3, 0.5, 0.1, 0.4], [1, 1, 2, 2, 2, 2, 2]),
            "Each user's AUC is weighted by the number of rows.",
        ),
        (
            "the same rows interleaved",
            ([1, 1, 0, 0, 0, 0, 1], [0.8, 0.2, 0.3, 0.9, 0.5, 0.1, 0.4], [2, 1, 2, 1, 2, 2, 2]),
            "A log is sorted by time, not by user.",
        ),
        ("scores on another level", ([1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8], [1, 1, 2, 2]), "Users are never compared."),
        (
            "a user without clicks",
            ([1, 0, 0, 0, 0, 1, 0], [0.7, 0.6, 0.5, 0.9, 0.8, 0.3, 0.4], [1, 1, 1, 2, 2, 3, 3]),
            "No pair, no AUC: the rows of this user must not weigh either.",
        ),
        (
            "worse than chance",
            ([1, 0, 0, 1, 0, 1, 0], [0.1, 0.5, 0.9, 0.2, 0.8, 0.6, 0.4], [1, 1, 1, 2, 2, 2, 2]),
            "Both users' clicks are too low; the value must stay below one half.",
        ),
        ("a user with clicks only", ([1, 0, 0, 1, 1], [0.5, 0.6, 0.4, 0.9, 0.8], [1, 1, 1, 2, 2]), "One class again."),
        (
            "equal scores within a user",
            ([1, 0, 0, 0, 1, 1], [0.5, 0.5, 0.2, 0.7, 0.7, 0.9], [1, 1, 1, 2, 2, 2]),
            "A tie counts one half, whichever row comes first.",
        ),
        (
            "users named by strings",
            ([0, 1, 1, 0, 1], [0.3, 0.6, 0.2, 0.4, 0.7], ["u9", "u9", "u10", "u10", "u10"]),
            "Identifiers are not numbers to calculate with.",
        ),
        ("logits", ([1, 0, 1, 0], [3.2, 1.7, -0.4, -2.0], [1, 1, 2, 2]), "Scores may lie on any scale."),
        ("near ties", ([1, 0, 0, 1], [0.70002, 0.70001, 4e-9, 3e-9], [1, 1, 2, 2]), "Nearly equal is not equal."),
        ("no user with both classes", ([1, 1, 0, 0], [0.9, 0.4, 0.3, 0.8], [1, 1, 2, 2]), "Nothing to average."),
    ),
    hints=(
        "Collect the labels and scores of each group first; the rows of a group need not be adjacent.",
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
    mistakes={
        "you averaged the AUCs without weights; each group weighs as many as it has rows.": (
            "w = len(pairs) -> w = 1",
        ),
        "the groups weigh by their clicks; the task asks for impressions, the number of rows.": (
            "w = len(pairs) -> w = len(positive)",
        ),
        "the groups weigh by their rows without a click; the task asks for all rows.": (
            "w = len(pairs) -> w = len(negative)",
        ),
        "the groups weigh by their pairs of a positive and a negative, so that large groups weigh quadratically.": (
            "w = len(pairs) -> w = len(positive) * len(negative)",
        ),
        "only adjacent rows are taken as a group; collect them, or sort by group first.": (
            "begin: groups = np.cumsum(np.r_[0, groups[1:] != groups[:-1]])",
        ),
        "groups of one class count 0, and their rows weigh; they have no AUC and are left out.": one_class(0),
        "groups of one class count one half, and their rows weigh; they have no AUC and are left out.": one_class(0.5),
        "groups of one class count 1, and their rows weigh; they have no AUC and are left out.": one_class(1),
        "a group of one class makes the whole mean nan; leave it out before you sum.": one_class("math.nan"),
        "a group of one class ends in a division by zero; leave it out before you sum.": (f"{KEEP} -> if True:",),
        "within a group a tied pair counts nothing; it counts one half.": ("(p == n) / 2 -> 0",),
        "within a group a tied pair counts as won; it counts one half.": ("(p == n) / 2 -> (p == n)",),
        BINS: (
            "begin: y_score = np.clip(y_score, 0, 1)",
            *(f"begin: y_score = np.floor(np.clip(y_score, 0, 1) * {n})" for n in (10, 100, 1000)),
            *(
                f"begin: y_score = np.searchsorted(np.linspace(0, 1, {n}), y_score, side='right')"
                for n in (11, 101, 1001)
            ),
        ),
        ROUNDED: (
            *(f"begin: y_score = np.round(y_score, {digits})" for digits in range(6)),
            *(f"(p > n) -> (p > n + {t}) ;; (p == n) -> (abs(p - n) <= {t})" for t in (1e-6, 1e-3)),
            "(p == n) -> np.isclose(p, n)",
        ),
        "the pairs are counted the wrong way round: this is 1 - GAUC.": ("p > n -> p < n",),
    },
)
