"""Multi-label measures beside scikit-learn and one sort of the rows."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn import metrics as peer

import metrics_lib.multilabel as ours
from benchmarks import Case

WANTED = {"label_ranking_average_precision_score": 60.0, "label_ranking_loss": 12.0}


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    labels, scores = rng.random((100_000, 50)) < 0.1, rng.normal(size=(100_000, 50))
    floors = {"np.sort of the rows": partial(np.sort, scores, axis=1)}
    for name in ("label_ranking_average_precision_score", "label_ranking_loss", "coverage_error"):
        wanted = {"scikit-learn": WANTED[name]} if name in WANTED else {}
        yield compared(name, "1e5 x 50", labels, scores, floors=floors, wanted=wanted)
    yield Case("one_error, 1e5 x 50", partial(ours.one_error, labels, scores), floors=floors)
    tied = np.round(scores[:10_000], 1)
    yield compared("label_ranking_average_precision_score", "1e4 x 50, heavy ties", labels[:10_000], tied)
    yield compared("hamming_loss", "1e5 x 50", labels, scores > 1.0)
    few, few_scores = labels[:100, :5], scores[:100, :5]
    for name in ("label_ranking_average_precision_score", "label_ranking_loss", "coverage_error", "hamming_loss"):
        found = few_scores > 1.0 if name == "hamming_loss" else few_scores
        yield compared(name, "100 rows of 5", few, found, wanted={"scikit-learn": 20.0})


def compared(name: str, size: str, *arrays: np.ndarray, **more: dict) -> Case:
    calls = (partial(getattr(module, name), *arrays) for module in (ours, peer))
    return Case(f"{name}, {size}", next(calls), {"scikit-learn": next(calls)}, **more)
