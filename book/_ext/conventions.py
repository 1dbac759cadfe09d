"""Directives that show the conventions on which the field disagrees, and what happens at the edges."""

import math
import re
from fractions import Fraction
from itertools import groupby

from docutils import nodes
from registry import Registry, load, row
from sphinx.application import Sphinx

DIGITS = 6
TASKS = ["labels", "scores", "ranked lists", "numbers", "distributions"]


def shown(value: object) -> str:
    """A value of a registry for the reader: a fraction with its decimals, a decimal rounded."""
    if isinstance(value, list):
        between = " / " if isinstance(value[0], list) else " "
        return between.join(part if isinstance(part, str) else shown(part) for part in value)
    if isinstance(value, float):
        return f"{value:.{DIGITS}f}" if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value)
    decimals = f"{float(Fraction(value)):.{DIGITS}f}".rstrip("0")
    return f"{value} {'=' if Fraction(decimals) == Fraction(value) else '≈'} {decimals}"


def slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Conventions(Registry):
    """Every quantity of one task with its definitions; without an argument, a contents list by task."""

    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        records = load("conventions")
        if self.arguments:
            chosen = [record for record in records if record["task"] == self.arguments[0]]
            return self.show("conventions", [line for record in chosen for line in self.section(record)])
        lines = []
        for task in TASKS:
            links = (
                f"{{ref}}`{record['quantity']} <quantity-{record['id']}>`"
                for record in records
                if record["task"] == task
            )
            lines.append(f"- **{task.capitalize()}:** {'; '.join(links)}.")
        return self.show("conventions", lines)

    def shown_in(self, record: dict) -> str:
        """A link to the lesson that has it in its table of choices, or to the box of a chapter."""
        if record["home"].startswith("lessons/"):
            return f"{{doc}}`The choices of the lesson </book/{record['home']}>`"
        return f"{{ref}}`The box in the chapter <convention-{record['id']}>`"

    def section(self, record: dict) -> list[str]:
        lines = [f"(quantity-{record['id']})=", f"### {record['quantity']}", ""]
        lines += [f"Example: {record['example']}.", f"{self.shown_in(record)}.", ""]
        return [*lines, *definitions(record), "", f"**Why this default:** {record['why']}", ""]


class Convention(Registry):
    """The box of a quantity with all its definitions, folded to a line."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        record = self.named("conventions")
        lines = [f":::::{{admonition}} {len(record['definitions'])} conventions: {record['quantity']}"]
        lines += [":class: convention dropdown", f":name: convention-{record['id']}", ""]
        lines += [
            f"Example: {record['example']}.",
            "",
            *definitions(record),
            "",
            f"**Why our default:** {record['why']}",
        ]
        return self.show("conventions", [*lines, ":::::"])


def definitions(record: dict) -> list[str]:
    """A table of the definitions, each with its value on the example."""
    lines = ["::::{list-table}", ":header-rows: 1", ":class: fold", ":widths: 30 17 23 30", ""]
    lines += row("Definition", "Value", "Used by", "How to choose it")
    for definition in record["definitions"]:
        is_argument = re.match(r"\w+=", definition["keyword"])
        lines += row(
            definition["definition"] + (" (**our default**)" if definition.get("default") else ""),
            "`ValueError`" if definition["value"] == "ValueError" else shown(definition["value"]),
            ", ".join(definition["used_by"] + definition["field"]),
            f"`{definition['keyword']}`" if is_argument else definition["keyword"],
        )
    return [*lines, "::::"]


class EdgeCases(Registry):
    """What the library and scikit-learn do with unusual input, a section for each kind of it."""

    def run(self) -> list[nodes.Node]:
        lines = []
        for group, records in groupby(load("edge_cases"), key=lambda record: record["group"]):
            lines += [f"(edge-cases-{slug(group)})=", f"## {group}", ""]
            lines += ["::::{list-table}", ":header-rows: 1", ":class: fold", ":widths: 40 30 30", ""]
            lines += row("Situation and call", "metrics_lib", "scikit-learn")
            for record in records:
                lines += self.cells(record)
            lines += ["::::", ""]
        return self.show("edge_cases", lines)

    def cells(self, record: dict) -> list[str]:
        peer = "no such function" if record["sklearn"] is None else outcome(record["sklearn"])
        if record["sklearn_call"] not in (None, f"sk.{record['call']}"):
            peer += f", by `{record['sklearn_call'].removeprefix('sk.')}`"
        lines = [f"* - {record['situation']}", "", f"    `{record['call']}`"]
        lines += ["", f"    {record['note']}"] if record["note"] else []
        return [*lines, f"  - {outcome(record['ours'])}", f"  - {peer}"]


def outcome(result: dict) -> str:
    """What an expression gave, in the words of the page."""
    if "error" in result:
        return f"`{result['error']}`: {result['message']}"
    warning = f", with `{result['warning']}`" if "warning" in result else ""
    return shown(result["value"]) + warning


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("convention", Convention)
    app.add_directive("conventions", Conventions)
    app.add_directive("edge-cases", EdgeCases)
    return {"parallel_read_safe": True}
