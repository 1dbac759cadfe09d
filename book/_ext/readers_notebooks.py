"""Export each notebook for readers: plain Markdown, and a first cell that installs what is missing.

The notebook of the repository is the source: its code and outputs are copied, its text is written from the page.
The reader's notebook stands beside its page; one archive for each part holds its notebooks and our packages.
"""

import ast
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, requires
from itertools import groupby
from pathlib import Path, PurePosixPath
from shutil import copyfile
from tempfile import TemporaryDirectory
from urllib.parse import quote, urlsplit

from docutils import nodes
from folded import details, summary
from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from nbformat import NotebookNode, v4
from packaging.requirements import Requirement
from plain_markdown import PlainMarkdown
from practice_blocks import practice_block
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node

from metrics_lib import __version__

ROOT = Path(__file__).parents[2]
PINS = ROOT / "requirements.txt"
WHEELS = {name: f"{name}-{__version__}-py3-none-any.whl" for name in ("metrics_lib", "metrics_book")}
FOLDER = "notebooks"  # of the wheels and the archives on the site
BRANCH = "gh-pages"  # of the repository, with the site as it is built
EPOCH = 315_532_800  # 1980, before which no archive can date its members
REPOSITORY = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
CONTINUED = ", continued"
PRACTICE = "practice"  # the tag of cells that the reader is to run
EXERCISE = exercise_node | exercise_enumerable_node
COMMONMARK = MarkdownIt().use(colon_fence_plugin).disable("inline")
FIRST = "what-it-needs"
FIRST_CELL = """\
# Run this first: it installs what this notebook needs and this Python lacks.
# JupyterLab shows the pictures of a downloaded notebook as soon as it has run, or is trusted.
from importlib import invalidate_caches
from importlib.util import find_spec
from pathlib import Path

address = "{address}"
wheels = {wheels}
needs = {needs}
for name, wheel in wheels.items():
    needs[name] = wheel if Path(wheel).is_file() else address and address + wheel
missing = [package for name, package in needs.items() if not find_spec(name)]
if "" in missing:
    raise ModuleNotFoundError(
        f"Put {{' and '.join(wheels.values())}} into the folder of this notebook and run this cell again:"
        " the book's site offers all in one archive."
    )
if missing and not find_spec("pip"):
    raise ModuleNotFoundError(f"This Python has no pip; install in your own way: {{', '.join(missing)}}")
if missing:
    wanted = " ".join(missing)
    %pip install --quiet {{wanted}}
    invalidate_caches()
if not all(map(find_spec, needs)):
    raise ModuleNotFoundError(f"pip could not install {{', '.join(missing)}}: see what it says above.")"""
FIRST_FILES = """
for file in filter(lambda file: not Path(file).is_file(), {files}):
    if not "{address}":
        raise FileNotFoundError(f"Put {{file}} beside this notebook: the book's site offers both in one archive.")
    Path(file).parent.mkdir(exist_ok=True)
    urlretrieve("{address}" + file, file)"""


# The settings


def check_settings(app: Sphinx, config: Config) -> None:
    """Take out an address that cannot work, and say in one line each what is left out without it."""
    config.site_url, config.repository_url = str(config.site_url or ""), str(config.repository_url or "")
    site = urlsplit(config.site_url)
    if site.scheme in ("http", "https") and site.netloc and not site.query and not site.fragment:
        config.site_url = config.html_baseurl = config.site_url.rstrip("/") + "/"
    else:
        said = (
            f"{config.site_url!r} is no address such as https://example.org/book/" if config.site_url else "is not set"
        )
        print(f"site_url {said}: notebooks for readers link to no page, and find our packages beside them only.")
        config.site_url = ""
    repository = REPOSITORY.fullmatch(config.repository_url)
    if repository is None:
        form = "https://github.com/OWNER/NAME"
        said = f"{config.repository_url!r} is no address such as {form}" if config.repository_url else "is not set"
        print(f"repository_url {said}: no buttons for Colab and Binder.")
    config.repository_url = repository[1] if repository else ""


def address_of_wheels(config: Config) -> str:
    """Where Python finds our packages on the network; empty if nowhere."""
    if config.site_url:
        return f"{config.site_url}{FOLDER}/"
    if config.repository_url:
        return f"https://github.com/{config.repository_url}/raw/{BRANCH}/{FOLDER}/"
    return ""


# One notebook


def read(path: Path) -> NotebookNode:
    return v4.reads(path.read_text(encoding="utf-8"))


def parts(node: nodes.Element, fold: nodes.Element | None = None) -> Iterator[tuple[nodes.Node, nodes.Element | None]]:
    """Yield what a page consists of: cells and pieces of text, each with the solution it stands in."""
    for child in node.children:
        if isinstance(child, nodes.section | EXERCISE):
            yield from parts(child, fold)
        elif isinstance(child, details) and any(map(is_code, child.findall(nodes.container))):
            yield from parts(child, child)
        elif not isinstance(child, summary) and not isinstance(child, nodes.Invisible):
            yield child, fold


def is_code(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def cell_of(node: nodes.Node, before: int) -> int:
    """The index of the Markdown cell: the parser counts its lines from 10,000 times one more."""
    found = [*node.findall(), node.parent] if isinstance(node.parent, EXERCISE) else node.findall()
    return next((part.line // 10_000 - 1 for part in found if (part.line or 0) > 10_000), before)


@cache
def package_of(module: str) -> str:
    """What pip calls a module: most often the same, which is found without a look at all packages."""
    try:
        return distribution(module).name
    except PackageNotFoundError:
        return packages_distributions()[module][0]


def needs_of(notebook: NotebookNode) -> dict[str, str]:
    """The modules that cells import beyond Python's own, each with what pip calls it."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.id != FIRST]
    trees = [ast.parse(cell.source) for cell in cells]
    found = [node for tree in trees for node in ast.walk(tree)]
    names = [alias.name for node in found if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in found if isinstance(node, ast.ImportFrom)]
    names += ["matplotlib"] * bool({"metrics_lib.plot", "metrics_book.style"} & set(names))
    modules = sorted({name.partition(".")[0] for name in names} - sys.stdlib_module_names - set(WHEELS))
    return {module: package_of(module) for module in modules}


def files_of(notebook: NotebookNode) -> list[str]:
    """The data of the lessons that cells read, relative to the notebook."""
    trees = [ast.parse(cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    texts = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return sorted(text for text in texts if isinstance(text, str) and text.startswith("cases/"))


def first_cell(notebook: NotebookNode, address: str, page: str) -> NotebookNode:
    source = FIRST_CELL.format(address=address, wheels=json.dumps(WHEELS), needs=json.dumps(needs_of(notebook)))
    if files := files_of(notebook):
        source = source.replace(
            "from pathlib import Path\n", "from pathlib import Path\nfrom urllib.request import urlretrieve\n"
        )
        source += FIRST_FILES.format(files=json.dumps(files), address=page.rpartition("/")[0] + "/" * bool(page))
    return v4.new_code_cell(source, id=FIRST)


def readers(notebook: NotebookNode, document: nodes.document, write: PlainMarkdown, address: str) -> NotebookNode:
    """The notebook for readers, made from that of the repository and its page."""
    texts, captions, folded, begun, place = defaultdict(list), {}, set(), set(), 0
    for part, fold in parts(document):
        if is_code(part):
            place = part["cell_index"]
            captions[place] = write.blocks(part.findall(nodes.figure))
            folded |= {place} if fold else set()
            if fold and fold not in begun:  # a solution that begins with code was opened in the text above it
                above = max(n for n, cell in enumerate(notebook.cells[:place]) if cell.cell_type == "markdown")
                said = nodes.paragraph("", "", nodes.Text("It begins with the folded cell below."))
                texts[above].append((fold, said))
        else:
            place = cell_of(part, place)
            texts[place].append((fold, part))
        begun.add(fold)
    cells, begun = [], set()
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            metadata = hidden_parts(cell, index in folded)
            cells.append(v4.new_code_cell(cell.source, id=cell.id, outputs=cell.outputs, metadata=metadata))
        cells += written(cell.id, texts[index], write, begun)
        if captions.get(index):
            caption = write.folded("What the picture shows", captions[index]) if index in folded else captions[index]
            cells.append(v4.new_markdown_cell(caption, id=f"{cell.id}-caption"))
    cells.insert(0, first_cell(notebook, address, write.address))
    ran = (cell for cell in cells if cell.cell_type == "code" and PRACTICE not in cell.metadata.get("tags", []))
    for count, cell in enumerate(ran, start=1):
        cell.execution_count = count
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = count
    metadata = {key: notebook.metadata[key] for key in ("kernelspec", "language_info")}
    return v4.new_notebook(cells=cells, metadata=metadata)


def hidden_parts(cell: NotebookNode, folded: bool) -> dict[str, object]:
    """The metadata by which JupyterLab and Colab fold what the page folds."""
    tags = set(cell.metadata.get("tags", []))
    source = folded or bool(tags & {"hide-input", "hide-cell", "remove-input"})
    outputs = folded or bool(tags & {"hide-output", "hide-cell", "remove-output"})
    jupyter = {name: True for name, hidden in {"source_hidden": source, "outputs_hidden": outputs}.items() if hidden}
    return ({"jupyter": jupyter} if jupyter else {}) | ({"cellView": "form"} if source else {})


def written(
    name: str, pieces: list[tuple[nodes.Element | None, nodes.Node]], write: PlainMarkdown, begun: set[nodes.Node]
) -> list[NotebookNode]:
    """The cells made of one cell of Markdown: its text, and cells of code where the reader is to write."""
    made = []
    for block, group in groupby(pieces, key=lambda piece: piece[1] if isinstance(piece[1], practice_block) else None):
        if block is not None:
            hidden = hidden_parts(v4.new_code_cell(metadata={"tags": ["hide-input"]}), False) if block["hidden"] else {}
            made.append(v4.new_code_cell(block["stub"], metadata={"tags": [PRACTICE]}))
            made.append(v4.new_code_cell(block["cell"], metadata={"tags": [PRACTICE]} | hidden))
        elif text := text_of(list(group), write, begun):
            made.append(v4.new_markdown_cell(text))
    for number, cell in enumerate(made):
        cell.id = f"{name}-{number}" if number else name
    return made


def text_of(pieces: list[tuple[nodes.Element | None, nodes.Node]], write: PlainMarkdown, begun: set[nodes.Node]) -> str:
    """The Markdown of one cell; what belongs to a solution is folded."""
    found = []
    for fold, group in groupby(pieces, key=lambda piece: piece[0]):
        text = write.blocks(part for _, part in group)
        if fold:
            title = write.html(fold[0]) + (CONTINUED if fold in begun else "")
            begun.add(fold)
            text = write.folded(title, text)
        found.append(text)
    return "\n\n".join(filter(None, found))


def lost(notebook: NotebookNode, exported: NotebookNode) -> list[str]:
    """What the notebook shows and the exported one does not."""
    directives, images, missing = [], 0, []
    ids = {cell.id for cell in exported.cells}
    for cell in notebook.cells:
        tokens = COMMONMARK.parse(cell.source) if cell.cell_type == "markdown" else []
        names = [token.info.split()[0] for token in tokens if token.info.startswith("{")]
        directives += names
        ends = "{exercise-end", "{solution-end", "{folded-end"
        ends_only = tokens and all(token.info.startswith(ends) for token in tokens)
        images += pictures(cell)
        if cell.id not in ids and not ends_only:
            missing.append(f"cell {cell.id}")
        if "figure" in cell.metadata.get("mystnb", {}) and f"{cell.id}-caption" not in ids:
            missing.append(f"the caption of {cell.id}")
    if images != sum(map(pictures, exported.cells)):
        missing.append("an image")
    texts = "\n".join(cell.source for cell in exported.cells if cell.cell_type == "markdown")
    titles = set(re.findall("<summary>(Solution .*)</summary>", texts))
    solutions = [title for title in titles if not title.endswith(CONTINUED)]
    if sum(name.startswith("{solution") and "end" not in name for name in directives) != len(solutions):
        missing.append("a solution")
    return missing


def pictures(cell: NotebookNode) -> int:
    """The number of pictures among the outputs; one in a text raises an error of its own."""
    return sum(any(kind.startswith("image/") for kind in output.get("data", {})) for output in cell.get("outputs", []))


def export(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Write the reader's notebook beside the page."""
    source = Path(app.env.doc2path(docname))
    if app.builder.format != "html" or source.suffix != ".ipynb":
        return
    notebook = read(source)
    page = app.config.site_url + app.builder.get_target_uri(docname) if app.config.site_url else ""
    write = PlainMarkdown(app.env.toc_fignumbers.get(docname, {}), page)
    exported = readers(notebook, document, write, address_of_wheels(app.config))
    if missing := lost(notebook, exported):
        raise ExtensionError(f"{docname}: the notebook for readers lacks {', '.join(missing)}")
    path = Path(app.outdir, f"{docname}.ipynb")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(v4.writes(exported) + "\n", encoding="utf-8")
    for name in files_of(notebook):
        path.with_name("cases").mkdir(exist_ok=True)
        copyfile(source.parent / name, path.parent / name)


# The site


def build_wheels(app: Sphinx) -> None:
    """Build both packages once, away from their source, which stays clean; the same source gives the same bytes."""
    if app.builder.format != "html":
        return
    Path(app.outdir, FOLDER).mkdir(parents=True, exist_ok=True)
    for name, file in WHEELS.items():
        Path(app.outdir, FOLDER, file).write_bytes(wheel(file, sources(name)))


def sources(name: str) -> dict[str, bytes]:
    """What a package is built from, by the places of the files beside its `pyproject.toml`."""
    root = ROOT if name == "metrics_lib" else ROOT / name
    paths = [*sorted((ROOT / name).rglob("*.py")), ROOT / name / "py.typed", root / "pyproject.toml"]
    paths += [ROOT / "README.md"] if root == ROOT else []
    files = {str(path.relative_to(root)): path.read_bytes() for path in paths}
    return files | {"LICENSE": (ROOT / "LICENSE").read_bytes()}


def wheel(file: str, files: dict[str, bytes]) -> bytes:
    """Ask setuptools for the wheel of these files, as pip does."""
    with TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for path in Path(folder).rglob("*"):  # the wheel holds the rights of its files, too
            path.chmod(0o755 if path.is_dir() else 0o644)
        made = subprocess.run(
            [sys.executable, "-c", "from setuptools.build_meta import build_wheel; build_wheel('.')"],
            cwd=folder,
            env=os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH)},
            umask=0o022,
            capture_output=True,
            text=True,
        )
        if made.returncode or not Path(folder, file).is_file():
            raise ExtensionError(f"{file} could not be built: {made.stderr}")
        return Path(folder, file).read_bytes()


def pinned(packages: set[str]) -> list[str]:
    """The lines of requirements.txt on these packages and all that they require."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    pins = [(Requirement(line).name.lower(), line) for line in lines if re.match(r"\w", line)]
    found, todo = set(), [package.lower() for package in packages]
    while todo:
        if (name := todo.pop()) not in found:
            found.add(name)
            needed = [Requirement(text) for text in requires(name) or []]
            todo += [need.name.lower() for need in needed if not need.marker or need.marker.evaluate({"extra": ""})]
    return [line for name, line in pins if name in found]


def notebooks_of(app: Sphinx) -> dict[str, list[Path]]:
    """The parts of the book that have notebooks, by the names of their folders."""
    found = defaultdict(list)
    for docname in sorted(app.env.found_docs):
        path = Path(app.env.doc2path(docname))
        if path.suffix == ".ipynb":
            found[path.parent.name].append(path)
    return found


def pack(app: Sphinx, exception: Exception | None) -> None:
    """Write one archive for each part, and what Binder installs."""
    if exception or app.builder.format != "html":
        return
    folder = Path(app.outdir, FOLDER)
    wheels = {file: (folder / file).read_bytes() for file in WHEELS.values()}
    notebooks = notebooks_of(app)
    for part, paths in notebooks.items():
        members = {path.name: Path(app.outdir, path.relative_to(app.srcdir)).read_bytes() for path in paths}
        members |= {name: (path.parent / name).read_bytes() for path in paths for name in files_of(read(path))}
        (folder / f"{part}.zip").write_bytes(archive(part, members, wheels))
    if app.config.repository_url:
        binder = Path(app.outdir, "binder", "requirements.txt")
        binder.parent.mkdir(exist_ok=True)
        everything = [read(path) for paths in notebooks.values() for path in paths]
        binder.write_text(
            requirements([f"./{FOLDER}/{file}" for file in WHEELS.values()], everything), encoding="utf-8"
        )


def archive(part: str, files: dict[str, bytes], wheels: dict[str, bytes]) -> bytes:
    """The notebooks of a part and the data they read, with our packages and what else they need."""
    notebooks = [v4.reads(content.decode()) for name, content in files.items() if name.endswith(".ipynb")]
    needed = requirements([f"./{file}" for file in wheels], notebooks)
    members, file = files | wheels | {"requirements.txt": needed.encode()}, io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in sorted(members.items()):
            packed.writestr(zipfile.ZipInfo(f"{part}/{name}"), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def requirements(ours: list[str], notebooks: list[NotebookNode]) -> str:
    """What pip installs for these notebooks."""
    needed = {"numpy"}.union(*(needs_of(notebook).values() for notebook in notebooks))
    return "\n".join([*ours, *pinned(needed), ""])


def add_buttons(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Offer the reader's notebook, the archive of the part and, if there is a repository, Colab and Binder."""
    part = PurePosixPath(pagename).parent.name
    if doctree is None or part not in notebooks_of(app):
        return
    pathto = context["pathto"]
    group = next(button for button in context["header_buttons"] if button.get("label") == "download-buttons")
    is_notebook = app.env.doc2path(pagename).endswith(".ipynb")
    source = next(button for button in group["buttons"] if button["label"] == "download-source-button")
    if is_notebook:
        source["url"] = pathto(f"{pagename}.ipynb", 1)
        source["tooltip"] = "Download the notebook, to run it anywhere"
    archive = {"type": "link", "text": ".zip", "icon": "fas fa-file-zipper", "label": "download-archive-button"}
    archive |= {"url": pathto(f"{FOLDER}/{part}.zip", 1), "tooltip": "Download all notebooks of this part"}
    group["buttons"].insert(group["buttons"].index(source) + 1, archive)
    if is_notebook and app.config.repository_url:
        place = f"{app.config.repository_url}/blob/{BRANCH}/{pagename}.ipynb"
        binder = f"{app.config.repository_url}/{BRANCH}?urlpath={quote(f'lab/tree/{pagename}.ipynb', safe='')}"
        for name, url in {
            "Colab": f"https://colab.research.google.com/github/{place}",
            "Binder": f"https://mybinder.org/v2/gh/{binder}",
        }.items():
            group["buttons"].append({"type": "link", "text": name, "tooltip": f"Run on {name}", "url": url})


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("repository_url", "", "html")
    app.connect("config-inited", check_settings)
    app.connect("builder-inited", build_wheels)
    app.connect("doctree-resolved", export)
    app.connect("html-page-context", add_buttons, priority=900)
    app.connect("build-finished", pack)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
