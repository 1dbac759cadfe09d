"""Document 000: every formula and every printed number, from the definitions and without metrics_lib's code."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

import metrics_lib as ml
from tests.registries import assert_derived, of_document

WORKED = of_document("worked_numbers", "000", "what")
FORMULAS = of_document("formulas", "000", "quantity")


# The definitions


def pair_probability(positives, negatives):
    """The share of pairs in which the positive scores higher, a tie counting one half."""
    halves = sum(2 * (a > b) + (a == b) for a in positives for b in negatives)
    return Fraction(halves, 2 * len(positives) * len(negatives))


def walk(ranked, relevant):
    """Average precision rank by rank: hits over rank at each hit, over the number of relevant items."""
    hits, total = 0, Fraction(0)
    for rank, item in enumerate(ranked, start=1):
        if item in relevant:
            hits += 1
            total += Fraction(hits, rank)
    return total / len(relevant)


def over_items(ranked, relevant):
    """The formula of line 92 with "+ 1" outside the inner sum; an item that is not listed has rank infinity."""
    rank = {item: ranked.index(item) + 1 if item in ranked else math.inf for item in relevant}
    terms = [
        Fraction(1 + sum(rank[j] < rank[i] for j in relevant), rank[i]) for i in relevant if math.isfinite(rank[i])
    ]
    return sum(terms, Fraction(0)) / len(relevant)


def discounted(grades):
    """DCG with the gain 2^rel - 1."""
    return math.fsum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


# The numbers

NUMBERS = {
    (79, "lower end of the usual range of AUC, the level of chance"): pair_probability([3, 3], [3, 3]),
    (79, "upper end of the usual range of AUC"): pair_probability([9, 8], [2, 1]),
    (85, "AP of ten results with the five relevant ones on top"): walk(range(10), {0, 1, 2, 3, 4}),
    (86, "AP of ten results with the five relevant ones from rank 6 on"): walk(range(10), {5, 6, 7, 8, 9}),
    (156, "largest value of NDCG"): discounted([3, 3, 3, 2, 2, 1]) / discounted([3, 3, 3, 2, 2, 1]),
    (156, "smallest value of NDCG (the interval is printed open at 0)"): discounted([0, 0, 0]) / discounted([3, 0, 0]),
}


def test_every_printed_number_is_derived_here():
    assert set(NUMBERS) == set(WORKED)


@pytest.mark.parametrize("key", WORKED, ids=str)
def test_a_printed_number_against_its_definition(key):
    assert_derived(WORKED[key], NUMBERS[key])


def test_the_ends_of_the_ranges_are_the_extremes_of_all_rankings():
    orders = [[int(i in chosen) for i in range(6)] for chosen in combinations(range(6), 3)]
    areas = [
        pair_probability([-i for i in range(6) if order[i]], [-i for i in range(6) if not order[i]]) for order in orders
    ]
    assert (min(areas), max(areas)) == (0, 1)
    assert sum(areas) / len(areas) == Fraction(1, 2)
    pool = [2, 1, 0, 0, 0]
    quotients = [discounted(order[:3]) / discounted([2, 1, 0]) for order in permutations(pool)]
    assert (min(quotients), max(quotients)) == (0, 1)


# The formulas

TABLES = [counts for counts in product(range(4), repeat=4) if sum(counts)]
RNG = np.random.default_rng(0)


def samples(tp, fp, fn, tn):
    y_true = [1] * tp + [0] * fp + [1] * fn + [0] * tn
    y_pred = [1] * (tp + fp) + [0] * (fn + tn)
    return y_true, y_pred


def share(hits, of):
    return Fraction(hits, of) if of else math.nan


def equal(got, wanted):
    return math.isnan(got) if math.isnan(wanted) else math.isclose(got, wanted, abs_tol=1e-15)


def confusion_matrix_of_the_document():
    """Lines 16 to 34: predictions in the rows, negative class first; both rows are predictions (000-01)."""
    for tp, fp, fn, tn in TABLES:
        table = ml.confusion_matrix(*samples(tp, fp, fn, tn), labels=[0, 1]) if tp + fn and tn + fp else None
        if table is not None:
            assert table.T.tolist() == [[tn, fn], [fp, tp]]
            assert table.T.sum(axis=0).tolist() == [tn + fp, tp + fn]


def recall():
    """Line 39."""
    for tp, fp, fn, tn in TABLES:
        assert equal(ml.ConfusionCounts(tp, fp, fn, tn).recall, share(tp, tp + fn))
        if tp + fn:
            assert equal(ml.recall_score(*samples(tp, fp, fn, tn)), share(tp, tp + fn))


def precision():
    """Line 44."""
    for tp, fp, fn, tn in TABLES:
        assert equal(ml.ConfusionCounts(tp, fp, fn, tn).precision, share(tp, tp + fp))
        if tp + fn:
            got = ml.precision_score(*samples(tp, fp, fn, tn), zero_division=np.nan)
            assert equal(got, share(tp, tp + fp))


def accuracy():
    """Line 49 prints the prevalence (000-03); the accuracy has TN in its numerator."""
    for tp, fp, fn, tn in TABLES:
        counts, n = ml.ConfusionCounts(tp, fp, fn, tn), tp + fp + fn + tn
        assert equal(counts.prevalence, share(tp + fn, n))
        assert equal(counts.accuracy, share(tp + tn, n))
        assert equal(ml.accuracy_score(*samples(tp, fp, fn, tn)), share(tp + tn, n))
    perfect, useless = ml.ConfusionCounts(3, 0, 0, 3), ml.ConfusionCounts(0, 0, 3, 3)
    assert perfect.prevalence == useless.prevalence
    assert perfect.accuracy != useless.accuracy


def f_score():
    """Line 54: the harmonic mean of precision and recall, where it exists; by the counts 0 where nothing is hit."""
    for tp, fp, fn, tn in TABLES:
        counts = ml.ConfusionCounts(tp, fp, fn, tn)
        if tp:
            p, r = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
            assert equal(counts.f1, 2 * p * r / (p + r))
            assert equal(ml.f1_score(*samples(tp, fp, fn, tn)), 2 * p * r / (p + r))
        else:
            assert equal(counts.f1, share(0, fp + fn))


def true_positive_rate():
    """Lines 58 and 60: the probability of getting a positive right, which is recall."""
    for tp, fp, fn, tn in TABLES:
        y_true, y_pred = samples(tp, fp, fn, tn)
        of_positives = [pred for true, pred in zip(y_true, y_pred, strict=True) if true]
        assert equal(ml.ConfusionCounts(tp, fp, fn, tn).recall, share(sum(of_positives), len(of_positives)))


def false_positive_rate():
    """Lines 63 and 65: the probability of calling a negative positive."""
    for tp, fp, fn, tn in TABLES:
        y_true, y_pred = samples(tp, fp, fn, tn)
        of_negatives = [pred for true, pred in zip(y_true, y_pred, strict=True) if not true]
        assert equal(
            ml.ConfusionCounts(tp, fp, fn, tn).false_positive_rate, share(sum(of_negatives), len(of_negatives))
        )


def scored():
    """Six positives and negatives with scores among which there are ties."""
    for _ in range(30):
        y_true = RNG.permutation([1, 1, 1, 0, 0, 0])
        yield y_true.tolist(), RNG.integers(0, 5, 6).tolist()


def roc_curve():
    """Lines 70 to 73: FPR to the right, TPR upwards, one point for each cut, from (0, 0) to (1, 1)."""
    for y_true, score in scored():
        points = {(Fraction(0), Fraction(0))}
        for t in score:
            called = [s >= t for s in score]
            hits = sum(y for y, c in zip(y_true, called, strict=True) if c)
            points.add((Fraction(sum(called) - hits, 3), Fraction(hits, 3)))
        curve = ml.roc_curve(y_true, score, drop_intermediate=False)
        assert {
            (Fraction(x).limit_denominator(3), Fraction(y).limit_denominator(3))
            for x, y in zip(*curve[:2], strict=True)
        } == points
        assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)


def area_under_the_curve():
    """Line 79: the area below the curve, by trapezoids between the cuts and by pairs."""
    for y_true, score in scored():
        x = y = area = Fraction(0)
        for t in sorted(set(score), reverse=True):
            tied = [label for label, s in zip(y_true, score, strict=True) if s == t]
            right, up = Fraction(len(tied) - sum(tied), 3), Fraction(sum(tied), 3)
            area += right * (y + up / 2)
            x, y = x + right, y + up
        assert (x, y) == (1, 1)
        pairs = pair_probability(*([s for label, s in zip(y_true, score, strict=True) if label == c] for c in (1, 0)))
        assert area == pairs
        assert equal(ml.roc_auc_score(y_true, score), area)
        assert equal(ml.auc(*ml.roc_curve(y_true, score)[:2]), area)


ITEMS = "abcde"
RELEVANT = [set(chosen) for size in range(1, 6) for chosen in combinations(ITEMS, size)]
RANKINGS = [list(order) for size in range(1, 5) for order in permutations(ITEMS, size)]


def average_precision():
    """Line 92: "+ 1" outside the sum, unlisted items at rank infinity; inside it would exceed 1."""
    for ranked in RANKINGS:
        for relevant in RELEVANT[::3]:
            rel = [int(item in relevant) for item in ranked]
            assert equal(ml.average_precision(rel, n_relevant=len(relevant)), over_items(ranked, relevant))
            assert over_items(ranked, relevant) <= Fraction(sum(rel), len(relevant))
    assert over_items(list("axbyc"), set("abc")) == Fraction(34, 45)
    assert sum(Fraction(sum((q < p) + 1 for q in (1, 3, 5)), p) for p in (1, 3, 5)) / 3 == Fraction(16, 9)


def average_precision_code():
    """Lines 97 to 112: the walk equals the formula on every list without repeats, and exceeds 1 on one with."""
    assert all(walk(ranked, relevant) == over_items(ranked, relevant) for ranked in RANKINGS for relevant in RELEVANT)
    assert [walk("a" * copies, {"a"}) for copies in (1, 2, 3)] == [1, 2, 3]
    assert walk("ab", ["a", "b", "b"]) == Fraction(2, 3)
    with pytest.raises(ValueError, match="n_relevant"):
        ml.average_precision([1, 1], n_relevant=1)


def mean_average_precision():
    """Line 120, divided by the number of users."""
    for _ in range(20):
        users = RNG.integers(0, 2, (4, 5))
        users[:, 0] = 1
        values = [walk(range(5), set(np.flatnonzero(user).tolist())) for user in users]
        assert equal(ml.mean_average_precision(users), sum(values) / 4)
    assert ml.mean_average_precision([[1, 0], [1, 0], [0, 0]], undefined="skip") == 1
    assert equal(ml.mean_average_precision([[1, 0], [1, 0], [0, 0]], undefined=0), Fraction(2, 3))


GRADED = [RNG.integers(0, 6, size).tolist() for size in (1, 2, 4, 6)] + [[3, 2, 3, 0, 1, 2]]


def cumulative_gain():
    """Line 129."""
    for rel in GRADED:
        for k in range(1, len(rel) + 1):
            assert ml.cumulative_gain(rel, k) == sum(rel[:k])


def discounted_cumulative_gain():
    """Line 142; against line 147 it never falls as k grows."""
    for rel in GRADED:
        values = [ml.dcg(rel, k, gain="exponential") for k in range(1, len(rel) + 1)]
        assert values == pytest.approx([discounted(rel[:k]) for k in range(1, len(rel) + 1)], abs=1e-12)
        assert values == sorted(values)


def ideal_of_the_returned():
    """Lines 155 and 156: the greatest DCG of any order; of what was returned as printed, of all judged as it should."""
    for rel in GRADED:
        assert ml.ideal_dcg(rel, gain="exponential") == pytest.approx(max(map(discounted, permutations(rel))))
        pool = [*rel[:4], 5]
        best = max(discounted(order[:3]) for order in permutations(pool))
        assert ml.ideal_dcg(pool, 3, gain="exponential") == pytest.approx(best)


def ranges():
    """Line 156: both ends are attained."""
    for rel in ([3, 1, 0, 0], [1, 0, 0, 0]):
        values = [ml.ndcg(order[:2], judged=rel, gain="exponential") for order in permutations(rel)]
        assert (min(values), max(values)) == (0, 1)


def ndcg_of_one_user():
    """Line 162, with the ideal cut as well, and as printed."""
    for rel in [[*rel, 1] for rel in GRADED]:
        ideal = sorted(rel, reverse=True)
        for k in range(1, len(rel) + 1):
            got = ml.ndcg(rel, k, gain="exponential")
            assert got == pytest.approx(discounted(rel[:k]) / discounted(ideal[:k]), abs=1e-12)
    in_order = [3, 3, 2, 2, 1, 1]
    assert discounted(in_order[:3]) / discounted(in_order) == pytest.approx(0.863888149197)
    assert ml.ndcg(in_order, 3, gain="exponential") == 1


def mean_ndcg():
    """Line 170."""
    users = [[3, 0, 1], [0, 5, 2], [1, 1, 0]]
    values = [discounted(rel) / discounted(sorted(rel, reverse=True)) for rel in users]
    assert np.mean(ml.ndcg(users, gain="exponential")) == pytest.approx(sum(values) / 3)


def binary_relevance():
    """Line 175: the item at the rank is looked up, not the rank; then both gains agree."""
    rel = [int(item in {7, 9}) for item in (9, 4, 7)]
    assert rel == [1, 0, 1]
    assert [int(rank in {7, 9}) for rank in (1, 2, 3)] == [0, 0, 0]
    assert ml.ndcg(rel) == ml.ndcg(rel, gain="exponential") == pytest.approx(1.5 / discounted([1, 1]))


WORKED_FORMULAS = {
    (16, "confusion matrix"): confusion_matrix_of_the_document,
    (39, "recall"): recall,
    (44, "precision"): precision,
    (49, "accuracy"): accuracy,
    (54, "F-score"): f_score,
    (60, "true positive rate"): true_positive_rate,
    (65, "false positive rate"): false_positive_rate,
    (70, "ROC curve"): roc_curve,
    (79, "area under the ROC curve"): area_under_the_curve,
    (92, "average precision"): average_precision,
    (97, "average precision, code"): average_precision_code,
    (120, "mean average precision"): mean_average_precision,
    (129, "cumulative gain"): cumulative_gain,
    (142, "discounted cumulative gain"): discounted_cumulative_gain,
    (155, "ideal DCG, in words"): ideal_of_the_returned,
    (156, "ranges of DCG and NDCG"): ranges,
    (162, "NDCG of one user"): ndcg_of_one_user,
    (170, "mean NDCG"): mean_ndcg,
    (175, "binary relevance"): binary_relevance,
}


def test_every_formula_is_worked_here():
    assert set(WORKED_FORMULAS) == set(FORMULAS)


@pytest.mark.parametrize("key", WORKED_FORMULAS, ids=str)
def test_a_formula(key):
    WORKED_FORMULAS[key]()
