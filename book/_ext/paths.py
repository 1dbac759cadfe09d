"""A directive that shows a path of preparation, step by step, with the time each step takes."""

import json
import re
from collections.abc import Iterator

from docutils import nodes
from registry import DATA, Registry, load
from sphinx.application import Sphinx

WORDS_A_MINUTE = 150  # with a pencil in the hand
MINUTES_A_CELL = 0.5
MINUTES_A_QUESTION = 3  # one to answer aloud, two to compare
MINUTES_AN_EXERCISE = 20


def to_fives(minutes: float) -> int:
    return max(5, 5 * round(minutes / 5))


def minutes_of(step: dict) -> int:
    """The time a step takes: a chapter by its words and cells, the rest by the piece."""
    if "chapter" in step:
        notebook = json.loads((DATA.parent / f"{step['chapter']}.ipynb").read_text(encoding="utf-8"))
        prose = " ".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
        cells = sum(cell["cell_type"] == "code" for cell in notebook["cells"])
        return to_fives(len(re.findall(r"[A-Za-z]{2,}", prose)) / WORDS_A_MINUTE + cells * MINUTES_A_CELL)
    if "questions" in step:
        return to_fives(len(step["questions"]) * MINUTES_A_QUESTION)
    return len(step["exercises"]) * MINUTES_AN_EXERCISE


class Path(Registry):
    """The steps of one path."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path = self.named("paths")
        for step in path["steps"]:
            if "chapter" in step:
                # A longer chapter takes more time.
                self.env.note_dependency(str(DATA.parent / f"{step['chapter']}.ipynb"))
        return self.show("paths", self.lines(path))

    def lines(self, path: dict) -> Iterator[str]:
        questions = {question["id"]: " ".join(question["question"].split()) for question in load("questions")}
        total = sum(minutes_of(step) for step in path["steps"])
        yield f"{path['for']}"
        yield f"In all about {round(total / 30) / 2:g} hours."
        yield ""
        for step in path["steps"]:
            what = f"1. **{minutes_of(step)} minutes.** "
            if "chapter" in step:
                yield f"{what}Read {{doc}}`/book/{step['chapter']}`: {step['why']}"
            elif "questions" in step:
                yield f"{what}Answer aloud:"
                yield ""
                yield from (f"   - [{questions[name]}](#question-{name})" for name in step["questions"])
            else:
                written = (f"[`{name}`](#interview-exercise-{name.replace('_', '-')})" for name in step["exercises"])
                yield f"{what}Write, and check: {', '.join(written)}."
            yield ""


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("path", Path)
    return {"parallel_read_safe": True}
