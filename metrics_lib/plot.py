"""Pictures of metrics; the only module that imports Matplotlib (``pip install "metrics_lib[plot]"``)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import PosLabel, as_array, as_cutoff, as_numbers, invalid
from metrics_lib._floats import precision_share
from metrics_lib.curves import roc_curve
from metrics_lib.probabilities import Strategy, as_probabilities, binary_forecast, binned
from metrics_lib.ranking import dcg
from metrics_lib.uncertainty import Rng, paired_difference, wilson_interval

try:
    from matplotlib.axes import Axes
except ModuleNotFoundError as error:
    needed = 'metrics_lib.plot needs Matplotlib: pip install "metrics_lib[plot]"'
    raise ModuleNotFoundError(needed, name=error.name) from error

__all__ = [
    "confusion_cells",
    "discounted_gains",
    "fbeta_contours",
    "intervals",
    "paired_differences",
    "reliability_diagram",
    "roc_steps",
]

_BLUE, _ORANGE = "#0072b2", "#d55e00"


def discounted_gains(
    ax: Axes,
    rel: ArrayLike,
    k: int | None = None,
    *,
    gain: Literal["linear", "exponential"] = "linear",
    discount: Callable[[NDArray[np.float64]], ArrayLike] | None = None,
) -> Axes:
    """Draw the gain of each rank and, inside it, what the discount leaves of it; the filled bars add up to the DCG.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    rel : array_like of shape (n_ranks,)
        Grades in ranked order.
    k, gain, discount
        As in `metrics_lib.ranking.dcg`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in.

    Raises
    ------
    ValueError
        If ``rel`` is not one list, or an argument is invalid.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> gains, discounted = discounted_gains(ax, [3, 2, 0]).containers
    >>> [round(float(bar.get_height()), 6) for bar in discounted]
    [3.0, 1.26186, 0.0]
    >>> plt.close(fig)
    """
    grades = as_numbers(rel, "rel", ndim=1)
    grades = grades[: as_cutoff(k, len(grades))]
    ranks = np.arange(1, len(grades) + 1)
    alone = np.diag(grades)
    gains = dcg(alone, gain=gain, discount=np.ones_like)
    ax.bar(ranks, gains, 0.8, facecolor="none", edgecolor="black", linestyle="--", label="gain")
    ax.bar(ranks, dcg(alone, gain=gain, discount=discount), 0.8, facecolor=_BLUE, label="discounted gain")
    ax.set(xlabel="rank", ylabel="gain", xticks=ranks)
    return ax


def confusion_cells(
    ax: Axes, matrix: ArrayLike, *, labels: Sequence[object] | None = None, names: ArrayLike | None = None
) -> Axes:
    """Draw a confusion matrix as a grid of counts, the true classes in the rows.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    matrix : array_like of shape (n_classes, n_classes)
        Counts or rates, as `metrics_lib.classification.confusion_matrix` returns them; not negative.
    labels : sequence, default=None
        Names of the classes. Default: 0, 1, 2, ...
    names : array_like of shape (n_classes, n_classes), default=None
        A name above each count, such as ``[["TN", "FP"], ["FN", "TP"]]``.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in.

    Raises
    ------
    ValueError
        If the matrix is not square, has a negative cell, or there is not one label per class or one name per cell.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = confusion_cells(ax, [[30, 20], [10, 40]], labels=["negative", "positive"])
    >>> [text.get_text() for text in ax.texts]
    ['30', '20', '10', '40']
    >>> plt.close(fig)
    """
    cells = as_numbers(matrix, "matrix", ndim=2)
    classes = [str(label) for label in (range(len(cells)) if labels is None else labels)]
    if cells.shape[0] != cells.shape[1]:
        raise invalid("matrix", "a square matrix", f"shape {cells.shape}")
    if cells.min() < 0:
        raise invalid("matrix", "cells of at least 0", cells.min())
    if len(classes) != len(cells):
        raise invalid("labels", f"{len(cells)} names, one per class", len(classes))
    heads = np.full(cells.shape, "") if names is None else as_array(names, "names", "names")
    if heads.shape != cells.shape:
        raise invalid("names", f"the shape of matrix, {cells.shape}", heads.shape)
    ax.imshow(cells, cmap="Blues", vmin=0)
    for (row, column), cell in np.ndenumerate(cells):
        text = f"{heads[row, column]}\n{_shown(cell)}".strip()
        ax.text(column, row, text, ha="center", va="center", color=_readable_on_blues(cell, cells.max()))
    ticks = range(len(cells))
    ax.set(xlabel="predicted", ylabel="true", xticks=ticks, yticks=ticks, xticklabels=classes, yticklabels=classes)
    ax.spines[:].set_visible(False)
    return ax


def roc_steps(
    ax: Axes,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    label: str | None = None,
) -> Axes:
    """Draw a ROC curve cut by cut: a step for each score, a diagonal where positives and negatives are tied.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    y_true, y_score, pos_label, sample_weight
        As in `metrics_lib.curves.roc_curve`.
    label : str, default=None
        Name of the curve in a legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in; its lines are the diagonal of a random classifier, the curve, and one more for each tie.

    Raises
    ------
    ValueError
        As in `metrics_lib.curves.roc_curve`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = roc_steps(ax, [1, 1, 0, 0], [0.9, 0.5, 0.5, 0.1])
    >>> ax.lines[1].get_xydata().tolist()
    [[0.0, 0.0], [0.0, 0.5], [0.5, 1.0], [1.0, 1.0]]
    >>> plt.close(fig)
    """
    fpr, tpr, _ = roc_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, drop_intermediate=False)
    ax.plot([0, 1], [0, 1], color="grey", linestyle=":", linewidth=1)
    ax.plot(fpr, tpr, color=_BLUE, linestyle="-", marker="o", label=label)
    for tie in np.flatnonzero((np.diff(fpr) > 0) & (np.diff(tpr) > 0)):
        ax.plot(fpr[tie : tie + 2], tpr[tie : tie + 2], color=_ORANGE, linestyle="--", linewidth=4)
    ax.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
    return ax


def reliability_diagram(
    ax: Axes,
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    strategy: Strategy = "uniform",
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    confidence_level: float | None = None,
    label: str | None = None,
) -> Axes:
    """Draw the share of positives in each bin against the mean forecast there, and the share of samples in the bin.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    y_true, y_prob, n_bins, strategy, pos_label, sample_weight
        As in `metrics_lib.probabilities.expected_calibration_error`.
    confidence_level : float, default=None
        If given, in (0, 1): each bin gets the interval of `metrics_lib.uncertainty.wilson_interval` as a band. It is
        that of the bin by itself, for samples that are independent and all count the same.
    label : str, default=None
        Name of the curve in a legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in; its lines are the diagonal of calibrated forecasts and the curve, its bars the shares of the
        samples. Weighted by the bars, the mean length of the dashes between curve and diagonal is the expected
        calibration error.

    Raises
    ------
    ValueError
        As in `metrics_lib.probabilities.expected_calibration_error`, or if there is a ``confidence_level`` out of its
        range or together with ``sample_weight``.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = reliability_diagram(ax, [0, 0, 1, 1, 1], [0.25, 0.25, 0.25, 0.75, 0.75])
    >>> ax.lines[1].get_xydata().round(3).tolist()
    [[0.25, 0.333], [0.75, 1.0]]
    >>> [float(bar.get_height()) for bar in ax.containers[0]]
    [0.6, 0.4]
    >>> plt.close(fig)
    """
    forecast = binary_forecast(y_true, as_probabilities(y_prob, "y_prob"), "y_prob", pos_label, sample_weight)
    bins = binned(*forecast, n_bins, strategy)
    predicted, found = bins.prob / bins.weight, bins.positive / bins.weight
    ax.plot([0, 1], [0, 1], color="grey", linestyle=":", linewidth=1)
    ax.bar(
        predicted, bins.weight / bins.weight.sum(), 0.03, color="lightgrey", edgecolor="grey", label="share of samples"
    )
    if confidence_level is not None:
        if sample_weight is not None:
            raise invalid("confidence_level", "None where samples are weighted", confidence_level)
        counts = zip(bins.positive, bins.weight, strict=True)
        ends = [wilson_interval(int(k), int(n), confidence_level=confidence_level)[1:] for k, n in counts]
        ax.vlines(
            predicted, *zip(*ends, strict=True), color=_BLUE, linewidth=8, alpha=0.25, label="interval of the bin"
        )
    ax.vlines(predicted, predicted, found, color=_ORANGE, linestyle="--")
    ax.plot(predicted, found, color=_BLUE, linestyle="-", marker="o", label=label)
    ax.set(xlabel="predicted probability", ylabel="share of positives", xlim=(-0.02, 1.02), ylim=(0, 1.05))
    ax.set_aspect("equal")
    return ax


def intervals(ax: Axes, results: Mapping[str, Sequence[float]], *, reference: float | None = None) -> Axes:
    """Draw values with their confidence intervals, one below the other.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    results : mapping of str to (value, low, high, ...)
        The name of each row, the first on top, and what `metrics_lib.uncertainty.bootstrap` or one of its neighbours
        returned for it.
    reference : float, default=None
        If given, where a line is drawn that the intervals are held against, such as 0 for differences.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in.

    Raises
    ------
    ValueError
        If ``results`` is empty, or one of them is not a value with two ends in order.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from metrics_lib.uncertainty import wilson_interval
    >>> fig, ax = plt.subplots()
    >>> ax = intervals(ax, {"old": wilson_interval(60, 100), "new": wilson_interval(70, 100)})
    >>> ax.lines[0].get_xdata().tolist()
    [0.6, 0.7]
    >>> plt.close(fig)
    """
    if not results:
        raise invalid("results", "at least one interval", "none")
    rows = [as_numbers(result[:3], f"results[{name!r}]", ndim=1) for name, result in results.items()]
    for name, row in zip(results, rows, strict=True):
        if len(row) < 3 or row[1] > row[2]:
            raise invalid(f"results[{name!r}]", "a value, the low end and the high end", row.tolist())
    values, lows, highs = np.array(rows, dtype=float).T
    places = np.arange(len(rows))
    if reference is not None:
        ax.axvline(reference, color="grey", linestyle=":", linewidth=1, zorder=0)
    ax.hlines(places, lows, highs, color=_BLUE, linewidth=2)
    ax.plot(values, places, color=_BLUE, linestyle="none", marker="o")
    ax.set(yticks=places, yticklabels=list(results), ylim=(len(rows) - 0.5, -0.5), xlabel="value and interval")
    return ax


def paired_differences(
    ax: Axes,
    a: ArrayLike,
    b: ArrayLike,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    rng: Rng = None,
) -> Axes:
    """Draw the difference of two systems on each query, sorted, and at the right their mean with its interval.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    a, b, confidence_level, n_resamples, rng
        As in `metrics_lib.uncertainty.paired_difference`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in.

    Raises
    ------
    ValueError
        As in `metrics_lib.uncertainty.paired_difference`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = paired_differences(ax, [0.9, 0.5, 0.7], [0.8, 0.7, 0.4], rng=0)
    >>> [round(float(bar.get_height()), 1) for bar in ax.patches]
    [-0.2, 0.1, 0.3]
    >>> plt.close(fig)
    """
    found = paired_difference(a, b, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng)
    differences = np.sort(np.subtract(a, b))
    n = len(differences)
    ax.bar(range(n), differences, color=np.where(differences < 0, _ORANGE, _BLUE))
    ax.axhline(0, color="black", linestyle="-", linewidth=1)
    ax.vlines([1.1 * n], found.low, found.high, color="black", linewidth=2)
    ax.plot([1.1 * n], [found.value], color="black", linestyle="none", marker="o")
    ax.set(xlabel="queries, sorted", ylabel="difference", xticks=[])
    return ax


def fbeta_contours(ax: Axes, beta: float = 1.0) -> Axes:
    r"""Draw the lines of equal :math:`F_\beta` over recall and precision.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    beta : float, default=1.0
        How many times as much recall counts as precision, from 0 (precision) to infinity (recall).

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in, with labelled contours at 0.1, 0.2, ..., 0.9.

    Raises
    ------
    ValueError
        If ``beta`` is not a number of at least 0.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = fbeta_contours(ax, beta=2)
    >>> ax.collections[0].levels.round(1).tolist()
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> plt.close(fig)
    """
    share = precision_share(beta)
    recall, precision = np.meshgrid(*[np.linspace(0.001, 1, 200)] * 2)
    values = precision * recall / (share * recall + (1 - share) * precision)
    lines = ax.contour(recall, precision, values, levels=np.arange(1, 10) / 10, colors=_BLUE)
    ax.clabel(lines, fmt="%.1f")
    ax.set(xlabel="recall", ylabel="precision", aspect="equal")
    return ax


def _shown(cell: np.generic) -> str:
    """A count with all its digits, a rate with four."""
    if isinstance(cell, np.floating):
        return f"{cell:.0f}" if 1000 <= cell < 1e15 else f"{cell:.4g}"
    return str(int(cell))


def _readable_on_blues(cell: float, most: float) -> str:
    """On either side of this share of the darkest cell the contrast is at least 4.5 to 1."""
    return "white" if cell > 0.72 * most else "black"
