"""Write questions, metrics and popular errors as a deck for Anki, a fact a card: ``python -m tools.deck PATH``.

The same records give the same bytes: ids are fixed, and the time is the day of the release. A fact is known by its
record and by what is asked about it, so that the deck of a later release corrects the texts and keeps what was learnt.
"""

import re
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

import genanki
import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from book._ext.records import load
from tools.wheels import released

ROOT = Path(__file__).parents[1]
NAME = "Evaluation metrics, verified"
PARTS = {
    "Labels": ["labels", "averages"],
    "Scores": ["scores", "groups", "auc-by-hand"],
    "Ranked lists": ["lists", "gains", "recommendation", "ranked list"],
    "Numbers": ["numbers"],
    "Distributions": ["distributions"],
    "Judging": ["judging", "answers", "preferences"],
}
ASKED = {
    "formula": "What is the formula?",
    "range": "Which values can it take?",
    "undefined": "When has it no value, and what comes back then?",
    "blind_to": "What can it not see?",
}

DECK_ID = 1_704_251_110  # the parts follow
FACT_ID = 1_704_251_106

CSS = (
    ".card { font: 18px/1.5 sans-serif; max-width: 40em; margin: auto; text-align: left } .asked { font-weight: bold }"
)
ABOUT = "<div class='asked'>{{About}}</div>"
PLACE = "<hr><div>{{Place}}</div>"
FACT = genanki.Model(
    FACT_ID,
    "Evaluation metrics: a fact",
    fields=[{"name": name} for name in ("About", "Asked", "Fact", "Place")],
    templates=[
        {
            "name": "Fact",
            "qfmt": ABOUT + "{{Asked}}",
            "afmt": "{{FrontSide}}<hr id='answer'>{{Fact}}" + PLACE,
        }
    ],
    css=CSS,
)


def as_mathjax(formula: str, options: dict[str, bool]) -> str:
    """Write a formula between the marks that Anki gives to MathJax."""
    left, right = (r"\[", r"\]") if options["display_mode"] else (r"\(", r"\)")
    return left + escape(formula.strip()) + right


MARKDOWN = MarkdownIt("commonmark").use(dollarmath_plugin, renderer=as_mathjax)


def html(text: str) -> str:
    return MARKDOWN.render(text).strip()


class Place:
    """Where the book has a record: a link if the book has an address, else the name of the page."""

    def __init__(self, site_url: str) -> None:
        self.site_url = site_url.rstrip("/")

    def __call__(self, page: str, label: str) -> str:
        source = (ROOT / "book" / f"{page}.md").read_text(encoding="utf-8")
        title = escape(re.search("^# (.+)$", source, re.MULTILINE)[1])
        if not self.site_url:
            return f"In the book: {title}"
        return f'In the book: <a href="{escape(self.site_url)}/book/{page}.html#{label}">{title}</a>'


def note(model: genanki.Model, known_by: tuple[str, str], fields: list[str], *tags: str) -> genanki.Note:
    return genanki.Note(model=model, fields=fields, guid=genanki.guid_for("evaluation-metrics", *known_by), tags=tags)


def answer(question: dict, place: Place) -> Iterator[genanki.Note]:
    """A question, and below it the answer as one might say it, with its four points."""
    tags = [f"topic::{question['topic']}", f"level::{question['level']}", *(f"role::{r}" for r in question["roles"])]
    where = place(f"interview/{question['topic']}", f"question-{question['id']}")
    points = "".join(f"<li>{MARKDOWN.renderInline(point)}</li>" for point in question["rubric"])
    said = f"{html(question['answer'])}<ul>{points}</ul>"
    asked = "Answer aloud, in a minute."
    yield note(FACT, (f"question-{question['id']}", "answer"), [html(question["question"]), asked, said, where], *tags)


def facts(card: dict, place: Place) -> Iterator[genanki.Note]:
    """What the card of a metric says, each line by itself."""
    where = place(f"reference/cards-{card['task'].partition(' ')[0]}", f"card-{card['id']}")
    name = f"{html(card['name'])}<div lang='zh'>{card['chinese']}</div>"
    for field, asked in ASKED.items():
        said = f"$$\n{card['formula']}\n$$\n\n{card['symbols']}" if field == "formula" else card[field]
        yield note(FACT, (f"card-{card['id']}", field), [name, asked, html(said), where], f"metric::{card['id']}")


def error(record: dict, place: Place) -> Iterator[genanki.Note]:
    """A popular error, and what is true."""
    where = place("reference/wrong-formulas", f"wrong-{record['id']}")
    fields = [html(record["claim"]), "This circulates. What is wrong with it?", html(record["truth"]), where]
    yield note(FACT, (f"wrong-{record['id']}", "truth"), fields, "error")


def decks(site_url: str = "") -> list[genanki.Deck]:
    """A deck for each part below the one of the book, with questions, metrics and errors in this order."""
    found = [genanki.Deck(DECK_ID + i, f"{NAME}::{part}") for i, part in enumerate(PARTS, 1)]
    part_of = {kind: deck for deck, kinds in zip(found, PARTS.values(), strict=True) for kind in kinds}
    place = Place(site_url)
    made_of = {"questions": ("topic", answer), "cards": ("task", facts), "wrong_formulas": ("task", error)}
    for name, (kind, notes) in made_of.items():
        for record in load(name):
            for made in notes(record, place):
                part_of[record[kind]].add_note(made)
    return found


def write(path: Path, found: list[genanki.Deck], at: float | None = None) -> None:
    """Pack the decks; genanki dates the members of its archive by the clock, so they are packed again.

    Anki takes over a text from a later day only.
    """
    with tempfile.TemporaryDirectory() as folder:
        dated = Path(folder) / "dated.apkg"
        genanki.Package(found).write_to_file(dated, timestamp=at or released().timestamp())
        day = released().timetuple()[:6]
        with zipfile.ZipFile(dated) as source, zipfile.ZipFile(path, "w") as target:
            for name in source.namelist():
                target.writestr(zipfile.ZipInfo(name, day), source.read(name), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    settings = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    write(Path(sys.argv[1]), decks(settings["site_url"] or ""))
