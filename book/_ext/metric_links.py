"""Lead from a function on the API pages to its metric cards and to the lesson that derives it."""

import re

from records import load
from sphinx.application import Sphinx


def links_of(name: str) -> list[str]:
    """The cards that call a function, and their lessons, as lines of reStructuredText."""
    cards = [card for card in load("cards") if any(re.match(rf"{name}\(", call) for call in card.get("call") or [])]
    homes = dict.fromkeys(card["home"] for card in cards)
    shown = [f":ref:`{card['name']} <card-{card['id']}>`" for card in cards]
    return ["", f".. seealso:: {', '.join(shown + [f':doc:`/book/{home}`' for home in homes])}", ""] if cards else []


def add_links(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    if what == "function":
        lines += links_of(name.rpartition(".")[2])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", add_links, priority=900)  # after the sections of numpydoc became fields
    return {"parallel_read_safe": True}
