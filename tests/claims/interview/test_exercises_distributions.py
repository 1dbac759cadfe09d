"""What book/interview/exercises-distributions.ipynb says, held."""

import itertools
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


@section("interview-exercise-temperature")
def test_temperature(report, their_temperature):
    holds("so nothing overflows")
    assert not any("overflow" in note for note in report.notes)
    holds("Both named tests that fail have a row in which the model is sure and wrong.")
    assert list(report.failed) == ["sure and wrong", "a wrong one at all costs"]
    assert "a small probability becomes 0, and its logarithm infinite" in report.mistakes[0]
    holds("below the smallest float, so it becomes 0, and its logarithm is minus infinity")
    with np.errstate(divide="ignore"):
        assert their_temperature(np.array([[0, 900]]), np.array([0]), np.array([1])) == (1, math.inf)
    assert their_temperature(np.array([[900, 0]]), np.array([0]), np.array([1])) == (1, 0)
    holds("is the same logarithm without a probability, and it is finite")
    z = np.array([[-900.0, 0], [0, -3]])  # less the greatest of each row
    log_prob = z - np.log(np.exp(z).sum(axis=1)[:, None])
    assert np.isfinite(log_prob).all() and np.allclose(np.exp(log_prob).sum(axis=1), 1)
    holds("A bound of $10^{-12}$ would make it finite as well")
    holds("but then these two rows cost 27.6 each, whatever the temperature")
    gaps = [900 / t for t in (0.5, 1)] + [3000 / t for t in (0.5, 1, 2)]
    assert {round(-math.log(max(math.exp(-gap), 1e-12)), 1) for gap in gaps} == {27.6}
    holds("search over $1/T$, in which the log loss is convex")
    logits, labels = np.random.default_rng(0).normal(0, 3, (200, 3)), np.random.default_rng(1).integers(0, 3, 200)
    loss = [their_temperature(logits, labels, np.array([1 / slope]))[1] for slope in np.linspace(0.05, 3, 60)]
    assert (np.diff(loss, 2) > 0).all()


@section("interview-exercise-ab-test")
def test_two_arms(report, their_ab_test):
    holds("Of the named tests with a standard error above 0, this solution passes the one with equal rates.")
    passed = [result.name for result in report.results if result.passed]
    assert passed == ["equal rates", "nobody clicks", "everybody clicks", "leaves its input alone"]
    assert "the standard error is pooled" in report.mistakes[0]
    holds("the pooled error is 0.0505 and the p-value 0.048; the task asks for 0.05 and 0.046")
    right = approaches("ab_test")[0].function
    found, wanted = their_ab_test(10, 100, 20, 100), right(10, 100, 20, 100)
    assert [round(found[1], 4), round(found[2], 3), round(wanted[1], 4), round(wanted[2], 3)] == [
        0.0505,
        0.048,
        0.05,
        0.046,
    ]
    holds("plus or minus 1.96 standard errors")
    assert round(math.erf(1.96 / math.sqrt(2)), 3) == 0.95
    holds("The pooled error supposes that both arms have one rate")
    assert math.isclose(their_ab_test(10, 100, 5, 50)[1], right(10, 100, 5, 50)[1])


@section("interview-exercise-ips")
def test_inverse_propensity(report, their_ips):
    assert "SNIPS is divided by the weights of rows with a reward" in report.mistakes[0]
    rng = np.random.default_rng(0)
    right = approaches("ips")[1].function
    for _ in range(50):
        clicks, old, new = np.r_[1, rng.integers(0, 2, 20)], rng.uniform(0.1, 1, 21), rng.uniform(0.1, 1, 21)
        first, second = their_ips(clicks, old, new)
        holds("Its first number is right.")
        assert math.isclose(first, right(clicks, old, new)[0])
        holds("it divides the weighted clicks by themselves and is 1, whatever the policies are")
        assert math.isclose(second, 1)
    holds("The rows without a click tell a bad policy from a good one, so they belong in both divisors.")
    bad, good = [right(np.array([1, 0]), np.full(2, 0.5), np.array(new))[1] for new in ([0.1, 0.9], [0.9, 0.1])]
    assert bad < good


@section("interview-exercise-token-f1")
def test_token_f1(report, their_token_f1):
    holds("The named test that fails has a word that is repeated")
    assert list(report.failed) == ["a word repeated", "random inputs"]
    assert "a shared token counts once, while all tokens are in the divisor" in report.mistakes[0]
    holds("So `no no no` gets 1/3 even against itself.")
    assert their_token_f1("no no no", ["no no no"]) == 1 / 3
    holds("Where no token occurs twice in a text, sets and counts agree.")
    right = approaches("token_f1")[0].function
    for out, ref in itertools.product(itertools.permutations("bcd", 2), itertools.permutations("cdef", 3)):
        assert their_token_f1(" ".join(out), [" ".join(ref)]) == right(" ".join(out), [" ".join(ref)])
    holds("`5 €` against `5` is 2/3 here, and 1 if all signs are deleted")
    assert (right("5 €", ["5"]), right("5", ["5"])) == (2 / 3, 1)
    holds("token F1 also rewards a part of an answer")
    assert 0 < right("red cat", ["red cat sleeps"]) < 1
