"""The glossary: its records are sound, its names are those of the cards, and each chapter links what it uses first."""

import re
from importlib import import_module
from itertools import pairwise

import pytest

from tests.book.chapter import Chapter
from tests.book.terms import ROLE, TARGETS, TERMS, first_uses, link, uses
from tests.registries import ROOT, load
from tools import notebooks

CARDS = {card["id"]: card for card in load("cards")}
CHAPTERS = {
    path.relative_to(notebooks.BOOK).with_suffix("").as_posix(): Chapter.read(path)
    for path in notebooks.book_notebooks()
    if path.parent.name[:3].isdigit() or path.parent.name == "lessons"
}
HAN = re.compile("[\u3400-\u9fff]")
each_term = pytest.mark.parametrize("term", TERMS, ids=lambda term: term["en"])


def linked(chapter):
    """The terms that the prose of a chapter links."""
    return {use.term for block in chapter.prose for line in block.text.splitlines() for use in uses(line) if use.linked}


@pytest.fixture
def extension(monkeypatch):
    """Import an extension of the site."""
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    return import_module


@each_term
def test_a_term_has_a_home_in_the_book(term):
    assert term["home"] in CHAPTERS, f"home of {term['en']}: expected a lesson or a chapter, got {term['home']}"


@each_term
def test_a_name_is_not_both_preferred_and_to_be_avoided(term):
    avoided = {word["term"] for word in term["avoid"]}
    assert not avoided & {term["chinese"], *term["also"]}
    assert term["chinese"] not in term["also"]


def test_terms_are_unique_and_in_alphabetical_order():
    names = [term["en"].lower() for term in TERMS]
    assert names == sorted(set(names))
    assert len(TARGETS) == len([name for term in TERMS for name in (term["en"], term["abbr"]) if name])
    chinese = [term["chinese"] for term in TERMS]
    assert len(set(chinese)) == len(chinese)


def test_each_card_has_a_term_and_each_term_of_a_metric_a_card():
    cards = [term["card"] for term in TERMS if term["card"]]
    assert sorted(cards) == sorted(CARDS)


@pytest.mark.parametrize("term", [term for term in TERMS if term["card"]], ids=lambda term: term["en"])
def test_a_card_has_the_chinese_names_of_the_glossary(term):
    preferred, *others = re.findall(r"[^(),;]*[^(),; ]", CARDS[term["card"]]["chinese"])
    assert preferred == term["chinese"]
    known = {name for other in TERMS for name in (other["chinese"], *other["also"])}
    assert {name.strip() for name in others} <= known


@each_term
def test_a_term_is_that_of_a_card_or_linked_in_its_home(term):
    assert term["card"] or term["en"] in linked(CHAPTERS[term["home"]])


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_first_use_of_each_term_is_linked(name):
    missing = [
        f"cell {block.cell}: {use.text!r} should be {link(use)}"
        for block, use in first_uses(CHAPTERS[name]).values()
        if not use.linked
    ]
    assert not missing, missing


def test_every_link_to_a_term_leads_to_one():
    texts = {name: "\n".join(cell.source for cell in chapter.notebook.cells) for name, chapter in CHAPTERS.items()}
    texts |= {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "book").rglob("*.md")}
    roles = [(name, match) for name, text in texts.items() for match in re.finditer(ROLE, text)]
    assert len(roles) > 300
    assert not [(name, m[0]) for name, m in roles if (m["target"] or m["label"]).lower() not in TARGETS]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "The mean average precision is a mean of average precisions.",
            ["mean average precision", "average precision"],
        ),
        ("Precision at $k$ and recall at $k$ differ.", ["precision at k", "recall at k"]),
        ("The AUCs and the Hamming losses.", ["area under the ROC curve", "Hamming loss"]),
        (
            "An ERR is no Err, a map no MAP, and F1-optimal is one word.",
            ["expected reciprocal rank", "mean average precision"],
        ),
        ("`precision`, $precision$, {ref}`precision <x>` and [precision](#x) are left alone.", []),
        ("False positive rates and a false positive", ["false positive rate", "false positive"]),
        ("Many queries, two entropies.", ["query", "entropy"]),
        ("A cross-entropy is an entropy, too.", ["cross-entropy", "entropy"]),
    ],
)
def test_uses_are_found(line, found):
    assert [use.term for use in uses(line)] == found
    assert not any(use.linked for use in uses(line))


def test_a_link_is_written_as_it_is_read():
    for text in ("Precision at $k$", "false positive rates", "AUC", "P-R curve"):
        (use,) = uses(text)
        (again,) = uses(link(use))
        assert (again.linked, again.term, again.text) == (True, use.term, text.replace("$", ""))


def test_chinese_names_are_sorted_by_their_pinyin(extension):
    glossary = extension("glossary")
    names = [
        name for term in TERMS for name in (term["chinese"], *term["also"], *(word["term"] for word in term["avoid"]))
    ]
    characters = set(HAN.findall("".join(names)))
    common = {character for character in characters if 0xB0 <= character.encode("gb2312")[0] <= 0xD7}
    assert characters - common <= set(glossary.SOUNDS_LIKE)
    assert all(0xB0 <= other.encode("gb2312")[0] <= 0xD7 for other in glossary.SOUNDS_LIKE.values())
    assert set(glossary.SOUNDS_LIKE) <= characters
    order = ["1-错误率", "F1 值", "KL 散度", "多样性", "精确率", "困惑度", "熵", "特异度", "调和平均数", "阈值", "折损"]
    assert sorted(sorted(order, reverse=True), key=glossary.pinyin_order) == order


def test_each_pair_of_a_chinese_name_is_a_word_of_the_search_index(extension):
    search = extension("search")
    language = search.SearchEnglishAndChinese({})
    assert language.split("F1值, KL 散度 or 困惑度?") == [
        "F1",
        "值",
        "KL",
        "散",
        "度",
        "散度",
        "or",
        *search.pairs("困惑度"),
    ]
    assert search.pairs("困惑度") == ["困", "惑", "度", "困惑", "惑度"]
    names = [name for term in TERMS for name in (term["chinese"], *term["also"])]
    names = [name for name in names if re.fullmatch(f"{HAN.pattern}+", name)]
    assert all(set(map("".join, pairwise(name))) <= set(language.split(name)) for name in names)
