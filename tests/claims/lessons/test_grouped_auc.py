"""What book/lessons/grouped-auc.ipynb says, held."""

import itertools

import numpy as np

from metrics_lib import gauc, ndcg, roc_auc_score
from metrics_lib.uncertainty import paired_difference
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
def test_the_opening(axes, new, old, users, y_true):
    models = {"old": old, "new": new}
    own_auc = {
        m: [float(roc_auc_score(y_true[users == whose], given[users == whose])) for whose in "ABC"]
        for m, given in models.items()
    }
    holds("Two models have scored the same 15")
    assert len(axes) == len(models) == 2 and len(users) == len(y_true) == len(old) == len(new) == 15
    holds("(one article shown to one user) of three users; 7 were clicked")
    assert len(set(users)) == 3 and y_true.sum() == 7
    holds("the share of pairs, one clicked and one not, in which the clicked one has the higher")
    for given in [np.random.default_rng(seed).permutation(15) for seed in range(50)]:
        assert np.isclose(roc_auc_score(y_true, given), (given[y_true == 1][:, None] > given[y_true == 0]).mean())
    holds("Over all 15 it is 0.455 for the old model, worse than a coin, and 0.768 for the new one.")
    assert [round(roc_auc_score(y_true, given), 3) for given in (old, new)] == [0.455, 0.768]
    holds("Two panels of four rows over scores from 0 to 20.")
    assert len(axes) == 2 and len(axes[0].get_yticks()) == 4 and max(old.max(), new.max()) == 20 and old.min() > 0
    holds("with the AUC 1 in three rows")
    assert own_auc["old"] == [1, 1, 1]
    holds("A stands right of B, and B on average right of C; the AUCs are 0.625, 0.75 and 0.75, and 0.768")
    assert own_auc["new"] == [0.625, 0.75, 0.75]
    assert new[users == "A"].min() > new[users == "B"].max()
    assert np.mean(new[users == "B"]) > np.mean(new[users == "C"])
    holds("The old model puts each user's clicked articles above the others")
    for whose in "ABC":
        mine = users == whose
        assert old[mine & (y_true == 1)].min() > old[mine & (y_true == 0)].max()
    holds("the new one gives the users who click more higher scores on average")
    rates, means = ([v[users == whose].mean() for whose in "ABC"] for v in (y_true, new))
    assert sorted(rates) == rates[::-1] and sorted(means) == means[::-1]
    holds("In the old model each user has a perfect list; in the new one nobody has.")
    assert min(own_auc["old"]) == 1 and max(own_auc["new"]) < 1
    holds("A clicked 4 of 6, C 1 of 5")
    assert [(y_true[users == whose].sum(), (users == whose).sum()) for whose in "AC"] == [(4, 6), (1, 5)]
    holds("Grouped AUC compares within each user: 1 for the old model, 0.7 for the new one.")
    assert gauc(y_true, old, users) == 1 and np.isclose(gauc(y_true, new, users), 0.7)


@section("In one line")
def test_in_one_line(new, own_auc, users, y_true):
    holds("`gauc(y_true, y_score, users)` is 0.7 for the new model, weighted by impressions.")
    assert np.isclose(gauc(y_true, new, users), 0.7) and np.isclose(np.average(own_auc["new"], weights=[6, 4, 5]), 0.7)
    holds("Both sums run over the users with clicked and unclicked rows")
    assert gauc([1, 0, 1, 1, 0], [2, 1, 7, 8, 9], list("xxyyz")) == 1
    holds("Perfect is 1, chance one half.")
    assert gauc(y_true, y_true, users) == 1 and gauc(y_true, 0 * new, users) == 1 / 2


@section("By hand")
def test_by_hand(aucs, axes, columns, margin, models, new, rows, score, shown, user, users, y, y_true):
    table = []
    for whose in "ABC":
        ups, downs = (new[(users == whose) & (y_true == c)] for c in (1, 0))
        table.append([len(ups) + len(downs), len(ups), len(ups) * len(downs), (ups[:, None] > downs).sum()])
    assert table == [[6, 4, 8, 5], [4, 2, 4, 3], [5, 1, 4, 3]] and aucs == [5 / 8, 3 / 4, 3 / 4]
    holds("(6 x 5/8 + 4 x 3/4 + 5 x 3/4) / (6 + 4 + 5) = 10.5/15 = 0.7")
    assert np.isclose(6 * 5 / 8 + 4 * 3 / 4 + 5 * 3 / 4, 10.5) and np.isclose(
        np.average(aucs, weights=shown), 10.5 / 15
    )
    assert np.isclose(gauc(y_true, new, users), 0.7)
    holds("a {term}`tie` would count one half, but within a user there is none here")
    assert (
        all(len(set(new[users == whose])) == (users == whose).sum() for whose in "ABC")
        and gauc([1, 0], [5, 5], [1, 1]) == 1 / 2
    )
    holds("7 clicked and 8 unclicked articles make 56 pairs, and 16 of them lie within a user.")
    assert (len(rows), len(columns), margin.size) == (7, 8, 56)
    within = rows[:, None] == columns
    assert within.sum() == 16 == sum(line[2] for line in table)
    holds("The old model wins all of these and loses most of the others; the new one wins most of the others.")
    signs = {m: np.sign(given[y_true == 1][:, None] - given[y_true == 0]) for m, given in models.items()}
    assert (signs["old"][within] == 1).all() and (signs["old"][~within] == -1).mean() > 1 / 2
    assert (signs["new"][~within] == 1).mean() > 1 / 2
    holds("All 56 pairs of both models")
    assert all(grid.size == 56 for grid in signs.values())
    holds("GAUC looks into the three thick frames, the pairs within a user.")
    assert len(axes[0].patches) - 56 == 3
    holds("Two grids of seven rows and eight columns")
    assert len(axes) == 2 and margin.shape == (7, 8)
    holds("A's four rows and two columns, B's two rows and two columns, C's one row and four columns")
    assert [((rows == whose).sum(), (columns == whose).sum()) for whose in "ABC"] == [(4, 2), (2, 2), (1, 4)]
    holds("the frames are all blue and most of the rest is white")
    assert (signs["old"][within] == 1).all() and (signs["old"][~within] == -1).mean() > 1 / 2
    holds("the frames have five white cells, and most of the rest is blue")
    assert (signs["new"][within] == -1).sum() == 5 and (signs["new"][~within] == 1).mean() > 1 / 2
    holds("a tie is half a win")
    halves = {m: [(grid[part] / 2 + 1 / 2).sum() for part in (within, ~within)] for m, grid in signs.items()}
    assert halves == {"old": [16, 9.5], "new": [11, 32]}
    assert [round(sum(won) / 56, 3) for won in halves.values()] == [0.455, 0.768]
    assert [sum(won) / 56 for won in halves.values()] == [25.5 / 56, 43 / 56]
    holds("The pairs that nobody sees decide")
    assert halves["old"][0] > halves["new"][0] and sum(halves["old"]) < sum(halves["new"])
    holds("The other 40 join one user's click with another user's article.")
    assert (~within).sum() == 40
    holds("User 1 clicks all but the article with the best score; user 2 clicks none but the one with the worst")
    for whose, missed in ((1, 0), (2, 1)):
        mine = [(given, c) for given, c, w in zip(score, y, user, strict=True) if w == whose]
        odd = [given for given, c in mine if c == missed]
        assert odd == [max(mine)[0] if whose == 1 else min(mine)[0]] and len(mine) == 10
    holds("Each list is exactly upside down, and the AUC is 0.81; with longer lists it nears 1.")
    assert gauc(y, score, user) == 0 and round(roc_auc_score(y, score), 12) == 0.81
    grown = []
    for m in range(2, 40):
        labels, ranks = [1] * (m - 1) + [0] + [1] + [0] * (m - 1), [*range(m + 1, 2 * m + 1), *range(1, m + 1)]
        assert gauc(labels, ranks, [1] * m + [2] * m) == 0
        grown.append(roc_auc_score(labels, ranks))
        assert np.isclose(grown[-1], ((m - 1) / m) ** 2)
    assert grown == sorted(grown) and grown[-1] > 0.94
    holds("the AUC over all moves, GAUC does not")
    moved = [new - shift * (users == "A") for shift in range(14)]
    assert (
        len({float(roc_auc_score(y_true, given)) for given in moved}) > 5
        and len({gauc(y_true, given, users) for given in moved}) == 1
    )


@section("lesson-grouped-auc-scale")
def test_how_good_is_0_7(counts, users, ways, y_true):
    values = np.array(ways) / 60
    holds("0, one half and 1")
    assert (
        gauc(y_true, -y_true, users) == 0
        and gauc(y_true, 0 * y_true, users) == 1 / 2
        and gauc(y_true, y_true, users) == 1
    )
    holds("The GAUC of all 450 ways in which the clicks can lie in the three lists.")
    assert len(values) == 450
    places = [list(itertools.combinations(range(n), k)) for n, k in ((6, 4), (4, 2), (5, 1))]
    direct = []
    for trio in itertools.product(*places):
        labels = np.concatenate([np.isin(np.arange(n), p) for n, p in zip((6, 4, 5), trio, strict=True)])
        direct.append(gauc(labels, np.arange(15), users))
    assert np.allclose(direct, values)
    holds("Their mean is 0.5; 69 of them reach the 0.7 of the new model.")
    assert np.isclose(np.mean(direct), 0.5) and (np.array(direct) > 0.7 - 1e-9).sum() == 69 == counts[42:].sum()
    holds("blind orders reach it in 69 of 450 cases")
    assert counts[42:].sum() == 69 and counts.sum() == 450
    holds("symmetric about 0.5")
    assert counts.tolist() == counts[::-1].tolist()
    holds("one score for all")
    assert gauc(y_true, np.full(15, 3), users) == 1 / 2
    holds("In a log of 3,000 such readers as in the last section blind scores stay within 0.05 of one half")
    for seed in range(20):
        draw = np.random.default_rng(seed)
        many = np.repeat(np.arange(3000), draw.geometric(1 / 8, 3000))
        liking = draw.normal(-2.2, 1.3, 3000)[many] + draw.normal(0, 0.8, len(many))
        hit_or_not = draw.random(len(many)) < 1 / (1 + np.exp(-liking))
        assert abs(gauc(hit_or_not, draw.random(len(many)), many) - 1 / 2) < 0.05


@section("lesson-grouped-auc-blind")
def test_what_it_cannot_see(bonus, clicks, dropped, new, old, score, shifted, users, value, who, y_true):
    holds("Give the old model's A a bonus of 7, and take 10 from C")
    assert [set(bonus[users == whose].tolist()) for whose in "ABC"] == [{7}, {0}, {-10}]
    holds("here from 0.455 to 0.938, and never changes GAUC: within a user all comparisons stay")
    assert [round(roc_auc_score(y_true, given), 3) for given in (old, shifted)] == [0.455, 0.938]
    for seed in range(300):
        draw = np.random.default_rng(seed)
        given, plus = draw.integers(0, 8, 15), np.repeat(draw.integers(-20, 21, 3), [6, 4, 5])
        for weights in ("impressions", "clicks", "uniform"):
            assert gauc(y_true, given, users, weights=weights) == gauc(y_true, given + plus, users, weights=weights)
    holds("Anything that is the same for all rows of a user.")
    assert gauc(y_true, shifted, users) == gauc(y_true, old, users) == 1
    holds("By the old scores one of the top 3 is clicked, by the shifted ones all three are.")
    assert [y_true[np.argsort(-given)[:3]].sum() for given in (old, shifted)] == [1, 3]
    holds("D is shown three articles, all with high scores, and clicks none")
    assert (who == "D").sum() == 3 and clicks[who == "D"].sum() == 0 and score[who == "D"].min() > new.max()
    holds("GAUC drops D, from the sum below the line as well: 10.5/15, not 10.5/18.")
    assert dropped.tolist() == ["D"] and np.isclose(value, 10.5 / 15) and len(who) == 18
    holds("Who clicks nothing, or everything.")
    assert gauc([1, 0, 1, 1], [2, 1, 1, 2], list("xxyy"), return_dropped=True)[1].tolist() == ["y"]
    holds("The AUC over all falls from 0.768 to 0.558.")
    assert [round(roc_auc_score(*pair), 3) for pair in ((y_true, new), (clicks, score))] == [0.768, 0.558]
    holds("where clicks are rare, it is most of them")
    for seed in range(10):
        draw = np.random.default_rng(seed)
        persons = np.repeat(np.arange(2000), draw.geometric(1 / 8, 2000))
        rare = draw.random(len(persons)) < 0.03
        assert len(gauc(rare, rare, persons, return_dropped=True)[1]) / 2000 > 0.7
    holds("A pair lost at the top costs as much as one at the bottom; for a list that is read from the top, take")
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
    holds("an unclicked row stands for ten")
    assert set(tenfold[y_true == 0].tolist()) == {10} and set(tenfold[y_true == 1].tolist()) == {1}
    holds(
        "the log keeps one unclicked row in ten, so that each stands for ten",
        "logs that keep one unclicked row in ten",
    )
    for given in (new, rival):
        assert np.isclose(
            gauc(y_true[copies], given[copies], users[copies]), gauc(y_true, given, users, sample_weight=tenfold)
        )
    holds("nobody has both classes")
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
    proved("By impressions the rival model wins, by clicks the new one, since A clicks most.")
    by_shown, by_clicks = chosen["impressions"], chosen["clicks"]
    assert by_shown[1] > by_shown[0] and by_clicks[1] < by_clicks[0]
    assert y_true[users == "A"].sum() > max(y_true[users == whose].sum() for whose in "BC")
    holds("a user's weight is the sum of its rows' weights; inside a user a pair counts the product of its two")
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
    holds("Here each user's AUC stays what it was, and C gains weight.")
    for whose, known in zip("ABC", aucs, strict=True):
        mine = users == whose
        assert np.isclose(roc_auc_score(y_true[mine], new[mine], sample_weight=tenfold[mine]), known)
    assert tenfold[users == "C"].sum() / tenfold.sum() > 5 / 15


@section("A simulated case")
def test_on_real_data(
    by_a, by_b, clicked, edges, first, habit, lead_at_500, left, lost, reader, scores, share_kept, shown, taste
):
    blind_first = (np.bincount(reader, clicked) / shown).mean()
    holds("800 readers are shown eight articles each on average")
    assert len(set(reader.tolist())) == 800 and abs(shown.mean() - 8) < 0.5 and len(clicked) >= 1000
    holds("one score for all articles of a reader")
    assert all(len(set(habit[reader == r])) == 1 for r in range(800))
    holds("Half of the readers have no AUC, but hardly any click is lost.")
    assert abs(lost[0] - 1 / 2) < 0.02 and lost[2] < 0.03
    holds("A, the habit, falls from 0.778 to 0.5; B, the taste, rises from 0.671 to 0.707; A + B falls from 0.823")
    measured = {
        n: (round(roc_auc_score(clicked, given), 3), round(gauc(clicked, given, reader), 3))
        for n, given in scores.items()
    }
    assert list(measured.values()) == [(0.778, 0.5), (0.671, 0.707), (0.823, 0.707)]
    holds("adding A's habit to B's taste lifts the AUC and leaves GAUC")
    assert gauc(clicked, habit + taste, reader) == gauc(clicked, taste, reader)
    holds("rising from 0 for one article to 0.81 for sixteen and more")
    assert share_kept[0] == 0 and round(share_kept[4], 2) == 0.81 and (np.diff(share_kept) > 0).all() and edges[4] == 16
    by_model = [clicked[np.lexsort((-given, reader))][first].mean() for given in (taste, habit + taste)]
    assert np.round([blind_first, *by_model], 3).tolist() == [0.173, 0.304, 0.304]
    best_500 = [float(clicked[np.argsort(-given, kind="stable")[:500]].mean()) for given in scores.values()]
    assert np.round(best_500, 3).tolist() == [0.538, 0.380, 0.640]
    holds("which leaves each list in random order")
    assert gauc(clicked, habit, reader) == 1 / 2
    holds("its first article is clicked by 17.3 % of the readers, B's by 30.4 %")
    assert round(blind_first, 3) == 0.173 and round(by_model[0], 3) == 0.304
    holds("A + B would make the same lists")
    assert np.array_equal(np.lexsort((-taste, reader)), np.lexsort((-(habit + taste), reader)))
    gain = paired_difference(by_b, by_a, rng=0, method="percentile")
    holds("Its 95 % interval is far from 0.")
    assert gain[1:3] == paired_difference(by_b, by_a, confidence_level=0.95, rng=0, method="percentile")[1:3]
    assert np.isclose(gain.value, by_model[0] - blind_first) and gain.low > 4 * (gain.value - gain.low)
    holds("Above 0 as well: we ship A + B, as the AUC over all says.")
    assert lead_at_500.low > 0 and best_500[2] == max(best_500)
    assert measured["A + B"][0] == max(of_all for of_all, _ in measured.values())


@section("Try it")
def test_try_it(after, before, user, y):
    pair_y, pair_users = [1, 0, 1, 0], list("xxyy")
    holds("One is true; find a counter-example to the other, with two users of two rows each.")
    ranked = list(itertools.product(range(4), repeat=4))
    assert any(gauc(pair_y, given, pair_users) == 1 > roc_auc_score(pair_y, given) for given in ranked)
    assert not any(roc_auc_score(pair_y, given) == 1 > gauc(pair_y, given, pair_users) for given in ranked)
    holds("If each click stands above all the rest, it does so within its user, too: (a) is true.")
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
    holds("For (b) let one user's scores lie below the other's.")
    assert gauc(pair_y, [2, 1, 4, 3], pair_users) == 1 and roc_auc_score(pair_y, [2, 1, 4, 3]) == 3 / 4
    holds("Two users, three rows each: the AUC of each user rises, and the AUC over all falls.")
    of_users = [[float(roc_auc_score(y[i : i + 3], given[i : i + 3])) for i in (0, 3)] for given in (before, after)]
    assert of_users == [[0, 0], [1 / 2, 1 / 2]] and roc_auc_score(y, before) > roc_auc_score(y, after)
    holds("Let x click two of three articles and y one of three")
    assert (sum(y[:3]), sum(y[3:])) == (2, 1)
    holds("move y from below x to above")
    assert max(before[3:]) < min(before[:3]) and min(after[3:]) > max(after[:3])
    holds("Both users rise from 0 to one half, and the AUC over all falls from 4/9 to 3/9.")
    assert np.allclose([roc_auc_score(y, given) for given in (before, after)], [4 / 9, 3 / 9])
    proved("The click of x, with 2, lies below the unclicked article of y, with 3.")
    assert pair_y[0] == 1 and pair_y[3] == 0 and [2, 1, 4, 3][0] < [2, 1, 4, 3][3]


@section("A simulated case")
def test_unchecked_on_real_data():
    unchecked("No public log comes with the truth behind each click", "a click is all that a log can hold")
