"""Directives that let a reader write Python: the exercises of `metrics_book.practice`, and what a lesson asks.

A block is a stub with blanks and the Python that checks what was made of it; both are text, and the page can be read
without a script. With one, ``python_in_page`` makes an editor of the stub. In the notebook for readers both are cells.
"""

import ast
import re
from collections.abc import Iterator
from html import escape

from docutils import nodes
from record_filters import chinese
from record_pages import Records
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.writers.html5 import HTML5Translator
from sphinx_exercise.nodes import solution_node

from metrics_book import practice

SOLUTION = "practice-solution"  # what a block offers when it is passed


class practice_block(nodes.General, nodes.Element):  # noqa: N801
    """A stub to complete; the node has the name of its tag."""


# The exercises of the library


def cell_of(name: str) -> str:
    """The check of an exercise in a notebook, where the report is printed and kept."""
    return f'report = check("{name}", {practice.exercise(name).answer})'


def check_of(name: str) -> str:
    """The check of an exercise in the page, where help is below; what comes after the line is folded."""
    return f"""\
from contextlib import redirect_stdout
from io import StringIO
from metrics_book.practice import check
with redirect_stdout(StringIO()):
    {cell_of(name)}
print(report.body)
print("----")
print(report.details)
passed = report.passed"""


def folded(title: str, kind: str, lines: list[str]) -> Iterator[str]:
    yield from [f"::::::{{admonition}} {title}", f":class: dropdown {kind}", "", *lines, "::::::", ""]


class PracticeExercise(Records):
    """An exercise of the library: the task, the stub, three hints, and solutions with what to say about them."""

    required_arguments = 1
    has_content = True

    def shown(self) -> list[nodes.Node]:
        (name,) = self.arguments
        if name not in practice.exercises():
            raise self.error(f"no exercise is called {name!r}, expected one of {', '.join(practice.exercises())}")
        texts = {
            "stub": practice.exercise(name).stub,
            "check": check_of(name),
            "cell": cell_of(name),
            "run": "Run the tests",
        }
        block = practice_block("", id=name.replace("_", "-"), hidden=False, **texts)
        return [*self.parsed(task(name)), block, *self.parsed(self.help(name))]

    def help(self, name: str) -> Iterator[str]:
        for number, hint in enumerate(practice.exercise(name).hints, start=1):
            yield from folded(f"Hint {number}", "practice-hint", [hint])
        approaches = "\n\n".join(map(str, practice.approaches(name))).splitlines()
        yield from folded("Solutions, with their cost", SOLUTION, [*approaches, "", *self.content])


def task(name: str) -> list[str]:
    """The task without the signature, which a stub in Python has, and with its Chinese marked as such."""
    text = re.sub(r"```python\n.*?```\n+", "", practice.task(name), flags=re.DOTALL)
    return re.sub("[㐀-鿿]+", lambda found: chinese(found[0]), text).splitlines()


# What lessons let a reader try


def blanks(stub: str) -> list[str]:
    """The names to which a stub gives three dots, alone or within a list."""
    assigned = [node for node in ast.parse(stub).body if isinstance(node, ast.Assign)]
    dotted = [node for node in assigned if any(getattr(part, "value", 0) is ... for part in ast.walk(node.value))]
    parts = [part for node in dotted for target in node.targets for part in ast.walk(target)]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def checking(record: dict) -> str:
    """The Python that checks an answer, in the page, in a notebook and in the tests."""
    checks = "".join(f"    ({check['expr']!r}, {check['says']!r}),\n" for check in record["checks"])
    return (
        "from metrics_book.practice.answers import tried\n\n"
        f"passed = tried(globals(), {blanks(record['stub'])}, [\n{checks}])"
    )


class TryIt(Records):
    """A blank to fill in, for an exercise of a lesson."""

    required_arguments = 1

    def shown(self) -> list[nodes.Node]:
        record = self.find("try_it", self.arguments[0])
        check = checking(record)
        texts = {"stub": record["stub"].rstrip(), "check": check, "cell": check, "run": "Check the answer"}
        block = practice_block("", id=record["id"], hidden=True, **texts)
        self.set_source_info(block)
        return [block]


class Offer(SphinxTransform):
    """Mark the solutions that a block offers."""

    default_priority = 800

    def apply(self) -> None:
        tried = {block["id"] for block in self.document.findall(practice_block)}
        for solution in self.document.findall(solution_node):
            if solution.get("target_label") in tried:
                solution["classes"].append(SOLUTION)


def visit(writer: HTML5Translator, node: practice_block) -> None:
    """Write the block by hand: docutils would put the Python of the check on one line."""
    data = {"id": node["id"], "check": node["check"], "run": node["run"]}
    texts = "".join(f' data-{name}="{escape(value)}"' for name, value in data.items())
    writer.body.append(f'<div class="practice"{texts}>\n<pre class="practice-stub">{escape(node["stub"])}</pre>')


def depart(writer: HTML5Translator, node: practice_block) -> None:
    writer.body.append("</div>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_node(practice_block, html=(visit, depart))
    app.add_directive("practice", PracticeExercise)
    app.add_directive("try-it", TryIt)
    app.add_transform(Offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
