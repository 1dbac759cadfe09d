"""What book/001-interview-notes/reciprocal-rank.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import mean_reciprocal_rank, reciprocal_rank
from tests.claims.runner import holds, proved, section


@section("001-reciprocal-rank-rr")
def test_the_rank_of_which_result(rows):
    holds("By the sentence, the list scores half as much as by the line.")
    assert [row[2] for row in rows] == [1, 1 / 2]
    holds("If a question has one right answer, as the sentence supposes, the two give the same number.")
    for flags in filter(any, itertools.product([0, 1], repeat=6)):
        for answer in np.flatnonzero(flags):
            by_sentence = reciprocal_rank(np.eye(6, dtype=int)[answer])
            assert (by_sentence != reciprocal_rank(flags)) == any(flags[:answer])
            assert sum(flags) > 1 or by_sentence == reciprocal_rank(flags)


@section("001-reciprocal-rank-mrr")
def test_the_formula():
    proved(
        "In both of them, the first hits are at ranks 3, 2 and 1, so the formula gives (1/3 + 1/2 + 1)/3 = 11/18",
        "Both documents print 0.61 as well.",
    )
    assert (Fraction(1, 3) + Fraction(1, 2) + 1) / 3 == Fraction(11, 18)
    assert round(mean_reciprocal_rank([[0, 0, 1], [0, 1, 0], [1, 0, 0]]), 2) == round(11 / 18, 2) == 0.61


@section("001-reciprocal-rank-higher")
def test_a_higher_rank(orders, rows):
    holds(
        'What happens if you take "higher" for a larger number',
        "The list is reversed, and RR falls from 1 to 1/4.",
    )
    assert orders["the best"].tolist() == orders["the worst"].tolist()[::-1] and [row[1] for row in rows] == [1, 1 / 4]


@section("001-reciprocal-rank-no-answer")
def test_a_question_without_an_answer(rows):
    holds("There are three cases, though.", "They agree in the first two cases")
    assert len(rows) == 3 and [row[1] == row[2] for row in rows] == [True, True, False]
    holds("and the document's rule covers the second")
    assert rows[1][1:] == (0, 0)
    holds("In the third, AP is 0/0, for which the library returns `nan`, but RR is 0 again")
    assert math.isnan(rows[2][2]) and rows[2][1] == 0


@section("Exercises")
def test_exercises(gap, pairs, same):
    holds(
        "They agree in 31 of 80 cases, one for each list",
        "where the standard answer is the first relevant result",
    )
    assert (same, len(pairs), 2**5 - 1) == (31, 80, 31)
    holds(
        "by how much can they differ at most",
        "They differ by at most 0.8, when a relevant result is at the top and the standard answer is in fifth place.",
    )
    assert math.isclose(gap, 0.8) and {pair for pair in pairs if math.isclose(pair[0] - pair[1], gap)} == {(1, 1 / 5)}
    proved("Take all lists of five results with at least one relevant result")
    assert len(list(filter(any, itertools.product([0, 1], repeat=5)))) == 31
