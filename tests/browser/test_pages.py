"""What one page shows for all of its kind: maths without scripts, colours, downloads, search, links into folds."""

import json
from pathlib import Path

import pytest

from tests.browser.conftest import KINDS, PAGES, SHOW_ALL

# The formulas that have no size.
INVISIBLE = """() => [...document.querySelectorAll("main .math")].filter((math) => {
    const { width, height } = math.querySelector(".katex-html").getBoundingClientRect();
    return !width || !height;
}).map((math) => math.textContent)"""

# The first words of the cells of folded tables that stand on more than one line.
BROKEN = """() => [...document.querySelectorAll("table.fold td[data-label] > p:first-child")].map((cell) => {
    const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
    const word = text?.data.match(/^\\s*\\p{L}+/u)?.[0];
    if (!word) return;
    const place = document.createRange();
    place.setStart(text, 0);
    place.setEnd(text, word.length);
    return place.getClientRects().length > 1 && word;
}).filter(Boolean)"""


def test_the_kinds_of_page_are_on_the_site():
    assert set(KINDS) <= set(PAGES)


@pytest.mark.parametrize("page", KINDS)
def test_maths_shows_without_scripts(tab_of, page):
    tab = tab_of(page, script=False)
    tab.evaluate(SHOW_ALL)
    assert tab.evaluate(INVISIBLE) == []


@pytest.mark.parametrize("page", ["book/lessons/a-billion-rows.html", "book/reference/conventions.html"])
def test_no_word_is_broken_behind_the_head_of_its_column(tab_of, page):
    tab = tab_of(page, width=375)
    assert tab.locator("table.fold td[data-label] > p").count() > 10
    assert tab.evaluate(BROKEN) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_site_follows_the_colours_that_the_reader_prefers(tab_of, scheme):
    tab = tab_of("book/index.html", scheme=scheme)
    assert tab.locator("html").get_attribute("data-theme") == scheme
    colour = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(colour.removeprefix("rgb(").split(",")[0])
    assert red > 240 if scheme == "light" else red < 40

    # A change is followed, too.
    for preferred in ("dark" if scheme == "light" else "light", scheme):
        tab.emulate_media(color_scheme=preferred)
        tab.locator(f"html[data-theme={preferred}]").wait_for()


@pytest.mark.parametrize(
    "notebook", ["book/004-threshold-and-ranking/ndcg.html", "book/interview/exercises-scores.html"]
)
def test_notebook_can_be_downloaded(tab_of, notebook):
    tab = tab_of(notebook)
    tab.get_by_role("button", name="Download this page").click()
    link = tab.get_by_role("link", name=".ipynb")
    assert link.get_attribute("download") is not None  # some servers send a notebook as text to be shown
    with tab.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == Path(notebook).with_suffix(".ipynb").name
    assert json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["cells"][1]["id"] == "what-it-needs"


def test_search_finds_a_page_by_its_title(tab_of):
    title = tab_of("book/notation.html").locator("article h1").inner_text().removesuffix("#")
    tab = tab_of(f"search.html?q={title}")
    tab.locator("#search-results li a", has_text=title).first.wait_for()
    hrefs = tab.locator("#search-results li a").evaluate_all("links => links.map((link) => link.pathname)")
    assert "/book/notation.html" in hrefs


def test_a_link_to_a_folded_question_unfolds_it(tab_of):
    tab = tab_of("book/interview/gains.html#question-ndcg-definition")
    tab.locator("details[open] > #question-ndcg-definition").wait_for(state="attached")
    assert tab.locator("article details[open]").count() == 1
    tab.evaluate("location.hash = 'question-ndcg-choices'")
    tab.locator("details[open] > #question-ndcg-choices").wait_for(state="attached")


@pytest.mark.parametrize("anchor", ["erratum-003-20", "erratum-003-27"], ids=["a box", "a small point"])
def test_a_link_to_an_erratum_unfolds_it_without_scripts(tab_of, anchor):
    tab_of("about:blank", script=False)
    tab = tab_of(f"book/003-recommender-metrics/ndcg.html#{anchor}", script=False)
    opened = tab.locator("article details[open]")
    opened.wait_for()
    assert opened.count() == 1
    assert opened.locator(f"#{anchor}").count() == 1
    tab.emulate_media(media="print")
    printed = tab.locator("article details.erratum > p")
    assert all(printed.nth(number).bounding_box()["height"] > 0 for number in range(printed.count()))
    tab.emulate_media(media="screen")


# What is wider than its window at each of many widths: the page, or what a lab holds.
WIDER = """() => {
    const wide = document.documentElement.scrollWidth > innerWidth ? ["the page"] : [];
    for (const lab of document.querySelectorAll(".lab")) {
        const edge = lab.getBoundingClientRect().right + 0.5;
        const isOut = (part) => part.checkVisibility() && part.getBoundingClientRect().right > edge;
        const parts = [...lab.querySelectorAll("table, svg, button, select, input")];
        wide.push(...parts.filter(isOut).map((part) => part.className));
    }
    return wide;
}"""
LAID_OUT = [
    "book/index.html",
    "book/lessons/confusion-matrix.html",
    "book/lessons/ndcg.html",
    "book/lessons/uncertainty.html",
    "book/003-recommender-metrics/ndcg.html",
    "book/interview/rehearsal.html",
    "book/interview/self-test.html",
    "book/reference/cards-ranked.html",
    "book/reference/glossary.html",
    "book/reference/which-metric.html",
]


@pytest.mark.parametrize("path", LAID_OUT)
def test_nothing_is_wider_than_its_window_at_65_widths(quick_tab_of, path):
    tab = quick_tab_of(path)
    found = {}
    for width in range(320, 1601, 20):
        tab.set_viewport_size({"width": width, "height": 900})
        if wider := tab.evaluate(WIDER):
            found[width] = wider
    tab.set_viewport_size({"width": 1280, "height": 900})
    assert found == {}
