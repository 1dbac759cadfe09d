"""The notebooks for readers: plain Markdown, the verified outputs, and they run anywhere, with a changed input too."""

import ast
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from markdown_it import MarkdownIt
from nbclient import NotebookClient
from nbformat import NotebookNode, v4

from tools import notebooks

SITE = notebooks.BOOK.parent / "_build" / "html"
ARCHIVES = sorted((SITE / "notebooks").glob("*.zip"))
NAMES = [path.relative_to(notebooks.BOOK).with_suffix("").as_posix() for path in notebooks.book_notebooks()]
CHANGED = {
    record["notebook"]: record
    for record in yaml.safe_load((notebooks.BOOK / "data" / "changed_inputs.yml").read_text(encoding="utf-8"))
}
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})
RAW = [":::", "```{", "{term}", "{ref}", "{doc}", "{eq}", "{numref}", "{cite", "{py:", "]{.", ")="]  # what MyST alone reads
COMPARED = ["text/plain", "text/html", "text/markdown", "text/latex", "image/svg+xml"]
EACH = pytest.mark.parametrize("name", NAMES)


def exported(name: str) -> NotebookNode:
    return notebooks.read(SITE / "book" / f"{name}.ipynb")


def verified(name: str) -> NotebookNode:
    """The visible cells of the notebook in the repository."""
    notebook = notebooks.read(notebooks.BOOK / f"{name}.ipynb")
    notebook.cells = [cell for cell in notebook.cells if "remove-cell" not in cell.metadata.get("tags", [])]
    return notebook


def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cells: list[NotebookNode]) -> list[tuple[str, list[object]]]:
    """The code of the cells and what stands below it."""
    return [(cell.source, [content for output in cell.outputs for content in contents(output)]) for cell in cells]


def contents(output: NotebookNode) -> list[object]:
    data = output.get("data", {})
    return [output.get("text"), *((kind, data[kind]) for kind in COMPARED if kind in data)]


def needs(name: str) -> dict[str, str]:
    """What the first cell asks for."""
    line = next(line for line in code(exported(name))[0].source.splitlines() if line.startswith("needs = "))
    return {key.value for key in ast.parse(line).body[0].value.keys}


def test_site_has_the_notebooks():
    assert ARCHIVES, f"{SITE} holds no archives: run `make book` first"
    assert sorted(CHANGED) == NAMES


@EACH
def test_notebook_is_whole_and_shows_the_verified_outputs(name):
    notebook = exported(name)
    nbformat.validate(notebook)
    first, *others = code(notebook)
    assert shown(others) == shown(code(verified(name)))
    assert [cell.execution_count for cell in [first, *others]] == list(range(1, len(others) + 2))


@EACH
def test_first_cell_names_what_the_notebook_imports(name):
    _, *others = code(exported(name))
    nodes = [node for cell in others for node in ast.walk(ast.parse(cell.source))]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {"matplotlib"} if "metrics_lib.plot" in imported else set()
    assert {module.partition(".")[0] for module in imported} - sys.stdlib_module_names == needs(name) - {"metrics_lib"} | {"metrics_lib"}


@EACH
def test_markdown_is_plain(name):
    for cell in exported(name).cells:
        if cell.cell_type == "markdown":
            tokens = [part for token in MARKDOWN.parse(cell.source) for part in [token, *(token.children or [])]]
            text = "\n".join(token.content for token in tokens if token.type in ("text", "html_block", "html_inline"))
            assert [mark for mark in RAW if mark in text and not (mark == ")=" and "$" in text)] == [], cell.id
            assert [token.info for token in tokens if token.type == "fence" and token.info.startswith("{")] == []


def test_archives_are_small_and_hold_what_the_site_shows():
    assert sum(archive.stat().st_size for archive in ARCHIVES) < 6_000_000
    held = {}
    for path in ARCHIVES:
        with zipfile.ZipFile(path) as archive:
            held |= {name: archive.read(name) for name in archive.namelist()}
            assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            assert {f"{path.stem}/requirements.txt"} < set(archive.namelist())
            assert sum(name.endswith(".whl") for name in archive.namelist()) == 1
    assert {name: held[f"{name}.ipynb"] == (SITE / "book" / f"{name}.ipynb").read_bytes() for name in NAMES} == dict.fromkeys(NAMES, True)


# Running them


class Fresh(KernelSpecManager):
    """The Python of an environment of its own."""

    def __init__(self, python: Path) -> None:
        super().__init__()
        self.python = python

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(argv=[str(self.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"])


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A new environment with a kernel and nothing else, and the unpacked archives."""
    folder = tmp_path_factory.mktemp("reader")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    settings = {
        "PIP_CONSTRAINT": str(notebooks.BOOK.parent / "requirements.txt"),  # the versions of the verified outputs
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_COMPILE": "1",
        "IPYTHONDIR": str(folder / "ipython"),
    }
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | settings
    subprocess.run([python, "-m", "pip", "install", "--quiet", "ipykernel"], check=True, env=variables)
    for archive in ARCHIVES:
        zipfile.ZipFile(archive).extractall(folder)
    return folder, python, variables


def run(notebook: NotebookNode, environment, folder: str) -> None:
    root, python, variables = environment
    client = NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_spec_manager=Fresh(python)),
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        timeout=300,
    )
    client.execute(cleanup_kc=True, cwd=str(root / folder), env=variables)


# Those that need the least come first: whatever the others have installed is not there yet.
@pytest.mark.parametrize("name", sorted(NAMES, key=lambda name: (len(needs(name)), sorted(needs(name)))) if ARCHIVES else [])
def test_notebook_runs_alone_and_with_a_changed_input(name, environment):
    notebook, change = exported(name), CHANGED[name]
    again = [v4.new_code_cell(cell.source) for cell in code(notebook)]
    changed = [cell for cell in again if change["old"] in cell.source.splitlines()]
    assert [cell.source.splitlines().count(change["old"]) for cell in changed] == [1]
    changed[0].source = changed[0].source.replace(change["old"], change["new"])
    both = v4.new_notebook(cells=[*code(exported(name)), v4.new_code_cell("%reset -f"), *again])
    run(both, environment, name.partition("/")[0])
    assert shown(both.cells[1 : len(again)]) == shown(code(notebook)[1:])
