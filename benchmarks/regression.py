"""Regression errors of ten million rows, with and without weights, and of one hundred."""

from collections.abc import Iterator

import numpy as np
from sklearn import metrics as sklearn_metrics

from benchmarks import Case
from metrics_lib import regression

COMMON = (
    "mean_squared_error",
    "root_mean_squared_error",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "r2_score",
)


def naive_smape(y_true: np.ndarray, y_pred: np.ndarray) -> float:
    return float(np.mean(2 * np.abs(y_true - y_pred) / (np.abs(y_true) + np.abs(y_pred))))


def naive_wmape(y_true: np.ndarray, y_pred: np.ndarray) -> float:
    return float(np.sum(np.abs(y_true - y_pred)) / np.sum(np.abs(y_true)))


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    y_true = rng.normal(size=10_000_000)
    y_pred = y_true + rng.normal(size=y_true.size)
    dot = {"one dot product": lambda: y_true @ y_pred}
    for name in COMMON:
        ours, peer = getattr(regression, name), getattr(sklearn_metrics, name)
        yield Case(
            f"regression {name}, 1e7",
            lambda ours=ours: ours(y_true, y_pred),
            {"scikit-learn": lambda peer=peer: peer(y_true, y_pred)},
            dot,
            {"scikit-learn": 3},
        )
    for naive in (naive_smape, naive_wmape):
        kind = "symmetric" if naive is naive_smape else "weighted"
        ours = getattr(regression, f"{kind}_mean_absolute_percentage_error")
        yield Case(
            f"regression {kind}_mean_absolute_percentage_error, 1e7",
            lambda ours=ours: ours(y_true, y_pred),
            {"plain NumPy": lambda naive=naive: naive(y_true, y_pred)},
            dot,
        )

    sizes, sizes_pred = np.abs(y_true), np.abs(y_pred)
    for name, arrays in (("median_absolute_error", (y_true, y_pred)), ("mean_squared_log_error", (sizes, sizes_pred))):
        ours, peer = getattr(regression, name), getattr(sklearn_metrics, name)
        yield Case(
            f"regression {name}, 1e7",
            lambda ours=ours, arrays=arrays: ours(*arrays),
            {"scikit-learn": lambda peer=peer, arrays=arrays: peer(*arrays)},
        )

    weights = rng.random(y_true.size)
    for name in ("mean_squared_error", "r2_score"):
        ours, peer = getattr(regression, name), getattr(sklearn_metrics, name)
        yield Case(
            f"regression {name}, 1e7 with weights",
            lambda ours=ours: ours(y_true, y_pred, sample_weight=weights),
            {"scikit-learn": lambda peer=peer: peer(y_true, y_pred, sample_weight=weights)},
        )

    few_true, few_pred = y_true[:100].copy(), y_pred[:100].copy()
    for name in COMMON:
        ours, peer = getattr(regression, name), getattr(sklearn_metrics, name)
        yield Case(
            f"a call on 100 rows: {name}",
            lambda ours=ours: ours(few_true, few_pred),
            {"scikit-learn": lambda peer=peer: peer(few_true, few_pred)},
            wanted={"scikit-learn": 20},
        )
