"""Offer to edit and run the cells of a page, and its practice blocks, with the Python of ``_static/python``.

That Python has its own modules, NumPy and our packages. A cell that needs more, such as one that draws, has no button;
of such a cell those statements are run, before the cells below, that need no more than that.
"""

import hashlib
import json
from pathlib import Path

from docutils import nodes
from practice_blocks import practice_block
from readers_notebooks import files_of, is_code, read
from runnable import left_out
from sphinx.application import Sphinx

from tools.wheels import FOLDER, WHEELS

RUNTIME = Path(__file__).parents[1] / "_static" / "python"
OURS = ["editor.js", "run.py", "sqlite.js", "worker.js"]
LOADED = ["pyodide-lock.json", "pyodide.asm.wasm", "python_stdlib.zip", "run.py"]  # what the worker counts as it comes
SQLITE = "sqlite3.wasm"  # and where an exercise is in SQL


def mark_cells(app: Sphinx, document: nodes.document, docname: str) -> None:
    """Name the cells of a page, and mark those that run as they are."""
    if app.builder.format != "html" or not app.env.doc2path(docname).endswith(".ipynb"):
        return
    notebook = read(Path(app.env.doc2path(docname)))
    shown = [node for node in document.findall(nodes.container) if is_code(node)]
    cells = [notebook.cells[node["cell_index"]] for node in shown]
    marked = {}
    for node, cell, lines in zip(shown, cells, left_out([cell.source for cell in cells]), strict=True):
        node["ids"].append(f"cell-{cell.id}")
        node["classes"] += [] if lines else ["runs"]
        marked[cell.id] = lines
    document["python"] = {"cells": json.dumps(marked), "files": json.dumps(files_of(notebook))}


def load_script(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Load the script on pages that have what it works on, and tell it where everything is."""
    marked = (doctree.get("python") if doctree else None) or {"cells": "{}", "files": "[]"}
    if marked["cells"] == "{}" and 'class="practice' not in context.get("body", ""):
        return
    pathto = context["pathto"]
    version = hashlib.sha256(b"".join((RUNTIME / name).read_bytes() for name in OURS)).hexdigest()[:8]
    size = sum((RUNTIME / name).stat().st_size for name in LOADED)
    ours = [Path(app.outdir, FOLDER, file) for file in WHEELS.values()]
    size += sum(path.stat().st_size for path in [*RUNTIME.glob("*.whl"), *ours])
    in_sql = doctree and any(block["id"].endswith("-sql") for block in doctree.findall(practice_block))
    size += (RUNTIME / SQLITE).stat().st_size if in_sql else 0
    told = {
        "page": page,
        "editor": f"{pathto('_static/python/editor.js', 1)}?v={version}",
        "worker": f"{pathto('_static/python/worker.js', 1)}?v={version}",
        "wheels": json.dumps([pathto(f"{FOLDER}/{file}", 1) for file in WHEELS.values()]),
        "folder": pathto(FOLDER, 1),
        "size": str(size),
        "sqlite": f"{pathto('_static/python/sqlite.js', 1)}?v={version}" if in_sql else "",
        **marked,
    }
    attributes = {f"data-{name}": value for name, value in told.items()}
    app.add_js_file("python-cells.js", loading_method="defer", **attributes)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", mark_cells, priority=600)  # readers' notebooks are written from what stands there
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
