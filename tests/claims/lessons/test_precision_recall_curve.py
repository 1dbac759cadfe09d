"""What book/lessons/precision-recall-curve.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import auc, average_precision_score, break_even_point, precision_recall_curve, roc_auc_score
from metrics_lib.uncertainty import bootstrap
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-precision-recall-curve")
def test_the_opening(A, B, score):
    frauds = np.flatnonzero(A), np.flatnonzero(B)
    holds("scores 1,000 payments a day, 20 of which are fraud")
    assert len(A) == len(B) == len(score) == 1000 and A.sum() == B.sum() == 20
    holds("puts 10 of the frauds on ranks 1 to 10")
    assert A[:10].all() and A[10:].sum() == 10
    holds("puts one on every tenth rank, 10, 20, ..., 200")
    assert (np.flatnonzero(B) + 1).tolist() == list(range(10, 201, 10))
    holds("says 0.69 for A and 0.90 for B")
    assert [round(roc_auc_score(model, score), 2) for model in (A, B)] == [0.69, 0.90]
    holds("A is right ten times of ten before it goes wrong; whoever follows B checks ten payments for each fraud.")
    assert A[:10].sum() == 10 and not A[10] and set(np.diff(np.flatnonzero(B))) == {10} and B[:10].sum() == 1
    holds("stays at precision 1 up to recall one half")
    assert (np.cumsum(A)[:10] == np.arange(1, 11)).all() and np.cumsum(A)[9] / 20 == 1 / 2
    holds("The dashed curve of B runs flat at 0.1.")
    at_frauds = np.cumsum(B)[frauds[1]] / (frauds[1] + 1)
    assert np.allclose(at_frauds, 0.1)
    holds("A at recall 0.5 and precision 0.5, B at recall 0.1 and precision 0.1")
    assert (A[:20].sum() / 20, B[:20].sum() / 20) == (0.5, 0.1)
    holds("With A the team finds 10 frauds a day, with B it finds 2.")
    assert (A[:20].sum(), B[:20].sum()) == (10, 2)
    holds("how many of the 980 good payments stand above a fraud, and most of these nobody will look at")
    assert 1000 - 20 == 980 and (B[20:] == 0).sum() > 980 / 2


@section("In one line")
def of_eight():
    all_orders = [[i in ones for i in range(8)] for ones in itertools.combinations(range(8), 4)]
    return [average_precision_score(bits, range(8, 0, -1)) for bits in all_orders]


@section("In one line")
def test_in_one_line():
    eight = [1, 1, 0, 1, 0, 0, 1, 0]
    holds("a blind order gets about the share of positives in large data, and clearly more in small (0.62 here)")
    all_orders = [[i in ones for i in range(8)] for ones in itertools.combinations(range(8), 4)]
    of_eight = [average_precision_score(bits, range(8, 0, -1)) for bits in all_orders]
    assert round(np.mean(of_eight), 2) == 0.62 > 4 / 8 + 0.1
    draw, large = np.random.default_rng(0), np.repeat([1, 0], 5000)
    blind_large = [average_precision_score(draw.permutation(large), range(10000, 0, -1)) for n in range(20)]
    assert abs(np.mean(blind_large) - large.mean()) < 0.01
    holds("is 0.83 on the eight payments below")
    assert round(average_precision_score(eight, range(8, 0, -1)), 2) == 0.83 and len(eight) == 8


@section("By hand")
def test_by_hand(precision, y_score, y_true):
    holds("Eight payments in the order of their scores; four are fraud, on ranks 1, 2, 4 and 7.")
    assert (np.flatnonzero(y_true) + 1).tolist() == [1, 2, 4, 7] and y_true.sum() == 4 and len(y_true) == 8
    proved("Recall grows by 1/4 at each fraud and stands still elsewhere")
    assert np.allclose(np.diff(np.cumsum(y_true) / 4, prepend=0), y_true / 4)
    adds = [Fraction(1, 4) * value for value in (1, 1, Fraction(3, 4), Fraction(4, 7))]
    assert adds == [Fraction(1, 4), Fraction(1, 4), Fraction(3, 16), Fraction(1, 7)]
    proved("The sum is 93/112, about 0.830: without equal scores, the mean of the precisions at the frauds.")
    assert sum(adds) == Fraction(93, 112) and round(93 / 112, 3) == 0.830
    for labels in filter(any, itertools.product([0, 1], repeat=6)):
        at_rank = np.cumsum(labels) / np.arange(1, 7)
        mean = at_rank[np.array(labels) == 1].mean()
        assert np.isclose(average_precision_score(labels, range(6, 0, -1)), mean)
    assert average_precision_score([1, 0], [5, 5]) == 1 / 2 != 1 / 1


@section("By hand")
def test_by_hand_2(cuts, p, r, y_score, y_true):
    holds("from the lowest threshold to the highest")
    assert (np.diff(cuts) > 0).all()
    holds("It ends with a precision of 1 at recall 0, a point without a threshold")
    assert (p[-1], r[-1], len(cuts)) == (1, 0, len(p) - 1)
    holds("after as many calls as there are frauds, four, both are 3/4")
    assert y_true[:4].sum() / 4 == y_true[:4].sum() / y_true.sum() == 3 / 4 == break_even_point(y_true, y_score)
    holds("It is precision at rank four")
    for labels in itertools.product([0, 1], repeat=6):
        if any(labels):
            cut = sum(labels)
            assert np.isclose(break_even_point(labels, range(6, 0, -1)), sum(labels[:cut]) / cut)


@section("lesson-precision-recall-curve-scale")
def test_how_good_is_0_83(A, areas, fig, of_eight, rng, score):
    holds("the P-R curve, which sinks from an average precision of 0.85 to 0.13")
    assert [round(area, 2) for area in areas.values()] == [0.85, 0.46, 0.13]
    holds("falling curves under each other, labelled 1/2, 1/10 and 1/100")
    assert sorted(areas.values(), reverse=True) == list(areas.values())
    holds("Perfect is 1: all positives first.")
    assert average_precision_score([1, 1, 0, 0], [4, 3, 2, 1]) == 1
    holds("the same value is worth little where four in five are positive and a triumph where one in fifty is")
    common = np.repeat([1, 0], [800, 200])
    blind = [np.mean([average_precision_score(rng.permutation(y), score) for n in range(50)]) for y in (common, A)]
    assert common.mean() == 4 / 5 and A.mean() == 1 / 50 and blind[0] > 0.75 and blind[1] < 0.83 / 10
    holds("How good is 0.83?")
    assert round(average_precision_score([1, 1, 0, 1, 0, 0, 1, 0], range(8, 0, -1)), 2) == 0.83
    holds("over all orders of our eight payments the mean is 0.62, and not 0.5")
    assert len(of_eight) == 70 and round(np.mean(of_eight), 2) == 0.62
    holds("which gives 0.365 for four of eight")
    all_last = average_precision_score([0] * 4 + [1] * 4, range(8, 0, -1))
    assert round(all_last, 3) == 0.365 and np.isclose(all_last, min(of_eight))
    holds("A blind order gets about the base rate, the share of positives, in large data")
    shuffled = [average_precision_score(rng.permutation(A), score) for n in range(200)]
    assert abs(np.mean(shuffled) - 0.02) < 0.015
    holds("The worst order puts all positives last")
    for size, ones in ((5, 2), (6, 2), (6, 3)):
        every = [bits for bits in itertools.product([0, 1], repeat=size) if sum(bits) == ones]
        orders = {bits: average_precision_score(bits, range(size, 0, -1)) for bits in every}
        assert min(orders, key=orders.get) == (0,) * (size - ones) + (1,) * ones


@section("What it cannot see")
def test_what_it_cannot_see(one, other, p, r, ranks, y_score, y_true):
    holds("Two orders of six payments, two of them fraud")
    assert len(one) == len(other) == 6 and sum(one) == sum(other) == 2
    holds("Both have 5/12.")
    assert all(np.isclose(average_precision_score(y, ranks), 5 / 12) for y in (one, other))
    holds("Whoever checks two payments finds nothing with the first and a fraud with the second; whoever checks four")
    assert (sum(one[:2]), sum(other[:2]), sum(one[:4]), sum(other[:4])) == (0, 1, 2, 1)
    holds("add a thousand easy ones below all frauds, and AP stays: the curve only grows a tail at recall 1")
    longer = np.concatenate([y_true, np.zeros(1000, dtype=int)]), np.concatenate([y_score, np.zeros(1000)])
    assert np.isclose(average_precision_score(*longer), average_precision_score(y_true, y_score))
    grown_p, grown_r = precision_recall_curve(*longer)[:2]
    tail = len(grown_p) - len(p)
    assert (
        tail > 0 and np.allclose(grown_p[tail:], p) and np.allclose(grown_r[tail:], r) and (grown_r[:tail] == 1).all()
    )
    holds("It sinks with negatives that score among the frauds.")
    for middle in (0.85, 0.65, 0.35):
        among = np.append(y_true, [0] * 10), np.append(y_score, [middle] * 10)
        assert average_precision_score(*among) < average_precision_score(y_true, y_score) - 0.05


@section("The choices")
def test_the_choices(p, r, y_score, y_true):
    for bits in filter(any, itertools.product([0, 1], repeat=6)):
        p_bits, r_bits = precision_recall_curve(bits, range(6, 0, -1))[:2]
        holds("Without equal scores the trapezoids are at most the steps")
        assert auc(r_bits, p_bits) <= average_precision_score(bits, range(6, 0, -1)) + 1e-12
    p_tied, r_tied = precision_recall_curve([1, 1, 1, 0, 0, 0, 0, 0], [0, 3, 2, 3, 2, 2, 3, 2])[:2]
    holds("with equal scores they may be more")
    assert auc(r_tied, p_tied) > average_precision_score([1, 1, 1, 0, 0, 0, 0, 0], [0, 3, 2, 3, 2, 2, 3, 2])
    holds("4/8 if all eight are equal")
    assert average_precision_score(y_true, np.ones(8)) == 4 / 8 and len(y_true) == 8
    assert [round(v, 3) for v in (average_precision_score(y_true, y_score), auc(r, p))] == [0.830, 0.811]
    assert break_even_point(y_true, y_score) == 0.75


@section("On real data")
def test_on_real_data(draws, flights, late, lead, models, order, over):
    holds("Three models scored the 6,000 flights")
    assert len(models) == 3 and len(flights) == 6000
    holds("14 % of which were late")
    assert round(late.mean(), 2) == 0.14
    holds("Their average precisions are equal to three digits")
    assert [round(average_precision_score(late, flights[m]), 4) for m in ("logistic", "boosted")] == [0.2998, 0.2995]
    values = [average_precision_score(late, flights[m]) for m in ("logistic", "boosted")]
    assert abs(values[0] - values[1]) < 0.0005
    pairs = {m: (late, flights["logistic"], flights[m]) for m in ("boosted", "bayes")}
    ap_of = average_precision_score
    in_ap = bootstrap(lambda y, s, t: ap_of(y, s) - ap_of(y, t), *pairs["boosted"], **draws)
    holds("the difference may be anything from -0.04 to 0.04")
    assert np.round(in_ap[1:3], 2).tolist() == [-0.04, 0.04]
    found_by = {m: [int(late[order[m][:k]].sum()) for k in (25, 50)] for m in models}
    holds("the regression has 18 right, the trees have 17, naive Bayes has 7; of the first 50 it is 27, 31 and 23")
    assert found_by["logistic"] == [18, 27] and found_by["boosted"] == [17, 31]
    assert found_by["bayes"] == [7, 23]
    holds("Flights of one day share its weather")
    late_by_day = [late[flights["day"] == day].mean() for day in set(flights["day"])]
    assert len(late_by_day) == 92 and np.std(late_by_day) > 2 * np.sqrt(late.mean() * (1 - late.mean()) * 92 / 6000)
    turns = np.subtract(found_by["logistic"], found_by["boosted"])
    holds("Regression and trees take turns, and the interval of 1 holds 0: no ground to choose.")
    assert turns[0] == over["boosted"].value == 1 > 0 > turns[1] and over["boosted"].low < 0 < over["boosted"].high
    holds("so the 95 % interval of the regression's lead at 25 draws whole days")
    assert np.allclose(over["boosted"][1:3], np.quantile(over["boosted"].distribution, [0.025, 0.975]))
    holds("That of 11 over naive Bayes holds 0 as well")
    assert over["bayes"].value == 11 and over["bayes"].low < 0 < over["bayes"].high
    days = flights["day"][order["bayes"][:25]]
    holds("21 of its first 25 are flights of one day, 29 December")
    assert np.bincount(days).max() == 21 and np.datetime64("2012-12-31") + np.bincount(days).argmax() == np.datetime64(
        "2013-12-29"
    )
    rest = flights[flights["day"] != np.bincount(days).argmax()]
    firsts = [np.argsort(-rest[m], kind="stable")[:25] for m in ("logistic", "boosted", "bayes")]
    holds("Without that day the three models have 19, 17 and 17 right.")
    assert [rest["late"][top].sum() for top in firsts] == [19, 17, 17]
    holds("drawn flight by flight, the lead would look sure")
    assert bootstrap(lead, *pairs["bayes"], n_resamples=500, rng=0).low > 0


@section("Try it")
def test_try_it(w, y_score, y_true):
    holds("Average precision falls from 0.830 to 0.75, and the area under the ROC curve stays at 0.75.")
    assert [round(average_precision_score(y_true, y_score, sample_weight=v), 3) for v in (None, w)] == [0.830, 0.75]
    assert roc_auc_score(y_true, y_score) == roc_auc_score(y_true, y_score, sample_weight=w) == 0.75
    holds("doubles every negative of the test set")
    assert set(w[y_true == 0]) == {2} and set(w[y_true == 1]) == {1}


@section("The choices")
def test_unchecked_the_choices():
    unchecked("information retrieval of the nineties", "who used it is history")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("We ship the regression: it is simpler than the trees", "simpler is a judgement")
    unchecked("its probabilities, unlike those of naive Bayes, mean what they say", "that lesson computes it")
