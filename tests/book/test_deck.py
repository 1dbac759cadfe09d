"""Anki reads the deck, a fact a card; a newer deck corrects the texts and keeps what the learner has learnt."""

import re
import subprocess
import sys
from collections import Counter

import pytest
from anki.collection import Collection, ImportAnkiPackageRequest

from tests.registries import ROOT, load, twice
from tools import deck

BANK, CARDS, ERRORS = load("questions"), load("cards"), load("wrong_formulas")
SITE = ROOT / "_build" / "html"
A_DAY = 86_400


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    path = tmp_path_factory.mktemp("deck") / "deck.apkg"
    subprocess.run([sys.executable, "-m", "tools.deck", path], check=True, cwd=ROOT)
    return path


def imported(package, collection):
    collection.import_anki_package(ImportAnkiPackageRequest(package_path=str(package)))
    return collection


@pytest.fixture(scope="module")
def collection(package):
    """The deck, imported by Anki itself into an empty collection."""
    collection = imported(package, Collection(str(package.with_name("collection.anki2"))))
    yield collection
    collection.close()


@pytest.fixture(scope="module")
def notes(collection):
    return [collection.get_note(number) for number in collection.find_notes("")]


def test_every_question_metric_and_error_is_a_note_with_one_card(collection, notes):
    assert len(notes) == len(BANK) + len(CARDS) * len(deck.ASKED) + len(ERRORS) == collection.card_count()
    assert twice(note.guid for note in notes) == []


def test_each_part_is_a_deck_of_its_own(collection):
    sizes = Counter(collection.decks.name(collection.get_card(card).did) for card in collection.find_cards(""))
    assert set(sizes) == {f"{deck.NAME}::{part}" for part in deck.PARTS}
    topics = {question["topic"] for question in BANK} | {record["task"] for record in [*CARDS, *ERRORS]}
    assert sorted(topics) == sorted(set().union(*deck.PARTS.values()))


def test_a_question_is_asked_without_its_answer_and_its_points(collection):
    for question in BANK[:20]:
        (number,) = [
            card
            for card in collection.find_cards(f"tag:topic::{question['topic']}")
            if collection.get_card(card).note()["About"] == deck.html(question["question"])
        ]
        card = collection.get_card(number)
        assert deck.html(question["answer"]) in card.answer()
        assert deck.html(question["answer"]) not in card.question()
        assert card.answer().count("<li>") - card.question().count("<li>") >= len(question["rubric"])


def test_a_fact_is_asked_without_its_answer(collection):
    for number in collection.find_cards("tag:error"):
        card = collection.get_card(number)
        note = card.note()
        assert note["Fact"] not in card.question()
        assert note["Fact"] in card.answer()
        assert note["About"] in card.question()


def test_no_card_needs_a_picture_and_no_markup_is_left(collection, notes):
    for note in notes:
        text = " ".join(note.fields)
        assert all(note.fields)
        assert "<img" not in text
        assert not re.search(r"\$|\*\*|\{[a-z:]+\}`|<<", text), text
    formulas = collection.find_notes(r"tag:metric::* Asked:*formula* Fact:re:\\\[.+\\\]")
    assert len(formulas) == len(CARDS)


def test_the_tags_tell_topic_level_role_and_metric(collection):
    for tag, size in {
        "level::easy": sum(question["level"] == "easy" for question in BANK),
        "role::ads": sum("ads" in question["roles"] for question in BANK),
        "topic::gains": sum(question["topic"] == "gains" for question in BANK),
        "metric::ndcg": len(deck.ASKED),
        "error": len(ERRORS),
    }.items():
        assert len(collection.find_notes(f"tag:{tag}")) == size > 0, tag


def test_a_newer_deck_corrects_the_text_and_keeps_the_progress(package, tmp_path):
    """The learner has answered a card; in the next version its answer is another one."""
    collection = imported(package, Collection(str(tmp_path / "learner.anki2")))
    collection.decks.select(collection.decks.id_for_name(f"{deck.NAME}::Labels"))
    before = collection.sched.getCard()
    before.start_timer()
    collection.sched.answerCard(before, 4)
    before.load()
    assert before.reps == 1
    newer = deck.decks()
    (changed,) = [note for made in newer for note in made.notes if note.guid == before.note().guid]
    changed.fields[2] = changed.fields[2].replace("</p>", " This is new.</p>", 1)
    deck.write(tmp_path / "newer.apkg", newer, deck.released().timestamp() + A_DAY)
    imported(tmp_path / "newer.apkg", collection)
    after = collection.get_card(before.id)
    assert "This is new." in after.note()["Fact"]
    assert (after.reps, after.due, after.ivl, after.queue) == (before.reps, before.due, before.ivl, before.queue)
    assert collection.card_count() == sum(len(made.notes) for made in newer)
    collection.close()


def test_the_same_records_give_the_same_bytes(package, tmp_path):
    again = tmp_path / "again.apkg"
    deck.write(again, deck.decks())
    assert again.read_bytes() == package.read_bytes()


def test_without_an_address_a_card_names_the_page(notes):
    assert not any("<a " in note["Place"] for note in notes)
    assert all(re.fullmatch("In the book: .+", note["Place"]) for note in notes)


def test_with_an_address_a_card_leads_to_its_place():
    places = [note.fields[-1] for made in deck.decks("https://example.org/book-of-metrics/") for note in made.notes]
    links = {
        re.search('<a href="https://example.org/book-of-metrics/(.+?)#(.+?)">', place).groups() for place in places
    }
    pages = {page: (SITE / page).read_text(encoding="utf-8") for page, _ in links}
    assert [link for link in sorted(links) if f'id="{link[1]}"' not in pages[link[0]]] == []


def test_the_site_offers_the_deck(package):
    assert (SITE / "book" / "interview" / "evaluation-metrics.apkg").read_bytes() == package.read_bytes()
