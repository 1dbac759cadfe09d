"""What book/002-performance-measures/ranking.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_book.printed import verdict
from metrics_lib import average_precision, fbeta_at_k, precision_at_k, recall_at_k, reciprocal_rank
from tests.claims.runner import holds, proved, section, unchecked


@section("002-ranking-use")
def test_who_uses_these_measures(lists, rows):
    holds("here are lists with the same hits, all five results taken as predicted positive")
    assert {(len(rel), sum(rel)) for rel in lists.values()} == {(5, 2)}
    holds("The precision is the same; P@2, AP and RR tell the lists apart.")
    assert rows[0][1] == rows[1][1] and all(a > b for a, b in zip(rows[0][2:], rows[1][2:], strict=True))


@section("002-ranking-pr")
def test_p_k_and_r_k(ap, precisions, printed, recalls, returned, values):
    holds("Five results, of which the first, the third and the fifth are relevant")
    assert len(returned) == 5 and [rank for rank, rel in enumerate(returned, 1) if rel] == [1, 3, 5]
    holds("Thirteen fractions are exact")
    assert len(values) == 13 and {verdict(*pair) for pair in zip(printed, values, strict=True)} == {"exact"}
    holds("the AP, a third of the sum of the last three, is left open")
    assert printed[-3:] == ["1/1", "2/3", "3/5"] and ap == sum(values[-3:]) / 3
    assert np.allclose([precision_at_k(returned, k) for k in range(1, 6)], [float(p) for p in precisions], atol=1e-15)
    assert np.allclose([recall_at_k(returned, k) for k in range(1, 6)], [float(r) for r in recalls], atol=1e-15)
    assert abs(average_precision(returned) - ap) < 1e-15


@section("002-ranking-pr")
def test_p_k_and_r_k_2(ks, of_five, precisions, recalls, returned, rows):
    holds("If five documents are relevant in all, two of them not returned")
    assert 5 - sum(returned) == 2
    holds("If five are relevant instead of three, recall is lower throughout and precision is what it was.")
    assert sum(returned) == 3 and all(a < recall_at_k(returned, k) for a, k in zip(of_five, ks, strict=True))
    holds("They meet where k is the number of relevant documents.")
    for some in itertools.product([0, 1], repeat=5):
        for of_all in range(max(1, sum(some)), 6):
            assert precision_at_k(some, of_all) == recall_at_k(some, of_all, n_relevant=of_all)
    holds("Recall with three relevant documents, with squares, climbs 0.33, 0.33, 0.67, 0.67, 1")
    assert [round(recall_at_k(returned, k), 2) for k in ks] == [0.33, 0.33, 0.67, 0.67, 1]
    assert precisions[2] == recalls[2]
    holds("Recall with five relevant, with triangles, climbs 0.2, 0.2, 0.4, 0.4, 0.6 and meets precision at k = 5")
    assert np.allclose(of_five, [0.2, 0.2, 0.4, 0.4, 0.6]) and of_five[4] == float(precisions[4])
    assert [round(float(p), 2) for p in precisions] == [1, 0.5, 0.67, 0.5, 0.6]
    holds("Recall reaches 1 because nothing relevant stands outside the list")
    assert recall_at_k(returned, 5, n_relevant=3) == 1 > recall_at_k(returned, 5, n_relevant=4)
    holds("What divides by the relevant documents falls, and precision stays")
    assert rows[0][1] == rows[1][1] and all(a > b for a, b in zip(rows[0][2:], rows[1][2:], strict=True))
    holds("counted as irrelevant they can cost P@k, and do cost AP where a hit stands below them")
    assert precision_at_k([0, 1, 0], 1) < precision_at_k([1, 0], 1)
    for some, place in itertools.product(itertools.product([0, 1], repeat=4), range(5)):
        if any(some):
            counted = [*some[:place], 0, *some[place:]]
            assert all(precision_at_k(counted, k) <= precision_at_k(some, k) for k in range(1, 6))
            assert (average_precision(counted) < average_precision(some)) == any(some[place:])


@section("002-ranking-fbeta")
def test_f_at_k(precisions, recalls, rows):
    proved("one $H$ cancels, which gives equation")
    betas = (Fraction(1, 2), Fraction(1), Fraction(2))
    for h, k_, n_, b in itertools.product(range(1, 4), range(3, 7), range(3, 7), betas):
        prec, rec = Fraction(h, k_), Fraction(h, n_)
        assert (1 + b**2) * prec * rec / (b**2 * prec + rec) == (1 + b**2) * h / (b**2 * n_ + k_)
    holds("with 0 instead of 0/0 where nothing was hit")
    assert fbeta_at_k([0, 0, 1], 2) == 0
    holds("with 0.5 the first cut is best, with 1 and 2 the last")
    assert [int(np.argmax(row[1:])) + 1 for row in rows] == [1, 5, 5]
    holds(r"At $k = 3$, where precision and recall are equal, $\beta$ changes nothing.")
    assert precisions[2] == recalls[2] and np.ptp([row[3] for row in rows]) < 1e-15
    pairs = list(zip(precisions, recalls, strict=True))
    exact = [(1 + b**2) * p * r / (b**2 * p + r) for b in betas for p, r in pairs]
    assert np.allclose([value for row in rows for value in row[1:]], [float(q) for q in exact], atol=1e-15)


@section("002-ranking-mrr")
def every_order(returned):
    return sorted(set(itertools.permutations(returned)))


@section("002-ranking-mrr")
def test_mrr(every_order, means, queries, rows):
    holds("here its list and two orders of it, the best and the worst")
    of_orders = average_precision(every_order)
    assert of_orders.max() == rows[1][1] and of_orders.min() == rows[2][1] and all(sum(q) == 3 for q in queries)
    holds("RR sees the first hit and no other")
    for some in itertools.product([0, 1], repeat=5):
        assert reciprocal_rank(some) == (1 / (1 + some.index(1)) if any(some) else 0)
    assert (
        np.allclose(means, [np.mean([row[c] for row in rows]) for c in (1, 2)], atol=1e-15) and rows[0][2] == rows[1][2]
    )
    holds("the first and the second list are one to it")
    assert reciprocal_rank(queries[0]) == reciprocal_rank(queries[1])


@section("ex-002-ranking-order")
def test_exercises(rows):
    holds("One early hit can outweigh two late ones.")
    assert rows[0][1] < rows[1][1] and rows[0][2] > rows[1][2]
    holds("among the lists of five results for a query with two relevant documents, which need not be returned")
    assert sum(rows[0][0]) < 2 == sum(rows[1][0]) and {len(row[0]) for row in rows} == {5}


@section("ex-002-ranking-meet")
def test_exercises_2(every_order, precisions, recalls, returned, rows):
    holds("The printed precisions and recalls are equal at $k = 3$")
    assert [k for k in range(5) if precisions[k] == recalls[k]] == [2] and sum(returned) == 3
    proved("They meet elsewhere where there is no hit so far: $H/k = H/N$ with $H > 0$ forces $k = N$")
    assert rows and all(count == 0 for *_, count in rows)
    grid = itertools.product(range(1, 8), repeat=3)
    assert all((Fraction(h, k) == Fraction(h, total)) == (k == total) for h, k, total in grid)


@section("Exercises")
def test_exercises_3(hits, returned, rows):
    holds(r"On the document's list the best cut for $\beta = 0.5$ is $k = 1$, and for $\beta = 1$ it is $k = 5$.")
    best = [max(range(1, 6), key=lambda k, b=b: fbeta_at_k(returned, k, beta=b)) for b in (0.5, 1)]
    assert best == [1, 5]
    holds("One hit at $k = 1$ and three at $k = 5$ tie if")
    assert (hits[0], hits[4]) == (1, 3) and np.isclose(rows[1][1], rows[1][2])
    holds("Below the tie the pure first place wins, above it the complete list.")
    for s in np.linspace(0.01, 4, 400):
        first, last = (fbeta_at_k(returned, k, beta=s**0.5) for k in (1, 5))
        assert (first > last) == (s < 1 / 3)


@section("002-ranking-use")
def test_unchecked_who_uses_these_measures():
    unchecked("says so only where it comes to ERR", "what stands in the document")
