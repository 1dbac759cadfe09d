"""SQL text: every query beside NumPy on each engine, its edge cases, and what it refuses."""

import doctest
import math
import os
import re
import sqlite3
from functools import cache

import duckdb
import numpy as np
import pytest
import sqlglot
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics_lib as lib
from metrics_lib import sql
from tests.library.sql_engines import (
    ALWAYS,
    CASES,
    COLUMNS,
    ENGINES,
    INSTALLED,
    MEASURES,
    OPTIONAL,
    Case,
    difference,
    listed,
    made,
)
from tests.registries import ROOT

SMALL = ["SQLite", "DuckDB"]  # on which few rows take no time
PAGE = ROOT / "book" / "reference" / "api-sql.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@cache
def opened(engine, dirty):
    rows = made(300, 5, dirty=dirty)
    return rows, ENGINES[engine](rows)


def row(**values):
    return dict.fromkeys(COLUMNS) | values


@pytest.mark.parametrize("dirty", [False, True], ids=["clean", "dirty"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("engine", ALWAYS)
def test_a_query_has_the_value_of_numpy(engine, name, dirty):
    assert difference(CASES[name], *opened(engine, dirty)) < 1e-12


def if_installed(engine):
    """The engine, skipped where it is missing; with EVERY_ENGINE in the environment that is a failure."""
    skip = pytest.mark.skipif(
        engine in OPTIONAL and engine not in INSTALLED and "EVERY_ENGINE" not in os.environ,
        reason=OPTIONAL.get(engine, ""),
    )
    return pytest.param(engine, marks=[skip, getattr(pytest.mark, engine.lower())] if engine in OPTIONAL else [])


EACH = [if_installed(engine) for engine in ENGINES]


@pytest.mark.parametrize("engine", [if_installed(engine) for engine in OPTIONAL])
def test_another_engine_has_the_value_of_numpy(engine):
    rows, run = opened(engine, True)
    assert max(difference(case, rows, run) for case in CASES.values()) < 1e-12


# A column may be called like a value of SQL, a type, an engine's keyword, or what the query itself uses.
NAMES = [
    "user",
    "current_user",
    "session_user",
    "current_role",
    "current_schema",
    "localtime",
    "current_date",
    "bucket",
]
NAMES += ["t", "w", "s", "y", "x", "by_1", "class", "place", "pos", "item", "part", "grade", "checked", "log", "result"]


@pytest.mark.parametrize("engine", EACH)
def test_no_name_of_a_column_is_taken_for_anything_else(engine):
    rows = [("a", 1, 0.8), ("a", 0, 0.8), ("a", 0, 0.1), ("b", 1, 0.3), ("b", 1, 0.2), ("b", 0, 0.25)]
    refused = []
    for name in NAMES if engine != "Spark" else NAMES[::6]:  # which takes seconds for each
        kinds = {name: "text", "label": "int", "score": "float", "thing": "text"}
        table = [{name: key, "label": y, "score": s, "thing": f"i{place}"} for place, (key, y, s) in enumerate(rows)]
        run = ENGINES[engine](table, kinds)
        try:
            (grouped,) = run(sql.gauc("log", name))
            by = {row[name]: row["value"] for row in run(sql.roc_auc_score("log", by=name))}
            in_buckets = {row[name]: row["value"] for row in run(sql.roc_auc_score("log", by=name, buckets=4))}
            lists = {row["query"]: row["rr"] for row in run(sql.evaluate("log", "RR", query=name, item="thing"))}
            means = {
                row[name]: row["rr"]
                for row in run(sql.evaluate("log", "RR", query="thing", item=name, by=name, mean=True))
            }
        except Exception as error:
            refused.append((name, str(error)))
            continue
        assert grouped == {"value": 0.625, "kept": 2, "dropped": 0, "left_out": 0}, name
        assert by == in_buckets == {"a": 0.75, "b": 0.5}, name
        assert lists == {"a": 0.5, "b": 1}, name
        assert means == {"a": pytest.approx(1 / 3), "b": pytest.approx(2 / 3)}, name
    # Polars takes t.current_user for a function, and says so.
    assert [name for name, _ in refused] == (POLARS_REFUSES if engine == "Polars" else [])

    assert all("unsupported function" in error for _, error in refused)


POLARS_REFUSES = ["current_user", "session_user", "localtime", "current_date"]


@pytest.mark.parametrize("engine", EACH)
def test_labels_may_be_booleans(engine):
    rows = [(True, 0.8, True), (False, 0.8, False), (False, 0.1, True), (True, 0.3, True), (None, 0.2, True)]
    kinds = {"label": "bool", "score": "float", "prediction": "bool", "shop": "int"}
    table = [{"label": y, "score": s, "prediction": p, "shop": 1} for y, s, p in rows]
    run = ENGINES[engine](table, kinds)
    y, s, p = zip(*[row for row in rows if row[0] is not None], strict=True)
    auc = {"value": lib.roc_auc_score(y, s), "left_out": 1}
    assert run(sql.roc_auc_score("log", pos_label=True))[0] == auc | {"positives": 2, "negatives": 2}
    assert run(sql.gauc("log", "shop", pos_label=True))[0] == auc | {"kept": 1, "dropped": 0}
    found = run(sql.average_precision_score("log", pos_label=True))[0]
    assert found == {"value": pytest.approx(lib.average_precision_score(y, s)), "positives": 2, "left_out": 1}
    assert run(sql.log_loss("log", pos_label=True))[0]["value"] == pytest.approx(lib.log_loss(y, s))
    assert (
        run(sql.roc_auc_bounds("log", bins=2, pos_label=True))[0]["value"] == lib.roc_auc_bounds([1, 1], [1, 1]).value
    )
    f1 = run(sql.f1_score("log", pos_label=True))[0]
    assert f1 == {"value": pytest.approx(lib.f1_score(y, p)), "tp": 2, "fp": 1, "fn": 0, "left_out": 1}
    assert sum(cell["n"] for cell in run(sql.counts("log"))) == len(y)


@pytest.mark.parametrize("engine", EACH)
def test_rows_that_a_join_has_multiplied_are_counted(engine):
    rows = [(1, "a", 1, 0.9), (1, "a", 1, 0.9), (1, "b", 0, 0.5), (1, "c", 1, 0.1), (2, "a", 1, 0.2), (2, "a", 0, 0.8)]
    rows += [(3, "a", 1, 0.5), (3, None, 1, 0.5), (3, None, 1, 0.4), (None, "a", 1, 0.4)]
    run = ENGINES[engine]([row(user=u, item=i, grade=g, score=s) for u, i, g, s in rows])
    found = {r["query"]: (r["items"], r["repeated"], r["left_out"]) for r in run(evaluated("P@2"))}
    assert found == {1: (4, 1, 0), 2: (2, 1, 0), 3: (1, 0, 2), None: (0, 0, 1)}
    (means,) = run(evaluated("P@2", mean=True))
    assert (means["queries"], means["repeated"], means["left_out"]) == (3, 2, 3)
    copies = [row(user=1, item=i, grade=1, score=s) for i, s in [("a", 0.9), ("b", 0.5), ("a", None)]]
    assert ENGINES[engine](copies)(evaluated("P@2"))[0]["repeated"] == 0


def evaluated(measures, **options):
    return sql.evaluate("log", measures, query="user", y_true="grade", **options)


def test_counts_tell_a_value_of_zero_from_zero_over_zero():
    """Two negatives on a day, none predicted: the function of NumPy warns, a query cannot."""
    rows = [row(day="mon", label=1, prediction=1, score=0.9), row(day="mon", label=0, prediction=0, score=0.1)]
    rows += [row(day="tue", label=0, prediction=0, score=score) for score in (0.2, 0.3)]
    rows += [row(day="wed", label=0, prediction=1, score=0.9), row(day="wed", label=1, prediction=0, score=0.1)]
    run = ENGINES["SQLite"](rows)
    f1 = {r["day"]: (r["value"], r["tp"], r["fp"], r["fn"]) for r in run(sql.f1_score("log", by="day"))}
    assert f1 == {"mon": (1, 1, 0, 0), "tue": (0, 0, 0, 0), "wed": (0, 0, 1, 1)}
    ap = {r["day"]: (r["value"], r["positives"]) for r in run(sql.average_precision_score("log", by="day"))}
    assert ap == {"mon": (1, 1), "tue": (0, 0), "wed": (0.5, 1)}
    for day, metric in (("tue", lib.f1_score), ("tue", lib.average_precision_score)):
        y, p, s = zip(*[(r["label"], r["prediction"], r["score"]) for r in rows if r["day"] == day], strict=True)
        with pytest.warns(lib.UndefinedMetricWarning):
            assert metric(y, p if metric is lib.f1_score else s) == 0


@pytest.mark.parametrize("engine", ALWAYS)
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_counts_of_an_average_are_sums_over_the_labels(engine, average):
    rows, run = opened(engine, False)
    (found,) = run(sql.f1_score("log", average=average))
    wrong = sum(r["label"] != r["prediction"] for r in rows)
    assert (found["tp"], found["fp"], found["fn"]) == (len(rows) - wrong, wrong, wrong)


DIALECTS = ["snowflake", "bigquery", "trino", "redshift", "oracle", "tsql", "mysql"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_other_dialects_parse_the_text(dialect):
    for name, case in CASES.items():
        if " " not in name or name.endswith("w day") or name.startswith(("evaluate", "gauc", "mean of AP")):
            assert len(sqlglot.parse(case.text, read=dialect)) == 1, name


def test_every_function_is_among_the_queries():
    texts = " ".join(CASES)
    assert [name for name in sql.__all__ if name not in texts] == []
    assert [
        name for name in lib.measures.MEASURES if not any(name == m.split("@")[0].split("(")[0] for m in MEASURES)
    ] == ["Judged"]


numbers = (
    st.none()
    | st.sampled_from([0.0, -0.0, 1.0, -2.5, 1e-9, 0.1, math.nan, math.inf])
    | st.floats(-1e6, 1e6).map(lambda x: round(x, 9))
)
small = st.none() | st.integers(0, 4)
scores = (
    st.none()
    | st.sampled_from([0.0, -0.0, 0.5, 1.0, math.nan, math.inf, -3.25])
    | st.floats(0, 1).map(lambda x: round(x, 9))
)
weights = st.none() | st.sampled_from([0.0, -1.0, 0.1, math.nan, math.inf]) | st.floats(2**-20, 2**20)
tables = st.lists(
    st.fixed_dictionaries(
        {
            "day": st.sampled_from(["mon", "tue"]),
            "user": small,
            "label": st.none() | st.integers(0, 1),
            "grade": small,
            "score": scores,
            "target": numbers,
            "forecast": numbers,
            "prediction": st.none() | st.integers(0, 1),
            "n": st.none() | st.integers(-1, 3),
            "w": weights,
        }
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize("engine", SMALL)
@settings(max_examples=40)
@given(rows=tables, data=st.data())
def test_a_small_table_has_the_value_of_numpy(engine, rows, data):
    rows = [given | {"item": f"i{place}"} for place, given in enumerate(rows)]
    run = ENGINES[engine](rows)
    for name in data.draw(st.lists(st.sampled_from(sorted(CASES)), min_size=8, max_size=8)):
        assert difference(CASES[name], rows, run) < 1e-12, name


@pytest.mark.parametrize("engine", ALWAYS)
def test_a_table_without_rows_has_no_value(engine):
    run = ENGINES[engine]([])
    for case in CASES.values():
        assert all(value in (None, 0) for row in run(case.text) for value in row.values())


@pytest.mark.parametrize("engine", ALWAYS)
def test_ties_and_groups_by_hand(engine):
    rows = [("a", 1, 0.5), ("a", 0, 0.5), ("b", 0, 0.1), ("b", 1, 0.3), ("b", 1, 0.2), ("c", 1, 0.9)]
    run = ENGINES[engine]([row(user="abc".index(user), label=label, score=score) for user, label, score in rows])
    (auc,) = run(sql.roc_auc_score("log"))
    assert auc == {"value": 5.5 / 8, "positives": 4, "negatives": 2, "left_out": 0}
    for weights, value in {"impressions": 0.8, "clicks": 2.5 / 3, "uniform": 0.75}.items():
        (gauc,) = run(sql.gauc("log", "user", weights=weights))
        assert gauc == {"value": pytest.approx(value, abs=1e-15), "kept": 2, "dropped": 1, "left_out": 0}


@pytest.mark.parametrize("engine", ALWAYS)
def test_items_of_one_score_fall_by_name(engine):
    rows = [row(user=1, item=item, grade=grade, score=0.5) for item, grade in [("b", 0), ("c", 1), ("a", 0)]]
    for some in (rows, rows[::-1]):
        assert ENGINES[engine](some)(sql.evaluate("log", "RR", query="user", y_true="grade"))[0]["rr"] == 1


@pytest.mark.parametrize("engine", ALWAYS)
def test_negative_grades_are_zeros(engine):
    rng = np.random.default_rng(3)
    rows = [
        row(user=int(user), item=f"i{place:03}", grade=int(grade), score=float(score))
        for place, (user, grade, score) in enumerate(
            zip(rng.integers(12, size=80), rng.integers(-2, 3, 80), rng.random(80), strict=True)
        )
    ]
    measures = ["nDCG", "nDCG@3", "nDCG(gain=exponential)@5", "DCG@5", "P@3", "AP", "Rprec", "ERR"]
    for some in (measures, measures[3:]):
        case = Case(sql.evaluate("log", some, query="user", y_true="grade"), ("query",), listed(some))
        assert difference(case, rows, ENGINES[engine](rows)) < 1e-12


@pytest.mark.parametrize("engine", ALWAYS)
def test_what_is_no_value_is_left_out_and_counted(engine):
    strange = [row(label=1), row(label=2, score=0.4), row(score=0.4), row(label=0, score=math.nan)]
    strange += [row(label=1, score=-math.inf)]
    run = ENGINES[engine]([row(label=1, score=0.9), row(label=0, score=0.1), *strange])
    assert run(sql.roc_auc_score("log"))[0] == {"value": 1, "positives": 1, "negatives": 1, "left_out": 5}
    assert run(sql.log_loss("log"))[0]["left_out"] == 5
    assert run(sql.average_precision_score("log"))[0] == {"value": 1, "positives": 1, "left_out": 5}
    assert sum(cell["left_out"] for cell in run(sql.counts("log"))) == 4  # a label of 2 is one
    for text in (
        sql.roc_auc_score("log"),
        sql.log_loss("log"),
        sql.f1_score("log"),
        sql.evaluate("log", "AP", mean=True),
    ):
        assert ENGINES[engine]([])(text.replace("t.query", "t.user"))[0]["left_out"] == 0


@pytest.mark.parametrize("engine", ALWAYS)
def test_labels_may_be_words_and_more_than_two(engine):
    rows = [row(day=day, item=item) for day, item in ["aa", "ab", "bb", "ca", "cc", "cc"]]
    y_true, y_pred = zip(*((row["day"], row["item"]) for row in rows), strict=True)
    run = ENGINES[engine](rows)
    columns = {"y_true": "day", "y_pred": "item"}
    for average in ("macro", "micro", "weighted"):
        value = run(sql.f1_score("log", average=average, **columns))[0]["value"]
        assert value == pytest.approx(lib.f1_score(y_true, y_pred, average=average), abs=1e-15)
    value = run(sql.f1_score("log", pos_label="c", **columns))[0]["value"]
    assert value == lib.f1_score(y_true, y_pred, average=None)[2]
    found = {(cell["y_true"], cell["y_pred"]): cell["n"] for cell in run(sql.confusion_matrix("log", **columns))}
    matrix = lib.confusion_matrix(y_true, y_pred)
    assert [[found.get((t, p), 0) for p in "abc"] for t in "abc"] == matrix.tolist()


@pytest.mark.parametrize("by", ["day", ["day", "user"]])
@pytest.mark.parametrize("engine", ALWAYS)
def test_slices_have_a_row_each(engine, by):
    rows, run = opened(engine, False)
    names = [by] if isinstance(by, str) else by
    found = {tuple(row[name] for name in names): row["value"] for row in run(sql.mean_squared_error("log", by=by))}
    assert found.keys() == {tuple(row[name] for name in names) for row in rows}
    for key, value in found.items():
        kept = [row for row in rows if tuple(row[name] for name in names) == key]
        expected = lib.mean_squared_error([row["label"] for row in kept], [row["score"] for row in kept])
        assert value == pytest.approx(expected, abs=1e-13)


def test_merged_rows_are_the_table():
    rows, run = opened("DuckDB", False)
    merged = run(sql.counts("log"))
    y, s, n = ([cell[name] for cell in merged] for name in ("y_true", "y_score", "n"))
    whole = [row["label"] for row in rows], [row["score"] for row in rows]
    assert len(merged) < len(rows)
    assert lib.roc_auc_score(y, s, sample_weight=n) == pytest.approx(lib.roc_auc_score(*whole), abs=1e-15)


def test_long_sums_do_not_drift():
    """An engine's own sum of a million equal numbers, or of numbers of which most are small, is off by more."""
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    place = np.arange(1_000_000)
    for chance in ("0.1e0", "POWER((i * 7919 % 999983) / 999983e0, 8)"):
        score = np.full(len(place), 0.1) if chance == "0.1e0" else (place * 7919 % 999983 / 999983) ** 8
        connection.execute(
            f"CREATE OR REPLACE TABLE log AS SELECT 0 AS label, {chance} AS score FROM range(1000000) t(i)"
        )
        exact = math.fsum(score) / len(score)
        (ours, _), (plain,) = (
            connection.execute(text).fetchone()
            for text in (sql.mean_absolute_error("log"), "SELECT SUM(ABS(label - score)) / COUNT(*) FROM log")
        )
        assert ours == pytest.approx(exact, rel=1e-14, abs=0)
        assert plain != pytest.approx(exact, rel=1e-14, abs=0)


@pytest.mark.parametrize("n", [3 * 10**9, 3e9])
def test_pairs_beyond_64_bits_are_not_wrapped(n):
    rows = [(1, 0.9, n), (0, 0.5, n), (1, 0.2, n)]
    text = sql.roc_auc_score("log", sample_weight="n")
    kind = "BIGINT" if isinstance(n, int) else "DOUBLE"
    for connection in (duckdb.connect(), sqlite3.connect(":memory:")):
        connection.execute(f"CREATE TABLE log (label INTEGER, score DOUBLE, n {kind})")
        connection.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
        assert connection.execute(text).fetchone() == (0.5, 2 * n, n, 0)


def test_a_sum_of_pairs_that_an_engine_wraps_is_no_value():
    """DataFusion adds beyond 64 bits without a word; here SQLite does, by a function in place of SUM."""

    class Wrapping:
        def __init__(self):
            self.total = 0

        def step(self, value):
            self.total += 0 if value is None else value

        def finalize(self):
            return self.total if isinstance(self.total, float) else (self.total + 2**63) % 2**64 - 2**63

    connection = sqlite3.connect(":memory:")
    connection.create_aggregate("WRAPPED", 1, Wrapping)
    connection.execute("CREATE TABLE log (label, score, n)")

    class Saturating(Wrapping):
        def finalize(self):
            return min(self.total, 2**63 - 1)

    connection.create_aggregate("SATURATED", 1, Saturating)
    saturated = sql.roc_auc_score("log", sample_weight="n").replace("SUM(pos * below)", "SATURATED(pos * below)")
    n = 1_550_000_000  # 4 % too many
    connection.executemany("INSERT INTO log VALUES (?, ?, ?)", [(1, 0.9, n), (1, 0.8, n), (0, 0.5, n)])
    assert connection.execute(saturated).fetchone() == (None, 2 * n, n, 0)
    text = sql.roc_auc_score("log", sample_weight="n").replace("SUM(pos * below)", "WRAPPED(pos * below)")
    for n, value in ((10**9, 1), (2 * 10**9, None)):
        connection.execute("DELETE FROM log")
        connection.executemany("INSERT INTO log VALUES (?, ?, ?)", [(1, 0.9, n), (1, 0.8, n), (0, 0.5, n)])
        assert connection.execute(text).fetchone() == (value, 2 * n, n, 0)


def test_other_types_of_duckdb():
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE log AS SELECT label = 1 AS label, score::FLOAT AS score, n::DECIMAL(9, 2) AS n FROM "
        "(VALUES (1, 0.9, 2), (0, 0.75, 1.5), (1, 0.5, 1), (0, 0.25, 3)) AS t(label, score, n)"
    )
    y, s, n = [1, 0, 1, 0], np.float32([0.9, 0.75, 0.5, 0.25]), [2, 1.5, 1, 3]
    for name in ("roc_auc_score", "average_precision_score", "log_loss"):
        value = connection.execute(getattr(sql, name)("log", sample_weight="n")).fetchone()[0]
        assert value == pytest.approx(getattr(lib, name)(y, s, sample_weight=n), abs=1e-12)


@pytest.mark.parametrize("kind", ["INTEGER", "SMALLINT", "DECIMAL(9, 2)"])
def test_whole_numbers_do_not_overflow_their_type(kind):
    label, score = [1, 0, 1, 0], [9000, 30000, 3000, 20]
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE log (label {kind}, score {kind})")
    connection.executemany("INSERT INTO log VALUES (?, ?)", list(zip(label, score, strict=True)))
    for name in ("mean_absolute_error", "mean_squared_error", "average_precision_score", "roc_auc_score"):
        value = connection.execute(getattr(sql, name)("log")).fetchone()[0]
        assert value == pytest.approx(getattr(lib, name)(label, score), rel=1e-15)
    assert connection.execute(sql.roc_auc_score("log", buckets=1 << 20)).fetchone()[0] == 0.5


def test_text_in_sqlite_is_no_score_but_may_be_a_label():
    """As its shell imports a CSV file: '10' would be below '9', and 'abc' less itself is 0."""
    connection = sqlite3.connect(":memory:")
    for kind in ("TEXT", ""):
        connection.execute(f"CREATE TABLE log (label INTEGER, score {kind}, n {kind})")
        connection.executemany("INSERT INTO log VALUES (?, ?, ?)", [(1, "10", 1), (0, "9", 1), (0, "0.5", 1)])
        for text in (sql.roc_auc_score("log"), sql.log_loss("log"), sql.mean_absolute_error("log")):
            value, *_, left_out = connection.execute(text).fetchone()
            assert (value, left_out) == (None, 3)
        connection.execute("DROP TABLE log")
    connection.execute("CREATE TABLE log (label TEXT, score REAL)")
    connection.executemany("INSERT INTO log VALUES (?, ?)", [("1", 0.9), ("0", 0.5), ("no", 0.1)])
    assert connection.execute(sql.roc_auc_score("log")).fetchone() == (1, 1, 1, 1)


@pytest.mark.parametrize("engine", ALWAYS)
def test_an_error_that_is_too_large_is_not_dropped(engine):
    run = ENGINES[engine]([row(target=1e302, forecast=0.0), row(target=1.0, forecast=0.0)])
    columns = {"y_true": "target", "y_score": "forecast"}
    assert run(sql.mean_absolute_error("log", **columns))[0] == {"value": 5e301, "left_out": 0}
    assert run(sql.mean_squared_error("log", **columns))[0] == {"value": math.inf, "left_out": 0}


@pytest.mark.parametrize("engine", ALWAYS)
def test_levels_that_are_close_are_two(engine):
    grades = {"a": 1000001, "b": 1000002, "c": 0}
    run = ENGINES[engine]([row(user=1, item=item, grade=grade, score=0.5) for item, grade in grades.items()])
    (found,) = run(sql.evaluate("log", ["P(rel=1000001)@3", "P(rel=1000002)@3"], query="user", y_true="grade"))
    assert (found["p_rel_1000001_at_3"], found["p_rel_1000002_at_3"]) == pytest.approx((2 / 3, 1 / 3))


def shown(*chosen):
    """What comes of these blocks of the page, one after another."""
    test = doctest.DocTestParser().get_doctest("\n".join(chosen), {}, PAGE.name, str(PAGE), 0)
    return doctest.DocTestRunner().run(test)


def test_the_page_shows_what_comes():
    chosen = [block for block in BLOCKS if "spark" not in block]
    assert shown(*chosen) == (0, sum(block.count(">>>") for block in chosen))
    assert len(chosen) == len(ALWAYS) == len(BLOCKS) - 1


@pytest.mark.parametrize("engine", [if_installed("Spark")])
def test_the_page_shows_what_comes_of_spark(engine):
    (block,) = [block for block in BLOCKS if engine.lower() in block]
    assert shown(BLOCKS[0], block).failed == 0


def test_the_page_names_every_engine():
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index("| engine") :]
    assert all(engine in table for engine in [*ENGINES, "MariaDB"])
    assert [dialect for dialect in DIALECTS if dialect.replace("tsql", "T-SQL").lower() not in table.lower()] == []


# What is refused


BAD_NAMES = [
    "",
    "log; DROP TABLE log",
    'lo"g',
    "1og",
    "log--",
    "l og",
    "naïve",
    "a'b",
    "a..b",
    "a.",
    ".a",
    "a.1",
    None,
    3,
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_name_that_is_no_identifier_is_refused(name):
    calls = {
        "table": lambda: sql.roc_auc_score(name),
        "y_true": lambda: sql.mean_squared_error("log", y_true=name),
        "y_score": lambda: sql.average_precision_score("log", y_score=name),
        "y_pred": lambda: sql.confusion_matrix("log", y_pred=name),
        "groups": lambda: sql.gauc("log", name),
        "query": lambda: sql.evaluate("log", "AP", query=name),
        "item": lambda: sql.evaluate("log", "AP", item=name),
        "by": lambda: sql.log_loss("log", by=[name] if isinstance(name, str) else name),
    }
    if name is not None:
        calls["sample_weight"] = lambda: sql.log_loss("log", sample_weight=name)
    for argument, call in calls.items():
        with pytest.raises(ValueError, match=rf"^{argument}: expected a plain identifier.*, got "):
            call()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sql.roc_auc_score("checked"), "table: expected a name that is not used in the query already"),
        (lambda: sql.roc_auc_score("log", by="Value"), "by: expected a name that the result does not have already"),
        (lambda: sql.roc_auc_score("log", by=["day", "log.day"]), "by: expected a name that the result does not have"),
        (lambda: sql.roc_auc_score("log", by=["day", "Day"]), "by: expected a name that the result does not have"),
        (lambda: sql.evaluate("log", "AP", by="query"), "by: expected a name that the result does not have already"),
        (lambda: sql.roc_auc_score("log", pos_label="1"), "pos_label: expected 1 for labels 0 and 1, or True for a"),
        (lambda: sql.log_loss("log", pos_label=False), "pos_label: expected 1 for labels 0 and 1, or True for a col"),
        (lambda: sql.evaluate("log", "ERR(max=60)"), "measures: expected ERR with a max_grade of at most 52, got 60"),
        (lambda: sql.gauc("log", "user", by="kept"), "by: expected a name that the result does not have already"),
        (lambda: sql.evaluate("log", "AP", by="ap"), "by: expected a name that the result does not have already"),
        (lambda: sql.roc_auc_score("log", buckets=0), "buckets: expected an integer of at least 1"),
        (lambda: sql.roc_auc_bounds("log", bins=2.5), "bins: expected an integer of at least 1"),
        (lambda: sql.mean_pinball_loss("log", alpha=2), "alpha: expected a number from 0 to 1"),
        (lambda: sql.gauc("log", "user", weights="views"), "weights: expected one of 'impressions', 'clicks'"),
        (lambda: sql.f1_score("log", average="samples"), "average: expected one of 'binary', 'macro'"),
        (lambda: sql.f1_score("log", pos_label="it's"), "pos_label: expected a boolean, a whole number, or letters"),
        (lambda: sql.f1_score("log", pos_label=0.5), "pos_label: expected a boolean, a whole number, or letters"),
        (
            lambda: sql.evaluate("log", "nDGC@10"),
            "measures: expected names such as .* of P@k, R@k, F@k, .*nDCG, Judged, got",
        ),
        (lambda: sql.evaluate("log", ["AP", "ap"]), "measures: expected each measure once, got 'ap'"),
        (lambda: sql.evaluate("log", []), "measures: expected at least one name"),
        (lambda: sql.evaluate("log", "RBP(p=1)"), "p: expected a number of at least 0 and below 1"),
        (lambda: sql.evaluate("log", "DCG(gain=square)"), "gain: expected one of 'linear', 'exponential'"),
        (lambda: sql.evaluate("log", "AP(denominator=n)"), "denominator: expected one of"),
        (lambda: sql.evaluate("log", "F(beta=-1)@5"), "beta: expected a non-negative number"),
        (lambda: sql.evaluate("log", "P"), "measures: expected P@k, got 'P'"),
        (lambda: sql.evaluate("log", "Judged@10"), "measures: expected one of graded rows, .*got 'Judged@10'"),
    ],
)
def test_bad_calls_are_refused_by_name(call, message):
    with pytest.raises(ValueError, match=rf"^{message}"):
        call()


@pytest.mark.parametrize("engine", SMALL)
def test_a_column_that_is_missing_is_the_engines_error(engine):
    """Also one whose name the query gives to a column of its own."""
    run = ENGINES[engine]([])
    for name in ("labell", "y", "s"):
        with pytest.raises(
            Exception, match=rf'(no such column: t\.{name}|"{name}" not found|does not have a column.*"{name}")'
        ):
            run(sql.roc_auc_score("log", y_true=name))


def test_names_may_stand_behind_a_schema():
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA web; CREATE TABLE web.log AS SELECT {'y': 1, 's': 0.5} AS hit, 'mon' AS day")
    text = sql.mean_absolute_error("web.log", y_true="hit.y", y_score="hit.s", by="day")
    assert connection.execute(text).fetchall() == [("mon", 0.5, 0)]
