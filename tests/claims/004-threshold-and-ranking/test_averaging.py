"""What book/004-threshold-and-ranking/averaging.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import accuracy_score, f1_score, macro_f1_score, precision_score, recall_score
from tests.claims.runner import holds, section, unchecked


@section("004-averaging-classes")
def tp(matrix):
    return ((matrix.diagonal(), matrix.sum(axis=1), matrix.sum(axis=0)))[0]


@section("004-averaging-classes")
def support(matrix):
    return ((matrix.diagonal(), matrix.sum(axis=1), matrix.sum(axis=0)))[1]


@section("004-averaging-classes")
def predicted(matrix):
    return ((matrix.diagonal(), matrix.sum(axis=1), matrix.sum(axis=0)))[2]


@section("004-averaging-classes")
def test_the_classes(columns, matrix, y_true):
    holds("we take 117 pictures of 100 cats, 10 dogs and 7 owls", "has the true classes in its rows")
    assert y_true.size == 117 and np.bincount(y_true).tolist() == matrix.sum(axis=1).tolist() == [100, 10, 7]
    tp, support, predicted = matrix.diagonal(), matrix.sum(axis=1), matrix.sum(axis=0)
    holds("Cats are easy, dogs are hard, and owls are harder.")
    assert (np.diff(columns[2]) < 0).all()
    assert np.allclose(columns, [tp / predicted, tp / support, 2 * tp / (support + predicted)])


@section("004-averaging-macro", after="few_many = labels([[1, 9], [0, 90]])")
def test_macro_f1(columns, few_many, rows, y_pred, y_true):
    holds("With as many terms as classes it is right")
    assert math.isclose(np.mean(columns[2]), f1_score(y_true, y_pred, average="macro")) and len(columns[2]) == 3
    holds("If you compute F1 from the two means, you get another macro-F1")
    mean_p, mean_r = np.mean(columns[0]), np.mean(columns[1])
    by_hand = 2 * mean_p * mean_r / (mean_p + mean_r)
    assert math.isclose(by_hand, macro_f1_score(y_true, y_pred, definition="f1_of_means"))
    assert all(abs(by_formula - by_words) > 0.005 for _, by_formula, by_words in rows)
    holds("On the pictures they differ by less than a hundredth, but in the second example by 0.131.")
    assert [round(by_words - by_formula, 3) for _, by_formula, by_words in rows] == [0.007, 0.131]
    holds("on the pictures, and on a second example with the confusion rows (1, 9) and (0, 90)")
    assert len(rows) == 2 and np.bincount(few_many[0]).tolist() == [10, 90]


@section("004-averaging-macro")
def test_macro_f1_2(columns, more_cats, rows, y_pred, y_true):
    holds(
        "if there are ten times as many cats, each treated as before",
        "The recall of each class is what it was, but the precision of dogs and owls collapses.",
    )
    assert np.allclose(recall_score(*more_cats, average=None), columns[1]) and more_cats[0].size == 1017
    assert np.bincount(more_cats[0])[0] == 10 * 100
    holds("macro recall does not change, while macro-F1 falls from 0.524 to 0.385")
    assert rows[0][2] == rows[1][2] and [f"{row[3]:.3f}" for row in rows] == ["0.524", "0.385"]
    assert (precision_score(*more_cats, average=None)[1:] < columns[0][1:] / 2).all()
    holds("That is true of the weights, which are the same for all classes.")
    assert math.isclose(sum(f / 3 for f in columns[2]), f1_score(y_true, y_pred, average="macro"))


@section("004-averaging-micro")
def test_micro_f1(metrics, predicted, rows, support, tp, values):
    holds(
        "All of them are the accuracy",
        "with one label for each sample and all classes included, precision, recall and F1 come out the same",
    )
    assert all(math.isclose(value, 97 / 117) for _, value in rows) and len(values) == 3
    for labels_3, said in itertools.product(itertools.product(range(3), repeat=3), repeat=2):
        assert all(math.isclose(m(labels_3, said, average="micro"), accuracy_score(labels_3, said)) for m in metrics)
    holds("With the index of the class added to each count, its formulas are right")
    assert Fraction(int(tp.sum()), int(tp.sum() + (predicted - tp).sum())) == Fraction(97, 117)
    assert Fraction(int(tp.sum()), int(tp.sum() + (support - tp).sum())) == Fraction(97, 117)


@section("004-averaging-imbalance")
def test_macro_against_micro(ax, labels, matrix, sizes, truths, y_pred, y_true):
    share = sizes / 1000
    lines = {line.get_label(): line.get_ydata() for line in ax.lines}
    assert np.allclose(lines["micro"], share) and np.allclose(lines["weighted"], 2 * share**2 / (1 + share))
    holds("macro-F1 stays below one half")
    assert np.allclose(lines["macro"], share / (1 + share)) and max(lines["macro"]) < 0.5
    holds(
        "The rarer the other class, the better micro and weighted F1 look",
        "Micro-F1 rises towards 1 as the smaller class",
    )
    assert all((np.diff(lines[a]) > 0).all() for a in ("micro", "weighted"))
    holds("a straight line from 0.5 to 1, and the weighted one is a curve from 0.33 to 1 just below it")
    assert lines["micro"][0] == 0.5 and round(lines["weighted"][0], 2) == round(lines["macro"][0], 2) == 0.33
    assert (lines["weighted"] < lines["micro"]).all() and min(lines["micro"][-1], lines["weighted"][-1]) > 0.99
    holds("a curve from 0.33 to just under 0.5")
    assert max(lines["macro"]) > 0.499
    holds("a classifier that always answers with the larger of two classes")
    assert all((~truth).sum() >= 500 and truth.any() for truth in truths)
    holds("small classes play a greater part in macro than in micro, and that is so")
    lost_cat, lost_owl = [[1, -1, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0], [0, -1, 1]]
    loss = {
        a: [
            f1_score(y_true, y_pred, average=a) - f1_score(*labels(matrix - m), average=a) for m in (lost_cat, lost_owl)
        ]
        for a in ("micro", "macro")
    }
    assert math.isclose(*loss["micro"]) and loss["macro"][1] > 5 * loss["macro"][0]


@section("004-averaging-imbalance")
def test_classes_of_equal_size(rows):
    holds("It is so for recall, which is 0.75 by all three averages, but not for F1.")
    assert {recall for _, recall, _ in rows} == {0.75} and len(rows) == 3 and rows[0][2] > rows[1][2] + 0.01


@section("004-averaging-weighted")
def test_weighted_f1(columns, support, y_pred, y_true):
    holds("The weights add up to 1", "if you divided by $N$ as well, a perfect classifier would get")
    assert sum(Fraction(int(s), 117) for s in support) == 1
    assert all(math.isclose(f1_score(range(c), range(c), average="weighted") / c, 1 / c) for c in range(2, 9))
    assert math.isclose(support @ columns[2] / 117, f1_score(y_true, y_pred, average="weighted"))
    holds("for all pictures, weighted F1 is 0.788, not far from the score of our classifier, 0.850")
    cats = [f"{f1_score(y_true, said, average='weighted'):.3f}" for said in (0 * y_true, y_pred)]
    assert cats == ["0.788", "0.850"]
    holds("macro-F1 is 0.307, against 0.524")
    assert [f"{f1_score(y_true, said, average='macro'):.3f}" for said in (0 * y_true, y_pred)] == ["0.307", "0.524"]
    holds("but in favour of the large classes, because it takes back the equal vote that macro gave to the small ones")
    assert (support[1:] / 117 < 1 / 3).all() and support[0] / 117 > 1 / 3


@section("004-averaging-weighted")
def test_weighted_f1_2(rows):
    holds("the two are close on the pictures and further apart in the second example")
    assert 0 < rows[0][2] - rows[0][1] < 0.01 < 0.03 < rows[1][2] - rows[1][1]


@section("Exercises")
def test_exercises(lopsided, metrics, ways, y_pred, y_true):
    holds("the two macro-F1s differ by less than a hundredth")
    assert len(ways) == 2 and abs(np.subtract(*(macro_f1_score(y_true, y_pred, definition=w) for w in ways))) < 0.01
    holds("Construct predictions for two classes on which one of them is near one half and the other near zero.")
    assert 0.5 < macro_f1_score(*lopsided, definition="f1_of_means") < 0.51 and macro_f1_score(*lopsided) < 0.01
    assert len(set(lopsided[0])) == 2
    holds(
        "Mean precision and mean recall are both about one half, and so is their F1.",
        "The F1 of both classes is almost zero, and so is the mean of the two.",
    )
    assert all(abs(m(*lopsided, average="macro") - 0.5) < 0.01 for m in metrics[:2])
    assert max(f1_score(*lopsided, average=None)) < 0.01
    holds("Give one class perfect precision with hardly any recall")
    found = [m(*lopsided, average=None) for m in metrics[:2]]
    assert found[0][0] == found[1][1] == 1 and max(found[0][1], found[1][0]) <= 0.001
    holds("The classifier is wrong 999 times in 1,001.")
    assert (lopsided[0] != lopsided[1]).sum() == 999 and lopsided[0].size == 1001


@section("Exercises")
def test_exercises_2(columns, labels, matrix, merged, y_pred, y_true):
    holds("Each dog that was taken for an owl, and each owl that was taken for a dog, is now right")
    righted = (merged[0] == merged[1]).sum() - (y_true == y_pred).sum()
    assert righted == matrix[1, 2] + matrix[2, 1]
    holds("Both rise.")
    assert f1_score(*merged, average="macro") > f1_score(y_true, y_pred, average="macro")
    assert accuracy_score(*merged) > accuracy_score(y_true, y_pred)
    holds("merges dogs and owls into one class")
    assert (np.sort(merged) == np.sort(np.minimum(labels(matrix), 1))).all()
    holds("Macro-F1 gains 0.3 because the two weakest classes became one that is not weak, and that counts once.")
    gain = f1_score(*merged, average="macro") - f1_score(y_true, y_pred, average="macro")
    assert round(gain, 1) == 0.3 and min(f1_score(*merged, average=None)) > 0.7 > 0.41 > max(columns[2][1:])


@section("004-averaging-imbalance")
def test_unchecked_macro_against_micro():
    unchecked("The document's summary has three cases.", "counted in the document")
