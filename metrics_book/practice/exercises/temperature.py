"""The temperature with the lowest log loss."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise

Two = tuple[float, float]


def temperature_by_loop(logits: Array, labels: Array, temperatures: Array) -> Two:
    best, lowest = math.nan, math.inf
    for t in temperatures.tolist():
        total = 0.0
        for row, label in zip(logits.tolist(), labels.tolist(), strict=True):
            top = max(row)
            total += math.log(sum(math.exp((z - top) / t) for z in row)) - (row[label] - top) / t
        if total / len(labels) < lowest:
            best, lowest = t, total / len(labels)
    return best, lowest


def temperature_by_arrays(logits: Array, labels: Array, temperatures: Array) -> Two:
    losses = []
    for t in temperatures:
        z = logits / t
        log_prob = z - np.logaddexp.reduce(z, axis=1, keepdims=True)
        losses.append(-log_prob[np.arange(len(labels)), labels].mean())
    best = int(np.argmin(losses))
    return float(temperatures[best]), float(losses[best])


def draw_logits(rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
    """Labels that a softmax at some other temperature would give."""
    classes = int(rng.integers(2, 6)) if n < 100 else 3
    logits, true = rng.normal(0, rng.choice([1, 3, 8, 900]), (n, classes)), rng.choice([0.3, 1, 2.5, 6, 2000])
    labels = np.argmax(logits / true + rng.gumbel(size=logits.shape), axis=1)
    grid = np.array([0.1, 0.25, 0.5, 0.8, 1, 1.25, 2, 3, 4, 8, 20, 100])
    return logits, labels, np.sort(rng.choice(grid, int(rng.integers(2, 8)) if n < 100 else 5, replace=False))


ROWS = "log_prob[np.arange(len(labels)), labels]"
LOSS, LOG, Z = f"-{ROWS}.mean()", "z - np.logaddexp.reduce(z, axis=1, keepdims=True)", "logits / t"
BEST, RETURN = "int(np.argmin(losses))", "return float(temperatures[best]), float(losses[best])"
SUM = "np.exp(z).sum(axis=1, keepdims=True)"
SHARES = "np.exp(z - np.logaddexp.reduce(z, axis=1, keepdims=True))"


def edit(old: str, *new: str) -> tuple[str, ...]:
    return tuple(f"arrays: {old} -> {one}" for one in new)


TEMPERATURE = Exercise(
    name="temperature",
    title="temperature scaling (温度缩放)",
    parameters="logits, labels, temperatures",
    task=(
        "logits is a matrix with a row for each example and a column for each class; labels holds the number of each "
        "row's true class, from 0. The logits may be thousands.",
        "temperatures holds the candidates, all above 0, from the lowest to the highest.",
        "At temperature T the logits are divided by T, and a softmax over the classes of a row makes them "
        "probabilities. The log loss is the mean over the rows of minus the natural logarithm of the true class's "
        "probability. It is finite for all logits: neither may exp overflow, nor a probability become 0 or be bounded.",
        "Return two numbers in this order: the candidate with the lowest log loss, and that log loss. Of equal ones "
        "take the lowest candidate.",
    ),
    right=temperature_by_arrays,
    draw=draw_logits,
    cases=(
        ("too sure", ([[4, 0], [4, 0], [0, 4], [4, 0]], [0, 1, 1, 0], [0.5, 1, 2, 4]), "Three of four are right."),
        ("too cautious", ([[0.5, 0], [0.4, 0], [0, 0.3]], [0, 0, 1], [0.25, 0.5, 1, 2]), "All right: sharpen."),
        ("three classes", ([[2, 0, -1], [1, 1, 0], [3, 1, 2]], [0, 2, 2], [0.5, 1, 2, 8]), "A softmax over columns."),
        ("as many rows as classes", ([[2, 0], [1, 3]], [0, 0], [0.5, 1, 2, 5]), "Rows are examples."),
        ("one candidate", ([[1, 0], [0, 2]], [1, 1], [1.5]), "Its loss is what counts."),
        ("no difference", ([[0, 0, 0], [0, 0, 0]], [2, 0], [0.5, 1, 2]), "All losses are log 3: the lowest, 0.5."),
        ("thousands", ([[1000, 998], [2000, 2001]], [0, 0], [0.5, 1, 2]), "exp(1000) is too large for a float."),
        ("sure and wrong", ([[0, 900], [3, 0]], [0, 0], [0.5, 1]), "A probability of e^-900 has a logarithm."),
        ("a wrong one at all costs", ([[3000, 0], [0, 40]], [1, 1], [0.5, 1, 2]), "The loss is 750."),
        ("one row", ([[0.2, 0.1, 0.4]], [1], [1, 10, 100]), "Wrong, so the flattest is the best."),
    ),
    hints=(
        "log softmax(z) is z minus the logarithm of the sum of exp(z): no probability is needed.",
        "Subtract the greatest z of each row before exp; it cancels. np.logaddexp.reduce does so by itself.",
        "One loss for each candidate, then np.argmin, which takes the first of equal ones.",
    ),
    approaches=(
        Approach(
            temperature_by_loop,
            "For each candidate, row by row: the logarithm of the sum, less the true class's logit.",
            "O(m n c) time for m candidates, n rows, c classes; O(1) memory",
            "a loop in Python: slow beyond some thousand rows",
        ),
        Approach(
            temperature_by_arrays,
            "A matrix of log probabilities for each candidate.",
            "O(m n c) time, O(n c) memory, no loop over rows in Python",
            "the best candidate is not the best temperature; the loss is convex in 1 / T, so Newton's method finds it",
        ),
    ),
    mistakes={
        "exp overflows for large logits; subtract the row's greatest first.": edit(
            LOG, "np.log(np.exp(z) / np.exp(z).sum(axis=1, keepdims=True))", f"z - np.log({SUM})"
        ),
        "a small probability becomes 0, and its logarithm infinite; stay with logs.": edit(LOG, f"np.log({SHARES})"),
        "the probabilities are bounded below; their logarithms need no bound.": edit(
            LOG,
            *(f"np.log(np.maximum({SHARES}, 1e-{power}))" for power in (6, 7, 8, 9, 10, 12, 15, 16)),
            *(f"np.log({SHARES} + 1e-{power})" for power in (8, 9, 10, 12, 15)),
        ),
        "the logits are multiplied by the temperature; divide them.": edit(Z, "logits * t"),
        "the logits are not divided by the temperature.": edit(Z, "logits"),
        "a softmax comes before the temperature; divide the logits themselves.": edit(
            Z, f"np.exp({LOG.replace('z', 'logits')}) / t"
        ),
        "the softmax goes down the columns; it goes along each row.": edit(LOG, LOG.replace("axis=1", "axis=0")),
        "each class has a sigmoid of its own; the classes of a row share a softmax.": edit(LOG, "-np.logaddexp(0, -z)"),
        "the classes are counted from 1; here they are counted from 0.": ("arrays: begin: labels = labels - 1",),
        "the likeliest class is taken for the true one; use the label.": edit(LOSS, "-log_prob.max(axis=1).mean()"),
        "the losses are added up; take their mean.": edit(LOSS, f"-{ROWS}.sum()"),
        "the loss is divided by all entries of the matrix; divide by the rows.": edit(LOSS, f"-{ROWS}.sum() / z.size"),
        "the logarithm has base 2; take the natural one.": edit(LOSS, f"-{ROWS}.mean() / np.log(2)"),
        "the minus sign is missing: the loss is minus the mean logarithm.": (
            *edit(LOSS, f"{ROWS}.mean()"),
            *edit(RETURN, "return temperatures[best], -losses[best]"),
        ),
        "this is the candidate with the lowest Brier score; take the log loss.": edit(
            LOSS, "((np.exp(log_prob) - np.eye(z.shape[1])[labels]) ** 2).sum(axis=1).mean()"
        ),
        "the first candidate is taken; accuracy, for one, is the same for all of them.": edit(BEST, "0 * len(losses)"),
        "of equal losses the last candidate is taken; take the lowest.": edit(
            BEST, "len(losses) - 1 - int(np.argmin(losses[::-1]))"
        ),
        "the candidate with the highest loss is taken.": edit(BEST, "int(np.argmax(losses))"),
        "the first number is the place of the candidate; return T.": edit(RETURN, "return best, losses[best]"),
        "the first number is 1 / T; return T.": edit(RETURN, "return 1 / temperatures[best], losses[best]"),
        "the order is wrong: first T, then its loss.": edit(RETURN, "return losses[best], temperatures[best]"),
        "the loss is that at temperature 1; return that at the temperature found.": edit(
            RETURN, f"z = logits; log_prob = {LOG}; return temperatures[best], {LOSS}"
        ),
    },
)
