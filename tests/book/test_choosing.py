"""The guide "Which metric?": every pair of systems is computed, every question leads on, every card has its place."""

from collections import Counter
from fractions import Fraction
from itertools import chain
from types import SimpleNamespace

import pytest

from tests.book.test_registries import CHAPTERS
from tests.registries import NAMES, ROOT, evaluate, exact, load, same

GUIDE = load("choosing")
CHOICES = {choice["id"]: choice for choice in GUIDE["choices"]}
CARDS = {card["id"]: card for card in load("cards")}
OTHERS = GUIDE["without_card"]
PAGE = (ROOT / "book" / "reference" / "which-metric.md").read_text(encoding="utf-8")
FIELDS = ["id", "task", "situation", "metrics", "why", "warning", "both", "a", "b"]
FIELDS += ["popular", "recommended", "verdict", "better", "unless"]
SIDES = ["metric", "name", "expr", "a", "b"]
EACH = pytest.mark.parametrize("choice", CHOICES.values(), ids=CHOICES)


def number(held):
    """Data as the registry writes them, for the library: fractions as floats, words as they are."""
    if isinstance(held, list):
        return [number(part) for part in held]
    return float(Fraction(held)) if isinstance(held, str) and "/" in held else held


def computed(choice, side, system):
    return evaluate(choice[side]["expr"], variables(choice, system))


def variables(choice, system):
    return {name: number(held) for name, held in (choice["both"] | choice[system]).items()}


def order(side):
    """1 if A is better, -1 if B is, 0 if they are equal; by the direction on the metric's card."""
    direction = (CARDS | OTHERS)[side["metric"]]["direction"].split(" ")[0]
    first, second = exact(side["a"]), exact(side["b"])
    return ((first > second) - (first < second)) * {"higher": 1, "lower": -1}[direction]


def answers(node):
    yield node
    for answer in node.get("answers", []):
        yield from answers(answer)


def test_choices_are_unique():
    assert len(CHOICES) == len(GUIDE["choices"]) >= 20
    assert max(Counter(choice["situation"] for choice in CHOICES.values()).values()) == 1


@EACH
def test_a_choice_is_complete(choice):
    assert [field for field in choice if field != "numbers"] == FIELDS
    assert list(choice["popular"]) == list(choice["recommended"]) == SIDES
    assert 1 <= len(choice["metrics"]) <= 3
    assert choice["recommended"]["metric"] in choice["metrics"]
    assert {*choice["metrics"], choice["popular"]["metric"]} <= set(CARDS) | set(OTHERS)
    assert choice["popular"]["expr"] != choice["recommended"]["expr"]
    assert all(choice[field].endswith(".") for field in ("why", "warning"))


@EACH
@pytest.mark.parametrize("side", ["popular", "recommended"])
@pytest.mark.parametrize("system", ["a", "b"])
def test_a_value_is_computed(choice, side, system):
    assert same(computed(choice, side, system), exact(choice[side][system]))


@EACH
def test_both_values_come_from_the_systems(choice):
    """What is compared differs between A and B, is used, and the recommended value comes from the library."""
    assert set(choice["a"]) == set(choice["b"])
    assert not set(choice["both"]) & set(choice["a"])
    assert choice["a"] != choice["b"]
    for name in choice["a"]:
        assert any(name in choice[side]["expr"] for side in ("popular", "recommended"))
    assert any(name in choice["recommended"]["expr"] for name in NAMES)


@EACH
def test_the_recommended_metric_tells_apart_what_the_popular_one_does_not(choice):
    if choice["better"] is None:
        assert "neither" in CARDS[choice["recommended"]["metric"]]["direction"]
        assert choice["recommended"]["a"] != choice["recommended"]["b"]
        assert choice["verdict"] == "equal"
    else:
        assert order(choice["recommended"]) == {"a": 1, "b": -1}[choice["better"]]
    if choice["verdict"] == "equal":
        assert choice["popular"]["a"] == choice["popular"]["b"]
    else:
        assert choice["verdict"] == "reversed"
        assert order(choice["popular"]) == -order(choice["recommended"]) != 0


def test_a_metric_without_a_card_is_named_by_a_choice_and_explained_in_a_section():
    sides = chain.from_iterable((choice["popular"], choice["recommended"]) for choice in CHOICES.values())
    named = set(chain.from_iterable(choice["metrics"] for choice in CHOICES.values()))
    assert set(OTHERS) <= named | {side["metric"] for side in sides}
    labels = set(chain.from_iterable(chapter.labels for chapter in CHAPTERS.values()))
    assert {other["home"] for other in OTHERS.values()} <= labels


def test_no_two_choices_have_the_same_pair():
    pairs = [frozenset(str(choice["both"] | choice[system]) for system in "ab") for choice in CHOICES.values()]
    assert max(Counter(pairs).values()) == 1


@EACH
def test_no_card_advises_against_the_choice(choice):
    """Each condition of "do not use when" is kept from holding by words of the choice or by its data."""
    text = " ".join(choice[field] for field in ("situation", "why", "warning"))
    a, b = (variables(choice, system) for system in "ab")
    both = {"A": SimpleNamespace(**a), "B": SimpleNamespace(**b), "metrics": choice["metrics"]}
    assert list(choice["unless"]) == choice["metrics"]
    for card, conditions in choice["unless"].items():
        assert list(conditions) == (CARDS[card]["do_not_use_when"] if card in CARDS else [])
        for condition, check in conditions.items():
            assert len(check) == 1
            if "says" in check:
                assert check["says"] in text, condition
            else:
                assert not any(evaluate(check["expr"], both | own) for own in (a, b)), condition


def test_the_questions_lead_to_every_choice_and_to_nothing_else():
    nodes = [node for branch in GUIDE["tree"] for node in answers(branch)]
    for node in nodes:
        assert len({"asks", "choice", "task"} & set(node)) == 1 or node in GUIDE["tree"], node["answer"]
        assert set(node) <= {"answer", "asks", "answers", "choice", "task"}, node
        assert ("asks" in node) == ("answers" in node)
        assert "asks" not in node or (node["asks"].endswith("?") and len(node["answers"]) >= 2)
    assert {node["choice"] for node in nodes if "choice" in node} == set(CHOICES)


def test_the_page_shows_every_branch_in_order():
    tasks = [branch["task"] for branch in GUIDE["tree"]]
    assert {choice["task"] for choice in CHOICES.values()} == set(tasks)
    places = [PAGE.index(f"(choose-{task})=\n") for task in tasks]
    assert places == sorted(places)
    for task in tasks:
        assert PAGE.count(f"{{choices}} {task}\n") == 1
    assert "{choose-questions}" in PAGE
    assert "{not-recommended}" in PAGE


def test_every_card_is_recommended_somewhere_or_listed_with_a_reason():
    recommended = set(chain.from_iterable(choice["metrics"] for choice in CHOICES.values()))
    assert set(CARDS) - recommended == set(GUIDE["not_recommended"])
    assert not set(CARDS) & set(OTHERS)
    assert all(len(reason) > 40 for reason in GUIDE["not_recommended"].values())
