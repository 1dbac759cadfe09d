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
    return v4.new_notebook(
        cells=[
            text("(f)=\n# F in document 000\n\n[The lesson](../lessons/f.ipynb) teaches it.\nHere is Fig. 2 of it."),
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
            text("It rises.\n\nIt never falls, usually.\n\n```{erratum} 004-45\n```\n\n```{erratum} X-19\n```"),
            text("```{metric-card} ndcg\n```\n\n```{question} auc-meaning\n```"),
            text("## Small points\n\n```{small-points}\n```"),
            text("## Exercises"),
            *exercise("one", "Compute f(2)."),
            *exercise("two", "Compute f(2) anew."),
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
replaced("NB101", 1, "(f)=\n", "See [it](../lessons/f.ipynb).\n\n(f)=\n")
replaced("NB102", 3, "Look:", "# Another\n\n## More\n\nLook:")
replaced("NB103", 3, "Look:", "#### Deep\n\nLook:")
replaced("NB205", 9, "} ndcg", "} ndgc")
replaced("NB205", 9, "ndcg\n```", "ndcg\n```\n\n```{metric-card} ndcg\n```")
replaced("NB207", 12, ":label: one\n", "")
replaced("NB208", 13, ":class: dropdown", ":class: note", at=12)
replaced("NB208", 13, "{solution-start} one", "{solution-start} four", at=12)
bad("NB209", 13, lambda notebook: notebook.cells[13].update(execution_count=None))
bad("NB209", 13, lambda notebook: notebook.cells.__delitem__(13))
replaced("NB212", 9, "auc-meaning", "auc-meening")
replaced("NB301", 6, "0.6.\n", "0.6. It is small.\n")
replaced("NB301", 8, "It rises.", "It is $g.$ It means f.")
replaced("NB301", 8, "It rises.", "- It rises, see [its picture](#see-f). It goes on.")
replaced("NB302", 6, "The value is 0.6.", "The value\nis 0.6.")
replaced("NB302", 3, "itself:\n\n$$", "itself, that is\n$$")
bad("NB303", 5, lambda notebook: notebook.cells.insert(3, code("f(2)")))
replaced("NB303", 3, "\n\nLook:", "\n\n### Look", at=4)
replaced("NB304", 6, "The value is 0.6.\n\n", "", at=4)
bad("NB304", 11, lambda notebook: notebook.cells.__setitem__(slice(9, 9), [text("Once more:"), sound().cells[3]]))
replaced("NB401", 4, "f(rng", "%timeit f(rng")
replaced("NB402", 4, "rng =", "import this\nrng =")
replaced("NB402", 2, "import numpy as np\n\nfrom metrics_lib import f\n\n", "")
replaced("NB403", 4, "rng =", 11 * "x = 1\n" + "rng =")
replaced("NB404", 4, "rng =", "# One.\n# Two.\nrng =")
replaced("NB405", 4, "f(rng.random())", "f(rng.random());")
replaced("NB406", 4, "default_rng(0)", "default_rng()")
replaced("NB406", 4, "default_rng(0)", "RandomState(0)")
replaced("NB406", 2, "import numpy as np\n", "import random\n")
replaced("NB406", 2, "import numpy as np\n", "from numpy.random import rand\n")
replaced("NB407", 7, "plt.show()", "plt.title('f')\nplt.show()")
replaced("NB407", 7, "plt.show()", "ax.set_title('f')\nplt.show()")
replaced("NB407", 7, "plt.show()", "ax.set(title='f')\nplt.show()")
replaced("NB407", 7, "plt.show()", "plt.figure(figsize=(3, 2))\nplt.show()")
replaced("NB408", 4, "rng =", "x = load('https://example.org/x.csv')\nrng =")
replaced("NB408", 8, "It rises.", "![f](https://example.org/f.png)")
replaced("NB408", 8, "It rises.", ":::{figure} https://example.org/f.png\n:::")
replaced("NB409", 5, "assert f(expected) == expected", "print(f(expected))")
replaced("NB409", 5, "assert f", "del y\nassert f")
bad("NB409", 9, lambda notebook: notebook.cells.insert(8, code("unused = 0.6", tags=["remove-cell"])))
replaced("NB410", 5, "expected", "rng")
replaced("NB411", 4, "rng =", "# NBVAL_IGNORE_OUTPUT\nrng =")
metadata("NB411", 4, tags=["nbval-skip"])
metadata("NB501", 7, mystnb={})
metadata("NB501", 7, mystnb={"figure": {"name": "f", "caption": "f"}, "image": {}})
metadata("NB502", 7, mystnb={"figure": {"name": "f", "caption": 30 * "f"}, "image": {"alt": 30 * "f"}})
metadata("NB502", 7, mystnb={"figure": {"name": "f", "caption": "f"}, "image": {"alt": "A line."}})
output("NB503", 7, figure("image/png"))
output("NB504", 4, v4.new_output("stream", name="stderr", text="careful\n"))
output("NB504", 4, v4.new_output("error", ename="ValueError", evalue="no", traceback=[]))
output("NB505", 4, v4.new_output("stream", text="x 0.6\n/home/me/x.csv\n"))
output("NB505", 4, v4.new_output("execute_result", {"text/plain": "<f at 0x7f3a5c0d1e50>"}))
replaced("NB505", 8, "It rises.", r"It lies in `C:\Users\me`.")
replaced("NB601", 5, "assert f(", '# holds: "It falls"\nassert f(')
replaced("NB601", 5, "assert f(", "# holds It rises\nassert f(")
replaced("NB601", 5, "assert sorted(map(f, x)) == list(map(f, x))\n", "")
replaced("NB601", 5, "sorted(map(f, x)) == list(map(f, x))", "1 == 1")
replaced("NB601", 5, " (what is usual is no result)", "")
replaced("NB602", 8, "It rises.", "It always rises.")
replaced("NB602", 8, "It rises.", "It rises at three places.")
replaced("NB603", 8, "It rises.", "It rises by 0.7.")
replaced("NB603", 8, "It rises.", "It rises to 17.")
replaced("NB603", 8, "It rises.", r"It rises by 60 %, by 3/5 and by $\frac{7}{9}$.")
replaced("NB603", 8, "It rises.", "It rises by one sixth.")
replaced("NB710", 4, "f(rng.random())", "f(rng.random())" + " + 0" * 20)
replaced("NB801", 1, "F in document 000", "F in document 001")
replaced("NB801", 1, "(../lessons/f.ipynb)", "(f.ipynb)")
replaced("NB802", 8, "It rises.", "It rises" + " and rises" * 1000 + ".", at=1)
replaced("NB803", 10, "```{small-points}\n```", "```{small-points}\n```\n\n## More", at=1)
replaced("NB803", 10, "```{small-points}\n```", "None.")
replaced("NB804", 8, "004-45", "004-99")
replaced("NB804", 8, "X-19", "004-45")
replaced("NB805", 8, "It rises.", "It rises in line 0.6.")
replaced("NB806", 4, "rng =", "for y in x:\n    print(y)\nrng =")


@pytest.mark.parametrize(("rule", "cell", "change"), BAD, ids=[f"{rule}-{n}" for n, (rule, _, _) in enumerate(BAD)])
def test_fault_breaks_exactly_its_rule(rule: str, cell: int, change: Change) -> None:
    notebook = sound()
    change(notebook)
    places = {message.partition(":")[0] for message in faults(notebook)}
    assert places == {f"book/000-foundations/f.ipynb cell {cell} {rule}"}


@pytest.mark.parametrize(("rule", "cell", "change"), BAD, ids=[f"{rule}-{n}" for n, (rule, _, _) in enumerate(BAD)])
def test_a_notebook_that_is_no_chapter_is_bound_by_the_common_rules(rule: str, cell: int, change: Change) -> None:
    notebook = sound()
    change(notebook)
    found = style.faults(Chapter(Path("book/interview/f.ipynb"), notebook))
    assert bool(found) != rule.startswith(("NB2", "NB7", "NB8"))


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
in_lesson("NB704", "**How sure.**", "```{erratum} 004-45\n```\n\n")
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
    assert boxes(Chapter(path, sound())) == [Box("004-45", path, "The function"), Box("X-19", path, "The function")]
