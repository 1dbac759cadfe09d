"""What holds the words and the numbers of a notebook: the checks that quote them, and the numbers of their section.

In ``tests/claims`` a test quotes the words that the assert below holds, ``holds("the four hollow tops")``, or says why
no computation can, ``unchecked("a convention", "what is customary is no result")``.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from tests.book.chapter import ROOT, Block, Chapter, Code
from tests.registries import NOT_TYPED, names

CLAIM = re.compile(r"\b(?:always|never|only|every|cannot)\b", re.IGNORECASE)
REASON = re.compile(r"\bbecause\b", re.IGNORECASE)  # held where it explains a number or a formula
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
    """Words that a claim holds, or leaves open, the section they stand in, and what the claim lacks."""

    words: str
    line: int
    section: str
    fault: str


def plain(text: str) -> str:
    """The text as a reader sees it: no roles, links or emphasis, white space folded."""
    for pattern, shown in MARKUP:
        text = pattern.sub(shown, text)
    return " ".join(text.split())


@dataclass(frozen=True)
class Claim:
    """A function of the file of claims beside a notebook, and the section it is about."""

    node: ast.FunctionDef
    section: str

    @property
    def calls(self) -> list[ast.Call]:
        found = [node for node in ast.walk(self.node) if isinstance(node, ast.Call)]
        return [
            call
            for call in found
            if isinstance(call.func, ast.Name) and call.func.id in ("holds", "proved", "unchecked")
        ]


def claims_file(chapter: Chapter) -> str:
    """``tests/claims/lessons/test_ndcg.py`` for ``book/lessons/ndcg.ipynb``."""
    return f"tests/claims/{chapter.path.parent.name}/test_{chapter.path.stem.replace('-', '_')}.py"


def tree(chapter: Chapter) -> ast.Module:
    path = ROOT / claims_file(chapter)
    return ast.parse(path.read_text(encoding="utf-8") if path.exists() else "")


def claims(chapter: Chapter) -> list[Claim]:
    """The claims on a notebook."""
    marked = [node for node in tree(chapter).body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    return [Claim(node, chapter.span(ast.literal_eval(node.decorator_list[0].args[0]))[0]) for node in marked]


def quotes(chapter: Chapter) -> list[Quote]:
    return [quote for claim in claims(chapter) for quote in quotes_of(claim)]


def quotes_of(claim: Claim) -> Iterator[Quote]:
    """The quotes of a claim; below each that it holds, before the next, stands an assert that is about something."""
    calls = sorted(claim.calls, key=lambda call: call.lineno)
    asserted = [node.lineno for node in ast.walk(claim.node) if isinstance(node, ast.Assert)]
    for number, call in enumerate(calls, start=1):
        texts, kind = [ast.literal_eval(text) for text in call.args], call.func.id
        end = calls[number].lineno if number < len(calls) else claim.node.end_lineno + 1
        fault = ""
        if kind != "unchecked" and not any(call.lineno < line < end for line in asserted):
            fault = f"no assert holds {texts!r}"
        words = texts[:1] if kind == "unchecked" else texts
        yield from (Quote(plain(text), call.lineno, claim.section, fault) for text in words)


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
    yield from typed(ast.walk(code.tree))
    for output in code.node.outputs:
        data = output.get("data", {})
        for text in (output.get("text"), data.get("text/plain"), data.get("text/html"), data.get("text/markdown")):
            shown = "".join(text or "")
            for match in re.finditer(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?(?:/\d+)?", shown):
                try:
                    yield Fraction(match[0].replace(",", ""))
                except (ValueError, ZeroDivisionError):
                    continue


def computed(claim: Claim) -> Iterator[ast.AST]:
    """What a claim consists of, but for what it quotes and where it stands."""
    apart = {id(node) for call in claim.calls for node in ast.walk(call)}
    return (node for part in claim.node.body for node in ast.walk(part) if id(node) not in apart)


def typed(nodes: Iterable[ast.AST]) -> Iterator[Fraction]:
    """The numbers that code holds."""
    for node in nodes:
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


def unheld_claims(chapter: Chapter) -> Iterator[tuple[int, str]]:
    """The cells and sentences that claim for all cases, or explain a number or a formula, quoted by no check."""
    checked = quotes(chapter)
    for cell, section, line in sentences(chapter):
        if line not in FIXED:
            rest = unquoted(line, section, checked)
            found = [*CLAIM.finditer(rest), *(REASON.finditer(rest) if re.search(r"\d|\$", rest) else [])]
            yield from ((cell, f"no check of the section quotes {word[0]!r} in {line!r}") for word in found)


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
    for claim in claims(chapter):
        found.setdefault(claim.section, set()).update(typed(computed(claim)))
    everything = set().union(*found.values())
    return found | {"": everything}
