"""AUC of a thousand to a billion rows: the figures of the lesson's ``growth.csv``.

Run as ``python -m benchmarks.growth [POWER]``, up to 10^POWER rows (9); it needs DuckDB and Linux, 20 GB of disk, and
about half an hour. A method stops before a query takes SQLite minutes, or more memory than a small machine has: a
billion rows are asked for bounds and for merged rows only. Each method reads a file of its own kind, in a process of
its own on one thread; seconds of the processor and the peak of memory are those from the file to the value, without the
start of Python and its imports.
"""

import multiprocessing
import re
import sqlite3
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

import metrics_lib
from metrics_lib import sql

FILE = Path(__file__).parents[1] / "book/lessons/cases/growth.csv"
HEAD = ("method", "rows", "seconds", "megabytes", "value")
CHUNK = 10**6
TRUTH = 5 / 6  # of the labels below: the scores of positives have the density 2s, those of negatives 2(1 - s)


def chunks(rows: int) -> Iterator[tuple[NDArray[np.int8], NDArray[np.float64]]]:
    """Labels and scores that are the chances of a 1, from 0 to 1 alike."""
    for place in range(0, rows, CHUNK):
        rng = np.random.default_rng([rows, place])
        score = rng.random(min(CHUNK, rows - place))
        yield (rng.random(len(score)) < score).astype(np.int8), score


def store(rows: int, folder: Path) -> None:
    """The same rows as arrays, for SQLite and for DuckDB, there also rounded, as far as a method asks for them."""
    import duckdb

    asked = methods(rows)
    label = score = None
    if "numpy" in asked:
        label = np.lib.format.open_memmap(folder / "label.npy", "w+", np.int8, (rows,))
        score = np.lib.format.open_memmap(folder / "score.npy", "w+", np.float64, (rows,))
    lite = sqlite3.connect(folder / "log.sqlite")
    lite.execute("CREATE TABLE log (label INTEGER, score REAL)")
    with duckdb.connect(folder / "log.duckdb") as duck:
        duck.execute("CREATE TABLE log (label TINYINT, score DOUBLE, rounded DOUBLE)")
        for place, (y, s) in enumerate(chunks(rows)):
            if label is not None and score is not None:
                part = slice(place * CHUNK, place * CHUNK + len(y))
                label[part], score[part] = y, s
            columns = {"label": y, "score": s, "rounded": s.round(3)}  # noqa: F841, DuckDB reads it by its name
            duck.execute("INSERT INTO log SELECT * FROM columns")
            if "sqlite" in asked:
                lite.executemany("INSERT INTO log VALUES (?, ?)", zip(y.tolist(), s.tolist(), strict=True))
    lite.commit()
    lite.close()


def on_arrays(folder: Path) -> float:
    return metrics_lib.roc_auc_score(np.load(folder / "label.npy"), np.load(folder / "score.npy"))


def on_sqlite(folder: Path) -> float:
    return float(sqlite3.connect(folder / "log.sqlite").execute(sql.roc_auc_score("log")).fetchone()[0])


def on_duckdb(folder: Path, text: str) -> list[tuple[float, ...]]:
    """The rows of a query in 3 GB, so that the process stays below 4."""
    import duckdb

    settings = {"threads": 1, "memory_limit": "3GB", "temp_directory": str(folder), "preserve_insertion_order": False}
    with duckdb.connect(folder / "log.duckdb", read_only=True, config=settings) as connection:
        return connection.execute(text).fetchall()


def exact(folder: Path) -> float:
    return on_duckdb(folder, sql.roc_auc_score("log"))[0][0]


def histogram(folder: Path) -> float:
    return on_duckdb(folder, sql.roc_auc_bounds("log"))[0][1]


def merged(folder: Path) -> float:
    """Equal rows of the rounded scores become one with a weight, and NumPy does the rest."""
    label, score, n, _ = zip(*on_duckdb(folder, sql.counts("log", y_score="rounded")), strict=True)
    return metrics_lib.roc_auc_score(label, score, sample_weight=n)


METHODS = {
    "numpy": on_arrays,
    "sqlite": on_sqlite,
    "duckdb exact": exact,
    "duckdb histogram": histogram,
    "duckdb counts": merged,
}


MOST_ROWS = {"numpy": 10**8, "sqlite": 10**7, "duckdb exact": 10**8}


def methods(rows: int) -> list[str]:
    return [method for method in METHODS if rows <= MOST_ROWS.get(method, rows)]


def memory(line: str) -> float:
    """Megabytes of this process: now (VmRSS) or at its peak (VmHWM)."""
    return int(re.search(rf"{line}:\s*(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1000


def measured(method: str, folder: Path) -> tuple[float, float, float]:
    if method.startswith("duckdb"):
        import duckdb  # noqa: F401, before the clock starts
    start = memory("VmRSS"), time.process_time()
    value = METHODS[method](folder)
    return time.process_time() - start[1], memory("VmHWM") - start[0], value


def main(power: int = 9) -> None:
    lines = [",".join(HEAD)]
    for rows in (10**exponent for exponent in range(3, power + 1)):
        with TemporaryDirectory() as name, multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            folder = Path(name)
            pool.apply(store, (rows, folder))
            for method in methods(rows):
                runs = [pool.apply(measured, (method, folder)) for _ in range(5 if rows <= 10**6 else 1)]
                seconds, megabytes, value = map(statistics.median, zip(*runs, strict=True))
                lines.append(f"{method},{rows},{seconds:.3g},{megabytes:.3g},{value:.15g}")
                print(lines[-1], flush=True)
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
