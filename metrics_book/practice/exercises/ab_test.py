"""Two arms of an experiment: the difference of their rates, its standard error and p-value."""

import math
from statistics import NormalDist

import numpy as np

from metrics_book.practice._exercise import Approach, Exercise

Three = tuple[float, float, float]


def ab_by_formula(k_a: int, n_a: int, k_b: int, n_b: int) -> Three:
    a, b = k_a / n_a, k_b / n_b
    error = math.sqrt(a * (1 - a) / n_a + b * (1 - b) / n_b)
    if error == 0:
        return b - a, error, math.nan
    z = (b - a) / error
    p = 1 - math.erf(abs(z) / math.sqrt(2))
    return b - a, error, p


def ab_by_counts(k_a: int, n_a: int, k_b: int, n_b: int) -> Three:
    difference = (k_b * n_a - k_a * n_b) / (n_a * n_b)
    variance = k_a * (n_a - k_a) / n_a**3 + k_b * (n_b - k_b) / n_b**3
    if not variance:
        raise ValueError("no standard error where both rates are 0 or both are 1")
    p = 2 * NormalDist().cdf(-abs(difference) / variance**0.5)
    return difference, variance**0.5, p


def draw_arms(rng: np.random.Generator, n: int) -> tuple[int, int, int, int]:
    """Arms of different size, with a lift of about no to three standard errors."""
    n_a, n_b = (int(size) for size in rng.integers(2, 40 * n, 2)) if n < 100 else (n // 2, n // 2)
    rate = rng.uniform(0.05, 0.95)
    lift = rng.uniform(-3, 3) * math.sqrt(rate * (1 - rate) * (1 / n_a + 1 / n_b))
    k_a, k_b = int(rng.binomial(n_a, rate)), int(rng.binomial(n_b, min(max(rate + lift, 0.02), 0.98)))
    if {k_a / n_a, k_b / n_b} <= {0, 1}:
        k_a = 1
    return k_a, n_a, k_b, n_b


A, B = "a * (1 - a) / n_a", "b * (1 - b) / n_b"
Z, PHI, P = "(b - a) / error", "math.erf(abs(z) / math.sqrt(2))", "1 - math.erf(abs(z) / math.sqrt(2))"
POOLED = "math.sqrt((k_a + k_b) * (n_a + n_b - k_a - k_b) / (n_a + n_b) / n_a / n_b)"


def error(*values: str) -> tuple[str, ...]:
    """Another standard error, from which z follows."""
    return tuple(f"math.sqrt({A} + {B}) -> {value}" for value in values)


def p_value(*values: str) -> tuple[str, ...]:
    return tuple(f"{P} -> {value}" for value in values)


def returned(*values: str) -> tuple[str, ...]:
    return tuple(f"return b - a, error, p -> return {value}" for value in values)


AB_TEST = Exercise(
    name="ab_test",
    title="A/B test of two rates (两组比例检验)",
    parameters="k_a, n_a, k_b, n_b",
    task=(
        "k_a of n_a users in the old arm clicked, and k_b of n_b users in the new one. The arms may differ in size.",
        "Return three numbers in this order: the difference, its standard error, the p-value.",
        "The difference is the rate of the new arm less that of the old one, as a fraction.",
        "The standard error is the unpooled one: the root of the sum of both variances, rate * (1 - rate) / n of each "
        "arm by its own rate.",
        "The p-value is two-sided, from the normal distribution and this standard error, without a correction for "
        "continuity: 1 - erf(|z| / sqrt(2)), where z is the difference divided by its standard error.",
        "Both rates are 0, or both are 1: z is 0/0; return nan for the p-value or raise a ValueError. No test has "
        "one rate of 0 and one of 1.",
    ),
    right=ab_by_formula,
    draw=draw_arms,
    zero="both rates are 0 or both are 1",
    cases=(
        ("ten and twenty of a hundred", (10, 100, 20, 100), "0.1, with an error of 0.05: two standard errors."),
        ("arms of different size", (30, 200, 9, 50), "Each arm has its own n."),
        ("the new arm is worse", (50, 100, 36, 90), "The difference is negative, and p is the same for both signs."),
        ("far worse", (400, 500, 300, 500), "p is near 0, not near 2."),
        ("equal rates", (20, 100, 10, 50), "The difference is 0 and p is 1."),
        ("many users", (20032, 50080, 20370, 49920), "A small difference with a small p."),
        ("a rate of 0", (0, 40, 6, 40), "The variance of this arm is 0."),
        ("a rate of 1", (30, 40, 40, 40), "As above."),
        ("one user in an arm", (1, 1, 2, 6), "No n - 1 in the divisor."),
        ("nobody clicks", (0, 30, 0, 20), "No variance, and no difference either."),
        ("everybody clicks", (7, 7, 9, 9), "As above."),
    ),
    hints=(
        "Variances add, standard errors do not: one root, at the end.",
        "The chance that a normal variable is between -z and z is erf(z / sqrt(2)).",
        "Take |z| before you ask for the chance beyond it on both sides.",
    ),
    approaches=(
        Approach(
            ab_by_formula,
            "The formulas of the task, one line each.",
            "O(1)",
            "1 - erf(x) keeps no digits for |z| above 8; math.erfc(x) keeps them all. Below some ten clicks or "
            "non-clicks in an arm the normal distribution is rough",
        ),
        Approach(
            ab_by_counts,
            "Rates as quotients of whole numbers, and the tail from the standard library's normal distribution.",
            "O(1)",
            "takes users for independent; users who come in groups, or several times, vary more",
        ),
    ),
    mistakes={
        "the standard error is pooled; take each arm's own rate.": error(POOLED),
        "z has the pooled standard error; take the unpooled one there as well.": (f"{Z} -> (b - a) / {POOLED}",),
        "the standard errors of the arms are added; add variances, then take one root.": error(
            f"math.sqrt({A}) + math.sqrt({B})"
        ),
        "this is the variance; its root is the standard error.": error(f"{A} + {B}") + returned("b - a, error**2, p"),
        "the standard deviations are divided by n and not by its root.": error(
            "math.sqrt(a * (1 - a)) / n_a + math.sqrt(b * (1 - b)) / n_b", f"math.sqrt({A} / n_a + {B} / n_b)"
        ),
        "the variances are divided by n - 1; divide by n.": error(
            "math.sqrt(a * (1 - a) / max(n_a - 1, 1) + b * (1 - b) / max(n_b - 1, 1))",
            "math.sqrt(a * (1 - a) / (n_a - 1) + b * (1 - b) / (n_b - 1))",
        ),
        "the users of both arms are put together in the divisor; each variance has its own n.": error(
            "math.sqrt((a * (1 - a) + b * (1 - b)) / (n_a + n_b))"
        ),
        "one arm's variance is missing; add both.": error(f"math.sqrt({A})", f"math.sqrt({B})"),
        "one arm's rate is taken for both variances.": error(
            "math.sqrt(a * (1 - a) * (1 / n_a + 1 / n_b))", "math.sqrt(b * (1 - b) * (1 / n_a + 1 / n_b))"
        ),
        "1 - rate is missing in the variances.": error("math.sqrt(a / n_a + b / n_b)"),
        "the p-value is one-sided; count both sides.": p_value(f"({P}) / 2"),
        "the p-value looks at one side, and z keeps its sign.": p_value(
            "(1 - math.erf(z / math.sqrt(2))) / 2", "(1 + math.erf(z / math.sqrt(2))) / 2"
        ),
        "the p-value exceeds 1 where z is negative, or where it is positive; take |z|.": p_value(
            "1 - math.erf(z / math.sqrt(2))", "1 + math.erf(z / math.sqrt(2))"
        ),
        "the p-value is doubled once too often.": p_value(f"2 * ({P})"),
        "this is 1 - p: the chance within |z|, not beyond it.": p_value(PHI),
        "erf is asked for |z|; it wants |z| / sqrt(2).": p_value("1 - math.erf(abs(z))"),
        "the third number is z; the task asks for the p-value.": p_value("z", "abs(z)"),
        "z is corrected for continuity; it should not be.": (
            f"{Z} -> max(abs(b - a) - (1 / n_a + 1 / n_b) / 2, 0) / error",
        ),
        "the old arm comes first in the difference; it is new less old.": returned("a - b, error, p"),
        "the difference has lost its sign.": returned("abs(b - a), error, p"),
        "this is the relative lift; the task asks for the difference of the rates.": returned(
            "(b - a) / a if a else math.nan, error, p", "(b - a) / a, error, p"
        ),
        "the difference and its error are in per cent; return fractions.": returned("100 * (b - a), 100 * error, p"),
        "the order is wrong: the difference, the standard error, the p-value.": returned("b - a, p, error"),
    },
)
