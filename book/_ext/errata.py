"""Directives that show the faults of the documents, and what the documents get right."""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from records import weighty
from registry import Registry, load, row
from sphinx.application import Sphinx

SEVERITIES = {
    3: ("wrong result", "whoever applies the passage gets a wrong number or a wrong concept"),
    2: ("misleading", "the passage misleads, contradicts another one or lacks a part that is needed"),
    1: ("minor", "a matter of wording, a slip of the pen, a last digit or a special case"),
}
VERDICTS = {
    "wrong": "no reading that we found makes the passage right",
    "ambiguous": "under one reading the passage is right; the entry says under which, and computes it",
    "customary": "the passage does what others do, too; the entry says who",
    "missing": "something is missing in our copy of the document, which may have had it",
}
READINGS = {"ambiguous": "Right under this reading", "customary": "Customary"}
CLASSES = {
    "formula": "a formula is not that of the quantity it is given for",
    "arithmetic": "a number is computed, rounded or added up wrongly",
    "concept": "what is said about a metric does not hold",
    "convention": "a choice is made, or made in two ways, without saying so",
    "notation": "a symbol, an index or a sign is missing, doubled or changed",
    "terminology": "a name is not that of the thing",
    "gap": "something is missing that the reader needs",
}
PAGES = {document: f"errata-{document}" for document in ["000", "001", "002", "003", "004"]}
PAGES["X"] = "errata-between"


ORDERS = """<fieldset class="errata-orders"><legend>In which order?</legend>
<input type="radio" name="order" id="by-weight" checked><label for="by-weight">By weight</label>
<input type="radio" name="order" id="by-verdict"><label for="by-verdict">By verdict</label></fieldset>"""


def faults(document: str | None = None, **fields: object) -> list[dict]:
    """The records of one document, or of all, in which the fields have these values."""
    return [
        record
        for record in load("errata")
        if document in (None, record["id"].partition("-")[0]) and fields.items() <= record.items()
    ]


def ref(text: object, label: str) -> str:
    return f"{{ref}}`{text} <{label.lower()}>`"


def explained(record: dict) -> list[str]:
    """What is printed, what is right and why, a paragraph each."""
    parts = {"Printed": record["printed"], "Right": record["correct"], "Why": record["problem"]}
    if "reading" in record:
        parts[READINGS[record["verdict"]]] = record["reading"]
    parts["Example"] = record["demo"]
    return [line for name, text in parts.items() for line in (f"**{name}:** {text}", "")]


def links(records: list[dict]) -> str:
    """Links to the entries of these faults, which stand on the page of their document."""
    return ", ".join(ref(record["id"], f"entry-{record['id']}") for record in records)


def lines_of(record: dict) -> str:
    lines = record["line"] if isinstance(record["line"], list) else [record["line"]]
    return f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"


def table(*head: str, options: tuple[str, ...] = ()) -> list[str]:
    return ["::::{list-table}", ":header-rows: 1", ":class: fold", *options, "", *row(*head)]


class RightThings(Registry):
    """What a document gets right, as a list; without an argument, what each of them does, as a table."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        records = load("documents")
        if self.arguments:
            record = next(record for record in records if record["document"] == self.arguments[0])
            return self.show("documents", [f"- {right['claim']}" for right in record["right"]])
        lines = table("Document", "What it gets right", options=(":widths: 22 78",))
        for record in records:
            lines += row(f"{{doc}}`{record['title']} </book/{record['folder']}/index>`", "")
            lines += [f"    - {right['claim']}" for right in record["right"]]
        return self.show("documents", [*lines, "::::"])


class Severities(Registry):
    """What the severities mean."""

    def run(self) -> list[nodes.Node]:
        return self.show("errata", [f"- **{level}, {name}:** {text}." for level, (name, text) in SEVERITIES.items()])


class Verdicts(Registry):
    """What the verdicts mean, and how many faults have each."""

    def run(self) -> list[nodes.Node]:
        lines = [f"- **{verdict}** ({count(verdict=verdict)}): {text}." for verdict, text in VERDICTS.items()]
        return self.show("errata", lines)


class Counts(Registry):
    """How many faults each document has, by severity or by class; each number leads to them."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        lines = self.by_severity() if self.arguments[0] == "severity" else self.by_class()
        return self.show("errata", [*lines, "::::"])

    def by_severity(self) -> list[str]:
        head = [f"{level}, {name}" for level, (name, _) in SEVERITIES.items()]
        lines = table("Document", *head, "all", options=(":stub-columns: 1",))
        for document, page in PAGES.items():
            counts = [count(document, f"{page}-severity-{level}", severity=level) for level in SEVERITIES]
            lines += row(ref("between the documents" if document == "X" else document, page), *counts, count(document))
        return lines + row("all", *(count(severity=level) for level in SEVERITIES), count())

    def by_class(self) -> list[str]:
        head = ["between" if document == "X" else document for document in PAGES]
        lines = table("Class", "What is wrong", *head, "all", options=(":stub-columns: 1",))
        for kind, meaning in CLASSES.items():
            counts = [count(document, f"{page}-{kind}", **{"class": kind}) for document, page in PAGES.items()]
            lines += row(kind, meaning, *counts, count(**{"class": kind}))
        return lines


def count(document: str | None = None, label: str | None = None, **fields: object) -> str:
    """The number of these faults, as a link to them if there are any and a label is given."""
    number = len(faults(document, **fields))
    return ref(number, label) if label and number else str(number)


class Index(Registry):
    """A line for each fault of a document (``X``: between documents), by weight or by verdict; then by class.

    The heaviest come first; the style sheet orders them by verdict if the reader wants.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        document = self.arguments[0]
        records = sorted(faults(document), key=lambda record: -record["severity"])
        lines = [":::::{container} errata-lines"]
        for record in records:
            level = record["severity"]
            graded = f"*{level}, {SEVERITIES[level][0]}; {record['verdict']}*"
            lines += [
                f"::::{{container}} {record['verdict']}",
                f"{links([record])} {record['change']} {graded}",
                "::::",
            ]
        lines += [":::::", "", "**By class:**", ""]
        for kind in CLASSES:
            if chosen := faults(document, **{"class": kind}):
                lines += [f"- ({PAGES[document]}-{kind})=", f"  {kind}: {links(chosen)}"]
        return [nodes.raw("", ORDERS, format="html"), *self.show("errata", lines)]


class Chosen(Registry):
    """The faults that are named, one in a line with those that repeat it, each with its correction and an example."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        known = {record["id"]: record for record in load("errata")}
        head = ("No.", "What to change in your notes", "What it changes", "Where")
        lines = table(*head, options=(":widths: 6 36 36 22",))
        for number, line in enumerate(self.content, start=1):
            first, *others = (known[name] for name in line.split())
            also = f"; also {', '.join(ref(r['id'], 'erratum-' + r['id']) for r in others)}" if others else ""
            where = f"{ref(first['id'], 'erratum-' + first['id'])}, {first['section']}{also}"
            lines += row(str(number), f"**{first['change']}**", first["demo"], where)
        return self.show("errata", [*lines, "::::"])


class Erratum(Registry):
    """The box of a fault, folded to the line that corrects it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        record = self.named("errata")
        level = record["severity"]
        graded = f"**Verdict:** {record['verdict']}; severity {level}, {SEVERITIES[level][0]}; {links([record])}"
        head = [
            f"{{admonition}} {record['change']}",
            ":class: erratum dropdown",
            f":name: erratum-{record['id'].lower()}",
        ]
        return self.show("errata", [f":::::{head[0]}", *head[1:], "", *explained(record), graded, ":::::"])


class SmallPoints(Registry):
    """The faults of the page's chapter that change no number, folded, as one table."""

    def run(self) -> list[nodes.Node]:
        home = self.env.docname.removeprefix("book/")
        records = [record for record in load("errata") if record["home"] == home and not weighty(record)]
        kinds = sorted({record["class"] for record in records}, key=list(CLASSES).index)
        title = f"{len(records)} small point{'s' * (len(records) > 1)}: {', '.join(kinds)}"
        lines = [f":::::{{admonition}} {title}", ":class: erratum dropdown", ""]
        lines += table("Fault", "Printed", "What to change", options=(":widths: 22 33 45",))
        for record in records:
            lines += [
                f"* - (erratum-{record['id'].lower()})=",
                f"    {links([record])}",
                "",
                f"    {record['section']}",
            ]
            lines += [f"  - {record['printed']}", f"  - {record['change']}"]
        return self.show("errata", [*lines, "::::", ":::::"])


class Errata(Registry):
    """The faults of one document (``X``: between documents) of one severity, in full.

    Without a severity, all in short, the heavier ones first.
    """

    required_arguments = 1
    option_spec: ClassVar = {"severity": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        document, level = self.arguments[0], self.options.get("severity")
        lines = self.in_full(faults(document, severity=level)) if level else self.in_short(document)
        return self.show("errata", lines)

    def in_full(self, records: list[dict]) -> list[str]:
        lines = table("Fault", "Correction", options=(":widths: 22 78",))
        for record in records:
            lines += [f"* - (entry-{record['id'].lower()})="]
            lines += [f"    {ref(record['id'], 'erratum-' + record['id'])}, {lines_of(record)}", ""]
            lines += [f"    {record['section']}; {record['class']}; {record['verdict']}"]
            first, *others = explained(record)
            lines += [f"  - {first}", *(f"    {line}".rstrip() for line in others)]
        return [*lines, "::::"]

    def in_short(self, document: str) -> list[str]:
        whole = ref(f"Errata of document {document}", PAGES[document])
        lines = [f"{count(document)} faults are known; {whole} gives line, reason and example of each.", ""]
        for level, (name, _) in SEVERITIES.items():
            records = faults(document, severity=level)
            shown = [f"- {ref(record['id'], 'erratum-' + record['id'])}: {record['change']}" for record in records]
            if level > 1:
                lines += [f"**Severity {level}, {name}** ({len(records)})", "", *shown, ""]
            else:
                lines += [f"::::{{admonition}} Severity {level}, {name} ({len(records)})", ":class: erratum dropdown"]
                lines += ["", *shown, "::::"]
        return lines


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("right-things", RightThings)
    app.add_directive("errata-severities", Severities)
    app.add_directive("errata-verdicts", Verdicts)
    app.add_directive("errata-counts", Counts)
    app.add_directive("errata-index", Index)
    app.add_directive("errata-chosen", Chosen)
    app.add_directive("errata", Errata)
    app.add_directive("erratum", Erratum)
    app.add_directive("small-points", SmallPoints)
    return {"parallel_read_safe": True}
