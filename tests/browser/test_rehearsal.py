"""The rehearsal: a mock interview for the keyboard and the phone with the script, a plain list without it."""

import gzip
import json
import re
from urllib.parse import urlsplit

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import SITE
from tests.registries import load

PAGE = "book/interview/rehearsal.html"
ASKED = {question["id"]: question for question in load("questions") if "rubric" in question}
KEY = "evaluation-metrics.rehearsal"
LIMIT = 15_000  # bytes of the scripts of the page, compressed
ROLES = ["general", "ranking", "ads", "nlp"]
# A question with follow-ups of two topics, the one that stands first not being of the second topic.
FORK = next(
    (name, *pair)
    for name, question in ASKED.items()
    for pair in [question["follow_ups"][:2]]
    if len({ASKED[other]["topic"] for other in pair if other in ASKED}) == 2
    and question["topic"] != ASKED[pair[1]]["topic"]
)
PLAIN = re.compile(r"[\w ,-]+")  # a phrase that looks on the page as it is written
# The words of what has the focus: its label or its own.
FOCUSED = """() => {
    const here = document.activeElement;
    return (here.labels?.[0] ?? here).textContent.trim();
}"""


@pytest.fixture
def tab(forgetful_tab):
    forgetful_tab.goto(PAGE)
    return forgetful_tab


@pytest.fixture
def faults(forgetful_tab):
    faults = []
    forgetful_tab.on("pageerror", lambda fault: faults.append(str(fault)))
    yield faults
    assert faults == []


def stage(tab):
    return tab.locator("#rehearsal-stage")


def head(tab):
    return stage(tab).locator("h2").inner_text()


def press(tab, name):
    stage(tab).get_by_role("button", name=name, exact=True).click()


def tab_to(tab, words):
    """Press Tab until something has the focus whose words begin so."""
    for _ in range(60):
        tab.keyboard.press("Tab")
        if tab.evaluate(FOCUSED).startswith(words):
            return
    raise AssertionError(f"Tab does not reach {words!r}")


def focused_tag(tab):
    return tab.evaluate("document.activeElement.tagName")


def kept(tab):
    return json.loads(tab.evaluate("key => localStorage.getItem(key)", KEY))


def asked(tab):
    """The ids of the questions so far."""
    return [entry["id"] for entry in kept(tab)["asked"]]


@pytest.fixture
def continued(forgetful_tab):
    """Return a function to go on with a rehearsal of which these questions were asked, each with its points."""

    def go_on(step, *entries, **settings):
        asked = [{"id": name, "ticked": [place < points for place in range(4)]} for name, points in entries]
        state = {"step": step, "asked": asked, "again": [], "left": 60, "isPaused": False, "length": 5, **settings}
        forgetful_tab.evaluate("([key, state]) => localStorage.setItem(key, JSON.stringify(state))", [KEY, state])
        forgetful_tab.goto(PAGE)
        return forgetful_tab

    return go_on


def page_is_no_wider(tab):
    return tab.evaluate("document.documentElement.scrollWidth === innerWidth")


def phrase(name, place):
    """The phrase of the trade in a point."""
    return re.search(r"\*\*(.+?)\*\*", ASKED[name]["rubric"][place])[1]


def text_of(tab, name):
    return tab.locator(f"#rehearsal-{name} > p").first.text_content()


# The page


def test_the_page_holds_every_question_with_its_points(tab):
    found = tab.locator(".rehearsal").evaluate_all("""items => items.map((item) => [
        item.id,
        [...item.classList].filter((name) => name.startsWith("role-")).map((name) => name.slice(5)),
        item.querySelectorAll("ul")[0].querySelectorAll(":scope > li strong").length,
        item.querySelectorAll("ul")[1]?.children.length ?? 0,
        item.querySelector(".in-bank a").hash,
        item.querySelectorAll(".in-book a").length,
    ])""")
    wanted = [
        [
            f"rehearsal-{name}",
            question["roles"],
            4,
            len(question["pitfalls"]),
            f"#question-{name}",
            int(bool(question["rests_on"])),
        ]
        for name, question in ASKED.items()
    ]
    assert ASKED
    assert sorted(found) == sorted(wanted)


def test_the_scripts_are_small_and_no_other_page_loads_them():
    scripts = [SITE / "_static" / name for name in ("elements.js", "practise.js", "rehearsal.js")]
    assert sum(len(gzip.compress(script.read_bytes(), mtime=0)) for script in scripts) < LIMIT
    with_script = {path for path in SITE.rglob("*.html") if "rehearsal.js" in path.read_text(encoding="utf-8")}
    assert with_script == {SITE / PAGE}


@pytest.mark.parametrize("role", ROLES)
def test_role_and_level_choose(tab, role):
    stage(tab).get_by_label("Role", exact=True).select_option(role)
    for level in ["", "easy", "medium", "hard"]:
        stage(tab).get_by_label("Level", exact=True).select_option(level)
        kind = [name for name, asked in ASKED.items() if role in asked["roles"] and level in ("", asked["level"])]
        assert stage(tab).get_by_text(re.compile(f"^{len(kind)} questions? of this kind$")).first.is_visible()
        begin = stage(tab).get_by_role("button", name="Begin")
        assert begin.is_disabled() == (not kind)
        if kind:
            begin.click()
            assert asked(tab)[0] in kind
            press(tab, "Stop here")


def test_the_lengths_say_how_long_they_take(tab):
    lengths = stage(tab).get_by_label("Length", exact=True).locator("option").all_inner_texts()
    numbers = [list(map(int, re.findall(r"\d+", length))) for length in lengths]
    assert [questions for questions, _ in numbers] == [3, 5, 10]
    assert all(minutes == 3 * questions for questions, minutes in numbers)  # as on the page of the paths


# A rehearsal


def test_a_whole_rehearsal_by_keyboard_alone(tab, faults):
    tab_to(tab, "Role")
    tab.keyboard.press("ArrowDown")
    tab_to(tab, "Length")
    tab.keyboard.press("Home")
    assert (kept(tab)["role"], kept(tab)["length"]) == ("ranking", 3)
    tab_to(tab, "Begin")
    tab.keyboard.press("Enter")
    points = []
    for number, ticks in enumerate((4, 2, 0), 1):
        assert (head(tab), focused_tag(tab)) == (f"Question {number} of 3", "H2")
        tab_to(tab, "Show the model answer")
        tab.keyboard.press("Enter")
        name = asked(tab)[-1]
        for place in range(4):  # the first point has the focus
            label = tab.evaluate("document.activeElement.labels[0].textContent")
            assert not PLAIN.fullmatch(phrase(name, place)) or phrase(name, place) in label
            if place < ticks:
                tab.keyboard.press("Space")
            tab.keyboard.press("Tab")
        points.append((name, ticks))
        assert stage(tab).get_by_text(f"{ticks} of 4 points").is_visible()
        if number == 1:
            offered = [other for other in ASKED[name]["follow_ups"] if "ranking" in ASKED[other]["roles"]]
            texts = [text_of(tab, other) for other in offered] + ["Something else"]
            assert stage(tab).locator("label:has([type=radio])").all_text_contents() == texts
        tab_to(tab, "Next question" if number < 3 else "How did it go?")
        tab.keyboard.press("Enter")
    assert (head(tab), focused_tag(tab)) == ("6 of 12 points", "H2")
    names = [name for name, _ in points]
    assert all("ranking" in ASKED[name]["roles"] for name in names)
    assert ASKED[names[2]]["topic"] not in {ASKED[name]["topic"] for name in names[:2]}
    lines = stage(tab).locator(".rehearsal-score > li").all_inner_texts()
    assert [line.split("\n")[-1][:13] for line in lines] == [f"{ticks} of 4 points" for _, ticks in points]
    assert "missed" not in lines[0]
    tab_to(tab, "Practise the ones I missed")
    tab.keyboard.press("Enter")
    assert head(tab) == "Question 1 of 2"
    assert asked(tab) == [names[2]]  # the worst first
    for name in ("Show the model answer", "Next question", "Show the model answer", "How did it go?"):
        tab_to(tab, name)
        tab.keyboard.press("Enter")
    assert asked(tab) == [names[2], names[1]]
    tab_to(tab, "Another rehearsal")
    tab.keyboard.press("Enter")
    assert head(tab) == "What is the interview for?"
    assert stage(tab).get_by_label("Role", exact=True).input_value() == "ranking"


def test_a_whole_rehearsal_on_a_phone(browser, origin):
    context = browser.new_context(viewport={"width": 375, "height": 800}, has_touch=True, base_url=origin)
    tab = context.new_page()
    requests = []
    tab.goto(PAGE)
    tab.on("request", lambda request: requests.append(request.url))

    def touch(name):
        assert page_is_no_wider(tab)
        stage(tab).get_by_role("button", name=name, exact=True).tap()
        top = stage(tab).locator("h2").evaluate("head => head.getBoundingClientRect().top")
        assert 0 <= top < 400, "the head of the step is in sight, below the bar of the page"

    stage(tab).get_by_label("Length", exact=True).select_option("3")
    touch("Begin")
    for number in range(3):
        touch("Show the model answer")
        stage(tab).locator("label:has([type=checkbox])").nth(number).tap()
        stage(tab).get_by_text("What goes wrong").tap()
        assert stage(tab).locator("details li").first.is_visible()
        touch("Next question" if number < 2 else "How did it go?")
    assert head(tab) == "3 of 12 points"
    assert page_is_no_wider(tab)
    assert {url.rpartition(".")[2] for url in requests} <= {"woff2"}, "only fonts are loaded, and nothing is sent"
    context.close()


def test_what_to_read_again_has_the_worst_first(continued):
    one, other = next(
        (one, other)
        for one in ASKED
        for other in ASKED
        if ASKED[one]["rests_on"] and ASKED[other]["rests_on"] and ASKED[one]["rests_on"] != ASKED[other]["rests_on"]
        if PLAIN.fullmatch(phrase(one, 3))
    )
    known = next(
        name for name in ASKED if ASKED[name]["rests_on"] not in (ASKED[one]["rests_on"], ASKED[other]["rests_on"])
    )
    tab = continued("end", (one, 3), (known, 4), (other, 1))
    links = stage(tab).locator(".to-reread a")
    own = tab.locator(", ".join(f"#rehearsal-{name} .in-book a" for name in (other, one)))
    wanted = sorted(own.evaluate_all("links => links.map((link) => [link.href, link.textContent])"))
    found = links.evaluate_all("links => links.map((link) => [link.href, link.textContent])")
    assert sorted(found) == wanted
    assert found[0][0] == tab.locator(f"#rehearsal-{other} .in-book a").evaluate("link => link.href")
    assert [line.rpartition(": ")[2] for line in stage(tab).locator(".to-reread li").all_inner_texts()] == [
        "3 points missed",
        "1 point missed",
    ]
    assert f"3 of 4 points; missed: {phrase(one, 3)}." in stage(tab).inner_text()


def test_where_no_chapter_treats_a_question_its_answer_is_to_be_read(continued):
    name = next(name for name in ASKED if not ASKED[name]["rests_on"])
    tab = continued("end", (name, 1))
    link = stage(tab).locator(".to-reread a")
    assert link.inner_text() == text_of(tab, name)
    assert link.evaluate("link => link.hash") == f"#question-{name}"


def test_without_a_miss_there_is_nothing_to_read_again(continued):
    tab = continued("end", (FORK[0], 4))
    assert head(tab) == "4 of 4 points"
    assert stage(tab).get_by_role("button").all_inner_texts() == ["Another rehearsal"]
    assert stage(tab).locator(".to-reread").count() == 0


def marked(tab):
    return stage(tab).locator("[type=radio]:checked").input_value()


def test_the_interviewer_prefers_a_topic_in_which_points_were_missed(continued):
    """Of two follow-ups the first is asked, unless more was missed in the topic of the second."""
    name, first, second = FORK
    tab = continued("compare", (name, 4))
    assert marked(tab) == first
    topic = ASKED[second]["topic"]
    missed = next(other for other in ASKED if ASKED[other]["topic"] == topic and other not in FORK)
    continued("compare", (missed, 0), (name, 4))
    assert marked(tab) == second
    stage(tab).locator(f"[type=radio][value={first}]").check()
    stage(tab).locator("[type=checkbox]").first.uncheck()
    assert marked(tab) == first, "what somebody has marked stays"
    press(tab, "Next question")
    assert asked(tab)[-1] == first


def test_no_question_is_asked_twice(continued):
    name, first, _ = FORK
    tab = continued("compare", (first, 2), (name, 4))
    assert first not in stage(tab).locator("[type=radio]").evaluate_all("radios => radios.map(({ value }) => value)")
    stage(tab).get_by_label("Something else").check()
    press(tab, "Next question")
    assert asked(tab)[-1] not in (name, first)


def test_stopping_drops_a_question_that_nobody_answered(continued):
    tab = continued("ask", (FORK[0], 3), (FORK[1], 0))
    press(tab, "Stop here")
    assert head(tab) == "3 of 4 points"
    continued("ask", (FORK[0], 0))
    press(tab, "Stop here")
    assert head(tab) == "What is the interview for?"


# What a candidate is asked, in 2,000 rehearsals in which nobody marks another question than the interviewer does.
RUNS = """([role, level, length]) => Array.from({ length: 2000 }, () => {
    Object.assign(state, fresh(), { role, level, length });
    const ticked = () => Array.from({ length: 4 }, () => Math.random() < 0.6);
    while (state.asked.length < length)
        state.asked.push({ id: (state.asked.length && picked()) || another(), ticked: ticked() });
    return state.asked.map(({ id }) => id);
})"""


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("level", ["", "easy", "medium", "hard"])
def test_a_rehearsal_keeps_role_and_level_and_is_broad(tab, role, level):
    fits = {name for name, asked in ASKED.items() if role in asked["roles"] and level in ("", asked["level"])}
    for length in (5, 10):
        for names in tab.evaluate(RUNS, [role, level, length]):
            topics = [ASKED[name]["topic"] for name in names]
            assert len(set(names)) == length
            assert sum(name not in fits for name in names) <= length // 5
            assert len(set(topics)) >= min(3, len({ASKED[name]["topic"] for name in fits}))


def test_the_topic_changes_after_a_follow_up(continued):
    name, first, _ = FORK
    tab = continued("compare", (name, 4), (first, 2))
    assert marked(tab) == ""
    tab = continued("compare", (name, 4), (first, 2), length=10, level="", role="general")
    following = [other for other in ASKED[first]["follow_ups"] if other not in (name, first)]
    assert marked(tab) in following or not following


def test_an_answer_may_be_typed_and_the_model_answer_unfolds(tab):
    press(tab, "Begin")
    tab.get_by_label("Say it aloud, or type it here").fill("It is\n<b>F1</b>.")
    tab.reload()
    assert tab.get_by_label("Say it aloud, or type it here").input_value() == "It is\n<b>F1</b>."
    press(tab, "Show the model answer")
    assert stage(tab).locator("blockquote").inner_text() == "It is\n<b>F1</b>."
    stage(tab).get_by_text("The model answer", exact=True).click()
    fold = stage(tab).locator("details", has_text="The model answer")
    fold.locator("p").first.wait_for()
    (name,) = asked(tab)
    answer = ASKED[name]["answer"]
    assert answer.split("<<")[0].split("*")[0].split()[:4] == fold.locator("p").first.inner_text().split()[:4]


def test_without_the_page_of_the_question_there_is_a_link_to_it(continued):
    tab = continued("compare", (FORK[0], 2))
    tab.route("**/interview/*.html", lambda route: route.abort())
    stage(tab).get_by_text("The model answer", exact=True).click()
    link = stage(tab).get_by_role("link", name="the page of the question")
    link.wait_for()
    tab.unroute("**/interview/*.html")
    assert link.evaluate("link => link.hash") == f"#question-{FORK[0]}"


# The timer


def test_the_timer_counts_down_says_so_twice_and_cuts_nothing_off(own_tab):
    tab = own_tab
    tab.clock.install()
    tab.goto(PAGE)
    press(tab, "Begin")
    timer, status = stage(tab).get_by_role("timer"), stage(tab).get_by_role("status")
    assert timer.inner_text() == "60 seconds left"
    said = {}
    for second in range(1, 70):
        tab.clock.run_for(1000)
        said[second] = status.inner_text()
        if second < 60:
            assert timer.inner_text() == f"{60 - second} second{'s' if second < 59 else ''} left"
    changes = [second for second in range(2, 70) if said[second] != said[second - 1]]
    assert (changes, said[1]) == ([30, 50, 60], "")
    assert [said[second] for second in changes[:2]] == ["30 seconds left", "10 seconds left"]
    assert timer.inner_text() == said[60] == "The minute is over; take the time you need."
    assert head(tab) == "Question 1 of 5"


def test_the_timer_pauses_and_goes_off_and_keeps_its_time(own_tab):
    tab = own_tab
    tab.clock.install()
    tab.goto(PAGE)
    press(tab, "Begin")
    timer = stage(tab).get_by_role("timer")
    tab.clock.run_for(7000)
    press(tab, "Pause the timer")
    tab.clock.run_for(60_000)
    assert timer.inner_text() == "53 seconds left"
    tab.reload()
    tab.clock.run_for(5000)
    assert timer.inner_text() == "53 seconds left"
    press(tab, "Start the timer again")
    tab.clock.run_for(3000)
    assert timer.inner_text() == "50 seconds left"
    press(tab, "Turn off the timer")
    tab.clock.run_for(30_000)
    assert not timer.is_visible()
    assert stage(tab).get_by_role("status").inner_text() == ""
    press(tab, "Show the model answer")
    press(tab, "Next question")
    assert not timer.is_visible(), "off is off for the questions that follow"
    press(tab, "Turn on the timer")
    assert timer.inner_text() == "60 seconds left"


# What is kept, and links


def test_a_reload_changes_nothing(tab, faults):
    def seen():
        return stage(tab).evaluate(
            """stage => [
                stage.firstElementChild.innerText,
                ...[...stage.querySelectorAll("input, select")].map((input) => input.checked ?? input.value),
            ]"""
        )

    def stays():
        before = seen()
        tab.reload()
        assert seen() == before

    stage(tab).get_by_label("Role", exact=True).select_option("ads")
    stage(tab).get_by_label("A timer of").uncheck()
    stays()
    press(tab, "Begin")
    stays()
    press(tab, "Show the model answer")
    stage(tab).locator("[type=checkbox]").nth(2).check()
    stays()
    press(tab, "Next question")
    press(tab, "Show the model answer")
    press(tab, "Stop here")
    stays()
    press(tab, "Practise the ones I missed")
    stays()


@pytest.mark.parametrize(
    "spoilt",
    [
        "{spoilt",
        "null",
        "[]",
        '{"step": "toString", "asked": [], "again": [], "left": 60}',
        '{"step": "compare", "asked": [{"id": "no-such-question", "ticked": [true, true, true, true]}]}',
        '{"step": "end", "asked": [], "again": [], "left": 60}',
        '{"step": "choose", "asked": 3, "again": {}, "left": "x", "role": "x", "level": [], "length": -1}',
    ],
)
def test_a_spoilt_memory_does_no_harm(forgetful_tab, faults, spoilt):
    tab = forgetful_tab
    tab.evaluate("([key, spoilt]) => localStorage.setItem(key, spoilt)", [KEY, spoilt])
    tab.goto(PAGE)
    assert head(tab) == "What is the interview for?"
    press(tab, "Begin")
    assert head(tab) == "Question 1 of 5"


def test_closed_storage_does_no_harm(own_tab):
    tab = own_tab
    tab.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('closed'); } })")
    tab.goto(PAGE)
    for name in ("Begin", "Show the model answer", "Next question", "Show the model answer", "Stop here"):
        press(tab, name)
    assert head(tab) == "0 of 8 points"


def test_a_question_of_the_bank_is_rehearsed_by_its_link(tab):
    name, other, _ = FORK
    tab.goto(f"book/interview/{ASKED[name]['topic']}.html#question-{name}")
    tab.locator("details[open]").get_by_role("link", name="Rehearse this").click()
    tab.locator("#rehearsal-stage h2").wait_for()
    assert (head(tab), asked(tab)) == ("Question 1 of 5", [name])
    assert stage(tab).get_by_text(text_of(tab, name)).is_visible()
    assert focused_tag(tab) == "H2"
    assert urlsplit(tab.url).fragment == ""
    press(tab, "Show the model answer")
    stage(tab).locator("[type=checkbox]").first.check()
    tab.reload()
    assert stage(tab).locator("[type=checkbox]").first.is_checked()
    tab.goto(f"{PAGE}#rehearsal-{name}")  # the same is going on
    assert stage(tab).locator("[type=checkbox]").first.is_checked()
    tab.goto(f"{PAGE}#rehearsal-{other}")
    tab.wait_for_function("key => JSON.parse(localStorage.getItem(key)).asked.length === 1", arg=KEY)
    assert (head(tab), asked(tab)) == ("Question 1 of 5", [other])


def test_the_whole_answer_and_back(continued):
    tab = continued("compare", (FORK[0], 2))
    stage(tab).get_by_role("link", name="The whole answer").click()
    tab.locator(f"details[open] > #question-{FORK[0]}").wait_for(state="attached")
    tab.go_back()
    stage(tab).locator("h2").wait_for()
    assert stage(tab).locator("[type=checkbox]:checked").count() == 2


# For everybody


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_at_any_step(forgetful_tab, continued, scheme):
    forgetful_tab.emulate_media(color_scheme=scheme)
    name, first, second = FORK
    states = {
        "choose": (),
        "ask": ((name, 0),),
        "compare": ((name, 2),),
        "end": ((name, 2), (first, 4), (second, 0)),
    }
    judged = set()
    for step, entries in states.items():
        assert violations(continued(step, *entries), judged=judged) == [], step


def test_languages_are_told_apart(continued):
    tab = continued("ask", (FORK[0], 0))
    assert re.findall("[\u4e00-\u9fff]+", stage(tab).locator("[lang=zh]").inner_text()) == re.findall(
        "[\u4e00-\u9fff]+", ASKED[FORK[0]]["chinese"]
    )
    assert tab.locator("html").get_attribute("lang") == "en"


def test_one_region_speaks(continued):
    for step, entries in {"choose": (), "ask": ((FORK[0], 0),), "compare": ((FORK[0], 0),)}.items():
        tab = continued(step, *entries)
        assert stage(tab).locator("[role=status], [role=alert], [aria-live]").count() == 1


def test_without_scripts_the_questions_are_a_list_with_their_points_folded(tab_of):
    tab = tab_of(PAGE, script=False)
    assert tab.locator(".rehearsal:visible").count() == len(ASKED)
    first = tab.locator(".rehearsal").first
    assert first.locator("details").get_attribute("open") is None
    first.locator("summary").click()
    assert first.locator("details li:visible").count() > 4
    assert first.get_by_role("link", name="The whole answer").is_visible()


@pytest.mark.parametrize("query", ["mock interview", "rehearsal"])
def test_the_search_finds_it(tab_of, query):
    tab = tab_of(f"search.html?q={query}")
    tab.locator(".search-summary", has_text="Search finished").wait_for()
    assert tab.locator("#search-results li > a").first.evaluate("link => link.pathname") == f"/{PAGE}"
