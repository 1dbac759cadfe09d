"""What book/003-recommender-metrics/hit-ratio.ipynb says, held."""

import itertools
from fractions import Fraction

import numpy as np

from metrics_lib import hit_ratio, precision_at_k
from tests.claims.runner import holds, proved, section, unchecked


@section("003-hit-ratio-pooled")
def test_the_formula(hits, n_relevant, rows):
    own = np.divide(hits, n_relevant)
    holds(
        "The name is also used for the mean of the users' own recalls and for the share of users with at least one hit"
    )
    assert np.isclose(rows[1][1], own.mean()) and rows[2][1] == np.mean(np.array(hits) >= 1) == 1
    holds("The pooled recall is the mean of the users' recalls, weighted by the number of test items.")
    for some in itertools.product(range(5), repeat=3):
        shares = np.divide(some, [4, 8, 5])
        assert np.isclose(hit_ratio(some, [4, 8, 5], definition="pooled"), np.average(shares, weights=[4, 8, 5]))
    holds(
        "The user with the most test items, 12, has the lowest recall",
        "which pulls the pooled value down slightly, from 0.506 to 0.5",
    )
    assert np.argmax(n_relevant) == np.argmin(own) == 1 and max(n_relevant) == 12
    assert [f"{value:.3f}" for _, value in rows[:2]] == ["0.500", "0.506"]
    holds("Every user has a hit, so the third definition gives 1")
    assert min(hits) >= 1 == rows[2][1]
    holds("If that is the number of all users' test items, as in its example, the formula is right")
    assert hit_ratio(hits, n_relevant, definition="pooled") == sum(hits) / sum(n_relevant)


@section("003-hit-ratio-denominator")
def test_the_worked_example(ax, best, hits, longer, n_relevant, places, rows):
    lists = [[1] * h + [0] * (10 - h) for h in hits]
    holds(
        "Three users have 10, 12 and 8 items in the test set, and their lists of ten contain 6, 5 and 4 of these items."
    )
    assert [len(row) for row in lists] == [10] * 3 and [sum(row) for row in lists] == hits == [6, 5, 4]
    holds(
        "Three lists of ten have 30 places, and there are just as many test items",
        "so recall and precision are both one half",
    )
    assert places == sum(n_relevant) == 30 and precision_at_k(lists, 10).mean() == 0.5 == hit_ratio(
        hits, n_relevant, definition="pooled"
    )
    holds("the second user's 12 items do not fit into ten places, so even perfect lists reach only 28/30")
    assert (
        n_relevant[1] == 12 > 10
        and sum(best) == 28
        and np.isclose(hit_ratio(best, n_relevant, definition="pooled"), 28 / 30)
    )
    proved("The value is exact.")
    assert Fraction("0.5") == Fraction(15, 30)
    holds(
        "If the first user had 20 test items instead of 10",
        "because recall falls to 3/8 while precision stays at one half",
    )
    assert dict(rows) == {"recall": Fraction(3, 8), "precision": Fraction(1, 2)}
    assert np.isclose(hit_ratio(hits, longer, definition="pooled"), 3 / 8)
    holds("The outlines have heights 10, 12 and 8, and the filled bars inside them 6, 5 and 4.")
    assert [p.get_height() for p in ax.patches] == [10, 12, 8, 6, 5, 4]
    holds("marks the ten places of the list, above which no test item can be hit")
    assert max(best) == 10 == ax.lines[0].get_ydata()[0]
    holds("can change that one number to show which of the two is meant")
    assert len({value for _, value in rows}) == 2


@section("003-hit-ratio-single")
def test_one_test_item_for_each_user(hits, n_relevant, senses):
    holds("A user then has 0 hits or 1, so the document's formula and the other two definitions give the same value")
    for both in itertools.product([0, 1], repeat=4):
        rows_of_four = [[0, hit, 0, 0, 0] for hit in both]
        assert len({hit_ratio(both, [1] * 4, definition=sense) for sense in senses}) == 1
        assert np.isclose(hit_ratio(both, [1] * 4, definition="pooled"), 5 * precision_at_k(rows_of_four, 5).mean())
    holds("With several test items per user, the three are different metrics.")
    assert len({hit_ratio(hits, n_relevant, definition=sense) for sense in senses}) == 3


@section("ex-003-hit-ratio-ceiling")
def test_exercises(best, n_relevant, rows):
    holds("so that perfect lists of ten score 1")
    assert sum(best) / np.minimum(10, n_relevant).sum() == 1
    holds("15/28 is 0.536.", "The example scores 15/28, because each $|T_u|$ is replaced by $\\min(k, |T_u|)$")
    assert f"{15 / 28:.3f}" == "0.536" and np.isclose(rows[-1][1], 15 / 28)
    holds("For users with at least $k$ test items, here the first two, the normalised recall is the precision")
    assert [row[1] == row[2] for row in rows[:3]] == [True, True, False] == [n >= 10 for n in n_relevant]


@section("Exercises")
def test_exercises_2(of_a, sampled_hit):
    holds("A scores one half both times, but B rises from no hits to a hit for almost every user")
    assert round(of_a, 3) == 0.5 and sampled_hit(1) == 1 and sampled_hit(5000) < 0.001 and sampled_hit(500) > 0.95
    holds("System A puts the test item at rank 1 for half of its users and at rank 5,000 for the other half")
    assert of_a == (sampled_hit(1, 10_000, 99) + sampled_hit(5000, 10_000, 99)) / 2 != sampled_hit(1)
    holds("it is among the first ten of the sample if at most nine of these were drawn")
    draw = np.random.default_rng(0).hypergeometric(499, 9500, 99, 20_000)
    assert abs((draw <= 9).mean() - sampled_hit(500)) < 0.005
    proved("because rank 500 in 10,000 looks like rank 6 in a hundred")
    assert round(1 + draw.mean()) == 6


@section("003-hit-ratio-single")
def test_unchecked_one_test_item_for_each_user():
    unchecked("hide one item of each user and check whether the list brings it back", "read in the papers")
    unchecked("against a hundred others drawn at random", "read in the paper")


@section("Exercises")
def test_unchecked_exercises():
    unchecked(
        "many papers rank the test item against 99 items drawn at random instead of the whole catalogue",
        "the habit of a field",
    )
