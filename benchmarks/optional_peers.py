"""Rows beside torchmetrics, ranx and pytrec_eval, each only where that library is installed.

Their inputs (tensors, qrels and runs) are built beforehand, outside the time.
"""

from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np

import metrics_lib
from benchmarks import Candidate, Case


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    if find_spec("torchmetrics"):
        yield from beside_torchmetrics(rng)
    grades, scores = rng.integers(0, 5, (10_000, 100)), rng.random((10_000, 100))
    peers: dict[str, Candidate] = {}
    qrels, run = as_dicts(grades[:1000]), as_dicts(scores[:1000])
    if find_spec("ranx"):
        import ranx

        pair = ranx.Qrels(qrels), ranx.Run(run)
        peers["ranx"] = lambda: ranx.evaluate(*pair, "ndcg@10", make_comparable=False)
    if find_spec("pytrec_eval"):
        import pytrec_eval

        judge = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
        peers["pytrec_eval"] = lambda: judge.evaluate(run)
    if peers:
        yield Case(
            "ndcg_score k=10, 1e3 x 100 (peers: qrels and runs)",
            lambda: metrics_lib.ndcg_score(grades[:1000], scores[:1000], k=10),
            peers,
        )


def beside_torchmetrics(rng: np.random.Generator) -> Iterator[Case]:
    import torch
    from torchmetrics.functional import classification

    true, score = rng.integers(0, 2, 10**6), rng.random(10**6)
    target, preds = torch.from_numpy(true), torch.from_numpy(score)
    for name, theirs in (
        ("roc_auc_score", classification.binary_auroc),
        ("average_precision_score", classification.binary_average_precision),
    ):
        ours = getattr(metrics_lib, name)
        yield Case(
            f"{name}, 1e6", lambda ours=ours: ours(true, score), {"torchmetrics": lambda f=theirs: f(preds, target)}
        )
    for n_classes in (10, 1000):
        labels, found = rng.integers(0, n_classes, (2, 10**6))
        tensors = torch.from_numpy(found), torch.from_numpy(labels)
        yield Case(
            f"confusion_matrix, 1e6, {n_classes} classes",
            lambda a=labels, b=found: metrics_lib.confusion_matrix(a, b),
            {
                "torchmetrics": lambda t=tensors, n=n_classes: classification.multiclass_confusion_matrix(
                    *t, num_classes=n
                )
            },
        )


def as_dicts(rows: np.ndarray) -> dict[str, dict[str, float]]:
    return {f"q{q}": {f"d{d}": value for d, value in enumerate(row)} for q, row in enumerate(rows.tolist())}
