"""The rules of style themselves: a sound chapter breaks none, and each small fault breaks exactly its own rule."""

from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from tests.book import style
from tests.book.chapter import Box, Chapter, boxes
from tools import notebooks


def text(source: str) -> NotebookNode:
    return v4.new_markdown_cell(source)


def code(source: str, *outputs: NotebookNode, **metadata: object) -> NotebookNode:
    return v4.new_code_cell(source, outputs=list(outputs), metadata=metadata, execution_count=1)


def figure(kind: str = "image/svg+xml") -> NotebookNode:
    return v4.new_output("display_data", {kind: "<svg/>", "text/plain": "<Figure size 450x300 with 1 Axes>"})


def exercise(label: str, task: str) -> list[NotebookNode]:
    return [
        text(f"```{{exercise-start}} Task\n:label: {label}\n```\n\n{task}\n\n```{{exercise-end}}\n```"),
        text(f"```{{solution-start}} {label}\n:class: dropdown\n```"),
        code("f(2)", v4.new_output("execute_result", {"text/plain": "2"})),
        text("```{solution-end}\n```"),
    ]


def sound() -> NotebookNode:
    """A chapter in which nothing is wrong."""
    captioned = {
        "figure": {"name": "fig-f", "caption": "The function f."},
        "image": {"alt": "A line that rises from (0, 0) to (1, 1)."},
    }
    questions = ["auc-meaning", "ndcg-definition", "ap-by-hand"]
    return v4.new_notebook(
        cells=[
            text(
                "(f)=\n# The function $f$\n\n## Overview\n\nOne sentence, e.g. this.\nHere is Fig. 2 of it.\nOne more."
            ),
            text("## You will be able to\n\n- compute f,\n- *prove* it,\n- tell it from g."),
            code("import numpy as np\n\nfrom metrics_lib import f\n\nuse_book_style()"),
            text("## The function\n\nIt maps $1.$ to 1. to itself:\n\n$$\nf(x) = x.\n$$ (eq-f)\n\nLook:"),
            code(
                "rng = np.random.default_rng(0)\nf(rng.random())",
                v4.new_output("execute_result", {"text/plain": "0.6"}),
            ),
            code(
                "expected = 0.6\nassert f(expected) == expected\n"
                '# holds: "It never falls"\nassert sorted(map(f, x)) == list(map(f, x))\n'
                '# open: ", usually" (what is usual is no result)',
                tags=["remove-cell"],
            ),
            text("The value is 0.6.\n\n### Its picture\n\n(see-f)=\nThe line:"),
            code("# One comment is allowed.\n_ = ax.plot(x, f(x))\nplt.show()", figure(), mystnb=captioned),
            text(
                "It rises.\n\nIt never falls, usually.\n\n"
                ":::{admonition} Erratum\n:class: erratum\n:name: erratum-004-45\nIt is g.\n:::\n\n"
                ":::{admonition} Erratum\n:class: warning erratum\n:name: erratum-x-18\nThe texts differ.\n:::"
            ),
            text("## Metric card\n\n```{metric-card} ndcg\n```\n\n```{metric-card} dcg\n```"),
            text("## Exercises"),
            *exercise("one", "Compute f(2)."),
            *exercise("two", "Compute f(2) anew."),
            *exercise("three", "Find a counter-example."),
            text("## In the interview\n\n" + "\n\n".join(f"```{{question}} {name}\n```" for name in questions)),
            text("## Take-aways\n\n- f is linear: {eq}`eq-f`.\n- It rises, see [its picture](#see-f).\n  It goes on."),
            text("## Further reading\n\n- A. Author, *On f.*\n  It proves the identity."),
        ]
    )


def faults(notebook: NotebookNode) -> list[str]:
    return style.faults(Chapter(Path("book/000-foundations/f.ipynb"), notebook))


def test_sound_chapter_breaks_no_rule() -> None:
    assert faults(sound()) == []


Change = Callable[[NotebookNode], object]
BAD: list[tuple[str, int, Change]] = []


def bad(rule: str, cell: int, change: Change) -> None:
    """A rule, the cell that breaks it, and how to make a sound chapter do so."""
    BAD.append((rule, cell, change))


def replaced(rule: str, cell: int, old: str, new: str, *, at: int = 0) -> None:
    """Other words in a cell; the fault is reported there unless ``at`` says where."""

    def change(notebook: NotebookNode) -> None:
        source = notebook.cells[cell - 1].source
        assert old in source
        notebook.cells[cell - 1].source = source.replace(old, new)

    bad(rule, at or cell, change)


def output(rule: str, cell: int, *outputs: NotebookNode) -> None:
    bad(rule, cell, lambda notebook: notebook.cells[cell - 1].update(outputs=list(outputs)))


def metadata(rule: str, cell: int, **changed: object) -> None:
    bad(rule, cell, lambda notebook: notebook.cells[cell - 1].metadata.update(changed))


replaced("NB101", 1, "(f)=\n", "")
replaced("NB101", 1, "(f)=\n", "Text first.\n\n(f)=\n")
replaced("NB102", 4, "Look:", "# Another\n\n## More\n\nLook:")
replaced("NB103", 4, "Look:", "#### Deep\n\nLook:")
replaced("NB104", 1, "## Overview", "## Preview\n\nText.\n\n## Overview")
replaced("NB104", 4, "## The function", "### The function", at=1)
replaced("NB104", 10, "## Metric card", "## Metric cards\n\n## Metric card", at=1)
replaced("NB104", 10, "## Metric card", "## Exercises\n\n## Metric card", at=1)
replaced("NB201", 1, "Here is Fig. 2 of it.\n", "")
replaced("NB202", 2, "- *prove* it,\n", "")
replaced("NB202", 2, "- *prove* it,\n", 4 * "- *prove* it,\n")
replaced("NB203", 2, "compute f", "understand f")
replaced("NB204", 10, "metric-card", "note")
replaced("NB205", 10, "} ndcg", "} ndgc")
replaced("NB205", 10, "} ndcg", "} dcg")
bad("NB206", 11, lambda notebook: notebook.cells.__delitem__(slice(11, 15)))
replaced("NB207", 12, ":label: one\n", "")
replaced("NB208", 13, ":class: dropdown", ":class: note", at=12)
replaced("NB208", 13, "{solution-start} one", "{solution-start} four", at=12)
bad("NB209", 13, lambda notebook: notebook.cells[13].update(execution_count=None))
bad("NB209", 13, lambda notebook: notebook.cells.__delitem__(13))
replaced("NB210", 20, "counter-example", "proof", at=11)
replaced("NB211", 24, "{question}", "{note}")
replaced("NB212", 24, "ap-by-hand", "ap-by-foot")
replaced("NB212", 24, "ap-by-hand", "auc-meaning")
replaced("NB213", 25, " {eq}`eq-f`", " surely")
replaced("NB213", 25, "- ", "")
replaced("NB214", 26, "- ", "")
replaced("NB215", 9, ":name: erratum-004-45\n", "")
replaced("NB215", 9, "erratum-x-18", "erratum-X-18")
replaced("NB215", 9, "erratum-x-18", "erratum-004-45")
replaced("NB301", 7, "0.6.\n", "0.6. It is small.\n")
replaced("NB301", 9, "is g.", "is $g.$ It means f.")
replaced("NB301", 25, "[its picture](#see-f).\n  It", "[its picture](#see-f). It")
replaced("NB302", 7, "The value is 0.6.", "The value\nis 0.6.")
replaced("NB302", 4, "itself:\n\n$$", "itself, that is\n$$")
bad("NB303", 6, lambda notebook: notebook.cells.insert(4, code("f(2)")))
replaced("NB303", 4, "\n\nLook:", "\n\n### Look", at=5)
replaced("NB304", 7, "The value is 0.6.\n\n", "", at=5)
bad("NB304", 28, lambda notebook: notebook.cells.extend([text("Once more:"), sound().cells[4]]))
replaced("NB401", 5, "f(rng", "%timeit f(rng")
replaced("NB402", 5, "rng =", "import this\nrng =")
replaced("NB402", 3, "import numpy as np\n\nfrom metrics_lib import f\n\n", "")
replaced("NB403", 5, "rng =", 11 * "x = 1\n" + "rng =")
replaced("NB404", 5, "rng =", "# One.\n# Two.\nrng =")
replaced("NB405", 5, "f(rng.random())", "f(rng.random());")
replaced("NB406", 5, "default_rng(0)", "default_rng()")
replaced("NB406", 5, "default_rng(0)", "RandomState(0)")
replaced("NB406", 3, "import numpy as np\n", "import random\n")
replaced("NB406", 3, "import numpy as np\n", "from numpy.random import rand\n")
replaced("NB407", 8, "plt.show()", "plt.title('f')\nplt.show()")
replaced("NB407", 8, "plt.show()", "ax.set_title('f')\nplt.show()")
replaced("NB407", 8, "plt.show()", "ax.set(title='f')\nplt.show()")
replaced("NB407", 8, "plt.show()", "plt.figure(figsize=(3, 2))\nplt.show()")
replaced("NB408", 5, "rng =", "x = load('https://example.org/x.csv')\nrng =")
replaced("NB408", 9, "It rises.", "![f](https://example.org/f.png)")
replaced("NB408", 9, "It rises.", ":::{figure} https://example.org/f.png\n:::")
replaced("NB409", 6, "assert f(expected) == expected", "print(f(expected))")
replaced("NB409", 6, "assert f", "del y\nassert f")
bad("NB409", 10, lambda notebook: notebook.cells.insert(9, code("unused = 0.6", tags=["remove-cell"])))
replaced("NB410", 6, "expected", "rng")
replaced("NB411", 5, "rng =", "# NBVAL_IGNORE_OUTPUT\nrng =")
metadata("NB411", 5, tags=["nbval-skip"])
metadata("NB501", 8, mystnb={})
metadata("NB501", 8, mystnb={"figure": {"name": "f", "caption": "f"}, "image": {}})
metadata("NB502", 8, mystnb={"figure": {"name": "f", "caption": 30 * "f"}, "image": {"alt": 30 * "f"}})
metadata("NB502", 8, mystnb={"figure": {"name": "f", "caption": "f"}, "image": {"alt": "A line."}})
output("NB503", 8, figure("image/png"))
output("NB504", 5, v4.new_output("stream", name="stderr", text="careful\n"))
output("NB504", 5, v4.new_output("error", ename="ValueError", evalue="no", traceback=[]))
output("NB505", 5, v4.new_output("stream", text="x\n/home/me/x.csv\n"))
output("NB505", 5, v4.new_output("execute_result", {"text/plain": "<f at 0x7f3a5c0d1e50>"}))
replaced("NB601", 6, "assert f(", '# holds: "It falls"\nassert f(')
replaced("NB601", 6, "assert f(", "# holds It rises\nassert f(")
replaced("NB601", 6, "assert sorted(map(f, x)) == list(map(f, x))\n", "")
replaced("NB601", 6, "sorted(map(f, x)) == list(map(f, x))", "1 == 1")
replaced("NB601", 6, " (what is usual is no result)", "")
replaced("NB602", 9, "It rises.", "It always rises.")
replaced("NB602", 9, "It rises.", "It rises at three places.")
replaced("NB603", 9, "It rises.", "It rises by 0.7.")
replaced("NB603", 9, "It rises.", "It rises to 17.")
replaced("NB603", 9, "It rises.", r"It rises by 60 %, by 3/5 and by $\\frac{7}{9}$.")
replaced("NB603", 9, "It rises.", "It rises by one sixth.")
replaced("NB505", 9, "It rises.", r"It lies in `C:\Users\me`.")


@pytest.mark.parametrize(("rule", "cell", "change"), BAD, ids=[f"{rule}-{n}" for n, (rule, _, _) in enumerate(BAD)])
def test_fault_breaks_exactly_its_rule(rule: str, cell: int, change: Change) -> None:
    notebook = sound()
    change(notebook)
    places = {message.partition(":")[0] for message in faults(notebook)}
    assert places == {f"book/000-foundations/f.ipynb cell {cell} {rule}"}


@pytest.mark.parametrize(("rule", "cell", "change"), BAD, ids=[f"{rule}-{n}" for n, (rule, _, _) in enumerate(BAD)])
def test_a_notebook_that_is_no_chapter_needs_no_fixed_sections(rule: str, cell: int, change: Change) -> None:
    notebook = sound()
    change(notebook)
    found = style.faults(Chapter(Path("book/interview/f.ipynb"), notebook))
    assert bool(found) != (rule == "NB104" or rule.startswith("NB2"))


LESSON = notebooks.BOOK / "lessons" / "confusion-matrix.ipynb"
IN_LESSONS: dict[str, Change] = {}


def in_lesson(rule: str, old: str, new: str) -> None:
    """Other words where some stand in a sound lesson."""

    def change(notebook: NotebookNode) -> None:
        cell = next(cell for cell in notebook.cells if old in cell.source)
        cell.source = cell.source.replace(old, new, 1)

    IN_LESSONS[rule] = change


def no_pictures(notebook: NotebookNode) -> None:
    for cell in notebook.cells[:6]:
        cell.outputs = []


in_lesson("NB701", "## By hand", "## The calculation")
in_lesson("NB702", "Perfect is 1", "word " * 1500 + "Perfect is 1")
IN_LESSONS["NB703"] = no_pictures
in_lesson("NB704", "**How sure.**", ":::{admonition} Erratum\n:class: erratum\n:name: erratum-004-45\nIt is.\n:::\n\n")
in_lesson("NB705", ":class: in-one-line", ":class: tip")
in_lesson("NB706", "by hand, above | who does it |\n|---|---|---|---|", "by hand, above")
in_lesson("NB707", '"cases/flights.csv"', '"flights.csv"')
in_lesson("NB708", "## Try it", "## Exercises")
in_lesson("NB709", "**Reading**", "**Books**")
in_lesson("NB710", "late = np.repeat([1, 0], [140, 860])", "late = np.repeat([1, 0], [140, 860])" + " + 0" * 20)


@pytest.mark.parametrize("rule", IN_LESSONS)
def test_a_fault_in_a_lesson_is_found(rule: str) -> None:
    path, notebook = LESSON.relative_to(notebooks.BOOK.parent), notebooks.read(LESSON)
    assert style.faults(Chapter(path, notebook)) == []
    IN_LESSONS[rule](notebook)
    assert rule in {message.split()[3].strip(":") for message in style.faults(Chapter(path, notebook))}


def test_every_rule_has_a_fault_and_says_what_it_asks() -> None:
    assert {rule for rule, _, _ in BAD} | set(IN_LESSONS) == set(style.RULES)
    assert all(check.__doc__ for check in style.RULES.values())


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("One.", 1),
        ("One. Two.", 2),
        ("Is it so? (It is.)", 2),
        ("**Range.** From 0 to 1.", 1),
        ("**It is so.** *Is it?* Yes.", 2),
        ("It has a range. **From 0 to 1.** No more.", 3),
        ("It is `x.` The rest follows.", 2),
        ("It is $x$. The rest follows.", 2),
        ("It costs 3.5 points, i.e. NDCG, vs. Fig. 2 of K. Järvelin et al. 2002.", 1),
        ("See [the text. Here](https://example.org/a. B).", 2),
        ("The code `a. B` and $a. B$ and {eq}`a. B` end nothing.", 1),
        ("What? no.", 1),
    ],
)
def test_sentences_are_counted(line: str, count: int) -> None:
    assert style.sentences(line) == count


def test_boxes_are_found_with_their_section() -> None:
    path = Path("book/000-foundations/f.ipynb")
    assert boxes(Chapter(path, sound())) == [Box("004-45", path, "The function"), Box("X-18", path, "The function")]
