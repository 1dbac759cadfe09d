"""What book/lessons/precision-and-recall-at-k.ipynb says, held."""

import itertools
from fractions import Fraction
from math import comb

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


@section("lesson-precision-and-recall-at-k")
def test_the_opening(A, B, axes, bought, names, shown):
    holds("A shop offers each customer five products")
    assert A.shape == B.shape == (4, 5)
    holds("Five offers to each of four customers, a full dot if it was bought.")
    assert A.shape[1] == 5 and shown["A"] == [5] * 4
    holds("A has seven hits and pleases two customers; B has four hits and pleases all of them.")
    assert (A.sum(), A.any(axis=1).sum(), B.sum(), B.any(axis=1).sum()) == (7, 2, 4, 4)
    holds("For Dan, B had three offers.")
    assert shown["B"][3] == 3 and not B[3, 3:].any()
    holds("In A all five dots of Ann, who bought 8, are full, and those at ranks 1 and 4 of Ben, who bought 4")
    assert (
        A[0].all() and np.flatnonzero(A[1]).tolist() == [0, 3] and not A[2:].any() and bought.tolist() == [8, 4, 2, 1]
    )
    holds("In B each row has one full dot: Ann's at rank 3, Ben's at 1, Cleo's at 2, Dan's at 1")
    assert (B.sum(axis=1) == 1).all() and (B.argmax(axis=1) + 1).tolist() == [3, 1, 2, 1]
    holds("Dan's row ends after three dots")
    assert shown["B"][3] == 3
    of_all, anything = ([hit_ratio(x.sum(axis=1), bought, definition=d) for x in (A, B)] for d in ("pooled", "any"))
    holds(
        "the first counts sales and ships A, the second counts customers and ships B",
        "one says 0.47 for A and 0.27 for B, the other 0.5 for A and 1 for B",
    )
    assert [round(value, 2) for value in of_all] == [0.47, 0.27] and anything == [0.5, 1]
    assert of_all[0] > of_all[1] and anything[0] < anything[1]


@section("In one line")
def test_in_one_line(A, bought):
    holds("`precision_at_k([1, 0, 0, 1, 0], 5)` is 0.4 and `recall_at_k([1, 0, 0, 1, 0], 5, n_relevant=4)` is 0.5")
    assert precision_at_k([1, 0, 0, 1, 0], 5) == 0.4 and recall_at_k([1, 0, 0, 1, 0], 5, n_relevant=4) == 0.5
    holds("For A's list for Ben, who bought 4")
    assert A[1].tolist() == [1, 0, 0, 1, 0] and bought[1] == 4


@section("lesson-precision-and-recall-at-k-hand")
def values(A, B, bought, senses):
    return {kind: [round(hit_ratio(x.sum(axis=1), bought, definition=kind), 3) for x in (A, B)] for kind in senses}


@section("lesson-precision-and-recall-at-k-hand")
def test_by_hand(A, B, ben, bought, n_relevant, senses, shown, values):
    hits_so_far = ben.cumsum()
    holds("A's list for Ben, who bought 4 products")
    assert ben.tolist() == A[1].tolist() and bought[1] == n_relevant == 4
    by_cut = [[Fraction(int(h_k), d) for d, h_k in zip(ds, hits_so_far, strict=True)] for ds in (range(1, 6), [4] * 5)]
    assert hits_so_far.tolist() == [1, 1, 1, 2, 2] and [str(f) for f in by_cut[0]] == ["1", "1/2", "1/3", "1/2", "2/5"]
    assert [str(f) for f in by_cut[1]] == ["1/4", "1/4", "1/4", "1/2", "1/2"]
    holds("As $k$ grows, recall never falls; precision falls at each miss after the first hit.")
    for rel in itertools.product([0, 1], repeat=7):
        for at in range(1, 7):
            p, q = precision_at_k(rel, at), precision_at_k(rel, at + 1)
            r, r_next = (recall_at_k(rel, at, n_relevant=8) for at in (at, at + 1))
            assert r <= r_next and (q >= p if rel[at] else q < p or not any(rel[:at]))
    holds("B had three offers for Dan, one of them a hit.")
    assert B[3, : shown["B"][3]].tolist() == [1, 0, 0]
    holds("P@5 is 1/5 and not 1/3")
    assert precision_at_k([1, 0, 0], 5) == 1 / 5 and precision_at_k([1, 0, 0], 3) == 1 / 3
    holds("else one would gain by showing less")
    assert precision_at_k([1], 1) > precision_at_k([1, 0, 0], 3) and precision_at_k([1], 5) == precision_at_k(
        [1, 0, 0], 5
    )
    holds("At $k = N$, P@k and R@k divide the same hits by the same number.")
    for rel, total in itertools.product(itertools.product([0, 1], repeat=5), range(1, 8)):
        if sum(rel) <= total:
            at_total = precision_at_k(rel, total)
            assert at_total == recall_at_k(rel, total, n_relevant=total) == r_precision(rel, n_relevant=total)
            for beta, at in itertools.product((0.5, 1, 2), range(1, 8)):
                f = (1 + beta**2) * sum(rel[:at]) / (beta**2 * total + at)
                assert np.isclose(fbeta_at_k(rel, at, beta=beta, n_relevant=total), f)
    assert r_precision(ben, n_relevant=4) == 0.5
    holds("each user has a cut of their own, so each can reach 1")
    assert all(r_precision([1] * total) == 1 for total in range(1, 9))
    holds("the harmonic mean of the two")
    assert np.isclose(fbeta_at_k(ben, 5, n_relevant=4), 2 / (1 / 0.4 + 1 / 0.5)) and round(4 / 9, 3) == 0.444
    holds("Three numbers under one name; the keyword says which")
    assert all(len({values[kind][system] for kind in senses}) == len(senses) == 3 for system in (0, 1))
    assert values["pooled"] == [0.467, 0.267] == [round(7 / 15, 3), round(4 / 15, 3)]
    assert (A.sum(), B.sum(), bought.sum()) == (7, 4, 15)
    assert [precision_at_k(x, 5).mean().round(9) for x in (A, B)] == [0.35, 0.2]
    assert values["per_user"] == [0.281, 0.469]
    assert [round(recall_at_k(x, 5, n_relevant=bought).mean(), 3) for x in (A, B)] == values["per_user"]
    assert values["any"] == [0.5, 1]
    holds("Pooled, Ann has 8 of 15 votes, and A wins by pleasing her.")
    assert bought[0] == 8 and values["pooled"][0] > values["pooled"][1]
    assert hit_ratio(A[1:].sum(axis=1), bought[1:], definition="pooled") < hit_ratio(
        B[1:].sum(axis=1), bought[1:], definition="pooled"
    )
    holds("Per user and any prefer B.")
    assert all(values[kind][0] < values[kind][1] for kind in senses[1:])
    holds("Where each user has one relevant item, as in tests that hide one purchase of each, the three agree.")
    for some in itertools.product([0, 1], repeat=4):
        assert len({hit_ratio(some, [1] * 4, definition=kind) for kind in senses}) == 1


@section("lesson-precision-and-recall-at-k-scale")
def test_how_good_is_a_p_5_of(A, bought, ks, left, right):
    best_p, best_r = np.minimum(1, bought / 5), np.minimum(1, 5 / bought)
    holds("Whoever buys 1 product has a P@5 of at most 0.2; whoever buys 8 has an R@5 of at most 0.625.")
    assert best_p[3] == 0.2 and best_r[0] == 0.625 and bought.tolist() == [8, 4, 2, 1]
    holds("P@k is at most $N/k$, since there are no more hits to have", "R@k at most $k/N$, since no more fit")
    for rel, total, at in itertools.product(itertools.product([0, 1], repeat=6), range(1, 9), range(1, 8)):
        if sum(rel) <= total:
            assert precision_at_k(rel, at) <= min(1, total / at)
            assert recall_at_k(rel, at, n_relevant=total) <= min(1, at / total)
    assert all(precision_at_k([1] * count, 5) == min(1, count / 5) for count in range(1, 9))
    holds("Two panels over k from 1 to 10.")
    assert len([left, right]) == 2 and (ks.min(), ks.max()) == (1, 10)
    holds("each line stays at 1 up to the number of relevant items and then falls as one over k")
    for count in (1, 2, 4, 8):
        line = np.array([precision_at_k([1] * count, int(at)) for at in ks])
        assert (line[:count] == 1).all() and np.allclose(line[count:], count / ks[count:])
    holds("at 10 to 0.1, 0.2, 0.4 and 0.8; Ben's dots go 1, 0.5, 0.33, 0.5, 0.4; chance is flat at 0.1")
    assert [count / 10 for count in (1, 2, 4, 8)] == [0.1, 0.2, 0.4, 0.8] and 4 / 40 == 0.1
    assert [round(precision_at_k(A[1], at), 2) for at in range(1, 6)] == [1, 0.5, 0.33, 0.5, 0.4]
    holds("Ben's dots go 0.25, 0.25, 0.25, 0.5, 0.5; chance climbs from 0.025 to 0.25")
    assert [recall_at_k(A[1], at, n_relevant=4) for at in range(1, 6)] == [0.25, 0.25, 0.25, 0.5, 0.5]
    holds("For our four customers the best lists of five have a mean P@5 of 0.6")
    assert np.isclose(best_p.mean(), 0.6)
    holds("as its mean P@k, at each cut")
    for size, total in itertools.product(range(1, 7), range(1, 7)):
        if total <= size:
            perms = list(itertools.combinations(range(size), total))
            rows = np.array([np.isin(np.arange(size), perm) for perm in perms]).astype(int)
            for at in range(1, size + 1):
                assert np.isclose(precision_at_k(rows, at).mean(), total / size)
                holds("Its mean R@k is $k$ over 40, for each customer.")
                assert np.isclose(recall_at_k(rows, at).mean(), at / size)
    holds("five random products hold a hit for 12.5 % of customers like Dan and for 69 % of those like Ann")
    by_chance = [1 - comb(40 - int(count), 5) / comb(40, 5) for count in bought]
    assert round(by_chance[3], 3) == 0.125 and round(by_chance[0], 2) == 0.69
    holds("So Ben's 0.4 is four times chance, and half of what was possible, 0.8.")
    assert precision_at_k(A[1], 5) == 0.4 == 4 * (4 / 40) == best_p[1] / 2 and best_p[1] == 0.8


@section("lesson-precision-and-recall-at-k-order")
def test_what_it_cannot_see(A, B, early, late, senses):
    holds("The early list is worth about twice the late one; five hits are worth 0.672.")
    assert round(float(rank_biased_precision([1] * 5, p=0.8)), 3) == 0.672
    soft = [0.2 * sum(0.8**i * value for i, value in enumerate(x)) for x in (early, late)]
    assert np.allclose(soft, rank_biased_precision([early, late], p=0.8)) and round(soft[0] / soft[1]) == 2
    holds("To P@k, R@k and the hit rates they are the same list.")
    for f in (precision_at_k, recall_at_k, fbeta_at_k):
        assert all(f(list(perm), 5) == f(early, 5) for perm in itertools.permutations(late))
    for kind in senses:
        assert hit_ratio([sum(early)], [2], definition=kind) == hit_ratio([sum(late)], [2], definition=kind)
    holds("move a result within the first $k$: P@k and R@k stay")
    for rel, at in itertools.product(itertools.product([0, 1], repeat=6), range(1, 6)):
        if any(rel):
            for f in (precision_at_k, recall_at_k):
                assert all(f([*perm, *rel[at:]], at) == f(rel, at) for perm in itertools.permutations(rel[:at]))
    holds("Then move a relevant one below the cut, an irrelevant one comes up, and both fall.")
    for start, f in itertools.product(([1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 0]), (precision_at_k, recall_at_k)):
        assert all(f(start[:i] + start[i + 1 :] + [1], 5) < f(start, 5) for i in range(6) if start[i])
    holds("see the order, each in a lesson of its own")
    assert average_precision(early) > average_precision(late)
    assert reciprocal_rank(early) > reciprocal_rank(late) and ndcg(early) > ndcg(late)
    holds("One list has its hits at the top, the other at the bottom")
    assert early == sorted(early, reverse=True) == late[::-1]
    holds("A perfect match and a fair one are one hit each.")
    assert precision_at_k([3, 0], 2) == precision_at_k([1, 0], 2) == 1 / 2
    holds("A's five for Ann count as much as B's one")
    assert (A[0].sum(), B[0].sum()) == (5, 1)
    assert hit_ratio([5], [8], definition="any") == hit_ratio([1], [8], definition="any") == 1


@section("lesson-precision-and-recall-at-k-choices")
def test_the_choices(A, ben, bought, h, senses):
    holds("B for Dan: 1/5")
    assert precision_at_k([1, 0, 0], 5) == 1 / 5 and precision_at_k([1, 0, 0], 3) == 1 / 3
    holds("A for Ben: 1/2")
    assert recall_at_k(ben, 5, n_relevant=4) == r_precision(ben, n_relevant=4) == 1 / 2 and recall_at_k(ben, 5) == 1
    holds("A for Ann: 1, not 5/8")
    assert recall_at_k(A[0], 5, n_relevant=min(5, 8)) == 1 and recall_at_k(A[0], 5, n_relevant=8) == 5 / 8
    assert [round(hit_ratio(h, bought, definition=kind), 3) for kind in senses] == [0.467, 0.281, 0.5]
    holds("left out")
    fifth = [[*h, 0], [*bought, 0]]
    assert round(hit_ratio(*fifth, definition="per_user", undefined="skip"), 3) == 0.281
    assert np.isnan(hit_ratio(*fifth, definition="per_user"))
    holds("P@k is 0 whatever is shown, and recall is 0/0")
    assert precision_at_k([0] * 5, 5) == 0 and np.isnan(recall_at_k([0] * 5, 5))
    holds("recall at full length is 1 for any list with a hit")
    assert all(recall_at_k(rel, 6) == 1 for rel in itertools.product([0, 1], repeat=6) if any(rel))


@section("lesson-precision-and-recall-at-k-shop")
def test_on_real_data(axes, curves, cuts, five, leads, n_bought, popular, rates, senses, shop, similar):
    h_popular, h_similar = popular.sum(axis=1), similar.sum(axis=1)
    products = np.genfromtxt("cases/shop-products.csv", delimiter=",", skip_header=1, usecols=2)
    holds("of a British shop with 3,607 products, by two recommenders")
    assert len(products) == 3607
    holds("has ten offers to each of 1,200 customers")
    assert popular.shape == similar.shape == (1200, 10) and len(n_bought) == 1200
    for kind in ("popular", "similar"):
        assert (np.unique(shop["customer"][~np.isnan(shop[kind])], return_counts=True)[1] == 10).all()
    holds("in all three senses")
    assert len(senses) == 3 == len(rates(popular, 10))
    table = {kind: [hit_ratio(x, n_bought, definition=kind) for x in (h_popular, h_similar)] for kind in senses}
    table["P@10"] = [precision_at_k(x, 10).mean() for x in (popular, similar)]
    rows = {kind: (*np.round(pair, 3).tolist(), round(100 * (pair[1] / pair[0] - 1))) for kind, pair in table.items()}
    assert rows["P@10"] == (0.034, 0.060, 76) and round(n_bought.mean() / 3607, 3) == 0.006
    assert rows["pooled"] == (0.015, 0.027, 76) and round(10 / 3607, 3) == 0.003
    assert rows["per_user"] == (0.018, 0.047, 157)
    assert rows["any"] == (0.248, 0.348, 40)
    assert round(np.mean([1 - comb(3607 - int(count), 10) / comb(3607, 10) for count in n_bought]), 3) == 0.058
    holds("it leads in all three senses, each interval over customers far above 0", "lead, 95 % interval")
    assert all(table[kind][0] < table[kind][1] for kind in senses) and len(senses) == 3
    in_senses = [[h / n_bought.mean(), h / n_bought, (h > 0) * 1] for h in (h_similar, h_popular)]
    for (a, b), said in zip(zip(*in_senses, strict=True), ([56, 99], [112, 214], [27, 57]), strict=True):
        more = bootstrap(lambda a, b: a.mean() / b.mean() - 1, a, b, confidence_level=0.95, n_resamples=2000, rng=0)
        assert [round(100 * end) for end in more[1:3]] == said and min(said) > 20
    best = np.minimum(10, n_bought)
    perfect = [best.mean() / 10, *(hit_ratio(best, n_bought, definition=kind) for kind in senses)]
    assert [round(value, 2) for value in perfect] == [0.81, 0.36, 0.66, 1]
    holds("The sense decides what the step is worth, +40 % or +157 %.")
    assert (rows["any"][2], rows["per_user"][2]) == (40, 157)
    holds("at 5 offers in the first panel, at 3 in the second and at 6 in the third")
    reached = [int(cuts[np.argmax(curves[kind, "-o"] >= table[kind][0])]) for kind in senses]
    assert reached == [5, 3, 6]
    holds("The dotted line is what ten popular offers reach")
    assert all(curves[kind, "--s"][-1] == table[kind][0] for kind in senses)
    holds("The three hit rates of the shop, cut after 1 to 10 offers.")
    assert len(axes) == len(senses) == 3 and cuts.tolist() == list(range(1, 11))
    holds("Three panels over k from 1 to 10, pooled, per user and any")
    assert senses == ["pooled", "per_user", "any"]
    holds("In each the full line of similar runs above the dashed line of popular, and both climb.")
    for kind in senses:
        assert (curves[kind, "-o"] > curves[kind, "--s"]).all()
        assert all((np.diff(curves[kind, look]) > 0).all() for look in ("-o", "--s"))
    holds("Could five similar offers replace ten popular ones?")
    assert (five > h_popular).any() and (five < h_popular).any()
    holds("Pooled, five are a gain, 424 hits to 407; by any a loss, 293 customers to 298.")
    assert (five.sum(), h_popular.sum()) == (424, 407)
    assert ((five > 0).sum(), (h_popular > 0).sum()) == (293, 298)
    holds("Neither is beyond chance (-38 to 72 hits, -40 to 30 customers).")
    in_hits = [round(end * n_bought.sum()) for end in leads["pooled"][1:3]]
    in_customers = [round(end * 1200) for end in leads["any"][1:3]]
    assert in_hits == [-38, 72] and in_customers == [-40, 30]
    holds("Per user five gain 0.010 (0.004 to 0.015).")
    assert np.round(leads["per_user"][:3], 3).tolist() == [0.010, 0.004, 0.015]
    holds("where space is dear, five offers of it, at the risk of reaching 40 customers fewer")
    assert min(in_customers) == -40 and leads["per_user"].low > 0
    holds("an upright bar crosses the dotted line in the first and third panel, and stands above it in the second")
    assert [leads[kind].low > 0 for kind in senses] == [False, True, False]
    of_rates = np.subtract(rates(similar, 5), rates(popular, 10))
    assert np.allclose([leads[kind].value for kind in senses], of_rates)
    holds("Similar gains where little was bought: of the 424 customers with fewer than ten products")
    many, few = n_bought >= 30, n_bought < 10
    assert (many.sum(), few.sum()) == (295, 424)
    by_size = [round(100 * float((x[group] > 0).mean())) for group in (few, many) for x in (h_popular, h_similar)]
    holds("of the 295 with 30 or more, 46 % and 48 %, which may be luck")
    in_group = [
        paired_difference((h_similar > 0)[some] * 1, (h_popular > 0)[some] * 1, rng=0, method="percentile")
        for some in (few, many)
    ]
    assert in_group[0].low > 0.05 and in_group[1].low < 0 < in_group[1].high
    holds("with popular and 22 % with similar; of the 295 with 30 or more, 46 % and 48 %")
    middle = ~many & ~few
    steps = [(h_similar[group] > 0).mean() - (h_popular[group] > 0).mean() for group in (few, middle, many)]
    assert steps[2] < steps[0]
    assert by_size == [10, 22, 46, 48]


@section("Try it")
def test_try_it(counts, senses):
    proved("at most ten a user")
    assert max(min(10, count) for count in (10, 12, 8)) == 10
    holds("Any is ruled out, since with three users it is a multiple of 1/3.")
    assert counts[2] == 0
    shares = {hit_ratio(some, [1] * 3, definition="any") for some in itertools.product([0, 1], repeat=3)}
    assert shares == {0, 1 / 3, 2 / 3, 1}
    proved("Pooled, 78 outcomes give 0.5, per user 9: the number alone does not tell these two apart.")
    assert counts.tolist() == [78, 9, 0]
    exact = [Fraction(a, 10) + Fraction(b, 12) + Fraction(c, 8) for a in range(11) for b in range(11) for c in range(9)]
    assert exact.count(Fraction(3, 2)) == 9


@section("Further")
def test_further(senses, values):
    holds("A hit rate is three numbers that can choose different systems")
    assert len(senses) == 3 and values["pooled"][0] > values["pooled"][1] and values["any"][0] < values["any"][1]
    holds("works five cuts of a list outside which nothing is relevant")
    assert len(range(1, 6)) == 5 and recall_at_k([1, 0, 1, 0, 1], 5) == 1


@section("lesson-precision-and-recall-at-k")
def test_unchecked_the_opening():
    unchecked("five products that are new to them", "the story; the shop below offers such products")


@section("lesson-precision-and-recall-at-k-hand")
def test_unchecked_by_hand():
    unchecked("Three hit rates", "the equation has them")


@section("lesson-precision-and-recall-at-k-choices")
def test_unchecked_the_choices():
    unchecked("torchmetrics with `adaptive_k=True`", "its documentation")


@section("Further")
def test_unchecked_further():
    unchecked("one hidden item for each user", "read in the papers")
