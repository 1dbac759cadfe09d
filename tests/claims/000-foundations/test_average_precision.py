"""What book/000-foundations/average-precision.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import average_precision, mean_average_precision, precision_at_k, recall_at_k
from tests.claims.runner import holds, section


@section("000-average-precision-worked")
def test_ten_search_results(ap, at_bottom, on_top, spans):
    holds(
        "It is best if all ten are relevant, still fairly good if only five are but appear near the top, and bad if",
        "It gives no AP for these three lists",
        "Ten search results",
    )
    lists_told = [[1] * 10, on_top, at_bottom]
    assert [(len(told), sum(told)) for told in lists_told] == [(10, 10), (10, 5), (10, 5)] and len(lists_told) == 3
    holds("We put the five of the second list right at the top")
    assert all(on_top[:5])
    holds("if the same five begin at the sixth place")
    assert at_bottom.index(1) + 1 == 6 and all(at_bottom[5:])
    holds("nothing is relevant except what each list shows")
    assert ap(lists_told).tolist() == ap(lists_told, n_relevant=[sum(told) for told in lists_told]).tolist()
    holds("In the third list the hits are then at ranks 6 to 10, and AP is (1/6 + 2/7 + 3/8 + 4/9 + 5/10)/5.")
    terms = [Fraction(hits, rank) for hits, rank in enumerate(range(6, 11), 1)]
    assert math.isclose(ap(at_bottom), sum(terms) / 5) and len(terms) == 5
    assert [rank for rank, found in enumerate(at_bottom, 1) if found] == [6, 7, 8, 9, 10]
    holds("The first two lists both score 1, because each shows everything that is relevant")
    assert ap([1] * 10) == ap(on_top) == 1 > ap(on_top, n_relevant=6)
    for judged in range(10, 30):
        holds("the same ten or more relevant items, AP would prefer the first to the second")
        assert ap([1] * 10, n_relevant=judged) > ap(on_top, n_relevant=judged)
    holds("The third list does badly, as the document says, but its AP is far from 0.")
    orders = [[int(i in c) for i in range(10)] for c in itertools.combinations(range(10), 5)]
    assert ap(at_bottom) == ap(orders).min() > 1 / 3 and math.isclose(ap(at_bottom), 893 / 2520)
    holds("It goes only halfway", "The share of items that was found decides how high AP can get")
    assert np.allclose([top for _, _, top in spans], np.arange(1, 6) / 5)
    holds("All lists of ten results for a user who likes five items.")
    assert recall_at_k(on_top, 10) == 1 == recall_at_k(at_bottom, 10) and sum(on_top) == 5
    holds("At each recall above 0, the bar shows the range of AP, and the white circle its mean over all orders.")
    assert all(low < mean < top for low, mean, top in spans) and ap([0] * 10, n_relevant=5) == 0
    for found in itertools.product([0, 1], repeat=7):
        holds("No list lies above the dashed line, on which AP equals recall.")
        assert ap(found, n_relevant=8) <= recall_at_k(found, 7, n_relevant=8) + 1e-12
    holds("At recall 1 the bar spans 0.35 to 1 with the mean at 0.61, and at recall 0.2 it spans 0.02 to 0.2.")
    assert [round(v, 2) for v in (*spans[4], spans[0][0], spans[0][2])] == [0.35, 0.61, 1, 0.02, 0.2]
    holds("Vertical bars at recalls 0.2, 0.4, 0.6, 0.8 and 1.")
    assert [hit_count / 5 for hit_count in range(1, 6)] == [0.2, 0.4, 0.6, 0.8, 1] and len(spans) == 5
    holds("Each reaches up to the diagonal line from less than half its height")
    assert all(low < top / 2 for low, _, top in spans)


@section("000-average-precision-items")
def test_the_formula(ap, over_items, ranked, relevant):
    holds("so their terms are 1/1, 2/3 and 3/5, and AP is a third of the sum, 34/45, or 0.756")
    assert over_items(ranked, relevant) == (Fraction(1, 1) + Fraction(2, 3) + Fraction(3, 5)) / 3
    assert over_items(ranked, relevant) == Fraction(34, 45) and round(34 / 45, 3) == 0.756
    holds("The relevant items are at ranks 1, 3 and 5")
    assert [p for p, item in enumerate(ranked, 1) if item in relevant] == [1, 3, 5]
    holds("In our function for the formula, such an item adds nothing.", "The library gets the same value")
    for length in range(1, 5):
        for flags in filter(any, itertools.product([0, 1], repeat=length)):
            liked = {k for k, flag in enumerate(flags) if flag} | {"missing"}
            assert math.isclose(over_items(range(length), liked), ap(flags, n_relevant=len(liked)))


@section("000-average-precision-ranks")
def test_the_code(lists, over_items, over_ranks, pairs, subsets):
    holds("it has met every relevant item with a smaller rank, and $i$ itself")
    for order, liked in pairs[::7]:
        for k, one in enumerate(order, 1):
            smaller = [order.index(j) + 1 < k for j in liked if j in order]
            assert one not in liked or sum(i in liked for i in order[:k]) == 1 + sum(smaller)
        flags = [int(one in liked) for one in order]
        holds("As a formula, the walk is the definition in the lesson")
        by_formula = sum(flags[k - 1] * precision_at_k(flags, k) for k in range(1, len(order) + 1)) / len(liked)
        assert math.isclose(by_formula, over_ranks(order, liked), abs_tol=1e-15)
        assert math.isclose(by_formula, average_precision(flags, n_relevant=len(liked)), abs_tol=1e-15)
    holds("A relevant item that is not listed adds 0 on both sides.")
    assert over_items(["a"], {"a", "b"}) == over_ranks(["a"], {"a", "b"}) == Fraction(1, 2)
    holds("all rankings of up to five items, cut at every length, with every set of relevant items that is not empty")
    assert len(subsets) == 2**5 - 1 and len(lists) == len(set(lists)) == 5 + 20 + 60 + 120 + 120
    holds("The two sides agree in each of the ten thousand cases.", "always give the same AP")
    assert len(pairs) == 10075 and all(over_items(*pair) == over_ranks(*pair) for pair in pairs)
    holds("each further copy of the item adds 1 to AP, without limit")
    assert [over_ranks(["a"] * n, {"a"}) for n in range(1, 20)] == list(range(1, 20))
    holds("It walks down the list, counts the hits, and at each hit adds the number of hits divided by the rank.")
    assert over_ranks(["a", "x", "b"], {"a", "b"}) == (Fraction(1, 1) + Fraction(2, 3)) / 2
    holds("The walk does not remember which items it has met, so it counts a repeated item as a new hit")
    assert over_ranks(["a", "a"], {"a"}) == 2
    holds("It cannot detect a repeat if there are enough relevant items")
    assert average_precision([1, 1, 1], n_relevant=3) == 1
    holds("Formula and code divide by all relevant items, even if the list is too short to hold them.")
    assert over_items(["a"], set("abc")) == over_ranks(["a"], set("abc")) == Fraction(1, 3)
    holds("Not all documents do")
    assert len({average_precision([1, 0], n_relevant=3, denominator=d) for d in ("relevant", "hits", "k")}) == 3


@section("000-average-precision-map")
def test_map_the_mean_over_users(over_ranks, rows, users):
    holds("MAP is the mean of AP over all users")
    two = [[1, 0], [0, 1]]
    assert mean_average_precision(two) == sum(average_precision(two)) / 2 == 3 / 4
    holds("if nothing is relevant for a user, AP is 0/0, and the code silently counts this user as 0 as well")
    assert math.isnan(average_precision([0, 0])) and math.isclose(rows[1][1], 2 / 3)
    holds("three users, if two lists are perfect and the third user has no relevant item")
    assert len(users) == 3 and average_precision(users).tolist()[:2] == [1, 1] and sum(users[2]) == 0
    holds("A user for whom no system could do anything has lowered MAP by a third.")
    assert math.isclose(rows[1][1], rows[0][1] * 2 / 3)
    holds("The code returns 0 for a list without a hit.")
    assert over_ranks(["x"], {"a"}) == 0


@section("Exercises")
def test_exercises(over_ranks, pairs, repaired, rows):
    assert [row[3] for row in rows] == [1, 1, Fraction(5, 6)] and repaired("ab", "ab") == 1
    holds("each relevant item counts at its first occurrence only")
    assert all(repaired(*pair) == over_ranks(*pair) for pair in pairs[::11])
