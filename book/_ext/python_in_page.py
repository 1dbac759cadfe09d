"""Offer to edit and run the cells of a page, and its practice blocks, with the Python of ``_static/python``.

That Python has its own modules, NumPy and the library. A cell that needs more, such as one that draws, has no button;
of such a cell those statements are run, before the cells below, that need no more than that.
"""

import ast
import hashlib
import json
import symtable
import sys
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from readers_notebooks import FOLDER, WHEEL, files_of, is_code, read
from sphinx.application import Sphinx

RUNTIME = Path(__file__).parents[1] / "_static" / "python"
LOADED = ["pyodide-lock.json", "pyodide.asm.wasm", "python_stdlib.zip", "run.py"]  # what the worker counts as it comes
KNOWN = {*sys.stdlib_module_names, "numpy", "metrics_lib"}
DRAWS = {"metrics_lib.plot"}  # it imports Matplotlib
Lines = list[tuple[int, int]]


def has(module: str) -> bool:
    return module.partition(".")[0] in KNOWN and module not in DRAWS


def lacking(tree: ast.AST) -> bool:
    """Whether the statement imports what the page's Python lacks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and not all(has(alias.name) for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            if not all(map(has, names)):
                return True
    return False


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from tables(child)


def names_in(part: ast.AST) -> tuple[set[str], set[str]]:
    """The global names that a part of a cell asks for, and those that it gives a value."""
    top = symtable.symtable(ast.unparse(part), "cell", "exec")
    asked = {
        symbol.get_name()
        for table in tables(top)
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (table is top or symbol.is_global())
    }
    given = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    return asked, given


def ask_for(missing: set[str], statements: list[ast.stmt]) -> bool:
    """Whether the statements, one after another, ask for a missing name before they give it a value."""
    for statement in statements:
        match statement:
            case ast.For():
                first, then = [statement.iter], [*statement.body, *statement.orelse]
                given = names_in(ast.Assign([statement.target], ast.Constant(0), lineno=1))[1]
            case ast.If() | ast.While():
                first, then, given = [statement.test], [*statement.body, *statement.orelse], set()
            case _:
                first, then, given = [statement], [], names_in(statement)[1]
        if any(names_in(part)[0] & missing for part in first) or ask_for(missing - given, then):
            return True
        missing = missing - given
    return False


def left_out(cells: list[str]) -> list[Lines]:
    """The lines of each cell that need what the page's Python lacks: of a cell that runs there as it is, none."""
    missing, found = set[str](), []
    for source in cells:
        lines: Lines = []
        for statement in ast.parse(source).body:
            given = names_in(statement)[1]
            if lacking(statement) or ask_for(missing, [statement]):
                missing |= given
                first = min([statement.lineno, *(node.lineno for node in getattr(statement, "decorator_list", []))])
                lines.append((first, statement.end_lineno or first))
            else:
                missing -= given
        found.append(lines)
    return found


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
    worker, program = (RUNTIME / name for name in ("worker.js", "run.py"))
    version = hashlib.sha256(worker.read_bytes() + program.read_bytes()).hexdigest()[:8]
    size = sum((RUNTIME / name).stat().st_size for name in LOADED)
    size += sum(path.stat().st_size for path in [*RUNTIME.glob("*.whl"), Path(app.outdir, FOLDER, WHEEL)])
    told = {
        "page": page,
        "worker": f"{pathto('_static/python/worker.js', 1)}?v={version}",
        "wheel": pathto(f"{FOLDER}/{WHEEL}", 1),
        "size": str(size),
        **marked,
    }
    attributes = {f"data-{name}": value for name, value in told.items()}
    app.add_js_file("python-cells.js", loading_method="defer", **attributes)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", mark_cells, priority=600)  # readers' notebooks are written from what stands there
    app.connect("html-page-context", load_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
