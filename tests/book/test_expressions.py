"""Ruff reads the expressions of the registries as it reads all Python: a record is a function of its given names."""

import ast
import builtins
import subprocess
import sys

import yaml

from tests.registries import NAMES, ROOT

DATA = ROOT / "book" / "data"
# What finds mistakes: names that nobody gives, loops that shadow one another. The functions have one name, and a lambda
# in an expression is called at once; what zip pairs is in sight.
RULES = ["--select", "F,B", "--ignore", "B023,B905,F811,F841"]


def expressions(part):
    """The expressions at any depth, but for the numbers."""
    if isinstance(part, list):
        for item in part:
            yield from expressions(item)
    elif isinstance(part, dict):
        yield from [part["expr"], *part.get("also", [])] if isinstance(part.get("expr"), str) else []
        for key, item in part.items():
            yield from expressions(item) if key != "numbers" else []


def given(record):
    """The names that a record's expressions are given: by a reader, by the systems that it compares, by its numbers."""
    filled = ast.walk(ast.parse(f"{record.get('stub', '')}\n{record.get('solution', '')}"))
    names = {node.id for node in filled if isinstance(node, ast.Name)}
    names |= {node.name for node in ast.walk(ast.parse(record.get("stub", ""))) if isinstance(node, ast.FunctionDef)}
    if "verdict" in record and isinstance(record.get("a"), dict):
        names |= {*record["both"], *record["a"], "A", "B", "metrics"}
    names |= {name for name, number in (record.get("numbers") or {}).items() if not isinstance(number, str)}
    return sorted(names - {*dir(builtins)})


def functions():
    for path in sorted(DATA.rglob("*.yml")):
        records = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        records = records["choices"] if path.stem == "choosing" else records
        for record in records if isinstance(records, list) else []:
            numbers = record.get("numbers") or {}
            lines = [f"{name} = {number}" for name, number in numbers.items() if isinstance(number, str)]
            lines += [f"_ = {expression}" for expression in expressions(record)]
            if lines:
                body = "".join(f"    {line}  # {path.stem} {record.get('id', '-')}\n" for line in lines)
                yield f"def read({', '.join(given(record))}):\n{body}"


def test_ruff_finds_nothing_in_the_expressions(tmp_path):
    known = "\n".join(f"{name} = NAMES[{name!r}]" for name in NAMES)
    text = "\n\n".join(["from tests.registries import NAMES", known, *functions()])
    (tmp_path / "expressions.py").write_text(text, encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", *RULES]
    found = subprocess.run([*ruff, tmp_path], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
