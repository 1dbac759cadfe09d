"""The glossary: the terms of the book as Sphinx's own glossary, and the way back from Chinese to English."""

import re
from collections.abc import Iterator
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from registry import Registry, chinese, load, row
from sphinx import addnodes
from sphinx.application import Sphinx

HAN = re.compile("[\u3400-\u9fff]")
# The standard GB 2312 lists the common characters in the order of their pinyin. For the rarer ones, and for one that
# stands there under its other reading, a common character of the same sound stands in.
SOUNDS_LIKE = {"熵": "商", "阈": "域", "调": "条"}


def pinyin_order(word: str) -> bytes:
    """A key that sorts Chinese words by their pinyin, after those that begin with a Latin letter or a digit."""
    return "".join(SOUNDS_LIKE.get(character, character) for character in word).lower().encode("gb18030")


def name(word: str) -> str:
    """A word, marked as Chinese if it is: some Chinese terms are Latin letters."""
    return chinese(word) if HAN.search(word) else word


def names(words: list[str]) -> str:
    return ", ".join(map(name, words))


def spellings(term: dict) -> list[str]:
    """All that somebody may type for a term: F1 值 is typed F1值, too."""
    words = [term["en"], term["abbr"], *term["forms"], term["chinese"], *term["also"]]
    unspaced = [word.replace(" ", "") for word in words if word and HAN.search(word)]
    return list(dict.fromkeys(filter(None, [*words, *unspaced])))


def definition(term: dict) -> Iterator[str]:
    """What the glossary says of a term, a paragraph each."""
    yield f"**{name(term['chinese'])}**" + (f", also {names(term['also'])}" if term["also"] else "")
    yield term["note"]
    if term["avoid"]:
        yield "*Avoid* " + "; ".join(f"{name(word['term'])}: {word['why']}" for word in term["avoid"]) + "."
    links = [f"{{doc}}`/book/{term['home']}`"]
    if term["card"]:
        links.append(f"{{ref}}`metric card <card-{term['card']}>`")
    if term["used_by"]:
        links.append(("document " if len(term["used_by"]) == 1 else "documents ") + ", ".join(term["used_by"]))
    yield " · ".join(links)


class Terms(Registry):
    """The terms in alphabetical order, each with its abbreviation; the index knows them by their Chinese names, too."""

    def run(self) -> list[nodes.Node]:
        terms = load("terms")
        lines = ["```{glossary}"]
        for term in terms:
            lines += filter(None, (term["en"], term["abbr"]))
            for paragraph in definition(term):
                lines += [f"  {paragraph}", ""]
        found = self.show("terms", [*lines, "```"])
        items = [item for part in found for item in part.findall(nodes.definition_list_item)]
        for term, item in zip(terms, items, strict=True):
            head = item[0]
            (index,) = head.findall(addnodes.index)
            index["entries"] += [
                ("single", word, head["ids"][0], "main", None) for word in spellings(term) if HAN.search(word)
            ]
        return found


class ChineseTerms(Registry):
    """The Chinese terms in the order of their pinyin, each with the English one that it stands for, or should not."""

    option_spec: ClassVar = {"caption": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        means: dict[str, list[str]] = {}
        for right in (True, False):
            for term in load("terms"):
                link = f"{{term}}`{term['en']}`"
                words = [term["chinese"], *term["also"]] if right else [word["term"] for word in term["avoid"]]
                for word in filter(HAN.search, words):
                    means.setdefault(word, []).append(link if right else f"*not* {link}")
        lines = [f"::::{{list-table}} {self.options['caption']}", ":header-rows: 1", ""]
        lines += row("Chinese", "English")
        for word in sorted(means, key=pinyin_order):
            lines += row(chinese(word), ", ".join(means[word]))
        return self.show("terms", [*lines, "::::"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("terms", Terms)
    app.add_directive("chinese-terms", ChineseTerms)
    return {"parallel_read_safe": True}
