"""The search of the site finds the lesson on a metric first, and each term by its Chinese names, whole or in part."""

import re

import pytest

from tests.registries import load

TERMS = load("terms")
HAN = re.compile("[\u3400-\u9fff]")
GLOSSARY = "/book/reference/glossary.html"
# What the search script finds for each query, as pairs of page and fragment, without showing it.
FOUND = """(queries) => queries.map((query) => {
    Scorer.query = query;
    return Search._performSearch(...Search._parseQuery(query)).map((result) => [result[0], result[2]]);
})"""
ENTRIES = """() => Object.fromEntries([...document.querySelectorAll("dl.glossary > dt")].map(
    (term) => [term.firstChild.textContent.replace("’", "'"), "#" + term.id]))"""


@pytest.fixture(scope="module")
def anchors(tab_of):
    """The address of each term on the page of the glossary."""
    return tab_of(GLOSSARY[1:]).evaluate(ENTRIES)


@pytest.fixture
def search(tab_of):
    """Return a function that asks the search for many queries, without showing what it finds."""
    tab = tab_of("search.html")
    tab.wait_for_function("typeof Search !== 'undefined' && Search.hasIndex()")
    return lambda queries: tab.evaluate(FOUND, queries)


def results(tab):
    """Return the addresses of the results, once the search is over."""
    tab.locator(".search-summary", has_text="Search finished").wait_for()
    return tab.locator("#search-results li > a:first-child").evaluate_all(
        "links => links.map((link) => link.pathname + link.hash)"
    )


@pytest.mark.parametrize(
    ("query", "term"),
    [
        ("困惑度", "perplexity"),
        ("F1值", "F1 score"),
        ("ROC 曲线", "receiver operating characteristic"),
        ("熵", "entropy"),
        ("1-错误率", "one-error"),
    ],
)
def test_a_chinese_name_leads_to_its_term(tab_of, anchors, query, term):
    anchor = anchors[term]
    tab = tab_of(f"search.html?q={query}")
    assert GLOSSARY + anchor in results(tab)
    tab.locator(f'#search-results li > a[href$="{GLOSSARY[1:]}{anchor}"]').click()
    tab.wait_for_url(f"**{GLOSSARY}{anchor}")
    entry = tab.locator(f"dt{anchor} ~ dd").first
    assert query.replace(" ", "").lower() in entry.inner_text().replace(" ", "").lower()
    assert entry.evaluate("entry => { const y = entry.getBoundingClientRect().top; return 0 <= y && y < innerHeight; }")


def test_a_part_of_a_chinese_name_finds_the_pages_that_have_it(search):
    for found in search(["折损", "折损累", "累计增益", "NDCG折损"]):
        pages = {page for page, _ in found}
        assert {GLOSSARY[1:].removesuffix(".html"), "book/lessons/ndcg"} <= pages
        assert "book/002-performance-measures/regression" not in pages


def test_what_no_page_has_is_not_found(tab_of):
    tab = tab_of("search.html?q=折损困惑")
    tab.get_by_text("No page has all these words").wait_for()
    links = tab.locator(".search-summary a").evaluate_all("links => links.map((link) => link.pathname)")
    assert links == ["/book/lessons/index.html", "/book/reference/cards.html", "/book/reference/glossary.html"]


def test_every_chinese_name_finds_its_term(search, anchors):
    names = [(name, term["en"]) for term in TERMS for name in (term["chinese"], *term["also"]) if HAN.search(name)]
    names += [(name.replace(" ", ""), term) for name, term in names if " " in name]
    found = search([name for name, _ in names])
    wanted = [[GLOSSARY[1:].removesuffix(".html"), anchors[term]] for _, term in names]
    missing = [name for name, pages, page in zip(names, found, wanted, strict=True) if page not in pages]
    assert not missing


# What a reader may type beyond the names in the glossary.
TYPED = {
    "AUC": "roc-auc",
    "calibration": "calibration",
    "F1": "precision-recall-f",
    "GAUC": "grouped-auc",
    "hit rate": "precision-and-recall-at-k",
    "KL": "entropy-and-divergence",
    "macro average": "averaging",
    "precision": "precision-recall-f",
    "P-R curve": "precision-recall-curve",
    "R squared": "regression-errors",
    "recall at k": "precision-and-recall-at-k",
    "auc roc python": "roc-auc",
    "f1 score formula": "precision-recall-f",
    "f1 score": "precision-recall-f",
    "AUC 怎么算": "roc-auc",
    "平均精度": "average-precision",
    "平均准确率": "average-precision",
    "false positive rate": "confusion-matrix",
    "ndcg python": "ndcg",
    "ndcg formula": "ndcg",
    "mean average precision python": "average-precision",
    "mrr": "reciprocal-rank",
    "perplexity formula": "perplexity",
    "brier score": "calibration",
    "kl divergence formula": "entropy-and-divergence",
    "RMSE": "regression-errors",
    "hamming loss": "multi-label",
    "cohen kappa": "confusion-matrix",
    "bootstrap confidence interval": "uncertainty",
    "a/b test": "experiments",
    "position bias": "feedback",
}
# Plain questions, and the page that answers them.
ASKED = {
    "which metric": "which-metric",
    "which metric imbalanced": "which-metric",
    "class imbalance": "which-metric",
    "imbalanced data": "which-metric",
    "churn": "which-metric",
    "fraud": "which-metric",
    "translation": "which-metric",
    "F1 nothing predicted": "edge-cases",
    "AUC one class": "edge-cases",
    "sklearn": "conventions",
    "install": "api",
    "glossary": "glossary",
    "cheat sheet": "cheat-sheet",
    "errata": "errata",
}
# What somebody types, and what was meant.
MEANT = {
    "ndgc": "ndcg",
    "mean avarage precision": "mean average precision",
    "precison recall": "precision recall",
    "pecision": "precision",
    "perplexty": "perplexity",
    "roc auc": None,
    "python": None,
    "f1 score formula": None,
}


def test_the_first_result_for_a_metric_is_its_lesson(search):
    wanted = {query: f"lessons/{lesson}" for query, lesson in TYPED.items()}
    wanted |= {query: f"reference/{page}" for query, page in ASKED.items()}
    for term in TERMS:
        if term["card"] and term["home"].startswith("lessons/"):
            wanted |= dict.fromkeys(
                filter(None, (term["en"], term["abbr"], term["chinese"], *term["also"])), term["home"]
            )
    found = search(list(wanted))  # the best come last
    first = {query: pages[-1][0].removeprefix("book/") for query, pages in zip(wanted, found, strict=True)}
    assert {query: page for query, page in first.items() if page != wanted[query]} == {}


@pytest.mark.parametrize(("query", "meant"), MEANT.items())
def test_what_was_meant_is_offered(tab_of, query, meant):
    tab = tab_of(f"search.html?q={query}")
    tab.locator(".search-summary", has_text=re.compile("Search finished|No page has")).wait_for()
    line = tab.locator(".did-you-mean")
    assert line.all_inner_texts() == ([f"Did you mean {meant}?"] if meant else [])
    if meant:
        line.get_by_role("link").click()
        assert results(tab)


def test_an_excerpt_is_of_the_page_and_not_of_its_buttons(tab_of):
    tab = tab_of("search.html?q=ndcg")
    results(tab)
    excerpt = tab.locator("#search-results li p.context").first
    excerpt.wait_for()
    assert "Contents" not in excerpt.inner_text()
    assert ".pdf" not in excerpt.inner_text()
