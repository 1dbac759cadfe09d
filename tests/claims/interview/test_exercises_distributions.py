"""What book/interview/exercises-distributions.ipynb says, held."""

import math

import numpy as np

from metrics_book.practice import approaches
from tests.claims.runner import holds, section


@section("interview-exercise-log-loss")
def test_log_loss(report, their_log_loss):
    holds("The three named tests with a probability of exactly 0 or 1 fail")
    assert list(report.failed) == ["certain and wrong: 0", "certain and wrong: 1", "certain and right", "random inputs"]
    holds("even the one in which the certainty was right")
    assert [result.got for result in report.results if result.name == "certain and right"] == ["nan"]
    holds("NumPy warns of it, and the report passes that on")
    assert "RuntimeWarning" in report.notes[-1]
    assert "logarithm of 0 is not clipped" in report.mistakes[0]
    holds("for labels of two classes")
    assert len(np.unique([0, 1])) == 2 and math.isfinite(their_log_loss(np.array([0, 1]), np.array([0.5, 0.5])))
    holds("A certain mistake costs 36.04 nats with this bound and 23.03 with one of $10^{-10}$")
    cost = approaches("log_loss")[0].function(np.array([1]), np.array([0.0]))
    assert (round(cost, 2), round(10 * math.log(10), 2)) == (36.04, 23.03)


@section("interview-exercise-perplexity")
def test_perplexity(report):
    holds("One sentence alone is right; several are not, whether they have one length or more.")
    assert {"two sentences of one length", "two sentences of different length"} <= set(report.failed)
    assert "you averaged the texts' perplexities" in report.mistakes[0] and report.results[0].passed


@section("interview-exercise-kl-divergence")
def test_kullback_leibler_divergence(report):
    holds("The named tests that fail have an event of probability 0")
    zero = ["a certain event", "an event that cannot happen", "impossible in both"]
    assert list(report.failed) == [*zero, "random inputs"]
    assert "0 * log 0 is not handled" in report.mistakes[0]
    holds("The other zero, an event that was thought impossible, comes out right, as infinity.")
    assert [result.passed for result in report.results if result.name == "an event that was thought impossible"] == [
        True
    ]


@section("interview-exercise-expected-calibration-error")
def test_expected_calibration_error(report, their_expected_calibration_error):
    assert not report.passed and report.mistakes
    holds("Bins of equal size hide it, and so does a single one.")
    assert {"four rows in two bins", "one bin"}.isdisjoint(report.failed)
    right = approaches("expected_calibration_error")[0].function
    holds("A bin of one row counts as much as a bin of a thousand.")
    large = np.append(np.arange(1000) % 2, 1), np.append(np.full(1000, 0.5), 0.05)
    assert np.isclose(their_expected_calibration_error(*large, 10), 0.475) and right(*large, 10) < 0.001
    holds("in small data a calibrated model has an ECE above 0, too")
    said = np.random.default_rng(0).random(100)
    assert right((np.random.default_rng(1).random(100) < said).astype(int), said, 10) > 0.05


@section("interview-exercise-bootstrap-interval")
def test_bootstrap_interval(report, their_bootstrap_interval):
    assert not report.passed and report.mistakes
    holds("At a level of 0.95 each end cuts off 0.05, and the interval holds 0.9 of the means.")
    sorted_means = np.arange(10_001) / 10_000
    ends = their_bootstrap_interval(sorted_means, np.arange(10_001)[:, None], 0.95)
    inside = [(sorted_means < ends[0]).mean(), (sorted_means > ends[1]).mean()]
    assert np.allclose([*inside, 1 - sum(inside)], [0.05, 0.05, 0.9], atol=1e-3)
