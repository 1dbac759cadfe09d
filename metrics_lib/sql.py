r"""Metrics as SQL text, for tables that do not fit an array: the engine that holds them computes the value.

Nothing is installed and nothing is run here: each function returns one query, and the same text is right on SQLite,
DuckDB, Spark and DataFusion, where it gives the value of the function of the same name in ``metrics_lib``.

>>> import sqlite3
>>> from metrics_lib import sql
>>> log = sqlite3.connect(":memory:")
>>> _ = log.execute("CREATE TABLE log (label, score)")
>>> _ = log.executemany("INSERT INTO log VALUES (?, ?)", [(0, 0.1), (0, 0.4), (1, 0.35), (1, 0.8), (1, None)])
>>> log.execute(sql.roc_auc_score("log")).fetchone()
(0.75, 2, 2, 1)

The queries are derived in the lesson "a billion rows".

The last column is ``left_out``, the number of rows that the value knows nothing of, and should be 0: those with a
value that is missing (NULL, NaN), infinite or (in SQLite) text, a label that the metric does not take, a weight below
0. What NumPy refuses a query can only count. A value that is 0/0 is NULL, and a sum beyond the floats is infinite.

``by="day"`` gives a row for each day; a query may be extended (``text + " ORDER BY day"``) or be a subquery.
Names of tables and columns are plain identifiers, with dots where a schema or a struct stands before them; a name that
has other characters, that the query uses itself, or that is a value of SQL (``by="current_date"``), is refused. Whether
a column exists is for the engine to say.

Where many rows have the same score and label, the query of `counts` merges them, and the functions of ``metrics_lib``
take its rows with ``sample_weight=``.

Some builds of SQLite lack ``LN``, ``EXP``, ``POWER``, ``SQRT`` and ``FLOOR``; Python has them:

>>> import math
>>> for name, function in {"LN": math.log, "EXP": math.exp, "SQRT": math.sqrt, "FLOOR": math.floor}.items():
...     log.create_function(name, 1, lambda x, f=function: None if x is None else f(x), deterministic=True)
>>> log.create_function("POWER", 2, lambda x, y: None if y is None else math.pow(x, y), deterministic=True)
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import Any, Literal

from metrics_lib._arrays import as_count, invalid, one_of, precision_share
from metrics_lib.lists import _parsed

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

# How the texts are written. 1e0, as 1.0 is a DECIMAL in Spark, and before each division, as 1 / 2 of integers is 0 in
# some engines. Pairs are counted in integers, and about in floats, as DataFusion wraps integers. Engines add floats one
# after the other, so long sums have two levels, and each number two halves (`_sum`).
# A row that is no good has a NULL for its y, which no sum counts.
_CHECKED = """WITH checked AS (
  SELECT $columns,
    CASE WHEN $sound THEN $y END AS y,
    CASE WHEN $sound THEN 0 ELSE 1 END AS left_out
  FROM $table AS t),
"""
_LOSS = """losses AS (
  SELECT ${by}part, left_out, CASE WHEN y IS NOT NULL THEN w * $loss END AS loss,
    CASE WHEN y IS NOT NULL THEN $weight END AS weight
  FROM checked),
parts AS (
  SELECT ${by}part, $total AS total, $weights AS weight, SUM(left_out) AS left_out
  FROM losses GROUP BY ${by}part)
SELECT ${by}$mean AS value, SUM(left_out) AS left_out
FROM parts $group_by"""
_MEAN = "SUM(total) / NULLIF(1e0 * SUM(weight), 0)"
_PER_SCORE = """per_score AS (
  SELECT ${by_key}s, SUM(CASE WHEN y = 1 THEN w ELSE 0 END) AS pos, SUM(CASE WHEN y = 0 THEN w ELSE 0 END) AS neg,
    SUM(left_out) AS left_out
  FROM checked GROUP BY ${by_key}s),
"""
_WON = """beaten AS (
  SELECT ${by_key}pos, neg, left_out,
    2 * SUM(neg) OVER ($partition_key ORDER BY s ROWS UNBOUNDED PRECEDING) - neg AS below
  FROM per_score),
within AS (
  SELECT ${by_key}SUM(pos * below) AS won, SUM(1e0 * pos * below) AS about, SUM(pos) AS pos, SUM(neg) AS neg,
    SUM(left_out) AS left_out
  FROM beaten $group_by_key)"""
_BETWEEN = """,
between_buckets AS (
  SELECT ${by}won, about, pos, neg, left_out,
    2 * (SUM(neg) OVER ($partition ORDER BY bucket ROWS UNBOUNDED PRECEDING) - neg) AS below
  FROM within),
total AS (
  SELECT ${by}SUM(won + pos * below) AS won, SUM(about + 1e0 * pos * below) AS about, SUM(pos) AS pos, SUM(neg) AS neg,
    SUM(left_out) AS left_out
  FROM between_buckets $group_by)"""
_AUC = """
SELECT ${by}CASE WHEN ABS(won - about) <= 1e-6 * about THEN won / NULLIF(2e0 * pos * neg, 0) END AS value,
  pos AS positives, neg AS negatives, left_out
FROM $last"""
_BOUNDS = """within AS (
  SELECT ${by_key}SUM(CASE WHEN y = 1 THEN w ELSE 0 END) AS pos, SUM(CASE WHEN y = 0 THEN w ELSE 0 END) AS neg,
    SUM(left_out) AS left_out
  FROM checked $group_by_key),
between_buckets AS (
  SELECT ${by}pos, neg, left_out, SUM(neg) OVER ($partition ORDER BY bucket ROWS UNBOUNDED PRECEDING) AS below
  FROM within)
SELECT ${by}SUM(1e0 * pos * (below - neg)) / NULLIF(1e0 * SUM(pos) * SUM(neg), 0) AS low,
  SUM(1e0 * pos * (2 * below - neg)) / NULLIF(2e0 * SUM(pos) * SUM(neg), 0) AS value,
  SUM(1e0 * pos * below) / NULLIF(1e0 * SUM(pos) * SUM(neg), 0) AS high, SUM(left_out) AS left_out
FROM between_buckets $group_by"""
_GAUC = """WITH of_groups AS (
$auc),
shares AS (
  SELECT ${by}left_out, value, CASE WHEN value IS NOT NULL THEN $weight END AS weight, $weight * value AS share
  FROM of_groups)
SELECT ${by}($sum) / NULLIF(1e0 * SUM(weight), 0) AS value, COUNT(value) AS kept, COUNT(*) - COUNT(value) AS dropped,
  SUM(left_out) AS left_out
FROM shares $group_by"""
_AP = """above AS (
  SELECT ${by}s, pos, neg, left_out, SUM(pos) OVER down AS tp, SUM(neg) OVER down AS fp
  FROM per_score WINDOW down AS ($partition ORDER BY s DESC ROWS UNBOUNDED PRECEDING)),
steps AS (
  SELECT ${by}$part AS part, pos, neg, left_out, pos * (1e0 * tp / NULLIF(tp + fp, 0)) AS area FROM above),
parts AS (
  SELECT ${by}part, $area AS area, SUM(pos) AS pos, SUM(neg) AS neg, SUM(left_out) AS left_out
  FROM steps GROUP BY ${by}part)
SELECT ${by}CASE WHEN SUM(pos) > 0 THEN SUM(area) / (1e0 * SUM(pos)) WHEN SUM(neg) > 0 THEN 0e0 END AS value,
  SUM(pos) AS positives, SUM(left_out) AS left_out
FROM parts $group_by"""
_CELLS = """cells AS (
  SELECT ${by}y, x, SUM(CASE WHEN y IS NOT NULL THEN w ELSE 0 END) AS n, SUM(left_out) AS left_out
  FROM checked GROUP BY ${by}y, x)"""
_COUNTS = """
SELECT ${by}y AS y_true, x AS $other, n, left_out FROM cells"""
_F1 = """,
sides AS (
  SELECT ${by}y AS class, CASE WHEN y = x THEN n ELSE 0 END AS tp, n, n AS support, left_out FROM cells
  UNION ALL
  SELECT ${by}x AS class, CASE WHEN y = x THEN n ELSE 0 END AS tp, n, 0 AS support, 0 AS left_out
  FROM cells WHERE y IS NOT NULL),
of_class AS (
  SELECT ${by}class, SUM(tp) AS tp, SUM(n) AS n, COALESCE(1e0 * SUM(tp) / NULLIF(SUM(n), 0), 0e0) AS f1,
    SUM(support) AS support, SUM(left_out) AS left_out
  FROM sides GROUP BY ${by}class)
SELECT ${by}CASE WHEN SUM(n) > 0 THEN $average END AS value, SUM(left_out) AS left_out
FROM of_class $group_by"""
# The first row of a list says how long it is. Of the others a grade of 0 adds nothing to any measure, and only the rest
# go on; of a list with negative grades all do, as its ideal order has the zeros before them.
_LISTS = """placed AS (
  SELECT ${by}query, left_out, y AS grade, ROW_NUMBER() OVER down AS place, COUNT(*) OVER whole AS n_rows$of_lists
  FROM checked
  WINDOW whole AS (PARTITION BY ${by}query, left_out),
    down AS (PARTITION BY ${by}query, left_out ORDER BY s DESC, item DESC)),
graded AS (
  SELECT *$of_rows
  FROM placed WHERE place = 1 OR $kept),
ranked AS (
  SELECT *$running
  FROM graded
  WINDOW whole AS (PARTITION BY ${by}query, left_out),
    down AS (PARTITION BY ${by}query, left_out ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
    ideal AS (PARTITION BY ${by}query, left_out ORDER BY grade DESC))
SELECT ${by}query,
    $measures,
  MAX(n_rows * (1 - left_out)) AS items, MAX(n_rows * left_out) AS left_out
FROM ranked GROUP BY ${by}query"""
_MEANS = """WITH of_query AS (
$lists)
SELECT ${by}$means,
  SUM(CASE WHEN items > 0 THEN 1 ELSE 0 END) AS queries, SUM(left_out) AS left_out
FROM of_query $group_by"""

_IDENTIFIER = re.compile(r"[A-Za-z_][\w.]*", re.ASCII)
_CONSTANTS = {"true", "false", "null", "current_date", "current_time", "current_timestamp"}
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
    size = f"CASE WHEN ABS(y) < {_number(_EPS)} THEN {_number(_EPS)} ELSE ABS(y) END"
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
    loss = f"CASE WHEN y >= s THEN {_number(alpha)} * (y - s) ELSE {_number(1 - alpha)} * (s - y) END"
    return _loss(table, loss, y_true, y_score, sample_weight, by)


def log_loss(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
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
    least, most = _number(_EPS), _number(1 - _EPS)
    loss = f"-LN(CASE WHEN s < {least} THEN {least} WHEN s > {most} THEN {most} ELSE s END)"
    sound = f"{label} IN (0, 1) AND +{score} BETWEEN 0 AND 1"
    columns = {"s": f"CASE WHEN {label} = 1 THEN 1e0 * {score} ELSE 1 - 1e0 * {score} END", "part": _part(score)}
    return _fill(_CHECKED + _LOSS, table, by, sample_weight, _zero_or_one(label), sound, columns, **_sums(loss))


def roc_auc_score(
    table: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
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
    Derived in the lesson "a billion rows".

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
    if buckets is None:
        template = _CHECKED + _PER_SCORE + _WON + _AUC
        return _of_labels(template, table, y_true, y_score, sample_weight, by, last="within")
    bucket = _bucket(_column(y_score, "y_score"), as_count(buckets, "buckets"))
    template = _CHECKED + _PER_SCORE + _WON + _BETWEEN + _AUC
    return _of_labels(template, table, y_true, y_score, sample_weight, by, bucket, last="total")


def roc_auc_bounds(
    table: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    bins: int = 10_000,
    by: By = (),
) -> str:
    """Query for bounds of the AUC from a histogram: one pass, and no window over scores.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
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

    Notes
    -----
    Derived in the lesson "a billion rows".

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
    bucket = _bucket(_column(y_score, "y_score"), as_count(bins, "bins"))
    return _of_labels(_CHECKED + _BOUNDS, table, y_true, y_score, sample_weight, by, bucket)


def average_precision_score(
    table: str, *, y_true: str = "label", y_score: str = "score", sample_weight: str | None = None, by: By = ()
) -> str:
    """Query for average precision: the area under the stepwise precision-recall curve.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
        As in `roc_auc_score`.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``positives``, ``left_out``; the value is 0 without a positive, as in NumPy's
        function.

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
    template = _CHECKED + _PER_SCORE + _AP
    sums = {"part": _part("s"), "area": _sum("area")}
    return _of_labels(template, table, y_true, y_score, sample_weight, by, **sums)


def gauc(
    table: str,
    groups: str,
    *,
    y_true: str = "label",
    y_score: str = "score",
    sample_weight: str | None = None,
    weights: Literal["impressions", "clicks", "uniform"] = "impressions",
    by: By = (),
) -> str:
    """Query for the mean of the groups' AUCs (GAUC); groups of one class are dropped.

    Parameters
    ----------
    table, y_true, y_score, sample_weight, by
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

    Notes
    -----
    The metric is derived in the lesson "grouped AUC", the query in the lesson "a billion rows".

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
    group = f" AND {_column(groups, 'groups')} IS NOT NULL"
    slices = [by] if isinstance(by, str) else list(by)
    template = _CHECKED + _PER_SCORE + _WON + _AUC
    auc = _of_labels(template, table, y_true, y_score, sample_weight, [*slices, groups], group=group, last="within")
    return _fill(_GAUC, table, slices, auc=auc, weight=weight, sum=_sum("share"))


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
    return _of_classes(
        _CHECKED + _CELLS + _COUNTS, table, y_true, y_pred, sample_weight, by, "{0} IS NOT NULL", other="y_pred"
    )


def f1_score(
    table: str,
    *,
    y_true: str = "label",
    y_pred: str = "prediction",
    sample_weight: str | None = None,
    pos_label: int | str = 1,
    average: Literal["binary", "macro", "micro", "weighted"] = "binary",
    by: By = (),
) -> str:
    """Query for F1, the harmonic mean of precision and recall.

    Parameters
    ----------
    table, y_true, y_pred, sample_weight, by
        As in `confusion_matrix`.
    pos_label : int or str, default=1
        For ``average='binary'``: the positive label, a whole number or a word of letters, digits, spaces, ``_`` and
        ``-``.
    average : {'binary', 'macro', 'micro', 'weighted'}, default='binary'
        F1 of the positive label; the plain mean over the labels; F1 of the counts of all labels together; the mean
        weighted by the number of true labels.

    Returns
    -------
    str
        A query for ``by``, ``value``, ``left_out``; F1 of a label that is neither true nor predicted is 0.

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
    (0.6666666666666666, 0)
    """
    one_of(average, "average", ("binary", "macro", "micro", "weighted"))
    averages = {
        "binary": f"COALESCE(MAX(CASE WHEN class = {_label(pos_label)} THEN f1 END), 0e0)",
        "macro": "AVG(CASE WHEN class IS NOT NULL THEN f1 END)",
        "micro": "1e0 * SUM(tp) / NULLIF(SUM(n), 0)",
        "weighted": "SUM(f1 * support) / NULLIF(1e0 * SUM(support), 0)",
    }
    template = _CHECKED + _CELLS + _F1.replace("$average", averages[average])
    return _of_classes(template, table, y_true, y_pred, sample_weight, by, "{0} IS NOT NULL")


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

    Notes
    -----
    Used in the lesson "a billion rows".

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
    return _of_classes(
        _CHECKED + _CELLS + _COUNTS, table, y_true, y_score, sample_weight, by, _finite("{0}"), other="y_score"
    )


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
        Names such as ``'nDCG@10'``, as in `metrics_lib.lists.evaluate`.
    query, item : str
        The columns of queries (users) and of items. A list falls by score, and items of equal score by their names.
    y_true : str, default='label'
        The column of grades.
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
        the list, and ``left_out``. A measure that is 0/0 is NULL; ``COALESCE(ap, 0)`` is what trec_eval takes.
        With ``mean=True`` a query for ``by``, the means of those that have a value, the number of those that have
        none (``ndcg_at_10_undefined``), ``queries`` and ``left_out``.

    Raises
    ------
    ValueError
        If a measure is unknown (the error lists those that are known), an option of it is, one is named twice, or a
        name is no plain identifier.

    Notes
    -----
    Ideal lists and numbers of relevant items are those of the table, as in `metrics_lib.lists.evaluate` without
    ``judged``. An item stands once in a list.
    Used in the lesson "a billion rows".

    Examples
    --------
    >>> import sqlite3
    >>> log = sqlite3.connect(":memory:")
    >>> _ = log.execute("CREATE TABLE log (query, item, label, score)")
    >>> rows = [("u1", "a", 1, 0.9), ("u1", "b", 0, 0.4), ("u1", "d", 1, 0.7), ("u2", "a", 1, 0.3), ("u2", "c", 0, 0.8)]
    >>> _ = log.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
    >>> log.execute(evaluate("log", ["P@5", "AP"])).fetchall()
    [('u1', 0.4, 1.0, 3, 0), ('u2', 0.2, 0.5, 2, 0)]
    >>> means = log.execute(evaluate("log", ["RR", "AP"], mean=True))
    >>> [column[0] for column in means.description], means.fetchone()
    (['rr', 'ap', 'ap_undefined', 'queries', 'left_out'], (0.75, 0.75, 0, 2, 0))
    """
    names = [measures] if isinstance(measures, str) else list(measures)
    rows, undefined = _Rows(), []
    columns: dict[str, str] = {}
    for text in names:
        measure, options, k = _parsed(text)
        if measure.name == "Judged":
            raise invalid("measures", "one of graded rows, as a row without a grade is left out", repr(text))
        others = {option: value for option, value in options.items() if option != "rel"}
        measure.function([[0]], *([] if measure.cut == "none" else [k]), **others)  # refuses values out of range
        column = re.sub(r"\W+", "_", text.replace("@", " at ").lower()).strip("_")
        if column in columns:
            raise invalid("measures", "each measure once", repr(text))
        columns[column] = _measure(measure.name, k, options, rows)
        if measure.may_be_undefined:
            undefined.append(column)
    if not names:
        raise invalid("measures", "at least one name", repr(measures))
    listed, member = _column(query, "query"), _column(item, "item")
    grade, score = _column(y_true, "y_true"), _column(y_score, "y_score")
    sound = f"{listed} IS NOT NULL AND {member} IS NOT NULL AND {_finite(grade)} AND {_finite(score)}"
    if rows.top is not None:
        sound += f" AND {grade} BETWEEN 0 AND {_number(rows.top)}"
    template = (
        (_CHECKED + _LISTS)
        .replace("$of_lists", _more(rows.of_lists))
        .replace("$of_rows", _more(rows.of_rows))
        .replace("$kept", rows.kept)
        .replace("$running", _more(rows.running))
        .replace("$measures", _named(columns))
    )
    y, place = f"1e0 * {grade}", {"query": listed, "item": member, "s": score}
    lists = _fill(template, table, by, None, y, sound, place)
    if not mean:
        return lists
    means = {column: f"({_sum(column)}) / NULLIF(COUNT({column}), 0)" for column in columns}
    means |= {f"{c}_undefined": f"SUM(CASE WHEN items > 0 AND {c} IS NULL THEN 1 ELSE 0 END)" for c in undefined}
    return _fill(_MEANS.replace("$means", _named(means)), table, by, lists=lists)


@dataclass
class _Rows:
    """What measures need of a list, of each row, of the rows above it; which rows are kept; and the highest grade."""

    of_lists: dict[str, str] = field(default_factory=dict)
    of_rows: dict[str, str] = field(default_factory=dict)
    running: dict[str, str] = field(default_factory=dict)
    kept: str = "grade <> 0"
    top: float | None = None


def _measure(name: str, k: int | None, options: dict[str, Any], rows: _Rows) -> str:
    """The aggregate of a query's rows that is the measure."""

    def top(value: str) -> str:
        return value if k is None else f"CASE WHEN place <= {k} THEN {value} END"

    if name in ("DCG", "nDCG"):
        gain = "grade" if options.get("gain", "linear") == "linear" else "(POWER(2e0, grade) - 1)"
        if name == "DCG":
            return f"LN(2e0) * SUM({top(f'{gain} / LN(place + 1e0)')})"
        rows.of_lists["lowest"], rows.kept = "MIN(y) OVER whole", "grade <> 0 OR lowest < 0"
        rows.running["ideal_place"] = "ROW_NUMBER() OVER ideal"
        attained = top(f"{gain} / LN(place + 1e0)")
        ideal = f"SUM({attained.replace('place', 'ideal_place')})"
        return f"SUM({attained}) / CASE WHEN {ideal} > 0 THEN {ideal} END"
    if name == "ERR":
        best = options["max_grade"]
        if best > 52:  # 1 less the chance to satisfy would be 0, which has no logarithm
            raise invalid("measures", "ERR with a max_grade of at most 52", f"{best:g}")
        rows.top = best if rows.top is None else min(best, rows.top)
        satisfied, missed = _suffixed("satisfied", best), _suffixed("missed", best)
        rows.of_rows[satisfied] = f"(POWER(2e0, grade) - 1) / {_number(2.0**best)}"
        rows.running[missed] = f"EXP(SUM(LN(1 - {satisfied})) OVER down)"
        # The product goes down to the place itself, whose own factor is taken out again.
        return f"SUM({top(f'{satisfied} * {missed} / (1 - {satisfied}) / place')})"

    level = options.get("rel")
    rel, hits = _suffixed("rel", level), _suffixed("hits", level)
    good = "grade > 0" if level is None else f"grade >= {_number(level)}"
    rows.of_rows[rel] = f"CASE WHEN {good} THEN 1 WHEN grade IS NOT NULL THEN 0 END"
    found, total = f"SUM({top(rel)})", f"SUM({rel})"
    if name == "P":
        return f"1e0 * {found} / {k}"
    if name == "R":
        return f"1e0 * {found} / NULLIF({total}, 0)"
    if name == "F":
        share = precision_share(options.get("beta", 1.0))
        return f"{found} / CASE WHEN {total} > 0 THEN {_number(share)} * {k} + {_number(1 - share)} * {total} END"
    if name == "Success":
        return f"1e0 * MAX({top(rel)})"
    if name == "RR":
        return f"MAX({top(f'1e0 * {rel} / place')})"
    if name == "RBP":
        p = options.get("p", 0.8)
        return f"{_number(1 - p)} * SUM({top(f'{rel} * POWER({_number(p)}, place - 1)')})"
    if name == "Rprec":
        relevant = _suffixed("relevant", level)
        rows.running[relevant] = f"SUM({rel}) OVER whole"
        return f"1e0 * SUM(CASE WHEN place <= {relevant} THEN {rel} END) / NULLIF({total}, 0)"
    assert name == "AP", name
    rows.running[hits] = f"SUM({rel}) OVER down"
    length = "MAX(n_rows * (1 - left_out))" if k is None else str(k)
    divisor = {
        "relevant": total,
        "min": f"CASE WHEN {total} < {length} THEN {total} ELSE {length} END",
        "hits": f"NULLIF({found}, 0)",
        "k": length,
    }[options.get("denominator", "relevant")]
    return f"SUM({top(f'1e0 * {rel} * {hits} / place')}) / CASE WHEN {total} > 0 THEN {divisor} END"


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
    columns = {"s": f"1e0 * {score}", "part": _part(f"(1e0 * {true} + {score})")}
    sound = f"{_finite(true)} AND {_finite(score)}"
    sums = _sums(loss, weight, mean)
    return _fill(_CHECKED + _LOSS, table, by, sample_weight, f"1e0 * {true}", sound, columns, **sums)


def _sums(loss: str, weight: str = "w", mean: str = _MEAN) -> dict[str, str]:
    return {"loss": loss, "weight": weight, "mean": mean, "total": _sum("loss"), "weights": _sum("weight")}


def _of_labels(
    template: str,
    table: str,
    y_true: str,
    y_score: str,
    sample_weight: str | None,
    by: By,
    bucket: str = "",
    *,
    group: str = "",
    **values: str,
) -> str:
    """A query of labels 0 and 1 and scores, which may be cut into buckets."""
    label, score = _column(y_true, "y_true"), _column(y_score, "y_score")
    sound = f"{label} IN (0, 1) AND {_finite(score)}" + group
    columns = {"bucket": bucket, "s": score} if bucket else {"s": score}
    return _fill(template, table, by, sample_weight, _zero_or_one(label), sound, columns, **values)


def _of_classes(
    template: str, table: str, y_true: str, second: str, sample_weight: str | None, by: By, sound: str, **values: str
) -> str:
    """A query of the pairs of two columns that occur; ``sound`` is what is asked of each of the two."""
    y, x = _column(y_true, "y_true"), _column(second, values.get("other", "y_pred"))
    both = f"{sound.format(y)} AND {sound.format(x)}"
    return _fill(template, table, by, sample_weight, y, both, {"x": x}, **values)


def _fill(
    template: str,
    table: str,
    by: By,
    sample_weight: str | None = None,
    y: str = "",
    sound: str = "",
    columns: Mapping[str, str] | None = None,
    **values: str,
) -> str:
    """The text of a template, in which no name of the caller's means something else."""
    slices = [by] if isinstance(by, str) else list(by)
    qualified = [_column(column, "by") for column in slices]
    names = [column.rpartition(".")[2] for column in qualified]
    taken = set(re.findall(r"\w+", re.sub(r"\$\w+|\$\{\w+\}", " ", template).lower())) | set(columns or {}) | _CONSTANTS
    for name, argument in [(_identifier(table, "table").rpartition(".")[2], "table"), *((n, "by") for n in names)]:
        if name.lower() in taken or (argument == "by" and [n.lower() for n in names].count(name.lower()) > 1):
            raise invalid(argument, "a name that is not used in the query already", repr(name))
    weight = "1" if sample_weight is None else _column(sample_weight, "sample_weight")
    if sample_weight is not None:
        sound += f" AND {weight} >= 0 AND {_finite(weight)}"
    read = dict(zip(names, qualified, strict=True)) | dict(columns or {})
    if "w" in taken:
        read["w"] = weight
    keys = {"": names, "_key": [*names, *(["bucket"] if "bucket" in read else [])]}
    for suffix, of in keys.items():
        values["by" + suffix] = "".join(f"{name}, " for name in of)
        values["partition" + suffix] = "PARTITION BY " + ", ".join(of) if of else ""
        values["group_by" + suffix] = "GROUP BY " + ", ".join(of) if of else ""
    return Template(template).substitute(values, table=table, y=y, sound=sound, columns=_named(read)).rstrip()


def _identifier(name: object, argument: str) -> str:
    if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
        raise invalid(argument, "a plain identifier: letters, digits, _ and dots", repr(name))
    return name


def _column(name: object, argument: str) -> str:
    """The column of the table, and of nothing else in the query that may have its name."""
    return "t." + _identifier(name, argument)


def _label(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not re.fullmatch(r"[\w -]+", value):
        raise invalid("pos_label", "a whole number, or letters, digits, spaces, _ and -", repr(value))
    return f"'{value}'"


def _number(value: float) -> str:
    """The digits of a float; in Spark those without an exponent are a DECIMAL."""
    digits = repr(float(value))
    return digits if "e" in digits else digits + "e0"


def _zero_or_one(label: str) -> str:
    """A label as a number; in SQLite the text '1' is 1 only where it comes from a column of text."""
    return f"CASE WHEN {label} = 1 THEN 1 ELSE 0 END"


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
    return f"SUM({small} {head} ELSE {value} END) + SUM({small} {value} - {head} ELSE 0e0 END)"


def _bucket(score: str, n: int) -> str:
    return f"CASE WHEN {_finite(score)} THEN FLOOR({score} * {n}e0) END"


def _named(columns: Mapping[str, str]) -> str:
    return ",\n    ".join(f"{expression} AS {name}" for name, expression in columns.items())


def _more(columns: Mapping[str, str]) -> str:
    return f",\n    {_named(columns)}" if columns else ""


def _suffixed(name: str, number: float | None) -> str:
    return name if number is None else f"{name}_" + re.sub(r"\W", "_", repr(float(number)))
