"""What book/002-performance-measures/regression.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import (
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_squared_error,
    r2_score,
    root_mean_squared_error,
    symmetric_mean_absolute_percentage_error,
    weighted_mean_absolute_percentage_error,
)
from tests.claims.runner import holds, section, unchecked


@section("002-regression")
def line_values(actual):
    return np.polyval(np.polyfit(range(4), actual, 1), range(4))


@section("002-regression")
def test_the_opening(actual, line_values, m, predicted):
    assert math.isclose(r2_score(actual, line_values), np.var(line_values) / np.var(actual))
    assert r2_score([6, 5, 2, 1], line_values) < 0
    holds("with the profit of four market stalls")
    assert m == len(predicted) == 4
    holds("WMAPE lacks the absolute value in its denominator")
    assert sum(map(abs, actual)) == sum(actual) and sum(map(abs, [1, -4])) != sum([1, -4])


@section("002-regression-squared")
def every():
    return list(itertools.product(range(0, 10, 3), repeat=4))


@section("002-regression-squared")
def test_mse_and_rmse(actual, every, line_values, mse, predicted):
    holds("prints the mean squared error and its root (RMSE) correctly")
    assert math.isclose(mean_squared_error(actual, predicted), mse) and mse == Fraction(5, 4)
    assert (
        math.isclose(root_mean_squared_error(actual, predicted), math.sqrt(mse)) and round(math.sqrt(mse), 3) == 1.118
    )
    holds("both rank forecasts alike")
    squared = [mean_squared_error(actual, f) for f in every]
    assert np.array_equal(np.argsort(squared, kind="stable"), np.argsort(np.sqrt(squared), kind="stable"))
    holds("Least squares minimises MSE")
    slope, level = np.polyfit(range(4), actual, 1)
    for moved in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        near_line = (slope + moved[0]) * np.arange(4) + level + moved[1]
        assert mean_squared_error(actual, near_line) > mean_squared_error(actual, line_values)
    holds("although outliers weigh heavily")
    assert mean_squared_error(actual, [2, 4, 2, 29]) == 81 * mse
    assert mean_absolute_error(actual, [2, 4, 2, 29]) < 8 * mean_absolute_error(actual, predicted)


@section("002-regression-absolute")
def test_mae(actual, every, mae, predicted):
    holds("The MAE is 3/4, that is, 750 euros for each stall.")
    assert 1000 * mae == 750 and mae == Fraction(3, 4) == Fraction(mean_absolute_error(actual, predicted))
    holds(r"RMSE is at least MAE", r"and at most $\sqrt{m}$ times MAE")
    for tried in every:
        rmse_f, mae_f = root_mean_squared_error(actual, tried), mean_absolute_error(actual, tried)
        assert mae_f - 1e-12 <= rmse_f <= 2 * mae_f + 1e-12
        missed_by = np.abs(np.subtract(tried, actual))
        holds("with equality if all errors have the same size", "with equality if all but one are 0")
        assert math.isclose(rmse_f, mae_f, abs_tol=1e-12) == (len(set(missed_by)) == 1)
        assert math.isclose(rmse_f, 2 * mae_f, abs_tol=1e-12) == ((missed_by > 0).sum() <= 1)
    holds("So the ratio of RMSE to MAE tells you how unevenly the error is spread.")
    assert root_mean_squared_error([0] * 4, [1, 1, 1, 1]) == 1 and root_mean_squared_error([0] * 4, [4, 0, 0, 0]) == 2


@section("002-regression-mape")
def test_mape(actual, mape, mape_terms, predicted):
    holds("A prediction of twice the target costs 1, but one of half the target costs one half.")
    assert mape_terms == [1, 0, Fraction(1, 2), 0] and mape == Fraction(3, 8)
    holds("A positive forecast that is too low costs less than 1, while one that is too high has no limit")
    for share in (0.01, 0.5, 0.99):
        assert mean_absolute_percentage_error([7], [7 * share]) < 1
    assert all(math.isclose(mean_absolute_percentage_error([7], [7 * n]), n - 1) for n in range(2, 1000))
    holds("with a factor of 100%, which is 1")
    assert 100 / 100 == 1 and math.isclose(mape, mean_absolute_percentage_error(actual, predicted))


@section("002-regression-smape")
def one_smape():
    return symmetric_mean_absolute_percentage_error


@section("002-regression-smape")
def test_smape(actual, lines, one_smape, predicted, smape, smape_terms):
    holds("The bars that it prints around the whole quotient are redundant but harmless.")
    assert smape_terms == [Fraction(2, 3), 0, Fraction(2, 3), 0] and smape == Fraction(1, 3)
    assert math.isclose(smape, one_smape(actual, predicted))
    for one, other in itertools.product([-3, -0.5, 0, 0.5, 3], repeat=2):
        cost_of = one_smape([one], [other])
        holds("A term is at most 2.", "It is 2 whenever target and prediction differ in sign or just one of them is 0")
        assert 0 <= cost_of <= 2 and (abs(cost_of - 2) < 1e-12) == (one * other < 0 or (one == 0) != (other == 0))
    holds("Now twice the target and half the target cost the same, 2/3, because SMAPE is symmetric in")
    for target, times in itertools.product((1, 3, 50), (2, 3, 7.5)):
        assert math.isclose(one_smape([target], [target * times]), one_smape([target], [target / times]))
    assert math.isclose(one_smape([7], [14]), 2 / 3)
    holds("so of two misses by the same amount the one below the target costs more")
    for target, by in itertools.product(range(2, 50), range(1, 50)):
        assert by > target or one_smape([target], [target - by]) > one_smape([target], [target + by])
    holds("Two curves over the ratio of prediction to target from 0 to 4, both 0 at ratio 1.")
    assert len(lines) == 2 and all(of_one([1], [1]) == 0 for of_one in lines.values())
    holds("MAPE falls in a straight line from 1 to 0, then rises in a straight line to 3.")
    assert np.allclose([mean_absolute_percentage_error([1], [x]) for x in (0, 0.5, 1, 2.5, 4)], [1, 0.5, 0, 1.5, 3])
    holds("SMAPE falls from 2, steeply at first, then rises and flattens, reaching 1.2.")
    assert math.isclose(one_smape([1], [4]), 1.2) and one_smape([1], [0]) == 2
    holds("Dots at ratios one half and 2 are at 0.5 and 1 for MAPE and both at 0.67 for SMAPE.")
    assert [round(one_smape([1], [x]), 2) for x in (0.5, 2)] == [0.67, 0.67]
    holds("Half and twice the target (dots) cost the same in SMAPE, but not in MAPE.")
    assert [mean_absolute_percentage_error([1], [x]) for x in (0.5, 2)] == [0.5, 1]


@section("002-regression-wmape")
def test_wmape(actual, missed, predicted, rows, signed):
    by_bars = missed / sum(map(abs, actual))
    assert by_bars == Fraction(1, 6) and math.isclose(
        by_bars, weighted_mean_absolute_percentage_error(actual, predicted)
    )
    holds("We give targets and predictions the same sign, so that the errors keep their sizes")
    for of_signed in signed:
        said_so = [math.copysign(p, s) for p, s in zip(predicted, of_signed, strict=True)]
        assert np.abs(np.subtract(said_so, of_signed)).tolist() == [1, 0, 2, 0] and np.abs(of_signed).tolist() == actual
    holds("The same misses give 1/6 at first, then 3/2, then a negative value")
    assert [row[1] for row in rows] == [Fraction(1, 6), Fraction(3, 2), Fraction(-3, 16), "3/0"]
    assert {row[2] for row in rows} == {Fraction(1, 6)}


@section("002-regression-r2", after="x, next_week = np.arange(4), [6, 5, 2, 1]")
def test_r(actual, errors, mean, next_week, predicted, r2, rows):
    holds("The forecast has an R² of 28/33, or 0.848.")
    assert round(float(r2), 3) == 0.848 and r2 == Fraction(28, 33) and math.isclose(r2, r2_score(actual, predicted))
    holds("and both are right if Var has the divisor $m$")
    assert r2 == 1 - sum(e**2 for e in errors) / sum((mean - y) ** 2 for y in actual)
    holds("This is true of a least-squares fit with an intercept, on the data of the fit.")
    rng = np.random.default_rng(0)
    for given in rng.normal(size=(50, 6)):
        fitted = np.polyval(np.polyfit(np.arange(6), given, 1), np.arange(6))
        assert math.isclose(r2_score(given, fitted), np.var(fitted) / np.var(given), abs_tol=1e-12)
    holds("On the others, R² is far below 0 and the ratio of the variances is above 1, so neither can be a share.")
    assert rows[1][1] < -1 and rows[1][2] > 1 and math.isclose(rows[0][1], rows[0][2])


@section("002-regression-r2")
def test_r_2(far, near, off):
    holds("At the same error the warning is right, but a large variance alone does not make R² large")
    spread = [r2_score(s * near, s * near + off) for s in range(1, 30)]
    assert spread == sorted(spread) and r2_score(far, far[::-1]) == -3
    holds("but R² is 0.996 instead of 0.625; if an error of 50 makes a forecast useless", "and its R² is -3")
    assert r2_score(near, near + off) == 0.625
    assert f"{r2_score(far, far + off):.3f}" == "0.996" and (abs(off) == 50).all()


@section("002-regression-seven")
def test_all_seven_at_once(exact, measures, rows):
    holds("for each of the document's seven measures, from MSE to R²", "All seven agree to four decimals.")
    assert len(measures) == 7 and all(math.isclose(row[2], row[3]) for row in rows) and math.sqrt(5 / 4) == rows[1][2]


@section("Exercises")
def test_exercises(actual, best, found, one_smape):
    holds("the constant with the lowest SMAPE is the median, 4")
    assert best(actual) == 4 == np.median(actual)
    holds(r"a term is $2 \tanh(\lvert u - v \rvert / 2)$, which is concave on each side of $v$")
    for constant, target in itertools.product([0.5, 1, 3], [1, 2, 7]):
        assert math.isclose(one_smape([target], [constant]), 2 * math.tanh(abs(math.log(constant / target)) / 2))
    fine = np.linspace(0.5, 20, 3901)
    holds("The best constant is therefore one of the targets, and only these have to be tried.")
    for these in [found, actual, (1, 2, 3, 5, 19), (3, 8, 9, 15, 16)]:
        sums = [sum(2 * abs(step - t) / (step + t) for t in these) for step in fine]
        assert abs(fine[int(np.argmin(sums))] - best(these)) < 0.01
    holds("So between two neighbouring targets, a sum of such terms is concave and has no minimum inside.")
    inside = np.log(np.linspace(found[0], found[1], 201)[1:-1])
    at = [sum(2 * math.tanh(abs(u - math.log(y)) / 2) for y in found) for u in np.linspace(inside[0], inside[-1], 99)]
    assert (np.diff(at, 2) < 0).all()
    holds("Find five positive targets for which the best constant is not the median.")
    assert len(found) == 5 and min(found) > 0 and best(found) != np.median(found)


@section("Exercises")
def test_exercises_2(actual, mae, measures, mse, predicted, r2, rows):
    in_f = {row[0]: row[2] for row in rows}
    holds("R² keeps its value, RMSE and MAE grow by the factor 1.8, and MSE by 3.24.")
    assert (
        math.isclose(in_f["MSE"], 3.24 * mse) and math.isclose(in_f["MAE"], 1.8 * mae) and math.isclose(in_f["R²"], r2)
    )
    assert math.isclose(in_f["RMSE"], 1.8 * math.sqrt(mse))
    holds("The three percentage errors all become much smaller, by different factors")
    percents = [in_f[kind] / measures[kind](actual, predicted) for kind in ("MAPE", "SMAPE", "WMAPE")]
    assert max(percents) < 0.3 and len({round(p, 3) for p in percents}) == 3
    holds("the temperatures 1, 4, 4, 9 in degrees Celsius, predicted as 2, 4, 2, 9")
    assert (actual, predicted) == ([1, 4, 4, 9], [2, 4, 2, 9])


@section("002-regression")
def test_unchecked_the_opening():
    unchecked("hold on conditions that the document does not name", "the two conditions are held in the section on R²")
    unchecked("prints formulas for seven measures, with a few words and no number", "what stands in the document")


@section("002-regression-squared")
def test_unchecked_mse_and_rmse():
    unchecked("calls MSE the most common measure at present", "the document says so, and no computation counts uses")
    unchecked("so reports mostly show the root", "a custom")
    unchecked("are popular because statistical theory is built on them", "what the paper says")
