"""Each text of `metrics_lib.sql` on each engine, beside NumPy.

``python -m tests.library.sql_engines [WORD ...]`` prints the worst differences, of the metrics whose name holds one of
the words, or of all.

SQLite, DuckDB, DataFusion and Polars are there in every test run; PostgreSQL, ClickHouse and Spark are run if they are
installed (`OPTIONAL`), MariaDB by hand.
"""

import atexit
import csv
import io
import itertools
import math
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import metrics_lib as lib
from metrics_lib import sql

Row = dict[str, Any]
Values = dict[tuple[Any, ...], Row]
Run = Callable[[str], list[Row]]

COLUMNS = {"day": "text", "user": "int", "item": "text", "label": "int", "grade": "int", "score": "float"}
COLUMNS |= {"target": "float", "forecast": "float", "prediction": "int", "n": "int", "w": "float"}


# The engines: each takes rows and returns what runs a query on the table "log" that holds them.


def declared(kinds: dict[str, str], types: dict[str, str]) -> str:
    """The columns of a table."""
    return ", ".join(f'"{name}" {types[kind]}' for name, kind in kinds.items())


def sqlite(rows: list[Row], kinds: dict[str, str] = COLUMNS) -> Run:
    connection = sqlite3.connect(":memory:")
    given = {row[0] for row in connection.execute("SELECT name FROM pragma_function_list")}
    for name in {"ln", "exp", "sqrt", "floor"} - given:
        function = {"ln": math.log}.get(name) or getattr(math, name)
        connection.create_function(name, 1, lambda x, f=function: None if x is None else f(x))
    if "power" not in given:
        connection.create_function("power", 2, lambda x, y: None if y is None else math.pow(x, y))
    types = {"text": "TEXT", "int": "INTEGER", "float": "REAL", "bool": "BOOLEAN"}
    connection.execute(f"CREATE TABLE log ({declared(kinds, types)})")
    marks = ", ".join("?" * len(kinds))
    connection.executemany(f"INSERT INTO log VALUES ({marks})", [tuple(row[name] for name in kinds) for row in rows])

    def run(text: str) -> list[Row]:
        found = connection.execute(text)
        return [dict(zip([column[0] for column in found.description], row, strict=True)) for row in found]

    return run


def duckdb(rows: list[Row], kinds: dict[str, str] = COLUMNS) -> Run:
    import duckdb

    connection = duckdb.connect()
    types = {"text": "VARCHAR", "int": "INTEGER", "float": "DOUBLE", "bool": "BOOLEAN"}
    connection.execute(f"CREATE TABLE log ({declared(kinds, types)})")
    marks = ", ".join("?" * len(kinds))
    if rows:
        connection.executemany(f"INSERT INTO log VALUES ({marks})", [[row[name] for name in kinds] for row in rows])

    def run(text: str) -> list[Row]:
        found = connection.execute(text)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    return run


def datafusion(rows: list[Row], kinds: dict[str, str] = COLUMNS) -> Run:
    import pyarrow as pa
    from datafusion import SessionContext

    types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}
    schema = pa.schema([(name, types[kind]) for name, kind in kinds.items()])
    context = SessionContext()
    context.register_record_batches("log", [[pa.RecordBatch.from_pylist(rows, schema=schema)]])
    return lambda text: context.sql(text).to_pylist()


def polars(rows: list[Row], kinds: dict[str, str] = COLUMNS) -> Run:
    import polars as pl

    types = {"text": pl.String, "int": pl.Int64, "float": pl.Float64, "bool": pl.Boolean}
    frame = pl.DataFrame(rows, schema={name: types[kind] for name, kind in kinds.items()})
    context = pl.SQLContext(
        log=frame.rename({"user": "user_id"}, strict=False)
    )  # it takes t.user for a function, and says so
    return lambda text: context.execute(text.replace("t.user", "t.user_id"), eager=True).to_dicts()


PG_BIN = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda path: int(path.parent.name))


@cache
def postgres_server() -> Callable[[str], str]:
    """A server of this process, in a folder of its own: what runs a script on it and returns what psql prints.

    It refuses to run as root, which then hands it to the user of the package.
    """
    assert PG_BIN is not None, OPTIONAL["PostgreSQL"]
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    if as_user:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    data, log = str(folder / "data"), str(folder / "log")
    run = lambda *words: subprocess.run([*as_user, *words], check=True, capture_output=True, cwd=folder)  # noqa: E731
    run(
        PG_BIN / "initdb",
        "--pgdata",
        data,
        "--auth",
        "trust",
        "--username",
        "tester",
        "--no-sync",
        "--encoding",
        "UTF8",
    )
    options = f"-c listen_addresses=127.0.0.1 -p {port} -c unix_socket_directories='' -c fsync=off"
    run(PG_BIN / "pg_ctl", "--pgdata", data, "--log", log, "--options", options, "--wait", "start")

    @atexit.register
    def stop() -> None:
        run(PG_BIN / "pg_ctl", "--pgdata", data, "--mode", "immediate", "stop")
        shutil.rmtree(folder)

    client = [PG_BIN / "psql", "--csv", "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--host", "127.0.0.1"]
    client += ["--port", port, "--username", "tester", "--dbname", "postgres"]

    def ask(text: str) -> str:
        found = subprocess.run(client, input=text, capture_output=True, text=True, check=False)
        if found.returncode:
            raise ValueError(found.stderr)
        return found.stdout

    return ask


def postgresql(rows: list[Row], kinds: dict[str, str] = COLUMNS) -> Run:
    ask = postgres_server()
    types = {"text": "TEXT", "int": "INTEGER", "float": "DOUBLE PRECISION", "bool": "BOOLEAN"}
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([row[name] for name in kinds] for row in rows)
    table = f"log_{next(TABLES)}"
    copy = f"\\copy {table} FROM pstdin WITH (FORMAT csv)\n{text.getvalue()}\\.\n"
    ask(f"CREATE TABLE {table} ({declared(kinds, types)});\n{copy}")

    def run(query: str) -> list[Row]:
        return list(csv_rows(ask(query.replace("FROM log AS t", f"FROM {table} AS t") + ";")))

    return run


TABLES = itertools.count()


def csv_rows(text: str) -> Iterator[Row]:
    """Rows whose numbers are numbers, and whose empty fields are NULL."""

    def value(field: str) -> Any:
        for kind in (int, float):
            try:
                return kind(field)
            except ValueError:
                continue
        return field or None

    return ({name: value(field) for name, field in row.items()} for row in csv.DictReader(io.StringIO(text)))


def clickhouse(rows: list[Row], kinds: dict[str, str] = COLUMNS) -> Run:
    from chdb.session import Session

    session = clickhouse_session(Session)
    names = {"text": "String", "int": "Int64", "float": "Float64", "bool": "Bool"}
    types = {kind: f"Nullable({name})" for kind, name in names.items()}
    table = f"log_{next(TABLES)}"
    session.query(f"CREATE TABLE {table} ({declared(kinds, types)}) ENGINE = Memory")
    if rows:
        shown = lambda value: "NULL" if value is None else repr(value)  # noqa: E731
        values = ", ".join("(" + ", ".join(shown(row[name]) for name in kinds) + ")" for row in rows)
        session.query(f"INSERT INTO {table} VALUES {values}")

    def run(text: str) -> list[Row]:
        found = session.query(text.replace("FROM log AS t", f"FROM {table} AS t"), "CSVWithNames")
        return [
            {name: None if v == "\\N" else v for name, v in row.items()} for row in csv_rows(found.bytes().decode())
        ]

    return run


@cache
def clickhouse_session(session: Callable[[], Any]) -> Any:
    """One for the process, as there can be no two."""
    return session()


# For a few rows it takes longer to compile a query than to run it.
SPARK = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.log.level": "ERROR",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
}


def spark(rows: list[Row], kinds: dict[str, str] = COLUMNS) -> Run:
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config(map=SPARK).getOrCreate()
    types = {"text": "string", "int": "int", "float": "double", "bool": "boolean"}
    schema = ", ".join(f"`{name}` {types[kind]}" for name, kind in kinds.items())
    data = [[row[name] for name in kinds] for row in rows]
    session.createDataFrame(data, schema).createOrReplaceTempView("log")
    return lambda text: [row.asDict() for row in session.sql(text).collect()]


ENGINES = {"SQLite": sqlite, "DuckDB": duckdb, "DataFusion": datafusion, "Polars": polars}
ENGINES |= {"PostgreSQL": postgresql, "ClickHouse": clickhouse, "Spark": spark}
OPTIONAL = {
    "PostgreSQL": "needs PostgreSQL: apt-get install postgresql",
    "ClickHouse": "needs ClickHouse: pip install chdb",
    "Spark": "needs Spark: pip install pyspark, and Java: apt-get install default-jre-headless",
}
ALWAYS = [name for name in ENGINES if name not in OPTIONAL]
THERE = {"PostgreSQL": PG_BIN, "ClickHouse": find_spec("chdb"), "Spark": find_spec("pyspark") and shutil.which("java")}
INSTALLED = [*ALWAYS, *(name for name in OPTIONAL if THERE[name])]


# The texts, and what NumPy makes of the same rows


class Case(NamedTuple):
    """A query, the columns that say what a row of its result is about, and the values that NumPy gives."""

    text: str
    keys: tuple[str, ...]
    expected: Callable[[list[Row]], Values]


def finite(*values: Any) -> bool:
    return all(value is not None and math.isfinite(value) for value in values)


def binary(row: Row) -> bool:
    return row["label"] in (0, 1) and finite(row["score"])


def probable(row: Row) -> bool:
    return binary(row) and 0 <= row["score"] <= 1


def numbers(row: Row) -> bool:
    return finite(row["target"], row["forecast"])


def labelled(row: Row) -> bool:
    return row["label"] is not None and row["prediction"] is not None


def weighted(sound: Callable[[Row], bool], weight: str | None) -> Callable[[Row], bool]:
    return lambda row: sound(row) and (weight is None or (finite(row[weight]) and row[weight] >= 0))


def quiet(metric: Callable[..., Any], *arguments: Any, **options: Any) -> float:
    """The value of NumPy, nan where it refuses: rows that are none, weights that are all 0."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lib.UndefinedMetricWarning)
            return float(metric(*arguments, **options))
    except ValueError:
        return math.nan


def split(rows: list[Row], by: str | None) -> dict[tuple[Any, ...], list[Row]]:
    key = (lambda row: ()) if by is None else (lambda row: (row[by],))
    groups: dict[tuple[Any, ...], list[Row]] = {} if by else {(): []}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def valued(
    metric: Callable[..., Any],
    sound: Callable[[Row], bool],
    columns: tuple[str, ...],
    *,
    weight: str | None = None,
    by: str | None = None,
    **options: Any,
) -> Callable[[list[Row]], Values]:
    """One value a slice, of the rows that are sound, and the number of the others."""
    good = weighted(sound, weight)

    def expected(rows: list[Row]) -> Values:
        values: Values = {}
        for key, of_slice in split(rows, by).items():
            kept = [row for row in of_slice if good(row)]
            weights = {} if weight is None else {"sample_weight": [row[weight] for row in kept]}
            arrays = [[row[column] for row in kept] for column in columns]
            values[key] = {"value": quiet(metric, *arrays, **weights, **options), "left_out": len(of_slice) - len(kept)}
        return values

    return expected


def in_both_classes(metric: Callable[..., float]) -> Callable[..., float]:
    """The greater of the labels is the positive one of `roc_auc_score`, of a query it is 1."""
    return lambda y, *rest, **options: metric(y, *rest, **options) if len(set(y)) == 2 else math.nan


def cells(second: str, sound: Callable[[Row], bool], weight: str | None) -> Callable[[list[Row]], Values]:
    """The merged rows: weights, or how many, of each pair that occurs."""
    good = weighted(sound, weight)

    def expected(rows: list[Row]) -> Values:
        values: Values = {}
        for row in filter(good, rows):
            cell = values.setdefault((row["label"], row[second] + 0.0), {"n": 0})
            cell["n"] += 1 if weight is None else row[weight]
        return values

    return expected


MEASURES = ["P@3", "P(rel=2)@5", "R@3", "F@3", "F(beta=2)@4", "Success@2", "AP", "AP@3", "AP(denominator=min)@3"]
MEASURES += ["AP(denominator=hits)@3", "AP(denominator=k)", "AP(denominator=k)@4", "RR", "RR(rel=3)@4", "Rprec"]
MEASURES += ["Rprec(rel=2)", "RBP", "RBP(p=0.5)@3", "ERR", "ERR(max_grade=5)@3", "DCG@5", "DCG(gain=exponential)"]
MEASURES += ["nDCG", "nDCG@3", "nDCG(gain=exponential)@4"]


def column_of(measure: str) -> str:
    return "_".join(re.findall(r"\w+", measure.replace("@", " at "))).lower()


def listed(measures: list[str], *, mean: bool = False, by: str | None = None) -> Callable[[list[Row]], Values]:
    top = 4 if any(measure.startswith("ERR") for measure in measures) else math.inf

    def sound(row: Row) -> bool:
        named = row["user"] is not None and row["item"] is not None
        return named and finite(row["grade"], row["score"]) and row["grade"] <= top

    def expected(rows: list[Row]) -> Values:
        values: Values = {}
        for key, of_slice in split(rows, by).items():
            kept = [row for row in of_slice if sound(row)]
            if not kept:
                continue
            names = ("user", "score", "grade", "item")
            user, score, grade, item = ([row[name] for row in kept] for name in names)
            found = lib.evaluate(lib.Lists.from_columns(user, score, grade, tie=item), measures)
            if mean:
                values[key] = {column_of(m): v for m, v in found.mean(undefined="skip").items()}
                values[key] |= {"queries": len(found.queries), "left_out": len(of_slice) - len(kept)}
            else:
                for query in found.queries.tolist():
                    values[(*key, query)] = {column_of(m): v for m, v in found.of(query).items()}
        return values

    return expected


def grouped(weights: str, weight: str | None = None, by: str | None = None) -> Callable[[list[Row]], Values]:
    def gauc(y: list[int], s: list[float], groups: list[int], **options: Any) -> float:
        return lib.gauc(y, s, groups, weights=weights, **options) if set(y) == {0, 1} else math.nan

    return valued(
        gauc, lambda row: binary(row) and row["user"] is not None, ("label", "score", "user"), weight=weight, by=by
    )


def bounded(rows: list[Row]) -> Values:
    kept = [row for row in rows if binary(row)]
    bins = np.array([math.floor(row["score"] * 4) for row in kept], dtype=int)
    labels = np.array([row["label"] for row in kept], dtype=int)
    if not len(kept):
        return {(): {"low": math.nan, "value": math.nan, "high": math.nan, "left_out": len(rows)}}
    pos, neg = (np.bincount((bins - bins.min())[labels == label], minlength=1 + np.ptp(bins)) for label in (1, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lib.UndefinedMetricWarning)
        low, value, high = lib.roc_auc_bounds(pos, neg)
    return {(): {"low": low, "value": value, "high": high, "left_out": len(rows) - len(kept)}}


LOSSES: list[tuple[str, dict[str, Any]]] = [("mean_squared_error", {}), ("root_mean_squared_error", {})]
LOSSES += [("mean_absolute_error", {}), ("mean_absolute_percentage_error", {})]
LOSSES += [("symmetric_mean_absolute_percentage_error", {}), ("weighted_mean_absolute_percentage_error", {})]
LOSSES += [("mean_pinball_loss", {"alpha": 0.9})]


def cases() -> Iterator[tuple[str, Case]]:
    """Each function plain, with weights, and by slices."""
    for weight, by in itertools.chain(itertools.product((None, "n", "w"), (None,)), [("w", "day")]):
        given: dict[str, Any] = {"sample_weight": weight} | ({"by": by} if by else {})
        how, keys = f" {weight or ''} {by or ''}".rstrip(), (by,) if by else ()
        same: dict[str, Any] = {"weight": weight, "by": by}
        for name, options in LOSSES:
            text = getattr(sql, name)("log", y_true="target", y_score="forecast", **given, **options)
            metric = getattr(lib, name)
            yield name + how, Case(text, keys, valued(metric, numbers, ("target", "forecast"), **same, **options))
        log_loss = valued(lib.log_loss, probable, ("label", "score"), **same, labels=[0, 1])
        yield "log_loss" + how, Case(sql.log_loss("log", **given), keys, log_loss)
        auc = valued(in_both_classes(lib.roc_auc_score), binary, ("label", "score"), **same)
        yield "roc_auc_score" + how, Case(sql.roc_auc_score("log", **given), keys, auc)
        yield "roc_auc_score buckets" + how, Case(sql.roc_auc_score("log", buckets=4, **given), keys, auc)
        ap = valued(lib.average_precision_score, binary, ("label", "score"), **same)
        yield "average_precision_score" + how, Case(sql.average_precision_score("log", **given), keys, ap)
        for average in ("binary", "macro", "micro", "weighted"):
            f1 = valued(lib.f1_score, labelled, ("label", "prediction"), **same, average=average)
            if average != "binary" or by is None:
                yield f"f1_score {average}{how}", Case(sql.f1_score("log", average=average, **given), keys, f1)
        for weights in ("impressions", "clicks", "uniform"):
            text = sql.gauc("log", "user", weights=weights, **given)
            yield f"gauc {weights}{how}", Case(text, keys, grouped(weights, weight, by))
        if by is None:
            matrix = Case(
                sql.confusion_matrix("log", **given), ("y_true", "y_pred"), cells("prediction", labelled, weight)
            )
            yield "confusion_matrix" + how, matrix
            sound = lambda row: row["label"] is not None and finite(row["score"])  # noqa: E731
            yield "counts" + how, Case(sql.counts("log", **given), ("y_true", "y_score"), cells("score", sound, weight))
    yield "roc_auc_bounds", Case(sql.roc_auc_bounds("log", bins=4), (), bounded)
    lists = {"query": "user", "y_true": "grade"}
    yield "evaluate", Case(sql.evaluate("log", MEASURES, **lists), ("query",), listed(MEASURES))
    for measure in MEASURES:
        text = sql.evaluate("log", measure, mean=True, **lists)
        yield f"mean of {measure}", Case(text, (), listed([measure], mean=True))
    text = sql.evaluate("log", MEASURES, mean=True, by="day", **lists)
    yield "means by day", Case(text, ("day",), listed(MEASURES, mean=True, by="day"))


CASES = dict(cases())


def difference(case: Case, rows: list[Row], run: Run) -> float:
    """The worst difference between query and NumPy: absolute up to 1, relative beyond."""
    found = {tuple(row[key] for key in case.keys): row for row in run(case.text)}
    expected, worst = case.expected(rows), 0.0
    assert all(found[key].get("left_out") for key in found.keys() - expected.keys()), "a row that NumPy lacks"
    for key, values in expected.items():
        for column, value in values.items():
            other = found[key][column]
            if math.isnan(value) or other is None:
                assert math.isnan(value), f"{key} {column}: NULL for {value}"
                assert other is None, f"{key} {column}: {other} for nan"
            else:
                worst = max(worst, abs(float(other) - value) / max(1.0, abs(value)))
    return worst


def made(n: int, seed: int, *, dirty: bool) -> list[Row]:
    """Rows with ties, zero weights and users of one class; if dirty, with what no metric takes."""
    rng = np.random.default_rng(seed)

    def some(value: Any, *strange: Any) -> Any:
        return strange[rng.integers(len(strange))] if dirty and rng.random() < 0.05 else value

    rows = []
    for i in range(n):
        user, label = int(rng.integers(n // 6 + 1)), int(rng.integers(2))
        label = label if user % 4 else user % 8 // 4
        rows.append(
            {
                "day": ["mon", "tue", "wed"][rng.integers(3)],
                "user": some(user, None),
                "item": some(f"i{i * 7919 % n:05}", None),
                "label": some(label, None),
                "grade": some(int(rng.integers(5)) * label, None),
                "score": some(float(rng.choice([rng.random(), rng.integers(9) / 8, 0.0])), None, math.nan, math.inf),
                "target": some(float(rng.choice([rng.normal() * 100, rng.integers(3)])), None, math.nan),
                "forecast": some(float(rng.choice([rng.normal() * 100, rng.integers(3)])), None, -math.inf),
                "prediction": some(int(rng.integers(3)) % 2, None),
                "n": some(int(rng.integers(4)), None, -1),
                "w": some(float(rng.choice([rng.random(), 0.0])), None, -0.5, math.nan, math.inf),
            }
        )
    return rows


def main(words: list[str]) -> None:
    chosen = {name: case for name, case in CASES.items() if not words or any(word in name for word in words)}
    worst = {}
    for name in [name for name in INSTALLED if name in ENGINES]:
        start = time.perf_counter()
        for rows in (made(600, 0, dirty=False), made(600, 1, dirty=True)):
            run = ENGINES[name](rows)
            for metric, case in chosen.items():
                try:
                    found = difference(case, rows, run)
                except Exception as error:
                    print(f"{name}, {metric}: {str(error)[:400]}")
                    found = math.inf
                worst[name, metric] = max(worst.get((name, metric), 0.0), found)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    print("\n| metric |" + "".join(f" {name} |" for name in INSTALLED))
    print("|---|" + "---|" * len(INSTALLED))
    for metric in chosen:
        print(f"| {metric} |" + "".join(f" {worst[name, metric]:.1e} |" for name in INSTALLED))
    print("| worst |" + "".join(f" {max(worst[name, metric] for metric in chosen):.1e} |" for name in INSTALLED))


if __name__ == "__main__":
    main(sys.argv[1:])
