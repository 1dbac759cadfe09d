"""The self-test: a quiz for the keyboard with the script, folded answers without it; what comes again, and when."""

import gzip
import json
import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import fsrs
import pytest

from tests.browser.axe import violations
from tests.browser.conftest import SITE
from tests.registries import load

PAGE = "book/interview/self-test.html"
BANK = {item["id"]: item for item in load("questions") if item["choices"]}
ITEMS = BANK | {item["id"]: item for item in load("wrong_formulas") if item["choices"]}
MONDAY = datetime(2026, 11, 23, 20)
KEY, OLD_KEY = "evaluation-metrics.self-test.fsrs", "evaluation-metrics.self-test"
LIMIT = 15_000  # bytes of the scripts of a page, compressed


# Topic, level and progress are folded; the tests look at them open.
OPEN = """document.addEventListener("DOMContentLoaded", () => setTimeout(() => {
    const folded = document.querySelector("#self-test-controls details");
    if (folded) folded.open = true;
}))"""


@pytest.fixture
def monday(forgetful_tab):
    """A tab on a Monday, in which no page is open."""
    forgetful_tab.clock.set_fixed_time(MONDAY)
    forgetful_tab.add_init_script(OPEN)
    return forgetful_tab


@pytest.fixture
def tab(monday):
    """The page on a Monday."""
    monday.goto(PAGE)
    return monday


def opened(tab, kept, key=KEY):
    """The page where this was kept before."""
    tab.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [key, kept])
    tab.goto(PAGE)
    return tab


def shown(tab):
    return tab.locator(".self-test.is-shown")


def ids(tab):
    return [name.removeprefix("test-") for name in shown(tab).evaluate_all("items => items.map((item) => item.id)")]


def item(tab, name):
    return tab.locator(f"#test-{name}")


def right(name):
    return [choice["right"] for choice in ITEMS[name]["choices"]].index(True)


def choose_by_keyboard(tab, name, place):
    """Into the group, down to the option, on to the button."""
    item(tab, name).locator("input").first.focus()
    tab.keyboard.press("Space")
    for _ in range(place):
        tab.keyboard.press("ArrowDown")
    assert item(tab, name).locator("input").nth(place).is_checked()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")


def choose(tab, name, place):
    item(tab, name).evaluate(
        "(item, place) => { item.querySelectorAll('input')[place].click(); item.querySelector('button').click(); }",
        place,
    )


def answer(tab, name, is_right, choose=choose):
    choose(tab, name, right(name) if is_right else (right(name) + 1) % len(ITEMS[name]["choices"]))


def on_day(tab, days):
    """The page again, so many days after Monday."""
    tab.clock.set_fixed_time(MONDAY + timedelta(days=days))
    tab.reload()


def controls(tab):
    return tab.locator("#self-test-controls")


def next_round(tab):
    controls(tab).get_by_role("button", name="Next round").press("Enter")


def progress(tab):
    controls(tab).locator("details").evaluate_all("all => all.forEach((folded) => { folded.open = true; })")
    return controls(tab).inner_text()


def said(tab):
    return tab.locator("#self-test-score").get_by_role("status").inner_text()


def test_the_page_holds_every_item(tab):
    found = tab.locator(".self-test").evaluate_all("items => items.map((item) => item.id)")
    assert sorted(found) == sorted(f"test-{name}" for name in ITEMS)


def test_the_scripts_are_small_and_no_other_page_loads_them():
    scripts = [SITE / "_static" / name for name in ("elements.js", "practise.js", "self-test.js")]
    assert sum(len(gzip.compress(script.read_bytes(), mtime=0)) for script in scripts) < LIMIT
    assert all(f"{script.name}?" in (SITE / PAGE).read_text(encoding="utf-8") for script in scripts)
    assert "practise.js" not in (SITE / "book" / "interview" / "labels.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("is_right", [True, False])
def test_an_answer_by_keyboard_brings_its_own_feedback(tab, is_right):
    name = ids(tab)[0]
    choices = ITEMS[name]["choices"]
    place = right(name) if is_right else (right(name) + 1) % len(choices)
    assert item(tab, name).get_by_role("status").inner_text() == ""
    choose_by_keyboard(tab, name, place)
    feedback = item(tab, name).get_by_role("status").inner_text()
    assert feedback.startswith(f"{'ABCD'[place]} is {'right' if is_right else 'wrong'}.")
    border = "node => getComputedStyle(node).borderLeftColor"
    assert item(tab, name).get_by_role("status").evaluate(border) != "rgba(0, 0, 0, 0)"
    assert item(tab, name).locator("details li").count() == len(choices)
    assert "answered 1; 0 of these are due today" in progress(tab)


def test_each_item_links_to_its_answer_and_to_the_section_that_proves_it(tab):
    """Links to sections are those of the same question in the bank, where another test resolves them."""
    name = ids(tab)[0]
    assert not item(tab, name).locator(".in-bank").is_visible()
    answer(tab, name, False)
    assert item(tab, name).locator(".in-bank a").is_visible()
    links = tab.locator(".self-test").evaluate_all("""items => items.map((item) =>
        [item.id, ...[".in-bank a", ".in-book a"].map((link) => item.querySelector(link)?.hash ?? null)])""")
    wanted = [[f"test-{name}", f"#{'question' if name in BANK else 'wrong'}-{name}"] for name in ITEMS]
    assert sorted(link[:2] for link in links) == sorted(wanted)
    sections = {name: section for name, _, section in links}
    assert [name for name in ITEMS if bool(sections[f"test-{name}"]) != bool(ITEMS[name]["rests_on"])] == []


def test_a_section_is_named_with_its_page(tab):
    """Many a lesson has a section "The choices"."""
    links = tab.locator(".in-book a[href*='lessons/roc-auc.html#']").all_text_contents()
    assert links
    assert all(link.startswith("ROC curve and AUC: ") for link in links)


def test_arrow_keys_alone_answer_nothing(tab):
    name = ids(tab)[0]
    item(tab, name).locator("input").first.focus()
    tab.keyboard.press("ArrowDown")
    assert item(tab, name).get_by_role("status").inner_text() == ""


def test_topic_and_level_choose(tab):
    controls(tab).get_by_label("Topic", exact=True).select_option("gains")
    controls(tab).get_by_label("Level", exact=True).select_option("hard")
    kind = {name for name, item in BANK.items() if (item["topic"], item["level"]) == ("gains", "hard")}
    assert set(ids(tab)) <= kind
    assert len(ids(tab)) == min(10, len(kind))


# Rounds


def test_no_item_comes_twice_before_all_of_the_kind_were_shown(monday):
    sizes = Counter(item["topic"] for item in BANK.values())
    topic = next(topic for topic, size in sizes.items() if size > 20 and size % 10)  # the last round is filled up
    tab = opened(monday, json.dumps({"topic": topic}))
    kind = {name for name, item in BANK.items() if item["topic"] == topic}
    met = ids(tab)
    while len(met) < len(kind):
        next_round(tab)
        met += ids(tab)
        if len(met) == 20:
            tab.reload()  # in the middle
            assert ids(tab) == met[10:]
    assert set(met[: len(kind)]) == kind


def test_a_round_ends_with_a_score_and_what_to_read_again(tab):
    names = ids(tab)
    assert said(tab) == ""
    for place, name in enumerate(names):
        answer(tab, name, is_right=place >= 3, choose=choose_by_keyboard)
    assert said(tab) == "7 of 10 right; 3 come again tomorrow."
    score = tab.locator("#self-test-score")
    links = score.locator("ol a").evaluate_all("links => links.map((link) => link.href)")
    own = [(item(tab, name).locator(".in-book a, .in-bank a").last).evaluate("link => link.href") for name in names[:3]]
    assert sorted(links) == sorted(set(own))
    tab.reload()
    assert said(tab) == "7 of 10 right; 3 come again tomorrow."
    score.get_by_role("button", name="Next round").press("Enter")
    assert not set(ids(tab)) & set(names)
    assert tab.evaluate("document.activeElement.closest('.self-test').id") == f"test-{ids(tab)[0]}"
    assert said(tab) == ""


def test_the_place_with_most_missed_stands_first(monday):
    names = next(
        (first, second, other)
        for first in BANK
        for second in BANK
        for other in BANK
        if first < second
        and BANK[first]["rests_on"] == BANK[second]["rests_on"] != BANK[other]["rests_on"]
        and BANK[first]["rests_on"]
        and BANK[other]["rests_on"]
    )
    round_of = [{"id": f"test-{name}", "answer": None} for name in reversed(names)]
    tab = opened(monday, json.dumps({"round": round_of}))
    for name in names:
        answer(tab, name, False)
    lines = tab.locator("#self-test-score ol li").all_inner_texts()
    assert [line.rpartition(": ")[2] for line in lines] == ["2 questions missed", "1 question missed"]


def test_the_first_answer_is_the_one_that_counts(tab):
    names = ids(tab)
    answer(tab, names[0], False)
    item(tab, names[0]).locator("input").nth(right(names[0])).check()
    item(tab, names[0]).get_by_role("button", name="Check").click()
    assert item(tab, names[0]).get_by_role("status").inner_text().startswith(f"{'ABCD'[right(names[0])]} is right.")
    for name in names[1:]:
        answer(tab, name, True)
    assert said(tab) == "9 of 10 right; 1 comes again tomorrow."


# The schedule


def by_peer(history):
    """What the authors' own package makes of answers after so many days: stability, difficulty, day it is due."""
    scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, day = fsrs.Card(), 0
    for gap, is_right in history:
        day += gap
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)
        card, _ = scheduler.review_card(card, fsrs.Rating.Good if is_right else fsrs.Rating.Again, now)
    return card.stability, card.difficulty, day + (card.due - card.last_review).days


def test_the_schedule_is_that_of_its_authors(tab):
    rng = random.Random(0)
    gaps = [0, 0, 1, 2, 3, 7, 30, 365, 4000]
    histories = [[(rng.choice(gaps), rng.random() < 0.7) for _ in range(rng.randint(1, 12))] for _ in range(400)]
    histories += [[(0, is_right)] for is_right in (True, False)]
    histories += [[(day * 40, True) for day in range(60)], [(1, False)] * 60]  # both ends of the scales
    ours = tab.evaluate(
        """histories => histories.map((history) => {
            let memory = null, day = 0;
            for (const [gap, isRight] of history) memory = review(memory, isRight, (day += gap));
            return [memory.stability, memory.difficulty, memory.due];
        })""",
        histories,
    )
    for history, memory in zip(histories, ours, strict=True):
        assert memory == pytest.approx(by_peer(history), rel=1e-9), history


def test_what_was_missed_comes_first_on_the_next_day_and_what_was_right_the_day_after(tab):
    names = ids(tab)
    for place, name in enumerate(names):
        answer(tab, name, is_right=place != 4)
    next_round(tab)
    assert names[4] not in ids(tab)
    on_day(tab, 1)
    assert "answered 10; 1 of these is due today" in progress(tab)
    next_round(tab)
    assert ids(tab)[0] == names[4]
    assert not set(names) - {names[4]} & set(ids(tab))
    on_day(tab, 2)
    next_round(tab)
    assert set(ids(tab)) == set(names)


def test_what_was_never_answered_comes_before_what_is_known(monday):
    known = [name for name, item in BANK.items() if item["topic"] == "scores"]
    new = {known.pop() for _ in range(4)}
    memory = {"stability": 9, "difficulty": 5, "last": 0, "due": 10**6}
    memories = {f"test-{name}": memory for name in known}
    tab = opened(monday, json.dumps({"topic": "scores", "memories": memories}))
    assert set(ids(tab)[:4]) == new
    assert set(ids(tab)[4:]) < set(known)


def test_a_round_that_is_over_is_not_shown_on_another_day(tab):
    names = ids(tab)
    for name in names:
        answer(tab, name, True)
    on_day(tab, 1)
    assert not set(ids(tab)) & set(names)


def test_the_days_are_those_of_the_calendar(tab):
    """What is missed in the evening is due on the next morning."""
    name = ids(tab)[0]
    answer(tab, name, False)
    tab.clock.set_fixed_time(MONDAY + timedelta(hours=10))
    tab.reload()
    assert "1 of these is due today" in progress(tab)


# What is kept


def test_topic_level_round_and_answers_survive_a_reload(tab):
    controls(tab).get_by_label("Topic", exact=True).select_option("scores")
    controls(tab).get_by_label("Level", exact=True).select_option("medium")
    names = ids(tab)
    answer(tab, names[0], False)
    feedback = item(tab, names[0]).get_by_role("status").inner_text()
    tab.reload()
    assert controls(tab).get_by_label("Topic", exact=True).input_value() == "scores"
    assert controls(tab).get_by_label("Level", exact=True).input_value() == "medium"
    assert ids(tab) == names
    assert item(tab, names[0]).get_by_role("status").inner_text() == feedback
    assert item(tab, names[0]).locator("input:checked").count() == 1
    assert item(tab, names[1]).get_by_role("status").inner_text() == ""


def test_answers_are_forgotten_on_request(tab):
    answer(tab, ids(tab)[0], True)
    controls(tab).get_by_role("button", name="Forget my answers").press("Enter")
    tab.reload()
    assert "answered 0; 0 of these are due today" in progress(tab)


def test_marks_of_an_earlier_edition_count_as_given_today(monday):
    wrong, known = list(BANK)[:2]
    old = {f"test-{wrong}": False, f"test-{known}": True, "test-no-such-question": True}
    tab = opened(monday, json.dumps(old), OLD_KEY)
    assert "answered 2; 0 of these are due today" in progress(tab)
    assert tab.evaluate("key => localStorage.getItem(key)", OLD_KEY) is None
    on_day(tab, 1)
    next_round(tab)
    assert ids(tab)[0] == wrong


@pytest.mark.parametrize(
    "kept",
    [
        "{spoilt",
        "null",
        "[]",
        '{"topic": 7, "level": "x", "memories": [1], "shown": "no", "round": {"id": 1}}',
        '{"memories": {"test-auc-meaning": {"due": "soon"}, "x": null}, "round": [null, {"id": "x"}]}',
        '{"round": [{"id": "test-auc-meaning", "answer": 99}]}',
    ],
)
def test_a_spoilt_memory_does_no_harm(monday, kept):
    monday.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [OLD_KEY, kept])
    faults = []
    monday.on("pageerror", lambda fault: faults.append(str(fault)))
    tab = opened(monday, kept)
    next_round(tab)
    answer(tab, ids(tab)[0], True)
    assert (len(ids(tab)), faults) == (10, [])
    assert "answered 1;" in progress(tab)


def test_closed_storage_does_no_harm(own_tab):
    tab = own_tab
    tab.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('closed'); } })")
    tab.goto(PAGE)
    answer(tab, ids(tab)[0], True)
    assert "answered 1;" in progress(tab)


def test_a_link_opens_its_item(tab):
    names = ids(tab)
    first, second = [name for name in ITEMS if name not in names][:2]
    for name in (first, second):
        tab.evaluate("hash => { location.hash = hash; }", f"test-{name}")
        item(tab, name).locator("legend").wait_for()
        assert ids(tab)[0] == name
        assert tab.evaluate("document.activeElement.closest('.self-test').id") == f"test-{name}"
        top = item(tab, name).evaluate("item => item.getBoundingClientRect().top")
        assert 0 <= top < 900
    tab.reload()
    assert ids(tab) == [second, first, *names]


def test_a_link_from_another_page_opens_its_item(tab):
    name = next(name for name in ITEMS if name not in ids(tab))
    tab.goto(f"book/interview/index.html#test-{name}")
    tab.goto(f"{PAGE}#test-{name}")
    assert ids(tab)[0] == name
    assert tab.evaluate("document.activeElement.closest('.self-test').id") == f"test-{name}"


# For everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_among_answers(monday, scheme):
    tab = monday
    tab.emulate_media(color_scheme=scheme)
    tab.goto(PAGE)
    judged = set()
    for place, name in enumerate(ids(tab)):
        answer(tab, name, is_right=place > 1)
        if place == 3:
            assert violations(tab, judged=judged) == []
            tab.reload()  # a copy of the page stands there, and cannot be answered
    assert said(tab)
    assert violations(tab, judged=judged) == []


def test_nothing_is_wider_than_a_phone(tab):
    tab.set_viewport_size({"width": 375, "height": 800})
    for name in ids(tab):
        answer(tab, name, False)
    assert tab.evaluate("document.documentElement.scrollWidth") == 375


def test_without_scripts_every_question_stands_with_its_answer_folded(tab_of):
    tab = tab_of(PAGE, script=False)
    assert tab.locator(".self-test:visible").count() == len(ITEMS)
    first = tab.locator(".self-test").first
    assert first.locator("details").get_attribute("open") is None
    first.locator("summary").click()
    assert first.locator("details li:visible").count() == first.locator("> ul > li").count()
    assert first.locator("details .in-bank a").is_visible()
