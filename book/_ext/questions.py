"""Directives that show the question bank: one question, a topic with all of its questions, the self-test."""

import json
import re
from collections.abc import Iterator
from html import escape

from docutils import nodes
from registry import DATA, Registry, chinese, load, row
from sphinx.application import Sphinx

LEVELS = ["easy", "medium", "hard"]
TOPICS = ["labels", "averages", "scores", "groups", "lists", "gains", "recommendation", "numbers", "distributions"]


def title(topic: str) -> str:
    """The title of the page of a topic."""
    page = (DATA.parent / "interview" / f"{topic}.md").read_text(encoding="utf-8")
    return re.search("^# (.+)$", page, re.MULTILINE)[1]


def bank() -> dict[str, dict]:
    return {question["id"]: question for question in load("questions")}


def of_kind(topic: str, level: str) -> list[dict]:
    return [question for question in load("questions") if (question["topic"], question["level"]) == (topic, level)]


def folded(title: str, *body: str, name: str | None = None) -> list[str]:
    options = [":class: dropdown question", *([f":name: {name}"] if name else [])]
    return [f"::::::{{admonition}} {' '.join(title.split())}", *options, "", *"\n".join(body).split("\n"), "::::::", ""]


def link(question: dict) -> str:
    return f"[{' '.join(question['question'].split())}](#question-{question['id']})"


def place(question: dict) -> str:
    """Where the book proves the answer, or comes nearest to it."""
    return f"{{ref}}`{question['rests_on']}`" if question["rests_on"] else "No chapter treats it yet"


class Question(Registry):
    """One question of the bank, folded: its answer, and links to what an interviewer asks next."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        question = self.named("questions")
        following = link(bank()[question["follow_ups"][0]])
        body = [
            question["answer"],
            "",
            f"**Follow-up.** {following}",
            f"([more on this question](#question-{question['id']}))",
        ]
        return self.show("questions", folded(question["question"], *body))


class Questions(Registry):
    """All questions of a topic and a level with everything the bank says about each."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        return self.show("questions", self.lines(bank()))

    def lines(self, questions: dict[str, dict]) -> Iterator[str]:
        for question in of_kind(*self.arguments):
            body = [
                chinese(question["chinese"]),
                "",
                question["answer"],
                "",
                f"**Going deeper.** {question['deeper']}",
                "",
                "**What goes wrong.**",
                "",
                *(f"- {pitfall}" for pitfall in question["pitfalls"]),
                "",
                "**What comes next.**",
                "",
                *(f"- {link(questions[other])}" for other in question["follow_ups"]),
                "",
                f"**In the book.** {place(question)}.",
            ]
            if question["metrics"]:
                body += ["**Cards.** " + ", ".join(f"{{ref}}`card-{metric}`" for metric in question["metrics"]) + "."]
            yield from folded(question["question"], *body, name=f"question-{question['id']}")


class Topics(Registry):
    """A table of the topics with the number of questions of each level."""

    def run(self) -> list[nodes.Node]:
        lines = ["::::{list-table}", ":header-rows: 1", ":class: fold", "", *row("Topic", *LEVELS, "all")]
        for topic in TOPICS:
            counts = [len(of_kind(topic, level)) for level in LEVELS]
            lines += row(f"{{doc}}`/book/interview/{topic}`", *map(str, [*counts, sum(counts)]))
        return self.show("questions", [*lines, "::::"])


class SelfTest(Registry):
    """Every question that has choices: the options, and folded below them what is to be said about each.

    The script ``self-test.js`` makes a quiz of it; its classes tell topic, level and the right option.
    """

    def run(self) -> list[nodes.Node]:
        items = [item | {"group": item["topic"]} for item in load("questions") if item["choices"]]
        items += [item | {"group": "errors", "level": "medium"} for item in load("wrong_formulas") if item["choices"]]
        for topic in TOPICS:
            self.env.note_dependency(str(DATA.parent / "interview" / f"{topic}.md"))
        titles = {topic: title(topic) for topic in TOPICS} | {"errors": "Find the error in what circulates"}
        topics = escape(json.dumps(titles))
        controls = nodes.raw("", f'<div id="self-test-controls" data-topics="{topics}"></div>', format="html")
        return [controls, *self.show("questions", (line for item in items for line in self.lines(item)))]

    def lines(self, item: dict) -> Iterator[str]:
        letters = "ABCD"[: len(item["choices"])]
        right = next(place for place, choice in enumerate(item["choices"]) if choice["right"])
        yield "::::::::{container} self-test " + f"topic-{item['group']} level-{item['level']} right-{right}"
        yield f":name: test-{item['id']}"
        yield ""
        yield item.get("stem") or item["question"]
        yield ""
        for letter, choice in zip(letters, item["choices"], strict=True):
            yield f"- **{letter}.** {choice['text']}"
        yield ""
        feedback = [
            f"- **{letter} is {'right' if choice['right'] else 'wrong'}.** {choice['why']}"
            for letter, choice in zip(letters, item["choices"], strict=True)
        ]
        yield from folded("Answer", *feedback)
        yield "::::::::"
        yield ""


def setup(app: Sphinx) -> dict[str, bool]:
    def script(app: Sphinx, page: str, *others: object) -> None:
        if page == "book/interview/self-test":
            app.add_js_file("self-test.js", loading_method="defer")

    app.connect("html-page-context", script)
    app.add_directive("question", Question)
    app.add_directive("questions", Questions)
    app.add_directive("question-topics", Topics)
    app.add_directive("self-test", SelfTest)
    return {"parallel_read_safe": True}
