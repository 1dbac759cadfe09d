"""The registries and the chapters agree both ways, and every number in either is what metrics_lib computes."""

import math
import re
import warnings
from collections import Counter
from fractions import Fraction

import pytest

import metrics_lib
from tests.book.chapter import Chapter, boxes
from tests.registries import (
    NAMES,
    ROOT,
    evaluate,
    exact,
    flat,
    judged,
    lines,
    load,
    names,
    same,
    scope,
    values,
    weighty,
)
from tools import notebooks

ERRATA, WORKED, FORMULAS, CONVENTIONS, IMAGES = map(
    load, ["errata", "worked_numbers", "formulas", "conventions", "images"]
)
CHAPTERS = {
    path.relative_to(notebooks.BOOK).with_suffix("").as_posix(): Chapter.read(path)
    for path in notebooks.book_notebooks()
}
LAST_LINE = {"000": 181, "001": 178, "002": 167, "003": 199, "004": 229}
WORKED_FIELDS = ["document", "line", "what", "printed", "exact", "verdict", "expr", "home"]
FORMULA_FIELDS = ["document", "line", "quantity", "printed", "verdict", "home", "label"]
CONVENTION_FIELDS = ["id", "task", "quantity", "example", "definitions", "why", "home"]
IMAGE_FIELDS = ["document", "line", "held", "home", "label"]


def name(record):
    if "id" in record:
        return record["id"]
    return f"{record['document']}:{record['line']} " + next(
        record[k] for k in ("what", "quantity", "held") if k in record
    )


def values_of(record):
    """The numbers of a record, given and computed."""
    return [value for number in record.get("numbers", {}).values() for value in flat(exact(number))]


def outputs(chapter):
    return "\n".join(
        "".join(output.get("text") or output["data"].get("text/plain", ""))
        for code in chapter.code
        for output in code.node.outputs
    )


# The records themselves


@pytest.mark.parametrize("record", ERRATA, ids=name)
def test_an_erratum_is_complete(record):
    for line in lines(record):
        document, _, number = line.partition(":") if isinstance(line, str) else (record["id"][:3], "", line)
        assert 1 <= int(number) <= LAST_LINE[document]
    if "reference" in record:
        assert f"{{{record['reference']}," in (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    assert "find" not in record or "write" in record or record["verdict"] == "restored"


def test_errata_are_unique_and_in_document_order():
    ids = [record["id"] for record in ERRATA]
    assert ids == sorted(set(ids))


def test_no_more_than_twelve_characters_of_a_document_stand_together():
    """Our own sentences in Chinese are those of `write`; what else is Chinese in a record is the document's."""
    for record in ERRATA:
        for field in {"change", "find", "printed", "problem", "reading"} & set(record):
            assert all(len(run) <= 12 for run in re.findall("[\u3400-\u9fff]+", record[field])), record["id"]


@pytest.mark.parametrize("record", [record for record in FORMULAS if record["verdict"] == "right"], ids=name)
def test_what_is_right_as_printed_is_not_wrong(record):
    """A remark on a right formula is about its words, or a case that it leaves open."""
    of_others = {one for other in FORMULAS if other["verdict"] != "right" for one in other["verdict"]}
    on_it = [one for one in ERRATA if one["id"].startswith(record["document"]) and lines(one) == lines(record)]
    assert not [one["id"] for one in on_it if one["verdict"] == "wrong" and one["id"] not in of_others]


@pytest.mark.parametrize(
    ("fields", "records"), [(WORKED_FIELDS, WORKED), (FORMULA_FIELDS, FORMULAS), (IMAGE_FIELDS, IMAGES)]
)
def test_records_are_complete_unique_and_in_document_order(fields, records):
    for record in records:
        assert list(record) == fields, name(record)
        assert all(1 <= line <= LAST_LINE[record["document"]] for line in lines(record)), name(record)
        assert record["home"].startswith(record["document"]), name(record)
    assert max(Counter(map(name, records)).values()) == 1
    places = [(record["document"], lines(record)[0]) for record in records]
    assert places == sorted(places)


@pytest.mark.parametrize("record", CONVENTIONS, ids=name)
def test_a_convention_is_complete(record):
    assert [field for field in record if field not in ("numbers", "typed")] == CONVENTION_FIELDS
    assert len(record["definitions"]) >= 2
    for definition in record["definitions"]:
        assert {"definition", "used_by", "field", "keyword", "expr", "value"} <= set(definition)
        assert set(definition["used_by"]) <= set(LAST_LINE)
    assert sum(definition.get("default", False) for definition in record["definitions"]) <= 1


# The numbers


@pytest.mark.parametrize("record", CONVENTIONS, ids=name)
def test_the_values_of_a_convention_are_computed(record):
    for definition in record["definitions"]:
        for expression in [definition["expr"], *definition.get("also", [])]:
            if definition["value"] == "ValueError":
                with pytest.raises(ValueError, match="undefined"):
                    evaluate(expression, scope(record))
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", metrics_lib.UndefinedMetricWarning)
                    assert same(evaluate(expression, scope(record)), exact(definition["value"])), definition


@pytest.mark.parametrize("record", WORKED, ids=name)
def test_a_printed_number_is_computed_and_judged(record):
    value = exact(record["exact"])
    assert same(evaluate(record["expr"]), value)
    assert any(function in record["expr"] for function in NAMES) or "sorted" in record["expr"]
    assert judged(record["printed"], value) == record["verdict"]


# Registry to chapter, and back


@pytest.mark.parametrize("record", [*ERRATA, *WORKED, *FORMULAS, *CONVENTIONS, *IMAGES], ids=name)
def test_a_record_has_a_chapter(record):
    assert record["home"] in CHAPTERS


@pytest.mark.parametrize("record", ERRATA, ids=name)
def test_an_erratum_has_its_box(record):
    """A box of its own if it changes a number, a row in the table of small points otherwise."""
    chapter = CHAPTERS[record["home"]]
    if weighty(record):
        assert record["id"] in [box.id for box in boxes(chapter)]
    else:
        assert "small-points" in [block.name for block in chapter.directives]


def test_a_box_has_its_record_and_stands_once():
    found = Counter(box.id for chapter in CHAPTERS.values() for box in boxes(chapter))
    assert set(found) == {record["id"] for record in ERRATA if weighty(record)}
    assert max(found.values()) == 1


def test_there_are_small_points_only_where_there_are_some():
    shown = {home for home, chapter in CHAPTERS.items() if "small-points" in [b.name for b in chapter.directives]}
    assert shown <= {record["home"] for record in ERRATA if not weighty(record)}


@pytest.mark.parametrize("record", WORKED, ids=name)
def test_a_printed_number_stands_beside_the_computed_one(record):
    shown = outputs(CHAPTERS[record["home"]])
    value = exact(record["exact"])
    if isinstance(value, list):
        assert ", ".join(map(str, value)) in shown
        return
    # What is computed of words alone needs no line of its own with a verdict.
    rows = [line.split() for line in shown.splitlines() if record["verdict"] in line or not record["printed"]]
    assert any(beside(record["printed"], value, words) for words in rows)


def beside(printed, value, words):
    """Whether a line of an output has a number as printed and its value, exactly or to two decimals at least."""
    others = list(words)
    if printed in others:
        others.remove(printed)
    elif printed:
        return False
    computed = [word.removesuffix("%") for word in others if re.fullmatch(r"-?\d+(?:\.\d{2,})?%?|-?\d+/\d+", word)]
    scale = 100 if printed.endswith("%") else 1
    return any(Fraction(word) == value * scale or names(word, value * scale) for word in computed)


IN_LESSONS = [record for record in CONVENTIONS if record["home"].startswith("lessons/")]


@pytest.mark.parametrize("record", IN_LESSONS, ids=name)
def test_a_convention_of_a_lesson_has_every_value_among_the_choices(record):
    chapter = CHAPTERS[record["home"]]
    written = "\n".join(cell.source for cell in chapter.notebook.cells if cell.cell_type == "markdown")
    text = re.search(r"^## The choices$(.+?)(?=^## |\Z)", written, re.DOTALL | re.MULTILINE)[1]
    shown = re.findall(r"-?\d+(?:\.\d+|/\d+)?", text)
    if any(definition["value"] == "ValueError" for definition in record["definitions"]):
        assert re.search("exception|ValueError", text)
    for value in (number for definition in record["definitions"] for number in values(definition)):
        if isinstance(value, float):
            assert re.search("undefined|nan" if math.isnan(value) else "infinite|∞|inf", text)
        else:
            assert str(value) in shown or any(names(text, value) for text in shown if "/" not in text), value


def test_a_convention_of_a_chapter_has_its_box_there():
    found = {(b.argument, home) for home, c in CHAPTERS.items() for b in c.directives if b.name == "convention"}
    assert found == {(r["id"], r["home"]) for r in CONVENTIONS if not r["home"].startswith("lessons/")}


@pytest.mark.parametrize("record", IMAGES, ids=name)
def test_a_lost_picture_is_redrawn_under_its_label(record):
    chapter = CHAPTERS[record["home"]]
    figures = {code.node.metadata.get("mystnb", {}).get("figure", {}).get("name") for code in chapter.code}
    written = "\n".join(cell.source for cell in chapter.notebook.cells)
    assert record["label"] in figures or re.search(rf"^\({record['label']}\)=$|\({record['label']}\)$", written, re.M)


@pytest.mark.parametrize("record", FORMULAS, ids=name)
def test_a_formula_is_worked_under_its_label(record):
    chapter = CHAPTERS[record["home"]]
    targets = [block.text for block in chapter.of_kind("myst_target")]
    equations = re.findall(r"\$\$ \(([\w-]+)\)", "\n".join(cell.source for cell in chapter.notebook.cells))
    assert record["label"] in targets + equations
    known = {erratum["id"] for erratum in ERRATA}
    assert record["verdict"] == "right" or set(record["verdict"]) <= known
