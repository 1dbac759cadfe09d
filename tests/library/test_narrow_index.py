"""Where NumPy's index type has 32 bits, as in a browser: counts and their products must not run in it.

The functions that return places and counts are made to return 32 bits, and those that take some to refuse more, which
is what they do there.
"""

import re
from functools import wraps
from pathlib import Path

import numpy as np
import pytest

import metrics_lib
from metrics_lib import (
    Lists,
    brier_score_loss,
    cohen_kappa_score,
    confusion_matrix,
    curves,
    expected_calibration_error,
    f1_score,
    gauc,
    log_loss,
    matthews_corrcoef,
    ndcg,
    ndcg_score,
    precision_at_k,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

N = 100_000
ALWAYS = ("nonzero", "flatnonzero", "searchsorted", "bincount", "argsort", "lexsort", "arange", "unique")
BY_INPUT = ("cumsum", "append", "diff")  # 64 bits if given any
TAKES = {"bincount": 0, "repeat": 1}  # which argument has to be of the index type


def narrowed(function):
    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        wide = function.__name__ in BY_INPUT and any(getattr(value, "dtype", None) == np.int64 for value in args)
        if wide or kwargs.get("dtype") is not None:
            return result
        return tuple(map(narrow, result)) if isinstance(result, tuple) else narrow(result)

    return call


def narrow(values):
    """Integers of the default type are 32 bits wide; what overflows on the way is the library's business."""
    return (
        values.astype(np.int32)
        if getattr(values, "dtype", None) == np.int64 and abs(values).max(initial=0) < 2**31
        else values
    )


def refusing(function, place):
    @wraps(function)
    def call(*args, **kwargs):
        if np.asarray(args[place]).dtype == np.int64 and not isinstance(args[place], int):
            raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32') according to the rule 'safe'")
        return function(*args, **kwargs)

    return call


@pytest.fixture(autouse=True)
def narrow_index(monkeypatch):
    monkeypatch.setattr(np, "intp", np.int32)
    for name, place in TAKES.items():
        monkeypatch.setattr(np, name, refusing(getattr(np, name), place))
    for name in (*ALWAYS, *BY_INPUT):
        monkeypatch.setattr(np, name, narrowed(getattr(np, name)))
    assert np.nonzero(np.ones(2))[0].dtype == np.arange(2).dtype == np.int32


def test_pairs_of_a_query_and_a_grade_need_64_bits():
    query = np.arange(N)
    lists = Lists.from_columns(query, query, 1 + query / N)
    assert (ndcg(lists, judged=Lists.from_columns(query, query, 1 + query / N)) == 1).all()


@pytest.mark.parametrize("query", [[7, 7, 9, 9, 9], [2**40, 2**40, 0, 0, 0], list("aabbb")])
def test_lists_count_their_rows(query):
    lists = Lists.from_columns(query, [3, 2, 3, 2, 1], [0, 1, 3, 0, 2])
    by_hand = {2: 1 / np.log2(3), 3: (3 + 2 / 2) / (3 + 2 / np.log2(3))}
    lengths = dict(zip(*np.unique(query, return_counts=True), strict=True))
    assert ndcg(lists) == pytest.approx([by_hand[lengths[one]] for one in lists.queries])
    assert precision_at_k(lists, 2).tolist() == [1 / 2, 1 / 2]


def test_scores_of_queries_are_sorted():
    assert ndcg_score([[3, 2, 1, 0]], [[6, 5, 4, 4]], k=3) == pytest.approx(
        (3 + 2 / np.log2(3) + 1 / 2 / 2) / (3 + 2 / np.log2(3) + 1 / 2)
    )
    assert ndcg_score([[3, 2, 1, 0]], [[6, 5, 4, 3]], k=3) == 1


def test_every_pair_of_equal_scores_counts_one_half():
    y_true, y_score = np.arange(N) % 2, np.ones(N)
    assert roc_auc_score(y_true, y_score) == 0.5
    for groups in (np.zeros(N), np.full(N, 7), ["u"] * N):
        assert gauc(y_true, y_score, groups) == 0.5


@pytest.mark.parametrize("route", [0, 512])
def test_scores_of_a_wide_range_are_ordered(monkeypatch, route):
    monkeypatch.setattr(curves, "SMALL", route)
    y_true, y_score = [0, 1, 0, 1], [-1e308, 5e-324, -5e-324, 1e308]
    assert roc_auc_score(y_true, y_score) == 1
    assert gauc(y_true, y_score, [0, 0, 0, 0]) == 1
    assert roc_curve(y_true, y_score).thresholds.tolist() == [np.inf, 1e308, 5e-324, -1e308]
    assert precision_recall_curve(y_true, y_score).thresholds.tolist() == sorted(y_score)


def test_areas_are_those_of_wide_indices():
    rng = np.random.default_rng(0)
    y_true, y_score = rng.integers(0, 2, 2 * N), rng.integers(0, 3, 2 * N)
    won = tied = below = 0
    for score in range(3):
        positive, negative = (int(((y_score == score) & (y_true == label)).sum()) for label in (1, 0))
        won, tied, below = won + positive * below, tied + positive * negative, below + negative
    expected = (won + tied / 2) / (int(y_true.sum()) * int((y_true == 0).sum()))
    assert roc_auc_score(y_true, y_score) == expected
    assert gauc(y_true, y_score, np.zeros(2 * N)) == expected
    assert roc_auc_score(y_true, y_score, max_fpr=1.0, sample_weight=np.ones(2 * N)) == pytest.approx(expected)
    two = np.stack([y_true, 1 - y_true], axis=1), np.stack([y_score, -y_score], axis=1)
    assert roc_auc_score(*two, average="micro") == pytest.approx(roc_auc_score(*two), rel=0.1)


@pytest.mark.parametrize("offset", [2**33, -(2**40), 2**63 - 3])
def test_labels_beyond_32_bits_are_counted(offset):
    true, pred = np.array([0, 1, 2, 2]) + offset, np.array([0, 2, 2, 1]) + offset
    assert confusion_matrix(true, pred).tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 1]]
    assert f1_score(true, pred, average=None).tolist() == [1, 0, 0.5]


def test_agreement_multiplies_counts_beyond_32_bits():
    true, pred = np.arange(2 * N) % 2, np.arange(2 * N) // 2 % 2
    pred[: N // 2] = true[: N // 2]
    assert matthews_corrcoef(true, pred) == cohen_kappa_score(true, pred) == 0.25


@pytest.mark.parametrize("offset", [0, 2**40])
def test_labels_find_their_columns(offset):
    y_true = np.array([0, 1, 2, 2]) + offset
    y_proba = np.eye(3)[[0, 1, 2, 1]]
    assert log_loss(y_true, y_proba) == pytest.approx(-np.log(2.0**-52) / 4)
    assert brier_score_loss(y_true, y_proba) == 0.5
    assert log_loss(np.eye(3)[[0, 1, 2, 2]], y_proba) == log_loss(y_true, y_proba)
    assert expected_calibration_error([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.25], n_bins=2) == 0.25


def test_no_place_is_taken_by_a_method_that_could_not_be_narrowed_here():
    """``values.nonzero()`` and the like return places too, but cannot be replaced as functions can."""
    for name in ("_sorting.py", "curves.py", "classification.py", "probabilities.py"):
        source = (Path(metrics_lib.__file__).parent / name).read_text(encoding="utf-8")
        assert not re.findall(r"\.(nonzero|searchsorted)\(", re.sub(r"np\.\w+\(", "", source))


def test_what_a_method_takes_is_narrow():
    """``values.take(places)`` refuses 64 bits, and cannot be replaced as functions can."""
    folder = Path(metrics_lib.__file__).parent
    taken = {
        line.strip()
        for path in folder.glob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if ".take(" in line and "np.intp" not in line
    }
    assert taken == set()


@pytest.mark.parametrize(("ties", "expected"), [("docno", 1 / 2), ("average", 3 / 4)])
def test_runs_are_ranked(ties, expected):
    run = {"q": {"a": 1, "b": 1, "c": 0}, "r": {"a": 1}}
    values = metrics_lib.trec.evaluate({"q": {"a": 1}, "r": {"a": 2}}, run, ["RR", "AP", "nDCG@3"], ties=ties)
    assert values.of("q")["RR"] == values.of("q")["AP"] == expected
    assert values.of("r")["nDCG@3"] == 1
