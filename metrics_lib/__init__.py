"""Evaluation metrics for machine learning and ranking: exact, fast, every convention a keyword."""

from metrics_lib._arrays import UndefinedMetricWarning
from metrics_lib.ranking import (
    average_precision,
    cumulative_gain,
    dcg,
    dcg_score,
    expected_reciprocal_rank,
    fbeta_at_k,
    ideal_dcg,
    mean_average_precision,
    mean_reciprocal_rank,
    ndcg,
    ndcg_score,
    precision_at_k,
    rank_by_score,
    recall_at_k,
    reciprocal_rank,
)

__all__ = [
    "UndefinedMetricWarning",
    "average_precision",
    "cumulative_gain",
    "dcg",
    "dcg_score",
    "expected_reciprocal_rank",
    "fbeta_at_k",
    "ideal_dcg",
    "mean_average_precision",
    "mean_reciprocal_rank",
    "ndcg",
    "ndcg_score",
    "precision_at_k",
    "rank_by_score",
    "recall_at_k",
    "reciprocal_rank",
]
