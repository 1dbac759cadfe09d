"""A book that is built again after a change is that of a build from nothing, warnings included; a page is previewed."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sphinx_codeautolink.parse import parse_names

from tests.registries import ROOT

INDEX = """# Book

```{glossary}
entropy
  What is not known.
```

See {ref}`other`, {ref}`here`, {eq}`eq-x` and {numref}`first`.
"""
TABLE = "```{table} A table\n:name: NAME\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n"
OTHER = f"(other)=\n# Other\n\n(here)=\n## Head\n\n$$x = 1$$ (eq-x)\n\nProse.\n\n{TABLE.replace('NAME', 'first')}"
CODE = f"""# Code

```python
from metrics_lib import ndcg

ndcg([1, 0])
```

```{{eval-rst}}
.. py:function:: metrics_lib.ranking.ndcg(rel)
```

{TABLE.replace("NAME", "last")}

```{{lab}} averaging
```"""


def small_book(folder: Path) -> Path:
    """A book of three pages with the configuration and the extensions of this one."""
    (folder / "book").mkdir(parents=True)
    shutil.copy(ROOT / "_config.yml", folder)
    for name in ("_ext", "_static", "_templates", "data", "references.bib"):
        (folder / "book" / name).symlink_to(ROOT / "book" / name)
    chapters = [{"file": "book/other"}, {"file": "book/code"}]
    (folder / "_toc.yml").write_text(json.dumps({"format": "jb-book", "root": "book/index", "chapters": chapters}))
    for name, text in {"index": INDEX, "other": OTHER, "code": CODE}.items():
        (folder / "book" / f"{name}.md").write_text(text)
    return folder


def build(folder: Path) -> tuple[int, list[str]]:
    """The status, and the warnings and errors of a build."""
    command = [sys.executable, "-m", "tools.build", ".", "-W", "--keep-going", "--quiet"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, faults(done.stderr, folder)


def faults(said: str, folder: Path) -> list[str]:
    said = re.sub(r"\x1b\[[\d;]*m", "", said).replace(str(folder), "")
    return sorted(line for line in said.splitlines() if "WARNING" in line or "ERROR" in line)


@pytest.fixture
def build_again() -> Iterator[Callable[[Path], tuple[int, list[str]]]]:
    """The same for builds of which there are many: they share what they import."""
    command = [sys.executable, "-m", "tests.forked_builds"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as forked:

        def build(folder: Path) -> tuple[int, list[str]]:
            print(folder, file=forked.stdin, flush=True)
            return int(forked.stdout.readline()), faults((folder / "said.txt").read_text(), folder)

        yield build


def change(folder: Path, page: str, old: str, new: str) -> None:
    path = folder / "book" / f"{page}.md"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def files(folder: Path) -> dict[str, bytes]:
    site = folder / "_build" / "html"
    found = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    return {name: content for name, content in found.items() if name != ".buildinfo"}


def assert_equal(one: dict[str, bytes], other: dict[str, bytes]) -> None:
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def test_a_changed_book_is_that_of_a_build_from_nothing(
    tmp_path: Path, build_again: Callable[[Path], tuple[int, list[str]]]
) -> None:
    book = small_book(tmp_path / "book")
    assert build_again(book) == (0, [])
    first = files(book)

    # One page has changed, and nothing that others show of it: it alone is written, and warns until it is mended.
    change(book, "other", "Prose.", "Prose with {ref}`nowhere`.")
    for _ in range(2):
        status, (warning,) = build_again(book)
        assert status
        assert "undefined label: 'nowhere'" in warning
    assert b"Prose with" in files(book)["book/other.html"]
    change(book, "other", "Prose with {ref}`nowhere`.", "Prose.")
    assert build_again(book) == (0, [])
    assert_equal(files(book), first)
    assert b".lab-" in first["_static/site.css"]

    # A page has changed of which others show a title, a label and a number: links, numbers and warnings change there.
    fresh = small_book(tmp_path / "fresh")
    for folder in (book, fresh):
        change(folder, "other", "## Head", "## Another head")
        change(folder, "other", "Prose.", TABLE.replace("NAME", "above"))
        change(folder, "other", "(other)=", "(elsewhere)=")
    said = build(fresh)
    assert ["undefined label: 'other'" in warning for warning in said[1]] == [True]
    assert build_again(book) == said
    again = files(book)
    assert_equal(again, files(fresh))
    assert b"Another head" in again["book/index.html"]
    assert b"Table 2" in again["book/index.html"]
    assert b'"entropy"' in again["searchindex.js"]
    assert b"sphinx-codeautolink-a" in again["book/code.html"]


def test_code_that_is_read_once_has_the_same_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a block follows what was read, begins anew, goes on with its last statement, or is no Python."""
    monkeypatch.syspath_prepend(ROOT / "book" / "_ext")
    read = importlib.import_module("code_once").parse_names
    head = "import numpy as np\nfrom math import (\n    sqrt)"
    loop = f"{head}\nfor x in np.arange(3):\n    y = np.ones(x)"
    longer = f"{loop}\nz = y.sum(); z.real; sqrt(z)"
    again, anew, inside = f"{longer}\nnp = sqrt", f"{longer}\nnp.e", f"{loop}\n    np.sum(y)"
    for source in (head, loop, longer, again, anew, loop, inside, "x = 1"):
        names = read(source, None)
        assert names == parse_names(source, None)
        for name in names:
            name.lineno -= 10
    with pytest.raises(SyntaxError):
        read("x = 1\nx = (", None)
    assert read("x = 1\nimport math", None) == parse_names("x = 1\nimport math", None)


def test_a_page_is_previewed() -> None:
    page = ROOT / "book" / "reference" / "bibliography.md"
    command = [sys.executable, "-m", "tools.preview", page]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "preview/_build/html/book/reference/bibliography.html" in done.stdout
