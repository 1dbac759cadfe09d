"""The data of the lessons are those that their README describes, byte for byte."""

import csv
import hashlib
import re

import pytest

from tests.registries import ROOT

CASES = ROOT / "book" / "lessons" / "cases"
_, *SECTIONS = re.split(r"^## `(.+)`$", (CASES / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
DESCRIBED = dict(zip(SECTIONS[::2], SECTIONS[1::2], strict=True))
FILES = sorted(CASES.glob("*.csv"))


def test_every_file_has_a_section_and_every_section_a_file():
    assert sorted(DESCRIBED) == [path.name for path in FILES]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_as_described(path):
    text = DESCRIBED[path.name]
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    [sha256] = re.findall(r"^- SHA-256: `(\w+)`$", text, re.MULTILINE)
    assert sha256 == hashlib.sha256(path.read_bytes()).hexdigest(), "made anew? describe it anew"
    assert text.strip().startswith(f"{len(rows):,} rows; a row is ")
    items = re.findall(r"^- (`.+?`): ", text, re.MULTILINE)
    assert [column for item in items for column in re.findall(r"`(\w+)`", item)] == head
    [script] = re.findall(r"^- Script: `(.+?)`\. Seed: .", text, re.MULTILINE)
    assert (ROOT / script).is_file()
    assert re.search(r"^- Selection: .", text, re.MULTILINE)
    assert re.search(r"^- Source: .+ Licence: .", text, re.MULTILINE)
