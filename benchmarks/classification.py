"""Counts and rates of predicted classes beside scikit-learn and one `np.bincount` of the labels."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn import metrics as peer

import metrics_lib.classification as ours
from benchmarks import Case


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    for n_classes in (10, 1000):
        true = rng.integers(0, n_classes, 1_000_000)
        pred = np.where(rng.random(len(true)) < 0.7, true, rng.integers(0, n_classes, len(true)))
        size, floors = f"1e6, {n_classes} classes", {"np.bincount of y_true": partial(np.bincount, true)}
        yield compared("confusion_matrix", size, true, pred, least=15, floors=floors)
        yield compared("f1_score", size, true, pred, average="macro", least=25, floors=floors)
        yield compared("accuracy_score", size, true, pred, least=20)
        yield compared("jaccard_score", size, true, pred, average="macro", least=15)
        yield compared("balanced_accuracy_score", size, true, pred, least=15)
        yield compared("matthews_corrcoef", size, true, pred, least=15, floors=floors)
        yield compared("cohen_kappa_score", size, true, pred, least=15, floors=floors)
    scores = rng.random((1_000_000, 10))
    yield compared("top_k_accuracy_score", "1e6, 10 classes", true % 10, scores, k=3, least=3)
    yield compared("classification_report", "1e6, 10 classes", true % 10, pred % 10, least=50)
    names = np.array([f"class {i}" for i in range(10)])
    strings = names[true % 10], names[pred % 10]
    yield compared("f1_score", "1e6 strings", *strings, average="macro")
    labels, found = rng.random((100_000, 50)) < 0.1, rng.random((100_000, 50)) < 0.1
    yield compared("f1_score", "1e5 x 50 indicators", labels, found, average="macro")
    true, pred = true[:100] % 10, pred[:100] % 10
    for name in ("accuracy_score", "zero_one_loss", "confusion_matrix", "balanced_accuracy_score", "matthews_corrcoef"):
        yield compared(name, "100 rows", true, pred, least=20)
    yield compared("cohen_kappa_score", "100 rows", true, pred)
    for name in ("precision_score", "recall_score", "f1_score", "jaccard_score"):
        yield compared(name, "100 rows", true, pred, average="macro", zero_division=0, least=20)


def compared(
    name: str,
    size: str,
    *arrays: np.ndarray,
    least: float | None = None,
    floors: dict | None = None,
    **keywords: object,
) -> Case:
    calls = (partial(getattr(module, name), *arrays, **keywords) for module in (ours, peer))
    wanted = {} if least is None else {"scikit-learn": least}
    return Case(f"{name}, {size}", next(calls), {"scikit-learn": next(calls)}, floors or {}, wanted)
