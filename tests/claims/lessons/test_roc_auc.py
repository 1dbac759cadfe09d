"""What book/lessons/roc-auc.ipynb says, held."""

import itertools
import warnings

import numpy as np

from metrics_lib import (
    ConfusionCounts,
    auc,
    det_curve,
    log_loss,
    normalized_cross_entropy,
    precision_score,
    roc_auc_score,
    roc_curve,
)
from metrics_lib.uncertainty import bootstrap, delong_test
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-roc-auc")
def test_the_opening(A, B, axes, looks, y_true):
    cells_a = ConfusionCounts.from_labels(y_true, (A >= 0.5).astype(int))
    cells_b = ConfusionCounts.from_labels(y_true, (B >= 0.5).astype(int))
    moved = ConfusionCounts.from_labels(y_true, (B >= 0.2).astype(int))
    curve_a, curve_b = roc_curve(y_true, A, drop_intermediate=False), roc_curve(y_true, B, drop_intermediate=False)
    holds("Two models score the same eight flights, four of which arrived late.")
    assert len(looks) == 2 and len(A) == len(B) == len(y_true) == 8 and y_true.sum() == 4
    holds("Model A finds three of the late flights and raises two false alarms.")
    assert (cells_a.tp, cells_a.fp) == (3, 2)
    holds("Model B finds two and raises none.")
    assert (cells_b.tp, cells_b.fp) == (2, 0)
    holds("A costs as much as 7 needless warnings (one miss and two false alarms), and B as much as 10 (two misses)")
    assert (5 * cells_a.fn + cells_a.fp, 5 * cells_b.fn + cells_b.fp) == (7, 10)
    assert (cells_a.fn, cells_a.fp, cells_b.fn, cells_b.fp) == (1, 2, 2, 0)
    holds("the line at 0.5 divides each strip into the four outcomes")
    assert all(len(axes[name].texts) == 4 for name in "AB")
    holds("Two strips of scores from 0 to 1, A above B")
    assert len(axes) - 1 == 2 and min(A.min(), B.min()) >= 0 and max(A.max(), B.max()) <= 1
    holds("In A, three filled dots and two rings lie to the right of the line, and dots and rings alternate.")
    assert (cells_a.tp, cells_a.fp) == (3, 2) and y_true[np.argsort(-A)].tolist() == [1, 0] * 4
    holds("In B, two filled dots and no ring lie to the right of it.")
    assert (cells_b.tp, cells_b.fp) == (2, 0)
    holds("At 0.5, A is at one half and three quarters, B at zero and one half.")
    assert (cells_a.false_positive_rate, cells_a.recall) == (1 / 2, 3 / 4)
    assert (cells_b.false_positive_rate, cells_b.recall) == (0, 1 / 2)
    costs = {
        name: [(5 * (4 - (score[:4] >= cut).sum()) + (score[4:] >= cut).sum()) for cut in np.unique(score)]
        for name, (score, *_) in looks.items()
    }
    holds("finds all four late flights with two false alarms, which costs 2; the best that A can reach is 3")
    assert (moved.tp, moved.fp) == (4, 2) and 5 * moved.fn + moved.fp == 2
    assert {name: min(values) for name, values in costs.items()} == {"A": 3, "B": 2}
    holds("wherever you set A, you can set B to do at least as well")
    for x_a, y_a in zip(curve_a.fpr, curve_a.tpr, strict=True):
        assert any(u <= x_a and v >= y_a for u, v in zip(curve_b.fpr, curve_b.tpr, strict=True))
    holds("The curve of B runs above that of A or along it.")
    across = np.linspace(0.001, 0.999, 998)
    assert (np.interp(across, *curve_b[:2]) >= np.interp(across, *curve_a[:2]) - 1e-12).all()
    holds("0.625 for A and 0.844 for B")
    assert roc_auc_score(y_true, A) == 0.625 and round(roc_auc_score(y_true, B), 3) == 0.844


@section("In one line")
def orders():
    return [[i in chosen for i in range(8)] for chosen in itertools.combinations(range(8), 4)]


@section("In one line")
def test_in_one_line(B, orders, y_true):
    holds("where a tie counts one half")
    assert roc_auc_score([1, 0], [5, 5]) == 1 / 2
    holds("is 0.844 for model B, which puts 13.5 of 16 pairs of a late and an on-time flight in the right order")
    assert round(roc_auc_score(y_true, B), 3) == 0.844 and roc_auc_score(y_true, B) == 13.5 / 16 and 4 * 4 == 16
    holds("A perfect order scores 1, a random order one half on average, and a perfect order upside down 0.")
    assert (roc_auc_score(y_true, y_true), roc_auc_score(y_true, -y_true)) == (1, 0)
    assert np.mean([roc_auc_score(order, range(8)) for order in orders]) == 1 / 2


@section("By hand")
def test_by_hand(B, ax, fpr, late, on_time, tied, tpr, won, y_true):
    shown = roc_curve(y_true, B, drop_intermediate=False)
    rows = [[t, (late >= t).sum(), (on_time >= t).sum()] for t in shown.thresholds[1:]]
    holds("Start with a threshold above the highest score, lower it step by step, and count who is warned")
    assert rows == [[0.9, 1, 0], [0.7, 2, 0], [0.4, 3, 1], [0.3, 3, 2], [0.2, 4, 2], [0.1, 4, 3], [0, 4, 4]]
    assert shown.tpr.tolist() == [0, 1 / 4, 2 / 4, 3 / 4, 3 / 4, 1, 1, 1]
    assert shown.fpr.tolist() == [0, 0, 0, 1 / 4, 2 / 4, 2 / 4, 3 / 4, 1]
    holds("Two flights share the score 0.4, one of them late and the other on time.")
    assert set(late) & set(on_time) == {0.4}
    holds("The tie is a diagonal step, because no threshold separates the two flights at 0.4.")
    steps = np.column_stack([np.diff(shown.fpr), np.diff(shown.tpr)])
    assert [(x > 0) and (y > 0) for x, y in steps] == [cut == 0.4 for cut in shown.thresholds[1:]]
    parted = roc_curve(y_true, np.where((B == 0.4) & (y_true == 1), 0.41, B), drop_intermediate=False)
    assert not any((np.diff(parted.fpr) > 0) & (np.diff(parted.tpr) > 0))
    holds("Each late flight moves the curve one step up, and each on-time flight one step to the right.")
    assert np.allclose(np.diff(parted.tpr), [0.25, 0.25, 0.25, 0, 0, 0.25, 0, 0])
    holds("so the order of the scores determines the whole curve")
    for seed in range(50):
        order = np.random.default_rng(seed).integers(0, 5, 8)
        for other in (order**3, 10 * order - 7, np.exp(order)):
            assert np.array_equal(roc_curve(y_true, order)[:2], roc_curve(y_true, other)[:2])
    holds("Of the 16 pairs, 13 are won and one is tied, which makes 13.5/16.")
    assert (won.size, won.sum(), tied.sum(), (won + tied / 2).sum()) == (16, 13, 1, 13.5)
    holds("All three numbers agree, and not by accident.")
    assert auc(fpr, tpr) == roc_auc_score(y_true, B) == (won + tied / 2).mean()
    holds("The area under the curve consists of the pairs won and half of the tie.")
    assert auc(fpr, tpr) * 16 == won.sum() + tied.sum() / 2
    holds("The 16 pairs of model B", "A square of four by four cells")
    assert len(ax.patches) == len(late) * len(on_time) == 4 * 4
    holds("Thirteen cells contain a 1, two a 0, and the cell of 0.4 and 0.4 one half.")
    marks = [text.get_text() for text in ax.texts]
    assert (marks.count("1"), marks.count("0"), marks.count("½")) == (13, 2, 1)
    holds("leaves the two zeros above it")
    assert (late[:, None] < on_time).sum() == 2
    holds("Half of the block is under the curve, and that is why a tie counts one half.")
    for seed in range(200):
        tied_scores = np.random.default_rng(seed).integers(0, 4, 9)
        tied_true = np.array([1, 0, *np.random.default_rng(seed).integers(0, 2, 7)])
        ups, downs = tied_scores[tied_true == 1], tied_scores[tied_true == 0]
        share = ((ups[:, None] > downs) + (ups[:, None] == downs) / 2).mean()
        assert np.isclose(auc(*roc_curve(tied_true, tied_scores)[:2]), share)
        middle = (np.searchsorted(np.sort(downs), ups, "left") + np.searchsorted(np.sort(downs), ups, "right")) / 2
        assert np.isclose(middle.mean() / len(downs), share)
    holds("B scores 13/16 or 14/16, depending on which of the two flights at 0.4 comes first")
    rising = sorted(zip(B, y_true, strict=True))
    assert [label for score, label in rising if score == 0.4] == [0, 1]
    for first_label, expected in ((0, 14), (1, 13)):
        listed = sorted(rising, key=lambda row: (row[0], row[1] != first_label))
        below = [sum(1 - label for _, label in listed[:place]) for place in range(8)]
        assert sum(count for count, (_, label) in zip(below, listed, strict=True) if label) == expected


@section("lesson-roc-auc-scale")
def test_how_good_is_0_844(B, counts, fpr, orders, tpr, values, y_true):
    holds("Of these orders, 4 do as well as B.")
    all_values = [roc_auc_score(order, range(8)) for order in orders]
    assert len(all_values) == 70 and sum(value >= roc_auc_score(y_true, B) for value in all_values) == 4
    assert np.allclose(sorted(all_values), sorted(np.repeat(values, counts)))
    holds("the AUC of all 70 orders of four late and four on-time flights")
    assert all(sum(order) == 4 == 8 - sum(order) for order in orders) and len(set(map(tuple, orders))) == 70
    holds("form a symmetric hill with its top at 0.5", "The bars from 0.844 upwards are orange and small")
    assert counts.tolist() == counts[::-1].tolist() and counts.argmax() == 8 and values[8] == 0.5
    assert counts[values >= roc_auc_score(y_true, B)].max() <= 2 < counts.max() / 3
    holds("A random order scores one half on average", "gives all flights the same score gets exactly that")
    assert np.mean(all_values) == 1 / 2 and roc_auc_score(y_true, np.full(8, 0.3)) == 1 / 2
    holds("far below one half", "A value a little below one half is usually chance.")
    assert np.mean([1 / 4 <= v < 1 / 2 for v in all_values]) > 1 / 3 and np.mean([v < 1 / 8 for v in all_values]) < 0.05
    holds(r"Change the sign of the scores, and the AUC becomes $1 - \mathrm{AUC}$")
    for seed in range(100):
        signed = np.random.default_rng(seed).integers(0, 6, 8)
        assert np.isclose(roc_auc_score(y_true, signed) + roc_auc_score(y_true, -signed), 1)
    holds("it can be systematic, since holding out a positive lowers the share of positives among the rest")
    for order in orders:
        held_out = [(sum(order) - label) / 7 for label in order]  # the model without signal: the share among the others
        assert roc_auc_score(order, held_out) == 0
    holds("B's 0.844 is nearer to perfect than to chance")
    assert 1 - auc(fpr, tpr) < auc(fpr, tpr) - 1 / 2
    holds("a random order of these eight flights does as well in 4 cases out of 70")
    assert round(roc_auc_score(y_true, B), 3) == 0.844 and sum(v >= auc(fpr, tpr) for v in all_values) == 4
    assert len(all_values) == 70 and len(y_true) == 8


@section("lesson-roc-auc-blind")
def test_what_it_cannot_see(B, C, D, falling, orders, tenfold, y_true):
    holds("or let each on-time flight stand for ten")
    assert (tenfold[y_true == 0] == 10).all() and (tenfold[y_true == 1] == 1).all()
    assert roc_auc_score(y_true, B / 100) == roc_auc_score(y_true, B)
    assert np.isclose(roc_auc_score(y_true, B, sample_weight=tenfold), roc_auc_score(y_true, B))
    holds(
        "The AUC is the same for any rescaling that keeps the order",
        "so it cannot tell whether a score of 0.3 means that 3 flights in 10 are late",
    )
    honest = np.repeat([0.3, 0.9], 10)
    outcome = np.repeat([1, 0, 1, 0], [3, 7, 9, 1])
    for scale in (lambda s: s**2, lambda s: s / 3, lambda s: np.log(s) / 9 + 0.99):
        changed = scale(honest)
        assert roc_auc_score(outcome, changed) == roc_auc_score(outcome, honest)
        assert outcome[honest == 0.3].mean() == 3 / 10 and log_loss(outcome, changed) > log_loss(outcome, honest)
    holds("Each axis is a share of one class, so the curve does not depend on how common the classes are.")
    for seed in range(50):
        grown_score = np.random.default_rng(seed).integers(0, 6, 8)
        curve = roc_curve(y_true, grown_score)
        for weights in (tenfold, np.where(y_true == 1, 10, 1)):
            grown = roc_curve(y_true, grown_score, sample_weight=weights)
            assert np.allclose(curve.fpr, grown.fpr) and np.allclose(curve.tpr, grown.tpr)
    holds("Of B's warnings at a threshold of 0.4, 3/4 are right, but with ten times as many on-time flights 3/13 are.")
    warned_04 = (B >= 0.4).astype(int)
    assert precision_score(y_true, warned_04) == 3 / 4
    assert precision_score(y_true, warned_04, sample_weight=tenfold) == 3 / 13
    holds("Here are two orders of eight flights, highest score first")
    assert len({*map(tuple, (C, D))}) == 2 and len(C) == len(D) == 8 and sum(C) == sum(D) == 4
    holds("The first three flights of C are late, but two of the first three of D are.")
    assert (sum(C[:3]), sum(D[:3])) == (3, 2) and roc_auc_score(C, falling) == roc_auc_score(D, falling)
    holds("because a pair at the bottom counts as much as one at the top", "All pairs count alike")
    for order in orders:
        for rank in range(7):
            if order[rank] < order[rank + 1]:
                swapped = [*order[:rank], order[rank + 1], order[rank], *order[rank + 2 :]]
                assert np.isclose(roc_auc_score(swapped, falling) - roc_auc_score(order, falling), 1 / 16)


@section("The choices")
def test_the_choices(B, tied, won, y_true):
    holds("a tie counts one half")
    assert (round(roc_auc_score(y_true, B), 3), won.mean(), (won + tied).mean()) == (0.844, 0.8125, 0.875)
    holds("no scores are equal")
    for seed in range(20):
        apart = np.random.default_rng(seed).permutation(8)
        ups, downs = apart[y_true == 1], apart[y_true == 0]
        strict, loose = (ups[:, None] > downs).mean(), (ups[:, None] >= downs).mean()
        assert strict == loose == roc_auc_score(y_true, apart)
    holds("the part up to an FPR of 1/4, rescaled so that chance is 0.5 and perfect is 1")
    assert roc_auc_score(y_true, y_true, max_fpr=0.25) == 1
    assert round(roc_auc_score(y_true, B, max_fpr=0.25), 3) == 0.786
    assert np.isclose(roc_auc_score(y_true, np.ones(8), max_fpr=0.25), 1 / 2)
    holds("FPR against the share missed (a DET curve, for detection error trade-off)")
    for cut, right, up in zip(*[det_curve(y_true, B)[i] for i in (2, 0, 1)], strict=True):
        found = ConfusionCounts.from_labels(y_true, (cut <= B).astype(int))
        assert (right, up) == (found.false_positive_rate, 1 - found.recall)
    holds("both 1/4 at 0.4 (the equal error rate)")
    equal = [(cut, x) for x, y, cut in zip(*det_curve(y_true, B), strict=True) if x == y]
    assert equal == [(0.4, 1 / 4)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert np.isnan(roc_auc_score([1, 1], [0.2, 0.3])) and len(caught) == 1
    holds("more than two classes")
    three = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])
    assert roc_auc_score([0, 1, 2], three, multi_class="ovr") == roc_auc_score([0, 1, 2], three, multi_class="ovo") == 1


@section("On real data")
def test_the_flights_and_how_they_are_divided(autumn, flights, models, names, parts, summer):
    of_days = np.unique(flights["day"], return_counts=True)
    holds("contains 45 flights for each day from July to December 2013")
    assert set(of_days[1]) == {45} and len(of_days[0]) == 184 and set(flights["month"]) == set(range(7, 13))
    dates = np.datetime64("2012-12-31") + flights["day"]
    assert (dates.astype("datetime64[M]").astype(int) % 12 + 1 == flights["month"]).all()
    assert {str(date)[:4] for date in dates} == {"2013"}
    holds("We choose on July to September, the summer, and judge on October to December, the autumn.")
    assert set(summer["month"]) == {7, 8, 9} and set(autumn["month"]) == {10, 11, 12}
    assert not set(summer["day"]) & set(autumn["day"]) and len(summer) == len(autumn)
    holds("The share of late flights ran from 0.088 in September to 0.233 in July.")
    shares = {name: parts[name]["late"].mean() for name in names}
    assert min(shares, key=shares.get) == "September" and max(shares, key=shares.get) == "July"
    assert (round(shares["September"], 3), round(shares["July"], 3)) == (0.088, 0.233)
    holds("A logistic regression, naive Bayes and boosted trees")
    assert models == ["logistic", "bayes", "trees"]


@section("On real data")
def test_no_model_is_shown_to_rank_better(areas, autumn, ax, by_days, leads, models, parts, summer):
    of_summer = dict(zip(models, areas(summer), strict=True))
    of_autumn = dict(zip(models, areas(autumn), strict=True))
    holds("you would have taken the trees, which lead the regression by 0.029")
    assert max(of_summer, key=of_summer.get) == "trees"
    assert round(of_summer["trees"] - of_summer["logistic"], 3) == 0.029
    holds("In summer, the trees were ahead by 0.029 (95% interval 0.011 to 0.045).")
    assert np.round(leads["summer"][:3], 3).tolist() == [0.029, 0.011, 0.045]
    holds("In autumn, the difference is -0.004, and its interval runs from -0.027 to 0.019.")
    assert np.round(leads["autumn"][:3], 3).tolist() == [-0.004, -0.027, 0.019]
    holds("The lead of the summer did not last.", "with 95% intervals that draw whole days")
    ends = np.quantile(leads["summer"].distribution, [0.025, 0.975])
    assert np.allclose(ends, leads["summer"][1:3]) and len(leads["summer"].distribution) == 500
    assert leads["summer"].low > 0 > leads["autumn"].value
    holds(
        "Naive Bayes scores highest in autumn", "0.010 over the regression and 0.014 over the trees, include 0 as well"
    )
    assert max(of_autumn, key=of_autumn.get) == "bayes"
    over = [by_days(autumn, "bayes", other) for other in ("logistic", "trees")]
    assert [round(found.value, 3) for found in over] == [0.010, 0.014]
    holds("the data do not decide which model ranks better")
    assert all(found.low < 0 < found.high for found in (*over, leads["autumn"]))
    holds("Flights of one day share its weather, so the interval of the difference draws whole days")
    by_flight = delong_test(autumn["late"], autumn["trees"], autumn["logistic"])
    assert by_flight.high - by_flight.low < leads["autumn"].high - leads["autumn"].low
    of_days = [autumn["late"][autumn["day"] == day].mean() for day in set(autumn["day"])]
    pi = autumn["late"].mean()
    assert np.std(of_days) > 2 * np.sqrt(pi * (1 - pi) / 45)
    holds("The dots of July, August and September lie to the right of 0, and the interval of August clears it.")
    assert all(leads[m].value > 0 for m in ("July", "August", "September"))
    assert [leads[m].low > 0 for m in ("July", "August", "September")] == [False, True, False]
    holds("Those of October and December lie close to 0, that of November to the left of it, and all three intervals")
    assert all(abs(leads[m].value) < 0.01 for m in ("October", "December")) and leads["November"].value < -0.03
    assert all(leads[m].low < 0 < leads[m].high for m in ("October", "November", "December"))
    holds("over differences from -0.09 to 0.09")
    assert all(-0.09 < found.low < found.high < 0.09 for found in leads.values()) and len(leads) == len(parts) == 8
    holds("summer is at 0.03, with an interval to the right of 0, and autumn just left of 0")
    assert round(leads["summer"].value, 2) == 0.03 and -0.01 < leads["autumn"].value < 0


@section("On real data")
def test_the_threshold_from_the_costs(cheapest, cuts, fpr, pi, slope, summer, touch, tpr):
    cost = pi * 5 * (1 - tpr) + (1 - pi) * fpr
    holds("a flight costs on average")
    for place in range(1, len(cuts), 40):
        found = ConfusionCounts.from_labels(summer["late"], (summer["logistic"] >= cuts[place]).astype(int))
        assert np.isclose((5 * found.fn + found.fp) / len(summer), cost[place])
    proved("A warning is worth sending when $5p > 1 - p$, that is, when $p$ is above $1/(1 + 5)$, or 0.167.")
    chances = np.linspace(0, 1, 6001)
    assert round(chances[5 * chances > 1 - chances].min(), 3) == 0.167
    for chance in chances:
        assert (5 * chance > 1 - chance) == (chance > 1 / (1 + 5))
    holds("push a line of equal cost to the upper left until it touches the curve for the last time")
    line = tpr[touch] + slope * (fpr - fpr[touch])
    assert (tpr <= line + 1e-12).all() and np.isclose(cost[np.isclose(tpr, line)], cost.min()).all()
    assert np.isclose(cuts[touch], cheapest("logistic")) and np.isclose(cost[touch], cost.min())
    holds("the largest TPR - FPR, Youden's index, is right only if that slope is 1")
    for share in (0.05, 1 / 6, 0.5):  # at a price of 5 the slope is 1 where one flight in six is late
        paid = share * 5 * (1 - tpr) + (1 - share) * fpr
        assert np.isclose(paid[(tpr - fpr).argmax()], paid.min()) == (share == 1 / 6)
    holds("The line of equal cost, with a slope of 1.03, touches the curve at 0.209.", "Points of equal cost lie on a")
    assert round(slope, 2) == 1.03 and round(cuts[touch], 3) == 0.209
    holds("touches it at about 0.30 to the right and 0.68 up", "no point of the curve is above the line")
    assert (round(fpr[touch], 2), round(tpr[touch], 2)) == (0.30, 0.68) and (tpr <= line + 1e-12).all()
    sixth, half = (np.flatnonzero(cuts >= cut)[-1] for cut in (1 / 6, 0.5))
    holds("A diamond at about 0.43 and 0.79")
    assert (round(fpr[sixth], 2), round(tpr[sixth], 2)) == (0.43, 0.79)
    holds("At 0.5, nearly all late flights are missed.", "A square near the lower left corner")
    assert tpr[half] < 0.06 and fpr[half] < 0.01
    holds("above the diagonal")
    across = np.linspace(0.005, 0.995, 199)
    assert (np.interp(across, fpr, tpr) > across).all()


@section("On real data")
def test_what_the_thresholds_cost(at_sixth, autumn, bill, cheapest, costs, extra, models, searched):
    holds("Without any model, warning no one costs 2,925 and warning everyone 3,555.")
    assert (bill("logistic", 2).sum(), bill("logistic", 0).sum()) == (2925, 3555)
    assert {m: [int(c) for c in costs(m)] for m in models} == {
        "logistic": [2764, 2138, 2155],
        "bayes": [2511, 2251, 2211],
        "trees": [2689, 2131, 2139],
    }
    found = ConfusionCounts.from_labels(autumn["late"], (autumn["logistic"] >= 1 / 6).astype(int))
    assert 5 * found.fn + found.fp == at_sixth["logistic"].sum()
    by_half = extra(bill("logistic", 0.5), at_sixth["logistic"])
    holds("At 0.5, the regression costs 626 more than at 1/6 (95% interval 207 to 1,045).", "Move the threshold.")
    assert by_half == [626, 207, 1045] and by_half[1] > 0
    assert all(extra(bill(m, 0.5), at_sixth[m])[1] > 0 for m in models)
    holds("Of these, 521 are December's; October and November alone do not decide.")
    difference = bill("logistic", 0.5) - at_sixth["logistic"]
    of_month = {month: difference[autumn["month"] == month] for month in (10, 11, 12)}
    assert of_month[12].sum() == 521
    for month in (10, 11, 12):
        days = autumn["day"][autumn["month"] == month]
        drawn = bootstrap(np.mean, of_month[month], groups=days, n_resamples=2000, rng=0)
        assert (drawn.low < 0 < drawn.high) == (month < 12)
    holds("No gain from the search is shown.", "saves 40 by it, and that interval includes 0")
    gains = {m: extra(searched[m], at_sixth[m]) for m in models}
    assert gains["bayes"][0] == -40 and all(low < 0 < high for _, low, high in gains.values())
    holds("Even naive Bayes, whose probabilities are poor")
    assert normalized_cross_entropy(autumn["late"], np.clip(autumn["bayes"], 1e-4, 1 - 1e-4)) > 1
    assert normalized_cross_entropy(autumn["late"], autumn["logistic"]) < 1
    holds(
        "The trees cost 7 less than the regression (from 157 less to 143 more)",
        "and naive Bayes 113 more (from 71 less to 297 more)",
    )
    assert extra(at_sixth["trees"], at_sixth["logistic"]) == [-7, -157, 143]
    assert extra(at_sixth["bayes"], at_sixth["logistic"]) == [113, -71, 297]
    holds("The model is not decided.")
    pairs = [extra(at_sixth[one], at_sixth[two]) for one in models for two in models if one != two]
    assert all(low < 0 < high for _, low, high in pairs) and len(pairs) == 6
    holds("So set the threshold to 1/6 and, of the regression and the trees, use the one that is easier to run.")
    silence, everyone = (extra(bill("logistic", cut), at_sixth["logistic"]) for cut in (2, 0))
    assert silence == [787, 301, 1273] and everyone == [1417, 1113, 1721]


@section("On real data")
def test_shifts(cuts, fpr, pi, summer, tpr):
    rarer = pi / 2
    holds("but the line of equal cost would be steeper, and the best threshold would be higher or the same")
    assert (1 - rarer) / rarer > (1 - pi) / pi
    by_share = [cuts[(s * 5 * (1 - tpr) + (1 - s) * fpr).argmin()] for s in np.linspace(0.99, 0.01, 99)]
    assert by_share == sorted(by_share) and len(set(by_share)) < len(by_share)
    holds("Suppose now that delays became half as common", "The curve would not change")
    weight = np.where(summer["late"] == 1, 1, (1 - rarer) / rarer * pi / (1 - pi))
    assert np.isclose(np.average(summer["late"], weights=weight), rarer)
    assert np.isclose(auc(*roc_curve(summer["late"], summer["logistic"], sample_weight=weight)[:2]), auc(fpr, tpr))
    holds("Probabilities that were honest would now be too high, so 1/6 would be too low until you recalibrate them.")
    to_odds = (1 - pi) / pi / ((1 - rarer) / rarer)  # what Bayes' theorem makes of the odds of an honest probability
    honest = np.linspace(0.01, 0.99, 99)
    now = honest * to_odds / (honest * to_odds + 1 - honest)
    assert (now < honest).all() and honest[now > 1 / 6].min() > 1 / 6


@section("Try it")
def test_try_it(area_first, ends, falling, hits_first, y_four):
    holds("Order four late flights and four on-time flights in two ways.", "The first order should have the larger AUC")
    assert sum(area_first) == sum(hits_first) == 4 == len(area_first) - 4 == len(hits_first) - 4
    assert roc_auc_score(area_first, falling) > roc_auc_score(hits_first, falling)
    assert area_first.index(0) < hits_first.index(0)
    holds("The first has an AUC of 0.75 and the second of 0.625", "the first finds 0 late flights and the second 2")
    assert (roc_auc_score(area_first, falling), roc_auc_score(hits_first, falling)) == (0.75, 0.625)
    assert (area_first.index(0), hits_first.index(0)) == (0, 2)
    holds(
        "one number cannot decide, because it depends on how many false alarms you can afford", "The two curves cross"
    )
    one_curve, other_curve = (roc_curve(o, falling, drop_intermediate=False) for o in (area_first, hits_first))
    reached = [np.interp(at, one_curve.fpr, one_curve.tpr) - np.interp(at, *other_curve[:2]) for at in (0.1, 0.6)]
    assert reached[0] < 0 < reached[1]
    holds("An AUC of one half means that the score knows nothing.", "cuts on both sides, and makes no mistake")
    assert roc_auc_score(y_four, ends) == 1 / 2 and roc_auc_score(y_four, abs(ends - 0.5)) == 1
    holds("An AUC of one half says that the score as an order is no better than chance.")
    assert roc_auc_score(y_four, ends) == roc_auc_score(y_four, np.ones(4)) == 1 / 2


@section("Further")
def test_further(at_sixth, bill, extra, leads, models, y_true):
    holds("where a tie counts one half")
    assert roc_auc_score([1, 0], [1, 1]) == 1 / 2
    holds("and here it was worth more than the choice of model")
    moved = min(extra(bill(m, 0.5), at_sixth[m])[0] for m in models)
    assert moved > max(extra(at_sixth[one], at_sixth[two])[0] for one in models for two in models)
    holds("A lead of one season need not last")
    assert leads["summer"].low > 0 > leads["autumn"].value
    holds("exchange the axes, which turns the area into one minus the AUC")
    for seed in range(50):
        turned = np.random.default_rng(seed).integers(0, 6, 8)
        curve = roc_curve(y_true, turned)
        assert np.isclose(auc(curve.tpr, curve.fpr), 1 - roc_auc_score(y_true, turned))


@section("The choices")
def test_unchecked_the_choices():
    unchecked("torchmetrics returns 0, LightGBM 1", "their own code; see the convention on one class")
    unchecked("recognising speakers and faces", "who uses the curve is no result")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("drawn at random from those that left New York and landed", "the script that makes the file does it")
    unchecked("A flight is late if it arrived at least 30 minutes late.", "the script that makes the file does it")
    unchecked("All three used the same 11 columns", "the script that makes the file does it")
    unchecked("The weather is that of the hour of departure, not a forecast", "the script that makes the file does it")
    unchecked("A missed delay still costs as much as five needless warnings.", "a price, not a result")


@section("Further")
def test_unchecked_further():
    unchecked("give the usual range, 0.5 to 1", "read in the document, line 79")
