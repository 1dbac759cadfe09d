"""The checker under attack: right submissions in every style pass, wrong ones fail, and hostile ones break nothing."""

import array
import collections
import decimal
import heapq
import itertools
import math
import operator
import os
import random
import statistics
import subprocess
import sys
import threading
import time
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import partial, reduce

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as peer

from metrics_book import practice
from metrics_book.practice import _EXERCISES as EXERCISES
from metrics_book.practice import _engine


def reference(name):
    return EXERCISES[name].reference


def undefined(value):
    return np.isnan(value).any()


# ---- right, in styles that nobody foresaw -----------------------------------------------------------------------


def auc_as_fraction(y_true, y_score):
    pairs = [
        (p, n)
        for p, y in zip(y_score, y_true, strict=True)
        for n, z in zip(y_score, y_true, strict=True)
        if (y, z) == (1, 0)
    ]
    won = sum(2 * int(p > n) + int(p == n) for p, n in pairs)
    return Fraction(won, 2 * len(pairs)) if pairs else math.nan


def auc_as_decimal(y_true, y_score):
    value = auc_as_fraction(y_true, y_score)
    return Decimal("NaN") if value != value else Decimal(value.numerator) / Decimal(value.denominator)


def auc_by_pandas(y_true, y_score):
    table = pd.DataFrame({"y": y_true, "rank": pd.Series(y_score).rank()})
    p = int(table["y"].sum())
    n = len(table) - p
    if p == 0 or n == 0:
        raise ValueError("one class")
    return (table.loc[table["y"] == 1, "rank"].sum() - p * (p + 1) / 2) / (p * n)


def auc_as_array_without_dimension(y_true, y_score):
    if not 0 < sum(y_true) < len(y_true):
        return np.array(np.nan)
    sign = np.sign(np.subtract.outer(y_score[y_true == 1], y_score[y_true == 0]))
    return np.mean(sign, keepdims=False).reshape(()) / 2 + np.array(0.5)


def auc_in_single_precision(y_true, y_score):
    p, n = y_score[y_true == 1], y_score[y_true == 0]
    if not len(p) or not len(n):
        return np.float32("nan")
    return np.heaviside(p[:, None] - n, 0.5).astype(np.float32).mean(dtype=np.float32)


def auc_in_single_precision_as_a_float(y_true, y_score):
    return float(auc_in_single_precision(y_true, y_score))


def auc_in_long_double(y_true, y_score):
    return np.longdouble(reference("auc")(y_true, y_score))


def auc_as_series_item(y_true, y_score):
    return pd.Series([reference("auc")(y_true, y_score)]).iloc[0]


def auc_by_the_peer(y_true, y_score):
    if len(set(y_true.tolist())) < 2:
        raise ValueError("one class")
    return peer.roc_auc_score(y_true, y_score)


def auc_by_rectangles_and_triangles(y_true, y_score):
    order = sorted(range(len(y_true)), key=lambda i: -y_score[i])
    area = tp = fp = last_tp = last_fp = 0
    for place, i in enumerate(order):
        tp, fp = tp + int(y_true[i]), fp + 1 - int(y_true[i])
        if place + 1 == len(order) or y_score[order[place + 1]] != y_score[i]:
            area += (fp - last_fp) * (tp + last_tp) / 2
            last_tp, last_fp = tp, fp
    try:
        return area / (tp * fp)
    except ZeroDivisionError:
        return float("nan")


def auc_by_kendall(y_true, y_score):
    concordant = discordant = pairs = 0
    for (y, s), (z, t) in itertools.combinations(zip(y_true.tolist(), y_score.tolist(), strict=True), 2):
        if y != z:
            pairs += 1
            concordant += (s - t) * (y - z) > 0
            discordant += (s - t) * (y - z) < 0
    return (1 + (concordant - discordant) / pairs) / 2 if pairs else math.nan


def gauc_by_pandas(y_true, y_score, groups):
    table = pd.DataFrame({"y": y_true, "s": y_score, "g": groups})
    kept = table.groupby("g").filter(lambda rows: rows["y"].nunique() == 2)
    if kept.empty:
        return np.nan
    values = {g: peer.roc_auc_score(rows["y"], rows["s"]) for g, rows in kept.groupby("g")}
    return kept["g"].map(values).mean()


def gauc_of_every_row(y_true, y_score, groups):
    """Each row votes with the AUC of its user."""
    votes = [reference("auc")(y_true[groups == g], y_score[groups == g]) for g in groups]
    votes = [vote for vote in votes if vote == vote]
    return statistics.fmean(votes) if votes else math.nan


def gauc_masked_inside(y_true, y_score, groups):
    users = np.unique(groups)
    values = np.ma.masked_invalid([reference("auc")(y_true[groups == u], y_score[groups == u]) for u in users])
    rows = [np.sum(groups == u) for u in users]
    return np.ma.filled(np.ma.average(values, weights=rows), np.nan)


def prf(y_true, y_pred):
    tp, p, t = int(y_true @ y_pred), int(y_pred.sum()), int(y_true.sum())
    return [tp / (p or 1), tp / (t or 1), 2 * tp / ((p + t) or 1)]


def prf_by_complex_numbers(y_true, y_pred):
    counts = collections.Counter((y_true + 1j * y_pred).tolist())
    tp, fp, fn = (counts[c] for c in (1 + 1j, 1j, 1))
    return (tp / max(tp + fp, 1), tp / max(tp + fn, 1), tp / max(tp + (fp + fn) / 2, 1 / 2))


def prf_by_the_peer(y_true, y_pred):
    return peer.precision_recall_fscore_support(y_true, y_pred, average="binary", zero_division=0)[:3]


def f1s_by_the_peer(y_true, y_pred):
    return (peer.f1_score(y_true, y_pred, average=average) for average in ("macro", "micro"))


def f1s_by_crosstab(y_true, y_pred):
    labels = sorted({*y_true.tolist(), *y_pred.tolist()})
    table = pd.crosstab(y_true, y_pred).reindex(index=labels, columns=labels, fill_value=0)
    hits = pd.Series(np.diag(table), index=labels)
    f1 = 2 * hits / (table.sum(axis=0) + table.sum(axis=1))
    return pd.Series({"macro": f1.mean(), "micro": hits.sum() / table.to_numpy().sum()})


def ndcg_by_the_peer(rel, k):
    if not rel.any():
        return math.nan
    return peer.ndcg_score([rel], [-np.arange(len(rel))], k=k) if len(rel) > 1 else 1.0


def ndcg_with_a_heap(rel, k):
    best = heapq.nlargest(k, rel.tolist())
    discount = [math.log(2) / math.log(rank + 2) for rank in range(len(best))]
    ideal = math.fsum(map(operator.mul, best, discount))
    return math.fsum(map(operator.mul, rel.tolist(), discount)) / ideal if ideal else math.nan


def ndcg_in_single_precision(rel, k):
    rel = rel.astype(np.float32)
    discount = 1 / np.log2(np.arange(2, len(rel) + 2, dtype=np.float32))
    discount[k:] = 0
    return (rel * discount).sum() / (np.sort(rel)[::-1] * discount).sum()


def ap_with_accumulate(rel, k, n_relevant):
    hits = list(itertools.accumulate(int(value > 0) for value in rel[:k]))
    steps = (h / rank for rank, (h, value) in enumerate(zip(hits, rel, strict=False), 1) if value > 0)
    return sum(steps) / n_relevant if n_relevant else float("nan")


def ap_in_decimals(rel, k, n_relevant):
    with decimal.localcontext(prec=40):
        total, hits = Decimal(0), 0
        for rank, value in enumerate(rel[:k].tolist(), 1):
            if value > 0:
                hits += 1
                total += Decimal(hits) / rank
        return total / n_relevant if n_relevant else Decimal("nan")


def rr_by_next(rel, k):
    return next((Fraction(1, rank) for rank, value in enumerate(rel[:k], 1) if value > 0), 0)


def rr_by_the_greatest(rel, k):
    return max((rel[:k] > 0) / np.arange(1, len(rel[:k]) + 1))


def rr_by_pandas(rel, k):
    hits = pd.Series(rel, index=range(1, len(rel) + 1)).head(k).gt(0)
    return 1 / hits.idxmax() if hits.any() else 0


def hit_rate_of_dictionaries(rel, k, n_relevant):
    users = {u: (row[:k] > 0).sum() for u, row in enumerate(rel) if n_relevant[u]}
    if not users:
        return dict.fromkeys("hpr", math.nan).values()
    n = len(users)
    return {
        "hit rate": sum(map(bool, users.values())) / n,
        "precision": sum(users.values()) / (n * k),
        "recall": sum(hits / n_relevant[u] for u, hits in users.items()) / n,
    }.values()


def hit_rate_by_apply(rel, k, n_relevant):
    table = pd.DataFrame(rel).iloc[:, :k].gt(0).sum(axis=1)[n_relevant > 0]
    total = pd.Series(n_relevant)[n_relevant > 0]
    return table.gt(0).mean(), (table / k).mean(), (table / total).mean()


def log_loss_by_the_peer(y_true, y_prob):
    return peer.log_loss(y_true, y_prob, labels=[0, 1])


def log_loss_by_powers(y_true, y_prob):
    p = np.clip(y_prob, np.spacing(1.0), 1 - np.spacing(1.0))
    return -np.log(p**y_true * (1 - p) ** (1 - y_true)).sum() / len(p)


def perplexity_by_reduce(sentences):
    tokens = list(itertools.chain.from_iterable(s.tolist() for s in sentences))
    return math.e ** (-reduce(operator.add, tokens) / len(tokens))


def perplexity_by_logaddexp(sentences):
    bits = np.hstack(sentences) / np.log(2)
    return np.exp2(-np.average(bits))


def perplexity_by_array(sentences):
    tokens = array.array("d")
    for sentence in sentences:
        tokens.extend(sentence.tolist())
    return np.exp(-math.fsum(tokens) / len(tokens))


def kl_by_where(p, q):
    with np.errstate(all="ignore"):
        return np.where(p > 0, p * np.log2(p / q), 0.0).sum()


def kl_by_scipy(p, q):
    from scipy.stats import entropy

    return entropy(p, q, base=2)


def kl_as_difference(p, q):
    terms = [a * (math.log(a, 2) - (math.log(b, 2) if b else -math.inf)) for a, b in zip(p, q, strict=True) if a]
    return sum(terms)


def err_backwards(grades, k, max_grade):
    """From the last item up: what a reader gets who arrives here."""
    tail = 0.0
    for rank in range(min(k, len(grades)), 0, -1):
        p = (2.0 ** grades[rank - 1] - 1) / 2.0**max_grade
        tail = p / rank + (1 - p) * tail
    return tail


def err_in_fractions(grades, k, max_grade):
    reading, total = Fraction(1), Fraction(0)
    for rank, grade in enumerate(map(int, grades[:k]), 1):
        p = Fraction(2**grade - 1, 2**max_grade)
        total, reading = total + reading * p / rank, reading * (1 - p)
    return total


def ils_by_combinations(similarity):
    pairs = [similarity[pair] for pair in itertools.combinations(range(len(similarity)), 2)]
    return statistics.mean(pairs) if pairs else math.nan


def ils_by_mask(similarity):
    return similarity[~np.eye(len(similarity), dtype=bool)].mean()


def ils_masked(similarity):
    off = np.ma.array(similarity, mask=np.eye(len(similarity)))
    return off.mean() if off.count() else math.nan


def ils_by_total(similarity):
    n = len(similarity)
    if n == 1:
        raise ValueError
    ones = np.ones(n)
    return (ones @ similarity @ ones - np.einsum("ii", similarity)) / n / (n - 1)


def roc_as_series(y_true, y_score):
    fpr, tpr = reference("roc_points")(y_true, y_score)
    return pd.Series(fpr), pd.Series(tpr)


def roc_as_rows_of_a_table(y_true, y_score):
    return pd.DataFrame(reference("roc_points")(y_true, y_score))


def roc_as_zip(y_true, y_score):
    fpr, tpr = reference("roc_points")(y_true, y_score)
    return zip(*list(zip(fpr, tpr, strict=True)), strict=True)


def roc_as_map(y_true, y_score):
    return map(list, reference("roc_points")(y_true, y_score))


def roc_as_arrays_of_the_standard_library(y_true, y_score):
    return [array.array("d", rates) for rates in reference("roc_points")(y_true, y_score)]


def roc_by_the_peer(y_true, y_score):
    if len(set(y_true.tolist())) < 2:
        raise ValueError("one class")
    return peer.roc_curve(y_true, y_score, drop_intermediate=False)[:2]


def histogram_by_cut(y_true, y_score, bins):
    if not 0 < y_true.sum() < len(y_true):
        return [np.nan] * 2
    low, high = y_score.min(), y_score.max()
    edges = np.linspace(low, high, bins + 1)
    number = pd.cut(y_score, edges, right=False, labels=False) if high > low else np.zeros(len(y_score))
    number = np.where(y_score == high, bins - 1, number)
    table = pd.crosstab(number, y_true)
    below = table[0].cumsum() - table[0]
    pairs = table[0].sum() * table[1].sum()
    tied = (table[0] * table[1]).sum() / pairs / 2
    return (table[1] * below).sum() / pairs + tied, tied


def histogram_as_named_tuple(y_true, y_score, bins):
    return collections.namedtuple("Answer", "value bound")(*reference("auc_by_histogram")(y_true, y_score, bins))


def kappa_in_fractions(y_true, y_pred):
    n, true, predicted = len(y_true), collections.Counter(y_true.tolist()), collections.Counter(y_pred.tolist())
    by_chance = Fraction(sum(true[label] * predicted[label] for label in true), n * n)
    agreed = Fraction(int((y_true == y_pred).sum()), n)
    return (agreed - by_chance) / (1 - by_chance) if by_chance != 1 else math.nan


def kappa_of_disagreements(y_true, y_pred):
    if len({*y_true.tolist(), *y_pred.tolist()}) == 1:
        return math.nan
    return 1 - (y_true != y_pred).mean() / (y_true[:, None] != y_pred).mean()


def kappa_by_crosstab(y_true, y_pred):
    labels = sorted({*y_true.tolist(), *y_pred.tolist()})
    table = pd.crosstab(y_true, y_pred, normalize=True).reindex(index=labels, columns=labels, fill_value=0).to_numpy()
    chance = table.sum(axis=0) @ table.sum(axis=1)
    return (np.trace(table) - chance) / (1 - chance) if len(labels) > 1 else np.nan


def kappa_by_the_peer(y_true, y_pred):
    if len(set(y_true.tolist()) | set(y_pred.tolist())) == 1:
        raise ValueError("one label")
    return peer.cohen_kappa_score(y_true, y_pred)


def ece_by_masks(y_true, y_prob, n_bins):
    total = 0
    for b in range(n_bins):
        inside = (y_prob > b / n_bins) & (y_prob <= (b + 1) / n_bins) if b else y_prob <= 1 / n_bins
        if inside.any():
            total += inside.mean() * abs(y_true[inside].mean() - y_prob[inside].mean())
    return total


def ece_by_dictionary(y_true, y_prob, n_bins):
    rows = collections.defaultdict(list)
    for label, probability in zip(y_true, y_prob, strict=True):
        rows[max(0, math.ceil(probability * n_bins) - 1)].append((label, probability))
    gaps = [len(r) * abs(statistics.fmean(y for y, _ in r) - statistics.fmean(p for _, p in r)) for r in rows.values()]
    return sum(gaps) / len(y_true)


def ece_by_cut(y_true, y_prob, n_bins):
    number = pd.cut(y_prob, np.linspace(0, 1, n_bins + 1), include_lowest=True)
    table = pd.DataFrame({"y": y_true, "p": y_prob}).groupby(number, observed=True).agg(["mean", "size"])
    return ((table["y"]["mean"] - table["p"]["mean"]).abs() * table["y"]["size"]).sum() / len(y_true)


def ece_by_digitize(y_true, y_prob, n_bins):
    number = np.clip(np.digitize(y_prob, np.linspace(0, 1, n_bins + 1), right=True) - 1, 0, n_bins - 1)
    return np.abs(np.bincount(number, y_true - y_prob)).sum() / len(y_true)


def interval_by_percentile(values, indices, level):
    return np.percentile([np.mean(values[row]) for row in indices], [50 - 50 * level, 50 + 50 * level])


def interval_by_interpolation(values, indices, level):
    means = np.sort(values.take(indices).mean(axis=-1))
    places = np.linspace(0, 1, len(means)) if len(means) > 1 else [0]
    return [np.interp(share, places, means) for share in ((1 - level) / 2, (1 + level) / 2)]


def interval_by_pandas(values, indices, level):
    means = pd.Series([sum(values[i] for i in row) / len(row) for row in indices.tolist()])
    return means.quantile([(1 - level) / 2, 1 - (1 - level) / 2])


class Half:
    """A number of one's own."""

    def __init__(self, value):
        self.twice = 2 * value

    def __float__(self):
        return float(self.twice / 2)


RIGHT = [
    ("auc", auc_as_fraction),
    ("auc", auc_as_decimal),
    ("auc", auc_by_pandas),
    ("auc", auc_as_array_without_dimension),
    ("auc", auc_in_single_precision),
    ("auc", auc_in_single_precision_as_a_float),
    ("auc", auc_in_long_double),
    ("auc", auc_as_series_item),
    ("auc", auc_by_the_peer),
    ("auc", auc_by_rectangles_and_triangles),
    ("auc", auc_by_kendall),
    ("gauc", gauc_by_pandas),
    ("gauc", gauc_of_every_row),
    ("gauc", gauc_masked_inside),
    ("precision_recall_f1", prf),
    ("precision_recall_f1", prf_by_complex_numbers),
    ("precision_recall_f1", prf_by_the_peer),
    ("macro_micro_f1", f1s_by_the_peer),
    ("macro_micro_f1", f1s_by_crosstab),
    ("ndcg_at_k", ndcg_by_the_peer),
    ("ndcg_at_k", ndcg_with_a_heap),
    ("ndcg_at_k", ndcg_in_single_precision),
    ("average_precision", ap_with_accumulate),
    ("average_precision", ap_in_decimals),
    ("reciprocal_rank", rr_by_next),
    ("reciprocal_rank", rr_by_the_greatest),
    ("reciprocal_rank", rr_by_pandas),
    ("hit_rate", hit_rate_of_dictionaries),
    ("hit_rate", hit_rate_by_apply),
    ("log_loss", log_loss_by_the_peer),
    ("log_loss", log_loss_by_powers),
    ("perplexity", perplexity_by_reduce),
    ("perplexity", perplexity_by_logaddexp),
    ("perplexity", perplexity_by_array),
    ("kl_divergence", kl_by_where),
    ("kl_divergence", kl_by_scipy),
    ("kl_divergence", kl_as_difference),
    ("expected_reciprocal_rank", err_backwards),
    ("expected_reciprocal_rank", err_in_fractions),
    ("intra_list_similarity", ils_by_combinations),
    ("intra_list_similarity", ils_by_mask),
    ("intra_list_similarity", ils_masked),
    ("intra_list_similarity", ils_by_total),
    ("roc_points", roc_as_series),
    ("roc_points", roc_as_rows_of_a_table),
    ("roc_points", roc_as_zip),
    ("roc_points", roc_as_map),
    ("roc_points", roc_as_arrays_of_the_standard_library),
    ("roc_points", roc_by_the_peer),
    ("auc_by_histogram", histogram_by_cut),
    ("auc_by_histogram", histogram_as_named_tuple),
    ("cohen_kappa", kappa_in_fractions),
    ("cohen_kappa", kappa_of_disagreements),
    ("cohen_kappa", kappa_by_crosstab),
    ("cohen_kappa", kappa_by_the_peer),
    ("expected_calibration_error", ece_by_masks),
    ("expected_calibration_error", ece_by_dictionary),
    ("expected_calibration_error", ece_by_cut),
    ("expected_calibration_error", ece_by_digitize),
    ("bootstrap_interval", interval_by_percentile),
    ("bootstrap_interval", interval_by_interpolation),
    ("bootstrap_interval", interval_by_pandas),
]


@pytest.mark.parametrize(("name", "function"), RIGHT, ids=[function.__name__ for _, function in RIGHT])
def test_a_right_submission_in_any_style_passes(name, function):
    report = practice.check(name, function)
    assert report.passed, report


KINDS_OF_NUMBER = [float, np.float64, np.longdouble, np.array, Half, Decimal, lambda value: np.array(value, object)]
KINDS_OF_GROUP = [
    *(tuple, list, np.array, iter, pd.Series, pd.array, collections.deque, np.ma.array, partial(map, np.float64)),
    *(lambda values: (value for value in values), lambda values: dict(enumerate(values)).values()),
    *(
        lambda values: np.array(values, object),
        lambda values: list(map(Decimal, values)),
        lambda values: pd.Index(values),
    ),
    *(lambda values: np.array(values)[:, None].squeeze(), lambda values: [np.array(value) for value in values]),
]


@pytest.mark.parametrize("kind", KINDS_OF_NUMBER)
def test_a_number_of_any_kind_is_read(kind):
    assert practice.check("auc", lambda y, s: kind(reference("auc")(y, s))).passed


@pytest.mark.parametrize("kind", KINDS_OF_GROUP)
def test_a_group_of_any_kind_is_read(kind):
    assert practice.check("precision_recall_f1", lambda t, p: kind(reference("precision_recall_f1")(t, p))).passed


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (np.ma.masked, "a masked value, which stands for no number"),
        (np.ma.array([0.5, 0.5], mask=[0, 1]), "a masked value, which stands for no number"),
        ([np.ma.masked], "a list with a masked value, which stands for no number"),
        ({0.75}, "an object of type set where a number is expected"),
        ({"auc": 0.75}, "an object of type dict where a number is expected"),
        (pd.Series([None]), "a Series with None: is the return missing?"),
        (pd.Series(["a"]), "a Series with 'a', of type str and not a real number"),
        (b"0.75", "b'0.75', of type bytes and not a real number"),
        (np.zeros(100_000), "more than 10000 values, in the shape (100000,)"),
        (np.broadcast_to(0.5, (10**6, 10**6)), "more than 10000 values, in the shape (1000000, 1000000)"),
        (range(10**12), "a range with more than 10000 values"),
        ([[0.5] * 9999, [0.5] * 9999], "a list with more than 10000 values"),
        ([[[[[[0.5]]]]]], "a list with sequences more than 4 deep in one another"),
        (np, "an object of type module where a number is expected"),
        (object, "an object of type type where a number is expected"),
    ],
    ids=lambda value: "" if isinstance(value, str) else type(value).__name__,
)
def test_what_is_no_number_is_said(value, said):
    assert practice.check("auc", lambda y, s: value).results[0].got == said


def test_an_error_in_a_lazy_result_is_the_error_of_the_submission():
    def prf(y_true, y_pred):
        tp = int(y_true @ y_pred)
        p, t = int(y_pred.sum()), int(y_true.sum())
        return (part / whole for part, whole in ((tp, p), (tp, t), (2 * tp, p + t)))

    report = practice.check("precision_recall_f1", prf)
    assert report.failed == ("nothing predicted positive", "no positive exists", "no positive on either side")
    assert report.results[4].got.startswith("ZeroDivisionError: division by zero (line ")


# ---- wrong ------------------------------------------------------------------------------------------------------


def roc_area(points):
    """The trapezoidal area of a list of points."""
    return sum((x - u) * (y + v) / 2 for (u, v), (x, y) in itertools.pairwise(points))


def auc_of_strict_thresholds(y_true, y_score):
    cuts = sorted(set(y_score), reverse=True)
    if not 0 < y_true.sum() < len(y_true):
        return math.nan
    return roc_area([[(y_score[y_true == c] > cut).mean() for c in (0, 1)] for cut in cuts])


def auc_best_of_both(y_true, y_score):
    value = reference("auc")(y_true, y_score)
    return max(value, 1 - value)


def auc_as_gini(y_true, y_score):
    return 2 * reference("auc")(y_true, y_score) - 1


def auc_of_dense_ranks(y_true, y_score):
    rank = pd.Series(y_score).rank(method="dense").to_numpy()
    p = y_true.sum()
    n = len(y_true) - p
    return (rank[y_true == 1].sum() - p * (p + 1) / 2) / (p * n) if p * n else math.nan


def auc_is_ap(y_true, y_score):
    return peer.average_precision_score(y_true, y_score) if 0 < y_true.sum() < len(y_true) else math.nan


def auc_dropping_ties(y_true, y_score):
    pairs = list(itertools.product(y_score[y_true == 1], y_score[y_true == 0]))
    won, lost = sum(p > n for p, n in pairs), sum(p < n for p, n in pairs)
    return won / (won + lost) if won + lost else math.nan


def auc_of_ranked_labels(y_true, y_score):
    return np.corrcoef(y_true, pd.Series(y_score).rank())[0, 1]


def auc_rounded_scores(y_true, y_score):
    return reference("auc")(y_true, np.round(y_score))


def histogram_best_of_both(y_true, y_score, bins):
    value, bound = reference("auc_by_histogram")(y_true, y_score, bins)
    return max(value, 1 - value), bound


def histogram_of_pairs(y_true, y_score, bins):
    value, bound = reference("auc_by_histogram")(y_true, y_score, bins)
    return value, bound * y_true.sum() * (1 - y_true).sum()


def gauc_best_of_both(y_true, y_score, groups):
    value = reference("gauc")(y_true, y_score, groups)
    return max(value, 1 - value)


def gauc_best_for_each(y_true, y_score, groups):
    total = weight = 0
    for g in set(groups.tolist()):
        value = reference("auc")(y_true[groups == g], y_score[groups == g])
        if value == value:
            total, weight = total + max(value, 1 - value) * sum(groups == g), weight + sum(groups == g)
    return total / weight if weight else math.nan


def gauc_over_all_rows(y_true, y_score, groups):
    values = [(sum(groups == g), reference("auc")(y_true[groups == g], y_score[groups == g])) for g in set(groups)]
    return sum(n * v for n, v in values if v == v) / len(groups)


def prf_third(third):
    def function(y_true, y_pred):
        precision, recall, _ = reference("precision_recall_f1")(y_true, y_pred)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return precision, recall, third(y_true, y_pred)

    return function


def prf_of_equal_rows(y_true, y_pred):
    hits = (y_true == y_pred).sum()
    precision = hits / y_pred.sum() if y_pred.sum() else 0
    recall = hits / y_true.sum() if y_true.sum() else 0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0


def prf_false_discoveries(y_true, y_pred):
    _, recall, f1 = reference("precision_recall_f1")(y_true, y_pred)
    return ((y_true == 0) & (y_pred == 1)).sum() / max(y_pred.sum(), 1), recall, f1


def macro(of, second=None):
    def function(y_true, y_pred):
        labels = np.union1d(y_true, y_pred)
        f1s = [peer.f1_score(y_true == c, y_pred == c) for c in labels]
        return of(y_true, y_pred, f1s), second(y_true, y_pred) if second else np.mean(y_true == y_pred)

    return function


def ndcg_of_whole_grades(rel, k):
    return reference("ndcg_at_k")(rel.astype(int), k)


def ideal(change):
    def function(rel, k):
        def dcg(grades):
            return sum(g / math.log2(i + 2) for i, g in enumerate(list(grades)[:k]))

        best = dcg(change(rel, k))
        return dcg(rel) / best if best and any(rel) else math.nan

    return function


def ap_with(precision_at):
    """Average precision with another precision at each hit."""

    def function(rel, k, n_relevant):
        if n_relevant == 0:
            return math.nan
        hit = (rel[:k] > 0).tolist()
        return sum(precision_at(hit, i) for i in range(len(hit)) if hit[i]) / n_relevant

    return function


def ap_relevant_from_one(rel, k, n_relevant):
    return reference("average_precision")(1 * (rel >= 1), k, n_relevant)


def ap_by_truth(rel, k, n_relevant):
    hits = total = 0
    for rank, value in enumerate(rel[:k], 1):
        if value:
            hits, total = hits + 1, total + (hits + 1) / rank
    return total / n_relevant if n_relevant else math.nan


def ap_by_the_larger(rel, k, n_relevant):
    return (
        reference("average_precision")(rel, k, n_relevant) * n_relevant / max(k, n_relevant) if n_relevant else math.nan
    )


def ap_area(rel, k, n_relevant):
    hits = np.cumsum(rel[:k] > 0)
    return np.trapezoid(hits / np.arange(1, len(hits) + 1), hits / n_relevant) if n_relevant else math.nan


def r_precision(rel, k, n_relevant):
    return np.sum(rel[:n_relevant] > 0) / n_relevant if n_relevant else math.nan


def rr_in_whole_numbers(rel, k):
    for rank, value in enumerate(rel[:k], 1):
        if value > 0:
            return 1 // rank
    return 0


def rr_squared(rel, k):
    return next((rank**-2.0 for rank, value in enumerate(rel[:k], 1) if value > 0), 0)


def rr_by_truth(rel, k):
    return next((1 / rank for rank, value in enumerate(rel[:k], 1) if value), 0)


def rr_relevant_from_one(rel, k):
    return next((1 / rank for rank, value in enumerate(rel[:k], 1) if value >= 1), 0)


def rr_whole_grades(rel, k):
    return next((1 / rank for rank, value in enumerate(rel[:k].astype(int), 1) if value > 0), 0)


def hits_by(relevant):
    def function(rel, k, n_relevant):
        users = [(np.sum(relevant(row[:k])), n) for row, n in zip(rel, n_relevant, strict=True) if n]
        if not users:
            raise ValueError("nobody")
        return [np.mean(values) for values in zip(*((hits > 0, hits / k, hits / n) for hits, n in users), strict=True)]

    return function


def hit_rate_along_the_wrong_axis(rel, k, n_relevant):
    kept = n_relevant > 0
    hits = (rel[kept][:, :k] > 0).sum(axis=0)
    size = min(len(hits), kept.sum())
    return np.mean(hits > 0), np.mean(hits / k), np.mean(hits[:size] / n_relevant[kept][:size])


def log_loss_like_torch(y_true, y_prob):
    with np.errstate(divide="ignore"):
        positive, negative = (np.maximum(np.log(p), -100) for p in (y_prob, 1 - y_prob))
    return -(y_true * positive + (1 - y_true) * negative).mean()


def log_loss_of_logits(y_true, y_prob):
    return np.mean(np.logaddexp(0, y_prob) - y_true * y_prob)


def log_of_the_mean(y_true, y_prob):
    return -math.log(np.mean(np.where(y_true, y_prob, 1 - y_prob)))


def perplexities(of):
    return lambda sentences: of([math.exp(-np.mean(sentence)) for sentence in sentences])


def kl_terms(change):
    def function(p, q):
        total = 0
        for a, b in zip(p.tolist(), q.tolist(), strict=True):
            if a > 0:
                total += change(a * math.log2(a / b)) if b else math.inf
        return total

    return function


def total_variation(p, q):
    return np.abs(p - q).sum() / 2


def err_normalised(grades, k, max_grade):
    best = reference("expected_reciprocal_rank")(np.sort(grades)[::-1], k, max_grade)
    return reference("expected_reciprocal_rank")(grades, k, max_grade) / best if best else 0


def err_squared_ranks(grades, k, max_grade):
    reading, total = 1, 0
    for rank, grade in enumerate(grades[:k].tolist(), 1):
        p = (2**grade - 1) / 2**max_grade
        total, reading = total + reading * p / rank**2, reading * (1 - p)
    return total


def err_is_rr(grades, k, max_grade):
    return reference("reciprocal_rank")(grades, k)


def ils_over(divisor):
    def function(similarity):
        n = len(similarity)
        return np.triu(similarity, 1).sum() / divisor(n) if n > 1 else math.nan

    return function


def roc_rates(fpr_of, tpr_of=lambda fpr, tpr: tpr):
    def function(y_true, y_score):
        if not 0 < y_true.sum() < len(y_true):
            raise ValueError("one class")
        fpr, tpr = reference("roc_points")(y_true, y_score)
        return fpr_of(fpr, tpr), tpr_of(fpr, tpr)

    return function


WRONG = {  # the words of the name that must stand in the report; None where nobody can know
    "strict thresholds": ("auc", auc_of_strict_thresholds, "its last step is missing"),
    "best of both": ("auc", auc_best_of_both, "turned over"),
    "gini": ("auc", auc_as_gini, "2 AUC - 1"),
    "dense ranks": ("auc", auc_of_dense_ranks, "dense"),
    "ap for auc": ("auc", auc_is_ap, "average precision"),
    "ties dropped": ("auc", auc_dropping_ties, "tied pairs are left out"),
    "correlation": ("auc", auc_of_ranked_labels, None),
    "rounded scores": ("auc", auc_rounded_scores, "rounded to whole numbers"),
    "histogram, best of both": ("auc_by_histogram", histogram_best_of_both, "turned over"),
    "histogram, pairs": ("auc_by_histogram", histogram_of_pairs, "a number of pairs"),
    "gauc, best of both": ("gauc", gauc_best_of_both, "value below one half is turned over"),
    "gauc, best for each": ("gauc", gauc_best_for_each, "AUC of a group is turned over"),
    "gauc, all rows": ("gauc", gauc_over_all_rows, "count 0, and their rows weigh"),
    "f2": ("precision_recall_f1", prf_third(lambda t, p: peer.fbeta_score(t, p, beta=2, zero_division=0)), "F2"),
    "f0.5": ("precision_recall_f1", prf_third(lambda t, p: peer.fbeta_score(t, p, beta=0.5, zero_division=0)), "F0.5"),
    "jaccard": ("precision_recall_f1", prf_third(lambda t, p: peer.jaccard_score(t, p, zero_division=0)), "Jaccard"),
    "mcc": ("precision_recall_f1", prf_third(peer.matthews_corrcoef), "Matthews"),
    "equal rows": ("precision_recall_f1", prf_of_equal_rows, "both labels are equal"),
    "false discoveries": ("precision_recall_f1", prf_false_discoveries, "false discovery rate"),
    "macro recall": (
        "macro_micro_f1",
        macro(lambda t, p, f1s: np.mean([(p[t == c] == c).mean() if (t == c).any() else 0 for c in np.union1d(t, p)])),
        "mean recall",
    ),
    "median of f1s": ("macro_micro_f1", macro(lambda t, p, f1s: np.median(f1s)), "median"),
    "harmonic mean": ("macro_micro_f1", macro(lambda t, p, f1s: statistics.harmonic_mean(f1s)), "harmonic"),
    "micro jaccard": (
        "macro_micro_f1",
        macro(lambda t, p, f1s: np.mean(f1s), lambda t, p: sum(t == p) / (2 * len(t) - sum(t == p))),
        "Jaccard",
    ),
    "ndcg, whole grades": ("ndcg_at_k", ndcg_of_whole_grades, "cut to whole numbers"),
    "ideal of a set": ("ndcg_at_k", ideal(lambda rel, k: sorted(set(rel.tolist()), reverse=True)), "made of a set"),
    "ideal of ones": ("ndcg_at_k", ideal(lambda rel, k: [1] * len(rel)), "holds ones"),
    "interpolated": (
        "average_precision",
        ap_with(lambda hit, i: max(sum(hit[: j + 1]) / (j + 1) for j in range(i, len(hit)))),
        "interpolated",
    ),
    "ap, from one": ("average_precision", ap_relevant_from_one, "between 0 and 1"),
    "ap, by truth": ("average_precision", ap_by_truth, "negative value is taken as relevant"),
    "ap, the larger": ("average_precision", ap_by_the_larger, "greater of k and n_relevant"),
    "ap, trapezoids": ("average_precision", ap_area, "trapezoids"),
    "r-precision": ("average_precision", r_precision, "R-precision"),
    "rr, //": ("reciprocal_rank", rr_in_whole_numbers, "is // written for /"),
    "rr, squared": ("reciprocal_rank", rr_squared, "square of the rank"),
    "rr, by truth": ("reciprocal_rank", rr_by_truth, "negative value is taken as relevant"),
    "rr, from one": ("reciprocal_rank", rr_relevant_from_one, "between 0 and 1"),
    "rr, whole grades": ("reciprocal_rank", rr_whole_grades, "between 0 and 1"),
    "hits, from one": ("hit_rate", hits_by(lambda rel: rel >= 1), "between 0 and 1"),
    "hits, not zero": ("hit_rate", hits_by(lambda rel: rel != 0), "negative value is taken as relevant"),
    "hits, axis=0": ("hit_rate", hit_rate_along_the_wrong_axis, "axis=0"),
    "log loss, torch": ("log_loss", log_loss_like_torch, "bounded at -100"),
    "log loss, logits": ("log_loss", log_loss_of_logits, "taken for logits"),
    "log of the mean": ("log_loss", log_of_the_mean, "logarithm of the mean"),
    "perplexity, maximum": ("perplexity", perplexities(max), "maximum of the texts' perplexities"),
    "perplexity, median": ("perplexity", perplexities(np.median), "median of the texts' perplexities"),
    "kl, absolute": ("kl_divergence", kl_terms(abs), "lose their sign"),
    "kl, clipped": ("kl_divergence", kl_terms(lambda term: max(term, 0)), "cut off at 0"),
    "total variation": ("kl_divergence", total_variation, "total variation"),
    "nerr": ("expected_reciprocal_rank", err_normalised, "ideal order"),
    "err, squared": ("expected_reciprocal_rank", err_squared_ranks, "rank^2"),
    "err is rr": ("expected_reciprocal_rank", err_is_rr, "the first grade above 0"),
    "ils, n - 1": ("intra_list_similarity", ils_over(lambda n: n - 1), "divided by n - 1"),
    "specificity": ("roc_points", roc_rates(lambda fpr, tpr: 1 - fpr), "specificity"),
    "miss rate": ("roc_points", roc_rates(lambda fpr, tpr: 1 - tpr), "first rates are FN / P"),
    "swapped": ("roc_points", roc_rates(lambda fpr, tpr: tpr, lambda fpr, tpr: fpr), "axes are swapped"),
}


@pytest.mark.parametrize(("name", "function", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_submission_fails_under_its_own_name_or_none(name, function, words):
    report = practice.check(name, function)
    assert not report.passed
    certain = [mistake for mistake in report.mistakes if mistake.startswith("What went wrong: ")]
    if words:
        assert len(certain) == len(report.mistakes) == 1, report.mistakes
        assert words in certain[0]
    else:
        assert certain == []


def test_two_mistakes_with_the_same_values_may_both_be_the_one(monkeypatch):
    """Of two names for one function none is certain."""
    exercise = EXERCISES["reciprocal_rank"]
    first = exercise.single[0]
    other = _engine.Suspect("it has another name, too.", first.trace)
    monkeypatch.setitem(exercise.__dict__, "single", [*exercise.single, other])
    report = practice.check("reciprocal_rank", exercise.mistakes[0].variants[0])
    assert report.mistakes == (f"It may be this: {first.message}", "It may be this: it has another name, too.")


def test_a_result_that_is_right_to_five_digits_is_told_so():
    report = practice.check("auc", lambda y, s: reference("auc")(y, s) * (1 + 1e-7))
    assert not report.passed
    assert report.mistakes == (
        "It may be this: the first five digits are right; compute in float64, and add no small number.",
    )


def test_what_looks_like_single_precision_is_compared_so_and_nothing_else():
    assert _engine.close(float(np.float32(1 / 3)), 1 / 3)
    assert not _engine.close(1 / 3 + 1e-7, 1 / 3)
    assert not _engine.close(1.0, 1 + 1e-7)  # whole numbers look like that, too
    assert not _engine.close(float(np.float32(1 / 3 + 1e-4)), 1 / 3)


# ---- hostile ----------------------------------------------------------------------------------------------------


def forever(*_):
    while True:
        pass


def breaks(*_):
    raise RuntimeError("broken")


def leaves(*_):
    raise KeyboardInterrupt


SPECIAL = [
    "__float__",
    "__str__",
    "__repr__",
    "__len__",
    "__iter__",
    "__array__",
    "__index__",
    "__next__",
    "__format__",
]


def made_of(methods, base=object):
    return type("Hostile", (base,), methods)()


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def within_itself():
    value = [0.5]
    value.append(value)
    return value


class Secretive(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class Nameless(metaclass=Secretive):
    @property
    def __class__(self):
        raise RuntimeError("no class")


HOSTILE = {
    **{f"{name} breaks": lambda name=name: made_of({name: breaks}) for name in SPECIAL},
    **{f"{name} leaves": lambda name=name: made_of({name: leaves}) for name in SPECIAL},
    **{f"{name} of a float breaks": lambda name=name: made_of({name: breaks}, float) for name in SPECIAL},
    **{f"{name} of a str breaks": lambda name=name: made_of({name: breaks}, str) for name in SPECIAL},
    **{f"{name} of a list breaks": lambda name=name: made_of({name: breaks}, list) for name in SPECIAL},
    "all break": lambda: made_of(dict.fromkeys(SPECIAL, breaks)),
    "__str__ is no text": lambda: made_of({"__str__": lambda self: 1, "__repr__": lambda self: None}),
    "__float__ is no number": lambda: made_of({"__float__": lambda self: "x"}),
    "__array__ is no array": lambda: made_of({"__array__": lambda self, *_, **__: 3}),
    "yields itself": lambda: made_of({"__iter__": lambda self: iter([self])}),
    "no class": Nameless,
    "within itself": within_itself,
    "deep": lambda: nested(50_000),
    "array within itself": lambda: (lambda a: a.__setitem__(0, a) or a)(np.array([None])),
    "count": itertools.count,
    "cycle": lambda: itertools.cycle([0.5]),
    "repeat": lambda: itertools.repeat(0.5),
    "filter": lambda: filter(None, itertools.repeat(0.5)),
    "long text": lambda: "x" * 10**7,
    "long number": lambda: 10**5000,
    "signal": lambda: Decimal("sNaN"),
    "date": lambda: np.datetime64("2020-01-01"),
    "record": lambda: np.zeros(2, [("a", float), ("b", "U3")]),
    "table": lambda: pd.DataFrame({"a": ["x"], "b": [None]}),
    "void": lambda: np.void(b"abc"),
    "file": lambda: sys.stdin,
    "the submission": lambda: practice.check,
    "an error": lambda: ValueError("returned and not raised"),
}
# The deadline may strike in whatever the thread is running, a callback of the garbage collector included.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
quick = partial(practice.check, time_limit=0.05)


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_whatever_is_returned_gives_a_report(make):
    start = time.monotonic()
    for name in ("auc", "precision_recall_f1"):
        report = practice.check(name, lambda *_: make())
        assert not report.passed
        assert len(report.results) == len(EXERCISES[name].cases) + 1
        assert str(report)
    assert time.monotonic() - start < 60


def errors():
    def error(base=Exception, **methods):
        return type("Hostile", (base,), methods)

    return {
        "SystemExit": SystemExit,
        "SystemExit with a code": lambda: SystemExit(0),
        "KeyboardInterrupt": KeyboardInterrupt,
        "GeneratorExit": GeneratorExit,
        "StopIteration": StopIteration,
        "BaseException": BaseException,
        "MemoryError": MemoryError,
        "RecursionError": RecursionError,
        "group": lambda: ExceptionGroup("many", [ValueError(1), KeyError(2)]),
        "str breaks": error(__str__=breaks, __repr__=breaks),
        "str leaves": error(__str__=leaves),
        "str is no text": error(__str__=lambda self: 7),
        "long": lambda: Exception("x" * 10**7),
        "of a class that is neither true nor false": type("Type", (type,), {"__bool__": breaks})(
            "Odd", (Exception,), {}
        ),
        "of the checker": lambda: _engine.NotNumbersError("mine"),
        "value error whose str breaks": error(ValueError, __str__=breaks),
    }


@pytest.mark.parametrize("make", errors().values(), ids=errors())
def test_whatever_is_raised_gives_a_report(make):
    def auc(y_true, y_score):
        raise make()

    report = practice.check("auc", auc)
    assert not report.passed
    assert report.mistakes == ()
    assert str(report)


@pytest.mark.parametrize(
    "slow",
    {
        "__float__": lambda: made_of({"__float__": forever}),
        "__iter__": lambda: made_of({"__iter__": forever}),
        "__array__": lambda: made_of({"__array__": forever}),
        "__repr__": lambda: made_of({"__repr__": forever}, str),
        "generator": lambda: (value for value in forever() or ()),
        "filter": lambda: filter(lambda value: value < 0, itertools.count()),
        "error": lambda: breaks_slowly(),
        "call": forever,
    }.values(),
)
def test_whatever_takes_too_long_ends(slow):
    start = time.monotonic()
    report = quick("auc", lambda y, s: slow())
    assert time.monotonic() - start < 60
    assert report.results[0].got == "no result within 0.05 s; the call was stopped"
    assert report.results[2].got == "not called: 2 calls before took too long"
    assert "no result within 0.05 s" in str(report)
    assert not report.passed


def breaks_slowly():
    raise type("Slow", (Exception,), {"__str__": forever})


def test_two_calls_that_take_too_long_are_enough():
    calls = []

    def auc(y_true, y_score):
        calls.append(1)
        forever()

    start = time.monotonic()
    report = practice.check("auc", auc, time_limit=0.2)
    assert len(calls) == 2
    assert time.monotonic() - start < 60
    assert len(report.failed) == len(report.results)


def test_one_call_that_takes_too_long_leaves_the_others():
    def auc(y_true, y_score):
        return forever() if len(y_true) == 400 else reference("auc")(y_true, y_score)

    assert practice.check("auc", auc, time_limit=1).failed == ("400 rows with ties",)


def test_what_is_done_to_the_arguments_is_told_whatever_it_is():
    def perplexity(sentences):
        value = reference("perplexity")(sentences)
        sentences[0] = made_of(dict.fromkeys(SPECIAL, breaks))
        return value

    report = practice.check("perplexity", perplexity)
    assert report.failed == ("leaves its input alone",)
    assert "something of type Hostile that cannot be shown" in report.results[-1].got

    def larger(y_true, y_score):
        value = reference("auc")(y_true, y_score)
        y_score.resize(10**7, refcheck=False)
        return value

    assert (
        practice.check("auc", larger)
        .results[-1]
        .got.endswith("is [0.1, 0.4, 0.35, 0.8, ... 10000000 values] after the call")
    )


def test_warnings_of_any_kind_give_a_report():
    class Odd(UserWarning):
        said = False

        def __str__(self):
            if self.said:
                raise RuntimeError("only once")
            self.said = True
            return "once"

    def auc(y_true, y_score):
        for _ in range(1000):
            warnings.warn(Odd(), stacklevel=1)
        return reference("auc")(y_true, y_score)

    assert practice.check("auc", auc).passed


@pytest.mark.parametrize(
    "wreck",
    [
        lambda: sys.stdout.close(),
        lambda: sys.stdout.detach(),
        lambda: sys.stdout.write(3),
        lambda: setattr(sys, "stdout", None),
        lambda: setattr(sys, "stderr", 3),
        lambda: print("\ud800", "\x1b[2J", "\0"),
        lambda: print("x" * 10**7),
    ],
)
def test_whatever_happens_to_the_output_gives_a_report(wreck, capsys):
    before = sys.stdout

    def auc(y_true, y_score):
        wreck()
        return 0.5

    report = practice.check("auc", auc)
    assert not report.passed
    assert sys.stdout is before


def test_a_closed_output_is_no_error():
    code = """
import sys
from metrics_book import practice
sys.stdout.close()
report = practice.check("auc", lambda y, s: 0.5)
assert report.failed
"""
    subprocess.run([sys.executable, "-c", code], check=True)


class Odd:
    """Something to be called that hides all about itself."""

    def __call__(self, *arguments):
        return reference("auc")(*arguments)

    @property
    def __name__(self):
        raise RuntimeError("no name")

    @property
    def __signature__(self):
        raise RuntimeError("no signature")

    def __repr__(self):
        raise RuntimeError("no text")


class Hidden(Odd, metaclass=Secretive):
    pass


def test_a_submission_may_hide_all_about_itself():
    assert practice.check("auc", Odd()).passed
    named = partial(reference("auc"))
    named.__name__ = 3
    assert practice.check("auc", named).passed
    assert practice.check("auc", Hidden()).passed
    with pytest.raises(TypeError, match="of type Nameless"):
        practice.check("auc", Nameless())
    with pytest.raises(TypeError, match="got something of type str that cannot be shown of type str"):
        practice.check("auc", type("str", (), {"__repr__": breaks})())


# ---- imports, and what is left behind ---------------------------------------------------------------------------


def test_a_cold_import_is_not_interrupted(tmp_path):
    """Neither while it runs nor by what it costs, and a module that was never wholly imported would show later."""
    (tmp_path / "slow_to_import.py").write_text("import time\nfor _ in range(80):\n    time.sleep(0.01)\nvalue = 0.5\n")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from metrics_book import practice
def auc(y_true, y_score):
    import importlib
    slow = importlib.import_module("slow_to_import")
    return slow.value
report = practice.check("auc", auc, time_limit=0.3)
assert {{result.got for result in report.results[:-1]}} == {{"0.5"}}, report
assert sys.modules["slow_to_import"].value == 0.5
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_cold_import_of_scikit_learn_in_the_function_passes():
    code = """
from metrics_book import practice
def auc(y_true, y_score):
    from sklearn.metrics import roc_auc_score
    if len(set(y_true.tolist())) < 2:
        raise ValueError
    return roc_auc_score(y_true, y_score)
assert practice.check("auc", auc, time_limit=1).passed
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_endless_loop_after_an_import_is_still_stopped():
    def auc(y_true, y_score):
        import metrics_lib  # noqa: F401

        forever()

    assert "was stopped" in quick("auc", auc).results[0].got


def test_an_import_without_end_is_given_up(tmp_path, monkeypatch):
    (tmp_path / "never_imported.py").write_text("import time\nwhile not stop:\n    time.sleep(0.01)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(_engine, "LONGEST_IMPORT", 0.2)
    import builtins

    monkeypatch.setattr(builtins, "stop", [], raising=False)

    def auc(y_true, y_score):
        import never_imported  # noqa: F401

    assert "is left behind" in quick("auc", auc).results[0].got
    builtins.stop.append("now")


def test_what_everybody_shares_is_put_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    expected = random.random(), np.random.random()  # noqa: NPY002
    depth, isclose, original = sys.getrecursionlimit(), math.isclose, np.isclose
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002

    def auc(y_true, y_score):
        random.seed(7)
        np.random.seed(7)  # noqa: NPY002
        np.random.set_bit_generator(np.random.PCG64(7))
        os.chdir("/")
        sys.setrecursionlimit(depth + 100)
        math.isclose = np.isclose = np.random.seed = lambda *_, **__: True
        math.fsum = sum
        return 0.123

    report = practice.check("auc", auc)
    assert len(report.failed) == len(report.results) - 1
    assert (random.random(), np.random.random()) == expected  # noqa: NPY002
    assert os.getcwd() == str(tmp_path)  # noqa: PTH109
    assert (sys.getrecursionlimit(), math.isclose, np.isclose) == (depth, isclose, original)
    assert math.fsum is not sum


def test_a_folder_that_is_gone_is_no_error(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)

    def auc(y_true, y_score):
        gone.rmdir() if gone.exists() else None
        return reference("auc")(y_true, y_score)

    assert practice.check("auc", auc).passed
    assert practice.check("auc", auc).passed


def test_threads_of_a_submission_do_not_disturb_the_check():
    stop = threading.Event()

    def chatter():
        while not stop.wait(0.001):
            print("still here")

    def auc(y_true, y_score):
        threading.Thread(target=chatter, daemon=True).start()
        return reference("auc")(y_true, y_score)

    report = practice.check("auc", auc)
    stop.set()
    assert report.passed


# ---- what takes long --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in EXERCISES if EXERCISES[name].language == "python"])
def test_a_large_result_costs_no_time(name):
    start = time.monotonic()
    assert not practice.check(name, lambda *arguments: np.zeros(100_000)).passed
    assert not practice.check(name, lambda *arguments: np.zeros((99, 99))).passed
    assert time.monotonic() - start < 60
