"""What book/004-threshold-and-ranking/roc-against-pr.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import ConfusionCounts, average_precision_score, precision_recall_curve, roc_auc_score, roc_curve
from tests.claims.runner import holds, section, unchecked


@section("004-roc-against-pr-conditions")
def test_which_rate_looks_at_which_class(precision_at, rows):
    holds("at three prevalences")
    assert [f"{row[2]:.3f}" for row in rows] == ["0.889", "0.471", "0.075"] and len(rows) == 3
    holds("divide the numerator and the denominator by the number of samples")
    assert all(
        c.precision == precision_at(Fraction(10, 40), c.recall, c.false_positive_rate)
        for c in [ConfusionCounts(8, 3, 2, 27)]
    )
    holds("The odds of the precision are the odds of the prevalence times TPR/FPR, here times 8.")
    assert all(value / (1 - value) == 8 * share / (1 - share) for share, value, _ in rows)
    draw = np.random.default_rng(1)
    labels, drawn = draw.integers(0, 2, 40), draw.random(40)
    holds(
        "looks at the positives only",
        "at the negatives only, so neither the axes nor the area depend on the ratio of the two",
    )
    for heavy in (0, 1):
        weights = np.where(labels == heavy, 7, 1)
        plain, weighed = roc_curve(labels, drawn), roc_curve(labels, drawn, sample_weight=weights)
        assert np.allclose(plain.tpr, weighed.tpr) and np.allclose(plain.fpr, weighed.fpr)
        assert np.isclose(roc_auc_score(labels, drawn), roc_auc_score(labels, drawn, sample_weight=weights))
        by_weight, by_count = (precision_recall_curve(labels, drawn, sample_weight=w) for w in (weights, None))
        assert not np.allclose(by_weight.precision, by_count.precision)


@section("004-roc-against-pr-halved")
def test_half_of_the_positives_deleted(halved, negatives, positives, rates, rows, ways):
    whole = rates(positives, negatives, 40)
    assert whole == [Fraction(3, 4), Fraction(1, 4), Fraction(3, 4), Fraction(13, 16)]
    holds("There are six ways to keep two of the four positives, and the last row is the mean of the six")
    assert len(ways) == 6 and np.mean(halved, axis=0).tolist() == [whole[0], whole[1], Fraction(7, 12), whole[3]]
    holds("in none of the six samples, so what the document says of a random deletion is right in expectation")
    assert all(row[1] == whole[1] and row[0] != whole[0] and row[3] != whole[3] for row in halved)
    holds("Precision falls, as the document says.")
    assert all(row[2] < whole[2] for row in halved)
    holds("and without false positives it does not fall at all")
    assert len({round(row[3] / row[2], 3) for row in map(list, rows)}) == 3 and rows[2][2] == rows[2][3] == 1
    holds("half of the positives are deleted at random", "Half of the positives deleted")
    assert all(2 * len(kept) == len(positives) for kept in ways)
    holds("The numerator and the denominator of TPR are both halved")
    assert all(Fraction(tp // 2, (tp + 20) // 2) == Fraction(tp, tp + 20) for tp, *_ in rows)
    holds("The recall is 0.8 in all of these cases.")
    assert ConfusionCounts(80, 20, 20, 800).recall == ConfusionCounts(40, 20, 10, 800).recall == 0.8


@section("004-roc-against-pr-skewed")
def test_roc_and_p_r_on_skewed_data(algorithms, one, precision_at, rows, skewed, two):
    holds("differs from algorithm 2 in the scores of 50 negatives, which it places among the positives")
    assert (one != two).sum() == 50 == (one[100:] != two[100:]).sum() and len(skewed) == 100 + 10_000
    assert np.median(one[100::200]) > np.median(one[:100]) and one[:100].max() > one[100:].max()
    holds("Their ROC curves are close together near the upper left corner.", "Their P-R curves are far apart")
    gap = np.subtract(rows[1][1:3], rows[0][1:3])
    assert round(gap[0], 3) == 0.003 and 0.2 < gap[1] < 0.3 and rows[0][1] > 0.97 and rows[1][2] < 0.7
    holds("which is so large that FPR is small even where FP is large")
    assert all(row[4] < 0.02 and row[5] < 0.5 for row in rows[:1]) and rows[0][3] > 100
    holds(
        "49 extra false alarms of algorithm 1 are 0.5% of the negatives, a hair's breadth on the axis of FPR",
        "but about half as many as there are positives",
    )
    more = rows[0][3] - rows[1][3]
    assert more == 49 and round(100 * more / (skewed == 0).sum(), 1) == 0.5 and round(more / skewed.sum(), 1) == 1 / 2
    curves = {name: precision_recall_curve(skewed, given) for name, given in algorithms.items()}
    best = {n: [max(c.precision[np.isclose(c.recall, k / 100)]) for k in range(1, 101)] for n, c in curves.items()}
    holds("two ROC curves that both rise steeply along the left edge and lie almost on each other")
    rocs = [roc_curve(skewed, given) for given in algorithms.values()]
    assert all(min(c.tpr[c.fpr > 0.05]) > 0.85 for c in rocs)
    holds("two P-R curves that start at precision 1")
    assert all(line[0] == 1 for line in best.values()) and len(best) == 2
    plateau = best["algorithm 1"][9:60]
    holds("of algorithm 1 drops at once, stays between 0.4 and 0.7 from recall 0.1 to 0.6, and then falls")
    assert best["algorithm 1"][4] < 0.75 and 0.4 < min(plateau) <= max(plateau) < 0.7
    holds("Both end near 0.")
    assert all(line[-1] < 0.05 for line in best.values())
    holds("the ROC curve is the same at every prevalence and inflates nothing")
    tenfold = np.where(skewed == 1, 10, 1)
    assert np.isclose(roc_auc_score(skewed, one, sample_weight=tenfold), roc_auc_score(skewed, one))
    holds("that moves with the prevalence, so it cannot be compared between data sets of different prevalence")
    assert average_precision_score(skewed, one, sample_weight=tenfold) > average_precision_score(skewed, one) + 0.1
    holds("has a precision of 98% on a balanced test set, and of 29% where one sample in 101 is positive")
    assert [round(100 * precision_at(s, 0.8, 0.02)) for s in (1 / 2, 1 / 101)] == [98, 29]


@section("004-roc-against-pr-map")
def test_point_to_point(ends, lax, mixed, negatives, positives, rates, rows, strict):
    holds("there and back again at each positive of the small example")
    assert all(row[2] == row[4] for row in rows) and len(rows) == 4
    holds("the eight ROC points numbered 1 to 8 from lower left to upper right")
    in_order = sorted(positives + negatives, reverse=True)
    accepted = [rates(positives, negatives, threshold) for threshold in in_order]
    assert len(accepted) == 8 and all(a[0] <= b[0] and a[1] <= b[1] for a, b in itertools.pairwise(accepted))
    holds("What is level on the left (ranks 5 to 8, TPR stays at 1) is a vertical line on the right.")
    assert [values_of[0] for values_of in accepted[4:]] == [1] * 4
    holds("starting at precision 1 and recall one quarter", "Points 5 to 8 lie above one another at recall 1, with")
    assert (accepted[0][2], accepted[0][0]) == (1, Fraction(1, 4))
    assert [float(accepted[i][2]) for i in (4, 7)] == [0.8, 0.5]
    holds("If the two highest scores belong to negatives, two ROC points on the lower edge share the P-R point (0, 0)")
    edge = [rates([7, 6, 5, 1], [9, 8, 3, 2], threshold)[:3] for threshold in (9, 8)]
    assert edge[0][1] != edge[1][1] and all(point[0] == point[2] == 0 for point in edge)
    orders = [[int(i in ranks) for i in range(8)] for ranks in itertools.combinations(range(8), 4)]
    false_before = [np.cumsum(np.equal(order, 0))[np.equal(order, 1)] for order in orders]
    holds("So if one ROC curve lies nowhere below another, neither does its P-R curve, and the reverse is true")
    for above, below in itertools.product(false_before, repeat=2):
        prec_above, prec_below = (np.arange(1, 5) / (np.arange(1, 5) + h) for h in (above, below))
        assert (above <= below).all() == (prec_above >= prec_below).all()
    holds("At a fixed recall, less FPR means more precision.")
    for tp_any, low, high in itertools.product(range(1, 9), range(9), range(9)):
        assert (low < high) == (tp_any / (tp_any + low) > tp_any / (tp_any + high))
    tied, sorted_out = ([1, 1, 1, 0, 0], [2, 1, 1, 1, 1]), ([1, 0, 1, 0, 1], [5, 4, 3, 2, 1])
    grid = np.linspace(0, 1, 101)
    heights = [np.interp(grid, *roc_curve(*system)[:2]) for system in (tied, sorted_out)]
    holds("Where curves cross, the two areas may disagree", "With tied scores they may disagree even where no curves")
    assert (heights[0][1:] >= heights[1][1:]).all() and roc_auc_score(*tied) > roc_auc_score(*sorted_out)
    assert average_precision_score(*tied) < average_precision_score(*sorted_out)
    wide, close = [1, 0, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0]
    assert roc_auc_score(wide, range(6, 0, -1)) < roc_auc_score(close, range(6, 0, -1))
    assert average_precision_score(wide, range(6, 0, -1)) > average_precision_score(close, range(6, 0, -1))
    holds("A straight line promises a precision about four times as high as you can reach")
    assert 3.9 < sum(ends) / 2 / mixed < 4.1
    holds("Between two ROC points, you can reach any mixture by tossing a coin")
    assert np.allclose((strict + lax) / 2, [0.75, 0.155])


@section("Exercises")
def test_exercises(counts):
    holds("Recover all four counts and the FPR.")
    assert counts == [80, 20, 200, 9800, Fraction(1, 50)]
    holds("Without the number of negatives, FP = 200 still follows from the 100 positives")
    assert {100 * Fraction(4, 5) * (1 / Fraction(2, 7) - 1), counts[2]} == {200}


@section("Exercises")
def test_exercises_2(border, fpr, precision_at, tpr):
    holds("Below one in nine.", "Precision is one half where")
    grid = [Fraction(n, 900) for n in range(1, 900)]
    assert all((precision_at(part, tpr, fpr) < Fraction(1, 2)) == (part < Fraction(1, 9)) for part in grid)
    assert precision_at(border, tpr, fpr) == Fraction(1, 2)


@section("Exercises")
def test_exercises_3(easier, fewer, pairs, ways):
    holds("Deleting positives brings the AUC no lower than 3/4, so one half is out of reach.")
    assert min(fewer) == Fraction(3, 4)
    holds("Deleting the negative that scored 80, and any other, gives 1")
    assert all((value == 1) == (80 not in kept) for kept, value in zip(pairs, easier, strict=True))
    holds("Then delete two negatives so that it becomes 1.")
    assert len(ways) == len(pairs) == 6 and max(easier) == 1


@section("004-roc-against-pr-skewed")
def test_unchecked_roc_and_p_r_on_skewed():
    unchecked("They agree on all numbers", "what the cited papers dispute is the reading")
    unchecked("two algorithms on a highly skewed data set", "read in the document")


@section("004-roc-against-pr-map")
def test_unchecked_point_to_point():
    unchecked("the points of the two curves correspond one to one", "said by the document")
