"""Serve one style sheet with the rules that some page can use, and fonts with the characters that occur.

The theme, its extensions and KaTeX bring ten sheets and 23 fonts, of which the book needs a small part.
A rule is kept if every tag, class and id that it asks for occurs in the markup of a page or in a script.
"""

import hashlib
import io
import logging
import os
import posixpath
import re
from pathlib import Path

import tinycss2
from finished_pages import pages_of
from kept import kept

SHEET = re.compile(r'<link (?=[^>]*rel="stylesheet")[^>]*href="((?:\.\./)*_static/)([^"?]+)[^>]*>\s*')
SCRIPT = re.compile(r'\s(?:src|data-editor)="([^"?]+\.js)[?"]')  # linked, or loaded by one that is
MARKUP = re.compile(r'<([a-z][a-z0-9]*)|\s(?:class|id)="([^"]*)"')
URL = re.compile(r"""url\((["']?)(?!data:|#)([^"')]+)\1\)""")
IMPORT = re.compile(r"""@import\s+["']([^"']+)["'];""")
# What the scripts of the theme name, and no page of the book shows.
ABSENT = {"bd-header-version-warning", "popover", "version-switcher__menu"}
FONT = re.compile(r"url\(([\w/.-]+\.woff2)\)")


def read_sheet(static, name):
    """Return the text of a sheet, with its imports in their places and its addresses relative to `static`."""
    folder = posixpath.dirname(name)

    def from_static(address):
        return posixpath.normpath(posixpath.join(folder, address))

    text = (static / name).read_text(encoding="utf-8")
    text = URL.sub(lambda match: f"url({from_static(match[2])})", text)
    return IMPORT.sub(lambda match: read_sheet(static, from_static(match[1])), text)


def words_in(pages):
    """Return the tags, classes and ids of the pages and every word of their scripts."""
    words, scripts = set(), set()
    for path, page in pages.items():
        for tag, names in MARKUP.findall(page):
            words.update([tag], names.split())
        scripts.update((path.parent / source).resolve() for source in SCRIPT.findall(page))
    for script in scripts:
        words.update(re.findall(r"[\w-]+", script.read_text(encoding="utf-8")))
    return words - ABSENT


def is_used(selector, words):
    """Tell whether the selector can match; what it has in brackets, as in ``:not(...)``, does not decide."""
    previous = None
    for token in selector:
        names_element = token.type == "hash" or (token.type == "ident" and previous != ":")
        if names_element and token.value not in words:
            return False
        previous = token
    return True


def split(prelude):
    """Yield the selectors of a list of selectors."""
    selector = []
    for token in prelude:
        if token == ",":
            yield selector
            selector = []
        else:
            selector.append(token)
    yield selector


def purge(rules, words):
    """Yield the text of each rule that can apply to a page."""
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [tinycss2.serialize(part).strip() for part in split(rule.prelude) if is_used(part, words)]
            if selectors:
                yield f"{','.join(selectors)}{{{tinycss2.serialize(rule.content).strip()}}}\n"
        elif rule.type == "at-rule" and rule.lower_at_keyword in {"media", "supports"}:
            inner = "".join(purge(tinycss2.parse_rule_list(rule.content, skip_comments=True), words))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}\n"
        elif rule.type == "at-rule" and rule.lower_at_keyword != "charset":
            yield rule.serialize()
        elif rule.type == "comment" and rule.value.startswith("!"):
            yield f"/*{rule.value}*/\n"  # a licence


def cut(font, characters):
    """Return the font with these characters alone."""
    from fontTools import subset  # slow to load, and hardly ever needed

    options, file = subset.Options(flavor="woff2"), io.BytesIO()
    font = subset.load_font(io.BytesIO(font), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(font)
    subset.save_font(font, file, options)
    return file.getvalue()


def cut_fonts(app, static, css, pages):
    """Keep in each font the characters that the pages contain, and the icons that the sheet names."""
    characters = "".join(sorted(set().union(css, *pages.values())))
    for path in {static / name for name in FONT.findall(css)}:
        path.write_bytes(kept(app, path.stem, cut, path.read_bytes(), characters))


def one_sheet(text, words):
    """Return the rules of the sheets that can apply to a page."""
    rules = tinycss2.parse_stylesheet(text, skip_whitespace=True)
    return ('@charset "UTF-8";\n' + "".join(purge(rules, set(words)))).encode()


def serve_one_sheet(app, exception):
    """Write the sheet and link it from each page in the place of all others."""
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    pages = pages_of(app)
    names = dict.fromkeys(name for page in pages.values() for _, name in SHEET.findall(page))
    names.pop("site.css", None)
    if not names:  # no page was written
        return
    text = "\n".join(read_sheet(static, name) for name in names)
    css = kept(app, "sheet", one_sheet, text, sorted(words_in(pages))).decode()
    cut_fonts(app, static, css, pages)
    static.joinpath("site.css").write_text(css, encoding="utf-8")
    version = hashlib.sha256(css.encode()).hexdigest()[:8]
    for path, page in pages.items():
        link = next(
            (f'<link rel="stylesheet" href="{prefix}site.css?v={version}" />\n' for prefix, _ in SHEET.findall(page)),
            "",
        )
        linked = re.sub(r"</title>\s*", f"</title>\n{link}", SHEET.sub("", page), count=1)
        if linked != page:
            path.write_text(linked, encoding="utf-8")


def setup(app):
    """Connect the last step of the build."""
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # else it tells of every table of every font
    if "PREVIEW_KNOWS" not in os.environ:  # a preview looks the same with all sheets, and is there seconds earlier
        app.connect("build-finished", serve_one_sheet, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
