"""The definitions behind the page on boxes and clusters, beside scikit-learn and the library."""

import numpy as np
import pytest
from sklearn import metrics as sk

from metrics_lib import average_precision
from tests.book import boxes


@pytest.mark.parametrize("seed", range(10))
def test_clusters_as_in_scikit_learn(seed):
    one, two = np.random.default_rng(seed).integers(0, 4, (2, 30)).tolist()
    found = [sk.rand_score(one, two), sk.adjusted_rand_score(one, two)]
    assert boxes.rand(one, two) == pytest.approx(found, abs=1e-12)
    for average in ("arithmetic", "geometric", "min", "max"):
        expected = sk.normalized_mutual_info_score(one, two, average_method=average)
        assert boxes.nmi(one, two, average) == pytest.approx(expected, abs=1e-12)
    x = np.random.default_rng(seed).normal(size=(30, 2))
    assert boxes.silhouette(x, one) == pytest.approx(sk.silhouette_score(x, one), abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_the_plain_average_precision_is_that_of_the_library(seed):
    hits = np.random.default_rng(seed).integers(0, 2, 12).tolist()
    assert boxes.detection_ap(hits, 12)["plain"] == pytest.approx(average_precision(hits, n_relevant=12), abs=5e-4)


def test_scikit_learn_does_not_know_of_missed_boxes():
    assert round(sk.average_precision_score(boxes.HITS, range(7, 0, -1)), 3) == 0.747
    assert sk.average_precision_score([1, 1], [2, 1]) == 1
