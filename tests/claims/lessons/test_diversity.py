"""What book/lessons/diversity.ipynb says, held."""

import itertools
import math

import numpy as np

from metrics_lib import intra_list_similarity
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-diversity")
def test_the_opening(A, B, axes, by_words):
    holds("of either list she will buy one thing, the red bag")
    assert A[0] == B[0] == "lunch bag red" and not set(A[1:]) & set(B[1:])
    holds("Two square grids of five by five cells")
    assert len(axes) == 2 and by_words(A).shape == by_words(B).shape == (5, 5)
    holds("each cell off the diagonal is mid-blue with the number 0.67")
    away = ~np.eye(5, dtype=bool)
    assert np.allclose(by_words(A)[away], 2 / 3) and (by_words(B)[away] == 0).all()
    holds("one bag and four other things")
    assert sum("bag" in name for name in B) == 1 and len(B) - 1 == 4
    holds("A precision of one in five has both at 0.2.")
    assert 1 / len(A) == 1 / len(B) == 0.2
    holds("A is one idea, shown five times")
    assert sum("lunch bag" in name for name in A) == len(A) == 5
    holds("tells them apart, 0.667 to 0")
    assert np.round([intra_list_similarity(by_words(names)) for names in (A, B)], 3).tolist() == [0.667, 0]


@section("In one line")
def test_in_one_line(A, B, by_words):
    holds("is 1/3 for the three products below; the other two are a line each")
    three = by_words(["red bag", "blue bag", "blue lamp"])
    assert math.isclose(intra_list_similarity(three), 1 / 3) and len(three) == 3
    holds("lower is more diverse")
    assert intra_list_similarity(by_words(B)) < intra_list_similarity(by_words(A))
    holds("The mean similarity of the pairs of a list")
    of_pairs = [three[i, j] for i, j in itertools.combinations(range(3), 2)]
    assert math.isclose(intra_list_similarity(three), np.mean(of_pairs))


@section("By hand")
def test_by_hand(known, lists, mmr, relevance, similarity):
    holds("Three products, alike by the words of their names")
    assert len(similarity) == 3 and [similarity[0, 1], similarity[1, 2], similarity[0, 2]] == [0.5, 0.5, 0]
    assert round(intra_list_similarity(similarity), 3) == 0.333 and 1 / math.sqrt(2 * 2) == 0.5
    holds("Each pair once, the diagonal not at all.")
    rng = np.random.default_rng(0)
    for size in (2, 3, 6):
        square = rng.random((size, size))
        square = square + square.T
        once = np.mean([square[i, j] for i, j in itertools.combinations(range(size), 2)])
        assert math.isclose(intra_list_similarity(square), once)
        assert math.isclose(intra_list_similarity(square + 5 * np.eye(size)), once)
    holds("three users get two products each from a catalogue of ten")
    assert lists.shape == (3, 2) and len(np.unique(lists)) / 10 == 0.3
    holds("half of the customers know the red bag, a quarter the blue bag, an eighth the lamp")
    assert known.tolist() == [1 / 2, 1 / 4, 1 / 8]
    holds("worth 1, 2 and 3 bits of self-information, 2 on average")
    assert (-np.log2(known)).tolist() == [1, 2, 3] and -np.log2(known).mean() == 2
    holds("each time half as many know a thing, it is one bit more of news")
    for share in np.linspace(0.01, 1, 50):
        assert math.isclose(-np.log2(share / 2), -np.log2(share) + 1)
    holds("let the three products have 1, 0.9 and 0.6")
    assert relevance.tolist() == [1, 0.9, 0.6] and len(similarity) == 3
    holds("By relevance alone the two bags come first.")
    assert mmr(relevance, similarity, 2, 1) == [0, 1] and mmr(relevance, similarity, 2, 0.5) == [0, 2]
    holds("the blue bag has 0.45 - 0.25 = 0.2 and the lamp 0.3 - 0 = 0.3")
    parts = [(0.5 * relevance[i], 0.5 * similarity[i, 0]) for i in (1, 2)]
    assert np.allclose(parts, [(0.45, 0.25), (0.3, 0)]) and np.allclose(np.diff(parts), [[-0.2], [-0.3]])


@section("lesson-diversity-scale")
def test_how_good_is_an_ils_of_0(A, B, by_words, chance, counts, drawn, shop_of_nine, spread, values):
    holds("Take the nine products of both lists as the whole shop, and draw five of them in all possible ways.")
    assert len(set(shop_of_nine)) == len(set(A + B)) == 9 and drawn.shape == (math.comb(9, 5), 5)
    holds("The ILS of all 126 lists of five products, by how many bags are in them.")
    assert len(spread) == 126
    for five_of, its_ils in zip(drawn, spread, strict=True):
        bags = int((five_of < 5).sum())
        assert math.isclose(its_ils, 2 / 3 * math.comb(bags, 2) / 10, abs_tol=1e-12)
    holds("with five columns of bars over it, at 0, 0.067, 0.2, 0.4 and 0.667, for one to five bags")
    assert values.round(3).tolist() == [0, 0.067, 0.2, 0.4, 0.667] and counts.tolist() == [5, 40, 60, 20, 1]
    holds("the tallest two, 40 and 60 lists, stand at 0.067 and 0.2")
    assert np.sort(counts)[-2:].tolist() == [40, 60] and values[counts.argsort()[-2:]].round(3).tolist() == [0.067, 0.2]
    holds("The first, marked")
    assert math.isclose(intra_list_similarity(by_words(B)), values[0]) and sum(name in A for name in B) == 1
    holds("So 0.2, which 60 of the 126 lists have, is about chance here.")
    assert math.isclose(values[2], 0.2) and counts[2] == 60 and abs(chance - 0.2) < 0.02
    holds("A dashed upright line at 0.185")
    assert round(chance, 3) == 0.185
    holds("worst: one thing five times")
    assert intra_list_similarity(by_words(["lunch bag red"] * 5)) == 1
    holds("has, on average, the ILS of the whole shop")
    assert math.isclose(spread.mean(), chance)
    holds("Each pair of products is in equally many of the lists")
    together = [sum({i, j} <= set(row) for row in drawn.tolist()) for i, j in itertools.combinations(range(9), 2)]
    assert len(set(together)) == 1


@section("lesson-diversity-blind")
def test_what_it_cannot_see(A, B, by_words, own, same, unlike):
    holds("five useless things of five kinds have the best ILS there is")
    useless = ["tar", "gravel", "soot", "mud", "rust"]
    assert len(useless) == 5 and intra_list_similarity(by_words(useless)) == 0 == intra_list_similarity(by_words(B))
    holds("and in which order it stands")
    mixed = by_words(A[:3] + B[1:3])
    for order in itertools.permutations(range(5)):
        assert math.isclose(intra_list_similarity(mixed[np.ix_(order, order)]), intra_list_similarity(mixed))
    holds("Give four customers the same varied list, or each a varied list of their own")
    assert len(same) == len(own) == 4 and len({tuple(row) for row in same}) == 1 and len(np.unique(own)) == own.size
    holds("ILS is 0 in both; coverage, 0.25 and 1, sees the difference.")
    assert (len(np.unique(same)) / 20, len(np.unique(own)) / 20) == (0.25, 1)
    assert (intra_list_similarity(unlike[same[:, :, None], same[:, None]]) == 0).all()
    holds("counts a product shown once like one shown a million times")
    assert len(np.unique([0, 1])) == len(np.unique([0] * 1_000_000 + [1]))
    assert by_words(["lunch bag", "snack pouch"])[0, 1] == 0


@section("The choices")
def test_the_choices(known, similarity):
    three_names = ["red bag", "blue bag", "blue lamp"]
    assert round(intra_list_similarity(similarity), 3) == 0.333
    assert intra_list_similarity(similarity, definition="sum") == 1
    assert round(1 - intra_list_similarity(similarity), 3) == 0.667 and round(similarity.mean(), 3) == 0.556
    assert math.isnan(intra_list_similarity([[1]]))
    own_words = [set(name.split()) for name in three_names]
    jaccard = np.array([[len(a & b) / len(a | b) for b in own_words] for a in own_words])
    assert round(intra_list_similarity(jaccard), 3) == 0.222
    assert -np.log2(known).mean() == 2 and round(1 - known.mean(), 3) == 0.708
    holds("six items with similarities of 1/2 have 7.5, three have 1.5, and their means are equal")
    halves = [np.full((size, size), 1 / 2) for size in (6, 3)]
    assert [intra_list_similarity(half, definition="sum") for half in halves] == [7.5, 1.5]
    assert [intra_list_similarity(half) for half in halves] == [1 / 2, 1 / 2]


@section("lesson-diversity-shop")
def test_on_real_data(
    alike, best, change, curve, each, first, items, known, picks, popular_five, products, shop, table
):
    holds("A shop for gifts has two recommenders, with ten offers each to 1,200 customers")
    assert len(np.unique(shop["customer"])) == 1200 and len(table) == 2
    counts_of = [np.unique(shop["customer"][~np.isnan(shop[name])], return_counts=True)[1] for name in table]
    assert all((count == 10).all() for count in counts_of)
    assert len(products) == 3607 and np.isin(shop["product"], products["product"]).all()
    holds("the share of the 3,970 customers who had bought one")
    here = ~np.isnan(shop["popular"])
    found = np.searchsorted(products["product"], shop["product"][here])
    counted, said = products["customers"][found], shop["popular"][here]
    fits = [n for n in range(3900, 4050) if (abs(counted / n - said) < 6e-5).all()]
    assert fits == [3970]
    assert table == {"popular": (407, 0.054, 71, 2.78), "similar": (717, 0.183, 704, 3.46)}
    assert [round(100 * one[2] / 3607, 1) for one in table.values()] == [2.0, 19.5] and here.sum() == 12_000
    proved("two customers share 6.9 of their ten offers on average, with similar 1.8")
    overlaps = []
    for recommender in table:
        offered = shop["product"][~np.isnan(shop[recommender])].reshape(1200, 10)
        holders = np.unique(offered, return_counts=True)[1]
        overlaps.append(round((holders * (holders - 1)).sum() / (1200 * 1199), 1))
    assert overlaps == [6.9, 1.8]
    missed = (1 - 10 / 3607) ** 1200
    assert round(3607 * (1 - missed)) == 3478 and round(100 * (1 - missed), 1) == 96.4
    assert max(one[2] for one in table.values()) < 3478
    holds("chance beats both in ILS, coverage and novelty")
    blind = intra_list_similarity(alike), -np.log2(known).mean()
    assert (round(blind[0], 3), round(blind[1], 2)) == (0.014, 7.28)
    assert all(blind[0] < one[1] and blind[1] > one[3] for one in table.values()) and len(table) == 2
    holds("Similar sells 310 more (interval 242 to 378), shows ten times as many products, and repeats itself.")
    of_ten = [shop["bought"][~np.isnan(shop[name])].reshape(1200, 10).sum(axis=1) for name in ("similar", "popular")]
    assert np.round(1200 * np.array(paired_difference(*of_ten, rng=0, method="percentile")[:3])).tolist() == [
        310,
        242,
        378,
    ]
    assert 717 > 407 and round(704 / 71) == 10 and table["similar"][1] > table["popular"][1]
    holds("Let MMR pick five of its ten offers")
    assert items.shape == (1200, 10) and np.array(picks[0.9]).shape == (1200, 5)
    holds("Five of the ten offers")
    assert all(len(set(pick)) == 5 for pick in picks[0.9])
    holds("the square is the first five of")
    assert best.shape == (1200, 5)
    holds("Products bought over the ILS of five offers.")
    assert best.shape[1] == len(picks[0.9][0]) == 5
    sold_and_ils = [one[:2] for one in curve.values()]
    assert sold_and_ils == [(424, 0.226), (417, 0.14), (402, 0.105), (392, 0.088)]
    assert popular_five[:2] == (215, 0.035)
    holds("hardly to 417 at 0.14 with a weight of 0.9, and then more steeply")
    slopes = -np.diff([sold for sold, _ in sold_and_ils]) / -np.diff([ils for _, ils in sold_and_ils])
    assert slopes[0] < min(slopes[1:])
    holds("falls from 0.226 to 0.140, by 38 %, for 7 of 424 sales")
    of_ils = [
        intra_list_similarity(alike[i[:, :, None], i[:, None]]) for i in (items[each, picks[w]] for w in (1, 0.9))
    ]
    assert paired_difference(*of_ils, rng=0, method="percentile").low > 0.9 * (0.226 - 0.14)
    holds("Anything from 28 sales fewer to 14 more fits.")
    assert np.round(1200 * np.array(change[:3])).tolist() == [-7, -28, 14]
    holds("28 sales, 7 %: we ship")
    assert round(100 * -1200 * change.low / first.sum()) == 7


@section("Try it")
def test_try_it(places):
    holds("A list shows item a twice and item b once; their similarity is 0.2.")
    assert len(places) == 3 and places[0] == places[1] and places[0][2] == 0.2
    holds("The same item twice")
    assert places[0] == places[1]
    holds("By places the repetition is punished, 0.467; over different items it is invisible, 0.2.")
    assert round(intra_list_similarity(places), 3) == 0.467 and intra_list_similarity([[1, 0.2], [0.2, 1]]) == 0.2
    holds("Four items have similarities of 0.8, a longer list has 0.2 throughout.")
    of_four = intra_list_similarity(np.full((4, 4), 0.8), definition="sum")
    assert math.isclose(of_four, 4.8)
    holds("4.8 for the four")
    assert math.isclose(math.comb(4, 2) * 0.8, of_four)
    holds("From eight on, with 5.6")
    sums = {n: intra_list_similarity(np.full((n, n), 0.2), definition="sum") for n in range(5, 40)}
    assert min(n for n, value in sums.items() if value > of_four) == 8 and math.isclose(sums[8], 5.6)
    assert all((sums[n] > of_four) == (n >= 8) for n in sums)


@section("The choices")
def test_unchecked_the_choices():
    unchecked("Ziegler et al., who introduced it", "history is no computation")


@section("lesson-diversity-shop")
def test_unchecked_on_real_data():
    unchecked("To us variety is worth 28 sales", "what variety is worth is the shop's")
