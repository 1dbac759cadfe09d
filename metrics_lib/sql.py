r"""Metrics as SQL text, for rows that are in a database: the engine that holds them computes the value.

Nothing is installed and nothing is run here: each function returns one query, and the same text gives the value of the
function of the same name in ``metrics_lib`` on SQLite, DuckDB, DataFusion, Polars, PostgreSQL, ClickHouse, Spark and
MariaDB.

>>> import sqlite3
>>> from metrics_lib import sql
>>> log = sqlite3.connect(":memory:")
>>> _ = log.execute("CREATE TABLE log (label, score)")
>>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(0, 0.1), (0, 0.4), (1, 0.35), (1, 0.8), (1, None)])
>>> log.execute(sql.roc_auc_score("log")).fetchone()
(0.75, 2, 2, 1)

The last column is ``left_out``, the number of rows that the value knows nothing of, and should be 0: those with a
value that is missing (NULL, NaN), infinite or (in SQLite) text, a label that the metric does not take (-1 is none
here), a weight below 0. What NumPy refuses a query can only count.

A query cannot warn either. Where a value is 0/0 it is NULL, but for `f1_score` and `average_precision_score`, which are
0 as the functions of NumPy are; their columns ``tp``, ``fp``, ``fn`` and ``positives`` tell where that is so. A sum
beyond the floats is infinite.

``by="day"`` gives a row for each day; a query may be extended (``text + " ORDER BY day"``) or be a subquery.
Names of tables and columns are plain identifiers, with dots where a schema or a struct stands before them. Inside the
query each column has another name, so it may be called ``user`` or ``value``; only a column of ``by`` cannot have the
name of another column of the result. Whether a column exists is for the engine to say.

On most engines a column of booleans is not a number: pass ``pos_label=True``, or where a function has no such argument
a view with ``CAST(label AS INTEGER)``. PostgreSQL returns sums of integers as ``Decimal``, and orders items of one
score by the database's collation.

Where many rows have the same score and label, the query of `counts` merges them, and the functions of ``metrics_lib``
take its rows with ``sample_weight=``.

Some builds of SQLite lack ``LN``, ``EXP``, ``POWER``, ``SQRT`` and ``FLOOR``; Python has them:

>>> import math
>>> for name, function in {"LN": math.log, "EXP": math.exp, "SQRT": math.sqrt, "FLOOR": math.floor}.items():
...     log.create_function(name, 1, lambda x, f=function: None if x is None else f(x), deterministic=True)
>>> log.create_function("POWER", 2, lambda x, y: None if y is None else math.pow(x, y), deterministic=True)
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from string import Template
from typing import Literal

from metrics_lib._arrays import as_count, invalid, one_of
from metrics_lib.lists import Lists
from metrics_lib.measures import Columns, literal, measure_names, parsed_measure

__all__ = [
    "average_precision_score",
    "confusion_matrix",
    "counts",
    "evaluate",
    "f1_score",
    "gauc",
    "log_loss",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_pinball_loss",
    "mean_squared_error",
    "roc_auc_bounds",
    "roc_auc_score",
    "root_mean_squared_error",
    "symmetric_mean_absolute_percentage_error",
    "weighted_mean_absolute_percentage_error",
]

By = str | Sequence[str]
PosLabel = Literal[1, True]

# How the texts are written. 1e0, as 1.0 is a DECIMAL in Spark, and before each division, as 1 / 2 of integers is 0 in
# some engines. Pairs are counted in integers, and about in floats, as DataFusion wraps integers. Engines add floats one
# after the other, so long sums have two levels, and each number two halves (`_sum`).
# A row that is no good has a NULL for its y, which no sum counts.
# What the caller names is named anew where it is read (`by_1`, `s`, `y`, ...), and has its own name again in the last
# SELECT alone; no aggregate has the name of a column in its own SELECT, which ClickHouse would take for the aggregate.
_CHECKED = """checked AS (
  SELECT $read,
    CASE WHEN $sound THEN $y END AS y,
    CASE WHEN $sound THEN 0 ELSE 1 END AS left_out
  FROM $table AS t)"""
_LOSS = """losses AS (
  SELECT ${by}part, left_out, CASE WHEN y IS NOT NULL THEN w * $loss END AS loss,
    CASE WHEN y IS NOT NULL THEN $weight END AS weight
  FROM checked),
parts AS (
  SELECT ${by}part, $total AS total, $weights AS total_weight, SUM(left_out) AS bad
  FROM losses GROUP BY ${by}part)"""
_MEAN = "SUM(total) / NULLIF(1e0 * SUM(total_weight), 0)"
_VALUE = """SELECT ${by}$mean AS value, COALESCE(SUM(bad), 0) AS left_out
FROM parts $group_by"""
_PER_SCORE = """per_score AS (
  SELECT ${by_key}s, SUM(CASE WHEN y = 1 THEN w ELSE 0 END) AS pos, SUM(CASE WHEN y = 0 THEN w ELSE 0 END) AS neg,
    SUM(left_out) AS bad
  FROM checked GROUP BY ${by_key}s)"""
_WON = """beaten AS (
  SELECT ${by_key}pos, neg, bad,
    2 * SUM(neg) OVER ($partition_key ORDER BY s ROWS UNBOUNDED PRECEDING) - neg AS below
  FROM per_score),
within AS (
  SELECT ${by_key}SUM(pos * below) AS won, SUM(1e0 * pos * below) AS about, SUM(pos) AS n_pos, SUM(neg) AS n_neg,
    SUM(bad) AS n_bad
  FROM beaten $group_by_key)"""
_BETWEEN = """between_buckets AS (
  SELECT ${by}won AS won_within, about AS about_within, n_pos AS pos, n_neg AS neg, n_bad AS bad,
    2 * (SUM(n_neg) OVER ($partition ORDER BY bucket ROWS UNBOUNDED PRECEDING) - n_neg) AS below
  FROM within),
total AS (
  SELECT ${by}SUM(won_within + pos * below) AS won, SUM(about_within + 1e0 * pos * below) AS about, SUM(pos) AS n_pos,
    SUM(neg) AS n_neg, SUM(bad) AS n_bad
  FROM between_buckets $group_by)"""
_AUC = """SELECT ${by}CASE WHEN ABS(won - about) <= 1e-6 * about THEN won / NULLIF(2e0 * n_pos * n_neg, 0) END AS value,
  COALESCE(n_pos, 0) AS positives, COALESCE(n_neg, 0) AS negatives, COALESCE(n_bad, 0) AS left_out
FROM $last"""
_IN_BUCKETS = """of_bucket AS (
  SELECT ${by_key}SUM(CASE WHEN y = 1 THEN w ELSE 0 END) AS pos, SUM(CASE WHEN y = 0 THEN w ELSE 0 END) AS neg,
    SUM(left_out) AS bad
  FROM checked $group_by_key),
between_buckets AS (
  SELECT ${by}pos, neg, bad, SUM(neg) OVER ($partition ORDER BY bucket ROWS UNBOUNDED PRECEDING) AS below
  FROM of_bucket)"""
_BOUNDS = """SELECT ${by}SUM(1e0 * pos * (below - neg)) / NULLIF(1e0 * SUM(pos) * SUM(neg), 0) AS low,
  SUM(1e0 * pos * (2 * below - neg)) / NULLIF(2e0 * SUM(pos) * SUM(neg), 0) AS value,
  SUM(1e0 * pos * below) / NULLIF(1e0 * SUM(pos) * SUM(neg), 0) AS high, COALESCE(SUM(bad), 0) AS left_out
FROM between_buckets $group_by"""
_SHARES = """shares AS (
  SELECT ${outer}left_out AS bad, value AS auc, CASE WHEN value IS NOT NULL THEN $weight END AS weight,
    $weight * value AS share
  FROM of_groups)"""
_GAUC = """SELECT ${outer}($sum) / NULLIF(1e0 * SUM(weight), 0) AS value, COUNT(auc) AS kept,
  COUNT(*) - COUNT(auc) AS dropped, COALESCE(SUM(bad), 0) AS left_out
FROM shares $group_by_outer"""
_STEPS = """above AS (
  SELECT ${by}s, pos, neg, bad, SUM(pos) OVER ($partition ORDER BY s DESC ROWS UNBOUNDED PRECEDING) AS tp,
    SUM(neg) OVER ($partition ORDER BY s DESC ROWS UNBOUNDED PRECEDING) AS fp
  FROM per_score),
steps AS (
  SELECT ${by}$part AS part, pos, neg, bad, pos * (1e0 * tp / NULLIF(tp + fp, 0)) AS area FROM above),
parts AS (
  SELECT ${by}part, $area AS total, SUM(pos) AS n_pos, SUM(neg) AS n_neg, SUM(bad) AS n_bad
  FROM steps GROUP BY ${by}part)"""
_AP = """SELECT ${by}CASE WHEN SUM(n_pos) > 0 THEN SUM(total) / (1e0 * SUM(n_pos)) WHEN SUM(n_neg) > 0 THEN 0e0 END
    AS value,
  COALESCE(SUM(n_pos), 0) AS positives, COALESCE(SUM(n_bad), 0) AS left_out
FROM parts $group_by"""
_CELLS = """cells AS (
  SELECT ${by}y, x, SUM(CASE WHEN y IS NOT NULL THEN w ELSE 0 END) AS n, SUM(left_out) AS bad
  FROM checked GROUP BY ${by}y, x)"""
_COUNTS = """SELECT ${by}y AS y_true, x AS $other, n, bad AS left_out FROM cells"""
_OF_CLASS = """sides AS (
  SELECT ${by}y AS class, CASE WHEN y = x THEN n ELSE 0 END AS hit, n AS of_true, 0 * n AS of_pred, bad FROM cells
  UNION ALL
  SELECT ${by}x AS class, 0 * n AS hit, 0 * n AS of_true, n AS of_pred, 0 * bad AS bad FROM cells WHERE y IS NOT NULL),
of_class AS (
  SELECT ${by}class, SUM(hit) AS hits, SUM(of_true) AS n_true, SUM(of_pred) AS n_pred,
    COALESCE(2e0 * SUM(hit) / NULLIF(SUM(of_true) + SUM(of_pred), 0), 0e0) AS f1, SUM(bad) AS n_bad
  FROM sides GROUP BY ${by}class)"""
_F1 = """SELECT ${by}CASE WHEN SUM(n_true + n_pred) > 0 THEN $average END AS value,
  COALESCE(SUM(CASE WHEN $counted THEN hits END), 0) AS tp,
  COALESCE(SUM(CASE WHEN $counted THEN n_pred - hits END), 0) AS fp,
  COALESCE(SUM(CASE WHEN $counted THEN n_true - hits END), 0) AS fn, COALESCE(SUM(n_bad), 0) AS left_out
FROM of_class $group_by"""
# The first row of a list says that there is one. Of the others a grade of 0 adds nothing to any measure, and only the
# rest go on. How long a list is, and what is wrong with it, comes from all its rows, and stands in a row of its own.
_LISTS = """placed AS (
  SELECT ${by}y AS grade, ROW_NUMBER() OVER ($partition ORDER BY s DESC, item DESC) AS place$of_lists
  FROM checked WHERE left_out = 0),
graded AS (
  SELECT *$of_rows
  FROM placed WHERE place = 1 OR grade > 0),
ranked AS (
  SELECT *$running
  FROM graded),
values_and_sizes AS (
  SELECT ${by}$measures,
    0 AS n, 0 AS again, 0 AS bad
  FROM ranked $group_by
  UNION ALL
  SELECT ${by}$nothing, SUM(1 - left_out) AS n,
    SUM(1 - left_out) - COUNT(DISTINCT CASE WHEN left_out = 0 THEN item END) AS again, SUM(left_out) AS bad
  FROM checked $group_by),
of_query AS (
  SELECT ${by}$largest,
    MAX(n) AS n_items, MAX(again) AS n_again, MAX(bad) AS n_bad
  FROM values_and_sizes $group_by)"""
_PER_QUERY = """SELECT ${by}$columns,
    n_items AS items, n_again AS repeated, n_bad AS left_out
FROM of_query"""
_MEANS = """SELECT ${outer}$columns,
    COALESCE(SUM(CASE WHEN n_items > 0 THEN 1 ELSE 0 END), 0) AS queries, COALESCE(SUM(n_again), 0) AS repeated,
    COALESCE(SUM(n_bad), 0) AS left_out
FROM of_query $group_by_outer"""

_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_EPS = 2.0**-52


def mean_squared_error(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for the mean of the squared errors; of probabilities for labels 0 and 1 it is the Brier score.

    Parameters
    ----------
    table : str
        A table or view.
    y_true, y_score : str
        Its columns of true and of predicted numbers.
    sample_weight : str, default=None
        Its column of weights.
    by : str or sequence of str, default=()
        Its columns of slices.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (day, label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?, ?)", [("a", 3, 2.5), ("a", 0, 0.5), ("b", 2, 4)])
    >>> log.execute(mean_squared_error("log")).fetchone()
    (1.5, 0)
    >>> log.execute(mean_squared_error("log", by="day")).fetchall()
    [('a', 0.25, 0), ('b', 4.0, 0)]
    """
    return _loss(table, "(y - s) * (y - s)", y_true, y_score, sample_weight, by)


def root_mean_squared_error(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for the root of the mean of the squared errors.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
        As in `mean_squared_error`.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(3, 0), (0, 4), (5, 5), (1, 1)])
    >>> log.execute(root_mean_squared_error("log")).fetchone()
    (2.5, 0)
    """
    return _loss(table, "(y - s) * (y - s)", y_true, y_score, sample_weight, by, mean=f"SQRT({_MEAN})")


def mean_absolute_error(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for the mean of the absolute errors.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
        As in `mean_squared_error`.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score, n)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?, ?)", [(3, 2.5, 1), (2, 4, 2)])
    >>> log.execute(mean_absolute_error("log", sample_weight="n")).fetchone()
    (1.5, 0)
    """
    return _loss(table, "ABS(y - s)", y_true, y_score, sample_weight, by)


def mean_absolute_percentage_error(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for the mean of the absolute errors as shares of the targets.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
        As in `mean_squared_error`. A target of 0 is replaced by 2.2e-16 in the division, as in NumPy's function.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(4, 3), (2, 3)])
    >>> log.execute(mean_absolute_percentage_error("log")).fetchone()
    (0.375, 0)
    """
    size = f"CASE WHEN ABS(y) < {literal(_EPS)} THEN {literal(_EPS)} ELSE ABS(y) END"
    return _loss(table, f"ABS(y - s) / {size}", y_true, y_score, sample_weight, by)


def symmetric_mean_absolute_percentage_error(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for the mean of the absolute errors as shares of the mean of target and prediction; 0/0 counts as 0.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
        As in `mean_squared_error`.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(5, 3), (0, 0)])
    >>> log.execute(symmetric_mean_absolute_percentage_error("log")).fetchone()
    (0.25, 0)
    """
    loss = "CASE WHEN y = 0 AND s = 0 THEN 0 ELSE 2 * ABS(y - s) / (ABS(y) + ABS(s)) END"
    return _loss(table, loss, y_true, y_score, sample_weight, by)


def weighted_mean_absolute_percentage_error(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for the sum of the absolute errors over that of the absolute targets; NULL if all targets are 0.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
        As in `mean_squared_error`.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(-3, -2), (1, 2)])
    >>> log.execute(weighted_mean_absolute_percentage_error("log")).fetchone()
    (0.5, 0)
    """
    return _loss(table, "ABS(y - s)", y_true, y_score, sample_weight, by, weight="w * ABS(y)")


def mean_pinball_loss(
    table: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    alpha: float = 0.5,
    by: By = (),
) -> str:
    """Query for the mean loss of a forecast of a quantile.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
        As in `mean_squared_error`.
    alpha : float, default=0.5
        The order of the quantile, from 0 to 1.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier, or ``alpha`` is not in [0, 1].

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(1, 2), (2, 2), (7, 4), (3, 3)])
    >>> log.execute(mean_pinball_loss("log", alpha=0.75)).fetchone()
    (0.625, 0)
    """
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)) or not 0 <= alpha <= 1:
        raise invalid("alpha", "a number from 0 to 1", repr(alpha))
    loss = f"CASE WHEN y >= s THEN {literal(alpha)} * (y - s) ELSE {literal(1 - alpha)} * (s - y) END"
    return _loss(table, loss, y_true, y_score, sample_weight, by)


def log_loss(
    table: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    pos_label: PosLabel = 1,
    by: By = (),
) -> str:
    """Query for the mean of the negative logarithms of the probabilities that the labels were given.

    Parameters
    ----------
    table, sample_weight, by
        As in `mean_squared_error`.
    y_true : str, default='label'
        The column of labels, 0 and 1.
    y_score : str, default='score'
        The column of probabilities of 1, in [0, 1]; they are clipped as doubles, 2.2e-16 from 0 and 1.
    pos_label : {1, True}, default=1
        1 for labels 0 and 1, True for a column of booleans.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(1, 0.8), (0, 0.4), (1, 1.2)])
    >>> value, left_out = log.execute(log_loss("log")).fetchone()
    >>> round(value, 6), left_out
    (0.366985, 1)
    """
    label, score = _column(y_true, "y_true"), _column(y_score, "y_score")
    least, most = literal(_EPS), literal(1 - _EPS)
    loss = f"-LN(CASE WHEN s < {least} THEN {least} WHEN s > {most} THEN {most} ELSE s END)"
    positive, known = _of_two(label, pos_label)
    read = {"s": f"CASE WHEN {positive} THEN 1e0 * {score} ELSE 1 - 1e0 * {score} END", "part": _part(score)}
    checks = {"y": f"CASE WHEN {positive} THEN 1 ELSE 0 END", "sound": f"{known} AND +{score} BETWEEN 0 AND 1"}
    return _query(table, by, [_LOSS], _VALUE, ("value",), read, checks | _sums(loss), sample_weight)


def roc_auc_score(
    table: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    pos_label: PosLabel = 1,
    buckets: int | None = None,
    by: By = (),
) -> str:
    r"""Query for the area under the ROC curve: the share of pairs that are in order, a tie counting one half.

    Parameters
    ----------
    table, sample_weight, by
        As in `mean_squared_error`. Whole weights are counts, and as exact as rows.
    y_true : str, default='label'
        The column of labels, 0 and 1.
    y_score : str, default='score'
        The column of scores.
    pos_label : {1, True}, default=1
        1 for labels 0 and 1, True for a column of booleans.
    buckets : int, default=None
        How many buckets to cut each unit of the score into. The value is the same, but no window has more rows than a
        bucket has scores: what a cluster needs, where a window is the work of one task. For scores from 0 to 1 take
        1024.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``positives``, ``negatives``, ``left_out``; the value is NULL if either of the
        two is 0.

    Raises
    ------
    ValueError
        If a name is no plain identifier, or ``buckets`` no whole number.

    See Also
    --------
    roc_auc_bounds : Bounds from one pass without a window over scores.

    Notes
    -----
    With the buckets :math:`b`, the pairs won are

    .. math:: \sum_b P_b \sum_{c < b} N_c + \sum_b (\text{pairs won within } b)

    Pairs are counted in integers, each twice, so the value is exact while :math:`2PN < 2^{63}`, that is to four billion
    rows of which half are positive. Beyond that DuckDB goes on, as its sums have 128 bits; elsewhere there is an error
    of the engine or NULL, and a column of weights 1 that are floats is the way out.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (user, label, score)")
    >>> rows = [("a", 1, 0.8), ("a", 0, 0.8), ("a", 0, 0.1), ("b", 1, 0.3), ("b", 1, 0.2)]
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
    >>> log.execute(roc_auc_score("log", buckets=1024)).fetchone()
    (0.5833333333333334, 3, 2, 0)
    >>> log.execute(roc_auc_score("log", by="user")).fetchall()
    [('a', 0.75, 1, 2, 0), ('b', None, 2, 0, 0)]
    """
    read, checks = _scored(y_true, y_score, pos_label, None if buckets is None else as_count(buckets, "buckets"))
    steps, last = ([], "within") if buckets is None else ([_BETWEEN], "total")
    columns = ("value", "positives", "negatives")
    steps = [_PER_SCORE, _WON, *steps]
    return _query(table, by, steps, _AUC, columns, read, checks | {"last": last}, sample_weight)


def roc_auc_bounds(
    table: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    pos_label: PosLabel = 1,
    bins: int = 10_000,
    by: By = (),
) -> str:
    """Query for bounds of the AUC from a histogram: one pass, and no window over scores.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, pos_label, by
        As in `roc_auc_score`.
    bins : int, default=10_000
        How many bins to cut each unit of the score into.

    Returns
    -------
    str
        A query for ``by``, ``low``, ``value``, ``high``, ``left_out``: `roc_auc_score` lies between ``low``, for which
        all pairs within a bin are lost, and ``high``, for which they are won; ``value`` takes them as ties.

    Raises
    ------
    ValueError
        If a name is no plain identifier, or ``bins`` no whole number.

    See Also
    --------
    metrics_lib.curves.roc_auc_bounds : The same of a histogram in arrays.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(0, 0.1), (0, 0.4), (1, 0.35), (1, 0.8)])
    >>> log.execute(roc_auc_bounds("log", bins=2)).fetchone()
    (0.5, 0.75, 1.0, 0)
    >>> log.execute(roc_auc_bounds("log", bins=20)).fetchone()
    (0.75, 0.75, 0.75, 0)
    """
    read, checks = _scored(y_true, y_score, pos_label, as_count(bins, "bins"))
    return _query(table, by, [_IN_BUCKETS], _BOUNDS, ("low", "value", "high"), read, checks, sample_weight)


def average_precision_score(
    table: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    pos_label: PosLabel = 1,
    by: By = (),
) -> str:
    """Query for average precision: the area under the stepwise precision-recall curve.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, pos_label, by
        As in `roc_auc_score`.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``positives``, ``left_out``; without a positive the value is 0/0, and 0 as in
        NumPy's function.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(1, 0.9), (0, 0.9), (1, 0.5), (0, 0.3)])
    >>> log.execute(average_precision_score("log")).fetchone()
    (0.5833333333333333, 2, 0)
    """
    read, checks = _scored(y_true, y_score, pos_label)
    sums = {"part": _part("s"), "area": _sum("area")}
    columns = ("value", "positives")
    return _query(table, by, [_PER_SCORE, _STEPS], _AP, columns, read, checks | sums, sample_weight)


def gauc(
    table: str,
    groups: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    weights: Literal["impressions", "clicks", "uniform"] = "impressions",
    pos_label: PosLabel = 1,
    by: By = (),
) -> str:
    """Query for the mean of the groups' AUCs (GAUC); groups of one class are dropped.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, pos_label, by
        As in `roc_auc_score`.
    groups : str
        The column of groups, such as users.
    weights : {'impressions', 'clicks', 'uniform'}, default='impressions'
        What a group counts for: its rows, its positives (or their weights), or 1.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``kept`` and ``dropped``, the numbers of groups, and ``left_out``.

    Raises
    ------
    ValueError
        If a name is no plain identifier, or ``weights`` none of the three.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (user, label, score)")
    >>> rows = [("a", 1, 0.8), ("a", 0, 0.8), ("b", 0, 0.1), ("b", 1, 0.3), ("b", 1, 0.2), ("c", 1, 0.9)]
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
    >>> log.execute(gauc("log", "user")).fetchone()
    (0.8, 2, 1, 0)
    """
    one_of(weights, "weights", ("impressions", "clicks", "uniform"))
    weight = {"impressions": "(positives + negatives)", "clicks": "positives", "uniform": "1"}[weights]
    read, checks = _scored(y_true, y_score, pos_label)
    group = _column(groups, "groups")
    checks["sound"] += f" AND {group} IS NOT NULL"
    steps = [_PER_SCORE, _WON, f"of_groups AS (\n{_AUC})", _SHARES]
    values = {"last": "within", "weight": weight, "sum": _sum("share")}
    columns = ("value", "kept", "dropped")
    return _query(table, by, steps, _GAUC, columns, read, checks | values, sample_weight, key=group)


def confusion_matrix(
    table: str, *, y_true: str = "label", y_pred: str = "prediction", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for the confusion matrix, a row for each pair of labels that occurs.

    Parameters
    ----------
    table, sample_weight, by
        As in `mean_squared_error`.
    y_true, y_pred : str
        The columns of true and of predicted labels, numbers or words.

    Returns
    -------
    str
        A query for ``by``, ``y_true``, ``y_pred``, ``n`` and ``left_out``. Rows with a missing label, if there are any,
        stand apart with an ``n`` of 0.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, prediction)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [("cat", "cat"), ("cat", "dog"), ("dog", "dog")] * 2)
    >>> log.execute(confusion_matrix("log")).fetchall()
    [('cat', 'cat', 2, 0), ('cat', 'dog', 2, 0), ('dog', 'dog', 2, 0)]
    """
    read, checks = _of_classes(y_true, y_pred)
    columns = ("y_true", "y_pred", "n")
    return _query(table, by, [_CELLS], _COUNTS, columns, read, checks | {"other": "y_pred"}, sample_weight)


def f1_score(
    table: str,
    *,
    y_true: str = "label",
    y_pred: str = "prediction",
    sample_weight: str | None = None,
    pos_label: int | bool | str = 1,
    average: Literal["binary", "macro", "micro", "weighted"] = "binary",
    by: By = (),
) -> str:
    """Query for F1, the harmonic mean of precision and recall.

    Parameters
    ----------
    table, y_true, y_pred, sample_weight, by
        As in `confusion_matrix`.
    pos_label : bool, int or str, default=1
        For ``average='binary'``: the positive label, a boolean, a whole number or a word of letters, digits, spaces,
        ``_`` and ``-``.
    average : {'binary', 'macro', 'micro', 'weighted'}, default='binary'
        F1 of the positive label; the plain mean over the labels; F1 of the counts of all labels together; the mean
        weighted by the number of true labels.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``tp``, ``fp``, ``fn``, the counts of the positive label or the sums over all
        labels, and ``left_out``. Where ``tp``, ``fp`` and ``fn`` are 0 the value is 0/0, and 0 as in NumPy's function.

    Raises
    ------
    ValueError
        If a name is no plain identifier, or another argument is invalid.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, prediction)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [("cat", "cat"), ("cat", "dog"), ("dog", "dog")])
    >>> log.execute(f1_score("log", average="macro")).fetchone()
    (0.6666666666666666, 2, 1, 1, 0)
    """
    one_of(average, "average", ("binary", "macro", "micro", "weighted"))
    positive = f"class = {_label(pos_label)}"
    averages = {
        "binary": f"COALESCE(MAX(CASE WHEN {positive} THEN f1 END), 0e0)",
        "macro": "AVG(CASE WHEN class IS NOT NULL THEN f1 END)",
        "micro": "2e0 * SUM(hits) / NULLIF(SUM(n_true + n_pred), 0)",
        "weighted": "SUM(f1 * n_true) / NULLIF(1e0 * SUM(n_true), 0)",
    }
    values = {"average": averages[average], "counted": "class IS NOT NULL" if average != "binary" else positive}
    read, checks = _of_classes(y_true, y_pred)
    columns = ("value", "tp", "fp", "fn")
    return _query(table, by, [_CELLS, _OF_CLASS], _F1, columns, read, checks | values, sample_weight)


def counts(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query that merges rows of one label and one score, for the functions of ``metrics_lib`` with ``sample_weight=``.

    Parameters
    ----------
    table, sample_weight, by
        As in `mean_squared_error`.
    y_true, y_score : str
        The columns of labels and of scores.

    Returns
    -------
    str
        A query for ``by``, ``y_true``, ``y_score``, ``n`` and ``left_out``. Rows with a missing value, if there are
        any, stand apart with an ``n`` of 0.

    Raises
    ------
    ValueError
        If a name is no plain identifier.

    Examples
    --------
    >>> import sqlite3
    >>> from metrics_lib import roc_auc_score
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (label, score)")
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(1, 0.9), (0, 0.9), (0, 0.1)] * 1000)
    >>> rows = log.execute(counts("log")).fetchall()
    >>> rows
    [(0, 0.1, 1000, 0), (0, 0.9, 1000, 0), (1, 0.9, 1000, 0)]
    >>> y_true, y_score, n, _ = zip(*rows)
    >>> roc_auc_score(y_true, y_score, sample_weight=n)
    0.75
    """
    label, score = _column(y_true, "y_true"), _column(y_score, "y_score")
    read, checks = {"x": score}, {"y": label, "sound": f"{label} IS NOT NULL AND {_finite(score)}"}
    columns = ("y_true", "y_score", "n")
    return _query(table, by, [_CELLS], _COUNTS, columns, read, checks | {"other": "y_score"}, sample_weight)


def evaluate(
    table: str,
    measures: str | Sequence[str],
    *,
    query: str = "query",
    item: str = "item",
    y_true: str = "label",
    y_score: str = "score",
    mean: bool = False,
    by: By = (),
) -> str:
    """Query for measures of ranked lists by their names, per query or as means over the queries.

    Parameters
    ----------
    table : str
        A table or view with a row for each item of a list.
    measures : str or sequence of str
        Names such as ``'nDCG@10'``, as in `metrics_lib.measures.evaluate`.
    query, item : str
        The columns of queries (users) and of items. A list falls by score, and items of equal score by their names.
    y_true : str, default='label'
        The column of grades; those below 0 count as 0.
    y_score : str, default='score'
        The column of scores.
    mean : bool, default=False
        One row with the means over the queries, instead of a row per query.
    by : str or sequence of str, default=()
        Columns of slices, each with lists of its own.

    Returns
    -------
    str
        A query for ``by``, ``query``, a column per measure (``ndcg_at_10``, ``p_rel_2_at_5``), ``items``, the length of
        the list, ``repeated``, and ``left_out``. A measure that is 0/0 is NULL; ``COALESCE(ap, 0)`` is what trec_eval
        takes.
        With ``mean=True`` a query for ``by``, the means of those that have a value, the number of those that have
        none (``ndcg_at_10_undefined``), ``queries``, ``repeated`` and ``left_out``.
        ``repeated`` is the number of rows whose item stands in the list already, and should be 0: a join that
        multiplies rows makes such, and each counts.

    Raises
    ------
    ValueError
        If a measure is unknown (the error lists those that are known), an option of it is, one is named twice, or a
        name is no plain identifier.

    Notes
    -----
    Ideal lists and numbers of relevant items are those of the table, as in `metrics_lib.measures.evaluate` without
    ``judged``.

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (query, item, label, score)")
    >>> rows = [("u1", "a", 1, 0.9), ("u1", "b", 0, 0.4), ("u1", "d", 1, 0.7), ("u2", "a", 1, 0.3), ("u2", "c", 0, 0.8)]
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
    >>> log.execute(evaluate("log", ["P@5", "AP"])).fetchall()
    [('u1', 0.4, 1.0, 3, 0, 0), ('u2', 0.2, 0.5, 2, 0, 0)]
    >>> means = log.execute(evaluate("log", ["RR", "AP"], mean=True))
    >>> [column[0] for column in means.description], means.fetchone()
    (['rr', 'ap', 'ap_undefined', 'queries', 'repeated', 'left_out'], (0.75, 0.75, 0, 2, 0, 0))
    """
    rows, undefined = Columns(), []
    values: dict[str, str] = {}
    for text in measure_names(measures):
        measure, options, k = parsed_measure(text)
        if measure.in_sql is None:
            raise invalid("measures", "one of graded rows, as a row without a grade is left out", repr(text))
        others = {option: value for option, value in options.items() if option != "rel"}
        measure.value(
            Lists.from_lists([[0]]), *([] if measure.cut == "none" else [k]), **others
        )  # refuses values out of range
        column = re.sub(r"\W+", "_", text.replace("@", " at ").lower()).strip("_")
        if column in values:
            raise invalid("measures", "each measure once", repr(text))
        values[column] = measure.in_sql(rows, k, options)
        if measure.may_be_undefined:
            undefined.append(column)
    listed, member = _column(query, "query"), _column(item, "item")
    grade, score = _column(y_true, "y_true"), _column(y_score, "y_score")
    sound = f"{listed} IS NOT NULL AND {member} IS NOT NULL AND {_finite(grade)} AND {_finite(score)}"
    if rows.top_grade is not None:
        sound += f" AND {grade} <= {literal(rows.top_grade)}"
    place = {column: str(number) for number, column in enumerate(values, 1)}
    found = {column: f"q_{of}" for column, of in place.items()}
    if mean:
        missing = {f"{column}_undefined": f"n_items > 0 AND {found[column]} IS NULL" for column in undefined}
        found = {column: f"({_sum(of_query)}) / NULLIF(COUNT({of_query}), 0)" for column, of_query in found.items()}
        found |= {column: f"COALESCE(SUM(CASE WHEN {why} THEN 1 ELSE 0 END), 0)" for column, why in missing.items()}
    template = (
        _LISTS.replace("$of_lists", _more(rows.of_lists))
        .replace("$of_rows", _more(rows.of_rows))
        .replace("$running", _more(rows.running))
        .replace("$measures", _named({f"m_{place[column]}": value for column, value in values.items()}))
        .replace("$nothing", _named({f"m_{of}": "CASE WHEN 1 = 0 THEN 0e0 END" for of in place.values()}))
        .replace("$largest", _named({f"q_{of}": f"MAX(m_{of})" for of in place.values()}))
    )
    return _query(
        table,
        by,
        [template],
        (_MEANS if mean else _PER_QUERY).replace("$columns", _named(found)),
        (*found, "queries" if mean else "items", "repeated"),
        {"item": member, "s": score},
        {"y": f"CASE WHEN {grade} < 0 THEN 0e0 ELSE 1e0 * {grade} END", "sound": sound},
        weighted=False,
        key=listed,
        key_as=None if mean else "query",
    )


def _loss(
    table: str,
    loss: str,
    y_true: str,
    y_score: str,
    sample_weight: str | None,
    by: By,
    *,
    weight: str = "w",
    mean: str = _MEAN,
) -> str:
    """The query for a mean of a loss of two numbers, y and s."""
    true, score = _column(y_true, "y_true"), _column(y_score, "y_score")
    read = {"s": f"1e0 * {score}", "part": _part(f"(1e0 * {true} + {score})")}
    checks = {"y": f"1e0 * {true}", "sound": f"{_finite(true)} AND {_finite(score)}"}
    return _query(table, by, [_LOSS], _VALUE, ("value",), read, checks | _sums(loss, weight, mean), sample_weight)


def _sums(loss: str, weight: str = "w", mean: str = _MEAN) -> dict[str, str]:
    return {"loss": loss, "weight": weight, "mean": mean, "total": _sum("loss"), "weights": _sum("weight")}


def _scored(
    y_true: str, y_score: str, pos_label: PosLabel, buckets: int | None = None
) -> tuple[dict[str, str], dict[str, str]]:
    """What is read of labels of two classes and their scores, which may be cut into buckets; and what is asked."""
    label, score = _column(y_true, "y_true"), _column(y_score, "y_score")
    read = {"s": score}
    if buckets is not None:
        read["bucket"] = f"CASE WHEN {_finite(score)} THEN FLOOR({score} * {buckets}e0) END"
    positive, known = _of_two(label, pos_label)
    return read, {"y": f"CASE WHEN {positive} THEN 1 ELSE 0 END", "sound": f"{known} AND {_finite(score)}"}


def _of_two(label: str, pos_label: PosLabel) -> tuple[str, str]:
    """What is true of a positive label, and of one of either kind.

    In SQLite the text '1' is 1 only where it comes from a column of text, so the label becomes a number.
    """
    if pos_label is True:
        return f"{label} = TRUE", f"{label} IN (TRUE, FALSE)"
    if isinstance(pos_label, bool) or pos_label != 1:
        raise invalid("pos_label", "1 for labels 0 and 1, or True for a column of booleans", repr(pos_label))
    return f"{label} = 1", f"{label} IN (0, 1)"


def _of_classes(y_true: str, y_pred: str) -> tuple[dict[str, str], dict[str, str]]:
    """What is read of two columns of labels, and what is asked of them."""
    y, x = _column(y_true, "y_true"), _column(y_pred, "y_pred")
    return {"x": x}, {"y": y, "sound": f"{y} IS NOT NULL AND {x} IS NOT NULL"}


def _query(
    table: str,
    by: By,
    steps: Sequence[str],
    result: str,
    columns: Sequence[str],
    read: Mapping[str, str],
    values: Mapping[str, str],
    sample_weight: str | None = None,
    *,
    weighted: bool = True,
    key: str | None = None,
    key_as: str | None = None,
) -> str:
    """The query that checks the rows, takes the steps and has these columns after those of ``by``, and ``left_out``.

    ``key`` is one more column to group by, such as the query of a list. In the result it is ``key_as``, or summed over.
    """
    slices = [_column(column, "by") for column in _as_names(by)]
    names = [column.rpartition(".")[2] for column in slices]
    taken = [name.lower() for name in (*columns, "left_out", key_as or "")]
    for place, name in enumerate(names):
        if name.lower() in [*taken, *map(str.lower, names[:place])]:
            raise invalid("by", "a name that the result does not have already", repr(name))
    outer = [f"by_{place}" for place in range(1, len(slices) + 1)]
    keys = [*outer, *([f"by_{len(outer) + 1}"] if key else [])]
    values = {**values, "table": _identifier(table, "table")}
    if weighted:
        read = {**read, "w": "1" if sample_weight is None else _column(sample_weight, "sample_weight")}
        if sample_weight is not None:
            values["sound"] += f" AND {read['w']} >= 0 AND {_finite(read['w'])}"
    values["read"] = _named(dict(zip(keys, [*slices, *([key] if key else [])], strict=True)) | dict(read))
    for suffix, of in (("_outer", outer), ("", keys), ("_key", [*keys, *(["bucket"] if "bucket" in read else [])])):
        values["outer" if suffix == "_outer" else "by" + suffix] = "".join(f"{name}, " for name in of)
        values["partition" + suffix] = "PARTITION BY " + ", ".join(of) if of else ""
        values["group_by" + suffix] = "GROUP BY " + ", ".join(of) if of else ""
    text = "WITH " + ",\n".join([_CHECKED, *steps])
    own = dict(zip(names, outer, strict=True)) | ({key_as: keys[-1]} if key_as else {})
    if own:
        text += (
            f",\nresult AS (\n{result})\nSELECT {_named(own)},\n    {', '.join([*columns, 'left_out'])}\nFROM result"
        )
    else:
        text += "\n" + result
    if table.lower() in re.findall(r"(\w+) AS \(", text):
        raise invalid("table", "a name that is not used in the query already", repr(table))
    return Template(text).substitute(values).rstrip()


def _as_names(by: object) -> list[object]:
    if isinstance(by, str) or not isinstance(by, Iterable):
        return [by]  # which `_column` refuses if it is no name
    return list(by)


def _identifier(name: object, argument: str) -> str:
    if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
        raise invalid(argument, "a plain identifier: letters, digits, _ and dots", repr(name))
    return name


def _column(name: object, argument: str) -> str:
    """The column of the table, and of nothing else in the query that may have its name."""
    return "t." + _identifier(name, argument)


def _label(value: object) -> str:
    if isinstance(value, int):
        return str(value).upper()
    if not isinstance(value, str) or not re.fullmatch(r"[\w -]+", value):
        raise invalid("pos_label", "a boolean, a whole number, or letters, digits, spaces, _ and -", repr(value))
    return f"'{value}'"


def _finite(column: str) -> str:
    """What is true of a number alone: NULL, NaN, infinity less themselves are not 0; in SQLite text exceeds numbers."""
    return f"{column} - {column} = 0 AND +{column} <= 1.7976931348623157e308"


def _part(score: str) -> str:
    """Ten bits far behind the point, by which long sums are divided; none where Spark's FLOOR would refuse."""
    bits = f"1048576e0 * {score}"
    return f"CASE WHEN ABS({score}) < 1e12 THEN FLOOR(1024 * ({bits} - FLOOR({bits}))) END"


def _sum(value: str) -> str:
    """The sum of the leading 26 bits, which is exact for many equal numbers, and that of the others."""
    head = f"(134217729e0 * {value} - (134217729e0 * {value} - {value}))"
    small = f"CASE WHEN ABS({value}) < 1e300 THEN"  # else the product may be infinite
    return f"SUM({small} {head} ELSE 1e0 * {value} END) + SUM({small} {value} - {head} ELSE 0e0 END)"


def _named(columns: Mapping[str, str]) -> str:
    return ",\n    ".join(f"{expression} AS {name}" for name, expression in columns.items())


def _more(columns: Mapping[str, str]) -> str:
    return f",\n    {_named(columns)}" if columns else ""
