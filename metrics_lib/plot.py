"""Pictures of metrics; the only module that imports Matplotlib (``pip install "metrics_lib[plot]"``)."""

import sys
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    PosLabel,
    as_array,
    as_cutoff,
    as_floats,
    as_number_above,
    as_numbers,
    invalid,
    precision_share,
    same_shape,
)
from metrics_lib.curves import break_even_point, precision_recall_curve, roc_curve
from metrics_lib.information import entropy, kl_divergence
from metrics_lib.probabilities import Strategy, as_probabilities, binary_forecast, binned
from metrics_lib.ranking import dcg
from metrics_lib.regression import mean_absolute_error, root_mean_squared_error

try:
    from cycler import cycler
    from matplotlib import style
    from matplotlib.axes import Axes
except ModuleNotFoundError as error:
    needed = 'metrics_lib.plot needs Matplotlib: pip install "metrics_lib[plot]"'
    raise ModuleNotFoundError(needed, name=error.name) from error

__all__ = [
    "confusion_cells",
    "discounted_gains",
    "entropy_bars",
    "errors_under_outlier",
    "fbeta_contours",
    "kl_bars",
    "precision_recall_steps",
    "reliability_diagram",
    "roc_steps",
    "threshold_sweep",
    "use_book_style",
]

_BLUE, _ORANGE = "#0072b2", "#d55e00"

# Each colour has a contrast of at least 3 to 1 with white; the line styles tell the series apart without any colour.
# 4.5 inches are 432 CSS pixels: scaled down to a screen of 375, text of 11 points is still 11 pixels high.
# Text is drawn as outlines: it looks the same whatever fonts the reader has.
# White and opaque, a figure is legible on a dark page too.
_STYLE = {
    "axes.prop_cycle": cycler(
        color=[_BLUE, _ORANGE, "#000000", "#009e73", "#aa3377"],
        linestyle=["-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1))],
    ),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "white",
    "figure.figsize": (4.5, 3.0),
    "font.size": 11,
    "lines.linewidth": 2,
    "svg.fonttype": "path",
    "svg.hashsalt": "metrics_lib",
}
_WIDE = {"figure.figsize": (6.0, 3.3), "font.size": 12}


def use_book_style(*, wide: bool = False) -> None:
    """Draw as the book does: its colours, line styles and sizes, and in a notebook SVG that is the same on every run.

    Matplotlib's defaults are restored first, so that a ``matplotlibrc`` changes nothing. In a notebook, figures are
    shown inline as SVG of exactly the size set here, without a date; elsewhere only ``matplotlib.rcParams`` are set.

    Parameters
    ----------
    wide : bool, default=False
        Whether a figure fills the column of a page, with room for words in it, as in the lessons.

    Notes
    -----
    The series of a plot differ by line style as well as by colour. The size is set here once, so that no plot needs a
    ``figsize``.

    Examples
    --------
    >>> import matplotlib
    >>> from metrics_lib.plot import use_book_style
    >>> with matplotlib.rc_context():
    ...     use_book_style()
    ...     matplotlib.rcParams["figure.figsize"]
    [4.5, 3.0]
    """
    style.use(["default", _STYLE, _WIDE if wide else {}])
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and hasattr(shell, "kernel"):
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        shell.enable_matplotlib("inline")
        left_out = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        set_matplotlib_formats("svg", bbox_inches=None, metadata=left_out)  # type: ignore[no-untyped-call]


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


def precision_recall_steps(
    ax: Axes,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
    label: str | None = None,
) -> Axes:
    """Draw a P-R curve as the steps whose area is the average precision, and its break-even point.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    y_true, y_score, pos_label, sample_weight
        As in `metrics_lib.curves.precision_recall_curve`.
    label : str, default=None
        Name of the curve in a legend.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in; its lines are the line where precision equals recall, the curve, and the break-even point.

    Raises
    ------
    ValueError
        As in `metrics_lib.curves.precision_recall_curve`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = precision_recall_steps(ax, [1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1])
    >>> ax.lines[2].get_xydata().tolist()
    [[0.5, 0.5]]
    >>> plt.close(fig)
    """
    precision, recall, _ = precision_recall_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    precision[-1] = precision[-2]  # the point (0, 1) at the end is a convention and no step
    equal = break_even_point(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    ax.plot([0, 1], [0, 1], color="grey", linestyle=":", linewidth=1)
    ax.plot(recall, precision, color=_BLUE, linestyle="-", drawstyle="steps-post", label=label)
    ax.plot(equal, equal, color=_ORANGE, linestyle="none", marker="o", markersize=8)
    ax.set(xlabel="recall", ylabel="precision", xlim=(0, 1.02), ylim=(0, 1.05))
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
    label: str | None = None,
) -> Axes:
    """Draw the share of positives in each bin against the mean forecast there, and the share of samples in the bin.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    y_true, y_prob, n_bins, strategy, pos_label, sample_weight
        As in `metrics_lib.probabilities.expected_calibration_error`.
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
        As in `metrics_lib.probabilities.expected_calibration_error`.

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
    ax.vlines(predicted, predicted, found, color=_ORANGE, linestyle="--")
    ax.plot(predicted, found, color=_BLUE, linestyle="-", marker="o", label=label)
    ax.set(xlabel="predicted probability", ylabel="share of positives", xlim=(-0.02, 1.02), ylim=(0, 1.05))
    ax.set_aspect("equal")
    return ax


def threshold_sweep(
    ax: Axes,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: PosLabel = None,
    sample_weight: ArrayLike | None = None,
) -> Axes:
    """Draw precision, recall and F1 against the threshold from which on a score counts as positive.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    y_true, y_score, pos_label, sample_weight
        As in `metrics_lib.curves.precision_recall_curve`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in; its lines are labelled "precision", "recall" and "F1".

    Raises
    ------
    ValueError
        As in `metrics_lib.curves.precision_recall_curve`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = threshold_sweep(ax, [0, 1, 1], [0.2, 0.5, 0.8])
    >>> ax.lines[1].get_ydata().tolist()
    [1.0, 1.0, 0.5]
    >>> plt.close(fig)
    """
    precision, recall, thresholds = precision_recall_curve(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    precision, recall = precision[:-1], recall[:-1]
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    for values, name, line in ((precision, "precision", "-"), (recall, "recall", "--"), (f1, "F1", ":")):
        ax.plot(thresholds, values, linestyle=line, drawstyle="steps-pre", label=name)
    ax.set(xlabel="threshold", ylabel="value", ylim=(0, 1.05))
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


def errors_under_outlier(
    ax: Axes,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    index: int = -1,
    up_to: float = 10.0,
    sample_weight: ArrayLike | None = None,
) -> Axes:
    """Draw how RMSE and MAE grow while one prediction moves away from its target.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    y_true, y_pred : array_like of shape (n_samples,)
        Targets and predictions.
    index : int, default=-1
        The sample whose prediction moves.
    up_to : float, default=10.0
        Largest error of that sample, in the unit of the target.
    sample_weight : array_like of shape (n_samples,), default=None
        Non-negative weights, not all zero.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in; its lines are labelled "RMSE" and "MAE".

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = errors_under_outlier(ax, [1, 2, 3, 4], [1, 2, 3, 4], up_to=8)
    >>> [float(line.get_ydata()[-1]) for line in ax.lines]
    [4.0, 2.0]
    >>> plt.close(fig)
    """
    true, pred = as_floats(y_true, "y_true", ndim=1), as_floats(y_pred, "y_pred", ndim=1)
    same_shape(true, "y_true", pred, "y_pred")
    whole = isinstance(index, (int, np.integer)) and not isinstance(index, bool)
    if not whole or not -len(true) <= index < len(true):
        raise invalid("index", f"a position in {len(true)} samples", repr(index))
    errors = np.linspace(0, as_number_above(up_to, "up_to", 0), 101)
    columns = np.repeat(pred[:, None], len(errors), axis=1)
    columns[index] = true[index] + errors
    targets = np.repeat(true[:, None], len(errors), axis=1)
    for metric, name, line in ((root_mean_squared_error, "RMSE", "-"), (mean_absolute_error, "MAE", "--")):
        values = metric(targets, columns, sample_weight=sample_weight, multioutput="raw_values")
        ax.plot(errors, values, linestyle=line, label=name)
    ax.set(xlabel="error of one sample", ylabel="error of all")
    return ax


def entropy_bars(ax: Axes, p: ArrayLike, *, base: float = 2) -> Axes:
    r"""Draw what each outcome adds to the entropy, :math:`p \log (1 / p)`.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    p : array_like of shape (n_outcomes,)
        Probabilities that sum to one.
    base : float, default=2
        Base of the logarithm.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in; the bars add up to `metrics_lib.information.entropy`.

    Raises
    ------
    ValueError
        As in `metrics_lib.information.entropy`.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = entropy_bars(ax, [0.5, 0.25, 0.25])
    >>> [float(bar.get_height()) for bar in ax.containers[0]]
    [0.5, 0.5, 0.5]
    >>> plt.close(fig)
    """
    entropy(p, base=base)
    probabilities = as_floats(p, "p", ndim=1)
    return _bars_by_outcome(ax, -_times_log(probabilities, probabilities) / np.log(base), "share of the entropy")


def kl_bars(ax: Axes, p: ArrayLike, q: ArrayLike, *, base: float = 2) -> Axes:
    r"""Draw what each outcome adds to the Kullback-Leibler divergence, :math:`p \log (p / q)`; a term may be negative.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    p, q : array_like of shape (n_outcomes,)
        Probabilities that sum to one; ``q`` is positive wherever ``p`` is.
    base : float, default=2
        Base of the logarithm.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in; the bars add up to `metrics_lib.information.kl_divergence`.

    Raises
    ------
    ValueError
        As in `metrics_lib.information.kl_divergence`, or if the divergence is infinite, which no bar can show.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = kl_bars(ax, [0.5, 0.5], [0.25, 0.75])
    >>> [round(float(bar.get_height()), 6) for bar in ax.containers[0]]
    [0.5, -0.292481]
    >>> plt.close(fig)
    """
    if np.isinf(kl_divergence(p, q, base=base)).any():
        raise invalid("q", "a positive probability wherever p is positive", "0")
    first, second = as_floats(p, "p", ndim=1), as_floats(q, "q", ndim=1)
    terms = (_times_log(first, first) - _times_log(first, second)) / np.log(base)
    return _bars_by_outcome(ax, terms, "share of the divergence")


def _times_log(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """The product p log q, which is 0 where p is."""
    return p * np.log(np.where(p > 0, q, 1))


def _bars_by_outcome(ax: Axes, heights: NDArray[np.float64], name: str) -> Axes:
    outcomes = np.arange(1, len(heights) + 1)
    ax.bar(outcomes, heights, 0.8, color=_BLUE, edgecolor="black")
    ax.axhline(0, color="black", linestyle="-", linewidth=1)
    ax.set(xlabel="outcome", ylabel=name, xticks=outcomes)
    return ax


def _shown(cell: np.generic) -> str:
    """A count with all its digits, a rate with four."""
    if isinstance(cell, np.floating):
        return f"{cell:.0f}" if 1000 <= cell < 1e15 else f"{cell:.4g}"
    return str(int(cell))


def _readable_on_blues(cell: float, most: float) -> str:
    """On either side of this share of the darkest cell the contrast is at least 4.5 to 1."""
    return "white" if cell > 0.72 * most else "black"
