"""How often a 95 % interval holds the truth, where that is known: the figures of the lesson's ``coverage.csv``.

Run as ``python -m benchmarks.coverage``; it takes a quarter of an hour.
A set without an interval counts as one that misses.
"""

import math
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics_lib import roc_auc_score
from metrics_lib.uncertainty import bootstrap, delong_interval, wilson_interval

FILE = Path(__file__).parents[1] / "book/lessons/cases/coverage.csv"
SETS, RESAMPLES = 2000, 999
HEAD = ("measure", "truth", "n", "percentile", "bca", "formula")

Arrays = tuple[NDArray[Any], ...]
Ends = tuple[float, float]


class Study(NamedTuple):
    """A measure, its true value, how to draw a set of n, and the interval of a formula, if there is one."""

    measure: str
    truth: float
    draw: Callable[[np.random.Generator, int], Arrays]
    metric: Callable[..., float]
    sizes: tuple[int, ...] = (20, 200)
    formula: Callable[..., Any] | None = None


def scores(shift: float, share: float) -> Callable[[np.random.Generator, int], Arrays]:
    """Labels, and normal scores that lie so much higher for the positives; at least two of either class."""

    def draw(rng: np.random.Generator, n: int) -> Arrays:
        y = np.zeros(n, dtype=int)
        while not 2 <= y.sum() <= n - 2:
            y = (rng.random(n) < share).astype(int)
        return y, rng.normal(size=n) + shift * y

    return draw


def called(rng: np.random.Generator, n: int) -> Arrays:
    y, s = scores(2, 0.3)(rng, n)
    return y == 1, s > 1


def clicks(rng: np.random.Generator, n: int) -> Arrays:
    """Ten rows for each of n users, whose own rates differ: mean 1/4."""
    rates = rng.beta(1, 3, n).repeat(10)
    return rng.random(10 * n) < rates, np.arange(n).repeat(10)


def f1(y: NDArray[Any], called: NDArray[Any]) -> float:
    """The library's, without its checks, as it is called millions of times."""
    return 2 * np.count_nonzero(y & called) / (np.count_nonzero(y) + np.count_nonzero(called))


def ordered(rng: np.random.Generator, n: int) -> Arrays:
    """The labels by falling score, and their places."""
    y, s = scores(2, 0.3)(rng, n)
    return y[np.argsort(-s)] == 1, np.arange(n)


def average_precision(y: NDArray[Any], place: NDArray[Any]) -> float:
    """The library's, for rows that are drawn from ordered ones: those of one place are tied."""
    positives = np.bincount(place[y], minlength=place.max() + 1)
    above = np.cumsum(positives)
    return float(positives @ (above / np.maximum(np.cumsum(np.bincount(place)), 1)) / above[-1])


def shares(cut: float, shift: float) -> tuple[float, float]:
    """The true and the false positive rate at a cut of the scores."""
    return NormalDist().cdf(shift - cut), NormalDist().cdf(-cut)


def true_f1() -> float:
    hits, alarms = shares(1, 2)
    return 2 * 0.3 * hits / (0.3 + 0.3 * hits + 0.7 * alarms)


def true_average_precision() -> float:
    """The area under precision over recall, where the cut goes through all scores."""
    rates = np.array([shares(cut, 2) for cut in np.linspace(10, -8, 20_001)])
    precision = 0.3 * rates[:, 0] / (rates @ [0.3, 0.7])
    return float(np.diff(rates[:, 0]) @ (precision[1:] + precision[:-1]) / 2)


def apart(auc: float) -> float:
    return math.sqrt(2) * NormalDist().inv_cdf(auc)


def delong(y: NDArray[Any], s: NDArray[Any]) -> Ends:
    return delong_interval(y, s)[1:]


def wilson(right: NDArray[Any]) -> Ends:
    return wilson_interval(int(right.sum()), len(right))[1:]


STUDIES = (
    Study("mean reciprocal rank", 3 / 7 * math.log(10 / 3), lambda rng, n: (1 / rng.geometric(0.3, n),), np.mean),
    Study("accuracy", 0.95, lambda rng, n: (rng.random(n) < 0.95,), np.mean, formula=wilson),
    Study("AUC", 0.8, scores(apart(0.8), 0.5), roc_auc_score, formula=delong),
    Study("AUC near 1", 0.99, scores(apart(0.99), 0.5), roc_auc_score, formula=delong),
    Study("F1", true_f1(), called, f1),
    Study("AP of scores", true_average_precision(), ordered, average_precision),
    Study("click rate by rows", 0.25, lambda rng, n: clicks(rng, n)[:1], np.mean),
    Study("click rate by users", 0.25, clicks, np.mean),
)


def intervals(study: Study, arrays: Arrays, rng: np.random.Generator) -> list[Ends]:
    """By percentiles, by BCa, by the formula; one that cannot be had holds nothing."""
    nothing = math.nan, math.nan
    ends = [nothing, nothing, nothing]
    columns, groups = (arrays[:1], arrays[1]) if study.draw is clicks else (arrays, None)
    if not study.measure.startswith("click rate"):
        try:
            found = bootstrap(study.metric, *columns, method="bca", n_resamples=RESAMPLES, rng=rng)
            low, high = np.quantile(found.distribution, [0.025, 0.975]).tolist()
            ends[:2] = (low, high), found[1:3]
        except ValueError:
            pass
    if ends[0] == nothing:
        ends[0] = bootstrap(study.metric, *columns, groups=groups, n_resamples=RESAMPLES, rng=rng)[1:3]
    if study.formula:
        ends[2] = study.formula(*arrays)
    return ends


def sets(study: Study, n: int, count: int = SETS) -> list[tuple[Arrays, np.random.Generator]]:
    """The sets, each with what is left of its generator."""
    generators = [np.random.default_rng([STUDIES.index(study), n, i]) for i in range(count)]
    return [(study.draw(rng, n), rng) for rng in generators]


def covered(place: int, n: int) -> str:
    """A line of the file."""
    warnings.simplefilter("ignore")
    study = STUDIES[place]
    held = [
        [low - 1e-12 <= study.truth <= high + 1e-12 for low, high in intervals(study, *one)] for one in sets(study, n)
    ]
    counts = np.mean(held, axis=0)
    wanted = (True, not study.measure.startswith("click rate"), study.formula is not None)
    parts = [f"{share:g}" if want else "" for share, want in zip(counts, wanted, strict=True)]
    line = ",".join([study.measure, f"{study.truth:.6g}", str(n), *parts])
    print(line, flush=True)
    return line


def main() -> None:
    work = [(place, n) for place, study in enumerate(STUDIES) for n in study.sizes]
    with ProcessPoolExecutor(2) as pool:
        lines = list(pool.map(covered, *zip(*work, strict=True)))
    FILE.write_text("\n".join([",".join(HEAD), *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
