"""What book/lessons/average-precision.ipynb says, held."""

import itertools
import math

import numpy as np
import pytest

from metrics_lib import (
    average_precision,
    average_precision_score,
    mean_average_precision,
    ndcg,
    precision_at_k,
    rank_by_score,
    recall_at_k,
    reciprocal_rank,
)
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, section, unchecked


@section("lesson-average-precision")
def engines(ranks):
    return [np.isin(range(1, 11), ranks[name]) for name in "AB"]


@section("lesson-average-precision")
def test_the_opening(engines, ranks):
    A, B = engines
    holds("to which there are five earlier judgments")
    assert A.sum() + 1 == B.sum() + 1 == 5
    holds("Each engine returns ten results, with four of the five judgments among them")
    assert len(A) == len(B) == 10 and A.sum() == B.sum() == 4
    holds("Engine A has them at ranks 1, 6, 7 and 8, and engine B at ranks 2, 3, 4 and 5.")
    assert ranks == {"A": [1, 6, 7, 8], "B": [2, 3, 4, 5]}
    holds("Average precision is the mean of the four filled bars and of a 0 for the judgment that was not returned.")
    bars = [np.cumsum(rel) / np.arange(1, 11) for rel in engines]
    filled = [[*bar[rel], 0] for bar, rel in zip(bars, engines, strict=True)]
    assert all(len(five) == 5 for five in filled)
    values = [average_precision(rel, n_relevant=5) for rel in engines]
    assert np.allclose([np.mean(five) for five in filled], values)
    holds("at rank 1, marked 1/1, and at ranks 6, 7 and 8, marked 2/6, 3/7 and 4/8")
    assert filled[0][:4] == [1 / 1, 2 / 6, 3 / 7, 4 / 8]
    holds("they are at ranks 2 to 5, marked 1/2, 2/3, 3/4 and 4/5")
    assert filled[1][:4] == [1 / 2, 2 / 3, 3 / 4, 4 / 5]
    holds("The hollow bars fall behind the last filled one")
    assert all((np.diff(bar[max(found) - 1 :]) < 0).all() for bar, found in zip(bars, ranks.values(), strict=True))
    holds("so for her it is a draw, and precision and recall at 10 call it one")
    assert precision_at_k(A, 10) == precision_at_k(B, 10)
    assert recall_at_k(A, 10, n_relevant=5) == recall_at_k(B, 10, n_relevant=5)
    holds("A lawyer to whom any judgment will do is better off with A.")
    assert reciprocal_rank(A) > reciprocal_rank(B)
    holds("They read 6.4 of A's results on average and 4.8 of B's (all ten if their judgment is the missing one).")
    assert [np.mean([*found, 10]) for found in ranks.values()] == [6.4, 4.8]
    holds("It is 0.452 for A and 0.543 for B, so the firm buys B.")
    assert np.round(values, 3).tolist() == [0.452, 0.543]


@section("In one line")
def test_in_one_line(engines):
    holds("is 0.543, the AP of engine B, whose misses after its last hit add nothing")
    assert round(average_precision([0, 1, 1, 1, 1], n_relevant=5), 3) == 0.543 and not engines[1][5:].any()
    assert average_precision([0, 1, 1, 1, 1], n_relevant=5) == average_precision(engines[1], n_relevant=5)


@section("lesson-average-precision-hand")
def small():
    return [np.array(bits) for n in range(1, 8) for bits in itertools.product([0, 1], repeat=n) if any(bits)]


@section("lesson-average-precision-hand")
def test_by_hand(A, B, both, engines, precision, queries, scores, small):
    assert np.array_equal([A, B], engines)
    holds("The precisions add up to 163/60, and a fifth of that is 163/300, or 0.543.")
    assert np.allclose(precision[B == 1], [1 / 2, 2 / 3, 3 / 4, 4 / 5])
    assert np.isclose(precision[B == 1].sum(), 163 / 60) and round(163 / 300, 3) == 0.543
    holds("there is one row for each of the five judgments", "counted as 0 for the lawyer whose judgment never comes")
    at = {name: [*(np.flatnonzero(rel) + 1), None] for name, rel in (("A", A), ("B", B))}
    for name, rel in (("A", A), ("B", B)):
        read = [rel[:rank].mean() if rank else 0 for rank in at[name]]
        assert len(read) == 5 and np.isclose(np.mean(read), average_precision(rel, n_relevant=5))
    for bits in small:
        heights_of, reached = np.cumsum(bits) / np.arange(1, len(bits) + 1), np.cumsum(bits) / bits.sum()
        holds("because down a list recall grows by $1/R$ at each hit and not at all at a miss")
        assert np.allclose(np.diff(reached, prepend=0), bits / bits.sum())
        holds("so each hit adds a rectangle that is $1/R$ wide and $P@k$ high")
        by_scores = average_precision_score(bits, -np.arange(len(bits)))
        assert np.isclose(by_scores, average_precision(bits))
        assert np.isclose(by_scores, (np.diff(reached, prepend=0) * heights_of).sum())
        for more in (0, 1, 3):
            recall = bits.sum() / (bits.sum() + more)
            value = average_precision(bits, n_relevant=bits.sum() + more)
            holds("So AP is the recall times the mean precision at the hits")
            assert np.isclose(value, recall * heights_of[bits == 1].mean())
            holds("It is at most the recall, and it equals the recall if the hits fill the top of the list.")
            assert value <= recall + 1e-12 and np.isclose(value, recall) == bits[: bits.sum()].all()
    holds("Both are 0.679 rather than 0.543, because labels and scores alone cannot reveal that there is a fifth")
    assert np.round(both, 3).tolist() == [0.679, 0.679] and (np.diff(scores) < 0).all()
    assert average_precision_score([1, 0], [2, 1]) == 1 and average_precision([1, 0], n_relevant=2) == 1 / 2
    holds("the library assumes that the list holds all relevant items")
    assert average_precision(B) == average_precision(B, n_relevant=B.sum())
    holds("here 4/5 of 0.679")
    assert np.isclose(average_precision(B) * 4 / 5, 163 / 300)
    holds("finds it at rank 2, while another wants three and finds them at ranks 1 to 3")
    assert [np.flatnonzero(one).tolist() for one in queries] == [[1], [0, 1, 2]]
    holds("MAP is 0.75.", "Averaged over the four relevant results instead, it would be 0.875")
    pooled = np.average(average_precision(queries), weights=np.sum(queries, axis=1))
    assert mean_average_precision(queries) == 0.75 and np.sum(queries) == 4 and pooled == 0.875
    holds("the second reader would have three votes of four")
    assert np.sum(queries[1]) == 3 and np.sum(queries) == 4
    holds("MAP gives each query one vote")
    for bits, other in itertools.product(small[-20:], repeat=2):
        pair = average_precision([bits, other])
        assert np.isclose(mean_average_precision([bits, other]), pair.sum() / 2)


@section("lesson-average-precision-chance")
def test_how_good_is_0_54(A, B, marks, shuffles, values):
    holds("A list without a hit scores 0, and a list that begins with all five judgments scores 1.")
    assert average_precision([0, 0, 0], n_relevant=5) == 0 and average_precision([1] * 5 + [0], n_relevant=5) == 1
    holds("Only the places of the four judgments matter, and there are 210 ways to choose them")
    assert len({tuple(one) for one in shuffles}) == math.comb(10, 4) == 210 and all(one.sum() == 4 for one in shuffles)
    holds("A shuffle scores 0.423 on average.")
    assert round(values.mean(), 3) == 0.423
    holds("The order moves AP from 0.225 up to the recall, 0.8, and the missing judgment keeps it from 1.")
    assert round(values.min(), 3) == 0.225 and values.max() == 4 / 5 == recall_at_k(B, 10, n_relevant=5)
    holds("highest around 0.35", "at 1, beyond the histogram, a list with the fifth judgment on top as well")
    counts, edges = np.histogram(values, bins=23, range=(0.225, 0.8))
    assert 0.3 < edges[counts.argmax()] < 0.4 and counts.max() < 23 and marks[-1][0] == 1
    holds("B beats four shuffles out of five, and A three.")
    beaten = [(values < average_precision(rel, n_relevant=5)).mean() for rel in (B, A)]
    assert np.round(beaten, 1).tolist() == [4 / 5, 3 / 5]
    for size, ones in ((5, 1), (6, 3), (8, 2), (7, 7)):
        draws = [np.isin(range(size), chosen) for chosen in itertools.combinations(range(size), ones)]
        holds("rank $k$ holds a hit with probability $R/n$, and then $(k-1)(R-1)/(n-1)$ further hits are above it")
        for above in range(size):
            held_there = [one for one in draws if one[above]]
            assert np.isclose(len(held_there) / len(draws), ones / size)
            assert np.isclose(np.mean([one[:above].sum() for one in held_there]), above * (ones - 1) / (size - 1))
        assert np.isclose(average_precision(draws).mean(), by_formula(ones, size))
        holds("If the list contains $H$ of them, put $H$ for $R$ and multiply by the recall $H/R$.")
        missing = average_precision(draws, n_relevant=ones + 2).mean()
        assert np.isclose(missing, by_formula(ones, size) * ones / (ones + 2))
    holds("Four in ten give 0.529, and 4/5 of that is the 0.423 from above.")
    assert round(by_formula(4, 10), 3) == 0.529 and np.isclose(by_formula(4, 10) * 4 / 5, values.mean())
    holds("A random order of a whole archive of 1,000 documents, five of them relevant, scores 0.011.")
    assert round(by_formula(5, 1000), 3) == 0.011


def by_formula(ones, size):
    inverse = (1 / np.arange(1, size + 1)).sum() / size
    return (ones - 1) / (size - 1) + (size - ones) / (size - 1) * inverse


@section("lesson-average-precision-blind")
def test_what_it_cannot_see(A, B, both_second, one_lost):
    holds(
        "AP does not speak for the lawyer who needs all the judgments, nor for the one who needs any of them quickly."
    )
    assert average_precision(A, n_relevant=5) < average_precision(B, n_relevant=5)
    assert A.sum() == B.sum() and reciprocal_rank(A) > reciprocal_rank(B)
    holds("are perfect lists, although the second has the best result below a fair one")
    assert average_precision([[3, 1, 0], [1, 3, 0]]).tolist() == [1, 1] and ndcg([1, 3, 0]) < ndcg([3, 1, 0]) == 1
    holds("Three passages of one page are three hits.", "A result that is listed twice counts twice")
    assert average_precision([1, 1, 0], n_relevant=2) == 2 * average_precision([1, 0, 0], n_relevant=2) == 1
    holds("The first system finds one answer on top and misses the other, and the second has both at rank 2")
    assert np.sum(one_lost) == 1 and one_lost[0][0] == 1 and both_second == [[0, 1]] * 2
    holds("Both have a MAP of 0.5, but with the first system one person leaves with nothing.")
    assert mean_average_precision(one_lost, n_relevant=1) == mean_average_precision(both_second, n_relevant=1) == 0.5
    assert 0 in np.sum(one_lost, axis=1) and 0 not in np.sum(both_second, axis=1)


@section("The choices")
def test_the_denominators(A, B, fixed, options, own):
    holds("of whose first four results one and three are judgments", "All four divide the same sum.")
    assert (A[:4].sum(), B[:4].sum(), len(options)) == (1, 3, 4)
    table = [[round(average_precision(x[:4], 4, n_relevant=5, denominator=d), 3) for x in (A, B)] for d in options]
    holds("A: 0.2, B: 0.383", "A: 0.25, B: 0.479", "A: 1, B: 0.639")
    assert table == [[0.2, 0.383], [0.25, 0.479], [1, 0.639], [0.25, 0.479]]
    holds("with five relevant items and $k = 4$, no list reaches 1")
    full = [average_precision([1] * 4, 4, n_relevant=5, denominator=label) for label in ("relevant", "min")]
    assert full == [4 / 5, 1]
    holds("the first four results of A score 1, with one hit on top and four judgments missing")
    assert A[:4].tolist() == [1, 0, 0, 0] and table[2][0] == 1 and 5 - A[:4].sum() == 4
    holds("three of the four denominators call that single result perfect, and if you fix $k$, only")
    assert [label for label, value in zip(options, own, strict=True) if value == 1] == ["min", "hits", "k"]
    assert [label for label, value in zip(options, fixed, strict=True) if value == 1] == ["hits"]
    rises = dict.fromkeys(options, False)
    for bits in itertools.product([0, 1], repeat=6):
        for label in options:
            by_k = [average_precision(bits, k, n_relevant=sum(bits) + 1, denominator=label) for k in range(1, 7)]
            rises[label] |= bool((np.diff(by_k) < -1e-12).any())
    holds("returning less never raises AP")
    assert rises == {"relevant": False, "min": True, "hits": True, "k": True}
    pair = [[1, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0, 0]]
    lab = [average_precision(pair, n_relevant=3, denominator=label) for label in options]
    holds("list B has one document and nothing else, and wins under", "change the denominator, and A wins")
    assert [label for label, (of_a, of_b) in zip(options, lab, strict=True) if of_b > of_a] == ["hits"]
    assert [label for label, (of_a, of_b) in zip(options, lab, strict=True) if of_a > of_b] == ["relevant", "min", "k"]


@section("The choices")
def test_nothing_relevant_ties_and_unjudged(options):
    three = [[1, 0], [0, 1], [0, 0]]
    holds("queries with an AP of 1, of 1/2, and one that has nothing to find")
    assert average_precision(three)[:2].tolist() == [1, 1 / 2] and np.isnan(average_precision([0, 0]))
    means = [mean_average_precision(three, undefined=policy) for policy in ("skip", 0, 1)]
    assert np.allclose(means, [3 / 4, 1 / 2, 5 / 6])
    holds("a query that has nothing to find makes the mean")
    assert np.isnan(mean_average_precision(three)) and len(options) == 4
    holds("1 or 1/2", "tied results are one step")
    tied = [average_precision(rank_by_score(labels, [7, 7])) for labels in ([1, 0], [0, 1])]
    assert tied == [1, 1 / 2]
    assert [average_precision_score(labels, [7, 7]) for labels in ([1, 0], [0, 1])] == [1 / 2, 1 / 2]
    holds("the last two a hit, an unjudged result and a second hit")
    rel, judged = np.array([1, 0, 1]), np.array([True, False, True])
    assert np.isclose(average_precision(rel), 5 / 6) and average_precision(rel[judged]) == 1


@section("On real data")
def test_the_lists(R, again, below, gone, hits, lists, mean_ap, order, page, returned, run, search):
    holds("with all 31 questions that were judged, the 100 passages that the engine returned for each")
    assert (returned["query"] == np.arange(1, 32)[:, None]).all() and returned.shape == (31, 100)
    assert np.unique(search["query"]).tolist() == list(range(1, 32)) and (np.diff(returned["score"], axis=1) <= 0).all()
    holds("the judges' grades from 0 to 3", "unjudged passages have grade -1 here and count as misses")
    assert np.unique(search["grade"]).tolist() == [-1, 0, 1, 2, 3] and not run[returned["grade"] == -1].any()
    assert (search["grade"][np.isnan(search["score"])] >= 0).all()
    holds("Many passages come from one page.")
    assert np.mean(again) > 0.6
    holds("to put the first passage of each page on top and the repeats below, or to leave the repeats out")
    tidied = np.take_along_axis(page, order, axis=1)
    for before, after, flags, marks_of, short in zip(page, tidied, again, run, gone, strict=True):
        new = ~np.array(flags)
        assert after[: new.sum()].tolist() == before[new].tolist() and new.sum() == len(np.unique(before))
        assert short.tolist() == [*marks_of[new].tolist(), *[False] * (100 - new.sum())]
    holds("counts the relevant passages of each question, returned or not")
    assert all(R[q - 1] == (search["grade"][search["query"] == q] >= 2).sum() for q in range(1, 32))
    assert R.sum() > run.sum()
    holds("For three questions no passage is relevant, and they are left out.")
    assert (R == 0).sum() == 3
    assert np.isclose(mean_ap(run), mean_average_precision(run, n_relevant=R, undefined="skip"))
    holds("look no worse than the run", "By all relevant passages, they lose more than half.")
    by_all, by_hits = ([mean_ap(x, **how) for x in lists.values()] for how in ({}, hits))
    assert np.round([by_all, by_hits], 3).tolist() == [[0.244, 0.208, 0.109], [0.524, 0.448, 0.541]]
    assert by_hits[2] > by_hits[0] and by_all[2] < by_all[0] / 2
    holds("(from 0.034 behind to 0.068 ahead), although 498 of the 810 relevant passages are gone")
    of_hits = [average_precision(x[R > 0], n_relevant=R[R > 0], **hits) for x in (gone, run)]
    assert np.round(paired_difference(*of_hits, rng=0)[:3], 3).tolist() == [0.017, -0.034, 0.068]
    assert run.sum() == 810 and run.sum() - gone.sum() == 498 and below.sum() == 810


@section("On real data")
def test_shuffle_and_best_order(H, R, ap, recall, run, shuffled, tidy):
    some = run[R > 0]
    holds("and with their best order, whose AP is the recall")
    best = average_precision(np.sort(some, axis=1)[:, ::-1], n_relevant=R[R > 0])
    assert np.allclose(best, recall)
    chance = (recall * shuffled(H)).mean()
    holds("A shuffle scores 0.147 and the best order 0.465", "How good is a MAP of 0.244?")
    assert (round(chance, 3), round(recall.mean(), 3), round(ap.mean(), 3)) == (0.147, 0.465, 0.244)
    rng = np.random.default_rng(0)
    drawn = [average_precision(rng.permuted(some, axis=1), n_relevant=R[R > 0]).mean() for _ in range(200)]
    assert abs(np.mean(drawn) - chance) < 0.001
    holds("is 30% of the way from the one to the other", "With the repeats below, it is 19%.")
    way = [(x.mean() - chance) / (recall.mean() - chance) for x in (ap, tidy)]
    assert np.round(way, 2).tolist() == [0.30, 0.19]


@section("On real data")
def test_the_questions(R, ap, by_difference, change, tidy, x):
    difference = tidy - ap
    holds("AP of 28 questions", "22 questions lose and five gain.", "Twenty-eight vertical lines")
    assert len(x) == 28 and [(difference < 0).sum(), (difference > 0).sum(), (difference == 0).sum()] == [22, 5, 1]
    holds("costs 0.036 (95% interval 0.017 to 0.055)", "mean change -0.036, -0.055 to -0.017", "and its 95% interval")
    assert change == paired_difference(tidy, ap, confidence_level=0.95)[:3]
    assert np.round(change, 3).tolist() == [-0.036, -0.055, -0.017]
    holds("the first falls from 0.53 to 0.33")
    assert (round(ap[by_difference[0]], 2), round(tidy[by_difference[0]], 2)) == (0.53, 0.33)
    holds("one has no length, and on the last five, marked")
    assert np.sort(difference)[22] == 0 and 0 < np.sort(difference)[23] < difference.max() < 0.05
    holds("question 4, five relevant passages")
    assert np.flatnonzero(R > 0)[by_difference[0]] + 1 == 4 and R[3] == 5
    holds("Question 4 alone accounts for a fifth of the loss, because with only five relevant passages each rank")
    assert round(difference.min() / difference.sum(), 1) == 1 / 5 and np.median(R[R > 0]) > 50
    holds("Without it the loss is 0.029 (0.015 to 0.044)")
    others = np.arange(28) != difference.argmin()
    assert np.round(paired_difference(ap[others], tidy[others])[:3], 3).tolist() == [0.029, 0.015, 0.044]


@section("On real data")
def test_what_else_could_be_meant(R, below, order, returned, run, search):
    known = returned["grade"] >= 0
    moved = np.take_along_axis(known, order, axis=1)
    holds("Unjudged passages rise from 10% of the first ten to 15%.")
    assert [round(100 * (~x[:, :10]).mean()) for x in (known, moved)] == [10, 15]
    holds("the loss is 0.018, and its interval just includes 0 (from a loss of 0.037 to a gain of 0.0002)")
    seen = [(run, known), (below, moved)]
    of_known = [[average_precision(rel[q][kept[q]], n_relevant=R[q]) for q in np.flatnonzero(R)] for rel, kept in seen]
    with pytest.warns(UserWarning, match="0 lies within the interval"):
        fall = paired_difference(*of_known, rng=0)
    assert np.round(fall[:3], 4).tolist() == [0.0182, -0.0002, 0.0366]
    falls = {}
    for bar in (1, 3):
        wanted = np.bincount(search["query"], search["grade"] >= bar)[1:]
        raised = returned["grade"] >= bar
        pair = [x[wanted > 0] for x in (raised, np.take_along_axis(raised, order, axis=1))]
        values = [average_precision(x, n_relevant=wanted[wanted > 0]) for x in pair]
        if bar == 1:
            falls[bar] = paired_difference(*values, rng=0)
        else:
            with pytest.warns(UserWarning, match="0 lies within the interval"):
                falls[bar] = paired_difference(*values, rng=0)
            assert len(values[0]) == 20
    holds("give similar losses, 0.039 (0.018 to 0.060) for a bar of 1")
    assert np.round(falls[1][:3], 3).tolist() == [0.039, 0.018, 0.060]
    holds("0.030 for a bar of 3, where 20 questions are left and the interval again just includes 0")
    assert round(falls[3].value, 3) == 0.030 and -0.001 < falls[3].low < 0
    holds("because the change helps in none of these variants")
    assert all(one.value > 0 and one.low > -0.001 for one in (fall, *falls.values()))


@section("lesson-average-precision-try")
def test_try_it(again, below, found, gains, moved, n, run, small):
    eight = [0] * 7 + [1, 0, 1]
    of_moves = []
    for start in (8, 10):
        up = eight.copy()
        up[start - 2], up[start - 1] = 1, 0
        of_moves.append((average_precision(up) - average_precision(eight)) * 2)
    holds("A list has hits at ranks 8 and 10", "No, the lower one gains more.")
    assert (np.flatnonzero(eight) + 1).tolist() == list(gains) == [8, 10]
    assert np.allclose(of_moves, list(gains.values())) and of_moves[0] < of_moves[1]
    holds("adds 0.022 and the move from rank 8 adds 0.018, because the precision at the lower hit counts two hits")
    assert np.round(of_moves, 3).tolist() == [0.018, 0.022] and sum(eight) == 2
    holds("its precision rises from $h/k$ to $h/(k-1)$, which adds $h/(k(k-1))$ to the sum")
    for bits in small:
        for k in np.flatnonzero(bits)[1:] + 1:
            if not bits[k - 2]:
                up = bits.copy()
                up[k - 2], up[k - 1] = 1, 0
                gain = (average_precision(up) - average_precision(bits)) * bits.sum()
                assert np.isclose(gain, bits[:k].sum() / (k * (k - 1)))
    holds("The one with the repeats below wins, with a MAP of 0.322 against 0.195.")
    of_pages = [mean_average_precision(x, n_relevant=n, undefined="skip") for x in (moved, found)]
    assert np.round(of_pages, 3).tolist() == [0.322, 0.195]
    holds("because by this count each repeat is a miss, and moving misses down never lowers AP")
    assert not (found & np.array(again)).any()
    asked = np.array(n) > 0
    each = [average_precision(x[asked], n_relevant=np.array(n)[asked]) for x in (moved, found)]
    assert (each[0] >= each[1]).all() and below.sum() == run.sum()
    for bits in small:
        for miss in np.flatnonzero(bits == 0):
            down = [*np.delete(bits, miss), 0]
            assert average_precision(down) >= average_precision(bits) - 1e-12


@section("lesson-average-precision")
def test_unchecked_the_opening():
    unchecked("Most lawyers of this firm look for the one judgment", "the story")


@section("lesson-average-precision-hand")
def test_unchecked_by_hand():
    unchecked("because behind each query is a person who asked", "the reason for a convention")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("If people open pages, count pages", "who reads is the reader's to say")
