"""Let the search find Chinese, what people type rather than what pages say, and what was meant.

A run of Chinese characters is one word to Sphinx, found by its beginning alone and never by two characters.
Here each character and each pair of neighbours is a word of the index, and what the reader types is parted alike.
Lessons are found with words such as "Python" as well, which stand on none. The script of the search page knows the
names of each page, by which it puts the page first, and all words of titles, among which it finds what was meant.
"""

import re
from itertools import chain, pairwise

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

HAN = "\u3400-\u9fff"
SPLIT_QUERY = rf"""
var pairsOf = (run) => (run.length < 3 ? [run] : [...run].slice(1).map((last, place) => run[place] + last));
var splitQuery = (query) => query
    .replace(/[{HAN}]+/g, (run) => ` ${{pairsOf(run).join(" ")}} `)
    .split(/[^\p{{Letter}}\p{{Number}}_\p{{Emoji_Presentation}}]+/gu)
    .filter(term => term);
"""


def pairs(run: str) -> list[str]:
    """Every character and every pair of neighbours."""
    return [*run, *map("".join, pairwise(run))]


class SearchEnglishAndChinese(SearchEnglish):
    """English, and pairs of Chinese characters."""

    js_splitter_code = SPLIT_QUERY

    def split(self, text: str) -> list[str]:
        """The words of a text."""
        words = re.findall(rf"[{HAN}]+|[^\W{HAN}]+", text)
        return [part for word in words for part in (pairs(word) if re.match(f"[{HAN}]", word) else [word])]


# What is typed beside the name of a metric.
ASKED_FOR = "python, numpy, code, formula, example, calculate, compute, definition, 公式, 计算, 怎么, 么算, 代码"


def add_words(app: Sphinx, document: nodes.document) -> None:
    if app.env.docname.startswith("book/lessons/"):
        document.insert(0, nodes.meta(name="keywords", content=ASKED_FOR))


def words(text: str) -> list[str]:
    return SearchEnglishAndChinese({}).split(text.lower())


def tell_names(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Give the search page the names of each page, as its index has them, and the words of all titles."""
    if page != "search":
        return
    entries = app.env.domains["index"].entries
    titles = {name: title.astext() for name, title in app.env.titles.items()}
    names = {
        name: sorted({text.lower() for text in [titles[name], *(entry[1] for entry in found)]})
        for name, found in entries.items()
        if name in titles and name != "book/reference/glossary" and not name.startswith("book/reference/api-")
    }
    known = {word for text in [*titles.values(), *chain(*names.values())] for word in words(text)}
    known |= {word for entry in entries.get("book/reference/glossary", []) for word in words(entry[1])}
    context["names"] = names
    context["known"] = sorted(word for word in known if len(word) > 1)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_search_language(SearchEnglishAndChinese)
    app.connect("doctree-read", add_words)
    app.connect("html-page-context", tell_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
