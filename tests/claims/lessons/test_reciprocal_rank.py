"""What book/lessons/reciprocal-rank.ipynb says, held."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
from sklearn.metrics import label_ranking_average_precision_score

from metrics_lib import average_precision, mean_reciprocal_rank, ndcg, precision_at_k, rank_by_score, reciprocal_rank
from metrics_lib.uncertainty import delong_interval, paired_difference, queries_needed, wilson_interval
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-reciprocal-rank")
def test_the_opening(A, B, axes):
    holds("Bot A has the answer in second or third place each time.")
    assert set(A) == {2, 3}
    holds("Bot B has it first four times and fourth once, and once it does not have it at all.")
    assert [list(B).count(rank) for rank in (1, 4, np.inf)] == [4, 1, 1]
    holds("Two panels of six columns, with ranks 1 to 5 running downwards.", "Each bot lists five results")
    assert len(axes) == 2 and len(axes[0].texts) == len(axes[1].texts) == 6 and axes[0].get_ylim() == (5, 0)
    holds("Bot A has its blue cells at ranks 2, 3, 2, 2, 3, 3")
    assert A.tolist() == [2, 3, 2, 2, 3, 3]
    holds("blue cells marked 1 at rank 1 in columns 1, 2, 4 and 6, and one marked 1/4 at rank 4 in column 3")
    assert (np.flatnonzero(B == 1) + 1).tolist() == [1, 2, 4, 6] and B[3 - 1] == 4
    holds("column 5 is grey to the bottom and marked 0")
    assert B[5 - 1] == np.inf and 1 / B[5 - 1] == 0 and axes[1].texts[4].get_text() == "0"
    holds("A's is 2.5, but B has none, because a missing answer has no rank.")
    assert A.mean() == 2.5 and not np.isfinite(B.mean())
    holds("its mean is 0.417 for A and 0.708 for B, which wins by its four first places")
    assert [round((1 / ranks).mean(), 3) for ranks in (A, B)] == [0.417, 0.708]
    assert (1 / np.where(B == 1, 2, B)).mean() < (1 / A).mean() and (B == 1).sum() == 4
    holds("A makes them read 15 results, while B makes them read 13 and causes one call")
    assert [np.minimum(ranks, 5).sum() for ranks in (A, B)] == [15, 13] and np.isinf(B).sum() == 1
    holds("Then ship A, unless a call costs less than reading two results.")
    assert np.minimum(A, 5).sum() - np.minimum(B, 5).sum() == 2 and np.isfinite(A).all()
    holds("Customers who give up quickly never see many of A's answers, so for them ship B.")
    for stops_after in (1, 2):  # the share of the questions that such customers see answered
        assert [(ranks <= stops_after).mean() for ranks in (A, B)][1] > (stops_after >= A).mean()
    holds("readers who are so impatient that B answers 425 of 600, and A only 250")
    assert [round(100 * (1 / ranks).sum()) for ranks in (B, A)] == [425, 250]


@section("In one line")
def test_in_one_line():
    holds("`mean_reciprocal_rank([[1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]])` is 0.444, the mean of 1, 1/3 and 0.")
    three = [[1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert reciprocal_rank(three).tolist() == [1, 1 / 3, 0] and round(mean_reciprocal_rank(three), 3) == 0.444


@section("By hand")
def test_by_hand(A, B, lists, ranks, rr):
    holds("(1 + 1/3 + 0)/3 = 4/9")
    assert (1 + Fraction(1, 3) + 0) / 3 == Fraction(4, 9) and math.isclose(mean_reciprocal_rank(lists), 4 / 9)
    holds("Add them up and divide by three, the failure included", "Here are three lists")
    assert len(lists) == 3 and not any(lists[2])
    assert [round(rr(rel), 3) for rel in lists] == [1, 0.333, 0] and [rel.index(1) + 1 for rel in lists[:2]] == [1, 3]
    holds("The second 1 of the first list changes nothing.")
    assert reciprocal_rank([1, 0, 0, 1]) == reciprocal_rank([1, 0, 0, 0])
    holds("the precision of the list down to its first hit, which is one hit in so many results")
    for flags in itertools.product([0, 1], repeat=7):
        if any(flags):
            assert precision_at_k(flags, flags.index(1) + 1) == reciprocal_rank(flags)
    proved("Half of them give up after the first result, a third of the rest after the second, and so on.")
    assert [1 - Fraction(seen, seen + 1) for seen in (1, 2)] == [Fraction(1, 2), Fraction(1, 3)]
    holds("So RR is the share of these readers who get to see the answer.")
    for last in range(1, 50):
        arrive = math.prod((Fraction(i, i + 1) for i in range(1, last)), start=Fraction(1))
        assert arrive == Fraction(1, last) and math.isclose(arrive, reciprocal_rank([0] * (last - 1) + [1]))
    holds(
        "With 100 of them for each of the six questions, the answers of A reach 250 of 600, and those of B reach 425."
    )
    assert [round(sum(100 / one for one in of)) for of in (A, B)] == [250, 425] and len(A) * 100 == 600
    holds("Suppose that two answers are at ranks 1 and 10.", "is only 0.182")
    assert ranks.tolist() == [1, 10] and round(1 / ranks.mean(), 3) == 0.182
    holds("The MRR is 0.55, while one over the mean rank of 5.5")
    assert math.isclose((1 / ranks).mean(), 0.55) and ranks.mean() == 5.5
    holds('because an MRR of 0.5 does not mean "in second place on average"')
    assert math.isclose(mean_reciprocal_rank(np.eye(6)[[0, 2, 5]]), 0.5) and np.mean([1, 3, 6]) > 2
    holds("the harmonic mean of the ranks, which is pulled towards the small ones; here it is 1.82")
    assert round(1 / (1 / ranks).mean(), 2) == 1.82
    for some in itertools.combinations_with_replacement(range(1, 12), 3):
        harmonic = 3 / sum(Fraction(1, one) for one in some)
        assert harmonic <= Fraction(sum(some), 3) and (harmonic < Fraction(sum(some), 3)) == (len(set(some)) > 1)


@section("lesson-reciprocal-rank-weight")
def test_how_good_is_0_5(chance, places):
    holds("An answer at rank 1 scores 1, and a list without an answer scores 0.")
    values = reciprocal_rank(list(itertools.product([0, 1], repeat=6)))
    assert values.max() == reciprocal_rank([1, 0, 0, 0, 0, 0]) == 1 and values.min() == reciprocal_rank([0] * 6) == 0
    proved("The step from rank 1 to rank 2 costs as much as all the steps after it together.")
    assert 1 - Fraction(1, 2) == Fraction(1, 2) - 0 and all(1 / 2 - 1 / n < 1 - 1 / 2 for n in range(3, 1000))
    holds("the mean RR is (1 + 1/2 + ... + 1/10)/10 = 0.293", "the mean over all places of one answer among ten")
    assert math.isclose(chance, sum(1 / r for r in range(1, 11)) / 10) and round(chance, 3) == 0.293
    proved("from 1 at rank 1 through 0.5, 0.33 and 0.25 to 0.1 at rank 10")
    assert [round(1 / r, 2) for r in (1, 2, 3, 4, 10)] == [1, 0.5, 0.33, 0.25, 0.1]
    holds("falls more gently, from 1 to 0.29 at rank 10")
    assert round(1 / math.log2(11), 2) == 0.29 and (1 / np.log2(places[1:] + 1) > 1 / places[1:]).all()
    holds("the milder weight of NDCG")
    assert math.isclose(ndcg([0, 0, 1], judged=[1, 0, 0]), 1 / math.log2(4))
    holds("With three results it is 0.611, so 0.5 is good for a list of ten and poor for a list of three.")
    assert round(mean_reciprocal_rank(np.eye(3, dtype=int)), 3) == 0.611 > 0.5 > chance
    holds("an engine that picked ten pages of the web at random would score close to 0")
    assert mean_reciprocal_rank(np.eye(100_000, 10, dtype=int)) < 0.0001
    holds("from rank 2 to rank 1 gains 0.5, but one that moves from rank 20 to rank 10 gains only 0.05")
    of_rank = [reciprocal_rank(row) for row in np.eye(20, dtype=int)]
    assert of_rank[0] - of_rank[1] == 0.5 and math.isclose(of_rank[9] - of_rank[19], 0.05)
    holds("average precision is the same number as RR", "follows the dotted curve, whichever gain it uses")
    for depth, alone in enumerate(np.eye(10, dtype=int), 1):
        assert math.isclose(average_precision(alone), reciprocal_rank(alone))
        for grade, gain in itertools.product((1, 2, 3), ("linear", "exponential")):
            assert math.isclose(ndcg(grade * alone, gain=gain), 1 / math.log2(depth + 1))


@section("lesson-reciprocal-rank-blind")
def test_what_it_cannot_see(second, top_or_nothing):
    holds("Reorder them there, or change a grade, and RR does not move, whatever the other metrics do.")
    for tail in itertools.product(range(4), repeat=4):
        assert reciprocal_rank([0, 2, *tail]) == 0.5 and reciprocal_rank([3, *tail]) == 1
    for metric in (average_precision, ndcg, lambda grades: precision_at_k(grades, 3)):
        assert metric([0, 1, 3, 2]) > metric([0, 1, 0, 0, 2, 3])
    proved("The two lists in the lab differ at every rank after the first hit.")
    start = [0, 1, 3, 2], [0, 1, 0, 0]
    assert len(start) == 2 and all(a != b for a, b in zip(start[0][2:], start[1][2:], strict=True))
    holds("Both score 0, so RR cannot tell you when a bot should say nothing.")
    assert reciprocal_rank([0]) == reciprocal_rank([0, 0, 0, 0, 0]) == 0
    holds("One bot has the answer on top or not at all, and another always has it second")
    assert {tuple(rel) for rel in top_or_nothing} == {(1, 0, 0), (0, 0, 0)} and second == [[0, 1, 0]] * 6
    holds("Half of the first bot's customers get no answer and all of the second's do, yet both score 0.5.")
    assert mean_reciprocal_rank(top_or_nothing) == mean_reciprocal_rank(second) == 0.5
    holds("which is 0.5 for the first bot and 1 for the second")
    assert [np.mean(np.any(bot, axis=1)) for bot in (top_or_nothing, second)] == [0.5, 1]


@section("lesson-reciprocal-rank-no-answer")
def test_the_choices(lists, tied):
    dropped = mean_reciprocal_rank([rel for rel in lists if 1 in rel])
    assert [round(value, 3) for value in (mean_reciprocal_rank(lists), dropped)] == [0.444, 0.667]
    assert round(mean_reciprocal_rank(lists, k=2), 3) == 0.333
    assert reciprocal_rank([1, 0, 1]) == 1 and round(reciprocal_rank([0, 0, 1]), 3) == 0.333
    holds("The last three rows are about a hit and a miss with the same score.", "average by hand")
    assert {tuple(sorted(rel)) for rel in tied} == {(0, 1)}
    assert (1 + 0.5) / 2 == 0.75 == mean_reciprocal_rank([rank_by_score(rel, [7, 7]) for rel in tied])
    proved("because leaving out failures rewards them")
    for first in itertools.product([1, 2, 3, np.inf], repeat=3):
        found = [1 / place for place in first if place < np.inf]
        if 0 < len(found) < 3:
            assert np.mean(found) > np.mean([1 / place for place in first])
    holds("A cut at $k$ takes at most 1/(k + 1) from a query")
    for cut, above in itertools.product(range(1, 12), range(40)):
        one = [0] * above + [1]
        assert reciprocal_rank(one) - reciprocal_rank(one, cut) <= 1 / (cut + 1)
    holds("the MRR is also what `label_ranking_average_precision_score` of scikit-learn returns")
    rng = np.random.default_rng(0)
    scores, answers = rng.random((50, 8)), rng.integers(0, 8, 50)
    ranked = [rank_by_score(row, of) for row, of in zip(np.eye(8, dtype=int)[answers], scores, strict=True)]
    of_scikit = label_ranking_average_precision_score(np.eye(8, dtype=int)[answers], scores)
    assert math.isclose(of_scikit, mean_reciprocal_rank(ranked))


@section("On real data", after="answerable = ")
def test_the_run(answerable, best, of_each, run, search):
    holds("31 questions, which are all that were judged, and the 100 passages that one engine returned for each")
    assert np.array_equal(run["query"], np.repeat(np.arange(1, 32), 100)) and set(search["query"]) == {*range(1, 32)}
    holds("Judges graded passages from 0 to 3.", "only grade 3 is good enough")
    assert set(search["grade"]) == {-1, 0, 1, 2, 3} and best.sum() == (run["grade"] == 3).sum()
    holds("There are three kinds of questions")
    kinds = [of_each > 0, answerable & (of_each == 0), ~answerable]
    assert len(kinds) == 3 and [int(kind.sum()) for kind in kinds] == [19, 1, 11] and (sum(kinds) == 1).all()
    means = [round(of_each[of].mean(), 3) for of in (of_each > 0, answerable, of_each >= 0)]
    assert [f"{mean:.3f}" for mean in means] == ["0.587", "0.557", "0.360"]
    holds("Report 0.557 (95% interval 0.36 to 0.76), and say that 11 questions were left out")
    mean, low, high = paired_difference(of_each[answerable], np.zeros(20), rng=0)[:3]
    assert np.round([mean, low, high], 3).tolist() == [0.557, 0.355, 0.759] and (~answerable).sum() == 11
    holds("because as far as anyone has judged, no engine could have scored on them")
    assert all(search["grade"][search["query"] == q + 1].max() < 3 for q in np.flatnonzero(~answerable))
    holds("A shuffle of the same hundred passages would score 0.27, and their best order 0.95.")
    rng = np.random.default_rng(0)
    shuffled = np.mean([reciprocal_rank(rng.permuted(best, axis=1))[answerable].mean() for _ in range(500)])
    assert round(shuffled, 2) == 0.27 and (of_each[answerable] > 0).mean() == 0.95


@section("On real data", after="fig, axes")
def test_the_proposal(answerable, axes, best, of_each, speaks):
    holds("the MRR rises from 0.587 to 0.906")
    assert [round(of_each[of].mean(), 3) for of in (of_each > 0, speaks & (of_each > 0))] == [0.587, 0.906]
    holds("The 0.906 comes from dropping questions, not from better answers.")
    assert (of_each * speaks <= of_each).all() and (speaks & (of_each > 0)).sum() == 8 < 19
    holds("If the silent questions count 0, the MRR of the 20 falls from 0.557 to 0.3625.")
    assert math.isclose((of_each * speaks)[answerable].mean(), 0.3625) and round(of_each[answerable].mean(), 3) == 0.557
    assert answerable.sum() == 20
    holds("It counts right passages at rank 2 and below", "gives 0 to silence and to a list without a right passage")
    assert ((of_each > 0) & ~best[:, 0]).sum() == 10 and reciprocal_rank([0, 0, 0]) == 0 == min(of_each)
    holds("The 31 questions, with the rank of the first passage of grade 3 above each bar.")
    assert sum(len(ax.texts) - 1 for ax in axes) == 31
    holds("Silence, the striped part, takes away two of the nine answers at rank 1.")
    assert best[~speaks, 0].sum() == 2 and best[:, 0].sum() == 9
    holds("Bars of the reciprocal rank of 31 questions in two rows.")
    assert len(axes) == len(set(speaks)) == 2
    holds(
        "In the upper row of 14 questions that are read out, seven bars are marked rank 1, one rank 4, one x and five"
    )
    shown, hidden = ([text.get_text() for text in ax.texts[:-1]] for ax in axes)
    assert shown == ["1"] * 7 + ["4", "x"] + ["\u2013"] * 5
    holds(
        "striped row of 17 silent questions two are marked rank 1, and then come ranks 2, 2, 3, 6, 7, 7, 17, 25 and 99"
    )
    assert hidden == ["1", "1", "2", "2", "3", "6", "7", "7", "17", "25", "99"] + ["\u2013"] * 6


def value(v, right, says):
    """What each question is worth if a right answer is worth v and a wrong one costs 1."""
    return np.where(says, np.where(right, v, -1.0), 0.0)


@section("On real data")
def test_the_decision(policies, right, run, speaks, worth):
    holds("At $v = 1$ an assistant that never speaks does as well as the proposal; at $v = 10$ reading out everything")
    totals = {v: {name: value(v, right, says).sum() for name, says in policies.items()} for v in (1, 5, 10)}
    assert totals[1]["never"] == totals[1]["at 0.9 or above"] > totals[1]["always"]
    assert max(totals[10], key=totals[10].get) == "always"
    holds("The last three columns are the value of 100 questions.")
    per_100 = [[round(100 * total / 31) for total in of.values()] for of in totals.values()]
    assert per_100 == [[-42, 0, 0], [74, 90, 0], [219, 203, 0]]
    holds("Speaking pays off if $v$ is above the number of wrong answers for each right one")
    for v, group in itertools.product(np.arange(0.05, 12, 0.1), (speaks, ~speaks)):
        assert (value(v, right, group).sum() > 0) == (v > worth(right[group])[0])
    holds("the best of the three policies if $v$ is between 1.0 and 7.5, as far as these questions can tell")
    (spoken, low, high), (silent, from_, to) = worth(right[speaks]), worth(right[~speaks])
    assert np.round([spoken, low, high, silent, from_, to], 1).tolist() == [1, 0.4, 2.7, 7.5, 1.9, 29.4]
    for v in np.arange(0.05, 12, 0.1):
        totals_at_v = {name: value(v, right, says).sum() for name, says in policies.items()}
        assert (max(totals_at_v, key=totals_at_v.get) == "at 0.9 or above") == (spoken < v < silent)
    holds("if $v$ is above 2.7, and that it beats reading out everything if $v$ is below 1.9, so there is no $v$")
    assert from_ < high
    for v in np.arange(0.5, 12, 0.25):  # nor is there one by the interval of the paired differences
        proposal = value(v, right, speaks)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ends = [paired_difference(proposal, value(v, right, s), n_resamples=99, rng=0).low for s in (True, False)]
        assert min(ends) <= 0


@section("On real data")
def test_if_a_right_answer_is_worth_five(policies, right, run, speaks, worth):
    never, always = (value(5, right, policies[name]) for name in ("never", "always"))
    proposal = value(5, right, speaks)
    holds("Five lies above the first interval, so we do not switch the assistant off.")
    assert worth(right[speaks])[2] < 5 and paired_difference(proposal, never, rng=0).low > 0
    holds("It lies within the second, so the data do not decide between the proposal and reading out everything.")
    low, high = paired_difference(proposal, always, rng=0)[1:3]
    assert worth(right[~speaks])[1] < 5 < worth(right[~speaks])[2] and low < 0 < high
    holds("The proposal is ahead by 90 to 74 (from 38 behind to 70 ahead), and we try it on more questions.")
    assert [round(100 * low), round(100 * high)] == [-38, 70]
    assert [round(100 * policy.mean()) for policy in (proposal, always)] == [90, 74]
    holds("it takes about 420 questions to show it with a probability of 80%")
    needed = queries_needed(20 / 100, np.std(proposal - always, ddof=1), power=80 / 100)
    assert round(needed, -1) == 420
    holds("In the meantime we report 7 right, 7 wrong and 17 silent instead of 0.906.")
    assert (right[speaks].sum(), (~right[speaks]).sum(), (~speaks).sum()) == (7, 7, 17)
    top = run["score"].reshape(31, 100)[:, 0]
    holds("because it puts a right first passage above a wrong one in 83% of the pairs (66% to 99%)")
    assert np.round(delong_interval(right.astype(int), top)[:3], 2).tolist() == [0.83, 0.66, 0.99]
    holds("a coin that is silent as often would leave about 4 right answers and 10 wrong ones")
    assert [round(speaks.mean() * count.sum()) for count in (right, ~right)] == [4, 10]
    holds(
        "other thresholds, 0.8, 0.85 and 0.95, give 97, 94 and 58 at $v = 5$, and choosing the best of them here would"
    )
    others = [round(100 * value(5, right, top >= cut).mean()) for cut in (0.8, 0.85, 0.95)]
    assert others == [97, 94, 58] and max(others) > 90
    holds("Two of the 15 wrong passages that silence avoids were never judged", "the upper end of 7.5 would become 3.2")
    silent = run["grade"].reshape(31, 100)[~speaks, 0]
    assert ((silent < 3).sum(), (silent == -1).sum()) == (15, 2) and round((15 - 2) / (2 + 2), 1) == 3.2
    shares = [wilson_interval(count, 17).value for count in (2, 2 + (silent == -1).sum())]
    assert [(1 - share) / share for share in shares] == [7.5, 3.25]


@section("Try it")
def test_try_it(before, behind, triples):
    holds("Three questions have an MRR of exactly 0.5.", "four sets of ranks, one of them with a missing answer")
    every = itertools.combinations_with_replacement([*range(1, 50), None], 3) if triples else []
    sums = {ranks: sum(Fraction(1, one) for one in ranks if one) for ranks in every}
    exact = [ranks for ranks, total in sums.items() if total == Fraction(3, 2)]
    assert exact == [(1, 2, None), (1, 3, 6), (1, 4, 4), (2, 2, 2)]
    for ranks in exact:
        assert math.isclose(mean_reciprocal_rank([[place == one for place in range(1, 7)] for one in ranks]), 0.5)
    holds("The reciprocals have to add up to 3/2, so the best rank is 1 or 2, because three times 1/3 is too little.")
    assert {min(r for r in ranks if r) for ranks in exact} == {1, 2} and 3 * Fraction(1, 3) == 1 < Fraction(3, 2)
    holds("In the first set one customer gets nothing; in the others the mean ranks are 3.33, 3 and 2.")
    assert [round(sum(ranks) / 3, 2) for ranks in exact[1:]] == [3.33, 3, 2]
    assert exact[0][2] is None
    holds("A cut at 10 takes at most 1/11 from a question")
    for above in range(100):
        one = [0] * above + [1]
        assert reciprocal_rank(one) - reciprocal_rank(one, 10) <= 1 / 11
    holds("Let one system have both answers just behind the cut, and let the other have one answer just before it.")
    assert reciprocal_rank(behind, 10).tolist() == [0, 0] and reciprocal_rank(before, 10).tolist() == [0.1, 0]
    holds("Without the cut the first system wins, by 0.091 to 0.050, and with it the second, by 0.050 to 0.")
    assert [round(mean_reciprocal_rank(one), 3) for one in (behind, before)] == [0.091, 0.05]
    assert [mean_reciprocal_rank(one, 10) for one in (behind, before)] == [0, 0.05]


@section("Further")
def test_further():
    holds("work through three users and arrive at 0.61")
    users = [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert round(mean_reciprocal_rank(users), 2) == 0.61
    holds("with five answers to a question and 0 if none is right")
    assert reciprocal_rank([0] * 5) == 0
    holds(
        "A mean over answered questions rises when answers are dropped",
        "so compare silence with always and never speaking",
    )
    assert mean_reciprocal_rank([[1, 0], [0, 1]]) < mean_reciprocal_rank([[1, 0]])


@section("lesson-reciprocal-rank-no-answer")
def test_unchecked_the_choices():
    unchecked("MS MARCO passage ranking (MRR@10); Elasticsearch (10 unless set)", "by their documentation")
