"""Directives of the guide "Which metric?": its questions, the choices they lead to, and what no choice recommends."""

from collections.abc import Iterator
from fractions import Fraction

from docutils import nodes
from registry import Registry, load, row
from sphinx.application import Sphinx


def names() -> dict[str, str]:
    """The name of each card without what its parentheses add."""
    return {card["id"]: card["name"].partition(" (")[0] for card in load("cards")}


def cards(ids: list[str]) -> str:
    """Links to cards by the names of their metrics."""
    return ", ".join(f"{{ref}}`{names()[card]} <card-{card}>`" for card in ids)


class Questions(Registry):
    """The questions: one branch for each kind of output, folded; in it nested lists that end in links."""

    def run(self) -> list[nodes.Node]:
        self.metrics = {choice["id"]: choice["metrics"] for choice in load("choosing")["choices"]}
        self.names = names()
        return self.show("choosing", (line for branch in load("choosing")["tree"] for line in self.branch(branch)))

    def branch(self, branch: dict) -> Iterator[str]:
        yield f"::::{{admonition}} {branch['answer']}"
        yield from [":class: dropdown decision", ""]
        yield from self.question(branch, "")
        yield from ["::::", ""]

    def question(self, node: dict, indent: str) -> Iterator[str]:
        yield from [f"{indent}**{node['asks']}**", ""]
        for answer in node["answers"]:
            yield from self.answer(answer, indent)
        yield ""

    def answer(self, answer: dict, indent: str) -> Iterator[str]:
        if "asks" in answer:
            yield from [f"{indent}- {answer['answer']}.", ""]
            yield from self.question(answer, indent + "  ")
        elif "choice" in answer:
            metrics = ", ".join(self.names[metric] for metric in self.metrics[answer["choice"]])
            yield f"{indent}- [{answer['answer']}](#choose-{answer['choice']}): {metrics}"
        else:
            yield f"{indent}- [{answer['answer']}](#choose-{answer['task']}): the choices are those of {answer['task']}"


class Choices(Registry):
    """The choices of one kind of output: situation, metrics, reason, warning and the pair of systems."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        choices = [choice for choice in load("choosing")["choices"] if choice["task"] == self.arguments[0]]
        return self.show("choosing", (line for choice in choices for line in self.choice(choice)))

    def choice(self, choice: dict) -> Iterator[str]:
        yield from [f"(choose-{choice['id']})=", f"### {choice['situation']}", ""]
        yield from [f"**Choose:** {cards(choice['metrics'])}.", "", choice["why"], ""]
        yield from [f"**Careful:** {choice['warning']}", ""]
        yield from [f"Both systems have the {data(choice['both'])}.", ""] if choice["both"] else []
        yield from [
            "::::{list-table}",
            ":header-rows: 1",
            ":stub-columns: 1",
            ":widths: 28 26 26 20",
            ":class: fold",
            "",
        ]
        yield from row("Data, metric", "System A", "System B", "Verdict")
        head = next(iter(choice["a"])).replace("_", " ") if len(choice["a"]) == 1 else "data"
        yield from row(head, *(data(choice[system], named=head == "data") for system in "ab"), "")
        first, second = choice["popular"], choice["recommended"]
        other = {"a": "b", "b": "a"}.get(choice["better"])
        yield from numbers("popular", first, "sees no difference" if choice["verdict"] == "equal" else prefers(other))
        yield from numbers("recommended", second, prefers(choice["better"]))
        yield from ["::::", ""]


class NotRecommended(Registry):
    """The cards that stand in no choice, and why."""

    def run(self) -> list[nodes.Node]:
        records = load("choosing")["not_recommended"]
        return self.show("choosing", (f"- **{cards([card])}.** {reason}" for card, reason in records.items()))


def prefers(system: str | None) -> str:
    return f"prefers {system.upper()}" if system else "tells them apart"


def numbers(role: str, side: dict, verdict: str) -> list[str]:
    """The row of one metric, with its value for both systems."""
    name = f"{{ref}}`{side['name']} <card-{side['metric']}>` ({role})"
    return row(name, value(side["a"]), value(side["b"]), f"**{verdict}**")


def value(exact: int | float | str) -> str:
    """A fraction with its decimal, any other value by six digits."""
    if isinstance(exact, float):
        return f"{exact:.6f}"
    decimal = f"{float(Fraction(exact)):.3f}"
    if isinstance(exact, int):
        return str(exact)
    return f"{exact} = {decimal.rstrip('0')}" if Fraction(decimal) == Fraction(exact) else f"{exact} ≈ {decimal}"


def data(variables: dict, named: bool = True) -> str:
    """Variables with their values, as prose."""
    parts = [f"{name} {written(held)}" if named else written(held) for name, held in variables.items()]
    return ("; " if any(isinstance(held, list) for held in variables.values()) else ", ").join(parts).replace("_", " ")


def written(held: object) -> str:
    if not isinstance(held, list):
        return str(held)
    return ", ".join(f"({written(part)})" if isinstance(part, list) else str(part) for part in held)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("choose-questions", Questions)
    app.add_directive("choices", Choices)
    app.add_directive("not-recommended", NotRecommended)
    return {"parallel_read_safe": True}
