r"""How far a value may lie from the truth, and whether a difference is more than chance.

`bootstrap` gives an interval to any metric, by drawing the rows of the data, or whole groups of rows, with replacement.
`delong_interval` and `wilson_interval` give one to an AUC and to a share by a formula.
Two systems judged on the same queries, rows or labels are compared by `paired_difference`, `delong_test` and
`mcnemar_test`. Their p-values suppose that the systems do not differ (the null hypothesis). To reject it where it is
true is a Type I error, which about 5 of 100 such tests make at a level of 5%. `queries_needed` plans the number of
queries for a difference of a given size and a given power, the probability of finding it.

>>> from metrics_lib import ndcg
>>> from metrics_lib.uncertainty import paired_difference
>>> old = ndcg([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1], [1, 0, 0]])
>>> new = ndcg([[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 1], [1, 0, 0]])
>>> result = paired_difference(new, old, rng=0)
>>> round(result.value, 4), round(result.p_value, 4)
(0.1344, 0.125)
"""

import math
import numbers
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    PosLabel,
    UndefinedMetricWarning,
    as_array,
    as_binary,
    as_count,
    as_floats,
    as_keys,
    as_labels,
    as_number_above,
    as_weights,
    fits_float,
    invalid,
    of_one_kind,
    one_of,
    same_shape,
    unique_keys,
    warn_undefined,
)
from metrics_lib._floats import BLOCK, Floats
from metrics_lib._sorting import run_ends

__all__ = [
    "BootstrapInterval",
    "DeLongTest",
    "Interval",
    "McNemarTest",
    "PairedDifference",
    "bootstrap",
    "delong_interval",
    "delong_test",
    "mcnemar_test",
    "paired_difference",
    "queries_needed",
    "wilson_interval",
]

Places = NDArray[np.int64]
Rng = int | np.random.Generator | None
Method = Literal["percentile", "bca"]
OfPairs = Literal["t", "percentile", "bca"]


class Interval(NamedTuple):
    """A value between the ends of its confidence interval.

    Parameters
    ----------
    value : float
        What the data say.
    low, high : float
        The ends of the interval.
    """

    value: float
    low: float
    high: float


class BootstrapInterval(NamedTuple):
    """What `bootstrap` returns.

    Parameters
    ----------
    value : float
        The metric of the data.
    low, high : float
        The ends of its confidence interval.
    distribution : ndarray of shape (n_resamples - n_undefined,)
        The metric of each resample that has a value, in the order of drawing.
    n_undefined : int
        The number of resamples without a value, which the interval leaves out.
    """

    value: float
    low: float
    high: float
    distribution: Floats
    n_undefined: int


class PairedDifference(NamedTuple):
    """What `paired_difference` returns.

    Parameters
    ----------
    value : float
        The mean of the differences ``a - b``.
    low, high : float
        The ends of its confidence interval.
    p_value : float
        The probability of a mean at least as far from zero under the null hypothesis, by which each difference is as
        likely to have the other sign.
    distribution : ndarray
        The mean difference of each resample, of which a t interval draws none.
    """

    value: float
    low: float
    high: float
    p_value: float
    distribution: Floats


class DeLongTest(NamedTuple):
    """What `delong_test` returns.

    Parameters
    ----------
    auc_a, auc_b : float
        The area under the ROC curve of each score.
    value : float
        Their difference, ``auc_a - auc_b``.
    low, high : float
        The ends of its confidence interval.
    p_value : float
        Two-sided, for the null hypothesis that both areas are equal.
    """

    auc_a: float
    auc_b: float
    value: float
    low: float
    high: float
    p_value: float


class McNemarTest(NamedTuple):
    """What `mcnemar_test` returns.

    Parameters
    ----------
    only_a, only_b : int
        The number of samples that only the first classifier, or only the second, has right.
    p_value : float
        Two-sided and exact, for the null hypothesis that a sample on which they differ is as likely to be of either
        kind.
    """

    only_a: int
    only_b: int
    p_value: float


# Resampling


def bootstrap(
    metric: Callable[..., float],
    *arrays: ArrayLike,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    confidence_level: float = 0.95,
    method: Method = "percentile",
    n_resamples: int = 9999,
    rng: Rng = None,
) -> BootstrapInterval:
    r"""Confidence interval of any metric, from data drawn from the data.

    Parameters
    ----------
    metric : callable
        Takes the arrays and returns one number: ``roc_auc_score``, ``numpy.mean``, a function of your own.
    arrays : array_like of shape (n, ...)
        The arguments of the metric, row by row; row i of all of them is drawn, or not, together.
    groups : array_like of shape (n,), default=None
        The group of each row (user, query, session, day): numbers, strings, dates. If given, whole groups are drawn,
        with all of their rows: rows of one group are alike, and counting them as independent makes the interval too
        narrow.
    sample_weight : array_like of int of shape (n,), default=None
        How many equal rows each row stands for, where equal rows were merged. The rows that were merged are drawn, by
        their counts, and the metric gets the counts of each resample as ``sample_weight=``. With ``groups`` the counts
        of a row stay as they are.
    confidence_level : float, default=0.95
        In (0, 1).
    method : {'percentile', 'bca'}, default='percentile'
        The quantiles of the resamples, or those that correct for bias and skew, which takes the metric of the data
        without each row (or group) in turn.
    n_resamples : int, default=9999
        How often the data are drawn.
    rng : int, numpy.random.Generator or None, default=None
        A seed or a generator, for a result that can be repeated.

    Returns
    -------
    BootstrapInterval
        ``value``, ``low``, ``high``, ``distribution``, ``n_undefined``.

    Raises
    ------
    ValueError
        If the arrays differ in length, there are fewer than two rows or groups, a count is not a whole number, the
        metric returns something else than one number, or has no value for the data or for any resample; for
        ``method='bca'``, if it is not finite without one of the rows (or groups); if another argument is invalid.

    Warns
    -----
    UndefinedMetricWarning
        If the metric has no value (nan) for some resamples, say for want of a positive: how many.

    See Also
    --------
    paired_difference : Two systems on the same queries.
    delong_interval : An AUC without resampling.

    Notes
    -----
    With the metric :math:`\theta^*_b` of resample :math:`b`, and :math:`Q` the quantiles of all of them, the
    percentile interval of level :math:`1-\alpha` is

    .. math:: \bigl[Q(\alpha/2),\; Q(1-\alpha/2)\bigr]

    and BCa replaces :math:`\alpha/2` by :math:`\Phi\bigl(z_0 + \frac{z_0+z}{1-a(z_0+z)}\bigr)` with
    :math:`z = \Phi^{-1}(\alpha/2)`, the bias :math:`z_0` and the acceleration :math:`a` (Efron 1987); the other end
    likewise. Both ends are those of ``scipy.stats.bootstrap`` for the same resamples.

    Where a metric is infinite for some resamples, the end that they reach is infinite.

    A mean over queries needs no metric of the rows: compute the values once, and resample them
    (``bootstrap(np.mean, ndcg(...))``). A group that is drawn twice comes as more rows of the same name, so a metric
    that asks for the groups itself, such as `metrics_lib.curves.gauc`, would take both for one: compute the AUC and the
    weight of each group once, and draw these: ``bootstrap(weighted_mean, aucs, weights)``.

    The interval says what other samples of this size could have shown. It knows nothing of labels that are wrong or
    of a test set that is not what users meet, and with few rows that of percentiles is too narrow.

    References
    ----------
    Efron (1987).

    Examples
    --------
    >>> from metrics_lib import roc_auc_score
    >>> y_true = [0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1] * 4
    >>> result = bootstrap(roc_auc_score, y_true, range(48), n_resamples=1000, rng=0)
    >>> round(result.value, 3), round(result.low, 2), round(result.high, 2), result.n_undefined
    (0.569, 0.41, 0.73, 0)
    """
    if not callable(metric):
        raise invalid("metric", "a function", repr(metric))
    if not arrays:
        raise invalid("arrays", "at least one array", "none")
    columns = [_as_rows(array, f"arrays[{place}]") for place, array in enumerate(arrays)]
    for place, column in enumerate(columns):
        if len(column) != len(columns[0]):
            raise invalid(f"arrays[{place}]", f"{len(columns[0])} rows, as arrays[0]", len(column))
    units: _Rows | _Groups | _Merged
    if sample_weight is None:
        units = _units(len(columns[0]), groups)
    else:
        counts = _as_counts(sample_weight, len(columns[0]))
        columns, metric = [*columns, counts], _weighted(metric)
        units = _Merged(counts) if groups is None else _units(len(counts), groups)
    one_of(method, "method", ("percentile", "bca"))
    level, draws, generator = _level(confidence_level), as_count(n_resamples, "n_resamples"), _generator(rng)

    def statistic(columns: list[NDArray[Any]]) -> float:
        return _number(metric(*columns))

    value = statistic(columns)
    if math.isnan(value):
        raise invalid("metric", "one that has a value for the data", "nan")
    columns = [units.together(column) for column in columns]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)  # they are counted
        drawn = np.array([statistic(units.chosen(columns, units.drawn(generator))) for _ in range(draws)])
    distribution = drawn[~np.isnan(drawn)]
    undefined = draws - len(distribution)
    if undefined == draws:
        raise invalid("metric", "one that has a value for some resamples", f"nan for each of {draws}")
    if undefined:
        warn_undefined(f"The metric has no value for {undefined} of {draws} resamples, which the interval leaves out.")
    tails = _tails(level)
    if method == "bca":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            times, others = zip(*units.without_one(), strict=True)
            without = np.array([statistic(units.chosen(columns, chosen)) for chosen in others])
        tails = _bca_tails(tails, value, distribution, without, np.array(times))
    return BootstrapInterval(value, *_ends(distribution, tails), distribution, undefined)


def paired_difference(
    a: ArrayLike,
    b: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    method: OfPairs = "t",
    n_resamples: int = 9999,
    rng: Rng = None,
) -> PairedDifference:
    r"""Difference of two systems that were judged on the same queries: its interval, and its p-value.

    Parameters
    ----------
    a, b : array_like of shape (n_queries,)
        The value of each query, or user, under either system: what `metrics_lib.ranking.ndcg` or another metric
        returned for a batch. Leave a query without a value (nan) out of both.
    groups : array_like of shape (n_queries,), default=None
        The group of each query, say its user. If given, whole groups vary, are drawn, and change their sign, together.
    confidence_level : float, default=0.95
        In (0, 1).
    method : {'t', 'percentile', 'bca'}, default='t'
        The interval of Student's t, or one of those of `bootstrap`, which with fewer than some 30 queries is too
        narrow.
    n_resamples : int, default=9999
        How often the signs of the differences are drawn, and how often the differences are for a bootstrap interval.
    rng : int, numpy.random.Generator or None, default=None
        A seed or a generator, for a result that can be repeated.

    Returns
    -------
    PairedDifference
        ``value``, the mean of ``a - b``; ``low``, ``high``; ``p_value``, two-sided; ``distribution``.

    Raises
    ------
    ValueError
        If the values are not finite, differ in number or are fewer than two, or another argument is invalid.

    Warns
    -----
    UserWarning
        If interval and p-value contradict each other: 0 is outside the one though the other is above the level, or
        inside it though the other is not. It names the smallest p-value that so many queries allow.

    See Also
    --------
    queries_needed : How many queries it takes.
    delong_test : Two scores on the same rows.
    mcnemar_test : Two classifiers on the same rows.

    Notes
    -----
    Under the null hypothesis the two values of a query could be exchanged. With the differences
    :math:`d_q = a_q - b_q` and random signs :math:`s_q = \pm 1`, each as likely, the p-value is

    .. math:: p = P\Bigl(\Bigl|\sum_q s_q d_q\Bigr| \ge \Bigl|\sum_q d_q\Bigr|\Bigr)

    counted over all :math:`2^n` signs where these are no more than ``n_resamples``, otherwise over as many random ones,
    of which the data themselves are one more; so it is at least :math:`2/2^n`, and with five queries never below 0.06.
    Its time grows with ``n_resamples`` times the number of queries: for a million of them draw a few hundred.

    With the mean :math:`\bar d`, its standard error :math:`s/\sqrt n` from the standard deviation :math:`s` of the
    :math:`n` differences, and the quantile of Student's t with :math:`n-1` degrees of freedom, the t interval is

    .. math:: \bar d \pm t_{1-\alpha/2} \, \frac{s}{\sqrt n}

    With :math:`G` groups there are :math:`G-1` degrees, and the deviations are those of the groups' sums from what
    their sizes would give. Of intervals for normal differences of 5, 10, 20 and 50 queries, 15, 10, 8 and 6 of 100 by
    percentiles miss the truth, and 5 by t; where differences are skewed t misses up to 11 of 100 below ten queries.

    Of several comparisons, each at a level of 5%, some are Type I errors more often than in 5 of 100: multiply the
    p-values by the number of comparisons (Bonferroni), or the smallest by all of them and the next by one fewer (Holm).

    Pairing removes what the queries have in common: hard queries are hard for both systems. The intervals of both
    means can overlap though every query has the same sign.

    References
    ----------
    Smucker et al. (2007). Efron (1987).

    Examples
    --------
    >>> a = [0.9, 0.5, 0.8, 0.3, 0.7, 0.6, 0.4, 0.9]
    >>> b = [0.8, 0.4, 0.8, 0.1, 0.6, 0.5, 0.3, 0.7]
    >>> result = paired_difference(a, b, rng=0)
    >>> round(result.value, 4), round(result.low, 4), round(result.high, 4), result.p_value
    (0.1125, 0.0589, 0.1661, 0.015625)
    """
    one_of(method, "method", ("t", "percentile", "bca"))
    first, second = as_floats(a, "a", ndim=1), as_floats(b, "b", ndim=1)
    same_shape(first, "a", second, "b")
    level, draws, generator = _level(confidence_level), as_count(n_resamples, "n_resamples"), _generator(rng)
    differences = first - second
    units = _units(len(differences), groups)
    sums, distribution = units.sums(differences), np.empty(0)
    value = float(sums.sum() / units.sizes.sum())
    if method == "t":
        shares = units.sizes / len(differences)
        deviations = sums / len(differences) - value * shares
        error = math.sqrt(units.n / (units.n - 1) * float(deviations @ deviations))
        half = _t_quantile(level, units.n - 1) * error
        low, high = value - half, value + half
    else:
        distribution, tails = _drawn_means(sums, units.sizes, draws, generator), _tails(level)
        if method == "bca":
            without = (sums.sum() - sums) / (units.sizes.sum() - units.sizes)
            tails = _bca_tails(tails, value, distribution, without, np.ones(units.n, dtype=np.int64))
        low, high = _ends(distribution, tails)
    p_value = _sign_flips(sums, draws, generator)
    outside = not low <= 0 <= high
    if outside != (p_value <= 1 - level):
        message = (
            f"0 lies {'outside' if outside else 'within'} the interval, from {low:.4g} to {high:.4g}, but the p-value"
        )
        least = f"; of {units.n} queries or groups none can be below {2.0 ** (1 - units.n):.4g}"
        warnings.warn(f"{message} is {p_value:.4g}{least if units.n < 10 else ''}", UserWarning, stacklevel=2)
    return PairedDifference(value, low, high, p_value, distribution)


def queries_needed(
    difference: float, standard_deviation: float, *, power: float = 0.8, confidence_level: float = 0.95
) -> int:
    r"""Number of queries at which `paired_difference` finds a difference of this size with this probability.

    Parameters
    ----------
    difference : float
        The smallest mean difference worth having, which should not be missed; not 0. Not the difference that came out
        of a pilot: the largest of several is too large on average, and the number then too small.
    standard_deviation : float
        Of the differences between queries, from a pilot or an earlier comparison: ``(a - b).std(ddof=1)``.
    power : float, default=0.8
        In (0, 1), the wanted probability that the difference, if it is there, is found. One minus the power is the
        probability of a miss, a Type II error.
    confidence_level : float, default=0.95
        In (0, 1), one minus the level of the two-sided test, which is the probability of a Type I error.

    Returns
    -------
    int
        At least the smallest number at which the p-value can reach the level: 6 at 95%.

    Raises
    ------
    ValueError
        If an argument is out of its range or not a number, or the answer is 2**62 queries or more.

    See Also
    --------
    paired_difference : The test.

    Notes
    -----
    With :math:`\sigma` the standard deviation, :math:`\delta` the difference and :math:`z` the quantiles of the normal
    distribution,

    .. math:: n = \Bigl\lceil (z_{1-\alpha/2} + z_{\text{power}})^2 \, \frac{\sigma^2}{\delta^2}
              + \frac{z_{1-\alpha/2}^2}{2} \Bigr\rceil

    whose second term is the cost of a standard deviation that has to be estimated. The test counts signs, so its
    p-value has steps of :math:`2/2^n`; :math:`\alpha` is the largest such step that does not exceed the level.
    Half the difference takes four times the queries.

    References
    ----------
    Sakai (2016). Guenther (1981).

    Examples
    --------
    >>> queries_needed(0.01, 0.1)
    787
    >>> queries_needed(0.005, 0.1)
    3142
    """
    if not isinstance(difference, numbers.Real) or not math.isfinite(difference) or difference == 0:
        raise invalid("difference", "a finite number other than 0", repr(difference))
    spread = as_number_above(standard_deviation, "standard_deviation", 0)
    alpha, wanted = 1 - _level(confidence_level), _level(power, "power")

    def enough(alpha: float) -> float:
        z = -_normal_quantile(alpha / 2)
        root = max(z + _normal_quantile(wanted), 0) * (spread / abs(float(difference)))
        return root * root + z * z / 2

    n = enough(alpha)
    if not n < 2.0**62:
        raise invalid("difference", "a difference for which fewer than 2**62 queries are enough", repr(difference))
    n = max(math.ceil(n), math.ceil(1 - math.log2(alpha)))
    while n < 64 and n < enough(math.floor(alpha * 2.0 ** (n - 1)) / 2.0 ** (n - 1)):
        n += 1
    return n


# Formulas


def delong_interval(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: PosLabel = None, confidence_level: float = 0.95
) -> Interval:
    r"""Confidence interval of the area under the ROC curve by DeLong's formula, without resampling.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Labels of two classes.
    y_score : array_like of shape (n_samples,)
        Scores; higher means more likely positive.
    pos_label : int, float, bool or str, default=None
        The positive label; None means 1, for labels in {0, 1} or {-1, 1}.
    confidence_level : float, default=0.95
        In (0, 1).

    Returns
    -------
    Interval
        ``value``, the AUC; ``low`` and ``high``, within [0, 1].

    Raises
    ------
    ValueError
        If a class has fewer than two samples, or an argument is invalid.

    Warns
    -----
    UndefinedMetricWarning
        If the formula has variance 0, as for an AUC of 1: the interval is a point, and says nothing.

    See Also
    --------
    bootstrap : An interval where rows are not independent (``groups``).
    delong_test : Two scores on the same rows.

    Notes
    -----
    With the placements :math:`V_i`, the share of the :math:`N` negatives that positive :math:`i` beats (a tie counts
    one half), and :math:`W_j`, the share of the :math:`P` positives that beat negative :math:`j`,

    .. math:: \mathrm{AUC} \pm z_{1-\alpha/2} \sqrt{\frac{\operatorname{var}(V)}{P} + \frac{\operatorname{var}(W)}{N}}

    whose root is the standard error, with the variances of samples (divisors :math:`P-1` and :math:`N-1`), cut at 0
    and 1. Rows must be independent: no user with many of them. Near 1, and with few samples of a class, the interval
    is too narrow.

    References
    ----------
    DeLong et al. (1988).

    Examples
    --------
    >>> result = delong_interval([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.7])
    >>> round(result.value, 4), round(result.low, 4), round(result.high, 4)
    (0.8889, 0.5809, 1.0)
    """
    positive, scores, _ = as_binary(y_true, y_score, "y_score", pos_label, None)
    level = _level(confidence_level)
    value, of_positives, of_negatives = _placements(_of_both_classes(positive), scores)
    error = math.sqrt(of_positives.var(ddof=1) / len(of_positives) + of_negatives.var(ddof=1) / len(of_negatives))
    if error == 0:
        warn_undefined(f"DeLong's formula has variance 0 at this AUC of {value:g}; the interval is a point.")
    half = _two_sided(level) * error
    return Interval(value, max(value - half, 0.0), min(value + half, 1.0))


def delong_test(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    *,
    pos_label: PosLabel = None,
    confidence_level: float = 0.95,
) -> DeLongTest:
    r"""Difference of two areas under the ROC curve on the same rows, by DeLong's formula.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Labels of two classes.
    score_a, score_b : array_like of shape (n_samples,)
        The scores of two models for the same rows; only their order counts.
    pos_label : int, float, bool or str, default=None
        The positive label; None means 1, for labels in {0, 1} or {-1, 1}.
    confidence_level : float, default=0.95
        In (0, 1).

    Returns
    -------
    DeLongTest
        ``auc_a``, ``auc_b``, ``value`` (their difference), ``low``, ``high``, ``p_value``.

    Raises
    ------
    ValueError
        If a class has fewer than two samples, or an argument is invalid.

    Warns
    -----
    UndefinedMetricWarning
        If the variance of the difference is 0. The interval is then a point, and the p-value is 1 for equal areas,
        otherwise nan.

    See Also
    --------
    paired_difference : Values per query or user, which need not be independent rows.

    Notes
    -----
    As in `delong_interval`, with the differences of the placements in place of the placements:

    .. math::
        z = \frac{\mathrm{AUC}_a - \mathrm{AUC}_b}
        {\sqrt{\operatorname{var}(V^a - V^b)/P + \operatorname{var}(W^a - W^b)/N}}

    which is the published formula with its covariances written out. Rows must be independent, and others than those
    that the models were trained on: there the test is wrong for a model that holds the other's features.

    References
    ----------
    DeLong et al. (1988).

    Examples
    --------
    >>> y_true = [0, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> result = delong_test(y_true, [1, 6, 2, 8, 9, 4, 7, 5, 3, 0], [3, 6, 5, 1, 8, 2, 4, 7, 9, 0])
    >>> round(result.value, 2), round(result.p_value, 3)
    (0.2, 0.361)
    """
    positive, first, _ = as_binary(y_true, score_a, "score_a", pos_label, None)
    _, second, _ = as_binary(y_true, score_b, "score_b", pos_label, None)
    level, positive = _level(confidence_level), _of_both_classes(positive)
    auc_a, positives_a, negatives_a = _placements(positive, first)
    auc_b, positives_b, negatives_b = _placements(positive, second)
    value = auc_a - auc_b
    error = math.sqrt(
        (positives_a - positives_b).var(ddof=1) / len(positives_a)
        + (negatives_a - negatives_b).var(ddof=1) / len(negatives_a)
    )
    half = _two_sided(level) * error
    if error:
        p_value = math.erfc(abs(value) / error / math.sqrt(2))
    else:
        warn_undefined("DeLong's formula has variance 0 for this difference; the interval is a point.")
        p_value = math.nan if value else 1.0
    return DeLongTest(auc_a, auc_b, value, max(value - half, -1.0), min(value + half, 1.0), p_value)


def mcnemar_test(y_true: ArrayLike, pred_a: ArrayLike, pred_b: ArrayLike) -> McNemarTest:
    r"""Exact test of two classifiers on the same samples, by those that only one of them has right.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Labels of any number of classes.
    pred_a, pred_b : array_like of shape (n_samples,)
        The labels that either classifier gives.

    Returns
    -------
    McNemarTest
        ``only_a``, ``only_b``, ``p_value``.

    Raises
    ------
    ValueError
        If the labels differ in number or kind, or are none.

    See Also
    --------
    paired_difference : A mean of values that are not right or wrong.

    Notes
    -----
    With :math:`b` samples that only the first has right, :math:`c` that only the second has, :math:`m = \min(b, c)`,

    .. math:: p = \min\Bigl(1,\; 2 \sum_{i=0}^{m} \binom{b+c}{i} 2^{-(b+c)}\Bigr)

    the sign test on the samples where they differ; the others say nothing about the difference. Without any such
    sample p is 1.

    References
    ----------
    McNemar (1947).

    Examples
    --------
    >>> mcnemar_test([1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 1, 0])
    McNemarTest(only_a=4, only_b=1, p_value=0.375)
    """
    truth = as_labels(y_true, "y_true")
    if truth.ndim != 1:
        raise invalid("y_true", "1 dimension", f"shape {truth.shape}")
    right = []
    for values, name in ((pred_a, "pred_a"), (pred_b, "pred_b")):
        labels = as_labels(values, name)
        same_shape(truth, "y_true", labels, name)
        right.append(np.equal(*of_one_kind(truth, "y_true", labels, name)))
    only_a, only_b = (int(np.count_nonzero(one & ~other)) for one, other in (right, right[::-1]))
    return McNemarTest(only_a, only_b, min(1.0, 2 * _half_binomial(min(only_a, only_b), only_a + only_b)))


def wilson_interval(successes: int, n: int, *, confidence_level: float = 0.95) -> Interval:
    r"""Confidence interval of a share by Wilson's formula: accuracy, precision, recall, a rate of clicks.

    Parameters
    ----------
    successes : int
        From 0 to ``n``.
    n : int
        The number of independent trials: samples for accuracy, predicted positives for precision, actual ones for
        recall.
    confidence_level : float, default=0.95
        In (0, 1).

    Returns
    -------
    Interval
        ``value``, the share; ``low`` and ``high``, within [0, 1].

    Raises
    ------
    ValueError
        If ``successes`` or ``n`` is not such an integer, or ``confidence_level`` out of its range.

    See Also
    --------
    bootstrap : F1 and others that are not a share of independent trials.

    Notes
    -----
    With the share :math:`p` and :math:`z = z_{1-\alpha/2}`,

    .. math:: \frac{p + \frac{z^2}{2n} \pm z \sqrt{\frac{p(1-p)}{n} + \frac{z^2}{4n^2}}}{1 + \frac{z^2}{n}}

    The usual :math:`p \pm z\sqrt{p(1-p)/n}` is a point at 0 and at 1 and covers too little near them; this one does not
    collapse.

    References
    ----------
    Wilson (1927).

    Examples
    --------
    >>> result = wilson_interval(10, 10)
    >>> round(result.low, 4), result.high
    (0.7225, 1.0)
    """
    trials = as_count(n, "n")
    whole = isinstance(successes, (int, np.integer)) and not isinstance(successes, bool)
    if not whole or not 0 <= successes <= trials:
        raise invalid("successes", f"an integer from 0 to {trials}", repr(successes))
    z = _two_sided(_level(confidence_level))
    share, more = int(successes) / trials, z * z / trials
    centre = (share + more / 2) / (1 + more)
    half = z * math.sqrt(share * (1 - share) / trials + more / (4 * trials)) / (1 + more)
    low = 0.0 if successes == 0 else max(centre - half, 0.0)
    return Interval(share, low, 1.0 if successes == trials else min(centre + half, 1.0))


# What they share


def _as_rows(values: ArrayLike, name: str) -> NDArray[Any]:
    array = as_array(values, name, "rows")
    if array.ndim == 0:
        raise invalid(name, "an array", "a single value")
    return array


def _level(value: object, name: str = "confidence_level") -> float:
    if isinstance(value, bool) or not fits_float(value) or not 0 < float(value) < 1:
        raise invalid(name, "a number between 0 and 1", repr(value))
    return float(value)


def _generator(rng: object) -> np.random.Generator:
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None:
        return np.random.default_rng()
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0:
        return np.random.default_rng(int(rng))
    raise invalid("rng", "a seed, a numpy.random.Generator or None", repr(rng))


def _normal_quantile(share: float) -> float:
    from statistics import NormalDist  # which takes longer to import than all metrics

    return NormalDist().inv_cdf(share)


def _two_sided(level: float) -> float:
    """The quantile of the normal distribution between whose two signs there is this share."""
    return -_normal_quantile((1 - level) / 2)


def _t_quantile(level: float, degrees: int) -> float:
    """The quantile of Student's t between whose two signs there is this share.

    With t the tangent of an angle times the root of the degrees, the density is a power of the cosine, which is summed
    by Gauss and Legendre; beyond 12 standard deviations there is nothing.
    """
    nodes, weights = np.polynomial.legendre.leggauss(60)

    def share(angle: float) -> float:
        falls = (degrees - 1) / 2 * np.log1p(-(np.sin(angle / 2 * (nodes + 1)) ** 2))
        return float(weights @ np.exp(falls)) * angle / 2

    low, high = 0.0, min(math.pi / 2, 12 / math.sqrt(degrees))
    wanted = level * share(high)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < wanted else (low, middle)
    return math.sqrt(degrees) * math.tan(low)


class _Rows:
    """The rows themselves are drawn."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.sizes = np.ones(n)

    def together(self, column: NDArray[Any]) -> NDArray[Any]:
        return np.ascontiguousarray(column)

    def chosen(self, columns: list[NDArray[Any]], rows: Places) -> list[NDArray[Any]]:
        return [column[rows] for column in columns]

    def drawn(self, generator: np.random.Generator) -> Places:
        return generator.integers(self.n, size=self.n)

    def without_one(self) -> Iterator[tuple[int, Places]]:
        return ((1, np.delete(np.arange(self.n), row)) for row in range(self.n))

    def sums(self, values: Floats) -> Floats:
        return values


class _Groups:
    """Groups are drawn, each with all of its rows, once these lie together."""

    def __init__(self, group_of: Places) -> None:
        self.group_of = group_of
        self.order = np.argsort(self.group_of, kind="stable")
        self.sizes = np.bincount(self.group_of).astype(np.int64)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.n = len(self.sizes)

    def together(self, column: NDArray[Any]) -> NDArray[Any]:
        return column[self.order]

    def chosen(self, columns: list[NDArray[Any]], rows: Places) -> list[NDArray[Any]]:
        return [column[rows] for column in columns]

    def drawn(self, generator: np.random.Generator) -> Places:
        return self._rows(generator.integers(self.n, size=self.n))

    def without_one(self) -> Iterator[tuple[int, Places]]:
        return ((1, self._rows(np.delete(np.arange(self.n), group))) for group in range(self.n))

    def _rows(self, groups: Places) -> Places:
        sizes = self.sizes[groups]
        ends = np.cumsum(sizes)
        first: Places = np.repeat(self.starts[groups] - ends + sizes, sizes)
        found: Places = first + np.arange(ends[-1])
        return found

    def sums(self, values: Floats) -> Floats:
        return np.bincount(self.group_of, weights=values).astype(np.float64, copy=False)


class _Merged:
    """Rows that were merged are drawn, so that each of those that stand for them has another count."""

    def __init__(self, counts: Places) -> None:
        self.counts = counts

    def together(self, column: NDArray[Any]) -> NDArray[Any]:
        return column

    def chosen(self, columns: list[NDArray[Any]], counts: Places) -> list[NDArray[Any]]:
        return [*columns[:-1], counts]

    def drawn(self, generator: np.random.Generator) -> Places:
        n = self.counts.sum()
        return generator.multinomial(n, self.counts / n)

    def without_one(self) -> Iterator[tuple[int, Places]]:
        one = np.identity(len(self.counts), dtype=np.int64)
        return ((int(count), self.counts - one[row]) for row, count in enumerate(self.counts) if count)


def _as_counts(values: ArrayLike, length: int) -> Places:
    """How many rows each row stands for."""
    counts = as_weights(values, length, exact=True)
    assert counts is not None
    if (counts != np.floor(counts)).any() or not 2 <= counts.sum() < 2.0**63:
        raise invalid("sample_weight", "whole numbers of rows, two or more in all", counts)
    return counts.astype(np.int64)


def _weighted(metric: Callable[..., float]) -> Callable[..., float]:
    return lambda *columns: metric(*columns[:-1], sample_weight=columns[-1])


def _units(n: int, groups: ArrayLike | None) -> _Rows | _Groups:
    """What is drawn: of one there is nothing to draw."""
    if groups is None:
        if n < 2:
            raise invalid("arrays", "at least two rows", n)
        return _Rows(n)
    labels = as_keys(groups, "groups")
    if labels.shape != (n,):
        raise invalid("groups", f"{n} of them, one per row", f"shape {labels.shape}")
    units = _Groups(unique_keys(labels, "groups")[1])
    if units.n < 2:
        raise invalid("groups", "at least two different ones", units.n)
    return units


def _number(value: object) -> float:
    if np.ndim(value) or not isinstance(value, (numbers.Real, np.ndarray)):  # type: ignore[arg-type]
        raise invalid("metric", "one that returns one number", f"a value of type {type(value).__name__}")
    return float(value)


def _tails(level: float) -> Floats:
    return np.array([(1 - level) / 2, (1 + level) / 2])


def _ends(distribution: Floats, tails: Floats) -> tuple[float, float]:
    """The quantiles; between a number and infinity nothing can be interpolated, and an end is one of the values."""
    finite = bool(np.isfinite(distribution[[distribution.argmin(), distribution.argmax()]]).all())
    low, high = np.quantile(distribution, tails, method="linear" if finite else "inverted_cdf").tolist()
    return low, high


def _drawn_means(sums: Floats, sizes: NDArray[Any], draws: int, generator: np.random.Generator) -> Floats:
    """The mean of each resample of groups with these sums and sizes, many resamples at a time."""
    n = len(sums)
    at_once = max(1, BLOCK // n)
    means = []
    for done in range(0, draws, at_once):
        drawn = generator.integers(n, size=(min(at_once, draws - done), n))
        rows = n * sizes[0] if (sizes == sizes[0]).all() else sizes[drawn].sum(axis=1)
        means.append(sums[drawn].sum(axis=1) / rows)
    return np.concatenate(means)


def _bca_tails(tails: Floats, value: float, distribution: Floats, without: Floats, times: Places) -> Floats:
    """Which quantiles BCa takes in place of the tails; ``without`` has the metric without one row, so many times."""
    if not np.isfinite(without).all():
        got = without[~np.isfinite(without)][0]
        raise invalid("metric", "one that is finite without any one row or group, for method='bca'", got)
    below = (np.count_nonzero(distribution < value) + np.count_nonzero(distribution <= value)) / 2
    share = below / len(distribution)
    if not 0 < share < 1:
        raise invalid("method", "'percentile' where no resample lies below, or above, the value", "'bca'")
    bias = _normal_quantile(share)
    pulls = np.average(without, weights=times) - without
    spread = (times * pulls**2).sum() ** 1.5
    if spread == 0:
        same = "where the metric is the same whichever row or group is left out, as where all are equal"
        raise invalid("method", f"'percentile' {same}", "'bca'")
    acceleration = (times * pulls**3).sum() / (6 * spread)
    z = _normal_quantile(float(tails[0]))
    shifted = [bias + z, bias - z]
    return np.array([_normal_share(bias + z / (1 - acceleration * z)) for z in shifted])


def _normal_share(z: float) -> float:
    return math.erfc(-z / math.sqrt(2)) / 2


def _sign_flips(sums: Floats, n_resamples: int, generator: np.random.Generator) -> float:
    """The share of signs under which the sums are at least as far from zero together."""
    reached = abs(float(sums.sum())) - 1e-12 * float(np.abs(sums).sum())  # equal sums may differ by rounding
    if len(sums) < 63 and 1 << len(sums) <= n_resamples:
        totals = np.zeros(1)
        for part in sums:
            totals = np.concatenate([totals + part, totals - part])
        return float(np.mean(np.abs(totals) >= reached))
    further, parts = 0, 32
    rows = max(1, parts * BLOCK // len(sums))
    for start in range(0, n_resamples, rows):
        shape = min(rows, n_resamples - start), len(sums)
        kept = generator.integers(0, 2, shape, dtype=np.int8)
        totals = np.concatenate([part.astype(np.float64) @ sums for part in np.array_split(kept, parts)])
        further += int(np.count_nonzero(np.abs(2 * totals - sums.sum()) >= reached))
    return (further + 1) / (n_resamples + 1)


def _of_both_classes(positive: NDArray[np.bool_]) -> NDArray[np.bool_]:
    for count, name in ((int(positive.sum()), "positives"), (int((~positive).sum()), "negatives")):
        if count < 2:
            raise invalid("y_true", f"at least two {name}, as a variance needs two", count)
    return positive


def _placements(positive: NDArray[np.bool_], scores: NDArray[Any]) -> tuple[float, Floats, Floats]:
    """The AUC; the share of negatives that each positive beats; the share of positives that beat each negative."""
    order = np.argsort(scores)
    ordered, won_by = scores[order], positive[order]
    ends = run_ends(ordered)
    of_run = np.zeros(len(scores), dtype=np.int64)
    of_run[ends[:-1] + 1] = 1
    of_run = np.cumsum(of_run)
    twice = np.empty(len(scores), dtype=np.int64)
    for mask in (won_by, ~won_by):  # the other class that is below, twice, and half of what is equal
        others = np.cumsum(~mask, dtype=np.int64)[ends]
        twice[order[mask]] = (others + np.concatenate([[0], others[:-1]]))[of_run[mask]]
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    auc = int(twice[positive].sum()) / (2 * n_positive * n_negative)
    return auc, twice[positive] / (2 * n_negative), 1 - twice[~positive] / (2 * n_positive)


def _half_binomial(most: int, n: int) -> float:
    """The probability of so many heads or fewer in n throws of a fair coin: the last term, and the others over it."""
    if n <= 10_000:
        last = math.comb(n, most) / (1 << n)
    else:  # where the integer takes seconds
        logs = [math.lgamma(k + 1) for k in (n, most, n - most)]
        last = math.exp(logs[0] - logs[1] - logs[2] - n * math.log(2))
    i = np.arange(most, 0, -1, dtype=np.float64)
    return last * (1 + float(np.cumprod(i / (n - i + 1)).sum()))
