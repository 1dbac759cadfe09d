"""Intervals and tests: by definition, by SciPy, on every small case, and by simulation where the truth is known."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics_lib import UndefinedMetricWarning, f1_score, ndcg, roc_auc_score
from metrics_lib.uncertainty import (
    McNemarTest,
    bootstrap,
    delong_interval,
    delong_test,
    mcnemar_test,
    paired_difference,
    queries_needed,
    wilson_interval,
)

Y = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0])
S = np.array([3, 5, 4, 4, 7, 1, 5, 8, 2, 6, 9, 2, 5, 3, 5, 6, 7, 1, 4, 8])
USERS = np.array(["a", "b", "c", "d", "e"]).repeat([2, 3, 4, 5, 6])
ROWS_OF = [np.flatnonzero(user == USERS) for user in "abcde"]


def drawn(n, n_resamples, seed):
    rng = np.random.default_rng(seed)
    return [rng.integers(n, size=n) for _ in range(n_resamples)]


# Bootstrap


@pytest.mark.parametrize("metric", [roc_auc_score, f1_score, lambda y, s: np.mean((y - s) ** 2)])
def test_rows_are_drawn_with_replacement(metric):
    data = (Y, S) if metric is not f1_score else (Y, S > 4)
    result = bootstrap(metric, *data, n_resamples=200, rng=7)
    expected = [metric(*(array[rows] for array in data)) for rows in drawn(20, 200, 7)]
    assert result.distribution.tolist() == pytest.approx(expected, rel=1e-15)
    assert result.value == metric(*data)
    assert (result.low, result.high) == pytest.approx(tuple(np.quantile(expected, [0.025, 0.975])))
    assert result.n_undefined == 0


@pytest.mark.parametrize("metric", [roc_auc_score, lambda y, s: roc_auc_score(y, s)])
def test_groups_are_drawn_whole(metric):
    result = bootstrap(metric, Y, S, groups=USERS, n_resamples=200, rng=7)
    rows = [np.concatenate([ROWS_OF[group] for group in groups]) for groups in drawn(5, 200, 7)]
    assert result.distribution.tolist() == [roc_auc_score(Y[some], S[some]) for some in rows]


@pytest.mark.parametrize("labels", [Y, np.where(Y, 1, -1), np.where(Y, "yes", "no"), Y == 1])
@pytest.mark.parametrize("scores", [S, S / 10, np.arange(20)])
def test_the_shortcut_of_auc_is_auc(labels, scores):
    fast = bootstrap(roc_auc_score, labels, scores, n_resamples=100, rng=1)
    slow = bootstrap(lambda y, s: roc_auc_score(y, s), labels, scores, n_resamples=100, rng=1)
    assert fast.distribution.tolist() == slow.distribution.tolist()
    assert fast.value == slow.value


@pytest.mark.parametrize("n", [2, 7, 30, 1100, 40_000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, bool, object])
def test_the_shortcut_of_means_is_the_mean_and_draws_no_more(n, dtype):
    values, generators = np.sqrt(np.arange(n) % 7).astype(dtype), [np.random.default_rng(1) for _ in range(2)]
    fast = bootstrap(np.mean, values, n_resamples=35, rng=generators[0])
    slow = bootstrap(lambda drawn: np.mean(drawn), values, n_resamples=35, rng=generators[1])
    assert fast.distribution.dtype == np.float64
    assert (fast.distribution.tolist(), *fast[:3]) == (slow.distribution.tolist(), *slow[:3])
    assert generators[0].random() == generators[1].random()


@pytest.mark.parametrize("n", [2, 30, 40_000])
@pytest.mark.parametrize("dtype", [np.float64, np.longdouble, np.int64, np.uint8, bool, object])
def test_the_shortcut_of_means_of_groups_is_their_mean_and_draws_no_more(n, dtype):
    """Groups of one row to many, in no order."""
    values, generators = np.sqrt(np.arange(n) % 7).astype(dtype), [np.random.default_rng(1) for _ in range(2)]
    settings = {"groups": np.minimum(np.arange(n)[::-1] ** 2 % 12, n - 1), "n_resamples": 60}
    fast = bootstrap(np.mean, values, rng=generators[0], **settings)
    slow = bootstrap(lambda drawn: np.mean(drawn), values, rng=generators[1], **settings)
    assert fast.distribution == pytest.approx(slow.distribution, rel=1e-13)
    assert fast[:3] == pytest.approx(slow[:3], rel=1e-13)
    assert generators[0].random() == generators[1].random()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64, bool])
def test_means_of_groups_that_equal_the_value_still_do(dtype):
    """BCa counts them as half below: a mean of float32 is rounded to it."""
    values, settings = (np.arange(60) % 10 == 0).astype(dtype), {"method": "bca", "n_resamples": 499, "rng": 1}
    groups = np.arange(60) // 5
    fast = bootstrap(np.mean, values, groups=groups, **settings)
    slow = bootstrap(lambda drawn: np.mean(drawn), values, groups=groups, **settings)
    assert np.count_nonzero(slow.distribution == slow.value) > 50
    assert (fast.distribution.tolist(), *fast[:3]) == (slow.distribution.tolist(), *slow[:3])


def test_an_array_of_more_dimensions_is_drawn_by_its_rows():
    rel = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])
    whole = bootstrap(lambda rel: float(np.mean(ndcg(rel))), rel, n_resamples=50, rng=0)
    values = bootstrap(np.mean, ndcg(rel), n_resamples=50, rng=0)
    assert whole.distribution.tolist() == values.distribution.tolist()


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_ends_are_those_of_scipy_for_the_same_resamples(method, level):
    values = np.array([0.1, 0.9, 0.4, 0.35, 0.8, 0.05, 0.2, 0.3])
    ours = bootstrap(np.mean, values, method=method, confidence_level=level, n_resamples=999, rng=3)

    class Resamples:
        bootstrap_distribution = ours.distribution

    theirs = stats.bootstrap(
        (values,), np.mean, method=method, confidence_level=level, n_resamples=0, bootstrap_result=Resamples
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)


def test_bca_leaves_out_one_group_at_a_time():
    result = bootstrap(np.mean, S, groups=USERS, method="bca", n_resamples=499, rng=3)
    without = np.array([np.delete(S, rows).mean() for rows in ROWS_OF])
    pulls = without.mean() - without
    acceleration = (pulls**3).sum() / (6 * (pulls**2).sum() ** 1.5)
    share = (np.mean(result.distribution < result.value) + np.mean(result.distribution <= result.value)) / 2
    bias = stats.norm.ppf(share)
    z = bias + stats.norm.ppf([0.025, 0.975])
    ends = np.quantile(result.distribution, stats.norm.cdf(bias + z / (1 - acceleration * z)))
    assert (result.low, result.high) == pytest.approx(tuple(ends), rel=1e-12)


def test_resamples_without_a_value_are_counted_and_left_out():
    y, s = [0, 0, 0, 0, 1], [1, 2, 3, 5, 4]
    undefined = sum(len(set(np.array(y)[rows].tolist())) == 1 for rows in drawn(5, 300, 5))
    assert undefined > 0
    with pytest.warns(UndefinedMetricWarning, match=rf"no value for {undefined} of 300 resamples"):
        result = bootstrap(roc_auc_score, y, s, n_resamples=300, rng=5)
    assert result.n_undefined == undefined
    assert len(result.distribution) == 300 - undefined
    assert not np.isnan([result.low, result.high, *result.distribution]).any()


def test_a_seed_repeats_a_generator_goes_on_and_none_is_another_each_time():
    def ends(rng):
        return bootstrap(np.mean, S, n_resamples=50, rng=rng)[1:3]

    generator = np.random.default_rng(3)
    assert ends(3) == ends(np.int64(3)) == ends(generator)
    assert ends(generator) != ends(3)
    assert len({ends(None) for _ in range(5)}) > 1


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("metric", lambda: bootstrap(3, Y)),
        ("metric", lambda: bootstrap(lambda y: y, Y)),
        ("metric", lambda: bootstrap(lambda y: "0.5", Y)),
        ("metric", lambda: bootstrap(lambda y: None, Y)),
        ("metric", lambda: bootstrap(lambda y: math.nan, Y)),
        ("metric", lambda: bootstrap(lambda y: math.nan if len({*y}) < 20 else 0.5, np.arange(20), rng=0)),
        ("arrays", lambda: bootstrap(np.mean)),
        ("arrays", lambda: bootstrap(np.mean, [1])),
        (r"arrays\[0\]", lambda: bootstrap(np.mean, 1)),
        (r"arrays\[1\]", lambda: bootstrap(roc_auc_score, Y, S[1:])),
        ("groups", lambda: bootstrap(np.mean, S, groups=USERS[1:])),
        ("groups", lambda: bootstrap(np.mean, S, groups=["one"] * 20)),
        ("groups", lambda: bootstrap(np.mean, S, groups=np.zeros((20, 2), dtype=int))),
        ("confidence_level", lambda: bootstrap(np.mean, S, confidence_level=95)),
        ("confidence_level", lambda: bootstrap(np.mean, S, confidence_level=math.nan)),
        ("method", lambda: bootstrap(np.mean, S, method="basic")),
        ("n_resamples", lambda: bootstrap(np.mean, S, n_resamples=0)),
        ("rng", lambda: bootstrap(np.mean, S, rng="0")),
        ("rng", lambda: bootstrap(np.mean, S, rng=-1)),
        ("rng", lambda: bootstrap(np.mean, S, rng=True)),
        ("rng", lambda: bootstrap(np.mean, S, rng=np.random)),
        ("method", lambda: bootstrap(np.mean, [1, 1, 1], method="bca", rng=0)),
        ("method", lambda: bootstrap(lambda x: len({*x}), np.arange(20), method="bca", rng=0)),
        ("y_true", lambda: bootstrap(roc_auc_score, [0, 1, math.nan], [1, 2, 3])),
    ],
)
def test_bad_input_is_named(argument, call):
    with pytest.raises(ValueError, match=rf"^{argument}: expected .+, got .+"):
        call()


def test_a_metric_without_a_value_for_one_left_out_row_refuses_bca():
    with (
        pytest.warns(UndefinedMetricWarning, match="resamples"),
        pytest.raises(ValueError, match=r"^metric: .*without any one row"),
    ):
        bootstrap(roc_auc_score, [0, 0, 0, 1], [1, 2, 4, 3], method="bca", rng=0)


# Paired difference


@given(st.lists(st.sampled_from([-2, -1, -0.5, 0, 0.1, 0.2, 0.3, 1]), min_size=2, max_size=7))
def test_the_p_value_counts_all_signs(differences):
    total = abs(sum(map(Fraction, differences)))
    signs = list(itertools.product([1, -1], repeat=len(differences)))
    further = sum(
        abs(sum(s * Fraction(d) for s, d in zip(sign, differences, strict=True))) >= total - Fraction(1, 10**12)
        for sign in signs
    )
    found = paired_difference(differences, np.zeros(len(differences)), n_resamples=200, rng=0)
    assert found.p_value == further / len(signs)
    assert found.value == pytest.approx(float(np.mean(differences)))


def test_the_p_value_is_that_of_scipy():
    a, b = ndcg(np.eye(8)[[0, 1, 0, 2, 3, 1, 5, 0, 1]]), ndcg(np.eye(8)[[1, 2, 0, 4, 2, 3, 7, 1, 0]])
    theirs = stats.permutation_test(
        (a, b), lambda a, b: np.mean(a - b), permutation_type="samples", vectorized=False, n_resamples=np.inf
    )
    assert paired_difference(a, b, rng=0).p_value == pytest.approx(theirs.pvalue, rel=1e-12)


def test_random_signs_approach_all_signs():
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.4, 1, 14), rng.normal(0, 1, 14)
    exact = paired_difference(a, b, n_resamples=1 << 14, rng=0).p_value
    assert 0.02 < exact < 0.98
    drawn = paired_difference(a, b, n_resamples=(1 << 14) - 1, rng=0).p_value
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / (1 << 14)))
    assert drawn != exact


def test_random_signs_are_never_too_sure():
    """The data are one of the draws, so p is at least one over their number and one."""
    assert paired_difference(np.arange(1, 101), np.zeros(100), n_resamples=99, rng=0).p_value == 1 / 100


def test_without_a_difference_p_is_one():
    found = paired_difference(S, S, n_resamples=99, rng=0)
    assert found[:4] == (0, 0, 0, 1)


def test_groups_change_their_sign_together():
    a, b = np.array([0.9, 0.8, 0.7, 0.9]), np.array([0.1, 0.2, 0.1, 0.3])
    alone = paired_difference(a, b, n_resamples=100, rng=0)
    together = paired_difference(a, b, groups=[1, 1, 2, 2], n_resamples=100, rng=0)
    assert (alone.p_value, together.p_value) == (2 / 16, 2 / 4)
    assert together.high - together.low < 1


def test_the_p_value_is_uniform_where_there_is_no_difference():
    rng = np.random.default_rng(11)
    sets = rng.normal(size=(2000, 6))
    p_values = np.array([paired_difference(d, np.zeros(6), n_resamples=64, rng=0).p_value for d in sets])
    for share in np.arange(1, 32) * 2 / 64:
        assert np.mean(p_values <= share) == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 2000))


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("a", lambda: paired_difference([0.1, math.nan], [0.1, 0.2])),
        ("b", lambda: paired_difference([0.1, 0.3], [0.1])),
        ("b", lambda: paired_difference([0.1, 0.3], [[0.1, 0.2]])),
        ("arrays", lambda: paired_difference([0.1], [0.2])),
        ("groups", lambda: paired_difference([0.1, 0.2], [0.2, 0.1], groups=[1, 1])),
        ("n_resamples", lambda: paired_difference([0.1, 0.2], [0.2, 0.1], n_resamples=1.5)),
        ("rng", lambda: paired_difference([0.1, 0.2], [0.2, 0.1], rng=[1])),
    ],
)
def test_bad_pairs_are_named(argument, call):
    with pytest.raises(ValueError, match=rf"^{argument}: expected .+, got .+"):
        call()


@pytest.mark.parametrize("difference", [0.01, -0.02, 0.3])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_so_many_queries_have_the_power_and_one_fewer_has_not(difference, power, level):
    n = queries_needed(difference, 0.25, power=power, confidence_level=level)

    def found(n):
        return stats.norm.cdf(abs(difference) * math.sqrt(n) / 0.25 - stats.norm.ppf((1 + level) / 2))

    assert found(n) >= power - 1e-12
    assert n == 2 or found(n - 1) < power


def test_half_the_difference_takes_four_times_the_queries():
    assert queries_needed(0.005, 0.1) == pytest.approx(4 * queries_needed(0.01, 0.1), abs=4)


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("difference", lambda: queries_needed(0, 0.1)),
        ("difference", lambda: queries_needed("1", 0.1)),
        ("difference", lambda: queries_needed(math.inf, 0.1)),
        ("difference", lambda: queries_needed(1e-300, 1)),
        ("standard_deviation", lambda: queries_needed(0.1, 0)),
        ("power", lambda: queries_needed(0.1, 0.1, power=80)),
        ("confidence_level", lambda: queries_needed(0.1, 0.1, confidence_level=1)),
    ],
)
def test_bad_plans_are_named(argument, call):
    with pytest.raises(ValueError, match=rf"^{argument}: expected .+, got .+"):
        call()


# DeLong


def matrix(y, s):
    """What each positive wins of each negative."""
    positive, negative = np.array(s)[np.array(y) == 1], np.array(s)[np.array(y) == 0]
    difference = np.subtract.outer(positive, negative)
    return (difference > 0) + (difference == 0) / 2


def published(y, *scores):
    """The areas and their covariances as DeLong, DeLong and Clarke-Pearson print them (1988, equations 5 to 7)."""
    wins = [matrix(y, s) for s in scores]
    m, n = wins[0].shape
    by_positive = np.cov([w.mean(axis=1) for w in wins])
    by_negative = np.cov([w.mean(axis=0) for w in wins])
    return [w.mean() for w in wins], np.atleast_2d(by_positive / m + by_negative / n)


SMALL = [y for n in (4, 5, 6) for y in itertools.product([0, 1], repeat=n) if 2 <= sum(y) <= n - 2]


def test_on_every_small_case_the_variances_are_the_published_ones():
    rng = np.random.default_rng(0)
    z = stats.norm.ppf(0.975)
    for y in SMALL:
        a, b = rng.integers(0, 4, (2, len(y)))
        (auc, other), covariance = published(y, a, b)
        if covariance[0, 0] > 1e-12:
            found = delong_interval(y, a)
            half = z * math.sqrt(covariance[0, 0])
            assert found == pytest.approx((auc, max(auc - half, 0), min(auc + half, 1)), rel=1e-12)
        variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
        if variance > 1e-12:
            test = delong_test(y, a, b)
            assert test[:3] == pytest.approx((auc, other, auc - other), abs=1e-12)
            assert test.p_value == pytest.approx(2 * stats.norm.sf(abs(auc - other) / math.sqrt(variance)), rel=1e-9)
            half = z * math.sqrt(variance)
            ends = max(auc - other - half, -1), min(auc - other + half, 1)
            assert (test.low, test.high) == pytest.approx(ends, rel=1e-9)


def test_the_value_is_the_auc_to_the_last_digit():
    rng = np.random.default_rng(3)
    for _ in range(20):
        y, s = rng.permutation([0] * 20 + [1] * 30), rng.integers(0, 25, 50)
        assert delong_interval(y, s).value == roc_auc_score(y, s)


@pytest.mark.parametrize("change", [lambda s: 3 * s + 1, np.exp, lambda s: s.astype(np.float32)])
def test_only_the_order_of_the_scores_counts(change):
    s = S.astype(float)
    assert delong_interval(Y, change(s)) == delong_interval(Y, s)


def test_exchanged_scores_exchange_the_sign():
    one, other = delong_test(Y, S, S[::-1]), delong_test(Y, S[::-1], S)
    assert one.value == -other.value
    assert one.p_value == other.p_value
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_the_interval_covers_so_often_as_it_says_and_less_near_one():
    """Normal scores of equal variance have the area Phi(d / sqrt 2)."""
    rng = np.random.default_rng(8)

    def coverage(d, n):
        truth, y, held = stats.norm.cdf(d / math.sqrt(2)), np.repeat([0, 1], n), 0
        for _ in range(2000):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UndefinedMetricWarning)
                found = delong_interval(y, rng.normal(size=2 * n) + d * y)
            held += found.low <= truth <= found.high
        return held / 2000

    assert coverage(1, 50) == pytest.approx(0.95, abs=0.015)
    assert coverage(3, 10) < 0.9


def test_without_variance_it_warns_and_says_nothing():
    with pytest.warns(UndefinedMetricWarning, match="variance 0"):
        assert delong_interval([0, 0, 1, 1], [1, 2, 3, 4]) == (1, 1, 1)
    with pytest.warns(UndefinedMetricWarning, match="variance 0"):
        assert delong_test([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 5, 6]) == (1, 1, 0, 0, 0, 1)
    with pytest.warns(UndefinedMetricWarning, match="variance 0"):
        assert math.isnan(delong_test([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1]).p_value)


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("y_true", lambda: delong_interval([0, 0, 0, 1], [1, 2, 3, 4])),
        ("y_true", lambda: delong_interval([1, 1, 1, 1], [1, 2, 3, 4])),
        ("y_true", lambda: delong_interval(["a", "b"] * 2, [1, 2, 3, 4])),
        ("y_score", lambda: delong_interval(Y, S[1:])),
        ("score_a", lambda: delong_test(Y, S[1:], S)),
        ("score_b", lambda: delong_test(Y, S, np.full(20, math.nan))),
        ("pos_label", lambda: delong_test(Y, S, S, pos_label=[1])),
        ("confidence_level", lambda: delong_interval(Y, S, confidence_level=0)),
    ],
)
def test_bad_scores_are_named(argument, call):
    with pytest.raises(ValueError, match=rf"^{argument}: expected .+, got .+"):
        call()


def test_the_positive_label_may_be_named():
    words = np.where(Y, "click", "none")
    assert delong_interval(words, S, pos_label="click") == delong_interval(Y, S)
    assert delong_test(words, S, -S, pos_label="none").value == pytest.approx(-delong_test(Y, S, -S).value)


# McNemar and Wilson


@pytest.mark.parametrize("only_a", range(13))
def test_mcnemar_is_the_sign_test_of_those_that_differ(only_a):
    for only_b in range(13):
        a, b = [1] * only_a + [0] * only_b + [1, 0], [0] * only_a + [1] * only_b + [1, 0]
        n, most = only_a + only_b, min(only_a, only_b)
        p = min(1, 2 * Fraction(sum(math.comb(n, i) for i in range(most + 1)), 2**n))
        found = mcnemar_test([1] * (n + 2), a, b)
        assert found == McNemarTest(only_a, only_b, pytest.approx(float(p), rel=1e-14))


@pytest.mark.parametrize(("only_a", "only_b"), [(4_900, 5_100), (5_000, 5_100), (49_800, 50_500), (499_000, 501_000)])
def test_mcnemar_of_many_samples_is_that_of_scipy(only_a, only_b):
    a = np.repeat([1, 0], [only_a, only_b])
    p = stats.binomtest(only_a, only_a + only_b).pvalue
    assert mcnemar_test(np.ones(len(a), dtype=int), a, 1 - a).p_value == pytest.approx(p, rel=1e-7)


def test_mcnemar_takes_labels_of_any_kind():
    assert mcnemar_test(["a", "b", "c"], ["a", "b", "a"], ["b", "b", "a"]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("pred_a", lambda: mcnemar_test([1, 0], [1], [1, 0])),
        ("pred_b", lambda: mcnemar_test([1, 0], [1, 0], ["a", "b"])),
        ("y_true", lambda: mcnemar_test([[1, 0]], [[1, 0]], [[1, 0]])),
        ("successes", lambda: wilson_interval(11, 10)),
        ("successes", lambda: wilson_interval(-1, 10)),
        ("successes", lambda: wilson_interval(0.5, 10)),
        ("successes", lambda: wilson_interval(True, 10)),
        ("successes", lambda: wilson_interval(False, 10)),
        ("n", lambda: wilson_interval(0, 0)),
        ("confidence_level", lambda: wilson_interval(1, 2, confidence_level="95 %")),
    ],
)
def test_bad_counts_are_named(argument, call):
    with pytest.raises(ValueError, match=rf"^{argument}: expected .+, got .+"):
        call()


@pytest.mark.parametrize("n", [1, 2, 10, 1000])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_wilson_is_that_of_scipy(n, level):
    for successes in {0, 1, n // 3, n - 1, n}:
        theirs = stats.binomtest(successes, n).proportion_ci(confidence_level=level, method="wilson")
        found = wilson_interval(successes, n, confidence_level=level)
        assert found == pytest.approx((successes / n, theirs.low, theirs.high), abs=1e-14)
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_wilson_covers_on_average_and_the_usual_formula_too_little():
    """The coverage is a sum over all outcomes, no simulation."""
    n, shares = 20, np.linspace(0.01, 0.99, 99)
    z = stats.norm.ppf(0.975)
    outcomes = np.arange(n + 1)
    p = outcomes / n
    half = z * np.sqrt(p * (1 - p) / n)
    wilson = np.array([wilson_interval(k, n)[1:] for k in range(n + 1)])
    covered = {}
    for name, low, high in [("wilson", *wilson.T), ("usual", p - half, p + half)]:
        weight = stats.binom.pmf(outcomes[:, None], n, shares)
        covered[name] = (weight * ((low[:, None] <= shares) & (shares <= high[:, None]))).sum(axis=0)
    assert covered["wilson"].mean() == pytest.approx(0.95, abs=0.01)
    assert covered["usual"].mean() < 0.9
    assert covered["usual"].min() < 0.2 < 0.8 < covered["wilson"].min()
