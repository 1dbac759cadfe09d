"""Exercise on uncertainty: the bootstrap interval of a mean."""

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from metrics_book.practice._engine import Approach, Array, Case, Exercise, Factor, Mistake

Two = tuple[float, float]


def bootstrap_interval(values: Array, indices: Array, level: float) -> Two:
    low, high = np.quantile(values[indices].mean(axis=1), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def interval_by_loop(values: Array, indices: Array, level: float) -> Two:
    means = sorted(sum(values[i] for i in row) / len(row) for row in indices)

    def quantile(share: float) -> float:
        place = share * (len(means) - 1)
        below = int(place)
        above = min(below + 1, len(means) - 1)
        return float(means[below] + (place - below) * (means[above] - means[below]))

    return quantile((1 - level) / 2), quantile((1 + level) / 2)


def interval_by_counts(values: Array, indices: Array, level: float) -> Two:
    resamples, n = indices.shape
    cell = np.arange(resamples)[:, None] * n + indices
    drawn = np.bincount(cell.ravel(), minlength=resamples * n)
    means = drawn.reshape(resamples, n) @ values / n
    low, high = np.percentile(means, [50 * (1 - level), 50 * (1 + level)])
    return float(low), float(high)


Ends = Callable[[float, float, Array, Array, float], tuple[float, ...]]


def interval_as(
    values: Array,
    indices: Array,
    level: float,
    *,
    statistic: Callable[[Array, Array], Array] = lambda values, indices: values[indices].mean(axis=1),
    tails: Callable[[float], Two] = lambda level: ((1 - level) / 2, (1 + level) / 2),
    quantile: Callable[[Array, float], float] = np.quantile,
    ends: Ends = lambda low, high, means, values, level: (low, high),
) -> list[float]:
    """Two quantiles of a statistic of the resamples, and what is made of them."""
    means = statistic(values, indices)
    low, high = (float(quantile(means, share)) for share in tails(level))
    return [float(end) for end in ends(low, high, means, values, level)]


def _method(name: str) -> Callable[[Array, float], float]:
    """Another rule for a quantile that falls between two values."""
    return lambda means, share: float(np.quantile(means, share, method=name))  # type: ignore[call-overload]


def _at(place: Callable[[float, int], float]) -> Callable[[Array, float], float]:
    """The sorted value at a place, no further than the last one."""
    return lambda means, share: float(np.sort(means)[min(max(int(place(share, len(means))), 0), len(means) - 1)])


def _normal(deviation: Callable[[Array, Array], float], middle: Callable[[Array, Array], float]) -> Ends:
    def ends(low: float, high: float, means: Array, values: Array, level: float) -> Two:
        margin = NormalDist().inv_cdf((1 + level) / 2) * deviation(means, values)
        return middle(means, values) - margin, middle(means, values) + margin

    return ends


_DEVIATIONS: list[Callable[[Array, Array], float]] = [
    lambda means, values: float(means.std()),
    lambda means, values: float(means.std(ddof=1)) if len(means) > 1 else math.nan,
    lambda means, values: float(values.std(ddof=1) / math.sqrt(len(values))),
]
_MIDDLES: list[Callable[[Array, Array], float]] = [
    lambda means, values: float(values.mean()),
    lambda means, values: float(means.mean()),
]

_rng = np.random.default_rng(6)
_VALUES = _rng.exponential(size=40)
_INDICES = _rng.integers(0, 40, (120, 40))

BOOTSTRAP_INTERVAL = Exercise(
    name="bootstrap_interval",
    title="bootstrap interval of a mean (自助法置信区间)",
    task=(
        "values holds n numbers, such as the metric of each query.",
        "indices is a matrix: each row is one resample, n positions in values that were drawn with replacement, so "
        "some occur twice and others not at all. (You would draw them by rng.integers(0, n, (resamples, n)); here they "
        "are given, so that the result can be checked.)",
        "level is the level of confidence, between 0 and 1, such as 0.95.",
        "Return two numbers, the lower and the upper end of the percentile interval: the quantiles (1 - level) / 2 and "
        "(1 + level) / 2 of the means of the resamples.",
        "Between two sorted means a quantile is interpolated linearly, as numpy.quantile does it by default.",
    ),
    reference=bootstrap_interval,
    cases=(
        Case(
            "five resamples, level one half",
            "The second and the fourth of five sorted means: no interpolation.",
            ([1.0, 2.0, 6.0], [[0, 0, 1], [2, 2, 2], [0, 1, 2], [1, 1, 2], [0, 0, 0]], 0.5),
        ),
        Case(
            "between two means",
            "The ends fall between sorted means and are interpolated.",
            ([1.0, 3.0], [[0, 0], [0, 1], [1, 1], [1, 0]], 0.5),
        ),
        Case(
            "more values than resamples",
            "A mean for each row, not for each column.",
            ([4.0, 1.0, 3.0, 8.0], [[0, 1, 1, 3], [2, 2, 0, 1]], 0.8),
        ),
        Case(
            "as many values as resamples",
            "A square matrix does not tell its rows from its columns; you must.",
            ([5.0, 1.0, 2.0], [[0, 0, 1], [1, 2, 2], [0, 2, 2]], 0.9),
        ),
        Case(
            "an item drawn twice",
            "It counts twice: drawing with replacement is what makes resamples differ.",
            ([0.0, 10.0], [[1, 1], [0, 1], [0, 0], [1, 1], [1, 1]], 0.5),
        ),
        Case(
            "a high level",
            "Nearly the smallest and the greatest mean.",
            ([2.0, 7.0, 4.0], [[0, 1, 2], [1, 1, 1], [0, 0, 0], [2, 2, 0], [1, 2, 2]], 0.99),
        ),
        Case("one resample", "Both ends are its mean.", ([1.0, 2.0, 4.0], [[2, 2, 1]], 0.95)),
        Case("equal values", "All means are the same: the interval has no width.", ([3.0, 3.0], [[0, 1], [1, 1]], 0.9)),
        Case(
            "negative values",
            "Differences of two systems, for example: the interval may hold 0.",
            ([-1.5, 0.5, 2.0, -0.5], [[0, 0, 3, 1], [2, 2, 1, 3], [0, 1, 2, 3], [3, 3, 2, 0], [1, 1, 1, 2]], 0.6),
        ),
        Case(
            "a skewed sample",
            "An outlier: the interval is not symmetric about the mean.",
            ([0.0, 0.0, 1.0, 20.0], [[0, 1, 2, 2], [3, 3, 0, 1], [0, 0, 1, 2], [2, 3, 2, 0], [3, 0, 1, 1]], 0.7),
        ),
        Case("120 resamples", "Forty skewed values at the usual level.", (_VALUES, _INDICES, 0.95)),
    ),
    hints=(
        "values[indices] is a matrix of all resamples. Which axis is a resample?",
        "Half of 1 - level lies below the interval, and half above it.",
        "np.quantile takes shares from 0 to 1, np.percentile takes them from 0 to 100.",
    ),
    approaches=(
        Approach(
            interval_by_loop,
            "The mean of each resample, sorted; a quantile by hand.",
            "O(b n + b log b) time, O(b) memory for b resamples",
            "a loop in Python: ten thousand resamples of a thousand values take seconds",
        ),
        Approach(
            interval_by_counts,
            "How often each value was drawn, as a matrix; its product with the values gives all sums at once.",
            "O(b n) time and memory, no loop in Python",
            "the matrix of ten thousand resamples of a million values does not fit memory: go resample by resample",
        ),
    ),
    model=interval_as,
    factors=(
        Factor(
            "statistic",
            {
                "the means go over the columns (axis=0); each row is a resample (axis=1).": (
                    lambda values, indices: values[indices].mean(axis=0)
                ),
                "this is the interval of the median; the task asks for that of the mean.": (
                    lambda values, indices: np.median(values[indices], axis=1)
                ),
                "the resamples are added up; take the mean of each.": (
                    lambda values, indices: values[indices].sum(axis=1)
                ),
                "these are quantiles of the values themselves, not of the means of the resamples.": [
                    lambda values, indices: values,
                    lambda values, indices: values[indices].ravel(),
                ],
                "each item counts once in a resample, however often it was drawn; it counts as often.": (
                    lambda values, indices: np.array([values[np.unique(row)].mean() for row in indices])
                ),
                "the mean of the values is subtracted: these are the deviations of the means.": (
                    lambda values, indices: values[indices].mean(axis=1) - values.mean()
                ),
                "the indices themselves are averaged; they are positions in values.": (
                    lambda values, indices: indices.mean(axis=1)
                ),
                "only the first resample is looked at: does the return stand inside the loop?": (
                    lambda values, indices: values[indices[:1]].mean(axis=1)
                ),
            },
        ),
        Factor(
            "tails",
            {
                "1 - level is cut off at each end; half of it belongs below the interval and half above.": (
                    lambda level: (1 - level, level)
                ),
                "the shares are taken for percentages: percentile needs them times 100, quantile does not.": (
                    lambda level: ((1 - level) / 200, (1 + level) / 200)
                ),
                "the level is taken for a percentage; it lies between 0 and 1.": (
                    lambda level: (0.5 - level / 200, 0.5 + level / 200)
                ),
                "the level is always 0.95; it is an argument.": lambda level: (0.025, 0.975),
                "all of 1 - level is cut off at the lower end; half of it belongs to each.": lambda level: (
                    1 - level,
                    1,
                ),
                "all of 1 - level is cut off at the upper end; half of it belongs to each.": lambda level: (0, level),
                "these are the quantiles level / 2 and 1 - level / 2, as if level were the error; cut off 1 - level.": (
                    lambda level: (level / 2, 1 - level / 2)
                ),
            },
        ),
        Factor(
            "quantile",
            {
                "a quantile between two means is not interpolated; numpy.quantile does so linearly.": [
                    *map(_method, ("lower", "higher", "nearest", "inverted_cdf")),
                    _at(lambda share, b: share * b),
                    _at(lambda share, b: round(share * b)),
                    _at(lambda share, b: math.ceil(share * b) - 1),
                    _at(lambda share, b: share * b - (share > 0.5)),
                    _at(lambda share, b: math.ceil(share * b) - (share > 0.5)),
                ],
                "a quantile between two means is interpolated by another rule than numpy.quantile's default.": list(
                    map(_method, ("weibull", "hazen", "median_unbiased"))
                ),
                "the means are not sorted before the quantiles are looked up.": [
                    lambda means, share: float(np.interp(share * (len(means) - 1), np.arange(len(means)), means)),
                    lambda means, share: float(means[min(int(share * len(means)), len(means) - 1)]),
                ],
            },
        ),
        Factor(
            "ends",
            {
                "the upper end comes first; the lower one belongs there.": (
                    lambda low, high, means, values, level: (high, low)
                ),
                "this is the basic interval, which turns the quantiles over about the mean; the task asks for them.": (
                    lambda low, high, means, values, level: (2 * values.mean() - high, 2 * values.mean() - low)
                ),
                "these are the smallest and the greatest mean; the task asks for quantiles.": (
                    lambda low, high, means, values, level: (means.min(), means.max())
                ),
                "this is the normal interval, mean and standard error; the task asks for quantiles of the means.": [
                    _normal(deviation, middle) for deviation in _DEVIATIONS for middle in _MIDDLES
                ],
                "this is the mean and 1.96 standard errors on either side, whatever the level; take quantiles.": [
                    lambda low, high, means, values, level, middle=middle, deviation=deviation: (
                        middle(means, values) - 1.96 * deviation(means, values),
                        middle(means, values) + 1.96 * deviation(means, values),
                    )
                    for deviation in _DEVIATIONS
                    for middle in _MIDDLES
                ],
                "this is the mean and one standard deviation on either side; take quantiles.": [
                    lambda low, high, means, values, level, middle=middle, deviation=deviation: (
                        middle(means, values) - deviation(means, values),
                        middle(means, values) + deviation(means, values),
                    )
                    for deviation in _DEVIATIONS[:2]
                    for middle in _MIDDLES
                ],
                "the interval is made symmetric about the mean; return the two quantiles.": [
                    lambda low, high, means, values, level, middle=middle: (
                        middle(means, values) - (high - low) / 2,
                        middle(means, values) + (high - low) / 2,
                    )
                    for middle in _MIDDLES
                ],
                "these are the mean and a margin, or the width; return the two ends.": [
                    lambda low, high, means, values, level: (values.mean(), (high - low) / 2),
                    lambda low, high, means, values, level: ((low + high) / 2, (high - low) / 2),
                    lambda low, high, means, values, level: (means.mean(), (high - low) / 2),
                    lambda low, high, means, values, level: (low, high - low),
                ],
            },
        ),
    ),
    singular=(
        Mistake(
            "the deviations of the means are put on the wrong side, or their quantiles mixed up: return the quantiles.",
            (lambda v, i, level: [2 * v.mean() - end for end in bootstrap_interval(v, i, level)],),
        ),
    ),
)

EXERCISES = (BOOTSTRAP_INTERVAL,)
