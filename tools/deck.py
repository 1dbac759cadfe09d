"""Write the question bank as a deck for Anki: ``python -m tools.deck PATH``.

The same bank gives the same bytes: ids are fixed, a note is known by the id of its question, and no clock is read.
A deck that is imported again therefore updates the cards and keeps what the learner has learnt.
"""

import sys
import tempfile
import zipfile
from html import escape
from pathlib import Path

import genanki
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from book._ext.records import load

DECK_ID = 1_704_251_103
MODEL_ID = 1_704_251_104
TIME = 1_700_000_000.0  # seconds since 1970; Anki orders cards by it
ZIP_TIME = (1980, 1, 1, 0, 0, 0)

FIELDS = ["Question", "Chinese", "Answer", "Deeper", "Pitfalls"]
FRONT = "<div>{{Question}}</div><div lang='zh'>{{Chinese}}</div>"
BACK = "{{FrontSide}}<hr id='answer'>{{Answer}}<h4>Going deeper</h4>{{Deeper}}<h4>What goes wrong</h4>{{Pitfalls}}"
CSS = ".card { font: 18px/1.5 sans-serif; max-width: 40em; margin: auto; text-align: left }"


def as_mathjax(formula: str, options: dict[str, bool]) -> str:
    """Write a formula between the marks that Anki gives to MathJax."""
    left, right = (r"\[", r"\]") if options["display_mode"] else (r"\(", r"\)")
    return left + escape(formula.strip()) + right


MARKDOWN = MarkdownIt("commonmark").use(dollarmath_plugin, renderer=as_mathjax)


def html(text: str) -> str:
    return MARKDOWN.render(text).strip()


def guid(question: dict) -> str:
    return genanki.guid_for("evaluation-metrics", question["id"])


def deck(questions: list[dict]) -> genanki.Deck:
    model = genanki.Model(
        MODEL_ID,
        "Evaluation metrics: question",
        fields=[{"name": field} for field in FIELDS],
        templates=[{"name": "Say it aloud", "qfmt": FRONT, "afmt": BACK}],
        css=CSS,
    )
    found = genanki.Deck(DECK_ID, "Evaluation metrics, verified")
    for question in questions:
        pitfalls = "\n".join(f"- {pitfall}" for pitfall in question["pitfalls"])
        texts = [question["question"], question["chinese"], question["answer"], question["deeper"], pitfalls]
        found.add_note(
            genanki.Note(
                model=model,
                fields=[html(text) for text in texts],
                guid=guid(question),
                tags=[f"topic::{question['topic']}", f"level::{question['level']}"],
            )
        )
    return found


def write(path: Path, questions: list[dict]) -> None:
    """Pack the deck; genanki dates the members of its archive, so they are packed again without a date."""
    with tempfile.TemporaryDirectory() as folder:
        dated = Path(folder) / "dated.apkg"
        genanki.Package(deck(questions)).write_to_file(dated, timestamp=TIME)
        with zipfile.ZipFile(dated) as source, zipfile.ZipFile(path, "w") as target:
            for name in source.namelist():
                target.writestr(zipfile.ZipInfo(name, ZIP_TIME), source.read(name), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    write(Path(sys.argv[1]), load("questions"))
