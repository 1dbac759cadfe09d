"""Prepare tables: those of class ``fold`` for phones, where the style sheet shows their rows as a stack of cards.

A card has no heads above it, so each cell carries the head of its column, which the style sheet writes before the cell.
A table that is laid out as blocks is no table for some screen readers unless its parts say what they are.
"""

import re
from html import escape

from docutils import nodes
from sphinx.transforms import SphinxTransform


def table_of(node):
    """Return the table that a part of it belongs to."""
    while not isinstance(node, nodes.table):
        node = node.parent
    return node


def label(entry):
    """Return the head of the column of an entry as plain text; a formula gives its source without TeX's marks."""
    head = next(iter(table_of(entry).findall(nodes.thead)), None)
    text = head[0][entry.parent.index(entry)].astext() if head else ""
    return re.sub(r"[\\{}]", "", text)


def attributes(node, tag):
    """Return what is added to the tag of a part of a folding table."""
    if not isinstance(node, nodes.entry):
        return {"role": {"table": "table", "row": "row"}.get(node.tagname, "rowgroup")}
    if isinstance(node.parent.parent, nodes.thead):
        return {"role": "columnheader"}
    role = {"role": "rowheader" if tag.startswith("<th") else "cell"}
    return role | ({"data-label": label(node)} if node.children else {})


def visit(writer, node):
    """Write the opening tag as ever, and add to it if the table folds."""
    getattr(type(writer), f"visit_{node.tagname}")(writer, node)
    if isinstance(node, nodes.entry) and not node.astext():  # the empty corner of a table is the head of nothing
        node.clear()
        writer.body[-1], writer.context[-1] = writer.body[-1].replace("<th", "<td"), "</td>\n"
    if "pad" in node:
        writer.body[-1] = re.sub(r"^<\w+", lambda match: f'{match[0]} data-pad="{node["pad"]}"', writer.body[-1])
    if "fold" in table_of(node)["classes"]:
        added = "".join(f' {name}="{escape(value)}"' for name, value in attributes(node, writer.body[-1]).items())
        writer.body[-1] = re.sub(r"^<\w+", lambda match: match[0] + added, writer.body[-1])


class Choices(SphinxTransform):
    """The tables of the section "The choices" of a lesson fold."""

    default_priority = 800

    def apply(self, **kwargs):
        """Mark them."""
        for section in self.document.findall(nodes.section):
            if section[0].astext() == "The choices" and self.env.docname.startswith("book/lessons/"):
                for table in section.findall(nodes.table):
                    table["classes"].append("fold")


def setup(app):
    """Take the place of the writer's own visitors, which are called first."""
    app.add_transform(Choices)
    for node in (nodes.table, nodes.thead, nodes.tbody, nodes.row, nodes.entry):
        app.add_node(node, override=True, html=(visit, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
