"""The front page: its picture shows what the library computes, and its figures are what tests and registries hold."""

import importlib
import itertools
import math
import re
from fractions import Fraction

import pytest

from tests.registries import ROOT, load


@pytest.fixture
def front_page(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("front_page")


@pytest.fixture
def record_pages(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("record_pages")


def test_each_metric_has_a_winner_of_its_own(front_page):
    """By its definition, in exact fractions."""
    exact = {app: [Fraction(str(chance)) for chance in chances] for app, chances in front_page.APPS.items()}
    for place, (app, chances) in enumerate(exact.items()):
        pairs = list(zip(chances, front_page.LATE, strict=True))
        late, others = ([chance for chance, is_late in pairs if is_late == kind] for kind in (1, 0))
        won = [(a > b) + Fraction(a == b, 2) for a in late for b in others]
        defined = [
            Fraction(sum((chance >= Fraction(1, 2)) == is_late for chance, is_late in pairs), len(pairs)),
            Fraction(sum(chance >= Fraction(1, 2) for chance in late), len(late)),
            sum(won) / len(won),
            sum((chance - is_late) ** 2 for chance, is_late in pairs) / len(pairs),
        ]
        assert front_page.values(front_page.APPS[app]) == pytest.approx(list(map(float, defined)))
        ours = [front_page.values(other)[place] for other in front_page.APPS.values()]
        assert ours.count(min(ours) if place == 3 else max(ours)) == 1
        assert front_page.best()[place] == app


def test_a_dot_is_where_its_flight_is(front_page):
    for chances in front_page.APPS.values():
        dots = re.findall(r'<circle class="strip-(\w+)" cx="(\d+)" cy="(-?\d+)"', front_page.strip(chances))
        assert sorted((kind == "late", int(x)) for kind, x, _ in dots) == sorted(
            (bool(late), round(8 + 284 * chance)) for chance, late in zip(chances, front_page.LATE, strict=True)
        )
        for (_, x, y), (_, other_x, other_y) in itertools.combinations(dots, 2):
            assert math.hypot(int(x) - int(other_x), int(y) - int(other_y)) >= 2 * front_page.RADIUS


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
    assert f" {sum(remark['verdict'] == 'wrong' for remark in load('errata'))} of their passages are wrong" in said
    assert "run" not in said


def test_the_page_says_what_the_last_run_gave(record_pages):
    run = {"day": "2026-01-02", "passed": 12345, "skipped": 6}
    said = record_pages.fill("behind-the-pages", {"claims": lambda: 1, "load": load, "last_run": lambda: run})
    assert "on 2026-01-02, 12,345 tests passed and 6 had nothing to compare with" in said
