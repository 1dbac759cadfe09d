"""The exercises in SQL on their page judge a query as they do here, tell errors, and end what is endless."""

import io
import re
from contextlib import redirect_stdout

import pytest

from metrics_book import practice
from tests.browser.conftest import served
from tests.browser.test_practice_blocks import without_notes
from tests.browser.test_python_in_the_page import LESSON, RUN, Handler, loading, said
from tests.practice.submissions import RIGHT, WRONG, code, rows
from tests.practice.test_practice import AUC, COUNTING, READS

PAGE = "book/interview/exercises-scores.html"
FILES = ["sqlite.js", "sqlite3.wasm"]
TEXTS = [
    *((name, code(row.split(" | ")[-1])) for name, row in rows(RIGHT) + rows(WRONG) if name.endswith("_sql")),
    *(
        ("auc_sql", text)
        for text in [
            *(
                "",
                "-- the pairs first",
                "SELECT ...  -- your query\nFROM log",
                f"{AUC}; -- no more",
                f"{AUC}; SELECT 1",
            ),
            *("SELECT AVG(label) FORM log", "SELECT 1 FROM logs", "SELECT AUC(label, score) FROM log"),
            *("SELECT label FROM log", "SELECT 1, 2", "SELECT 1 WHERE 0", f"{COUNTING} SELECT n FROM t"),
            *("SELECT '0.75'", "SELECT 'é 中'", "SELECT x'00'", "SELECT SUM(9223372036854775807) FROM log"),
            *("SELECT NULL", "SELECT 1", "SELECT -1e999", "SELECT 0.1 + 0.2", "SELECT SUM(score) FROM log"),
            *("DROP TABLE log", "INSERT INTO log VALUES (1, 0.5) RETURNING 1", "BEGIN", "ATTACH 'a' AS b"),
        ]
    ),
    ("gauc_sql", "SELECT MIN(user_id) FROM log"),
]


@pytest.fixture(scope="module")
def address():
    with served(Handler) as address:
        yield address


@pytest.fixture
def open_page(browser, address):
    """Open a page in a tab that notes what it asks for."""
    context = browser.new_context(base_url=address)
    context.set_default_timeout(60_000)

    def open_one(page):
        tab = context.new_page()
        tab.asked = []
        tab.on("request", lambda request: tab.asked.append(request.url.rpartition("/")[2].partition("?")[0]))
        tab.goto(page)
        return tab

    yield open_one
    context.close()


@pytest.fixture(scope="module")
def check(browser, address):
    """Check queries in the page, and return what is printed for each."""
    tab = browser.new_page(base_url=address)
    tab.goto(PAGE)

    def check(queries, **options):
        cells = [f"from metrics_book.practice import check\n_ = check({name!r}, {text!r})" for name, text in queries]
        results = tab.evaluate(RUN, [cells, options])["done"]["cells"]
        assert [result["error"] for result in results] == [None] * len(queries)
        return [result["out"] for result in results]

    yield check
    tab.close()


def test_the_page_says_of_each_query_what_is_said_here(check):
    for (name, text), there in zip(TEXTS, check(TEXTS, limit=60), strict=True):
        with redirect_stdout(io.StringIO()) as here:
            practice.check(name, text)
        assert without_notes(there) == without_notes(here.getvalue()), text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("SELECT CAST(x'ff' AS TEXT)", "not valid"),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000, "overflow"),
        ("SELECT zeroblob(500000000)", "out of memory"),
        ("SELECT '\0'", "unrecognized token"),
        ("VACUUM INTO 'file'", READS),
    ],
)
def test_what_cannot_be_run_is_refused(check, text, told):
    refused, right = check([("auc_sql", text), ("auc_sql", AUC)])
    assert told in " ".join(refused.split())
    assert right.startswith("auc_sql: 12 of 12 tests passed.")


def test_an_endless_query_is_ended_and_python_goes_on(check):
    for endless in (f"{COUNTING} SELECT COUNT(*) FROM t", f"{COUNTING.replace('ALL ', '')} SELECT MAX(n) FROM t"):
        ended, right = check([("auc_sql", endless), ("auc_sql", AUC)])
        assert ended.startswith("auc_sql: 0 of 12 tests passed.")
        assert "No result in time" in ended
        assert right.startswith("auc_sql: 12 of 12 tests passed.")


def test_the_page_of_the_exercises_loads_sqlite_and_no_other_does(open_page):
    tab = open_page(PAGE)
    block = tab.locator(".practice[data-id=auc-sql]")
    block.get_by_role("button", name="Run the tests").click()
    assert loading(tab, "Python and SQLite") in block.locator(".python-said").inner_text()
    assert said(block).startswith("auc_sql returns nothing yet.")
    assert sorted(name for name in tab.asked if "sqlite" in name) == FILES
    tab = open_page(LESSON)
    cell = f"from metrics_book.practice import check\n_ = check('auc_sql', {AUC!r})"
    (result,) = tab.evaluate(RUN, [[cell], {}])["done"]["cells"]
    assert "SQLite runs beside the exercises in SQL only" in " ".join(result["out"].split())
    assert not [name for name in tab.asked if "sqlite" in name]


@pytest.mark.parametrize("lost", FILES)
def test_a_file_that_is_missing_is_told(open_page, lost):
    tab = open_page("robots.txt")
    tab.route(re.compile(re.escape(lost)), lambda route: route.fulfill(status=404))
    tab.goto(PAGE)
    block = tab.locator(".practice[data-id=auc-sql]")
    block.get_by_role("button", name="Run the tests").click()
    assert said(block).startswith("Python does not run here: ")
