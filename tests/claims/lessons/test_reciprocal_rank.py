"""What book/lessons/reciprocal-rank.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import average_precision, mean_reciprocal_rank, ndcg, precision_at_k, rank_by_score, reciprocal_rank
from metrics_lib.uncertainty import wilson_interval
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-reciprocal-rank")
def test_the_opening(A, B, axes):
    holds("Bot A has the answer in second or third place each time.")
    assert set(A) == {2, 3}
    holds("on top four times, once in fourth place, and once it does not have it at all")
    assert [list(B).count(rank) for rank in (1, 4, np.inf)] == [4, 1, 1]
    holds("Two panels of six columns, ranks 1 to 5 downwards.")
    assert len(axes) == 2 and len(axes[0].texts) == len(axes[1].texts) == 6 and axes[0].get_ylim() == (5, 0)
    holds("Bot A has its blue cells at ranks 2, 3, 2, 2, 3, 3")
    assert A.tolist() == [2, 3, 2, 2, 3, 3]
    holds("blue cells marked 1 at rank 1 in columns 1, 2, 4 and 6, one at rank 4 marked 1/4 in column 3")
    assert (np.flatnonzero(B == 1) + 1).tolist() == [1, 2, 4, 6] and B[3 - 1] == 4
    holds("column 5 is grey to the bottom and marked 0")
    assert B[5 - 1] == np.inf and 1 / B[5 - 1] == 0 and axes[1].texts[4].get_text() == "0"
    holds("A's is 2.5; B's is infinite, or 1.6 if its failure is left out.")
    assert (A.mean(), B.mean(), B[B <= 5].mean()) == (2.5, np.inf, 1.6)
    holds("Its mean is 0.417 for A and 0.708 for B, which wins on its four first places.")
    assert [round((1 / ranks).mean(), 3) for ranks in (A, B)] == [0.417, 0.708]
    assert (1 / np.where(B == 1, 2, B)).mean() < (1 / A).mean()
    assert (B == 1).sum() == 4
    holds("ship A, which has an answer each time")
    assert (A <= 5).all() and not (B <= 5).all()


@section("In one line")
def test_in_one_line():
    holds("`mean_reciprocal_rank([[1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]])` is 0.444, the mean of 1, 1/3 and 0.")
    three = [[1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert reciprocal_rank(three).tolist() == [1, 1 / 3, 0] and round(mean_reciprocal_rank(three), 3) == 0.444


@section("By hand")
def test_by_hand(lists, ranks, rr):
    holds("(1 + 1/3 + 0) / 3 = 4/9")
    assert (1 + Fraction(1, 3) + 0) / 3 == Fraction(4, 9) and math.isclose(mean_reciprocal_rank(lists), 4 / 9)
    holds("Add, and divide by all three")
    assert len(lists) == 3
    assert [round(rr(rel), 3) for rel in lists] == [1, 0.333, 0] and [rel.index(1) + 1 for rel in lists[:2]] == [1, 3]
    holds("The second 1 of the first list changes nothing.")
    assert reciprocal_rank([1, 0, 0, 1]) == reciprocal_rank([1, 0, 0, 0])
    holds("RR is also the precision of the list down to its first hit: one hit in so many results.")
    for flags in itertools.product([0, 1], repeat=7):
        if any(flags):
            assert precision_at_k(flags, flags.index(1) + 1) == reciprocal_rank(flags)
    proved("half of the readers give up after the first, a third of the others after the second")
    assert [1 - Fraction(seen, seen + 1) for seen in (1, 2)] == [Fraction(1, 2), Fraction(1, 3)]
    holds("So RR is the share of these readers who get to see the answer.")
    for last in range(1, 50):
        arrive = math.prod((Fraction(i, i + 1) for i in range(1, last)), start=Fraction(1))
        assert arrive == Fraction(1, last) and math.isclose(arrive, reciprocal_rank([0] * (last - 1) + [1]))
    holds("One over the MRR is the harmonic mean of the ranks, which is pulled towards the small ones: here 1.82")
    assert round(2 / sum(1 / one for one in ranks), 2) == 1.82
    for some in itertools.combinations_with_replacement(range(1, 12), 3):
        harmonic = 3 / sum(Fraction(1, one) for one in some)
        assert harmonic <= Fraction(sum(some), 3) and (harmonic < Fraction(sum(some), 3)) == (len(set(some)) > 1)
    holds("an MRR of 0.5 does not say")
    assert math.isclose(sum(1 / one for one in (1, 3, 6)) / 3, 0.5) and sum((1, 3, 6)) / 3 > 2
    holds(
        "Answers at ranks 1 and 10 have an MRR of (1 + 1/10) / 2 = 0.55.",
        "The mean rank is 5.5, and one over it 0.182.",
    )
    assert math.isclose(sum(1 / one for one in ranks) / 2, 0.55)
    assert sum(ranks) / 2 == 5.5 and round(1 / 5.5, 3) == 0.182


@section("lesson-reciprocal-rank-weight")
def test_how_good_is_0_5(chance, places):
    holds("Perfect is 1, the answer on top; worst is 0, no answer.")
    values = reciprocal_rank(list(itertools.product([0, 1], repeat=6)))
    assert values.max() == reciprocal_rank([1, 0, 0, 0, 0, 0]) == 1 and values.min() == reciprocal_rank([0] * 6) == 0
    proved("The step from rank 1 to rank 2 costs as much as all the steps after it.")
    assert 1 - Fraction(1, 2) == Fraction(1, 2) - 0 and all(1 / 2 - 1 / n < 1 - 1 / 2 for n in range(3, 1000))
    holds("(1 + 1/2 + ... + 1/10) / 10 = 0.293")
    assert math.isclose(chance, sum(1 / r for r in range(1, 11)) / 10) and round(chance, 3) == 0.293
    holds("chance, for one answer among ten results")
    assert np.eye(10).sum(axis=1).tolist() == [1] * 10
    proved("from 1 at rank 1 through 0.5, 0.33 and 0.25 to 0.1 at rank 10")
    assert [round(1 / r, 2) for r in (1, 2, 3, 4, 10)] == [1, 0.5, 0.33, 0.25, 0.1]
    holds("A dotted curve falls more gently, from 1 to 0.29 at rank 10.")
    assert round(1 / math.log2(11), 2) == 0.29 and (1 / np.log2(places[1:] + 1) > 1 / places[1:]).all()
    holds("the milder weight that NDCG gives to a rank")
    assert math.isclose(ndcg([0, 0, 1], judged=[1, 0, 0]), 1 / math.log2(4))
    holds(
        "from rank 2 to rank 1 gains 0.5, one from rank 20 to rank 10 gains 0.05",
        "is better than chance there; among three results chance is 0.611",
    )
    of_three = mean_reciprocal_rank(np.eye(3, dtype=int))
    assert len(np.eye(3)) == 3 and round(of_three, 3) == 0.611 > 0.5
    holds("Where one result is right in all, average precision is the same number, and NDCG the dotted curve.")
    for depth, alone in enumerate(np.eye(10, dtype=int), 1):
        assert math.isclose(average_precision(alone), reciprocal_rank(alone))
        assert math.isclose(ndcg(alone), 1 / math.log2(depth + 1))
    assert reciprocal_rank([0, 1]) == 0.5 > chance and 1 / 1 - 1 / 2 == 0.5 and math.isclose(1 / 10 - 1 / 20, 0.05)


@section("lesson-reciprocal-rank-blind")
def test_what_it_cannot_see(second, top_or_nothing):
    holds("Reorder what stands below it, or change a grade there: RR stays, whatever the other metrics do.")
    for tail in itertools.product(range(4), repeat=4):
        assert reciprocal_rank([0, 2, *tail]) == 0.5 and reciprocal_rank([3, *tail]) == 1
    for metric in (average_precision, ndcg, lambda grades: precision_at_k(grades, 3)):
        assert metric([0, 1, 3, 2]) > metric([0, 1, 0, 0, 2, 3])
    proved("The two lists of the lab differ in all that follows the first hit.")
    start = [0, 1, 3, 2], [0, 1, 0, 0]
    assert len(start) == 2 and all(a != b for a, b in zip(start[0][2:], start[1][2:], strict=True))
    holds("One bot is on top or has nothing; another is second each time.")
    assert {tuple(rel) for rel in top_or_nothing} == {(1, 0, 0), (0, 0, 0)} and second == [[0, 1, 0]] * 6
    holds("Half of the first bot's customers get no answer, all of the second's do, and both have 0.5.")
    assert mean_reciprocal_rank(top_or_nothing) == mean_reciprocal_rank(second) == 0.5
    assert [np.mean(np.any(bot, axis=1)) for bot in (top_or_nothing, second)] == [0.5, 1]


@section("lesson-reciprocal-rank-no-answer")
def test_the_choices(lists, tied):
    holds("which of the first two rows a report takes")
    dropped = mean_reciprocal_rank([rel for rel in lists if 1 in rel])
    assert [round(value, 3) for value in (mean_reciprocal_rank(lists), dropped)] == [0.444, 0.667]
    assert round(mean_reciprocal_rank(lists, k=2), 3) == 0.333
    assert reciprocal_rank([1, 0, 1]) == 1 and round(reciprocal_rank([0, 0, 1]), 3) == 0.333
    holds("both orders, averaged by hand")
    assert len(tied) == 2
    assert (1 + 0.5) / 2 == 0.75 == mean_reciprocal_rank([rank_by_score(rel, [7, 7]) for rel in tied])
    proved("since leaving out failures rewards them")
    for first in itertools.product([1, 2, 3, np.inf], repeat=3):
        found = [1 / place for place in first if place < np.inf]
        if 0 < len(found) < 3:
            assert np.mean(found) > np.mean([1 / place for place in first])
    holds("A cut at k takes at most 1/(k + 1) from a query")
    for cut, above in itertools.product(range(1, 12), range(40)):
        one = [0] * above + [1]
        assert reciprocal_rank(one) - reciprocal_rank(one, cut) <= 1 / (cut + 1)


@section("On real data")
def test_on_real_data(answerable, axes, best, of_each, right, run, search, speaks):
    holds("answered 31 questions of a conference on search (TREC 2024) with 100 passages each")
    assert np.array_equal(run["query"], np.repeat(np.arange(1, 32), 100))
    holds("judges graded passages from 0 to 3")
    assert set(search["grade"]) == {-1, 0, 1, 2, 3}
    holds("has 7,265 rows, since 4,165 passages were judged and not returned")
    assert len(search) == 7265 and (search["grade"][np.isnan(search["score"])] >= 0).sum() == 4165 == 7265 - len(run)
    holds("There are three kinds of questions")
    a = np.isin(range(31), answerable)
    kinds = [of_each > 0, a & (of_each == 0), ~a]
    assert len(kinds) == 3 and [int(kind.sum()) for kind in kinds] == [19, 1, 11] and (sum(kinds) == 1).all()
    assert [round(of_each[of].mean(), 3) for of in (of_each > 0, a, of_each >= 0)] == [0.587, 0.557, 0.36]
    holds("as far as was judged, no engine could have done better on the last 11")
    assert all(search["grade"][search["query"] == q + 1].max() < 3 for q in np.flatnonzero(~a))
    holds("the MRR rises from 0.587 to 0.906")
    assert [round(of_each[of].mean(), 3) for of in (of_each > 0, speaks & (of_each > 0))] == [0.587, 0.906]
    holds("The 0.906 comes from dropping questions, not from better answers.")
    assert (of_each * speaks <= of_each).all() and (speaks & (of_each > 0)).sum() == 8 < 19
    holds("With the silent ones as 0, the MRR of the 20 falls from 0.557 to 0.3625.")
    assert math.isclose((of_each * speaks)[a].mean(), 0.3625) and round(of_each[a].mean(), 3) == 0.557 and a.sum() == 20
    holds("neither number decides, since to RR a silence and a wrong answer are both a 0")
    assert reciprocal_rank([0, 0, 0]) == 0 == min(of_each)
    holds("without silence 9 of 31 passages read out are of grade 3, with it 7 of 14")
    assert (best[:, 0].sum(), best[speaks, 0].sum(), speaks.sum()) == (9, 7, 14)
    holds("report 7 right, 7 wrong and 17 silent")
    assert (best[speaks, 0].sum(), (~best[speaks, 0]).sum(), (~speaks).sum()) == (7, 7, 17)
    holds("Silence drops 2 right ones and 15 others, two of these unjudged")
    top = run["grade"].reshape(31, 100)[~speaks, 0]
    assert ((top == 3).sum(), (top < 3).sum(), (top < 0).sum()) == (2, 15, 2)
    pays_up_to = [(1 - share) / share for share in right]
    holds("unless a right answer is worth more than 7.5 wrong ones avoided, at the interval's ends 29 or 1.9")
    assert [round(times, 1) for times in pays_up_to] == [7.5, 29.4, 1.9] and round(pays_up_to[1]) == 29
    holds("it is worth no more than one, ship the silence")
    assert min(pays_up_to) > 1
    if_unjudged_are_right = wilson_interval(2 + 2, 17)
    assert (1 - if_unjudged_are_right.high) / if_unjudged_are_right.high > 1
    holds("If it is worth five, 31 questions do not decide")
    assert min(pays_up_to) < 5 < max(pays_up_to)
    for times in (1, 5, 7, 7.4, 7.6, 10):
        assert (2 * times < 15) == (times <= pays_up_to[0])
    assert right == wilson_interval(2, 17)
    holds("The 31 questions.")
    assert sum(len(ax.texts) - 1 for ax in axes) == 31
    holds("Silence, the striped part, takes away two of the nine answers on top.")
    assert best[~speaks, 0].sum() == 2 and best[:, 0].sum() == 9
    holds("Bars of the reciprocal rank of 31 questions in two rows.")
    assert len(axes) == len(set(speaks)) == 2
    holds("In the row of 14 that is read out, seven bars have rank 1, one has rank 4, one is marked x and five a dash.")
    shown, hidden = ([text.get_text() for text in ax.texts[:-1]] for ax in axes)
    assert shown == ["1"] * 7 + ["4", "x"] + ["\u2013"] * 5
    holds("In the striped row of 17 two have rank 1, then come ranks 2, 2, 3, 6, 7, 7, 17, 25 and 99 and six dashes.")
    assert hidden == ["1", "1", "2", "2", "3", "6", "7", "7", "17", "25", "99"] + ["\u2013"] * 6


@section("Try it")
def test_try_it(before, behind, half):
    every = itertools.combinations_with_replacement(range(1, 50), 3)
    sets = [ranks for ranks in every if sum(Fraction(1, one) for one in ranks) == half]
    assert sets == [(1, 3, 6), (1, 4, 4), (2, 2, 2)]
    holds("The ranks of the answers to 3 questions have an MRR of exactly 0.5.")
    assert all(math.isclose(sum(1 / one for one in ranks) / 3, 0.5) for ranks in sets)
    holds("The reciprocals have to add up to 3/2.")
    assert Fraction(3) * Fraction(1, 2) == half
    holds("The best rank is 1 or 2, as 3 times 1/3 is too little.")
    assert {min(ranks) for ranks in sets} == {1, 2} and 3 * Fraction(1, 3) == 1 < half
    holds("Mean ranks of 2, 3 and 3.33, and the same MRR.")
    assert sorted(round(sum(ranks) / 3, 2) for ranks in sets) == [2, 3, 3.33]
    holds("A cut at 10 takes away 1/11 or less from a question")
    for above in range(100):
        one = [0] * above + [1]
        assert reciprocal_rank(one) - reciprocal_rank(one, 10) <= 1 / 11
    holds("Let one system be just behind the cut twice, and the other just before it once.")
    assert reciprocal_rank(behind, 10).tolist() == [0, 0] and reciprocal_rank(before, 10).tolist() == [0.1, 0]
    holds("Without the cut the first wins, 0.091 to 0.05, with it the second, 0.05 to 0.")
    assert [round(mean_reciprocal_rank(one), 3) for one in (behind, before)] == [0.091, 0.05]
    assert [mean_reciprocal_rank(one, 10) for one in (behind, before)] == [0, 0.05]


@section("Further")
def test_further():
    holds("work three users and arrive at 0.61")
    users = [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert len(users) == 3 and round(mean_reciprocal_rank(users), 2) == 0.61
    holds("with five answers a question and 0 where none is right")
    assert reciprocal_rank([0] * 5) == 0
    holds("A mean over answered questions rises when answers are dropped")
    assert mean_reciprocal_rank([[1, 0], [0, 1]]) < mean_reciprocal_rank([[1, 0]])


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("as in an assistant that should be trusted", "what an error costs is the reader's")
