"""Run Jupyter Book: ``python -m tools.build . -W -n``."""

import gc
import sys

from jupyter_book.cli.main import main

if __name__ == "__main__":
    # A book is millions of objects that live until the end: looking through them for garbage took half of the time.
    gc.set_threshold(1_000_000)
    main(["build", *sys.argv[1:]], prog_name="jupyter-book")
