"""What book/003-recommender-metrics/reciprocal-rank-and-diversity.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_book.printed import verdict
from metrics_lib import intra_list_similarity, mean_reciprocal_rank, reciprocal_rank
from tests.claims.runner import holds, proved, section, unchecked


@section("003-reciprocal-rank-and-diversity")
def test_the_opening():
    holds("MRR and its 0.61 are right")
    assert verdict("0.61", mean_reciprocal_rank([[0, 0, 1], [0, 1, 0], [1, 0, 0]])) == "rounded or truncated"


@section("003-reciprocal-rank-and-diversity-mrr")
def test_mrr(lists, mrr, rr):
    holds("All of them are right, and the MRR is exactly 11/18.")
    steps = zip(["1", "0.5", "0.33", "0.61"], [*rr[::-1], (1 + 0.5 + 0.33) / 3], strict=True)
    assert [verdict(p, v) for p, v in steps] == ["exact", "exact", "rounded or truncated", "exact"]
    assert math.isclose(mrr, 11 / 18) and (1 + Fraction(1, 2) + Fraction(1, 3)) / 3 == Fraction(11, 18)
    holds("these ranks are 3, 2 and 1")
    assert [row.index(1) + 1 for row in lists] == [3, 2, 1]
    holds("give two lists a second hit further down, which makes no difference")
    assert {len(row) for row in lists} == {5} and sorted(map(sum, lists)) == [1, 2, 2]
    assert np.array_equal(rr, reciprocal_rank([[0, 0, 1, 0, 0], [0, 1, 0, 0, 0], [1, 0, 0, 0, 0]]))
    holds("a little less than a third, but the difference does not reach the second decimal of the mean")
    assert 0.33 < 1 / 3 and round(mrr, 2) == round((1 + 0.5 + 0.33) / 3, 2) == 0.61
    holds("such a user counts 0")
    assert reciprocal_rank([0] * 5) == 0


@section("003-reciprocal-rank-and-diversity-ils")
def test_ils(ils, similarity, skipped):
    holds("the smaller the ILS, the more diverse the list")
    assert intra_list_similarity(np.eye(3)) == 0 < ils < 1 == intra_list_similarity(np.ones((3, 3)))
    holds("This is the mean of the similarity $S$ over all pairs of different items in the list.")
    ordered = [similarity[i][j] for i, j in itertools.permutations(range(3), 2)]
    assert math.isclose(sum(ordered) / len(ordered), ils) and len(ordered) == 6
    assert math.isclose(ils, 2 * (0.8 + 0.2 + 0.5) / 6) and math.isclose(skipped, (2 * (0.8 + 0.2 + 0.5) + 3) / 9)
    holds("take three items with the similarities 0.8, 0.2 and 0.5")
    assert len(similarity) == 3
    holds("counts each item as similar to itself, and the list seems less diverse than it is")
    rng = np.random.default_rng(3)
    for size in (2, 3, 5, 10):
        for half in rng.random((50, size, size)):
            square = np.where(np.eye(size) == 1, 1, (half + half.T) / 2)
            assert square.mean() > intra_list_similarity(square)
    holds("the pairs that remain are those of A with B, and the ILS is 0.2")
    left = [0.2 for x, y in itertools.permutations("AAB", 2) if x != y]
    assert len(left) == 4 and math.isclose(np.mean(left), 0.2)
    holds("the list pays for its repetition with an ILS of 0.467 instead of 0.2")
    by_places = intra_list_similarity([[1, 1, 0.2], [1, 1, 0.2], [0.2, 0.2, 1]])
    assert math.isclose(by_places, (1 + 0.2 + 0.2) / 3) and round(by_places, 3) == 0.467
    proved("so the two places of A are a pair with a similarity of 1")
    assert len([pair for pair in itertools.permutations("AAB", 2) if pair == ("A", "A")]) == 2 == 6 - len(left)


@section("003-reciprocal-rank-and-diversity-length")
def test_a_mean_or_a_sum(rows, similarity):
    holds("Each pair counts once, and a longer list has more pairs.")
    assert all(math.comb(n + 1, 2) > math.comb(n, 2) for n in range(1, 60))
    assert math.isclose(intra_list_similarity(similarity, definition="sum"), 0.8 + 0.2 + 0.5)
    holds("By the sum, the ten quite different items are less diverse than the five similar ones.")
    assert round(rows[1][3], 9) == 9 > round(rows[0][3], 9) == 8 and rows[1][2] < rows[0][2]
    holds("give all pairs of a list the same similarity", "does not depend on the length")
    assert all(math.isclose(intra_list_similarity(np.full((n, n), 0.3)), 0.3) for n in range(2, 30))


@section("Exercises")
def test_exercises(lists, mrr, table):
    holds("because 1/0.61 is 1.6")
    assert round(1 / 0.61, 1) == round(1 / mrr, 1) == 1.6 == round(3 / (1 + 1 / 2 + 1 / 3), 1)
    holds("The document's users find their first hit at rank 2 on average")
    assert table[0][2] == 2 and sum([3, 2, 1]) / 3 == 2
    proved("which is pulled towards the small ones")
    for some in itertools.combinations_with_replacement(range(1, 12), 3):
        assert 3 / sum(Fraction(1, rank) for rank in some) <= Fraction(sum(some), 3)
    holds("The ranks 1 and 4 have a higher MRR, 0.625, and a later mean rank, 2.5.")
    assert (1 + 1 / 4) / 2 == 0.625 > mrr and (1 + 4) / 2 == 2.5 > 2 and len([1, 4]) == 2


@section("Exercises")
def test_exercises_2():
    fits = []
    for one, two in itertools.combinations_with_replacement(range(1, 101), 2):
        low, high = (3 * Fraction(bound) - Fraction(1, one) - Fraction(1, two) for bound in ("0.605", "0.615"))
        fits += [(one, two, three) for three in range(two, 101) if low <= Fraction(1, three) <= high]
        proved("because beyond that little changes")
        assert not low <= 0 <= high and not low <= Fraction(1, 101) <= high
    proved("The ranks can be 1, 2 and 3 and nothing else, so the printed result gives away the whole example.")
    assert fits == [(1, 2, 3)]


@section("Exercises")
def test_unchecked_exercises():
    unchecked("a user who is served at once", "in words")
