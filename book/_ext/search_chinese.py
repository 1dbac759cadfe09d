"""Let the English search find Chinese, which puts no spaces between its words.

A run of Chinese characters is one word to Sphinx, found by its beginning alone and never by two characters.
Here each part of a run is a word of the index, and what the reader types is parted where Chinese begins and ends.
"""

import re

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

HAN = "\u3400-\u9fff"
LONGEST = 12  # characters; the names of metrics have at most eleven
SPLIT_QUERY = rf"""
var splitQuery = (query) => query
    .replace(/[{HAN}]+/g, " $& ")
    .split(/[^\p{{Letter}}\p{{Number}}_\p{{Emoji_Presentation}}]+/gu)
    .filter(term => term);
"""


def parts(run: str) -> list[str]:
    """Every part of a run, up to a length that somebody may search for."""
    starts = range(len(run))
    return [run[start:end] for start in starts for end in range(start + 1, min(start + LONGEST, len(run)) + 1)]


class SearchEnglishAndChinese(SearchEnglish):
    """English, and every part of a Chinese word."""

    js_splitter_code = SPLIT_QUERY
    _word_re = re.compile(rf"[{HAN}]+|[^\W{HAN}]+")

    def split(self, text: str) -> list[str]:
        """The words of a text."""
        words = super().split(text)
        return [part for word in words for part in (parts(word) if re.match(f"[{HAN}]", word) else [word])]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_search_language(SearchEnglishAndChinese)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
