"""What book/004-threshold-and-ranking/gauc.ipynb says, held."""

import itertools

import numpy as np

from metrics_lib import gauc, roc_auc_score
from tests.claims.runner import holds, section, unchecked


@section("004-gauc-pairs")
def test_why_in_groups(log, pairs, positives, users, within, won_all, won_within, y_score, y_true):
    holds("we take the log of four users")
    assert len(log) == 4 and len(users) == 36 == len(y_true) == len(y_score)
    holds("What the document said above is its count of pairs, in which a pair with the negative on top adds 0.")
    assert [roc_auc_score([1, 0], [5, low]) for low in (9, 5, 1)] == [0, 1 / 2, 1]
    holds("It does not, because one pair of four is lost each time.")
    for shape in ([7, 1], [7, -100], [6.1, 1], [6.001, -3], [7.999, 5]):
        assert roc_auc_score([1, 1, 0, 0], positives + shape) == 3 / 4
    holds("Three pairs in four appear on no screen together")
    assert (within, pairs) == (68, 275) and abs((pairs - within) / pairs - 3 / 4) < 0.01
    holds("down to 0.465, which is below chance", "Within the users, nine pairs in ten are won.")
    assert round(won_all / pairs, 3) == 0.465 and won_within == 61 and abs(61 / 68 - 9 / 10) < 0.005
    holds("All other pairs join a click of one user with an impression of another")
    assert (
        sum(len(c) * len(o) for a, (c, _) in log.items() for b, (_, o) in log.items() if a != b)
        == pairs - within
        > pairs / 2
    )
    holds("Only the second fits the computation that comes next.")
    labels, scores = [1, 0, 0, 1, 1, 0], [3, 2, 1, 9, 8, 7]
    assert gauc(labels, scores, [1, 1, 1, 2, 2, 2]) == 1 > roc_auc_score(labels, scores)


@section("004-gauc-gauc")
def test_the_formula(aucs, top, users, views, y_score, y_true):
    holds("A is ranked perfectly and B like a coin toss, and by impressions the mean of the two is 17/20.")
    assert aucs == {"A": 1, "B": 1 / 2} and top / sum(views.values()) == 17 / 20
    assert round(gauc(y_true, y_score, users), 12) == 0.85


@section("004-gauc-weights")
def test_the_weights(axes, shares, sides, users, views, ways, y_score, y_true):
    found = {way: round(gauc(y_true, y_score, users, weights=way), 12) for way in ways}
    holds("the value depends on them")
    assert found == {"impressions": 0.85, "clicks": 0.65, "uniform": 0.75}
    counts = {user: len(c) for user, (c, _) in sides.items()}
    holds("A has most of the impressions and B most of the clicks")
    assert views == {"A": 21, "B": 9} and counts == {"A": 3, "B": 7}
    holds("Three panels with two bars each, A with height 1 and B with height one half")
    assert len(axes) == 3 and all([p.get_height() for p in ax.patches] == [1, 0.5] for ax in axes)
    holds("By impressions, A is 0.7 wide and B is 0.3 wide; by clicks, A is 0.3 wide and B is 0.7 wide")
    assert shares == {"impressions": (21 / 30, 9 / 30), "clicks": (3 / 10, 7 / 10), "uniform": (1 / 2, 1 / 2)}


@section("004-gauc-dropped")
def test_who_is_filtered_out(columns, dropped, sides, top, users, value, wrong):
    holds("C and D leave both sums.")
    assert list(dropped) == ["C", "D"] and value == gauc(*columns(sides))
    holds("You have then counted each of them as an AUC of 0")
    assert np.isclose(wrong, (21 * 1 + 9 / 2 + 5 * 0 + 1 * 0) / 36)
    holds("users with only positives or only negatives", "because such a user has no pair and so no AUC")
    assert all(np.isnan(gauc([label] * 3, [1, 2, 3], [1, 1, 1])) for label in (0, 1))
    holds("the wrong value falls with each visitor who does not click")
    falling = [top / (len(users) + visitors) for visitors in range(9)]
    assert (np.diff(falling) < 0).all()
    holds("Here two of four users are dropped, with 6 of 36 impressions")
    assert len(dropped) == 2 and sum(user in dropped for user in users) == 6
    rng = np.random.default_rng(4)
    who = np.repeat(np.arange(2000), rng.geometric(1 / 8, 2000))
    rarely = rng.random(len(who)) < 0.03
    holds("Where clicks are rare it can be most users")
    assert len(gauc(rarely, rng.random(len(who)), who, return_dropped=True)[1]) / 2000 > 0.8


@section("004-gauc-opposed")
def test_auc_first_gauc_in_doubt(aucs, columns, log, other, rows, won):
    holds("each list is a little worse")
    after = {user: won(c, o) / (len(c) * len(o)) for user, (c, o) in other.items() if c and o}
    assert all(0.85 * aucs[user] < after[user] < aucs[user] for user in aucs)
    holds("when AUC rises a lot and the product gets worse")
    assert rows[1][1] > rows[0][1] + 0.4 and rows[1][2] < rows[0][2]
    holds("AUC doubles, since the scores now show who clicks, but GAUC falls, since each list is worse.")
    assert 1.9 < rows[1][1] / rows[0][1] < 2.1 and rows[1][2] < rows[0][2]
    assert [len(c) + len(o) for c, o in other.values()] == [len(c) + len(o) for c, o in log.values()]
    holds("D comes first and C last, B's scores are raised by 20")
    assert min(other["D"][0]) > max(max(c + o) for user, (c, o) in other.items() if user != "D")
    assert max(other["C"][1]) < min(other["B"][1]) and sorted([*other["B"][0], *other["B"][1]]) == [
        x + 20 for x in sorted([*log["B"][0], *log["B"][1]])
    ]
    holds("and GAUC is blind to that decision")
    label, given, owner = columns(other)
    bonus = np.array(owner) == "A"
    assert {gauc(label, given + shift * bonus, owner) for shift in range(-40, 41)} == {gauc(label, given, owner)}


@section("Exercises")
def test_exercises(aucs, users, y_score, y_true):
    holds("You can reach every value between 1/2 and 1, since GAUC is a weighted mean of these two AUCs")
    for target in np.linspace(0.5, 0.99, 50):
        of_a = (target - 0.5) / (1 - target)
        assert np.isclose(gauc(y_true, y_score, users, weights={"A": of_a, "B": 1}), target)
    holds("With a weight of 4 to 1 it is 0.9.")
    assert round(gauc(y_true, y_score, users, weights={"A": 4, "B": 1}), 12) == 0.9
    holds("any report can be improved up to the best user's AUC")
    assert gauc(y_true, y_score, users, weights={"A": 1, "B": 0}) == max(aucs.values())


@section("Exercises")
def test_exercises_2(high, log_of_two, low, orders):
    holds("The AUC over all rows is at most 1/4 before the two users rise and at least 3/4 afterwards.")
    assert (low, high) == (1 / 4, 3 / 4)
    holds("the AUC of a user can rise only from 0 to 1")
    assert {roc_auc_score([1, 0], order[:2]) for order in orders} == {0, 1}
    scored = list(itertools.product(range(4), repeat=4))
    wins = {(np.sign(s[0] - s[1]), np.sign(s[2] - s[3]), roc_auc_score([1, 0, 1, 0], s)) for s in scored}
    rising = [(a, b) for a, b in itertools.product(wins, repeat=2) if a[0] < b[0] and a[1] < b[1]]
    holds("If you allow ties, it still rises whenever both users do.")
    assert len(rising) > 9 and all(a[2] < b[2] for a, b in rising)
    holds(
        "In the lesson, the AUC of each of two users rises while the AUC over all rows falls; the users have three rows"
    )
    three = [([1, 1, 0, 1, 0, 0], s, list("xxxyyy")) for s in ([5, 4, 6, 1, 3, 2], [3, 1, 2, 5, 6, 4])]
    assert gauc(*three[0]) < gauc(*three[1]) and roc_auc_score(*three[0][:2]) > roc_auc_score(*three[1][:2])
    assert [roc_auc_score(three[1][0][i : i + 3], three[1][1][i : i + 3]) for i in (0, 3)] == [1 / 2, 1 / 2]
    holds("Is this possible with two rows each, one of them clicked?")
    assert all(rows[0] == [1, 0, 1, 0] for rows in log_of_two)


@section("004-gauc-pairs")
def test_unchecked_why_in_groups():
    unchecked("the scores of different users are not comparable", "said by the document")
