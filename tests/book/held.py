"""What holds the words and the numbers of a notebook: the checks that quote them, and the numbers of their section.

In a hidden cell a comment quotes the words that the assert below it holds, ``# holds: "the four hollow tops"``,
or says why no computation can, ``# open: "a convention" (what is customary is no result)``.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tests.book.chapter import Block, Chapter, Code
from tests.registries import NOT_TYPED, names

QUOTING = re.compile(r"#\s*(?:holds|open)\b")
QUOTE = re.compile(r'#\s*(holds|open):\s*"([^"]+)"\s*(\(.+\))?$')
COUNTS = "two three four five six seven eight nine ten eleven twelve twice half halves thirds? quarters?"
CLAIMS = "always never only every most mostly usually because cannot " + COUNTS
CLAIM = re.compile(rf"\b(?:{'|'.join(CLAIMS.split())})\b", re.IGNORECASE)
MARKUP = [
    (re.compile(r"\{[\w:-]+\}`([^`<]+?)\s*(?:<[^`>]*>)?`"), r"\1"),  # roles show their text
    (re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\{[^}]*\})"), r"\1"),  # so do links
    (re.compile(r"\*+"), ""),
]
FIXED = {"What it cannot see"}  # a heading that stands in each lesson
TITLED = {"admonition", "exercise", "exercise-start", "list-table"}
PROSE = ("paragraph", "item", "heading", "td", "th", "dt", "dd", "directive")


@dataclass(frozen=True)
class Quote:
    """Words that a hidden cell holds, or leaves open, with the section they must stand in."""

    words: str
    kind: str
    cell: int
    section: str
    fault: str


def plain(text: str) -> str:
    """The text as a reader sees it: no roles, links or emphasis, white space folded."""
    for pattern, shown in MARKUP:
        text = pattern.sub(shown, text)
    return " ".join(text.split())


def quotes(chapter: Chapter) -> list[Quote]:
    return [quote for code in chapter.code if code.hidden for quote in quotes_of(code)]


def quotes_of(code: Code) -> Iterator[Quote]:
    """The quotes of a cell; each ``holds`` has an assert of its own below it, which is about something."""
    comments = [token for token in code.tokens if token.type == tokenize.COMMENT]
    starts = [token.start[0] for token in comments]
    asserted = {
        node.lineno
        for node in ast.walk(code.tree)
        if isinstance(node, ast.Assert) and any(isinstance(part, ast.Name) for part in ast.walk(node.test))
    }
    for number, comment in enumerate(comments):
        match = QUOTE.fullmatch(comment.string)
        if match is None:
            if QUOTING.match(comment.string):
                expected = '# holds: "..." or # open: "..." (why)'
                yield Quote("", "", code.cell, code.section, f"{comment.string!r}, expected {expected}")
            continue
        kind, words, reason = match.groups()
        fault = ""
        end = next((start for start in starts[number + 1 :] if start > comment.start[0] + 1), len(code.source) + 1)
        if kind == "holds" and not any(comment.start[0] < line < end for line in asserted):
            fault = f"no assert holds {words!r}"
        if kind == "open" and not reason:
            fault = f"no reason why {words!r} is open"
        yield Quote(plain(words), kind, code.cell, code.section, fault)


def sentences(chapter: Chapter) -> Iterator[tuple[int, str, str]]:
    """Cell, section and text of each line of prose, caption and alt text."""
    for part in chapter.parts:
        if isinstance(part, Block) and part.kind in PROSE:
            title = part.argument if part.name in TITLED else ""
            text = title if part.kind == "directive" else part.text
            yield from ((part.cell, part.section, plain(line)) for line in text.splitlines())
        elif isinstance(part, Code):
            mystnb = part.node.metadata.get("mystnb", {})
            for text in (mystnb.get("figure", {}).get("caption"), mystnb.get("image", {}).get("alt")):
                yield from ((part.cell, part.section, line) for line in re.split(r"(?<=[.!?])\s", plain(text or "")))


# Numbers

NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:,\d{3})*(?:\.\d+|/\d+)?(?![\w/]|[.,]\d)")
FRAC = re.compile(r"\\[dt]?frac\{?(\d+)\}?\{?(\d+)\}?")
COUNTED = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
PARTS = {part: n for n, part in enumerate(["half", "third", "quarter", "fifth", "sixth", "seventh", "eighth"], 2)}
PARTS |= {"ninth": 9, "tenth": 10}
IN_WORDS = re.compile(rf"\b({'|'.join(COUNTED)})[ -]({'|'.join(PARTS)})s?\b", re.IGNORECASE)


def in_digits(match: re.Match[str]) -> str:
    """``two thirds`` as ``2/3``."""
    return f"{COUNTED.index(match[1].lower()) + 1}/{PARTS[match[2].lower()]}"


def numbers(text: str) -> Iterator[tuple[str, Fraction, bool]]:
    """The numbers that a text states, as printed and as values, and whether in percent."""
    text = IN_WORDS.sub(in_digits, FRAC.sub(r" \1/\2 ", text))
    masked = NOT_TYPED.sub(lambda match: " " * len(match[0]), text)
    for match in NUMBER.finditer(masked):
        printed = match[0].replace(",", "")
        if not printed.endswith("/0"):
            yield printed, Fraction(printed), bool(re.match(r"\s?\\?%", masked[match.end() :]))


def known(code: Code) -> Iterator[Fraction]:
    """The numbers in the source and in the outputs of a cell."""
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            yield Fraction(str(node.value)) if abs(node.value) < 1e300 else Fraction(0)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (value for _, value, _ in numbers(node.value))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            parts = [side.value for side in (node.left, node.right) if isinstance(side, ast.Constant)]
            if len(parts) == 2 and parts[1]:
                yield Fraction(str(parts[0])) / Fraction(str(parts[1]))
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Fraction", "F"):
            parts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, int)]
            if len(parts) == 2 and parts[1]:
                yield Fraction(*parts)
    for output in code.node.outputs:
        data = output.get("data", {})
        for text in (output.get("text"), data.get("text/plain"), data.get("text/html"), data.get("text/markdown")):
            shown = "".join(text or "")
            for match in re.finditer(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?(?:/\d+)?", shown):
                try:
                    yield Fraction(match[0].replace(",", ""))
                except (ValueError, ZeroDivisionError):
                    continue


def unheld_claims(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """The cells and sentences with a word that claims for all cases, gives a reason or counts, quoted by no check."""
    checked = quotes(chapter)
    for cell, section, line in sentences(chapter):
        if line not in FIXED:
            for claim in CLAIM.finditer(unquoted(line, section, checked)):
                yield cell, f"no check of the section quotes {claim[0]!r} in {line!r}"


def unquoted(line: str, section: str, checked: list[Quote]) -> str:
    """A sentence without the words that checks of its section quote."""
    for quote in checked:
        if quote.words and quote.section == section:
            line = line.replace(quote.words, " … ")
    return line


def unheld_numbers(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """The cells and sentences with a number that their section does not compute."""
    of_section, checked = pools(chapter), quotes(chapter)
    for cell, section, line in sentences(chapter):
        for printed, value, percent in numbers(unquoted(line, section, checked)):
            if not is_known(printed, value, percent, of_section[section]):
                yield cell, f"nothing in the section has the {printed} of {line!r}"


def is_known(printed: str, value: Fraction, percent: bool, pool: set[Fraction]) -> bool:
    values = {value, -value} | ({value / 100} if percent else set())
    if values & pool:
        return True
    if "/" in printed:
        return any(abs(value - other) < Fraction(1, 10**6) for other in pool)
    return any(names(printed, other * (100 if percent else 1)) for other in pool if "." in printed or percent)


def pools(chapter: Chapter) -> dict[str, set[Fraction]]:
    """The numbers of each section; what opens a notebook may use those of all."""
    found: dict[str, set[Fraction]] = {heading.text: set() for heading in chapter.headings if heading.level == 2}
    for code in chapter.code:
        found.setdefault(code.section, set()).update(known(code))
    everything = set().union(*found.values())
    return found | {"": everything}
