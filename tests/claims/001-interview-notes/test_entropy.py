"""What book/001-interview-notes/entropy.ipynb says, held."""

import numpy as np

from metrics_lib import cross_entropy, kl_divergence
from tests.claims.runner import holds, section, unchecked


@section("001-entropy-entropy")
def test_what_belongs_under_the_heading(rows):
    holds("uses three quantities", "the entropy and the KL divergence add up to the cross-entropy")
    assert len(rows) == 3 and rows[0][1] + rows[2][1] == rows[1][1] == 2.375
    assert np.allclose([row[1] for row in rows], [row[2] for row in rows])


@section("001-entropy-order")
def test_which_letter_is_the_data(orders, p, q):
    holds("if you take the formula from one and the letters from the other, you get a different number")
    assert orders[0][1] != orders[1][1] and orders[0][2] != orders[1][2]
    holds("Each place is right by itself")
    shares, model = p, q
    assert cross_entropy(shares, model) == -(shares * np.log2(model)).sum()


@section("Exercises")
def test_exercises(back, i, j, models, p, there):
    holds("the probabilities of the models are multiples of 1/8, and every divergence is finite")
    assert np.isfinite(there).all() and np.isfinite(back).all() and np.allclose(models.sum(axis=1), 1)
    holds("finite in both directions only if each event is possible, which leaves 35 models")
    assert len(models) == 35 and kl_divergence(p, [1 / 2, 1 / 2, 0, 0]) == np.inf
    holds("The first model is closer with the data first, and the second is closer with the model first.")
    assert there[i] < there[j] and back[i] > back[j] and (8 * p).tolist() == [4, 2, 1, 1]


@section("001-entropy-entropy")
def test_unchecked_what_belongs_under_the_heading():
    unchecked("The KL divergence is named only in the last remark on perplexity", "a search of the document")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("Two directions, two winners", "a title")


@section("001-entropy-order")
def test_unchecked_which_letter_is_the_data():
    unchecked("prints the document's only formula for a cross-entropy", "a search of the document")
