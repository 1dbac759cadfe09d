"""Run Jupyter Book without what it loads for nothing: ``python -m tools.build . -W -n``."""

import sys


def main() -> None:
    # On import jsonschema compiles dozens of grammars of addresses in other alphabets. No schema here asks for one.
    sys.modules["rfc3987_syntax"] = None
    from jupyter_book.cli.main import main as jupyter_book

    jupyter_book(["build", *sys.argv[1:]], prog_name="jupyter-book")


if __name__ == "__main__":
    main()
