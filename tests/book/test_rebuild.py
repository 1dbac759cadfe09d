"""A book that is built again after a change is that of a build from nothing, warnings included; a page is previewed."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.registries import ROOT

INDEX = "# Book\n\n```{glossary}\nentropy\n  What is not known.\n```\n\nSee {ref}`here`, and {eq}`eq-x`.\n"
OTHER = "(other)=\n# Other\n\n(here)=\n## Head\n\n$$x = 1$$ (eq-x)\n\nProse.\n"
CODE = """# Code

```python
from metrics_lib import ndcg

ndcg([1, 0])
```

```{eval-rst}
.. py:function:: metrics_lib.ranking.ndcg(rel)
```
"""


def small_book(folder: Path) -> Path:
    """A book of three pages with the configuration and the extensions of this one."""
    (folder / "book").mkdir(parents=True)
    shutil.copy(ROOT / "_config.yml", folder)
    for name in ("_ext", "_static", "data", "references.bib"):
        (folder / "book" / name).symlink_to(ROOT / "book" / name)
    chapters = [{"file": "book/code"}, {"file": "book/other"}]
    (folder / "_toc.yml").write_text(json.dumps({"format": "jb-book", "root": "book/index", "chapters": chapters}))
    for name, text in {"index": INDEX, "other": OTHER, "code": CODE}.items():
        (folder / "book" / f"{name}.md").write_text(text)
    return folder


def build(folder: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "tools.build", ".", "-W", "--keep-going", "--quiet"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, re.sub(r"\x1b\[[\d;]*m", "", done.stderr)


def change(folder: Path, page: str, old: str, new: str) -> None:
    path = folder / "book" / f"{page}.md"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def files(folder: Path) -> dict[str, bytes]:
    site = folder / "_build" / "html"
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = small_book(tmp_path_factory.mktemp("book"))
    assert build(folder) == (0, "")
    return folder


def test_a_changed_book_is_that_of_a_build_from_nothing(book: Path, tmp_path: Path) -> None:
    """The text of a link on another page, the index entry for the search and the links of the code are there."""
    change(book, "other", "## Head", "## Another head")
    assert build(book) == (0, "")
    fresh = small_book(tmp_path / "fresh")
    change(fresh, "other", "## Head", "## Another head")
    assert build(fresh) == (0, "")
    again, anew = files(book), files(fresh)
    assert again.keys() == anew.keys()
    assert [name for name in anew if again[name] != anew[name] and name != ".buildinfo"] == []
    assert b"Another head" in again["book/index.html"]
    assert b'"entropy"' in again["searchindex.js"]
    assert b"sphinx-codeautolink-a" in again["book/code.html"]


def test_a_warning_on_an_unchanged_page_is_given_again(book: Path) -> None:
    change(book, "other", "(here)=", "(elsewhere)=")
    for _ in range(2):
        status, warnings = build(book)
        assert status
        assert "undefined label: 'here'" in warnings


def test_a_page_is_previewed() -> None:
    page = ROOT / "book" / "reference" / "bibliography.md"
    command = [sys.executable, "-m", "tools.preview", page]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "preview/_build/html/book/reference/bibliography.html" in done.stdout
