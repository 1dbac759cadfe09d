"""What book/003-recommender-metrics/ndcg.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_book.printed import verdict
from metrics_lib import dcg, ideal_dcg, ndcg
from tests.claims.runner import holds, proved, section, unchecked


@section("003-ndcg-gains")
def every_order(returned):
    return list(itertools.permutations(returned))


@section("003-ndcg-gains")
def test_cg_and_dcg(every_order, gains, returned):
    holds("The two gains give different values at each step")
    assert all(f(returned) != f(returned, gain="exponential") for f in (dcg, ideal_dcg, ndcg))
    holds("At rank 1 nothing is discounted, so a grade of 3 counts 3 or 7")
    assert dcg([3]) == 3 and dcg([3], gain="exponential") == 7
    holds("a greater grade at any rank raises the DCG")
    assert all(
        dcg([*order[:r], order[r] + 1, *order[r + 1 :]], gain=kind) > dcg(order, gain=kind)
        for kind in gains
        for order in set(every_order)
        for r in range(5)
    )
    holds("Both are true with either gain")
    assert all(
        dcg([*o[:a], o[b], *o[a + 1 : b], o[a], *o[b + 1 :]], gain=kind) > dcg(o, gain=kind)
        for kind in gains
        for o in set(every_order)
        for a, b in itertools.combinations(range(5), 2)
        if o[b] > o[a]
    )
    holds("because both 3s move down, and the exponential DCG falls")
    assert dcg([2, 1, 3, 3, 2], gain="exponential") < dcg([1, 3, 3, 2, 2], gain="exponential")


@section("003-ndcg-ideal")
def test_whose_results_form_the_ideal(every_order, returned):
    holds(
        "In its example nothing else was judged, so the ideal of the returned results is the ideal of all judged ones."
    )
    assert all(ndcg(order, judged=returned) == ndcg(order) for order in set(every_order))
    holds("In general, however, a relevant item that was missed then costs nothing.")
    assert ndcg([3, 1]) == ndcg([3, 1], judged=[3, 1]) == 1 > ndcg([3, 1], judged=[3, 1, 2])


@section("003-ndcg-range")
def test_the_range():
    holds("That is right on the scale of its example, whose lowest grade is 1.")
    of_scale = ndcg(list(itertools.product([1, 2, 3], repeat=4)), 2)
    assert min(of_scale) > 0 and max(of_scale) <= 1 + 1e-12
    holds("If grades of 0 occur, DCG and NDCG can both be 0")
    assert ndcg([0, 0, 0, 3], 3) == 0 == dcg([0, 0, 0, 3], 3)


@section("003-ndcg-mean")
def test_ndcg_of_a_user_and_the_mean(values):
    holds("Without this user, the mean is 3/4; if the missing value counts as 0, it is 1/2.")
    assert np.nanmean(values) == 3 / 4 and np.nan_to_num(values).mean() == 1 / 2


@section("003-ndcg-table")
def test_the_worked_example_dcg(cells, log_printed, logs, returned, terms, terms_printed):
    holds("Each number of this table is right to its last digit.")
    table = [*zip(log_printed, logs, strict=True), *zip(terms_printed, terms, strict=True)]
    table += [("6.696665042", dcg(returned))]
    assert all(verdict(p, v) not in ("wrong", "missing", "truncated") for p, v in table)
    assert max(len(p.partition(".")[2]) for p, _ in table) == 9 and dcg(returned) == math.fsum(terms)
    holds("The text around the table shortens the sum twice")
    assert [p for what, p, _ in cells if what.startswith("DCG") and len(p) < 9] == ["6.69", "6.6967"]
    holds("where $\\log_2 3$ is $\\ln 3 / \\ln 2$")
    assert math.isclose(logs[1], math.log(3) / math.log(2))


@section("003-ndcg-ideal-table")
def test_the_worked_example_idcg(ax, ideal, ideal_printed, ideal_terms, logs, terms, terms_printed, units):
    assert [verdict(p, v) == "wrong" for p, v in zip(ideal_printed, ideal_terms, strict=True)] == [0, 1, 0, 1, 1]
    holds("Three terms are wrong, and all three are too small")
    assert sum(float(p) < v - 1e-7 for p, v in zip(ideal_printed, ideal_terms, strict=True)) == 3
    holds("three terms of the second table lie far below it")
    assert sum(u < -2 for u in units(ideal_printed, ideal_terms)) == 3
    holds("The five circles of the first table lie inside it.")
    assert [abs(u) < 0.5 for u in units(terms_printed, terms)] == [True] * 5
    holds("Of the squares of the second table, two lie at 0")
    assert [round(u, 1) for u in units(ideal_printed, ideal_terms)] == [0, -3.9, 0, -2.3, -5.8]
    holds("from minus one half to plus one half")
    assert (ax.patches[0].get_y(), ax.patches[0].get_height()) == (-0.5, 1)
    holds("Two of the three terms have the digits of a quotient by three decimals.")
    by_three = [f"{ideal[i] / round(logs[i], 3):.{len(ideal_printed[i]) - 2}f}" for i in (1, 3, 4)]
    assert [a == ideal_printed[i] for a, i in zip(by_three, (1, 3, 4), strict=True)] == [False, True, True]
    proved("comes from no rounded denominator.", "3/1.585 is 1.892744, which is close, but it rounds to 1.89274")
    assert all(f"{3 / round(math.log2(3), digits):.5f}" != "1.89275" for digits in range(1, 16))


@section("003-ndcg-quotient")
def test_the_worked_example_ndcg(ideal_printed, returned):
    holds("The 0.94 survives a truncated sum and three wrong terms")
    assert f"{6.69 / float(sum(map(Fraction, ideal_printed))):.2f} {ndcg(returned):.2f}" == "0.94 0.94"
    assert verdict("6.69", dcg(returned)) == "truncated"
    holds("The document's own formula would have given 0.91.")
    assert verdict("0.91", ndcg(returned, gain="exponential")) in ("rounded", "rounded or truncated")
    holds("The list is as long as the ideal, so both forms of the quotient agree")
    assert dcg(returned, 5) / ideal_dcg(returned) == ndcg(returned, 5)
    holds("because **two decimals hide a lot**")
    assert f"{6.69 / 7.14:.3f}" != f"{ndcg(returned):.3f}"


@section("Exercises")
def test_exercises(lists, wrong):
    holds("Up to four results, all sums are right.", "more than a fifth have a sum that is wrong by a hundredth")
    assert not any(wrong[:4]) and len(wrong[4]) > len(lists[4]) / 5


@section("Exercises")
def test_exercises_2(distinct, flips, gains, returned):
    holds("the 30 different orders of its five grades")
    assert len(distinct) == 30 and len(returned) == 5
    holds("The two gains disagree on 14 of 435 pairs.")
    assert len(flips) == 14 and math.comb(30, 2) == 435
    holds("the two 3s are at the end of one list and right behind the 1 in the other")
    assert {max(flips)[1], max(flips)[2]} == {(2, 1, 2, 3, 3), (1, 3, 3, 2, 2)}


@section("Exercises")
def test_exercises_3(gains, returned, shifted):
    holds("The NDCG changes with either gain, because the shift takes the same amount off both sums")
    off_linear = [f(returned) - f(shifted[1]) for f in (dcg, ideal_dcg)]
    assert math.isclose(*off_linear) and all(ndcg(shifted[1], gain=g) < ndcg(returned, gain=g) for g in gains)
    holds("With the exponential gain, it halves them first")
    off_halved = [f(returned, gain="exponential") / 2 - f(shifted[1], gain="exponential") for f in (dcg, ideal_dcg)]
    assert math.isclose(*off_halved) and min(*off_linear, *off_halved) > 0
    holds("Five useless results are perfect on the scale from 1, and undefined on the scale from 0")
    assert ndcg([1] * 5) == 1 and math.isnan(ndcg([0] * 5))


@section("Exercises")
def test_unchecked_exercises():
    unchecked("If every term is correctly rounded to two decimals", "the false statement of the task")
    unchecked("disagree most clearly", "the measure is named")
