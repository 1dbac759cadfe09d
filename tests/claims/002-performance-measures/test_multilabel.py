"""What book/002-performance-measures/multilabel.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import (
    coverage_error,
    f1_score,
    hamming_loss,
    label_ranking_loss,
    macro_f1_score,
    one_error,
    roc_auc_score,
    zero_one_loss,
)
from tests.claims.runner import holds, proved, section, unchecked


@section("002-multilabel-notation")
def test_the_notation(Y, panels, scores):
    holds("You can group the same twelve scores in two ways, by row or by column")
    assert len(panels) == 2 and sorted(scores.flat) == sorted(scores.T.flat)
    holds("It has three articles with four topics")
    assert Y.shape == scores.shape == (3, 4)
    holds("Two dot plots of scores from 0 to 1.")
    assert len(panels) == 2 and panels[0].get_xlim() == (0, 1)
    holds("in rows 1 and 2 the two filled circles are to the right of the two hollow ones")
    assert all(scores[i][Y[i] == 1].min() > scores[i][Y[i] == 0].max() and Y[i].sum() == 2 for i in (0, 1))
    holds("in row 3 a hollow circle at 0.75 leads")
    assert scores[2].max() == 0.75 == scores[2][Y[2] == 0].max()
    holds("in labels 1 and 3 the filled circles are to the right of the hollow ones")
    assert all(scores[:, j][Y[:, j] == 1].min() > scores[:, j][Y[:, j] == 0].max() for j in (0, 2))
    holds("in labels 2 and 4 a hollow circle is to the right of a filled one")
    assert all(scores[:, j][Y[:, j] == 1].min() < scores[:, j][Y[:, j] == 0].max() for j in (1, 3))


@section("002-multilabel-labels")
def test_the_lost_table():
    proved("Four measures use the predicted labels.")
    of_labels = ["Hamming loss", "macro-F1", "instance-F1", "micro-F1"]
    assert len(of_labels) == 4
    proved("Four measures use the order of the scores in a row.")
    of_rows = ["ranking loss", "one-error", "coverage", "average precision"]
    assert len(of_rows) == 4
    proved("The last three measures are AUCs.")
    areas = ["macro-AUC", "instance-AUC", "micro-AUC"]
    assert len(areas) == 3


@section("002-multilabel-eleven")
def test_the_table_on_the_example(H, Y, f1s, rows):
    holds("The library's eleven values agree with the formulas to four decimals.")
    assert len(rows) == 11 and all(abs(ours - exact) < 1e-15 for *_, exact, ours in rows)
    printed_before = ["1/4", "19/24", "23/30", "10/13", "1/6", "1/3", "4/3", "31/36", "3/4", "5/6", "29/36"]
    assert [str(row[2]) for row in rows] == printed_before
    holds("This is 0.8077 instead of 0.7917")
    assert (round(macro_f1_score(Y, H, definition="f1_of_means"), 4), round(f1s[0][1], 4)) == (0.8077, 0.7917)
    assert abs(macro_f1_score(Y, H, definition="f1_of_means") - f1s[0][1]) > 0.01


@section("002-multilabel-ties")
def test_ties(Y, rows, s, scores, won, y):
    holds("so a tied pair counts as lost in one and as won in the other")
    assert won(y, s) == 1 and label_ranking_loss([y], [s]) == 1 / 3
    holds("The area under a curve gives it half a point, and so does the library.")
    half = (won(y, s) + 1 - Fraction(1, 3)) / 2
    assert half == Fraction(5, 6) and abs(roc_auc_score([y], [s], average="samples") - 5 / 6) < 1e-15
    holds("for one sample with a relevant label that is tied for the top, and for scores that are all equal")
    assert y.sum() == 1 and s[y == 1].max() == s.max() == s[y == 0].max() and np.ptp(0 * s) == 0
    holds(r"are perfect if you apply the AUC formula with its sign $\ge$")
    assert all(won(truth, 0.0 * truth) == 1 for truth in (Y, *Y, *Y.T)) and label_ranking_loss(Y, 0 * scores) == 1
    holds("The library takes the worst one")
    for has in itertools.product((0, 1), repeat=3):
        if 0 < sum(has) < 3:
            for draw in itertools.product((0, 1), repeat=3):
                split = [np.add(draw, np.array(order) / 9) for order in itertools.permutations(range(3))]
                assert coverage_error([has], [draw]) == max(coverage_error([has], [d]) for d in split)
                assert one_error([has], [draw]) == max(one_error([has], [d]) for d in split)
    holds("The tied scores get the same values as those that put the relevant label second.")
    assert [r[3] for r in rows] == [r[2] for r in rows] != [r[1] for r in rows]


@section("002-multilabel-thresholds")
def test_which_threshold_serves_which_measure(H, Y, best, f1, four, mean, scores, won):
    of_one, of_label, of_sample = best
    holds("The four measures of predicted labels")
    assert len(four(H)) == 4 and abs(four(H)[0]) == hamming_loss(Y, H)
    holds("One threshold per sample is best for each measure, even for macro-F1.")
    assert all((of_sample[1:] > other[1:]).all() and of_sample[0] < other[0] for other in (of_one, of_label))
    holds("since only one row has an irrelevant score above a relevant one, while two columns do")
    assert [sum(won(t, v) < 1 for t, v in zip(*pair, strict=True)) for pair in ((Y, scores), (Y.T, scores.T))] == [1, 2]
    holds("one threshold separates them; if they are not, no threshold can")
    for has in itertools.product((0, 1), repeat=4):
        for order in itertools.permutations(range(4)):
            cut_right = any((np.greater(order, c) == has).all() for c in range(-1, 4))
            assert cut_right == (sum(has) in (0, 4) or won(np.array(has), np.array(order)) == 1)
    holds("so if you find the best threshold for each label, together they are the best for the mean")
    of_columns = [max(f1(t, v > c) for c in [0, *v]) for t, v in zip(Y.T, scores.T, strict=True)]
    assert abs(of_label[1] - float(mean(of_columns))) < 1e-15
    holds("The same holds for instance-F1 and samples.")
    of_rows = [max(f1(t, v > c) for c in [0, *v]) for t, v in zip(Y, scores, strict=True)]
    assert abs(of_sample[2] - float(mean(of_rows))) < 1e-15
    holds("it can be better to predict a label for no sample at all than to accept the false alarms")
    easy, hard = np.ones(10, dtype=int), np.eye(10, dtype=int)[3]
    four_first, nothing = (np.arange(10) < 4).astype(int), np.zeros(10, dtype=int)
    assert f1(hard, four_first) == max(f1(hard, (np.arange(10) < k).astype(int)) for k in range(11)) > 0
    with_hard, without = (f1(np.array([easy, hard]), np.array([easy, guess])) for guess in (four_first, nothing))
    assert with_hard < without and (four_first > hard).sum() == 3


@section("Exercises")
def test_exercises(Y, spread):
    holds(
        "so the zero-one loss lies between the Hamming loss and $l$ times the Hamming loss",
        "If all cells of each wrong row are wrong, the loss is at the lower limit.",
    )
    for wrong in itertools.product([0, 1], repeat=6):
        wrong_rows = np.reshape(wrong, (2, 3))
        whole, single = (loss(wrong_rows, 0 * wrong_rows) for loss in (zero_one_loss, hamming_loss))
        assert single - 1e-15 <= whole <= 3 * single + 1e-15
        assert np.isclose(whole, single) == all(row.all() for row in wrong_rows if row.any())
    holds("One error in each row reaches the upper limit")
    assert (spread != Y).sum(axis=1).tolist() == [1, 1, 1] and zero_one_loss(Y, spread) == 4 * hamming_loss(Y, spread)


@section("Exercises")
def test_exercises_2(flips, pairs, scored, tried, truth):
    holds("There are 64 predictions, which make 2,016 pairs.")
    assert len(tried) == 64 and len(pairs) == 2016 and flips
    holds("Try all ways to predict two rows of three labels")
    assert truth.shape == (2, 3) and len({h.tobytes() for h in tried}) == 2**6
    holds("The truth is 111 in the first row and 100 in the second.")
    assert len(flips[0]) == 2 and ["".join(map(str, row)) for row in truth.tolist()] == ["111", "100"]
    assert all(abs(f1_score(truth, h, average="micro") - q) < 1e-15 for h, (_, q) in zip(tried, scored, strict=True))


@section("002-multilabel-ties")
def test_unchecked_ties():
    unchecked("as scikit-learn does for coverage and average precision", "the tests of the library compare with it")
