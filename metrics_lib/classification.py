"""Counts and rates of predicted classes: the confusion matrix and the measures computed from it.

Labels are integers (64 bits, signed or not), booleans, strings, or floats that are whole numbers; pandas columns and
SciPy's sparse indicator matrices are taken too. Dates and bytes are refused: convert them to strings.
"""

import math
import numbers
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, Literal, NamedTuple, Self, TypedDict, TypeVar, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    TARGETS,
    as_column,
    as_count,
    as_labels,
    as_numbers,
    as_targets,
    as_weights,
    check_flag,
    check_pos_label,
    check_scores,
    distinct,
    equals,
    invalid,
    of_one_kind,
    one_of,
    positives,
    shown,
    warn_undefined,
)
from metrics_lib._floats import BLOCK, Result, mean, precision_share, row_blocks

__all__ = [
    "ConfusionCounts",
    "PrecisionRecallFscoreSupport",
    "accuracy_score",
    "balanced_accuracy_score",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "jaccard_score",
    "macro_f1_score",
    "matthews_corrcoef",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "top_k_accuracy_score",
    "zero_one_loss",
]

Label = float | bool | str
Average = Literal["binary", "micro", "macro", "weighted", "samples"]
ZeroDivision = float | Literal["warn"]


class _Options(TypedDict, total=False):
    """What precision, recall and F take beside ``average``, for their overloads."""

    labels: ArrayLike | None
    pos_label: Label | None
    sample_weight: ArrayLike | None
    zero_division: ZeroDivision


class _ScoresOptions(_Options, total=False):
    """What `precision_recall_fscore_support` takes beside ``average``."""

    beta: float
    warn_for: Collection[str]


class _ReportOptions(TypedDict, total=False):
    """What `classification_report` takes beside ``output_dict``."""

    labels: ArrayLike | None
    target_names: Sequence[str] | NDArray[Any] | None
    sample_weight: ArrayLike | None
    digits: int
    zero_division: ZeroDivision


Value = TypeVar("Value")
Support = TypeVar("Support")


class PrecisionRecallFscoreSupport(NamedTuple, Generic[Value, Support]):
    """What `precision_recall_fscore_support` returns; unpacks as ``precision, recall, fscore, support``.

    Parameters
    ----------
    precision, recall, fscore : float or ndarray of shape (n_classes,)
        Values in [0, 1]: averages, or one for each label.
    support : ndarray of shape (n_classes,) or None
        The number (the weight) of true samples of each label; None beside averages.
    """

    precision: Value
    recall: Value
    fscore: Value
    support: Support


_SCORES = {"precision": 1.0, "recall": 0.0, "f-score": 0.5}  # the weight of precision in F-beta
_COLUMNS = ("precision", "recall", "f1-score", "support")
_FAR = 2**1020  # counts stay below it, so that their sums stay finite


@dataclass(frozen=True)
class ConfusionCounts:
    r"""The four cells of a binary confusion matrix, and the rates made of them.

    Parameters
    ----------
    tp : int or float
        Positives predicted positive: their number, or their weight.
    fp : int or float
        Negatives predicted positive.
    fn : int or float
        Positives predicted negative.
    tn : int or float
        Negatives predicted negative.

    Raises
    ------
    ValueError
        If a count is not a non-negative number below 2**1020, so that float64 holds every sum of counts.

    Notes
    -----
    Every rate lies in [0, 1], and is ``nan`` where its denominator is zero; no warning is issued.
    The true positive rate is ``recall``.
    The count form of F1, :math:`2TP/(2TP+FP+FN)`, is 0 where nothing is predicted positive although positives exist
    (a *defined zero*), while the form by precision and recall is undefined there.

    References
    ----------
    Fawcett (2006). van Rijsbergen (1979).

    Examples
    --------
    >>> counts = ConfusionCounts(tp=40, fp=20, fn=10, tn=30)
    >>> counts.accuracy, counts.recall, counts.false_positive_rate
    (0.7, 0.8, 0.4)
    >>> counts.fbeta(2.0)
    0.7692307692307693
    >>> ConfusionCounts.from_labels(["cat", "cat", "dog"], ["cat", "dog", "cat"], pos_label="cat")
    ConfusionCounts(tp=1, fp=1, fn=1, tn=0)
    """

    tp: float
    fp: float
    fn: float
    tn: float

    def __post_init__(self) -> None:
        for field in fields(self):
            count = getattr(self, field.name)
            if isinstance(count, bool) or not isinstance(count, numbers.Real) or not 0 <= cast(float, count) < _FAR:
                raise invalid(field.name, "a non-negative number below 2**1020", repr(count))
            object.__setattr__(self, field.name, int(count) if isinstance(count, numbers.Integral) else float(count))

    @classmethod
    def from_labels(
        cls, y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Label = 1, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Count the four cells of ``pos_label`` against all other labels.

        Parameters
        ----------
        y_true : array_like of shape (n_samples,)
            True labels: integers, booleans or strings.
        y_pred : array_like of shape (n_samples,)
            Predicted labels.
        pos_label : int, bool or str, default=1
            The positive label. With more than two labels the others together are the negative class.
        sample_weight : array_like of shape (n_samples,), default=None
            Non-negative weights, not all zero. The cells are then sums of weights, integers where the weights are.

        Returns
        -------
        ConfusionCounts

        Raises
        ------
        ValueError
            If the labels are invalid, or two or more labels occur and ``pos_label`` is not among them.
        """
        true, pred, weights = _vectors(y_true, y_pred, sample_weight, exact_weights=True)
        check_pos_label(pos_label)
        positive, found = equals(true, pos_label), equals(pred, pos_label)
        if not (positive.any() or found.any()):
            positives(np.concatenate([true, pred]), pos_label)
        cells = positive & found, found & ~positive, positive & ~found, ~(positive | found)
        if weights is None:
            return cls(*(int(np.count_nonzero(cell)) for cell in cells))
        return cls(*(weights[cell].sum().item() for cell in cells))

    @property
    def accuracy(self) -> float:
        """The share of correct predictions, (TP + TN) / n."""
        return _quotient(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn)

    @property
    def error_rate(self) -> float:
        """The share of wrong predictions, (FP + FN) / n."""
        return _quotient(self.fp + self.fn, self.tp + self.fp + self.fn + self.tn)

    @property
    def precision(self) -> float:
        """The share of positives among those predicted positive, TP / (TP + FP)."""
        return _quotient(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """The share of the positives that are predicted positive, TP / (TP + FN); also true positive rate."""
        return _quotient(self.tp, self.tp + self.fn)

    @property
    def specificity(self) -> float:
        """The share of the negatives that are predicted negative, TN / (FP + TN)."""
        return _quotient(self.tn, self.fp + self.tn)

    @property
    def false_positive_rate(self) -> float:
        """The share of the negatives that are predicted positive, FP / (FP + TN)."""
        return _quotient(self.fp, self.fp + self.tn)

    @property
    def false_discovery_rate(self) -> float:
        """The share of negatives among those predicted positive, FP / (TP + FP)."""
        return _quotient(self.fp, self.tp + self.fp)

    @property
    def prevalence(self) -> float:
        """The share of positives, (TP + FN) / n."""
        return _quotient(self.tp + self.fn, self.tp + self.fp + self.fn + self.tn)

    @property
    def f1(self) -> float:
        """F1 from the counts, 2TP / (2TP + FP + FN)."""
        return _quotient(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def fbeta(self, beta: float) -> float:
        r"""F-beta from the counts, :math:`(1+\beta^2)TP/((1+\beta^2)TP+\beta^2FN+FP)`.

        Parameters
        ----------
        beta : float
            How many times as much recall counts as precision, from 0 (precision) to infinity (recall).

        Returns
        -------
        float
            The value in [0, 1], ``nan`` for 0/0.

        Raises
        ------
        ValueError
            If ``beta`` is negative or not a number.
        """
        alpha = precision_share(beta)
        return _quotient(self.tp, self.tp + alpha * self.fp + (1 - alpha) * self.fn)


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: Literal["true", "pred", "all"] | None = None,
) -> NDArray[Any]:
    r"""How often each true class was predicted as each class.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        True labels: integers, booleans or strings. Floats are taken where they are whole numbers.
    y_pred : array_like of shape (n_samples,)
        Predicted labels.
    labels : array_like of shape (n_classes,), default=None
        The classes of rows and columns, in this order; samples of other classes are left out.
        A class may be absent from the data, but at least one must be in ``y_true``.
        Default: all labels of ``y_true`` and ``y_pred``, sorted.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    normalize : {'true', 'pred', 'all'}, default=None
        Divide by the sum of the row, of the column, or of the matrix.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Row i, column j: the number of samples of class i predicted as class j. Integers, unless ``normalize`` is given
        or the weights are floats.

    Raises
    ------
    ValueError
        If an argument is invalid, the labels are an indicator matrix, ``labels`` names a label twice or none of
        ``y_true``, or the sum of the weights leaves the range of their type.

    Warns
    -----
    UndefinedMetricWarning
        If a sum to divide by is zero; the cells concerned are set to 0.
    UserWarning
        If the matrix has a single class because ``labels`` is not given and the data hold no other.

    Notes
    -----
    .. math:: C_{ij} = \sum_{s} w_s \, \mathbb I(y_s = i) \, \mathbb I(\hat y_s = j)

    Rows are true and columns predicted, in ascending order, so that labels 0 and 1 give ``[[TN, FP], [FN, TP]]``: the
    layout of scikit-learn.
    Zhou (2016) puts the positive class first (``labels=[1, 0]``); Fawcett (2006) also puts the predicted classes in the
    rows (``labels=[1, 0]``, then ``.T``), and both layouts are taught in lecture notes.

    References
    ----------
    Fawcett (2006). Zhou (2016).

    Examples
    --------
    >>> confusion_matrix([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2])
    array([[2, 0, 0],
           [0, 0, 1],
           [1, 0, 2]])
    >>> confusion_matrix(["cat", "dog", "cat"], ["cat", "cat", "cat"], labels=["dog", "cat"])
    array([[0, 1],
           [0, 2]])
    """
    one_of(normalize, "normalize", (None, "true", "pred", "all"))
    true, pred, weights = _vectors(y_true, y_pred, sample_weight, exact_weights=normalize is None)
    matrix = _matrix_of_labels(true, pred, weights, labels)
    if labels is None and len(matrix) == 1:
        message = "confusion_matrix: y_true and y_pred hold a single label; list all labels in labels="
        warnings.warn(message, UserWarning, stacklevel=2)
    return matrix if normalize is None else _normalized(matrix, normalize)


def accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    r"""The share of samples whose prediction is right.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    normalize : bool, default=True
        Return the share; otherwise the number (the weight) of right predictions.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        A share in [0, 1], or a number of samples.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    .. math:: \mathrm{Acc} = \frac{\sum_s w_s \, \mathbb I(\hat y_s = y_s)}{\sum_s w_s}

    For an indicator matrix a row counts as right only if all its labels are (subset accuracy).
    A constant prediction of the largest class reaches that class's share.

    References
    ----------
    Zhou (2016). Wu and Zhou (2017).

    Examples
    --------
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3])
    0.5
    >>> accuracy_score([0, 1, 2, 3], [0, 2, 1, 3], normalize=False)
    2.0
    >>> accuracy_score([[0, 1], [1, 1]], [[1, 1], [1, 1]])
    0.5
    """
    return _share(y_true, y_pred, normalize, sample_weight, of_right=True)


def zero_one_loss(
    y_true: ArrayLike, y_pred: ArrayLike, *, normalize: bool = True, sample_weight: ArrayLike | None = None
) -> float:
    r"""The share of samples whose prediction is wrong: one minus the accuracy.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    normalize : bool, default=True
        Return the share; otherwise the number (the weight) of wrong predictions.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        A share in [0, 1], or a number of samples.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    .. math:: \mathrm{Err} = \frac{\sum_s w_s \, \mathbb I(\hat y_s \ne y_s)}{\sum_s w_s}

    For an indicator matrix one wrong label makes its row wrong; `metrics_lib.multilabel.hamming_loss` counts the
    labels instead.

    References
    ----------
    Zhou (2016). Wu and Zhou (2017).

    Examples
    --------
    >>> zero_one_loss([1, 2, 3, 4], [2, 2, 3, 4])
    0.25
    """
    return _share(y_true, y_pred, normalize, sample_weight, of_right=False)


def top_k_accuracy_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    r"""The share of samples whose true class is among the ``k`` classes with the highest scores.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        True labels: integers, booleans or strings.
    y_score : array_like of shape (n_samples, n_classes) or (n_samples,)
        A score for each class, higher for "more likely", columns in the order of the sorted labels. For two classes
        one column, the scores of the greater label: probabilities, or decision values around 0.
    k : int, default=2
        How many classes may be named, at least 1.
    normalize : bool, default=True
        Return the share; otherwise the number (the weight) of samples.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    labels : array_like of shape (n_classes,), default=None
        All classes in sorted order, where ``y_true`` may lack one. Default: the labels of ``y_true``.

    Returns
    -------
    float
        A share in [0, 1], or a number of samples.

    Raises
    ------
    ValueError
        If an argument is invalid, the scores do not fit the classes, or ``labels`` lacks a label of ``y_true``.

    Warns
    -----
    UndefinedMetricWarning
        If ``k`` is at least the number of classes, because then no prediction can be wrong.

    See Also
    --------
    accuracy_score : The same for predicted labels, and for ``k=1`` without ties.

    Notes
    -----
    With the score :math:`s_{ic}` of class c for sample i, of true class :math:`y_i`,

    .. math:: \mathrm{Acc@}k = \frac{\sum_i w_i \, \mathbb I(r_i \le k)}{\sum_i w_i}, \qquad
              r_i = 1 + \#\{c : s_{ic} > s_{i y_i}\} + \#\{c > y_i : s_{ic} = s_{i y_i}\}

    Of classes with equal scores, the one that is last in the order of the labels comes first, as in scikit-learn.
    A model that gives every class the same score thus names the last ``k`` classes.
    For two classes and ``k=1``, the greater label is predicted where its score is above 1/2 if all scores are in
    [0, 1], and above 0 otherwise.
    It is the hit rate at ``k`` of lists in which the true class is the only relevant item.
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Pedregosa et al. (2011).

    Examples
    --------
    >>> y_score = [[0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.7, 0.2, 0.1]]
    >>> top_k_accuracy_score([0, 1, 2, 2], y_score, k=2)
    0.75
    >>> top_k_accuracy_score([0, 1, 2, 2], y_score, k=1, normalize=False)
    2.0
    >>> top_k_accuracy_score([0, 1, 2], [[0.4, 0.4, 0.2]] * 3, k=1)
    0.3333333333333333
    """
    k = as_count(k, "k")
    check_flag(normalize, "normalize")
    true, scores = as_labels(y_true, "y_true"), as_column(as_numbers(y_score, "y_score"))
    if true.ndim != 1:
        raise invalid("y_true", "labels in one dimension", f"shape {true.shape}")
    weights = as_weights(sample_weight, len(true), exact=not normalize)
    classes = distinct(true)
    if labels is not None:
        classes, true = _as_classes(labels, true)
        if not np.array_equal(classes, np.unique(classes)):
            raise invalid("labels", "distinct classes in sorted order", classes.tolist())
    if len(classes) < 2:
        raise invalid("y_true" if labels is None else "labels", "two classes or more", shown(classes))
    places = _positions(true, classes)
    if places.max() == len(classes):
        raise invalid("labels", "all classes of y_true", classes.tolist())
    if len(classes) == 2:
        check_scores(true, scores, "y_score")
    elif scores.shape != (len(true), len(classes)):
        raise invalid("y_score", f"one column for each of {len(classes)} classes", f"shape {scores.shape}")
    if k >= len(classes):
        warn_undefined(f"top_k_accuracy_score: nothing can be wrong, as k={k} names all of {len(classes)} classes")
        hits = np.ones(len(true), dtype=np.bool_)
    elif len(classes) == 2:
        threshold = 0.5 if scores.min() >= 0 and scores.max() <= 1 else 0.0
        hits = (scores > threshold) == (places == 1)
    else:
        hits = _ranks(scores, places) < k
    return _total(hits, weights, normalize)


@overload
def precision_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: Average = "binary", **options: Unpack[_Options]
) -> float: ...
@overload
def precision_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: None, **options: Unpack[_Options]
) -> NDArray[np.float64]: ...
def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Result:
    r"""The share of positives among the samples predicted positive.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    labels : array_like of shape (n_classes,), default=None
        The labels to report or to average, in this order; a label that does not occur counts as 0/0. For indicator
        matrices the indices of columns. Ignored with ``average='binary'``. Default: all labels, sorted.
    pos_label : int, bool or str, default=1
        The positive label with ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', 'samples'} or None, default='binary'
        How the labels become one number.
        ``'binary'``: only ``pos_label``, for data of at most two labels.
        ``'micro'``: from the counts summed over the labels.
        ``'macro'``: the mean of the labels' values.
        ``'weighted'``: their mean weighted by the number of true samples; the plain mean where no label has any.
        ``'samples'``: the mean of the rows' values, for indicator matrices.
        None: one value for each label.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0. ``'warn'``: 0, with a warning. ``nan``: left out of averages.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Values in [0, 1].

    Raises
    ------
    ValueError
        If an argument is invalid, or ``average`` does not fit the data.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``, if a label (a row) has no predicted samples (labels), or if the weights of
        ``average='weighted'`` are all 0.
    UserWarning
        If ``pos_label`` or ``labels`` is given but unused.

    Notes
    -----
    .. math:: P = \frac{TP}{TP + FP}

    In a single-label problem over all labels, micro precision, micro recall and accuracy are the same number.

    References
    ----------
    Manning et al. (2008). Sokolova and Lapalme (2009).

    Examples
    --------
    >>> precision_score([0, 1, 1, 0], [1, 1, 1, 0])
    0.6666666666666666
    >>> precision_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average=None)
    array([0.66666667, 0.        , 0.        ])
    """
    groups = _groups(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return groups.fbeta(1.0, "precision_score")


@overload
def recall_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: Average = "binary", **options: Unpack[_Options]
) -> float: ...
@overload
def recall_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: None, **options: Unpack[_Options]
) -> NDArray[np.float64]: ...
def recall_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Result:
    r"""The share of the positive samples that are predicted positive.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    labels : array_like of shape (n_classes,), default=None
        The labels to report or to average, in this order; see `precision_score`.
    pos_label : int, bool or str, default=1
        The positive label with ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', 'samples'} or None, default='binary'
        How the labels become one number; see `precision_score`.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0. ``'warn'``: 0, with a warning. ``nan``: left out of averages.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Values in [0, 1].

    Raises
    ------
    ValueError
        If an argument is invalid, or ``average`` does not fit the data.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``, if a label (a row) has no true samples (labels).
    UserWarning
        If ``pos_label`` or ``labels`` is given but unused.

    Notes
    -----
    .. math:: R = \frac{TP}{TP + FN}

    Weighted recall over all labels of a single-label problem is the accuracy.

    References
    ----------
    Manning et al. (2008). Sokolova and Lapalme (2009).

    Examples
    --------
    >>> recall_score([0, 1, 1, 0], [1, 1, 0, 0])
    0.5
    >>> recall_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average="macro")
    0.3333333333333333
    """
    groups = _groups(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return groups.fbeta(0.0, "recall_score")


@overload
def f1_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: Average = "binary", **options: Unpack[_Options]
) -> float: ...
@overload
def f1_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: None, **options: Unpack[_Options]
) -> NDArray[np.float64]: ...
def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Result:
    r"""F1, the harmonic mean of precision and recall.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    labels : array_like of shape (n_classes,), default=None
        The labels to report or to average, in this order; see `precision_score`.
    pos_label : int, bool or str, default=1
        The positive label with ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', 'samples'} or None, default='binary'
        How the labels become one number; see `precision_score`.
        ``'macro'`` is the mean of the labels' F1; the F1 of the mean precision and the mean recall is `macro_f1_score`
        with ``definition='f1_of_means'``.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0. ``'warn'``: 0, with a warning. ``nan``: left out of averages.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Values in [0, 1].

    Raises
    ------
    ValueError
        If an argument is invalid, or ``average`` does not fit the data.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``, if a label (a row) has neither true nor predicted samples (labels), or if the
        weights of ``average='weighted'`` are all 0.
    UserWarning
        If ``pos_label`` or ``labels`` is given but unused.

    Notes
    -----
    .. math:: F_1 = \frac{2TP}{2TP + FP + FN} = \frac{2PR}{P + R}

    The count form is used, as in scikit-learn. Where TP = 0 and FP + FN > 0 it is 0, a *defined zero* without a
    warning; it is undefined only where TP + FP + FN = 0. The form by P and R is 0/0 already where nothing is predicted
    positive.
    The macro, instance and micro F1 of Wu and Zhou (2017) are ``average='macro'``, ``'samples'`` and ``'micro'``.

    References
    ----------
    van Rijsbergen (1979). Opitz and Burst (2019). Wu and Zhou (2017).

    Examples
    --------
    >>> f1_score([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
    0.8
    >>> f1_score([0, 1, 2, 0, 1, 2], [0, 2, 1, 0, 0, 1], average=None)
    array([0.8, 0. , 0. ])
    >>> f1_score([[1, 0, 1], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]], average="samples")
    0.9
    """
    groups = _groups(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return groups.fbeta(0.5, "f1_score")


@overload
def fbeta_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, beta: float, average: Average = "binary", **options: Unpack[_Options]
) -> float: ...
@overload
def fbeta_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, beta: float, average: None, **options: Unpack[_Options]
) -> NDArray[np.float64]: ...
def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Result:
    r"""F-beta, the weighted harmonic mean of precision and recall.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    beta : float
        How many times as much recall counts as precision, from 0 (precision) to infinity (recall).
    labels : array_like of shape (n_classes,), default=None
        The labels to report or to average, in this order; see `precision_score`.
    pos_label : int, bool or str, default=1
        The positive label with ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', 'samples'} or None, default='binary'
        How the labels become one number; see `precision_score`.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0. ``'warn'``: 0, with a warning. ``nan``: left out of averages.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Values in [0, 1].

    Raises
    ------
    ValueError
        If an argument is invalid, or ``average`` does not fit the data.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``, if a value, or the weighted mean of the values, is 0/0.
    UserWarning
        If ``pos_label`` or ``labels`` is given but unused.

    Notes
    -----
    .. math::

        F_\beta = \frac{(1+\beta^2)TP}{(1+\beta^2)TP + \beta^2 FN + FP}
                = \frac{1}{\alpha/P + (1-\alpha)/R}, \qquad \alpha = \frac{1}{1+\beta^2}

    Where TP = 0 and FP + FN > 0 it is 0, a *defined zero*.
    The second form is van Rijsbergen's (1979); it makes precision (:math:`\alpha=1`) and recall (:math:`\alpha=0`) the
    two ends.

    References
    ----------
    van Rijsbergen (1979).

    Examples
    --------
    >>> fbeta_score([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], beta=2)
    0.7142857142857143
    """
    groups = _groups(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return groups.fbeta(precision_share(beta), "fbeta_score")


@overload
def precision_recall_fscore_support(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: None = None, **options: Unpack[_ScoresOptions]
) -> PrecisionRecallFscoreSupport[NDArray[np.float64], NDArray[Any]]: ...
@overload
def precision_recall_fscore_support(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: Average, **options: Unpack[_ScoresOptions]
) -> PrecisionRecallFscoreSupport[float, None]: ...
def precision_recall_fscore_support(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float = 1.0,
    labels: ArrayLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = None,
    warn_for: Collection[str] = tuple(_SCORES),
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> PrecisionRecallFscoreSupport[Any, Any]:
    r"""Precision, recall, F-beta and the number of true samples, for each label or averaged.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    beta : float, default=1.0
        How many times as much recall counts as precision, from 0 (precision) to infinity (recall).
    labels : array_like of shape (n_classes,), default=None
        The labels to report or to average, in this order; see `precision_score`.
    pos_label : int, bool or str, default=1
        The positive label with ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', 'samples'} or None, default=None
        How the labels become one number; see `precision_score`. None: one value for each label.
    warn_for : tuple, list or set of str, default=('precision', 'recall', 'f-score')
        Which of the three warn where they are 0/0.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0. ``'warn'``: 0, with a warning. ``nan``: left out of averages.

    Returns
    -------
    PrecisionRecallFscoreSupport
        ``precision``, ``recall`` and ``fscore`` in [0, 1], and ``support``, the number of true samples of each label (a
        sum of weights where there are any). An average has no support: there it is None.

    Raises
    ------
    ValueError
        If an argument is invalid, or ``average`` does not fit the data.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``, for each of ``warn_for`` if a value, or the weighted mean of the values, is 0/0.
    UserWarning
        If ``pos_label`` or ``labels`` is given but unused.

    See Also
    --------
    precision_score, recall_score, fbeta_score : One of the three alone.
    classification_report : All of them as a text.

    Notes
    -----
    .. math::
        P = \frac{TP}{TP + FP}, \qquad R = \frac{TP}{TP + FN}, \qquad
        F_\beta = \frac{(1+\beta^2)TP}{(1+\beta^2)TP + \beta^2 FN + FP}

    The labels are counted once for all three, and the values are those of the functions for one of them.
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Sokolova and Lapalme (2009). van Rijsbergen (1979).

    Examples
    --------
    >>> y_true, y_pred = ["cat", "cat", "dog", "dog", "dog"], ["cat", "dog", "dog", "dog", "dog"]
    >>> scores = precision_recall_fscore_support(y_true, y_pred)
    >>> scores.precision, scores.support
    (array([1.  , 0.75]), array([2, 3]))
    >>> precision, recall, fscore, _ = precision_recall_fscore_support(y_true, y_pred, average="macro")
    >>> precision, recall
    (0.875, 0.75)
    """
    if not isinstance(warn_for, (tuple, list, set, frozenset)) or not set(warn_for) <= set(_SCORES):
        raise invalid("warn_for", "a collection of 'precision', 'recall' and 'f-score'", repr(warn_for))
    shares = _SCORES | {"f-score": precision_share(beta)}
    groups = _groups(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    precision, recall, fscore = (
        (groups if score in warn_for else groups.silent()).fbeta(share, f"precision_recall_fscore_support, {score}")
        for score, share in shares.items()
    )
    support = _support(groups.tally, sample_weight) if average is None else None
    return PrecisionRecallFscoreSupport(precision, recall, fscore, support)


@overload
def classification_report(
    y_true: ArrayLike, y_pred: ArrayLike, *, output_dict: Literal[False] = False, **options: Unpack[_ReportOptions]
) -> str: ...
@overload
def classification_report(
    y_true: ArrayLike, y_pred: ArrayLike, *, output_dict: Literal[True], **options: Unpack[_ReportOptions]
) -> dict[str, Any]: ...
def classification_report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    target_names: Sequence[str] | NDArray[Any] | None = None,
    sample_weight: ArrayLike | None = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: ZeroDivision = "warn",
) -> str | dict[str, Any]:
    r"""Precision, recall, F1 and support of each label and their averages, as a text or a dictionary.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    labels : array_like of shape (n_classes,), default=None
        The labels to report, in this order; see `precision_score`.
    target_names : sequence of str, default=None
        What to call the labels, in the same order. Default: the labels themselves.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    digits : int, default=2
        Digits after the point in the text. A dictionary holds unrounded numbers.
    output_dict : bool, default=False
        Return a dictionary.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0. ``'warn'``: 0, with a warning. ``nan``: left out of averages.

    Returns
    -------
    str or dict
        A table with a row for each label, and below it the averages. As a dictionary, each row by its name:
        ``{'precision': ..., 'recall': ..., 'f1-score': ..., 'support': ...}``, and ``'accuracy'`` as a float.

    Raises
    ------
    ValueError
        If an argument is invalid, or ``target_names`` are not as many as the labels of the data.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``, if a value of a label or of a row of indicators is 0/0.
    UserWarning
        If ``target_names`` are not as many as ``labels``; what is left over is not shown.

    See Also
    --------
    precision_recall_fscore_support : The numbers of the table.

    Notes
    -----
    With the values :math:`P_c` and the supports :math:`n_c` of C labels, the averages of precision, and in the same
    way those of recall and F1, are

    .. math::
        P_\mathrm{micro} = \frac{\sum_c TP_c}{\sum_c (TP_c + FP_c)}, \qquad
        P_\mathrm{macro} = \frac1C \sum_c P_c, \qquad
        P_\mathrm{weighted} = \frac{\sum_c n_c P_c}{\sum_c n_c}

    The row "micro avg" is called "accuracy" where every sample has one label and all labels that occur are in the
    report, because then micro precision, recall and F1 are all equal to the accuracy.
    Indicator matrices have a row "samples avg" in addition, the mean over the samples.
    The mean of the labels' F1 is in general not the F1 of the two means in its row.
    Arguments, defaults, text and values are those of scikit-learn 1.9.

    References
    ----------
    Pedregosa et al. (2011). Opitz and Burst (2019).

    Examples
    --------
    >>> y_true, y_pred = ["cat", "cat", "dog", "dog", "dog"], ["cat", "dog", "dog", "dog", "dog"]
    >>> print(classification_report(y_true, y_pred))
                  precision    recall  f1-score   support
    <BLANKLINE>
             cat       1.00      0.50      0.67         2
             dog       0.75      1.00      0.86         3
    <BLANKLINE>
        accuracy                           0.80         5
       macro avg       0.88      0.75      0.76         5
    weighted avg       0.85      0.80      0.78         5
    <BLANKLINE>
    >>> classification_report(y_true, y_pred, output_dict=True)["macro avg"]["recall"]
    0.75
    """
    check_flag(output_dict, "output_dict")
    if isinstance(digits, (bool, np.bool_)) or not isinstance(digits, (int, np.integer)) or digits < 0:
        raise invalid("digits", "an integer of at least 0", repr(digits))
    true, pred, _ = as_targets(y_true, y_pred, None)
    groups = _groups(true, pred, labels, 1, None, sample_weight, zero_division)
    names = _row_names(groups.tally.names, y_true, y_pred, labels) if target_names is None else _as_names(target_names)
    if len(names) != len(groups.tally.names):
        expected = f"{len(groups.tally.names)} names, one for each label"
        if labels is None:
            raise invalid("target_names", f"{expected}, or labels= for another number", len(names))
        warnings.warn(f"target_names: expected {expected} of labels=, got {len(names)}", UserWarning, stacklevel=2)
    support = _support(groups.tally, sample_weight)
    total = support.sum().item()
    rows = list(zip(names, *groups.scores(), support.tolist(), strict=False))
    averages = [
        (name, *averaged.scores(), total)
        for name, averaged in _report_averages(groups, true, pred, labels, sample_weight).items()
    ]
    if output_dict:
        report = {name: dict(zip(_COLUMNS, map(float, row), strict=True)) for name, *row in rows + averages}
        return report | {name: row[0] for name, *row in averages if name == "accuracy"}
    width = max(*(len(str(name)) for name in names), len("weighted avg"), digits)

    def line(name: object, cells: Sequence[str]) -> str:
        return f"{name!s:>{width}} " + "".join(f" {cell:>9}" for cell in cells) + "\n"

    def texts(row: list[Any]) -> list[str]:
        return [*(f"{value:.{digits}f}" for value in row[:3]), str(row[3])]

    lines = [line("", _COLUMNS), "\n", *(line(name, texts(row)) for name, *row in rows), "\n"]
    lines += [line(name, ["", "", *texts(row)[2:]] if name == "accuracy" else texts(row)) for name, *row in averages]
    return "".join(lines)


def macro_f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    definition: Literal["mean_of_f1", "f1_of_means"] = "mean_of_f1",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> float:
    r"""Macro-F1 under either of the two definitions in use.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    definition : {'mean_of_f1', 'f1_of_means'}, default='mean_of_f1'
        The mean of the labels' F1, or the F1 of the labels' mean precision and mean recall.
    labels : array_like of shape (n_classes,), default=None
        The labels to average; see `precision_score`.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0 for a label. ``'warn'``: 0, with a warning. ``nan``: left out of the means.

    Returns
    -------
    float
        A value in [0, 1]; 0 where mean precision and mean recall are both 0.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``: for ``'mean_of_f1'`` if a label has neither true nor predicted samples, for
        ``'f1_of_means'`` if a label lacks either.

    Notes
    -----
    .. math::

        \frac1n\sum_{i=1}^n \frac{2P_iR_i}{P_i+R_i}
        \qquad\text{and}\qquad
        \frac{2\bar P\bar R}{\bar P+\bar R}, \quad \bar P=\frac1n\sum_{i=1}^n P_i, \; \bar R=\frac1n\sum_{i=1}^n R_i

    The first is the definition of scikit-learn (``f1_score(average='macro')``) and of Wu and Zhou (2017), the second
    that of Zhou (2016) and of Sokolova and Lapalme (2009). Both are also taught, sometimes in the same lecture notes.
    Where mean precision and mean recall are both 0 the second is a *defined zero*.
    The second is never smaller (Opitz and Burst, 2019), unless ``nan`` leaves out different labels of P and of R.

    References
    ----------
    Opitz and Burst (2019). Sokolova and Lapalme (2009). Wu and Zhou (2017). Zhou (2016).

    Examples
    --------
    >>> y_true, y_pred = [0] * 10 + [1] * 90, [0] + [1] * 99
    >>> round(macro_f1_score(y_true, y_pred), 6)
    0.5671
    >>> round(macro_f1_score(y_true, y_pred, definition="f1_of_means"), 6)
    0.697885
    """
    one_of(definition, "definition", ("mean_of_f1", "f1_of_means"))
    groups = _groups(y_true, y_pred, labels, 1, "macro", sample_weight, zero_division)
    if definition == "mean_of_f1":
        return float(groups.fbeta(0.5, "macro_f1_score"))
    precision, recall = (float(groups.fbeta(alpha, "macro_f1_score")) for alpha in (1.0, 0.0))
    return 0.0 if precision + recall == 0 else 2 * precision * recall / (precision + recall)


@overload
def jaccard_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: Average = "binary", **options: Unpack[_Options]
) -> float: ...
@overload
def jaccard_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, average: None, **options: Unpack[_Options]
) -> NDArray[np.float64]: ...
def jaccard_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Label | None = 1,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: ZeroDivision = "warn",
) -> Result:
    r"""Jaccard index: what is both truly and predicted positive, over what is either.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels (integers, booleans, strings), or an indicator matrix of zeros and ones.
    y_pred : array_like of the same shape
        Predicted labels or indicators.
    labels : array_like of shape (n_classes,), default=None
        The labels to report or to average, in this order; see `precision_score`.
    pos_label : int, bool or str, default=1
        The positive label with ``average='binary'``.
    average : {'binary', 'micro', 'macro', 'weighted', 'samples'} or None, default='binary'
        How the labels become one number; see `precision_score`.
        ``'samples'`` is the overlap of each row's two label sets, which multi-label papers call accuracy.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    zero_division : {'warn', 0, 1, nan}, default='warn'
        The value of 0/0. ``'warn'``: 0, with a warning. ``nan``: left out of averages, where scikit-learn
        refuses it.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Values in [0, 1].

    Raises
    ------
    ValueError
        If an argument is invalid, or ``average`` does not fit the data.

    Warns
    -----
    UndefinedMetricWarning
        With ``zero_division='warn'``, if a label (a row) has neither true nor predicted samples (labels), or if the
        weights of ``average='weighted'`` are all 0.
    UserWarning
        If ``pos_label`` or ``labels`` is given but unused.

    Notes
    -----
    .. math:: J = \frac{TP}{TP + FP + FN} = \frac{F_1}{2 - F_1}

    The second form says that J and F1 put two predictions in the same order; their means over labels or rows may not.
    Pictures call it the intersection over union (IoU), and F1 the Dice coefficient.
    Where TP = 0 and FP + FN > 0 it is a *defined zero*.

    References
    ----------
    Jaccard (1912). Zhang and Zhou (2014).

    Examples
    --------
    >>> jaccard_score([0, 1, 1, 0, 1], [0, 1, 0, 0, 1])
    0.6666666666666666
    >>> jaccard_score([[1, 0, 1], [0, 1, 0]], [[1, 1, 1], [0, 1, 0]], average="samples")
    0.8333333333333333
    """
    groups = _groups(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return groups.score(1.0, 1.0, "jaccard_score")


def balanced_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None, adjusted: bool = False
) -> float:
    r"""Balanced accuracy: the mean of the classes' recalls, each class counting the same.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        True labels: integers, booleans or strings.
    y_pred : array_like of shape (n_samples,)
        Predicted labels.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero. They count within a class; between the classes nothing does.
    adjusted : bool, default=False
        Shift and scale, so that a constant prediction has 0 and a perfect one 1.

    Returns
    -------
    float
        A value in [0, 1]; with ``adjusted=True`` and K classes in [-1/(K - 1), 1].

    Raises
    ------
    ValueError
        If an argument is invalid, or the labels are an indicator matrix.

    Warns
    -----
    UndefinedMetricWarning
        If a label is predicted that no sample has: its recall is 0/0 and left out.
        If ``adjusted=True`` and ``y_true`` holds one class: the denominator is 0, and the value nan for a perfect
        prediction and minus infinity for any other.

    Notes
    -----
    With the recalls :math:`R_1, \dots, R_K` of the K classes of ``y_true``,

    .. math::
        \mathrm{BA} = \frac1K \sum_{k=1}^K R_k, \qquad
        \mathrm{BA}_\mathrm{adjusted} = \frac{\mathrm{BA} - 1/K}{1 - 1/K}

    It is macro recall over the classes that occur, and for two classes the mean of recall and specificity; adjusted,
    that is Youden's index, recall + specificity - 1.
    The prevalence does not enter: a constant prediction earns 1/K, however rare a class is.
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Brodersen et al. (2010).

    Examples
    --------
    >>> y_true = [1] * 10 + [0] * 90
    >>> accuracy_score(y_true, [0] * 100), balanced_accuracy_score(y_true, [0] * 100)
    (0.9, 0.5)
    >>> balanced_accuracy_score([0, 1, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1], adjusted=True)
    0.25
    """
    check_flag(adjusted, "adjusted")
    names, tp, _, true = _tally_labels(*_vectors(y_true, y_pred, sample_weight))
    absent = true == 0
    if absent.any():
        where = f"label {_listed(names[absent])}"
        warn_undefined(f"balanced_accuracy_score: recall is 0/0, left out for {where}: no true sample")
    recalls = tp[~absent] / true[~absent]
    score, chance = recalls.mean(), 1 / len(recalls)
    if not adjusted:
        return float(score)
    if chance == 1:
        warn_undefined("balanced_accuracy_score: y_true holds one class only, so adjusted=True divides by zero")
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((score - chance) / (1 - chance))


def matthews_corrcoef(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    r"""Matthews correlation coefficient (MCC): the correlation of the true with the predicted labels.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        True labels: integers, booleans or strings.
    y_pred : array_like of shape (n_samples,)
        Predicted labels.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        A value in [-1, 1]: 1 for a perfect prediction, 0 for one that is independent of the truth. The least value is
        -1 for two classes, and larger where more classes occur.

    Raises
    ------
    ValueError
        If an argument is invalid, or the labels are an indicator matrix.

    Warns
    -----
    UndefinedMetricWarning
        If ``y_true`` or ``y_pred`` holds one class only: the correlation is 0/0, and 0 is returned.

    Notes
    -----
    For two classes it is the Pearson correlation of the two columns of zeros and ones,

    .. math::
        \mathrm{MCC} = \frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}

    and for more, with :math:`t_k` samples of class k, :math:`p_k` predictions of it, :math:`c` right ones and
    :math:`n` samples (Gorodkin),

    .. math::
        \mathrm{MCC} = \frac{c\,n - \sum_k t_k p_k}{\sqrt{(n^2 - \sum_k t_k^2)(n^2 - \sum_k p_k^2)}}

    Neither the choice of the positive class nor an exchange of ``y_true`` and ``y_pred`` changes it.
    Arguments, defaults and values are those of scikit-learn 1.9, which gives 0 without a warning.

    References
    ----------
    Matthews (1975). Gorodkin (2004).

    Examples
    --------
    >>> matthews_corrcoef([1, 1, 1, 0], [1, 0, 1, 1])
    -0.3333333333333333
    >>> matthews_corrcoef(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    0.7
    """
    true, pred, weights = _vectors(y_true, y_pred, sample_weight)
    tally = _tally_codes(_encode(true, pred), weights)
    hits, found, positive = (counts.astype(np.float64) for counts in tally[1:])
    of_found, of_positive = (float(counts @ _others(counts)) for counts in (found, positive))
    if of_found == 0 or of_positive == 0:
        warn_undefined("matthews_corrcoef: 0/0, set to 0: y_true or y_pred holds one class only")
        return 0.0
    covariance = float(hits.sum() * positive.sum() - positive @ found)
    value = covariance / of_found * math.sqrt(of_found / of_positive)  # exactly 1 where all three are equal
    return min(max(value, -1.0), 1.0)


def cohen_kappa_score(
    y1: ArrayLike,
    y2: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    weights: Literal["linear", "quadratic"] | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Cohen's kappa: the agreement of two raters beyond what chance would give them.

    Parameters
    ----------
    y1 : array_like of shape (n_samples,)
        Labels by the first rater: integers, booleans or strings.
    y2 : array_like of shape (n_samples,)
        Labels by the second rater; an exchange of the two changes nothing.
    labels : array_like of shape (n_classes,), default=None
        The classes, in the order that ``weights`` counts distances in; samples with another label are left out.
        At least one must be in ``y1``. Default: all labels of ``y1`` and ``y2``, sorted.
    weights : {'linear', 'quadratic'}, default=None
        What a disagreement costs: 1 whatever the labels, or the distance of their places in ``labels``, or its square.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.
    replace_undefined_by : float, default=nan
        The value of 0/0: nan, or a number in [-1, 1].

    Returns
    -------
    float
        A value in [-1, 1]: 1 for full agreement, 0 for that of chance.

    Raises
    ------
    ValueError
        If an argument is invalid, the labels are an indicator matrix, or ``labels`` names a label twice or none of
        ``y1``.

    Warns
    -----
    UndefinedMetricWarning
        If fewer than two classes are left: chance leaves nothing to disagree on, and kappa is 0/0.

    Notes
    -----
    With the share :math:`p_o` of samples on which both agree, and :math:`p_e` if each drew labels at their own rates,

    .. math::
        \kappa = \frac{p_o - p_e}{1 - p_e}, \qquad
        \kappa_w = 1 - \frac{\sum_{ij} w_{ij} C_{ij}}{\sum_{ij} w_{ij} E_{ij}}

    The second form takes costs :math:`w_{ij}` of disagreements, the confusion matrix C and the matrix
    :math:`E_{ij} = C_{i \cdot} C_{\cdot j} / n` that chance would give; cost 1 off the diagonal makes it the first.
    Linear costs are :math:`|i - j|`, quadratic ones :math:`(i - j)^2`.
    Arguments, defaults and values are those of scikit-learn 1.9.

    References
    ----------
    Cohen (1960). Cohen (1968).

    Examples
    --------
    >>> first = ["negative", "positive", "negative", "neutral", "positive"]
    >>> second = ["negative", "positive", "negative", "neutral", "negative"]
    >>> cohen_kappa_score(first, second)
    0.6875
    >>> cohen_kappa_score([1, 2, 3, 3], [1, 2, 2, 3], weights="quadratic")
    0.8
    """
    one_of(weights, "weights", (None, "linear", "quadratic"))
    number = isinstance(replace_undefined_by, numbers.Real) and not isinstance(replace_undefined_by, bool)
    if not number or abs(replace_undefined_by) > 1:
        raise invalid("replace_undefined_by", "nan or a number from -1 to 1", repr(replace_undefined_by))
    first, second, shares = _vectors(y1, y2, sample_weight, names=("y1", "y2"))
    matrix = _matrix_of_labels(first, second, shares, labels, "y1")
    rows, columns = (matrix.sum(axis=axis, dtype=np.float64) for axis in (1, 0))
    if weights is None:
        np.fill_diagonal(matrix, 0)
        observed, by_chance = matrix.sum(), rows @ _others(columns)
    else:
        place = np.arange(len(matrix), dtype=np.float64)
        cost = np.abs(place[:, None] - place) ** (2 if weights == "quadratic" else 1)
        observed, by_chance = (cost * matrix).sum(), rows @ cost @ columns
    if by_chance == 0:
        where = f"set to {replace_undefined_by}: y1 and y2 hold fewer than two of the classes"
        warn_undefined(f"cohen_kappa_score: 0/0, {where}; choose the value with replace_undefined_by=")
        return float(replace_undefined_by)
    return float(1 - observed * rows.sum() / by_chance)


def _vectors(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike | None,
    *,
    exact_weights: bool = False,
    names: tuple[str, str] = TARGETS,
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]:
    """True and predicted labels, one a sample, and the weights."""
    true, pred, weights = as_targets(y_true, y_pred, sample_weight, exact_weights=exact_weights, names=names)
    if true.ndim == 2:
        raise invalid(names[0], "labels in one dimension", f"shape {true.shape}")
    return true, pred, weights


def _as_classes(labels: ArrayLike, known: NDArray[Any], name: str = "y_true") -> tuple[NDArray[Any], NDArray[Any]]:
    """The vector of classes to report, and the known labels in a type that holds both."""
    classes = as_labels(labels, "labels")
    if classes.ndim != 1:
        raise invalid("labels", "one dimension", f"shape {classes.shape}")
    known, classes = of_one_kind(known, name, classes, "labels")
    return classes.astype(known.dtype) if classes.dtype.kind == "O" else classes, known


def _listed(names: NDArray[Any]) -> str:
    return ", ".join(map(repr, names[:5].tolist())) + (", ..." if len(names) > 5 else "")


def _others(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each count the sum of all others; nothing is subtracted, so that a tiny one keeps its digits."""
    before, after = (np.cumsum(np.append(0, side[:-1]), dtype=np.float64) for side in (counts, counts[::-1]))
    return before + after[::-1]


def _quotient(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else math.nan


def _share(
    y_true: ArrayLike, y_pred: ArrayLike, normalize: bool, sample_weight: ArrayLike | None, *, of_right: bool
) -> float:
    """The share, the number or the weight of rightly or of wrongly predicted samples."""
    check_flag(normalize, "normalize")
    true, pred, weights = as_targets(y_true, y_pred, sample_weight, exact_weights=not normalize)
    counted = true != pred
    if counted.ndim == 2:
        counted = counted.any(axis=1)
    if of_right:
        np.logical_not(counted, out=counted)
    return _total(counted, weights, normalize)


def _total(counted: NDArray[np.bool_], weights: NDArray[Any] | None, normalize: bool) -> float:
    """The share, the number or the weight of the samples that count."""
    if weights is None:
        return float(np.count_nonzero(counted) / (len(counted) if normalize else 1))
    # Two sums in the same order, so that they are equal where everything counts.
    return float(weights @ counted) / (float(weights @ np.ones(len(weights))) if normalize else 1)


def _ranks(scores: NDArray[Any], places: NDArray[np.intp]) -> NDArray[np.intp]:
    """How many columns come before that of each row's place: higher scores, and equal ones further right."""
    ranks, columns = np.empty(len(scores), dtype=np.intp), np.arange(scores.shape[1])[:, None]
    for rows in row_blocks(scores.shape):
        block, place = np.ascontiguousarray(scores[rows].T), places[rows]  # few long rows are added up fastest
        own = block[place, np.arange(len(place))]
        ranks[rows] = ((block > own) | ((block == own) & (columns > place))).sum(axis=0)
    return ranks


class _Codes(NamedTuple):
    """Labels as positions in the sorted ``labels``, increased by ``offset``.

    Where all labels lie close together, ``labels`` is the whole range from the smallest to the largest and the data
    stay as they are; some labels of the range may then be absent.
    """

    true: NDArray[Any]
    pred: NDArray[Any]
    offset: int
    labels: NDArray[Any]

    def positions(self, values: NDArray[Any]) -> NDArray[np.intp]:
        """The positions of a piece of one of the two vectors; labels may need more bits than positions have."""
        positions: NDArray[np.int64] = np.subtract(values, self.offset, dtype=np.int64)
        return positions.astype(np.intp, copy=False)

    def counts(self, values: NDArray[Any], weights: NDArray[np.float64] | None = None) -> NDArray[Any]:
        """How often each label occurs in ``values``, one of the two vectors."""
        counts: NDArray[Any] = np.bincount(self.positions(values), weights, minlength=len(self.labels))
        return counts.astype(np.int64, copy=False) if weights is None else counts

    def recoded(self, table: NDArray[np.intp], labels: NDArray[Any]) -> "_Codes":
        """The codes after each position is replaced by what the table holds there."""
        return _Codes(table[self.positions(self.true)], table[self.positions(self.pred)], 0, labels)

    def is_small(self) -> bool:
        """Whether a matrix of all labels is small beside the data."""
        return len(self.labels) ** 2 <= max(BLOCK, len(self.true))


def _encode(true: NDArray[Any], pred: NDArray[Any]) -> _Codes:
    if true.dtype.kind in "OU":
        true_list, pred_list = true.tolist(), pred.tolist()
        names = sorted(set(true_list).union(pred_list))
        position = {name: i for i, name in enumerate(names)}.__getitem__
        codes = [np.fromiter(map(position, values), np.intp, len(true)) for values in (true_list, pred_list)]
        return _Codes(codes[0], codes[1], 0, np.array(names))
    low, high = min(int(true.min()), int(pred.min())), max(int(true.max()), int(pred.max()))
    if high - low >= max(4 * len(true), 1024) or true.dtype == np.uint64:
        labels, positions = np.unique(np.concatenate([true, pred]), return_inverse=True)
        return _Codes(positions[: len(true)], positions[len(true) :], 0, labels)
    ranged = _Codes(true, pred, low, low + np.arange(high - low + 1, dtype=np.int64))
    if ranged.is_small():
        return ranged
    present = (ranged.counts(true) + ranged.counts(pred)) > 0
    if present.all():
        return ranged
    return ranged.recoded(np.cumsum(present) - 1, ranged.labels[present])


def _positions(classes: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.intp]:
    """Where each class stands in the sorted labels; one past the end if it is absent."""
    found = np.minimum(np.searchsorted(labels, classes), len(labels) - 1)
    return np.where(labels[found] == classes, found, len(labels))


def _matrix(codes: _Codes, weights: NDArray[Any] | None) -> NDArray[Any]:
    """The confusion matrix of all labels of ``codes``: each pair of positions is one number, true * size + pred.

    These numbers are made in blocks that stay in the cache, each at least as long as the matrix is large.
    """
    size = len(codes.labels)
    cells = np.zeros(size * size, dtype=np.int64 if weights is None else weights.dtype)
    step = max(BLOCK, cells.size)
    for start in range(0, len(codes.true), step):
        block = slice(start, start + step)
        cell = codes.positions(codes.true[block])
        cell *= size
        cell += codes.positions(codes.pred[block])
        if weights is None:
            cells += np.bincount(cell, minlength=cells.size)
        else:
            np.add.at(cells, cell, weights[block])  # np.bincount would add up integers as floats
    return cells.reshape(size, size)


def _matrix_of_labels(
    true: NDArray[Any],
    pred: NDArray[Any],
    weights: NDArray[Any] | None,
    labels: ArrayLike | None,
    name: str = "y_true",
) -> NDArray[Any]:
    """The confusion matrix of the classes asked for, or of all that occur, with whatever weight."""
    codes = _encode(true, pred)
    if labels is not None:
        classes, known = _as_classes(labels, codes.labels, name)
        if len(np.unique(classes)) < len(classes):
            raise invalid("labels", "every label once", classes.tolist())
        places = _positions(classes, known)
        if not codes.is_small():  # the labels that are not asked for become one
            table = np.full(len(codes.labels) + 1, len(classes))
            table[places] = np.arange(len(classes))
            places = np.arange(len(classes))
            codes = codes.recoded(table, np.arange(len(classes) + 1))
    counts = _matrix(codes, None)
    matrix = counts if weights is None else _matrix(codes, weights)
    if labels is None:
        present = counts.any(axis=0) | counts.any(axis=1)
        return matrix if present.all() else matrix[np.ix_(present, present)]
    if not np.append(counts.any(axis=1), False)[places].any():
        raise invalid("labels", f"at least one label that occurs in {name}", classes.tolist())
    return np.pad(matrix, (0, 1))[np.ix_(places, places)]  # the place of an absent label is one past the end


def _normalized(matrix: NDArray[Any], over: str) -> NDArray[np.float64]:
    axis = {"true": 1, "pred": 0, "all": None}[over]
    total = matrix.sum(axis=axis, keepdims=True, dtype=np.float64)
    if not total.all():
        warn_undefined(f"confusion_matrix: normalize={over!r} divides by a sum of zero; those cells are set to 0")
    shares = np.zeros(matrix.shape)
    np.divide(matrix, total, out=shares, where=total != 0)
    return shares


class _Tally(NamedTuple):
    """For each name - a label, a column or a row - the numbers of hits, of predicted and of true."""

    names: NDArray[Any]
    tp: NDArray[Any]
    pred: NDArray[Any]
    true: NDArray[Any]

    def at(self, positions: NDArray[np.intp], names: NDArray[Any]) -> "_Tally":
        """The tally at these positions; one past the end is a label without any sample."""
        return _Tally(names, *(np.append(counts, 0)[positions] for counts in self[1:]))

    def of_label(self, label: Label | None) -> "_Tally":
        """The tally of the positive label; where the data hold a single label, it may be another one."""
        known = self.names.tolist()
        check_pos_label(label)
        if label not in known and len(known) > 1:
            raise invalid("pos_label", f"one of the labels {shown(self.names)}", repr(label))
        position = known.index(label) if label in known else len(known)
        return self.at(np.array([position]), np.array([label]))


def _tally_labels(true: NDArray[Any], pred: NDArray[Any], weights: NDArray[np.float64] | None) -> _Tally:
    """The tally of each label that occurs, with whatever weight."""
    codes = _encode(true, pred)
    tally = _tally_codes(codes, weights)
    unweighted = tally if weights is None else _tally_codes(codes, None)
    present = (unweighted.pred + unweighted.true) > 0
    return tally if present.all() else _Tally(*(column[present] for column in tally))


def _tally_codes(codes: _Codes, weights: NDArray[np.float64] | None) -> _Tally:
    if codes.is_small():
        matrix = _matrix(codes, weights)
        return _Tally(codes.labels, np.diagonal(matrix), matrix.sum(axis=0), matrix.sum(axis=1))
    hit = codes.true == codes.pred
    tp = codes.counts(codes.true[hit], None if weights is None else weights[hit])
    return _Tally(codes.labels, tp, codes.counts(codes.pred, weights), codes.counts(codes.true, weights))


def _tally_columns(true: NDArray[np.bool_], pred: NDArray[np.bool_], weights: NDArray[np.float64] | None) -> _Tally:
    """The tally of each column of two indicator matrices; sums of zeros and ones are exact as floats."""
    sums = np.zeros((3, true.shape[1]))
    for rows in row_blocks(true.shape):
        true_block, pred_block = true[rows].astype(np.float64), pred[rows].astype(np.float64)
        weight = np.ones(len(true_block)) if weights is None else weights[rows]
        sums += [weight @ (true_block * pred_block), weight @ pred_block, weight @ true_block]
    return _Tally(np.arange(true.shape[1]), *sums)


def _tally_rows(true: NDArray[np.bool_], pred: NDArray[np.bool_], names: NDArray[np.intp]) -> _Tally:
    """The tally of each row of two indicator matrices."""
    sums, ones = np.empty((3, len(true))), np.ones(true.shape[1])
    for rows in row_blocks(true.shape):
        true_block, pred_block = true[rows].astype(np.float64), pred[rows].astype(np.float64)
        sums[:, rows] = (true_block * pred_block) @ ones, pred_block @ ones, true_block @ ones
    return _Tally(names, *sums)


class _Groups(NamedTuple):
    """What precision, recall and F-beta are computed from: a tally, and how its values become one."""

    tally: _Tally
    average: Average | None
    weights: NDArray[np.float64] | None
    zero_division: ZeroDivision

    def fbeta(self, alpha: float, name: str) -> Result:
        r"""F-beta with :math:`\alpha=1/(1+\beta^2)`, of which precision and recall are the ends 1 and 0."""
        return self.score(alpha, 1 - alpha, name)

    def scores(self) -> list[Any]:
        """Precision, recall and F1, as a report shows them."""
        return [self.fbeta(alpha, f"classification_report, {score}") for score, alpha in _SCORES.items()]

    def silent(self) -> "_Groups":
        """The same without a warning."""
        return self._replace(zero_division=0) if self.zero_division == "warn" else self

    def score(self, of_fp: float, of_fn: float, name: str) -> Result:
        """True positives over themselves and these shares of the two kinds of mistakes."""
        _, tp, pred, true = self.tally
        denominator = tp + of_fp * (pred - tp) + of_fn * (true - tp)
        defined = denominator > 0
        values = np.full(len(tp), 0.0 if self.zero_division == "warn" else self.zero_division, dtype=np.float64)
        np.divide(tp, denominator, out=values, where=defined)
        if self.zero_division == "warn" and not defined.all():
            warn_undefined(self._message(of_fp, of_fn, name, ~defined))
        elif self.zero_division == "warn" and self.average == "weighted" and not true.any():
            warn_undefined(f"{name}: the weighted mean is 0/0, set to the plain mean: no label has a true sample")
        return values if self.average is None else _mean(values, self.weights)

    def _message(self, of_fp: float, of_fn: float, name: str, undefined: NDArray[np.bool_]) -> str:
        missing = "true or predicted" if of_fp and of_fn else "predicted" if of_fp else "true"
        group, member = ("row", "label") if self.average == "samples" else ("label", "sample")
        where = ""
        if self.average != "micro":
            where = f" for {group} {_listed(self.tally.names[undefined])}"
        return f"{name}: 0/0, set to 0{where}: no {missing} {member}; choose the value with zero_division="


def _groups(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    pos_label: Label | None,
    average: Average | None,
    sample_weight: ArrayLike | None,
    zero_division: ZeroDivision,
) -> _Groups:
    one_of(average, "average", (None, "binary", "micro", "macro", "weighted", "samples"))
    _check_zero_division(zero_division)
    true, pred, weights = as_targets(y_true, y_pred, sample_weight)
    if pos_label is not None:
        check_pos_label(pos_label)
    if average != "binary" and pos_label not in (None, 1):
        message = f"pos_label={pos_label!r} is ignored with average={average!r}; labels=[pos_label] selects one label"
        warnings.warn(message, UserWarning, stacklevel=3)
    if true.ndim == 2:
        return _groups_of_indicators(true, pred, labels, average, weights, zero_division)
    if average == "samples":
        raise invalid("average", "another average than 'samples', which is for indicator matrices", repr(average))
    tally = _tally_labels(true, pred, weights)
    if average == "binary":
        if len(tally.names) > 2:
            raise invalid("average", "None, 'micro', 'macro' or 'weighted' for more than two labels", repr(average))
        tally = tally.of_label(pos_label)
        if labels is not None:
            as_labels(labels, "labels")
            message = "labels= is ignored with average='binary', which looks at pos_label= alone"
            warnings.warn(message, UserWarning, stacklevel=3)
    elif labels is not None:
        classes, known = _as_classes(labels, tally.names)
        tally = tally.at(_positions(classes, known), classes)
    return _grouped(tally, average, zero_division)


def _groups_of_indicators(
    true: NDArray[np.bool_],
    pred: NDArray[np.bool_],
    labels: ArrayLike | None,
    average: Average | None,
    weights: NDArray[np.float64] | None,
    zero_division: ZeroDivision,
) -> _Groups:
    if average == "binary":
        raise invalid(
            "average", "None, 'micro', 'macro', 'weighted' or 'samples' for indicator matrices", repr(average)
        )
    if labels is not None:
        columns = _as_columns(labels, true.shape[1])
        true, pred = true[:, columns], pred[:, columns]
    if average != "samples":
        tally = _tally_columns(true, pred, weights)
        return _grouped(tally if labels is None else tally._replace(names=columns), average, zero_division)
    rows = np.arange(len(true))
    if weights is not None:  # a row without weight shall neither warn nor count as the only one that is defined
        rows = np.flatnonzero(weights)
        true, pred, weights = true[rows], pred[rows], weights[rows]
    return _Groups(_tally_rows(true, pred, rows), average, weights, zero_division)


def _grouped(tally: _Tally, average: Average | None, zero_division: ZeroDivision) -> _Groups:
    if average == "micro":
        tally = _Tally(tally.names, *(counts.sum(keepdims=True) for counts in tally[1:]))
    return _Groups(tally, average, tally.true if average == "weighted" else None, zero_division)


def _support(tally: _Tally, sample_weight: ArrayLike | None) -> NDArray[Any]:
    """The number of true samples of each label, or their weight: as given, where the counts hold a scaled one."""
    if sample_weight is None:
        return tally.true.astype(np.int64)
    both = (as_weights(sample_weight, np.size(sample_weight), exact=exact) for exact in (True, False))
    given, counted = (float(weights.max()) for weights in both if weights is not None)
    support: NDArray[Any] = tally.true * (given / counted)
    return support


def _row_names(names: NDArray[Any], y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None) -> list[str]:
    """The labels as they came; the counts know booleans and whole floats as integers."""
    kinds = {np.asarray(values).dtype.kind for values in (y_true, y_pred) if np.ndim(values) == 1}
    if labels is not None:
        names = np.ravel(labels)
    elif "f" in kinds:
        names = names.astype(np.float64)
    elif kinds == {"b"}:
        names = names.astype(np.bool_)
    return [str(name) for name in names.tolist()]


def _as_names(target_names: Sequence[str] | NDArray[Any]) -> list[Any]:
    if isinstance(target_names, str) or not np.iterable(target_names):
        raise invalid("target_names", "a sequence of names", repr(target_names))
    return list(target_names)


def _report_averages(
    groups: _Groups,
    true: NDArray[Any],
    pred: NDArray[Any],
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> dict[str, _Groups]:
    """What the last rows of a report average; only the samples may be undefined where no label has warned."""
    names, micro = set(groups.tally.names.tolist()), "micro avg"
    if true.ndim == 1 and (labels is None or names >= set(_tally_labels(true, pred, None).names.tolist())):
        micro = "accuracy"
    kinds: dict[str, Average] = {micro: "micro", "macro avg": "macro", "weighted avg": "weighted"}
    zero_division = groups.silent().zero_division
    averages = {name: _grouped(groups.tally, average, zero_division) for name, average in kinds.items()}
    if true.ndim == 2:
        averages["samples avg"] = _groups(true, pred, labels, 1, "samples", sample_weight, groups.zero_division)
    return averages


def _check_zero_division(zero_division: object) -> None:
    number = isinstance(zero_division, numbers.Real) and (zero_division in (0, 1) or zero_division != zero_division)
    if not number and not (isinstance(zero_division, str) and zero_division == "warn"):
        raise invalid("zero_division", "'warn', 0, 1 or nan", repr(zero_division))


def _as_columns(labels: ArrayLike, n_labels: int) -> NDArray[Any]:
    """Indices of columns."""
    columns = as_numbers(labels, "labels", ndim=1)
    if columns.dtype.kind not in "iu" or columns.min() < 0 or columns.max() >= n_labels:
        raise invalid("labels", f"indices of columns, from 0 to {n_labels - 1}", columns.tolist())
    return columns


def _mean(values: NDArray[np.float64], weights: NDArray[Any] | None) -> float:
    """The weighted mean of the values that are defined, nan if there are none; as unweighted if they have no weight."""
    defined = ~np.isnan(values)
    if not defined.all():
        values = values[defined]
        weights = None if weights is None else weights[defined]
    if not len(values):
        return math.nan
    return mean(values, weights if weights is not None and weights.any() else None)
