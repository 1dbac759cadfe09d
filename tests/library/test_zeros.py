"""One principle for 0/0: a defined zero is silent, an undefined metric is nan or comes with a warning.

A term that is 0/0 inside a sum counts as 0 where the definition of the metric says so (a *defined zero*). A metric that
is 0/0 as a whole is undefined: nan, or the value of scikit-learn with an `UndefinedMetricWarning`.
"""

import math
import warnings

import numpy as np
import pytest
from sklearn import metrics as peer

import metrics_lib
from metrics_lib import ConfusionCounts, UndefinedMetricWarning

NAN = math.nan
NOBODY = [[0, 0], [0, 0]]
SCORES = [[1, 2], [2, 1]]

# name, arguments, keywords, value
DEFINED = [
    ("symmetric_mean_absolute_percentage_error", ([0, 1], [0, 1]), {}, 0),
    ("symmetric_mean_absolute_percentage_error", ([0, 0], [0, 0]), {}, 0),
    ("f1_score", ([1, 0], [0, 1]), {}, 0),  # TP = 0 and FP + FN > 0: precision and recall are 0
    ("f1_score", ([1, 1], [0, 0]), {}, 0),  # nothing predicted: precision is 0/0, F is not
    ("f1_score", ([0, 0], [1, 1]), {}, 0),  # no positive: recall is 0/0, F is not
    ("f1_score", ([1, 0], [0, 1]), {"average": None}, [0, 0]),
    ("f1_score", ([[1, 0], [0, 1]], [[0, 1], [1, 0]]), {"average": "samples"}, 0),
    ("f1_score", ([1, 0, 0], [0, 1, 0]), {"average": "weighted", "labels": [1]}, 0),
    ("fbeta_score", ([1, 1], [0, 0]), {"beta": 2}, 0),
    ("jaccard_score", ([1, 0], [0, 1]), {}, 0),
    ("jaccard_score", ([1, 1], [0, 0]), {}, 0),
    ("jaccard_score", ([[1, 0], [0, 1]], [[0, 1], [1, 0]]), {"average": "samples"}, 0),
    ("macro_f1_score", ([1, 0], [0, 1]), {}, 0),
    ("macro_f1_score", ([1, 0], [0, 1]), {"definition": "f1_of_means"}, 0),
    ("break_even_point", ([0, 1], [2, 1]), {}, 0),
    ("precision_score", ([0, 1], [1, 0]), {}, 0),
    ("recall_score", ([0, 1], [1, 0]), {}, 0),
    ("one_error", ([[1, 0]], [[2, 1]]), {}, 0),
]
UNDEFINED = [
    ("f1_score", ([0, 0], [0, 0]), {}, 0),  # TP + FP + FN = 0
    ("f1_score", ([0], [0]), {"labels": [0, 9], "average": None}, [1, 0]),
    ("f1_score", ([0], [0]), {"labels": [0, 9], "average": "weighted"}, 1),
    ("f1_score", ([0, 0], [1, 2]), {"labels": [1, 2], "average": "weighted"}, 0),  # the mean itself is 0/0
    ("fbeta_score", ([0, 0], [1, 2]), {"labels": [1, 2], "average": "weighted", "beta": 0.5}, 0),
    ("precision_score", ([0, 0], [1, 2]), {"labels": [1, 2], "average": "weighted"}, 0),
    ("recall_score", ([0, 0], [1, 2]), {"labels": [1, 2], "average": "weighted"}, 0),
    ("precision_score", ([1, 1], [0, 0]), {}, 0),
    ("recall_score", ([0, 0], [1, 1]), {}, 0),
    ("macro_f1_score", ([0], [0]), {"labels": [0, 9]}, 0.5),
    ("macro_f1_score", ([1, 1], [0, 0]), {"definition": "f1_of_means"}, 0),
    ("jaccard_score", ([0, 0], [0, 0]), {}, 0),
    ("jaccard_score", ([0, 0], [1, 2]), {"labels": [1, 2], "average": "weighted"}, 0),
    ("jaccard_score", ([[0, 0], [0, 1]], [[0, 0], [0, 1]]), {"average": "samples"}, 0.5),
    ("balanced_accuracy_score", ([0, 1], [0, 2]), {}, 0.5),
    ("balanced_accuracy_score", ([1, 1], [1, 1]), {"adjusted": True}, NAN),
    ("balanced_accuracy_score", ([1, 1], [1, 0]), {"adjusted": True}, -math.inf),
    ("matthews_corrcoef", ([1, 0], [1, 1]), {}, 0),
    ("matthews_corrcoef", ([1, 1], [1, 1]), {}, 0),
    ("cohen_kappa_score", ([1, 1], [1, 1]), {}, NAN),
    ("cohen_kappa_score", ([0, 1], [5, 5]), {"labels": [0, 1]}, NAN),
    ("normalized_cross_entropy", ([1, 1], [0.5, 1]), {}, NAN),
    ("confusion_matrix", ([0, 0], [0, 1]), {"normalize": "true"}, [[0.5, 0.5], [0, 0]]),
    ("roc_auc_score", ([1, 1], [1, 2]), {}, NAN),
    ("roc_auc_score", (NOBODY, SCORES), {"average": "weighted"}, 0),
    ("average_precision_score", ([0, 0], [1, 2]), {}, 0),
    ("average_precision_score", (NOBODY, SCORES), {"average": "weighted"}, 0),
    ("break_even_point", ([0, 0], [1, 2]), {}, NAN),
    ("gauc", ([0, 0], [1, 2], ["a", "b"]), {}, NAN),
    ("label_ranking_loss", (NOBODY, SCORES), {}, 0),
    ("coverage_error", (NOBODY, SCORES), {}, 0),
    ("label_ranking_average_precision_score", (NOBODY, SCORES), {}, 1),
    ("mean_absolute_percentage_error", ([0], [0]), {}, 0),
    ("weighted_mean_absolute_percentage_error", ([0], [1]), {}, NAN),
    ("r2_score", ([1, 1], [1, 1]), {}, 1),
    ("r2_score", ([1, 1], [1, 2]), {}, 0),
    ("r2_score", ([1], [1]), {}, NAN),
]
# undefined= says so
SILENT_NAN = {"break_even_point", "gauc", "normalized_cross_entropy", "weighted_mean_absolute_percentage_error"}


def called(name, arguments, keywords):
    """The value, and whether it came with a warning of ours."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = getattr(metrics_lib, name)(*arguments, **keywords)
    assert all(record.category is UndefinedMetricWarning for record in caught)
    return value, bool(caught)


def equal(first, second):
    return np.array_equal(np.asarray(first, dtype=float), np.asarray(second, dtype=float), equal_nan=True)


@pytest.mark.parametrize(("name", "arguments", "keywords", "value"), DEFINED)
def test_a_defined_zero_is_silent(name, arguments, keywords, value):
    got, warned = called(name, arguments, keywords)
    assert equal(got, value)
    assert not warned


@pytest.mark.parametrize(("name", "arguments", "keywords", "value"), UNDEFINED)
def test_an_undefined_metric_warns_or_is_nan(name, arguments, keywords, value):
    got, warned = called(name, arguments, keywords)
    assert equal(got, value)
    assert warned == (name not in SILENT_NAN)


@pytest.mark.parametrize(("name", "arguments", "keywords", "value"), DEFINED + UNDEFINED)
def test_the_value_is_that_of_scikit_learn(name, arguments, keywords, value):
    if not hasattr(peer, name):
        pytest.skip("scikit-learn has no such metric")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = getattr(peer, name)(*arguments, **keywords)
    assert equal(theirs, value)


@pytest.mark.parametrize("rate", ["precision", "recall", "specificity", "f1", "accuracy", "prevalence"])
def test_the_rates_of_no_samples_are_nan(rate):
    assert math.isnan(getattr(ConfusionCounts(0, 0, 0, 0), rate))
    assert ConfusionCounts(0, 1, 1, 0).f1 == ConfusionCounts(0, 1, 1, 0).fbeta(2) == 0


@pytest.mark.parametrize("name", sorted({name for name, *_ in DEFINED if not name.startswith(("prec", "rec", "one"))}))
def test_a_defined_zero_is_documented(name):
    assert "*defined zero*" in getattr(metrics_lib, name).__doc__
