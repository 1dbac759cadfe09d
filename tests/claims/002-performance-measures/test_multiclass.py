"""What book/002-performance-measures/multiclass.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import accuracy_score, confusion_matrix, f1_score, macro_f1_score, precision_score, recall_score
from tests.claims.runner import holds, proved, section, unchecked


@section("002-multiclass")
def test_the_opening(matrix, y_pred, y_true):
    holds("100 pictures of cats, 10 of dogs and 7 of owls, with the true classes in the rows and the predicted")
    assert matrix.sum(axis=1).tolist() == [100, 10, 7] and (confusion_matrix(y_true, y_pred) == matrix).all()
    holds("so we unroll the matrix into 117 pairs")
    assert y_true.size == y_pred.size == 117


@section("002-multiclass-matrices")
def test_the_confusion_matrices(fn, fp, means, n, tn, tp, y_pred, y_true):
    holds("which the micro averages work on")
    assert np.isclose(float(means[0] / (means[0] + means[1])), precision_score(y_true, y_pred, average="micro"))
    for place in range(n):
        one_matrix = confusion_matrix(y_true == place, y_pred == place)
        assert one_matrix.tolist() == [[tn[place], fp[place]], [fn[place], tp[place]]] and one_matrix.sum() == 117
    holds("In the mean matrix, FP and FN are equal.")
    assert means[1] == means[2]
    for any_cells in np.random.default_rng(1).integers(0, 30, (100, 4, 4)):
        hits = any_cells.diagonal()
        holds("since a picture in the wrong class is an FP of the class that it was given and an FN of its own")
        assert (
            (any_cells.sum(axis=0) - hits).sum() == (any_cells.sum(axis=1) - hits).sum() == any_cells.sum() - hits.sum()
        )


@section("002-multiclass-macro")
def test_macro_precision_and_macro_recall(macro_p, macro_r, rows, y_pred, y_true):
    holds("The document prints both averages correctly")
    ours = [precision_score(y_true, y_pred, average="macro"), recall_score(y_true, y_pred, average="macro")]
    assert np.allclose([float(macro_p), float(macro_r)], ours)
    holds("the words give 97/117 instead of 1043/2070, and that is the micro precision.")
    assert np.isclose(float(rows[1][1]), precision_score(y_true, y_pred, average="micro"))


@section("002-multiclass-macro-f1")
def test_macro_f1_twice(f1_of_means, mean_of_f1, samples, y_pred, y_true):
    holds("They differ by 0.007.")
    assert round(float(f1_of_means - mean_of_f1), 3) == 0.007
    holds("Macro-F1, twice", "The document computes F1 from the two means")
    assert np.isclose(float(f1_of_means), macro_f1_score(y_true, y_pred, definition="f1_of_means"))
    assert np.isclose(float(mean_of_f1), f1_score(y_true, y_pred, average="macro"))
    two_by_two = [np.reshape(counts, (2, 2)) for counts in itertools.product(range(4), repeat=4)]
    tried = [*two_by_two, *np.random.default_rng(0).integers(0, 3, (500, 3, 3))]
    for some in tried:
        in_rows, in_columns, diagonal = some.sum(axis=1), some.sum(axis=0), some.diagonal()
        if in_rows.all():
            kinds = ("f1_of_means", "mean_of_f1")
            either = [macro_f1_score(*samples(some), definition=kind, zero_division=0) for kind in kinds]
            holds("The document's form is never the smaller one")
            assert either[0] >= either[1] - 1e-12
            holds("The two are equal exactly when all classes with a hit have the same ratio of precision to recall.")
            ratios = {Fraction(int(x), int(y)) for x, y, d in zip(in_rows, in_columns, diagonal, strict=True) if d}
            assert np.isclose(*either, atol=1e-12) == (len(ratios) <= 1)


@section("002-multiclass-macro-f1")
def test_macro_f1_twice_2(a, b, rows):
    holds("The document's macro-F1 prefers A, and the mean of the F1s prefers B.")
    assert rows[0][1] > rows[0][2] and rows[1][1] < rows[1][2]
    holds(
        "Classifier A gives the second answer nine times in ten, whatever it is shown",
        "B is right nine times in twenty",
    )
    assert (a[1] == 1).mean() == 0.9 and ((b[0] == b[1]).sum(), b[0].size) == (9, 20)
    assert (a[1][a[0] == 0] == 1).mean() == (a[1][a[0] == 1] == 1).mean() == 0.9
    holds("The cross is the mean of the two circles")
    assert np.allclose([s(*a, average="macro") for s in (recall_score, precision_score)], [0.5, 0.5])
    holds("it lies on a much higher line than the left circle, and below the line of the right one")
    f1_left, f1_right = f1_score(*a, average=None)
    assert f1_left < 0.5 - 0.3 and f1_right > 0.5
    holds("Two circles at precision 0.5, recall 0.1 and 0.9")
    assert np.allclose(recall_score(*a, average=None), [0.1, 0.9]) and np.allclose(
        precision_score(*a, average=None), 0.5
    )
    holds("Two triangles close to each other near recall 0.3 to 0.6 and precision 0.45")
    assert np.allclose(recall_score(*b, average=None), [0.6, 0.3])
    assert np.allclose(precision_score(*b, average=None), 0.45, atol=0.03)


@section("002-multiclass-micro")
def test_micro(fp, micro_f1, micro_p, named, of_mean, samples, tp, y_pred, y_true):
    holds("the divisor $n$ cancels, so sums of the counts give the same")
    assert micro_p == Fraction(int(tp.sum()), int(tp.sum() + fp.sum()))
    holds("Three names for accuracy")
    assert len({*list(named.values())[:4]}) == 1 and np.isclose(float(micro_p), accuracy_score(y_true, y_pred))
    holds(
        "its three formulas can give one number",
        "Where each sample has one true and one predicted class, and no class is left out, all three are the accuracy",
    )
    three = (precision_score, recall_score, f1_score)
    for some in np.random.default_rng(1).integers(0, 30, (100, 4, 4)):
        assert np.allclose([s(*samples(some), average="micro") for s in three], accuracy_score(*samples(some)))
    assert len({s(y_true, y_pred, labels=[1, 2], average="micro") for s in three}) == 3
    holds("each error would count as a true negative of every class that it does not touch")
    for true, said in itertools.permutations(range(4), 2):
        assert sum(true != i and said != i for i in range(4)) == 4 - 2
    holds(r"The accuracy of the mean matrix is $1 - 2\,\mathrm{Err}/n$", "it grows with the number of classes")
    for some in np.random.default_rng(2).integers(1, 30, (50, 4, 4)):
        truth, said = samples(some)
        against_rest = np.mean([accuracy_score(truth == i, said == i) for i in range(4)])
        assert np.isclose(against_rest, 1 - 2 * (truth != said).mean() / 4)
    proved("With three classes or more, this accuracy is too high")
    for classes, wrong_share in itertools.product(range(2, 9), (0.1, 0.5, 1)):
        assert (1 - 2 * wrong_share / classes > 1 - wrong_share) == (classes >= 3)
    assert of_mean == 1 - Fraction(2 * 20, 3 * 117) > micro_f1 and (y_true != y_pred).sum() == 20


@section("002-multiclass-worked")
def test_all_averages_on_one_matrix(exact, rows):
    assert len(rows) == 7 and all(np.isclose(row[2], row[3]) for row in rows)
    holds("All averages on one matrix", "All seven agree to four decimals.")
    assert len(exact) == 3 + 3 + 1


@section("ex-002-multiclass-badclass")
def test_exercises(given, right, rows):
    holds(
        "Four classes are predicted 2, 100, 2 and 2 times, with precisions 1/2, 1/10, 1/2 and 1/2.",
        "Of the predictions 1, 10, 1 and 1 are right.",
    )
    assert (right / given).tolist() == [1 / 2, 1 / 10, 1 / 2, 1 / 2]
    holds("Macro precision is 0.4 and micro precision 13/106; without the second class, both are one half.")
    assert [row[1:] for row in rows] == [(0.4, 13 / 106), (0.5, 0.5)] and len(given) == 4
    holds("Micro changes more, because almost all of its predictions were of one class.")
    assert rows[1][2] - rows[0][2] > rows[1][1] - rows[0][1] and given[1] / given.sum() > 0.9
    alike = np.array([2, 2, 2, 2])
    assert np.isclose((alike * right / given).sum() / alike.sum(), rows[0][1])


@section("Exercises")
def test_exercises_2(a, scores):
    holds("For which of the two macro-F1s is that true")
    assert len({macro_f1_score(*a, definition=kind) for kind in ("f1_of_means", "mean_of_f1")}) == 2
    holds("A harmonic mean lies between its arguments")
    for one_arg, other_arg in itertools.product(np.linspace(0.1, 1, 10), repeat=2):
        between = 2 * one_arg * other_arg / (one_arg + other_arg)
        assert min(one_arg, other_arg) - 1e-12 <= between <= max(one_arg, other_arg) + 1e-12
    holds("Precision and recall are one half on average, and the mean of the F1s is below both.")
    assert np.allclose([s(*a, average="macro") for s in scores[:2]], 0.5) and f1_score(*a, average="macro") < 0.5


@section("Exercises")
def test_exercises_3(i, j, one, two, ways):
    holds("A classifier can answer ten samples of each of two classes in 121 ways")
    assert len(list(np.ndindex(11, 11))) == 121 and len(ways) == 119
    assert all(np.bincount(way[0]).tolist() == [10, 10] for way in ways)
    holds("In how many pairs of them do the two macro-F1s")
    assert ((one[i] - one[j]) * (two[i] - two[j]) < 0).mean() > 0.03


@section("Exercises")
def test_exercises_4(cats, rows):
    holds("A classifier that always says")
    assert set(cats[1]) == {0} and np.bincount(cats[0]).tolist() == [100, 10, 7]
    holds("because it is 0/0 there", "The mean of the F1s does not change, because the F1 of dogs")
    assert len({row[2] for row in rows}) == 1 and f1_score(*cats, average=None, zero_division=1)[1] == 0
    holds("The F1 of the means runs from below one third to almost one half for one and the same classifier.")
    assert rows[0][1] < 1 / 3 < 0.48 < max(row[1] for row in rows) < 0.5


@section("002-multiclass")
def test_unchecked_the_opening():
    unchecked("and not that of most software", "who defines what")


@section("002-multiclass-matrices")
def test_unchecked_the_confusion_matrices():
    unchecked("Usually there is one for each class", "how the formulas are read")


@section("002-multiclass-macro")
def test_unchecked_macro_precision_and_macro_recall():
    unchecked("says that the confusion matrices are averaged directly", "what stands in the document")


@section("002-multiclass-macro-f1")
def test_unchecked_macro_f1_twice():
    unchecked(
        "Most software uses the same name for the mean of the F1 of each class",
        "what others compute; scikit-learn is one",
    )


@section("002-multiclass-micro")
def test_unchecked_micro():
    unchecked("It also averages TN, and never uses the mean.", "what stands in the document")
