"""The files of the built site: small, complete, and without a word to any other site."""

import gzip
import json
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.registries import load

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
# The root page and an old address only lead to a page, and what lost readers meet has a test of its own.
APART = {SITE / "index.html", SITE / "404.html", SITE / "book" / "reference" / "twelve.html"}
PAGES = sorted(path for path in SITE.rglob("*.html") if "_static" not in path.parts and path not in APART)
LIMIT, LIMIT_OF_A_LESSON = 300_000, 240_000  # bytes
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
FACE = re.compile(r"@font-face\s*\{([^}]*)\}")
EVERY_PAGE = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix())


class Page(HTMLParser):
    """The tags of a page, with their attributes, and its inline scripts."""

    def __init__(self, path):
        super().__init__()
        self.tags, self.scripts, self.in_script = [], "", False
        self.feed(path.read_text(encoding="utf-8"))
        self.ids = [attributes["id"] for _, attributes in self.tags if "id" in attributes]
        self.classes = {name for _, attributes in self.tags for name in (attributes.get("class") or "").split()}

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.in_script = tag == "script"

    def handle_data(self, data):
        self.scripts += data if self.in_script else ""

    def addresses(self, *tags):
        """Return what the tags of these names link to or load; the page's own public address is neither."""
        found = [attributes for tag, attributes in self.tags if tag in tags and attributes.get("rel") != "canonical"]
        return [address for attributes in found if (address := attributes.get("href") or attributes.get("src"))]


page_at = cache(Page)


def target(path, address):
    """Return the file and the fragment that `address` means on the page at `path`."""
    parts = urlsplit(address)
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    return file, unquote(parts.fragment)


@cache
def transferred(file):
    """Return the bytes that a server sends for a file: text is compressed, fonts and pictures are already."""
    content = file.read_bytes()
    return len(content if file.suffix in {".woff2", ".png", ".jpeg"} else gzip.compress(content, 6))


def face(declarations):
    """Return family, weight and style of a font, as a rule or a face states them."""
    family = re.search(r"(KaTeX_\w+|Font Awesome[\w \\]*)", declarations)
    weight = re.search(r"font-weight:\s*(\w+)", declarations)
    is_bold = weight is not None and weight[1] in {"700", "900", "bold"}
    return family and family[1].replace("\\", ""), is_bold, "italic" in declarations


@cache
def fonts_in(sheet):
    """Return the files of the fonts of a style sheet, and the fonts that each set of classes calls."""
    css = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    files = {face(rule): target(sheet, re.search(r"url\(([^)]*)\)", rule)[1])[0] for rule in FACE.findall(css)}
    calls = [
        (frozenset(re.findall(r"\.([\w-]+)", selector)), face(declarations))
        for selectors, declarations in RULE.findall(css)
        for selector in selectors.split(",")
        if "." in selector
    ]
    return files, [(classes, font) for classes, font in calls if font in files]


def fonts_of(page, sheet):
    """Return the font files that the classes of the page call."""
    files, calls = fonts_in(sheet)
    return {files[font] for classes, font in calls if classes <= page.classes}


def test_the_page_for_lost_readers_works_at_any_depth():
    """A server shows it for whatever address is none, so it names what it needs from the root of the site."""
    page = Page(SITE / "404.html")
    addresses = page.addresses("a", "img", "link", "script")
    assert {"/book/index.html", "/search.html"} < set(addresses)
    needed = [address for address in addresses if not address.startswith("#")]
    assert [address for address in needed if not (SITE / urlsplit(address).path.removeprefix("/")).is_file()] == []
    assert [address for address in needed if not address.startswith("/") or address.startswith("//")] == []


def test_site_is_built():
    assert PAGES, f"{SITE} holds no site: run `make book` first"


@EVERY_PAGE
def test_page_is_small(path):
    page = page_at(path)
    linked = [
        attributes for tag, attributes in page.tags if tag == "link" and attributes["rel"] in {"stylesheet", "icon"}
    ]
    loaded = [attributes["href"] for attributes in linked] + page.addresses("img", "script")
    files = {target(path, address)[0] for address in loaded} | {path}
    sheets = [file for file in files if file.suffix == ".css"]
    assert len(sheets) == 1
    files |= fonts_of(page, sheets[0])
    sizes = {file.name: transferred(file) for file in files if file.name != "searchindex.js"}
    is_lesson = path.parent.name == "lessons" and path.with_suffix(".ipynb").exists()
    limit = LIMIT_OF_A_LESSON if is_lesson else LIMIT
    assert sum(sizes.values()) < limit, sorted(sizes.items(), key=lambda item: -item[1])[:5]


@EVERY_PAGE
def test_page_loads_nothing_from_elsewhere(path):
    page = page_at(path)
    loaded = page.addresses("embed", "iframe", "img", "link", "object", "script", "source")
    assert [address for address in loaded if re.match(r"(\w+:)?//", address)] == []
    assert "MathJax" not in page.scripts
    assert [address for address in loaded if "mathjax" in address.lower()] == []


def test_style_sheet_loads_nothing_from_elsewhere():
    css = (SITE / "_static" / "site.css").read_text(encoding="utf-8")
    addresses = re.findall(r"""url\(["']?([^"')]+)""", css)
    assert [address for address in addresses if re.match(r"(\w+:)?//", address)] == []
    assert "@import" not in css


@EVERY_PAGE
def test_links_of_page_resolve(path):
    broken = []
    for address in page_at(path).addresses("a", "img", "link", "script"):
        if re.match(r"(https?|mailto|data):", address):
            continue
        file, fragment = target(path, address)
        if not file.is_file() or (fragment and file.suffix == ".html" and fragment not in page_at(file).ids):
            broken.append(address)
    assert broken == []


@EVERY_PAGE
def test_reference_to_an_equation_shows_its_number(path):
    def numbers(file):
        return dict(
            re.findall(r'id="(equation-[^"]+)">\s*<span class="eqno">\((.*?)\)<', file.read_text(encoding="utf-8"))
        )

    references = re.findall(r'href="([^"]*#equation-[^"]+)">\((.*?)\)</a>', path.read_text(encoding="utf-8"))
    targets = [(target(path, address), shown) for address, shown in references]
    assert [(fragment, shown) for (file, fragment), shown in targets if numbers(file).get(fragment) != shown] == []


@EVERY_PAGE
def test_ids_of_page_are_unique(path):
    ids = page_at(path).ids
    assert sorted(ids) == sorted(set(ids))


@EVERY_PAGE
def test_page_has_one_description(path):
    named = [
        attributes
        for tag, attributes in page_at(path).tags
        if tag == "meta" and attributes.get("name") == "description"
    ]
    assert len(named) == 1
    assert 20 <= len(named[0]["content"]) <= 300


@EVERY_PAGE
def test_images_have_words_and_size(path):
    images = [attributes for tag, attributes in page_at(path).tags if tag == "img"]
    assert [image["src"] for image in images if not (image.get("alt") or "").strip()] == []
    assert [image["src"] for image in images if not {"width", "height"} <= set(image)] == []


@EVERY_PAGE
def test_formulas_stand_in_the_page_as_it_is_sent(path):
    """No script sets them: each is there before any runs."""
    classes = [(attributes.get("class") or "").split() for _, attributes in page_at(path).tags]
    formulas = [names[0] for names in classes if names[:1] in (["math"], ["katex-html"])]
    assert formulas == ["math", "katex-html"] * (len(formulas) // 2)


@EVERY_PAGE
def test_page_of_a_notebook_offers_it(path):
    """Some servers send a notebook as text to be shown, unless the link says that it is to be saved."""
    source = (SITE / "_sources" / path.relative_to(SITE)).with_suffix(".ipynb")
    links = [attributes["href"] for tag, attributes in page_at(path).tags if tag == "a" and "download" in attributes]
    offered = [link for link in links if link.endswith(".ipynb")]
    assert offered == ([source.name] if source.is_file() else [])
    for link in offered:
        cells = json.loads((path.parent / link).read_text(encoding="utf-8"))["cells"]
        assert cells[1]["id"] == "what-it-needs"


LESSONS = sorted({card["home"] for card in load("cards") if card.get("call") and card["home"].startswith("lessons/")})


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_choices_of_a_lesson_lead_to_its_functions(lesson):
    page = (SITE / "book" / f"{lesson}.html").read_text(encoding="utf-8")
    choices = page.partition('<section id="the-choices">')[2].partition("</h2>")[2].partition("<h2>")[0]
    linked = set(re.findall(r'href="[./]*/reference/api-[\w.-]+#metrics_lib\.\w+\.(\w+)"', choices))
    calls = [call for card in load("cards") if card["home"] == lesson for call in card.get("call") or []]
    assert calls
    assert {re.match(r"\w+", call)[0] for call in calls} <= linked


def test_nothing_of_the_build_is_published():
    assert list(SITE.rglob("katex*.js")) == []
    assert list(SITE.rglob("*athjax*")) == []
    assert (SITE / "robots.txt").is_file()
