"""Ranked lists: 10,000 queries of 100 documents, and one small call."""

from collections.abc import Iterator

import numpy as np
from sklearn import metrics as sklearn_metrics

import metrics_lib
from benchmarks import Case


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 5, size=(10_000, 100))
    scores = rng.random(grades.shape)
    ranked = metrics_lib.rank_by_score(grades, scores)
    tied = scores.round(1)
    row_sort = {"one np.sort of the rows": lambda: np.sort(scores, axis=1)}

    yield Case(
        "ndcg_score k=10, 1e4 x 100",
        lambda: metrics_lib.ndcg_score(grades, scores, k=10),
        {"scikit-learn": lambda: sklearn_metrics.ndcg_score(grades, scores, k=10)},
        row_sort,
        {"scikit-learn": 25},
    )
    yield Case(
        "ndcg_score k=10, 1e4 x 100, heavy ties",
        lambda: metrics_lib.ndcg_score(grades, tied, k=10),
        {"scikit-learn": lambda: sklearn_metrics.ndcg_score(grades, tied, k=10)},
        row_sort,
    )
    yield Case(
        "ndcg_score k=10, 1e4 x 100, ignore_ties=True",
        lambda: metrics_lib.ndcg_score(grades, scores, k=10, ignore_ties=True),
        {"scikit-learn": lambda: sklearn_metrics.ndcg_score(grades, scores, k=10, ignore_ties=True)},
        row_sort,
        {"scikit-learn": 4},
    )
    yield Case(
        "ndcg k=10 of ranked lists, 1e4 x 100",
        lambda: metrics_lib.ndcg(ranked, 10),
        {"metrics_lib.ndcg_score": lambda: metrics_lib.ndcg_score(grades, scores, k=10)},
        row_sort,
        {"metrics_lib.ndcg_score": 2},
    )
    relevant = (grades > 3).astype(int)
    yield Case(
        "average_precision of ranked lists, 1e4 x 100",
        lambda: metrics_lib.average_precision(metrics_lib.rank_by_score(relevant, scores)),
        {
            "scikit-learn label_ranking_average_precision_score": lambda: (
                sklearn_metrics.label_ranking_average_precision_score(relevant, scores)
            )
        },
        row_sort,
    )
    few, order = grades[:100], scores[:100]
    yield Case(
        "a call on 100 rows: ndcg_score",
        lambda: metrics_lib.ndcg_score(few, order),
        {"scikit-learn": lambda: sklearn_metrics.ndcg_score(few, order)},
        wanted={"scikit-learn": 20},
    )
