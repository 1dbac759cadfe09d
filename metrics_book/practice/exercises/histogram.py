"""AUC from a histogram, with its error bound."""

import math
from bisect import bisect_left, bisect_right

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_book.practice.exercises.auc import LABELS_AND_SCORES
from metrics_lib import roc_auc_score

Two = tuple[float, float]


def auc_of_bins(y_true: Array, y_score: Array, bins: int) -> Two:
    edges = np.linspace(y_score.min(), y_score.max(), bins + 1)[1:-1]
    number = np.searchsorted(edges, y_score, side="right")
    value = roc_auc_score(y_true, number)
    positive, negative = (np.bincount(number[y_true == c], minlength=bins) for c in (1, 0))
    pairs = int(positive.sum() * negative.sum())
    return float(value), float(positive @ negative / (2 * pairs)) if pairs else math.nan


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


def draw_scores(rng: np.random.Generator, n: int) -> tuple[Array, Array, int]:
    """Scores between the edges, or on edges that are whole numbers, so that rounding decides nothing."""
    labels = (rng.random(n) < rng.uniform(0.2, 0.8)).astype(int)
    if n < 100 and rng.random() < 0.4:
        score = 2.0 * rng.integers(0, 9, n) - rng.integers(0, 20)
        score[:2] = score[0], score[0] + 16
        return labels, np.minimum(np.maximum(score, score[0]), score[0] + 16), int(2 ** rng.integers(0, 4))
    scale = [1.0, 3.0, 1e-9][rng.integers(3)] if n < 100 else 1.0
    return labels, scale * rng.normal(labels / 2.0), int(rng.integers(1, 40))


VALUE, BOUND = "(won + tied / 2) / pairs", "tied / 2 / pairs"
RETURN = f"return {VALUE}, {BOUND} -> return "
NUMBER = "min(int((score - low) / width), bins - 1)"
PLACE = "edges: bisect_right(edges, score)"
EDGES = "edges: [low + (high - low) * b / bins for b in range(1, bins)] ->"
UNIT = "edges: number = np.array([bisect_right(edges, score) for score in y_score]) -> number ="

AUC_BY_HISTOGRAM = Exercise(
    name="auc_by_histogram",
    title="AUC from a histogram, with its error bound (直方图近似 AUC)",
    parameters="y_true, y_score, bins",
    task=(
        *LABELS_AND_SCORES,
        "bins is the number of bins, of equal width, from the lowest to the highest score of the data. A bin holds "
        "its lower edge and not its upper one, except the last, which holds both.",
        "Return two numbers: the AUC in which all rows of one bin tie, and a bound of its error: half the share of "
        "pairs that fall into one bin.",
        "Ties: a pair within one bin counts one half. Where all scores are equal, all are in one bin.",
        "One class only: both are 0/0; return two nans or raise a ValueError.",
        "Scores are on an inner edge only where all edges are whole numbers; elsewhere rounding would decide.",
    ),
    right=auc_of_bins,
    draw=draw_scores,
    zero="there is one class only",
    cases=(
        ("two bins", ([0, 1, 0, 1], [0.0, 0.1, 0.9, 1.0], 2), "Each bin holds a won pair that bins cannot see."),
        ("the highest score is a negative", ([0, 1, 1, 0], [0.0, 0.3, 0.6, 1.0], 4), "No row may fall out."),
        ("logits", ([0, 1, 0, 1, 1, 0], [-2.0, -1.1, 0.6, 3.2, 5.0, 4.8], 5), "The range comes from the data."),
        ("tiny scores", ([0, 1, 0, 1], [1e-9, 2.1e-9, 2.9e-9, 4e-9], 3), "Bins on [0, 1] would hold all in the first."),
        ("scores on the edges", ([0, 1, 0, 1, 0], [0.0, 1.0, 2.0, 3.0, 4.0], 4), "1 is in the second bin, 4 with 3."),
        ("worse than chance", ([1, 1, 0, 0, 1], [0.0, 0.3, 0.35, 0.9, 1.0], 4), "The value stays below one half."),
        ("all scores equal", ([0, 1, 1, 0, 1], [0.4] * 5, 4), "One bin, and a width of zero."),
        ("one bin", ([0, 1, 1], [1, 2, 3], 1), "Everything ties: the value says nothing, and the bound says so."),
        ("more bins than rows", ([0, 1, 0, 1], [0.1, 0.42, 0.35, 0.8], 50), "Nothing is lost: the bound is 0."),
        ("one class only", ([0, 0, 0], [0.1, 0.2, 0.6], 4), "There is no pair."),
        ("the other class only", ([1, 1], [0.1, 0.6], 4), "Without a negative there is no pair."),
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
    mistakes={
        "the bins lie between 0 and 1, and scores beyond are put into the outermost; take the range from the data.": (
            f"{UNIT} np.clip((bins * y_score).astype(int), 0, bins - 1)",
        ),
        "the bins lie between 0 and 1; take the range from the data, for scores may lie anywhere.": (
            "numpy: range=limits -> range=(0, 1)",
            "numpy: range=limits -> range=(0, 1) ;; if pairs == 0: -> if False:",
            f"counting: {NUMBER} -> int(bins * score)",
        ),
        "there is one bin too few: linspace(lowest, highest, bins) gives bins - 1 of them, for the edges are one more "
        "than the bins.": (
            "begin: bins = max(bins - 1, 1)",
            "counting: begin: bins = max(bins - 1, 1)",
            f"{PLACE} -> bisect_right(np.linspace(low, high, bins)[1:], score) if bins > 1 else 0",
        ),
        "the bins hold equal numbers of rows; they should have equal width.": (
            f"{EDGES} np.quantile(y_score, np.arange(1, bins) / bins).tolist()",
            f"{UNIT} np.argsort(np.argsort(y_score, kind='stable'), kind='stable') * bins // len(y_score)",
        ),
        "the bins hold their upper edge and not their lower one; here it is [low, high).": (
            f"{PLACE} -> bisect_left(edges, score)",
        ),
        "bins of width 0 are not handled: where all scores are equal, all are in one bin.": (
            "counting: (high - low) / bins or 1.0 -> float(high - low) / bins ;; (score - low) -> float(score - low)",
            "counting: (high - low) / bins or 1.0 -> (high - low) / bins",
        ),
        "the highest score falls out of the last bin: number bins - 1 holds the upper edge as well.": (
            f"counting: {NUMBER} -> int((score - low) / width)",
            f"counting: {NUMBER} -> int((score - low) / width) ;; [0] * bins, [0] * bins -> [0] * (bins + 1), [0] * "
            "(bins + 1) ;; won = tied -> positive, negative = positive[:-1], negative[:-1]\n    won = tied",
        ),
        "the value is the AUC of the scores; the task asks for that of the bins.": (
            f"counting: {RETURN}float(roc_auc_score(y_true, y_score)), {BOUND}",
        ),
        "each class has bins over its own range; the bins must be the same for both.": ("numpy: , range=limits -> ",),
        "a pair within one bin counts nothing here; it counts one half.": (f"counting: {RETURN}won / pairs, {BOUND}",),
        "the bound is twice too wide: a pair within one bin is off by one half at most.": (
            f"counting: {RETURN}{VALUE}, tied / pairs",
        ),
        "the value and the bound are swapped.": (f"counting: {RETURN}{BOUND}, {VALUE}",),
    },
)
