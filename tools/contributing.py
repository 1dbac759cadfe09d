"""Write the pages for contributors that follow from the checks: the rules of notebooks and the fields of records.

``python -m tools.contributing`` writes them; with ``--check`` it writes nothing, and its exit says if it would.
"""

import re
import sys
from collections.abc import Iterator

from book._ext.records import meaning, schemas
from tests.book import rules
from tests.registries import ROOT

BINDS = {
    "notebooks": "Every notebook",
    "documents and lessons": "Lessons and chapters on documents",
    "lessons": "Lessons",
    "documents": "Chapters on documents",
}


def rules_page() -> Iterator[str]:
    """What each rule asks, what a reader would lose without it, and what to do."""
    yield from ["# The rules of notebooks", "", made_from("rules.py"), ""]
    yield from ["A message names the notebook, the cell, counted from 1, what is wrong there and what to do.", ""]
    for of, title in BINDS.items():
        yield from [f"## {title}", ""]
        for check in [check for check, bound in rules.RULES.values() if bound == of]:
            what, without, how = map(as_code, rules.parts(check))
            yield from [f"- **{what}**", f"  {without}", f"  {how}"]
        yield ""


def as_code(text: str) -> str:
    """Double backticks as Markdown needs them."""
    return re.sub(r"``(?=\S)(.+?)``", lambda code: f"`` {code[1]} ``" if "`" in code[1] else f"`{code[1]}`", text)


def fields_page() -> Iterator[str]:
    """The fields of each registry in their order, and what is expected in them."""
    yield from ["# The fields of the registries", "", made_from("schema.yml"), ""]
    yield from ["The fields that are not optional stand in a record in the order in which they stand here.", ""]
    for name, schema in schemas().items():
        records = record_of(name, schema)
        if records:
            required = records.get("required", [])
            yield from [f"## `{name}`", "", "| field | expected |", "|---|---|"]
            for field in [*required, *(field for field in records["properties"] if field not in required)]:
                wanted = records["properties"][field]
                left = ", which we fill in" if "default" in wanted else ""
                optional = "" if field in required else f" (optional{left})"
                yield f"| `{field}`{optional} | {meaning(wanted)} |"
            yield ""


def record_of(name: str, schema: dict) -> dict | None:
    """The schema of the records of a registry; those of the guide to metrics are a part of their file."""
    if name == "choosing":
        return schema["properties"]["choices"]["items"]
    return schema.get("items") or schema.get("additionalProperties") or None


def made_from(source: str) -> str:
    return f"<!-- Made from {source} by `make contributing`; change it there. -->"


PAGES = {ROOT / "tests" / "book" / "RULES.md": rules_page, ROOT / "book" / "data" / "FIELDS.md": fields_page}


def main(arguments: list[str]) -> int:
    texts = {path: "\n".join(page()).rstrip() + "\n" for path, page in PAGES.items()}
    if "--check" in arguments:
        return int(any(path.read_text(encoding="utf-8") != text for path, text in texts.items()))
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
