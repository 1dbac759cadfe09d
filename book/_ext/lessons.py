"""The lessons of a part, with title, line and picture from where they stand; the search knows what each teaches."""

import json
from pathlib import Path

from docutils import nodes
from glossary import spellings
from registry import DATA, Registry, load
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

LESSONS = DATA.parent / "lessons"


def title(notebook: dict) -> str:
    """The title, which follows the label in the first cell."""
    return "".join(notebook["cells"][0]["source"]).partition("\n# ")[2].partition("\n")[0]


def first_picture(notebook: dict) -> tuple[str, str]:
    """The first figure as SVG, and its alt text."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if svg := output.get("data", {}).get("image/svg+xml"):
                return "".join(svg), cell["metadata"]["mystnb"]["image"]["alt"]
    raise ValueError(f"{title(notebook)!r} has no picture")


class Lessons(Registry):
    """The lessons of a part as cards that link to them."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        lines = ["::::{grid} 1 2 2 2", ":gutter: 3", ""]
        for lesson in load("lessons"):
            if lesson["part"] == self.arguments[0]:
                lines += self.card(lesson)
        return self.show("lessons", [*lines, "::::"])

    def card(self, lesson: dict) -> list[str]:
        path = LESSONS / f"{lesson['id']}.ipynb"
        self.env.note_dependency(str(path))
        notebook = json.loads(path.read_text(encoding="utf-8"))
        svg, alt = first_picture(notebook)
        picture = Path(self.env.srcdir, "_build", "lessons", f"{lesson['id']}.svg")
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(svg, encoding="utf-8")
        options = [
            ":link-type: doc",
            f":link: /book/lessons/{lesson['id']}",
            f":img-top: /{picture.relative_to(self.env.srcdir)}",
        ]
        return [f":::{{grid-item-card}} {title(notebook)}", *options, f":img-alt: {alt}", "", lesson["line"], ":::", ""]


class Taught(SphinxTransform):
    """A lesson stands in the index under every name of the terms that it is the home of; its choices fold on phones."""

    default_priority = 800  # the index is read at 850

    def apply(self, **kwargs: object) -> None:
        home = self.env.docname.removeprefix("book/")
        if not home.startswith("lessons/"):
            return
        names = dict.fromkeys(name for term in load("terms") if term["home"] == home for name in spellings(term))
        self.document.insert(0, addnodes.index(entries=[("single", name, "", "main", None) for name in names]))
        for section in self.document.findall(nodes.section):
            if section[0].astext() == "The choices":
                for table in section.findall(nodes.table):
                    table["classes"].append("fold")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(Taught)
    app.add_directive("lessons", Lessons)
    return {"parallel_read_safe": True}
