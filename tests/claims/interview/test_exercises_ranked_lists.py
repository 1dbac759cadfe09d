"""What book/interview/exercises-ranked-lists.ipynb says, held."""

import itertools

import numpy as np

from metrics_book.practice import approaches
from tests.claims.runner import holds, section


@section("interview-exercise-ndcg-at-k")
def test_ndcg_k(report, their_ndcg_at_k):
    assert "the ideal is taken from the cut list" in report.mistakes[0]
    holds("Each wrong value is too high, or there is none at all.")
    wrong = [result for result in report.results if not result.passed]
    assert all(result.got == "nan" or float(result.got) > float(result.expected) for result in wrong)
    assert "nan" in [result.got for result in wrong]
    right = approaches("ndcg_at_k")[0].function
    for ranked in itertools.product(range(3), repeat=4):
        for cut in range(1, 5):
            if any(ranked[:cut]):
                assert their_ndcg_at_k(np.array(ranked), cut) >= right(np.array(ranked), cut) - 1e-12


@section("interview-exercise-average-precision")
def test_average_precision(report, their_average_precision):
    holds("There are two mistakes.")
    told = " ".join(report.mistakes)
    assert (
        "you divided by the hits found" in told
        and "where no relevant item exists, the value is 0/0, and yours is 0" in told
    )
    holds("return one sure hit, and the value is 1")
    assert their_average_precision(np.array([1, 0, 0]), 3, 10) == 1


@section("interview-exercise-reciprocal-rank")
def test_reciprocal_rank(report, their_reciprocal_rank):
    assert list(report.failed) == [
        "no hit",
        "a hit just below the cut",
        "no hit and k beyond the list",
        "random inputs",
    ]
    assert "argmax is 0 where nothing is true" in report.mistakes[0]
    holds("A list without a hit gets the best value there is, because `argmax` of an array that is nowhere true is 0.")
    assert {result.got for result in report.results if not result.passed} == {"1"}
    assert all(
        np.argmax(np.zeros(n, dtype=bool)) == 0 and their_reciprocal_rank(np.zeros(n), n) == 1 for n in range(1, 9)
    )


@section("interview-exercise-hit-rate")
def test_hit_rate_precision_and_recall_at_k(report, their_hit_rate):
    assert "the hit rate is pooled" in report.mistakes[0]
    holds("The second and third number are right throughout")
    wrong = [result for result in report.results if not result.passed]
    assert all(result.got.split(", ", 1)[1] == result.expected.split(", ", 1)[1] for result in wrong)
    assert all(result.got != result.expected for result in wrong)
    holds("With one relevant item for every user the two agree")
    right = approaches("hit_rate")[0].function
    for places in itertools.product(range(4), repeat=3):
        one = np.array([[place == rank for rank in range(3)] for place in places]), 2, np.array([1, 1, 1])
        assert np.isclose(their_hit_rate(*one)[0], right(*one)[0])


@section("interview-exercise-expected-reciprocal-rank")
def test_expected_reciprocal_rank(report, their_expected_reciprocal_rank):
    assert "g_max is taken from the list" in report.mistakes[0]
    right = approaches("expected_reciprocal_rank")[0].function
    holds("As long as the best grade of the scale occurs in the list, nothing is wrong.")
    assert "the same list on a scale up to 4" in report.failed and report.results[0].passed
    for graded in itertools.product(range(4), repeat=4):
        if max(graded) == 3:
            assert np.isclose(their_expected_reciprocal_rank(np.array(graded), 4, 3), right(np.array(graded), 4, 3))
    holds("a single result of grade 1 on a scale up to 4 gets 1/2 and not 1/16")
    assert their_expected_reciprocal_rank(np.array([1]), 1, 4) == 1 / 2
    assert right(np.array([1]), 1, 4) == 1 / 16


@section("interview-exercise-intra-list-similarity")
def test_intra_list_similarity(report, their_intra_list_similarity):
    assert "the diagonal is counted" in report.mistakes[0]
    holds("a short list looks less diverse than a long one of the same kind")
    assert np.eye(2).mean() > np.eye(9).mean()
    holds("Only copies of one item hide the mistake, because then all entries are 1.")
    passed = [result.name for result in report.results if result.passed]
    assert passed == ["three copies of one item", "leaves its input alone"]
    right = approaches("intra_list_similarity")[0].function
    for a, b, c in itertools.product([0, 0.5, 1], repeat=3):
        matrix = np.array([[1, a, b], [a, 1, c], [b, c, 1]])
        assert np.isclose(their_intra_list_similarity(matrix), right(matrix)) == (a == b == c == 1)
