"""What book/lessons/expected-reciprocal-rank.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import expected_reciprocal_rank, ndcg, reciprocal_rank
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-expected-reciprocal-rank")
def test_the_opening(A, B, arrive, axes, reading):
    holds("Engine A returns the grades 3, 0, 1, 0, 0; engine B returns 2, 2, 2, 3, 2.")
    assert (A, B) == ([3, 0, 1, 0, 0], [2, 2, 2, 3, 2])
    holds("A judge gave each result a grade from 0 (useless) to 3 (exactly that)")
    assert set(A + B) == {0, 1, 2, 3}
    holds("its grades make 11, A's make 4")
    assert (sum(B), sum(A)) == (11, 4)
    holds("0.688 to 0.488 for B")
    of_ndcg = [float(ndcg(grades, 5, judged=A + B, gain="exponential")) for grades in (B, A)]
    assert [round(value, 3) for value in of_ndcg] == [0.688, 0.488]
    holds("says 0.88 for A and 0.597 for B")
    assert [round(expected_reciprocal_rank(grades, max_grade=3), 3) for grades in (A, B)] == [0.88, 0.597]
    holds("if a grade of 3 satisfies seven readers in eight, 875 of a thousand readers of A are done after one result")
    assert expected_reciprocal_rank([3], max_grade=3) == 7 / 8
    tops = [[text.get_text() for text in ax.texts[:5]] for ax in axes]
    assert tops[0] == ["875", "", "16", "", ""]
    holds("Engine A, bar 1 has 1,000 readers, of whom 875 stop; the bars after it are low, and 16 stop at rank 3.")
    assert expected_reciprocal_rank(A, 1, max_grade=3) == 0.875
    holds("375 stop at rank 1, 234 at rank 2, 146 at rank 3, 214 at rank 4 and 11 at rank 5")
    assert tops[1] == ["375", "234", "146", "214", "11"]
    holds("Two panels of five bars.")
    assert len(axes) == 2 and all(len(one) == 5 for one in tops)
    holds("grey those still reading, who are the next bar")
    assert np.allclose(arrive[1:], reading[:-1]) and arrive[0] == 1000


@section("In one line")
def test_in_one_line():
    holds("`expected_reciprocal_rank([2, 3, 0], max_grade=3)` is 0.648.")
    value = expected_reciprocal_rank([2, 3, 0], max_grade=3)
    assert round(value, 3) == 0.648
    holds("a better grade satisfies with a higher probability")
    alone = [expected_reciprocal_rank([grade], max_grade=3) for grade in range(4)]
    assert alone == sorted(set(alone))


@section("By hand")
def test_by_hand(err, reading):
    proved("On a scale from 0 to 3 the formula gives")
    chances = [Fraction(2**grade - 1, 2**3) for grade in range(4)]
    assert chances == [0, Fraction(1, 8), Fraction(3, 8), Fraction(7, 8)]
    assert [expected_reciprocal_rank([grade], max_grade=3) for grade in range(4)] == [float(one) for one in chances]
    proved("each further grade at least doubles the chance")
    assert all(chances[grade + 1] >= 2 * chances[grade] for grade in (1, 2))
    proved("even the best leaves one reader in eight unsatisfied")
    assert 1 - chances[3] == Fraction(1, 8)
    earned = [1 / 1, 1 / 2, 1 / 3]
    arrives = [Fraction(1), Fraction(5, 8), Fraction(5, 64), Fraction(5, 64)]
    assert arrives == [math.prod((1 - chances[g] for g in [2, 3, 0][:n]), start=Fraction(1)) for n in range(4)]
    assert Fraction(5, 8) * Fraction(7, 8) == Fraction(35, 64) and round(35 / 64 / 2, 3) == 0.273
    assert math.isclose(3 / 8 * earned[0] + 35 / 64 * earned[1] + 0 * earned[2], err) and round(err, 3) == 0.648
    holds("The last number is the share that reads to the end in vain.")
    assert reading == 5 / 64 == 1 - expected_reciprocal_rank([2, 3, 0], max_grade=3, discount=np.ones_like)
    holds("since each stop takes from those still reading what it adds to those who have stopped")
    for some in itertools.product(range(4), repeat=5):
        still = [math.prod((1 - chances[g] for g in some[:n]), start=Fraction(1)) for n in range(6)]
        stopped = [chances[g] * still[n] for n, g in enumerate(some)]
        assert stopped == [still[n] - still[n + 1] for n in range(5)] and sum(stopped) == 1 - still[5]


@section("lesson-expected-reciprocal-rank-good")
def between(orders, values):
    means = np.array([values[orders[:, 0] == one].mean() for one in orders[:, 0]])
    return means.var()


@section("lesson-expected-reciprocal-rank-good")
def test_how_good_is_0_65(orders, values):
    holds("Worst is an ERR of 0, where nothing is relevant.")
    assert expected_reciprocal_rank([0] * 6, max_grade=3) == 0 < values.min()
    holds("a thousand results of grade 3 have 0.935")
    assert round(expected_reciprocal_rank([3] * 1000, max_grade=3), 3) == 0.935
    holds("since the first leaves an eighth of the readers unsatisfied")
    assert 1 - expected_reciprocal_rank([3], max_grade=3) == 1 / 8
    holds("All orders of six results with the grades 3, 3, 2, 2, 1, 0, a stroke each, by the grade on top.")
    assert len(orders) == math.factorial(6) / 4 == 180 and orders.shape[1] == 6
    holds("An order that begins with a 3 beats all that do not.")
    assert values[orders[:, 0] == 3].min() > values[orders[:, 0] < 3].max()
    holds("Four rows of vertical strokes along ERR from 0.2 to 1, one for each grade on top.")
    assert len(set(orders[:, 0])) == 4
    ends = [[round(float(end(values[orders[:, 0] == top])), 2) for end in (np.min, np.max)] for top in range(4)]
    holds("with 1 from 0.35 to 0.54, with 2 from 0.52 to 0.67, and with 3 from 0.90 to 0.93, marked best")
    assert ends == [[0.29, 0.48], [0.35, 0.54], [0.52, 0.67], [0.9, 0.93]]
    means = np.array([values[orders[:, 0] == one].mean() for one in orders[:, 0]])
    between = means.var()
    holds("A dashed line at 0.654 is the mean of all orders")
    assert round(values.mean(), 3) == 0.654
    holds("So 0.65 is what a shuffle of these six has, and the result on top decides most of it.")
    assert round(values.mean(), 2) == 0.65 and between > values.var() / 2 and orders.shape[1] == 6
    proved("for whatever two neighbours you exchange")
    eighths = [Fraction(n, 8) for n in range(8)]
    for a, b, r in itertools.product(eighths, eighths, range(1, 6)):
        forth, back = a / r + (1 - a) * b / (r + 1), b / r + (1 - b) * a / (r + 1)
        assert forth - back == (a - b) * (Fraction(1, r) - Fraction(1, r + 1))
    holds("The best order has the grades falling")
    assert (orders[values.argmax()] == [3, 3, 2, 2, 1, 0]).all()


@section("lesson-expected-reciprocal-rank-ndcg")
def test_what_it_cannot_see(starts):
    holds("Three perfect results after the first are worth 0.06")
    few, many = expected_reciprocal_rank(starts, max_grade=3)
    assert round(many - few, 2) == 0.06 and starts[1][1:] == [3] * 3
    holds("since hardly anybody gets there")
    assert 1 - few == 1 / 8
    holds("No ideal list enters the formula; a query with one good page and one with a hundred are measured alike.")
    returned = [3, 0, 0]
    judged_few, judged_many = [3, 0, 0], [3] * 100
    assert ndcg(returned, judged=judged_few) > ndcg(returned, judged=judged_many)
    proved("The lab starts with two orders of the same results: 2, 3, 3, 1, 0, 0 and 3, 0, 0, 1, 2, 3.")
    ahead, behind, agreed = [2, 3, 3, 1, 0, 0], [3, 0, 0, 1, 2, 3], [3, 3, 0, 0, 1, 2]
    assert sorted(ahead) == sorted(behind) == sorted(agreed)
    holds("NDCG prefers the first, ERR the second; bring the other 3 of the second up until they agree.")
    for gain in ("linear", "exponential"):
        assert ndcg(ahead, gain=gain) > ndcg(behind, gain=gain) and ndcg(ahead, gain=gain) < ndcg(agreed, gain=gain)
    in_lab = expected_reciprocal_rank([ahead, behind, agreed], max_grade=3)
    assert in_lab[0] < in_lab[1] < in_lab[2]


@section("lesson-expected-reciprocal-rank-scale")
def test_the_choices(known, own):
    list_of_three = [2, 3, 0]
    dials = [
        {"max_grade": 3},
        {"max_grade": 4},
        {},
        {"k": 1, "max_grade": 3},
        {"max_grade": 3, "discount": lambda r: 1 / np.log2(r + 1)},
        {"max_grade": 3, "discount": np.ones_like},
    ]
    printed = [round(expected_reciprocal_rank(list_of_three, **option), 3) for option in dials]
    assert printed == [0.648, 0.365, 0.648, 0.375, 0.72, 0.922]
    ideal = expected_reciprocal_rank(sorted(list_of_three)[::-1], max_grade=3)
    assert round(expected_reciprocal_rank(list_of_three, max_grade=3) / ideal, 3) == 0.722
    assert reciprocal_rank(list_of_three) == 1
    holds("The same list has 0.648 on one scale and 0.365 on the other")
    assert printed[:2] == [0.648, 0.365]
    holds("the poor list 1, 0, 0 has 0.5 by its own highest grade, and 0.125 on the scale up to 3")
    assert (own, known) == (0.5, 0.125)
    holds("With grades of 0 and 1 alone, ERR is not the reciprocal rank (RR): a 1 then stops one reader in two.")
    assert expected_reciprocal_rank([0, 1], max_grade=1) == 0.25 < reciprocal_rank([0, 1]) == 0.5
    assert expected_reciprocal_rank([1], max_grade=1) == 1 / 2


@section("On real data")
def test_on_real_data(
    as_is, axes, bands, changes, grades, new, of_once, of_run, once, pages, per_page, pool, run, search
):
    holds("A search engine answered 31 questions of a conference on search (TREC 2024) with 100 passages each")
    assert np.array_equal(run["query"], np.repeat(np.arange(1, 32), 100)) and len(search) == 7265
    holds("judges graded passages from 0 to 3")
    assert set(search["grade"]) == {-1, 0, 1, 2, 3}
    holds("here an unjudged passage counts as 0")
    assert (grades[run["grade"].reshape(31, 100) == -1] == 0).all()
    holds("Its first ten passages come from 5.4 pages on average.")
    assert round(np.mean([len(set(one[:10])) for one in pages]), 1) == 5.4
    holds("so that ten results are ten pages")
    assert all(len(set(pages[question, new[question][:10]])) == 10 for question in range(31))
    holds("Should each page appear once, with its best-placed passage")
    for question in range(31):
        listed = pages[question].tolist()
        assert new[question].tolist() == sorted(listed.index(page) for page in set(listed))
    holds("0 for a question without a relevant passage")
    empty = [number for number, one in enumerate(pool) if not one.any()]
    assert len(empty) == 1 and of_run[empty[0]] == of_once[empty[0]] == 0
    holds(
        "ERR loses 0.009, which is within the noise of 31 questions, though a loss of 0.023 would fit as well",
        "NDCG loses 0.054, more than noise",
    )
    assert [round(change.mean(), 3) for change in changes.values()] == [-0.009, -0.054]
    assert bands["ERR"].low < 0 < bands["ERR"].high and bands["NDCG"].high < 0 and len(changes["ERR"]) == 31
    holds("Of a thousand readers 818 are satisfied within ten results before, 789 after")
    shares = [expected_reciprocal_rank(one, 10, max_grade=3, discount=np.ones_like) for one in (grades, once)]
    assert [round(1000 * share.mean()) for share in shares] == [818, 789] and len(once[0]) == 10
    holds("again within the noise")
    of_share = paired_difference(*shares, rng=0, method="percentile")
    assert of_share.low < 0 < of_share.high
    holds("as 15 more of the 310 passages shown are unjudged and count as 0")
    unjudged = run["grade"].reshape(31, 100) == -1
    unseen = sum(unjudged[question, new[question][:10]].sum() for question in range(31))
    assert unseen - unjudged[:, :10].sum() == 15 and once.size == 310
    holds("ten pages, for 0.023 of ERR at the interval's worse end")
    assert once.shape[1] == 10 and round(bands["ERR"].low, 3) == -0.023
    holds("their gains alone, whatever the rank, fall from 25.5 to 22.8, by 0.1 to 5.4")
    sums = [(2.0 ** one[:, :10] - 1).sum(axis=1) for one in (grades, once)]
    assert [round(one.mean(), 1) for one in sums] == [25.5, 22.8]
    moved = paired_difference(sums[0] + 99, sums[1], rng=0, method="percentile")
    assert np.round(np.array(moved[1:3]) - 99, 1).tolist() == [0.1, 5.4]
    holds("Were unjudged passages as good as the question's judged ones, the change would be -4.6 to 0.6")
    filled = 2.0**grades - 1
    for question in range(31):
        filled[question, unjudged[question]] = filled[question, ~unjudged[question]].mean()
    tens = [[filled[question, new[question][:10]].sum(), filled[question, :10].sum()] for question in range(31)]
    assert np.round(paired_difference(*np.transpose(tens), rng=0, method="percentile")[1:3], 1).tolist() == [-4.6, 0.6]
    holds("The band is the 95 % interval of the mean change: 0 lies in it for ERR, not for NDCG.")
    assert bands["ERR"][:3] == paired_difference(per_page, as_is, confidence_level=0.95, rng=0, method="percentile")[:3]
    holds("Two rows of 31 bars around 0.")
    assert len(axes) == 2 and all(len(ax.patches) >= 31 for ax in axes)
    signs = {name: [int((change < -1e-12).sum()), int((change > 1e-12).sum())] for name, change in changes.items()}
    holds("Above, ERR: small bars, 20 below 0 and 9 above it, with a narrow band from -0.023 to 0.006.")
    assert signs["ERR"] == [20, 9] and np.round(bands["ERR"][1:3], 3).tolist() == [-0.023, 0.006]
    holds("Below, NDCG: 19 below 0 and 10 above, many of them larger, with a band from -0.094 to -0.014.")
    assert signs["NDCG"] == [19, 10] and np.round(bands["NDCG"][1:3], 3).tolist() == [-0.094, -0.014]


@section("Try it")
def test_try_it(every, gains, two):
    short, long = (expected_reciprocal_rank(two, max_grade=top).tolist() for top in (3, 5))
    holds("Find a counter-example: two lists of grades up to 3 that change places on a scale from 0 to 5.")
    assert short[0] > short[1] and long[0] < long[1] and len(two) == 2 and max(max(two)) == 3
    holds("Can ERR fall when one grade is raised?")
    assert all(abs(step).sum() == 1 for step in np.eye(4, dtype=int)) and min(gains) > 0
    holds("Try all lists of four results.")
    assert every.shape == (4**4, 4)
    holds("It does not fall in any of the 768 cases")
    assert len(gains) == 768 and min(gains) > 0


@section("Further")
def test_further(A, B, between, values):
    holds("The result on top decides most of it")
    assert between > values.var() / 2
    holds("even a perfect list stays below 1")
    assert all(expected_reciprocal_rank([m] * n, max_grade=m) < 1 for m in range(1, 6) for n in (1, 10, 100))
    holds("ERR is for a reader of one good answer, NDCG for one who collects, and the two can decide differently")
    decided = expected_reciprocal_rank([A, B], max_grade=3), [ndcg(one, 5, judged=A + B) for one in (A, B)]
    assert decided[0][0] > decided[0][1] and decided[1][0] < decided[1][1] and len(decided) == 2


@section("lesson-expected-reciprocal-rank-scale")
def test_unchecked_the_choices():
    unchecked("the script gdeval of TREC's web track", "its grades end at 4")
    unchecked("a metric of the cascade, but not ERR", "by the definition of its authors")
    unchecked("an error for several lists", "the tests of the library hold it")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("**The decision** depends on who reads.", "what a reader wants is no computation")
