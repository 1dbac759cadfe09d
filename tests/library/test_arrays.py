"""The one front door: what is taken as numbers, labels and weights, and what the message says of the rest."""

import decimal
import math
import re
from fractions import Fraction

import numpy as np
import pytest

from metrics_lib import _arrays
from metrics_lib._arrays import (
    as_cutoff,
    as_floats,
    as_indicators,
    as_labels,
    as_number_above,
    as_numbers,
    as_weights,
    check_undefined,
    mean,
    precision_share,
)

STRANGE = [
    (None, "None"),
    ({"a": 1}, "a value of type dict"),
    ({1, 2}, "a value of type set"),
    ((i for i in (1, 2)), "a value of type generator"),
    ([1, None], "a value of type NoneType"),
    ([1, decimal.Decimal(1)], "a value of type Decimal"),
    ([1, [2, 3]], "lists of unequal lengths"),
    (np.ma.array([1, 2], mask=[0, 1]), "a masked array"),
    ([np.ma.array([1, 2], mask=[0, 1]), np.ma.array([1, 2])], "a masked array"),
    ([b"a", b"b"], "bytes"),
    ([1j, 2], "complex numbers"),
    (np.array(["2020-01-01"], dtype="M8[D]"), "dates"),
]


@pytest.mark.parametrize("door", [as_numbers, as_floats, as_labels, as_indicators])
@pytest.mark.parametrize(("values", "got"), STRANGE, ids=[got + str(i) for i, (_, got) in enumerate(STRANGE)])
def test_a_message_says_what_came(door, values, got):
    with pytest.raises(ValueError, match=rf"^y: expected .*, got .*{got.removeprefix('a value of type ')}$"):
        door(values, "y")


@pytest.mark.parametrize("door", [as_numbers, as_weights, as_indicators])
def test_strings_are_no_numbers(door):
    arguments = ([["a", "b"]], "y") if door is as_indicators else (["a", "b"], "y")
    if door is as_weights:
        arguments = (["a", "b"], 2, "y")
    with pytest.raises(ValueError, match="^y: expected an array of real numbers, got strings"):
        door(*arguments)


def test_an_array_whose_mask_hides_nothing_is_an_array():
    assert as_numbers(np.ma.array([1, 2], mask=[0, 0]), "y").tolist() == [1, 2]
    assert as_labels(np.ma.array([1, 2]), "y").tolist() == [1, 2]


@pytest.mark.parametrize(
    ("ndim", "min_ndim", "values", "message"),
    [
        (0, 0, [1, 2], "expected a single number, got shape (2,)"),
        (1, 1, [[1]], "expected 1 dimension, got shape (1, 1)"),
        (2, 1, [1], "expected 2 dimensions, got shape (1,)"),
        (None, 1, 5, "expected at least 1 dimension, got shape ()"),
        (None, 2, [5], "expected at least 2 dimensions, got shape (1,)"),
        (None, 1, [], "expected at least one value, got shape (0,)"),
    ],
)
def test_dimensions_are_named(ndim, min_ndim, values, message):
    with pytest.raises(ValueError, match=f"^y: {re.escape(message)}$"):
        as_numbers(values, "y", ndim=ndim, min_ndim=min_ndim)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([True, False], np.bool_),
        ([2**60, 2**60 + 1], np.int64),
        ([-(2**63), True], np.int64),
        ([2**63, 2**64 - 1], np.uint64),
        ([Fraction(1, 2), 3], np.float64),
        ([10**20, 0.5], np.float64),
    ],
)
def test_python_numbers_keep_their_digits(values, dtype):
    array = as_numbers(np.array(values, dtype=object), "y")
    assert array.dtype == dtype
    assert array.tolist() == [float(v) if dtype == np.float64 else v for v in values]


@pytest.mark.parametrize("values", [[2**64 + 1], [2**63, -1, 2**53 + 1], [10**400], [0.5, 2**60 + 1], [-(2**63) - 1]])
def test_integers_that_would_be_rounded_are_refused(values):
    with pytest.raises(ValueError, match="^y: expected (integers that 64 bits hold|numbers that float64 can hold)"):
        as_numbers(np.array(values, dtype=object), "y")


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize <= 8, reason="long double is float64 here")
def test_long_doubles_beyond_float64_are_numbers_but_no_floats():
    huge = np.array([2, 1], dtype=np.longdouble) ** 5000
    assert as_numbers(huge, "y") is huge
    with pytest.raises(ValueError, match="^y: expected numbers that float64 can hold"):
        as_floats(huge, "y")
    with pytest.raises(ValueError, match="^y: expected finite numbers, got inf"):
        as_numbers(huge * np.inf, "y")


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1.0, 2.0], np.int64),
        (np.array([1, 2], dtype=object), np.int64),
        (np.array([1.0, 2.0], dtype=object), np.int64),
        (np.array([1, 2], dtype=np.uint64), np.int64),
        (np.array([1, 2**63], dtype=np.uint64), np.uint64),
        (np.array([1, 2**63], dtype=object), np.uint64),
        (np.array([1, 2], dtype=np.uint8), np.uint8),
        (np.array([[True], [False]]), np.bool_),
        (["a", "b"], np.dtype("<U1")),
        (np.array(["a", "b"], dtype=object), np.dtype(object)),
        (np.array(["a", "b"], dtype=np.dtypes.StringDType()), np.dtype(object)),
        ([[1, 2], [0, 1]], np.int64),
    ],
)
def test_labels_have_one_of_few_types(values, dtype):
    labels = as_labels(values, "y")
    assert labels.dtype == dtype
    assert labels.tolist() == np.squeeze(np.asarray(values)).tolist()


@pytest.mark.parametrize(
    "values", [[0.5, 1], [2.0**63, 0], ["a", 1], ["a", None], [1, "a", None], [math.nan, 1], 3, [[[1]]]]
)
def test_what_is_no_label_is_refused(values):
    with pytest.raises(ValueError, match="^y: expected "):
        as_labels(values, "y")


# Weights


@pytest.mark.parametrize("largest", [2.0**-30, 1e-9, 1, 1000.5, 2.0**30])
def test_usual_weights_are_left_alone(largest):
    weights = np.array([largest, 0.0, largest / 3])
    assert as_weights(weights, 3) is weights


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-10, 1e10, 1e300])
def test_other_weights_are_scaled_by_a_power_of_two(scale):
    weights = np.array([3, 0, 5, 1]) * scale
    scaled = as_weights(weights, 4)
    assert 0.5 <= scaled.max() < 1
    factor = Fraction(scaled[0]) / Fraction(weights[0])
    assert {factor.numerator & (factor.numerator - 1), factor.denominator & (factor.denominator - 1)} == {0}
    assert all(Fraction(s) == factor * Fraction(w) for s, w in zip(scaled, weights, strict=True))
    assert as_weights(weights, 4, exact=True) is weights


def test_weights_whose_ratios_no_float_holds_are_refused():
    with pytest.raises(ValueError, match=r"^w: expected weights whose ratios .* got weights from 5e-324 to 1e\+300"):
        as_weights([1e300, 5e-324], 2, "w")
    assert as_weights([1.0, 5e-324], 2).tolist() == [1, 5e-324]


def test_exact_weights_have_a_sum():
    assert as_weights(np.array([1, 2], dtype=np.uint8), 2, exact=True).dtype == np.int64
    assert as_weights([2**62, 2**62 - 1025], 2, exact=True).sum() == 2**63 - 1025
    for weights in ([2**62, 2**62], [1e308, 1e308], np.array([2**63], dtype=np.uint64)):
        with pytest.raises(ValueError, match="^w: expected weights whose sum"):
            as_weights(weights, len(weights), "w", exact=True)


def test_a_value_of_weight_zero_does_no_harm():
    assert mean(np.array([1, np.nan, 3]), np.array([1.0, 0, 3])) == 2.5
    assert mean(np.array([True, False])) == 0.5
    weights = np.random.default_rng(0).random(1001)
    assert mean(np.ones(1001), weights) == 1


# Single numbers


HUGE = 10**400


@pytest.mark.parametrize(
    "call",
    [
        lambda: as_cutoff(HUGE, 5),
        lambda: as_number_above(HUGE, "base", 1),
        lambda: as_number_above(-HUGE, "base", 1),
        lambda: check_undefined(HUGE),
        lambda: precision_share(HUGE),
        lambda: precision_share(-1),
        lambda: precision_share(True),
    ],
)
def test_a_number_beyond_floats_is_a_value_error_of_one_line(call):
    with pytest.raises(ValueError, match=r"^\w+: expected ") as error:
        call()
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(("beta", "share"), [(0, 1), (1, 0.5), (2, 0.2), (1e200, 0), (math.inf, 0)])
def test_precision_share(beta, share):
    assert precision_share(beta) == share


def test_rows_are_cut_into_blocks():
    for shape in ((1, 1), (100_000,), (7, 100_000), (1000, 99)):
        slices = list(_arrays.row_blocks(shape))
        assert np.concatenate([np.arange(shape[0])[rows] for rows in slices]).tolist() == list(range(shape[0]))
        assert all((rows.stop - rows.start) * math.prod(shape[1:]) <= max(_arrays.BLOCK, shape[-1]) for rows in slices)
