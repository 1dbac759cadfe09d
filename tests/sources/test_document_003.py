"""Document 003: every formula and every printed number, from the definitions and without metrics_lib's code."""

import math
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest

import metrics_lib as ml
from tests.registries import assert_derived, of_document

WORKED = of_document("worked_numbers", "003", "what")
FORMULAS = of_document("formulas", "003", "quantity")


# 1 and 2: predicted classes

NUMBERS = {(25, "accuracy of 8 right predictions in 10"): Fraction(8, 10)}

# 3: three users with lists of ten

HITS, TEST_ITEMS = [6, 5, 4], [10, 12, 8]
NUMBERS |= {(85, "hit ratio, pooled"): Fraction(6 + 5 + 4, 10 + 12 + 8)}

# 4: hits at ranks 1, 3 and 6

RELEVANCE = [1, 0, 1, 0, 0, 1]


def precision_at(rel, k):
    return Fraction(sum(r > 0 for r in rel[:k]), k)


def precision_sum(rel):
    """The precisions at the ranks of the relevant items, added up."""
    return sum((precision_at(rel, k) for k in range(1, len(rel) + 1) if rel[k - 1] > 0), Fraction(0))


NUMBERS |= {(102 + k, f"precision at rank {k}"): precision_at(RELEVANCE, k) for k in (1, 3, 6)}
NUMBERS |= {
    (91, "AP of ten results, the five relevant ones from rank 6 on"): precision_sum([0] * 5 + [1] * 5) / 5,
    (104, "precision at ranks 2, 4 and 5, the misses"): [precision_at(RELEVANCE, k) for k in (2, 4, 5)],
    (110, "AP of the example"): precision_sum(RELEVANCE) / 3,
}

# 5: five results with these grades


def logarithm(rank):
    """log2(rank + 1), exact where it is a whole number."""
    power = math.log2(rank + 1)
    return int(power) if power.is_integer() else power


def term(gain, rank):
    power = logarithm(rank)
    return Fraction(gain, power) if isinstance(power, int) else gain / power


def discounted(gains):
    return math.fsum(map(float, map(term, gains, range(1, len(gains) + 1))))


def exponential(grades):
    return [2**grade - 1 for grade in grades]


RETURNED, IDEAL = [3, 1, 2, 3, 2], [3, 3, 2, 2, 1]
RANKS = range(1, 6)
NUMBERS |= {(158 + i, f"denominator log2(i+1), rank {i}"): logarithm(i) for i in RANKS}
NUMBERS |= {(158 + i, f"DCG term, rank {i}"): term(RETURNED[i - 1], i) for i in RANKS}
NUMBERS |= {(173 + i, f"denominator log2(i+1), rank {i}, ideal"): logarithm(i) for i in RANKS}
NUMBERS |= {(173 + i, f"IDCG term, rank {i}"): term(IDEAL[i - 1], i) for i in RANKS}
NUMBERS |= {
    (143, "least NDCG, attained by a list without a relevant item"): Fraction(0),
    (155, "CG"): sum(RETURNED),
    (155, "DCG, linear gain"): discounted(RETURNED),
    (164, "DCG, linear gain, total"): discounted(RETURNED),
    (166, "DCG, linear gain"): discounted(RETURNED),
    (168, "ideal order"): IDEAL,
    (179, "IDCG, linear gain, total"): discounted(IDEAL),
    (181, "IDCG, linear gain"): discounted(IDEAL),
    (181, "NDCG, linear gain"): discounted(RETURNED) / discounted(IDEAL),
    (181, "NDCG by the formula of line 133, exponential gain"): (
        discounted(exponential(RETURNED)) / discounted(exponential(IDEAL))
    ),
}

# 6: first hits at ranks 3, 2 and 1

NUMBERS |= {
    (191, "reciprocal rank of rank 2"): Fraction(1, 2),
    (191, "reciprocal rank of rank 3"): Fraction(1, 3),
    (191, "MRR of the ranks 3, 2, 1"): (Fraction(1, 3) + Fraction(1, 2) + 1) / 3,
}


def test_every_printed_number_is_derived_here():
    assert set(NUMBERS) == set(WORKED)


@pytest.mark.parametrize("key", WORKED, ids=str)
def test_a_printed_number_against_its_definition(key):
    assert_derived(WORKED[key], NUMBERS[key])


def test_the_ideal_order_is_the_best_of_all():
    assert sorted(IDEAL) == sorted(RETURNED)
    assert discounted(IDEAL) == max(map(discounted, permutations(RETURNED)))


def test_the_first_table_is_right_and_three_cells_of_the_second_are_not():
    verdicts = [(what, record["verdict"]) for (line, what), record in WORKED.items() if 159 <= line <= 179]
    assert [what for what, judged in verdicts if judged == "wrong"] == [f"IDCG term, rank {i}" for i in (2, 4, 5)]


def test_two_of_the_wrong_cells_come_from_a_denominator_of_three_decimals():
    assert (round(math.log2(3), 3), round(math.log2(5), 3), round(math.log2(6), 3)) == (1.585, 2.322, 2.585)
    assert (f"{2 / 2.322:.5f}", f"{1 / 2.585:.6f}") == ("0.86133", "0.386847")
    assert all(f"{3 / round(math.log2(3), digits):.5f}" != "1.89275" for digits in range(1, 16))


# The formulas, on every small example of their kind

CELLS = [cells for cells in product(range(4), repeat=4) if sum(cells)]
RNG = np.random.default_rng(3)
GRADES = [RNG.integers(0, 4, size).tolist() for size in (1, 2, 4, 5, 5)] + [RETURNED]
BINARY = [list(rel) for size in (1, 2, 3, 4) for rel in product([0, 1], repeat=size)]


def share(part, whole):
    return Fraction(part, whole) if whole else None


def matches(got, wanted):
    return math.isnan(got) if wanted is None else math.isclose(got, wanted, abs_tol=1e-12)


def rate(attribute, part, whole):
    """A test that a property of the counts is a share of two sums of cells (tp, fp, fn, tn)."""

    def check():
        for cells in CELLS:
            counts = ml.ConfusionCounts(*cells)
            assert matches(getattr(counts, attribute), share(part(*cells), whole(*cells)))

    return check


def confusion_matrix():
    """Lines 7 to 12: predictions in the rows, positive first."""
    labels = [(1, 1)] * 2 + [(0, 1)] * 3 + [(1, 0)] * 4 + [(0, 0)] * 5
    y_true, y_pred = zip(*labels, strict=True)
    assert ml.confusion_matrix(y_true, y_pred, labels=[1, 0]).T.tolist() == [[2, 3], [4, 5]]


def f1():
    """Line 54: the harmonic mean, where precision and recall have values."""
    for tp, fp, fn, tn in CELLS:
        got = ml.ConfusionCounts(tp, fp, fn, tn).f1
        assert matches(got, share(2 * tp, 2 * tp + fp + fn))
        if tp:
            p, r = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
            assert matches(got, 2 * r * p / (r + p))


def samples_of(tp, fp, fn, tn):
    """True and predicted classes, one sample after the other."""
    return [(1, 1)] * tp + [(0, 1)] * fp + [(1, 0)] * fn + [(0, 0)] * tn


def share_among(event, given, samples):
    chosen = [sample for sample in samples if given(*sample)]
    return share(sum(event(*sample) for sample in chosen), len(chosen))


def false_positive_rate_in_words():
    """Line 65: of the predicted positives the share that is negative, which is the false discovery rate."""
    for cells in CELLS:
        words = share_among(lambda true, _: true == 0, lambda _, pred: pred == 1, samples_of(*cells))
        formula = share_among(lambda _, pred: pred == 1, lambda true, _: true == 0, samples_of(*cells))
        assert matches(ml.ConfusionCounts(*cells).false_discovery_rate, words)
        assert matches(ml.ConfusionCounts(*cells).false_positive_rate, formula)


def true_positive_rate_in_words():
    """Line 69: of the predicted positives the share that is positive, which is precision."""
    for cells in CELLS:
        words = share_among(lambda true, _: true == 1, lambda _, pred: pred == 1, samples_of(*cells))
        formula = share_among(lambda _, pred: pred == 1, lambda true, _: true == 1, samples_of(*cells))
        assert matches(ml.ConfusionCounts(*cells).precision, words)
        assert matches(ml.ConfusionCounts(*cells).recall, formula)


def roc_axes():
    """Line 63: FPR is the abscissa, TPR the ordinate, and a perfect order goes up first."""
    fpr, tpr, _ = ml.roc_curve([1, 0], [0.9, 0.1])
    assert list(zip(fpr.tolist(), tpr.tolist(), strict=True)) == [(0, 0), (0, 1), (1, 1)]


def auc_as_a_probability_in_words():
    """Line 77: the share of pairs with the greater score on the positive's side, and half of the ties."""
    for scores in product([1, 2, 3], repeat=4):
        pairs = list(product(scores[:2], scores[2:]))
        greater = Fraction(sum(p > n for p, n in pairs), 4)
        tied = Fraction(sum(p == n for p, n in pairs), 4)
        got = ml.roc_auc_score([1, 1, 0, 0], scores)
        assert matches(got, greater + tied / 2)
        assert matches(got, greater) == (tied == 0)


def hit_ratio():
    """Line 83: hits over ground truth, both summed over the users; the other definitions beside it."""
    for hits in product(range(3), repeat=3):
        items = [2, 3, 4]
        assert matches(ml.hit_ratio(hits, items, definition="pooled"), Fraction(sum(hits), sum(items)))
        per_user = sum(map(Fraction, hits, items)) / 3
        assert matches(ml.hit_ratio(hits, items, definition="per_user"), per_user)
        assert matches(ml.hit_ratio(hits, items, definition="any"), Fraction(sum(h > 0 for h in hits), 3))


def average_precision_of(ranks, n_relevant):
    """The formula of line 95 with j below the inner sum; an item without a rank adds 0."""
    return sum((Fraction(1 + sum(q < p for q in ranks), p) for p in ranks), Fraction(0)) / n_relevant


def average_precision():
    """Line 95, corrected; and as printed it is the mean of the reciprocal ranks."""
    for rel in BINARY:
        ranks = [k for k, r in enumerate(rel, 1) if r]
        for missing in (0, 1, 2):
            if ranks or missing:
                wanted = average_precision_of(ranks, len(ranks) + missing)
                assert matches(ml.average_precision(rel, n_relevant=len(ranks) + missing), wanted)
    printed = sum(Fraction(sum(p < p for _ in (1, 3, 6)) + 1, p) for p in (1, 3, 6)) / 3
    assert printed == (1 + Fraction(1, 3) + Fraction(1, 6)) / 3 != average_precision_of([1, 3, 6], 3)


def precision_column():
    """Lines 101 to 108: the column holds P(k) rel(k), not P(k)."""
    products = [precision_at(RELEVANCE, k) * RELEVANCE[k - 1] for k in range(1, 7)]
    assert products == [1, 0, Fraction(2, 3), 0, 0, Fraction(1, 2)]
    for rel in BINARY:
        assert all(matches(ml.precision_at_k(rel, k), precision_at(rel, k)) for k in range(1, len(rel) + 1))


def mean_average_precision():
    """Line 114, over the number of users."""
    lists = [rel for rel in BINARY if len(rel) == 4 and any(rel)]
    each = [precision_sum(rel) / sum(rel) for rel in lists]
    assert matches(ml.mean_average_precision(lists), sum(each) / len(each))


def cumulative_gain():
    for grades in GRADES:
        assert all(ml.cumulative_gain(grades, k) == sum(grades[:k]) for k in range(1, len(grades) + 1))


def discounted_cumulative_gain():
    """Line 133, with the exponential gain."""
    for grades in GRADES:
        assert matches(ml.dcg(grades, gain="exponential"), discounted(exponential(grades)))


def two_conclusions():
    """Lines 135 to 137: a higher grade raises the DCG, and so does a better result further up."""
    for grades, gain in product(GRADES, (list, exponential)):
        base = discounted(gain(grades))
        for i in range(len(grades)):
            assert discounted(gain([*grades[:i], grades[i] + 1, *grades[i + 1 :]])) > base
        for i, j in combinations(range(len(grades)), 2):
            swapped = list(grades)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            assert (discounted(gain(swapped)) > base + 1e-12) == (grades[j] > grades[i])


def ideal_in_words():
    """Line 143: the best order of what was returned; of all judged items it is at least as great."""
    for grades in GRADES:
        best = max(map(discounted, permutations(grades)))
        assert matches(ml.ideal_dcg(grades), best)
        k = len(grades)
        best_of_pool = max(map(discounted, permutations([*grades, 3], k)))
        assert matches(ml.ideal_dcg([*grades, 3], k), best_of_pool)
        assert best_of_pool >= best


def ranges():
    """Line 143: the ends of [0, 1] are attained and nothing lies beyond."""
    lists = list(product(range(3), repeat=4))
    values = [discounted(rel[:2]) / discounted(sorted(rel, reverse=True)[:2]) for rel in lists if any(rel)]
    assert (min(values), max(values)) == (0, 1)
    got = ml.ndcg([rel for rel in lists if any(rel)], 2)
    assert np.allclose(got, values, atol=1e-12)
    assert (got.min(), got.max()) == (0, 1)


def ndcg_of_one_user():
    """Line 145, with the ideal cut at k."""
    for grades in GRADES:
        for k in range(1, len(grades) + 1):
            ideal = discounted(sorted(grades, reverse=True)[:k])
            assert matches(ml.ndcg(grades, k), discounted(grades[:k]) / ideal if ideal else None)


def mean_ndcg():
    """Line 149, with its summand."""
    lists = [list(order) for order in permutations([3, 1, 0])]
    each = [discounted(rel) / discounted([3, 1, 0]) for rel in lists]
    assert matches(ml.ndcg(lists).mean(), math.fsum(each) / len(each))


def as_tabulated():
    """Lines 157 to 179: the grade over the logarithm."""
    for grades in GRADES:
        assert matches(ml.dcg(grades), discounted(grades))
    assert abs(discounted(RETURNED) - 6.696665042) < 5e-10


def mean_reciprocal_rank():
    """Line 187, where a list without a hit has 0."""
    lists = [rel for rel in BINARY if len(rel) == 4]
    each = [Fraction(1, rel.index(1) + 1) if any(rel) else Fraction(0) for rel in lists]
    assert matches(ml.mean_reciprocal_rank(lists), sum(each) / len(each))


def intra_list_similarity():
    """Line 197: the mean over ordered pairs; the original is half their sum."""
    for size in (2, 3, 5):
        tenths = RNG.integers(0, 11, (size, size))
        tenths = tenths + tenths.T
        ordered = [Fraction(int(tenths[i, j]), 20) for i, j in permutations(range(size), 2)]
        assert matches(ml.intra_list_similarity(tenths / 20), sum(ordered) / len(ordered))
        assert matches(ml.intra_list_similarity(tenths / 20, definition="sum"), sum(ordered) / 2)


WORKED_FORMULAS = {
    (7, "confusion matrix"): confusion_matrix,
    (29, "accuracy"): rate("accuracy", lambda tp, fp, fn, tn: tp + tn, lambda *cells: sum(cells)),
    (42, "precision"): rate("precision", lambda tp, fp, fn, tn: tp, lambda tp, fp, fn, tn: tp + fp),
    (46, "recall"): rate("recall", lambda tp, fp, fn, tn: tp, lambda tp, fp, fn, tn: tp + fn),
    (54, "F1"): f1,
    (63, "axes of the ROC curve"): roc_axes,
    (65, "false positive rate, in words"): false_positive_rate_in_words,
    (67, "false positive rate"): rate("false_positive_rate", lambda tp, fp, fn, tn: fp, lambda tp, fp, fn, tn: tn + fp),
    (69, "true positive rate, in words"): true_positive_rate_in_words,
    (71, "true positive rate"): rate("recall", lambda tp, fp, fn, tn: tp, lambda tp, fp, fn, tn: tp + fn),
    (77, "AUC as a probability, in words"): auc_as_a_probability_in_words,
    (83, "hit ratio"): hit_ratio,
    (95, "average precision"): average_precision,
    (101, "precision column of the AP table"): precision_column,
    (114, "mean average precision"): mean_average_precision,
    (125, "cumulative gain"): cumulative_gain,
    (133, "discounted cumulative gain"): discounted_cumulative_gain,
    (135, "two conclusions on the DCG, in words"): two_conclusions,
    (143, "ideal DCG, in words"): ideal_in_words,
    (143, "ranges of DCG and NDCG"): ranges,
    (145, "NDCG of one user"): ndcg_of_one_user,
    (149, "mean NDCG"): mean_ndcg,
    (157, "DCG and IDCG as tabulated"): as_tabulated,
    (187, "mean reciprocal rank"): mean_reciprocal_rank,
    (197, "intra-list similarity"): intra_list_similarity,
}


def test_every_formula_is_worked_here():
    assert set(WORKED_FORMULAS) == set(FORMULAS)


@pytest.mark.parametrize("key", WORKED_FORMULAS, ids=str)
def test_a_formula(key):
    WORKED_FORMULAS[key]()
