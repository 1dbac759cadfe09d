"""A small book is built from nothing: a faulty formula is an error, and every page counts its tables from 1."""

import re

from tests.small_book import build, small_book

TABLE = "```{table} A table\n:name: NAME\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n"
INDEX = "# Book\n\nSee {ref}`head`, {eq}`eq-x`, {numref}`first` and {numref}`second`.\n"
ONE = f"# One\n\n(head)=\n## Head\n\n$$x = 1$$ (eq-x)\n\n{TABLE.replace('NAME', 'first')}"
TWO = f"# Two\n\n{TABLE.replace('NAME', 'second')}\n\n$\\frac{{1}}$ is no fraction, $\\frac12$ is one.\n"


def test_a_faulty_formula_stops_the_build_and_tables_are_counted_by_page(tmp_path):
    book = small_book(tmp_path, index=INDEX, one=ONE, two=TWO)
    status, said = build(book)
    assert status
    assert len(said) == 1
    assert re.search(r"two\.md.*KaTeX parse error.*\\frac\{1\}", said[0])
    pages = {name: (book / "_build" / "html" / "book" / f"{name}.html").read_text() for name in ("index", "one", "two")}
    for name in ("one", "two"):
        assert re.findall(r'<span class="caption-number">(.*?) *</span>', pages[name]) == ["Table 1"]
    assert re.findall(r'numref">(.*?)</span>', pages["index"]) == ["Table 1", "Table 1"]
    assert pages["two"].count('class="katex-html"') == 1
