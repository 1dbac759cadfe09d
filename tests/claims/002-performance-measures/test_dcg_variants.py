"""What book/002-performance-measures/dcg-variants.ipynb says, held."""

import itertools
import math

import numpy as np

from metrics_lib import cumulative_gain, dcg, ideal_dcg, ndcg
from tests.claims.runner import holds, section


@section("002-dcg-variants-additive")
def test_cg():
    holds("CG is the sum of the first $k$ grades, and the document prints it correctly")
    returned_here = [3, 2, 3, 0, 1, 2]
    assert [cumulative_gain(returned_here, k) for k in range(1, 7)] == [sum(returned_here[:k]) for k in range(1, 7)]


@section("002-dcg-variants-additive")
def test_cg_2(ideals, lists, q, rows):
    holds("because the worse order then has the larger quotient, which is above 1")
    assert dcg([-2, -1]) < dcg([-1, -2]) < 0 and rows[2][4] > 1 == rows[1][4]
    for one, other in itertools.combinations(itertools.product([-1, -2, -3], repeat=3), 2):
        if sorted(one) == sorted(other) and dcg(one) < dcg(other):
            assert dcg(one) / ideal_dcg(one) > dcg(other) / ideal_dcg(other) >= 1 - 1e-12
    holds("The library therefore refuses grades below 0; if you count them as 0, NDCG stays between 0 and 1.")
    assert "not negative" in ndcg.__doc__
    assert np.nanmin(ndcg(np.maximum(lists, 0))) >= 0 and np.nanmax(ndcg(np.maximum(lists, 0))) <= 1
    holds("We try all lists of three grades of the document's scale")
    assert len(lists) == 4**3 == len({*map(tuple, lists)})
    holds("Six are above 1.")
    assert (q > 1).sum() == 6
    holds("Five are below 0, because their DCG is negative while their ideal is positive.")
    assert (q < 0).sum() == 5 == ((dcg(lists) < 0) & (ideals > 0)).sum()
    holds("The first row is a single grade of $-1$, the other two are both orders of a list with nothing but rubbish")
    assert [row[0] for row in rows] == [[-1], [-1, -2], [-2, -1]]


@section("002-dcg-variants-gain")
def test_dcg(axes, steady, steep):
    holds("With the linear gain it is worth 1.5 times a 2, with the exponential gain 7/3 times")
    assert dcg([3]) / dcg([2]) == 1.5 and dcg([3], gain="exponential") / dcg([2], gain="exponential") == 7 / 3
    worth = [0, 1, 2, 2 * 7 / 3], [0, 1, 3, 3 * 1.5]  # each gain with the other's step from 2 to 3
    steps = [[dcg([of[g] for g in rel]) for rel in (steady, steep)] for of in worth]
    assert steps[0][0] < steps[0][1] and steps[1][0] > steps[1][1]
    holds("Grades of 0 and 1 have the same gain in both versions.")
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
    holds("so with base 2 ranks 1 and 2 both have the weight 1")
    assert original(2)(np.arange(1.0, 4)).round(6).tolist() == [1, 1, round(1 / math.log2(3), 6)]
    holds("Like the gain, the discount can decide which of two lists wins.")
    assert np.diff(ndcg(pair)) < 0 < np.diff(ndcg(pair, discount=original(2)))
    holds("since a 3 at rank 2 is worth as much there as at rank 1")
    assert dcg([0, 3], discount=original(2)) == dcg([3, 0]) == 3
    holds("In the usual discount, the base is a common factor and cancels.")
    for few in itertools.product(range(3), repeat=4):
        for of_base in (2, math.e, 10):
            by_base = ndcg(few, discount=lambda i, of_base=of_base: np.log(of_base) / np.log(i + 1))
            assert not any(few) or math.isclose(by_base, ndcg(few))
    holds("with base 10 all orders of these five grades score 1")
    assert np.allclose(ndcg([*itertools.permutations(pair[0])], discount=original(10)), 1)


@section("002-dcg-variants-pool")
def test_idcg(judged, returned, rows):
    holds("The best way is to sort all of them by grade and take the first $k$.")
    assert all(
        math.isclose(dcg([*itertools.permutations(judged, k)]).max(), dcg(sorted(judged, reverse=True)[:k]))
        for k in range(1, 6)
    )
    holds("In words, the document sorts the first $k$ documents by relevance")
    assert math.isclose(ndcg(returned[:3]), dcg(returned[:3]) / dcg(sorted(returned[:3], reverse=True)))
    holds("At $k = 3$ an irrelevant document enters the list, and the correct value falls by 0.15.")
    assert rows[2][1] == 0 and round(rows[1][3] - rows[2][3], 2) == 0.15
    holds("The value from the printed ideal stays at 1")
    assert rows[1][2] == rows[2][2] == 1


@section("002-dcg-variants-ndcg")
def test_ndcg(judged, returned, rows):
    holds("the quotient divides out the greatest DCG that a query allows")
    greatest = dcg([*itertools.permutations(judged, 4)]).max()
    assert math.isclose(ndcg(returned, 4, judged=judged), dcg(returned) / greatest)
    holds("This is why the two values in the last row above differ.")
    assert ideal_dcg(returned) < ideal_dcg([*returned, 3], 4) == ideal_dcg(judged, 4) and rows[-1][2] > rows[-1][3]


@section("Exercises")
def test_exercises(rows, some, swapped):
    holds("two lists with grades from 0 to 2 whose NDCGs change places when 1 is added to every grade")
    assert len(rows) == 2 and np.diff([r[1] for r in rows]) < 0 < np.diff([r[2] for r in rows])
    holds("So we search all lists of three grades")
    assert len(some) == 3**3 - 1
    holds("which raises a quotient more if its ideal was small and if it was low itself")
    ones = dcg(np.ones(3))
    lift = [(1 - part) * ones / (ideal + ones) for part, ideal in zip(ndcg(some), ideal_dcg(some), strict=True)]
    assert np.allclose(ndcg(np.add(some, 1)) - ndcg(some), lift)
    holds("For DCG at a fixed length and pool, adding a constant is harmless; for the quotient it is not.")
    assert np.ptp(dcg(np.add(some, 1)) - dcg(some)) < 1e-12 and swapped


@section("Exercises")
def test_exercises_2(steady, steep, x):
    holds("The lists share their ideal, so equal NDCG means equal DCG.")
    assert sorted(steady) == sorted(steep) and abs(dcg([2, x, 2, 1, 0]) - dcg([x, 1, 0, 2, 2])) < 1e-12
    holds("Above this value the steeper list wins, so it takes little more than the linear 3")
    assert 3 < x < 3.2 and all(dcg([2, y, 2, 1, 0]) < dcg([y, 1, 0, 2, 2]) for y in (x + 0.01, 3.5, 7, 100))
