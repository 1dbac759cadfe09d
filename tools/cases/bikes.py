"""Make bikes.csv: how many bikes were rented in each hour of 2011 in Washington.

``python tools/cases/bikes.py``, after ``pip install -r tools/cases/requirements.txt`` and
``pip install --no-deps ISLP==0.6.0``, of which a single table is read.
"""

from importlib.util import find_spec
from pathlib import Path

import pandas as pd
from new_york import write

COLUMNS = {"day": "day", "hr": "hour", "workingday": "working", "bikers": "bikers"}


def main() -> None:
    spec = find_spec("ISLP")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pip install --no-deps ISLP==0.6.0")
    table = pd.read_csv(Path(spec.submodule_search_locations[0], "data", "Bikeshare.csv"))
    table = table[list(COLUMNS)].rename(columns=COLUMNS).astype(int)
    write(table.sort_values(["day", "hour"]), "bikes.csv")


if __name__ == "__main__":
    main()
