"""The terms of the book: the index and the search know them by all their names, and Chinese is sorted by its sound."""

import re

from docutils import nodes
from records import load
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

HAN = re.compile("[\u3400-\u9fff]")
# The standard GB 2312 lists the common characters in the order of their pinyin. For the rarer ones, and for one that
# stands there under its other reading, a common character of the same sound stands in.
SOUNDS_LIKE = {"熵": "商", "阈": "域", "调": "条"}


def pinyin_order(word: str) -> bytes:
    """A key that sorts Chinese words by their pinyin, after those that begin with a Latin letter or a digit."""
    return "".join(SOUNDS_LIKE.get(character, character) for character in word).lower().encode("gb18030")


def by_chinese(terms: list[dict]) -> list[tuple[str, tuple[list[str], list[str]]]]:
    """Each Chinese word with the English terms that it stands for, and those that it should not stand for."""
    means: dict[str, tuple[list[str], list[str]]] = {}
    for term in terms:
        for place, words in enumerate(([term["chinese"], *term["also"]], [word["term"] for word in term["avoid"]])):
            for word in filter(HAN.search, words):
                means.setdefault(word, ([], []))[place].append(term["en"])
    return sorted(means.items(), key=lambda item: pinyin_order(item[0]))


def spellings(term: dict) -> list[str]:
    """All that somebody may type for a term: F1 值 is typed F1值, too."""
    words = [term["en"], term["abbr"], *term["forms"], term["chinese"], *term["also"]]
    unspaced = [word.replace(" ", "") for word in words if word and HAN.search(word)]
    return list(dict.fromkeys(filter(None, [*words, *unspaced])))


class Names(SphinxTransform):
    """Index each term of the glossary by its Chinese names, and each lesson by all names of the terms it introduces."""

    default_priority = 800  # the index is read at 850

    def apply(self, **kwargs: object) -> None:
        page = self.env.docname.removeprefix("book/")
        if page == "reference/glossary":
            letters = self.document.findall(addnodes.glossary)
            items = [item for letter in letters for item in letter.findall(nodes.definition_list_item)]
            for term, item in zip(load("terms"), items, strict=True):
                (index,) = item[0].findall(addnodes.index)
                names = filter(HAN.search, spellings(term))
                index["entries"] += [("single", name, item[0]["ids"][0], "main", None) for name in names]
        if page.startswith("lessons/"):
            terms = load("terms")
            own = [term for term in terms if term["home"] == page]
            preferred = {name for term in terms for name in (term["chinese"], *term["also"])}
            avoided = {word["term"] for term in own for word in term["avoid"]} - preferred  # are typed all the same
            names = dict.fromkeys([*(name for term in own for name in spellings(term)), *sorted(avoided)])
            self.document.insert(0, addnodes.index(entries=[("single", name, "", "main", None) for name in names]))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_transform(Names)
    return {"parallel_read_safe": True}
