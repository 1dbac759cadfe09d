"""How the book draws: figures that are legible in print, on a phone and in the dark, and the same on every run."""

import sys

from cycler import cycler
from matplotlib import style

__all__ = ["use_book_style"]

# Each colour has a contrast of at least 3 to 1 with white; the line styles tell the series apart without any colour.
# 6 inches are 576 CSS pixels: scaled down to a screen of 375, text of 14.5 points is still 12 pixels high.
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
    "figure.figsize": (6.0, 3.6),
    "font.size": 14.5,
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
    >>> from metrics_book.style import use_book_style
    >>> with matplotlib.rc_context():
    ...     use_book_style()
    ...     matplotlib.rcParams["figure.figsize"]
    [6.0, 3.6]
    """
    style.use(["default", _STYLE])
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and hasattr(shell, "kernel"):
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        shell.enable_matplotlib("inline")
        left_out = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        set_matplotlib_formats("svg", bbox_inches=None, metadata=left_out)
