"""Each page can be read by everybody: axe-core finds nothing.

Axe takes seconds a page, so each way of looking (light or dark, wide or narrow) is not taken on every page.
"""

import subprocess
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import PAGES, SITE

AXE = Axe()
# Each element costs axe time. A formula has a hundred, all of the colour of its text: a word stands in for it.
# Of the words of code of one kind, which have one colour, the first stands for the others.
SHORTEN = """() => {
    document.querySelectorAll(".katex").forEach((formula) => formula.replaceWith("formula"));
    const seen = new Set();
    document.querySelectorAll("pre span[class]").forEach((word) => {
        if (seen.has(word.className)) word.replaceWith(...word.childNodes);
        seen.add(word.className);
    });
    document.querySelectorAll("pre").forEach((code) => code.normalize());
}"""


# One page of each kind is looked at in every way, and so is what has changed since the last commit; the others in one.
KINDS = [
    "book/index",
    "book/004-threshold-and-ranking/index",
    "book/004-threshold-and-ranking/ndcg",
    "book/interview/labels",
    "book/interview/self-test",
    "book/interview/exercises-scores",
    "book/reference/api-ranking",
    "book/reference/cards-labels",
    "book/reference/cheat-sheet",
    "book/reference/conventions",
    "book/reference/errata-004",
    "book/reference/glossary",
    "book/reference/which-metric",
]
EVERY_WAY = [(scheme, width) for width in (1280, 375) for scheme in ("light", "dark")]


def changed():
    """The pages whose source differs from the last commit but one, as far as git tells."""
    git = ["git", "-C", SITE.parents[1], "diff", "--name-only", "HEAD~1", "--", "book"]
    listed = subprocess.run(git, capture_output=True, text=True, check=False).stdout.split()
    return {Path(name).with_suffix("").as_posix() for name in listed}


def ways():
    whole = {*KINDS, *changed()}
    for number, page in enumerate(PAGES):
        every = page.removesuffix(".html") in whole
        for scheme, width in EVERY_WAY if every else [EVERY_WAY[number % 2]]:
            yield page, scheme, width


def test_the_kinds_of_page_are_on_the_site():
    assert {f"{kind}.html" for kind in KINDS} <= set(PAGES)


@pytest.mark.parametrize(("page", "scheme", "width"), list(ways()))
def test_axe_finds_no_violation(tab_of, show_all, page, scheme, width):
    tab = tab_of(page, scheme=scheme, width=width)
    tab.evaluate(show_all)
    tab.evaluate(SHORTEN)
    # The colours take most of the time. Those of a narrow page are those of the wide one, but where tables fold.
    colours = width > 375 or tab.locator("table.fold").count() > 0
    options = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": colours}}}
    violations = AXE.run(tab, options=options).response["violations"]
    assert [(fault["id"], node["html"][:200]) for fault in violations for node in fault["nodes"][:3]] == []
