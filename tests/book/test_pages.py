"""Pages without code: a comment quotes the words that an expression holds, and every number stands in such a quote.

% holds: "`nan` by default"
% all(math.isnan(default) for default in defaults("undefined"))
"""

import inspect
import re
import warnings
from collections import Counter
from functools import cache

import pytest

import metrics_lib
from book._ext.front_page import APPS, LATE, best
from tests.book import boxes
from tests.book.held import plain
from tests.book.test_symbols import EQUATIONS
from tests.registries import ROOT, evaluate, load, typed, unfilled
from tools import notebooks

# The changelog says what was printed, a README is no page; what a registry makes is tested there.
PAGES = {
    path.relative_to(ROOT / "book").with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "book").rglob("*.md"))
    if "data" not in path.parts and path.stem not in {"changelog", "README"}
}
HOLDS = re.compile(r'^% holds: "(.+)"\n((?:% (?!holds:).+\n)+)', re.MULTILINE)
QUOTED = [(name, *match.groups()) for name, text in PAGES.items() for match in HOLDS.finditer(text)]
DIRECTIVE = re.compile(r"^(`{3,}|:{3,})\{.*\n((?:.*\n)*?)\1$", re.MULTILINE)
NO_PROSE = [
    (r"\A---\n.*?\n---\n", re.DOTALL),  # what search engines are told
    (r"^% .*", re.MULTILINE),
    (r"^(`{3,}|:{3,})(?:python)?\n.*?^\1", re.DOTALL | re.MULTILINE),
    (
        r"^:(?:verdict|gutter|widths):.*|^\| \[.*|CC BY [\d.]+|^\(.*\)=$",
        re.MULTILINE,
    ),  # names; sections of a document
]


def defaults(keyword):
    """The default of a keyword in every public function that has it."""
    functions = [function for function in vars(metrics_lib).values() if inspect.isfunction(function)]
    signatures = [inspect.signature(function).parameters for function in functions]
    return [parameters[keyword].default for parameters in signatures if keyword in parameters]


@cache
def decimals_shown():
    """How often the outputs of the book show so many decimals."""
    cells = [cell for path in notebooks.book_notebooks() for cell in notebooks.read(path).cells]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    shown = ["".join(output.get("text") or output.get("data", {}).get("text/plain", "")) for output in outputs]
    return Counter(len(digits) for digits in re.findall(r"(?<![\w.])\d+\.(\d+)", "\n".join(shown)))


def bare_logarithms():
    """The labels of equations with a logarithm that has no base."""
    return [label for label, latex in EQUATIONS.items() if re.search(r"\\log(?!_)", latex)]


def named(page, directive):
    """The lines within a directive of a page."""
    return re.search(rf"^```\{{{directive}\}}\n(.*?)^```", PAGES[page], re.DOTALL | re.MULTILINE)[1].splitlines()


def warned(call):
    """Whether a call warns that a value is undefined."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [warning.category for warning in caught] == [metrics_lib.UndefinedMetricWarning]


SCOPE = {"defaults": defaults, "inspect": inspect, "load": load, "unfilled": unfilled, "lib": metrics_lib}
SCOPE |= {"APPS": APPS, "LATE": LATE, "best": best, "boxes": boxes}
SCOPE |= {"decimals_shown": decimals_shown, "bare_logarithms": bare_logarithms, "named": named, "warned": warned}


def prose(text):
    """Without code and names; what stands in a directive is prose, and its last fence opens nothing."""
    while DIRECTIVE.search(text):
        text = DIRECTIVE.sub(r"\2", text)
    for pattern, flags in NO_PROSE:
        text = re.sub(pattern, "", text, flags=flags)
    return text


@pytest.mark.filterwarnings("ignore::metrics_lib.UndefinedMetricWarning")
@pytest.mark.parametrize(("name", "words", "expression"), QUOTED)
def test_what_a_page_says_holds(name, words, expression):
    assert plain(words) in plain(prose(PAGES[name]))
    assert evaluate(" ".join(line.removeprefix("% ") for line in expression.splitlines()), SCOPE)


@pytest.mark.parametrize("name", PAGES)
def test_a_number_of_a_page_is_quoted(name):
    quotes = [words for page, words, _ in QUOTED if page == name]
    assert typed(prose(PAGES[name]), quotes) == []


def test_the_pages_that_state_rules_are_held():
    assert {name for name, *_ in QUOTED} >= {"index", "notation", "reference/api", "reference/edge-cases"}
