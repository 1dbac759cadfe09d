"""What book/000-foundations/ndcg.ipynb says, held."""

import itertools
import math

import numpy as np

from metrics_lib import average_precision, cumulative_gain, dcg, ideal_dcg, ndcg
from tests.claims.runner import holds, proved, section, unchecked


@section("000-ndcg-cg")
def orders(returned):
    return list(itertools.permutations(returned))


@section("000-ndcg-cg")
def test_cg():
    holds("it does not look at positions")
    assert cumulative_gain([0, 3]) == cumulative_gain([3, 0])


@section("000-ndcg-discount")
def test_dcg(exponential, orders):
    holds("a greater grade raises the DCG")
    for order in set(orders[::10]):
        for at in range(6):
            assert dcg([*order[:at], order[at] + 1, *order[at + 1 :]], **exponential) > dcg(order, **exponential)
    holds("a result is worth less the lower it stands")
    assert (np.diff([dcg([0] * above + [3], **exponential) for above in range(20)]) < 0).all()
    holds("a DCG that gets smaller along the list, which it does not")
    assert all((np.diff([dcg(o, k, **exponential) for k in range(1, 7)]) >= 0).all() for o in orders[::10])
    holds("On grades of 0 and 1 the two gains are the same, and the words are right")
    for flags in itertools.product([0, 1], repeat=6):
        assert dcg(flags) == dcg(flags, **exponential) <= cumulative_gain(flags)
    holds("on other grades the DCG can exceed the CG")
    assert dcg([3], **exponential) > cumulative_gain([3])


@section("000-ndcg-ideal")
def test_idcg(exponential, judged, returned):
    holds("for the grades of all judged items of the user, in descending order, the ideal is")
    assert ideal_dcg(judged, 2, **exponential) == dcg(sorted(judged, reverse=True)[:2], **exponential)
    holds("if that holds everything that was judged, the two agree")
    assert ndcg(returned, **exponential) == ndcg(returned, judged=returned, **exponential)
    assert ndcg(returned, **exponential) > ndcg(returned, judged=judged, **exponential)


@section("000-ndcg-range")
def of_four():
    return list(itertools.product(range(4), repeat=4))


@section("000-ndcg-range")
def test_the_range(best, exponential, largest, of_four, smallest):
    holds("There is one, 0: nothing relevant among the first $k$, although something relevant exists.")
    assert (largest, smallest) == (1, 0) == (ndcg(best), ndcg([0, 0, 0, 3], 3, **exponential))
    values = ndcg(of_four, **exponential)
    holds("an NDCG that has a value is above 0; where nothing is relevant, it is 0/0")
    assert (values[~np.isnan(values)] > 0).all() and [sum(of_four[i]) for i in np.flatnonzero(np.isnan(values))] == [0]
    holds("The only values that these sections print are the ends of two intervals")
    assert 0 <= np.nanmin(values) <= np.nanmax(values) <= 1 + 1e-12


@section("000-ndcg-ndcg")
def test_ndcg_of_one_user(ax, best, by_k, exponential, judged, ks, of_k, orders, returned):
    judged_uncut = of_k / ideal_dcg(judged, **exponential)
    returned_uncut = of_k / ideal_dcg(returned, **exponential)
    holds("Three curves over k from 1 to 8.")
    assert len(ax.lines) == 3 and list(ks) == [1, 2, 3, 4, 5, 6, 7, 8]
    holds("NDCG starts at 1, falls to 0.74 at k = 5 and ends at 0.78")
    assert [round(v, 2) for v in (by_k[0], by_k[4], by_k[7])] == [1, 0.74, 0.78] and by_k.index(min(by_k)) + 1 == 5
    holds("Only the first, of all judged items and cut at k, starts at 1 for a best item on top")
    assert by_k[0] == 1 and round(judged_uncut[0], 2) == 0.39 and round(returned_uncut[0], 2) == 0.48
    holds("From $k = 6$ on two curves are one, at 0.78, since there the cut removes nothing from the ideal")
    meet = [k for k in ks if math.isclose(by_k[k - 1], judged_uncut[k - 1])]
    assert meet == [6, 7, 8] and {round(by_k[k - 1], 2) for k in meet} == {0.78} and best[5:] == [1, 0, 0]
    assert round(returned_uncut[7], 2) == 0.95
    holds("Against an ideal that is not cut, NDCG never falls with $k$")
    for order in orders[::10]:
        assert (np.diff([dcg(order, k, **exponential) for k in range(1, 9)]) >= 0).all()
        cut = [ndcg(order, k, judged=judged, **exponential) for k in range(1, 7)]
        for at in range(1, 6):
            holds("it can, at a rank where the list holds less than the ideal does")
            assert cut[at] > cut[at - 1] - 1e-12 or order[at] < best[at]


@section("000-ndcg-mean")
def test_the_mean_over_users(exponential, ideals, lists, pools, reached, returned, rows):
    holds("Three users: the example's, one with a single 5, found at rank 2, and one with a single 1, missed.")
    assert len(lists) == 3 and lists[0] == returned and lists[1].index(5) + 1 == 2 and pools[2][0] == 1
    assert np.allclose(reached / ideals, ndcg(lists, 6, judged=pools, **exponential))
    holds("The third user, whose one item was missed, costs a third of the mean and next to nothing of the quotient")
    first_two = (reached / ideals)[:2].mean()
    assert math.isclose(first_two * 2 / 3, rows[0][1])
    assert reached[:2].sum() / ideals[:2].sum() - rows[1][1] < 0.02
    holds("normalising before the mean is what makes them count alike")
    one_better = ndcg([[0, 1], [0, 5]], judged=[[1, 0], [5, 0]], **exponential)
    assert one_better[0] == one_better[1]


@section("000-ndcg-scales")
def test_two_scales(exponential, rows):
    shown, liked = [9, 4, 7], {7, 9}
    proved("with $i$ for an item instead of its rank")
    assert [int(item in liked) for item in shown] == [1, 0, 1] != [int(i in liked) for i in (1, 2, 3)] == [0, 0, 0]
    holds("The document offers two scales of grades: 0 and 1, and 0 to 5.")
    assert [dcg([top], **exponential) for top in (0, 1, 5)] == [0, 1, 31]
    holds("With each step the NDCG rises, although nobody has ranked anything better.")
    assert all((np.diff([row[c] for row in rows]) > 0).all() for c in (1, 2)) and len(rows) == 3
    holds("irrelevant results are paid")
    assert dcg([0 + 1]) == 1 > dcg([0]) == 0


@section("ex-000-ndcg-doubling")
def test_exercises(exponential, of_four, rows):
    a, b = [1, 1, 0, 2], [0, 2, 1, 1]
    holds("two orders of the grades 2, 1, 1, 0 that change places", "Before, the first list leads, after it the second")
    assert rows[0][1] > rows[1][1] and rows[0][2] < rows[1][2] and sorted(a) == sorted(b) == [0, 1, 1, 2]
    holds("A team doubles every grade", "It is right for the linear gain.")
    assert all(math.isclose(ndcg(o), ndcg([2 * g for g in o])) for o in of_four if any(o))
    holds("the gain of the top grade 15 and that of the next one 3")
    assert [dcg([2 * grade], **exponential) for grade in (2, 1)] == [15, 3] and 2 * max(a) == 4
    proved("stands at rank 2 and not at rank 4")
    assert (b.index(2) + 1, a.index(2) + 1) == (2, 4)


@section("Exercises")
def test_exercises_2(hundred):
    holds("without a cut it is the sum of a hundred weights")
    assert ndcg(hundred, 1) == 1 and math.isclose(ideal_dcg(hundred), sum(1 / math.log2(i + 1) for i in range(1, 101)))
    holds("scores below 0.05, and the more relevant items a user has, the lower")
    uncut = [1 / ideal_dcg([1] * n) for n in range(1, 101)]
    assert uncut[-1] < 0.05 and (np.diff(uncut) < 0).all()
    holds("A user has 100 items of grade 1, and the system shows one of them")
    assert sum(hundred) == 100


@section("Exercises")
def test_exercises_3(lists, opposed, pairs):
    holds("There are twenty such lists.", "They disagree on two of the 190 pairs.")
    assert len(lists) == 20 and len(pairs) == 190 and len(opposed) == 4
    holds("In both, AP prefers three hits in a row and NDCG the earlier first hit.")
    for row, early in (opposed[:2], opposed[2:]):
        assert "111" in "".join(map(str, row)) and row.index(1) > early.index(1)
        assert average_precision(row) > average_precision(early) and ndcg(row) < ndcg(early)
    holds("Search the lists of six results with three relevant ones")
    assert {(len(r), sum(r)) for r in lists} == {(6, 3)}
    holds("do they always agree on which of two lists is better")
    assert opposed


@section("Exercises")
def test_exercises_4(rows, systems):
    holds("Two users: one has a single item of grade 5, the other a single item of grade 1.")
    assert all(sorted(map(sum, rel)) == [1, 5] and len(rel) == 2 for rel in systems.values())
    holds("Each item is at rank 1 once and at rank 3 once.")
    assert [[user.index(max(user)) + 1 for user in rel] for rel in systems.values()] == [[1, 3], [3, 1]]
    holds("The mean cannot tell the systems apart, the quotient sees almost nothing but the first user.")
    assert rows[0][1] == rows[1][1] == 0.75
    assert rows[0][2] > 0.98 and abs(rows[1][2] - 0.5) < 0.02


@section("000-ndcg-scales")
def test_unchecked_two_scales():
    unchecked("Both start at 0, as they should", "what the rows show, as advice")
