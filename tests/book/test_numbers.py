"""The numbers, options and quoted sentences of the registries: computed, in their place, and decided."""

import copy

import pytest

from tests.registries import faults, typed, unfilled

OPTIONS = {"stem", "choices", "text", "why"}
FIELDS = {
    "questions": {"question", "chinese", "answer", "deeper", "pitfalls"} | OPTIONS,
    "wrong_formulas": {"title", "claim", "truth", "counter_example", "why_tempting"} | OPTIONS,
    "errata": {"problem", "correct", "demo", "reading"},
}
CARD = {"name", "symbols", "range", "direction", "needs", "undefined", "short_undefined", "blind_to", "use_when"}
FIELDS["conventions"] = {"quantity", "example", "definitions", "definition", "why"}
FIELDS |= {"cards": CARD | {"do_not_use_when"}, "choosing": {"situation", "why", "warning"}}


def records(name):
    """The records of a registry as they are written."""
    return unfilled(name)["choices"] if name == "choosing" else unfilled(name)


RECORDS = {(name, record["id"]): record for name in FIELDS for record in records(name)}
ITEMS = [record for record in RECORDS.values() if record.get("choices")]


@pytest.mark.parametrize(("name", "record"), RECORDS)
def test_the_numbers_of_a_record_are_computed_and_stand_in_their_place(name, record):
    assert not list(faults(RECORDS[name, record], FIELDS[name]))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item["id"])
def test_the_right_option_is_decided(item):
    """By an expression, or by a reason why there is none; an option that is more than a number is quoted."""
    (right,) = (choice for choice in item["choices"] if choice["right"])
    assert ("decides" in right) != bool(item.get("undecided"))
    for choice in item["choices"]:
        check = choice.get("decides", {"expr": ""})
        assert set(check) <= {"says", "expr"}
        assert "decides" not in choice or "says" in check or choice["text"].strip(". ").startswith("<<")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("F1 is 2TP/(2TP + FP + FN), NDCG@10 at most 1, R² below 0, in document 004, line 12.", []),
        (r"$F_1=\frac{2PR}{P+R}$, $\log_2(i+1)$ and $2^{rel}-1$, 0/0, `ndcg([3, 2])`, <<a:2>>", []),
        ("8/11 of them", ["8/11"]),
        ("55 %, 0.55, 1,098 and 10", ["55", "0.55", "1,098", "10"]),
        ("0.5 or 1/2, 100 % or 1 %", ["0.5", "1/2", "100", "1"]),
        (r"$\frac{8}{11}$", ["8", "11"]),
    ],
)
def test_typed_numbers_are_found(text, numbers):
    assert typed(text) == numbers


def changed(name, identifier, *path_and_text):
    """A copy of a record with a text in it changed."""
    *path, old, new = path_and_text
    record = copy.deepcopy(RECORDS[name, identifier])
    part = record
    for key in path[:-1]:
        part = part[key]
    assert old in part[path[-1]]
    part[path[-1]] = part[path[-1]].replace(old, new)
    return list(faults(record, FIELDS[name]))
