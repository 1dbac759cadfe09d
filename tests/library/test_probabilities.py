"""Losses and calibration of probabilities: by definition, in fractions where possible, and beside scikit-learn."""

import copy
import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import integrate
from sklearn import metrics as peer
from sklearn.calibration import calibration_curve as peer_curve

from metrics_lib import (
    UndefinedMetricWarning,
    _floats,
    brier_score_loss,
    calibration_curve,
    crps,
    entropy,
    expected_calibration_error,
    log_loss,
    mean_absolute_error,
    mean_pinball_loss,
    normalized_cross_entropy,
)

NAN = math.nan
EPS = 2.0**-52
KINDS = {
    "integers": [0, 1],
    "signs": [-1, 1],
    "others": [3, 8],
    "booleans": [False, True],
    "strings": ["no", "yes"],
    "whole floats": [0.0, 1.0],
}
PROBS = st.sampled_from([0, 1, 0.5, 0.25, 0.2, 0.4, 0.6, 0.8, 1e-20, 1 - EPS]) | st.floats(0, 1)
WEIGHT = st.sampled_from([0, 0.25, 1, 3])
BINARY = [brier_score_loss, calibration_curve, expected_calibration_error, normalized_cross_entropy]
LOSSES = [log_loss, brier_score_loss]


def silently(function, *args, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **keywords)


@st.composite
def forecasts(draw, kinds=tuple(KINDS), classes=2):
    """Labels that all occur, a probability of the greater one for each sample, and weights or None."""
    values = KINDS[draw(st.sampled_from(kinds))]
    y_true = draw(st.lists(st.sampled_from(values), min_size=2, max_size=12).filter(lambda y: len(set(y)) == classes))
    y_prob = draw(st.lists(PROBS, min_size=len(y_true), max_size=len(y_true)))
    weights = draw(st.none() | st.lists(WEIGHT, min_size=len(y_true), max_size=len(y_true)).filter(any))
    return y_true, y_prob, weights


@st.composite
def matrices(draw):
    """Labels, rows of probabilities, one column for each of the sorted classes, weights or None, and the classes."""
    classes = draw(st.sampled_from([[0, 1], [0, 1, 2], [-5, 2, 7, 2**40], ["a", "b"], ["ant", "b", "bee"]]))
    n = draw(st.integers(2, 8))
    y_true = draw(st.lists(st.sampled_from(classes), min_size=n, max_size=n))
    rows = st.lists(st.integers(0, 4), min_size=len(classes), max_size=len(classes)).filter(any)
    y_prob = [[part / sum(row) for part in row] for row in draw(st.lists(rows, min_size=n, max_size=n))]
    weights = draw(st.none() | st.lists(WEIGHT, min_size=n, max_size=n).filter(any))
    return y_true, y_prob, weights, classes


def mean_of(losses, weights):
    pairs = list(zip(losses, weights or [1] * len(losses), strict=True))
    return sum(loss * weight for loss, weight in pairs) / sum(weight for _, weight in pairs)


def clipped(p):
    return min(max(p, EPS), 1 - EPS)


# log_loss


@given(forecasts())
def test_log_loss_by_definition_and_by_peer(case):
    y_true, y_prob, weights = case
    greater = max(y_true)
    losses = [-math.log(clipped(p if y == greater else 1 - p)) for y, p in zip(y_true, y_prob, strict=True)]
    value = silently(log_loss, y_true, y_prob, sample_weight=weights)
    assert value == pytest.approx(mean_of(losses, weights), rel=1e-13, abs=1e-14)
    assert value == pytest.approx(peer.log_loss(y_true, y_prob, sample_weight=weights), rel=1e-13, abs=1e-14)
    total = silently(log_loss, y_true, y_prob, sample_weight=weights, normalize=False)
    assert total == pytest.approx(value * sum(weights or [1] * len(y_true)), rel=1e-13, abs=1e-14)
    assert total == pytest.approx(
        peer.log_loss(y_true, y_prob, sample_weight=weights, normalize=False), rel=1e-13, abs=1e-14
    )


@given(matrices())
def test_log_loss_of_rows_by_definition_and_by_peer(case):
    y_true, y_prob, weights, classes = case
    losses = [-math.log(clipped(row[classes.index(y)])) for y, row in zip(y_true, y_prob, strict=True)]
    keywords = {"labels": classes, "sample_weight": weights}
    value = log_loss(y_true, y_prob, **keywords)
    assert value == pytest.approx(mean_of(losses, weights), rel=1e-13, abs=1e-14)
    assert value == pytest.approx(silently(peer.log_loss, y_true, y_prob, **keywords), rel=1e-13, abs=1e-14)
    if len(set(y_true)) == len(classes):
        assert log_loss(y_true, y_prob, sample_weight=weights) == value
    indicators = np.array(y_true)[:, None] == np.array(classes)
    assert log_loss(indicators, y_prob, sample_weight=weights) == value


def test_two_columns_are_as_good_as_one():
    y_true, y_prob = [0, 1, 1, 0], np.array([0.1, 0.9, 0.8, 0.35])
    two = np.stack([1 - y_prob, y_prob], axis=1)
    for loss in LOSSES:
        assert loss(y_true, two) == pytest.approx(loss(y_true, y_prob), rel=1e-15)
        assert loss(y_true, y_prob[:, None]) == loss(y_true, y_prob)
        assert loss([[0], [1], [1], [0]], y_prob) == loss(y_true, y_prob)
        one_hot = [[1, 0], [0, 1], [0, 1], [1, 0]]
        assert loss(one_hot, two) == loss(y_true, two)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i8", "?", "g"])
def test_a_zero_is_clipped_alike_in_all_types(dtype):
    y_true, y_prob = [0, 1, 1, 0], np.array([1, 0, 1, 0], dtype=dtype)
    value = log_loss(y_true, y_prob)
    assert value == pytest.approx(-(math.log(EPS) + math.log(1 - EPS)) / 2)
    if dtype not in ("f2", "f4"):  # for which scikit-learn clips at 9.8e-4 and at 1.2e-7
        assert value == pytest.approx(peer.log_loss(y_true, y_prob))
    assert brier_score_loss(y_true, y_prob) == peer.brier_score_loss(y_true, y_prob) == 0.5


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_small_probabilities_of_narrow_types_stay(dtype):
    """As a softmax in half precision gives them: a thousand classes, most with less than 1e-3."""
    logits = np.random.default_rng(0).normal(size=(200, 1000)) * 3
    probs = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    stored = probs.astype(dtype)
    y_true = np.arange(200) % 1000
    stored[np.arange(200), y_true] = np.maximum(stored[np.arange(200), y_true], dtype(1e-7))  # no zeros
    losses = -np.log(stored.astype(np.float64)[np.arange(200), y_true])
    assert log_loss(y_true, stored, labels=range(1000)) == pytest.approx(losses.mean(), rel=1e-12)
    assert log_loss([1], dtype([1e-4]), labels=[0, 1]) == -math.log(float(dtype(1e-4)))
    value = normalized_cross_entropy([1, 0], dtype([1e-4, 0.5]))
    assert value == pytest.approx((math.log(2) - math.log(float(dtype(1e-4)))) / 2 / math.log(2))


def test_a_clip_that_raises_a_number_says_so():
    with pytest.warns(UndefinedMetricWarning, match=r"^log_loss: probabilities above 0 but below 2.2e-16 were raised"):
        assert log_loss([1, 0], [1e-20, 0.5]) == pytest.approx(-(math.log(EPS) + math.log(0.5)) / 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        log_loss([1, 0, 1], [1e-20, 0.5, 0.5], sample_weight=[0, 1, 1])
        log_loss([1, 0], [0.0, 0.5])


@pytest.mark.parametrize("weights", [None, [1, 2, 0.5]])
def test_an_indicator_matrix_may_have_any_number_of_ones(weights):
    truth, probs = np.array([[1, 0, 1], [0, 0, 0], [1, 1, 1]]), [[0.25, 0.25, 0.5], [1, 0, 0], [0.5, 0.25, 0.25]]
    losses = [-math.log(0.25 * 0.5), 0, -math.log(0.5 * 0.25 * 0.25)]
    assert log_loss(truth, probs, sample_weight=weights) == pytest.approx(mean_of(losses, weights), rel=1e-14)
    distances = ((np.array(probs) - truth) ** 2).sum(axis=1)
    assert brier_score_loss(truth, probs, sample_weight=weights) == pytest.approx(
        mean_of(distances, weights), rel=1e-14
    )
    assert log_loss([[1, 1], [0, 0]], [0.25, 0.5]) == pytest.approx(-math.log(0.25 * 0.75) / 2, rel=1e-14)


def test_a_certain_mistake_is_finite():
    assert log_loss([1, 0], [0.0, 0.0]) == pytest.approx(-math.log(EPS) / 2)
    assert log_loss([1, 0], [0.0, 1.0]) == -math.log(EPS) == pytest.approx(36.04, abs=0.005)


# brier_score_loss


@given(forecasts(), st.sampled_from([True, False, "auto"]))
def test_brier_score_by_definition_and_by_peer(case, scale_by_half):
    y_true, y_prob, weights = case
    positive = max(y_true)
    keywords = {"scale_by_half": scale_by_half, "sample_weight": weights}
    keywords |= {"pos_label": positive} if isinstance(positive, str) else {}
    losses = [(Fraction(p) - (y == positive)) ** 2 for y, p in zip(y_true, y_prob, strict=True)]
    exact = mean_of(losses, weights and list(map(Fraction, weights))) * (1 if scale_by_half else 2)
    value = brier_score_loss(y_true, y_prob, **keywords)
    assert value == pytest.approx(float(exact), rel=1e-14)
    assert value == pytest.approx(peer.brier_score_loss(y_true, y_prob, **keywords), rel=1e-13, abs=1e-14)
    lesser = brier_score_loss(y_true, [1 - p for p in y_prob], **keywords | {"pos_label": min(y_true)})
    assert lesser == pytest.approx(value, rel=1e-13, abs=1e-14)


@given(matrices(), st.sampled_from([True, False, "auto"]))
def test_brier_score_of_rows_by_definition_and_by_peer(case, scale_by_half):
    y_true, y_prob, weights, classes = case
    keywords = {"labels": classes, "scale_by_half": scale_by_half, "sample_weight": weights}
    losses = [
        sum((Fraction(p) - (y == label)) ** 2 for p, label in zip(row, classes, strict=True))
        for y, row in zip(y_true, y_prob, strict=True)
    ]
    halved = len(classes) == 2 if scale_by_half == "auto" else scale_by_half
    exact = mean_of(losses, weights and list(map(Fraction, weights))) / (2 if halved else 1)
    value = brier_score_loss(y_true, y_prob, **keywords)
    assert value == pytest.approx(float(exact), rel=1e-14)
    assert value == pytest.approx(silently(peer.brier_score_loss, y_true, y_prob, **keywords), rel=1e-13, abs=1e-14)
    assert 0 <= value <= (1 if halved else 2)


def test_a_small_distance_keeps_its_digits():
    assert brier_score_loss([0, 1], [[1 - 1e-9, 1e-9], [1e-9, 1 - 1e-9]]) == pytest.approx(1e-18, rel=1e-6)


@given(st.integers(1, 9), st.floats(0.001, 0.999))
def test_the_base_rate_is_the_best_constant(tenths, constant):
    q = tenths / 10
    y_true, weights = [1, 0], [tenths, 10 - tenths]
    for loss, least in ((log_loss, entropy([q, 1 - q], base=math.e)), (brier_score_loss, q * (1 - q))):
        assert loss(y_true, [q, q], sample_weight=weights) == pytest.approx(least)
        assert loss(y_true, [constant] * 2, sample_weight=weights) >= least - 1e-15


# calibration_curve


@given(forecasts(), st.integers(1, 12), st.sampled_from(["uniform", "quantile"]), st.sampled_from(["f4", "f8"]))
def test_calibration_curve_is_that_of_the_peer(case, n_bins, strategy, dtype):
    y_true, y_prob, _ = case
    keywords = {"pos_label": max(y_true), "n_bins": n_bins, "strategy": strategy}
    y_prob = np.array(y_prob, dtype=dtype)
    ours, theirs = calibration_curve(y_true, y_prob, **keywords), peer_curve(np.array(y_true), y_prob, **keywords)
    np.testing.assert_allclose(ours.prob_true, theirs[0], rtol=1e-15)
    np.testing.assert_allclose(ours.prob_pred, theirs[1], rtol=1e-15)
    assert (np.diff(ours.prob_pred) > 0).all()


def bins_by_definition(y_true, y_prob, weights, n_bins):
    """For each bin of equal width the weights, the weights of the positives and the weighted probabilities."""
    sums = {}
    for y, p, w in zip(y_true, y_prob, weights, strict=True):
        at = max(0, sum(p > edge for edge in np.linspace(0, 1, n_bins + 1)[:-1]) - 1)
        total = sums.setdefault(at, [Fraction(0)] * 3)
        sums[at] = [a + Fraction(b) for a, b in zip(total, (w, w * y, Fraction(w) * Fraction(p)), strict=True)]
    return [sums[at] for at in sorted(sums)]


@given(forecasts(kinds=("integers", "booleans")), st.integers(1, 12))
def test_curve_and_error_by_definition(case, n_bins):
    y_true, y_prob, weights = case
    bins = bins_by_definition(y_true, y_prob, [1] * len(y_true), n_bins)
    curve = calibration_curve(y_true, y_prob, n_bins=n_bins)
    assert curve.prob_true == pytest.approx([float(y / w) for w, y, _ in bins])
    assert curve.prob_pred == pytest.approx([float(p / w) for w, _, p in bins])
    bins = bins_by_definition(y_true, y_prob, weights or [1] * len(y_true), n_bins)
    error = sum(abs(y - p) for _, y, p in bins) / sum(w for w, _, _ in bins)
    value = expected_calibration_error(y_true, y_prob, n_bins=n_bins, sample_weight=weights)
    assert value == pytest.approx(float(error), abs=1e-14)


def test_a_bin_holds_its_upper_edge():
    probs = [0, 0.25, 0.5, 0.75, 1]
    assert calibration_curve([0, 1, 0, 1, 1], probs, n_bins=4).prob_pred.tolist() == [0.125, 0.5, 0.75, 1]
    assert calibration_curve([0, 1, 0, 1, 1], probs, n_bins=2).prob_true.tolist() == [1 / 3, 1]


# expected_calibration_error


@given(forecasts(kinds=("integers",)), st.sampled_from([1, 2, 3, 4, 6]), st.sampled_from([2, 3, 5]))
def test_merging_bins_never_raises_the_error(case, n_bins, parts):
    y_true, y_prob, weights = case
    # Edges that two widths share may differ by a rounding; such samples would change their bin.
    edges = np.linspace(0, 1, n_bins * parts + 1)
    assume(min(abs(p - edge) for p in y_prob for edge in edges[1:-1]) > 1e-9)
    coarse, fine = (
        expected_calibration_error(y_true, y_prob, n_bins=n, sample_weight=weights) for n in (n_bins, n_bins * parts)
    )
    assert 0 <= coarse <= fine + 1e-12 <= 1 + 2e-12


@given(forecasts(kinds=("integers",)), st.sampled_from(["uniform", "quantile"]))
def test_one_bin_compares_the_means(case, strategy):
    y_true, y_prob, weights = case
    value = expected_calibration_error(y_true, y_prob, n_bins=1, strategy=strategy, sample_weight=weights)
    assert value == pytest.approx(abs(mean_of(y_true, weights) - mean_of(y_prob, weights)), abs=1e-12)


@given(forecasts(kinds=("integers",)), st.integers(1, 6), st.sampled_from(["uniform", "quantile"]))
def test_error_and_curve_agree(case, n_bins, strategy):
    y_true, y_prob, _ = case
    curve = calibration_curve(y_true, y_prob, n_bins=n_bins, strategy=strategy)
    value = expected_calibration_error(y_true, y_prob, n_bins=n_bins, strategy=strategy)
    apart = np.abs(curve.prob_true - curve.prob_pred)
    assert apart.min() - 1e-12 <= value <= apart.max() + 1e-12
    assert expected_calibration_error(y_true, [np.mean(y_true)] * len(y_true)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_a_weight_of_zero_removes_a_sample_and_a_whole_one_copies_it(strategy):
    rng = np.random.default_rng(1)
    y_true, y_prob, weights = rng.integers(0, 2, 60), rng.random(60), rng.integers(0, 3, 60)
    kept = weights > 0
    value = expected_calibration_error(y_true, y_prob, sample_weight=kept, strategy=strategy)
    assert value == pytest.approx(expected_calibration_error(y_true[kept], y_prob[kept], strategy=strategy))
    if strategy == "uniform":
        copies = expected_calibration_error(np.repeat(y_true, weights), np.repeat(y_prob, weights))
        assert expected_calibration_error(y_true, y_prob, sample_weight=weights) == pytest.approx(copies)


# expected_calibration_error of the most probable class


def top_label_error(y_true, y_prob, weights, classes, n_bins):
    """The rows one by one: the first largest probability is the forecast."""
    tops = [max(range(len(row)), key=row.__getitem__) for row in y_prob]
    right = [classes[top] == y for top, y in zip(tops, y_true, strict=True)]
    confidence = [row[top] for row, top in zip(y_prob, tops, strict=True)]
    bins = bins_by_definition(right, confidence, weights or [1] * len(right), n_bins)
    return float(sum(abs(y - p) for _, y, p in bins) / sum(w for w, _, _ in bins))


@given(matrices(), st.integers(1, 15))
def test_top_label_error_by_definition(case, n_bins):
    y_true, y_prob, weights, classes = case
    keywords = {"n_bins": n_bins, "sample_weight": weights}
    value = expected_calibration_error(y_true, y_prob, labels=classes, **keywords)
    assert value == pytest.approx(top_label_error(y_true, y_prob, weights, classes, n_bins), abs=1e-14)
    indicators = np.array(y_true)[:, None] == np.array(classes)
    assert expected_calibration_error(indicators, y_prob, **keywords) == value
    if len(set(y_true)) == len(classes):
        assert expected_calibration_error(y_true, y_prob, **keywords) == value


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_top_label_error_is_that_of_being_right(strategy):
    rng = np.random.default_rng(4)
    y_true, y_prob, weights = rng.integers(0, 5, 200), rng.dirichlet(np.ones(5), 200), rng.random(200)
    keywords = {"n_bins": 15, "strategy": strategy, "sample_weight": weights}
    value = expected_calibration_error(y_true, y_prob, **keywords)
    assert value == expected_calibration_error(y_true == y_prob.argmax(axis=1), y_prob.max(axis=1), **keywords)


def test_two_columns_give_the_top_label_error_and_a_vector_that_of_the_positive_class():
    y_true, y_prob = [0, 1, 0, 1], np.array([0.1, 0.9, 0.9, 0.1])
    two = np.stack([1 - y_prob, y_prob], axis=1)
    assert expected_calibration_error(y_true, y_prob) == pytest.approx(0.4)
    assert expected_calibration_error(y_true, two) == pytest.approx(0.4)
    y_true = [0, 0, 0, 1]  # of the forecasts of 0.1, and of those of 0.9, one half comes true; right are 3/4 or 2/4
    assert expected_calibration_error(y_true, [0.1, 0.1, 0.9, 0.1]) == pytest.approx((3 * (1 / 3 - 0.1) + 0.9) / 4)
    rows = [[0.9, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.1]]
    assert expected_calibration_error(y_true, rows) == pytest.approx(0.9 - 0.5)


def test_of_several_largest_probabilities_the_first_is_the_forecast():
    rows = [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0.5, 0.5], [0.25, 0.5, 0.25]]
    assert expected_calibration_error(["a", "b", "b", "c"], rows) == 0  # right, wrong, right, wrong
    assert expected_calibration_error(["a", "a", "b", "b"], rows, labels=["a", "b", "c"]) == 0.5
    assert expected_calibration_error(["b", "b", "c", "c"], rows, labels=["a", "b", "c"]) == 0.5  # all wrong


@pytest.mark.parametrize(
    ("y_true", "y_prob", "keywords", "message"),
    [
        ([0, 1, 2], [[0.5, 0.25, 0.25]] * 2, {}, "^y_prob: expected 3 rows, one per label of y_true, got 2$"),
        ([0, 1, 2], [[0.5, 0.5]] * 3, {}, r"^y_prob: expected a column for each of the 3 labels \[0, 1, 2\], got 2"),
        ([0, 1], [[0.5, 0.25, 0.25]] * 2, {}, "^y_prob: expected a column for each of the 2 labels"),
        ([0, 1], [[0.5, 0.25], [0.5, 0.5]], {}, "^y_prob: expected rows that sum to 1"),
        ([0, 1], [[0.5, 0.5]] * 2, {"pos_label": 1}, "^pos_label: expected None beside the probabilities of all"),
        ([0, 1], [[0.5, 0.5]] * 2, {"sample_weight": [1]}, "^sample_weight: expected 2 weights"),
        ([0, 5], [[0.5, 0.5]] * 2, {"labels": [0, 1]}, "^labels: expected all labels of y_true"),
        ([[1, 1], [1, 0]], [[0.5, 0.5]] * 2, {}, "^y_true: expected an indicator matrix with a single 1 in each row"),
        ([[1, 0, 0], [0, 1, 0]], [[0.5, 0.5]] * 2, {}, "^y_prob: expected a column for each of the 3 columns"),
        ([0, 1], [0.5, 0.5], {"labels": [0, 1]}, "^labels: expected None beside the probabilities of one class"),
    ],
)
def test_bad_rows_of_a_top_label_error_are_refused(y_true, y_prob, keywords, message):
    with pytest.raises(ValueError, match=message):
        expected_calibration_error(y_true, y_prob, **keywords)


def test_unsorted_labels_of_a_top_label_error_are_warned_of():
    with pytest.warns(UserWarning, match="^labels: the columns of y_prob are taken in the sorted order") as caught:
        assert expected_calibration_error(["a", "b"], [[1, 0], [0, 1]], labels=["b", "a"]) == 0
    assert caught[0].filename == __file__


# crps


def exact_crps(y, values, probabilities, fair=False):
    """E|X - y| - E|X - X'| / 2 in exact fractions."""
    y, values = Fraction(y), [Fraction(x) for x in values]
    away = sum(p * abs(x - y) for x, p in zip(values, probabilities, strict=True))
    pairs = [
        p * q * abs(a - b)
        for a, p in zip(values, probabilities, strict=True)
        for b, q in zip(values, probabilities, strict=True)
    ]
    return away - sum(pairs) / 2 * (Fraction(len(values), len(values) - 1) if fair else 1)


@st.composite
def discrete_forecasts(draw):
    """Observations, as many rows of values in eighths, counts that stand for their probabilities, weights or None."""
    n, m = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    number = st.integers(-40, 40).map(lambda x: x / 8)
    rows = [draw(st.lists(number, min_size=m, max_size=m)) for _ in range(n)]
    counts = [draw(st.lists(st.integers(0, 4), min_size=m, max_size=m).filter(any)) for _ in range(n)]
    weights = draw(st.none() | st.lists(WEIGHT, min_size=n, max_size=n).filter(any))
    return draw(st.lists(number, min_size=n, max_size=n)), rows, counts, weights


@given(discrete_forecasts())
def test_crps_by_definition(case):
    y_true, rows, counts, weights = case
    shares = [[Fraction(c, sum(row)) for c in row] for row in counts]
    expected = mean_of(
        [exact_crps(*each) for each in zip(y_true, rows, shares, strict=True)], weights and [*map(Fraction, weights)]
    )
    value = crps(y_true, rows, np.array(shares, dtype=float), sample_weight=weights)
    assert type(value) is float
    assert value == pytest.approx(float(expected), rel=1e-13, abs=1e-14)
    m = len(rows[0])
    equal = [exact_crps(y, row, [Fraction(1, m)] * m) for y, row in zip(y_true, rows, strict=True)]
    value = crps(y_true, rows)
    assert value == pytest.approx(float(mean_of(equal, None)), rel=1e-13, abs=1e-14)
    assert crps(y_true, rows, np.full((len(rows), m), 1 / m)) == pytest.approx(value, rel=1e-13, abs=1e-14)
    # a value that counts several times is that value several times
    copies = [crps([y], [np.repeat(row, count)]) for y, row, count in zip(y_true, rows, counts, strict=True)]
    assert mean_of(copies, weights) == pytest.approx(float(expected), rel=1e-13, abs=1e-14)
    if m > 1:
        fair = [exact_crps(y, row, [Fraction(1, m)] * m, fair=True) for y, row in zip(y_true, rows, strict=True)]
        assert crps(y_true, rows, fair=True) == pytest.approx(float(mean_of(fair, None)), rel=1e-13, abs=1e-13)


@given(discrete_forecasts(), st.integers(-9, 9), st.sampled_from([-2, 0.5, 4]))
def test_crps_moves_and_scales_with_the_target_and_knows_no_order(case, shift, scale):
    y_true, rows, counts, _ = case
    y_true, rows, shares = np.array(y_true), np.array(rows), np.array(counts) / np.sum(counts, axis=1, keepdims=True)
    value = crps(y_true, rows, shares)
    assert value >= 0
    assert crps(y_true + shift, rows + shift, shares) == pytest.approx(value, rel=1e-12, abs=1e-13)
    assert crps(y_true * scale, rows * scale, shares) == pytest.approx(abs(scale) * value, rel=1e-12, abs=1e-13)
    assert crps(y_true, rows[:, ::-1], shares[:, ::-1]) == pytest.approx(value, rel=1e-12, abs=1e-13)
    assert crps(y_true, rows[:, :1]) == pytest.approx(mean_absolute_error(y_true, rows[:, 0]), rel=1e-14)


@given(discrete_forecasts())
def test_crps_is_twice_the_pinball_loss_of_equally_likely_values(case):
    y_true, rows, _, _ = case
    quantiles = np.sort(rows, axis=1).T
    losses = [mean_pinball_loss(y_true, values, alpha=(k + 0.5) / len(quantiles)) for k, values in enumerate(quantiles)]
    assert crps(y_true, rows) == pytest.approx(2 * np.mean(losses), rel=1e-13, abs=1e-14)


@pytest.mark.parametrize("y", [-3, 0.25, 1, 2.5, 9])
def test_crps_is_the_integral_over_squared_brier_distances(y):
    values, shares = np.array([3, -1, 1, 2]), np.array([0.125, 0.25, 0.5, 0.125])

    def integrand(x):
        return (shares[values <= x].sum() - (y <= x)) ** 2

    integral = integrate.quad(integrand, -4, 10, points=sorted({*values, y}), limit=200)[0]
    assert crps([y], [values], [shares]) == pytest.approx(integral, rel=1e-6)
    grid = np.arange(-4, 10, 0.125)  # the values lie on it, so that the sum is the integral
    assert crps([y], [values], [shares]) == pytest.approx(sum(map(integrand, grid)) * 0.125, rel=1e-12)


def test_crps_is_proper_and_that_of_a_large_ensemble_the_one_of_its_distribution():
    outcomes, truth = np.arange(4.0), np.array([0.1, 0.2, 0.3, 0.4])
    honest = crps(outcomes, outcomes[None], truth[None], sample_weight=truth)
    for other in ([0.25, 0.25, 0.25, 0.25], [0, 0, 0, 1], [0.1, 0.2, 0.31, 0.39]):
        assert crps(outcomes, outcomes[None], [other], sample_weight=truth) > honest
    middles = (np.arange(10_000) + 0.5) / 10_000  # uniform from 0 to 1: y² - y + 1/3
    assert crps([0.25], middles[None]) == pytest.approx(0.25**2 - 0.25 + 1 / 3, abs=1e-8)


def test_the_fair_score_of_small_ensembles_is_on_average_that_of_their_distribution():
    values = [0, 1, 5]  # each equally likely
    pairs = [[a, b] for a in values for b in values]
    fair = np.mean([crps([2], [pair], fair=True) for pair in pairs])
    assert fair == pytest.approx(crps([2], [values]), rel=1e-14)
    assert np.mean([crps([2], [pair]) for pair in pairs]) > fair
    assert crps([1], [[0, 2]], fair=True) == 0


def test_one_forecast_serves_all_and_blocks_do_not_change_the_value(monkeypatch):
    rng = np.random.default_rng(5)
    y_true, grid, shares = rng.normal(size=40), np.arange(-5.0, 6), rng.dirichlet(np.ones(11), 40)
    value = crps(y_true, grid[None], shares)
    assert value == pytest.approx(np.mean([crps([y], [grid], [p]) for y, p in zip(y_true, shares, strict=True)]))
    assert crps(y_true, np.tile(grid, (40, 1)), shares) == value
    rows = rng.normal(size=(40, 11))
    assert crps(y_true, rows, shares[:1]) == pytest.approx(crps(y_true, rows, np.tile(shares[0], (40, 1))))
    monkeypatch.setattr(_floats, "BLOCK", 25)
    assert crps(y_true, grid[None], shares) == pytest.approx(value, rel=1e-14)


def test_forms_and_types_of_forecasts():
    y_true, values, shares = [1, 2], [[0, 1, 4], [2, 2, 0]], [[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]]
    expected = crps(y_true, values, shares)
    arrays = [np.array(a) for a in (y_true, values, shares)]
    copies = copy.deepcopy(arrays)
    assert crps(*arrays) == crps(arrays[0][:, None], *arrays[1:]) == crps(*map(pd.DataFrame, arrays)) == expected
    assert all((a == b).all() for a, b in zip(arrays, copies, strict=True))
    for kind in ("f4", "f2", "O", "g"):
        assert crps(arrays[0].astype(kind), arrays[1].astype(kind), arrays[2].astype(kind)) == expected
    assert crps(y_true, arrays[1].astype("i1"), shares) == expected


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        (
            ([1, 2], [1, 2]),
            {},
            r"^values: expected 2 rows, one per value of y_true, or a single row for all of",
        ),
        (([1, 2], [[1, 2]] * 3), {}, r"^values: expected 2 rows.*, got shape \(3, 2\)$"),
        (([1, 2], [[[1]]]), {}, "^values: expected 2 rows"),
        (([[1, 2]], [[1]]), {}, "^y_true: expected 1 dimension"),
        (([1, NAN], [[1]]), {}, "^y_true: expected finite numbers, got nan"),
        (([1], [[1, math.inf]]), {}, "^values: expected finite numbers, got inf"),
        (([1], [["a"]]), {}, "^values: expected an array of real numbers"),
        (([], [[1]]), {}, "^y_true: expected at least one value"),
        (([1], [[1, 2]], [[0.5, 0.25]]), {}, "^probabilities: expected rows that sum to 1"),
        (([1], [[1, 2]], [[1.5, -0.5]]), {}, "^probabilities: expected probabilities from 0 to 1, got -0.5"),
        (([1], [[1, 2]], [[NAN, 0.5]]), {}, "^probabilities: expected finite numbers"),
        (([1], [[1, 2]], [0.5, 0.5]), {}, "^probabilities: expected 2 dimensions"),
        (([1], [[1, 2]], [[1]]), {}, r"^probabilities: expected the shape of values, \(1, 2\), got \(1, 1\)"),
        (([1, 2], [[1]], [[1]] * 3), {}, "^probabilities: expected 2 rows"),
        (([1], [[1, 2]]), {"sample_weight": [1, 2]}, "^sample_weight: expected 1 weights"),
        (([1], [[1, 2]]), {"fair": 1}, "^fair: expected True or False"),
        (([1], [[1]]), {"fair": True}, "^values: expected two equally likely values or more for fair=True, got shape"),
        (([1], [[1, 2]], [[0.5, 0.5]]), {"fair": True}, "^values: expected two equally .*, got probabilities$"),
        (([1.7e308], [[-1.7e308]]), {}, "^values: expected distances that float64 can hold, got an overflow$"),
    ],
)
def test_bad_forecasts_of_numbers_are_refused(arguments, keywords, message):
    with pytest.raises(ValueError, match=message):
        crps(*arguments, **keywords)


# normalized_cross_entropy


@pytest.mark.filterwarnings("ignore:log_loss")
@given(forecasts())
def test_normalized_cross_entropy_by_definition(case):
    y_true, y_prob, weights = case
    positive = max(y_true)
    keywords = {"sample_weight": weights, "pos_label": positive}
    rate = mean_of([y == positive for y in y_true], weights)
    value = silently(normalized_cross_entropy, y_true, y_prob, **keywords)
    if rate in (0, 1):
        assert math.isnan(value)
        assert normalized_cross_entropy(y_true, y_prob, **keywords, undefined=7) == 7
        with pytest.raises(ValueError, match="^normalized_cross_entropy is undefined: y_true holds one class only"):
            normalized_cross_entropy(y_true, y_prob, **keywords, undefined="raise")
    else:
        loss = silently(log_loss, y_true, y_prob, sample_weight=weights)
        assert value == pytest.approx(loss / entropy([rate, 1 - rate], base=math.e))
        assert normalized_cross_entropy(y_true, [rate] * len(y_true), **keywords) == pytest.approx(1)


# Size, types, forms


@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_agree_with_the_peer(weighted):
    rng = np.random.default_rng(2)
    y_true, y_prob = rng.integers(0, 2, 100_001), rng.random(100_001)
    labels, rows = rng.choice(["a", "b", "c"], 100_001), rng.dirichlet([1, 1, 1], 100_001)
    weights = rng.random(100_001) if weighted else None
    for ours, theirs in ((log_loss, peer.log_loss), (brier_score_loss, peer.brier_score_loss)):
        for truth, probs in ((y_true, y_prob), (labels, rows), (y_true.astype(bool), y_prob.astype("f4"))):
            value = ours(truth, probs, sample_weight=weights)
            assert value == pytest.approx(
                theirs(truth, probs, sample_weight=weights), rel=1e-5 if probs.dtype == "f4" else 1e-12
            )
    for strategy in ("uniform", "quantile"):
        np.testing.assert_allclose(
            calibration_curve(y_true, y_prob, n_bins=20, strategy=strategy),
            peer_curve(y_true, y_prob, n_bins=20, strategy=strategy),
        )


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e300])
def test_the_scale_of_weights_does_not_change_a_mean(scale):
    rng = np.random.default_rng(3)
    y_true, y_prob, weights = rng.integers(0, 2, 40), rng.random(40), rng.random(40)
    for metric in (*LOSSES, expected_calibration_error, normalized_cross_entropy):
        expected = metric(y_true, y_prob, sample_weight=weights)
        assert metric(y_true, y_prob, sample_weight=weights * scale) == pytest.approx(expected, rel=1e-13)


def test_a_sum_of_losses_that_no_float_holds_is_refused():
    with pytest.raises(ValueError, match="^sample_weight: expected weights whose loss float64 can hold"):
        log_loss([1, 0], [0.0, 1.0], sample_weight=[8e307, 8e307], normalize=False)


def forms(values):
    yield from (tuple(values), np.array(values), np.array(values)[:, None], pd.Series(values), pd.DataFrame(values))
    yield np.repeat(np.array(values), 2)[::2]


@pytest.mark.parametrize("metric", [log_loss, *BINARY])
def test_the_form_of_the_data_does_not_matter(metric):
    y_true, y_prob = [0, 1, 1, 0], [0.25, 0.5, 0.75, 0.5]
    expected = np.asarray(metric(y_true, y_prob)).tolist()
    assert all(np.asarray(metric(form, y_prob)).tolist() == expected for form in forms(y_true))
    assert all(np.asarray(metric(y_true, form)).tolist() == expected for form in forms(y_prob))


@pytest.mark.parametrize("metric", [log_loss, *BINARY])
def test_inputs_are_not_modified(metric):
    arguments = [np.array([0, 1, 1, 0]), np.array([0, 1, 0.75, 0.5])]
    before = copy.deepcopy(arguments)
    metric(*arguments)
    for loss in LOSSES:
        two = np.stack([1 - arguments[1], arguments[1]], axis=1)
        same = two.copy()
        loss(arguments[0], two)
        assert (two == same).all()
    assert all((a == b).all() for a, b in zip(arguments, before, strict=True))


# What is refused, and what the peer makes of it


Y, P = [0, 1, 1], [0.1, 0.9, 0.8]
ROWS = [[0.5, 0.25, 0.25], [0, 1, 0], [0.25, 0.25, 0.5]]


@pytest.mark.parametrize("metric", [log_loss, *BINARY])
@pytest.mark.parametrize(
    ("y_true", "y_prob", "message"),
    [
        (Y, [0.1, 0.9, 1.1], "^y_proba?: expected probabilities from 0 to 1, got 1.1$"),
        (Y, [-0.1, 0.9, 1], "^y_proba?: expected probabilities from 0 to 1, got -0.1$"),
        (Y, [0.1, NAN, 1], "^y_proba?: expected finite numbers, got nan$"),
        (Y, ["a", "b", "c"], "^y_proba?: expected an array of real numbers, got strings$"),
        (Y, [0.1, 0.9], "^y_proba?: expected "),
        (Y, [], "^y_proba?: expected at least one value"),
        (Y, 0.5, "^y_proba?: expected at least 1 dimension"),
        (Y, np.ones((3, 1, 1)), "^y_proba?: expected one or two dimensions, got shape"),
        ([0, 1, None], P, "^y_true: expected "),
        ([0, 1, 0.5], P, "^y_true: expected whole numbers"),
        ([], P, "^y_true: expected "),
        ([0, 1, 2], P, "^y_(true|proba): expected .* classes"),
    ],
)
def test_bad_forecasts_are_refused(metric, y_true, y_prob, message):
    if metric is log_loss:
        message = message.replace("classes", "")
    with pytest.raises(ValueError, match=message):
        metric(y_true, y_prob)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    ("y_true", "y_proba", "keywords", "message"),
    [
        (
            [0, 1, 2],
            [*ROWS[:2], [0.5, 0.5, 0.5]],
            {},
            r"^y_proba: expected rows that sum to 1 \(within 1.5e-08\), got a sum of 1.5 in row 2$",
        ),
        ([0, 1, 1], ROWS, {}, r"^y_proba: expected a column for each of the 2 labels \[0, 1\], got 3 columns$"),
        (
            [0, 1, 2],
            [[0.5, 0.5]] * 3,
            {},
            r"^y_proba: expected a column for each of the 3 labels \[0, 1, 2\], got 2 columns$",
        ),
        (
            [0, 1, 5],
            ROWS,
            {"labels": [0, 1, 2]},
            r"^labels: expected all labels of y_true, got \[0, 1, 2\] without \[5\]$",
        ),
        ([0, 1, 1], ROWS, {"labels": [0, 1]}, "^y_proba: expected a column for each of the 2 labels"),
        ([0, 1, 1], ROWS, {"labels": ["0", "1", "2"]}, "^labels: expected numbers, as in y_true, got strings$"),
        (
            [1, 1, 1],
            [[0.5, 0.5]] * 3,
            {},
            r"^y_true: expected two labels or more, or all of them by labels=, got \[1\]$",
        ),
        ([1, 1, 1], [[0.5, 0.5]] * 3, {"labels": [1]}, "^labels: expected two labels or more"),
        ([[1, 0, 0], [0, 2, 1], [0, 0, 1]], ROWS, {}, "^y_true: expected an indicator matrix of zeros and ones"),
        ([[1, 0], [0, 1], [0, 1]], ROWS, {}, "^y_proba: expected a column for each of the 2 columns of y_true"),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], ROWS, {"labels": [0, 1, 2]}, "^labels: expected None beside an indicator"),
        ([0, 1, 2], ROWS, {"sample_weight": [1, 2]}, "^sample_weight: expected 3 weights"),
        ([0, 1], ROWS, {}, "^y_proba: expected 2 rows"),
    ],
)
def test_bad_rows_are_refused(loss, y_true, y_proba, keywords, message):
    with pytest.raises(ValueError, match=message):
        loss(y_true, y_proba, **keywords)


@pytest.mark.parametrize(
    ("metric", "arguments", "keywords", "message"),
    [
        (log_loss, ([1, 1], [0.5, 0.5]), {}, "^y_true: expected two labels or more"),
        (log_loss, ([0, 1, 2], P), {}, "^y_proba: expected a column for each of the 3 labels"),
        (log_loss, (Y, P), {"normalize": "true"}, "^normalize: "),
        (log_loss, (Y, P), {"sample_weight": [0, 0, 0]}, "^sample_weight: "),
        (brier_score_loss, (["a", "b", "b"], P), {}, "^y_true: .* given by pos_label"),
        (brier_score_loss, (Y, P), {"scale_by_half": "yes"}, "^scale_by_half: "),
        (brier_score_loss, (Y, P), {"scale_by_half": None}, "^scale_by_half: "),
        (calibration_curve, (["a", "b", "b"], P), {}, "^y_true: .* given by pos_label"),
        (calibration_curve, ([3, 8, 8], P), {}, "^y_true: .* given by pos_label"),
        (calibration_curve, (Y, P), {"n_bins": 0}, "^n_bins: expected an integer of at least 1, got 0$"),
        (calibration_curve, (Y, P), {"n_bins": 2.0}, "^n_bins: "),
        (calibration_curve, (Y, P), {"strategy": "equal"}, "^strategy: expected one of 'uniform', 'quantile'"),
        (expected_calibration_error, (Y, P), {"n_bins": True}, "^n_bins: "),
        (expected_calibration_error, (Y, P), {"strategy": None}, "^strategy: "),
        (expected_calibration_error, (Y, P), {"sample_weight": [1, -1, 1]}, "^sample_weight: "),
        (normalized_cross_entropy, (Y, P), {"undefined": "zero"}, "^undefined: "),
    ],
)
def test_bad_keywords_are_refused(metric, arguments, keywords, message):
    with pytest.raises(ValueError, match=message):
        metric(*arguments, **keywords)


@pytest.mark.parametrize("metric", BINARY)
def test_a_positive_label_that_does_not_occur_is_refused(metric):
    """The peer takes all samples for negative."""
    with pytest.raises(ValueError, match=r"^pos_label: expected one of the labels \[0, 1\], got 7$"):
        metric(Y, P, pos_label=7)
    assert peer.brier_score_loss(Y, P, pos_label=7) == pytest.approx(np.square(P).mean())
    with pytest.raises(ValueError, match="^pos_label: expected a number, a boolean or a string"):
        metric(Y, P, pos_label=[1])


def test_one_label_may_be_all_there_is():
    assert brier_score_loss([0, 0], [0.5, 0.5]) == peer.brier_score_loss([0, 0], [0.5, 0.5]) == 0.25
    assert brier_score_loss([7, 7], [0.5, 1]) == peer.brier_score_loss([7, 7], [0.5, 1]) == 0.125
    assert expected_calibration_error(["a", "a"], [0.5, 0.5], pos_label="b") == 0.5
    assert calibration_curve([1, 1], [0.5, 0.5]).prob_true.tolist() == [1]
    assert log_loss([1, 1], [0.5, 0.5], labels=[0, 1]) == pytest.approx(math.log(2))


@pytest.mark.parametrize("loss", LOSSES)
def test_columns_are_in_sorted_order_whatever_the_order_of_the_labels(loss):
    with pytest.warns(UserWarning, match=r"taken in the sorted order \[0, 1, 2\], not as given") as caught:
        value = loss([0, 1, 2], ROWS, labels=[2, 0, 1])
    assert caught[0].filename == __file__
    assert value == loss([0, 1, 2], ROWS)
    assert value == pytest.approx(silently(getattr(peer, loss.__name__), [0, 1, 2], ROWS, labels=[2, 0, 1]))


@pytest.mark.parametrize("loss", LOSSES)
def test_a_row_may_miss_one_by_the_rounding_of_its_type(loss):
    for dtype, near, far in (("f4", 3e-4, 4e-4), ("f8", 1e-8, 2e-8)):
        y_true, row = [0, 1], np.array([[0.5, 0.5], [0.25, 0.75]], dtype=dtype)
        loss(y_true, row + np.array([near, 0], dtype=dtype))
        with pytest.raises(ValueError, match="^y_proba: expected rows that sum to 1"):
            loss(y_true, row + np.array([far, 0], dtype=dtype))
