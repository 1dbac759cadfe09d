"""The functions that a lesson defines in its cells, for the tests beside peers."""

import ast
from typing import Any

import nbformat
import pytest

from tests.registries import ROOT


def functions_of(lesson: str) -> dict[str, Any]:
    """What the imports and the functions of a notebook define, without running the rest of it."""
    notebook = nbformat.read(ROOT / "book" / "lessons" / f"{lesson}.ipynb", as_version=4)
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    wanted = (ast.Import, ast.ImportFrom, ast.FunctionDef)
    body = [statement for source in sources for statement in ast.parse(source).body if isinstance(statement, wanted)]
    names: dict[str, Any] = {}
    exec(compile(ast.Module(body=body, type_ignores=[]), f"{lesson}.ipynb", "exec"), names)
    return names


@pytest.fixture(scope="module")
def lesson(request):
    """The functions of the lesson that the module names in LESSON."""
    return functions_of(request.module.LESSON)
