"""What book/001-interview-notes/f1.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import ConfusionCounts, auc, roc_auc_score, roc_curve
from tests.claims.runner import holds, proved, section, unchecked


@section("001-f1-cells")
def test_the_four_cells(printed, right):
    holds("Take a hundred mails, fifty of them spam")
    assert (right.tp + right.fn, right.fp + right.tn, right.tp + right.fp, right.tp) == (50, 50, 60, 40)
    assert [right.tp, right.fn, right.fp, right.tn] == [
        40,
        10,
        20,
        30,
    ] and right.tp + right.fn + right.fp + right.tn == 100
    holds("by the printed cells there are 70 spam mails, not 50")
    assert (printed.tp + printed.fn, right.tp + right.fn) == (70, 50)
    holds("Precision, which needs the first column only, survives.")
    for tp, fn, fp, tn in itertools.product(range(1, 5), repeat=4):
        exchanged = ConfusionCounts(tp=tp, fn=tn, fp=fp, tn=fn)
        assert exchanged.precision == ConfusionCounts(tp=tp, fn=fn, fp=fp, tn=tn).precision
    assert printed.recall != right.recall and printed.false_positive_rate != right.false_positive_rate


@section("001-f1-precision")
def test_precision_and_recall(ax, right):
    holds("Both are right as printed; recall is given its two other names")
    assert (right.precision, right.recall) == (40 / 60, 40 / 50) and right.recall == right.tp / (right.tp + right.fn)
    holds("and F1 in the two bars together", "40 of 50 above, 40 of 60 below, and 80 of 110 in both bars together")
    assert (right.recall, right.precision, right.f1) == (40 / 50, 40 / 60, 80 / 110)


@section("001-f1-accuracy")
def test_accuracy(as_printed, bound):
    holds("for all has an accuracy above 99 %, and is useless")
    assert bound == 0.99
    for clicks in range(1, 10):
        no_click = ConfusionCounts(tp=0, fp=0, fn=clicks, tn=1000 - clicks)
        assert no_click.accuracy > 0.99 and as_printed(no_click) == 0


@section("001-f1-forms")
def test_three_forms_of_f1(forms, never):
    holds("One fraction, by every route.")
    assert set(forms.values()) == {Fraction(8, 11)} and len(forms) == 1 + 3
    for tp, fn, fp, tn in itertools.product(range(1, 5), range(4), range(4), range(4)):
        prec, rec, total = Fraction(tp, tp + fp), Fraction(tp, tp + fn), tp + fn + fp + tn
        proved("The last follows from $n - TN = TP + FP + FN$; TN stands in it twice and cancels.")
        assert total - tn == tp + fp + fn and 2 * tp + fp + fn == total + tp - tn
        proved("All are right as printed")
        harmonic = 2 / (1 / prec + 1 / rec)
        assert harmonic == 2 * prec * rec / (prec + rec) == Fraction(2 * tp, 2 * tp + fp + fn)
        proved("the three are tied by")
        arithmetic = (prec + rec) / 2
        assert arithmetic * harmonic == prec * rec and arithmetic - harmonic == (prec - rec) ** 2 / (2 * (prec + rec))
    holds("The forms agree where each has a value; where nothing is flagged, not all of them have one")
    assert np.isnan(never.precision) and never.f1 == 0
    holds("Precision is 0/0")
    assert never.tp + never.fp == 0


@section("001-f1-high")
def test_when_f1_is_high(c, forms, rows):
    holds("After the three right forms the document concludes")
    assert len(set(forms.values())) == 1
    holds("A cautious filter, with ten spam mails to find, flags one, rightly")
    assert (c.tp + c.fn, c.tp + c.fp) == (10, 1)
    holds("Precision is perfect, accuracy goes to 1, and F1 stays at 2/11")
    assert [row[1] for row in rows] == [1, 1, 1] and {row[4] for row in rows} == {2 / 11} and rows[2][2] > 0.9999
    assert [row[2] for row in rows] == sorted(row[2] for row in rows)
    holds("neither precision nor a high accuracy sees the nine misses")
    all_found = ConfusionCounts(tp=1, fp=0, fn=0, tn=c.tn)
    assert c.fn == 9 and c.precision == all_found.precision and abs(c.accuracy - all_found.accuracy) < 1e-4


@section("001-f1-roc")
def test_the_axes_of_the_roc_curve(axes, fpr, right, rows, tpr, y_true):
    holds("The two rates of the curve are right as printed")
    assert (right.recall, right.false_positive_rate) == (40 / 50, 20 / 50)
    holds("The shaded areas, 0.85 and 0.15, add up to 1.")
    assert np.allclose([auc(fpr, tpr), auc(tpr, fpr)], [0.85, 0.15])
    holds("So whoever picks the larger area picks the worse of two models")
    orders = list(itertools.permutations(range(8)))[::97]
    area = [roc_auc_score(y_true, order) for order in orders]
    drawn = [roc_curve(y_true, order) for order in orders]
    exchanged_area = [auc(curve.tpr, curve.fpr) for curve in drawn]
    assert np.allclose(np.add(area, exchanged_area), 1)
    holds("In each row the areas add up to 1, and the columns prefer different models.")
    assert np.allclose([a + b for _, a, b in rows], 1) and rows[0][1] > rows[1][1] and rows[0][2] < rows[1][2]


@section("Exercises")
def test_exercises(bold, shy):
    holds("with 100 positives among 1,000 samples")
    assert {(c.tp + c.fn, c.fp + c.tn) for c in (bold, shy)} == {(100, 1000 - 100)}
    holds("The shy one wins twice, and its F1 is lower by more than a third.")
    assert shy.precision > bold.precision and shy.accuracy > bold.accuracy and shy.f1 < bold.f1 * 2 / 3


@section("Exercises")
def test_exercises_2(f1, p):
    holds("the report has a typing error, or mixes two settings")
    assert (
        1 / (2 / f1 - 1 / p) == Fraction(6, 5) and max(2 * p * a / (p + a) for a in map(Fraction, (0, 0.5, 1))) == 3 / 4
    )


@section("Exercises")
def test_exercises_3(common, rare):
    holds("Make the common class the positive one and predict it always.")
    assert (common.tn, common.fn, common.fp, common.tp) == (rare.tp, rare.fp, rare.fn, rare.tn) == (0, 0, 10, 990)
    assert round(common.f1, 6) == 0.994975 and rare.f1 == 0 and common.accuracy == rare.accuracy


@section("001-f1-cells")
def test_unchecked_the_four_cells():
    unchecked("The four cells", "TP, FN, FP and TN")


@section("001-f1-accuracy")
def test_unchecked_accuracy():
    unchecked("The 99 % is the one number that this section prints", "a search of the document")


@section("001-f1-forms")
def test_unchecked_three_forms_of_f1():
    unchecked("Three forms of F1", "those in the display")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("Better twice, worse once", "a title")
