"""What book/lessons/experiments.ipynb says, held."""

import math
from statistics import NormalDist

import numpy as np
from scipy.stats import fisher_exact, t, ttest_ind
from statsmodels.stats.proportion import proportions_ztest

from benchmarks import experiments
from metrics_lib import ndcg
from metrics_lib.uncertainty import queries_needed
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-experiments")
def compared(tests):
    """Lift and standard error of each pair, in points."""

    def pair(old, new):
        (k_a, n_a), (k_b, n_b) = tests[old], tests[new]
        a, b = k_a / n_a, k_b / n_b
        return 100 * (b - a), 100 * math.sqrt(a * (1 - a) / n_a + b * (1 - b) / n_b)

    return {(old, new): pair(old, new) for old, new in (("live", "B"), ("live", "C"), ("C", "B"))}


@section("lesson-experiments")
def test_the_opening(axes, compared, half, tests):
    holds("Two new rankers, B and C")
    assert list(tests) == ["live", "B", "C"]
    ends = {pair: [round(d + side * 1.96 * e, 1) for side in (-1, 0, 1)] for pair, (d, e) in compared.items()}
    holds("B's lift is the larger one")
    assert compared["live", "B"][0] > compared["live", "C"][0] > 0
    holds("but B and C differ by 0.2 points, with an interval from -0.4 to 0.8", "with a bar from -0.4 to 0.8")
    assert ends["C", "B"] == [-0.4, 0.2, 0.8]
    holds("The clicks do not tell B from C.")
    assert ends["C", "B"][0] < 0 < ends["C", "B"][2]
    holds("B's arm counted 1,200 fewer users than the live one, a gap that fair coins reach in 15 of 100,000 tests")
    far_off = 2 * NormalDist().cdf(-600 / math.sqrt((tests["B"][1] + tests["live"][1]) / 4))
    assert tests["B"][1] + 1200 == tests["live"][1] and round(100_000 * far_off) == 15
    holds(
        "If these users came and did not click, B's lift is almost gone: 20,254 clickers against 20,240.",
    )
    assert (tests["B"][0], tests["live"][0]) == (20_254, 20_240)
    assert 0 < 100 * (20_254 - 20_240) / tests["live"][1] < 0.1 * compared["live", "B"][1]
    holds("its lift is 0.8 points (95% interval 0.2 to 1.4)")
    assert ends["live", "C"] == [0.2, 0.8, 1.4]
    holds("Corrected for two tests, its p-value is 0.02.")
    assert round(2 * math.erfc(np.divide(*compared["live", "C"]) / math.sqrt(2)), 2) == 0.02
    holds("C's arm is complete")
    assert abs(tests["C"][1] - tests["live"][1]) < 2 * math.sqrt(tests["C"][1] + tests["live"][1])
    holds("the band that contains 95 of 100 fair coins")
    coins = np.random.default_rng(0).binomial(100_000, 0.5, 100_000) / 1000
    assert abs((abs(coins - 50) <= half).mean() - 0.95) < 0.003
    holds("Two panels with three rows: B less live, C less live, and B less C.")
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["B less\nlive", "C less\nlive", "B less\nC"]
    holds("a square at 1.0 points with a bar from 0.4 to 1.6", "a dot at 0.8 with a bar from 0.2 to 1.4")
    assert ends["live", "B"] == [0.4, 1.0, 1.6]
    holds('a grey band marked "fair coins" reaches from 49.7% to 50.3%')
    assert [round(50 + side * half, 1) for side in (-1, 1)] == [49.7, 50.3]
    holds(
        "The dot of C and live lies in it, at 50.0%; the square of B and live and the diamond of B and C, both at 49.4%"
    )
    shares = [100 * tests[new][1] / (tests[new][1] + tests[old][1]) for old, new in compared]
    assert [round(share, 1) for share in shares] == [49.4, 50.0, 49.4]
    assert [abs(share - 50) < half for share in shares] == [False, True, False]


@section("In one line")
def test_in_one_line(compared, tests):
    lift, error = (value / 100 for value in compared["live", "C"])
    holds("`rate_difference(20240, 50600, 20612, 50520)` is 0.008, from 0.002 to 0.014, with a p-value of 0.0096")
    assert tests["live"] == (20_240, 50_600) and tests["C"] == (20_612, 50_520)
    assert [round(lift + side * 1.96 * error, 3) for side in (0, -1, 1)] == [0.008, 0.002, 0.014]
    p = math.erfc(lift / error / math.sqrt(2))
    assert round(p, 4) == 0.0096
    holds("and says how often the lift would then be at least as many standard errors from 0")
    equal = np.random.default_rng(1).binomial(50_000, 0.4, (100_000, 2)) / 50_000
    errors = np.sqrt((equal * (1 - equal) / 50_000).sum(axis=1))
    in_errors = abs(np.diff(equal)[:, 0]) / errors
    assert abs((in_errors >= lift / error).mean() - p) < 0.001
    holds("The *standard error* SE says how much the lift varies from test to test")
    assert math.isclose(np.diff(equal).std(), errors.mean(), rel_tol=0.01)
    holds("the variance of the users' values replaces $p(1 - p)$")
    assert math.isclose(np.repeat([0, 1], [90, 10]).var(), 0.1 * 0.9)


@section("lesson-experiments-by-hand")
def test_by_hand(far, rate_difference, ways):
    holds(r"The lift is 0.1, give or take $1.96 \cdot 0.05 = 0.098$.")
    by_hand = rate_difference(10, 100, 20, 100)
    assert np.allclose(by_hand[:3], [0.1, 0.1 - 0.098, 0.1 + 0.098])
    assert math.isclose(math.sqrt(0.1 * 0.9 / 100 + 0.2 * 0.8 / 100), 0.05)
    holds("The p-value is 0.073 rather than 0.046.")
    assert round(far / sum(ways), 3) == 0.073 and sum(ways) == math.comb(200, 100) and round(by_hand[3], 3) == 0.046
    holds("For two shares this is *Fisher's exact test*")
    assert math.isclose(fisher_exact([[10, 90], [20, 80]]).pvalue, far / sum(ways))
    holds(
        "if 15% of the 100 users click in both arms, it raises 3 false alarms", "in 100 tests, and the formula raises 5"
    )
    deals = np.array([[math.comb(m, k) * math.comb(200 - m, 100 - k) for k in range(101)] for m in range(89)], float)
    chance = np.array([math.comb(100, k) * 0.15**k * 0.85 ** (100 - k) for k in range(101)])
    finds = np.zeros(2)
    for i, j in np.ndindex(45, 45):
        as_far = abs(2 * np.arange(101) - i - j) >= abs(i - j)
        by_deal = deals[i + j][as_far].sum() / math.comb(200, 100) <= 0.05
        by_formula = i * j > 0 and rate_difference(i, 100, j, 100)[3] <= 0.05
        finds += chance[i] * chance[j] * np.array([by_deal, by_formula])
    assert np.round(100 * finds).tolist() == [3, 5]


@section("lesson-experiments-power")
def test_how_good_is_a_lift_of_1(ax, n, users_needed):
    draws = np.random.default_rng(3)
    proved(
        r"For a power of 80%, the gain $\delta$ has to be $1.96 + 0.84 = 2.8$ standard errors",
        "such a test finds a gain of 1 point in 18 of 100 cases",
    )
    for true_gain, users, share in ((0.01, 14_732, 0.8), (0.005, 57_695, 0.8), (0.01, 2000, 0.18)):
        arms = draws.binomial(users, [0.1, 0.1 + true_gain], (40_000, 2)) / users
        in_errors = np.diff(arms)[:, 0] / np.sqrt((arms * (1 - arms)).sum(axis=1) / users)
        assert abs((in_errors > 1.96).mean() - share) < 0.01
    assert round(NormalDist().inv_cdf(0.8), 2) == 0.84 and round(2 * (1.96 + 0.84) ** 2) == 16
    proved("The rule of thumb gives 14,400 and 57,600.")
    assert [round(16 * 0.1 * 0.9 / gain**2) for gain in (0.01, 0.005)] == [14_400, 57_600]
    proved("because 80 of 100 lifts exceed the true gain less 0.84 standard errors")
    assert round(NormalDist().cdf(0.84), 2) == 0.8
    holds("Half the gain takes about four times the users.")
    assert all(
        abs(users_needed(p, g / 2) / users_needed(p, g) - 4) < 0.1 for p in (0.1, 0.2, 0.4) for g in (0.01, 0.005)
    )
    holds("a rise from 10% to 11%, and to 10.5%")
    assert users_needed(0.10, 0.11 - 0.10) == 14_732 and users_needed(0.10, 0.105 - 0.10) == 57_695
    holds("which is probably too large")  # a gain among those that came out significant
    found = draws.normal(1, 1, 100_000)
    assert found[found > 1.96].mean() > 2 and users_needed(0.1, 0.02) < users_needed(0.1, 0.01)
    holds("10,000 users in each arm can find 1.2 points")
    assert round(2.8 * math.sqrt(2 * 0.09 / 10_000), 3) == 0.012 and abs(users_needed(0.1, 0.012) / 10_000 - 1) < 0.04
    holds("Two rising S-shaped curves")
    assert len(ax.lines) == 5 and all((np.diff(ax.lines[i].get_ydata()) > 0).all() for i in (1, 3))
    steps = [np.diff(ax.lines[i].get_ydata()) for i in (1, 3)]
    assert all(max(step[0], step[-1]) < 0.5 * step.max() for step in steps)
    holds(
        "starts at 11%, passes 57% at 8,600 users and meets a dotted line at 80% at a dot at 14,732 users",
        "is at 29% there and meets the line further right, at a square at 57,695 users",
    )
    at = [
        [np.interp(math.log(users), np.log(n), ax.lines[i].get_ydata()) for users in place]
        for i, place in ((1, (1000, 8600, 14_732)), (3, (57_695, 14_732)))
    ]
    assert [round(share) for share in at[0] + at[1]] == [11, 57, 80, 80, 29]


@section("lesson-experiments-blind")
def test_missing_users(compared, kept, live, new, split_p, wait):
    holds(r"that is $\sqrt{14.4} = 3.8$ standard errors from the plan")
    assert math.isclose(600**2 / 50_000 * 2, 14.4) and round(math.sqrt(14.4), 1) == 3.8
    assert math.isclose(split_p(50_600, 49_400), math.erfc(math.sqrt(14.4 / 2)))
    holds("C's split is what fair coins give; B's raises the alarm, which is usually set at a p-value of 0.001.")
    assert split_p(50600, 49400) < 0.0002 and split_p(50600, 50520) > 0.6
    holds("the new arm loses the 2.4% who wait longest")
    assert new[wait[1] > 0.5].mean() < new[wait[1] < 0.5].mean() and abs(1 - len(kept) / 1e6 - 0.024) < 5e-4
    holds("The true lift is 0, but without the slow users it looks like 1 point, as B's does.")
    assert abs(new.mean() - live.mean()) < 0.0014 and round(100 * (kept.mean() - live.mean())) == 1
    assert round(compared["live", "B"][0]) == 1
    holds("A loss by chance would leave the lift at 0")
    by_chance = np.random.default_rng(1).random(1_000_000) < 0.976
    assert abs(new[by_chance].mean() - live.mean()) < 0.0014
    holds("the split does not tell you which it was, so find the cause")
    assert abs(split_p(1_000_000, len(kept)) - split_p(1_000_000, by_chance.sum())) < 1e-9


@section("lesson-experiments-blind")
def test_peeking(asked, highest, share_of, z):
    holds("Of 100 such tests, 25 stop at a false positive; of 100 that look only on the last day, 5 do.")
    assert round((highest > 1.96).mean(), 2) == 0.25 and round((z[:, -1] > 1.96).mean(), 2) == 0.05
    clicks_a, clicks_b = (np.random.default_rng(5 + i).binomial(1000, 0.4, (4000, 20)).cumsum(axis=1) for i in (0, 1))
    seen = 1000 * np.arange(1, 21)  # users who click, as many each day
    shared = (clicks_a + clicks_b) / (2 * seen)
    of_users = abs(clicks_b - clicks_a) / np.sqrt(2 * seen * shared * (1 - shared))
    assert abs((of_users > 1.96).any(axis=1).mean() - 0.25) < 0.02
    holds("This is what each way finds in 100,000 simulated tests")
    assert experiments.SETS == 100_000 == len(z)
    fresh = np.random.default_rng(4).normal(size=(100_000, 20)).cumsum(axis=1) / np.sqrt(np.arange(1, 21))
    boundaries = experiments.boundaries(fresh)
    assert list(boundaries) == list(asked)
    for way, boundary in boundaries.items():
        assert abs((abs(fresh) > boundary).any(axis=1).mean() - share_of("looks equal", way, 20)) < 0.006
    said = {
        way: [float(word.strip(",")) for word in words.split() if word[0].isdigit()] for way, words in asked.items()
    }
    assert abs(boundaries["Pocock"][0] - said["Pocock"][0]) < 0.015
    for way in ("O'Brien-Fleming", "always valid"):
        assert np.allclose(boundaries[way][[0, -1]], said[way], atol=0.06) and (np.diff(boundaries[way]) <= 0).all()
    holds("which asks for more standard errors at each look")
    assert all(min(boundaries[way]) > 1.96 for way in ("Pocock", "O'Brien-Fleming", "always valid"))
    holds("finds the gain almost as often as a single look, and takes 75% of the users on average if the gain is there")
    powers = {way: share_of("looks better", way, 20) for way in asked}
    assert 0 < powers["once"] - powers["O'Brien-Fleming"] < 0.03
    assert round(share_of("looks users", "O'Brien-Fleming", 20), 2) == 0.75
    holds("the gain is one that a single look finds in 80%")
    assert round(powers["once"], 2) == 0.8
    holds("An *always-valid* p-value lets you look at any time and as often as you like, and pays with power.")
    assert powers["always valid"] < min(powers["Pocock"], powers["O'Brien-Fleming"])
    walk = np.random.default_rng(8).normal(size=(4000, 2000)).cumsum(axis=1) / np.sqrt(np.arange(1, 2001))
    ratio = experiments.GAIN**2 * np.arange(1, 2001) / 2000
    always = np.sqrt((1 + 1 / ratio) * (np.log(1 + ratio) - 2 * math.log(0.05)))
    assert (abs(walk) > always).any(axis=1).mean() < 0.05 < (abs(walk) > 2.68).any(axis=1).mean()


@section("lesson-experiments-blind")
def test_interference(rate_difference):
    riders, taxis = 100, 100
    proved("Suppose that 200 riders share 100 taxis.")
    assert 2 * riders == 200 and taxis == 100
    asked_for = {"live": 0.5 * riders, "new": 0.7 * riders}
    proved("With either app for all riders, there are 100 rides, so the new one gains nothing.")
    assert [min(2 * wish, taxis) for wish in asked_for.values()] == [100, 100]
    proved("50 and 70 requests share the 100 taxis, so the arms get 42 and 58 rides")
    served = taxis / sum(asked_for.values())
    rides = {arm: wish * served for arm, wish in asked_for.items()}
    assert list(asked_for.values()) == [50, 70] and [round(count) for count in rides.values()] == [42, 58]
    holds("a lift of 17 points that does not exist")
    assert round(100 * rate_difference(rides["live"], riders, rides["new"], riders)[0]) == 17


@section("lesson-experiments-choices")
def test_the_choices(rate_difference):
    arms = [np.repeat([1, 0], counts) for counts in ((10, 90), (20, 80))]
    p = rate_difference(10, 100, 20, 100)[3]
    holds("The values are p-values of the example by hand, 10 and 20 clickers of 100")
    by_table = [
        p,
        proportions_ztest([10, 20], [100, 100])[1],
        fisher_exact([[10, 90], [20, 80]]).pvalue,
        p / 2,
        ttest_ind(*arms, equal_var=False).pvalue,
    ]
    assert np.round(by_table, 4).tolist() == [0.0455, 0.0477, 0.0734, 0.0228, 0.0481]


@section("lesson-experiments-choices")
def test_click_rates(click_rate, share_of, simulated):
    holds(r"With impressions as the units, it would be $\sqrt{0.4 \cdot 0.6/30} = 0.089$.")
    assert round(math.sqrt(0.4 * 0.6 / 30), 3) == 0.089 and click_rate([8, 0, 1, 3], [10, 10, 4, 6])[0] == 0.4
    holds("in 2,000 simulated tests of equal arms")
    assert all(math.isclose(2000 * row["share"], round(2000 * row["share"])) for row in simulated[:34])
    holds("Intervals by impressions miss far too often, and more users do not help.")
    assert max(share_of("ratio", "rows", n) for n in (50, 500)) < 0.8
    draws = np.random.default_rng(7)
    taste = draws.beta(1, 3, 400_000)
    seen = 1 + draws.poisson(20 * taste)
    share, by_user = click_rate(draws.binomial(seen, taste), seen)
    too_small = math.sqrt(share * (1 - share) / seen.sum()) / by_user
    assert 2 * NormalDist().cdf(1.96 * too_small) - 1 < 0.8


@section("lesson-experiments-choices")
def test_cuped(adjusted, before, during, share_of):
    holds("At a correlation $r$ the variance falls to $1 - r^2$, here with $r = 0.7$ to about half")
    r = np.corrcoef(before.ravel(), during.ravel())[0, 1]
    assert abs(r - 0.7) < 0.03 and math.isclose(adjusted.var() / during.var(), 1 - r**2, rel_tol=1e-6)
    holds("simulated purchases of 500 users per arm")
    assert before.shape == during.shape == (2, 500)
    holds(
        "the adjusted interval contains the true gain in 95%, and a gain that 80% of plain tests find is found by 97%"
    )
    assert round(share_of("CUPED better contains", "CUPED", 500), 2) == 0.95
    assert round(share_of("CUPED better", "plain", 500), 2) == 0.8
    assert round(share_of("CUPED better", "CUPED", 500), 2) == 0.97
    assert abs(share_of("CUPED equal", "CUPED", 500) - 0.05) < 0.01
    holds("In 2,000 such tests")
    assert experiments.TESTS == 2000


@section("lesson-experiments-choices")
def test_guardrails(rate_difference, share_of):
    holds("$p = 0.84$, and yet the interval goes down to a loss of 2.1 points")
    small, large = rate_difference(3000, 5000, 2990, 5000), rate_difference(60_000, 100_000, 59_800, 100_000)
    assert round(small[3], 2) == 0.84 and round(100 * small[1], 1) == -2.1
    holds("With 60,000 and 59,800 of 100,000 users, that end is a loss of 0.6 points, and the test is passed.")
    assert round(100 * large[1], 1) == -0.6 and large[1] > -0.01 > small[1]
    holds("Agree on a margin beforehand")  # an arm that loses all of it passes in 2.5%
    assert [abs(share_of("margin the margin", "interval", n) - 0.025) < 0.001 for n in (5000, 100_000)] == [True, True]
    holds(
        "A new arm that loses nothing passes in 17% of tests with 5,000 users in each arm, and in 99.5% with 100,000."
    )
    assert round(share_of("margin no loss", "interval", 5000), 2) == 0.17
    assert round(share_of("margin no loss", "interval", 100_000), 3) == 0.995


@section("lesson-experiments-choices")
def test_interleaving(simulated, team_draft):
    held = {(row["study"], row["method"], row["n"]): float(row["share"]) for row in simulated}
    holds("each ranker picks its best document that is left", "shows each user one list made of both rankings")
    for seed in range(20):
        drafted = list(team_draft("wxyz", "ywzx", np.random.default_rng(seed)).items())
        for i, (picked, by) in enumerate(drafted):
            taken = [other for other, _ in drafted[:i]]
            assert picked == next(x for x in ("wxyz" if by == "a" else "ywzx") if x not in taken)
        assert sorted(by for _, by in drafted) == ["a", "a", "b", "b"]
    holds("How often a test at 5% finds the better ranker", "in 2,000 simulated tests each")
    assert all(abs(2 * share - 0.05) < 0.015 for (study, _, _), share in held.items() if study == "equal")
    holds("from 2,000 impressions onwards, it is about where interleaving was with a quarter of the impressions")
    for quarter in (500, 1000, 2000, 4000, 8000):
        assert abs(held["better", "A/B", 4 * quarter] - held["better", "interleaving", quarter]) < 0.1
    curves_of = [[held["better", way, 500 * 2**i] for i in range(7)] for way in ("interleaving", "A/B")]
    holds("Two rising curves over the impressions, 500 to 32,000")
    assert len(curves_of) == 2 and all(curve == sorted(curve) for curve in curves_of) and 500 * 2**6 == 32_000
    holds("goes from 12% to 100%", "goes from 6% to 87%")
    assert [round(100 * curve[i]) for curve in curves_of for i in (0, -1)] == [12, 100, 6, 87]


@section("lesson-experiments-choices")
def test_offline(tests):
    holds("a good page that nobody judged counts as 0")
    assert ndcg([0, 1, 1], judged=[1, 1]) < ndcg([1, 1, 0], judged=[1, 1]) == 1
    assert len(tests) == 3


@section("lesson-experiments-case")
def lifts(campaigns, clicks_of, rate_difference):
    return {c: rate_difference(*clicks_of(c, "random"), *clicks_of(c, "thompson")) for c in campaigns}


@section("lesson-experiments-case")
def test_the_campaigns(campaigns, clicks_of, days, lifts, rate_difference, users_needed):
    holds("The file has 10,000 displays for each campaign and arm", "From 24 to 30 November 2019")
    assert all(clicks_of(c, log)[1] == 10_000 for c in campaigns for log in ("random", "thompson"))
    assert sorted(set(days["day"])) == list(range(24, 31)) and len(campaigns) == 3
    pooled = [sum(clicks_of(c, log)[i] for c in campaigns) for log in ("random", "thompson") for i in (0, 1)]
    holds("at the random arm's rate of 4.3 clicks per 1,000")
    assert round(1000 * pooled[0] / pooled[1], 1) == 4.3
    holds("Each arm would need 99,801, and has a tenth of that.")
    assert users_needed(0.0043, 0.2 * 0.0043) == 99_801
    holds("The minimum detectable effect of 10,000 displays in each arm is a relative lift of 60%.")
    rate = pooled[0] / pooled[1]
    assert round(2.8 * math.sqrt(2 * rate * (1 - rate) / 10_000) / rate, 2) == 0.6
    assert round(1.6 * 0.0043, 4) == 0.0069 and users_needed(0.0043, 0.6 * 0.0043) < 13_500
    holds("In the men's campaign the interval lies above 0, with a p-value of 0.031.")
    assert [lift[1] > 0 for lift in lifts.values()] == [False, True, False] and round(lifts["men"][3], 3) == 0.031
    holds("multiplies the smallest p-value by 3, which gives 0.094")
    assert min(lift[3] for lift in lifts.values()) == lifts["men"][3] and round(3 * lifts["men"][3], 3) == 0.094
    together = rate_difference(*pooled)
    holds("All three together show a lift of 0.9 (-0.2 to 2.0) per 1,000")
    assert [round(1000 * end, 1) for end in together[:3]] == [0.9, -0.2, 2.0]
    holds("which is 21% of the random rate, with an interval from a loss of 5% to a gain of 46%")
    assert [round(100 * end * pooled[1] / pooled[0]) for end in together[:3]] == [21, -5, 46]
    holds("These data do not decide.")
    assert together[1] < 0 < together[2] and min(1, 3 * lifts["men"][3]) > 0.05


@section("lesson-experiments-case")
def test_days(days):
    def by_day(rows):
        daily = []
        for day in range(24, 31):
            of = {log: rows[(rows["day"] == day) & (rows["log"] == log)] for log in ("random", "thompson")}
            rate = {log: part["clicked"].sum() / part["shown"].sum() for log, part in of.items()}
            daily.append(1000 * (rate["thompson"] - rate["random"]))
        reach = 2.447 * np.std(daily, ddof=1) / math.sqrt(7)
        return [round(np.mean(daily) + side * reach, 1) for side in (0, -1, 1)]

    holds("From the seven daily differences, with a $t$ of 2.447, the men's lift is 2.4 (-0.8 to 5.6)")
    assert round(t.ppf(0.975, 6), 3) == 2.447 and by_day(days[days["campaign"] == "men"]) == [2.4, -0.8, 5.6]
    holds("and that of all three together 1.0 (-0.8 to 2.9).")
    assert by_day(days) == [1.0, -0.8, 2.9]
    rare = {row[1]: float(row[3]) for row in rows_of_the_file() if row[0] == "rare"}
    assert all(abs(share - 0.95) < 0.002 for share in rare.values()) and len(rare) == 2  # both units keep the promise
    holds("Its arms are equal by construction, so the split cannot be tested.")
    sizes = {
        (c, log): days["shown"][(days["campaign"] == c) & (days["log"] == log)].sum()
        for c in ("all", "men", "women")
        for log in ("random", "thompson")
    }
    assert set(sizes.values()) == {10_000}


def rows_of_the_file():
    return [line.split(",") for line in experiments.FILE.read_text(encoding="utf-8").splitlines()]


@section("lesson-experiments-case")
def test_the_full_log(ax, full, lifts):
    unchecked("each of its arms has at least 452,949 displays", "the random log of men's items, by those who read it")
    holds("so that a 95% interval reaches 0.2 per 1,000 to either side, or less")
    reach = [1.96 * math.sqrt(sum(rate / 100 for rate in rates) / 452_949) for rates in full.values()]
    assert round(1000 * 1.96 * math.sqrt(0.0051 / 452_949 + 0.0067 / 4_077_727), 1) == 0.2 and max(reach) < 0.00035
    holds("Thompson sampling was better in each campaign, by 31% to 43%.")
    relative = {c: new / old - 1 for c, (old, new) in full.items()}
    assert round(min(relative.values()), 2) == 0.31 and round(max(relative.values()), 2) == 0.43
    holds("Each interval includes the diamond, and two of them include 0.")
    truth = {c: (new - old) / 100 for c, (old, new) in full.items()}
    assert all(lifts[c][1] < truth[c] < lifts[c][2] for c in truth)
    assert sum(low < 0 < high for _, low, high, _ in lifts.values()) == 2
    holds(
        "The dot of the campaign all is at 0.4 with a bar from -1.3 to 2.1", "Dots with 95% intervals are from 10,000"
    )
    assert [round(1000 * end, 1) for end in lifts["all"][:3]] == [0.4, -1.3, 2.1]
    holds("that of men at 2.3 with a bar from 0.2 to 4.4, and that of women at 0.0 with a bar from -1.9 to 1.9")
    assert [round(1000 * end, 1) for end in lifts["men"][:3]] == [2.3, 0.2, 4.4]
    assert [round(1000 * end, 1) for end in lifts["women"][:3]] == [0, -1.9, 1.9]
    holds('at 1.5 for all, marked "full log", and at 1.6 for men and for women')
    assert [round(1000 * value, 1) for value in truth.values()] == [1.5, 1.6, 1.6]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(full)
    holds("With 10,000 displays in each arm, such a lift is found in 33 of 100 tests.")
    old, new = (rate / 100 for rate in full["women"])
    arms = np.random.default_rng(9).binomial(10_000, [old, new], (200_000, 2)) / 10_000
    z = np.diff(arms)[:, 0] / np.sqrt((arms * (1 - arms)).sum(axis=1) / 10_000)
    assert abs((abs(z) > 1.96).mean() - 0.33) < 0.01
    holds("The men's lift of 50% was in part luck.")
    assert 69 / 46 == 1.5 and relative["men"] < 0.5


@section("Try it")
def test_try_it(arms, chi2, lift, paired, split_p, users_needed):
    holds("That is four standard errors from the plan, $p = 0.00006$")
    assert chi2 == 16 and math.sqrt(chi2) == 4 and round(split_p(20_400, 19_600), 5) == 0.00006
    holds("The lift has a p-value below 0.05.")
    assert lift[3] < 0.05
    proved("A test planned 50:50 ends with", "20,000 users were planned in each arm")
    came = 20_400, 19_600
    assert sum(came) * 50 / (50 + 50) == 20_000 and came[0] - 20_000 == 400
    holds(
        "how many users in each arm would find a gain of half a point on 10% in 80 of 100 tests",
        "A gain of half a point takes 57,695 users in each arm.",
    )
    assert users_needed(2040 / 20_400, 0.5 / 100) == 57_695
    file = np.genfromtxt("cases/shop.csv", delimiter=",", names=True, encoding="utf-8")
    who = np.unique(file["customer"], return_inverse=True)[1]
    popular, similar = (np.bincount(who, file["bought"] * ~np.isnan(file[x])) for x in ("popular", "similar"))
    holds("has a standard deviation of 0.689 under *popular* and 1.062 under *similar*", "A shop has 1,200 customers")
    assert [round(sold.std(ddof=1), 3) for sold in (popular, similar)] == [0.689, 1.062] and len(popular) == 1200
    holds("and past data suggest a lead of 0.26", "For a power of 80%, how many customers")
    assert round((similar - popular).mean(), 2) == 0.26
    holds("The test needs 2,516 customers and there are 1,200, so a flat result would not show")
    assert 2 * arms[0] == 2516 > 1200
    power = NormalDist().cdf(0.1 / math.sqrt((0.689**2 + 1.062**2) / 600) - 1.96)
    assert power < 0.55
    holds("A plan with 374 would find a lead of 0.26, but would usually miss one of 0.1.")
    powers = [NormalDist().cdf(x / math.sqrt((0.689**2 + 1.062**2) / arms[1]) - 1.96) for x in (0.26, 0.1)]
    assert 2 * arms[1] == 374 and round(powers[0], 2) == 0.8 and powers[1] < 0.25
    holds("with a standard deviation of 1.0103, would take 802")
    assert round((similar - popular).std(ddof=1), 4) == 1.0103 and paired == 802
    assert abs(queries_needed(0.1, 1.0103) - paired) <= 2
    holds("and 0.84 gets two more digits")
    assert round(NormalDist().inv_cdf(0.8), 4) == 0.8416 and users_needed(0.10, 0.005) > 0


@section("Further")
def test_further(lifts):
    holds("A flat result of a small test is not evidence of no effect")
    assert lifts["women"][0] == 0 and lifts["women"][2] > 0.0016


@section("lesson-experiments-by-hand")
def test_unchecked_by_hand():
    unchecked("a few dozen in each arm who click and who do not", "a rule of thumb")


@section("lesson-experiments-blind")
def test_unchecked_what_comes_later():
    unchecked("a reader who is annoyed today and leaves next month", "no such data here")


@section("lesson-experiments-case")
def test_unchecked_on_real_data():
    unchecked("how they were drawn from the 26 million of the full log is not documented", "read")
    unchecked(
        "click rates of 0.35% and 0.50% for all items, 0.51% and 0.67% for men's, and 0.48% and 0.64% for women's",
        "read in Table 1 of the paper",
    )


@section("Further")
def test_unchecked_further():
    unchecked("No document speaks of an experiment", "read")
    unchecked("always-valid p-values", "a name")
