"""Experiments whose truth is known: the figures of the lesson's ``experiments.csv``.

Run as ``python -m benchmarks.experiments``; it takes some minutes.
"ratio": how often a 95 % interval for the difference of two click rates holds the truth, 0, by users per arm.
"better" and "equal": how often the new ranker is found better at 5 %, by impressions, where it is and where it is not.
"""

import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
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


def rows(study: str, ways: tuple[str, ...], n: int, shares: NDArray[Any]) -> list[str]:
    return [f"{study},{way},{n},{share:g}" for way, share in zip(ways, shares, strict=True)]


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
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
