"""What the exercises say is what is computed: formulas in tasks, messages of mistakes, costs of approaches."""

import inspect
import math
import re
import sys

import numpy as np
import pytest

from metrics_book import practice
from metrics_book.practice import _EXERCISES as EXERCISES
from metrics_book.practice import _engine
from tests.practice.queries import WRONG as WRONG_QUERIES
from tests.practice.submissions import WRONG as WRONG_FUNCTIONS

LOG_2 = math.log(2)
WRONG = [*WRONG_FUNCTIONS, *WRONG_QUERIES]


def stated(name, pattern):
    """The formula that a task prints, as Python."""
    (found,) = re.findall(pattern, " ".join(EXERCISES[name].task))
    return compile(found.replace("2 TP", "2 * TP").replace("^", "**"), name, "eval")


def value_of(formula, **names):
    return eval(formula, {"log2": math.log2, "log": math.log}, names)


def defined(name):
    """Arguments and right values of the tests, without 0/0."""
    exercise = EXERCISES[name]
    for case, value in zip(exercise.cases, exercise.expected, strict=True):
        if not _engine.undefined(value):
            yield [_engine.fresh(argument) for argument in case.arguments], value


# ---- tasks ------------------------------------------------------------------------------------------------------


def test_the_formula_of_dcg():
    term = stated("ndcg_at_k", r"DCG@k is the sum of (.+?) over the first k ranks")

    def dcg(grades, k):
        return sum(value_of(term, rel_i=grade, i=i) for i, grade in enumerate(grades[:k], start=1))

    for (rel, k), value in defined("ndcg_at_k"):
        assert math.isclose(dcg(rel, k) / dcg(sorted(rel, reverse=True), k), value, abs_tol=1e-12)


def test_the_formula_of_f1():
    for name in ("precision_recall_f1", "macro_micro_f1"):
        f1 = stated(name, r"(2 TP / \(2 TP \+ FP \+ FN\))")
        for (true, predicted), values in defined(name):
            labels = [1] if name == "precision_recall_f1" else sorted({*true.tolist(), *predicted.tolist()})
            cells = [
                {
                    "TP": int(((true == c) & (predicted == c)).sum()),
                    "FP": int(((true != c) & (predicted == c)).sum()),
                    "FN": int(((true == c) & (predicted != c)).sum()),
                }
                for c in labels
            ]
            f1s = [value_of(f1, **cell) if any(cell.values()) else 0 for cell in cells]
            place = 2 if name == "precision_recall_f1" else 0
            assert math.isclose(np.mean(f1s), values[place], abs_tol=1e-12)


def test_the_formulas_of_precision_and_recall_at_k():
    precision = stated("hit_rate", r"precision at k \((.+?)\)")
    recall = stated("hit_rate", r"recall at k \((.+?)\)")
    for (rel, k, n_relevant), values in defined("hit_rate"):
        users = [
            {"hits": int((row[:k] > 0).sum()), "k": k, "n_relevant": n}
            for row, n in zip(rel, n_relevant.tolist(), strict=True)
            if n
        ]
        for formula, value in zip((precision, recall), values[1:], strict=True):
            assert math.isclose(np.mean([value_of(formula, **user) for user in users]), value, abs_tol=1e-12)


def test_the_formula_of_satisfaction():
    satisfied = stated("expected_reciprocal_rank", r"with probability (\(2\^g - 1\) / 2\^max_grade)")
    for (grades, k, max_grade), value in defined("expected_reciprocal_rank"):
        tail = 0.0
        for rank, grade in reversed(list(enumerate(grades[:k].tolist(), start=1))):
            p = value_of(satisfied, g=grade, max_grade=max_grade)
            tail = p / rank + (1 - p) * tail
        assert math.isclose(tail, value, abs_tol=1e-12)


def test_the_formula_of_kl():
    term = stated("kl_divergence", r"the sum over the events of (p \* log2\(p / q\))")
    for (p, q), value in defined("kl_divergence"):
        if math.isfinite(value):
            total = sum(value_of(term, p=a, q=b) for a, b in zip(p.tolist(), q.tolist(), strict=True) if a)
            assert math.isclose(total, value, abs_tol=1e-12)


def test_the_formula_of_kappa():
    kappa = stated("cohen_kappa", r"Return one number: (\(p_o - p_e\) / \(1 - p_e\))")
    for (true, predicted), value in defined("cohen_kappa"):
        agreed = np.mean(true == predicted)
        by_chance = math.fsum(np.mean(true == c) * np.mean(predicted == c) for c in set(true.tolist()))
        assert math.isclose(value_of(kappa, p_o=agreed, p_e=by_chance), value, abs_tol=1e-12)


def test_the_formulas_of_the_interval():
    low, high = (
        stated("bootstrap_interval", rf"the quantiles {share}of the means")
        for share in (r"(\(1 - level\) / 2) and \(1 \+ level\) / 2 ", r"\(1 - level\) / 2 and (\(1 \+ level\) / 2) ")
    )
    for (values, indices, level), ends in defined("bootstrap_interval"):
        means = [math.fsum(values[row]) / len(row) for row in indices]
        assert np.allclose(ends, np.quantile(means, [value_of(low, level=level), value_of(high, level=level)]))


def test_the_reasons_of_the_new_cases():
    """What a case says of its own numbers."""
    kappa, interval = (
        {case.name: (case, value) for case, value in zip(exercise.cases, exercise.expected, strict=True)}
        for exercise in (EXERCISES["cohen_kappa"], EXERCISES["bootstrap_interval"])
    )
    shares = {
        name: [np.mean(np.array(y)[:, None] == [0, 1], axis=0) for y in case.arguments]
        for name, (case, _) in kappa.items()
        if name in ("ten items", "a rare class")
    }
    agreed = {name: np.mean(np.equal(*kappa[name][0].arguments)) for name in shares}
    assert math.isclose(shares["ten items"][0] @ shares["ten items"][1], 1 / 2)
    assert agreed["ten items"] == 0.7
    assert agreed["a rare class"] == 0.8 < shares["a rare class"][0] @ shares["a rare class"][1]
    assert kappa["a rare class"][1] < 0 > kappa["less than by chance"][1]
    case, (low, high) = interval["a skewed sample"]
    assert not math.isclose(np.mean(case.arguments[0]) - low, high - np.mean(case.arguments[0]))
    low, high = interval["negative values"][1]
    assert low < 0 < high
    low, high = interval["equal values"][1]
    assert low == high
    rained, forecast, _ = EXERCISES["expected_calibration_error"].cases[-1].arguments
    middle = (forecast > 0.3) & (forecast < 0.7)
    assert forecast[middle].mean() > rained[middle].mean() + 0.05


def test_the_bounds_and_the_price_of_clipping():
    assert any(
        "clipped to [eps, 1 - eps] first, eps = numpy.finfo(float).eps" in line for line in EXERCISES["log_loss"].task
    )
    price = stated("log_loss", r"a certain mistake costs, here (52) log 2")
    reference = EXERCISES["log_loss"].reference
    for label in (0, 1):
        certain = reference(np.array([label]), np.array([1.0 - label]))
        assert math.isclose(certain, value_of(price) * LOG_2)
        assert math.isclose(certain, -math.log(np.finfo(float).eps))
    assert reference(np.array([1]), np.array([0.0])) == reference(np.array([1]), np.array([1e-99]))  # what it hides


@pytest.mark.parametrize("name", ["reciprocal_rank", "average_precision", "hit_rate"])
def test_what_counts_as_relevant_is_said_and_tried(name):
    assert any("greater than 0: 0.5 is relevant, -1 is not" in line for line in EXERCISES[name].task)
    values = {value for case in EXERCISES[name].cases for value in np.ravel(case.arguments[0]).tolist()}
    assert {0.5, -1} <= values


@pytest.mark.parametrize("name", ["auc", "gauc", "auc_by_histogram"])
def test_a_value_below_one_half_is_expected_somewhere(name):
    assert any(np.ravel(value)[0] < 0.5 for _, value in defined(name))


# ---- mistakes ---------------------------------------------------------------------------------------------------

TIED, LOST, WON = ([0, 1], [1, 1]), ([1, 0], [0, 1]), ([0, 1], [0, 1])
HALF_FOUND = ([1, 1], [1, 0])  # precision 1, recall 1/2
USERS = ([1, 0, 1], [1, 0, 5], [0, 0, 1])  # an AUC of 1 with two rows, and a row of one class
ROWS = ([0, 1, 1], [1, 2, 3])
BINS = ([0, 1, 0, 1], [0.0, 0.1, 0.9, 1.0], 2)  # one pair won, one lost, two in one bin
AGREED = ([0, 0, 0, 1], [0, 0, 1, 1])  # p_o 3/4, p_e 1/2
GAPS = ([0, 0, 0], [0.25, 0.25, 0.25], 2)
RESAMPLES = ([0.0, 0.0, 6.0], [[0, 0, 1], [1, 0, 0], [1, 2, 2]], 1 - 1e-16)
PAIR = ([[1, 0.4], [0.4, 1]],)
TRIPLE = ([[1, 0.5, 0.5], [0.5, 1, 0.5], [0.5, 0.5, 1]],)
CLAIMS = [  # words of one message, arguments, and what the mistake must give
    ("auc", "this is 1 - AUC.", LOST, 1),
    ("auc", "a tied pair counts nothing here", TIED, 0),
    ("auc", "a tied pair counts as won here", TIED, 1),
    ("auc", "the area is negative", WON, -1),
    ("auc", "lacks the subtraction", WON, 2),
    ("auc", "the ranks start at 0", WON, 0),
    ("auc", "P (P - 1) / 2 is subtracted", WON, 2),
    ("auc", "turned over into 1 - AUC", LOST, 1),
    ("auc", "this is 2 AUC - 1", LOST, -1),
    ("auc", "tied pairs are left out", ([0, 1, 1], [1, 1, 2]), 1),
    ("auc", "cut at one half first", ([0, 1], [0.6, 0.7]), 0.5),
    ("gauc", "groups of one class count 0", USERS, 2 / 3),
    ("gauc", "groups of one class count one half", USERS, 2.5 / 3),
    ("gauc", "groups of one class count 1", ([1, 0, 1], [0, 1, 5], [0, 0, 1]), 1 / 3),
    ("gauc", "this is 2 GAUC - 1", ([1, 0], [0, 1], [0, 0]), -1),
    ("gauc", "this is 1 - GAUC", ([1, 0], [0, 1], [0, 0]), 1),
    ("precision_recall_f1", "arithmetic mean", HALF_FOUND, (1, 0.5, 0.75)),
    ("precision_recall_f1", "geometric mean", HALF_FOUND, (1, 0.5, math.sqrt(0.5))),
    ("precision_recall_f1", "lacks the factor 2", HALF_FOUND, (1, 0.5, 1 / 3)),
    ("precision_recall_f1", "precision and recall are swapped", HALF_FOUND, (0.5, 1, 2 / 3)),
    ("precision_recall_f1", "F2, which weights recall more", HALF_FOUND, (1, 0.5, 5 / 9)),
    ("precision_recall_f1", "F0.5, which weights precision more", HALF_FOUND, (1, 0.5, 5 / 6)),
    ("precision_recall_f1", "Jaccard", HALF_FOUND, (1, 0.5, 0.5)),
    ("precision_recall_f1", "the smaller of precision and recall", HALF_FOUND, (1, 0.5, 0.5)),
    ("precision_recall_f1", "false discovery rate", HALF_FOUND, lambda values: values[:2] == (0, 0.5)),
    ("precision_recall_f1", "miss rate", ([1, 1, 1, 1], [1, 0, 0, 0]), lambda values: values[:2] == (1, 0.75)),
    ("precision_recall_f1", "specificity", ([1, 0, 0, 0, 0], [1, 1, 1, 1, 0]), lambda values: values[1] == 0.25),
    ("macro_micro_f1", "the labels 0 to the greatest", ([0, 3], [0, 3]), (0.5, 1)),
    ("macro_micro_f1", "are added", ([0, 3], [0, 3]), (2, 1)),
    ("macro_micro_f1", "of the summed counts, the Jaccard index", ([0, 1], [0, 0]), (1 / 3, 1 / 3)),
    ("macro_micro_f1", "macro and micro are swapped", ([0, 1], [0, 0]), (0.5, 1 / 3)),
    ("ndcg_at_k", "items that stand below the cut cost nothing", ([1, 0, 3], 2), 1),
    ("ndcg_at_k", "a perfect top k stays below 1", ([3, 2, 1], 2), lambda value: value < 1),
    ("ndcg_at_k", "the gain is 2^rel - 1", ([1, 2], 1), 1 / 3),
    ("ndcg_at_k", "starts one rank late", ([0, 1], 2), math.log2(3) / 2),
    ("ndcg_at_k", "1 / log2(i) with ranks 1 and 2 in full", ([0, 0, 1], 3), 1 / math.log2(3)),
    ("ndcg_at_k", "the discount is 1 / i;", ([0, 0, 1], 3), 1 / 3),
    ("ndcg_at_k", "there is no discount", ([0, 0, 1], 3), 1),
    ("ndcg_at_k", "rank k itself counts", ([1, 2], 2), 0.5),
    ("ndcg_at_k", "rank k + 1 is counted", ([0, 1], 1), 1 / math.log2(3)),
    ("ndcg_at_k", "this is DCG", ([3], 1), 3),
    ("ndcg_at_k", "the ideal is made of a set", ([1, 1], 2), 1 + 1 / math.log2(3)),
    ("ndcg_at_k", "cut to whole numbers", ([0.25, 1], 1), 0),
    ("ndcg_at_k", "the highest grade at every rank", ([0, 2], 2), 1 / (1 + math.log2(3))),
    ("average_precision", "divided by the hits found", ([1, 0], 2, 5), 1),
    ("average_precision", "divided by k;", ([1, 0, 1, 0], 2, 5), 1 / 2),
    ("average_precision", "the smaller of k and n_relevant", ([1, 0, 0], 3, 5), 1 / 3),
    ("average_precision", "the greater of k and n_relevant", ([1, 0, 0], 3, 2), 1 / 3),
    ("average_precision", "one over the rank is added", ([1, 1], 2, 2), 0.75),
    ("average_precision", "only the first hit counts", ([0, 1, 1], 3, 2), 0.25),
    ("average_precision", "counted after its precision", ([1, 1], 2, 2), 0.25),
    ("average_precision", "this is precision at k", ([0, 1], 2, 4), 0.5),
    ("average_precision", "this is recall at k", ([0, 1], 2, 4), 0.25),
    ("average_precision", "R-precision", ([0, 1, 1], 3, 2), 0.5),
    ("average_precision", "rank k itself counts", ([0, 1], 2, 1), 0),
    ("average_precision", "rank k + 1 is counted", ([0, 1], 1, 1), 0.5),
    ("average_precision", "interpolated: at each hit", ([0, 1, 1], 3, 2), 2 / 3),
    ("reciprocal_rank", "this is the rank; the value is one over it", ([0, 0, 1], 3), 3),
    ("reciprocal_rank", "ranks start at 2", ([1], 1), 0.5),
    ("reciprocal_rank", "the rank of the last hit", ([1, 1], 2), 0.5),
    ("reciprocal_rank", "are averaged", ([1, 1], 2), 0.75),
    ("reciprocal_rank", "are added", ([1, 1], 2), 1.5),
    ("reciprocal_rank", "rank k itself is seen", ([0, 1], 2), 0),
    ("reciprocal_rank", "a hit below the cut is counted", ([0, 1], 1), 0.5),
    ("reciprocal_rank", "the rank of the highest grade", ([1, 2], 2), 0.5),
    ("reciprocal_rank", "the grade is divided by the rank", ([3], 1), 3),
    ("reciprocal_rank", "square of the rank", ([0, 1], 2), 0.25),
    ("reciprocal_rank", "1 / log2(rank + 1)", ([0, 1], 2), 1 / math.log2(3)),
    ("reciprocal_rank", "just below the cut", ([0, 0], 2), 1 / 3),
    ("reciprocal_rank", "is // written for /", ([0, 1], 2), 0),
    ("hit_rate", "can exceed 1", ([[1, 1]], 2, [2]), lambda values: values[0] > 1),
    ("hit_rate", "the length of the list where k is beyond", ([[1]], 2, [1]), (1, 1, 1)),
    ("hit_rate", "the relevant items in the list", ([[1, 0]], 1, [4]), (1, 1, 1)),
    ("hit_rate", "recall divides by the smaller of k", ([[1, 1]], 1, [4]), (1, 1, 1)),
    ("hit_rate", "precision divides by the smaller of k", ([[1, 0]], 2, [1]), (1, 1, 1)),
    ("hit_rate", "with all relevant items found", ([[1, 0]], 2, [2]), (0, 0.5, 0.5)),
    ("log_loss", "in bits", ([1], [0.5]), 1),
    ("log_loss", "log base 10", ([1], [0.1]), 1),
    ("log_loss", "this is the sum over the rows", ([1, 1], [0.5, 0.5]), 2 * LOG_2),
    ("log_loss", "the sign is missing", ([1], [0.5]), -LOG_2),
    ("log_loss", "the loss of the other label", ([1], [0.75]), 2 * LOG_2),
    ("log_loss", "bounded at -100", ([1], [0.0]), 100),
    ("log_loss", "taken for logits", ([1], [0.0]), LOG_2),
    ("log_loss", "Brier", ([1], [0.5]), 0.25),
    ("log_loss", "mean absolute error", ([1], [0.5]), 0.5),
    ("perplexity", "one over the perplexity", (([math.log(0.1)],),), 0.1),
    ("perplexity", "cross-entropy, in nats", (([math.log(0.5)],),), LOG_2),
    ("perplexity", "cross-entropy, in bits", (([math.log(0.5)],),), 1),
    ("perplexity", "2 is raised to a surprise in nats", (([-3.0],),), 8),
    ("perplexity", "e is raised to a surprise in bits", (([-3 * LOG_2],),), math.e**3),
    ("perplexity", "only the first sentence", (([0.0], [-1.0]),), 1),
    ("perplexity", "the maximum of the texts'", (([0.0], [-1.0]),), math.e),
    ("perplexity", "the minimum of the texts'", (([-1.0], [0.0]),), 1),
    ("perplexity", "the sum of the texts'", (([0.0], [0.0]),), 2),
    ("kl_divergence", "in nats", ([1, 0], [0.5, 0.5]), LOG_2),
    ("kl_divergence", "log base 10", ([1, 0], [0.1, 0.9]), 1),
    ("kl_divergence", "you computed KL(q||p)", ([0.5, 0.5], [1, 0]), 1),
    ("kl_divergence", "this is the cross-entropy", ([0.5, 0.5], [0.5, 0.5]), 1),
    ("kl_divergence", "this is the entropy of p", ([0.5, 0.5], [0.25, 0.75]), 1),
    ("kl_divergence", "half the sum of |p - q|", ([1, 0], [0, 1]), 1),
    ("kl_divergence", "twice the total variation", ([1, 0], [0, 1]), 2),
    ("kl_divergence", "the sign is wrong", ([1, 0], [0.5, 0.5]), -1),
    ("expected_reciprocal_rank", "the reader never stops", ([1, 1], 2, 1), 0.75),
    ("expected_reciprocal_rank", "already taken off when it is reached", ([1], 1, 1), 0.25),
    ("expected_reciprocal_rank", "1 / log2(rank + 1)", ([0, 1], 2, 1), 0.5 / math.log2(3)),
    ("expected_reciprocal_rank", "satisfied at all", ([0, 1], 2, 1), 0.5),
    ("expected_reciprocal_rank", "the top grade always satisfies", ([3], 1, 3), 1),
    ("expected_reciprocal_rank", "even grade 0 satisfies", ([0], 1, 3), 1 / 8),
    ("expected_reciprocal_rank", "the probability is grade / max_grade", ([1], 1, 4), 1 / 4),
    ("expected_reciprocal_rank", "only the 1 is divided", ([2], 1, 2), 4 - 1 / 4),
    ("expected_reciprocal_rank", "2**(g - 1) stands", ([2], 1, 2), 1 / 2),
    ("expected_reciprocal_rank", "ERR of the ideal order", ([0, 1], 2, 1), 1 / 2),
    ("expected_reciprocal_rank", "the discount is 1 / rank^2", ([0, 1], 2, 1), 1 / 8),
    ("expected_reciprocal_rank", "the first grade above 0", ([0, 1], 2, 4), 1 / 2),
    ("intra_list_similarity", "which grows with the list", TRIPLE, 1.5),
    ("intra_list_similarity", "counted twice, but the divisor counts it once", PAIR, 0.8),
    ("intra_list_similarity", "counted once, but the divisor counts it twice", PAIR, 0.2),
    ("intra_list_similarity", "divided by n^2", PAIR, 0.1),
    ("intra_list_similarity", "divided by the number of items", TRIPLE, 0.5),
    ("intra_list_similarity", "divided by n - 1", TRIPLE, 0.75),
    ("intra_list_similarity", "the divisor is n (n + 1) / 2", TRIPLE, 0.25),
    ("intra_list_similarity", "this is 1 - ILS", PAIR, 0.6),
    ("intra_list_similarity", "are squared", PAIR, 0.16),
    ("roc_points", "these are counts", ROWS, ((0, 0, 0, 1), (0, 1, 2, 2))),
    ("roc_points", "both counts are divided by the number of rows", ROWS, ((0, 0, 0, 1 / 3), (0, 1 / 3, 2 / 3, 2 / 3))),
    ("roc_points", "this is FP / (TP + FP)", ROWS, ((0, 0, 0, 1 / 3), (0, 1 / 2, 1, 1))),
    ("roc_points", "the axes are swapped", ROWS, ((0, 1 / 2, 1, 1), (0, 0, 0, 1))),
    ("roc_points", "the first rates are TN / N", ROWS, ((1, 1, 1, 0), (0, 1 / 2, 1, 1))),
    ("roc_points", "the first rates are FN / P", ROWS, ((1, 1 / 2, 0, 0), (0, 1 / 2, 1, 1))),
    ("roc_points", "the second rates are FN / P", ROWS, ((0, 0, 0, 1), (1, 1 / 2, 0, 0))),
    ("roc_points", "the last point, (1, 1), comes twice", ROWS, ((0, 0, 0, 1, 1), (0, 1 / 2, 1, 1, 1))),
    ("auc_by_histogram", "a pair within one bin counts nothing", BINS, (1 / 4, 1 / 4)),
    ("auc_by_histogram", "a pair within one bin counts as won", BINS, (3 / 4, 1 / 4)),
    ("auc_by_histogram", "the bound is twice too wide", BINS, (1 / 2, 1 / 2)),
    ("auc_by_histogram", "the bound is a number of pairs", BINS, (1 / 2, 1)),
    ("auc_by_histogram", "the value is the AUC of the scores", BINS, (3 / 4, 1 / 4)),
    ("auc_by_histogram", "this is the error itself", BINS, (1 / 2, 1 / 4)),
    ("cohen_kappa", "raw agreement", AGREED, 3 / 4),
    ("cohen_kappa", "chance is 1 over the number of classes", AGREED, 1 / 2),
    ("cohen_kappa", "Scott's pi", AGREED, (3 / 4 - 17 / 32) / (15 / 32)),
    ("cohen_kappa", "the squared shares of y_true", AGREED, (3 / 4 - 10 / 16) / (6 / 16)),
    ("cohen_kappa", "chance is one half", AGREED, 1 / 2),
    ("cohen_kappa", "not divided by 1 - p_e", AGREED, 1 / 4),
    ("cohen_kappa", "divided by p_o", AGREED, 1 / 3),
    ("cohen_kappa", "divided by p_e", AGREED, 1 / 2),
    ("cohen_kappa", "divided by 1 - p_o", AGREED, 1),
    ("cohen_kappa", "cut off at 0", ([0, 1], [1, 0]), 0),
    ("expected_calibration_error", "every bin weighs the same", GAPS, lambda value: value in (0.25, 0.125)),
    ("expected_calibration_error", "greatest gap", GAPS, 0.25),
    ("expected_calibration_error", "are squared", GAPS, 1 / 16),
    ("expected_calibration_error", "not divided by the number of rows", GAPS, 0.75),
    ("expected_calibration_error", "the middle of the bin", ([0, 1, 0], [0.125, 0.5, 0.25], 2), 1 / 12),
    ("expected_calibration_error", "the bins are missing", ([1, 0], [0.25, 0.75], 2), 0),
    ("bootstrap_interval", "the median", RESAMPLES, (0, 6)),
    ("bootstrap_interval", "added up", RESAMPLES, (0, 12)),
    ("bootstrap_interval", "always 0.95", ([0, 8], [[0, 0], [1, 1]], 0.5), (0.2, 7.8)),
    ("bootstrap_interval", "the upper end comes first", RESAMPLES, (4, 0)),
    ("bootstrap_interval", "the basic interval", RESAMPLES, (0, 4)),
]


@pytest.mark.parametrize(("name", "words", "arguments", "value"), CLAIMS, ids=[f"{c[0]}: {c[1]}" for c in CLAIMS])
def test_a_message_says_what_its_mistake_computes(name, words, arguments, value):
    (mistake,) = (mistake for mistake in EXERCISES[name].mistakes if words in mistake.message)
    for variant in mistake.variants:
        got = _engine.quiet(variant, _engine.Case("", "", arguments)).value
        assert value(got) if callable(value) else _engine.close(got, _engine.plain(value)), got


@pytest.mark.parametrize("name", EXERCISES)
def test_a_message_about_nothing_to_average_says_what_its_mistake_gives(name):
    words = {"0": 0, "1": 1, "one half": 0.5}
    for mistake in EXERCISES[name].mistakes:
        said = re.search(r"gives (0|1|one half) here", mistake.message)
        if said and "0/0 gives" not in mistake.message:
            for variant in mistake.variants:
                values = [_engine.quiet(variant, case).value for case in EXERCISES[name].cases]
                pairs = zip(values, EXERCISES[name].expected, strict=True)
                given = [set(np.ravel(value)) for value, right in pairs if _engine.undefined(right)]
                assert given
                assert all(each == {words[said[1]]} for each in given)


# ---- wrong submissions as they are written in a hurry -----------------------------------------------------------


@pytest.mark.parametrize(("name", "expected", "function"), WRONG, ids=[function.__name__ for _, _, function in WRONG])
def test_a_wrong_submission_is_refused_and_never_wrongly_named_as_certain(name, expected, function):
    report = practice.check(name, function)
    assert not report.passed
    said = " ".join(report.mistakes)
    certain = [mistake for mistake in report.mistakes if mistake.startswith("What went wrong: ")]
    assert len(certain) <= 1
    assert len(certain) in (0, len(report.mistakes))
    assert all(any(words in mistake for words in expected) for mistake in certain)
    assert all(words in said for words in expected)
    assert bool(said) == bool(expected)


def test_most_wrong_submissions_are_named():
    """The aim is 60 %."""
    named = [function for name, expected, function in WRONG if expected]
    assert len(named) / len(WRONG) > 0.8
    assert {name for name, _, _ in WRONG} == set(EXERCISES)


# ---- costs ------------------------------------------------------------------------------------------------------


def data(name, n):
    """Arguments of size n, for which loops go to their end."""
    y, s = np.arange(n) % 2, np.random.default_rng(0).random(n)
    last = np.r_[np.zeros(n - 1), 1]
    return {
        "auc": (y, s),
        "roc_points": (y, s),
        "auc_by_histogram": (y, s, 8),
        "gauc": (y, s, np.arange(n) // 10),
        "precision_recall_f1": (y, y),
        "macro_micro_f1": (y, y),
        "cohen_kappa": (y, y),
        "expected_calibration_error": (y, s, 8),
        "bootstrap_interval": (s, np.arange(8 * n).reshape(8, n) % n, 0.9),
        "ndcg_at_k": (last, n),
        "average_precision": (last, n, 1),
        "reciprocal_rank": (last, n),
        "hit_rate": (np.ones((n, 5)), 5, np.full(n, 9)),
        "log_loss": (y, s),
        "perplexity": ([np.log(row) for row in s.reshape(-1, 5)],),
        "kl_divergence": (np.full(n, 1 / n), np.full(n, 1 / n)),
        "expected_reciprocal_rank": (np.ones(n, int), n, 2),
        "intra_list_similarity": (np.ones((n, n)),),
    }[name]


def steps(function, arguments):
    """How many steps of the interpreter the function takes in its own file."""
    count, file = 0, inspect.getsourcefile(function)

    def trace(frame, event, _):
        nonlocal count
        if frame.f_code.co_filename != file:
            return None
        frame.f_trace_opcodes = True
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count


def first_cost(complexity):
    return re.match(r"O\(((?:[^()]|\([^)]*\))+)\)", complexity)[1]


def growth(complexity, n, m):
    """By how much the first cost that is named rises from n to m, logarithms aside, which are those of sorts."""
    formula = (
        first_cost(complexity)
        .replace(" log n", "")
        .replace(" log b", "")
        .replace("b n", "b * n")
        .replace("^", "**")
        .replace("P N", "n * n / 4")
        .replace("n t", "n * n")
    )

    def cost(size):
        fixed = {"b": 8, "c": 2, "users": size}
        return eval(formula, {}, fixed | {"n": size, "tokens": size, "k": 5 if "users" in formula else size})

    return cost(m) / cost(n)


IN_PYTHON = [name for name in EXERCISES if EXERCISES[name].language == "python"]
APPROACHES = [(name, approach) for name in IN_PYTHON for approach in EXERCISES[name].approaches]
each_approach = pytest.mark.parametrize(
    ("name", "approach"), APPROACHES, ids=[approach.function.__name__ for _, approach in APPROACHES]
)


@each_approach
def test_an_approach_costs_what_it_says(name, approach):
    few, many = (steps(approach.function, data(name, size)) for size in (50, 200))
    source = inspect.getsource(approach.function)
    said = growth(approach.complexity, 50, 200)
    loops = re.search(r"\b(for|while)\b|groupby", source)
    assert many / few < 1.1 * said
    if "no loop in Python" in approach.complexity:
        assert not loops
        assert many == few
    elif loops and "numpy" not in source and approach.function.__name__ != "roc_points_by_threshold":
        assert many / few > 0.7 * said  # whose loop of t steps looks at n rows in each


@each_approach
def test_an_approach_names_its_sort(name, approach):
    source = inspect.getsource(approach.function)
    sorts = bool(re.search(r"sort|unique|bisect", source))
    assert ("log" in (cost := first_cost(approach.complexity)) or cost == "n t") == sorts
