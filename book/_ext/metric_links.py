"""Lead from a function on the API pages to its cards and lessons, and from *The choices* of a lesson to functions."""

import re

from docutils import nodes
from records import load
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

import metrics_lib
from metrics_lib import uncertainty


def calls(card: dict, name: str) -> bool:
    return any(re.match(rf"{name}\(", call) for call in card.get("call") or [])


def links_of(name: str) -> list[str]:
    """The cards that call a function, and their lessons, as lines of reStructuredText."""
    cards = [card for card in load("cards") if calls(card, name)]
    homes = dict.fromkeys(card["home"] for card in cards)
    shown = [f":ref:`{card['name']} <card-{card['id']}>`" for card in cards]
    return ["", f".. seealso:: {', '.join(shown + [f':doc:`/book/{home}`' for home in homes])}", ""] if cards else []


def add_links(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    if what == "function":
        lines += links_of(name.rpartition(".")[2])


def link(name: str) -> pending_xref:
    """The name of a function as code that leads to its documentation."""
    home = metrics_lib if hasattr(metrics_lib, name) else uncertainty
    target = {"refdomain": "py", "reftype": "obj", "reftarget": f"{getattr(home, name).__module__}.{name}"}
    return pending_xref("", nodes.literal("", name), refexplicit=True, refwarn=True, **target)


class FunctionsOfChoices(SphinxTransform):
    """Say after the table of *The choices* which functions take them: those that the cards of the lesson call."""

    default_priority = 500

    def apply(self) -> None:
        page = self.env.docname.removeprefix("book/")
        of_lesson = [call for card in load("cards") if card["home"] == page for call in card.get("call") or []]
        names = dict.fromkeys(re.match(r"\w+", call)[0] for call in of_lesson)
        sections = [node for node in self.document.findall(nodes.section) if "the-choices" in node["ids"]]
        if names and sections:
            links = [part for name in names for part in (nodes.Text(", "), link(name))][1:]
            said = nodes.paragraph(
                "", "", nodes.Text("Functions with these and other keywords: "), *links, nodes.Text(".")
            )
            table = next(sections[0].findall(nodes.table))
            table.parent.insert(table.parent.index(table) + 1, said)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", add_links, priority=900)  # after the sections of numpydoc became fields
    app.add_transform(FunctionsOfChoices)
    return {"parallel_read_safe": True}
