"""What book/001-interview-notes/f1.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import ConfusionCounts, auc, roc_auc_score, roc_curve
from tests.claims.runner import holds, proved, section, unchecked


@section("001-f1-cells")
def test_the_four_cells(printed, right):
    holds("Take a hundred emails, fifty of which are spam", "A filter flags sixty emails, and forty of them are spam.")
    assert (right.tp + right.fn, right.fp + right.tn, right.tp + right.fp, right.tp) == (50, 50, 60, 40)
    assert [right.tp, right.fn, right.fp, right.tn] == [
        40,
        10,
        20,
        30,
    ] and right.tp + right.fn + right.fp + right.tn == 100
    holds("the data would contain 70 spam emails instead of 50", "because the sum must be the size of a class")
    assert (printed.tp + printed.fn, right.tp + right.fn) == (70, 50)
    holds("Precision does not change, because it needs only the first column.")
    for tp, fn, fp, tn in itertools.product(range(1, 5), repeat=4):
        exchanged = ConfusionCounts(tp=tp, fn=tn, fp=fp, tn=fn)
        assert exchanged.precision == ConfusionCounts(tp=tp, fn=fn, fp=fp, tn=tn).precision
    assert printed.recall != right.recall and printed.false_positive_rate != right.false_positive_rate


@section("001-f1-precision")
def test_precision_and_recall(ax, right):
    holds("Both formulas are right as printed, and the document also gives recall its two other names")
    assert (right.precision, right.recall) == (40 / 60, 40 / 50) and right.recall == right.tp / (right.tp + right.fn)
    holds(
        "and F1 its share in the two bars together",
        "Recall is 40 of 50 in the upper bar, precision is 40 of 60 in the lower one, and F1 is 80 of 110",
    )
    assert (right.recall, right.precision, right.f1) == (40 / 50, 40 / 60, 80 / 110)


@section("001-f1-accuracy")
def test_accuracy(as_printed, bound, rows):
    holds("the useless prediction scores 0 instead of 0.996, and even perfect predictions reach only 0.5")
    assert [row[1:] for row in rows] == [(0.4, 0.7), (0.5, 1), (0, 0.996)]
    holds("With ten clicks in a thousand, the accuracy would be")
    assert bound == 0.99
    holds(
        'If only a few advertisements in a thousand are clicked, predicting "no click" for all of them',
        "has an accuracy above 99%, and is useless",
        'Is it right for every "few in a thousand"?',
        'the document\'s "above 99%" is right for anything from one to nine',
    )
    for clicks in range(1, 10):
        no_click = ConfusionCounts(tp=0, fp=0, fn=clicks, tn=1000 - clicks)
        assert no_click.accuracy > 0.99 and as_printed(no_click) == 0


@section("001-f1-forms")
def test_three_forms_of_f1(forms, never):
    holds("They do, down to the exact fraction.")
    assert set(forms.values()) == {Fraction(8, 11)} and len(forms) == 1 + 3
    for tp, fn, fp, tn in itertools.product(range(1, 5), range(4), range(4), range(4)):
        prec, rec, total = Fraction(tp, tp + fp), Fraction(tp, tp + fn), tp + fn + fp + tn
        proved("follows from $n - TN = TP + FP + FN$, because $n$ contains TN, which the subtraction takes out again")
        assert total - tn == tp + fp + fn and 2 * tp + fp + fn == total + tp - tn
        proved("All of them are right as printed")
        harmonic = 2 / (1 / prec + 1 / rec)
        assert harmonic == 2 * prec * rec / (prec + rec) == Fraction(2 * tp, 2 * tp + fp + fn)
        proved("the one whose two rates are further apart has the lower F1")
        arithmetic = (prec + rec) / 2
        assert arithmetic * harmonic == prec * rec and arithmetic - harmonic == (prec - rec) ** 2 / (2 * (prec + rec))
    holds("The forms agree wherever they have a value, but not all of them have one when nothing is flagged")
    assert np.isnan(never.precision) and never.f1 == 0
    holds("Precision is 0/0 here", "while the form by counts gives an F1 of 0")
    assert never.tp + never.fp == 0


@section("001-f1-high")
def test_when_f1_is_high(c, forms, rows):
    holds("After the three forms, the document adds that F1 will be high")
    assert len(set(forms.values())) == 1
    holds("There are ten spam emails; it flags one email, and that one is spam.")
    assert (c.tp + c.fn, c.tp + c.fp) == (10, 1)
    holds("Precision is perfect and accuracy approaches 1, but F1 stays at 2/11, because it does not contain TN.")
    assert [row[1] for row in rows] == [1, 1, 1] and {row[4] for row in rows} == {2 / 11} and rows[2][2] > 0.9999
    assert [row[2] for row in rows] == sorted(row[2] for row in rows)
    holds("The nine misses lower the recall, but precision ignores them", "the accuracy hardly notices them")
    all_found = ConfusionCounts(tp=1, fp=0, fn=0, tn=c.tn)
    assert c.fn == 9 and c.precision == all_found.precision and abs(c.accuracy - all_found.accuracy) < 1e-4


@section("001-f1-roc")
def test_the_axes_of_the_roc_curve(axes, fpr, right, rows, tpr, y_true):
    holds("both formulas are right as printed")
    assert (right.recall, right.false_positive_rate) == (40 / 50, 20 / 50)
    holds("The shaded areas, 0.85 and 0.15, add up to 1.")
    assert np.allclose([auc(fpr, tpr), auc(tpr, fpr)], [0.85, 0.15])
    holds("the larger area under such a curve, you choose the worse of two models")
    orders = list(itertools.permutations(range(8)))[::97]
    area = [roc_auc_score(y_true, order) for order in orders]
    drawn = [roc_curve(y_true, order) for order in orders]
    exchanged_area = [auc(curve.tpr, curve.fpr) for curve in drawn]
    assert np.allclose(np.add(area, exchanged_area), 1)
    holds("In each row, the two areas add up to 1, and so the two columns prefer different models.")
    assert np.allclose([a + b for _, a, b in rows], 1) and rows[0][1] > rows[1][1] and rows[0][2] < rows[1][2]


@section("Exercises")
def test_exercises(bold, shy):
    holds("with 100 positives among 1,000 samples")
    assert {(c.tp + c.fn, c.fp + c.tn) for c in (bold, shy)} == {(100, 1000 - 100)}
    holds("the higher precision and the higher accuracy, but its F1 is lower by more than a third")
    assert shy.precision > bold.precision and shy.accuracy > bold.accuracy and shy.f1 < bold.f1 * 2 / 3


@section("Exercises")
def test_exercises_2(f1, p):
    holds("The recall would have to be 6/5, which is impossible, because with a precision of 0.6 no F1 exceeds 3/4.")
    assert (
        1 / (2 / f1 - 1 / p) == Fraction(6, 5) and max(2 * p * a / (p + a) for a in map(Fraction, (0, 0.5, 1))) == 3 / 4
    )


@section("Exercises")
def test_exercises_3(common, rare):
    holds("and always predict it", "so an F1 means nothing until you name the positive class", "reaches an F1 of 0.995")
    assert (common.tn, common.fn, common.fp, common.tp) == (rare.tp, rare.fp, rare.fn, rare.tn) == (0, 0, 10, 990)
    assert round(common.f1, 3) == 0.995 and rare.f1 == 0 and common.accuracy == rare.accuracy


@section("001-f1-cells")
def test_unchecked_the_four_cells():
    unchecked("The four cells", "TP, FN, FP and TN")


@section("001-f1-accuracy")
def test_unchecked_accuracy():
    unchecked("The only number that the document prints here is 99%", "a search of the document")


@section("001-f1-forms")
def test_unchecked_three_forms_of_f1():
    unchecked("Three forms of F1", "those in the display")
    unchecked("derives three forms from that", "those in the display")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("Better twice, worse once", "a title")
