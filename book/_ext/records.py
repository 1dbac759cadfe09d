"""The records of ``book/data``, their texts filled with the numbers that stand in each record.

A text does not repeat a number, it names one: ``<<recall:2>>`` is the number ``recall`` of the record to two digits.
What each record must have is in ``schema.yml``; ``all_faults`` checks it before anybody shows or tests a record.
"""

import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from jsonschema import Draft202012Validator, ValidationError, validators

if TYPE_CHECKING:  # whoever reads records needs no Sphinx
    from sphinx.application import Sphinx

DATA = Path(__file__).parents[1] / "data"
VALUES = DATA / "values.json"  # what the numbers of the records evaluate to, made by tools/values.py
SLOT = re.compile(r"<<(\w+)((?:\[-?\d+\])*)(?::([^<>]+))?>>")
WORDS = """zero one two three four five six seven eight nine ten eleven twelve
    thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty""".split()  # noqa: SIM905
PARTS = {2: "half", 3: "third", 4: "quarter"} | dict(
    zip(range(5, 13), ["fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"], strict=True)
)


def files(name: str) -> list[Path]:
    """The file of a registry, or the files of its folder in order."""
    folder = DATA / name
    return sorted(folder.glob("*.yml")) if folder.is_dir() else [DATA / f"{name}.yml"]


@cache
def written(name: str) -> Any:
    """The records as they are written."""
    parts = [read(path) for path in files(name)]
    return parts[0] if len(parts) == 1 else [record for part in parts for record in part]


@cache
def unfilled(name: str) -> Any:
    """The records, their texts with slots; what a contribution left out is empty."""
    empty = left_to_us(name)
    return [empty | record for record in written(name)] if empty else written(name)


def left_to_us(name: str) -> dict[str, Any]:
    """The fields that a contribution may leave out, with what stands for them until we fill them in."""
    fields = schemas()[name].get("items", {}).get("properties", {})
    return {field: schema["default"] for field, schema in fields.items() if "default" in schema}


def contributions(name: str) -> dict[str, list[str]]:
    """The ids of the records in which such fields are still missing, and these."""
    missing = {record["id"]: [field for field in left_to_us(name) if field not in record] for record in written(name)}
    return {record: fields for record, fields in missing.items() if fields}


@cache
def read(path: Path) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else "?"
        raise ValueError(f"{shown_path(path)}: line {line} is not YAML: {error.problem}") from None


@cache
def load(name: str) -> Any:
    """The records with their numbers, as values, and with these in their texts; nobody changes them."""
    return filled(unfilled(name), {}, name)


@cache
def values() -> dict[str, dict[str, dict[str, Any]]]:
    """What the expressions of the records evaluate to: by registry, record and name."""
    return json.loads(VALUES.read_text(encoding="utf-8"))


def with_numbers(part: Any) -> Iterator[dict[str, Any]]:
    """The records with numbers in a part of a registry, at any depth."""
    if isinstance(part, dict) and part.get("numbers"):
        yield part
    for item in part if isinstance(part, list) else part.values() if isinstance(part, dict) else []:
        yield from with_numbers(item)


def weighty(record: dict[str, Any]) -> bool:
    """Whether a remark has a box of its own: it gives a wrong result, or misleads and changes a number."""
    severity = record.get("severity", 1)
    return severity == 3 or (severity == 2 and bool(record.get("numbers")))


# What a record must have


@cache
def schemas() -> dict[str, Any]:
    """The schema of each registry by its name, and the parts that they share under ``$defs``."""
    return read(DATA / "schema.yml")


def words(validator: Any, limits: list[int], text: Any, schema: dict[str, Any]) -> Iterator[ValidationError]:
    """Our own keyword of a schema: at least so many words, or from so many to so many."""
    if isinstance(text, str) and not limits[0] <= (count := len(text.split())) <= (limits[1:] or [count])[0]:
        yield ValidationError(f"has {count} words")


Validator = validators.extend(Draft202012Validator, {"words": words})


def faults(name: str, part: Any, path: Path) -> Iterator[str]:
    """What a file of a registry lacks, a line each: ``book/data/cards.yml: ndcg: related is missing, expected ...``."""
    schema = schemas()[name]
    for error in Validator(schema | {"$defs": schemas()["$defs"]}).iter_errors(part):
        where = list(error.absolute_path)
        for field, problem, wanted in problems(error, schema):
            record, rest = named(part, [*where, *field], schema["named"])
            yield f"{shown_path(path)}: {record}: {rest} {problem}, expected {wanted}"
    order = schema.get("items", {}).get("required", [])
    for number, record in enumerate(part if isinstance(part, list) else []):
        if isinstance(record, dict) and set(order) <= set(record) and [key for key in record if key in order] != order:
            called, _ = named(part, [number], schema["named"])
            yield f"{shown_path(path)}: {called}: its fields are in another order, expected {', '.join(order)}"


def all_faults() -> list[str]:
    """What all registries lack, a line each."""
    found = []
    for name in schemas().keys() - {"$defs"}:
        try:
            wrong = [fault for path in files(name) for fault in faults(name, read(path), path)]
            found += wrong
            if not wrong:
                load(name)  # whose slots may name what is not there
        except ValueError as error:
            found += str(error).splitlines()
    return sorted(found)


def problems(error: ValidationError, whole: dict[str, Any]) -> Iterator[tuple[list[str], str, str]]:
    """The field below the place of an error, what is the matter with it, and what was expected."""
    known = error.schema.get("properties", {})
    if error.validator in ("required", "dependentRequired"):
        field = next(name for name in known if error.message.startswith(f"{name!r} is a "))
        yield [field], "is missing", meaning(known[field])
    elif error.validator == "additionalProperties":
        for field in [name for name in error.instance if name not in known]:
            yield [field], "is not a field of it", ", ".join(known)
    else:
        what = error.message if error.validator == "words" else f"is {shortened(error.instance)}"
        yield [], what, meaning(place(whole, list(error.absolute_schema_path)[:-1]))


def place(schema: dict[str, Any], path: list[Any]) -> dict[str, Any]:
    """The part of a schema where an error is."""
    for step in path:
        if step != "$ref":
            schema = full(schema)[step]
    return schema


def full(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with what it refers to; it may describe that in words of its own."""
    if "$ref" not in schema:
        return schema
    own = {name: value for name, value in schema.items() if name != "$ref"}
    return full(schemas()["$defs"][schema["$ref"].rpartition("/")[2]]) | own


def meaning(schema: dict[str, Any]) -> str:
    """What a schema expects, in words."""
    return full(schema).get("description") or full(schema).get("type", "something else")


def shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def named(part: Any, where: list[Any], names: list[str]) -> tuple[str, str]:
    """What the record at a place calls itself, and the place within the record."""
    record, rest = "the file", where
    for depth, key in enumerate(where):
        part = part[key] if isinstance(part, dict | list) and (isinstance(part, list) or key in part) else None
        if isinstance(key, int) and record == "the file":
            own = [str(part[name]) for name in names if isinstance(part, dict) and name in part]
            record, rest = ", ".join(own) or f"record {key + 1}", where[depth + 1 :]
    return record, " ".join(f"{key + 1}" if isinstance(key, int) else f"'{key}'" for key in rest) or "it"


def shown_path(path: Path) -> str:
    return path.relative_to(DATA.parents[1]).as_posix() if path.is_relative_to(DATA.parents[1]) else path.name


# Numbers in texts


def filled(part: Any, numbers: dict[str, Any], place: str) -> Any:
    """A part of a registry with its texts filled; its own ``numbers`` come before those around it."""
    if isinstance(part, str):
        return SLOT.sub(lambda slot: in_place(slot, numbers, place), part)
    if isinstance(part, list):
        return [filled(item, numbers, place) for item in part]
    if not isinstance(part, dict):
        return part
    place = f"{place} {part['id']}" if "id" in part else place
    own = valued(part, place)
    return {
        key: own if key == "numbers" else filled(item, numbers | own, f"{place} {key}") for key, item in part.items()
    }


def valued(record: dict[str, Any], place: str) -> dict[str, Any]:
    """The numbers of a record as values: those that are given, and those that its expressions evaluate to."""
    numbers = record.get("numbers") or {}
    known = values().get(place.partition(" ")[0], {}).get(record.get("id"), {})
    lacking = [name for name, number in numbers.items() if isinstance(number, str) and name not in known]
    if lacking:
        raise ValueError(f"{place}: {', '.join(lacking)} has no value yet; run make values")
    return {name: known[name] if isinstance(number, str) else number for name, number in numbers.items()}


def in_place(slot: re.Match[str], numbers: dict[str, Any], place: str) -> str:
    name, indices, form = slot.groups()
    try:
        value = numbers[name]
        for index in re.findall(r"-?\d+", indices):
            value = value[int(index)]
        return shown(value, form or "")
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{place}: {slot[0]} cannot be filled ({type(error).__name__}: {error})") from error


def shown(value: Any, form: str) -> str:
    """A number as a text shows it.

    Without a form as it is written, thousands apart. ``3``: to three digits. ``%``, ``1%``: in percent. ``+``: with its
    sign, before either. ``raw``: without marks between thousands. ``tex``: a fraction in LaTeX. ``word``, ``Word``: in
    words. ``list``: a list, each in the form that follows (``list 2``).
    """
    if isinstance(value, list):
        if not form.startswith("list"):
            raise ValueError("a list needs an index or the form list")
        return ", ".join(shown(item, form.removeprefix("list").strip()) for item in value)
    if form in ("word", "Word"):
        words = in_words(Fraction(value))
        return words.capitalize() if form == "Word" else words
    if form == "tex":
        part = Fraction(value)
        return rf"{'-' * (part < 0)}\frac{{{abs(part.numerator)}}}{{{part.denominator}}}"
    if form == "raw":
        return str(value)
    known = re.fullmatch(r"(\+?)(\d*)(%?)", form)
    if known is None:
        raise ValueError(f"no form {form!r}")
    sign, digits, percent = known.groups()
    if not form:
        if isinstance(value, float):
            raise ValueError("a decimal needs a number of digits")
        return f"{value:,}" if isinstance(value, int) else value
    text = rounded(Fraction(value) * (100 if percent else 1), int(digits or 0))
    return ("+" if sign and Fraction(value) > 0 else "") + text + (" %" if percent else "")


def rounded(value: Fraction, digits: int) -> str:
    """To so many digits, a half away from zero, thousands apart."""
    units = int(abs(value) * 10**digits + Fraction(1, 2))
    whole, rest = divmod(units, 10**digits)
    return ("-" if value < 0 and units else "") + f"{whole:,}" + (f".{rest:0{digits}d}" if digits else "")


def in_words(value: Fraction) -> str:
    if value.denominator == 1:
        return WORDS[value.numerator]
    part = PARTS[value.denominator]
    return f"{WORDS[value.numerator]} {part}{'s' * (value.numerator > 1)}"


# When the book is built


def check_all(app: "Sphinx") -> None:
    """Stop before the first page with a line for each fault."""
    if found := all_faults():
        sys.exit("\n".join(found))  # an exception would be followed by its way through Jupyter Book


def setup(app: "Sphinx") -> dict[str, bool]:
    app.connect("builder-inited", check_all)
    return {"parallel_read_safe": True}
