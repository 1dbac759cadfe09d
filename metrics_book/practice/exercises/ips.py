"""The value of another policy from a log, by inverse propensity."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise

Two = tuple[float, float]


def ips_by_loop(reward: Array, p_old: Array, p_new: Array) -> Two:
    total = weights = 0.0
    for r, old, new in zip(reward.tolist(), p_old.tolist(), p_new.tolist(), strict=True):
        total += r * new / old
        weights += new / old
    return total / len(reward), total / weights if weights else math.nan


def ips_by_arrays(reward: Array, p_old: Array, p_new: Array) -> Two:
    w = p_new / p_old
    if not w.any():
        raise ValueError("the new policy shows nothing that the log has")
    return float(np.mean(w * reward)), float(w @ reward / w.sum())


def draw_log(rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
    kind = int(rng.integers(4)) if n < 100 else 0
    reward = [rng.integers(0, 2, n), rng.exponential(size=n), rng.normal(size=n), rng.integers(-1, 6, n)][kind] * 1.0
    p_new = rng.choice([0.0, 0.25, 0.5, 1.0], n) if rng.random() < 0.5 else rng.random(n)
    p_new[int(rng.integers(n))] = 0.75
    return reward, rng.choice([0.01, 0.05, 0.1, 0.25, 0.5, 0.8, 1.0], n), p_new


W, IPS, SNIPS = "arrays: p_new / p_old ->", "float(np.mean(w * reward))", "float(w @ reward / w.sum())"


def both(weight: str) -> tuple[str]:
    """Other weights in both estimates."""
    return (f"{W} {weight} ;; not w.any() -> not p_new.any()",)


def first(*values: str) -> tuple[str, ...]:
    return tuple(f"arrays: {IPS} -> {value}" for value in values)


def second(*values: str) -> tuple[str, ...]:
    return tuple(f"arrays: {SNIPS} -> {value}" for value in values)


OFF_POLICY = Exercise(
    name="ips",
    title="another policy's value from a log, IPS and SNIPS (逆倾向加权)",
    parameters="reward, p_old, p_new",
    task=(
        "Each row of a log is something that the old policy showed. reward holds what the row earned, such as 1 for a "
        "click and 0 for none; it may be any number, also a negative one.",
        "p_old holds the probability with which the old policy showed it (the propensity), above 0; p_new the "
        "probability with which the new policy would show it, which may be 0.",
        "The weight of a row is p_new / p_old, however large it is.",
        "Return two numbers in this order: the inverse propensity estimate (IPS) of what the new policy earns per row, "
        "the sum of weight times reward divided by the number of all rows; and the self-normalised one (SNIPS), the "
        "same sum divided by the sum of the weights. Neither is cut to the range from 0 to 1.",
        "All weights are 0: SNIPS is 0/0; return nan for it or raise a ValueError.",
    ),
    right=ips_by_loop,
    draw=draw_log,
    zero="all weights are 0",
    cases=(
        (
            "two products",
            ([1, 0, 1, 1], [0.75, 0.75, 0.25, 0.25], [0.25, 0.25, 0.75, 0.75]),
            "IPS is 19/12, SNIPS 0.95.",
        ),
        ("the same policy", ([1, 0, 0, 1], [0.5, 0.25, 0.25, 0.5], [0.5, 0.25, 0.25, 0.5]), "Both are the plain mean."),
        ("one click in five rows", ([0, 0, 1, 0, 0], [0.5] * 5, [0.25] * 5), "IPS divides by all rows, here five."),
        ("a weight of 50", ([1, 0, 0], [0.02, 0.5, 0.5], [1.0, 0.5, 0.25]), "It is not cut; IPS is far above 1."),
        ("never shown by the new policy", ([1, 1, 0], [0.5, 0.5, 0.5], [0.0, 1.0, 1.0]), "Weight 0, and still a row."),
        ("a certain old policy", ([0, 1], [1.0, 1.0], [0.5, 0.25]), "Weights below 1."),
        ("sales", ([12.5, 0, 3], [0.5, 0.1, 0.25], [0.25, 0.2, 0.5]), "Rewards are numbers, not clicks alone."),
        ("losses", ([-2, 1, 0.5], [0.5, 0.1, 0.25], [0.5, 0.05, 0.5]), "They count with their sign."),
        ("no click", ([0, 0], [0.1, 0.9], [0.5, 0.5]), "Both are 0."),
        ("no support", ([1, 0, 1], [0.2, 0.3, 0.5], [0.0, 0.0, 0.0]), "The log says nothing of this policy."),
    ),
    hints=(
        "What is shown twice as often by the new policy counts twice: new over old.",
        "Rows without a reward are rows: they are in both divisors.",
        "One sum above, two divisors below: the number of rows, and the sum of the weights.",
    ),
    approaches=(
        Approach(
            ips_by_loop,
            "Two sums in one pass.",
            "O(n) time, O(1) memory",
            "a loop in Python: slow for millions of rows",
        ),
        Approach(
            ips_by_arrays,
            "All weights at once; a mean, and a weighted mean.",
            "O(n) time and memory, no loop in Python",
            "a few large weights decide the value: look at the sum of squares of the weights before you believe it",
        ),
    ),
    mistakes={
        "the weights are upside down; they are new over old.": both("p_old / np.where(p_new > 0, p_new, np.nan)")
        + both("p_old / p_new"),
        "nothing is weighted: this is what the old policy earned.": both("np.ones(len(p_new))"),
        "the weights leave out the old policy; divide by p_old.": both("p_new"),
        "the weights leave out the new policy: they are 1 / p_old.": both("1 / p_old"),
        "a row counts in full if the new policy might show it, whatever the probabilities.": (
            *both("1.0 * (p_new > 0)"),
            f"{both('1.0 * (p_new > 0)')[0]} ;; {IPS} -> w @ reward / w.sum()",
        ),
        "large weights are cut; take them as they are.": tuple(
            both(f"np.minimum(p_new / p_old, {limit})")[0] for limit in (1, 2, 5, 10, 20, 50)
        ),
        "a small number is added to p_old; it is above 0 already.": tuple(
            both(f"p_new / (p_old + 1e-{power})")[0] for power in (6, 8, 9, 3)
        ),
        "the order is wrong: IPS first, then SNIPS.": (f"arrays: {IPS}, {SNIPS} -> {SNIPS}, {IPS}",),
        "IPS is divided by the sum of the rewards; divide by the number of rows.": first("w @ reward / reward.sum()"),
        "IPS is divided by the rows with a weight or a reward; divide by all rows.": first(
            "w @ reward / (w > 0).sum()", "w @ reward / np.count_nonzero(reward)"
        ),
        "IPS is not divided; divide by the number of rows.": first("float(w @ reward)"),
        "both numbers are IPS; SNIPS is divided by the sum of the weights.": second("float(np.mean(w * reward))"),
        "both numbers are SNIPS; IPS is divided by the number of rows.": first("w @ reward / w.sum()"),
        "SNIPS is divided by the weights of rows with a reward; all rows are in the divisor.": second(
            "w @ reward / w[reward > 0].sum()", "w @ reward / w[reward != 0].sum()"
        ),
        "SNIPS is divided twice, by the sum of the weights and by the rows.": second("w @ reward / w.sum() / len(w)"),
        "SNIPS is divided by the sum of the squared weights.": second("w @ reward / (w @ w)"),
        "the estimates are kept between 0 and 1; leave them as they are.": (
            f"arrays: {IPS}, {SNIPS} -> np.clip({IPS}, 0, 1), np.clip({SNIPS}, 0, 1)",
            f"arrays: {IPS}, {SNIPS} -> min({IPS}, 1), min({SNIPS}, 1)",
            f"arrays: {IPS} -> np.clip({IPS}, 0, 1)",
            f"arrays: {IPS} -> min({IPS}, 1)",
        ),
        "rewards count as 1 or 0; they are numbers.": ("arrays: begin: reward = 1.0 * (reward > 0)",),
        "negative rewards are lost or lose their sign.": (
            "arrays: begin: reward = np.maximum(reward, 0)",
            "arrays: begin: reward = np.abs(reward)",
        ),
    },
)
