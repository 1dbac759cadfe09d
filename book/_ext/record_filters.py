"""What the templates of ``book/_templates`` do with the values of records: ``FILTERS``, and the time of a step."""

import inspect
import json
import math
import re
from fractions import Fraction
from html import escape
from importlib import import_module
from itertools import groupby
from typing import Any

from docutils.nodes import make_id
from glossary import HAN, by_chinese

import metrics_lib
from metrics_lib import uncertainty

# Records

GENERAL = {"mean_over_queries", "confusion_matrix"}  # what many metrics are computed by


def where(records: list[dict], **fields: object) -> list[dict]:
    """The records whose fields have these values."""
    return [record for record in records if fields.items() <= record.items()]


def of_document(remarks: list[dict], document: str) -> list[dict]:
    """The remarks on a document, with which their ids begin."""
    return [remark for remark in remarks if remark["id"].partition("-")[0] == document]


def naming(records: list[dict], card: str) -> list[dict]:
    """The records that have this card among their metrics."""
    return [record for record in records if card in record["metrics"]]


def called(record: dict) -> set[str]:
    """The functions and properties of the library that the calls of a record name: by them records belong together."""
    call = record.get("call", [])
    calls = [call] if isinstance(call, str) else [*call]
    for definition in record.get("definitions", []):
        calls += [definition["expr"], *definition.get("also", [])]
    names = re.findall(r"(?<![\w.])([a-z]\w*)\(|\.([a-z]\w*)\b(?!\()", " ".join(calls))
    public = {*dir(metrics_lib), *dir(metrics_lib.ConfusionCounts)}
    return {name for pair in names for name in pair if name in public} - GENERAL


def about(records: list[dict], record: dict) -> list[dict]:
    """The records that call what this one calls."""
    names = called(record)
    return [other for other in records if called(other) & names]


def by_letter(terms: list[dict]) -> list[tuple[str, list[dict]]]:
    """Sorted terms by the letter they begin with."""
    return [(letter, list(group)) for letter, group in groupby(terms, lambda term: term["en"][0].upper())]


# Texts


def one_line(text: str) -> str:
    return " ".join(text.split())


def chinese(text: str) -> str:
    """Chinese, marked so that screen readers know how to speak it; some Chinese terms are Latin letters."""
    return f"[{text}]{{.language-zh}}" if HAN.search(text) else text


def interval(text: str) -> str:
    """A range without its remarks."""
    return re.match(r"[\[(].*?, .*?[\])]", text)[0]


def linked(text: str) -> str:
    """A text whose calls lead to the functions and classes in the documentation of the library."""
    return re.sub("`([^`]+)`", lambda code: documented(code[1]), text)


def documented(call: str) -> str:
    name = re.match(r"\w+", call)[0]
    home = metrics_lib if hasattr(metrics_lib, name) else uncertainty
    return f"{{py:obj}}`{call} <{getattr(home, name).__module__}.{name}>`"


def functions(module: str) -> list[tuple[str, str]]:
    """The public names of a module, each with the first line of its docstring."""
    found = import_module(module)
    lines = [(name, inspect.getdoc(getattr(found, name)) or "") for name in found.__all__]
    return [(name, line.splitlines()[0].replace("``", "`")) for name, line in lines]


def attribute(value: object) -> str:
    """A value as JSON in an attribute of HTML, for a script."""
    return escape(json.dumps(value))


# Numbers


def exactly(value: object, digits: int = 6) -> str:
    """A value for the reader: a fraction with its decimals, a decimal rounded."""
    if isinstance(value, list):
        between = " / " if isinstance(value[0], list) else ", " if isinstance(value[0], str) else " "
        return between.join(part if isinstance(part, str) else exactly(part) for part in value)
    if isinstance(value, float):
        return f"{value:.{digits}f}" if math.isfinite(value) else str(value)
    if isinstance(value, int):
        return str(value)
    decimals = f"{float(Fraction(value)):.{digits}f}".rstrip("0")
    return f"{value} {'=' if Fraction(decimals) == Fraction(value) else '≈'} {decimals}"


def variables(values: dict[str, Any], named: bool = True) -> str:
    """Variables with their values, as prose."""
    parts = [f"{name} {written(held)}" if named else written(held) for name, held in values.items()]
    return ("; " if any(isinstance(held, list) for held in values.values()) else ", ").join(parts).replace("_", " ")


def written(held: object) -> str:
    if not isinstance(held, list):
        return str(held)
    return ", ".join(f"({written(part)})" if isinstance(part, list) else str(part) for part in held)


# The steps of a path

WORDS_A_MINUTE = 150  # with a pencil in the hand
MINUTES_A_CELL = 0.5
MINUTES_A_QUESTION = 3  # one to answer aloud, two to compare
MINUTES_AN_EXERCISE = 20


def minutes(step: dict, notebook: dict) -> int:
    """The time that a step of a path takes: a chapter by its words and cells, the rest by the piece."""
    if "exercises" in step:
        return len(step["exercises"]) * MINUTES_AN_EXERCISE
    if "questions" in step:
        time = len(step["questions"]) * MINUTES_A_QUESTION
    else:
        prose = " ".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
        cells = sum(cell["cell_type"] == "code" for cell in notebook["cells"])
        time = len(re.findall(r"[A-Za-z]{2,}", prose)) / WORDS_A_MINUTE + cells * MINUTES_A_CELL
    return max(5, 5 * round(time / 5))


FILTERS = {
    "about": about,
    "attribute": attribute,
    "by_chinese": by_chinese,
    "by_letter": by_letter,
    "chinese": chinese,
    "exactly": exactly,
    "functions": functions,
    "interval": interval,
    "linked": linked,
    "naming": naming,
    "of_document": of_document,
    "one_line": one_line,
    "slug": make_id,
    "variables": variables,
    "where": where,
}
