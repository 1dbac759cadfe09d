"""Build one page by itself, to look at it and at its warnings: ``python -m tools.preview book/notation``.

The page is written to ``_build/preview``. References to other pages lead to the site in ``_build/html``; what even the
last ``make book`` does not know is a warning. Before there was a first ``make book``, nothing is known of other pages.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def page(name: str) -> str:
    """The name of a page as the table of contents has it, whichever way it is typed."""
    path = Path(name)
    path = path.relative_to(ROOT) if path.is_absolute() else path
    path = path.with_suffix("") if path.suffix in (".ipynb", ".md") else path
    if not any((ROOT / path).with_suffix(suffix).is_file() for suffix in (".ipynb", ".md")):
        sys.exit(f"no page {path}.ipynb or {path}.md")
    return path.as_posix()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", help="for instance book/004-threshold-and-ranking/ndcg.ipynb")
    name, start = page(parser.parse_args(arguments).page), time.monotonic()
    folder = ROOT / "_build" / "preview"
    folder.mkdir(parents=True, exist_ok=True)
    contents = folder / "toc.yml"
    contents.write_text(f"format: jb-book\nroot: {name}\n", encoding="utf-8")
    command = [sys.executable, "-m", "tools.build", ".", "--toc", contents, "--path-output", folder]
    environment = os.environ | {"PREVIEW_KNOWS": str(ROOT / "_build" / ".doctrees" / "environment.pickle")}
    done = subprocess.run(
        [*command, "-W", "-n", "--keep-going", "--all", "--quiet"], cwd=ROOT, env=environment, check=False
    )
    result = folder / "_build" / "html" / f"{name}.html"
    if result.is_file():
        print(f"{result}, built in {time.monotonic() - start:.0f} s")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
