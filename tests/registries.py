"""Reading the registries of ``book/data`` and judging printed numbers."""

import itertools
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import yaml

import metrics_lib
from metrics_lib.printed import verdict

ROOT = Path(__file__).parents[1]
NAMES = {name: getattr(metrics_lib, name) for name in metrics_lib.__all__}
NAMES |= {"math": math, "itertools": itertools, "Fraction": Fraction, "np": np}
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.]*\d)")


def load(name):
    return yaml.load((ROOT / "book" / "data" / f"{name}.yml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def of_document(name, document, what):
    """The records of one document by their (first) line and by what they are about."""
    records = [record for record in load(name) if record["document"] == document]
    return {(lines(record)[0], record[what]): record for record in records}


def lines(record):
    return record["line"] if isinstance(record["line"], list) else [record["line"]]


def evaluate(expression):
    return eval(expression, dict(NAMES))


def exact(value):
    """A value as the registries write it: ``137/20``, ``8.384055178438``, ``.nan``, ``3, 3, 2`` or a (nested) list."""
    if isinstance(value, str) and "," in value:
        value = value.split(",")
    if isinstance(value, list):
        return [exact(part) for part in value]
    return value if isinstance(value, float) and not math.isfinite(value) else Fraction(str(value))


def same(got, wanted):
    """Equal exactly where both are rational, to eleven digits otherwise."""
    if isinstance(wanted, list):
        return len(got) == len(wanted) and all(map(same, got, wanted))
    if isinstance(wanted, float):
        return math.isnan(got) if math.isnan(wanted) else got == wanted
    if isinstance(got, (int, np.integer, Fraction)):
        return Fraction(int(got) if isinstance(got, np.integer) else got) == wanted
    return math.isclose(got, wanted, rel_tol=1e-11, abs_tol=1e-12)


def flat(value):
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]


def names(printed, value):
    """Whether a printed decimal is a value rounded to as many digits."""
    if isinstance(value, float):
        return False
    digits = len(printed.partition(".")[2])
    return abs(Fraction(printed) - Fraction(value)) <= Fraction(1, 2 * 10**digits) + Fraction(1, 10**12)


def judged(printed, value):
    """The verdict on a printed number, or on a printed list of them."""
    if printed and isinstance(value, list):
        return "exact" if exact(printed) == value else "wrong"
    return verdict(printed, value) if printed else "missing"


def assert_derived(record, value):
    """A value that was derived anew is the one of the record, and bears out its verdict."""
    assert same(value, exact(record["exact"]))
    assert judged(record["printed"], value if isinstance(value, list) else Fraction(value)) == record["verdict"]
