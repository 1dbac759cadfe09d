"""The records of ``book/data``, their texts filled with the numbers that stand in each record.

A text does not repeat a number, it names one: ``<<recall:2>>`` is the number ``recall`` of the record to two digits.
"""

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import yaml

DATA = Path(__file__).parents[1] / "data"
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
def unfilled(name: str) -> Any:
    """The records as they are written."""
    parts = [yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader) for path in files(name)]
    return parts[0] if len(parts) == 1 else [record for part in parts for record in part]


@cache
def load(name: str) -> Any:
    """The records with the numbers in their texts; nobody changes them."""
    return filled(unfilled(name), {}, name)


def filled(part: Any, numbers: dict[str, Any], place: str) -> Any:
    """A part of a registry with its texts filled; its own ``numbers`` come before those around it."""
    if isinstance(part, str):
        return SLOT.sub(lambda slot: in_place(slot, numbers, place), part)
    if isinstance(part, list):
        return [filled(item, numbers, place) for item in part]
    if not isinstance(part, dict):
        return part
    place = f"{place} {part['id']}" if "id" in part else place
    own = part.get("numbers") or {}
    numbers = numbers | {name: number["value"] for name, number in own.items()}
    return {key: item if key == "numbers" else filled(item, numbers, f"{place} {key}") for key, item in part.items()}


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
