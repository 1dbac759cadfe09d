"""The functions of the lesson on judges and text, beside statsmodels, krippendorff, sacreBLEU and enumeration."""

import itertools
import math
from functools import cache

import krippendorff
import numpy as np
import pytest
import sacrebleu
from scipy.stats import kendalltau
from sklearn.metrics import cohen_kappa_score as sklearn_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from metrics_lib import cohen_kappa_score

LESSON = "judges-and-text"
SEEDS = range(10)
VOCABULARY = np.array(["the", "cat", "sat", "on", "mat", "."])


def texts(rng, count, low, high):
    """Texts of few different words, so that n-grams repeat and match."""
    return [" ".join(rng.choice(VOCABULARY, rng.integers(low, high))) for _ in range(count)]


@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_as_in_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 4, (2, 30))
    for weights in (None, "linear", "quadratic"):
        expected = sklearn_kappa(first, second, weights=weights)
        assert cohen_kappa_score(first, second, weights=weights) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_kappa_as_in_statsmodels(lesson, seed):
    rng = np.random.default_rng(seed)
    raters, labels = rng.integers(2, 6, 2)
    counts = rng.multinomial(raters, np.full(labels, 1 / labels), rng.integers(2, 20))
    assert lesson["fleiss_kappa"](counts) == pytest.approx(statsmodels_kappa(counts), abs=1e-12)


def test_fleiss_kappa_at_its_ends(lesson):
    assert lesson["fleiss_kappa"]([[2, 0], [0, 2]]) == 1
    assert lesson["fleiss_kappa"]([[1, 1], [1, 1]]) == -1


@pytest.mark.parametrize("counts", [[[1, 0], [0, 1]], [[0, 0]], [[2, 0], [1, 2]], np.empty((0, 2))])
def test_fleiss_kappa_refuses_fewer_than_two_raters_or_unequal_ones(lesson, counts):
    with pytest.raises(ValueError, match="counts"):
        lesson["fleiss_kappa"](counts)


@pytest.mark.parametrize("seed", SEEDS)
def test_krippendorff_alpha_as_in_its_package(lesson, seed):
    rng = np.random.default_rng(seed)
    ratings = rng.integers(0, 3, (rng.integers(2, 6), rng.integers(4, 20))).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    ratings[:2, :2] = [[0, 1], [1, 1]]
    expected = krippendorff.alpha(ratings, level_of_measurement="nominal")
    assert lesson["krippendorff_alpha"](ratings) == pytest.approx(expected, abs=1e-12)


def test_krippendorff_alpha_takes_none_for_a_gap_and_has_its_ends(lesson):
    alpha = lesson["krippendorff_alpha"]
    assert alpha([[0, 1, None], [0, 1, 1]]) == 1
    assert alpha([[0, 1], [1, 0]]) == pytest.approx(1 - 1 / (4 * 2 / 12))


@pytest.mark.parametrize("ratings", [[[0, 1, 1]], [[0, None], [None, 1]], [[None], [None]]])
def test_krippendorff_alpha_refuses_fewer_than_two_raters(lesson, ratings):
    with pytest.raises(ValueError, match="ratings"):
        lesson["krippendorff_alpha"](ratings)


def test_alpha_and_kappa_are_0_on_average_for_random_labels(lesson):
    """Exactly: over all orders of the labels; Fleiss' kappa lies below, as it draws with replacement."""
    orders = list(itertools.permutations([0, 0, 0, 1, 1, 2]))
    alphas = [lesson["krippendorff_alpha"]([order[:3], order[3:]]) for order in orders]
    assert np.mean(alphas) == pytest.approx(0, abs=1e-12)
    assert np.mean([cohen_kappa_score([0, 0, 1, 1, 2, 2], order) for order in orders]) == pytest.approx(0, abs=1e-12)
    counts = [[[pair.count(label) for label in range(3)] for pair in zip(o[:3], o[3:], strict=True)] for o in orders]
    assert np.mean([lesson["fleiss_kappa"](table) for table in counts]) < -0.1


@pytest.mark.parametrize("tokenize", ["none", "13a"])
@pytest.mark.parametrize("seed", SEEDS)
def test_bleu_as_in_sacrebleu(lesson, seed, tokenize):
    """The tokens are given, the full stop between blanks, so that its usual tokenisation changes nothing."""
    rng = np.random.default_rng(seed)
    outputs, references = texts(rng, 8, 1, 15), texts(rng, 8, 1, 15)
    expected = sacrebleu.corpus_bleu(outputs, [references], tokenize=tokenize, smooth_method="none", force=True)
    assert lesson["bleu"](outputs, references) == pytest.approx(expected.score, abs=1e-9)


@pytest.mark.parametrize("outputs", [[""], ["a"], ["the cat sat"], ["the cat sat on"], ["the cat sat on the mat"]])
def test_bleu_of_short_outputs_as_in_sacrebleu(lesson, outputs):
    references = ["the cat sat on the mat ."]
    expected = sacrebleu.corpus_bleu(outputs, [references], tokenize="none", smooth_method="none", force=True)
    assert lesson["bleu"](outputs, references) == pytest.approx(expected.score, abs=1e-9)


def test_bleu_needs_a_reference_for_each_output(lesson):
    with pytest.raises(ValueError, match="zip"):
        lesson["bleu"](["a b c d", "e"], ["a b c d"])


@pytest.mark.parametrize("pair", [("the cat sat on", ["the cat sat on"]), (["the cat sat on"], "the cat sat on")])
def test_bleu_refuses_a_text_in_place_of_a_list(lesson, pair):
    with pytest.raises(ValueError, match="expected lists of texts"):
        lesson["bleu"](*pair)


def test_bleu_depends_on_the_tokenisation(lesson):
    outputs, references = ["it is not safe at all."], ["it is not safe at all ."]
    by_13a = sacrebleu.corpus_bleu(outputs, [references], tokenize="13a", smooth_method="none").score
    assert by_13a == pytest.approx(100)
    assert lesson["bleu"](outputs, references) < 90


def edits(one, other):
    """The least number of edits, from the definition: try all three at each place."""

    @cache
    def of(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(of(i - 1, j) + 1, of(i, j - 1) + 1, of(i - 1, j - 1) + (one[i - 1] != other[j - 1]))

    return of(len(one), len(other))


@pytest.mark.parametrize("seed", SEEDS)
def test_word_error_rate_by_trying_all_edits(lesson, seed):
    rng = np.random.default_rng(seed)
    output, reference = texts(rng, 1, 0, 9)[0], texts(rng, 1, 1, 9)[0]
    expected = edits(tuple(output.split()), tuple(reference.split())) / len(reference.split())
    assert lesson["word_error_rate"](output, reference) == expected


def test_word_error_rate_at_its_edges(lesson):
    rate = lesson["word_error_rate"]
    assert (rate("", "a b"), rate("a b", "a b"), rate("b a c d", "a")) == (1, 0, 3)
    with pytest.raises(ValueError, match="reference"):
        rate("a", "  ")


def test_one_label_alone_leaves_agreement_undefined(lesson):
    with np.errstate(invalid="ignore"):
        assert math.isnan(lesson["fleiss_kappa"]([[2, 0], [2, 0]]))
        assert math.isnan(lesson["krippendorff_alpha"]([[1, 1], [1, 1]]))


@pytest.mark.parametrize("seed", SEEDS)
def test_kendall_tau_as_in_scipy(lesson, seed):
    rng = np.random.default_rng(seed)
    first, second = (rng.permutation(7).tolist() for _ in range(2))
    expected = kendalltau(np.argsort(first), np.argsort(second)).statistic
    assert lesson["kendall_tau"](first, second) == pytest.approx(expected)


@pytest.mark.parametrize("pair", [("", ""), ("AB", "ABC"), ("AA", "AB"), ("AB", "BB")])
def test_orders_that_are_none_are_refused(lesson, pair):
    with pytest.raises(ValueError, match="a, b: expected two"):
        lesson["kendall_tau"](*pair)
