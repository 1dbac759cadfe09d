"""The tables of the reference pages say what their registries say, and what the registries say is executed."""

import ast
import inspect
import re
import warnings
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from itertools import groupby

import numpy as np
import pytest
import sklearn.metrics
from docutils.nodes import make_id

import metrics_lib
from tests.registries import DECIMAL, NAMES, ROOT, evaluate, exact, flat, lines, load, names, same, values

SITE = ROOT / "_build" / "html" / "book"
DOCUMENTS, ERRATA, CONVENTIONS, EDGES = map(load, ["documents", "errata", "conventions", "edge_cases"])
CLAIMS = [(record["document"], right) for record in DOCUMENTS for right in record["right"]]
PAGES = {document: f"errata-{document}" for document in ("000", "001", "002", "003", "004")} | {"X": "errata-between"}
VERDICTS = ["wrong", "ambiguous", "customary", "restored"]
TASKS = ["labels", "scores", "ranked lists", "numbers", "distributions"]


class Row:
    """The cells of a row of a table as text, their roles and labels, and its anchors and links."""

    def __init__(self, folds):
        self.cells, self.parts, self.ids, self.links, self.folds = [], [], [], [], folds


class Page(HTMLParser):
    """The text of a page, its tables as lists of rows, and its anchors; of a formula the text is its source."""

    def __init__(self, name):
        super().__init__()
        self.text, self.tables, self.ids, self.row = "", [], [], None
        self.folds, self.formula, self.source = False, 0, False
        self.feed((SITE / f"{name}.html").read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        classes = (attributes.get("class") or "").split()
        self.source = tag == "annotation"
        self.ids += [attributes["id"]] if "id" in attributes else []
        if self.formula or "math" in classes:
            self.formula += tag == "span"
        elif tag == "table":
            self.tables.append([])
            self.folds = "fold" in classes
        elif tag == "tr":
            self.row = Row(self.folds)
            self.tables[-1].append(self.row)
        elif tag in ("td", "th"):
            self.row.cells.append("")
            self.row.parts.append((attributes.get("role"), attributes.get("data-label")))
        if self.row:
            self.row.ids += [attributes["id"]] if "id" in attributes else []
            self.row.links += [attributes["href"]] if "href" in attributes else []

    def handle_endtag(self, tag):
        self.source = False
        if self.formula:
            self.formula -= tag == "span"
        elif tag == "tr":
            self.row = None

    def handle_data(self, data):
        if self.formula and not self.source:
            return
        self.text += data
        if self.row and self.row.cells:
            self.row.cells[-1] += data

    def row_of(self, anchor):
        return next(row for table in self.tables for row in table if anchor in row.ids)


page = cache(Page)


def words(text):
    """The words of a text, whatever the marks and quotation marks between them."""
    return " ".join(re.findall(r"\w+", text))


def says(cell, text):
    return words(text) in words(cell)


def of_document(document):
    return [record for record in ERRATA if record["id"].startswith(f"{document}-")]


# What the documents get right


def test_the_five_documents_are_in_order():
    assert [record["document"] for record in DOCUMENTS] == ["000", "001", "002", "003", "004"]


@pytest.mark.parametrize("record", DOCUMENTS, ids=lambda record: record["document"])
def test_a_document_is_introduced_by_its_page(record):
    text = (ROOT / "book" / record["folder"] / "index.md").read_text(encoding="utf-8")
    assert f"\n# {record['name'][0].upper()}{record['name'][1:]}\n" in text
    assert f"```{{document-head}} {record['document']}\n" in text
    assert f"```{{right-things}} {record['document']}\n" in text
    assert f"```{{errata}} {record['document']}\n" in text
    assert any(right["checks"] for right in record["right"])


@pytest.mark.parametrize(("document", "right"), CLAIMS, ids=lambda part: part if isinstance(part, str) else "")
def test_what_a_document_gets_right_is_computed(document, right):
    assert list(right) == ["claim", "checks"]
    for check in right["checks"]:
        assert list(check) == ["expr", "value"]
        assert same(evaluate(check["expr"]), exact(check["value"])), check
    values = [number for check in right["checks"] for number in flat(exact(check["value"]))]
    assert all(any(names(printed, value) for value in values) for printed in DECIMAL.findall(right["claim"]))


def test_the_overview_says_what_is_right():
    table = page("reference/errata").tables[1][1:]
    assert len(table) == len(DOCUMENTS)
    for record, row in zip(DOCUMENTS, table, strict=True):
        assert row.cells[0].strip().lower() == record["name"]
        assert words(row.cells[1]) == words(" ".join(right["claim"] for right in record["right"]))


# Errata


def test_a_remark_has_a_line_on_the_page_of_its_document():
    for document, name in PAGES.items():
        found = [anchor for anchor in page(f"reference/{name}").ids if anchor.startswith("entry-")]
        records = sorted(of_document(document), key=lambda record: VERDICTS.index(record["verdict"]))
        if document == "X":
            records = sorted(records, key=lambda record: record["verdict"] == "ambiguous")
        assert found == [f"entry-{record['id'].lower()}" for record in records]


@pytest.mark.parametrize("record", ERRATA, ids=lambda record: record["id"])
def test_the_line_of_a_remark_says_where_and_what_to_write(record):
    row = page(f"reference/{PAGES[record['id'].partition('-')[0]]}").row_of(f"entry-{record['id'].lower()}")
    where, what = row.cells
    assert record["id"] in where
    assert record.get("find", "") in where
    assert says(what, record["change"])
    assert record.get("write", "") in what
    assert f"../{record['home']}.html#erratum-{record['id'].lower()}" in row.links


@pytest.mark.parametrize("record", [r for r in ERRATA if r["id"][0] != "X"], ids=lambda record: record["id"])
def test_a_remark_stands_under_a_heading_of_its_document(record):
    headings = next(d["sections"] for d in DOCUMENTS if d["document"] == record["id"][:3])
    assert headings == sorted(headings)
    above = [heading for at, heading in headings if at <= lines(record)[0]]
    row = page(f"reference/{PAGES[record['id'][:3]]}").row_of(f"entry-{record['id'].lower()}")
    assert above[-1] in row.cells[0]


def test_the_corrections_that_matter_are_all_that_are_wrong_and_severe():
    rows = page("reference/corrections-that-matter").tables[0][1:]
    links = " ".join(link for row in rows for link in row.links)
    assert sorted(re.findall(r"erratum-(\d+-\d+)", links)) == [
        r["id"] for r in ERRATA if r["verdict"] == "wrong" and r["severity"] == 3
    ]
    known = {record["id"]: record for record in ERRATA}
    for row in rows:
        assert says(row.cells[1], known[re.search(r"erratum-(\d+-\d+)", row.links[0])[1]]["demo"])


def test_the_old_address_of_the_corrections_leads_to_them():
    assert "url=corrections-that-matter.html" in (SITE / "reference" / "twelve.html").read_text(encoding="utf-8")


def test_the_overview_counts_the_remarks():
    table, _ = page("reference/errata").tables
    counts = [[sum(r["verdict"] == verdict for r in of_document(d)) for verdict in VERDICTS] for d in PAGES]
    assert [[int(cell) for cell in row.cells[1:]] for row in table[1:]] == [*counts, np.sum(counts, axis=0).tolist()]
    assert f"{sum(row[0] for row in counts)} passages of the five documents are wrong" in page("reference/errata").text


@pytest.mark.parametrize("record", DOCUMENTS, ids=lambda record: record["document"])
def test_the_page_of_a_document_names_what_is_wrong_and_links_its_examples(record):
    text = (SITE / record["folder"] / "index.html").read_text(encoding="utf-8")
    wrong = [fault["id"] for fault in of_document(record["document"]) if fault["verdict"] == "wrong"]
    assert {name.upper() for name in re.findall(r'#erratum-([\dx]+-\d+)"', text)} == set(wrong)
    for example in record["worked"]:
        assert f'#{make_id(example["label"])}"' in text


# Conventions


def called(expression):
    """The functions of metrics_lib that an expression calls."""
    calls = (node.func for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Call))
    return {call.id for call in calls if isinstance(call, ast.Name) and call.id in metrics_lib.__all__}


def assert_argument(argument, expression):
    """It is an argument of a function that the expression calls, with this value there or by default."""
    source = f"call({argument})"
    for keyword in ast.parse(source, mode="eval").body.keywords:
        signatures = [inspect.signature(NAMES[name]).parameters for name in called(expression)]
        defaults = [parameters[keyword.arg].default for parameters in signatures if keyword.arg in parameters]
        assert defaults, f"{expression} has no argument {keyword.arg}"
        if ast.get_source_segment(source, keyword) not in expression:
            assert keyword.arg not in re.findall(r"(\w+)=", expression)
            value = evaluate(ast.unparse(keyword.value))
            assert repr(value) in map(repr, defaults)  # nan is not equal to itself


def assert_code(code):
    """What a phrase names in code exists: functions of the library, fields of its results, functions of NumPy."""
    owners = {"counts": metrics_lib.ConfusionCounts, "curve": metrics_lib.RocCurve, "np": np}
    tree = ast.parse(code, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = owners[node.value.id]
            assert hasattr(owner, node.attr) or node.attr in inspect.signature(owner).parameters
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id in metrics_lib.__all__
            parameters = inspect.signature(NAMES[node.func.id]).parameters
            assert {keyword.arg for keyword in node.keywords} <= set(parameters)


@pytest.mark.parametrize("record", CONVENTIONS, ids=lambda record: record["id"])
def test_a_keyword_selects_its_definition(record):
    assert record["task"] in TASKS
    for definition in record["definitions"]:
        keyword = definition["keyword"]
        if re.match(r"\w+=", keyword):
            assert_argument(keyword, definition["expr"])
        else:
            assert re.search(r"\w", keyword)
        for code in re.findall(r"`([^`]+)`", keyword):
            if re.match(r"\w+=", code):
                assert_argument(code, definition["expr"])
            else:
                assert_code(code)
                if not keyword.startswith("no keyword"):
                    assert_evaluated(code, [definition["expr"], *definition.get("also", [])])


def assert_evaluated(code, expressions):
    """The call that is shown is one that is evaluated, with data in the place of its names."""
    shown = ast.parse(code, mode="eval").body
    nodes = [node for expression in expressions for node in ast.walk(ast.parse(expression, mode="eval"))]
    assert any(stands_for(shown, node) for node in nodes), f"{code} is not evaluated"


def stands_for(shown, evaluated):
    """Whether the code that is shown becomes the evaluated one when its names of data are replaced."""
    if isinstance(shown, ast.Name) and shown.id not in NAMES:
        return isinstance(evaluated, ast.expr)
    if isinstance(shown, list):
        return len(shown) == len(evaluated) and all(map(stands_for, shown, evaluated))
    if not isinstance(shown, ast.AST):
        return shown == evaluated
    return type(shown) is type(evaluated) and all(
        stands_for(getattr(shown, field), getattr(evaluated, field)) for field in shown._fields
    )


@pytest.mark.parametrize("record", CONVENTIONS, ids=lambda record: record["id"])
def test_a_default_has_a_reason_without_uncomputed_numbers(record):
    assert len(record["why"]) > 40
    computed = [number for definition in record["definitions"] for number in values(definition)]
    assert all(any(names(printed, value) for value in computed) for printed in DECIMAL.findall(record["why"]))


def test_the_page_of_conventions_has_each_quantity_once_by_task():
    found = [name for name in page("reference/conventions").ids if name.startswith("quantity-")]
    wanted = sorted(CONVENTIONS, key=lambda record: TASKS.index(record["task"]))
    assert found == [f"quantity-{record['id']}" for record in wanted]


@pytest.mark.parametrize("record", CONVENTIONS, ids=lambda record: record["id"])
def test_a_table_of_conventions_says_what_its_record_says(record):
    by_task = sorted(CONVENTIONS, key=lambda record: TASKS.index(record["task"]))
    for key in ("quantity", "example", "why"):
        assert says(page("reference/conventions").text, record[key])
    rows = page("reference/conventions").tables[by_task.index(record)][1:]
    for definition, row in zip(record["definitions"], rows, strict=True):
        words_of, value, users, keyword = row.cells
        assert says(words_of, definition["definition"])
        assert ("our default" in words_of) == definition.get("default", False)
        documents = [document["short"] for document in DOCUMENTS if document["document"] in definition["used_by"]]
        assert words(users).removeprefix("notes ") == words(", ".join(documents + definition["field"]))
        assert words(keyword) == words(definition["keyword"])
        assert ("ValueError" in value) == (definition["value"] == "ValueError")
        for number in values(definition):
            printed = re.findall(r"-?\d+(?:\.\d+|/\d+)?|nan|inf", value)
            assert str(number) in printed or any("." in text and names(text, number) for text in printed)
        assert all(any(names(text, number) for number in values(definition)) for text in DECIMAL.findall(value))


# Edge cases


def outcome(expression):
    """What an expression gives: its value and the warning, or the error and its message."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = eval(expression, NAMES | {"sk": sklearn.metrics})
        except Exception as error:
            return {"error": type(error).__name__, "message": str(error)}
    assert len(caught) < 2
    return {"value": value} | ({"warning": caught[0].category.__name__} if caught else {})


def assert_outcome(expression, wanted):
    got = outcome(expression)
    assert list(got) == list(wanted), got
    if "error" in wanted:
        assert got["error"] == wanted["error"]
        assert wanted["message"] in got["message"]
    else:
        assert same(got["value"], exact(wanted["value"]))
        assert got.get("warning") == wanted.get("warning")


def of_edge(record):
    return f"{record['group']}: {record['situation']}"


@pytest.mark.parametrize("record", EDGES, ids=of_edge)
def test_an_edge_case_is_what_both_libraries_do(record):
    assert list(record) == ["group", "situation", "call", "ours", "sklearn_call", "sklearn", "note"]
    assert called(record["call"])
    assert_outcome(record["call"], record["ours"])
    assert (record["sklearn_call"] is None) == (record["sklearn"] is None)
    if record["sklearn"] is None:
        assert not any(hasattr(sklearn.metrics, name) for name in called(record["call"]))
    else:
        assert record["sklearn_call"].startswith("sk.")
        assert_outcome(record["sklearn_call"], record["sklearn"])


def test_edge_cases_are_unique_and_grouped():
    groups = [group for group, _ in groupby(record["group"] for record in EDGES)]
    assert len(groups) == len(set(groups))
    assert max(Counter(map(of_edge, EDGES)).values()) == 1
    assert max(Counter(record["call"] for record in EDGES).values()) == 1
    assert not [record["note"] for record in EDGES if DECIMAL.search(record["note"] or "")]


def test_the_page_of_edge_cases_says_what_the_records_say():
    tables = page("reference/edge-cases").tables
    groups = [list(records) for _, records in groupby(EDGES, key=lambda record: record["group"])]
    for records, rows in zip(groups, tables, strict=True):
        for record, row in zip(records, rows[1:], strict=True):
            situation, *outcomes = row.cells
            for text in filter(None, (record["situation"], record["call"], record["note"])):
                assert says(situation, text)
            for cell, result in zip(outcomes, (record["ours"], record["sklearn"]), strict=True):
                assert_shown(cell, result)
            if record["sklearn_call"] not in (None, f"sk.{record['call']}"):
                assert says(outcomes[1], record["sklearn_call"].removeprefix("sk."))


def assert_shown(cell, result):
    if result is None:
        assert cell.strip() == "no such function"
        return
    for key in ("error", "message", "warning"):
        assert says(cell, result.get(key, ""))
    assert ("Warning" in cell) == ("warning" in result)
    for number in flat(exact(result.get("value", []))):
        printed = re.findall(r"-?\d+(?:\.\d+|/\d+)?|nan|-?inf", cell)
        assert str(number) in printed or any("." in text and names(text, number) for text in printed)


# Tables that fold


def test_a_cell_of_a_folding_table_carries_the_head_of_its_column():
    folded = re.compile(r"<table\b[^>]*\bfold\b")
    paths = [path for path in sorted(SITE.rglob("*.html")) if folded.search(path.read_text(encoding="utf-8"))]
    names_of_pages = [path.relative_to(SITE).with_suffix("").as_posix() for path in paths]
    tables = [table for name in names_of_pages for table in page(name).tables if table[0].folds]
    assert len(tables) > len(CONVENTIONS)
    for head, *body in tables:
        assert {role for role, _ in head.parts} == {"columnheader"}
        for row in body:
            for heading, cell, (role, label) in zip(head.cells, row.cells, row.parts, strict=True):
                assert role in ("cell", "rowheader")
                assert words(heading) in words(label) if label is not None else not cell.strip()


def test_the_style_sheet_folds_tables_on_phones():
    css = (SITE.parent / "_static" / "site.css").read_text(encoding="utf-8")
    phones = css[css.index("table.fold") - 2000 :]
    assert re.search(r"@media \(max-width: ?576px\)\s*\{[^@]*table\.fold[^@]*attr\(data-label\)", phones)
