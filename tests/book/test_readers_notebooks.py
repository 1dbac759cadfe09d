"""The notebooks for readers: plain Markdown, the verified outputs, and they run anywhere, with a changed input too."""

import ast
import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from markdown_it import MarkdownIt
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode, v4
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import notebooks

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
    line = next(line for line in code(exported(name))[0].source.splitlines() if line.startswith("needs = "))
    return {key.value for key in ast.parse(line).body[0].value.keys}


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


@EACH
def test_first_cell_names_what_the_notebook_imports(name):
    _, *others = code(exported(name))
    nodes = [node for cell in others for node in ast.walk(ast.parse(cell.source))]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {"matplotlib"} if {"metrics_lib.plot", "metrics_book.style"} & imported else set()
    ours = {"metrics_lib", "metrics_book"}
    assert {module.partition(".")[0] for module in imported} - sys.stdlib_module_names - ours == needs(name)


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
            assert sum(name.endswith(".whl") for name in archive.namelist()) == 2
    assert [name for name in NAMES if held[f"{name}.ipynb"] != (SITE / "book" / f"{name}.ipynb").read_bytes()] == []


# The exporter


@pytest.fixture
def exporter(monkeypatch):
    monkeypatch.syspath_prepend(notebooks.BOOK / "_ext")
    return importlib.import_module("readers_notebooks")


def test_export_that_loses_something_is_refused(exporter):
    source, whole = notebooks.read(notebooks.BOOK / f"{NAMES[2]}.ipynb"), exported(NAMES[2])
    assert exporter.lost(source, whole) == []
    for part, said in {
        lambda cell: cell.cell_type == "markdown" and "# " in cell.source: "cell ",
        lambda cell: cell.cell_type == "code" and cell.outputs and "data" in cell.outputs[0]: "cell ",
        lambda cell: cell.id.endswith("-caption"): "the caption of ",
    }.items():
        cell = next(filter(part, whole.cells))
        fewer = v4.new_notebook(cells=[other for other in whole.cells if other is not cell])
        assert exporter.lost(source, fewer)[0] == said + cell.id.removesuffix("-caption")
    without = exported(NAMES[2])
    next(cell for cell in code(without) if any("image/svg+xml" in o.get("data", {}) for o in cell.outputs)).outputs = []
    assert exporter.lost(source, without) == ["an image"]
    unfolded = exported(NAMES[2])
    folded = next(cell for cell in unfolded.cells if "<summary>Solution" in cell.source)
    folded.source = folded.source.replace("<summary>", "")
    assert "a solution" in exporter.lost(source, unfolded)


@pytest.mark.parametrize(
    ("site", "repository", "kept", "lines"),
    [
        ("https://example.org/book", "https://github.com/some/book.git", ("https://example.org/book/", "some/book"), 0),
        ("", None, ("", ""), 2),
        ("example.org", "https://github.com/some", ("", ""), 2),
        ("https://example.org?page", 5, ("", ""), 2),
    ],
)
def test_address_that_cannot_work_is_said_and_left_out(exporter, capsys, site, repository, kept, lines):
    config = SimpleNamespace(site_url=site, repository_url=repository, html_baseurl="")
    exporter.check_settings(None, config)
    assert (config.site_url, config.repository_url) == kept
    assert len(capsys.readouterr().out.splitlines()) == lines


def test_packages_come_from_the_site_or_else_the_repository(exporter):
    address = partial(SimpleNamespace, site_url="", repository_url="")
    assert exporter.address_of_wheels(address()) == ""
    assert exporter.address_of_wheels(address(site_url="https://a.org/")) == "https://a.org/notebooks/"
    raw = "https://github.com/b/c/raw/gh-pages/"
    assert exporter.address_of_wheels(address(repository_url="b/c")) == raw + "notebooks/"


def test_packages_are_built_into_the_same_bytes(exporter, tmp_path):
    html = SimpleNamespace(format="html")
    exporter.build_wheels(SimpleNamespace(builder=html, outdir=tmp_path, doctreedir=tmp_path / "doctrees"))
    for file in exporter.WHEELS.values():
        built = [folder / "notebooks" / file for folder in (SITE, tmp_path)]
        assert built[0].read_bytes() == built[1].read_bytes()


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


class Quiet(SimpleHTTPRequestHandler):
    """A file server that writes no log."""

    def log_message(self, *args: object) -> None:
        """Write nothing."""


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


def test_first_cell_says_what_to_do_where_there_is_no_library(environment):
    root, _, _ = environment
    (root / "alone").mkdir()
    with (
        kernel(environment) as client,
        pytest.raises(
            CellExecutionError, match=r"Put metrics_lib-[\d.]+-py3-none-any.whl and metrics_book-.* into the folder"
        ),
    ):
        run(client, code(exported(NAMES[0]))[:1], root / "alone")


def test_first_cell_takes_the_packages_from_the_site(environment):
    """The site stands on this machine here, so that no other is asked for it."""
    root, python, _ = environment
    cells = code(exported("interview/exercises-labels"))[:2]
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/notebooks/"
        cells[0].source = cells[0].source.replace('address = ""', f'address = "{address}"')
        with kernel(environment) as client:
            run(client, cells, root / "alone")
        server.shutdown()
    subprocess.run([python, "-m", "pip", "uninstall", "--quiet", "--yes", "metrics_lib", "metrics_book"], check=True)


# The first cells that need NumPy or the library install it. These take longer than all that their notebooks compute.
LARGE = {"matplotlib", "sympy"}


@pytest.fixture(scope="module")
def shared_kernel(environment, request):
    """The kernel of the notebooks that need the same: what one has imported, the next would import, too."""
    for name in needed(*LARGE.intersection(request.param.split())) - {"numpy"}:
        put(name, environment[0])
    with kernel(environment) as client:
        yield client


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
    notebook, change = exported(name), CHANGED[name]
    changed = "\n".join(cell.source for cell in code(notebook)).splitlines()
    assert changed.count(change["old"]) == 1
    changed[changed.index(change["old"])] = change["new"]
    first = code(exported(name))
    cells = [*first, forget(name, "all"), v4.new_code_cell("\n".join(changed)), forget(name, "last_expr")]
    run(shared_kernel, cells, root / name.partition("/")[0])
    # A figure that cannot be drawn stops no notebook.
    assert [output for cell in cells for output in cell.outputs if output.output_type == "error"] == []
    assert shown(ran(first)[1:]) == shown(ran(code(notebook))[1:])
