"""What a reader passed is listed, and moves to another browser as a file."""

import json

import pytest

from metrics_book import practice

PAGE = "book/interview/index.html"
KEY = "evaluation-metrics.passed"


@pytest.fixture
def tab(forgetful_tab):
    """The page in a browser in which one exercise was passed."""
    forgetful_tab.evaluate("key => localStorage.setItem(key, JSON.stringify({ auc: '2026-11-26' }))", KEY)
    forgetful_tab.goto(PAGE)
    return forgetful_tab


def status(tab):
    return tab.locator("#progress").get_by_role("status")


def test_what_was_passed_is_listed_with_what_comes_next(tab):
    number = len(practice.exercises())
    assert status(tab).inner_text().startswith(f"1 of {number} exercises passed. Next: ")
    line = tab.locator(".exercise-list li", has_text="✓ passed on 2026-11-26")
    assert line.locator("a").first.evaluate("link => link.hash") == "#interview-exercise-auc"
    assert tab.locator(".exercise-list li").count() == number
    following = status(tab).get_by_role("link").evaluate("link => link.hash")
    assert following not in ("", "#interview-exercise-auc")


def test_a_file_takes_what_is_kept_to_another_browser(tab, tmp_path):
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Save my progress to a file").click()
    download.value.save_as(tmp_path / "progress.json")
    assert json.loads((tmp_path / "progress.json").read_text(encoding="utf-8"))[KEY] == '{"auc":"2026-11-26"}'
    tab.evaluate("localStorage.clear()")
    tab.reload()
    assert status(tab).inner_text().startswith("0 of ")
    tab.locator("#progress input").set_input_files(tmp_path / "progress.json")
    tab.locator(".exercise-list li", has_text="✓ passed on 2026-11-26").wait_for()


@pytest.mark.parametrize("text", ["no JSON", "{}", "[1]", '{"other": "{}"}', '{"evaluation-metrics.passed": "3"}'])
def test_another_file_changes_nothing(tab, tmp_path, text):
    (tmp_path / "other.json").write_text(text, encoding="utf-8")
    tab.locator("#progress input").set_input_files(tmp_path / "other.json")
    status(tab).get_by_text("Nothing has changed.").wait_for()
    assert tab.evaluate("key => localStorage.getItem(key)", KEY) == '{"auc":"2026-11-26"}'
