"""What book/lessons/uncertainty.ipynb says, held."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

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


def ends(found, digits=3):
    return [round(float(end), digits) for end in found[:3]]


@section("lesson-uncertainty")
def found_b(b, live):
    return paired_difference(b, live, rng=0)


@section("lesson-uncertainty")
def found_c(c, live):
    return paired_difference(c, live, rng=0)


@section("lesson-uncertainty")
def test_the_opening(axes, b, c, found_b, found_c, gain_b, gain_c, live):
    holds("a mean NDCG of 0.600 on 30 test queries")
    assert len(live) == len(b) == len(c) == 30 and math.isclose(live.mean(), 0.6)
    assert all(0 <= value <= 1 for system in (live, b, c) for value in system)
    holds("change B lifts the mean to 0.620, and change C lifts it to 0.640")
    assert math.isclose(b.mean(), 0.62) and math.isclose(c.mean(), 0.64)
    holds("B helps 19 queries a little and harms 7.")
    assert (gain_b > 0).sum() == 19 and (gain_b < 0).sum() == 7 and gain_b.max() < 0.1
    holds("C helps 14, some of them a lot, and harms 16.")
    assert (gain_c > 0).sum() == 14 and (gain_c < 0).sum() == 16 and (gain_c > 0.2).sum() > 5
    holds("about 95 of the intervals would include the true gain")
    rng_of_check = np.random.default_rng(5)
    for law in (gain_b, gain_c, gain_c - gain_b):
        tests = rng_of_check.choice(law, (40_000, 30))
        half = stats.t.ppf(0.975, 29) * tests.std(axis=1, ddof=1) / math.sqrt(30)
        assert 94 < 100 * np.mean(abs(tests.mean(axis=1) - law.mean()) <= half) < 95.5
    holds("B's gain is small, but more than luck.", "whose interval lies above 0")
    assert found_b.low > 0 and found_b.p_value < 0.001
    holds("C could be anything from a loss of 0.020 to a gain of 0.100.")
    assert ends(found_c)[1:] == [-0.02, 0.1] and found_c.p_value > 0.1


@section("lesson-uncertainty")
def test_c_is_not_told_from_b(b, c, found_b, found_c, live):
    """The decision: B if a loss is expensive, C if it is not, and neither is shown to be the better."""
    direct = paired_difference(c, b, rng=0)
    holds("C leads by 0.020, from -0.038 to 0.078", "These 30 queries do not tell C from B.")
    assert ends(direct) == [0.02, -0.038, 0.078] and direct.p_value > 0.4
    for method in ("percentile", "bca"):
        other = paired_difference(c, b, rng=0, method=method)
        assert other.low < 0 < other.high
    assert stats.ttest_rel(c, b).pvalue > 0.4 and stats.wilcoxon(np.round(c - b, 2)).pvalue > 0.4
    holds("C's higher mean is a reason to try it, though a weak one, as it rests on so wide an interval")
    assert found_c.high - found_c.low > 5 * (found_b.high - found_b.low)
    assert c.mean() > b.mean() and (paired_difference(c, b, rng=0, method="percentile").distribution > 0).mean() > 0.75
    holds("The mean gain of C is twice that of B, but its interval includes 0, and so does the interval for C less B.")
    assert math.isclose(found_c.value, 2 * found_b.value) and found_c.low < 0 < found_c.high
    assert direct.low < 0 < direct.high and len(live) == 30


@section("lesson-uncertainty")
def test_the_first_figure(axes, b, c, found_b, found_c, gain_b, gain_c):
    holds("Three panels of 30 upright bars each")
    assert len(axes) == 3 and all(len(ax.patches) == 30 for ax in axes)
    holds("the bars are short, from -0.02 to 0.09", "mean 0.02, 0.010 to 0.030")
    assert (round(gain_b.min(), 2), round(gain_b.max(), 2)) == (-0.02, 0.09)
    assert ends(found_b) == [0.02, 0.01, 0.03]
    holds("the bars run from -0.18 to 0.40", "mean 0.04, -0.020 to 0.100")
    assert (round(gain_c.min(), 2), round(gain_c.max(), 2)) == (-0.18, 0.4) and ends(found_c)[0] == 0.04
    holds("they run from -0.21 to 0.40", "mean 0.02, -0.038 to 0.078")
    assert (round((c - b).min(), 2), round((c - b).max(), 2)) == (-0.21, 0.4)


@section("In one line")
def test_in_one_line(b, found_b, gain_b, live):
    holds("is 0.02, from 0.010 to 0.030, with a p-value of 0.0003")
    assert ends(found_b) == [0.02, 0.01, 0.03] and round(found_b.p_value, 4) == 0.0003
    reach = np.array([gain_b.mean() + side * stats.t.ppf(0.975, 29) * stats.sem(gain_b) for side in (-1, 1)])
    assert np.allclose(reach, found_b[1:3])
    holds("The 95% confidence interval")
    assert found_b[1:3] == paired_difference(b, live, confidence_level=0.95, rng=0)[1:3]
    holds("Its $t$ is about 2: 2.045 for 30 queries.")
    assert round(stats.t.ppf(0.975, len(b) - 1), 3) == 2.045
    holds("says how often a coin that sets the signs $s_q = \\pm 1$ brings the sum at least as far from 0")
    size = np.abs(np.rint(100 * gain_b).astype(int))
    law = np.zeros(2 * size.sum() + 1)
    law[size.sum()] = 1
    for part in size:
        law = (np.roll(law, part) + np.roll(law, -part)) / 2
    far = abs(np.arange(len(law)) - size.sum()) >= round(100 * gain_b.sum())
    assert abs(law[far].sum() - 0.0005) < 5e-5 and abs(found_b.p_value - law[far].sum()) < 0.0005


@section("lesson-uncertainty-by-hand")
def test_by_hand(b, d, far, gain_b, live, means, signs):
    plus = signs[signs[:, 0] == 1] @ [3, 1, 4, 2]
    holds("On four queries a new engine gains 3, 1, 4 and -2 hundredths", "which is 6 in all, and 1.5 in MAP")
    assert len(d) == 4 and round(d.sum(), 2) == 0.06 and math.isclose(100 * d.mean(), 1.5)
    holds("With a plus before the 3 there are eight ways to set the others")
    assert len(plus) == 8 and sorted(-plus) == sorted(signs[signs[:, 0] == -1] @ [3, 1, 4, 2])
    assert plus.tolist() == [10, 6, 2, -2, 8, 4, 0, -4]
    holds("In three of the eight, the sum is at least 6 away from 0")
    assert (abs(plus) >= 6).sum() == 3 and far.mean() == 3 / 8
    holds(
        "If all four had been gains, $p$ would be 2/16 = 0.125, however large they were.",
        "which counts wins and losses, would say the same",
        "That takes at least six queries, whose smallest $p$ is 2/64 = 0.031.",
    )
    rng_of_check = np.random.default_rng(1)
    for size in range(2, 9):
        drawings = rng_of_check.exponential(size=(20, size))
        all_signs = np.array(list(itertools.product([1, -1], repeat=size)))
        least = {np.mean(abs(all_signs @ gains) >= gains.sum() - 1e-12) for gains in drawings}
        assert math.isclose(stats.binomtest(size, size).pvalue, 2 / 2**size)
        assert least == {2 / 2**size} and (2 / 2**size < 0.05) == (size >= 6)
        if size in (4, 6):
            assert least == {2 / 16 if size == 4 else 2 / 64} and min(least) == pytest.approx(
                0.125 if size == 4 else 0.031, abs=5e-4
            )
        mixed = drawings * rng_of_check.choice([-1, 1], drawings.shape)
        assert min(np.mean(abs(all_signs @ gains) >= abs(gains.sum()) - 1e-12) for gains in mixed) >= 2 / 2**size
    holds("The factor of 2.045 belongs to Student's t distribution.")
    assert round(stats.t.ppf(0.975, 29), 3) == 2.045
    holds("It is larger than the normal distribution's 1.96, because the standard deviation had to be estimated")
    assert round(stats.norm.ppf(0.975), 2) == 1.96
    sets = np.random.default_rng(2).normal(size=(200_000, 30))
    with_the_known, with_an_estimate = sets.mean(axis=1) * 30**0.5, sets.mean(axis=1) / stats.sem(sets, axis=1)
    assert abs(np.quantile(abs(with_the_known), 0.95) - 1.96) < 0.02
    assert abs(np.quantile(abs(with_an_estimate), 0.95) - 2.045) < 0.02
    holds("F1 and the AUC are not means over rows")
    merged = [f1_score([1, 0], [1, 1]), f1_score([0, 0], [0, 1]), f1_score([1, 0, 0, 0], [1, 1, 0, 1])]
    assert merged[2] != (merged[0] + merged[1]) / 2
    halves = [roc_auc_score([0, 1], [1, 2]), roc_auc_score([0, 1], [3, 4]), roc_auc_score([0, 1, 0, 1], [1, 2, 3, 4])]
    assert halves[2] != (halves[0] + halves[1]) / 2
    holds("The bootstrap agrees with the formula to about 0.001.")
    formula = paired_difference(b, live, rng=0)[1:3]
    assert np.allclose(np.quantile(means, [0.025, 0.975]), formula, atol=0.0012)
    holds("`bootstrap(np.mean, gain_b, rng=0)` draws the same resamples, and takes any metric in place of the mean.")
    assert np.allclose(means, bootstrap(np.mean, gain_b, rng=0).distribution)
    assert bootstrap(lambda y, s: float(np.corrcoef(y, s)[0, 1]), live, b, n_resamples=9, rng=0).value > 0.9
    holds("draws rows, each with its label and its prediction")
    labels = np.array([0, 1] * 15)
    assert bootstrap(f1_score, labels, labels, n_resamples=99, rng=0).low == 1
    assert bootstrap(f1_score, labels, np.ones(30, dtype=int), n_resamples=99, rng=0).low < 2 / 3


Z = 1.959963984540054


@section("lesson-uncertainty-width")
def test_how_many_queries(b, c, c_or_b, gain_c, needed, spread):
    holds(
        "The interval narrows with the square root of the number of queries, so four times the queries halve its width."
    )
    widths = [np.diff(bootstrap(np.mean, np.tile(gain_c, k), rng=0)[1:3])[0] for k in (1, 4, 16)]
    assert np.allclose(np.divide(widths[:-1], widths[1:]), 2, rtol=0.03)
    holds("120 queries, from -0.009 to 0.049, where the band is half as wide", "30 queries, from -0.037 to 0.077")
    edges = {q: [round(0.02 + side * 1.96 * spread / math.sqrt(q), 3) for side in (-1, 1)] for q in (10, 30, 120, 246)}
    assert edges[30] == [-0.037, 0.077] and edges[120] == [-0.009, 0.049]
    assert math.isclose(np.diff(edges[120])[0] / np.diff(edges[30])[0], 1 / 2, abs_tol=0.02)
    holds("At 10 queries it reaches from about -0.08 to 0.12.")
    assert np.allclose(edges[10], [-0.08, 0.12], atol=0.005)
    holds("Where the mean gain comes out in 95 of 100 tests")
    rng_of_check = np.random.default_rng(2)
    for size in (10, 30, 120, 300, 1000):
        tests = rng_of_check.choice(gain_c, (4000, size)).mean(axis=1)
        assert abs((abs(tests - 0.04) <= Z * spread / math.sqrt(size)).mean() - 0.95) < 0.012
    holds(
        'The lower edge crosses the line of 0 at a dot marked "246: found in 50 of 100 tests".', "505: found in 80 of"
    )
    assert edges[246][0] == 0 and queries_needed(0.02, spread, power=0.5) in range(246, 250)
    for size, power in ((246, 0.5), (505, 0.8)):
        tests = rng_of_check.normal(0.02, spread, (4000, size))
        errors = tests.std(axis=1, ddof=1) / math.sqrt(size)
        assert abs((tests.mean(axis=1) / errors > stats.t.ppf(0.975, size - 1)).mean() - power) < 0.03
    holds("takes 505 queries to find, and a true lead of 0.02 over B takes 476", "C was tested on 30.")
    assert (needed, c_or_b) == (505, 476) and len(gain_c) == 30
    assert c_or_b == queries_needed(0.02, (c - b).std(ddof=1))


@section("lesson-uncertainty-width")
def test_the_winners_curse(error, spread, ten_means):
    holds("That would ask for 128 queries")
    assert queries_needed(0.04, spread) == 128
    holds("the gain is probably too large, because a large mean is what made us look at C")
    rng_of_check = np.random.default_rng(6)
    truth = rng_of_check.normal(0, 0.02, (50_000, 10))
    shown = truth + rng_of_check.normal(0, error, truth.shape)
    winner = shown.argmax(axis=1)[:, None]
    gap = np.take_along_axis(shown, winner, 1) - np.take_along_axis(truth, winner, 1)
    assert (gap > 0).mean() > 0.8 and abs((shown - truth).mean()) < 0.001
    holds("It seems to gain 0.065, more than three times the truth.")
    assert round(ten_means.max(axis=1).mean(), 3) == 0.065 > 3 * 0.02 and ten_means.shape == (10_000, 10)
    holds("The effect that came out largest is too large on average")
    assert gap.mean() > 0.01


@section("lesson-uncertainty-width")
def test_what_p_does_not_say(found_c, spread):
    holds("C's $p$ of 0.19 does not mean that C gains nothing, since its interval includes 0.09 as well as 0.")
    assert round(found_c.p_value, 2) == 0.19 and found_c.low < 0 < 0.09 < found_c.high
    holds("with enough queries any gain becomes significant")
    for tiny in (0.04, 0.001, 0.0001):
        enough = queries_needed(tiny, spread, power=0.999)
        assert tiny / (spread / math.sqrt(enough)) > Z
    holds(
        "1,000 tests find 80 of the 100 better ones on average, and call 45 of the other 900 better or worse",
        "So 36% of the findings are luck.",
    )
    better, others = 1000 * 1 / 10, 1000 * 9 / 10
    assert (better, others, 0.8 * better) == (100, 900, 80) and math.isclose(0.05 * others, 45)
    rng_of_check = np.random.default_rng(3)
    truly = (Z + 0.8416) * (np.arange(200_000) % 10 == 0)
    finds = abs(rng_of_check.normal(truly)) > Z
    assert abs(finds[truly > 0].mean() - 0.8) < 0.01 and abs((truly[finds] == 0).mean() - 0.36) < 0.01 < spread


@section("lesson-uncertainty-blind", after="few_head")
def test_few_queries(rows):
    shown = {row[0]: [float(cell.rstrip("%")) for cell in row[1:]] for row in rows}
    holds("The percentile interval is too narrow for few queries.", "With six of them it excludes 0 in 15% of the sets")
    by_size = [shown[n][0] for n in (6, 10, 20, 30, 100)]
    assert by_size == sorted(by_size, reverse=True) and round(by_size[0]) == 15 and by_size[2] > 6.5
    holds("The t interval keeps its promise, and so does the p-value")
    assert all(abs(row[1] - 5) < 0.6 and row[2] < 5.6 for row in shown.values())
    holds("which with six queries can be 2/64 or 4/64 but nothing between")
    flips = np.array(list(itertools.product([1, -1], repeat=6)))
    drawings = np.random.default_rng(4).normal(size=(500, 6))
    values = {64 * np.mean(abs(flips @ one) >= abs(one.sum()) - 1e-12) for one in drawings}
    assert {2.0, 4.0} <= values and 3.0 not in values and min(values) == 2
    holds("the last column counts how often the p-value contradicts it")
    assert all(row[3] <= row[0] for row in shown.values()) and shown[6][3] > 10
    assert by_size[3] > 6 > by_size[4]
    holds("Below some 30 queries, use the t interval or the p-value", "`paired_difference` does so by default")
    sample = np.random.default_rng(5).normal(size=8)
    by_default, by_t = (paired_difference(sample, 0 * sample, rng=0, **how) for how in ({}, {"method": "t"}))
    assert by_default[1:3] == by_t[1:3]
    holds("for example exponentially distributed, 11% of its intervals miss the truth with six queries and 7% with 30")
    for size, share in ((6, 11), (30, 7)):
        drawn_sets = np.random.default_rng(6).exponential(size=(100_000, size)) - 1
        half = stats.t.ppf(0.975, size - 1) * stats.sem(drawn_sets, axis=1)
        assert round(100 * np.mean(abs(drawn_sets.mean(axis=1)) > half)) == share
    holds(
        "We draw 4,000 sets of normal differences whose true mean is 0, for each of five sizes",
        "With 4,000 sets, luck can move it to 4.3% or 5.7%.",
    )
    luck = np.random.default_rng(7).binomial(4000, 0.05, 100_000) / 40
    assert np.quantile(luck, [0.025, 0.975]).round(1).tolist() == [4.3, 5.7] and len(shown) == 5


@section("lesson-uncertainty-blind")
def test_what_it_cannot_see(axes, coverage, looks, names):
    held = {(row["measure"], row["n"]): row for row in coverage}
    holds("on 2,000 sets for each row and size")
    shares = np.concatenate([coverage[method] for method in looks])
    shares = shares[~np.isnan(shares)]
    assert np.allclose(shares * 2000, np.round(shares * 2000))
    by_rows, by_users = (
        [round(held["click rate by " + way, users]["percentile"], 2) for users in (20, 200)]
        for way in ("rows", "users")
    )
    holds(
        "includes the true click rate for only 76% of the sets of 20 users",
        "An interval that draws whole users (`groups=`) does so for 94%.",
    )
    assert by_rows[0] == 0.76 and by_users[0] == 0.94 and by_users[1] > 0.93
    holds("With 200 users, the first interval still does so for only 75%.")
    assert by_rows[1] == 0.75
    rng_of_check = np.random.default_rng(7)
    holds("the classes do not overlap at all in 64% of the sets", "Each resample of such a set has an AUC of 1")
    apart = []
    for positive in rng_of_check.random((4000, 20)) < 0.5:
        score = rng_of_check.normal(size=20) + 3.29 * positive
        apart.append(score[positive].min(initial=9) > score[~positive].max(initial=-9))
    assert abs(np.mean(apart) - 0.64) < 0.02 and math.isclose(0.5 + math.erf(3.29 / 2) / 2, 0.99, abs_tol=1e-4)
    assert np.isclose([held["AUC near 1", 20]["truth"], held["accuracy", 20]["truth"]], [0.99, 0.95]).all()
    assert set(bootstrap(roc_auc_score, [0] * 10 + [1] * 10, range(20), n_resamples=99, rng=0).distribution) == {1}
    holds("For a true accuracy of 0.95, Wilson's formula covers 92%, where percentiles cover 65%.")
    assert (round(held["accuracy", 20]["formula"], 2), round(held["accuracy", 20]["percentile"], 2)) == (0.92, 0.65)
    holds("to percentiles with few samples, to all three methods for an AUC near 1, and to click rates by rows")
    assert max(row["percentile"] for row in held.values() if row["n"] == 20) < 0.94
    assert all(held["AUC near 1", n][way] < 0.94 for n in (20, 200) for way in looks) and max(by_rows) < 0.8
    holds("A mark more than 0.01 to the left of the line at 0.95 is hardly the luck of 2,000 sets")
    assert round(2 * math.sqrt(0.95 * 0.05 / 2000), 2) == 0.01 and coverage["truth"].max() < 1
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
    assert len(axes) == 2


@section("lesson-uncertainty-blind")
def test_wrong_labels(coverage):
    holds("Suppose that 5% of 100,000 binary labels are wrong at random.")
    label_wrong, call_wrong = np.random.default_rng(8).random((2, 100_000)) < 0.05
    agree = int((label_wrong == call_wrong).sum())
    assert wilson_interval(agree, 100_000, confidence_level=0.999).low < 0.905
    assert wilson_interval(agree, 100_000, confidence_level=0.999).high > 0.905
    holds(
        "A classifier that is right in 95% of cases then shows an accuracy of 0.905",
        "with an interval from 0.903 to 0.907, which is narrow and wrong",
    )
    shown = wilson_interval(round(100_000 * (0.95 * 0.95 + 0.05 * 0.05)), 100_000)
    assert math.isclose(shown.value, 0.905) and ends(shown)[1:] == [0.903, 0.907]
    holds("No interval sees it.")
    for wrong_labels in (0.01, 0.05, 0.2):
        right = round(100_000 * (0.95 * (1 - wrong_labels) + 0.05 * wrong_labels))
        assert not wilson_interval(right, 100_000).low <= 0.95 <= wilson_interval(right, 100_000).high
    assert len(coverage) > 0


@section("lesson-uncertainty-choices")
def test_the_choices_for_c(c, gain_c, live):
    asked = {"t": [-0.02, 0.1], "percentile": [-0.013, 0.098], "bca": [-0.01, 0.103]}
    holds("-0.020 to 0.100", "-0.013 to 0.098", "-0.010 to 0.103")
    assert {how: ends(paired_difference(c, live, rng=0, method=how))[1:] for how in asked} == asked
    by_scipy = stats.ttest_rel(c, live).confidence_interval()
    assert np.allclose(by_scipy, paired_difference(c, live, rng=0)[1:3])
    holds("90% instead of 95%", "a test in one direction at 5%")
    narrower = paired_difference(c, live, rng=0, confidence_level=0.9)
    assert ends(narrower)[1:] == [-0.01, 0.09]
    assert np.isclose(stats.ttest_rel(c, live, alternative="greater").confidence_interval(0.95)[0], narrower.low)
    holds("p = 0.19", "p = 0.18", "p = 0.60")
    assert round(paired_difference(c, live, rng=0).p_value, 2) == 0.19
    assert round(stats.ttest_rel(c, live).pvalue, 2) == 0.18
    assert round(stats.wilcoxon(np.round(gain_c, 2)).pvalue, 2) == 0.6
    holds("C's mean rests on a few large gains, so this test sees even less of it than the t-test does")
    assert stats.wilcoxon(np.round(gain_c, 2)).pvalue > 3 * stats.ttest_rel(c, live).pvalue
    tamed = np.where(gain_c > 0.1, 0.19, gain_c)  # the same ranks, smaller gains
    assert stats.ttest_rel(tamed, 0 * tamed).pvalue > 2 * stats.ttest_rel(c, live).pvalue


@section("lesson-uncertainty-choices")
def test_the_choices_for_flights():
    """The decision: by whole days neither the AUC nor the accuracy of the trees is shown to be another."""
    flights = np.genfromtxt("cases/flights.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    flights = flights[flights["month"] >= 10]
    late, first, other = flights["late"], flights["logistic"], flights["trees"]
    holds("on the 4,140 flights of October to December", "with a threshold of 1/6")
    assert len(late) == 4140 and set(flights["month"].tolist()) == {10, 11, 12}
    holds("0.692 to 0.738", "-0.011 to 0.019")
    assert ends(delong_interval(late, first))[1:] == [0.692, 0.738]
    holds("the AUCs of 0.715 and 0.711 may well be equal, $p = 0.61$")
    two_areas = delong_test(late, first, other)
    assert ends(two_areas)[:2] == [0.715, 0.711] and ends(two_areas[2:]) == [0.004, -0.011, 0.019]
    assert round(two_areas.p_value, 2) == 0.61
    holds("0.691 to 0.719")
    right = int(((first >= 1 / 6) == late).sum())
    assert ends(wilson_interval(right, 4140))[1:] == [0.691, 0.719]
    holds("the accuracies clearly differ, as the regression alone is right on 330 flights and the trees alone on 449")
    both = mcnemar_test(late, (first >= 1 / 6).astype(int), (other >= 1 / 6).astype(int))
    assert both[:2] == (330, 449) and round(both.p_value, 5) == 0.00002
    holds("the flights of one day share its weather")
    day = np.unique(flights["day"], return_inverse=True)[1]
    shuffled = [np.random.default_rng(seed).permutation(day) for seed in range(100)]
    late_of = [np.var(np.bincount(own, late) / np.bincount(own)) for own in (day, *shuffled)]
    assert late_of[0] > max(late_of[1:])
    holds("the trees' lead in accuracy of 0.029 may be anything from -0.005 to 0.060", "these data do not decide it")
    of_trees, of_first = (((scores >= 1 / 6) == late) * 1.0 for scores in (other, first))
    by_days = bootstrap(np.mean, of_trees - of_first, groups=day, rng=0)
    assert ends(by_days) == [0.029, -0.005, 0.06]
    areas = {"groups": day, "n_resamples": 500, "rng": 0}
    two_by_days = bootstrap(lambda y, a, b: roc_auc_score(y, a) - roc_auc_score(y, b), late, first, other, **areas)
    assert two_by_days.low < two_areas.low < 0 < two_areas.high < two_by_days.high
    holds("all four formulas treat flights as independent")
    of_flights = bootstrap(np.mean, of_trees - of_first, rng=0)
    of_formulas = [delong_interval(late, first), two_areas[2:5], wilson_interval(right, 4140), of_flights]
    of_days = [
        bootstrap(roc_auc_score, late, first, **areas),
        two_by_days,
        bootstrap(np.mean, of_first, **areas),
        by_days,
    ]
    assert all(by_day[1] < one[1] and one[2] < by_day[2] for one, by_day in zip(of_formulas, of_days, strict=True))
    assert len(of_formulas) == 4 and both.p_value < 0.05
    holds("that interval asks only what other days of these same months would have shown")
    leads = [np.mean((of_trees - of_first)[flights["month"] == month]) for month in (10, 11, 12)]
    assert max(leads) - min(leads) > 0.01


@section("lesson-uncertainty-choices")
def test_paired_or_not(b, found_b, gain_b, live):
    holds("The two intervals overlap almost entirely")
    ends_of = [bootstrap(np.mean, system, rng=0)[1:3] for system in (live, b)]
    overlap = min(ends_of[0][1], ends_of[1][1]) - max(ends_of[0][0], ends_of[1][0])
    assert overlap > 0.85 * np.diff(ends_of[0])[0]
    holds("overlapping intervals do not exclude a difference")
    assert overlap > 0 and found_b.low > 0 and found_b.p_value < 0.001
    holds("A hard query is hard for both engines, and the difference takes that out.")
    assert np.corrcoef(live, b)[0, 1] > 0.99 and gain_b.std() < live.std() / 5
    unpaired = paired_difference(np.sort(b), np.roll(np.sort(live), 15), rng=0)
    assert unpaired.low < 0 < unpaired.high
    holds("draw the live engine (A) and B separately, and the interval of the difference includes 0")
    own_draws = [bootstrap(np.mean, system, rng=seed).distribution for seed, system in enumerate((live, b))]
    bottom, top = np.quantile(own_draws[1] - own_draws[0], [0.025, 0.975])
    assert bottom < 0 < top


def holm_of(p):
    """The p-values that Holm's method returns, in the order given."""
    order = np.argsort(p)
    adjusted = np.maximum.accumulate(np.minimum(np.asarray(p)[order] * np.arange(len(p), 0, -1), 1))
    return adjusted[np.argsort(order)]


@section("lesson-uncertainty-choices", after="fdr = ")
def test_multiple_comparisons(fdr, holm, p):
    holds("The chance that at least one of them looks like a gain or a loss is $1 - 0.95^{20}$, which is 64%.")
    luck = np.random.default_rng(3).random((20_000, 20))
    assert abs((luck < 0.05).any(axis=1).mean() - 0.64) < 0.015 and round(1 - 0.95**20, 2) == 0.64
    holds("with p-values of 0.0003, 0.19 and 0.49")
    assert [round(p[0], 4), *np.round(p[1:], 2)] == [0.0003, 0.19, 0.49]
    holds("keeps the chance of even one false positive at the level", "Holm promises the same and never finds less.")
    corrected = np.minimum(20 * luck, 1)
    assert abs((corrected <= 0.05).any(axis=1).mean() - 0.05) < 0.01
    assert abs(np.mean([(holm_of(one) <= 0.05).any() for one in luck[:5000]]) - 0.05) < 0.01
    grid = [0.001, 0.012, 0.02, 0.04, 0.3]
    assert all((holm_of(ps) <= np.minimum(4 * np.array(ps), 1)).all() for ps in itertools.product(grid, repeat=4))
    holds("It multiplies the smallest p-value by 3, the next by 2 and the last by 1")
    assert np.allclose(holm, holm_of(p)) and (np.diff(p) > 0).all()
    holds("They multiply by 3/1, 3/2 and 3/3", "the expected share of false positives among the findings, at the level")
    assert np.allclose(fdr, stats.false_discovery_control(p))
    rng_of_check = np.random.default_rng(9)
    shares = []
    for _ in range(3000):
        effect = np.where(np.arange(20) < 5, 3.0, 0.0)
        ps = 2 * stats.norm.sf(abs(rng_of_check.normal(effect)))
        finds = stats.false_discovery_control(ps) <= 0.05
        shares.append((finds & (effect == 0)).sum() / max(finds.sum(), 1))
    assert np.mean(shares) < 0.05
    holds("B's gain stays below 0.05 under all three.")
    assert max(3 * p[0], holm[0], fdr[0]) < 0.05 < min(holm[1], fdr[1])
    holds("none of them undoes the winner's curse")
    shown = rng_of_check.normal(0.02, 0.029, (20_000, 10))
    winners = shown.max(axis=1)
    found = 2 * stats.norm.sf(winners / 0.029) * 10 <= 0.05
    assert winners[found].mean() > 3 * 0.02


@section("lesson-uncertainty-choices")
def test_merged_rows(gain_b):
    def weighted_mean(value, sample_weight):
        return np.average(value, weights=sample_weight)

    value, count = np.unique(gain_b, return_counts=True)
    by_count = bootstrap(weighted_mean, value, sample_weight=count, rng=0)
    holds("B's 30 gains, for example, take 11 different values.")
    assert len(value) == 11 and count.sum() == len(gain_b) == 30
    assert np.allclose(by_count[:3], bootstrap(np.mean, gain_b, rng=0)[:3], atol=0.0006)
    holds("`bootstrap` draws 30 queries anew by their counts", "which is a draw from the multinomial distribution")
    means_of_draws = np.random.default_rng(0).multinomial(30, count / 30, size=9999) @ value / 30
    assert np.allclose(np.quantile(means_of_draws, [0.025, 0.975]), by_count[1:3], atol=0.0006)
    holds("it draws 11 merged rows as if each were a single query, and the interval is wrong")
    by_row = bootstrap(weighted_mean, value, count, rng=0)
    assert by_row.high - by_row.low > 1.5 * (by_count.high - by_count.low)


@section("lesson-uncertainty-case")
def test_on_real_data(ax, columns, offers, parts, popular, shop, similar, single, whole, whole_customers):
    """The decision: ship similar, as its lead is above the break-even of 0.01."""
    holds("ten offers by each of two recommenders to 1,200 customers of a British shop")
    assert all((~np.isnan(shop[name])).sum() == 10 * len(np.unique(shop["customer"])) == 12000 for name in columns[1:3])
    holds("The share of ten offers that a customer bought is a P@10")
    first_ten = offers["bought"][offers["customer"] == offers["customer"].min()]
    assert len(first_ten) == 10 and similar[0] == first_ten.mean()
    holds("leads by 0.026, and its interval, 0.020 to 0.032, lies wholly above 0.01, where it begins to pay")
    assert ends(whole) == [0.026, 0.02, 0.032] and whole.low > 0.01
    by_draws = paired_difference(similar, popular, rng=0, method="percentile")
    assert np.allclose(by_draws[:3], whole[:3], atol=0.0002)
    missed = [not part.low <= whole.value <= part.high for part in parts]
    holds("Eleven of the twelve intervals include the lead of all.", "One interval misses the lead of all")
    assert len(parts) == 12 and sum(missed) == 1
    assert whole[1:3] == paired_difference(similar, popular, confidence_level=0.95, rng=0)[1:3]
    holds("in twelve tests of 100 customers and in all of them")
    assert len(similar) == 1200 == 12 * 100
    holds("Twelve dots with upright bars side by side")
    assert len(ax.containers) == 13
    holds("A line at 0.026 goes through eleven of the twelve bars; the first, from 0.026 to 0.070, lies just above it")
    assert missed == [True] + [False] * 11 and ends(parts[0])[1:] == [0.026, 0.07]
    holds("Of the twelve bars, nine lie above 0, and four of these lie above a dotted line at 0.01")
    assert sum(part.low > 0 for part in parts) == 9 and sum(part.low > 0.01 for part in parts) == 4
    holds("only four of the twelve tests would have shipped similar", "The others would have said that the data do not")
    assert all(part.low <= 0.01 < part.high for part in parts if part.low <= 0.01)
    holds(
        "a lead of 0.02, twice the break-even",
        "To tell it from 0.01 with a power of 80% takes 804 customers, and the file holds 1,200.",
    )
    assert queries_needed(0.02 - 0.01, (similar - popular).std(ddof=1)) == 804 < len(similar)
    holds("the interval is 1.4 times as wide, because a customer who buys one offer is more likely to buy another")
    assert round(np.diff(whole_customers[1:3])[0] / np.diff(single[1:3])[0], 1) == 1.4
    holds("The square of that ratio, 1.9, estimates the design effect, by which the variance grows.")
    assert round((np.diff(whole_customers[1:3])[0] / np.diff(single[1:3])[0]) ** 2, 1) == 1.9
    of_rows, of_customers = offers["bought"].var() / 12000, similar.var() / 1200
    assert abs(of_customers / of_rows - 1.9) < 0.15
    share = offers["bought"].mean()
    sold = 10 * similar
    assert (sold * (sold - 1)).sum() / (9 * sold.sum()) > 1.5 * share
    holds("single offers, or customers with all ten of theirs")
    assert (np.unique(offers["customer"], return_counts=True)[1] == 10).all()


@section("Try it")
def test_small_gain(half):
    proved("The interval runs from a loss of 0.004 to a gain of 0.010, which is three times what was seen.")
    assert [round(0.003 + side * half, 3) for side in (-1, 1)] == [-0.004, 0.01] and 0.003 + half >= 3 * 0.003
    assert math.isclose(0.812 - 0.809, 0.003)
    holds(
        "2,183 queries would find a gain of 0.003 in 80 of 100 tests.",
        "How many queries would it take to find a true gain of 0.003 in 80 of 100 tests?",
    )
    assert queries_needed(0.003, 0.05, power=0.8) == 2183
    holds("These 200 queries do not show it, because the interval includes 0.")
    assert 0.003 - half < 0 < 0.003 + half
    holds("with so many queries the interval reaches about 1.96 of these to each side")
    assert abs(stats.t.ppf(0.975, 199) - 1.96) < 0.02


@section("Try it")
def test_four_changes(fdr, holm, p):
    holds("Bonferroni keeps one, Holm keeps two, and Benjamini and Hochberg keep two.")
    assert [int((one < 0.05).sum()) for one in (4 * p, holm, fdr)] == [1, 2, 2]
    assert np.allclose(holm, holm_of(p)) and np.allclose(fdr, stats.false_discovery_control(p))
    holds("Holm multiplies 0.015 by 3 and not by 4, because one null hypothesis has already been rejected.")
    assert math.isclose(holm[1], 3 * 0.015) and holm[0] < 0.05 <= 4 * 0.015
    holds("come close to keeping the third, at 0.053")
    assert round(fdr[2], 3) == 0.053


@section("Further")
def test_further():
    holds("the formula for one AUC and for two on the same rows")
    assert len(delong_interval([0, 0, 1, 1], [1, 3, 2, 4])) == 3
    assert delong_test([0, 0, 1, 1], [1, 3, 2, 4], [1, 2, 3, 4])[:2] == (0.75, 1)
    holds("tests two shares on the same samples")
    assert mcnemar_test([1, 1], [1, 0], [0, 1]).p_value == 1


@section("lesson-uncertainty-width")
def test_unchecked_how_good_is_a_gain_of():
    unchecked("A power of 80% is the usual aim", "a convention of the field")
    unchecked("because a smaller gain would not pay for the slower engine", "a price, and so a choice")


@section("lesson-uncertainty-blind")
def test_unchecked_what_it_cannot_see():
    unchecked("each user brings ten impressions, and users differ in how much they like to click", "drawn so")


@section("lesson-uncertainty-case")
def test_unchecked_on_real_data():
    unchecked("so every rate below is a rate among these", "it says what the customers are")
    unchecked("what buyers of the customer's own products bought", "the script makes the offers")
    unchecked(
        "They are drawn from the customers who came back and bought something new to them", "the script draws them"
    )
    unchecked("which is about what 95% allows", "one in twenty is 5%")


@section("Further")
def test_unchecked_further():
    unchecked("None of the documents gives an interval with a number.", "read")
    unchecked("compare five tests on runs of TREC", "read")
    unchecked("the AUC as a probability that nine messages estimate roughly", "that chapter draws them")
