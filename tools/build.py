"""Run Jupyter Book without what it loads for nothing: ``python -m tools.build . -W -n``."""

import gc
import sys

# A book is millions of objects that live until the end: looking through them for garbage took half of the time.
gc.set_threshold(1_000_000)
# On import jsonschema compiles dozens of grammars of addresses in other alphabets. No schema here asks for one.
sys.modules["rfc3987_syntax"] = None


def main() -> None:
    from jupyter_book.cli.main import main as jupyter_book

    jupyter_book(["build", *sys.argv[1:]], prog_name="jupyter-book")


if __name__ == "__main__":
    main()
