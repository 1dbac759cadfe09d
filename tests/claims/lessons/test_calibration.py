"""What book/lessons/calibration.ipynb says, held."""

import math

import numpy as np

from metrics_lib import brier_score_loss, expected_calibration_error, log_loss, normalized_cross_entropy, roc_auc_score
from metrics_lib.uncertainty import bootstrap, paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-calibration")
def test_the_opening(A, B, axes, base, flights_of_group, late, late_of_group, said):
    share_of_group = late_of_group / flights_of_group
    holds("Two versions of the model ran on the same 1,000 flights, 140 of them late.")
    assert len(late) == 1000 and late.sum() == 140 and len(said) == 2
    holds("They put the flights in the same order, and the probabilities of each add up to 140.")
    assert np.array_equal(np.argsort(said["A"]), np.argsort(said["B"])) and len(set(said["B"])) == 4
    assert math.isclose(A.sum(), 140) and math.isclose(B.sum(), 140)
    holds("The four dots of A lie on it, from a large one at 0.05 to a small one at 0.5")
    assert np.allclose(said["A"], share_of_group) and len(share_of_group) == 4
    assert flights_of_group.argmax() == 0 and flights_of_group.argmin() == 3
    holds("Of the four dots of B two large ones lie above the diagonal at its lower end")
    assert (share_of_group > said["B"] + 1e-9).tolist() == [True, True, False, False]
    holds("one lies on it at 0.2, and a small one far to the right below it")
    assert said["B"][2] == share_of_group[2] == 0.2 and share_of_group[3] < said["B"][3] == 0.9
    holds("700 policies leave B's counter for 1 or 2 euros and cost the insurer 5 or 10: a loss of 4,000 euros.")
    sold = said["B"] <= share_of_group
    profit = 100 * (flights_of_group * said["B"] - late_of_group)
    assert flights_of_group[:2].sum() == 700 and np.allclose(100 * said["B"][:2], [1, 2])
    assert np.allclose(100 * share_of_group[:2], [5, 10]) and math.isclose(profit[sold].sum(), -4000)
    holds("A breaks even.")
    assert np.allclose(flights_of_group * said["A"], late_of_group)
    holds("in four groups of 400, 300, 200 and 100 flights from left to right")
    assert flights_of_group.tolist() == [400, 300, 200, 100]
    assert all((np.diff(said[v]) > 0).all() and len(said[v]) == 4 for v in said)
    holds("If all bought, B would break even; but nobody pays 90 euros for what is worth 50.")
    assert abs(profit.sum()) < 1e-9
    assert math.isclose(100 * said["B"][3], 90) and 100 * share_of_group[3] == 50
    holds("cannot tell them apart: 0.749 for each")
    assert roc_auc_score(late, A) == roc_auc_score(late, B) and round(roc_auc_score(late, A), 3) == 0.749
    holds("0.346 for A and 0.439 for B, and lower is better")
    assert [round(log_loss(late, p), 3) for p in (A, B, base)] == [0.346, 0.439, 0.405]
    holds("Saying 14 % to everybody has 0.405, so B is worse.")
    assert log_loss(late, B) > log_loss(late, base) > log_loss(late, A)


@section("In one line")
def test_in_one_line():
    four_true, four_prob = [1, 0, 1, 0], [0.9, 0.2, 0.5, 0.2]
    holds("is 0.311 and `brier_score_loss(y_true, y_prob)` is 0.085 on the four flights below")
    assert round(log_loss(four_true, four_prob), 3) == 0.311 and len(four_true) == 4
    assert math.isclose(brier_score_loss(four_true, four_prob), 0.085)
    holds("both are 0 at best")
    assert log_loss([1, 0], [1.0, 0.0]) < 1e-15 and brier_score_loss([1, 0], [1.0, 0.0]) == 0
    holds("of all flights to which it says 30 %, 30 % are late")
    assert expected_calibration_error([1] * 3 + [0] * 7, [0.3] * 10) < 1e-12
    holds("and so for every number")
    for of_100 in range(1, 100):
        came = [1] * of_100 + [0] * (100 - of_100)
        assert expected_calibration_error(came, [of_100 / 100] * 100) < 1e-12
        assert of_100 == 50 or expected_calibration_error(came, [1 - of_100 / 100] * 100) > 0


@section("By hand")
def test_by_hand(answers, expected, happened, y_prob, y_true):
    holds("Four flights, and what a model said of each")
    assert len(y_true) == len(y_prob) == 4
    assert np.round([-np.log(happened).mean(), ((1 - happened) ** 2).mean()], 3).tolist() == [0.311, 0.085]
    parts = np.round([happened, -np.log(happened), (1 - happened) ** 2], 3).T.tolist()
    assert parts == [[0.9, 0.105, 0.01], [0.8, 0.223, 0.04], [0.5, 0.693, 0.25], [0.8, 0.223, 0.04]]
    proved("that would cost 4.605 instead of 0.693, and a 0 infinitely much")
    assert round(-math.log(0.01), 3) == 4.605 and round(-math.log(0.5), 3) == 0.693
    with np.errstate(divide="ignore"):
        assert -np.log(y_prob[0] * 0) == np.inf
    holds("To the Brier score no mistake costs more than 1.")
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
    holds("The dotted line of the absolute error rises from a dot at 0 to 0.7, straight.")
    straight = np.diff(expected["absolute error"])
    assert np.allclose(straight, straight[0]) and expected["absolute error"].argmin() == 0
    assert round(expected["absolute error"][-1], 2) == 0.7
    holds("The absolute error looks as sensible, and asks for a lie: its cheapest answer is 0 below one half, 1 above.")
    assert expected["absolute error"].argmin() == 0 != expected["log loss"].argmin()
    said_all = np.linspace(0, 1, 101)
    for truth in grid[~np.isclose(grid, 1 / 2)]:
        assert said_all[(truth * (1 - said_all) + (1 - truth) * said_all).argmin()] == (0 if truth < 1 / 2 else 1)


@section("lesson-calibration-scale")
def test_how_good_is_a_log_loss_of(A, B, bar, base, flights_of_group, late, resolution, said, share):
    holds("a log loss of 0.35")
    assert round(log_loss(late, A), 2) == 0.35
    holds(
        r"The bar is the base rate $\pi$, said to everybody: its log loss is the entropy of $\pi$, 0.405 for our 14"
        " %."
    )
    assert round(log_loss(late, A), 3) == 0.346 and round(log_loss(late, B), 3) == 0.439
    assert math.isclose(bar, -0.14 * math.log(0.14) - 0.86 * math.log(0.86)) and round(bar, 3) == 0.405
    holds("The normalised cross-entropy divides by it")
    assert math.isclose(normalized_cross_entropy(late, A), log_loss(late, A) / bar)
    holds("gives A 0.855 and B 1.085: above 1 a model is worse than the base rate.")
    assert [round(normalized_cross_entropy(late, p), 3) for p in (A, B)] == [0.855, 1.085]
    holds("Below 1 a version is better than the base rate, above it worse; there is no worst but for the clip.")
    rng = np.random.default_rng(1)
    for forecast in rng.random((200, 1)) * np.ones(1000):
        assert (normalized_cross_entropy(late, forecast) > 1) == (log_loss(late, forecast) > bar)
    assert log_loss(late, 1 - late) > 36 and math.isclose(log_loss(late, 1 - late), -math.log(np.finfo(float).eps))
    holds("One half to everybody, at 0.693 (1.712).")
    assert round(math.log(2) / bar, 3) == 1.712
    assert round(log_loss(late, np.full(1000, 0.5)), 3) == 0.693
    holds("where 1 % click, the base rate has 0.056")
    assert round(log_loss([1] + [0] * 99, [0.01] * 100), 3) == 0.056
    holds("Then the Brier score is, exactly,")
    for forecast in rng.random((200, 4)):
        label, bin_of = rng.integers(0, 2, 20), rng.integers(0, 4, 20)
        bins = [bin_of == b for b in range(4) if (bin_of == b).any()]
        off = sum(b.mean() * (forecast[bin_of][b].mean() - label[b].mean()) ** 2 for b in bins)
        known = sum(b.mean() * (label[b].mean() - label.mean()) ** 2 for b in bins)
        total = off - known + label.mean() * (1 - label.mean())
        assert math.isclose(total, ((forecast[bin_of] - label) ** 2).mean())
    parts_of = [[flights_of_group @ (said[v] - share) ** 2 / 1000, resolution, 0.14 * 0.86] for v in "AB"]
    table = [*parts_of, [0, 0, 0.14 * 0.86]]
    briers = [brier_score_loss(late, forecast) for forecast in (A, B, base)]
    assert np.allclose([off - known + luck for off, known, luck in table], briers)
    assert np.allclose(table, [[0, 0.0174, 0.1204], [0.0186, 0.0174, 0.1204], [0, 0, 0.1204]], atol=0.00005)
    assert np.round(briers, 4).tolist() == [0.103, 0.1216, 0.1204]
    holds("B knows as much as A, and its exaggeration costs more than that knowledge brings.")
    assert table[0][1] == table[1][1] < table[1][0]


@section("lesson-calibration-blind")
def test_what_it_cannot_see(A, B, base, flights_of_group, late, late_of_group, said):
    holds("AUC sees no probability.")
    rng = np.random.default_rng(2)
    for levels in np.sort(rng.random((200, 5))):
        label, score = rng.permutation([1, 1, 0, 0, 0]), rng.integers(0, 5, 5)
        assert roc_auc_score(label, score) == roc_auc_score(label, levels[score])
    holds("Stretch A into B, or square it, and the AUC stays 0.749, while the log loss moves")
    assert {round(roc_auc_score(late, p), 3) for p in (A, B, A**2)} == {0.749}
    assert len({round(log_loss(late, p), 3) for p in (A, B, A**2)}) == 3
    holds("Both put B behind the base rate.")
    assert all(score(late, B) > score(late, base) for score in (log_loss, brier_score_loss))
    holds("But say 5 % where B says 1 %, and so on, and B is A; no such map makes anything of 14 % for everybody.")
    assert np.array_equal(said["A"][np.searchsorted(said["B"], B)], A)
    assert all(log_loss(late, np.full(1000, p)) >= log_loss(late, base) for p in np.linspace(0.01, 0.99, 99))
    holds("In one bin and in ten, for A, 14 % to everybody, and B", "A and 14 % for everybody have the same, 0")
    assert max(expected_calibration_error(late, p) for p in (A, base)) < 1e-12
    holds(
        "so ECE pays nothing for knowledge: of 100 flights with chances from 0 to 1 their base rate has 0, an honest",
        "an honest forecaster about 0.1",
    )
    errors = []
    for chances in rng.random((500, 100)):
        outcome = (rng.random(100) < chances).astype(int)
        errors.append(expected_calibration_error(outcome, chances))
        assert expected_calibration_error(outcome, np.full(100, outcome.mean())) < 1e-12
    assert abs(np.mean(errors) - 0.1) < 0.01
    holds("B has 0.08 in ten bins, and 0 in one")
    assert math.isclose(expected_calibration_error(late, B, n_bins=10), 0.08)
    assert expected_calibration_error(late, B, n_bins=1) < 1e-12
    holds("within a bin what is said too much cancels what is said too little")
    gaps = flights_of_group * said["B"] - late_of_group
    assert abs(gaps.sum()) < 1e-9 and math.isclose(abs(gaps).sum() / 1000, 0.08)


@section("The choices")
def test_the_choices(B, late, y_prob, y_true):
    assert np.round([log_loss(y_true, y_prob), log_loss(y_true, y_prob) / np.log(2)], 3).tolist() == [0.311, 0.449]
    assert round(log_loss(y_true, y_prob, normalize=False), 3) == 1.245
    assert round(brier_score_loss(y_true, y_prob), 3) == 0.085
    assert math.isclose(brier_score_loss(y_true, y_prob, scale_by_half=False), 0.17)
    case = np.genfromtxt("cases/flights.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    y_case, p_case = case["late"], case["logistic"]
    holds("ECE in ten bins of equal width")
    assert round(expected_calibration_error(y_case, p_case), 4) == 0.0156
    assert expected_calibration_error(y_case, p_case) == expected_calibration_error(y_case, p_case, n_bins=10)
    eces = [round(expected_calibration_error(y_case, p_case, n_bins=k), 4) for k in (1, 10, 50)]
    assert eces == [0.0081, 0.0156, 0.0195]
    assert round(expected_calibration_error(y_case, p_case, strategy="quantile"), 4) == 0.0162
    called = expected_calibration_error(y_case == (p_case > 0.5), np.maximum(p_case, 1 - p_case), n_bins=15)
    assert round(called, 4) == 0.0133
    assert np.allclose([expected_calibration_error(late, B, n_bins=k) for k in (1, 10, 50)], [0, 0.08, 0.08])
    assert math.isclose(expected_calibration_error(late, B, strategy="quantile"), 0.08)
    assert math.isclose(expected_calibration_error(late == (B > 0.5), np.maximum(B, 1 - B), n_bins=15), 0.08)
    holds("The finer the bins, the more chance is in them")
    rng = np.random.default_rng(3)
    honest = [rng.random(6000) < p_case for trial in range(100)]
    noise = [np.mean([expected_calibration_error(y, p_case, n_bins=k) for y in honest]) for k in (1, 10, 50)]
    assert noise[0] < noise[1] < noise[2]
    holds("A probability of 0 is clipped to the machine epsilon, in scikit-learn to that of its type.")
    for kind, price in ((np.float64, 36.04), (np.float32, 15.94)):
        worst = log_loss([1], np.maximum(np.array([0], kind), np.finfo(kind).eps), labels=[0, 1])
        assert math.isclose(worst, -math.log(np.finfo(kind).eps)) and round(worst, 2) == price
        assert round(log_loss([1], np.array([0], kind), labels=[0, 1]), 2) == 36.04


@section("On real data")
def test_on_real_data(
    axes, bayes, binned, cool, cooled, count, draws, flights, happened, last, loss, losses, place, steps
):
    first, other = slice(3000), slice(3000, None)
    temperature = steps[np.argmin(losses)]
    holds("The 6,000 flights")
    assert len(flights) == len(happened) == 6000
    holds("says exactly 1 to 25 flights; 18 of these were on time")
    certain = flights["bayes"] == 1
    assert certain.sum() == 25 and (happened[certain] == 0).sum() == 18
    holds("The file keeps four digits, so we take 0.9999")
    assert np.array_equal(flights["bayes"].round(4), flights["bayes"]) and bayes.max() == 0.9999
    holds("else the library's clip would set a fifth of its loss")
    clipped = -math.log(np.finfo(float).eps) * 18
    assert 0.18 < clipped / log_loss(happened, flights["bayes"], normalize=False) < 0.2
    assert normalized_cross_entropy(happened, flights["bayes"]) > 1
    rows = [flights["logistic"], flights["boosted"], bayes]
    measures = (roc_auc_score, log_loss, normalized_cross_entropy)
    holds("Naive Bayes ranks nearly as well as the others, and its probabilities are worse than the base rate.")
    whole = [[round(f(happened, p), 3) for f in measures] for p in rows]
    assert whole == [[0.701, 0.378, 0.922], [0.698, 0.38, 0.929], [0.683, 0.502, 1.227]]
    assert whole[0][0] - whole[2][0] < 0.02 and whole[2][2] > 1 > whole[1][2]
    assert bootstrap(normalized_cross_entropy, happened, bayes, groups=flights["day"], n_resamples=500, rng=0).low > 1
    curves = [np.array(panel.lines[1].get_xydata()).T for panel in axes]
    holds("Two square reliability diagrams")
    assert len(axes) == 2 and all(panel.get_aspect() == 1 for panel in axes)
    holds("ten bins of equal width")
    assert curves[1].shape == (2, 10) and (np.floor(curves[1][0] * 10) == np.arange(10)).all()
    holds("the mean distance is the expected calibration error")
    for panel, (told, came), p_of in zip(axes, curves, (rows[0], bayes), strict=True):
        weights = np.array([column.get_height() for column in panel.containers[0]])
        assert math.isclose(weights @ abs(told - came), expected_calibration_error(happened, p_of))
    holds("follows the dotted diagonal up to about 0.45")
    assert abs(curves[0][0] - curves[0][1])[:5].max() < 0.05 and round(curves[0][0][4], 2) == 0.44
    holds("begins above the diagonal and then stays low, between 0.15 and 0.45")
    assert (curves[1][1] > curves[1][0])[:2].all() and 0.145 < curves[1][1][2:].min() < curves[1][1].max() < 0.45
    holds("Naive Bayes is too sure at both ends.")
    assert curves[1][0][0] < curves[1][1][0] and curves[1][0][-1] > curves[1][1][-1]
    holds("says 97 %, 43 % are late")
    assert last.round(2).tolist() == [0.97, 0.43]
    holds("$T$ is the one with the least log loss on the first 3,000 flights")
    assert np.min(losses) == log_loss(happened[first], cool[first]) and len(happened[other]) == 3000
    holds("The rival: cut the same 3,000 flights into ten bins of equal size")
    assert len(count) == 10 and count.sum() == 3000 and abs(count - 300).max() <= 4
    halves = [[round(f(happened[other], p[other]), 3) for f in measures] for p in (bayes, cool, binned, rows[0])]
    assert halves == [[0.697, 0.487, 1.211], [0.697, 0.417, 1.039], [0.686, 0.374, 0.929], [0.71, 0.368, 0.915]]
    holds("with a temperature of 1.8")
    assert round(temperature, 1) == 1.8
    holds("The temperature keeps the order, and so the AUC")
    assert halves[0][0] == halves[1][0]
    of_rate = bootstrap(
        normalized_cross_entropy, happened[other], cool[other], **(draws | {"n_resamples": 1000}), rng=0
    )
    holds("its log loss is 0.96 to 1.16 of the base rate's; the bins are better")
    assert halves[1][1] < halves[0][1] and np.round(of_rate[1:3], 2).tolist() == [0.96, 1.16]
    assert paired_difference(loss(binned), loss(cool), **draws, rng=0).high < 0
    to_rows = paired_difference(loss(binned), loss(rows[0]), **draws, rng=0)
    holds("These halves share their days, and do not decide between them and the regression")
    assert to_rows.low < 0 < to_rows.high and set(flights["day"][first]) == set(flights["day"][other])
    days = np.unique(flights["day"])
    early, rest = flights["day"] < days[46], flights["day"] >= days[46]
    bin_of = np.searchsorted(np.quantile(bayes[early], np.arange(0.1, 1, 0.1)), bayes)
    shares = np.bincount(bin_of[early], happened[early]) / np.bincount(bin_of[early])
    to_each = [-np.log(np.where(happened == 1, p, 1 - p))[rest] for p in (shares[bin_of], rows[0])]
    lost = paired_difference(*to_each, groups=flights["day"][rest], n_resamples=2000, rng=0, method="percentile")
    holds("fitted on the first 46 days, they lose 0.038 (0.023 to 0.055) on the other 46")
    assert np.round(lost[:3], 3).tolist() == [0.038, 0.023, 0.055] and len(days) == 2 * 46
    holds("So the regression sets the prices; without it, the bins do.")
    cooler = [log_loss(happened[early], p[early]) for p in cooled]
    assert lost.low > 0 and all(
        to_each[0].mean() < log_loss(happened[rest], p[rest]) for p in (bayes, cooled[np.argmin(cooler)])
    )
    holds("by days, each with its weather")
    of_days = [happened[flights["day"] == day].mean() for day in set(flights["day"])]
    assert len(of_days) == 92 and np.std(of_days) > 2 * np.sqrt(happened.mean() * (1 - happened.mean()) * 92 / 6000)
    holds("It draws everything towards one half: the mean forecast is 20 %, where 14 % are late.")
    assert (abs(cool - 0.5) <= abs(bayes - 0.5)).all()
    assert round(cool[other].mean(), 2) == 0.2 > bayes[other].mean() and round(happened[other].mean(), 2) == 0.14
    holds("The bins follow any shape, but tie.")
    assert halves[2][0] < halves[0][0] and len(set(binned)) == 10


@section("Try it")
def test_try_it(scores, seven, upside_down):
    holds("Of ten flights a model says 0.9 each time, and seven are late.")
    assert len(seven) == 10 and seven.sum() == 7
    holds("The repair says 0.7 to all of them.")
    assert seven.mean() == 0.7
    holds("The Brier score falls by the reliability, (0.9 - 0.7)², which is 0.04.")
    assert math.isclose(brier_score_loss(seven, [0.9] * 10) - brier_score_loss(seven, [0.7] * 10), (0.9 - 0.7) ** 2)
    assert math.isclose((0.9 - 0.7) ** 2, 0.04)
    holds("a counter-example of four flights")
    assert len(upside_down) == 4 and normalized_cross_entropy([1, 1, 0, 0], upside_down) > 1
    holds("The bin from 0.4 to 0.6 has a mean forecast of 0.5 and half of its flights late")
    assert math.isclose(np.mean(upside_down), 0.5) and np.mean([1, 1, 0, 0]) == 1 / 2
    assert expected_calibration_error([1, 1, 0, 0], upside_down, n_bins=5) < 1e-12
    assert expected_calibration_error([1, 1, 0, 0], upside_down, n_bins=10) > 0.5
    assert min(upside_down) > 0.4 and max(upside_down) < 0.6


@section("On real data")
def test_unchecked_on_real_data():
    unchecked(
        "three models trained on the months before gave each a probability of being late by 30 minutes",
        "a script",
    )
