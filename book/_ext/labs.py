"""The directive ``lab``: the start of a lab as tables, which its script, loaded on such a page alone, makes live.

``{lab} threshold`` starts with the first example of the lab, ``:start: constant`` with the one of that id.
"""

import json
import math
from collections.abc import Callable, Iterator
from itertools import zip_longest

from docutils import nodes
from docutils.parsers.rst import directives
from lab_values import DOCUMENTS, END, VALUES, read, scored
from record_pages import Records
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator


class lab(nodes.General, nodes.Element):  # noqa: N801
    """A lab; for whoever knows no labs, its tables."""


def shown(value: float, words: dict[str, str]) -> str:
    return words["undefined"] if math.isnan(value) else f"{value:.4f}"


def table(caption: str, *rows: list[str]) -> Iterator[str]:
    """A table below its name: a caption would take part in the numbering of the page's tables."""
    yield from [f"**{caption}**", "", "::::{list-table}", ":header-rows: 1", ":stub-columns: 1", ""]
    for first, *others in rows:
        yield f"* - {first}"
        yield from (f"  - {cell}" for cell in others)
    yield from ["::::", ""]


def classes(letters: str, shown: Callable[[int], str]) -> list[str]:
    """The scores of the positives and those of the negatives, from the top."""
    y_true, y_score = scored(letters)
    return [", ".join(map(shown, sorted(y_score[y_true == label].tolist(), reverse=True))) for label in (1, 0)]


def threshold(words: dict, before: str, now: str) -> Iterator[str]:
    letters, cut, weight, _ = read("threshold", now)
    values = VALUES["threshold"](now)

    def tenths(score: int) -> str:
        return f"{score / 10:.1f}"

    positives, negatives = classes(letters, tenths)
    return table(
        words["scores"].format(cut=tenths(int(cut)), weight=weight),
        [words["class"], words["score_list"], words["called_negative"], words["called_positive"]],
        [words["is_positive"], positives, str(values["fn"]), str(values["tp"])],
        [words["is_negative"], negatives, str(values["tn"]), str(values["fp"])],
    )


def groups(words: dict, before: str, now: str) -> Iterator[str]:
    *users, own = read("groups", now)
    return table(
        words["scores"],
        [words["head"], words["clicked"], words["not_clicked"], words["static_weight"]],
        *(
            [words["user"].format(name=name), *classes(letters, str), weight]
            for name, letters, weight in zip("ABC", users, own, strict=True)
        ),
    )


def averaging(words: dict, before: str, now: str) -> Iterator[str]:
    return table(
        words["matrix"],
        [words["class"], *(words["called"].format(name=name) for name in "ABC")],
        *(
            [words["actual"].format(name=name), *counts.split("-")]
            for name, counts in zip("ABC", read("averaging", now), strict=True)
        ),
    )


def ranked_list(words: dict, before: str, now: str) -> Iterator[str]:
    (one, grades, k, gain, denominator, pool, _), (other, *_) = (read("ranked-list", text) for text in (before, now))
    grade = dict(zip(DOCUMENTS, grades, strict=False))

    def named(documents: str) -> list[str]:
        return [f"{name} ({grade[name]})" for name in documents]

    (returned, left), (others, left_by_other) = ([named(part) for part in order.split(END)] for order in (one, other))
    ranks = zip_longest(returned, others, fillvalue=words["none"])
    return table(
        words["documents"].format(
            k=k,
            gain=words["gain"][gain],
            denominator=words["denominator"][denominator],
            pool=words["pool"][pool],
        ),
        [words["rank"], words["before"], words["now"]],
        *([str(rank), *both] for rank, both in enumerate(ranks, 1)),
        [words["end"], *(", ".join(names) or words["none"] for names in (left, left_by_other))],
    )


def bootstrap(words: dict, before: str, now: str) -> Iterator[str]:
    a, b, old_n, size, *old = read("bootstrap", before)
    _, _, n, _, *new = read("bootstrap", now)
    values, rows = VALUES["bootstrap"](now), range(max(int(old_n), int(n)))

    def setting(n: str, unit: str, how: str, seed: str, draws: str) -> str:
        said = {"unit": words["unit"][unit], "how": words["how"][how]}
        return words["setting"].format(n=n, **said, seed=seed, draws=f"{int(draws):,}")

    def listed(digits: str) -> str:
        users = [rows[at : at + int(size)] for at in rows[:: int(size)]]
        return ("; " if size != "1" else ", ").join(
            ", ".join(f"{int(digits[2 * row : 2 * row + 2]) / 100:.2f}" for row in user) for user in users
        )

    def own(name: str) -> str:
        low, high = (shown(end, words) for end in values[name])
        return words["range"].format(low=low, high=high)

    yield from table(
        words["scores"],
        [words["system"], words["value_list"], words["own_mean"]],
        ["A", listed(a), own("a")],
        ["B", listed(b), own("b")],
    )
    yield from [words["settings"].format(before=setting(old_n, *old), now=setting(n, *new)), ""]


STATES = {
    "threshold": threshold,
    "groups": groups,
    "averaging": averaging,
    "ranked-list": ranked_list,
    "bootstrap": bootstrap,
}


NEEDED = {"threshold": ["dots"], "groups": ["dots"]}  # scripts that the script of a lab needs, beside labs.js


class Lab(Records):
    """A lab with the example it starts with."""

    required_arguments = 1
    option_spec = {"start": directives.unchanged}  # noqa: RUF012

    def shown(self) -> list[nodes.Node]:
        (name,), labs = self.arguments, {record["id"]: record for record in self.load("labs")}
        record = self.one_of(labs, name, "lab")
        presets = {preset["id"]: preset for preset in record["presets"]}
        preset = self.one_of(presets, self.options.get("start", next(iter(presets))), "example")
        name = f"lab-{name}"
        if name in self.state.document.ids:
            raise self.error(f"the lab {record['id']} stands on this page already")
        title = nodes.paragraph("", "", nodes.strong("", record["title"]), classes=["lab-title"])
        taught = record.get("taught", {}).get(self.env.docname.removeprefix("book/"), [])
        for row in taught:
            self.one_of(record["rows"], row, "row")
        node = lab("", title, *self.parsed(lines(record, preset)), ids=[name], record=record, preset=preset)
        node["taught"] = " ".join(taught)
        self.state.document.ids[name] = node
        self.set_source_info(node)
        return [node]

    def one_of(self, known: dict[str, dict], name: str, what: str) -> dict:
        if name not in known:
            raise self.error(f"no {what} is called {name!r}, expected one of {', '.join(known)}")
        return known[name]


def lines(record: dict, preset: dict) -> Iterator[str]:
    """The states of an example in a table, its values before and now in another, and what all examples show."""
    words = record["common"] | record["words"]
    before, now = preset["state"].split("~")
    old, new = VALUES[record["id"]](before), VALUES[record["id"]](now)
    yield from STATES[record["id"]](words, before, now)
    rows = [[head, shown(old[name], words), shown(new[name], words)] for name, head in record["rows"].items()]
    yield from table(words["comparison"], [words["metric"], words["before"], words["now"]], *rows)
    yield from [words["examples"], ""]
    yield from (f"- *{example['title']}.* {example['note']}" for example in record["presets"])


def visit(writer: HTML5Translator, node: lab) -> None:
    """What the script reads, each as it is written in the registry."""
    record = node["record"]
    data = {
        "state": node["preset"]["state"],
        "words": record["common"] | record["words"],
        "rows": record["rows"],
        "presets": [{name: preset[name] for name in ("state", "title", "note")} for preset in record["presets"]],
    }
    data |= {"shown": node["taught"]} if node["taught"] else {}
    texts = {f"data-{name}": held if isinstance(held, str) else json.dumps(held) for name, held in data.items()}
    writer.body.append(writer.starttag(node, "section", CLASS="lab", **{"aria-label": record["title"]}, **texts))


def depart(writer: HTML5Translator, node: lab) -> None:
    writer.body.append("</section>\n")


def load_scripts(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    names = [node["record"]["id"] for node in doctree.findall(lab)] if doctree else []
    if names:
        scripts = ["labs", *(part for name in names for part in (*NEEDED.get(name, []), name))]
        app.add_js_file("elements.js", loading_method="defer")
        for script in dict.fromkeys(scripts):
            app.add_js_file(f"labs/{script}.js", loading_method="defer")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(lab, html=(visit, depart))
    app.add_directive("lab", Lab)
    app.connect("html-page-context", load_scripts)
    app.add_css_file("labs/labs.css")  # of each page, as the one sheet is made anew from those that a build writes
    return {"parallel_read_safe": True, "parallel_write_safe": True}
