"""What book/lessons/precision-and-recall-at-k.ipynb says, held."""

import csv
import itertools
import math
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np

from metrics_lib import (
    average_precision,
    fbeta_at_k,
    hit_ratio,
    ndcg,
    precision_at_k,
    r_precision,
    rank_biased_precision,
    recall_at_k,
    reciprocal_rank,
)
from metrics_lib.uncertainty import bootstrap, paired_difference
from tests.claims.runner import holds, proved, section, unchecked

BOUGHT = [8, 4, 2, 1]
SENSES = ["pooled", "per_user", "any"]


@section("lesson-precision-and-recall-at-k")
def test_the_opening(A, B, names, shown):
    holds("A shop wants to show each customer five products", "Five offers to each of four customers")
    assert A.shape == B.shape == (4, 5) and names == ["Ann: 8", "Ben: 4", "Cleo: 2", "Dan: 1"]
    holds("A has seven hits for two of the customers, and B has four hits, one for each customer.")
    assert (A.sum(), A.any(axis=1).sum(), B.sum(), B.sum(axis=1).tolist()) == (7, 2, 4, [1] * 4)
    holds("For Dan, B found only three offers.", "Dan's row ends after three dots")
    assert shown == {"A": [5] * 4, "B": [5, 5, 5, 3]} and not B[3, 3:].any()
    holds("all five dots of Ann, who bought 8, are filled, and so are those at ranks 1 and 4 of Ben, who bought 4")
    assert A[0].all() and np.flatnonzero(A[1]).tolist() == [0, 3] and not A[2:].any()
    holds("each row has one filled dot: Ann's at rank 3, Ben's at 1, Cleo's at 2 and Dan's at 1")
    assert (B.argmax(axis=1) + 1).tolist() == [3, 1, 2, 1]
    holds("One reports 0.47 for A and 0.27 for B, the other 0.5 for A and 1 for B.")
    pooled, any_hit = ([hit_ratio(x.sum(axis=1), BOUGHT, definition=d) for x in (A, B)] for d in ("pooled", "any"))
    assert np.round(pooled, 2).tolist() == [0.47, 0.27] and any_hit == [0.5, 1]
    holds("because the first divides the hits by the purchases, while the second counts the customers")
    assert np.allclose(pooled, [x.sum() / sum(BOUGHT) for x in (A, B)])
    assert np.allclose(any_hit, [x.any(axis=1).mean() for x in (A, B)])
    holds("The first would ship A and the second B.")
    assert pooled[0] > pooled[1] and any_hit[0] < any_hit[1]


@section("In one line")
def test_in_one_line(A):
    holds("`precision_at_k([1, 0, 0, 1, 0], 5)` is 0.4 and `recall_at_k([1, 0, 0, 1, 0], 5, n_relevant=4)` is 0.5")
    assert precision_at_k([1, 0, 0, 1, 0], 5) == 0.4 and recall_at_k([1, 0, 0, 1, 0], 5, n_relevant=4) == 0.5
    holds("For A's list for Ben, who bought 4 products")
    assert A[1].tolist() == [1, 0, 0, 1, 0]


@section("lesson-precision-and-recall-at-k-hand")
def test_by_hand(A, B, ben, n_relevant, shown):
    holds("A's list for Ben has hits at ranks 1 and 4, and he bought 4 products.")
    assert ben.tolist() == A[1].tolist() and (np.flatnonzero(ben) + 1).tolist() == [1, 4] and n_relevant == 4
    by_cut = [
        [str(Fraction(int(found), size)) for found, size in zip(ben.cumsum(), sizes, strict=True)]
        for sizes in (range(1, 6), [4] * 5)
    ]
    holds("How do they depend on the cutoff")
    assert by_cut == [["1", "1/2", "1/3", "1/2", "2/5"], ["1/4", "1/4", "1/4", "1/2", "1/2"]]
    holds("As $k$ grows, recall never falls, while precision falls at each miss that comes after the first hit.")
    for rel in itertools.product([0, 1], repeat=7):
        for at in range(1, 7):
            p, q = precision_at_k(rel, at), precision_at_k(rel, at + 1)
            assert recall_at_k(rel, at, n_relevant=8) <= recall_at_k(rel, at + 1, n_relevant=8)
            assert q >= p if rel[at] or not any(rel[:at]) else q < p
    holds("B found three offers for Dan, one of them a hit.", "P@5 is 1/5 rather than 1/3")
    assert B[3, : shown["B"][3]].tolist() == [1, 0, 0]
    assert precision_at_k([1, 0, 0], 5) == 1 / 5 and precision_at_k([1, 0, 0], 3) == 1 / 3
    holds("otherwise a system could score higher by showing less")
    assert precision_at_k([1], 1) > precision_at_k([1, 0, 0], 3)
    assert precision_at_k([1], 5) == precision_at_k([1, 0, 0], 5)
    holds("At $k = N$, P@k and R@k divide the same hits by the same number.", "harmonic mean of P@k and R@k")
    for rel, total in itertools.product(itertools.product([0, 1], repeat=5), range(1, 8)):
        if sum(rel) <= total:
            at_total = precision_at_k(rel, total)
            assert at_total == recall_at_k(rel, total, n_relevant=total) == r_precision(rel, n_relevant=total)
            for beta, at in itertools.product((0.5, 1, 2), range(1, 8)):
                f = (1 + beta**2) * sum(rel[:at]) / (beta**2 * total + at)
                assert np.isclose(fbeta_at_k(rel, at, beta=beta, n_relevant=total), f)
                if sum(rel[:at]):
                    p, r = precision_at_k(rel, at), recall_at_k(rel, at, n_relevant=total)
                    assert np.isclose(f, (1 + beta**2) / (1 / p + beta**2 / r))
    holds("a cutoff of their own, at which a perfect list reaches 1")
    assert all(r_precision([1] * total) == 1 for total in range(1, 9))
    holds("For Ben and $\\beta = 1$", "or 0.444")
    assert round(2 * 2 / (4 + 5), 3) == 0.444 == round(fbeta_at_k(ben, 5, n_relevant=4), 3)


@section("lesson-precision-and-recall-at-k-hand")
def test_hit_rates(A, B, bought, h, senses, values):
    assert bought.tolist() == BOUGHT and h.tolist() == A.sum(axis=1).tolist() and senses == SENSES
    holds("One name has three values")
    assert len(set(values)) == len(senses) == 3
    both = [[hit_ratio(x.sum(axis=1), bought, definition=sense) for sense in senses] for x in (A, B)]
    holds("hit rate, pooled", "hit rate, per user", "hit rate, any")
    assert np.round(both, 3).tolist() == [[0.467, 0.281, 0.5], [0.267, 0.469, 1]]
    assert [precision_at_k(x, 5).mean().round(9) for x in (A, B)] == [0.35, 0.2]
    holds("In the pooled hit rate Ann has 8 of the 15 votes, and A wins by pleasing her.")
    assert bought[0] == 8 and bought.sum() == 15 and both[0][0] > both[1][0]
    without = [hit_ratio(x[1:].sum(axis=1), bought[1:], definition="pooled") for x in (A, B)]
    assert without[0] < without[1]
    holds("The other two hit rates prefer B.")
    assert both[0][1] < both[1][1] and both[0][2] < both[1][2]
    holds("the three hit rates agree, and the mean P@k is the hit rate divided by $k$")
    for ranks in itertools.product(range(5), repeat=3):  # 4: not in the list
        lists = np.array([[rank == at for at in range(4)] for rank in ranks])
        for at in range(1, 5):
            in_cut = lists[:, :at].sum(axis=1)
            [of_all] = {round(hit_ratio(in_cut, [1] * 3, definition=sense), 12) for sense in senses}
            assert np.isclose(precision_at_k(lists, at).mean(), of_all / at)


@section("lesson-precision-and-recall-at-k-scale")
def test_how_good_is_a_p_5_of(A, ks, left, precisions, recalls, right):
    best_p, best_r = np.minimum(1, np.divide(BOUGHT, 5)), np.minimum(1, np.divide(5, BOUGHT))
    holds("who buys 1 product can have a P@5 of at most 0.2; one who buys 8 can have an R@5 of at most 0.625")
    assert precision_at_k([1], 5) == best_p[3] == 0.2 and recall_at_k([1] * 5, 5, n_relevant=8) == best_r[0] == 0.625
    holds(
        "P@k is at most $N/k$, because a list cannot have more than $N$ hits",
        "R@k is at most $k/N$, because only $k$ items fit",
    )
    for rel, total, at in itertools.product(itertools.product([0, 1], repeat=6), range(1, 9), range(1, 8)):
        if sum(rel) <= total:
            assert precision_at_k(rel, at) <= min(1, total / at)
            assert recall_at_k(rel, at, n_relevant=total) <= min(1, at / total)
    holds("Two panels over k from 1 to 10.", "Each line climbs straight to 1, which it reaches at 1, 2, 4 and 8.")
    assert (ks.min(), ks.max()) == (1, 10) and len(left.lines) == len(right.lines) == 6
    for count, on_left, on_right in zip((1, 2, 4, 8), left.lines, right.lines, strict=False):
        assert np.allclose(on_left.get_ydata(), [precision_at_k([1] * count, int(at)) for at in ks])
        assert np.allclose(on_right.get_ydata(), [recall_at_k([1] * min(count, at), at, n_relevant=count) for at in ks])
    holds("then falls as one over k, to 0.1, 0.2, 0.4 and 0.8 at 10")
    assert [precision_at_k([1] * count, 10) for count in (1, 2, 4, 8)] == [0.1, 0.2, 0.4, 0.8]
    holds("Ben's dots go 1, 0.5, 0.33, 0.5, 0.4, and chance is flat at 0.1")
    assert np.round(precisions, 2).tolist() == [1, 0.5, 0.33, 0.5, 0.4] and 4 / 40 == 0.1
    holds("Ben's dots go 0.25, 0.25, 0.25, 0.5, 0.5, and chance climbs from 0.025 to 0.25")
    assert recalls == [0.25, 0.25, 0.25, 0.5, 0.5] and right.lines[4].get_ydata()[[0, -1]].tolist() == [0.025, 0.25]
    holds("The best lists of five for our four customers have a mean P@5 of 0.6")
    assert np.isclose(np.mean([precision_at_k([1] * count, 5) for count in BOUGHT]), 0.6)
    holds("Its mean P@k is the prevalence", "Its mean R@k is $k/40$ for any customer.")
    for size, total in itertools.combinations_with_replacement(range(1, 7), 2):
        rows = np.array([np.isin(np.arange(total), some) for some in itertools.combinations(range(total), size)])
        for at in range(1, total + 1):
            assert np.isclose(precision_at_k(rows, at).mean(), size / total)
            assert np.isclose(recall_at_k(rows, at).mean(), at / total)
    holds("one hit is enough, so chance is higher", "12.5% of customers like Dan and for 69% of those like Ann")
    by_chance = [1 - comb(40 - count, 5) / comb(40, 5) for count in BOUGHT]
    assert round(by_chance[3], 3) == 0.125 and round(by_chance[0], 2) == 0.69
    assert all(value >= 5 / 40 for value in by_chance)
    holds("So Ben's P@5 of 0.4 is four times chance (a lift of 4), and half of the best possible 0.8.")
    assert precision_at_k(A[1], 5) == 0.4 == 4 * (4 / 40) == best_p[1] / 2 and best_p[1] == 0.8


@section("lesson-precision-and-recall-at-k-order")
def test_what_it_cannot_see(A, B, early, late, senses):
    holds("One list has its hits at the top, the other at the bottom")
    assert early == sorted(early, reverse=True) == late[::-1]
    holds("P@k, R@k and the hit rates cannot tell them apart.")
    for f in (precision_at_k, recall_at_k, fbeta_at_k):
        assert all(f(list(perm), 5) == f(early, 5) for perm in itertools.permutations(late))
    for sense in senses:
        assert hit_ratio([sum(early)], [2], definition=sense) == hit_ratio([sum(late)], [2], definition=sense)
    holds("move a document within the first $k$, and neither P@k nor R@k changes")
    for rel, at in itertools.product(itertools.product([0, 1], repeat=6), range(1, 6)):
        if any(rel):
            for f in (precision_at_k, recall_at_k):
                assert all(f([*perm, *rel[at:]], at) == f(rel, at) for perm in itertools.permutations(rel[:at]))
    holds("Then move a relevant one below the cutoff so that an irrelevant one comes up, and both fall.")
    for start, f in itertools.product(([1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]), (precision_at_k, recall_at_k)):
        assert all(f(start[:i] + start[i + 1 :] + [1], 5) < f(start, 5) for i in range(6) if start[i])
    holds("do see the order, and each has a lesson of its own")
    assert average_precision(early) > average_precision(late)
    assert reciprocal_rank(early) > reciprocal_rank(late) and ndcg(early) > ndcg(late)
    holds("The early list is worth about twice the late one.")
    soft = [0.2 * sum(0.8**i * value for i, value in enumerate(x)) for x in (early, late)]
    assert np.allclose(soft, rank_biased_precision([early, late], p=0.8)) and round(soft[0] / soft[1]) == 2
    holds("A perfect match and a fair one each count as one hit.")
    assert precision_at_k([3, 0], 2) == precision_at_k([1, 0], 2) == 1 / 2
    holds("A's five hits for Ann count as much as B's one.")
    assert (A[0].sum(), B[0].sum()) == (5, 1)
    assert hit_ratio([5], [8], definition="any") == hit_ratio([1], [8], definition="any") == 1


@section("lesson-precision-and-recall-at-k-choices")
def test_the_choices(A, ben, bought, senses):
    holds("B for Dan: 1/5", "B for Dan: 1/3")
    assert precision_at_k([1, 0, 0], 5) == 1 / 5 and precision_at_k([1, 0, 0], 3) == 1 / 3
    holds("A for Ben: 1/2", "A for Ben: 1")
    assert recall_at_k(ben, 5, n_relevant=4) == 1 / 2 and recall_at_k(ben, 5) == 1
    holds("A for Ann: 1, not 5/8")
    assert recall_at_k(A[0], 5, n_relevant=min(5, 8)) == 1 and recall_at_k(A[0], 5, n_relevant=8) == 5 / 8
    holds("A: 0.467", "A: 0.281", "A: 0.5")
    of_a = A.sum(axis=1)
    assert [round(hit_ratio(of_a, bought, definition=sense), 3) for sense in senses] == [0.467, 0.281, 0.5]
    holds("left out", "they cannot have a hit")
    fifth = [[*of_a, 0], [*bought, 0]]
    assert round(hit_ratio(*fifth, definition="per_user", undefined="skip"), 3) == 0.281
    assert np.isnan(hit_ratio(*fifth, definition="per_user"))
    holds("P@k is 0 whatever the list, and R@k is 0/0")
    assert precision_at_k([0] * 5, 5) == 0 and np.isnan(recall_at_k([0] * 5, 5))


@section("lesson-precision-and-recall-at-k-choices")
def test_which_k(A, B):
    holds("Among the first three places, A and B have four hits each", "A has seven and B still has four")
    assert {at: [int(x[:, :at].sum()) for x in (A, B)] for at in (3, 5)} == {3: [4, 4], 5: [7, 4]}
    means = {at: [precision_at_k(x, at).mean() for x in (A, B)] for at in (3, 5)}
    assert np.isclose(*means[3]) and means[5][0] > means[5][1]


@section("lesson-precision-and-recall-at-k-choices")
def test_sampled_metrics(sampled):
    ranks = {"C": (1, 3000), "D": (200, 200)}
    exact = {name: np.mean([rank <= 10 for rank in of]) for name, of in ranks.items()}
    by_sample = {name: np.mean([sampled(rank) for rank in of]) for name, of in ranks.items()}
    holds("Over the whole catalogue, HR@10 is 0.5 for C and 0 for D.")
    assert exact == {"C": 0.5, "D": 0} and max(ranks["C"]) < 3607
    holds("C keeps its 0.5, but D now scores 0.953 and wins.")
    assert np.round(list(by_sample.values()), 3).tolist() == [0.5, 0.953]
    rng = np.random.default_rng(0)
    holds("Of the 199 products ahead of rank 200, only about 5.5 are drawn on average")
    ahead = [(rng.choice(3606, 100, replace=False) < 199).sum() for _ in range(4000)]
    assert round(100 * 199 / 3606, 1) == 5.5 and math.isclose(np.mean(ahead), 5.5, abs_tol=0.15)
    assert math.isclose(np.mean(np.array(ahead) < 10), by_sample["D"], abs_tol=0.015)
    holds("asks for a place among the first few hundred")
    assert [sampled(rank) > 1 / 2 for rank in (300, 400)] == [True, False]


@section("lesson-precision-and-recall-at-k-shop")
def in_senses(n_bought):
    return lambda h: [hit_ratio(h, n_bought, definition=sense) for sense in SENSES]


@section("lesson-precision-and-recall-at-k-shop")
def test_on_real_data(found, in_senses, leads_in_percent, n_bought, popular, shop, similar):
    holds("ten offers by each of two recommenders to 1,200 customers", "which had 3,607 products")
    with Path("cases/shop-products.csv").open(encoding="utf-8") as file:
        sold_to = {row["product"]: int(row["customers"]) for row in csv.DictReader(file)}
    assert len(sold_to) == 3607 and popular.shape == similar.shape == (1200, 10) and len(n_bought) == 1200
    for name in ("popular", "similar"):
        assert (np.unique(shop["customer"][~np.isnan(shop[name])], return_counts=True)[1] == 10).all()
    holds("The shop had 3,970 customers before November")
    with Path("cases/shop.csv").open(encoding="utf-8") as file:
        shares = {(row["product"], float(row["popular"])) for row in csv.DictReader(file) if row["popular"]}
    could_be = [(sold_to[product] / (share + 5e-5), sold_to[product] / (share - 5e-5)) for product, share in shares]
    assert math.ceil(max(low for low, _ in could_be)) == 3970 == math.floor(min(high for _, high in could_be))
    holds("who came back and bought at least one of the products for the first time")
    assert n_bought.min() == 1
    values = {name: in_senses(h) for name, h in found.items()}
    holds("Ten random products of the shop would reach about 0.003 pooled, 0.003 per user and 0.058 by any.")
    any_hit = np.mean([1 - comb(3607 - int(count), 10) / comb(3607, 10) for count in n_bought])
    assert round(10 / 3607, 3) == 0.003 and round(any_hit, 3) == 0.058
    holds("The 95% intervals draw whole customers", "is ahead by every definition, and no interval comes near 0")
    assert all(a > b for a, b in zip(values["similar"], values["popular"], strict=True))
    assert min(low for _, low, _ in leads_in_percent.values()) > 0.25
    h_similar, h_popular = found["similar"], found["popular"]
    again = bootstrap(lambda a, b: a.sum() / b.sum() - 1, h_similar, h_popular, n_resamples=2000, rng=1)
    at_95 = bootstrap(lambda a, b: a.sum() / b.sum() - 1, h_similar, h_popular, confidence_level=0.95, rng=2)
    for seed in (again, at_95):
        assert np.allclose(seed[:3], leads_in_percent["pooled"], atol=0.02)
    holds("from +40% by any to +157% per user")
    assert [round(100 * leads_in_percent[sense][0]) for sense in ("any", "per_user", "pooled")] == [40, 157, 76]
    holds("which is ahead by all three definitions, at each cutoff from 1 to 10")
    for at in range(1, 11):
        by_cut = [in_senses(lists[:, :at].sum(axis=1)) for lists in (similar, popular)]
        assert len(by_cut[0]) == 3 and all(a > b for a, b in zip(*by_cut, strict=True))


@section("lesson-precision-and-recall-at-k-shop")
def test_the_groups(by_group, found, groups, n_bought):
    few, middle, many = groups.values()
    holds("with its 95% interval, for customers who later bought 1 to 9, 10 to 29, or 30 or more new products")
    pair = [found[name][many] for name in ("similar", "popular")]
    assert paired_difference(*pair, confidence_level=0.95)[:3] == by_group["lead, hits per customer"][2]
    assert (few + middle + many == 1).all() and n_bought[few].max() == 9 and n_bought[many].min() == 30
    of_any, of_hits = (np.round(by_group[label], 3).tolist() for label in ("lead, any", "lead, hits per customer"))
    holds("leads by 0.014 among the 295 customers who bought 30 or more (from 0.055 behind to 0.082 ahead)")
    assert many.sum() == 295 and of_any[2] == [0.014, -0.055, 0.082]
    holds("so the data do not show a lead there")
    assert of_any[2][1] < 0 < of_any[2][2]
    holds("by 0.24 (0.09 to 0.39) among them, and by 0.18 (0.12 to 0.24) among the 424 who bought fewer than ten")
    assert few.sum() == 424 and np.round(by_group["lead, hits per customer"], 2)[[2, 0]].tolist() == [
        [0.24, 0.09, 0.39],
        [0.18, 0.12, 0.24],
    ]
    holds("On the left, by any, the leads are 0.12, 0.14 and 0.01", "reaches from below 0 to above it")
    assert [round(lead[0], 2) for lead in by_group["lead, any"]] == [0.12, 0.14, 0.01]
    assert [lead[1] > 0 for lead in of_any] == [True, True, False]
    holds("the leads are 0.18, 0.34 and 0.24, and all three intervals lie above 0")
    assert [round(lead[0], 2) for lead in by_group["lead, hits per customer"]] == [0.18, 0.34, 0.24]
    assert all(lead[1] > 0 for lead in of_hits)
    holds("because nearly half of them have a hit with either list, 46% and 48%")
    shares = [(found[name][many] > 0).mean() for name in ("popular", "similar")]
    assert np.round(shares, 2).tolist() == [0.46, 0.48]
    holds("a second one does not count")
    second = [found[name][many][found[name][many] > 0].mean() for name in ("popular", "similar")]
    assert second[1] > second[0] + 0.4


@section("Try it")
def test_try_it(counts, most, n):
    holds("You can rule out any, because with three users it is a multiple of 1/3.")
    assert counts[2] == 0
    shares = {hit_ratio(some, [1] * 3, definition="any") for some in itertools.product([0, 1], repeat=3)}
    assert shares == {0, 1 / 3, 2 / 3, 1}
    proved("at most ten for each user")
    assert max(min(10, count) for count in (10, 12, 8)) == 10
    proved("Pooled, 78 outcomes give 0.5, and per user 9 do")
    assert counts.tolist() == [78, 9, 0]
    exact = [Fraction(a, 10) + Fraction(b, 12) + Fraction(c, 8) for a in range(11) for b in range(11) for c in range(9)]
    assert exact.count(Fraction(3, 2)) == 9
    holds("The mean P@10 is 0.533 and the mean R@10 is 0.833.", "The perfect lists contain 1, 5 and 10 hits")
    lists = [[1] * count for count in (1, 5, 10)]
    assert [len(rel) for rel in lists] == most.tolist()
    of_p = [precision_at_k(rel, 10) for rel in lists]
    of_r = [recall_at_k(rel, 10, n_relevant=int(total)) for rel, total in zip(lists, n, strict=True)]
    assert np.round([np.mean(of_p), np.mean(of_r)], 3).tolist() == [0.533, 0.833]
    holds("A mean P@10 of 0.5 for these users would be nearly perfect.")
    assert 0 < np.mean(of_p) - 0.5 < 0.04


@section("Further")
def test_further(A, B):
    holds("A hit rate is one of three numbers, which can choose different systems")
    both = {sense: [hit_ratio(x.sum(axis=1), BOUGHT, definition=sense) for x in (A, B)] for sense in SENSES}
    assert len(both) == 3 and both["pooled"][0] > both["pooled"][1] and both["any"][0] < both["any"][1]
    holds("works through five cutoffs of a list that contains all relevant items")
    assert recall_at_k([1, 0, 1, 0, 1], 5) == 1


@section("lesson-precision-and-recall-at-k")
def test_unchecked_the_opening():
    unchecked("five products that are new to them", "the story; the shop below offers such products")


@section("lesson-precision-and-recall-at-k-choices")
def test_unchecked_which_k():
    unchecked("inspectors who can visit ten restaurants", "an example of a capacity")
    unchecked("hands 500 candidates to a ranker", "an example of a first stage")


@section("lesson-precision-and-recall-at-k-shop")
def test_unchecked_the_shop():
    unchecked("their offers are new to the customer", "the script that made the file")
    unchecked("The groups are known only afterwards, so the shop cannot act on them", "they are what was bought later")
    unchecked("only an experiment can show what making them adds", "what an experiment is for")


@section("Further")
def test_unchecked_further():
    unchecked("one hidden item for each user", "read in the papers")
