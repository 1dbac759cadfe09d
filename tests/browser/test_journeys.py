"""What a newcomer wants from the front page, and in how many clicks; ``-s`` prints clicks and seconds."""

from time import perf_counter

import pytest


class Journey:
    """A tab that counts its clicks."""

    def __init__(self, tab):
        self.tab, self.clicks, self.began = tab, 0, perf_counter()

    def click(self, selector, **options):
        self.tab.locator(selector, **options).first.click()
        self.clicks += 1

    def search(self, words):
        self.tab.keyboard.press("Control+k")
        self.tab.locator("#pst-search-dialog input[name=q]").fill(words)
        self.tab.keyboard.press("Enter")
        self.tab.locator(".search-summary", has_text="Search finished").wait_for()

    def ends(self, name, place, clicks):
        self.tab.wait_for_url(f"**{place}*")
        print(f"\n{name}: {self.clicks} clicks, {perf_counter() - self.began:.1f} s")
        assert self.clicks <= clicks


@pytest.fixture
def journey(tab_of):
    return Journey(tab_of("book/index.html"))


def test_ndcg_is_a_click_away(journey):
    journey.click("table.metric-map a", has_text="NDCG")
    journey.ends("find NDCG", "/book/lessons/ndcg.html", 1)


@pytest.mark.parametrize(("words", "lesson"), [("困惑度", "perplexity"), ("AUC", "roc-auc")])
def test_a_name_is_searched_and_the_lesson_comes_first(journey, words, lesson):
    journey.search(words)
    assert (
        journey.tab.locator("#search-results li > a")
        .first.evaluate("link => getComputedStyle(link, '::before').content")
        .startswith('"Lesson')
    )
    journey.click("#search-results li > a")
    journey.ends(f"find {words}", f"/book/lessons/{lesson}.html", 1)


def test_a_metric_is_chosen(journey):
    journey.click("nav.bd-links a", has_text="Which metric?")
    journey.click("details.line > summary", has_text="The share of positives differs")
    journey.click("details.line[open] a[href^='cards']")
    journey.ends("choose a metric", "/book/reference/cards-", 3)


def test_a_convention_is_looked_up(journey):
    journey.click("nav.bd-links a", has_text="Conventions")
    journey.click("article a[href='#quantity-dcg-gain']")
    journey.ends("look up a convention", "/book/reference/conventions.html#quantity-dcg-gain", 2)


def test_a_notebook_is_taken_home(journey):
    journey.click("table.metric-map a", has_text="Perplexity")
    journey.tab.wait_for_url("**/book/lessons/perplexity.html")
    journey.click(".dropdown-download-buttons > button")
    with journey.tab.expect_download() as download:
        journey.click(".btn-download-source-button")
    assert download.value.suggested_filename == "perplexity.ipynb"
    journey.ends("take a notebook home", "/book/lessons/perplexity.html", 3)


def test_the_parts_of_learn_are_seen_without_a_click(tab_of):
    tab = tab_of("book/index.html")
    tab.set_viewport_size({"width": 1280, "height": 800})
    bottom = "nodes => Math.max(...nodes.map((node) => node.getBoundingClientRect().bottom))"
    parts = tab.locator("nav.bd-links p.caption", has_text="Learn").locator("+ ul > li > a")
    names = ["All lessons", "Labels", "Scores", "Ranked lists", "Numbers", "Distributions", "Judging"]
    assert parts.all_inner_texts() == names
    assert parts.evaluate_all(bottom) < 800
    tab.set_viewport_size({"width": 1280, "height": 900})


def test_no_caption_of_the_sidebar_repeats_its_only_child(tab_of):
    tab = tab_of("book/index.html")
    captions = tab.locator("nav.bd-links p.caption").all_inner_texts()
    assert captions == ["Learn", "The five documents", "Practise", "Look up"]
    for place, caption in enumerate(captions):
        children = tab.locator("nav.bd-links p.caption").nth(place).locator("+ ul > li > a").all_inner_texts()
        assert len(children) > 1
        assert caption not in children
