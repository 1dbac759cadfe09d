"""What book/002-performance-measures/ranking.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_book.printed import verdict
from metrics_lib import average_precision, fbeta_at_k, precision_at_k, recall_at_k, reciprocal_rank
from tests.claims.runner import holds, proved, section, unchecked


@section("002-ranking-use")
def test_who_uses_these_measures(lists, rows):
    holds("Here are two lists of five results with the same number of hits; for the first column, all five")
    assert {(len(rel), sum(rel)) for rel in lists.values()} == {(5, 2)}
    holds("The precision is the same for both, while P@2, AP and RR tell the lists apart.")
    assert rows[0][1] == rows[1][1] and all(a > b for a, b in zip(rows[0][2:], rows[1][2:], strict=True))


@section("002-ranking-pr")
def test_p_k_and_r_k(ap, precisions, printed, recalls, returned, values):
    holds("The example has five results, called 1 to 5, of which the first, the third and the fifth are relevant.")
    assert len(returned) == 5 and [rank for rank, rel in enumerate(returned, 1) if rel] == [1, 3, 5]
    holds("All thirteen fractions are exact.")
    assert len(values) == 13 and {verdict(*pair) for pair in zip(printed, values, strict=True)} == {"exact"}
    holds("one third of the sum of the last three fractions; its value is 34/45, or 0.7556")
    assert ap == Fraction(34, 45) and round(float(ap), 4) == 0.7556
    assert printed[-3:] == ["1/1", "2/3", "3/5"] and ap == sum(values[-3:]) / 3
    assert np.allclose([precision_at_k(returned, k) for k in range(1, 6)], [float(p) for p in precisions], atol=1e-15)
    assert np.allclose([recall_at_k(returned, k) for k in range(1, 6)], [float(r) for r in recalls], atol=1e-15)
    assert abs(average_precision(returned) - ap) < 1e-15


@section("002-ranking-pr")
def test_p_k_and_r_k_2(ks, of_five, precisions, recalls, returned, rows):
    holds("if five documents are relevant in all, and two of them were not returned")
    assert 5 - sum(returned) == 2
    holds(
        "With five relevant documents instead of three, recall is lower at all five cuts, and precision is unchanged."
    )
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
    holds("Recall reaches 1 because nothing relevant is missing from the list")
    assert recall_at_k(returned, 5, n_relevant=3) == 1 > recall_at_k(returned, 5, n_relevant=4)
    holds("because otherwise a system could raise its recall by returning less")
    assert recall_at_k(returned[:1], 1) == 1 > recall_at_k(returned, 1)
    holds("The measures that divide by the number of relevant documents fall, and precision stays the same")
    assert rows[0][1] == rows[1][1] and all(a > b for a, b in zip(rows[0][2:], rows[1][2:], strict=True))
    holds("they can lower P@k, and they do lower AP where a hit follows below them")
    assert precision_at_k([0, 1, 0], 1) < precision_at_k([1, 0], 1)
    for some, place in itertools.product(itertools.product([0, 1], repeat=4), range(5)):
        if any(some):
            counted = [*some[:place], 0, *some[place:]]
            assert all(precision_at_k(counted, k) <= precision_at_k(some, k) for k in range(1, 6))
            assert (average_precision(counted) < average_precision(some)) == any(some[place:])


@section("002-ranking-fbeta")
def test_f_at_k(precisions, recalls, rows):
    proved("and one $H$ cancels, which gives equation")
    betas = (Fraction(1, 2), Fraction(1), Fraction(2))
    for h, k_, n_, b in itertools.product(range(1, 4), range(3, 7), range(3, 7), betas):
        prec, rec = Fraction(h, k_), Fraction(h, n_)
        assert (1 + b**2) * prec * rec / (b**2 * prec + rec) == (1 + b**2) * h / (b**2 * n_ + k_)
    holds("that form is 0 when there is no hit")
    assert fbeta_at_k([0, 0, 1], 2) == 0
    holds(r"the best cut moves from the first for $\beta = 0.5$ to the last for 1 and 2")
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
    holds("the best and the worst order of that list as the results of two more")
    of_orders = average_precision(every_order)
    assert of_orders.max() == rows[1][1] and of_orders.min() == rows[2][1] and all(sum(q) == 3 for q in queries)
    holds("RR depends on the first hit alone")
    for some in itertools.product([0, 1], repeat=5):
        assert reciprocal_rank(some) == (1 / (1 + some.index(1)) if any(some) else 0)
    assert (
        np.allclose(means, [np.mean([row[c] for row in rows]) for c in (1, 2)], atol=1e-15) and rows[0][2] == rows[1][2]
    )
    holds("so it does not tell the first list from the second")
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
    proved("because $H/k = H/N$ with $H > 0$ forces $k = N$")
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
    holds(r"With a smaller $\beta$ the first result alone wins, with a greater one the complete list.")
    for s in np.linspace(0.01, 4, 400):
        first, last = (fbeta_at_k(returned, k, beta=s**0.5) for k in (1, 5))
        assert (first > last) == (s < 1 / 3)


@section("002-ranking-use")
def test_unchecked_who_uses_these_measures():
    unchecked("mentions such a reader only when it comes to ERR", "what the document says")
