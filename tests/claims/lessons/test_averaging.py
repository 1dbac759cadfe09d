"""What book/lessons/averaging.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    f1_score,
    macro_f1_score,
    precision_score,
    recall_score,
)
from metrics_lib.uncertainty import bootstrap, paired_difference
from tests.claims.runner import holds, section


@section("lesson-averaging")
def test_the_opening(A, B, axes):
    holds("sorted the same 100 mails")
    assert A.sum() == B.sum() == 100 and (A.sum(axis=1) == B.sum(axis=1)).all()
    holds("A put 87 of them where they belong, B 80.")
    assert (A.trace(), B.trace()) == (87, 80)
    holds("Of the 5 frauds A found none, B found 4.")
    assert (A[2, 2], B[2, 2], A[2].sum(), B[2].sum()) == (0, 4, 5, 5)
    shares = [(m.diagonal() / m.sum(axis=1)).round(2).tolist() for m in (A, B)]
    holds("In A the blue reaches 0.99, 0.53 and 0")
    assert shares[0] == [0.99, 0.53, 0]
    holds("In B it reaches 0.83, 0.67 and 0.80")
    assert np.allclose(shares[1], [0.825, 0.667, 0.8], atol=0.006)
    holds("each with three bars from 0 to 1 on top of each other, a thick one for 80 questions, a thinner one for 15")
    assert A.sum(axis=1).tolist() == [80, 15, 5] and len(A) == 3
    holds("the blue area is 0.87, and a dashed vertical line stands at 0.51")
    assert A.trace() / A.sum() == 0.87 and round((A.diagonal() / A.sum(axis=1)).mean(), 2) == 0.51
    holds("the area is 0.80, and the line stands at 0.76")
    assert B.trace() / B.sum() == 0.8 and round((B.diagonal() / B.sum(axis=1)).mean(), 2) == 0.76
    holds("Count each mail alike, and A wins; count each class alike, and B wins.")
    assert A.trace() > B.trace()
    assert (A.diagonal() / A.sum(axis=1)).mean() < (B.diagonal() / B.sum(axis=1)).mean()


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
    holds("is 0.727,")
    assert of_b == [0.727, 0.819, 0.8]
    holds("With one true and one predicted class each, and all classes included, micro-F1 is the accuracy.")
    for truth, said in itertools.product(itertools.product(range(3), repeat=3), repeat=2):
        assert np.isclose(f1_score(truth, said, average="micro"), accuracy_score(truth, said))
    assert f1_score(b_true, b_pred, labels=[1, 2], average="micro") != accuracy_score(b_true, b_pred)


@section("lesson-averaging-by-hand")
def test_by_hand(A, B, averages, kept, of_b, scores, ways, y_pred, y_true):
    holds("(A's rows: 79, 1, 0; 7, 8, 0; 4, 1, 0)")
    assert A.tolist() == [[79, 1, 0], [7, 8, 0], [4, 1, 0]]
    hit, alarm, miss = B.diagonal(), B.sum(axis=0) - B.diagonal(), B.sum(axis=1) - B.diagonal()
    assert [x.tolist() for x in (hit, alarm, miss)] == [[66, 10, 4], [4, 15, 1], [14, 5, 1]]
    assert (hit.sum(), alarm.sum(), miss.sum()) == (80, 20, 20)
    rates = [s(y_true, y_pred, average=None).round(3).tolist() for s in scores]
    assert rates == [[0.943, 0.4, 0.8], [0.825, 0.667, 0.8], [0.88, 0.5, 0.8]]
    holds("F1 is 2 TP / (2 TP + FP + FN), for questions 132 / (132 + 4 + 14) = 0.88.")
    assert np.allclose(2 * hit / (2 * hit + alarm + miss), rates[2]) and 132 / (132 + 4 + 14) == 0.88 == rates[2][0]
    assert averages(A).round(3).tolist() == [0.87, 0.84, 0.523]
    holds("(0.88 + 0.5 + 0.8) / 3 = 0.727")
    assert round((0.88 + 0.5 + 0.8) / 3, 3) == 0.727 == of_b[0]
    holds("0.8 · 0.88 + 0.15 · 0.5 + 0.05 · 0.8 = 0.819")
    assert round(0.8 * 0.88 + 0.15 * 0.5 + 0.05 * 0.8, 3) == 0.819 == of_b[1]
    holds("2 · 80 / (2 · 80 + 20 + 20) = 0.8")
    assert 2 * 80 / (2 * 80 + 20 + 20) == 0.8 == of_b[2]
    holds("How high is the F1 of a class, if large classes count more?")
    assert np.isclose(np.average(f1_score(y_true, y_pred, average=None), weights=B.sum(axis=1)), averages(B)[1])
    assert np.isclose(np.mean(f1_score(y_true, y_pred, average=None)[y_true]), averages(B)[1])
    holds("unrolled into 100 pairs")
    assert y_true.size == 100
    holds("The same;")
    assert np.allclose(averages(B), [f1_score(y_true, y_pred, average=way) for way in ways])
    holds("So FP and FN each add up to the 20 errors")
    assert alarm.sum() == miss.sum() == (y_true != y_pred).sum() == 20
    holds("micro-F1 is 160/200, the share of right answers; micro precision and micro recall are 80/100, too")
    for samples in itertools.combinations_with_replacement(itertools.product(range(3), repeat=2), 4):
        truth, said = zip(*samples, strict=True)
        accuracy = accuracy_score(truth, said)
        assert all(np.isclose(s(truth, said, average="micro"), accuracy) for s in scores)
    assert 160 / 200 == 80 / 100 == accuracy_score(y_true, y_pred)
    assert all(np.isclose(s(y_true, y_pred, average="micro"), 80 / 100) for s in scores)
    holds("Three different numbers: 14 questions taken for complaints are still FP, their FN went with the questions.")
    without = [s(y_true, y_pred, **kept) for s in scores]
    assert len(set(without)) == 3 and B[0, 1] == 14
    holds("An answer withheld (an FN, no FP) breaks it as well")
    silent = np.where(y_true == y_pred, y_pred, -1)
    assert precision_score(y_true, silent, labels=[0, 1, 2], average="micro") == 1
    assert recall_score(y_true, silent, labels=[0, 1, 2], average="micro") == 0.8
    holds("and so do several labels for one sample")
    several, said = [[1, 1, 0]], [[1, 0, 0]]
    assert precision_score(several, said, average="micro") != recall_score(several, said, average="micro")


@section("lesson-averaging-balanced")
def columns(A, B, averages, constant, shuffled, size):
    sorted_ways = zip("ABCS", (A, B, constant, shuffled), strict=True)
    return {n: [*averages(m), (m.diagonal() / size).mean()] for n, m in sorted_ways}


@section("lesson-averaging-balanced")
def test_how_good_is_0_727(A, B, averages, ax, constant, labels, shuffled, size, ways, y_pred, y_true):
    sorted_ways = zip("ABCS", (A, B, constant, shuffled), strict=True)
    columns = {n: [*averages(m), (m.diagonal() / size).mean()] for n, m in sorted_ways}
    holds("Four averages of four ways to sort the 100 mails")
    assert len(columns) == 4 and {len(values) for values in columns.values()} == {4} and size.sum() == 100
    holds("to all costs little, on the right a lot")
    costs = np.subtract([columns["A"], columns["B"]], columns["C"])
    assert (costs[:, :2] < 0.15).all() and (costs[:, 2:] > 0.17).all()
    holds("A and B change places on the way")
    assert columns["A"][0] > columns["B"][0] and columns["A"][3] < columns["B"][3]
    holds("At micro-F1 A has 0.87, B and")
    assert np.allclose([columns[n][0] for n in "ABCS"], [0.87, 0.8, 0.8, 0.6])
    holds("At weighted F1 A is just above B.")
    assert 0 < columns["A"][1] - columns["B"][1] < 0.03
    holds("At macro-F1 B has 0.73, A 0.52, and the others about 0.3.")
    assert np.allclose([columns[n][2] for n in "BACS"], [0.73, 0.52, 0.3, 0.33], atol=0.005)
    holds("At macro recall B has 0.76, A 0.51, and the others meet at one third.")
    assert np.allclose([columns[n][3] for n in "BACS"], [0.76, 0.51, 1 / 3, 1 / 3], atol=0.005)
    rng = np.random.default_rng(0)
    drawn = [[f1_score(y_true, rng.permutation(y_pred), average=way) for way in ways] for _ in range(300)]
    assert np.allclose(np.mean(drawn, axis=0), columns["S"][:3], atol=0.01)
    holds("0.8; its macro-F1 is 0.296, and B's 0.727 is far above.")
    assert columns["B"][0] == columns["C"][0] == 0.8 and round(columns["B"][2], 3) == 0.727
    assert round(columns["C"][2], 3) == 0.296
    holds("the same answer to all has $1/N$, here 1/3, whatever the sizes of the classes")
    for sizes in itertools.chain(itertools.product(range(1, 5), repeat=2), itertools.product(range(1, 5), repeat=3)):
        truth = np.repeat(range(len(sizes)), sizes)
        for answer in range(len(sizes)):
            same = np.full(truth.size, answer)
            assert np.isclose(recall_score(truth, same, average="macro"), 1 / len(sizes))
            assert np.isclose(balanced_accuracy_score(truth, same), 1 / len(sizes))
    holds("The values of the dashed lines.")
    assert np.allclose([balanced_accuracy_score(*labels(m)) for m in (A, B)], [columns["A"][3], columns["B"][3]])


@section("What it cannot see")
def test_what_it_cannot_see(B, H, Y, columns, labels, tagged):
    micro_of, macro_of = ([f1_score(Y, h, average=way) for h in H] for way in ("micro", "macro"))
    alone = [f1_score(Y[:, 1], h[:, 1]) for h in H]
    holds("Of 20 mails 10 are invoices, all tagged rightly.")
    assert Y.shape == (20, 2) and Y[:, 0].sum() == 10 and all((h[:, 0] == Y[:, 0]).all() for h in H)
    holds("One is a threat, and its score for that tag is the fourth highest.")
    assert Y[:, 1].sum() == 1 and next(k for k in tagged if H[k][:, 1] @ Y[:, 1]) == 4
    holds("Four tagged mails find the threat, for three false alarms.")
    assert H[4][:, 1].sum() == 4 and H[4][:, 1] @ (1 - Y[:, 1]) == 3
    holds("Macro-F1 takes that, micro-F1 would rather not look.")
    assert np.argmax(macro_of) == 4 and np.argmax(micro_of) == 0
    holds("The F1 of the tag is 0 up to 3 mails, jumps to 0.40 at 4 and falls to 0.18.")
    assert alone[:4] == [0] * 4 and alone[4] == 0.4 and round(alone[10], 2) == 0.18 and (np.diff(alone[4:]) < 0).all()
    holds("Macro-F1 runs above it in the same shape, 0.50 up to 3 mails and 0.70 at 4.")
    assert (
        np.allclose(macro_of, (1 + np.array(alone)) / 2) and macro_of[:4] == [0.5] * 4 and np.isclose(macro_of[4], 0.7)
    )
    holds("Micro-F1 starts at 0.95 with no mail, falls to 0.83 at 3, rises to 0.88 at 4 and falls to 0.71.")
    assert np.allclose([micro_of[k] for k in (0, 3, 4, 10)], [0.95, 0.83, 0.88, 0.71], atol=0.005)
    holds("Tagging 4 mails for 1 hit adds 2 above the fraction line of F1 and 4 below.")
    pool = [(2 * (h * Y).sum(), h.sum() + Y.sum()) for h in (H[0], H[4])]
    own = [(2 * (h * Y)[:, 1].sum(), h[:, 1].sum() + Y[:, 1].sum()) for h in (H[0], H[4])]
    assert [(after[0] - before[0], after[1] - before[1]) for before, after in (pool, own)] == [(2, 4)] * 2
    holds("For the tag alone that turns 0/1 into 2/5; for the pool with its invoices, 20/21 into 22/25.")
    assert own == [(0, 1), (2, 5)] and pool == [(20, 21), (22, 25)]
    holds("Micro-F1 gives up the threat; macro-F1 judges each tag by itself.")
    assert H[int(np.argmax(micro_of))][3, 1] == 0 and np.argmax(macro_of) == np.argmax(alone)
    score = np.random.default_rng(1).random((6, 2)).round(2)
    wanted = np.array([[1, 0], [0, 1], [1, 1], [0, 0], [1, 0], [0, 1]])
    grids = [[0, *score[:, j]] for j in range(2)]
    found = {
        (a, b): f1_score(wanted, (score > [a, b]).astype(int), average="macro") for a in grids[0] for b in grids[1]
    }
    each = [max(f1_score(wanted[:, j], (score[:, j] > cut).astype(int)) for cut in grids[j]) for j in range(2)]
    assert np.isclose(max(found.values()), np.mean(each))
    holds("One more fraud found lifts macro recall as much as 16 more questions.")
    step = np.array([[-16, 16, 0], [0, 0, 0], [0, 0, 0]]), np.array([[0, 0, 0], [0, 0, 0], [0, -1, 1]])
    lifts = [recall_score(*labels(B + change), average="macro") - columns["B"][3] for change in step]
    assert np.isclose(lifts[1], -lifts[0]) and lifts[1] > 0
    holds("Behind that bar are 5 mails")
    assert B[2].sum() == 5


@section("The choices")
def test_the_choices(A, bold, labels, mixed, pair, scores, y_pred, y_true):
    holds("For version B:")
    macros = {d: round(macro_f1_score(y_true, y_pred, definition=d), 3) for d in ("mean_of_f1", "f1_of_means")}
    assert macros == {"mean_of_f1": 0.727, "f1_of_means": 0.738}
    assert f1_score(y_true, y_pred, average=None).round(3).tolist() == [0.88, 0.5, 0.8]
    absent = [f1_score(y_true, y_pred, labels=[0, 1, 2, 3], average="macro", zero_division=z) for z in (0, 1, np.nan)]
    assert np.round(absent, 3).tolist() == [0.545, 0.795, 0.727]
    holds("a 0/1 column per class")
    assert np.isclose(f1_score(np.eye(3, dtype=int)[y_true], np.eye(3, dtype=int)[y_pred], average="samples"), 0.8)
    holds("moves macro-F1 by a quarter of the scale")
    assert np.isclose(absent[1] - absent[0], 1 / 4)
    holds("nothing was called fraud, so its precision is 0/0, but its F1 from the counts is 0")
    assert A[:, 2].sum() == 0 < A[2].sum()
    assert {f1_score(*labels(A), average=None, zero_division=z)[2] for z in (0, 1, np.nan)} == {0}
    holds("They can rank two systems in opposite order, here with ten samples in each of two classes:")
    assert all(np.bincount(x[0]).tolist() == [10, 10] for x in (bold, mixed))
    ranks = [
        macro_f1_score(*bold, definition=d) > macro_f1_score(*mixed, definition=d)
        for d in ("f1_of_means", "mean_of_f1")
    ]
    assert ranks == [True, False]
    holds("Two metrics are named macro-F1")
    assert len(macros) == len(set(macros.values())) == 2
    holds("Bold gives the second answer nine times in ten; its precisions are 0.5 and 0.5, its recalls 0.1 and 0.9")
    assert (bold[1] == 1).mean() == 0.9
    assert precision_score(*bold, average=None).tolist() == [0.5, 0.5]
    assert recall_score(*bold, average=None).tolist() == [0.1, 0.9]
    holds("the means hide that one class is nearly lost")
    assert recall_score(*bold, average="macro") == 0.5 and sum(recall_score(*bold, average=None) < 0.2) == 1
    assert macro_f1_score(*bold) < macro_f1_score(*mixed)
    holds("The F1 of means is the larger one or equal")
    for counts in itertools.product(range(1, 5), repeat=4):
        one, other = (macro_f1_score(*labels(np.reshape(counts, (2, 2))), definition=d) for d in macros)
        assert other >= one - 1e-12
    holds("For two classes, with $F_1(P, R) = 2PR / (P + R)$")
    assert np.isclose(2 * 0.5 * 0.1 / (0.5 + 0.1), f1_score(*bold, average=None)[0])
    holds(
        "is a square over positive numbers.",
        "so the macro-F1s differ by half of this; more classes are added one at a time.",
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
    holds("The F1 of a class lies between its precision and its recall; a weighted F1 need not")
    for counts in itertools.product(range(1, 5), repeat=4):
        of_class = np.array([s(*labels(np.reshape(counts, (2, 2))), average=None) for s in scores])
        assert (of_class[:2].min(axis=0) <= of_class[2] + 1e-12).all()
        assert (of_class[2] <= of_class[:2].max(axis=0) + 1e-12).all()
    holds("Precision 0.918, recall 0.91, F1 0.875")
    three = [s(*pair, average="weighted") for s in scores]
    assert np.round(three, 3).tolist() == [0.918, 0.91, 0.875] and three[2] < min(three[:2])
    assert np.isclose(three[2], np.average(f1_score(*pair, average=None), weights=[10, 90]))
    holds("the small class pulls the mean of the F1s down")
    assert f1_score(*pair, average=None)[0] < three[2] < f1_score(*pair, average=None)[1]
    holds("Weighted recall is the accuracy once more, as the class sizes cancel.")
    for truth, said in itertools.product(itertools.product(range(3), repeat=4), repeat=2):
        if set(said) <= set(truth):
            assert np.isclose(recall_score(truth, said, average="weighted"), accuracy_score(truth, said))


@section("On real data")
def test_on_real_data(axes, classes, draws, flights, off, ratio, status, ways):
    tables = {m: confusion_matrix(status, flights[m], labels=classes) for m in ("plain", "balanced")}
    holds("The 6,000 flights in")
    assert len(flights) == 6000
    holds("The plain model has the larger area and no cancelled flight; the balanced one has the higher mean.")
    recalls = {m: t.diagonal() / t.sum(axis=1) for m, t in tables.items()}
    assert tables["plain"].trace() > tables["balanced"].trace() and recalls["plain"][2] == 0
    assert recalls["plain"].mean() < recalls["balanced"].mean()
    holds("Two panels of three bars, thick for 5067 flights on time, thin for 808 late ones and a line for")
    assert len(axes) == 2 and tables["plain"].sum(axis=1).tolist() == [5067, 808, 125]
    holds("In the plain model the blue reaches 0.99, 0.04 and 0; the area is 0.84, and the dashed line stands at 0.34.")
    assert recalls["plain"].round(2).tolist() == [0.99, 0.04, 0]
    assert (round(tables["plain"].trace() / 6000, 2), round(recalls["plain"].mean(), 2)) == (0.84, 0.34)
    holds("In the balanced one it reaches 0.63, 0.29 and 0.63; the area is 0.59, and the line stands at 0.52.")
    assert recalls["balanced"].round(2).tolist() == [0.63, 0.29, 0.63]
    assert (round(tables["balanced"].trace() / 6000, 2), round(recalls["balanced"].mean(), 2)) == (0.59, 0.52)
    silence = np.full(6000, "on time")
    answers = {"plain": flights["plain"], "balanced": flights["balanced"], "constant": silence}
    shown = np.array([[f1_score(status, x, average=way) for way in ways] for x in answers.values()]).T
    assert np.allclose(shown, [[0.844, 0.586, 0.8445], [0.783, 0.666, 0.773], [0.329, 0.365, 0.305]], atol=5e-4)
    assert accuracy_score(status, silence) == 0.8445
    chance = [balanced_accuracy_score(status, x) for x in answers.values()]
    assert np.round(chance, 3).tolist() == [0.344, 0.519, 0.333]
    holds("Micro and weighted F1 choose plain, macro-F1 and macro recall balanced.")
    assert (shown[:2, 0] > shown[:2, 1]).all() and shown[2, 0] < shown[2, 1] and chance[0] < chance[1]
    holds("to all balanced leads by 0.19 in macro recall", "plain has nearly the accuracy of that answer")
    assert (round(chance[1] - chance[2], 2), round(shown[2, 1] - shown[2, 2], 2)) == (0.19, 0.06)
    assert abs(shown[0, 2] - shown[0, 0]) < 0.001
    number = {name: x for x, name in enumerate(classes)}
    in_numbers = [np.array([number[name] for name in x]) for x in (status, flights["balanced"])]
    few = draws | {"n_resamples": 1000}
    lead_of = [
        bootstrap(lambda y, x, f=f: f(y, x, average="macro") - f(y, 0 * y, average="macro"), *in_numbers, **few)
        for f in (recall_score, f1_score)
    ]
    holds("(interval 0.13 to 0.22), by 0.06 in macro-F1 (0.03 to 0.08)")
    assert np.round([lead[1:3] for lead in lead_of], 2).tolist() == [[0.13, 0.22], [0.03, 0.08]]
    of_plain = paired_difference(status == flights["plain"], status == silence, **draws, method="percentile")
    holds("The intervals (95 %) draw whole days")
    assert np.allclose(of_plain[1:3], np.quantile(of_plain.distribution, [0.025, 0.975]))
    holds("(-0.003 to 0.002)")
    assert np.round(of_plain[1:3], 3).tolist() == [-0.003, 0.002]
    by_day = {
        name: [(status[flights["day"] == day] == name).mean() for day in set(flights["day"])] for name in classes[1:]
    }
    holds("a storm delays or cancels many flights at once")
    assert all(np.std(rates_of) > 1.5 * np.sqrt(np.mean(rates_of) * 92 / 6000) for rates_of in by_day.values())
    holds("Of 125 cancelled flights balanced finds 79, plain none; the false alarms for each hit:")
    assert (off[1].sum(), (off[0] & off[1]).sum(), off[0].sum(), tables["plain"][2, 2]) == (1313, 79, 125, 0)
    holds("15.6, and anything from about 10 to 29.")
    assert np.round(ratio[1:3]).tolist() == [10, 29] and round((1313 - 79) / 79, 1) == 15.6
    noted = []
    bootstrap(lambda y, w: noted.append(((w & y).sum(), (w & ~y).sum())) or 0, *off, **draws)
    hits, alarms = np.transpose(noted[1:])
    for worth in (1, 9.5, 10.5, 15.6, 28.5, 29.5, 100):
        low, high = np.quantile(worth * hits - alarms, [0.025, 0.975])
        holds(
            "If a rebooking prepared in time is worth more than 29 prepared in vain, ship balanced",
            "if less than 10, do not; between the two, wait for more days",
        )
        assert [low > 0, high < 0] == [worth > 29, worth < 10]
    holds("balanced is wrong about 1,866 flights that are on time")
    assert tables["balanced"][0, 1:].sum() == 1866
    holds("plain repeats the timetable")
    assert (flights["plain"] == "on time").mean() > 0.98


@section("Try it")
def test_try_it(B, busy, columns, labels, y_pred, y_true):
    holds("Ten times as many questions")
    assert (busy[0] == 0).sum() == 800 == 10 * B[0].sum()
    holds("Macro recall stays at 0.764, since each recall lives in one row.")
    assert round(recall_score(*busy, average="macro"), 3) == 0.764 == round(columns["B"][3], 3)
    for counts in itertools.product(range(1, 4), repeat=4):
        more = np.reshape(counts, (2, 2))
        kept_recall = [recall_score(*labels(x), average="macro") for x in (more, more * [[10], [1]])]
        assert np.isclose(*kept_recall)
    holds("Macro-F1 falls from 0.727 to 0.607: ten times as many questions are taken for complaints, and spoil that")
    assert [round(f1_score(*x, average="macro"), 3) for x in (labels(B), busy)] == [0.727, 0.607]
    assert ((busy[0] == 0) & (busy[1] == 1)).sum() == 140 == 10 * B[0, 1]
    assert precision_score(*busy, average=None)[1] < 0.1 < precision_score(y_true, y_pred, average=None)[1]
