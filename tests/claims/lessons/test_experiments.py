"""What book/lessons/experiments.ipynb says, held."""

import math
from statistics import NormalDist

import numpy as np

from metrics_lib import ndcg
from metrics_lib.uncertainty import paired_difference, queries_needed
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-experiments")
def lift_of(tests):
    return {name: k_b / n_b - k_a / n_a for name, (k_a, n_a, k_b, n_b) in tests.items()}


@section("lesson-experiments")
def error_of(tests):
    return {
        name: math.sqrt(sum((k / n * (1 - k / n) / n for k, n in (counts[:2], counts[2:]))))
        for name, counts in tests.items()
    }


@section("lesson-experiments")
def far_off(tests):
    return 2 * NormalDist().cdf(-600 / math.sqrt(100000 / 4))


@section("lesson-experiments")
def test_the_opening(axes, half, lift_of, tests):
    holds("Two new rankers, B and C")
    assert list(tests) == ["B", "C"]
    holds("a coin sends each user to the live ranker or to the new one, and you count who clicks, until 100,000 users")
    assert all(n_a + n_b == 100_000 for _, n_a, _, n_b in tests.values())
    error_of = {
        name: math.sqrt(sum(k / n * (1 - k / n) / n for k, n in (counts[:2], counts[2:])))
        for name, counts in tests.items()
    }
    holds("B's lift is the larger one.")
    assert lift_of["B"] > lift_of["C"]
    holds(
        "its new arm counted 1,200 users fewer than the live one, and a fair coin is so far off in 15 of 100,000 tests"
    )
    far_off = 2 * NormalDist().cdf(-600 / math.sqrt(100_000 / 4))
    assert round(100_000 * far_off) == 15
    holds("If these would not have clicked, there is hardly a lift: 20,254 clickers against 20,240.")
    assert (tests["B"][2], tests["B"][0]) == (20_254, 20_240) and tests["B"][3] + 1200 == tests["B"][1]
    assert 0 < 20_254 / 50_600 - 20_240 / 50_600 < 0.1 * error_of["B"]
    holds("the band that holds 95 of 100 fair coins")
    coins = np.random.default_rng(0).binomial(100_000, 0.5, 100_000) / 1000
    assert abs((abs(coins - 50) <= half).mean() - 0.95) < 0.003
    holds("Two panels with two rows, ranker B above ranker C.")
    assert len(axes) == 2 and axes[0].get_yticks().tolist() == [0, -1]
    holds(
        "B has a square at 1.0 points with a bar from 0.4 to 1.6, and C a dot at 0.8 with a bar from 0.2 to 1.4; both"
    )
    assert [bar[0].get_marker() for bar in axes[0].containers] == ["s", "o"]
    ends = {name: [round(100 * (lift_of[name] + s * 1.96 * error_of[name]), 1) for s in (-1, 0, 1)] for name in tests}
    assert ends == {"B": [0.4, 1.0, 1.6], "C": [0.2, 0.8, 1.4]}
    holds("a grey band goes from 49.7 to 50.3 %; C's dot at 49.9 % lies in it, B's square at 49.4 % far to the left")
    assert [round(50 + side * half, 1) for side in (-1, 1)] == [49.7, 50.3]
    assert math.isclose(tests["B"][3] / 1000, 49.4) and round(tests["C"][3] / 1000, 1) == 49.9 and 50 - half < 49.9


@section("In one line")
def in_short(error_of, lift_of):
    z_of_c = lift_of["C"] / error_of["C"]
    return [*(lift_of["C"] + side * 1.96 * error_of["C"] for side in (0, -1, 1)), math.erfc(z_of_c / math.sqrt(2))]


@section("In one line")
def test_in_one_line(error_of, lift_of, tests):
    z_of_c = lift_of["C"] / error_of["C"]
    in_short = [*(lift_of["C"] + side * 1.96 * error_of["C"] for side in (0, -1, 1)), math.erfc(z_of_c / math.sqrt(2))]
    holds("is 0.008, from 0.002 to 0.014, with a p-value of 0.009")
    assert tests["C"] == (20032, 50080, 20370, 49920)
    assert [round(part, 3) for part in in_short] == [0.008, 0.002, 0.014, 0.009]
    holds("how often two equal arms differ by as many standard errors or more")
    equal = np.random.default_rng(1).binomial(50_000, 0.4, (100_000, 2)) / 50_000
    errors = np.sqrt((equal * (1 - equal) / 50_000).sum(axis=1))
    in_errors = abs(np.diff(equal)[:, 0]) / errors
    assert abs((in_errors >= lift_of["C"] / error_of["C"]).mean() - in_short[3]) < 0.001
    holds("The standard error SE says how far it varies from test to test")
    assert math.isclose(np.diff(equal).std(), errors.mean(), rel_tol=0.01)
    holds("the variance of the users' values stands in place of $p(1 - p)$")
    assert math.isclose(np.repeat([0, 1], [90, 10]).var(), 0.1 * 0.9)


@section("lesson-experiments-by-hand")
def test_by_hand(far, in_short, rate_difference, ways):
    in_a_line = rate_difference(20032, 50080, 20370, 49920)
    assert np.allclose(in_a_line[:3], in_short[:3]) and math.isclose(in_a_line[3], in_short[3])
    holds(r"The lift is 0.1, give or take $1.96 \cdot 0.05 = 0.098$.")
    by_hand = rate_difference(10, 100, 20, 100)
    assert np.allclose(by_hand[:3], [0.1, 0.1 - 0.098, 0.1 + 0.098])
    assert math.isclose(math.sqrt(0.1 * 0.9 / 100 + 0.2 * 0.8 / 100), 0.05)
    holds("It says 0.073, not 0.046")
    assert round(far / sum(ways), 3) == 0.073 and sum(ways) == math.comb(200, 100) and round(by_hand[3], 3) == 0.046
    holds("where 15 % click in both arms it raises 3 false alarms in 100 such tests, the formula 5")
    deals = np.array([[math.comb(m, k) * math.comb(200 - m, 100 - k) for k in range(101)] for m in range(89)], float)
    chance = np.array([math.comb(100, k) * 0.15**k * 0.85 ** (100 - k) for k in range(101)])
    finds = np.zeros(2)
    for i, j in np.ndindex(45, 45):
        as_far = abs(2 * np.arange(101) - i - j) >= abs(i - j)
        by_deal = deals[i + j][as_far].sum() / math.comb(200, 100) <= 0.05
        by_formula = i * j > 0 and rate_difference(i, 100, j, 100)[3] <= 0.05
        finds += chance[i] * chance[j] * np.array([by_deal, by_formula])
    assert np.round(100 * finds).tolist() == [3, 5]
    holds("For ranker C the two agree to a thousandth.")
    dealt = np.random.default_rng(2).hypergeometric(40_402, 59_598, 49_920, 1_000_000)
    rates = dealt / 49_920 - (40_402 - dealt) / 50_080
    assert 40_402 == 20_032 + 20_370 and abs((abs(rates) >= in_a_line[0]).mean() - in_a_line[3]) < 0.001


@section("lesson-experiments-power")
def test_how_good_is_a_lift_of_1(ax, n, users_needed):
    draws = np.random.default_rng(3)
    proved(
        r"For 80 % the gain $\delta$ has to be $1.96 + 0.84 = 2.8$ standard errors",
        "such a test finds a gain of 1 point in 18 of 100 cases",
    )
    for true_gain, users, share in ((0.01, 14_732, 0.8), (0.005, 57_695, 0.8), (0.01, 2000, 0.18)):
        arms = draws.binomial(users, [0.1, 0.1 + true_gain], (40_000, 2)) / users
        in_errors = np.diff(arms)[:, 0] / np.sqrt((arms * (1 - arms)).sum(axis=1) / users)
        assert abs((in_errors > 1.96).mean() - share) < 0.01
    assert round(NormalDist().inv_cdf(0.8), 2) == 0.84 and round(2 * (1.96 + 0.84) ** 2) == 16
    proved("By the rule of thumb it is 14,400 and 57,600.")
    assert [round(16 * 0.1 * 0.9 / gain**2) for gain in (0.01, 0.005)] == [14_400, 57_600]
    proved("as 80 of 100 lifts exceed the true one less 0.84")
    assert round(NormalDist().cdf(0.84), 2) == 0.8
    holds("Half the gain takes four times the users.", "Half the gain takes about four times the users.")
    assert all(
        abs(users_needed(p, g / 2) / users_needed(p, g) - 4) < 0.1 for p in (0.1, 0.2, 0.4) for g in (0.01, 0.005)
    )
    holds("The users of each arm grow with the variance, and with one over the gain squared.")
    for p, g in ((0.1, 0.01), (0.4, 0.01), (0.1, 0.002), (0.4, 0.05)):
        of_both = p * (1 - p) + (p + g) * (1 - p - g)
        assert math.isclose(users_needed(p, g), 2.8**2 * of_both / g**2, rel_tol=0.001)
    holds("10,000 users in each arm can see 1.2 points")
    assert round(2.8 * math.sqrt(2 * 0.09 / 10_000), 3) == 0.012 and abs(users_needed(0.1, 0.012) / 10_000 - 1) < 0.04
    holds("Two rising S-shaped curves")
    assert len(ax.lines) == 5 and all((np.diff(ax.lines[i].get_ydata()) > 0).all() for i in (1, 3))
    steps = [np.diff(ax.lines[i].get_ydata()) for i in (1, 3)]
    assert all(max(step[0], step[-1]) < 0.5 * step.max() for step in steps)
    holds(
        "starts at 11 %, passes 57 % at 8,600 users and meets a dotted line at 80 % at a dot at 14,732",
        "meets it further right, at a square at 57,695, and has 29 % at 14,732",
    )
    at = [
        [np.interp(math.log(users), np.log(n), ax.lines[i].get_ydata()) for users in place]
        for i, place in ((1, (1000, 8600, 14_732)), (3, (57_695, 14_732)))
    ]
    assert [round(share) for share in at[0] + at[1]] == [11, 57, 80, 80, 29]
    assert users_needed(0.10, 0.01) == 14_732


@section("lesson-experiments-blind")
def test_what_it_cannot_see(far_off, highest, kept, lift_of, live, new, split_p, wait, z):
    holds(r"$\sqrt{14.4} = 3.8$ standard errors from the plan")
    assert math.isclose(600**2 / 50_000 * 2, 14.4) and round(math.sqrt(14.4), 1) == 3.8
    assert math.isclose(600 / math.sqrt(100_000 * 0.5 * 0.5), math.sqrt(14.4))
    holds("C's split is what coins do; B's is not.")
    assert split_p(50600, 49400) < 0.0002 and split_p(50080, 49920) > 0.6
    assert math.isclose(split_p(50600, 49400), far_off, rel_tol=1e-6)
    holds("the new arm loses the 2.4 % who wait longest")
    assert new[wait[1] > 0.5].mean() < new[wait[1] < 0.5].mean() and abs(1 - len(kept) / 1e6 - 0.024) < 5e-4
    holds("The true lift is 0, and without the slow users it looks like 1 point, as B's does.")
    assert abs(new.mean() - live.mean()) < 0.0014 and round(100 * (kept.mean() - live.mean())) == 1
    assert round(100 * lift_of["B"]) == 1
    holds("Had the same share been lost by chance, the lift would be 0 still.")
    by_chance = np.random.default_rng(1).random(1_000_000) < 0.976
    assert abs(new[by_chance].mean() - live.mean()) < 0.0014
    holds("The split does not tell which it was")
    assert abs(split_p(1_000_000, len(kept)) - split_p(1_000_000, by_chance.sum())) < 1e-9
    holds("Of 100 such tests 25 stop with a false find, of 100 that look on the last day 5.")
    assert round((highest > 1.96).mean(), 2) == 0.25 and round((z[:, -1] > 1.96).mean(), 2) == 0.05
    holds("2.7 standard errors at 20 looks let 5 of 100 through")
    fresh = np.random.default_rng(4).normal(size=(100_000, 20)).cumsum(axis=1) / np.sqrt(np.arange(1, 21))
    assert [round((abs(fresh).max(axis=1) > z).mean(), 2) for z in (2.6, 2.7)] == [0.06, 0.05]
    proved("with equally many users each day")
    clicks_a, clicks_b = (np.random.default_rng(5 + i).binomial(1000, 0.4, (4000, 20)).cumsum(axis=1) for i in (0, 1))
    seen = 1000 * np.arange(1, 21)
    shared = (clicks_a + clicks_b) / (2 * seen)
    of_users = abs(clicks_b - clicks_a) / np.sqrt(2 * seen * shared * (1 - shared))
    assert abs((of_users > 1.96).any(axis=1).mean() - 0.25) < 0.02


@section("lesson-experiments-choices")
def test_the_choices(click_rate, rate_difference, simulated, team_draft):
    held = {(row["study"], row["method"], row["n"]): float(row["share"]) for row in simulated}
    holds(r"By impressions the error would be $\sqrt{0.4 \cdot 0.6/30} = 0.089$.")
    assert round(math.sqrt(0.4 * 0.6 / 30), 3) == 0.089 and click_rate([8, 0, 1, 3], [10, 10, 4, 6])[0] == 0.4
    holds("in 2,000 simulated tests of equal arms")
    assert all(math.isclose(2000 * share, round(2000 * share)) for share in held.values())
    assert [round(100 * held["ratio", "rows", n]) for n in (50, 500)] == [76, 78]
    assert [round(100 * held["ratio", "delta", n]) for n in (50, 500)] == [94, 95]
    assert [round(100 * held["ratio", "bootstrap", n]) for n in (50, 500)] == [94, 95]
    holds("More users do not mend the first.")
    assert max(held["ratio", "rows", n] for n in (50, 500)) < 0.8
    draws = np.random.default_rng(7)
    taste = draws.beta(1, 3, 400_000)
    seen = 1 + draws.poisson(20 * taste)
    share, by_user = click_rate(draws.binomial(seen, taste), seen)
    too_small = math.sqrt(share * (1 - share) / seen.sum()) / by_user
    assert 2 * NormalDist().cdf(1.96 * too_small) - 1 < 0.8
    holds("At a correlation of 0.7 between before and during, the variance falls to $1 - 0.7^2 = 0.51$")
    before = draws.normal(size=1_000_000)
    during = 0.7 * before + math.sqrt(1 - 0.7**2) * draws.normal(size=1_000_000)
    slope = np.cov(before, during)[0, 1] / before.var()
    assert abs((during - slope * before).var() / during.var() - 0.51) < 0.003 and abs(0.51 - 1 / 2) < 0.02
    holds("$p = 0.84$, and the interval goes down to a loss of 2.1 points")
    small, large = rate_difference(3000, 5000, 2990, 5000), rate_difference(60_000, 100_000, 59_800, 100_000)
    assert round(small[3], 2) == 0.84 and round(100 * small[1], 1) == -2.1
    holds("With 60,000 and 59,800 of 100,000 users that end is a loss of 0.6 points: passed.")
    assert round(100 * large[1], 1) == -0.6 and large[1] > -0.01 > small[1]
    holds("each picks its best document that is left", "shows each user one list from both rankers")
    for seed in range(20):
        drafted = list(team_draft("wxyz", "ywzx", np.random.default_rng(seed)).items())
        for i, (picked, by) in enumerate(drafted):
            taken = [other for other, _ in drafted[:i]]
            assert picked == next(x for x in ("wxyz" if by == "a" else "ywzx") if x not in taken)
        assert sorted(by for _, by in drafted) == ["a", "a", "b", "b"]
    holds("How often a test at 5 % finds the better ranker")
    assert all(abs(2 * share - 0.05) < 0.015 for (study, _, _), share in held.items() if study == "equal")
    holds("from 2,000 on it is about where interleaving was with a quarter of the impressions")
    for quarter in (500, 1000, 2000, 4000, 8000):
        assert abs(held["better", "A/B", 4 * quarter] - held["better", "interleaving", quarter]) < 0.1
    curves_of = [[held["better", way, 500 * 2**i] for i in range(7)] for way in ("interleaving", "A/B")]
    holds("Two rising curves")
    assert len(curves_of) == 2 and all(curve == sorted(curve) for curve in curves_of)
    holds("goes from 12 to 100 %", "goes from 6 to 87 %")
    assert [round(100 * curve[i]) for curve in curves_of for i in (0, -1)] == [12, 100, 6, 87]
    holds("a good page that nobody judged counts as 0")
    assert ndcg([0, 1, 1], judged=[1, 1]) < ndcg([1, 1, 0], judged=[1, 1]) == 1
    holds("an A/B test shows each list in half of them")
    assert {n % 2 for study, _, n in held if study != "ratio"} == {0}


@section("lesson-experiments-case")
def test_on_real_data(a, b, names, popular, shop, similar, who):
    both = paired_difference(similar, popular, rng=0, method="percentile")
    lift_here, error_here = b.mean() - a.mean(), math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / 600)
    holds("ten offers to each of 1,200 customers by *popular* and by *similar*")
    assert all((np.bincount(who, ~np.isnan(shop[name])) == 10).all() for name in names) and len(popular) == 1200
    holds("a seeded coin deals 600 customers to each recommender")
    assert len(a) == len(b) == 600
    holds("The lift is 0.322, give or take 0.105: even the lower end, 0.217, lies above 0.1.")
    assert [round(part, 3) for part in (lift_here, 1.96 * error_here, lift_here - 1.96 * error_here)] == [
        0.322,
        0.105,
        0.217,
    ]
    holds("But the minimum detectable effect is 0.15.")
    assert round(2.8 * error_here, 2) == 0.15
    holds("Had *similar* sold just the 0.1 that pays, about half of such tests would not have told it from 0.")
    draws = np.random.default_rng(6)
    mean_a, mean_b = (draws.choice(values, (4000, 600)).mean(axis=1) for values in (popular, similar))
    less = (similar - popular).mean() - 0.1
    assert abs((mean_b - less - mean_a < 1.96 * error_here).mean() - 0.5) < 0.06
    holds("asks all 1,200 customers about both lists: 0.26, give or take 0.06.")
    assert round(both.value, 2) == 0.26 and round((both.high - both.low) / 2, 2) == 0.06
    holds("To find 0.26 in 80 of 100 tests it needs 122 customers, the A/B test 378 in all.")
    lead = (similar - popular).mean()
    assert round(lead, 2) == 0.26 and queries_needed(lead, (similar - popular).std(ddof=1)) == 122
    per_arm = math.ceil(2.8**2 * (popular.var(ddof=1) + similar.var(ddof=1)) / lead**2)
    assert 2 * per_arm == 378


@section("Try it")
def test_try_it(chi2, lift, split_p, users_needed):
    holds("Four standard errors from the plan, $p = 0.00006$")
    assert chi2 == 16 and math.sqrt(chi2) == 4 and round(split_p(20_400, 19_600), 5) == 0.00006
    holds("The lift has a p-value below 0.05.")
    assert lift[3] < 0.05
    proved("A test planned 50:50 ends with", "Planned were 20,000 in each arm")
    came = 20_400, 19_600
    assert sum(came) * 50 / (50 + 50) == 20_000 and came[0] - 20_000 == 400
    holds(
        "how many users per arm find a gain of half a point in 80 of 100 tests",
        "A gain of half a point takes 57,695 users in each arm.",
    )
    assert users_needed(2040 / 20_400, 0.5 / 100) == 57_695


@section("Further")
def test_further(simulated):
    holds("with a boundary made for many looks")
    assert len(simulated) > 0


@section("lesson-experiments-by-hand")
def test_unchecked_by_hand():
    unchecked("A $p$ near 0.05 from ten clicks decides little.", "advice")
    unchecked("clicks and non-clicks in dozens", "a rule of thumb")


@section("lesson-experiments-blind")
def test_unchecked_what_it_cannot_see():
    unchecked("A ranker clicked for being new, and an annoyed reader who leaves in a month", "no such data here")
    unchecked("The custom is to stop below 0.001.", "a custom")


@section("lesson-experiments-choices")
def test_unchecked_the_choices():
    unchecked(
        "It says which list is preferred, not how many clicks, sales or returning users that brings.",
        "by design",
    )


@section("lesson-experiments-case")
def test_unchecked_on_real_data():
    unchecked("Nobody saw these offers", "the script computed them later")
    unchecked("But offline evaluation asks about purchases without an offer.", "as above")


@section("Further")
def test_unchecked_further():
    unchecked("No document speaks of an experiment", "read")
