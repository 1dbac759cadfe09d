"""The notebooks for readers: plain Markdown, the verified outputs, and they run anywhere, with a changed input too."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from markdown_it import MarkdownIt
from nbclient import NotebookClient
from nbformat import NotebookNode, v4
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sphinx.errors import ConfigError

from metrics_book.data import fetch
from tools import notebooks, wheels

SITE = notebooks.BOOK.parent / "_build" / "html"
ARCHIVES = sorted((SITE / "notebooks").glob("*.zip"))
NAMES = [path.relative_to(notebooks.BOOK).with_suffix("").as_posix() for path in notebooks.book_notebooks()]
CHANGED = {
    record["notebook"]: record
    for record in yaml.safe_load((notebooks.BOOK / "data" / "changed_inputs.yml").read_text(encoding="utf-8"))
}
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})
RAW = [
    ":::",
    "```{",
    "{term}",
    "{ref}",
    "{doc}",
    "{eq}",
    "{numref}",
    "{cite",
    "{py:",
    "]{.",
    ")=",
]  # what MyST alone reads
COMPARED = ["text/plain", "text/html", "text/markdown", "text/latex", "image/svg+xml"]
EACH = pytest.mark.parametrize("name", NAMES)


def exported(name: str) -> NotebookNode:
    return notebooks.read(SITE / "book" / f"{name}.ipynb")


def verified(name: str) -> NotebookNode:
    """The notebook in the repository."""
    return notebooks.read(notebooks.BOOK / f"{name}.ipynb")


def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def ran(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells that came with their outputs: the others are the reader's to fill in and run."""
    return [cell for cell in cells if "practice" not in cell.metadata.get("tags", [])]


def shown(cells: list[NotebookNode]) -> list[tuple[str, list[object]]]:
    """The code of the cells and what stands below it."""
    return [(cell.source, [content for output in cell.outputs for content in contents(output)]) for cell in cells]


def contents(output: NotebookNode) -> list[object]:
    data = output.get("data", {})
    return [output.get("text"), *((kind, data[kind]) for kind in COMPARED if kind in data)]


@cache
def needs(name: str) -> set[str]:
    """What the first cell asks for beside our packages."""
    line = next(line for line in code(exported(name))[0].source.splitlines() if line.startswith("%pip"))
    return {word.partition("==")[0] for word in line.split() if "==" in word}


def files(name: str) -> list[str]:
    """The data that the first cell fetches."""
    return re.findall(r'"(cases/[^"]+)"', code(exported(name))[0].source)


def test_site_has_the_notebooks():
    assert ARCHIVES, f"{SITE} holds no archives: run `make book` first"
    assert sorted(CHANGED) == NAMES


@EACH
def test_notebook_is_whole_and_shows_the_verified_outputs(name):
    notebook = exported(name)
    nbformat.validate(notebook)
    first, *others = ran(code(notebook))
    assert shown(others) == shown(code(verified(name)))
    assert [cell.execution_count for cell in [first, *others]] == list(range(1, len(others) + 2))
    assert not any(cell.outputs for cell in code(notebook) if cell not in [first, *others])
    for cell in others:
        assert all(("image/png" in o.data) == ("image/svg+xml" in o.data) for o in cell.outputs if "data" in o)


@EACH
def test_first_cell_is_short_and_stands_below_the_title(name):
    title, first = exported(name).cells[:2]
    assert re.fullmatch(r"# [^\n]+", title.source)
    lines = first.source.splitlines()
    assert len(lines) <= 6
    assert lines[1] == 'site = "."'
    assert all("==" in word or word.endswith(".whl") for word in lines[2].split()[3:])


@EACH
def test_captions_and_solutions_are_all_there(name):
    source, notebook = verified(name), exported(name)
    both = source.cells, notebook.cells
    ids = {cell.id for cell in notebook.cells}
    assert {f"{cell.id}-caption" for cell in source.cells if "figure" in cell.metadata.get("mystnb", {})} <= ids
    texts = ["\n".join(cell.source for cell in cells if cell.cell_type == "markdown") for cells in both]
    begun = re.findall(r"^:*`*\{solution(?:-start)?\}", texts[0], re.MULTILINE)
    titles = set(re.findall("<summary>(Solution .*)</summary>", texts[1]))
    assert len(begun) == sum(not title.endswith(", continued") for title in titles)


@EACH
def test_first_cell_names_what_the_notebook_imports(name):
    _, *others = code(exported(name))
    nodes = [node for cell in others for node in ast.walk(ast.parse(cell.source))]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {"matplotlib"} if {"metrics_lib.plot", "metrics_book.style"} & imported else set()
    ours = {"metrics_lib", "metrics_book"}
    assert {module.partition(".")[0] for module in imported} - sys.stdlib_module_names - ours - {"numpy"} == needs(name)


@EACH
def test_markdown_is_plain(name):
    for cell in exported(name).cells:
        if cell.cell_type == "markdown":
            tokens = [part for token in MARKDOWN.parse(cell.source) for part in [token, *(token.children or [])]]
            text = "\n".join(token.content for token in tokens if token.type in ("text", "html_block", "html_inline"))
            assert [mark for mark in RAW if mark in text and not (mark == ")=" and "$" in text)] == [], cell.id
            assert [token.info for token in tokens if token.type == "fence" and token.info.startswith("{")] == []


def test_archives_are_small_and_hold_what_the_site_shows():
    assert sum(archive.stat().st_size for archive in ARCHIVES) < 9_000_000
    held = {}
    for path in ARCHIVES:
        with zipfile.ZipFile(path) as archive:
            held |= {name: archive.read(name) for name in archive.namelist()}
            assert {info.date_time for info in archive.infolist()} == {wheels.released().timetuple()[:6]}
            assert {f"{path.stem}/requirements.txt"} < set(archive.namelist())
            assert sum(name.endswith(".whl") for name in archive.namelist()) == 2
    assert [name for name in NAMES if held[f"{name}.ipynb"] != (SITE / "book" / f"{name}.ipynb").read_bytes()] == []


# The exporter


@pytest.fixture
def exporter(monkeypatch):
    monkeypatch.syspath_prepend(notebooks.BOOK / "_ext")
    return importlib.import_module("readers_notebooks")


@pytest.mark.parametrize(
    ("site", "repository", "kept", "wheels"),
    [
        ("", "", ("", ""), "."),
        ("", None, ("", ""), "."),
        ("https://a.org/b", "https://github.com/c/d.git", ("https://a.org/b/", "c/d"), "https://a.org/b/notebooks"),
        ("", "https://github.com/c/d", ("", "c/d"), "https://github.com/c/d/raw/gh-pages/notebooks"),
    ],
)
def test_packages_come_from_the_site_or_else_the_repository(exporter, site, repository, kept, wheels):
    config = SimpleNamespace(site_url=site, repository_url=repository, html_baseurl="")
    exporter.check_settings(None, config)
    assert (config.site_url, config.repository_url) == kept
    assert exporter.address_of_wheels(config) == wheels


@pytest.mark.parametrize("address", ["example.org", "https://example.org?page", "ftp://a.org", 5])
@pytest.mark.parametrize("name", ["site_url", "repository_url"])
def test_address_that_cannot_work_is_refused(exporter, name, address):
    config = SimpleNamespace(**{"site_url": "", "repository_url": "", name: address})
    with pytest.raises(ConfigError, match=rf"{name}: expected an address such as https://.*, got '"):
        exporter.check_settings(None, config)


def test_packages_are_built_into_the_same_bytes(tmp_path):
    wheels.build(tmp_path)
    for file in wheels.WHEELS.values():
        assert (tmp_path / file).read_bytes() == (SITE / "notebooks" / file).read_bytes()


def test_data_that_are_nowhere_are_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"cases/some.csv: expected beside the notebook"):
        fetch(".", "cases/some.csv")


# Running them


class Fresh(KernelSpecManager):
    """The Python of an environment of its own."""

    def __init__(self, python: Path) -> None:
        super().__init__()
        self.python = python

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(argv=[str(self.python), "-m", "ipykernel_launcher", "-f", "{connection_file}"])


def needed(*names: str) -> set[str]:
    """The packages of these names and all that they need."""
    found, others = set(), set(names)
    while others:
        name = others.pop()
        found.add(name)
        for requirement in map(Requirement, metadata.requires(name) or []):
            if not requirement.marker or requirement.marker.evaluate({"extra": ""}):
                others |= {canonicalize_name(requirement.name)} - found
    return found


@cache
def put(name: str, folder: Path) -> None:
    """Put a package that is installed here into another environment as well: to install it takes longer."""
    packages = folder / "venv" / Path(sysconfig.get_path("purelib")).relative_to(sys.prefix)
    for file in metadata.files(name):
        if ".." not in file.parts:
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file.locate(), packages / file)  # with its time, or its bytecode would count as old


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A new environment with pip, a kernel and nothing else, and the unpacked archives."""
    folder = tmp_path_factory.mktemp("reader")
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    for name in needed("pip", "ipykernel"):
        put(name, folder)
    settings = {
        "PIP_CONSTRAINT": str(notebooks.BOOK.parent / "requirements.txt"),  # the versions of the verified outputs
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_COMPILE": "1",
        "IPYTHONDIR": str(folder / "ipython"),
    }
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | settings
    for archive in ARCHIVES:
        zipfile.ZipFile(archive).extractall(folder)
    return folder, python, variables


@contextmanager
def kernel(environment):
    """A client of a new kernel, which runs one notebook after the other."""
    root, python, variables = environment
    client = NotebookClient(
        v4.new_notebook(),
        km=AsyncKernelManager(kernel_spec_manager=Fresh(python)),
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        timeout=300,
    )
    with client.setup_kernel(cleanup_kc=True, cwd=str(root), env=variables):
        yield client


def run(client: NotebookClient, cells: list[NotebookNode], folder: Path) -> None:
    client.nb = v4.new_notebook(cells=[v4.new_code_cell(f"%cd -q {folder}"), *cells])
    client.execute()


@pytest.mark.parametrize("name", ["000-foundations/ndcg", "interview/exercises-labels", "lessons/calibration"])
def test_a_notebook_that_was_clicked_runs_in_an_empty_folder(name, own_tab, environment):
    """The site is served from this machine, so that no other is asked for it."""
    root, python, _ = environment
    folder = root / "alone" / name
    folder.mkdir(parents=True)
    own_tab.goto(f"book/{name}.html")
    own_tab.locator(".dropdown-download-buttons > button").click()
    with own_tab.expect_download() as download:
        own_tab.locator(".btn-download-source-button").click()
    download.value.save_as(folder / "downloaded.ipynb")
    cells = code(notebooks.read(folder / "downloaded.ipynb"))
    with kernel(environment) as client:
        run(client, cells, folder)
    assert shown(ran(cells)[1:]) == shown(ran(code(exported(name)))[1:])
    assert [f"cases/{path.name}" for path in sorted(folder.glob("cases/*"))] == files(name)
    subprocess.run([python, "-m", "pip", "uninstall", "--quiet", "--yes", "metrics_lib", "metrics_book"], check=True)


# To copy these takes less time than to install them.
LARGE = {"matplotlib", "sympy"}


@pytest.fixture(scope="module")
def shared_kernel(environment, request):
    """The kernel of the notebooks that need the same: what one has installed and imported, the next would as well."""
    names = request.param.split()
    for name in needed(*LARGE.intersection(names)) - {"numpy"}:
        put(name, environment[0])
    with kernel(environment) as client:
        example = ALIKE[request.param][0]
        run(client, code(exported(example))[:1], environment[0] / example.partition("/")[0])
        yield client


def installed(name: str) -> list[NotebookNode]:
    """The cells of a notebook whose packages are there."""
    cells = code(exported(name))
    cells[0].source = re.sub("^%pip.*$", "", cells[0].source, flags=re.MULTILINE)
    return cells


def forget(name: str, display: str) -> NotebookNode:
    """What runs next finds no name and no setting of figures, and displays all that it computes, or the last of a cell.

    The changed notebook runs as one cell, as each cell takes time.
    """
    figures = '__import__("matplotlib").rcdefaults()\n' if "matplotlib" in needs(name) else ""
    return v4.new_code_cell(
        f'{figures}%reset_selective -f .\n%config InteractiveShell.ast_node_interactivity = "{display}"'
    )


# Those that need the least come first: whatever the others have installed is not there yet.
ALIKE: dict[str, list[str]] = {}
for name in sorted(NAMES if ARCHIVES else [], key=lambda name: (len(needs(name)), name)):
    ALIKE.setdefault(" ".join(sorted(needs(name))), []).append(name)


@pytest.mark.parametrize(
    ("shared_kernel", "name"),
    [(need, name) for need, names in ALIKE.items() for name in names],
    indirect=["shared_kernel"],
    scope="module",
)
def test_notebook_runs_alone_and_with_a_changed_input(shared_kernel, name, environment):
    root, _, _ = environment
    first, change = installed(name), CHANGED[name]
    changed = "\n".join(cell.source for cell in first).splitlines()
    assert changed.count(change["old"]) == 1
    changed[changed.index(change["old"])] = change["new"]
    cells = [*first, forget(name, "all"), v4.new_code_cell("\n".join(changed)), forget(name, "last_expr")]
    run(shared_kernel, cells, root / name.partition("/")[0])
    # A figure that cannot be drawn stops no notebook.
    assert [output for cell in cells for output in cell.outputs if output.output_type == "error"] == []
    assert shown(ran(first)[1:]) == shown(ran(code(exported(name)))[1:])
