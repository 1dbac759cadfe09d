"""metrics_lib.ranking against definitions written anew: exact fractions where values are rational, loops else."""

import inspect
import itertools
import math
import sqlite3
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics

import metrics_lib as ml

# The definitions, one list at a time


def exact_precision(rel, k):
    return Fraction(sum(r > 0 for r in rel[:k]), k)


def exact_average_precision(rel, k, n_relevant, denominator):
    hits = [i for i, r in enumerate(rel[:k], 1) if r > 0]
    total = sum(Fraction(count, rank) for count, rank in enumerate(hits, 1))
    divisor = {"relevant": n_relevant, "min": min(n_relevant, k), "hits": len(hits), "k": k}[denominator]
    return total / divisor


def exact_fbeta(rel, k, beta, n_relevant):
    precision = exact_precision(rel, k)
    recall = Fraction(sum(r > 0 for r in rel[:k]), n_relevant)
    if precision == recall == 0:
        return Fraction(0)
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def exact_err(grades, k, max_grade):
    value, still_reading = Fraction(0), Fraction(1)
    for rank, grade in enumerate(grades[:k], 1):
        satisfied = Fraction(2**grade - 1, 2**max_grade)
        value += still_reading * satisfied / rank
        still_reading *= 1 - satisfied
    return value


def exact_rbp(rel, k, p):
    return (1 - p) * sum(p ** (rank - 1) for rank, r in enumerate(rel[:k], 1) if r > 0)


def looped_dcg(rel, k, exponential=False):
    return math.fsum((2**r - 1 if exponential else r) / math.log2(i + 1) for i, r in enumerate(rel[:k], 1))


def tie_averaged_dcg(grades, scores, k):
    """The mean over every order that the scores allow."""
    n = len(grades)
    orders = [
        o for o in itertools.permutations(range(n)) if all(scores[a] >= scores[b] for a, b in itertools.pairwise(o))
    ]
    return math.fsum(looped_dcg([grades[i] for i in order], k) for order in orders) / len(orders)


SMALL_LISTS = [list(rel) for n in range(1, 6) for rel in itertools.product([0, 1], repeat=n)]
GRADED_LISTS = [list(rel) for n in range(1, 5) for rel in itertools.product([0, 1, 3], repeat=n)]
CUTS = (1, 2, 3, 7)


@pytest.mark.parametrize("k", CUTS)
def test_binary_metrics_equal_their_definitions_on_every_short_list(k):
    for rel in SMALL_LISTS:
        assert ml.precision_at_k(rel, k) == pytest.approx(float(exact_precision(rel, k)), abs=1e-15)
        first = next((i for i, r in enumerate(rel[:k], 1) if r), None)
        assert ml.reciprocal_rank(rel, k) == (1 / first if first else 0)
        for p in (0, 0.5, 0.8):
            expected = float(exact_rbp(rel, k, Fraction(p)))
            assert ml.rank_biased_precision(rel, k, p=p) == pytest.approx(expected, abs=1e-15)
        for missing in (0, 2):
            n_relevant = sum(rel) + missing
            if n_relevant == 0:
                continue
            expected = float(Fraction(sum(rel[:n_relevant]), n_relevant))
            assert ml.r_precision(rel, n_relevant=n_relevant) == pytest.approx(expected, abs=1e-15)
            recall = Fraction(sum(rel[:k]), n_relevant)
            assert ml.recall_at_k(rel, k, n_relevant=n_relevant) == pytest.approx(float(recall), abs=1e-15)
            for beta in (1, 2, 0.5):
                expected = float(exact_fbeta(rel, k, Fraction(beta), n_relevant))
                assert ml.fbeta_at_k(rel, k, beta=beta, n_relevant=n_relevant) == pytest.approx(expected, abs=1e-15)
            for denominator in ("relevant", "min", "hits", "k"):
                value = ml.average_precision(rel, k, n_relevant=n_relevant, denominator=denominator)
                if denominator == "hits" and not any(rel[:k]):
                    assert math.isnan(value)
                else:
                    expected = float(exact_average_precision(rel, k, n_relevant, denominator))
                    assert value == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("k", CUTS)
def test_graded_metrics_equal_their_definitions_on_every_short_list(k):
    for rel in GRADED_LISTS:
        assert ml.cumulative_gain(rel, k) == sum(rel[:k])
        assert ml.expected_reciprocal_rank(rel, k, max_grade=4) == pytest.approx(float(exact_err(rel, k, 4)), abs=1e-15)
        for gain in ("linear", "exponential"):
            attained = looped_dcg(rel, k, gain == "exponential")
            ideal = looped_dcg(sorted(rel, reverse=True), k, gain == "exponential")
            assert ml.dcg(rel, k, gain=gain) == pytest.approx(attained, abs=1e-14)
            assert ml.ideal_dcg(rel, k, gain=gain) == pytest.approx(ideal, abs=1e-14)
            if ideal:
                assert ml.ndcg(rel, k, gain=gain) == pytest.approx(attained / ideal, abs=1e-14)


def test_ideal_is_the_best_of_all_orders():
    for rel in GRADED_LISTS:
        for k in (1, 2, 4):
            best = max(ml.dcg(list(order), k) for order in itertools.permutations(rel))
            assert ml.ideal_dcg(rel, k) == pytest.approx(best, abs=1e-14)


def test_a_discount_of_ones_turns_dcg_into_cumulative_gain_and_one_over_rank_is_the_default_of_err():
    rel = [3, 0, 2, 1]
    assert ml.dcg(rel, discount=np.ones_like) == ml.cumulative_gain(rel)
    assert ml.dcg(rel, discount=lambda ranks: 1) == ml.cumulative_gain(rel)
    assert ml.expected_reciprocal_rank(rel, discount=lambda i: 1 / i) == ml.expected_reciprocal_rank(rel)
    assert ml.expected_reciprocal_rank(rel, discount=np.ones_like) == pytest.approx(
        1 - math.prod(1 - (2**g - 1) / 8 for g in rel), abs=1e-15
    )


# Properties

grades = st.integers(0, 5)
lists = st.lists(grades, min_size=1, max_size=30)
batches = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(grades, min_size=n, max_size=n), min_size=1, max_size=6)
)
cuts = st.one_of(st.none(), st.integers(1, 40))


def every_metric(rel, k):
    at = k or np.shape(rel)[-1]
    return {
        "precision_at_k": ml.precision_at_k(rel, at),
        "recall_at_k": ml.recall_at_k(rel, at),
        "fbeta_at_k": ml.fbeta_at_k(rel, at, beta=2),
        "average_precision": ml.average_precision(rel, k),
        "r_precision": ml.r_precision(rel),
        "rank_biased_precision": ml.rank_biased_precision(rel, k, p=0.9),
        "reciprocal_rank": ml.reciprocal_rank(rel, k),
        "expected_reciprocal_rank": ml.expected_reciprocal_rank(rel, k, max_grade=5),
        "cumulative_gain": ml.cumulative_gain(rel, k),
        "dcg": ml.dcg(rel, k),
        "ideal_dcg": ml.ideal_dcg(rel, k),
        "ndcg": ml.ndcg(rel, k),
        "exponential ndcg": ml.ndcg(rel, k, gain="exponential"),
    }


UNBOUNDED = {"cumulative_gain", "dcg", "ideal_dcg"}


@given(batches, cuts)
def test_a_batch_equals_its_rows_exactly(rel, k):
    whole = every_metric(rel, k)
    rows = [every_metric(row, k) for row in rel]
    for name, values in whole.items():
        assert isinstance(values, np.ndarray)
        np.testing.assert_array_equal(values, [row[name] for row in rows], err_msg=name)
    stacked = every_metric([rel, rel], k)
    for name, values in stacked.items():
        assert values.shape == (2, len(rel))
        np.testing.assert_array_equal(values, [whole[name]] * 2, err_msg=name)


@given(lists, cuts)
def test_values_stay_in_range_and_one_list_gives_a_float(rel, k):
    for name, value in every_metric(rel, k).items():
        assert type(value) is float
        if name not in UNBOUNDED and not math.isnan(value):
            assert 0 <= value <= 1 + 1e-12, name


@given(lists, cuts)
def test_dtype_and_container_do_not_matter(rel, k):
    expected = every_metric(rel, k)
    for other in (
        tuple(rel),
        np.array(rel, np.float32),
        np.array(rel, np.uint8),
        pd.Series(rel),
        np.array(rel, object),
    ):
        np.testing.assert_equal(every_metric(other, k), expected)


@given(lists, cuts)
def test_ndcg_is_exactly_one_for_the_ideal_order(rel, k):
    assume(any(rel))
    ideal = sorted(rel, reverse=True)
    assert ml.ndcg(ideal, k) == 1
    assert ml.ndcg(ideal, k, judged=rel) == 1
    assert ml.ndcg(ideal, k, gain="exponential") == 1


@given(lists, st.integers(1, 40))
def test_padding_and_cutting_agree(rel, k):
    for name, value in every_metric([*rel, 0, 0], k).items():
        assert value == pytest.approx(every_metric(rel, k)[name], rel=1e-14, nan_ok=True), name


@given(lists, st.integers(1, 40))
def test_average_precision_is_at_most_recall(rel, k):
    assume(any(rel))
    assert ml.average_precision(rel, k) <= ml.recall_at_k(rel, k) + 1e-12


@given(lists, st.integers(0, 5))
def test_r_precision_is_precision_and_recall_at_the_number_of_relevant_items(rel, missing):
    n_relevant = sum(r > 0 for r in rel) + missing
    assume(n_relevant)
    value = ml.r_precision(rel, n_relevant=n_relevant)
    assert value == ml.precision_at_k(rel, n_relevant)
    assert value == ml.recall_at_k(rel, n_relevant, n_relevant=n_relevant)
    if any(rel):
        assert ml.r_precision(sorted(rel, reverse=True)) == 1
        assert ml.r_precision(rel) == ml.break_even_point(np.array(rel) > 0, np.arange(len(rel), 0, -1))


@given(lists, st.floats(0, 0.99), st.integers(1, 40))
def test_rank_biased_precision_of_a_cut_list_differs_by_at_most_the_residual(rel, p, k):
    whole, cut = ml.rank_biased_precision(rel, p=p), ml.rank_biased_precision(rel, k, p=p)
    assert cut <= whole + 1e-15
    assert whole <= cut + p**k + 1e-15
    assert ml.rank_biased_precision(np.ones(k), p=p) == pytest.approx(1 - p**k, abs=1e-14)
    assert ml.rank_biased_precision(rel, p=0) == ml.precision_at_k(rel, 1)


@given(lists)
def test_a_full_pool_never_raises_ndcg(rel):
    assume(any(rel))
    assert ml.ndcg(rel, judged=[*rel, 5, 5]) < ml.ndcg(rel)


@given(lists, st.randoms(use_true_random=False))
def test_ranking_by_score_sorts_stably(rel, random):
    scores = [random.choice([0.1, 0.5, -2, 7]) for _ in rel]
    expected = [r for _, r in sorted(zip(scores, rel, strict=True), key=lambda pair: -pair[0])]
    assert ml.rank_by_score(rel, scores).tolist() == expected
    assert ml.rank_by_score([rel, rel], [scores, scores]).tolist() == [expected, expected]


def test_ranking_by_score_does_not_lose_large_integers():
    scores = np.array([2**63, 2**63 + 1, 0], dtype=np.uint64)
    assert ml.rank_by_score([0, 1, 2], scores).tolist() == [1, 0, 2]
    assert ml.rank_by_score([0, 1], np.array([-(2**63), 0])).tolist() == [1, 0]


# From scores, beside scikit-learn

SCORES = {
    "floats": lambda rng, shape: rng.normal(size=shape),
    "ties": lambda rng, shape: rng.integers(0, 4, shape) / 10,
    "all equal": lambda rng, shape: np.full(shape, 0.5),
    "neighbouring floats": lambda rng, shape: 1 + rng.integers(0, 9, shape) * np.finfo(float).eps,
    "both zeros": lambda rng, shape: rng.choice([0.0, -0.0, -1.0], shape),
    "huge and tiny": lambda rng, shape: rng.choice([-1e300, 1e-300, 5e-324, 0.0, 1e300], shape),
    "integers": lambda rng, shape: rng.integers(-5, 5, shape),
    "float32": lambda rng, shape: rng.normal(size=shape).astype(np.float32),
}


@pytest.mark.parametrize("make", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("k", [None, 1, 3, 50])
@pytest.mark.parametrize("shape", [(1, 2), (7, 5), (40, 23)])
def test_scores_as_scikit_learn(make, k, shape):
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 4, shape)
    grades[:, 0] = 3
    scores = make(rng, shape)
    weights = rng.random(shape[0])
    for kwargs in ({}, {"sample_weight": weights}):
        for ours, theirs in ((ml.dcg_score, sklearn_metrics.dcg_score), (ml.ndcg_score, sklearn_metrics.ndcg_score)):
            assert ours(grades, scores, k=k, **kwargs) == pytest.approx(
                theirs(grades, scores, k=k, **kwargs), rel=1e-12
            )
    assert ml.dcg_score(grades, scores, k=k, log_base=10) == pytest.approx(
        sklearn_metrics.dcg_score(grades, scores, k=k, log_base=10), rel=1e-12
    )


@pytest.mark.parametrize("k", [None, 1, 4])
def test_ignoring_ties_without_ties_as_scikit_learn(k):
    rng = np.random.default_rng(1)
    grades, scores = rng.random((30, 17)), rng.normal(size=(30, 17))
    for ours, theirs in ((ml.dcg_score, sklearn_metrics.dcg_score), (ml.ndcg_score, sklearn_metrics.ndcg_score)):
        expected = theirs(grades, scores, k=k, ignore_ties=True)
        assert ours(grades, scores, k=k, ignore_ties=True) == pytest.approx(expected, rel=1e-12)


def test_ignoring_ties_puts_equals_in_descending_order_of_index():
    assert ml.dcg_score([[1, 2, 3]], [[0.5, 0.5, 0.5]], ignore_ties=True) == pytest.approx(looped_dcg([3, 2, 1], 3))
    nearly = [[1.0, 1 + np.finfo(float).eps, 0.0]]
    assert ml.dcg_score([[1, 2, 3]], nearly, ignore_ties=True) == pytest.approx(looped_dcg([2, 1, 3], 3))


@settings(max_examples=50)
@given(st.lists(st.tuples(grades, st.integers(0, 2)), min_size=2, max_size=5), st.integers(1, 6))
def test_ties_are_averaged_over_every_order(pairs, k):
    rel, scores = zip(*pairs, strict=True)
    assert ml.dcg_score([rel], [scores], k=k) == pytest.approx(tie_averaged_dcg(rel, scores, k), abs=1e-12)


def test_scores_and_ranks_agree_and_the_gain_is_honoured():
    rng = np.random.default_rng(2)
    grades, scores = rng.integers(0, 5, (9, 12)), rng.random((9, 12))
    grades[:, 0] = 1
    ranked = ml.rank_by_score(grades, scores)
    for gain in ("linear", "exponential"):
        assert ml.ndcg_score(grades, scores, k=4, gain=gain) == pytest.approx(ml.ndcg(ranked, 4, gain=gain).mean())
        assert ml.dcg_score(grades, scores, k=4, gain=gain) == pytest.approx(ml.dcg(ranked, 4, gain=gain).mean())


def test_blocks_of_rows_do_not_change_the_value():
    rng = np.random.default_rng(3)
    grades, scores = rng.integers(0, 5, (3000, 40)), rng.random((3000, 40)).round(3)
    halves = [ml.dcg_score(part, s, k=5) for part, s in zip(np.split(grades, 2), np.split(scores, 2), strict=True)]
    assert ml.dcg_score(grades, scores, k=5) == pytest.approx(np.mean(halves), rel=1e-13)


def test_a_query_without_relevant_documents_counts_zero_with_a_warning():
    with pytest.warns(ml.UndefinedMetricWarning, match="1 queries have no relevant document"):
        assert ml.ndcg_score([[1, 0], [0, 0]], [[2, 1], [2, 1]]) == 0.5
    assert sklearn_metrics.ndcg_score([[1, 0], [0, 0]], [[2, 1], [2, 1]]) == 0.5


# Conventions

RETURNED, JUDGED = [3, 2, 3, 0, 1, 2], [3, 2, 3, 0, 1, 2, 3, 0]


def test_the_pool_of_the_ideal_is_a_choice():
    ideal = looped_dcg([3, 3, 3, 2, 2, 1], 6)
    assert ml.ndcg(RETURNED, 6, judged=JUDGED) == pytest.approx(looped_dcg(RETURNED, 6) / ideal, abs=1e-15)
    assert ml.ndcg(RETURNED, 6) == pytest.approx(looped_dcg(RETURNED, 6) / looped_dcg([3, 3, 2, 2, 1, 0], 6), abs=1e-15)


def test_without_a_cut_the_ideal_uses_the_whole_pool():
    assert ml.ndcg([1, 0], judged=[1, 1, 1]) == pytest.approx(1 / looped_dcg([1, 1, 1], 3), abs=1e-15)
    assert ml.ndcg([1, 0], 2, judged=[1, 1, 1]) == pytest.approx(1 / looped_dcg([1, 1], 2), abs=1e-15)


NEGATIVE = {
    "ndcg": ("rel", lambda grades: ml.ndcg(grades)),
    "ndcg, judged": ("judged", lambda grades: ml.ndcg(np.maximum(grades, 0), judged=grades)),
    "ndcg, Lists": ("rel", lambda grades: ml.ndcg(one_list(grades))),
    "ndcg, judged Lists": ("judged", lambda grades: ml.ndcg(one_list(np.maximum(grades, 0)), judged=one_list(grades))),
    "ndcg_score": ("y_true", lambda grades: ml.ndcg_score([grades], [range(3)])),
    "dcg_score": ("y_true", lambda grades: ml.dcg_score([grades], [range(3)])),
    "expected_reciprocal_rank": ("grades", lambda grades: ml.expected_reciprocal_rank(grades, max_grade=4)),
    "ERR, Lists": ("grades", lambda grades: ml.expected_reciprocal_rank(one_list(grades), max_grade=4)),
}


def one_list(grades):
    return ml.Lists.from_columns(np.ones(len(grades)), -np.arange(len(grades)), grades)


@pytest.mark.parametrize(("argument", "call"), NEGATIVE.values(), ids=NEGATIVE)
def test_negative_grades_are_refused_with_the_remedy_where_the_range_would_be_left(argument, call):
    expected = (
        rf"^{argument}: expected grades of at least 0 \(to count others as 0: np.maximum\(grades, 0\)\), got -2(\.0)?$"
    )
    with pytest.raises(ValueError, match=expected):
        call([1, -2, 0])
    assert call(np.maximum([1, -2, 0], 0)) == call([1, 0, 0])


def test_sums_keep_negative_grades():
    assert ml.dcg([-1], gain="exponential") == -0.5
    assert ml.dcg([2, -1]) == ml.ideal_dcg([-1, 2]) == 2 - 1 / math.log2(3)
    assert ml.cumulative_gain([2, -1]) == 1
    assert ml.ideal_dcg([-3_000_000_000, 1], 1) == 1  # beyond the 32 bits that are sorted faster


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_an_ideal_of_zero_is_that_of_a_query_without_a_relevant_item(gain):
    for rel in ([0], [0, 0], [0.0, -0.0]):
        assert ml.ideal_dcg(rel, gain=gain) == 0
        assert math.isnan(ml.ndcg(rel, gain=gain))
        assert ml.ndcg(rel, gain=gain, undefined=0.5) == 0.5
        with pytest.raises(ValueError, match="no relevant item"):
            ml.ndcg(rel, gain=gain, undefined="raise")


def test_the_highest_grade_of_err_is_required_for_a_batch_and_guessed_for_one_list():
    with pytest.raises(ValueError, match="^max_grade: expected the highest grade of the scale, for more than one list"):
        ml.expected_reciprocal_rank([[3, 0], [1, 0]])
    together = ml.expected_reciprocal_rank([[3, 0], [1, 0]], max_grade=3)
    assert together.tolist() == [float(exact_err([3, 0], 2, 3)), float(exact_err([1, 0], 2, 3))]
    assert ml.expected_reciprocal_rank([1, 0]) == 0.5
    assert ml.expected_reciprocal_rank([0, 0]) == 0


@pytest.mark.parametrize("k", CUTS)
def test_the_ends_of_beta_are_precision_and_recall(k):
    for rel in SMALL_LISTS:
        if any(rel):
            assert ml.fbeta_at_k(rel, k, beta=0) == pytest.approx(ml.precision_at_k(rel, k), abs=1e-15)
            for beta in (math.inf, 1e200):
                assert ml.fbeta_at_k(rel, k, beta=beta) == pytest.approx(ml.recall_at_k(rel, k), abs=1e-15)


@pytest.mark.parametrize("counts", [*itertools.product(range(3), range(1, 3), range(3))])
def test_f_from_counts_is_one_value_in_every_door(counts):
    """Where nothing is relevant recall is 0/0, but F is 0 of as many as were returned."""
    tp, fp, fn = counts
    relevant, returned = np.repeat([1, 0, 1], counts), np.repeat([1, 1, 0], counts)
    for beta in (0.5, 1, 2):
        value = ml.ConfusionCounts(tp, fp, fn, 0).fbeta(beta)
        assert ml.fbeta_score(relevant, returned, beta=beta, zero_division=0) == pytest.approx(value, abs=1e-15)
        assert ml.fbeta_at_k(relevant, tp + fp, beta=beta) == pytest.approx(value, abs=1e-15)
        measure = f"F(beta={beta})@{tp + fp}"
        assert ml.evaluate(one_list(relevant), measure).mean() == {measure: pytest.approx(value, abs=1e-15)}
    rows = [(int(y), int(p)) for y, p in zip(relevant, returned, strict=True)]
    log = sqlite3.connect(":memory:")
    log.execute("CREATE TABLE log (label, prediction)")
    log.executemany("INSERT INTO log VALUES (?, ?)", rows)
    found = log.execute(ml.sql.f1_score("log")).fetchone()
    assert found == (pytest.approx(ml.ConfusionCounts(tp, fp, fn, 0).f1), tp, fp, fn, 0)


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e200, 1e308])
def test_only_ratios_of_weights_count(scale):
    grades, scores = [[3, 1, 0], [0, 1, 2]], [[1, 2, 3], [1, 2, 3]]
    for metric in (ml.dcg_score, ml.ndcg_score):
        expected = metric(grades, scores)
        assert metric(grades, scores, sample_weight=[scale, scale]) == pytest.approx(expected, rel=1e-15)
        assert metric(grades, scores, sample_weight=[scale, 0]) == metric(grades[:1], scores[:1])


def test_a_mean_beyond_float64_is_refused():
    with pytest.raises(ValueError, match="exceeds the range"):
        ml.dcg_score([[1e308, 0], [1e308, 0]], [[2, 1], [2, 1]])
    with pytest.raises(ValueError, match="exceeds the range"):
        ml.mean_over_queries([1e308, 1e308])


# Undefined values

UNDEFINED = {
    "recall_at_k": lambda **kw: ml.recall_at_k([0, 0], 1, **kw),
    "recall_at_k, n_relevant 0": lambda **kw: ml.recall_at_k([0, 0], 1, n_relevant=0, **kw),
    "fbeta_at_k": lambda **kw: ml.fbeta_at_k([0, 0], 1, beta=math.inf, **kw),
    "r_precision": lambda **kw: ml.r_precision([0, 0], **kw),
    "average_precision": lambda **kw: ml.average_precision([0, 0], **kw),
    "average_precision, k": lambda **kw: ml.average_precision([0, 0], denominator="k", **kw),
    "average_precision, hits": lambda **kw: ml.average_precision([0, 1], 1, denominator="hits", **kw),
    "ndcg": lambda **kw: ml.ndcg([0, 0], **kw),
    "mean_average_precision": lambda **kw: ml.mean_average_precision([[0, 0]], **kw),
}


@pytest.mark.parametrize("call", UNDEFINED.values(), ids=UNDEFINED)
def test_undefined_values_follow_the_keyword(call):
    assert math.isnan(call())
    assert call(undefined=0) == 0
    assert call(undefined=0.25) == 0.25
    with pytest.raises(ValueError, match="no relevant item"):
        call(undefined="raise")
    for wrong in ("nonsense", None, True):
        with pytest.raises(ValueError, match="undefined: expected a number, nan or 'raise'"):
            call(undefined=wrong)


PER_QUERY = {
    "recall_at_k": lambda rel: ml.recall_at_k(rel, 2),
    "r_precision": ml.r_precision,
    "average_precision": ml.average_precision,
    "ndcg": ml.ndcg,
}


@pytest.mark.parametrize("metric", PER_QUERY.values(), ids=PER_QUERY)
def test_the_mean_of_any_metric_has_a_choice_for_undefined_queries(metric):
    first, second = [1, 0, 1], [0, 1, 0]
    values = metric([first, [0, 0, 0], second])
    served = [metric(first), metric(second)]
    assert math.isnan(ml.mean_over_queries(values))
    assert ml.mean_over_queries(values, undefined="skip") == pytest.approx(np.mean(served), rel=1e-15)
    assert ml.mean_over_queries(values, undefined=0) == pytest.approx(sum(served) / 3, rel=1e-15)
    assert ml.mean_over_queries(values, undefined=1) == pytest.approx((sum(served) + 1) / 3, rel=1e-15)
    with pytest.raises(ValueError, match=r"^values: 1 of 3 are undefined \(nan\)"):
        ml.mean_over_queries(values, undefined="raise")
    assert ml.mean_over_queries(served, undefined="raise") == np.mean(served)


def test_the_mean_of_one_value_of_none_and_of_a_batch_of_batches():
    assert ml.mean_over_queries(0.5) == 0.5
    assert ml.mean_over_queries(math.nan, undefined=0.25) == 0.25
    assert math.isnan(ml.mean_over_queries([math.nan] * 2, undefined="skip"))
    assert ml.mean_over_queries([[1, 0], [1, 1]]) == 0.75
    assert type(ml.mean_over_queries(np.float32([1, 0]))) is float
    values = np.array([1, math.nan])
    ml.mean_over_queries(values, undefined=0)
    assert math.isnan(values[1])


@pytest.mark.parametrize("bad", [[], [math.inf], ["a"], None, [[1], [1, 2]], [1j], np.ma.array([1, 2], mask=[0, 1])])
def test_bad_values_have_no_mean(bad):
    with pytest.raises(ValueError, match="^values: expected "):
        ml.mean_over_queries(bad)


@pytest.mark.parametrize("wrong", ["zero", None, True])
def test_a_mean_takes_a_number_or_a_word(wrong):
    for mean in (ml.mean_over_queries, ml.mean_average_precision):
        with pytest.raises(ValueError, match="undefined: expected a number, nan or 'raise' or 'skip'"):
            mean([1, 0], undefined=wrong)


def test_skip_is_for_means_only():
    assert ml.mean_average_precision([[1, 0], [0, 0]], undefined="skip") == 1
    assert math.isnan(ml.mean_average_precision([[0, 0], [0, 0]], undefined="skip"))
    assert ml.mean_average_precision([1, 0]) == 1
    with pytest.raises(ValueError, match="undefined"):
        ml.average_precision([1, 0], undefined="skip")


def test_raising_looks_only_at_what_is_undefined():
    assert ml.ndcg([[1, 0], [0, 1]], undefined="raise").shape == (2,)


# Bad input

# What takes a ranked list, whatever it is called there, and a cut.
BY_RANK = {name: getattr(ml, name) for name in ml.ranking.__all__}
FIRST = {name: list(inspect.signature(function).parameters) for name, function in BY_RANK.items()}
FIRST = {name: first for name, (first, *others) in FIRST.items() if others[:1] == ["k"]}
BY_RANK = {name: BY_RANK[name] for name in FIRST}
BAD_LISTS = {
    "nan": ([1, math.nan], "expected finite numbers, got nan"),
    "infinity": ([1, math.inf], "expected finite numbers, got inf"),
    "empty": ([], r"expected at least one value, got shape \(0,\)"),
    "empty rows": ([[], []], r"expected at least one value, got shape \(2, 0\)"),
    "number": (3, r"expected at least 1 dimension, got shape \(\)"),
    "ragged": ([[1, 0], [1]], "expected an array of numbers, got lists of unequal lengths"),
    "strings": (["a", "b"], "expected an array of real numbers, got strings"),
    "objects": ([None, 1], "expected an array of real numbers, got a value of type NoneType"),
    "complex": ([1j], "expected an array of real numbers, got complex numbers"),
}


@pytest.mark.parametrize("name", BY_RANK)
@pytest.mark.parametrize("case", BAD_LISTS)
def test_bad_lists_are_refused_by_name(name, case):
    bad, message = BAD_LISTS[case]
    with pytest.raises(ValueError, match=f"^{FIRST[name]}: {message}$"):
        BY_RANK[name](bad, 1)


@pytest.mark.parametrize("name", list(BY_RANK))
@pytest.mark.parametrize("k", [0, -1, 1.0, True, "3", np.nan])
def test_bad_cuts_are_refused(name, k):
    with pytest.raises(ValueError, match="^k: expected an integer of at least 1"):
        BY_RANK[name]([1, 0], k)


def test_numpy_integers_are_cuts():
    assert ml.precision_at_k([1, 0], np.int8(1)) == 1


BAD_CALLS = {
    "k is required": (lambda: ml.precision_at_k([1], None), "k: expected an integer of at least 1, got None"),
    "k of 0 where it is required": (lambda: ml.recall_at_k([1], 0), "k: expected an integer of at least 1, got 0"),
    "k beyond 64 bits": (lambda: ml.precision_at_k([1], 10**400), "k: expected an integer of at least 1"),
    "n_relevant beyond float64": (lambda: ml.recall_at_k([1], 1, n_relevant=10**400), "n_relevant: .*float64"),
    "undefined beyond float64": (lambda: ml.ndcg([1], undefined=10**400), "undefined: expected a number"),
    "max_grade beyond float64": (lambda: ml.expected_reciprocal_rank([1], max_grade=10**400), "max_grade: .*float64"),
    "beta beyond float64": (lambda: ml.fbeta_at_k([1], 1, beta=10**400), "beta: "),
    "masked relevance": (lambda: ml.ndcg(np.ma.array([1, 9], mask=[0, 1])), "rel: .*without masked values"),
    "float32 beside float64": (
        lambda: ml.ndcg(np.float32([0.1]), judged=[0.1]),
        "judged: .*too few of grade 0.10000000149",
    ),
    "n_relevant below the hits": (lambda: ml.recall_at_k([1, 1], 1, n_relevant=1), "n_relevant: .*at least"),
    "n_relevant not whole": (lambda: ml.average_precision([1, 1], n_relevant=2.5), "n_relevant: .*whole"),
    "n_relevant negative": (lambda: ml.average_precision([0, 0], n_relevant=-1), "n_relevant: "),
    "n_relevant of another shape": (lambda: ml.recall_at_k([[1], [0]], 1, n_relevant=[1, 1, 1]), "n_relevant: .*shape"),
    "n_relevant per query for one list": (lambda: ml.recall_at_k([1], 1, n_relevant=[1]), "n_relevant: .*shape"),
    "denominator": (lambda: ml.average_precision([1], denominator="r"), "denominator: expected one of 'relevant'"),
    "beta below 0": (lambda: ml.fbeta_at_k([1], 1, beta=-1), "beta: "),
    "beta of nan": (lambda: ml.fbeta_at_k([1], 1, beta=math.nan), "beta: "),
    "beta a word": (lambda: ml.fbeta_at_k([1], 1, beta="2"), "beta: "),
    "r_precision of nan": (lambda: ml.r_precision([1, math.nan]), "rel: expected finite numbers, got nan"),
    "r_precision below the hits": (lambda: ml.r_precision([1, 1], n_relevant=1), "n_relevant: .*at least"),
    "p of 1": (lambda: ml.rank_biased_precision([1], p=1), "p: expected a number of at least 0 and below 1, got 1"),
    "p below 0": (lambda: ml.rank_biased_precision([1], p=-0.1), "p: expected a number of at least 0 and below 1"),
    "p of nan": (lambda: ml.rank_biased_precision([1], p=math.nan), "p: expected finite"),
    "p a word": (lambda: ml.rank_biased_precision([1], p="high"), "p: expected"),
    "p a flag": (lambda: ml.rank_biased_precision([1], p=False), "p: expected a number of at least 0 and below 1"),
    "p one a query": (lambda: ml.rank_biased_precision([1], p=[0.5]), "p: expected"),
    "gain": (lambda: ml.dcg([1], gain="exp"), "gain: expected one of 'linear', 'exponential', got 'exp'"),
    "gain overflow at 1024": (lambda: ml.dcg([1, 1024], gain="exponential"), "rel: expected grades below 1024"),
    "gain overflow": (lambda: ml.dcg([1, 2000], gain="exponential"), "rel: .*below 1024"),
    "gain overflow in the ideal": (lambda: ml.ideal_dcg([2000], gain="exponential"), "judged: .*below 1024"),
    "sum overflow": (lambda: ml.dcg([1e308] * 9), "exceeds the range"),
    "discount not callable": (lambda: ml.dcg([1], discount=2), "discount: .*function"),
    "discount of err not callable": (lambda: ml.expected_reciprocal_rank([1, 1], discount=0), "discount: .*function"),
    "discount infinite": (lambda: ml.dcg([1, 2], discount=lambda i: 1 / np.log2(i)), "discount: .*finite"),
    "discount negative": (lambda: ml.dcg([1, 2], discount=lambda i: -i), "discount: .*at least 0"),
    "discount growing": (lambda: ml.dcg([1, 2], discount=lambda i: i), "discount: .*do not increase"),
    "discount of another shape": (lambda: ml.dcg([1, 2], discount=lambda i: [1]), "discount: .*shape"),
    "pool lacks a grade": (lambda: ml.ndcg([3, 2], judged=[3, 1]), "judged: expected every positive grade.*grade 2"),
    "pool has it once": (lambda: ml.ndcg([3, 3], judged=[3, 1, 1]), "judged: .*too few of grade 3"),
    "pool of another row": (lambda: ml.ndcg([[3, 0], [2, 0]], judged=[[2, 0], [3, 0]]), "judged: .*too few of grade 3"),
    "one pool for two": (lambda: ml.ndcg([[1], [1]], judged=[1]), "judged: .*one pool a query"),
    "pool with nan": (lambda: ml.ndcg([1], judged=[math.nan]), "judged: .*finite"),
    "negative grades in err": (lambda: ml.expected_reciprocal_rank([1, -1]), "grades: expected grades of at least 0"),
    "grade above the maximum": (
        lambda: ml.expected_reciprocal_rank([3], max_grade=2),
        "max_grade: .*at least",
    ),
    "maximum not a number": (lambda: ml.expected_reciprocal_rank([3], max_grade="5"), "max_grade: "),
    "relevance and scores differ": (lambda: ml.rank_by_score([1, 2], [1]), r"scores: expected the shape of relevance"),
    "score nan": (lambda: ml.rank_by_score([1], [math.nan]), "scores: .*finite"),
}
for _score in (ml.dcg_score, ml.ndcg_score):
    BAD_CALLS |= {
        f"{_score.__name__}: {name}": (lambda f=_score, a=args, kw=kwargs: f(*a, **kw), message)
        for name, args, kwargs, message in [
            ("one dimension", ([1, 0], [1, 0]), {}, "y_true: expected 2 dimensions"),
            ("one document", ([[1]], [[1]]), {}, "y_true: expected at least 2 documents"),
            ("shapes", ([[1, 0]], [[1, 0, 2]]), {}, "y_score: expected the shape of y_true"),
            ("nan score", ([[1, 0]], [[1, math.nan]]), {}, "y_score: .*finite"),
            ("nan grade", ([[1, math.nan]], [[1, 0]]), {}, "y_true: .*finite"),
            ("empty", ([[]], [[]]), {}, "y_true: expected at least one value"),
            ("k", ([[1, 0]], [[1, 0]]), {"k": 0}, "k: "),
            ("negative weight", ([[1, 0]], [[1, 0]]), {"sample_weight": [-1]}, "sample_weight: .*non-negative"),
            ("zero weights", ([[1, 0]], [[1, 0]]), {"sample_weight": [0]}, "sample_weight: .*positive"),
            ("weights too many", ([[1, 0]], [[1, 0]]), {"sample_weight": [1, 1]}, "sample_weight: expected 1 weights"),
            ("gain", ([[1, 0]], [[1, 0]]), {"gain": "log"}, "gain: "),
        ]
    }
for name in ("ndcg_score", "dcg_score"):
    BAD_CALLS[f"{name}: ignore_ties"] = (
        lambda name=name: getattr(ml, name)([[1, 0]], [[1, 0]], ignore_ties="no"),
        "ignore_ties: expected True or False, got 'no'",
    )
BAD_CALLS["ndcg_score: negative grade"] = (
    lambda: ml.ndcg_score([[1, -1]], [[1, 0]]),
    "y_true: .*at least 0",
)
BAD_CALLS["dcg_score: log_base"] = (lambda: ml.dcg_score([[1, 0]], [[1, 0]], log_base=1), "log_base: ")


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls_are_refused_by_name(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(ValueError, match=message):
        call()


def test_inputs_are_not_modified():
    rng = np.random.default_rng(4)
    grades, scores = rng.integers(0, 4, (5, 8)).astype(float), rng.random((5, 8))
    before = grades.copy(), scores.copy()
    grades.flags.writeable = scores.flags.writeable = False
    every_metric(grades, 3)
    ml.ndcg(grades, 3, judged=grades)
    ml.ndcg_score(grades, scores, k=3)
    ml.dcg_score(grades, scores, ignore_ties=True)
    ml.rank_by_score(grades, scores)
    np.testing.assert_array_equal(grades, before[0])
    np.testing.assert_array_equal(scores, before[1])


def test_what_the_documents_disagree_on_is_keyword_only():
    for call in (ml.dcg, ml.ndcg, ml.ideal_dcg, ml.average_precision, ml.expected_reciprocal_rank):
        with pytest.raises(TypeError, match="positional"):
            call([1], 1, "linear")
