"""The labs in a small book of their own: their numbers are the library's, and everybody can use them."""

import gzip
import math
import re
from itertools import zip_longest
from types import SimpleNamespace

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from nbformat import v4

from book._ext.lab_values import DOCUMENTS, END, STEPS, VALUES, Drawn, read
from metrics_lib.uncertainty import bootstrap
from tests.registries import ROOT, evaluate, load
from tests.small_book import build, small_book

LABS = {record["id"]: record for record in load("labs")}
SCRIPTS = ROOT / "book" / "_static" / "labs"
NEEDED = {"threshold": ["dots"], "groups": ["dots"]}
EACH = pytest.mark.parametrize("name", LABS)
BROKEN = ["", "x", "~", "{state}~", "{state}~{state}~{state}", "{state}.", " {state}", "{state}=", "%E0%A4%A", "<b>"]
WRONG = ["x", "threshold\n:start: x", "threshold", "threshold"]
WRONG_STATES = {
    "threshold": [
        *["KJ.12.1.1-1", "KJ.-1.1.1-1", "KJ.06.1.1-1", "KJ.6.0.1-1", "KJ.6.21.1-1", "KJ.6.1.1-3", "KJ.6.1", ".6.1.1-1"],
        *["KL.6.1.1-1", "K J.6.1.1-1", f"{'K' * 25}.6.1.1-1", "KJ.6.1.1-1.1"],
    ],
    "averaging": [
        *["1-2-3.4-5-6", "1-2-3.4-5-6.7-8-100", "1-2-3.4-5-6.7-8--9", "1-2-3.4-5-6.7-8-09", "0-0-0.0-0-0.0-0-0"],
        *["1-2-3.4-5-6.7-8", "1-2-3.4-5-6.7-8-9.1", "1-2-3.4-5-6.7-8-1e1", "1-2-3.4-5-6.7-8-", "1-2-3,4-5-6,7-8-9"],
    ],
    "bootstrap": [
        f"{values}.{options}"
        for values, options in [
            *(
                (f"{'50' * 6}.{'60' * 6}", options)
                for options in [
                    *["4.1.rows.paired.1.9", "7.1.rows.paired.1.9", "06.1.rows.paired.1.9", "6.0.rows.paired.1.9"],
                    *["6.6.users.paired.1.9", "6.1.users.paired.1.9", "6.1.queries.paired.1.9", "6.1.rows.both.1.9"],
                    *["6.1.rows.paired.0.9", "6.1.rows.paired.100.9", "6.1.rows.paired.1.0", "6.1.rows.paired.1.10001"],
                    *["6.1.rows.paired.1", "6.1.rows.paired.1.9.9", "6.1.rows.paired.1.1e3", "6.1.rows.paired.1.09"],
                ]
            ),
            *(
                (values, "5.1.rows.paired.1.9")
                for values in [
                    "50505050.60606060",
                    "5050505050.606060606060",
                    "505050505.606060606",
                    "abababab50.6060606060",
                ]
            ),
            (f"{'50' * 41}.{'60' * 41}", "40.1.rows.paired.1.9"),
            (f"{'50' * 40}.{'60' * 40}", "40.11.users.paired.1.9"),
        ]
    ],
    "groups": ["A.b.C.11", "A.b.C.1111", "A.b.C.1-1", "A.b.111", "A.b.V.111", "A..C.111", f"A.{'b' * 9}.C.111"],
    "ranked-list": [
        f"{order}.linear.{options}"
        for order, options in [
            *(
                (order, "hits.list.ap")
                for order in ["KL.10.2", "K--L.10.2", "KKL-.10.2", "KM-.10.2", "KL-.1.1", "K-.1.1"]
            ),
            *(
                (order, "hits.list.ap")
                for order in ["LK-.14.2", "LK-.10.0", "LK-.10.3", "LK-.10.1e0", "LK-.10.02", "LK-.10"]
            ),
            *(
                ("LK-.10.2", options)
                for options in ["all.list.ap", "hits.list.map", "list.ap", "hits.list.ap.x", "k.k.ap"]
            ),
        ]
    ],
}
METRICS = list(LABS["ranked-list"]["rows"])
LETTERS = list("abcdefghijklmnopqrstuABCDEFGHIJKLMNOPQRSTU")


def states(name):
    """The states of the examples, and a hundred others."""
    rng = np.random.default_rng(20261122)
    yield from (text for preset in LABS[name]["presets"] for text in preset["state"].split("~"))
    yield from (RANDOM[name](rng) for _ in range(100))


def letters(rng, highest, most):
    """Items with scores up to the highest, of one class now and then."""
    score = rng.integers(0, highest + 1, rng.integers(1, most + 1))
    return "".join(np.array(LETTERS)[score + 21 * (rng.random(len(score)) < rng.choice([0, 0.3, 0.6, 1]))])


def random_threshold(rng):
    costs = ["10-1", "5-1", "2-1", "1-1", "1-2", "1-5", "1-10", "1-20"]
    return f"{letters(rng, 10, 24)}.{rng.integers(12)}.{rng.integers(1, 21)}.{rng.choice(costs)}"


# The sum of the layout shifts so far; none is told of where there was none.
SHIFTED = """() => new Promise((resolve) => {
    const sum = (list) => resolve(list.getEntries().reduce((total, { value }) => total + value, 0));
    new PerformanceObserver(sum).observe({ type: "layout-shift", buffered: true });
    setTimeout(resolve, 300, 0);
})"""
CELLS = "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
# The address follows a move after a third of a second, which adds up.
HURRY = "const wait = setTimeout; globalThis.setTimeout = (call, time, ...others) => wait(call, time / 30, ...others)"
COMPUTE = "([name, texts]) => texts.map((text) => labs[name].evaluate(labs[name].read(text)))"


def random_groups(rng):
    return ".".join([*(letters(rng, 20, 8) for _ in "abc"), "".join(map(str, rng.integers(0, rng.choice([1, 10]), 3)))])


def random_averaging(rng):
    counts = rng.integers(0, rng.choice([2, 10, 100]), (3, 3)) * (rng.random((3, 1)) < 0.8)
    counts[rng.integers(3), rng.integers(3)] += counts.sum() == 0
    return ".".join("-".join(map(str, row)) for row in counts)


def random_ranked_list(rng):
    size = rng.integers(2, 11)
    grades = rng.integers(0, rng.choice([1, 2, 4]), size)
    options = map(
        rng.choice, [["linear", "exponential"], ["relevant", "min", "hits", "k"], ["list", "judged"], METRICS]
    )
    order = "".join(rng.permutation([*DOCUMENTS[:size], END]))
    return ".".join([order, "".join(map(str, grades)), str(rng.integers(1, size + 1)), *options])


def random_bootstrap(rng):
    rows = rng.integers(5, 41)
    n = rng.integers(5, rows + 1)
    size = rng.integers(1, min(n, 11))
    a, b = rng.integers(0, rng.choice([2, 100]), (2, rows))
    options = [rng.choice(["rows", "users"]) if size > 1 else "rows", rng.choice(["paired", "apart"])]
    values = ["".join(f"{value:02d}" for value in system) for system in (a, b)]
    return ".".join(map(str, [*values, n, size, *options, rng.integers(1, 100), rng.choice([1, 2, 41])]))


RANDOM = {
    "bootstrap": random_bootstrap,
    "threshold": random_threshold,
    "groups": random_groups,
    "averaging": random_averaging,
    "ranked-list": random_ranked_list,
}


@pytest.fixture(scope="module")
def built(browser, tmp_path_factory):
    """A book with a page of all labs, a notebook with one, and a page of directives that are wrong; what was said."""
    wrong = "# Wrong\n\n" + "\n\n".join(f"```{{lab}} {wrong}\n```" for wrong in WRONG)
    labs = "\n\n".join(f"```{{lab}} {name}\n```" for name in LABS)
    texts = {"index": wrong, "code": f"# Labs\n\n{labs}\n\nWhat stands below.\n", "other": ""}
    folder = small_book(tmp_path_factory.mktemp("labs"), **texts)
    pages = folder / "book"
    pages.joinpath("other.md").unlink()
    cells = [v4.new_markdown_cell("# One", id="a"), v4.new_code_cell("1", id="b")]
    cells += [v4.new_markdown_cell("```{lab} ranked-list\n:start: pool\n```", id="c")]
    cells += [v4.new_markdown_cell("```{lab} threshold\n:start: ties\n```", id="d")]
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = v4.new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})
    pages.joinpath("other.ipynb").write_text(v4.writes(notebook))
    _, said = build(folder)
    return folder / "_build" / "html", said


@pytest.fixture(scope="module")
def site(built):
    return built[0]


@pytest.fixture(scope="module")
def page_of(browser, site):
    """Return a function that opens the page of the labs as a file, in one tab for each kind."""
    tabs = {}

    def open_page(fragment="", *, width=1280, **kind):
        key = (width, *kind.items())
        if key not in tabs:
            tabs[key] = browser.new_context(viewport={"width": width, "height": 900}, **kind).new_page()
            tabs[key].add_init_script(HURRY)
            tabs[key].faults = []
            tabs[key].on("pageerror", lambda error: tabs[key].faults.append(str(error)))
        tabs[key].goto("about:blank")
        tabs[key].goto((site / "book" / "code.html").as_uri() + fragment)
        return tabs[key]

    yield open_page
    assert [fault for tab in tabs.values() for fault in tab.faults] == []
    for tab in tabs.values():
        tab.context.close()


def near(got, wanted):
    if isinstance(wanted, list):
        return len(got) == len(wanted) and all(map(near, got, wanted))
    return math.isclose(got, wanted, rel_tol=1e-12, abs_tol=1e-12) or (math.isnan(got) and math.isnan(wanted))


def shown(value):
    return "undefined" if math.isnan(value) else f"{value:.4f}"


def board(lab):
    """The comparison as it is shown: its values before and now, and how they change."""
    return columns(lab.locator(".lab-board tbody tr").evaluate_all(CELLS))


def columns(rows):
    return {head: [before, now.rpartition(" = ")[2].strip(), change] for head, before, now, change in rows}


def compared(name, state):
    """The same by the library."""
    before, now = (VALUES[name](text) for text in state.split("~"))
    rows = {head: (before[key], now[key]) for key, head in LABS[name]["rows"].items()}
    words = LABS[name]["common"]
    return {head: [shown(old), shown(new), words[change(old, new)]] for head, (old, new) in rows.items()}


def change(old, new):
    if math.isnan(old) or math.isnan(new):
        return "none"
    return "same" if near(old, new) else "up" if new > old else "down"


@EACH
def test_every_value_is_that_of_the_library(page_of, name):
    texts = list(states(name))
    found = page_of().evaluate(
        "([name, texts]) => texts.map((text) => labs[name].evaluate(labs[name].read(text)))", [name, texts]
    )
    for text, got in zip(texts, found, strict=True):
        wanted = VALUES[name](text)
        assert {key: value for key, value in wanted.items() if not near(got[key], value)} == {}, text
        for key, (up, down) in got["terms"].items():
            assert near(up / down if down else math.nan, wanted[key]), (text, key)


def test_numbers_are_printed_as_python_prints_them(page_of):
    numbers = [*np.random.default_rng(0).random(300).tolist(), *(n / 64 for n in range(65)), 5e-05, 0.99995, 12.00005]
    numbers += [-number for number in numbers if number]
    assert page_of().evaluate("numbers => numbers.map((number) => labs.fixed(number))", numbers) == [
        f"{number:.4f}" for number in numbers
    ]


@EACH
def test_examples_show_what_they_say(page_of, name):
    tab = page_of()
    lab = tab.locator(f"#lab-{name}")
    for preset in LABS[name]["presets"]:
        lab.get_by_label("Example").select_option(preset["title"])
        assert lab.locator(".lab-note").inner_text() == preset["note"]
        assert board(lab) == compared(name, preset["state"])
        computed = tab.evaluate(COMPUTE, [name, preset["state"].split("~")])
        before, now = (SimpleNamespace(**values) for values in computed)
        assert all(evaluate(claim, {"before": before, "now": now}) for claim in preset["claims"])


def test_without_script_the_numbers_stand_in_tables(page_of):
    tab = page_of(java_script_enabled=False)
    for name, record in LABS.items():
        rows = tab.locator(f"#lab-{name} table").nth(1).locator("tbody tr").all()
        found = {cells[0]: cells[1:] for cells in (row.locator("th, td").all_inner_texts() for row in rows)}
        assert found == {head: values[:2] for head, values in compared(name, record["presets"][0]["state"]).items()}


# Follow links within the page, one after the other; what is said of each, and the comparison as it then is.
FOLLOW = """async ([name, texts, then]) => {
    const status = document.querySelector(`#lab-${name} .lab-status`), found = [];
    for (const text of texts) {
        status.textContent = "";
        location.hash = `${name}=${text}`;
        if (then) history.replaceState(null, "", then);
        for (let turn = 0; turn < 1000 && !status.textContent; turn++)
            await new Promise((resolve) => setTimeout(resolve, 100));
        const rows = document.querySelectorAll(`#lab-${name} .lab-board tbody tr`);
        found.push([status.textContent, [...rows].map((row) => [...row.cells].map((cell) => cell.innerText))]);
    }
    return found;
}"""


def set_hash(tab, name, text, then=""):
    """Follow a link within the page, do something before the page hears of it, and return what is said of the link."""
    return tab.evaluate(FOLLOW, [name, [text], then])[0][0]


@EACH
def test_a_link_carries_both_states_and_a_broken_one_is_refused(page_of, name):
    words, first = LABS[name]["common"], LABS[name]["presets"][0]["state"]
    before, now = LABS[name]["presets"][-1]["state"].split("~")
    tab = page_of(f"#{name}={now}~{before}")
    lab = tab.locator(f"#lab-{name}")
    assert board(lab) == compared(name, f"{now}~{before}")
    assert set_hash(tab, name, now).startswith(words["linked"])
    assert board(lab) == compared(name, f"{now}~{now}")
    for text in WRONG_STATES[name]:
        with pytest.raises(ValueError, match="is no state"):
            read(name, text)
    wanted = words["malformed"], compared(name, f"{now}~{now}")
    texts = [text.format(state=before) for text in BROKEN + WRONG_STATES[name]]
    for text, (said, rows) in zip(texts, tab.evaluate(FOLLOW, [name, texts, ""]), strict=True):
        assert (said, columns(rows)) == wanted, text
    own = f"#{name}={now}"  # the lab writes its address a while after a change
    assert set_hash(tab, name, "x", own) == words["malformed"]
    tab = page_of(f"#{name}={before}.")
    assert tab.locator(f"#lab-{name} .lab-status").inner_text() == words["malformed"]
    assert board(tab.locator(f"#lab-{name}")) == compared(name, first)


def assert_state(tab, name, now, before):
    """The address carries these states, and the comparison is theirs."""
    tab.wait_for_function("hash => location.hash === hash", arg=f"#{name}={before}~{now}")
    assert board(tab.locator(f"#lab-{name}")) == compared(name, f"{before}~{now}")


def drag(tab, box, columns, *places, y=None):
    """Over places of a strip of so many columns; the pointer stays down."""
    y = box["y"] + box["height"] / 2 if y is None else y
    start, *others = [box["x"] + place * box["width"] / columns for place in places]
    tab.mouse.move(start, y)
    tab.mouse.down()
    for place in others:
        tab.mouse.move(place, y, steps=3)


def test_threshold_moves_by_keyboard_and_pointer(page_of):
    items, name = "KJIHGFdcba", "threshold"
    start = f"{items}.5.1.1-1"
    tab = page_of(f"#{name}={start}")
    lab = tab.locator(f"#lab-{name}")
    for label, key, now in [
        ("Threshold: positive from", "ArrowRight", f"{items}.6.1.1-1"),
        ("Threshold: positive from", "End", f"{items}.11.1.1-1"),
        ("Negatives for each ring", "ArrowUp", f"{items}.11.2.1-1"),
        ("A miss costs", "ArrowDown", f"{items}.11.2.1-2"),
        ("Its score", "ArrowLeft", f"J{items[1:]}.11.2.1-2"),
    ]:
        lab.get_by_label(label).press(key)
        assert_state(tab, name, now, start)
        assert lab.get_by_label(label).evaluate("input => input === document.activeElement")
    assert "Precision undefined, recall 0.0000" in lab.get_by_role("status").inner_text()
    lab.get_by_label("Dot", exact=True).select_option("negative 4")
    lab.get_by_label("Its score").press("Home")
    lab.get_by_label("Its score").press("PageUp")
    assert lab.get_by_label("Its score").get_attribute("aria-valuetext") in lab.get_by_role("status").inner_text()
    lab.get_by_role("button", name="Reset").click()
    assert board(lab) == compared(name, LABS[name]["presets"][0]["state"])

    set_hash(tab, name, start)
    lab.locator(".lab-strip").scroll_into_view_if_needed()
    box = lab.locator(".lab-strip").bounding_box()
    drag(tab, box, 11, 5, 6.8, y=box["y"] + 8)
    tab.mouse.up()
    assert_state(tab, name, f"{items}.7.1.1-1", start)
    dot = lab.locator(".lab-dot").nth(9).bounding_box()
    drag(tab, box, 11, 0.5, 8.5, y=dot["y"] + dot["height"] / 2)
    tab.mouse.up()
    assert_state(tab, name, f"{items[:-1]}i.7.1.1-1", start)
    dot = lab.locator(".lab-dot").nth(0).bounding_box()
    drag(tab, box, 11, 10.5, 40, -1, y=dot["y"] + dot["height"] / 2)
    assert_state(tab, name, f"A{items[1:-1]}i.7.1.1-1", start)
    tab.keyboard.press("Escape")
    tab.mouse.move(box["x"] + 99, box["y"])
    assert_state(tab, name, f"{items[:-1]}i.7.1.1-1", start)
    tab.mouse.up()
    lab.get_by_role("button", name="Compare from here").click()
    assert board(lab) == compared(name, f"{items[:-1]}i.7.1.1-1~{items[:-1]}i.7.1.1-1")


def test_users_move_by_keyboard_and_pointer(page_of):
    name, start = "groups", "FEc.Gfb.Hd.111"
    tab = page_of(f"#{name}={start}")
    lab = tab.locator(f"#lab-{name}")
    for label, key, now in [
        ("Shift user A", "ArrowRight", "GFd.Gfb.Hd.111"),
        ("Shift user A", "End", "UTr.Gfb.Hd.111"),
        ("Shift user B", "Home", "UTr.Fea.Hd.111"),
        ("Weight of user C", "ArrowDown", "UTr.Fea.Hd.112"),
    ]:
        lab.get_by_label(label, exact=True).press(key)
        assert_state(tab, name, now, start)
    for user in "ABC":
        lab.get_by_label(f"Weight of user {user}").select_option("0")
    assert "by your weights undefined" in lab.get_by_role("status").inner_text()
    strip = lab.locator(".lab-strip").nth(2)
    strip.scroll_into_view_if_needed()
    drag(tab, strip.bounding_box(), 21, 5.5, 9.5)
    assert_state(tab, name, "UTr.Fea.Lh.000", start)
    tab.keyboard.press("Escape")
    assert_state(tab, name, "UTr.Fea.Hd.000", start)
    tab.mouse.up()
    drag(tab, strip.bounding_box(), 21, 5.5, -9)
    tab.mouse.up()
    assert_state(tab, name, "UTr.Fea.Ea.000", start)
    drag(tab, strip.bounding_box(), 21, 0.5, 40)
    tab.mouse.up()
    assert_state(tab, name, "UTr.Fea.Uq.000", start)


def test_cells_of_the_matrix_move_by_keyboard_and_pointer(page_of):
    name, start = "averaging", "5-1-0.2-4-1.0-0-99"
    tab = page_of(f"#{name}={start}")
    lab = tab.locator(f"#lab-{name}")
    field = lab.get_by_label("B called A", exact=True)
    field.press("ArrowUp")
    assert_state(tab, name, "5-1-0.3-4-1.0-0-99", start)
    field.fill("12")
    assert_state(tab, name, "5-1-0.12-4-1.0-0-99", start)
    for wrong in ["", "100", "-1", "1.5"]:
        field.fill(wrong)
        field.blur()
        assert field.input_value() == "12"
    lab.get_by_role("button", name="One more: C called C").click()
    lab.get_by_role("button", name="One less: A called C").click()
    lab.get_by_role("button", name="One less: C called C").click()
    assert_state(tab, name, "5-1-0.12-4-1.0-0-98", start)
    set_hash(tab, name, "0-0-0.0-1-0.0-0-0")
    assert lab.locator("td", has_text="undefined").count() == 6
    lab.get_by_role("button", name="One less: B called B").click()
    assert LABS[name]["common"]["refused"] in lab.get_by_role("status").inner_text()
    assert lab.get_by_label("B called B", exact=True).input_value() == "1"


def test_systems_are_drawn_by_keyboard(page_of):
    values, name = "5040904050506070.6030505060708090", "bootstrap"
    start = f"{values}.8.3.rows.paired.1.10"
    tab = page_of(f"#{name}={start}", reduced_motion="reduce")
    lab = tab.locator(f"#lab-{name}")
    for label, key, now in [
        ("Queries", "ArrowLeft", "7.3.rows.paired.1.10"),
        ("Queries", "Home", "5.3.rows.paired.1.10"),
        ("Seed", "ArrowRight", "5.3.rows.paired.2.10"),
        ("Queries are drawn", "ArrowDown", "5.3.users.paired.2.10"),
        ("A and B are drawn", "ArrowDown", "5.3.users.apart.2.10"),
        ("Run", "Enter", "5.3.users.apart.2.100"),
        ("Draws", "ArrowDown", "5.3.users.apart.2.1000"),
        ("Draws", "ArrowUp", "5.3.users.apart.2.100"),
        ("Draw one more", "Enter", "5.3.users.apart.2.101"),
        ("Queries", "End", "8.3.users.apart.2.101"),
        ("Run", "Enter", "8.3.users.apart.2.1000"),
    ]:
        lab.get_by_label(label, exact=True).or_(lab.get_by_role("button", name=label)).press(key)
        assert_state(tab, name, f"{values}.{now}", start)
    found, old = (VALUES[name](text) for text in (f"{values}.{now}", start))
    assert f"{found['low']:.4f} to {found['high']:.4f}: holds 0" in lab.get_by_role("status").inner_text()

    def ends(low, high):
        return f"{low:.3f} to {high:.3f}"

    ways, steps = (table.locator("tbody tr").evaluate_all(CELLS) for table in lab.locator(".lab-lanes").all())
    lanes = LABS[name]["words"]["lanes"]
    assert ways == [[lanes[way], ends(*old[way]), ends(*found[way])] for way in lanes]
    wanted = [[ends(*step[1:]) for step in values["steps"]] for values in (old, found)]
    rows = zip_longest(map("{:,}".format, STEPS), *wanted, fillvalue=LABS[name]["common"]["none"])
    assert steps == [list(row) for row in rows]
    assert lab.locator(".lab-lanes .is-chosen").inner_text().startswith(lanes["users_apart"])


def test_the_pictures_show_what_was_drawn(page_of):
    tab, name = page_of(), "bootstrap"
    lab = tab.locator(f"#lab-{name}")
    for preset in LABS[name]["presets"]:
        lab.get_by_label("Example").select_option(preset["title"])
        text = preset["state"].split("~")[1]
        *systems, digits, size, unit, how, seed, draws = read(name, text)
        n, each, stream = int(digits), int(size) if unit == "users" else 1, 2 * int(seed)
        a, b = (np.array(re.findall("..", values)[:n], dtype=int) for values in systems)
        assert how == "paired"
        options = {"n_resamples": int(draws), "rng": Drawn(stream, n * int(draws))}
        drawn = bootstrap(np.mean, b - a, groups=np.arange(n) // each, **options).distribution / 100
        reach = float(lab.locator(".lab-ticks span").last.inner_text())
        # The bars: where they begin and end on the axis, and the draws between.
        bars = re.findall(r"M(\S+) 100v-(\S+?)h(\S+?)V100", lab.locator(".lab-bars").get_attribute("d"))
        left, height, width = np.array(bars, dtype=float).T
        start, end = ((edge - 50) / 50 * reach for edge in (left, left + width))
        counts = ((start[:, None] <= drawn) & (drawn < end[:, None])).sum(axis=1)
        assert counts.sum() == int(draws)
        assert len(counts) > 10
        assert height == pytest.approx(100 * counts / counts.max())
        # How often the last draw has each query.
        units = n // each
        last = Drawn(stream, units * int(draws)).integers(units, size=units * int(draws))[-units:]
        times = np.repeat(np.bincount(last, minlength=units), each)
        for system in "ab":
            bars = lab.locator(f".lab-values path.is-{system}").get_attribute("d")
            assert re.findall(r"6v-(\d+)", bars) == [str(time) for time in times]


def test_a_run_goes_on_until_it_is_stopped(page_of):
    name, values = "bootstrap", "5040904050.6030505060.5.1.rows.paired.1"
    tab = page_of(f"#{name}={values}.9000", reduced_motion="no-preference")
    lab = tab.locator(f"#lab-{name}")
    lab.get_by_role("button", name="Run").click()
    assert_state(tab, name, f"{values}.10000", f"{values}.9000")
    assert "Draws: 10,000." in lab.get_by_role("status").inner_text()
    lab.get_by_role("button", name="Run").click()  # from the first draw
    lab.get_by_role("button", name="Stop").click()
    at = lab.get_by_label("Draws", exact=True).input_value()
    assert 0 < int(at) < 5000
    assert_state(tab, name, f"{values}.{at}", f"{values}.9000")
    lab.get_by_role("button", name="Run").click()
    lab.get_by_role("button", name="Reset").click()
    lab.get_by_role("button", name="Run").wait_for()
    assert board(lab) == compared(name, LABS[name]["presets"][0]["state"])


def assert_orders(tab, before, now, settings):
    """The orders stand in the lists, and the address and the comparison are theirs."""
    name = "ranked-list"
    assert_state(tab, name, f"{now}.{settings}", f"{before}.{settings}")
    tiles = tab.locator(f"#lab-{name} .lab-list").evaluate_all(
        "lists => lists.map((list) => [...list.querySelectorAll('.lab-tile')].map((tile) => tile.firstChild.data))"
    )
    assert [["left out" if mark == END else mark for mark in order] for order in (before, now)] == tiles


def test_documents_move_by_keyboard_and_pointer(page_of):
    name, settings = "ranked-list", "3210.3.linear.relevant.judged.ndcg"
    # What still glides could be taken for what has arrived there.
    tab = page_of(f"#{name}=NMLK-.{settings}~KLMN-.{settings}", reduced_motion="reduce")
    lab = tab.locator(f"#lab-{name}")
    one, other = lab.locator(".lab-list").all()
    one.get_by_role("button", name=re.compile("^L,")).focus()
    for key, now in [
        *[("ArrowUp", "NLMK-"), ("Home", "LNMK-"), ("ArrowUp", "LNMK-"), ("ArrowDown", "NLMK-"), ("End", "NMK-L")],
        *[("ArrowDown", "NMK-L"), ("ArrowUp", "NMKL-")],
    ]:
        tab.keyboard.press(key)
        assert_orders(tab, now, "KLMN-", settings)
        assert tab.evaluate("document.activeElement.textContent") == "L 2"
    values = [shown(VALUES[name](f"{order}.{settings}")["ndcg"]) for order in ("NMKL-", "KLMN-")]
    said = "L, rank 4 in A, grade 2. NDCG@3: A {}, B {}.".format(*values)
    assert lab.get_by_role("status").inner_text() == said
    other.get_by_role("button", name="Down: K, B").click()
    assert_orders(tab, "NMKL-", "LKMN-", settings)

    other.scroll_into_view_if_needed()
    box = other.bounding_box()
    places = [box["y"] + (row + 0.5) * box["height"] / 5 for row in range(5)]
    x = box["x"] + 20
    for start, end, now in [(0, 2, "KMLN-"), (4, 1, "K-MLN"), (1, 4, "KMLN-")]:
        tab.mouse.move(x, places[start])
        tab.mouse.down()
        tab.mouse.move(x, places[end] + 2, steps=5)
        assert_orders(tab, "NMKL-", now, settings)
        tab.mouse.up()
        tab.mouse.move(x, places[2])
    tab.mouse.move(x, places[0])
    tab.mouse.down()
    tab.mouse.move(x, places[3], steps=5)
    assert_orders(tab, "NMKL-", "MLNK-", settings)
    tab.keyboard.press("Escape")
    tab.mouse.move(x, places[2])
    assert_orders(tab, "NMKL-", "KMLN-", settings)
    tab.mouse.up()

    for label, option, changed in [
        ("Grade of N", "3", "3213.3.linear.relevant.judged.ndcg"),
        ("Gain", "2^grade − 1", "3213.3.exponential.relevant.judged.ndcg"),
        ("AP divides by", "k", "3213.3.exponential.k.judged.ndcg"),
        ("Ideal of NDCG", "from the list", "3213.3.exponential.k.list.ndcg"),
        ("Written out", "ERR@k", "3213.3.exponential.k.list.err"),
    ]:
        lab.get_by_label(label).select_option(option)
        assert_orders(tab, "NMKL-", "KMLN-", changed)
    lab.get_by_label("Cut k").press("ArrowLeft")
    assert_orders(tab, "NMKL-", "KMLN-", "3213.2.exponential.k.list.err")
    assert lab.locator(".is-seen .lab-tile").all_inner_texts() == ["N\n3", "M\n1", "K\n3", "M\n1"]
    assert lab.get_by_label("Grade of P").is_hidden()
    settings = "3210.3.linear.relevant.judged.ndcg"
    other_settings = settings.replace("linear", "exponential")
    assert set_hash(tab, name, f"NMLK-.{settings}~KLMN-.{other_settings}") == LABS[name]["common"]["malformed"]


def test_the_sums_that_are_written_out_give_the_values(page_of):
    tab, name, words = page_of(), "ranked-list", LABS["ranked-list"]["common"]
    texts = list(states(name))

    def value(parts):
        return eval(re.sub(r"log₂(\d+)", r"math.log2(\1)", "".join(map(str, parts))).replace("×", "*"))

    for text, found in zip(texts, tab.evaluate(COMPUTE, [name, texts]), strict=True):
        wanted = VALUES[name](text)
        for metric, sums in found["sums"].items():
            assert all(near(value(parts), term) for terms in sums for term, *parts in terms), (text, metric)
            up, down = [*(math.fsum(value(parts) for _, *parts in terms) for terms in sums), 1][:2]
            assert near(up / down if down else math.nan, wanted[metric]), (text, metric)

    lab = tab.locator(f"#lab-{name}")
    for preset in LABS[name]["presets"]:
        lab.get_by_label("Example").select_option(preset["title"])
        metric = preset["state"].rpartition(".")[2]
        both = [VALUES[name](text) for text in preset["state"].split("~")]
        ends = [text.rpartition(" = ")[2] for text in lab.locator(".lab-sum").all_inner_texts()]
        assert ends == [shown(values[metric]) for values in both]
        pairs = [[values[key] for values in both] for key in both[0] if key.startswith(f"{metric}_")]
        rows = lab.locator(".lab-conventions tbody tr").evaluate_all(CELLS)
        assert [row[1:] for row in rows] == [[*map(shown, pair), words[change(*pair)]] for pair in pairs]


def test_threshold_moves_by_touch(page_of):
    tab = page_of(width=375, has_touch=True)
    box = tab.locator(".lab-strip").first.bounding_box()
    tab.touchscreen.tap(box["x"] + box["width"] * 2 / 11, box["y"] + 8)
    before, now = LABS["threshold"]["presets"][0]["state"].split("~")
    assert_state(tab, "threshold", now.replace(".6.", ".2."), before)


def test_documents_move_by_touch(page_of):
    tab = page_of(width=375, has_touch=True)
    first, second = tab.locator("#lab-ranked-list .lab-list").first.locator(".lab-tile").all()[:2]
    first.evaluate("tile => tile.scrollIntoView({ behavior: 'instant', block: 'center' })")
    height, box, end = tab.evaluate("scrollY"), first.bounding_box(), second.bounding_box()
    finger = tab.context.new_cdp_session(tab)
    x, y, down = box["x"] + 20, box["y"] + box["height"] / 2, end["y"] - box["y"]
    for kind, points in [("Start", [y]), *(("Move", [y + part * down / 8]) for part in range(1, 9)), ("End", [])]:
        touches = [{"x": x, "y": point} for point in points]
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches})
    before, now = (text.partition(".")[0] for text in LABS["ranked-list"]["presets"][0]["state"].split("~"))
    settings = LABS["ranked-list"]["presets"][0]["state"].rpartition("~")[2].partition(".")[2]
    assert_orders(tab, f"{before[1]}{before[0]}{before[2:]}", now, settings)
    assert tab.evaluate("scrollY") == height


@pytest.mark.parametrize("width", [1280, 375, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_the_labs(page_of, scheme, width):
    tab = page_of(width=width, color_scheme=scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    rules = {"target-size": {"enabled": True}, "color-contrast": {"enabled": width > 375}}
    violations = Axe().run(tab, ".lab", {"resultTypes": ["violations"], "rules": rules}).response["violations"]
    assert [(fault["id"], node["html"][:200]) for fault in violations for node in fault["nodes"][:3]] == []
    cut = """labs => labs.flatMap((lab) => [...lab.querySelectorAll("*")].filter((node) =>
        node.getBoundingClientRect().right > innerWidth).map((node) => node.outerHTML.slice(0, 80)))"""
    assert tab.locator(".lab").evaluate_all(cut) == []


@pytest.mark.parametrize("width", [1280, 375])
def test_a_script_that_comes_late_moves_nothing(browser, site, width):
    tab = browser.new_page(viewport={"width": width, "height": 900})
    tab.route(re.compile("/labs/"), lambda route: (tab.wait_for_timeout(300), route.continue_()))
    tab.goto((site / "book" / "code.html").as_uri())
    tab.locator(".lab.is-live").last.wait_for()
    tab.wait_for_timeout(200)
    moved = tab.evaluate(SHIFTED)
    tab.close()
    assert moved < 0.01


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_things_glide_only_where_motion_is_wanted(page_of, motion, moves):
    tab = page_of(reduced_motion=motion)
    for name, move in {
        "threshold": "const slider = lab.querySelector('[type=range]'); slider.value = 0; slider.oninput()",
        "ranked-list": "lab.querySelectorAll('li button')[2].click()",
    }.items():
        glides = f"lab => {{ {move}; return lab.getAnimations({{ subtree: true }}).length }}"
        assert bool(tab.locator(f"#lab-{name}").evaluate(glides)) == moves


def test_scripts_are_small_and_stand_on_pages_with_a_lab_alone(site):
    sizes = {path.stem: len(gzip.compress(path.read_bytes())) for path in SCRIPTS.glob("*.js")}
    of_labs = {name: ["labs", *NEEDED.get(name, []), name] for name in LABS}
    assert sizes.keys() == {script for scripts in of_labs.values() for script in scripts}
    assert {name: size for name in LABS if (size := sum(sizes[script] for script in of_labs[name])) > 9_000} == {}
    for page, names in {"code": list(LABS), "other": ["ranked-list", "threshold"]}.items():
        text = (site / "book" / f"{page}.html").read_text()
        found = re.findall(r'src="[^"]*/labs/([\w-]+)\.js', text)
        assert found == list(dict.fromkeys(script for name in names for script in of_labs[name]))
    assert "labs/" not in (site / "search.html").read_text()


def test_a_notebook_for_readers_has_the_tables_and_the_place(site):
    *_, lists, cell = v4.reads((site / "book" / "other.ipynb").read_text()).cells
    assert "| 2 | N (1) | P (0) |" in re.sub(r"[* ]+", " ", lists.source)
    assert "| left out | K (3), L (3), Q (0) | – |" in re.sub(r"[* ]+", " ", lists.source)
    now = VALUES["threshold"](LABS["threshold"]["presets"][2]["state"].split("~")[1])
    assert f"| {now['auc']:.4f} |" in cell.source
    assert cell.source.endswith("*This lab can be moved on its page of the site.*")


def test_a_lab_that_does_not_exist_is_refused(built):
    said = "\n".join(built[1])
    faults = re.findall(r"index\.md:\d+: ERROR: (.*)", said)
    wanted = ["no example is called 'x'", "no lab is called 'x'", "this page already"]
    assert len(faults) == len(wanted)
    assert all(any(words in fault for fault in faults) for words in wanted)
    assert "code.md" not in said
