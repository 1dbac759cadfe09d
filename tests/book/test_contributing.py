"""The guide for contributors says of rules and fields what the rules and the schemas say, and names what exists."""

import inspect
import re

import pytest

from tests.book import style
from tests.registries import ROOT
from tools import contributing

GUIDE = contributing.GUIDE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", style.RULES)
def test_a_rule_says_what_why_and_how(name):
    parts = inspect.getdoc(style.RULES[name]).split("\n\n")
    assert [part.partition(" ")[0] for part in parts[1:]] == ["Why:", "How:"], f"{name}: expected what, Why: and How:"
    assert f"**{name}.**" in GUIDE


def test_the_guide_is_up_to_date():
    assert contributing.written(GUIDE) == GUIDE, "run: make contributing"


def test_what_the_guide_names_exists():
    code = re.sub(r"<!-- rules.*", "", GUIDE, flags=re.DOTALL)
    paths = set(re.findall(r"(?<![\w/.-])(?:book|tests|tools|metrics_lib)/[\w./-]*[\w/]", code))
    assert [path for path in sorted(paths) if not known(path)] == []
    targets = set(re.findall(r"make ([a-z]+)", "\n".join(re.findall(r"`[^`]+`", code))))
    assert targets <= set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def known(path):
    """A file, a folder, or a page without its ending; capitals stand for what the reader chooses."""
    return re.search("[A-Z]{2}|lessons", path) or (ROOT / path).exists() or (ROOT / f"{path}.ipynb").exists()
