"""Export each notebook for readers: plain Markdown, a first cell that installs what it needs, and pictures that show.

The notebook of the repository is the source: its code and outputs are copied, its text is written from the page.
The reader's notebook stands beside its page.
"""

import ast
import base64
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath
from shutil import copyfile
from urllib.parse import quote, urlsplit

import resvg_py
from docutils import nodes
from folded import details, summary
from nbformat import NotebookNode, v4
from plain_markdown import PlainMarkdown
from practice_blocks import practice_block
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node

from tools.archives import pinned
from tools.wheels import FOLDER, WHEELS

BRANCH = "gh-pages"  # of the repository, with the site as it is built
CONTINUED = ", continued"
PRACTICE = "practice"  # the tag of cells that the reader is to run
EXERCISE = exercise_node | exercise_enumerable_node
FIRST = "what-it-needs"
FIRST_CELL = """\
# Run this first: it installs what this notebook needs, from where the notebook came from.
site = "{site}"
%pip install --quiet {wheels}"""
FETCH = """
from metrics_book.data import fetch
fetch(site, {files})"""


# The settings


def check_settings(app: Sphinx, config: Config) -> None:
    """Refuse an address that cannot work."""
    config.site_url, config.repository_url = str(config.site_url or ""), str(config.repository_url or "")
    for name, address, example in [
        ("site_url", config.site_url, "https://example.org/book/"),
        ("repository_url", config.repository_url, "https://github.com/OWNER/NAME"),
    ]:
        parts = urlsplit(address)
        if address and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment):
            raise ConfigError(f"{name}: expected an address such as {example}, or nothing, got {address!r}")
    if config.site_url:
        config.site_url = config.html_baseurl = config.site_url.rstrip("/") + "/"
    config.repository_url = urlsplit(config.repository_url).path.strip("/").removesuffix(".git")


def address_of_wheels(config: Config) -> str:
    """Where Python finds our packages: on the network if that is known, or else beside the notebook."""
    if config.site_url:
        return f"{config.site_url}{FOLDER}"
    if config.repository_url:
        return f"https://github.com/{config.repository_url}/raw/{BRANCH}/{FOLDER}"
    return "."


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


def needs_of(notebook: NotebookNode) -> list[str]:
    """The packages that cells import beyond Python's own, ours, and NumPy, which ours need in any version."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.id != FIRST]
    trees = [ast.parse(cell.source) for cell in cells]
    found = [node for tree in trees for node in ast.walk(tree)]
    names = [alias.name for node in found if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in found if isinstance(node, ast.ImportFrom)]
    names += ["matplotlib"] * bool({"metrics_lib.plot", "metrics_book.style"} & set(names))
    return sorted({name.partition(".")[0] for name in names} - {"numpy"} - sys.stdlib_module_names - set(WHEELS))


def files_of(notebook: NotebookNode) -> list[str]:
    """The data of the lessons that cells read, relative to the notebook."""
    trees = [ast.parse(cell.source) for cell in notebook.cells if cell.cell_type == "code"]
    texts = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return sorted(text for text in texts if isinstance(text, str) and text.startswith("cases/"))


def first_cell(notebook: NotebookNode, site: str) -> NotebookNode:
    wheels = [f"{{site}}/{file}" for file in WHEELS.values()]
    needs = needs_of(notebook)
    pins = [pin for pin in pinned(needs) if pin.partition("==")[0] in needs]
    source = FIRST_CELL.format(site=site, wheels=" ".join([*wheels, *pins]))
    if files := files_of(notebook):
        source += FETCH.format(files=", ".join(f'"{file}"' for file in files))
    return v4.new_code_cell(source, id=FIRST)


def with_png(output: NotebookNode) -> NotebookNode:
    """An output whose picture shows before anybody trusts the notebook, which a drawing in SVG does not."""
    if svg := output.get("data", {}).get("image/svg+xml"):
        png = resvg_py.svg_to_bytes(svg_string=svg, dpi=96, zoom=1.5, skip_system_fonts=True)
        output.data["image/png"] = base64.b64encode(png).decode()
    return output


def readers(notebook: NotebookNode, document: nodes.document, write: PlainMarkdown, site: str) -> NotebookNode:
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
            outputs = [with_png(output) for output in cell.outputs]
            cells.append(v4.new_code_cell(cell.source, id=cell.id, outputs=outputs, metadata=metadata))
        cells += written(cell.id, texts[index], write, begun)
        if captions.get(index):
            caption = write.folded("What the picture shows", captions[index]) if index in folded else captions[index]
            cells.append(v4.new_markdown_cell(caption, id=f"{cell.id}-caption"))
    title, _, rest = cells[0].source.partition("\n\n")
    opening = [v4.new_markdown_cell(title, id=cells[0].id), first_cell(notebook, site)]
    cells[:1] = opening + [v4.new_markdown_cell(rest, id=f"{cells[0].id}-rest")] * bool(rest)
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


def export(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Write the reader's notebook beside the page."""
    source = Path(app.env.doc2path(docname))
    if app.builder.format != "html" or source.suffix != ".ipynb":
        return
    notebook = read(source)
    page = app.config.site_url + app.builder.get_target_uri(docname) if app.config.site_url else ""
    write = PlainMarkdown(app.env.toc_fignumbers.get(docname, {}), page)
    exported = readers(notebook, document, write, address_of_wheels(app.config))
    path = Path(app.outdir, f"{docname}.ipynb")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(v4.writes(exported) + "\n", encoding="utf-8")
    for name in files_of(notebook):
        place = Path(app.outdir, FOLDER, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        copyfile(source.parent / name, place)


# The site


def add_buttons(app: Sphinx, pagename: str, templatename: str, context: dict, doctree: nodes.document | None) -> None:
    """Offer the reader's notebook, the archive of the part and, if there is a repository, Colab and Binder."""
    folder = PurePosixPath(pagename).parent
    notebooks = [name for name in app.env.found_docs if app.env.doc2path(name).endswith(".ipynb")]
    if doctree is None or all(PurePosixPath(name).parent != folder for name in notebooks):
        return
    pathto = context["pathto"]
    group = next(button for button in context["header_buttons"] if button.get("label") == "download-buttons")
    is_notebook = pagename in notebooks
    source = next(button for button in group["buttons"] if button["label"] == "download-source-button")
    if is_notebook:
        source["url"] = pathto(f"{pagename}.ipynb", 1)
        source["tooltip"] = "Download the notebook, to run it anywhere"
    archive = {"type": "link", "text": ".zip", "icon": "fas fa-file-zipper", "label": "download-archive-button"}
    archive |= {"url": pathto(f"{FOLDER}/{folder.name}.zip", 1), "tooltip": "Download all notebooks of this part"}
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
    app.connect("doctree-resolved", export)
    app.connect("html-page-context", add_buttons, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
