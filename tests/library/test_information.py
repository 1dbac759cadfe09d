"""metrics_lib.information against definitions written anew with fractions and math.fsum, and against SciPy."""

import itertools
import math
import statistics
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics_lib import information
from metrics_lib.information import (
    corpus_perplexity,
    cross_entropy,
    entropy,
    kl_divergence,
    model_perplexity,
    perplexity,
    sentence_perplexity,
)

OF_ONE = [entropy, perplexity]
OF_TWO = [cross_entropy, kl_divergence]
OF_DISTRIBUTIONS = OF_ONE + OF_TWO
BASES = [2, math.e, 10, 1.5]


def looped_entropy(p, base=2):
    return math.fsum(-x * math.log(x, base) for x in p if x)


def looped_cross_entropy(p, q, base=2):
    return math.fsum(-x * math.log(y, base) if y else math.inf for x, y in zip(p, q, strict=True) if x)


def looped_kl(p, q, base=2):
    return math.fsum(x * math.log(x / y, base) if y else math.inf for x, y in zip(p, q, strict=True) if x)


def exact_power(probs):
    """The perplexity of probabilities with equal weight, raised to their number: exact."""
    return 1 / math.prod(Fraction(p) for p in probs)


def call(metric, p):
    return metric(p) if metric in OF_ONE else metric(p, p)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(information, "_BLOCK", 4)


# Values known exactly


@pytest.mark.parametrize(
    "exponents", [(0,), (1, 1), (2, 1, 2), (1, 2, 3, 4, 4), (3,) * 8, (0, None, None), (None, 1, 1)]
)
def test_powers_of_two_are_exact_in_bits(exponents):
    p = [0 if e is None else Fraction(1, 2**e) for e in exponents]
    bits = float(sum(x * e for x, e in zip(p, exponents, strict=True) if x))
    assert entropy(p) == pytest.approx(bits, abs=1e-15)
    assert perplexity(p) == pytest.approx(2**bits, rel=1e-15)
    assert cross_entropy(p, p) == pytest.approx(bits, abs=1e-15)
    assert kl_divergence(p, p) == 0
    assert str(entropy(p)) != "-0.0"


def test_conventions():
    p, q = [0.5, 0.5], [0.9, 0.1]
    assert cross_entropy(p, q) == pytest.approx(1.73696559417, rel=1e-11)
    assert cross_entropy(q, p) == pytest.approx(1, rel=1e-15)
    assert sentence_perplexity([0.1] * 4) == pytest.approx(10, rel=1e-14)
    assert sentence_perplexity([0.1] * 4 + [1]) == pytest.approx(6.3095734448, rel=1e-10)
    sentences = [np.log([0.5] * 2), np.log([0.1] * 8)]
    assert corpus_perplexity(sentences) == pytest.approx(7.24779663678, rel=1e-11)
    assert corpus_perplexity(sentences, average="per_sentence") == pytest.approx(6, rel=1e-14)
    of_each = [model_perplexity(sentence) for sentence in sentences]
    assert statistics.geometric_mean(of_each) == pytest.approx(4.472135955, rel=1e-9)
    assert model_perplexity(np.log2([0.5, 0.25]), base=2) == pytest.approx(2.82842712475, rel=1e-11)
    assert perplexity(np.full(1024, 1 / 1024)) == pytest.approx(1024, rel=1e-13)


@pytest.mark.parametrize("probs", [(1,), (0.5, 0.25), (1, 1, 0.125), (0.5, 1e-300, 0.75), (5e-324, 1), (0.1,) * 700])
def test_perplexity_of_events_is_the_geometric_mean_of_one_over_p(probs):
    exact = exact_power(probs)
    for value in (sentence_perplexity(probs), model_perplexity([math.log(p) for p in probs])):
        assert math.log(value) * len(probs) == pytest.approx(
            math.log(exact.numerator) - math.log(exact.denominator), rel=1e-12, abs=1e-15
        )


# Properties


@st.composite
def distributions(draw):
    n = draw(st.integers(1, 9))
    weights = st.lists(st.integers(0, 1000), min_size=n, max_size=n).filter(any).map(np.array)
    p, q = draw(weights), draw(weights)
    return p / p.sum(), q / q.sum()


@settings(max_examples=80)
@given(distributions(), st.sampled_from(BASES))
def test_distributions(pair, base):
    p, q = pair
    assert entropy(p, base=base) == pytest.approx(looped_entropy(p, base), rel=1e-12, abs=1e-15)
    assert cross_entropy(p, q, base=base) == pytest.approx(looped_cross_entropy(p, q, base), rel=1e-12, abs=1e-15)
    assert kl_divergence(p, q, base=base) == pytest.approx(looped_kl(p, q, base), rel=1e-11, abs=1e-14)
    assert 0 <= entropy(p, base=base) <= math.log(len(p), base) * (1 + 1e-14)
    assert kl_divergence(p, q) >= 0
    assert kl_divergence(p, p) == 0
    assert perplexity(p) == pytest.approx(base ** entropy(p, base=base), rel=1e-12)
    assert 1 <= perplexity(p) <= len(p)
    assert cross_entropy(p, q) == pytest.approx(entropy(p) + kl_divergence(p, q), rel=1e-12, abs=1e-14)
    order = np.argsort(q)
    assert kl_divergence(p[order], q[order]) == pytest.approx(kl_divergence(p, q), rel=1e-11, abs=1e-14)


@settings(max_examples=60)
@given(distributions())
def test_equals_scipy(pair):
    p, q = pair
    assert entropy(p, base=math.e) == pytest.approx(stats.entropy(p), rel=1e-12, abs=1e-15)
    assert kl_divergence(p, q, base=math.e) == pytest.approx(stats.entropy(p, q), rel=1e-11, abs=1e-14)


@settings(max_examples=60)
@given(st.lists(st.lists(st.integers(1, 64), min_size=1, max_size=6), min_size=1, max_size=6), st.sampled_from(BASES))
def test_corpus(counts, base):
    probs = [[c / 64 for c in sentence] for sentence in counts]
    logs = [[math.log(p, base) for p in sentence] for sentence in probs]
    flat = list(itertools.chain(*logs))
    pooled = base ** (-math.fsum(flat) / len(flat))
    each = [base ** (-math.fsum(sentence) / len(sentence)) for sentence in logs]
    assert corpus_perplexity(logs, base=base) == pytest.approx(pooled, rel=1e-12)
    assert corpus_perplexity(logs, base=base) == pytest.approx(model_perplexity(flat, base=base), rel=1e-15)
    assert corpus_perplexity(logs, base=base, average="per_sentence") == pytest.approx(statistics.mean(each), rel=1e-12)
    assert corpus_perplexity(logs, base=base) == pytest.approx(corpus_perplexity(logs[::-1], base=base), rel=1e-12)
    assert [sentence_perplexity(sentence) for sentence in probs] == pytest.approx(each, rel=1e-12)
    one = corpus_perplexity(logs[:1], base=base), corpus_perplexity(logs[:1], base=base, average="per_sentence")
    assert one == pytest.approx((each[0], each[0]), rel=1e-12)


def test_rounding_makes_no_divergence_negative():
    p = np.random.default_rng(0).dirichlet(np.ones(20), size=2000)
    q = p * (1 + 1e-9 * np.random.default_rng(1).normal(size=p.shape))
    q /= q.sum(axis=1, keepdims=True)
    assert (np.sum(p * (np.log(p) - np.log(q)), axis=1) < 0).any()
    assert (kl_divergence(p, q) >= 0).all()


# Batches, blocks and types


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("shape", [(1,), (4,), (5,), (11,), (3, 2), (7, 3), (2, 9), (2, 3, 4), (2, 1, 5)])
def test_a_batch_is_its_rows_and_blocks_do_not_change_the_value(shape):
    rng = np.random.default_rng(0)
    p, q = rng.integers(0, 4, size=(2, *shape)) + np.eye(shape[-1])[0]
    p, q = p / p.sum(axis=-1, keepdims=True), q / q.sum(axis=-1, keepdims=True)
    loops = {entropy: looped_entropy, cross_entropy: looped_cross_entropy, kl_divergence: looped_kl}
    for metric, loop in loops.items():
        arrays = (p,) if metric is entropy else (p, q)
        value = metric(*arrays)
        rows = [loop(*row) for row in zip(*(a.reshape(-1, shape[-1]) for a in arrays), strict=True)]
        assert np.shape(value) == shape[:-1]
        assert np.ravel(value) == pytest.approx(np.array(rows), rel=1e-12, abs=1e-14)
        assert isinstance(value, float if len(shape) == 1 else np.ndarray)
    probs = rng.random(shape)
    for value in (sentence_perplexity(probs), model_perplexity(np.log(probs))):
        rows = [math.prod(row) ** (-1 / len(row)) for row in probs.reshape(-1, shape[-1])]
        assert np.shape(value) == shape[:-1]
        assert np.ravel(value) == pytest.approx(np.array(rows), rel=1e-12)


def test_many_events_and_many_distributions():
    rng = np.random.default_rng(0)
    for shape in ((1, 200_000), (2000, 100), (100_000, 2)):
        p = rng.random(shape)
        p /= p.sum(axis=1, keepdims=True)
        expected = stats.entropy(p, axis=1, base=2)
        assert entropy(p) == pytest.approx(expected, rel=1e-12)
        assert kl_divergence(p, p[:, ::-1]) == pytest.approx(stats.entropy(p, p[:, ::-1], axis=1, base=2), rel=1e-10)


@pytest.mark.parametrize("kind", ["float16", "float32", ">f8", "longdouble", "object"])
def test_types_differ_only_by_their_rounding(kind):
    p, q = np.array([[0.5, 0.25, 0.25], [1, 0, 0]]), np.array([[0.125, 0.75, 0.125], [0.5, 0, 0.5]])
    typed = p.astype(kind), q.astype(kind)
    for metric in OF_DISTRIBUTIONS:
        arguments = 1 if metric in OF_ONE else 2
        assert (metric(*typed[:arguments]) == metric(*(p, q)[:arguments])).all()
    logs = -np.array([1, 2, 0.5])
    assert model_perplexity(logs.astype(kind)) == model_perplexity(logs)
    assert sentence_perplexity(p[0].astype(kind)) == sentence_perplexity(p[0])
    assert corpus_perplexity([logs.astype(kind), [-1]]) == corpus_perplexity([logs, [-1]])


def test_float32_softmax_of_a_vocabulary_is_a_distribution():
    logits = np.random.default_rng(0).normal(scale=4, size=(4, 50_000)).astype(np.float32)
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert p.dtype == np.float32
    assert entropy(p) == pytest.approx(stats.entropy(p.astype(float), axis=1, base=2), rel=1e-4)


@pytest.mark.parametrize(("kind", "tolerance"), [("float64", 2**-26), ("float32", 2**-11.5), ("float16", 2**-5)])
def test_the_tolerance_is_the_root_of_the_machine_epsilon(kind, tolerance):
    for sign in (1, -1):
        for factor in (0.8, 1.3):
            p = np.array([0.5, 0.5 + sign * factor * tolerance]).astype(kind)
            off = abs(p.astype(float).sum() - 1)
            if off <= tolerance:
                assert entropy(p) == pytest.approx(1, abs=3 * tolerance)
            else:
                with pytest.raises(ValueError, match="^p: expected probabilities whose sum"):
                    entropy(p)


def test_other_containers_are_accepted_and_nothing_is_modified():
    p, q = np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([[0.25, 0.75], [0.0, 1.0]])
    copies = p.copy(), q.copy()
    p.flags.writeable = q.flags.writeable = False
    for metric in OF_DISTRIBUTIONS:
        values = [copies[0], copies[1]][: 1 if metric in OF_ONE else 2]
        expected = metric(*values)
        frozen = metric(*(p, q)[: len(values)])
        assert (frozen == expected).all()
        for make in (np.ndarray.tolist, lambda a: tuple(map(tuple, a)), pd.DataFrame, np.asfortranarray):
            assert (metric(*map(make, values)) == expected).all()
        assert metric(*(pd.Series(v[0], index=[7, 3]) for v in values)) == expected[0]
    assert (p == copies[0]).all()
    assert (q == copies[1]).all()
    assert entropy([True, False]) == entropy(np.array([1, 0], dtype=np.uint8)) == 0
    logs = np.log(q[:1])
    logs.flags.writeable = False
    as_lists = logs.tolist()
    for sentences in (
        as_lists,
        tuple(map(tuple, as_lists)),
        logs,
        list(logs),
        (row for row in logs),
        pd.DataFrame(logs).values,
    ):
        assert corpus_perplexity(sentences) == model_perplexity(logs[0])
    assert corpus_perplexity(pd.Series([[-1.0], [-1.0, -4.0]]), base=2) == 4
    assert corpus_perplexity([[0, -1], pd.Series([-2])], base=2) == 2


# Zeros, infinities and the ends of the range


def test_zero_under_a_positive_probability_is_infinite_and_zero_under_zero_is_not():
    p, q = [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]], [[1, 0, 0], [0.5, 0.25, 0.25], [0, 0, 1]]
    with np.errstate(all="raise"):
        assert cross_entropy(p, q) == pytest.approx([math.inf, 1.5, 0])
        assert kl_divergence(p, q) == pytest.approx([math.inf, 0.5, 0])
        assert entropy(p) == pytest.approx([1, 1, 0])
        assert model_perplexity([[-math.inf, -1], [-1, -1]], base=2) == pytest.approx([math.inf, 2])
        assert sentence_perplexity([[0, 1], [0.5, 0.5]]) == pytest.approx([math.inf, 2])
        for average in ("pooled", "per_sentence"):
            assert corpus_perplexity([[-1], [-1, -math.inf]], average=average) == math.inf
    assert model_perplexity(np.array([-1, -math.inf], dtype=object)) == math.inf


def test_tiny_probabilities_keep_their_surprise():
    tiny = 5e-324
    assert cross_entropy([1, 0], [tiny, 1]) == 1074
    assert kl_divergence([1, 0], [tiny, 1]) == 1074
    assert kl_divergence([tiny, 1], [1, tiny]) == pytest.approx(1074)


@pytest.mark.parametrize("size", [-800, -1e300, -1.7e308])
def test_a_perplexity_beyond_float64_is_an_error_unless_a_probability_is_zero(size):
    with pytest.raises(ValueError, match="^log_probs: expected a perplexity that float64 can hold, got an overflow"):
        model_perplexity([size, size])
    for average in ("pooled", "per_sentence"):
        with pytest.raises(ValueError, match="^sentences: expected a perplexity"):
            corpus_perplexity([[size, size]], average=average, base=10)
    with pytest.raises(ValueError, match="^token_probs: expected a perplexity"):
        sentence_perplexity([1e-320])
    assert model_perplexity([size, -math.inf]) == math.inf


def test_the_mean_over_sentences_does_not_overflow():
    log_prob = -math.log(1.5e308)
    value = corpus_perplexity([[log_prob]] * 3, average="per_sentence")
    assert value == pytest.approx(1.5e308, rel=1e-10)


# Bad input

NOT_ARRAYS = [[], None, "ab", ["a", "b"], [[0.5, 0.5], [1]], np.empty((2, 0)), 0.5, np.array(0.5), [0.5, None], [1j, 0]]
NOT_DISTRIBUTIONS = [
    [0.5, 0.6],
    [0.5, 0.4],
    [0, 0],
    [2, -1],
    [1.5, -0.5],
    [math.nan, 1],
    [math.inf, 0],
    [math.inf, -math.inf],
    [[0.5, 0.5], [0.5, 0.6]],
    [0.5, 0.5 + 1e-7],
]


@pytest.mark.parametrize("metric", OF_DISTRIBUTIONS)
@pytest.mark.parametrize("bad", [*NOT_ARRAYS, *NOT_DISTRIBUTIONS, *map(np.array, NOT_DISTRIBUTIONS)], ids=repr)
def test_what_is_not_a_distribution_is_refused_by_name(metric, bad):
    with pytest.raises(ValueError, match="^p: expected .*, got "):
        call(metric, bad)


@pytest.mark.parametrize("metric", OF_TWO)
@pytest.mark.parametrize("bad", [*NOT_DISTRIBUTIONS, *map(np.array, NOT_DISTRIBUTIONS)], ids=repr)
def test_a_second_argument_that_is_not_a_distribution_is_refused_by_name(metric, bad):
    with pytest.raises(ValueError, match="^q: expected .*, got "):
        metric(np.full(np.shape(bad), 0.5), bad)


@pytest.mark.parametrize("metric", OF_DISTRIBUTIONS)
def test_the_message_tells_what_is_wrong(metric):
    for bad, message in (
        ([0.5, 0.6], "probabilities whose sum .* is 1.*, got a sum of 1.1"),
        ([1.5, -0.5], "non-negative probabilities, got -0.5"),
        (np.array([math.nan, 1]), "finite numbers, got nan"),
        (np.array([[0.5, 0.5], [math.inf, 0]]), "probabilities whose sum .* is 1.*, got a sum of inf"),
    ):
        with pytest.raises(ValueError, match="^p: expected " + message):
            call(metric, bad)


@pytest.mark.parametrize("metric", OF_TWO)
def test_different_shapes_are_refused(metric):
    for p, q in (([1], [0.5, 0.5]), ([0.5, 0.5], [[0.5, 0.5]]), ([[1, 0], [0, 1]], [1, 0])):
        with pytest.raises(ValueError, match="^q: expected the shape of p"):
            metric(p, q)


@pytest.mark.parametrize("base", [1, 1.0, 0, -2, math.nan, math.inf, "2", None, True, 1j, [2]])
def test_bad_bases_are_refused(base):
    calls = [
        lambda: entropy([1], base=base),
        lambda: cross_entropy([1], [1], base=base),
        lambda: kl_divergence([1], [1], base=base),
        lambda: model_perplexity([-1], base=base),
        lambda: corpus_perplexity([[-1]], base=base),
    ]
    for bad_call in calls:
        with pytest.raises(ValueError, match="^base: expected .*, got "):
            bad_call()


@pytest.mark.parametrize("base", [0.5, 1, 1 - 1e-16, -2])
def test_a_base_is_above_one_everywhere(base):
    """Below 1 the logarithm turns its sign, and entropies would be negative."""
    p = [0.5, 0.5]
    for bad_call in (
        lambda: entropy(p, base=base),
        lambda: cross_entropy(p, p, base=base),
        lambda: kl_divergence(p, p, base=base),
        lambda: model_perplexity([-1], base=base),
        lambda: corpus_perplexity([[-1]], base=base),
    ):
        with pytest.raises(ValueError, match="^base: expected a finite number greater than 1"):
            bad_call()


def test_a_masked_value_is_refused_and_not_used():
    masked = np.ma.array([-1.0, -2.0], mask=[0, 1])
    for bad_call in (lambda: model_perplexity(masked), lambda: corpus_perplexity([[-1], masked])):
        with pytest.raises(ValueError, match="without masked values"):
            bad_call()
    with pytest.raises(ValueError, match="^p: .*without masked values"):
        entropy(np.ma.array([0.5, 0.5, 0.5], mask=[0, 0, 1]))


def test_perplexity_stays_between_one_and_the_number_of_events():
    for n in range(1, 300):
        assert perplexity([1 / n] * n) == pytest.approx(n, rel=1e-14)
        assert 1 <= perplexity([1 / n] * n) <= n
    batch = np.full((4, 7), 1 / 7)
    assert perplexity(batch).max() <= 7
    assert perplexity(batch.tolist()).shape == (4,)


@pytest.mark.parametrize(
    "bad", [*NOT_ARRAYS, [0.1], [-1, 1e-300], [math.nan], [math.inf], [-1, math.nan, -math.inf]], ids=repr
)
def test_bad_log_probabilities_are_refused_by_name(bad):
    with pytest.raises(ValueError, match="^log_probs: expected .*, got "):
        model_perplexity(bad)
    with pytest.raises(ValueError, match="^sentences: expected .*, got "):
        corpus_perplexity([[-1, -2], bad])


@pytest.mark.parametrize("bad", [*NOT_ARRAYS, [1.1], [-0.1], [math.nan], [math.inf], [1 + 1e-15]], ids=repr)
def test_bad_token_probabilities_are_refused_by_name(bad):
    with pytest.raises(ValueError, match="^token_probs: expected .*, got "):
        sentence_perplexity(bad)


@pytest.mark.parametrize(
    "bad", [[], [-1, -2], [[]], [[-1], []], [[[-1]]], "abc", b"abc", 1.5, None, [["a"]], [[-1], None]]
)
def test_bad_corpora_are_refused(bad):
    with pytest.raises(ValueError, match="^sentences: expected .*, got "):
        corpus_perplexity(bad)


def test_bad_average_is_refused_and_options_are_keywords():
    for average in ("mean", None, 1):
        with pytest.raises(ValueError, match="^average: expected one of 'pooled', 'per_sentence'"):
            corpus_perplexity([[-1]], average=average)
    with pytest.raises(TypeError):
        entropy([1], 2)
    with pytest.raises(TypeError):
        corpus_perplexity([[-1]], 2)
