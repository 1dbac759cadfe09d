"""Turn every admonition, exercise or solution of class ``dropdown`` into ``<details>``.

What stands between ``{folded-start} Title`` and ``{folded-end}``, cells of code as well, is folded, too.
A section of class ``line`` is a line that unfolds; it shows its heading and a first paragraph of class ``short``.

The browser folds it: no script, no content that jumps away after loading, and the keyboard works.
Exercises come with inner sections that all have one id and no title; these are taken out.
"""

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.locale import admonitionlabels
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective


class details(nodes.General, nodes.Element):  # noqa: N801
    """What stands folded; the node has the name of its tag."""


class summary(nodes.General, nodes.TextElement):  # noqa: N801
    """What is always shown."""


class folding(nodes.Invisible, nodes.Element):  # noqa: N801
    """The place where what is folded begins, with its title, or ends."""


class FoldedStart(SphinxDirective):
    """Begin what is folded."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        """Remember the title."""
        return [folding(title=self.arguments[0])]


class FoldedEnd(SphinxDirective):
    """End what is folded."""

    def run(self):
        """Mark the place."""
        return [folding()]


def title_of(node):
    """Take the title out of an admonition and return its parts."""
    if not isinstance(node[0], nodes.title):  # a note, a warning, ...
        return [nodes.Text(admonitionlabels[node.tagname])]
    title = node.pop(0)
    for link in list(title.findall(nodes.reference)):  # a click unfolds, so it cannot follow a link
        link.replace_self(link.children)
    return title.children


class Gather(SphinxTransform):
    """Put what stands between start and end into a box of class ``dropdown``."""

    default_priority = 790

    def apply(self):
        """Each end is the next one in the section of its start."""
        for start in [node for node in self.document.findall(folding) if "title" in node]:
            first = start.parent.index(start)
            after = start.parent.children[first + 1 :]
            last = next((place for place, node in enumerate(after) if isinstance(node, folding)), None)
            if last is None:
                raise ExtensionError(f"what {start['title']!r} folds has no end in its section: add {{folded-end}}")
            title = nodes.title("", start["title"])
            box = nodes.admonition("", title, *after[:last], classes=["dropdown"])
            start.parent[first : first + last + 2] = [box]


class Unwrap(SphinxTransform):
    """Take the inner sections out of exercises and solutions, before anybody counts the sections."""

    default_priority = 800

    def apply(self):
        """Leave the content of each in its place."""
        for node in self.document.findall(nodes.Admonition):
            for section in list(node.findall(nodes.section)):
                section["ids"].clear()
                section.replace_self(section.children)


class Fold(SphinxPostTransform):
    """Replace the nodes after all references in them are resolved."""

    default_priority = 900
    formats = ("html",)

    def run(self):
        """Fold what is of the class."""
        for node in list(self.document.findall(nodes.Admonition)):
            if "dropdown" in node["classes"]:
                head = summary("", "", *title_of(node), classes=["admonition-title"])
                place = nodes.target("", "", ids=node["ids"])  # a link to what is within unfolds it
                node["ids"] = []
                node.replace_self(details("", head, place, *node.children, classes=[*node["classes"], "admonition"]))


class Line(SphinxPostTransform):
    """Fold a section below its heading, which stays a heading: contents and search know it by that."""

    default_priority = 901
    formats = ("html",)

    def run(self):
        """Put the tags around what the section holds."""
        for node in self.document.findall(nodes.section):
            if "line" in node["classes"]:
                last = 2 if "short" in node[1].get("classes", []) else 1
                tags = '<details class="line"><summary>', "</summary>", "</details>"
                begin, middle, end = (nodes.raw("", tag, format="html") for tag in tags)
                node[:] = [begin, *node[:last], middle, *node[last:], end]


def visit(writer, node):
    """Open the tag."""
    writer.body.append(writer.starttag(node, node.tagname, ""))


def depart(writer, node):
    """Close the tag."""
    writer.body.append(f"</{node.tagname}>\n")


def setup(app):
    """Register the nodes and the transforms."""
    app.add_node(details, html=(visit, depart))
    app.add_node(summary, html=(visit, depart))
    app.add_directive("folded-start", FoldedStart)
    app.add_directive("folded-end", FoldedEnd)
    app.add_transform(Gather)
    app.add_transform(Unwrap)
    app.add_post_transform(Fold)
    app.add_post_transform(Line)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
