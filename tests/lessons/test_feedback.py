"""The estimators of the lesson on feedback, beside loops over rows, all logs of a small world, and other packages."""

import csv
import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.weightstats import DescrStatsW

from benchmarks import feedback

LESSON = "feedback"

# A world of two kinds of visitor and two products: P(kind), the old and the new policy, P(click), a model of it
F = Fraction
KINDS = (F(1, 3), F(2, 3))
OLD = ((F(3, 4), F(1, 4)), (F(1, 10), F(9, 10)))
NEW = ((F(1, 4), F(3, 4)), (F(1, 2), F(1, 2)))
CLICKS = ((F(1, 5), F(2, 5)), (F(1, 2), F(0)))
GUESS = ((F(1, 2), F(1, 7)), (F(1, 3), F(4, 5)))
FLAT = ((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2)))
TRUTH = sum(
    k * n * c for k, row, rates in zip(KINDS, NEW, CLICKS, strict=True) for n, c in zip(row, rates, strict=True)
)
# What can be logged in a row: kind, product, click, and its probability under a policy
ROWS = list(itertools.product((0, 1), (0, 1), (0, 1)))


def chance(row, policy):
    kind, product, click = row
    rate = CLICKS[kind][product]
    return KINDS[kind] * policy[kind][product] * (rate if click else 1 - rate)


def expected(value, size, policy=OLD):
    """The mean of an estimator over all logs of so many rows, exactly."""
    total = F(0)
    for log in itertools.product(ROWS, repeat=size):
        total += math.prod(chance(row, policy) for row in log) * value(log)
    return total


def columns(log, recorded=OLD):
    return [c for *_, c in log], [recorded[k][a] for k, a, _ in log], [NEW[k][a] for k, a, _ in log]


def modelled(log, model):
    after = [sum(n * m for n, m in zip(NEW[k], model[k], strict=True)) for k, *_ in log]
    return [model[k][a] for k, a, _ in log], after


def drawn(seed, n=200):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, n), rng.uniform(0.02, 1, n), rng.uniform(0, 1, n)


# Exactly, over all logs


@pytest.mark.parametrize("size", [1, 2, 3])
def test_ips_is_unbiased(lesson, size):
    assert expected(lambda log: lesson["ips"](*columns(log)), size) == TRUTH


def test_ips_with_propensities_half_as_large_tells_twice_the_truth(lesson):
    halved = [[p / 2 for p in row] for row in OLD]
    assert expected(lambda log: lesson["ips"](*columns(log, halved)), 2) == 2 * TRUTH


def test_ips_of_a_product_that_was_not_shown_misses_its_clicks(lesson):
    narrow = ((F(1), F(0)), OLD[1])
    logs = [row for row in ROWS if chance(row, narrow)]
    mean = sum(chance(row, narrow) * lesson["ips"](*columns([row], narrow)) for row in logs)
    assert mean == TRUTH - KINDS[0] * NEW[0][1] * CLICKS[0][1] != TRUTH


@pytest.mark.parametrize(
    ("recorded", "model", "right"),
    [(OLD, GUESS, True), (FLAT, CLICKS, True), (OLD, CLICKS, True), (FLAT, GUESS, False)],
)
def test_doubly_robust_is_unbiased_if_one_of_the_two_is_right(lesson, recorded, model, right):
    mean = expected(lambda log: lesson["doubly_robust"](*columns(log, recorded), *modelled(log, model)), 2)
    off = sum(
        KINDS[k] * NEW[k][a] * (model[k][a] - CLICKS[k][a]) * (1 - OLD[k][a] / recorded[k][a])
        for k, a in itertools.product((0, 1), (0, 1))
    )
    assert mean - TRUTH == off
    assert (off == 0) == right


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("policy", [FLAT, OLD])
def test_replay_is_unbiased_on_a_random_log_that_agrees_at_all(lesson, size, policy):
    """The new policy shows the first kind the second product, and the second kind the first."""
    wanted = (1, 0)
    truth = sum(KINDS[k] * CLICKS[k][wanted[k]] for k in (0, 1))

    def value(log):
        if all(a != wanted[k] for k, a, _ in log):
            return F(0)
        clicks = [F(c) for *_, c in log]
        return lesson["replay"](clicks, [a for _, a, _ in log], [wanted[k] for k, *_ in log])

    agrees = expected(lambda log: F(any(a == wanted[k] for k, a, _ in log)), size, policy)
    assert (expected(value, size, policy) / agrees == truth) == (policy is FLAT)


def test_clipping_takes_away_what_is_above_the_cap(lesson):
    cap = F(2)
    lost = sum(
        KINDS[k] * OLD[k][a] * max(NEW[k][a] / OLD[k][a] - cap, 0) * CLICKS[k][a]
        for k, a in itertools.product((0, 1), (0, 1))
    )
    assert lost > 0
    assert expected(lambda log: lesson["clipped"](*columns(log), cap), 2) == TRUTH - lost


def test_the_variance_of_ips_is_that_of_the_formula(lesson):
    second = expected(lambda log: lesson["ips"](*columns(log)) ** 2, 3)
    of_a_row = sum(KINDS[k] * NEW[k][a] ** 2 / OLD[k][a] * CLICKS[k][a] for k, a in itertools.product((0, 1), (0, 1)))
    assert second - TRUTH**2 == (of_a_row - TRUTH**2) / 3


def test_snips_is_biased_less_in_longer_logs(lesson):
    off = [abs(expected(lambda log: lesson["snips"](*columns(log)), size) - TRUTH) for size in (1, 2, 3, 4)]
    assert off == sorted(off, reverse=True)
    assert off[-1] > 0


# Beside loops and other packages


@pytest.mark.parametrize("seed", range(5))
def test_the_estimators_are_those_of_loops(lesson, seed):
    click, p, new = drawn(seed)
    model, after = np.random.default_rng(seed + 50).uniform(0, 1, (2, len(p)))
    total = weight = capped = robust = 0.0
    for c, old, to_show, m, a in zip(click, p, new, model, after, strict=True):
        total += c * to_show / old
        weight += to_show / old
        capped += c * min(to_show / old, 3)
        robust += a + to_show / old * (c - m)
    n = len(p)
    assert lesson["ips"](click, p, new) == pytest.approx(total / n, rel=1e-12)
    assert lesson["snips"](click, p, new) == pytest.approx(total / weight, rel=1e-12)
    assert lesson["clipped"](click, p, new, 3) == pytest.approx(capped / n, rel=1e-12)
    assert lesson["doubly_robust"](click, p, new, model, after) == pytest.approx(robust / n, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_snips_is_the_weighted_mean_of_statsmodels(lesson, seed):
    click, p, new = drawn(seed)
    assert lesson["snips"](click, p, new) == pytest.approx(DescrStatsW(click, new / p).mean, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_effective_size_is_the_ratio_of_two_variances(lesson, seed):
    """Kish's size: a weighted mean of independent values varies as a plain mean of so many of them."""
    w = np.random.default_rng(seed).uniform(0, 9, 300)
    assert lesson["effective_size"](w) == pytest.approx(1 / np.sum((w / w.sum()) ** 2), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_replay_is_the_group_mean_of_pandas(lesson, seed):
    rng = np.random.default_rng(seed)
    log = pd.DataFrame({"shown": rng.choice(list("XYZ"), 90), "wanted": rng.choice(list("XYZ"), 90)})
    log["click"] = rng.integers(0, 2, 90)
    mean = log.groupby(log["shown"] == log["wanted"])["click"].mean()[True]
    assert lesson["replay"](log["click"], log["shown"], log["wanted"]) == pytest.approx(mean, rel=1e-12)


# Edges


def test_the_same_policy_gets_what_was_logged(lesson):
    click, p, _ = drawn(1)
    assert lesson["ips"](click, p, p) == lesson["snips"](click, p, p) == click.mean()
    assert lesson["clipped"](click, p, p, 1) == click.mean()


@pytest.mark.parametrize(("click", "value"), [(0, 0), (1, 2)])
def test_one_row(lesson, click, value):
    assert lesson["ips"]([click], [0.25], [0.5]) == value
    assert lesson["snips"]([click], [0.25], [0.5]) == click


@pytest.mark.parametrize(("w", "size"), [([1], 1), ([3, 3, 3], 3), ([5, 0, 0], 1), ([1, 1, 0], 2)])
def test_effective_sizes_known_without_computing(lesson, w, size):
    assert lesson["effective_size"](w) == pytest.approx(size)


@pytest.mark.parametrize("p", [0, -0.1, 1.001, math.nan, math.inf])
@pytest.mark.parametrize("name", ["ips", "snips", "clipped", "doubly_robust"])
def test_a_propensity_is_above_0_and_at_most_1(lesson, name, p):
    more = {"clipped": [2], "doubly_robust": [[0.5, 0.5], [0.5, 0.5]]}.get(name, [])
    with pytest.raises(ValueError, match="^p:"):
        lesson[name]([1, 0], [0.5, p], [0.5, 0.5], *more)


@pytest.mark.parametrize("new", [-0.1, 1.1, math.nan])
def test_the_chance_under_the_new_policy_is_one(lesson, new):
    with pytest.raises(ValueError, match="^new:"):
        lesson["ips"]([1, 0], [0.5, 0.5], [0.5, new])


@pytest.mark.parametrize(
    "arguments", [([1], [0.5, 0.5], [0.5, 0.5]), ([1, 0], [0.5], [0.5, 0.5]), ([1, 0], [0.5, 0.5], [0.5])]
)
def test_unequal_lengths_are_refused(lesson, arguments):
    for name in ("ips", "snips"):
        with pytest.raises(ValueError, match="one value for each row"):
            lesson[name](*arguments)


@pytest.mark.parametrize(("model", "after"), [([0.5], [0.5, 0.5]), ([0.5, 0.5], [0.5])])
def test_a_model_predicts_for_each_row(lesson, model, after):
    with pytest.raises(ValueError, match="one value for each row"):
        lesson["doubly_robust"]([1, 0], [0.5, 0.5], [0.5, 0.5], model, after)


def test_an_empty_log_is_refused(lesson):
    for name in ("ips", "snips"):
        with pytest.raises(ValueError, match="^p:"):
            lesson[name]([], [], [])


def test_snips_of_rows_that_the_new_policy_never_shows_is_refused(lesson):
    with pytest.raises(ValueError, match="^new:"):
        lesson["snips"]([1, 0], [0.5, 0.5], [0, 0])


@pytest.mark.parametrize("cap", [0, -1, math.nan])
def test_a_cap_is_above_0(lesson, cap):
    with pytest.raises(ValueError, match="^cap:"):
        lesson["clipped"]([1], [0.5], [0.5], cap)


@pytest.mark.parametrize(("shown", "wanted"), [("XX", "YY"), ("", ""), ("X", "XX"), ("XX", "X")])
def test_replay_refuses_rows_that_agree_nowhere_or_differ_in_number(lesson, shown, wanted):
    with pytest.raises(ValueError, match="shown"):
        lesson["replay"]([1] * len(shown), list(shown), list(wanted))


def test_the_lead_of_a_ranker_over_itself_is_0_and_a_swap_is_weighted_by_the_looks(lesson):
    """By the four shuffled lists the second place is looked at two thirds as often; the last list is swapped."""
    logged = np.array([[1, 0], [1, 0], [0, 1], [1, 1], [0, 1]])
    mixed = np.array([True, True, True, True, False])
    same, swapped = np.tile([0, 1], (5, 1)), np.tile([1, 0], (5, 1))
    look = np.array([1, 2 / 3])
    assert lesson["lead_of_b"](logged, same, mixed) == pytest.approx(0)
    assert lesson["lead_of_b"](logged, swapped, mixed) == pytest.approx((1 / look[1] - 1) / 2)


# The simulations of the benchmark


def test_the_shares_of_the_weights_are_computed_anew():
    with feedback.FILE.open(encoding="utf-8") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    anew = [(s, m, str(w), f"{a:.4f}", f"{b:.4f}", f"{c:g}") for s, m, w, a, b, c in by_weights_and_bandit()]
    assert [row for row in rows if row[0] != "choices"] == anew


def by_weights_and_bandit():
    for seed, study in enumerate(feedback.LAWS):
        yield from feedback.by_weights(study, np.random.default_rng(seed))
    yield from feedback.by_bandit(np.random.default_rng(3))
