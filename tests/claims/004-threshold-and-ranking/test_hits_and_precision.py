"""What book/004-threshold-and-ranking/hits-and-precision.ipynb says, held."""

import itertools
from fractions import Fraction

from metrics_book.printed import verdict
from metrics_lib import (
    average_precision,
    hit_ratio,
    mean_average_precision,
    mean_reciprocal_rank,
    precision_at_k,
    reciprocal_rank,
)
from tests.claims.runner import holds, proved, section


@section("004-hits-and-precision")
def test_the_opening():
    holds("Every number that it prints is right")
    for shown, value in [
        ("0.5", hit_ratio([6, 5, 4], [10, 12, 8], definition="pooled")),
        ("11/18", mean_reciprocal_rank([[0, 0, 1], [0, 1, 0], [1, 0, 0]])),
        ("0.61", mean_reciprocal_rank([[0, 0, 1], [0, 1, 0], [1, 0, 0]])),
        *[("2/5", precision_at_k(top_five, 5)) for top_five in ([1, 1, 0, 0, 0], [0, 0, 0, 1, 1])],
        *[(score, precision_at_k([1, 1], k)) for k, score in enumerate(["1", "1", "2/3", "1/2", "2/5"], 1)],
    ]:
        assert verdict(shown, value) in ("exact", "rounded or truncated")


@section("004-hits-and-precision-hit-rate")
def test_hit_rate(hit_rate, hits, test_items):
    holds("all hits of all users over all items that there were to find")
    assert hit_rate == Fraction(sum(hits), sum(test_items)) == Fraction(1, 2)
    holds("Three users bought 10, 12 and 8 products, and their top-10 lists contain 6, 5 and 4")
    assert len(hits) == len(test_items) == 3 and all(h <= 10 and h <= t for h, t in zip(hits, test_items, strict=True))


@section("004-hits-and-precision-mrr")
def test_mrr(mrr, queries, rr):
    holds("All five are right.")
    steps = zip(["1/3", "1/2", "1", "11/18", "0.61"], [*rr, mrr, mrr], strict=True)
    assert [verdict(p, v) for p, v in steps] == ["exact"] * 4 + ["rounded or truncated"]
    holds("Their ranks, 3, 2 and 1, can be read from the sum that the document prints")
    assert [rel.index(1) + 1 for rel in queries] == [3, 2, 1] and len(queries) == 3
    assert abs(mrr - 11 / 18) < 1e-12 and (Fraction(1, 3) + Fraction(1, 2) + 1) / 3 == Fraction(11, 18)


@section("004-hits-and-precision-precision")
def test_precision(early, late):
    holds("two lists of five with two hits each, one with its hits at the top and one with them at the bottom")
    assert [sum(early), sum(late)] == [2, 2] and len(early) == len(late) == 5
    assert early == sorted(early, reverse=True) == late[::-1]
    holds("No one would call the two lists equally good, but precision does")
    assert precision_at_k(early, 5) == precision_at_k(late, 5)
    assert average_precision(early, n_relevant=3) > average_precision(late, n_relevant=3)


@section("004-hits-and-precision-ap")
def test_ap():
    every_list = list(itertools.product([0, 1], repeat=5))
    for flags in every_list:
        terms = [hit * precision_at_k(flags, k) for k, hit in enumerate(flags, 1)]
        holds("The terms of this sum are right, but the divisor is not: AP divides by the number")
        assert abs(sum(terms) / 6 - average_precision(flags, n_relevant=6)) < 1e-12
        assert abs(sum(terms) / 5 - average_precision(flags, n_relevant=6, denominator="k")) < 1e-12
        holds(
            "takes the precision at every position, 0 where the result is irrelevant, and averages over all positions"
        )
        assert len(terms) == 5 and all(term == 0 for term, hit in zip(terms, flags, strict=True) if not hit)


@section("004-hits-and-precision-worked")
def test_the_worked_example_ap(ap, at_hits, bought, by_library, early, score_printed, scores):
    holds("All five scores are right")
    assert [verdict(p, v) for p, v in zip(score_printed, scores, strict=True)] == ["exact"] * 5
    holds("AP adds up the scores of the two hits and divides by the three purchases")
    assert sum(s for s, hit in zip(scores, early, strict=True) if hit) / bought == ap == 2 / 3 and sum(early) == 2
    holds("the user bought three things, and two of them are in the early list")
    assert bought == 3 and sum(early) == 2
    holds("with 2/3 against 13/60, the early list is worth about three times as much as the late one")
    assert abs(by_library[1] - 13 / 60) < 1e-12 and by_library[0] == 2 / 3 and round(by_library[0] / by_library[1]) == 3
    assert all(abs(a - b) < 1e-12 for a, b in zip(at_hits, by_library, strict=True))


@section("004-hits-and-precision-worked")
def test_the_worked_example_ap_2(early):
    holds("Two more divisors are in use")
    denominators = ["k", "relevant", "min", "hits"]
    values = [average_precision(early, n_relevant=8, denominator=d) for d in denominators]
    assert values == [2 / 5, 2 / 8, 2 / 5, 1] and len(denominators) == 2 + 2
    assert [average_precision(early, n_relevant=3, denominator=d) for d in denominators] == [2 / 5, 2 / 3, 2 / 3, 1]


@section("004-hits-and-precision-map")
def test_map(early, late):
    proved("If we take its two lists as two queries, we get (2/3 + 13/60)/2 = 53/120")
    assert (Fraction(2, 3) + Fraction(13, 60)) / 2 == Fraction(53, 120)
    assert abs(mean_average_precision([early, late], n_relevant=3) - 53 / 120) < 1e-12 and len([early, late]) == 2


@section("Exercises")
def test_exercises(agree, early, i, j, late, lists, pairs):
    holds("There are ten such pairs among 45")
    assert len(pairs) == 45 and len(agree) == 10
    holds("In each of the ten pairs the first hits are at the same rank and the second hits are not")
    assert all(
        lists[a].index(1) == lists[b].index(1) and lists[a][::-1].index(1) != lists[b][::-1].index(1) for a, b in agree
    )
    holds("The document's two lists have the same precision but different reciprocal ranks.")
    assert precision_at_k(early, 5) == precision_at_k(late, 5) and reciprocal_rank(early) != reciprocal_rank(late)
    holds("Find two lists of five, with two hits each", "you find them by comparing all lists with two hits")
    assert all(sum(rel) == 2 and len(rel) == 5 for rel in lists) and len(lists) == len(set(lists)) == 10
    holds("All but one agree")
    assert average_precision(lists[i], n_relevant=3) != average_precision(lists[j], n_relevant=3)
