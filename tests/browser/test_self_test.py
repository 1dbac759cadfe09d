"""The self-test: a quiz for the keyboard with the script, folded answers without it."""

import pytest

from tests.browser.axe import violations
from tests.registries import load

PAGE = "book/interview/self-test.html"
ITEMS = {item["id"]: item for registry in ("questions", "wrong_formulas") for item in load(registry) if item["choices"]}


@pytest.fixture
def tab(browser, origin):
    """The page in a context of its own: what it remembers is forgotten after the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    tab = context.new_page()
    tab.goto(origin + PAGE)
    yield tab
    context.close()


def shown(tab):
    return tab.locator(".self-test.is-shown")


def place_of_right(item):
    choices = ITEMS[item.get_attribute("id").removeprefix("test-")]["choices"]
    return [choice["right"] for choice in choices].index(True)


def choose(tab, item, place):
    """Answer by keyboard alone: into the group, down to the option, on to the button."""
    item.locator("input").first.focus()
    tab.keyboard.press("Space")
    for _ in range(place):
        tab.keyboard.press("ArrowDown")
    assert item.locator("input").nth(place).is_checked()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")


def test_the_page_holds_every_item(tab):
    ids = tab.locator(".self-test").evaluate_all("items => items.map((item) => item.id)")
    assert sorted(ids) == sorted(f"test-{name}" for name in ITEMS)


def test_ten_questions_are_shown_and_others_on_request(tab):
    assert shown(tab).count() == 10
    first = shown(tab).evaluate_all("items => items.map((item) => item.id)")
    button = tab.get_by_role("button", name="Ten other questions")
    button.focus()
    tab.keyboard.press("Enter")
    assert shown(tab).count() == 10
    assert shown(tab).evaluate_all("items => items.map((item) => item.id)") != first


@pytest.mark.parametrize("is_right", [True, False])
def test_an_answer_by_keyboard_brings_its_own_feedback(tab, is_right):
    item = shown(tab).first
    record = ITEMS[item.get_attribute("id").removeprefix("test-")]
    right = place_of_right(item)
    place = right if is_right else (right + 1) % len(record["choices"])
    assert item.get_by_role("status").inner_text() == ""
    choose(tab, item, place)
    said = item.get_by_role("status").inner_text()
    assert said.startswith(f"{'ABCD'[place]} is {'right' if is_right else 'wrong'}.")
    assert item.locator("details li").count() == len(record["choices"])
    assert f"answered 1, {int(is_right)} of them right" in tab.locator("#self-test-controls").inner_text()


def test_arrow_keys_alone_answer_nothing(tab):
    item = shown(tab).first
    item.locator("input").first.focus()
    tab.keyboard.press("ArrowDown")
    assert item.get_by_role("status").inner_text() == ""


def test_progress_stays_in_the_browser_until_it_is_forgotten(tab):
    item = shown(tab).first
    choose(tab, item, place_of_right(item))
    tab.reload()
    assert "answered 1, 1 of them right" in tab.locator("#self-test-controls").inner_text()
    tab.get_by_role("button", name="Forget my answers").press("Enter")
    tab.reload()
    assert "answered 0, 0 of them right" in tab.locator("#self-test-controls").inner_text()


def test_the_first_answer_is_the_one_that_counts(tab):
    item = shown(tab).first
    right = place_of_right(item)
    choose(tab, item, (right + 1) % 3)
    item.locator("input").nth(right).check()
    item.get_by_role("button", name="Check").click()
    assert item.get_by_role("status").inner_text().startswith(f"{'ABCD'[right]} is right.")
    assert "answered 1, 0 of them right" in tab.locator("#self-test-controls").inner_text()


def test_topic_and_level_choose(tab):
    tab.get_by_label("Topic", exact=True).select_option("gains")
    tab.get_by_label("Level", exact=True).select_option("hard")
    kind = {name for name, item in ITEMS.items() if (item.get("topic"), item.get("level")) == ("gains", "hard")}
    found = shown(tab).evaluate_all("items => items.map((item) => item.id)")
    assert found
    assert len(found) == min(10, len(kind))
    assert set(found) <= {f"test-{name}" for name in kind}


def test_a_spoilt_memory_does_no_harm(tab):
    tab.evaluate("localStorage.setItem('evaluation-metrics.self-test', '{spoilt')")
    tab.reload()
    assert shown(tab).count() == 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_among_answers(tab, scheme):
    tab.emulate_media(color_scheme=scheme)
    tab.reload()
    for item in shown(tab).all()[:3]:
        item.locator("input").first.check()
        item.get_by_role("button", name="Check").click()
    assert violations(tab) == []


def test_without_scripts_every_question_stands_with_its_answer_folded(tab_of):
    tab = tab_of(PAGE, script=False)
    assert tab.locator(".self-test:visible").count() == len(ITEMS)
    first = tab.locator(".self-test").first
    assert first.locator("details").get_attribute("open") is None
    first.locator("summary").click()
    assert first.locator("details li:visible").count() == first.locator("> ul > li").count()
