"""Each page loads whole and alone, fits a phone, shows its maths without scripts and offers its notebook."""

import json
from pathlib import Path

import pytest

# The boxes of the formulas, and the text of the page without its code and without the source that MathML carries.
MATHS = """() => {
    const boxes = [...document.querySelectorAll("main .math")].map((math) => {
        const box = math.querySelector(".katex-html")?.getBoundingClientRect();
        return [math.textContent, box ? box.width * box.height : 0];
    });
    const main = document.querySelector("main").cloneNode(true);
    main.querySelectorAll("pre, code, .katex-mathml").forEach((part) => part.remove());
    return { invisible: boxes.filter((box) => !box[1]).map((box) => box[0]), text: main.textContent };
}"""
# The elements that reach over the edge of the window, except what scrolls or is cut in a box of its own.
WIDER = """() => [...document.querySelectorAll("body *")].filter((element) => {
    for (let box = element.parentElement; box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== "visible") return false;
    return element.getBoundingClientRect().right > innerWidth + 1;
}).map((element) => element.outerHTML.slice(0, 120))"""


def test_page_loads_without_error_and_from_the_site_alone(browser, origin, show_all, address):
    context = browser.new_context()
    tab = context.new_page()
    requests, faults = [], []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("requestfailed", lambda request: faults.append(f"failed: {request.url}"))
    tab.on("response", lambda response: response.ok or faults.append(f"{response.status}: {response.url}"))
    tab.on("console", lambda message: message.type in {"error", "warning"} and faults.append(message.text))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto(origin + address)
    tab.evaluate(show_all)
    tab.evaluate("document.fonts.ready.then(() => null)")
    context.close()
    assert requests
    assert [url for url in requests if not url.startswith((origin, "data:"))] == []
    assert faults == []


def test_page_does_not_scroll_sideways_on_a_phone(tab_of, show_all, address):
    tab = tab_of(address, width=375)
    tab.evaluate(show_all)
    width = tab.evaluate("document.documentElement.scrollWidth")
    assert width <= 375, tab.evaluate(WIDER)[:5]


def test_maths_shows_without_scripts(tab_of, show_all, address):
    tab = tab_of(address, script=False)
    tab.evaluate(show_all)
    maths = tab.evaluate(MATHS)
    assert maths["invisible"] == []
    assert [mark for mark in ["$$", r"\(", r"\[", r"\begin", r"\frac"] if mark in maths["text"]] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_site_follows_the_colours_that_the_reader_prefers(tab_of, scheme):
    tab = tab_of("book/index.html", scheme=scheme)
    assert tab.locator("html").get_attribute("data-theme") == scheme
    colour = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(colour.removeprefix("rgb(").split(",")[0])
    assert red > 240 if scheme == "light" else red < 40


def test_notebook_can_be_downloaded(tab_of, notebook):
    tab = tab_of(notebook)
    tab.get_by_role("button", name="Download this page").click()
    link = tab.get_by_role("link", name=".ipynb")
    assert link.get_attribute("download") is not None  # some servers send a notebook as text to be shown
    with tab.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == Path(notebook).with_suffix(".ipynb").name
    assert json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["cells"][0]["id"] == "what-it-needs"


def test_search_finds_a_page_by_its_title(tab_of):
    title = tab_of("book/notation.html").locator("article h1").inner_text().removesuffix("#")
    tab = tab_of(f"search.html?q={title}")
    tab.locator("#search-results li a", has_text=title).first.wait_for()
    hrefs = tab.locator("#search-results li a").evaluate_all("links => links.map((link) => link.pathname)")
    assert "/book/notation.html" in hrefs


def test_a_link_to_a_folded_question_unfolds_it(tab_of):
    tab = tab_of("book/interview/gains.html#question-ndcg-definition")
    tab.wait_for_function("document.getElementById('question-ndcg-definition').open")
    assert tab.locator("article details[open]").count() == 1
    tab.evaluate("location.hash = 'question-ndcg-choices'")
    tab.wait_for_function("document.getElementById('question-ndcg-choices').open")
