"""The question bank is complete and its numbers are computed, and the paths lead somewhere."""

import re
from collections import Counter
from itertools import pairwise

import pytest

from book._ext.records import contributions, unfilled
from metrics_book import practice
from tests.book.held import CLAIM
from tests.book.test_registries import CHAPTERS, NAMES
from tests.registries import ROOT, folded, load, twice

BANK = load("questions")
BY_ID = {question["id"]: question for question in BANK}
CARDS = {card["id"]: card for card in load("cards")}
INTERVIEW = ROOT / "book" / "interview"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in INTERVIEW.glob("*.md")}
SHOWN = re.findall(r"\{questions\} (\w+) (\w+)", "\n".join(PAGES.values()))
LABELS = {  # of headings, which have a title to link with
    block.text
    for chapter in CHAPTERS.values()
    for block, following in pairwise(chapter.blocks)
    if block.kind == "myst_target" and following.kind == "heading"
}
EVERY_QUESTION = pytest.mark.parametrize("question", BANK, ids=BY_ID)


def texts(question):
    """Everything a reader sees of a question."""
    parts = [question[field] for field in ("question", "chinese", "answer", "deeper")] + question["pitfalls"]
    return [
        *parts,
        question.get("stem", ""),
        *(choice[key] for choice in question["choices"] for key in ("text", "why")),
    ]


def test_the_bank_is_large_and_has_no_question_twice():
    assert len(BANK) >= 130
    assert twice(question["id"] for question in BANK) == []
    assert twice(question["question"] for question in BANK) == []


def test_what_contributions_leave_to_us_is_said():
    left = [f"{name}: we fill in {', '.join(fields)}" for name, fields in contributions("questions").items()]
    if left:
        pytest.skip("; ".join(left))


@EVERY_QUESTION
def test_a_question_holds_what_the_deck_can_show(question):
    roles = [role for text in texts(question) for role in re.findall(r"\{\w+\}`[^`]*`", text)]
    assert roles == [], f"{question['id']}: the deck of cards knows no roles"


@EVERY_QUESTION
def test_what_a_question_names_exists(question):
    name, label = question["id"], question["rests_on"]
    assert label in {*LABELS, None}, f"rests_on of {name}: expected the label of a section, got {label!r}"
    assert sorted(set(question["metrics"]) - set(CARDS)) == [], f"metrics of {name}: expected ids of cards"
    others = set(BY_ID) - {name}
    assert sorted(set(question["follow_ups"]) - others) == [], f"follow_ups of {name}: expected ids of other questions"


def unheld(question):
    """The points of a rubric, as they are written, that claim more than is held or said to be open."""
    quotes = [folded(quote["says"]) for kind in ("holds", "open") for quote in question.get(kind, [])]
    for point in map(folded, question["rubric"]):
        rest = point
        for quote in quotes:
            rest = rest.replace(quote, "")
        if CLAIM.search(re.sub(r"\$[^$]*\$|<<[^<>]*>>", "", rest)):
            yield point


@pytest.mark.parametrize("question", unfilled("questions"), ids=lambda question: question["id"])
def test_each_claim_of_a_rubric_is_held_or_said_to_be_open(question):
    if question["id"] in contributions("questions"):
        pytest.skip("a contribution: we hold what it claims")
    points = "\n".join(map(folded, question["rubric"]))
    assert list(unheld(question)) == []
    assert [quote["says"] for quote in question.get("open", []) if folded(quote["says"]) not in points] == []


def test_a_claim_that_nothing_holds_is_found():
    point = "Recall never falls, and **every sum** is one half for $P = only$ and <<always:word>> samples."
    held = {"rubric": [point], "open": [{"says": "Recall never falls"}], "holds": [{"says": "**every sum** is one"}]}
    assert not list(unheld(held))
    assert list(unheld(held | {"open": []})) == list(unheld(held | {"holds": []})) == [point]


def words_for(card):
    """The names of a metric and their abbreviations, in small letters."""
    names = [CARDS[card]["name"], *re.findall(r"\(([^)]+)\)", CARDS[card]["name"])]
    names += [name.partition(" of ")[0].partition(" (")[0] for name in names]
    terms = [term for term in load("terms") if term["card"] == card]
    names += [name for term in terms for name in (term["en"], term["abbr"], *term["forms"]) if name]
    return {name.lower() for name in names}


WITH_SECTION = [question for question in BANK if question["rests_on"] and question["metrics"]]


@pytest.mark.parametrize("question", WITH_SECTION, ids=lambda question: question["id"])
def test_the_section_of_a_question_is_about_its_metric(question):
    (text,) = [
        chapter.section(question["rests_on"]) for chapter in CHAPTERS.values() if question["rests_on"] in chapter.labels
    ]
    words = sorted(word for card in question["metrics"] for word in words_for(card))
    assert any(word in text.lower() for word in words), f"{question['rests_on']} names none of {words}"


@EVERY_QUESTION
def test_one_choice_is_right_and_no_two_are_the_same(question):
    if question["choices"]:
        right = [choice["text"] for choice in question["choices"] if choice["right"]]
        assert len(right) == 1, f"choices of {question['id']}: expected one with right: true, got {right}"
        assert twice(choice["text"] for choice in question["choices"]) == []


def test_the_right_choice_stands_at_every_place():
    places = Counter(
        [choice["right"] for choice in question["choices"]].index(True) for question in BANK if question["choices"]
    )
    assert min(places[place] for place in range(3)) >= sum(places.values()) / 6


def test_an_answer_says_what_its_rubric_asks_for():
    """The phrase of each point, or the words that ``said`` gives for it; as spoken, in 90 to 140 words."""
    lacking = []
    for question in BANK:
        if question["id"] in contributions("questions"):
            continue
        answer, said = folded(question["answer"]).casefold(), question.get("said", {})
        phrases = [re.search(r"\*\*(.+?)\*\*", folded(point))[1] for point in question["rubric"]]
        assert said.keys() <= set(phrases), question["id"]
        lacking += [(question["id"], said.get(of, of)) for of in phrases if said.get(of, of).casefold() not in answer]
        lacking += [(question["id"], "90 to 140 words")] * (not 90 <= len(answer.split()) <= 140)
        lacking += [(question["id"], "per cent")] * ("%" in answer)
    assert lacking == []


def test_numbers_come_from_the_library_where_it_has_the_metric():
    numbers = [
        given for question in unfilled("questions") for given in question["numbers"].values() if isinstance(given, str)
    ]
    assert sum(any(name in expr for name in NAMES) for expr in numbers) >= len(numbers) / 2


@pytest.mark.parametrize("card", CARDS)
def test_every_metric_is_asked_about_twice(card):
    asked = [question["id"] for question in BANK if card in question["metrics"]]
    assert len(asked) >= 2, f"card {card}: expected two questions or more with it in their metrics, got {asked}"


def test_every_question_stands_on_one_page():
    assert {(question["topic"], question["level"]) for question in BANK} <= set(SHOWN)
    assert max(Counter(SHOWN).values()) == 1
    for topic, _ in SHOWN:
        assert f"{{questions}} {topic} " in PAGES[topic]


# The paths

EVERY_PATH = pytest.mark.parametrize("path", load("paths"), ids=lambda path: path["id"])


def asked(path):
    return [name for step in path["steps"] for name in step.get("questions", [])]


@EVERY_PATH
def test_a_path_leads_through_what_exists(path):
    steps = path["steps"]
    read = [step["chapter"] for step in steps if "chapter" in step]
    assert set(read) <= set(CHAPTERS)
    assert len(set(read)) == len(read)
    for step in steps:
        assert len(set(step) - {"why"}) == 1
        assert set(step.get("questions", [])) <= set(BY_ID)
        assert set(step.get("exercises", [])) <= set(practice.exercises())
    assert len(set(asked(path))) == len(asked(path)) >= 15


@EVERY_PATH
def test_a_path_has_lessons_first_and_asks_after_the_lesson(path):
    read = [step.get("chapter") for step in path["steps"]]
    lessons = [chapter for chapter in read if chapter and chapter.startswith("lessons/")]
    assert [chapter for chapter in read if chapter][: len(lessons)] == lessons
    for place, step in enumerate(path["steps"]):
        proofs = {BY_ID[name]["rests_on"] for name in step.get("questions", [])}
        later = [lesson for lesson in lessons if read.index(lesson) > place and proofs & {*CHAPTERS[lesson].labels}]
        assert later == [], f"path {path['id']}: step {place + 1} asks before {later}"


@EVERY_PATH
def test_a_path_asks_what_its_job_is_asked(path):
    role = {"search": "ranking", "recommendation": "ads", "language": "nlp"}.get(path["id"], path["id"])
    strange = [name for name in asked(path) if role not in BY_ID[name]["roles"]]
    assert strange == [], f"path {path['id']}: expected questions with the role {role}"


def test_two_thirds_of_the_bank_are_on_a_path_or_one_follow_up_away():
    on_paths = {name for path in load("paths") for name in asked(path)}
    near = on_paths.union(*(BY_ID[name]["follow_ups"] for name in on_paths))
    assert len(near) >= len(BANK) * 2 / 3


def test_every_exercise_is_on_a_path():
    on_paths = {name for path in load("paths") for step in path["steps"] for name in step.get("exercises", [])}
    assert on_paths == set(practice.exercises())
