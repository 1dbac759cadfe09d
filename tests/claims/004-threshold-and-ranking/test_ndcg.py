"""What book/004-threshold-and-ranking/ndcg.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_book.printed import verdict
from metrics_lib import cumulative_gain, dcg, ideal_dcg, ndcg
from tests.claims.runner import holds, proved, section, unchecked


@section("004-ndcg")
def test_the_opening():
    proved("six results, measured against an ideal list drawn from eight, with a final score of 81.96%")
    six, eight = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 0]
    assert (len(six), len(eight)) == (6, 8)
    holds(
        "because in the denominator the document adds up terms that it has cut off after two decimals, and in the "
        "numerator it does not"
    )
    of_the_list, of_the_ideal = dcg(six), ideal_dcg(eight, 6)
    less = sum(math.floor(100 * g / math.log2(i + 2) + 1e-9) for i, g in enumerate([3, 3, 3, 2, 2, 1])) / 100
    assert f"{of_the_list / of_the_ideal:.2%} {round(of_the_list, 2) / less:.2%}" == "81.84% 81.96%"
    assert less < math.floor(100 * of_the_ideal) / 100 and round(of_the_list, 2) == math.floor(100 * of_the_list) / 100


@section("004-ndcg-cg")
def test_cg():
    holds("CG is 6 either way, but DCG, which the document introduces next, sees the difference.")
    assert dcg([1, 3, 2]) < dcg([3, 2, 1])
    holds("The document gives no grades, and the argument needs none")
    assert all(
        cumulative_gain([c, a, b]) == cumulative_gain([a, b, c]) for a, b, c in itertools.product(range(4), repeat=3)
    )


@section("004-ndcg-idcg")
def test_six_results_an_ideal_of_eight(ideal, judged, returned):
    holds("Six results, an ideal of eight")
    assert (len(returned), len(ideal)) == (6, 8)
    holds("two more that were recalled, with grades 3 and 0")
    assert (judged[:6], judged[6:]) == (returned, [3, 0])
    holds("This is the ideal order that the document prints, and the document cuts it at 6.")
    assert ideal == [3, 3, 3, 2, 2, 1, 0, 0]
    assert math.isclose(dcg(list(itertools.permutations(judged, 6))).max(), dcg(ideal[:6]))


@section("004-ndcg-worked")
def ideal_terms(ideal):
    return [grade / math.log2(rank + 1) for rank, grade in enumerate(ideal[:6], start=1)]


@section("004-ndcg-worked")
def list_terms(returned):
    return [grade / math.log2(rank + 1) for rank, grade in enumerate(returned, start=1)]


@section("004-ndcg-worked")
def test_the_worked_example(added, ideal, ideal_printed, judged, printed, returned):
    logs = [math.log2(rank + 1) for rank in range(1, 7)]
    list_terms, ideal_terms = ([grade / log for grade, log in zip(g, logs, strict=False)] for g in (returned, ideal))
    judged_rows = [
        *zip(printed, list_terms, strict=True),
        ("6.86", dcg(returned)),
        ("6.86", added(printed)),
        *zip(ideal_printed, ideal_terms, strict=True),
        ("8.37", ideal_dcg(judged, 6)),
        ("8.37", added(ideal_printed)),
        ("81.96%", 6.86 / 8.37),
        ("81.96%", ndcg(returned, 6, judged=judged)),
    ]
    holds("Three rows are wrong.")
    assert sum(verdict(*row) == "wrong" for row in judged_rows) == 3
    holds("The second is the IDCG, 8.38 to two decimals and printed as 8.37")
    assert verdict("8.38", ideal_dcg(judged, 6)) != "wrong" == verdict("8.37", ideal_dcg(judged, 6))
    assert added(printed) == Fraction("6.85")
    holds("the third is the NDCG that follows from it")
    assert verdict(*judged_rows[-1]) == "wrong" and f"{6.86 / 8.37:.2%}" == judged_rows[-1][0]
    holds("The first is wrong only in a mild sense: 6.86 is the DCG, but the terms printed above it add up to 6.85.")
    assert [i for i, row in enumerate(judged_rows) if verdict(*row) == "wrong"] == [7, 14, 17]
    assert verdict(*judged_rows[6]) == "rounded or truncated" and added(printed) != Fraction("6.86")
    proved(r"$\log_2 3$ is $\ln 3 / \ln 2$")
    assert math.isclose(logs[1], math.log(3) / math.log(2))


@section("004-ndcg-digits")
def test_how_81_84_became_81_96(
    above, added, ax, below, ideal_printed, ideal_terms, judged, list_terms, lost, printed, returned
):
    cut = [[math.floor(100 * term + 1e-9) / 100 for term in both] for both in (list_terms, ideal_terms)]
    off = [[t - c for t, c in zip(*both, strict=True)] for both in zip((list_terms, ideal_terms), cut, strict=True)]
    share = ndcg(returned, 6, judged=judged)
    holds("The result is 0.12 percentage points too high.")
    assert f"{100 * round(6.86 / 8.37, 4) - 100 * round(share, 4):.2f}" == "0.12"
    holds("How 81.84% became 81.96%")
    assert f"{share:.2%} {6.86 / 8.37:.2%}" == "81.84% 81.96%"
    holds("to two digits, the DCG is 6.86")
    assert verdict("6.86", dcg(returned)) == "rounded or truncated"
    holds("the IDCG is 8.38, but the printed terms add up to 8.37")
    assert verdict("8.38", ideal_dcg(judged, 6)) == "rounded or truncated" and added(ideal_printed) == Fraction("8.37")
    holds("Each of the twelve terms was **cut off** after two decimals.")
    assert cut == [[float(p) for p in shown] for shown in (printed, ideal_printed)] and sum(map(len, cut)) == 12
    holds("All twelve terms lie in the band, and two of them below both lines, where rounding cannot have put them.")
    shifts = [*lost["DCG"], *lost["IDCG"]]
    assert all(-1 < x <= 1e-9 for x in shifts) and sum(x < -0.5 for x in shifts) == 2 and len(shifts) == 12
    holds("at minus one half and one half")
    assert [line.get_ydata()[0] for line in ax.lines[:2]] == [-0.5, 0.5]
    holds("the circle at rank 5, at about minus 0.7, and the square at rank 6, at about minus 0.6")
    assert {name: (int(np.argmin(x)) + 1, round(min(x), 1)) for name, x in lost.items()} == {
        "DCG": (5, -0.7),
        "IDCG": (6, -0.6),
    }
    holds(
        "two digits would be different: 0.39 instead of 0.38 in the numerator, and 0.36 instead of 0.35 in the "
        "denominator"
    )
    changed = [
        (c, round(t, 2))
        for t, c in zip([*list_terms, *ideal_terms], [*cut[0], *cut[1]], strict=True)
        if c != round(t, 2)
    ]
    assert changed == [(0.38, 0.39), (0.35, 0.36)]
    holds("The six terms of the denominator lose 0.014 between them, which is enough to pull the IDCG down to 8.37.")
    assert f"{sum(off[1]):.3f}" == "0.014" and math.isclose(ideal_dcg(judged, 6) - sum(off[1]), 8.37)
    holds("The six terms of the numerator lose 0.011, but that does no harm, because their sum, 6.85, is never used.")
    assert f"{sum(off[0]):.3f}" == "0.011" and added(printed) == Fraction("6.85")
    holds("it could take each sum with all its digits, with two, or as the sum of the printed terms")
    assert (round(dcg(returned), 2), round(ideal_dcg(judged, 6), 2)) == (6.86, 8.38)
    holds("Which of them come to 81.84%?", "Only two of the nine do, the one with all digits and 6.85/8.37")
    quotients = [(i, j) for i, n in enumerate(above) for j, d in enumerate(below) if f"{n / d:.2%}" == "81.84%"]
    assert quotients == [(0, 0), (2, 2)] and len(above) * len(below) == 9
    holds("There are nine fractions that the document could have formed")
    assert len(above) * len(below) == 9
    holds("Rounding each term properly would not have helped, because 6.86/8.38 comes to 81.86%.")
    assert [round(sum(round(t, 2) for t in both), 2) for both in (list_terms, ideal_terms)] == [6.86, 8.38]


@section("004-ndcg-conventions")
def test_the_same_list_in_the_other_documents(gains, judged, returned):
    holds("Since all six results are returned and counted here, four different values remain")
    of_documents = {
        round(float(dcg(returned, 6, gain=g) / i), 9)
        for g in gains
        for i in (
            ideal_dcg(returned, gain=g),
            ideal_dcg(returned[:6], gain=g),
            ideal_dcg(returned, 6, gain=g),
            ideal_dcg(judged, 6, gain=g),
        )
    }
    assert len(of_documents) == 4 and len(returned) == 6


@section("ex-004-ndcg-luck")
def test_exercises(cut_off, distinct, ideal, returned, rows, whole):
    holds("cut off the terms of both sums after two digits")
    assert f"{cut_off(returned) / cut_off(ideal):.2%}" == "81.84%"
    holds("Take every order of the six results, and ask how often all four digits of the percentage come out right")
    assert len(distinct) == 180 and len(returned) == 6 and len("81.84%".strip("%").replace(".", "")) == 4
    holds("with cut-off terms in the ideal only")
    assert whole(returned) == 6.86 and cut_off(ideal) == 8.37
    holds("The cut-off terms give the right digits in 9 orders of 180, and the rounded ones in 16.")
    assert [count for *_, count in rows] == [9, 16, 0]
    holds("The document's mixture never does.")
    assert rows[-1][-1] == 0


@section("ex-004-ndcg-base")
def test_exercises_2(judged, natural, quotient, returned, rows):
    holds(r"every term is divided by the same $\ln 2$, which cancels in the quotient")
    units = [[0] * i + [1] for i in range(6)]
    assert all(math.isclose(dcg(unit, **natural), dcg(unit) / math.log(2)) for unit in units)
    assert math.isclose(*quotient) and math.isclose(quotient[0], ndcg(returned, 6, judged=judged))
    holds(r"All the terms and both sums grow by a factor of $1/\ln 2$, about 1.44")
    assert all(math.isclose(row[2], row[1] / math.log(2)) for row in rows[:2]) and round(1 / math.log(2), 2) == 1.44


@section("Exercises")
def test_exercises_3(gains, pair):
    holds("two orders of the grades 3, 2, 2, 0 that the two gains rank differently")
    assert sorted(pair[0]) == sorted(pair[1]) == [0, 2, 2, 3] and len(gains) == len(pair) == 2
    holds("put it first in one list and second in the other, and make the second list the better one from there on")
    assert pair[0][0] == pair[1][1] == 3 and dcg([0, *pair[1][1:]]) > dcg([0, *pair[0][1:]])
    holds("The linear gain prefers the second list, the exponential gain the first")
    assert ndcg(pair[0]) < ndcg(pair[1])
    assert ndcg(pair[0], gain="exponential") > ndcg(pair[1], gain="exponential")


@section("004-ndcg")
def test_unchecked_the_opening():
    unchecked(
        "Of the five documents, it is the only one whose ideal knows what the list missed.",
        "read in the documents",
    )


@section("004-ndcg-worked")
def test_unchecked_the_worked_example():
    unchecked("where both rules give the same digit, both", "what the words mean")


@section("004-ndcg-conventions")
def test_unchecked_the_same_list_in_the_other():
    unchecked(
        "In the recommender notes it is exponential in the formula and linear in the tables.",
        "what the documents print is no computation",
    )
    unchecked("it is the only one of the five in the right-hand column", "what the documents print is no computation")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("has only the natural logarithm", "the reader's calculator")
