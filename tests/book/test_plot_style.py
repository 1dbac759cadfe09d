"""The book's style of plots: legible, distinguishable without colour, and the same on every run."""

import io
import subprocess
import sys
from collections.abc import Iterator

import matplotlib as mpl
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from metrics_book.style import use_book_style


@pytest.fixture(autouse=True)
def style() -> Iterator[None]:
    with mpl.rc_context({"font.size": 30, "axes.grid": True}):
        use_book_style()
        yield


def luminance(color: str) -> float:
    """Relative luminance as in WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def svg() -> bytes:
    figure = Figure()
    axes = figure.subplots()
    axes.plot([1, 2, 3], [3, 1, 2], label="$x_1$")
    axes.legend()
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def test_settings_made_before_do_not_matter() -> None:
    assert mpl.rcParams["font.size"] == 14.5
    assert not mpl.rcParams["axes.grid"]


def test_series_differ_by_line_style_as_well_as_by_colour() -> None:
    cycle = mpl.rcParams["axes.prop_cycle"].by_key()
    assert len(cycle["color"]) == 5
    assert len(set(cycle["color"])) == len(set(cycle["linestyle"])) == 5


def test_colours_stand_out_from_the_background() -> None:
    assert mpl.rcParams["figure.facecolor"] == mpl.rcParams["axes.facecolor"] == "white"
    assert not mpl.rcParams["savefig.transparent"]
    for color in mpl.rcParams["axes.prop_cycle"].by_key()["color"]:
        assert 1.05 / (luminance(color) + 0.05) >= 3


def test_svg_is_the_same_each_time_and_needs_no_font() -> None:
    first = svg()
    assert first == svg()
    assert b"<text" not in first
    assert b"font-family" not in first
    assert b'width="432pt" height="259.2pt"' in first


def test_a_shell_without_a_kernel_keeps_its_windows() -> None:
    """IPython in a terminal: nothing is shown inline, so its backend is left alone."""
    shell = "type('Shell', (), {'enable_matplotlib': lambda *_: print('changed')})()"
    code = (
        "import sys, types; sys.modules['IPython'] = types.SimpleNamespace(get_ipython=lambda: " + shell + ");"
        "from metrics_book.style import use_book_style; use_book_style()"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == ""


def test_ipython_is_not_imported_outside_a_notebook() -> None:
    code = "import sys; from metrics_book import style; style.use_book_style(); assert 'IPython' not in sys.modules"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
