"""What book/lessons/confusion-matrix.ipynb says, held."""

import itertools
import warnings

import numpy as np

from metrics_lib import (
    ConfusionCounts,
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    confusion_matrix,
    matthews_corrcoef,
)
from metrics_lib.uncertainty import bootstrap
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-confusion-matrix")
def test_the_opening(A, B, axes, colours):
    holds("Two versions of it ran on the same 1,000 flights, of which 140 were late.")
    assert all(app.tp + app.fn == 140 and app.fp + app.tn == 860 for app in (A, B))
    holds("Version A never warns anyone.")
    assert A.tp + A.fp == 0
    holds("Version B sent 250 warnings, and 70 of them were right.")
    assert (B.tp + B.fp, B.tp) == (250, 70)
    holds("A was right about 860 of the 1,000 flights, and B about only 750.")
    assert (A.tp + A.tn, B.tp + B.tn) == (860, 750)
    holds("drawn so that an area is a number of flights")
    bars = axes[1].patches
    assert np.allclose([bar.get_width() * bar.get_height() for bar in bars], [70, 70, 180, 680])
    holds("B finds half of that column, at the price of 180 false alarms.")
    assert B.tp == B.fn == 70 and B.fp == 180 and len(colours) == 4
    holds("In A the narrow column is one block of 140 missed flights")
    assert (A.fn, A.tn) == (140, 860)
    holds("A is right more often, and yet it helps no one.", "it reaches the travellers on half of the late flights")
    assert A.accuracy > B.accuracy and A.recall == 0 and B.recall == 1 / 2
    costs = {miss: [app.fp + miss * app.fn for app in (A, B)] for miss in (1, 2, 5)}
    holds("A's mistakes cost 700 warnings and B's cost 530, so you ship B")
    assert costs[5] == [700, 530]
    holds("If it is only as bad as two, they cost 280 and 320, and you stay with A.")
    assert costs[2] == [280, 320]
    holds("The share of right answers cannot make that choice, because it gives both mistakes the same cost.")
    assert costs[1] == [1000 * app.error_rate for app in (A, B)]
    holds("The four numbers behind it can.")
    assert np.argmin(costs[5]) == 1 and np.argmin(costs[2]) == 0


@section("In one line")
def test_in_one_line(A):
    ten_true, ten_called = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0, 0, 0, 0, 0]
    holds("is 0.7 on the ten flights below, because seven of the ten answers are right")
    assert accuracy_score(ten_true, ten_called) == 0.7 == sum(map(int.__eq__, ten_true, ten_called)) / 10
    holds("the share of late flights, is 14%, an app that never warns is 86% accurate")
    assert A.accuracy == 0.86 and A.prevalence == 0.14 and A.tp + A.fp == 0


@section("By hand")
def test_by_hand(fn, fp, other, rates, table, ten, tn, tp, y_pred, y_true):
    holds("Three of them were late; the app warned of two of these, and of two flights that were on time.")
    assert y_true.sum() == 3 and (tp, fp, fn, tn) == (2, 2, 1, 5)
    holds("Seven of the ten answers are right, 2 + 5.")
    assert (y_true == y_pred).sum() == tp + tn == 7 and ten.accuracy == (2 + 5) / 10
    holds("with the true classes in the rows and class 0 first, as in the box above")
    assert table.tolist() == [[tn, fp], [fn, tp]]
    holds("The right answers are on the diagonal, 5 and 2.")
    assert table.diagonal().tolist() == [5, 2]
    holds("Eight rates divide one cell by the sum of its row or its column")
    by_row, by_column = table / table.sum(axis=1, keepdims=True), table / table.sum(axis=0)
    assert by_row.size + by_column.size == 8
    assert np.allclose(by_row, [[5 / 7, 2 / 7], [1 / 3, 2 / 3]])
    assert np.allclose(by_column, [[5 / 6, 1 / 2], [1 / 6, 1 / 2]])
    assert np.allclose(rates, [by_row[1, 1], by_row[0, 0], by_column[1, 1], by_column[0, 0]])
    holds("The rates come in pairs that add up to 1, so four of them are enough.")
    assert np.allclose(by_row.sum(axis=1), 1) and np.allclose(by_column.sum(axis=0), 1) and len(rates) == 4
    holds("because it is the precision of the other class")
    for hit, miss, alarm, quiet in itertools.product(range(3), repeat=4):
        truth = [1] * (hit + miss) + [0] * (alarm + quiet)
        said = [1] * hit + [0] * miss + [1] * alarm + [0] * quiet
        if quiet + miss:
            assert ConfusionCounts.from_labels(truth, said, pos_label=0).precision == quiet / (quiet + miss)
    assert other.precision == 5 / 6
    holds(
        "Rates computed within a true class do not change with the class sizes; "
        "rates computed within a predicted class can."
    )
    for hit, miss, alarm, quiet, k in itertools.product(range(1, 5), range(4), range(1, 4), range(4), (2, 3)):
        one = ConfusionCounts(tp=hit, fn=miss, fp=alarm, tn=quiet)
        more = ConfusionCounts(tp=hit, fn=miss, fp=k * alarm, tn=k * quiet)
        assert (one.recall, one.false_positive_rate) == (more.recall, more.false_positive_rate)
        assert one.precision > more.precision and one.false_discovery_rate < more.false_discovery_rate
    doubled = ConfusionCounts(tp=2, fn=1, fp=4, tn=10)
    holds("Recall stays at 2/3 and the false positive rate at 2/7, but precision falls from 1/2 to 1/3.")
    assert (doubled.recall, doubled.false_positive_rate) == (ten.recall, ten.false_positive_rate) == (2 / 3, 2 / 7)
    assert (ten.precision, doubled.precision) == (1 / 2, 1 / 3)


@section("By hand")
def test_three_classes(fn, fp, names, said, three, tn, tp, was):
    holds("With three classes the matrix has nine cells")
    assert len(names) == 3 and three.size == 9
    holds("Six of the ten answers are right, the 3, 2 and 1 on the diagonal.")
    assert three.diagonal().tolist() == [3, 2, 1] and (was == said).sum() == 6 and len(was) == 10
    holds("Every class has four cells of its own.")
    for number, name in enumerate(names):
        cells = ConfusionCounts.from_labels(was == name, said == name)
        assert cells.tp == three[number, number] and cells.fn == three[number].sum() - cells.tp
        assert cells.fp == three[:, number].sum() - cells.tp
        assert cells.tn == np.delete(np.delete(three, number, 0), number, 1).sum()
    late = ConfusionCounts.from_labels(was == "late", said == "late")
    holds(
        "TP is its number on the diagonal, 2; FN is the rest of its row, 1; FP is the rest of its column, 2; "
        "and TN is everything else, 5"
    )
    assert (late.tp, late.fn, late.fp, late.tn) == (2, 1, 2, 5)
    holds("These are the four cells above.", "The accuracy is only 0.6 now")
    assert (late.tp, late.fn, late.fp, late.tn) == (tp, fn, fp, tn) and accuracy_score(was, said) == 0.6
    holds(
        "because the cancelled flight that was predicted on time counts as a true negative for late "
        "but is still a mistake"
    )
    assert three[2, 0] == 1 and late.tp + late.tn - three.diagonal().sum() == three[2, 0] + three[0, 2] == 1


@section("How good is 75%?")
def test_how_good_is_75(A, B, late, measures, rate, warned):
    silent = np.zeros(1000, dtype=int)
    bar = np.maximum(rate, 1 - rate)
    line = rate * B.recall + (1 - rate) * B.specificity
    holds("If you give everyone the answer of the larger class, you are right as often as that class occurs")
    for ones, zeros in itertools.product(range(8), range(1, 8)):
        truth = [1] * ones + [0] * zeros
        constants = [accuracy_score(truth, [answer] * len(truth)) for answer in (0, 1)]
        assert max(constants) == max(ones, zeros) / len(truth)
    holds(
        "A model below the V is less accurate than a constant answer.", "With one late flight in seven, B is below it."
    )
    assert B.accuracy < max(0.14, 0.86) and round(1 / 0.14) == 7
    holds("A thick V falls from 1 to one half in the middle and rises to 1 again")
    assert (bar[0], bar[50], bar[100]) == (1, 0.5, 1) and bar.min() == 0.5
    holds("A dashed line falls gently from about 0.79 to 0.5")
    assert np.allclose(line[[0, -1]], [0.79, 0.5], atol=0.005) and (np.diff(line) < 0).all()
    holds("it is above the V only between about 0.30 and 0.61")
    assert np.array_equal(rate[line > bar].round(2), rate[30:62].round(2))
    holds("Accuracy from 0.4 to 1")
    assert line.min() > 0.4
    holds("A perfect app scores 1, and one that is wrong about each flight scores 0.")
    assert accuracy_score(late, late) == 1 and accuracy_score(late, 1 - late) == 0
    holds("it moves from 0.86 for our flights to 0.5 where both classes are equally common")
    assert A.accuracy == 0.86 and bar[50] == 0.5
    holds("Three related measures give a constant answer no credit.")
    assert len(measures) == 3
    for measure in measures:
        with warnings.catch_warnings(action="ignore"):
            constants = {round(float(measure(late, np.full(1000, answer))), 9) for answer in (0, 1)}
        assert constants == {0.5 if measure is balanced_accuracy_score else 0} and measure(late, late) == 1
    holds("is the mean of recall and specificity, which is 1/2 for a constant answer")
    assert np.isclose(balanced_accuracy_score(late, warned), (B.recall + B.specificity) / 2)
    assert balanced_accuracy_score(late, silent) == 1 / 2
    chance = ((B.tp + B.fp) * (B.tp + B.fn) + (B.tn + B.fn) * (B.tn + B.fp)) / 1000**2
    luck = np.random.default_rng(0)
    shuffled = np.mean([accuracy_score(late, luck.permutation(warned)) for _ in range(2000)])
    holds("If you shuffled B's 250 warnings among the 1,000 flights", "which is 0.68")
    assert warned.sum() == 250 and np.isclose(chance, 0.68) and abs(shuffled - chance) < 0.001
    holds("B gets (0.75 - 0.68)/(1 - 0.68) = 0.219.")
    assert np.isclose(cohen_kappa_score(late, warned), (B.accuracy - chance) / (1 - chance))
    assert round((0.75 - 0.68) / (1 - 0.68), 3) == 0.219 == round(cohen_kappa_score(late, warned), 3)
    holds("Kappa is the lead over chance, as a share of the greatest possible lead")
    for hit, miss, alarm, quiet in itertools.product(range(1, 5), repeat=4):
        n = hit + miss + alarm + quiet
        lucky = ((hit + alarm) * (hit + miss) + (quiet + miss) * (quiet + alarm)) / n**2
        truth = [1] * (hit + miss) + [0] * (alarm + quiet)
        said = [1] * hit + [0] * miss + [1] * alarm + [0] * quiet
        assert np.isclose(cohen_kappa_score(truth, said), ((hit + quiet) / n - lucky) / (1 - lucky))
        root = ((hit + alarm) * (hit + miss) * (quiet + alarm) * (quiet + miss)) ** 0.5
        assert np.isclose(matthews_corrcoef(truth, said), (hit * quiet - alarm * miss) / root)
    holds("is the correlation between truth and prediction, both written as 0 and 1")
    assert np.isclose(matthews_corrcoef(late, warned), np.corrcoef(late, warned)[0, 1])
    holds("For A it is 0/0, and the library returns 0 by convention.")
    with warnings.catch_warnings(record=True, action="always") as heard:
        assert matthews_corrcoef(late, silent) == 0
    assert "0/0, set to 0" in str(heard[0].message)
    with warnings.catch_warnings(action="ignore"):
        values = [[round(float(f(late, said)), 3) for said in (silent, warned)] for f in (accuracy_score, *measures)]
    holds("All three put B first.", "although its accuracy is poor")
    assert all(a < b for a, b in values[1:]) and values[0][0] > values[0][1] == 0.75
    holds("Kappa and MCC still move with the base rate")
    even = np.repeat([1, 0], 860), np.concatenate([np.repeat([1, 0], 430), np.repeat([1, 0], [180, 680])])
    assert np.isclose(balanced_accuracy_score(*even), values[1][1], atol=5e-4)  # the same rates at equal classes
    assert cohen_kappa_score(*even) > values[2][1] + 0.05 and matthews_corrcoef(*even) > values[3][1] + 0.05
    assert values == [[0.86, 0.75], [0.5, 0.645], [0, 0.219], [0, 0.233]]


@section("What it cannot see")
def test_what_it_cannot_see(C, D):
    holds("Two more versions are each right about 900 of the 1,000 flights.")
    assert all(one.tp + one.tn == 900 and one.tp + one.fp + one.fn + one.tn == 1000 for one in (C, D))
    holds("C misses 100 late flights and D misses none, but the accuracy is the same.")
    assert (C.fn, D.fn) == (100, 0) and C.accuracy == D.accuracy == 0.9
    holds("A warning at 51% and a warning at 99% count the same.")
    tables = [confusion_matrix([1, 0], [int(sure >= 0.5), 0]).tolist() for sure in (0.51, 0.99)]
    assert tables[0] == tables[1]
    flights = np.genfromtxt("cases/flights.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    cells = {}
    for month in (10, 12):
        part = flights[flights["month"] == month]
        cells[month] = ConfusionCounts.from_labels(part["late"], part["logistic"] >= 1 / 6)
    holds("a hit costs 4.46 false alarms in October (2.85 to 8.08) and 1.62 in December (1.16 to 2.49)")
    assert [round(one.fp / one.tp, 2) for one in cells.values()] == [4.46, 1.62]
    for month, ends in ((10, (2.85, 8.08)), (12, (1.16, 2.49))):
        part = flights[flights["month"] == month]
        answers, draws = (part["late"], part["logistic"] >= 1 / 6), {"groups": part["day"], "rng": 0}
        found = bootstrap(lambda y, x: (x & (y == 0)).sum() / (x & (y == 1)).sum(), *answers, n_resamples=2000, **draws)
        assert (round(found.low, 2), round(found.high, 2)) == ends


@section("The choices")
def test_the_choices(y_pred, y_true):
    for shown, array in (
        ("[[5, 2], [1, 2]]", confusion_matrix(y_true, y_pred)),
        ("[[5, 1], [2, 2]]", confusion_matrix(y_true, y_pred).T),
        ("[[2, 1], [2, 5]]", confusion_matrix(y_true, y_pred, labels=[1, 0])),
        ("[[2, 2], [1, 5]]", confusion_matrix(y_true, y_pred, labels=[1, 0]).T),
        ("[[0.714, 0.286], [0.333, 0.667]]", confusion_matrix(y_true, y_pred, normalize="true").round(3)),
    ):
        assert str(array.tolist()) == shown
    holds("[[5, 2], [1, 2]]", "[[5, 1], [2, 2]]", "[[2, 1], [2, 5]]", "[[2, 2], [1, 5]]")
    assert len({str(confusion_matrix(y_true, y_pred, labels=order).tolist()) for order in ([0, 1], [1, 0])}) == 2
    holds("[[0.714, 0.286], [0.333, 0.667]]")
    assert confusion_matrix(y_true, y_pred, normalize="true").round(3).tolist() == [[0.714, 0.286], [0.333, 0.667]]
    assert accuracy_score(y_true, y_pred, normalize=False) == 7
    assert round(balanced_accuracy_score(y_true, y_pred, adjusted=True), 3) == 0.381
    assert ConfusionCounts.from_labels(y_true, y_pred, pos_label=0).recall == 5 / 7
    holds("If they are the true classes, their sums count the flights that were late and on time.")
    ten = confusion_matrix(y_true, y_pred)
    assert ten.sum(axis=1).tolist() == [(y_true == 0).sum(), (y_true == 1).sum()] != ten.sum(axis=0).tolist()
    holds("gives the same accuracy, but exchanges precision and recall")
    turned = ConfusionCounts(tp=ten[1, 1], fp=ten[1, 0], fn=ten[0, 1], tn=ten[0, 0])
    right = ConfusionCounts.from_labels(y_true, y_pred)
    assert (turned.accuracy, turned.precision, turned.recall) == (right.accuracy, right.recall, right.precision)
    holds("chance at 0 instead of 1/2")
    for answer in (0, 1):
        same = [answer] * 10
        assert balanced_accuracy_score(y_true, same, adjusted=True) == 0
        assert balanced_accuracy_score(y_true, same) == 1 / 2
    proved("pass one false positive and two true positives, and see where the 1 and the 2 come out")
    orders = itertools.permutations(["TN", "FP", "FN", "TP"])
    layouts = [order for order in orders if order.index("TP") + order.index("TN") == 3]
    assert len(layouts) == len({(order.index("FP"), order.index("TP")) for order in layouts}) == 8


@section("On real data")
def test_the_cells_of_the_quarter(autumn, flights, late, silent, warned):
    holds("holds 8,280 flights that left New York from July to December 2013, 45 drawn at random from each day")
    days, counts = np.unique(flights["day"], return_counts=True)
    assert len(flights) == 8280 and len(days) == 184 and set(counts) == {45}
    assert set(flights["month"]) == set(range(7, 13)) and set(autumn["month"]) == {10, 11, 12}
    holds("pays off if $5p$ is greater than $1 - p$", "the app should warn at 1/6 or above")
    for p in np.arange(1, 1000) / 1000:
        assert (5 * p > 1 - p) == (p > 1 / 6)
    assert ((autumn["logistic"] >= 1 / 6) == warned).all()
    holds("a threshold above 1 never warns, and a threshold of 0 warns everyone", "an app that never warns?")
    assert not silent.any() and (flights["logistic"] >= 0).all()
    holds("By accuracy, never warning is better, 0.859 to 0.705")
    assert [round(accuracy_score(late, answer), 3) for answer in (silent, warned)] == [0.859, 0.705]


@section("On real data")
def test_the_app_saves_over_the_quarter(autumn, cost, everyone, never, saved):
    holds("counted in needless warnings", "The app costs least.")
    app = cost(autumn, 1 / 6)
    cells = ConfusionCounts.from_labels(autumn["late"], autumn["logistic"] >= 1 / 6)
    assert np.isclose(app.sum(), 1000 * (cells.fp + 5 * cells.fn))
    assert app.mean() < cost(autumn, never).mean() < cost(autumn, everyone).mean()
    holds("Flights of one day share its weather")
    by_day = [part.mean() for part in np.split(autumn["late"], 92)]
    assert len(set(autumn["day"])) == 92 and np.std(by_day) > 2 * np.sqrt(0.141 * 0.859 / 45)
    leads = [cost(autumn, against) - app for against in (never, everyone)]
    found = [bootstrap(np.mean, lead, groups=autumn["day"], n_resamples=2000, rng=0) for lead in leads]
    holds("Against both, the app is ahead over these three months.")
    assert all(one.low > 0 for one in found)
    assert saved(autumn, never) == "190 (85 to 309)" and saved(autumn, everyone) == "342 (271 to 415)"
    holds("December alone accounts for 77% of what the app saves over the three months, compared with never warning")
    by_month = {month: leads[0][autumn["month"] == month].sum() for month in (10, 11, 12)}
    assert round(by_month[12] / sum(by_month.values()), 2) == 0.77
    holds("in that month 22% of the flights were late", "In October and November, when 10% were")
    rates = [round(autumn["late"][autumn["month"] == month].mean(), 2) for month in (10, 11, 12)]
    assert rates == [0.1, 0.1, 0.22]
    holds("taken together they leave everything open from a loss of 34 to a gain of 181")
    calm = autumn["month"] < 12
    both = bootstrap(np.mean, leads[0][calm], groups=autumn["day"][calm], n_resamples=2000, rng=0)
    assert (round(both.low), round(both.high)) == (-34, 181)


@section("On real data")
def test_the_months_differ(ax, cost, everyone, flights, never):
    shown = {}
    for month in range(7, 13):
        part = flights[flights["month"] == month]
        draws = {"groups": part["day"], "n_resamples": 2000, "rng": 0}
        leads = [cost(part, against) - cost(part, 1 / 6) for against in (never, everyone)]
        shown[month] = [bootstrap(np.mean, lead, **draws) for lead in leads]
    holds(
        "Filled circles, against never warning, are at about 613, 257, -35, 37, 95 and 436",
        "the intervals of September, October and November cross 0",
    )
    assert [round(one[0].value) for one in shown.values()] == [613, 257, -35, 37, 95, 436]
    assert [month for month, (one, _) in shown.items() if one.low < 0 < one.high] == [9, 10, 11]
    holds("are at about 215, 277, 436, 430, 499 and 103; only the interval of December crosses 0")
    assert [round(one[1].value) for one in shown.values()] == [215, 277, 436, 430, 499, 103]
    assert [month for month, (_, one) in shown.items() if one.low < 0 < one.high] == [12]
    holds(
        "Where an interval reaches below 0, that month alone does not show a saving.", "the data do not show a saving"
    )
    assert all(shown[month][0].low < 0 < shown[month][0].high for month in (10, 11))
    holds("October and November look like September rather than like December.")
    values = {month: one.value for month, (one, _) in shown.items()}
    assert all(abs(values[month] - values[9]) < abs(values[month] - values[12]) for month in (10, 11))
    assert len(ax.containers) == 2


@section("On real data")
def test_the_price_decides(autumn, cost, everyone, never, prices):
    decided = {}
    for miss in (2, 3, 4, 5, 6, 8, 10):
        app = cost(autumn, 1 / (1 + miss), miss)
        leads = [cost(autumn, against, miss) - app for against in (never, everyone)]
        draws = {"groups": autumn["day"], "n_resamples": 2000, "rng": 0}
        decided[miss] = [bootstrap(np.mean, lead, **draws).low > 0 for lead in leads]
        assert bootstrap(np.mean, leads[0], **draws).high > 0
    holds(
        "At a price of 4 or more, these three months show a saving",
        "at 3 or less, they do not decide between the app and never warning",
    )
    assert {miss: shown for miss, (shown, _) in decided.items()} == {miss: miss >= 4 for miss in decided}
    assert all(shown for _, shown in decided.values()) and set(prices) <= set(decided)
    holds("Intervals that draw whole weeks, because a storm can last for days, say the same.")
    for miss in prices:
        lead = cost(autumn, never, miss) - cost(autumn, 1 / (1 + miss), miss)
        by_week = bootstrap(np.mean, lead, groups=autumn["day"] // 7, n_resamples=2000, rng=0)
        assert (by_week.low > 0) == decided[miss][0] and by_week.high > 0
    holds("At our price of 5 we ship the app", "we count it as five times as bad")
    assert all(decided[5])


@section("Try it")
def test_try_it(cells, few, many):
    silence = ConfusionCounts(tp=0, fn=100, fp=0, tn=1000 - 100)
    holds("Of 1,000 flights, 100 are late.")
    assert cells.tp + cells.fn == 100 and cells.tp + cells.fn + cells.fp + cells.tn == 1000
    holds("The accuracy is 0.9, and an app that never warns has the same accuracy.")
    assert cells.accuracy == silence.accuracy == 0.9
    holds("the accuracy of an app that never warns")
    assert silence.tp + silence.fp == 0 and silence.tn == cells.tn + cells.fp
    holds("A recall of 0.8 means 80 hits and 20 misses.", "A precision of 0.5 means as many false alarms as hits")
    assert (cells.tp, cells.fn) == (80, 20) and cells.fp == cells.tp and (cells.recall, cells.precision) == (0.8, 0.5)
    holds("so the other 820 flights are true negatives")
    assert cells.tn == 820
    holds("has a precision of 1/3 against 1/4 and a recall of 1 against 1/10, and still the lower accuracy")
    assert (many.precision, few.precision, many.recall, few.recall) == (1 / 3, 1 / 4, 1, 1 / 10)
    assert many.accuracy < few.accuracy
    holds("because its 9 extra hits come with 17 extra false alarms")
    assert (many.tp - few.tp, many.fp - few.fp) == (9, 17)
    holds("let most warnings of both be wrong")
    assert few.precision < 1 / 2 and many.precision < 1 / 2
    holds("with ten late flights among a hundred")
    assert all(one.tp + one.fn == 10 and one.tp + one.fp + one.fn + one.tn == 100 for one in (few, many))


@section("Further")
def test_further(A, B):
    holds("All rates of a yes-or-no answer come from its four cells")
    for app in (A, B):
        labels = np.repeat([1, 0, 1, 0], [app.tp, app.fp, app.fn, app.tn])
        said = np.repeat([1, 1, 0, 0], [app.tp, app.fp, app.fn, app.tn])
        assert ConfusionCounts.from_labels(labels, said) == app


@section("lesson-confusion-matrix")
def test_unchecked_the_opening():
    unchecked("30 minutes late or later", "the case below counts so")


@section("The choices")
def test_unchecked_the_choices():
    unchecked("the functions have scikit-learn's names", "the tests compare the library with it")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("gave it a probability of landing 30 minutes late or later", "the script does")
