"""Directives that show the question bank: one question, a topic with all of its questions, self-test and rehearsal."""

import json
import posixpath
import re
from collections.abc import Iterator
from html import escape

from docutils import nodes
from paths import MINUTES_A_QUESTION
from registry import DATA, Registry, chinese, load, row
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

LEVELS = ["easy", "medium", "hard"]
TOPICS = """labels averages scores groups lists gains recommendation numbers distributions judging""".split()  # noqa: SIM905
ROLES = {
    "general": "any job in machine learning",
    "ranking": "search and ranking",
    "ads": "advertising and recommendation",
    "nlp": "language",
}
SCRIPTS = {"book/interview/self-test": "self-test.js", "book/interview/rehearsal": "rehearsal.js"}


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


def wrong(question: dict) -> list[str]:
    """What goes wrong in answers to a question, under a heading."""
    pitfalls = [f"- {pitfall}" for pitfall in question["pitfalls"]]
    return ["**What goes wrong.**", "", *pitfalls, ""] if pitfalls else []


def place(question: dict) -> str:
    """Where the book proves the answer, or comes nearest to it."""
    return f"[{{ref}}`{question['rests_on']}`]{{.in-book}}" if question["rests_on"] else "No chapter treats it yet"


class NamePage(SphinxPostTransform):
    """Names the page of a section where the book proves an answer: many a lesson has one called "The choices"."""

    default_priority = 20  # references are resolved
    formats = ("html",)

    def run(self) -> None:
        for part in self.document.findall(nodes.inline):
            for link in part.findall(nodes.reference) if "in-book" in part["classes"] else ():
                path = link.get("refuri", "").partition(".html")[0]
                page = posixpath.normpath(posixpath.join(posixpath.dirname(self.env.docname), path))
                title = self.env.titles[page].astext() if page in self.env.titles else link.astext()
                if title != link.astext():
                    link.insert(0, nodes.Text(f"{title.partition(':')[0]}: "))


def more(item: dict, anchor: str) -> str:
    """Where the answer to an item stands and what proves it; the scripts know both links by their classes."""
    return f"[[The whole answer](#{anchor})]{{.in-bank}}. **In the book.** {place(item)}."


def place_for_script(name: str, **data: object) -> nodes.raw:
    """An element that a script fills, with what it has to know."""
    attributes = " ".join(f'data-{key}="{escape(json.dumps(value))}"' for key, value in data.items())
    return nodes.raw("", f'<div id="{name}" {attributes}></div>', format="html")


class Question(Registry):
    """One question of the bank, folded: its answer, and links to what an interviewer asks next."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        question = self.named("questions")
        body = [question["answer"], ""]
        body += [f"**Follow-up.** {link(bank()[name])}" for name in question["follow_ups"][:1]]
        body += [f"([more on this question](#question-{question['id']}))"]
        return self.show("questions", folded(question["question"], *body))


class Questions(Registry):
    """All questions of a topic and a level with everything the bank says about each."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        return self.show("questions", self.lines(bank()))

    def lines(self, questions: dict[str, dict]) -> Iterator[str]:
        for question in of_kind(*self.arguments):
            body = [chinese(question["chinese"])] if question["chinese"] else []
            body += ["", question["answer"], ""]
            body += [f"**Going deeper.** {question['deeper']}", ""] if question["deeper"] else []
            body += wrong(question)
            if question["follow_ups"]:
                body += ["**What comes next.**", "", *(f"- {link(questions[name])}" for name in question["follow_ups"])]
            body += ["", f"**In the book.** {place(question)}."]
            if question["metrics"]:
                body += ["**Cards.** " + ", ".join(f"{{ref}}`card-{metric}`" for metric in question["metrics"]) + "."]
            body += ["", f"[Rehearse this](#rehearsal-{question['id']})"]
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
        items = [item | {"group": item["topic"], "anchor": "question"} for item in load("questions") if item["choices"]]
        errors = {"group": "errors", "anchor": "wrong", "level": "medium"}
        items += [item | errors for item in load("wrong_formulas") if item["choices"]]
        for topic in TOPICS:
            self.env.note_dependency(str(DATA.parent / "interview" / f"{topic}.md"))
        topics = {topic: title(topic) for topic in TOPICS} | {"errors": "Find the error in what circulates"}
        controls = place_for_script("self-test-controls", topics=topics)
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
        yield from folded("Answer", *feedback, "", more(item, f"{item['anchor']}-{item['id']}"))
        yield "::::::::"
        yield ""


class Rehearsal(Registry):
    """Every question, by topic; folded below it its points, what goes wrong and where the answer is.

    The script ``rehearsal.js`` plays an interview with it; classes tell topic, level and roles.
    """

    def run(self) -> list[nodes.Node]:
        asked = load("questions")
        for topic in TOPICS:
            self.env.note_dependency(str(DATA.parent / "interview" / f"{topic}.md"))
        following = {question["id"]: question["follow_ups"] for question in asked}
        stage = place_for_script("rehearsal-stage", roles=ROLES, minutes=MINUTES_A_QUESTION, following=following)
        return [stage, *self.show("questions", self.lines(asked))]

    def lines(self, asked: list[dict]) -> Iterator[str]:
        yield from [":::::::::{container} rehearsal-list", ""]
        for topic in TOPICS:
            # No section: the script hides the list, and the page's contents would lead there.
            yield from [":::{raw} html", f"<h2>{escape(title(topic))}</h2>", ":::", ""]
            for question in asked:
                if question["topic"] == topic:
                    yield from self.entry(question)
        yield ":::::::::"

    def entry(self, question: dict) -> Iterator[str]:
        roles = " ".join(f"role-{role}" for role in question["roles"])
        yield f"::::::::{{container}} rehearsal topic-{question['topic']} level-{question['level']} {roles}"
        yield f":name: rehearsal-{question['id']}"
        yield from ["", question["question"], ""]
        yield from [chinese(question["chinese"]), ""] if question["chinese"] else []
        yield from folded(
            "What to say",
            *(f"- {point}" for point in question["rubric"]),
            "",
            *wrong(question),
            more(question, f"question-{question['id']}"),
        )
        yield from ["::::::::", ""]


def setup(app: Sphinx) -> dict[str, bool]:
    def script(app: Sphinx, page: str, *others: object) -> None:
        for name in ("elements.js", "practise.js", SCRIPTS[page]) if page in SCRIPTS else ():
            app.add_js_file(name, loading_method="defer")

    app.connect("html-page-context", script)
    app.add_post_transform(NamePage)
    app.add_directive("question", Question)
    app.add_directive("questions", Questions)
    app.add_directive("question-topics", Topics)
    app.add_directive("self-test", SelfTest)
    app.add_directive("rehearsal", Rehearsal)
    return {"parallel_read_safe": True}
