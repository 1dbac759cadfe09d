"""Each page loads whole and alone, shows its maths, fits its window, and is enough for a keyboard and for axe-core.

A visit does everything at once, as loading a page costs more than any question about it; each test reads one answer.
"""

import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.browser.axe import violations
from tests.browser.conftest import KINDS, PAGES, SHOW_ALL, SITE
from tests.browser.lessons import LAYOUT, LESSONS
from tests.browser.lessons import WIDE as FIRST_SCREEN

# The first link that Tab reaches; whether it can be seen, and that it has the focus.
FOCUSED = """() => {
    document.getAnimations().forEach((animation) => animation.finish());
    const { left, top, right, bottom } = document.activeElement.getBoundingClientRect();
    return {
        href: document.activeElement.getAttribute("href"),
        inSight: right > left && bottom > top && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight,
        outline: getComputedStyle(document.activeElement).outlineStyle,
    };
}"""
# Puts the focus on the first line to unfold of a kind that was not met yet; the kind, and whether it is open.
NEXT_FOLDED = """(met) => {
    const folded = [...document.querySelectorAll("article details")].find((details) =>
        !met.includes(details.className) && details.querySelector(":scope > summary").checkVisibility());
    folded?.querySelector(":scope > summary").focus();
    return folded ? [folded.className, folded.open] : null;
}"""
IS_OPEN = "document.activeElement.parentElement.open"
# The formulas without a size, but for what self-test and rehearsal do not show yet and heads of tables that are folded,
# and marks of LaTeX in the text, which is neither code nor the source that MathML carries.
MATHS = r"""() => {
    const sizes = [...document.querySelectorAll("main .math")].map((math) => {
        const isHeld = math.closest(".self-test, .rehearsal, table.fold thead") && !math.checkVisibility();
        if (isHeld) return [math.textContent, 1];
        const box = math.querySelector(".katex-html")?.getBoundingClientRect();
        return [math.textContent, box ? box.width * box.height : 0];
    });
    const main = document.querySelector("main").cloneNode(true);
    main.querySelectorAll("pre, code, .katex-mathml").forEach((part) => part.remove());
    const marks = ["$$", "\\(", "\\[", "\\begin", "\\frac"].filter((mark) => main.textContent.includes(mark));
    return [...marks, ...sizes.filter(([, size]) => !size).map(([text]) => text)];
}"""
# The elements that reach over the edge of the window, except what scrolls or is cut in a box of its own.
WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [document.documentElement.scrollWidth,
    ...[...document.querySelectorAll("body *")].filter((element) => {
        for (let box = element.parentElement; box !== document.body; box = box.parentElement)
            if (getComputedStyle(box).overflowX !== "visible") return false;
        return element.getBoundingClientRect().right > innerWidth + 1;
    }).map((element) => element.outerHTML.slice(0, 120))]"""
# What the script of a page does with the next frame, which never comes in this browser.
TURN = "(scheme) => { document.documentElement.dataset.theme = scheme; }"
# How tables that fold are laid out, and whether they fit.
FOLDED = "tables => tables.map((table) => [getComputedStyle(table).display, table.scrollWidth <= innerWidth])"
UNREACHABLE = """() => {
    window.dispatchEvent(new Event("resize"));
    return [...document.querySelectorAll("article *:not(.katex *)")]
        .filter((box) => box.scrollWidth > box.clientWidth + 1
            && ["auto", "scroll"].includes(getComputedStyle(box).overflowX)
            && box.tabIndex < 0 && !box.querySelector("a, button, [tabindex='0']"))
        .map((box) => box.outerHTML.slice(0, 120));
}"""


def changed():
    """The pages whose source differs from the last commit but one, as far as git tells."""
    git = ["git", "-C", SITE.parents[1], "diff", "--name-only", "HEAD~1", "--", "book"]
    listed = subprocess.run(git, capture_output=True, text=True, check=False).stdout.split()
    return {f"{Path(name).with_suffix('')}.html" for name in listed}


# One page of each kind, and what has changed since the last commit, is visited in a wide window and in a narrow one,
# and axe looks at it in both colours. The others are loaded once, in a wide window that is narrow for a while, and axe
# looks at every second one in the dark.
WIDE, NARROW = 1280, 375
SCHEMES = ("light", "dark")
WHOLE = {*KINDS, *changed()}
VISITS = [
    (page, windows, schemes)
    for number, page in enumerate(PAGES)
    for windows, schemes in (
        [((WIDE,), SCHEMES), ((NARROW,), SCHEMES)] if page in WHOLE else [((WIDE, NARROW), SCHEMES[number % 2 :][:1])]
    )
]


def each(visits):
    return pytest.mark.parametrize("seen", visits, ids=lambda visit: f"{visit[0]}-{visit[1][0]}", indirect=True)


EVERY_VISIT = each(VISITS)
OF_LESSONS = [visit for visit in VISITS if visit[0] in {f"book/lessons/{lesson}.html" for lesson in LESSONS}]


def resize(tab, width):
    if tab.viewport_size["width"] != width:
        tab.set_viewport_size(tab.viewport_size | {"width": width})


@pytest.fixture(scope="session")
def look(quick_tab_of):
    """Return a function that visits a page and returns what it has seen there."""
    judged = defaultdict(set)  # what axe has judged on other pages in a window as wide and in these colours

    @cache
    def look(page, windows, schemes):
        seen = SimpleNamespace(requests=[], faults=[], folds={}, arrived=False)
        note = seen.faults.append
        listeners = {
            "request": lambda request: seen.requests.append(request.url),
            "requestfailed": lambda request: note(f"failed: {request.url}"),
            "response": lambda response: response.status < 400 or note(f"{response.status}: {response.url}"),
            # Until then it is the page before that speaks, of which axe has left little.
            "framenavigated": lambda _: setattr(seen, "arrived", True),
            "console": lambda said: seen.arrived and said.type in {"error", "warning"} and note(said.text),
            "pageerror": lambda error: seen.arrived and note(str(error)),
        }
        tab = quick_tab_of(scheme=schemes[0])
        resize(tab, windows[0])
        for event, listener in listeners.items():
            tab.on(event, listener)
        tab.goto(page)
        if (page, windows, schemes) in OF_LESSONS:
            seen.picture_ends, _ = tab.evaluate(LAYOUT)

        tab.keyboard.press("Tab")
        seen.focused = tab.evaluate(FOCUSED)
        if seen.focused["href"] == "#main-content":
            tab.keyboard.press("Enter")
        seen.hash = tab.evaluate("location.hash")
        while folded := tab.evaluate(NEXT_FOLDED, list(seen.folds)):
            tab.keyboard.press("Enter")
            seen.folds[folded[0]] = folded[1], tab.evaluate(IS_OPEN)

        tab.evaluate(SHOW_ALL)
        tab.evaluate("document.fonts.ready.then(() => null)")
        seen.maths, seen.wider, seen.unreachable, seen.choices = {}, {}, {}, {}
        for window in windows:
            resize(tab, window)
            seen.maths[window] = tab.evaluate(MATHS)
            seen.wider[window] = tab.evaluate(WIDER)
            seen.unreachable[window] = tab.evaluate(UNREACHABLE)
            seen.choices[window] = tab.locator("#the-choices table.fold").evaluate_all(FOLDED)
        window = windows[0]
        resize(tab, window)
        for event, listener in listeners.items():
            tab.remove_listener(event, listener)

        # The colours take most of the time. Those of a narrow page are those of the wide, but where tables fold.
        colours = window > NARROW or tab.locator("table.fold").count() > 0
        seen.violations = {}
        for scheme in schemes:
            if scheme != schemes[0]:
                tab.emulate_media(color_scheme=scheme)
                tab.evaluate(TURN, scheme)
            assert tab.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
            known = set() if page in WHOLE and (window, scheme) == (WIDE, "light") else judged[window, scheme]
            found = violations(tab, colours=colours, judged=known)
            # Or is it that something was missed which had been judged?
            seen.violations[scheme] = found and violations(tab, colours=colours)
        if scheme != schemes[0]:
            tab.emulate_media(color_scheme=schemes[0])
        resize(tab, WIDE)  # as other tests expect the tab to be
        return seen

    return look


@pytest.fixture
def seen(look, request):
    return look(*request.param)


@EVERY_VISIT
def test_page_loads_without_error_and_from_the_site_alone(seen, origin):
    assert seen.requests
    assert [url for url in seen.requests if not url.startswith((origin, "data:"))] == []
    assert seen.faults == []


@EVERY_VISIT
def test_first_tab_stop_leads_to_the_text(seen):
    assert seen.focused["href"] == seen.hash == "#main-content"
    assert seen.focused["inSight"]
    assert seen.focused["outline"] != "none"


@EVERY_VISIT
def test_enter_unfolds_and_folds(seen):
    assert [kind for kind, (before, after) in seen.folds.items() if after != (not before)] == []


@EVERY_VISIT
def test_every_formula_shows(seen):
    assert not any(seen.maths.values()), seen.maths


@EVERY_VISIT
def test_page_does_not_scroll_sideways(seen):
    assert not any(seen.wider.values()), seen.wider


@EVERY_VISIT
def test_what_scrolls_sideways_can_be_reached_by_keyboard(seen):
    assert not any(seen.unreachable.values()), seen.unreachable


@each([visit for visit in OF_LESSONS if visit[1][0] == WIDE])
def test_first_picture_is_whole_on_the_first_screen(seen):
    assert seen.picture_ends <= FIRST_SCREEN["height"]


@each([visit for visit in OF_LESSONS if NARROW in visit[1]])
def test_the_choices_fold_on_a_phone(seen):
    assert set(map(tuple, seen.choices[NARROW])) == {("block", True)}


@EVERY_VISIT
def test_axe_finds_no_violation(seen):
    assert not any(seen.violations.values()), seen.violations
