"""What book/lessons/multi-label.ipynb says, held."""

import itertools
import warnings

import numpy as np

from metrics_lib import (
    accuracy_score,
    coverage_error,
    f1_score,
    hamming_loss,
    label_ranking_loss,
    one_error,
    roc_auc_score,
    zero_one_loss,
)
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-multi-label")
def test_the_opening(A, B, Y, axes, tags):
    holds("Taggers A and B saw the same 5 tickets.")
    assert Y.shape == A.shape == B.shape == (5, 4)
    holds("A got 3 cells of the table wrong, B 5.")
    assert ((Y != A).sum(), (Y != B).sum()) == (3, 5)
    holds("Yet who waits for deliveries or frauds hears nothing from A.")
    assert A[:, 2:].sum() == 0 and (Y[:, 2:].sum(axis=0) == 1).all()
    holds("Two tables of 5 tickets and 4 tags")
    assert len(axes) == 2 and Y.shape == (5, len(tags))
    holds("A has the better mean of the rows, B of the columns")
    for which, better, worse in (("samples", A, B), ("macro", B, A)):
        assert f1_score(Y, better, average=which) > f1_score(Y, worse, average=which)
    holds("In A 5 cells are found, 2 missed, delivery of ticket 3 and fraud of ticket 4, and 1 is wrong")
    assert (Y * A).sum() == 5 and np.argwhere(Y > A).tolist() == [[2, 2], [3, 3]]
    holds("billing of ticket 4;")
    assert np.argwhere(A > Y).tolist() == [[3, 0]]
    holds("the rows have 1.00, 1.00, 0.67, 0.00, 1.00, the columns 0.89, 1.00, 0.00, 0.00")
    assert np.round([f1_score(y, h) for y, h in zip(Y, A, strict=True)], 2).tolist() == [1, 1, 0.67, 0, 1]
    assert f1_score(Y, A, average=None).round(2).tolist() == [0.89, 1, 0, 0]
    holds("In B 5 are found, 2 missed, billing of tickets 2 and 3, and 3 wrong")
    assert (Y * B).sum() == 5 and np.argwhere(Y > B).tolist() == [[1, 0], [2, 0]] and (B > Y).sum() == 3
    holds("each row has 0.67, the columns 0.67, 1.00, 0.67, 0.50")
    assert np.round([f1_score(y, h) for y, h in zip(Y, B, strict=True)], 2).tolist() == [0.67] * 5
    assert f1_score(Y, B, average=None).round(2).tolist() == [0.67, 1, 0.67, 0.5]


@section("In one line")
def test_in_one_line(A, Y):
    holds("is 0.733, `average=")
    assert round(f1_score(Y, A, average="samples"), 3) == 0.733
    assert round(f1_score(Y, A, average="macro"), 3) == 0.472 and hamming_loss(Y, A) == 0.15
    holds("takes all cells as one row")
    assert np.isclose(f1_score(Y, A, average="micro"), f1_score(Y.reshape(1, -1), A.reshape(1, -1), average="samples"))
    proved("Eleven measures by what they read")
    of_tags = {"Hamming loss", "micro-F1", "instance-F1", "macro-F1"}
    of_rows = {"instance-AUC", "ranking loss", "one-error", "coverage", "LRAP"}
    assert len(of_tags | of_rows | {"micro-AUC", "macro-AUC"}) == 11


@section("By hand")
def test_by_hand(A, Y, columns, f1, losses, lrap, ranks, rows, scores, tags, ways):
    holds("A gave a score to each cell, and the tag from 0.5 on")
    assert A.tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    holds("F1 is twice the tags found over true plus given ones")
    for has, got in itertools.product(itertools.product((0, 1), repeat=3), repeat=2):
        if any(has) or any(got):
            shared = np.dot(has, got)
            assert np.isclose(f1_score([has], [got], average="samples"), 2 * shared / (sum(has) + sum(got)))
    holds("ticket 3 has 2, was given 1, found 1: 2 · 1 / (2 + 1) = 2/3")
    assert (Y[2].sum(), A[2].sum(), (Y * A)[2].sum()) == (2, 1, 1)
    assert rows[2] == 2 * 1 / (2 + 1) == 2 / 3
    holds("(1 + 1 + 2/3 + 0 + 1) / 5 = 0.733")
    assert np.isclose(np.mean(rows), (1 + 1 + 2 / 3 + 0 + 1) / 5) and round(np.mean(rows), 3) == 0.733
    holds("(8/9 + 1 + 0 + 0) / 4 = 0.472, Hamming loss 3/20")
    assert np.isclose(np.mean(columns), (8 / 9 + 1 + 0 + 0) / 4) and round(np.mean(columns), 3) == 0.472
    assert hamming_loss(Y, A) == 3 / 20
    holds("The same.")
    assert np.allclose([f1_score(Y, A, average=way) for way in ways], [np.mean(rows), np.mean(columns), f1(Y, A)])
    orders = [[tags[j] for j in row.argsort()] for row in ranks]
    assert orders[0] == ["billing", "delivery", "login", "fraud"] and orders[1] == [
        "billing",
        "login",
        "fraud",
        "delivery",
    ]
    assert orders[2] == orders[4] == ["billing", "login", "fraud", "delivery"]
    assert orders[3] == ["billing", "fraud", "login", "delivery"]
    of_each = [[float(m([y], [s])) for y, s in zip(Y, scores, strict=True)] for m in (*losses, lrap)]
    assert of_each[0] == [0, 0, 0, 1, 0] and of_each[1] == [1, 2, 4, 2, 1]
    assert np.allclose(of_each[2:], [[0 / 3, 0 / 4, 2 / 4, 1 / 3, 0 / 3], [1, (1 / 1 + 2 / 2) / 2, 0.75, 1 / 2, 1]])
    assert np.allclose(np.mean(of_each, axis=1), [0.2, 2, 0.167, 0.85], atol=5e-4)
    assert (one_error(Y, scores), coverage_error(Y, scores)) == (0.2, 2)
    holds("Ticket 4 alone starts wrong; ticket 3, with delivery at the end, has the greatest ranking loss.")
    assert np.flatnonzero(of_each[0]).tolist() == [3] and np.argmax(of_each[2]) == 2 and orders[2][-1] == "delivery"
    holds("a tie is half a pair")
    assert roc_auc_score([1, 0], [0.3, 0.3]) == 1 / 2
    holds("Without ties instance-AUC is one minus the ranking loss, 0.833.")
    for row in itertools.product((0, 1), repeat=4):
        if 0 < sum(row) < 4:
            for order in itertools.permutations(range(4)):
                assert np.isclose(
                    roc_auc_score([row], [order], average="samples"), 1 - label_ranking_loss([row], [order])
                )
    assert round(roc_auc_score(Y, scores, average="samples"), 3) == 0.833
    holds("its column is in perfect order, and its F1 is 0 since 0.4 is under the threshold")
    assert roc_auc_score(Y[:, 3], scores[:, 3]) == 1 and columns[3] == 0 and scores[3, 3] == 0.4 < 0.5
    assert f1(Y[:, 3], scores[:, 3] >= 0.4) == 1


@section("How good is an instance-F1 of 0.733?")
def test_how_good_is_an_instance_f1_of(A, B, Y, ax, frequencies, how, lrap, nothing, scores, value):
    holds("(billing 4/5, the others 1/5)")
    assert frequencies[0].tolist() == [4 / 5, 1 / 5, 1 / 5, 1 / 5] and (frequencies == frequencies[0]).all()
    shown = {name: [round(float(value(name, Y, s)), 2) for s in (scores, frequencies, nothing)] for name in how}
    holds("Ten rows of dots between 0 and 1.")
    assert len(ax.get_yticks()) == 10 and all(0 <= x <= 1 for values in shown.values() for x in values)
    assert shown["Hamming loss"] == [0.15, 0.2, 0.35] and shown["one-error"] == [0.2, 0.2, 1]
    assert shown["ranking loss"] == [0.17, 0.4, 1] and shown["instance-F1"] == [0.73, 0.67, 0]
    assert shown["micro-F1"] == [0.77, 0.67, 0] and shown["macro-F1"] == [0.47, 0.22, 0]
    assert shown["LRAP"] == [0.85, 0.75, 0.35] and shown["instance-AUC"] == [0.83, 0.77, 0.5]
    assert shown["micro-AUC"] == [0.9, 0.75, 0.5] and shown["macro-AUC"] == [0.94, 0.5, 0.5]
    holds("The frequencies do much better by rows than by columns.")
    assert all(shown[f"instance-{of}"][1] > shown[f"macro-{of}"][1] + 0.25 for of in ("F1", "AUC"))
    holds("Frequencies alone have an instance-F1 of 0.667, as much as B and little less than A")
    assert round(f1_score(Y, B, average="samples"), 3) == 0.667
    assert round(f1_score(Y, (frequencies >= 0.5).astype(int), average="samples"), 3) == 0.667
    assert round(f1_score(Y, A, average="samples"), 3) == 0.733
    holds("LRAP stays above 0 in the worst order")
    for row in itertools.product((0, 1), repeat=4):
        if any(row):
            assert min(lrap([row], [order]) for order in itertools.permutations(range(4))) > 0
    holds(
        "Coverage error ends at the number of labels, 4, and begins at the mean number of tags on a ticket, here 1.4."
    )
    assert Y.sum(axis=1).mean() == 1.4 == coverage_error(Y, Y) and coverage_error(Y, 1 - Y) == 4
    for points in itertools.product(range(3), repeat=4):
        assert all(y.sum() <= coverage_error([y], [points]) <= 4 for y in Y)


@section("lesson-multi-label-blind")
def test_what_it_cannot_see(Y, aucs, none, pair, sparse):
    holds("Let each of 5 tickets have one of 1,000 tags, and predict none")
    assert sparse.shape == (5, 1000) and (sparse.sum(axis=1) == 1).all() and none.sum() == 0
    holds("A loss of 0.001, and nothing was found.")
    assert np.isclose(hamming_loss(sparse, none), 0.001) and (sparse * none).sum() == 0
    holds("The empty prediction loses the share of ones in the table")
    for cells in itertools.product((0, 1), repeat=6):
        small = np.reshape(cells, (2, 3))
        assert np.isclose(hamming_loss(small, 0 * small), small.mean())
    holds("The first scores order each row perfectly: instance-AUC is 1, ranking loss and one-error are 0.")
    assert aucs[0][0] == 1 and label_ranking_loss(Y, pair[0]) == one_error(Y, pair[0]) == 0
    holds("Sort the tickets by one tag, and macro-AUC is 0.562.")
    assert np.isclose(aucs[0][1], 0.5625) and abs(aucs[0][1] - 0.562) < 0.001
    holds("The second do the opposite, 1 by columns and 0.392 by rows.")
    assert aucs[1][1] == 1 and round(aucs[1][0], 3) == 0.392


@section("lesson-multi-label-choices")
def test_the_choices(A, Y, lrap, scores, ways):
    Y6, A6, s6 = np.vstack([Y, [[0] * 4]]), np.vstack([A, [[0] * 4]]), np.vstack([scores, [[0.4, 0.3, 0.2, 0.1]]])
    Y5, A5, s5 = np.hstack([Y, [[0]] * 5]), np.hstack([A, [[0]] * 5]), np.hstack([scores, np.arange(5)[:, None] / 50])
    assert [round(f1_score(Y, A, average=way), 3) for way in ways] == [0.733, 0.472, 0.769]
    assert zero_one_loss(Y, A) == 0.4 and np.isclose(1 - accuracy_score(Y, A), 0.4)
    assert coverage_error(Y, scores) == 2 and coverage_error(Y, scores) - 1 == 1
    assert label_ranking_loss(Y, 0 * scores) == 1 and roc_auc_score(Y, 0 * scores, average="samples") == 0.5
    empty_row = [round(float(f1_score(Y6, A6, average="samples", zero_division=z)), 3) for z in (0, 1, np.nan)]
    unused = [round(float(f1_score(Y5, A5, average="macro", zero_division=z)), 3) for z in (0, 1, np.nan)]
    assert empty_row == [0.611, 0.778, 0.733] and unused == [0.378, 0.578, 0.472]
    with warnings.catch_warnings(action="ignore"):
        with_empty = [round(m(Y6, s6), 3) for m in (one_error, coverage_error, label_ranking_loss, lrap)]
        assert with_empty == [0.333, 1.667, 0.139, 0.875]
        assert np.isnan([roc_auc_score(Y6, s6, average="samples"), roc_auc_score(Y5, s5, average="macro")]).all()
        assert f1_score(Y6, A6, average="samples") == f1_score(Y6, A6, average="samples", zero_division=0)
        holds("An empty row is perfect in ranking loss and LRAP, better than perfect in coverage.")
        of_empty = [m([[0] * 4], s6[-1:]) for m in (coverage_error, label_ranking_loss, lrap)]
        assert of_empty == [0, label_ranking_loss(Y, Y), lrap(Y, Y)] == [0, 0, 1]
        assert of_empty[0] < min(coverage_error([y], [y]) for y in Y)
    holds("tied pair: half")
    assert roc_auc_score([[1, 0]], [[0.3, 0.3]], average="samples") == 1 / 2
    holds("share of rows with any error")
    assert zero_one_loss(Y, A) == (Y != A).any(axis=1).mean()


@section("A simulated case")
def test_on_real_data(a, b, lead, lrap, mixed, share, tagged, truth):
    given = {"A": a, "B": b, "frequencies": np.tile(share, (2000, 1))}
    called = {n: (q >= 0.5).astype(int) for n, q in given.items()}
    holds("Here are 2,000 generated tickets (with a seed), so that the truth is known.")
    assert truth.shape == (2000, 10) and np.array_equal(truth, np.random.default_rng(1).random((2000, 10)) < share)
    holds("the first is on one ticket in 2, the last on one in 200")
    assert share[0] == 1 / 2 and round(share[-1], 3) == 1 / 200
    holds("The scores are probabilities")
    for q in (a, b):
        for low in np.arange(0, 1, 0.2):
            near = (q >= low) & (q < low + 0.2)
            assert abs(truth[near].mean() - q[near].mean()) < 2 / np.sqrt(near.sum())
    holds("987, 626, 360, 207, 134, 89, 44, 24, 15 and 6")
    assert truth.sum(axis=0).tolist() == [987, 626, 360, 207, 134, 89, 44, 24, 15, 6]
    of_tag = {n: f1_score(truth, h, average=None).round(2).tolist() for n, h in called.items()}
    holds("A's circles stand at 0.99 for the first 3 tags, then at 0.11, 0.03 and 0.")
    assert of_tag["A"] == [0.99, 0.99, 0.99, 0.11, 0.03, 0, 0, 0, 0, 0]
    holds("B's triangles fall from 0.85 to 0.54 at the fifth tag and to 0.26 at the seventh, rise to 0.40 at the ninth")
    assert [of_tag["B"][k] for k in (0, 4, 6, 8, 9)] == [0.85, 0.54, 0.26, 0.40, 0]
    holds("A has the rows, as the first tags fill them; B has the columns, 6 of them to A's 3.")
    assert truth[:, :3].sum() / truth.sum() > 0.75 and sum(np.greater(of_tag["B"], of_tag["A"])) == 6
    assert sum(np.greater(of_tag["A"], of_tag["B"])) == 3
    holds("leave out the 425 tickets without a tag")
    assert (~tagged).sum() == 425
    holds("the generator's shares")
    assert (given["frequencies"] == share).all()
    shown = [
        [hamming_loss(truth, h) for h in called.values()],
        [f1_score(truth[tagged], h[tagged], average="samples") for h in called.values()],
        *([m(truth[tagged], q[tagged]) for q in given.values()] for m in (label_ranking_loss, lrap)),
        [f1_score(truth, h, average="macro") for h in called.values()],
        [roc_auc_score(truth, q, average="macro") for q in given.values()],
    ]
    printed = [[0.027, 0.056, 0.126], [0.842, 0.716, 0.493], [0.02, 0.027, 0.119], [0.956, 0.926, 0.733]]
    assert np.round(shown, 3).tolist() == [*printed, [0.311, 0.487, 0.066], [0.86, 0.941, 0.5]]
    holds("69 % of the tagged tickets are right in all cells, 50 % with B")
    assert [round(accuracy_score(truth[tagged], called[n][tagged]), 2) for n in "AB"] == [0.69, 0.5]
    rarer = [(truth[:, 3:], called[n][:, 3:]) for n in "AB"]
    holds("For the queues of the 7 rarer tags ship B: of 519 tags due, A finds 14, B 204, at 69 false ones")
    assert rarer[0][0].shape[1] == 7 and rarer[0][0].sum() == 519
    assert [(due * h).sum() for due, h in rarer] == [14, 204] and (rarer[1][1] > rarer[1][0]).sum() == 69
    every = slice(None)
    holds("its instance-F1 leads by 0.13 (interval 0.11 to 0.15, drawing tickets)")
    assert lead("samples", a, b, tagged).round(2).tolist() == [0.13, 0.11, 0.15]
    holds("there its macro-F1 leads by 0.34 (0.28 to 0.39)")
    assert lead("macro", b, a, np.s_[:, 3:]).round(2).tolist() == [0.34, 0.28, 0.39]
    gains = [lead(way, mixed, other, rows) for way, rows in (("samples", tagged), ("macro", every)) for other in (a, b)]
    holds("Better than both, and by more than luck")
    assert len(gains) == 4 and all(gain_of[1] > 0 for gain_of in gains)


@section("Try it")
def test_try_it(A, B, Y, cut, f1s, scores, tags):
    holds("On the 5 tickets, let A tag fraud from 0.4 on.")
    assert len(Y) == 5 and tags[3] == "fraud" and cut.sum() == A.sum() + 1
    holds("instance-F1 rises to 0.867, macro-F1 to 0.722, above B's 0.708, and the Hamming loss falls to 0.1")
    assert f1s[:2] == [0.867, 0.722] and round(f1_score(Y, B, average="macro"), 3) == 0.708 < f1s[1]
    assert hamming_loss(Y, cut) == 0.1 < hamming_loss(Y, A)
    holds("Ranking loss takes no threshold and stays at 0.167.")
    assert round(label_ranking_loss(Y, scores), 3) == 0.167


@section("In one line")
def test_unchecked_in_one_line():
    unchecked("Y: the bold tags below", "the check of the orders, in the next section, reads them off")


@section("By hand")
def test_unchecked_by_hand():
    unchecked("`one_error` is ours, the others are scikit-learn's", "the tests compare these with it")
