"""The wrong formulas: each shows what the claim gives and what is right, and the mistakes in AUCs are run."""

import math
import re
from collections import Counter

import numpy as np
import pytest

from metrics_lib import roc_auc_score
from tests.book.test_questions import words_for
from tests.book.test_registries import CHAPTERS
from tests.registries import NAMES, ROOT, SLOT, exact, load, same, unfilled

RECORDS = load("wrong_formulas")
CARDS = {card["id"] for card in load("cards")}
LABELS = {block.text for chapter in CHAPTERS.values() for block in chapter.of_kind("myst_target")}
PAGE = (ROOT / "book" / "reference" / "wrong-formulas.md").read_text(encoding="utf-8")
FIELDS = ["id", "task", "title", "claim", "truth", "counter_example", "numbers", "metrics", "rests_on", "why_tempting"]
FIELDS += ["stem", "choices"]
OPTIONAL = {"fails", "holds", "typed", "undecided"}
EACH = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])


def test_there_are_many_and_each_once():
    assert len(RECORDS) >= 30
    for field in ("id", "title", "claim", "stem"):
        assert max(Counter(record[field] for record in RECORDS).values()) == 1


@EACH
def test_a_record_is_complete(record):
    assert [field for field in record if field not in OPTIONAL] == FIELDS
    assert ("fails" in record) == (record["task"] == "auc-by-hand")
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", record["id"])
    assert f"{{wrong-formulas}} {record['task']}\n" in PAGE
    assert set(record["metrics"]) <= CARDS
    assert record["metrics"]
    assert record["rests_on"] in LABELS


@pytest.mark.parametrize("record", [record for record in RECORDS if record["rests_on"]], ids=lambda r: r["id"])
def test_the_section_of_a_record_is_about_its_metric(record):
    (text,) = [
        chapter.section(record["rests_on"]) for chapter in CHAPTERS.values() if record["rests_on"] in chapter.labels
    ]
    assert any(name in text.lower() for card in record["metrics"] for name in words_for(card))


@EACH
def test_the_claim_and_the_truth_differ(record):
    """What the claim gives is ``claimed``; the ``right`` value comes from the library."""
    claimed, right = (exact(record["numbers"][name]) for name in ("claimed", "right"))
    assert claimed != right


@pytest.mark.parametrize("record", unfilled("wrong_formulas"), ids=lambda record: record["id"])
def test_the_example_shows_both_values_the_right_one_from_the_library(record):
    functions = set(NAMES) - {"math", "itertools", "np", "Fraction"}
    assert any(name in record["numbers"]["right"] for name in functions)
    values = {one["id"]: one["numbers"] for one in RECORDS}[record["id"]]
    shown = {slot[1] for slot in SLOT.finditer(record["counter_example"])}
    for name in ("claimed", "right"):
        if isinstance(exact(values[name]), float):
            assert re.search("0/0|not a number", record["counter_example"])
        else:
            assert name in shown


@EACH
def test_one_choice_is_right_and_each_is_answered(record):
    choices = record["choices"]
    assert 3 <= len(choices) <= 4
    assert all(set(choice) - {"decides"} == {"text", "right", "why"} for choice in choices)
    assert [choice["right"] for choice in choices].count(True) == 1
    assert len({choice["text"] for choice in choices}) == len({choice["why"] for choice in choices}) == len(choices)


def test_the_right_choice_stands_at_every_place():
    places = Counter([choice["right"] for choice in record["choices"]].index(True) for record in RECORDS)
    assert min(places[place] for place in range(3)) >= len(RECORDS) / 6


def test_the_self_test_can_tell_the_records_from_the_questions():
    assert not {record["id"] for record in RECORDS} & {question["id"] for question in load("questions")}


def test_the_page_shows_each_group_once():
    shown = re.findall(r"\{wrong-formulas\} ([\w-]+)\n", PAGE)
    assert shown == list(dict.fromkeys(record["task"] for record in RECORDS))
    assert all(f"(wrong-{task})=\n" in PAGE for task in shown)


# AUC by hand: the eight tests of the page, and a small function for each mistake

RNG = np.random.default_rng(400)
LABELS_400, SCORES_400 = RNG.integers(0, 2, 400).tolist(), (RNG.integers(0, 10, 400) / 10).tolist()


def pairs(y, s):
    return [(p, n) for p, label in zip(s, y, strict=True) if label for n, other in zip(s, y, strict=True) if not other]


def by_pairs(y, s):
    won = sum((p > n) + (p == n) / 2 for p, n in pairs(y, s))
    return won / len(pairs(y, s)) if pairs(y, s) else math.nan


def wrong_way(y, s):
    return sum((n > p) + (p == n) / 2 for p, n in pairs(y, s)) / len(pairs(y, s))


def row_order(y, s):
    total = below = 0
    for label, _ in sorted(zip(y, s, strict=True), key=lambda row: row[1]):
        total += label * below
        below += 1 - label
    return total / len(pairs(y, s))


def bins(y, s):
    counts = np.zeros((2, 100))
    for label, score in zip(y, s, strict=True):
        counts[label, int(100 * score)] += 1
    below = np.cumsum(counts[0]) - counts[0] / 2
    return float(counts[1] @ below) / len(pairs(y, s))


def rank_sum(y, s):
    ranks = [1 + sum(other < score for other in s) + (s.count(score) - 1) / 2 for score in s]
    return sum(rank for rank, label in zip(ranks, y, strict=True) if label) / len(pairs(y, s))


def one_class(y, s):
    return by_pairs(y, s) if len(set(y)) == 2 else 0.0


MISTAKES = {f"hand-auc-{f.__name__.replace('_', '-')}": f for f in (wrong_way, row_order, bins, rank_sum, one_class)}
TESTS = {
    "four points": lambda f: math.isclose(f([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 3 / 4),
    "ties": lambda f: math.isclose(f(LABELS_400, SCORES_400), by_pairs(LABELS_400, SCORES_400)),
    "all equal": lambda f: math.isclose(f([1, 0, 1, 0], [0.3] * 4), 1 / 2),
    "row order": lambda f: math.isclose(f(LABELS_400, SCORES_400), f(LABELS_400[::-1], SCORES_400[::-1])),
    "score of one": lambda f: math.isclose(f([0, 1, 0, 1], [0.2, 1.0, 0.5, 0.9]), 1),
    "logits": lambda f: math.isclose(f([0, 1, 0, 1], [-2.0, 3.0, 0.5, -1.0]), 3 / 4),
    "tiny scores": lambda f: math.isclose(f([0, 1], [1e-9, 2e-9]), 1),
    "one class": lambda f: math.isnan(f([1, 1], [0.2, 0.3])),
}


def failed(function):
    """The tests that a function fails; a crash is a failure."""

    def passes(test):
        try:
            return test(function)
        except (IndexError, ZeroDivisionError):
            return False

    return [name for name, test in TESTS.items() if not passes(test)]


def test_the_page_lists_the_eight_tests():
    assert re.findall(r"^- \*\*([\w ]+)\*\*", PAGE, re.M) == list(TESTS)
    assert len(TESTS) == 8
    assert len(set(SCORES_400)) == 10


@pytest.mark.filterwarnings("ignore::metrics_lib.UndefinedMetricWarning")
def test_right_functions_pass_all_eight():
    assert failed(by_pairs) == failed(roc_auc_score) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_by_the_tests_that_are_named(name):
    record = next(record for record in RECORDS if record["id"] == name)
    assert failed(MISTAKES[name]) == record["fails"]


def test_every_mistake_of_the_page_is_run():
    assert [record["id"] for record in RECORDS if "fails" in record] == list(MISTAKES)


def test_the_mistakes_give_the_values_of_their_examples():
    def claimed(name):
        return exact(next(record for record in RECORDS if record["id"] == name)["numbers"]["claimed"])

    labels, scores = [0, 0, 1, 1], [2, 8, 7, 16]
    assert same(wrong_way(labels, scores), claimed("hand-auc-wrong-way"))
    assert same(rank_sum(labels, scores), claimed("hand-auc-rank-sum"))
    assert same(row_order([1, 0, 1, 0], [1, 1, 1, 1]), claimed("hand-auc-row-order"))
    assert same(bins([0, 1], [1e-9, 2e-9]), claimed("hand-auc-bins"))
    assert same(one_class([1, 1], [2, 3]), claimed("hand-auc-one-class"))
