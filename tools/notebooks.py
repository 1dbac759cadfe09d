"""Execute notebooks into their normal form, or refuse those that are not in it.

In normal form every cell was executed from top to bottom in a clean kernel without an error, cells are named after the
notebook (``ndcg-001``), and nothing else is stored that could change from run to run or machine to machine. Executing
a notebook again changes no byte of it.
"""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode, v4

BOOK = Path(__file__).resolve().parents[1] / "book"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class ThisPython(KernelSpecManager):
    """The Python that runs this script, whatever kernel a notebook names."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(**get_kernel_dict())


def book_notebooks() -> list[Path]:
    return sorted(path for path in BOOK.rglob("*.ipynb") if ".ipynb_checkpoints" not in path.parts)


def read(path: Path) -> NotebookNode:
    return v4.reads(path.read_text(encoding="utf-8"))


def normal_form(notebook: NotebookNode, stem: str) -> str:
    """The text of the file in which the notebook, as it was executed, is stored."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = METADATA | {key: notebook.metadata[key] for key in ["myst"] if key in notebook.metadata}
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"{stem}-{number:03}"
        cell.metadata = {key: cell.metadata[key] for key in ["mystnb", "tags"] if key in cell.metadata}
        cell.source = cell.source.strip("\n")
    return v4.writes(notebook) + "\n"


def execute(path: Path) -> None:
    """Run the notebook in its own folder, untouched by settings of the user's, and write it in normal form."""
    notebook = read(path)
    client = NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_spec_manager=ThisPython()),
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        record_timing=False,
        timeout=600,
    )
    with TemporaryDirectory() as settings:
        client.execute(cleanup_kc=True, cwd=str(path.parent), env=os.environ | {"IPYTHONDIR": settings})
    path.write_text(normal_form(notebook, path.stem), encoding="utf-8", newline="\n")


def faults(path: Path) -> list[str]:
    """What keeps the file from being in normal form."""
    notebook = read(path)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    counts = [cell.get("execution_count") for cell in code]
    found = []
    if not all(cell.source.strip() for cell in notebook.cells):
        found.append("has an empty cell")
    if counts != list(range(1, len(code) + 1)):
        found.append(f"was not executed once from top to bottom: counts {counts}")
    if any(output.output_type == "error" for cell in code for output in cell.outputs):
        found.append("has a cell that raises an error")
    if path.read_bytes() != normal_form(notebook, path.stem).encode():
        found.append("is not stored in normal form")
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where one is not in normal form")
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="notebooks (default: all of the book)")
    options = parser.parse_args(arguments)
    failed = False
    for path in options.paths or book_notebooks():
        try:
            if not options.check:
                execute(path)
            problems = faults(path)
        except CellExecutionError as error:
            problems = [f"raises an error:\n{error}"]
        for problem in problems:
            print(f"{path}: {problem}", file=sys.stderr)
        failed = failed or bool(problems)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
