"""The pages of the exercises: one for each exercise of the library, in the page and in the notebook for readers."""

import ast
import re
from functools import cache
from html import unescape

import pytest

from metrics_book import practice
from tests.book.chapter import Chapter, Code
from tests.registries import ROOT, load
from tools import notebooks

SITE = ROOT / "_build" / "html" / "book"
PAGES = sorted((ROOT / "book" / "interview").glob("exercises-*.ipynb"))
HOME = {block.argument: path for path in PAGES for block in Chapter.read(path).directives if block.name == "practice"}
EACH = pytest.mark.parametrize("name", practice.exercises())
TRIED = [record["id"] for record in load("try_it")]


def section(name: str) -> list:
    """The parts of a page from the task of an exercise to the next one."""
    parts = Chapter.read(HOME[name]).parts
    first = next(n for n, part in enumerate(parts) if getattr(part, "name", "") == "practice" and part.argument == name)
    rest = parts[first + 1 :]
    return rest[: next((n for n, part in enumerate(rest) if part.section != parts[first].section), None)]


@EACH
def test_exercise_stands_once_below_its_label(name):
    found = [block for path in PAGES for block in Chapter.read(path).directives if block.name == "practice"]
    assert [block.argument for block in found].count(name) == 1
    assert f"interview-exercise-{name.replace('_', '-')}" in Chapter.read(HOME[name]).labels
    assert len(found) == len(practice.exercises())


@EACH
def test_wrong_solution_is_shown_before_its_report_which_is_folded_and_names_the_mistake(name):
    cells = [part for part in section(name) if isinstance(part, Code)]
    solution, report = cells
    assert f"def their_{name}(" in solution.source or f'their_{name} = """' in solution.source
    assert report.source == f'report = check("{name}", their_{name})'
    said = "".join(output.text for output in report.node.outputs)
    assert re.search("What went wrong: |It may be ", said)
    names = [getattr(part, "name", "") for part in section(name)]
    place = [part is report for part in section(name)].index(True)
    assert "folded-start" in names[:place]
    assert "folded-end" in names[place:]


@cache
def page(path: str) -> str:
    return (SITE / f"{path}.html").read_text(encoding="utf-8")


def block(path: str, name: str) -> dict[str, str]:
    """What the page gives the script for one exercise."""
    found = re.findall(r'<div class="practice"([^>]*)>\s*<pre class="practice-stub">(.*?)</pre>', page(path), re.DOTALL)
    told = [dict(re.findall(r'data-(\w+)="([^"]*)"', tag)) | {"stub": stub} for tag, stub in found]
    (one,) = [data for data in told if data["id"] == name]
    return {key: unescape(text) for key, text in one.items()}


def exported(path: str) -> list:
    return notebooks.read(SITE / f"{path}.ipynb").cells


@EACH
def test_page_has_stub_check_and_closed_hints_and_solutions(name):
    path = f"interview/{HOME[name].stem}"
    data = block(path, name.replace("_", "-"))
    if practice.exercise(name).language == "sql":
        (text,) = ast.parse(data["stub"]).body
        assert (text.targets[0].id, type(text.value.value)) == (name, str)
    else:
        (function,) = [node for node in ast.parse(data["stub"]).body if isinstance(node, ast.FunctionDef)]
        assert f"{function.name}({', '.join(part.arg for part in function.args.args)})" in practice.task(name)
    assert ast.parse(data["check"])
    after = page(path).partition(f'data-id="{data["id"]}"')[2].partition('class="practice"')[0]
    folded = re.findall(r'<details class="dropdown (practice-\w+) admonition">', after)  # without `open`
    assert folded == ["practice-hint"] * 3 + ["practice-solution"]
    for approach in practice.approaches(name):
        assert approach.function.__name__ in after


@EACH
def test_blank_stub_is_answered_in_a_sentence(name, capsys):
    data = block(f"interview/{HOME[name].stem}", name.replace("_", "-"))
    names = {}
    exec(f"{data['stub']}\n\n{data['check']}", names)
    assert not names["passed"]
    assert capsys.readouterr().out.startswith(f"{practice.exercise(name).answer} returns nothing yet.")


@EACH
def test_notebook_for_readers_has_two_cells_between_task_and_hints(name):
    cells = exported(f"interview/{HOME[name].stem}")
    stub = block(f"interview/{HOME[name].stem}", name.replace("_", "-"))["stub"]
    (place,) = [n for n, cell in enumerate(cells) if cell.source == stub]
    task, _, check, helps = cells[place - 1 : place + 3]
    assert "Results are compared to nine digits" in task.source
    assert check.source == f'report = check("{name}", {practice.exercise(name).answer})'
    assert [cell.metadata.tags for cell in cells[place : place + 2]] == [["practice"], ["practice"]]
    assert re.findall("<summary>(.*)</summary>", helps.source)[:4] == [
        "Hint 1",
        "Hint 2",
        "Hint 3",
        "Solutions, with their cost",
    ]


@pytest.mark.parametrize("name", TRIED)
def test_what_a_lesson_lets_one_try_is_in_its_page_and_its_notebook(name):
    lesson = max((record["id"] for record in load("lessons") if name.startswith(f"ex-lesson-{record['id']}-")), key=len)
    data = block(f"lessons/{lesson}", name)
    after = page(f"lessons/{lesson}").partition(f'data-id="{name}"')[2]
    assert (
        re.search(r'<details class="[^"]*"', after)[0]
        == '<details class="solution dropdown practice-solution admonition"'
    )
    cells = exported(f"lessons/{lesson}")
    (place,) = [n for n, cell in enumerate(cells) if cell.source == data["stub"]]
    check = cells[place + 1]
    assert check.source == data["check"]
    assert check.metadata == {"tags": ["practice"], "jupyter": {"source_hidden": True}, "cellView": "form"}
