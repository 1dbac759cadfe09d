"""Show the records of ``book/data`` on pages: each template of ``book/_templates`` is a directive of its name.

``{question} auc-meaning`` in a page fills ``question.md.jinja``, and the Markdown that comes out is read as a part of
the page. A template knows what ``names`` gives it below, and the filters of ``record_filters``.
"""

import json
import re
import traceback
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import record_filters
import records
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from metrics_book import practice
from tools.wheels import WHEELS

BOOK = records.DATA.parent
TEMPLATES = BOOK / "_templates"
ENDING = ".md.jinja"
RUN = BOOK.parent / "_build" / "tests.json"  # written by each complete run of the tests that passes


class Missing(StrictUndefined):
    """What a template asks for in vain; if a record does not have it, the error names the record."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        if isinstance(record := named.get("obj"), dict):
            called = repr(record["id"]) if "id" in record else f"what has {', '.join(map(str, record))}"
            named["hint"] = f"{called} has no field {named['name']!r}"
        super().__init__(*arguments, **named)


class RecordError(Exception):
    """Why records cannot be shown."""


@cache
def templates() -> Environment:
    options = {"trim_blocks": True, "lstrip_blocks": True, "undefined": Missing, "autoescape": False}
    environment = Environment(loader=FileSystemLoader(TEMPLATES), extensions=["jinja2.ext.do"], **options)
    environment.filters |= record_filters.FILTERS
    environment.tests["weighty"] = records.weighty
    return environment


def fill(name: str, names: dict[str, Any]) -> str:
    """A template as Markdown; what goes wrong there is an error that says where."""
    try:
        return templates().get_template(f"{name}{ENDING}").render(names)
    except Exception as error:
        steps = [step for step in traceback.extract_tb(error.__traceback__) if step.filename.endswith(ENDING)]
        place = f"{records.shown_path(Path(steps[-1].filename))}, line {steps[-1].lineno}" if steps else name
        reason = error if isinstance(error, TemplateError | RecordError) else f"{type(error).__name__}: {error}"
        raise RecordError(f"{place}: {reason}") from error


def claims() -> int:
    """The number of tests of what the notebooks say."""
    paths = (BOOK.parent / "tests" / "claims").rglob("test_*.py")
    return sum(path.read_text(encoding="utf-8").count("\ndef test_") for path in paths)


class Records(SphinxDirective):
    """A directive that shows records. The page is built anew when a file that was asked for changes."""

    def run(self) -> list[nodes.Node]:
        try:
            return self.shown()
        except RecordError as error:
            raise self.error(f"{' '.join([self.name, *self.arguments])}: {error}") from error

    def load(self, name: str) -> Any:
        """All records of a registry."""
        for path in records.files(name):
            self.env.note_dependency(str(path))
        return records.load(name)

    def find(self, name: str, wanted: str) -> dict[str, Any]:
        """The record of a registry that has this id."""
        for record in self.load(name):
            if record["id"] == wanted:
                return record
        raise RecordError(f"no record of {name} has the id {wanted!r}")

    def document(self, wanted: str) -> dict[str, Any]:
        """What is known of one of the five documents."""
        return next(record for record in self.load("documents") if record["document"] == wanted)

    def sections(self, remark: dict[str, Any]) -> list[str]:
        """The headings of the document under which the lines of a remark stand."""
        headings = self.document(remark["id"][:3])["sections"]
        lines = remark["line"] if isinstance(remark["line"], list) else [remark["line"]]
        return list(dict.fromkeys(next(name for at, name in reversed(headings) if at <= line) for line in lines))

    def read(self, path: Path) -> str:
        self.env.note_dependency(str(path))
        return path.read_text(encoding="utf-8")

    def parsed(self, lines: Iterable[str]) -> list[nodes.Node]:
        """Parse Markdown; headings may stand in it, one level below the section in which the directive stands."""
        container, here = nodes.container(), self.state_machine.node
        before = len(here)
        self.state.nested_parse(StringList(list(lines), self.name), 0, container, match_titles=True)
        sections = here[before:]  # the parser hangs sections into the page, past the container
        del here[before:]
        return [*container, *sections]


class RecordPages(Records):
    """A template filled with records."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"caption": directives.unchanged_required, "verdict": directives.unchanged_required}

    def shown(self) -> list[nodes.Node]:
        for path in [TEMPLATES / f"{self.name}{ENDING}", *TEMPLATES.glob(f"_*{ENDING}")]:
            self.env.note_dependency(str(path))
        text = fill(self.name, self.names())
        if self.arguments and not text.strip():
            raise RecordError("there is no such record")
        return self.parsed(text.split("\n"))

    def names(self) -> dict[str, Any]:
        """What a template knows: how it was called, on which page, and functions that ask for more."""
        return {
            "arg": self.arguments[0] if self.arguments else "",
            "options": {name: self.options.get(name) for name in self.option_spec},
            "content": list(self.content),
            "page": self.env.docname.removeprefix("book/"),
            "repository": self.config.repository_url,
            "load": self.load,
            "find": self.find,
            "document": self.document,
            "sections": self.sections,
            "title": self.title,
            "picture": self.picture,
            "minutes": self.minutes,
            "minutes_a_question": record_filters.MINUTES_A_QUESTION,
            "claims": claims,
            "wheel": WHEELS["metrics_lib"],
            "exercises": {name: practice.exercise(name).title.partition(" (")[0] for name in practice.exercises()},
            "last_run": self.last_run,
        }

    def notebook(self, page: str) -> dict[str, Any]:
        return json.loads(self.read(BOOK / f"{page}.ipynb"))

    def title(self, page: str) -> str:
        """The title of a page, which may stand below its label."""
        path = BOOK / f"{page}.md"
        text = self.read(path) if path.is_file() else "".join(self.notebook(page)["cells"][0]["source"])
        return re.search("^# (.+)$", text, re.MULTILINE)[1]

    def picture(self, page: str) -> dict[str, str]:
        """The first figure of a notebook, as a file that the page can show, and its alt text."""
        for cell in self.notebook(page)["cells"]:
            for output in cell.get("outputs", []):
                if svg := output.get("data", {}).get("image/svg+xml"):
                    path = Path(self.env.srcdir, "_build", f"{page}.svg")
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text("".join(svg), encoding="utf-8")
                    return {"path": f"_build/{page}.svg", "alt": cell["metadata"]["mystnb"]["image"]["alt"]}
        raise RecordError(f"{page} has no picture")

    def minutes(self, steps: list[dict]) -> list[int]:
        """The time that each step of a path takes."""
        return [
            record_filters.minutes(step, self.notebook(step["chapter"]) if "chapter" in step else {}) for step in steps
        ]

    def last_run(self) -> dict[str, Any] | None:
        """The day of the last complete run of the tests and how many passed, if there was one here."""
        self.env.note_dependency(str(RUN))
        return json.loads(RUN.read_text(encoding="utf-8")) if RUN.is_file() else None


def installed(name: str, rawtext: str, text: str, *others: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """The version of a package that the page was made with, and the tests run with."""
    return [nodes.Text(version(text))], []


def setup(app: Sphinx) -> dict[str, bool]:
    for path in TEMPLATES.glob(f"[!_]*{ENDING}"):
        app.add_directive(path.name.removesuffix(ENDING), RecordPages)
    app.add_role("version", installed)
    return {"parallel_read_safe": True}
