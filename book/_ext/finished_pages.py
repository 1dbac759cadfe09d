"""Finish each page: add what the theme leaves out, mend what it breaks, drop what it loads for nothing."""

import re
from datetime import date
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.images import get_image_size

from metrics_lib import __version__

# Attributes come in any order: another extension may have written the page anew.
REPAIRS = {
    # The theme's colours are known before the first paint, not after the last script; without scripts they are light.
    r'getItem\("theme"\) \|\| "auto"': (
        'getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'
    ),
    r'data-theme="auto"': 'data-theme="light"',
    # Icons come from a font: this script draws them a second time, for half a megabyte.
    r'<script [^>]*src="[^"]*/fontawesome\.js[^>]*></script>': "",
    # What waits for the page needs no preload, which only delays what cannot wait.
    r'<link (?=[^>]*rel="preload")(?=[^>]*as="script")[^>]*>': "",
    # Scripts wait for the page, except the one whose constants are used by the lines that follow it.
    r"<script (?=[^>]*src=)(?![^>]*(?:defer|documentation_options))": "<script defer ",
    # The notebook is to be saved, not to be shown as text in a new window; so is the archive.
    r'(<a (?=[^>]*download-(?:source|archive))[^>]*)target="_blank"': r"\1download",
    # Who listens to the page hears where the sidebar is, what a toggle does and that references are a list.
    r'<div (?=[^>]*id="pst-primary-sidebar")(?![^>]*role=)': '<div role="complementary" aria-label="Book" ',
    r'<summary>(?=<span class="toctree-toggle")': '<summary aria-label="Show or hide chapters">',
    r'<summary aria-label="Toggle hidden content">': "<summary>",
    r'role="doc-biblioentry"': 'role="listitem"',
    # The empty corner of a table is the head of nothing.
    r"<th\b([^>]*)>(?:\s|&nbsp;|&#160;|<p>\s*</p>)*</th>": r"<td\1></td>",
}
# The search scripts, with the words of all pages, work on the search page alone.
SEARCH = r'<script [^>]*src="[^"]*(?:searchtools|language_data|searchindex)\.js[^>]*></script>'
# Tabs, which hardly a page has.
TABS = r'<script [^>]*src="[^"]*/design-tabs\.js[^>]*></script>'
# What a server shows for an address that is none, at whatever depth: it needs no other file.
LOST = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="This address leads to no page of the book.">
<title>No such page · {book}</title>
<style>
body {{ color-scheme: light dark; font: 1.1rem/1.6 system-ui, sans-serif; margin: 15vh auto; max-width: 34rem; }}
</style>
</head>
<body>
<main>
<h1>No such page</h1>
<p>The address leads to no page of <em>{book}</em>; perhaps it has moved.</p>
<p><a href="{root}book/index.html">The front page</a> has all metrics;
<a href="{root}search.html">the search</a> finds each by its names, Chinese ones included.</p>
</main>
</body>
</html>
"""
FINISHED = "_static/site.css?v="  # what one_stylesheet links from each page in the end
UNSIZED = r'<img (?![^>]*width=)(?=[^>]*src="([^"]+)")'


def describe(app, pagename, templatename, context, doctree):
    """Tell search engines and those who share a page what it is about, and the reader which version it is of what day.

    A page whose author does not describe it is described by its first paragraph without maths.
    """
    metatags, book = context.get("metatags", ""), app.config.html_title
    described = re.search(r'name="description" content="([^"]*)"|content="([^"]*)" name="description"', metatags)
    if described:
        text = described[1] or described[2]
    else:
        text = escape(first_words(doctree) or f"{book}: {pagename}")
        metatags += f'<meta name="description" content="{text}" />\n'
    title = escape(re.sub("<[^>]*>", "", context.get("title") or book))
    properties = {"title": title, "description": text, "site_name": escape(book), "type": "article"}
    if app.config.site_url:
        properties["url"] = escape(f"{app.config.site_url}{pagename}.html")
    context["metatags"] = metatags + "".join(
        f'<meta property="og:{name}" content="{content}" />\n' for name, content in properties.items()
    )
    licence = app.config.html_theme_options["extra_footer"].removesuffix("</p>")
    context["theme_extra_footer"] = f"{licence} Version {__version__}, built on {date.today()}.</p>"


def first_words(doctree):
    """Return the beginning of the first paragraph without maths."""
    sections = doctree.findall(nodes.section) if doctree else ()
    paragraphs = (part for section in sections for part in section.children if isinstance(part, nodes.paragraph))
    texts = (paragraph.astext() for paragraph in paragraphs if not list(paragraph.findall(nodes.math)))
    text = " ".join(next(texts, "").split())
    return text if len(text) <= 160 else text[:160].rsplit(" ", 1)[0] + " …"


def short_title(match):
    """Name the page in the title of the window by what stands before the colon, and the book once."""
    page, book = match[1].strip(), match[2]
    return f"<title>{page.partition(':')[0]} · {book}</title>" if page != book else f"<title>{book}</title>"


def finish(page, path):
    """Return the source of the page at `path` as it is to be served."""

    def sized(image):
        """Without its size an image moves the text under the reader's eyes."""
        size = get_image_size(path.parent / image[1])
        return '<img width="{}" height="{}" '.format(*size) if size else image[0]

    if path.name != "search.html":
        page = re.sub(SEARCH, "", page)
    if "sd-tab-set" not in page:
        page = re.sub(TABS, "", page)
    page = re.sub(r"<title>([^<]*) (?:—|&#8212;|-) ([^<]*)</title>", short_title, page)
    for fault, repair in REPAIRS.items():
        page = re.sub(fault, repair, page)
    return re.sub(UNSIZED, sized, page)


def pages_of(app):
    """Return the path and the source of each page; the theme leaves templates among its static files."""
    paths = [
        path for path in Path(app.outdir).rglob("*.html") if "_static" not in path.parts and path.name != "404.html"
    ]
    return {path: path.read_text(encoding="utf-8") for path in paths}


def finish_all(app, exception):
    """Finish each page of the site."""
    if exception is None and app.builder.format == "html":
        for path, page in pages_of(app).items():
            if FINISHED not in page:
                path.write_text(finish(page, path), encoding="utf-8")
        lost = LOST.format(book=app.config.html_title, root=app.config.site_url)
        Path(app.outdir, "404.html").write_text(lost, encoding="utf-8")


def setup(app):
    """Connect both steps."""
    app.connect("html-page-context", describe)
    app.connect("build-finished", finish_all, priority=800)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
