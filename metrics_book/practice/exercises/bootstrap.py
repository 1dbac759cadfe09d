"""The bootstrap interval of a mean."""

from statistics import NormalDist

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise

Two = tuple[float, float]


def interval(values: Array, indices: Array, level: float) -> Two:
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


def score(level: float) -> float:
    """How many standard errors a normal interval reaches on either side."""
    return NormalDist().inv_cdf((1 + level) / 2)


def draw_resamples(rng: np.random.Generator, n: int) -> tuple[Array, Array, float]:
    items = int(rng.integers(1, n + 1)) if n < 100 else 20
    resamples = int(rng.integers(1, 3 * n)) if n < 100 else n // 20
    values = [rng.exponential(size=items), rng.normal(size=items), rng.integers(0, 4, items) / 2][rng.integers(3)]
    level = [0.5, 0.8, 0.9, 0.95, 0.99][rng.integers(5)]
    return values, rng.integers(0, items, (resamples, items)), level


DRAWN = "counts: drawn.reshape(resamples, n) @ values / n ->"
SHARES = "counts: [50 * (1 - level), 50 * (1 + level)] ->"
ENDS = "counts: float(low), float(high) ->"
PLACES = "    low, high = np.percentile(means, [50 * (1 - level), 50 * (1 + level)]) ->     "


def quantile(*rules: str) -> tuple[str, ...]:
    """Another rule between two means, of the share q and the number of means b."""
    return tuple(
        f"counts: {PLACES}low, high = (np.sort(means)[min(max(int({rule}), 0), b - 1)] for b in [resamples] "
        "for q in ((1 - level) / 2, (1 + level) / 2))"
        for rule in rules
    )


def method(*names: str) -> tuple[str, ...]:
    return tuple(f"counts: 50 * (1 + level)] -> 50 * (1 + level)], method='{name}'" for name in names)


def about(margin: str) -> tuple[str, ...]:
    """The mean and so much on either side, by each standard error there is."""
    errors = ("means.std()", "(means.std(ddof=1) if resamples > 1 else np.nan)", "values.std(ddof=1) / n**0.5")
    return tuple(
        f"{ENDS} {middle} - {margin} * {error}, {middle} + {margin} * {error}"
        for error in errors
        for middle in ("values.mean()", "means.mean()")
    )


BOOTSTRAP_INTERVAL = Exercise(
    name="bootstrap_interval",
    title="bootstrap interval of a mean (自助法置信区间)",
    parameters="values, indices, level",
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
    right=interval,
    draw=draw_resamples,
    cases=(
        (
            "five resamples, level one half",
            ([1.0, 2.0, 6.0], [[0, 0, 1], [2, 2, 2], [0, 1, 2], [1, 1, 2], [0, 0, 0]], 0.5),
            "The second and the fourth of five sorted means: no interpolation.",
        ),
        ("between two means", ([1.0, 3.0], [[0, 0], [0, 1], [1, 1], [1, 0]], 0.5), "The ends are interpolated."),
        (
            "more values than resamples",
            ([4.0, 1.0, 3.0, 8.0], [[0, 1, 1, 3], [2, 2, 0, 1]], 0.8),
            "A mean for each row, not for each column.",
        ),
        (
            "as many values as resamples",
            ([5.0, 1.0, 2.0], [[0, 0, 1], [1, 2, 2], [0, 2, 2]], 0.9),
            "A square matrix does not tell its rows from its columns; you must.",
        ),
        (
            "an item drawn twice",
            ([0.0, 10.0], [[1, 1], [0, 1], [0, 0], [1, 1], [1, 1]], 0.5),
            "It counts twice: drawing with replacement is what makes resamples differ.",
        ),
        (
            "a high level",
            ([2.0, 7.0, 4.0], [[0, 1, 2], [1, 1, 1], [0, 0, 0], [2, 2, 0], [1, 2, 2]], 0.99),
            "Nearly the smallest and the greatest mean.",
        ),
        ("one resample", ([1.0, 2.0, 4.0], [[2, 2, 1]], 0.95), "Both ends are its mean."),
        ("equal values", ([3.0, 3.0], [[0, 1], [1, 1]], 0.9), "All means are the same: the interval has no width."),
        (
            "negative values",
            ([-1.5, 0.5, 2.0, -0.5], [[0, 0, 3, 1], [2, 2, 1, 3], [0, 1, 2, 3], [3, 3, 2, 0], [1, 1, 1, 2]], 0.6),
            "Differences of two systems, for example: the interval may include 0.",
        ),
        (
            "a skewed sample",
            ([0.0, 0.0, 1.0, 20.0], [[0, 1, 2, 2], [3, 3, 0, 1], [0, 0, 1, 2], [2, 3, 2, 0], [3, 0, 1, 1]], 0.7),
            "An outlier: the interval is not symmetric about the mean.",
        ),
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
    mistakes={
        "the means go over the columns (axis=0); each row is a resample (axis=1).": (
            f"{DRAWN} values[indices].mean(axis=0)",
        ),
        "this is the interval of the median; the task asks for that of the mean.": (
            f"{DRAWN} np.median(values[indices], axis=1)",
        ),
        "the resamples are added up; take the mean of each.": (f"{DRAWN} values[indices].sum(axis=1)",),
        "each item counts once in a resample, however often it was drawn; it counts as often.": (
            f"{DRAWN} np.array([values[np.unique(row)].mean() for row in indices])",
        ),
        "1 - level is cut off at each end; half of it belongs below the interval and half above.": (
            f"{SHARES} [100 * (1 - level), 100 * level]",
        ),
        "the shares are taken for percentages: percentile needs them times 100, quantile does not.": (
            f"{SHARES} [(1 - level) / 2, (1 + level) / 2]",
        ),
        "the level is always 0.95; it is an argument.": (f"{SHARES} [2.5, 97.5]",),
        "all of 1 - level is cut off at one end; half of it belongs to each.": (
            f"{SHARES} [100 * (1 - level), 100]",
            f"{SHARES} [0, 100 * level]",
        ),
        "a quantile between two means is not interpolated; numpy.quantile does so linearly.": (
            *method("lower", "higher", "nearest", "inverted_cdf"),
            *quantile("q * b", "round(q * b)", "np.ceil(q * b) - 1", "q * b - (q > 0.5)", "q * (b - 1)"),
        ),
        "the upper end comes first; the lower one belongs there.": (f"{ENDS} float(high), float(low)",),
        "this is the normal interval, mean and standard error; the task asks for quantiles of the means.": about(
            "score(level)"
        ),
    },
)
