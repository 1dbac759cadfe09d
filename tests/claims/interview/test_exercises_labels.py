"""What book/interview/exercises-labels.ipynb says, held."""

import numpy as np

from metrics_book.practice import approaches
from tests.claims.runner import holds, section


@section("interview-exercise-precision-recall-f1")
def test_precision_recall_f1(report, their_precision_recall_f1):
    holds("The three are derived")
    assert len(their_precision_recall_f1(np.array([1]), np.array([1]))) == 3
    zero = ["nothing predicted positive", "no positive exists", "no positive on either side", "no hit"]
    holds("The ordinary cases are right; all four named tests that fail divide by zero.")
    assert list(report.failed) == [*zero, "random inputs"] and len(zero) == 4
    assert "0/0 is not handled" in report.mistakes[0]
    holds("NumPy turns them into `nan` with a warning")
    assert all("nan" in result.got for result in report.results if not result.passed)
    assert any("RuntimeWarning" in note for note in report.notes)


@section("interview-exercise-macro-micro-f1")
def test_macro_and_micro_f1(report, their_macro_micro_f1):
    holds("One named test fails, the one in which a class is predicted and never true.")
    assert list(report.failed) == ["a class that is only predicted", "random inputs"]
    assert "predicted but never true are left out" in report.mistakes[0]
    holds("a model could invent classes for nothing")
    invented = their_macro_micro_f1(np.array([0, 0, 1, 1]), np.array([0, 2, 1, 1]))
    assert invented[0] > np.mean([2 / 3, 1, 0])


@section("interview-exercise-cohen-kappa")
def test_cohens_kappa(report, their_cohen_kappa):
    assert not report.passed and report.mistakes
    right = approaches("cohen_kappa")[0].function
    rng = np.random.default_rng(0)
    holds("Where one side uses all labels equally often it is right")
    fair = np.repeat([0, 1, 2], 4)
    for _draw in range(100):
        other = rng.integers(0, 3, 12)
        if len(np.unique(other)) > 1:
            assert np.isclose(their_cohen_kappa(fair, other), right(fair, other))
    holds("where one label is frequent, agreement on it looks like skill")
    rare = np.array([0] * 18 + [1, 0]), np.array([0] * 18 + [0, 1])
    assert their_cohen_kappa(*rare) == 0.8 and right(*rare) < 0
