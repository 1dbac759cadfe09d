"""The index of symbols: what each one stands for, how it is read, and where it is introduced."""

from docutils import nodes
from registry import Registry, load, row
from sphinx.application import Sphinx

CAPTIONS = {
    "classes-and-cells": "Classes, cells and rates",
    "curves": "Thresholds, curves and areas",
    "probabilities": "Probabilities",
    "averages": "Several classes",
    "multi-label": "Several labels",
    "ranked-lists": "Ranked lists",
    "ranking-measures": "Measures of ranked lists",
    "numbers": "Predicted numbers",
    "distributions": "Distributions and language models",
    "judging": "Differences and chance",
    "operations": "Operations",
}


def introduced(symbol: dict) -> str:
    """The place of a symbol as a link to its equation or, if it stands in none, to its page."""
    if symbol["home"] == "notation":
        return "{ref}`notation`"
    folder, _, chapter = symbol["home"].partition("/")
    place = "lesson" if folder == "lessons" else folder[:3]
    page = f"{{doc}}`{place} {chapter.replace('-', ' ')} </book/{symbol['home']}>`"
    return f"{page} {{eq}}`{symbol['equation']}`" if symbol["equation"] else page


class Symbols(Registry):
    """A table of the symbols of one group."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (group,) = self.arguments
        lines = [f"::::{{list-table}} {CAPTIONS[group]}", ":header-rows: 1", ":class: fold", ""]
        lines += row("Symbol", "Read", "Meaning", "Introduced in")
        for symbol in load("symbols"):
            if symbol["group"] == group:
                lines += row(f"${symbol['symbol']}$", symbol["say"], symbol["meaning"], introduced(symbol))
        return self.show("symbols", [*lines, "::::"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("symbols", Symbols)
    return {"parallel_read_safe": True}
