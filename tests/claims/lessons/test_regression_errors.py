"""What book/lessons/regression-errors.ipynb says, held."""

import itertools
import math
import warnings

import numpy as np

from metrics_lib import (
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_pinball_loss,
    mean_squared_error,
    r2_score,
    root_mean_squared_error,
    symmetric_mean_absolute_percentage_error,
    weighted_mean_absolute_percentage_error,
)
from metrics_lib.uncertainty import bootstrap, wilson_interval
from tests.claims.runner import holds, section, unchecked


@section("lesson-regression-errors")
def test_the_opening(A, B, axes, days, sold):
    holds("A was off by 4 loaves on each of them.")
    assert (abs(A - sold) == 4).all()
    holds("B was exact on seven, and 20 loaves too high on one.")
    assert sorted(B - sold) == [0] * 7 + [20]
    holds("about 50 on seven days and 20 on day 7")
    assert sold[6] == 20 and (abs(np.delete(sold, 6) - 50) <= 10).all() and len(np.delete(sold, 6)) == 7 and B[6] == 40
    holds("20 wrong ones against 32")
    assert abs(B - sold).sum() == 20 and abs(A - sold).sum() == 32
    holds("128 against 400")
    assert ((A - sold) ** 2).sum() == 128 and ((B - sold) ** 2).sum() == 400
    holds("if 20 at once do more harm than 4 on eight days, ship A")
    for power in np.arange(1, 3, 0.1):
        harm_a, harm_b = ((abs(said - sold) ** power).sum() for said in (A, B))
        assert (harm_b > harm_a) == (20**power > 8 * 4**power)


@section("In one line")
def test_in_one_line():
    holds("is 0.75 and `r2_score(y_true, y_pred)` is 0.848 for the four stalls below")
    stalls_true, stalls_said = [1, 4, 4, 9], [2, 4, 2, 9]
    assert mean_absolute_error(stalls_true, stalls_said) == 0.75 and len(stalls_true) == 4
    assert round(r2_score(stalls_true, stalls_said), 3) == 0.848


@section("By hand")
def smape():
    return symmetric_mean_absolute_percentage_error


@section("By hand")
def test_by_hand(five, means, missed, shares, smape, spread, y_pred, y_true):
    holds("the four stalls")
    assert y_true.tolist() == [1, 4, 4, 9] and len(y_true) == 4
    holds("the root of 1.25, 1.118")
    assert round(math.sqrt(1.25), 3) == 1.118 == round(root_mean_squared_error(y_true, y_pred), 3)
    assert y_true.mean() == 4.5 and (y_pred - y_true).tolist() == [1, 0, -2, 0] and (missed**2).tolist() == [1, 0, 4, 0]
    assert (missed / y_true).tolist() == [1, 0, 0.5, 0] and np.round(means, 3).tolist() == [1.25, 0.75, 0.375]
    holds("is 3 thousand missed of 18, one sixth")
    assert missed.sum() == 3 and y_true.sum() == 18 and shares[0] == 1 / 6
    holds("leaves squared errors of 33 in sum, the forecast leaves 5")
    assert spread == 33 and (missed**2).sum() == 5 and shares[1] == 1 - 5 / 33
    holds("double its profit, stall 3 at half")
    assert y_pred[0] == 2 * y_true[0] and 2 * y_pred[2] == y_true[2]
    assert mean_absolute_percentage_error([4], [-4]) == 2
    holds("for the half: too low costs at most 1 (down to a forecast of 0), too high any amount")
    for target, share in itertools.product([1, 4, 90], np.linspace(0, 1, 21)):
        assert mean_absolute_percentage_error([target], [share * target]) <= 1
        assert math.isclose(mean_absolute_percentage_error([target], [(101 + share) * target]), 100 + share)
    wmape = weighted_mean_absolute_percentage_error
    holds("It charges 2/3 for either, and at most 2.")
    assert smape([1], [2]) == smape([4], [2]) == 2 / 3
    assert max(smape([y], [f]) for y, f in itertools.product(range(-5, 6), repeat=2)) == 2
    holds("divides by the middle of the two numbers")
    assert math.isclose(smape([4], [2]), 2 / np.mean([4, 2])) and len([4, 2]) == 2
    holds("costs it 0.0952, and 90 costs 0.1053: a miss by the same amount is dearer below")
    assert [round(smape([100], [f]), 4) for f in (110, 90)] == [0.0952, 0.1053]
    for target, miss in itertools.product(range(2, 60), range(1, 60)):
        assert miss > target or smape([target], [target - miss]) > smape([target], [target + miss])
    six = [*five[:3], smape, wmape, r2_score]
    rows = [[f(a, b) for f in six] for a, b in ((y_true, y_pred), (1000 * y_true, 1000 * y_pred))]
    assert np.round(rows[0], 3).tolist() == [1.25, 0.75, 0.375, 0.333, 0.167, 0.848]
    assert rows[1][:2] == [1_250_000, 750] and np.allclose(rows[1][2:], rows[0][2:])
    zero = [0, 4, 4, 9]
    with warnings.catch_warnings(record=True, action="always") as caught:
        third = [f(zero, y_pred) for f in six]
    assert len(caught) == 1 and np.round(np.delete(third, 2), 3).tolist() == [2, 1, 0.667, 0.235, 0.804]
    holds("2.25 · 10¹⁵")
    assert round(third[2] / 10**15, 2) == 2.25
    holds("costs SMAPE 2 for any forecast but 0")
    assert all(smape([0], [f]) == 2 for f in (-3, -0.01, 0.01, 1, 50)) and smape([0], [0]) == 0
    holds("which divides once at the end")
    assert math.isclose(wmape(zero, y_pred), 4 / 17)


@section("lesson-regression-errors-scale")
def test_how_good_is_an_r_of_0(costs, curves, five, grid, marks, orders, shuffled, smape, y_pred, y_true):
    holds("An error has 0 as its best value and, but for SMAPE, no worst one")
    assert smape(y_true, y_true) == 0 and smape(y_true, y_true + 1e12) <= 2
    for measure in (*five[:4], root_mean_squared_error):
        assert measure(y_true, y_true) == 0 and measure(y_true, y_true + 1e6) > 1e5
    holds("At 0.85 the forecast leaves 15 % of the mean's squared error.")
    assert round(100 * mean_squared_error(y_true, y_pred) / mean_squared_error(y_true, [4.5] * 4)) == 15
    holds("can be negative: then the mean would have been better")
    of_the_mean = mean_squared_error(y_true, [4.5] * 4)
    for other in itertools.product(range(0, 10, 2), repeat=4):
        assert (r2_score(y_true, other) < 0) == (mean_squared_error(y_true, other) > of_the_mean)
    holds("for the four stalls")
    assert len(y_true) == 4 and len(orders) == 24
    holds("The right profits in a random order, at -1 on average.")
    assert math.isclose(shuffled, -1)
    holds("The right profits in reverse order, at -2.88.")
    assert round(r2_score(y_true, y_true[::-1]), 2) == -2.88
    holds("The forecast, at 0.848.")
    assert round(marks[1][1], 3) == 0.848
    holds("an R² of 0.85")
    assert round(r2_score(y_true, y_pred), 2) == 0.85
    holds("Four curves over the constant c from 0.5 to 10, each with a mark at its lowest point, at height 1.")
    assert len(curves) == 4 and (grid[0], grid[-1]) == (0.5, 10)
    holds("each error asks for a different one")
    best = [float(grid[curve.argmin()]) for curve, *_ in curves.values()]
    assert best == [1, 4, 4.5, 9] and all((curve < curve.min() + 1e-12).sum() == 1 for curve, *_ in curves.values())
    holds("found by a search over all hundredths")
    assert np.allclose(np.diff(grid), 0.01) and len(grid) == 951
    rng = np.random.default_rng(0)
    tried = np.round(np.arange(0, 31, 0.01), 2)
    for drawn in np.sort(rng.integers(1, 30, (60, 7))).astype(float):
        away = abs(drawn[:, None] - tried)
        holds("the balance is where as many lie below as above, the median")
        assert tried[away.sum(axis=0).argmin()] == np.median(drawn)
        weight = np.cumsum(1 / drawn)
        holds("a weighted median")
        assert tried[(away / drawn[:, None]).sum(axis=0).argmin()] == drawn[np.searchsorted(weight, weight[-1] / 2)]
        holds("and 0 at the mean")
        assert abs(tried[(away**2).sum(axis=0).argmin()] - drawn.mean()) <= 0.0051
        short, left = (drawn[:, None] - tried).clip(0), (tried - drawn[:, None]).clip(0)
        for level in (0.1, 0.25, 0.9):
            found = tried[(level * short + (1 - level) * left).sum(axis=0).argmin()]
            assert np.mean(drawn < found - 1e-9) <= level <= np.mean(drawn <= found + 1e-9)
    holds("MAE and WMAPE: each target below costs one step more, each above one step less")
    assert grid[np.argmin(costs(weighted_mean_absolute_percentage_error))] == np.median(y_true)
    holds("small targets weigh more, so it lies low")
    assert 1 / 1 > 1 / 4 > 1 / 9 and best[0] < min(best[1:])
    for few in itertools.combinations_with_replacement(range(1, 9), 5):
        weight = np.cumsum(1 / np.array(few))
        assert few[np.searchsorted(weight, weight[-1] / 2)] <= np.median(few)
    holds("Then weight the two sides")
    assert mean_pinball_loss([0, 1], [1, 0], alpha=0.9) == (0.1 + 0.9) / len([0, 1])
    holds(r"The same step balances where a share $\alpha$ lies below")
    assert best[3] == np.quantile(y_true, 0.9, method="inverted_cdf") == 9
    holds(r"costs nine times a loaf left over, take $\alpha = 9 / (9 + 1)$")
    one_short, one_left = mean_pinball_loss([1], [0], alpha=0.9), mean_pinball_loss([0], [1], alpha=0.9)
    assert math.isclose(one_short, 9 * one_left) and 9 / (9 + 1) == 0.9
    holds("0.1 for the unit too much and 1.8 for the 2 short, over four: 0.475")
    assert math.isclose((0.1 * 1 + 0.9 * 2) / 4, 0.475) and math.isclose(0.9 * 2, 1.8)
    assert math.isclose(mean_pinball_loss(y_true, y_pred, alpha=0.9), 0.475)
    holds("it is half the MAE")
    assert mean_pinball_loss(y_true, y_pred, alpha=0.5) == mean_absolute_error(y_true, y_pred) / 2


@section("lesson-regression-errors-blind")
def test_what_it_cannot_see(axes, ends, errors, far, near, off, shift, smape, y_pred, y_true):
    holds("One outlier.")
    assert (np.array([1, 4, 4, 29]) != y_true).sum() == 1 and 9 + 20 == 29
    holds("RMSE, MAE and SMAPE cannot tell the two apart.")
    assert math.isclose(ends[0]["RMSE"], ends[1]["RMSE"]) and math.isclose(ends[0]["MAE"], ends[1]["MAE"])
    for size in shift:
        run = size * np.array([0, 0, 0, 1])
        for measure in (root_mean_squared_error, mean_absolute_error, smape):
            assert math.isclose(measure(y_true, y_pred + run), measure(y_true + run, y_pred))
    holds("Two panels with the same axes")
    assert len(axes) == 2 and axes[0].get_xlim() == axes[1].get_xlim()
    holds("RMSE 9, MAE and WMAPE 7.67, MAPE 2.48 and SMAPE 1.79, and a note says that R² falls from 0.85 to -11.27")
    left = {name: round(float(value), 2) for name, value in ends[0].items()}
    assert left == {"RMSE": 9, "MAE": 7.67, "WMAPE": 7.67, "MAPE": 2.48, "SMAPE": 1.79, "R2": -11.27}
    holds("RMSE 9, MAE 7.67, WMAPE 3.63, SMAPE 1.79 and MAPE 1.46, and R² falls from 0.85 to 0.21")
    right = {name: round(float(value), 2) for name, value in ends[1].items()}
    assert right == {"RMSE": 9, "MAE": 7.67, "WMAPE": 3.63, "SMAPE": 1.79, "MAPE": 1.46, "R2": 0.21}
    assert round(r2_score(y_true, y_pred), 2) == 0.85
    holds("above them a note on the last three says")
    assert sorted(right, key=right.get)[1:4] == ["MAPE", "SMAPE", "WMAPE"] and len(["MAPE", "SMAPE", "WMAPE"]) == 3
    holds("The left line of RMSE begins flat and ends as the steepest.")
    slopes = {name: np.diff(line.get_ydata()) for name, line in zip(errors, axes[0].lines, strict=True)}
    assert slopes["RMSE"][0] < min(slopes[name][0] for name in errors if name != "RMSE") < 1
    assert slopes["RMSE"][-1] > max(slopes[name][-1] for name in errors if name != "RMSE")
    holds("RMSE grows to 9 times its value, on either side")
    assert round(ends[0]["RMSE"], 9) == round(ends[1]["RMSE"], 9) == 9
    holds("Percentages hide a wild target, since they divide by it, and R² forgives it, since the mean misses it, too.")
    assert (
        ends[1]["MAPE"] < ends[0]["MAPE"] and ends[1]["WMAPE"] < ends[0]["WMAPE"] and ends[1]["R2"] > 0 > ends[0]["R2"]
    )
    assert np.var([1, 4, 4, 29]) > np.var(y_true)
    holds("Two forecasts are off by 50 on three targets each")
    assert len(near) == len(far) == len(off) == 3 and (abs(off) == 50).all() and len([near + off, far + off]) == 2
    holds("The far one has an R² of 0.996, and errors no smaller.")
    assert round(r2_score(far, far + off), 3) == 0.996 and r2_score(near, near + off) == 0.625


@section("The choices")
def test_the_choices(y_pred, y_true):
    holds("the four stalls")
    assert len(y_true) == 4 and round(r2_score(y_true, y_pred), 3) == 0.848
    assert round(mean_absolute_percentage_error(y_true, y_pred), 3) == 0.375
    assert 100 * mean_absolute_percentage_error(y_true, y_pred) == 37.5
    smape_here = symmetric_mean_absolute_percentage_error(y_true, y_pred)
    holds("over the mean of the two sizes, at most 2")
    assert round(smape_here, 3) == 0.333 and symmetric_mean_absolute_percentage_error([1], [-1]) == 2 == len([1, -1])
    holds("over their sum, at most 1")
    assert round(smape_here / 2, 3) == 0.167
    with warnings.catch_warnings(record=True, action="always") as said_so:
        holds("9.01 · 10¹⁵")
        assert round(mean_absolute_percentage_error([0], [2]) / 10**15, 2) == 9.01
        assert mean_absolute_percentage_error([0], [2]) == 2 / 2**-52
        assert r2_score([3, 3], [3, 4], force_finite=False) == -np.inf and r2_score([3, 3], [3, 4]) == 0
    assert len(said_so) == 4
    assert symmetric_mean_absolute_percentage_error([0], [0]) == 0
    assert np.isnan(weighted_mean_absolute_percentage_error([0, 0], [1, 2]))
    assert round(1 - mean_squared_error(y_true, y_pred) / np.var(y_true, ddof=1), 3) == 0.886
    assert mean_pinball_loss(y_true, y_pred) == 0.375
    assert mean_absolute_error([[1, 2]], [[1, 4]], multioutput="raw_values").tolist() == [0, 2]


@section("On real data")
def test_on_real_data(ax, bought, came, closeness, gap, gaps, group, said, shop):
    holds("1,200 customers came back")
    assert len(bought) == len(closeness) == 1200 and bought.min() == 1
    holds("ten offers to each")
    assert (np.unique(shop["customer"][~np.isnan(shop["similar"])], return_counts=True)[1] == 10).all()
    holds("five groups by that similarity, a number for each")
    assert sorted(set(group)) == list(range(5)) and all(len(set(p)) <= 5 for p in said)
    holds("Every second customer serves to find the number, the others judge.")
    assert len(came) == len(bought[::2]) == 600
    grades = [
        [
            root_mean_squared_error(came, p),
            mean_absolute_error(came, p),
            weighted_mean_absolute_percentage_error(came, p),
            mean_absolute_percentage_error(came, p),
            mean_pinball_loss(came, p, alpha=0.9),
            r2_score(came, p),
        ]
        for p in said
    ]
    digits = [2, 2, 3, 3, 2, 3]
    rounded = [[round(value, d) for value, d in zip(row, digits, strict=True)] for row in grades]
    assert rounded == [
        [27.66, 16.30, 0.719, 2.439, 8.47, 0.050],
        [28.94, 15.39, 0.679, 1.573, 10.97, -0.040],
        [34.48, 19.98, 0.882, 0.786, 17.88, -0.476],
        [40.64, 34.35, 1.516, 6.412, 5.80, -1.051],
    ]
    holds("The mean is above 0; the others are worse than one mean for all.")
    of_one_mean = root_mean_squared_error(came, 0 * came + came.mean())
    assert [(row[5] > 0, row[0] < of_one_mean) for row in grades] == [(True, True)] + [(False, False)] * 3
    holds("Each error crowns the forecast made for it.")
    assert np.argmin(grades, axis=0)[:5].tolist() == [0, 1, 1, 2, 3] and np.argmax(grades, axis=0)[5] == 0
    totals = [round(float(p.sum())) for p in said]
    holds("Best for MAPE 1,770, median 8,684, mean 13,108, 0.9 quantile 30,659.")
    assert totals == [13108, 8684, 1770, 30659] and came.sum() == 13595
    holds("the two above it far below")
    assert max(totals[1:3]) < 0.65 * 13595 and len(totals[1:3]) == 2
    holds(
        "The mean is off by -3.6 % (-12.5 to 6.3, which holds 0)",
        "the median by -36 % (-42 to -30), the winner by MAPE by -87 %",
    )
    assert np.round(100 * np.array(gaps[0]), 1).tolist() == [-3.6, -12.5, 6.3] and gaps[0][1] < 0 < gaps[0][2]
    assert np.round(100 * np.array(gaps[1])).tolist() == [-36, -42, -30] and round(100 * gaps[2][0]) == -87
    draws, off_by = np.random.default_rng(0), []
    for _again in range(500):
        # the customers who serve are drawn anew, too
        serve, judge = (draws.choice(np.arange(half, 1200, 2), 600) for half in (0, 1))
        places = np.searchsorted(np.quantile(closeness[serve], [0.2, 0.4, 0.6, 0.8]), closeness)
        found = [[number(bought[serve][places[serve] == g]) for g in range(5)] for number in (np.mean, np.median)]
        off_by.append([gap(bought[judge], np.array(five)[places[judge]]) for five in found])
    lows, highs = np.quantile(off_by, [0.025, 0.975], axis=0)
    holds("So we ship the mean")
    assert lows[0] < 0 < highs[0] and highs[1] < -0.2
    holds("judge it by RMSE, where it leads the median by 1.28 (0.76 to 1.74)")
    lead = bootstrap(
        lambda y, a, b: root_mean_squared_error(y, b) - root_mean_squared_error(y, a),
        came,
        said[0],
        said[1],
        n_resamples=2000,
        rng=0,
    )
    assert np.round(lead[:3], 2).tolist() == [1.28, 0.76, 1.74]
    holds("nine of ten orders fit, ship the quantile: 91 % of orders (88 to 93) stayed within")
    within = wilson_interval(int((came <= said[3]).sum()), 600)
    assert np.round(within, 2).tolist() == [0.91, 0.88, 0.93] and within.low < 9 / 10 < within.high
    holds("The R² of 0.05 (0.03 to 0.08) says what these groups hardly do")
    assert np.round(bootstrap(r2_score, came, said[0], n_resamples=2000, rng=0)[:3], 2).tolist() == [0.05, 0.03, 0.08]
    in_hindsight = np.array([came[group[1::2] == g].mean() for g in range(5)])[group[1::2]]
    assert round(r2_score(came, said[0]), 2) == 0.05 and r2_score(came, in_hindsight) < 0.07


@section("Try it")
def test_try_it(both, large, small, y_true):
    holds("Two errors, two winners")
    one, other = [1, 4, 4, 6], [2, 5, 5, 10]
    assert mean_absolute_error(y_true, one) < mean_absolute_error(y_true, other)
    assert mean_squared_error(y_true, one) > mean_squared_error(y_true, other) and len([one, other]) == 2
    assert y_true.tolist() == [1, 4, 4, 9]
    holds("a single error of 3, the other an error of 1 for each stall")
    assert sorted(abs(y_true - one)) == [0, 0, 0, 3] and (abs(y_true - other) == 1).all()
    holds("Below the mean twice, excellent together")
    assert r2_score(small, small[::-1]) < 0 and r2_score(large, large[::-1]) < 0 and r2_score(*both) > 0.9
    holds("and R² is -3")
    assert r2_score(small, small[::-1]) == r2_score(large, large[::-1]) == -3


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("How many products new to them, at least one, would each buy?", "a question; the least is held below")
