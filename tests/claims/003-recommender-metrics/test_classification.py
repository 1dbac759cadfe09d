"""What book/003-recommender-metrics/classification.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import ConfusionCounts, confusion_matrix, roc_auc_score
from tests.claims.runner import holds, section


@section("003-classification-cells")
def tn(counts):
    return ((counts.tp, counts.fp, counts.fn, counts.tn))[3]


@section("003-classification-cells")
def fn(counts):
    return ((counts.tp, counts.fp, counts.fn, counts.tn))[2]


@section("003-classification-cells")
def tp(counts):
    return ((counts.tp, counts.fp, counts.fn, counts.tn))[0]


@section("003-classification-cells")
def fp(counts):
    return ((counts.tp, counts.fp, counts.fn, counts.tn))[1]


@section("003-classification-cells")
def test_the_four_cells(counts, liked, shown):
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    holds("The four cells")
    assert confusion_matrix(liked, shown, labels=[1, 0]).T.tolist() == [[tp, fp], [fn, tn]] == [[80, 99], [20, 9801]]
    holds("a recommender that shows a user 179 of 10,000 items")
    assert shown.sum() == 179 and len(shown) == 10_000
    holds("The user would like 100 of them, and 80 of those are shown")
    assert liked.sum() == 100 and (liked * shown).sum() == 80


@section("003-classification-accuracy")
def test_accuracy():
    holds("However the eight are divided between TP and TN, the accuracy is the same")
    assert {ConfusionCounts(tp=a, fp=b, fn=2 - b, tn=8 - a).accuracy for a in range(9) for b in range(3)} == {0.8}


@section("003-classification-precision")
def test_precision_recall_and_f1(counts, fn, fp, tn, tp):
    holds("Of the liked items, 80% are shown, and fewer than half of the shown ones are liked")
    assert counts.precision == 80 / 179 < 1 / 2 and counts.recall == 0.8
    holds("What do the four formulas give on our example?")
    measures = [(tp + tn) / (tp + fp + tn + fn), tp / (tp + fp), tp / (tp + fn)]
    assert np.allclose(measures, [counts.accuracy, counts.precision, counts.recall])
    holds("F1 is meant to balance the two")
    assert np.isclose(counts.f1, 2 * counts.recall * counts.precision / (counts.recall + counts.precision))


@section("003-classification-rates")
def test_false_and_true_positive_rate(actual, ax, counts, fn, fp, groups, rows, size, tn, tp):
    holds("a share of the true class, of the items shown, or of all items")
    assert [len(row) - 1 for row in rows] == [3, 3] and actual == {"by mistake": fp + tn, "correctly": tp + fn}
    holds("The first column contains FPR and TPR")
    assert [row[1] for row in rows] == [counts.false_positive_rate, counts.recall] == [0.01, 0.8]
    holds("The second contains the false discovery rate, FDR, and precision, which add up to 1")
    assert np.allclose([row[2] for row in rows], [counts.false_discovery_rate, counts.precision])
    assert np.isclose(counts.false_discovery_rate, 1 - counts.precision)
    holds("Where positives are rare, 1% of one group can be more than half of another")
    assert fp * 100 == fp + tn and fp > (tp + fp) / 2 and counts.prevalence == 0.01
    holds("The same four cells, divided in two ways")
    assert len(size) == len(groups) == 4 and sorted(sum(groups.values(), ())) == sorted(2 * list(size))
    holds("1% of those not liked (FPR) and 55% of those shown (FDR)")
    assert round(99 / 179, 2) == 0.55 and fp == 99
    holds(
        "the 100 liked items is divided into 80 TP and 20 FN",
        "the 9,900 not liked begins with a thin slice of 99 FP, before 9,801 TN",
    )
    assert (tp, fn, fp, tn) == (80, 20, 99, 9801) and (tp + fn, fp + tn) == (100, 9900)
    holds(
        "the 179 shown has 80 TP and then 99 FP, more than half",
        "the 9,821 not shown begins with a hardly visible slice of 20 FN, before 9,801 TN",
    )
    assert (tp + fp, fn + tn) == (179, 9821) and fp > (tp + fp) / 2 and fn / (fn + tn) < 0.003


@section("003-classification-auc")
def test_roc_and_auc(area, equal, fpr, greater, pairs, tpr, y_score, y_true):
    holds(
        "the curve of five items, three of them liked", "Two liked items share their score with one that is not liked"
    )
    assert len(y_true) == 5 and sum(y_true) == 3 and sum(s in y_score[3:] for s in y_score[:3]) == 2
    assert fpr.tolist() == [0, 0, 0.5, 1] and np.allclose(tpr, [0, 1 / 3, 1, 1])
    holds("It rises from 0 to one third at the left edge, slopes up to 1 at a false positive rate of one half")
    assert (fpr[1], round(tpr[1] * 3), fpr[2], tpr[2]) == (0, 1, 1 / 2, 1)
    holds("two liked items and one that is not liked enter together")
    assert (y_score[:3].count(0.6), y_score[3:].count(0.6)) == (2, 1)
    holds("Without ties, that is the area.", "With ties, half of the probability of equal scores has to be added")
    four = np.array(list(itertools.product(range(4), repeat=4)))
    for score in four:
        above, level = (f.outer(score[:2], score[2:]).mean() for f in (np.greater, np.equal))
        assert np.isclose(roc_auc_score([1, 1, 0, 0], score), above + level / 2)
    holds("if we count all pairs of the five items")
    assert len(pairs) == 3 * 2
    holds("The area is 5/6, and so is the sum; *greater* alone gives 2/3.")
    assert np.isclose(area, 5 / 6) and (greater, greater + equal / 2) == (Fraction(2, 3), Fraction(5, 6))


@section("Exercises")
def test_exercises(fits, matrices):
    holds(
        "Check your answer on every matrix of 12 samples without an empty cell",
        "All 165 matrices follow the rule, for both rates",
    )
    assert fits == [165, 165] == 2 * [len(matrices)] and min(map(min, matrices)) == 1
    holds("In a balanced, symmetric toy example both conditions hold")
    assert all((TN == TP) and (FN == FP) for TP, FP, FN, TN in matrices if TP + FN == FP + TN and FN == FP)


@section("Exercises")
def test_exercises_2(counts, fp, liked, shown, timid, tp):
    holds("The FPR falls to a fifth, and yet two in three of the items shown are wrong")
    assert round(counts.false_positive_rate / timid.false_positive_rate) == 5
    assert Fraction(timid.fp, timid.tp + timid.fp) == Fraction(2, 3) and timid.false_discovery_rate > 99 / 179
    holds("on the 10,000 items of this chapter")
    assert len(liked) == timid.tp + timid.fp + timid.fn + timid.tn == 10_000
    holds("Show much less, and give up a larger share of the liked items shown than of the others")
    assert timid.tp + timid.fp < shown.sum() / 2 and timid.tp / tp < timid.fp / fp


@section("Exercises")
def test_exercises_3(rows):
    holds("How is the true AUC related to the two?", "In both rows, the AUC lies halfway between the other two values")
    assert all(np.isclose((low + high) / 2, auc) for _, low, high, auc in rows) and len(rows) == 2
    holds("Let all scores be the same.")
    assert [float(value) for value in rows[0][1:]] == [0, 1, 0.5]
