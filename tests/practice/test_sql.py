"""The exercises in SQL: right queries of many forms pass, what a query cannot do is said, and a long one is stopped."""

import math
import re
import subprocess
import sys
import time
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_book import practice
from metrics_book.practice import _EXERCISES as EXERCISES
from metrics_book.practice import _engine
from metrics_book.practice._queries import Query
from tests.practice.queries import KEPT, PAIRS, RIGHT, SHARE

NAMES = [name for name in EXERCISES if EXERCISES[name].language == "sql"]
AUC = f"SELECT {SHARE} FROM {PAIRS}"
READS = "only a SELECT is run, and nothing that does more than read"
COUNTING = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)"
both_exercises = pytest.mark.parametrize("name", NAMES)


def got(text, name="auc_sql", **options):
    """What the first test shows as having come."""
    return practice.check(name, text, **options).results[0].got


# ---- right ------------------------------------------------------------------------------------------------------


def test_two_exercises_are_in_sql():
    assert NAMES == ["auc_sql", "gauc_sql"]


@pytest.mark.parametrize(("name", "form"), [(name, form) for name in NAMES for form in RIGHT[name]])
def test_a_right_query_in_any_form_passes(name, form):
    report = practice.check(name, RIGHT[name][form])
    assert report.passed, report
    assert str(report) == f"{name}: 12 of 12 tests passed.\nCompare: practice.approaches({name!r})"


rows = st.tuples(st.sampled_from("ab"), st.sampled_from([0, 1, 1, None]), st.sampled_from([-1.5, 0.25, 0.5, 3.0, None]))


def share(table):
    """AUC in exact fractions, of pairs."""
    pairs = [(p, n) for (y, p), (z, n) in product(table, table) if (y, z) == (1, 0)]
    return Fraction(sum(2 * (p > n) + (p == n) for p, n in pairs), 2 * len(pairs)) if pairs else None


@settings(max_examples=60, deadline=None)
@given(st.lists(rows, min_size=1, max_size=12))
def test_every_solution_and_the_model_give_the_definition(table):
    kept = [(user, label, score) for user, label, score in table if label is not None and score is not None]
    users = [[row[1:] for row in kept if row[0] == user] for user in "ab"]
    counted = [(len(user), share(user)) for user in users if share(user) is not None]
    expected = {
        "auc_sql": share([row[1:] for row in kept]),
        "gauc_sql": sum(n * auc for n, auc in counted) / sum(n for n, _ in counted) if counted else None,
    }
    user_id, label, score = (np.array(column, dtype=object) for column in zip(*table, strict=True))
    for name, columns in {"auc_sql": (label, score), "gauc_sql": (user_id, label, score)}.items():
        value = math.nan if expected[name] is None else float(expected[name])
        for function in (*(a.function for a in practice.approaches(name)), EXERCISES[name].model):
            assert _engine.close(function(*columns), value), function


def test_a_solution_can_be_handed_in_and_is_a_text():
    for name in NAMES:
        for approach in practice.approaches(name):
            assert isinstance(approach.function, str)
            assert practice.check(name, str(approach.function)).passed


# ---- what is handed in ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [len, lambda label, score: 0.5, b"SELECT 1", 0.5, None])
def test_a_query_is_asked_for(function):
    with pytest.raises(
        TypeError, match=r"function: expected the text of a query, which auc_sql asks for, got .* of type"
    ):
        practice.check("auc_sql", function)


def test_a_query_is_for_these_exercises_alone():
    expected = r"function: expected my_auc\(y_true, y_score\) itself; the text of a query is for auc_sql and gauc_sql"
    for text in (AUC, Query("auc_sql", ("label", "score"), AUC)):
        with pytest.raises(TypeError, match=expected):
            practice.check("auc", text)
    said = next(line for line in expected.splitlines()).partition("is for ")[2]
    assert said == " and ".join(NAMES)


@pytest.mark.parametrize(
    "text", ["", "  \n", "-- the pairs first\n", "/* later */ ;", "SELECT ...  -- your query\nFROM log"]
)
@both_exercises
def test_an_empty_query_is_told_in_one_sentence(name, text):
    report = practice.check(name, text)
    assert report.blank == name
    assert not report.passed
    assert str(report) == f"{name} returns nothing yet. Help: practice.hint('{name}')"
    assert report.mistakes == ()


def test_dots_elsewhere_are_no_empty_query():
    assert practice.check("auc_sql", f"{AUC} -- and so on ...").passed
    report = practice.check("auc_sql", "SELECT lable FROM log -- and so on ...")
    assert not report.blank
    assert report.results[0].got == "no such column: lable"


# ---- what is said of it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    {
        "SELECT AVG(lable) FROM log": "no such column: lable",
        "SELECT AVG(label) FORM log": 'near "log": syntax error',
        "SELECT AVG(label) FROM logs": "no such table: logs",
        "SELECT AUC(label, score) FROM log": "no such function: AUC",
        "SELECT ?": "Incorrect number of bindings supplied. The current statement uses 1, and there are 0 supplied.",
        "SELECT label, score FROM log": "4 rows with 2 columns; the task asks for one value",
        "SELECT label FROM log": "4 rows with 1 column; the task asks for one value",
        "SELECT 1, 2": "1 row with 2 columns; the task asks for one value",
        "SELECT score FROM log WHERE 0": "0 rows with 1 column; the task asks for one value",
        f"{COUNTING} SELECT n FROM t": "more than 1000 rows with 1 column; the task asks for one value",
        "SELECT '0.75'": "'0.75', a text and not a number",
        "SELECT x'00'": r"b'\x00', a blob and not a number",
        "SELECT SUM(9223372036854775807) FROM log": "integer overflow",
    }.items(),
)
def test_words_of_the_engine_and_answers_of_another_form_are_shown_and_are_what_went_wrong(text, said):
    report = practice.check("auc_sql", text)
    assert report.results[0].got == said
    assert len(report.failed) == 12
    (mistake,) = report.mistakes
    assert mistake.startswith("What went wrong: ")
    assert re.sub(r"\d", "", mistake) == re.sub(r"\d", "", f"What went wrong: {said.rstrip('.')}.")


def test_one_value_for_each_user_is_too_many():
    report = practice.check("gauc_sql", "SELECT AVG(score) FROM log GROUP BY user_id")
    assert report.mistakes == ("What went wrong: 2 rows with 1 column; the task asks for one value.",)


@pytest.mark.parametrize(
    ("value", "shown"), {"NULL": "NULL", "1": "1", "1.0": "1", "1e999": "inf", "0.5": "0.5", "1 / 0": "NULL"}.items()
)
def test_a_value_is_shown_as_sql_has_it(value, shown):
    report = practice.check("auc_sql", f"SELECT {value}")
    assert report.results[0].got == shown
    assert report.mistakes == (f"What went wrong: the result is {shown} whatever the rows.",)


def test_an_error_is_not_taken_for_null():
    """Where the value is NULL a function may raise a ValueError; a query that fails is wrong there, too."""
    report = practice.check("auc_sql", "SELECT CASE COUNT(*) WHEN 3 THEN ABS(-9223372036854775808) END FROM log")
    undefined = {result.name: result for result in report.results if result.expected == "NULL"}
    assert list(undefined) == ["one class only", "the other class only"]
    assert not any(result.passed for result in undefined.values())
    assert {result.got for result in undefined.values()} == {"integer overflow"}


REPORT = """\
gauc_sql: 11 of 12 tests passed.
What went wrong: no user with both classes gives 0 here; there is
nothing to average.

  FAIL  no user with both classes
        table       log(user_id, label, score): (1, 1, 0.9), (1, 0,
                    NULL), (2, 0, 0.3), (2, 0, 0.8)
        got         0
        expected    NULL
        why         The one negative of the first user has no score:
                    nothing is left to average.

Help: practice.hint('gauc_sql')
"""


def test_a_report_shows_the_rows_of_the_table(capsys):
    report = practice.check("gauc_sql", f"SELECT COALESCE(({RIGHT['gauc_sql']['mean rank']}), 0)")
    assert capsys.readouterr().out == REPORT
    assert "  FAIL  no user with both classes\n        table       log(user_id" in report.details
    assert "leaves its input alone" not in report.details
    labels = next(result for result in report.results if result.name == "labels are missing")
    assert "('a', 1, 3), ('b', 1, 1), ('a', 0, 4), ('b', 1, 2)" not in labels.call
    assert "('a', NULL, 1)" in labels.call
    assert re.fullmatch(r"log\(user_id, label, score\): (\(.*?\), ){4}\.\.\. 400 rows", report.results[-1].call)


def test_a_task_shows_the_table_and_the_rules_of_queries():
    shown = practice.task("gauc_sql")
    assert "\n  log(user_id, label, score)\n" in shown
    assert "```sql\nlog(user_id, label, score)\n```" in shown._repr_markdown_()
    assert "NumPy" not in shown
    assert "one query for SQLite" in " ".join(shown.split())
    assert practice.approaches("auc_sql")._repr_markdown_().count("```sql\n") == 3


# ---- hostile ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "DROP TABLE log",
        "DELETE FROM log",
        "UPDATE log SET label = 1 - label",
        "INSERT INTO log VALUES (1, 0.5)",
        "INSERT INTO log VALUES (1, 0.5) RETURNING 0.75",
        "WITH t AS (SELECT 1) DELETE FROM log",
        "CREATE TABLE other (a)",
        "CREATE TEMP VIEW v AS SELECT 1",
        "ALTER TABLE log RENAME TO other",
        "BEGIN",
        "COMMIT",
        "SAVEPOINT here",
        "ANALYZE",
        "PRAGMA user_version",
        "PRAGMA writable_schema = 1",
        "SELECT COUNT(*) FROM pragma_database_list",
        "ATTACH '{file}' AS other",
        "DETACH main",
        "SELECT load_extension('{file}')",
        "SELECT LOAD_EXTENSION('{file}', 'init')",
    ],
)
def test_whatever_does_more_than_read_is_refused_in_clear_words(text, tmp_path):
    report = practice.check("auc_sql", text.format(file=tmp_path / "other.db"))
    assert {result.got for result in report.results} == {READS}
    assert report.mistakes == (f"What went wrong: {READS}.",)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    {
        f"{AUC}; SELECT 1": "You can only execute one statement at a time",
        f"{AUC}; DROP TABLE log": "You can only execute one statement at a time",
        "VACUUM INTO '{file}'": "VACUUM",
        "SELECT readfile('{file}')": "no such function: readfile",
        "SELECT writefile('{file}', 'text')": "no such function: writefile",
        "SELECT '\0'": "null character",
        "SELECT '\ud800'": "surrogates not allowed",
        "SELECT CAST(x'ff' AS TEXT)": "UTF-8",
        "SELECT " + "(" * 5000 + "1" + ")" * 5000: "overflow",
    }.items(),
)
def test_what_cannot_be_run_is_refused(text, said, tmp_path):
    report = practice.check("auc_sql", text.replace("{file}", str(tmp_path / "other.db")))
    assert len(report.failed) == 12
    assert all(said in result.got for result in report.results)
    assert str(report)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    {
        "recursion": f"{COUNTING} SELECT COUNT(*) FROM t",
        "recursion with sets": f"{COUNTING.replace('ALL ', '')} SELECT MAX(n) FROM t",
        "cross join": "SELECT COUNT(*) FROM " + ", ".join(f"log AS t{i}" for i in range(30)),
        "window": f"{COUNTING} SELECT MAX(r) FROM (SELECT RANK() OVER (ORDER BY n) AS r FROM t)",
        "correlated": "SELECT SUM((SELECT COUNT(*) FROM "
        + ", ".join(f"log AS t{i}" for i in range(30))
        + ")) FROM log",
    }.values(),
)
def test_a_query_without_end_is_stopped(text):
    start = time.monotonic()
    report = practice.check("auc_sql", text, time_limit=0.1)
    assert time.monotonic() - start < 30
    assert report.results[0].got == "no result within 0.1 s; the call was stopped"
    assert report.results[2].got == "not called: 2 calls before took too long"
    assert len(report.failed) == 12


def test_one_query_that_takes_too_long_leaves_the_others():
    """It counts without end where the table has 400 rows."""
    endless = f"({COUNTING} SELECT COUNT(*) FROM t)"
    text = f"SELECT CASE (SELECT COUNT(*) > 100 FROM log) WHEN 1 THEN {endless} ELSE ({AUC}) END"
    assert practice.check("auc_sql", text, time_limit=0.2).failed == ("400 rows",)


def test_a_check_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    practice.check("gauc_sql", "SELECT 0.5")
    practice.check("gauc_sql", "CREATE TABLE other (a)")
    assert list(tmp_path.iterdir()) == []


def test_sqlite_is_imported_on_use():
    code = "import sys, metrics_lib, metrics_book.practice; print('sqlite3' in sys.modules, '_sqlite3' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["False", "False"]


# ---- words and costs --------------------------------------------------------------------------------------------

ROWS = ([1, 0, 1, 0], [0.8, 0.5, 0.5, 0.2])  # of four pairs three are won and one ties
MISSING = ([1, None, 0, 1], [0.3, 0.2, 0.4, None])
TWO_USERS = ([1, 1, 1, 2, 2], [1, 1, 0, 1, 0], [0.5, 0.4, 0.3, 0.1, 0.2])  # AUCs of 1 and 0
CLAIMS = [
    ("auc_sql", "tells equal scores apart", ([1, 0], [0.5, 0.5]), lambda value: value in (0, 1)),
    ("auc_sql", "the lowest of their ranks", ([1, 0], [0.5, 0.5]), lambda value: value in (0, 1)),
    ("auc_sql", "DENSE_RANK does not skip", ([0, 0, 1], [0.5, 0.5, 0.9]), lambda value: value in (0.5, 1)),
    ("auc_sql", "counts as lost", ROWS, 3 / 4),
    ("auc_sql", "counts as won", ROWS, 1),
    ("auc_sql", "half of the ties is an integer division", ROWS, 3 / 4),
    ("auc_sql", "tied pairs are left out", ROWS, 1),
    ("auc_sql", "counted both ways", ROWS, 1 / 2),
    ("auc_sql", "an integer divided by an integer", ROWS, 0),
    ("auc_sql", "the order is reversed", ROWS, 1 / 8),
    ("auc_sql", "2 AUC - 1", ROWS, 3 / 4),
    ("auc_sql", "turned over", ([1, 0], [0.1, 0.2]), 1),
    ("auc_sql", "bins of equal width", ([1, 0], [0.50001, 0.50002]), 1 / 2),
    ("auc_sql", "whole numbers", ([0, 1], [0.1, 0.2]), 1 / 2),
    ("auc_sql", "cut at one half", ([0, 1], [0.6, 0.9]), 1 / 2),
    ("auc_sql", "label is NULL counts as a negative", ([1, None, 1, 0], [0.3, 0.2, 0.2, 0.4]), 3 / 8),
    ("auc_sql", "keeps its place in the order", ([1, None, 0], [0.3, 0.2, 0.4]), 1),
    ("auc_sql", "takes part as the lowest", ([1, 0, 1], [0.3, 0.4, None]), 0),
    ("auc_sql", "is taken for 0", ([1, 0, 0], [-0.3, -0.4, None]), 1 / 2),
    (
        "auc_sql",
        "rows with a NULL take part",
        ([1, None, 0], [0.5, None, 0.5]),
        lambda value: value in (3 / 4, 1 / 2, 3 / 2),
    ),
    ("auc_sql", "the divisor counts rows with a NULL", MISSING, lambda value: value in (0, 1 / 4)),
    ("auc_sql", "falls into ELSE", ([1, 1, 0], [0.9, None, 0.4]), 3 / 4),
    ("auc_sql", "any two rows", ([1, 0, 0, 0], [0.9, 0.1, 0.1, 0.1]), lambda value: value in (1 / 2, 3 / 16)),
    ("auc_sql", "lacks the subtraction", ([1, 0], [0.9, 0.1]), 2),
    ("gauc_sql", "the windows lack PARTITION BY", ([1, 1, 2, 2], [1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8]), 2),
    (
        "gauc_sql",
        "only the ties are those of one",
        ([1, 1, 2, 2], [1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8]),
        lambda v: v in (1.5, 2),
    ),
    ("gauc_sql", "ties are counted over all users", ([1, 1, 2], [1, 0, 0], [0.5, 0.4, 0.5]), 3 / 2),
    ("gauc_sql", "AUC of all rows together", ([1, 1, 2, 2], [1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8]), 3 / 4),
    ("gauc_sql", "the mean of the users is not weighted", TWO_USERS, 1 / 2),
    ("gauc_sql", "weigh by their clicks", TWO_USERS, 2 / 3),
    ("gauc_sql", "weigh by their rows without a click", TWO_USERS, 1 / 2),
    ("gauc_sql", "weigh by their pairs", TWO_USERS, 2 / 3),
    ("gauc_sql", "users of one class count 0", ([1, 1, 2], [1, 0, 1], [0.9, 0.1, 0.5]), 2 / 3),
    ("gauc_sql", "users of one class count one half", ([1, 1, 2], [1, 0, 1], [0.9, 0.1, 0.5]), 5 / 6),
    ("gauc_sql", "users of one class count 1", ([1, 1, 2], [1, 0, 1], [0.1, 0.9, 0.5]), 1 / 3),
    ("gauc_sql", "the weights hold the rows of users of one class", ([1, 1, 2], [1, 0, 1], [0.9, 0.1, 0.5]), 2 / 3),
    (
        "gauc_sql",
        "the weights count rows with a NULL",
        ([1, 1, 1, 1, 2, 2], [1, 0, None, 1, 1, 0], [0.9, 0.1, 0.5, None, 0.1, 0.9]),
        lambda value: value in (4 / 6, 3 / 5),
    ),
]


@pytest.mark.parametrize(("name", "words", "columns", "value"), CLAIMS, ids=[f"{c[0]}: {c[1]}" for c in CLAIMS])
def test_a_message_says_what_its_mistake_computes(name, words, columns, value):
    (mistake,) = (mistake for mistake in EXERCISES[name].mistakes if words in mistake.message)
    for variant in mistake.variants:
        got = variant(*map(np.array, columns))
        assert value(got) if callable(value) else _engine.close(got, value), (variant.keywords, got)


def test_a_constant_score_gets_anything_by_the_order_of_the_rows():
    """The first of the wrong queries: what ROW_NUMBER makes of one table in all orders."""
    (mistake,) = (m for m in EXERCISES["auc_sql"].mistakes if "ROW_NUMBER" in m.message)
    for variant in mistake.variants:
        values = {
            variant(np.array(labels), np.full(4, 0.5)) for labels in product([0, 1], repeat=4) if sum(labels) == 2
        }
        assert values == {0, 0.25, 0.5, 0.75, 1}


@both_exercises
def test_row_number_fails_in_either_order_of_equal_scores(name):
    """Where it counts a tie as won for one user and as lost for another, both may cancel."""
    (mistake,) = (m for m in EXERCISES[name].mistakes if "ROW_NUMBER" in m.message)
    for variant in mistake.variants:
        failed = practice.check(name, EXERCISES[name].model.text(**variant.keywords)).failed
        assert {"equal scores", "the same rows in another order"} <= set(failed)


def steps(text, columns, values):
    """How many steps SQLite takes, by hundreds."""
    import sqlite3

    engine, count = sqlite3.connect(":memory:"), []
    engine.execute(f"CREATE TABLE log ({', '.join(columns)})")
    engine.executemany(f"INSERT INTO log VALUES ({', '.join('?' for _ in columns)})", zip(*values, strict=True))
    engine.set_progress_handler(lambda: count.append(1), 100)
    engine.execute(text).fetchall()
    engine.close()
    return len(count)


@both_exercises
def test_an_approach_costs_what_it_says(name):
    """Of one user, a join takes time with the square of the rows, and a sort hardly more than with the rows."""
    rng = np.random.default_rng(0)
    for approach in practice.approaches(name):
        columns = EXERCISES[name].parameters
        few, many = (
            steps(
                approach.function,
                columns,
                ([1] * n, (np.arange(n) % 2).tolist(), rng.random(n).tolist())[-len(columns) :],
            )
            for n in (200, 800)
        )
        growth = many / few
        pairs = "P N" in approach.complexity
        assert ("JOIN log" in approach.function) == pairs
        assert 12 < growth < 18 if pairs else 3 < growth < 6, (approach.function.__name__, growth)


def test_the_first_rows_of_a_table_do_not_decide():
    """The same rows in three orders, without changing a word of what is right."""
    label, score = np.array([1, 0, 1, 0, 0]), np.array([0.5, 0.5, 0.5, 0.2, 0.5])
    for approach in practice.approaches("auc_sql"):
        values = {
            round(approach.function(label[order], score[order]), 12) for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
        }
        assert len(values) == 1
    assert KEPT in RIGHT["auc_sql"]["mean rank"]
