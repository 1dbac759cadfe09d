"""metrics_book.printed: the verdict on a printed number, and tables of numbers."""

import math
import xml.etree.ElementTree as ET
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_book.printed import Table, compare, verdict


@pytest.mark.parametrize(
    ("printed", "value", "expected"),
    [
        ("3", 3, "exact"),
        ("0", Fraction(2, 5), "wrong"),
        ("0", 0.5, "wrong"),
        ("1.5", 1.5, "exact"),
        ("0.1", 0.1, "exact"),
        ("0.3", 0.1 + 0.2, "exact"),
        ("0.35", 1 / math.log2(7), "truncated"),
        ("0.36", 1 / math.log2(7), "rounded"),
        ("0.37", 1 / math.log2(7), "wrong"),
        ("11/18", Fraction(11, 18), "exact"),
        ("11/18", Fraction(11, 17), "wrong"),
        ("80%", Fraction(4, 5), "exact"),
        ("81.96 %", 0.818354190492, "wrong"),
        ("81.84%", 0.818354190492, "rounded"),
        ("81.83%", 0.818354190492, "truncated"),
        ("81.8%", 0.818354190492, "rounded or truncated"),
        ("0.33", Fraction(1, 3), "rounded or truncated"),
        ("-0.33", Fraction(-1, 3), "rounded or truncated"),
        ("0.0", Fraction(-1, 100), "rounded or truncated"),
        ("0.123456789", 0.1234567891, "rounded or truncated"),
        ("-0.66", Fraction(-2, 3), "truncated"),
        ("-0.67", Fraction(-2, 3), "rounded"),
        ("0.13", Fraction(1, 8), "rounded"),
        ("0.12", Fraction(1, 8), "truncated"),
        ("", 0.5, "missing"),
    ],
)
def test_a_verdict(printed, value, expected):
    assert verdict(printed, value) == expected


@given(st.decimals(-9, 9, places=6), st.integers(1, 5))
def test_a_verdict_agrees_with_decimal_arithmetic(value, places):
    unit = Decimal(1).scaleb(-places)
    rounded, cut = value.quantize(unit, ROUND_HALF_UP), value.quantize(unit, ROUND_DOWN)
    exact = Fraction(value)
    if value in (rounded, cut):
        assert (rounded, verdict(str(cut), exact)) == (cut, "exact")
    elif rounded == cut:
        assert verdict(str(cut), exact) == "rounded or truncated"
    else:
        assert [verdict(str(rounded), exact), verdict(str(cut), exact)] == ["rounded", "truncated"]
    assert verdict(str(rounded + 2 * unit), exact) == "wrong"


@pytest.mark.parametrize("printed", ["one", "1,5", "(0,1]", "1/0", ".", "1e3"])
def test_what_is_no_number_is_refused(printed):
    with pytest.raises(ValueError, match="printed: expected a decimal, a fraction or a percentage"):
        verdict(printed, 1)


@pytest.mark.parametrize("printed", [0.5, None, 3])
def test_what_is_no_text_is_refused(printed):
    with pytest.raises(ValueError, match="printed: expected text, got"):
        verdict(printed, 1)


def test_a_value_must_be_finite():
    with pytest.raises(ValueError, match="value: expected a finite number, got nan"):
        verdict("1", math.nan)


def cells(table):
    """The cells of a table as a notebook shows it, row by row."""
    return [["".join(cell.itertext()) for cell in row] for row in ET.fromstring(table._repr_html_()).iter("tr")]


def test_a_table_says_the_same_as_html_and_as_text():
    table = Table(["a < b", "value"], [("x & y", 1 / 3), (2, Fraction(1, 3)), ("nothing", math.nan)], digits=3)
    rows = [["a < b", "value"], ["x & y", "0.333"], ["2", "1/3"], ["nothing", "nan"]]
    assert cells(table) == rows
    assert [[cell.strip() for cell in line.rsplit(maxsplit=1)] for line in repr(table).splitlines()] == rows
    assert len({len(line) for line in repr(table).splitlines()}) == 1


def test_a_table_has_heads_of_columns_and_rows():
    root = ET.fromstring(Table(["rank", "weight"], [(1, 1.0)])._repr_html_())
    assert [(head.text, head.get("scope")) for head in root.iter("th")] == [
        ("rank", "col"),
        ("weight", "col"),
        ("1", "row"),
    ]


@pytest.mark.parametrize("row", [(1,), (1, 2, 3), ()])
def test_a_row_has_as_many_cells_as_the_head(row):
    with pytest.raises(ValueError, match=f"rows: expected 2 cells in each row, as in head, got {len(row)} in"):
        Table(["rank", "weight"], [row])


@pytest.mark.parametrize("head", [[], (), "", "rank"])
def test_a_table_has_a_column(head):
    with pytest.raises(ValueError, match="head: expected a list of the name of a column or more"):
        Table(head, [])


@pytest.mark.parametrize("digits", [-1, 1.5, True, "3"])
def test_digits_are_a_whole_number(digits):
    with pytest.raises(ValueError, match="digits: expected a whole number from 0"):
        Table(["rank"], [], digits=digits)


@pytest.mark.parametrize(
    ("cell", "shown"),
    [(np.float32(0.5), "0.50"), (np.float64(0.5), "0.50"), (np.int64(3), "3"), (True, "True"), (-0.001, "-0.00")],
)
def test_a_number_of_numpy_is_shown_as_one_of_python(cell, shown):
    assert cells(Table(["value"], [(cell,)], digits=2))[1:] == [[shown]]


def test_a_table_without_rows_is_its_head():
    assert (cells(Table(["rank"], [])), repr(Table(["rank"], []))) == ([["rank"]], "rank")
    assert cells(compare([])) == [["what", "printed", "computed", "verdict"]]


@pytest.mark.parametrize("row", [("a",), ("a", "0.5"), ("a", "0.5", 0.5, "exact")])
def test_what_is_compared_is_a_triple(row):
    with pytest.raises(ValueError, match=r"rows: expected \(what, printed, value\) in each row"):
        compare([row])


def test_numbers_are_compared_to_more_digits_than_printed():
    table = compare(
        [
            ("a third", "0.33", 1 / 3),
            ("to nine digits", "0.630929754", np.log(2) / np.log(3)),
            ("in percent", "81.96%", Fraction(6, 7)),
            ("whole", "11", 11),
            ("a fraction", "11/18", Fraction(11, 18)),
            ("left out", "", Fraction(4, 2)),
            ("all of it", "100%", 1),
        ]
    )
    assert cells(table)[1:] == [
        ["a third", "0.33", "0.333333", "rounded or truncated"],
        ["to nine digits", "0.630929754", "0.630929753571", "rounded"],
        ["in percent", "81.96%", "85.714286%", "wrong"],
        ["whole", "11", "11", "exact"],
        ["a fraction", "11/18", "0.611111", "exact"],
        ["left out", "nothing", "2", "missing"],
        ["all of it", "100%", "100.000000%", "exact"],
    ]


def test_what_is_no_number_is_compared_with_nothing():
    with pytest.raises(ValueError, match="value: expected a finite number, got nan"):
        compare([("undefined", "0.5", math.nan)])
