"""Exercises on probabilities: log loss, expected calibration error, perplexity, KL divergence."""

import math
from collections.abc import Callable

import numpy as np

from metrics_book.practice._engine import Approach, Array, Case, Exercise, Factor, Mistake, ratio
from metrics_lib.information import corpus_perplexity, kl_divergence
from metrics_lib.probabilities import expected_calibration_error

_rng = np.random.default_rng(5)

# ---- log loss ---------------------------------------------------------------------------------------------------

EPS = 2.0**-52  # the distance from 1 to the next float64


def log_loss(y_true: Array, y_prob: Array) -> float:
    p = np.clip(y_prob, EPS, 1 - EPS)
    return float(-np.log(np.where(y_true == 1, p, 1 - p)).mean())


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


def _formula(y_true: Array, p: Array) -> Array:
    """What each row costs, as a sum of two terms of which one is 0."""
    return np.asarray(-(y_true * np.log(p) + (1 - y_true) * np.log(1 - p)))


def _choice(y_true: Array, p: Array) -> Array:
    """The same, as one logarithm."""
    return -np.log(np.where(y_true == 1, p, 1 - p))


def _clip(y_prob: Array) -> Array:
    return np.clip(y_prob, EPS, 1 - EPS)


def log_loss_as(
    y_true: Array,
    y_prob: Array,
    *,
    probability: Callable[[Array], Array] = np.asarray,
    loss: Callable[[Array, Array], Array] = lambda y_true, p: _choice(y_true, _clip(p)),
    base: float = math.e,
    labels: Callable[[Array], Array] = np.asarray,
    total: Callable[[Array, Array], float] = lambda losses, y_true: float(losses.mean()),
    sign: int = 1,
) -> float:
    losses = loss(labels(y_true), probability(y_prob)) / math.log(base)
    return sign * total(losses, y_true)


def _of_positives(y_true: Array, p: Array) -> Array:
    return -y_true * np.log(_clip(p))


def _clipped_elsewhere(eps: float) -> tuple[Callable[[Array, Array], Array], ...]:
    """Probabilities clipped at another bound, or with something added."""
    return (
        lambda y, p: _choice(y, np.clip(p, eps, 1 - eps)),
        lambda y, p: -(y * np.log(p + eps) + (1 - y) * np.log(1 - p + eps)),
    )


def _bounded_logarithms(y_true: Array, p: Array) -> Array:
    """As PyTorch's loss does it."""
    positive, negative = np.maximum(np.log(p), -100), np.maximum(np.log(1 - p), -100)
    return np.asarray(-(y_true * positive + (1 - y_true) * negative))


def _by_row(formula: Callable[[float, float], float]) -> Callable[[Array, Array], Array]:
    """A loop over Python's numbers, in which the logarithm of 0 is an error."""
    return lambda y, p: np.array([formula(*row) for row in zip(y.tolist(), p.tolist(), strict=True)])


_CLICK = (_rng.random(500) < 0.3).astype(int)
_CHANCE = np.clip(0.3 + 0.3 * (_CLICK - 0.3) + _rng.normal(0, 0.1, 500), 0.01, 0.99)

LOG_LOSS = Exercise(
    name="log_loss",
    title="log loss, the binary cross-entropy (对数损失、二元交叉熵)",
    task=(
        "y_true holds the labels, 0 or 1; y_prob the predicted probabilities of label 1, from 0 to 1.",
        "Return one number: the mean over the rows of -log of the probability that was given to the true label.",
        "The logarithm is natural: the unit is nats.",
        "Probabilities are clipped to [eps, 1 - eps] first, eps = numpy.finfo(float).eps, as scikit-learn does it: "
        "without that, one certain mistake makes the mean infinite, and all models with such a row look alike.",
        "Know the price: a metric that clips hides an infinite loss, and the bound decides what a certain mistake "
        "costs, here 52 log 2. In a report, say how many rows were clipped.",
    ),
    reference=log_loss,
    cases=(
        Case("one coin", "Probability one half costs log 2 nats, whatever happens.", ([1], [0.5])),
        Case("four predictions", "Positives and negatives both cost.", ([1, 0, 1, 0], [0.9, 0.2, 0.6, 0.3])),
        Case("negatives only", "A negative costs -log(1 - p).", ([0, 0, 0], [0.1, 0.25, 0.5])),
        Case(
            "the base rate for everybody",
            "The loss of a model that knows nothing but the share of clicks.",
            ([1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25]),
        ),
        Case("a small probability", "It is above the clip and must not be touched.", ([1, 0], [1e-9, 0.5])),
        Case("certain and wrong: 0", "log 0 must not make the whole mean infinite.", ([1, 0], [0.0, 0.4])),
        Case("certain and wrong: 1", "The other end: 1 - p is 0 for a negative.", ([0, 1], [1.0, 0.7])),
        Case("certain and right", "Costs nothing, and 0 * log 0 is not nan.", ([1, 0], [1.0, 0.0])),
        Case("500 rows", "A model with some skill.", (_CLICK, _CHANCE)),
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
    model=log_loss_as,
    factors=(
        Factor(
            "base",
            {
                "log base 2 instead of e: the value is in bits.": 2,
                "log base 10 instead of e.": 10,
            },
        ),
        Factor("sign", {"the sign is missing: a loss is not negative.": -1}),
        Factor(
            "labels",
            {"label and class are confused: this is the loss of the other label.": (lambda y: 1 - y)},
        ),
        Factor(
            "total",
            {
                "this is the sum over the rows; the task asks for the mean.": (lambda losses, y: float(losses.sum())),
                "this is the median over the rows; the task asks for the mean.": (
                    lambda losses, y: float(np.median(losses))
                ),
                "each class weighs the same here, whatever its rows; the task asks for the mean over the rows.": (
                    lambda losses, y: float(np.mean([losses[y == c].mean() for c in set(y.tolist())]))
                ),
                "the sum is divided by the number of positives; divide by the number of rows.": [
                    lambda losses, y: ratio(losses.sum(), y.sum(), 0),
                    lambda losses, y: ratio(losses.sum(), y.sum(), math.inf),
                ],
            },
        ),
        Factor(
            "loss",
            {
                "the negatives cost nothing: the term (1 - y) * log(1 - p) is missing.": [
                    _of_positives,
                    lambda y, p: np.full(1, ratio(_of_positives(y, p).sum(), y.sum(), 0)),
                ],
                "the positives cost nothing: the term y * log(p) is missing.": (
                    lambda y, p: _of_positives(1 - y, 1 - _clip(p))
                ),
                "logarithm of 0 is not clipped: a certain prediction makes the mean infinite or nan, or raises.": [
                    _formula,
                    _choice,
                    _by_row(lambda y, p: -math.log(p if y == 1 else 1 - p)),
                    _by_row(lambda y, p: -(y * math.log(p) + (1 - y) * math.log(1 - p))),
                ],
                "rows with a probability of 0 or 1 are left out of the sum, as if they cost nothing.": (
                    lambda y, p: np.where((p > 0) & (p < 1), _choice(y, _clip(p)), 0)
                ),
                "the probabilities are clipped at another bound than 2**-52, or something is added to them.": [
                    *(loss for power in range(3, 17) for loss in _clipped_elsewhere(10.0**-power)),
                    _clipped_elsewhere(EPS)[1],
                ],
                "the logarithms are bounded at -100, as in PyTorch; clip the probabilities.": _bounded_logarithms,
                "the probabilities are clipped at one end only; both 0 and 1 occur.": [
                    lambda y, p, form=form, clip=clip: form(y, clip(p))
                    for form in (_formula, _choice)
                    for clip in (lambda p: np.maximum(p, EPS), lambda p: np.minimum(p, 1 - EPS))
                ],
                "this is the mean absolute error of the probabilities: the logarithm is missing.": (
                    lambda y, p: np.abs(y - p)
                ),
                "this is the Brier score, the mean squared error of the probabilities.": (lambda y, p: (y - p) ** 2),
            },
        ),
        Factor(
            "probability",
            {
                "the probabilities are taken for logits: there is a sigmoid too many.": (
                    lambda p: 1 / (1 + np.exp(-p))
                ),
                "the probabilities are cut at one half first: this is the loss of certain predictions.": [
                    lambda p: 1.0 * (p >= 0.5),
                    lambda p: 1.0 * (p > 0.5),
                ],
            },
        ),
    ),
    singular=(
        Mistake(
            "this is the geometric mean of the probabilities; the loss is minus its logarithm.",
            (lambda y, p: math.exp(-log_loss(y, p)), lambda y, p: math.exp(log_loss(y, p))),
        ),
        Mistake(
            "this is the logarithm of the mean probability; the task asks for the mean of the logarithms.",
            (lambda y, p: float(-np.log(np.where(y == 1, p, 1 - p).mean())),),
        ),
        Mistake(
            "the arguments are taken the wrong way round: the labels come first, then the probabilities.",
            (lambda y, p: float(_formula(p, _clip(y)).mean()),),
        ),
    ),
)


# ---- expected calibration error ---------------------------------------------------------------------------------


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


def _ece_bins(y_prob: Array, n_bins: int) -> list[tuple[Array, float, float]]:
    """For each bin: the rows in it, its lower and its upper edge."""
    number = np.maximum(np.ceil(y_prob * n_bins).astype(int) - 1, 0)
    return [(number == b, b / n_bins, (b + 1) / n_bins) for b in range(n_bins)]


Bins = list[tuple[Array, float, float]]


def _with_edges(inside: Callable[[Array, float, float], Array]) -> Callable[[Array, int], Bins]:
    return lambda p, n: [(inside(p, low, high), low, high) for _, low, high in _ece_bins(p, n)]


def _quantile_bins(y_prob: Array, n_bins: int) -> Bins:
    edges = np.quantile(y_prob, np.linspace(0, 1, n_bins + 1))
    number = np.searchsorted(edges[1:-1], y_prob)
    return [(number == b, edges[b], edges[b + 1]) for b in range(n_bins)]


def _equal_parts(y_prob: Array, n_bins: int) -> Bins:
    parts = np.array_split(np.argsort(y_prob, kind="stable"), n_bins)
    return [(np.isin(np.arange(len(y_prob)), part), 0.0, 1.0) for part in parts]


def _over_the_range(y_prob: Array, n_bins: int) -> Bins:
    low, high = y_prob.min(), y_prob.max()
    number = np.minimum(((y_prob - low) / ((high - low) or 1) * n_bins).astype(int), n_bins - 1)
    return [(number == b, 0.0, 1.0) for b in range(n_bins)]


def _too_many(y_prob: Array, n_bins: int) -> Bins:
    """A probability of 1 has no bin, and a list none of that number."""
    if (y_prob == 1).any():
        raise IndexError
    return _with_edges(lambda p, low, high: (low <= p) & (p < high))(y_prob, n_bins)


def ece_as(
    y_true: Array,
    y_prob: Array,
    n_bins: int,
    *,
    bins: Callable[[Array, int], Bins] = _ece_bins,
    confidence: Callable[[float, float, float], float] = lambda mean, low, high: mean,
    share: Callable[[Array], float] = lambda labels: float(labels.mean()),
    gap: Callable[[float], float] = abs,
    total: Callable[[Array, Array, int, int], float] = lambda gaps, shares, bins, n: float(gaps @ shares),
    empty: bool = False,
    rows: Callable[[Array, Array], tuple[Array, Array]] = lambda y_true, y_prob: (y_true, y_prob),
) -> float:
    """The gaps of the bins that hold rows, or of all, put together with their shares of the rows."""
    y_true, y_prob = rows(y_true, y_prob)
    kept = [(inside, low, high) for inside, low, high in bins(y_prob, n_bins) if empty or inside.any()]
    gaps = [gap(share(y_true[i]) - confidence(float(y_prob[i].mean()), low, high)) for i, low, high in kept]
    return total(np.array(gaps), np.array([inside.mean() for inside, _, _ in kept]), n_bins, len(y_true))


_weather = np.random.default_rng(7)
_FORECAST = _weather.beta(0.7, 1.6, 400)
_RAINED = (_weather.random(400) < _FORECAST**1.4).astype(int)

EXPECTED_CALIBRATION_ERROR = Exercise(
    name="expected_calibration_error",
    title="expected calibration error, ECE (期望校准误差)",
    task=(
        "y_true holds the labels, 0 or 1; y_prob the predicted probabilities of label 1, from 0 to 1; n_bins the "
        "number of bins.",
        "The bins have equal width from 0 to 1. A bin holds its upper edge and not its lower one: (low, high]; the "
        "first one holds 0 as well. So 1 is in the last bin.",
        "Return one number: the sum over the bins of n_b / n * |share of positives - mean probability|, both of the "
        "n_b rows in the bin, for n rows in all.",
        "A bin without rows adds nothing.",
    ),
    reference=ece,
    cases=(
        Case(
            "four rows in two bins",
            "Each bin holds half of the rows, and is off by its own gap.",
            ([0, 1, 1, 1], [0.1, 0.3, 0.7, 0.8], 2),
        ),
        Case(
            "bins of different size",
            "A bin weighs by its rows.",
            ([0, 0, 0, 1, 1], [0.1, 0.2, 0.15, 0.3, 0.6], 2),
        ),
        Case(
            "too low in one bin, too high in another",
            "Gaps of opposite sign do not cancel between bins.",
            ([1, 1, 0, 0], [0.2, 0.4, 0.6, 0.9], 2),
        ),
        Case("empty bins", "They add nothing, and are no 0/0.", ([0, 1, 1], [0.05, 0.08, 0.95], 10)),
        Case("a probability of exactly 1", "It is in the last bin.", ([0, 1, 1], [1.0, 0.9, 0.3], 5)),
        Case("a probability of exactly 0", "It is in the first bin.", ([1, 0, 1], [0.0, 0.1, 0.7], 5)),
        Case(
            "on an inner edge",
            "An edge belongs to the bin below it: (low, high].",
            ([1, 0, 1, 0], [0.25, 0.125, 0.5, 0.625], 4),
        ),
        Case(
            "one bin",
            "All that is left is the mean probability against the share of positives.",
            ([0, 1, 1, 0], [0.2, 0.9, 0.4, 0.3], 1),
        ),
        Case("a perfect forecast", "Certain and right: 0.", ([0, 1, 1], [0.0, 1.0, 1.0], 5)),
        Case(
            "the base rate for everybody",
            "Calibrated, and useless: ECE does not see that nothing is told apart.",
            ([0, 1, 0, 0], [0.25, 0.25, 0.25, 0.25], 5),
        ),
        Case("400 rows", "Forecasts that are too high in the middle.", (_RAINED, _FORECAST, 10)),
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
    model=ece_as,
    factors=(
        Factor(
            "bins",
            {
                "the bins hold their lower edge and not their upper one: [low, high); here it is (low, high].": (
                    lambda p, n: [
                        (np.minimum((p * n).astype(int), n - 1) == b, low, high)
                        for b, (_, low, high) in enumerate(_ece_bins(p, n))
                    ]
                ),
                "a probability of 1 falls out of the last bin: the bins are [low, high), and none holds 1.": [
                    _with_edges(lambda p, low, high: (low <= p) & (p < high)),
                    _too_many,
                ],
                "a probability of 0 falls out of the first bin, which holds its lower edge, too.": _with_edges(
                    lambda p, low, high: (low < p) & (p <= high)
                ),
                "the bins hold equal numbers of rows; they should have equal width.": [_quantile_bins, _equal_parts],
                "the bins lie between the lowest and the highest probability; they go from 0 to 1.": _over_the_range,
                "there is one bin too few: linspace(0, 1, n_bins) gives n_bins - 1 of them.": (
                    lambda p, n: _ece_bins(p, max(n - 1, 1))
                ),
                "there is one bin too many.": (lambda p, n: _ece_bins(p, n + 1)),
                "a probability of 1 has a bin of its own, and the bins hold their lower edge: [low, high).": (
                    lambda p, n: [((p * n).astype(int) == b, b / n, (b + 1) / n) for b in range(n + 1)]
                ),
                "the number of bins is fixed; n_bins is an argument.": [
                    lambda p, n: _ece_bins(p, 10),
                    lambda p, n: _ece_bins(p, 15),
                ],
                "rows are compared one by one: put them into bins, and compare means.": (
                    lambda p, n: [(np.arange(len(p)) == row, 0.0, 1.0) for row in range(len(p))]
                ),
            },
        ),
        Factor(
            "confidence",
            {
                "the middle of the bin stands for its probabilities; take their mean.": (
                    lambda mean, low, high: (low + high) / 2
                ),
                "an edge of the bin stands for its probabilities; take their mean.": [
                    lambda mean, low, high: low,
                    lambda mean, low, high: high,
                ],
            },
        ),
        Factor(
            "gap",
            {
                "the gaps keep their sign and cancel between bins; take each one's absolute value.": [
                    lambda gap: gap,
                    lambda gap: -gap,
                ],
                "the gaps are squared; take their absolute values.": (lambda gap: gap**2),
            },
        ),
        Factor(
            "total",
            {
                "every bin weighs the same; a bin weighs by its rows.": [
                    lambda gaps, shares, bins, n: float(gaps.mean()),
                    lambda gaps, shares, bins, n: float(gaps.sum() / bins),
                ],
                "this is the greatest gap of a bin (MCE); the task asks for their weighted mean.": (
                    lambda gaps, shares, bins, n: float(gaps.max())
                ),
                "the gaps are added without weights; a bin weighs by its rows, n_b / n.": (
                    lambda gaps, shares, bins, n: float(gaps.sum())
                ),
                "the weighted gaps are not divided by the number of rows.": (
                    lambda gaps, shares, bins, n: float(gaps @ shares * n)
                ),
                "the weighted gaps are divided by the number of bins; divide by the number of rows alone.": [
                    lambda gaps, shares, bins, n: float(gaps @ shares / bins),
                    lambda gaps, shares, bins, n: float(gaps @ shares * n / bins),
                ],
                "the root of the weighted sum is taken.": (lambda gaps, shares, bins, n: math.sqrt(abs(gaps @ shares))),
            },
        ),
        Factor("empty", {"bins without rows are not skipped: their means are 0/0.": True}),
        Factor(
            "rows",
            {
                "max(p, 1 - p) is compared with being right, as for the classes of a classifier; here p is compared "
                "with label 1.": [
                    lambda y, p: (1 * ((p >= 0.5) == y), np.maximum(p, 1 - p)),
                    lambda y, p: (1 * ((p > 0.5) == y), np.maximum(p, 1 - p)),
                ],
                "the predictions that are right are counted (accuracy); the share of positives is compared.": [
                    lambda y, p: (1 * ((p >= 0.5) == y), p),
                    lambda y, p: (1 * ((p > 0.5) == y), p),
                ],
                "the labels are taken the wrong way round: y_prob is the probability of label 1.": (
                    lambda y, p: (1 - y, p)
                ),
            },
        ),
    ),
    singular=(
        Mistake(
            "this is the Brier score, the mean squared error of the probabilities.",
            (lambda y, p, n: float(((y - p) ** 2).mean()),),
        ),
        Mistake(
            "this is the gap over all rows together: the bins are missing.",
            (lambda y, p, n: float(abs(y.mean() - p.mean())),),
        ),
    ),
)


# ---- perplexity -------------------------------------------------------------------------------------------------

Sentences = list[Array]


def perplexity(sentences: Sentences) -> float:
    return corpus_perplexity(sentences)


def perplexity_by_loop(sentences: Sentences) -> float:
    total, tokens = 0.0, 0
    for sentence in sentences:
        for log_prob in sentence:
            total -= log_prob
            tokens += 1
    return math.exp(total / tokens)


def perplexity_by_arrays(sentences: Sentences) -> float:
    return float(np.exp(-np.concatenate(sentences).mean()))


def perplexity_by_texts(sentences: Sentences) -> float:
    lengths = np.array([len(sentence) for sentence in sentences])
    surprise = np.array([-sentence.mean() for sentence in sentences])
    return float(np.exp((surprise * lengths).sum() / lengths.sum()))


def _surprise(sentences: Sentences) -> float:
    """The mean surprise of a token, in nats."""
    return float(-np.concatenate(sentences).mean())


Tokens = Callable[[Sentences], Sentences]


def perplexity_as(
    sentences: Sentences,
    *,
    tokens: Tokens = list,
    mean: Callable[[Sentences], float] = lambda s: float(np.concatenate(s).sum() / sum(map(len, s))),
    unit: float = 1.0,
    sign: int = -1,
    power: Callable[[float], float] = np.exp,
) -> float:
    """Of some tokens the mean surprise, in some unit, and a power of it."""
    return float(power(sign * mean(tokens(sentences)) / unit))


def _over(count: Callable[[Sentences], float]) -> Callable[[Sentences], float]:
    """The sum of all logarithms over something."""
    return lambda s: float(np.float64(np.concatenate(s).sum()) / count(s))


def _too_large(mean: Callable[[Sentences], float]) -> Callable[[Sentences], float]:
    """As math.exp, which raises where the result has no float."""

    def checked(sentences: Sentences) -> float:
        if -math.inf < mean(sentences) < -700:
            raise OverflowError
        return mean(sentences)

    return checked


def _product(sentences: Sentences) -> float:
    probability = math.prod(math.exp(log_prob) for sentence in sentences for log_prob in sentence)
    return float(probability ** (-1 / sum(map(len, sentences))))


def _product_or_infinity(sentences: Sentences) -> float:
    try:
        return _product(sentences)
    except ZeroDivisionError:
        return math.inf


def _without_ends_by_loop(sentences: Sentences) -> float:
    tokens = [log_prob for sentence in sentences for log_prob in sentence.tolist()[:-1]]
    return math.exp(-sum(tokens) / len(tokens))


def _bounded_from(power: int) -> Tokens:
    return lambda sentences: [np.maximum(sentence, -power * math.log(10)) for sentence in sentences]


_LENGTHS = (3, 40, 7, 15, 120)
_CORPUS = tuple(np.log(_rng.uniform(0.02, 0.9, length)).tolist() for length in _LENGTHS)

PERPLEXITY = Exercise(
    name="perplexity",
    title="perplexity of a corpus (困惑度)",
    task=(
        "sentences is a list of arrays, one for each sentence: the natural logarithm of the probability that the "
        "model gave to each token. The end token of a sentence is one of them.",
        "Return one number: exp of the mean surprise (-log probability) over all tokens of all sentences.",
        "Each token counts the same, so a sentence weighs by its length.",
        "A token with probability 0 has the logarithm -inf; the value is inf then. That is no error.",
    ),
    reference=perplexity,
    cases=(
        Case(
            "one sentence, one chance in ten",
            "As uncertain as ten equally likely words at each step.",
            (([math.log(0.1)] * 4,),),
        ),
        Case("one token", "One over its probability.", (([math.log(0.25)],),)),
        Case(
            "two sentences of one length",
            "The geometric mean of the sentences' perplexities, not the arithmetic.",
            (([math.log(0.5)] * 3, [math.log(0.125)] * 3),),
        ),
        Case(
            "two sentences of different length",
            "The longer sentence weighs more.",
            (([math.log(0.5)] * 2, [math.log(0.0625)] * 4),),
        ),
        Case("a model that is always sure and right", "The least value, 1.", (([0.0, 0.0], [0.0]),)),
        Case("an impossible token", "One is enough: infinite.", (([math.log(0.5), -math.inf], [math.log(0.5)]),)),
        Case(
            "a long text",
            "The product of its probabilities is below the smallest float; the sum of logarithms is not.",
            (([math.log(0.05)] * 400, [math.log(0.2)] * 200),),
        ),
        Case("five sentences", "Lengths from 3 to 120 tokens.", (_CORPUS,)),
    ),
    hints=(
        "Add up logarithms; never multiply probabilities.",
        "One sum and one count over all tokens of all sentences, then one division.",
        "exp(-sum / count): the base of exp must be the base of the logarithms, here e.",
    ),
    approaches=(
        Approach(
            perplexity_by_loop,
            "Two accumulators over all tokens.",
            "O(tokens) time, O(1) memory",
            "math.exp raises OverflowError beyond 709 nats per token",
        ),
        Approach(
            perplexity_by_arrays,
            "Put all tokens into one array and take its mean.",
            "O(tokens) time and memory, no loop in Python",
            "a corpus that does not fit memory: keep sum and count instead",
        ),
        Approach(
            perplexity_by_texts,
            "From the sentences' own means, weighted by their lengths: what to do with numbers reported per text.",
            "O(tokens) time, O(sentences) memory",
            "an empty sentence has no mean",
        ),
    ),
    model=perplexity_as,
    factors=(
        Factor(
            "tokens",
            {
                "the end tokens are left out; they are tokens like others.": (
                    lambda s: [sentence[:-1] for sentence in s]
                ),
                "the first tokens are left out; they are tokens like others.": (
                    lambda s: [sentence[1:] for sentence in s]
                ),
                "only the first sentence counts: does the return stand inside the loop?": (lambda s: s[:1]),
                "only the last sentence counts: are sum and count set to 0 inside the loop?": (lambda s: s[-1:]),
                "impossible tokens are left out, or their logarithms bounded: the infinite value is lost.": [
                    lambda s: [sentence[np.isfinite(sentence)] for sentence in s],
                    *map(_bounded_from, range(4, 17)),
                ],
                "the logarithm is taken again: the sentences already hold logarithms, not probabilities.": (
                    lambda s: list(map(np.log, s))
                ),
                "the probabilities are averaged, not their logarithms.": (
                    lambda s: [np.full(1, np.log(np.exp(np.concatenate(s)).mean()))]
                ),
                "the inverse probabilities are averaged (an arithmetic mean); average the logarithms, then take exp.": (
                    lambda s: [np.full(1, -np.log(np.exp(-np.concatenate(s)).mean()))]
                ),
            },
        ),
        Factor(
            "mean",
            {
                "every sentence weighs the same (a geometric mean over texts); every token should.": (
                    lambda s: float(np.mean([sentence.mean() for sentence in s]))
                ),
                "the surprise is not divided by the number of tokens: this is 1 / the text's probability.": [
                    _over(lambda s: 1),
                    _too_large(_over(lambda s: 1)),
                ],
                "the surprise is divided by the number of sentences, not of tokens.": [
                    _over(len),
                    _too_large(_over(len)),
                ],
                "the end tokens are not counted, though their surprise is.": _over(lambda s: sum(map(len, s)) - len(s)),
                "the number of tokens is one too small: the sum is divided by n - 1.": (
                    _over(lambda s: sum(map(len, s)) - 1)
                ),
                "the end tokens are counted twice: each sentence already holds its own.": _over(
                    lambda s: sum(map(len, s)) + len(s)
                ),
                "the sentences are padded to the longest one, and the padding is counted.": (
                    _over(lambda s: len(s) * max(map(len, s)))
                ),
                "this is the median surprise of a token; the task asks for the mean.": (
                    lambda s: float(np.median(np.concatenate(s)))
                ),
            },
        ),
        Factor(
            "power",
            {
                "2 is raised to a surprise in nats; logarithm and power must have one base.": np.exp2,
                "exp is missing: this is the cross-entropy, in nats.": float,
                "exp is missing: this is the cross-entropy, in bits.": (lambda nats: nats / math.log(2)),
            },
        ),
        Factor(
            "unit",
            {
                "e is raised to a surprise in bits; logarithm and power must have one base.": math.log(2),
                "10 is mixed with e: logarithm and power must have one base.": [math.log(10), 1 / math.log(10)],
            },
        ),
        Factor("sign", {"the minus sign is missing: this is one over the perplexity.": 1}),
    ),
    singular=(
        *(
            Mistake(
                f"{said}; average the surprise of all tokens, then take exp once.",
                tuple(
                    lambda s, of=of, power=power: float(of([power(-sentence.mean()) for sentence in s]))
                    for power in powers
                ),
            )
            for said, of, powers in (
                ("you averaged the texts' perplexities", np.mean, (np.exp,)),
                (
                    "this is the harmonic mean of the texts' perplexities",
                    lambda v: 1 / np.mean(np.reciprocal(v)),
                    (np.exp,),
                ),
                ("this is the median of the texts' perplexities", np.median, (np.exp,)),
                ("this is the maximum of the texts' perplexities", np.max, (np.exp,)),
                ("this is the minimum of the texts' perplexities", np.min, (np.exp,)),
                ("this is the sum of the texts' perplexities", np.sum, (np.exp,)),
                ("you averaged the texts' perplexities, and raised 2 to a surprise in nats", np.mean, (np.exp2,)),
            )
        ),
        Mistake(
            "the texts' perplexities are averaged with their lengths as weights; average the surprise, then take exp.",
            (
                lambda s: float(
                    np.average([np.exp(-sentence.mean()) for sentence in s], weights=[len(sentence) for sentence in s])
                ),
            ),
        ),
        Mistake(
            "the probabilities are multiplied: the product of a long text is 0 in floating point.",
            (_product, _product_or_infinity),
        ),
        Mistake(
            "the end tokens are left out, and a sentence of one token is not handled; they are tokens like others.",
            (
                _without_ends_by_loop,
                lambda s: math.exp(
                    -sum(sum(sentence[:-1]) for sentence in s) / max(sum(len(sentence) - 1 for sentence in s), 1)
                ),
            ),
        ),
    ),
)


# ---- KL divergence ----------------------------------------------------------------------------------------------


def kl(p: Array, q: Array) -> float:
    return float(kl_divergence(p, q))


def kl_by_loop(p: Array, q: Array) -> float:
    total = 0.0
    for true, believed in zip(p, q, strict=True):
        if true > 0:
            if believed == 0:
                return math.inf
            total += true * math.log2(true / believed)
    return total


def kl_by_arrays(p: Array, q: Array) -> float:
    possible = p > 0
    if (q[possible] == 0).any():
        return math.inf
    return float((p[possible] * np.log2(p[possible] / q[possible])).sum())


Terms = Callable[[Array, Array], Array]


def _terms(p: Array, q: Array) -> Array:
    """P log(p / q) of the possible events, in nats."""
    possible = p > 0
    return p[possible] * np.log(p[possible] / q[possible])


def kl_as(
    p: Array,
    q: Array,
    *,
    arguments: Callable[[Array, Array], tuple[Array, Array]] = lambda p, q: (p, q),
    terms: Terms = _terms,
    base: float = 2,
    each: Callable[[Array], Array] = np.asarray,
    sign: int = 1,
    divisor: Callable[[Array], float] = lambda p: 1,
) -> float:
    nats = each(terms(*arguments(p, q))).sum()
    return float(sign * nats / math.log(base) / divisor(p))


def _possible_in_both(p: Array, q: Array) -> Array:
    both = (p > 0) & (q > 0)
    return p[both] * np.log(p[both] / q[both])


def _weighted_by_belief(p: Array, q: Array) -> Array:
    both = (p > 0) & (q > 0)
    return q[both] * np.log(p[both] / q[both])


def _by_event(p: Array, q: Array) -> Array:
    """A loop over Python's numbers, in which a division by 0 and the logarithm of 0 are errors."""
    return np.array([a * math.log(a / b) for a, b in zip(p.tolist(), q.tolist(), strict=True)])


def _divided_by_event(p: Array, q: Array) -> Array:
    """The same for the possible events."""
    return np.array([a * math.log(a / b) for a, b in zip(p.tolist(), q.tolist(), strict=True) if a])


def _smoothed(eps: float) -> tuple[Terms, ...]:
    """Something added to the probabilities, or a lower bound for them."""

    def bounded(x: Array) -> Array:
        return np.clip(x, eps, None)

    return (
        lambda p, q: p * np.log((p + eps) / (q + eps)),
        lambda p, q: p * np.log(bounded(p) / bounded(q)),
        lambda p, q: p * np.log(np.where(p > 0, p, 1) / (q + eps)),
        lambda p, q: p * np.log(np.where(p > 0, p, 1) / bounded(q)),
        lambda p, q: (p + eps) * np.log((p + eps) / (q + eps)),
        lambda p, q: bounded(p) * np.log(bounded(p) / bounded(q)),
    )


def _jensen_shannon(p: Array, q: Array) -> float:
    middle = (p + q) / 2
    return (kl(p, middle) + kl(q, middle)) / 2


_P, _Q = _rng.dirichlet(np.ones(20)), _rng.dirichlet(np.ones(20))

KL_DIVERGENCE = Exercise(
    name="kl_divergence",
    title="Kullback-Leibler divergence (KL 散度)",
    task=(
        "p and q hold the probabilities of the same events, each summing to 1: p the truth, q what the model believes.",
        "Return one number: the sum over the events of p * log2(p / q).",
        "The logarithm is to base 2: the unit is bits.",
        "An event with p = 0 adds 0, whatever q is.",
        "An event with p > 0 and q = 0 makes the value inf. That is no error.",
    ),
    reference=kl,
    cases=(
        Case("a fair coin", "The cost of believing in a coin that is not fair.", ([0.5, 0.5], [0.75, 0.25])),
        Case("a biased coin", "The other way round: KL is not symmetric.", ([0.75, 0.25], [0.5, 0.5])),
        Case("the same distribution", "A right belief costs nothing.", ([0.2, 0.3, 0.5], [0.2, 0.3, 0.5])),
        Case(
            "a certain event",
            "log2 of the number of events that were thought equally likely.",
            ([0, 1, 0, 0], [0.25] * 4),
        ),
        Case("an event that cannot happen", "0 * log 0 is 0, not nan.", ([0.5, 0.5, 0.0], [0.25, 0.25, 0.5])),
        Case(
            "an event that was thought impossible",
            "It happens, and was given no probability: infinite.",
            ([0.5, 0.25, 0.25], [0.5, 0.5, 0.0]),
        ),
        Case("impossible in both", "The event adds nothing.", ([0.25, 0.75, 0.0], [0.5, 0.5, 0.0])),
        Case("20 events", "Two random distributions.", (_P, _Q)),
    ),
    hints=(
        "The weights are those of the truth, p; the logarithm compares truth with belief, p / q.",
        "Skip the events with p = 0, and only those.",
        "An event with p > 0 and q = 0 makes the sum infinite: return math.inf before dividing.",
    ),
    approaches=(
        Approach(
            kl_by_loop,
            "Event by event, with the two special cases first.",
            "O(n) time, O(1) memory",
            "rounding can make the value of two nearly equal distributions negative, about -1e-17",
        ),
        Approach(
            kl_by_arrays,
            "Keep the possible events, look for an impossible belief, then one sum.",
            "O(n) time and memory, no loop in Python",
            "distributions that do not sum to 1 pass unnoticed",
        ),
    ),
    model=kl_as,
    factors=(
        Factor("arguments", {"you computed KL(q||p); the truth p gives the weights.": (lambda p, q: (q, p))}),
        Factor(
            "base",
            {
                "log base e instead of 2: the value is in nats.": math.e,
                "log base 10 instead of 2.": 10,
                "the nats are multiplied by log 2; divide by it to get bits.": math.exp(1 / math.log(2)),
            },
        ),
        Factor(
            "terms",
            {
                "an event with q = 0 makes the value infinite here, even where p = 0; it does so only where p > 0.": (
                    lambda p, q: _terms(p, q) if q.all() else np.full(1, math.inf)
                ),
                "the logarithms are weighted by q, what the model believes; the truth p gives the weights.": [
                    lambda p, q: -_terms(q, p),
                    _weighted_by_belief,
                ],
                "this is the cross-entropy: the entropy of p is not subtracted.": (
                    lambda p, q: -p[p > 0] * np.log(q[p > 0])
                ),
                "this is the entropy of p: q plays no part.": (lambda p, q: -p[p > 0] * np.log(p[p > 0])),
                "events with q = 0 are skipped: a belief that rules out what happens costs nothing.": _possible_in_both,
                "impossible events are removed and the rest is made to sum to 1: these are other distributions.": (
                    lambda p, q: _terms(*(x[(p > 0) & (q > 0)] / x[(p > 0) & (q > 0)].sum() for x in (p, q)))
                ),
                "a small number is added to the probabilities, or bounds them: the infinite value is lost.": [
                    terms for power in range(3, 17) for terms in _smoothed(10.0**-power)
                ],
                "0 * log 0 is not handled: events with p = 0 must be skipped.": [
                    lambda p, q: p * np.log(p / q),
                    lambda p, q: p * (np.log(p) - np.log(q)),
                    _by_event,
                ],
                "an event with p > 0 and q = 0 is not handled: it makes the value inf.": _divided_by_event,
                "the weights are missing: each logarithm is multiplied by p.": [
                    lambda p, q: np.log(p[p > 0] / q[p > 0]),
                    lambda p, q: np.log(p / q),
                ],
            },
        ),
        Factor(
            "divisor",
            {
                "this is the mean over the events; the task asks for the sum.": [len, lambda p: (p > 0).sum()],
            },
        ),
        Factor("sign", {"the sign is wrong: KL is never negative.": -1}),
        Factor(
            "each",
            {
                "negative terms lose their sign; single terms may be negative, only their sum is not.": np.abs,
                "negative terms are cut off at 0; single terms may be negative, only their sum is not.": (
                    lambda terms: np.maximum(terms, 0)
                ),
            },
        ),
    ),
    singular=(
        Mistake(
            "this is the chi-square divergence, the sum of (p - q)^2 / q.",
            (lambda p, q: float(((p - q)[q > 0] ** 2 / q[q > 0]).sum()) if not p[q == 0].any() else math.inf,),
        ),
        Mistake("both directions are added: KL is not symmetric.", (lambda p, q: kl(p, q) + kl(q, p),)),
        Mistake("both directions are averaged: KL is not symmetric.", (lambda p, q: (kl(p, q) + kl(q, p)) / 2,)),
        Mistake("this is the Jensen-Shannon divergence, which is symmetric and bounded.", (_jensen_shannon,)),
        Mistake("this is the root of the Jensen-Shannon divergence.", (lambda p, q: math.sqrt(_jensen_shannon(p, q)),)),
        Mistake(
            "this is the total variation, half the sum of |p - q|.", (lambda p, q: float(np.abs(p - q).sum() / 2),)
        ),
        Mistake("this is the sum of |p - q|, twice the total variation.", (lambda p, q: float(np.abs(p - q).sum()),)),
    ),
)

EXERCISES = (LOG_LOSS, EXPECTED_CALIBRATION_ERROR, PERPLEXITY, KL_DIVERGENCE)
