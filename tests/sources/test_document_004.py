"""Document 004: every formula and every printed number, from the definitions and without metrics_lib's code."""

import math
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

import metrics_lib as ml
from tests.registries import assert_derived, of_document

WORKED = of_document("worked_numbers", "004", "what")
FORMULAS = of_document("formulas", "004", "quantity")


# 2 (4): six results with these grades, and two more that were judged


def term(grade, rank):
    """A grade over log2(rank + 1), exact where the logarithm is a whole number."""
    power = math.log2(rank + 1)
    return Fraction(grade, int(power)) if power.is_integer() else grade / power


RETURNED, IDEAL = [3, 2, 3, 0, 1, 2], [3, 3, 3, 2, 2, 1]
DCG_TERMS = [term(grade, rank) for rank, grade in enumerate(RETURNED, 1)]
IDCG_TERMS = [term(grade, rank) for rank, grade in enumerate(IDEAL, 1)]
DCG, IDCG = math.fsum(DCG_TERMS), math.fsum(IDCG_TERMS)

NUMBERS = {(221, f"DCG term, rank {rank}"): value for rank, value in enumerate(DCG_TERMS, 1)}
NUMBERS |= {(227, f"IDCG term, rank {rank}"): value for rank, value in enumerate(IDCG_TERMS, 1)}
NUMBERS |= {
    (221, "DCG@6, linear gain"): DCG,
    (221, "sum of the six printed DCG terms"): Fraction(300 + 126 + 150 + 0 + 38 + 71, 100),
    (223, "ideal order"): [3, 3, 3, 2, 2, 1, 0, 0],
    (227, "IDCG@6, linear gain"): IDCG,
    (227, "sum of the six printed IDCG terms"): Fraction(300 + 189 + 150 + 86 + 77 + 35, 100),
    (229, "the printed quotient 6.86/8.37"): Fraction(686, 837),
    (229, "NDCG@6, linear gain"): DCG / IDCG,
}


# 1 (1), (2) up to the code: one threshold, the ROC curve, AUC


def pairs(positives, negatives):
    """Line 35: 1 for a pair won, one half for a tie, over all pairs."""
    points = sum((p > n) + Fraction(p == n, 2) for p in positives for n in negatives)
    return Fraction(points, len(positives) * len(negatives))


NUMBERS |= {
    (31, "lower end of the AUC range"): min(pairs(p, n) for p in ([1], [2], [3]) for n in ([1], [2], [3])),
    (31, "upper end of the AUC range"): max(pairs(p, n) for p in ([1], [2], [3]) for n in ([1], [2], [3])),
}


# 2 (1) to 2 (3): hit rate, reciprocal rank, average precision

EARLY, LATE = [1, 1, 0, 0, 0], [0, 0, 0, 1, 1]


def precisions(rel):
    return [Fraction(sum(rel[:k]), k) for k in range(1, len(rel) + 1)]


NUMBERS |= {
    (145, "HR@10"): Fraction(6 + 5 + 4, 10 + 12 + 8),
    (155, "MRR, as a fraction"): (Fraction(1, 3) + Fraction(1, 2) + 1) / 3,
    (155, "MRR, as a decimal"): (Fraction(1, 3) + Fraction(1, 2) + 1) / 3,
    (159, "precision of the early list"): Fraction(EARLY.count(1), 5),
    (159, "precision of the late list"): Fraction(LATE.count(1), 5),
    (183, "AP of the early list, three items bought"): (Fraction(1, 1) + Fraction(2, 2) + 0) / 3,
}
NUMBERS |= {(174 + k, f"Score at rank {k}"): value for k, value in enumerate(precisions(EARLY), 1)}


def test_every_printed_number_is_derived_here():
    assert set(NUMBERS) == set(WORKED)


@pytest.mark.parametrize("key", WORKED, ids=str)
def test_a_printed_number_against_its_definition(key):
    assert_derived(WORKED[key], NUMBERS[key])


def test_the_ideal_order_is_the_descending_one():
    assert all(a >= b for a, b in pairwise(IDEAL))
    assert sorted([*IDEAL, 0, 0]) == sorted([*RETURNED, 3, 0])


def test_ten_of_the_twelve_terms_are_right():
    terms = [record["verdict"] for (_, what), record in WORKED.items() if "term, rank" in what]
    assert len(terms) == 12
    assert sum(verdict in ("exact", "rounded", "rounded or truncated") for verdict in terms) == 10


RNG = np.random.default_rng(4)
LISTS = [RNG.integers(0, 4, size).tolist() for size in (1, 2, 5, 8)]


def cumulative_gain_in_words(rel):
    """Line 197: the sum of the relevance of the results up to position p, whatever their order."""
    for p in range(1, len(rel) + 1):
        assert ml.cumulative_gain(rel, p) == sum(rel[:p])
    assert {ml.cumulative_gain(list(order)) for order in permutations(rel[:4])} == {sum(rel[:4])}


def discounted_cumulative_gain_in_words(rel):
    """Line 207: at rank i the weight is 1/log2(i + 1), and it falls."""
    weights = [ml.dcg([0] * (i - 1) + [1]) for i in range(1, len(rel) + 1)]
    assert weights == pytest.approx([1 / math.log2(i + 1) for i in range(1, len(rel) + 1)], abs=1e-15)
    assert weights == sorted(weights, reverse=True)
    assert ml.dcg(rel) == pytest.approx(math.fsum(map(float, map(term, rel, range(1, len(rel) + 1)))), abs=1e-12)


def normalised_discounted_cumulative_gain_in_words(rel):
    """Line 213: DCG over IDCG, the greatest DCG there is."""
    rel = [*rel[:5], 1]
    greatest = max(math.fsum(map(float, map(term, order, range(1, 7)))) for order in permutations(rel))
    own = math.fsum(map(float, map(term, rel, range(1, 7))))
    assert ml.ndcg(rel) == pytest.approx(own / greatest, abs=1e-12)


# 1 (3): averages over several classes; the predicted labels are the true ones in reverse, so that no class is absent


def one_against_rest(true, pred):
    """TP, FP and FN of each class, counted sample by sample."""
    pairs = list(zip(true, pred, strict=True))
    for c in sorted(set(true)):
        yield sum(t == c == p for t, p in pairs), sum(t != c == p for t, p in pairs), sum(t == c != p for t, p in pairs)


def mean(values):
    return Fraction(sum(values)) / len(values)


def macro_f1_in_words(rel):
    """Line 104: precision and recall of each class, then their means; combined, the F1 of means."""
    counts = list(one_against_rest(rel, rel[::-1]))
    p = mean([Fraction(tp, tp + fp) for tp, fp, _ in counts])
    r = mean([Fraction(tp, tp + fn) for tp, _, fn in counts])
    wanted = 2 * p * r / (p + r) if p + r else 0
    assert ml.macro_f1_score(rel, rel[::-1], definition="f1_of_means") == pytest.approx(float(wanted), abs=1e-12)


def macro_f1(rel):
    """Line 106, with the sum from 1 to N; with N + 1 terms even a perfect prediction would exceed 1."""
    f1 = [Fraction(2 * tp, 2 * tp + fp + fn) for tp, fp, fn in one_against_rest(rel, rel[::-1])]
    assert ml.f1_score(rel, rel[::-1], average="macro") == pytest.approx(float(mean(f1)), abs=1e-12)
    assert ml.f1_score(rel, rel, average="macro") == 1 < Fraction(len(f1) + 1, len(f1))


def micro_f1(rel):
    """Line 118, with a class index under the sums; each of the three is the accuracy."""
    tp, fp, fn = map(sum, zip(*one_against_rest(rel, rel[::-1]), strict=True))
    p, r = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
    f1 = 2 * p * r / (p + r) if tp else Fraction(0)
    assert p == r == f1 == Fraction(sum(a == b for a, b in zip(rel, rel[::-1], strict=True)), len(rel))
    for score, value in ((ml.precision_score, p), (ml.recall_score, r), (ml.f1_score, f1)):
        assert score(rel, rel[::-1], average="micro") == pytest.approx(float(value), abs=1e-12)


def weighted_f1_in_words(rel):
    """Line 131: each class times its share of the samples, for P, R and (as is usual) F1."""
    counts = list(one_against_rest(rel, rel[::-1]))
    for score, value in (
        (ml.precision_score, lambda tp, fp, fn: Fraction(tp, tp + fp)),
        (ml.recall_score, lambda tp, fp, fn: Fraction(tp, tp + fn)),
        (ml.f1_score, lambda tp, fp, fn: Fraction(2 * tp, 2 * tp + fp + fn)),
    ):
        wanted = sum(Fraction(c[0] + c[2], len(rel)) * value(*c) for c in counts)
        assert score(rel, rel[::-1], average="weighted") == pytest.approx(float(wanted), abs=1e-12)


# 2 (1) to 2 (3): a list of grades is a list of results, relevant where the grade is above 0


def hit_rate_by_its_example(rel):
    """Line 145: total hits over total items; each grade is what a user has to find, all but one of it found."""
    to_find = [grade + 1 for grade in rel]
    assert ml.hit_ratio(rel, to_find, definition="pooled") == pytest.approx(sum(rel) / sum(to_find), abs=1e-12)


def mean_reciprocal_rank_in_words(rel):
    """Line 149: one over the rank of the answer, averaged over the queries; here the list from each rank on."""
    lists = [rel[start:] + [0] * start for start in range(len(rel))]
    values = [next((Fraction(1, rank) for rank, grade in enumerate(one, 1) if grade), Fraction(0)) for one in lists]
    assert ml.mean_reciprocal_rank(lists) == pytest.approx(float(mean(values)), abs=1e-12)


def average_precision_in_words(rel):
    """Line 169, divided by the relevant items and, as its words have it, by the positions."""
    rel = [*rel, 1]
    total = sum(p for p, grade in zip(precisions([grade > 0 for grade in rel]), rel, strict=True) if grade)
    relevant = sum(grade > 0 for grade in rel) + 1
    for denominator, divisor in {"relevant": relevant, "k": len(rel)}.items():
        value = ml.average_precision(rel, n_relevant=relevant, denominator=denominator)
        assert value == pytest.approx(float(total / divisor), abs=1e-12)


def mean_average_precision_in_words(rel):
    """Line 187: the mean of AP over the queries."""
    lists = [[*rel, 1], [1, *rel]]
    assert ml.mean_average_precision(lists) == pytest.approx(sum(map(ml.average_precision, lists)) / 2, abs=1e-12)


def test_the_two_lists_of_line_159():
    sums = [sum(p for p, hit in zip(precisions(rel), rel, strict=True) if hit) for rel in (EARLY, LATE)]
    assert [value / 3 for value in sums] == [Fraction(2, 3), Fraction(13, 60)]
    assert sum(precisions(EARLY)) / 5 == Fraction(107, 150)


WORKED_FORMULAS = {
    (104, "macro F1, in words"): macro_f1_in_words,
    (106, "macro F1"): macro_f1,
    (118, "micro precision, recall and F1"): micro_f1,
    (131, "weighted F1, in words"): weighted_f1_in_words,
    (145, "hit rate at K, by its example"): hit_rate_by_its_example,
    (149, "mean reciprocal rank, in words"): mean_reciprocal_rank_in_words,
    (169, "average precision, in words"): average_precision_in_words,
    (187, "mean average precision, in words"): mean_average_precision_in_words,
    (197, "cumulative gain, in words"): cumulative_gain_in_words,
    (207, "discounted cumulative gain, in words"): discounted_cumulative_gain_in_words,
    (213, "normalised discounted cumulative gain and its ideal, in words"): (
        normalised_discounted_cumulative_gain_in_words
    ),
}


# 1 (1), (2) up to the code


def labelled(rel):
    """Labels and scores that hold both classes, and ties, made of a list of grades."""
    labels = [1, 0, *(grade % 2 for grade in rel)]
    return labels, [1, 2, *rel[::-1]]


def split(labels, scores):
    return [[s for label, s in zip(labels, scores, strict=True) if label == c] for c in (1, 0)]


def cells(rel):
    """TP, FP, FN, TN at the threshold 2, counted one by one, and the same as the library counts them."""
    labels, scores = labelled(rel)
    predicted = [int(score >= 2) for score in scores]
    counted = list(zip(labels, predicted, strict=True))
    cell = [counted.count(kind) for kind in ((1, 1), (0, 1), (1, 0), (0, 0))]
    return cell, ml.ConfusionCounts.from_labels(labels, predicted)


def accuracy(rel):
    (tp, fp, fn, tn), library = cells(rel)
    assert library.accuracy == pytest.approx(Fraction(tp + tn, tp + tn + fp + fn))


def precision(rel):
    """Lines 7 and 68."""
    (tp, fp, _, _), library = cells(rel)
    assert library.precision == pytest.approx(Fraction(tp, tp + fp))


def recall(rel):
    """Lines 9, 23 and 60: recall is the true positive rate."""
    (tp, _, fn, _), library = cells(rel)
    assert library.recall == pytest.approx(Fraction(tp, tp + fn))


def f1_the_harmonic_mean(rel):
    """Line 11, and erratum 004-02: where the harmonic form divides by zero, the form by counts gives 0."""
    (tp, fp, fn, _), library = cells(rel)
    if tp:
        assert library.f1 == pytest.approx(2 / (1 / Fraction(tp, tp + fp) + 1 / Fraction(tp, tp + fn)))
    else:
        assert library.f1 == 0


def false_positive_rate(rel):
    """Lines 25 and 60."""
    (_, fp, _, tn), library = cells(rel)
    assert library.false_positive_rate == pytest.approx(Fraction(fp, fp + tn))


def area_and_its_range(rel):
    """Line 31 and erratum 004-07: the area by trapezoids, and its range with both ends."""
    labels, scores = labelled(rel)
    positives, negatives = split(labels, scores)
    cuts = [math.inf, *sorted(set(scores), reverse=True)]
    tpr, fpr = ([Fraction(sum(s >= c for s in side), len(side)) for c in cuts] for side in (positives, negatives))
    area = sum((b - a) * (d + c) / 2 for (a, b), (c, d) in zip(pairwise(fpr), pairwise(tpr), strict=True))
    assert ml.roc_auc_score(labels, scores) == pytest.approx(area, abs=1e-12)
    assert ml.roc_auc_score(labels, labels) == 1
    assert ml.roc_auc_score(labels, [-label for label in labels]) == 0


def auc_by_counting_pairs(rel):
    labels, scores = labelled(rel)
    assert ml.roc_auc_score(labels, scores) == pytest.approx(pairs(*split(labels, scores)), abs=1e-12)


def auc_code(rel):
    """Lines 37 to 56 and erratum 004-09: right with both classes, a division by zero with one."""
    auc_by_counting_pairs(rel)
    with pytest.raises(ZeroDivisionError):
        pairs(rel, [])
    with pytest.warns(ml.UndefinedMetricWarning):
        assert math.isnan(ml.roc_auc_score([1] * len(rel), rel))


WORKED_FORMULAS |= {
    (5, "accuracy"): accuracy,
    (7, "precision"): precision,
    (9, "recall"): recall,
    (11, "F1, the harmonic mean"): f1_the_harmonic_mean,
    (23, "true positive rate"): recall,
    (25, "false positive rate"): false_positive_rate,
    (31, "AUC and its range"): area_and_its_range,
    (35, "AUC by counting pairs"): auc_by_counting_pairs,
    (37, "AUC, code"): auc_code,
}


# Class ratio, ROC and P-R curves


def true_and_false_positive_rate(rel):
    recall(rel)
    false_positive_rate(rel)


def numerator_of_fpr(rel):
    """Line 64 and erratum 004-11: with the false negatives above the line it would be another value."""
    (_, fp, fn, tn), library = cells(rel)
    assert library.false_positive_rate * (fp + tn) == pytest.approx(fp)
    assert (library.false_positive_rate == pytest.approx(Fraction(fn, fp + tn))) == (fn == fp)


def roc_and_pr_points(rel):
    """Line 80 and erratum 004-13: counts from a P-R point and the class sizes, wherever the recall is not 0."""
    labels, scores = labelled(rel)
    positives, negatives = split(labels, scores)
    m, n = len(positives), len(negatives)
    rates = {}
    for cut in sorted(set(scores), reverse=True):
        tp, fp = (sum(s >= cut for s in side) for side in (positives, negatives))
        point = Fraction(tp, m), Fraction(tp, tp + fp)
        if tp:
            assert (m * point[0], m * point[0] * (1 / point[1] - 1)) == (tp, fp)
        rates.setdefault(point, set()).add(Fraction(fp, n))
    assert all(len(fprs) == 1 for (recall, _), fprs in rates.items() if recall)
    library = ml.precision_recall_curve(labels, scores)
    assert {(round(float(r), 9), round(float(p), 9)) for r, p in rates} == {
        (round(r, 9), round(p, 9)) for r, p in list(zip(library.recall, library.precision, strict=True))[:-1]
    }


def test_roc_points_of_recall_0_share_one_precision():
    fpr, tpr, _ = ml.roc_curve([0, 0, 1], [3, 2, 1], drop_intermediate=False)
    precision, recall, _ = ml.precision_recall_curve([0, 0, 1], [3, 2, 1])
    assert len({f for f, t in zip(fpr, tpr, strict=True) if t == 0}) == 3
    assert precision[recall == 0].tolist() == [0, 0, 1]


def test_without_the_class_sizes_a_roc_point_has_any_precision():
    tpr, fpr = Fraction(4, 5), Fraction(1, 10)
    values = [100 * tpr / (100 * tpr + n * fpr) for n in (100, 1000)]
    assert values == [Fraction(8, 9), Fraction(4, 9)]


WORKED_FORMULAS |= {
    (60, "TPR and FPR"): true_and_false_positive_rate,
    (64, "numerator of FPR, in words"): numerator_of_fpr,
    (68, "precision, once more"): precision,
    (80, "correspondence of ROC and P-R points"): roc_and_pr_points,
}


# GAUC


def grouped_auc_in_words(rel):
    """Line 90: the weighted mean of the AUCs of the users, those of one class left out (line 94)."""
    labels, scores = labelled(rel)
    users = [i % 3 for i in range(2 * len(labels))]
    labels, scores = labels + labels, scores + scores[::-1]
    rows = [[(y, s) for u, y, s in zip(users, labels, scores, strict=True) if u == user] for user in range(3)]
    sides = [split(*zip(*own, strict=True)) for own in rows]
    kept = [(own, side) for own, side in zip(rows, sides, strict=True) if all(side)]
    for weights, weight in (("impressions", len), ("clicks", lambda own: sum(y for y, _ in own)), ("uniform", bool)):
        total = sum(int(weight(own)) for own, _ in kept)
        mean = sum(int(weight(own)) * pairs(*side) for own, side in kept) / Fraction(total) if kept else math.nan
        assert ml.gauc(labels, scores, users, weights=weights) == pytest.approx(mean, abs=1e-12, nan_ok=True)
    assert len(ml.gauc(labels, scores, users, return_dropped=True)[1]) == 3 - len(kept)


WORKED_FORMULAS |= {(90, "GAUC, in words"): grouped_auc_in_words}


def test_every_formula_is_worked_here():
    assert set(WORKED_FORMULAS) == set(FORMULAS)


@pytest.mark.parametrize("key", WORKED_FORMULAS, ids=str)
@pytest.mark.parametrize("rel", LISTS, ids=str)
def test_a_formula(key, rel):
    WORKED_FORMULAS[key](rel)
