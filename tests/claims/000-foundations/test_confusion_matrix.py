"""What book/000-foundations/confusion-matrix.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import ConfusionCounts, confusion_matrix
from tests.claims.runner import holds, section


@section("000-confusion-matrix")
def every_table():
    return [ConfusionCounts(*cells) for cells in itertools.product(range(1, 5), repeat=4)]


@section("000-confusion-matrix")
def test_the_opening(every_table):
    by_formula = {
        "recall": [one.tp / (one.tp + one.fn) for one in every_table],
        "precision": [one.tp / (one.tp + one.fp) for one in every_table],
        "accuracy": [(one.tp + one.fn) / (one.tp + one.tn + one.fp + one.fn) for one in every_table],
        "f1": [2 * one.precision * one.recall / (one.precision + one.recall) for one in every_table],
        "true positive rate": [one.tp / (one.tp + one.fn) for one in every_table],
        "false_positive_rate": [one.fp / (one.fp + one.tn) for one in every_table],
    }
    wrong_formulas = [
        rate
        for rate, printed in by_formula.items()
        if not np.allclose(printed, [getattr(one, rate, one.recall) for one in every_table])
    ]
    holds("Five of the six formulas are right; the accuracy counts the misses as right answers")
    assert len(by_formula) == 6 and wrong_formulas == ["accuracy"]


@section("000-confusion-matrix-cells")
def test_the_four_cells(counts, every_table, fn, fp, tn, tp, y_pred, y_true):
    holds("The four cells")
    assert (tp, fn, fp, tn) == (40, 10, 20, 30)
    assert confusion_matrix(y_true, y_pred).T.tolist() == [[tn, fn], [fp, tp]]
    holds("The wrong {term}`recall` in this box is the precision")
    assert Fraction(tp, fp + tp) == Fraction(2, 3) and math.isclose(counts.precision, 2 / 3)
    holds("whoever takes rows for columns exchanges the two")
    for one in every_table:
        turned = ConfusionCounts(tp=one.tp, fn=one.fp, fp=one.fn, tn=one.tn)
        assert (one.recall, one.precision) == (turned.precision, turned.recall)


@section("000-confusion-matrix-layout")
def test_which_layout_is_it(fn, fp, layouts, rows, tn, tp, y_pred, y_true):
    assert (y_true.sum(), y_pred.sum()) == (50, 60)
    holds("scikit-learn has one more")
    assert len(layouts) - 1 == 3 and len(set(map(tuple, layouts.values()))) == 4
    ours = {"TP": tp, "FN": fn, "FP": fp, "TN": tn}
    assert confusion_matrix(y_true, y_pred).ravel().tolist() == [ours[cell] for cell in layouts["scikit-learn"]]
    holds("the first reading alone has both")
    assert [row[-2:] == (50, 60) for row in rows] == [True, False, False, False]
    holds(
        "If two layouts fit the same table, $a, b$ above $c, d$, nothing is lost",
        "both layouts give the same four counts",
    )
    for numbers in itertools.product(range(6), repeat=4):
        readings = [dict(zip(each, numbers, strict=True)) for each in layouts.values()]
        for x, y in itertools.combinations(readings, 2):
            if x["TP"] + x["FN"] == y["TP"] + y["FN"] and x["TP"] + x["FP"] == y["TP"] + y["FP"]:
                assert x == y and (numbers[1] == numbers[2] or numbers[0] == numbers[3])


@section("000-confusion-matrix-accuracy")
def test_accuracy(answers, rows, y_pred):
    holds("for our example and three other answers to the same samples")
    assert len(answers) == 4 and answers["our example"] is y_pred
    holds("What is printed does not move, since it looks at no answer")
    assert {row[1] for row in rows} == {0.5} and [row[2] for row in rows] == [0.7, 1, 0, 0.5]
    for guess in itertools.product([0, 1], repeat=6):
        guessed = ConfusionCounts.from_labels([1, 1, 0, 0, 0, 0], guess)
        assert (guessed.tp + guessed.fn) / 6 == 1 / 3


@section("000-confusion-matrix-f1")
def test_f_score(every_table):
    holds("the harmonic mean of precision $P$ and recall $R$")
    for one in every_table:
        assert math.isclose(one.f1, 1 / ((1 / one.precision + 1 / one.recall) / 2))


@section("000-confusion-matrix-tpr")
def test_true_and_false_positive_rate(every_table):
    holds("leads from the two rates to it by way of the {term}`prevalence`")
    for one in every_table:
        share, up, across = one.prevalence, one.recall, one.false_positive_rate
        assert math.isclose(share * up / (share * up + (1 - share) * across), one.precision)


@section("000-confusion-matrix-worked")
def test_the_six_formulas_on_one_example(fn, formulas, fp, tn, tp):
    right = [math.isclose(by, value) for _, by, value in formulas]
    holds(
        "The lines of the accuracy and of the heading are wrong, the other five exact",
        "The six formulas on one example",
    )
    assert len(formulas) - 1 == 6 and sum(right) == 5 and not right[2] and not right[-1]
    holds("for our four counts")
    assert formulas[2][1] == Fraction(1, 2) and formulas[-1][1:] == (60, 50)


@section("Exercises")
def test_exercises(agree, same, tables):
    holds("It is right on 36 of the 286 tables, those with $FN = TN$")
    assert (len(tables), len(agree)) == (286, 36) and agree == same
    assert all(sum(t) == 10 for t in tables)
    holds("Check your answer on every table of ten samples")
    assert len(tables) == math.comb(13, 3)
    holds("A test on one of them passes, so test a formula on the perfect classifier, too")
    perfect = [(k, 0, 0, 10 - k) for k in range(11)]
    assert [t in agree for t in perfect] == [False] * 10 + [True]


@section("Exercises")
def test_exercises_2(far, wrong):
    gaps = []  # of b false positives, m misses, q true negatives
    for b, m, q in itertools.product(range(101), repeat=3):
        if b + m + q <= 100 and b + m and b + q:
            gaps.append(abs(b / (b + m) - b / (b + q)))
    holds("as far from the document's formula as possible")
    assert math.isclose(max(gaps), wrong - far.false_positive_rate) and math.isclose(max(gaps), 0.99)
    holds("Find a table of a hundred samples")
    assert far.tp + far.fp + far.fn + far.tn == 100
