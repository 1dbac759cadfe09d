"""Python in the page: cells give what stands beside them, readers edit and run them, and nothing breaks the page.

The site is served with the strictest policy under which Python can run; its pages and its worker bear it alike.
"""

import json
import re
from collections import Counter
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from nbformat import v4

from tests.browser.conftest import SITE, QuietHandler, served
from tests.registries import ROOT, load

POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
NOTEBOOKS = {
    path.relative_to(ROOT / "book").with_suffix("").as_posix(): v4.reads(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "book").rglob("*.ipynb"))
    if ".ipynb_checkpoints" not in path.parts
}
LESSON = "book/lessons/ndcg.html"
DATA = [f"cases/{path.name}" for path in sorted((ROOT / "book" / "lessons" / "cases").glob("*.csv"))]
RUN = "([cells, options]) => pythonInPage().then(({ run }) => run(cells, { files: [], ...options }))"
PRACTICE = """<div class="practice added" data-id="{id}" data-run="Run the tests" data-check="{check}">
<pre class="practice-stub">{stub}</pre></div>
<details class="practice-solution added"><summary>Solutions</summary><p>One of them.</p></details>"""
CHECK = """\
from metrics_book import practice
report = practice.check(&quot;auc&quot;, my_auc, time_limit=0.5)
print(&quot;----&quot;, report.results[0], sep=&quot;\\n&quot;)
passed = report.passed"""
AUC = PRACTICE.format(id="auc", check=CHECK, stub="def my_auc(y_true, y_score):\n    ...\n")
OTHER = PRACTICE.format(id="other", check="passed = answer == 6\nprint(answer)", stub="answer = 6")
RIGHT = """\
def my_auc(y_true, y_score):
    positive, negative = y_score[y_true == 1], y_score[y_true == 0]
    gaps = positive[:, None] - negative
    return ((gaps > 0) + (gaps == 0) / 2).mean() if gaps.size else float("nan")"""


class Handler(QuietHandler):
    """The server of the site, with a policy."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()


@pytest.fixture(scope="module")
def address():
    with served(Handler) as address:
        yield address


@pytest.fixture(scope="module")
def practising(browser, address):
    """A page with two blocks of practice, whose Python runs cells for all tests that need no page of their own."""
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    tab = context.new_page()
    with with_block(tab, AUC + OTHER):
        yield tab
    context.close()


@pytest.fixture(scope="module")
def python(practising):
    check = f"{RIGHT}\nfrom metrics_book import practice\npassed = practice.check('auc', my_auc).passed"
    result = practising.evaluate(RUN, [[check], {"files": DATA}])
    assert result["done"]["passed"]
    return lambda *cells, **options: practising.evaluate(RUN, [cells, options])


@pytest.fixture
def tab(browser, address):
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


@contextmanager
def with_block(tab, html, page=LESSON):
    """The page with a block of practice at its end."""
    tab.route(f"**/{page}", lambda route: add(route, html))
    tab.goto(page)
    yield tab.locator(".practice.added")


def add(route, html):
    """Add the block, and SQLite as on a page with exercises in SQL."""
    response = route.fetch()
    body = response.text().replace('data-sqlite=""', 'data-sqlite="../../_static/python/sqlite.js"')
    route.fulfill(response=response, body=body.replace("</article>", f"{html}</article>"))


def words(name):
    script = (SITE / "_static" / "python" / "editor.js").read_text(encoding="utf-8")
    return re.search(rf'^  {name}: "(.*)",$', script, re.MULTILINE)[1]


def said(block):
    """What the block says when its code has run."""
    block.locator(".python-buttons button:not([disabled])").first.wait_for()
    block.get_by_role("button", name="Stop", disabled=True).wait_for()
    return re.sub("\n+", "\n", block.locator(".python-said").inner_text())


def open_cell(tab, number=0):
    cell = tab.locator(".cell.runs").nth(number)
    cell.locator(".python-edit").click()
    return cell


def code_in(area):
    """What an editor holds, or the text area in its place."""
    lines = "[...area.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')"
    return area.evaluate(f"area => area.value ?? {lines}")


def run_cell(cell, source):
    """Run the source in an open editor. Return what the page says at first, and at the end."""
    cell.get_by_role("textbox").fill(source)
    place = cell.locator(".python-said")
    place.evaluate("place => { place.replaceChildren(); place.all = []; }")
    place.evaluate(
        "place => new MutationObserver(() => place.all.push(place.textContent)).observe(place, { childList: true })"
    )
    cell.get_by_role("button", name="Run", exact=True).click()
    last = said(cell)
    return next(filter(None, place.evaluate("place => place.all"))), last


def loading(tab, what="Python"):
    """What the page says while it loads."""
    size = int(tab.locator("script[data-size]").get_attribute("data-size"))
    return words("loading").format(what=what, all=round(size / 1e6))


# ---- every cell -----------------------------------------------------------------------------------------------------


def marks(page):
    text = (SITE / "book" / f"{page}.html").read_text(encoding="utf-8")
    found = re.search(r'data-cells="([^"]*)"', text)
    return json.loads(found[1].replace("&quot;", '"'))


def committed(cell):
    """The plain text of the outputs of a cell."""
    outputs = (output.get("text") or f"{output.data['text/plain']}\n" for output in cell.outputs)
    return "".join(outputs)


def common(text):
    """What both machines print: in the page NumPy's integers have 32 bits, and its floats give no warnings."""
    text = re.sub(r"np\.int(32|64)|, dtype=int(32|64)", "", text)
    return re.sub(r"\nYour function warned: RuntimeWarning[^()]*", "", text).rstrip()


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_cells_give_the_committed_outputs(python, page):
    marked = marks(page)
    cells = [cell for cell in NOTEBOOKS[page].cells if cell.cell_type == "code"]
    assert [cell.id for cell in cells] == list(marked)
    sources = []
    for cell in cells:
        out = {line for first, last in marked[cell.id] for line in range(first, last + 1)}
        lines = enumerate(cell.source.split("\n"), start=1)
        sources.append("\n".join("" if number in out else line for number, line in lines))
    results = python(*sources, limit=30)["done"]["cells"]
    assert [result["error"] for result in results] == [None] * len(cells)
    pairs = [
        (committed(cell), result["out"]) for cell, result in zip(cells, results, strict=True) if not marked[cell.id]
    ]
    assert [pair for pair in pairs if common(pair[0]) != common(pair[1])] == []


def test_all_pages_one_after_another_fit_into_one_python(python):
    assert python("")["heap"] < 400e6  # it grows by a fifth at a time: 282 MB, 339


def test_every_cell_that_draws_nothing_can_be_edited():
    """But for two that need SymPy, those that need a large table or many guesses, and those that ask SQLite."""
    without = [
        page.partition("/")[2]
        for page, notebook in NOTEBOOKS.items()
        for cell in notebook.cells
        if cell.cell_type == "code" and "hide-input" not in cell.metadata.get("tags", []) and marks(page)[cell.id]
    ]
    known = {"binary": 1, "diversity": 10, "precision-recall-f": 1, "perplexity": 3, "a-billion-rows": 12}
    assert Counter(without) == known


# ---- edit and run ---------------------------------------------------------------------------------------------------


def test_a_reader_edits_and_runs_cells(tab, address):
    requests = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto(LESSON)
    tab.mouse.wheel(0, 9999)
    first = open_cell(tab, 2)
    area = first.get_by_role("textbox")
    area.wait_for()
    tab.locator(".cm-content:focus").wait_for()
    text = code_in(area)

    area.fill("A = A[::-1]\nprint(len(A))\nA[:2]")
    assert first.locator(".cm-lineNumbers .cm-gutterElement:visible").count() == 3
    area.press("Control+Enter")
    first.locator(".python-loading progress").wait_for()
    assert said(first) == "6\n[2, 1]"
    files = [url for url in requests if "/python/" in url or ".whl" in url]
    assert {url.rpartition("/")[2].partition("?")[0] for url in files} == {
        *("editor.js", "worker.js", "run.py", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide-lock.json"),
        *(path.name for path in (SITE / "_static" / "python").glob("*.whl")),
        *("python_stdlib.zip", *(path.name for path in (SITE / "notebooks").glob("*.whl"))),
    }
    assert all(url.startswith(address) for url in requests)

    # The cell above is run with its edit, and an error in it is told there.
    second = open_cell(tab, 3)
    second.get_by_role("textbox").fill("print(A)\nA[9]")
    second.get_by_role("button", name="Run", exact=True).click()
    assert said(second) == "[2, 1, 0, 3, 2, 3]\nIndexError: list index out of range (line 2)"
    area.fill("def top():\n    return A[9]")
    second.get_by_role("textbox").fill("top()")
    second.get_by_role("button", name="Run", exact=True).click()
    assert said(second) == "IndexError: list index out of range (line 2 of a cell above)"
    area.fill("1 +")
    second.get_by_role("button", name="Run", exact=True).click()
    assert said(second) == "SyntaxError: invalid syntax (line 1 of a cell above)"
    output = first.locator(".cell_output")
    assert output.is_hidden()
    area.fill("pass")
    area.press("Control+Enter")
    assert said(first) == "Done. It shows nothing."

    # A call that cannot be interrupted ends Python, and not the page; the seconds are short ones here.
    tab.evaluate("() => { const wait = setTimeout; globalThis.setTimeout = (call, time) => wait(call, time / 10); }")
    source = "import itertools\nsum(itertools.count())"
    second.get_by_role("textbox").fill(source)
    second.get_by_role("textbox").press("Control+Enter")
    first.get_by_role("button", name="Reset").click()
    assert output.is_visible()
    assert said(second) == words("endless").format(seconds=9.5)
    assert code_in(second.get_by_role("textbox")) == source
    first.locator(".python-edit").click()
    area.fill("6 * 7")
    area.press("Control+Enter")
    assert loading(tab) in first.locator(".python-said").inner_text()
    first.get_by_role("button", name="Stop").click()
    area.fill("1 +")

    # Edits are kept, and forgotten by Reset, which brings back the page.
    tab.reload()
    assert [code_in(area) for area in tab.locator(".cell").get_by_role("textbox").all()] == ["1 +", source]
    first.get_by_role("button", name="Reset").click()
    assert first.locator(".python").count() == 0
    assert first.get_by_role("button", name="Edit and run").evaluate("button => button === document.activeElement")
    assert first.locator("pre").first.inner_text().strip() == text
    tab.reload()
    assert [code_in(area) for area in tab.locator(".cell").get_by_role("textbox").all()] == [source]


def test_an_edit_of_code_that_has_changed_is_kept_and_says_so(tab):
    tab.goto(LESSON)
    cell = open_cell(tab)
    cell.get_by_role("textbox").fill("mine")
    key = "evaluation-metrics.python.book/lessons/ndcg"
    tab.evaluate(f"localStorage['{key}'] = localStorage['{key}'].replace(/\"of\":\"/, '$&other')")
    tab.reload()
    assert code_in(cell.get_by_role("textbox")) == "mine"
    assert "The page has other code here" in cell.locator(".python-said").inner_text()


def test_closed_or_spoilt_storage_does_no_harm(tab):
    tab.add_init_script("""Storage.prototype.getItem = (key) => key.includes(".python.") ? "{" : null;
        Storage.prototype.setItem = (key) => { if (key.includes(".python.")) throw new Error(key); }""")
    errors = []
    tab.on("pageerror", lambda error: errors.append(error))
    tab.goto(LESSON)
    cell = open_cell(tab)
    cell.get_by_role("textbox").fill("6 * 7")
    cell.get_by_role("button", name="Reset").click()
    assert cell.get_by_role("button", name="Edit and run").is_visible()
    assert errors == []


def test_the_keyboard_leads_in_and_out(tab):
    tab.goto(LESSON)
    edit = tab.locator(".python-edit").first
    edit.focus()
    assert edit.evaluate("button => getComputedStyle(button).opacity") == "1"
    tab.keyboard.press("Enter")
    area = tab.locator(".cell").get_by_role("textbox")
    tab.locator(".cm-content:focus").wait_for()
    tab.keyboard.press("Control+a")
    tab.keyboard.type("def f(x):\nif x:\nreturn 1")
    assert code_in(area) == "def f(x):\n    if x:\n        return 1"
    tab.keyboard.press("Control+z")
    assert code_in(area) != "def f(x):\n    if x:\n        return 1"
    tab.keyboard.press("Tab")
    assert "\n        if x" in code_in(area), "Tab indents"
    tab.keyboard.press("Escape")
    reached = []
    for _ in range(2):
        tab.keyboard.press("Tab")
        reached.append(tab.evaluate("document.activeElement.textContent"))
    assert reached == ["Run", "Reset"]
    for _ in range(3):
        tab.keyboard.press("Shift+Tab")
    assert tab.evaluate("document.activeElement.closest('.python')") is None


def test_stop_ends_what_runs_and_another_cell_waits(tab):
    tab.goto(LESSON)
    first, second = open_cell(tab, 1), open_cell(tab)
    first.get_by_role("textbox").fill("while True: pass")
    first.get_by_role("button", name="Run", exact=True).click()
    second.get_by_role("button", name="Run", exact=True).click()
    assert "is running" in second.locator(".python-said").inner_text()
    first.get_by_role("button", name="Stop").click()
    assert said(first) == "Stopped. The next run starts Python again."
    assert code_in(first.get_by_role("textbox")) == "while True: pass"


# ---- what may go wrong ----------------------------------------------------------------------------------------------

HOSTILE = {
    "while True: pass": "Stopped: not done",
    "def f(): return f()\nf()": "RecursionError: maximum recursion depth exceeded",
    "for i in range(10**8): print(i)": "Stopped: not done",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass": "Stopped: not done",
    "x = (1\ny": "SyntaxError: '(' was never closed",
    "import pandas": "No module named 'pandas'. In the page there are",
    "import sqlite3": "In the page there are",
    "sum(1 for _ in iter(int, 1))": "Stopped: not done",
    "class A:\n    def __repr__(self):\n        while True: pass\nA()": "Stopped: not done",
    "[[0] * 10**4] * 10**4": "Stopped: not done",
    "raise SystemExit(3)": "SystemExit: 3",
    "raise ValueError('two\\nlines')": "ValueError: two\nlines",
    "import numpy as np\nnp.ones(10**10)": "ValueError: Maximum allowed dimension exceeded",
    "input()": "EOFError",
}


@pytest.mark.parametrize("source", HOSTILE)
def test_what_cannot_end_well_is_told(python, source):
    done = python(source, limit=0.2 if HOSTILE[source].startswith("Stopped") else 5)["done"]
    (cell,) = done["cells"]
    assert HOSTILE[source] in cell["error"]["text"]
    assert len(cell["out"]) < 21_000
    assert python("1 + 1")["done"]["cells"] == [{"out": "2\n", "error": None}]


@pytest.mark.parametrize("body", ["\n  while True: pass", "return sum(1 for _ in iter(int, 1))"])
def test_a_submission_that_never_ends_is_stopped_and_reported(python, body):
    """What ends a cell ends the call within a check, and not the check."""
    check = "from metrics_book import practice\nreport = practice.check('auc', my_auc)"
    look = "['No result in time' in str(report), report.passed]"
    *_, cell = python(f"def my_auc(y_true, y_score): {body}", check, look, limit=1)["done"]["cells"]
    assert cell == {"out": "[True, False]\n", "error": None}


def test_a_result_of_ten_million_numbers_is_cut(python):
    (cell,) = python("[*range(1000), *[0] * 10**7]")["done"]["cells"]
    assert cell["error"] is None
    assert cell["out"].endswith(" 999,\n ...]\n")
    (cell,) = python("print('x' * 10**7)")["done"]["cells"]
    assert cell["out"] == f"{'x' * 20_000}\n... cut"


def test_a_run_knows_nothing_of_the_one_before(python):
    imports = "import builtins, math, numpy as np\n"
    left = "x = math.pi = builtins.len = 3\nnp.seterr(all='ignore')\nnp.set_printoptions(1)"
    assert python(imports + left)["done"]["cells"][0]["error"] is None
    asked = "len('ab'), math.pi > 3, np.array([1 / 3]), np.geterr()['over']"
    (cell,) = python(imports + asked)["done"]["cells"]
    assert cell["out"] == "(2, True, array([0.33333333]), 'warn')\n"
    assert python("x")["done"]["cells"][0]["error"]["text"] == "NameError: name 'x' is not defined"


# ---- practice -------------------------------------------------------------------------------------------------------


def test_a_submission_is_checked(practising):
    tab = practising
    blocks = tab.locator(".practice.added")
    block = blocks.first
    area = block.get_by_role("textbox")
    assert code_in(area) == "def my_auc(y_true, y_score):\n    ..."
    run = block.get_by_role("button", name="Run the tests")
    run.click()
    report = said(block)
    assert report.startswith("my_auc returns nothing yet.")
    assert "All tests" in report
    assert block.locator("details").first.get_attribute("open") is None
    assert "is-passed" not in block.get_attribute("class")
    area.fill("def my_auc(y_true, y_score):\n    while True: pass")
    run.click()
    assert "No result in time" in said(block)
    area.fill(RIGHT)
    run.click()
    assert "Passed." in said(block)
    assert "is-passed" in block.get_attribute("class")
    assert list(json.loads(tab.evaluate("localStorage['evaluation-metrics.passed']"))) == ["auc"]
    block.get_by_role("button", name="Show: Solutions").click()
    assert tab.locator("details.added").first.get_attribute("open") is not None
    assert tab.evaluate("document.activeElement.textContent") == "Solutions"
    area.fill("def my_auc(")
    run.click()
    assert said(block) == "SyntaxError: '(' was never closed (line 1)"
    area.fill("def other(): pass")
    run.click()
    assert said(block) == "NameError: name 'my_auc' is not defined"

    # A block knows nothing of the cells above.
    other = blocks.nth(1)
    other.get_by_role("button", name="Run the tests").click()
    assert said(other).split() == ["6", "Passed.", "Show:", "Solutions"]
    other.get_by_role("textbox").fill("answer = len(A)")
    other.get_by_role("button", name="Run the tests").click()
    assert said(other) == "NameError: name 'A' is not defined (line 1)"

    tab = tab.context.new_page()
    with with_block(tab, AUC + OTHER) as blocks:
        block = blocks.first
    assert code_in(block.get_by_role("textbox")) == "def other(): pass"
    block.get_by_role("button", name="Reset").click()
    assert code_in(block.get_by_role("textbox")) == "def my_auc(y_true, y_score):\n    ..."
    assert "is-passed" not in block.get_attribute("class")


def pass_by_hand(tab, name, label, wrong, right):
    """A wrong answer to a block does not pass, and a right one does and offers the solution below it."""
    block = tab.locator(f'.practice[data-id="{name}"]')
    code, said = block.get_by_role("textbox"), block.get_by_role("status")
    tab.locator("details.practice-solution").evaluate_all("all => all.forEach((one) => { one.open = false; })")
    for text, passed in ((wrong, False), (right, True)):
        code.fill(text)
        block.get_by_role("button", name=label).click()
        block.get_by_role("button", name=label, disabled=False).wait_for()
        assert ("is-passed" in block.get_attribute("class").split()) == passed, said.inner_text()
    assert tab.locator("details.practice-solution[open]").count() == 0
    said.get_by_role("button").last.click()
    opened = tab.locator("details.practice-solution[open]")
    assert opened.count() == 1
    after = "(details, id) => document.querySelector(`[data-id='${id}']`).compareDocumentPosition(details) & 4"
    assert opened.evaluate(after, name)


def test_an_answer_in_a_lesson_is_passed_by_hand_and_offers_the_solution(practising):
    exchange = next(record for record in load("try_it") if record["id"] == "ex-lesson-ndcg-exchange")
    pass_by_hand(practising, exchange["id"], "Check the answer", exchange["checks"][1]["wrong"], exchange["solution"])


# ---- where Python cannot run ----------------------------------------------------------------------------------------


def test_a_page_that_is_opened_as_a_file_says_why(browser):
    tab = browser.new_page()
    tab.goto((SITE / LESSON).as_uri())
    assert tab.locator(".python-edit, .python").count() == 0
    assert tab.locator(".python-refused").all_inner_texts() == [tab.locator(".python-refused").inner_text()]
    assert "make serve" in tab.locator(".python-refused").inner_text()
    tab.close()


def test_an_old_browser_says_why(tab):
    tab.add_init_script("delete window.WebAssembly")
    tab.goto(LESSON)
    assert tab.locator(".python-edit, .python").count() == 0
    assert "newer browser" in tab.locator(".python-refused").inner_text()


@pytest.mark.parametrize("lost", ["worker.js", "pyodide.asm.wasm", ".whl", "run.py"])
def test_a_file_that_is_missing_is_told(tab, lost):
    tab.route(re.compile(re.escape(lost)), lambda route: route.fulfill(status=404))
    tab.goto(LESSON)
    cell = open_cell(tab)
    cell.get_by_role("button", name="Run", exact=True).click()
    assert said(cell).startswith("Python does not run here: ")


def test_without_the_editor_the_text_area_does(tab):
    tab.route(re.compile("codemirror.js"), lambda route: route.abort())
    tab.goto(LESSON)
    cell = open_cell(tab)
    assert run_cell(cell, "6 * 7")[1] == "42"
    assert cell.locator("textarea").input_value() == "6 * 7"


def test_an_editor_that_is_missing_is_told(tab):
    tab.route(re.compile("editor.js"), lambda route: route.abort())
    tab.goto(LESSON)
    tab.locator(".cell.runs .python-edit").first.click()
    assert "could not be loaded" in tab.locator(".python-refused").first.inner_text()


# ---- everybody ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def edited(browser, origin, python):
    """A page with an editor that shows an error, and one for practice."""
    tab = browser.new_page(base_url=origin)
    with with_block(tab, AUC) as block:
        cell = open_cell(tab)
        cell.get_by_role("textbox").fill(f"# {'a long line' * 20}\nprint({'9' * 300})\n1 / 0")
        # What it says is what Python would: to start it here would take longer than all else.
        tab.evaluate(
            "() => { Worker.prototype.postMessage = function () { this.onmessage({ data: globalThis.answer }) } }"
        )
        result = python(code_in(cell.get_by_role("textbox")))
        above = tab.evaluate(
            """pythonInPage().then(({ cells }) => {
                const first = document.querySelector(".cell.runs");
                return cells.filter(({ node }) => node.compareDocumentPosition(first) & 4).length;
            })"""
        )
        result["done"]["cells"][0]["error"]["cell"] = above
        result["done"]["cells"][:0] = [{"out": "", "error": None}] * above
        tab.evaluate("answer => { globalThis.answer = answer }", result)
        cell.get_by_role("button", name="Run", exact=True).click()
        assert said(cell).endswith("ZeroDivisionError: division by zero (line 3)")
        yield tab, cell, block
    tab.close()


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_editor(edited, scheme, width):
    tab, cell, block = edited
    tab.set_viewport_size({"width": width, "height": 900})
    tab.emulate_media(color_scheme=scheme)
    tab.wait_for_function("(scheme) => document.documentElement.dataset.theme === scheme", arg=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    rules = {"target-size": {"enabled": True}}
    for part in (cell, block):
        assert part.locator(".python").is_visible()
    faults = Axe().run(tab, ".python", {"resultTypes": ["violations"], "rules": rules}).response["violations"]
    assert [(fault["id"], node["html"][:200]) for fault in faults for node in fault["nodes"][:3]] == []


def test_a_table_that_is_missing_is_told(python):
    """It comes last, as the Python of the other tests ends with it."""
    result = python("1", files=["cases/lost.csv"])
    assert result["failed"].endswith("cases/lost.csv: 404")
