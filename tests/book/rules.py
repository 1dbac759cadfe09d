"""What each notebook keeps to, so that its readers are not let down: facts that a machine can check, one function each.

A rule takes a notebook and yields the cells that break it, each with a message; cells count from 1, as in their ids. A
rule's text says what it asks, what a reader would lose without it, and what to do.
"""

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from tests.book import held
from tests.book.chapter import Chapter, Code
from tests.claims import guard
from tests.registries import load

Fault = tuple[int, str]
Rule = Callable[[Chapter], Iterator[Fault]]
RULES: dict[str, tuple[Rule, str]] = {}


def rule(of: str) -> Callable[[Rule], Rule]:
    """A rule for notebooks, or for those of documents, lessons, or both."""

    def add(function: Rule) -> Rule:
        RULES[function.__name__] = function, of
        return function

    return add


def kind(chapter: Chapter) -> str:
    folder = chapter.path.parent.name
    return "lessons" if folder == "lessons" else "documents" if folder[0].isdigit() else "others"


def found(chapter: Chapter) -> Iterator[tuple[str, int, str]]:
    """The rules that bind a notebook and are broken, each with the cell and what is wrong there."""
    bound = {"notebooks", kind(chapter)} | ({"documents and lessons"} if kind(chapter) != "others" else set())
    for name, (check, of) in RULES.items():
        if of in bound:
            yield from ((name, cell, message) for cell, message in check(chapter))


def faults(chapter: Chapter) -> list[str]:
    """What is wrong with a notebook, by cell, and what to do about it."""
    by_cell = sorted(found(chapter), key=lambda fault: fault[1])
    return [
        f"{chapter.path}, cell {cell}: {message}\n    {parts(RULES[name][0])[2]}" for name, cell, message in by_cell
    ]


def parts(check: Rule) -> list[str]:
    """What a rule asks, what a reader would lose without it, and what to do."""
    return [" ".join(part.split()) for part in inspect.getdoc(check).split("\n\n")]


# Headings and records


@rule("notebooks")
def titled(chapter: Chapter) -> Iterator[Fault]:
    """The first cell begins with a label, ``(label)=``, and the title, ``# Title``; there is no second title.

    Without it links from other pages break, and the search shows the page under a wrong name.

    Begin with ``(000-ndcg)=`` and ``# NDCG ...`` on two lines; make a second ``#`` a ``##``.
    """
    opening = [(part.kind, getattr(part, "level", 0)) for part in chapter.parts[:2]]
    if opening != [("myst_target", 0), ("heading", 1)] or chapter.parts[1].cell != 1:
        yield 1, "it does not begin with a label and a title"
    for heading in [heading for heading in chapter.headings if heading.level == 1][1:]:
        yield heading.cell, f"there is a second title, {heading.text!r}"


@rule("notebooks")
def levels(chapter: Chapter) -> Iterator[Fault]:
    """No heading skips a level.

    Without it readers with a screen reader, who move by levels, miss a section.

    Put ``##`` under ``#``, and ``###`` under ``##``.
    """
    for above, heading in pairwise(chapter.headings):
        if heading.level > above.level + 1:
            yield heading.cell, f"{heading.text!r} has level {heading.level} under level {above.level}"


RECORDS = {"card-links": "cards", "question": "questions", "erratum": "errata", "convention": "conventions"}


@rule("documents and lessons")
def known_records(chapter: Chapter) -> Iterator[Fault]:
    """Each card, question, erratum and convention that is shown is a record of ``book/data``, and is shown once.

    Without it a box is empty, or two pages say different things of one passage.

    Take the id from the registry, or add the record; remove the second box.
    """
    for directive, registry in RECORDS.items():
        known = {record["id"] for record in load(registry)}
        shown = [
            (name, block.cell)
            for block in chapter.directives
            if block.name == directive
            for name in block.argument.split()
        ]
        for number, (name, cell) in enumerate(shown):
            if name not in known:
                yield cell, f"no {directive} has the id {name!r}"
            elif name in [other for other, _ in shown[:number]]:
                yield cell, f"the {directive} {name!r} is shown twice"


@rule("documents and lessons")
def solved(chapter: Chapter) -> Iterator[Fault]:
    """Each exercise has a label, and a folded solution with a code cell that was executed.

    Without it a reader sees the answer before thinking, or an answer that nobody ran.

    Give ``{exercise-start}`` a line ``:label: ...``, and ``{solution-start} LABEL`` the line ``:class: dropdown``; put
    an executed code cell between the cells that start and end the solution.
    """
    solutions = {block.argument: (block, inside) for block, inside in chapter.gated("solution")}
    for exercise, _ in chapter.gated("exercise"):
        label = exercise.options.get("label")
        if not label:
            yield exercise.cell, f"the exercise {exercise.argument!r} has no label"
            continue
        block, inside = solutions.get(label, (None, []))
        if block is None or "dropdown" not in block.options.get("class", ""):
            yield exercise.cell, f"the exercise {label} has no solution that is folded"
        elif not any(isinstance(part, Code) and part.node.execution_count for part in inside):
            yield block.cell, f"the solution of {label} runs no code"


# Code


@rule("notebooks")
def plain_python(chapter: Chapter) -> Iterator[Fault]:
    """Each code cell is plain Python; the first one imports, and no other does.

    Without it a notebook runs in Jupyter alone, or fails in the middle for want of a package.

    Write neither ``%`` nor ``!``; move imports to the first code cell.
    """
    for number, code in enumerate(chapter.code):
        importing = any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(code.tree))
        if not code.tree.body:
            yield code.cell, "this is not plain Python"
        elif importing != (number == 0):
            yield code.cell, "there is an import after the first code cell" if number else "nothing is imported"


@rule("notebooks")
def seeded(chapter: Chapter) -> Iterator[Fault]:
    """Random numbers come from ``np.random.default_rng(seed)``.

    Without it a reader's run shows other numbers than the page.

    Write ``rng = np.random.default_rng(0)``, then ``rng.random(9)``.
    """
    for code in chapter.code:
        for node in ast.walk(code.tree):
            match node:
                case ast.Attribute(value=ast.Attribute(attr="random"), attr=name) if name != "default_rng":
                    yield code.cell, f"np.random.{name} instead of np.random.default_rng(seed)"
                case ast.Call(
                    func=ast.Attribute(attr="default_rng") | ast.Name(id="default_rng"), args=[], keywords=[]
                ):
                    yield code.cell, "default_rng has no seed"
                case ast.alias(name="random") | ast.ImportFrom(module="random" | "numpy.random"):
                    yield code.cell, "the module random is imported"


@rule("notebooks")
def offline(chapter: Chapter) -> Iterator[Fault]:
    """Nothing is fetched from a network, neither by code nor by an image.

    Without it the notebook fails on a train.

    Put the numbers into the cell or a file beside the notebook, and draw the picture.
    """
    for code in chapter.code:
        if re.search(r"https?://|\burllib\b|\brequests\b", code.source):
            yield code.cell, "this code reaches for the network"
    for block in chapter.blocks:
        inline = block.kind != "directive" and re.search(r"!\[[^]]*\]\(https?:", block.text)
        if inline or (block.name in ("image", "figure") and block.argument.startswith("http")):
            yield block.cell, "this image comes from the network"


@rule("notebooks")
def compared(chapter: Chapter) -> Iterator[Fault]:
    """Every output is compared with that of a new run, and no cell is kept from the reader.

    Without it an output may be out of date, or code that the reader cannot see may make it.

    Remove the tag or the mark; checks stand in ``tests/claims``.
    """
    for code in chapter.code:
        unknown = code.tags - {"hide-input", "remove-input"}
        if unknown:
            yield code.cell, f"it has the tags {sorted(unknown)}"
        if re.search("NBVAL_|PYTEST_VALIDATE", code.source):
            yield code.cell, "a mark excepts it from comparison"


WIDTH = 75


@rule("documents and lessons")
def narrow(chapter: Chapter) -> Iterator[Fault]:
    """No line of code that a reader sees unfolded is longer than 75 characters, and none prints in a loop.

    Without it code scrolls sideways on a phone, and printed lines are a table that no screen reader can read.

    Name the parts of a long line; show rows by ``Table(head, rows)`` of ``metrics_book.printed``.
    """
    for code in chapter.code:
        long = [line for line in code.source.splitlines() if len(line) > WIDTH and "hide-input" not in code.tags]
        yield from ((code.cell, f"this line has {len(line)} characters: {line!r}") for line in long)
        loops = [node for node in ast.walk(code.tree) if isinstance(node, ast.For | ast.While | ast.comprehension)]
        calls = [node for loop in loops for node in ast.walk(loop) if isinstance(node, ast.Call)]
        if kind(chapter) == "documents" and any(getattr(call.func, "id", "") == "print" for call in calls):
            yield code.cell, "it prints in a loop"


# Figures and outputs


def captions(code: Code) -> dict[str, str]:
    """What a figure is called, tells and shows."""
    mystnb = code.node.metadata.get("mystnb", {})
    figure, image = mystnb.get("figure", {}), mystnb.get("image", {})
    texts = {"figure.name": figure.get("name"), "figure.caption": figure.get("caption"), "image.alt": image.get("alt")}
    return {key: (text or "").strip() for key, text in texts.items()}


@rule("notebooks")
def captioned(chapter: Chapter) -> Iterator[Fault]:
    """Each figure has a name, a caption, and alt text that says what is seen, not what the caption tells.

    Without it a reader who cannot see the figure does not know what it shows.

    Set the cell's metadata: ``{"mystnb": {"figure": {"name": "fig-x", "caption": "..."}, "image": {"alt": "..."}}}``.
    """
    for code in chapter.code:
        texts = captions(code)
        for key, text in texts.items():
            if code.images and not text:
                yield code.cell, f"the figure has no mystnb.{key}"
        alt = texts["image.alt"]
        if alt and (len(alt) < 30 or alt == texts["figure.caption"]):
            yield code.cell, f"the alt text is too short or repeats the caption: {alt!r}"


@rule("notebooks")
def drawn_in_style(chapter: Chapter) -> Iterator[Fault]:
    """Figures are SVG in the book's size, with their title in the caption.

    Without it a figure is blurred, illegible on a phone or invisible in the dark.

    Call ``use_book_style()`` in the first cell; set no titles and no sizes.
    """
    settings = {"rcParams", "set_figheight", "set_figwidth", "set_size_inches", "set_title", "suptitle"}
    for code in chapter.code:
        for name in sorted(code.images - {"image/svg+xml"}):
            yield code.cell, f"there is a figure as {name}"
        for node in ast.walk(code.tree):
            match node:
                case ast.Attribute(attr=name) if name in settings:
                    yield code.cell, f"{name} is set"
                case ast.Attribute(value=ast.Name(id="plt"), attr="title"):
                    yield code.cell, "a title is set"
                case ast.Call(func=ast.Attribute(attr="set"), keywords=words) if "title" in {
                    word.arg for word in words
                }:
                    yield code.cell, "a title is set"
                case ast.keyword(arg="figsize"):
                    yield code.cell, "figsize is set"


@rule("notebooks")
def quiet(chapter: Chapter) -> Iterator[Fault]:
    """No output is a warning, an error, or something that differs from machine to machine.

    Without it a reader meets a question that nobody answers, or a path that does not exist.

    Fix the cause of the warning, or catch the error and print it; print no object that has no text of its own.
    """
    for code in chapter.code:
        if any(output.get("name") == "stderr" or output.output_type == "error" for output in code.node.outputs):
            yield code.cell, "there is a warning or an error in the output"
    path = re.compile(r"/(?:Users|home|opt|root|tmp|usr|work)/|[A-Z]:\\\\Users| at 0x[0-9a-f]{6}")
    for number, cell in enumerate(chapter.notebook.cells, start=1):
        found = path.search(json.dumps([cell.source, cell.get("outputs")]))
        if found:
            yield number, f"there is the path or address {found[0]!r}..."


# What holds words and numbers


@rule("documents and lessons")
def checks_can_fail(chapter: Chapter) -> Iterator[Fault]:
    """Below each quote of a claim stands an assert that can fail.

    Without it a sentence counts as checked that nothing checks.

    In ``tests/claims`` let the assert use what the notebook, the library or its data gave; say ``proved(...)`` above
    one that follows from definitions alone.
    """
    for quote in held.quotes(chapter):
        if quote.fault:
            yield chapter.start(quote.section), f"{held.claims_file(chapter)}, line {quote.line}: {quote.fault}"
    for line, message in guard.unfounded(held.tree(chapter)):
        yield 1, f"{held.claims_file(chapter)}, line {line}: {message}"


@rule("documents and lessons")
def held_claims(chapter: Chapter) -> Iterator[Fault]:
    """A claim quotes each *always, never, only, every* and *cannot*, and each *because* that explains a number.

    Without it the words that were wrong most often are wrong again.

    Add ``holds("...")`` with these words to ``tests/claims``, and below it an assert that searches small cases; where
    no computation can hold them, ``unchecked("...", "why")``. Or say less.
    """
    yield from held.unheld_claims(chapter)


@rule("documents and lessons")
def held_numbers(chapter: Chapter) -> Iterator[Fault]:
    """Each number of the prose is in the code, the outputs or the claims of its section, or in the record of its box.

    Without it a number is right until something else changes.

    Compute it in a cell of the section, or in a claim that quotes it.
    """
    yield from held.unheld_numbers(chapter)


# Lessons

LESSON = ["In one line", "By hand", "How good is", "What it cannot see", "The choices"]
LESSON += ["On real data|A simulated case", "Try it", "Further"]


@rule("lessons")
def lesson_sections(chapter: Chapter) -> Iterator[Fault]:
    """A lesson opens with the decision and a picture or a lab; its sections come in the order of all lessons.

    Without it a reader who knows one lesson does not find the formula, the keyword or the data in the next.

    Draw both systems before the first heading; then ``## In one line``, ``## By hand``, ``## How good is ...?``,
    ``## What it cannot see``, ``## The choices``, ``## On real data`` or ``## A simulated case``, ``## Try it``,
    ``## Further``.
    """
    names = [heading.text for heading in chapter.headings if heading.level == 2]
    found = [wanted for name in names for wanted in LESSON if re.match(wanted, name)]
    if found != LESSON:
        yield 1, f"the sections are {names}"
    opening = [part for part in chapter.parts if not part.section]
    if not any((isinstance(part, Code) and part.images) or getattr(part, "name", "") == "lab" for part in opening):
        yield 1, "there is no picture before the first section"


@rule("lessons")
def one_line(chapter: Chapter) -> Iterator[Fault]:
    """A box of class ``in-one-line`` holds a labelled formula and a call of the library.

    Without it the answer of sixty seconds is missing, and cards have no formula to link to.

    Write an ``{admonition}`` with ``:class: in-one-line``, in it ``$$ ... $$ (eq-lesson-...)`` and a call in backticks.
    """
    boxes = [box for box in chapter.of_class("in-one-line") if box.section == "In one line"]
    if len(boxes) != 1 or not re.search(r"\$\$ \(eq-lesson-", boxes[0].text) or not re.search(r"`\w+\(", boxes[0].text):
        yield chapter.start("In one line"), "there is no box of class in-one-line with a labelled formula and a call"


@rule("lessons")
def real_data(chapter: Chapter) -> Iterator[Fault]:
    """*On real data* reads a file of ``cases/``; what draws its data from a generator is called a simulated case.

    Without it a reader takes made-up data for recorded ones.

    Read ``cases/NAME.csv``, whose source and licence stand in the README beside it, or rename the section.
    """
    source = "\n".join(code.source for code in chapter.code)
    for section, wanted in ("On real data", r"cases/[\w-]+\.csv"), ("A simulated case", r"default_rng\(\d+\)"):
        if section in [heading.text for heading in chapter.headings] and not re.search(wanted, source):
            yield chapter.start(section), f"no code matches {wanted}"


# Chapters of documents


@rule("documents")
def chapter_title(chapter: Chapter) -> Iterator[Fault]:
    """The title of a chapter names the metric and the document, and its first paragraph links to the lesson.

    Without it a reader who lands here from a search does not see that this is a proof-reading.

    Write ``# F1 in the interview notes``; then ``[The lesson on F](../lessons/precision-recall-f.ipynb) teaches ...``.
    """
    document = next(record for record in load("documents") if record["folder"] == chapter.path.parent.name)
    if not chapter.headings[0].text.endswith(f" in the {document['name']}"):
        yield 1, f"the title {chapter.headings[0].text!r} does not name the {document['name']}"
    if "](../lessons/" not in chapter.prose[0].text:
        yield chapter.prose[0].cell, "the first paragraph links to no lesson"


@rule("documents")
def no_line_numbers(chapter: Chapter) -> Iterator[Fault]:
    """A chapter names sections of its document, not lines.

    Without it a reader looks for lines that only our copy has.

    Write the name of the section.
    """
    for block in chapter.blocks:
        if block.kind in held.PROSE and (found := re.search(r"\blines? \d+", block.text)):
            yield block.cell, f"{found[0]!r} is named"
