"""What book/004-threshold-and-ranking/auc-by-hand.ipynb says, held."""

import itertools
import math
import warnings

import numpy as np

from metrics_lib import ConfusionCounts, auc, log_loss, roc_auc_score, roc_curve
from tests.claims.runner import holds, section, unchecked


@section("004-auc-by-hand")
def test_the_opening():
    holds("defines AUC twice, as an area and as a count of pairs")
    won_pairs = [(p > n) + (p == n) / 2 for p in (8, 6, 6) for n in (6, 4)]
    area_below = auc(*roc_curve([1, 1, 1, 0, 0], [8, 6, 6, 6, 4])[:2])
    assert math.isclose(sum(won_pairs) / len(won_pairs), area_below)
    holds("The range that it gives, one half to one, is the usual range and not a bound.")
    assert (roc_auc_score([1, 0], [0, 1]), roc_auc_score([1, 0], [1, 0])) == (0, 1) and area_below < 1


@section("004-auc-by-hand-threshold")
def test_accuracy_precision_recall_and_f1(counts, names, y_score, y_true):
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    holds("The document opens with four quotients, all right as printed")
    by_formula = [(tp + tn) / 5, tp / (tp + fp), tp / (tp + fn), 2 / (1 / counts.precision + 1 / counts.recall)]
    assert np.allclose(by_formula, [getattr(counts, name) for name in names]) and len(names) == 4
    holds("the harmonic mean of the two")
    assert math.isclose(counts.f1, 2 * tp / (2 * tp + fp + fn))
    holds("five advertisements, three of them clicked")
    assert (len(y_true), sum(y_true), len(y_score)) == (5, 3, 5)
    holds("At this threshold every click is found, and there is one false alarm.")
    assert (tp, fp, fn, tn) == (3, 1, 0, 1)


@section("004-auc-by-hand-pr")
def test_the_p_r_curve(ax, precision, recall, thresholds, y_score):
    holds("because precision is 0/0 where nothing is accepted")
    assert math.isnan(ConfusionCounts(0, 0, 3, 2).precision) and (recall[-1], precision[-1]) == (0, 1)
    holds("Precision is 1 up to recall one third, then 0.75 at recall 1, and 0.6 at recall 1 for the lowest threshold.")
    assert np.allclose([recall[:3], precision[:3]], [[1, 1, 1 / 3], [0.6, 0.75, 1]]) and thresholds[0] == min(y_score)
    holds("The three points are labelled 0.8, 0.6 and 0.4.")
    assert [float(threshold) for threshold in thresholds[::-1]] == [0.8, 0.6, 0.4] and len(ax.texts) == 3
    holds("As the threshold falls, recall rises or stays")
    some = [order for order in itertools.product([0, 1], repeat=5) if 0 < sum(order) < 5]
    found = [np.cumsum(order) / sum(order) for order in some]
    called_right = [np.cumsum(order) / np.arange(1, 6) for order in some]
    assert all((np.diff(share) >= 0).all() for share in found)
    holds("The document says that precision falls as recall rises, but it can do either")
    both = [np.diff(p)[np.diff(r) > 0] for p, r in zip(called_right, found, strict=True)]
    assert any((d > 0).any() for d in both) and np.diff(precision[:-1]).max() > 0 > min(
        np.diff(p).min() for p in called_right
    )


@section("004-auc-by-hand-roc")
def test_tpr_fpr_and_the_roc_curve(curve, y_score, y_true):
    holds("The scores of 0.6 are a tie across the classes, so they move both rates in one step.")
    steps = np.column_stack([np.diff(curve.fpr), np.diff(curve.tpr)])
    assert [bool((step > 0).all()) for step in steps] == [float(t) == 0.6 for t in curve.thresholds[1:]]
    assert {label for label, score in zip(y_true, y_score, strict=True) if score == 0.6} == {0, 1}


@section("004-auc-by-hand-area")
def four_scores():
    return list(itertools.product(range(4), repeat=4))


@section("004-auc-by-hand-area")
def test_the_area(curve, four_scores, of_four, y_score, y_true):
    holds("Both ways give 5/6.")
    assert math.isclose(auc(curve.fpr, curve.tpr), 5 / 6) and math.isclose(roc_auc_score(y_true, y_score), 5 / 6)
    above_line = [s for s in four_scores if (np.subtract(*roc_curve([1, 1, 0, 0], s)[:2]) <= 0).all()]
    holds(
        "As a bound the range is not right, as the least and the greatest AUC of two positives and two negatives show"
    )
    assert len(four_scores) / 2 < len(above_line) < len(four_scores)
    assert (min(map(of_four, four_scores)), max(map(of_four, four_scores))) == (0, 1)


@section("004-auc-by-hand-blind")
def test_the_measure_of_click_prediction(four_scores, models, rates, y_true):
    holds("the five advertisements with all rates halved")
    assert len(rates) == 5 and np.array_equal(models["halved"], rates / 2)
    holds("Three clicks happened.")
    assert sum(y_true) == 3
    holds("The halved model forecasts half of them, and every bid made from it is half of what it should be")
    assert math.isclose(rates.sum(), 3) and math.isclose((rates / 2).sum(), 3 / 2)
    holds("It notices nothing.", "its AUC is the same")
    assert all(roc_auc_score([1, 1, 0, 0], s) == roc_auc_score([1, 1, 0, 0], np.divide(s, 2)) for s in four_scores)
    holds("The difference is one of calibration, which log loss sees")
    assert log_loss(y_true, rates / 2) > log_loss(y_true, rates)


@section("004-auc-by-hand-pairs")
def test_the_count_of_pairs(ax, curve, negatives, positives, y_score):
    holds("one half for a tie")
    assert roc_auc_score([1, 0], [5, 5]) == 1 / 2
    worth = [(p > n) + (p == n) / 2 for p in positives for n in negatives]
    holds("The picture shows both definitions at once")
    assert math.isclose(sum(worth) / len(worth), auc(curve.fpr, curve.tpr))
    holds(
        "Each cell is a positive (0.8, 0.6 and 0.6 from the bottom up) against a negative (0.6 and 0.4 from the left)."
    )
    assert (positives, negatives) == ([0.8, 0.6, 0.6], [0.6, 0.4])
    holds("The two ties are one block, which it halves.")
    assert worth.count(0.5) == 2 and len({p for p in positives for n in negatives if p == n}) == 1
    holds("Grid of two columns and three rows")
    assert (len(negatives), len(positives)) == (2, 3)
    holds("The bottom left cell and the whole right column are marked 1, and the two upper left cells are marked")
    assert [text.get_text() for text in ax.texts] == ["1", "1", "1/2", "1", "1/2", "1"]
    holds("rises to one third at FPR 0, slopes up to 1 at FPR one half, cutting the two tied cells diagonally")
    assert np.allclose([curve.fpr, curve.tpr], [[0, 0, 1 / 2, 1], [0, 1 / 3, 1, 1]])
    holds("Four pairs are won and two are ties, which makes 5 of 6.")
    assert (worth.count(1), worth.count(0.5), sum(worth)) == (4, 2, 5)


@section("004-auc-by-hand-algorithms")
def test_the_code(auc_by_pairs, y_score, y_true):
    holds("On valid input it is right, ties included.")
    for seed in range(100):
        drawn = [1, 0, *np.random.default_rng(seed).integers(0, 2, 8)]
        given = np.random.default_rng(seed).integers(0, 4, 10)
        assert math.isclose(auc_by_pairs(drawn, given), roc_auc_score(drawn, given))
    holds("The document writes the count as two loops")
    assert sum(1 for _ in itertools.product(y_score[:3], y_score[3:])) == 3 * 2
    assert auc_by_pairs(y_true, y_score) == roc_auc_score(y_true, y_score)


@section("004-auc-by-hand-one-class")
def test_one_class_only():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        holds("One class only")
        assert math.isnan(roc_auc_score([1, 1], [0.2, 0.3])) and len(caught) == 1


@section("004-auc-by-hand-tests")
def test_eight_tests_three_mistakes(binned, functions, mean_400, passes, rows, s_400, tests, y_400, y_score, y_true):
    failed = {f: [name for name in tests if not passes(functions[f], name)] for f in functions}
    holds("Eight tests, three mistakes")
    assert len(tests) == 8 and len(functions) - 2 == 3
    holds("400 rows, ten different scores")
    assert (len(s_400), len(set(s_400))) == (400, 10)
    holds("the mean over all pairs")
    assert math.isclose(mean_400, roc_auc_score(y_400, s_400))
    holds("Three mistakes recur")
    assert [bool(failed[name]) for name in list(functions)[:3]] == [True] * 3
    holds("The third counts in bins, but has bins only between 0 and 1")
    assert not passes(binned, "logits") and not passes(binned, "score 1.0")
    holds("If a class is missing, a `ValueError` is a correct answer as well")
    assert [passes(lambda labels, scores: math.sqrt(-1), name) for name in tests] == [False] * 7 + [True]
    holds("the three wrong functions, the count of pairs and the library")
    assert failed["library"] == [] and failed["pairs"] == ["one class"]
    holds("The wrong way round passes only where 1 − AUC equals AUC or is compared with itself.")
    assert set(tests) - set(failed["wrong way"]) == {"all equal", "row order"}
    holds("Unmerged ties fail the three tests with ties.")
    assert failed["unmerged"] == ["ties", "all equal", "row order", "one class"]
    split = {n: [{a for a, b in zip(s, y, strict=True) if b == c} for c in (0, 1)] for n, (y, s, _) in tests.items()}
    tied_tests = [name for name, (neg, pos) in split.items() if neg & pos]
    assert tied_tests == failed["unmerged"][:3]
    holds(
        "The bins fail the two tests with scores at or beyond the edge of the bins",
        "the one whose scores are too close",
    )
    assert failed["binned"] == ["score 1.0", "logits", "tiny", "one class"]
    assert [n for n, (_, s, _) in tests.items() if max(s) >= 1 or min(s) < 0] == ["score 1.0", "logits"]
    assert len({int(100 * score) for score in tests["tiny"][1]}) == 1
    holds("None of the three handles a missing class.")
    assert all("one class" in failed[name] for name in ("wrong way", "unmerged", "binned"))
    holds("the document's algorithm, which fails that one test only")
    assert failed["pairs"] == ["one class"]
    holds("What do the three return for the five advertisements, whose AUC is 5/6")
    assert len(rows) == 3 and len(y_true) == 5 and math.isclose(roc_auc_score(y_true, y_score), 5 / 6)
    holds("If you get a value below one half where you expect a good one, you have asked the wrong way round.")
    assert rows[0][1] < 1 / 2 < roc_auc_score(y_true, y_score)
    holds("If you get two values for one data set, your ties are not merged.")
    assert [math.isclose(before, after) for _, before, after in rows] == [True, False, True]


@section("ex-004-auc-by-hand-accuracy")
def test_exercises(labels, pair, rows):
    holds("two sets of four scores for the labels 0, 0, 1, 1", "The first has the larger AUC")
    assert len(pair) == 2 and {len(s) for s in pair} == {4} and rows[0][1] > rows[1][1] and rows[0][2] < rows[1][2]
    holds("accuracy at the threshold one half")
    assert rows[1][2] == np.mean(np.equal(np.array(pair[1]) >= 1 / 2, labels))
    holds("The first set ranks perfectly and is right half of the time, because everything is predicted negative.")
    assert rows[0][1:] == (1, 1 / 2) and max(pair[0]) < 1 / 2


@section("Exercises")
def test_exercises_2(values, y_true):
    holds("try all 120 orders of the rows")
    assert len(values) == math.factorial(len(y_true)) == 120
    holds("It can return 2/3, 5/6 and 1")
    assert np.allclose(sorted(set(values)), [2 / 3, 5 / 6, 1])
    holds("The correct value, 5/6, is the mean over all orders.")
    assert math.isclose(np.mean(values), 5 / 6)


@section("ex-004-auc-by-hand-reverse")
def test_exercises_3(four_scores, rows, scores):
    holds("A model has an AUC of 0.2, outside the range that the document prints.")
    assert rows[0][1] == 0.2 < 0.5
    holds("the form that counts strict wins only")
    assert rows[0][2] == np.mean([p > n for p in scores[:2] for n in scores[2:]])
    holds("With one half for a tie, the two AUCs add up to 1, ties or not.")
    assert all(
        math.isclose(roc_auc_score([1, 1, 0, 0], s) + roc_auc_score([1, 1, 0, 0], np.negative(s)), 1)
        for s in four_scores
    )
    holds("With strict wins, they fall short of 1 by the share of tied pairs, here two of ten")
    assert math.isclose(1 - rows[0][2] - rows[1][2], 2 / 10) and np.equal.outer(scores[:2], scores[2:]).mean() == 2 / 10


@section("004-auc-by-hand")
def test_unchecked_the_opening():
    unchecked("of the documents it is the only one that counts a tie as the area does", "read in the documents")


@section("004-auc-by-hand-area")
def test_unchecked_the_area():
    unchecked("Because the curve generally lies above the line", "the document's reason")


@section("004-auc-by-hand-blind")
def test_unchecked_the_measure_of_click_prediction():
    unchecked("AUC is the usual first number there", "what is customary is no computation")
    unchecked("the curves of two classifiers", "the document's case")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("A colleague's AUC of the five advertisements", "a story")
