"""Pages without code: a comment quotes the words that an expression holds, and every number stands in such a quote.

    % holds: "`nan` by default"
    % all(math.isnan(default) for default in defaults("undefined"))
"""

import inspect
import re

import pytest

import metrics_lib
from tests.book.held import plain
from tests.registries import ROOT, evaluate, load, typed, unfilled

# The changelog says what was printed; what a registry makes is tested there.
PAGES = {
    path.relative_to(ROOT / "book").with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "book").rglob("*.md"))
    if "data" not in path.parts and path.stem != "changelog"
}
HOLDS = re.compile(r'^% holds: "(.+)"\n((?:% (?!holds:).+\n)+)', re.MULTILINE)
QUOTED = [(name, *match.groups()) for name, text in PAGES.items() for match in HOLDS.finditer(text)]
NO_PROSE = [
    (r"\A---\n.*?\n---\n", re.DOTALL),  # what search engines are told
    (r"^% .*", re.MULTILINE),
    (r"^(`{3,}|:{3,})(?:python)?\n.*?^\1", re.DOTALL | re.MULTILINE),
    (r"^:severity:.*|^## Severity.*|^\| \[.*|CC BY [\d.]+|^\(.*\)=$", re.MULTILINE),  # names; sections of a document
]


def defaults(keyword):
    """The default of a keyword in every public function that has it."""
    functions = [function for function in vars(metrics_lib).values() if inspect.isfunction(function)]
    signatures = [inspect.signature(function).parameters for function in functions]
    return [parameters[keyword].default for parameters in signatures if keyword in parameters]


SCOPE = {"defaults": defaults, "inspect": inspect, "load": load, "unfilled": unfilled, "lib": metrics_lib}


def prose(text):
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
