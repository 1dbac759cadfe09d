"""What book/lessons/calibration.ipynb says, held."""

import math

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from metrics_lib import (
    brier_score_loss,
    expected_calibration_error,
    kl_divergence,
    log_loss,
    normalized_cross_entropy,
    roc_auc_score,
)
from metrics_lib.uncertainty import bootstrap
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-calibration", after="fig, axes")
def test_the_opening(late_of, said_a, said_b, sizes):
    shares, counts = late_of / sizes, np.transpose([late_of, sizes - late_of]).ravel()
    late = np.repeat([1, 0] * 4, counts)
    spread = {"A": np.repeat(said_a, sizes), "B": np.repeat(said_b, sizes)}
    holds("on the same 1,000 flights, 140 of which were late")
    assert len(late) == 1000 and late.sum() == 140
    holds("Both put the flights in the same order, and the forecasts of each add up to 140.")
    assert (np.diff(said_a) > 0).all() and (np.diff(said_b) > 0).all()
    assert all(math.isclose(p.sum(), 140) for p in spread.values())
    holds("There are four groups of flights", "for groups of 400, 300, 200 and 100 flights from left to right")
    assert sizes.tolist() == [400, 300, 200, 100] and len(said_a) == len(said_b) == 4
    holds("The four dots of A lie on the diagonal, from a large one at 0.05 to a small one at 0.5", "says 50%")
    assert np.allclose(said_a, shares) and (said_a[0], said_a[-1]) == (0.05, 0.5)
    holds("two large ones at the left end lie above the diagonal", "says 1% or 2%, 5% or 10% are late")
    assert (shares > said_b + 1e-9).tolist() == [True, True, False, False]
    assert said_b[:2].tolist() == [0.01, 0.02] and shares[:2].tolist() == [0.05, 0.1]
    holds("one lies on it at 0.2", "a small one lies far below it on the right")
    assert said_b[2] == shares[2] == 0.2 and shares[3] == 0.5 < said_b[3] == 0.9
    holds("B sells 700 policies at 1 or 2 euros that cost the insurer 5 or 10 euros on average, a loss of 4,000 euros.")
    profit = 100 * (sizes * said_b - late_of)
    assert sizes[:2].sum() == 700 and math.isclose(profit[:2].sum(), -4000)
    holds("the policies at 90 euros would make up for that, but few people pay 90 euros for what is worth 50")
    assert abs(profit.sum()) < 1e-9 < profit[3] and math.isclose(100 * said_b[3], 90) and 100 * shares[3] == 50
    holds("A breaks even in each group")
    assert np.allclose(sizes * said_a, late_of)
    holds("cannot tell the versions apart, because it depends on the order alone, and it is 0.749 for both")
    assert {round(roc_auc_score(late, p), 3) for p in spread.values()} == {0.749}
    rng = np.random.default_rng(0)
    for levels in np.sort(rng.random((100, 4))):
        assert math.isclose(roc_auc_score(late, np.repeat(levels, sizes)), roc_auc_score(late, spread["A"]))
    holds("it is 0.346 for A and 0.439 for B, and lower is better")
    losses = [round(log_loss(late, p), 3) for p in (*spread.values(), np.full(1000, 0.14))]
    assert losses == [0.346, 0.439, 0.405] and log_loss(late, late) < 1e-12
    holds("Forecasting 14% for each flight costs 0.405, so B is worse than that.")
    assert losses[0] < losses[2] < losses[1]


@section("In one line")
def test_in_one_line():
    four_true, four_prob = [1, 0, 1, 0], [0.9, 0.2, 0.5, 0.2]
    holds("is 0.311 and `brier_score_loss(y_true, y_prob)` is 0.085 on the four flights below")
    assert round(log_loss(four_true, four_prob), 3) == 0.311
    assert math.isclose(brier_score_loss(four_true, four_prob), 0.085)
    holds("0 is the best value of both")
    assert log_loss([1, 0], [1.0, 0.0]) < 1e-15 and brier_score_loss([1, 0], [1.0, 0.0]) == 0
    holds("if 30% of the flights with a forecast of 30% are late, and likewise for all other forecasts")
    for of_100 in range(1, 100):
        came = [1] * of_100 + [0] * (100 - of_100)
        assert expected_calibration_error(came, [of_100 / 100] * 100) < 1e-12
        assert of_100 == 50 or expected_calibration_error(came, [1 - of_100 / 100] * 100) > 0
    holds("they also reward telling the flights apart")
    for score in (log_loss, brier_score_loss):
        assert score([1, 1, 1, 0, 0, 0, 0, 1], [0.75] * 4 + [0.25] * 4) < score([1, 1, 1, 0, 0, 0, 0, 1], [0.5] * 8)


@section("By hand")
def test_by_hand(answers, distance, expected, surprise, y_prob, y_true):
    holds("0.8$, 0.223", "for a late flight, $1 - p_i$ for one on time")
    assert np.allclose(surprise[y_true == 0], -math.log(0.8)) and np.allclose(np.exp(-surprise[0]), y_prob[0])
    rows = np.round([y_prob, y_true, surprise, distance], 3).T.tolist()
    assert rows == [[0.9, 1, 0.105, 0.01], [0.2, 0, 0.223, 0.04], [0.5, 1, 0.693, 0.25], [0.2, 0, 0.223, 0.04]]
    assert np.round([surprise.mean(), distance.mean()], 3).tolist() == [0.311, 0.085]
    proved("the surprise would be 4.605 instead of 0.693, and with a forecast of 0 it would be infinite")
    assert round(-math.log(0.01), 3) == 4.605 and round(-math.log(0.5), 3) == 0.693
    with np.errstate(divide="ignore"):
        assert -np.log(y_prob[0] * 0) == np.inf
    holds("Under the Brier score, no mistake costs more than 1.", "no single row can cost more than 1")
    assert max(brier_score_loss([y], [p], pos_label=1) for y in (0, 1) for p in np.linspace(0, 1, 101)) == 1
    holds("Each slope is negative below $q$ and positive above it, so nothing is cheaper than $p = q$.")
    grid = np.linspace(0.01, 0.99, 99)
    for truth in grid:
        log_cost = -truth * np.log(grid) - (1 - truth) * np.log(1 - grid)
        square_cost = truth * (1 - grid) ** 2 + (1 - truth) * grid**2
        assert grid[log_cost.argmin()] == grid[square_cost.argmin()] == truth
        others = grid[~np.isclose(grid, truth)]
        for slope in ((others - truth) / (others * (1 - others)), 2 * (others - truth)):
            assert np.array_equal(slope < 0, others < truth)
        assert np.allclose(square_cost, (grid - truth) ** 2 + truth * (1 - truth))
        h = 1e-6
        moved = [-truth * np.log(others + d) - (1 - truth) * np.log(1 - others - d) for d in (h, -h)]
        assert np.allclose((moved[0] - moved[1]) / (2 * h), (others - truth) / (others * (1 - others)), rtol=1e-4)
    holds("falls to a dot at 0.3 and then rises steeply out of the picture")
    assert round(answers[expected["log loss"].argmin()], 3) == 0.3 and expected["log loss"][-1] > 1.2
    holds("with its dot at 0.3 as well")
    assert round(answers[expected["Brier score"].argmin()], 3) == 0.3
    holds("The dotted line of the absolute error rises straight from a dot at 0 to 0.7.")
    straight = np.diff(expected["absolute error"])
    assert np.allclose(straight, straight[0]) and expected["absolute error"].argmin() == 0
    assert round(expected["absolute error"][-1], 2) == 0.7
    holds("it asks you to lie, because its cheapest forecast is 0 for $q$ below one half and 1 above")
    said_all = np.linspace(0, 1, 101)
    for truth in grid[~np.isclose(grid, 1 / 2)]:
        assert said_all[(truth * (1 - said_all) + (1 - truth) * said_all).argmin()] == (0 if truth < 1 / 2 else 1)
    assert expected["absolute error"].argmin() == 0


@section("By hand", after="clicks = ")
def test_rare_events(clicks):
    low, true, high = ([score(clicks, np.full(1000, p)) for score in (brier_score_loss, log_loss)] for p in FORECASTS)
    holds("Suppose that 1% of all ads are clicked.")
    assert clicks.mean() == FORECASTS[1]
    holds("Both scores are lowest at the truth")
    assert all(truth < min(a, b) for truth, a, b in zip(true, low, high, strict=True))
    holds("The Brier score calls 2% slightly worse, because it sees the difference, and 2% is further from 1%")
    assert low[0] < high[0] < 1.005 * low[0]
    for p in FORECASTS:  # what an error costs beyond the truth
        assert math.isclose(brier_score_loss(clicks, np.full(1000, p)) - true[0], (p - 0.01) ** 2, abs_tol=1e-12)
    holds("The log loss calls 0.1% much worse, because being too low by a factor of ten is a larger error")
    assert low[1] - true[1] > 4 * (high[1] - true[1]) > 0
    assert math.isclose(low[1] - true[1], kl_divergence([0.01, 0.99], [0.001, 0.999], base=math.e))


FORECASTS = 0.001, 0.01, 0.02


@section("lesson-calibration-scale")
def test_how_good_is_a_log_loss_of(A, B, bar, base, late, late_of, resolution, said_a, said_b, share, sizes):
    holds("a log loss of 0.35")
    assert round(log_loss(late, A), 2) == 0.35
    holds(r"Its log loss is the entropy of $\pi$, which is 0.405 for our 14%.")
    assert math.isclose(bar, -0.14 * math.log(0.14) - 0.86 * math.log(0.86)) and round(bar, 3) == 0.405
    holds("To compute it, we write out all 1,000 flights")
    assert len(A) == len(B) == len(late) == 1000 and late.sum() == 140
    for k, n, p in zip(late_of, sizes, said_b, strict=True):
        assert (late[p == B].sum(), (p == B).sum()) == (k, n)
    holds("`normalized_cross_entropy` is 0.855 for A and 1.085 for B, and above 1 a model is worse than the base rate.")
    assert [round(normalized_cross_entropy(late, p), 3) for p in (A, B)] == [0.855, 1.085]
    assert math.isclose(normalized_cross_entropy(late, A), log_loss(late, A) / bar)
    holds("A model is better than the base rate below 1 and worse above.")
    rng = np.random.default_rng(1)
    for forecast in rng.random((200, 1)) * np.ones(1000):
        assert (normalized_cross_entropy(late, forecast) > 1) == (log_loss(late, forecast) > bar)
    holds("There is no upper limit except the one that clipping sets.")
    assert math.isclose(log_loss(late, 1 - late), -math.log(np.finfo(float).eps))
    holds("A, at 0.346 (0.855); 14% for each flight, a thick line at 0.405 (1); B, at 0.439 (1.085)")
    assert [round(log_loss(late, p), 3) for p in (A, base, B)] == [0.346, 0.405, 0.439]
    holds("one half for each flight, at 0.693 (1.712)")
    assert round(log_loss(late, np.full(1000, 0.5)), 3) == 0.693 and round(math.log(2) / bar, 3) == 1.712
    holds("because each log loss looks small there: if 1% of ads are clicked, the base rate alone scores 0.056")
    assert round(log_loss([1] + [0] * 99, [0.01] * 100), 3) == 0.056
    holds("The Brier score is then exactly the sum of three parts")
    for forecast in rng.random((200, 4)):
        label, bin_of = rng.integers(0, 2, 20), rng.integers(0, 4, 20)
        bins = [bin_of == b for b in range(4) if (bin_of == b).any()]
        off = sum(b.mean() * (forecast[bin_of][b].mean() - label[b].mean()) ** 2 for b in bins)
        known = sum(b.mean() * (label[b].mean() - label.mean()) ** 2 for b in bins)
        total = off - known + label.mean() * (1 - label.mean())
        assert math.isclose(total, ((forecast[bin_of] - label) ** 2).mean())
    parts_of = [[sizes @ (said - share) ** 2 / 1000, resolution, 0.14 * 0.86] for said in (said_a, said_b)]
    table = [*parts_of, [0, 0, 0.14 * 0.86]]
    briers = [brier_score_loss(late, forecast) for forecast in (A, B, base)]
    assert np.allclose([off - known + luck for off, known, luck in table], briers)
    assert np.allclose(table, [[0, 0.0174, 0.1204], [0.0186, 0.0174, 0.1204], [0, 0, 0.1204]], atol=0.00005)
    assert np.round(briers, 4).tolist() == [0.103, 0.1216, 0.1204]
    holds("B knows as much as A, but its exaggeration costs more than that knowledge brings.")
    assert table[0][1] == table[1][1] < table[1][0]


@section("lesson-calibration-blind")
def test_what_it_cannot_see(A, B, base, late, late_of, said_a, said_b, sizes, two_errors):
    holds("Stretch A into B, or square its forecasts, and the AUC does not move")
    assert {round(roc_auc_score(late, p), 3) for p in (A, B, A**2)} == {0.749}
    assert len({round(log_loss(late, p), 3) for p in (A, B, A**2)}) == 3
    holds("Both scores put B behind the base rate.")
    assert all(score(late, B) > score(late, base) for score in (log_loss, brier_score_loss))
    holds("replace each of B's forecasts by the share late in its group, 1% by 5% and so on, and B becomes A")
    assert np.allclose((late_of / sizes)[np.searchsorted(said_b, B)], A) and (said_b[0], said_a[0]) == (0.01, 0.05)
    holds("No such map makes anything of 14% for each flight.")
    assert all(log_loss(late, np.full(1000, p)) >= log_loss(late, base) for p in np.linspace(0.01, 0.99, 99))
    holds("A and 14% for each flight both have an ECE of 0, so resolution earns nothing.")
    assert max(expected_calibration_error(late, p) for p in (A, base)) < 1e-12
    holds("B's ECE is 0.08 with ten bins but 0 with one, because within a bin the forecasts that are too high cancel")
    assert math.isclose(expected_calibration_error(late, B, n_bins=10), 0.08)
    assert expected_calibration_error(late, B, n_bins=1) < 1e-12
    gaps = sizes * said_b - late_of
    assert abs(gaps.sum()) < 1e-9 and math.isclose(abs(gaps).sum() / 1000, 0.08)
    holds("The ECE is also biased upwards.", "With 100 flights, the forecaster who knows everything has an ECE of 0.1")
    rng = np.random.default_rng(7)
    few, many = (np.mean([two_errors(n, rng) for _ in range(200)], axis=0) for n in (100, 10_000))
    assert abs(few[0] - 0.1) < 0.005 and many[0] < few[0] / 8
    holds("more than twice that of the one who knows nothing")
    assert 2 * few[1] < few[0] and 2 * many[1] < many[0]
    holds("the absolute value turns noise in either direction into error", "Both are calibrated")
    for n in (100, 1000):
        chances = rng.random((300, n))
        outcomes = rng.random((300, n)) < chances
        off = [(chances - outcomes).mean(), (1 / 2 - outcomes).mean()]
        assert max(map(abs, off)) < 0.01 and two_errors(n, rng)[0] > 0
    holds("the honest forecasts are spread over ten bins, and smaller bins are noisier")
    coins = [expected_calibration_error((rng.random(n) < 0.5).astype(int), np.full(n, 0.5)) for n in [10] * 300]
    assert abs(np.mean(coins) - 0.12) < 0.02 and np.mean(coins) > 2 * few[1]


@section("The choices")
def test_the_choices(B, late, y_prob, y_true):
    assert np.round([log_loss(y_true, y_prob), log_loss(y_true, y_prob) / np.log(2)], 3).tolist() == [0.311, 0.449]
    assert round(log_loss(y_true, y_prob, normalize=False), 3) == 1.245
    assert round(brier_score_loss(y_true, y_prob), 3) == 0.085
    assert math.isclose(brier_score_loss(y_true, y_prob, scale_by_half=False), 0.17)
    case = np.genfromtxt("cases/flights.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    case = case[case["month"] >= 10]
    holds("For the ECE they are those of the logistic regression on the data below, with version B in brackets.")
    for y, p, values in ((case["late"], case["logistic"], (0.013, 0.007, 0.023, 0.013, 0.015)), (late, B, OF_B)):
        eces = [expected_calibration_error(y, p, n_bins=k) for k in (10, 1, 50)]
        eces += [expected_calibration_error(y, p, strategy="quantile")]
        eces += [expected_calibration_error(y, np.c_[1 - p, p], n_bins=15)]
        assert np.round(eces, 3).tolist() == list(values)
        called = expected_calibration_error(y == (p > 0.5), np.maximum(p, 1 - p), n_bins=15)
        holds("only the largest probability of a row counts")
        assert math.isclose(eces[-1], called)
        assert expected_calibration_error(y, p) == eces[0]
    holds(
        "scikit-learn, 64 bits",
        "scikit-learn, 32 bits",
        "A forecast of 0 is clipped to the machine epsilon, which scikit-learn takes from the type of the array",
    )
    for kind, price, size in ((np.float64, 36.04, 64), (np.float32, 15.94, 32)):
        assert np.finfo(kind).bits == size
        worst = log_loss([1], np.maximum(np.array([0], kind), np.finfo(kind).eps), labels=[0, 1])
        assert math.isclose(worst, -math.log(np.finfo(kind).eps)) and round(worst, 2) == price
        assert round(log_loss([1], np.array([0], kind), labels=[0, 1]), 2) == 36.04


OF_B = 0.08, 0, 0.08, 0.08, 0.08


@section("On real data", after="last = axes[1]")
def test_the_flights_and_the_diagrams(axes, bayes, change, early, flights, happened, last, later, logistic, models):
    holds("holds 45 landed flights of each day from July to December 2013")
    assert set(np.unique(flights["day"], return_counts=True)[1]) == {45} and set(flights["month"]) == set(range(7, 13))
    assert np.unique(flights["day"]).tolist() == list(range(182, 366)) and len(flights) == 184 * 45
    holds("The 4,140 flights of October to December in ten bins of equal width.")
    assert later.sum() == 4140 == early.sum() and not (early & later).any()
    holds("forecasts exactly 1 for 44 flights, of which 21 were on time")
    certain = flights["bayes"] == 1
    assert certain.sum() == 44 and (happened[certain] == 0).sum() == 21
    holds("The file keeps four digits, so we clip to 0.9999")
    assert np.array_equal(flights["bayes"].round(4), flights["bayes"]) and bayes.max() == 0.9999
    holds("otherwise the library's clipping constant would account for a sixth of the loss")
    clipped = -math.log(np.finfo(float).eps) * (happened[certain & later] == 0).sum()
    assert abs(clipped / log_loss(happened[later], flights["bayes"][later], normalize=False) - 1 / 6) < 0.01
    holds("but its log loss is 1.15 times that of the quarter's base rate (95% interval 1.02 to 1.30)")
    draws = {"groups": flights["day"][later], "rng": 0}
    ratio = bootstrap(normalized_cross_entropy, happened[later], bayes[later], n_resamples=1000, **draws)
    assert np.round(ratio[:3], 2).tolist() == [1.15, 1.02, 1.30]
    holds("Naive Bayes orders the flights about as well as the others")
    for other in ("regression", "trees"):
        ahead = bootstrap(lead, happened[later], bayes[later], models[other][later], n_resamples=300, **draws)
        assert ahead.low < 0 < ahead.high
    measures = (roc_auc_score, log_loss, normalized_cross_entropy)
    values = [[round(f(happened[later], p[later]), 3) for f in measures] for p in models.values()]
    assert values == [[0.715, 0.371, 0.911], [0.711, 0.375, 0.922], [0.725, 0.468, 1.15]]
    holds("The difference is 0.097 (0.035 to 0.160)")
    value, low, high = change(bayes, logistic)
    assert [round(end, 2) for end in (value, low, high)] == [0.10, 0.03, 0.16] and round(value, 4) == 0.0975
    assert round(low, 3) == 0.035 and round(high, 3) == 0.16
    holds("Flights of one day share their weather")
    of_days = [happened[flights["day"] == day].mean() for day in set(flights["day"])]
    assert np.std(of_days) > 2 * np.sqrt(happened.mean() * (1 - happened.mean()) / 45)
    curves = [np.array(panel.lines[1].get_xydata()).T for panel in axes]
    holds("The mean distance is the expected calibration error.")
    for panel, (told, came), p_of in zip(axes, curves, (logistic, bayes), strict=True):
        weights = np.array([column.get_height() for column in panel.containers[0]])
        assert math.isclose(weights @ abs(told - came), expected_calibration_error(happened[later], p_of[later]))
    holds("follows the dotted diagonal up to about 0.45 and scatters where hardly any flights are")
    gaps = abs(curves[0][0] - curves[0][1])
    assert gaps[:5].max() < 0.07 and abs(curves[0][0][4] - 0.45) < 0.02 and gaps[5:].max() > 0.15
    assert sum(column.get_height() for column in list(axes[0].containers[0])[5:]) < 0.02
    holds("lies a little above the diagonal up to 0.35, meets it at 0.45 and then drops to about 0.2")
    told, came = curves[1]
    assert (came > told)[:4].all() and abs(told[3] - 0.35) < 0.02 and abs(came[4] - told[4]) < 0.01
    assert abs(came[5:8] - 0.2).max() < 0.03
    holds("with dashes that grow to the right", "says 97%, 50% are late")
    assert ((told - came)[5:8] > 0.3).all() and last.round(2).tolist() == [0.97, 0.5]
    holds("Naive Bayes is too sure at both ends.")
    assert told[0] < came[0] and told[-1] > came[-1]
    holds("Its ECE is 0.013, which chance could explain, because labels drawn from its own forecasts give 0.010 on")
    rng, said = np.random.default_rng(3), logistic[later]
    drawn = [expected_calibration_error((rng.random(4140) < said).astype(int), said) for _ in range(300)]
    observed = expected_calibration_error(happened[later], said)
    assert round(observed, 3) == 0.013 and round(np.mean(drawn), 3) == 0.01
    holds("and at least 0.013 about one time in six")
    assert abs(np.mean(np.array(drawn) >= observed) - 1 / 6) < 0.04


def lead(y, a, b):
    return roc_auc_score(y, a) - roc_auc_score(y, b)


@section("On real data", after="periods =")
def test_the_months(happened, later, logistic, periods, profit):
    profits = {name: np.round(profit(logistic, rows), 1).tolist() for name, rows in periods.items()}
    holds("the prices leave 0.7 euros a policy, with an interval from a loss of 1.6 to a gain of 3.0")
    assert profits["all three"] == [0.7, -1.6, 3.0] and np.array_equal(periods["all three"], later)
    holds("That mean is close to 0 only because its errors cancel.")
    assert profits["October"][1] > 0 < profits["November"][1] and profits["December"][2] < 0
    shares = {name: (logistic[rows].mean(), happened[rows].mean()) for name, rows in periods.items()}
    holds("In October a policy costs 16.3 euros and is worth 10.1")
    assert [round(100 * share, 1) for share in shares["October"]] == [16.3, 10.1]
    holds("the difference is also the profit in euros for each policy, if all flights are insured")
    for name, rows in periods.items():
        assert math.isclose(profit(logistic, rows)[0], np.subtract(*shares[name]) * 100)
        paid = 100 * logistic[rows].sum() - 100 * happened[rows].sum()
        assert math.isclose(profit(logistic, rows)[0], paid / rows.sum())
    holds("in December the insurer loses 7.0 euros on each policy (2.0 to 11.9)")
    value, low, high = profit(logistic, periods["December"])
    assert [round(end, 1) for end in (value, low, high)] == [-7.0, -11.9, -2.0]
    holds("The ECE hides them as well: by month it is 0.063, 0.032 and 0.074.")
    eces = [round(expected_calibration_error(happened[rows], logistic[rows]), 3) for rows in periods.values()]
    assert eces == [0.063, 0.032, 0.074, 0.013]
    holds("It cannot tell you what happens when the next month is of another kind")
    before, after = (profit(logistic, periods[name]) for name in ("November", "December"))
    assert not before[1] <= after[0] <= before[2]


@section("On real data")
def test_the_repairs_beside_scikit_learn(bayes, early, happened, intercept, later, logistic, platt, repaired, repairs):
    for p in (bayes, logistic):
        z, y = np.log(p / (1 - p)), happened
        model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(z[early, None], y[early])
        holds("which is a logistic regression with one column")
        assert np.allclose(platt(p[early], y[early]), [model.intercept_[0], model.coef_[0, 0]], atol=1e-5)
        alone = LogisticRegression(C=np.inf, tol=1e-10, fit_intercept=False).fit(z[early, None], y[early])
        cooled = repairs["temperature"](p[early], y[early])(p)
        assert np.allclose(cooled, alone.predict_proba(z[:, None])[:, 1], atol=1e-6)
        stairs = IsotonicRegression(out_of_bounds="clip").fit(p[early], y[early])
        holds("fits the best map that nowhere falls, a staircase")
        ours = repairs["isotonic"](p[early], y[early])(p)
        assert np.allclose(ours, stairs.predict(p).clip(0.0001, 0.9999), atol=1e-9)
        assert (np.diff(ours[np.argsort(p)]) >= -1e-12).all()
        a = intercept(p[early], y[early])
        assert math.isclose(repairs["intercept"](p[early], y[early])(p)[early].mean(), y[early].mean())
        grid = a + np.linspace(-0.5, 0.5, 101)
        fits = [log_loss(y[early], 1 / (1 + np.exp(-z[early] - shift))) for shift in grid]
        assert math.isclose(grid[np.argmin(fits)], a)
    holds("Binning replaces a forecast by the share late in its bin, here one of ten bins of equal size.")
    binned = repaired["ten bins", "Bayes"]
    assert len(set(binned)) == 10 and later.sum() == 4140
    for level in set(binned):
        assert math.isclose(happened[early & (binned == level)].mean(), level)
        assert abs((early & (binned == level)).sum() - 414) < 20


@section("On real data")
def test_what_the_repairs_do(
    bayes, change, early, happened, later, logistic, models, periods, platt, repaired, repairs
):
    a, slope = platt(bayes[early], happened[early])
    holds("For naive Bayes the intercept is -0.773, and a slope of 0.429 is a temperature of 2.33.")
    assert [round(value, 3) for value in (slope, a)] == [0.429, -0.773] and round(1 / slope, 2) == 2.33
    holds("All five repairs", "have these normalised cross-entropies")
    assert len(repairs) == 5 + 1
    table = {
        repair: [round(normalized_cross_entropy(happened[later], repaired[repair, name][later]), 3) for name in models]
        for repair in repairs
    }
    assert table["none"] == [0.911, 0.922, 1.15] and table["isotonic"] == [0.954, 0.932, 0.953]
    holds("The base rate of July to September, forecast for each flight, scores 1.004.")
    flat = np.full(len(bayes), happened[early].mean())
    assert round(normalized_cross_entropy(happened[later], flat[later]), 3) == 1.004
    saved = {repair: change(repaired[repair, "Bayes"], bayes) for repair in list(repairs)[1:]}
    holds("each save naive Bayes 0.08 to 0.10 in log loss, and all three intervals exclude 0")
    for repair in ("Platt scaling", "isotonic", "ten bins"):
        assert 0.08 <= round(-saved[repair][0], 2) <= 0.10 and saved[repair][2] < 0
    holds(
        "A temperature saves half of that, 0.049 (0.027 to 0.072)",
        "because one dial cannot correct both the slope and the level",
    )
    assert 0.5 < saved["temperature"][0] / saved["Platt scaling"][0] < 0.6 and saved["temperature"][2] < 0
    assert np.round(saved["temperature"], 3).tolist() == [-0.049, -0.072, -0.027]
    assert change(repaired["Platt scaling", "Bayes"], repaired["temperature", "Bayes"])[2] < 0
    holds("draws all forecasts towards one half, and the mean forecast rises from 12.7% to 17.3%, where 14.1% were")
    cooled = repaired["temperature", "Bayes"]
    assert (abs(cooled - 0.5) <= abs(bayes - 0.5)).all()
    means = [round(100 * p[later].mean(), 1) for p in (bayes, cooled, happened)]
    assert means == [12.7, 17.3, 14.1]
    holds("An intercept alone changes nothing that the data can show.")
    assert saved["intercept"][1] < 0 < saved["intercept"][2]
    holds("(0.000 with bins, from -0.010 to 0.010)")
    against = change(repaired["ten bins", "Bayes"], logistic)
    assert np.round(against, 3).tolist() == [0, -0.01, 0.01]
    holds("With Platt scaling or bins, these days show no difference between naive Bayes and the regression")
    for repair in ("Platt scaling", "ten bins"):
        low, high = change(repaired[repair, "Bayes"], logistic)[1:]
        assert low < 0 < high
    holds("the isotonic map costs 0.018 (0.006 to 0.029), and two thirds of that comes from")
    stairs = repaired["isotonic", "regression"]
    assert np.round(change(stairs, logistic), 3).tolist() == [0.018, 0.006, 0.029]
    lowest = later & (stairs == stairs.min())
    assert lowest.sum() == 218 and happened[lowest].sum() == 10
    extra = (happened[lowest].sum() * -math.log(0.0001) - loss_of(logistic[lowest], happened[lowest])) / later.sum()
    assert abs(extra / change(stairs, logistic)[0] - 2 / 3) < 0.03
    holds("Give the staircase a floor")
    floored = [normalized_cross_entropy(happened[later], stairs[later].clip(low, 1 - low)) for low in (0.0001, 0.01)]
    assert np.round(floored, 3).tolist() == [0.954, 0.928]
    holds("Platt scaling, which has no steps and keeps the AUC")
    for name, p in models.items():
        kept = roc_auc_score(happened[later], repaired["Platt scaling", name][later])
        assert math.isclose(kept, roc_auc_score(happened[later], p[later]), abs_tol=1e-6)
        assert len(set(repaired["Platt scaling", name])) == len(set(p)) > len(set(repaired["isotonic", name]))
    holds("No repair that was fitted on the summer fits December.")
    december = periods["December"]
    assert all(repaired[repair, "regression"][december].mean() < happened[december].mean() - 0.05 for repair in repairs)


def loss_of(p, y):
    return log_loss(y, p, normalize=False)


@section("On real data")
def test_the_trailing_week(
    change, day, early, happened, later, logistic, periods, policies, profit, rate, repaired, trailing, weekly
):
    summer = repaired["intercept", "regression"]
    holds(
        "lowers the log loss of October by 0.010 (0.004 to 0.016)", "raises that of December by 0.017 (0.006 to 0.027)"
    )
    assert np.round(change(summer, logistic, periods["October"]), 3).tolist() == [-0.01, -0.016, -0.004]
    assert np.round(change(summer, logistic, periods["December"]), 3).tolist() == [0.017, 0.006, 0.027]
    holds("refit the intercept each day on the seven days before")
    moved = np.where(day == 300, 1 - happened, happened)
    assert np.array_equal(trailing(logistic, 7), weekly) and (moved != happened).sum() == 45
    of_months = {name: [profit(p, rows) for rows in periods.values()] for name, p in policies.items()}
    values = {name: [round(of[0], 1) for of in found] for name, found in of_months.items()}
    holds("With the trailing week, the profits are -0.7, -0.8 and 0.0 euros, and each interval includes 0")
    assert values["intercept of last week"] == [-0.7, -0.8, 0.0, -0.5]
    assert all(low < 0 < high for _, low, high in of_months["intercept of last week"])
    holds("though that of December is wide (-5.0 to 5.0)")
    assert [round(end, 1) for end in of_months["intercept of last week"][2]] == [0.0, -5.0, 5.0]
    holds("Only the prices that follow the last week have intervals that include 0 in all three months.")
    spans = {name: [low < 0 < high for _, low, high in of_months[name][:3]] for name in list(policies)[:3]}
    assert list(spans.values()) == [[False] * 3, [False, True, False], [True] * 3]
    holds("As forecast, circles, the profit falls from 6.2 in October to 3.0 in November and -7.0 in December.")
    assert values["as forecast"][:3] == [6.2, 3.0, -7.0]
    holds("With the intercept of summer, squares, it falls from 3.8 to 1.1 and -9.2.")
    assert values["intercept of summer"][:3] == [3.8, 1.1, -9.2]
    holds("The interval of the circles includes 0 in no month, that of the squares in November")
    assert spans["intercept of summer"] == [False, True, False]
    holds("The last week's rate for all flights breaks even as well")
    assert all(low < 0 < high for _, low, high in of_months["last week's rate for all"])
    holds("sells flights that the regression puts at 20% or more for 16 euros less than they cost (11 to 22)")
    risky = later & (logistic >= 0.2)
    assert [round(-end) for end in profit(rate, risky)] == [16, 22, 11]
    holds("the interval for these flights runs from a loss of 7 to a gain of 3")
    assert [round(end) for end in profit(weekly, risky)[1:]] == [-7, 3]
    holds("The data show that its prices follow the months.")
    assert change(weekly, rate)[2] < 0
    holds("the change is -0.009 (-0.023 to 0.006)")
    assert np.round(change(weekly, logistic), 3).tolist() == [-0.009, -0.023, 0.006]
    holds("three weeks, the best of six spans between 29 July and September, change it by -0.006 (-0.018 to 0.006)")
    assert np.round(change(trailing(logistic, 21), logistic), 3).tolist() == [-0.006, -0.018, 0.006]


@section("On real data")
def test_the_span_was_not_tuned(change, day, early, happened, intercept, logistic):
    spans, z = {}, np.log(logistic / (1 - logistic))
    rows = early & (day >= 210)
    for days in (1, 3, 7, 14, 21, 28):
        q = logistic.copy()
        for today in range(210, 274):
            past = (day < today) & (day >= today - days)
            if happened[past].sum():
                q[day == today] = 1 / (1 + np.exp(-z[day == today] - intercept(p=logistic[past], y=happened[past])))
        spans[days] = change(q, logistic, rows)[0]
    holds("the best of six spans between 29 July and September")
    assert min(spans, key=spans.get) == 21 and len(spans) == 6


@section("Try it")
def test_try_it(outcome, reverse, seven):
    holds("A model forecasts 0.9 for each of ten flights, and seven of them are late.")
    assert len(seven) == 10 and seven.sum() == 7
    holds("The repair is to forecast 0.7 for all ten.")
    assert seven.mean() == 0.7
    holds("The Brier score falls by the reliability, (0.9 - 0.7)², which is 0.04.")
    assert math.isclose(brier_score_loss(seven, [0.9] * 10) - brier_score_loss(seven, [0.7] * 10), (0.9 - 0.7) ** 2)
    assert math.isclose(round(brier_score_loss(seven, [0.9] * 10) - brier_score_loss(seven, [0.7] * 10), 9), 0.04)
    holds("Find a counter-example of four flights")
    assert len(reverse) == 4 and normalized_cross_entropy(outcome, reverse) > 1
    holds("The bin from 0.4 to 0.6 has a mean forecast of 0.5, and half of its flights are late.")
    assert math.isclose(np.mean(reverse), 0.5) and np.mean(outcome) == 1 / 2
    assert min(reverse) > 0.4 and max(reverse) < 0.6
    holds("The fault shows in ten bins, and also in the normalised cross-entropy, 1.286.")
    assert expected_calibration_error(outcome, reverse, n_bins=5) < 1e-12
    assert expected_calibration_error(outcome, reverse, n_bins=10) > 0.5
    assert round(normalized_cross_entropy(outcome, reverse), 3) == 1.286


@section("Further")
def test_take_aways(late, A, B):
    holds("because errors cancel in the pool")
    assert expected_calibration_error(late, B, n_bins=1) < 1e-12 < expected_calibration_error(late, B)


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("A flight is late if it arrived 30 minutes or more behind schedule.", "a script")
    unchecked("Three models forecast each month after training on the months before it", "a script")
