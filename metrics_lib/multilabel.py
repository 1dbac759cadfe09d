"""Measures of multi-label predictions: each sample has a set of relevant labels.

F1 and AUC of such problems are `metrics_lib.classification.f1_score` and `metrics_lib.curves.roc_auc_score` on
indicator matrices.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    as_indicators,
    as_numbers,
    as_targets,
    as_weights,
    invalid,
    same_shape,
    warn_undefined,
)
from metrics_lib._floats import Floats, mean, row_blocks
from metrics_lib._sorting import ranks_of, sorted_rows

__all__ = [
    "coverage_error",
    "hamming_loss",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "one_error",
]

Booleans = NDArray[np.bool_]


def hamming_loss(y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    r"""The share of cells of the indicator matrix that are predicted wrongly.

    Parameters
    ----------
    y_true : array_like of shape (n_samples, n_labels) or (n_samples,)
        An indicator matrix of zeros and ones, or one label a sample (integers, booleans, strings).
    y_pred : array_like of the same shape
        Predicted indicators or labels.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        A share in [0, 1]; 0 is best.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    .. math:: \frac{1}{ml} \sum_{i=1}^m \sum_{j=1}^l \mathbb I(h_{ij} \ne y_{ij})

    With one label a sample it is the `metrics_lib.classification.zero_one_loss`; for a matrix it is never larger
    than that.

    References
    ----------
    Wu and Zhou (2017). Zhang and Zhou (2014).

    Examples
    --------
    >>> hamming_loss([[1, 0, 1, 0], [0, 1, 0, 1]], [[1, 1, 1, 0], [0, 1, 0, 1]])
    0.125
    """
    true, pred, weights = as_targets(y_true, y_pred, sample_weight)
    wrong = true != pred
    if weights is None:
        return float(np.count_nonzero(wrong) / wrong.size)
    return mean(wrong if wrong.ndim == 1 else wrong.mean(axis=1), weights)


def label_ranking_loss(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    r"""The share of pairs of a relevant and an irrelevant label in which the irrelevant one scores at least as high.

    Parameters
    ----------
    y_true : array_like of shape (n_samples, n_labels)
        Indicators of the relevant labels, zeros and ones; at least two labels.
    y_score : array_like of shape (n_samples, n_labels)
        Scores of the labels, higher is more relevant.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        The mean over the samples, in [0, 1]; 0 is best.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Warns
    -----
    UndefinedMetricWarning
        If a row has only relevant or only irrelevant labels; as in scikit-learn it counts as 0.

    Notes
    -----
    .. math::

        \frac1m \sum_{i=1}^m \frac{|\{(u, v) \in Y_{i\cdot}^+ \times Y_{i\cdot}^- : f_u(x_i) \le f_v(x_i)\}|}
                                  {|Y_{i\cdot}^+| \, |Y_{i\cdot}^-|}

    A tie counts as an error, as in Wu and Zhou (2017) and scikit-learn; an AUC gives it one half.
    Without ties the loss is one minus the AUC of the row.

    References
    ----------
    Wu and Zhou (2017). Zhang and Zhou (2014).

    Examples
    --------
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    labels, scores, weights = _as_scored(y_true, y_score, sample_weight)
    counts = labels.sum(axis=1)
    one_kind = (counts == 0) | (counts == labels.shape[1])
    _warn("label_ranking_loss", "only relevant or only irrelevant labels", one_kind, 0)
    return mean(_by_blocks(_ranking_losses, labels, scores), weights)


def one_error(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    r"""The share of samples whose top-scored label is not relevant.

    Parameters
    ----------
    y_true : array_like of shape (n_samples, n_labels)
        Indicators of the relevant labels, zeros and ones.
    y_score : array_like of shape (n_samples, n_labels)
        Scores of the labels, higher is more relevant.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        A share in [0, 1]; 0 is best.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    .. math:: \frac1m \sum_{i=1}^m \mathbb I\big(\arg\max_j f_j(x_i) \notin Y_{i\cdot}^+\big)

    If several labels share the top score, the argmax is open. Here such a row is an error unless all of them are
    relevant. That is the worst order, as in the ranking loss and the coverage, so the order of the columns does not
    matter, and a constant score gains nothing.
    A row without a relevant label is an error.

    References
    ----------
    Wu and Zhou (2017). Zhang and Zhou (2014).

    Examples
    --------
    >>> one_error([[1, 0, 1, 0], [0, 1, 0, 1]], [[0.9, 0.6, 0.7, 0.2], [0.8, 0.3, 0.4, 0.6]])
    0.5
    """
    labels, scores, weights = _as_scored(y_true, y_score, sample_weight, min_labels=1)
    return mean(_by_blocks(_top_errors, labels, scores), weights)


def coverage_error(y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None) -> float:
    r"""How far down the ranking one must go, on average, to meet all relevant labels.

    Parameters
    ----------
    y_true : array_like of shape (n_samples, n_labels)
        Indicators of the relevant labels, zeros and ones; at least two labels.
    y_score : array_like of shape (n_samples, n_labels)
        Scores of the labels, higher is more relevant.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        The mean rank of the last relevant label, at most n_labels; at best the mean number of relevant labels.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Warns
    -----
    UndefinedMetricWarning
        If a row has no relevant label; as in scikit-learn it counts as 0.

    Notes
    -----
    .. math:: \frac1m \sum_{i=1}^m \max_{j \in Y_{i\cdot}^+} \mathrm{rank}_F(x_i, j)

    This is the value of scikit-learn; the coverage of Wu and Zhou (2017) and of Zhang and Zhou (2014) is smaller by 1.
    Equal scores share the largest of their ranks.

    References
    ----------
    Wu and Zhou (2017). Zhang and Zhou (2014).

    Examples
    --------
    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    labels, scores, weights = _as_scored(y_true, y_score, sample_weight)
    ranks = _by_blocks(_last_ranks, labels, scores)
    _warn("coverage_error", "no relevant label", ranks == 0, 0)
    return mean(ranks, weights)


def label_ranking_average_precision_score(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    r"""The average precision of the ranking of each sample's labels, averaged over the samples.

    Parameters
    ----------
    y_true : array_like of shape (n_samples, n_labels)
        Indicators of the relevant labels, zeros and ones.
    y_score : array_like of shape (n_samples, n_labels)
        Scores of the labels, higher is more relevant.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    float
        A value in (0, 1]; 1 is best.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Warns
    -----
    UndefinedMetricWarning
        If a row has no relevant label; as in scikit-learn it counts as 1.

    Notes
    -----
    .. math::

        \frac1m \sum_{i=1}^m \frac{1}{|Y_{i\cdot}^+|} \sum_{j \in Y_{i\cdot}^+}
        \frac{|\{k \in Y_{i\cdot}^+ : \mathrm{rank}_F(x_i, k) \le \mathrm{rank}_F(x_i, j)\}|}{\mathrm{rank}_F(x_i, j)}

    Equal scores share the largest of their ranks, as in scikit-learn; Wu and Zhou (2017) leave ties open.

    References
    ----------
    Wu and Zhou (2017). Zhang and Zhou (2014).

    Examples
    --------
    >>> label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.41666666666666663
    """
    labels, scores, weights = _as_scored(y_true, y_score, sample_weight, min_labels=1)
    _warn("label_ranking_average_precision_score", "no relevant label", labels.sum(axis=1) == 0, 1)
    return mean(_by_blocks(_average_precisions, labels, scores), weights)


def _as_scored(
    y_true: ArrayLike, y_score: ArrayLike, sample_weight: ArrayLike | None, *, min_labels: int = 2
) -> tuple[Booleans, Floats, Floats | None]:
    labels, given = as_indicators(y_true, "y_true"), as_numbers(y_score, "y_score", ndim=2)
    same_shape(labels, "y_true", given, "y_score")
    if labels.shape[1] < min_labels:
        raise invalid("y_true", f"at least {min_labels} labels", f"shape {labels.shape}")
    if given.dtype.kind == "f":
        exact = given.dtype.itemsize <= 8
    else:
        exact = max(-int(given.min()), int(given.max())) <= 2**53
    scores = given.astype(np.float64, copy=False) if exact else ranks_of(given)
    return labels, scores, as_weights(sample_weight, len(labels))


def _warn(metric: str, what: str, rows: Booleans, value: int) -> None:
    if rows.any():
        share = f"{np.count_nonzero(rows)} of {len(rows)} rows have {what}"
        warn_undefined(f"{metric}: 0/0, set to {value}: {share}")


def _by_blocks(measure: Callable[[Booleans, Floats], NDArray[Any]], labels: Booleans, scores: Floats) -> Floats:
    """The measure of each row, computed in blocks of rows that fit the cache."""
    values = np.empty(len(labels))
    for rows in row_blocks(labels.shape):
        values[rows] = measure(np.ascontiguousarray(labels[rows]), np.ascontiguousarray(scores[rows]))
    return values


def _ranking_losses(labels: Booleans, scores: Floats) -> NDArray[Any]:
    """The ranking loss of each row: of the p labels before a relevant one, those that are irrelevant are its errors."""
    relevant = (sorted_rows(labels, scores) & 1).astype(np.float64)
    n_labels = relevant.shape[1]
    n_relevant = relevant @ np.ones(n_labels)
    errors = relevant @ np.arange(n_labels) - n_relevant * (n_relevant - 1) / 2
    return np.asarray(errors / np.maximum(n_relevant * (n_labels - n_relevant), 1))


def _average_precisions(labels: Booleans, scores: Floats) -> NDArray[Any]:
    """The average precision of each row.

    Among equal scores the last relevant label stands at the end of the tie, so its position is the rank of all of them
    and the number of relevant labels up to it counts for all of them.
    """
    keys = sorted_rows(labels, scores)
    relevant = keys & 1
    positions = np.arange(keys.shape[1])
    precisions = np.cumsum(relevant, axis=1) / (positions + 1)
    tied = keys[:, :-1] == keys[:, 1:]
    if tied.any():
        last = np.tile(positions, (len(keys), 1))
        last[:, :-1][tied] = len(positions)
        last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
        precisions = np.take_along_axis(precisions, last, axis=1)
    n_relevant = relevant.sum(axis=1)
    totals = np.einsum("ij,ij->i", precisions, relevant)
    return np.where(n_relevant == 0, 1.0, totals / np.maximum(n_relevant, 1))


def _last_ranks(labels: Booleans, scores: Floats) -> NDArray[Any]:
    """The rank of the worst relevant label of each row: the number of labels that score at least as high."""
    lowest = np.minimum.reduce(np.where(labels, scores, np.inf), axis=1, keepdims=True)
    return np.asarray((scores >= lowest) @ np.ones(scores.shape[1]))


def _top_errors(labels: Booleans, scores: Floats) -> NDArray[Any]:
    """Whether an irrelevant label has the top score of its row."""
    top = np.maximum.reduce(scores, axis=1, keepdims=True)
    return np.asarray(((scores == top) & ~labels).any(axis=1))
