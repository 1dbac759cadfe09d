"""Run Jupyter Book, on whose site the wheels of both packages lie before: ``python -m tools.build . -W -n``."""

import gc
import sys
from pathlib import Path

from jupyter_book.cli.main import main

from tools.wheels import FOLDER, build

if __name__ == "__main__":
    source, *options = sys.argv[1:]
    build(Path(source, "_build", "html", FOLDER))
    # A book is millions of objects that live until the end: looking through them for garbage took half of the time.
    gc.set_threshold(1_000_000)
    main(["build", source, *options], prog_name="jupyter-book")
