"""What book/lessons/averaging.ipynb says, held."""

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest

from metrics_lib import (
    UndefinedMetricWarning,
    accuracy_score,
    balanced_accuracy_score,
    classification_report,
    confusion_matrix,
    f1_score,
    macro_f1_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)
from metrics_lib.uncertainty import bootstrap, paired_difference, wilson_interval
from tests.claims.runner import holds, section


def bill(matrix, price):
    """What the mistakes of a version cost, in other mistakes, if a missed fraud costs the price."""
    missed = matrix[2].sum() - matrix[2, 2]
    return matrix.sum() - matrix.trace() - missed + price * missed


@section("lesson-averaging")
def test_the_opening(A, B, axes):
    holds("sorted the same 100 emails")
    assert A.sum() == B.sum() == 100 and (A.sum(axis=1) == B.sum(axis=1)).all()
    holds("A filed 87 of them correctly and B filed 80, but of the 5 reports of fraud A found none and B found 4.")
    assert (A.trace(), B.trace()) == (87, 80)
    assert (A[2, 2], B[2, 2], A[2].sum(), B[2].sum()) == (0, 4, 5, 5)
    shares = [(m.diagonal() / m.sum(axis=1)).round(2).tolist() for m in (A, B)]
    holds("In A the blue reaches 0.99, 0.53 and 0.")
    assert shares[0] == [0.99, 0.53, 0]
    holds("In B the blue reaches 0.83, 0.67 and 0.80.")
    assert np.allclose(shares[1], [0.825, 0.667, 0.8], atol=0.006)
    holds("each with three bars from 0 to 1 on top of each other, a thick one for 80 questions, a thinner one for 15")
    assert A.sum(axis=1).tolist() == [80, 15, 5] and len(A) == 3 and len(axes) == 2
    holds('The panel is marked "area 0.87", and a dashed vertical line is marked "mean 0.51".')
    assert [text.get_text() for text in axes[0].texts] == ["mean 0.51", "area\n0.87"]
    holds('The panel is marked "area 0.80", and the line "mean 0.76".')
    assert [text.get_text() for text in axes[1].texts] == ["mean 0.76", "area\n0.80"]
    holds("The area counts every email alike, and there A wins by 0.87 to 0.80.")
    assert (A.trace() / A.sum(), B.trace() / B.sum()) == (0.87, 0.8)
    holds("The dashed line counts every class alike, and there B wins by 0.76 to 0.51.")
    assert [round((m.diagonal() / m.sum(axis=1)).mean(), 2) for m in (B, A)] == [0.76, 0.51]
    holds("A missed report costs the desk as much as 50 other mistakes.", "cost 5 · 50 + 8 = 258")
    assert bill(A, 50) == 5 * 50 + 8 == 258
    holds("A's 13 mistakes include 5 missed frauds", "B's 20 mistakes cost 50 + 19 = 69")
    assert bill(B, 50) == 50 + 19 == 69 and (bill(A, 1), bill(B, 1)) == (13, 20)
    holds("B is already the cheaper version when a missed fraud costs as much as 3 other mistakes.")
    assert [bill(B, price) < bill(A, price) for price in (1, 2, 3, 4, 50)] == [False, False, True, True, True]


@section("In one line")
def of_b(B):
    b_true, b_pred = np.repeat(np.indices((3, 3)).reshape(2, -1), B.ravel(), axis=1)
    return [round(f1_score(b_true, b_pred, average=a), 3) for a in ("macro", "weighted", "micro")]


@section("In one line")
def test_in_one_line(B):
    b_true, b_pred = np.repeat(np.indices((3, 3)).reshape(2, -1), B.ravel(), axis=1)
    of_b = [round(f1_score(b_true, b_pred, average=a), 3) for a in ("macro", "weighted", "micro")]
    holds("the harmonic mean of the two")
    for p, r, f in zip(
        *(score(b_true, b_pred, average=None) for score in (precision_score, recall_score, f1_score)), strict=True
    ):
        assert np.isclose(f, 2 / (1 / p + 1 / r))
    holds("is 0.727, `", "gives 0.819 and", "gives 0.8.")
    assert of_b == [0.727, 0.819, 0.8]
    holds("If each sample has one true and one predicted class, and no class is left out, micro-F1 is the accuracy.")
    for truth, said in itertools.product(itertools.product(range(3), repeat=3), repeat=2):
        assert np.isclose(f1_score(truth, said, average="micro"), accuracy_score(truth, said))
    assert f1_score(b_true, b_pred, labels=[1, 2], average="micro") != accuracy_score(b_true, b_pred)


@section("lesson-averaging-by-hand")
def test_by_hand(A, B, averages, how, kept, of_b, scores, ways, y_pred, y_true):
    hit, alarm, miss = B.diagonal(), B.sum(axis=0) - B.diagonal(), B.sum(axis=1) - B.diagonal()
    assert [x.tolist() for x in (hit, alarm, miss)] == [[66, 10, 4], [4, 15, 1], [14, 5, 1]]
    assert (hit.sum(), alarm.sum(), miss.sum()) == (80, 20, 20)
    rates = [s(y_true, y_pred, average=None).round(3).tolist() for s in scores]
    holds("132/150 = 0.88", "20/40 = 0.5", "8/10 = 0.8")
    assert rates[2] == [132 / 150, 20 / 40, 8 / 10] == [0.88, 0.5, 0.8]
    holds("F1 is 2 TP / (2 TP + FP + FN), which for questions is 132/(132 + 4 + 14).")
    assert np.allclose(2 * hit / (2 * hit + alarm + miss), rates[2]) and rates[2][0] == 132 / (132 + 4 + 14)
    assert averages(A).round(3).tolist() == [0.87, 0.84, 0.523]
    holds("(0.88 + 0.5 + 0.8)/3 = 0.727")
    assert round((0.88 + 0.5 + 0.8) / 3, 3) == 0.727 == of_b[0]
    holds("0.8 · 0.88 + 0.15 · 0.5 + 0.05 · 0.8 = 0.819")
    assert round(0.8 * 0.88 + 0.15 * 0.5 + 0.05 * 0.8, 3) == 0.819 == of_b[1]
    holds("160/(160 + 20 + 20) = 0.8")
    assert 160 / (160 + 20 + 20) == 0.8 == of_b[2]
    holds("What is the F1 if each class counts by its size?")
    assert np.isclose(np.average(f1_score(y_true, y_pred, average=None), weights=B.sum(axis=1)), averages(B)[1])
    holds("the sum of a row and a column is the 2 TP + FP + FN of its class")
    assert (B.sum(axis=0) + B.sum(axis=1)).tolist() == (2 * hit + alarm + miss).tolist()
    holds("unroll the table into 100 pairs")
    assert y_true.size == 100 and np.array_equal(confusion_matrix(y_true, y_pred), B)
    assert np.allclose(averages(B), [f1_score(y_true, y_pred, average=way) for way in ways])
    report = classification_report(y_true, y_pred, target_names=how["target_names"], output_dict=True)
    holds("The last two rows average the columns above them, each column by itself.")
    for k, column in enumerate(("precision", "recall", "f1-score")):
        of_classes = [report[name][column] for name in how["target_names"]]
        assert np.isclose(report["macro avg"][column], np.mean(of_classes)) and np.allclose(
            of_classes, rates[k], atol=1e-3
        )
        assert np.isclose(report["weighted avg"][column], np.average(of_classes, weights=B.sum(axis=1)))
    holds("The row above these is called accuracy where you might look for a micro average")
    assert list(report)[3:] == ["accuracy", "macro avg", "weighted avg"] and report["accuracy"] == of_b[2]
    holds("For the same numbers as arrays, call `precision_recall_fscore_support`.")
    arrays = precision_recall_fscore_support(y_true, y_pred)
    assert [x.round(3).tolist() for x in arrays[:3]] == rates and arrays[3].tolist() == [80, 15, 5]
    holds(
        "An email in the wrong class is one miss for the class it belongs to and one false alarm for the class it was"
    )
    assert alarm.sum() == miss.sum() == (y_true != y_pred).sum()
    holds("So FN and FP each add up to the 20 mistakes, and micro-F1 is 160/200, the share of right answers.")
    assert alarm.sum() == miss.sum() == 20 and accuracy_score(y_true, y_pred) == 160 / 200
    holds("Micro precision and micro recall are 80/100, which is the same number again.")
    for samples in itertools.combinations_with_replacement(itertools.product(range(3), repeat=2), 4):
        truth, said = zip(*samples, strict=True)
        accuracy = accuracy_score(truth, said)
        assert all(np.isclose(s(truth, said, average="micro"), accuracy) for s in scores)
    assert all(np.isclose(s(y_true, y_pred, average="micro"), 80 / 100) for s in scores)
    holds("Precision, recall and F1 now differ.")
    assert len({s(y_true, y_pred, **kept) for s in scores}) == 3
    holds(
        "The 14 questions that B took for complaints still count as false alarms, but their misses have gone with the"
    )
    assert B[0, 1] == 14 and alarm[1:].sum() == 16 and miss[1:].sum() == 6
    holds("Abstaining, which adds an FN but no FP, breaks the identity too")
    silent = np.where(y_true == y_pred, y_pred, -1)
    assert precision_score(y_true, silent, labels=[0, 1, 2], average="micro") == 1
    assert recall_score(y_true, silent, labels=[0, 1, 2], average="micro") == 0.8
    holds("and so does a sample with several labels")
    several, said = [[1, 1, 0]], [[1, 0, 0]]
    assert precision_score(several, said, average="micro") != recall_score(several, said, average="micro")


@section("lesson-averaging-balanced")
def columns(A, B, averages, constant, shuffled, size):
    sorted_ways = zip("ABCS", (A, B, constant, shuffled), strict=True)
    return {n: [*averages(m), (m.diagonal() / size).mean()] for n, m in sorted_ways}


@section("lesson-averaging-balanced")
def test_how_good_is_0_727(A, B, ax, columns, labels, looks, ways, y_pred, y_true):
    holds("Four averages of four ways to sort the 100 emails")
    assert len(looks) == 4 == len(ax.get_yticks()) and {m.sum() for m, _ in looks.values()} == {100}
    holds("looks respectable in the upper two rows and poor in the lower two")
    costs = np.subtract([columns["A"], columns["B"]], columns["C"])
    assert (costs[:, :2] < 0.17).all() and (costs[:, 2:] > 0.17).all()
    assert min(columns["C"][:2]) > 0.7 and max(columns["C"][2:]) < 0.35
    holds("A leads in the upper two, B in the lower two.")
    assert [np.argmax([columns[n][k] for n in "ABCS"]) for k in range(4)] == [0, 0, 1, 1]
    holds("are together at 0.80, and the square of B shuffled is at 0.60")
    assert np.allclose([columns[n][0] for n in "ABCS"], [0.87, 0.8, 0.8, 0.6])
    holds("A is at 0.84, B at 0.82, the cross at 0.71 and the square at 0.63")
    assert np.allclose([columns[n][1] for n in "ABCS"], [0.84, 0.82, 0.71, 0.63], atol=0.005)
    holds("B is at 0.73, A at 0.52, the square at 0.33 and the cross at 0.30")
    assert np.allclose([columns[n][2] for n in "BASC"], [0.73, 0.52, 0.33, 0.3], atol=0.005)
    holds("B is at 0.76, A at 0.51, and the other two are together at one third")
    assert np.allclose([columns[n][3] for n in "BACS"], [0.76, 0.51, 1 / 3, 1 / 3], atol=0.005)
    rng = np.random.default_rng(0)
    drawn = [[f1_score(y_true, rng.permutation(y_pred), average=way) for way in ways] for _ in range(300)]
    holds("and B's own answers in random order")
    assert np.allclose(np.mean(drawn, axis=0), columns["S"][:3], atol=0.01)
    holds("The constant answer is as accurate as B, because 80 of the 100 emails are questions.")
    assert columns["B"][0] == columns["C"][0] == 0.8 == B[0].sum() / B.sum()
    holds("Its macro-F1 is 0.296, far below B's 0.727.")
    assert (round(columns["C"][2], 3), round(columns["B"][2], 3)) == (0.296, 0.727)
    holds("A constant answer gives one class a recall of 1 and the others 0", "here 1/3, whatever the sizes")
    for sizes in itertools.chain(itertools.product(range(1, 5), repeat=2), itertools.product(range(1, 5), repeat=3)):
        truth = np.repeat(range(len(sizes)), sizes)
        for answer in range(len(sizes)):
            same = np.full(truth.size, answer)
            assert np.isclose(recall_score(truth, same, average="macro"), 1 / len(sizes))
            assert np.isclose(balanced_accuracy_score(truth, same), 1 / len(sizes))
    assert np.allclose([balanced_accuracy_score(*labels(m)) for m in (A, B)], [columns["A"][3], columns["B"][3]])
    holds("Macro recall gives that class 0, and balanced accuracy leaves it out.")
    with warnings.catch_warnings(action="ignore"):
        odd = [0, 0, 1], [0, 2, 1]
        assert recall_score(*odd, average="macro") == recall_score(*odd, average=None).sum() / 3 == 0.5
        assert balanced_accuracy_score(*odd) == recall_score(*odd, labels=[0, 1], average="macro") == 0.75


@section("What it cannot see")
def test_what_it_cannot_see(A, B, C, averages, columns, labels):
    holds("a third version also makes 13 mistakes, but misses no fraud")
    assert bill(C, 1) == 13 == bill(A, 1) and C[2, 2] == C[2].sum() and (C.sum(axis=1) == A.sum(axis=1)).all()
    holds("Micro cannot see which class the mistakes hit.")
    for cells in itertools.product(range(3), repeat=4):
        spread = np.array(cells).reshape(2, 2)
        if (spread.sum(axis=0) + spread.sum(axis=1)).all():
            assert np.isclose(averages(spread)[0], spread.trace() / spread.sum())
    holds("Both have a micro-F1 of 0.87, although at the desk's prices A's mistakes cost 258 and C's 13.")
    assert averages(A)[0] == averages(C)[0] == 0.87 and (bill(A, 50), bill(C, 50)) == (258, 13)
    holds("Macro cannot see how few samples a class has.")
    assert np.isclose(
        recall_score(*labels(B), average="macro"), recall_score(*labels(B * [[1], [2], [7]]), average="macro")
    )
    holds("One more fraud found lifts macro recall as much as 16 more questions.")
    step = np.array([[-16, 16, 0], [0, 0, 0], [0, 0, 0]]), np.array([[0, 0, 0], [0, 0, 0], [0, -1, 1]])
    lifts = [recall_score(*labels(B + change), average="macro") - columns["B"][3] for change in step]
    assert np.isclose(lifts[1], -lifts[0]) and lifts[1] > 0
    holds("Yet the recall of 0.8 for fraud rests on 5 emails, and this is its 95% interval:")
    assert wilson_interval(4, 5) == wilson_interval(4, 5, confidence_level=95 / 100)
    assert B[2].sum() == 5 and B[2, 2] / B[2].sum() == 0.8


@section("The choices")
def test_the_choices(A, bold, labels, mixed, pair, rows, scores, y_pred, y_true):
    macros = {d: round(macro_f1_score(y_true, y_pred, definition=d), 3) for d in ("mean_of_f1", "f1_of_means")}
    assert macros == {"mean_of_f1": 0.727, "f1_of_means": 0.738}
    assert round(f1_score(y_true, y_pred, average="weighted"), 3) == 0.819
    assert f1_score(y_true, y_pred, average=None).round(3).tolist() == [0.88, 0.5, 0.8]
    four = {"labels": [0, 1, 2, 3], "average": "macro"}
    absent = [f1_score(y_true, y_pred, **four, zero_division=z) for z in (0, 1, np.nan)]
    assert np.round(absent, 3).tolist() == [0.545, 0.795, 0.727]
    holds("scikit-learn, with a warning", "the same, without a warning")
    with pytest.warns(UndefinedMetricWarning):
        assert f1_score(y_true, y_pred, **four) == absent[0]
    holds("what you put there moves macro-F1 by up to a quarter of the scale")
    assert np.isclose(absent[1] - absent[0], 1 / 4)
    holds("Nothing was called fraud, so its precision is 0/0, but its F1 computed from the counts is 0.")
    assert A[:, 2].sum() == 0 < A[2].sum()
    assert {f1_score(*labels(A), average=None, zero_division=z)[2] for z in (0, 1, np.nan)} == {0}
    holds("They can rank two systems in opposite order, here with ten samples in each of two classes:")
    assert all(np.bincount(x[0]).tolist() == [10, 10] for x in (bold, mixed))
    assert rows[0][1] < rows[1][1] and rows[0][2] > rows[1][2]
    holds("Two metrics are named macro-F1")
    assert len(macros) == len(set(macros.values())) == 2
    holds("Bold gives the second answer nine times in ten.", "precisions are 0.5 and 0.5 and its recalls 0.1 and 0.9")
    assert (bold[1] == 1).mean() == 0.9
    assert precision_score(*bold, average=None).tolist() == [0.5, 0.5]
    assert recall_score(*bold, average=None).tolist() == [0.1, 0.9]
    holds("the means hide that it loses nearly all of one class")
    assert recall_score(*bold, average="macro") == 0.5 and sum(recall_score(*bold, average=None) < 0.2) == 1
    holds("The F1 of the means is at least as large as the mean of the F1s")
    for counts in itertools.product(range(1, 5), repeat=4):
        one, other = (macro_f1_score(*labels(np.reshape(counts, (2, 2))), definition=d) for d in macros)
        assert other >= one - 1e-12
    holds("For two classes, with $F_1(P, R) = 2PR / (P + R)$")
    assert np.isclose(2 * 0.5 * 0.1 / (0.5 + 0.1), f1_score(*bold, average=None)[0])
    holds(
        "is a square divided by positive numbers.",
        "so the two macro-F1s differ by half of this.",
        "With more than two classes, add them one at a time.",
    )
    ends = [Fraction(1, 5), Fraction(1, 2), Fraction(1)]
    for p1, r1, p2, r2, p3, r3 in itertools.product(ends, repeat=6):
        f = {
            x: 2 * x[0] * x[1] / sum(x)
            for x in ((p1 + p2, r1 + r2), (p1, r1), (p2, r2), ((p1 + p2) / 2, (r1 + r2) / 2))
        }
        more = f[p1, r1] + f[p2, r2]
        square = 2 * (p1 * r2 - p2 * r1) ** 2 / ((p1 + r1) * (p2 + r2) * (p1 + p2 + r1 + r2))
        assert f[p1 + p2, r1 + r2] - more == square >= 0 and f[(p1 + p2) / 2, (r1 + r2) / 2] - more / 2 == square / 2
        assert f[p1 + p2, r1 + r2] == 2 * f[(p1 + p2) / 2, (r1 + r2) / 2]
        of_three = 2 * (p1 + p2 + p3) * (r1 + r2 + r3) / (p1 + p2 + p3 + r1 + r2 + r3)
        assert (
            of_three / 3 >= (f[p1 + p2, r1 + r2] + 2 * p3 * r3 / (p3 + r3)) / 3 >= (more + 2 * p3 * r3 / (p3 + r3)) / 3
        )
    holds("The F1 of one class lies between its precision and its recall, but a weighted F1 need not:")
    for counts in itertools.product(range(1, 5), repeat=4):
        of_class = np.array([s(*labels(np.reshape(counts, (2, 2))), average=None) for s in scores])
        assert (of_class[:2].min(axis=0) <= of_class[2] + 1e-12).all()
        assert (of_class[2] <= of_class[:2].max(axis=0) + 1e-12).all()
    three = [s(*pair, average="weighted") for s in scores]
    holds(
        "Weighted precision is 0.918 and weighted recall 0.91, but weighted F1 is 0.875, because the small class pulls"
    )
    assert np.round(three, 3).tolist() == [0.918, 0.91, 0.875] and three[2] < min(three[:2])
    of_class = f1_score(*pair, average=None)
    assert np.isclose(three[2], np.average(of_class, weights=[10, 90])) and of_class[0] < three[2] < of_class[1]
    assert of_class[1] > max(three[:2])  # without the small class it would lie above both
    holds("Weighted recall is the accuracy again, as the sizes of the classes cancel.")
    for truth, said in itertools.product(itertools.product(range(3), repeat=4), repeat=2):
        if set(said) <= set(truth):
            assert np.isclose(recall_score(truth, said, average="weighted"), accuracy_score(truth, said))


@section("lesson-averaging-case")
def in_numbers(classes, flights, status):
    """The flights and what the models said of them, with a class as its number in the list of classes."""
    number = {name: x for x, name in enumerate(classes)}
    return [np.array([number[name] for name in x]) for x in (status, flights["balanced"], flights["plain"])]


def lead(metric, rows, arrays, day):
    """By how much the balanced model leads in a macro average, with its interval, drawing days."""
    true, balanced, plain = (x[rows] for x in arrays)

    def gain(y, x, z):
        return metric(y, x, average="macro", zero_division=0) - metric(y, z, average="macro", zero_division=0)

    return bootstrap(gain, true, balanced, plain, groups=day[rows], n_resamples=1000, rng=0)[:3]


@section("lesson-averaging-case")
def test_the_two_models(axes, classes, day, flights, in_numbers, on_time, recalls, rows, status):
    tables = {m: confusion_matrix(status, flights[m], labels=classes) for m in ("plain", "balanced")}
    holds("The 6,000 flights in")
    assert len(flights) == 6000 and (day.min(), day.max()) == (274, 365)
    holds(
        "The plain model has the larger area but finds no cancelled flight, and the balanced model has the higher mean."
    )
    found = {m: t.diagonal() / t.sum(axis=1) for m, t in tables.items()}
    assert tables["plain"].trace() > tables["balanced"].trace() and found["plain"][2] == 0
    assert found["plain"].mean() < found["balanced"].mean()
    holds("thick for 5,067 flights on time, thin for 808 late ones and a line for 125 cancelled ones")
    assert len(axes) == 2 and tables["plain"].sum(axis=1).tolist() == [5067, 808, 125]
    holds('the blue reaches 0.99, 0.04 and 0, and the panel is marked "area 0.84" and "mean 0.34"')
    assert found["plain"].round(2).tolist() == [0.99, 0.04, 0]
    assert [text.get_text() for text in axes[0].texts] == ["mean 0.34", "area\n0.84"]
    holds('it reaches 0.63, 0.29 and 0.63, and the panel is marked "area 0.59" and "mean 0.52"')
    assert found["balanced"].round(2).tolist() == [0.63, 0.29, 0.63]
    assert [text.get_text() for text in axes[1].texts] == ["mean 0.52", "area\n0.59"]
    holds("Micro and weighted F1 prefer the plain model, although it is no more accurate than the constant")
    assert rows[0][1] > rows[0][2] and rows[1][1] > rows[1][2] and rows[0][1] < rows[0][3]
    gap = paired_difference(status == flights["plain"], status == on_time, groups=day, n_resamples=2000, rng=0)
    assert gap[1] < 0 < gap[2] and max(-gap[1], gap[2]) < 0.004
    holds("Macro-F1 and macro recall prefer the balanced one.")
    assert rows[2][1] < rows[2][2] and recalls[0] < recalls[1]
    holds("A storm delays or cancels many flights at once, so we draw whole days.")
    for name in classes[1:]:
        of_day = [(status[day == d] == name).mean() for d in np.unique(day)]
        assert np.std(of_day) > 1.5 * np.sqrt(np.mean(of_day) * 92 / 6000)


@section("lesson-averaging-case")
def test_the_lead_by_month(day, in_numbers, parts):
    months = ("October", "November", "December")
    recall, f1 = (
        {name: lead(metric, parts[name], in_numbers, day) for name in (*months, "all three")}
        for metric in (recall_score, f1_score)
    )
    holds("In macro recall the balanced model leads by 0.17 (95% interval 0.13 to 0.21)")
    assert np.round(recall["all three"], 2).tolist() == [0.17, 0.13, 0.21]
    holds("and by 0.16 to 0.19 in each of the three months")
    assert all(round(recall[name][0], 2) in (0.16, 0.17, 0.18, 0.19) and recall[name][1] > 0.05 for name in months)
    assert {round(recall[name][0], 2) for name in months} >= {0.16, 0.19}
    holds("In macro-F1 it leads by 0.036 (0.009 to 0.063), but that lead comes from December.")
    assert np.allclose(f1["all three"], [0.036, 0.009, 0.063], atol=0.0015) and f1["December"][1] > 0.02
    holds("In October and November it is below 0.005, and its intervals include 0.")
    assert all(f1[name][1] < 0 < f1[name][0] < 0.005 and f1[name][2] > 0 for name in months[:2])


@section("lesson-averaging-case")
def test_the_plans(called, day, gone, parts, per_hit, row, worst):
    rows = {name: row(name, part) for name, part in parts.items()}
    holds("The worst days are the three with the most cancelled flights.")
    counts = {int(d): gone[day == d].sum() for d in np.unique(day)}
    assert set(sorted(counts, key=counts.get)[-3:]) == set(day[worst]) and sorted(counts.values())[-4:-2] == [8, 9]
    holds("is the same number if the flights are called at random:")
    rng = np.random.default_rng(0)
    drawn = [per_hit(gone, rng.permutation(called)) for _ in range(200)]
    assert abs(np.median(drawn) / rows["all three"][-1] - 1) < 0.1
    holds("Over the quarter the desk wastes 15.6 plans for each one that is needed (10.2 to 28.9).")
    assert round(rows["all three"][3], 1) == 15.6 and rows["all three"][4] == "10.2 to 28.9"
    holds(
        "Random calls would waste 2.5 to 3.5 times as many in each month",
        "none of the three intervals reaches below 1.5 times",
    )
    times = {name: values[-1] / values[3] for name, values in rows.items()}
    assert [round(times[name], 1) for name in ("October", "November", "December")] == [3.5, 3.4, 2.5]

    def against_random(y, x):
        return per_hit(y, np.full(len(y), True)) / per_hit(y, x)

    for part in parts.values():
        assert bootstrap(against_random, gone[part], called[part], groups=day[part], n_resamples=500, rng=0).low > 1.5
    holds("The months differ because cancelled flights are four times as common in December as in November.")
    share = {name: gone[part].mean() for name, part in parts.items()}
    assert round(share["December"] / share["November"]) == 4
    assert max(times.values()) / min(times.values()) < 1.5 < rows["November"][3] / rows["December"][3]
    holds("The three worst days alone hold 39 of the 125 cancelled flights", "the ratio is 25.1 (16.8 to 42.3)")
    assert (gone[worst].sum(), gone.sum()) == (39, 125)
    assert round(rows["without worst"][3], 1) == 25.1 and rows["without worst"][4] == "16.8 to 42.3"


@section("lesson-averaging-case")
def test_the_decision_of_the_desk(called, day, gone, parts):
    """A plan in time is worth v plans in vain: against no plans at all, and against plans for every flight."""

    def overtakes(y, x):
        return (~y & ~x).sum() / (y & ~x).sum()

    pooled = {name: parts[name] for name in ("all three", "without worst")}
    holds(
        "The second overtakes the model where $v$ reaches 101 (72 to 159), or 117 (80 to 185) without the worst days."
    )
    found = [
        bootstrap(overtakes, gone[part], called[part], groups=day[part], n_resamples=2000, rng=0)[:3]
        for part in pooled.values()
    ]
    assert np.round(found).tolist() == [[101, 72, 159], [117, 80, 185]]
    week = (day - 1) // 7
    holds("if we draw whole weeks, these two intervals become 58 to 221 and 68 to 239")
    by_week = [
        bootstrap(overtakes, gone[part], called[part], groups=week[part], n_resamples=2000, rng=0)[1:3]
        for part in pooled.values()
    ]
    assert np.round(by_week).tolist() == [[58, 221], [68, 239]]

    def against(v, other, part, groups=day):
        """The gain of the model over another policy, in plans, with its interval."""
        y, x = gone[part], called[part]
        plans = np.where(y, v, -1.0)
        return bootstrap(np.sum, plans * x - plans * other, groups=groups[part], n_resamples=2000, rng=0)

    holds(
        "Over the quarter it beats both policies, with the worst days and without, and no interval includes 0, "
        "whether by days or by weeks."
    )
    for v, other, part, groups in itertools.product((43, 50, 57), (0, 1), pooled.values(), (day, week)):
        assert against(v, other, part, groups).low > 0
    assert against(40, 0, pooled["without worst"]).low < 0 > against(60, 1, pooled["all three"], week).low
    holds("If $v$ is below 9, plan nothing, and if it is above 240, plan for every flight.")
    for part, groups in itertools.product(pooled.values(), (day, week)):
        assert against(9, 0, part, groups).high < 0 and against(240, 1, part, groups).high < 0
    holds("For any other $v$, these data do not decide.")
    assert against(15, 0, pooled["all three"]).low < 0 < against(15, 0, pooled["all three"]).high
    assert against(120, 1, pooled["all three"]).low < 0 < against(120, 1, pooled["all three"]).high
    holds("it beats both policies", "one that plans nothing and one that plans for every flight")
    assert against(9, 0, pooled["all three"]).value < 0 < against(16, 0, pooled["all three"]).value


@section("Try it")
def test_try_it(A, B, busy, labels, macro, sizes, spread):
    holds("Next month the desk receives 800 questions instead of 80")
    assert (B * [[10], [1], [1]])[0].sum() == 800 == 10 * B[0].sum()
    values = [
        round(score(*pair, average="macro"), 3) for pair in (labels(B), busy) for score in (recall_score, f1_score)
    ]
    holds("Macro recall stays at 0.764, because each recall is computed within one row.")
    assert values[0] == values[2] == 0.764
    for cells in itertools.product(range(1, 4), repeat=4):
        matrix = np.reshape(cells, (2, 2))
        assert np.allclose(
            recall_score(*labels(matrix), average=None), recall_score(*labels(matrix * [[9], [1]]), average=None)
        )
    holds("Macro-F1 falls from 0.727 to 0.607.")
    assert (values[1], values[3]) == (0.727, 0.607)
    holds("Ten times as many questions are now taken for complaints, which spoils the precision of that class.")
    before, after = (precision_score(*pair, average=None) for pair in (labels(B), busy))
    assert after[1] < before[1] / 4 and after[0] > before[0] and after[2] == before[2]
    holds("From 0.489 to 0.946", "as a search through all ways to spread the mistakes shows")
    assert (round(macro.min(), 3), round(macro.max(), 3)) == (0.489, 0.946)
    assert (spread.sum(axis=1) == 13).all() and len(spread) == sum(
        1 for f in range(6) for c in range(14) if c + f <= 13
    )
    holds("the worst program misses all 5 frauds and 8 complaints, and the best makes all of its mistakes on questions")
    assert spread[macro.argmin()].tolist() == [0, 8, 5] and spread[macro.argmax()].tolist() == [13, 0, 0]
    holds("A's 0.507 is close to the lower end.")
    assert round((A.diagonal() / sizes).mean(), 3) == 0.507 and 0.507 - macro.min() < 0.02
