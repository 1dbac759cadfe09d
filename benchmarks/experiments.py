"""Experiments whose truth is known: the figures of the lesson's ``experiments.csv``.

Run as ``python -m benchmarks.experiments``; it takes some minutes.
"ratio": how often a 95% interval for the difference of two click rates contains the truth, 0, by users per arm.
"better" and "equal": how often the new ranker is found better at 5%, by impressions, where it is and where it is not.
"looks": tests that are looked at on each of 20 days, with a gain of 2.8 standard errors and with none.
"CUPED": the same for tests of a mean, with and without what users did before.
"margin": how often a share of 0.6 passes a margin of one point, with no loss and with a loss of just the margin.
"split": how often the test of the split finds a mismatch at 0.001, with and without 2.4% of an arm lost.
"rare": how often an interval for the difference of two rates of 0.0043 contains the truth, by rows and by days.
"""

import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics_lib.uncertainty import bootstrap

FILE = Path(__file__).parents[1] / "book/lessons/cases/experiments.csv"
HEAD = ("study", "method", "n", "share")
TESTS, RESAMPLES, POOL = 2000, 499, 4_000_000
USERS = (50, 500)
IMPRESSIONS = (500, 1000, 2000, 4000, 8000, 16_000, 32_000)
TRUE_RATE = 3 / 8
LOOKS, SETS = 20, 100_000
GAIN = 1.959964 + 0.841621  # in standard errors: found by 80 of 100 tests that look once
NOISE = {"better": (1.2, 1.0), "equal": (1.2, 1.2)}  # of the live ranker's scores, and of the new one's

Floats = NDArray[np.float64]


def users(rng: np.random.Generator, n: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Clicks and views of n users: who likes to click sees more. Mean views 6, mean clicks 9/4, click rate 3/8."""
    taste = rng.beta(1, 3, n)
    views = 1 + rng.poisson(20 * taste)
    return rng.binomial(views, taste), views


def by_rows(clicks: NDArray[Any], views: NDArray[Any]) -> float:
    """The variance of a click rate, as if impressions were independent."""
    rate = clicks.sum() / views.sum()
    return float(rate * (1 - rate) / views.sum())


def by_delta(clicks: NDArray[Any], views: NDArray[Any]) -> float:
    """The variance of a click rate, by users."""
    left = clicks - clicks.sum() / views.sum() * views
    return float(left.var(ddof=1) / len(left) / views.mean() ** 2)


def lift(clicks: NDArray[Any], views: NDArray[Any], new: NDArray[Any]) -> float:
    return float(clicks[new].sum() / views[new].sum() - clicks[~new].sum() / views[~new].sum())


def holds(n: int, test: int) -> list[bool]:
    """Whether the intervals by rows, by the delta method and by a bootstrap of users hold 0 in an A/A test."""
    rng = np.random.default_rng([n, test])
    arms = users(rng, n), users(rng, n)
    columns = [np.concatenate(column) for column in zip(*arms, strict=True)]
    new = np.arange(2 * n) >= n
    value = abs(lift(columns[0], columns[1], new))
    formulas = [value <= 1.959964 * math.sqrt(sum(way(*arm) for arm in arms)) for way in (by_rows, by_delta)]
    low, high = bootstrap(lift, columns[0], columns[1], new, n_resamples=RESAMPLES, rng=rng)[1:3]
    return [*formulas, low <= 0 <= high]


def impressions(rng: np.random.Generator, n: int, noise: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """The clicks on the list of either ranker, and those on the new one's picks less the other's in a mixed list.

    Ten documents of a query are relevant with a chance of the query's own; a score is the relevance and some noise.
    A document at rank r is looked at with the chance 1/r, and then clicked with 0.8 if relevant, else with 0.1.
    """
    relevant = rng.random((n, 10)) < rng.beta(1, 3, (n, 1))
    scores = [relevant + sd * rng.normal(size=(n, 10)) for sd in noise]
    lists = [np.argsort(-score, axis=1) for score in scores]
    mixed, teams = drafted(scores, rng.random((n, 5)) < 0.5)
    live, new, both = [
        rng.random((n, 10)) < np.where(np.take_along_axis(relevant, order, 1), 0.8, 0.1) / np.arange(1, 11)
        for order in (*lists, mixed)
    ]
    return live.sum(1) * 1.0, new.sum(1) * 1.0, (both * (2.0 * teams - 1)).sum(1)


def drafted(scores: list[Floats], coins: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Team draft, for many lists at once: who wins the coin of a round picks first. Documents, and teams 0 and 1."""
    left = np.stack(scores)
    n, rounds = coins.shape
    mixed, teams = np.empty((n, 2 * rounds), dtype=int), np.empty((n, 2 * rounds), dtype=int)
    for place in range(2 * rounds):
        teams[:, place] = coins[:, place // 2] ^ (place % 2 == 1)
        mixed[:, place] = left[teams[:, place], np.arange(n)].argmax(axis=1)
        left[:, np.arange(n), mixed[:, place]] = -np.inf
    return mixed, teams


def found(pools: list[Floats], n: int, rng: np.random.Generator) -> NDArray[Any]:
    """The shares of tests of n impressions that find the new ranker better: by A/B, half for each, and interleaved."""
    tests = []
    for _ in range(TESTS):
        live, new = (pool[rng.integers(POOL, size=n // 2)] for pool in pools[:2])
        mixed = pools[2][rng.integers(POOL, size=n)]
        error = math.sqrt((live.var(ddof=1) + new.var(ddof=1)) / (n // 2))
        z = (new.mean() - live.mean()) / error, mixed.mean() / math.sqrt(mixed.var(ddof=1) / n)
        tests.append([z[0] > 1.959964, z[1] > 1.959964])
    shares: NDArray[Any] = np.mean(tests, axis=0)
    return shares


def boundaries(z: Floats) -> dict[str, Floats]:
    """What |z| has to exceed at each look; two boundaries are calibrated on tests of equal arms."""
    k = np.arange(1, LOOKS + 1) / LOOKS
    ratio = GAIN**2 * k  # always valid: a mixture over gains whose spread is the planned gain
    once = np.full(LOOKS, np.inf)
    once[-1] = 1.959964
    return {
        "once": once,
        "peeking": np.full(LOOKS, 1.959964),
        "Pocock": np.full(LOOKS, np.quantile(abs(z).max(axis=1), 0.95)),
        "O'Brien-Fleming": np.quantile((abs(z) * np.sqrt(k)).max(axis=1), 0.95) / np.sqrt(k),
        "always valid": np.sqrt((1 + 1 / ratio) * (np.log(1 + ratio) - 2 * math.log(0.05))),
    }


def by_looks(rng: np.random.Generator) -> list[str]:
    """How often each boundary is crossed, with equal arms and with the gain, and the users it takes with the gain."""
    time = np.arange(1, LOOKS + 1)
    walk = [rng.normal(size=(SETS, LOOKS)).cumsum(axis=1) / np.sqrt(time) for _ in range(3)]
    lines = []
    for way, boundary in boundaries(walk[0]).items():
        for study, z in (("equal", walk[1]), ("better", walk[2] + GAIN * np.sqrt(time / LOOKS))):
            crossed = abs(z) > boundary
            lines += rows(f"looks {study}", (way,), LOOKS, [crossed.any(axis=1).mean()])
        stopped = np.where(crossed.any(axis=1), crossed.argmax(axis=1) + 1, LOOKS) / LOOKS
        lines += rows("looks users", (way,), LOOKS, [stopped.mean()])
    return lines


def by_cuped(rng: np.random.Generator, n: int) -> list[str]:
    """Purchases per user before and during; the gain is one that 80 of 100 plain tests find."""
    lines = []
    spread = math.sqrt(2.3 + 2.3**2)
    for study, gain in (("equal", 0.0), ("better", GAIN * spread * math.sqrt(2 / n))):
        taste = rng.gamma(1, 2.3, (TESTS, 2, n))
        before, during = rng.poisson(taste), rng.poisson(taste) + np.array([0, gain])[:, None]
        centred = before - before.mean(axis=(1, 2), keepdims=True)
        slope = (centred * during).sum(axis=(1, 2)) / (centred**2).sum(axis=(1, 2))
        for way, values in (("plain", during), ("CUPED", during - slope[:, None, None] * centred)):
            lift = values[:, 1].mean(axis=1) - values[:, 0].mean(axis=1)
            error = np.sqrt(values.var(axis=2, ddof=1).sum(axis=1) / n)
            lines += rows(f"CUPED {study}", (way,), n, [(abs(lift) > 1.959964 * error).mean()])
            lines += rows(f"CUPED {study} contains", (way,), n, [(abs(lift - gain) <= 1.959964 * error).mean()])
    return lines


def by_margin(rng: np.random.Generator, n: int) -> list[str]:
    """How often the lower end of the interval is above a loss of one point."""
    lines = []
    for study, loss in (("no loss", 0.0), ("the margin", 0.01)):
        live, new = (rng.binomial(n, p, SETS) / n for p in (0.6, 0.6 - loss))
        low = new - live - 1.959964 * np.sqrt((live * (1 - live) + new * (1 - new)) / n)
        lines += rows(f"margin {study}", ("interval",), n, [(low > -0.01).mean()])
    return lines


def by_split(rng: np.random.Generator, n: int) -> list[str]:
    lines = []
    for study, lost in (("none lost", 0.0), ("lost", 0.024)):
        dealt = rng.binomial(n, 0.5, SETS)
        live, new = dealt, rng.binomial(n - dealt, 1 - lost)
        z = abs(live - new) / np.sqrt(live + new)
        lines += rows(f"split {study}", ("chi squared",), n, [(z > NormalDist().inv_cdf(1 - 0.0005)).mean()])
    return lines


def by_days(rng: np.random.Generator, n: int) -> list[str]:
    """Seven days share a rate of 0.0043 that varies by a fifth from day to day; equal arms of n rows."""
    daily = 0.0043 * rng.gamma(25, 1 / 25, (SETS, 1, 7))
    clicks = rng.binomial(n // 7, daily, (SETS, 2, 7))
    rates = clicks.sum(axis=2) / n
    error = np.sqrt((rates * (1 - rates)).sum(axis=1) / n)
    by_row = abs(rates[:, 1] - rates[:, 0]) <= 1.959964 * error
    change = (clicks[:, 1] - clicks[:, 0]) / (n // 7)
    by_day = abs(change.mean(axis=1)) <= 2.446912 * change.std(axis=1, ddof=1) / math.sqrt(7)
    return rows("rare", ("rows", "days"), n, [by_row.mean(), by_day.mean()])


def rows(study: str, ways: tuple[str, ...], n: int, shares: Any) -> list[str]:
    return [f"{study},{way},{n},{share:g}" for way, share in zip(ways, shares, strict=True)]


def designs() -> list[str]:
    """The studies of tests by their design, each with a seed of its own."""
    lines = by_looks(np.random.default_rng(2)) + by_cuped(np.random.default_rng(3), 500)
    for n in (5000, 100_000):
        lines += by_margin(np.random.default_rng(4), n)
    return lines + by_split(np.random.default_rng(5), 100_000) + by_days(np.random.default_rng(6), 10_000)


def main() -> None:
    lines = [",".join(HEAD)]
    for n in USERS:
        with ProcessPoolExecutor(2) as pool:
            held = list(pool.map(holds, [n] * TESTS, range(TESTS), chunksize=50))
        lines += rows("ratio", ("rows", "delta", "bootstrap"), n, np.mean(held, axis=0))
    for seed, (study, noise) in enumerate(NOISE.items()):
        rng = np.random.default_rng(seed)
        parts = [impressions(rng, POOL // 40, noise) for _ in range(40)]
        pools = [np.concatenate(part) for part in zip(*parts, strict=True)]
        for n in IMPRESSIONS:
            lines += rows(study, ("A/B", "interleaving"), n, found(pools, n, rng))
    lines += designs()
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
