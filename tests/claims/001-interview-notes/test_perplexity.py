"""What book/001-interview-notes/perplexity.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import corpus_perplexity, cross_entropy, entropy, model_perplexity, perplexity, sentence_perplexity
from tests.claims.runner import holds, section, unchecked


@section("001-perplexity-distribution")
def test_of_a_distribution(p):
    holds("These four events are as uncertain as 3.36 equally likely ones")
    assert round(perplexity(p), 2) == 3.36 and len(p) == 4
    holds("because this one contains no sample")
    of_coins = [perplexity([x, 1 - x]) for x in (0.9, 0.5)]
    on_fair_tosses = [2 ** cross_entropy([0.5, 0.5], [x, 1 - x]) for x in (0.9, 0.5)]
    assert of_coins[0] < of_coins[1] and on_fair_tosses[0] > on_fair_tosses[1]


@section("001-perplexity-model")
def test_of_a_model(both, first, models, second, tokens):
    holds("with a perplexity of 6.06 against 8, and the base does not matter")
    assert [round(sentence_perplexity(m), 2) for m in (first, second)] == [8, 6.06]
    for q_model in (first, second):
        assert np.allclose([both(q_model, base)[0] for base in (1.5, 2, math.e, 10)], sentence_perplexity(q_model))
    holds("On one sample, the model with the lower perplexity is always the one that gave the sample")
    some = list(itertools.product([0.1, 0.3, 0.5, 0.9], repeat=3))
    for one, two in itertools.product(some, repeat=2):
        apart = math.prod(one) - math.prod(two)
        assert abs(apart) < 1e-12 or (sentence_perplexity(one) < sentence_perplexity(two)) == (apart > 0)
    holds("The printed formula cannot compare them, because its value depends only on the base.")
    assert all(math.isclose(both(m, b)[1], 1 / b) for m in itertools.product([0.1, 0.5, 1], repeat=3) for b in (2, 10))
    holds("computes both orders")
    assert cross_entropy([0.5, 0.5], [0.9, 0.1]) != cross_entropy([0.9, 0.1], [0.5, 0.5])


@section("001-perplexity-sentence")
def test_of_a_sentence(first, forms, tokens):
    holds("The first and second forms are right as printed; the third is printed with $N$ in the numerator.")
    for three in itertools.product([0.1, 0.5, 1], repeat=3):
        assert np.allclose(forms(three), np.array([1, 1, 1, 3]) * sentence_perplexity(three))
    holds("We try the four words of the first model, and then four words of which a model is certain")
    assert len(first[:4]) == 4 and tokens[4] == "END"
    holds("too large by the factor $N$, so that a perfect model gets $N$ instead of 1")
    assert all(np.allclose(forms([1] * n), [1, 1, 1, n]) for n in range(1, 9))
    holds("because a computer rounds the probability of a long text to 0", "as 400 tokens show")
    assert math.prod([0.1] * 400) == 0 and math.isclose(sentence_perplexity([0.1] * 400), 10)
    holds("A smaller perplexity means a more probable sentence only when the sentence is the same")
    assert sentence_perplexity([0.5] * 5) < sentence_perplexity([0.3] * 2) and 0.5**5 < 0.3**2


@section("001-perplexity-corpus")
def test_of_a_test_set(plain, probs, readings, weighted):
    pooled = corpus_perplexity([np.log(s) for s in probs])
    holds("where $n_k$ is the number of tokens of sentence $k$", "if each sentence has its number of tokens as weight")
    assert np.allclose([readings[0][1], weighted], pooled) and not math.isclose(plain, pooled)
    holds("one of two tokens with a probability of 1/2 each, and one of eight tokens with 1/10 each")
    assert [(len(s), s[0]) for s in probs] == [(2, 1 / 2), (8, 1 / 10)]
    holds("The formula with the binary logarithm and the weighted mean agree.")
    assert math.isclose(readings[0][1], readings[2][1])
    holds("the value is too low, for every perplexity above 1")
    assert all(2 ** math.log(value) < value for value in np.linspace(1.001, 1000, 500))


@section("001-perplexity-corpus")
def test_of_a_test_set_2(first, ways):
    holds("there are three ways to treat its end")
    assert len(ways) == len({round(value, 6) for _, value in ways}) == 3
    holds("The end is harder to predict than the words here")
    assert first[4] < min(first[:4])
    holds(
        "so a perplexity that predicts and counts it is 8 instead of 5.66",
        "without counting it is 13.45, because five probabilities are then spread over four words",
    )
    assert [round(value, 2) for _, value in ways] == [8, 13.45, 5.66]


@section("001-perplexity-bits")
def test_the_four_remarks(bits, fair, first, rows, second, tokens):
    holds("can be understood as a cross-entropy, a mean over words", "That is right for a model without context.")
    shares, unigram = [2 / 4, 1 / 4, 1 / 4], [1 / 2, 1 / 3, 1 / 6]
    assert math.isclose(cross_entropy(shares, unigram), math.log2(sentence_perplexity([1 / 2, 1 / 2, 1 / 3, 1 / 6])))
    holds("they add up to 1 if the end of a sentence is one of the words")
    counts = {word: tokens.count(word) for word in tokens}
    assert sum(Fraction(n, len(tokens)) for n in counts.values()) == 1
    holds("The first model needs 15 bits for the five tokens, the second 13")
    assert [bits(q).sum() for q in (first, second)] == [15, 13] and len(tokens) == 5
    holds(
        "The mean code length is the cross-entropy, and the perplexity is 2 to the power of it",
        "$2^3 = 8$ and $2^{2.6} = 6.06$",
    )
    assert [bits(q).mean() for q in (first, second)] == [3, 2.6] and round(2**2.6, 2) == 6.06
    assert math.isclose(model_perplexity([-3], base=2), 8) and math.isclose(sentence_perplexity(second), 2**2.6)
    holds("Three beliefs about a fair coin, from the worst to the true one")
    assert [row[0] for row in rows] == ["0.9", "0.7", "0.5"] and rows[-1][1] == 0
    holds("but only the cross-entropy approaches that entropy", "the cross-entropy to the entropy, which is 1 bit")
    assert rows[-1][1:] == (0, 1, 2) and entropy(fair) == 1
    assert all(np.diff([row[column] for row in rows]).max() < 0 for column in (1, 2, 3))


@section("ex-001-perplexity-averages")
def test_exercises(rows, texts):
    holds(
        "Three averages, two winners",
        "two models of a sentence of two tokens and one of eight, where one wins by the document's formula",
    )
    winners = [min(rows, key=lambda row: row[column])[0] for column in (1, 2, 3)]
    assert winners == ["second", "first", "first"] and [len(text) for text in texts] == [2, 8]


@section("Exercises")
def test_exercises_2(after, before):
    holds(
        "on a sentence of four tokens that gives three of the four *less* than the first model did",
        "The product rises, although three of its factors fall.",
    )
    assert math.prod(after) > math.prod(before) and sum(b > a for b, a in zip(before, after, strict=True)) == 3
    assert len(before) == len(after) == 4


@section("001-perplexity-bits")
def test_unchecked_the_four_remarks():
    unchecked("The four remarks", "the document numbers them")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("Better, and mostly worse", "a title")
