"""Build the books whose folders come in, one a line, each in a fork of this process, which has imported what all need.

The status of each goes out when it is built; what it said stands in ``said.txt`` in its folder.
"""

import gc
import importlib
import os
import sys
from pathlib import Path

import yaml

from tools import build

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]
ALIEN = [name for name in SETTINGS["config"]["extensions"] if name not in SETTINGS["local_extensions"]]


def become(folder: Path) -> None:
    """Be a build as if Python had been started in this folder."""
    os.chdir(folder)
    sys.path[0] = str(folder)
    sys.argv[1:] = [".", "-W", "--keep-going", "--quiet"]
    with (folder / "said.txt").open("w") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
    build.main()


if __name__ == "__main__":
    for name in ["jupyter_book.cli.main", "jupyter_book.sphinx", "myst_nb.sphinx_ext", "metrics_lib.plot", *ALIEN]:
        importlib.import_module(name)
    for name in importlib.import_module("sphinx.application").builtin_extensions:
        importlib.import_module(name)
    gc.freeze()  # else each fork looks through what it shares, and has it copied
    for line in sys.stdin:
        process = os.fork()
        if not process:
            become(Path(line.rstrip("\n")))
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
