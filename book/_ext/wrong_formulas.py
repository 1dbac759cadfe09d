"""Directives that show the formulas and statements that circulate and are wrong, each with what holds."""

from collections import Counter
from collections.abc import Iterator

from docutils import nodes
from registry import Registry, load
from sphinx.application import Sphinx

TASKS = {
    "labels": "Labels",
    "scores": "Scores",
    "lists": "Ranked lists",
    "numbers": "Numbers",
    "distributions": "Distributions",
    "auc-by-hand": "AUC by hand",
}


class WrongFormulas(Registry):
    """All wrong formulas of one task: what circulates, what is true, and where the two differ."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        records = [record for record in load("wrong_formulas") if record["task"] == self.arguments[0]]
        return self.show("wrong_formulas", (line for record in records for line in self.lines(record)))

    def lines(self, record: dict) -> Iterator[str]:
        yield from [f"(wrong-{record['id']})=", f"### {record['title']}", "", "::::{container} wrong-formula", ""]
        yield from entry("Circulates", record["claim"])
        yield from entry("True", record["truth"])
        yield from entry("Example", record["counter_example"])
        yield from entry("Why it tempts", record["why_tempting"])
        if "fails" in record:
            yield from entry("Found by", ", ".join(record["fails"]))
        labels = [record["rests_on"]] if record["rests_on"] else []
        labels += [f"card-{metric}" for metric in record["metrics"]]
        if labels:
            yield from entry("See", ", ".join(f"{{ref}}`{label}`" for label in labels))
        yield from ["::::", ""]


class WrongFormulaCounts(Registry):
    """The groups of wrong formulas with their sizes, each with a link."""

    def run(self) -> list[nodes.Node]:
        counts = Counter(record["task"] for record in load("wrong_formulas"))
        return self.show("wrong_formulas", (f"- [{TASKS[task]}](#wrong-{task}): {counts[task]}" for task in TASKS))


def entry(term: str, text: str) -> list[str]:
    """An entry of a definition list."""
    return [term, f": {' '.join(text.split())}", ""]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("wrong-formulas", WrongFormulas)
    app.add_directive("wrong-formula-counts", WrongFormulaCounts)
    return {"parallel_read_safe": True}
