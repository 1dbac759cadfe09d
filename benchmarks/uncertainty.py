"""Intervals and tests beside loops over scikit-learn and one sort."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn import metrics

from benchmarks import Case
from metrics_lib import ndcg, roc_auc_score
from metrics_lib.uncertainty import bootstrap, delong_test, mcnemar_test, paired_difference

RESAMPLES = 1000


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(40)
    y = rng.integers(0, 2, 10_000)
    s = y + rng.normal(size=len(y))
    yield Case(
        f"bootstrap of AUC, 1e4 rows, {RESAMPLES} resamples",
        partial(bootstrap, roc_auc_score, y, s, n_resamples=RESAMPLES, rng=0),
        {"loop over scikit-learn": partial(loop, metrics.roc_auc_score, y, s)},
        wanted={"loop over scikit-learn": 20},
    )
    rel = rng.integers(0, 4, (10_000, 20))
    rows = list(rel)
    few = 10  # resamples of the loop, which takes too long for more
    yield Case(
        f"group bootstrap of NDCG, 1e4 queries of 20, {few} resamples",
        lambda: bootstrap(np.mean, ndcg(rel), n_resamples=few, rng=0),
        {"loop over queries": lambda: [np.mean([ndcg(rows[i]) for i in chosen]) for chosen in drawn(len(rel), few)]},
        wanted={"loop over queries": 50},
    )
    values = ndcg(rel)
    users = rng.integers(0, 1000, len(values))
    yield Case(
        f"bootstrap of a mean by users, 1e4 rows, {RESAMPLES} resamples",
        partial(bootstrap, np.mean, values, groups=users, n_resamples=RESAMPLES, rng=0),
        {"loop over resamples": partial(loop_of_users, values, users)},
        wanted={"loop over resamples": 20},
    )
    yield Case("paired_difference, 1e4 queries", partial(paired_difference, values, values[::-1], rng=0))
    y = rng.integers(0, 2, 1_000_000)
    a, b = y + rng.normal(size=(2, len(y)))
    yield Case(
        "delong_test, 1e6 rows",
        partial(delong_test, y, a, b),
        floors={"one np.argsort": partial(np.argsort, a)},
        wanted={"one np.argsort": 6},
    )
    yield Case("mcnemar_test, 1e6 rows", partial(mcnemar_test, y, a > 0.5, b > 0.5))


def drawn(n: int, n_resamples: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.integers(n, size=n) for _ in range(n_resamples)]


def loop(metric: object, y: np.ndarray, s: np.ndarray) -> np.ndarray:
    values = np.array([metric(y[rows], s[rows]) for rows in drawn(len(y), RESAMPLES)])
    return np.quantile(values, [0.025, 0.975])


def loop_of_users(values: np.ndarray, users: np.ndarray) -> np.ndarray:
    rows = [np.flatnonzero(users == user) for user in np.unique(users)]
    means = [values[np.concatenate([rows[i] for i in some])].mean() for some in drawn(len(rows), RESAMPLES)]
    return np.quantile(means, [0.025, 0.975])
