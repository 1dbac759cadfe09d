"""Evaluation metrics for machine learning and ranking: exact, fast, every convention a keyword.

The metrics are functions of this package; the modules group them:

- ``classification``, ``curves``, ``probabilities``, ``multilabel``, ``regression``: labels, scores, probabilities,
  label sets, numbers.
  Names, arguments and values are those of scikit-learn, ``y_true`` first.
- ``ranking``, ``recommendation``: ranked lists.
  A bare name such as ``ndcg`` takes relevance in ranked order: the last axis is the rank, leading axes are queries.
- ``lists``, ``measures``: ranked lists of unequal length, from a long table (query, score, grade) or from lists of
  lists, and many measures of them by name.
- ``information``: entropy, divergence, perplexity, of distributions along the last axis.

Imported when first used: ``metrics_lib.plot``, which draws (it needs Matplotlib: ``pip install "metrics_lib[plot]"``),
``metrics_lib.sql``, which writes the metrics as queries for a table that fits no array, ``metrics_lib.trec``, which
reads files of judgements and results as the Text Retrieval Conference has them, and ``metrics_lib.uncertainty``, which
says how far a value may lie from the truth and whether a difference is more than chance.

One list gives a float, a batch an array. Invalid input raises ``ValueError`` with the name of the argument.
An undefined value, 0/0, is what ``zero_division=`` says where scikit-learn has that keyword, and elsewhere what
``undefined=`` says: nan, a number of your choice, or ``'raise'``.
Each docstring has the formula, the conventions and who uses which.

>>> from metrics_lib import mean_over_queries, ndcg, roc_auc_score
>>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
>>> round(ndcg([3, 2, 3, 0, 1, 2], k=5), 6)
0.861044
>>> mean_over_queries(ndcg([[1, 0], [0, 0]]), undefined="skip")
1.0
"""

from types import ModuleType
from typing import TYPE_CHECKING

from metrics_lib._arrays import UndefinedMetricWarning
from metrics_lib.classification import (
    ConfusionCounts,
    PrecisionRecallFscoreSupport,
    accuracy_score,
    balanced_accuracy_score,
    classification_report,
    cohen_kappa_score,
    confusion_matrix,
    f1_score,
    fbeta_score,
    jaccard_score,
    macro_f1_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
    top_k_accuracy_score,
    zero_one_loss,
)
from metrics_lib.curves import (
    DetCurve,
    PrecisionRecallCurve,
    RocAucBounds,
    RocCurve,
    auc,
    average_precision_score,
    break_even_point,
    det_curve,
    gauc,
    precision_recall_curve,
    roc_auc_bounds,
    roc_auc_score,
    roc_curve,
)
from metrics_lib.information import (
    corpus_perplexity,
    cross_entropy,
    entropy,
    kl_divergence,
    model_perplexity,
    perplexity,
    sentence_perplexity,
)
from metrics_lib.lists import Lists
from metrics_lib.measures import evaluate
from metrics_lib.multilabel import (
    coverage_error,
    hamming_loss,
    label_ranking_average_precision_score,
    label_ranking_loss,
    one_error,
)
from metrics_lib.probabilities import (
    CalibrationCurve,
    brier_score_loss,
    calibration_curve,
    crps,
    expected_calibration_error,
    log_loss,
    normalized_cross_entropy,
)
from metrics_lib.ranking import (
    average_precision,
    cumulative_gain,
    dcg,
    dcg_score,
    expected_reciprocal_rank,
    fbeta_at_k,
    ideal_dcg,
    mean_average_precision,
    mean_over_queries,
    mean_reciprocal_rank,
    ndcg,
    ndcg_score,
    precision_at_k,
    r_precision,
    rank_biased_precision,
    rank_by_score,
    recall_at_k,
    reciprocal_rank,
)
from metrics_lib.recommendation import (
    hit_ratio,
    intra_list_similarity,
)
from metrics_lib.regression import (
    mean_absolute_error,
    mean_absolute_percentage_error,
    mean_absolute_scaled_error,
    mean_pinball_loss,
    mean_squared_error,
    mean_squared_log_error,
    median_absolute_error,
    r2_score,
    root_mean_squared_error,
    root_mean_squared_log_error,
    symmetric_mean_absolute_percentage_error,
    weighted_mean_absolute_percentage_error,
)

if TYPE_CHECKING:
    from metrics_lib import plot as plot
    from metrics_lib import sql as sql
    from metrics_lib import trec as trec
    from metrics_lib import uncertainty as uncertainty

__version__ = "0.9.0"

__all__ = [
    "CalibrationCurve",
    "ConfusionCounts",
    "DetCurve",
    "Lists",
    "PrecisionRecallCurve",
    "PrecisionRecallFscoreSupport",
    "RocAucBounds",
    "RocCurve",
    "UndefinedMetricWarning",
    "accuracy_score",
    "auc",
    "average_precision",
    "average_precision_score",
    "balanced_accuracy_score",
    "break_even_point",
    "brier_score_loss",
    "calibration_curve",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "corpus_perplexity",
    "coverage_error",
    "cross_entropy",
    "crps",
    "cumulative_gain",
    "dcg",
    "dcg_score",
    "det_curve",
    "entropy",
    "evaluate",
    "expected_calibration_error",
    "expected_reciprocal_rank",
    "f1_score",
    "fbeta_at_k",
    "fbeta_score",
    "gauc",
    "hamming_loss",
    "hit_ratio",
    "ideal_dcg",
    "intra_list_similarity",
    "jaccard_score",
    "kl_divergence",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "log_loss",
    "macro_f1_score",
    "matthews_corrcoef",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_absolute_scaled_error",
    "mean_average_precision",
    "mean_over_queries",
    "mean_pinball_loss",
    "mean_reciprocal_rank",
    "mean_squared_error",
    "mean_squared_log_error",
    "median_absolute_error",
    "model_perplexity",
    "ndcg",
    "ndcg_score",
    "normalized_cross_entropy",
    "one_error",
    "perplexity",
    "precision_at_k",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "r2_score",
    "r_precision",
    "rank_biased_precision",
    "rank_by_score",
    "recall_at_k",
    "recall_score",
    "reciprocal_rank",
    "roc_auc_bounds",
    "roc_auc_score",
    "roc_curve",
    "root_mean_squared_error",
    "root_mean_squared_log_error",
    "sentence_perplexity",
    "symmetric_mean_absolute_percentage_error",
    "top_k_accuracy_score",
    "weighted_mean_absolute_percentage_error",
    "zero_one_loss",
]


def __getattr__(name: str) -> ModuleType:
    """Import a module on its first use, so that importing the metrics stays fast and needs only NumPy."""
    if name not in _ON_USE:
        raise AttributeError(f"module 'metrics_lib' has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"metrics_lib.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_ON_USE})


_ON_USE = ("plot", "sql", "trec", "uncertainty")
