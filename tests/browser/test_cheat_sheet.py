"""The cheat sheet on paper: two sides of A4 with every metric, nothing cut, nothing too small or too pale to read."""

import io
import unicodedata

import pytest
from pypdf import PdfReader

from tests.registries import load

ADDRESS = "book/reference/cheat-sheet.html"
MILLIMETRE = 96 / 25.4
# What reaches out of its row, and rows that are not as wide as a column.
CUT = """width => [...document.querySelectorAll(".cheat-sheet tbody tr")].filter((row) => {
    const box = row.getBoundingClientRect();
    const inside = [...row.querySelectorAll("td, td p, .katex-html, .katex-html .base, [lang]")].every((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left >= box.left - 1 && right <= box.right + 1;
    });
    return !inside || Math.abs(box.width - width) > 1;
}).map((row) => row.innerText)"""
STYLES = """name => [...document.querySelectorAll(".bd-article :is(h1, h2, p, td, td a, .katex, [lang])")]
    .filter((part) => part.getClientRects().length).map((part) => getComputedStyle(part)[name])"""


@pytest.fixture(scope="module")
def sheet(browser, origin):
    """The page as a PDF, printed as its style sheet says."""
    tab = browser.new_page()
    tab.goto(origin + ADDRESS)
    yield PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True)))
    tab.close()


# A character without a font is drawn as the same box as one that no font has.
DRAWS_CHINESE = """() => {
    const drawn = (text) => {
        const pen = Object.assign(document.createElement("canvas"), { width: 40, height: 40 }).getContext("2d");
        pen.font = "30px sans-serif";
        pen.fillText(text, 2, 32);
        return pen.canvas.toDataURL();
    };
    return drawn("准") !== drawn("\\u{10FFFE}");
}"""


@pytest.fixture
def chinese_font(browser):
    """Skip the test on a machine without a Chinese font."""
    tab = browser.new_page()
    found = tab.evaluate(DRAWS_CHINESE)
    tab.close()
    if not found:
        pytest.skip("no Chinese font on this machine: apt-get install fonts-noto-cjk")


@pytest.fixture
def printed(browser, origin):
    """Return a function that lays the page out as for paper: A4 without its margins of 9 mm."""
    contexts = []

    def open_page(scheme="light"):
        size = {"width": round(192 * MILLIMETRE), "height": round(279 * MILLIMETRE)}
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme))
        tab = contexts[-1].new_page()
        tab.goto(origin + ADDRESS)
        tab.emulate_media(media="print", color_scheme=scheme)
        tab.evaluate("document.fonts.ready.then(() => null)")
        return tab

    yield open_page
    for context in contexts:
        context.close()


def plain(text):
    """Text without spaces and ligatures, which the printed page has at its own places."""
    # A PDF may call a character by its radical, and the page sets a curved apostrophe.
    return "".join(unicodedata.normalize("NFKC", text).translate(str.maketrans("⻢’", "马'")).split())


def sizes(page):
    """The size in points of each piece of text, with whether it is maths."""
    found = set()

    def visit(text, transformation, matrix, font, size):
        if text.strip():
            maths = "KaTeX" in str((font or {}).get("/BaseFont"))
            found.add((maths, round(abs(size * matrix[3] * transformation[3]), 1)))

    page.extract_text(visitor_text=visit)
    return found


def test_the_sheet_fills_two_sides_of_a4(sheet):
    assert len(sheet.pages) == 2
    for page in sheet.pages:
        assert [float(page.mediabox.width), float(page.mediabox.height)] == pytest.approx([595, 842], abs=1)


def assert_on_one_side(sheet, names_of):
    sides = [plain(page.extract_text()) for page in sheet.pages]
    tasks = ["labels", "scores"], ["ranked list", "numbers", "distributions"]
    for card in load("cards"):
        (side,) = [side for side, names in zip(sides, tasks, strict=True) if card["task"] in names]
        assert [name for name in names_of(card) if plain(name) not in side] == []


def test_every_metric_stands_on_one_side(sheet):
    assert_on_one_side(sheet, lambda card: [card["name"]])


def test_the_other_doors_stand_at_the_end(sheet):
    assert [plain("Tables and files") in plain(page.extract_text()) for page in sheet.pages] == [False, True]
    assert plain("sql.roc_auc_score") in plain(sheet.pages[1].extract_text())


@pytest.mark.usefixtures("chinese_font")
def test_every_metric_has_its_chinese_names(sheet):
    assert_on_one_side(sheet, lambda card: card["chinese"].split())


def test_nothing_but_the_sheet_is_printed(sheet):
    text = plain("".join(page.extract_text() for page in sheet.pages))
    assert text.startswith("Cheatsheet")
    assert [word for word in ("Contents", "Search", "Next", "Previous", "CCBY", "onpaper", "#") if word in text] == []


def test_the_type_is_large_enough_to_read(sheet):
    for page in sheet.pages:
        found = sizes(page)
        assert min(size for maths, size in found if not maths) >= 6.5
        assert min(size for maths, size in found if maths) >= 4  # exponents of exponents


def test_nothing_is_cut_and_no_metric_is_split(printed):
    tab = printed()
    assert tab.locator(".cheat-sheet tbody tr").count() == len(load("cards"))
    assert tab.evaluate(CUT, (192 - 6) / 2 * MILLIMETRE) == []
    rows = "[...document.querySelectorAll('.cheat-sheet tbody tr')].map((row) => getComputedStyle(row).breakInside)"
    assert set(tab.evaluate(rows)) == {"avoid"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ink_is_dark_whatever_the_screen_is(printed, scheme):
    colours = set(printed(scheme).evaluate(STYLES, "color"))
    assert colours == {"rgb(0, 0, 0)"}
