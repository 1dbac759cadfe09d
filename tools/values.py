"""What the numbers of the records evaluate to: ``python -m tools.values`` writes ``book/data/values.json``.

A number of a record is given as a number, or as an expression of metrics_lib and of the numbers above it. The book is
built from the values alone, and a change of a value is a line in the diff of that file.
"""

import ast
import itertools
import json
import math
import sqlite3
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

import metrics_lib
from book._ext.records import VALUES, schemas, with_numbers, written
from metrics_lib import sql, trec, uncertainty


def select(query: str, /, **columns: list[Any]) -> list[tuple[Any, ...]]:
    """The rows that SQLite returns for a query on the table ``log``, which has these columns."""
    with closing(sqlite3.connect(":memory:")) as engine:
        for name, function in {"LN": math.log, "EXP": math.exp, "SQRT": math.sqrt, "FLOOR": math.floor}.items():
            engine.create_function(name, 1, lambda x, f=function: None if x is None else f(x))  # some builds lack them
        engine.create_function("POWER", 2, lambda x, y: None if y is None else math.pow(x, y))
        engine.execute(f"CREATE TABLE log ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        engine.executemany(f"INSERT INTO log VALUES ({marks})", zip(*columns.values(), strict=True))
        return engine.execute(query).fetchall()


NAMES: dict[str, Any] = {name: getattr(metrics_lib, name) for name in metrics_lib.__all__}
NAMES |= {name: getattr(uncertainty, name) for name in uncertainty.__all__ if name.islower()}
NAMES |= {"math": math, "itertools": itertools, "Fraction": Fraction, "np": np, "sql": sql, "trec": trec}
NAMES["select"] = select


def evaluate(expression: str, names: dict[str, Any] | None = None) -> Any:
    return eval(expression, (names or {}) | NAMES)


def scope(record: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a record by name, the given ones as they are, the others as computed from those above them."""
    return computed(json.dumps(record.get("numbers") or {}))


@cache
def computed(numbers: str) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for name, number in json.loads(numbers).items():
        known[name] = evaluate(number, known) if isinstance(number, str) else plain(number)
    return known


def plain(value: Any) -> Any:
    """A given number for an expression: fractions in lists as floats."""
    if isinstance(value, list):
        return [plain(part) for part in value]
    return float(Fraction(value)) if isinstance(value, str) else value


@cache
def used_names(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}


def stored(value: Any) -> Any:
    """A value as the file has it: a whole number, a fraction as a text, or a decimal to fourteen digits."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [stored(part) for part in value]
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            return float(value)
        near = Fraction(float(value)).limit_denominator(50_000)
        if abs(float(near) - value) > 4e-15 * max(1, abs(value)):
            return float(f"{value:.14g}")
        value = near
    value = Fraction(value) if isinstance(value, Fraction) else Fraction(int(value))
    return int(value) if value.denominator == 1 else str(value)


def of_expressions(name: str) -> dict[str, dict[str, Any]]:
    """What the expressions of a registry evaluate to, by the id of their record and their name."""
    found = {
        record["id"]: {key: scope(record)[key] for key, given in record["numbers"].items() if isinstance(given, str)}
        for record in with_numbers(written(name))
    }
    return {record: values for record, values in found.items() if values}


def text() -> str:
    """The file: a number on a line, whose change shows as one."""
    registries = {name: of_expressions(name) for name in sorted(schemas().keys() - {"$defs"})}
    return lines({name: lines(found, of_record) for name, found in registries.items() if found}, str) + "\n"


def of_record(values: dict[str, Any]) -> str:
    return lines(values, lambda value: json.dumps(stored(value)))


def lines(parts: dict[str, Any], written: Callable[[Any], str]) -> str:
    """An object of JSON with each of its parts on a line."""
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {written(part)}" for name, part in parts.items()) + "\n}"


if __name__ == "__main__":
    VALUES.write_text(text(), encoding="utf-8")
