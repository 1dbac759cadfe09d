"""Kullback-Leibler divergence."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import kl_divergence


def kl_by_loop(p: Array, q: Array) -> float:
    total = 0.0
    for true, believed in zip(p, q, strict=True):
        if true > 0:
            if believed == 0:
                return math.inf
            total += true * math.log2(true / believed)
    return total


def kl_by_arrays(p: Array, q: Array) -> float:
    possible = p > 0
    if (q[possible] == 0).any():
        return math.inf
    return float((p[possible] * np.log2(p[possible] / q[possible])).sum())


def terms(p: Array, q: Array) -> Array:
    """The terms of the possible events, infinite where the belief is 0."""
    return p[p > 0] * np.log2(p[p > 0] / q[p > 0])


def draw_distributions(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    p, q = (rng.dirichlet(np.full(n, [1.0, 0.2][rng.integers(2)])) for _ in range(2))
    if n < 100:
        p, q = (np.where(rng.random(n) < 0.15, 0, x) for x in (p, q))
        q = np.where((p > 0) & (rng.random() < 0.7), np.maximum(q, 10.0 ** -rng.integers(3, 14, n)), q)
        p = np.where(p < 1e-14, 0, p)
    p, q = (x / x.sum() if x.sum() else np.full(n, 1 / n) for x in (p, q))
    return p, q


SKIP = "if true > 0: -> if True:"
INFINITE = "if believed == 0: -> if False:"
TERM = "true * math.log2(true / believed)"


def returned(*values: str) -> tuple[str, ...]:
    return tuple(f"return: float({value})" for value in values)


def smoothed(eps: str) -> tuple[str, ...]:
    """Something added to the probabilities, or a lower bound for them."""
    bounded = f"np.clip({{}}, {eps}, None)"
    positive = "np.where(p > 0, p, 1)"
    return returned(
        f"(p * np.log2((p + {eps}) / (q + {eps}))).sum()",
        f"(p * np.log2({bounded.format('p')} / {bounded.format('q')})).sum()",
        f"(p * np.log2({positive} / (q + {eps}))).sum()",
        f"(p * np.log2({positive} / {bounded.format('q')})).sum()",
        f"((p + {eps}) * np.log2((p + {eps}) / (q + {eps}))).sum()",
        f"({bounded.format('p')} * np.log2({bounded.format('p')} / {bounded.format('q')})).sum()",
    )


JENSEN = "(terms(p, (p + q) / 2).sum() + terms(q, (p + q) / 2).sum()) / 2"

KL_DIVERGENCE = Exercise(
    name="kl_divergence",
    title="Kullback-Leibler divergence (KL 散度)",
    parameters="p, q",
    task=(
        "p and q hold the probabilities of the same events, each summing to 1: p the truth, q what the model believes.",
        "Return one number: the sum over the events of p * log2(p / q).",
        "The logarithm is to base 2: the unit is bits.",
        "An event with p = 0 adds 0, whatever q is.",
        "An event with p > 0 and q = 0 makes the value inf. That is not an error. A probability may be small and still "
        "be above 0.",
    ),
    right=kl_divergence,
    draw=draw_distributions,
    cases=(
        ("a fair coin", ([0.5, 0.5], [0.75, 0.25]), "The cost of believing in a coin that is not fair."),
        ("a biased coin", ([0.75, 0.25], [0.5, 0.5]), "The other way round: KL is not symmetric."),
        ("the same distribution", ([0.2, 0.3, 0.5], [0.2, 0.3, 0.5]), "A right belief costs nothing."),
        ("a certain event", ([0, 1, 0, 0], [0.25] * 4), "log2 of the number of events thought equally likely."),
        ("an event that cannot happen", ([0.5, 0.5, 0.0], [0.25, 0.25, 0.5]), "0 * log 0 is 0, not nan."),
        ("an event that was thought impossible", ([0.5, 0.25, 0.25], [0.5, 0.5, 0.0]), "It happens: infinite."),
        ("impossible in both", ([0.25, 0.75, 0.0], [0.5, 0.5, 0.0]), "The event adds nothing."),
        ("a rare event", ([1 - 1e-7, 1e-7], [1e-7, 1 - 1e-7]), "Small is not 0: it still has a cost."),
        ("a belief near 0", ([0.5, 0.5], [1 - 1e-15, 1e-15]), "A small belief is not an impossible one: 24 bits."),
        ("a rare event thought impossible", ([1 - 1e-9, 1e-9], [1.0, 0.0]), "It happens, however seldom: infinite."),
    ),
    hints=(
        "The weights are those of the truth, p; the logarithm compares truth with belief, p / q.",
        "Skip the events with p = 0, and only those.",
        "An event with p > 0 and q = 0 makes the sum infinite: return math.inf before dividing.",
    ),
    approaches=(
        Approach(
            kl_by_loop,
            "Event by event, with the two special cases first.",
            "O(n) time, O(1) memory",
            "rounding can make the value of two nearly equal distributions negative, about -1e-17",
        ),
        Approach(
            kl_by_arrays,
            "Keep the possible events, look for an impossible belief, then one sum.",
            "O(n) time and memory, no loop in Python",
            "distributions that do not sum to 1 pass unnoticed",
        ),
    ),
    mistakes={
        "you computed KL(q||p); the truth p gives the weights.": ("begin: p, q = q, p",),
        "log base e instead of 2: the value is in nats.": ("math.log2 -> math.log",),
        "log base 10 instead of 2.": ("math.log2 -> math.log10",),
        "an event with q = 0 makes the value infinite here, even where p = 0; it does so only where p > 0.": (
            "if true > 0: -> if true > 0 or believed == 0:",
        ),
        "this is the cross-entropy: the entropy of p is not subtracted.": (
            *returned("-(p[p > 0] * np.log2(q[p > 0])).sum()"),
            "true / believed -> 1 / believed",
        ),
        "events with q = 0 are skipped: a belief that rules out what happens costs nothing.": (
            "return math.inf -> continue",
        ),
        "events with a small p are dropped; only p = 0 adds 0.": tuple(
            f"true > 0 -> true > 1e-{power}" for power in (4, 6, 8)
        ),
        "a small number is added to the probabilities, or bounds them: the infinite value is lost.": tuple(
            edit for power in range(6, 17) for edit in smoothed(f"1e-{power}")
        ),
        "0 * log 0 is not handled: events with p = 0 must be skipped.": (
            *returned("(p * np.log2(p / q)).sum()", "(p * (np.log2(p) - np.log2(q))).sum()"),
            f"{SKIP} ;; {INFINITE} ;; zip(p, q -> zip(p.tolist(), q.tolist()",
            f"{SKIP} ;; believed == 0: -> true > 0 and believed == 0: ;; zip(p, q -> zip(p.tolist(), q.tolist()",
        ),
        "an event with p > 0 and q = 0 is not handled: it makes the value inf.": (
            f"{INFINITE} ;; zip(p, q -> zip(p.tolist(), q.tolist()",
        ),
        "this is the mean over the events; the task asks for the sum.": (
            "return total -> return total / len(p)",
            "return total -> return total / (p > 0).sum()",
        ),
        "negative terms lose their sign; single terms may be negative, only their sum is not.": (
            f"{TERM} -> abs({TERM})",
        ),
        "both directions are added: KL is not symmetric.": returned("terms(p, q).sum() + terms(q, p).sum()"),
        "this is the Jensen-Shannon divergence, which is symmetric and bounded.": returned(JENSEN),
    },
)
