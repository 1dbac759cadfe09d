"""How long lessons are, and where their first pictures end: ``python -m tests.browser.lessons`` prints it."""

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, SITE
from tests.registries import ROOT, load
from tools import lengths, notebooks

LESSONS = [record["id"] for record in load("lessons")]
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 375, "height": 812}
LAYOUT = """() => {
    const picture = document.querySelector("article :is(.cell_output img, .lab)").getBoundingClientRect();
    return [picture.bottom + scrollY, document.querySelector("article").scrollHeight / innerHeight];
}"""


def figures(tab: Page, lesson: str) -> str:
    """Words, cells of code, where the first picture ends, and the length in screens, wide and narrow."""
    notebook = notebooks.read(ROOT / "book" / "lessons" / f"{lesson}.ipynb")
    numbers = [lengths.words(notebook), sum(cell.cell_type == "code" for cell in notebook.cells)]
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
