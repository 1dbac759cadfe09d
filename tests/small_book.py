"""A book of three pages with the configuration and the extensions of this one, for tests that build."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.registries import ROOT


def small_book(folder: Path, **pages: str) -> Path:
    """Write the book: its front page ``index``, and the others of these names and texts."""
    (folder / "book").mkdir(parents=True)
    shutil.copy(ROOT / "_config.yml", folder)
    for name in ("_ext", "_moved", "_static", "_templates", "data", "references.bib"):
        (folder / "book" / name).symlink_to(ROOT / "book" / name)
    chapters = [{"file": f"book/{name}"} for name in pages if name != "index"]
    (folder / "_toc.yml").write_text(json.dumps({"format": "jb-book", "root": "book/index", "chapters": chapters}))
    for name, text in pages.items():
        (folder / "book" / f"{name}.md").write_text(text)
    return folder


def build(folder: Path) -> tuple[int, list[str]]:
    """The status, and the warnings and errors of a build."""
    command = [sys.executable, "-m", "tools.build", ".", "-W", "--keep-going", "--quiet"]
    paths = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    said = re.sub(r"\x1b\[[\d;]*m", "", done.stderr).replace(str(folder), "")
    return done.returncode, sorted(line for line in said.splitlines() if "WARNING" in line or "ERROR" in line)
