"""What book/003-recommender-metrics/average-precision.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_book.printed import verdict
from metrics_lib import average_precision, mean_average_precision, precision_at_k
from tests.claims.runner import holds, section, unchecked


@section("003-average-precision-story")
def test_ten_search_results(ap, late, rows, stories):
    holds("because both lists are perfect")
    assert rows[0][1] == rows[1][1] == 1
    holds("With ten in all, the three lists come in the order of the story.")
    assert rows[0][2] > rows[1][2] > rows[2][2]
    holds("does not prefer ten relevant results to five at the top")
    assert list(stories) == ["all ten", "first five", "last five"]
    holds("We try it once with nothing else relevant")
    assert len(rows) == 3 and all(ap(r) == ap(r, n_relevant=sum(r)) for r in stories.values())
    holds("once with ten relevant items in all")
    assert [row[2] for row in rows] == [average_precision(r, n_relevant=10) for r in stories.values()]
    holds("a search returns ten results.", "Ten search results")
    assert {len(r) for r in stories.values()} == {10}
    holds(
        "The best case is that all ten are relevant.",
        "If five are relevant, a list with these five at the top is still fairly good",
        "but a list in which they begin at rank 6 is bad",
    )
    assert [sum(r) for r in stories.values()] == [10, 5, 5] and late.index(1) + 1 == 6


@section("003-average-precision-formula")
def rel_of_ranks(ranks):
    return [int(k in ranks) for k in range(1, 7)]


@section("003-average-precision-formula")
def test_the_formula(ranks, rows):
    holds("The fraction is the precision at rank")
    for length in range(1, 8):
        for bits in filter(any, itertools.product([0, 1], repeat=length)):
            hits = [k for k, bit in enumerate(bits, 1) if bit]
            over_rank = [(1 + sum(q < p for q in hits)) / p for p in hits]
            assert np.allclose(over_rank, [precision_at_k(bits, k) for k in hits])
            assert math.isclose(sum(over_rank) / len(hits), average_precision(bits)) and average_precision(bits) <= 1
    holds("The second value is more than 1, which no AP can be")
    assert rows[0][1] == Fraction(13, 18) and rows[1][1] == Fraction(31, 18) > 1
    assert rows[1][1] == sum(Fraction(sum((q < p) + 1 for q in ranks), p) for p in ranks) / 3


@section("003-average-precision-table")
def test_the_worked_example_ap_and_map(
    ap, cells, late, misses, of_printed, p_at, printed, ranks, rel, rel_of_ranks, table, users
):
    holds("As precisions, three entries are wrong.")
    under_header = [verdict(p, v) for p, v in zip(printed, p_at, strict=True)]
    assert under_header == ["exact", "wrong", "truncated", "wrong", "wrong", "exact"]
    assert [row[4] for row in table] == under_header
    holds("As the terms that AP adds up, all six are right, and one of them is truncated.")
    as_terms = [verdict(p, x * r) for p, x, r in zip(printed, p_at, rel, strict=True)]
    assert len(as_terms) == 6 and as_terms.count("exact") == 5 and as_terms.count("truncated") == 1
    assert [row[6] for row in table] == as_terms
    holds("The document works no MAP, so the last two rows add a second user")
    assert [p for _, p, _ in cells[-2:]] == ["", ""] and math.isclose(cells[-1][2], mean_average_precision(users))
    holds("whose five relevant results come last")
    assert users[1] == late and sum(late[-5:]) == sum(late) == 5
    assert [f"{v:.6f}" for v in ap(users)] == ["0.722222", "0.354365"]
    assert math.isclose(cells[-2][2], (1 / 6 + 2 / 7 + 3 / 8 + 4 / 9 + 5 / 10) / 5)
    holds("Of six recommendations, those at ranks 1, 3 and 6 are in the ground truth")
    assert len(rel) == 6 and rel == rel_of_ranks and [k for k in range(1, 7) if rel[k - 1]] == ranks
    holds("the precision that its header promises")
    assert np.allclose([precision_at_k(rel, k) for k in range(1, 7)], [float(p) for p in p_at])
    holds("It falls at a miss and rises at a hit, and AP is the mean height of the filled points")
    assert all((p_at[k] > p_at[k - 1]) == bool(rel[k]) and p_at[k] != p_at[k - 1] for k in range(1, 6))
    assert math.isclose(average_precision(rel), sum(p_at[k - 1] for k in ranks) / 3)
    holds("The hits at ranks 1, 3 and 6 are filled points at heights 1, two thirds and one half.")
    assert [p_at[k - 1] for k in ranks] == [1, Fraction(2, 3), Fraction(1, 2)]
    holds("The misses at ranks 2, 4 and 5 are hollow points at heights 0.5, 0.5 and 0.4.")
    assert [float(p_at[k - 1]) for k in misses] == [0.5, 0.5, 0.4] and misses == [2, 4, 5]
    holds("Both give 0.72.", "the truncation does not reach the second decimal of the mean")
    assert of_printed == Fraction("0.72") and Fraction(13, 18) - of_printed < Fraction("0.005")
    holds("2/3 is printed as 0.66")
    assert verdict("0.66", Fraction(2, 3)) == "truncated"


@section("003-average-precision-missing")
def test_the_item_that_was_not_recommended(ranks, rel, rows):
    holds("The example divides by 3, which is the number of its hits and also of its relevant items.")
    assert sum(rel) == 3 == len(ranks) and rows[0][1] == rows[0][2]
    holds("The two divisors then give different values, 0.542 and 0.722.")
    assert math.isclose(rows[1][1], 13 / 24) and rows[1][2] == rows[0][2]
    holds("and sums over all of them, recommended or not")
    with_infinity = [*ranks, math.inf]
    assert math.isclose(sum((1 + sum(q < p for q in with_infinity)) / p for p in with_infinity) / 4, 13 / 24)


@section("003-average-precision-map")
def test_the_mean_over_users(rel, users):
    holds("the mean of the AP of all users")
    assert math.isclose(mean_average_precision(users), sum(average_precision(users)) / len(users))
    holds("Their AP is 0/0")
    assert math.isnan(average_precision([0, 0, 0]))
    holds("does not mention users for whom nothing is relevant")
    assert math.isnan(mean_average_precision([rel, [0] * 6]))


@section("ex-003-average-precision-recall")
def test_exercises(both, first, last, rows):
    holds("The second list has three times the recall, and about two thirds of the AP.")
    assert math.isclose(rows[1][1], 3 * rows[0][1]) and 0.63 < rows[1][2] / rows[0][2] < 0.7
    holds("let the other find all three at the very end", "two lists of ten for a user with three relevant items")
    assert sum(last) == 3 and len(both) == 2 and len(first) == len(last) == 10


@section("Exercises")
def test_exercises_2(columns, rel, rows, to_list):
    holds("The computed column gives back the six recommendations.")
    assert list(rows[0][1:]) == rel
    holds("would need items that are $-1$, 2, $-2$ and 3 times relevant, so it is the precision of no list")
    assert rows[1][1:] == (1, -1, 2, -2, 0, 3)
    for bits in itertools.product([0, 1], repeat=6):
        precisions = [Fraction(sum(bits[:k]), k) for k in range(1, 7)]
        holds("A column of P@k determines the list")
        assert tuple(to_list(precisions)) == bits and precisions != [Fraction(p) for p in columns["printed"]]


@section("Exercises")
def test_unchecked_exercises():
    unchecked("of two lists the one with the higher recall has the higher AP", "the false statement of the task")
