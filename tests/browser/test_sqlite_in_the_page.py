"""SQLite in the page: the same code says the same there and here, and only code that needs it loads it."""

import math
import re
from contextlib import contextmanager, redirect_stdout
from io import StringIO

import pytest

from tests.browser.conftest import SITE, served
from tests.browser.test_python_in_the_page import LESSON, RUN, Handler, loading, open_cell, run_cell
from tests.library.sql_engines import CASES, COLUMNS, difference, made

START = """\
import sqlite3

log = sqlite3.connect(":memory:")


def show(sql, *parameters):
    try:
        print(log.execute(sql, parameters).fetchall())
    except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
        print(error)
"""
FILLED = f"""{START}
log.execute("CREATE TABLE log (user_id INTEGER, label INTEGER, score REAL)")
rows = [(1, 1, 0.75), (1, 0, 0.75), (1, 0, 0.25), (2, 1, 0.5), (2, 0, None), (2, None, 0.125), (3, 1, 0.5)]
log.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
"""
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"
SAME = {
    "window functions": f"""{FILLED}
show("SELECT user_id, ROW_NUMBER() OVER (ORDER BY score, label, user_id), RANK() OVER (ORDER BY score) FROM log")
show("SELECT user_id, SUM(label) OVER (PARTITION BY user_id ORDER BY score ROWS UNBOUNDED PRECEDING) FROM log")
show("SELECT user_id, COUNT(*) OVER (PARTITION BY user_id), AVG(score) OVER () FROM log ORDER BY 1")
""",
    "ties": f"""{FILLED}
show("SELECT score, RANK() OVER (ORDER BY score) + (COUNT(*) OVER (PARTITION BY score) - 1) / 2.0 FROM log")
show("SELECT AVG((a.score > b.score) + (a.score = b.score) / 2.0) FROM log a JOIN log b ON a.label > b.label")
""",
    "NULL": f"""{FILLED}
show("SELECT COUNT(*), COUNT(label), COUNT(score), SUM(label), AVG(score), MIN(score) FROM log")
show("SELECT score FROM log ORDER BY score")
show("SELECT NULL = NULL, NULL IS NULL, NULL + 1, 0 / 0, 1 / 2, 1 / 2.0, SUM(1) FROM log WHERE label > 1")
""",
    "values": f"""{START}
show("SELECT ?, ?, ?, ?", 2**53 + 1, 2**63 - 1, -(2**63), True)
show("SELECT ?, ?, ?, ?, ?, ?", 0.1, 3.0, -0.0, 5e-324, float("inf"), float("nan"))
show("SELECT ?, ?, ?, ?", "", "é 中 😀", "a" * 3, None)
show("SELECT ?, length(?), ?, ?", "a\\0b", "a\\0b", b"", b"\\0\\xff" * 200)
show("SELECT 9007199254740993, 1.0, 9223372036854775807 + 0.0, x'00ff', 'text', typeof(?), typeof(?)", 1, 1.0)
show("SELECT ?", 2**63)
""",
    "times": f"""{START}
show("SELECT datetime(17280000.5, 'unixepoch', 'localtime'), strftime('%j', '2024-01-31', '+1 month')")
show("SELECT julianday('now') BETWEEN julianday('2020-01-01') AND julianday('2200-01-01'), random() = random()")
""",
    "values of NumPy": f"""{START}
import numpy as np
show("SELECT ?, typeof(?)", np.float64(0.1), np.float64(3))
show("SELECT ?, typeof(?)", *np.array([2, 3]).tolist())
""",
    "errors": f"""{FILLED}
for sql in ["SELEC 1", "SELECT lable FROM log", "SELECT 1 FROM logs", "SELECT (1", "SELECT f(1)", "SELECT 'a", "?"]:
    show(sql)
for sql in ["SELECT SUM(RANK() OVER ()) FROM log", "SELECT abs(-9223372036854775808)", "CREATE TABLE log (a)"]:
    show(sql)
show("SELECT ?, ?", 1)
show("SELECT 1", 1)
show("SELECT 1; SELECT 2")
show("SELECT 1; -- one statement; and no more")
show("SELECT 1;;")
show("SELECT 1;" + "--" * 50 + "\\n; SELECT 2")
show("SELECT 1 /* two */; /* open")
show("/* nothing */")
show("")
show("SELECT ?", [1])
log.execute("CREATE UNIQUE INDEX users ON log (user_id, label, score)")
show("INSERT INTO log VALUES (3, 1, 0.5)")
show('SELECT "text"')
""",
    "kinds of errors": f"""{FILLED}
log.execute("CREATE TABLE one (a UNIQUE)")
calls = [
    lambda: log.execute("SELEC"),
    lambda: log.executemany("INSERT INTO one VALUES (?)", [(1,), (2,), (1,)]),
    lambda: log.executemany("SELECT ?", [(1,)]),
    lambda: log.execute("SELECT ?", (object(),)),
    lambda: log.execute("SELECT zeroblob(2000000000)"),
]
for call in calls:
    try:
        call()
    except Exception as error:
        print(type(error).__mro__[:-2], error)
print(issubclass(sqlite3.OperationalError, sqlite3.Error), issubclass(sqlite3.ProgrammingError, sqlite3.Error))
""",
    "fetching": f"""{FILLED}
found = log.execute("SELECT user_id, score AS s FROM log")
print(found.description)
print(found.fetchone(), found.fetchmany(2), found.fetchmany(), next(found), list(found))
print(found.fetchone(), found.fetchall(), found.fetchmany(3))
print(log.execute("DELETE FROM log WHERE label IS NULL").description)
print(log.execute("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n").fetchmany(5))
print([x for (x,) in log.execute("SELECT value FROM json_each('[1, 2.5, null, \\"a\\"]')")])
late = log.execute("SELECT abs(-9223372036854775809 + value) FROM json_each('[4, 3, 2, 1]')")
try:
    print(len(late.fetchall()))
except sqlite3.Error as error:
    print(type(error).__name__, error)
print(log.cursor().execute("SELECT 1").fetchone())
""",
    "many rows": f"""{START}
log.execute("CREATE TABLE many (i, half, text)")
log.executemany("INSERT INTO many VALUES (?, ?, ?)", ((i, i / 2, str(i) * 3) for i in range(2500)))
show("SELECT COUNT(*), SUM(i), SUM(half), MAX(length(text)) FROM many")
print(log.execute("SELECT * FROM many").fetchall() == [(i, i / 2, str(i) * 3) for i in range(2500)])
try:
    log.executemany("INSERT INTO many VALUES (?, ?, ?)", [(-1, 0, ""), (-2, 0, ""), (-3, {{}}, ""), (-4, 0, "")])
except sqlite3.Error as error:
    print(error)
show("SELECT i FROM many WHERE i < 0")
_ = log.executemany("INSERT INTO many VALUES (?, ?, ?)", [])
show("SELECT COUNT(*) FROM many")
""",
    "functions": f"""{START}
import math
log.create_function("LN", 1, lambda x: None if x is None else math.log(x), deterministic=True)
log.create_function("kinds", -1, lambda *all: " ".join(type(one).__name__ for one in all))
log.create_function("same", 1, lambda x: x)
show("SELECT LN(2), ln(NULL), kinds(1, 1.0, 'a', x'00', NULL), kinds(), same(9223372036854775807), same(x'00ff')")
show("SELECT SUM(same(value)) FROM json_each('[0.5, 1, null]')")
show("SELECT ln(-1)")
show("SELECT ln(1, 2)")
log.create_function("bad", 0, lambda: [1])
show("SELECT bad()")
log.create_function("leave", 0, exit)
show("SELECT leave()")
log.create_function("nested", 1, lambda x: log.execute("SELECT same(?) || 'b'", (x,)).fetchone()[0])
show("SELECT nested('a')")
""",
    "only reading": f"""{FILLED}
actions = []


def allow(action, *names):
    actions.append((action, *names[:2]))
    return sqlite3.SQLITE_OK if action in {{20, 21, 31, 33}} else sqlite3.SQLITE_DENY


log.set_authorizer(allow)
show("SELECT SUM(label) FROM log WHERE score > 0.5")
show("SELECT RANK() OVER (ORDER BY score) FROM (SELECT score FROM log)")
show("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 3) SELECT x FROM n")
for sql in ["DELETE FROM log", "ATTACH 'x' AS x", "PRAGMA user_version", "CREATE TABLE a (b)", "BEGIN"]:
    show(sql)
try:
    log.execute("DROP TABLE log")
except sqlite3.DatabaseError as error:
    print(type(error).__name__, error)
print(sorted(set(actions), key=repr))
log.set_authorizer(lambda *_: 1 / 0)
show("SELECT 1")
log.set_authorizer(lambda *_: None)
show("SELECT 1")
log.set_authorizer(None)
show("DELETE FROM log WHERE user_id > 1")
""",
    "endless queries": f"""{START}
looks = []
log.set_progress_handler(lambda: looks.append(1) or len(looks) > 9, 1000)
show({ENDLESS!r})
print(len(looks))
show("SELECT COUNT(*) FROM sqlite_schema")
log.set_progress_handler(lambda: 1 / 0, 1000)
show({ENDLESS!r})
log.set_progress_handler(None, 1000)
show({ENDLESS.replace("FROM n)", "FROM n LIMIT 99999)")!r})
""",
    "transactions": f"""{FILLED}
log.commit()
try:
    with log:
        log.execute("DELETE FROM log")
        show("SELECT COUNT(*) FROM log")
        raise KeyError
except KeyError:
    show("SELECT COUNT(*) FROM log")
with log:
    log.execute("DELETE FROM log WHERE user_id = 3")
log.rollback()
show("SELECT COUNT(*) FROM log")
log.execute("BEGIN")
log.execute("DELETE FROM log")
log.rollback()
log.commit()
show("SELECT COUNT(*) FROM log")
""",
    "closing": f"""{START}
found = log.execute("SELECT 1 UNION SELECT 2")
log.close()
log.close()
show("SELECT 1")
try:
    print(found.fetchall())
except sqlite3.ProgrammingError as error:
    print(error)
""",
}


@pytest.fixture(scope="module")
def address():
    with served(Handler) as address:
        yield address


@contextmanager
def opened(browser, address):
    context = browser.new_context(base_url=address)
    tab = context.new_page()
    tab.set_default_timeout(60_000)
    tab.asked = []
    tab.on("request", lambda request: tab.asked.append(request.url))
    tab.goto(LESSON)
    yield tab
    context.close()


@pytest.fixture(scope="module")
def tab(browser, address):
    with opened(browser, address) as tab:
        yield tab


@pytest.fixture(scope="module")
def python(tab):
    """Run cells in the Python that has started in the tab, or starts then."""
    return lambda *cells, **options: tab.evaluate(RUN, [cells, options])


# ---- who loads it ---------------------------------------------------------------------------------------------------

FILES = ["sqlite.js", "sqlite.py", "sqlite3.wasm"]


def sqlite_of(tab):
    return sorted(url.rpartition("/")[2].partition("?")[0] for url in tab.asked if "sqlite" in url.rpartition("/")[2])


def test_only_code_that_needs_it_loads_it_and_is_told_its_size(tab, address):
    cell = open_cell(tab)
    cell.get_by_role("textbox").fill("6 * 7")
    cell.get_by_role("button", name="Run", exact=True).click()
    assert loading(tab, "Python") in cell.locator(".python-said").inner_text()
    cell.get_by_role("button", name="Stop").click()
    assert sqlite_of(tab) == []

    # Where neither has come, each is loaded beside the other.
    tab.asked.clear()
    source = "import sqlite3\nsqlite3.sqlite_version"
    assert run_cell(cell, source) == (loading(tab, "Python", "SQLite"), f"'{version()}'")
    assert sqlite_of(tab) == FILES
    asked = [url.rpartition("/")[2].partition("?")[0] for url in tab.asked]
    assert asked.index("sqlite3.wasm") < asked.index("pyodide.asm.wasm")
    assert run_cell(cell, "import sqlite3\n6 * 9")[1] == "54"
    assert sqlite_of(tab) == FILES
    assert all(url.startswith(address) for url in tab.asked)


def version():
    (line,) = [
        line
        for line in (SITE / "_static" / "python" / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| `sqlite3.wasm`")
    ]
    return line.split("|")[3].strip()


@pytest.mark.parametrize(
    ("source", "needs"),
    [
        ("import math, sqlite3", True),
        ("from sqlite3 import connect", True),
        ('report = check("gauc_sql", my_gauc_sql)', True),
        ("check('auc_sql', 'SELECT 1')", True),
        ("from metrics_lib import sql\nsql.roc_auc_score('log')", False),
        ("auc_sql = 1", False),
    ],
)
def test_what_counts_as_need(source, needs):
    script = (SITE / "_static" / "python" / "editor.js").read_text(encoding="utf-8")
    pattern = re.search(r"const USES_SQLITE = /(.*)/;", script)[1]
    assert bool(re.search(pattern, source)) is needs


@pytest.mark.parametrize("lost", FILES)
def test_a_file_that_is_missing_is_told(browser, address, lost):
    with opened(browser, address) as tab:
        tab.route(re.compile(re.escape(lost)), lambda route: route.fulfill(status=404))
        cell = open_cell(tab)
        assert run_cell(cell, "import sqlite3")[1].startswith("Python does not run here: ")


# ---- what is said there and here ------------------------------------------------------------------------------------


def here(source):
    printed = StringIO()
    with redirect_stdout(printed):
        exec(source, {"__name__": "__main__"})
    return printed.getvalue()


@pytest.mark.parametrize("name", SAME)
def test_the_page_says_what_is_said_here(python, name):
    expected = here(SAME[name])
    (cell,) = python(SAME[name])["done"]["cells"]
    assert cell["error"] is None
    assert cell["out"].splitlines() == expected.splitlines() != []


# ---- the texts of metrics_lib.sql -----------------------------------------------------------------------------------

TYPES = {"text": "TEXT", "int": "INTEGER", "float": "REAL"}
TABLE = ", ".join(f"{name} {TYPES[kind]}" for name, kind in COLUMNS.items())
MARKS = ", ".join("?" * len(COLUMNS))
FILL = f"""\
import sqlite3
from math import inf, nan
log = sqlite3.connect(":memory:")
log.execute("CREATE TABLE log ({TABLE})")
_ = log.executemany("INSERT INTO log VALUES ({MARKS})", ROWS)
"""
ASK = """\
found = log.execute({text!r})
print([dict(zip([column[0] for column in found.description], row)) for row in found])"""


def test_the_texts_of_the_library_give_the_values_of_numpy(python):
    for rows in (made(100, 0, dirty=False), made(100, 1, dirty=True)):
        fill = FILL.replace("ROWS", repr([tuple(row[name] for name in COLUMNS) for row in rows]))
        done = python(fill, *(ASK.format(text=case.text) for case in CASES.values()), limit=60)["done"]
        errors = [cell["error"] for cell in done["cells"]]
        assert errors == [None] * (1 + len(CASES))
        for (name, case), cell in zip(CASES.items(), done["cells"][1:], strict=True):
            found = eval(cell["out"], {"inf": math.inf})
            assert difference(case, rows, lambda _, found=found: found) < 1e-12, name


# ---- what the page has of it ----------------------------------------------------------------------------------------


def test_what_is_not_here_is_refused(python):
    source = f"""{START}
import numpy as np
calls = [
    lambda: sqlite3.connect("file.db"),
    lambda: log.execute("SELECT :a", {{"a": 1}}),
    lambda: log.execute("SELECT ?", (np.int64(1),)),
    lambda: log.execute("SELECT ?", (np.bool_(True),)),
    lambda: log.execute("SELECT 'a\\0b'"),
    lambda: log.execute("SELECT CAST(x'ff' AS TEXT)"),
    lambda: log.executescript("SELECT 1"),
]
for call in calls:
    try:
        print(call())
    except Exception as error:
        print(f"{{type(error).__name__}}: {{error}}")
"""
    (cell,) = python(source)["done"]["cells"]
    assert cell["out"].splitlines() == [
        "OperationalError: unable to open database file: in the page there is only ':memory:'",
        "ProgrammingError: in the page parameters are a sequence, and each stands as ? in the statement",
        "ProgrammingError: Error binding parameter 1: type 'int64' is not supported",
        "ProgrammingError: Error binding parameter 1: type 'bool' is not supported",
        "ProgrammingError: the query contains a null character",
        "OperationalError: Could not decode to UTF-8: b'\\xff'",
        "AttributeError: 'Connection' object has no attribute 'executescript'",
    ]


def test_many_rows_cross_into_sqlite_a_thousand_at_once(python):
    source = """\
import sqlite3
from collections import Counter


class Counted:
    def __getattr__(self, name):
        calls[name] += 1
        return getattr(real, name)


calls, real, sqlite3.engine = Counter(), sqlite3.engine, Counted()
log = sqlite3.connect(":memory:")
log.execute("CREATE TABLE log (a, b, c)")
rows = [(i, i / 2, None) for i in range(20_000)]
log.executemany("INSERT INTO log VALUES (?, ?, ?)", rows)
assert log.execute("SELECT * FROM log").fetchall() == rows
sqlite3.engine = real
calls.total()"""
    (cell,) = python(source)["done"]["cells"]
    assert cell["error"] is None
    assert 20 < int(cell["out"]) < 100


def test_an_endless_query_ends_with_its_cell_and_python_goes_on(python):
    source = f"import sqlite3\nsqlite3.connect(':memory:').execute({ENDLESS!r})"
    (cell,) = python(source, limit=0.5)["done"]["cells"]
    assert cell == {"out": "", "error": {"cell": 0, "text": "Stopped: not done after 0.5 seconds."}}
    (cell,) = python("import sqlite3\nsqlite3.connect(':memory:').execute('SELECT 6 * 7').fetchone()")["done"]["cells"]
    assert cell == {"out": "(42,)\n", "error": None}


def test_a_submission_whose_query_never_ends_is_stopped_by_its_handler(python):
    """`metrics_book.practice` raises an error in the handler, which SQLite calls now and then."""
    source = f"""\
import sqlite3
from metrics_book import practice


def my_auc(y_true, y_score):
    log = sqlite3.connect(":memory:")
    log.set_progress_handler(lambda: 0, 1000)
    return log.execute({ENDLESS!r}).fetchone()[0]


report = practice.check("auc", my_auc, time_limit=0.2)
['no result within 0.2 s; the call was stopped' in str(report), report.notes]"""
    (cell,) = python(source)["done"]["cells"]
    assert cell["out"].splitlines()[-1:] == ["[True, ()]"], cell
    assert cell["error"] is None


def test_connections_give_back_their_memory(python):
    source = """\
import sqlite3
log = sqlite3.connect(":memory:")
log.create_function("same", 1, lambda x: x)  # which knows the connection, as it knows all names of its cell
log.execute("CREATE TABLE log (a)")
_ = log.executemany("INSERT INTO log VALUES (zeroblob(1000000) || ?)", [(i,) for i in range(20)])"""
    heaps = [python(source)["heap"] for _ in range(10)]
    assert heaps[-1] - heaps[1] < 20e6


def test_more_than_there_is_room_for_is_an_error(python):
    source = """\
import sqlite3
log = sqlite3.connect(":memory:")
log.execute("CREATE TABLE log (a)")
log.executemany("INSERT INTO log VALUES (zeroblob(20000000))", [()] * 30)"""
    result = python(source)["done"]
    assert result["cells"][0]["error"]["text"].startswith("MemoryError")
