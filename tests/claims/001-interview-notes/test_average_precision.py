"""What book/001-interview-notes/average-precision.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_book.printed import verdict
from metrics_lib import auc, average_precision, mean_average_precision, precision_at_k, precision_recall_curve
from tests.claims.runner import holds, proved, section, unchecked


@section("001-average-precision")
def test_the_opening():
    holds("The words and the example are right, and the result is 34/45.")
    assert math.isclose(average_precision([1, 0, 1, 0, 1, 0]), 34 / 45)


@section("001-average-precision-words")
def test_in_words():
    holds("MAP reflects *all* relevant documents", "which is cautious, because it always does")
    assert average_precision([1], n_relevant=4) == 1 / 4 < average_precision([1], n_relevant=3)
    for flags in itertools.product([0, 1], repeat=6):
        for at in range(5):
            if flags[at : at + 2] == (0, 1):
                moved_up = [*flags[:at], 1, 0, *flags[at + 2 :]]
                assert average_precision(moved_up, n_relevant=6) > average_precision(flags, n_relevant=6)
    for flags in itertools.product([0, 1], repeat=6):
        for missed in range(1, 4):
            at_found = [Fraction(sum(flags[:k]), k) for k in range(1, 7) if flags[k - 1]]
            holds("the mean, over the relevant documents, of the precision at the point where each of them is found")
            value = average_precision(flags, n_relevant=sum(flags) + missed)
            assert math.isclose(value, sum(at_found) / (sum(flags) + missed))
            holds("If the system returns no relevant document, AP is 0")
            assert value > 0 or not any(flags)


@section("001-average-precision-curves")
def test_the_curves_of_two_systems(ax, measures, rounds, rows, squares, systems):
    holds("the document is right that a single cut does not decide")
    by_measure = list(zip(*[row[1:] for row in rows], strict=True))
    assert [left > right for left, right in by_measure] == [True, False, False]
    for cut, sign in ((2, 1), (6, -1)):
        assert sign * precision_at_k(squares, cut) > sign * precision_at_k(rounds, cut)
    holds("the area under the squares is 0.61, and the area under the round points is 0.71")
    assert [round(value, 2) for value in by_measure[2]] == [0.61, 0.71]
    holds("two systems that make the same point, each with five relevant documents among twenty results")
    assert len(systems) == 2 and {(sum(s), len(s)) for s in systems.values()} == {(5, 20)}
    holds("Two staircases over recall from 0 to 1.")
    assert len(ax.lines) == 2 and all(line.get_xdata()[[0, -1]].tolist() == [0, 1] for line in ax.lines)
    holds("Here is F1 at two cuts, next to AP")
    assert len(measures) == 2 + 1
    holds("stays at precision 1 up to recall 0.4, then drops to about 0.35")
    of_squares, of_rounds = (line.get_ydata() for line in ax.lines)
    assert of_squares[1:3].tolist() == [1, 1] and np.abs(np.array(of_squares[3:]) - 0.35).max() < 0.03
    holds("starts at 0.5 and climbs in small steps to 0.83")
    assert of_rounds[1] == 0.5 and round(of_rounds[5], 2) == 0.83 and (np.diff(of_rounds[1:]) > 0).all()
    holds("They cross at recall 0.4.")
    assert (np.array(of_squares) > of_rounds).tolist() == [True] * 3 + [False] * 3
    holds("Each of them is higher somewhere, so a single cut may favour either.")
    assert any(np.array(of_squares) > of_rounds) and any(np.array(of_squares) < of_rounds)
    holds("The squares lead at rank 2 and the round points at rank 6")
    assert rows[0][1] > rows[1][1] and rows[0][2] < rows[1][2]
    holds("the curves of two systems, one drawn with squares and one with round points")
    assert [line.get_marker() for line in ax.lines] == ["s", "o"]


@section("001-average-precision-area")
def test_from_the_curve_to_the_formula(ax, precision, recall, rel, scores, tops, wide):
    holds("Three rectangles, one for each relevant document, add up to 34/45.")
    assert sum(tops) / 3 == Fraction(34, 45) and len(tops) == 3
    holds(
        "Three adjoining bars of width one third with the heights 1, two thirds and three fifths.",
        "Each is labelled with its product, one third times its height.",
    )
    assert tops == [1, Fraction(2, 3), Fraction(3, 5)] and wide == 1 / 3
    assert ax.texts[1].get_text().replace("\n", " ") == "1/3 × 2/3"
    holds("joins the points of all six cuts by straight lines; the area below it is smaller, 32/45")
    assert math.isclose(auc(recall, precision), 32 / 45) and len(scores) == 6
    holds("falls at each recall to one half")
    assert [precision_at_k(rel, k) for k in (2, 4, 6)] == [1 / 2] * 3
    holds("AP is the area under the curve, drawn as steps", "with relevant documents at ranks 1, 3 and 5")
    assert [k for k, hit in enumerate(rel, 1) if hit] == [1, 3, 5]
    for flags in filter(any, itertools.product([0, 1], repeat=6)):
        reached = [Fraction(sum(flags[:k]), sum(flags)) for k in range(7)]
        parts = [(reached[k] - reached[k - 1]) * Fraction(sum(flags[:k]), k) for k in range(1, 7)]
        assert math.isclose(sum(parts), average_precision(flags))
        holds("recall rises only at a relevant document, by one over their number")
        assert [reached[k] - reached[k - 1] for k in range(1, 7)] == [Fraction(hit, sum(flags)) for hit in flags]


@section("001-average-precision-area")
def test_from_the_curve_to_the_formula_2(below, equal, rel, rows):
    proved("Without ties, that number is at most AP.", "does not lower precision, so the line stays below the step")
    for flags in filter(any, itertools.product([0, 1], repeat=7)):
        drawn = precision_recall_curve(flags, list(range(7, 0, -1)))
        assert auc(drawn.recall, drawn.precision) < average_precision(flags) + 1e-12
    for places in range(2, 40):
        assert all(Fraction(h, places - 1) <= Fraction(h + 1, places) for h in range(places))
    holds("With ties, the number can be far too high or too low")
    assert [round(value, 4) for row in rows[1:] for value in row[1:]] == [0.001, 0.5005, 0.6667, 0.3333]
    holds("gets 0.5005, because the line comes down from (0, 1), a point that no cut produces")
    flat = precision_recall_curve(*equal)
    assert (flat.recall[-1], flat.precision[-1], len(flat.thresholds)) == (0, 1, 1)
    holds("on the example it is 42/55", "the highest precision at that recall or beyond")
    points = [(Fraction(sum(rel[:k]), 3), Fraction(sum(rel[:k]), k)) for k in range(1, 7)]
    eleven = [max(top for at, top in points if at >= 0.1 * tenth - 1e-9) for tenth in range(11)]
    assert sum(eleven) / 11 == Fraction(42, 55) and len(eleven) == 11
    holds("So before you compare two values of AP, ask which area each of them is.")
    assert len({Fraction(34, 45), Fraction(32, 45), sum(eleven) / 11}) == 3
    holds("`below` has a miss at the top and two hits tied below it")
    assert below[0] == [0, 1, 1] and below[1][1] == below[1][2] < below[1][0]
    holds("The list `equal` has one positive among 1,000 samples, all with the same score")
    assert sum(equal[0]) == 1 == len(set(equal[1])) and len(equal[0]) == 1000


@section("001-average-precision-formula")
def test_the_formula():
    holds("with the precision of the list down to document $j$")
    for y_i, pi in itertools.product(itertools.product([0, 1], repeat=4), itertools.permutations(range(1, 5))):
        down_to = [sum(y_i[k] for k in range(4) if pi[k] <= pi[j]) for j in range(4)]
        summed = sum(Fraction(down_to[j], pi[j]) * y_i[j] for j in range(4))
        if any(y_i):
            assert math.isclose(summed / sum(y_i), average_precision([y_i[pi.index(at)] for at in range(1, 5)]))


@section("001-average-precision-worked")
def test_the_worked_example(ap, printed, rel, values):
    holds(
        "All six precisions are exact, the three misses contribute nothing",
        "and AP is (1 + 2/3 + 3/5)/3 = 34/45, or 0.756",
    )
    assert [verdict(p, v) for p, v in zip(printed, values, strict=True)] == ["exact"] * 6 and rel.count(0) == 3
    assert ap == Fraction(34, 45) == (1 + Fraction(2, 3) + Fraction(3, 5)) / 3 and round(34 / 45, 3) == 0.756
    assert math.isclose(average_precision(rel), ap)
    assert np.allclose([precision_at_k(rel, k) for k in range(1, 7)], np.array(values, dtype=float))
    holds("The example has six results, of which those at ranks 1, 3 and 5 are relevant.")
    assert len(rel) == len(printed) == 6 and [k for k in range(1, 7) if rel[k - 1]] == [1, 3, 5]


@section("001-average-precision-map-section")
def test_map(rel):
    proved("so that MAP is (34/45 + 1/2)/2 = 113/180")
    assert (Fraction(34, 45) + Fraction(1, 2)) / 2 == Fraction(113, 180)
    assert math.isclose(mean_average_precision([rel, [0, 1, 0, 0, 0, 0]]), 113 / 180)


@section("Exercises")
def test_exercises(rows):
    holds("The curve has two points, (0, 1) by convention and")
    curve_of_one = precision_recall_curve([1, 0, 0, 0], [5] * 4)
    assert curve_of_one.recall.tolist() == [1, 0] and curve_of_one.precision.tolist() == [0.25, 1]
    gifts = [lines - steps for _, steps, lines in rows]
    assert np.allclose([row[1] for row in rows], [0.01, 0.1, 0.5, 1])
    holds(r"so the area of the trapezoid is $(1 + \pi)/2$")
    assert all(math.isclose(lines, (1 + steps) / 2) for _, steps, lines in rows)
    holds("The two agree only if every sample is positive.")
    assert [math.isclose(gift, 0, abs_tol=1e-12) for gift in gifts] == [False, False, False, True]
    holds("The rarer the positives are, the more the straight line gives away, up to one half.")
    assert gifts == sorted(gifts, reverse=True) and 0.49 < max(gifts) < 0.5
    holds("A model gives every sample the same score")
    assert len(curve_of_one.thresholds) == 1


@section("Exercises")
def test_exercises_2(cases, kept, some):
    holds("The first query keeps its AP in 147 of 343 cases, fewer than half.")
    assert (len(kept), len(cases)) == (147, 343) and 147 < 343 / 2
    holds("Each query has 7 possible lists of relevances")
    assert len(some) == 7 and all(len(y) == 3 and all(len(row) == 3 for row in y) for y in cases)
    holds(
        "the slip is harmless where only the first document is relevant to the first query",
        "because document 1 takes its precision from query 1, as it should",
    )
    assert all(y in kept for y in cases if y[0] == (1, 0, 0))


@section("001-average-precision")
def test_unchecked_the_opening():
    unchecked("points to a picture of two precision-recall curves", "what is printed")
    unchecked("works an example up to three dots", "what is printed")


@section("001-average-precision-formula")
def test_unchecked_the_formula():
    unchecked("The document prints the sums in the first formula up to $n_i$", "what is printed")
