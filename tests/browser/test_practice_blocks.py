"""What a reader writes in the page is judged as it is here: each exercise and each "Try it", right and wrong."""

import io
import re
from contextlib import redirect_stdout

import pytest

from metrics_book import practice
from tests.book.chapter import Chapter
from tests.browser.test_python_in_the_page import LESSON, pass_by_hand
from tests.registries import ROOT, load

EXERCISE = "book/interview/exercises-scores.html"  # which has SQLite, too
PAGES = sorted((ROOT / "book" / "interview").glob("exercises-*.ipynb"))
TRIED = {record["id"]: record for record in load("try_it")}
# Each text runs alone in a fresh namespace, and then the check, as after a click on the button of the block.
RUN_ALL = """async (answers) => {
    const { run } = await pythonInPage();
    const results = [];
    for (const cells of answers) results.push(await run(cells, { files: [] }));
    return results;
}"""
# The pages are parsed, and not drawn.
READ_ALL = """async (pages) => {
    const blocks = pages.map(async (page) => {
        const text = await (await fetch(`/${page}`)).text();
        const all = [...new DOMParser().parseFromString(text, "text/html").querySelectorAll(".practice")];
        return all.map((one) => ({ ...one.dataset, stub: one.querySelector(".practice-stub").textContent }));
    });
    return (await Promise.all(blocks)).flat();
}"""


def address(path):
    return f"book/{path.parent.name}/{path.stem}.html"


def wrong_solutions():
    """The wrong solution of each exercise as its page shows it, under the name that the check asks for."""
    found = {}
    for path in PAGES:
        sources = [code.source for code in Chapter.read(path).code]
        for name in practice.exercises():
            starts = f"def their_{name}(", f'their_{name} = """'
            (own,) = [source for source in sources if any(start in source for start in starts)] or [None]
            if own:
                found[name] = f"{sources[0]}\n\n{own}\n\n\n{practice.exercise(name).answer} = their_{name}"
    return found


def right_solution(name):
    answer = practice.exercise(name).answer
    return f"from metrics_book import practice\n\n{answer} = practice.approaches({name!r})[0].function"


def here(cells):
    """What the same Python prints without a browser, and whether it leaves ``passed`` true."""
    names, printed = {"__name__": "__main__"}, io.StringIO()
    with redirect_stdout(printed):
        for cell in cells:
            exec(cell, names)
    return printed.getvalue(), bool(names["passed"])


def without_notes(report):
    """The Python of the page gives no warning where NumPy divides by zero, and has another clock."""
    return re.sub(
        r"\n\n(?:Your function warned: |Right, but ).*?(?=\n----|\n\n[CH]|$)", "", report, flags=re.DOTALL
    ).rstrip()


@pytest.fixture(scope="module")
def blocks(tab_of):
    """The stub and the check of each block, by its id, as the pages have them."""
    lessons = [f"book/lessons/{record['id']}.html" for record in load("lessons")]
    found = tab_of(EXERCISE).evaluate(READ_ALL, [*map(address, PAGES), *lessons])
    return {block["id"]: block for block in found}


@pytest.fixture(scope="module")
def judged(tab_of, blocks):
    """Each answer with what the page says of it, all from one worker."""
    answers = {}
    for name, wrong in wrong_solutions().items():
        block = blocks[name.replace("_", "-")]
        for kind, text in {"right": right_solution(name), "wrong": wrong, "stub": block["stub"]}.items():
            answers[name, kind] = [text, block["check"]]
    for name, record in TRIED.items():
        wrong = {f"wrong {number}": check["wrong"] for number, check in enumerate(record["checks"])}
        for kind, text in {"right": record["solution"], "stub": "", **wrong}.items():
            answers[name, kind] = [f"{blocks[name]['stub']}\n\n{text}", blocks[name]["check"]]
    results = tab_of().evaluate(RUN_ALL, list(answers.values()))
    return {key: (cells, result) for (key, cells), result in zip(answers.items(), results, strict=True)}


def test_every_exercise_and_every_try_it_has_its_block(blocks):
    assert sorted(blocks) == sorted([name.replace("_", "-") for name in practice.exercises()] + [*TRIED])
    assert sorted(wrong_solutions()) == sorted(practice.exercises())


def test_page_says_of_each_answer_what_is_said_here(judged):
    for (name, kind), (cells, result) in judged.items():
        assert "done" in result, (name, kind, result)
        said, passed = here(cells)
        assert passed == (kind == "right"), (name, kind, said)
        assert result["done"]["passed"] == passed, (name, kind)
        first, report = result["done"]["cells"]
        assert first == {"out": "", "error": None}, (name, kind)
        assert report["error"] is None, (name, kind)
        assert without_notes(report["out"]) == without_notes(said), (name, kind)


def test_an_exercise_is_passed_by_hand_and_offers_its_solutions(tab_of, judged):
    wrong, right = wrong_solutions()["auc_sql"], right_solution("auc_sql")
    pass_by_hand(tab_of(), "auc-sql", "Run the tests", wrong, right)  # where Python has started


@pytest.mark.parametrize("page", [EXERCISE, LESSON])
def test_without_script_the_stub_and_all_help_can_be_read(tab_of, page):
    tab = tab_of(page, script=False)
    assert tab.locator(".practice-stub").first.is_visible()
    for folded in tab.locator("details:is(.practice-hint, .practice-solution)").all():
        assert folded.get_attribute("open") is None
        folded.locator("summary").focus()
        tab.keyboard.press("Enter")
        assert folded.get_attribute("open") is not None
