"""Pictures of metrics; the only module that imports Matplotlib (``pip install "metrics_lib[plot]"``)."""

import sys
from collections.abc import Callable
from typing import Literal

import numpy as np
from cycler import cycler
from matplotlib import style
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import as_cutoff, as_numbers
from metrics_lib.ranking import dcg

__all__ = ["discounted_gains", "use_book_style"]

# Each colour has a contrast of at least 3 to 1 with white; the line styles tell the series apart without any colour.
# 4.5 inches are 432 CSS pixels: scaled down to a screen of 375, text of 11 points is still 11 pixels high.
# Text is drawn as outlines: it looks the same whatever fonts the reader has.
# White and opaque, a figure is legible on a dark page too.
_STYLE = {
    "axes.prop_cycle": cycler(
        color=["#0072b2", "#d55e00", "#000000", "#009e73", "#aa3377"],
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


def use_book_style() -> None:
    """Draw as the book does: its colours, line styles and sizes, and in a notebook SVG that is the same on every run.

    Matplotlib's defaults are restored first, so that a ``matplotlibrc`` changes nothing. In a notebook, figures are
    shown inline as SVG of exactly the size set here, without a date; elsewhere only ``matplotlib.rcParams`` are set.

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
    style.use(["default", _STYLE])
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
    rel : array_like, shape (n_ranks,)
        Grades in ranked order.
    k, gain, discount
        As in `metrics_lib.dcg`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes passed in.

    Raises
    ------
    ValueError
        If `rel` is not one list, or an argument is invalid.

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
    ax.bar(ranks, dcg(alone, gain=gain, discount=discount), 0.8, facecolor="#0072b2", label="discounted gain")
    ax.set(xlabel="rank", ylabel="gain", xticks=ranks)
    return ax
