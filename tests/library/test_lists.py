"""metrics_lib.lists: every list has the value that it has alone, whatever the lengths, the ties and the row order."""

import contextlib
import copy
import inspect
import itertools
import math
import pickle
import re
import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics_lib as ml
from metrics_lib import Lists, evaluate, ranking
from metrics_lib.measures import Evaluation

# Tables, and their lists made by Python's own sort


def by_hand(query, score, grade, tie=None):
    """The ranked grades of each query: by score, then by tie, both descending, then as they came."""
    names = sorted(set(query))
    rank_of = {value: place for place, value in enumerate(sorted(set(tie or [])))}
    ties = [rank_of[value] for value in tie] if tie else [0] * len(query)
    rows = sorted(range(len(query)), key=lambda row: (-score[row], -ties[row]))
    return {name: [grade[row] for row in rows if query[row] == name] for name in names}


def table(rng, n_queries, longest, score):
    """Shuffled columns of a table with lists of every length."""
    query = np.repeat(np.arange(n_queries), rng.integers(1, longest + 1, n_queries))
    rng.shuffle(query)
    return query, score(len(query)), rng.integers(0, 4, len(query))


def ranked(lists):
    return {query: lists.ranked(query).tolist() for query in lists.queries.tolist()}


rows = st.tuples(st.integers(0, 5), st.integers(-2, 2), st.integers(0, 4), st.integers(0, 2))
tables = st.lists(rows, min_size=1, max_size=40).map(
    lambda table: [list(column) for column in zip(*table, strict=True)]
)

PER_LIST = {
    "precision_at_k": lambda rel, **kw: ml.precision_at_k(rel, 3),
    "recall_at_k": lambda rel, **kw: ml.recall_at_k(rel, 3, **kw),
    "fbeta_at_k": lambda rel, **kw: ml.fbeta_at_k(rel, 3, beta=2, **kw),
    "average_precision": lambda rel, **kw: ml.average_precision(rel, **kw),
    "average_precision, min": lambda rel, **kw: ml.average_precision(rel, 2, denominator="min", **kw),
    "average_precision, k": lambda rel, **kw: ml.average_precision(rel, denominator="k", **kw),
    "r_precision": lambda rel, **kw: ml.r_precision(rel, **kw),
    "rank_biased_precision": lambda rel, **kw: ml.rank_biased_precision(rel, 4, p=0.7),
    "reciprocal_rank": lambda rel, **kw: ml.reciprocal_rank(rel, 2),
    "expected_reciprocal_rank": lambda rel, **kw: ml.expected_reciprocal_rank(rel, 3, max_grade=4),
    "cumulative_gain": lambda rel, **kw: ml.cumulative_gain(rel, 3),
    "dcg": lambda rel, **kw: ml.dcg(rel, gain="exponential"),
    "dcg, discount": lambda rel, **kw: ml.dcg(rel, 3, discount=lambda ranks: 1 / ranks),
    "ideal_dcg": lambda rel, **kw: ml.ideal_dcg(rel, 2),
    "ndcg": lambda rel, **kw: ml.ndcg(rel, 3, gain="exponential"),
}
COUNTED = {"recall_at_k", "fbeta_at_k", "average_precision", "average_precision, min", "average_precision, k"}
COUNTED |= {"r_precision"}


def test_every_function_of_ranked_relevance_is_among_them():
    first = {name: next(iter(inspect.signature(getattr(ml, name)).parameters)) for name in ranking.__all__}
    takes = {name for name in ranking.__all__ if first[name] in ("rel", "grades", "judged")}
    assert takes == {name.partition(",")[0] for name in PER_LIST} | {"mean_average_precision", "mean_reciprocal_rank"}


@given(tables)
def test_the_lists_are_those_of_a_sort_by_hand(columns):
    query, score, grade, tie = columns
    names, words = [f"q{q}" for q in query], [f"d{t}" for t in tie]
    assert ranked(Lists.from_columns(query, score, grade)) == by_hand(query, score, grade)
    assert ranked(Lists.from_columns(names, score, grade)) == by_hand(names, score, grade)
    assert ranked(Lists.from_columns(query, score, grade, tie=tie)) == by_hand(query, score, grade, tie)
    assert ranked(Lists.from_columns(query, score, grade, tie=words)) == by_hand(query, score, grade, words)


@pytest.mark.parametrize("name", PER_LIST)
@given(columns=tables)
@settings(max_examples=25)
def test_a_list_has_the_value_that_it_has_alone(name, columns):
    metric = PER_LIST[name]
    query, score, grade, _ = columns
    lists = Lists.from_columns(query, score, grade)
    alone = by_hand(query, score, grade)
    np.testing.assert_array_equal(metric(lists), [metric(rel) for rel in alone.values()])
    if name in COUNTED:
        totals = {q: sum(g > 0 for g in rel) + q for q, rel in alone.items()}
        expected = [metric(rel, n_relevant=totals[q]) for q, rel in alone.items()]
        for given_as in (totals, pd.Series(totals), list(totals.values()), np.array(list(totals.values()))):
            if not isinstance(given_as, pd.Series):
                np.testing.assert_array_equal(metric(lists, n_relevant=given_as), expected)
        np.testing.assert_array_equal(metric(lists, n_relevant=pd.Series(totals)), expected)
        np.testing.assert_array_equal(
            metric(lists, n_relevant=99), [metric(rel, n_relevant=99) for rel in alone.values()]
        )


SCORES = {
    "floats of both signs": lambda rng, n: rng.normal(size=n),
    "few values": lambda rng, n: rng.integers(0, 3, n) / 4,
    "neighbouring floats": lambda rng, n: 1 + rng.integers(0, 9, n) * np.finfo(float).eps,
    "neighbours and a giant": lambda rng, n: np.append(1 + rng.integers(0, 9, n - 1) * np.finfo(float).eps, -1e300),
    "huge and tiny": lambda rng, n: rng.choice([-1e300, -5e-324, 1e-300, 5e-324, 0.0, -0.0, 1e300], n),
    "float32": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "long doubles beyond float64": lambda rng, n: np.square(rng.integers(1, 9, n) * np.longdouble(1e200)),
    "long doubles": lambda rng, n: 1 + rng.integers(0, 9, n).astype(np.longdouble) * np.finfo(np.longdouble).eps,
    "wide integers": lambda rng, n: rng.integers(-(2**63), 2**63 - 1, n),
    "unsigned": lambda rng, n: rng.integers(2**64 - 4, 2**64 - 1, n, dtype=np.uint64, endpoint=True),
    "booleans": lambda rng, n: rng.random(n) > 0.5,
}


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("make", SCORES.values(), ids=SCORES)
def test_scores_of_every_kind_are_ordered_exactly_and_stably(make, tied):
    """Lists, code and row number need more than 64 bits here, so the codes are shortened and repaired."""
    rng = np.random.default_rng(0)
    query, score, grade = table(rng, 300, 40, lambda n: make(rng, n))
    grade = np.arange(len(query))  # each row is known by its grade
    tie = rng.integers(0, 3, len(query)) if tied else np.zeros(len(query), dtype=int)
    lists = Lists.from_columns(query, score, grade, tie=tie if tied else None)
    for q in range(300):
        rows = np.flatnonzero(query == q)
        falling = sorted(rows.tolist(), key=lambda row: (-int(tie[row]), row))
        falling.sort(key=lambda row: score[row], reverse=True)
        assert lists.ranked(q).tolist() == falling


QUERIES = {
    "small integers": lambda q: q,
    "far apart": lambda q: q * 10**15 - 7,
    "int8": lambda q: (q - 128).astype(np.int8),
    "unsigned": lambda q: q.astype(np.uint64) + np.uint64(2**64 - 400),
    "strings": lambda q: np.char.add("q", q.astype(str)),
    "objects": lambda q: pd.Series([f"q{n}" for n in q]),
    "dates": lambda q: np.datetime64("2026-11-22") + q,
    "floats": lambda q: q / 4,
    "column": lambda q: q[:, None],
}


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("make", QUERIES.values(), ids=QUERIES)
def test_queries_of_every_kind_keep_their_labels(make, grouped):
    rng = np.random.default_rng(1)
    query, score, grade = table(rng, 200, 9, rng.random)
    if grouped:
        query = query[np.argsort(query // 3 * 7 % 5, kind="stable")]
    labels = make(query)
    lists = Lists.from_columns(labels, score, grade)
    plain = np.asarray(labels).ravel()
    np.testing.assert_array_equal(lists.queries, np.unique(plain))
    assert lists.queries.dtype == np.unique(plain).dtype
    for label, length in zip(lists.queries, lists.lengths, strict=True):
        mine = plain == label
        assert mine.sum() == length
        np.testing.assert_array_equal(lists.ranked(label), grade[mine][np.argsort(-score[mine])])


def test_more_rows_than_a_block_and_more_lists_of_one_length():
    rng = np.random.default_rng(2)
    query, score, grade = table(rng, 12_000, 12, rng.random)
    lists = Lists.from_columns(query, score, grade)
    values = ml.ndcg(lists, 5)
    for q in rng.integers(0, 12_000, 200):
        mine = query == q
        np.testing.assert_equal(values[q], ml.ndcg(ml.rank_by_score(grade[mine], score[mine]), 5))
    np.testing.assert_array_equal(lists.lengths, np.bincount(query))


GRADES = {
    "floats": lambda rng, n: rng.integers(0, 9, n) / 4,
    "negative": lambda rng, n: rng.integers(-3, 3, n),
    "booleans": lambda rng, n: rng.random(n) > 0.7,
    "int8": lambda rng, n: rng.integers(-128, -100, n).astype(np.int8),
    "unsigned": lambda rng, n: rng.integers(0, 3, n).astype(np.uint64),
    "wide": lambda rng, n: rng.integers(2**60, 2**60 + 3, n),
    "far apart": lambda rng, n: rng.integers(0, 2, n) * 10**6,
}


@pytest.mark.parametrize("make", GRADES.values(), ids=GRADES)
@pytest.mark.parametrize("k", [None, 1, 7])
def test_ideals_of_every_kind_of_grade(make, k):
    """Whole numbers are counted, others sorted."""
    rng = np.random.default_rng(4)
    query, score, _ = table(rng, 90, 30, rng.random)
    grade = make(rng, len(query))
    lists = Lists.from_columns(query, score, grade)
    for metric in (ml.ideal_dcg, ml.ndcg):
        if metric is ml.ndcg and grade.min() < 0:
            with pytest.raises(ValueError, match=r"^rel: expected grades of at least 0 .*np.maximum\(grades, 0\)"):
                ml.ndcg(lists, k)
            continue
        np.testing.assert_array_equal(
            metric(lists, k), [metric(grade[query == q][np.argsort(-score[query == q])], k) for q in range(90)]
        )


def test_ties_of_scores_keep_the_order_of_the_input_or_follow_the_names_downwards():
    columns = [1, 1, 1], [0.5, 0.5, 0.9], [1, 2, 3]
    assert Lists.from_columns(*columns).ranked(1).tolist() == [3, 1, 2]
    assert Lists.from_columns(*columns, tie=["d1", "d2", "d0"]).ranked(1).tolist() == [3, 2, 1]
    assert Lists.from_columns(*columns, tie=["d2", "d1", "d9"]).ranked(1).tolist() == [3, 1, 2]


@given(st.lists(st.lists(st.integers(0, 3), max_size=6), min_size=1, max_size=8), st.randoms())
def test_lists_in_ranked_order_are_those_of_a_table(given_lists, random):
    """With the rank as the score, and one item of grade 0 where a list is empty."""
    queries = random.sample(range(100), len(given_lists))
    filled = [grades or [0] for grades in given_lists]
    lists = Lists.from_lists(given_lists, queries=queries)
    query = np.repeat(queries, [len(grades) for grades in filled])
    table = Lists.from_columns(
        query, [-rank for grades in filled for rank in range(len(grades))], [*itertools.chain(*filled)]
    )
    assert lists.queries.tolist() == table.queries.tolist() == sorted(queries)
    assert all(lists.ranked(query).tolist() == filled[place] for place, query in enumerate(queries))
    np.testing.assert_array_equal(ml.ndcg(lists), ml.ndcg(table))


@pytest.mark.parametrize(
    "made",
    [
        lambda lists: lists,
        tuple,
        pd.Series,
        pl.Series,
        lambda lists: map(np.array, lists),
        lambda lists: pd.DataFrame({"grades": lists})["grades"],
        lambda lists: [pd.Series(grades) for grades in lists],
        lambda lists: [pl.Series(grades) for grades in lists],
    ],
)
def test_lists_come_from_where_people_have_them(made):
    lists = Lists.from_lists(made([[3, 0, 1], [0], [2, 1]]))
    assert lists.queries.tolist() == [0, 1, 2]
    assert [lists.ranked(query).tolist() for query in range(3)] == [[3, 0, 1], [0], [2, 1]]


def test_the_rows_of_a_matrix_are_lists():
    matrix = np.array([[1, 0, 2], [0, 1, 1]])
    np.testing.assert_array_equal(ml.ndcg(Lists.from_lists(matrix)), ml.ndcg(matrix))


NO_LISTS = {
    "a text": (lambda: Lists.from_lists("abc"), "grades: expected a list of grades for each query, got .* type str"),
    "nothing": (lambda: Lists.from_lists(None), "grades: expected a list of grades .*, got a value of type NoneType"),
    "one list": (lambda: Lists.from_lists([1, 0]), "grades: expected a list of grades for each query, got .* type int"),
    "a mapping": (lambda: Lists.from_lists({"a": [1]}), "grades: expected a list .*, got a value of type dict"),
    "no list": (lambda: Lists.from_lists([]), "grades: expected at least one list, got none"),
    "strings": (lambda: Lists.from_lists([[1, "x"]]), "grades: expected an array of real numbers, got strings"),
    "None": (lambda: Lists.from_lists([[1, None]]), "grades: expected an array of real numbers, got .* type NoneType"),
    "nan": (lambda: Lists.from_lists([[1], [np.nan]]), "grades: expected finite numbers, got nan"),
    "masked": (lambda: Lists.from_lists([np.ma.array([1, 2], mask=[0, 1])]), "grades: expected .* without masked"),
    "too deep": (lambda: Lists.from_lists([[[1, 2]]]), r"grades: expected 1 dimension, got shape \(1, 2\)"),
    "few queries": (lambda: Lists.from_lists([[1], [2]], queries=["a"]), "queries: expected 2 values, one per list"),
    "a query twice": (lambda: Lists.from_lists([[1], [2]], queries=["a", "a"]), "queries: expected each query once"),
    "no query": (lambda: Lists.from_lists([[1], [2]], queries=["a", None]), "queries: expected no missing values"),
}


@pytest.mark.parametrize("name", NO_LISTS)
def test_what_is_no_list_of_lists_is_refused_by_name(name):
    call, message = NO_LISTS[name]
    with pytest.raises(ValueError, match=message):
        call()


def test_relevance_may_be_named():
    assert ml.average_precision(rel=[0, 1], n_relevant=2) == 0.25
    assert ml.ndcg(k=1, rel=Lists.from_lists([[1], [0, 1]])).tolist() == [1, 0]


def test_means_take_lists():
    lists = Lists.from_columns([1, 1, 2], [2, 1, 1], [0, 1, 0])
    assert ml.mean_reciprocal_rank(lists) == 0.25
    assert ml.mean_average_precision(lists, undefined="skip") == 0.5
    assert math.isnan(ml.mean_average_precision(lists))
    assert ml.mean_average_precision(lists, n_relevant={1: 2, 2: 1}) == 0.125


# Judgements

JUDGED = Lists.from_columns(["a"] * 4 + ["c"] * 2, [0] * 6, [3, 2, 2, 0, 1, 1])
RUN = Lists.from_columns(["a", "a", "b", "c"], [1, 2, 1, 1], [2, 3, 0, 0])


def test_the_pool_is_that_of_the_query():
    expected = [ml.ndcg([3, 2], 3, judged=[3, 2, 2, 0]), math.nan, 0]
    np.testing.assert_array_equal(ml.ndcg(RUN, 3, judged=JUDGED), expected)
    np.testing.assert_array_equal(ml.ndcg(RUN, 3, judged=JUDGED, undefined=0), [expected[0], 0, 0])
    with pytest.raises(ValueError, match="no relevant item"):
        ml.ndcg(RUN, 3, judged=JUDGED, undefined="raise")


@given(tables, tables)
@settings(max_examples=50)
def test_a_pool_that_lacks_a_grade_is_refused_and_only_such_a_one(first, second):
    query, score, grade, _ = first
    others, more = second[0], second[2]
    lists = Lists.from_columns(query, score, grade)
    pool = Lists.from_columns(others, more, more)
    listed, pooled = by_hand(query, score, grade), by_hand(others, more, more)
    lacking = any(rel.count(g) > pooled.get(q, []).count(g) for q, rel in listed.items() for g in range(1, 5))
    if lacking:
        with pytest.raises(ValueError, match=r"^judged: expected every positive grade of the lists, got too few of"):
            ml.ndcg(lists, judged=pool)
    else:
        expected = [ml.ndcg(rel, judged=pooled.get(q, [0])) for q, rel in listed.items()]
        np.testing.assert_array_equal(ml.ndcg(lists, judged=pool), expected)


def test_the_query_whose_pool_lacks_a_grade_is_named():
    with pytest.raises(ValueError, match="too few of grade 2 for query c"):
        ml.ndcg(Lists.from_columns(["a", "c"], [1, 1], [3, 2]), judged=JUDGED)
    with pytest.raises(ValueError, match="too few of grade 3 for query b"):
        ml.ndcg(Lists.from_columns(["b"], [1], [3]), judged=JUDGED)


# Measures by name

MEASURES = {
    "P@5": lambda rel, pool: ml.precision_at_k(rel, 5),
    "p(rel=2)@5": lambda rel, pool: ml.precision_at_k(np.array(rel) >= 2, 5),
    "R@2": lambda rel, pool: ml.recall_at_k(rel, 2, n_relevant=sum(g > 0 for g in pool)),
    "R(rel=3)@2": lambda rel, pool: ml.recall_at_k(np.array(rel) >= 3, 2, n_relevant=sum(g >= 3 for g in pool)),
    "F(beta=2)@3": lambda rel, pool: ml.fbeta_at_k(rel, 3, beta=2, n_relevant=sum(g > 0 for g in pool)),
    "Success@2": lambda rel, pool: float(any(rel[:2])),
    "AP": lambda rel, pool: ml.average_precision(rel, n_relevant=sum(g > 0 for g in pool)),
    "AP(denominator=min)@3": lambda rel, pool: ml.average_precision(
        rel, 3, denominator="min", n_relevant=sum(g > 0 for g in pool)
    ),
    "RR": lambda rel, pool: ml.reciprocal_rank(rel),
    "RR(rel=2)@3": lambda rel, pool: ml.reciprocal_rank(np.array(rel) >= 2, 3),
    "Rprec": lambda rel, pool: ml.r_precision(rel, n_relevant=sum(g > 0 for g in pool)),
    "RBP": lambda rel, pool: ml.rank_biased_precision(rel),
    "RBP(p=0.5, rel=2)@4": lambda rel, pool: ml.rank_biased_precision(np.array(rel) >= 2, 4, p=0.5),
    "ERR@20": lambda rel, pool: ml.expected_reciprocal_rank(rel, 20, max_grade=4),
    "ERR(max=5)@3": lambda rel, pool: ml.expected_reciprocal_rank(rel, 3, max_grade=5),
    "ERR(max_grade=5)": lambda rel, pool: ml.expected_reciprocal_rank(rel, max_grade=5),
    "DCG(gain=exponential)@3": lambda rel, pool: ml.dcg(rel, 3, gain="exponential"),
    "NDCG@10": lambda rel, pool: ml.ndcg(rel, 10, judged=pool),
    "nDCG(gain=exponential)": lambda rel, pool: ml.ndcg(rel, judged=pool, gain="exponential"),
}
OF_FILES = {"Judged"}  # needs lists of metrics_lib.trec.rank


@given(tables, tables)
@settings(max_examples=50)
def test_each_measure_is_its_function(first, second):
    query, score, grade, _ = first
    lists = Lists.from_columns(query, score, grade)
    listed = by_hand(query, score, grade)
    judged = [*query, *second[0]], [0] * (len(query) + len(second[0])), [*grade, *second[2]]
    pools = by_hand(*judged)
    values = evaluate(lists, list(MEASURES))
    pooled = evaluate(lists, list(MEASURES), judged=Lists.from_columns(*judged))
    assert list(values) == list(pooled) == list(MEASURES)
    for name, metric in MEASURES.items():
        np.testing.assert_array_equal(values[name], [metric(rel, rel) for rel in listed.values()], err_msg=name)
        expected = [metric(rel, pools[q]) for q, rel in listed.items()]
        np.testing.assert_array_equal(pooled[name], expected, err_msg=name)
    assert values.queries.tolist() == list(listed)


def test_every_measure_is_tried_and_stands_in_the_documentation():
    known = ml.measures.MEASURES
    assert {re.match(r"\w+", name)[0].lower() for name in MEASURES} == {name.lower() for name in {*known} - OF_FILES}
    documented = re.findall(r"^\s*``(\w+)(?:@k)?``\s\s+(.*?)(?:\s\s+(``.*))?$", evaluate.__doc__, re.MULTILINE)
    assert {name: set(re.findall(r"``(\w+)``", options)) for name, _, options in documented} == {
        name: set(measure.options) for name, measure in known.items()
    }


@pytest.mark.parametrize(
    ("theirs", "ours"),
    {
        "map": "AP",
        "map_cut_10": "AP@10",
        "map_cut.10": "AP@10",
        "MAP": "AP",
        "recip_rank": "RR",
        "P_10": "P@10",
        "P.5": "P@5",
        "recall_100": "R@100",
        "success_5": "Success@5",
        "Rprec": "Rprec",
        "ndcg": "nDCG",
        "ndcg_cut_10": "nDCG@10",
        "ndcg_cut.20": "nDCG@20",
    }.items(),
)
def test_the_names_of_trec_eval_are_understood(theirs, ours):
    lists = Lists.from_columns([1] * 12 + [2] * 3, [*range(12), *range(3)], [0, 2, 1] * 5)
    values = evaluate(lists, [theirs, ours])
    np.testing.assert_array_equal(values[theirs], values[ours])
    assert theirs == ours or list(values) == [theirs, ours], "as they were given"


def test_a_new_measure_is_one_record_and_one_function(monkeypatch):
    """Where its value, ties, SQL and a name of trec_eval's kind stand; files and tables take it from there."""

    def worst_of_the_top(lists, k):
        return lists.each(lambda rel: rel[:, :k].min(axis=1) > 0, depth=k)

    def in_sql(columns, k, options):
        return f"1e0 * MIN(CASE WHEN place <= {k} THEN {columns.relevant(options)} END)"

    rel = {"rel": ml.measures.MEASURES["P"].options["rel"]}
    record = ml.measures.Measure("All", worst_of_the_top, in_sql, "needed", rel, in_trec_eval=("all_k",))
    monkeypatch.setitem(ml.measures.MEASURES, "All", record)
    rows = [(1, "a", 3, 1), (1, "b", 2, 2), (1, "c", 1, 0), (2, "a", 2, 0), (2, "b", 1, 2)]
    expected = {"All@2": [1, 0], "All(rel=2)@1": [0, 0], "all_1": [1, 0]}
    table = pd.DataFrame(rows, columns=["query", "item", "score", "label"])
    of_lists = evaluate(Lists.from_columns(table["query"], table["score"], table["label"]), list(expected))
    assert {name: values.tolist() for name, values in of_lists.items()} == expected
    qrels, run = (
        {q: dict(of[["item", what]].to_numpy()) for q, of in table.groupby("query")} for what in ("label", "score")
    )
    of_files = ml.trec.evaluate(qrels, run, list(expected))
    assert {name: values.tolist() for name, values in of_files.items()} == expected
    with contextlib.closing(sqlite3.connect(":memory:")) as log:
        table.to_sql("log", log)
        of_rows = pd.read_sql(ml.sql.evaluate("log", list(expected)), log, index_col="query").sort_index()
    assert of_rows.iloc[:, :3].T.to_numpy().tolist() == list(expected.values())


def test_the_means_and_one_query():
    lists = Lists.from_columns(["a", "a", "b"], [2, 1, 1], [0, 1, 0])
    values = evaluate(lists, "AP")
    assert isinstance(values, Evaluation)
    assert values.of("a") == {"AP": 0.5}
    assert values.mean(undefined="skip") == {"AP": 0.5}
    assert values.mean(undefined=0) == {"AP": 0.25}
    assert math.isnan(values.mean()["AP"])
    assert evaluate(lists, "AP", undefined=1).of("b") == {"AP": 1}
    with pytest.raises(ValueError, match="no relevant item"):
        evaluate(lists, ["RR", "AP"], undefined="raise")
    with pytest.raises(ValueError, match="^query: expected one of queries, got 'c'"):
        values.of("c")


def test_evaluations_compare_by_their_values_and_survive_a_copy():
    lists = Lists.from_columns(["a", "a", "b"], [2, 1, 1], [0, 1, 0])
    values = evaluate(lists, ["AP", "RR"])
    assert values == evaluate(lists, ["AP", "RR"]) == copy.deepcopy(values) == pickle.loads(pickle.dumps(values))
    assert math.isnan(values.of("b")["AP"])
    others = [evaluate(lists, "AP"), evaluate(lists, ["AP", "RR"], undefined=0), dict(values)]
    others += [evaluate(Lists.from_columns(["a", "a", "c"], [2, 1, 1], [0, 1, 0]), ["AP", "RR"]), None]
    for other in others:
        assert values != other
        assert (values == other) is False
    assert repr(values) == "Evaluation(2 queries, AP, RR)"


MEASURES_OF_ALL = [
    "P@2",
    "R@2",
    "F@2",
    "Success@1",
    "AP",
    "RR",
    "Rprec",
    "RBP",
    "ERR",
    "DCG",
    "nDCG@2",
    "AP(denominator=k)@3",
]


def test_queries_without_a_list_count_if_asked():
    """As those of `trec` do, where files say the same."""
    judged = {1: {"a": 2, "b": 0}, 2: {"a": 1}, 3: {"a": 0, "c": 0}, 7: {"c": 1, "a": 3}}
    run = {2: {"a": 0.5, "b": 0.1}, 7: {"b": 0.9, "a": 0.9, "c": 0.3}}
    rows = [(q, d, g) for q, grades in judged.items() for d, g in grades.items()]
    query, _, grade = zip(*rows, strict=True)
    pool = Lists.from_columns(query, grade, grade)
    query, item, score = zip(*[(q, d, s) for q, scores in run.items() for d, s in scores.items()], strict=True)
    lists = Lists.from_columns(query, score, [judged[q].get(d, 0) for q, d in zip(query, item, strict=True)], item=item)
    for undefined in (0, 0.25):
        ours = evaluate(lists, MEASURES_OF_ALL, judged=pool, queries="judged", undefined=undefined)
        theirs = ml.trec.evaluate(judged, run, MEASURES_OF_ALL, queries="qrels", undefined=undefined)
        assert ours == theirs
        assert ours.queries.tolist() == [1, 2, 3, 7]
    listed = evaluate(lists, MEASURES_OF_ALL, judged=pool)
    assert listed.queries.tolist() == [2, 7]
    assert listed.mean()["R@2"] == 0.75 > evaluate(lists, "R@2", judged=pool, queries="judged").mean(undefined=0)["R@2"]
    with pytest.raises(ValueError, match="^judged: expected Lists, for queries='judged', got None"):
        evaluate(lists, "AP", queries="judged")
    with pytest.raises(ValueError, match="^queries: expected one of 'listed', 'judged', got 'qrels'"):
        evaluate(lists, "AP", judged=pool, queries="qrels")


@pytest.mark.parametrize("k", ["", "@1", "@2"])
def test_where_judgements_are_read_a_negative_grade_is_a_zero(k):
    """-2 is what judges give to spam in the web track of TREC; trec_eval counts it as 0, in the ideal as well."""
    grades, scores = {"a": 1, "b": -2, "c": 3, "d": -1}, {"a": 0.9, "b": 0.8, "c": 0.5}
    measures = [f"{name}{k}" for name in ("AP", "RR", "ERR", "DCG", "nDCG")] + ["P@2", "R@2", "F@2", "Rprec"]
    expected = evaluate(
        Lists.from_columns([1, 1, 1], [0.9, 0.8, 0.5], [1, 0, 3]),
        measures,
        judged=Lists.from_columns([1] * 4, [1, 0, 3, 0], [1, 0, 3, 0]),
    )
    lists = Lists.from_columns([1, 1, 1], [0.9, 0.8, 0.5], [1, -2, 3])
    pool = Lists.from_columns([1] * 4, list(grades.values()), list(grades.values()))
    assert evaluate(lists, measures, judged=pool) == expected
    assert evaluate(lists, measures) == expected
    files = ml.trec.evaluate({1: grades}, {1: scores}, measures)
    assert files == expected
    log = sqlite3.connect(":memory:")
    for name, function in {"LN": math.log, "EXP": math.exp}.items():
        log.create_function(name, 1, lambda x, f=function: None if x is None else f(x))
    log.create_function("POWER", 2, lambda x, y: None if y is None else math.pow(x, y))
    log.execute("CREATE TABLE log (query, item, label, score)")
    log.executemany("INSERT INTO log VALUES (1, ?, ?, ?)", [(d, grades[d], s) for d, s in scores.items()])
    found = log.execute(ml.sql.evaluate("log", measures)).fetchone()
    assert found[1:-3] == pytest.approx(tuple(expected[m][0] for m in measures), abs=1e-15)
    assert found[-3:] == (3, 0, 0)


def test_an_item_stands_once_in_a_list():
    columns = [1, 1, 2, 1], [0.5, 0.5, 0.9, 0.1], [1, 0, 1, 0]
    item = ["a", "b", "a", "c"]
    lists = Lists.from_columns(*columns, item=item)
    assert lists.ranked(1).tolist() == Lists.from_columns(*columns, tie=item).ranked(1).tolist() == [0, 1, 0]
    assert Lists.from_columns(*columns, item=item, tie=[2, 1, 1, 1]).ranked(1).tolist() == [1, 0, 0]
    for again in (["a", "b", "a", "a"], [3, 4, 3, 3], [pd.Timestamp(2026, 1, day) for day in (1, 2, 1, 1)]):
        with pytest.raises(ValueError, match="^item: expected each item of a query once, got .* of query 1 again$"):
            Lists.from_columns(*columns, item=again)
    with pytest.raises(ValueError, match="^qrels: expected each document of a query once"):
        ml.trec.rank(ml.trec.Table([1, 1], ["a", "a"], np.array([1, 1])), {1: {"a": 1}})


def test_a_log_of_recommendations_in_a_pandas_frame():
    rng = np.random.default_rng(3)
    user, score, label = table(rng, 40, 15, lambda n: rng.random(n).round(1))
    log = pd.DataFrame({"user": user, "item": rng.permutation(len(user)), "score": score, "label": label > 2})
    log["user"] = "u" + log["user"].astype(str)

    lists = Lists.from_columns(log["user"], log["score"], log["label"], item=log["item"])
    values = evaluate(lists, ["P@5", "P@10", "nDCG@10", "AP"])
    per_user = pd.DataFrame(values, index=values.queries)
    pd.testing.assert_frame_equal(pd.DataFrame(values), per_user.reset_index(drop=True))

    ordered = log.sort_values(["score", "item"], ascending=False)
    expected = ordered.groupby("user")["label"].apply(lambda rel: ml.average_precision(rel.to_numpy()))
    pd.testing.assert_series_equal(per_user["AP"], expected, check_names=False, check_index_type=False)
    expected = ordered.groupby("user")["label"].apply(lambda rel: rel.head(5).sum() / 5)
    pd.testing.assert_series_equal(per_user["P@5"], expected, check_names=False, check_index_type=False)
    assert per_user.shape == (40, 4)


# Bad input

GOOD = [1, 1], [2, 1], [1, 0]
BAD_CALLS = {
    "nan score": (lambda: Lists.from_columns([1, 1], [1, math.nan], [1, 0]), "score: expected finite numbers, got nan"),
    "infinite score": (lambda: Lists.from_columns([1], [math.inf], [1]), "score: expected finite"),
    "nan grade": (lambda: Lists.from_columns([1], [1], [math.nan]), "grade: expected finite"),
    "strings for grades": (lambda: Lists.from_columns([1], [1], ["a"]), "grade: expected an array of real numbers"),
    "scores too few": (lambda: Lists.from_columns([1, 1], [1], [1, 0]), "score: expected 2 values, one per row of q"),
    "grades too many": (lambda: Lists.from_columns([1], [1], [1, 0]), "grade: expected 1 values, one per row of q"),
    "items too few": (lambda: Lists.from_columns(*GOOD, item=["a"]), "item: expected 2 values, one per row of query"),
    "no measure": (lambda: evaluate(RUN, []), "measures: expected at least one name such as nDCG@10, got"),
    "None for measures": (
        lambda: evaluate(RUN, None),
        "measures: expected at least one name such as nDCG@10, got None",
    ),
    "ties too few": (lambda: Lists.from_columns(*GOOD, tie=["a"]), "tie: expected 2 values, one per row of query"),
    "a matrix of scores": (lambda: Lists.from_columns([1, 2], np.ones((2, 2)), [1, 0]), "score: expected 2 values"),
    "no rows": (lambda: Lists.from_columns([], [], []), "score: expected at least one value"),
    "no query": (lambda: Lists.from_columns(3, [1], [1]), "query: expected one value per row"),
    "unsortable queries": (
        lambda: Lists.from_columns(pd.Series([1, "a"]), [1, 1], [1, 1]),
        "query: expected values that can be sorted, got mixed types",
    ),
    "unsortable ties": (
        lambda: Lists.from_columns([1, 1], [1, 1], [1, 0], tie=pd.Series([1, "a"])),
        "tie: expected values that can be sorted, got mixed types",
    ),
    "missing query": (lambda: Lists.from_columns([1, math.nan], [1, 1], [1, 0]), "query: expected no missing values"),
    "None for a query": (
        lambda: Lists.from_columns(pd.Series(["a", None]), [1, 1], [1, 0]),
        "query: expected (no missing values|values that can be sorted)",
    ),
    "not a time": (
        lambda: Lists.from_columns(np.array(["2024", "NaT"], dtype="M8[Y]"), [1, 1], [1, 0]),
        "query: expected no missing values",
    ),
    "missing tie": (lambda: Lists.from_columns(*GOOD, tie=[1, math.nan]), "tie: expected no missing values"),
    "unknown query": (lambda: RUN.ranked("z"), "query: expected one of queries, got 'z'"),
    "n_relevant lacks a query": (
        lambda: ml.recall_at_k(RUN, 1, n_relevant={"a": 2, "b": 1}),
        "n_relevant: expected a number for each query, got none for 'c'",
    ),
    "n_relevant of another length": (
        lambda: ml.recall_at_k(RUN, 1, n_relevant=[2, 1]),
        r"n_relevant: expected one number or shape \(3,\), got",
    ),
    "n_relevant below the hits": (lambda: ml.average_precision(RUN, n_relevant=1), "n_relevant: .*at least"),
    "a mapping without lists": (lambda: ml.average_precision([1, 0], n_relevant={1: 2}), "n_relevant: .*a mapping"),
    "a pool that is no Lists": (lambda: ml.ndcg(RUN, judged=[[3]]), "judged: expected Lists, as rel is"),
    "a pool of Lists for an array": (lambda: ml.ndcg([3], judged=JUDGED), "judged: expected an array, as rel is"),
    "a pool of other queries": (
        lambda: ml.ndcg(Lists.from_columns(*GOOD), judged=JUDGED),
        "judged: expected queries of the kind",
    ),
    "no highest grade": (lambda: ml.expected_reciprocal_rank(RUN), "max_grade: expected the highest grade"),
    "a value for many lists": (
        lambda: Lists.from_columns([1, 2], [1, 1], [1, 0]).each(ml.mean_average_precision),
        "metric: expected a function that returns 2 values for as many lists, got",
    ),
    "a depth of 0": (lambda: RUN.each(lambda rel: rel[:, 0], depth=0), "depth: expected an integer of at least 1"),
    "a cut of 0": (lambda: ml.precision_at_k(RUN, 0), "k: expected an integer of at least 1"),
    "lists for labels": (lambda: ml.f1_score(RUN, RUN), "y_true: expected .*got a value of type Lists"),
    "arrays for lists": (lambda: evaluate([[1, 0]], "AP"), "lists: expected Lists, got a value of type list"),
    "arrays for judgements": (lambda: evaluate(RUN, "AP", judged=[1]), "judged: expected Lists or None"),
    "undefined": (lambda: evaluate(RUN, "AP", undefined="skip"), "undefined: expected a number, nan or 'raise'"),
    "a grade above 4": (lambda: evaluate(Lists.from_columns([1, 2], [1, 1], [5, 0]), "ERR"), "max_grade: expected at"),
    "Judged without files": (lambda: evaluate(RUN, "Judged@3"), "lists: expected lists of metrics_lib.trec.rank"),
    "judgements lack a grade": (
        lambda: evaluate(Lists.from_columns(["a"], [1], [1]), "P@1", judged=JUDGED),
        "judged: expected every positive grade",
    ),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls_are_refused_by_name(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


KNOWN = "P@k, R@k, F@k, Success@k, AP, RR, Rprec, RBP, ERR, DCG, nDCG, Judged"
BAD_NAMES = {
    "MRR": f"names such as nDCG@10 or P\\(rel=2\\)@5, of {KNOWN}, got 'MRR'",
    "nDCG@": "names such as",
    "nDCG@-1": "names such as",
    "nDCG 10": "names such as",
    "": "names such as",
    "P": "P@k, got 'P'",
    "Rprec@3": "Rprec, got 'Rprec@3'",
    "nDCG(rel=2)@3": "options of nDCG among gain=..., each once, got",
    "P(rel=high)@3": "options of P among rel=..., each once, got",
    "P(2)@3": "options of P among rel=..., each once, got",
    "P(rel=nan)@3": "options of P among rel=..., each once, got",
    "P(rel=inf)@3": "options of P among rel=..., each once, got",
    "P(rel=0)@3": "options of P among rel=..., each once, got",
    "P(rel=1, rel=2)@3": "options of P among rel=..., each once, got",
    "RBP(p)": "options of RBP among rel=..., p=..., each once, got",
    "ERR(max=3, max_grade=3)": "options of ERR among max_grade=..., each once, got",
}


@pytest.mark.parametrize("name", BAD_NAMES)
def test_unknown_measures_are_refused_with_what_is_known(name):
    with pytest.raises(ValueError, match=f"^measures: expected {BAD_NAMES[name]}"):
        evaluate(RUN, name)


def test_names_that_are_no_names_and_options_out_of_range_are_refused():
    with pytest.raises(ValueError, match="^measures: expected names"):
        evaluate(RUN, [10])
    with pytest.raises(ValueError, match="^k of P@0: expected an integer of at least 1"):
        evaluate(RUN, "P@0")
    with pytest.raises(ValueError, match="^gain: expected one of 'linear', 'exponential', got 'exp'"):
        evaluate(RUN, "nDCG(gain=exp)")
    with pytest.raises(ValueError, match="^p: expected a number of at least 0 and below 1"):
        evaluate(RUN, "RBP(p=1)")


def test_inputs_are_not_modified_and_lists_do_not_change_with_them():
    query, score, grade = np.array([2, 1, 2]), np.array([1.0, 2.0, 3.0]), np.array([1, 2, 3])
    lists = Lists.from_columns(query, score, grade)
    assert [column.tolist() for column in (query, score, grade)] == [[2, 1, 2], [1, 2, 3], [1, 2, 3]]
    grade[:] = 9
    lists.ranked(2)[:] = 9
    assert ranked(lists) == {1: [2], 2: [3, 1]}
    evaluate(lists, list(MEASURES))
    assert ranked(lists) == {1: [2], 2: [3, 1]}


def test_each_takes_any_function_of_ranked_rows():
    lists = Lists.from_columns(*zip(*itertools.product([1, 2, 3], [5, 6], [0]), strict=True))
    assert lists.each(lambda rel, scale: scale * (rel == 0).sum(axis=1), scale=3).tolist() == [6, 6, 6]
    assert lists.each(lambda rel: (rel == 0).sum(axis=1), depth=1).tolist() == [1, 1, 1]
    assert repr(lists) == "Lists(3 queries, 6 rows)"
