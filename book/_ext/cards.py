"""Directives that show the metric cards: one in a chapter, all of a task, the table of contents, the cheat sheet."""

import re
from collections.abc import Iterator

from docutils import nodes
from registry import Registry, chinese, load, row
from sphinx.application import Sphinx

import metrics_lib
from metrics_lib import uncertainty

TEXTS = {
    "range": "Range",
    "direction": "Direction",
    "needs": "Needs",
    "undefined": "Undefined when",
    "blind_to": "Blind to",
    "use_when": "Use when",
    "do_not_use_when": "Do not use when",
}
ARROWS = {"higher": "↑", "lower": "↓", "neither": "–"}


def cards(task: str) -> list[dict]:
    return [card for card in load("cards") if card["task"] == task]


def interval(card: dict) -> str:
    """The range without its remarks."""
    return re.match(r"[\[(].*?, .*?[\])]", card["range"])[0]


def better(card: dict) -> str:
    """Which way is better, as an arrow for the eye and a word for everybody."""
    word = card["direction"].split()[0]
    return f'<span aria-hidden="true">{ARROWS[word]}</span>&nbsp;[{word}]{{.word}}'


def related(card: dict) -> str:
    names = {other["id"]: other["name"].partition(" (")[0] for other in load("cards")}
    return ", ".join(f"{{ref}}`{names[other]} <card-{other}>`" for other in card["related"])


def call(code: str) -> str:
    """A call as code that leads to the function or class in the documentation of the library."""
    name = re.match(r"\w+", code)[0]
    home = metrics_lib if hasattr(metrics_lib, name) else uncertainty
    return f"{{py:obj}}`{code} <{getattr(home, name).__module__}.{name}>`"


def doors(card: dict) -> str:
    """How to get the metric where the data are no arrays: a query for a table, a measure of lists and files by name."""
    known = card["doors"]
    ways = [f"{{py:obj}}`{known['sql']} <metrics_lib.{known['sql'].partition('(')[0]}>`"] if "sql" in known else []
    if "measure" in known:
        takers = ", ".join(
            f"{{py:obj}}`{of}.evaluate <metrics_lib.{of}.evaluate>`" for of in ("measures", "trec", "sql")
        )
        ways.append(f"`{known['measure']}` in {takers}, a value for each list")
    return "; ".join(ways)


def place(card: dict) -> str:
    """The equation, or the section, in which the formula is derived."""
    label = card["equation"]
    return f"equation {{eq}}`{label}`" if label.startswith("eq-") else f"section {{ref}}`{label}`"


def alternatives(text: str | list[str]) -> str:
    """A text, or its alternatives as one."""
    return text if isinstance(text, str) else ", or ".join(filter(None, [", ".join(text[:-1]), text[-1]]))


def rows(card: dict, docname: str) -> Iterator[str]:
    """The card as a definition list; away from home it says where the formula is derived."""
    at_home = docname == f"book/{card['home']}"
    yield from ["Formula", ": $$", f"  {card['formula']}", "  $$", ""]
    yield from [f"  {card['symbols']}" + (f"; {place(card)}" if at_home else ""), ""]
    for field, head in TEXTS.items():
        yield from [head, f": {alternatives(card[field])}", ""]
    yield from ["Related", f": {related(card)}", ""]
    yield from ["Library call", ": " + "; ".join(map(call, card["call"])), ""]
    if "doors" in card:
        yield from ["Tables and files", f": {doors(card)}", ""]
    yield from ["Interval", ": " + re.sub("`([^`]+)`", lambda code: call(code[1]), card["interval"]), ""]
    yield from ["Chinese name", f": {chinese(card['chinese'])}", ""]
    if not at_home:
        yield from ["Derived in", f": {{doc}}`/book/{card['home']}`, {place(card)}", ""]


class Card(Registry):
    """One card in a box, folded to its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        card = self.named("cards")
        head = [f":::::{{admonition}} {card['name']}", ":class: metric-card dropdown", ""]
        return self.show("cards", [*head, *rows(card, self.env.docname), ":::::"])


class Cards(Registry):
    """All cards of a task, each a section of its own with the label ``card-<id>``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        return [self.section(card) for card in cards(self.arguments[0])]

    def section(self, card: dict) -> nodes.section:
        label = f"card-{card['id']}"
        section = nodes.section("", nodes.title("", card["name"]), ids=[label], names=[label], classes=["metric-card"])
        self.state.document.note_explicit_target(section)
        section += self.show("cards", rows(card, self.env.docname))
        return section


class CardTable(Registry):
    """The cards of a task as a table of contents."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        lines = table("Metric", "Chinese", "Range", "Better", "Derived in", kind="fold")
        for card in cards(self.arguments[0]):
            link = f"{{ref}}`{card['name']} <card-{card['id']}>`"
            lines += row(link, chinese(card["chinese"]), interval(card), better(card), f"{{doc}}`/book/{card['home']}`")
        return self.show("cards", [*lines, "::::"])


class CheatSheet(Registry):
    """The metrics of a task in short; the style sheet prints those of all tasks on two pages."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        lines = table("Metric", "Formula", "Range", "Undefined", kind="fold cheat-sheet")
        for card in cards(self.arguments[0]):
            name = f"{{ref}}`{card['name']} <card-{card['id']}>` {chinese(card['chinese'])}"
            formula = f"$\\displaystyle {card['formula']}$"
            lines += row(name, formula, f"{interval(card)} {better(card)}", card["short_undefined"])
        return self.show("cards", [*lines, "::::"])


def table(*head: str, kind: str) -> list[str]:
    return ["::::{list-table}", ":header-rows: 1", f":class: {kind}", "", *row(*head)]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("metric-card", Card)
    app.add_directive("metric-cards", Cards)
    app.add_directive("card-table", CardTable)
    app.add_directive("cheat-sheet", CheatSheet)
    return {"parallel_read_safe": True}
