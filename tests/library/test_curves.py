"""metrics_lib.curves against pair counts and threshold sweeps in exact fractions, scikit-learn, and at the edges."""

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

from metrics_lib import _sorting, curves
from metrics_lib._arrays import UndefinedMetricWarning
from metrics_lib._sorting import ScoreCode, concordant_pairs, run_ends, sorted_keys
from metrics_lib.curves import (
    auc,
    average_precision_score,
    break_even_point,
    det_curve,
    gauc,
    precision_recall_curve,
    roc_auc_bounds,
    roc_auc_score,
    roc_curve,
)

IN_SCIKIT_LEARN = ("roc_curve", "precision_recall_curve", "roc_auc_score", "average_precision_score")
AVERAGES = ("macro", "micro", "samples", "weighted", None)
SCORE_TYPES = [np.float64, np.float32, np.float16, np.longdouble, ">f8", np.int64, np.int8, np.uint64, ">u8", np.uint8]


# The definitions, in exact arithmetic and without sorting.


def pair_auc(y_true, y_score, weights=None):
    """The weighted share of the pairs that the positive wins, a tie counting one half; None without a pair."""
    weights = [1] * len(y_true) if weights is None else [Fraction(float(w)) for w in weights]
    rows = list(zip(y_true, y_score, weights, strict=True))
    won = total = Fraction(0)
    for (_, high, v), (_, low, w) in itertools.product([r for r in rows if r[0]], [r for r in rows if not r[0]]):
        won += v * w * Fraction(2 * int(high > low) + int(high == low), 2)
        total += v * w
    return won / total if total else None


def cells(y_true, y_score, threshold, weights=None):
    weights = [1] * len(y_true) if weights is None else [Fraction(float(w)) for w in weights]
    rows = list(zip(y_true, y_score, weights, strict=True))
    return (sum(w for y, s, w in rows if y and s >= threshold), sum(w for y, s, w in rows if not y and s >= threshold))


def step_ap(y_true, y_score, weights=None):
    """The sum of precision times step in recall over falling thresholds; None without a positive."""
    n_positive = cells(y_true, y_score, -math.inf, weights)[0]
    if not n_positive:
        return None
    area = before = Fraction(0)
    for threshold in sorted(set(y_score), reverse=True):
        tp, fp = cells(y_true, y_score, threshold, weights)
        if tp > before:
            area += Fraction(tp - before, n_positive) * Fraction(tp, tp + fp)
        before = tp
    return area


def mean_break_even(y_true, y_score):
    """The share of positives among the first P, averaged over every order that the scores allow."""
    n_positive = sum(y_true)
    orders = [o for o in itertools.permutations(range(len(y_true))) if all(
        y_score[a] >= y_score[b] for a, b in itertools.pairwise(o)
    )]  # fmt: skip
    hits = sum(sum(y_true[i] for i in order[:n_positive]) for order in orders)
    return Fraction(hits, n_positive * len(orders))


def looped_gauc(y_true, y_score, groups, weight):
    """Over the groups in turn; None if all hold one class."""
    value = total = Fraction(0)
    for group in set(groups):
        rows = [i for i, g in enumerate(groups) if g == group]
        labels = [y_true[i] for i in rows]
        area = pair_auc(labels, [y_score[i] for i in rows])
        if area is not None:
            value += weight(group, labels) * area
            total += weight(group, labels)
    return value / total if total else None


def value(call, *arguments, **options):
    """What comes back, undefined or not, as nothing but a value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*arguments, **options)


@pytest.fixture(params=["argsort", "keys", "keys in tiny blocks"])
def route(request, monkeypatch):
    """Each way through the code, at sizes that can be checked by hand."""
    if request.param != "argsort":
        monkeypatch.setattr(curves, "SMALL", 0)
    if request.param == "keys in tiny blocks":
        monkeypatch.setattr(_sorting, "BLOCK", 2)


SMALL_CASES = [
    (labels, scores)
    for n in (1, 2, 3, 4)
    for labels in itertools.product((0, 1), repeat=n)
    for scores in itertools.product((-1.5, 0.0, 2.0), repeat=n)
]


# 1. The definitions.


@pytest.mark.usefixtures("route")
def test_areas_are_the_exact_fractions_for_every_small_case():
    for labels, scores in SMALL_CASES:
        expected = pair_auc(labels, scores)
        got = value(roc_auc_score, labels, scores)
        assert math.isnan(got) if expected is None else got == float(expected)
        expected = step_ap(labels, scores)
        assert value(average_precision_score, labels, scores) == pytest.approx(float(expected or 0), abs=1e-15)


@pytest.mark.usefixtures("route")
def test_curves_are_the_rates_at_each_threshold_for_every_small_case():
    for labels, scores in SMALL_CASES:
        n_positive, n_negative = sum(labels), len(labels) - sum(labels)
        fpr, tpr, thresholds = value(roc_curve, labels, scores, drop_intermediate=False)
        assert thresholds.tolist() == [math.inf, *sorted(set(scores), reverse=True)]
        for x, y, threshold in zip(fpr, tpr, thresholds, strict=True):
            tp, fp = cells(labels, scores, threshold)
            assert x == fp / n_negative if n_negative else math.isnan(x)
            assert y == tp / n_positive if n_positive else math.isnan(y)

        precision, recall, thresholds = value(precision_recall_curve, labels, scores)
        assert thresholds.tolist() == sorted(set(scores))
        assert (precision[-1], recall[-1]) == (1, 0)
        for p, r, threshold in zip(precision, recall, thresholds, strict=False):
            tp, fp = cells(labels, scores, threshold)
            assert (p, r) == (tp / (tp + fp), tp / n_positive if n_positive else 1)


@pytest.mark.usefixtures("route")
def test_a_det_curve_has_both_errors_at_each_threshold_that_trades_them_for_every_small_case():
    for labels, scores in SMALL_CASES:
        n_positive, n_negative = sum(labels), len(labels) - sum(labels)
        if not n_positive or not n_negative:
            with pytest.raises(ValueError, match="^y_true: expected positive and negative samples, got "):
                det_curve(labels, scores)
            continue
        points = {t: cells(labels, scores, t) for t in [*sorted(set(scores)), math.inf]}
        first = max(t for t, (tp, _) in points.items() if tp == n_positive)
        last = min(t for t, (_, fp) in points.items() if fp == 0)
        traded = {t: cell for t, cell in points.items() if first <= t <= last}
        fpr, fnr, thresholds = det_curve(labels, scores)
        assert thresholds.tolist() == list(traded)
        assert fpr.tolist() == [fp / n_negative for _, fp in traded.values()]
        assert fnr.tolist() == [(n_positive - tp) / n_positive for tp, _ in traded.values()]


def test_a_det_curve_of_strings_and_of_more_than_two_labels():
    y_score = [0.1, 0.4, 0.35, 0.8]
    expected = [[0.5, 0.5, 0], [0, 0.5, 0.5], [0.35, 0.4, 0.8]]
    for labels, positive in ((["n", "n", "y", "y"], "y"), ([0, 1, 2, 2], 2)):
        assert [column.tolist() for column in det_curve(labels, y_score, positive)] == expected


def test_break_even_point_is_the_mean_over_the_orders_of_the_tied():
    for labels, scores in SMALL_CASES:
        if any(labels):
            assert break_even_point(labels, scores) == float(mean_break_even(labels, scores))
        else:
            assert math.isnan(break_even_point(labels, scores))


@pytest.mark.parametrize("seed", range(5))
def test_break_even_point_is_where_the_curves_meet(seed):
    rng = np.random.default_rng(seed)
    y_true, y_score = rng.integers(0, 2, 50), rng.normal(size=50)
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    met = (precision == recall) & (recall > 0)
    assert met.any()
    assert np.unique(precision[met]).tolist() == [break_even_point(y_true, y_score)]


@pytest.mark.usefixtures("route")
@pytest.mark.parametrize("seed", range(20))
def test_weights_enter_the_definitions(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    y_true, y_score, weights = np.arange(n) % 2, rng.integers(0, 4, n) / 4, rng.random(n)
    weights[rng.integers(2, n)] = 0
    options = {"sample_weight": weights}
    assert roc_auc_score(y_true, y_score, **options) == pytest.approx(float(pair_auc(y_true, y_score, weights)))
    assert average_precision_score(y_true, y_score, **options) == pytest.approx(
        float(step_ap(y_true, y_score, weights))
    )
    whole = rng.integers(0, 4, n)
    whole[:2] = 1
    for metric in (roc_auc_score, average_precision_score):
        repeated = metric(y_true.repeat(whole), y_score.repeat(whole))
        assert metric(y_true, y_score, sample_weight=whole) == pytest.approx(repeated, rel=1e-13)
    huge = [1e308] * n
    assert roc_auc_score(y_true, y_score, sample_weight=huge) == pytest.approx(roc_auc_score(y_true, y_score))


@pytest.mark.parametrize("seed", range(20))
def test_whole_weights_count_rows_in_groups_and_at_the_break_even_point(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    y_true, y_score, groups = rng.integers(0, 2, n), rng.integers(0, 6, n) / 4, rng.integers(0, 9, n)
    y_true[:2], groups[:2], whole = (0, 1), 0, rng.integers(0, 4, n)
    whole[:2] = 1
    rows = np.arange(n).repeat(whole)
    point = break_even_point(y_true[rows], y_score[rows])
    for scale in (1, 0.3, 5e-324, 5e307):
        weighted = break_even_point(y_true, y_score, sample_weight=whole * scale)
        assert weighted == pytest.approx(point, rel=1e-14)
        for weights in ("impressions", "clicks", "uniform", dict(enumerate(range(1, 10)))):
            repeated, dropped = gauc(y_true[rows], y_score[rows], groups[rows], weights=weights, return_dropped=True)
            keywords = {"weights": weights, "sample_weight": whole * scale, "return_dropped": True}
            value_of_weighted, left_out = gauc(y_true, y_score, groups, **keywords)
            assert value_of_weighted == pytest.approx(repeated, rel=1e-14)
            without_weight = set(groups.tolist()) - set(groups[rows].tolist())
            assert set(left_out.tolist()) == set(dropped.tolist()) | without_weight


@pytest.mark.parametrize("seed", range(5))
def test_weights_enter_the_auc_of_each_group(seed):
    rng = np.random.default_rng(seed)
    y_true, y_score = rng.integers(0, 2, 400), rng.integers(0, 9, 400)
    groups, weights = np.minimum(rng.geometric(0.1, 400), 30), rng.random(400) * 10.0 ** rng.integers(-9, 9, 400)
    weights[groups == 2] *= 1e-180  # a light group keeps its digits beside heavy ones
    total = value_of_all = 0
    for group in np.unique(groups):
        rows = groups == group
        area = pair_auc(y_true[rows], y_score[rows], weights[rows])
        if area is not None:
            total, value_of_all = total + 1, value_of_all + area
    expected = float(value_of_all / total)
    got = gauc(y_true, y_score, groups, weights="uniform", sample_weight=weights)
    assert got == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_break_even_point_with_weights_stays_within_its_range(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 200))
    weights, order = rng.random(n), np.arange(n)
    first, last = order >= n // 3, order < n // 3 + 1
    assert break_even_point(np.ones(n), order, sample_weight=weights) == pytest.approx(1, rel=1e-14)
    assert break_even_point(first, order, sample_weight=weights) == pytest.approx(1, rel=1e-14)
    assert break_even_point(first, first, sample_weight=weights) == 1
    for y_score in (order, -order, rng.integers(0, 2, n), np.zeros(n)):
        for y_true in (first, last, rng.integers(0, 2, n) | (order == 0)):
            assert 0 <= break_even_point(y_true, y_score, sample_weight=weights) <= 1
    expected = max(1 - weights[0] / weights[1], 0)
    assert break_even_point([0, 1], [2, 1], sample_weight=weights[:2]) == pytest.approx(expected, rel=1e-9)


def test_samples_without_weight_are_not_there():
    assert math.isnan(break_even_point([1, 0], [1, 2], sample_weight=[0, 1]))
    assert break_even_point([1, 0, 1], [1, 2, 3], sample_weight=[1, 1, 0]) == break_even_point([1, 0], [1, 2])
    assert math.isnan(gauc([1, 0], [1, 2], ["a", "a"], sample_weight=[0, 1]))


def test_gauc_takes_the_positive_label():
    y_true, y_score, groups = [1, 0, 0, 1, 1, 0], [0.3, 0.2, 0.1, 0.6, 0.8, 0.7], [1, 1, 1, 2, 2, 2]
    names = np.array(["no", "yes"])[y_true]
    assert gauc(names, y_score, groups, pos_label="yes") == gauc(y_true, y_score, groups)
    assert gauc(y_true, y_score, groups, pos_label=0) == pytest.approx(1 - gauc(y_true, y_score, groups))
    with pytest.raises(ValueError, match="^y_true: expected labels"):
        gauc(names, y_score, groups)


def test_values_of_the_conventions():
    tied = ([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4])
    assert roc_auc_score(*tied) == 5 / 6
    # user A: AUC 1, 90 impressions, 3 clicks; user B: AUC 1/2, 10 impressions, 5 clicks
    y_true = [1] * 3 + [0] * 87 + [1, 0] * 5
    y_score = [2] * 3 + [1] * 87 + [1] * 10
    users = ["A"] * 90 + ["B"] * 10
    for weights, expected in (
        ("impressions", Fraction(19, 20)),
        ("clicks", Fraction(11, 16)),
        ("uniform", Fraction(3, 4)),
        ({"A": 7, "B": 3, "C": 99}, Fraction(17, 20)),
        ({"A": 3, "B": 7}, Fraction(13, 20)),
        (pd.Series({"A": 1, "B": 1}), Fraction(3, 4)),
        ({"A": 0, "B": 1e-320}, Fraction(1, 2)),
    ):
        assert gauc(y_true, y_score, users, weights=weights) == pytest.approx(float(expected), rel=1e-15)
    # pooled, one pair of different users is out of order
    assert roc_auc_score([1, 0, 0, 1, 1, 0], [0.3, 0.2, 0.1, 0.9, 0.8, 0.7]) == 8 / 9
    assert gauc([1, 0, 0, 1, 1, 0], [0.3, 0.2, 0.1, 0.9, 0.8, 0.7], [1, 1, 1, 2, 2, 2]) == 1


def test_auc_is_the_sum_of_trapezia():
    assert auc([0, 1, 3], [2, 4, 4]) == auc([3, 1, 0], [4, 4, 2]) == 3 + 8
    assert auc(np.array([3, 1, 0], dtype=np.uint8), [4, 4, 2]) == 11
    assert auc([1, 1], [0, 5]) == 0
    y_true, y_score = [0, 1, 1, 0, 1], [1, 2, 2, 2, 3]
    assert auc(*roc_curve(y_true, y_score)[:2]) == pytest.approx(float(pair_auc(y_true, y_score)))


# 2. Properties.

any_float = st.floats(allow_nan=False, allow_infinity=False)
extreme = st.sampled_from([0.0, -0.0, 5e-324, -5e-324, 2.2e-308, -2.2e-308, 1.7e308, -1.7e308, 1.0, 1 + 2**-52, -1.0])
score_lists = st.one_of(
    st.lists(any_float, min_size=2, max_size=25),
    st.lists(extreme, min_size=2, max_size=25),
    st.lists(st.integers(-3, 3), min_size=2, max_size=25),
    st.lists(
        st.sampled_from([-(2**63), -(2**63) + 1, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]), min_size=2, max_size=25
    ),
    st.lists(st.sampled_from([0, 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]), min_size=2, max_size=25).map(
        lambda values: np.array(values, dtype=np.uint64)
    ),
    st.lists(st.booleans(), min_size=2, max_size=25),
)


@st.composite
def labelled(draw):
    """Both classes, in any order."""
    scores = np.asarray(draw(score_lists))
    labels = draw(st.lists(st.integers(0, 1), min_size=len(scores) - 2, max_size=len(scores) - 2))
    return np.array(draw(st.permutations([0, 1, *labels]))), scores


@settings(max_examples=300)
@given(labelled(), st.randoms(use_true_random=False))
def test_auc_counts_pairs_whatever_the_scores(data, random):
    y_true, y_score = data
    expected = pair_auc(y_true, y_score.tolist())
    assert roc_auc_score(y_true, y_score) == float(expected)
    ranks = np.unique(y_score, return_inverse=True)[1]
    for increasing in (ranks, ranks - 7.5, np.exp2(ranks)):
        assert roc_auc_score(y_true, increasing) == float(expected)
        assert roc_auc_score(y_true, -increasing) == float(1 - expected)
    order = list(range(len(y_true)))
    random.shuffle(order)
    assert roc_auc_score(y_true[order], y_score[order]) == float(expected)


@settings(max_examples=100)
@given(labelled(), st.randoms(use_true_random=False))
def test_keys_and_argsort_agree_and_the_order_of_rows_is_nothing(data, random):
    y_true, y_score = data
    order = list(range(len(y_true)))
    random.shuffle(order)
    results = []
    for small in (0, 512):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(curves, "SMALL", small)
            for rows in (order, slice(None)):
                results.append(
                    (*roc_curve(y_true[rows], y_score[rows]), *precision_recall_curve(y_true[rows], y_score[rows]))
                )
                area = average_precision_score(y_true[rows], y_score[rows])
                assert area == pytest.approx(float(step_ap(y_true, y_score.tolist())), rel=1e-14)
                assert 0 < area <= 1
    for result in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(result, results[0], strict=True))


@settings(max_examples=100)
@given(labelled(), st.data())
def test_gauc_is_the_loop_over_groups(data, draw):
    y_true, y_score = data
    groups = np.array(draw.draw(st.lists(st.integers(0, 4), min_size=len(y_true), max_size=len(y_true))))
    weigh = {
        "impressions": lambda group, labels: len(labels),
        "clicks": lambda group, labels: sum(labels),
        "uniform": lambda group, labels: 1,
    }
    names = np.array(["b", "a", "ö", "", "zz"])
    mixed = [False, 3, -(2**40), 2**62, 1.5]
    for weights, weight in weigh.items():
        expected = looped_gauc(y_true.tolist(), y_score.tolist(), groups.tolist(), weight)
        for same in (groups, groups - 2, groups * 2**60 - 2**62, names[groups], [mixed[g] for g in groups]):
            got = gauc(y_true, y_score, same, weights=weights)
            assert math.isnan(got) if expected is None else got == pytest.approx(float(expected), rel=1e-14)


@pytest.mark.parametrize("metric", [roc_auc_score, average_precision_score, break_even_point])
def test_value_does_not_depend_on_the_type(metric):
    rng = np.random.default_rng(5)
    y_true, y_score = rng.integers(0, 2, 600), rng.integers(0, 100, 600)
    expected = metric(y_true, y_score)
    for dtype in SCORE_TYPES:
        assert metric(y_true, y_score.astype(dtype)) == expected
    for dtype in (bool, np.int8, np.uint64, np.float32, object):
        assert metric(y_true.astype(dtype), y_score) == expected
    assert gauc(y_true, y_score.astype(np.float16), y_score % 7) == gauc(y_true, y_score, y_score % 7)


# The kernel.


def keyed(name):
    rng = np.random.default_rng(3)
    normal = rng.normal(scale=100, size=300)
    return {
        "one sign": np.abs(normal),
        "both signs": normal,
        "zeros of both signs": np.concatenate([normal, [0.0, -0.0]]),
        "all magnitudes": np.concatenate([normal, [5e-324, -5e-324, 1e308, -1e308]]),
        "float32": np.concatenate([normal, [1e-45, -1e-45, 3e38, -3e38, 0]]).astype(np.float32),
        "float16": normal.astype(np.float16),
        "long double": normal.astype(np.longdouble) + np.finfo(np.longdouble).eps,
        "big-endian": normal.astype(">f8"),
        "int64": rng.integers(-(2**61), 2**61, 300) | 1,
        "int64 from end to end": np.array([-(2**63), -1, 0, 1, 2**63 - 1]),
        "uint64": np.array([2**63, 2**63 + 1, 2**64 - 1], dtype=np.uint64),
        "uint64 from end to end": np.array([0, 1, 2**64 - 1], dtype=np.uint64),
        "bool": np.array([True, False, True]),
    }[name]


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("one sign", "bits"),
        ("both signs", "gap"),
        ("zeros of both signs", "gap"),
        ("all magnitudes", "ranks"),
        ("float32", "gap"),
        ("float16", "gap"),
        ("long double", "ranks"),
        ("big-endian", "gap"),
        ("int64", "bits"),
        ("int64 from end to end", "ranks"),
        ("uint64", "bits"),
        ("uint64 from end to end", "ranks"),
        ("bool", "bits"),
    ],
)
def test_codes_reverse_the_order_and_lose_nothing(name, way):
    if name == "long double" and np.dtype(np.longdouble).itemsize <= 8:
        pytest.skip("long double is float64 here")
    scores = keyed(name)
    code = ScoreCode(scores)
    assert way == ("ranks" if code.distinct is not None else "gap" if code.gap else "bits")
    codes = code.encode(scores)
    assert codes.min() == 0
    assert int(codes.max()).bit_length() <= code.bits < 64
    for a, b in itertools.pairwise(np.argsort(scores, kind="stable")):
        assert (scores[a] < scores[b]) == (codes[a] > codes[b])
        assert (scores[a] == scores[b]) == (codes[a] == codes[b])
    assert code.decode(codes).dtype == scores.dtype
    assert np.array_equal(code.decode(codes), scores)


def test_pairs_are_exact_beyond_the_floats():
    n = 200_000
    y_true = np.arange(n) % 2
    keys, _ = sorted_keys(np.arange(n)[::-1] * 0.5, y_true == 1)
    # the positive 2i + 1 outranks the negatives behind it, 2i + 2, 2i + 4, ...
    assert concordant_pairs(keys) == 2 * sum(n // 2 - 1 - i for i in range(n // 2))
    keys, _ = sorted_keys(np.zeros(n), y_true == 1)
    assert concordant_pairs(keys) == (n // 2) ** 2


def test_run_ends():
    assert run_ends(np.array([3, 3, 1, 2, 2, 2])).tolist() == [1, 2, 5]
    assert run_ends(np.array([7])).tolist() == [0]


@pytest.mark.parametrize("n_groups", [1, 3, 1000])
@pytest.mark.parametrize("scores", ["neighbouring floats", "rounded", "all magnitudes", "mixed"])
def test_groups_whose_scores_collide_in_the_kept_bits_are_exact(n_groups, scores):
    rng = np.random.default_rng(n_groups)
    n = 10_000
    y_true, groups = rng.integers(0, 2, n), rng.integers(0, n_groups, n)
    close = 1 + rng.integers(0, 50, n) * 2**-52
    y_score = {
        "neighbouring floats": close * np.exp2(rng.integers(-500, 500, n)),
        "rounded": rng.normal(size=n).round(1),
        "all magnitudes": rng.choice([-1, 1], n) * np.exp2(rng.integers(-1070, 1023, n)),
        "mixed": np.where(rng.random(n) < 0.01, close, rng.normal(size=n)),
    }[scores]
    ranks = pd.Series(y_score).groupby(groups).rank().to_numpy() * 2
    aucs, sizes = [], []
    for group in range(n_groups):
        rows = groups == group
        labels = y_true[rows] == 1
        n_positive, size = int(labels.sum()), int(rows.sum())
        if 0 < n_positive < size:
            doubled = int(ranks[rows][labels].sum()) - n_positive * (n_positive + 1)
            aucs.append(Fraction(doubled, 2 * n_positive * (size - n_positive)))
            sizes.append(size)
    expected = sum(a * s for a, s in zip(aucs, sizes, strict=True)) / sum(sizes)
    got = gauc(y_true, y_score, groups)
    assert got == pytest.approx(float(expected), rel=1e-14)
    order = rng.permutation(n)
    assert gauc(y_true[order], y_score[order], groups[order]) == got


def test_memory_is_one_key_a_row():
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, 10**6), rng.normal(size=10**6)
    tracemalloc.start()
    roc_auc_score(y_true, y_score)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12e6


# 3. scikit-learn.


def assert_same(ours, theirs):
    for a, b in zip(np.atleast_1d(ours), np.atleast_1d(theirs), strict=True):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-14, nan_ok=True)


def draw_scores(rng, n):
    return [
        rng.random(n),
        rng.integers(-3, 4, n) / 2,
        rng.normal(size=n) * 10.0 ** rng.integers(-300, 300, n),
        rng.integers(-5, 5, n),
        rng.normal(size=n).astype(np.float32),
        rng.integers(0, 2, n).astype(bool),
    ][rng.integers(6)]


@pytest.mark.usefixtures("route")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_two_classes_as_in_scikit_learn(seed, weighted):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    y_true, y_score = rng.integers(0, 2, n), draw_scores(rng, n)
    weights = rng.integers(0, 3, n) * rng.choice([0.1, 0.3, 1], n) if weighted else None
    if weighted:
        weights[0] = 1
    options = {"sample_weight": weights}
    for drop in (False, True):
        for name in ("roc_curve", "precision_recall_curve"):
            ours = value(getattr(curves, name), y_true, y_score, drop_intermediate=drop, **options)
            theirs = value(getattr(sklearn_metrics, name), y_true, y_score, drop_intermediate=drop, **options)
            for a, b in zip(ours, theirs, strict=True):
                assert a.dtype == b.dtype
                assert np.array_equal(a, b, equal_nan=True)
        if len(set(y_true[weights > 0] if weighted else y_true)) == 2:
            theirs = sklearn_metrics.det_curve(y_true, y_score, drop_intermediate=drop, **options)
            for a, b in zip(det_curve(y_true, y_score, drop_intermediate=drop, **options), theirs, strict=True):
                assert a.dtype == b.dtype
                assert np.array_equal(a, b)
    for name in ("roc_auc_score", "average_precision_score"):
        ours = value(getattr(curves, name), y_true, y_score, **options)
        assert type(ours) is float
        assert_same(ours, value(getattr(sklearn_metrics, name), y_true, y_score, **options))
    if len(set(y_true[weights > 0] if weighted else y_true)) == 2:
        for limit in (0.1, 0.5, 0.99, 1, 1.0):
            options["max_fpr"] = limit
            assert_same(
                roc_auc_score(y_true, y_score, **options), sklearn_metrics.roc_auc_score(y_true, y_score, **options)
            )


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_indicator_matrices_as_in_scikit_learn(seed, weighted, average):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 30))
    y_true, y_score = rng.integers(0, 2, (n, 4)), rng.integers(0, 6, (n, 4)) / 4
    options = {"average": average, "sample_weight": rng.integers(1, 4, n) if weighted else None}
    for name in ("roc_auc_score", "average_precision_score"):
        ours, theirs = getattr(curves, name), getattr(sklearn_metrics, name)
        assert_same(value(ours, y_true, y_score, **options), value(theirs, y_true, y_score, **options))
        assert_same(
            value(ours, y_true[:2], y_score[:2], average=average),
            value(theirs, y_true[:2], y_score[:2], average=average),
        )
    if average != "samples":  # there scikit-learn fails on rows of one class
        options["max_fpr"] = 0.3
        y_true[0], y_true[1] = 0, 1
        assert_same(
            roc_auc_score(y_true, y_score, **options), sklearn_metrics.roc_auc_score(y_true, y_score, **options)
        )
    y_true[:, 0], y_true[:, 1] = 0, 1
    both = y_true[:, :2]
    assert_same(
        roc_auc_score(both, y_score[:, :2], average="samples", max_fpr=0.3),
        sklearn_metrics.roc_auc_score(both, y_score[:, :2], average="samples", max_fpr=0.3),
    )


@pytest.mark.parametrize("seed", range(6))
def test_more_classes_as_in_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y_true = np.array(["bird", "cat", "dog"])[np.append([0, 1, 2], rng.integers(0, 3, 20))]
    y_score = rng.integers(1, 5, (23, 3)).astype(float)
    y_score /= y_score.sum(axis=1, keepdims=True)
    weights = rng.random(23)
    for options in [
        *({"multi_class": "ovr", "average": average} for average in ("macro", "micro", "weighted", None)),
        {"multi_class": "ovr", "sample_weight": weights},
        *({"multi_class": "ovo", "average": average} for average in ("macro", "weighted")),
        {"multi_class": "ovr", "labels": ["bird", "cat", "dog"]},
    ]:
        assert_same(
            roc_auc_score(y_true, y_score, **options), sklearn_metrics.roc_auc_score(y_true, y_score, **options)
        )
    two = y_true[y_true != "cat"]  # one of the labels is absent
    for multi_class in ("ovr", "ovo"):
        options = {"multi_class": multi_class, "labels": ["bird", "cat", "dog"]}
        assert_same(
            value(roc_auc_score, two, y_score[y_true != "cat"], **options),
            value(sklearn_metrics.roc_auc_score, two, y_score[y_true != "cat"], **options),
        )


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        ([0, 1], None),
        ([-1, 1], None),
        ([False, True], None),
        ([0.0, 1.0], None),
        ([0, 1], 0),
        ([1, 2], 2),
        ([7, 3], 3),
        (["spam", "ham"], "spam"),
        ([0, 1, 2], 2),
    ],
)
@pytest.mark.parametrize("boxed", [np.array, list, pd.Series, lambda v: np.array(v, dtype=object)])
def test_labels_as_in_scikit_learn(labels, pos_label, boxed):
    if isinstance(labels[0], (bool, int, float)) and boxed([1]).__class__ is np.ndarray and boxed([1]).dtype == object:
        pytest.skip("scikit-learn refuses numbers in an object array")
    rng = np.random.default_rng(1)
    y_true = boxed([labels[i] for i in np.append([0, 1], rng.integers(0, len(labels), 18))])
    y_score = rng.integers(0, 9, 20)
    for name in ("roc_curve", "precision_recall_curve"):
        ours = value(getattr(curves, name), y_true, y_score, pos_label=pos_label)
        theirs = value(getattr(sklearn_metrics, name), y_true, y_score, pos_label=pos_label)
        assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(ours, theirs, strict=True))
    if len(labels) == 2 and pos_label in (None, *labels):
        label = 1 if pos_label is None else pos_label
        assert_same(
            average_precision_score(y_true, y_score, pos_label=label),
            sklearn_metrics.average_precision_score(y_true, y_score, pos_label=label),
        )
        assert_same(roc_auc_score(y_true, y_score), sklearn_metrics.roc_auc_score(y_true, y_score))
        hits = [label == y for y in y_true]
        assert break_even_point(y_true, y_score, pos_label=pos_label) == break_even_point(hits, y_score)


@pytest.mark.parametrize("y_true", [[0, 0], [1, 1], [-1, -1], [False, False]])
def test_one_class_as_in_scikit_learn(y_true):
    for name in IN_SCIKIT_LEARN:
        ours, theirs = (
            value(getattr(curves, name), y_true, [1, 2]),
            value(getattr(sklearn_metrics, name), y_true, [1, 2]),
        )
        for a, b in (
            zip(np.atleast_1d(ours), np.atleast_1d(theirs), strict=True)
            if isinstance(ours, float)
            else zip(ours, theirs, strict=True)
        ):
            assert np.array_equal(a, b, equal_nan=True)


def test_auc_as_in_scikit_learn():
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.integers(0, 9, 20) / 8), rng.normal(size=20)
    assert auc(x, y) == pytest.approx(sklearn_metrics.auc(x, y))
    assert auc(x[::-1], y[::-1]) == pytest.approx(auc(x, y))
    assert auc(x[:, None], y[:, None]) == auc(x, y)


# Undefined values.


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: roc_auc_score([1, 1], [0.2, 0.3]), math.nan),
        (lambda: roc_auc_score([0, 0], [1, 2], max_fpr=0.5), math.nan),
        (lambda: roc_auc_score([0, 1, 1], [1, 2, 3], sample_weight=[0, 1, 1]), math.nan),
        (lambda: roc_auc_score([[1, 0], [1, 1]], [[1, 2], [2, 1]]), math.nan),
        (lambda: roc_auc_score([[1, 0], [1, 1]], [[1, 2], [2, 1]], average=None)[0], math.nan),
        (lambda: roc_auc_score([[1, 0], [1, 1]], [[1, 2], [2, 1]], average="samples"), math.nan),
        (lambda: roc_auc_score([[0, 0], [0, 0]], [[1, 2], [2, 1]], average="weighted"), 0.0),
        (lambda: roc_auc_score(["a"], [[0.5, 0.2, 0.3]], multi_class="ovo", labels=["a", "b", "c"]), math.nan),
        (lambda: average_precision_score([0, 0], [1, 2]), 0.0),
        (lambda: average_precision_score([0, 1], [1, 2], sample_weight=[1, 0]), 0.0),
        (lambda: average_precision_score([[0, 0], [0, 1]], [[1, 2], [2, 1]]), 0.25),
        (lambda: average_precision_score([[0, 0], [0, 1]], [[1, 2], [2, 1]], average="samples"), 0.25),
        (lambda: roc_curve([0, 0], [1, 2]).tpr[-1], math.nan),
        (lambda: roc_curve([1, 1], [1, 2]).fpr[-1], math.nan),
        (lambda: precision_recall_curve([0, 0], [1, 2]).recall[0], 1.0),
    ],
)
def test_convention_comes_with_a_warning(call, expected):
    with pytest.warns(UndefinedMetricWarning) as caught:
        assert call() == pytest.approx(expected, nan_ok=True)
    assert {record.filename for record in caught} == {__file__}


def test_no_warning_where_an_undefined_part_has_no_weight():
    columns = ([[1, 0], [0, 0]], [[2, 1], [1, 2]])
    with pytest.warns(UndefinedMetricWarning):
        assert roc_auc_score(*columns, average="weighted") == 1
    assert roc_auc_score([[1, 0], [0, 1]], [[2, 1], [1, 2]], average="weighted") == 1


def test_undefined_keyword():
    assert math.isnan(break_even_point([0, 0], [1, 2]))
    assert break_even_point([0, 0], [1, 2], undefined=0) == 0
    with pytest.raises(ValueError, match="break_even_point is undefined"):
        break_even_point([0, 0], [1, 2], undefined="raise")
    one_class = ([0, 0, 1], [1, 2, 3], ["a", "a", "b"])
    assert math.isnan(gauc(*one_class))
    assert gauc(*one_class, undefined=0.5) == 0.5
    assert math.isnan(gauc(*one_class, weights={}))
    with pytest.raises(ValueError, match="gauc is undefined"):
        gauc(*one_class, undefined="raise")


@pytest.mark.parametrize(
    ("groups", "dropped"),
    [
        ([5, 5, -2, 9, 9], [-2]),
        ([5, 5, -2, 9, 8], [-2, 8, 9]),
        (["x", "x", "y", "z", "z"], ["y"]),
        (np.array(["2024-01-01", "2024-01-01", "2023-01-01", "2025-01-01", "2025-01-01"], dtype="M8[D]"), None),
        ([2**63 - 1, 2**63 - 1, -(2**63), 0, 0], [-(2**63)]),
        (np.array([2**64 - 1, 2**64 - 1, 2**64 - 2, 0, 0], dtype=np.uint64), [2**64 - 2]),
        (np.array([100, 100, -128, 127, 127], dtype=np.int8), [-128]),
        ([True, True, False, True, True], [False]),
        ([0.5, 0.5, math.inf, 1.5, 1.5], [math.inf]),
        (pd.Categorical(["x", "x", "y", "z", "z"]), ["y"]),
        (np.array([["x"], ["x"], ["y"], ["z"], ["z"]]), ["y"]),
    ],
)
def test_dropped_groups(groups, dropped):
    got, left_out = gauc([1, 0, 1, 1, 0], [2, 1, 1, 1, 1], groups, return_dropped=True)
    assert got == gauc([1, 0, 1, 1, 0], [2, 1, 1, 1, 1], groups)
    assert left_out.tolist() == (np.array(["2023-01-01"], dtype="M8[D]").tolist() if dropped is None else dropped)
    if not isinstance(groups, (list, pd.Categorical)):
        assert left_out.dtype == groups.dtype


@pytest.mark.parametrize("weights", ["impressions", "uniform"])
def test_the_auc_of_each_group_is_that_of_its_rows(weights):
    rng = np.random.default_rng(8)
    y_true, y_score, groups = rng.integers(0, 2, 600), rng.integers(0, 9, 600), rng.integers(0, 150, 600)
    value, kept, aucs, dropped = gauc(y_true, y_score, groups, weights=weights, return_groups=True, return_dropped=True)
    assert kept.size
    assert dropped.size
    assert sorted([*kept.tolist(), *dropped.tolist()]) == np.unique(groups).tolist()
    for group, auc_of_group in zip(kept, aucs, strict=True):
        rows = groups == group
        assert auc_of_group == pytest.approx(roc_auc_score(y_true[rows], y_score[rows]), rel=1e-15)
    sizes = [np.count_nonzero(groups == group) for group in kept] if weights == "impressions" else None
    assert value == pytest.approx(np.average(aucs, weights=sizes), rel=1e-15)
    assert gauc(y_true, y_score, groups, weights=weights) == value
    without = gauc(y_true, y_score, groups, weights=weights, return_groups=True)
    assert [len(without), without[0]] == [3, value]
    np.testing.assert_array_equal(without[1], kept)
    np.testing.assert_array_equal(without[2], aucs)


def test_groups_that_are_all_dropped_have_no_auc():
    value, kept, aucs = gauc([1, 1], [1, 2], ["a", "b"], return_groups=True)
    assert math.isnan(value)
    assert [kept.tolist(), aucs.tolist()] == [[], []]


# 4. Bad input.

GOOD = ([0, 1, 1, 0], [0.1, 0.4, 0.3, 0.2])
MATRIX = ([[0, 1], [1, 0]], [[0.1, 0.4], [0.3, 0.2]])
PROBABILITIES = [[0.5, 0.25, 0.25], [0.2, 0.2, 0.6], [1, 0, 0]]
GROUPS = [0, 0, 1, 1]

TWO_CLASS = [roc_curve, precision_recall_curve, roc_auc_score, average_precision_score, break_even_point]


def with_groups(y_true, y_score, **keywords):
    return gauc(y_true, y_score, [0] * len(y_true), **keywords)


WEIGHTED = [*TWO_CLASS, with_groups]


@pytest.mark.parametrize("metric", [*TWO_CLASS, with_groups])
@pytest.mark.parametrize(
    ("y_true", "y_score", "name"),
    [
        (GOOD[0], [0.1, math.nan, 0.3, 0.2], "y_score"),
        (GOOD[0], [0.1, math.inf, 0.3, 0.2], "y_score"),
        (GOOD[0], ["a", "b", "c", "d"], "y_score"),
        (GOOD[0], [None, 1, 2, 3], "y_score"),
        (GOOD[0], [1j, 1, 2, 3], "y_score"),
        (GOOD[0], [0.1, 0.2, 0.3], "y_score"),
        (GOOD[0], [], "y_score"),
        (GOOD[0], [[0.1, 0.2]] * 4, "y_score"),
        (GOOD[0], [[1], [2, 3], [4], [5]], "y_score"),
        (GOOD[0], [[[0.1]]] * 4, "y_score"),
        ([], [], "y_true"),
        ([0, 1, math.nan, 1], GOOD[1], "y_true"),
        ([0, 1, math.inf, 1], GOOD[1], "y_true"),
        ([0.5, 1, 0, 1], GOOD[1], "y_true"),
        ([0, 1, None, 1], GOOD[1], "y_true"),
        ([b"0", b"1", b"0", b"1"], GOOD[1], "y_true"),
        ([[0], [1, 0], [1], [0]], GOOD[1], "y_true"),
        ([[[0]], [[1]]], GOOD[1], "y_true"),
    ],
)
def test_bad_data_is_named(metric, y_true, y_score, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected "):
        metric(y_true, y_score)


@pytest.mark.parametrize("metric", [*TWO_CLASS[:2], break_even_point, with_groups])
@pytest.mark.parametrize("y_true", [[0, 1, 2, 0], ["a", "b", "a", "b"], [1, 2, 1, 2], [2, 2, 2, 2], [[0, 1]] * 4])
def test_labels_that_do_not_name_the_positive(metric, y_true):
    with pytest.raises(ValueError, match="^y_true: expected "):
        metric(y_true, GOOD[1])


@pytest.mark.parametrize("metric", WEIGHTED)
@pytest.mark.parametrize(
    "weights", [[1, 1, -1, 1], [0, 0, 0, 0], [1, 1], [math.nan] * 4, [math.inf] * 4, [[1]] * 4, ["a"] * 4, 1.0, []]
)
def test_bad_weights(metric, weights):
    with pytest.raises(ValueError, match="^sample_weight: expected "):
        metric(*GOOD, sample_weight=weights)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: roc_curve(*GOOD, drop_intermediate="yes"), "drop_intermediate"),
        (lambda: precision_recall_curve(*GOOD, drop_intermediate=None), "drop_intermediate"),
        (lambda: det_curve(*GOOD, drop_intermediate=1), "drop_intermediate"),
        (lambda: det_curve([1, 1, 1, 1], GOOD[1]), "y_true"),
        (lambda: det_curve([0, 1, 1, 1], GOOD[1], sample_weight=[0, 1, 1, 1]), "y_true"),
        (lambda: roc_curve(*GOOD, pos_label=[1]), "pos_label"),
        (lambda: break_even_point(*GOOD, pos_label=object()), "pos_label"),
        (lambda: break_even_point(*GOOD, undefined="nan"), "undefined"),
        (lambda: average_precision_score(*GOOD, pos_label=2), "pos_label"),
        (lambda: average_precision_score(*GOOD, pos_label=None), "pos_label"),
        (lambda: average_precision_score(*GOOD, pos_label=[1]), "pos_label"),
        (lambda: gauc(*GOOD, GROUPS, pos_label=[1]), "pos_label"),
        (lambda: average_precision_score(["a", "b", "a", "b"], GOOD[1]), "pos_label"),
        (lambda: average_precision_score(*MATRIX, pos_label=0), "pos_label"),
        (lambda: average_precision_score([0, 1, 2], [1, 2, 3]), "y_score"),
        (lambda: average_precision_score([0, 1, 2], PROBABILITIES, pos_label=2), "pos_label"),
        (lambda: average_precision_score(*GOOD, average="mean"), "average"),
        (lambda: roc_auc_score(*GOOD, average="binary"), "average"),
        (lambda: roc_auc_score([[0, 2], [2, 0]], MATRIX[1]), "y_true"),
        (lambda: roc_auc_score([["a", "b"], ["b", "a"]], MATRIX[1]), "y_true"),
        (lambda: roc_auc_score(MATRIX[0], [[0.1, 0.2, 0.3]] * 2), "y_score"),
        (lambda: roc_auc_score(MATRIX[0], [0.1, 0.2]), "y_score"),
        (lambda: roc_auc_score(*MATRIX, sample_weight=[1, 1, 1]), "sample_weight"),
        *(
            (lambda limit=limit: roc_auc_score(*GOOD, max_fpr=limit), "max_fpr")
            for limit in (0, -0.1, 1.1, math.nan, "1")
        ),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES), "multi_class"),
        (lambda: roc_auc_score([0, 1, 1], PROBABILITIES), "multi_class"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="all"), "multi_class"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovr", max_fpr=0.5), "max_fpr"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovr", average="samples"), "average"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovo", average="micro"), "average"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovo", average=None), "average"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovo", sample_weight=[1, 1, 1]), "sample_weight"),
        (lambda: roc_auc_score([0, 1, 2], [0.1, 0.2, 0.3], multi_class="ovr"), "y_score"),
        (lambda: roc_auc_score([0, 1, 2], [[0.1, 0.2, 0.3]] * 3, multi_class="ovr"), "y_score"),
        (lambda: roc_auc_score([0, 1, 2], [[1e308] * 3] * 3, multi_class="ovr"), "y_score"),
        (lambda: roc_auc_score([0, 1, 1], PROBABILITIES, multi_class="ovr"), "y_score"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovr", labels=[0, 2, 1]), "labels"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovr", labels=[0, 1, 1]), "labels"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovr", labels=[0, 1, 3]), "labels"),
        (lambda: roc_auc_score([0, 1, 2], PROBABILITIES, multi_class="ovr", labels=["0", "1", "2"]), "labels"),
        (lambda: auc([0], [1]), "x"),
        (lambda: auc([0, 2, 1], [1, 1, 1]), "x"),
        (lambda: auc([0, math.nan], [1, 1]), "x"),
        (lambda: auc([0, 1], [1, math.inf]), "y"),
        (lambda: auc([0, 1], [1, 1, 1]), "y"),
        (lambda: auc([-1.7e308, 1.7e308], [1, 1]), "x"),
        (lambda: auc([], []), "x"),
        (lambda: auc([[0, 1]], [[1, 1]]), "x"),
        (lambda: auc(["a", "b"], [1, 1]), "x"),
        (lambda: gauc(*GOOD, [0, 0, 1]), "groups"),
        (lambda: gauc(*GOOD, []), "groups"),
        (lambda: gauc(*GOOD, 7), "groups"),
        (lambda: gauc(*GOOD, [[0, 0]] * 4), "groups"),
        (lambda: gauc(*GOOD, [[0], [0, 1], [1], [1]]), "groups"),
        (lambda: gauc(*GOOD, [0, 0, math.nan, 1]), "groups"),
        (lambda: gauc(*GOOD, np.array(["2024", "NaT", "2024", "2024"], dtype="M8[Y]")), "groups"),
        (lambda: gauc(*GOOD, pd.Series(["a", "a", None, "b"])), "groups"),
        (lambda: gauc(*GOOD, pd.Series([1, 1, None, 2], dtype="Int64")), "groups"),
        (lambda: gauc(*GOOD, pd.Series([1, "a", 2, "b"])), "groups"),
        (lambda: gauc(*GOOD, GROUPS, weights="views"), "weights"),
        (lambda: gauc(*GOOD, GROUPS, return_groups=1), "return_groups"),
        (lambda: gauc(*GOOD, GROUPS, weights=None), "weights"),
        (lambda: gauc(*GOOD, GROUPS, weights=np.ones(4)), "weights"),
        (lambda: gauc(*GOOD, GROUPS, weights={0: 1}), "weights"),
        (lambda: gauc(*GOOD, GROUPS, weights={"0": 1, "1": 1}), "weights"),
        (lambda: gauc(*GOOD, GROUPS, weights={0: 1, 1: -1}), "weights"),
        (lambda: gauc(*GOOD, GROUPS, weights={0: 0, 1: 0}), "weights"),
        (lambda: gauc(*GOOD, GROUPS, weights={0: 1, 1: math.nan}), "weights"),
        (lambda: gauc(*GOOD, GROUPS, weights={0: 1, 1: "heavy"}), "weights"),
        (lambda: gauc(*GOOD, GROUPS, undefined="skip"), "undefined"),
        (lambda: gauc(*GOOD, GROUPS, return_dropped=1), "return_dropped"),
    ],
)
def test_bad_arguments_are_named(call, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got "):
        call()


@pytest.mark.parametrize("weights", [None, "weights"])
@pytest.mark.parametrize("average", AVERAGES)
def test_average_precision_of_more_classes_is_that_of_their_indicators(average, weights):
    rng = np.random.default_rng(8)
    y_true, y_score = np.append([0, 1, 2, 5], rng.choice([0, 1, 2, 5], 40)), rng.integers(0, 6, (44, 4))
    options = {"average": average, "sample_weight": weights and rng.random(44)}
    ours = average_precision_score(y_true, y_score, **options)
    np.testing.assert_allclose(ours, sklearn_metrics.average_precision_score(y_true, y_score, **options), rtol=1e-13)
    indicators = y_true[:, None] == [0, 1, 2, 5]
    np.testing.assert_array_equal(ours, average_precision_score(indicators, y_score, **options))
    np.testing.assert_array_equal(ours, average_precision_score(np.array(list("abcdef"))[y_true], y_score, **options))


@pytest.mark.parametrize("seed", range(40))
def test_bounds_of_separated_classes_are_one_whatever_the_weights(seed):
    rng = np.random.default_rng(seed)
    low, value, high = roc_auc_bounds(np.append(np.zeros(4), rng.random(4)), np.append(rng.random(4), np.zeros(4)))
    assert max(low, value, high) <= 1
    assert (low, value, high) == pytest.approx((1, 1, 1), abs=1e-14)


def test_rows_that_sum_to_nearly_one_are_no_probabilities():
    scores = np.array([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]])
    assert roc_auc_score([0, 1, 2], scores * (1 + 1e-6), multi_class="ovr") == 1
    for off in (1.005, 1.0001, 0.99):
        with pytest.raises(ValueError, match="^y_score: expected probabilities that sum to 1 in each row"):
            roc_auc_score([0, 1, 2], scores * off, multi_class="ovr")


# 5. What is passed.


@pytest.mark.parametrize("metric", [*TWO_CLASS, lambda y, s: gauc(y, s, GROUPS)])
@pytest.mark.parametrize(
    "boxed", [list, tuple, np.array, pd.Series, lambda v: pd.Series(v, index=[3, 1, 2, 0]), pd.Index]
)
def test_any_container_and_none_is_modified(metric, boxed):
    y_true, y_score = boxed(GOOD[0]), boxed(GOOD[1])
    expected = metric(*map(np.array, GOOD))
    got = metric(y_true, y_score)
    assert (
        all(np.array_equal(a, b) for a, b in zip(np.atleast_1d(got), np.atleast_1d(expected), strict=True))
        if (isinstance(got, float))
        else all(map(np.array_equal, got, expected))
    )
    assert (list(y_true), list(y_score)) == (list(GOOD[0]), list(GOOD[1]))


@pytest.mark.usefixtures("route")
def test_read_only_and_strided_input():
    rng = np.random.default_rng(2)
    y_true, y_score, weights = rng.integers(0, 2, (30, 3)), rng.normal(size=(30, 3)), rng.random(30)
    groups = rng.integers(0, 4, 30)
    for array in (y_true, y_score, weights, groups):
        array.flags.writeable = False
    for average in AVERAGES:
        value(roc_auc_score, y_true, y_score, average=average, sample_weight=weights)
        value(average_precision_score, y_true, y_score, average=average, sample_weight=weights)
    column = (y_true[:, 1], y_score[:, 1])
    packed = [np.ascontiguousarray(c) for c in column]
    for metric in (*TWO_CLASS, lambda y, s: gauc(y, s, groups)):
        ours, expected = metric(*column), metric(*packed)
        assert ours == expected if isinstance(ours, float) else all(map(np.array_equal, ours, expected))
    assert roc_curve(*column, sample_weight=weights).fpr[-1] == 1
    assert roc_auc_score(y_true[:, :1], y_score[:, :1]) == roc_auc_score(y_true[:, 0], y_score[:, 0])


def test_nullable_and_named_pandas_types():
    y_true = pd.Series([0, 1, 1, 0], dtype="Int64")
    frame = pd.DataFrame({"label": pd.Series(["no", "yes", "yes", "no"], dtype="string"), "score": GOOD[1]})
    assert roc_auc_score(y_true, pd.Series(GOOD[1], dtype="Float64")) == 1
    assert roc_auc_score(frame.label, frame.score) == 1
    assert average_precision_score(frame.label, frame.score, pos_label="yes") == 1
    matrix = pd.DataFrame(MATRIX[0]), pd.DataFrame(MATRIX[1])
    assert roc_auc_score(*matrix) == roc_auc_score(*MATRIX)
    assert gauc(y_true, frame.score, pd.Series(["u", "u", "v", "v"], dtype="string")) == 1


def test_curves_unpack_and_are_named():
    curve = roc_curve(*GOOD)
    fpr, tpr, thresholds = curve
    assert curve.fpr is fpr
    assert curve.tpr is tpr
    assert curve.thresholds is thresholds
    assert precision_recall_curve(*GOOD)._fields == ("precision", "recall", "thresholds")


# 6. Bounds from a histogram.


in_bins = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.05, 0.1, 0.12, 0.5, 0.9]) | st.floats(0, 1)), min_size=1
)


@given(rows=in_bins, bins=st.integers(1, 20))
def test_the_auc_lies_within_the_bounds_of_a_histogram(rows, bins):
    y, s = np.array([label for label, _ in rows]), np.array([score for _, score in rows])
    pos, neg = (np.histogram(s[y == label], bins, (0, 1))[0] for label in (1, 0))
    if len(set(y)) < 2:
        with pytest.warns(UndefinedMetricWarning, match="pos or neg counts nothing"):
            assert all(math.isnan(bound) for bound in roc_auc_bounds(pos, neg))
        return
    low, value, high = roc_auc_bounds(pos, neg)
    assert low <= roc_auc_score(y, s) <= high
    assert (low + high) / 2 == pytest.approx(value, abs=1e-15)
    _, place = np.unique(s, return_inverse=True)  # a bin for each score
    pos, neg = (np.bincount(place[y == label], minlength=place.max() + 1) for label in (1, 0))
    assert roc_auc_bounds(pos, neg).value == roc_auc_score(y, s)
    weighted = roc_auc_bounds(pos * 0.3, neg * 0.7)
    assert weighted == pytest.approx(roc_auc_bounds(pos, neg), abs=1e-14)


def test_counts_of_any_size_are_exact():
    n = 2**62
    assert roc_auc_bounds([0, n, n], [n, n, 0]) == (0.75, 0.875, 1)
    assert roc_auc_bounds([0.0, 1e300, 1e300], [1e300, 1e300, 0.0]) == (0.75, 0.875, 1)
    assert roc_auc_bounds([True, True], [True, False]) == (0.5, 0.75, 1)
    ones = np.ones(5000)
    for kind in (np.float16, np.float32):
        assert roc_auc_bounds(ones.astype(kind), ones.astype(kind)) == roc_auc_bounds(ones, ones)
        small = (ones * 0.1).astype(kind)
        assert roc_auc_bounds(small, small) == pytest.approx(roc_auc_bounds(ones, ones), abs=1e-14)


@pytest.mark.parametrize(
    ("pos", "neg", "message"),
    [
        ([1, -1], [1, 1], "pos: expected counts of at least 0, got -1"),
        ([1, 1], [1, math.nan], "neg: expected finite numbers, got nan"),
        ([1, 1], [1], "neg: expected the shape of pos"),
        ([], [], "pos: expected at least one value"),
        ([[1]], [[1]], "pos: expected 1 dimension"),
    ],
)
def test_a_histogram_that_is_none_is_refused(pos, neg, message):
    with pytest.raises(ValueError, match=rf"^{message}"):
        roc_auc_bounds(pos, neg)
