"""The front page: its picture shows what the library computes, and its figures are what tests and registries hold."""

import importlib
import re

import pytest

from tests.book.chapter import Chapter
from tests.registries import ROOT, load
from tools import notebooks


@pytest.fixture
def front_page(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("front_page")


@pytest.fixture
def record_pages(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("record_pages")


def test_the_picture_has_the_ten_values_of_the_lesson(front_page):
    """Each value stands beside its mark, on the line of its ideal, in the order of the lesson's table."""
    shown = {
        kind: re.findall(rf'<g class="{kind}">.*?>(0\.\d+)</text>', front_page.picture())
        for kind in ("linear", "exponential")
    }
    lesson = Chapter.read(notebooks.BOOK / "lessons" / "ndcg.ipynb")
    cells = [cell.text for cell in lesson.of_kind("td") if cell.section == "The choices"]
    rows = [cells[start : start + 5] for start in range(0, 25, 5)]
    assert shown == {"linear": [row[2] for row in rows], "exponential": [row[3] for row in rows]}
    assert len({*shown["linear"], *shown["exponential"]}) == 10


def test_a_mark_stands_where_its_value_is(front_page):
    marks = re.findall(r'<g class="\w+"><(?:circle cx="|path d="M)([\d.]+).*?>(0\.\d+)</text>', front_page.picture())
    assert len(marks) == 10
    for place, value in marks:
        share = (float(place) - front_page.LEFT) / (front_page.RIGHT - front_page.LEFT)
        assert front_page.LEAST + share * (front_page.GREATEST - front_page.LEAST) == pytest.approx(
            float(value), abs=1e-3
        )


def test_who_has_no_repository_offers_none(record_pages):
    assert record_pages.fill("where-to-report", {"repository": ""}).strip() == ""
    assert "(https://github.com/some/book/issues)" in record_pages.fill("where-to-report", {"repository": "some/book"})


def test_the_page_counts_the_tests_of_the_notebooks(record_pages, request):
    said = record_pages.fill(
        "behind-the-pages", {"claims": record_pages.claims, "load": load, "last_run": lambda: None}
    )
    claims = {(item.path, item.originalname) for item in request.session.items if "/claims/" in item.nodeid}
    if request.config.args == request.config.getini("testpaths"):
        assert f" {len(claims)} tests " in said
    assert f" {len(load('errata'))} of their faults " in said
    assert "run" not in said


def test_the_page_says_what_the_last_run_gave(record_pages):
    run = {"day": "2026-01-02", "passed": 12345, "skipped": 6}
    said = record_pages.fill("behind-the-pages", {"claims": lambda: 1, "load": load, "last_run": lambda: run})
    assert "on 2026-01-02, 12,345 tests passed and 6 had nothing to compare with" in said
