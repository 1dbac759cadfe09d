"""Let the English search find Chinese, which puts no spaces between its words.

A run of Chinese characters is one word to Sphinx, found by its beginning alone and never by two characters.
Here each character and each pair of neighbours is a word of the index, and what the reader types is parted alike.
"""

import re
from itertools import pairwise

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


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_search_language(SearchEnglishAndChinese)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
