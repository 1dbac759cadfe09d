"""Queries handed in for the exercises in SQL: right ones of many forms, and wrong ones with what is said of them.

Those of AUC read log(label, score), those of GAUC log(user_id, label, score). A wrong one has the words that its name
should contain: several for two mistakes at once, none where the checker knows no name.
"""

from functools import partial

from metrics_book.practice._engine import Exercise
from metrics_book.practice._queries import Query
from metrics_lib import sql


def handed_in(exercise: Exercise, function, change: str = "({})"):
    """What the exercise's own function gives, in the form that a reader hands in: for SQL a text."""
    if exercise.language == "python":
        return function
    if isinstance(function, partial) and function.func is exercise.model:
        return exercise.model.text(**function.keywords)
    if isinstance(function, partial):  # a value in place of 0/0
        return f"SELECT COALESCE(({exercise.model.text()}), {function.args[0]})"
    return "SELECT " + change.format(exercise.model.text())


PAIRS = "log AS p, log AS n WHERE p.label = 1 AND n.label = 0"
SHARE = "AVG((p.score > n.score) + (p.score = n.score) / 2.0)"
KEPT = "WHERE label IS NOT NULL AND score IS NOT NULL"
RANKS = f"""
WITH ranked AS (
  SELECT label, RANK() OVER (ORDER BY score) AS r
  FROM log
  {KEPT})
SELECT 1.0 * (SUM(label * r) - SUM(label) * (SUM(label) + 1) / 2) / (SUM(label) * SUM(1 - label))
FROM ranked"""
GROUPED = f"""
WITH per_score AS (
  SELECT score, SUM(label) AS pos, SUM(1 - label) AS neg
  FROM log
  {KEPT}
  GROUP BY score),
running AS (
  SELECT pos, neg, SUM(neg) OVER (ORDER BY score) - neg AS below
  FROM per_score)
SELECT SUM(pos * (below + neg / 2.0)) / (SUM(pos) * SUM(neg))
FROM running"""
USERS = f"""
WITH ranked AS (
  SELECT user_id, label,
    RANK() OVER (PARTITION BY user_id ORDER BY score)
    + (COUNT(*) OVER (PARTITION BY user_id, score) - 1) / 2.0 AS r
  FROM log
  {KEPT}),
users AS (
  SELECT user_id, COUNT(*) AS rows,
    1.0 * (SUM(label * r) - SUM(label) * (SUM(label) + 1) / 2) / (SUM(label) * SUM(1 - label)) AS auc
  FROM ranked
  GROUP BY user_id)
SELECT SUM(rows * auc) / SUM(rows)
FROM users
WHERE auc IS NOT NULL"""
MEAN, WHERE_AUC = "SUM(rows * auc) / SUM(rows)", "\nWHERE auc IS NOT NULL"
TIES = "\n    + (COUNT(*) OVER (PARTITION BY user_id, score) - 1) / 2.0"
AUCS = f"SELECT p.user_id, {SHARE} AS auc FROM {PAIRS} AND p.user_id = n.user_id GROUP BY 1"

RIGHT = {
    "auc_sql": {
        "a join": f"SELECT {SHARE} FROM {PAIRS}",
        "small letters, comments, semicolon": f"-- AUC\nselect /* share */ {SHARE.lower()} from {PAIRS.lower()};  -- !",
        "values": f"VALUES ((SELECT {SHARE} FROM {PAIRS}))",
        "parentheses": f"SELECT (((SELECT (({SHARE})) FROM {PAIRS})))",
        "CASE with both ways": f"""
            SELECT AVG(CASE WHEN p.score > n.score THEN 1 WHEN p.score < n.score THEN 0
              WHEN p.score = n.score THEN 0.5 END)
            FROM {PAIRS}""",
        "mean rank": RANKS.replace(
            "RANK() OVER (ORDER BY score)",
            """(RANK() OVER (ORDER BY score)
          + COUNT(*) OVER (ORDER BY score)) / 2.0""",
        ),
        "ranks from both ends": RANKS.replace(
            "RANK() OVER (ORDER BY score)",
            """
          (RANK() OVER (ORDER BY score) + 1 + COUNT(*) OVER () - RANK() OVER (ORDER BY score DESC)) / 2.0""",
        ),
        "grouped": GROUPED,
        "a whole 1 where all pairs are won": f"""
            SELECT CASE v WHEN 1 THEN 1 ELSE v END FROM (SELECT {SHARE} AS v FROM {PAIRS})""",
        "nothing but where": f"""
            SELECT (SELECT COUNT(*) FROM {PAIRS} AND p.score > n.score) * 1.0 / c
              + (SELECT COUNT(*) FROM {PAIRS} AND p.score = n.score) / 2.0 / c
            FROM (SELECT COUNT(p.score + n.score) AS c FROM {PAIRS})""",
        "correlated": """
            SELECT SUM((SELECT COUNT(*) FROM log AS n WHERE n.label = 0 AND n.score < p.score)
              + 0.5 * (SELECT COUNT(*) FROM log AS n WHERE n.label = 0 AND n.score = p.score))
              / (COUNT(*) * (SELECT COUNT(score) FROM log WHERE label = 0))
            FROM log AS p
            WHERE p.label = 1 AND p.score IS NOT NULL""",
        "trapezoids": f"""
            WITH points AS (
              SELECT SUM(SUM(label)) OVER down AS tp, SUM(label) AS pos, SUM(1 - label) AS neg
              FROM log {KEPT} GROUP BY score WINDOW down AS (ORDER BY score DESC))
            SELECT SUM(neg * (tp - pos / 2.0)) / (SUM(pos) * SUM(neg)) FROM points""",
        "the library's": f"SELECT value FROM ({sql.roc_auc_score('log')})",
    },
    "gauc_sql": {
        "mean rank": USERS,
        "upper case and a semicolon": USERS.upper() + ";",
        "a join": f"""
            WITH aucs AS ({AUCS})
            SELECT SUM(auc * (SELECT COUNT(*) FROM log {KEPT} AND user_id = aucs.user_id))
              / (SELECT COUNT(*) FROM log JOIN aucs USING (user_id) {KEPT} AND auc IS NOT NULL)
            FROM aucs""",
        "each row votes": f"SELECT AVG(auc) FROM log JOIN ({AUCS}) USING (user_id) {KEPT}",
        "having": USERS.replace("GROUP BY user_id", "GROUP BY user_id\n  HAVING MIN(label) < MAX(label)"),
        "weights of the kept": USERS.replace(
            MEAN, "SUM(rows * auc) / SUM(rows) FILTER (WHERE auc IS NOT NULL)"
        ).replace(WHERE_AUC, ""),
        "grouped": f"""
            WITH per_score AS (
              SELECT user_id, score, SUM(label) AS pos, SUM(label = 0) AS neg
              FROM log {KEPT} GROUP BY 1, 2),
            running AS (
              SELECT user_id, pos, neg, SUM(neg) OVER (PARTITION BY user_id ORDER BY score) - neg / 2.0 AS below
              FROM per_score),
            users AS (
              SELECT SUM(pos * below) / (SUM(pos) * SUM(neg)) AS auc, SUM(pos + neg) AS n FROM running GROUP BY user_id)
            SELECT SUM(auc * n) / SUM(CASE WHEN auc >= 0 THEN n END) FROM users""",
        "the library's": f"SELECT value FROM ({sql.gauc('log', 'user_id')})",
    },
}
WRONG_TEXTS = [
    ("auc_sql", RANKS.replace("RANK", "ROW_NUMBER"), "ROW_NUMBER"),
    (
        "auc_sql",
        RANKS.replace("RANK() OVER (ORDER BY score)", "COUNT(*) OVER () + 1 - ROW_NUMBER() OVER (ORDER BY score DESC)"),
        "ROW_NUMBER",
    ),
    (
        "auc_sql",
        f"""
        WITH t AS (SELECT label, SUM(1 - label) OVER (ORDER BY score ROWS UNBOUNDED PRECEDING) AS below FROM log {KEPT})
        SELECT 1.0 * SUM(label * below) / (SUM(label) * SUM(1 - label)) FROM t""",
        "a sum over ROWS",
    ),
    (
        "auc_sql",
        f"""
        WITH t AS (SELECT label, SUM(1 - label) OVER (ORDER BY score) AS below FROM log {KEPT})
        SELECT 1.0 * SUM(label * below) / (SUM(label) * SUM(1 - label)) FROM t""",
        "counts as won",
    ),
    ("auc_sql", RANKS, "RANK gives equal scores the lowest"),
    ("auc_sql", RANKS.replace("RANK", "DENSE_RANK"), "DENSE_RANK does not skip"),
    ("auc_sql", RANKS.replace("1.0 * ", ""), "an integer divided by an integer"),
    ("auc_sql", RANKS.replace(KEPT, ""), "rows with a NULL take part", "RANK gives equal scores"),
    ("auc_sql", f"SELECT AVG(p.score > n.score) FROM {PAIRS}", "counts as lost"),
    ("auc_sql", f"SELECT AVG(p.score >= n.score) FROM {PAIRS}", "counts as won"),
    ("auc_sql", f"SELECT {SHARE.replace('2.0', '2')} FROM {PAIRS}", "1 / 2, which is 0 in integers"),
    (
        "auc_sql",
        f"SELECT COUNT(CASE WHEN p.score > n.score THEN 1 END) / COUNT(p.score + n.score) FROM {PAIRS}",
        "an integer divided",
    ),
    (
        "auc_sql",
        f"""
        SELECT SUM(CASE WHEN p.score > n.score THEN 1.0 WHEN p.score = n.score THEN 0.5 ELSE 0 END) / COUNT(*)
        FROM {PAIRS}""",
        "COUNT(*) counts rows",
    ),
    (
        "auc_sql",
        f"SELECT AVG(CASE WHEN p.score > n.score THEN 1.0 WHEN p.score < n.score THEN 0 ELSE 0.5 END) FROM {PAIRS}",
        "falls into ELSE",
    ),
    (
        "auc_sql",
        f"SELECT AVG(CASE WHEN p.score > n.score THEN 1.0 WHEN p.score < n.score THEN 0 END) FROM {PAIRS}",
        "tied pairs are left out",
    ),
    ("auc_sql", f"SELECT {SHARE} FROM log AS p, log AS n WHERE p.label <> n.label", "counted both ways"),
    ("auc_sql", f"SELECT {SHARE.replace('>', '<')} FROM {PAIRS}", "the order is reversed"),
    (
        "auc_sql",
        f"SELECT {SHARE} FROM log AS p, log AS n WHERE p.label = 1 AND n.label IS NOT 1",
        "label is NULL counts as a negative",
    ),
    (
        "auc_sql",
        GROUPED.replace("SELECT score", "SELECT ROUND(score, 1) AS score").replace("GROUP BY score)", "GROUP BY 1)"),
        "bins of equal width",
    ),
    ("auc_sql", GROUPED.replace(KEPT, ""), "score is NULL takes part as the lowest"),
    (
        "auc_sql",
        GROUPED.replace("SUM(1 - label)", "COUNT(*) - SUM(label)").replace(KEPT, "WHERE score IS NOT NULL"),
        "label is NULL counts as a negative",
    ),
    (
        "auc_sql",
        GROUPED.replace("SUM(1 - label)", "COUNT(*) - SUM(label)").replace(KEPT, ""),
        "rows with a NULL take part",
    ),
    (
        "auc_sql",
        GROUPED.replace("neg / 2.0", "neg / 2").replace("SELECT SUM(pos * (", "SELECT 1.0 * SUM(pos * ("),
        "half of the ties is an integer division",
    ),
    ("auc_sql", f"SELECT COALESCE({SHARE}, 0) FROM {PAIRS}", "one class only gives 0 here"),
    ("auc_sql", f"SELECT ROUND({SHARE}, 4) FROM {PAIRS}", "rounded"),
    ("auc_sql", f"SELECT 1 - AVG(p.score > n.score) FROM {PAIRS}", "the order is reversed", "counts as won"),
    ("auc_sql", f"SELECT AVG(p.score - n.score) FROM {PAIRS}"),
    ("auc_sql", "SELECT label, score FROM log", "the task asks for one value"),
    ("auc_sql", "SELECT AVG(lable) FROM log", "no such column: lable"),
    ("gauc_sql", USERS.replace("RANK", "ROW_NUMBER").replace(TIES, ""), "ROW_NUMBER"),
    # as a handbook of the trade has it, with the rows of a NULL besides
    (
        "gauc_sql",
        """
        SELECT SUM(auc * n) / SUM(n) FROM (
          SELECT user_id, COUNT(*) AS n,
            (SUM(CASE WHEN label = 1 THEN r ELSE 0 END) - SUM(label) * (SUM(label) + 1) / 2.0)
            / (SUM(label) * (COUNT(*) - SUM(label))) AS auc
          FROM (SELECT user_id, label, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY score) AS r FROM log)
          GROUP BY user_id HAVING SUM(label) BETWEEN 1 AND COUNT(*) - 1)""",
        "ROW_NUMBER",
        "rows with a NULL take part",
    ),
    ("gauc_sql", USERS.replace(TIES, ""), "RANK gives equal scores"),
    ("gauc_sql", USERS.replace("RANK", "DENSE_RANK").replace(TIES, ""), "DENSE_RANK"),
    ("gauc_sql", USERS.replace(TIES, "").replace("1.0 * ", ""), "an integer divided by an integer"),
    ("gauc_sql", USERS.replace("PARTITION BY user_id ORDER", "ORDER"), "only the ties are those of one"),
    (
        "gauc_sql",
        USERS.replace("PARTITION BY user_id ORDER", "ORDER").replace("user_id, score", "score"),
        "lack PARTITION BY",
    ),
    ("gauc_sql", USERS.replace("user_id, score", "score"), "ties are counted over all users"),
    (
        "gauc_sql",
        USERS.replace(TIES, "").replace("PARTITION BY user_id ORDER", "ORDER"),
        "RANK gives",
        "lack PARTITION BY",
    ),
    ("gauc_sql", USERS.replace(MEAN, "AVG(auc)"), "is not weighted"),
    ("gauc_sql", USERS.replace(MEAN, "SUM(rows * COALESCE(auc, 0)) / SUM(rows)").replace(WHERE_AUC, ""), "count 0"),
    (
        "gauc_sql",
        USERS.replace(MEAN, "SUM(rows * COALESCE(auc, 0.5)) / SUM(rows)").replace(WHERE_AUC, ""),
        "count one half",
    ),
    ("gauc_sql", USERS.replace(WHERE_AUC, ""), "the weights hold the rows of users of one class"),
    ("gauc_sql", USERS.replace(MEAN, "AVG(COALESCE(auc, 0))").replace(WHERE_AUC, ""), "is not weighted", "count 0"),
    ("gauc_sql", USERS.replace("COUNT(*) AS rows", "SUM(label) AS rows"), "weigh by their clicks"),
    ("gauc_sql", USERS.replace(KEPT, ""), "rows with a NULL take part"),
    ("gauc_sql", USERS.replace(KEPT, "WHERE label IS NOT NULL"), "score is NULL takes part as the lowest"),
    ("gauc_sql", USERS.replace(KEPT, "WHERE score IS NOT NULL"), "keeps its place in the order"),
    ("gauc_sql", f"SELECT AVG(auc) FROM log JOIN ({AUCS}) USING (user_id)", "the weights count rows with a NULL"),
    ("gauc_sql", f"SELECT {SHARE} FROM {PAIRS}", "AUC of all rows together"),
    ("gauc_sql", f"SELECT {SHARE} FROM {PAIRS} AND p.user_id = n.user_id", "by their pairs"),
    (
        "gauc_sql",
        f"SELECT AVG(auc) FROM log JOIN ({AUCS.replace('>', '>=').replace('2.0', '2')}) USING (user_id) {KEPT}",
        "counts as won",
    ),
    (
        "gauc_sql",
        f"SELECT COALESCE(AVG(auc), 0) FROM log JOIN ({AUCS}) USING (user_id) {KEPT}",
        "no user with both classes gives 0",
    ),
    ("gauc_sql", USERS.replace(MEAN, "auc"), "the task asks for one value"),
]
WRONG = [(name, tuple(words), Query(f"query_{n}", (), text)) for n, (name, text, *words) in enumerate(WRONG_TEXTS, 1)]
