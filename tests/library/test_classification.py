"""Counts and rates of predicted classes: by definition in exact arithmetic, and beside scikit-learn."""

import copy
import math
import tracemalloc
import warnings
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics as peer

from metrics_lib import classification
from metrics_lib._arrays import UndefinedMetricWarning
from metrics_lib.classification import (
    ConfusionCounts,
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

NAN = math.nan
AVERAGES = [None, "micro", "macro", "weighted"]
SCORES = {"precision_score": 0, "recall_score": math.inf, "f1_score": 1, "jaccard_score": None}  # the beta of F-beta


def silently(function, *args, **keywords):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **keywords)


def peer_of(function):
    return getattr(peer, function.__name__)


# The definitions, on lists and fractions


def fbeta(tp, fp, fn, beta, zero_division):
    """F-beta as a fraction, in the count form with precision and recall as its ends; without beta, Jaccard."""
    of_fp, of_fn = {0: (1, 0), math.inf: (0, 1), None: (1, 1)}.get(beta) or (1, Fraction(beta) ** 2)
    of_tp = 1 if beta is None else of_fp + of_fn
    total = of_tp * tp + of_fp * fp + of_fn * fn
    return of_tp * Fraction(tp) / total if total else zero_division


def counts_of(pairs, weights, is_label):
    """Weights of the true positives, false positives and false negatives among (true, predicted)."""
    cells = [0, 0, 0]
    for (true, pred), weight in zip(pairs, weights, strict=True):
        hit = (is_label(true), is_label(pred))
        for cell, kind in enumerate([(True, True), (False, True), (True, False)]):
            cells[cell] += weight * (hit == kind)
    return cells


def average_of(counts, average, beta, zero_division, row_weights=None):
    if average == "micro":
        return fbeta(*map(sum, zip(*counts, strict=True)), beta, zero_division)
    values = [fbeta(*cells, beta, zero_division) for cells in counts]
    if average is None:
        return values
    weights = [tp + fn for tp, _, fn in counts] if average == "weighted" else row_weights or [1] * len(values)
    defined = [(value, weight) for value, weight in zip(values, weights, strict=True) if value == value]
    if not any(weight for _, weight in defined):
        defined = [(value, 1) for value, _ in defined]
    total = sum(weight for _, weight in defined)
    return sum(value * weight for value, weight in defined) / total if defined else NAN


def score_by_definition(true, pred, beta, average, labels, weights, zero_division):
    classes = sorted(set(true) | set(pred)) if labels is None else labels
    pairs = list(zip(true, pred, strict=True))
    counts = [counts_of(pairs, weights, lambda value, label=label: value == label) for label in classes]
    return average_of(counts, average, beta, zero_division)


def support(true, weights, labels):
    return sum(weight for label, weight in zip(true, weights, strict=True) if label in labels)


def as_floats(value):
    return [float(v) for v in value] if isinstance(value, list) else float(value)


# Inputs

KINDS = {
    "integers": [-1, 0, 1, 2],
    "far apart": [-(10**15), 0, 7, 10**15],
    "booleans": [False, True],
    "strings": ["ant", "bee", "b", "zebra"],
    "whole floats": [0.0, 1.0, 2.0, 5.0],
}


@st.composite
def labelled(draw, kinds=tuple(KINDS)):
    """True and predicted labels, weights or None, and labels= or None."""
    values = KINDS[draw(st.sampled_from(kinds))]
    n = draw(st.integers(1, 9))
    true, pred = (draw(st.lists(st.sampled_from(values), min_size=n, max_size=n)) for _ in range(2))
    weights = draw(st.none() | st.lists(st.sampled_from([0, 0.25, 1, 3]), min_size=n, max_size=n).filter(any))
    labels = draw(st.none() | st.permutations(values).flatmap(lambda p: st.integers(1, len(p)).map(lambda k: p[:k])))
    return true, pred, weights, labels


@st.composite
def indicators(draw):
    """Two indicator matrices, weights or None, and columns or None."""
    n, width = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    row = st.lists(st.integers(0, 1), min_size=width, max_size=width)
    true, pred = (draw(st.lists(row, min_size=n, max_size=n)) for _ in range(2))
    weights = draw(st.none() | st.lists(st.sampled_from([0, 0.5, 2]), min_size=n, max_size=n).filter(any))
    columns = draw(st.none() | st.lists(st.integers(0, width - 1), min_size=1, max_size=5))
    return true, pred, weights, columns


# ConfusionCounts


@pytest.mark.parametrize(
    ("rate", "value"),
    [
        ("accuracy", Fraction(7, 10)),
        ("error_rate", Fraction(3, 10)),
        ("precision", Fraction(2, 3)),
        ("recall", Fraction(4, 5)),
        ("specificity", Fraction(3, 5)),
        ("false_positive_rate", Fraction(2, 5)),
        ("false_discovery_rate", Fraction(1, 3)),
        ("prevalence", Fraction(1, 2)),
        ("f1", Fraction(8, 11)),
    ],
)
def test_rates_of_the_four_cells(rate, value):
    assert getattr(ConfusionCounts(tp=40, fp=20, fn=10, tn=30), rate) == float(value)


@pytest.mark.parametrize("rate", ["accuracy", "error_rate", "precision", "recall", "specificity", "prevalence", "f1"])
def test_rates_without_samples_are_nan(rate):
    assert math.isnan(getattr(ConfusionCounts(0, 0, 0, 0), rate))
    assert math.isnan(ConfusionCounts(0, 0, 0, 5).fbeta(2))


def test_f1_is_zero_where_nothing_is_predicted_positive_although_precision_is_undefined():
    counts = ConfusionCounts(tp=0, fp=0, fn=50, tn=0)
    assert counts.f1 == 0
    assert math.isnan(counts.precision)


@given(st.tuples(*[st.integers(0, 50)] * 4), st.sampled_from([0, 0.5, 1, 2, 3, math.inf]))
def test_fbeta_is_the_weighted_harmonic_mean(cells, beta):
    tp, fp, fn, _ = cells
    value = ConfusionCounts(*cells).fbeta(beta)
    assert value == pytest.approx(float(fbeta(tp, fp, fn, beta, NAN)), nan_ok=True)
    if tp:
        precision, recall = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
        alpha = 0 if beta == math.inf else 1 / (1 + Fraction(beta) ** 2)
        assert value == pytest.approx(float(1 / (alpha / precision + (1 - alpha) / recall)))


def test_fbeta_of_conventions():
    counts = ConfusionCounts(tp=4, fp=1, fn=4, tn=0)  # P = 4/5, R = 1/2
    assert (counts.f1, counts.fbeta(2), counts.fbeta(0.5)) == pytest.approx((8 / 13, 20 / 37, 5 / 7))
    assert counts.fbeta(1e200) == counts.recall


def test_counts_cannot_be_changed_and_are_compared_by_value():
    counts = ConfusionCounts(np.int64(1), 2, 3, 4)
    assert counts == ConfusionCounts(1, 2, 3, 4)
    assert type(counts.tp) is int
    with pytest.raises(FrozenInstanceError):
        counts.tp = 5


@pytest.mark.parametrize("field", ["tp", "fp", "fn", "tn"])
@pytest.mark.parametrize("count", [-1, -0.5, NAN, math.inf, 2**1020, 10**400, "1", None, True, 1j])
def test_counts_are_non_negative_numbers(field, count):
    with pytest.raises(ValueError, match=f"^{field}: "):
        ConfusionCounts(**{**dict.fromkeys(("tp", "fp", "fn", "tn"), 1), field: count})


@given(labelled(), st.data())
def test_counts_from_labels(case, data):
    true, pred, _, _ = case
    label = data.draw(st.sampled_from(true))
    cells = counts_of(list(zip(true, pred, strict=True)), [1] * len(true), lambda value: value == label)
    assert ConfusionCounts.from_labels(true, pred, pos_label=label) == ConfusionCounts(*cells, len(true) - sum(cells))


@given(labelled(), st.data())
def test_weighted_counts_from_labels(case, data):
    true, pred, weights, _ = case
    weights = weights or list(range(1, len(true) + 1))
    label = data.draw(st.sampled_from(true))
    cells = counts_of(list(zip(true, pred, strict=True)), weights, lambda value: value == label)
    counts = ConfusionCounts.from_labels(true, pred, pos_label=label, sample_weight=weights)
    assert (counts.tp, counts.fp, counts.fn, counts.tn) == (*cells, sum(weights) - sum(cells))
    assert type(counts.tp) is (float if any(isinstance(w, float) for w in weights) else int)
    assert counts.f1 == pytest.approx(float(fbeta(*cells, 1, NAN)), nan_ok=True)


def test_counts_of_weights_that_no_sum_holds_are_refused():
    with pytest.raises(ValueError, match="^sample_weight: expected weights whose sum float64 can hold"):
        ConfusionCounts.from_labels([0, 1], [0, 1], sample_weight=[1e308, 1e308])
    with pytest.raises(ValueError, match="^sample_weight: expected weights whose sum int64 can hold"):
        ConfusionCounts.from_labels([0, 1], [0, 1], sample_weight=[2**62, 2**62])


def test_counts_of_a_label_that_does_not_occur():
    assert ConfusionCounts.from_labels([0, 0], [0, 0]) == ConfusionCounts(0, 0, 0, 2)
    assert ConfusionCounts.from_labels(["no"], ["no"], pos_label="yes") == ConfusionCounts(0, 0, 0, 1)
    with pytest.raises(ValueError, match="^pos_label: "):
        ConfusionCounts.from_labels([0, 2], [0, 0])


# confusion_matrix


@given(labelled())
def test_confusion_matrix_by_definition_and_by_peer(case):
    true, pred, weights, labels = case
    classes = sorted(set(true) | set(pred)) if labels is None else labels
    if not set(classes) & set(true):
        with pytest.raises(ValueError, match="^labels: "):
            confusion_matrix(true, pred, labels=labels)
        return
    w = [1] * len(true) if weights is None else weights
    triples = list(zip(true, pred, w, strict=True))
    expected = [[sum(v for t, p, v in triples if (t, p) == (a, b)) for b in classes] for a in classes]
    matrix = silently(confusion_matrix, true, pred, labels=labels, sample_weight=weights)
    assert matrix.tolist() == expected
    assert matrix.dtype == (np.float64 if weights and any(isinstance(v, float) for v in weights) else np.int64)
    for normalize in ("true", "pred", "all"):
        keywords = {"labels": labels, "sample_weight": weights, "normalize": normalize}
        ours, theirs = (silently(f, true, pred, **keywords) for f in (confusion_matrix, peer.confusion_matrix))
        np.testing.assert_allclose(ours, theirs, atol=1e-15)


def test_layouts_of_conventions():
    true = [1] * 50 + [0] * 50
    pred = [1] * 40 + [0] * 10 + [1] * 20 + [0] * 30
    assert confusion_matrix(true, pred).tolist() == [[30, 20], [10, 40]]
    assert confusion_matrix(true, pred).T.tolist() == [[30, 10], [20, 40]]
    assert confusion_matrix(true, pred, labels=[1, 0]).tolist() == [[40, 10], [20, 30]]
    assert confusion_matrix(true, pred, labels=[1, 0]).T.tolist() == [[40, 20], [10, 30]]


@pytest.mark.parametrize("scale", [1, -3, 40, 10**14])
@pytest.mark.parametrize("n_classes", [2, 60, 300])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_way_of_counting_agrees_with_the_peer(n_classes, scale, weighted):
    """Few and many classes, close together and far apart, as integers and as strings, in several blocks."""
    rng = np.random.default_rng(n_classes)
    true = rng.integers(0, n_classes, 50_000) * scale + 5
    pred = np.where(rng.random(50_000) < 0.6, true, rng.permutation(true))
    true[:5] = true.max() + 2 * abs(scale)
    weights = rng.random(50_000) if weighted else None
    matrix = confusion_matrix(true, pred, sample_weight=weights)
    np.testing.assert_allclose(matrix, peer.confusion_matrix(true, pred, sample_weight=weights))
    some = np.unique(true)[::-2]
    part = confusion_matrix(true, pred, sample_weight=weights, labels=some)
    np.testing.assert_allclose(part, peer.confusion_matrix(true, pred, sample_weight=weights, labels=some))
    keywords = {"average": None, "sample_weight": weights, "zero_division": 0}
    for true_, pred_ in ((true, pred), (true.astype(str), pred.astype(str))):
        theirs = peer.f1_score(true_, pred_, **keywords)
        np.testing.assert_allclose(f1_score(true_, pred_, **keywords), theirs)


def test_few_labels_out_of_many():
    rng = np.random.default_rng(3)
    true, pred = rng.integers(0, 3000, 4000), rng.integers(0, 3000, 4000)
    labels = [-1, *true[:5].tolist(), 10**6]
    ours = confusion_matrix(true, pred, labels=labels)
    assert ours.tolist() == peer.confusion_matrix(true, pred, labels=labels).tolist()
    many = np.arange(20_000)
    tracemalloc.start()
    assert confusion_matrix(many, many, labels=[7, 3]).tolist() == [[1, 0], [0, 1]]
    assert f1_score(many, many, average="macro") == 1
    assert tracemalloc.get_traced_memory()[1] < 20e6  # a matrix of all labels has 3 GB
    tracemalloc.stop()


def test_zero_rows_and_columns_are_set_to_zero_with_a_warning():
    with pytest.warns(UndefinedMetricWarning, match=r"confusion_matrix: normalize='true'") as caught:
        matrix = confusion_matrix([0, 0], [0, 1], normalize="true")
    assert matrix.tolist() == [[0.5, 0.5], [0, 0]]
    assert caught[0].filename == __file__
    with pytest.warns(UndefinedMetricWarning, match="normalize='pred'"):
        assert confusion_matrix([0, 1], [0, 0], normalize="pred").tolist() == [[0.5, 0], [0.5, 0]]
    with pytest.warns(UndefinedMetricWarning, match="normalize='all'"):
        assert confusion_matrix([0, 0], [1, 1], labels=[0, 5], normalize="all").tolist() == [[0, 0], [0, 0]]


def test_a_matrix_of_one_label_warns():
    with pytest.warns(UserWarning, match="single label") as caught:
        assert confusion_matrix([3, 3], [3, 3]).tolist() == [[2]]
    assert caught[0].filename == __file__


def test_weights_of_integers_give_integers():
    assert confusion_matrix([0, 1], [1, 1], sample_weight=[2, 3]).dtype == np.int64
    assert confusion_matrix([0, 1], [1, 1], sample_weight=[True, True]).dtype == np.int64
    assert confusion_matrix([0, 1], [1, 1], sample_weight=[2.0, 3.0]).dtype == np.float64


def test_weights_of_integers_are_added_as_integers():
    assert confusion_matrix([0, 0, 1], [0, 0, 1], sample_weight=[2**53, 1, 1]).tolist() == [[2**53 + 1, 0], [0, 1]]
    for dtype in (np.uint8, np.uint64, np.int16, np.bool_):
        matrix = confusion_matrix([0, 0, 1], [0, 0, 1], sample_weight=np.ones(3, dtype=dtype))
        assert matrix.dtype == np.int64
        assert matrix.tolist() == [[2, 0], [0, 1]]
    for weights in ([2**62] * 3, [1.7e308] * 3):
        with pytest.raises(ValueError, match="^sample_weight: expected weights whose sum"):
            confusion_matrix([0, 0, 1], [0, 0, 1], sample_weight=weights)
        shares = confusion_matrix([0, 0, 1], [0, 0, 1], sample_weight=weights, normalize="all")
        assert shares == pytest.approx(np.array([[2 / 3, 0], [0, 1 / 3]]))


# accuracy_score and zero_one_loss


@given(labelled())
def test_accuracy_and_its_complement(case):
    true, pred, weights, _ = case
    w = [Fraction(v) for v in weights] if weights else [Fraction(1)] * len(true)
    right = sum(v for t, p, v in zip(true, pred, w, strict=True) if t == p)
    for normalize in (True, False):
        total = sum(w)
        accuracy = accuracy_score(true, pred, normalize=normalize, sample_weight=weights)
        loss = zero_one_loss(true, pred, normalize=normalize, sample_weight=weights)
        assert accuracy == pytest.approx(float(right / total if normalize else right))
        assert loss == pytest.approx(float((total - right) / total if normalize else total - right))
        assert type(accuracy) is type(loss) is float


@given(indicators())
def test_accuracy_of_indicators_is_that_of_whole_rows(case):
    true, pred, weights, _ = case
    keywords = {"sample_weight": weights}
    assert accuracy_score(true, pred, **keywords) == pytest.approx(peer.accuracy_score(true, pred, **keywords))
    rows = [t == p for t, p in zip(true, pred, strict=True)]
    assert accuracy_score(true, pred) == sum(rows) / len(rows)


@pytest.mark.parametrize("n", [3, 100, 1001, 10_000])
def test_weighted_values_are_exact_at_both_ends(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        true, weights = rng.integers(0, 2, n), rng.random(n)
        assert accuracy_score(true, true, sample_weight=weights) == 1
        assert accuracy_score(true, 1 - true, sample_weight=weights) == 0
        assert f1_score(true, true, sample_weight=weights, average="micro", labels=[0, 1], zero_division=1) == 1


@pytest.mark.parametrize("weights", [[1e12, 0.1, 0.2], [1e20, 1, 1], [1, 1e-20, 1e-20]])
def test_the_right_are_added_rather_than_the_wrong_subtracted(weights):
    right = float(sum(map(Fraction, weights[1:])))
    keywords = {"sample_weight": weights}
    assert accuracy_score([0, 1, 1], [1, 1, 1], normalize=False, **keywords) == pytest.approx(right, rel=1e-15)
    share = right / float(sum(map(Fraction, weights)))
    assert accuracy_score([0, 1, 1], [1, 1, 1], **keywords) == pytest.approx(share, rel=1e-15)


@pytest.mark.parametrize("function", [accuracy_score, zero_one_loss])
def test_a_sum_of_weights_beyond_float64_is_refused(function):
    keywords = {"sample_weight": [1e308] * 4}
    assert function([0, 1, 1, 0], [0, 1, 0, 1], **keywords) == 0.5
    with pytest.raises(ValueError, match="^sample_weight: expected weights whose sum float64 can hold"):
        function([0, 1, 1, 0], [0, 1, 0, 1], normalize=False, **keywords)


def test_accuracies_of_conventions():
    true, pred = [1] * 50 + [0] * 50, [1] * 40 + [0] * 10 + [1] * 20 + [0] * 30
    assert accuracy_score(true, pred) == 0.7
    assert ConfusionCounts.from_labels(true, pred).prevalence == 0.5  # what document 000 prints as accuracy
    assert ConfusionCounts.from_labels(true, pred).tp / 100 == 0.4  # what document 001 prints as accuracy


# precision, recall and F


@settings(max_examples=150)
@given(labelled(), st.sampled_from(AVERAGES), st.sampled_from(["warn", 0, 1, NAN]))
def test_scores_by_definition_and_by_peer(case, average, zero_division):
    true, pred, weights, labels = case
    keywords = {"average": average, "labels": labels, "sample_weight": weights, "zero_division": zero_division}
    value_of_0_0 = 0 if zero_division == "warn" else zero_division
    w = [Fraction(v) for v in weights] if weights else [1] * len(true)
    for name, beta in SCORES.items():
        exact = score_by_definition(true, pred, beta, average, labels, w, value_of_0_0)
        value = silently(getattr(classification, name), true, pred, **keywords)
        assert value == pytest.approx(as_floats(exact), nan_ok=True), name
        if name != "jaccard_score" or zero_division == zero_division:  # the peer has no nan for it
            assert value == pytest.approx(silently(getattr(peer, name), true, pred, **keywords), nan_ok=True), name
        undefined = score_by_definition(true, pred, beta, None if average != "micro" else "micro", labels, w, NAN)
        undefined = any(v != v for v in (undefined if isinstance(undefined, list) else [undefined]))
        undefined |= average == "weighted" and labels is not None and support(true, w, labels) == 0
        assert warned(getattr(classification, name), true, pred, **keywords) == (
            zero_division == "warn" and undefined
        ), name


def warned(function, *args, **keywords):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*args, **keywords)
    return any(issubclass(w.category, UndefinedMetricWarning) for w in caught)


@settings(max_examples=100)
@given(indicators(), st.sampled_from([*AVERAGES, "samples"]), st.sampled_from(["warn", 0, 1, NAN]))
def test_scores_of_indicators_by_definition_and_by_peer(case, average, zero_division):
    true, pred, weights, columns = case
    keywords = {"average": average, "labels": columns, "sample_weight": weights, "zero_division": zero_division}
    value_of_0_0 = 0 if zero_division == "warn" else zero_division
    w = [Fraction(v) for v in weights] if weights else [1] * len(true)
    kept = range(len(true[0])) if columns is None else columns
    by_column = [(list(zip([r[j] for r in true], [r[j] for r in pred], strict=True)), w) for j in kept]
    by_row = [([(t[j], p[j]) for j in kept], [v] * len(kept)) for t, p, v in zip(true, pred, w, strict=True)]
    counts = [counts_of(*group, bool) for group in (by_row if average == "samples" else by_column)]
    for name, beta in SCORES.items():
        exact = average_of(counts, average, beta, value_of_0_0, w if average == "samples" else None)
        value = silently(getattr(classification, name), true, pred, **keywords)
        assert value == pytest.approx(as_floats(exact), nan_ok=True), name
        if name != "jaccard_score" or zero_division == zero_division:  # the peer has no nan for it
            assert value == pytest.approx(silently(getattr(peer, name), true, pred, **keywords), nan_ok=True), name


@given(labelled(), st.sampled_from([0, 0.3, 1, 2, 1e3, math.inf]), st.sampled_from(AVERAGES))
def test_fbeta_by_definition_and_by_peer(case, beta, average):
    true, pred, weights, labels = case
    keywords = {"beta": beta, "average": average, "labels": labels, "sample_weight": weights, "zero_division": NAN}
    w = [Fraction(v) for v in weights] if weights else [1] * len(true)
    exact = score_by_definition(true, pred, beta, average, labels, w, NAN)
    assert fbeta_score(true, pred, **keywords) == pytest.approx(as_floats(exact), nan_ok=True)
    assert fbeta_score(true, pred, **keywords) == pytest.approx(peer.fbeta_score(true, pred, **keywords), nan_ok=True)


@given(labelled(kinds=("integers", "booleans", "strings")), st.data())
def test_binary_scores_by_definition_and_by_peer(case, data):
    true, pred, weights, _ = case
    positive = data.draw(st.sampled_from(sorted({*true, *pred})))
    if len({*true, *pred}) > 2:
        true, pred = ([value == positive for value in values] for values in (true, pred))
        positive = True
    keywords = {"pos_label": positive, "sample_weight": weights}
    w = [Fraction(v) for v in weights] if weights else [1] * len(true)
    for name, beta in SCORES.items():
        exact = score_by_definition(true, pred, beta, "macro", [positive], w, 0)
        value = silently(getattr(classification, name), true, pred, **keywords)
        assert value == pytest.approx(float(exact))
        assert value == pytest.approx(silently(getattr(peer, name), true, pred, **keywords))


@given(labelled(), st.randoms(use_true_random=False))
def test_identities(case, random):
    true, pred, weights, _ = case
    w = {"sample_weight": weights, "zero_division": 0}
    accuracy = accuracy_score(true, pred, sample_weight=weights)
    for score in (precision_score, recall_score, f1_score):
        assert score(true, pred, average="micro", **w) == pytest.approx(accuracy)
        each = score(true, pred, average=None, **w)
        assert 0 <= each.min() <= score(true, pred, average="macro", **w) + 1e-12 <= each.max() + 2e-12 <= 1 + 2e-12
    assert recall_score(true, pred, average="weighted", **w) == pytest.approx(accuracy)
    assert (
        fbeta_score(true, pred, beta=0, average=None, **w).tolist()
        == precision_score(true, pred, average=None, **w).tolist()
    )
    # The order of the samples does not matter, and exchanging the roles exchanges precision and recall.
    order = random.sample(range(len(true)), len(true))
    shuffled = [[values[i] for i in order] for values in (true, pred)]
    unweighted = {"average": "macro", "zero_division": 0}
    assert f1_score(*shuffled, **unweighted) == f1_score(true, pred, **unweighted) == f1_score(pred, true, **unweighted)
    assert precision_score(true, pred, **unweighted) == recall_score(pred, true, **unweighted)
    # A whole weight is as many copies.
    copies = [[value for value, k in zip(values, order, strict=True) for _ in range(k + 1)] for values in (true, pred)]
    repeated = f1_score(true, pred, sample_weight=[k + 1 for k in order], **unweighted)
    assert repeated == pytest.approx(f1_score(*copies, **unweighted))


@pytest.mark.parametrize(
    ("score", "true", "pred", "keywords", "message"),
    [
        (precision_score, [1, 1], [0, 0], {}, "precision_score: 0/0, set to 0 for label 1: no predicted sample"),
        (recall_score, [0, 0], [1, 0], {}, "recall_score: .* label 1: no true sample"),
        (f1_score, [0, 0], [0, 0], {}, "f1_score: .* label 1: no true or predicted sample"),
        (f1_score, ["a"], ["a"], {}, "f1_score: .* label 1: no true or predicted sample"),
        (f1_score, [0], [0], {"labels": [9, 0], "average": None}, "f1_score: .* label 9: "),
        (f1_score, [0], [0], {"labels": [9], "average": "micro"}, "f1_score: 0/0, set to 0: no true or predicted"),
        (f1_score, [[0, 0], [1, 1]], [[0, 0], [1, 0]], {"average": "samples"}, "for row 0: no true or predicted label"),
        (f1_score, [[0, 1]] * 2, [[0, 1]] * 2, {"average": "weighted", "labels": [1, 0]}, "for label 0: "),
        (precision_score, list("abcdefg"), ["a"] * 7, {"average": "macro"}, "'b', 'c', 'd', 'e', 'f', ...: no"),
        (macro_f1_score, [0, 1], [1, 1], {"definition": "f1_of_means"}, "macro_f1_score: .* label 0: no predicted"),
        (jaccard_score, [0, 0], [0, 0], {}, "jaccard_score: .* label 1: no true or predicted sample"),
        (balanced_accuracy_score, [0, 1], [2, 1], {}, "recall is 0/0, left out for label 2: no true sample"),
        (balanced_accuracy_score, [0, 0], [0, 0], {"adjusted": True}, "y_true holds one class only"),
        (matthews_corrcoef, [0, 1], [1, 1], {}, "matthews_corrcoef: 0/0, set to 0: y_true or y_pred holds one class"),
        (cohen_kappa_score, [1, 1], [1, 1], {}, "cohen_kappa_score: 0/0, set to nan: y1 and y2 hold fewer than two"),
    ],
)
def test_the_warning_says_what_is_undefined(score, true, pred, keywords, message):
    with pytest.warns(UndefinedMetricWarning, match=message) as caught:
        score(true, pred, **keywords)
    assert caught[0].filename == __file__


def test_a_label_without_weight_is_still_a_label():
    assert confusion_matrix([0, 1, 2], [0, 1, 2], sample_weight=[1, 1, 0]).shape == (3, 3)
    with pytest.warns(UndefinedMetricWarning, match="for label 2: "):
        assert f1_score([0, 1, 2], [0, 1, 2], sample_weight=[1, 1, 0], average="macro") == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="^average: "):
        f1_score([0, 1, 2], [0, 1, 2], sample_weight=[1, 1, 0])


def test_a_row_without_weight_does_not_warn():
    keywords = {"average": "samples", "sample_weight": [1, 0]}
    assert f1_score([[1, 0], [0, 0]], [[1, 0], [0, 0]], **keywords) == 1


def test_an_unused_pos_label_warns():
    with pytest.warns(UserWarning, match="pos_label='b' is ignored with average='macro'") as caught:
        value = f1_score(["a", "b"], ["a", "b"], pos_label="b", average="macro")
    assert value == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize(("zero_division", "recall"), [(0, 0), (1, 1), (NAN, NAN)])
def test_labels_without_true_samples_have_equal_weights(zero_division, recall):
    keywords = {"labels": [1, 2], "average": "weighted", "zero_division": zero_division}
    assert precision_score([0, 0], [1, 2], **keywords) == f1_score([0, 0], [1, 2], **keywords) == 0
    assert recall_score([0, 0], [1, 2], **keywords) == pytest.approx(recall, nan_ok=True)


# Balanced accuracy, Matthews correlation, Cohen's kappa


def cells_of(true, pred, weights, classes):
    """The confusion matrix as a table of fractions."""
    triples = list(zip(true, pred, weights, strict=True))
    return [[sum(w for t, p, w in triples if (t, p) == (a, b)) for b in classes] for a in classes]


@settings(max_examples=150)
@given(labelled())
def test_balanced_accuracy_by_definition_and_by_peer(case):
    true, pred, weights, _ = case
    w = [Fraction(v) for v in weights] if weights else [Fraction(1)] * len(true)
    classes = sorted({t for t, v in zip(true, w, strict=True) if v})
    rows = cells_of(true, pred, w, sorted({*true, *pred}))
    recalls = [row[i] / sum(row) for i, row in enumerate(rows) if sum(row)]
    value = sum(recalls) / len(classes)
    assert silently(balanced_accuracy_score, true, pred, sample_weight=weights) == pytest.approx(float(value))
    assert warned(balanced_accuracy_score, true, pred, sample_weight=weights) == (len(recalls) < len(rows))
    for adjusted in (False, True):
        ours, theirs = (
            silently(f, true, pred, sample_weight=weights, adjusted=adjusted)
            for f in (balanced_accuracy_score, peer.balanced_accuracy_score)
        )
        assert ours == pytest.approx(theirs, nan_ok=True)
    if len(classes) > 1:
        chance = Fraction(1, len(classes))
        assert ours == pytest.approx(float((value - chance) / (1 - chance)), abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_a_perfect_prediction_has_a_correlation_of_one_whatever_the_weights(seed):
    """Not 1.0000000000000004, as rounding would have it for one weighting in three."""
    rng = np.random.default_rng(seed)
    y = np.append([0, 1, 2], rng.integers(3, size=5))
    assert matthews_corrcoef(y, y, sample_weight=rng.random(8)) <= 1
    assert matthews_corrcoef(y, y, sample_weight=rng.random(8)) == pytest.approx(1, abs=1e-14)
    assert matthews_corrcoef(y > 0, y == 0, sample_weight=rng.random(8)) >= -1


def test_labels_beside_a_positive_label_are_ignored_with_a_word():
    for name in ("precision_score", "recall_score", "f1_score", "jaccard_score"):
        metric = getattr(classification, name)
        with pytest.warns(UserWarning, match="^labels= is ignored with average='binary'"):
            assert metric([0, 1, 1, 0], [0, 1, 1, 1], labels=[0]) == metric([0, 1, 1, 0], [0, 1, 1, 1])
        with pytest.raises(ValueError, match="^labels: expected "):
            metric([0, 1, 1, 0], [0, 1, 1, 1], labels=object())


@settings(max_examples=150)
@given(labelled())
def test_matthews_correlation_by_definition_and_by_peer(case):
    true, pred, weights, _ = case
    w = [Fraction(v) for v in weights] if weights else [Fraction(1)] * len(true)
    classes = sorted({*true, *pred})
    # The correlation of the indicator columns, summed over the classes.
    centred = []
    for values in (true, pred):
        columns = [[Fraction(value == label) for value in values] for label in classes]
        means = [sum(map(Fraction.__mul__, column, w)) / sum(w) for column in columns]
        centred.append([[x - mean for x in column] for column, mean in zip(columns, means, strict=True)])
    covariance, of_true, of_pred = (
        sum(x * y * v for a, b in zip(first, second, strict=True) for x, y, v in zip(a, b, w, strict=True))
        for first, second in (centred, centred[:1] * 2, centred[1:] * 2)
    )
    value = float(covariance) / math.sqrt(of_true * of_pred) if of_true * of_pred else 0
    assert silently(matthews_corrcoef, true, pred, sample_weight=weights) == pytest.approx(value, abs=1e-12)
    assert warned(matthews_corrcoef, true, pred, sample_weight=weights) == (of_true * of_pred == 0)
    theirs = silently(peer.matthews_corrcoef, true, pred, sample_weight=weights)
    assert value == pytest.approx(theirs, abs=1e-12)


@settings(max_examples=150)
@given(labelled(), st.sampled_from([None, "linear", "quadratic"]))
def test_cohens_kappa_by_definition_and_by_peer(case, weights):
    first, second, sample_weight, labels = case
    classes = sorted({*first, *second}) if labels is None else labels
    keywords = {"labels": labels, "weights": weights, "sample_weight": sample_weight}
    if not set(classes) & set(first):
        with pytest.raises(ValueError, match="^labels: expected at least one label that occurs in y1"):
            cohen_kappa_score(first, second, **keywords)
        return
    w = [Fraction(v) for v in sample_weight] if sample_weight else [Fraction(1)] * len(first)
    cells = cells_of(first, second, w, classes)
    rows, columns, n = list(map(sum, cells)), list(map(sum, zip(*cells, strict=True))), sum(map(sum, cells))
    power = {None: 0, "linear": 1, "quadratic": 2}[weights]
    places = [(i, j) for i in range(len(classes)) for j in range(len(classes)) if i != j]
    observed = sum(abs(i - j) ** power * cells[i][j] for i, j in places)
    by_chance = sum(abs(i - j) ** power * rows[i] * columns[j] for i, j in places)
    value = float(1 - observed * n / by_chance) if by_chance else NAN
    assert silently(cohen_kappa_score, first, second, **keywords) == pytest.approx(value, nan_ok=True, abs=1e-12)
    assert warned(cohen_kappa_score, first, second, **keywords) == (by_chance == 0)
    theirs = silently(peer.cohen_kappa_score, first, second, **keywords)
    assert value == pytest.approx(theirs, nan_ok=True, abs=1e-12)


@given(labelled(), st.sampled_from([None, "linear", "quadratic"]))
def test_agreement_knows_no_first_and_no_second(case, weights):
    first, second, sample_weight, _ = case
    for score, keywords in ((matthews_corrcoef, {}), (cohen_kappa_score, {"weights": weights})):
        value = silently(score, first, second, sample_weight=sample_weight, **keywords)
        assert -1 <= value <= 1 or value != value
        swapped = silently(score, second, first, sample_weight=sample_weight, **keywords)
        assert swapped == pytest.approx(value, nan_ok=True, abs=1e-12)
        itself = silently(score, first, first, **keywords)
        assert itself == (
            1 if len(set(first)) > 1 else 0 if score is matthews_corrcoef else pytest.approx(NAN, nan_ok=True)
        )


def test_agreement_of_two_classes_in_cells():
    cells = ConfusionCounts(tp=40, fp=20, fn=10, tn=30)
    true, pred = matrix_to_labels([[cells.tn, cells.fp], [cells.fn, cells.tp]])
    assert balanced_accuracy_score(true, pred) == pytest.approx((cells.recall + cells.specificity) / 2)
    youden = cells.recall + cells.specificity - 1
    assert balanced_accuracy_score(true, pred, adjusted=True) == pytest.approx(youden)
    assert matthews_corrcoef(true, pred) == pytest.approx(1000 / math.sqrt(60 * 50 * 50 * 40))
    assert cohen_kappa_score(true, pred) == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    assert jaccard_score(true, pred) == pytest.approx(cells.f1 / (2 - cells.f1))


@pytest.mark.parametrize("value", [NAN, -1, 0.5, 1, np.float64(0)])
def test_the_value_of_an_undefined_kappa_is_chosen(value):
    assert silently(cohen_kappa_score, [1, 1], [1, 1], replace_undefined_by=value) == pytest.approx(value, nan_ok=True)
    # y2 has none of the labels that are left
    keywords = {"labels": [0, 1], "replace_undefined_by": value}
    assert silently(cohen_kappa_score, [0, 1], [5, 5], **keywords) == pytest.approx(value, nan_ok=True)


def test_a_single_class_leaves_nothing_to_adjust():
    assert math.isnan(silently(balanced_accuracy_score, [0, 0], [0, 0], adjusted=True))
    assert silently(balanced_accuracy_score, [0, 0], [0, 1], adjusted=True) == -math.inf


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1, 1e300])
def test_the_scale_of_weights_does_not_change_an_agreement(scale):
    rng = np.random.default_rng(4)
    true, pred, weights = rng.integers(0, 4, 50), rng.integers(0, 4, 50), rng.random(50)
    for score in (balanced_accuracy_score, matthews_corrcoef, cohen_kappa_score):
        expected = score(true, pred, sample_weight=weights)
        assert score(true, pred, sample_weight=weights * scale) == pytest.approx(expected, rel=1e-12)


def test_a_class_of_hardly_any_weight_leaves_a_number():
    for score in (balanced_accuracy_score, matthews_corrcoef, cohen_kappa_score):
        assert -1 <= silently(score, [0, 1, 0, 1], [0, 1, 1, 0], sample_weight=[1, 1e-300, 1e-300, 1e-300]) <= 1
    # The truth knows both classes, the other rater one: no agreement beyond chance, however little the second weighs.
    assert cohen_kappa_score([0, 1], [0, 0], sample_weight=[1, 1e-17]) == 0


@pytest.mark.parametrize("bad", [[0, NAN], [0.5, 1], [], None, ["a", 1], [[0, 1], [2]], [[1, 2], [0, 1]]], ids=repr)
def test_bad_labels_of_a_rater_are_refused_by_name(bad):
    with pytest.raises(ValueError, match="^y1: expected .*, got "):
        cohen_kappa_score(bad, [0, 1])
    with pytest.raises(ValueError, match="^y2: expected .*, got "):
        cohen_kappa_score([0, 1], bad)


# macro_f1_score


def matrix_to_labels(matrix):
    cells = [(i, j) for i, row in enumerate(matrix) for j, count in enumerate(row) for _ in range(count)]
    return [list(values) for values in zip(*cells, strict=True)]


def test_the_averages_of_conventions():
    true, pred = matrix_to_labels([[1, 9], [0, 90]])
    assert macro_f1_score(true, pred) == pytest.approx(131 / 231)
    assert macro_f1_score(true, pred, definition="f1_of_means") == pytest.approx(231 / 331)
    assert f1_score(true, pred, average="weighted") == pytest.approx(337 / 385)
    true, pred = matrix_to_labels([[90, 10], [0, 10]])
    assert precision_score(true, pred, average="macro") == 0.75
    assert precision_score(true, pred, average="micro") == pytest.approx(10 / 11)


@given(labelled(), st.sampled_from([0, 1, NAN]))
def test_macro_f1_by_definition(case, zero_division):
    true, pred, weights, labels = case
    keywords = {"labels": labels, "zero_division": zero_division, "sample_weight": weights}
    ones = [Fraction(w) for w in weights] if weights else [1] * len(true)
    first = macro_f1_score(true, pred, **keywords)
    assert first == pytest.approx(f1_score(true, pred, average="macro", **keywords), nan_ok=True)
    precision, recall = (
        score_by_definition(true, pred, beta, "macro", labels, ones, zero_division) for beta in (0, math.inf)
    )
    total = precision + recall
    second = macro_f1_score(true, pred, definition="f1_of_means", **keywords)
    assert second == pytest.approx(float(2 * precision * recall / total if total else 0), nan_ok=True)
    if zero_division != zero_division:
        return
    assert second >= first - 1e-12


# What is accepted


SCALES = [5e-324, 1e-300, 1e300]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("average", AVERAGES)
def test_only_ratios_of_weights_count(scale, average):
    true, pred, weights = [0, 1, 2, 2, 1], [0, 2, 2, 1, 0], np.array([1, 2, 1, 3, 1])
    for score in (precision_score, recall_score, f1_score):
        ours, scaled = (score(true, pred, average=average, sample_weight=weights * s) for s in (1, scale))
        assert scaled == pytest.approx(ours, rel=1e-15)
    for other in (accuracy_score, zero_one_loss, macro_f1_score):
        expected = other(true, pred, sample_weight=weights)
        assert other(true, pred, sample_weight=weights * scale) == pytest.approx(expected, rel=1e-15)
    rows = [[1, 0, 1], [0, 1, 1], [1, 1, 0]], [[1, 1, 1], [0, 1, 0], [1, 0, 0]]
    for kind in (average, "samples"):
        expected = f1_score(*rows, average=kind, sample_weight=weights[:3])
        assert f1_score(*rows, average=kind, sample_weight=weights[:3] * scale) == pytest.approx(expected, rel=1e-15)


M = 2**63 - 1


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, object])
@pytest.mark.parametrize("top", [M, -(2**63) + 1, 2**64 - 1, 2**53 + 1])
def test_labels_of_64_bits_keep_their_digits(dtype, top):
    if (dtype is np.uint64 and top < 0) or (dtype is np.int64 and top > M):
        pytest.skip("not a value of this type")
    true, pred = np.array([top, top - 1, top, 0], dtype=dtype), np.array([top, top, top - 1, 0], dtype=dtype)
    labels = np.array([top, top - 1], dtype=dtype)
    assert confusion_matrix(true, pred, labels=labels).tolist() == [[1, 1], [1, 0]]
    assert precision_score(true, pred, labels=labels[:1], average=None).tolist() == [0.5]
    assert f1_score(true, pred, labels=labels, average=None).tolist() == [0.5, 0]
    assert accuracy_score(true, pred) == 0.5
    assert f1_score(true[:1], pred[:1], pos_label=top) == 1
    assert ConfusionCounts.from_labels(true, pred, pos_label=top) == ConfusionCounts(1, 1, 1, 1)


def test_unsigned_and_negative_labels_that_no_type_holds_together_are_refused():
    with pytest.raises(ValueError, match="^y_pred: expected labels that 64 bits hold together with y_true"):
        accuracy_score(np.array([1, 2**63], dtype=np.uint64), [1, -1])
    with pytest.raises(ValueError, match="^labels: expected labels that 64 bits hold"):
        f1_score(np.array([1, 2**63], dtype=np.uint64), [1, 1], labels=[-1], average="macro")
    assert confusion_matrix(np.array([1, 2**63], dtype=np.uint64), [1, 1]).tolist() == [[1, 0], [1, 0]]


def test_numpys_own_strings_are_labels():
    strings = np.array(["x", "yy", "x"], dtype=np.dtypes.StringDType())
    assert confusion_matrix(strings, ["x", "x", "yy"]).tolist() == [[1, 1], [1, 0]]
    assert f1_score(strings, strings, pos_label="x") == 1


def forms(values):
    """The same labels in every form that is taken."""
    yield from (list(values), tuple(values), np.array(values), np.array(values)[:, None], pd.Series(values))
    yield from (pd.Series(values, dtype="category"), pd.Index(values), pd.DataFrame({"y": values}))
    yield np.repeat(np.array(values), 2)[::2]
    if isinstance(values[0], str):
        yield from (np.array(values, dtype=object), pd.Series(values, dtype="string"))
    else:
        yield from (pd.Series(values, dtype="Int64"), np.array(values)[::-1][::-1], np.array(values, dtype=object))
        for dtype in ("i1", "i2", "i4", "i8", "u1", "u8", "f2", "f4", "f8", "g"):
            yield np.array(values, dtype=dtype)


@pytest.mark.parametrize(
    ("true", "pred"), [([0, 1, 2, 2, 1], [0, 2, 2, 2, 0]), (["x", "yy", "z", "z", "yy"], ["x", "z", "z", "z", "x"])]
)
def test_forms_and_types_of_labels_do_not_matter(true, pred):
    functions = [accuracy_score, zero_one_loss, confusion_matrix]
    functions += [lambda a, b: f1_score(a, b, average=None), lambda a, b: macro_f1_score(a, b, definition="mean_of_f1")]
    for function in functions:
        expected = np.asarray(function(true, pred)).tolist()
        for form in forms(true):
            assert np.asarray(function(form, pred)).tolist() == expected, type(form)
            assert np.asarray(function(pred, form)).tolist() == np.asarray(function(pred, true)).tolist()


def test_booleans_and_integers_are_the_same_labels():
    true, pred = [True, False, True], [1, 0, 0]
    assert confusion_matrix(true, pred, labels=[False, True]).tolist() == [[1, 0], [1, 1]]
    assert f1_score(true, pred) == f1_score(pred, true, pos_label=True) == pytest.approx(2 / 3)
    assert accuracy_score(np.array(true), np.array(pred, dtype=np.uint8)) == pytest.approx(2 / 3)


def test_forms_and_types_of_indicators_do_not_matter():
    true, pred = np.array([[1, 0, 1], [0, 1, 1]]), np.array([[1, 1, 1], [0, 1, 0]])
    for convert in (np.ndarray.tolist, pd.DataFrame, np.asfortranarray, sparse.csr_matrix, sparse.coo_array):
        assert f1_score(convert(true), convert(pred), average="micro") == 0.75
        assert accuracy_score(convert(true), convert(pred)) == 0
    for dtype in ("?", "i1", "u8", "f4", "f8"):
        assert f1_score(true.astype(dtype), pred, average="samples") == pytest.approx((4 / 5 + 2 / 3) / 2)


def test_inputs_are_not_modified():
    rng = np.random.default_rng(0)
    for true, pred in (
        (rng.integers(5, 9, 40), rng.integers(5, 9, 40)),
        (rng.integers(0, 2, (9, 4)), rng.integers(0, 2, (9, 4))),
    ):
        arguments = [true, pred, np.arange(len(true)), np.array([1, 0])]
        before = copy.deepcopy(arguments)
        f1_score(true, pred, average="macro", sample_weight=arguments[2], labels=arguments[3], zero_division=0)
        accuracy_score(true, pred, sample_weight=arguments[2])
        if true.ndim == 1:
            confusion_matrix(true, pred, sample_weight=arguments[2], normalize="all", labels=arguments[3] + 5)
            ConfusionCounts.from_labels(true, pred, pos_label=5)
        assert all((a == b).all() for a, b in zip(arguments, before, strict=True))


# What is refused

# precision_recall_fscore_support and classification_report


def undefined_warnings(function, *args, **keywords):
    """The value, and whether the library said that something in it is a convention."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = function(*args, **keywords)
    return value, any(warning.category.__name__ == "UndefinedMetricWarning" for warning in caught)


@given(labelled(), st.sampled_from(AVERAGES), st.sampled_from([0.5, 1, 2]), st.sampled_from(["warn", 0, 1, NAN]))
def test_all_scores_at_once_are_those_of_each_function_and_of_peer(case, average, beta, zero_division):
    true, pred, weights, labels = case
    keywords = {"labels": labels, "average": average, "sample_weight": weights, "zero_division": zero_division}
    scores, warned = undefined_warnings(precision_recall_fscore_support, true, pred, beta=beta, **keywords)
    for value, function, options in (
        (scores.precision, precision_score, {}),
        (scores.recall, recall_score, {}),
        (scores.fscore, fbeta_score, {"beta": beta}),
    ):
        np.testing.assert_array_equal(value, silently(function, true, pred, **options, **keywords))
    theirs, they_warned = undefined_warnings(peer.precision_recall_fscore_support, true, pred, beta=beta, **keywords)
    for ours, value in zip(scores, theirs, strict=True):
        assert ours is value is None or type(ours) is type(value)
        if value is not None:
            np.testing.assert_allclose(ours, value, rtol=1e-12)
    assert warned == they_warned


@given(indicators(), st.sampled_from([*AVERAGES, "samples"]), st.sampled_from(["warn", 0, 1, NAN]))
def test_all_scores_of_indicator_matrices(case, average, zero_division):
    true, pred, _, columns = case
    keywords = {"labels": columns, "average": average, "zero_division": zero_division}
    ours = silently(precision_recall_fscore_support, true, pred, **keywords)
    for value, function in zip(ours, (precision_score, recall_score, f1_score), strict=False):
        np.testing.assert_array_equal(value, silently(function, true, pred, **keywords))
    if average is None:
        assert ours.support.tolist() == [sum(row[c] for row in true) for c in columns or range(len(true[0]))]
        assert ours.support.dtype == np.int64


def test_all_scores_by_hand():
    precision, recall, fscore, support = precision_recall_fscore_support(
        ["cat", "cat", "dog", "dog", "dog"], ["cat", "dog", "dog", "dog", "dog"], beta=2, labels=["dog", "cat"]
    )
    assert precision.tolist() == [3 / 4, 1]
    assert recall.tolist() == [1, 1 / 2]
    assert fscore.tolist() == pytest.approx([15 / 16, 5 / 9])
    assert support.tolist() == [3, 2]
    assert precision_recall_fscore_support([0, 1], [0, 0], average="binary", zero_division=1) == (1, 0, 0, None)


def test_the_support_of_huge_and_tiny_weights_is_their_sum():
    for unit in (2.0**-1000, 1.0, 2.0**1000):
        scores = precision_recall_fscore_support([0, 0, 1], [0, 0, 1], sample_weight=[unit, unit, 2 * unit])
        assert scores.support.tolist() == [2 * unit, 2 * unit]
    with pytest.raises(ValueError, match="^sample_weight: expected weights whose sum"):
        precision_recall_fscore_support([0, 1], [0, 1], sample_weight=[1e308, 1e308])


@pytest.mark.parametrize("warn_for", [(), ["recall"], {"precision", "f-score"}, ("precision", "recall", "f-score")])
def test_only_the_scores_asked_for_warn(warn_for):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        precision_recall_fscore_support([0, 1], [0, 1], labels=[0, 2], warn_for=warn_for)
    names = {str(warning.message).partition(": ")[0] for warning in caught}
    assert names == {f"precision_recall_fscore_support, {name}" for name in warn_for}
    assert {warning.filename for warning in caught} <= {__file__}


@pytest.mark.parametrize("warn_for", ["recall", ["f1"], None, 1])
def test_a_score_that_cannot_warn_is_refused(warn_for):
    with pytest.raises(ValueError, match="^warn_for: "):
        precision_recall_fscore_support([0, 1], [0, 1], warn_for=warn_for)


def assert_same_report(*args, **keywords):
    ours, warned = undefined_warnings(classification_report, *args, **keywords)
    theirs, they_warned = undefined_warnings(peer.classification_report, *args, **keywords)
    assert ours == theirs
    assert warned == they_warned
    ours, theirs = (silently(f, *args, **keywords, output_dict=True) for f in (classification_report, peer_report))
    assert [*ours] == [*theirs]
    for name, row in theirs.items():
        assert type(ours[name]) is type(row)
        values = ours[name] if isinstance(row, dict) else {"": ours[name]}
        assert values == pytest.approx(row if isinstance(row, dict) else {"": row}, rel=1e-12, nan_ok=True)


peer_report = peer.classification_report


@settings(max_examples=200)
@given(labelled(), st.sampled_from(["warn", 0, 1, NAN]), st.integers(0, 6))
def test_a_report_is_that_of_peer(case, zero_division, digits):
    true, pred, weights, labels = case
    pred = [true[0], *pred[1:]]  # without any hit, scikit-learn's numbers of samples are floats
    if weights is not None:
        weights = [weight + 1 for weight in weights]
    keywords = {"labels": labels, "sample_weight": weights, "zero_division": zero_division, "digits": digits}
    assert_same_report(true, pred, **keywords)


@given(indicators(), st.sampled_from(["warn", 0, 1, NAN]))
def test_a_report_of_indicator_matrices_is_that_of_peer(case, zero_division):
    true, pred, weights, columns = case
    weights = None if weights is None else [weight + 0.5 for weight in weights]
    columns = None if columns is None else sorted(set(columns))
    assert_same_report(true, pred, labels=columns, sample_weight=weights, zero_division=zero_division)


@pytest.mark.parametrize(
    ("true", "keywords"),
    [
        ([0.0, 1.0, 1.0], {}),
        (np.array([True, False, True]), {}),
        (np.array(["a", "b", "a"], dtype=object), {"target_names": ["a name longer than any other", "b"]}),
        ([0, 1, 2], {"target_names": np.array(["x", "y", "z"]), "digits": 14}),
        ([0, 1, 2], {"labels": [2, 1]}),
        ([0, 1, 2], {"labels": [2, 1, 0, 7]}),
        (pd.Series([3, 4, 4]), {"labels": pd.Series([4, 3])}),
    ],
)
def test_the_names_in_a_report_are_those_of_peer(true, keywords):
    pred = np.array(true)[[0, 1, 1]]
    assert_same_report(true, pred, **keywords)


def test_a_report_without_a_hit_counts_whole_samples():
    assert classification_report([0, 1], [1, 0]).splitlines()[2].split() == ["0", "0.00", "0.00", "0.00", "1"]


def test_a_report_warns_once_for_each_score():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        classification_report([0, 1], [0, 0])
    assert [str(warning.message).partition(":")[0] for warning in caught] == ["classification_report, precision"]
    assert caught[0].filename == __file__


def test_names_that_are_not_as_many_as_the_labels():
    with pytest.warns(UserWarning, match="^target_names: expected 2 names, one for each label of labels=, got 3"):
        text = classification_report([0, 2, 0], [0, 2, 2], labels=[0, 2], target_names=["a", "b", "c"])
    assert text == silently(peer_report, [0, 2, 0], [0, 2, 2], labels=[0, 2], target_names=["a", "b", "c"])
    with pytest.raises(ValueError, match="^target_names: expected 2 names"):
        classification_report([0, 2, 0], [0, 2, 2], target_names=["a", "b", "c"])


@pytest.mark.parametrize(
    "keywords",
    [
        {"digits": -1},
        {"digits": 1.5},
        {"digits": True},
        {"target_names": "ab"},
        {"target_names": 5},
        {"output_dict": 1},
        {"zero_division": 2},
        {"labels": []},
    ],
    ids=repr,
)
def test_bad_options_of_a_report_are_refused(keywords):
    with pytest.raises(ValueError, match=f"^{next(iter(keywords))}: expected"):
        classification_report([0, 1], [0, 1], **keywords)


# top_k_accuracy_score


def top_k_by_sorting(true, scores, k, classes):
    """Each row's classes from the best down, the last of equal ones first."""
    ranked = [sorted(range(len(row)), key=lambda c, row=row: (row[c], c), reverse=True) for row in scores]
    return [label in [classes[c] for c in order[:k]] for label, order in zip(true, ranked, strict=True)]


@given(st.data(), st.sampled_from([[0, 1, 2], [3, 5, 7, 9], ["a", "b", "c"]]), st.booleans())
def test_top_k_accuracy_by_definition_and_by_peer(data, classes, normalize):
    n = data.draw(st.integers(1, 8))
    true = data.draw(st.lists(st.sampled_from(classes), min_size=n, max_size=n))
    row = st.lists(st.sampled_from([-1, 0, 0.25, 0.5, 2]), min_size=len(classes), max_size=len(classes))
    scores = data.draw(st.lists(row, min_size=n, max_size=n))
    weights = data.draw(st.none() | st.lists(st.sampled_from([0, 0.25, 1, 3]), min_size=n, max_size=n).filter(any))
    k = data.draw(st.integers(1, len(classes) - 1))
    keywords = {"k": k, "normalize": normalize, "sample_weight": weights, "labels": classes}
    value = top_k_accuracy_score(true, scores, **keywords)
    w = weights or [1] * n
    hits = sum(Fraction(v) for v, hit in zip(w, top_k_by_sorting(true, scores, k, classes), strict=True) if hit)
    assert value == pytest.approx(float(hits / sum(map(Fraction, w)) if normalize else hits), rel=1e-14)
    assert value == pytest.approx(peer.top_k_accuracy_score(true, scores, **keywords), rel=1e-14)
    assert type(value) is float


@pytest.mark.parametrize("scores", [[0.5, 0.6, 0.2, 0.9], [-1, 0, 0.5, 3], [0, 0, 1, 1], [1.5, 0.4, 0.6, 0.1]])
@pytest.mark.parametrize("true", [[0, 1, 1, 0], ["n", "y", "n", "n"], [False, True, True, True]])
def test_top_1_accuracy_of_two_classes_cuts_probabilities_at_one_half_and_other_scores_at_zero(scores, true):
    for y_score in (scores, [[score] for score in scores]):
        value = top_k_accuracy_score(true, y_score, k=1)
        assert value == peer.top_k_accuracy_score(np.array(true), np.array(y_score), k=1)
    cut = 0.5 if min(scores) >= 0 and max(scores) <= 1 else 0
    assert value == accuracy_score(true, np.unique(true)[[int(score > cut) for score in scores]])


def test_top_k_accuracy_of_as_many_as_there_are_classes_warns():
    for true, scores, k in (([0, 1], [0.1, 0.9], 2), ([0, 1, 2], np.eye(3), 3), ([0, 1, 2], np.eye(3), 9)):
        with pytest.warns(UndefinedMetricWarning, match=f"k={k} names all") as caught:
            assert top_k_accuracy_score(true, scores, k=k) == 1
        assert caught[0].filename == __file__
    with pytest.warns(UndefinedMetricWarning):
        assert top_k_accuracy_score([0, 1], [0.1, 0.9], normalize=False) == 2


@pytest.mark.parametrize(
    ("arguments", "keywords", "name"),
    [
        (([0, 1, 2], np.eye(3)), {"k": 0}, "k"),
        (([0, 1, 2], np.eye(3)), {"k": 1.5}, "k"),
        (([0, 1, 2], np.eye(3)), {"normalize": 1}, "normalize"),
        (([0, 1, 2], np.eye(3)), {"sample_weight": [1, 2]}, "sample_weight"),
        (([0, 1, 2], np.eye(3)), {"labels": [0, 2, 1]}, "labels"),
        (([0, 1, 2], np.eye(3)), {"labels": [0, 1, 1]}, "labels"),
        (([0, 1, 2], np.eye(3)), {"labels": [0, 1, 3]}, "labels"),
        (([0, 1, 2], np.eye(3)), {"labels": ["0", "1", "2"]}, "labels"),
        (([0, 1, 2], np.eye(3)[:, :2]), {}, "y_score"),
        (([0, 1, 2], [0.1, 0.2, 0.3]), {}, "y_score"),
        (([0, 1, 1], np.eye(3)), {}, "y_score"),
        (([0, 1], [[0.1, 0.9], [0.2, 0.8]]), {}, "y_score"),
        (([0, 1], [0.1, NAN]), {}, "y_score"),
        (([0, 0], [0.1, 0.2]), {}, "y_true"),
        (([[0, 1], [1, 0]], [[0.1, 0.9], [0.2, 0.8]]), {}, "y_true"),
        (([0.5, 1], [0.1, 0.2]), {}, "y_true"),
    ],
)
def test_bad_input_of_top_k_accuracy_is_refused(arguments, keywords, name):
    with pytest.raises(ValueError, match=f"^{name}: expected .*, got "):
        top_k_accuracy_score(*arguments, **keywords)


FUNCTIONS = [
    accuracy_score,
    zero_one_loss,
    confusion_matrix,
    precision_score,
    recall_score,
    f1_score,
    jaccard_score,
    balanced_accuracy_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
    classification_report,
    lambda y_true, y_pred, **keywords: fbeta_score(y_true, y_pred, beta=2, **keywords),
]


@pytest.mark.parametrize("function", [*FUNCTIONS, macro_f1_score, ConfusionCounts.from_labels])
@pytest.mark.parametrize(
    "bad",
    [
        [0, NAN],
        [0, math.inf],
        [0.5, 1],
        [1e300, 0],
        [],
        [[]],
        5,
        None,
        "ab",
        [0, None],
        ["a", None],
        ["a", NAN],
        ["a", 1],
        [["a"], [1]],
        [0j, 1],
        [[0, 1], [2]],
        [b"a", b"b"],
        {0, 1},
        np.ones((2, 2, 2)),
        np.array(["a", 1], dtype=object),
        np.array([0, 2**64], dtype=object),
        np.array([0.0, 2.0**63]),
        np.ma.array([0, 1], mask=[0, 1]),
        np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
        [[1, 2], [0, 1]],
        [[0.5, 1], [0, 1]],
        [["a", "b"], ["c", "d"]],
        pd.Series([1, None], dtype="Int64"),
    ],
    ids=repr,
)
def test_bad_labels_are_refused(function, bad):
    with pytest.raises(ValueError, match="^y_true: expected .*, got "):
        function(bad, [0, 1])
    with pytest.raises(ValueError, match="^y_pred: expected .*, got "):
        function([0, 1], bad)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("weights", [[1], [1, -1], [0, 0], [1, NAN], [1, math.inf], [[1], [1]], ["a", "b"], 1, []])
def test_bad_weights_are_refused(function, weights):
    with pytest.raises(ValueError, match="^sample_weight: "):
        function([0, 1], [0, 1], sample_weight=weights)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("true", "pred"), [([0, 1], [0, 1, 1]), ([0, 1], ["0", "1"]), ([0, 1], [[0, 1], [1, 1]]), ([[0, 1]], [[0, 1, 1]])]
)
def test_labels_that_do_not_match_are_refused(function, true, pred):
    for arguments in ((true, pred), (pred, true)):
        with pytest.raises(ValueError, match="^y_pred: "):
            function(*arguments)


MATRIX = [[0, 1], [1, 1]]


@pytest.mark.parametrize(
    ("function", "arguments", "keywords", "name"),
    [
        (confusion_matrix, (MATRIX, MATRIX), {}, "y_true"),
        (ConfusionCounts.from_labels, (MATRIX, MATRIX), {}, "y_true"),
        (balanced_accuracy_score, (MATRIX, MATRIX), {}, "y_true"),
        (balanced_accuracy_score, ([0, 1], [0, 1]), {"adjusted": 1}, "adjusted"),
        (matthews_corrcoef, (MATRIX, MATRIX), {}, "y_true"),
        (jaccard_score, (MATRIX, MATRIX), {}, "average"),
        (jaccard_score, ([0, 1], [0, 1]), {"zero_division": 0.5}, "zero_division"),
        (cohen_kappa_score, (MATRIX, MATRIX), {}, "y1"),
        (cohen_kappa_score, ([0, 1], [0, 1]), {"labels": [0, 0]}, "labels"),
        (cohen_kappa_score, ([0, 1], [0, 1]), {"labels": ["0"]}, "labels"),
        (cohen_kappa_score, ([0, 1], [0, 1]), {"weights": "cubic"}, "weights"),
        (cohen_kappa_score, ([0, 1], [0, 1]), {"sample_weight": [1, -1]}, "sample_weight"),
        (cohen_kappa_score, ([0, 1], [0, 1]), {"replace_undefined_by": 2}, "replace_undefined_by"),
        (cohen_kappa_score, ([0, 1], [0, 1]), {"replace_undefined_by": None}, "replace_undefined_by"),
        (cohen_kappa_score, ([0, 1], [0, 1]), {"replace_undefined_by": True}, "replace_undefined_by"),
        (confusion_matrix, ([0, 1], [0, 1]), {"labels": []}, "labels"),
        (confusion_matrix, ([0, 1], [0, 1]), {"labels": [0, 0]}, "labels"),
        (confusion_matrix, ([0, 1], [0, 1]), {"labels": [5]}, "labels"),
        (confusion_matrix, ([0, 0], [0, 1]), {"labels": [1]}, "labels"),
        (confusion_matrix, ([0, 1], [0, 1]), {"labels": ["0"]}, "labels"),
        (confusion_matrix, ([0, 1], [0, 1]), {"labels": [[0, 1]]}, "labels"),
        (confusion_matrix, ([0, 1], [0, 1]), {"normalize": "rows"}, "normalize"),
        (confusion_matrix, ([0, 1], [0, 1]), {"normalize": True}, "normalize"),
        (accuracy_score, ([0, 1], [0, 1]), {"normalize": "true"}, "normalize"),
        (zero_one_loss, ([0, 1], [0, 1]), {"normalize": None}, "normalize"),
        (f1_score, ([0, 1], [0, 1]), {"average": "mean"}, "average"),
        (f1_score, ([0, 1], [0, 1]), {"average": "samples"}, "average"),
        (f1_score, ([0, 1, 2], [0, 1, 2]), {}, "average"),
        (f1_score, (MATRIX, MATRIX), {}, "average"),
        (f1_score, ([0, 2], [0, 2]), {}, "pos_label"),
        (f1_score, (["a", "b"], ["a", "b"]), {}, "pos_label"),
        (f1_score, ([0, 0], [0, 0]), {"pos_label": None}, "pos_label"),
        (f1_score, ([0, 1], [0, 1]), {"labels": [], "average": "macro"}, "labels"),
        (f1_score, ([0, 1], [0, 1]), {"labels": ["0"], "average": "macro"}, "labels"),
        (f1_score, (["0", "1"], ["0", "1"]), {"labels": [0], "average": "macro"}, "labels"),
        (f1_score, ([0, 1], [0, 1]), {"labels": [NAN], "average": "macro"}, "labels"),
        (f1_score, (MATRIX, MATRIX), {"labels": [2], "average": "macro"}, "labels"),
        (f1_score, (MATRIX, MATRIX), {"labels": [-1], "average": "macro"}, "labels"),
        (f1_score, (MATRIX, MATRIX), {"labels": [0.0], "average": "macro"}, "labels"),
        (f1_score, (MATRIX, MATRIX), {"labels": [True], "average": "macro"}, "labels"),
        (f1_score, ([0, 1], [0, 1]), {"pos_label": [1]}, "pos_label"),
        (f1_score, ([0, 1], [0, 1]), {"pos_label": np.array([1, 2]), "average": "macro"}, "pos_label"),
        (ConfusionCounts.from_labels, ([0, 1], [0, 1]), {"pos_label": None}, "pos_label"),
        (ConfusionCounts.from_labels, (["a", "b"], ["a", "b"]), {"pos_label": 1}, "pos_label"),
        (f1_score, ([0, 1], [0, 1]), {"zero_division": 10**400}, "zero_division"),
        (f1_score, ([0, 1], [0, 1]), {"zero_division": 0.5}, "zero_division"),
        (f1_score, ([0, 1], [0, 1]), {"zero_division": "0"}, "zero_division"),
        (f1_score, ([0, 1], [0, 1]), {"zero_division": None}, "zero_division"),
        (fbeta_score, ([0, 1], [0, 1]), {"beta": -1}, "beta"),
        (fbeta_score, ([0, 1], [0, 1]), {"beta": NAN}, "beta"),
        (fbeta_score, ([0, 1], [0, 1]), {"beta": "1"}, "beta"),
        (ConfusionCounts(1, 1, 1, 1).fbeta, (-0.5,), {}, "beta"),
        (macro_f1_score, ([0, 1], [0, 1]), {"definition": "micro"}, "definition"),
        (macro_f1_score, ([0, 1], [0, 1]), {"zero_division": "none"}, "zero_division"),
    ],
)
def test_bad_keywords_are_refused(function, arguments, keywords, name):
    with pytest.raises(ValueError, match=f"^{name}: expected .*, got "):
        function(*arguments, **keywords)
