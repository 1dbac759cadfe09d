"""ROC, AUC, average precision and grouped AUC beside scikit-learn, pandas and one sort of the scores."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn import metrics

from benchmarks import Case
from metrics_lib import curves

Data = tuple[NDArray[np.int64], NDArray[np.float64]]


def binary(rows: int) -> Data:
    rng = np.random.default_rng(20)
    y_true = rng.integers(0, 2, rows)
    return y_true, rng.normal(y_true, 1.5)


def clicks(rows: int, users: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(21)
    y_true = (rng.random(rows) < 0.2).astype(np.int64)
    return y_true, rng.normal(y_true, 1.5), rng.integers(0, users, rows)


def gauc_by_ranks(y_true: NDArray[np.int64], y_score: NDArray[np.float64], groups: NDArray[np.int64]) -> float:
    frame = pd.DataFrame({"y": y_true, "group": groups})
    frame["rank"] = pd.Series(y_score).groupby(groups).rank() * frame.y
    sums = frame.groupby("group").agg(size=("y", "size"), positives=("y", "sum"), ranks=("rank", "sum"))
    sums = sums[(sums.positives > 0) & (sums.positives < sums["size"])]
    pairs = sums.positives * (sums["size"] - sums.positives)
    aucs = (sums.ranks - sums.positives * (sums.positives + 1) / 2) / pairs
    return float(np.average(aucs, weights=sums["size"]))


def gauc_by_apply(y_true: NDArray[np.int64], y_score: NDArray[np.float64], groups: NDArray[np.int64]) -> float:
    frame = pd.DataFrame({"y": y_true, "score": y_score, "group": groups}).groupby("group")
    aucs = frame[["y", "score"]].apply(lambda rows: metrics.roc_auc_score(rows.y, rows.score))
    kept = aucs.notna()
    return float(np.average(aucs[kept], weights=frame.size()[kept]))


def compared(name: str, work: str, data: Data, wanted: dict[str, float], *, sort: bool = False) -> Case:
    ours, theirs = getattr(curves, name), getattr(metrics, name)
    return Case(
        work=f"curves {name}, {work}",
        ours=lambda: ours(*data),
        peers={"scikit-learn": lambda: theirs(*data)},
        floors={"np.sort of the scores": lambda: np.sort(data[1])} if sort else {},
        wanted=wanted,
    )


def cases() -> Iterator[Case]:
    small = binary(100)
    for name in ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve"):
        yield compared(name, "100 rows", small, {"scikit-learn": 20})
    few = clicks(100, 10)
    yield Case(
        work="curves gauc, 100 rows, 10 users",
        ours=lambda: curves.gauc(*few),
        peers={
            "pandas groupby().rank()": lambda: gauc_by_ranks(*few),
            "pandas groupby().apply(roc_auc_score)": lambda: gauc_by_apply(*few),
        },
        wanted={"pandas groupby().rank()": 20},
    )

    for rows, text in ((10**6, "1e6"), (10**7, "1e7")):
        data = binary(rows)
        wanted = {"scikit-learn": 10, "np.sort of the scores": 4} if rows == 10**6 else {"scikit-learn": 15}
        yield compared("roc_auc_score", f"{text} float64, no ties", data, wanted, sort=True)
        rounded = (data[0], data[1].round(2))
        yield compared(
            "roc_auc_score", f"{text} float64, heavy ties", rounded, {} if rows == 10**6 else wanted, sort=True
        )
    data = binary(10**6)
    yield compared("average_precision_score", "1e6", data, {"scikit-learn": 9}, sort=True)
    yield compared("roc_curve", "1e6", data, {"scikit-learn": 2.5}, sort=True)
    yield compared("precision_recall_curve", "1e6", data, {"scikit-learn": 2.5}, sort=True)
    yield compared("det_curve", "1e6", data, {"scikit-learn": 2.5}, sort=True)

    log = clicks(10**6, 10**5)
    yield Case(
        work="curves gauc, 1e6 rows, 1e5 users",
        ours=lambda: curves.gauc(*log),
        peers={"pandas groupby().rank()": lambda: gauc_by_ranks(*log)},
        floors={"np.sort of the scores": lambda: np.sort(log[1])},
        wanted={"pandas groupby().rank()": 4},
    )
    tied = (log[0], log[1].round(1), log[2])
    yield Case(
        work="curves gauc, 1e6 rows, 1e5 users, heavy ties",
        ours=lambda: curves.gauc(*tied),
        peers={"pandas groupby().rank()": lambda: gauc_by_ranks(*tied)},
    )
    # A tenth of the work: in full the peer needs a minute and a half for each of the rounds.
    part = clicks(10**5, 10**4)
    yield Case(
        work="curves gauc, 1e5 rows, 1e4 users",
        ours=lambda: curves.gauc(*part),
        peers={"pandas groupby().apply(roc_auc_score)": lambda: gauc_by_apply(*part)},
        wanted={"pandas groupby().apply(roc_auc_score)": 1000},
    )
