"""A keyword that a text names exists, and so does its value.

Wherever a page, a Markdown cell or a registry writes ``name=`` or ``name="value"``, some public function has that
parameter; the function itself, if the text writes the call. Where docstrings list the words that a parameter takes,
the value is one of them. A name with an underscore in backticks is one of the library's, of scikit-learn's or NumPy's,
or of the notebook's own code.
"""

import builtins
import inspect
import re
from functools import cache

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

import metrics_lib
from book._ext.records import read
from metrics_book import practice, printed
from metrics_lib import plot, sql, trec, uncertainty
from tests.registries import ROOT
from tools import notebooks

OTHERS = {
    "type": "CatBoost's NDCG",
    "ndcg_exp_gain": "XGBoost's parameters",
    "key": "list.sort",
    "reverse": "list.sort",
    "map_at_k": "recommenders",
    "ndcg_cut_10": "trec_eval",
    "adaptive_k": "torchmetrics",
    "row_number": "SQL",
    "power_divergence": "SciPy",
    "equal_var": "SciPy's ttest_ind",
    "fisher_exact": "SciPy",
    "proportions_ztest": "statsmodels",
    "maximum_relevance": "Elasticsearch",
    "recip_rank": "trec_eval",
    "empty_target_action": "torchmetrics",
    "predict_proba": "scikit-learn's classifiers",
    "metrics_lib": "the package",
    "metrics_book": "the other package",
}
"""Names that are not looked up, and whose they are."""

KEYWORD = re.compile(r"""(?<![\w.$\\])([a-z]\w+)=(?!=)("[^"]*"|'[^']*')?""")
CALL = re.compile(r"([A-Za-z_][\w.]*)\([^()]*$")
NAME = re.compile(r"[A-Za-z_]\w+")
EVALUATED = {"claims", "expr", "numbers", "sklearn_call"}


def functions():
    """Every public function by the name under which a text calls it, scikit-learn's after ours."""
    found = {}
    for module in (metrics_lib, plot, practice, printed, sql, trec, uncertainty):
        for name in module.__all__:
            found.setdefault(name, []).append(getattr(module, name))
    for name in dir(sklearn_metrics):
        if not name.startswith("_") and callable(getattr(sklearn_metrics, name)):
            found.setdefault(name, []).append(getattr(sklearn_metrics, name))
    return found


FUNCTIONS = functions()
EVERY = [function for named in FUNCTIONS.values() for function in named]


@cache
def parameters(function):
    """The parameters of a function; of a class, those of its methods."""
    if inspect.isclass(function):
        return set().union(
            *(parameters(part) for name, part in inspect.getmembers(function, inspect.isroutine) if callable(part))
        )
    try:
        return set(inspect.signature(function).parameters)
    except ValueError:
        return set()


def words(function, parameter):
    """The words that a docstring lists for a parameter."""
    line = re.search(rf"^\s*(?:\w+, )*{parameter}(?:, \w+)* : (.*)$", function.__doc__ or "", re.MULTILINE)
    return set(re.findall(r"['\"]([\w ]+)['\"]", line[1])) if line else set()


def candidates(before):
    """The functions that a keyword may belong to: those of the call around it, or all."""
    called = CALL.search(before)
    if called is None:
        return EVERY
    module, _, name = called[1].rpartition(".")
    if module == "np":
        return [getattr(np, name)]
    return FUNCTIONS.get(name, EVERY)


def wrong_keywords(text):
    for match in KEYWORD.finditer(text):
        name, value = match[1], (match[2] or "").strip("'\"")
        if name in OTHERS:
            continue
        having = [function for function in candidates(text[: match.start()]) if name in parameters(function)]
        listed = set().union(*(words(function, name) for function in having))
        if not having or (value and listed and value not in listed):
            yield match[0]


KNOWN = set(OTHERS) | set(FUNCTIONS) | set(dir(np)) | set(dir(builtins)) | set(dir(metrics_lib))
KNOWN |= set(practice.exercises())
KNOWN |= {name for function in EVERY for name in parameters(function)}
KNOWN |= {name for function in EVERY if inspect.isclass(function) for name in dir(function)}


def wrong_names(text, own=frozenset()):
    for span in in_backticks(text):
        if re.fullmatch(r"[a-z]\w*_\w+", span) and span not in KNOWN | own:
            yield span


def in_backticks(text):
    return re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)


def strings(value):
    """Every text of a registry that is read; what is evaluated is tested by its value."""
    if isinstance(value, dict):
        for inner in value.keys() - EVALUATED:
            yield from strings(value[inner])
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, str):
        yield value


@cache
def texts(path):
    """What a reader sees of a file, as (text in which keywords are looked for, text with names in backticks)."""
    if path.suffix == ".yml":
        found = list(strings(read(path)))
        return [re.sub(r"\$[^$]*\$", "", text) for text in found], found
    if path.suffix == ".ipynb":
        found = [cell.source for cell in notebooks.read(path).cells if cell.cell_type == "markdown"]
    else:
        found = [path.read_text(encoding="utf-8")]
    return [span for text in found for span in in_backticks(text)], found


def names_of_its_code(path):
    """What a notebook defines or uses itself."""
    if path.suffix != ".ipynb":
        return set()
    code = "\n".join(cell.source for cell in notebooks.read(path).cells if cell.cell_type == "code")
    return set(NAME.findall(code))


FILES = [path for kind in ("*.md", "*.yml", "*.ipynb") for path in sorted((ROOT / "book").rglob(kind))]
FILES = [path for path in FILES if path.name not in ("README.md", "FIELDS.md")]  # those are not part of the book


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT / "book").as_posix())
def test_a_keyword_that_a_text_names_exists(path):
    keywords, names = texts(path)
    own = names_of_its_code(path)
    assert [wrong for text in keywords for wrong in wrong_keywords(text)] == []
    assert [wrong for text in names for wrong in wrong_names(text, own)] == []


@pytest.mark.parametrize(
    "text",
    [
        'undefined="drop"',
        "ignore_tie=True",
        "zero_divison=0",
        "zero_divide=",
        "pools=",
        'mean_average_precision(rel, n_relevant=..., undefined="drop")',
        "ndcg(rel, k, pool=judged)",
        'ndcg(rel[:k], gain="log")',
        'fbeta_score(y_true, y_pred, average="pooled")',
        "recall_at_k(rel, 3, beta=2)",
        "np.var(y_true, dof=1)",
    ],
)
def test_a_wrong_keyword_is_found(text):
    assert list(wrong_keywords(text))


@pytest.mark.parametrize(
    "text", ['average="pooled"', "gauc(y, s, groups, undefined=0)", "np.var(y, ddof=1)", "labels=[1, 0]", "f(x) == 2"]
)
def test_a_right_keyword_passes(text):
    assert not list(wrong_keywords(text))


def test_a_misspelt_name_is_found():
    assert list(wrong_names("`zero_divison` and `average_precision_scores`, not `ndcg_score`")) == [
        "zero_divison",
        "average_precision_scores",
    ]


def test_no_exception_is_idle():
    written = "\n".join(text for path in FILES for text in texts(path)[1])
    assert [name for name in OTHERS if not re.search(rf"\b{name}(?:=|`)", written)] == []
