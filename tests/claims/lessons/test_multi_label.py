"""What book/lessons/multi-label.ipynb says, held."""

import itertools
import warnings

import numpy as np
import pytest

from metrics_lib import (
    UndefinedMetricWarning,
    accuracy_score,
    coverage_error,
    f1_score,
    hamming_loss,
    label_ranking_loss,
    one_error,
    roc_auc_score,
)
from metrics_lib.uncertainty import bootstrap
from tests.claims.runner import holds, section


@section("lesson-multi-label")
def test_the_opening(A, B, Y, axes, tags):
    holds("Taggers A and B have read the same five tickets, which makes a table of 20 cells.")
    assert Y.shape == A.shape == B.shape == (5, 4) and Y.size == 20
    holds("A gets 3 of the cells wrong and B 5.")
    assert ((Y != A).sum(), (Y != B).sum()) == (3, 5)
    holds("Yet A sends no ticket to the delivery and fraud teams")
    assert A[:, 2:].sum() == 0 and (Y[:, 2:].sum(axis=0) == 1).all()
    holds("Two tables of 5 tickets and 4 tags")
    assert len(axes) == 2 and Y.shape == (5, len(tags))
    holds("A has the better mean over the rows, B over the columns.")
    for which, better, worse in (("samples", A, B), ("macro", B, A)):
        assert f1_score(Y, better, average=which) > f1_score(Y, worse, average=which)
    holds("In A 5 cells are found, 2 are missed, delivery of ticket 3 and fraud of ticket 4, and 1 is wrong")
    assert (Y * A).sum() == 5 and np.argwhere(Y > A).tolist() == [[2, 2], [3, 3]]
    holds("billing of ticket 4.")
    assert np.argwhere(A > Y).tolist() == [[3, 0]]
    holds("A's rows score 1.00, 1.00, 0.67, 0.00 and 1.00, its columns .89, 1, .00 and .00.")
    assert np.round([f1_score(y, h) for y, h in zip(Y, A, strict=True)], 2).tolist() == [1, 1, 0.67, 0, 1]
    assert f1_score(Y, A, average=None).round(2).tolist() == [0.89, 1, 0, 0]
    holds("In B 5 are found, 2 are missed, billing of tickets 2 and 3, and 3 are wrong.")
    assert (Y * B).sum() == 5 and np.argwhere(Y > B).tolist() == [[1, 0], [2, 0]] and (B > Y).sum() == 3
    holds("Each of B's rows scores 0.67, its columns .67, 1, .67 and .50.")
    assert np.round([f1_score(y, h) for y, h in zip(Y, B, strict=True)], 2).tolist() == [0.67] * 5
    assert f1_score(Y, B, average=None).round(2).tolist() == [0.67, 1, 0.67, 0.5]
    holds("ship A, which leaves them less to correct")
    assert (Y != A).any(axis=1).sum() == 2 < (Y != B).any(axis=1).sum()


@section("In one line")
def test_in_one_line(A, B, Y):
    found = [
        [round(m(Y, h), 3) for h in (A, B)]
        for m in (
            hamming_loss,
            *(lambda y, h, way=way: f1_score(y, h, average=way) for way in ("samples", "macro", "micro")),
            accuracy_score,
        )
    ]
    holds(
        "wrong cells", "the F1 of each row", "the F1 of each column", "one F1 for all cells", "rows without a mistake"
    )
    assert found == [[0.15, 0.25], [0.733, 0.667], [0.472, 0.708], [0.769, 0.667], [0.6, 0]]
    holds("found counts the ones that they share")
    for has, got in itertools.product(itertools.product((0, 1), repeat=3), repeat=2):
        if any(has) or any(got):
            shared = np.dot(has, got)
            assert np.isclose(f1_score([has], [got], average="samples"), 2 * shared / (sum(has) + sum(got)))
    assert np.isclose(f1_score(Y, A, average="micro"), f1_score(Y.reshape(1, -1), A.reshape(1, -1), average="samples"))


@section("By hand")
def test_by_hand(A, Y, columns, f1, jaccard, losses, lrap, rows, scores, tags, ways):
    holds("assigned the tag where the score is 0.5 or more")
    assert A.tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    holds("Three cells of 20 are wrong, so the Hamming loss is 0.15.")
    assert (Y != A).sum() == 3 and hamming_loss(Y, A) == 3 / 20 == 0.15
    holds("Ticket 3 has two tags, and A assigned one of them, so the F1 of its row is 2 · 1/(2 + 1) = 2/3.")
    assert (Y[2].sum(), A[2].sum(), (Y * A)[2].sum()) == (2, 1, 1)
    assert rows[2] == 2 * 1 / (2 + 1) == 2 / 3
    holds("(1 + 1 + 2/3 + 0 + 1)/5 = 0.733")
    assert np.isclose(np.mean(rows), (1 + 1 + 2 / 3 + 0 + 1) / 5) and round(np.mean(rows), 3) == 0.733
    holds("(8/9 + 1 + 0 + 0)/4 = 0.472")
    assert np.isclose(np.mean(columns), (8 / 9 + 1 + 0 + 0) / 4) and round(np.mean(columns), 3) == 0.472
    assert np.allclose([f1_score(Y, A, average=way) for way in ways], [np.mean(rows), np.mean(columns), f1(Y, A)])
    holds("Subset accuracy gives no credit for a part, so ticket 3 counts as wrong, and A gets 3 tickets of 5 right.")
    assert accuracy_score(Y[2:3], A[2:3]) == 0 and (Y == A).all(axis=1).sum() == 3 == 5 * accuracy_score(Y, A)
    holds("Samples-Jaccard divides what was found by what is true or assigned, which for ticket 3 is 1/2:")
    of_each = [(y & h).sum() / (y | h).sum() for y, h in zip(Y, A, strict=True)]
    assert of_each[2] == 1 / 2 and np.isclose(np.mean(of_each), jaccard)
    orders = [[tags[j] for j in (-row).argsort()] for row in scores]
    assert orders[0] == ["billing", "delivery", "login", "fraud"]
    assert orders[1] == ["billing", "login", "fraud", "delivery"]
    assert orders[2] == orders[4] == ["billing", "login", "fraud", "delivery"]
    assert orders[3] == ["billing", "fraud", "login", "delivery"]
    each = [[float(m([y], [s])) for y, s in zip(Y, scores, strict=True)] for m in (*losses, lrap)]
    holds("One-error asks whether the first tag is wrong.")
    assert each[0] == [0, 0, 0, 1, 0]
    holds("is the rank of the last true tag, so it says how far down you have to read")
    ranks = (-scores).argsort(axis=1).argsort(axis=1) + 1
    assert each[1] == [1, 2, 4, 2, 1] == (ranks * Y).max(axis=1).tolist()
    holds("counts the share that is in the wrong order")
    assert np.allclose(each[2:], [[0 / 3, 0 / 4, 2 / 4, 1 / 3, 0 / 3], [1, (1 / 1 + 2 / 2) / 2, 0.75, 1 / 2, 1]])
    holds("looks at each true tag and takes the share of true tags down to there")
    for y, r, value in zip(Y, ranks, each[3], strict=True):
        assert np.isclose(value, np.mean([(y * (r <= r[j])).sum() / r[j] for j in np.flatnonzero(y)]))
    assert np.allclose(np.mean(each, axis=1), [0.2, 2, 0.167, 0.85], atol=5e-4)
    assert np.flatnonzero(each[0]).tolist() == [3] and np.argmax(each[2]) == 2 and orders[2][-1] == "delivery"
    holds("and a tie counts half")
    assert roc_auc_score([1, 0], [0.3, 0.3]) == 1 / 2
    holds("Without ties, the instance-AUC is one minus the ranking loss, 0.833.")
    for row in itertools.product((0, 1), repeat=4):
        if 0 < sum(row) < 4:
            for order in itertools.permutations(range(4)):
                assert np.isclose(
                    roc_auc_score([row], [order], average="samples"), 1 - label_ranking_loss([row], [order])
                )
    assert round(roc_auc_score(Y, scores, average="samples"), 3) == 0.833
    holds("A orders the tickets by fraud perfectly", "is 0 only because the score of 0.4 is below the threshold")
    assert roc_auc_score(Y[:, 3], scores[:, 3]) == 1 and columns[3] == 0 and scores[3, 3] == 0.4 < 0.5
    assert f1(Y[:, 3], scores[:, 3] >= 0.4) == 1


@section("How good is an instance-F1 of 0.733?")
def test_how_good_is_an_instance_f1_of(A, B, Y, ax, how, lrap, nothing, scores, shares, value):
    holds("the shares of the tags (billing 4/5, the others 1/5)")
    assert shares[0].tolist() == [4 / 5, 1 / 5, 1 / 5, 1 / 5] and (shares == shares[0]).all()
    shown = {name: [round(float(value(name, Y, s)), 2) for s in (scores, shares, nothing)] for name in how}
    holds("Ten rows of marks between 0 and 1.")
    assert len(ax.get_yticks()) == 10 and all(0 <= x <= 1 for values in shown.values() for x in values)
    assert shown["Hamming loss"] == [0.15, 0.2, 0.35] and shown["one-error"] == [0.2, 0.2, 1]
    assert shown["ranking loss"] == [0.17, 0.4, 1] and shown["instance-F1"] == [0.73, 0.67, 0]
    assert shown["micro-F1"] == [0.77, 0.67, 0] and shown["macro-F1"] == [0.47, 0.22, 0]
    assert shown["LRAP"] == [0.85, 0.75, 0.35] and shown["instance-AUC"] == [0.83, 0.77, 0.5]
    assert shown["micro-AUC"] == [0.9, 0.75, 0.5] and shown["macro-AUC"] == [0.94, 0.5, 0.5]
    holds("The shares do much better by rows than by columns.")
    assert all(shown[f"instance-{of}"][1] > shown[f"macro-{of}"][1] + 0.25 for of in ("F1", "AUC"))
    holds("The shares alone reach an instance-F1 of 0.667, which is as good as B and not much worse than A.")
    assert round(f1_score(Y, B, average="samples"), 3) == 0.667
    assert round(f1_score(Y, (shares >= 0.5).astype(int), average="samples"), 3) == 0.667
    assert round(f1_score(Y, A, average="samples"), 3) == 0.733
    holds("Each column of theirs is constant, so it orders nothing, and their macro-AUC is 0.5.")
    assert (shares == shares[0]).all() and roc_auc_score(Y, shares, average="macro") == 0.5
    holds("LRAP stays above 0 even in the worst order.")
    for row in itertools.product((0, 1), repeat=4):
        if any(row):
            assert min(lrap([row], [order]) for order in itertools.permutations(range(4))) > 0
    holds("(the label cardinality), here 1.4, and ends at the number of tags, 4.")
    assert Y.sum(axis=1).mean() == 1.4 == coverage_error(Y, Y) and coverage_error(Y, 1 - Y) == 4
    for points in itertools.product(range(3), repeat=4):
        assert all(y.sum() <= coverage_error([y], [points]) <= 4 for y in Y)


@section("lesson-multi-label-blind")
def test_what_it_cannot_see(Y, aucs, none, pair, sparse):
    holds("Hamming loss cannot see how empty the table is.")
    assert hamming_loss(sparse, none) < hamming_loss(np.eye(5, dtype=int), np.zeros((5, 5), dtype=int)) == 0.2
    holds("Suppose that each of 5 tickets has one of 1,000 tags, and predict none:")
    assert sparse.shape == (5, 1000) and (sparse.sum(axis=1) == 1).all() and none.sum() == 0
    holds("The loss is 0.001, although nothing was found.")
    assert np.isclose(hamming_loss(sparse, none), 0.001) and (sparse * none).sum() == 0
    holds("Predicting nothing has a Hamming loss equal to the share of ones in the table")
    for cells in itertools.product((0, 1), repeat=6):
        small = np.reshape(cells, (2, 3))
        assert np.isclose(hamming_loss(small, 0 * small), small.mean())
    holds("Rows cannot see the order within a column, and columns cannot see the order within a row.")
    for shift in itertools.product((-2, 0, 3), repeat=3):
        moved = Y[:3] + np.array(shift)[:, None], Y[:, :3] + np.array(shift)
        assert (
            roc_auc_score(Y[:3], moved[0], average="samples") == 1 == roc_auc_score(Y[:, :3], moved[1], average="macro")
        )
    holds("leave each row in perfect order, with an instance-AUC of 1, and the columns near chance.")
    assert aucs[0][0] == 1 and label_ranking_loss(Y, pair[0]) == one_error(Y, pair[0]) == 0
    assert abs(aucs[0][1] - 0.5) < 0.07
    holds("Numbers added to tags do the opposite.")
    assert aucs[1][1] == 1 and abs(aucs[1][0] - 0.5) < 0.11


@section("lesson-multi-label-choices")
def test_the_choices(A, Y, lrap, scores, ways):
    Y6, A6, s6 = np.vstack([Y, [[0] * 4]]), np.vstack([A, [[0] * 4]]), np.vstack([scores, [[0.4, 0.3, 0.2, 0.1]]])
    Y5, A5, s5 = np.hstack([Y, [[0]] * 5]), np.hstack([A, [[0]] * 5]), np.hstack([scores, np.arange(5)[:, None] / 50])
    assert [round(f1_score(Y, A, average=way), 3) for way in ways] == [0.733, 0.472, 0.769]
    assert accuracy_score(Y, A) == 0.6 and coverage_error(Y, scores) == 2
    assert label_ranking_loss(Y, 0 * scores) == 1 and roc_auc_score(Y, 0 * scores, average="samples") == 0.5
    empty_row = [round(float(f1_score(Y6, A6, average="samples", zero_division=z)), 3) for z in (0, 1, np.nan)]
    unused = [round(float(f1_score(Y5, A5, average="macro", zero_division=z)), 3) for z in (0, 1, np.nan)]
    assert empty_row == [0.611, 0.778, 0.733] and unused == [0.378, 0.578, 0.472]
    holds("0, with a warning")
    for table, way in (((Y6, A6), "samples"), ((Y5, A5), "macro")):
        with pytest.warns(UndefinedMetricWarning):
            assert f1_score(*table, average=way) == f1_score(*table, average=way, zero_division=0)
    with warnings.catch_warnings(action="ignore"):
        holds(
            "One-error counts it as an error, ranking loss and LRAP as perfect, and coverage as 0, which is better than"
        )
        of_empty = [m([[0] * 4], s6[-1:]) for m in (one_error, label_ranking_loss, lrap, coverage_error)]
        assert of_empty == [1, label_ranking_loss(Y, Y), lrap(Y, Y), 0] == [1, 0, 1, 0]
        assert of_empty[-1] < min(coverage_error([y], [y]) for y in Y)
        holds("An AUC of such a row or column is `nan`, and so is the mean.")
        assert np.isnan([roc_auc_score(Y6, s6, average="samples"), roc_auc_score(Y5, s5, average="macro")]).all()


@section("lesson-multi-label-choices")
def test_thresholds_by_tag():
    """Two tags of six samples by search, then tags whose scores are calibrated by construction."""
    rng = np.random.default_rng(1)
    score = rng.random((6, 2)).round(2)
    wanted = np.array([[1, 0], [0, 1], [1, 1], [0, 0], [1, 0], [0, 1]])
    grids = [[0, *score[:, j]] for j in range(2)]
    pairs = [*itertools.product(*grids)]

    def best(measure):
        return max(measure(wanted, (score > cuts).astype(int)) for cuts in pairs)

    holds("Hamming loss and macro-F1 take each column by itself, so each tag may have a threshold of its own.")
    alone = [max(f1_score(wanted[:, j], (score[:, j] > cut).astype(int)) for cut in grids[j]) for j in range(2)]
    assert np.isclose(best(lambda y, h: f1_score(y, h, average="macro")), np.mean(alone))
    holds("For Hamming loss, 0.5 is best for all of them if the scores are calibrated probabilities.")
    chances = np.linspace(0.025, 0.975, 20)
    errors = {cut: np.where(chances >= cut, 1 - chances, chances).mean() for cut in np.arange(0, 1.01, 0.05).round(2)}
    assert min(errors, key=errors.get) == 0.5
    holds("which differs from tag to tag")
    cuts = []
    for power in (0.25, 4):
        p = np.linspace(0.005, 0.995, 100) ** power
        f1 = {cut: 2 * p[p >= cut].sum() / (p.sum() + (p >= cut).sum()) for cut in p}
        cut = max(f1, key=f1.get)
        assert abs(cut - f1[cut] / 2) < 0.02
        cuts.append(cut)
    assert cuts[0] > cuts[1] + 0.05
    holds("Instance-F1 mixes the tags of a row, so its thresholds have to be found together.")
    apart = 0
    for _ in range(200):
        wanted, given = rng.integers(0, 2, (4, 2)), rng.random((4, 2)).round(2)
        found = {
            (a, b): f1_score(wanted, (given > [a, b]).astype(int), average="samples", zero_division=0)
            for a in (0, *given[:, 0])
            for b in (0, *given[:, 1])
        }
        first = [
            {a for a, c in found if c == b and found[a, b] == max(found[x, b] for x, _ in found)} for _, b in found
        ]
        apart += not set.intersection(*first)  # no threshold of the first tag is best beside each of the second
    assert apart > 0


@section("lesson-multi-label-case")
def week(day):
    return (day - 121) // 7


def gap(measure, one, other, bad, week, part=slice(None)):
    """By how much one forecast is ahead of another, with its interval, drawing whole weeks."""

    def of(y, p, q):
        return measure(y, p) - measure(y, q)

    with warnings.catch_warnings(action="ignore"):  # a resample may lack an airline's bad days
        return np.array(bootstrap(of, bad[part], one[part], other[part], groups=week[part], n_resamples=500, rng=0)[:3])


def ordered(y):
    return y.any(axis=1) & ~y.all(axis=1)


def macro_auc(y, p):
    kept = y.any(axis=0) & ~y.all(axis=0)
    return roc_auc_score(y[:, kept], p[:, kept], average="macro")


def macro_f1(y, p):
    return f1_score(y, (p >= 0.25).astype(int), average="macro")


@section("lesson-multi-label-case")
def test_the_airlines(bad, cells, day, forecasts, found, measures, mixed, names, some, week):
    habit, weather, both = forecasts
    holds("has the 245 days from May to December 2013, and 11 airlines that left New York on all of them")
    assert (cells["flights"].reshape(245, 11) > 0).all()
    assert bad.shape == (245, 11) and (day[0], day[-1]) == (121, 365) and len(set(week)) == 35
    assert (cells["day"].reshape(245, 11) == day[:, None]).all()
    holds("665 of the 2,695 cells are bad days")
    assert (bad.sum(), bad.size) == (665, 2695)
    holds("habit follows the airline's share of bad days in the last 90 days", "so it says the same for each airline")
    assert (weather == weather[:, :1]).all()
    block = slice(91 + 7 - 91 % 7, None)  # weeks that begin at least 90 days after the file does
    for start in range(block.start, 245 - 6, 7):
        assert np.allclose(habit[start], (bad[start - 90 : start].sum(axis=0) + 1) / 94, atol=1e-4)
    holds("Calling no airline is right in all 11 cells on 40% of the days, more often than both.")
    right = {name: values["subset accuracy"] for name, values in zip((*names, "none", "all"), found, strict=True)}
    assert right["none"] == (~some).mean() == 0.4 > right["both"]
    lead = bootstrap(
        lambda y, p: accuracy_score(y, (p >= 0.5).astype(int)) - (~y.any(axis=1)).mean(),
        bad,
        both,
        groups=week,
        n_resamples=500,
        rng=0,
    )
    assert lead.high < 0
    holds("Calling all of them has the highest instance-F1 of the table.")
    assert np.argmax([values["instance-F1"] for values in found]) == 4
    holds("both beats the empty answer in it by 0.056 (95% interval 0.023 to 0.094, drawing whole weeks)")
    saved = bootstrap(
        lambda y, p: y.mean() - hamming_loss(y, (p >= 0.5).astype(int)),
        bad,
        both,
        groups=week,
        n_resamples=500,
        rng=0,
    )
    assert np.allclose(saved[:3], [0.056, 0.023, 0.094], atol=6e-4)
    holds("and the weather by 0.022 (0.009 to 0.036)")
    hamming = gap(lambda y, p: hamming_loss(y, (p >= 0.5).astype(int)), weather, both, bad, week)
    assert np.allclose(hamming, [0.022, 0.009, 0.036], atol=6e-4)
    holds("leave out the other days", "The measures of rows that need a bad airline, or a good and a bad one")
    assert (some.sum(), mixed.sum()) == (147, 130)
    holds("Habit orders the airlines of a day, with an instance-AUC of 0.809")
    assert round(measures(habit)["instance-AUC"], 3) == 0.809
    area = {
        name: bootstrap(macro_auc, bad, p, groups=week, n_resamples=500, rng=0)[:3]
        for name, p in zip(names, forecasts, strict=True)
    }
    holds("a macro-AUC of 0.527 (0.42 to 0.62)")
    assert round(area["habit"][0], 3) == 0.527 and np.round(area["habit"][1:], 2).tolist() == [0.42, 0.62]
    holds("with 0.828 (0.80 to 0.87), and it has nothing to say about rows")
    assert round(area["weather"][0], 3) == 0.828 and np.round(area["weather"][1:], 2).tolist() == [0.80, 0.87]
    holds("There its ranking loss is 1 and its instance-AUC 0.5, which is one fact in two conventions for ties.")
    assert (measures(weather)["ranking loss"], measures(weather)["instance-AUC"]) == (1, 0.5)
    holds("Both is close to the better one on each side.")
    assert gap(macro_auc, both, weather, bad, week).max() < 0.002
    rows = gap(lambda y, p: roc_auc_score(y[ordered(y)], p[ordered(y)], average="samples"), both, habit, bad, week)
    assert rows[1] < 0 < rows[2] and abs(rows[0]) < 0.011


@section("lesson-multi-label-case")
def test_the_months(axes, by_month, forecasts, month):
    values = np.array([[by_month(p, month == m) for m in range(5, 13)] for p in forecasts])
    holds(
        "The line of both is close to the better of the other two.",
        "in each month both is within 0.06 of the better one",
    )
    short = values[:2].max(axis=0) - values[2]
    assert 0.05 < short.max() < 0.0605 and (values[0, :, 0] > 0.5).all() and (values[1, :, 1] > values[0, :, 1]).all()
    holds("habit and both run close together between 0.72 and 0.92, and weather is at 0.5")
    assert (values[1, :, 0] == 0.5).all()
    assert (values[[0, 2], :, 0].min().round(2), values[[0, 2], :, 0].max().round(2)) == (0.72, 0.92)
    holds("weather and both run close together between 0.72 and 0.94, with the lowest values in July")
    assert (values[1:, :, 1].min().round(2), values[1:, :, 1].max().round(2)) == (0.72, 0.94)
    assert values[1:, :, 1].argmin(axis=1).tolist() == [2, 2]
    holds("and habit lies far below, between 0.30 and 0.67")
    assert (values[0, :, 1].min().round(2), values[0, :, 1].max().round(2)) == (0.3, 0.67) and len(axes) == 2


@section("lesson-multi-label-case")
def test_the_decision(bad, forecasts, lrap, measures, three_a_day, week):
    habit, weather, both = forecasts
    holds("A perfect forecast would catch 323.")
    assert three_a_day(bad, bad) == np.minimum(bad.sum(axis=1), 3).sum() == 323
    holds("Airlines with equal forecasts share the places:")
    assert np.isclose(three_a_day(bad, 0 * bad), 3 * bad.mean(axis=1).sum())
    holds("Both catches 5 fewer than habit (from 12 fewer to 2 more) and 82 more than the weather (67 to 98).")
    assert gap(three_a_day, both, habit, bad, week).round().tolist() == [-5, -12, 2]
    assert gap(three_a_day, both, weather, bad, week).round().tolist() == [82, 67, 98]
    holds("So the three places a day do not tell both from habit.")
    assert gap(three_a_day, both, habit, bad, week)[2] > 0
    holds("In LRAP, however, both is 0.053 behind habit (0.014 to 0.089), mostly on days with a single bad airline.")
    behind = gap(lambda y, p: lrap(y[ordered(y)], p[ordered(y)]), habit, both, bad, week)
    assert behind.round(3).tolist() == [0.053, 0.014, 0.089]
    single = bad.sum(axis=1) == 1
    share = single.sum() * (lrap(bad[single], habit[single]) - lrap(bad[single], both[single]))
    assert share > 0.8 * ordered(bad).sum() * behind[0]
    holds("both is 0.25 ahead of habit in macro-F1 (0.19 to 0.31) and level with the weather (from 0.06 behind to 0.04")
    assert gap(macro_f1, both, habit, bad, week).round(2).tolist() == [0.25, 0.19, 0.31]
    holds("If only the airlines read it, macro-F1 does not choose between both and the weather.")
    level = gap(macro_f1, both, weather, bad, week)
    assert level[1] < 0 < level[2]
    assert level[1:].round(2).tolist() in ([-0.06, 0.04], [-0.06, 0.03]) and abs(level[0]) < 0.01
    holds("If only the airport reads it, keep habit, which orders the rows at least as well and needs no weather.")
    assert all(measures(habit)[name] >= measures(both)[name] for name in ("instance-AUC", "LRAP"))
    assert measures(habit)["ranking loss"] <= measures(both)["ranking loss"]


@section("lesson-multi-label-case")
def test_the_thresholds(bad, early, each, grid, kinds, macro, one, p, week):
    found = {name: [macro(part, cut) for part in (early, ~early)] for name, cut in kinds.items()}
    holds("We choose thresholds for macro-F1 on May to August", "and judge them on September to December:")
    assert (early.sum(), (~early).sum()) == (123, 122) and len(each) == 11
    assert all(macro(early, one) >= macro(early, cut) for cut in grid)
    holds("Eleven thresholds win on the days that chose them and fall behind on the days that follow")
    assert found["one each"][0] > found["one for all"][0] and found["one each"][1] < found["one for all"][1]

    def later(cut, other):
        def of(y, s):
            return f1_score(y, (s >= cut).astype(int), average="macro", zero_division=0) - f1_score(
                y, (s >= other).astype(int), average="macro", zero_division=0
            )

        return bootstrap(of, bad[~early], p[~early], groups=week[~early], n_resamples=500, rng=0)[:3]

    holds("by 0.016 (from 0.043 behind to 0.008 ahead)")
    assert np.round(later(np.array(each), one), 3).tolist() == [-0.016, -0.043, 0.008]
    holds("Even its gain over 0.5 is open, 0.026 (from a loss of 0.131 to a gain of 0.148).")
    assert np.allclose(later(one, 0.5), [0.026, -0.131, 0.148], atol=6e-4)
    holds("Until August each airline had 23 to 61 bad days")
    assert (bad[early].sum(axis=0).min(), bad[early].sum(axis=0).max()) == (23, 61)


@section("Try it")
def test_try_it(A, B, Y, cut, cuts, f1s, scores, tags):
    holds("let A assign fraud where the score is 0.4 or more")
    assert len(Y) == 5 and tags[3] == "fraud" and cut.sum() == A.sum() + 1
    holds("instance-F1 rises to 0.867 and macro-F1 to 0.722, above B's 0.708, and Hamming loss falls to 0.1")
    assert f1s[:2] == [0.867, 0.722] and round(f1_score(Y, B, average="macro"), 3) == 0.708 < f1s[1]
    assert hamming_loss(Y, cut) == 0.1 < hamming_loss(Y, A)
    holds("Ranking loss uses no threshold and stays at 0.167.")
    assert round(label_ranking_loss(Y, scores), 3) == 0.167
    holds("Thresholds of 0.65, 0.5, 0.2 and 0.4 give 0.917, for example:")
    columns = [
        max(f1_score(Y[:, j], (scores[:, j] >= c).astype(int)) for c in np.arange(0.05, 1, 0.05)) for j in range(4)
    ]
    best = f1_score(Y, (scores >= cuts).astype(int), average="macro")
    assert cuts == [0.65, 0.5, 0.2, 0.4] and round(best, 3) == 0.917 and np.isclose(best, np.mean(columns))
    holds("Three columns are in perfect order, so a threshold can separate them.")
    assert [roc_auc_score(y, s) == 1 for y, s in zip(Y.T, scores.T, strict=True)] == [True, True, False, True]
    holds("ticket 1 scores above ticket 3, which has the tag")
    assert scores[0, 2] > scores[2, 2] and Y[:, 2].tolist() == [0, 0, 1, 0, 0]
