"""Each page can be read by everybody: axe-core finds nothing, and the keyboard is enough."""

import pytest
from axe_playwright_python.sync_playwright import Axe

AXE = Axe()
# Each element costs axe time. A formula has a hundred, all of the colour of its text: a word stands in for it.
# Of the words of code of one kind, which have one colour, the first stands for the others.
SHORTEN = """() => {
    document.querySelectorAll(".katex").forEach((formula) => formula.replaceWith("formula"));
    const seen = new Set();
    document.querySelectorAll("pre span[class]").forEach((word) => {
        if (seen.has(word.className)) word.replaceWith(...word.childNodes);
        seen.add(word.className);
    });
    document.querySelectorAll("pre").forEach((code) => code.normalize());
}"""


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(tab_of, show_all, address, scheme, width):
    tab = tab_of(address, scheme=scheme, width=width)
    tab.evaluate(show_all)
    tab.evaluate(SHORTEN)
    # The colours take most of the time. Those of a narrow page are those of the wide one, but where tables fold.
    colours = width > 375 or tab.locator("table.fold").count() > 0
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": colours}}}
    violations = AXE.run(tab, options=options).response["violations"]
    assert [(fault["id"], node["html"][:200]) for fault in violations for node in fault["nodes"][:3]] == []


def test_first_tab_stop_leads_to_the_text(tab_of, address):
    tab = tab_of(address)
    tab.keyboard.press("Tab")
    link = tab.locator("a:focus")
    assert link.get_attribute("href") == "#main-content"
    assert link.is_visible()
    outline = link.evaluate("link => getComputedStyle(link).outlineStyle")
    assert outline != "none"
    tab.keyboard.press("Enter")
    tab.wait_for_url("**#main-content", timeout=5000)


def test_enter_unfolds_and_folds(tab_of, address):
    tab = tab_of(address)
    is_open = "summary => summary.parentElement.open"
    for heading in tab.locator("article details > summary:visible").all():
        before = heading.evaluate(is_open)
        heading.press("Enter")
        assert heading.evaluate(is_open) != before


def test_what_scrolls_sideways_can_be_reached_by_keyboard(tab_of, show_all, address):
    tab = tab_of(address, width=375)
    tab.evaluate(show_all)
    tab.evaluate("window.dispatchEvent(new Event('resize'))")
    unreachable = tab.evaluate(
        """() => [...document.querySelectorAll("article *")]
            .filter((box) => box.scrollWidth > box.clientWidth + 1
                && ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
                && box.tabIndex < 0 && !box.querySelector("a, button, [tabindex='0']"))
            .map((box) => box.outerHTML.slice(0, 120))"""
    )
    assert unreachable == []
