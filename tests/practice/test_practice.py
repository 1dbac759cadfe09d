"""The checked exercises: right solutions pass, each usual mistake is named, and no submission brings the check down."""

import contextlib
import functools
import inspect
import itertools
import math
import re
import sys
import time
import warnings
from fractions import Fraction
from html import unescape

import numpy as np
import pytest
from markdown_it import MarkdownIt
from sklearn import metrics as peer

import metrics_lib
from metrics_book import practice
from metrics_book.practice import _EXERCISES as EXERCISES
from metrics_book.practice import _engine
from tests.practice.queries import handed_in
from tests.registries import ROOT

NAMES = list(EXERCISES)
APPROACHES = [(name, approach) for name in NAMES for approach in EXERCISES[name].approaches]
MISTAKES = [
    pytest.param(name, mistake.message, variant, id=f"{name}-{number}-{form}")
    for name in NAMES
    for number, mistake in enumerate(EXERCISES[name].mistakes)
    for form, variant in enumerate(mistake.variants)
]
IN_PYTHON = [name for name in NAMES if EXERCISES[name].language == "python"]
each_exercise = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=NAMES)


def got(function, name="auc", **options):
    """What the first test shows as having come."""
    return practice.check(name, function, **options).results[0].got


def right_auc(y_true, y_score):
    return metrics_lib.roc_auc_score(y_true, y_score) if 0 < y_true.sum() < len(y_true) else math.nan


# ---- the exercises ----------------------------------------------------------------------------------------------


def test_there_are_twenty_exercises_in_order_of_demand():
    assert practice.exercises() == (
        "auc",
        "gauc",
        "precision_recall_f1",
        "ndcg_at_k",
        "average_precision",
        "reciprocal_rank",
        "macro_micro_f1",
        "hit_rate",
        "log_loss",
        "perplexity",
        "kl_divergence",
        "expected_reciprocal_rank",
        "intra_list_similarity",
        "roc_points",
        "auc_by_histogram",
        "auc_sql",
        "gauc_sql",
        "cohen_kappa",
        "expected_calibration_error",
        "bootstrap_interval",
    )
    lines = repr(practice.exercises()).splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    assert all(exercise.title in line for exercise, line in zip(EXERCISES.values(), lines, strict=True))


@each_exercise
def test_an_exercise_is_complete(exercise):
    assert 6 <= len(exercise.cases) <= 13
    assert len({case.name for case in exercise.cases}) == len(exercise.cases)
    assert len(exercise.hints) == 3
    assert 2 <= len(exercise.approaches) <= 3
    messages = [mistake.message for mistake in exercise.mistakes]
    assert len(set(messages)) == len(messages) >= 11
    assert re.search(r"[\u4e00-\u9fff]", exercise.title)
    assert any(line.startswith("Return") for line in exercise.task)


@each_exercise
def test_a_task_says_what_is_undefined(exercise):
    values = [_engine.quiet(exercise.reference, case).trace for case in exercise.cases]
    has_undefined = any(map(_engine.undefined, values))
    word = "nan" if exercise.language == "python" else "NULL"
    assert has_undefined == any("0/0" in line and word in line for line in exercise.task)


@each_exercise
def test_the_data_are_as_many_as_their_name_says(exercise):
    for case in exercise.cases:
        number = re.match(r"(\d+) (?:rows|items|events|normal scores|resamples)", case.name)
        if number:
            assert len(case.arguments[exercise.name == "bootstrap_interval"]) == int(number[1])
        if case.name == "60 users":
            users = case.arguments[0 if exercise.name == "gauc_sql" else 2]
            assert len(users if exercise.name == "hit_rate" else set(users.tolist())) == 60


@pytest.mark.parametrize(
    ("name", "approach"),
    APPROACHES,
    ids=lambda value: getattr(value, "function", value).__name__ if not isinstance(value, str) else value,
)
def test_a_correct_approach_passes(name, approach):
    report = practice.check(name, approach.function)
    assert report.passed, report
    assert not report.failed
    assert report.mistakes == ()


@pytest.mark.parametrize(("name", "message", "variant"), MISTAKES)
def test_a_usual_mistake_is_named_and_no_other(name, message, variant):
    report = practice.check(name, handed_in(EXERCISES[name], variant))
    assert not report.passed
    assert report.mistakes == (f"What went wrong: {message}",)
    assert " ".join(str(report).split()).count("What went wrong") == 1


@pytest.mark.parametrize(
    ("name", "function"),
    {
        "auc": metrics_lib.roc_auc_score,
        "gauc": metrics_lib.gauc,
        "ndcg_at_k": metrics_lib.ndcg,
        "average_precision": metrics_lib.average_precision,  # by name: n_relevant is no third argument
        "reciprocal_rank": metrics_lib.reciprocal_rank,
        "perplexity": metrics_lib.corpus_perplexity,
        "kl_divergence": metrics_lib.kl_divergence,
        "expected_reciprocal_rank": metrics_lib.expected_reciprocal_rank,
        "intra_list_similarity": metrics_lib.intra_list_similarity,
    }.items(),
)
def test_the_function_of_the_library_passes(name, function):
    assert practice.check(name, function).passed


def test_the_expected_log_loss_is_that_of_the_peer():
    exercise = EXERCISES["log_loss"]
    for case in exercise.cases:
        y_true, y_prob = map(np.array, case.arguments)
        assert math.isclose(
            exercise.reference(y_true, y_prob), peer.log_loss(y_true, y_prob, labels=[0, 1]), abs_tol=1e-12
        )


def test_the_expected_kappa_is_that_of_the_peer():
    for case, value in zip(EXERCISES["cohen_kappa"].cases, EXERCISES["cohen_kappa"].expected, strict=True):
        if not math.isnan(value):
            assert math.isclose(value, peer.cohen_kappa_score(*case.arguments), abs_tol=1e-12)


def test_the_expected_calibration_error_is_that_of_its_definition():
    """Each bin in exact fractions of its edges."""
    exercise = EXERCISES["expected_calibration_error"]
    for case, value in zip(exercise.cases, exercise.expected, strict=True):
        y_true, y_prob, bins = case.arguments
        total = 0.0
        for b in range(bins):
            low, high = Fraction(b, bins), Fraction(b + 1, bins)
            rows = [i for i, p in enumerate(y_prob) if low < Fraction(p) <= high or (b == 0 and p == 0)]
            total += abs(math.fsum(y_true[i] - y_prob[i] for i in rows)) / len(y_true)
        assert math.isclose(value, total, abs_tol=1e-12)


def test_the_bound_of_the_histogram_holds():
    exercise = EXERCISES["auc_by_histogram"]
    for case in exercise.cases:
        y_true, y_score, _ = map(_engine.fresh, case.arguments)
        value, bound = _engine.quiet(exercise.reference, case).value
        if 0 < y_true.sum() < len(y_true):
            exact = peer.roc_auc_score(y_true, y_score)
            assert abs(value - exact) <= bound + 1e-12
            assert bound < 0.5 or case.name in ("all scores equal", "one bin")


def test_first_cases_by_hand():
    """From the definitions, in exact fractions."""
    first = {name: EXERCISES[name].cases[0] for name in NAMES}
    half, third = Fraction(1, 2), Fraction(1, 3)
    by_hand = {
        "auc": Fraction(3, 4),
        "gauc": (2 * 0 + 5 * Fraction(5, 6)) / 7,
        "precision_recall_f1": (Fraction(3, 4), Fraction(3, 5), Fraction(2, 3)),
        "average_precision": (1 + Fraction(2, 3) + Fraction(3, 5)) / 3,
        "reciprocal_rank": third,
        "macro_micro_f1": ((Fraction(4, 5) + half + Fraction(2, 3)) / 3, Fraction(2, 3)),
        "hit_rate": (Fraction(2, 3), (Fraction(2, 3) + third) / 3, (1 + half) / 3),
        "perplexity": 10,
        "expected_reciprocal_rank": Fraction(7, 8) + half * Fraction(1, 8) * Fraction(3, 8),
        "intra_list_similarity": half,
        "roc_points": ((0, 0, half, half, 1), (0, half, half, 1, 1)),
        "auc_by_histogram": (half, Fraction(1, 4)),
        "auc_sql": Fraction(3, 4),
        "gauc_sql": (2 * 0 + 5 * Fraction(5, 6)) / 7,
        "cohen_kappa": (Fraction(7, 10) - half) / half,
        "expected_calibration_error": half * (half - Fraction(1, 5)) + half * (1 - Fraction(3, 4)),
        "bootstrap_interval": (Fraction(4, 3), Fraction(10, 3)),
    }
    for name, value in by_hand.items():
        assert _engine.close(_engine.quiet(EXERCISES[name].reference, first[name]).trace, _engine.plain(value)), name
    logs = {"log_loss": math.log(2), "kl_divergence": math.log2(2 / 3) / 2 + half * 1}
    logs["ndcg_at_k"] = sum(g / math.log2(i + 2) for i, g in enumerate([3, 2, 3, 0, 1, 2])) / sum(
        g / math.log2(i + 2) for i, g in enumerate([3, 3, 2, 2, 1, 0])
    )
    for name, value in logs.items():
        assert math.isclose(_engine.quiet(EXERCISES[name].reference, first[name]).value, value), name


# ---- mistakes as readers make them ------------------------------------------------------------------------------


def auc_sorted_rows(y_true, y_score):
    won = below = 0
    for _, label in sorted(zip(y_score, y_true, strict=True), key=lambda row: row[0]):
        if label:
            won += below
        else:
            below += 1
    pairs = int(sum(y_true)) * below
    return won / pairs if pairs else math.nan


def auc_with_ranks_of_argsort(y_true, y_score):
    rank = np.empty(len(y_score))
    rank[np.argsort(y_score, kind="stable")] = np.arange(1, len(y_score) + 1)
    pos, neg = y_true.sum(), len(y_true) - y_true.sum()
    if not pos * neg:
        raise ValueError("one class")
    return (rank[y_true == 1].sum() - pos * (pos + 1) / 2) / (pos * neg)


def auc_turned(y_true, y_score):
    pairs = list(itertools.product(y_score[y_true == 1], y_score[y_true == 0]))
    return sum((p < n) + 0.5 * (p == n) for p, n in pairs) / len(pairs) if pairs else float("nan")


def auc_in_a_hundred_bins(y_true, y_score):
    pos, neg = [0] * 100, [0] * 100
    for label, score in zip(y_true, y_score, strict=True):
        (pos if label else neg)[int(score * 100)] += 1
    total = sum(p * (sum(neg[:b]) + neg[b] / 2) for b, p in enumerate(pos))
    return float(total) / (sum(pos) * sum(neg)) if sum(pos) * sum(neg) else math.nan


def gauc_unweighted(y_true, y_score, groups):
    values = []
    for group in set(groups.tolist()):
        rows = groups == group
        value = right_auc(y_true[rows], y_score[rows])
        if not math.isnan(value):
            values.append(value)
    return np.mean(values) if values else math.nan


def gauc_of_runs(y_true, y_score, groups):
    total = weight = 0
    for _, rows in itertools.groupby(range(len(groups)), key=lambda i: groups[i]):
        rows = list(rows)
        value = right_auc(y_true[rows], y_score[rows])
        if not math.isnan(value):
            total, weight = total + len(rows) * value, weight + len(rows)
    return total / weight if weight else math.nan


def f1_arithmetic(y_true, y_pred):
    hits = sum(1 for t, p in zip(y_true, y_pred, strict=True) if t == p == 1)
    precision = hits / sum(y_pred) if sum(y_pred) else 0
    recall = hits / sum(y_true) if sum(y_true) else 0
    return precision, recall, (precision + recall) / 2


def ndcg_of_the_top(rel, k):
    top = list(rel)[:k]
    gain = sum(g / math.log2(i + 2) for i, g in enumerate(top))
    best = sum(g / math.log2(i + 2) for i, g in enumerate(sorted(top, reverse=True)))
    if not any(rel):
        return math.nan
    return gain / best if best else 0.0


def ap_over_hits(rel, k, n_relevant):
    precisions = [(rel[: i + 1] > 0).sum() / (i + 1) for i in range(min(k, len(rel))) if rel[i] > 0]
    if not n_relevant:
        return None or math.nan
    return sum(precisions) / len(precisions) if precisions else 0


def rr_from_zero(rel, k):
    for i, value in enumerate(rel[:k].tolist()):
        if value > 0:
            return 1 / i
    return 0


def macro_of_means(y_true, y_pred):
    precisions, recalls = [], []
    for c in set(y_true.tolist()) | set(y_pred.tolist()):
        hits = ((y_true == c) & (y_pred == c)).sum()
        precisions.append(hits / max(1, (y_pred == c).sum()))
        recalls.append(hits / max(1, (y_true == c).sum()))
    p, r = np.mean(precisions), np.mean(recalls)
    return [2 * p * r / (p + r) if p + r else 0.0, np.mean(y_true == y_pred)]


def pooled_hit_rate(rel, k, n_relevant):
    users = [(sum(v > 0 for v in row[:k]), n) for row, n in zip(rel, n_relevant, strict=True) if n]
    if not users:
        raise ValueError("nobody")
    rate = sum(h for h, _ in users) / sum(n for _, n in users)
    return rate, np.mean([h / k for h, _ in users]), np.mean([h / n for h, n in users])


def log_loss_without_clip(y_true, y_prob):
    total = 0
    for y, p in zip(y_true.tolist(), y_prob.tolist(), strict=True):
        total += -math.log(p) if y == 1 else -math.log(1 - p)
    return total / len(y_true)


def log_loss_clipped_late(y_true, y_prob):
    p = np.minimum(np.maximum(y_prob, 1e-15), 1 - 1e-15)
    return -np.mean(y_true * np.log(p) + (1 - y_true) * np.log(1 - p))


def perplexity_of_texts(sentences):
    return sum(math.exp(-sum(s) / len(s)) for s in sentences) / len(sentences)


def kl_in_nats(p, q):
    return sum(a * math.log(a / b) if b else math.inf for a, b in zip(p.tolist(), q.tolist(), strict=True) if a)


def kl_with_epsilon(p, q):
    return np.sum(p * np.log2((p + 1e-12) / (q + 1e-12)))


def err_without_scale(grades, k, max_grade):
    top, value, reading = max(grades), 0, 1
    for i, g in enumerate(grades[:k].tolist(), start=1):
        p = (2**g - 1) / 2**top
        value, reading = value + reading * p / i, reading * (1 - p)
    return value


def ils_with_diagonal(similarity):
    return similarity.mean() if len(similarity) > 1 else math.nan


def roc_without_start(y_true, y_score):
    if not 0 < y_true.sum() < len(y_true):
        raise ValueError("one class")
    cuts = sorted(set(y_score), reverse=True)
    return [[(y_score[y_true == c] >= cut).mean() for cut in cuts] for c in (0, 1)]


def histogram_on_the_unit_interval(y_true, y_score, bins):
    pos, neg = (np.histogram(y_score[y_true == c], bins=bins, range=(0, 1))[0] for c in (1, 0))
    pairs = pos.sum() * neg.sum()
    if not pairs:
        return math.nan, math.nan
    below = np.cumsum(neg) - neg
    return np.dot(pos, below + neg / 2) / pairs, np.dot(pos, neg) / pairs / 2


def auc_with_ranks_from_zero(y_true, y_score):
    rank = np.argsort(np.argsort(y_score, kind="stable"))
    pos, neg = y_true.sum(), (1 - y_true).sum()
    return (rank[y_true == 1].sum() - pos * (pos + 1) / 2) / (pos * neg) if pos * neg else math.nan


def three_with_epsilon(y_true, y_pred):
    hits = (y_true * y_pred).sum()
    p, r = hits / (y_pred.sum() + 1e-8), hits / (y_true.sum() + 1e-8)
    return p, r, 2 * p * r / (p + r + 1e-8)


def ndcg_of_one_rank_more(rel, k):
    def dcg(grades):
        return sum(grades[i] / math.log2(i + 2) for i in range(min(k + 1, len(grades))))

    return dcg(rel) / dcg(sorted(rel, reverse=True)) if any(rel) else math.nan


def ap_counted_late(rel, k, n_relevant):
    hits = total = 0
    for rank, value in enumerate(rel[:k], start=1):
        if value > 0:
            total += hits / rank
            hits += 1
    return total / n_relevant if n_relevant else math.nan


def rr_of_first_item(rel, k):
    for rank, value in enumerate(rel[:k], start=1):
        if value > 0:
            return 1 / rank
        return 0
    return None  # no list is empty


def macro_from_rates(y_true, y_pred):
    values = []
    for c in np.union1d(y_true, y_pred):
        hits = int(((y_true == c) & (y_pred == c)).sum())
        p, r = hits / max(1, int((y_pred == c).sum())), hits / max(1, int((y_true == c).sum()))
        values.append(2 * p * r / (p + r))
    return np.mean(values), np.mean(y_true == y_pred)


def hit_rate_of_lists_with_hits(rel, k, n_relevant):
    users = [((row[:k] > 0).sum(), n) for row, n in zip(rel, n_relevant, strict=True) if row.any()]
    if not users:
        raise ValueError("nobody")
    hits, n = map(np.array, zip(*users, strict=True))
    return (hits > 0).mean(), hits.mean() / k, (hits / n).mean()


def log_loss_of_swapped_arguments(y_prob, y_true):
    p = np.clip(y_prob, 2**-52, 1 - 2**-52)
    return -(y_true * np.log(p) + (1 - y_true) * np.log(1 - p)).mean()


def perplexity_without_ends(sentences):
    tokens = [log_prob for sentence in sentences for log_prob in sentence.tolist()[:-1]]
    return math.exp(-sum(tokens) / len(tokens))


def kl_infinite_too_often(p, q):
    total = 0.0
    for a, b in zip(p, q, strict=True):
        if b == 0:
            return math.inf
        total += a * math.log2(a / b) if a else 0
    return total


def err_with_exclusive_or(grades, k, max_grade):
    value, reading = 0, 1
    for i, g in enumerate(grades[:k].tolist(), start=1):
        p = (2 ^ g - 1) / (2**max_grade)
        value, reading = value + reading * p / i, reading * (1 - p)
    return value


def err_with_the_last_item_only(grades, k, max_grade):
    value, reading = 0, 1
    for i, g in enumerate(grades[:k].tolist(), start=1):
        p = (2**g - 1) / 2**max_grade
        value, reading = value + reading * p / i, 1 - p
    return value


def ils_less_n(similarity):
    n = len(similarity)
    return (similarity.sum() - n) / (n**2 - n) if n > 1 else math.nan


def roc_with_end_twice(y_true, y_score):
    if not 0 < y_true.sum() < len(y_true):
        raise ValueError("one class")
    cuts = sorted(set(y_score), reverse=True)
    return [[0, *((y_score[y_true == c] >= cut).mean() for cut in cuts), 1] for c in (0, 1)]


def histogram_with_one_bin_less(y_true, y_score, bins):
    number = np.digitize(y_score, np.linspace(y_score.min(), y_score.max(), bins))
    pairs = list(itertools.product(number[y_true == 1], number[y_true == 0]))
    if not pairs:
        raise ValueError("one class")
    tied = sum(p == n for p, n in pairs) / len(pairs)
    return sum(p > n for p, n in pairs) / len(pairs) + tied / 2, tied / 2


@pytest.mark.parametrize(
    ("name", "function", "words"),
    [
        ("auc", auc_sorted_rows, "equal scores are not merged"),
        ("auc", auc_with_ranks_of_argsort, "equal scores are not merged"),
        ("auc", auc_turned, "this is 1 - AUC"),
        ("auc", auc_in_a_hundred_bins, "bins between 0 and 1"),
        ("gauc", gauc_unweighted, "without weights"),
        ("gauc", gauc_of_runs, "only rows that stand together"),
        ("precision_recall_f1", f1_arithmetic, "F1 is the arithmetic mean"),
        ("ndcg_at_k", ndcg_of_the_top, "the ideal is taken from the cut list"),
        ("average_precision", ap_over_hits, "you divided by the hits found"),
        ("reciprocal_rank", rr_from_zero, "ranks start at 0"),
        ("macro_micro_f1", macro_of_means, "the F1 of mean precision and mean recall"),
        ("hit_rate", pooled_hit_rate, "the hit rate is pooled"),
        ("log_loss", log_loss_without_clip, "logarithm of 0 is not clipped"),
        ("log_loss", log_loss_clipped_late, "clipped at another bound"),
        ("perplexity", perplexity_of_texts, "you averaged the texts' perplexities"),
        ("kl_divergence", kl_in_nats, "log base e instead of 2"),
        ("kl_divergence", kl_with_epsilon, "a small number is added"),
        ("expected_reciprocal_rank", err_without_scale, "g_max is taken from the list"),
        ("intra_list_similarity", ils_with_diagonal, "the diagonal is counted"),
        ("roc_points", roc_without_start, "the curve does not begin at (0, 0)"),
        ("auc_by_histogram", histogram_on_the_unit_interval, "the bins lie between 0 and 1"),
        ("auc", auc_with_ranks_from_zero, "the ranks start at 0"),
        ("precision_recall_f1", three_with_epsilon, "a small number is added"),
        ("ndcg_at_k", ndcg_of_one_rank_more, "one rank late"),
        ("average_precision", ap_counted_late, "counted after its precision"),
        ("reciprocal_rank", rr_of_first_item, "only a hit at the first rank"),
        ("macro_micro_f1", macro_from_rates, "precision and recall cannot give its F1"),
        ("hit_rate", hit_rate_of_lists_with_hits, "users without a hit are left out"),
        ("log_loss", log_loss_of_swapped_arguments, "the wrong way round"),
        ("perplexity", perplexity_without_ends, "the end tokens are left out"),
        ("kl_divergence", kl_infinite_too_often, "even where p = 0"),
        ("expected_reciprocal_rank", err_with_exclusive_or, "exclusive or"),
        ("expected_reciprocal_rank", err_with_the_last_item_only, "the item before alone"),
        ("intra_list_similarity", ils_less_n, "the diagonal is subtracted as n"),
        ("roc_points", roc_with_end_twice, "comes twice"),
        ("auc_by_histogram", histogram_with_one_bin_less, "one bin too few"),
    ],
)
def test_a_mistake_written_in_another_way_is_named(name, function, words):
    report = practice.check(name, function)
    assert len(report.mistakes) == 1
    assert report.mistakes[0].startswith("What went wrong: ")
    assert words in report.mistakes[0]


def test_a_missing_class_is_a_mistake_of_its_own():
    def auc(y_true, y_score):
        value = auc_turned(y_true, y_score)
        return 0.0 if math.isnan(value) else value

    (both,) = practice.check("auc", auc).mistakes
    assert both.startswith("It may be two mistakes at once: ")
    assert "1 - AUC" in both
    assert " And: one class only gives 0" in both


@each_exercise
def test_the_model_without_a_wrong_level_is_right(exercise):
    assert practice.check(exercise.name, handed_in(exercise, exercise.model)).passed
    names = [factor.name for factor in exercise.factors]
    parts = getattr(exercise.model, "parts", {"ties", "scores", "direction", "scale"})
    assert set(names) <= set(inspect.signature(exercise.model).parameters) | set(parts)
    assert len(set(names)) == len(names) >= 3


@each_exercise
def test_two_mistakes_at_once_are_named_with_caution(exercise):
    """One certain name for both would be wrong, unless one mistake gives the same values."""
    same = {"the logarithms are weighted by q": ("you computed KL(q||p)", "the sign is wrong")}
    assert len(exercise.double) <= 1500  # each of them is out after a test or two
    for one, other in itertools.combinations(exercise.factors, 2):
        (a, x), (b, y) = one.levels[0], other.levels[0]
        wrong = functools.partial(exercise.model, **{one.name: x, other.name: y})
        report = practice.check(exercise.name, handed_in(exercise, wrong))
        for mistake in report.mistakes:
            if mistake.startswith("What went wrong: ") and a not in mistake and b not in mistake:
                (both,) = (names for words, names in same.items() if words in mistake)
                assert a.startswith(both[0])
                assert b.startswith(both[1])
        if not report.passed and "two mistakes" in " ".join(report.mistakes):
            assert any(a in mistake and b in mistake for mistake in report.mistakes) or len(report.mistakes) == 3


@pytest.mark.parametrize(
    ("change", "in_sql", "message"),
    [
        (lambda value: 100 * value, "100 * ({})", "the values are percentages; return fractions."),
        (lambda value: np.round(value, 2), "ROUND(({}), 2)", "the values are rounded; return all digits."),
        (lambda value: np.round(value, 6), "ROUND(({}), 6)", "the values are rounded; return all digits."),
    ],
)
@each_exercise
def test_percentages_and_rounded_values_are_named(exercise, change, in_sql, message):
    changed = handed_in(exercise, lambda *arguments: change(np.array(exercise.reference(*arguments))), in_sql)
    report = practice.check(exercise.name, changed)
    assert report.mistakes == (f"What went wrong: {message}",)


@pytest.mark.parametrize(
    "name", [name for name in IN_PYTHON if any("0/0; return" in line for line in EXERCISES[name].task)]
)
def test_an_unguarded_division_is_named_alone_and_beside_another_mistake(name):
    reference = EXERCISES[name].reference

    def unguarded(*arguments):
        value = reference(*arguments)
        return 1 / 0 if np.isnan(value).any() else value

    (alone,) = practice.check(name, unguarded).mistakes
    assert alone.startswith("What went wrong: 0/0 is not handled")
    (beside,) = practice.check(name, lambda *arguments: 100 * np.array(unguarded(*arguments))).mistakes
    assert beside.startswith("It may be two mistakes at once: the values are percentages")
    assert " And: 0/0 is not handled" in beside


def test_a_list_without_a_hit_that_ends_before_the_cut_is_tried():
    def rr(rel, k):
        for i in range(k):
            if rel[i] > 0:
                return 1 / (i + 1)
        return 0

    assert practice.check("reciprocal_rank", rr).failed == ("no hit and k beyond the list",)


@pytest.mark.parametrize("missing", [0, 1])
@pytest.mark.parametrize("name", ["auc", "roc_points", "auc_by_histogram"])
def test_either_class_may_be_missing(name, missing):
    """A guard for the other class is not enough."""
    reference = EXERCISES[name].reference

    def guarded(y_true, *others):
        value = reference(y_true, *others)
        return value if (y_true == missing).any() else np.nan_to_num(value)

    report = practice.check(name, guarded)
    assert len(report.failed) == 1
    assert report.failed[0] in ("one class only", "the other class only")


def test_a_mistake_beside_an_error_is_named_with_caution():
    def auc(y_true, y_score):
        if y_score.min() < 0:
            raise KeyError("no logits")
        return auc_turned(y_true, y_score)

    report = practice.check("auc", auc)
    message = EXERCISES["auc"].mistakes[0].message
    assert "logits" in report.failed
    assert report.mistakes == (f"It may be this, in 8 of 9 failed tests: {message}",)


@pytest.mark.parametrize("value", [0.123, 0, 1, -7.0])
@each_exercise
def test_a_constant_is_told_and_no_name_is_guessed(exercise, value):
    report = practice.check(exercise.name, handed_in(exercise, lambda *arguments: value, str(value)))
    given = {"python": "arguments", "sql": "rows"}[exercise.language]
    assert report.mistakes == (f"What went wrong: the result is {value:g} whatever the {given}.",)


# ---- what submissions do ----------------------------------------------------------------------------------------


def endless(y_true, y_score):
    while True:
        pass


def test_an_endless_loop_is_stopped_and_the_other_tests_are_run():
    def auc(y_true, y_score):
        return endless(y_true, y_score) if len(y_true) == 3 else right_auc(y_true, y_score)

    report = practice.check("auc", auc, time_limit=0.2)
    assert report.failed == ("one class only",)
    result = next(result for result in report.results if not result.passed)
    assert result.got == "no result within 0.2 s; the call was stopped"


def test_only_endless_loops_end():
    start = time.monotonic()
    report = practice.check("auc", endless, time_limit=0.05)
    assert time.monotonic() - start < 60
    assert len(report.failed) == len(report.results)


def test_a_loop_that_catches_exceptions_is_stopped():
    def auc(y_true, y_score):
        while True:
            with contextlib.suppress(Exception):
                len(y_true)

    assert "was stopped" in got(auc, time_limit=0.05)


def test_a_call_that_cannot_be_stopped_is_left_behind():
    def auc(y_true, y_score):
        if len(y_true) == 3:
            time.sleep(1.5)
        return right_auc(y_true, y_score)

    report = practice.check("auc", auc, time_limit=0.05)
    assert report.failed == ("one class only",)
    assert "could not be stopped and is left behind" in str(report).replace("\n" + 20 * " ", " ")


def test_an_error_is_shown_with_its_line():
    def auc(y_true, y_score):
        weights = {}
        return weights["click"]

    line = inspect.getsourcelines(auc)[1] + 2
    assert got(auc) == f"KeyError: 'click' (line {line} in auc: return weights[\"click\"])"
    assert len(practice.check("auc", auc).failed) == 12


def test_the_line_of_an_error_is_that_of_the_submission():
    def auc(y_true, y_score):
        return np.linalg.inv(np.zeros((2, 2)))

    assert "LinAlgError" in got(auc)
    assert "in auc: return np.linalg.inv" in got(auc)


def test_an_exit_is_an_error_like_others():
    def auc(y_true, y_score):
        sys.exit("enough")

    assert got(auc).startswith("SystemExit: enough (line")


def test_a_value_error_is_right_only_where_the_value_is_undefined():
    def auc(y_true, y_score):
        raise ValueError("one class")

    report = practice.check("auc", auc)
    undefined = ["one class only", "the other class only"]
    assert [result.name for result in report.results if result.passed] == [*undefined, "leaves its input alone"]


def test_a_changed_input_is_a_failure_of_its_own_and_of_no_other_test():
    def auc(y_true, y_score):
        value = right_auc(y_true, y_score)
        y_score.sort()
        return value

    report = practice.check("auc", auc)
    assert report.failed == ("leaves its input alone",)
    assert report.results[-1].got == "y_score was [0.1, 0.4, 0.35, 0.8] and is [0.1, 0.35, 0.4, 0.8] after the call"


def test_a_changed_sentence_is_seen():
    def perplexity(sentences):
        value = metrics_lib.corpus_perplexity(sentences)
        sentences[0] *= 2
        return value

    assert practice.check("perplexity", perplexity).failed == ("leaves its input alone",)


def test_prints_are_shown_shortened_and_count_for_nothing(capsys):
    def auc(y_true, y_score):
        print("scores", y_score, file=sys.stderr)
        for i in range(1000):
            print("row", i)
        return right_auc(y_true, y_score)

    report = practice.check("auc", auc)
    out, err = capsys.readouterr()
    assert report.passed
    assert report.notes[0].startswith("Your function printed, in 12 tests: 'scores [0.1")
    assert "row 20" not in out + err


def test_of_endless_prints_only_the_beginning_is_kept():
    stream = _engine.Beginning()
    assert [stream.write("ab" * 300) for _ in range(1000)] == [600] * 1000
    assert len(stream.getvalue()) < 2000


def test_warnings_are_told_apart_from_errors():
    def auc(y_true, y_score):
        if len(y_true) == 3:
            warnings.warn("there is one class only", stacklevel=1)
        return right_auc(y_true, y_score)

    report = practice.check("auc", auc)
    assert report.passed
    assert report.notes == ("Your function warned: UserWarning: there is one class only",)


def test_what_is_returned_is_told_apart():
    assert got(lambda y, s: None) == "None: is the return missing?"
    assert got(lambda y, s: [0.75]) == "[0.75], a sequence of length 1 and not one number"
    assert got(lambda y, s: (0.5, 0.25)) == "[0.5, 0.25], a sequence of length 2 and not one number"
    assert got(lambda y, s: math.nan) == "nan"
    assert got(lambda y, s: "0.75") == "'0.75', of type str and not a real number"
    assert got(lambda y, s: True) == "True, of type bool and not a real number"
    assert got(lambda y, s: np.bool_(True)) == "True, of type bool and not a real number"
    assert got(lambda y, s: 0.75 + 0j) == "(0.75+0j), of type complex and not a real number"
    assert got(lambda y, s: {"auc": 0.75}) == "an object of type dict where a number is expected"
    assert got(lambda y, s: (v for v in s)) == "[0.1, 0.4, 0.35, 0.8], a sequence of length 4 and not one number"
    assert got(lambda y, s: [None]) == "a list with None: is the return missing?"
    assert got(lambda y, s: 0.5, "precision_recall_f1") == "0.5, one number and not 3 values"
    assert got(lambda y, s: 0.75 + 1e-8) == "0.75000001"
    assert got(lambda y, s: 10**400) == "OverflowError: int too large to convert to float"


@pytest.mark.parametrize("kind", [float, np.float64, np.array, Fraction, lambda value: np.array(value, dtype=object)])
def test_numbers_of_every_kind_are_accepted(kind):
    def auc(y_true, y_score):
        value = right_auc(y_true, y_score)
        return value if math.isnan(value) else kind(value)

    assert practice.check("auc", auc).passed


@pytest.mark.parametrize("kind", [tuple, list, np.array])
def test_groups_of_numbers_of_every_kind_are_accepted(kind):
    reference = EXERCISES["precision_recall_f1"].reference
    assert practice.check("precision_recall_f1", lambda t, p: kind(reference(t, p))).passed


def test_nine_digits_are_compared():
    assert practice.check("auc", lambda y, s: right_auc(y, s) * (1 + 5e-10)).passed
    assert not practice.check("auc", lambda y, s: right_auc(y, s) * (1 + 5e-9)).passed


# ---- what can be submitted --------------------------------------------------------------------------------------


class Auc:
    def __call__(self, y_true, y_score):
        return right_auc(y_true, y_score)


def test_everything_that_can_be_called_is_taken():
    assert practice.check("auc", Auc()).passed
    assert practice.check("auc", functools.partial(lambda base, y, s: base + right_auc(y, s), 0)).passed
    assert practice.check("auc", lambda *arguments: right_auc(*arguments)).passed
    assert practice.check("auc", functools.lru_cache(lambda y, s: 1)).results[0].got.startswith("TypeError: unhashable")
    assert "Auc" in got(lambda y, s: Auc())
    assert not practice.check("auc", np.vectorize(lambda y, s: y * s)).passed
    assert not practice.check("auc", max).passed  # tells no signature
    assert not practice.check("auc", complex).passed


def test_arguments_may_be_taken_by_name():
    assert practice.check("auc", lambda *, y_score, y_true: right_auc(y_true, y_score)).passed


def test_an_unknown_name_lists_the_names_and_the_nearest():
    for function in (
        lambda: practice.check("acu", right_auc),
        lambda: practice.task("acu"),
        lambda: practice.hint("acu"),
        lambda: practice.approaches("acu"),
    ):
        with pytest.raises(ValueError, match="acu") as error:
            function()
        assert ", ".join(NAMES) in str(error.value)
        assert "did you mean 'auc'?" in str(error.value)
    with pytest.raises(ValueError, match=r"name: expected one of auc, .*, got 3$"):
        practice.check(3, right_auc)


def test_a_result_is_no_function():
    with pytest.raises(
        TypeError, match=r"function: expected my_auc\(y_true, y_score\) itself.*, got 0.75 of type float"
    ):
        practice.check("auc", 0.75)


@pytest.mark.parametrize("function", [lambda y: 1, lambda y, s, k: 1, lambda: 1, Auc])
def test_other_arguments_are_refused(function):
    with pytest.raises(TypeError, match=r"function: expected one that can be called as my_auc\(y_true, y_score\), got"):
        practice.check("auc", function)


@pytest.mark.parametrize("limit", [0, -1, math.nan, math.inf, "2", None])
def test_the_time_limit_is_a_positive_number(limit):
    with pytest.raises(ValueError, match="time_limit: expected"):
        practice.check("auc", right_auc, time_limit=limit)


# ---- what is shown ----------------------------------------------------------------------------------------------

REPORT = """\
kl_divergence: 3 of 9 tests passed.
What went wrong: log base e instead of 2: the value is in nats.

  FAIL  a fair coin
        call        kl_in_nats([0.5, 0.5], [0.75, 0.25])
        got         0.143841
        expected    0.207519
        why         The cost of believing in a coin that is not fair.
  FAIL  a biased coin
  FAIL  a certain event
  FAIL  an event that cannot happen
  FAIL  impossible in both
  FAIL  20 events

Help: practice.hint('kl_divergence')
"""
DETAILS = """\
  FAIL  a fair coin
        call        kl_in_nats([0.5, 0.5], [0.75, 0.25])
        got         0.143841
        expected    0.207519
        why         The cost of believing in a coin that is not fair.
  FAIL  a biased coin
        call        kl_in_nats([0.75, 0.25], [0.5, 0.5])
        got         0.130812
        expected    0.188722
        why         The other way round: KL is not symmetric.
  ok    the same distribution
  FAIL  a certain event
        call        kl_in_nats([0, 1, 0, 0], [0.25, 0.25, 0.25, 0.25])
        got         1.38629
        expected    2
        why         log2 of the number of events that were thought
                    equally likely.
  FAIL  an event that cannot happen
        call        kl_in_nats([0.5, 0.5, 0], [0.25, 0.25, 0.5])
        got         0.693147
        expected    1
        why         0 * log 0 is 0, not nan.
  ok    an event that was thought impossible
  FAIL  impossible in both
        call        kl_in_nats([0.25, 0.75, 0], [0.5, 0.5, 0])
        got         0.130812
        expected    0.188722
        why         The event adds nothing.
  FAIL  20 events
        call        kl_in_nats([0.0277587, 0.115517, 0.0398743,
                    0.159248, ... 20 values], [0.00869298, 0.0253866,
                    0.0474763, 0.042675, ... 20 values])
        got         0.819481
        expected    1.18226
        why         Two random distributions.
  ok    leaves its input alone
"""


def test_a_report_is_printed_once_and_is_one_line_in_a_notebook(capsys):
    report = practice.check("kl_divergence", kl_in_nats)
    assert capsys.readouterr().out == f"{report}\n"
    assert str(report) == REPORT.rstrip("\n")
    assert report.details == DETAILS.rstrip("\n")
    assert repr(report) == "<kl_divergence: 3 of 9 tests passed>"


@each_exercise
def test_the_failed_test_with_the_fewest_values_is_shown_in_full_and_the_others_by_name(exercise):
    report = practice.check(exercise.name, handed_in(exercise, lambda *arguments: 0.123, "0.123"))
    (shown,) = re.findall(r"^  FAIL  (.+)\n        (?:call|table)", str(report), re.MULTILINE)
    sizes = {
        case.name: sum(
            np.size(part) for value in case.arguments for part in (value if type(value) is tuple else [value])
        )
        for case in exercise.cases
    }
    assert sizes[shown] == min(sizes[name] for name in report.failed)
    assert set(re.findall(r"^  FAIL  (.+)$", str(report), re.MULTILINE)) == set(report.failed)
    assert "  ok  " not in str(report)
    assert [result.name in report.details for result in report.results] == [True] * len(report.results)


def test_a_changed_input_alone_is_shown():
    def auc(y_true, y_score):
        value = right_auc(y_true, y_score)
        y_score.sort()
        return value

    assert "  FAIL  leaves its input alone\n        call" in str(practice.check("auc", auc))


def test_a_report_of_a_right_submission_is_short():
    report = practice.check("auc", right_auc)
    assert str(report) == "auc: 13 of 13 tests passed.\nCompare: practice.approaches('auc')"


@pytest.mark.parametrize("body", ["pass", "...", "return ...", "raise NotImplementedError", "print('to do')"])
def test_a_stub_is_told_in_one_sentence(body):
    names = {}
    exec(f"def my_auc(y_true, y_score):\n    {body}", names)
    report = practice.check("auc", names["my_auc"])
    assert not report.passed
    assert str(report).splitlines()[0] == "my_auc returns nothing yet. Help: practice.hint('auc')"
    assert "FAIL" not in str(report)
    assert ("printed" in str(report)) == ("print" in body)
    assert report.mistakes == ()


def test_a_way_without_a_return_is_named():
    def rr(rel, k):
        for rank, value in enumerate(rel[:k], 1):
            if value > 0:
                return 1 / rank
        return None

    (mistake,) = practice.check("reciprocal_rank", rr).mistakes
    assert mistake.startswith("What went wrong: nothing is returned in these tests")


def test_a_report_is_the_same_every_time():
    def auc(y_true, y_score):
        print(object())
        warnings.warn(f"careful with {object()}", stacklevel=1)
        raise KeyError(object())

    first, second = (practice.check("auc", auc) for _ in range(2))
    assert str(first) == str(second)
    assert "0x" not in str(first)


def test_no_line_is_too_long(capsys):
    for name in NAMES:
        print(practice.task(name))
        for _ in range(4):
            practice.hint(name)
        print(practice.exercises(), practice.approaches(name), sep="\n")
        if name in IN_PYTHON:
            practice.check(name, lambda *arguments: 0.123)
            practice.check(name, lambda *arguments: print("word " * 99))
            practice.check(name, lambda *arguments: [][0])
        else:
            practice.check(name, "SELECT 0.123")
            practice.check(name, "SELECT 'word word word'")
            practice.check(name, "SELECT " + "word " * 99)
    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 88] == []


def test_tests_of_long_data_are_shortened():
    call = practice.check("auc", lambda y, s: 0).results[-2].call
    assert re.fullmatch(r"my_auc\(\[(\d, ){4}\.\.\. 400 values\], \[(0\.\d, ){4}\.\.\. 400 values\]\)", call)


def test_values_that_differ_far_behind_are_shown_so():
    result = next(
        result
        for result in practice.check("roc_points", turned_at_the_end).results
        if result.name == "400 rows with ties"
    )
    assert result.got.endswith("which differs further on")


def turned_at_the_end(y_true, y_score):
    fpr, tpr, _ = metrics_lib.roc_curve(y_true, y_score, drop_intermediate=False)
    return fpr, np.r_[tpr[:-1], 0.5]


# ---- the other functions ----------------------------------------------------------------------------------------


def test_a_task_states_signature_and_conventions():
    text = " ".join(practice.task("hit_rate").split())
    assert "my_hit_rate(rel, k, n_relevant)" in text
    assert all(line in text for line in EXERCISES["hit_rate"].task)
    assert repr(practice.task("hit_rate")) == practice.task("hit_rate")


def source_of(approach):
    return str(approach.function) if isinstance(approach.function, str) else inspect.getsource(approach.function)


@each_exercise
def test_what_is_shown_in_a_notebook_says_the_same(exercise):
    """As Markdown, in which no sign of the text is taken for markup."""
    task = practice.task(exercise.name)
    html = MarkdownIt().render(task._repr_markdown_())
    shown = " ".join(unescape(re.sub(r"<[^>]*>", "", html)).split())
    assert all(line in shown for line in (*exercise.task, exercise.title[1:], exercise.signature))
    found = practice.approaches(exercise.name)
    html = MarkdownIt().render(found._repr_markdown_())
    assert html.count("<pre><code") == len(found)
    shown = unescape(re.sub(r"<[^>]*>", "", html))
    assert all(words in shown for approach in found for words in (approach.idea, approach.complexity, approach.failure))
    assert all(source_of(approach) in shown for approach in found)
    assert exercise.title in practice.exercises()._repr_markdown_()


def test_hints_come_one_at_a_time_and_begin_again(capsys, monkeypatch):
    monkeypatch.setattr(practice, "_HINTS_GIVEN", dict.fromkeys(NAMES, 0))
    for _ in range(5):
        practice.hint("auc")
    practice.hint("gauc")
    heads = re.findall(r"^(hint . of 3|There are no more hints)", capsys.readouterr().out, re.MULTILINE)
    assert heads == [
        "hint 1 of 3",
        "hint 2 of 3",
        "hint 3 of 3",
        "There are no more hints",
        "hint 1 of 3",
        "hint 1 of 3",
    ]


@each_exercise
def test_approaches_show_idea_cost_weak_point_and_source(exercise):
    shown = repr(practice.approaches(exercise.name))
    for approach in practice.approaches(exercise.name):
        assert source_of(approach).splitlines()[0] in shown
        assert approach.complexity.startswith("O(")
    assert len(re.findall(r"^  (?:idea|complexity|fails) ", shown, re.MULTILINE)) == 3 * len(exercise.approaches)


@pytest.mark.parametrize("name", [name for name in practice.__all__ if name.islower()])
def test_a_function_is_documented(name):
    function = getattr(practice, name)
    text = inspect.getdoc(function)
    assert {"Examples", "See Also"} & set(re.findall(r"^([A-Z][\w ]+)\n-{3,}$", text, re.MULTILINE))
    assert ("Raises\n------" in text) == (name != "exercises")
    assert all(
        re.search(rf"^{parameter} : ", text, re.MULTILINE) for parameter in inspect.signature(function).parameters
    )


def test_the_functions_are_on_their_api_page():
    page = (ROOT / "book" / "reference" / "api-practice.md").read_text(encoding="utf-8")
    assert ".. automodule:: metrics_book.practice" in page.splitlines()
