"""Write a resolved page as the Markdown that every notebook program shows: no directive, no role, no label.

A node that has no method here raises an error: nothing is lost in silence.
"""

import re
from collections.abc import Iterable
from html import escape
from textwrap import indent
from urllib.parse import urljoin, urlsplit

from docutils import nodes
from katex_html import as_one_display
from sphinx.errors import ExtensionError
from sphinx.locale import admonitionlabels

# What Markdown would take for a mark of its own: anywhere in a text, and where a line begins.
MARKS = re.compile(r"[\\`*$~]|(?<!\w)_|_(?!\w)|<(?=[\w/!?])|&(?=#?\w+;)|\[(?=[^\]]*\][\[(:])")
AT_LINE_START = re.compile(r"^(\s*)(?:([-+#>=])|(\d+)([.)]))(?=\s|$)", re.MULTILINE)
ALIGNMENT = {"text-left": ":---", "text-center": ":---:", "text-right": "---:"}


def escaped(text: str) -> str:
    return MARKS.sub(lambda mark: f"\\{mark[0]}", text)


def as_tex(formula: str) -> str:
    """A formula on one line, in which nothing looks like a tag."""
    return re.sub(r"<(?=[\w/!?])", r"\\lt ", " ".join(formula.split()))


def inside(node: nodes.Node, kind: type) -> bool:
    """Tell whether a node stands in one of this kind."""
    return node.parent is not None and (isinstance(node.parent, kind) or inside(node.parent, kind))


class PlainMarkdown:
    """Writes the nodes of one page; the method for a node has the name of its tag."""

    def __init__(self, numbers: dict[str, dict[str, tuple[int, ...]]], address: str) -> None:
        self.numbers = {name: ".".join(map(str, number)) for kind in numbers.values() for name, number in kind.items()}
        self.address = address  # of the page on the site; empty where nobody knows it

    def write(self, node: nodes.Node) -> str:
        method = getattr(self, node.tagname.removeprefix("#"), None)
        if method is None:
            raise ExtensionError(f"a notebook for readers has no Markdown for <{node.tagname}>: {node.astext()[:60]!r}")
        return method(node)

    def inline(self, node: nodes.Node) -> str:
        return "".join(map(self.write, node.children))

    def blocks(self, parts: Iterable[nodes.Node]) -> str:
        return "\n\n".join(filter(None, map(self.write, parts)))

    def content(self, node: nodes.Node) -> str:
        return self.blocks(node.children)

    def nothing(self, node: nodes.Node) -> str:
        return ""

    comment = index = meta = substitution_definition = target = nothing
    inline_content = term = compact_paragraph = subtitle = inline
    section = container = definition = compound = content

    def number(self, node: nodes.Node) -> str:
        return next((self.numbers[name] for name in node["ids"] if name in self.numbers), "")

    # Text

    def text(self, node: nodes.Text) -> str:
        text = escaped(node.astext())
        return " ".join(text.split("\n")).replace("|", r"\|") if inside(node, nodes.entry) else text

    def emphasis(self, node: nodes.emphasis) -> str:
        return f"*{self.inline(node)}*"

    title_reference = emphasis

    def strong(self, node: nodes.Node) -> str:
        return f"**{self.inline(node)}**"

    def literal(self, node: nodes.literal) -> str:
        text = node.astext().replace("\n", " ")
        fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
        space = " " * ("`" in (text[:1], text[-1:]))
        text = text.replace("|", r"\|") if inside(node, nodes.entry) else text
        return f"{fence}{space}{text}{space}{fence}"

    def math(self, node: nodes.math) -> str:
        tex = as_tex(node.astext())
        if inside(node, nodes.entry):  # a bar would end the cell of the table
            tex = tex.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
        return f"${tex}$"

    def reference(self, node: nodes.reference) -> str:
        """A link; within the book only if the address of the site is known."""
        text = self.inline(node)
        address = node.get("refuri") or f"#{node['refid']}"
        if not urlsplit(address).scheme:
            if not self.address:
                return text
            address = urljoin(self.address, address)
        return f"[{text}]({address.replace('(', '%28').replace(')', '%29')})"

    number_reference = reference

    def download_reference(self, node: nodes.Element) -> str:
        """A file, which stands where the notebook reads it."""
        return f"[{self.inline(node)}]({node['reftarget']})"

    def raw(self, node: nodes.raw) -> str:
        """HTML: a tag within a text is Markdown, too; a block, such as a laboratory, needs the page around it."""
        if isinstance(node.parent, nodes.TextElement):
            return node.astext()
        return (
            f"*This part works on [its page]({self.address}) only.*"
            if self.address
            else "*This part works on the site only.*"
        )

    # Blocks

    def lab(self, node: nodes.Element) -> str:
        """The tables of a lab; it moves on its page alone."""
        where = f"[its page]({self.address}#{node['ids'][0]})" if self.address else "its page of the site"
        return f"{self.content(node)}\n\n*This lab can be moved on {where}.*"

    def paragraph(self, node: nodes.paragraph) -> str:
        return AT_LINE_START.sub(lambda mark: f"{mark[1]}{mark[3] or ''}\\{mark[2] or mark[4]}", self.inline(node))

    def title(self, node: nodes.title) -> str:
        """The heading of a section; of anything else in bold, with its number if it has one."""
        if isinstance(node.parent, nodes.section):
            level = 0
            section = node.parent
            while isinstance(section, nodes.section):
                level, section = level + 1, section.parent
            return f"{'#' * level} {self.inline(node)}"
        return f"**{node.get('title', '%s').replace('%s', self.number(node.parent)).strip()}{self.inline(node)}**"

    def math_block(self, node: nodes.math_block) -> str:
        """A display on one line, since line breaks with the marks of a quote between them would be part of it."""
        tex = as_tex(as_one_display(node.astext()))
        number = self.number(node)
        tag = rf" \tag{{{number}}}" if number else ""
        return f"$$ {tex}{tag} $$"

    def literal_block(self, node: nodes.literal_block) -> str:
        return f"```{node.get('language', '')}\n{node.astext().rstrip()}\n```"

    def bullet_list(self, node: nodes.bullet_list) -> str:
        return self.items(node, ["- "] * len(node))

    def enumerated_list(self, node: nodes.enumerated_list) -> str:
        first = node.get("start", 1)
        return self.items(node, [f"{number}. " for number in range(first, first + len(node))])

    def items(self, node: nodes.Node, marks: list[str]) -> str:
        tight = all(len(item) == 1 for item in node)
        items = (
            mark + indent(self.content(item), " " * len(mark)).lstrip() for mark, item in zip(marks, node, strict=True)
        )
        return ("\n" if tight else "\n\n").join(items)

    def definition_list(self, node: nodes.definition_list) -> str:
        return "\n\n".join(map(self.write, node))

    def definition_list_item(self, node: nodes.definition_list_item) -> str:
        *terms, definition = node
        head = f"**{', '.join(map(self.inline, terms))}:**"
        between = " " if isinstance(definition[0], nodes.paragraph) else "\n\n"
        return "- " + indent(head + between + self.content(definition), "  ").lstrip()

    def block_quote(self, node: nodes.Node) -> str:
        return indent(self.content(node), "> ", lambda line: True).replace("> \n", ">\n")

    def admonition(self, node: nodes.Admonition) -> str:
        """A box: a quote with a bold title."""
        label = admonitionlabels.get(node.tagname)
        body = f"**{label}**\n\n{self.content(node)}" if label else self.content(node)
        return indent(body, "> ", lambda line: True).replace("> \n", ">\n")

    attention = caution = danger = error = hint = important = note = seealso = tip = warning = admonition
    exercise_node = exercise_enumerable_node = content

    def details(self, node: nodes.Element) -> str:
        return self.folded(self.html(node[0]), self.blocks(node[1:]))

    def folded(self, title: str, body: str) -> str:
        return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>"

    def html(self, node: nodes.Node) -> str:
        """Text where programs read no Markdown, but typeset maths."""
        if isinstance(node, nodes.Text):
            return escape(" ".join(node.split("\n")), quote=False).replace("$", "&#36;")
        if isinstance(node, nodes.math):
            return self.math(node)
        tag = {nodes.literal: "code", nodes.emphasis: "em", nodes.strong: "strong"}.get(type(node))
        inner = "".join(map(self.html, node.children))
        return f"<{tag}>{inner}</{tag}>" if tag else inner

    def table(self, node: nodes.table) -> str:
        heads = [row for head in node.findall(nodes.thead) for row in head]
        rows = [row for body in node.findall(nodes.tbody) for row in body]
        first = heads[0] if heads else [nodes.entry() for _ in rows[0]]
        marks = [next((ALIGNMENT[name] for name in entry["classes"] if name in ALIGNMENT), "---") for entry in first]
        lines = [[self.entry(entry) for entry in row] for row in [first, *heads[1:], *rows]]
        lines.insert(1, marks)
        caption = [f"**{self.inline(title)}**\n" for title in node.findall(nodes.title)]
        return "\n".join([*caption, *(f"| {' | '.join(line)} |" for line in lines)])

    def entry(self, node: nodes.entry) -> str:
        """A cell of a table, which has one line for whatever stands in it."""
        return "<br>".join(" ".join(self.write(part).split("\n")) for part in node.children)

    def figure(self, node: nodes.figure) -> str:
        """What the page says below a figure, and what it says to those who do not see it."""
        (image,) = node.findall(nodes.image)
        caption = next((f" {self.inline(part)}" for part in node.findall(nodes.caption)), "")
        number = self.number(node)
        return f"**Fig. {number}**{caption}\n\n*The picture in words:* {escaped(image['alt'])}"
