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
    holds("140 of which were late")
    assert A.tp + A.fn == B.tp + B.fn == 140 and A.tn + A.fp == B.tn + B.fp == 860
    holds("sent 250 warnings, and 70 of them were right")
    assert B.tp + B.fp == 250 and B.tp == 70 and A.tp + A.fp == 0
    holds("A has 860 of 1,000, B has 750")
    assert (A.tp + A.tn, B.tp + B.tn) == (860, 750) and A.tp + A.fn + A.fp + A.tn == 1000
    holds("Two versions ran on the same 1,000 flights")
    assert len(axes) == len([A, B]) == 2
    holds("B gets half of that column for 180 false alarms")
    assert A.tn == 860 and A.fn == 140 and B.tp == B.fn == 70 and B.fp == 180
    holds("the travellers on half of the late flights hear of it in time")
    assert B.recall == 1 / 2 and A.recall == 0
    holds("puts the two in the wrong order")
    assert A.accuracy > B.accuracy and A.recall < B.recall
    holds("The four outcomes of each version")
    assert all(len([app.tp, app.fp, app.fn, app.tn]) == len(colours) == 4 for app in (A, B))
    holds("In B the narrow column is half found and half missed, 70 each")
    assert B.tp == B.fn == 70 == 140 / 2


@section("In one line")
def test_in_one_line(A):
    holds("`accuracy_score(y_true, y_pred)` is 0.7 on the ten flights below: seven answers of ten are right.")
    ten_true = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    ten_called = [1, 1, 0, 1, 1, 0, 0, 0, 0, 0]
    assert accuracy_score(ten_true, ten_called) == 0.7 == 7 / 10 and len(ten_true) == 10
    holds("the share of late flights, is 14 %, saying nothing to anybody has 86 %")
    assert A.accuracy == 0.86 and (A.tp + A.fn) / 1000 == 0.14 and A.tp + A.fp == 0


@section("By hand")
def test_by_hand(fn, fp, ten, tn, tp, y_pred, y_true):
    doubled = ConfusionCounts(tp=2, fn=1, fp=4, tn=10)
    holds("Three were late; the app warned of two of them, and of two others.")
    assert y_true.sum() == 3 and tp == 2 and fp == 2
    holds("Counted from the two arrays")
    assert y_true.shape == y_pred.shape
    holds("Seven right answers of ten, (2 + 5) / 10.")
    assert (tp, tn, len(y_true)) == (2, 5, 10) and (y_true == y_pred).sum() == 7
    holds("lays the four out with the true classes in the rows and the 0 first")
    assert confusion_matrix(y_true, y_pred).tolist() == [[tn, fp], [fn, tp]]
    holds("Five more rates divide one of the four by the sum of a row or a column")
    table = confusion_matrix(y_true, y_pred)
    assert ten.recall == table[1, 1] / table[1].sum() and ten.specificity == table[0, 0] / table[0].sum()
    assert ten.false_positive_rate == table[0, 1] / table[0].sum()
    assert ten.precision == table[1, 1] / table[:, 1].sum()
    assert ten.false_discovery_rate == table[0, 1] / table[:, 1].sum()
    holds("Rates within one true class stay when the sizes of the classes change; rates within one answer can move.")
    for hit, miss, alarm, quiet, k in itertools.product(range(1, 5), range(4), range(1, 4), range(4), (2, 3)):
        one = ConfusionCounts(tp=hit, fn=miss, fp=alarm, tn=quiet)
        more = ConfusionCounts(tp=hit, fn=miss, fp=k * alarm, tn=k * quiet)
        assert (one.recall, one.false_positive_rate) == (more.recall, more.false_positive_rate)
        assert one.precision > more.precision and one.false_discovery_rate < more.false_discovery_rate
    holds("recall stays 2/3, the false positive rate stays 2/7, and precision falls from 1/2 to 1/3")
    assert (doubled.recall, doubled.false_positive_rate) == (ten.recall, ten.false_positive_rate) == (2 / 3, 2 / 7)
    assert (ten.precision, doubled.precision) == (1 / 2, 1 / 3)


@section("How good is 75 %?")
def test_how_good_is_75(A, B, late, rate, warned):
    silent = np.zeros(1000, dtype=int)
    bar = np.maximum(rate, 1 - rate)
    line = rate * B.recall + (1 - rate) * B.specificity
    measures = (accuracy_score, balanced_accuracy_score, cohen_kappa_score, matthews_corrcoef)
    with warnings.catch_warnings(action="ignore"):
        values = [[round(float(f(late, said)), 3) for said in (silent, warned)] for f in measures]
    holds("The same to everybody is right as often as the larger class occurs")
    for ones, zeros in itertools.product(range(8), range(1, 8)):
        truth = [1] * ones + [0] * zeros
        constants = [accuracy_score(truth, [answer] * len(truth)) for answer in (0, 1)]
        assert max(constants) == max(ones, zeros) / len(truth)
    holds("Under the V any model loses to a constant answer; with one late flight in seven, B lies under it.")
    assert B.accuracy < max(0.14, 0.86) and round(1 / 0.14) == 7
    holds("A thick V falls from 1 to one half in the middle and rises to 1 again")
    assert (bar[0], bar[50], bar[100]) == (1, 0.5, 1) and bar.min() == 0.5
    holds("A dashed line falls gently from about 0.79 to 0.5")
    assert np.allclose(line[[0, -1]], [0.79, 0.5], atol=0.005) and (np.diff(line) < 0).all()
    holds("it is above the V between about 0.30 and 0.61 alone")
    assert np.array_equal(rate[line > bar].round(2), rate[30:62].round(2))
    holds("Perfect is 1 and worst is 0.")
    assert accuracy_score(late, late) == 1 and accuracy_score(late, 1 - late) == 0
    holds("0.86 for our flights, 0.5 where both classes are as common")
    assert values[0][0] == 0.86 and bar[50] == 0.5
    holds("Three relatives take the constant answer's luck out")
    for f in measures[1:]:
        with warnings.catch_warnings(action="ignore"):
            constants = {round(float(f(late, np.full(1000, answer))), 9) for answer in (0, 1)}
        assert constants == {0.5 if f is measures[1] else 0}
        assert f(late, late) == 1
    holds("mean of recall and specificity")
    assert np.isclose(balanced_accuracy_score(late, warned), (B.recall + B.specificity) / 2)
    holds("blind answers in the same numbers (0.68 for B), as a share of what is left to 1")
    blind = (250 * 140 + 750 * 860) / 1000**2
    assert np.isclose(blind, 0.68)
    assert np.isclose(cohen_kappa_score(late, warned), (B.accuracy - blind) / (1 - blind))
    holds("correlation of truth and prediction as 0 and 1")
    assert np.isclose(matthews_corrcoef(late, warned), np.corrcoef(late, warned)[0, 1])
    holds("0 (0/0, by convention)")
    with warnings.catch_warnings(record=True, action="always") as warnings_of_a:
        assert matthews_corrcoef(late, silent) == 0
    assert "0/0, set to 0" in str(warnings_of_a[0].message)
    holds("75 % is poor as an accuracy")
    assert B.accuracy == 0.75 < A.accuracy and values[3][1] > 0 == values[3][0]
    holds("They all put B first.")
    assert all(a < b for a, b in values[1:])
    assert values == [[0.86, 0.75], [0.5, 0.645], [0, 0.219], [0, 0.233]]


@section("What it cannot see")
def test_what_it_cannot_see(C, D):
    holds("Two more versions are right about 900 of the 1,000 flights")
    assert all(one.tp + one.tn == 900 and one.tp + one.fp + one.fn + one.tn == 1000 for one in (C, D))
    holds("C is silent about 100 late flights, D about none; to accuracy they are the same.")
    assert (C.fn, D.fn) == (100, 0) and C.accuracy == D.accuracy == 0.9
    holds("A warning at 51 % and one at 99 % are one count each.")
    sure = np.array([0.51, 0.99])
    assert [confusion_matrix([1, 0], [int(one >= 0.5), 0]).tolist() for one in sure] == [[[1, 0], [0, 1]]] * 2


@section("The choices")
def test_the_choices(y_pred, y_true):
    holds("[[5, 2], [1, 2]]")
    assert confusion_matrix(y_true, y_pred).tolist() == [[5, 2], [1, 2]]
    holds("[[5, 1], [2, 2]]")
    assert confusion_matrix(y_true, y_pred).T.tolist() == [[5, 1], [2, 2]]
    holds("[[2, 1], [2, 5]]")
    assert confusion_matrix(y_true, y_pred, labels=[1, 0]).tolist() == [[2, 1], [2, 5]]
    holds("[[0.714, 0.286], [0.333, 0.667]]")
    assert confusion_matrix(y_true, y_pred, normalize="true").round(3).tolist() == [[0.714, 0.286], [0.333, 0.667]]
    assert accuracy_score(y_true, y_pred, normalize=False) == 7
    assert round(balanced_accuracy_score(y_true, y_pred, adjusted=True), 3) == 0.381
    assert ConfusionCounts.from_labels(y_true, y_pred, pos_label=0).recall == 5 / 7
    holds("chance at 0, not at one half")
    for answer in (0, 1):
        same = [answer] * 10
        assert balanced_accuracy_score(y_true, same, adjusted=True) == 0
        assert balanced_accuracy_score(y_true, same) == 1 / 2
    proved("hand the function one false positive and two true positives, and see where the 1 and the 2 come out")
    orders = itertools.permutations(["TN", "FP", "FN", "TP"])
    layouts = [order for order in orders if order.index("TP") + order.index("TN") == 3]
    assert len(layouts) == len({(order.index("FP"), order.index("TP")) for order in layouts}) == 8


@section("On real data")
def test_on_real_data(ax, draws, flights, found, late, per_hit, warned):
    holds("The 6,000 flights in")
    assert len(flights) == len(late) == 6000
    holds("On time and no warning 4058, on time and warning 1087, late and no warning 429, late and warning 426.")
    assert confusion_matrix(late, warned).tolist() == [[4058, 1087], [429, 426]]
    holds("Half of the late flights are found, at more than two and a half false alarms for each of them.")
    shipped = ConfusionCounts.from_labels(late, warned)
    assert round(shipped.recall, 2) == 0.5 and 2.5 < shipped.fp / shipped.tp < 2.6
    holds("By accuracy silence wins, 0.8575 to 0.747")
    assert accuracy_score(late, 0 * late) == 0.8575 and round(accuracy_score(late, warned), 3) == 0.747
    holds("the app buys 426 hits for 1,087 false alarms, 2.55 for each hit")
    assert (shipped.tp, shipped.fp, round(found.value, 2)) == (426, 1087, 2.55)
    holds("so the 95 % interval draws whole days, 92 of them")
    assert len(set(flights["day"])) == 92
    assert np.allclose(found[1:3], np.quantile(found.distribution, [0.025, 0.975]))
    holds("Flights of one day share its weather")
    late_by_day = np.bincount(flights["day"], late)[-92:] / np.bincount(flights["day"])[-92:]
    assert late_by_day.std() > 2 * np.sqrt(late.mean() * (1 - late.mean()) * 92 / 6000)
    holds("From about 2 to 3.4; flight by flight it would look less than half as wide.")
    by_flight = bootstrap(per_hit, late, warned, n_resamples=2000, rng=0)
    assert np.round(found[1:3], 1).tolist() == [2, 3.4]
    assert by_flight.high - by_flight.low < (found.high - found.low) / 2
    noted = []
    bootstrap(lambda y, w: noted.append(((w * (1 - y)).sum(), (w * y).sum())) or 0, late, warned, **draws)
    alarms, hits = np.transpose(noted[1:])
    for cost in (1, 1.9, 2.1, 2.55, 3.3, 3.5, 5, 10):
        least, most = np.quantile(alarms - cost * hits, [0.025, 0.975])
        holds(
            "If a missed delay costs more than 3.4 needless warnings, ship the app; if less than 2, stay silent",
            "between the two this autumn does not decide",
        )
        assert [most < 0, least > 0] == [cost > 3.4, cost < 2]
    holds("we count it as five of them, and ship")
    assert found.high < 5


@section("Try it")
def test_try_it(cells, few, many):
    silence = ConfusionCounts(tp=0, fn=100, fp=0, tn=1000 - 100)
    holds("Of 1,000 flights 100 are late.")
    assert cells.tp + cells.fn == 100 and cells.tp + cells.fn + cells.fp + cells.tn == 1000
    holds("The accuracy is 0.9, and silence has 0.9, too.")
    assert cells.accuracy == silence.accuracy == 0.9
    holds("A recall of 0.8 makes 80 hits and 20 misses; a precision of 0.5 makes as many false alarms as hits")
    assert (cells.tp, cells.fn) == (80, 20) and cells.fp == cells.tp and (cells.recall, cells.precision) == (0.8, 0.5)
    holds("the other 820 flights are true negatives")
    assert cells.tn == 820
    holds("The second has a precision of 1/3 against 1/4 and a recall of 1 against 1/10, and the lower accuracy")
    assert (many.precision, few.precision, many.recall, few.recall) == (1 / 3, 1 / 4, 1, 1 / 10)
    assert many.accuracy < few.accuracy
    holds("since its 9 hits more come with 17 false alarms more")
    assert (many.tp - few.tp, many.fp - few.fp) == (9, 17) and 9 < 17
    holds("both more often wrong than right")
    assert few.precision < 1 / 2 and many.precision < 1 / 2
    holds("ten late flights of a hundred")
    assert all(one.tp + one.fn == 10 and one.tp + one.fp + one.fn + one.tn == 100 for one in (few, many))


@section("lesson-confusion-matrix")
def test_unchecked_the_opening():
    unchecked("30 minutes late or later", "the case below counts so")


@section("The choices")
def test_unchecked_the_choices():
    unchecked("the functions have scikit-learn's names", "the tests compare the library with it")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("a message too many, a missed delay a pick-up that nobody moved", "what a mistake costs is the reader's")
    unchecked("gave each a probability of being late", "the script does")
