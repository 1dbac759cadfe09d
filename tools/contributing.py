"""Write what ``CONTRIBUTING.md`` says of the rules of notebooks and of the fields of records from the rules themselves.

``python -m tools.contributing`` writes it; with ``--check`` nothing is written, and the exit says if it is out of date.
"""

import inspect
import re
import sys
from pathlib import Path

from book._ext.records import meaning, schemas
from tests.book import style

GUIDE = Path(__file__).resolve().parents[1] / "CONTRIBUTING.md"
GROUPS = {
    "NB1": "The skeleton",
    "NB2": "Cards, questions and exercises, in lessons and chapters",
    "NB3": "Prose",
    "NB4": "Code",
    "NB5": "Figures and outputs",
    "NB6": "What holds words and numbers",
    "NB7": "What a lesson offers (NB710 binds chapters, too)",
    "NB8": "What a chapter of a document offers",
}


def rules() -> str:
    """A list of the rules of each group: what it asks, why, and how to keep it."""
    lines = []
    for prefix, title in GROUPS.items():
        lines += [f"#### {title}", ""]
        for name, rule in style.RULES.items():
            if name.startswith(prefix):
                what, why, how = (" ".join(part.split()) for part in inspect.getdoc(rule).split("\n\n"))
                lines += [f"- **{name}.** {what}", f"  *{why[:4]}* {why[5:]}", f"  *{how[:4]}* {how[5:]}"]
        lines.append("")
    return re.sub(r"``(?=\S)(.+?)``", code, "\n".join(lines))


def code(match: re.Match[str]) -> str:
    return f"`` {match[1]} ``" if "`" in match[1] else f"`{match[1]}`"


def fields() -> str:
    """A table of the fields of each registry and of what is expected in them."""
    lines = []
    for name, schema in schemas().items():
        for title, records in registries(name, schema):
            lines += [f"#### `{title}`", "", "| field | expected |", "|---|---|"]
            for field, wanted in records["properties"].items():
                optional = "" if field in records.get("required", []) else " (optional)"
                lines.append(f"| `{field}`{optional} | {meaning(wanted)} |".replace("\\|", "|"))
            lines.append("")
    return "\n".join(lines)


def registries(name: str, schema: dict) -> list[tuple[str, dict]]:
    """The records of a registry, by the name of its file or folder; those of the guide are a part of their file."""
    if name == "$defs":
        return []
    if name == "figures":
        return [(name, schema["additionalProperties"])]
    if schema["type"] == "array":
        return [(name, schema["items"])]
    return [("choosing, choices", schema["properties"]["choices"]["items"])]


def written(guide: str) -> str:
    """The guide with its two made parts made anew."""
    for name, text in {"rules": rules(), "fields": fields()}.items():
        head, mark, rest = guide.partition(f"<!-- {name}:")
        instruction, _, rest = rest.partition("\n")
        guide = f"{head}{mark}{instruction}\n\n{text}\n{rest[rest.index('<!-- end -->') :]}"
    return guide


def main(arguments: list[str]) -> int:
    before = GUIDE.read_text(encoding="utf-8")
    after = written(before)
    if "--check" not in arguments:
        GUIDE.write_text(after, encoding="utf-8")
        return 0
    return int(before != after)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
