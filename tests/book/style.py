"""The rules that every chapter keeps, one function each.

A rule takes a chapter and yields the cells that break it, each with a message; cells count from 1, as in their ids.
"""

import ast
import json
import re
import symtable
import tokenize
from collections.abc import Callable, Iterator
from itertools import pairwise

from tests.book import held
from tests.book.chapter import Block, Chapter, Code
from tests.registries import load

Fault = tuple[int, str]
Rule = Callable[[Chapter], Iterator[Fault]]
RULES: dict[str, Rule] = {}


def rule(identifier: str) -> Callable[[Rule], Rule]:
    def add(function: Rule) -> Rule:
        RULES[identifier] = function
        return function

    return add


def faults(chapter: Chapter) -> list[str]:
    """What breaks the rules: ``book/004-threshold-and-ranking/ndcg.ipynb cell 7 NB303: ...``.

    Chapters stand in the folders of documents, which begin with a digit; chapters and lessons have rules of their own,
    which bind no other notebook.
    """
    folder = chapter.path.parent.name
    if folder == "lessons":
        bound = "NB[1-7]"
    elif folder[0].isdigit():
        bound = "NB[1-6]|NB710|NB8"
    else:
        bound = "NB(?![278])"
    rules = [(name, check) for name, check in RULES.items() if re.match(bound, name)]
    found = sorted((cell, name, message) for name, check in rules for cell, message in check(chapter))
    return [f"{chapter.path} cell {cell} {name}: {message}" for cell, name, message in found]


# 1: the skeleton


@rule("NB101")
def title(chapter: Chapter) -> Iterator[Fault]:
    """The first cell begins with a label, ``(label)=``, and the title, ``# Title``.

    Why: other pages link to a chapter by its label, whatever its title becomes.

    How: first line ``(000-ndcg)=``, second line ``# NDCG ...``, both in the first cell.
    """
    opening = [(part.kind, getattr(part, "level", 0)) for part in chapter.parts[:2]]
    if opening != [("myst_target", 0), ("heading", 1)] or chapter.parts[1].cell != 1:
        yield 1, "begin with the line (label)= and then # Title"


@rule("NB102")
def one_title(chapter: Chapter) -> Iterator[Fault]:
    """There is one level-1 heading.

    Why: the sidebar and the search know a page by its one title.

    How: make the second ``#`` a ``##``.
    """
    for heading in [heading for heading in chapter.headings if heading.level == 1][1:]:
        yield heading.cell, f"a second title, {heading.text!r}"


@rule("NB103")
def levels(chapter: Chapter) -> Iterator[Fault]:
    """No heading skips a level.

    Why: readers with a screen reader move by levels.

    How: ``##`` under ``#``, ``###`` under ``##``.
    """
    for above, heading in pairwise(chapter.headings):
        if heading.level > above.level + 1:
            yield heading.cell, f"{heading.text!r} has level {heading.level} under level {above.level}"


# 2: cards, questions and exercises, where a notebook has them

CARDS = {card["id"] for card in load("cards")}
QUESTIONS = {question["id"] for question in load("questions")}


def unknown_or_twice(chapter: Chapter, directive: str, known: set[str]) -> Iterator[Fault]:
    shown = [block for block in chapter.directives if block.name == directive]
    for number, block in enumerate(shown):
        if block.argument not in known:
            yield block.cell, f"no {directive} has the id {block.argument!r}"
        elif block.argument in [other.argument for other in shown[:number]]:
            yield block.cell, f"the {directive} {block.argument!r} stands twice"


@rule("NB205")
def known_card(chapter: Chapter) -> Iterator[Fault]:
    """Each metric card is one of ``book/data/cards.yml``, and stands once.

    Why: a card is a record, so that every page shows the same.

    How: take the id from the file, or add the card; remove the second one.
    """
    yield from unknown_or_twice(chapter, "metric-card", CARDS)


@rule("NB207")
def exercise_labels(chapter: Chapter) -> Iterator[Fault]:
    """Each exercise has a label.

    Why: its solution and the paths of the interview part point at it.

    How: a line ``:label: exercise-...`` in the directive.
    """
    for exercise, _ in chapter.gated("exercise"):
        if not exercise.options.get("label"):
            yield exercise.cell, f"the exercise {exercise.argument!r} has no :label:"


@rule("NB208")
def solutions(chapter: Chapter) -> Iterator[Fault]:
    """Each exercise has a solution in a dropdown.

    Why: nobody should see an answer before having thought.

    How: ``{solution-start} <label>`` with ``:class: dropdown``, and ``{solution-end}`` in cells of their own.
    """
    dropdowns = {
        block.argument for block, _ in chapter.gated("solution") if "dropdown" in block.options.get("class", "")
    }
    for exercise, _ in chapter.gated("exercise"):
        label = exercise.options.get("label")
        if label and label not in dropdowns:
            yield exercise.cell, f"no {{solution-start}} {label} of class dropdown"


@rule("NB209")
def executed_solutions(chapter: Chapter) -> Iterator[Fault]:
    """Each solution holds an executed code cell between its start and its end.

    Why: an answer that was not run may be wrong.

    How: put a code cell between the cell that starts the solution and the one that ends it, and execute the notebook.
    """
    for solution, inside in chapter.gated("solution"):
        if not any(isinstance(part, Code) and part.node.execution_count for part in inside):
            yield solution.cell, f"the solution of {solution.argument} runs no code"


@rule("NB212")
def known_question(chapter: Chapter) -> Iterator[Fault]:
    """Each interview question is one of the question bank, and stands once.

    Why: a question is a record, so that it stands here, on its topic's page and in the deck in the same words.

    How: take the id from ``book/data/questions/``, or add the question.
    """
    yield from unknown_or_twice(chapter, "question", QUESTIONS)


# 3: prose

ABBREVIATIONS = "al approx ca cf ch dr e.g ed eds eq eqs fig figs i.e p pp prof resp sec st vol vs"
CLOSING = r"""["'”’)\]*_]*"""
OWN_STOPS = re.compile(r"(?:\{[\w:-]+\})?(`+).+?\1|\$[^$]+\$|\]\([^)]*\)|<https?:[^>]*>")
SENTENCE_END = re.compile(rf"""(\S*?)[.!?…]{CLOSING}\s+(?=["'“‘(\[*_]*[A-Z0-9])""")
LINE_END = re.compile(rf"[.!?…:]{CLOSING}\\?$")


def masked(line: str) -> str:
    """The line without link targets and with XX for code, roles and mathematics, whose full stops end no sentence."""

    def mask(match: re.Match[str]) -> str:
        return "]" if match[0].startswith("]") else "XX." if match[0].endswith((".`", ".$")) else "XX"

    return OWN_STOPS.sub(mask, line)


def sentences(text: str) -> int:
    """The number of sentences; a bold opening, ``**Follow-up.** ...``, is a heading and not one of them."""
    prose = re.sub(r"^\*\*[^*]+\*\*\s+", "", masked(text))
    words = [match[1].lstrip("([*_\"'“‘") for match in SENTENCE_END.finditer(prose)]
    return 1 + sum(not re.fullmatch(r"[A-Z]", word) and word.lower() not in ABBREVIATIONS.split() for word in words)


BARE = ("code", "heading", "myst_target")


@rule("NB301")
def one_sentence_a_line(chapter: Chapter) -> Iterator[Fault]:
    """No line of prose holds two sentences.

    Why: a change of a sentence is then a change of a line, and reads so in a diff.

    How: break the line after each full stop; a list item may have several lines.
    """
    for block in chapter.prose:
        for line in block.text.splitlines():
            if sentences(line) > 1:
                yield block.cell, f"more than one sentence in the line {line!r}"


@rule("NB302")
def one_line_a_sentence(chapter: Chapter) -> Iterator[Fault]:
    """No sentence is broken over lines, and display mathematics stands between blank lines.

    Why: for the same reason.

    How: join the lines; put a blank line before and after ``$$``.
    """
    for block in chapter.prose:
        for line in block.text.splitlines()[:-1]:
            if not LINE_END.search(masked(line)):
                yield block.cell, f"the sentence goes on after the line {line!r}"


@rule("NB303")
def introduced(chapter: Chapter) -> Iterator[Fault]:
    """Text stands before each visible code cell, exercises apart.

    Why: code without a word before it is a riddle.

    How: say in a sentence what the cell computes.
    """
    for before, part in pairwise(chapter.visible):
        if part.kind == "code" and part.section != "Exercises" and before.kind in BARE:
            yield part.cell, "no text before the code"


@rule("NB304")
def read_out(chapter: Chapter) -> Iterator[Fault]:
    """Text stands after each visible code cell that has an output, exercises apart.

    Why: an output that nobody reads out teaches nothing.

    How: say in a sentence what the output shows.
    """
    for part, after in pairwise([*chapter.visible, Block("heading", "the end")]):
        if isinstance(part, Code) and part.section != "Exercises" and part.node.outputs and after.kind in BARE:
            yield part.cell, "no text after the output"


# 4: code

LINES = 12


@rule("NB401")
def plain_python(chapter: Chapter) -> Iterator[Fault]:
    """Each code cell is plain Python, without magics.

    Why: a notebook runs in any Python, and its cells are read by the tests.

    How: no ``%`` and no ``!``.
    """
    for code in chapter.code:
        if not code.tree.body:
            yield code.cell, "not plain Python"


@rule("NB402")
def imports(chapter: Chapter) -> Iterator[Fault]:
    """The first code cell imports, and no other.

    Why: a reader sees at once what is needed, and a notebook that starts has all it needs.

    How: one cell of imports; move others there.
    """
    for number, code in enumerate(chapter.code):
        importing = any(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(code.tree))
        if code.tree.body and importing != (number == 0):
            yield code.cell, "an import after the first code cell" if number else "the first code cell imports nothing"


@rule("NB403")
def short(chapter: Chapter) -> Iterator[Fault]:
    """A code cell has at most 12 lines; the imports, folded drawings and hidden checks may have more.

    Why: a cell is one idea.

    How: split it, or move what is used twice to ``metrics_lib``.
    """
    for code in chapter.code[1:]:
        count = len(code.source.splitlines())
        if count > LINES and not code.hidden and "hide-input" not in code.tags:
            yield code.cell, f"{count} lines of code, expected at most {LINES}"


@rule("NB404")
def comments(chapter: Chapter) -> Iterator[Fault]:
    """A code cell has at most one comment, quotes of a hidden check apart; what needs more is told in the text.

    Why: a story in comments is read by nobody; the text tells it.

    How: move comments into the text before the cell.
    """
    for code in chapter.code:
        comments = [token.string for token in code.tokens if token.type == tokenize.COMMENT]
        count = sum(not (code.hidden and held.QUOTING.match(comment)) for comment in comments)
        if count > 1:
            yield code.cell, f"{count} comments, expected at most one"


@rule("NB405")
def semicolons(chapter: Chapter) -> Iterator[Fault]:
    """No semicolons: they do not keep an output from being compared.

    Why: the comparison of outputs ignores them, so the output would stay.

    How: bind the value: ``_ = ax.plot(...)``.
    """
    for code in chapter.code:
        if any(token.type == tokenize.OP and token.string == ";" for token in code.tokens):
            yield code.cell, "a semicolon; bind the value instead, as in _ = ax.plot(...)"


@rule("NB406")
def randomness(chapter: Chapter) -> Iterator[Fault]:
    """Random numbers come from ``np.random.default_rng(seed)`` only.

    Why: a run must give the same bytes tomorrow.

    How: ``rng = np.random.default_rng(0)``, then ``rng.random(9)``.
    """
    for code in chapter.code:
        for node in ast.walk(code.tree):
            match node:
                case ast.Attribute(value=ast.Attribute(attr="random"), attr=name) if name != "default_rng":
                    yield code.cell, f"np.random.{name} instead of np.random.default_rng(seed)"
                case ast.Call(
                    func=ast.Attribute(attr="default_rng") | ast.Name(id="default_rng"), args=[], keywords=[]
                ):
                    yield code.cell, "default_rng without a seed"
                case ast.alias(name="random") | ast.ImportFrom(module="random" | "numpy.random"):
                    yield code.cell, "the module random is imported"


@rule("NB407")
def figure_settings(chapter: Chapter) -> Iterator[Fault]:
    """Titles and sizes of figures are not set in cells: captions are metadata, sizes the book's style.

    Why: the site sets captions, numbers and sizes alike for all figures.

    How: ``use_book_style()`` in the first cell; caption and name in the cell's metadata (NB501).
    """
    names = {"rcParams", "set_figheight", "set_figwidth", "set_size_inches", "set_title", "suptitle"}
    for code in chapter.code:
        for node in ast.walk(code.tree):
            match node:
                case ast.Attribute(attr=name) if name in names:
                    yield code.cell, f"{name} is set"
                case ast.Attribute(value=ast.Name(id="plt"), attr="title"):
                    yield code.cell, "a title is set"
                case ast.Call(func=ast.Attribute(attr="set"), keywords=keywords) if "title" in {
                    k.arg for k in keywords
                }:
                    yield code.cell, "a title is set"
                case ast.keyword(arg="figsize"):
                    yield code.cell, "figsize is set"


@rule("NB408")
def offline(chapter: Chapter) -> Iterator[Fault]:
    """Nothing is fetched from a network, neither by code nor by an image.

    Why: the book works on a train.

    How: put the numbers into the cell, draw the picture.
    """
    for code in chapter.code:
        if re.search(r"https?://|\burllib\b|\brequests\b", code.source):
            yield code.cell, "code that reaches for the network"
    for block in chapter.blocks:
        inline = block.kind != "directive" and re.search(r"!\[[^]]*\]\(https?:", block.text)
        if inline or (block.name in ("image", "figure") and block.argument.startswith("http")):
            yield block.cell, "an image from the network"


@rule("NB409")
def hidden_checks(chapter: Chapter) -> Iterator[Fault]:
    """A hidden cell (``remove-cell``) only checks: asserts, glue, and what these two need.

    Why: readers do not see them, so nothing of the book may happen there.

    How: only asserts, glue, and assignments, loops or ``with`` blocks that they need.
    """
    for code in chapter.code:
        if not code.hidden or not code.tree.body:
            continue
        checks = [node for node in ast.walk(code.tree) if isinstance(node, ast.Assert) or is_glue(node)]
        if not checks:
            yield code.cell, "a hidden cell without an assert"
        for node in code.tree.body:
            if not isinstance(node, ast.Assert | ast.Assign | ast.For | ast.With) and not is_glue(node):
                yield code.cell, f"a hidden cell holds {ast.unparse(node).splitlines()[0]!r}"


def is_glue(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith("glue(")


@rule("NB410")
def hidden_names(chapter: Chapter) -> Iterator[Fault]:
    """No visible cell uses a name that a hidden cell assigns.

    Why: a reader who cannot see the name's cell cannot run theirs.

    How: assign the name in a visible cell, or give the hidden one another name.
    """
    used = {
        node.id
        for code in chapter.code
        if not code.hidden
        for node in ast.walk(code.tree)
        if isinstance(node, ast.Name)
    }
    for code in chapter.code:
        if code.hidden and code.tree.body:
            symbols = symtable.symtable(code.source, "cell", "exec").get_symbols()
            for name in sorted(symbol.get_name() for symbol in symbols if symbol.is_assigned()):
                if name in used:
                    yield code.cell, f"a hidden cell assigns {name}, which a visible cell uses"


@rule("NB411")
def compared(chapter: Chapter) -> Iterator[Fault]:
    """Every output is compared: no tags but those that hide, no marks that tell nbval to look away.

    Why: an output that is not compared may be out of date.

    How: remove the tag or the mark; make the output the same in every run.
    """
    for code in chapter.code:
        unknown = code.tags - {"hide-input", "remove-cell", "remove-input"}
        if unknown:
            yield code.cell, f"the tags {sorted(unknown)}"
        if re.search("NBVAL_|PYTEST_VALIDATE", code.source):
            yield code.cell, "a mark that excepts the cell from comparison"


# 5: figures and outputs


def captions(code: Code) -> dict[str, str]:
    """What a figure is called, tells and shows."""
    mystnb = code.node.metadata.get("mystnb", {})
    figure, image = mystnb.get("figure", {}), mystnb.get("image", {})
    texts = {"figure.name": figure.get("name"), "figure.caption": figure.get("caption"), "image.alt": image.get("alt")}
    return {key: (text or "").strip() for key, text in texts.items()}


@rule("NB501")
def captioned(chapter: Chapter) -> Iterator[Fault]:
    """Each figure has a name, a caption and alt text in its cell's metadata ``mystnb``.

    Why: the site numbers a figure by its name, and who cannot see it reads the alt text.

    How: cell metadata ``{"mystnb": {"figure": {"name": "fig-x", "caption": "..."}, "image": {"alt": "..."}}}``.
    """
    for code in chapter.code:
        for key, text in captions(code).items():
            if code.images and not text:
                yield code.cell, f"a figure without mystnb.{key}"


@rule("NB502")
def alt_text(chapter: Chapter) -> Iterator[Fault]:
    """Alt text says in 30 characters or more what the figure shows, not what the caption tells.

    Why: the caption stands beside the figure and is read out anyway.

    How: say what the eye sees: axes, lines, where they cross.
    """
    for code in chapter.code:
        alt = captions(code)["image.alt"]
        if alt and (len(alt) < 30 or alt == captions(code)["figure.caption"]):
            yield code.cell, f"alt text that is too short or repeats the caption: {alt!r}"


@rule("NB503")
def vector(chapter: Chapter) -> Iterator[Fault]:
    """Figures are SVG, which is compared; bitmaps are not.

    Why: SVG is text and can be compared, and is sharp at every size.

    How: ``use_book_style()``; no ``imshow`` of large arrays.
    """
    for code in chapter.code:
        for kind in sorted(code.images - {"image/svg+xml"}):
            yield code.cell, f"a figure as {kind}"


@rule("NB504")
def quiet(chapter: Chapter) -> Iterator[Fault]:
    """No output went to the error stream, hence no warning, and none is an error.

    Why: a warning in print is a question nobody answers.

    How: mend its cause, or catch the error and print it.
    """
    for code in chapter.code:
        if any(output.get("name") == "stderr" or output.output_type == "error" for output in code.node.outputs):
            yield code.cell, "a warning or an error in the output"


@rule("NB505")
def no_machine(chapter: Chapter) -> Iterator[Fault]:
    """No absolute path and no address in memory, in a source or an output.

    Why: both differ on the next machine.

    How: do not print objects without a text of their own; use paths relative to the notebook.
    """
    path = re.compile(r"/(?:Users|home|opt|root|tmp|usr|work)/|[A-Z]:\\\\Users| at 0x[0-9a-f]{6}")
    for number, cell in enumerate(chapter.notebook.cells, start=1):
        found = path.search(json.dumps([cell.source, cell.get("outputs")]))
        if found:
            yield number, f"the path or address {found[0]!r}..."


# 6: what holds words and numbers


@rule("NB601")
def sound_quotes(chapter: Chapter) -> Iterator[Fault]:
    """What a hidden check quotes stands in its section, and an assert below the quote holds it.

    Why: a quote that stands nowhere holds nothing.

    How: quote verbatim from a sentence of the same level-2 section, with an assert below: see *Words* above.
    """
    lines = list(held.sentences(chapter))
    for quote in held.quotes(chapter):
        if quote.fault:
            yield quote.cell, quote.fault
        elif not any(quote.words in line for _, section, line in lines if section == quote.section):
            yield quote.cell, f"the section does not say {quote.words!r}"


@rule("NB602")
def held_claims(chapter: Chapter) -> Iterator[Fault]:
    """Each always, never, only, every, most, usually, because, cannot and count in words is quoted by a check.

    Why: these are the words that were wrong most often.

    How: ``# holds: "..."`` above an assert with the sentence's own quantifier, or ``# open: "..." (why)``: see *Words*
    above.
    """
    yield from held.unheld_claims(chapter)


@rule("NB603")
def held_numbers(chapter: Chapter) -> Iterator[Fault]:
    """Each number of the prose is in the code or the outputs of its section, or in the record of its box.

    Why: a number typed by hand is right until something else changes.

    How: compute it in the section (a hidden cell will do), or quote it in a check that holds it.
    """
    yield from held.unheld_numbers(chapter)


# 7: lessons

WORDS = 1500
CELLS = 14
BEFORE_PICTURE = 150
LESSON = [
    "In one line",
    "By hand",
    "How good is",
    "What it cannot see",
    "The choices",
    "On real data",
    "Try it",
    "Further",
]
LENGTH = 75


def words(chapter: Chapter) -> int:
    """The words that a reader of a lesson meets, code and what registries show apart."""
    kinds = ("paragraph", "item", "heading", "td", "th")
    return sum(len(held.plain(block.text).split()) for block in chapter.of_kind(*kinds))


@rule("NB701")
def lesson_sections(chapter: Chapter) -> Iterator[Fault]:
    """A lesson opens with the decision, and its level-2 sections come in the fixed order.

    Why: who knows one lesson finds the formula, the picture or the keyword in each.

    How: the decision without a heading, then ``## In one line``, ``## By hand``, ``## How good is ...?``,
    ``## What it cannot see``, ``## The choices``, ``## On real data``, ``## Try it``, ``## Further``.
    """
    names = [heading.text for heading in chapter.headings if heading.level == 2]
    if len(names) != len(LESSON) or not all(map(str.startswith, names, LESSON)):
        yield 1, f"the sections are {names}, expected {LESSON}"


@rule("NB702")
def lesson_length(chapter: Chapter) -> Iterator[Fault]:
    """A lesson has at most 1,500 words and 14 visible code cells, exercises apart.

    Why: a lesson is read in one sitting; what is longer is two lessons, or a chapter.

    How: cut what the decision does not need; details of a document stand in its chapter.
    """
    count = words(chapter)
    if count > WORDS:
        yield 1, f"{count} words, expected at most {WORDS}"
    cells = [code for code in chapter.code if not code.hidden and code.section != "Try it"]
    if len(cells) > CELLS:
        yield cells[CELLS].cell, f"{len(cells)} visible code cells, expected at most {CELLS}"


@rule("NB703")
def lesson_picture(chapter: Chapter) -> Iterator[Fault]:
    """The first picture or lab of a lesson stands in its opening, after at most 150 words.

    Why: it belongs on the first screen, beside the question that it answers.

    How: tell the story in a few lines, then draw both systems, with ``hide-input``.
    """
    before = 0
    for part in chapter.parts:
        if (isinstance(part, Code) and part.images) or getattr(part, "name", "") == "lab":
            break
        if part.section:
            yield 1, "no picture before the first section"
            break
        before += len(held.plain(part.text).split()) if isinstance(part, Block) and part.kind != "directive" else 0
    if before > BEFORE_PICTURE:
        yield 1, f"{before} words before the first picture, expected at most {BEFORE_PICTURE}"


@rule("NB704")
def no_errata(chapter: Chapter) -> Iterator[Fault]:
    """A lesson has no erratum box.

    Why: a newcomer learns the metric, not the proof-reading.

    How: the box stands in the document's chapter; the lesson has a line on it under *What the documents print*.
    """
    for box in chapter.directives:
        if box.name in ("erratum", "small-points"):
            yield box.cell, f"the erratum box {box.argument!r}"


@rule("NB705")
def one_line(chapter: Chapter) -> Iterator[Fault]:
    """A box of class ``in-one-line`` holds a labelled formula and a call of the library in its section.

    Why: it is the answer of sixty seconds, and can be read alone.

    How: an ``{admonition}`` with ``:class: in-one-line``; in it ``$$ ... $$ (eq-lesson-...)`` and a call in backticks.
    """
    boxes = [box for box in chapter.of_class("in-one-line") if box.section == "In one line"]
    if len(boxes) != 1 or not re.search(r"\$\$ \(eq-lesson-", boxes[0].text) or not re.search(r"`\w+\(", boxes[0].text):
        yield chapter.start("In one line"), "expected one box of class in-one-line with a labelled formula and a call"


@rule("NB706")
def choices(chapter: Chapter) -> Iterator[Fault]:
    """The choices are a table of three rows or more, with keywords as code.

    Why: a convention without its keyword and its value is an opinion.

    How: a row for each convention: choice, keyword, value on the example, who does it.
    """
    rows = [block for block in chapter.of_kind("td") if block.section == "The choices"]
    heads = [block for block in chapter.of_kind("th") if block.section == "The choices"]
    if not heads or len(rows) < 3 * len(heads) or not any("`" in cell.text for cell in rows):
        yield chapter.start("The choices"), "expected a table of at least three choices with their keywords as code"


@rule("NB707")
def real_data(chapter: Chapter) -> Iterator[Fault]:
    """The case reads a file of ``cases/``, or draws its data from a seeded generator and says so.

    Why: a metric is learned on data that do not know the lesson.

    How: ``np.genfromtxt("cases/...")``, a file of ``book/lessons/cases``, whose README has its source; or
    ``default_rng``.
    """
    source = "\n".join(code.source for code in chapter.code if code.section == "On real data")
    if not re.search(r"cases/[\w-]+\.csv|default_rng\(\d+\)", source):
        yield chapter.start("On real data"), "the case reads no file of cases/ and draws nothing from default_rng(seed)"


@rule("NB708")
def lesson_exercises(chapter: Chapter) -> Iterator[Fault]:
    """There are one or two exercises, in *Try it*.

    Why: who has read wants to try at once; more exercises stand in the interview part.

    How: ``{exercise-start}`` ... ``{try-it} <label>`` ``{exercise-end}``, then its solution; what is tried has a record
    in ``book/data/try_it.yml``.
    """
    count = len(chapter.gated("exercise"))
    if count not in (1, 2) or any(exercise.section != "Try it" for exercise, _ in chapter.gated("exercise")):
        yield chapter.start("Try it"), f"{count} exercises, expected one or two in Try it"


FURTHER = ["Take-aways", "Asked in interviews", "What the documents print", "Reading"]


@rule("NB709")
def further(chapter: Chapter) -> Iterator[Fault]:
    """*Further* has metric cards, three linked take-aways, two questions or more, the documents and reading.

    Why: the lesson ends where the next step begins.

    How: ``{metric-card}``, then the bold lines ``**Take-aways**`` with three items, ``**Asked in interviews**`` with
    ``{question}``, ``**What the documents print**`` and ``**Reading**``.
    """
    heads = [
        block.text.strip("*") for block in chapter.of_kind("paragraph") if re.fullmatch(r"\*\*[^*]+\*\*", block.text)
    ]
    if [head for head in heads if head in FURTHER] != FURTHER:
        yield chapter.start("Further"), f"expected the bold lines {FURTHER}"
    shown = [block.name for block in chapter.directives if block.section == "Further"]
    has_cards = any(card["home"] == f"{chapter.path.parent.name}/{chapter.path.stem}" for card in load("cards"))
    if has_cards != ("metric-card" in shown) or shown.count("question") < 2:
        yield chapter.start("Further"), "expected the metric cards whose home it is and two questions or more"
    linked = [item for item in chapter.items("Further") if re.search(r"\]\(#|\{(?:eq|numref|ref)\}`", item.text)]
    if len(linked) != 3:
        yield chapter.start("Further"), f"{len(linked)} take-aways that link to their proof on the page, expected three"


@rule("NB710")
def narrow(chapter: Chapter) -> Iterator[Fault]:
    """No line of visible code in a lesson or a chapter is longer than 75 characters; folded drawings may be.

    Why: a longer one scrolls sideways on the page.

    How: name the parts, or end the last argument of a call with a comma, which keeps it broken.
    """
    for code in chapter.code:
        if not code.hidden and "hide-input" not in code.tags:
            for line in code.source.splitlines():
                if len(line) > LENGTH:
                    yield code.cell, f"{len(line)} characters, expected at most {LENGTH}: {line!r}"


# 8: chapters of documents

VISIBLE_WORDS = 2000
MEDIAN_WORDS = 1600  # over all chapters, which a test of its own holds


def visible_words(chapter: Chapter) -> int:
    """The words that a reader of a chapter meets before anything is unfolded: those of solutions do not count."""
    folded = [part for _, parts in chapter.gated("solution") for part in parts]
    kinds = ("paragraph", "item", "heading", "td", "th")
    shown = [block for block in chapter.of_kind(*kinds) if not any(block is part for part in folded)]
    return sum(len(held.plain(block.text).split()) for block in shown)


@rule("NB801")
def chapter_title(chapter: Chapter) -> Iterator[Fault]:
    """The title of a chapter names the metric and the document, and its first paragraph links to the lesson.

    Why: who lands here from a search sees that it is a proof-reading, and where the metric is taught.

    How: ``# NDCG in document 004``; then ``[The lesson on NDCG](../lessons/ndcg.ipynb) teaches the metric ...``.
    """
    document = chapter.path.parent.name[:3]
    if not chapter.headings[0].text.endswith(f" in document {document}"):
        yield 1, f"the title is {chapter.headings[0].text!r}, expected '... in document {document}'"
    if "](../lessons/" not in chapter.prose[0].text:
        yield chapter.prose[0].cell, "the first paragraph links to no lesson"


@rule("NB802")
def chapter_length(chapter: Chapter) -> Iterator[Fault]:
    """A chapter has at most 2,000 visible words; the median of all is at most 1,600.

    Why: who looks for one formula of a document finds it at a glance.

    How: what teaches the metric stands in the lesson; an erratum is a line until it is unfolded.
    """
    count = visible_words(chapter)
    if count > VISIBLE_WORDS:
        yield 1, f"{count} visible words, expected at most {VISIBLE_WORDS}"


@rule("NB803")
def chapter_ends(chapter: Chapter) -> Iterator[Fault]:
    """After the body come ``## Small points``, with ``{small-points}``, and ``## Exercises``, each where there are any.

    Why: wording, notation and missing parts wait until the numbers are done.

    How: ``{small-points}`` makes the table from the registry of errata.
    """
    names = [heading.text for heading in chapter.headings if heading.level == 2]
    known = [name for name in ("Small points", "Exercises") if name in names]
    if names[len(names) - len(known) :] != known:
        yield 1, f"the sections are {names}, expected {known} at the end"
    shown = [block.section for block in chapter.directives if block.name == "small-points"]
    if shown != ["Small points"] * ("Small points" in names):
        yield chapter.start("Small points"), f"{{small-points}} stands in {shown}, expected once, under Small points"


@rule("NB804")
def known_boxes(chapter: Chapter) -> Iterator[Fault]:
    """Each ``{erratum}`` and ``{convention}`` has the id of a record, and stands once.

    Why: a box is a record, so that the chapter and the page of the errata say the same.

    How: take the id from ``book/data/errata/`` or ``book/data/conventions.yml``.
    """
    for name, registry in (("erratum", "errata"), ("convention", "conventions")):
        yield from unknown_or_twice(chapter, name, {record["id"] for record in load(registry)})


@rule("NB805")
def no_line_numbers(chapter: Chapter) -> Iterator[Fault]:
    """A chapter names sections of its document, not lines.

    Why: readers have the document, not our copy; lines stand on the pages of the errata.

    How: the name of the section.
    """
    for block in chapter.blocks:
        if block.kind in held.PROSE and (found := re.search(r"\blines? \d+", block.text)):
            yield block.cell, f"{found[0]!r}"


@rule("NB806")
def real_tables(chapter: Chapter) -> Iterator[Fault]:
    """No visible cell prints in a loop.

    Why: a table of printed lines has no heads for a screen reader, and falls apart on a phone.

    How: ``Table(head, rows)`` or, for what a document prints, ``compare(rows)`` of ``metrics_lib.printed``.
    """
    for code in chapter.code:
        repeated = ast.For | ast.While | ast.ListComp | ast.GeneratorExp
        loops = [node for node in ast.walk(code.tree) if isinstance(node, repeated)]
        calls = [node for loop in loops for node in ast.walk(loop) if isinstance(node, ast.Call)]
        if not code.hidden and any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls):
            yield code.cell, "print in a loop"
