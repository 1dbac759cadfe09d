"""The exercises, as data: each module holds the right solutions and what people make of them."""

from metrics_book.practice._exercise import Exercise
from metrics_book.practice.exercises.ab_test import AB_TEST
from metrics_book.practice.exercises.auc import AUC
from metrics_book.practice.exercises.bootstrap import BOOTSTRAP_INTERVAL
from metrics_book.practice.exercises.calibration import EXPECTED_CALIBRATION_ERROR
from metrics_book.practice.exercises.divergence import KL_DIVERGENCE
from metrics_book.practice.exercises.gauc import GAUC
from metrics_book.practice.exercises.histogram import AUC_BY_HISTOGRAM
from metrics_book.practice.exercises.ips import OFF_POLICY
from metrics_book.practice.exercises.kappa import COHEN_KAPPA
from metrics_book.practice.exercises.labels import MACRO_MICRO_F1, PRECISION_RECALL_F1
from metrics_book.practice.exercises.log_loss import LOG_LOSS
from metrics_book.practice.exercises.perplexity import PERPLEXITY
from metrics_book.practice.exercises.queries import AUC_SQL, GAUC_SQL
from metrics_book.practice.exercises.rankings import AVERAGE_PRECISION, HIT_RATE, NDCG_AT_K
from metrics_book.practice.exercises.reciprocal import EXPECTED_RECIPROCAL_RANK, RECIPROCAL_RANK
from metrics_book.practice.exercises.roc_points import ROC_POINTS
from metrics_book.practice.exercises.similarity import INTRA_LIST_SIMILARITY
from metrics_book.practice.exercises.temperature import TEMPERATURE
from metrics_book.practice.exercises.token_f1 import TOKEN_F1

ALL: tuple[Exercise, ...] = (
    AUC, GAUC, PRECISION_RECALL_F1, NDCG_AT_K, AVERAGE_PRECISION, RECIPROCAL_RANK, MACRO_MICRO_F1, HIT_RATE, LOG_LOSS,
    PERPLEXITY, KL_DIVERGENCE, EXPECTED_RECIPROCAL_RANK, INTRA_LIST_SIMILARITY, ROC_POINTS, AUC_BY_HISTOGRAM, AUC_SQL,
    GAUC_SQL, COHEN_KAPPA, EXPECTED_CALIBRATION_ERROR, BOOTSTRAP_INTERVAL, TOKEN_F1, OFF_POLICY, AB_TEST,
    TEMPERATURE,
)  # fmt: skip
