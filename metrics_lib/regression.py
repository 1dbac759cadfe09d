"""Regression errors: how far predicted numbers lie from true ones.

Names, argument order, accepted inputs and values follow scikit-learn; errors are fractions, not percentages.
The symmetric, the weighted and the scaled error, which scikit-learn lacks, take the same arguments.

Finiteness is not tested in a pass of its own: NaN and infinity survive every sum taken here, so the inputs are
examined only where a sum is not finite.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypedDict, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    Undefined,
    as_column,
    as_count,
    as_floats,
    as_numbers,
    as_weights,
    check_flag,
    check_undefined,
    invalid,
    one_of,
    same_shape,
    warn_undefined,
)
from metrics_lib._floats import Result, divide, row_blocks

__all__ = [
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_absolute_scaled_error",
    "mean_pinball_loss",
    "mean_squared_error",
    "mean_squared_log_error",
    "median_absolute_error",
    "r2_score",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
    "symmetric_mean_absolute_percentage_error",
    "weighted_mean_absolute_percentage_error",
]

Numbers = NDArray[Any]
Array = NDArray[np.float64]
Weights = Array | None
Shares = Sequence[float] | NDArray[Any]
MultiOutput = Literal["raw_values", "uniform_average"] | Shares
R2MultiOutput = Literal["raw_values", "uniform_average", "variance_weighted"] | Shares | None
BlockSum = Callable[[Numbers, Numbers, Weights], Any]


class OfOutputs(Protocol):
    """An error of one output or several, for type checkers: a float unless each output keeps its own."""

    @overload
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        multioutput: Literal["uniform_average"] | Shares = "uniform_average",
    ) -> float: ...
    @overload
    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        multioutput: Literal["raw_values"],
    ) -> Array: ...


def of_outputs(metric: Callable[..., Result]) -> OfOutputs:
    return cast(OfOutputs, metric)


_DOT = 1 << 12
_EPS = float(np.finfo(np.float64).eps)
_SMALLEST = 5e-324
_UNSAFE = 1e-290  # a sum below it may hold squares near 2e-308, where float64 begins to lose digits


class _WmapeOptions(TypedDict, total=False):
    """What `weighted_mean_absolute_percentage_error` takes beside ``multioutput``, for its overloads."""

    sample_weight: ArrayLike | None
    undefined: Undefined


class _MaseOptions(_WmapeOptions, total=False):
    """What `mean_absolute_scaled_error` takes beside ``y_train`` and ``multioutput``."""

    seasonality: int


class _PinballOptions(TypedDict, total=False):
    """What `mean_pinball_loss` takes beside ``multioutput``."""

    sample_weight: ArrayLike | None
    alpha: float


class _R2Options(TypedDict, total=False):
    """What `r2_score` takes beside ``multioutput``."""

    sample_weight: ArrayLike | None
    force_finite: bool


@of_outputs
def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Mean of the squared errors (MSE).

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf) in the squared unit of the target, lower is better; an array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or the squares leave the range of float64.

    See Also
    --------
    root_mean_squared_error : The same in the unit of the target.
    mean_absolute_error : Less sensitive to outliers.

    Notes
    -----
    .. math:: \mathrm{MSE} = \frac{\sum_i w_i (y_i - \hat y_i)^2}{\sum_i w_i}

    Sums are taken in float64 whatever the type of the input.

    References
    ----------
    Hyndman and Koehler (2006). Pedregosa et al. (2011).

    Examples
    --------
    >>> mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.375
    >>> mean_squared_error([[1, 1], [2, 5]], [[1, 2], [4, 5]], multioutput="raw_values")
    array([2. , 0.5])
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    return _over_outputs(_mean(_squared, y_true, y_pred, weights), outputs)


@of_outputs
def root_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Square root of the mean of the squared errors (RMSE).

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf) in the unit of the target, lower is better; an array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or the squares leave the range of float64: beyond it, or so small that they vanish.

    See Also
    --------
    mean_squared_error : Without the root.

    Notes
    -----
    .. math:: \mathrm{RMSE} = \sqrt{\frac{\sum_i w_i (y_i - \hat y_i)^2}{\sum_i w_i}}

    With several outputs the root is taken of each output's error, then the roots are averaged (as scikit-learn does).

    References
    ----------
    Hyndman and Koehler (2006). Pedregosa et al. (2011).

    Examples
    --------
    >>> root_mean_squared_error([0, 0], [3, 4])
    3.5355339059327378
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    errors = _mean(_squared, y_true, y_pred, weights)
    _refuse_vanished(errors, y_true, y_pred, weights)
    return _over_outputs(np.sqrt(errors), outputs)


@of_outputs
def mean_squared_log_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Mean of the squared differences of the logarithms of one plus target and one plus prediction (MSLE).

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets, greater than -1; usually counts or amounts of at least 0.
    y_pred : array_like of the same shape
        Predicted targets, greater than -1.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf), lower is better; they have no unit. An array for 'raw_values'.

    Raises
    ------
    ValueError
        If a target or a prediction is -1 or less, or an argument is otherwise invalid.

    See Also
    --------
    root_mean_squared_log_error : Its square root.
    mean_squared_error : The same without logarithms.

    Notes
    -----
    .. math:: \mathrm{MSLE} = \frac{\sum_i w_i \bigl(\ln(1 + y_i) - \ln(1 + \hat y_i)\bigr)^2}{\sum_i w_i}

    It compares ratios: twice the target costs about as much as half of it, whatever the size of the target, and an
    error of the same absolute size costs less for a large target. The 1 lets targets be 0. Of all constants
    :math:`c`, the one for which :math:`\ln(1 + c)` is the mean of :math:`\ln(1 + y_i)` has the least error, and it
    lies below the mean of the targets.
    Logarithms are taken in float64 whatever the type of the input; scikit-learn keeps single precision.

    References
    ----------
    Pedregosa et al. (2011).

    Examples
    --------
    >>> round(mean_squared_log_error([0, 3, 7], [1, 3, 3]), 6)
    0.320302
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    return _over_outputs(_mean(_squared_logs, y_true, y_pred, weights), outputs)


@of_outputs
def root_mean_squared_log_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Square root of the mean squared logarithmic error (RMSLE).

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets, greater than -1; usually counts or amounts of at least 0.
    y_pred : array_like of the same shape
        Predicted targets, greater than -1.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf), lower is better; a value of 0.1 means errors of about 10% of one plus the target. An array
        for 'raw_values'.

    Raises
    ------
    ValueError
        If a target or a prediction is -1 or less, or an argument is otherwise invalid.

    See Also
    --------
    mean_squared_log_error : Without the root.

    Notes
    -----
    .. math:: \mathrm{RMSLE} = \sqrt{\frac{\sum_i w_i \bigl(\ln(1 + y_i) - \ln(1 + \hat y_i)\bigr)^2}{\sum_i w_i}}

    With several outputs the root is taken of each output's error, then the roots are averaged (as scikit-learn does).

    References
    ----------
    Pedregosa et al. (2011).

    Examples
    --------
    >>> round(root_mean_squared_log_error([0, 3, 7], [1, 3, 3]), 6)
    0.565952
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    return _over_outputs(np.sqrt(_mean(_squared_logs, y_true, y_pred, weights)), outputs)


@of_outputs
def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Mean of the absolute errors (MAE).

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf) in the unit of the target, lower is better; an array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or the sum of the errors leaves the range of float64.

    See Also
    --------
    mean_squared_error : Weighs large errors more.
    median_absolute_error : Does not see them.
    mean_absolute_scaled_error : The same relative to a naive forecast.

    Notes
    -----
    .. math:: \mathrm{MAE} = \frac{\sum_i w_i |y_i - \hat y_i|}{\sum_i w_i}


    References
    ----------
    Hyndman and Koehler (2006). Pedregosa et al. (2011).

    Examples
    --------
    >>> mean_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    return _over_outputs(_mean(_absolute, y_true, y_pred, weights), outputs)


@of_outputs
def median_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: MultiOutput = "uniform_average",
    sample_weight: ArrayLike | None = None,
) -> Result:
    r"""Median of the absolute errors.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf) in the unit of the target, lower is better; an array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or an error leaves the range of float64.

    See Also
    --------
    mean_absolute_error : The mean, in which large errors count.

    Notes
    -----
    .. math:: \mathrm{MedAE} = \operatorname{median}_i |y_i - \hat y_i|

    Errors in the larger half may be as large as they like and do not change it, so it does not see the outliers that
    a mean is dominated by.
    With weights, the median is the error at which the sorted weights reach half of their sum. Where they reach exactly
    half, up to the rounding of their sums, it is the mean of that error and the next one, as it is for an even number
    of equal weights; an error of weight 0 is none of them. That is scikit-learn's rule since version 1.8, which
    however takes sums for equal if they differ by at most 2.2e-16, whatever the size of the weights.

    References
    ----------
    Pedregosa et al. (2011).

    Examples
    --------
    >>> median_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 9])
    0.5
    >>> median_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 9], sample_weight=[1, 1, 1, 3])
    1.25
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    return _over_outputs(_median_error(y_true, y_pred, weights), outputs)


@overload
def mean_pinball_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: Literal["uniform_average"] | Shares = "uniform_average",
    **options: Unpack[_PinballOptions],
) -> float: ...
@overload
def mean_pinball_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Literal["raw_values"], **options: Unpack[_PinballOptions]
) -> Array: ...
def mean_pinball_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    alpha: float = 0.5,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Mean pinball loss (quantile loss): a forecast that is too low costs ``alpha``, one too high ``1 - alpha``.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets, quantiles of order ``alpha``.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    alpha : float, default=0.5
        The order of the quantile that is predicted, from 0 to 1.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one loss an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf) in the unit of the target, lower is better; an array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or the sum of the losses leaves the range of float64.

    See Also
    --------
    mean_absolute_error : Twice the loss of the median, ``alpha=0.5``.

    Notes
    -----
    .. math:: L_\alpha = \frac{\sum_i w_i \max(\alpha (y_i - \hat y_i), (\alpha - 1) (y_i - \hat y_i))}{\sum_i w_i}

    Of all constants a quantile of order :math:`\alpha` of the targets has the least loss. With :math:`\alpha = 0.9` a
    forecast that is too low costs nine times as much as one that is as much too high.

    References
    ----------
    Koenker and Bassett (1978). Pedregosa et al. (2011).

    Examples
    --------
    >>> mean_pinball_loss([1, 2, 3], [0, 2, 3], alpha=0.75)
    0.25
    >>> mean_pinball_loss([1, 2, 3], [1, 2, 4], alpha=0.75)
    0.08333333333333333
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    order = float(as_floats(alpha, "alpha", ndim=0, min_ndim=0))
    if isinstance(alpha, bool) or not 0 <= order <= 1:
        raise invalid("alpha", "a number from 0 to 1", repr(alpha))

    def losses(true: Numbers, pred: Numbers, weights: Weights) -> Any:
        errors = _difference(true, pred)
        too_high = errors * (order - 1)
        errors *= order
        return _sum(np.maximum(errors, too_high, out=errors), weights)

    return _over_outputs(_mean(losses, y_true, y_pred, weights), outputs)


@of_outputs
def mean_absolute_percentage_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Mean of the absolute errors relative to the true target (MAPE), as a fraction.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets, none of them 0.
    y_pred : array_like of the same shape
        Predicted targets.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf), lower is better; 0.5 stands for 50 percent. An array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or the sum of the terms leaves the range of float64.

    Warns
    -----
    UndefinedMetricWarning
        If a target of positive weight is 0, or so close to 0 that the convention below changes its term.

    See Also
    --------
    symmetric_mean_absolute_percentage_error, weighted_mean_absolute_percentage_error

    Notes
    -----
    .. math:: \mathrm{MAPE} = \frac{1}{\sum_i w_i} \sum_i w_i \left| \frac{y_i - \hat y_i}{y_i} \right|

    A target of 0 leaves it undefined. As scikit-learn does, targets smaller than
    :math:`\varepsilon = 2^{-52}` in absolute value are then divided by :math:`\varepsilon`, which gives a huge
    number unless the prediction is exact. Other tools differ: torchmetrics divides by :math:`1.17 \cdot 10^{-6}`, and
    river counts the term as 0. scikit-learn and this library return fractions; many papers print percentages.

    References
    ----------
    Hyndman and Koehler (2006). Makridakis (1993). Pedregosa et al. (2011).

    Examples
    --------
    >>> mean_absolute_percentage_error([1, 3, 6], [2, 2, 7])
    0.5
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    near_zero = False

    def relative(true: Numbers, pred: Numbers, weights: Weights) -> Any:
        nonlocal near_zero
        scale = np.abs(true, dtype=np.float64)
        if not np.minimum.reduce(scale, axis=None) >= _EPS:
            near_zero |= bool(np.any(scale < _EPS if weights is None else scale[weights > 0] < _EPS))
            np.maximum(scale, _EPS, out=scale)
        terms = _difference(true, pred)
        terms /= scale
        return _sum(np.abs(terms, out=terms), weights)

    errors = _mean(relative, y_true, y_pred, weights)
    if near_zero:
        warn_undefined(
            f"mean_absolute_percentage_error is undefined for a target of 0: "
            f"targets below {_EPS:.3g} in absolute value were replaced by it in the division"
        )
    return _over_outputs(errors, outputs)


@of_outputs
def symmetric_mean_absolute_percentage_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
) -> Result:
    r"""Mean of the absolute errors relative to the mean size of target and prediction (SMAPE), as a fraction.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, 2], lower is better; 2 stands for 200 percent. An array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or a term leaves the range of float64.

    See Also
    --------
    mean_absolute_percentage_error, weighted_mean_absolute_percentage_error

    Notes
    -----
    .. math:: \mathrm{SMAPE} = \frac{1}{\sum_i w_i} \sum_i w_i \frac{2\,|y_i - \hat y_i|}{|y_i| + |\hat y_i|}

    A term with :math:`y_i = \hat y_i = 0` counts as 0, a *defined zero*; a term in which exactly one of the two is 0,
    or in which they differ in sign, is 2 however small the error. This is the form of the M3 and M4 forecasting
    competitions and of torchmetrics; the variant without the factor 2, in [0, 1], is half of it.
    It is symmetric in target and prediction, but not in forecasts that are too high and too low.

    References
    ----------
    Goodwin and Lawton (1999). Hyndman and Koehler (2006). Makridakis (1993).

    Examples
    --------
    >>> symmetric_mean_absolute_percentage_error([100, 0], [110, 0])
    0.047619047619047616
    >>> symmetric_mean_absolute_percentage_error([0], [0.001])
    2.0
    """
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    return _over_outputs(_mean(_symmetric, y_true, y_pred, weights), outputs)


@overload
def weighted_mean_absolute_percentage_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: Literal["uniform_average"] | Shares = "uniform_average",
    **options: Unpack[_WmapeOptions],
) -> float: ...
@overload
def weighted_mean_absolute_percentage_error(
    y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Literal["raw_values"], **options: Unpack[_WmapeOptions]
) -> Array: ...
def weighted_mean_absolute_percentage_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
    undefined: Undefined = np.nan,
) -> Result:
    r"""Sum of the absolute errors relative to the sum of the absolute targets (WMAPE), as a fraction.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.
    undefined : float or 'raise', default=nan
        Value of an output whose targets of positive weight are all 0.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf), lower is better; 0.5 stands for 50 percent. An array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, a sum leaves the range of float64, or ``undefined='raise'`` and an output has
        only targets of 0.

    See Also
    --------
    mean_absolute_percentage_error, symmetric_mean_absolute_percentage_error

    Notes
    -----
    .. math:: \mathrm{WMAPE} = \frac{\sum_i w_i |y_i - \hat y_i|}{\sum_i w_i |y_i|}

    It equals MAPE with the weights :math:`w_i |y_i|`, hence the name, and is defined if a single target is not 0.
    The denominator is the sum of absolute values, as in torchmetrics; some lecture notes print :math:`\sum_i y_i`,
    which is the same only if no target is negative.

    References
    ----------
    Hyndman and Koehler (2006).

    Examples
    --------
    >>> weighted_mean_absolute_percentage_error([-3, 1], [-2, 2])
    0.5
    >>> weighted_mean_absolute_percentage_error([0, 0], [1, 2])
    nan
    """
    check_undefined(undefined)
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    errors = divide(
        _total(_absolute, y_true, y_pred, weights),
        _total(_size, y_true, y_pred, weights),
        undefined=undefined,
        why="undefined: all targets of an output are 0 (pass undefined= to give it a value)",
    )
    return _over_outputs(errors, outputs)


@overload
def mean_absolute_scaled_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    y_train: ArrayLike,
    multioutput: Literal["uniform_average"] | Shares = "uniform_average",
    **options: Unpack[_MaseOptions],
) -> float: ...
@overload
def mean_absolute_scaled_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    y_train: ArrayLike,
    multioutput: Literal["raw_values"],
    **options: Unpack[_MaseOptions],
) -> Array: ...
def mean_absolute_scaled_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    y_train: ArrayLike,
    seasonality: int = 1,
    sample_weight: ArrayLike | None = None,
    multioutput: MultiOutput = "uniform_average",
    undefined: Undefined = np.nan,
) -> Result:
    r"""Mean absolute error relative to that of repeating the last season within the training series (MASE).

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    y_train : array_like of shape (n_train,) or (n_train, n_outputs)
        The series on which the forecast was fitted, oldest value first, without gaps; more than ``seasonality`` values.
    seasonality : int, default=1
        The number of steps in a season: 1 repeats the last value, 7 repeats the value of a week ago in daily data.
        sktime calls it ``sp``, and Hyndman's R package ``forecast`` calls it m.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights of the forecasts, not all zero; the training series has none.
    multioutput : {'uniform_average', 'raw_values'} or array_like of shape (n_outputs,), default='uniform_average'
        With several outputs: their plain mean, one error an output, or their mean with these non-negative weights.
    undefined : float or 'raise', default=nan
        Value of an output whose naive forecast makes no error in the training series.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in [0, inf), lower is better; below 1 the forecast is better than the naive one was in the training
        series. An array for 'raw_values'.

    Raises
    ------
    ValueError
        If ``y_train`` is too short or has another number of outputs, a sum leaves the range of float64, an argument is
        otherwise invalid, or ``undefined='raise'`` and an output's naive forecast makes no error.

    See Also
    --------
    mean_absolute_error : Its numerator.
    weighted_mean_absolute_percentage_error : Relative to the size of the targets.

    Notes
    -----
    With the season of m steps and the training series :math:`z_1, \dots, z_T`

    .. math:: \mathrm{MASE} = \frac{\sum_i w_i |y_i - \hat y_i|}{\sum_i w_i} \bigg/
              \frac{1}{T - m} \sum_{t = m + 1}^T |z_t - z_{t - m}|

    The denominator is the error of a naive forecast one season ahead. If ``y_pred`` looks further ahead, or the series
    has become rougher since, a value above 1 need not mean that a naive forecast would have been better.
    It has no unit, so values of different series may be averaged; targets may be 0 or negative.
    Hyndman and Koehler (2006) define it with :math:`m = 1`. sktime replaces a denominator of 0 by 2.2e-16, which gives
    a huge number; here such a value is undefined.

    References
    ----------
    Hyndman and Koehler (2006).

    Examples
    --------
    >>> mean_absolute_scaled_error([6, 8], [5, 7], y_train=[1, 3, 2, 5])
    0.5
    >>> mean_absolute_scaled_error([6, 8], [5, 7], y_train=[1, 3, 2, 5], seasonality=2)
    0.6666666666666666
    >>> mean_absolute_scaled_error([6, 8], [5, 7], y_train=[4, 4, 4])
    nan
    """
    check_undefined(undefined)
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput)
    season = as_count(seasonality, "seasonality")
    series = as_column(as_numbers(y_train, "y_train"))
    if series.shape[1:] != y_true.shape[1:]:
        expected = "1 dimension" if y_true.ndim == 1 else f"{y_true.shape[1]} columns, as y_true has"
        raise invalid("y_train", expected, f"shape {series.shape}")
    if len(series) <= season:
        raise invalid("y_train", f"more than seasonality={season} values", len(series))
    with np.errstate(over="ignore"):
        naive = np.abs(_difference(series[season:], series[:-season])).mean(axis=0)
    if not np.isfinite(naive).all():
        raise invalid("y_train", "a sum of differences that float64 can hold", "an overflow")
    why = "undefined: the naive forecast makes no error in y_train (pass undefined= to give it a value)"
    errors = divide(_mean(_absolute, y_true, y_pred, weights), naive, undefined=undefined, why=why)
    return _over_outputs(errors, outputs)


@overload
def r2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    multioutput: Literal["uniform_average", "variance_weighted"] | Shares | None = "uniform_average",
    **options: Unpack[_R2Options],
) -> float: ...
@overload
def r2_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, multioutput: Literal["raw_values"], **options: Unpack[_R2Options]
) -> Array: ...
def r2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: R2MultiOutput = "uniform_average",
    force_finite: bool = True,
) -> Result:
    r"""Coefficient of determination (R²): 1 minus the squared error relative to that of predicting the mean.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_outputs)
        True targets.
    y_pred : array_like of the same shape
        Predicted targets.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    multioutput : {'uniform_average', 'raw_values', 'variance_weighted'}, array_like or None, default='uniform_average'
        With several outputs: their plain mean (also None), one score an output, their mean weighted by each output's
        variance, or their mean with these non-negative weights, one an output.
    force_finite : bool, default=True
        Value of constant targets: 1 if all predictions are exact and 0 otherwise, or with False nan and -inf.

    Returns
    -------
    float or ndarray of shape (n_outputs,)
        Values in (-inf, 1], higher is better; 0 for predicting the mean. An array for 'raw_values'.

    Raises
    ------
    ValueError
        If an argument is invalid, or the squares leave the range of float64: beyond it, or so small that they vanish.

    Warns
    -----
    UndefinedMetricWarning
        If there is only one sample (the value is nan), or an output that counts has constant targets.

    See Also
    --------
    mean_squared_error

    Notes
    -----
    .. math:: R^2 = 1 - \frac{\sum_i w_i (y_i - \hat y_i)^2}{\sum_i w_i (y_i - \bar y)^2},
              \qquad \bar y = \frac{\sum_i w_i y_i}{\sum_i w_i}

    It is a share of explained variance only for least squares with an intercept on its own training data; elsewhere
    it can be negative. In "1 - MSE / Var", the variance has the divisor n, not n - 1.
    Targets count as constant if they are equal; scikit-learn compares rounded sums and can miss that
    (for three targets of 0.1 it returns a number of the order of -1e30).

    References
    ----------
    Kvålseth (1985). Pedregosa et al. (2011).

    Examples
    --------
    >>> r2_score([1, 2, 3], [1, 2, 4])
    0.5
    >>> r2_score([1, 2, 3], [3, 2, 1])
    -3.0
    """
    words = ("uniform_average", "raw_values", "variance_weighted")
    multioutput = "uniform_average" if multioutput is None else multioutput
    y_true, y_pred, weights, outputs = _load(y_true, y_pred, sample_weight, multioutput, words)
    check_flag(force_finite, "force_finite")
    residual, spread = _residual_and_spread(y_true, y_pred, weights)
    if len(y_true) < 2:
        warn_undefined("r2_score is undefined for fewer than two samples: the value is nan")
        return np.nan
    if isinstance(outputs, str) and outputs == "variance_weighted":
        outputs = "uniform_average" if y_true.ndim == 1 or not spread.any() else spread / spread.max()
    scores = _one_minus_ratio(residual, spread)
    if _least(spread) == 0:
        constant = spread == 0
        if not force_finite or isinstance(outputs, str) or (outputs[constant] > 0).any():
            warn_undefined("r2_score is undefined for constant targets: its value follows force_finite")
        if force_finite:
            scores = np.where(constant, residual == 0, scores)[()]
    return _over_outputs(scores, outputs)


# Input and output


def _load(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    multioutput: ArrayLike,
    words: tuple[str, ...] = ("uniform_average", "raw_values"),
) -> tuple[Numbers, Numbers, Weights, Any]:
    """The targets as arrays of one shape, a single output as one dimension; weights of samples and of outputs."""
    true, pred = _targets(y_true, "y_true"), _targets(y_pred, "y_pred")
    same_shape(true, "y_true", pred, "y_pred")
    weights = as_weights(sample_weight, len(true))
    if isinstance(multioutput, str):
        one_of(multioutput, "multioutput", words)
        return true, pred, weights, multioutput
    outputs = as_numbers(multioutput, "multioutput", ndim=1)
    if true.ndim == 1:
        raise invalid("multioutput", "a word, as weights need several outputs", "weights for a single output")
    if len(outputs) != true.shape[1]:
        raise invalid("multioutput", f"{true.shape[1]} weights, one per output", len(outputs))
    return true, pred, weights, as_weights(outputs, len(outputs), "multioutput")


def _targets(values: ArrayLike, name: str) -> Numbers:
    """An array of real numbers, a single output as one dimension; whether they are finite is seen by the sums."""
    targets = as_numbers(values, name, finite=False)
    if targets.ndim > 2:
        raise invalid(name, "1 or 2 dimensions", f"shape {targets.shape}")
    return as_column(targets)


def _over_outputs(errors: Any, outputs: Any) -> Result:
    """The errors of the outputs as they are, or their mean."""
    raw = isinstance(outputs, str) and outputs == "raw_values"
    if isinstance(errors, float):
        return np.array([errors]) if raw else float(errors)
    if raw:
        return errors  # type: ignore[no-any-return]
    shares = np.full(len(errors), 1 / len(errors)) if isinstance(outputs, str) else outputs / outputs.sum()
    with np.errstate(invalid="ignore"):
        return float(errors @ shares)


@np.errstate(all="ignore")
def _one_minus_ratio(residual: Any, spread: Any) -> Any:
    """The scores; nan or -inf where the spread is 0, and nowhere else."""
    scores = 1 - residual / spread
    if not _all_finite(scores) and np.any(np.isinf(scores) & (spread > 0)):
        raise _overflow()
    return scores


# Sums over the samples


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def _total(block_sum: BlockSum, y_true: Numbers, y_pred: Numbers, weights: Weights) -> Any:
    """The sum over all rows: a number for one output, an array for several. If not finite, an error says why."""
    blocks = row_blocks(y_true.shape, 2)  # there are few temporaries, so two fit the cache
    total = sum(block_sum(y_true[i], y_pred[i], None if weights is None else weights[i]) for i in blocks)
    if not _all_finite(total):
        raise _not_finite(y_true, y_pred)
    return total


def _not_finite(y_true: Numbers, y_pred: Numbers) -> ValueError:
    """The error of a target that is not finite, or else that of an overflow."""
    as_numbers(y_true, "y_true")
    as_numbers(y_pred, "y_pred")
    return _overflow()


def _mean(block_sum: BlockSum, y_true: Numbers, y_pred: Numbers, weights: Weights) -> Any:
    return _total(block_sum, y_true, y_pred, weights) / (len(y_true) if weights is None else weights.sum())


@np.errstate(over="ignore", invalid="ignore")
def _median_error(y_true: Numbers, y_pred: Numbers, weights: Weights) -> Any:
    """The median of each output, with weights the middle of the lower and the upper one."""
    errors = np.abs(_difference(y_true, y_pred))
    if not math.isfinite(errors.max()):
        raise _not_finite(y_true, y_pred)
    if weights is None:
        middle = (len(errors) - 1) // 2, len(errors) // 2
        errors.partition(middle, axis=0)
        low, high = (errors[place] for place in middle)
    else:
        order = errors.argsort(axis=0)
        mass = weights[order].cumsum(axis=0)
        half = mass[-1] / 2
        rounding = len(mass) * _EPS * half
        places = ((mass > half - rounding).argmax(axis=0), (mass > half + rounding).argmax(axis=0))
        errors = np.take_along_axis(errors, order, axis=0)
        low, high = (np.take_along_axis(errors, place[None], axis=0)[0] for place in places)
    return low + (high - low) / 2


def _all_finite(values: Any) -> bool:
    return math.isfinite(values) if isinstance(values, float) else bool(np.isfinite(values).all())


def _least(values: Any) -> float:
    return values if isinstance(values, float) else float(values.min())


def _overflow() -> ValueError:
    return invalid("y_true and y_pred", "sums and ratios that float64 can hold", "an overflow")


def _refuse_vanished(squares: Any, y_true: Numbers, y_pred: Any, weights: Weights) -> None:
    """Raise if squares are lost to underflow although the differences are not 0."""
    if _least(squares) < _UNSAFE:
        differences = _total(_absolute, y_true, np.broadcast_to(y_pred, y_true.shape), weights)
        if np.any((squares < _UNSAFE) & (differences > 0)):
            raise invalid("y_true and y_pred", "differences whose squares float64 can hold", "an underflow")


def _dot(first: Array, second: Array) -> Any:
    """Dot product in rows of 4096: a longer one wakes the threads of the BLAS, which cost more than they bring."""
    even = len(first) // _DOT * _DOT
    total = first[even:].dot(second[even:])
    if even:
        total += np.vecdot(first[:even].reshape(-1, _DOT), second[:even].reshape(-1, _DOT)).sum()
    return total


def _sum(terms: Array, weights: Weights) -> Any:
    if weights is None:
        return np.add.reduce(terms)
    return _dot(weights, terms) if terms.ndim == 1 else np.einsum("i,ij->j", weights, terms)


def _sum_of_squares(terms: Array, weights: Weights) -> Any:
    """The sum of squares over the rows; `terms` may be overwritten."""
    if weights is None and terms.ndim == 1:
        return _dot(terms, terms)
    return _sum(np.square(terms, out=terms), weights)


def _difference(y_true: Numbers, y_pred: Any) -> Any:
    """The errors in float64, rounded once: long doubles are subtracted as such, wide integers half by half."""
    if max(y_true.dtype.itemsize, y_pred.dtype.itemsize) > 8:
        return np.subtract(y_true, y_pred).astype(np.float64)
    if not (_is_wide(y_true) or _is_wide(y_pred)):
        return np.subtract(y_true, y_pred, dtype=np.float64)
    (high, low), (high_pred, low_pred) = _halves(y_true), _halves(y_pred)
    return (high - high_pred) + (low - low_pred)


def _is_wide(values: Any) -> bool:
    """Whether these are integers that a float would round."""
    if values.dtype.kind not in "iu" or values.dtype.itemsize < 8:
        return False
    if 0 <= int(np.bitwise_or.reduce(values, axis=None)) < 2**53:  # bounds them all, in one pass
        return False
    return max(-int(values.min()), int(values.max())) > 2**53


def _halves(values: Any) -> tuple[Any, Any]:
    """Two floats for each number that add up to it: a multiple of 2**32 and the rest."""
    if _is_wide(values):
        return np.ldexp((values >> 32).astype(np.float64), 32), (values & 0xFFFFFFFF).astype(np.float64)
    floats = values.astype(np.float64)
    high = np.ldexp(np.rint(np.ldexp(floats, -32)), 32)
    return high, floats - high


def _squared(y_true: Numbers, y_pred: Numbers, weights: Weights) -> Any:
    return _sum_of_squares(_difference(y_true, y_pred), weights)


def _absolute(y_true: Numbers, y_pred: Numbers, weights: Weights) -> Any:
    errors = _difference(y_true, y_pred)
    return _sum(np.abs(errors, out=errors), weights)


def _squared_logs(y_true: Numbers, y_pred: Numbers, weights: Weights) -> Any:
    for targets, name in ((y_true, "y_true"), (y_pred, "y_pred")):
        if targets.min() <= -1:
            raise invalid(name, "numbers greater than -1", targets.min())
    logs: Array = np.log1p(y_true, dtype=np.float64)
    logs -= np.log1p(y_pred, dtype=np.float64)
    return _sum_of_squares(logs, weights)


def _size(y_true: Numbers, _: Numbers, weights: Weights) -> Any:
    return _sum(np.abs(y_true, dtype=np.float64), weights)


def _symmetric(y_true: Numbers, y_pred: Numbers, weights: Weights) -> Any:
    sizes = np.abs(y_true, dtype=np.float64)
    sizes += np.abs(y_pred, dtype=np.float64)
    if not np.maximum.reduce(sizes, axis=None) < np.inf:
        return np.inf  # an overflow would turn its term into 0
    np.maximum(sizes, _SMALLEST, out=sizes)
    terms = _difference(y_true, y_pred)
    terms /= sizes
    return 2 * _sum(np.abs(terms, out=terms), weights)


def _residual_and_spread(y_true: Numbers, y_pred: Numbers, weights: Weights) -> tuple[Any, Any]:
    """The two sums of squares of R², in one pass.

    The spread is taken within each block about the block's mean, and added to that of the block means. Targets are
    measured from one of them first, so equal targets give exactly 0 and a common offset costs no digits.
    """
    origin = y_true[0 if weights is None else weights.argmax()]
    masses: list[Any] = []
    means: list[Any] = []
    within: list[Any] = []

    def residual_of_block(true: Numbers, pred: Numbers, weights: Weights) -> Any:
        deviations = _difference(true, origin)
        masses.append(len(true) if weights is None else weights.sum())
        means.append(_sum(deviations, weights) / (masses[-1] or 1))
        deviations -= means[-1]
        within.append(_sum_of_squares(deviations, weights))
        return _squared(true, pred, weights)

    residual = _total(residual_of_block, y_true, y_pred, weights)
    spread = within[0] if len(within) == 1 else _pooled(np.array(masses), np.array(means), np.array(within))
    if not _all_finite(spread):
        raise _overflow()
    _refuse_vanished(spread, y_true, origin, weights)
    if _least(spread) == 0:
        _refuse_vanished(residual, y_true, y_pred, weights)
    return residual, spread


@np.errstate(over="ignore", invalid="ignore")
def _pooled(masses: Numbers, means: Array, within: Array) -> Any:
    """The spread of all blocks together."""
    deviations = means - _sum(means, masses) / masses.sum()
    return np.add.reduce(within) + _sum_of_squares(deviations, masses)
