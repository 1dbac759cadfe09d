"""What book/lessons/grouped-auc.ipynb says, held."""

import itertools

import numpy as np

from metrics_lib import gauc, ndcg, roc_auc_score
from metrics_lib.uncertainty import bootstrap, paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-grouped-auc")
def own_auc(new, old, users, y_true):
    models = {"old": old, "new": new}
    return {
        m: [float(roc_auc_score(y_true[users == whose], given[users == whose])) for whose in "ABC"]
        for m, given in models.items()
    }


@section("lesson-grouped-auc")
def models(new, old):
    return {"old": old, "new": new}


@section("lesson-grouped-auc")
def test_the_opening(axes, models, new, old, own_auc, users, y_true):
    holds("Two models have scored the same 15")
    assert len(axes) == len(models) == 2 and len(users) == len(y_true) == len(old) == len(new) == 15
    holds("each of which is one article shown to one of three users, and 7 of them were clicked")
    assert len(set(users)) == 3 and y_true.sum() == 7
    holds("the share of pairs, one clicked and one not, in which the clicked one has the higher")
    for given in [np.random.default_rng(seed).permutation(15) for seed in range(50)]:
        assert np.isclose(roc_auc_score(y_true, given), (given[y_true == 1][:, None] > given[y_true == 0]).mean())
    holds("it is 0.455 for the old model, worse than a coin, and 0.768 for the new one")
    assert [round(roc_auc_score(y_true, given), 3) for given in (old, new)] == [0.455, 0.768]
    holds("Two panels of four rows over scores from 0 to 20.")
    assert len(axes) == 2 and len(axes[0].get_yticks()) == 4 and max(old.max(), new.max()) == 20 and old.min() > 0
    holds("three rows are marked with an AUC of 1")
    assert own_auc["old"] == [1, 1, 1]
    holds(
        "A's marks lie to the right of B's, and B's on average to the right of C's; the AUCs are 0.625, 0.75 and 0.75"
    )
    assert own_auc["new"] == [0.625, 0.75, 0.75]
    assert new[users == "A"].min() > new[users == "B"].max()
    assert np.mean(new[users == "B"]) > np.mean(new[users == "C"])
    holds("The old model puts each user's clicked articles above the others.")
    for whose in "ABC":
        mine = users == whose
        assert old[mine & (y_true == 1)].min() > old[mine & (y_true == 0)].max()
    holds("The new one gives higher scores on average to users who click more.")
    rates, means = ([v[users == whose].mean() for whose in "ABC"] for v in (y_true, new))
    assert sorted(rates) == rates[::-1] and sorted(means) == means[::-1]
    holds("Under the old model each user has a perfect list, and under the new one no user does.")
    assert min(own_auc["old"]) == 1 and max(own_auc["new"]) < 1
    holds("A clicked 4 of 6 articles and C 1 of 5")
    assert [(y_true[users == whose].sum(), (users == whose).sum()) for whose in "AC"] == [(4, 6), (1, 5)]
    holds("The AUC over all impressions rewards that, because it compares A's articles with C's")
    moved = [new - shift * (users == "A") for shift in (0, 20)]
    assert roc_auc_score(y_true, moved[0]) > roc_auc_score(y_true, moved[1]) + 0.2
    holds("it is 1 for the old model and 0.7 for the new one")
    assert gauc(y_true, old, users) == 1 and np.isclose(gauc(y_true, new, users), 0.7)


@section("In one line")
def test_in_one_line(new, own_auc, users, y_true):
    holds("`gauc(y_true, y_score, users)` is 0.7 for the new model, weighted by impressions.")
    assert np.isclose(gauc(y_true, new, users), 0.7) and np.isclose(np.average(own_auc["new"], weights=[6, 4, 5]), 0.7)
    holds("users who clicked everything or nothing have no pairs and are left out")
    assert gauc([1, 0, 1, 1, 0], [2, 1, 7, 8, 9], list("xxyyz")) == 1
    holds("A perfect order scores 1, and chance scores one half.")
    assert gauc(y_true, y_true, users) == 1 and gauc(y_true, 0 * new, users) == 1 / 2


@section("By hand")
def test_by_hand(aucs, axes, columns, margin, models, new, rows, shown, users, y_true):
    table = []
    for whose in "ABC":
        ups, downs = (new[(users == whose) & (y_true == c)] for c in (1, 0))
        table.append([len(ups) + len(downs), len(ups), len(ups) * len(downs), (ups[:, None] > downs).sum()])
    assert table == [[6, 4, 8, 5], [4, 2, 4, 3], [5, 1, 4, 3]] and aucs == [5 / 8, 3 / 4, 3 / 4]
    holds("(6 × 5/8 + 4 × 3/4 + 5 × 3/4) / (6 + 4 + 5) = 10.5/15 = 0.7")
    assert np.isclose(np.dot(shown, aucs), 10.5) and np.isclose(np.average(aucs, weights=shown), 10.5 / 15)
    assert np.isclose(gauc(y_true, new, users), 0.7)
    holds("a tie would count one half, but no user has one here")
    assert all(len(set(new[users == whose])) == (users == whose).sum() for whose in "ABC")
    assert gauc([1, 0], [5, 5], [1, 1]) == 1 / 2
    holds("7 clicked and 8 unclicked articles make 56 pairs, but only 16 of them lie within a user.")
    assert (len(rows), len(columns), margin.size) == (7, 8, 56)
    within = rows[:, None] == columns
    assert within.sum() == 16 == sum(line[2] for line in table)
    holds("The old model wins all of these and loses most of the others; the new one wins most of the others.")
    signs = {m: np.sign(given[y_true == 1][:, None] - given[y_true == 0]) for m, given in models.items()}
    assert (signs["old"][within] == 1).all() and (signs["old"][~within] == -1).mean() > 1 / 2
    assert (signs["new"][~within] == 1).mean() > 1 / 2
    holds("All 56 pairs under both models")
    assert all(grid.size == 56 for grid in signs.values())
    holds("GAUC looks only into the three thick frames, which hold the pairs within a user.")
    assert len(axes[0].patches) - 56 == 3
    for seed in range(50):  # what happens between users does not matter
        draw = np.random.default_rng(seed)
        given = draw.permutation(15)
        assert np.isclose(gauc(y_true, given, users), gauc(y_true, given + 100 * (users == "B"), users))
    holds("Two grids of seven rows and eight columns")
    assert len(axes) == 2 and margin.shape == (7, 8)
    holds("A's four rows and two columns, B's two rows and two columns, and C's one row and four columns")
    assert [((rows == whose).sum(), (columns == whose).sum()) for whose in "ABC"] == [(4, 2), (2, 2), (1, 4)]
    holds("the frames are all blue, and most of the rest is white")
    assert (signs["old"][within] == 1).all() and (signs["old"][~within] == -1).mean() > 1 / 2
    holds("the frames have five white cells, and most of the rest is blue")
    assert (signs["new"][within] == -1).sum() == 5 and (signs["new"][~within] == 1).mean() > 1 / 2
    holds("with half a win for a tie, they decide the AUC over all")
    halves = {m: [(grid[part] / 2 + 1 / 2).sum() for part in (within, ~within)] for m, grid in signs.items()}
    assert halves == {"old": [16, 9.5], "new": [11, 32]}
    assert [round(sum(won) / 56, 3) for won in halves.values()] == [0.455, 0.768]
    assert [sum(won) / 56 for won in halves.values()] == [25.5 / 56, 43 / 56]
    holds("The verdict rests on pairs that nobody sees")
    assert halves["old"][0] > halves["new"][0] and sum(halves["old"]) < sum(halves["new"])
    holds("The other 40 pairs join one user's click with another user's article.")
    assert (~within).sum() == 40
    holds("the AUC over all moves while GAUC does not")
    moved = [new - shift * (users == "A") for shift in range(14)]
    assert len({float(roc_auc_score(y_true, given)) for given in moved}) > 5
    assert len({gauc(y_true, given, users) for given in moved}) == 1


@section("By hand", after="round(roc_auc_score(y, score), 3), gauc(y, score, user)")
def test_how_far_apart(score, user, y):
    holds(
        "User 1 clicks everything except the top-scored article, and user 2 clicks nothing except the lowest-scored one"
    )
    for whose, missed in ((1, 0), (2, 1)):
        mine = [(given, c) for given, c, w in zip(score, y, user, strict=True) if w == whose]
        odd = [given for given, c in mine if c == missed]
        assert odd == [max(mine)[0] if whose == 1 else min(mine)[0]] and len(mine) == 10
    holds("Each list is exactly upside down, and yet the AUC is 0.81; with longer lists it approaches 1.")
    assert gauc(y, score, user) == 0 and round(roc_auc_score(y, score), 12) == 0.81
    grown = []
    for m in range(2, 40):
        labels, ranks = [1] * (m - 1) + [0] + [1] + [0] * (m - 1), [*range(m + 1, 2 * m + 1), *range(1, m + 1)]
        assert gauc(labels, ranks, [1] * m + [2] * m) == 0
        grown.append(roc_auc_score(labels, ranks))
        assert np.isclose(grown[-1], ((m - 1) / m) ** 2)
    assert grown == sorted(grown) and grown[-1] > 0.94


@section("By hand")
def test_the_group(request, score, user, y):
    holds(
        "one user sends two requests and gets two articles each time, and that the model gives lower scores on Sunday"
    )
    assert len(set(user)) == 1 and len(set(request)) == 2 and max(score[2:]) < min(score[:2])
    holds("By user the GAUC is 0.75, by request it is 1, and both lists were in perfect order.")
    assert gauc(y, score, user) == 0.75 and gauc(y, score, request) == 1
    holds("The finer the groups, the more of them have one class and drop out")
    for seed in range(20):
        draw = np.random.default_rng(seed)
        labels, place = (draw.random(1200) < 0.2).astype(int), np.arange(1200)
        dropped = [len(gauc(labels, place, place // size, return_dropped=True)[1]) * size for size in (3, 12, 60)]
        assert dropped == sorted(dropped, reverse=True) and dropped[0] > dropped[-1]


@section("lesson-grouped-auc-scale")
def test_how_good_is_0_7(counts, users, ways, y_true):
    values = np.array(ways) / 60
    holds("the worst order scores 0, chance one half and the best order 1")
    assert gauc(y_true, -y_true, users) == 0 and gauc(y_true, y_true, users) == 1
    assert gauc(y_true, 0 * y_true, users) == 1 / 2
    holds("The GAUC of all 450 ways in which the clicks can lie in the three lists.")
    assert len(values) == 450
    places = [list(itertools.combinations(range(n), k)) for n, k in ((6, 4), (4, 2), (5, 1))]
    direct = []
    for trio in itertools.product(*places):
        labels = np.concatenate([np.isin(np.arange(n), p) for n, p in zip((6, 4, 5), trio, strict=True)])
        direct.append(gauc(labels, np.arange(15), users))
    assert np.allclose(direct, values)
    holds("Their mean is 0.5, and 69 of them score at least 0.7, as the new model does.")
    assert np.isclose(np.mean(direct), 0.5) and (np.array(direct) > 0.7 - 1e-9).sum() == 69 == counts[42:].sum()
    holds("because blind orders reach it in 69 of 450 cases")
    assert counts[42:].sum() == 69 and counts.sum() == 450
    holds("symmetric about 0.5")
    assert counts.tolist() == counts[::-1].tolist()
    holds("one score for all")
    assert gauc(y_true, np.full(15, 3), users) == 1 / 2
    holds("in the 89 days of the case below, blind scores stay within 0.05 of one half 99 times in 100")
    case = np.genfromtxt("cases/flights.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    case = case[case["month"] >= 10]
    draw = np.random.default_rng(5)
    blind = np.array([gauc(case["late"], draw.random(len(case)), case["day"]) for _ in range(300)])
    assert 0.98 < np.mean(abs(blind - 1 / 2) < 0.05) <= 1
    dropped = gauc(case["late"], case["trees"], case["day"], return_dropped=True)[1]
    assert len(set(case["day"])) - len(dropped) == 89


@section("lesson-grouped-auc-blind")
def test_what_it_cannot_see(bonus, clicks, dropped, new, old, score, shifted, ten, users, value, who, y_true):
    holds("Give the old model's A a bonus of 7, and take 10 from C")
    assert [set(bonus[users == whose].tolist()) for whose in "ABC"] == [{7}, {0}, {-10}]
    holds(
        "here from 0.455 to 0.938, but it never changes GAUC, because it leaves each comparison within a user as it was"
    )
    assert [round(roc_auc_score(y_true, given), 3) for given in (old, shifted)] == [0.455, 0.938]
    for seed in range(300):
        draw = np.random.default_rng(seed)
        given, plus = draw.integers(0, 8, 15), np.repeat(draw.integers(-20, 21, 3), [6, 4, 5])
        for weights in ("impressions", "clicks", "uniform"):
            assert gauc(y_true, given, users, weights=weights) == gauc(y_true, given + plus, users, weights=weights)
    holds("One of the top three by the old scores is clicked, but all of the top three by the shifted scores are")
    assert [y_true[np.argsort(-given)[:3]].sum() for given in (old, shifted)] == [1, 3]
    assert gauc(y_true, shifted, users) == gauc(y_true, old, users) == 1
    holds("Suppose that the app may push 3 of the 15 articles to a phone.")
    assert len(old) == 15
    holds("A model that says ten times too much bids ten times too much, with an AUC of 0.768 and a GAUC of 0.7")
    assert np.array_equal(ten, 10 * new) and round(roc_auc_score(y_true, ten), 3) == 0.768
    assert gauc(y_true, ten, users) == gauc(y_true, new, users) and round(gauc(y_true, ten, users), 3) == 0.7
    holds("D is shown three articles, all with high scores, and clicks none")
    assert (who == "D").sum() == 3 and clicks[who == "D"].sum() == 0 and score[who == "D"].min() > new.max()
    holds("GAUC drops D, and from the denominator as well, so it is 10.5/15 rather than 10.5/18.")
    assert dropped.tolist() == ["D"] and np.isclose(value, 10.5 / 15) and len(who) == 18
    holds("Users who click everything or nothing.")
    assert gauc([1, 0, 1, 1], [2, 1, 1, 2], list("xxyy"), return_dropped=True)[1].tolist() == ["y"]
    holds("The AUC over all falls from 0.768 to 0.558.")
    assert [round(roc_auc_score(*pair), 3) for pair in ((y_true, new), (clicks, score))] == [0.768, 0.558]
    holds("if clicks are rare, it is most of them, and above all those with few impressions")
    for seed in range(10):
        draw = np.random.default_rng(seed)
        persons = np.repeat(np.arange(2000), draw.geometric(1 / 8, 2000))
        rare = draw.random(len(persons)) < 0.03
        gone = gauc(rare, rare, persons, return_dropped=True)[1]
        assert len(gone) / 2000 > 0.7
        seen = np.bincount(persons)
        assert seen[gone.astype(int)].mean() < 0.75 * np.delete(seen, gone.astype(int)).mean()
    holds("A pair lost at the top costs as much as one at the bottom.")
    for labels in itertools.product([0, 1], repeat=6):
        for rank in range(5):
            if labels[rank] < labels[rank + 1]:
                swapped = [*labels[:rank], labels[rank + 1], labels[rank], *labels[rank + 2 :]]
                gain = [gauc(x, range(6, 0, -1), [1] * 6) for x in (labels, swapped)]
                assert np.isclose(gain[1] - gain[0], 1 / sum(labels) / (6 - sum(labels)))
    high, low = [0, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0]
    assert gauc(high, range(6, 0, -1), [1] * 6) == gauc(low, range(6, 0, -1), [1] * 6) and ndcg(high) < ndcg(low)


@section("lesson-grouped-auc-choices")
def test_the_choices(aucs, new, rival, tenfold, two, users, y_true):
    copies = np.repeat(np.arange(15), tenfold)
    holds("A rival model gives C a perfect list, A one that is no better than a coin, and B the same as the new model.")
    of_rival = [roc_auc_score(y_true[users == whose], rival[users == whose]) for whose in "ABC"]
    assert of_rival == [1 / 2, aucs[1], 1]
    holds("Suppose also that the log keeps one unclicked row in ten, so that each of these stands for ten")
    assert set(tenfold[y_true == 0].tolist()) == {10} and set(tenfold[y_true == 1].tolist()) == {1}
    for given in (new, rival):
        assert np.isclose(
            gauc(y_true[copies], given[copies], users[copies]), gauc(y_true, given, users, sample_weight=tenfold)
        )
    holds("no user has both classes")
    assert np.isnan(gauc([1, 1, 0], [1, 2, 3], list("xxy"))) and gauc([1, 1], [1, 2], [0, 0], undefined=0.5) == 0.5
    chosen = {
        "impressions": [0.7, 0.733],
        "clicks": [0.679, 0.643],
        "uniform": [0.708, 0.75],
        "own": [0.65, 0.575],
    }
    for choice, expected in chosen.items():
        weights = {"A": 8, "B": 1, "C": 1} if choice == "own" else choice
        assert [round(gauc(y_true, given, users, weights=weights), 3) for given in (new, rival)] == expected
    assert np.round(two, 3).tolist() == [0.716, 0.799]
    proved("By impressions the rival wins and by clicks the new model, because A clicks most.")
    by_shown, by_clicks = chosen["impressions"], chosen["clicks"]
    assert by_shown[1] > by_shown[0] and by_clicks[1] < by_clicks[0]
    assert y_true[users == "A"].sum() > max(y_true[users == whose].sum() for whose in "BC")
    holds("groups whose scores are all equal, which count one half here")
    assert gauc([1, 0, 1, 0], [7, 7, 2, 1], list("xxyy")) == (1 / 2 + 1) / 2
    holds("weight is the sum of the weights of its rows, and a pair within a user counts the product of its two")
    for seed in range(50):
        draw = np.random.default_rng(seed)
        w, given = draw.integers(1, 6, 15), draw.integers(0, 9, 15)
        expected, totals = [], []
        for whose in "ABC":
            hits, miss = (users == whose) & (y_true == 1), (users == whose) & (y_true == 0)
            margin_u = np.sign(given[hits][:, None] - given[miss]) / 2 + 1 / 2
            expected.append(np.average(margin_u, weights=w[hits][:, None] * w[miss]))
            totals.append(w[users == whose].sum())
        assert np.isclose(gauc(y_true, given, users, sample_weight=w), np.average(expected, weights=totals))
    holds("Here each user's AUC is unchanged, and C gains weight.")
    for whose, known in zip("ABC", aucs, strict=True):
        mine = users == whose
        assert np.isclose(roc_auc_score(y_true[mine], new[mine], sample_weight=tenfold[mine]), known)
    assert tenfold[users == "C"].sum() / tenfold.sum() > 5 / 15


@section("On real data", after="looks = ")
def test_the_table_and_its_figure(autumn, day, flights, hits, late, names, y):
    holds("holds 45 landed flights of each day from July to December 2013")
    assert set(np.unique(flights["day"], return_counts=True)[1]) == {45} and set(flights["month"]) == set(range(7, 13))
    holds("each of the 92 rows of `late` is a day")
    assert (day.reshape(92, 45) == day[::45, None]).all() and len(set(day)) == 92
    holds("For each score we count the late flights among the first three of each day, 276 in all")
    found = {column: int(hits(autumn[column]).sum()) for column in names}
    assert list(found.values()) == [65, 46, 58, 57, 70] and 3 * 92 == 276 == late[:, :3].size
    order = np.lexsort((-autumn["trees"], day))
    assert y[order].reshape(92, 45)[:, :3].sum() == 70
    values = {column: (roc_auc_score(y, autumn[column]), gauc(y, autumn[column], day)) for column in names}
    assert [round(v[0], 3) for v in values.values()] == [0.645, 0.642, 0.715, 0.725, 0.711]
    assert [round(v[1], 3) for v in values.values()] == [0.648, 0.489, 0.648, 0.621, 0.635]
    holds("A blind desk would expect 39 hits, and the best possible one would find 235.")
    assert np.isclose(3 * late.mean(axis=1).sum(), 39) and np.minimum(late.sum(axis=1), 3).sum() == 235
    holds("By the AUC over all, the weather looks as good as the schedule, and adding it to the schedule helps")
    draws = {"groups": day, "n_resamples": 300, "rng": 0}
    apart = bootstrap(lead, y, autumn["schedule"], autumn["weather"], **draws)
    assert apart.low < 0 < apart.high and abs(apart.value) < 0.005
    assert values["logistic"][0] - values["schedule"][0] > 0.07
    holds("By GAUC, the weather alone is no better than chance, and adding it changes nothing")
    assert values["weather"][1] < 1 / 2 and abs(values["logistic"][1] - values["schedule"][1]) < 0.001
    holds("is nearly level, from 0.645 to 0.648", "falls from 0.642 to 0.489", "fall from 0.715 to 0.648")
    assert [round(v, 3) for v in (*values["schedule"], *values["weather"])] == [0.645, 0.648, 0.642, 0.489]
    holds('below a grey line that is marked "chance" at 0.5')
    assert values["weather"][1] < 0.5


def lead(y, a, b):
    return roc_auc_score(y, a) - roc_auc_score(y, b)


@section("On real data", after="gain = ")
def test_what_the_weather_adds(autumn, day, draws, each_day, flights, gain, hits, late, over_all, usable, y):
    holds("Only 0.93% of all pairs of a late flight and one on time lie within one day")
    counts = late.sum(axis=1)
    pairs = counts.sum() * (late.size - counts.sum())
    assert round(100 * (counts * (45 - counts)).sum() / pairs, 2) == 0.93
    holds("so the AUC over all hardly looks at what the desk does")
    between = np.subtract.outer(autumn["logistic"][y == 1], autumn["logistic"][y == 0])
    same = day[y == 1][:, None] == day[y == 0]
    points = (np.sign(between) + 1) / 2
    assert np.isclose(points.mean(), roc_auc_score(y, autumn["logistic"]))
    assert abs(points[~same].mean() - points.mean()) < 0.001
    holds("The weather adds 0.071 (95% interval 0.036 to 0.107) to the AUC over all.")
    over = bootstrap(over_all, y, autumn["logistic"], autumn["schedule"], **draws)
    assert np.round(over[:3], 3).tolist() == [0.071, 0.036, 0.107]
    holds("over the 89 days that have a late flight, it adds -0.001 (-0.014 to 0.013)")
    assert np.round(gain[:3], 3).tolist() == [-0.001, -0.014, 0.013] and len(usable) == 89 == (counts > 0).sum()
    whole = gauc(y, autumn["logistic"], day) - gauc(y, autumn["schedule"], day)
    assert np.isclose(gain.value, whole) and (counts < 45).all()
    holds("The desk finds 58 late flights with it and 65 without, 7 fewer (from 16.5 fewer to 2.5 more).")
    found = [hits(autumn[column]) for column in ("logistic", "schedule")]
    desk = paired_difference(*found, rng=0)
    assert [int(each.sum()) for each in found] == [58, 65]
    assert [round(92 * end, 1) for end in desk[:3]] == [-7, -16.5, 2.5]
    holds("the GAUCs with and without the weather differ by less than 0.01 in each of the six")
    for month in range(7, 13):
        rows = flights[flights["month"] == month]
        both, alone = (gauc(rows["late"], rows[column], rows["day"]) for column in ("logistic", "schedule"))
        assert abs(both - alone) < 0.01
    holds("from July to September the weather adds 0.076 to the AUC over all and 0.003 (-0.008 to 0.013) to GAUC")
    summer = flights[flights["month"] <= 9]
    assert round(lead(summer["late"], summer["logistic"], summer["schedule"]), 3) == 0.076
    of_days = [summer["day"] == d for d in np.unique(summer["day"])]
    mixed = [rows for rows in of_days if summer["late"][rows].sum() > 0]
    each = [[roc_auc_score(summer["late"][r], summer[c][r]) for r in mixed] for c in ("logistic", "schedule")]
    assert np.round(paired_difference(*each, rng=0)[:3], 3).tolist() == [0.003, -0.008, 0.013]
    holds("it gains the desk nothing that the data can show")
    assert gain.low < 0 < gain.high and desk.low < 0 < desk.high


@section("On real data")
def test_the_number_of_late_flights(alone, autumn, both, fewer, flights, late, miss):
    holds("The schedule misses the number of late flights by 4.92 a day, and with the weather it is 3.54")
    assert [round(float(miss(score).mean()), 2) for score in (alone, both)] == [4.92, 3.54]
    holds("an improvement of 1.37 (0.92 to 1.82)")
    assert np.round(fewer[:3], 2).tolist() == [1.37, 0.92, 1.82]
    holds("Forecasting 7.3 each day, the mean of July to September, misses by 4.82, so the schedule alone shows no")
    mean = flights["late"][flights["month"] <= 9].mean()
    assert round(45 * mean, 1) == 7.3 and round(float(miss(np.full(late.size, mean)).mean()), 2) == 4.82
    assert miss(alone).mean() > miss(np.full(late.size, mean)).mean()
    assert paired_difference(miss(alone), miss(np.full(late.size, mean)), rng=0).high > 0
    holds("The weather shows it in each of the six months.", "and expect less than 1.37")
    for month in range(7, 13):
        rows = flights[flights["month"] == month]
        came = rows["late"].reshape(-1, 45).sum(axis=1)
        misses = [abs(rows[c].reshape(-1, 45).sum(axis=1) - came) for c in ("schedule", "logistic")]
        assert paired_difference(*misses, rng=0).value > 0
    assert round(fewer.value, 2) == 1.37
    holds("72% of the variance of its own forecasts lies between days, against 5% for the schedule")
    between = {c: autumn[c].reshape(92, 45).mean(axis=1).var() / autumn[c].var() for c in ("weather", "schedule")}
    assert [round(100 * share) for share in between.values()] == [72, 5]
    totals = {c: autumn[c].reshape(92, 45).sum(axis=1) for c in ("schedule", "logistic")}
    came = late.sum(axis=1)
    holds("Two square scatter plots of the late flights of a day, from 0 to 27")
    assert (came.min(), came.max()) == (0, 27)
    holds("a narrow upright band at forecasts from 5.5 to 9.5", "they spread from 2.4 to 16.4 and rise to the right")
    assert [round(end(total), 1) for total in totals.values() for end in (np.min, np.max)] == [5.5, 9.5, 2.4, 16.4]
    assert np.corrcoef(totals["logistic"], came)[0, 1] > 0.5 > abs(np.corrcoef(totals["schedule"], came)[0, 1])
    holds("days with more than 20 late flights lie far above the diagonal")
    assert (came - totals["logistic"])[came > 20].min() > 5
    holds("out of 45, with a circle for each of 92 days")
    assert late.shape == (92, 45)


def best_three(rows, column):
    """The late flights among the first three of each day, by another way than the page's."""
    days = np.split(rows[np.lexsort((-rows[column], rows["day"]))], len(rows) // 45)
    return np.array([of_day["late"][:3].sum() for of_day in days])


@section("On real data")
def test_the_models(autumn, day, draws, each_day, hits, over_all, y):
    holds("Naive Bayes has the highest AUC over all, though not by more than chance, but within the day it is behind")
    aucs = {column: roc_auc_score(y, autumn[column]) for column in ("logistic", "bayes", "trees")}
    over = bootstrap(over_all, y, autumn["logistic"], autumn["bayes"], **draws)
    within = paired_difference(each_day(autumn["logistic"]), each_day(autumn["bayes"]), rng=0)
    assert max(aucs, key=aucs.get) == "bayes" and over.low < 0 < over.high and within.low > 0
    assert np.round(within[:3], 3).tolist() == [0.027, 0.010, 0.044]
    holds("The trees find the most late flights, 70, without a higher GAUC")
    trees = paired_difference(each_day(autumn["trees"]), each_day(autumn["logistic"]), rng=0)
    assert hits(autumn["trees"]).sum() == 70 and trees.value < 0 < trees.high
    holds("because GAUC judges the whole list of a day and the desk reads its first three")
    below = autumn["trees"].copy()
    for d in np.unique(day):
        rows = np.flatnonzero(day == d)
        rest = rows[np.argsort(-autumn["trees"][rows], kind="stable")[3:]]
        below[rest] = np.sort(below[rest])[np.argsort(np.argsort(y[rest], kind="stable"))]
    assert gauc(y, below, day) > 0.8 and hits(below).sum() == 70
    holds("Their lead of 12 hits over the regression (from 1 fewer to 25 more) does not decide")
    lead_of = paired_difference(hits(autumn["trees"]), hits(autumn["logistic"]), rng=0)
    assert [round(92 * end) for end in lead_of[:3]] == [12, -1, 25]
    assert np.array_equal(best_three(autumn, "trees"), hits(autumn["trees"]))


@section("Try it")
def test_try_it(after, before, user, y):
    pair_y, pair_users = [1, 0, 1, 0], list("xxyy")
    holds("One of these is true; find a counter-example to the other, with two users of two rows each.")
    ranked = list(itertools.product(range(4), repeat=4))
    assert any(gauc(pair_y, given, pair_users) == 1 > roc_auc_score(pair_y, given) for given in ranked)
    assert not any(roc_auc_score(pair_y, given) == 1 > gauc(pair_y, given, pair_users) for given in ranked)
    holds("if each click has a higher score than all other rows, it has a higher score than those of its own user")
    for labels in itertools.product([0, 1], repeat=6):
        both = set(labels[:3]) == {0, 1} or set(labels[3:]) == {0, 1}
        if set(labels) == {0, 1}:
            inside = gauc(labels, np.argsort(np.argsort(labels)), user)
            assert roc_auc_score(labels, np.argsort(np.argsort(labels))) == 1 and (
                inside == 1 if both else np.isnan(inside)
            )
    holds("If the AUC over all is 1 and some user has both classes, GAUC is 1.")
    for seed in range(300):
        draw = np.random.default_rng(seed)
        labels, given, persons = draw.integers(0, 2, 5), draw.integers(0, 4, 5), draw.integers(0, 3, 5)
        mixed = any(len(set(labels[persons == u])) == 2 for u in range(3))
        if mixed and roc_auc_score(labels, given) == 1:
            assert gauc(labels, given, persons) == 1
    holds("let all scores of one user lie below those of the other")
    assert gauc(pair_y, [2, 1, 4, 3], pair_users) == 1 and roc_auc_score(pair_y, [2, 1, 4, 3]) == 3 / 4
    holds("The AUC of each user rises, and the AUC over all falls.")
    of_users = [[float(roc_auc_score(y[i : i + 3], given[i : i + 3])) for i in (0, 3)] for given in (before, after)]
    assert of_users == [[0, 0], [1 / 2, 1 / 2]] and roc_auc_score(y, before) > roc_auc_score(y, after)
    holds("Let x click two of three articles and y one of three")
    assert (sum(y[:3]), sum(y[3:])) == (2, 1)
    holds("and move y from below x to above")
    assert max(before[3:]) < min(before[:3]) and min(after[3:]) > max(after[:3])
    holds("Both users rise from 0 to one half, and the AUC over all falls from 4/9 to 3/9")
    assert np.allclose([roc_auc_score(y, given) for given in (before, after)], [4 / 9, 3 / 9])
    proved("The click of x scores 2, less than the 3 of y's unclicked article.")
    assert pair_y[0] == 1 and pair_y[3] == 0 and [2, 1, 4, 3][0] < [2, 1, 4, 3][3]


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("called both, has all 11 columns", "a script")
    unchecked("late means by 30 minutes or more", "a script")
    unchecked("Each month was forecast by models trained on the months before it.", "a script")
