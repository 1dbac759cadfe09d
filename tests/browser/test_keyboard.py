"""The keyboard is enough on each page."""


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
