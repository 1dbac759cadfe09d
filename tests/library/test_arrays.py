"""The one front door: what is taken as numbers, labels and weights, and what the message says of the rest."""

import decimal
import math
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import metrics_lib
from metrics_lib._arrays import (
    as_cutoff,
    as_floats,
    as_indicators,
    as_keys,
    as_labels,
    as_number_above,
    as_numbers,
    as_weights,
    check_undefined,
)
from metrics_lib._floats import BLOCK, mean, precision_share, row_blocks

Y_PROB = [0.25, 0.75]
POSITIVE = {
    "ConfusionCounts.from_labels": lambda y, p: metrics_lib.ConfusionCounts.from_labels(y, y, pos_label=p),
    "precision_score": lambda y, p: metrics_lib.precision_score(y, y, pos_label=p),
    "f1_score": lambda y, p: metrics_lib.f1_score(y, y, pos_label=p, zero_division=0),
    "jaccard_score": lambda y, p: metrics_lib.jaccard_score(y, y, pos_label=p),
    "roc_curve": lambda y, p: metrics_lib.roc_curve(y, Y_PROB, pos_label=p),
    "precision_recall_curve": lambda y, p: metrics_lib.precision_recall_curve(y, Y_PROB, pos_label=p),
    "average_precision_score": lambda y, p: metrics_lib.average_precision_score(y, Y_PROB, pos_label=p),
    "break_even_point": lambda y, p: metrics_lib.break_even_point(y, Y_PROB, pos_label=p, undefined=0.5),
    "gauc": lambda y, p: metrics_lib.gauc(y, Y_PROB, [1, 1], pos_label=p, undefined=0.5),
    "brier_score_loss": lambda y, p: metrics_lib.brier_score_loss(y, Y_PROB, pos_label=p),
    "calibration_curve": lambda y, p: metrics_lib.calibration_curve(y, Y_PROB, pos_label=p),
    "expected_calibration_error": lambda y, p: metrics_lib.expected_calibration_error(y, Y_PROB, pos_label=p),
    "normalized_cross_entropy": lambda y, p: metrics_lib.normalized_cross_entropy(y, Y_PROB, pos_label=p),
    "delong_interval": lambda y, p: metrics_lib.uncertainty.delong_interval(y, Y_PROB, pos_label=p),
}


class NoArray:
    """As a tensor in bfloat16."""

    def __array__(self, *args, **options):
        raise TypeError("no type of NumPy")


STRANGE = [
    (None, "None"),
    ({"a": 1}, "a value of type dict"),
    ({1, 2}, "a value of type set"),
    ((i for i in (1, 2)), "a value of type generator"),
    ([1, None], "a value of type NoneType"),
    ([1, [2, 3]], "lists of unequal lengths"),
    (np.ma.array([1, 2], mask=[0, 1]), "a masked array"),
    ([np.ma.array([1, 2], mask=[0, 1]), np.ma.array([1, 2])], "a masked array"),
    ([b"a", b"b"], "bytes (pass strings)"),
    (NoArray(), "a value of type NoArray (no type of NumPy)"),
    ([1j, 2], "complex numbers"),
    (np.array(["2020-01-01"], dtype="M8[D]"), "dates"),
]


@pytest.mark.parametrize("door", [as_numbers, as_floats, as_labels, as_indicators])
@pytest.mark.parametrize(("values", "got"), STRANGE, ids=[got + str(i) for i, (_, got) in enumerate(STRANGE)])
def test_a_message_says_what_came(door, values, got):
    got = re.escape(got.removeprefix("a value of type "))
    if door is as_labels:
        got = got.replace("NoneType", "None")  # there is a sentence on what is missing
    with pytest.raises(ValueError, match=rf"^y: expected .*, got .*{got}$"):
        door(values, "y")


@pytest.mark.parametrize(
    ("values", "got"),
    [
        (["a", None], "None"),
        (["a", math.nan], "nan"),
        ([1, None], "None"),
        (pd.Series(["a", None]), "nan"),
        (pd.Series(["a", None], dtype=object), "None"),
        (pd.Series(["a", None], dtype="category"), "nan"),
        (pd.array(["a", None], dtype="string[python]"), "<NA>"),
    ],
)
def test_what_is_missing_is_called_missing(values, got):
    calls = [lambda: as_labels(values, "x"), lambda: as_keys(values, "x")]
    calls += [lambda: metrics_lib.Lists.from_columns(values, [1, 2], [1, 0])]
    calls += [lambda: metrics_lib.gauc([0, 1], [1, 2], values), lambda: metrics_lib.accuracy_score(values, values)]
    for call in calls:
        with pytest.raises(ValueError, match=f"^(x|query|groups|y_true): expected no missing values, got {got}$"):
            call()


@pytest.mark.parametrize("values", [[1, "1"], ("a", 2, "b"), [["1"], [1]], [True, "a"], [0.5, "a"]])
def test_numbers_and_strings_are_not_mixed(values):
    """NumPy makes strings of both, so that 1 and '1' would be one group; an array of objects is refused as ever."""
    n = len(values)
    calls = [lambda: as_labels(values, "x"), lambda: as_keys(values, "x")]
    calls += [lambda: metrics_lib.Lists.from_columns(range(n), range(n), range(n), tie=values)]
    calls += [lambda: metrics_lib.Lists.from_columns(values, range(n), range(n))]
    calls += [lambda: metrics_lib.gauc([0, 1, 1][:n], range(n), values)]
    calls += [lambda: metrics_lib.uncertainty.bootstrap(np.mean, range(n), groups=values)]
    calls += [lambda: metrics_lib.gauc([0, 1, 1][:n], range(n), np.array(values, dtype=object))]
    for call in calls:
        with pytest.raises(ValueError, match="^(x|tie|query|groups): expected (labels|values) that (are all|can be)"):
            call()


@pytest.mark.parametrize("boxed", [list, lambda labels: np.array(labels, dtype=object)])
def test_a_label_that_numpy_would_shorten_is_refused(boxed):
    with pytest.raises(ValueError, match="^y_pred: expected labels that do not end in NUL"):
        metrics_lib.accuracy_score(["a", "b"], boxed(["a", "a\0"]))


def test_weights_in_half_precision_are_weights():
    weights = np.array([1, 2, 1, 1], np.float16)
    for dtype in (np.float16, np.float32, np.float64):
        value = metrics_lib.roc_auc_score([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.5], sample_weight=weights.astype(dtype))
        assert value == 5 / 6


@pytest.mark.parametrize("call", POSITIVE, ids=POSITIVE)
def test_a_positive_label_that_does_not_occur_is_refused_in_every_door(call):
    """As where labels were read as strings; nan, 0 or the value for what is undefined would pass for a result."""
    for labels, pos_label in ((["0", "1"], 1), ([0, 1], "1"), ([0, 1], 2)):
        expected = re.escape(f"pos_label: expected one of the labels {labels}, got {pos_label!r}")
        with pytest.raises(ValueError, match=f"^{expected}$"):
            POSITIVE[call](labels, pos_label)
    with pytest.raises(ValueError, match="^pos_label: expected a number, a boolean or a string, got nan$"):
        POSITIVE[call]([0, 1], math.nan)


@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score", "roc_curve", "break_even_point"])
def test_scores_of_the_wrong_shape_get_the_remedy(name):
    metric, y = getattr(metrics_lib, name), [0, 1, 1, 0]
    both = np.array([[0.9, 0.1], [0.1, 0.9], [0.6, 0.4], [0.7, 0.3]])
    with pytest.raises(ValueError, match=r"got \(4, 2\): pass the column of the positive class, y_score\[:, 1\]$"):
        metric(y, both)
    with pytest.raises(ValueError, match=r"^y_score: .* got \(1, 4\): pass its only row, y_score\[0\]$"):
        metric(y, both[:, 1][None])


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
        ([decimal.Decimal("0.5"), 3], np.float64),
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
        slices = list(row_blocks(shape))
        assert np.concatenate([np.arange(shape[0])[rows] for rows in slices]).tolist() == list(range(shape[0]))
        assert all((rows.stop - rows.start) * math.prod(shape[1:]) <= max(BLOCK, shape[-1]) for rows in slices)
