"""What book/lessons/preferences.ipynb says, held."""

import itertools
import math

import numpy as np

from metrics_lib.uncertainty import paired_difference, wilson_interval
from tests.claims.runner import holds, proved, section, unchecked

PLAN = {"AC": 600, "AD": 600, "AE": 120, "BC": 120, "BD": 120, "BE": 840, "AB": 80}
BUILT = {"A": 60, "B": 120, "C": 0, "D": -150, "E": 180}  # the strengths of the simulation, in Elo points


@section("lesson-preferences")
def test_the_opening(ax, wins):
    holds("Five models, A to E, have collected 2,480 votes.")
    assert wins.shape == (5, 5) and wins.sum() == 2480
    holds("A has won 64% of its votes and B 49%")
    votes = wins.sum(axis=0) + wins.sum(axis=1)
    assert [round(100 * wins[i].sum() / votes[i]) for i in (0, 1)] == [64, 49]
    holds("it also won 45 of its 80 votes against A")
    assert (wins[1, 0], wins[1, 0] + wins[0, 1]) == (45, 80)
    met = wins + wins.T
    shares = wins[:2, 2:] / met[:2, 2:]
    holds("B has the higher share against C, against D and against E")
    assert (shares[1] > shares[0]).all()
    holds("B leads against every common opponent and trails over all votes.")
    assert (shares[1] > shares[0]).all() and wins[1].sum() / votes[1] < wins[0].sum() / votes[0]
    holds("because 840 of its 1,160 votes were against E, the strongest model, while 1,200 of A's 1,400 votes were")
    assert (met[1, 4], votes[1], met[0, 2] + met[0, 3], votes[0]) == (840, 1160, 1200, 1400)
    balanced = shares.mean(axis=1)  # as if each opponent had been met equally often
    assert balanced[1] > balanced[0]
    holds("A is at 0.64 with 1,400 votes and B at 0.49 with 1,160")
    assert [round(wins[i].sum() / votes[i], 2) for i in (0, 1)] == [0.64, 0.49] and votes[0] == 1400
    holds("A is at 0.63 with 600 votes and B at 0.72 with 120", "A is at 0.75 with 600 votes and B at 0.83 with 120")
    assert shares[:, :2].round(2).tolist() == [[0.63, 0.75], [0.72, 0.83]] and (met[1, 2:4] == 120).all()
    holds("A is at 0.27 with 120 votes and B at 0.40 with 840")
    assert shares[:, 2].round(2).tolist() == [0.27, 0.4] and met[:2, 4].tolist() == [120, 840]
    holds("with 95% intervals", "The numbers count the votes.")
    assert len(ax.containers) == 8 and len(ax.texts) == 8
    holds("The bars are short where there are many votes.")
    wide = [wilson_interval(int(k), int(n)) for k, n in zip(wins[:2, 2:].ravel(), met[:2, 2:].ravel(), strict=True)]
    widths = {int(n): i.high - i.low for i, n in zip(wide, met[:2, 2:].ravel(), strict=True)}
    assert widths[840] < widths[600] < widths[120]


@section("lesson-preferences-by-hand")
def test_the_opening_was_simulated(fit, gap, wins):
    rng, drawn = np.random.default_rng(5), np.zeros((5, 5), int)
    for pair, n in PLAN.items():
        i, j = ("ABCDE".index(name) for name in pair)
        chance = 1 / (1 + 10 ** ((BUILT[pair[1]] - BUILT[pair[0]]) / 400))
        drawn[i, j] = (rng.random(n) < chance).sum()
        drawn[j, i] = n - drawn[i, j]
    assert np.array_equal(drawn, wins)
    assert fit[0].argmax() == 4 and gap(1, 0, *fit).round().tolist() == [77, 38, 116]


@section("lesson-preferences", after="wins = np.vstack")
def test_the_truth(wins):
    holds("B was built to be 60 points stronger than A", "The votes are simulated, so we know the truth")
    assert wins.sum() == sum(PLAN.values()) and BUILT["B"] - BUILT["A"] == 60 and max(BUILT, key=BUILT.get) == "E"
    holds("B is 77 Elo points ahead of A (95% interval 38 to 116)")
    assert fitted_gap() == [77, 38, 116]
    holds("which means that B would win 61% of the votes between the two")
    assert round(1 / (1 + 10 ** (-77 / 400)), 2) == round(1 / (1 + 10 ** (-fitted_gap()[0] / 400)), 2) == 0.61


@section("lesson-preferences-by-hand")
def fitted_gap(fit, gap):
    holds("with the gap between two models and its 95% interval")
    assert np.isclose(np.ptp(gap(1, 0, *fit)[1:]), 2 * np.ptp(gap(1, 0, *fit)[:2]))
    return gap(1, 0, *fit).round().tolist()


@section("lesson-preferences-one-line")
def test_the_box(wins):
    proved("so that a lead of 400 points means odds of 10 to 1")
    chance = 1 / (1 + math.exp(-400 / (400 / math.log(10))))
    assert math.isclose(chance / (1 - chance), 10)
    holds("`wilson_interval(898, 1400)` gives 0.616 to 0.666 for A")
    found = wilson_interval(int(wins[0].sum()), int(wins[0].sum() + wins[:, 0].sum()))
    assert [round(end, 3) for end in (found.low, found.high)] == [0.616, 0.666] and wins[0].sum() == 898
    holds("it can be compared only if the opponents were the same")
    assert wins[0].sum() / 1400 > wins[1].sum() / 1160 and all(
        wins[0, j] * (wins[1, j] + wins[j, 1]) < wins[1, j] * (wins[0, j] + wins[j, 0]) for j in (2, 3, 4)
    )


@section("lesson-preferences-by-hand")
def test_by_hand(bradley_terry, elo, points, votes_of):
    holds("Both odds are 3 to 1, and along a chain odds multiply", "odds of 9 to 1, a probability of 0.9")
    x = votes_of([0] * 4 + [1] * 4, [1] * 4 + [2] * 4, 3)
    theta = bradley_terry(x, [1, 1, 1, 0] * 2)[0]
    assert math.isclose(math.exp(theta[0] - theta[2]), 9) and math.isclose(1 / (1 + math.exp(theta[2] - theta[0])), 0.9)
    holds("each is 400 times the logarithm of 3 to base 10, that is 190.8, and together they are 381.7")
    gaps = points * (theta[:2] - theta[1:])
    assert gaps.round(1).tolist() == [190.8, 190.8] and round(gaps.sum(), 1) == 381.7
    assert np.allclose(gaps, 400 * math.log10(3))
    holds("Only differences of strengths matter")
    assert np.allclose(x @ (theta + 7), x @ theta)
    holds("picks the strengths whose mean is 0")
    assert abs(theta.mean()) < 1e-12
    holds("and `y` is 1 if the first model won, 0 if it lost and 1/2 for a tie")
    tied = bradley_terry(votes_of([0] * 4, [1] * 4, 2), [1, 0, 0.5, 0.5])[0]
    assert np.allclose(tied, 0)
    holds("the strengths under which the votes are most probable")

    def likelihood(of):
        chance = 1 / (1 + np.exp(-x @ of))
        return np.prod(np.where([1, 1, 1, 0] * 2, chance, 1 - chance))

    rng = np.random.default_rng(0)
    assert all(likelihood(theta) >= likelihood(theta + rng.normal(0, s, 3)) for s in (0.01, 0.1, 1) for _ in range(50))


@section("lesson-preferences-by-hand")
def test_elo(elo, leads, bradley_terry, points, votes_of, loss_last, log, gap, fit):
    holds("starts each player at some number, such as 1,000, and moves two ratings after each game")
    assert elo([], 2).tolist() == [1000, 1000]
    holds("The fraction is the expected result, and $j$ loses what $i$ gains.")
    assert math.isclose(elo([(0, 1, 1), (1, 0, 1), (0, 1, 1)], 2).sum(), 2000)
    holds("so with $K = 32$ a win moves both by 16 points")
    assert elo([(0, 1, 1)], 2).tolist() == [1016, 984]
    holds("at 1023.8 if the loss came last and at 1031.7 if it came first, although the record is the same")
    assert [round(elo(votes, 2)[0], 1) for votes in (loss_last, loss_last[::-1])] == [1023.8, 1031.7]
    assert sum(s for _, _, s in loss_last) == 3 and len(loss_last) == 4
    holds("Bradley-Terry gives a gap of 190.8 points in both orders")
    x = votes_of([0] * 4, [1] * 4, 2)
    for results in itertools.permutations([1, 1, 1, 0]):
        assert round(points * np.ptp(bradley_terry(x, results)[0]), 1) == 190.8
    holds("The *K-factor* $K$ is a learning rate")
    assert elo([(0, 1, 1)], 2, 8)[0] - 1000 == (elo([(0, 1, 1)], 2, 32)[0] - 1000) / 4
    holds("How much noise is it in our 2,480 votes?", "The lead of B over A in the same 2,480 votes.")
    assert len(log) == 2480
    holds("With $K = 32$, B is ahead in 169 of the 200 orders, and two orders typically differ by more than 60 points.")
    leads = {k: np.array(of) for k, of in leads.items()}
    assert (leads[32] > 0).sum() == 169 and len(leads[32]) == len(leads[4]) == 200
    assert np.median([abs(a - b) for a, b in itertools.combinations(leads[32], 2)]) > 60
    holds(
        "A small $K$ calms the noise, but then the ratings stay too close to 1,000", "the mean lead is only 41 points"
    )
    assert round(leads[4].mean()) == 41 < 60 < leads[32].mean() and leads[4].std() < leads[32].std() / 3
    holds("the square is Bradley-Terry, which has the same value in every order, with its 95% interval")
    order = np.random.default_rng(2).permutation(len(log))
    again = bradley_terry(votes_of(log[order, 0], log[order, 1], 5), np.ones(2480))
    assert np.allclose(again[0], fit[0])
    holds("from about -130 to 310 points", "a square at 77 with a bar from 38 to 116")
    assert gap(1, 0, *fit).round().tolist() == [77, 38, 116]
    assert abs(leads[32].min() + 130) < 5 and abs(leads[32].max() - 310) < 5
    holds("form a narrow cloud about 40, a few of them left of 0", "A dashed line marks the truth, 60.")
    assert 0 < (leads[4] < 0).sum() <= 5 and abs(np.median(leads[4]) - 40) < 5


@section("lesson-preferences-good")
def test_a_gap(elo, rows):
    holds("Only a gap has a meaning, because you may add 100 points to all ratings and nothing changes.")
    rating = elo([(0, 1, 1), (1, 2, 1), (0, 2, 1)], 3)
    for i, j in itertools.combinations(range(3), 2):
        before = 1 / (1 + 10 ** ((rating[j] - rating[i]) / 400))
        assert math.isclose(before, 1 / (1 + 10 ** ((rating[j] + 100 - (rating[i] + 100)) / 400)))
        assert not math.isclose(before, 1 / (1 + 10 ** ((rating[j] + 100 - rating[i]) / 400)), rel_tol=0.01)
    holds("A gap of 0 is a coin, and there is no best value.", "with 80% power at a level of 5%")
    assert 1 / (1 + 10 ** (0 / 400)) == 0.5 and 1 / (1 + 10**-3) < 1 / (1 + 10**-4) < 1 and elo([], 2)[0] == 1000
    of = {lead: (p, votes) for lead, p, votes in rows}
    holds("A gap of 50 points changes the outcome of one vote in 14, and it takes 379 direct votes to find.")
    assert round(1 / (of["50"][0] - 0.5)) == 14 and of["50"][1] == 379
    holds("A gap of 10 points is close to a coin and takes 9,474.")
    assert of["10"][1] == 9474 and of["10"][0] < 0.515


@section("lesson-preferences-blind")
def test_blind(bradley_terry, joined, points, votes_of, x, y):
    holds("A beats B, B beats C and C beats A, each in 70 of 100 votes.")
    for row, shares in ((0, [1, -1, 0]), (100, [0, 1, -1]), (200, [-1, 0, 1])):
        assert (x[row : row + 100] == shares).all() and y[row : row + 100].sum() == 70
    holds(
        "All strengths are equal, so the model predicts one half for each pair, although each pair is decided clearly."
    )
    assert np.allclose(bradley_terry(x, y)[0], 0) and wilson_interval(70, 100).low > 0.5
    proved("One number for each model cannot hold a cycle")
    for of in itertools.product(range(-3, 4), repeat=3):
        assert not of[0] > of[1] > of[2] > of[0]
    assert 2 * 3 * (70 * math.log(70 / 50) + 30 * math.log(30 / 50)) > 40  # the deviance, where 4 is rare
    holds("If a model has won all of its five votes, each larger strength makes the votes more probable")
    more = [(1 / (1 + math.exp(-lead))) ** 5 for lead in np.arange(0.0, 6)]
    assert more == sorted(more) and not joined([[0, 5], [0, 0]])
    holds("If no vote joins two groups of models, the votes say nothing about the gap between the groups.")
    apart = votes_of([0, 0, 1, 2, 2, 3], [1, 1, 0, 3, 3, 2], 4)
    assert np.allclose(apart @ [0, 0, 5, 5], 0)
    holds("The fit has one finite answer exactly if you can get from each model to each other model along wins")
    for cells in itertools.product([0, 1], repeat=6):
        wins = np.zeros((3, 3), int)
        wins[~np.eye(3, dtype=bool)] = cells
        i, j = np.nonzero(wins)
        if len(i):
            theta, spread = bradley_terry(votes_of(i, j, 3), np.ones(len(i)))
            bounded = abs(theta).max() < 3 and np.linalg.matrix_rank(spread, tol=1e-6) == 2
            assert bounded == joined(wins)
    unchecked("because not every program tells you", "a package that the tests do not install")
    holds("stops at a gap of more than 2,000 points after five wins to none")
    assert points * np.ptp(bradley_terry(votes_of([0] * 5, [1] * 5, 2), np.ones(5))[0]) > 2000
    holds("and puts two islands side by side, each around a mean of 0")
    theta = bradley_terry(apart, np.ones(6))[0]  # what choix 0.4.1 gives, by its opt_pairwise(alpha=0)
    assert np.allclose(theta, [0.34657359, -0.34657359, 0.34657359, -0.34657359])


@section("lesson-preferences-blind")
def test_what_a_column_does(bradley_terry, joined):
    """Simulated: A shown second in 80% of its votes, B writes long; both columns bring the order back."""
    rng = np.random.default_rng(11)
    theta, length = np.array([0.5, 0.2, -0.1, -0.6]), np.array([0.0, 0.6, -0.2, -0.1])
    i = rng.integers(4, size=6000)
    j = (i + rng.integers(1, 4, size=6000)) % 4
    place = np.where(rng.random(6000) < np.where(i == 0, 0.2, 0.5), 1, -1)
    longer = rng.normal(length[i] - length[j], 0.5)
    y = rng.random(6000) < 1 / (1 + np.exp(-(theta[i] - theta[j] + 0.4 * place + 0.5 * longer)))
    x = np.eye(4)[i] - np.eye(4)[j]
    plain, full = bradley_terry(x, y)[0], bradley_terry(np.c_[x, place, longer], y)[0]
    holds("The strengths are then those at equal place and length", "add a column to `x` for the place and one for the")
    elo_points = 400 / math.log(10)
    said = [plain[1] - plain[0], full[0] - full[1], theta[0] - theta[1]]  # in the bank of questions
    assert [round(elo_points * gap) for gap in said] == [28, 40, 52]
    assert plain.argmax() == 1 and full[:4].argmax() == 0 and joined([[0, 1], [1, 0]])
    assert abs(full[:4] - full[:4].mean() - theta + theta.mean()).max() < 0.1 > abs(full[4:] - [0.4, 0.5]).max()


@section("lesson-preferences-choices")
def test_the_choices(bradley_terry, fit, gap, leads, log, points, votes_of, wins):
    holds("49% against 64%", "ahead in 169 of 200 orders", "ahead in 195 of 200 orders", "77 points ahead")
    assert [sum(lead > 0 for lead in leads[k]) for k in (32, 4)] == [169, 195] and round(gap(1, 0, *fit)[0]) == 77
    assert [round(100 * wins[i].sum() / (wins[i].sum() + wins[:, i].sum())) for i in (1, 0)] == [49, 64]
    holds("74 points ahead")
    shrunk = bradley_terry(votes_of(log[:, 0], log[:, 1], 5), np.ones(len(log)), 1)
    assert round(gap(1, 0, *shrunk)[0]) == 74
    small = votes_of([0] * 5, [1] * 5, 2)
    holds("five votes in which A beats B in all but one give a gap of 156 points instead of 241")
    gaps = [points * np.ptp(bradley_terry(small, [1, 1, 1, 1, 0], penalty)[0]) for penalty in (1, 0)]
    assert [round(value) for value in gaps] == [156, 241]
    holds("because its default, `C=1`, is our `penalty` of 1")
    cost = [  # what scikit-learn minimises at C = 1: half the squared length plus the log loss of the votes
        of @ of / 2 + sum(np.log1p(np.exp(np.where([1, 1, 1, 1, 0], -1, 1) * (of[0] - of[1]))))
        for of in ([t / 2, -t / 2] @ np.eye(2) for t in np.linspace(0, 2, 2001))
    ]
    assert abs(points * np.linspace(0, 2, 2001)[np.argmin(cost)] - gaps[0]) < 0.2


@section("lesson-preferences-choices")
def test_ties(bradley_terry, gap, points, votes_of):
    results = np.repeat([1, 0, 0.5], [40, 20, 40])

    def lead(y):
        return points * np.subtract(*bradley_terry(votes_of([0] * len(y), [1] * len(y), 2), y)[0])

    holds("Suppose that A wins 40 of 100 votes, B wins 20, and 40 are ties", "half a win for each", "70")
    assert round(lead(results)) == 70
    holds("dropped", "120")
    assert round(lead(results[results != 0.5])) == 120
    holds("a loss for A", "-70")
    assert round(lead(np.where(results == 0.5, 0, results))) == -70
    proved("a third outcome (Davidson's model)", "120")
    odds, nu = 2, 40 / math.sqrt(40 * 20)  # shares of 40, 20 and 40 of 100 are fitted exactly
    weights = np.array([math.sqrt(odds), 1 / math.sqrt(odds), nu])
    assert np.allclose(weights / weights.sum(), [0.4, 0.2, 0.4]) and round(400 * math.log10(odds)) == 120
    holds("Half wins also overstate the error, since a tie varies less than a coin")
    assert results.std() < math.sqrt(0.6 * 0.4)
    x = votes_of([0] * 100, [1] * 100, 2)
    theta, spread = bradley_terry(x, results)
    rest = results - 1 / (1 + np.exp(-x @ theta))
    sandwich = spread @ ((x.T * rest**2) @ x) @ spread
    assert np.ptp(gap(0, 1, theta, sandwich)) < np.ptp(gap(0, 1, theta, spread))


@section("lesson-preferences-choices")
def test_the_anchor(fit, gap):
    theta, spread = fit
    holds("so its interval has width 0, and its uncertainty has moved into all the others")
    turn = np.eye(5) - np.eye(5)[0]  # all strengths less that of A
    anchored = turn @ spread @ turn.T
    assert anchored[0, 0] == 0 and (np.diag(anchored)[1:] > np.diag(spread)[1:]).all()
    holds("The gaps do not depend on the anchor")
    for i, j in itertools.combinations(range(5), 2):
        assert np.allclose(gap(i, j, turn @ theta, anchored), gap(i, j, theta, spread))


@section("lesson-preferences-case", after="sandwich = spread")
def test_a_season(clubs, gap, games, joined, order, points, result, rows, sandwich, season, spread, theta, x, y):
    holds("lists all 6,504 games of four seasons in the first divisions of England, Spain, Italy, Germany and Austria")
    assert len(games) == 6504 and len(set(games["season"])) == 4 and len(set(games["country"])) == 5
    holds("The home side won 46% of the games, 24% were ties, and the away side won 30%.")
    assert [round(100 * np.mean(result == value)) for value in (1, 0.5, 0)] == [46, 24, 30]
    holds("In the season from 2015 to 2016, Leicester City won the English league.")
    won = dict.fromkeys(clubs, 0)
    for home, away, value in zip(x[:, :20].argmax(1), x[:, :20].argmin(1), y, strict=True):
        won[clubs[home]] += {1: 3, 0.5: 1, 0: 0}[value]
        won[clubs[away]] += {1: 0, 0.5: 1, 0: 3}[value]
    assert max(won, key=won.get) == "Leicester City" == clubs[order[0]]
    holds("A tie varies less than a coin, so we estimate the errors from the residuals of the fit")
    assert np.ptp(gap(order[0], order[1], theta, sandwich)) < np.ptp(gap(order[0], order[1], theta, spread))
    holds("the gap is 80 points, with an interval from -60 to 220")
    assert np.round(rows[0][1:]).tolist() == [80, -60, 220] and rows[0][0] == "Arsenal"
    holds("Against Aston Villa, the last, the 380 games do decide.")
    assert rows[3][0] == "Aston Villa" == clubs[theta[:20].argmin()] and rows[3][2] > 0 and len(y) == 380
    holds("Playing at home is worth 44 points (13 to 75)", "the home side scores 0.56 on average")
    home, error = points * theta[20], points * math.sqrt(sandwich[20, 20])
    assert [round(home + z * error) for z in (0, -1.96, 1.96)] == [44, 13, 75]
    assert round(1 / (1 + math.exp(-theta[20])), 2) == 0.56


@section("lesson-preferences-case")
def test_the_forecasts(by_elo, by_fit, change, errors, games, joined, k, late, of, penalty, pooled, season, which):
    holds("The penalty and $K$ are chosen on the first two seasons and judged on the last two")
    assert (penalty, k) == (2, 40) and set(late) == {2015, 2016}
    first = {p: pooled(errors(by_fit, p, (2013, 2014))) for p in (0, 0.5, 1, 2, 3, 5, 10)}
    assert min(first, key=first.get) == penalty
    holds("so we draw these ten seasons whole", "all five leagues from 2015 to 2017", "over all 1,626 games")
    assert len(set(which)) == 10 and len(which) == 1626
    holds("The penalty lowers the error by 0.0055 (95% interval 0.0007 to 0.0102)")
    found = change("with penalty", "Bradley-Terry")
    assert np.round(found[:3], 4).tolist() == [-0.0055, -0.0102, -0.0007] and round(found.p_value, 3) == 0.018
    holds("and it does so in nine of the ten seasons")
    pairs = zip(of["with penalty"], of["Bradley-Terry"], strict=True)
    assert sum(new.mean() < old.mean() for new, old in pairs) == 9
    holds("Elo lies between the two fits", "its error is higher by 0.0007 (-0.0012 to 0.0026)")
    assert pooled(of["with penalty"]) < pooled(of["Elo"]) < pooled(of["Bradley-Terry"])
    assert np.round(change("Elo", "with penalty")[:3], 4).tolist() == [0.0007, -0.0012, 0.0026]
    holds("the interval of the difference, -0.0108 to 0.0013, includes 0")
    assert np.round(change("Elo", "Bradley-Terry")[1:3], 4).tolist() == [-0.0108, 0.0013]
    holds("All three are better than the home rate.")
    for name in ("Bradley-Terry", "with penalty", "Elo"):
        assert change(name, "home rate").high < 0 and change(name, "one half").high < 0
    holds("one half, 0.1905; home rate, 0.1835; Bradley-Terry, 0.1648; with penalty, 0.1593; and Elo, 0.1600")
    assert [round(pooled(parts), 4) for parts in of.values()] == [0.1905, 0.1835, 0.1648, 0.1593, 0.16]
    holds("Within a row the strokes lie up to 0.07 apart.")
    assert 0.065 < max(np.ptp([part.mean() for part in parts]) for parts in of.values()) < 0.08
    holds("After half a season a club has played 17 to 19 games")
    played, tops = set(), {"plain": [], "penalty": [], "elo": []}
    for year, country in itertools.product(late, np.unique(games["country"])):
        _, x, y = season(country, year)
        half = len(y) // 2
        played |= set(abs(x[:half, :-1]).sum(axis=0))
        later = np.eye(x.shape[1])[:-1]
        for name, said in (
            ("plain", by_fit(x[:half], y[:half], later, 0)),
            ("penalty", by_fit(x[:half], y[:half], later, penalty)),
            ("elo", by_elo(x[:half], y[:half], later, k)),
        ):
            tops[name].append(np.ptp(np.log(said / (1 - said))))
    assert {17, 18, 19} <= played and min(played) >= 16 and max(played) <= 20
    holds("the strengths at the top and at the bottom are there partly by luck, and the penalty pulls them back")
    assert pooled(of["with penalty"]) < pooled(of["Bradley-Terry"]) and np.mean(tops["penalty"]) < np.mean(
        tops["plain"]
    )
    holds("Elo does the same without saying so, because all clubs start at 1,000 and each game moves them a little.")
    for name in ("penalty", "elo"):
        assert all(a < b for a, b in zip(tops[name], tops["plain"], strict=True))
    holds("A shrunk gap, however, is smaller than the games say")
    assert np.mean(tops["penalty"]) < 0.8 * np.mean(tops["plain"])
    holds("No club of one meets a club of another", "a table of all 116 clubs")
    clubs = [
        set(games["home"][games["country"] == c]) | set(games["away"][games["country"] == c])
        for c in set(games["country"])
    ]
    assert not any(a & b for a, b in itertools.combinations(clubs, 2)) and len(set().union(*clubs)) == 116
    names = sorted(set().union(*clubs))
    wins = np.zeros((116, 116))
    for game in games:
        wins[names.index(game["home"]), names.index(game["away"])] += 1
    assert not joined(wins + wins.T)
    assert isinstance(paired_difference(np.concatenate(of["Elo"]), np.concatenate(of["home rate"])).value, float)


@section("Try it")
def test_try_it(elo, results, strong, total, weak):
    holds("A and B have each played 20 games", "but 40% against 60% in total")
    assert all(weak[name][1] + strong[name][1] == 20 for name in "AB") and total == {"A": 0.6, "B": 0.4}
    holds("B wins the larger share against each, 100% against 75% and 25% against 0")
    assert [won / played for won, played in (weak["B"], weak["A"], strong["B"], strong["A"])] == [1, 0.75, 0.25, 0]
    holds("Two players start at 1,000, with $K = 32$, and play eight games, of which each wins four.")
    ends = {order: elo([(0, 1, s) for s in order], 2)[0] for order in set(itertools.permutations(results))}
    assert max(ends, key=ends.get) == tuple(results) and sum(results) == 4
    holds("It ends at 1017.6, and in the opposite order at 982.4.")
    assert round(ends[tuple(results)], 1) == 1017.6 and round(ends[tuple(results[::-1])], 1) == 982.4


@section("lesson-preferences-blind")
def test_unchecked():
    unchecked("which is what you want only if length is not a merit", "a matter of what the users want")
    unchecked("In choix 0.4.1, `choix.ilsr_pairwise` raises an error", "a package that the tests do not install")
