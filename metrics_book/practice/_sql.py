"""A query as a function of the columns of the table that it reads, in the SQLite of Python or of a page of the book."""

import math
import sys
from collections.abc import Sequence
from contextlib import closing
from importlib import import_module
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics_book.practice._values import NotNumbersError, short

READ, SELECT, FUNCTION, RECURSIVE = 20, 21, 31, 33  # what SQLite asks its authorizer for
ALLOWED, DENIED = 0, 1
READS = "only a SELECT is run, and nothing that does more than read"
TYPES = {"user_id": "user_id", "label": "label INTEGER", "score": "score REAL"}
MOST_ROWS = 1000
LIMIT = 2.0  # seconds for a query, here and in `sqlite.js`
LOOK_EVERY = 10_000  # steps of SQLite, less than a millisecond


class QueryError(Exception):
    """What SQLite says of a query that it does not run."""


Rows = Sequence[tuple[Any, ...]]
Answer = tuple[Rows, int]  # the first rows, and the number of their columns


def run(text: str, columns: Sequence[str] = (), rows: Rows = (), limit: float = LIMIT) -> Answer:
    """What SQLite answers to a query that only reads, on a table ``log`` if it has columns; else an error says why."""
    table = f"CREATE TABLE log ({', '.join(TYPES[column] for column in columns)})" if columns else ""
    return run_in_page(text, table, rows) if sys.platform == "emscripten" else run_here(text, table, rows, limit)


def run_here(text: str, table: str, rows: Rows, limit: float) -> Answer:
    import sqlite3  # on use: the library is imported without it

    refused: list[str] = []

    def allows(action: int, _: object, function: object, *__: object) -> int:
        if action in (READ, SELECT, RECURSIVE) or (action == FUNCTION and function != "load_extension"):
            return ALLOWED
        refused.append(READS)
        return DENIED

    with closing(sqlite3.connect(":memory:")) as engine:
        if table:
            engine.execute(table)
            engine.executemany(f"INSERT INTO log VALUES ({', '.join('?' for _ in rows[0])})", rows)
        end = monotonic() + limit
        engine.set_authorizer(allows)
        engine.set_progress_handler(lambda: int(monotonic() > end), LOOK_EVERY)
        try:
            cursor = engine.execute(text)
            return cursor.fetchmany(MOST_ROWS + 1), len(cursor.description or ())
        except Exception as error:
            raise refusal((*refused, str(error))[0]) from None


def run_in_page(text: str, table: str, rows: Rows) -> Answer:
    """`worker.js` loads the module on pages with exercises in SQL; it ends a query after two seconds."""
    try:
        page: Any = import_module("sqlite_of_page")
    except ModuleNotFoundError:
        raise QueryError("in the page SQLite runs beside the exercises in SQL only") from None
    filled = f"{table}; INSERT INTO log VALUES {in_text(rows)}" if table else ""
    said = page.run(text, filled, MOST_ROWS + 1).to_py()
    if "rows" not in said:
        raise refusal(READS if "changes" in said else said["error"])
    values = [tuple(bytes(one) if isinstance(one, memoryview) else one for one in row) for row in said["rows"]]
    return values, said["columns"]


def refusal(text: str) -> Exception:
    return TimeoutError() if text == "interrupted" else QueryError(short(text, 200))


def in_text(rows: Rows) -> str:
    """The rows of a table in the text of a query."""
    return ", ".join(f"({', '.join(map(literal, row))})" for row in rows)


def literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None or value != value else repr(value).replace("inf", "9e999")


class Query(str):
    """The text of a query, which is called with the columns of the table that it reads."""

    __name__: str
    columns: list[str]
    limit = LIMIT

    def __new__(cls, name: str, columns: str, text: str) -> "Query":
        query = super().__new__(cls, text)
        query.__name__, query.columns = name, columns.split(", ")
        return query

    def with_text(self, text: str) -> "Query":
        """Another text on the same table."""
        return Query(self.__name__, ", ".join(self.columns), text)

    def __call__(self, *values: ArrayLike) -> float | None:
        """The one value of the answer; nan for NULL, and None where nothing is written yet."""
        rows = list(zip(*(np.asarray(column, dtype=object).tolist() for column in values), strict=True))
        try:
            answer, columns = run(str(self), self.columns, rows, self.limit)
        except QueryError as error:
            if "..." in self and 'near "."' in str(error):
                return None
            raise
        if not columns:
            return None
        if (len(answer), columns) != (1, 1):
            number = f"more than {MOST_ROWS}" if len(answer) > MOST_ROWS else len(answer)
            raise NotNumbersError(
                f"{number} row{'s' * (len(answer) != 1)} with {columns} column{'s' * (columns != 1)}; "
                "the task asks for one value"
            )
        ((value,),) = answer
        if not isinstance(value, float | int | None):
            kind = {"str": "a text", "bytes": "a blob"}.get(type(value).__name__, "")
            raise NotNumbersError(f"{value!r:.60}, {kind} and not a number")
        return math.nan if value is None else float(value)
