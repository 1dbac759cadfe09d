"""The tool that executes notebooks: what it writes is in normal form, does not change, and is compared by nbval."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import from_dict, v4

from tools import notebooks

TOOL = notebooks.__file__
SOURCES = [
    "import matplotlib.pyplot as plt\nimport numpy as np\nfrom IPython.display import HTML\n"
    "from metrics_book.style import use_book_style\n\nuse_book_style()",
    "print('first')\nprint('second', flush=True)\nprint('third 123456')",
    "HTML('<b>123456</b>')",
    "_ = plt.plot(np.random.default_rng(0).random(9), label='a')\n_ = plt.xlabel('$x_1$')\nplt.show()",
    "np.array([123456.0])",
]


def write(path: Path, *sources: str) -> Path:
    """A notebook as an editor may leave it: not executed, with metadata of its own and another kernel."""
    cells = [v4.new_markdown_cell("(x)=\n# Title é\n"), *map(v4.new_code_cell, sources)]
    cells[1].metadata = {"tags": ["hide-input"], "collapsed": True}
    notebook = v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "elsewhere", "display_name": "Elsewhere"}})
    path.write_text(v4.writes(notebook), encoding="utf-8")
    return path


def run(*arguments: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write(tmp_path_factory.mktemp("notebook") / "some-name.ipynb", *SOURCES)
    assert notebooks.main([str(path)]) == 0
    return path


def test_normal_form_keeps_what_is_stable_only(executed: Path) -> None:
    text = executed.read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert text.endswith("}\n")
    assert text.startswith('{\n "cells"')
    assert "Title é" in text
    assert notebook["metadata"] == notebooks.METADATA
    assert [cell["id"] for cell in notebook["cells"]] == [f"some-name-{n:03}" for n in range(1, 7)]
    assert [cell["metadata"] for cell in notebook["cells"]] == [{}, {"tags": ["hide-input"]}, {}, {}, {}, {}]
    assert [cell.get("execution_count") for cell in notebook["cells"]] == [None, 1, 2, 3, 4, 5]
    assert notebook["cells"][0]["source"] == ["(x)=\n", "# Title é"]
    assert [output["text"] for output in notebook["cells"][2]["outputs"]] == [["first\n", "second\n", "third 123456\n"]]
    assert "image/svg+xml" in notebook["cells"][4]["outputs"][0]["data"]


def test_second_execution_changes_no_byte(executed: Path, tmp_path: Path) -> None:
    before = executed.read_bytes()
    done = run(TOOL, executed, cwd=tmp_path, PYTHONHASHSEED="7", MPLBACKEND="agg", SOURCE_DATE_EPOCH="1")
    assert done.returncode == 0, done.stderr
    assert executed.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"execution_count": 2', '"execution_count": 7', "counts [1, 7, 3, 4, 5]"),
        ('"execution_count": 3', '"execution_count": null', "counts [1, 2, None, 4, 5]"),
        ('"some-name-003"', '"3f2a"', "is not stored in normal form"),
        ('"tags"', '"scrolled": true,\n    "tags"', "is not stored in normal form"),
        ('"name": "python"', '"name": "python",\n   "version": "3.11"', "is not stored in normal form"),
        ("\n", "\r\n", "is not stored in normal form"),
        ("é", "\\u00e9", "is not stored in normal form"),
        ('    "np.array([123456.0])"', '    ""', "has an empty cell"),
        (
            '"output_type": "display_data"',
            '"output_type": "error", "ename": "E", "evalue": "", "traceback": []',
            "has a cell that raises an error",
        ),
    ],
)
def test_check_refuses_any_other_form(
    executed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, problem: str
) -> None:
    path = tmp_path / executed.name
    text = executed.read_text(encoding="utf-8")
    assert old in text
    path.write_bytes(text.replace(old, new).encode())
    changed = path.read_bytes()
    assert notebooks.main(["--check", str(executed), str(path)]) == 1
    message = capsys.readouterr().err
    assert str(executed) not in message
    assert f"{path}: " in message
    assert problem in message
    assert path.read_bytes() == changed


def test_a_notebook_that_raises_is_named_and_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "bad.ipynb", "1 / 0")
    before = path.read_bytes()
    assert notebooks.main([str(path)]) == 1
    message = capsys.readouterr().err
    assert f"{path}: raises an error" in message
    assert "ZeroDivisionError" in message
    assert path.read_bytes() == before


def test_nbval_compares_every_output(executed: Path, tmp_path: Path) -> None:
    """Text, HTML and SVG: one digit changed in each of the four outputs fails four cells."""
    notebook = notebooks.read(executed)
    for cell in notebook.cells[2:]:
        outputs = json.dumps(cell.outputs).replace("123456", "123457").replace("432pt", "433pt")
        cell.outputs = from_dict(json.loads(outputs))
    changed = tmp_path / "changed.ipynb"
    changed.write_text(v4.writes(notebook), encoding="utf-8")
    nbval = ["-m", "pytest", "--nbval", "--nbval-current-env", "-q", "-p", "no:cacheprovider", "-W", "error"]
    said = run(*nbval, executed, changed, cwd=tmp_path).stdout
    assert "4 failed, 6 passed" in said
    assert re.findall(r"^FAILED (?!.*changed.ipynb)", said, re.MULTILINE) == []
