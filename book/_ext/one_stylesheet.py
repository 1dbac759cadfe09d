"""Serve one style sheet with the rules that some page can use, and fonts with the characters that occur.

The theme, its extensions and KaTeX bring ten sheets and 23 fonts, of which the book needs a small part.
A rule is kept if every tag, class and id that it asks for occurs in the markup of a page or in a script.
The template of pages links the sheet; no page is changed.
"""

import hashlib
import io
import logging
import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import tinycss2
from docutils import nodes
from fontTools import subset
from lxml import html
from sphinx.application import Sphinx
from tinycss2.ast import Node

THEME = ["styles/theme.css", "styles/pydata-sphinx-theme.css"]  # which its template links; pages name the others
SHEETS: dict[str, None] = {}
# What the scripts of the theme name, and no page of the book shows.
ABSENT = {"bd-header-version-warning", "popover", "version-switcher__menu"}


def set_version(app: Sphinx) -> None:
    """Whatever the sheet may be made from gives it a new address, which no browser has kept."""
    sources = [Path(__file__).parents[2] / "requirements.txt", *Path(app.srcdir, "book").rglob("*.*")]
    content = b"".join(path.read_bytes() for path in sorted(sources) if path.is_file() and path.suffix != ".pyc")
    app.config.html_context["sheet_version"] = hashlib.sha256(content).hexdigest()[:8]


def note_sheets(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Remember the sheets that a page asks for."""
    names = (str(sheet.filename).removeprefix("_static/") for sheet in context["css_files"])
    SHEETS.update(dict.fromkeys([*THEME, *names]))


def tokens(parsed: Iterable[Node] | None) -> Iterator[Node]:
    """Yield every token of a sheet, those within others as well."""
    for node in parsed or ():
        yield node
        for inner in ("prelude", "content", "arguments"):
            yield from tokens(getattr(node, inner, None))


def rules_of(static: Path, name: str) -> Iterator[Node]:
    """Yield the rules of a sheet, with its imports in their places and its addresses relative to `static`."""
    rules, _ = tinycss2.parse_stylesheet_bytes((static / name).read_bytes(), skip_whitespace=True)

    def from_static(address: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))

    for token in tokens(rules):
        if token.type == "url" and not token.value.startswith(("data:", "#")):
            token.value = from_static(token.value)
            token.representation = f"url({token.value})"
    for rule in rules:
        if rule.type == "at-rule" and rule.lower_at_keyword == "import":
            address = next(token.value for token in rule.prelude if token.type == "string")
            yield from rules_of(static, from_static(address))
        else:
            yield rule


def used_in(paths: Iterable[Path]) -> tuple[set[str], set[str]]:
    """The tags, classes and ids of the pages with every word of their scripts, and the characters of the pages."""
    words, characters, scripts = set(), set(), set()
    for path in paths:
        page = html.fromstring(path.read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
        characters.update(page.text_content())
        for element in page.iter("*"):
            words.update([element.tag, element.get("id", ""), *element.get("class", "").split()])
            if element.tag == "script":  # linked, or loaded by one that is
                linked = filter(None, map(element.get, ("src", "data-editor")))
                scripts.update((path.parent / address.partition("?")[0]).resolve() for address in linked)
    for script in scripts:
        words.update(re.findall(r"[\w-]+", script.read_text(encoding="utf-8")))
    return words - ABSENT, characters


def is_used(selector: list[Node], words: set[str]) -> bool:
    """Tell whether the selector can match; what it has in brackets, as in ``:not(...)``, does not decide."""
    previous = None
    for token in selector:
        names_element = token.type == "hash" or (token.type == "ident" and previous != ":")
        if names_element and token.value not in words:
            return False
        previous = token
    return True


def split(prelude: list[Node]) -> Iterator[list[Node]]:
    """Yield the selectors of a list of selectors."""
    selector = []
    for token in prelude:
        if token == ",":
            yield selector
            selector = []
        else:
            selector.append(token)
    yield selector


def purged(rules: Iterable[Node], words: set[str]) -> Iterator[str]:
    """Yield the text of each rule that can apply to a page."""
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [tinycss2.serialize(part).strip() for part in split(rule.prelude) if is_used(part, words)]
            if selectors:
                yield f"{','.join(selectors)}{{{tinycss2.serialize(rule.content).strip()}}}\n"
        elif rule.type == "at-rule" and rule.lower_at_keyword in {"media", "supports"}:
            inner = "".join(purged(tinycss2.parse_rule_list(rule.content, skip_comments=True), words))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}\n"
        elif rule.type == "at-rule" and rule.lower_at_keyword != "charset":
            yield rule.serialize()
        elif rule.type == "comment" and rule.value.startswith("!"):
            yield f"/*{rule.value}*/\n"  # a licence


def cut(path: Path, characters: str) -> None:
    """Leave these characters alone in a font."""
    options, file = subset.Options(flavor="woff2"), io.BytesIO()
    font = subset.load_font(path, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(font)
    subset.save_font(font, file, options)
    path.write_bytes(file.getvalue())


def serve_one_sheet(app: Sphinx, exception: Exception | None) -> None:
    """Write the sheet, and cut the fonts that it names to the characters of the pages and the icons of the sheet."""
    if exception is not None or not SHEETS:  # no page was written
        return
    static = Path(app.outdir, "_static")
    apart = {Path(app.outdir, f"{app.config.notfound_pagename}.html"), *static.rglob("*.html")}  # the theme's templates
    pages = [path for path in Path(app.outdir).rglob("*.html") if path not in apart]
    words, characters = used_in(pages)
    rules = [rule for name in SHEETS for rule in rules_of(static, name)]
    css = '@charset "UTF-8";\n' + "".join(purged(rules, words))
    (static / "site.css").write_text(css, encoding="utf-8")
    text = "".join(sorted(characters.union(css)))
    for address in {token.value for token in tokens(tinycss2.parse_stylesheet(css)) if token.type == "url"}:
        if address.endswith(".woff2"):
            cut(static / address, text)


def setup(app: Sphinx) -> dict[str, bool]:
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # else it tells of every table of every font
    app.connect("builder-inited", set_version)
    app.connect("html-page-context", note_sheets)
    app.connect("build-finished", serve_one_sheet, priority=900)
    return {"parallel_read_safe": True}
