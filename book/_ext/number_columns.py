"""Set the columns of tables that hold numbers right-aligned, their decimal points under one another.

A number with fewer decimals than another of its column is followed by digits that take room and are not seen; the
style sheet writes them from ``data-pad``, so that neither a copy of the table nor a screen reader has them.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

NUMBER = re.compile(r"[−+-]?\d[\d,]*(?:\.(\d+))?\s?%?")
NO_NUMBER = {"", "nan", "undefined", "–"}


def columns(table: nodes.table) -> list[list[nodes.entry]]:
    """The entries of the body by columns, of a table without cells that span several."""
    rows = [row.children for body in table.findall(nodes.tbody) for row in body.children]
    regular = not any("morecols" in entry or "morerows" in entry for row in rows for entry in row)
    return [list(column) for column in zip(*rows, strict=True)] if regular else []


class NumberColumns(SphinxPostTransform):
    """Mark the entries, and what each lacks to the width of its neighbours."""

    default_priority = 800
    formats = ("html",)

    def run(self) -> None:
        for table in self.document.findall(nodes.table):
            heads = next((list(head[-1].children) for head in table.findall(nodes.thead)), [])
            for place, column in enumerate(columns(table)):
                texts = [entry.astext().strip() for entry in column]
                numbers = [NUMBER.fullmatch(text) for text in texts]
                if not any(numbers) or any(not n and t not in NO_NUMBER for n, t in zip(numbers, texts, strict=True)):
                    continue
                decimals = [len(number[1] or "") if number else 0 for number in numbers]
                for entry, number, own in zip(column, numbers, decimals, strict=True):
                    entry["classes"].append("num")
                    if number and own < max(decimals):
                        entry["pad"] = "." * (own == 0) + "0" * (max(decimals) - own)
                for head in heads[place : place + 1]:
                    head["classes"].append("num")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_post_transform(NumberColumns)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
