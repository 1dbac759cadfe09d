"""Losses and calibration of probabilities beside scikit-learn and one logarithm of all."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn import calibration, metrics

from benchmarks import Case
from metrics_lib import probabilities


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(30)
    p = rng.random(10_000_000)
    y = (rng.random(p.size) < p).astype(np.int64)
    log = {"one np.log of all": partial(np.log, p)}
    for name in ("log_loss", "brier_score_loss"):
        yield compared(name, "1e7", y, p, least=3, floors=log)
    for strategy in ("uniform", "quantile"):
        yield compared("calibration_curve", f"1e7, {strategy}", y, p, strategy=strategy)
    yield Case("normalized_cross_entropy, 1e7", partial(probabilities.normalized_cross_entropy, y, p), floors=log)
    yield Case("expected_calibration_error, 1e7", partial(probabilities.expected_calibration_error, y, p), floors=log)
    rows = rng.dirichlet(np.ones(10), 1_000_000)
    labels = rng.integers(0, 10, len(rows))
    for name in ("log_loss", "brier_score_loss"):
        yield compared(name, "1e6 x 10 classes", labels, rows)
    y_true, ensembles = rng.normal(size=20_000), rng.normal(size=(20_000, 50))
    yield Case(
        "crps, 2e4 ensembles of 50",
        partial(probabilities.crps, y_true, ensembles),
        {"the definition, all pairs": partial(crps_of_all_pairs, y_true, ensembles)},
        {"one np.sort of all": partial(np.sort, ensembles, axis=1)},
    )
    for name in ("log_loss", "brier_score_loss"):
        yield compared(name, "100 rows", y[:100], p[:100])


def crps_of_all_pairs(y_true: np.ndarray, ensembles: np.ndarray) -> float:
    pairs = [np.abs(x[:, None] - x).mean() for x in ensembles]
    return float((np.abs(ensembles - y_true[:, None]).mean(axis=1) - np.array(pairs) / 2).mean())


def compared(
    name: str,
    size: str,
    *arrays: np.ndarray,
    least: float | None = None,
    floors: dict | None = None,
    **keywords: object,
) -> Case:
    peer = getattr(calibration if name == "calibration_curve" else metrics, name)
    calls = [partial(function, *arrays, **keywords) for function in (getattr(probabilities, name), peer)]
    wanted = {} if least is None else {"scikit-learn": least}
    return Case(f"{name}, {size}", calls[0], {"scikit-learn": calls[1]}, floors or {}, wanted)
