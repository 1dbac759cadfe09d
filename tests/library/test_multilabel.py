"""Multi-label measures: by definition in exact arithmetic, on a worked example, on ties, and beside scikit-learn."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as peer

from metrics_lib import multilabel
from metrics_lib._arrays import UndefinedMetricWarning
from metrics_lib.classification import accuracy_score, f1_score, zero_one_loss
from metrics_lib.curves import roc_auc_score
from metrics_lib.multilabel import (
    coverage_error,
    hamming_loss,
    label_ranking_average_precision_score,
    label_ranking_loss,
    one_error,
)

NAN = math.nan

# The example of all measures: twelve different scores, both kinds of labels in each row and column.
LABELS = [[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0]]
SCORES = [[0.95, 0.6, 0.7, 0.2], [0.3, 0.8, 0.4, 0.65], [0.55, 0.35, 0.1, 0.75]]
PREDICTED = [[int(score > 0.5) for score in row] for row in SCORES]


# The definitions of one row, on lists and fractions; an undefined value is the one of scikit-learn


def ranking_loss_of(labels, scores):
    good = [score for label, score in zip(labels, scores, strict=True) if label]
    bad = [score for label, score in zip(labels, scores, strict=True) if not label]
    return Fraction(sum(g <= b for g in good for b in bad), len(good) * len(bad)) if good and bad else Fraction(0)


def rank_of(score, scores):
    return sum(other >= score for other in scores)


def coverage_of(labels, scores):
    return Fraction(max((rank_of(s, scores) for label, s in zip(labels, scores, strict=True) if label), default=0))


def average_precision_of(labels, scores):
    good = [score for label, score in zip(labels, scores, strict=True) if label]
    return sum(Fraction(rank_of(s, good), rank_of(s, scores)) for s in good) / len(good) if good else Fraction(1)


def top_error_of(labels, scores):
    return Fraction(any(s == max(scores) and not label for label, s in zip(labels, scores, strict=True)))


MEASURES = {
    label_ranking_loss: ranking_loss_of,
    coverage_error: coverage_of,
    label_ranking_average_precision_score: average_precision_of,
    one_error: top_error_of,
}
IDS = [measure.__name__ for measure in MEASURES]
RANKED = pytest.mark.parametrize("measure", MEASURES, ids=IDS)


def by_definition(measure, labels, scores, weights=None):
    rows = [MEASURES[measure](*row) for row in zip(labels, scores, strict=True)]
    weights = [Fraction(w) for w in weights or [1] * len(rows)]
    return float(sum(w * row for w, row in zip(weights, rows, strict=True)) / sum(weights))


def silently(function, *args, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **keywords)


FEW_SCORES = st.sampled_from([-1.5, -0.0, 0.0, 0.25, 0.5, 3.0])


@st.composite
def scored(draw, scores=FEW_SCORES):
    """Labels, scores (with ties), and weights or None."""
    n, width = draw(st.integers(1, 5)), draw(st.integers(2, 7))
    labels = draw(st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=n, max_size=n))
    values = draw(st.lists(st.lists(scores, min_size=width, max_size=width), min_size=n, max_size=n))
    weights = draw(st.none() | st.lists(st.sampled_from([0, 0.5, 2]), min_size=n, max_size=n).filter(any))
    return labels, values, weights


@RANKED
@pytest.mark.parametrize("kind", ["int64", "uint64", "float64", "longdouble"])
def test_scores_keep_their_last_bits(measure, kind):
    """Scores that differ where a float64, or a key made of it, has no digit left."""
    near = {
        "int64": np.array([-(2**62), -(2**62) + 1, -(2**62) + 2]),
        "uint64": np.array([2**63, 2**63 + 1, 2**63 + 2], dtype=np.uint64),
        "float64": np.array([-1.7e308, np.nextafter(-1.7e308, 0), 5e-324]),
        "longdouble": 1 + np.arange(3) * np.finfo(np.longdouble).eps,
    }[kind]
    for labels in ([1, 0, 0], [0, 1, 0], [1, 0, 1]):
        assert measure([labels], [near]) == measure([labels], [[1, 2, 3]])


@RANKED
@pytest.mark.parametrize("scale", [5e-324, 1e-300, 5e307])
def test_only_ratios_of_weights_count(measure, scale):
    weights = np.array([1, 2, 1])
    expected = measure(LABELS, SCORES, sample_weight=weights)
    assert measure(LABELS, SCORES, sample_weight=weights * scale) == pytest.approx(expected, rel=1e-15)
    expected = hamming_loss(LABELS, PREDICTED, sample_weight=weights)
    assert hamming_loss(LABELS, PREDICTED, sample_weight=weights * scale) == pytest.approx(expected, rel=1e-15)


# Worked examples


def test_the_measures_of_wu_and_zhou_on_their_worked_example():
    assert PREDICTED == [[1, 1, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1]]
    assert hamming_loss(LABELS, PREDICTED) == 1 / 4
    assert label_ranking_loss(LABELS, SCORES) == pytest.approx(1 / 6)
    assert one_error(LABELS, SCORES) == pytest.approx(1 / 3)
    assert coverage_error(LABELS, SCORES) - 1 == pytest.approx(4 / 3)
    assert label_ranking_average_precision_score(LABELS, SCORES) == pytest.approx(31 / 36)
    assert f1_score(LABELS, PREDICTED, average="macro") == pytest.approx(19 / 24)
    assert f1_score(LABELS, PREDICTED, average="samples") == pytest.approx(23 / 30)
    assert f1_score(LABELS, PREDICTED, average="micro") == pytest.approx(10 / 13)


@pytest.mark.parametrize(
    ("average", "expected"), [("macro", Fraction(3, 4)), ("samples", Fraction(5, 6)), ("micro", Fraction(29, 36))]
)
def test_the_aucs_of_wu_and_zhou_on_their_worked_example(average, expected):
    assert roc_auc_score(LABELS, SCORES, average=average) == pytest.approx(float(expected), abs=1e-15)
    assert roc_auc_score(LABELS, np.full((3, 4), 0.5), average=average) == 0.5


def test_a_tie_counts_one_half_in_the_auc_of_an_instance():
    tied = roc_auc_score([[1, 0, 0, 0]], [[0.5, 0.5, 0.2, 0.1]], average="samples")
    assert tied == pytest.approx(5 / 6, abs=1e-15)


@pytest.mark.parametrize(
    ("measure", "one_relevant", "constant"),
    [
        (label_ranking_loss, Fraction(1, 3), 1),
        (coverage_error, 2, 4),
        (label_ranking_average_precision_score, Fraction(1, 2), Fraction(1, 2)),
        (one_error, 1, 1),
    ],
    ids=IDS,
)
def test_ties(measure, one_relevant, constant):
    """A tie counts as the worse of the orders that it leaves open."""
    assert measure([[1, 0, 0, 0]], [[0.5, 0.5, 0.2, 0.1]]) == pytest.approx(float(one_relevant))
    assert measure(LABELS, np.full((3, 4), 0.5)) == pytest.approx(float(constant))


def test_a_tie_of_relevant_labels_at_the_top_is_no_error():
    assert one_error([[1, 1, 0]], [[2, 2, 1]]) == 0
    assert one_error([[1, 0, 1]], [[2, 2, 1]]) == 1


# By definition, by peer


@RANKED
@settings(max_examples=60)
@given(case=scored())
def test_measures_by_definition_and_by_peer(measure, case):
    labels, scores, weights = case
    value = silently(measure, labels, scores, sample_weight=weights)
    assert value == pytest.approx(by_definition(measure, labels, scores, weights))
    if measure is not one_error:
        other = getattr(peer, measure.__name__)
        assert value == pytest.approx(silently(other, labels, scores, sample_weight=weights))


EXTREME = [5e-324, 1e-310, 2.2e-308, 1e-300, 0.1, 0.1 + 2**-56, 1.0, 2.0, 4.0, 1e300, 1.7e308]


@RANKED
@settings(max_examples=60)
@given(case=scored(scores=st.sampled_from([0.0, *EXTREME, *(-x for x in EXTREME)]) | st.floats(-2, 2)))
def test_scores_of_any_magnitude_keep_their_order(measure, case):
    labels, scores, _ = case
    assert silently(measure, labels, scores) == pytest.approx(by_definition(measure, labels, scores))


@RANKED
@settings(max_examples=40)
@given(case=scored(), seed=st.integers(0, 9))
def test_only_the_order_of_the_scores_matters_and_no_order_of_rows_or_labels(measure, case, seed):
    labels, scores, _ = case
    value = silently(measure, labels, scores)
    assert silently(measure, labels, np.exp(scores) - 7) == value
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(labels)), rng.permutation(len(labels[0]))
    moved = (np.array(values)[rows][:, columns] for values in (labels, scores))
    assert silently(measure, *moved) == pytest.approx(value)


@RANKED
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("width", [40, 300])
def test_many_rows_in_several_blocks(measure, ties, width):
    rng = np.random.default_rng(width)
    labels, scores = rng.random((40_000 // width, width)) < 0.4, rng.normal(size=(40_000 // width, width)) * 5
    scores = np.round(scores) if ties else scores
    weights = rng.random(len(labels))
    value = silently(measure, labels, scores, sample_weight=weights)
    if measure is one_error:
        worst = np.where(labels, scores, np.nextafter(scores, np.inf)).argmax(axis=1)
        expected = np.average(~labels[np.arange(len(labels)), worst], weights=weights)
    else:
        expected = silently(getattr(peer, measure.__name__), labels, scores, sample_weight=weights)
    assert value == pytest.approx(expected)


@settings(max_examples=60)
@given(scored(), st.data())
def test_hamming_loss_by_definition_and_by_peer(case, data):
    labels, _, weights = case
    row = st.lists(st.integers(0, 1), min_size=len(labels[0]), max_size=len(labels[0]))
    predicted = data.draw(st.lists(row, min_size=len(labels), max_size=len(labels)))
    wrong = [sum(a != b for a, b in zip(*rows, strict=True)) for rows in zip(labels, predicted, strict=True)]
    w = [Fraction(v) for v in weights or [1] * len(wrong)]
    exact = sum(v * k for v, k in zip(w, wrong, strict=True)) / (sum(w) * len(labels[0]))
    value = hamming_loss(labels, predicted, sample_weight=weights)
    assert value == pytest.approx(float(exact))
    assert value == pytest.approx(peer.hamming_loss(labels, predicted, sample_weight=weights))
    assert value <= 1 - accuracy_score(labels, predicted, sample_weight=weights) + 1e-12


@pytest.mark.parametrize(("true", "pred"), [([0, 1, 2], [0, 2, 2]), (["a", "b", "c"], ["a", "c", "c"])])
@pytest.mark.parametrize("weights", [None, [1, 2, 5]])
def test_hamming_loss_of_single_labels_is_the_zero_one_loss(true, pred, weights):
    keywords = {"sample_weight": weights}
    assert hamming_loss(true, pred, **keywords) == pytest.approx(1 / 3 if weights is None else 1 / 4)
    assert hamming_loss(true, pred, **keywords) == pytest.approx(zero_one_loss(true, pred, **keywords))
    assert hamming_loss(true, pred, **keywords) == pytest.approx(peer.hamming_loss(true, pred, **keywords))


def test_extremes():
    labels = np.array(LABELS)
    assert label_ranking_loss(labels, labels) == one_error(labels, labels) == 0
    assert label_ranking_average_precision_score(labels, labels) == 1
    assert coverage_error(labels, labels) == labels.sum() / 3
    assert label_ranking_loss(labels, -labels) == one_error(labels, -labels) == 1
    assert coverage_error(labels, -labels) == 4
    assert hamming_loss(labels, labels) == 0
    assert hamming_loss(labels, 1 - labels, sample_weight=[0.1, 0.2, 0.7]) == 1


# Undefined rows


@pytest.mark.parametrize(
    ("measure", "none", "all_relevant"),
    [(label_ranking_loss, 0, 0), (coverage_error, 0, 3), (label_ranking_average_precision_score, 1, 1)],
)
def test_rows_of_one_kind_have_the_peers_value(measure, none, all_relevant):
    scores, name = [[0.1, 0.7, 0.7]], measure.__name__
    with pytest.warns(UndefinedMetricWarning, match=f"{name}: 0/0, set to {none}: 1 of 1 rows") as caught:
        assert measure([[0, 0, 0]], scores) == none
    assert caught[0].filename == __file__
    with pytest.warns(UndefinedMetricWarning, match="1 of 2 rows have"):
        measure([[0, 0, 0], [1, 0, 0]], scores * 2)
    if measure is label_ranking_loss:
        with pytest.warns(UndefinedMetricWarning, match="only relevant or only irrelevant labels"):
            assert measure([[1, 1, 1]], scores) == all_relevant
    else:
        assert measure([[1, 1, 1]], scores) == all_relevant
    assert getattr(peer, name)([[0, 0, 0], [1, 1, 1]], scores * 2) == (none + all_relevant) / 2


def test_a_row_without_a_relevant_label_is_a_top_error():
    assert one_error([[0, 0]], [[1, 2]]) == 1


def test_one_label():
    with pytest.warns(UndefinedMetricWarning):
        value = label_ranking_average_precision_score([[1], [0]], [[0.1], [0.2]])
    assert value == peer.label_ranking_average_precision_score([[1], [0]], [[0.1], [0.2]]) == 1
    assert one_error([[1], [0]], [[0.1], [0.2]]) == 0.5


# What is accepted


@RANKED
def test_forms_and_types_do_not_matter(measure):
    value = measure(LABELS, SCORES)
    labels, scores = np.array(LABELS), np.array(SCORES)
    for convert in (tuple, np.asarray, np.asfortranarray, pd.DataFrame):
        assert measure(convert(LABELS), convert(SCORES)) == value
    assert measure(sparse.csr_matrix(labels), scores) == value
    for dtype in ("?", "i1", "u8", "f4", "f8", object):
        assert measure(labels.astype(dtype), scores) == value
    for dtype in ("f4", "f2", "g", object):
        assert measure(labels, scores.astype(dtype)) == value
    whole = np.rint(scores * 100)
    for dtype in ("i1", "u1", "i8", "u8", "f4"):
        assert measure(labels, whole.astype(dtype)) == value
    assert measure(labels, whole.astype(np.int64) + 2**60) == value
    assert measure(labels, whole.astype(np.uint64) + 2**63) == value
    assert measure(labels[:, ::-1], scores[:, ::-1]) == value


@pytest.mark.parametrize("measure", [*MEASURES, hamming_loss])
def test_inputs_are_not_modified(measure):
    labels, scores, weights = np.array(LABELS), np.array(PREDICTED, dtype=float), np.array([1.0, 2.0, 0.0])
    measure(labels, scores, sample_weight=weights)
    assert labels.tolist() == LABELS
    assert scores.tolist() == PREDICTED
    assert weights.tolist() == [1, 2, 0]


def test_all_measures_are_public():
    assert set(multilabel.__all__) == {measure.__name__ for measure in [*MEASURES, hamming_loss]}


# What is refused


@pytest.mark.parametrize("measure", [*MEASURES, hamming_loss])
@pytest.mark.parametrize(
    "bad",
    [
        [[0, NAN]],
        [[0, math.inf]],
        [[0, 2]],
        [[-1, 1]],
        [[0.5, 1]],
        [],
        [[]],
        3,
        None,
        [["a", "b"]],
        [[0, 1], [1]],
        [[[0, 1]]],
        [[0, None]],
        [[0, 1j]],
    ],
    ids=repr,
)
def test_bad_labels_are_refused(measure, bad):
    with pytest.raises(ValueError, match="^y_true: expected .*, got "):
        measure(bad, [[0, 1]])


@RANKED
@pytest.mark.parametrize(
    "bad", [[[0, NAN]], [[-math.inf, 1]], [], [[]], 3, None, [["a", "b"]], [[0, 1], [1]], [[0, None]], [0, 1], [[1]]]
)
def test_bad_scores_are_refused(measure, bad):
    with pytest.raises(ValueError, match="^y_score: expected .*, got "):
        measure([[0, 1]], bad)
    with pytest.raises(ValueError, match="^y_true: "):
        measure([0, 1], [0.5, 0.7])


@pytest.mark.parametrize("measure", [*MEASURES, hamming_loss])
@pytest.mark.parametrize("weights", [[1], [1, -1], [0, 0], [1, NAN], [1, math.inf], [[1], [1]], ["a", "b"], 1, []])
def test_bad_weights_are_refused(measure, weights):
    with pytest.raises(ValueError, match="^sample_weight: "):
        measure([[0, 1], [1, 0]], [[0, 1], [1, 0]], sample_weight=weights)


@pytest.mark.parametrize("measure", [label_ranking_loss, coverage_error])
def test_one_label_cannot_be_ranked(measure):
    with pytest.raises(ValueError, match="^y_true: expected at least 2 labels"):
        measure([[1], [0]], [[0.1], [0.2]])


def test_integers_that_are_one_float_are_two_scores():
    """The guard of the sort of packed floats: 2**53 + 1 has none of its own."""
    assert label_ranking_loss([[1, 0]], [[2**53 + 1, 2**53]]) == 0
    assert label_ranking_loss([[1, 0]], [[2**53, 2**53 + 1]]) == 1


def test_hamming_loss_refuses_a_mix():
    with pytest.raises(ValueError, match="^y_pred: "):
        hamming_loss([[0, 1]], [[0, 1, 1]])
    with pytest.raises(ValueError, match="^y_pred: "):
        hamming_loss([0, 1], ["0", "1"])
