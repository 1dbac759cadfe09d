"""What book/lessons/uncertainty.ipynb says, held."""

import itertools
import math

import numpy as np
import pytest

from metrics_lib import f1_score, roc_auc_score
from metrics_lib.uncertainty import (
    bootstrap,
    delong_interval,
    delong_test,
    mcnemar_test,
    paired_difference,
    queries_needed,
    wilson_interval,
)
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-uncertainty")
def found_b(b, live):
    return paired_difference(b, live, rng=0, method="percentile")


@section("lesson-uncertainty")
def found_c(c, live):
    return paired_difference(c, live, rng=0, method="percentile")


@section("lesson-uncertainty")
def test_the_opening(axes, b, c, found_b, found_c, gain_b, gain_c, live):
    holds("a mean NDCG of 0.600 on 30 test queries")
    assert len(live) == len(b) == len(c) == 30 and math.isclose(live.mean(), 0.6)
    assert all(0 <= value <= 1 for system in (live, b, c) for value in system)
    holds("Change B lifts it to 0.620, change C to 0.640.")
    assert math.isclose(b.mean(), 0.62) and math.isclose(c.mean(), 0.64)
    holds("B helps 19 queries a little and harms 7.")
    assert (gain_b > 0).sum() == 19 and (gain_b < 0).sum() == 7 and gain_b.max() < 0.1
    holds("C helps 14, some of them a lot, and harms 16.")
    assert (gain_c > 0).sum() == 14 and (gain_c < 0).sum() == 16 and (gain_c > 0.2).sum() > 5
    holds("The mean of C is twice as large, and its interval holds 0.")
    assert math.isclose(found_c.value, 2 * found_b.value) and found_c.low < 0 < found_c.high
    holds("B's gain is small and more than luck; C's may well be anything from a loss of 0.013 to a gain of 0.098.")
    assert found_b.low > 0 and found_b.p_value < 0.05 < found_c.p_value
    assert [round(end, 3) for end in found_c[1:3]] == [-0.013, 0.098]
    holds("95 of 100 such intervals should hold the true gain")
    rng_of_check = np.random.default_rng(5)
    for law in (gain_b, gain_c):
        tests = rng_of_check.choice(law, (400, 30))
        drawings = [test[rng_of_check.integers(30, size=(500, 30))].mean(axis=1) for test in tests]
        bottom, top = np.quantile(drawings, [0.025, 0.975], axis=1)
        assert abs(100 * np.mean((bottom <= law.mean()) & (law.mean() <= top)) - 95) < 4
    holds("Two panels of 30 upright bars each")
    assert len(axes) == 2 and all(len(ax.patches) == 30 for ax in axes)
    holds("the bars are short, from -0.02 to 0.09, and 19 point up")
    assert (round(gain_b.min(), 2), round(gain_b.max(), 2)) == (-0.02, 0.09)
    holds("mean 0.02, 0.011 to 0.030")
    assert [round(end, 3) for end in found_b[:3]] == [0.02, 0.011, 0.03]
    holds("they run from -0.18 to 0.40, and 16 point down")
    assert (round(gain_c.min(), 2), round(gain_c.max(), 2)) == (-0.18, 0.4)


@section("In one line")
def test_in_one_line(b, found_b, live):
    holds("is 0.02, from 0.011 to 0.030, with a p-value of 0.0007")
    assert [round(end, 3) for end in found_b[:3]] == [0.02, 0.011, 0.03] and round(found_b.p_value, 4) == 0.0007
    holds("The 95 % confidence interval")
    assert (
        len([b, live]) == 2
        and found_b[1:3] == paired_difference(b, live, confidence_level=0.95, rng=0, method="percentile")[1:3]
    )


@section("lesson-uncertainty-by-hand")
def test_by_hand(b, d, far, gain_b, live, means, signs):
    plus = signs[signs[:, 0] == 1] @ [3, 1, 4, 2]
    holds("On four queries a new engine gains 3, 1, 4 and -2 hundredths of average precision, 6 in all, 1.5 in MAP.")
    assert len(d) == 4 and round(d.sum(), 2) == 0.06 and math.isclose(100 * d.mean(), 1.5)
    holds("With a plus before the 3 there are eight ways to set the signs; a minus gives the same sums turned round")
    assert len(plus) == 8 and sorted(-plus) == sorted(signs[signs[:, 0] == -1] @ [3, 1, 4, 2])
    assert plus.tolist() == [10, 6, 2, -2, 8, 4, 0, -4]
    holds("In three of the eight the sum is at least 6 from 0")
    assert (abs(plus) >= 6).sum() == 3 and far.mean() == 3 / 8
    holds(
        "Had all four been gains, $p$ would be 2/16 = 0.125, however large",
        "to be called significant, below 0.05, takes six queries",
    )
    rng_of_check = np.random.default_rng(1)
    for size in range(2, 9):
        drawings = rng_of_check.exponential(size=(20, size))
        every = np.array(list(itertools.product([1, -1], repeat=size)))
        least = {np.mean(abs(every @ gains) >= gains.sum() - 1e-12) for gains in drawings}
        assert least == {2 / 2**size} and (2 / 2**size < 0.05) == (size >= 6)
        if size in (4, 6):
            assert least == {2 / 16 if size == 4 else 2 / 64} and min(least) == pytest.approx(
                0.125 if size == 4 else 0.031, abs=5e-4
            )
        mixed = drawings * rng_of_check.choice([-1, 1], drawings.shape)
        assert min(np.mean(abs(every @ gains) >= abs(gains.sum()) - 1e-12) for gains in mixed) >= 2 / 2**size
    holds("`bootstrap(np.mean, gain_b, rng=0)` draws the same.", "It takes any metric in place of the mean")
    assert np.allclose(means, bootstrap(np.mean, gain_b, rng=0).distribution)
    assert bootstrap(lambda y, s: float(np.corrcoef(y, s)[0, 1]), live, b, n_resamples=9, rng=0).value > 0.9
    holds("draws rows, each with its label and its prediction")
    labels = np.array([0, 1] * 15)
    assert bootstrap(f1_score, labels, labels, n_resamples=99, rng=0).low == 1
    assert bootstrap(f1_score, labels, np.ones(30, dtype=int), n_resamples=99, rng=0).low < 2 / 3


@section("lesson-uncertainty-width")
def test_how_good_is_a_gain_of_0(found_c, gain_c, spread):
    z = 1.959963984540054
    holds("this narrows with the root of the number of queries: four times the queries, half the width")
    widths = [np.diff(bootstrap(np.mean, np.tile(gain_c, k), rng=0)[1:3])[0] for k in (1, 4, 16)]
    assert np.allclose(np.divide(widths[:-1], widths[1:]), 2, rtol=0.03)
    holds("four times the queries, half the width")
    assert 120 == 4 * 30 and math.isclose(math.sqrt(30) / math.sqrt(120), 1 / 2)
    holds("Where the mean gain comes out in 95 of 100 tests")
    rng_of_check = np.random.default_rng(2)
    for size in (10, 30, 120, 300, 1000):
        tests = rng_of_check.choice(gain_c, (4000, size)).mean(axis=1)
        assert abs((abs(tests - 0.04) <= z * spread / math.sqrt(size)).mean() - 0.95) < 0.012
    holds("At 10 queries it reaches from about -0.06 to 0.14.")
    edges = {q: [round(0.04 + side * z * spread / math.sqrt(q), 3) for side in (-1, 1)] for q in (10, 30, 61, 120)}
    assert np.allclose(edges[10], [-0.06, 0.14], atol=0.005)
    holds("30 queries, from -0.017 to 0.097, and 120 queries, from 0.011 to 0.069, where it is half as wide")
    assert edges[30] == [-0.017, 0.097] and edges[120] == [0.011, 0.069]
    holds(
        "The lower edge crosses the line of 0 at a dot at 61 queries, named 61: found in 50 of 100 tests.",
        "128: found in 80 of 100",
    )
    assert edges[61][0] == 0 and queries_needed(0.04, spread, power=0.5) in (63, 64)
    for size, power in ((61, 0.5), (128, 0.8)):
        tests = rng_of_check.normal(0.04, spread, (4000, size))
        errors = tests.std(axis=1, ddof=1) / math.sqrt(size)
        assert abs((tests.mean(axis=1) / errors > z).mean() - power) < 0.03
    holds("A gain of 0.04 with C's spread takes 128; C had 30.")
    assert queries_needed(0.04, spread) == 128 and len(gain_c) == 30
    holds("That C has $p = 0.18$ does not mean that it gains nothing: the interval holds 0 and 0.09 alike.")
    assert round(found_c.p_value, 2) == 0.18 and found_c.low < 0 < 0.09 < found_c.high
    holds("enough queries make any gain significant")
    for tiny in (0.04, 0.001, 0.0001):
        enough = queries_needed(tiny, spread, power=0.999)
        assert tiny / (spread / math.sqrt(enough)) > z
    holds(
        "If one change in ten is better and the others change nothing, 1,000 tests at 80 % power find on average 80",
        "80 of the 100 better ones, and call 45 of the other 900 better or worse: 36 % of the finds are luck",
    )
    better, others = 1000 * 1 / 10, 1000 * 9 / 10
    assert (better, others, 0.8 * better) == (100, 900, 80) and math.isclose(0.05 * others, 45)
    truly = (z + 0.8416) * (np.arange(200_000) % 10 == 0)
    finds = abs(rng_of_check.normal(truly)) > z
    assert abs(finds[truly > 0].mean() - 0.8) < 0.01 and abs((truly[finds] == 0).mean() - 0.36) < 0.01


@section("lesson-uncertainty-blind")
def test_what_it_cannot_see(axes, coverage, looks, names):
    held = {(row["measure"], row["n"]): row for row in coverage}
    holds("`benchmarks/coverage.py` draws 2,000 sets and counts")
    shares = np.concatenate([coverage[method] for method in looks])
    shares = shares[~np.isnan(shares)]
    assert np.allclose(shares * 2000, np.round(shares * 2000))
    by_rows, by_users = (
        [round(held["click rate by " + way, users]["percentile"], 2) for users in (20, 200)]
        for way in ("rows", "users")
    )
    holds(
        "an interval for the click rate by rows held the truth in 76 % of the sets of 20 users, by whole users",
        "by whole users (`groups=`) in 94 %",
    )
    assert by_rows[0] == 0.76 and by_users[0] == 0.94 and by_users[1] > 0.93
    holds("More users do not mend it: with 200 it is 75 %.")
    assert by_rows[1] == 0.75
    holds("the classes do not overlap in 64 % of the sets; no resample says less than 1")
    rng_of_check = np.random.default_rng(4)
    apart = []
    for positive in rng_of_check.random((4000, 20)) < 0.5:
        score = rng_of_check.normal(size=20) + 3.29 * positive
        apart.append(score[positive].min(initial=9) > score[~positive].max(initial=-9))
    assert abs(np.mean(apart) - 0.64) < 0.02 and math.isclose(0.5 + math.erf(3.29 / 2) / 2, 0.99, abs_tol=1e-4)
    assert np.isclose([held["AUC near 1", 20]["truth"], held["accuracy", 20]["truth"]], [0.99, 0.95]).all()
    assert set(bootstrap(roc_auc_score, [0] * 10 + [1] * 10, range(20), n_resamples=99, rng=0).distribution) == {1}
    holds("For an accuracy of 0.95 Wilson's formula held in 92 % where percentiles held in 65 %.")
    assert (round(held["accuracy", 20]["formula"], 2), round(held["accuracy", 20]["percentile"], 2)) == (0.92, 0.65)
    holds("as with few samples by percentiles, for an AUC near 1 by all three methods, and for click rates by rows")
    assert max(row["percentile"] for row in held.values() if row["n"] == 20) < 0.94
    assert all(held["AUC near 1", n][way] < 0.94 for n in (20, 200) for way in looks) and max(by_rows) < 0.8
    holds("More than 0.01 left of the line, 0.95, is hardly the luck of 2,000 sets")
    assert round(2 * math.sqrt(0.95 * 0.05 / 2000), 2) == 0.01
    holds("AUC and F1 lie between 0.89 and 0.97, AP at 0.80 and 0.84, accuracy at 0.65 but for its triangle at 0.92")
    marks = {key: [round(row[way], 2) for way in looks if not np.isnan(row[way])] for key, row in held.items()}
    assert all(0.89 <= mark <= 0.97 for name in ("mean reciprocal rank", "AUC", "F1") for mark in marks[name, 20])
    assert marks["AP of scores", 20] == [0.8, 0.84] and marks["accuracy", 20] == [0.65, 0.65, 0.92]
    holds("AUC near 1 at 0.36, the click rate at 0.76 by rows and 0.94 by users")
    assert marks["AUC near 1", 20] == [0.36] * 3
    holds(
        "With 200, AUC near 1 lies between 0.86 and 0.94, the click rate by rows at 0.75, the others between 0.93 and"
    )
    assert (min(marks["AUC near 1", 200]), max(marks["AUC near 1", 200])) == (0.86, 0.94)
    few = ("AUC near 1", "click rate by rows")
    assert all(0.93 <= mark <= 0.97 for name in names if name not in few for mark in marks[name, 200])
    holds("Let 5 % of 100,000 binary labels be wrong at random")
    label_wrong, call_wrong = rng_of_check.random((2, 100_000)) < 0.05
    assert abs((label_wrong == call_wrong).mean() - 0.905) < 0.004
    holds(
        "a classifier that is right in 95 % of cases shows an accuracy of 0.905",
        "with an interval from 0.903 to 0.907, sure and wrong",
    )
    shown = wilson_interval(round(100_000 * (0.95 * 0.95 + 0.05 * 0.05)), 100_000)
    assert math.isclose(shown.value, 0.905) and [round(end, 3) for end in shown[1:]] == [0.903, 0.907]
    holds("No interval sees it.")
    for wrong_labels in (0.01, 0.05, 0.2):
        right = round(100_000 * (0.95 * (1 - wrong_labels) + 0.05 * wrong_labels))
        assert not wilson_interval(right, 100_000).low <= 0.95 <= wilson_interval(right, 100_000).high


@section("lesson-uncertainty-choices")
def test_the_choices(b, found_b, gain_b, gain_c, live):
    flights = np.genfromtxt("cases/flights.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    late, first, other = flights["late"], flights["logistic"], flights["boosted"]
    assert [round(end, 3) for end in bootstrap(np.mean, gain_c, rng=0)[1:3]] == [-0.013, 0.098]
    assert [round(end, 3) for end in bootstrap(np.mean, gain_c, method="bca", rng=0)[1:3]] == [-0.010, 0.104]
    holds("90 %, not 95 %")
    assert [round(end, 3) for end in bootstrap(np.mean, gain_c, confidence_level=0.9, rng=0)[1:3]] == [-0.005, 0.089]
    assert bootstrap(np.mean, gain_c, confidence_level=0.95, rng=0)[1:3] == bootstrap(np.mean, gain_c, rng=0)[1:3]
    assert [round(end, 3) for end in delong_interval(late, first)[1:]] == [0.682, 0.720]
    holds("two AUCs: DeLong")
    assert first.shape == other.shape
    holds("the AUCs of 0.701 and 0.698 may well be equal")
    two_areas = delong_test(late, first, other)
    assert [round(part, 3) for part in two_areas[:5]] == [0.701, 0.698, 0.003, -0.011, 0.017]
    assert round(two_areas.p_value, 2) == 0.67 and len(late) == 6000
    right = int(((first >= 0.2) == late).sum())
    assert [round(end, 3) for end in wilson_interval(right, 6000)[1:]] == [0.736, 0.758]
    holds("at a threshold of 0.2 the logistic regression alone is right on 479 flights, the trees alone on 575")
    both = mcnemar_test(late, (first >= 0.2).astype(int), (other >= 0.2).astype(int))
    assert both[:2] == (479, 575) and round(both.p_value, 3) == 0.003
    holds("those of a day share its weather")
    day = np.unique(flights["day"], return_inverse=True)[1]
    shuffled = [np.random.default_rng(seed).permutation(day) for seed in range(100)]
    late_of = [np.var(np.bincount(own, late) / np.bincount(own)) for own in (day, *shuffled)]
    assert late_of[0] > max(late_of[1:])
    holds("by whole days the trees' lead in accuracy, 0.016, may be anything from -0.015 to 0.044")
    of_trees, of_first = (((scores >= 0.2) == late) * 1 for scores in (other, first))
    by_days = bootstrap(np.mean, of_trees - of_first, groups=day, rng=0)
    assert [round(end, 3) for end in by_days[:3]] == [0.016, -0.015, 0.044]
    areas = {"groups": day, "n_resamples": 500, "rng": 0}
    two_by_days = bootstrap(lambda y, a, b: roc_auc_score(y, a) - roc_auc_score(y, b), late, first, other, **areas)
    assert two_by_days.low < two_areas.low < 0 < two_areas.high < two_by_days.high
    holds("all four formulas take flights as independent")
    of_flights = bootstrap(np.mean, of_trees - of_first, rng=0)
    of_formulas = [delong_interval(late, first), two_areas[2:5], wilson_interval(right, 6000), of_flights]
    of_days = [
        bootstrap(roc_auc_score, late, first, **areas),
        two_by_days,
        bootstrap(np.mean, of_first, **areas),
        by_days,
    ]
    assert all(by_day[1] < one[1] and one[2] < by_day[2] for one, by_day in zip(of_formulas, of_days, strict=True))
    assert len(of_formulas) == 4 and both.p_value < 0.05
    holds("their intervals overlap nearly whole")
    ends_of = [bootstrap(np.mean, system, rng=0)[1:3] for system in (live, b)]
    overlap = min(ends_of[0][1], ends_of[1][1]) - max(ends_of[0][0], ends_of[1][0])
    assert overlap > 0.85 * np.diff(ends_of[0])[0]
    holds("Overlapping intervals do not exclude a difference.")
    assert overlap > 0 and found_b.low > 0 and found_b.p_value < 0.001
    holds("a hard query is hard for both, and the difference takes that out")
    assert np.corrcoef(live, b)[0, 1] > 0.99 and gain_b.std() < live.std() / 5
    unpaired = paired_difference(np.sort(b), np.roll(np.sort(live), 15), rng=0, method="percentile")
    assert unpaired.low < 0 < unpaired.high
    holds("draw the live engine (A) and B apart: the interval holds 0")
    own_draws = [bootstrap(np.mean, system, rng=seed).distribution for seed, system in enumerate((live, b))]
    bottom, top = np.quantile(own_draws[1] - own_draws[0], [0.025, 0.975])
    assert bottom < 0 < top
    holds("Try 20 changes that do nothing, each on other queries and at 5 %, and the chance that any of them looks")
    luck = np.random.default_rng(3).random((10_000, 20))
    assert (
        abs((luck < 0.05).any(axis=1).mean() - 0.64) < 0.015
        and abs((luck < 0.05 / 20).any(axis=1).mean() - 0.05) < 0.01
    )


@section("lesson-uncertainty-case")
def test_on_real_data(ax, columns, offers, parts, popular, shop, similar, whole):
    holds("ten offers to each of 1,200 customers of a British shop by two recommenders")
    assert all((~np.isnan(shop[name])).sum() == 10 * len(np.unique(shop["customer"])) == 12000 for name in columns[1:3])
    holds("The share of ten offers that a customer bought is a P@10")
    first_ten = offers["bought"][offers["customer"] == offers["customer"].min()]
    assert len(first_ten) == 10 and similar[0] == first_ten.mean()
    holds("The lead is 0.026, from 0.020 to 0.032: the lower end is above 0.01, too.")
    assert np.round(whole[:3], 3).tolist() == [0.026, 0.02, 0.032] and whole.low > 0.01
    missed = [not part.low <= whole.value <= part.high for part in parts]
    holds("Eleven of the twelve hold the lead of all.", "here one of twelve the lead of all")
    assert len(parts) == 12 and sum(missed) == 1
    assert whole[1:3] == paired_difference(similar, popular, confidence_level=0.95, rng=0, method="percentile")[1:3]
    holds("in twelve tests of 100 customers and in all of them")
    assert len(similar) == 1200 == 12 * 100
    holds("Twelve dots with upright bars side by side")
    assert len(ax.containers) == 13
    holds("A line at 0.026 goes through eleven of the twelve bars; the first, from 0.027 to 0.070, lies above it")
    assert missed == [True] + [False] * 11 and np.round(parts[0][1:3], 3).tolist() == [0.027, 0.07]
    holds("Of the twelve bars, nine lie above 0, five of these above a dotted line at 0.01.")
    assert sum(part.low > 1e-9 for part in parts) == 9 and sum(part.low > 0.01 for part in parts) == 5
    holds("No: five of the twelve tests would have shipped *similar*.")
    assert sum(part.low > 0.01 for part in parts) == 5
    holds("By customers the interval is 1.4 times as wide: who buys one offer is likelier to buy another.")
    both_ways = [
        bootstrap(np.mean, offers["bought"], groups=groups, n_resamples=2000, rng=0)[1:3]
        for groups in (None, offers["customer"])
    ]
    assert round(np.diff(both_ways[1])[0] / np.diff(both_ways[0])[0], 1) == 1.4
    share = offers["bought"].mean()
    sold = 10 * similar
    assert (sold * (sold - 1)).sum() / (9 * sold.sum()) > 1.5 * share
    holds("single offers, or customers with all ten")
    assert (np.unique(offers["customer"], return_counts=True)[1] == 10).all()


@section("Try it")
def test_try_it(half):
    proved("From -0.004 to 0.010: it holds 0, and a gain three times as large.")
    assert [round(0.003 + side * half, 3) for side in (-1, 1)] == [-0.004, 0.01] and 0.003 + half >= 3 * 0.003
    assert math.isclose(0.812 - 0.809, 0.003)
    holds("2,183 queries would find a gain of 0.003 in 80 of 100 tests.")
    assert queries_needed(0.003, 0.05, power=0.8) == 2183


@section("Further")
def test_further():
    proved("Four times the queries, half the width")
    assert math.sqrt(4) == 1 / (1 / 2)
    holds("the formula for one AUC and for two on the same rows")
    assert len(delong_interval([0, 0, 1, 1], [1, 3, 2, 4])) == 3
    assert delong_test([0, 0, 1, 1], [1, 3, 2, 4], [1, 2, 3, 4])[:2] == (0.75, 1)
    holds("tests two shares on the same samples")
    assert mcnemar_test([1, 1], [1, 0], [0, 1]).p_value == 1


@section("lesson-uncertainty-width")
def test_unchecked_how_good_is_a_gain_of():
    unchecked("80 % is usual", "a convention of the field")


@section("lesson-uncertainty-blind")
def test_unchecked_what_it_cannot_see():
    unchecked("Where users differ and each brings ten rows", "the script draws them so")
    unchecked("today's test queries are not tomorrow's", "nothing in the data says so")


@section("lesson-uncertainty-case")
def test_unchecked_on_real_data():
    unchecked("what buyers of the customer's own products bought", "the script makes the offers")
    unchecked("pays if it sells one product more in a hundred offers", "what it costs is the shop's")
    unchecked("About one 95 % interval in twenty misses the truth", "what 95 % means")


@section("Further")
def test_unchecked_further():
    unchecked("No document gives a number its interval", "read")
    unchecked("compare five tests on runs of TREC", "read")
    unchecked("the AUC as a probability that nine messages estimate roughly", "that chapter draws them")
