"""What book/lessons/precision-recall-curve.ipynb says, held."""

import itertools
import warnings
from fractions import Fraction

import numpy as np

from metrics_lib import (
    auc,
    average_precision_score,
    break_even_point,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)
from metrics_lib.uncertainty import bootstrap, paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-precision-recall-curve")
def test_the_opening(A, B, score):
    frauds = np.flatnonzero(A), np.flatnonzero(B)
    holds("A bank scores 1,000 payments a day, and 20 of them are fraud.")
    assert len(A) == len(B) == len(score) == 1000 and A.sum() == B.sum() == 20
    holds("puts 10 of the frauds at ranks 1 to 10 and scatters the others over ranks 400 to 850")
    assert A[:10].all() and A[10:].sum() == 10 and (frauds[0][10:] + 1).tolist() == list(range(400, 851, 50))
    holds("puts one at every tenth rank: 10, 20, ..., 200")
    assert (np.flatnonzero(B) + 1).tolist() == list(range(10, 201, 10))
    holds("is 0.69 for A and 0.90 for B")
    assert [round(roc_auc_score(model, score), 2) for model in (A, B)] == [0.69, 0.90]
    holds("A's first ten picks are all fraud; with B, the team checks ten payments for each fraud that it finds.")
    assert A[:10].sum() == 10 and not A[10] and set(np.diff(np.flatnonzero(B))) == {10} and B[:10].sum() == 1
    holds("stays at precision 1 up to recall one half")
    assert (np.cumsum(A)[:10] == np.arange(1, 11)).all() and np.cumsum(A)[9] / 20 == 1 / 2
    holds("The dashed curve of B runs flat at 0.1.")
    at_frauds = np.cumsum(B)[frauds[1]] / (frauds[1] + 1)
    assert np.allclose(at_frauds, 0.1)
    holds("A at recall 0.5 and precision 0.5, B at recall 0.1 and precision 0.1")
    assert (A[:20].sum() / 20, B[:20].sum() / 20) == (0.5, 0.1)
    holds("With A the team finds 10 frauds a day, with B it finds 2")
    assert (A[:20].sum(), B[:20].sum()) == (10, 2)
    holds("A team that could check 200 payments would take B, which finds all 20 frauds by then, against A's 10.")
    assert (A[:200].sum(), B[:200].sum()) == (10, 20)
    holds(
        "how many of the 980 good payments are ranked above a fraud",
        "most of those payments are never looked at",
    )
    assert 1000 - A.sum() == 980 and (B[20:200] == 0).sum() > (B[:20] == 0).sum() < (B[:200] == 0).sum() / 2


@section("In one line")
def of_eight():
    all_orders = [[i in ones for i in range(8)] for ones in itertools.combinations(range(8), 4)]
    return [average_precision_score(bits, range(8, 0, -1)) for bits in all_orders]


@section("In one line")
def test_in_one_line(of_eight):
    eight = [1, 1, 0, 1, 0, 0, 1, 0]
    holds("about the share of positives in large data, and clearly more in small data: 0.62 for these eight")
    assert round(np.mean(of_eight), 2) == 0.62 > 4 / 8 + 0.1
    draw, large = np.random.default_rng(0), np.repeat([1, 0], 5000)
    blind_large = [average_precision_score(draw.permutation(large), range(10000, 0, -1)) for n in range(20)]
    assert abs(np.mean(blind_large) - large.mean()) < 0.01
    holds("is 0.83 for the eight payments below")
    assert round(average_precision_score(eight, range(8, 0, -1)), 2) == 0.83 and len(eight) == 8


@section("By hand")
def test_by_hand(by_hand, by_library, precision, y_score, y_true):
    holds("Here are eight payments in the order of their scores; the four frauds are at ranks 1, 2, 4 and 7.")
    assert (np.flatnonzero(y_true) + 1).tolist() == [1, 2, 4, 7] and y_true.sum() == 4 and len(y_true) == 8
    assert (np.diff(y_score) < 0).all()
    holds("Recall grows by 1/4 at each fraud and does not change elsewhere")
    assert np.allclose(np.diff(np.cumsum(y_true) / 4, prepend=0), y_true / 4)
    adds = [Fraction(1, 4) * value for value in (1, 1, Fraction(3, 4), Fraction(4, 7))]
    assert np.allclose([float(term) for term in adds], precision[y_true == 1] / 4)
    proved("The sum is 93/112, or 0.830.")
    assert adds == [Fraction(1, 4), Fraction(1, 4), Fraction(3, 16), Fraction(1, 7)]
    assert sum(adds) == Fraction(93, 112) and round(93 / 112, 3) == 0.830
    holds("Unless scores are equal, then, AP is the mean of the precisions at the frauds.")
    assert np.isclose(by_hand, by_library) and np.isclose(by_library, 93 / 112)
    for labels in filter(any, itertools.product([0, 1], repeat=6)):
        at_rank = np.cumsum(labels) / np.arange(1, 7)
        mean = at_rank[np.array(labels) == 1].mean()
        assert np.isclose(average_precision_score(labels, range(6, 0, -1)), mean)
    assert average_precision_score([1, 0], [5, 5]) == 1 / 2 != 1 / 1


@section("By hand")
def test_the_curve(cuts, p, r, y_score, y_true):
    holds("from the lowest threshold to the highest")
    assert (np.diff(cuts) > 0).all()
    holds("The last row belongs to no threshold; with a precision of 1 at recall 0, it completes the drawing.")
    assert (p[-1], r[-1], len(cuts)) == (1, 0, len(p) - 1)
    holds("You reach it after as many picks as there are frauds, which is four here")
    assert y_true[:4].sum() / 4 == y_true[:4].sum() / y_true.sum() == 3 / 4 == break_even_point(y_true, y_score)
    holds("That is the precision at rank four; in search it is called R-precision.")
    for labels in itertools.product([0, 1], repeat=6):
        if any(labels):
            cut = sum(labels)
            assert np.isclose(break_even_point(labels, range(6, 0, -1)), sum(labels[:cut]) / cut)


@section("lesson-precision-recall-curve-scale")
def test_how_good_is_0_83(A, areas, of_eight, rng, score, y_score, y_true):
    holds("its average precision falls from 0.85 to 0.13")
    assert [round(area, 2) for area in areas.values()] == [0.85, 0.46, 0.13]
    holds("with three falling curves one below the other, labelled 1/2, 1/10 and 1/100")
    assert sorted(areas.values(), reverse=True) == list(areas.values())
    holds("A perfect order, with all positives first, scores 1.")
    assert average_precision_score([1, 1, 0, 0], [4, 3, 2, 1]) == 1
    holds("So 0.83 is worth little where four in five are positive, and is a triumph where one in fifty is.")
    common = np.repeat([1, 0], [800, 200])
    blind = [np.mean([average_precision_score(rng.permutation(y), score) for n in range(50)]) for y in (common, A)]
    assert common.mean() == 4 / 5 and A.mean() == 1 / 50 and blind[0] > 0.75 and blind[1] < 0.83 / 10
    holds("How good is 0.83?")
    assert round(average_precision_score(y_true, y_score), 2) == 0.83
    holds("over all 70 orders of our eight payments the mean is 0.62, and not 0.5")
    assert len(of_eight) == 70 and round(np.mean(of_eight), 2) == 0.62
    holds("which gives 0.365 for four of eight")
    all_last = average_precision_score([0] * 4 + [1] * 4, range(8, 0, -1))
    assert round(all_last, 3) == 0.365 and np.isclose(all_last, min(of_eight))
    holds("In large data, a random order scores about the base rate")
    shuffled = [average_precision_score(rng.permutation(A), score) for n in range(200)]
    assert abs(np.mean(shuffled) - 0.02) < 0.015
    holds("The worst order puts them all last")
    for size, ones in ((5, 2), (6, 2), (6, 3)):
        every = [bits for bits in itertools.product([0, 1], repeat=size) if sum(bits) == ones]
        orders = {bits: average_precision_score(bits, range(size, 0, -1)) for bits in every}
        assert min(orders, key=orders.get) == (0,) * (size - ones) + (1,) * ones
    holds("is 0.75, or 12 of 16 pairs in the right order, and a random order scores 0.5 at any base rate")
    above = y_score[y_true == 1][:, None] > y_score[y_true == 0]
    assert roc_auc_score(y_true, y_score) == 0.75 and (above.sum(), above.size) == (12, 16)
    for ones in range(1, 6):
        every = [bits for bits in itertools.product([0, 1], repeat=6) if sum(bits) == ones]
        assert np.isclose(np.mean([roc_auc_score(bits, range(6)) for bits in every]), 0.5)


@section("lesson-precision-recall-curve-scale")
def test_shifts(areas, label, value):
    holds("the class ratio changes, but the scores within each class keep their distribution (label shift)")
    curves = [roc_curve(label, value, sample_weight=np.where(label == 1, 1, weight))[:2] for weight in (1, 9, 99)]
    assert all(np.allclose(curve, curves[0]) for curve in curves)
    holds("The ROC curve (left) does not move; the P-R curve (right) sinks")
    assert list(areas.values()) == sorted(set(areas.values()), reverse=True)
    holds("The base rate moves every other value as well.", "compare average precisions only within one data set")
    for bits in itertools.product([0, 1], repeat=6):
        if 0 < sum(bits) < 6 and list(bits) != sorted(bits, reverse=True):  # a perfect order stays perfect
            grown = np.where(np.array(bits) == 1, 1, 3)
            assert average_precision_score(bits, range(6, 0, -1), sample_weight=grown) < average_precision_score(
                bits, range(6, 0, -1)
            )
    holds("Then the scores within a class change, and both curves can move.")
    worse = value - 0.5 * label  # the scores of the positives fall
    assert roc_auc_score(label, worse) < roc_auc_score(label, value) - 0.05
    assert average_precision_score(label, worse) < average_precision_score(label, value) - 0.05
    holds("but not if one ROC curve lies nowhere below the other")
    orders = [y for y in itertools.product([0, 1], repeat=7) if sum(y) == 3]
    ups = {y: np.array([sum(y[:i]) for i in range(7) if not y[i]]) for y in orders}  # the ROC curve over each negative
    for first, second in itertools.permutations(orders, 2):
        if (ups[first] >= ups[second]).all():
            assert average_precision_score(first, range(7, 0, -1)) >= average_precision_score(second, range(7, 0, -1))


@section("What it cannot see")
def test_what_it_cannot_see(one, other, p, r, ranks, y_score, y_true):
    holds("Here are two orders of six payments, two of which are fraud")
    assert len(one) == len(other) == 6 and sum(one) == sum(other) == 2
    holds("Both score 5/12.")
    assert all(np.isclose(average_precision_score(y, ranks), 5 / 12) for y in (one, other))
    holds("the first order finds nothing and the second finds a fraud; if you check four, the first finds both")
    assert (sum(one[:2]), sum(other[:2]), sum(one[:4]), sum(other[:4])) == (0, 1, 2, 1)
    holds("AP does not change, because the curve just grows a tail at recall 1")
    longer = np.concatenate([y_true, np.zeros(1000, dtype=int)]), np.concatenate([y_score, np.zeros(1000)])
    assert np.isclose(average_precision_score(*longer), average_precision_score(y_true, y_score))
    grown_p, grown_r = precision_recall_curve(*longer)[:2]
    tail = len(grown_p) - len(p)
    assert tail > 0 and np.allclose(grown_p[tail:], p)
    assert np.allclose(grown_r[tail:], r) and (grown_r[:tail] == 1).all()
    holds("AP falls when negatives score among the frauds.")
    for middle in (0.85, 0.65, 0.35):
        among = np.append(y_true, [0] * 10), np.append(y_score, [middle] * 10)
        assert average_precision_score(*among) < average_precision_score(y_true, y_score) - 0.05


@section("The choices")
def test_the_choices(p, r, y_score, y_true):
    for bits in filter(any, itertools.product([0, 1], repeat=6)):
        p_bits, r_bits = precision_recall_curve(bits, range(6, 0, -1))[:2]
        holds("Without equal scores, the area by trapezoids is at most that of the steps.")
        assert auc(r_bits, p_bits) <= average_precision_score(bits, range(6, 0, -1)) + 1e-12
    p_tied, r_tied = precision_recall_curve([1, 1, 1, 0, 0, 0, 0, 0], [0, 3, 2, 3, 2, 2, 3, 2])[:2]
    holds("With equal scores it can be more")
    assert auc(r_tied, p_tied) > average_precision_score([1, 1, 1, 0, 0, 0, 0, 0], [0, 3, 2, 3, 2, 2, 3, 2])
    holds("4/8 if all eight are equal")
    assert average_precision_score(y_true, np.ones(8)) == 4 / 8 and len(y_true) == 8
    assert [round(v, 3) for v in (average_precision_score(y_true, y_score), auc(r, p))] == [0.830, 0.811]
    assert break_even_point(y_true, y_score) == 0.75


@section("On real data")
def test_the_flights_and_their_average_precisions(at_15, autumn, flights, found, months, parts):
    per_day = np.unique(flights["day"], return_counts=True)[1]
    holds("contains 45 flights for each of the 184 days from July to December 2013")
    assert set(per_day) == {45} and len(per_day) == 184 and set(flights["month"]) == set(range(7, 13))
    dates = np.datetime64("2012-12-31") + flights["day"]
    assert (dates.astype("datetime64[M]").astype(int) % 12 + 1 == flights["month"]).all()
    assert {str(date)[:4] for date in dates} == {"2013"}
    holds("We choose on July to September, the summer, and judge on October to December, the autumn.")
    assert set(parts["summer"]["month"]) == {7, 8, 9} and set(autumn["month"]) == {10, 11, 12}
    assert not set(parts["summer"]["day"]) & set(autumn["day"])
    aps = {m: average_precision_score(parts[m]["late"], parts[m]["logistic"]) for m in months}
    holds("twice as good in July, with 0.466, as in September, with 0.240", "far more flights were late in July")
    assert (round(aps["July"], 3), round(aps["September"], 3)) == (0.466, 0.240)
    assert parts["July"]["late"].mean() > 2 * parts["September"]["late"].mean()
    holds("Weight the flights so that 15% of each month are late")
    for month in months:
        late = parts[month]["late"]
        weights = np.where(late == 1, 0.15 / late.mean(), 0.85 / (1 - late.mean()))
        assert np.isclose(np.average(late, weights=weights), 0.15)
    holds("Now the months run from 0.302 to 0.355, so the class ratio explains most of the movement")
    weighted = [at_15(parts[month], "logistic") for month in months]
    assert (round(min(weighted), 3), round(max(weighted), 3)) == (0.302, 0.355)
    assert np.ptp(weighted) < np.ptp(list(aps.values())) / 4
    holds("In summer the trees have the highest AP, in autumn the lowest.")
    of = {
        season: {m: average_precision_score(rows["late"], rows[m]) for m in ("logistic", "bayes", "trees")}
        for season, rows in parts.items()
    }
    assert sorted(of["autumn"], key=of["autumn"].get) == ["trees", "logistic", "bayes"]
    assert max(of["summer"], key=of["summer"].get) == "trees"
    holds("Flights of one day share its weather, so we draw whole days")
    by_day = autumn["late"][np.argsort(autumn["day"])].reshape(-1, 45).mean(axis=1)
    assert by_day.std() > 2 * np.sqrt(by_day.mean() * (1 - by_day.mean()) / 45)
    rounded = {row[:2]: np.round(row[2:], 3).tolist() for row in found}
    holds("Over both seasons, the trees lead the regression by 0.040 (95% interval 0.006 to 0.078).")
    assert rounded["both", "logistic"] == [0.040, 0.006, 0.078]
    holds("But all of that lead is the summer's, and both intervals of the autumn include 0.")
    assert of["summer"]["trees"] - of["summer"]["logistic"] > 0 > of["autumn"]["trees"] - of["autumn"]["logistic"]
    holds("By AP, the autumn does not decide, and the lead did not last.")
    of_autumn = [row for row in found if row[0] == "autumn"]
    assert all(low < 0 < high for *_, low, high in of_autumn) and len(of_autumn) == 2
    between = bootstrap(
        lambda y, s, t: average_precision_score(y, s) - average_precision_score(y, t),
        *(autumn[name] for name in ("late", "bayes", "logistic")),
        groups=autumn["day"],
        n_resamples=500,
        rng=0,
    )
    assert between.low < 0 < between.high


@section("On real data")
def test_a_pooled_ranking_is_no_desk(autumn):
    first = np.argsort(-autumn["bayes"], kind="stable")[:92]
    days, counts = np.unique(autumn["day"][first], return_counts=True)
    holds("the first 92 flights of naive Bayes come from 14 days, and 20 of them from 17 November")
    assert (len(days), counts.max()) == (14, 20)
    assert np.datetime64("2012-12-31") + days[counts.argmax()] == np.datetime64("2013-11-17")
    tied = autumn["bayes"] == autumn["bayes"][first[-1]]  # whichever of them come first
    assert len(set(autumn["day"][first]) | set(autumn["day"][tied])) <= 16


@section("On real data")
def test_the_trees_for_a_desk_of_three(ahead, ax, autumn, desk, flights, hits, parts, tried):
    for rows, model in ((autumn, "trees"), (parts["July"], "bayes")):
        by_day = []
        for day in np.unique(rows["day"]):
            today = rows[rows["day"] == day]
            by_day.append(today["late"][np.argsort(-today[model], kind="stable")[:3]].sum())
        holds("returns the hits of each day, the late flights among its first $k$")
        assert desk(rows, model).tolist() == by_day
    table = {name: dict(zip(["blind", *tried, "best"], hits(rows), strict=True)) for name, rows in parts.items()}
    holds("with a desk that picks blindly, with one that knows which flights will be late")
    assert table["autumn"]["blind"] == round(3 * 92 * autumn["late"].mean()) == 39 and table["autumn"]["best"] == 235
    assert all(row["blind"] < min(row[m] for m in tried) and max(row.values()) == row["best"] for row in table.values())
    holds("In summer the trees find most, 87 late flights, so we choose them.")
    assert table["summer"]["trees"] == 87 == max(table["summer"][m] for m in tried)
    holds("They find most in autumn as well, and their lead over the regression is 12 in each season.")
    assert table["autumn"]["trees"] == max(table["autumn"][m] for m in tried)
    assert [table[part]["trees"] - table[part]["logistic"] for part in ("summer", "autumn")] == [12, 12]
    others = ("logistic", "bayes", "schedule")
    of_autumn = {(k, m): ahead(autumn, m, k) for k in (1, 3, 5) for m in others}
    holds("the lead over the regression is 12 (from 1 fewer to 25 more), over naive Bayes 13 (0 to 25)")
    assert (of_autumn[3, "logistic"], of_autumn[3, "bayes"]) == ([12, -1, 25], [13, 0, 25])
    holds("and over the timetable alone 5 (from 9 fewer to 19 more)", "the autumn does not decide for a desk of three")
    assert of_autumn[3, "schedule"] == [5, -9, 19] and all(of_autumn[3, m][1] <= 0 for m in others)
    holds("Over both seasons the trees lead the regression by 24 (7 to 42)", "because the summer chose them")
    assert ahead(flights, "logistic") == [24, 7, 42] and max(tried, key=table["summer"].get) == "trees"
    holds("which found most in both seasons", "the autumn shows no reason to pay for more")
    assert all(max(tried, key=table[season].get) == "trees" for season in ("summer", "autumn"))
    assert of_autumn[3, "schedule"][1] < 0 < of_autumn[3, "schedule"][2]
    holds("With one place, the intervals of all three leads lie above 0, and with five places none does.")
    assert all(of_autumn[1, m][1] > 0 > of_autumn[5, m][1] for m in others)
    holds("with a correction for nine (Holm) only one p-value is below 0.05")
    pairs = {which: (desk(autumn, "trees", which[0]), desk(autumn, which[1], which[0])) for which in of_autumn}
    with warnings.catch_warnings(action="ignore"):  # an interval and a p-value that fall on two sides
        p_values = {which: paired_difference(*pair, rng=0).p_value for which, pair in pairs.items()}
    in_order = sorted(p_values, key=p_values.get)
    holm = np.maximum.accumulate([p_values[which] * (9 - place) for place, which in enumerate(in_order)])
    assert len(holm) == 9 and (holm < 0.05).sum() == 1
    holds("that of the lead over the regression with one place (0.009)")
    assert in_order[0] == (1, "logistic") and round(holm[0], 3) == 0.009
    holds("ends at 37; the dashed one, over the regression, at 24")
    assert [line.get_ydata()[-1] for line in ax.lines[:2]] == [37, 24]
    holds("divides them into two halves of about equal rise")
    assert [line.get_ydata()[91] for line in ax.lines[:2]] == [24, 12] and of_autumn[3, "bayes"][0] == 37 - 24
    # flights of equal probability: whichever come first, the order of the three models and the decision stay
    turned = flights[::-1]
    assert [desk(turned, m).sum() for m in ("trees", "logistic")] == [157, 133] and desk(turned, "bayes").sum() <= 123


@section("Try it")
def test_try_it(ap_doubled, area, early, ranks, together, w, y_score, y_true):
    holds("so the average precision falls from 0.830 to 0.75", "so it is still 0.75", "The AP falls to 0.75")
    assert [round(average_precision_score(y_true, y_score, sample_weight=v), 3) for v in (None, w)] == [0.830, 0.75]
    assert roc_auc_score(y_true, y_score) == area == 0.75 == ap_doubled
    holds("doubles every negative of the test set", "12 of 16 before and 24 of 32 after")
    assert set(w[y_true == 0]) == {2} and set(w[y_true == 1]) == {1}
    above = y_score[y_true == 1][:, None] > y_score[y_true == 0]
    assert (above.sum(), above.size, (above * w[y_true == 0]).sum(), 4 * w[y_true == 0].sum()) == (12, 16, 24, 32)
    holds("Each precision has twice as many negatives in its denominator")
    for rank in np.flatnonzero(y_true):
        assert w[: rank + 1].sum() == y_true[: rank + 1].sum() + 2 * (1 - y_true[: rank + 1]).sum()
    holds("Order six payments, two of which are fraud, in two ways.", "the second order has both at ranks 2 and 3")
    assert sum(early) == sum(together) == 2 and len(early) == len(together) == 6
    assert (np.flatnonzero(together) + 1).tolist() == [2, 3]
    holds("The first scores 0.667 and the second 0.583")
    assert [round(average_precision_score(y, ranks), 3) for y in (early, together)] == [0.667, 0.583]
    holds("finds one fraud with the first and two with the second")
    assert (sum(early[:3]), sum(together[:3])) == (1, 2)


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("drawn at random from those that left New York and landed", "the script that makes the file does it")
    unchecked("A flight is late if it arrived at least 30 minutes late.", "the script that makes the file does it")
    unchecked("They know the weather in the hour of departure", "the script that makes the file")
    unchecked("all with the same 11 columns", "the script that makes the file does it")
