"""What book/lessons/expected-reciprocal-rank.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import cumulative_gain, expected_reciprocal_rank, ndcg, rank_biased_precision, reciprocal_rank
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, proved, section, unchecked


def arrivals(grades):
    """The shares of readers who look at each rank, and last of those who never stop."""
    chances = [(2**grade - 1) / 2**3 for grade in grades]
    return np.cumprod([1, *(1 - np.array(chances))])


@section("lesson-expected-reciprocal-rank")
def test_the_opening(A, B, arrive, axes, reading):
    holds("Adding up the grades puts B far ahead, by 11 to 4.")
    assert (sum(B), sum(A)) == (11, 4)
    holds("NDCG@5, with linear gain and the ideal taken from all ten results, is 0.841 for B and 0.465 for A")
    assert [round(float(ndcg(grades, 5, judged=A + B)), 3) for grades in (B, A)] == [0.841, 0.465]
    assert len(A + B) == 10
    holds("it is 0.88 for A and 0.597 for B")
    assert [round(expected_reciprocal_rank(grades, max_grade=3), 3) for grades in (A, B)] == [0.88, 0.597]
    holds("that a result of grade 3 satisfies seven readers in eight", "Then 875 of 1,000 readers of A are done")
    assert expected_reciprocal_rank([3], max_grade=3) == 7 / 8 and A[0] == 3
    tops = [[text.get_text() for text in ax.texts[:5]] for ax in axes]
    assert tops[0] == ["875", "", "16", "", ""]
    holds("the first bar has 1,000 readers, of whom 875 stop; the later bars are low, and 16 readers stop at rank 3")
    assert expected_reciprocal_rank(A, 1, max_grade=3) == 0.875
    holds(
        "375 stop at rank 1, 234 at rank 2, 146 at rank 3, 214 at rank 4 and 11 at rank 5, and the bars fall in steps"
    )
    assert tops[1] == ["375", "234", "146", "214", "11"] and (np.diff(arrivals(B)) < 0).all()
    holds("Two panels of five bars each.")
    assert len(axes) == 2 and all(len(one) == 5 for one in tops)
    holds("those who read on (grey), who make up the next bar")
    assert np.allclose(arrive[1:], reading[:-1]) and arrive[0] == 1000
    holds(
        "A makes them look at 1.5 results on average and B at 2.3", "A leaves 109 of 1,000 unsatisfied, and B leaves 19"
    )
    looks, left = zip(*((arrivals(rel)[:-1].sum(), arrivals(rel)[-1]) for rel in (A, B)), strict=True)
    assert np.round(looks, 1).tolist() == [1.5, 2.3] and np.round(1000 * np.array(left)).tolist() == [109, 19]
    shares = expected_reciprocal_rank([A, B], max_grade=3, discount=np.ones_like)
    assert np.allclose(1 - shares, left)
    holds("Then ship A, unless an unsatisfied reader costs you more than reading nine results.")
    assert round((looks[1] - looks[0]) / (left[0] - left[1])) == 9


@section("In one line")
def test_in_one_line():
    holds("`expected_reciprocal_rank([2, 3, 0], max_grade=3)` is 0.648.")
    assert round(expected_reciprocal_rank([2, 3, 0], max_grade=3), 3) == 0.648
    holds("a better grade satisfies with a higher probability")
    alone = [expected_reciprocal_rank([grade], max_grade=3) for grade in range(4)]
    assert alone == sorted(set(alone))
    holds("a reader who never stops contributes 0", "because nothing above was good enough and this is")
    for some in itertools.product(range(4), repeat=4):
        stops = -np.diff(arrivals(some))
        assert math.isclose(sum(stops / [1, 2, 3, 4]), expected_reciprocal_rank(some, max_grade=3))


@section("By hand")
def test_by_hand(err, reading):
    chances = [Fraction(2**grade - 1, 2**3) for grade in range(4)]
    proved("On a scale from 0 to 3, the formula gives these probabilities")
    assert chances == [0, Fraction(1, 8), Fraction(3, 8), Fraction(7, 8)]
    holds("A useless result stops no reader, and even the best leaves one reader in eight unsatisfied.")
    assert [expected_reciprocal_rank([grade], max_grade=3) for grade in range(4)] == [float(one) for one in chances]
    proved("From grade 1 upwards, each further grade more than doubles the probability.")
    assert all(chances[grade + 1] > 2 * chances[grade] for grade in (1, 2))
    arrives = [Fraction(1), Fraction(5, 8), Fraction(5, 64), Fraction(5, 64)]
    assert arrives == [math.prod((1 - chances[g] for g in [2, 3, 0][:n]), start=Fraction(1)) for n in range(4)]
    assert Fraction(5, 8) * Fraction(7, 8) == Fraction(35, 64) and round(35 / 64 / 2, 3) == 0.273
    assert math.isclose(3 / 8 * 1 + 35 / 64 * (1 / 2) + 0 * (1 / 3), err) and round(err, 3) == 0.648
    assert Fraction(3, 8) + Fraction(35, 64) + Fraction(5, 64) == 1
    holds("with the share of readers who are still reading at the end")
    assert reading == 5 / 64 == 1 - expected_reciprocal_rank([2, 3, 0], max_grade=3, discount=np.ones_like)
    holds(
        "Every reader either stops somewhere or reads to the end.",
        "the stops and the share at the end have to add up to 1",
    )
    for some in itertools.product(range(4), repeat=5):
        still = [math.prod((1 - chances[g] for g in some[:n]), start=Fraction(1)) for n in range(6)]
        stopped = [chances[g] * still[n] for n, g in enumerate(some)]
        assert sum(stopped) + still[5] == 1
        assert math.isclose(sum(stopped), expected_reciprocal_rank(some, max_grade=3, discount=np.ones_like))


@section("lesson-expected-reciprocal-rank-good")
def test_how_good_is_0_65(A, B, by_hand, shown):
    holds("A list with nothing relevant in it scores 0.")
    assert expected_reciprocal_rank([0] * 6, max_grade=3) == 0
    holds("reach only 0.935, because the first leaves an eighth of the readers unsatisfied")
    assert round(expected_reciprocal_rank([3] * 1000, max_grade=3), 3) == 0.935
    assert 1 - expected_reciprocal_rank([3], max_grade=3) == 1 / 8
    orders = {name: np.array(list(itertools.permutations(rel))) for name, rel in shown.items()}
    values = {name: expected_reciprocal_rank(some, max_grade=3) for name, some in orders.items()}
    apart = {name: np.unique(np.round(some, 12)) for name, some in values.items()}
    of_list = {name: expected_reciprocal_rank(rel, max_grade=3) for name, rel in shown.items()}
    holds("The six orders of 2, 3, 0 score 0.370 to 0.898, and their mean is 0.636, so 0.648 is hardly better")
    mine = values["2, 3, 0"]
    assert [f"{x:.3f}" for x in (mine.min(), mine.max(), mine.mean())] == ["0.370", "0.898", "0.636"] and len(mine) == 6
    assert round(of_list["2, 3, 0"], 3) == 0.648 and by_hand == [2, 3, 0]
    holds("Engine A's list is the second best of its 20 different orders.")
    different = {tuple(order) for order in orders["engine A"]}
    assert len(different) == 20 and (apart["engine A"] > of_list["engine A"] + 1e-9).sum() == 1
    assert sum(expected_reciprocal_rank(order, max_grade=3) > of_list["engine A"] + 1e-9 for order in different) == 1
    holds("Engine B's list is next to last of its five, and if it only moved its 3 to the top, it would score 0.915.")
    assert len(apart["engine B"]) == 5 and (apart["engine B"] < of_list["engine B"] - 1e-9).sum() == 1
    assert round(expected_reciprocal_rank([3, 2, 2, 2, 2], max_grade=3), 3) == 0.915 and sorted(B) == [2, 2, 2, 2, 3]
    holds(
        "every order that begins with the 3 beats every order that does not, so the result on top decides most of ERR"
    )
    ends = {}
    for name in shown:
        on_top = orders[name][:, 0] == 3
        long, short = values[name][on_top], values[name][~on_top]
        assert long.min() > short.max()
        ends[name] = [f"{end:.2f}" for end in (short.min(), short.max(), long.min(), long.max())]
    holds(
        "short strokes run from 0.18 to 0.51 and long ones from 0.878 to 0.883; the dot at 0.88", "the diamond at 0.43"
    )
    assert ends["engine A"] == ["0.18", "0.51", "0.88", "0.88"] and sorted(A) == [0, 0, 0, 1, 3]
    a = values["engine A"]
    assert [f"{x:.3f}" for x in (a[a > 0.6].min(), a.max())] == ["0.878", "0.883"] and round(a.mean(), 2) == 0.43
    holds("short strokes run from 0.59 to 0.67, with the dot at 0.60, and one long stroke is at 0.92", "is at 0.68")
    assert ends["engine B"] == ["0.59", "0.67", "0.92", "0.92"] and round(of_list["engine B"], 2) == 0.60
    assert round(values["engine B"].mean(), 2) == 0.68
    holds("short strokes run from 0.37 to 0.65, where the dot is, and two long ones are at 0.89 and 0.90", "at 0.64")
    assert ends["2, 3, 0"] == ["0.37", "0.65", "0.89", "0.90"] and round(mine.mean(), 2) == 0.64
    holds("if you drew results from the whole web, ERR would be close to 0")
    rng = np.random.default_rng(0)
    assert expected_reciprocal_rank(3 * (rng.random((1000, 10)) < 0.0001), max_grade=3).mean() < 0.001
    proved("Then the order $a$, $b$ scores more than $b$, $a$ by")
    eighths = [Fraction(n, 8) for n in range(8)]
    for a, b, r in itertools.product(eighths, eighths, range(1, 6)):
        forth, back = a / r + (1 - a) * b / (r + 1), b / r + (1 - b) * a / (r + 1)
        assert forth - back == (a - b) * (Fraction(1, r) - Fraction(1, r + 1))
    holds("because $(1 - a)(1 - b)$ of these readers get past both, in either order")
    for first, second in itertools.product(range(4), repeat=2):
        tails = [arrivals([1, *pair, 2, 3])[3:] for pair in ((first, second), (second, first))]
        assert np.allclose(*tails)
    holds("The best order has the grades falling.")
    for some in itertools.combinations_with_replacement(range(4), 5):
        of_orders = expected_reciprocal_rank(list(itertools.permutations(some)), max_grade=3)
        assert math.isclose(of_orders.max(), expected_reciprocal_rank(sorted(some)[::-1], max_grade=3))


@section("lesson-expected-reciprocal-rank-ndcg")
def test_what_it_cannot_see(starts):
    holds("Three more perfect results add only 0.06, because few readers get there")
    few, many = expected_reciprocal_rank(starts, max_grade=3)
    assert round(many - few, 2) == 0.06 and starts[1][1:] == [3] * 3 and 1 - few == 1 / 8
    holds(
        "No ideal list enters the formula, so a query with one good page and a query with a hundred are measured alike."
    )
    returned = [3, 0, 0]
    judged_few, judged_many = [3, 0, 0], [3] * 100
    assert ndcg(returned, judged=judged_few) > ndcg(returned, judged=judged_many)
    holds("ERR gives the copy the same chance again")
    assert expected_reciprocal_rank([2, 2], max_grade=3) == 3 / 8 + 5 / 8 * 3 / 8 / 2
    proved("The lab starts with two orders of the same results, 2, 3, 3, 1, 0, 0 and 3, 0, 0, 1, 2, 3.")
    ahead, behind, agreed = [2, 3, 3, 1, 0, 0], [3, 0, 0, 1, 2, 3], [3, 3, 0, 0, 1, 2]
    assert sorted(ahead) == sorted(behind) == sorted(agreed)
    holds("NDCG prefers the first and ERR the second; move the other 3 of the second list up until they agree.")
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
    holds("the list 1, 0, 0 scores four times what it scores on the scale from 0 to 3")
    assert (own, known) == (0.5, 0.125) and own == 4 * known
    holds(
        "If the grades are only 0 and 1, ERR is still not the reciprocal rank (RR), because a 1 then stops one reader"
    )
    assert expected_reciprocal_rank([0, 1], max_grade=1) == 0.25 < reciprocal_rank([0, 1]) == 0.5
    assert expected_reciprocal_rank([1], max_grade=1) == 1 / 2


@section("lesson-expected-reciprocal-rank-scale")
def test_rank_biased_precision():
    holds("looks at $1/(1 - p)$ results on average, which is five if $p$ is 0.8")
    for p in (0.5, 0.8, 0.95):
        assert math.isclose(sum(p**i for i in range(2000)), 1 / (1 - p))
    holds("So RBP is the share of what the reader sees that is relevant.")
    assert math.isclose(1 / (1 - 0.8), 5)
    for rel, p in itertools.product(itertools.product([0, 1], repeat=6), (0.5, 0.8)):
        seen = p ** np.arange(2000)
        assert math.isclose(rank_biased_precision(rel, p=p), seen[:6] @ rel / seen.sum(), abs_tol=1e-12)
    holds("because a list of five leaves out what the reader sees below rank 5, a share of $0.8^5$ or 33%")
    residual = 1 - rank_biased_precision([1] * 5, p=0.8)
    assert math.isclose(residual, 0.8**5) and round(residual, 2) == 0.33
    holds("This residual is the most that further results could add.")
    assert rank_biased_precision([1] * 500, p=0.8) <= 1 and math.isclose(rank_biased_precision([1] * 500, p=0.8), 1)


@section("On real data")
def test_the_run(grades, moved, order, pages, run, search):
    holds("31 questions with 100 passages each, graded from 0 to 3")
    assert np.array_equal(run["query"], np.repeat(np.arange(1, 32), 100)) and set(search["grade"]) == {-1, 0, 1, 2, 3}
    holds("on average its first ten passages come from only 5.4 pages")
    assert round(np.mean([len(set(row[:10])) for row in pages]), 1) == 5.4
    holds("Should the engine put the first passage of each page on top, and the repeats below?")
    for question, row in enumerate(pages.tolist()):
        firsts = sorted(row.index(page) for page in set(row))
        assert order[question].tolist() == firsts + [place for place in range(100) if place not in firsts]
        assert len({row[place] for place in order[question][:10]}) == 10
    assert np.array_equal(np.sort(moved, axis=1), np.sort(grades, axis=1))
    holds("NumPy reads them as -1, and `clip` turns that into 0")
    assert (grades[run["grade"].reshape(31, 100) == -1] == 0).all() and grades.min() == 0
    holds("leaves out one question for which nothing relevant is known")
    assert sum(not (search["grade"][search["query"] == q] > 0).any() for q in range(1, 32)) == 1


@section("On real data")
def test_the_decision(axes, err_10, grades, measures, moved, rows):
    table = {name: np.round(values, 3).tolist() for name, *values in rows}
    holds("ERR loses 0.009, with an interval from a loss of 0.024 to a gain of 0.007")
    assert table["ERR@10"][2:] == [-0.009, -0.024, 0.007]
    holds("the interval for the share of satisfied readers includes 0 as well")
    assert table["satisfied"][3] < 0 < table["satisfied"][4]
    holds("because the first passage of a list is always the first of its page")
    assert np.array_equal(grades[:, 0], moved[:, 0])
    holds("That result alone earns 0.391, which is 74% of the ERR of the run as it is.")
    alone = expected_reciprocal_rank(grades, 1, max_grade=3).mean()
    assert round(alone, 3) == 0.391 and round(alone / err_10(grades).mean(), 2) == 0.74
    holds("Losses of more than 0.024 are ruled out")
    assert table["ERR@10"][3] == -0.024
    holds("a shuffle of the hundred passages scores 0.303 and their best order 0.742")
    rng = np.random.default_rng(0)
    shuffled = np.mean([err_10(rng.permuted(grades, axis=1)).mean() for _ in range(1000)])
    assert [round(x, 3) for x in (shuffled, err_10(-np.sort(-grades)).mean())] == [0.303, 0.742]
    holds("RBP loses 0.043 (0.007 to 0.079) and NDCG loses 0.059 (0.019 to 0.100)")
    assert table["RBP"][2:] == [-0.043, -0.079, -0.007] and np.round(table["NDCG@10"][2:], 3).tolist() == NDCG_LOSS
    holds("The band is the 95% interval of the mean change; it includes 0 for ERR and not for NDCG.")
    band = paired_difference(err_10(moved), err_10(grades), confidence_level=95 / 100, rng=0)[1:3]
    assert np.round(band, 3).tolist() == table["ERR@10"][3:]
    assert table["ERR@10"][3] < 0 < table["ERR@10"][4] and table["NDCG@10"][4] < 0
    holds("For such a reader nothing speaks in favour of the change")
    gains = paired_difference(cumulative_gain(moved, 10), cumulative_gain(grades, 10), rng=0)
    assert gains.high < 0 and table["RBP"][4] < 0
    holds("Two rows of bars around 0.")
    assert len(axes) == 2 and all(len(ax.patches) >= 31 for ax in axes)
    signs = {}
    for name in ("ERR@10", "NDCG@10"):
        change = measures[name](moved) - measures[name](grades)
        signs[name] = [int((change < -1e-12).sum()), int((change > 1e-12).sum()), int((~np.isnan(change)).sum())]
    holds("20 of 31 lie below 0 and 9 above it, with a narrow band marked mean -0.009, -0.024 to 0.007")
    assert signs["ERR@10"] == [20, 9, 31]
    holds("21 of 30 lie below 0 and 8 above, many of them larger, with a band marked mean -0.059, -0.100 to -0.019")
    assert signs["NDCG@10"] == [21, 8, 30] and axes[1].texts[0].get_text().endswith("-0.100 to -0.019")


NDCG_LOSS = [-0.059, -0.1, -0.019]


@section("On real data")
def test_unjudged_and_by_page(err_10, grades, order, pages, run, search):
    holds("But with the repeats below, 15 more of the 310 places show an unjudged passage.")
    as_is = run["grade"].reshape(31, 100)
    moved = np.take_along_axis(as_is, order, axis=1)
    assert (moved[:, :10] == -1).sum() - (as_is[:, :10] == -1).sum() == 15 and moved[:, :10].size == 310
    holds(
        "RBP changes by -0.022 (-0.056 to 0.012), NDCG by -0.037 (-0.079 to 0.005) and ERR by -0.006 (-0.021 to 0.010)"
    )
    pools = [search["grade"][search["query"] == q].clip(0) for q in range(1, 32)]
    shorter = {
        "RBP": lambda row, pool: rank_biased_precision(row >= 2, p=0.8),
        "NDCG": lambda row, pool: ndcg(row, 10, judged=pool),
        "ERR": lambda row, pool: err_10(row),
    }
    changes = {}
    for name, measure in shorter.items():
        after, before = (
            np.array([measure(row[row >= 0], pool) for row, pool in zip(lists, pools, strict=True)])
            for lists in (moved, as_is)
        )
        some = ~np.isnan(before)
        changes[name] = paired_difference(after[some], before[some], rng=0)[:3]
    wanted = {"RBP": [-0.022, -0.056, 0.012], "NDCG": [-0.037, -0.079, 0.005], "ERR": [-0.006, -0.021, 0.01]}
    assert {name: np.round(change, 3).tolist() for name, change in changes.items()} == wanted
    holds("so all three intervals include 0")
    assert all(low < 0 < high for _, low, high in changes.values())
    holds("0.026 of ERR (0.014 to 0.039), and it cannot lose, because by this yardstick a repeat is worth nothing")
    by_page = np.zeros_like(grades)
    for question, row in enumerate(pages):
        rows = search[search["query"] == question + 1]
        for place in np.unique(row, return_index=True)[1]:
            by_page[question, place] = max(rows["grade"][rows["page"] == row[place]].max(), 0)
    values = err_10(np.take_along_axis(by_page, order, axis=1)), err_10(by_page)
    assert np.round(paired_difference(*values, rng=0)[:3], 3).tolist() == [0.026, 0.014, 0.039]
    assert (values[0] >= values[1] - 1e-12).all()
    for few in itertools.product(range(4), repeat=5):  # a repeat earns 0, so what moves above it can but gain
        below = sorted(few, key=lambda grade: grade == 0)
        assert expected_reciprocal_rank(below, max_grade=3) >= expected_reciprocal_rank(few, max_grade=3) - 1e-12
    assert by_page.max() == 3


@section("Try it")
def test_try_it(every, gains, two):
    short, long = (expected_reciprocal_rank(two, max_grade=top).tolist() for top in (3, 5))
    holds("two lists with grades from 0 to 3 that change places if the scale ends at 5 instead of 3")
    assert short[0] > short[1] and long[0] < long[1] and len(two) == 2 and max(max(two)) == 3
    holds("On the short scale a 3 stops most readers.")
    assert expected_reciprocal_rank([3], max_grade=3) > 1 / 2
    holds("On the long one it stops few")
    assert expected_reciprocal_rank([3], max_grade=5) < 1 / 4
    holds("Can ERR fall if one grade is raised by 1?")
    assert all(abs(step).sum() == 1 for step in np.eye(4, dtype=int)) and min(gains) > 0
    holds("Try all lists of four results with grades from 0 to 3")
    assert every.shape == (4**4, 4)
    holds("No, it rises in each of the 768 cases.")
    assert len(gains) == 768 and min(gains) > 0


@section("Further")
def test_further(A, B):
    holds("The result on top decides most of it")
    orders = np.array(sorted(set(itertools.permutations([3, 3, 2, 2, 1, 0]))))
    values = expected_reciprocal_rank(orders, max_grade=3)
    means = np.array([values[orders[:, 0] == one].mean() for one in orders[:, 0]])
    assert means.var() > values.var() / 2
    holds("even a perfect list stays below 1")
    assert all(expected_reciprocal_rank([m] * n, max_grade=m) < 1 for m in range(1, 6) for n in (1, 10, 100))
    holds("RBP and NDCG for readers who go on, and they can decide differently")
    by_err, by_ndcg = expected_reciprocal_rank([A, B], max_grade=3), [ndcg(one, 5, judged=A + B) for one in (A, B)]
    by_rbp = rank_biased_precision(np.array([A, B]) >= 2, p=0.8)
    assert by_err[0] > by_err[1] and by_ndcg[0] < by_ndcg[1] and by_rbp[0] < by_rbp[1]


@section("lesson-expected-reciprocal-rank-scale")
def test_unchecked_the_choices():
    unchecked("gdeval, the script of TREC's web track", "its grades end at 4")
    unchecked("gdeval (20 unless set)", "its source")
    unchecked("this library; an error for several lists", "the tests of the library hold it")
