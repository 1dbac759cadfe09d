"""What lessons let one try: each exercise has a record, each record is used, and answers are judged rightly."""

import ast
import importlib
import io
from contextlib import redirect_stdout
from functools import cache
from symtable import symtable

import pytest

from metrics_book.practice.answers import SHOWN
from tests.book import rules
from tests.book.chapter import Chapter
from tests.registries import ROOT, load

RECORDS = {record["id"]: record for record in load("try_it")}
CHECKS = [(name, number) for name, record in RECORDS.items() for number in range(len(record["checks"]))]
EACH = pytest.mark.parametrize("name", RECORDS)


@pytest.fixture
def blocks(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return importlib.import_module("practice_blocks")


def judged(blocks, record, answer):
    """What is printed of an answer, and whether it passes: run as in the page, in names of its own."""
    names, printed = {"__name__": "__main__"}, io.StringIO()
    with redirect_stdout(printed):
        exec("\n\n".join([record["stub"], answer, blocks.checking(record)]), names)
    return " ".join(printed.getvalue().split()), names["passed"]  # whose lines are short


@cache
def exercises():
    """The label of each exercise of a lesson, and what is to be tried in it."""
    lessons = [Chapter.read(ROOT / "book" / "lessons" / f"{record['id']}.ipynb") for record in load("lessons")]
    return [
        (exercise.options["label"], [part.argument for part in parts if getattr(part, "name", "") == "try-it"])
        for lesson in lessons
        for exercise, parts in lesson.gated("exercise")
    ]


def test_each_exercise_of_a_lesson_is_tried_in_the_page_and_each_record_is_used():
    assert exercises() == [(label, [label]) for label, _ in exercises()]
    assert sorted(label for label, _ in exercises()) == sorted(RECORDS)


@EACH
def test_stub_is_short_and_answered_kindly(blocks, name):
    stub = RECORDS[name]["stub"]
    lines = stub.splitlines()
    assert len(lines) <= 8
    assert max(map(len, lines)) <= rules.WIDTH
    said, passed = judged(blocks, RECORDS[name], "")
    assert not passed
    blank = blocks.blanks(stub)
    if blank:
        assert said == f"Nothing to check yet: fill in {' and '.join(f'`{b}`' for b in blank)}, where the dots stand."
    else:  # a function
        assert said == RECORDS[name]["checks"][0]["says"]


@EACH
def test_solution_is_right(blocks, name):
    assert judged(blocks, RECORDS[name], RECORDS[name]["solution"]) == ("Right.", True)


@pytest.mark.parametrize(("name", "number"), CHECKS)
def test_wrong_answer_fails_at_its_check_and_hears_its_words(blocks, name, number):
    record = RECORDS[name]
    check = record["checks"][number]
    said, passed = judged(blocks, record, check["wrong"])
    assert not passed
    for part in SHOWN.split(check["says"])[::3]:
        assert part in said
    assert "{" not in check["says"] or "cannot be used" not in said
    assert "nan" not in said
    before = record | {"checks": record["checks"][:number]}
    assert judged(blocks, before, check["wrong"])[1]


# Right answers that are not ours.
OTHERS = {
    "ex-lesson-average-precision-up": ["upper, lower = 0.018, 0.022"],
    "ex-lesson-calibration-reversed": [
        "y_true, y_prob = [1, 0, 0, 0], [0.205, 0.265, 0.265, 0.265]",
        "y_true, y_prob = np.array([0, 1, 1, 0]), np.array([0.55, 0.45, 0.45, 0.55])",
    ],
    "ex-lesson-confusion-matrix-reversal": ["better_in_both, more_accurate = [10, 40, 0, 50], [1, 5, 9, 85]"],
    "ex-lesson-diversity-repeat": ["over_places, over_items, feared = 0.467, 0.2, 'places'"],
    "ex-lesson-expected-reciprocal-rank-scale": [
        "first, second = [3, 0], [2, 3, 3]",
        "first, second = [2, 3, 3], [3]",
    ],
    "ex-lesson-expected-reciprocal-rank-monotone": ["raises, can_fall = 1536, np.False_"],
    "ex-lesson-grouped-auc-implication": ["true_one, score = 'a', [0.9, 0.8, 0.3, 0.1]"],
    "ex-lesson-grouped-auc-each": [
        "y, before, after = [0, 1, 1, 0, 0, 1], [6, 5, 4, 2, 3, 1], [2, 3, 1, 6, 4, 5]",
    ],
    "ex-lesson-ndcg-exchange": ["ranks = (3, 2)", "ranks = [2, 3]"],
    "ex-lesson-ndcg-silence": ["returned, argument = [3, 3, 2], 'judged='", "returned, argument = [2, 1], 'judged'"],
    "ex-lesson-perplexity-record": ["def words(name):\n    return []", "def words(name):\n    return ('a', 'a')"],
    "ex-lesson-precision-recall-curve-fewer": ["first, second = [1, 0, 0, 0, 1, 0], (0, 1, 1, 0, 0, 0)"],
    "ex-lesson-precision-recall-f-everybody": ["beta = 3.16"],
    "ex-lesson-precision-recall-f-price": ["threshold, price, threshold_of_costs = 1 / 5, 4.0, 0.1"],
    "ex-lesson-reciprocal-rank-triples": [
        "triples = [[4, 4, 1], [6, 3, 1], [2, 2, 2], [2, 2, 2], (None, 1, 2)]",
        "triples = [(1, 2, np.inf), (1, 2, None), (1, 3, 6), (1, 4, 4), (2, 2, 2)]",
    ],
    "ex-lesson-reciprocal-rank-cut": ["one, other = [9, float('inf')], [11, 12]"],
    "ex-lesson-regression-errors-winners": ["one, other = np.array([1, 4, 4, 11]), np.array([2, 3, 4, 8])"],
    "ex-lesson-regression-errors-pooled": [
        "targets_1, said_1, targets_2, said_2 = np.arange(4), [9, 9, 9, 9], np.arange(900, 904), [888] * 4",
    ],
    "ex-lesson-roc-auc-crossing": ["first, second = [0, 1, 1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 1, 1, 1]"],
    "ex-lesson-roc-auc-half": [
        "y_true, y_score = [0, 1, 1, 0], [4, 3, 2, 1]",
        "y_true, y_score = [1, 0, 0, 0], [2, 1, 2, 3]",
    ],
}


@pytest.mark.parametrize(("name", "answer"), [(name, answer) for name, answers in OTHERS.items() for answer in answers])
def test_another_right_answer_passes(blocks, name, answer):
    assert judged(blocks, RECORDS[name], f"import numpy as np\n{answer}") == ("Right.", True)


@pytest.mark.parametrize("lesson", [record["id"] for record in load("lessons")])
def test_stub_takes_no_name_that_a_cell_below_needs(lesson):
    """Who runs the notebook from top to bottom leaves the dots in place."""
    taken = set()
    for part in Chapter.read(ROOT / "book" / "lessons" / f"{lesson}.ipynb").parts:
        if getattr(part, "name", "") == "try-it":
            symbols = symtable(RECORDS[part.argument]["stub"], "stub", "exec").get_symbols()
            taken |= {symbol.get_name() for symbol in symbols if symbol.is_assigned() and not symbol.is_imported()}
        elif part.kind == "code":
            names = [node for node in ast.walk(part.tree) if isinstance(node, ast.Name)]
            taken -= {node.id for node in names if isinstance(node.ctx, ast.Store)}
            assert taken.isdisjoint(node.id for node in names if isinstance(node.ctx, ast.Load))


@EACH
@pytest.mark.parametrize("junk", ["None", "'text'", "-1", "[]", "[[1], [2]]", "float('nan')", "object()", "(1, 2, 3)"])
def test_junk_is_refused_in_words(blocks, name, junk):
    answer = (
        "\n".join(f"{blank} = {junk}" for blank in blocks.blanks(RECORDS[name]["stub"]))
        or f"def words(name): return {junk}"
    )
    said, passed = judged(blocks, RECORDS[name], answer)
    assert not passed or name == "ex-lesson-perplexity-record"
    assert said
