"""Check every registry of ``book/data`` by its schema: a line for each fault, ``python -m tools.registries``."""

import sys

from book._ext.records import all_faults

if __name__ == "__main__":
    sys.exit("\n".join(all_faults()) or 0)
