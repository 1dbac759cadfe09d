"""Losses and calibration of predicted probabilities: log loss, Brier score, CRPS, calibration curve and error.

`log_loss`, `brier_score_loss` and `expected_calibration_error` take classes in any number, `crps` takes numbers; the
others take two classes and the probability of the positive one.
"""

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    PosLabel,
    Undefined,
    as_binary,
    as_column,
    as_count,
    as_floats,
    as_indicators,
    as_labels,
    as_numbers,
    as_weights,
    check_flag,
    check_undefined,
    distinct,
    equals,
    implies_one,
    invalid,
    of_one_kind,
    one_of,
    same_shape,
    warn_undefined,
)
from metrics_lib._floats import Floats, divide, mean, resolution, row_blocks

__all__ = [
    "CalibrationCurve",
    "brier_score_loss",
    "calibration_curve",
    "crps",
    "expected_calibration_error",
    "log_loss",
    "normalized_cross_entropy",
]

Strategy = Literal["uniform", "quantile"]

_EPS = np.finfo(np.float64).eps


class CalibrationCurve(NamedTuple):
    """The points of a calibration curve; unpacks as ``prob_true, prob_pred``.

    Parameters
    ----------
    prob_true : ndarray of shape (n_points,)
        The share of positives in each bin that is not empty.
    prob_pred : ndarray of shape (n_points,)
        The mean predicted probability in the same bins, rising.
    """

    prob_true: Floats
    prob_pred: Floats


def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    r"""Log loss: the mean surprise, in nats, at what happened; also logistic loss, negative log-likelihood.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_classes)
        Labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_proba : array_like of shape (n_samples,) or (n_samples, n_classes)
        Probabilities of the greater of two labels, or of each label, columns in the order of the sorted labels; then
        the rows sum to 1.
    normalize : bool, default=True
        Return the mean; otherwise the sum.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    labels : array_like of shape (n_classes,), default=None
        All labels, where ``y_true`` may lack one; the columns are in their sorted order, whatever the order here.

    Returns
    -------
    float
        A loss of at least 0; lower is better. Clipped probabilities keep the mean of labels below 36.05.

    Raises
    ------
    ValueError
        If a probability is outside [0, 1], a row does not sum to 1 (within 1.5e-8 for float64, 3.5e-4 for float32), a
        label has no column, fewer than two labels are known, or an argument is otherwise invalid.

    Warns
    -----
    UserWarning
        If ``labels`` are not sorted.
    UndefinedMetricWarning
        If a probability above 0 is so small that clipping raises it.

    See Also
    --------
    metrics_lib.information.cross_entropy : Of two distributions, in bits, infinite where a probability 0 comes true.
    normalized_cross_entropy : The same relative to the loss of the base rate.

    Notes
    -----
    With the probability :math:`p_i` that was given to the label that sample i has,

    .. math:: \mathrm{LogLoss} = - \frac{\sum_i w_i \ln p_i}{\sum_i w_i}

    for two labels :math:`-\frac1n \sum_i \bigl(y_i \ln p_i + (1 - y_i) \ln (1 - p_i)\bigr)`.
    A row of an indicator matrix adds the term of each of its ones.
    A 0 for what happened would cost infinitely much: probabilities are clipped to :math:`[\epsilon, 1 - \epsilon]`
    with the machine epsilon of float64, 2.2e-16, whatever the type in which they came. scikit-learn takes the epsilon
    of that type, 1.2e-7 for float32 and 9.8e-4 for half precision, and raises all smaller probabilities without a
    warning.
    Logarithms are natural; divide by ln 2 for bits. They are taken in float64 whatever the type.
    Arguments, defaults and values are otherwise those of scikit-learn 1.9, which only warns of rows that do not sum
    to 1.

    References
    ----------
    Gneiting and Raftery (2007). Cover and Thomas (2006).

    Examples
    --------
    >>> round(log_loss([1, 0, 0, 1], [0.9, 0.1, 0.2, 0.65]), 6)
    0.216162
    >>> round(log_loss(["spam", "ham"], [[0.1, 0.9], [0.75, 0.25]]), 6)
    0.196521
    >>> round(log_loss([1, 0], [0.0, 0.0]), 6)
    18.021827
    """
    check_flag(normalize, "normalize")
    probs = as_probabilities(y_proba, "y_proba")
    truth = _truth(y_true, probs, labels)
    if truth.ndim == 2 and probs.ndim == 1:
        probs = np.stack([1 - probs.astype(np.float64), probs], axis=1)
    weights = as_weights(sample_weight, len(probs), exact=not normalize)
    raised = False

    def surprise(rows: slice) -> Floats:
        nonlocal raised
        happened = _of_truth(probs[rows], truth[rows])
        if happened.min() < _EPS:
            small = (happened > 0) & (happened < _EPS)
            raised |= bool(np.any(small if weights is None else small[weights[rows] > 0]))
        losses: Floats = -np.log(np.clip(happened, _EPS, 1 - _EPS, out=happened), out=happened)
        return losses if truth.ndim == 1 else (losses * truth[rows]).sum(axis=1)

    total, weight = _sums(surprise, probs.shape, weights)
    if raised:
        warn_undefined(f"log_loss: probabilities above 0 but below {_EPS:.2g} were raised to it")
    return total / weight if normalize else total


def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: PosLabel = None,
    labels: ArrayLike | None = None,
    scale_by_half: bool | Literal["auto"] = "auto",
) -> float:
    r"""Brier score: the mean squared distance of the predicted probabilities from what happened.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_classes)
        Labels (integers, booleans, strings); beside a matrix of probabilities also an indicator matrix of zeros and
        ones.
    y_proba : array_like of shape (n_samples,) or (n_samples, n_classes)
        Probabilities of the positive label, or of each label, columns in the order of the sorted labels; the rows
        then sum to 1.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    pos_label : int, float, bool or str, default=None
        The positive label, where ``y_proba`` has one column. None stands for 1 where the labels are {0, 1} or {-1, 1},
        otherwise for the greater of two numbers; of two strings it must be named.
    labels : array_like of shape (n_classes,), default=None
        All labels, where ``y_proba`` is a matrix and ``y_true`` may lack one; the columns are in their sorted order.
    scale_by_half : bool or 'auto', default='auto'
        Halve the sum over the classes. ``'auto'``: for two classes only.

    Returns
    -------
    float
        A loss in [0, 1], or in [0, 2] where the sum is not halved; lower is better.

    Raises
    ------
    ValueError
        If a probability is outside [0, 1], a row does not sum to 1 (within 1.5e-8 for float64, 3.5e-4 for float32), a
        label has no column, ``pos_label`` is neither of two labels, or an argument is otherwise invalid.

    Warns
    -----
    UserWarning
        If ``labels`` are not sorted.

    Notes
    -----
    .. math::
        \mathrm{BS} = \frac{\sum_i w_i \, (p_i - y_i)^2}{\sum_i w_i}, \qquad
        \mathrm{BS}_\mathrm{sum} = \frac{\sum_i w_i \sum_c (p_{ic} - y_{ic})^2}{\sum_i w_i}

    Brier (1950) wrote the second form, the sum over all classes. For two classes it is twice the first,
    which weather services, scikit-learn and most papers mean; for more classes ``'auto'`` takes the sum.
    A constant forecast of one half scores 1/4, and one of the base rate :math:`q` scores :math:`q (1 - q)`.
    Arguments, defaults and values are those of scikit-learn 1.9, which only warns of rows that do not sum to 1 and
    takes a ``pos_label`` that does not occur.

    References
    ----------
    Brier (1950). Gneiting and Raftery (2007).

    Examples
    --------
    >>> brier_score_loss([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.5])
    0.109375
    >>> brier_score_loss([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.5], scale_by_half=False)
    0.21875
    >>> brier_score_loss(["no", "yes"], [0.25, 0.5], pos_label="yes")
    0.15625
    """
    one_of(scale_by_half, "scale_by_half", (True, False, "auto"))
    probs = as_probabilities(y_proba, "y_proba")
    if probs.ndim == 1:
        if labels is not None:
            as_labels(labels, "labels")
        positive, probs, weights = binary_forecast(y_true, probs, "y_proba", pos_label, sample_weight, greater=True)

        def squared(rows: slice) -> Floats:
            apart: Floats = np.subtract(probs[rows], positive[rows], dtype=np.float64)
            return np.square(apart, out=apart)

        total, weight = _sums(squared, probs.shape, weights)
        return total / weight * (2 if scale_by_half is False else 1)
    truth = _truth(y_true, probs, labels)
    weights = as_weights(sample_weight, len(probs))

    def distance(rows: slice) -> Floats:
        apart = probs[rows].astype(np.float64)
        if truth.ndim == 2:
            apart -= truth[rows]
        else:
            apart[np.arange(len(apart)), truth[rows].astype(np.intp, copy=False)] -= 1
        squares: Floats = np.vecdot(apart, apart)
        return squares

    total, weight = _sums(distance, probs.shape, weights)
    halved = probs.shape[1] == 2 if scale_by_half == "auto" else scale_by_half
    return total / weight / (2 if halved else 1)


def calibration_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: PosLabel = None,
    n_bins: int = 5,
    strategy: Strategy = "uniform",
) -> CalibrationCurve:
    r"""The points of a reliability diagram: in each bin the share of positives and the mean predicted probability.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Two-class labels: {0, 1}, {-1, 1}, booleans; any two labels, also strings, with ``pos_label``.
    y_prob : array_like of shape (n_samples,)
        Probabilities of the positive class.
    pos_label : int, float, bool or str, default=None
        The label that counts as positive. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    n_bins : int, default=5
        The number of bins; empty ones give no point.
    strategy : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width from 0 to 1, or between quantiles of ``y_prob``, of about equal size.

    Returns
    -------
    CalibrationCurve
        ``prob_true`` and the rising ``prob_pred``, both in [0, 1], for each bin that is not empty.

    Raises
    ------
    ValueError
        If a probability is outside [0, 1], there are more than two labels, ``pos_label`` is needed and not given or is
        neither of them, or an argument is otherwise invalid.

    See Also
    --------
    expected_calibration_error : The mean distance of the points from the diagonal.
    metrics_lib.plot.reliability_diagram : The curve as a picture.

    Notes
    -----
    For the :math:`n_b` samples of bin b

    .. math::
        \bar y_b = \frac{1}{n_b} \sum_{i \in b} y_i, \qquad \bar p_b = \frac{1}{n_b} \sum_{i \in b} p_i

    A bin holds its upper edge but not its lower one; the first one holds both.
    Where forecasts are tied, quantiles coincide and the bins between them are empty.
    Arguments, defaults and values are those of scikit-learn 1.9, which takes a ``pos_label`` that does not occur.

    References
    ----------
    Niculescu-Mizil and Caruana (2005).

    Examples
    --------
    >>> prob_true, prob_pred = calibration_curve([0, 0, 1, 1, 1], [0.1, 0.3, 0.4, 0.8, 0.9], n_bins=2)
    >>> prob_true.round(4), prob_pred.round(4)
    (array([0.3333, 1.    ]), array([0.2667, 0.85  ]))
    """
    probs = as_probabilities(y_prob, "y_prob")
    positive, probs, _ = binary_forecast(y_true, probs, "y_prob", pos_label, None)
    bins = binned(positive, probs, None, n_bins, strategy)
    return CalibrationCurve(bins.positive / bins.weight, bins.prob / bins.weight)


def expected_calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    r"""Expected calibration error (ECE): how far, on average, a forecast is from how often it comes true in its bin.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_classes)
        With a vector of probabilities two-class labels: {0, 1}, {-1, 1}, booleans; any two labels, also strings, with
        ``pos_label``. With a matrix any labels, or an indicator matrix with a single 1 in each row.
    y_prob : array_like of shape (n_samples,) or (n_samples, n_classes)
        Probabilities of the positive class; or of each class, columns in the order of the sorted labels, rows that sum
        to 1, of which the largest in each row is the forecast (see Notes).
    n_bins : int, default=10
        The number of bins.
    strategy : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width from 0 to 1, or between quantiles of the forecasts, of about equal size.
    pos_label : int, float, bool or str, default=None
        The label that counts as positive, beside a vector. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero. They enter means and shares; the edges of quantile bins are those of the
        samples that have any weight, each counted once.
    labels : array_like of shape (n_classes,), default=None
        All labels, beside a matrix, where ``y_true`` may lack one; the columns are in their sorted order.

    Returns
    -------
    float
        The error in [0, 1]; lower is better.

    Raises
    ------
    ValueError
        If a probability is outside [0, 1], a row does not sum to 1, a label has no column, a vector comes with more
        than two labels, ``pos_label`` is needed and not given or is neither of them, or an argument is otherwise
        invalid.

    Warns
    -----
    UserWarning
        If ``labels`` are not sorted.

    See Also
    --------
    calibration_curve : The points that it averages, by default from 5 bins.

    Notes
    -----
    With the share :math:`\bar y_b` of forecasts that came true and their mean :math:`\bar p_b`, over the :math:`n_b`
    samples of bin b,

    .. math:: \mathrm{ECE} = \sum_b \frac{n_b}{n} \, |\bar y_b - \bar p_b|

    A vector holds the probability of the positive class, as in Naeini et al. (2015), and comes true if the sample is
    positive. Of a matrix only the largest probability of each row counts, the *confidence*, which comes true if the
    sample has that class: the top-label error of Guo et al. (2017), who take 15 bins.
    For two classes they differ: two columns give confidences of at least one half, and forecasts of 0.1 and of 0.9 for
    the positive class share a bin. If several classes of a row have the largest probability, the first of the sorted
    labels is the forecast, as in netcal and scikit-learn's ``predict``.

    netcal treats a vector and a matrix in the same way, with 10 bins by default; torchmetrics has 15 and names the two
    ``binary_calibration_error`` and ``multiclass_calibration_error``. A forecast on the edge of two bins belongs to the
    lower one here, as in scikit-learn's curve; netcal puts it into the upper one and so gets another number where
    forecasts are rounded.

    The number depends on the bins: within one, errors of opposite sign cancel. One bin leaves the
    difference of the mean forecast and the share that came true, and merging bins never raises it.
    It is not a proper score: the base rate, forecast for every sample, has error 0. The top-label error does not see
    the probabilities of the other classes.

    References
    ----------
    Naeini et al. (2015). Guo et al. (2017).

    Examples
    --------
    >>> y_true, y_prob = [0, 0, 1, 1, 1, 0], [0.25, 0.25, 0.25, 0.75, 0.75, 0.75]
    >>> round(expected_calibration_error(y_true, y_prob), 6)
    0.083333
    >>> expected_calibration_error(y_true, y_prob, n_bins=1)
    0.0
    >>> rows = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [0.0, 0.25, 0.75]]
    >>> round(expected_calibration_error(["a", "b", "c"], rows), 6)
    0.083333
    """
    probs = as_probabilities(y_prob, "y_prob")
    if probs.ndim == 1:
        if labels is not None:
            raise invalid("labels", "None beside the probabilities of one class", "labels")
        came_true, probs, weights = binary_forecast(y_true, probs, "y_prob", pos_label, sample_weight)
    else:
        if pos_label is not None:
            raise invalid("pos_label", "None beside the probabilities of all classes", repr(pos_label))
        truth = _truth(y_true, probs, labels, "y_prob")
        if truth.ndim == 2:
            raise invalid("y_true", "an indicator matrix with a single 1 in each row", "another number of them")
        came_true, weights = probs.argmax(axis=1) == truth, as_weights(sample_weight, len(truth))
        probs = probs.max(axis=1)
    bins = binned(came_true, probs, weights, n_bins, strategy)
    return float(np.abs(bins.positive - bins.prob).sum() / bins.weight.sum())


def crps(
    y_true: ArrayLike,
    values: ArrayLike,
    probabilities: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    fair: bool = False,
) -> float:
    r"""Continuous ranked probability score (CRPS) of forecasts that consist of values with probabilities.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        The numbers that were observed.
    values : array_like of shape (n_samples, n_values) or (1, n_values)
        The values of each forecast, in any order: an ensemble, draws from a posterior, quantiles, the points of a grid.
        One row serves all samples.
    probabilities : array_like of shape (n_samples, n_values) or (1, n_values), default=None
        The probability of each value; rows sum to 1. None stands for equal ones, as an ensemble has them.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    fair : bool, default=False
        Estimate the score of the distribution from which an ensemble of equally likely values was drawn (see Notes);
        it needs two values or more, and no ``probabilities``.

    Returns
    -------
    float
        The mean over the samples, in [0, inf) in the unit of the target; lower is better. The score of one of them is
        ``crps([y], [values])``.

    Raises
    ------
    ValueError
        If ``values`` are not one forecast a row, a probability is outside [0, 1], a row of them does not sum to 1
        (within 1.5e-8 for float64, 3.5e-4 for float32), a distance leaves the range of float64, ``fair`` is given
        probabilities or a single value, or an argument is otherwise invalid.

    See Also
    --------
    brier_score_loss : The score of the event that y is at most x; CRPS is its integral over all x.
    metrics_lib.regression.mean_pinball_loss : The score of a single quantile.
    metrics_lib.regression.mean_absolute_error : The score of a forecast that is a single value.

    Notes
    -----
    With the distribution function F of the forecast and independent draws X and X' from it,

    .. math:: \mathrm{CRPS}(F, y) = \int_{-\infty}^{\infty} \bigl(F(x) - \mathbb 1[y \le x]\bigr)^2 \, dx
              = \mathrm E|X - y| - \tfrac12 \mathrm E|X - X'|

    The integral is taken exactly, over the steps of F, after sorting. It is a proper score: in expectation no forecast
    beats the true distribution. For a forecast of a single value it is the absolute error.

    For m equally likely values :math:`x_1 \le \dots \le x_m` it is twice the mean pinball loss of :math:`x_k` as a
    quantile of order :math:`(k - \frac12) / m`. So a set of quantiles is scored by passing them as values, with equal
    probabilities if their orders are these.

    An ensemble of few members is a coarse picture of the distribution it was drawn from, and CRPS counts that as an
    error. With ``fair=True`` only pairs of different members enter the second expectation, whose divisor becomes
    :math:`m (m - 1)`; then ensembles of different size can be compared (Ferro, 2014). For an ensemble of two values the
    estimate is 0 wherever y lies between them.

    properscoring has ``crps_ensemble(observations, forecasts, weights)``, and scoringrules ``crps_ensemble(obs, fct)``,
    whose ``estimator="fair"`` is this ``fair``. Both return one value for each observation. properscoring drops
    missing members and divides weights by their sum; here rows that do not sum to 1 are refused.

    References
    ----------
    Gneiting and Raftery (2007). Matheson and Winkler (1976). Ferro (2014).

    Examples
    --------
    An ensemble, values with probabilities, and single values, whose score is the mean absolute error:

    >>> crps([2], [[1, 2, 4, 5]])
    0.625
    >>> crps([2], [[1, 2, 5]], [[0.25, 0.5, 0.25]])
    0.25
    >>> crps([2, 4], [[5], [5]])
    2.0
    """
    check_flag(fair, "fair")
    true = as_floats(as_column(as_numbers(y_true, "y_true")), "y_true", ndim=1)
    members = _forecasts(values, "values", len(true))
    if fair and (probabilities is not None or members.shape[1] < 2):
        got = f"shape {members.shape}" if probabilities is None else "probabilities"
        raise invalid("values", "two equally likely values or more for fair=True", got)
    shares = None
    if probabilities is not None:
        given = as_numbers(probabilities, "probabilities", ndim=2)
        _check_probabilities(given, "probabilities")
        shares = _forecasts(given, "probabilities", len(true))
        same_shape(members, "values", shares, "probabilities")
    weights = as_weights(sample_weight, len(true))

    @np.errstate(over="ignore", invalid="ignore")
    def scores(rows: slice) -> Floats:
        y, x = true[rows, None], members[rows]
        if shares is None:
            x = np.sort(x, axis=1)
            reached = np.arange(1, x.shape[1] + 1) / x.shape[1]
        else:
            order = x.argsort(axis=1)
            x = np.take_along_axis(x, order, axis=1)
            reached = np.take_along_axis(shares[rows], order, axis=1).cumsum(axis=1)
        # F is 0 left of all values, and the integrand is F² left of y and (1 - F)² right of it.
        left = np.diff(np.minimum(x, y), append=y) * reached**2
        right = np.diff(np.maximum(x, y), prepend=y)
        right[:, 1:] *= (1 - reached[..., :-1]) ** 2
        losses: Floats = left.sum(axis=1) + right.sum(axis=1)
        if fair:
            spread = np.diff(x) * (reached * (1 - reached))[:-1]
            losses = np.maximum(losses - spread.sum(axis=1) / (x.shape[1] - 1), 0)  # but for rounding never negative
        if not np.isfinite(losses).all():
            raise invalid("values", "distances that float64 can hold", "an overflow")
        return losses

    several = (len(true), 4 * members.shape[1])  # temporaries of this size are alive together
    total, weight = _sums(scores, several, weights)
    return total / weight


def normalized_cross_entropy(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    undefined: Undefined = np.nan,
) -> float:
    r"""Normalised cross-entropy (NCE, NE): the log loss over that of always forecasting the base rate.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Two-class labels: {0, 1}, {-1, 1}, booleans (1 is a click); any two labels, also strings, with ``pos_label``.
    y_prob : array_like of shape (n_samples,)
        Probabilities of the positive class.
    pos_label : int, float, bool or str, default=None
        The label that counts as positive. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero; the base rate takes them as well.
    undefined : float or 'raise', default=nan
        The value where one class has all the weight.

    Returns
    -------
    float
        A value of at least 0; 1 for the base rate, lower is better.

    Raises
    ------
    ValueError
        If a probability is outside [0, 1], there are more than two labels, ``pos_label`` is needed and not given or is
        neither of them, the value is undefined and ``undefined='raise'``, or an argument is otherwise invalid.

    See Also
    --------
    log_loss : Its numerator, clipped probabilities included.

    Notes
    -----
    With the base rate :math:`q = \sum_i w_i y_i / \sum_i w_i`

    .. math::
        \mathrm{NCE} = \frac{\mathrm{LogLoss}}{-q \ln q - (1 - q) \ln (1 - q)}

    The denominator is the entropy of the base rate, so the base of the logarithm cancels, and values from data with
    different base rates can be compared. He et al. (2014) use it for clicks; one minus it is the share of the entropy
    that the forecast explains (RIG, McFadden's pseudo R squared).
    The base rate is that of the data themselves, the best constant in hindsight.

    References
    ----------
    He et al. (2014).

    Examples
    --------
    >>> normalized_cross_entropy([0, 0, 0, 1], [0.25, 0.25, 0.25, 0.25])
    1.0
    >>> round(normalized_cross_entropy([0, 0, 0, 1], [0.1, 0.2, 0.2, 0.7]), 6)
    0.403817
    """
    check_undefined(undefined)
    probs = as_probabilities(y_prob, "y_prob")
    positive, probs, weights = binary_forecast(y_true, probs, "y_prob", pos_label, sample_weight)
    shares = [mean(members, weights) for members in (positive, ~positive)]
    entropy = -sum(share * math.log(share) for share in shares if share > 0)
    loss = log_loss(positive, probs, sample_weight=weights, labels=[False, True])
    why = "normalized_cross_entropy is undefined: y_true holds one class only"
    return float(divide(loss, entropy, undefined=undefined, why=why))


# ---- what was passed ----------------------------------------------------------------------------------------


def as_probabilities(values: ArrayLike, name: str) -> NDArray[Any]:
    """Probabilities of one class, or of all classes in rows that sum to one."""
    probs = as_column(as_numbers(values, name, finite=False))
    if probs.ndim > 2:
        raise invalid(name, "one or two dimensions", f"shape {probs.shape}")
    _check_probabilities(probs, name)
    return probs


def _check_probabilities(probs: NDArray[Any], name: str) -> None:
    """Refuse what is outside of [0, 1], and in a matrix rows that do not sum to one."""
    for extreme in (probs.min(), probs.max()):
        if not 0 <= extreme <= 1:
            as_numbers(probs, name)  # says that it is no finite number, where it is none
            raise invalid(name, "probabilities from 0 to 1", extreme)
    if probs.ndim == 2:
        tolerance = math.sqrt(resolution(probs.dtype))
        sums = np.concatenate([probs[rows].sum(axis=1, dtype=np.float64) for rows in row_blocks(probs.shape)])
        row = int(np.argmax(np.abs(sums - 1)))
        if abs(sums[row] - 1) > tolerance:
            raise invalid(name, f"rows that sum to 1 (within {tolerance:.2g})", f"a sum of {sums[row]} in row {row}")


def _forecasts(values: ArrayLike, name: str, n_samples: int) -> Floats:
    """One row for each sample; a single one serves them all."""
    rows = as_floats(values, name)
    if rows.ndim != 2 or len(rows) not in (1, n_samples):
        expected = f"{n_samples} rows, one per value of y_true, or a single row for all of them"
        raise invalid(name, expected, f"shape {rows.shape}")
    return np.broadcast_to(rows, (n_samples, rows.shape[1]))


def _truth(y_true: ArrayLike, probs: NDArray[Any], labels: ArrayLike | None, name: str = "y_proba") -> NDArray[Any]:
    """The place of each sample's label among the sorted labels; of two, whether it is the greater one.

    Of an indicator matrix the place of the 1 in each row, or the matrix where there is not one in each.
    """
    truth = as_labels(y_true, "y_true")
    n_columns = 2 if probs.ndim == 1 else probs.shape[1]
    if len(truth) != len(probs):
        raise invalid(name, f"{len(truth)} rows, one per label of y_true", len(probs))
    if truth.ndim == 2:
        return _of_indicators(truth, n_columns, labels, name)
    present = distinct(truth)
    classes = present
    if labels is not None:
        given = as_labels(labels, "labels")
        present, given = of_one_kind(present, "y_true", given, "labels")
        classes = np.unique(given)
        if not np.array_equal(given, classes):
            message = f"labels: the columns of {name} are taken in the sorted order {classes.tolist()}, not as given"
            warn(message, UserWarning, stacklevel=3)
        nearest = classes[np.minimum(np.searchsorted(classes, present), len(classes) - 1)]
        if (nearest != present).any():
            missing = present[nearest != present][:5].tolist()
            raise invalid("labels", "all labels of y_true", f"{classes.tolist()} without {missing}")
    if len(classes) < 2:
        raise invalid(
            "y_true" if labels is None else "labels", "two labels or more, or all of them by labels=", classes
        )
    if len(classes) != n_columns:
        shown = f"{len(classes)} labels {classes[:10].tolist()}"
        raise invalid(name, f"a column for each of the {shown}", f"{n_columns} columns")
    return equals(truth, classes[1]) if len(classes) == 2 else np.searchsorted(classes, truth)


def _of_indicators(truth: NDArray[Any], n_columns: int, labels: ArrayLike | None, name: str) -> NDArray[Any]:
    indicators = as_indicators(truth, "y_true")
    if labels is not None:
        raise invalid("labels", "None beside an indicator matrix", "labels")
    if truth.shape[1] != n_columns:
        raise invalid(name, f"a column for each of the {truth.shape[1]} columns of y_true", f"{n_columns} columns")
    if (indicators.sum(axis=1) != 1).any():
        return indicators
    columns: NDArray[Any] = indicators.argmax(axis=1)
    return columns


def binary_forecast(
    y_true: ArrayLike,
    probs: NDArray[Any],
    name: str,
    pos_label: PosLabel,
    sample_weight: ArrayLike | None,
    *,
    greater: bool = False,
) -> tuple[NDArray[np.bool_], NDArray[Any], Floats | None]:
    """Which samples are positive, their probabilities and weights; ``greater``: of two numbers, unless one is named."""
    labels = as_labels(y_true, "y_true")
    present = distinct(labels)
    if len(present) > 2:
        raise invalid("y_true", "two classes", f"{len(present)} classes")
    if greater and pos_label is None and present.dtype.kind in "biu" and not implies_one(present):
        pos_label = present[-1].item()
    positive, probs, weights = as_binary(labels, probs, name, pos_label, sample_weight)
    return positive, probs, weights


# ---- sums over the samples, and over bins ----------------------------------------------------------------------


def _of_truth(probs: NDArray[Any], truth: NDArray[Any]) -> Floats:
    """The probability that was given to the label that each sample has; of several a row, 1 for those it has not."""
    if probs.ndim == 1:
        away: Floats = np.subtract(probs, ~truth, dtype=np.float64)  # p or p - 1, without a branch for each sample
        return np.abs(away, out=away)
    probs = probs.astype(np.float64, copy=False)
    if truth.ndim == 2:
        return np.where(truth, probs, 1.0)
    happened: Floats = probs[np.arange(len(probs)), truth.astype(np.intp, copy=False)]
    return happened


def _sums(loss: Callable[[slice], Floats], shape: tuple[int, ...], weights: NDArray[Any] | None) -> tuple[float, float]:
    """The sum of the losses and that of the weights, in blocks of rows that fit the cache."""
    total = weight = 0.0
    for rows in row_blocks(shape):
        losses = loss(rows)
        with np.errstate(over="ignore"):  # and no product of BLAS, which would wake threads for each block
            total += float((losses if weights is None else weights[rows] * losses).sum())
        weight += len(losses) if weights is None else float(weights[rows].sum())
    if not math.isfinite(total):
        raise invalid("sample_weight", "weights whose loss float64 can hold", total)
    return total, weight


class Bins(NamedTuple):
    """The sums of the bins that are not empty: weights, weights of the positives, weighted probabilities."""

    weight: NDArray[Any]
    positive: NDArray[Any]
    prob: NDArray[Any]


def binned(
    positive: NDArray[np.bool_], probs: NDArray[Any], weights: Floats | None, n_bins: int, strategy: Strategy
) -> Bins:
    """The sums of each bin; a probability on an edge belongs to the lower bin."""
    n_bins = as_count(n_bins, "n_bins")
    one_of(strategy, "strategy", ("uniform", "quantile"))
    if weights is not None:
        rows = weights > 0
        positive, probs, weights = positive[rows], probs[rows], weights[rows]
    probs = probs if probs.dtype.kind == "f" else probs.astype(np.float64)
    edges = np.linspace(0, 1, n_bins + 1)
    if strategy == "quantile":
        edges = np.percentile(probs, edges * 100)
    place = np.searchsorted(edges[1:-1], probs)
    share = np.ones(len(probs)) if weights is None else weights
    values = (share, share * positive, share * probs.astype(np.float64, copy=False))
    filled = np.bincount(place, minlength=n_bins) > 0
    return Bins(*(np.bincount(place, each, n_bins)[filled] for each in values))
