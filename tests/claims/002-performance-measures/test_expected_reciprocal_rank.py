"""What book/002-performance-measures/expected-reciprocal-rank.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import expected_reciprocal_rank, reciprocal_rank
from tests.claims.runner import holds, section


@section("002-expected-reciprocal-rank-cascade")
def test_the_stop_at_a_rank():
    holds("the first relevant result satisfies for certain")
    for hits in itertools.product((0, 1), repeat=4):
        surely = np.array([hits]).argmax() + 1 if any(hits) else math.inf
        assert reciprocal_rank(hits) == 1 / surely
    holds("ERR adds a probability that it does")
    assert expected_reciprocal_rank([0, 1], max_grade=1) == 1 / 4 < reciprocal_rank([0, 1])


@section("002-expected-reciprocal-rank-grades")
def test_from_a_grade_to_a_chance(chance, rows):
    holds("Even the best grade leaves one reader in 32 unsatisfied")
    assert 1 - chance(5, 5) == Fraction(1, 32) and all(row[1] == row[2] for row in rows)
    holds("the formula would give a negative probability")
    assert (2**-1 - 1) / 2**2 < 0 < chance(1, 2)


@section("002-expected-reciprocal-rank-err")
def test_err(P, arrive, chance, err, rows, value):
    holds("The list has an ERR of 0.922.", "Does the last column add up to the value that the library gives")
    assert round(value, 3) == 0.922 and math.isclose(err, value) and err == sum(row[4] for row in rows)
    holds("About one reader in 190 never stops, and these readers contribute nothing.")
    assert round(1 / arrive, -1) == 190 and sum(P) + arrive == 1
    for some in itertools.product(range(4), repeat=3):
        of_some, left = Fraction(0), Fraction(1)
        for r_, g_ in enumerate(some, start=1):
            of_some, left = of_some + left * chance(g_, 3) / r_, left * (1 - chance(g_, 3))
        assert math.isclose(of_some, expected_reciprocal_rank(some, max_grade=3), abs_tol=1e-15)


@section("002-expected-reciprocal-rank-discount")
def test_any_discount(chance, far, pair, returned, rising, rows, weights):
    holds(
        "The last row is the share of readers who have stopped by rank 3",
        "only the first row is an expected reciprocal rank",
    )
    by_three = 1 - math.prod(1 - chance(g, 3) for g in returned[:3])
    assert math.isclose(
        expected_reciprocal_rank(returned, max_grade=3, discount=weights["1 up to rank 3, then 0"]), by_three
    )
    holds("All three prefer the list to its reverse")
    for weight in weights.values():
        first, last = expected_reciprocal_rank(pair, max_grade=3, discount=weight)
        assert first > last
    holds("at rank one million it is still a twentieth")
    assert math.isclose(far, 1 / math.log2(10**6 + 1)) and round(1 / far) == 20
    holds("because a weight that rises from rank 1 to rank 2 can meet them")
    assert rising[0] == 1 and rising[1] > 1 > rising[2]
    holds("The list that shows its only relevant result second gets twice as much")
    assert rows[1][1] == 2 * rows[0][1] > 0
    holds(r"ask that $\varphi$ never rises; the library accepts only weights of at least 0 that do not rise")
    refused = []
    for tried in (rising, [1, 0.5, -0.1], [1, 0.5, 0.5], [1, 0, 0]):
        try:
            expected_reciprocal_rank([3, 0, 0], max_grade=3, discount=lambda r, tried=tried: np.array(tried))
        except ValueError:
            refused.append(tried)
    assert refused == [rising, [1, 0.5, -0.1]]


@section("Exercises")
def test_exercises(P, arrive, err, mean_rank, returned):
    holds("A colleague reads an ERR of 0.922")
    assert round(float(err), 3) == 0.922
    holds("Readers stop deeper than the inverted ERR suggests")
    assert mean_rank > 1 / err > 1
    holds("Compute the mean rank at which the readers of the list above stop, without those who never stop")
    assert sum(P) == 1 - arrive and len(P) == len(returned)
    holds("readers who never stop are left out of the mean rank, but count 0 in ERR")
    counted = [1 / (1 + r) for r in range(len(P))] + [0]
    assert math.isclose(np.dot(counted, [*map(float, P), float(arrive)]), err)
