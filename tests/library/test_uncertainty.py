"""Intervals and tests: by definition, by SciPy, on every small case, and by simulation where the truth is known."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.api import OLS
from statsmodels.stats.power import TTestPower

from metrics_lib import UndefinedMetricWarning, f1_score, ndcg, roc_auc_score, uncertainty
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


def silently(call, *arguments, **options):
    """Without the sentence on interval and p-value, which differ where there are few queries."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call(*arguments, **options)


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


def test_groups_are_drawn_whole():
    result = bootstrap(roc_auc_score, Y, S, groups=USERS, n_resamples=200, rng=7)
    rows = [np.concatenate([ROWS_OF[group] for group in groups]) for groups in drawn(5, 200, 7)]
    assert result.distribution.tolist() == [roc_auc_score(Y[some], S[some]) for some in rows]


@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize(
    "groups", [None, np.arange(60) // 5, np.arange(60) ** 2 % 12], ids=["rows", "equal", "unequal"]
)
@pytest.mark.parametrize("values", [np.arange(60.0) % 7, (np.arange(60) % 10 == 0) / 1], ids=["many", "few"])
def test_the_mean_difference_is_drawn_as_any_metric(values, groups, method):
    """Many resamples at a time; those that equal the value still do, as BCa counts them as half below."""
    settings = {"groups": groups, "method": method, "n_resamples": 700}
    fast = silently(paired_difference, values, np.zeros(60), rng=1, **settings)
    slow = bootstrap(np.mean, values, rng=1, **settings)
    assert fast.distribution == pytest.approx(slow.distribution, rel=1e-13)
    assert fast[:3] == pytest.approx(slow[:3], rel=1e-13)
    assert len(set(values)) > 2 or np.count_nonzero(fast.distribution == fast.value) > 50


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


def test_merged_rows_are_drawn_as_the_rows_that_they_stand_for():
    y, s, n = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1, 0.3, 0.5], np.array([20, 15, 40, 60, 4, 8])
    auc = lambda y, s, sample_weight=None: roc_auc_score(y, s, sample_weight=sample_weight)  # noqa: E731
    for method in ("percentile", "bca"):
        merged = bootstrap(auc, y, s, sample_weight=n, method=method, n_resamples=4000, rng=0)
        rows = bootstrap(auc, np.repeat(y, n), np.repeat(s, n), method=method, n_resamples=4000, rng=0)
        assert merged.value == pytest.approx(rows.value, rel=1e-14)
        assert (merged.low, merged.high) == pytest.approx((rows.low, rows.high), abs=0.01)
        assert merged.distribution.std() == pytest.approx(rows.distribution.std(), rel=0.05)
    draws = np.random.default_rng(7)
    expected = [roc_auc_score(y, s, sample_weight=draws.multinomial(n.sum(), n / n.sum())) for _ in range(50)]
    assert bootstrap(auc, y, s, sample_weight=n, n_resamples=50, rng=7).distribution.tolist() == expected
    wrong = silently(bootstrap, lambda y, s, n: auc(y, s, sample_weight=n), y, s, n, n_resamples=400, rng=0)
    assert wrong.high - wrong.low > 2 * (merged.high - merged.low)  # what comes of drawing six merged rows


def test_of_merged_rows_in_groups_the_groups_are_drawn():
    weights = np.arange(1, 21)
    auc = lambda y, s, sample_weight=None: roc_auc_score(y, s, sample_weight=sample_weight)  # noqa: E731
    result = bootstrap(auc, Y, S, groups=USERS, sample_weight=weights, n_resamples=50, rng=7)
    rows = [np.concatenate([ROWS_OF[group] for group in groups]) for groups in drawn(5, 50, 7)]
    assert result.distribution.tolist() == [roc_auc_score(Y[i], S[i], sample_weight=weights[i]) for i in rows]


@pytest.mark.parametrize("counts", [[1, 0.5], [1, -1], [1, 2, 3], [0, 0], [1, 0], [1e300, 1e300], ["1", "2"]])
def test_counts_that_are_none_are_refused(counts):
    with pytest.raises(ValueError, match="^sample_weight: expected .*, got "):
        bootstrap(lambda x, sample_weight: 1.0, [1, 2], sample_weight=counts)


def test_groups_may_be_days():
    days = np.array(["2026-11-01", "2026-11-02", "2026-11-03"], dtype="datetime64[D]").repeat([6, 6, 8])
    for groups in (days, days.astype(str), pd.Series(days), days.astype(float), list(days.tolist())):
        result = bootstrap(np.mean, S, groups=groups, n_resamples=50, rng=0)
        assert (
            result.distribution.tolist()
            == bootstrap(
                np.mean, S, groups=np.repeat([0, 1, 2], [6, 6, 8]), n_resamples=50, rng=0
            ).distribution.tolist()
        )


def test_an_infinite_value_is_carried_to_the_end_that_it_reaches():
    assert bootstrap(np.mean, [1.0, math.inf, 3], rng=0)[:3] == (math.inf, 1, math.inf)
    spread = bootstrap(lambda x: 1 / np.ptp(x) if np.ptp(x) else math.inf, [1.0, 2, 3], rng=0)
    assert (spread.value, spread.low, spread.high, spread.n_undefined) == (0.5, 0.5, math.inf, 0)
    few = bootstrap(lambda x: -math.inf if x.max() == 1 else float(x.max()), [1.0, 2, 3, 4, 5, 6], rng=0)
    assert few.low > -math.inf  # one resample in 46,656
    with pytest.raises(ValueError, match="^metric: expected one that is finite without any one row .*, got inf"):
        bootstrap(np.mean, [1.0, math.inf, 3], method="bca", rng=0)


def test_why_bca_is_refused_where_all_resamples_are_equal():
    with pytest.raises(ValueError, match="^method: expected 'percentile' .* as where all are equal, got 'bca'"):
        bootstrap(np.mean, [1e4] * 35, method="bca")


LEVELS = {
    "bootstrap": lambda level: bootstrap(np.mean, [1, 2], confidence_level=level, rng=0),
    "paired_difference": lambda level: paired_difference([1, 2, 4], [3, 1, 2], confidence_level=level, rng=0),
    "delong_interval": lambda level: delong_interval([0, 1, 0, 1], [1, 2, 3, 4], confidence_level=level),
    "wilson_interval": lambda level: wilson_interval(1, 3, confidence_level=level),
    "queries_needed": lambda level: queries_needed(1, 1, confidence_level=level),
}


@pytest.mark.parametrize("call", LEVELS.values(), ids=LEVELS)
def test_levels_are_checked_alike(call):
    for level in (10**400, -(10**400), 0, 1, 1.5, math.nan, "0.95", True, None):
        with pytest.raises(ValueError, match="^confidence_level: expected a number between 0 and 1, got "):
            call(level)
    call(0.9999999999999999)


# Paired difference


@given(st.lists(st.sampled_from([-2, -1, -0.5, 0, 0.1, 0.2, 0.3, 1]), min_size=2, max_size=7))
def test_the_p_value_counts_all_signs(differences):
    total = abs(sum(map(Fraction, differences)))
    signs = list(itertools.product([1, -1], repeat=len(differences)))
    further = sum(
        abs(sum(s * Fraction(d) for s, d in zip(sign, differences, strict=True))) >= total - Fraction(1, 10**12)
        for sign in signs
    )
    found = silently(paired_difference, differences, np.zeros(len(differences)), n_resamples=200, rng=0)
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
    alone = silently(paired_difference, a, b, n_resamples=100, rng=0)
    together = silently(paired_difference, a, b, groups=[1, 1, 2, 2], n_resamples=100, rng=0)
    assert (alone.p_value, together.p_value) == (2 / 16, 2 / 4)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_t_interval_is_that_of_scipy(differences, level):
    assume(np.std(differences) > 1e-6)
    found = silently(paired_difference, differences, np.zeros(len(differences)), confidence_level=level, rng=0)
    theirs = stats.ttest_1samp(differences, 0).confidence_interval(level)
    assert (found.low, found.high) == pytest.approx(tuple(theirs), rel=1e-9, abs=1e-12)
    assert found.distribution.shape == (0,)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999999])
@pytest.mark.parametrize("degrees", [1, 2, 3, 10, 58, 59, 1000, 10**6])
def test_quantiles_of_student_are_those_of_scipy(level, degrees):
    assert uncertainty._t_quantile(level, degrees) == pytest.approx(stats.t.ppf((1 + level) / 2, degrees), rel=2e-9)


def test_the_t_interval_of_groups_is_that_of_a_regression_with_clustered_errors():
    rng = np.random.default_rng(3)
    groups, d = rng.integers(9, size=60), rng.normal(0.3, 1, 60)
    found = paired_difference(d, np.zeros(60), groups=groups, rng=0)
    theirs = OLS(d, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True).conf_int()[0]
    # statsmodels multiplies the variance by (n - 1)/(n - p), which is 1 here
    assert (found.low, found.high) == pytest.approx(tuple(theirs), rel=1e-9)
    each = [d[groups == group].mean() for group in range(9)]
    same_size = np.repeat(each, 4), np.zeros(36)
    found = paired_difference(*same_size, groups=np.repeat(range(9), 4), rng=0)
    assert (found.low, found.high) == pytest.approx(tuple(stats.ttest_1samp(each, 0).confidence_interval()), rel=1e-9)


def test_student_covers_best_where_there_are_few_queries():
    """The figures of the docstring: how many of 100 intervals miss the truth."""
    rng = np.random.default_rng(1)
    missed = {}
    for n in (5, 10, 20, 50):
        sets = rng.normal(size=(2000, n))
        means = np.stack([sets[:, rng.integers(n, size=n)].mean(axis=1) for _ in range(999)])
        low, high = np.quantile(means, [0.025, 0.975], axis=0)
        # The same places are drawn for all sets: independent sets, so each is a fair trial of its own.
        half = stats.t.ppf(0.975, n - 1) * sets.std(axis=1, ddof=1) / math.sqrt(n)
        missed[n] = [100 * np.mean((low > 0) | (high < 0)), 100 * np.mean(np.abs(sets.mean(axis=1)) > half)]
    by_percentiles, by_t = zip(*missed.values(), strict=True)
    assert by_percentiles == pytest.approx((15, 10, 8, 6), abs=2)
    assert by_t == pytest.approx((5, 5, 5, 5), abs=1.5)
    of_skewed = []
    for n in range(5, 10):
        skewed = rng.exponential(size=(8000, n)) - 1
        half = stats.t.ppf(0.975, n - 1) * skewed.std(axis=1, ddof=1) / math.sqrt(n)
        of_skewed.append(100 * np.mean(np.abs(skewed.mean(axis=1)) > half))
    assert max(of_skewed) == pytest.approx(11, abs=1)


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_an_interval_and_a_p_value_that_contradict_each_other_say_so(method):
    a, b = [0.9, 0.5, 0.8, 0.4, 0.7], [0.8, 0.4, 0.6, 0.1, 0.6]
    with pytest.warns(UserWarning, match=r"^0 lies outside .* is 0.0625; of 5 queries or groups none"):
        found = paired_difference(a, b, method=method, rng=0)
    assert found.low > 0
    rng, contradictions = np.random.default_rng(4), 0
    for _ in range(200):
        d = rng.normal(0.5, 1, 8)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = paired_difference(d, np.zeros(8), method=method, n_resamples=256, rng=1)
        contradictory = (found.p_value <= 0.05) == (found.low <= 0 <= found.high)
        assert len(said) == contradictory
        contradictions += contradictory
    assert contradictions > 5


def test_the_p_value_is_uniform_where_there_is_no_difference():
    rng = np.random.default_rng(11)
    sets = rng.normal(size=(2000, 6))
    p_values = np.array([silently(paired_difference, d, np.zeros(6), n_resamples=64, rng=0).p_value for d in sets])
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


@pytest.mark.parametrize(("effect", "sets"), [(1.2, 4000), (1, 4000), (0.5, 2500), (0.2, 1600)])
def test_so_many_queries_find_the_difference_as_often_as_was_asked(effect, sets):
    """By the very test: the power is within three points of 80%, with four standard errors of the simulation below."""
    n = queries_needed(-effect / 4, 0.25)
    rng, rejected = np.random.default_rng(int(10 * effect)), 0
    for d in rng.normal(effect, 1, (sets, n)):
        rejected += uncertainty._sign_flips(d, 256 if n < 9 else 499, rng) <= 0.05
    assert rejected / sets == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(("effect", "n"), [(1.5, 7), (2, 6)])
def test_where_p_values_have_large_steps_a_difference_is_found_at_least_as_often(effect, n):
    """Six queries would find 1.5 standard deviations in 66 of 100 tests: p can be 2/64 there, or 4/64."""
    assert queries_needed(effect, 1) == n
    rng = np.random.default_rng(n)
    assert np.mean([uncertainty._sign_flips(d, 256, rng) <= 0.05 for d in rng.normal(effect, 1, (3000, n))]) > 0.8


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 0.8])
def test_so_many_queries_are_those_of_the_t_test(effect, power, level):
    theirs = TTestPower().solve_power(effect, alpha=1 - level, power=power)
    assert queries_needed(effect, 1, power=power, confidence_level=level) == pytest.approx(theirs, abs=2.2)


@pytest.mark.parametrize(("level", "least"), [(0.5, 2), (0.9, 5), (0.95, 6), (0.99, 8), (0.9375, 5)])
def test_so_few_queries_that_the_test_cannot_reject_are_never_enough(level, least):
    assert queries_needed(100, 1, confidence_level=level) == least
    assert 2 / 2**least <= 1 - level < 2 / 2 ** (least - 1)
    p_values = [silently(paired_difference, np.ones(n), np.zeros(n), rng=0).p_value for n in (max(least - 1, 2), least)]
    assert least == 2 or p_values[0] > 1 - level
    assert p_values[1] <= 1 - level


def test_half_the_difference_takes_four_times_the_queries():
    assert queries_needed(0.005, 0.1) == pytest.approx(4 * queries_needed(0.01, 0.1), abs=8)


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
