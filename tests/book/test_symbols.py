"""The index of symbols: each stands in the maths of its home, and each letter of an equation is in the index."""

import re
from functools import cache

import pytest

from tests.registries import ROOT, load
from tools import notebooks

SYMBOLS = load("symbols")
GROUPS = re.findall(r"\{symbols\} ([\w-]+)", (ROOT / "book" / "reference" / "symbols.md").read_text(encoding="utf-8"))
MATHS = re.compile(r"\$\$(?P<display>.+?)\$\$(?: \((?P<label>[\w-]+)\))?|\$(?P<inline>[^$]+)\$", re.DOTALL)
# Names of several letters, such as TP and rel, are one symbol each; they are those of the index.
NAMES = set(re.findall(r"(?<![\\a-zA-Z{])[A-Za-z]{2,}", " ".join(symbol["symbol"] for symbol in SYMBOLS)))
STYLED = r"\\(?:mathrm|mathcal|mathbb|text|begin|end)\{[^}]*\}"
TOKEN = re.compile(rf"{STYLED}|\\[A-Za-z]+|\\.|{'|'.join(sorted(NAMES, key=len, reverse=True))}|[^\s{{}}]")
GREEK = "alpha|beta|gamma|delta|epsilon|eta|theta|lambda|mu|nu|pi|rho|sigma|tau|varphi|phi|chi|psi|omega|Omega"
LETTER = re.compile(rf"[A-Za-z]+|\\(?:mathrm|mathcal|mathbb)\{{.*\}}|\\(?:{GREEK})")


def tokens(latex):
    """The signs of a formula, without spaces and braces."""
    return TOKEN.findall(latex.replace(r"\,", " ").replace(r"\;", " "))


@cache
def maths(home):
    """The maths of a chapter or page, in running text and, by label, of its equations."""
    if home == "notation":
        text = (ROOT / "book" / "notation.md").read_text(encoding="utf-8")
    else:
        cells = notebooks.read(notebooks.BOOK / f"{home}.ipynb").cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    found = list(MATHS.finditer(re.sub(r"`[^`\n]+`", "", text)))  # code may hold a dollar
    return {
        None: [match["inline"] or match["display"] for match in found],
        **{match["label"]: [match["display"]] for match in found if match["label"]},
    }


def stands_in(symbol, latex):
    """Whether the signs of a symbol follow one another in a formula."""
    wanted, all_tokens = tokens(symbol), tokens(latex)
    return any(all_tokens[start : start + len(wanted)] == wanted for start in range(len(all_tokens)))


def identifiers(latex):
    """The letters and names in a formula."""
    return set(filter(LETTER.fullmatch, tokens(latex)))


HOMES = [path.relative_to(notebooks.BOOK).with_suffix("").as_posix() for path in notebooks.book_notebooks()]
EQUATIONS = {label: latex[0] for home in HOMES for label, latex in maths(home).items() if label}


@pytest.mark.parametrize("symbol", SYMBOLS, ids=lambda symbol: f"{symbol['symbol']} {symbol['home']}")
def test_a_symbol_is_complete_and_stands_in_its_home(symbol):
    assert symbol["group"] in GROUPS
    assert re.fullmatch(r"[\w ,-]+", symbol["say"])
    assert symbol["meaning"].strip()
    assert any(stands_in(symbol["symbol"], latex) for latex in maths(symbol["home"])[symbol["equation"]])


def test_a_symbol_has_one_meaning_in_an_equation():
    places = [(symbol["symbol"], symbol["home"], symbol["equation"]) for symbol in SYMBOLS]
    assert len(set(places)) == len(places)


def test_every_group_is_shown_once_and_in_order():
    assert list(dict.fromkeys(symbol["group"] for symbol in SYMBOLS)) == GROUPS


@pytest.mark.parametrize("label", EQUATIONS)
def test_each_letter_of_an_equation_is_in_the_index(label):
    known = {identifier for symbol in SYMBOLS for identifier in identifiers(symbol["symbol"])}
    unknown = sorted(identifiers(EQUATIONS[label]) - known)
    assert unknown == [], f"equation {label}: expected these letters, or the name they are part of, in symbols.yml"


def test_there_are_as_many_equations_as_labels():
    assert len(EQUATIONS) > 120
