"""Exercises in SQL: AUC and grouped AUC as one query, which SQLite runs."""

import math
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from string import Template
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics_book.practice._engine import (
    NOT_WRITTEN,
    Approach,
    Array,
    Case,
    Exercise,
    Factor,
    Mistake,
    NotNumbersError,
    Plain,
    kind,
    shown,
    words,
)
from metrics_book.practice._scores import auc, gauc_by_impressions

READ, SELECT, FUNCTION, RECURSIVE = 20, 21, 31, 33  # what SQLite asks its authorizer for
ALLOWED, DENIED = 0, 1
READS = "only a SELECT is run, and nothing that does more than read"
TYPES = {"user_id": "user_id", "label": "label INTEGER", "score": "score REAL"}
MOST_ROWS = 1000
LOOK_EVERY = 10_000  # steps of SQLite, less than a millisecond

Rows = Sequence[tuple[Any, ...]]
Answer = tuple[Rows, int]  # the first rows, and the number of their columns


# ---- SQLite: of Python here, and in a page of the book of its own package ------------------------------------------


def run(text: str, columns: Sequence[str] = (), rows: Rows = ()) -> Answer:
    """What SQLite answers to a query that only reads, on a table ``log`` if it has columns; else an error says why."""
    table = f"CREATE TABLE log ({', '.join(TYPES[column] for column in columns)})" if columns else ""
    return (run_in_page if sys.platform == "emscripten" else run_here)(text, table, rows)


def run_here(text: str, table: str, rows: Rows) -> Answer:
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
        engine.set_authorizer(allows)
        # A step into Python, where the exception of the time limit is raised; SQLite then ends the query.
        engine.set_progress_handler(lambda: 0, LOOK_EVERY)
        try:
            cursor = engine.execute(text)
            return cursor.fetchmany(MOST_ROWS + 1), len(cursor.description or ())
        except Exception as error:
            raise NotNumbersError((*refused, words(error, length=200))[0]) from None


def run_in_page(text: str, table: str, rows: Rows) -> Answer:
    """`worker.js` loads the module on pages with exercises in SQL; it ends a query after two seconds."""
    try:
        page: Any = import_module("sqlite_of_page")
    except ModuleNotFoundError:
        raise NotNumbersError("in the page SQLite runs beside the exercises in SQL only") from None
    filled = f"{table}; INSERT INTO log VALUES {in_text(rows)}" if table else ""
    said = page.run(text, filled, MOST_ROWS + 1).to_py()
    if "rows" not in said:
        raise NotNumbersError(READS if "changes" in said else words(said["error"], length=200))
    values = [tuple(bytes(one) if isinstance(one, memoryview) else one for one in row) for row in said["rows"]]
    return values, said["columns"]


def in_text(rows: Rows) -> str:
    """The rows of a table in the text of a query."""
    return ", ".join(f"({', '.join(map(literal, row))})" for row in rows)


def literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None or value != value else repr(value).replace("inf", "9e999")


def rows_of(columns: Sequence[ArrayLike]) -> Rows:
    return list(zip(*(np.asarray(column, dtype=object).tolist() for column in columns), strict=True))


# ---- a text as a function ---------------------------------------------------------------------------------------


class Query(str):
    """The text of a query, which is called with the columns of the table that it reads."""

    __name__: str
    columns: tuple[str, ...]

    def __new__(cls, name: str, columns: tuple[str, ...], text: str) -> "Query":
        query = super().__new__(cls, text)
        query.__name__, query.columns = name, columns
        return query

    def with_text(self, text: str) -> "Query":
        """Another text on the same table."""
        return Query(self.__name__, self.columns, text)

    def __call__(self, *values: ArrayLike) -> float:
        try:
            return only_value(*run(str(self), self.columns, rows_of(values)))
        except NotNumbersError as error:
            if "..." in self and 'near "."' in str(error):
                raise NotNumbersError(NOT_WRITTEN) from None
            raise


def only_value(rows: Rows, columns: int) -> float:
    """The one value of an answer; nan for NULL."""
    if not columns:
        raise NotNumbersError(NOT_WRITTEN)
    if (len(rows), columns) != (1, 1):
        number = f"more than {MOST_ROWS}" if len(rows) > MOST_ROWS else len(rows)
        raise NotNumbersError(
            f"{number} row{'s' * (len(rows) != 1)} with {columns} column{'s' * (columns != 1)}; "
            "the task asks for one value"
        )
    ((value,),) = rows
    if not isinstance(value, float | int | None):
        said = {"str": "a text", "bytes": "a blob"}.get(kind(value), kind(value))
        raise NotNumbersError(f"{words(value, repr)}, {said} and not a number")
    return math.nan if value is None else float(value)


class QueryExercise(Exercise):
    """An exercise whose answer is the text of a query; its arguments are the columns of the table."""

    language, given = "sql", "rows"
    rules = (
        "Submit the text of one query for SQLite, which can do nothing but read. Results are compared to nine digits."
    )

    @property
    def signature(self) -> str:
        return f"log({', '.join(self.parameters)})"

    def query(self, text: str) -> Query:
        return Query(self.name, self.parameters, text)

    def call(self, name: str, arguments: tuple[Any, ...]) -> str:
        rows = [f"({', '.join(map(value_shown, row))})" for row in zip(*arguments, strict=True)]
        few = rows if len(rows) <= 10 else [*rows[:4], f"... {len(rows)} rows"]
        return f"{self.signature}: {', '.join(few)}"

    def said(self, value: str) -> str:
        return "NULL" if value == "nan" else value

    def wanted(self, value: Plain) -> str:
        return self.said(shown(value))


def value_shown(value: Any) -> str:
    return "NULL" if value is None else shown(value)


# ---- the right query, with gaps ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sketch:
    """A query of named parts; called with the columns and with wrong ones in place of the right parts."""

    columns: tuple[str, ...]
    parts: Mapping[str, str]

    def text(self, **wrong: str) -> str:
        text, parts = "$query", {**self.parts, **wrong}
        while "$" in text:  # a part may be made of others
            text = Template(text).substitute(parts)
        return text

    def __call__(self, *values: ArrayLike, **wrong: str) -> float:
        """The value on rows that stand in the text itself: a table would take longer than all the rest."""
        log = f"log({', '.join(self.columns)}) AS (VALUES {in_text(rows_of(values))})"
        return only_value(*run(f"WITH {log}, {self.text(**wrong).removeprefix('WITH ')}"))


# AUC is the grouped AUC of one user. Ranks are doubled, so that half a rank is a whole number. A query has one window
# where the order of ties matters: SQLite gives a second one the rows as the first has sorted them.
PARTS = {
    "query": """WITH kept AS (
  SELECT u, y, $s AS s FROM (SELECT $user AS u, $rows)),
ranked AS (
  SELECT u, y, $rank AS rank FROM kept),
users AS (
  SELECT u, $auc AS auc, $weight AS weight FROM ranked GROUP BY u)
SELECT $scaled FROM (SELECT $mean AS v FROM users)""",
    "rows": "label AS y, score AS s FROM log WHERE label IS NOT NULL AND score IS NOT NULL",
    "s": "s",
    "window": "u",  # what a window is partitioned by; 0 is no partition
    "window_of_ties": "$window",
    "up": "ORDER BY s",
    "down": "ORDER BY -s",
    "rank": "2 * RANK() OVER (PARTITION BY $window $up) + $ties - 1",
    "ties": "COUNT(*) OVER (PARTITION BY $window_of_ties, s)",
    "number": "COUNT(*) OVER (PARTITION BY $window)",
    "pairs": "SUM(y) * SUM(1 - y)",
    "all_pairs": "(SELECT SUM(label) FROM $all) * (SELECT SUM(1 - label) FROM $all)",
    "rank_sum": "SUM(CASE WHEN y = 1 THEN rank ELSE 0 END)",
    "least": "SUM(y) * (SUM(y) + 1)",
    "auc": "1.0 * ($rank_sum - $least) / (2 * $pairs)",
    "weight": "COUNT(*)",
    "mean": "SUM(weight * auc) / SUM(CASE WHEN auc IS NOT NULL THEN weight END)",
    "scaled": "v",
}
LOST = "2 * ROW_NUMBER() OVER (PARTITION BY $window $up, y DESC)"
LOWEST = "COALESCE(score, -1e999) AS s FROM log"
WITH_OTHERS = "(SELECT COUNT(o.label) FROM log AS o WHERE o.score IS log.score AND $same)"

FACTORS: dict[str, Mapping[str, Any]] = {
    "rows": {
        "a row whose label is NULL counts as a negative; leave it out: WHERE label IS NOT NULL.": [
            "COALESCE(label, 0) AS y, score AS s FROM log WHERE score IS NOT NULL",
            # by COUNT(*) - SUM(label) for each score, which is NULL where no row has a label
            f"COALESCE(label, 0) AS y, score AS s FROM log WHERE score IS NOT NULL AND {WITH_OTHERS}",
        ],
        "a row whose label is NULL keeps its place in the order, where a positive beats it; leave it out before ranks "
        "are given.": "label AS y, score AS s FROM log WHERE score IS NOT NULL",
        "a row whose score is NULL takes part as the lowest, for SQLite sorts NULL first; leave it out: WHERE score IS "
        "NOT NULL.": f"label AS y, {LOWEST} WHERE label IS NOT NULL",
        "a score of NULL is taken for 0; leave the row out: WHERE score IS NOT NULL.": (
            "label AS y, COALESCE(score, 0) AS s FROM log WHERE label IS NOT NULL"
        ),
        "rows with a NULL take part, those without a score as the lowest: leave them out, WHERE label IS NOT NULL AND "
        "score IS NOT NULL.": [
            f"COALESCE(label, 0) AS y, {LOWEST}",
            f"COALESCE(label, 0) AS y, {LOWEST} WHERE {WITH_OTHERS}",
            f"label AS y, {LOWEST}",
        ],
    },
    "s": {
        "the scores are rounded or put into bins of equal width, where different scores tie; compare the scores "
        "themselves.": [
            *(f"ROUND(s, {digits})" for digits in (1, 2, 3)),
            *(f"CAST({bins} * s AS INTEGER)" for bins in (10, 100)),
        ],
        "the scores are cut or rounded to whole numbers, so that different ones tie.": [
            "CAST(s AS INTEGER)",
            "ROUND(s)",
        ],
        "the scores are cut at one half: this is the AUC of the predicted labels, one point of the curve.": "s >= 0.5",
    },
    "up": {"the order is reversed: this is 1 - AUC. A pair is won if the positive scores higher.": "ORDER BY s DESC"},
    "rank": {
        "ROW_NUMBER, or a sum over ROWS, tells equal scores apart by the order in which the rows happen to lie: a "
        "constant score gets anything from 0 to 1.": [
            "2 * ROW_NUMBER() OVER (PARTITION BY $window $up)",
            "2 * (1 + $number - ROW_NUMBER() OVER (PARTITION BY $window $down))",
        ],
        "RANK gives equal scores the lowest of their ranks, or counted from above the highest; a tie counts one half "
        "by the mean rank: RANK() + (ties - 1) / 2.0.": [
            "2 * RANK() OVER (PARTITION BY $window $up)",
            "2 * (1 + $number - RANK() OVER (PARTITION BY $window $down))",
        ],
        "DENSE_RANK does not skip the ranks that ties take up; the rank sum counts rows.": [
            "2 * DENSE_RANK() OVER (PARTITION BY $window $up)",
            "2 * (1 + $number - DENSE_RANK() OVER (PARTITION BY $window $down))",
        ],
        "a tied pair counts as lost, as by > alone or by 1 / 2, which is 0 in integers; it counts one half.": LOST,
        "a tied pair counts as won, as by >= or by a running sum that holds the ties; it counts one half.": (
            "2 * ROW_NUMBER() OVER (PARTITION BY $window $up, y)"
        ),
        "half of the ties is an integer division, which is cut: divide by 2.0.": [
            "2 * (RANK() OVER (PARTITION BY $window $up) + ($ties - 1) / 2)",
            f"{LOST} + 2 * (SUM(y IS NOT 1) OVER (PARTITION BY $window_of_ties, s) / 2)",  # negatives alone
        ],
    },
    "pairs": {
        "the divisor counts rows with a NULL: COUNT(*) counts rows, whatever is in them.": [
            "SUM(y) * (SELECT COUNT(*) - SUM(y) FROM $all)",
            "(SELECT SUM(label) * (COUNT(*) - SUM(label)) FROM $all)",
            "$all_pairs",
            "CASE WHEN SUM(y) * SUM(1 - y) THEN $all_pairs END",
        ],
        "the divisor counts pairs of any two rows; only those of a positive and a negative count.": [
            "COUNT(*) * (COUNT(*) - 1) / 2",
            "COUNT(*) * COUNT(*)",
        ],
    },
    "auc": {
        "an integer divided by an integer is cut to an integer, here 0 or 1; write 1.0 * before the division.": [
            "($rank_sum - $least) / (2 * $pairs)",
            "CAST(($rank_sum - $least) / (2 * $pairs) AS REAL)",
        ],
        "a pair with a NULL falls into ELSE and counts as a tie; it is neither greater nor less, and is left out.": (
            "($rank_sum - $least + $all_pairs - $pairs) / (2.0 * $all_pairs)"
        ),
    },
    "scaled": {
        "this is 2 AUC - 1: lost pairs count -1 here, and tied ones 0.": "2 * v - 1",
        "a value below one half is turned over; worse than chance must stay below.": "MAX(v, 1 - v)",
    },
}


def factors(own: Mapping[str, Mapping[str, Any]]) -> tuple[Factor, ...]:
    """With two mistakes at once, all ways to rank rows are tried, and of the rest one each, for the time it takes."""
    return tuple(Factor(name, wrong, name not in ("rows", "rank")) for name, wrong in {**FACTORS, **own}.items())


def singular(sketch: Sketch) -> tuple[Mistake, ...]:
    """What no single part expresses."""
    of_user = "p.u = ranked.u AND n.u = p.u AND p.y = 1 AND n.y = 0"
    untied = f"(SELECT COUNT(*) FROM kept AS p JOIN kept AS n ON {of_user} AND p.s <> n.s)"
    return (
        Mistake(
            "tied pairs are left out, of the divisor too; each counts one half.",
            (partial(sketch, rank=LOST, pairs=untied),),
        ),
        Mistake(
            "each pair is counted both ways, won once and lost once: this is one half whatever the scores. Join the "
            "positives with the negatives.",
            (partial(sketch, scaled="0 * v + 0.5"),),
        ),
        Mistake(
            "the rank sum lacks the subtraction of its least value, P (P + 1) / 2 for P positives.",
            (
                partial(sketch, least="0"),
                partial(sketch, least="0", rank="2 * ROW_NUMBER() OVER (PARTITION BY u $up)"),
            ),
        ),
    )


# ---- AUC in SQL -------------------------------------------------------------------------------------------------

LABEL_AND_SCORE = (
    "label is 0 or 1, and 1 is the positive class; score is a number on any scale, and higher means more likely "
    "positive. Either may be NULL."
)


def whole(label: Array, score: Array) -> Array:
    """Which rows have a label and a score."""
    return np.array([None not in row for row in zip(label, score, strict=True)])


def auc_sql(label: Array, score: Array) -> float:
    kept = whole(label, score)
    return auc(label[kept].astype(int), score[kept].astype(float))


AUC_BY_JOIN = """\
SELECT AVG((p.score > n.score) + (p.score = n.score) / 2.0)
FROM log AS p JOIN log AS n ON p.label = 1 AND n.label = 0"""

AUC_BY_MEAN_RANK = """\
WITH ranked AS (
  SELECT label,
    RANK() OVER (ORDER BY score)
      + (COUNT(*) OVER (PARTITION BY score) - 1) / 2.0 AS mean_rank
  FROM log
  WHERE label IS NOT NULL AND score IS NOT NULL)
SELECT (SUM(label * mean_rank) - SUM(label) * (SUM(label) + 1) / 2)
  / (SUM(label) * SUM(1 - label))
FROM ranked"""

AUC_BY_DISTINCT_SCORES = """\
WITH per_score AS (
  SELECT score, SUM(label) AS pos, SUM(1 - label) AS neg
  FROM log
  WHERE label IS NOT NULL AND score IS NOT NULL
  GROUP BY score),
beaten AS (  -- won: twice the negatives below, and once those with the score
  SELECT pos, neg, 2 * SUM(neg) OVER (ORDER BY score) - neg AS won
  FROM per_score)
SELECT 1.0 * SUM(pos * won) / (2 * SUM(pos) * SUM(neg))
FROM beaten"""

_AUC_COLUMNS = ("label", "score")
_AUC_SKETCH = Sketch(_AUC_COLUMNS, {**PARTS, "user": "0", "all": "log", "same": "1"})


def _some_missing(values: Any, share: float, rng: np.random.Generator) -> list[Any]:
    return [None if missing else value for value, missing in zip(values, rng.random(len(values)) < share, strict=True)]


_rng = np.random.default_rng(3)
_LABELS = _rng.integers(0, 2, 400).tolist()
_SCORES = np.round(_rng.random(400) * 0.7 + 0.2 * np.array(_LABELS), 2).tolist()
_LABELS, _SCORES = _some_missing(_LABELS, 0.05, _rng), _some_missing(_SCORES, 0.05, _rng)

AUC_SQL = QueryExercise(
    name="auc_sql",
    title="AUC in SQL (用 SQL 计算 AUC)",
    task=(
        "The table log has a row for each thing that was scored, in no particular order.",
        LABEL_AND_SCORE,
        "Return one row with one column: the share of pairs of a positive and a negative in which the positive has "
        "the higher score.",
        "Ties: a pair with equal scores counts one half.",
        "NULL: leave out a row whose label or score is NULL.",
        "One class only: the value is 0/0; return NULL.",
    ),
    reference=auc_sql,
    cases=(
        Case(
            "four rows",
            "Three of the four pairs are in the right order.",
            ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]),
        ),
        Case(
            "equal scores",
            "Two of the six pairs tie, and each counts one half.",
            ([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4]),
        ),
        Case(
            "the same rows in another order",
            "A table has no order; it must not change the value.",
            ([0, 0, 1, 1, 1], [0.4, 0.6, 0.6, 0.6, 0.8]),
        ),
        Case(
            "a constant score, positives first",
            "Every pair ties, in whatever order the rows lie.",
            ([1, 1, 0, 0, 0], [0.3] * 5),
        ),
        Case(
            "a constant score, negatives first",
            "The same rows: still every pair ties.",
            ([0, 0, 0, 1, 1], [0.3] * 5),
        ),
        Case(
            "worse than chance",
            "One of six pairs is in the right order; who turns the value over hides a broken model.",
            ([1, 0, 1, 0, 0], [0.1, 0.9, 0.4, 0.3, 0.6]),
        ),
        Case(
            "close scores",
            "Scores that differ in the fifth decimal are still in an order.",
            ([0, 1, 0, 1], [0.70001, 0.70002, 0.70003, 0.70004]),
        ),
        Case(
            "a label is missing",
            "A row without a label is no negative: it is in no pair.",
            ([1, None, 0, 1, None, 0], [0.9, 0.2, 0.4, 0.3, 0.8, 0.1]),
        ),
        Case(
            "a score is missing, of logits",
            "A row without a score is in no pair; it is neither the lowest nor 0.",
            ([0, 1, 1, 0, 1, 0], [-2.0, -1.0, None, 1.5, 3.0, None]),
        ),
        Case(
            "one class only",
            "Without a negative there is no pair to compare.",
            ([1, 1, 1], [0.2, 0.5, 0.9]),
        ),
        Case(
            "the other class only",
            "The one positive has no score, so there is no pair.",
            ([0, 1, 0], [0.2, None, 0.9]),
        ),
        Case("400 rows", "Real logs have ties, and a NULL here and there.", (_LABELS, _SCORES)),
    ),
    hints=(
        "Join the positives with the negatives, and ask how often the positive scores higher: AVG does the rest.",
        "Without the join: RANK() gives equal scores the lowest of their ranks, and half the number of the others "
        "with this score makes it the mean rank.",
        "For a long log, GROUP BY score first. A running sum of negatives then says how many are below a score: add "
        "pos * (2 * below + neg) in integers, and divide once, by 2.0 * P * N.",
    ),
    approaches=(
        Approach(
            Query("auc_by_join", _AUC_COLUMNS, AUC_BY_JOIN),
            "Join every positive with every negative: the definition itself. A NULL makes the comparison NULL, and "
            "AVG leaves it out.",
            "O(P N) time for P positives and N negatives",
            "a million rows make up to a quarter of a trillion pairs",
        ),
        Approach(
            Query("auc_by_mean_rank", _AUC_COLUMNS, AUC_BY_MEAN_RANK),
            "The Mann-Whitney statistic: RANK and half the number of other ties is the mean rank; the sum of the "
            "positives' ranks less its least value, over the pairs.",
            "O(n log n) time: one sort",
            "one window holds all rows, and on a cluster one task does all the work",
        ),
        Approach(
            Query("auc_by_distinct_scores", _AUC_COLUMNS, AUC_BY_DISTINCT_SCORES),
            "Count both classes for each score, then let a running sum count the negatives below: what a long table "
            "needs.",
            "O(n log n) time; the window has a row for each different score",
            "where all scores differ nothing is saved: sum within buckets of the score first, then over the buckets",
        ),
    ),
    model=_AUC_SKETCH,
    factors=factors({}),
    nothing="one class only; there is no pair",
    singular=singular(_AUC_SKETCH),
)


# ---- grouped AUC in SQL -----------------------------------------------------------------------------------------


def gauc_sql(user_id: Array, label: Array, score: Array) -> float:
    kept = whole(label, score)
    return gauc_by_impressions(label[kept].astype(int), score[kept].astype(float), user_id[kept])


GAUC_BY_JOIN = """\
WITH aucs AS (
  SELECT p.user_id, AVG((p.score > n.score) + (p.score = n.score) / 2.0) AS auc
  FROM log AS p JOIN log AS n USING (user_id)
  WHERE p.label = 1 AND n.label = 0
  GROUP BY p.user_id),
weights AS (
  SELECT user_id, COUNT(*) AS n
  FROM log
  WHERE label IS NOT NULL AND score IS NOT NULL
  GROUP BY user_id)
SELECT SUM(n * auc) / SUM(n)
FROM aucs JOIN weights USING (user_id)
WHERE auc IS NOT NULL"""

GAUC_BY_MEAN_RANK = """\
WITH ranked AS (
  SELECT user_id, label,
    RANK() OVER (PARTITION BY user_id ORDER BY score)
      + (COUNT(*) OVER (PARTITION BY user_id, score) - 1) / 2.0 AS mean_rank
  FROM log
  WHERE label IS NOT NULL AND score IS NOT NULL),
users AS (
  SELECT COUNT(*) AS n,
    (SUM(label * mean_rank) - SUM(label) * (SUM(label) + 1) / 2)
      / (SUM(label) * SUM(1 - label)) AS auc
  FROM ranked
  GROUP BY user_id)
SELECT SUM(n * auc) / SUM(n)
FROM users
WHERE auc IS NOT NULL"""

GAUC_BY_DISTINCT_SCORES = """\
WITH per_score AS (
  SELECT user_id, score, SUM(label) AS pos, SUM(1 - label) AS neg
  FROM log
  WHERE label IS NOT NULL AND score IS NOT NULL
  GROUP BY user_id, score),
beaten AS (  -- won: twice the negatives below, and once those with the score
  SELECT user_id, pos, neg,
    2 * SUM(neg) OVER (PARTITION BY user_id ORDER BY score) - neg AS won
  FROM per_score),
users AS (
  SELECT SUM(pos + neg) AS n,
    1.0 * SUM(pos * won) / (2 * SUM(pos) * SUM(neg)) AS auc
  FROM beaten
  GROUP BY user_id)
SELECT SUM(n * auc) / SUM(n)
FROM users
WHERE auc IS NOT NULL"""

_GAUC_COLUMNS = ("user_id", "label", "score")
_GAUC_SKETCH = Sketch(
    _GAUC_COLUMNS, {**PARTS, "user": "user_id", "all": "log WHERE user_id = u", "same": "o.user_id = log.user_id"}
)
_SUM_OF_ALL = (  # twice the negatives not above, less those of the user with the score; and the ranks of positives
    "2 * SUM(1 - y) OVER ($up) - SUM(1 - y) OVER (PARTITION BY u, s) + 2 * ROW_NUMBER() OVER (PARTITION BY u, y)"
)

_rng = np.random.default_rng(4)
_USERS = _rng.integers(0, 60, 400)
_CLICKED = (_rng.random(400) < 0.3).astype(int).tolist()
_GUESSED = np.round(_rng.random(400) * 0.6 + 0.2 * np.array(_CLICKED), 1).tolist()
_CLICKED, _GUESSED = _some_missing(_CLICKED, 0.05, _rng), _some_missing(_GUESSED, 0.05, _rng)

GAUC_SQL = QueryExercise(
    name="gauc_sql",
    title="grouped AUC in SQL (用 SQL 计算分组 AUC)",
    task=(
        "The table log has a row for each impression, in no particular order.",
        "user_id is a number or a text, never NULL.",
        LABEL_AND_SCORE,
        "Return one row with one column: the mean of the users' AUCs, weighted by their numbers of rows.",
        "Ties: of one user, a pair with equal scores counts one half.",
        "NULL: leave out a row whose label or score is NULL, of the weights too.",
        "Users of one class have no AUC: leave them out, of the weights too.",
        "No user with both classes: the value is 0/0; return NULL.",
    ),
    reference=gauc_sql,
    cases=(
        Case(
            "two users",
            "Each user's AUC is weighted by the number of rows.",
            ([1, 1, 2, 2, 2, 2, 2], [1, 0, 1, 0, 0, 0, 1], [0.2, 0.9, 0.8, 0.3, 0.5, 0.1, 0.4]),
        ),
        Case(
            "scores on another level",
            "One user's scores are never compared with another's.",
            ([1, 2, 1, 2], [1, 1, 0, 0], [0.2002, 0.9002, 0.2001, 0.9001]),
        ),
        Case(
            "a user without clicks",
            "No pair, no AUC: the rows of this user must not weigh either.",
            ([1, 1, 1, 2, 2, 3, 3], [1, 0, 0, 0, 0, 1, 0], [0.7, 0.6, 0.5, 0.9, 0.8, 0.3, 0.4]),
        ),
        Case(
            "a user with clicks only",
            "The other way to have one class.",
            ([1, 1, 1, 2, 2], [1, 0, 0, 1, 1], [0.5, 0.6, 0.4, 0.9, 0.8]),
        ),
        Case(
            "worse than chance",
            "Both users' clicks stand too low; the value must stay below one half.",
            ([1, 1, 1, 2, 2, 2, 2], [1, 0, 0, 1, 0, 1, 0], [0.1, 0.5, 0.9, 0.2, 0.8, 0.6, 0.4]),
        ),
        Case(
            "equal scores",
            "A tie counts one half; here the positive comes first.",
            ([1, 1, 1, 2, 2, 2], [1, 0, 0, 1, 0, 1], [0.5, 0.5, 0.2, 0.7, 0.7, 0.9]),
        ),
        Case(
            "the same rows in another order",
            "A table has no order; it must not change the value.",
            ([2, 1, 2, 1, 2, 1], [0, 0, 1, 0, 1, 1], [0.7, 0.5, 0.9, 0.2, 0.7, 0.5]),
        ),
        Case(
            "one score for two users",
            "A pair of two users does not tie: there is no such pair.",
            ([1, 2, 1, 2, 2], [1, 0, 0, 1, 0], [0.5, 0.5, 0.3, 0.9, 0.3]),
        ),
        Case(
            "labels are missing",
            "A row without a label is no negative, and does not weigh.",
            (["a", "b", "a", "b", "a", "b", "c", "c"], [1, 1, 0, 0, None, 0, 1, None], [3, 1, 4, 2, 1, 0.5, 2, 1.0]),
        ),
        Case(
            "scores are missing, of logits",
            "A row without a score is in no pair, and does not weigh.",
            (
                [1, 1, 1, 1, 2, 2, 2, 3, 3],
                [1, 0, 0, None, 0, 1, 0, 1, 0],
                [-1.0, -2.0, None, 4.0, 2.0, 1.5, 0.5, 1.0, None],
            ),
        ),
        Case(
            "no user with both classes",
            "The one negative of the first user has no score: nothing is left to average.",
            ([1, 1, 2, 2], [1, 0, 0, 0], [0.9, None, 0.3, 0.8]),
        ),
        Case(
            "60 users",
            "Users of all sizes, ties, some with one class, some rows with a NULL.",
            (_USERS, _CLICKED, _GUESSED),
        ),
    ),
    hints=(
        "The AUC of each user first: user_id belongs into each PARTITION BY, GROUP BY and join.",
        "A user of one class has no pair, and x / 0 is NULL in SQLite: keep the users WHERE auc IS NOT NULL.",
        "Then SUM(n * auc) / SUM(n) over the users that are kept, where n counts the rows with a label and a score.",
    ),
    approaches=(
        Approach(
            Query("gauc_by_join", _GAUC_COLUMNS, GAUC_BY_JOIN),
            "Join the positives and the negatives of each user; the weights come from a count of their own.",
            "O(n log n) to find the rows of a user, then the sum of P N over the users",
            "slow for a user with many rows of both classes, such as a crawler",
        ),
        Approach(
            Query("gauc_by_mean_rank", _GAUC_COLUMNS, GAUC_BY_MEAN_RANK),
            "The mean rank within each user, and the rank sum of the positives over the pairs.",
            "O(n log n) time: one sort by user and score",
            "a user_id is forgotten in one of two windows",
        ),
        Approach(
            Query("gauc_by_distinct_scores", _GAUC_COLUMNS, GAUC_BY_DISTINCT_SCORES),
            "Count both classes for each user and score, then let a running sum count the negatives below: integers "
            "up to the one division.",
            "O(n log n) time; the window has a row for each different score of a user",
            "a user of most rows is still the work of one task",
        ),
    ),
    model=_GAUC_SKETCH,
    factors=factors(
        {
            "window": {
                "the windows lack PARTITION BY user_id: the scores of all users are ranked together.": "0",
            },
            "window_of_ties": {
                "ties are counted over all users: PARTITION BY score lacks user_id.": "0",
            },
            "user": {"this is the AUC of all rows together: it compares the scores of different users.": "0"},
            "weight": {
                "the mean of the users is not weighted, as by AVG; each user weighs as many as it has rows.": "1",
                "the weights count rows with a NULL: COUNT(*) counts rows, whatever is in them.": [
                    f"(SELECT COUNT({what}) FROM $all)" for what in ("*", "label", "score")
                ],
                "the users weigh by their clicks; the task asks for the number of rows.": "SUM(y)",
                "the users weigh by their rows without a click; the task asks for all rows.": "SUM(1 - y)",
                "the users weigh by their pairs of a positive and a negative, so that long logs weigh "
                "quadratically.": "SUM(y) * SUM(1 - y)",
            },
            "mean": {
                **{
                    f"users of one class count {said}, and their rows weigh; they have no AUC and are left out.": (
                        f"SUM(weight * COALESCE(auc, {value})) / SUM(weight)"
                    )
                    for said, value in {"0": "0", "one half": "0.5", "1": "1.0"}.items()
                },
                "the weights hold the rows of users of one class, whose AUC is NULL and adds nothing; leave them "
                "out: WHERE auc IS NOT NULL.": "SUM(weight * auc) / SUM(weight)",
            },
        }
    ),
    nothing="no user with both classes; there is nothing to average",
    singular=(
        *singular(_GAUC_SKETCH),
        Mistake(
            "the rank, or the running sum, goes over all users, and only the ties are those of one: its window lacks "
            "PARTITION BY user_id.",
            (
                partial(_GAUC_SKETCH, window="0", window_of_ties="u"),
                partial(_GAUC_SKETCH, rank=_SUM_OF_ALL),
            ),
        ),
    ),
)

EXERCISES = (AUC_SQL, GAUC_SQL)
