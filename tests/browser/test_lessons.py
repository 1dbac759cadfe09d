"""A lesson shows its first picture on the first screen; ``python -m tests.browser.test_lessons`` prints the figures."""

from functools import cache

import pytest
from playwright.sync_api import Page, sync_playwright

from tests.book import style
from tests.book.chapter import Chapter
from tests.browser.conftest import ARGUMENTS, CHROMIUM, SITE
from tests.registries import ROOT, load

LESSONS = [record["id"] for record in load("lessons")]
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 375, "height": 812}
LAYOUT = """() => {
    const picture = document.querySelector("article :is(.cell_output img, .lab)").getBoundingClientRect();
    return [picture.bottom + scrollY, document.querySelector("article").scrollHeight / innerHeight];
}"""


FOLDED = "tables => tables.map((table) => [getComputedStyle(table).display, table.scrollWidth <= innerWidth])"


@pytest.fixture(scope="module")
def look(quick_tab_of):
    """Return a function that loads a lesson once: where its first picture ends, and its choices on a phone."""

    @cache
    def look(lesson):
        tab = quick_tab_of(f"book/lessons/{lesson}.html", width=WIDE["width"])
        size = tab.viewport_size
        bottom, _ = tab.evaluate(LAYOUT)
        tab.set_viewport_size(NARROW)
        tables = tab.locator("#the-choices table.fold").evaluate_all(FOLDED)
        tab.set_viewport_size(size)
        return bottom, tables

    return look


@pytest.mark.parametrize("lesson", LESSONS)
def test_first_picture_is_whole_on_the_first_screen(look, lesson):
    bottom, _ = look(lesson)
    assert bottom <= WIDE["height"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_choices_fold_on_a_phone(look, lesson):
    _, tables = look(lesson)
    assert set(map(tuple, tables)) == {("block", True)}


def figures(tab: Page, lesson: str) -> str:
    """Words, visible cells of code, where the first picture ends, and the length in screens, wide and narrow."""
    chapter = Chapter.read(ROOT / "book" / "lessons" / f"{lesson}.ipynb")
    numbers = [style.words(chapter), len([cell for cell in chapter.code if not cell.hidden])]
    for size in (WIDE, NARROW):
        tab.set_viewport_size(size)
        tab.goto((SITE / "book" / "lessons" / f"{lesson}.html").as_uri())
        numbers += tab.evaluate(LAYOUT)
    return f"{lesson:26}" + "{:6} {:6} {:8.0f} {:6.1f} {:8.0f} {:6.1f}".format(*numbers)


if __name__ == "__main__":
    print(f"{'lesson':26} words  cells  picture screens  (375:) picture screens")
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS) as browser,
    ):
        tab = browser.new_page()
        for lesson in LESSONS:
            print(figures(tab, lesson))
