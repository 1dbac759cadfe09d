"""What the front page alone shows: twelve flights under four apps, each of which wins by one metric of the library."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from metrics_lib import accuracy_score, brier_score_loss, recall_score, roc_auc_score

LATE = [0] * 8 + [1] * 4
APPS = {
    "App A, the cautious one": [0.05, 0.05, 0.1, 0.1, 0.15, 0.2, 0.25, 0.3, 0.1, 0.3, 0.95, 0.95],
    "App B, the alarmist": [0.25, 0.3, 0.35, 0.4, 0.55, 0.6, 0.7, 0.8, 0.6, 0.7, 0.85, 0.9],
    "App C, the quiet one": [0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.18, 0.22, 0.26, 0.3],
    "App D, the honest one": [0.05, 0.05, 0.1, 0.15, 0.2, 0.3, 0.55, 0.6, 0.4, 0.65, 0.75, 0.85],
}
QUESTIONS = {  # of each metric: the question it answers, its name
    "Right most often?": "accuracy",
    "Finds the late ones?": "recall",
    "Late above on time?": "AUC",
    "Honest chances?": "Brier score, low is good",
}
STEP, RADIUS = 11, 5  # between dots that would cover one another


def values(chances: list[float]) -> list[float]:
    """Of one app, in the order of the questions; it warns of a flight from one half."""
    warned = [int(chance >= 0.5) for chance in chances]
    ours = accuracy_score(LATE, warned), recall_score(LATE, warned), roc_auc_score(LATE, chances)
    return [*map(float, ours), float(brier_score_loss(LATE, chances))]


def best() -> list[str]:
    """The winner of each metric."""
    columns = list(zip(*map(values, APPS.values()), strict=True))
    return [list(APPS)[of.index(min(of) if metric == 3 else max(of))] for metric, of in enumerate(columns)]


def strip(chances: list[float]) -> str:
    """The chances from 0 to 1: late flights above the line, the others below it."""
    placed: list[tuple[int, float, int]] = []
    for chance, late in sorted(zip(chances, LATE, strict=True)):
        x = 8 + chance * 284
        taken = {level for kind, other, level in placed if kind == late and abs(x - other) < STEP}
        placed.append((late, x, next(level for level in range(len(LATE)) if level not in taken)))
    dots = "".join(
        f'<circle class="strip-{("ok", "late")[late]}" cx="{x:.0f}" '
        f'cy="{(28, 16)[late] + (1 - 2 * late) * STEP * level}" r="{RADIUS}"/>'
        for late, x, level in placed
    )
    late, others = (
        ", ".join(
            f"{chance:.0%}"[:-1] for chance, is_late in sorted(zip(chances, LATE, strict=True)) if is_late == kind
        )
        for kind in (1, 0)
    )
    said = f"Late flights were given {late} per cent, flights on time {others} per cent."
    axis = '<line class="strip-line" x1="0" x2="300" y1="22" y2="22"/>'
    half = '<line class="strip-cut" x1="150" x2="150" y1="2" y2="42"/>'
    return f'<svg viewBox="0 -6 300 58" role="img" aria-label="{said}">{axis}{half}{dots}</svg>'


def picture() -> str:
    heads = "".join(f'<div role="columnheader">{asked}<small>{name}</small></div>' for asked, name in QUESTIONS.items())
    rows = [f'<div role="columnheader">Chance of delay that each app gave, from 0 to 100%</div>{heads}']
    winners = best()
    for app, chances in APPS.items():
        cells = [f'<div role="rowheader"><b>{app}</b>{strip(chances)}</div>']
        for metric, value in enumerate(values(chances)):
            marks = (' class="is-best"', "<small>best</small>") if winners[metric] == app else ("", "")
            cells.append(f'<div role="cell"{marks[0]}>{value:.{3 if metric == 3 else 2}f}{marks[1]}</div>')
        rows.append("".join(cells))
    grid = "".join(f'<div role="row">{row}</div>' for row in rows)
    key = '<i class="late"></i>late', "<i></i>on time", '<i class="cut"></i>50%: to the right, the app warns'
    return (
        f'<div class="verdict-grid" role="table" aria-label="Four apps and four metrics">{grid}</div>'
        f'<p class="key">{"".join(f"<span>{part}</span>" for part in key)}</p>'
    )


class FourApps(SphinxDirective):
    """The picture."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", picture(), format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("four-apps", FourApps)
    return {"parallel_read_safe": True}
