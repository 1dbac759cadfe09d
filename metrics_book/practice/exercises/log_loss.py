"""Log loss."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import log_loss

EPS = float(np.finfo(float).eps)


def clipped_loss(y_true: Array, y_prob: Array) -> float:
    return log_loss(y_true, np.clip(y_prob, EPS, 1 - EPS), labels=[0, 1])


def log_loss_by_loop(y_true: Array, y_prob: Array) -> float:
    eps, total = 2**-52, 0.0
    for label, probability in zip(y_true, y_prob, strict=True):
        p = min(max(probability, eps), 1 - eps)
        total -= math.log(p if label == 1 else 1 - p)
    return total / len(y_true)


def log_loss_by_formula(y_true: Array, y_prob: Array) -> float:
    eps = np.finfo(float).eps
    p = np.clip(y_prob, eps, 1 - eps)
    return float(-(y_true * np.log(p) + (1 - y_true) * np.log(1 - p)).mean())


def draw(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    p = [rng.random(n), rng.choice([0.0, 1.0, 0.5, 0.3], n), np.clip(rng.normal(0.5, 0.6, n), 0, 1)][rng.integers(3)]
    p = np.where(rng.random(n) < 0.2, 1 - 10.0 ** -rng.integers(2, 10, n), p)
    return rng.integers(0, 2, n), np.where(rng.random(n) < 0.2, 10.0 ** -rng.integers(2, 12, n), p)


LOG, CLIP = "math.log(p if label == 1 else 1 - p)", "min(max(probability, eps), 1 - eps)"
FORMULA = "-(y_true * np.log(p) + (1 - y_true) * np.log(1 - p)).mean()"
LOG_LOSS = Exercise(
    name="log_loss",
    title="log loss, the binary cross-entropy (对数损失、二元交叉熵)",
    parameters="y_true, y_prob",
    task=(
        "y_true holds the labels, 0 or 1; y_prob the predicted probabilities of label 1, from 0 to 1.",
        "Return one number: the mean over the rows of -log of the probability that was given to the true label.",
        "The logarithm is natural: the unit is nats.",
        "Probabilities are clipped to [eps, 1 - eps] first, eps = numpy.finfo(float).eps, as scikit-learn does it: "
        "without that, one certain mistake makes the mean infinite, and all models with such a row look alike.",
        "Know the price: a metric that clips hides an infinite loss, and the bound decides what a certain mistake "
        "costs, here 52 log 2. In a report, say how many rows were clipped.",
    ),
    right=clipped_loss,
    draw=draw,
    cases=(
        ("one coin", ([1], [0.5]), "Probability one half costs log 2 nats, whatever happens."),
        ("four predictions", ([1, 0, 1, 0], [0.9, 0.2, 0.6, 0.3]), "Positives and negatives both cost."),
        ("negatives only", ([0, 0, 0], [0.1, 0.25, 0.5]), "A negative costs -log(1 - p)."),
        ("the base rate for everybody", ([1, 0, 0, 0], [0.25] * 4), "A model that knows the share of clicks alone."),
        ("a small probability", ([1, 0], [1e-9, 0.5]), "It is above the clip and must not be touched."),
        ("near 1", ([0, 1, 0], [0.9995, 0.9995, 1 - 1e-9]), "Nor must these: they are below 1 - eps."),
        ("certain and wrong: 0", ([1, 0], [0.0, 0.4]), "log 0 must not make the whole mean infinite."),
        ("certain and wrong: 1", ([0, 1], [1.0, 0.7]), "The other end: 1 - p is 0 for a negative."),
        ("certain and right", ([1, 0], [1.0, 0.0]), "Costs nothing, and 0 * log 0 is not nan."),
    ),
    hints=(
        "For each row ask one thing: which probability did the true label get? p for a positive, 1 - p for a negative.",
        "Clip p at both ends before the logarithm, not after.",
        "The mean of -log, with the natural logarithm: one half must cost log 2.",
    ),
    approaches=(
        Approach(
            log_loss_by_loop,
            "Row by row: the probability of the true label, clipped, its logarithm.",
            "O(n) time, O(1) memory",
            "slow in Python for millions of rows",
        ),
        Approach(
            log_loss_by_formula,
            "The formula as it is usually written; one of the two terms is 0 in each row.",
            "O(n) time and memory, no loop in Python",
            "from logits, compute log1p(exp(-|z|)) instead: 1 - p loses all digits near 1",
        ),
    ),
    mistakes={
        "log base 2 instead of e: the value is in bits.": ("math.log( -> math.log2(",),
        "log base 10 instead of e.": ("math.log( -> math.log10(",),
        "the sign is missing: a loss is not negative.": ("total -= -> total +=",),
        "label and class are confused: this is the loss of the other label.": ("label == 1 -> label == 0",),
        "this is the sum over the rows; the task asks for the mean.": ("total / len(y_true) -> total",),
        "the negatives cost nothing: the term (1 - y) * log(1 - p) is missing.": (
            f"total -= {LOG} -> total -= math.log(p) if label == 1 else 0",
            f"total -= {LOG} -> total -= math.log(p) if label == 1 else 0 ;; len(y_true) -> max(y_true.sum(), 1)",
        ),
        "logarithm of 0 is not clipped: a certain prediction makes the mean infinite or nan, or raises.": (
            f"{CLIP} -> probability ;; math.log( -> np.log(",
            f"{CLIP} -> float(probability)",
            f"{CLIP} -> float(probability) ;; {LOG} -> (label * math.log(p) + (1 - label) * math.log(1 - p))",
            "formula: np.clip(y_prob, eps, 1 - eps) -> y_prob",
            f"formula: np.clip(y_prob, eps, 1 - eps) -> y_prob ;; {FORMULA} -> np.nan_to_num(y_true * -np.log(p) + "
            "(1 - y_true) * -np.log(1 - p), nan=0.0, posinf=np.inf).mean()",
        ),
        "rows with a probability of 0 or 1 are left out of the sum, as if they cost nothing.": (
            f"total -= {LOG} -> total -= {LOG} if 0 < probability < 1 else 0",
        ),
        "the probabilities are clipped at another bound than 2**-52, or something is added to them.": (
            *(f"2**-52 -> {eps}" for eps in ("2.2e-16", "1e-16", *(f"1e-{power}" for power in range(1, 16)))),
            *(
                f"{CLIP} -> probability ;; {LOG} -> np.log(p + {eps} if label == 1 else 1 - p + {eps})"
                for eps in ("2**-52", *(f"1e-{power}" for power in range(3, 17)))
            ),
            "2**-52 -> float(np.finfo(np.float32).eps)",
        ),
        "the probabilities are clipped at one end only; both 0 and 1 occur.": tuple(
            f"{CLIP} -> {clip}{log}"
            for clip in ("max(probability, eps)", "min(probability, 1 - eps)")
            for log in (
                " ;; math.log( -> np.log(",
                "",
                f" ;; {LOG} -> (label * np.log(p) + (1 - label) * np.log(1 - p))",
            )
        ),
    },
)
