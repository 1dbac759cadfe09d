"""Curves over all thresholds and the areas under them: ROC and precision-recall, AUC and AP, grouped AUC."""

import math
import numbers
from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    PosLabel,
    Undefined,
    as_binary,
    as_column,
    as_floats,
    as_keys,
    as_labels,
    as_numbers,
    as_weights,
    check_flag,
    check_pos_label,
    check_scores,
    check_undefined,
    distinct,
    equals,
    implies_one,
    invalid,
    one_of,
    positives,
    same_shape,
    unique_keys,
    warn_undefined,
)
from metrics_lib._floats import Floats, Result, as_result, divide, mean
from metrics_lib._sorting import (
    KEY_BITS,
    Keys,
    Labels,
    ScoreCode,
    blocks,
    concordant_pairs,
    concordant_pairs_by_group,
    places,
    places_of_positives,
    run_ends,
    sorted_keys,
)

__all__ = [
    "DetCurve",
    "PrecisionRecallCurve",
    "RocAucBounds",
    "RocCurve",
    "auc",
    "average_precision_score",
    "break_even_point",
    "det_curve",
    "gauc",
    "precision_recall_curve",
    "roc_auc_bounds",
    "roc_auc_score",
    "roc_curve",
]

Mean = Literal["macro", "micro", "samples", "weighted"]
Average = Mean | None
GROUP_WEIGHTS = ("impressions", "clicks", "uniform")
SMALL = 512  # rows up to which an argsort costs less than making keys
AVERAGES = ("macro", "micro", "samples", "weighted", None)
ONE_CLASS = "y_true holds one class only: there is no pair to rank, so the AUC is undefined and nan is returned."
NO_POSITIVE = "y_true holds no positive label: average precision is 0/0 and 0.0 is returned."


class _AucOptions(TypedDict, total=False):
    """What `roc_auc_score` takes beside ``average``, for its overloads."""

    sample_weight: ArrayLike | None
    max_fpr: float | None
    multi_class: Literal["raise", "ovr", "ovo"]
    labels: ArrayLike | None


class _ApOptions(TypedDict, total=False):
    """What `average_precision_score` takes beside ``average``."""

    pos_label: float | str | bool
    sample_weight: ArrayLike | None


class _GaucOptions(TypedDict, total=False):
    """What `gauc` takes beside ``return_groups`` and ``return_dropped``."""

    weights: Literal["impressions", "clicks", "uniform"] | Mapping[Any, float]
    pos_label: PosLabel
    sample_weight: ArrayLike | None
    undefined: Undefined


class RocCurve(NamedTuple):
    """The points of a ROC curve; unpacks as ``fpr, tpr, thresholds``.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_points,)
        False and true positive rates in [0, 1], rising.
    thresholds : ndarray of shape (n_points,)
        Falling thresholds; the first is infinity.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Floats


class DetCurve(NamedTuple):
    """The points of a DET curve; unpacks as ``fpr, fnr, thresholds``.

    Parameters
    ----------
    fpr, fnr : ndarray of shape (n_points,)
        Falling false positive rates and rising false negative rates in [0, 1].
    thresholds : ndarray of shape (n_points,)
        Rising thresholds; the last is infinity unless a finite one has no false positive.
    """

    fpr: Floats
    fnr: Floats
    thresholds: Floats


class PrecisionRecallCurve(NamedTuple):
    """The points of a precision-recall curve; unpacks as ``precision, recall, thresholds``.

    Parameters
    ----------
    precision, recall : ndarray of shape (n_thresholds + 1,)
        Precision, and falling recall, in [0, 1]; the last point is (1, 0).
    thresholds : ndarray of shape (n_thresholds,)
        Rising thresholds.
    """

    precision: Floats
    recall: Floats
    thresholds: NDArray[Any]


class RocAucBounds(NamedTuple):
    """What `roc_auc_bounds` returns; unpacks as ``low, value, high``.

    Parameters
    ----------
    low : float
        The AUC if all pairs within a bin are lost.
    value : float
        The AUC if they are ties: the middle of the two bounds.
    high : float
        The AUC if they are won.
    """

    low: float
    value: float
    high: float


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> RocCurve:
    r"""Receiver operating characteristic: true against false positive rate at every threshold.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Two-class labels: {0, 1}, {-1, 1}, booleans; any labels, strings too, with ``pos_label``.
    y_score : array_like of shape (n_samples,)
        Scores, higher for "more likely positive". Any finite real numbers; only their order and ties matter.
    pos_label : int, float, bool or str, default=None
        The label that counts as positive. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero; samples of weight zero give no threshold.
    drop_intermediate : bool, default=True
        Leave out points that lie on the straight line between their neighbours. The shape and the area do not change.

    Returns
    -------
    RocCurve
        ``fpr`` and ``tpr``, rising from 0 to 1, and the falling ``thresholds``: the rates are those of predicting
        positive where ``score >= threshold``. The first threshold is infinity, where nothing is predicted positive.

    Raises
    ------
    ValueError
        If an argument is empty, not finite, of the wrong shape or length, or if ``pos_label`` is needed and not given.

    Warns
    -----
    UndefinedMetricWarning
        If there is no negative (``fpr`` is then nan) or no positive sample (``tpr`` is then nan).

    Notes
    -----
    .. math::
        \mathrm{FPR}(t) = \frac{\#\{i : y_i = 0,\ s_i \ge t\}}{\#\{i : y_i = 0\}}, \qquad
        \mathrm{TPR}(t) = \frac{\#\{i : y_i = 1,\ s_i \ge t\}}{\#\{i : y_i = 1\}}

    Tied scores move together, so a tie of both classes is one sloping step.
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Fawcett (2006).

    Examples
    --------
    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr
    array([0. , 0. , 0.5, 0.5, 1. ])
    >>> tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    >>> thresholds
    array([ inf, 0.8 , 0.4 , 0.35, 0.1 ])
    """
    check_flag(drop_intermediate, "drop_intermediate")
    fps, tps, thresholds = _counts(*as_binary(y_true, y_score, "y_score", pos_label, sample_weight))
    if drop_intermediate:
        fp_step, tp_step = np.diff(fps), np.diff(tps)
        corner = (fp_step[1:] != fp_step[:-1]) | (tp_step[1:] != tp_step[:-1])
        fps, tps, thresholds = _corners(corner, fps, tps, thresholds)
    fpr = _rate(fps, "y_true holds no negative label: the false positive rate is 0/0 and nan is returned.")
    tpr = _rate(tps, "y_true holds no positive label: the true positive rate is 0/0 and nan is returned.")
    cuts = np.full(len(fpr), np.inf)
    cuts[1:] = thresholds
    return RocCurve(fpr, tpr, cuts)


def det_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> DetCurve:
    r"""Detection error trade-off: the two error rates, of false positives and of false negatives, at every threshold.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Two-class labels: {0, 1}, {-1, 1}, booleans; any labels, strings too, with ``pos_label``.
    y_score : array_like of shape (n_samples,)
        Scores, higher for "more likely positive". Any finite real numbers; only their order and ties matter.
    pos_label : int, float, bool or str, default=None
        The label that counts as positive. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero; samples of weight zero give no threshold.
    drop_intermediate : bool, default=False
        Keep only the first and the last of the points that share one false negative rate.

    Returns
    -------
    DetCurve
        ``fpr`` and ``fnr`` of predicting positive where ``score >= threshold``, and the rising ``thresholds``: from the
        highest threshold without a false negative to the lowest without a false positive, which is infinity where the
        highest score is one of a negative.

    Raises
    ------
    ValueError
        If an argument is empty, not finite, of the wrong shape or length, if ``pos_label`` is needed and not given, or
        if one of the two classes has no sample.

    See Also
    --------
    roc_curve : The same points as true against false positive rate, for all thresholds.

    Notes
    -----
    .. math::
        \mathrm{FPR}(t) = \frac{\#\{i : y_i = 0,\ s_i \ge t\}}{\#\{i : y_i = 0\}}, \qquad
        \mathrm{FNR}(t) = \frac{\#\{i : y_i = 1,\ s_i < t\}}{\#\{i : y_i = 1\}} = 1 - \mathrm{TPR}(t)

    Both axes are usually drawn on a scale of normal quantiles, on which normal scores of both classes give a straight
    line. The value at which the two rates are equal is the *equal error rate*, common in speech and face recognition.
    Arguments, defaults and values are those of scikit-learn 1.9, which refuses more than two labels even if
    ``pos_label`` is given; here the others together are the negative class, as in `roc_curve`.

    References
    ----------
    Fawcett (2006).

    Examples
    --------
    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr
    array([0.5, 0.5, 0. ])
    >>> fnr
    array([0. , 0.5, 0.5])
    >>> thresholds
    array([0.35, 0.4 , 0.8 ])
    """
    check_flag(drop_intermediate, "drop_intermediate")
    fps, tps, thresholds = _counts(*as_binary(y_true, y_score, "y_score", pos_label, sample_weight))
    n_negative, n_positive = fps[-1], tps[-1]
    if n_negative == 0 or n_positive == 0:
        raise invalid("y_true", "positive and negative samples", "samples of one class")
    fps, tps, thresholds = np.append(0, fps), np.append(0, tps), np.append(np.inf, thresholds)
    if drop_intermediate:
        fps, tps, thresholds = _corners(_changes(tps), fps, tps, thresholds)
    # From the last point without a false positive to the first without a false negative, and back.
    start, stop = np.searchsorted(fps, 0, side="right") - 1, np.searchsorted(tps, tps[-1]) + 1
    fps, tps, thresholds = (column[start:stop][::-1] for column in (fps, tps, thresholds))
    return DetCurve(fps / n_negative, (n_positive - tps) / n_positive, thresholds.copy())


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: PosLabel = None,
    drop_intermediate: bool = False,
    sample_weight: ArrayLike | None = None,
) -> PrecisionRecallCurve:
    r"""Precision and recall at every threshold.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Two-class labels: {0, 1}, {-1, 1}, booleans; any labels, strings too, with ``pos_label``.
    y_score : array_like of shape (n_samples,)
        Scores, higher for "more likely positive". Any finite real numbers.
    pos_label : int, float, bool or str, default=None
        The label that counts as positive. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    drop_intermediate : bool, default=False
        Keep only the first and the last of the points that share one recall.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero; samples of weight zero give no threshold.

    Returns
    -------
    PrecisionRecallCurve
        ``precision`` and ``recall`` of predicting positive where ``score >= threshold``, the rising
        ``thresholds`` in the type of ``y_score``. The last point, precision 1 at recall 0, has no threshold.

    Raises
    ------
    ValueError
        If an argument is empty, not finite, of the wrong shape or length, or if ``pos_label`` is needed and not given.

    Warns
    -----
    UndefinedMetricWarning
        If there is no positive sample: recall is 0/0 and set to 1.

    Notes
    -----
    .. math::
        P(t) = \frac{\mathrm{TP}(t)}{\mathrm{TP}(t) + \mathrm{FP}(t)}, \qquad
        R(t) = \frac{\mathrm{TP}(t)}{\mathrm{TP}(t) + \mathrm{FN}(t)}

    What varies along the curve is the threshold; the scores are fixed.
    The point (0, 1) is a convention (precision is 0/0 where nothing is predicted).
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Davis and Goadrich (2006). Manning et al. (2008).

    Examples
    --------
    >>> precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision
    array([0.5       , 0.66666667, 0.5       , 1.        , 1.        ])
    >>> recall
    array([1. , 1. , 0.5, 0.5, 0. ])
    >>> thresholds
    array([0.1 , 0.35, 0.4 , 0.8 ])
    """
    check_flag(drop_intermediate, "drop_intermediate")
    fps, tps, thresholds = _counts(*as_binary(y_true, y_score, "y_score", pos_label, sample_weight))
    if drop_intermediate:
        fps, tps, thresholds = _corners(_changes(tps), fps, tps, thresholds)
    precision, recall = np.ones(len(tps) + 1), np.zeros(len(tps) + 1)
    np.divide(tps, tps + fps, out=precision[-2::-1])
    if tps[-1] > 0:
        np.divide(tps, tps[-1], out=recall[-2::-1])
    else:
        warn_undefined("y_true holds no positive label: recall is 0/0 and set to 1.")
        recall[:-1] = 1
    return PrecisionRecallCurve(precision, recall, thresholds[::-1].copy())


def auc(x: ArrayLike, y: ArrayLike) -> float:
    r"""Area under a curve given by its points, by the trapezoidal rule.

    Parameters
    ----------
    x : array_like of shape (n_points,)
        Rising or falling abscissae, at least two.
    y : array_like of shape (n_points,)
        Ordinates.

    Returns
    -------
    float
        The area; the same whether ``x`` rises or falls.

    Raises
    ------
    ValueError
        If ``x`` neither rises nor falls throughout, or if an argument is not finite or of the wrong shape or length.

    Notes
    -----
    .. math::
        A = \sum_{i=2}^{n} (x_i - x_{i-1}) \frac{y_i + y_{i-1}}{2}

    Right for a ROC curve, whose points may be joined by straight lines. For a P-R curve it is too optimistic:
    use `average_precision_score`. Values are those of scikit-learn 1.9.

    References
    ----------
    Fawcett (2006). Davis and Goadrich (2006).

    Examples
    --------
    >>> auc([0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1])
    0.75
    """
    abscissae, ordinates = _vector(x, "x"), _vector(y, "y")
    same_shape(abscissae, "x", ordinates, "y")
    if len(abscissae) < 2:
        raise invalid("x", "at least two points", len(abscissae))
    falls = bool((abscissae[1:] < abscissae[:-1]).any())
    if falls and (abscissae[1:] > abscissae[:-1]).any():
        raise invalid("x", "values that rise or fall throughout", "both rising and falling values")
    with np.errstate(over="ignore", invalid="ignore"):
        area = float(np.trapezoid(ordinates, abscissae))
    if not math.isfinite(area):
        raise invalid("x", "an area that a float can hold", area)
    return -area if falls else area


@overload
def roc_auc_score(
    y_true: ArrayLike, y_score: ArrayLike, *, average: Mean = "macro", **options: Unpack[_AucOptions]
) -> float: ...
@overload
def roc_auc_score(
    y_true: ArrayLike, y_score: ArrayLike, *, average: None, **options: Unpack[_AucOptions]
) -> Floats: ...
def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: Literal["raise", "ovr", "ovo"] = "raise",
    labels: ArrayLike | None = None,
) -> Result:
    r"""Area under the ROC curve: the probability that a positive scores above a negative, a tie counting one half.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_classes)
        Labels of two classes (integers, booleans or strings; the greater label is positive), an indicator matrix
        of zeros and ones (or of -1 and 1), or, with ``multi_class``, labels of more classes.
    y_score : array_like of shape (n_samples,) or (n_samples, n_classes)
        Scores of the positive class; one column per label for an indicator matrix. For more than two classes,
        probabilities that sum to 1 in each row, columns in the order of the sorted labels.
    average : {'macro', 'micro', 'samples', 'weighted'} or None, default='macro'
        Only for more than one column: the mean over columns, one AUC over all entries, the mean over rows, the
        mean over columns weighted by their positives, or the array of the columns' AUCs.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    max_fpr : float, default=None
        If given, in (0, 1]: the area up to this false positive rate only, scaled so that a random
        ranking has 0.5 and a perfect one 1. Not for more than two classes.
    multi_class : {'raise', 'ovr', 'ovo'}, default='raise'
        For more than two classes: refuse, each class against the rest, or each pair of classes (the mean of both
        directions). With "ovo", ``average`` is "macro" or "weighted" (by the share of samples in
        the pair) and weights are refused; with "ovr" everything but "samples" is allowed.
    labels : array_like, default=None
        All classes in sorted order, where ``y_true`` may lack one. Only for more than two classes.

    Returns
    -------
    float or ndarray
        The AUC in [0, 1]; an array of shape (n_classes,) for ``average=None``.

    Raises
    ------
    ValueError
        If an argument is empty, not finite, of the wrong shape, length or type, or the options do not go together.

    Warns
    -----
    UndefinedMetricWarning
        If only one class is present (in a column or row): its AUC is nan.

    Notes
    -----
    With :math:`P` positives and :math:`N` negatives,

    .. math::
        \mathrm{AUC} = \frac{1}{PN} \sum_{i : y_i = 1} \sum_{j : y_j = 0}
        \Bigl(\mathbb{1}[s_i > s_j] + \tfrac{1}{2} \mathbb{1}[s_i = s_j]\Bigr)

    which is the area under the ROC curve, ties included. Without weights the pairs are counted exactly, so the
    result is the nearest float and does not depend on the order of the rows.
    Scikit-learn and CatBoost count a tie as one half, as Hanley and McNeil do; some lecture notes leave ties out, so
    that a model that gives every sample the same score gets 0.
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Bamber (1975). Hanley and McNeil (1982). Fawcett (2006).

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> roc_auc_score([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4])
    0.8333333333333334
    >>> roc_auc_score([[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.3, 0.6], [0.2, 0.7]], average=None)
    array([0.5, 1. ])
    """
    one_of(average, "average", AVERAGES)
    one_of(multi_class, "multi_class", ("raise", "ovr", "ovo"))
    if max_fpr is not None and not (isinstance(max_fpr, numbers.Real) and 0 < max_fpr <= 1):
        raise invalid("max_fpr", "a number in (0, 1] or None", repr(max_fpr))
    truth, scores = as_labels(y_true, "y_true"), as_column(as_numbers(y_score, "y_score"))
    weights = as_weights(sample_weight, len(truth))
    limit = 1.0 if max_fpr is None else float(max_fpr)
    if truth.ndim == 2:
        return _average(partial(_auc, max_fpr=limit), _indicator(truth, scores), scores, average, weights)
    present = distinct(truth)
    if len(present) > 2 or (scores.ndim == 2 and len(scores) == len(truth) and scores.shape[1] > 2):
        if limit < 1:
            raise invalid("max_fpr", "None or 1 for more than two classes", max_fpr)
        return _multiclass_auc(truth, scores, present, multi_class, average, weights, labels)
    check_scores(truth, scores, "y_score")
    return _auc(truth == present[-1], scores, weights, max_fpr=limit)


def roc_auc_bounds(pos: ArrayLike, neg: ArrayLike) -> RocAucBounds:
    r"""Bounds between which the AUC lies, from a histogram of the scores of either class.

    Parameters
    ----------
    pos, neg : array_like of shape (n_bins,)
        The number of positives and of negatives in each bin (or the sum of their weights), from the lowest scores to
        the highest.

    Returns
    -------
    RocAucBounds
        ``low``, ``value`` and ``high`` in [0, 1].

    Raises
    ------
    ValueError
        If an argument is empty, negative or not finite, or the two differ in length.

    Warns
    -----
    UndefinedMetricWarning
        If one of the two classes has no sample: all three are nan.

    See Also
    --------
    roc_auc_score : The AUC of the scores themselves.

    Notes
    -----
    With :math:`P_b` positives and :math:`N_b` negatives in bin :math:`b`, of :math:`P` and :math:`N`, the pairs from
    two bins are in the order of the bins; those within one bin are all lost, or all won:

    .. math:: \mathrm{low} = \frac{\sum_b P_b \sum_{c < b} N_c}{PN}, \qquad
              \mathrm{high} = \mathrm{low} + \frac{\sum_b P_b N_b}{PN}

    Where each bin holds equal scores only, they are ties and ``value`` is the AUC. Counts are added as integers of any
    size, so that the bounds hold to the last bit. What the histogram says of the AUC depends on where its bins are, not
    on how many there are: equal widths fail where all scores are close to 0.

    References
    ----------
    Hanley and McNeil (1982).

    Examples
    --------
    >>> roc_auc_bounds([0, 1, 3], [4, 2, 2])
    RocAucBounds(low=0.6875, value=0.8125, high=0.9375)
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> pos, neg = np.histogram(rng.beta(2, 1, 99), 20, (0, 1))[0], np.histogram(rng.beta(1, 2, 999), 20, (0, 1))[0]
    >>> low, value, high = roc_auc_bounds(pos, neg)
    >>> round(low, 3), round(high, 3)
    (0.789, 0.826)
    """
    positives, negatives = as_numbers(pos, "pos", ndim=1), as_numbers(neg, "neg", ndim=1)
    same_shape(positives, "pos", negatives, "neg")
    for counts, name in ((positives, "pos"), (negatives, "neg")):
        if counts.min() < 0:
            raise invalid(name, "counts of at least 0", counts.min())
    if not (positives.any() and negatives.any()):
        warn_undefined(
            "pos or neg counts nothing: there is no pair to rank, so the AUC is undefined and nan is returned."
        )
        return RocAucBounds(math.nan, math.nan, math.nan)
    if {positives.dtype.kind, negatives.dtype.kind} <= set("biu"):
        positives, negatives = (counts.astype(object) for counts in (positives, negatives))
    else:
        # In float64: sums of half and single precision are soon infinite, or wrong in the eighth digit.
        positives, negatives = (counts / np.float64(counts.max()) for counts in (positives, negatives))
    up_to = negatives.cumsum()
    n_pairs, most = positives.sum() * up_to[-1], positives @ up_to
    least = positives[1:] @ up_to[:-1]
    return RocAucBounds(
        *(float(min(won / pairs, 1)) for won, pairs in ((least, n_pairs), (least + most, 2 * n_pairs), (most, n_pairs)))
    )


@overload
def average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, average: Mean = "macro", **options: Unpack[_ApOptions]
) -> float: ...
@overload
def average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, average: None, **options: Unpack[_ApOptions]
) -> Floats: ...
def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average = "macro",
    pos_label: float | str | bool = 1,
    sample_weight: ArrayLike | None = None,
) -> Result:
    r"""Average precision: the area under the stepwise precision-recall curve.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_classes)
        Labels of two classes or of more, or an indicator matrix of zeros and ones.
    y_score : array_like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for "more likely positive"; for more than two classes one column for each, in the order of the
        sorted labels.
    average : {'macro', 'micro', 'samples', 'weighted'} or None, default='macro'
        Only for more than one column: the mean over columns, one AP over all entries, the mean over rows, the
        mean over columns weighted by their positives, or the array of the columns' APs.
    pos_label : int, float, bool or str, default=1
        The label that counts as positive; more than two classes and an indicator matrix allow only 1.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float or ndarray
        The AP in [0, 1]; an array of shape (n_classes,) for ``average=None``.

    Raises
    ------
    ValueError
        If an argument is empty, not finite, of the wrong shape, length or type, or if ``pos_label`` is neither of the
        two labels present.

    Warns
    -----
    UndefinedMetricWarning
        If there is no positive (in a column or row): its AP is 0.

    Notes
    -----
    .. math::
        \mathrm{AP} = \sum_{n} (R_n - R_{n-1}) P_n

    over the distinct thresholds from the highest down: each positive brings the precision of the cut that includes
    it and everything tied with it. No interpolation, unlike ``auc(recall, precision)``. It equals
    `metrics_lib.ranking.average_precision` of the ranked labels where no scores are tied.
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Buckley and Voorhees (2000). Davis and Goadrich (2006).

    Examples
    --------
    >>> average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.8333333333333333
    >>> average_precision_score([1, 0, 1], [0.9, 0.9, 0.5])
    0.5833333333333333
    """
    one_of(average, "average", AVERAGES)
    check_pos_label(pos_label)
    truth, scores = as_labels(y_true, "y_true"), as_column(as_numbers(y_score, "y_score"))
    weights = as_weights(sample_weight, len(truth))
    if truth.ndim == 1 and len(present := distinct(truth)) > 2:
        if scores.shape != (len(truth), len(present)):
            raise invalid("y_score", f"one column for each of {len(present)} classes", f"shape {scores.shape}")
        truth = (truth[:, None] == present).astype(np.int64)
    if truth.ndim == 2:
        if pos_label != 1:
            raise invalid("pos_label", "1 for more than two classes or an indicator matrix", repr(pos_label))
        return _average(_ap, _indicator(truth, scores), scores, average, weights)
    positive = positives(truth, pos_label)
    check_scores(truth, scores, "y_score")
    return _ap(positive, scores, weights)


def break_even_point(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    undefined: Undefined = np.nan,
) -> float:
    r"""The common value of precision and recall where the two are equal.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Two-class labels: {0, 1}, {-1, 1}, booleans; any labels, strings too, with ``pos_label``.
    y_score : array_like of shape (n_samples,)
        Scores, higher for "more likely positive".
    pos_label : int, float, bool or str, default=None
        The label that counts as positive. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero. A whole weight stands for as many tied copies of the sample.
    undefined : float or 'raise', default=nan
        The value without any positive sample.

    Returns
    -------
    float
        The break-even point in [0, 1].

    Raises
    ------
    ValueError
        If an argument is empty, not finite, of the wrong shape or length, if ``pos_label`` is needed and not given, or
        if the value is undefined and ``undefined='raise'``.

    Notes
    -----
    Precision and recall have the same numerator, so they are equal (and above 0) exactly where their denominators
    are: where as many samples are predicted positive as are positive, that is FP = FN. Among the :math:`P` samples
    that score highest,

    .. math::
        \mathrm{BEP} = \frac{\mathrm{TP}(P)}{P}

    also known as R-precision. Where tied scores straddle this cut no threshold reaches it. The value then counts
    the tied samples that still fit in at the rate of positives among all that are tied: the mean over
    all orders of the tied samples, and the linear interpolation of the counts between the two neighbouring thresholds.
    Where no positive is among the first P, precision and recall are both 0, and so is the value: a *defined zero*.

    References
    ----------
    Manning et al. (2008). Davis and Goadrich (2006).

    Examples
    --------
    >>> break_even_point([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.5
    >>> break_even_point([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.5])
    0.6666666666666666
    """
    check_undefined(undefined)
    positive, scores, weights = as_binary(y_true, y_score, "y_score", pos_label, sample_weight)
    if weights is not None:
        rows = weights > 0
        positive, scores, weights = positive[rows], scores[rows], weights[rows]
    if not positive.any():
        if undefined == "raise":
            raise ValueError("break_even_point is undefined: y_true holds no positive label")
        return float(undefined)

    def number(rows: Labels) -> Any:
        return int(np.count_nonzero(rows)) if weights is None else float(weights @ rows)

    cut = number(positive)
    if weights is None:
        threshold = np.partition(scores, len(scores) - cut)[len(scores) - cut]
    else:
        falling = scores.argsort()[::-1]
        last = int(np.searchsorted(weights[falling].cumsum(), cut))
        threshold = scores[falling[min(last, len(falling) - 1)]]
    above, tied = scores > threshold, scores == threshold
    room = cut - number(above)
    hits = number(above & positive) * number(tied) + room * number(tied & positive)
    return float(min(max(hits / (number(tied) * cut), 0), 1))  # rounded weights may step over either end


@overload
def gauc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: ArrayLike,
    *,
    return_groups: Literal[False] = False,
    return_dropped: Literal[False] = False,
    **options: Unpack[_GaucOptions],
) -> float: ...
@overload
def gauc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: ArrayLike,
    *,
    return_groups: Literal[False] = False,
    return_dropped: Literal[True],
    **options: Unpack[_GaucOptions],
) -> tuple[float, NDArray[Any]]: ...
@overload
def gauc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: ArrayLike,
    *,
    return_groups: Literal[True],
    return_dropped: Literal[False] = False,
    **options: Unpack[_GaucOptions],
) -> tuple[float, NDArray[Any], Floats]: ...
@overload
def gauc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: ArrayLike,
    *,
    return_groups: Literal[True],
    return_dropped: Literal[True],
    **options: Unpack[_GaucOptions],
) -> tuple[float, NDArray[Any], Floats, NDArray[Any]]: ...
def gauc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: ArrayLike,
    *,
    weights: Literal["impressions", "clicks", "uniform"] | Mapping[Any, float] = "impressions",
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    undefined: Undefined = np.nan,
    return_groups: bool = False,
    return_dropped: bool = False,
) -> float | tuple[Any, ...]:
    r"""Grouped AUC: the weighted mean of the AUCs of the groups (users), those of one class left out.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Two-class labels: {0, 1}, {-1, 1}, booleans (1 is a click); any labels, strings too, with ``pos_label``.
    y_score : array_like of shape (n_samples,)
        Scores, compared within a group only.
    groups : array_like of shape (n_samples,)
        The group of each sample: numbers, strings, dates, anything that can be sorted; no nan. Rows in any order.
    weights : {'impressions', 'clicks', 'uniform'} or mapping, default='impressions'
        The weight of a group: its number of samples, its number of positives, 1, or what the mapping (a dict or a
        pandas Series) gives for it: a non-negative number for every group that is kept, not all of them zero.
    pos_label : int, float, bool or str, default=None
        The label that counts as positive. None stands for 1 where the labels are {0, 1} or {-1, 1}.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero. Within a group a pair counts with the product of its two weights, as in
        `roc_auc_score`. The weight of a group is then the sum of the weights of its samples (``'impressions'``) or of
        its positives (``'clicks'``); ``'uniform'`` and a mapping stay as they are. A whole weight is as many copies of
        the sample; a group whose positives or negatives weigh nothing is left out.
    undefined : float or 'raise', default=nan
        The value when every group holds one class only.
    return_groups : bool, default=False
        Return the groups that are kept and the AUC of each as well.
    return_dropped : bool, default=False
        Return the groups left out as well.

    Returns
    -------
    float, or a tuple of a float and arrays
        The value in [0, 1]; with ``return_groups=True`` also the sorted labels of the groups that are kept and, in
        this order, their AUCs; with ``return_dropped=True`` also the sorted labels of the groups left out.

    Raises
    ------
    ValueError
        If an argument is empty, not finite, of the wrong shape or length, if the mapping lacks a group or
        holds an invalid weight, or if the value is undefined and ``undefined='raise'``.

    Notes
    -----
    .. math::
        \mathrm{GAUC} = \frac{\sum_{u} w_u \, \mathrm{AUC}_u}{\sum_{u} w_u}

    over the groups that hold both classes; the weights of the others do not enter the denominator either.
    A tie counts one half. The weights of Zhou et al. (2018) are impressions; clicks are also taught, and give another
    value.

    References
    ----------
    Zhu et al. (2017). Zhou et al. (2018).

    Examples
    --------
    Pooled, a negative of user 2 outranks the positive of user 1 and the AUC is 8/9; within each user all is in order.

    >>> y_true, y_score = [1, 0, 0, 1, 1, 0], [0.3, 0.2, 0.1, 0.9, 0.8, 0.7]
    >>> roc_auc_score(y_true, y_score)
    0.8888888888888888
    >>> gauc(y_true, y_score, [1, 1, 1, 2, 2, 2])
    1.0
    >>> gauc([1, 0, 1], [0.3, 0.2, 0.1], ["a", "a", "b"], return_dropped=True)
    (1.0, array(['b'], dtype='<U1'))
    >>> value, users, aucs = gauc([1, 0, 1, 0], [0.3, 0.2, 0.1, 0.4], ["b", "b", "a", "a"], return_groups=True)
    >>> dict(zip(users.tolist(), aucs.tolist(), strict=True))
    {'a': 0.0, 'b': 1.0}
    """
    check_undefined(undefined)
    check_flag(return_groups, "return_groups")
    check_flag(return_dropped, "return_dropped")
    if not hasattr(weights, "items") and not (isinstance(weights, str) and weights in GROUP_WEIGHTS):
        raise invalid("weights", "one of " + ", ".join(map(repr, GROUP_WEIGHTS)) + " or a mapping", repr(weights))
    positive, scores, sample_weights = as_binary(y_true, y_score, "y_score", pos_label, sample_weight)
    codes, label_of = _group_codes(groups, len(scores))
    group, aucs, size, n_positive = _aucs_of_groups(codes, scores, positive, sample_weights)
    kept = ~np.isnan(aucs)
    if kept.any():
        value = mean(aucs[kept], _group_weights(weights, size[kept], n_positive[kept], label_of(group[kept])))
    elif undefined == "raise":
        raise ValueError("gauc is undefined: every group of groups holds one class only")
    else:
        value = float(undefined)
    of_groups = (label_of(group[kept]), aucs[kept]) if return_groups else ()
    dropped = (label_of(group[~kept]),) if return_dropped else ()
    return (value, *of_groups, *dropped) if of_groups or dropped else value


# ---- what was passed ----------------------------------------------------------------------------------------


def _vector(values: ArrayLike, name: str) -> Floats:
    return as_floats(as_column(as_numbers(values, name)), name, ndim=1)


def _indicator(labels: NDArray[Any], scores: NDArray[Any]) -> Labels:
    """The positive entries of an indicator matrix that has the shape of the scores."""
    if not implies_one(distinct(labels)):
        raise invalid("y_true", "one dimension, or an indicator matrix of zeros and ones", "a matrix of other labels")
    same_shape(labels, "y_true", scores, "y_score")
    return equals(labels, 1)


# ---- counts at every threshold, and areas ------------------------------------------------------------------


def _counts(positive: Labels, scores: NDArray[Any], weights: Floats | None) -> tuple[Any, Any, NDArray[Any]]:
    """False and true positives (their weights) at each distinct score from the highest down, and that score."""
    if weights is None and len(scores) > SMALL:
        return _counts_from_keys(*sorted_keys(scores, positive))
    if weights is not None:
        rows = weights > 0
        positive, scores, weights = positive[rows], scores[rows], weights[rows]
    # Falling and stable, the order in which scikit-learn adds up the weights: the sums agree to the last bit.
    order = len(scores) - 1 - scores[::-1].argsort(kind="stable")[::-1]
    ranked, positive = scores[order], positive[order]
    ends = run_ends(ranked)
    if weights is None:
        tps = positive.cumsum(dtype=np.int64)[ends]
        return ends + 1 - tps, tps, ranked[ends]
    weights = weights[order]
    return (weights * ~positive).cumsum()[ends], (weights * positive).cumsum()[ends], ranked[ends]


def _counts_from_keys(keys: Keys, code: ScoreCode) -> tuple[Any, Any, NDArray[Any]]:
    """`_counts` without weights, block by block into arrays whose unused ends are never touched."""
    fps, tps = np.empty((2, len(keys)), dtype=np.int64)
    thresholds = np.empty(len(keys), dtype=code.dtype)
    found = before = 0
    for start, block in blocks(keys):
        codes = (block >> 1).view(np.uint64)
        ends = run_ends(codes)
        part = slice(found, found + len(ends))
        tps[part] = np.cumsum((block & 1).view(np.int64))[ends] + before
        fps[part] = ends + (start + 1) - tps[part]
        thresholds[part] = code.decode(codes[ends])
        found, before = part.stop, tps[part.stop - 1]
    return fps[:found], tps[:found], thresholds[:found]


def _counts_of_rows(positive: Labels, scores: NDArray[Any]) -> tuple[Any, Any]:
    """False and true positives after each place of each row; inside a run of ties, those before the run."""
    order = np.argsort(scores, axis=1)[:, ::-1]
    ranked = np.take_along_axis(scores, order, axis=1)
    tps = np.cumsum(np.take_along_axis(positive, order, axis=1), axis=1, dtype=np.int64)
    fps = np.arange(1, scores.shape[1] + 1) - tps
    return _before_ties(ranked, fps, tps)


def _before_ties(ranked: NDArray[Any], fps: NDArray[Any], tps: NDArray[Any]) -> tuple[Any, Any]:
    """The counts of ranked rows; inside a run of ties, those before the run."""
    inside = ranked[:, :-1] == ranked[:, 1:]
    for counts in (fps, tps):
        counts[:, :-1][inside] = 0
        np.maximum.accumulate(counts, axis=1, out=counts)
    return fps, tps


def _changes(counts: NDArray[Any]) -> Labels:
    """Which counts between the first and the last differ from the one before or from the one after."""
    changed: Labels = counts[1:] != counts[:-1]
    return changed[1:] | changed[:-1]


def _corners(corner: Labels, *columns: NDArray[Any]) -> list[NDArray[Any]]:
    """The points of a curve without those between the first and the last that are no corners."""
    if len(columns[0]) <= 2:
        return list(columns)
    kept = np.flatnonzero(np.concatenate([[True], corner, [True]]))
    return [column[kept] for column in columns]


def _rate(counts: NDArray[Any], message: str) -> Floats:
    """The counts with a leading 0 as shares of the last one."""
    rate = np.zeros(len(counts) + 1)
    if counts[-1] > 0:
        np.divide(counts, counts[-1], out=rate[1:])
    else:
        warn_undefined(message)
        rate[:] = np.nan
    return rate


def _roc_area(fps: NDArray[Any], tps: NDArray[Any], max_fpr: float) -> Result:
    """The area under the ROC curve along the last axis, up to ``max_fpr`` and then standardised; nan for one class.

    Each step to the right is a trapezium, from the height before it to the height after it; the one that the limit
    cuts ends at the height that it has reached there.
    """
    width, rise = np.diff(fps, prepend=0), np.diff(tps, prepend=0)
    used = np.diff(np.minimum(fps, max_fpr * fps[..., -1:]), prepend=0)
    left = tps - rise
    right = left + rise * divide(used, width, undefined=0.0, why="")
    doubled = (used * (left + right)).sum(axis=-1)
    area = divide(doubled, 2.0 * fps[..., -1] * tps[..., -1], undefined=np.nan, why="")
    if max_fpr == 1:
        return area
    random = max_fpr**2 / 2
    return 0.5 * (1 + (area - random) / (max_fpr - random))


def _step_area(fps: NDArray[Any], tps: NDArray[Any]) -> Result:
    """The area under the stepwise P-R curve along the last axis; 0 without a positive."""
    predicted, gained = tps + fps, tps.copy()
    predicted[predicted == 0] = 1
    gained[..., 1:] -= tps[..., :-1]
    area = (gained * (tps / predicted)).sum(axis=-1)
    n_positive = tps[..., -1]
    return as_result(np.asarray(area / np.where(n_positive > 0, n_positive, 1)))


def _average_precision(keys: Keys) -> float:
    """`_step_area` from the positives alone, without weights.

    Among equal scores the positives come last, so the last of them has everything tied with it before it:
    its place among the positives and its place among all are the numerator and the denominator of the precision.
    """
    area, before = 0.0, 0
    for start, block in blocks(keys):
        places = places_of_positives(block)
        if len(places):
            last = run_ends(block[places])
            share = (last + (before + 1)) / (places[last] + (start + 1))
            last[1:] -= last[:-1].copy()
            last[0] += 1
            area += float((last * share).sum())
            before += len(places)
    return area / before


def _auc(
    positive: Labels, scores: NDArray[Any], weights: Floats | None, *, rows: bool = False, max_fpr: float = 1.0
) -> Result:
    """The AUC of one set of samples or of each row; without weights and limit, from the exact number of pairs."""
    n_positive = int(np.count_nonzero(positive))
    if rows:
        area = _roc_area(*_counts_of_rows(positive, scores), max_fpr)
    elif weights is not None or max_fpr < 1:
        area = _roc_area(*_counts(positive, scores, weights)[:2], max_fpr)
    elif 0 < n_positive < len(positive):
        n_pairs = n_positive * (len(positive) - n_positive)
        area = concordant_pairs(sorted_keys(scores, positive)[0]) / (2 * n_pairs)
    else:
        area = np.nan
    if np.isnan(area).any():
        warn_undefined(ONE_CLASS)
    return area


def _ap(positive: Labels, scores: NDArray[Any], weights: Floats | None, *, rows: bool = False) -> Result:
    """The average precision of one set of samples or of each row."""
    if weights is None and not rows and len(positive) > SMALL and positive.any():
        return _average_precision(sorted_keys(scores, positive)[0])
    fps, tps = _counts_of_rows(positive, scores) if rows else _counts(positive, scores, weights)[:2]
    if not tps[..., -1].all():
        warn_undefined(NO_POSITIVE)
    return _step_area(fps, tps)


def _average(
    metric: Callable[..., Result],
    positive: Labels,
    scores: NDArray[Any],
    average: Average,
    weights: Floats | None,
) -> Result:
    """The metric over all entries, or the mean of its values in the columns or rows."""
    n_columns = positive.shape[1]
    if average == "micro":
        return metric(positive.ravel(), scores.ravel(), None if weights is None else weights.repeat(n_columns))
    if average == "samples":
        return mean(np.asarray(metric(positive, scores, None, rows=True)), weights)
    support = positive.sum(axis=0) if weights is None else weights @ positive
    if average == "weighted" and not support.any():
        warn_undefined("y_true holds no positive label: the weighted average is 0/0 and 0.0 is returned.")
        return 0.0
    values = np.array([metric(positive[:, c], scores[:, c], weights) for c in range(n_columns)], dtype=np.float64)
    return values if average is None else mean(values, support if average == "weighted" else None)


def _multiclass_auc(
    labels: NDArray[Any],
    scores: NDArray[Any],
    present: NDArray[Any],
    multi_class: str,
    average: Average,
    weights: Floats | None,
    classes: ArrayLike | None,
) -> Result:
    """One AUC per class against the rest, or per ordered pair of classes, averaged."""
    if multi_class == "raise":
        raise invalid("multi_class", "'ovr' or 'ovo' for more than two classes", "'raise'")
    one_of(average, "average", ("macro", "weighted", *(("micro", None) if multi_class == "ovr" else ())))
    known = present if classes is None else as_labels(classes, "labels")
    if not np.array_equal(known, np.unique(known)):
        raise invalid("labels", "distinct classes in sorted order", known.tolist())
    if scores.shape != (len(labels), len(known)):
        raise invalid("y_score", f"one column for each of {len(known)} classes", f"shape {scores.shape}")
    with np.errstate(over="ignore"):
        sums = scores.sum(axis=1)
    if not np.allclose(sums, 1):
        raise invalid("y_score", "probabilities that sum to 1 in each row", "other sums")
    member = equals(labels[:, None], known)
    if not member.any(axis=1).all():
        raise invalid("labels", "all classes of y_true", known.tolist())
    if multi_class == "ovr":
        return _average(_auc, member, scores, average, weights)
    if weights is not None:
        raise invalid("sample_weight", "None for multi_class='ovo'", "weights")
    values, shares = [], []
    for pair in combinations(np.flatnonzero(member.any(axis=0)), 2):
        rows = member[:, pair].any(axis=1)
        values.append(float(np.mean([_auc(member[rows, c], scores[rows, c], None) for c in pair])))
        shares.append(float(rows.mean()) if average == "weighted" else 1.0)
    if not values:
        warn_undefined(ONE_CLASS)
        return float("nan")
    return mean(np.array(values), np.array(shares))


# ---- groups -------------------------------------------------------------------------------------------------


def _group_codes(values: ArrayLike, length: int) -> tuple[Keys, Callable[[Keys], NDArray[Any]]]:
    """A number for each group that ascends with its label, and the way back to the label.

    Integers are taken as they are, less the smallest, where that leaves enough bits of a key for the rank of a score.
    """
    groups = as_keys(values, "groups")
    if groups.shape != (length,):
        raise invalid("groups", f"{length} values, one per sample", f"shape {groups.shape}")
    if groups.dtype.kind in "biu":
        low, high = int(groups.min()), int(groups.max())
        if (high - low).bit_length() + length.bit_length() < KEY_BITS:
            offset = np.uint64(low % 2**64)
            return groups.astype(np.uint64) - offset, lambda codes: (codes + offset).astype(groups.dtype)
    labels, codes = unique_keys(groups, "groups")
    return codes.view(np.uint64), lambda codes: labels[codes.astype(np.int64)]


def _aucs_of_groups(
    codes: Keys, scores: NDArray[Any], positive: Labels, weights: Floats | None
) -> tuple[Keys, Floats, NDArray[Any], NDArray[Any]]:
    """Each group, its AUC (nan for one class), and the numbers (weights) of its samples and of its positives."""
    if weights is None:
        counts = concordant_pairs_by_group(codes, scores, positive)
        aucs = np.full(len(counts.group), np.nan)
        np.divide(counts.concordant, 2 * counts.pairs, out=aucs, where=counts.pairs > 0)
        return counts.group, aucs, counts.size, counts.n_positive
    ranks = ScoreCode(scores).encode(scores)
    order = np.lexsort((ranks, codes))
    codes, ranks, positive, weights = codes[order], ranks[order], positive[order], weights[order]
    starts = np.append(0, places(codes[1:] != codes[:-1]) + 1)
    sizes = np.diff(starts, append=len(codes))
    aucs, size, n_positive = np.empty((3, len(starts)))
    # Groups of similar size stand side by side as rows, so that no sum crosses their borders; gaps weigh nothing.
    for length in np.unique(np.frexp(sizes)[1]):
        rows = np.frexp(sizes)[1] == length
        column = np.arange(sizes[rows].max())
        at = starts[rows, None] + column
        gap = column >= sizes[rows, None]
        at[gap] = 0
        weight = np.where(gap, 0, weights[at])
        size[rows], n_positive[rows] = weight.sum(axis=1), (weight * positive[at]).sum(axis=1)
        weight = np.ldexp(weight, -np.frexp(weight.max(axis=1, keepdims=True))[1])
        hits = weight * positive[at]
        fps, tps = _before_ties(ranks[at], (weight - hits).cumsum(axis=1), hits.cumsum(axis=1))
        aucs[rows] = _roc_area(fps, tps, 1.0)
    return codes[starts], aucs, size, n_positive


def _group_weights(
    weights: str | Mapping[Any, float], size: NDArray[Any], n_positive: NDArray[Any], labels: NDArray[Any]
) -> NDArray[Any] | None:
    if isinstance(weights, str):
        return {"impressions": size, "clicks": n_positive}.get(weights)
    table = dict(weights.items())
    try:
        values = list(map(table.__getitem__, labels.tolist()))
    except KeyError as error:
        raise invalid("weights", "a weight for each group that is kept", f"none for {error.args[0]!r}") from error
    return as_weights(values, len(labels), "weights")
