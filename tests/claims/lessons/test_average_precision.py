"""What book/lessons/average-precision.ipynb says, held."""

import itertools

import numpy as np

from metrics_lib import (
    average_precision,
    average_precision_score,
    mean_average_precision,
    precision_at_k,
    rank_by_score,
    recall_at_k,
    reciprocal_rank,
)
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, section, unchecked


@section("lesson-average-precision")
def test_the_opening(A, B, axes):
    holds("There are five.")
    assert A.sum() + 1 == B.sum() + 1 == 5
    holds("Two search engines return ten results each, four of the five among them")
    assert len([A, B]) == 2 and len(A) == len(B) == 10 and A.sum() == B.sum() == 4
    holds("engine A on ranks 1, 6, 7 and 8, engine B on ranks 2, 3, 4 and 5")
    assert (np.flatnonzero(A) + 1).tolist() == [1, 6, 7, 8] and (np.flatnonzero(B) + 1).tolist() == [2, 3, 4, 5]
    holds("Average precision is the mean of the four filled bars and a 0 for the judgment that did not come.")
    down = {name: np.cumsum(rel) / np.arange(1, 11) for name, rel in (("A", A), ("B", B))}
    filled = {"A": [*down["A"][A == 1], 0], "B": [*down["B"][B == 1], 0]}
    assert all(len(values) == 5 for values in filled.values())
    assert np.isclose(np.mean(filled["A"]), average_precision(A, n_relevant=5))
    assert np.isclose(np.mean(filled["B"]), average_precision(B, n_relevant=5))
    holds("Two bar charts over ranks 1 to 10")
    assert len(axes) == 2
    holds("at rank 1, marked 1/1, and at ranks 6, 7 and 8, marked 2/6, 3/7 and 4/8")
    assert filled["A"][:4] == [1 / 1, 2 / 6, 3 / 7, 4 / 8]
    holds("In B they stand at ranks 2 to 5, marked 1/2, 2/3, 3/4 and 4/5.")
    assert filled["B"][:4] == [1 / 2, 2 / 3, 3 / 4, 4 / 5]
    holds("The hollow bars fall behind the last filled one")
    assert all((np.diff(down[name][last:]) < 0).all() for name, last in (("A", 7), ("B", 4)))
    holds("Four of ten results are right and four of five judgments are found")
    assert precision_at_k(A, 10) == precision_at_k(B, 10) == 4 / 10
    assert recall_at_k(A, 10, n_relevant=5) == recall_at_k(B, 10, n_relevant=5) == 4 / 5
    assert reciprocal_rank(A) > reciprocal_rank(B)
    holds("0.452 for A, 0.543 for B.")
    assert [round(average_precision(rel, n_relevant=5), 3) for rel in (A, B)] == [0.452, 0.543]


@section("In one line")
def test_in_one_line(B):
    holds("is 0.543: engine B, whose misses behind the last hit add nothing")
    assert round(average_precision([0, 1, 1, 1, 1], n_relevant=5), 3) == 0.543 and not B[5:].any()
    assert np.isclose(average_precision([0, 1, 1, 1, 1], n_relevant=5), average_precision(B, n_relevant=5))


@section("lesson-average-precision-hand")
def small():
    return [np.array(bits) for n in range(1, 8) for bits in itertools.product([0, 1], repeat=n) if any(bits)]


@section("lesson-average-precision-hand")
def test_by_hand(B, precision, queries, scores, small):
    holds("The sum is 163/60; divided by five it is 163/300, or 0.543.")
    assert np.isclose(1 / 2 + 2 / 3 + 3 / 4 + 4 / 5, 163 / 60) and round(163 / 300, 3) == 0.543
    assert np.allclose(precision[B == 1], [1 / 2, 2 / 3, 3 / 4, 4 / 5])
    holds("The library agrees")
    assert np.isclose(average_precision(B, n_relevant=5), precision[B == 1].sum() / 5)
    for bits in small:
        holds("Misses add nothing; they lower the precision of the hits below them.")
        assert average_precision([0, *bits]) < average_precision(bits)
        assert np.isclose(average_precision([*bits, 0]), average_precision(bits))
        heights_of = np.cumsum(bits) / np.arange(1, len(bits) + 1)
        reached = np.cumsum(bits) / bits.sum()
        holds("Down a list recall grows by $1/R$ at a hit and stands still at a miss")
        assert np.allclose(np.diff(reached, prepend=0), bits / bits.sum())
        holds("It is this one.")
        by_scores = average_precision_score(bits, -np.arange(len(bits)))
        assert np.isclose(by_scores, average_precision(bits))
        assert np.isclose(by_scores, (np.diff(reached, prepend=0) * heights_of).sum())
        for more in (0, 1, 3):
            recall = bits.sum() / (bits.sum() + more)
            value = average_precision(bits, n_relevant=bits.sum() + more)
            holds("recall times the mean precision at the hits")
            assert np.isclose(value, recall * heights_of[bits == 1].mean())
            holds("AP is at most the recall, and equal to it if the hits fill the top")
            assert value <= recall + 1e-12 and np.isclose(value, recall) == bits[: bits.sum()].all()
    holds("Both say 0.679, not 0.543")
    assert round(average_precision_score(B, scores), 3) == round(average_precision(B), 3) == 0.679
    holds("without `n_relevant=` the list is taken to hold them all")
    assert average_precision(B) == average_precision(B, n_relevant=B.sum())
    holds("4/5 of 0.679")
    assert np.isclose(average_precision(B) * 4 / 5, 163 / 300)
    holds("labels and scores do not tell of the fifth judgment")
    assert average_precision_score([1, 0], [2, 1]) == 1 and average_precision([1, 0], n_relevant=2) == 1 / 2
    holds("One reader wants one judgment and finds it at rank 2, another wants three and finds them at ranks 1 to 3")
    assert [np.flatnonzero(one).tolist() for one in queries] == [[1], [0, 1, 2]]
    holds("The mean is 0.75.")
    assert mean_average_precision(queries) == 0.75
    holds("Pooled over the four relevant results it would be 0.875")
    pooled = np.average(average_precision(queries), weights=np.sum(queries, axis=1))
    assert np.sum(queries) == 4 and pooled == 0.875
    holds("the reader who wants three would have three votes")
    assert np.sum(queries[1]) == 3 * np.sum(queries[0]) == 3
    holds("MAP gives each query one vote")
    for bits, other in itertools.product(small[-20:], repeat=2):
        both = average_precision([bits, other])
        assert np.isclose(mean_average_precision([bits, other]), both.sum() / 2)


@section("lesson-average-precision-chance")
def test_how_good_is_0_54(A, B, shuffles, values):
    holds("Try all 210 places for the four judgments")
    assert len(shuffles) == len({tuple(one) for one in shuffles}) == 210 and all(one.sum() == 4 for one in shuffles)
    holds("A shuffle has 0.423 on average.")
    assert round(values.mean(), 3) == 0.423
    holds("The order moves it from 0.225 to the recall, 0.8; the missing judgment keeps it from 1.")
    assert round(values.min(), 3) == 0.225 and values.max() == 4 / 5 == recall_at_k(B, 10, n_relevant=5)
    assert average_precision([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], n_relevant=5) == 1
    holds("AP of the 210 orders.")
    assert len(values) == 210
    holds("Histogram of average precision from 0.225 to 0.8, highest around 0.35.")
    counts, edges = np.histogram(values, bins=23, range=(0.225, 0.8))
    assert 0.3 < edges[counts.argmax()] < 0.4 and counts.max() < 23
    holds("B beats four shuffles of five, A three of five.")
    beaten = [(values < average_precision(rel, n_relevant=5)).mean() for rel in (B, A)]
    assert np.round(beaten, 1).tolist() == [4 / 5, 3 / 5]
    holds("Perfect is 1 and no hit is 0")
    assert average_precision([1, 1, 0]) == 1 and average_precision([0, 0, 0], n_relevant=2) == 0
    holds("the worst *order* lies between")
    for size, ones in itertools.combinations_with_replacement(range(1, 8), 2):
        assert average_precision([0] * size + [1] * ones) > 0
    for size, ones in ((5, 1), (6, 3), (8, 2), (7, 7)):
        draws = [np.isin(range(size), chosen) for chosen in itertools.combinations(range(size), ones)]
        holds("Rank $k$ holds a hit with probability $R/n$, and then $(k-1)(R-1)/(n-1)$ hits above it on average")
        for above in range(size):
            held_there = [one for one in draws if one[above]]
            assert np.isclose(len(held_there) / len(draws), ones / size)
            assert np.isclose(np.mean([one[:above].sum() for one in held_there]), above * (ones - 1) / (size - 1))
        inverse = (1 / np.arange(1, size + 1)).sum() / size
        expected = (ones - 1) / (size - 1) + (size - ones) / (size - 1) * inverse
        assert np.isclose(average_precision(draws).mean(), expected)
    holds("Ten relevant in a thousand: 0.016, a little more than their share, 0.01.")
    thousand = 9 / 999 + 990 / 999 * (1 / np.arange(1, 1001)).sum() / 1000
    assert round(thousand, 3) == 0.016 and 10 / 1000 == 0.01
    holds("Four in ten: 0.529, well above 0.4; the missing fifth makes it 4/5 of that.")
    assert round(average_precision(shuffles).mean(), 3) == 0.529
    assert np.isclose(average_precision(shuffles).mean() * 4 / 5, values.mean())
    holds("Chance depends on the share of relevant results and on the length of the list")
    mean_of = {
        (ones, size): average_precision(
            [np.isin(range(size), c) for c in itertools.combinations(range(size), ones)]
        ).mean()
        for ones, size in ((1, 4), (2, 4), (4, 8))
    }
    assert mean_of[1, 4] < mean_of[2, 4] - 0.1 and mean_of[4, 8] < mean_of[2, 4] - 0.05


@section("lesson-average-precision-blind")
def test_what_it_cannot_see(both_second, one_lost):
    holds("both lists are perfect")
    assert average_precision([[3, 1, 0], [1, 3, 0]]).tolist() == [1, 1]
    holds("Three passages of one page are three hits.", "A result listed twice is two")
    assert average_precision([1, 1, 0], n_relevant=2) == 2 * average_precision([1, 0, 0], n_relevant=2) == 1
    assert average_precision([1, 1, 1, 0], n_relevant=3) == 1 > average_precision([1, 0, 0, 0], n_relevant=3)
    holds("the first system finds one on top and loses the other, the second has both at rank 2")
    assert np.sum(one_lost) == 1 and one_lost[0][0] == 1 and both_second == [[0, 1]] * 2
    holds("A MAP of 0.5 either way, but with the first system somebody leaves with nothing.")
    assert mean_average_precision(one_lost, n_relevant=1) == mean_average_precision(both_second, n_relevant=1) == 0.5
    assert 0 in np.sum(one_lost, axis=1) and 0 not in np.sum(both_second, axis=1)


@section("The choices")
def test_the_choices(A, B, fixed, options, own):
    relevances = [B, B[:4], A[:4]]
    table = [[round(average_precision(x, n_relevant=5, denominator=d), 3) for x in relevances] for d in options]
    holds("Four denominators")
    assert table == [[0.543, 0.383, 0.2], [0.543, 0.479, 0.25], [0.679, 0.639, 1], [0.272, 0.479, 0.25]]
    assert len(options) == 4
    holds("with five relevant items and $k = 4$, no list reaches 1")
    full = [average_precision([1] * 4, 4, n_relevant=5, denominator=label) for label in ("relevant", "min")]
    assert full == [4 / 5, 1]
    holds("the first four results of A are perfect: one hit, on top, and nobody asks for the other four")
    assert A[:4].tolist() == [1, 0, 0, 0] and table[2][2] == 1 and 5 - 1 == 4
    holds("three of four denominators call the single result perfect")
    assert [label for label, value in zip(options, own, strict=True) if value == 1] == ["min", "hits", "k"]
    holds("If you fix $k$")
    assert [label for label, value in zip(options, fixed, strict=True) if value == 1] == ["hits"]
    rises = dict.fromkeys(options, False)
    for bits in itertools.product([0, 1], repeat=6):
        for label in options:
            by_k = [average_precision(bits, k, n_relevant=sum(bits) + 1, denominator=label) for k in range(1, 7)]
            rises[label] |= bool((np.diff(by_k) < -1e-12).any())
    holds("cutting a list never raises AP")
    assert rises == {"relevant": False, "min": True, "hits": True, "k": True}
    both = [[1, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0, 0]]
    lab = [average_precision(both, n_relevant=3, denominator=label) for label in options]
    holds("In the lab another B returns one document alone and wins under")
    assert [label for label, (of_a, of_b) in zip(options, lab, strict=True) if of_b > of_a] == ["hits"]
    holds("change the denominator, and A wins")
    assert [label for label, (of_a, of_b) in zip(options, lab, strict=True) if of_a > of_b] == ["relevant", "min", "k"]
    three = [[1, 0], [0, 1], [0, 0]]
    holds("queries with AP 1, 1/2 and nothing to find")
    assert (
        len(three) == 3 and average_precision(three)[:2].tolist() == [1, 1 / 2] and np.isnan(average_precision([0, 0]))
    )
    means = [mean_average_precision(three, undefined=policy) for policy in ("skip", 0, 1)]
    assert np.allclose(means, [3 / 4, 1 / 2, 5 / 6]) and np.isnan(mean_average_precision(three))
    holds("1 or 1/2")
    tied = [average_precision(rank_by_score(labels, [7, 7])) for labels in ([1, 0], [0, 1])]
    assert tied == [1, 1 / 2] and [average_precision_score(labels, [7, 7]) for labels in ([1, 0], [0, 1])] == [
        1 / 2,
        1 / 2,
    ]
    holds("*Nothing found* is 0; *nothing to find* is 0/0, and a choice.")
    assert average_precision([0, 0], n_relevant=1) == 0 and np.isnan(average_precision([0, 0], n_relevant=0))


@section("On real data")
def test_on_real_data(
    R,
    again,
    ap,
    behind,
    by_all,
    by_difference,
    by_hits,
    change,
    gone,
    hits,
    order,
    page,
    returned,
    run,
    search,
    tidy,
    x,
):
    holds("31 questions, 100 passages returned for each, and the judges' grades from 0 to 3")
    assert (returned["query"] == np.arange(1, 32)[:, None]).all() and returned.shape == (31, 100)
    assert np.unique(search["grade"]).tolist() == [-1, 0, 1, 2, 3]
    holds("Many passages share a page.")
    assert np.mean(again) > 0.6
    holds("the first passage of each page, and all repeats behind; or no repeats at all")
    tidied = np.take_along_axis(page, order, axis=1)
    for before, after, flags, marks_of, short in zip(page, tidied, again, run, gone, strict=True):
        new = ~np.array(flags)
        assert after[: new.sum()].tolist() == before[new].tolist() and new.sum() == len(np.unique(before))
        assert short.tolist() == [*marks_of[new].tolist(), *[False] * (100 - new.sum())]
    holds("counts the relevant passages of each question, returned or not")
    assert (
        all(R[q - 1] == (search["grade"][search["query"] == q] >= 2).sum() for q in range(1, 32))
        and R.sum() > run.sum()
    )
    holds("those that nobody judged count as misses")
    assert not run[returned["grade"] == -1].any()
    assert (search["grade"][np.isnan(search["score"])] >= 0).all()
    assert (np.diff(returned["score"], axis=1) <= 0).all()
    holds("For three questions no passage is relevant; they are left out")
    assert (R == 0).sum() == 3 and np.isclose(by_all[0], mean_average_precision(run, n_relevant=R, undefined="skip"))
    holds("MAP is 0.244 as it is, 0.208 with the repeats behind, 0.109 without them")
    assert np.round(by_all, 3).tolist() == [0.244, 0.208, 0.109]
    holds("0.541 to 0.524 (interval of the lead -0.035 to 0.060), with 498 of the 810 relevant passages gone")
    assert np.round(by_hits, 3).tolist() == [0.524, 0.448, 0.541]
    of_hits = [average_precision(lists[R > 0], n_relevant=R[R > 0], **hits) for lists in (gone, run)]
    assert np.round(paired_difference(*of_hits, rng=0, method="percentile")[1:3], 3).tolist() == [-0.035, 0.060]
    assert run.sum() == 810 and run.sum() - gone.sum() == 498
    differences = tidy - ap
    holds("AP of 28 questions")
    assert len(ap) == 28
    holds("Tidying costs on 22 questions and gains on five; in the corner the mean change, with its 95 % interval.")
    assert change == paired_difference(tidy, ap, confidence_level=0.95, rng=0, method="percentile")[:3]
    assert ((differences < 0).sum(), (differences > 0).sum(), (differences == 0).sum()) == (22, 5, 1)
    holds("Twenty-eight vertical lines")
    assert len(x) == 28
    holds("the first one falling from 0.53 to 0.33")
    assert (round(ap[by_difference[0]], 2), round(tidy[by_difference[0]], 2)) == (0.53, 0.33)
    holds("one has no length, and on the last five the triangle stands a little above the dot")
    assert (np.sort(differences)[22] == 0) and (np.sort(differences)[23:] > 0).all() and differences.max() < 0.05
    holds("question 4, five relevant passages")
    question = np.flatnonzero(R > 0)[by_difference[0]] + 1
    assert question == 4 and R[3] == 5
    holds("No: MAP loses 0.036 (0.019 to 0.054).", "mean change -0.036, -0.054 to -0.019")
    assert np.round(change, 3).tolist() == [-0.036, -0.054, -0.019]
    holds("question 4 alone makes a fifth of the loss; where five passages are relevant, each rank weighs much")
    assert round(differences.min() / differences.sum(), 1) == 1 / 5
    for bar in (1, 3):
        wanted_of = np.bincount(search["query"], search["grade"] >= bar)[1:]
        raised = returned["grade"] >= bar
        shifted = np.take_along_axis(raised, order, axis=1)
        holds("The order stays, with grade 1 or 3 as the bar, too")
        pair = [average_precision(x[wanted_of > 0], n_relevant=wanted_of[wanted_of > 0]) for x in (raised, shifted)]
        assert paired_difference(*pair, rng=0, method="percentile").low > 0
    holds("Half is unjudged passages: without them the fall is 0.018 (0.002 to 0.037).")
    known = returned["grade"] >= 0
    seen = [(run, known), (behind, np.take_along_axis(known, order, axis=1))]
    of_known = [[average_precision(rel[q][kept[q]], n_relevant=R[q]) for q in np.flatnonzero(R)] for rel, kept in seen]
    fall = paired_difference(*of_known, rng=0, method="percentile")
    assert np.round(fall[:3], 3).tolist() == [0.018, 0.002, 0.037]
    assert 0.45 < fall.value / (by_all[0] - by_all[1]) < 0.55


@section("lesson-average-precision-try")
def test_try_it(again, found, moved, n, small):
    eight = [0] * 7 + [1, 0, 1]
    gains = []
    for start in (8, 10):
        up = eight.copy()
        up[start - 2], up[start - 1] = 1, 0
        gains.append((average_precision(up) - average_precision(eight)) * 2)
    holds("it is the lower one that gains more, 0.022 against 0.018: its precision counts two hits")
    assert np.allclose(gains, [1 / 56, 2 / 90]) and np.round(gains, 3).tolist() == [0.018, 0.022]
    holds("goes from precision $h/k$ to $h/(k-1)$, which adds $h/(k(k-1))$ to the sum")
    for bits in small:
        for k in np.flatnonzero(bits)[1:] + 1:
            if not bits[k - 2]:
                up = bits.copy()
                up[k - 2], up[k - 1] = 1, 0
                gain = (average_precision(up) - average_precision(bits)) * bits.sum()
                assert np.isclose(gain, bits[:k].sum() / (k * (k - 1)))
    holds("A list has hits on ranks 8 and 10, and one of the two may move up by one place.")
    assert (np.flatnonzero(eight) + 1).tolist() == [8, 10]
    holds("The tidy one, 0.322 against 0.195.")
    of_pages = [mean_average_precision(x, n_relevant=n, undefined="skip") for x in (moved, found)]
    assert np.round(of_pages, 3).tolist() == [0.322, 0.195]
    holds("what comes again is a miss")
    assert not (found & np.array(again)).any()


@section("lesson-average-precision")
def test_unchecked_the_opening():
    unchecked("Whoever needs them all ships B.", "what the reader needs is the story")
    unchecked("every earlier judgment", "what the lawyer wants")


@section("In one line")
def test_unchecked_in_one_line():
    unchecked("is 1 if the result", "the definition")


@section("lesson-average-precision-hand")
def test_unchecked_by_hand():
    unchecked("because a query is somebody who asked", "the reason for a convention")


@section("lesson-average-precision-try")
def test_unchecked_try_it():
    unchecked("If passages feed a program that writes an answer", "who reads is the reader's")
