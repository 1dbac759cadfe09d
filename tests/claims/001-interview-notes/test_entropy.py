"""What book/001-interview-notes/entropy.ipynb says, held."""

import numpy as np

from metrics_lib import cross_entropy, kl_divergence
from tests.claims.runner import holds, section, unchecked


@section("001-entropy-entropy")
def test_what_belongs_under_the_heading(rows):
    holds("Three definitions", "The first and the third row add up to the second.")
    assert len(rows) == 3 and rows[0][1] + rows[2][1] == rows[1][1] == 2.375
    assert np.allclose([row[1] for row in rows], [row[2] for row in rows])


@section("001-entropy-order")
def test_which_letter_is_the_data(orders, p, q):
    holds("who takes the formula from one and the letters from the other gets another number")
    assert orders[0][1] != orders[1][1] and orders[0][2] != orders[1][2]
    holds("Each place is right by itself")
    shares, model = p, q
    assert cross_entropy(shares, model) == -(shares * np.log2(model)).sum()


@section("Exercises")
def test_exercises(back, i, j, models, p, there):
    holds("among the distributions of eighths over four events, with every divergence finite")
    assert np.isfinite(there).all() and np.isfinite(back).all() and np.allclose(models.sum(axis=1), 1)
    holds("Finite in both directions means that each event is possible, so there are 35 models")
    assert len(models) == 35 and kl_divergence(p, [1 / 2, 1 / 2, 0, 0]) == np.inf
    holds("the first model is nearer with the data first, the second with the model first")
    assert there[i] < there[j] and back[i] > back[j] and (8 * p).tolist() == [4, 2, 1, 1]


@section("001-entropy-entropy")
def test_unchecked_what_belongs_under_the_heading():
    unchecked("The KL divergence is only named", "a search of the document")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("Two directions, two winners", "a title")
