"""metrics_lib.regression against its definitions in exact fractions, against scikit-learn, and at the edges."""

import itertools
import math
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics

from metrics_lib import _floats, regression
from metrics_lib._arrays import UndefinedMetricWarning
from metrics_lib.regression import (
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_absolute_scaled_error,
    mean_pinball_loss,
    mean_squared_error,
    mean_squared_log_error,
    median_absolute_error,
    r2_score,
    root_mean_squared_error,
    root_mean_squared_log_error,
    symmetric_mean_absolute_percentage_error,
    weighted_mean_absolute_percentage_error,
)

LOGARITHMIC = [mean_squared_log_error, root_mean_squared_log_error]
# Those that take any targets, and y_true and y_pred alone.
ALL = [getattr(regression, name) for name in regression.__all__]
ALL = [metric for metric in ALL if metric not in [*LOGARITHMIC, mean_absolute_scaled_error]]
IN_SCIKIT_LEARN = [metric for metric in ALL if hasattr(sklearn_metrics, metric.__name__)]
EPS = Fraction(2) ** -52


def scaled(y_true, y_pred, **arguments):
    """MASE beside a series whose naive error is 1/2, with as many columns as the targets have."""
    try:
        columns = np.shape(y_true)[1:]
    except ValueError:  # lists of unequal lengths
        columns = ()
    series = np.arange(3) / 2
    if len(columns) == 1 and columns != (1,):
        series = np.repeat(series[:, None], columns[0], axis=1)
    return mean_absolute_scaled_error(y_true, y_pred, y_train=series, **arguments)


EVERY = [*ALL, *LOGARITHMIC, scaled]
SUMS = [metric for metric in ALL if metric is not median_absolute_error]


# The definitions, for one output, in exact arithmetic. RMSE is left squared.


def weighted_mean(terms, weights):
    return sum(w * t for w, t in zip(weights, terms, strict=True)) / sum(weights)


def exact(metric, y_true, y_pred, weights=None):
    true, pred = [Fraction(float(y)) for y in y_true], [Fraction(float(p)) for p in y_pred]
    weights = [Fraction(1)] * len(true) if weights is None else [Fraction(float(w)) for w in weights]
    pairs = list(zip(true, pred, strict=True))
    errors = [abs(y - p) for y, p in pairs]
    if metric in (mean_squared_error, root_mean_squared_error):
        return weighted_mean([e * e for e in errors], weights)
    if metric is mean_absolute_error:
        return weighted_mean(errors, weights)
    if metric is scaled:
        return weighted_mean(errors, weights) * 2
    if metric is median_absolute_error:
        return middle_of(errors, weights)
    if metric is mean_pinball_loss:
        return weighted_mean(errors, weights) / 2
    if metric is mean_absolute_percentage_error:
        return weighted_mean([e / max(abs(y), EPS) for e, y in zip(errors, true, strict=True)], weights)
    if metric is symmetric_mean_absolute_percentage_error:
        return weighted_mean(
            [2 * e / ((abs(y) + abs(p)) or 1) for e, (y, p) in zip(errors, pairs, strict=True)], weights
        )
    if metric is weighted_mean_absolute_percentage_error:
        size = weighted_mean([abs(y) for y in true], weights)
        return weighted_mean(errors, weights) / size if size else None
    middle = weighted_mean(true, weights)
    spread = weighted_mean([(y - middle) ** 2 for y in true], weights)
    residual = weighted_mean([e * e for e in errors], weights)
    return 1 - residual / spread if spread else Fraction(residual == 0)


def middle_of(errors, weights):
    """The mean of all medians: of values with at most half of the weight below them, and at most half above."""
    half, rounding = sum(weights) / 2, len(errors) * Fraction(2) ** -52 * sum(weights)
    below = [sum(w for other, w in zip(errors, weights, strict=True) if other < e) for e in errors]
    above = [sum(w for other, w in zip(errors, weights, strict=True) if other > e) for e in errors]
    medians = [
        e for e, w, b, a in zip(errors, weights, below, above, strict=True) if w > 0 and max(a, b) <= half + rounding
    ]
    return (min(medians) + max(medians)) / 2


def assert_exact(metric, value, expected, rel=1e-12):
    """R² is compared where the subtraction from 1 cannot hide digits: in 1 - R²."""
    if metric is root_mean_squared_error:
        value = Fraction(value) ** 2
    if metric is r2_score:
        value, expected = 1 - Fraction(value), 1 - expected
        assert abs(value - expected) <= rel * abs(expected) + Fraction(2) ** -52
    else:
        assert abs(Fraction(value) - expected) <= rel * abs(expected)


def quiet(metric, *args, **kwargs):
    """The value, without our warning about conventions and scikit-learn's about arithmetic."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return metric(*args, **kwargs)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(_floats, "BLOCK", 5)
    monkeypatch.setattr(regression, "_DOT", 2)


@pytest.mark.parametrize("metric", [*ALL, scaled])
def test_equals_its_definition_on_every_short_list(metric):
    for n in (2, 3):
        for y_true in itertools.product([-2, 0, 0.1, 3], repeat=n):
            for y_pred in itertools.product([-2, 0, 1], repeat=n):
                for weights in (None, (1, 0.5, 0)[:n]):
                    expected = exact(metric, y_true, y_pred, weights)
                    value = quiet(metric, y_true, y_pred, sample_weight=weights)
                    if expected is None:
                        assert math.isnan(value)
                    else:
                        assert type(value) is float
                        assert_exact(metric, value, expected)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("metric", [*ALL, scaled])
def test_blocks_do_not_change_the_value(metric):
    rng = np.random.default_rng(1)
    for n, n_outputs in ((1, 1), (4, 1), (5, 1), (23, 1), (24, 2), (7, 9)):
        y_true = rng.integers(1, 9, size=(n, n_outputs)) / 4
        y_pred = y_true + rng.integers(-9, 9, size=(n, n_outputs)) / 8
        for weights in (None, rng.integers(0, 3, size=n) + np.eye(n)[0]):
            if metric is r2_score and n == 1:
                continue
            values = quiet(metric, y_true, y_pred, sample_weight=weights, multioutput="raw_values")
            for column, value in enumerate(values):
                assert_exact(metric, value, exact(metric, y_true[:, column], y_pred[:, column], weights))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (mean_absolute_percentage_error([1, 3, 6], [2, 2, 7]), Fraction(1, 2)),
        (weighted_mean_absolute_percentage_error([1, 3, 6], [2, 2, 7]), Fraction(3, 10)),
        (weighted_mean_absolute_percentage_error([-3, 1], [-2, 2]), Fraction(1, 2)),
        (symmetric_mean_absolute_percentage_error([100], [110]), Fraction(2, 21)),
        (symmetric_mean_absolute_percentage_error([100], [90]), Fraction(2, 19)),
        (symmetric_mean_absolute_percentage_error([0], [0.001]), 2),
        (symmetric_mean_absolute_percentage_error([0], [0]), 0),
        (r2_score([1, 2, 3], [1, 2, 4]), Fraction(1, 2)),
        (r2_score([1, 2, 3], [3, 2, 1]), -3),
        (r2_score([1, 2, 3], [2, 2, 2]), 0),
    ],
)
def test_shared_examples_of_the_conventions(value, expected):
    assert value == float(expected)


# Properties

targets = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
positive = st.floats(0.125, 8)


@st.composite
def problems(draw, least=2):
    n = draw(st.integers(least, 12))

    def column(values):
        return np.array(draw(st.lists(values, min_size=n, max_size=n)))

    return column(targets), column(targets), column(positive)


@pytest.mark.parametrize("metric", [*ALL, scaled])
@settings(max_examples=60)
@given(problems())
def test_properties(metric, problem):
    y_true, y_pred, weights = problem
    value = quiet(metric, y_true, y_pred, sample_weight=weights)
    expected = exact(metric, y_true, y_pred, weights)
    if expected is None:
        assert math.isnan(value)
        return
    assert_exact(metric, value, expected)
    assert value == pytest.approx(quiet(metric, y_true[::-1], y_pred[::-1], sample_weight=weights[::-1]), rel=1e-9)
    assert value == pytest.approx(quiet(metric, y_true, y_pred, sample_weight=weights * 1024), rel=1e-12)
    if metric is r2_score:
        assert value <= 1
        assert quiet(metric, y_true, y_true, sample_weight=weights) == 1
    else:
        assert value >= 0
        if metric is not median_absolute_error:
            assert (value == 0) == bool((y_true == y_pred).all())
    if metric is symmetric_mean_absolute_percentage_error:
        assert value <= 2 * (1 + 1e-15)
        assert value == metric(y_pred, y_true, sample_weight=weights)


@pytest.mark.parametrize("metric", [*ALL, scaled])
@settings(max_examples=30)
@given(problems(), st.data())
def test_weights_count_rows(metric, problem, data):
    y_true, y_pred, _ = problem
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(y_true), max_size=len(y_true)))
    counts[0] = 2
    repeated = quiet(metric, np.repeat(y_true, counts), np.repeat(y_pred, counts))
    weighted = quiet(metric, y_true, y_pred, sample_weight=counts)
    assert weighted == pytest.approx(repeated, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize("metric", [*ALL, scaled])
@settings(max_examples=30)
@given(st.lists(problems(least=5), min_size=2, max_size=4), st.data())
def test_outputs_are_the_columns_and_averages_are_theirs(metric, problems, data):
    y_true = np.stack([true[:5] for true, _, _ in problems], axis=1)
    y_pred = np.stack([pred[:5] for _, pred, _ in problems], axis=1)
    weights = problems[0][2][:5]
    raw = quiet(metric, y_true, y_pred, sample_weight=weights, multioutput="raw_values")
    columns = [quiet(metric, y_true[:, i], y_pred[:, i], sample_weight=weights) for i in range(y_true.shape[1])]
    assert raw == pytest.approx(np.array(columns), rel=1e-9, nan_ok=True)
    shares = data.draw(st.lists(positive, min_size=len(columns), max_size=len(columns)))
    for multioutput, of_columns in (("uniform_average", np.ones(len(columns))), (shares, np.array(shares))):
        average = quiet(metric, y_true, y_pred, sample_weight=weights, multioutput=multioutput)
        assert average == pytest.approx(raw @ of_columns / of_columns.sum(), rel=1e-12, nan_ok=True)


# Peers


@pytest.mark.parametrize("metric", IN_SCIKIT_LEARN)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(2,), (100,), (100, 1), (50, 3), (3, 50)])
def test_equals_scikit_learn(metric, weighted, shape):
    peer = getattr(sklearn_metrics, metric.__name__)
    words = ["raw_values", "uniform_average"] + ["variance_weighted"] * (metric is r2_score)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y_true, y_pred = rng.integers(1, 33, size=(2, *shape)) / 8 - 2.0625
        if seed == 2 and len(shape) == 2:
            y_true[:, 0] = 0.5
        weights = rng.integers(0, 4, size=shape[0]) + 0.5 if weighted else None
        own = [rng.random(shape[1])] if len(shape) == 2 and shape[1] > 1 else []
        for multioutput in words + own:
            arguments = {"sample_weight": weights, "multioutput": multioutput}
            ours, theirs = quiet(metric, y_true, y_pred, **arguments), peer(y_true, y_pred, **arguments)
            assert np.shape(ours) == np.shape(theirs)
            assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("alpha", [0, 0.1, 0.5, 0.9, 1, np.float32(0.25)])
@pytest.mark.parametrize("shape", [(1,), (100,), (50, 3)])
def test_pinball_loss_is_its_definition_and_equals_scikit_learn(alpha, shape):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(-9, 9, size=(2, *shape)) / 4
    weights = rng.random(shape[0])
    for arguments in ({}, {"sample_weight": weights}, {"multioutput": "raw_values", "sample_weight": weights}):
        theirs = sklearn_metrics.mean_pinball_loss(y_true, y_pred, alpha=float(alpha), **arguments)
        assert mean_pinball_loss(y_true, y_pred, alpha=alpha, **arguments) == pytest.approx(theirs, rel=1e-12)
    order = Fraction(float(alpha))
    errors = [Fraction(float(y)) - Fraction(float(p)) for y, p in zip(y_true.flat, y_pred.flat, strict=True)]
    expected = sum(order * e if e > 0 else (order - 1) * e for e in errors) / len(errors)
    assert mean_pinball_loss(y_true, y_pred, alpha=alpha) == pytest.approx(float(expected), rel=1e-12, abs=1e-300)


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=12), st.integers(0, 8).map(lambda n: n / 8))
def test_a_quantile_has_the_least_pinball_loss_of_all_constants(y_true, alpha):
    def loss(constant):
        return mean_pinball_loss(y_true, [constant] * len(y_true), alpha=alpha)

    quantile = np.quantile(y_true, alpha, method="inverted_cdf")
    assert loss(quantile) <= min(map(loss, np.arange(-21, 22))) + 1e-12


@pytest.mark.parametrize("alpha", [-0.1, 1.1, math.nan, "half", None, [0.5], True, 10**400])
def test_an_order_outside_of_0_to_1_is_refused(alpha):
    with pytest.raises(ValueError, match="^alpha: expected "):
        mean_pinball_loss([1, 2], [1, 2], alpha=alpha)


@pytest.mark.parametrize("force_finite", [True, False])
@pytest.mark.parametrize("multioutput", ["raw_values", "uniform_average", "variance_weighted", [0.25, 0, 1], None])
@pytest.mark.parametrize("y_pred", ["exact", "inexact"])
def test_r2_of_constant_targets_equals_scikit_learn(force_finite, multioutput, y_pred):
    y_true = np.array([[1, 2, 5], [1, 3, 5], [1, 4, 5]])
    y_pred = y_true if y_pred == "exact" else y_true + np.eye(3)
    arguments = {"multioutput": multioutput, "force_finite": force_finite}
    theirs = quiet(sklearn_metrics.r2_score, y_true, y_pred, **arguments)
    assert quiet(r2_score, y_true, y_pred, **arguments) == pytest.approx(theirs, nan_ok=True)


def test_accepts_one_dimension_against_one_column_as_scikit_learn_does():
    assert mean_absolute_error([1, 2, 3], [[1], [2], [6]]) == 1
    assert mean_absolute_error([[1], [2], [3]], [1, 2, 6], multioutput="raw_values") == np.array([1.0])


# Median, logarithms, and the error of a naive forecast


@pytest.mark.parametrize(
    ("errors", "weights", "expected"),
    [
        ([3], None, 3),
        ([1, 4], None, 2.5),
        ([0, 9, 1], None, 1),
        ([0, 9, 1, 3], None, 2),
        ([1, 2, 3], [1, 1, 2], 2.5),
        ([1, 2, 3], [1, 1, 3], 3),
        ([1, 2, 7, 3], [1, 1, 0, 2], 2.5),  # the next one that has a weight
        ([1, 7, 2, 3], [2, 0, 0, 0], 1),
        ([0, 1, 2], [0.1, 0.2, 0.3], 1.5),  # 0.1 + 0.2 is not 0.3
        ([0, 1], [1e-300, 1e-300], 0.5),
        (range(10), [0.1] * 10, 4.5),
        (range(100), [0.1] * 100, 49.5),
    ],
)
def test_a_weighted_median_reaches_half_of_the_weight(errors, weights, expected):
    errors = np.array(errors)
    assert median_absolute_error(errors, 0 * errors, sample_weight=weights) == expected
    assert median_absolute_error(0 * errors[::-1], errors[::-1], sample_weight=weights and weights[::-1]) == expected
    assert median_absolute_error(errors, 0 * errors, sample_weight=weights) == float(exact_median(errors, weights))


def exact_median(errors, weights):
    return middle_of([Fraction(int(e)) for e in errors], [Fraction(w) for w in weights or [1] * len(errors)])


def test_a_median_of_the_largest_numbers_does_not_overflow():
    assert median_absolute_error([1.7e308, -1.7e308], [0, 0]) == 1.7e308
    assert median_absolute_error([5e-324, -5e-324], [0, 0]) == 5e-324


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", [(1,), (7,), (100,), (50, 3)])
@pytest.mark.parametrize("metric", LOGARITHMIC)
def test_logarithmic_errors_are_their_definition_and_equal_scikit_learn(metric, shape, weighted):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(-7, 99, size=(2, *shape)) / 8
    weights = rng.integers(0, 3, size=shape[0]) + 0.5 if weighted else None
    for multioutput in ("raw_values", "uniform_average"):
        arguments = {"sample_weight": weights, "multioutput": multioutput}
        theirs = getattr(sklearn_metrics, metric.__name__)(y_true, y_pred, **arguments)
        assert metric(y_true, y_pred, **arguments) == pytest.approx(theirs, rel=1e-12)
    logs = [math.log1p(y) - math.log1p(p) for y, p in zip(y_true.flat, y_pred.flat, strict=True)]
    if len(shape) == 1:
        squared = weighted_mean([log * log for log in logs], weights.tolist() if weighted else [1] * len(logs))
        expected = math.sqrt(squared) if metric is root_mean_squared_log_error else squared
        assert metric(y_true, y_pred, sample_weight=weights) == pytest.approx(expected, rel=1e-12)


def test_logarithmic_errors_by_hand():
    e = math.e
    assert mean_squared_log_error([0, e - 1], [e - 1, e - 1]) == pytest.approx(0.5, rel=1e-15)
    assert root_mean_squared_log_error([0, 0], [e - 1, e - 1]) == pytest.approx(1, rel=1e-15)
    assert root_mean_squared_log_error([1e17], [1e17 + 16]) == 0  # as close as float64 tells them apart


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("metric", LOGARITHMIC)
def test_a_target_of_minus_one_or_less_has_no_logarithm(metric):
    for bad in (-1, -1.0, -3, -math.inf, np.float32(-1)):
        values = np.array([1.0] * 9 + [bad])
        for weights in (None, [1] * 9 + [0]):
            with pytest.raises(ValueError, match=r"^y_true: expected numbers greater than -1, got -"):
                metric(values, [1.0] * 10, sample_weight=weights)
            with pytest.raises(ValueError, match=r"^y_pred: expected numbers greater than -1, got -"):
                metric([1.0] * 10, values, sample_weight=weights)
    assert metric([-0.5], [-0.5]) == 0


@pytest.mark.parametrize("season", [1, 2, 3, np.int8(5)])
def test_scaled_error_is_its_definition(season):
    rng = np.random.default_rng(0)
    series, y_true, y_pred = (rng.integers(-9, 9, size=n) / 4 for n in (12, 5, 5))
    weights = rng.integers(1, 4, size=5)
    steps = [abs(Fraction(b) - Fraction(a)) for a, b in zip(series[:-season], series[season:], strict=True)]
    for w in (None, weights):
        expected = exact(mean_absolute_error, y_true, y_pred, w) / (sum(steps) / len(steps))
        value = mean_absolute_scaled_error(y_true, y_pred, y_train=series, seasonality=season, sample_weight=w)
        assert value == pytest.approx(float(expected), rel=1e-14)
        assert value == pytest.approx(
            mean_absolute_scaled_error(
                y_true * 3 - 7, y_pred * 3 - 7, y_train=series * 3 - 7, seasonality=season, sample_weight=w
            ),
            rel=1e-13,
        )
    tables = [np.stack([column, 2 * column], axis=1) for column in (y_true, y_pred, series)]
    tables[1][:, 1] = tables[0][:, 1]
    raw = mean_absolute_scaled_error(
        *tables[:2], y_train=tables[2], seasonality=season, multioutput="raw_values", sample_weight=weights
    )
    assert raw == pytest.approx([value, 0])


def test_repeating_the_season_in_the_series_itself_scores_one():
    series = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])
    for season in (1, 2, 3):
        arguments = {"y_train": series, "seasonality": season}
        assert mean_absolute_scaled_error(series[season:], series[:-season], **arguments) == 1


@pytest.mark.parametrize(("undefined", "expected"), [(np.nan, np.nan), (0, 0), (7.5, 7.5)])
def test_a_naive_forecast_without_error_leaves_the_callers_choice(undefined, expected):
    value = mean_absolute_scaled_error([1, 2], [1, 3], y_train=[4, 4, 4], undefined=undefined)
    assert value == pytest.approx(expected, nan_ok=True)
    raw = mean_absolute_scaled_error(
        [[1, 1]], [[2, 2]], y_train=[[4, 1], [4, 3]], undefined=undefined, multioutput="raw_values"
    )
    assert raw == pytest.approx(np.array([expected, 0.5]), nan_ok=True)
    with pytest.raises(ValueError, match="^undefined: the naive forecast makes no error in y_train"):
        mean_absolute_scaled_error([1, 2], [1, 3], y_train=[1, 2, 1, 2], seasonality=2, undefined="raise")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y_train": [1]}, "y_train: expected more than seasonality=1 values, got 1"),
        ({"y_train": [1, 2, 3], "seasonality": 3}, "y_train: expected more than seasonality=3 values, got 3"),
        ({"y_train": []}, "y_train: expected at least one value"),
        ({"y_train": [1, math.nan]}, "y_train: expected finite numbers, got nan"),
        ({"y_train": [[1, 2], [2, 3]]}, "y_train: expected 1 dimension, got shape \\(2, 2\\)"),
        ({"y_train": [-1.7e308, 1.7e308]}, "y_train: expected a sum of differences that float64 can hold"),
        ({"y_train": None}, "y_train: expected an array of real numbers, got None"),
        ({"y_train": [1, 2], "seasonality": 0}, "seasonality: expected an integer of at least 1, got 0"),
        ({"y_train": [1, 2], "seasonality": 1.0}, "seasonality: expected an integer of at least 1, got 1.0"),
        ({"y_train": [1, 2], "undefined": "skip"}, "undefined: expected a number, nan or 'raise'"),
    ],
)
def test_bad_series_are_refused(arguments, message):
    with pytest.raises(ValueError, match="^" + message):
        mean_absolute_scaled_error([1, 2], [1, 2], **arguments)


def test_a_series_has_the_outputs_of_the_targets():
    with pytest.raises(ValueError, match="^y_train: expected 2 columns, as y_true has"):
        mean_absolute_scaled_error([[1, 2]], [[1, 2]], y_train=[1, 2, 3])
    with pytest.raises(TypeError, match="y_train"):
        mean_absolute_scaled_error([1, 2], [1, 2])
    assert mean_absolute_scaled_error([1], [2], y_train=[[1], [2]]) == 1


# Conventions and warnings


@pytest.mark.parametrize("zero", [0.0, -0.0, 1e-17])
def test_mape_of_a_zero_target_is_scikit_learns_with_a_warning(zero):
    y_true, y_pred = [1.0, zero, 2.4], [1.2, 0.1, 2.4]
    with pytest.warns(UndefinedMetricWarning, match="undefined for a target of 0") as caught:
        value = mean_absolute_percentage_error(y_true, y_pred)
    assert caught[0].filename == __file__
    assert value == pytest.approx(sklearn_metrics.mean_absolute_percentage_error(y_true, y_pred), rel=1e-12)
    with pytest.warns(UndefinedMetricWarning):
        assert mean_absolute_percentage_error([0, 1], [0, 1]) == 0


def test_mape_is_silent_for_a_zero_target_without_weight_and_for_tiny_ones():
    assert mean_absolute_percentage_error([1, 0], [2, 5], sample_weight=[1, 0]) == 1
    assert mean_absolute_percentage_error([[1, 1], [0, 1]], [[2, 1], [5, 1]], sample_weight=[1, 0]) == 0.5
    assert mean_absolute_percentage_error([2.0**-52], [2.0**-51]) == 1


@pytest.mark.parametrize(("undefined", "expected"), [(np.nan, np.nan), (0, 0), (np.float64(7.5), 7.5)])
def test_wmape_of_zero_targets_is_the_callers_choice(undefined, expected):
    value = weighted_mean_absolute_percentage_error([0, 0], [0, 1], undefined=undefined)
    assert value == pytest.approx(expected, nan_ok=True)
    raw = weighted_mean_absolute_percentage_error(
        [[0, 1], [0, 1]], [[3, 2], [0, 1]], undefined=undefined, multioutput="raw_values"
    )
    assert raw == pytest.approx(np.array([expected, 0.5]), nan_ok=True)


def test_wmape_can_raise_and_ignores_targets_without_weight():
    with pytest.raises(ValueError, match="all targets of an output are 0"):
        weighted_mean_absolute_percentage_error([0, 5], [1, 1], undefined="raise", sample_weight=[1, 0])
    assert math.isnan(weighted_mean_absolute_percentage_error([0, 5], [1, 1], sample_weight=[1, 0]))


def test_r2_of_one_sample_is_nan_with_a_warning():
    for arguments in ({}, {"multioutput": "raw_values"}, {"force_finite": False}):
        with pytest.warns(UndefinedMetricWarning, match="fewer than two samples") as caught:
            assert math.isnan(r2_score([1], [1], **arguments))
        assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("y_pred", "force_finite", "expected"),
    [([0.1] * 3, True, 1), ([0.1, 0.1, 0.2], True, 0), ([0.1] * 3, False, np.nan), ([0.1, 0.1, 0.2], False, -np.inf)],
)
def test_r2_sees_constant_targets_that_rounding_would_hide(y_pred, force_finite, expected):
    with pytest.warns(UndefinedMetricWarning, match="constant targets") as caught:
        value = r2_score([0.1] * 3, y_pred, force_finite=force_finite)
    assert value == pytest.approx(expected, nan_ok=True)
    assert caught[0].filename == __file__


def test_r2_of_constant_targets_in_blocks_and_under_weights(monkeypatch):
    y_true = np.array([0.3, *[0.1] * 9])
    weights = np.array([0, *[0.7] * 9])
    monkeypatch.setattr(_floats, "BLOCK", 2)
    with pytest.warns(UndefinedMetricWarning, match="constant targets"):
        assert r2_score(y_true, y_true + 1, sample_weight=weights) == 0


def test_r2_warns_only_if_the_convention_enters_the_value():
    y_true, y_pred = [[1, 2], [1, 3]], [[1, 2], [2, 4]]
    assert r2_score(y_true, y_pred, multioutput="variance_weighted") == -1
    assert r2_score(y_true, y_pred, multioutput=[0, 1]) == -1
    with pytest.warns(UndefinedMetricWarning):
        assert r2_score(y_true, y_pred, multioutput=[1, 1]) == -0.5
    with pytest.warns(UndefinedMetricWarning):
        assert r2_score([[1, 2], [1, 2]], [[1, 2], [1, 3]], multioutput="variance_weighted") == 0.5


def test_r2_warns_where_an_output_without_weight_makes_the_value_nan():
    y_true, y_pred = [[1, 2], [1, 3]], [[1, 2], [1, 4]]
    for multioutput in ("variance_weighted", [0, 1]):
        keywords = {"multioutput": multioutput, "force_finite": False}
        with pytest.warns(UndefinedMetricWarning, match="constant targets"):
            value = r2_score(y_true, y_pred, **keywords)
        assert math.isnan(value)
        assert math.isnan(quiet(sklearn_metrics.r2_score, y_true, y_pred, **keywords))


def test_r2_weighted_by_huge_variances():
    y_true = np.array([[1, 1, 1, 1], [0, 0, 0, 0]]) * 1e154
    y_pred = np.array([[1, 1, 1, 0.5], [0, 0, 0, 0.5]]) * 1e154
    assert r2_score(y_true, y_pred, multioutput="variance_weighted") == pytest.approx(3 / 4)


# Rounding, range and memory


@pytest.mark.parametrize("metric", SUMS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("offset", [0, 1e9])
def test_sums_are_as_good_as_fsum(metric, weighted, offset):
    rng = np.random.default_rng(0)
    y_true = offset + rng.lognormal(sigma=2, size=200_000)
    y_pred = y_true + rng.normal(size=y_true.size)
    weights = rng.random(y_true.size) if weighted else np.ones(y_true.size)
    mass, errors = math.fsum(weights), np.abs(y_true - y_pred)
    if metric is mean_absolute_error:
        expected = math.fsum(weights * errors) / mass
    elif metric is mean_pinball_loss:
        expected = math.fsum(weights * errors / 2) / mass
    elif metric in (mean_squared_error, root_mean_squared_error, r2_score):
        expected = math.fsum(weights * errors**2) / mass
    elif metric is mean_absolute_percentage_error:
        expected = math.fsum(weights * (errors / y_true)) / mass
    elif metric is symmetric_mean_absolute_percentage_error:
        expected = math.fsum(weights * (2 * errors / (y_true + np.abs(y_pred)))) / mass
    else:
        expected = math.fsum(weights * errors) / math.fsum(weights * y_true)
    if metric is root_mean_squared_error:
        expected = math.sqrt(expected)
    if metric is r2_score:
        centred = y_true - offset
        middle = math.fsum(weights * centred) / mass
        expected = 1 - expected / (math.fsum(weights * (centred - middle) ** 2) / mass)
    value = metric(y_true, y_pred, sample_weight=weights if weighted else None)
    assert value == pytest.approx(expected, rel=1e-12)


def test_a_large_offset_costs_r2_no_digits():
    y_true = 2.0**52 + np.arange(10)
    y_pred = y_true + np.tile([0, 1], 5)
    assert_exact(r2_score, r2_score(y_true, y_pred), exact(r2_score, y_true, y_pred), rel=0)


HUGE = [1e308, -1e308]
OVERFLOWS = [
    (mean_squared_error, [1e200, 0], [0, 0], {}),
    (mean_squared_error, [1e154, 0], [-1e154, 0], {}),
    (root_mean_squared_error, [1e200, 0], [0, 0], {}),
    (mean_absolute_error, HUGE, HUGE[::-1], {}),
    (mean_absolute_error, HUGE, [0, 0], {}),
    (mean_absolute_error, HUGE, [0, 0], {"sample_weight": [1, 1]}),
    (mean_absolute_error, [[1e308, 1], [1e308, 1]], [[0, 0], [0, 0]], {}),
    (mean_absolute_percentage_error, [1e-300, 1], [1e300, 1], {}),
    (mean_pinball_loss, HUGE, HUGE[::-1], {"alpha": 0}),
    (median_absolute_error, HUGE, HUGE[::-1], {}),
    (median_absolute_error, HUGE, HUGE[::-1], {"sample_weight": [1, 2]}),
    (scaled, HUGE, HUGE[::-1], {}),
    (symmetric_mean_absolute_percentage_error, [1.7e308, 1], [1.6e308, 1], {}),
    (weighted_mean_absolute_percentage_error, HUGE, [0, 0], {}),
    (r2_score, [1e200, 0], [0, 0], {}),
    (r2_score, [1e-140, 0], [1e140, 0], {}),
    (r2_score, [1e154, 0, -1e154], [0, 0, 0], {"sample_weight": [1e8, 1, 1e8]}),
]


@pytest.mark.parametrize(("metric", "y_true", "y_pred", "arguments"), OVERFLOWS)
def test_overflow_is_an_error_that_says_so(metric, y_true, y_pred, arguments):
    with pytest.raises(ValueError, match=r"^y_true and y_pred: .*overflow"):
        metric(y_true, y_pred, **arguments)


@pytest.mark.parametrize(
    ("metric", "y_true", "y_pred"),
    [
        (root_mean_squared_error, [1e-200, 0], [0, 0]),
        (r2_score, [1e-200, 0], [0, 0]),
        (r2_score, [1e-200, 0], [1, 1]),
        (r2_score, [0, 0], [0, 1e-200]),
        (r2_score, [[1, 1e-200], [2, 0]], [[1, 0], [2, 0]]),
    ],
)
def test_vanishing_squares_are_an_error_that_says_so(metric, y_true, y_pred):
    with pytest.raises(ValueError, match=r"^y_true and y_pred: .*underflow"):
        metric(y_true, y_pred)


def test_small_and_large_values_within_range_are_exact():
    assert mean_squared_error([1e-200], [0]) == 0
    assert mean_absolute_error([5e-324], [0]) == 5e-324
    assert mean_absolute_error([1e308], [0]) == 1e308
    assert symmetric_mean_absolute_percentage_error([5e-324], [0]) == 2
    assert root_mean_squared_error([1e-140], [0]) == 1e-140
    assert mean_squared_error([[1.2e154, 1.2e154]], [[0, 0]]) == 1.2e154**2


WIDE = [2**53 + 1, 2**60 + 1, -(2**62) - 1, 2**63 - 1, 1_700_000_000_000_000_001]


@pytest.mark.parametrize("target", WIDE)
@pytest.mark.parametrize("other", ["int64", "int8", "float64", "bool", "wide apart"])
def test_wide_integers_are_subtracted_before_they_are_rounded(target, other):
    y_true = np.array([target, target - 1])
    y_pred = {
        "int64": np.array([target - 1, target - 3]),
        "int8": np.array([-1, 100], dtype=np.int8),
        "float64": np.array([float(target), 0.25]),
        "bool": np.array([True, False]),
        "wide apart": np.array([-(2**63), 2**63 - 1]),
    }[other]
    errors = [abs(Fraction(t) - Fraction(p)) for t, p in zip(y_true.tolist(), y_pred.tolist(), strict=True)]
    assert mean_absolute_error(y_true, y_pred) == pytest.approx(float(sum(errors) / 2), rel=1e-15)
    assert mean_absolute_error(y_pred[:1], y_true[:1]) == float(errors[0])
    table = mean_absolute_error(y_true[None], y_pred[None], multioutput="raw_values")
    assert table.tolist() == list(map(float, errors))


def test_wide_integers_keep_their_digits_in_every_metric():
    y_true, y_pred = np.array([0, 1, 2]) + 2**60, np.array([0, 1, 3]) + 2**60
    assert mean_squared_error(y_true, y_pred) == 1 / 3
    assert r2_score(y_true, y_pred) == 0.5
    unsigned = [values.astype(np.uint64) + np.uint64(2**63) for values in (y_true, y_pred)]
    assert r2_score(*unsigned) == 0.5
    assert mean_absolute_error(unsigned[0], y_pred) == pytest.approx(2**63, rel=1e-15)
    assert mean_absolute_percentage_error([2**60 + 1], [2**60]) == 2.0**-60
    assert symmetric_mean_absolute_percentage_error([2**60 + 1], [2**60]) == 2.0**-60


def test_long_doubles_are_subtracted_before_they_are_rounded():
    eps = np.finfo(np.longdouble).eps
    assert mean_absolute_error(np.array([1 + eps, 1]), [1.0, 1.0]) == float(eps) / 2


def test_an_overflow_is_seen_without_floating_point_flags():
    """Some platforms raise none, and an error over an infinite size would count as 0."""
    huge = np.array([1.7e308, 1.0])
    with np.errstate(all="ignore"):
        assert regression._symmetric(huge, huge - 1, None) == np.inf
        assert regression._symmetric(np.stack([huge, huge]), np.stack([huge, huge]), None) == np.inf


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e307])
@pytest.mark.parametrize("metric", EVERY)
def test_only_ratios_of_weights_count(metric, scale):
    y_true, y_pred, weights = np.array([1, 2, 4, 9]), np.array([2, 2, 3, 5]), np.array([1, 0, 2, 4])
    expected = metric(y_true, y_pred, sample_weight=weights)
    assert metric(y_true, y_pred, sample_weight=weights * scale) == pytest.approx(expected, rel=1e-3)
    if scale != 1e-320:
        assert metric(y_true, y_pred, sample_weight=weights * scale) == pytest.approx(expected, rel=1e-14)
    tables = np.stack([y_true, y_true], axis=1), np.stack([y_pred, y_true], axis=1)
    assert metric(*tables, multioutput=[scale, 0]) == metric(y_true, y_pred)


@pytest.mark.parametrize("metric", [*SUMS, *LOGARITHMIC, scaled])
@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "two outputs", "weights"])
def test_no_temporary_is_as_large_as_the_input(metric, kind):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(1, 100, size=(2, 1_000_000)).astype(kind if kind[-1].isdigit() else "float64")
    if kind == "two outputs":
        y_true, y_pred = y_true.reshape(-1, 2), y_pred.reshape(-1, 2)
    weights = y_true.copy() if kind == "weights" else None
    tracemalloc.start()
    try:
        metric(y_true, y_pred, sample_weight=weights)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < y_true.nbytes / 2


@pytest.mark.parametrize("metric", EVERY)
def test_no_arithmetic_warning_even_if_numpy_is_set_to_raise(metric):
    y_true, y_pred = [1e-300, 1, 5e-324, 2], [1e-310, 2, 0, 3]
    if metric is mean_absolute_percentage_error:
        y_true = [1e-10, 1, 2, 2]
    with np.errstate(all="raise"):
        value = metric(y_true, y_pred)
        pair = metric(np.transpose([y_true] * 2), np.transpose([y_pred] * 2), sample_weight=[1e-320, 1, 1, 1])
    assert math.isfinite(value)
    assert math.isfinite(pair)


# Input


@pytest.mark.parametrize("metric", EVERY)
def test_every_kind_of_input_gives_the_same_value(metric):
    true, pred, weights = [1, 0, 1, 1], [1, 1, 0, 1], [2, 1, 1, 0]
    if metric is mean_absolute_percentage_error:
        true = [1, 1, 1, 1]
    value = metric(true, pred, sample_weight=weights)
    kinds = ["bool", "int8", "uint8", "int64", "uint64", "float16", "float32", ">f8", "longdouble", "object"]
    for first, second in itertools.product(kinds, kinds):
        assert metric(np.array(true, dtype=first), np.array(pred, dtype=second), sample_weight=weights) == value
    for make in (
        tuple,
        np.array,
        pd.Series,
        lambda v: pd.Series(v, index=list("dcba")),
        lambda v: [Fraction(x) for x in v],
    ):
        assert metric(make(true), make(pred), sample_weight=make(weights)) == value
    table = np.array([true, pred]).T + 1
    assert metric(pd.DataFrame(table), pd.DataFrame(table)) == metric(table, table)
    for view in (np.asfortranarray, lambda a: np.repeat(a, 2, axis=0)[::2], lambda a: a[::-1][::-1].astype(float)):
        assert metric(view(table), view(table[:, ::-1]) + 1) == pytest.approx(
            metric(table, table[:, ::-1] + 1), rel=1e-15
        )


@pytest.mark.parametrize("metric", [*ALL, scaled])
def test_small_integer_types_do_not_wrap_around(metric):
    y_true, y_pred = np.array([-128, 127], dtype=np.int8), np.array([127, -128], dtype=np.int8)
    assert metric(y_true, y_pred) == metric([-128, 127], [127, -128])
    y_true, y_pred = np.array([1, 200], dtype=np.uint8), np.array([200, 1], dtype=np.uint8)
    assert metric(y_true, y_pred) == metric([1, 200], [200, 1])


@pytest.mark.parametrize("metric", EVERY)
def test_inputs_are_not_modified(metric):
    rng = np.random.default_rng(0)
    arrays = [rng.random((20, 3)), rng.random((20, 3)), rng.random(20), rng.random(3)]
    copies = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    y_true, y_pred, weights, outputs = arrays
    metric(y_true, y_pred, sample_weight=weights, multioutput=outputs)
    metric(y_true[:, 0], y_pred[:, 0], sample_weight=weights)
    raw = metric(y_true[:, :2], y_pred[:, :2], multioutput="raw_values")
    raw += 1
    for array, copy in zip(arrays, copies, strict=True):
        assert (array == copy).all()


GOOD = [1.0, 2.0, 4.0]
TABLE = [[1.0, 2.0], [3.0, 5.0], [4.0, 4.0]]
BAD_TARGETS = [
    [1.0, math.nan, 2.0],
    [1.0, math.inf, 2.0],
    [1.0, -math.inf, 2.0],
    np.array([1.0, np.nan, 2.0]),
    np.array([1.0, np.inf, 2.0]),
    np.array([1.0, -np.inf, 2.0], dtype=np.float32),
    np.array([[1.0], [np.nan], [2.0]]),
    [],
    np.empty(0),
    np.empty((3, 0)),
    2.0,
    np.float64(2.0),
    np.array(2.0),
    None,
    np.ones((3, 1, 1)),
    ["a", "b", "c"],
    ["1", "2", "3"],
    np.array([1, None, 2]),
    [1, [2, 3], 4],
    [1j, 2j, 3j],
    np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    {"a": 1},
]


@pytest.mark.parametrize("metric", EVERY)
@pytest.mark.parametrize("bad", BAD_TARGETS, ids=repr)
def test_bad_targets_are_refused_by_name(metric, bad):
    with pytest.raises(ValueError, match=r"^y_true: expected .*, got "):
        metric(bad, GOOD)
    with pytest.raises(ValueError, match=r"^y_pred: expected .*, got "):
        metric(GOOD, bad)


@pytest.mark.parametrize("metric", EVERY)
def test_infinities_that_cancel_or_carry_no_weight_are_refused(metric):
    infinite = np.array([1.0, np.inf, 2.0])
    with pytest.raises(ValueError, match="^y_true: expected finite numbers, got inf"):
        metric(infinite, infinite)
    with pytest.raises(ValueError, match="^y_true: expected finite numbers, got inf"):
        metric(infinite, GOOD, sample_weight=[1, 0, 1])
    with pytest.raises(ValueError, match="^y_pred: expected finite numbers, got nan"):
        metric(GOOD, np.array([1.0, np.nan, 2.0]), sample_weight=[1, 0, 1])
    with pytest.raises(ValueError, match="^y_pred: expected finite numbers, got nan"):
        metric([[0.0, 1], [1, 2], [2, 3]], np.array([[1.0, 2], [np.nan, 2], [1, 3]]), multioutput=[0, 1])


@pytest.mark.parametrize("metric", EVERY)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sample_weight": [1, 1]}, "sample_weight: expected 3 weights.*got 2"),
        ({"sample_weight": [1, -1, 1]}, "sample_weight: expected non-negative weights, got -1"),
        ({"sample_weight": [0, 0, 0]}, "sample_weight: expected at least one positive weight"),
        ({"sample_weight": [1, math.nan, 1]}, "sample_weight: expected finite"),
        ({"sample_weight": [1, math.inf, 1]}, "sample_weight: expected finite"),
        ({"sample_weight": [[1, 1, 1]]}, "sample_weight: expected 1 dimension"),
        ({"sample_weight": ["a", "b", "c"]}, "sample_weight: expected an array of real numbers"),
        ({"multioutput": "mean"}, "multioutput: expected one of 'uniform_average', 'raw_values'"),
        ({"multioutput": [1, 1, 1]}, "multioutput: expected 2 weights, one per output, got 3"),
        ({"multioutput": [-1, 2]}, "multioutput: expected non-negative"),
        ({"multioutput": [0, 0]}, "multioutput: expected at least one positive"),
        ({"multioutput": [1, math.nan]}, "multioutput: expected finite"),
        ({"multioutput": [[1, 1]]}, "multioutput: expected 1 dimension"),
        ({"multioutput": 1}, "multioutput: expected 1 dimension"),
    ],
)
def test_bad_weights_and_outputs_are_refused_by_name(metric, arguments, message):
    with pytest.raises(ValueError, match="^" + message):
        metric(TABLE, TABLE, **arguments)


@pytest.mark.parametrize("metric", EVERY)
def test_mismatches_are_refused(metric):
    for y_true, y_pred in ((GOOD, GOOD[:2]), (TABLE, GOOD), (TABLE, [[1], [2], [3]]), (GOOD, [GOOD])):
        with pytest.raises(ValueError, match="^y_pred: expected the shape of y_true"):
            metric(y_true, y_pred)
    with pytest.raises(ValueError, match="^multioutput: .*single output"):
        metric(GOOD, GOOD, multioutput=[1])
    with pytest.raises(TypeError):
        metric(GOOD, GOOD, [1, 1, 1])


def test_options_of_one_metric_only():
    for metric in set(ALL) - {r2_score}:
        for multioutput in ("variance_weighted", None):
            with pytest.raises(ValueError, match="^multioutput: expected"):
                metric(TABLE, TABLE, multioutput=multioutput)
    for force_finite in (1, "yes", None):
        with pytest.raises(ValueError, match="^force_finite: expected True or False"):
            r2_score(GOOD, GOOD, force_finite=force_finite)
    for undefined in ("skip", "zero", None, True):
        with pytest.raises(ValueError, match="^undefined: expected"):
            weighted_mean_absolute_percentage_error(GOOD, GOOD, undefined=undefined)
