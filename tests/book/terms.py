"""Where the prose of a chapter uses the terms of the glossary, and how a first use is linked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.book.chapter import Block, Chapter
from tests.registries import load

TERMS = load("terms")
# The cards and the questions are made from registries; exercises repeat what was read, and titles are other people's.
NOT_LINKED = {"Metric card", "Metric cards", "Exercises", "In the interview", "Further reading"}
ROLE = r"\{term\}`(?P<label>[^`<]+?)(?: <(?P<target>[^>`]+)>)?`"
# Code, roles, maths, links and addresses hold no words to be linked.
SKIPPED = r"(?:\{[\w:-]+\})?(?P<ticks>`+).+?(?P=ticks)|\$[^$]+\$|!?\[[^\]]*\](?:\([^)]*\)|\{[^}]*\})|<[^>]+>"


@dataclass(frozen=True)
class Use:
    """A place in a line of prose where a term is used, and whether it is linked there."""

    term: str
    text: str
    start: int
    end: int
    linked: bool


def forms(term: dict) -> list[str]:
    """The words for a term; single letters are symbols and not words."""
    return [form for form in [term["en"], term["abbr"], *term["forms"]] if form and len(form) > 1]


def pattern(form: str) -> str:
    """A form and its plural; a sentence may begin with it."""
    first = f"[{form[0]}{form[0].upper()}]" if form[0].islower() else re.escape(form[0])
    ending = {"y": "(?:y|ies)", "s": "s(?:es)?", "$": re.escape("$")}.get(form[-1], re.escape(form[-1]) + "s?")
    return first + re.escape(form[1:-1]) + ending


def linked_terms() -> dict[str, str]:
    """The pattern of each form, the longest first, with its term."""
    pairs = [(form, term["en"]) for term in TERMS if term.get("link", True) for form in forms(term)]
    return {pattern(form): name for form, name in sorted(pairs, key=lambda pair: -len(pair[0]))}


LINKED = linked_terms()
SCAN = re.compile(rf"{ROLE}|{SKIPPED}|(?<![\w@-])(?P<form>{'|'.join(LINKED)})(?![\w@-])")
TARGETS = {name.lower(): term["en"] for term in TERMS for name in (term["en"], term["abbr"]) if name}


def uses(line: str) -> Iterator[Use]:
    """The terms in a line of prose, from left to right; the target of a link must be a term of the glossary."""
    for match in SCAN.finditer(line):
        if match["label"]:
            term = TARGETS[(match["target"] or match["label"]).lower()]
            yield Use(term, match["label"], *match.span(), linked=True)
        elif match["form"]:
            term = next(name for form, name in LINKED.items() if re.fullmatch(form, match["form"]))
            yield Use(term, match["form"], *match.span(), linked=False)


def prose(chapter: Chapter) -> list[Block]:
    """The paragraphs and list items in which first uses are linked."""
    return [block for block in chapter.prose if block.section not in NOT_LINKED]


def first_uses(chapter: Chapter) -> dict[str, tuple[Block, Use]]:
    """The first use of each term in the prose of a chapter."""
    found: dict[str, tuple[Block, Use]] = {}
    for block in prose(chapter):
        for line in block.text.splitlines():
            for use in uses(line):
                found.setdefault(use.term, (block, use))
    return found


def link(use: Use) -> str:
    """The role that links a use; roles hold no maths."""
    text = use.text.replace("$", "")
    return f"{{term}}`{text}`" if text.lower() in TARGETS else f"{{term}}`{text} <{use.term}>`"
