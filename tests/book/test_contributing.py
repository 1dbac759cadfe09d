"""For contributors: rules and fields are written down as they are checked; what the guide shows and names exists."""

import re

import pytest
import yaml

from book._ext import records
from tests.registries import ROOT
from tools import contributing

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", contributing.PAGES, ids=lambda path: path.name)
def test_a_made_page_is_up_to_date(path):
    made = "\n".join(contributing.PAGES[path]()).rstrip() + "\n"
    assert path.read_text(encoding="utf-8") == made, "run: make contributing"


def test_what_the_guide_names_exists():
    paths = set(re.findall(r"(?<![\w/.-])(?:book|tests|tools|metrics_lib)/[\w./-]*[\w/]", GUIDE))
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
    targets = set(re.findall(r"make ([a-z]+)", "\n".join(re.findall(r"`[^`]+`|^make .*$", GUIDE, re.MULTILINE))))
    assert {"book", "test", "pages", "lint"} == targets
    assert targets <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def test_the_question_of_the_guide_can_be_pasted():
    (question,) = yaml.safe_load(re.search(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)[1])
    assert list(records.faults("questions", [question], records.DATA / "questions" / "03-scores.yml")) == []
