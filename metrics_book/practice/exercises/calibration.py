"""Expected calibration error."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import expected_calibration_error


def ece(y_true: Array, y_prob: Array, n_bins: int) -> float:
    return float(expected_calibration_error(y_true, y_prob, n_bins=n_bins))


def ece_by_loop(y_true: Array, y_prob: Array, n_bins: int) -> float:
    gaps = [0.0] * n_bins
    for label, probability in zip(y_true.tolist(), y_prob.tolist(), strict=True):
        number = max(math.ceil(probability * n_bins) - 1, 0)
        gaps[number] += label - probability
    return sum(map(abs, gaps)) / len(y_true)


def ece_by_bins(y_true: Array, y_prob: Array, n_bins: int) -> float:
    inner_edges = np.linspace(0, 1, n_bins + 1)[1:-1]
    number = np.searchsorted(inner_edges, y_prob, side="left")
    size = np.bincount(number, minlength=n_bins)
    filled = size > 0
    positives = np.bincount(number, y_true, n_bins)[filled] / size[filled]
    confidence = np.bincount(number, y_prob, n_bins)[filled] / size[filled]
    gaps = np.abs(positives - confidence)
    return float(gaps @ size[filled] / len(y_true))


def draw_forecasts(rng: np.random.Generator, n: int) -> tuple[Array, Array, int]:
    """Probabilities between the edges, or on edges that are exact in binary, so that rounding decides nothing."""
    kind = rng.integers(4) if n < 100 else 1
    bins = int(2 ** rng.integers(0, 6)) if kind == 0 else int(rng.integers(1, 41))
    p = [rng.integers(0, 33, n) / 32, rng.beta(0.7, 1.6, n), rng.choice([0.0, 1.0, 0.35, 0.77], n), rng.random(n)][kind]
    if kind == 2:
        bins = int(rng.integers(1, 5))
    return (rng.random(n) < p**1.4).astype(int), p, bins


NUMBER = 'bins: np.searchsorted(inner_edges, y_prob, side="left") ->'
CONFIDENCE = "bins: np.bincount(number, y_prob, n_bins)[filled] / size[filled] ->"
GAPS = "bins: np.abs(positives - confidence) ->"
TOTAL = "bins: float(gaps @ size[filled] / len(y_true)) ->"
BINS_OF = (
    "bins: np.linspace(0, 1, n_bins + 1)[1:-1] -> np.linspace(0, 1, {0} + 1)[1:-1] ;; minlength=n_bins -> "
    "minlength={0} ;; y_true, n_bins) -> y_true, {0}) ;; y_prob, n_bins) -> y_prob, {0})"
)
KEPT = "begin: y_true, y_prob, total = y_true[{0}], y_prob[{0}], len(y_true) ;; len(y_true)) -> total)"


def rows(labels: str, values: str) -> tuple[str, ...]:
    """Other labels and other probabilities."""
    return (f"begin: y_true, y_prob = {labels}, {values}",)


EXPECTED_CALIBRATION_ERROR = Exercise(
    name="expected_calibration_error",
    title="expected calibration error, ECE (期望校准误差)",
    parameters="y_true, y_prob, n_bins",
    task=(
        "y_true holds the labels, 0 or 1; y_prob the predicted probabilities of label 1, from 0 to 1; n_bins the "
        "number of bins, from 1 to 40.",
        "The bins have equal width from 0 to 1. A bin holds its upper edge and not its lower one: (low, high]; the "
        "first one holds 0 as well. So 1 is in the last bin.",
        "Return one number: the sum over the bins of n_b / n * |share of positives - mean probability|, both of the "
        "n_b rows in the bin, for n rows in all.",
        "A bin without rows adds nothing.",
    ),
    right=ece,
    draw=draw_forecasts,
    cases=(
        ("four rows in two bins", ([0, 1, 1, 1], [0.1, 0.3, 0.7, 0.8], 2), "Each bin holds half of the rows."),
        ("bins of different size", ([0, 0, 0, 1, 1], [0.1, 0.2, 0.15, 0.3, 0.6], 2), "A bin weighs by its rows."),
        ("too low in one bin, too high in another", ([1, 1, 0, 0], [0.2, 0.4, 0.6, 0.9], 2), "Gaps do not cancel."),
        ("empty bins", ([0, 1, 1], [0.05, 0.08, 0.95], 10), "They add nothing, and are not 0/0."),
        ("a probability of exactly 1", ([0, 1, 1], [1.0, 0.9, 0.3], 5), "It is in the last bin."),
        ("a probability of exactly 0", ([1, 0, 1], [0.0, 0.1, 0.7], 5), "It is in the first bin."),
        ("on an inner edge", ([1, 0, 1, 0], [0.25, 0.125, 0.5, 0.625], 4), "It is in the bin below: (low, high]."),
        ("one bin", ([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.3], 1), "The mean probability against the share of positives."),
        ("forty bins", ([0, 1, 1, 0], [0.51, 0.535, 0.56, 0.96], 40), "Each row has a bin of its own."),
        ("a perfect forecast", ([0, 1, 1], [0.0, 1.0, 1.0], 5), "Certain and right: 0."),
        ("the base rate for everybody", ([0, 1, 0, 0], [0.25, 0.25, 0.25, 0.25], 5), "Calibrated, and still useless."),
    ),
    hints=(
        "Three numbers for each bin: how many rows, their share of positives, their mean probability.",
        "Skip bins without rows before you take a mean. Look where 0, 1 and the edges fall.",
        "Weigh each absolute gap by n_b / n. The same as |sum of (y - p) in the bin| / n, summed over the bins.",
    ),
    approaches=(
        Approach(
            ece_by_loop,
            "The size of a bin cancels: n_b times the gap of the means is the sum of y - p in the bin, absolute.",
            "O(n) time, O(b) memory for b bins",
            "p * b is rounded: a probability within 1e-16 of an edge may fall into the neighbouring bin",
        ),
        Approach(
            ece_by_bins,
            "Look up each probability among the edges, count the bins, and compare the means as defined.",
            "O(n log b) time, O(n + b) memory, no loop in Python",
            "the number depends on the bins; say how many there were",
        ),
    ),
    mistakes={
        "the bins hold their lower edge and not their upper one: [low, high); here it is (low, high].": (
            'bins: "left" -> "right"',
        ),
        "a probability of 1 falls out of the last bin: the bins are [low, high), and none holds 1.": (
            f'bins: "left" -> "right" ;; {KEPT.format("y_prob < 1")}',
            "max(math.ceil(probability * n_bins) - 1, 0) -> int(probability * n_bins)",
        ),
        "a probability of 0 falls out of the first bin, which holds its lower edge as well.": (
            f"bins: {KEPT.format('y_prob > 0')}",
            "max(math.ceil(probability * n_bins) - 1, 0) -> math.ceil(probability * n_bins) - 1",
        ),
        "the bins hold equal numbers of rows; they should have equal width.": (
            "bins: np.linspace(0, 1, n_bins + 1)[1:-1] -> np.quantile(y_prob, np.arange(1, n_bins) / n_bins)",
            f"{NUMBER} np.argsort(np.argsort(y_prob, kind='stable'), kind='stable') * n_bins // len(y_prob)",
        ),
        "there is one bin too few: linspace(0, 1, n_bins) gives n_bins - 1 of them.": (
            BINS_OF.format("max(n_bins - 1, 1)"),
        ),
        "the number of bins is fixed or bounded; n_bins is an argument.": tuple(
            BINS_OF.format(number)
            for number in ("10", "15", "20", "min(n_bins, 10)", "min(n_bins, 15)", "min(n_bins, 20)")
        ),
        "the middle of the bin is taken for its probabilities; take their mean.": (
            f"{CONFIDENCE} ((np.arange(n_bins) + 0.5) / n_bins)[filled]",
        ),
        "an edge of the bin is taken for its probabilities; take their mean.": (
            f"{CONFIDENCE} (np.arange(n_bins) / n_bins)[filled]",
            f"{CONFIDENCE} (np.arange(1, n_bins + 1) / n_bins)[filled]",
        ),
        "the gaps keep their sign and cancel between bins; take each one's absolute value.": (
            f"{GAPS} positives - confidence",
            f"{GAPS} confidence - positives",
        ),
        "the gaps are squared; take their absolute values.": (f"{GAPS} (positives - confidence) ** 2",),
        "every bin weighs the same; a bin weighs by its rows.": (
            f"{TOTAL} float(gaps.mean())",
            f"{TOTAL} float(gaps.sum() / n_bins)",
        ),
        "this is the greatest gap of a bin (MCE); the task asks for their weighted mean.": (
            f"{TOTAL} float(gaps.max())",
        ),
        "the gaps are added without weights; a bin weighs by its rows, n_b / n.": (f"{TOTAL} float(gaps.sum())",),
        "bins without rows are not skipped: their means are 0/0.": ("bins: filled = size > 0 -> filled = size >= 0",),
        "max(p, 1 - p) is compared with being right, as for the classes of a classifier; here p is compared with label "
        "1.": (
            *rows("1 * ((y_prob >= 0.5) == y_true)", "np.maximum(y_prob, 1 - y_prob)"),
            *rows("1 * ((y_prob > 0.5) == y_true)", "np.maximum(y_prob, 1 - y_prob)"),
        ),
        "the predictions that are right are counted (accuracy); the share of positives is compared.": rows(
            "1 * ((y_prob >= 0.5) == y_true)", "y_prob"
        ),
    },
)
