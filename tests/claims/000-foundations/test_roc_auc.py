"""What book/000-foundations/roc-auc.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import roc_auc_score, roc_curve
from tests.claims.runner import holds, section


@section("000-roc-auc-curve")
def test_the_roc_curve(at_least, more_than, point, scores, y_true):
    holds("Both rules give the same points.", "with one threshold beyond each end")
    curve = roc_curve(y_true, scores, drop_intermediate=False)
    assert (
        at_least == more_than == set(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True)) and len(at_least) == 10
    )
    holds("it passes through (0, 0) and (1, 1)", "nothing is called positive, and at the second everything is")
    assert point(scores > 1) == (0, 0) and point(scores > -1) == (1, 1)


@section("000-roc-auc-random")
def test_the_diagonal(ax, orders, rows, runs):
    holds("take all orders of five positives and five negatives")
    assert len(orders) == 252 and {sum(order) for order in orders} == {5}
    holds("Both rates are $m/10$ on average, so the mean curve lies on the diagonal.")
    assert all(sum(sum(order[:cut]) for order in orders) * 10 == cut * 5 * len(orders) for cut in range(11))
    assert all(mean_fpr == mean_tpr == Fraction(cut, 10) for cut, mean_fpr, mean_tpr in rows)
    holds("The curve of a single random order does not")
    assert all(any(sum(order[:cut]) * 2 != cut for cut in range(11)) for order in orders)
    holds("does have the diagonal itself as its curve, namely a classifier that gives each sample the same score")
    for labels_tried in orders:
        assert [rate.tolist() for rate in roc_curve(labels_tried, [0.5] * 10)[:2]] == [[0, 1], [0, 1]]
    areas = [roc_auc_score(run, -np.arange(40)) for run in runs]
    holds("with few samples it can stray far", "A single curve may bulge far from it, on either side")
    assert min(areas) < 0.4 and max(areas) > 0.6
    holds("twenty random orders of twenty positives and twenty negatives", "Twenty thin grey staircases")
    assert len(runs) == 20 == len(ax.lines) - 1 and all(sum(run) == 20 == len(run) - 20 for run in runs)
    holds("which is the mean of all such orders")
    for cut in range(41):  # of the first places of all orders, half hold a positive
        ways = {k: math.comb(cut, k) * math.comb(40 - cut, 20 - k) for k in range(min(cut, 20) + 1)}
        assert 2 * sum(k * number for k, number in ways.items()) == cut * math.comb(40, 20)


@section("000-roc-auc-area")
def test_the_area_under_the_curve(crossing_scores, four_each, orders, perfect, same_score, scores, shapes, y_true):
    holds("Here the document prints two numbers, the ends of what it calls the usual range")
    assert (same_score, perfect) == (0.5, 1)
    holds("Both ends are exact, and they are the values of chance and of perfection.")
    assert np.mean([roc_auc_score(order, -np.arange(10)) for order in orders]).round(12) == 0.5
    holds("A score can do worse than chance, down to an AUC of 0, but then its sign is the wrong way round.")
    four = np.array(list(itertools.product(range(4), repeat=4)))
    values = [(roc_auc_score([1, 1, 0, 0], s), roc_auc_score([1, 1, 0, 0], -s)) for s in four]
    assert min(values)[0] == 0 and all(turned > 1 / 2 for one, turned in values if one < 1 / 2)
    holds("at the one threshold in use, the model with the smaller AUC can be ahead")
    smaller, larger = [1, 1, 0, 0, 0, 1, 1, 0], [0, 1, 1, 1, 1, 0, 0, 0]
    assert roc_auc_score(smaller, -np.arange(8)) < roc_auc_score(larger, -np.arange(8)) and sum(smaller[:2]) > sum(
        larger[:2]
    )
    drawn_areas = {name: roc_auc_score(labels, score) for name, (labels, score) in shapes.items()}
    assert [round(area, 2) for area in drawn_areas.values()] == [0.78, 0.75, 0.25, 0]
    crossing = roc_curve(four_each, crossing_scores)
    holds(
        "One crosses the diagonal, although its area is 0.75; two have areas below one half",
        "A curve can cross it and still have an area above one half",
    )
    assert drawn_areas["crossing, 0.75"] > 1 / 2
    assert (crossing.tpr < crossing.fpr).any() and (crossing.tpr > crossing.fpr).any()
    assert sum(area < 1 / 2 for area in drawn_areas.values()) == 2
    own, low = roc_curve(y_true, scores), roc_curve(*shapes["area 0.25"])
    holds(
        "The curve of the ten samples above, and three curves that are not as usual.",
        "The staircase of the ten samples lies above the diagonal",
    )
    assert len(scores) == 10 and (own.tpr[1:-1] > own.fpr[1:-1]).all()
    holds("The curve with the area 0.25 runs below the diagonal and touches it in the middle.")
    assert low.fpr.tolist() == [0, 0.5, 0.5, 1, 1] and low.tpr.tolist() == [0, 0, 0.5, 0.5, 1]
    holds("The crossing curve first runs along the bottom to one quarter")
    assert (crossing.fpr[1], crossing.tpr[1]) == (1 / 4, 0)


@section("Exercises")
def test_exercises(dipping, highest, ranks, useful):
    holds("The curve dips below the diagonal in 84 of the 126 orders.")
    assert (len(useful), len(dipping)) == (126, 84)
    for one in dipping:
        drawn_one = roc_curve(one, ranks, drop_intermediate=False)
        assert (drawn_one.tpr < drawn_one.fpr - 1e-12).any()
    holds(
        "Their highest AUC is 0.8, which two orders reach.",
        "One has a negative at the top and all positives behind it, and the other has a positive below all negatives.",
    )
    best_of_all = [o for o in dipping if np.isclose(roc_auc_score(o, ranks), 0.8)]
    assert np.isclose(highest, 0.8)
    assert best_of_all == [[1, 1, 1, 1, 0, 0, 0, 0, 0, 1], [0, 1, 1, 1, 1, 1, 0, 0, 0, 0]]


@section("Exercises")
def test_exercises_2(orders, reached, scores, y_true):
    holds("The ten samples of this chapter have an AUC of 39/50")
    assert np.isclose(roc_auc_score(y_true, scores), 39 / 50) and len(y_true) == 10
    holds("About one random order in thirteen does as well, so ten samples are too few")
    assert round(len(orders) / reached) == 13
    assert {sum(order) for order in orders} == {5}
