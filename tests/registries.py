"""Reading the registries of ``book/data`` and judging printed numbers."""

import itertools
import math
import re
from fractions import Fraction
from pathlib import Path

import yaml

import metrics_lib

ROOT = Path(__file__).parents[1]
NAMES = {name: getattr(metrics_lib, name) for name in metrics_lib.__all__}
NAMES |= {"math": math, "itertools": itertools, "Fraction": Fraction}
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.]*\d)")


def load(name):
    return yaml.safe_load((ROOT / "book" / "data" / f"{name}.yml").read_text(encoding="utf-8"))


def evaluate(expression):
    return eval(expression, dict(NAMES))


def exact(text):
    """A value as the registries write it: ``137/20``, ``8.384055178438`` or ``3, 3, 2``."""
    text = str(text)
    return [exact(part) for part in text.split(",")] if "," in text else Fraction(text)


def same(got, wanted):
    """Equal exactly where both are rational, to eleven digits otherwise."""
    if isinstance(wanted, list):
        return list(got) == wanted
    if isinstance(got, (int, Fraction)):
        return Fraction(got) == wanted
    return math.isclose(got, wanted, rel_tol=1e-11, abs_tol=1e-12)


def names(printed, value):
    """Whether a printed decimal is a value rounded to as many digits."""
    digits = len(printed.partition(".")[2])
    return abs(Fraction(printed) - Fraction(value)) <= Fraction(1, 2 * 10**digits) + Fraction(1, 10**12)


def verdict(printed, value):
    """What a printed number is, to its last digit: exact, rounded, truncated or wrong."""
    if isinstance(value, list):
        return "exact" if exact(printed) == value else "wrong"
    percent = printed.endswith("%")
    number = Fraction(printed.rstrip("%")) / (100 if percent else 1)
    digits = len(printed.rstrip("%").partition(".")[2]) + 2 * percent
    shifted = value * 10**digits
    if number == value:
        return "exact"
    if "/" in printed:
        return "wrong"
    if math.floor(shifted + Fraction(1, 2)) == number * 10**digits:
        return "rounded"
    return "truncated" if math.floor(shifted) == number * 10**digits else "wrong"
