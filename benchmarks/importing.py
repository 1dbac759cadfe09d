"""Importing the library beside importing NumPy alone, each in a fresh interpreter that keeps compiled modules."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from benchmarks import Case


def cases() -> Iterator[Case]:
    yield Case(
        "import metrics_lib",
        partial(fresh_import, "metrics_lib"),
        {"scikit-learn (sklearn.metrics)": partial(fresh_import, "sklearn.metrics")},
        {"import numpy": partial(fresh_import, "numpy")},
        {"import numpy": 1.2},
    )


def fresh_import(module: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True, env=environment)
