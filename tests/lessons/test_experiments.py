"""The functions of the lesson on experiments beside statsmodels and SciPy; its simulations, in part, computed anew."""

import csv
import math
from collections import Counter

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import chisquare
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    power_proportions_2indep,
    test_proportions_2indep,
)

from benchmarks import experiments

LESSON = "experiments"

with experiments.FILE.open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
SHARES = {(row["study"], row["method"], int(row["n"])): float(row["share"]) for row in ROWS}

test_proportions_2indep.__test__ = False  # a function of statsmodels, not a test


@pytest.mark.parametrize("counts", [(10, 100, 20, 100), (20032, 50080, 20370, 49920), (1, 9, 7, 8), (5, 50, 5, 50)])
def test_rate_difference_is_that_of_statsmodels(lesson, counts):
    k_a, n_a, k_b, n_b = counts
    low, high = confint_proportions_2indep(k_b, n_b, k_a, n_a, method="wald")
    p = test_proportions_2indep(k_b, n_b, k_a, n_a, method="wald", correction=False).pvalue
    expected = k_b / n_b - k_a / n_a, low, high, p
    assert lesson["rate_difference"](*counts) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "counts", [(0, 9, 3, 9), (3, 9, 9, 9), (3, 9, 0, 9), (10, 9, 3, 9), (-1, 9, 3, 9), (0, 0, 0, 0)]
)
def test_rate_difference_refuses_counts_on_which_the_formula_has_no_error(lesson, counts):
    with pytest.raises(ValueError, match="k_a, k_b"):
        lesson["rate_difference"](*counts)


@pytest.mark.parametrize(("rate", "gain"), [(0.1, 0.01), (0.1, 0.005), (0.02, 0.001), (0.5, 0.02), (0.1, -0.01)])
def test_users_needed_find_the_gain_in_80_of_100_tests(lesson, rate, gain):
    n = lesson["users_needed"](rate, gain)
    found = power_proportions_2indep(gain, rate, n, alternative="two-sided")
    assert found.power == pytest.approx(0.8, abs=0.005)
    fewer = power_proportions_2indep(gain, rate, 0.9 * n, alternative="two-sided")
    assert fewer.power < 0.77


@pytest.mark.parametrize(("rate", "gain"), [(0.1, 0), (0, 0.1), (1, -0.1), (0.9, 0.1), (0.1, -0.1), (0.1, 1)])
def test_users_needed_refuses_rates_outside(lesson, rate, gain):
    with pytest.raises(ValueError, match="rate, gain"):
        lesson["users_needed"](rate, gain)


@pytest.mark.parametrize("planned", [0.5, 0.9, 1 / 3])
@pytest.mark.parametrize(("n_a", "n_b"), [(50600, 49400), (50080, 49920), (0, 12), (9, 1), (300, 600)])
def test_split_p_is_that_of_scipy(lesson, n_a, n_b, planned):
    n = n_a + n_b
    expected = chisquare([n_a, n_b], [planned * n, (1 - planned) * n]).pvalue
    assert lesson["split_p"](n_a, n_b, planned) == pytest.approx(expected, rel=1e-6, abs=1e-300)


@pytest.mark.parametrize(("n_a", "n_b", "planned"), [(0, 0, 0.5), (5, 5, 0), (5, 5, 1), (5, 5, 50)])
def test_split_p_refuses_no_users_and_no_plan(lesson, n_a, n_b, planned):
    with pytest.raises(ValueError, match="planned"):
        lesson["split_p"](n_a, n_b, planned)


@pytest.mark.parametrize("seed", range(5))
def test_click_rate_is_the_regression_with_errors_by_users(lesson, seed):
    """A mean of impressions, with statsmodels' errors clustered by user."""
    clicks, views = experiments.users(np.random.default_rng(seed), 40)
    clicked = np.concatenate([np.repeat([1, 0], [c, v - c]) for c, v in zip(clicks, views, strict=True)])
    groups = np.repeat(np.arange(40), views)
    fit = sm.OLS(clicked, np.ones(len(clicked))).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=False)
    assert lesson["click_rate"](clicks, views) == pytest.approx((fit.params[0], fit.bse[0]), rel=1e-9)


def test_click_rate_of_one_view_each_is_the_error_of_a_mean(lesson):
    clicks = np.array([1, 0, 0, 1, 1])
    assert lesson["click_rate"](clicks, [1] * 5) == pytest.approx((0.6, clicks.std(ddof=1) / math.sqrt(5)))
    assert lesson["click_rate"]([0, 0], [3, 5]) == (0, 0)


@pytest.mark.parametrize(("clicks", "views"), [([], []), ([1], [2]), ([1, 0], [2, 0]), ([1, 0], [2, 3, 4])])
def test_click_rate_refuses_users_without_views(lesson, clicks, views):
    with pytest.raises(ValueError, match="clicks, views"):
        lesson["click_rate"](clicks, views)


@pytest.mark.parametrize(("a", "b"), [("wxyz", "ywzx"), ("abc", "cba"), ("abcd", "efgh"), ("a", "a"), ("", "")])
def test_a_team_draft_is_fair(lesson, a, b):
    """Each list has the length of the first, each round both teams, and each pick is its team's best that was left."""
    for seed in range(40):
        drafted = list(lesson["team_draft"](a, b, np.random.default_rng(seed)).items())
        assert len(drafted) == len(a) == len({item for item, _ in drafted})
        for i, (item, team) in enumerate(drafted):
            before = [other for other, _ in drafted[:i]]
            assert item == next(x for x in (a if team == "a" else b) if x not in before)
        for i in range(0, len(a) - 1, 2):
            assert {team for _, team in drafted[i : i + 2]} == {"a", "b"}


def test_a_team_draft_refuses_a_list_that_repeats_an_item(lesson):
    with pytest.raises(ValueError, match="each item once"):
        lesson["team_draft"]("ww", "ww", np.random.default_rng(0))


def test_the_first_pick_is_decided_by_a_fair_coin(lesson):
    rng = np.random.default_rng(0)
    firsts = Counter(next(iter(lesson["team_draft"]("ab", "ba", rng).values())) for _ in range(2000))
    assert abs(firsts["a"] - 1000) < 100


def test_the_draft_of_the_simulation_is_that_of_the_lesson(lesson):
    """All 32 courses of coins, and those that the lesson's function takes."""
    rng = np.random.default_rng(1)
    scores = [rng.normal(size=(1, 10)).repeat(32, axis=0) for _ in range(2)]
    coins = (np.arange(32)[:, None] >> np.arange(5)) % 2 == 1
    mixed, teams = experiments.drafted(scores, coins)
    courses = {tuple(zip(items, team, strict=True)) for items, team in zip(mixed.tolist(), teams.tolist(), strict=True)}
    a, b = (np.argsort(-score[0]).tolist() for score in scores)
    of_lesson = set()
    for seed in range(400):
        course = lesson["team_draft"](a, b, np.random.default_rng(seed))
        of_lesson.add(tuple((item, "ab".index(team)) for item, team in course.items()))
    assert len(courses) == 32
    assert of_lesson == courses


def test_the_table_has_every_study():
    expected = [("ratio", way, n) for n in experiments.USERS for way in ("rows", "delta", "bootstrap")]
    for study in experiments.NOISE:
        expected += [(study, way, n) for n in experiments.IMPRESSIONS for way in ("A/B", "interleaving")]
    ways = ("once", "peeking", "Pocock", "O'Brien-Fleming", "always valid")
    expected += [(f"looks {study}", way, experiments.LOOKS) for way in ways for study in ("equal", "better", "users")]
    for study in ("equal", "better"):
        for way in ("plain", "CUPED"):
            expected += [(f"CUPED {study}", way, 500), (f"CUPED {study} contains", way, 500)]
    for n in (5000, 100_000):
        expected += [(f"margin {study}", "interval", n) for study in ("no loss", "the margin")]
    expected += [(f"split {study}", "chi squared", 100_000) for study in ("none lost", "lost")]
    expected += [("rare", way, 10_000) for way in ("rows", "days")]
    assert tuple(ROWS[0]) == experiments.HEAD
    assert list(SHARES) == expected


def test_the_designs_are_computed_anew():
    lines = [f"{row['study']},{row['method']},{row['n']},{row['share']}" for row in ROWS]
    anew = experiments.designs()
    assert lines[-len(anew) :] == anew


def test_the_boundaries_are_those_of_published_tables():
    """Pocock 2.672 and O'Brien and Fleming 2.126 for 20 looks at 5% (Jennison and Turnbull, 2000, tables 2.1, 2.3)."""
    z = np.random.default_rng(12).normal(size=(100_000, 20)).cumsum(axis=1) / np.sqrt(np.arange(1, 21))
    boundaries = experiments.boundaries(z)
    assert boundaries["Pocock"][0] == pytest.approx(2.672, abs=0.02)
    assert boundaries["O'Brien-Fleming"][-1] == pytest.approx(2.126, abs=0.02)


def test_the_true_click_rate_is_that_of_many_users(lesson):
    clicks, views = experiments.users(np.random.default_rng(2), 400_000)
    rate, error = lesson["click_rate"](clicks, views)
    assert rate == pytest.approx(experiments.TRUE_RATE, abs=4 * error)
    assert experiments.by_delta(clicks, views) == pytest.approx(error**2, rel=1e-9)


def test_the_shares_of_the_formulas_are_computed_anew():
    held = []
    for test in range(experiments.TESTS):
        rng = np.random.default_rng([50, test])
        arms = experiments.users(rng, 50), experiments.users(rng, 50)
        apart = abs(np.diff([clicks.sum() / views.sum() for clicks, views in arms])[0])
        ways = (experiments.by_rows, experiments.by_delta)
        held.append([apart <= 1.959964 * math.sqrt(sum(way(*arm) for arm in arms)) for way in ways])
    assert np.mean(held, axis=0).tolist() == [SHARES["ratio", "rows", 50], SHARES["ratio", "delta", 50]]


def test_some_tests_by_the_bootstrap_come_out_as_all_of_them():
    first = [experiments.holds(50, test)[2] for test in range(40)]
    assert np.mean(first) == pytest.approx(SHARES["ratio", "bootstrap", 50], abs=0.08)


def test_the_share_of_finds_is_that_of_fresh_impressions():
    """Tests of 4,000 impressions, drawn anew from the law and not from a pool."""
    rng = np.random.default_rng(3)
    live, new, mixed = (
        clicks.reshape(100, 4000) for clicks in experiments.impressions(rng, 100 * 4000, experiments.NOISE["better"])
    )
    live, new = live[:, :2000], new[:, 2000:]
    apart = (new.mean(1) - live.mean(1)) / np.sqrt((new.var(1, ddof=1) + live.var(1, ddof=1)) / 2000)
    together = mixed.mean(1) / mixed.std(1, ddof=1) * math.sqrt(4000)
    assert np.mean(apart > 1.96) == pytest.approx(SHARES["better", "A/B", 4000], abs=0.09)
    assert np.mean(together > 1.96) == pytest.approx(SHARES["better", "interleaving", 4000], abs=0.11)
