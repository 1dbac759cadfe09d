"""What book/002-performance-measures/dcg-variants.ipynb says, held."""

import itertools
import math

import numpy as np

from metrics_lib import cumulative_gain, dcg, ideal_dcg, ndcg
from tests.claims.runner import holds, section


@section("002-dcg-variants-additive")
def test_cg():
    holds("The sum of the first $k$ grades is right as printed")
    returned_here = [3, 2, 3, 0, 1, 2]
    assert [cumulative_gain(returned_here, k) for k in range(1, 7)] == [sum(returned_here[:k]) for k in range(1, 7)]


@section("002-dcg-variants-additive")
def test_cg_2(ideals, lists, q, rows):
    holds("**With a negative ideal the quotient turns round**")
    assert dcg([-2, -1]) < dcg([-1, -2]) < 0 and rows[2][4] > 1 == rows[1][4]
    for one, other in itertools.combinations(itertools.product([-1, -2, -3], repeat=3), 2):
        if sorted(one) == sorted(other) and dcg(one) < dcg(other):
            assert dcg(one) / ideal_dcg(one) > dcg(other) / ideal_dcg(other) >= 1 - 1e-12
    holds("The library therefore refuses grades below 0; counted as 0, they leave NDCG within its range.")
    assert "not negative" in ndcg.__doc__
    assert np.nanmin(ndcg(np.maximum(lists, 0))) >= 0 and np.nanmax(ndcg(np.maximum(lists, 0))) <= 1
    holds("all lists of three grades of that scale")
    assert len(lists) == 4**3 == len({*map(tuple, lists)})
    holds("Five are below 0: their DCG is negative, their ideal is not.")
    assert (q < 0).sum() == 5 == ((dcg(lists) < 0) & (ideals > 0)).sum()
    holds("What a single grade of $-1$ is worth, and two orders of nothing but rubbish")
    assert [row[0] for row in rows] == [[-1], [-1, -2], [-2, -1]]


@section("002-dcg-variants-gain")
def test_dcg(axes, steady, steep):
    holds("The 3 decides: above it is worth 1.5 times a 2, below 7/3 times.")
    assert dcg([3]) / dcg([2]) == 1.5 and dcg([3], gain="exponential") / dcg([2], gain="exponential") == 7 / 3
    worth = [0, 1, 2, 2 * 7 / 3], [0, 1, 3, 3 * 1.5]  # each gain with the other's step from 2 to 3
    steps = [[dcg([of[g] for g in rel]) for rel in (steady, steep)] for of in worth]
    assert steps[0][0] < steps[0][1] and steps[1][0] > steps[1][1]
    holds("Grades of 0 and 1 have the same gain in both.")
    assert all(dcg(rel) == dcg(rel, gain="exponential") for rel in itertools.product([0, 1], repeat=5))
    holds("Four bar charts over ranks 1 to 5, a list in each column")
    assert axes.size == 4 and all(len(bars) == 5 for ax in axes.flat for bars in ax.containers)
    holds("the steady list 2, 3, 2, 1, 0 has more filled area")
    assert dcg(steady) > dcg(steep) and steady == [2, 3, 2, 1, 0]
    holds("the bar of height 7 at rank 1 of the steep list 3, 1, 0, 2, 2 outweighs the rest")
    assert (
        dcg([3], gain="exponential") == 7
        and steep[0] == 3
        and dcg(steep, gain="exponential") > dcg(steady, gain="exponential")
    )


@section("002-dcg-variants-gain")
def test_dcg_2(original, pair):
    holds("so with base 2 ranks 1 and 2 both weigh 1")
    assert original(2)(np.arange(1.0, 4)).round(6).tolist() == [1, 1, round(1 / math.log2(3), 6)]
    holds("Discounts, too, can name different winners")
    assert np.diff(ndcg(pair)) < 0 < np.diff(ndcg(pair, discount=original(2)))
    holds("since a 3 at rank 2 is as good there as on top")
    assert dcg([0, 3], discount=original(2)) == dcg([3, 0]) == 3
    holds("In the usual one the base is a common factor and cancels")
    for few in itertools.product(range(3), repeat=4):
        for of_base in (2, math.e, 10):
            by_base = ndcg(few, discount=lambda i, of_base=of_base: np.log(of_base) / np.log(i + 1))
            assert not any(few) or math.isclose(by_base, ndcg(few))
    holds("with base 10 each order of these has 1")
    assert np.allclose(ndcg([*itertools.permutations(pair[0])], discount=original(10)), 1)


@section("002-dcg-variants-pool")
def test_idcg(judged, returned, rows):
    holds("the best is to sort them and take the first $k$")
    assert all(
        math.isclose(dcg([*itertools.permutations(judged, k)]).max(), dcg(sorted(judged, reverse=True)[:k]))
        for k in range(1, 6)
    )
    holds("In words, the document sorts the first $k$ documents by relevance.")
    assert math.isclose(ndcg(returned[:3]), dcg(returned[:3]) / dcg(sorted(returned[:3], reverse=True)))
    holds("At $k = 3$ a 0 enters the list, and the right value falls by 0.15.")
    assert rows[2][1] == 0 and round(rows[1][3] - rows[2][3], 2) == 0.15
    holds("The printed one does not move")
    assert math.isclose(rows[1][2], rows[2][2])


@section("002-dcg-variants-ndcg")
def test_ndcg(judged, returned, rows):
    holds("what is divided out is the greatest DCG that a query allows")
    greatest = dcg([*itertools.permutations(judged, 4)]).max()
    assert math.isclose(ndcg(returned, 4, judged=judged), dcg(returned) / greatest)
    holds("The values of the last row above differ because of the missed 3.")
    assert ideal_dcg(returned) < ideal_dcg([*returned, 3], 4) == ideal_dcg(judged, 4) and rows[-1][2] > rows[-1][3]


@section("Exercises")
def test_exercises(rows, some, swapped):
    holds("two lists with grades from 0 to 2 whose NDCGs change places when 1 is added to every grade")
    assert len(rows) == 2 and np.diff([r[1] for r in rows]) < 0 < np.diff([r[2] for r in rows])
    holds("Search all lists of three grades")
    assert len(some) == 3**3 - 1
    holds("lifts a quotient the more, the smaller its ideal was and the lower it was itself")
    ones = dcg(np.ones(3))
    lift = [(1 - part) * ones / (ideal + ones) for part, ideal in zip(ndcg(some), ideal_dcg(some), strict=True)]
    assert np.allclose(ndcg(np.add(some, 1)) - ndcg(some), lift)
    holds("Adding a constant is harmless for DCG at a fixed length and pool, and not for the quotient")
    assert np.ptp(dcg(np.add(some, 1)) - dcg(some)) < 1e-12 and swapped


@section("Exercises")
def test_exercises_2(steady, steep, x):
    holds("The lists share their ideal, so equal NDCG means equal DCG.")
    assert sorted(steady) == sorted(steep) and abs(dcg([2, x, 2, 1, 0]) - dcg([x, 1, 0, 2, 2])) < 1e-12
    holds("From there on the steeper list wins: it takes little more than the linear 3")
    assert 3 < x < 3.2 and all(dcg([2, y, 2, 1, 0]) < dcg([y, 1, 0, 2, 2]) for y in (x + 0.01, 3.5, 7, 100))
