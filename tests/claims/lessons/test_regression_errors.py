"""What book/lessons/regression-errors.ipynb says, held."""

import itertools
import math
import warnings
from functools import partial

import numpy as np

from metrics_lib import (
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_absolute_scaled_error,
    mean_pinball_loss,
    mean_squared_error,
    r2_score,
    root_mean_squared_error,
    root_mean_squared_log_error,
    symmetric_mean_absolute_percentage_error,
    weighted_mean_absolute_percentage_error,
)
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, section, unchecked


@section("lesson-regression-errors")
def test_the_opening(A, B, axes, days, sold):
    holds("Forecast A was off by 4 loaves on each of them")
    assert (abs(A - sold) == 4).all()
    holds("B was exact on seven days and 20 loaves too high on the other one")
    assert sorted(B - sold) == [0] * 7 + [20]
    holds("about 50 on seven days and 20 on day 7")
    assert sold[6] == 20 and (abs(np.delete(sold, 6) - 50) <= 10).all() and len(np.delete(sold, 6)) == 7 and B[6] == 40
    holds("B is better, with 20 against 32")
    assert abs(B - sold).sum() == 20 and abs(A - sold).sum() == 32
    holds("A is better, with 128 against 400")
    assert ((A - sold) ** 2).sum() == 128 and ((B - sold) ** 2).sum() == 400
    holds("4 for A and 2.5 for B", "4 for A and 7.07 for B")
    assert [mean_absolute_error(sold, said) for said in (A, B)] == [4, 2.5]
    assert [round(root_mean_squared_error(sold, said), 2) for said in (A, B)] == [4, 7.07]
    holds("if 20 at once do more harm than 4 on each of eight days, ship A")
    for power in np.arange(1, 3, 0.1):
        harm_a, harm_b = ((abs(said - sold) ** power).sum() for said in (A, B))
        assert (harm_b > harm_a) == (20**power > 8 * 4**power)


@section("In one line")
def test_in_one_line():
    holds("is 0.75 and `r2_score(y_true, y_pred)` is 0.848 for the four stalls below")
    stalls_true, stalls_said = [1, 4, 4, 9], [2, 4, 2, 9]
    assert mean_absolute_error(stalls_true, stalls_said) == 0.75 and len(stalls_true) == 4
    assert round(r2_score(stalls_true, stalls_said), 3) == 0.848
    holds("Lower is better for all of them except $R^2$.")
    for error in (mean_squared_error, root_mean_squared_error, mean_absolute_error, mean_absolute_percentage_error):
        assert error(stalls_true, stalls_true) < error(stalls_true, stalls_said)
    for error in (weighted_mean_absolute_percentage_error, partial(mean_absolute_scaled_error, y_train=[1, 2, 4])):
        assert error(stalls_true, stalls_true) < error(stalls_true, stalls_said)
    assert r2_score(stalls_true, stalls_true) > r2_score(stalls_true, stalls_said)


@section("By hand")
def smape():
    return symmetric_mean_absolute_percentage_error


@section("By hand")
def test_by_hand(A, B, five, means, missed, shares, smape, sold, spread, y_pred, y_true):
    holds("Four market stalls")
    assert y_true.tolist() == [1, 4, 4, 9] and len(y_true) == 4
    holds("the root of 1.25, which is 1.118")
    assert round(math.sqrt(1.25), 3) == 1.118 == round(root_mean_squared_error(y_true, y_pred), 3)
    assert y_true.mean() == 4.5 and (y_pred - y_true).tolist() == [1, 0, -2, 0] and (missed**2).tolist() == [1, 0, 4, 0]
    assert (missed / y_true).tolist() == [1, 0, 0.5, 0] and np.round(means, 3).tolist() == [0.75, 1.25, 0.375]
    holds("divides the 3 thousand euros missed by the 18 thousand earned, which is one sixth")
    assert missed.sum() == 3 and y_true.sum() == 18 and shares[0] == 1 / 6
    holds("squared errors of 33 in total, while the forecast leaves 5, so R² is 1 - 5/33, or 0.848")
    assert spread == 33 and (missed**2).sum() == 5 and shares[1] == 1 - 5 / 33 and round(shares[1], 3) == 0.848
    holds(r"The RMSE is never smaller than the MAE, and never larger than $\sqrt{m}$ times the MAE.")
    for errors in itertools.product(range(-2, 3), repeat=4):
        root, mean = root_mean_squared_error([0] * 4, errors), mean_absolute_error([0] * 4, errors)
        assert mean <= root + 1e-12 and root <= math.sqrt(4) * mean + 1e-12
        assert math.isclose(root, mean) == (len({abs(e) for e in errors}) == 1)
        assert math.isclose(root, 2 * mean) == (sum(e != 0 for e in errors) <= 1)
    holds("They are equal if all errors have the same size, as A's do; the other limit is reached if a single error")
    assert root_mean_squared_error(sold, A) == mean_absolute_error(sold, A)
    assert math.isclose(root_mean_squared_error(sold, B), math.sqrt(8) * mean_absolute_error(sold, B))
    holds("at double its profit and stall 3 at half")
    assert y_pred[0] == 2 * y_true[0] and 2 * y_pred[2] == y_true[2]
    assert [mean_absolute_percentage_error([y], [f]) for y, f in ((1, 2), (4, 2))] == [1, 0.5]
    holds("a forecast that is too low costs less than 1, but one that is too high can cost any amount")
    for target, share in itertools.product([1, 4, 90], np.linspace(0.05, 1, 20)):
        assert mean_absolute_percentage_error([target], [share * target]) < 1
        assert math.isclose(mean_absolute_percentage_error([target], [(101 + share) * target]), 100 + share)
    wmape = weighted_mean_absolute_percentage_error
    holds("It charges 2/3 for the double as well as for the half, and never more than 2.")
    assert smape([1], [2]) == smape([4], [2]) == 2 / 3
    assert max(smape([y], [f]) for y, f in itertools.product(range(-5, 6), repeat=2)) == 2
    holds("divides by the mean of the two numbers instead")
    assert math.isclose(smape([4], [2]), 2 / np.mean([4, 2])) and len([4, 2]) == 2
    holds("because 110 for a target of 100 costs 0.095 and 90 costs 0.105")
    assert [round(smape([100], [f]), 3) for f in (110, 90)] == [0.095, 0.105]
    for target, miss in itertools.product(range(2, 60), range(1, 60)):
        assert miss > target or smape([target], [target - miss]) > smape([target], [target + miss])
    each = [mean_absolute_error, mean_absolute_percentage_error, smape, wmape, r2_score]
    rows = [[f(a, b) for f in each] for a, b in ((y_true, y_pred), (1000 * y_true, 1000 * y_pred))]
    assert np.round(rows[0], 3).tolist() == [0.75, 0.375, 0.333, 0.167, 0.848]
    assert rows[1][0] == 750 and np.allclose(rows[1][1:], rows[0][1:])
    assert [round(error(y_true, y_pred), 3) for error in five.values()] == [0.75, 1.25, 0.375, 0.167, 0.848]
    zero = [0, 4, 4, 9]
    with warnings.catch_warnings(record=True, action="always") as caught:
        third = [f(zero, y_pred) for f in each]
    assert len(caught) == 1 and np.round(np.delete(third, 1), 3).tolist() == [1, 0.667, 0.235, 0.804]
    holds("2.25 · 10¹⁵")
    assert round(third[1] / 10**15, 2) == 2.25
    holds("SMAPE charges 2 for it whatever the forecast says, unless that is 0 as well")
    assert all(smape([0], [f]) == 2 for f in (-3, -0.01, 0.01, 1, 50)) and smape([0], [0]) == 0
    holds("WMAPE divides only once, at the end, so a zero target does no harm.")
    assert math.isclose(wmape(zero, y_pred), 4 / 17)


@section("lesson-regression-errors-scale")
def test_how_good_is_an_r_of_0(costs, curves, five, grid, marks, orders, shuffled, smape, y_pred, y_true):
    holds("The best value of each error is 0, and except for SMAPE there is no worst one.")
    assert smape(y_true, y_true) == 0 and smape(y_true, y_true + 1e12) <= 2
    for measure in (*list(five.values())[:4], root_mean_squared_error):
        assert measure(y_true, y_true) == 0 and measure(y_true, y_true + 1e6) > 1e5
    holds("An R² of 0.85 means that 15% of the mean's squared error is left.")
    assert round(100 * mean_squared_error(y_true, y_pred) / mean_squared_error(y_true, [4.5] * 4)) == 15
    holds("it is negative if the mean would have been better")
    of_the_mean = mean_squared_error(y_true, [4.5] * 4)
    for other in itertools.product(range(0, 10, 2), repeat=4):
        assert (r2_score(y_true, other) < 0) == (mean_squared_error(y_true, other) > of_the_mean)
    holds("cannot fall below 0 on its own training data, because the mean is one of the forecasts")
    rng = np.random.default_rng(1)
    for x, y in rng.normal(size=(100, 2, 6)):
        line = np.polyval(np.polyfit(x, y, 1), x)
        assert r2_score(y, line) >= -1e-12 and abs(r2_score(y, y.mean() + 0 * x)) < 1e-12
        assert r2_score(y, (x @ y) / (x @ x) * x) < r2_score(y, line)
    holds("R² of forecasts for the four stalls.")
    assert len(y_true) == 4 and len(orders) == 24
    holds("the right profits in a random order, at -1 on average")
    assert math.isclose(shuffled, -1)
    holds("the right profits in reverse order, at -2.88")
    assert round(r2_score(y_true, y_true[::-1]), 2) == -2.88
    holds("the forecast, at 0.848")
    assert round(marks[1][1], 3) == 0.848
    assert round(r2_score(y_true, y_pred), 2) == 0.85
    holds("earned 3, 5, 4 and 1 in the last four years, so the naive forecast was off by 2, 1 and 3")
    series = [3, 5, 4, 1]
    assert mean_absolute_scaled_error([1], [2], y_train=series) == 1 / np.mean([2, 1, 3])
    assert abs(np.diff(series)).tolist() == [2, 1, 3] and y_true[0] == 1 and y_pred[0] == 2
    holds("An error of 1 is half of the usual change from one year to the next.")
    assert mean_absolute_scaled_error([1], [2], y_train=series) == 0.5
    holds("MASE has no unit, so you can average it over many series, and zero targets do no harm.")
    in_euros = mean_absolute_scaled_error([1000], [2000], y_train=np.multiply(series, 1000))
    assert in_euros == 0.5 and mean_absolute_scaled_error([0], [1], y_train=series) == 0.5
    holds("Four curves over the constant c from 0.5 to 10, each with a mark at its lowest point, at height 1.")
    assert len(curves) == 4 and (grid[0], grid[-1]) == (0.5, 10)
    holds("Which constant does each error like best?")
    best = [float(grid[curve.argmin()]) for curve, *_ in curves.values()]
    assert best == [1, 4, 4.5, 9] and all((curve < curve.min() + 1e-12).sum() == 1 for curve, *_ in curves.values())
    holds("found by trying all hundredths")
    assert np.allclose(np.diff(grid), 0.01) and len(grid) == 951
    rng = np.random.default_rng(0)
    tried = np.round(np.arange(0, 31, 0.01), 2)
    for drawn in np.sort(rng.integers(1, 30, (60, 7))).astype(float):
        away = abs(drawn[:, None] - tried)
        holds("The two balance at the median.")
        assert tried[away.sum(axis=0).argmin()] == np.median(drawn)
        weight = np.cumsum(1 / drawn)
        holds("The best constant is a weighted median")
        assert tried[(away / drawn[:, None]).sum(axis=0).argmin()] == drawn[np.searchsorted(weight, weight[-1] / 2)]
        holds("which is 0 at the mean")
        assert abs(tried[(away**2).sum(axis=0).argmin()] - drawn.mean()) <= 0.0051
        short, left = (drawn[:, None] - tried).clip(0), (tried - drawn[:, None]).clip(0)
        for level in (0.1, 0.25, 0.9):
            found = tried[(level * short + (1 - level) * left).sum(axis=0).argmin()]
            assert np.mean(drawn < found - 1e-9) <= level <= np.mean(drawn <= found + 1e-9)
    holds("rise by one step for each target below $c$ and fall by one for each target above")
    assert grid[np.argmin(costs(weighted_mean_absolute_percentage_error))] == np.median(y_true)
    holds("which lies low because small targets weigh more")
    assert 1 / 1 > 1 / 4 > 1 / 9 and best[0] < min(best[1:])
    for few in itertools.combinations_with_replacement(range(1, 9), 5):
        weight = np.cumsum(1 / np.array(few))
        assert few[np.searchsorted(weight, weight[-1] / 2)] <= np.median(few)
    holds("for each unit short and $1 - \\alpha$ for each unit left over")
    assert mean_pinball_loss([0, 1], [1, 0], alpha=0.9) == (0.1 + 0.9) / len([0, 1])
    holds(r"a step balances where a share $\alpha$ of the targets lies below $c$")
    assert best[3] == np.quantile(y_true, 0.9, method="inverted_cdf") == 9
    holds(r"costs nine times as much as a loaf left over, take $\alpha = 9/(9 + 1)$")
    one_short, one_left = mean_pinball_loss([1], [0], alpha=0.9), mean_pinball_loss([0], [1], alpha=0.9)
    assert math.isclose(one_short, 9 * one_left) and 9 / (9 + 1) == 0.9
    holds("The forecast was 1 too high for one stall, which costs 0.1, and 2 too low for another, which costs 1.8")
    assert math.isclose((0.1 * 1 + 0.9 * 2) / 4, 0.475) and math.isclose(0.9 * 2, 1.8)
    assert math.isclose(mean_pinball_loss(y_true, y_pred, alpha=0.9), 0.475)
    holds("the loss is half the MAE")
    assert mean_pinball_loss(y_true, y_pred, alpha=0.5) == mean_absolute_error(y_true, y_pred) / 2


@section("lesson-regression-errors-blind")
def test_what_it_cannot_see(axes, ends, errors, far, near, off, shift, smape, y_pred, y_true):
    holds("because someone types 29 instead of 9")
    assert (np.array([1, 4, 4, 29]) != y_true).sum() == 1 and 9 + 20 == 29
    holds("RMSE, MAE and SMAPE cannot tell the two apart.")
    assert math.isclose(ends[0]["RMSE"], ends[1]["RMSE"]) and math.isclose(ends[0]["MAE"], ends[1]["MAE"])
    for size in shift:
        run = size * np.array([0, 0, 0, 1])
        for measure in (root_mean_squared_error, mean_absolute_error, smape):
            assert math.isclose(measure(y_true, y_pred + run), measure(y_true + run, y_pred))
    holds("Two panels with the same axes")
    assert len(axes) == 2 and axes[0].get_xlim() == axes[1].get_xlim()
    holds("9 for RMSE, 7.67 for MAE and WMAPE, 2.48 for MAPE and 1.79 for SMAPE, and a note gives R² as 0.85 → -11.27")
    left = {name: round(float(value), 2) for name, value in ends[0].items()}
    assert left == {"RMSE": 9, "MAE": 7.67, "WMAPE": 7.67, "MAPE": 2.48, "SMAPE": 1.79, "R2": -11.27}
    holds("9 for RMSE, 7.67 for MAE, 3.63 for WMAPE, 1.79 for SMAPE and 1.46 for MAPE, and R² as 0.85 → 0.21")
    right = {name: round(float(value), 2) for name, value in ends[1].items()}
    assert right == {"RMSE": 9, "MAE": 7.67, "WMAPE": 3.63, "SMAPE": 1.79, "MAPE": 1.46, "R2": 0.21}
    assert round(r2_score(y_true, y_pred), 2) == 0.85
    holds("a note on the last three reads")
    assert sorted(right, key=right.get)[1:4] == ["MAPE", "SMAPE", "WMAPE"] and len(["MAPE", "SMAPE", "WMAPE"]) == 3
    holds("The line of RMSE begins flat and ends as the steepest.")
    slopes = {name: np.diff(line.get_ydata()) for name, line in zip(errors, axes[0].lines, strict=True)}
    assert slopes["RMSE"][0] < min(slopes[name][0] for name in errors if name != "RMSE") < 1
    assert slopes["RMSE"][-1] > max(slopes[name][-1] for name in errors if name != "RMSE")
    holds("RMSE grows to 9 times its value in both cases, because it puts its weight on the largest errors")
    assert round(ends[0]["RMSE"], 9) == round(ends[1]["RMSE"], 9) == 9
    share_of_stall_4 = 20**2 / ((y_pred - y_true) ** 2 + np.array([0, 0, 0, 20**2])).sum()
    assert share_of_stall_4 > 0.98
    holds(
        "Percentages hide a wild target because they divide by it.",
        "R² falls less for a wild target (to 0.21, not -11.27), because the mean misses that target as well.",
    )
    assert (
        ends[1]["MAPE"] < ends[0]["MAPE"] and ends[1]["WMAPE"] < ends[0]["WMAPE"] and ends[1]["R2"] > 0 > ends[0]["R2"]
    )
    assert np.var([1, 4, 4, 29]) > np.var(y_true)
    holds("Two forecasts are off by 50 on each of three targets")
    assert len(near) == len(far) == len(off) == 3 and (abs(off) == 50).all() and len([near + off, far + off]) == 2
    holds("The second R² is 0.996 although its errors are no smaller.")
    assert round(r2_score(far, far + off), 3) == 0.996 and r2_score(near, near + off) == 0.625


@section("The choices")
def test_the_choices(huber, other, y_pred, y_true):
    holds("the four stalls")
    assert len(y_true) == 4 and round(r2_score(y_true, y_pred), 3) == 0.848
    assert round(mean_absolute_percentage_error(y_true, y_pred), 3) == 0.375
    assert 100 * mean_absolute_percentage_error(y_true, y_pred) == 37.5
    smape_here = symmetric_mean_absolute_percentage_error(y_true, y_pred)
    holds("SMAPE, at most 2", "SMAPE, at most 1")
    assert round(smape_here, 3) == 0.333 and symmetric_mean_absolute_percentage_error([1], [-1]) == 2
    assert round(smape_here / 2, 3) == 0.167
    with warnings.catch_warnings(record=True, action="always") as said_so:
        holds("9.01 · 10¹⁵", "MAPE of 2 for a target of 0")
        assert round(mean_absolute_percentage_error([0], [2]) / 10**15, 2) == 9.01
        assert mean_absolute_percentage_error([0], [2]) == 2 / 2**-52
        assert r2_score([3, 3], [3, 4], force_finite=False) == -np.inf and r2_score([3, 3], [3, 4]) == 0
    assert len(said_so) == 4
    assert np.isnan(weighted_mean_absolute_percentage_error([0, 0], [1, 2]))
    assert round(1 - mean_squared_error(y_true, y_pred) / np.var(y_true, ddof=1), 3) == 0.886
    assert mean_pinball_loss(y_true, y_pred) == 0.375
    assert mean_absolute_error([[1, 2]], [[1, 4]], multioutput="raw_values").tolist() == [0, 2]
    assert [round(value, 3) for value in other.values()] == [0.5, 0.5, 0.326]
    holds("MASE of stall 1, last value", "MASE of stall 1, season of 2")
    scaled = [mean_absolute_scaled_error([1], [2], y_train=[3, 5, 4, 1], seasonality=season) for season in (1, 2)]
    assert scaled == [0.5, 0.4]
    holds("Three of these change what a large error costs.", "ignores the larger half of the errors altogether")
    far, error = np.array([2, 4, 900, 9]), other["median absolute error"]
    assert error == np.median(abs(y_pred - y_true)) == np.median(abs(far - y_true))
    assert len(set(other)) == 3
    holds("It is smooth near 0, as the squared error is, and grows no faster than the absolute error.")
    sizes = np.linspace(0, 50, 5001)
    assert (np.diff(huber(sizes)) <= np.diff(sizes) + 1e-9).all() and np.allclose(
        huber(sizes[:100]), sizes[:100] ** 2 / 2
    )
    assert math.isclose(huber(np.array([5.0]), 2)[0], 2 * 5 - 2**2 / 2)
    holds("Forecasting double costs about as much as forecasting half, and zeros are allowed.")
    costs = [root_mean_squared_log_error([100], [f]) for f in (200, 50)]
    assert abs(costs[0] / costs[1] - 1) < 0.02 and root_mean_squared_log_error([0], [0]) == 0


@section("On real data")
def test_the_file(bikers, came, day, hour, judged, past, working):
    holds("The file has the 8,645 hours with at least one bike.")
    assert len(bikers) == 8645 and bikers.min() == 1 and len(set(zip(day, hour, strict=True))) == 8645
    holds("Of the other 115 hours of the year, which may have had no ride, 89 are before 7 in the morning.")
    there = np.zeros((365, 24), bool)
    there[day - 1, hour] = True
    assert (~there).sum() == 115 and (~there[:, :7]).sum() == 89
    holds("For each of the 8,027 hours from 29 January onwards", "19 in the median case")
    assert len(came) == 8027 and day[judged].min() == 29 and len(set(day[judged])) == 337
    sizes = np.array([len(v) for v in past])
    assert np.median(sizes) == 19 and sizes.min() == 5
    assert all(len(set(working[day == d])) == 1 for d in range(1, 366))


@section("On real data")
def test_no_forecast_sees_its_own_day(came, day, hour, judged, said, working, bikers, numbers):
    holds("It collects the same hour of the 28 days before, from working days if the day is one")
    for k in (0, 1000, 4000, 8026):
        i = judged[k]
        rows = [j for j in range(len(day)) if 1 <= day[i] - day[j] <= 28 and hour[j] == hour[i]]
        values = bikers[[j for j in rows if working[j] == working[i]]]
        assert all(math.isclose(said[name][k], f(values)) for name, f in numbers.items()) and came[k] == bikers[i]
    holds("picks the 18th of 19 sorted values", "`low` is the weighted median")
    assert numbers["0.9 quantile"](np.arange(1, 20)) == 18
    for values in np.random.default_rng(0).integers(1, 400, (50, 19)):
        tried = [mean_absolute_percentage_error(values, np.full(19, c)) for c in values]
        best = mean_absolute_percentage_error(values, np.full(19, numbers["best for MAPE"](values)))
        assert math.isclose(best, min(tried))


@section("On real data")
def test_who_is_first(came, lead, said):
    holds("RMSE and R² put the mean first, MAE the median, and the pinball loss", "the quantile")
    errors = {
        "mean": (root_mean_squared_error, lambda y, p: -r2_score(y, p)),
        "median": (mean_absolute_error,),
        "0.9 quantile": (partial(mean_pinball_loss, alpha=0.9),),
    }
    for name, of_errors in errors.items():
        assert all(min(said, key=lambda other: error(came, said[other])) == name for error in of_errors)
    holds("MAPE does not separate the number made for it from the median (0.454 and 0.451), because the interval")
    shares = [round(mean_absolute_percentage_error(came, said[name]), 3) for name in ("best for MAPE", "median")]
    assert shares == [0.454, 0.451]
    share_of = (abs(came - said[name]) / came for name in ("median", "best for MAPE"))
    low, high = lead(lambda e: next(share_of), "median", "best for MAPE")[1:]
    assert low < 0 < high
    holds("is 9.9 bikes below that of repeating the last week (95% interval 5.7 to 14.0), a reduction of 23%")
    assert np.round(lead(abs, "week ago", "median"), 1).tolist() == [9.9, 5.7, 14.0]
    assert round(100 * (1 - abs(came - said["median"]).mean() / abs(came - said["week ago"]).mean())) == 23
    holds("Between the mean and the median the data do not decide, neither by MAE nor by squared error.")
    assert all(lead(charge, "mean", "median")[1] < 0 < lead(charge, "mean", "median")[2] for charge in (abs, np.square))


@section("On real data")
def test_the_intervals_draw_four_weeks(block, came, day, judged, said):
    holds("each interval takes four weeks as one observation")
    assert len(set(block)) == 12 and set(np.unique(block, return_counts=True)[0]) == set(range(12))
    assert sorted({len(set(day[judged][block == b])) for b in range(12)}) == [28, 29]
    holds("Forecasts of neighbouring weeks share most of their past")
    weeks = paired_difference((came - said["mean"]) ** 2, (came - said["median"]) ** 2, groups=day[judged] // 7, rng=0)
    months = paired_difference((came - said["mean"]) ** 2, (came - said["median"]) ** 2, groups=block, rng=0)
    assert months.high - months.low > weeks.high - weeks.low


@section("On real data")
def test_mase(bikers, came, day, mae, naive, scale):
    holds("when the same hour of the next week differed by 20.5 bikes on average")
    assert round(scale, 1) == 20.5
    holds("The median's MASE is 1.65, so the forecast looks worse than the naive one, and yet it is better.")
    assert round(mae / scale, 2) == 1.65 and mae < naive
    holds("The 56 bikes an hour of January became 151 in the hours we judge")
    assert round(bikers[day <= 28].mean()) == 56 and round(came.mean()) == 151
    holds("a ratio of 0.774")
    assert round(mae / naive, 3) == 0.774


@section("On real data")
def test_mape_and_the_totals(block, came, day, hour, judged, said):
    share, few = abs(came - said["median"]) / came, came <= 20
    holds("carry 1% of the rides but 38% of the median's MAPE")
    assert round(100 * came[few].sum() / came.sum()) == 1 and round(100 * share[few].sum() / share.sum()) == 38
    holds("on 28 August, when a hurricane passed, a single bike at 7 in the morning cost 4,050%")
    worst = share.argmax()
    assert day[judged][worst] == 31 + 28 + 31 + 30 + 31 + 30 + 31 + 28 and hour[judged][worst] == 7
    assert came[worst] == 1 and round(100 * share[worst]) == 4050
    gaps = {}
    for name in ("mean", "median", "best for MAPE"):
        found = np.array(paired_difference(said[name], came, groups=block, rng=0)[:3])
        gaps[name] = 100 * found / came.mean()
    holds("forecasts 13% too few bikes in total (5% to 21%)")
    assert np.round(gaps["best for MAPE"]).tolist() == [-13, -21, -5]
    holds("The totals of the mean and of the median are within 2%, and both intervals include 0.")
    assert all(abs(gap[0]) < 2 and gap[1] < 0 < gap[2] for gap in (gaps["mean"], gaps["median"]))


@section("On real data")
def test_what_we_ship(bikers, came, day, judged, lead, pinball, said):
    holds("the quantile scores a pinball loss of 7.30, which is 8.7 below the median (4.7 to 12.6)")
    assert round(mean_pinball_loss(came, said["0.9 quantile"], alpha=0.9), 2) == 7.30
    assert np.round(lead(pinball, "median", "0.9 quantile"), 1).tolist() == [8.7, 4.7, 12.6]
    assert math.isclose(pinball(came - said["mean"]).mean(), mean_pinball_loss(came, said["mean"], alpha=0.9))
    holds("Planning no bikes at all would cost 135.5", "the largest number so far for all hours would cost 40.9")
    most = {d: bikers[day < d].max() for d in range(29, 366)}
    trivial = 0 * came, np.array([most[d] for d in day[judged]])
    assert [round(mean_pinball_loss(came, p, alpha=0.9), 1) for p in trivial] == [135.5, 40.9]
    holds("So we plan by the quantile.")
    assert all(lead(pinball, "0.9 quantile", name)[2] < 0 for name in said if name != "0.9 quantile")


@section("On real data")
def test_the_promise(block, came, covered, day, enough, judged, month, past, said, share):
    holds("Over the year it was enough in 87% of the hours, and the interval, 83% to 92%, includes the promise.")
    assert np.round(100 * np.array(share[:3])).tolist() == [87, 83, 92] and share.low < 0.9 < share.high
    holds("81% up to June, with a low of 68% in April, and 92% from July, with a high of 96% in November")
    halves = [round(100 * enough[rows].mean()) for rows in (day[judged] <= 181, day[judged] > 181)]
    assert halves == [81, 92] and np.searchsorted(np.cumsum([31, 28, 31, 30, 31, 30]), 181) == 5
    assert [round(min(covered)), round(max(covered))] == [68, 96]
    assert np.argmin(covered) + 2 == 4 and np.argmax(covered) + 2 == 11
    early, late = (
        paired_difference(enough[rows], 0 * enough[rows], groups=block[rows], rng=0)[:3]
        for rows in (month <= 6, month > 6)
    )
    assert early[2] < 0.9 and early[2] < late[1]
    holds("A quantile of four past weeks lags behind demand that grows", "demand, which grew in spring and fell in")
    of_months = [came[month == k].mean() for k in range(2, 13)]
    assert (np.diff(of_months[:5]) > 0).all() and (np.diff(of_months[5:]) < 0).all()
    holds("lies lower, and was enough in only 82% of the hours")
    assert np.quantile(np.arange(1, 20), 0.9) < 18
    default = np.array([np.quantile(v, 0.9) for v in past])
    assert round(100 * (came <= default).mean()) == 82 and (default <= said["0.9 quantile"]).all()


@section("On real data")
def test_the_picture(axes, came, covered, month, said):
    gaps = {
        name: [round(100 * (said[name][month == k].sum() / came[month == k].sum() - 1)) for k in range(2, 13)]
        for name in ("mean", "median", "best for MAPE")
    }
    holds("start about 16% too low, fall to 22% too low in April, are 5% and 6% too high in July")
    for name, july, last in (("mean", 5, 11), ("median", 6, 18)):
        assert abs(gaps[name][0] + 16) <= 1 and gaps[name][2] == min(gaps[name]) == -22
        assert gaps[name][5] == july and gaps[name][-1] == max(gaps[name]) == last
    assert gaps["mean"][-1] == 11
    holds("end 11% and 18% too high", "from 37% too low in April to 2% too high in July, and ends 14% too low")
    low = gaps["best for MAPE"]
    assert min(low) == low[2] == -37 and max(low) == low[5] == 2 and low[-1] == -14
    assert all(x < y for name in ("mean", "median") for x, y in zip(low, gaps[name], strict=True))
    holds("It falls to 68 in April, rises to 92 in July and is highest in November, at 96.")
    assert [round(covered[k - 2]) for k in (4, 7, 11)] == [68, 92, 96] and max(covered) == covered[9]
    assert len(axes) == 2


@section("Try it")
def test_try_it(both, large, rows, single, small, spread_out, y_true):
    holds("Two errors, two winners", "one with the lower MSE and the other with the lower MAE")
    assert mean_absolute_error(y_true, single) < mean_absolute_error(y_true, spread_out)
    assert mean_squared_error(y_true, single) > mean_squared_error(y_true, spread_out) and len(rows) == 2
    assert y_true.tolist() == [1, 4, 4, 9]
    holds("a single error of 3, and the other an error of 1 for each stall")
    assert sorted(abs(y_true - single)) == [0, 0, 0, 3] and (abs(y_true - spread_out) == 1).all()
    holds("Below the mean twice, excellent together")
    assert r2_score(small, small[::-1]) < 0 and r2_score(large, large[::-1]) < 0 and r2_score(*both) > 0.9
    holds("and R² is -3", "Together it is 0.9989, because knowing the branch is worth nearly everything.")
    assert r2_score(small, small[::-1]) == r2_score(large, large[::-1]) == -3 and round(r2_score(*both), 4) == 0.9989
    level = np.repeat([small.mean(), large.mean()], 3)
    assert r2_score(both[0], level) > r2_score(*both)


@section("The choices")
def test_unchecked_the_choices():
    unchecked("Kaggle's bike contest", "the rules of a contest")
    unchecked("M3 and M4 competitions", "the rules of competitions")
