"""What the front page alone shows: one list under ten conventions of NDCG, drawn from the values of the library."""

from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from metrics_lib import dcg, ideal_dcg, ndcg

RETURNED, JUDGED, K = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 0], 4
IDEALS = {
    "ideal: all judged, cut at k": lambda gain: ndcg(RETURNED, K, judged=JUDGED, gain=gain),
    "ideal: all judged, not cut": lambda gain: dcg(RETURNED, K, gain=gain) / ideal_dcg(JUDGED, gain=gain),
    "ideal: what was returned, cut at k": lambda gain: ndcg(RETURNED, K, gain=gain),
    "ideal: what was returned, not cut": lambda gain: dcg(RETURNED, K, gain=gain) / ideal_dcg(RETURNED, gain=gain),
    "ideal: the first k": lambda gain: ndcg(RETURNED[:K], gain=gain),
}
LEFT, RIGHT, LEAST, GREATEST = 36, 320, 0.65, 1.0  # of the axis, in units of the picture and of NDCG
FIRST, STEP = 48, 44  # the lines of the rows


def place(value: float) -> float:
    return round(LEFT + (RIGHT - LEFT) * (value - LEAST) / (GREATEST - LEAST), 1)


def picture() -> str:
    """Five lines, on each the value with the linear gain as a disc and that with the exponential one as a diamond."""
    parts = [
        '<text x="4" y="14">gain: <tspan class="linear">● the grade</tspan> '
        '<tspan class="exponential">◆ 2 to the grade, less 1</tspan></text>'
    ]
    said = []
    for number, (name, value) in enumerate(IDEALS.items()):
        y = FIRST + STEP * number
        linear, exponential = float(value("linear")), float(value("exponential"))
        said.append(f"{name}, {linear:.3f} with the grade as gain, {exponential:.3f} with the exponential gain")
        parts.append(f'<text x="4" y="{y - 11}">{name}</text><line x1="{LEFT}" x2="{RIGHT}" y1="{y}" y2="{y}"/>')
        for kind, here, other in (("linear", linear, exponential), ("exponential", exponential, linear)):
            x, anchor, shift = place(here), *(("end", -9) if here < other else ("start", 9))
            mark = (
                f'<circle cx="{x}" cy="{y}" r="5"/>' if kind == "linear" else f'<path d="M{x} {y - 7}l7 7-7 7-7-7z"/>'
            )
            label = f'<text x="{x + shift:.1f}" y="{y + 14}" text-anchor="{anchor}">{here:.3f}</text>'
            parts.append(f'<g class="{kind}">{mark}{label}</g>')
    height = FIRST + STEP * len(IDEALS) - 20
    return (
        f'<svg class="ten-ndcgs" viewBox="0 0 360 {height}" role="img" aria-label="{escape("; ".join(said))}">'
        f"{''.join(parts)}</svg>"
    )


class TenNdcgs(SphinxDirective):
    """The picture."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", picture(), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("ten-ndcgs", TenNdcgs)
    return {"parallel_read_safe": True}
