"""The schemas of the registries: sound themselves, kept by every record, and clear about a record that breaks one."""

import copy

import pytest

from book._ext import records
from tests.registries import unfilled

REGISTRIES = [name for name in records.schemas() if name != "$defs"]
PATH = records.DATA / "cards.yml"


def test_every_registry_has_a_schema():
    names = {path.stem for path in records.DATA.glob("*.yml")} | {p.name for p in records.DATA.iterdir() if p.is_dir()}
    assert names - {"schema"} == set(REGISTRIES)


@pytest.mark.parametrize("name", REGISTRIES)
def test_a_schema_is_sound(name):
    records.Validator.check_schema(records.schemas()[name] | {"$defs": records.schemas()["$defs"]})


def test_the_records_keep_their_schemas():
    assert records.all_faults() == []


def broken(name, change):
    """What is said of a registry whose first record is changed."""
    part = [copy.deepcopy(unfilled(name)[0])]
    change(part[0])
    (path, *_) = records.files(name)
    return list(records.faults(name, part, path))


def test_a_missing_field_is_named_with_file_record_and_what_was_expected():
    assert broken("cards", lambda card: card.pop("related")) == [
        "book/data/cards.yml: accuracy: 'related' is missing, "
        "expected a list of one card id or more, each of which names this one"
    ]


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("cards", lambda card: card.update(related=[]), "'related' is [], expected a list of one card id"),
        ("cards", lambda card: card.update(related=["F1"]), "'related' 1 is 'F1', expected an id of small letters"),
        ("cards", lambda card: card.update(relatd=[]), "'relatd' is not a field of it, expected id, name, chinese"),
        ("cards", lambda card: card.update(chinese="accuracy"), "'chinese' is 'accuracy', expected the Chinese name"),
        ("cards", lambda card: card["checks"][1].pop("value"), "'checks' 2 'value' is missing, expected a value"),
        ("cards", lambda card: card.update(id=card.pop("id")), "its fields are in another order, expected id, name"),
        (
            "questions",
            lambda question: question.update(answer="Yes."),
            "'answer' has 1 words, expected an answer",
        ),
        ("questions", lambda question: question["choices"].__delitem__(slice(2)), "'choices' is"),
        ("questions", lambda question: question.update(level="hardest"), "expected easy, medium or hard"),
        ("errata", lambda erratum: erratum.update(verdict="ambiguous"), "'reading' is missing, expected the reading"),
        ("terms", lambda term: term.update(note="A mean"), "'note' is 'A mean', expected what it is"),
    ],
)
def test_a_fault_is_told_in_one_line(name, change, said):
    (fault,) = [line for line in broken(name, change) if said in line]
    assert fault.startswith(f"book/data/{name}")
    assert "\n" not in fault


def test_what_is_not_yaml_is_named_with_its_line(tmp_path):
    path = tmp_path / "cards.yml"
    path.write_text("- id: a\n  name: [b\n- id: c\n")
    with pytest.raises(ValueError, match=r"cards.yml: line 3 is not YAML: "):
        records.read(path)


def test_a_lesson_may_be_a_home():
    assert broken("cards", lambda card: card.update(home="lessons/confusion-matrix")) == []
