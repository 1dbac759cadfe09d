"""metrics_lib.printed: the verdict on a printed number."""

import math
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_lib.printed import verdict


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


def test_a_value_must_be_finite():
    with pytest.raises(ValueError, match="value: expected a finite number, got nan"):
        verdict("1", math.nan)
