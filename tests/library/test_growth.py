"""The figures of ``benchmarks/growth.py``: the values of small tables anew, and what the stored ones say."""

import csv
import math

import pytest

from benchmarks.growth import FILE, HEAD, METHODS, TRUTH, methods, store

with FILE.open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
SIZES = list(dict.fromkeys(int(row["rows"]) for row in ROWS))
VALUES = {(row["method"], int(row["rows"])): float(row["value"]) for row in ROWS}


def test_the_table_has_every_method_and_size():
    assert tuple(ROWS[0]) == HEAD
    assert list(VALUES) == [(method, rows) for rows in SIZES for method in methods(rows)]
    assert [10**power for power in range(3, 3 + len(SIZES))] == SIZES
    assert all(float(row["seconds"]) > 0 and float(row["megabytes"]) > 0 for row in ROWS)


@pytest.mark.parametrize("rows", [10**3, 10**4])
def test_the_values_are_computed_anew(rows, tmp_path):
    store(rows, tmp_path)
    for method, value in METHODS.items():
        assert value(tmp_path) == pytest.approx(VALUES[method, rows], abs=1e-14), method


@pytest.mark.parametrize("rows", SIZES)
def test_the_exact_values_are_one_and_near_the_truth(rows):
    exact = {VALUES[method, rows] for method in methods(rows) if method in ("numpy", "sqlite", "duckdb exact")}
    assert not exact or max(exact) - min(exact) < 1e-14
    error = math.sqrt(TRUTH * (1 - TRUTH) / (rows / 2))  # at most, with so many rows of either class
    assert all(abs(VALUES[method, rows] - TRUTH) < 3 * error for method in methods(rows))


def test_from_a_million_rows_on_one_pass_is_cheaper_than_order():
    cost = {(row["method"], int(row["rows"])): (float(row["seconds"]), float(row["megabytes"])) for row in ROWS}
    asked = [rows for rows in SIZES[3:] if "duckdb exact" in methods(rows)]
    assert len(asked) == 3
    for rows in asked:
        for method in ("duckdb histogram", "duckdb counts"):
            assert all(a < b for a, b in zip(cost[method, rows], cost["duckdb exact", rows], strict=True))
