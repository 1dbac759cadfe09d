"""Document 001: every formula and every printed number, from the definitions and without metrics_lib's code."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import metrics_lib as ml
from tests.registries import assert_derived, of_document

WORKED = of_document("worked_numbers", "001", "what")
FORMULAS = of_document("formulas", "001", "quantity")
NUMBERS = {}
WORKED_FORMULAS = {}

RNG = np.random.default_rng(1)
LISTS = [RNG.integers(0, 4, size).tolist() for size in (1, 2, 5, 8)]


# 2 and 5: entropy, cross-entropy, perplexity


def distribution(rel):
    """Positive probabilities made of a list of grades."""
    return [Fraction(grade + 1, sum(rel) + len(rel)) for grade in rel]


def surprise(p, x):
    return -math.log2(p[x])


def cross_entropy(rel):
    """Line 117: the data's frequencies weigh the model's surprises; it is least, and the entropy, for the data."""
    q, p = distribution(rel), distribution(rel[::-1])
    wanted = math.fsum(q[x] * surprise(p, x) for x in range(len(q)))
    own = math.fsum(q[x] * surprise(q, x) for x in range(len(q)))
    assert ml.cross_entropy(q, p) == pytest.approx(wanted, abs=1e-12)
    assert ml.cross_entropy(q, q) == pytest.approx(own, abs=1e-12)
    assert ml.kl_divergence(q, p) == pytest.approx(wanted - own, abs=1e-12)
    assert wanted >= own - 1e-12


def token_probabilities(rel):
    """Two sentences made of one list: conditional probabilities, each with that of the end."""
    return [[Fraction(1, grade + 2) for grade in [*grades, 3]] for grades in (rel, rel[: len(rel) // 2])]


def root(x, n):
    return float(x) ** (1 / n)


def logs(probs, base):
    return [math.log(p, base) for p in probs]


def perplexity_of_a_distribution(rel):
    """Line 92, as a product without logarithms; 1 to n, whatever the base."""
    p = distribution(rel)
    wanted = math.prod(float(x) ** -float(x) for x in p)
    assert ml.perplexity(p) == pytest.approx(wanted, abs=1e-12)
    assert 2 ** math.fsum(float(x) * surprise(p, i) for i, x in enumerate(p)) == pytest.approx(wanted, abs=1e-12)
    assert 1 <= ml.perplexity(p) <= len(p) + 1e-12
    assert ml.perplexity([*p, 0]) == pytest.approx(wanted, abs=1e-12)


def perplexity_of_a_model(rel):
    """Line 99 without its 1: one over the geometric mean, for every base; with it, 1/b for every model."""
    probs = token_probabilities(rel)[0]
    for base in (2, math.e, 10):
        wanted = root(1 / math.prod(probs), len(probs))
        assert ml.model_perplexity(logs(probs, base), base=base) == pytest.approx(wanted, abs=1e-12)
        printed = base ** -(sum(1**log for log in logs(probs, base)) / len(probs))
        assert printed == pytest.approx(1 / base) != pytest.approx(wanted)


def perplexity_of_a_sentence(rel):
    """Line 106, the first and the second form."""
    probs = token_probabilities(rel)[0]
    p, n = math.prod(probs), len(probs)
    assert ml.sentence_perplexity(probs) == pytest.approx(float(p) ** (-1 / n), abs=1e-12)
    assert ml.sentence_perplexity(probs) == pytest.approx(root(1 / p, n), abs=1e-12)


def perplexity_of_a_sentence_by_factors(rel):
    """Line 106, the third form with 1 for N; with N it is N times too large."""
    probs = token_probabilities(rel)[0]
    n = len(probs)
    assert ml.sentence_perplexity(probs) == pytest.approx(root(math.prod(1 / p for p in probs), n), abs=1e-12)
    assert root(math.prod(n / p for p in probs), n) == pytest.approx(n * ml.sentence_perplexity(probs))


def probability_of_a_word(rel):
    """Line 108: what is multiplied is conditional; bigram counts of the text itself, which START begins."""
    history = [None, *rel[:-1]]
    pairs = list(zip(history, rel, strict=True))
    given = [Fraction(pairs.count(pair), history.count(pair[0])) for pair in pairs]
    alone = [Fraction(rel.count(word), len(rel)) for word in rel]
    assert ml.sentence_perplexity(given) == pytest.approx(root(1 / math.prod(given), len(rel)), abs=1e-12)
    assert ml.sentence_perplexity(given) <= ml.sentence_perplexity(alone) + 1e-12


def token_count(rel):
    """Line 112: each sentence has its words and one end, and the pooled exponent divides by all of them."""
    sentences = token_probabilities(rel)
    n = len(rel) + 1 + len(rel) // 2 + 1
    bits = -math.fsum(log for probs in sentences for log in logs(probs, 2))
    pooled = ml.corpus_perplexity([logs(probs, 2) for probs in sentences], base=2)
    assert math.log2(pooled) == pytest.approx(bits / n, abs=1e-12)


def perplexity_of_a_test_set(rel):
    """Line 115: the probability of the whole text, by its N'-th root; a geometric mean weighted by length."""
    sentences = token_probabilities(rel)
    p, n = math.prod(map(math.prod, sentences)), sum(map(len, sentences))
    got = ml.corpus_perplexity([logs(probs, 2) for probs in sentences], base=2)
    assert got == pytest.approx(root(1 / p, n), abs=1e-12)
    assert got == pytest.approx(
        math.prod(ml.sentence_perplexity(probs) ** (len(probs) / n) for probs in sentences), abs=1e-12
    )
    assert 2 ** -(math.log(p) / n) == pytest.approx(got ** math.log(2)) != pytest.approx(got)


def empirical_distribution(rel):
    """Line 119: the frequencies sum to 1 if the end is counted as a word, and to less if it is not."""
    words, ends = Fraction(len(rel) + len(rel) // 2), 2
    assert words / (words + ends) < 1
    frequencies = [Fraction(rel.count(word), len(rel) + 1) for word in sorted(set(rel))] + [Fraction(1, len(rel) + 1)]
    assert sum(frequencies) == 1
    mean_surprise = -math.fsum(math.log2(Fraction(rel.count(w), len(rel) + 1)) for w in rel) + math.log2(len(rel) + 1)
    assert ml.cross_entropy(frequencies, frequencies) == pytest.approx(mean_surprise / (len(rel) + 1), abs=1e-12)


def information_of_a_word(rel):
    """Line 119: what a code made for the model spends on a word; the mean over a text is log2 of its perplexity."""
    for probs in token_probabilities(rel):
        lengths = [surprise(probs, i) for i in range(len(probs))]
        assert math.log2(ml.sentence_perplexity(probs)) == pytest.approx(math.fsum(lengths) / len(probs), abs=1e-12)


def code_length(rel):
    """Line 121: the average code length is the logarithm of the perplexity, and less than it."""
    p = distribution(rel)
    length = math.fsum(float(x) * surprise(p, i) for i, x in enumerate(p))
    assert math.log2(ml.perplexity(p)) == pytest.approx(length, abs=1e-12)
    assert ml.perplexity(p) > length


WORKED_FORMULAS |= {
    (92, "perplexity of a distribution"): perplexity_of_a_distribution,
    (99, "perplexity of a model"): perplexity_of_a_model,
    (106, "perplexity of a sentence, first and second form"): perplexity_of_a_sentence,
    (106, "perplexity of a sentence, third form"): perplexity_of_a_sentence_by_factors,
    (108, "probability of a word"): probability_of_a_word,
    (112, "token count of a test set"): token_count,
    (115, "perplexity of a test set"): perplexity_of_a_test_set,
    (117, "cross-entropy"): cross_entropy,
    (119, "empirical distribution"): empirical_distribution,
    (119, "information of a word"): information_of_a_word,
    (121, "perplexity as a code length, in words"): code_length,
}


# 1: F1, accuracy, ROC

NUMBERS |= {
    (51, "lower bound of the accuracy of an all-negative prediction, fewer than ten clicks in a thousand"): min(
        Fraction(1000 - clicks, 1000) for clicks in range(1, 11)
    ),
}


def labelled(rel):
    """Labels of both classes and predictions of both, made of a list of grades."""
    return [1, 1, 0, *(grade % 2 for grade in rel)], [1, 0, 0, *(grade // 2 for grade in rel)]


def cells(rel):
    """TP, FP, FN, TN counted one by one, and the same as the library counts them."""
    labels, predicted = labelled(rel)
    seen = list(zip(labels, predicted, strict=True))
    return [seen.count(kind) for kind in ((1, 1), (0, 1), (1, 0), (0, 0))], ml.ConfusionCounts.from_labels(
        *labelled(rel)
    )


def the_four_cells(rel):
    """Lines 10 to 13: the second letter is the prediction, the first says whether it was right."""
    counted, library = cells(rel)
    assert [library.tp, library.fp, library.fn, library.tn] == counted


def matrix(rel):
    """Lines 16 to 35 and erratum 001-03: a row is a class; with the printed cells its sum is not the class size."""
    (tp, fp, fn, tn), _ = cells(rel)
    labels, _ = labelled(rel)
    assert ml.confusion_matrix(*labelled(rel), labels=[1, 0]).tolist() == [[tp, fn], [fp, tn]]
    assert tp + fn == sum(labels)
    assert (tp + tn == sum(labels)) == (tn == fn)


def precision(rel):
    (tp, fp, _, _), library = cells(rel)
    assert library.precision == pytest.approx(Fraction(tp, tp + fp))


def accuracy(rel):
    """Line 47 with TN: the share of equal pairs; without it, less by the share of true negatives."""
    (tp, fp, fn, tn), library = cells(rel)
    labels, predicted = labelled(rel)
    assert library.accuracy == pytest.approx(Fraction(sum(map(int.__eq__, labels, predicted)), len(labels)))
    assert library.accuracy - tp / (tp + tn + fp + fn) == pytest.approx(tn / len(labels))


def number_of_samples(rel):
    assert sum(cells(rel)[0]) == len(labelled(rel)[0])


def recall(rel):
    (tp, _, fn, _), library = cells(rel)
    assert library.recall == pytest.approx(Fraction(tp, tp + fn))


def f1_by_reciprocals(rel):
    (tp, fp, fn, _), library = cells(rel)
    assert 2 / library.f1 == pytest.approx(float(1 / Fraction(tp, tp + fp) + 1 / Fraction(tp, tp + fn)))


def f1_in_three_forms(rel):
    (tp, fp, fn, tn), library = cells(rel)
    p, r = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
    forms = {2 * p * r / (p + r), Fraction(2 * tp, 2 * tp + fp + fn), Fraction(2 * tp, tp + fp + fn + tn + tp - tn)}
    assert len(forms) == 1
    assert library.f1 == pytest.approx(forms.pop())


def f1_is_high_with_precision_and_recall(rel):
    """Line 75, corrected: F1 is at least the smaller of P and R; P and accuracy can be as high as one likes."""
    _, library = cells(rel)
    smaller = min(library.precision, library.recall)
    assert smaller - 1e-12 <= library.f1 <= 2 * smaller + 1e-12
    cautious = ml.ConfusionCounts(tp=1, fp=0, fn=9 + sum(rel), tn=10**6)
    assert cautious.precision == 1
    assert cautious.accuracy > 0.999
    assert cautious.f1 < 0.2


def roc_axes(rel):
    """Line 79 with its axes put right: the area is the share of pairs won; with the printed axes one minus that."""
    labels, scores = [1, 0, *(grade % 2 for grade in rel)], [2, 1, *rel[::-1]]
    sides = [[s for label, s in zip(labels, scores, strict=True) if label == side] for side in (1, 0)]
    won = sum((s > t) + Fraction(s == t, 2) for s in sides[0] for t in sides[1]) / len(sides[0]) / len(sides[1])
    fpr, tpr, _ = ml.roc_curve(labels, scores)
    assert ml.auc(fpr, tpr) == pytest.approx(float(won))
    assert ml.auc(tpr, fpr) == pytest.approx(float(1 - won))


def both_rates(rel):
    recall(rel)
    (_, fp, _, tn), library = cells(rel)
    assert library.false_positive_rate == pytest.approx(Fraction(fp, tn + fp))


def test_the_area_of_erratum_12_by_trapezoids():
    corners = [(Fraction(0), Fraction(0)), (Fraction(1, 10), Fraction(4, 5)), (Fraction(1), Fraction(1))]
    steps = list(pairwise(corners))
    assert sum((c - a) * (b + d) / 2 for (a, b), (c, d) in steps) == Fraction(85, 100)
    assert sum((d - b) * (a + c) / 2 for (a, b), (c, d) in steps) == Fraction(15, 100)


WORKED_FORMULAS |= {
    (10, "the four cells, in words"): the_four_cells,
    (16, "confusion matrix"): matrix,
    (41, "precision"): precision,
    (47, "accuracy"): accuracy,
    (49, "number of samples"): number_of_samples,
    (56, "recall, sensitivity, true positive rate"): recall,
    (70, "F1, reciprocal form"): f1_by_reciprocals,
    (72, "F1, three forms"): f1_in_three_forms,
    (75, "when F1 is high, in words"): f1_is_high_with_precision_and_recall,
    (79, "ROC axes"): roc_axes,
    (82, "true and false positive rate"): both_rates,
}


# 3: average precision

EXAMPLE = [1, 0, 1, 0, 1, 0]


def precisions(rel):
    return [Fraction(sum(rel[:k]), k) for k in range(1, len(rel) + 1)]


def mean_at_hits(rel, relevant):
    return sum(p for p, hit in zip(precisions(rel), rel, strict=True) if hit) / Fraction(relevant)


NUMBERS |= {(163, f"precision at rank {k}"): value for k, value in enumerate(precisions(EXAMPLE), 1)}
NUMBERS |= {(163, "AP of the example"): (Fraction(1, 1) + Fraction(2, 3) + Fraction(3, 5)) / 3}


def hits_of(rel):
    """A list of relevances with a hit at its end, made of a list of grades."""
    return [*(grade % 2 for grade in rel), 1]


def average_precision_in_words(rel):
    """Line 127: the mean over all relevant documents; one that is not returned adds nothing."""
    rel = hits_of(rel)
    for missing in (0, 2):
        wanted = mean_at_hits(rel, sum(rel) + missing)
        assert ml.average_precision(rel, n_relevant=sum(rel) + missing) == pytest.approx(float(wanted), abs=1e-12)
    assert ml.average_precision([0] * len(rel), n_relevant=3) == 0


def average_precision_by_documents(rel):
    """Lines 140 to 147, with i for the first subscript of y: over documents j with the ranks pi(j)."""
    y = hits_of(rel)
    pi = list(range(len(y), 0, -1))
    by_document = {j: Fraction(sum(y[k] for k in range(len(y)) if pi[k] <= pi[j]), pi[j]) for j in range(len(y))}
    wanted = sum(by_document[j] * y[j] for j in range(len(y))) / sum(y)
    assert ml.average_precision(y[::-1]) == pytest.approx(float(wanted), abs=1e-12)


def area_under_the_staircase(rel):
    """Erratum 001-08: the formula of line 140 as the area under the stepwise curve of line 129."""
    rel = hits_of(rel)
    recalls = [Fraction(sum(rel[:k]), sum(rel)) for k in range(len(rel) + 1)]
    area = sum((b - a) * p for (a, b), p in zip(pairwise(recalls), precisions(rel), strict=True))
    assert area == mean_at_hits(rel, sum(rel))
    assert ml.average_precision_score(rel, range(len(rel), 0, -1)) == pytest.approx(float(area), abs=1e-12)


def average_precision_as_printed(rel):
    average_precision_by_documents(rel)
    area_under_the_staircase(rel)


def precision_at_a_document(rel):
    """Line 145 and erratum 001-36: with the document as first subscript, the precision is that of another query."""
    rel = hits_of(rel)
    for k, value in enumerate(precisions(rel), 1):
        assert ml.precision_at_k(rel, k) == pytest.approx(float(value), abs=1e-12)


def mean_average_precision_in_words(rel):
    """Line 165: the mean of AP over the queries."""
    lists = [hits_of(rel), hits_of(rel)[::-1]]
    wanted = sum(mean_at_hits(one, sum(one)) for one in lists) / 2
    assert ml.mean_average_precision(lists) == pytest.approx(float(wanted), abs=1e-12)


def test_the_subscript_of_erratum_36():
    labels = [[1, 0, 1], [0, 1, 0], [0, 0, 1]]
    values = [
        sum(Fraction(sum(row[: j + 1]), j + 1) for j, row in ((0, a), (2, b))) / 2
        for a, b in ((labels[0], labels[0]), (labels[0], labels[2]))
    ]
    assert values == [Fraction(5, 6), Fraction(2, 3)]


WORKED_FORMULAS |= {
    (127, "average precision, in words"): average_precision_in_words,
    (140, "average precision"): average_precision_as_printed,
    (145, "precision at the rank of a document"): precision_at_a_document,
    (165, "mean average precision, in words"): mean_average_precision_in_words,
}


# 4: reciprocal rank


def first_hit(rel):
    return next((rank for rank, grade in enumerate(rel, 1) if grade), math.inf)


def reciprocal_rank_in_words(rel):
    """Line 169, for the first relevant result: its place inverted, which is the precision down to it."""
    rank = first_hit([*rel, 1])
    assert ml.reciprocal_rank([*rel, 1]) == pytest.approx(1 / rank, abs=1e-12)
    assert ml.precision_at_k([*rel, 1], rank) == pytest.approx(1 / rank, abs=1e-12)
    assert ml.reciprocal_rank([0] * len(rel)) == 0


def mean_reciprocal_rank(rel):
    """Line 172: the mean over queries, here the list from each rank on; one over the harmonic mean of the ranks."""
    lists = [[*rel[start:], *[0] * start, 1] for start in range(len(rel))]
    ranks = [first_hit(one) for one in lists]
    wanted = sum(Fraction(1, rank) for rank in ranks) / len(ranks)
    assert ml.mean_reciprocal_rank(lists) == pytest.approx(float(wanted), abs=1e-12)
    assert 1 / wanted <= Fraction(sum(ranks), len(ranks))
    unanswered = [*lists, [0] * len(lists[0])]
    assert ml.mean_reciprocal_rank(unanswered) == pytest.approx(
        float(wanted * len(ranks) / (len(ranks) + 1)), abs=1e-12
    )


def test_the_ways_to_an_mrr_of_one_half():
    for ranks in ([1, 3, 6], [1, 4, 4], [2, 2, 2]):
        assert sum(Fraction(1, rank) for rank in ranks) / 3 == Fraction(1, 2)
        assert ml.mean_reciprocal_rank(np.eye(6)[np.array(ranks) - 1]) == pytest.approx(0.5, abs=1e-12)


WORKED_FORMULAS |= {
    (169, "reciprocal rank, in words"): reciprocal_rank_in_words,
    (172, "mean reciprocal rank"): mean_reciprocal_rank,
}


# All sections


def test_every_printed_number_is_derived_here():
    assert set(NUMBERS) == set(WORKED)


@pytest.mark.parametrize("key", WORKED, ids=str)
def test_a_printed_number_against_its_definition(key):
    assert_derived(WORKED[key], NUMBERS[key])


def test_every_formula_is_worked_here():
    assert set(WORKED_FORMULAS) == set(FORMULAS)


@pytest.mark.parametrize("key", WORKED_FORMULAS, ids=str)
@pytest.mark.parametrize("rel", LISTS, ids=str)
def test_a_formula(key, rel):
    WORKED_FORMULAS[key](rel)
