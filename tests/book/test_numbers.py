"""The numbers, options and quoted sentences of the registries: computed, in their place, and decided."""

import copy

import pytest

from book._ext.records import contributions, values
from tests.registries import exact, faults, same, typed, unfilled
from tools.values import of_expressions

OPTIONS = {"stem", "choices", "text", "why"}
FIELDS = {
    "questions": {"question", "chinese", "answer", "deeper", "pitfalls", "rubric"} | OPTIONS,
    "wrong_formulas": {"title", "claim", "truth", "counter_example", "why_tempting"} | OPTIONS,
    "errata": {"change", "problem", "correct", "demo", "reading"},
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
    if name == "questions" and record in contributions(name):
        pytest.skip(f"{record} is a contribution: we name its numbers")
    assert not list(faults(RECORDS[name, record], FIELDS[name]))


@pytest.mark.parametrize("name", FIELDS)
def test_the_stored_values_are_those_of_the_expressions(name):
    computed, known = of_expressions(name), values().get(name, {})
    assert {key: [*own] for key, own in computed.items()} == {key: [*own] for key, own in known.items()}, "make values"
    for record, numbers in computed.items():
        for number, value in numbers.items():
            assert same(value, exact(known[record][number])), f"{record}: {number} is {value}; run make values"


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


CHANGES = [
    ("screening-test", "answer", "So <<caught>> of <<positive_results>> positive", "So 99 of 1,198 positive"),
    ("accuracy-limits", "deeper", "<<f1>>", "7/11"),
    ("flagged-two-hundred", "answer", "accuracy is <<accuracy:3>>", "accuracy is 0.989"),
    ("gauc-weights", "answer", "<<gauc_by_impressions:2>>", "<<gauc_by_clicks:2>>"),
    ("macro-or-micro", "choices", 2, "text", "<<micro_f1:2>>, macro-F1", "<<macro_f1:3>>, macro-F1"),
    ("macro-or-micro", "choices", 2, "text", "Micro-F1", "Macro-F1"),
    ("precision-recall-trade-off", "answer", "recall can only rise or stay", "recall can only fall"),
    ("pr-threshold-falls", "answer", "Recall can only rise", "Recall can only fall"),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]}-{change[-1]}")
def test_a_changed_statement_is_found(change):
    """Changes of one word or number in a text, which left every test green as long as texts typed their numbers."""
    assert changed("questions", *change)


@pytest.mark.parametrize("item", [item for item in ITEMS if not item.get("undecided")], ids=lambda item: item["id"])
def test_another_option_marked_right_is_found(item):
    name = next(name for name, identifier in RECORDS if identifier == item["id"])
    right = [choice["right"] for choice in item["choices"]].index(True)
    for place in set(range(len(item["choices"]))) - {right}:
        moved = copy.deepcopy(item)
        moved["choices"][right]["right"], moved["choices"][place]["right"] = False, True
        assert list(faults(moved, FIELDS[name]))
