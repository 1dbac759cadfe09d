"""Document 002: every formula and every printed number, from the definitions and without metrics_lib's code."""

import math
from fractions import Fraction
from itertools import pairwise, permutations, product

import pytest

import metrics_lib as ml
from tests.registries import assert_derived, of_document

WORKED = of_document("worked_numbers", "002", "what")
FORMULAS = of_document("formulas", "002", "quantity")


# Printed numbers: sections 1, 2 and 2.1 print none

NUMBERS = {}


# The formulas

WORKED_FORMULAS = {}


def matches(got, wanted):
    return math.isnan(got) if wanted is None else math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12)


# 1: regression, on every pair of short lists of small whole numbers

PAIRS = [
    (y, f) for size in (1, 2) for y in product(range(-2, 4), repeat=size) for f in product((-2, 0, 1, 5), repeat=size)
]
PAIRS.append(((1, 4, 4, 9), (2, 4, 2, 9)))


def mean(values):
    values = [Fraction(value) for value in values]
    return sum(values) / len(values)


def errors(y, f):
    return [Fraction(b - a) for a, b in zip(y, f, strict=True)]


def of_each_pair(name, definition, defined=lambda y: True):
    """A test that a metric is its definition wherever that has a value."""

    def check():
        pairs = [(y, f) for y, f in PAIRS if defined(y)]
        assert len(pairs) > 100
        for y, f in pairs:
            assert matches(getattr(ml, name)(y, f), definition(y, f))

    return check


def symmetric_term(a, b):
    """The term of line 25, 0 where it is 0/0."""
    return abs(Fraction(b - a) / (Fraction(abs(b) + abs(a)) / 2)) if a or b else 0


def weighted():
    """Line 29, with absolute values below the line; as printed it is the same for positive targets only."""
    for y, f in PAIRS:
        got = ml.weighted_mean_absolute_percentage_error(y, f)
        missed, size = sum(map(abs, errors(y, f))), sum(map(abs, y))
        assert matches(got, missed / size if size else None)
        if size and missed:
            assert (sum(y) != 0 and matches(got, missed / sum(y))) == (min(y) >= 0)


def determination(y, f):
    """Line 33, both forms, with the variance of divisor m."""
    variance = mean((mean(y) - a) ** 2 for a in y)
    ratio = sum(e**2 for e in errors(y, f)) / sum((mean(y) - a) ** 2 for a in y)
    assert mean(e**2 for e in errors(y, f)) / variance == ratio
    return 1 - ratio


WORKED_FORMULAS |= {
    (9, "mean squared error"): of_each_pair("mean_squared_error", lambda y, f: mean(e**2 for e in errors(y, f))),
    (13, "root mean squared error"): of_each_pair(
        "root_mean_squared_error", lambda y, f: math.sqrt(mean(e**2 for e in errors(y, f)))
    ),
    (17, "mean absolute error"): of_each_pair("mean_absolute_error", lambda y, f: mean(map(abs, errors(y, f)))),
    (21, "mean absolute percentage error"): of_each_pair(
        "mean_absolute_percentage_error",
        lambda y, f: mean(abs(e / a) for e, a in zip(errors(y, f), y, strict=True)),
        all,
    ),
    (25, "symmetric mean absolute percentage error"): of_each_pair(
        "symmetric_mean_absolute_percentage_error",
        lambda y, f: mean(symmetric_term(a, b) for a, b in zip(y, f, strict=True)),
    ),
    (29, "weighted mean absolute percentage error"): weighted,
    (33, "coefficient of determination"): of_each_pair("r2_score", determination, lambda y: len(set(y)) > 1),
}


# 2 to 2.1.2: two classes, on every small matrix and every small set of scores

CELLS = [cells for cells in product(range(4), repeat=4) if sum(cells)]
BETAS = (Fraction(1, 2), 1, 2)
SCORED = [
    (labels, scores) for labels in ((1, 0), (1, 1, 0), (1, 0, 0, 1)) for scores in product(range(3), repeat=len(labels))
]


def share(part, whole):
    return Fraction(part, whole) if whole else None


def thresholds(scores):
    """From above all scores down to the lowest."""
    return [max(scores) + 1, *sorted(set(scores), reverse=True)]


def cells_at(threshold, labels, scores):
    """TP, FP, FN and TN if a score of at least the threshold is positive."""
    called = [(label, score >= threshold) for label, score in zip(labels, scores, strict=True)]
    return [called.count(cell) for cell in ((1, True), (0, True), (1, False), (0, False))]


def error_and_accuracy():
    """Line 41, for two classes and for three."""
    for size, classes in ((4, 2), (3, 3)):
        for y, f in product(product(range(classes), repeat=size), repeat=2):
            wrong = sum(a != b for a, b in zip(y, f, strict=True))
            assert matches(ml.zero_one_loss(y, f), Fraction(wrong, size))
            assert matches(ml.accuracy_score(y, f), 1 - Fraction(wrong, size))


def precision_and_recall():
    """Line 51."""
    for tp, fp, fn, tn in CELLS:
        counts = ml.ConfusionCounts(tp, fp, fn, tn)
        assert matches(counts.precision, share(tp, tp + fp))
        assert matches(counts.recall, share(tp, tp + fn))


def curve_and_break_even():
    """Line 53: a point for each threshold; P = R > 0 where FP = FN, which a threshold reaches or a tie leaves out."""
    for labels, scores in SCORED:
        got = ml.precision_recall_curve(labels, scores)
        points = [cells_at(t, labels, scores) for t in sorted(set(scores))]
        assert got.precision[:-1].tolist() == pytest.approx([tp / (tp + fp) for tp, fp, _, _ in points])
        assert got.recall[:-1].tolist() == pytest.approx([tp / (tp + fn) for tp, _, fn, _ in points])
        assert all((tp / (tp + fp) == tp / (tp + fn)) == (fp == fn) for tp, fp, fn, _ in points if tp)
        reached = [Fraction(tp, tp + fp) for tp, fp, fn, _ in points if fp == fn]
        orders = [o for o in permutations(range(len(labels))) if all(scores[a] >= scores[b] for a, b in pairwise(o))]
        hits = [sum(labels[i] for i in order[: sum(labels)]) for order in orders]
        break_even = ml.break_even_point(labels, scores)
        assert matches(break_even, Fraction(sum(hits), len(hits) * sum(labels)))
        assert not reached or matches(break_even, reached[0])


def f_measures():
    """Line 57, and line 55: above 1 recall has more influence, below 1 precision."""
    for tp, fp, fn, tn in CELLS:
        if tp:
            p, r, counts = Fraction(tp, tp + fp), Fraction(tp, tp + fn), ml.ConfusionCounts(tp, fp, fn, tn)
            values = [(1 + b**2) * p * r / (b**2 * p + r) for b in BETAS]
            assert all(1 / v == (1 / p + b**2 / r) / (1 + b**2) for b, v in zip(BETAS, values, strict=True))
            assert all(matches(counts.fbeta(float(b)), v) for b, v in zip(BETAS, values, strict=True))
            assert matches(counts.f1, 2 * p * r / (p + r))
            assert (values == sorted(values)) == (r >= p)


def roc_axes():
    """Line 60: FPR is the abscissa, TPR the ordinate."""
    for labels, scores in SCORED:
        got = ml.roc_curve(labels, scores, drop_intermediate=False)
        cells = [cells_at(t, labels, scores) for t in thresholds(scores)]
        assert got.fpr.tolist() == pytest.approx([fp / (fp + tn) for _, fp, _, tn in cells])
        assert got.tpr.tolist() == pytest.approx([tp / (tp + fn) for tp, _, fn, _ in cells])


def rates():
    """Line 62."""
    for tp, fp, fn, tn in CELLS:
        counts = ml.ConfusionCounts(tp, fp, fn, tn)
        assert matches(counts.recall, share(tp, tp + fn))
        assert matches(counts.false_positive_rate, share(fp, tn + fp))


def area(labels, scores):
    """The integral of line 66: the threshold falls, FPR rises, the curve is straight between two thresholds."""
    cells = [cells_at(t, labels, scores) for t in thresholds(scores)]
    points = [(Fraction(fp, fp + tn), Fraction(tp, tp + fn)) for tp, fp, fn, tn in cells]
    return sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(points))


def auc_integral():
    for labels, scores in SCORED:
        assert matches(ml.roc_auc_score(labels, scores), area(labels, scores))


def auc_pairs():
    """Line 66: with halves for ties the area; as printed the area in steps, and that one only if nothing is tied."""
    for labels, scores in SCORED:
        both = list(zip(labels, scores, strict=True))
        pairs = [(a, b) for (one, a), (other, b) in product(both, both) if one > other]
        greater = Fraction(sum(a > b for a, b in pairs), len(pairs))
        tied = Fraction(sum(a == b for a, b in pairs), len(pairs))
        assert matches(ml.roc_auc_score(labels, scores), greater + tied / 2)
        assert (area(labels, scores) == greater) == (tied == 0)
        positive, negative = ([s for one, s in both if one == kind] for kind in (1, 0))
        above = {t: Fraction(sum(s > t for s in positive), len(positive)) for t in negative}
        assert sum(negative.count(t) * tpr for t, tpr in above.items()) / len(negative) == greater


WORKED_FORMULAS |= {
    (41, "error rate and accuracy"): error_and_accuracy,
    (51, "precision and recall"): precision_and_recall,
    (53, "P-R curve and break-even point"): curve_and_break_even,
    (57, "F1 and F-beta"): f_measures,
    (60, "axes of the ROC curve"): roc_axes,
    (62, "true and false positive rate"): rates,
    (66, "AUC, integral"): auc_integral,
    (66, "AUC, probability and pair count"): auc_pairs,
}


# 2.2: several classes, on every matrix of two classes with small counts and some of three


def small_matrices():
    for a, b, c, d in product(range(3), repeat=4):
        if a + b and c + d:
            yield [[a, b], [c, d]]
    yield [[90, 5, 5], [2, 5, 3], [0, 5, 2]]
    yield [[1, 0, 2], [3, 0, 1], [0, 2, 2]]


def labelled(cells):
    """A sample for each count, true and predicted labels."""
    pairs = [(i, j) for i, row in enumerate(cells) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in pairs], [j for _, j in pairs]


def against_the_rest(cells):
    """TP, FP and FN of each class."""
    for i, row in enumerate(cells):
        yield row[i], sum(other[i] for other in cells) - row[i], sum(row) - row[i]


def ratio(part, rest):
    return Fraction(part, part + rest) if part + rest else Fraction(0)


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else Fraction(0)


def macro_precision_and_recall():
    """Line 72, and erratum 002-18: the means of the rates, not the rates of the mean matrix."""
    for cells in small_matrices():
        counts = list(against_the_rest(cells))
        p, r = mean(ratio(tp, fp) for tp, fp, _ in counts), mean(ratio(tp, fn) for tp, _, fn in counts)
        assert matches(ml.precision_score(*labelled(cells), average="macro", zero_division=0), p)
        assert matches(ml.recall_score(*labelled(cells), average="macro", zero_division=0), r)


def macro_f1():
    """Line 72, and errata 002-20 and X-11: the F1 of the means, never below the mean of the F1."""
    smaller = 0
    for cells in small_matrices():
        counts = list(against_the_rest(cells))
        p, r = mean(ratio(tp, fp) for tp, fp, _ in counts), mean(ratio(tp, fn) for tp, _, fn in counts)
        each = mean(harmonic(ratio(tp, fp), ratio(tp, fn)) for tp, fp, fn in counts)
        got = ml.macro_f1_score(*labelled(cells), definition="f1_of_means", zero_division=0)
        assert matches(got, harmonic(p, r))
        assert matches(ml.macro_f1_score(*labelled(cells), zero_division=0), each)
        assert each <= harmonic(p, r)
        smaller += each < harmonic(p, r)
    assert smaller > 10


def micro_rates():
    """Line 76, and erratum 002-21: of the mean counts, and each of the three is the accuracy."""
    for cells in small_matrices():
        tp, fp, fn = (mean(column) for column in zip(*against_the_rest(cells), strict=True))
        p, r = tp / (tp + fp), tp / (tp + fn)
        accuracy = Fraction(sum(row[i] for i, row in enumerate(cells)), sum(map(sum, cells)))
        assert p == r == harmonic(p, r) == accuracy
        for score in (ml.precision_score, ml.recall_score, ml.f1_score):
            assert matches(score(*labelled(cells), average="micro", zero_division=0), accuracy)


def test_the_two_macro_f1s_reverse_a_comparison():
    """Erratum X-11."""
    values = []
    for cells in ([[1, 9], [1, 9]], [[6, 4], [7, 3]]):
        counts = list(against_the_rest(cells))
        p, r = mean(ratio(tp, fp) for tp, fp, _ in counts), mean(ratio(tp, fn) for tp, _, fn in counts)
        values.append((harmonic(p, r), mean(harmonic(ratio(tp, fp), ratio(tp, fn)) for tp, fp, fn in counts)))
    (a_means, a_each), (b_means, b_each) = values
    assert a_means > b_means
    assert a_each < b_each
    assert (a_means, a_each) == (Fraction(1, 2), Fraction(17, 42))


WORKED_FORMULAS |= {
    (72, "macro precision and recall"): macro_precision_and_recall,
    (72, "macro F1"): macro_f1,
    (76, "micro precision, recall and F1"): micro_rates,
}


# 3: ranking, on every list of one to four grades from 0 to 3


RANKED = [grades for length in range(1, 5) for grades in product(range(4), repeat=length)]


def of_each_list(check):
    """A test that runs a check on every list, and that the lists are many."""

    def run():
        assert len(RANKED) == 340
        for grades in RANKED:
            check(grades)

    return run


# 3.4: ERR, by following the reader

NUMBERS |= {(136, "example discount at rank 1"): Fraction(1) / int(math.log2(1 + 1))}


def satisfies(grade, top):
    """Line 130."""
    return Fraction(2**grade - 1, 2**top)


def cascade(grades, top):
    """Where the reader stops: the probability of each rank, and of going on past the last."""
    going_on, stopped = Fraction(1), []
    for grade in grades:
        stopped.append(going_on * satisfies(grade, top))
        going_on -= stopped[-1]
    return stopped, going_on


@of_each_list
def stop_at_a_rank(grades):
    """Line 126: the product is what the reader does, and all readers together are 1."""
    chances = [satisfies(grade, 3) for grade in grades]
    product_form = [chance * math.prod(1 - c for c in chances[:i]) for i, chance in enumerate(chances)]
    stopped, going_on = cascade(grades, 3)
    assert product_form == stopped
    assert sum(stopped) + going_on == 1
    by_rank = [ml.expected_reciprocal_rank(grades, max_grade=3, discount=until(k)) for k in range(1, len(grades) + 1)]
    assert by_rank == pytest.approx([float(sum(stopped[:k])) for k in range(1, len(grades) + 1)], abs=1e-12)


def until(last):
    """A discount under which the metric is the probability of having stopped by a rank."""
    return lambda ranks: ranks <= last


def satisfaction():
    """Line 130, seen in a list of one."""
    for top in range(1, 8):
        for grade in range(top + 1):
            assert ml.expected_reciprocal_rank([grade], max_grade=top) == satisfies(grade, top) < 1


@of_each_list
def expected_reciprocal_rank(grades):
    """Line 134 with 1/r, on three scales."""
    for top in (3, 4, 5):
        err = sum(p / rank for rank, p in enumerate(cascade(grades, top)[0], 1))
        assert matches(ml.expected_reciprocal_rank(grades, max_grade=top), err)


@of_each_list
def discounted_cascade(grades):
    """Line 136: 1 at the first rank, tending to 0; as soon as a reader gets past rank 1 it is not the ERR."""
    weights = [1 / math.log2(rank + 1) for rank in range(1, 5)]
    assert weights[0] == 1
    assert 1 / math.log2(1e300) < 0.002
    stopped, _ = cascade(grades, 3)
    library = ml.expected_reciprocal_rank(grades, max_grade=3, discount=lambda r: [1 / math.log2(i + 1) for i in r])
    assert matches(library, sum(w * p for w, p in zip(weights, stopped, strict=False)))
    assert (library == ml.expected_reciprocal_rank(grades, max_grade=3)) == (not any(stopped[1:]))


WORKED_FORMULAS |= {
    (126, "probability of stopping at rank r"): stop_at_a_rank,
    (130, "probability that a grade satisfies"): satisfaction,
    (134, "expected reciprocal rank"): expected_reciprocal_rank,
    (136, "conditions on the discount of a cascade"): discounted_cascade,
}


# 2.3: several labels, on the example of the eleven measures and on all rows of three labels

LABELS = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]]
PREDICTED = [[1, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]]
SCORES = [[0.95, 0.6, 0.7, 0.2], [0.3, 0.8, 0.4, 0.65], [0.55, 0.35, 0.1, 0.75]]


def relevant(row):
    """Line 80: the indices j with y_ij = 1."""
    return [j for j, y in enumerate(row) if y == 1]


def irrelevant(row):
    return [j for j, y in enumerate(row) if y == 0]


def transposed(rows):
    return list(map(list, zip(*rows, strict=True)))


def in_order(row, scores, tie):
    """The share of pairs of a relevant and an irrelevant index in the right order, a tied pair counting `tie`."""
    pairs = list(product(relevant(row), irrelevant(row)))
    return Fraction(sum((scores[u] > scores[v]) + Fraction(tie) * (scores[u] == scores[v]) for u, v in pairs)) / len(
        pairs
    )


def f1_of(true, pred):
    return Fraction(2 * sum(y * h for y, h in zip(true, pred, strict=True)), sum(true) + sum(pred))


def worst_ranks(row, scores):
    """The rank of each relevant label, tied labels all at the last place of the tie."""
    return sorted(sum(other >= scores[j] for other in scores) for j in relevant(row))


def label_average_precision(row, scores):
    ranks = worst_ranks(row, scores)
    return mean(Fraction(sum(other <= rank for other in ranks), rank) for rank in ranks)


def one_error_of(row, scores):
    return int(any(scores[j] == max(scores) for j in irrelevant(row)))


BY_HAND = {
    "ranking loss": lambda row, s: 1 - in_order(row, s, 0),
    "one-error": one_error_of,
    "coverage": lambda row, s: max(worst_ranks(row, s)) - 1,
    "average precision": label_average_precision,
    "instance-AUC": lambda row, s: in_order(row, s, Fraction(1, 2)),
}
LIBRARY = {
    "ranking loss": ml.label_ranking_loss,
    "one-error": ml.one_error,
    "coverage": lambda y, s: ml.coverage_error(y, s) - 1,
    "average precision": ml.label_ranking_average_precision_score,
    "instance-AUC": lambda y, s: ml.roc_auc_score(y, s, average="samples"),
}
EXACT = {
    "ranking loss": Fraction(1, 6),
    "one-error": Fraction(1, 3),
    "coverage": Fraction(4, 3),
    "average precision": Fraction(31, 36),
    "instance-AUC": Fraction(5, 6),
}


def flattened(rows):
    return [cell for row in rows for cell in row]


def index_sets():
    """Line 80: rows and columns hold the same relevant cells, and the eleven measures follow from them."""
    cells = {(i, j) for i, row in enumerate(LABELS) for j in relevant(row)}
    assert cells == {(i, j) for j, column in enumerate(transposed(LABELS)) for i in relevant(column)}
    for name, measure in BY_HAND.items():
        assert mean(map(measure, LABELS, SCORES)) == EXACT[name]
        assert matches(LIBRARY[name](LABELS, SCORES), EXACT[name])


@pytest.mark.parametrize("name", BY_HAND)
def test_a_measure_of_a_row_with_and_without_ties(name):
    """All rows of three labels of both kinds, with all scores from three values."""
    for row in ([1, 0, 0], [0, 1, 1], [0, 1, 0]):
        for scores in product((0.2, 0.5, 0.7), repeat=3):
            assert matches(LIBRARY[name]([row], [scores]), BY_HAND[name](row, scores))


def test_the_measures_of_predicted_labels():
    wrong = sum(y != h for y, h in zip(flattened(LABELS), flattened(PREDICTED), strict=True))
    assert [[int(score > 0.5) for score in row] for row in SCORES] == PREDICTED
    assert ml.hamming_loss(LABELS, PREDICTED) == Fraction(wrong, 12) == Fraction(1, 4)
    macro = mean(map(f1_of, transposed(LABELS), transposed(PREDICTED)))
    instance = mean(map(f1_of, LABELS, PREDICTED))
    micro = f1_of(flattened(LABELS), flattened(PREDICTED))
    assert (macro, instance, micro) == (Fraction(19, 24), Fraction(23, 30), Fraction(10, 13))
    for average, value in (("macro", macro), ("samples", instance), ("micro", micro)):
        assert matches(ml.f1_score(LABELS, PREDICTED, average=average), value)


def test_the_areas_over_labels_and_over_all_cells():
    macro = mean(in_order(row, scores, 1) for row, scores in zip(transposed(LABELS), transposed(SCORES), strict=True))
    micro = in_order(flattened(LABELS), flattened(SCORES), 1)
    assert (macro, micro) == (Fraction(3, 4), Fraction(29, 36))
    assert matches(ml.roc_auc_score(LABELS, SCORES, average="macro"), macro)
    assert matches(ml.roc_auc_score(LABELS, SCORES, average="micro"), micro)


def test_ties_of_the_multi_label_measures():
    """A tie as a success, as a failure and as a half."""
    row, scores = [1, 0, 0, 0], [0.5, 0.5, 0.2, 0.1]
    assert [in_order(row, scores, tie) for tie in (1, 0, Fraction(1, 2))] == [1, Fraction(2, 3), Fraction(5, 6)]
    assert matches(ml.label_ranking_loss([row], [scores]), Fraction(1, 3))
    assert matches(ml.roc_auc_score([row], [scores], average="samples"), Fraction(5, 6))
    assert ml.coverage_error([row], [scores]) == 2
    assert ml.label_ranking_average_precision_score([row], [scores]) == Fraction(1, 2)
    constant = [[0.5] * 4] * 3
    assert {in_order(row, [0.5] * 4, 1) for row in LABELS} == {1}
    assert ml.label_ranking_loss(LABELS, constant) == 1
    assert {ml.roc_auc_score(LABELS, constant, average=average) for average in ("macro", "samples", "micro")} == {0.5}


WORKED_FORMULAS |= {(80, "index sets of the positive labels"): index_sets}


# 3.5: CG, DCG, IDCG, NDCG


def discounted(grades, gain=lambda grade: grade):
    return math.fsum(gain(grade) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def doubling(grade):
    """The gain of line 158."""
    return 2**grade - 1


def at_each_cut(name, definition):
    """A test of a metric of a list at each cut, and beyond the list."""

    @of_each_list
    def run(grades):
        for k in range(1, len(grades) + 2):
            assert matches(getattr(ml, name)(grades, k), definition(grades[:k]))

    return run


@of_each_list
def exponential_gain(grades):
    assert matches(ml.dcg(grades, gain="exponential"), discounted(grades, doubling))
    assert (discounted(grades, doubling) == discounted(grades)) == (max(grades) <= 1)


@of_each_list
def ideal(grades):
    """Line 161 with all judged documents: the best choice of k; with the first k it is what a sorted list has."""
    for k in range(1, len(grades) + 1):
        best = max(discounted(choice) for choice in permutations(grades, k))
        assert matches(ml.ideal_dcg(grades, k), best)
        printed = discounted(sorted(grades[:k], reverse=True))
        assert printed <= best + 1e-12
        if printed:
            assert matches(ml.ndcg(grades[:k]), discounted(grades[:k]) / printed)


@of_each_list
def normalised(grades):
    pool = [*grades, 3, 0]
    for k in range(1, len(grades) + 1):
        best = max(discounted(choice) for choice in set(permutations(sorted(pool)[-k:])))
        assert matches(ml.ndcg(grades, k, judged=pool), discounted(grades[:k]) / best)


WORKED_FORMULAS |= {
    (146, "cumulative gain"): at_each_cut("cumulative_gain", sum),
    (154, "discounted cumulative gain, linear"): at_each_cut("dcg", discounted),
    (158, "discounted cumulative gain, exponential"): exponential_gain,
    (161, "ideal discounted cumulative gain, in words"): ideal,
    (163, "normalised discounted cumulative gain"): normalised,
}


# 3.1 to 3.3: precision, recall and F at k, AP, MAP, MRR, counted with fractions

EXAMPLE = (1, 0, 1, 0, 1)
FOUND = {k: sum(EXAMPLE[:k]) for k in range(1, 6)}

NUMBERS |= {(90, f"precision at {k}"): Fraction(found, k) for k, found in FOUND.items()}
NUMBERS |= {(90, f"recall at {k}"): Fraction(found, sum(EXAMPLE)) for k, found in FOUND.items()}
NUMBERS |= {(104, f"term of the average precision, rank {k}"): Fraction(FOUND[k], k) for k in (1, 3, 5)}
NUMBERS |= {(104, "average precision"): sum(Fraction(FOUND[k], k) for k in (1, 3, 5)) / 3}


def hits_among(grades, k):
    return sum(grade > 0 for grade in grades[:k])


@of_each_list
def precision_and_recall(grades):
    """Line 88, with and without a relevant document outside the list, and beyond its end."""
    for k, outside in product(range(1, len(grades) + 2), range(3)):
        found, total = hits_among(grades, k), hits_among(grades, None) + outside
        assert matches(ml.precision_at_k(grades, k), Fraction(found, k))
        recall = Fraction(found, total) if total else None
        assert matches(ml.recall_at_k(grades, k, n_relevant=total), recall)


@of_each_list
def f_at_k(grades):
    """Line 94 as printed, and 0 where precision and recall are 0."""
    total = hits_among(grades, None) + 1
    for k, beta in product(range(1, len(grades) + 1), (Fraction(1, 2), 1, 2)):
        precision, recall = Fraction(hits_among(grades, k), k), Fraction(hits_among(grades, k), total)
        below = beta**2 * precision + recall
        wanted = (1 + beta**2) * precision * recall / below if below else 0
        assert matches(ml.fbeta_at_k(grades, k, beta=float(beta), n_relevant=total), wanted)


def ap_by_hand(grades, total):
    """Line 100."""
    return sum(Fraction(hits_among(grades, k), k) for k, g in enumerate(grades, 1) if g) / Fraction(total)


@of_each_list
def precision_averaged(grades):
    found = hits_among(grades, None)
    assert matches(ml.average_precision(grades), ap_by_hand(grades, found) if found else None)
    assert matches(ml.average_precision(grades, n_relevant=found + 2), ap_by_hand(grades, found + 2))


def two_queries(grades):
    """A list and its mirror image with a hit at the end, padded to one length."""
    return [[*grades, 1], [1, *grades[::-1]]]


@of_each_list
def mean_of_average_precisions(grades):
    wanted = sum(ap_by_hand(rel, hits_among(rel, None)) for rel in two_queries(grades)) / 2
    assert matches(ml.mean_average_precision(two_queries(grades)), wanted)


@of_each_list
def mean_of_reciprocal_ranks(grades):
    ranks = [1 + [grade > 0 for grade in rel].index(True) for rel in two_queries(grades)]
    assert matches(ml.mean_reciprocal_rank(two_queries(grades)), sum(Fraction(1, rank) for rank in ranks) / 2)


WORKED_FORMULAS |= {
    (88, "precision and recall at k"): precision_and_recall,
    (94, "F-beta at k"): f_at_k,
    (100, "average precision"): precision_averaged,
    (108, "mean average precision"): mean_of_average_precisions,
    (116, "mean reciprocal rank"): mean_of_reciprocal_ranks,
}


# The checks of both dictionaries, after all sections have added to them


def test_every_printed_number_is_derived_here():
    assert set(NUMBERS) == set(WORKED)


@pytest.mark.parametrize("key", NUMBERS, ids=str)
def test_a_printed_number_against_its_definition(key):
    assert_derived(WORKED[key], NUMBERS[key])


def test_every_formula_is_worked_here():
    assert set(WORKED_FORMULAS) == set(FORMULAS)


@pytest.mark.parametrize("key", WORKED_FORMULAS, ids=str)
def test_a_formula(key):
    WORKED_FORMULAS[key]()
