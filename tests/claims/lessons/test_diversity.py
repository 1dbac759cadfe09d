"""What book/lessons/diversity.ipynb says, held."""

import itertools
import math

import numpy as np

from metrics_lib import dcg, intra_list_similarity, kl_divergence
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-diversity")
def test_the_opening(A, B, axes, by_words, short):
    holds("from either list she would buy one product, the red bag")
    assert A[0] == B[0] == "lunch bag red" and not set(A[1:]) & set(B[1:])
    holds("Two recommenders each fill five places")
    assert len(A) == len(B) == 5
    holds("Two square grids of five by five cells")
    assert len(axes) == 2 and by_words(A).shape == by_words(B).shape == (5, 5)
    holds("each cell off the diagonal is mid-blue with the number .7")
    away = ~np.eye(5, dtype=bool)
    assert np.allclose(by_words(A)[away], 2 / 3) and (by_words(B)[away] == 0).all()
    holds("one bag and four other things", "and A has four more lunch bags")
    assert [sum("bag" in name for name in names) for names in short.values()] == [5, 1]
    assert sum("bag" in name for name in B) == 1 and sum("lunch bag" in name for name in A[1:]) == 4
    holds("of 0.2, one hit in five")
    assert 1 / len(A) == 1 / len(B) == 0.2
    holds("A is one idea shown five times")
    assert sum("lunch bag" in name for name in A) == len(A) == 5
    holds("is the mean similarity of all pairs in a list, and it is 0.667 for A and 0 for B")
    assert np.round([intra_list_similarity(by_words(names)) for names in (A, B)], 3).tolist() == [0.667, 0]


@section("In one line")
def test_in_one_line(A, B, by_words):
    holds("is 1/3 for the three products below, and the other two take a line each")
    three = by_words(["red bag", "blue bag", "blue lamp"])
    assert math.isclose(intra_list_similarity(three), 1 / 3) and len(three) == 3
    holds("and lower is more diverse")
    assert intra_list_similarity(by_words(B)) < intra_list_similarity(by_words(A))
    holds("ILS is the mean similarity of the pairs in a list")
    of_pairs = [three[i, j] for i, j in itertools.combinations(range(3), 2)]
    assert math.isclose(intra_list_similarity(three), np.mean(of_pairs))


@section("By hand")
def test_by_hand(best_sellers, by_words, hits, known, lists, mmr, relevance, similarity, vectors):
    holds("one number for each word, red, blue, bag and lamp in this order, which is 1 if the word is in the name")
    words, products = ["red", "blue", "bag", "lamp"], ["red bag", "blue bag", "blue lamp"]
    assert vectors.tolist() == [[int(word in name.split()) for word in words] for name in products]
    holds("here the number of words in common over the root of the product of both lengths")
    assert np.allclose(similarity, by_words(products))
    assert [round(float(s), 9) for s in (similarity[0, 1], similarity[1, 2], similarity[0, 2])] == [0.5, 0.5, 0]
    assert round(intra_list_similarity(similarity), 3) == 0.333 and 1 / math.sqrt(2 * 2) == 0.5
    holds("Each pair counts once, and the diagonal not at all.")
    rng = np.random.default_rng(0)
    for size in (2, 3, 6):
        square = rng.random((size, size))
        square = square + square.T
        once = np.mean([square[i, j] for i, j in itertools.combinations(range(size), 2)])
        assert math.isclose(intra_list_similarity(square), once)
        assert math.isclose(intra_list_similarity(square + 5 * np.eye(size)), once)
    holds("three users get two products each from a catalogue of ten", "Coverage is 0.3, three products of ten.")
    assert lists.shape == (3, 2) and len(np.unique(lists)) / 10 == 0.3
    holds("half of the customers know the red bag, a quarter the blue bag, and an eighth the lamp")
    assert known.tolist() == [1 / 2, 1 / 4, 1 / 8]
    holds("carry 1, 2 and 3 bits of self-information, 2 on average")
    assert (-np.log2(known)).tolist() == [1, 2, 3] and -np.log2(known).mean() == 2
    holds("Each time a product is known to half as many people, its novelty rises by one bit")
    for share in np.linspace(0.01, 1, 50):
        assert math.isclose(-np.log2(share / 2), -np.log2(share) + 1)
    holds("One place in three holds a surprise that was welcome.")
    assert hits - best_sellers == {"blue lamp"} and len(similarity) == 3
    holds("Let the three products have a relevance of 1, 0.9 and 0.6")
    assert relevance.tolist() == [1, 0.9, 0.6] and len(similarity) == 3
    holds("By relevance alone, the two bags come first.")
    assert mmr(relevance, similarity, 2, 1) == [0, 1] and mmr(relevance, similarity, 2, 0.5) == [0, 2]
    holds("the blue bag scores 0.45 - 0.25 = 0.2 and the lamp 0.3 - 0 = 0.3")
    parts = [(0.5 * relevance[i], 0.5 * similarity[i, 0]) for i in (1, 2)]
    assert np.allclose(parts, [(0.45, 0.25), (0.3, 0)]) and np.allclose(np.diff(parts), [[-0.2], [-0.3]])


@section("lesson-diversity-scale")
def test_how_good_is_an_ils_of_0(A, B, by_words, chance, counts, drawn, shop_of_nine, spread, values):
    holds("the nine products of both lists are the whole shop, and draw five of them in all possible ways")
    assert len(set(shop_of_nine)) == len(set(A + B)) == 9 and drawn.shape == (math.comb(9, 5), 5)
    holds("The ILS of all 126 lists of five products.", "the bars are the lists with one to five bags")
    assert len(spread) == 126
    for five_of, its_ils in zip(drawn, spread, strict=True):
        bags = int((five_of < 5).sum())
        assert math.isclose(its_ils, 2 / 3 * math.comb(bags, 2) / 10, abs_tol=1e-12)
    holds("at 0, 0.067, 0.2, 0.4 and 0.667")
    assert values.round(3).tolist() == [0, 0.067, 0.2, 0.4, 0.667] and counts.tolist() == [5, 40, 60, 20, 1]
    holds("The tallest two, with 40 and 60 lists, are at 0.067 and 0.2.")
    assert np.sort(counts)[-2:].tolist() == [40, 60] and values[counts.argsort()[-2:]].round(3).tolist() == [0.067, 0.2]
    assert math.isclose(intra_list_similarity(by_words(B)), values[0]) and sum(name in A for name in B) == 1
    holds("So 0.2, which 60 of the 126 lists score, is about chance here.")
    assert math.isclose(values[2], 0.2) and counts[2] == 60 and abs(chance - 0.2) < 0.02
    holds("so their mean ILS is that of the whole shop, 0.185")
    assert round(chance, 3) == 0.185 and math.isclose(spread.mean(), chance)
    holds("one thing five times")
    assert intra_list_similarity(by_words(["lunch bag red"] * 5)) == 1
    holds("Each pair of products is in equally many of these lists")
    together = [sum({i, j} <= set(row) for row in drawn.tolist()) for i, j in itertools.combinations(range(9), 2)]
    assert len(set(together)) == 1


@section("lesson-diversity-blind")
def test_what_it_cannot_see(A, B, by_words, history, miscalibration, own, rank_aware, same, top):
    holds("Five useless things of five kinds have the best ILS there is.")
    useless = ["tar", "gravel", "soot", "mud", "rust"]
    assert len(useless) == 5 and intra_list_similarity(by_words(useless)) == 0 == intra_list_similarity(by_words(B))
    holds("ILS is the same for both.")
    mixed = by_words(A[:3] + B[1:3])
    for order in itertools.permutations(range(5)):
        assert math.isclose(intra_list_similarity(mixed[np.ix_(order, order)]), intra_list_similarity(mixed))
    holds("weights each pair by the discount of both its ranks")
    assert math.isclose(rank_aware(top), 2 / 3 * weight_of(0, 1)) and math.isclose(
        rank_aware(top[::-1, ::-1]), 2 / 3 * weight_of(3, 4)
    )
    holds("Give four customers the same varied list, or each a varied list of their own")
    assert len(same) == len(own) == 4 and len({tuple(row) for row in same}) == 1 and len(np.unique(own)) == own.size
    holds("from a shop of twenty products", "ILS is 0 for both, and coverage tells them apart.")
    assert own.max() == 19 and (len(np.unique(same)) / 20, len(np.unique(own)) / 20) == (0.25, 1)
    holds("counts a product shown once the same as one shown a million times")
    assert len(np.unique([0, 1])) == len(np.unique([0] * 1_000_000 + [1]))
    holds("A customer has bought eight bags and two things for a party.")
    assert history.tolist() == [8 / 10, 2 / 10, 0]
    holds("for which 1% of the history is mixed into the list so that a missing kind does not make it infinite")
    assert math.isinf(kl_divergence(history, [1, 0, 0])) and math.isfinite(miscalibration([1, 0, 0]))
    assert math.isclose(miscalibration([1, 0, 0]), kl_divergence(history, [0.998, 0.002, 0]))
    holds("By ILS, list B is best, but the calibrated list has four bags.")
    kinds = [sum("bag" in name for name in B) / 5, sum("party" in name for name in B) / 5]
    assert kinds == [1 / 5, 1 / 5] and round(miscalibration([*kinds, 3 / 5]), 3) == 1.566
    assert abs(miscalibration([0.8, 0.2, 0])) < 1e-12 and intra_list_similarity(by_words(B)) == 0
    holds("B offers mostly kinds of things that she has not bought")
    assert sum(kinds) < 1 / 2
    assert by_words(["lunch bag", "snack pouch"])[0, 1] == 0


def weight_of(i, j):
    weights = 1 / np.log2(np.arange(2, 7))
    return weights[i] * weights[j] / sum(a * b for a, b in itertools.combinations(weights, 2))


@section("The choices")
def test_the_choices(cosine, known, rank_aware, similarity, vectors):
    three_names = ["red bag", "blue bag", "blue lamp"]
    assert round(intra_list_similarity(similarity), 3) == 0.333 == round(intra_list_similarity(cosine(vectors)), 3)
    assert math.isclose(intra_list_similarity(similarity, definition="sum"), 1)
    assert round(1 - intra_list_similarity(similarity), 3) == 0.667 and round(similarity.mean(), 3) == 0.556
    holds("a list of one item")
    assert math.isnan(intra_list_similarity([[1]])) and intra_list_similarity([[1]], undefined=0) == 0
    own_words = [set(name.split()) for name in three_names]
    jaccard = np.array([[len(a & b) / len(a | b) for b in own_words] for a in own_words])
    assert round(intra_list_similarity(jaccard), 3) == 0.222
    assert -np.log2(known).mean() == 2 and round(1 - known.mean(), 3) == 0.708
    assert round(rank_aware(similarity), 3) == 0.327
    assert round(dcg([1, 0.5, 1]) / dcg([1, 1, 0.5]), 3) == 0.965
    holds("where a second bag earns half")
    assert max(dcg(order) for order in itertools.permutations([1, 1, 0.5])) == dcg([1, 1, 0.5])
    holds("six items with similarities of 1/2 have a sum of 7.5 and three a sum of 1.5, though their means are equal")
    halves = [np.full((size, size), 1 / 2) for size in (6, 3)]
    assert [intra_list_similarity(half, definition="sum") for half in halves] == [7.5, 1.5]
    assert [intra_list_similarity(half) for half in halves] == [1 / 2, 1 / 2]


def ends(hits, others, of=1200):
    return np.round(of * np.array(paired_difference(hits, others, rng=0)[:3])).tolist()


@section("lesson-diversity-shop")
def test_two_recommenders(alike, items, judge, known, offers, products, shop, surprise, table, welcome):
    holds("A British gift shop had 3,970 customers before November 2011.", "We drew 1,200 of those")
    assert len(np.unique(shop["customer"])) == 1200 and {ten.shape for ten in offers.values()} == {(1200, 10)}
    here = ~np.isnan(shop["popular"])
    found = np.searchsorted(products["product"], shop["product"][here])
    counted, said = products["customers"][found], shop["popular"][here]
    fits = [n for n in range(3900, 4050) if (abs(counted / n - said) < 6e-5).all()]
    assert fits == [3970]
    holds("lists the 3,607 products")
    assert len(products) == 3607 and np.isin(shop["product"], products["product"]).all()
    holds("with a column for each word of the shop")
    assert (table.sum(axis=1) == [len(set(name.split())) for name in products["name"]]).all() and np.isin(
        table, (0, 1)
    ).all()
    holds("would have an ILS of 0.014 and a novelty of 7.28 bits on average, and 1,200 of them would cover 96% of it")
    blind = intra_list_similarity(alike), float(-np.log2(known).mean())
    assert (round(blind[0], 3), round(blind[1], 2)) == (0.014, 7.28)
    missed = (1 - 10 / 3607) ** 1200
    assert f"{1 - missed:.0%}" == "96%" and here.sum() == 12_000
    holds("Chance beats both recommenders by each of the three")
    found = {name: judge(items[name], offers[name]["bought"]) for name in offers}
    assert (
        all(blind[0] < one[1] and one[2] < 1 - missed and blind[1] > one[3] for one in found.values())
        and len(found) == 2
    )
    holds("contains 717 later purchases and popular 407, a lead of 310 (95% interval 241 to 379)")
    of_ten = [offers[name]["bought"].sum(axis=1) for name in ("similar", "popular")]
    assert [one[0] for one in found.values()] == [407, 717] and ends(*of_ten) == [310, 241, 379]
    holds("By ILS, popular is the more varied")
    assert found["popular"][1] < found["similar"][1]
    proved("two customers share 6.9 of their ten offers on average, against 1.8 with similar")
    counts = {name: np.sort(np.unique(items[name], return_counts=True)[1])[::-1] for name in offers}
    assert [round((n * (n - 1)).sum() / (1200 * 1199), 1) for n in counts.values()] == [6.9, 1.8]
    holds("its ten most shown products fill 79% of all places, against 34%")
    assert [f"{n[:10].sum() / 12_000:.0%}" for n in counts.values()] == ["79%", "34%"]
    holds("Popular had offered the same customer the other 166.")
    assert (offers["similar"]["bought"] * ~surprise).sum() == 166 == 717 - welcome.sum()
    holds("So 551 hits (489 to 613), or 4.6% of the 12,000 offers, are serendipity")
    each = welcome.sum(axis=1)
    assert ends(each, 0 * each) == [551, 489, 613] and f"{welcome.mean():.1%}" == "4.6%"


@section("lesson-diversity-shop")
def test_with_an_embedding(alike, close, embedding, ils_of, items, products, table):
    holds("each product becomes a vector of 100 numbers")
    assert embedding.shape == (3607, 100)
    holds("Rare words weigh more, and words that occur once are left out")
    counts = table.sum(axis=0)
    weights = np.log(len(table) / counts[counts >= 2])
    assert (np.argsort(-weights, kind="stable") == np.argsort(counts[counts >= 2], kind="stable")).all()
    holds("by 0.130 (0.123 to 0.136) with words and by 0.181 (0.172 to 0.191) with the embedding")
    for matrix, said in ((alike, [0.130, 0.123, 0.136]), (close, [0.181, 0.172, 0.191])):
        of_two = [ils_of(items[name], matrix) for name in ("similar", "popular")]
        assert np.round(paired_difference(*of_two, rng=0)[:3], 3).tolist() == said
    names = products["name"].tolist()
    holds("(0.94), although they have no word in common", "But it also gives 0.79 to")
    for pair, said in (
        (("landmark frame camden town", "photo cube"), 0.94),
        (("plasters in tin skulls", "dragons blood incense"), 0.79),
    ):
        one, two = map(names.index, pair)
        assert round(float(close[one, two]), 2) == said and alike[one, two] == 0


@section("lesson-diversity-shop")
def test_how_much_variety(
    alike,
    at_random,
    change,
    choose,
    chosen,
    curve,
    choices,
    first,
    hits_by,
    ils_of,
    items,
    picks,
    popular_five,
    ten,
):
    holds("Later purchases among five of the ten offers")
    assert all(len(set(pick)) == 5 for pick in picks[0.9]) and ten["product"].shape == (1200, 10)
    found = [(one[0], round(float(one[1]), 3)) for one in curve.values()]
    assert found == [(424, 0.226), (417, 0.14), (402, 0.105), (392, 0.088)]
    holds("hardly to 417 at 0.14 with a weight of 0.9, and then more steeply")
    slopes = np.diff([hits for hits, _ in found]) / np.diff([ils for _, ils in found])
    assert slopes[0] < min(slopes[1:])
    holds("is a triangle marked")
    assert np.round(at_random, 3).tolist() == [0.183, 358.5] and 2 * at_random[1] == 717
    holds("a square marked")
    assert (popular_five[0], round(float(popular_five[1]), 3)) == (215, 0.035)
    holds("the ILS falls by 38%, from 0.226 to 0.140, and the hits fall from 424 to 417")
    each = np.arange(1200)[:, None]
    of_ils = {w: ils_of(items["similar"][each, picks[w]], alike) for w in (1, 0.9)}
    assert f"{1 - of_ils[0.9].mean() / of_ils[1].mean():.0%}" == "38%"
    holds("We choose by this rule on 600 customers drawn at random, and judge on the other 600")
    assert first.sum() == (~first).sum() == 600
    kept = {w: hits_by[w][first].sum() / hits_by[1][first].sum() for w in picks}
    assert chosen == choose(first) == 0.9 and kept[0.9] >= 0.95 > max(kept[0.8], kept[0.5])
    holds("The interval runs from a loss of 20 hits to a gain of 12.")
    assert ends(hits_by[0.9][~first], hits_by[1][~first], 600) == [-4, -20, 12] == np.round(change).tolist()
    holds("A loss of 5% would be 12 hits, so the data do not show that 95% are kept.")
    assert hits_by[1][~first].sum() == 231 and round(0.05 * 231) == 12 and change[1] < -0.05 * 231
    holds("we repeat the choice with 500 draws", "The rule chooses 0.9 most often")
    assert len(choices) == 500 and max(picks, key=choices.count) == 0.9
    holds("but it also chooses each of the other weights, because a few hits decide")
    assert set(choices) == set(picks) and kept[0.8] > 0.94
    holds("is -7 of 424 hits (-28 to 14), and 5% would be 21")
    assert hits_by[1].sum() == 424 and ends(hits_by[0.9], hits_by[1]) == [-7, -28, 14] and round(0.05 * 424) == 21
    holds("With 0.9 the ILS is lower by 38%, and at the unfavourable end of the interval 20 of 231 hits are lost.")
    fall = 1 - of_ils[0.9][~first].mean() / of_ils[1][~first].mean()
    assert 0.37 < fall < 0.39 and ends(hits_by[0.9][~first], hits_by[1][~first], 600)[1] == -20


@section("Try it")
def test_try_it(places):
    holds("A list shows item a twice and item b once; the similarity of a and b is 0.2.")
    assert len(places) == 3 and places[0] == places[1] and places[0][2] == 0.2
    holds("The same item twice")
    assert places[0] == places[1]
    holds("Over places, the repetition raises the ILS to 0.467, while over different items, 0.2, it is invisible.")
    assert round(intra_list_similarity(places), 3) == 0.467 and intra_list_similarity([[1, 0.2], [0.2, 1]]) == 0.2
    holds("Four items have similarities of 0.8, and a longer list has similarities of 0.2 throughout.")
    of_four = intra_list_similarity(np.full((4, 4), 0.8), definition="sum")
    assert math.isclose(of_four, 4.8)
    holds("which is 4.8 for the four")
    assert math.isclose(math.comb(4, 2) * 0.8, of_four)
    holds("It starts with eight items, whose sum is 5.6")
    sums = {n: intra_list_similarity(np.full((n, n), 0.2), definition="sum") for n in range(5, 40)}
    assert min(n for n, value in sums.items() if value > of_four) == 8 and math.isclose(sums[8], 5.6)
    assert all((sums[n] > of_four) == (n >= 8) for n in sums)


@section("lesson-diversity-shop")
def test_unchecked_on_real_data():
    unchecked(
        "who came back in November or December and bought at least one product that was new to them",
        "a script drew them",
    )
    unchecked("No customer saw these offers", "the recommenders were computed afterwards")
