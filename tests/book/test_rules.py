"""The rules themselves: a sound notebook breaks none, and each small fault breaks its own rule and no other."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from tests.book import held, rules
from tests.book.chapter import Box, Chapter, boxes
from tools import notebooks

CLAIMS = """
from metrics_lib import f
from tests.claims.runner import holds, proved, section, unchecked


@section("The function")
def test_the_function(x):
    holds("It never falls")
    assert sorted(map(f, x)) == list(map(f, x))
    proved("maps 1 to itself")
    assert all(abs(n) == n for n in range(9))
    unchecked(", usually", "what is usual is no result")
"""


def text(source: str) -> NotebookNode:
    return v4.new_markdown_cell(source)


def code(source: str, *outputs: NotebookNode, **metadata: object) -> NotebookNode:
    return v4.new_code_cell(source, outputs=list(outputs), metadata=metadata, execution_count=1)


def figure(kind: str = "image/svg+xml") -> NotebookNode:
    return v4.new_output("display_data", {kind: "<svg/>", "text/plain": "<Figure size 450x300 with 1 Axes>"})


def sound() -> NotebookNode:
    """A chapter in which nothing is wrong."""
    captioned = {
        "figure": {"name": "fig-f", "caption": "The function f."},
        "image": {"alt": "A line that rises from (0, 0) to (1, 1)."},
    }
    return v4.new_notebook(
        cells=[
            text("(f)=\n# F in the notes on the foundations\n\n[The lesson](../lessons/f.ipynb) teaches it."),
            code("import numpy as np\n\nfrom metrics_lib import f\n\nuse_book_style()"),
            text("## The function\n\nIt maps 1 to itself:\n\n$$\nf(x) = x.\n$$ (eq-f)"),
            code(
                "rng = np.random.default_rng(0)\nf(rng.random())",
                v4.new_output("execute_result", {"text/plain": "0.6"}),
            ),
            text("The value is 0.6.\n\n### Its picture"),
            code("_ = ax.plot(x, f(x))\nplt.show()", figure(), mystnb=captioned),
            text("It rises.\n\nIt never falls, usually.\n\n```{erratum} 004-45\n```\n\n```{erratum} 004-40\n```"),
            text("```{card-links} ndcg\n```\n\n```{question} auc-meaning\n```\n\n## Exercises"),
            text("```{exercise-start} Task\n:label: one\n```\n\nCompute it.\n\n```{exercise-end}\n```"),
            text("```{solution-start} one\n:class: dropdown\n```"),
            code("f(2)", v4.new_output("execute_result", {"text/plain": "2"})),
            text("```{solution-end}\n```"),
        ]
    )


Change = Callable[[NotebookNode], object]
FAULTS: list[tuple[str, int, Change, str]] = []


def fault(rule: str, cell: int, change: Change = lambda notebook: None, *, claims: str = CLAIMS) -> None:
    """A rule, the cell that is to break it, and what makes a sound chapter, or its claims, do so."""
    FAULTS.append((rule, cell, change, claims))


def words(rule: str, cell: int, old: str, new: str, *, at: int = 0) -> None:
    """Other words in a cell; the fault is found there unless ``at`` says where."""

    def change(notebook: NotebookNode) -> None:
        source = notebook.cells[cell - 1].source
        assert old in source
        notebook.cells[cell - 1].source = source.replace(old, new)

    fault(rule, at or cell, change)


def claim(old: str, new: str, *, at: int) -> None:
    assert old in CLAIMS
    fault("checks_can_fail", at, claims=CLAIMS.replace(old, new))


def output(rule: str, cell: int, *outputs: NotebookNode) -> None:
    fault(rule, cell, lambda notebook: notebook.cells[cell - 1].update(outputs=list(outputs)))


def metadata(rule: str, cell: int, **changed: object) -> None:
    fault(rule, cell, lambda notebook: notebook.cells[cell - 1].metadata.update(changed))


words("titled", 1, "(f)=\n", "")
words("titled", 1, "(f)=\n", "See [it](../lessons/f.ipynb).\n\n(f)=\n")
words("titled", 8, "## Exercises", "# Another\n\n## Exercises")
words("levels", 3, "$$ (eq-f)", "$$ (eq-f)\n\n#### Deep")
words("known_records", 8, "} ndcg", "} ndgc")
words("known_records", 8, "{card-links} ndcg", "{card-links} ndcg ndcg")
words("known_records", 8, "auc-meaning", "auc-meening")
words("known_records", 7, "004-45", "004-99")
words("known_records", 7, "004-40", "004-45")
words("solved", 9, ":label: one\n", "")
words("solved", 10, ":class: dropdown", ":class: note", at=9)
words("solved", 10, "{solution-start} one", "{solution-start} four", at=9)
fault("solved", 10, lambda notebook: notebook.cells[10].update(execution_count=None))
fault("solved", 10, lambda notebook: notebook.cells.pop(10))
words("plain_python", 4, "f(rng", "%timeit f(rng")
words("plain_python", 4, "rng =", "import this\nrng =")
words("plain_python", 2, "import numpy as np\n\nfrom metrics_lib import f\n\n", "")
words("seeded", 4, "default_rng(0)", "default_rng()")
words("seeded", 4, "default_rng(0)", "RandomState(0)")
words("seeded", 2, "import numpy as np\n", "import random\n")
words("seeded", 2, "import numpy as np\n", "from numpy.random import rand\n")
words("offline", 4, "rng =", "x = load('https://example.org/x.csv')\nrng =")
words("offline", 7, "It rises.", "![f](https://example.org/f.png)")
words("offline", 7, "It rises.", ":::{figure} https://example.org/f.png\n:::")
words("compared", 4, "rng =", "# NBVAL_IGNORE_OUTPUT\nrng =")
metadata("compared", 4, tags=["nbval-skip"])
metadata("compared", 4, tags=["remove-cell"])
words("narrow", 4, "f(rng.random())", "f(rng.random())" + " + 0" * 20)
words("narrow", 4, "rng =", "for y in x:\n    print(y)\nrng =")
metadata("captioned", 6, mystnb={})
metadata("captioned", 6, mystnb={"figure": {"name": "f", "caption": "f"}, "image": {}})
metadata("captioned", 6, mystnb={"figure": {"name": "f", "caption": 30 * "f"}, "image": {"alt": 30 * "f"}})
metadata("captioned", 6, mystnb={"figure": {"name": "f", "caption": "f"}, "image": {"alt": "A line."}})
words("drawn_in_style", 6, "plt.show()", "plt.title('f')\nplt.show()")
words("drawn_in_style", 6, "plt.show()", "ax.set_title('f')\nplt.show()")
words("drawn_in_style", 6, "plt.show()", "ax.set(title='f')\nplt.show()")
words("drawn_in_style", 6, "plt.show()", "plt.figure(figsize=(3, 2))\nplt.show()")
output("drawn_in_style", 6, figure("image/png"))
output("quiet", 11, v4.new_output("stream", name="stderr", text="careful\n"))
output("quiet", 11, v4.new_output("error", ename="ValueError", evalue="no", traceback=[]))
output("quiet", 4, v4.new_output("stream", text="x 0.6\n/home/me/x.csv\n"))
output("quiet", 4, v4.new_output("execute_result", {"text/plain": "0.6 <f at 0x7f3a5c0d1e50>"}))
words("quiet", 7, "It rises.", r"It lies in `C:\Users\me`.")
claim("    assert sorted(map(f, x)) == list(map(f, x))\n", "", at=3)
claim("sorted(map(f, x)) == list(map(f, x))", "1 == 1", at=1)
claim("    assert sorted", "    assert len([1, 2]) == 2\n    assert sorted", at=1)
claim("proved(", "holds(", at=1)
words("held_claims", 7, "It rises.", "It always rises.")
words("held_claims", 7, "It rises.", "It rises by 0.6, because f does.")
words("held_numbers", 7, "It rises.", "It rises by 0.7.")
words("held_numbers", 7, "It rises.", "It rises to 17.")
words("held_numbers", 7, "It rises.", r"It rises by 60 %, by 3/5 and by $\frac{7}{9}$.")
words("held_numbers", 7, "It rises.", "It rises by one sixth.")
words("chapter_title", 1, "the notes on the foundations", "the interview notes")
words("chapter_title", 1, "(../lessons/f.ipynb)", "(f.ipynb)")
words("no_line_numbers", 7, "It rises.", "It rises in line 0.6.")


def broken(notebook: NotebookNode, folder: str = "000-foundations") -> set[tuple[str, int]]:
    """The rules that a notebook of some folder breaks, and the cells."""
    chapter = Chapter(Path(f"book/{folder}/f.ipynb"), notebook)
    return {(name, cell) for name, cell, _ in rules.found(chapter)}


@pytest.fixture(autouse=True)
def claims(monkeypatch: pytest.MonkeyPatch) -> None:
    claims_are(CLAIMS, monkeypatch)


def claims_are(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "tree", lambda chapter: ast.parse(source if chapter.path.stem == "f" else ""))


def test_a_sound_chapter_breaks_no_rule() -> None:
    assert broken(sound()) == set()


@pytest.mark.parametrize(("rule", "cell", "change", "claims"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_breaks_its_rule_alone(
    rule: str, cell: int, change: Change, claims: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims_are(claims, monkeypatch)
    notebook = sound()
    change(notebook)
    found = broken(notebook)
    assert found == {(rule, cell)}
    assert ((rule, cell) in broken(notebook, "interview")) == (rules.RULES[rule][1] == "notebooks")


def test_the_message_names_the_cell_and_says_what_to_do() -> None:
    notebook = sound()
    notebook.cells[3].source = "f(np.random.rand())"
    (said,) = rules.faults(Chapter(Path("book/interview/f.ipynb"), notebook))
    assert said.splitlines() == [
        "book/interview/f.ipynb, cell 4: np.random.rand instead of np.random.default_rng(seed)",
        "    Write ``rng = np.random.default_rng(0)``, then ``rng.random(9)``.",
    ]


IN_LESSONS = {
    "lesson_sections": ("## By hand", "## The calculation"),
    "one_line": (":class: in-one-line", ":class: tip"),
    "real_data": ('"cases/flights.csv"', '"flights.csv"'),
}


@pytest.mark.parametrize("rule", IN_LESSONS)
def test_a_fault_in_a_lesson_is_found(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    lesson = notebooks.BOOK / "lessons" / "confusion-matrix.ipynb"
    path, notebook = lesson.relative_to(notebooks.BOOK.parent), notebooks.read(lesson)
    old, new = IN_LESSONS[rule]
    cell = next(cell for cell in notebook.cells if old in cell.source)
    cell.source = cell.source.replace(old, new, 1)
    monkeypatch.setattr(held, "tree", lambda chapter: ast.parse(""))  # the claims name the sections
    assert rule in {name for name, _, _ in rules.found(Chapter(path, notebook))}


def test_a_lesson_opens_with_a_picture_or_a_lab() -> None:
    lesson = notebooks.BOOK / "lessons" / "confusion-matrix.ipynb"
    notebook = notebooks.read(lesson)
    for cell in notebook.cells[:6]:
        cell.outputs = []
    chapter = Chapter(lesson.relative_to(notebooks.BOOK.parent), notebook)
    assert "there is no picture" in "".join(message for _, message in rules.lesson_sections(chapter))


def test_every_rule_has_a_fault() -> None:
    assert {rule for rule, _, _, _ in FAULTS} | set(IN_LESSONS) == set(rules.RULES)


@pytest.mark.parametrize("name", rules.RULES)
def test_a_rule_says_what_a_reader_would_lose_without_it_and_what_to_do(name: str) -> None:
    what, without, _ = rules.parts(rules.RULES[name][0])
    assert what.endswith(".")
    assert without.startswith("Without it ")


def test_boxes_are_found_with_their_section() -> None:
    path = Path("book/000-foundations/f.ipynb")
    assert boxes(Chapter(path, sound())) == [Box("004-45", path, "The function"), Box("004-40", path, "The function")]
