"""Reading the registries of ``book/data``, judging printed numbers, holding texts to the numbers of their records."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

from book._ext.records import SLOT
from book._ext.records import load as load
from book._ext.records import unfilled as unfilled
from book._ext.records import weighty as weighty
from metrics_book.printed import verdict
from tools.values import NAMES, computed, evaluate, used_names
from tools.values import scope as scope
from tools.values import select as select

ROOT = Path(__file__).parents[1]
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?![\w.]*\d)")


def twice(values):
    """The values that stand more than once."""
    return [value for value, count in Counter(values).items() if count > 1]


def of_document(name, document, what):
    """The records of one document by their (first) line and by what they are about."""
    records = [record for record in load(name) if record["document"] == document]
    return {(lines(record)[0], record[what]): record for record in records}


def lines(record):
    return record["line"] if isinstance(record["line"], list) else [record["line"]]


def exact(value):
    """A value as the registries write it: ``137/20``, ``8.384055178438``, ``.nan``, ``3, 3, 2`` or a (nested) list."""
    if isinstance(value, str) and "," in value:
        value = value.split(",")
    if isinstance(value, list):
        return [exact(part) for part in value]
    return value if isinstance(value, float) and not math.isfinite(value) else Fraction(str(value))


def same(got, wanted):
    """Equal exactly where both are rational, to the last digit of what was wanted otherwise."""
    if isinstance(wanted, list):
        return len(got) == len(wanted) and all(map(same, got, wanted))
    if isinstance(wanted, float):
        return math.isnan(got) if math.isnan(wanted) else got == wanted
    if isinstance(got, (int, np.integer, Fraction)):
        return Fraction(int(got) if isinstance(got, np.integer) else got) == wanted
    return math.isclose(got, wanted, rel_tol=1e-11, abs_tol=1e-12) and abs(got - wanted) <= half_a_digit(wanted)


def half_a_digit(value):
    """What a decimal may be off if its last digit is right: half of that, and what a float is off."""
    digits = next((digits for digits in range(20) if (value * 10**digits).denominator == 1), 0)
    return 0.5 * 10.0**-digits + 4e-15 * max(1, abs(value))


def flat(value):
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]


def values(definition):
    """The numbers of a definition; none where the library refuses."""
    return [] if definition["value"] == "ValueError" else flat(exact(definition["value"]))


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


# Texts and the numbers of their record

NOT_TYPED = re.compile(
    r"""
    <<[^<>]+>>                             # a number of the record
    | (?:\{[\w:-]+\})?(`+).+?\1            # code, and roles
    | \bF[₁₂]|\bF_?\{?[12](?:/2)?\b\}?|\bF0\.5\b|\bR\^?2\b|R²|\bL[12]\b|@\d+|\btop-\d+   # names: F1, R2, NDCG@10, top-5
    | \blog2\b|\\log_\{?\d+\}?             # the base of a logarithm
    | \b0/0\b
    | \bCC\ BY\ [\d.]+                      # a licence
    | (?<!,)\b00[0-4](?:-\d+)?\b|\bX-\d+         # a document, an erratum
    | \b(?:[Ll]ines?|[Ss]ections?|[Ee]quations?)\s[\d.]+(?:(?:,|\sto|\sand)\s[\d.]+)*
    | \b(?:1[89]|20)\d\d\b(?!\s?%)         # a year
    | (?<![\d./])(?<!\d,)[01](?!\d|/\d|[.,]\d|\s?\\?%)  # the two labels and the ends of the usual range
    | (?<![\d.,/])\d(?=TP|FP|FN|TN|PR|AUC|[a-z]\b|\^|\\,?[a-zA-Z{(])  # a coefficient in a formula
    | \^\{?-?\d+\}?|_\{?\d+\}?|²           # an exponent, an index
    """,
    re.VERBOSE,
)


def typed(text, quotes=()):
    """The numbers that a text types instead of taking them from its record; ``quotes`` may stand."""
    for quote in quotes:
        text = text.replace(quote, "")
    return re.findall(r"(?<![A-Za-z])\d+(?:[.,/]\d+)*", NOT_TYPED.sub(" ", text))


def texts(part, fields):
    """The texts of a record that a reader sees: what stands in these fields, at any depth."""
    if isinstance(part, list):
        return [text for item in part for text in texts(item, fields)]
    if isinstance(part, dict):
        return [text for key, item in part.items() if key in fields for text in texts(item, fields)]
    return [part] if isinstance(part, str) else []


def checks(part):
    """The expressions that decide a sentence or an option (``holds``, ``decides``), each with what it must give."""
    if isinstance(part, list):
        for item in part:
            yield from checks(item)
    elif isinstance(part, dict):
        for held in part.get("holds", []):
            yield held, True
        if "decides" in part:
            yield part["decides"], part["right"]
        for key, item in part.items():
            if key not in ("numbers", "holds", "decides"):
                yield from checks(item)


def given(record):
    return json.dumps(record.get("numbers") or {})


@cache
def is_true(expression, numbers):
    return bool(evaluate(expression, computed(numbers)))


def faults(record, fields) -> Iterator[str]:
    """Where the texts of a record (as it is written) and its numbers, options and quoted sentences disagree."""
    seen = texts(record, fields)
    numbers, needed = record.get("numbers") or {}, set()
    for name, number in numbers.items():
        if name in NAMES:
            yield f"numbers {name}: that is the name of a function; choose another"
        if isinstance(number, str):
            needed |= used_names(number)
    for text in seen:
        for printed in typed(text, record.get("typed", [])):
            yield f"{printed} is typed and not taken from the numbers: {text}"
    for quote in record.get("typed", []):
        if not any(quote in text for text in seen):
            yield f"typed: no text says {quote!r}"
    for definition in record.get("definitions", []):
        needed |= set().union(*map(used_names, [definition["expr"], *definition.get("also", [])]))
    for check, wanted in checks(record):
        needed |= used_names(check["expr"])
        if is_true(check["expr"], given(record)) != wanted:
            yield f"{check['expr']} should be {wanted} for {check.get('says', 'this option')!r}"
        if "says" in check and not any(folded(check["says"]) in folded(text) for text in seen):
            yield f"no text says {check['says']!r}"
    for choice in record.get("choices", []):
        check = choice.get("decides", {"expr": "", "says": ""})
        shown = {slot[1] for slot in SLOT.finditer(choice["text"])}
        if folded(check.get("says", "")) not in folded(choice["text"]):
            yield f"the option {choice['text']!r} does not say {check['says']!r}"
        if "says" not in check and not shown <= used_names(check["expr"]):
            yield f"{check['expr']} is not about {choice['text']!r}"
    filled = {slot[1] for text in seen for slot in SLOT.finditer(text)}
    for name, number in numbers.items():
        if name not in filled | needed:
            yield f"numbers {name}: no text and no expression uses it"
        elif not (isinstance(number, str) and used_names(number)) and name not in needed:
            yield f"numbers {name}: it is given, but nothing is computed from it"


def folded(text):
    return " ".join(text.split())
