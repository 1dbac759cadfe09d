"""What pages load to run Python is what its README says, and cells are marked by what they need."""

import gzip
import hashlib
import json
import re
import zipfile
from html.parser import HTMLParser
from inspect import signature

import pytest

from book._ext.runnable import TOO_MUCH, left_out
from metrics_book import practice
from tests.registries import ROOT
from tools import notebooks

SITE = ROOT / "_build" / "html"
STATIC = ROOT / "book" / "_static"
FOLDER = STATIC / "python"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
FILES = {cells[1].strip(" `"): cells[2:] for line in README.splitlines() if len(cells := line.split("|")) == 8}
LICENCES = {
    "MPL-2.0": ("pyodide", "Mozilla Public License Version 2.0"),
    "PSF-2.0": ("python", "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2"),
    "BSD-3-Clause": ("numpy", "Redistribution and use in source and binary forms"),
    "public domain": ("sqlite", "The author disclaims copyright to this source code."),
    "MIT": ("sqlite", "Permission is hereby granted, free of charge"),
    "Apache-2.0": ("sqlite", "Apache License"),
}
BOOK = {path.relative_to(ROOT).with_suffix("").as_posix(): path for path in notebooks.book_notebooks()}


# ---- the files ------------------------------------------------------------------------------------------------------


def test_the_files_are_those_of_the_readme():
    others = {
        "README.md",
        "pyodide-lock.json",
        "editor.js",
        "run.py",
        "sqlite.js",
        "worker.js",
        *(f"LICENSE-{n}.txt" for n, _ in LICENCES.values()),
    }
    listed = {name for name in FILES if (FOLDER / name).exists()}
    assert {path.name for path in FOLDER.iterdir() if path.is_file()} == listed | others
    assert len(listed) == 6
    for name in listed:
        *_, what = FILES[name]
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == FILES[name][4].strip(" `"), what


def test_the_versions_are_those_of_the_readme():
    lock = json.loads((FOLDER / "pyodide-lock.json").read_text(encoding="utf-8"))
    assert (lock["info"]["version"], lock["info"]["python"]) == ("0.27.7", "3.12.7")
    assert FILES["pyodide.asm.wasm"][1].split() == ["3.12.7", "and", "0.27.7"]
    assert '"0.27.7"' in (FOLDER / "pyodide.mjs").read_text(encoding="utf-8")
    (numpy,) = lock["packages"].values()
    wheel = FOLDER / numpy["file_name"]
    assert numpy["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert FILES[wheel.name][1].strip() == numpy["version"] == "2.0.2"
    assert numpy["depends"] == []


def test_the_licences_stand_beside_the_files():
    kinds = [cells[2].strip() for cells in FILES.values() if cells[2].strip() not in {"licence", "---"}]
    assert {licence for kind in kinds for licence in kind.split(", ")} == set(LICENCES)
    for name, words in LICENCES.values():
        assert words in (FOLDER / f"LICENSE-{name}.txt").read_text(encoding="utf-8")
    with zipfile.ZipFile(next(FOLDER.glob("numpy-*.whl"))) as wheel:
        text = wheel.read("numpy-2.0.2.dist-info/LICENSE.txt").decode()
    assert text == (FOLDER / "LICENSE-numpy.txt").read_text(encoding="utf-8")


def test_the_editor_is_the_one_that_is_described():
    read = {path.name: path.read_bytes() for path in (STATIC / "editor").iterdir()}
    assert hashlib.sha256(read["codemirror.js"]).hexdigest() in read["README.md"].decode()
    assert len(gzip.compress(read["codemirror.js"])) < 111_000
    imported = set(re.findall(r'from "(@\w+/[\w-]+)', read["entry.js"].decode()))
    assert imported <= set(re.findall(r"`(@\w+/[\w-]+)`", read["README.md"].decode()))
    assert b"MIT License" in read["LICENSE-codemirror.txt"]


def test_what_travels_is_small():
    sizes = [len(gzip.compress(path.read_bytes())) for path in (STATIC / "python-cells.js", FOLDER / "editor.js")]
    assert sizes[0] < 1_500
    assert sum(sizes) < 6_500
    assert sum(len(gzip.compress(path.read_bytes(), 6)) for path in FOLDER.iterdir()) < 10e6


def test_a_cell_and_the_end_of_the_worker_take_less_than_ten_seconds():
    script = (FOLDER / "editor.js").read_text(encoding="utf-8")
    limit, grace = (float(re.search(rf"const {name} = ([\d.]+);", script)[1]) for name in ("LIMIT", "GRACE"))
    assert limit + grace < 10
    # A query that never ends is stopped before the cell is.
    assert limit > signature(practice.check).parameters["time_limit"].default + 2


# ---- which cells run ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "lines"),
    [
        (["import math\nmath.pi", "import numpy as np"], [[], []]),
        (
            ["import math, sqlite3\nlog = sqlite3.connect(':memory:')", "log.execute('SELECT 1')", "1"],
            [[(1, 1), (2, 2)], [(1, 1)], []],
        ),
        (
            ["import matplotlib.pyplot as plt\nx = 1", "fig, ax = plt.subplots()\ny = x", "y", "ax"],
            [[(1, 1)], [(1, 1)], [], [(1, 1)]],
        ),
        (["from metrics_lib import ndcg", "from metrics_book.style import use_book_style"], [[], [(1, 1)]]),
        (["import sympy\nx = sympy.Symbol('x')", "x = 1", "x"], [[(1, 1), (2, 2)], [], []]),
        (
            ["import sympy as s\nfor n in s.x:\n    k = n", "for n in [1]:\n    print(n)", "n", "k"],
            [[(1, 1), (2, 3)], [], [], [(1, 1)]],
        ),
        (["import sympy as s\nn = s.x", "for n in n:\n    pass"], [[(1, 1), (2, 2)], [(1, 2)]]),
        (
            ["import sympy as s\nn = s.x", "n += 1", "[n for n in 'ab']", "lambda n: n", "lambda: n"],
            [[(1, 1), (2, 2)], [(1, 1)], [], [], [(1, 1)]],
        ),
        (["import sympy as s", "@s.cache\ndef f():\n    n = 1", "n = 2", "f()"], [[(1, 1)], [(1, 3)], [], [(1, 1)]]),
        (["import sympy as s", "if 1:\n    n = s.x\nelse:\n    n = 2", "n"], [[(1, 1)], [(1, 4)], [(1, 1)]]),
    ],
)
def test_what_needs_more_is_left_out(cells, lines):
    assert left_out(cells) == lines


def test_what_takes_too_long_is_in_the_book():
    sources = [cell.source for path in BOOK.values() for cell in notebooks.read(path).cells if cell.cell_type == "code"]
    texts = [" ".join(source.split()) for source in sources]
    for part in TOO_MUCH:
        assert any(part in text for text in texts), part


# ---- what stands on the pages ---------------------------------------------------------------------------------------


class Cells(HTMLParser):
    """The code of each cell of a page by its id, and what the script is told."""

    def __init__(self, text):
        super().__init__()
        self.code, self.runs, self.told, self.cell, self.inside, self.is_input = {}, set(), None, None, False, False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        classes = (attributes.get("class") or "").split()
        if tag == "div" and "cell" in classes:
            self.cell = (attributes.get("id") or "").removeprefix("cell-")
            self.runs |= {self.cell} if "runs" in classes else set()
        elif tag == "div" and "cell_input" in classes:
            self.is_input = True
        elif tag == "pre" and self.is_input:
            self.is_input = False
            self.inside, self.code[self.cell] = True, ""
        elif tag == "script" and "python-cells.js" in (attributes.get("src") or ""):
            self.told = attributes

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data):
        if self.inside:
            self.code[self.cell] += data


@pytest.mark.parametrize("page", BOOK)
def test_the_page_has_the_code_of_its_notebook_and_says_what_runs(page):
    shown = Cells((SITE / f"{page}.html").read_text(encoding="utf-8"))
    cells = [cell for cell in notebooks.read(BOOK[page]).cells if cell.cell_type == "code"]
    assert shown.code == {cell.id: f"{cell.source}\n" for cell in cells}
    lines = dict(zip(shown.code, left_out(list(shown.code.values())), strict=True))
    assert json.loads(shown.told["data-cells"]) == {
        name: [list(pair) for pair in pairs] for name, pairs in lines.items()
    }
    assert shown.runs == {name for name, pairs in lines.items() if not pairs}
    assert "defer" in shown.told
    told = [shown.told[f"data-{name}"].partition("?")[0] for name in ("editor", "worker")]
    for name in told + json.loads(shown.told["data-wheels"]):
        assert (SITE / f"{page}.html").parent.joinpath(name).is_file()
    for name in json.loads(shown.told["data-files"]):
        assert (SITE / "notebooks" / name).is_file()


def test_pages_without_code_load_nothing_of_it():
    pages = [path for path in SITE.rglob("*.html") if "python-cells.js" in path.read_text(encoding="utf-8")]
    have = [path for path in pages if re.search(r'class="(cell|practice)\b', path.read_text(encoding="utf-8"))]
    assert pages == have
    assert len(pages) >= len(BOOK)


@pytest.mark.parametrize("page", ["lessons/ndcg", "interview/exercises-labels", "interview/exercises-scores"])
def test_the_size_that_is_told_is_that_of_the_files(page):
    """Where an exercise is in SQL, SQLite comes with Python."""
    told = Cells((SITE / "book" / f"{page}.html").read_text(encoding="utf-8")).told
    in_sql = page == "interview/exercises-scores"
    files = ["pyodide-lock.json", "pyodide.asm.wasm", "python_stdlib.zip", "run.py", *["sqlite3.wasm"] * in_sql]
    paths = [*(SITE / "_static" / "python" / name for name in files)]
    paths += [*(SITE / "_static" / "python").glob("*.whl"), *(SITE / "notebooks").glob("*.whl")]
    assert int(told["data-size"]) == sum(path.stat().st_size for path in paths)
    assert ("/sqlite.js?" in told["data-sqlite"]) == in_sql


def test_a_query_has_the_time_that_a_check_gives_it():
    limit = re.search(r"const LONGEST = (\d+);", (FOLDER / "sqlite.js").read_text(encoding="utf-8"))
    assert int(limit[1]) == 1000 * signature(practice.check).parameters["time_limit"].default
