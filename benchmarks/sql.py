"""SQL text on DuckDB beside arrays: list metrics, exact AUC, and the histogram that bounds it."""

from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
from sklearn import metrics

from benchmarks import Case
from benchmarks.lists import MEASURES, of_padded, padded, table
from metrics_lib import sql


def cases() -> Iterator[Case]:
    if not find_spec("duckdb"):
        return
    import duckdb

    for power in (6, 7):
        database = duckdb.connect()
        database.execute("SET threads = 1")
        user, score, grade = table(10**power)
        log = {"query": user, "item": np.arange(len(user)), "score": score, "grade": grade, "label": (grade > 0) * 1}
        database.execute("CREATE TABLE log AS SELECT * FROM log")
        label = log.pop("label")
        del log

        large = power == 7  # smaller arrays stay in the cache, which the ratios wanted do not presume

        def value(text: str, database: "duckdb.DuckDBPyConnection" = database) -> object:
            return database.execute(text).fetchone()

        yield Case(
            f"sql: seven measures of ranked lists on DuckDB, 1e{power} rows",
            lambda value=value: value(sql.evaluate("log", MEASURES, y_true="grade", mean=True)),
            {"padded to the longest list": lambda c=(user, score, grade): of_padded(*padded(*c))},
            wanted={"padded to the longest list": 2} if large else {},
        )
        yield Case(
            f"sql: exact AUC on DuckDB, 1e{power} rows, all scores differ",
            lambda value=value: value(sql.roc_auc_score("log")),
            {"scikit-learn": lambda y=label, s=score: metrics.roc_auc_score(y, s)},
            wanted={"scikit-learn": 1} if large else {},
        )
        yield Case(
            f"sql: bounds of AUC from a histogram on DuckDB, 1e{power} rows",
            lambda value=value: value(sql.roc_auc_bounds("log")),
            {"exact AUC on DuckDB": lambda value=value: value(sql.roc_auc_score("log"))},
            wanted={"exact AUC on DuckDB": 10} if large else {},
        )
