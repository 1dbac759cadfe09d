"""AUC and grouped AUC as one query, which SQLite runs."""

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_book.practice._sql import Query
from metrics_book.practice.exercises import gauc as grouped
from metrics_book.practice.exercises.auc import draw
from metrics_lib import gauc, roc_auc_score

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


def auc_of_table(label: Array, score: Array) -> float:
    kept = np.array([None not in row for row in zip(label, score, strict=True)])
    return float(roc_auc_score(label[kept].astype(int), score[kept].astype(float)))


def gauc_of_table(user_id: Array, label: Array, score: Array) -> float:
    kept = np.array([None not in row for row in zip(label, score, strict=True)])
    return float(gauc(label[kept].astype(int), score[kept].astype(float), user_id[kept]))


def some_missing(rng: np.random.Generator, *columns: Array) -> tuple[Array, ...]:
    found = [column.astype(object) for column in columns]
    for column in found:
        column[rng.random(len(column)) < 0.1] = None
    return tuple(found)


def draw_rows(rng: np.random.Generator, n: int) -> tuple[Array, ...]:
    return some_missing(rng, *draw(rng, n))


def draw_users(rng: np.random.Generator, n: int) -> tuple[Array, ...]:
    label, score, user = grouped.draw(rng, n)
    return user, *some_missing(rng, label, score)


NOT_NULL = "WHERE label IS NOT NULL AND score IS NOT NULL"
SHARE = "(p.score > n.score) + (p.score = n.score) / 2.0"
PAIRS, DIVISOR = "p.label = 1 AND n.label = 0", "(SUM(label) * SUM(1 - label))"
LEAST = "SUM(label) * (SUM(label) + 1) / 2"
SIZES = (200, 800, 3_200)


def of_ranks(part: str, own: str, columns: str, of_user: str) -> dict[str, tuple[str, ...]]:
    """What the rows, ranks and pairs of one user or of all are taken for."""
    mean = f"RANK() OVER ({part}ORDER BY score)\n      + (COUNT(*) OVER (PARTITION BY {own}score) - 1) / 2.0 ->"
    rank = f"mean_rank: {mean} 1.0 *"
    from_above = f"{rank} (SELECT COUNT(*) FROM log AS l {NOT_NULL}{of_user}) + 1 -"
    rows = f"mean_rank: FROM log\n  {NOT_NULL} -> FROM (SELECT {columns}"
    every = f"FROM log AS l WHERE 1{of_user.replace('log.', 'ranked.')}"
    return {
        "a tied pair counts as lost, as by > alone or by 1 / 2, which is 0 in integers; it counts one half.": (
            "/ 2.0 -> / 2",
        ),
        "a tied pair counts as won, as by >= or by a running sum that holds the ties; it counts one half.": (
            "/ 2.0 -> / 1",
        ),
        "tied pairs are left out, of the divisor too; each counts one half.": (
            f" + (p.score = n.score) / 2.0 ->  ;; {PAIRS} -> {PAIRS} AND p.score <> n.score",
        ),
        "the order is reversed: this is 1 - AUC. A pair is won if the positive scores higher.": (
            "p.score > n.score -> p.score < n.score",
        ),
        "each pair is counted both ways, or any two rows make one: join the positives with the negatives.": (
            f"{PAIRS} -> p.label <> n.label",
            f"{PAIRS} -> 1",
            f"{PAIRS} -> p.rowid <> n.rowid",
        ),
        "ROW_NUMBER, or a sum over ROWS, tells equal scores apart by the order in which the rows happen to lie: a "
        "constant score gets anything from 0 to 1.": (
            f"{rank} ROW_NUMBER() OVER ({part}ORDER BY score)",
            f"{from_above} ROW_NUMBER() OVER ({part}ORDER BY score DESC)",
        ),
        "RANK gives equal scores the lowest of their ranks, or counted from above the highest; a tie counts one half "
        "by the mean rank: RANK() + (ties - 1) / 2.0.": (
            f"{rank} RANK() OVER ({part}ORDER BY score)",
            f"{from_above} RANK() OVER ({part}ORDER BY score DESC)",
        ),
        "DENSE_RANK does not skip the ranks that ties take up; the rank sum counts rows.": (
            f"{rank} DENSE_RANK() OVER ({part}ORDER BY score)",
        ),
        "half of the ties is an integer division, which is cut: divide by 2.0.": (
            f"distinct_scores: 2 * SUM(neg) OVER ({part}ORDER BY score) - neg -> 2 * (SUM(neg) OVER ({part}ORDER BY "
            "score) - neg + neg / 2)",
            "mean_rank: - 1) / 2.0 -> - 1) / 2 ;; (SUM(label * mean_rank) -> (1.0 * SUM(label * mean_rank)",
        ),
        "an integer divided by an integer is cut to an integer, here 0 or 1; write 1.0 * before the division.": (
            "distinct_scores: 1.0 * SUM -> SUM",
            f"AVG({SHARE}) -> CAST(AVG({SHARE}) AS INTEGER)",
            "mean_rank: - 1) / 2.0 -> - 1) / 2",
            f"mean_rank: {mean} RANK() OVER ({part}ORDER BY score)",
        ),
        "the rank sum lacks the subtraction of its least value, P (P + 1) / 2 for P positives.": (
            f"mean_rank:  - {LEAST} -> ",
            f"{rank} ROW_NUMBER() OVER ({part}ORDER BY score) ;;  - {LEAST} -> ",
        ),
        "a row whose label is NULL counts as a negative; leave it out: WHERE label IS NOT NULL.": (
            "n.label = 0 -> COALESCE(n.label, 0) = 0",
            f"{rows}, COALESCE(label, 0) AS label, score FROM log WHERE score IS NOT NULL)",
            f"distinct_scores: SUM(1 - label) -> COUNT(*) - SUM(label) ;; {NOT_NULL} -> WHERE score IS NOT NULL",
        ),
        "a row whose label is NULL keeps its place in the order, where a positive beats it; leave it out before ranks "
        "are given.": (f"mean_rank: {NOT_NULL} -> WHERE score IS NOT NULL",),
        "a row whose score is NULL takes part as the lowest, for SQLite sorts NULL first; leave it out: WHERE score IS "
        "NOT NULL.": (f"mean_rank: {NOT_NULL} -> WHERE label IS NOT NULL",),
        "a score of NULL is taken for 0; leave the row out: WHERE score IS NOT NULL.": (
            f"{SHARE} -> {SHARE.replace('p.score', 'COALESCE(p.score, 0)').replace('n.score', 'COALESCE(n.score, 0)')}",
        ),
        "rows with a NULL take part, those without a score as the lowest: leave them out, WHERE label IS NOT NULL AND "
        "score IS NOT NULL.": (
            f"mean_rank: {NOT_NULL} -> ",
            f"{rows}, COALESCE(label, 0) AS label, score FROM log)",
            f"distinct_scores: SUM(1 - label) -> COUNT(*) - SUM(label) ;; {NOT_NULL} -> ",
        ),
        "rows with a NULL take part, and ROW_NUMBER tells equal scores apart by the order of the rows: leave out rows "
        "with a NULL, and give equal scores their mean rank.": (
            f"{rank} ROW_NUMBER() OVER ({part}ORDER BY score) ;; {NOT_NULL} ->  ;; SUM(1 - label) -> (COUNT(*) - SUM("
            "label))",
        ),
        "rows with a NULL count in the divisor, by COUNT(*) or in an ELSE 0; they are in no pair.": (
            f"{SHARE} -> CASE WHEN p.score > n.score THEN 1.0 WHEN p.score = n.score THEN 0.5 ELSE 0.0 END",
            f"mean_rank: {DIVISOR} -> (SUM(label) * (SELECT COUNT(*) - SUM(label) {every}))",
            f"mean_rank: {DIVISOR} -> (SELECT SUM(label) * SUM(1 - label) {every})",
            f"mean_rank: {DIVISOR} -> (SELECT SUM(label) * (COUNT(*) - SUM(label)) {every})",
        ),
        "a pair with a NULL counts as a tie (ELSE 0.5); it is neither won, lost nor tied, and is left out.": (
            f"{SHARE} -> CASE WHEN p.score > n.score THEN 1.0 WHEN p.score < n.score THEN 0.0 ELSE 0.5 END",
        ),
        "the scores are rounded or put into bins of equal width, where different scores tie; compare the scores "
        "themselves.": tuple(
            f"{SHARE} -> {SHARE.replace('p.score', f'ROUND(p.score, {d})').replace('n.score', f'ROUND(n.score, {d})')}"
            for d in (1, 2, 3, 4)
        ),
    }


def value(text: str) -> tuple[str, ...]:
    """Something made of the whole value, as a query around it."""
    return (f"SELECT AVG({SHARE})\n -> SELECT {text.format(f'AVG({SHARE})')}\n",)


LABEL_AND_SCORE = (
    "label is 0 or 1, and 1 is the positive class; score is a number on any scale, and higher means more likely "
    "positive. Either may be NULL."
)

AUC_SQL = Exercise(
    name="auc_sql",
    title="AUC in SQL (用 SQL 计算 AUC)",
    parameters="label, score",
    task=(
        "The table log has a row for each thing that was scored, in no particular order.",
        LABEL_AND_SCORE,
        "Return one row with one column: the share of pairs of a positive and a negative in which the positive has "
        "the higher score.",
        "Ties: a pair with equal scores counts one half.",
        "NULL: leave out a row whose label or score is NULL.",
        "One class only: the value is 0/0; return NULL.",
    ),
    right=auc_of_table,
    draw=draw_rows,
    sizes=SIZES,
    zero="there is one class only",
    cases=(
        ("four rows", ([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), "Three of the four pairs are in the right order."),
        ("equal scores", ([1, 1, 1, 0, 0], [0.8, 0.6, 0.6, 0.6, 0.4]), "Two of the six pairs tie: one half each."),
        ("the same rows in another order", ([0, 0, 1, 1, 1], [0.4, 0.6, 0.6, 0.6, 0.8]), "A table has no order."),
        ("a constant score, positives first", ([1, 1, 0, 0, 0], [0.3] * 5), "Every pair ties."),
        ("a constant score, negatives first", ([0, 0, 0, 1, 1], [0.3] * 5), "The same rows: every pair ties."),
        ("worse than chance", ([1, 0, 1, 0, 0], [0.1, 0.9, 0.4, 0.3, 0.6]), "Turned over, it hides a broken model."),
        ("close scores", ([0, 1, 0, 1], [0.70001, 0.70002, 0.70003, 0.70004]), "Nearly equal is not equal."),
        ("a label is missing", ([1, None, 0, 1, None, 0], [0.9, 0.35, 0.4, 0.3, 0.8, 0.1]), "It is not a negative."),
        (
            "a score is missing, of logits",
            ([0, 1, 1, 0, 1, 0], [-2.0, -1.0, None, 1.5, 3.0, None]),
            "A row without a score is in no pair; it is neither the lowest nor 0.",
        ),
        ("one class only", ([1, 1, 1], [0.2, 0.5, 0.9]), "Without a negative there is no pair."),
        ("the other class only", ([0, 1, 0], [0.2, None, 0.9]), "The one positive has no score: there is no pair."),
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
            Query("auc_by_join", "label, score", AUC_BY_JOIN),
            "Join every positive with every negative: the definition itself. A NULL makes the comparison NULL, and "
            "AVG leaves it out.",
            "O(P N) time for P positives and N negatives",
            "a million rows make up to a quarter of a trillion pairs",
        ),
        Approach(
            Query("auc_by_mean_rank", "label, score", AUC_BY_MEAN_RANK),
            "The Mann-Whitney statistic: RANK and half the number of other ties is the mean rank; the sum of the "
            "positives' ranks less its least value, over the pairs.",
            "O(n log n) time: one sort",
            "one window holds all rows, and on a cluster one task does all the work",
        ),
        Approach(
            Query("auc_by_distinct_scores", "label, score", AUC_BY_DISTINCT_SCORES),
            "Count both classes for each score, then let a running sum count the negatives below: what a long table "
            "needs.",
            "O(n log n) time; the window has a row for each different score",
            "where all scores differ nothing is saved: sum within buckets of the score first, then over the buckets",
        ),
    ),
    mistakes={
        **of_ranks("", "", "1", ""),
        "this is 2 AUC - 1: lost pairs count -1 here, and tied ones 0.": value("2 * {} - 1"),
        "a value below one half is turned over; worse than chance must stay below.": value("MAX({0}, 1 - {0})"),
    },
)

ONE_CLASS = "\nWHERE auc IS NOT NULL"
MEAN, WEIGHT = "SUM(n * auc) / SUM(n)", "COUNT(*) AS n"


def users(mean: str, where: str = ONE_CLASS) -> str:
    """Another mean of the users."""
    return f"mean_rank: {MEAN} -> {mean}" + ("" if where else f" ;; {ONE_CLASS} -> ")


GAUC_SQL = Exercise(
    name="gauc_sql",
    title="grouped AUC in SQL (用 SQL 计算分组 AUC)",
    parameters="user_id, label, score",
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
    right=gauc_of_table,
    draw=draw_users,
    sizes=SIZES,
    zero="no user has both classes",
    cases=(
        (
            "two users",
            ([1, 1, 2, 2, 2, 2, 2], [1, 0, 1, 0, 0, 0, 1], [0.2, 0.9, 0.8, 0.3, 0.5, 0.1, 0.4]),
            "Each user's AUC is weighted by the number of rows.",
        ),
        (
            "scores on another level",
            ([1, 2, 1, 2], [1, 1, 0, 0], [0.2002, 0.9002, 0.2001, 0.9001]),
            "One user's scores are never compared with another's.",
        ),
        (
            "a user without clicks",
            ([1, 1, 1, 2, 2, 3, 3], [1, 0, 0, 0, 0, 1, 0], [0.7, 0.6, 0.5, 0.9, 0.8, 0.3, 0.4]),
            "No pair, no AUC: the rows of this user must not weigh either.",
        ),
        ("a user with clicks only", ([1, 1, 1, 2, 2], [1, 0, 0, 1, 1], [0.5, 0.6, 0.4, 0.9, 0.8]), "Also one class."),
        (
            "worse than chance",
            ([1, 1, 1, 2, 2, 2, 2], [1, 0, 0, 1, 0, 1, 0], [0.1, 0.5, 0.9, 0.2, 0.8, 0.6, 0.4]),
            "Both users' clicks are too low; the value must stay below one half.",
        ),
        (
            "equal scores",
            ([1, 1, 1, 2, 2, 2], [1, 0, 0, 1, 0, 1], [0.5, 0.5, 0.2, 0.7, 0.7, 0.9]),
            "A tie counts one half; here the positive comes first.",
        ),
        (
            "the same rows in another order",
            ([2, 1, 2, 1, 2, 1], [0, 0, 1, 0, 1, 1], [0.7, 0.5, 0.9, 0.2, 0.7, 0.5]),
            "A table has no order; it must not change the value.",
        ),
        (
            "one score for two users",
            ([1, 2, 1, 2, 2], [1, 0, 0, 1, 0], [0.5, 0.5, 0.3, 0.9, 0.3]),
            "A pair of two users does not tie: there is no such pair.",
        ),
        (
            "labels are missing",
            (["a", "b", "a", "b", "a", "b", "c", "c"], [1, 1, 0, 0, None, 0, 1, None], [3, 1, 4, 2, 1, 0.5, 2, 1.0]),
            "A row without a label is not a negative, and does not weigh.",
        ),
        (
            "scores are missing, of logits",
            (
                [1, 1, 1, 1, 2, 2, 2, 3, 3],
                [1, 0, 0, None, 0, 1, 0, 1, 0],
                [-1.0, -2.0, None, 4.0, 2.0, 1.5, 0.5, 1.0, None],
            ),
            "A row without a score is in no pair, and does not weigh.",
        ),
        (
            "no user with both classes",
            ([1, 1, 2, 2], [1, 0, 0, 0], [0.9, None, 0.3, 0.8]),
            "The one negative of the first user has no score: nothing is left to average.",
        ),
    ),
    hints=(
        "The AUC of each user first: user_id belongs into each PARTITION BY, GROUP BY and join.",
        "A user of one class has no pair, and x / 0 is NULL in SQLite: keep the users WHERE auc IS NOT NULL.",
        "Then SUM(n * auc) / SUM(n) over the users that are kept, where n counts the rows with a label and a score.",
    ),
    approaches=(
        Approach(
            Query("gauc_by_join", "user_id, label, score", GAUC_BY_JOIN),
            "Join the positives and the negatives of each user; the weights come from a count of their own.",
            "O(n log n) to find the rows of a user, then the sum of P N over the users",
            "slow for a user with many rows of both classes, such as a crawler",
        ),
        Approach(
            Query("gauc_by_mean_rank", "user_id, label, score", GAUC_BY_MEAN_RANK),
            "The mean rank within each user, and the rank sum of the positives over the pairs.",
            "O(n log n) time: one sort by user and score",
            "a user_id is forgotten in one of two windows",
        ),
        Approach(
            Query("gauc_by_distinct_scores", "user_id, label, score", GAUC_BY_DISTINCT_SCORES),
            "Count both classes for each user and score, then let a running sum count the negatives below: integers "
            "up to the one division.",
            "O(n log n) time; the window has a row for each different score of a user",
            "a user of most rows is still the work of one task",
        ),
    ),
    mistakes={
        **of_ranks("PARTITION BY user_id ", "user_id, ", "user_id", " AND l.user_id = log.user_id"),
        "the windows lack PARTITION BY user_id: the scores of all users are ranked together.": (
            "mean_rank: PARTITION BY user_id ORDER -> ORDER ;; PARTITION BY user_id, score -> PARTITION BY score",
        ),
        "ties are counted over all users: PARTITION BY score lacks user_id.": (
            "mean_rank: PARTITION BY user_id, score -> PARTITION BY score",
        ),
        "the rank, or the running sum, goes over all users, and only the ties are those of one: its window lacks "
        "PARTITION BY user_id.": (
            "mean_rank: PARTITION BY user_id ORDER -> ORDER",
            "distinct_scores: PARTITION BY user_id ORDER -> ORDER",
        ),
        "this is the AUC of all rows together: it compares the scores of different users.": (
            f"{GAUC_BY_JOIN} -> {AUC_BY_JOIN}",
        ),
        "the mean of the users is not weighted, as by AVG; each user weighs as many as it has rows.": (
            users("AVG(auc)"),
        ),
        "the weights count rows with a NULL: COUNT(*) counts rows, whatever is in them.": tuple(
            f"  {NOT_NULL}\n  GROUP BY user_id) -> {where}\n  GROUP BY user_id)"
            for where in ("", "  WHERE label IS NOT NULL", "  WHERE score IS NOT NULL")
        ),
        "the users weigh by their clicks; the task asks for the number of rows.": (
            f"mean_rank: {WEIGHT} -> SUM(label) AS n",
        ),
        "the users weigh by their pairs of a positive and a negative, so that long logs weigh quadratically.": (
            f"mean_rank: {WEIGHT} -> SUM(label) * SUM(1 - label) AS n",
        ),
        "users of one class count 0, for their rows weigh; leave them out, WHERE auc IS NOT NULL.": (
            users("SUM(n * COALESCE(auc, 0)) / SUM(n)", ""),
        ),
        "users of one class count one half, for their rows weigh; leave them out, WHERE auc IS NOT NULL.": (
            users("SUM(n * COALESCE(auc, 0.5)) / SUM(n)", ""),
        ),
    },
)
