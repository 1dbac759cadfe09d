"""What holds for every public function: its documentation, its place, and what its import costs."""

import inspect
import re
import subprocess
import sys
import tomllib

import pytest

import metrics_lib
from metrics_lib import (
    classification,
    curves,
    information,
    lists,
    measures,
    multilabel,
    plot,
    probabilities,
    ranking,
    recommendation,
    regression,
    sql,
    trec,
    uncertainty,
)
from tests.registries import ROOT, load

FUNCTIONS = {name: getattr(metrics_lib, name) for name in metrics_lib.__all__}
FUNCTIONS |= {name: getattr(module, name) for module in (plot, uncertainty) for name in module.__all__}
FUNCTIONS |= {f"trec.{name}": getattr(trec, name) for name in trec.__all__}  # two names are those of other modules
MODULES = [
    plot,
    classification,
    curves,
    information,
    lists,
    measures,
    multilabel,
    probabilities,
    ranking,
    recommendation,
    regression,
    trec,
    sql,
    uncertainty,
]
# A name of sql is one of metrics_lib, and so it stands with its module.
FUNCTIONS |= {f"sql.{name}": getattr(sql, name) for name in sql.__all__}
METRICS = [name for name in metrics_lib.__all__ if inspect.isfunction(FUNCTIONS[name])]
WITH_SOURCES = METRICS + [name for name in uncertainty.__all__ if inspect.isfunction(FUNCTIONS[name])]
HELPERS = {helper["name"] for helper in load("helpers")}
BIBLIOGRAPHY = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")


def sections(function):
    return set(re.findall(r"^([A-Z][\w ]+)\n-{3,}$", inspect.getdoc(function), re.MULTILINE))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if inspect.isfunction(FUNCTIONS[name])])
def test_a_function_documents_parameters_result_errors_and_an_example(name):
    assert {"Parameters", "Returns", "Raises", "Examples"} <= sections(FUNCTIONS[name])
    documented = set(re.findall(r"^(\w[\w, ]*?)(?: :|$)", inspect.getdoc(FUNCTIONS[name]), re.MULTILINE))
    documented = {word for words in documented for word in words.split(", ")}
    assert set(inspect.signature(FUNCTIONS[name]).parameters) <= documented


@pytest.mark.parametrize("name", WITH_SOURCES)
def test_a_metric_documents_its_formula_and_its_source(name):
    text = inspect.getdoc(FUNCTIONS[name])
    assert {"Notes", "References"} <= sections(FUNCTIONS[name])
    assert ".. math::" in text or name in HELPERS, f"{name}: expected a formula, .. math::, in its notes"
    years = re.findall(r"\((\d{4})\)", text[text.index("References\n---") :])
    assert years
    assert all(re.search(rf"year\s*=\s*\{{{year}\}}", BIBLIOGRAPHY) for year in years)


def docstrings(module):
    """Those of a module, of what it makes public, and of the properties of its classes."""
    for thing in [module, *(getattr(module, name) for name in module.__all__)]:
        parts = [part for key, part in vars(thing).items() if key[0] != "_"] if inspect.isclass(thing) else []
        yield from (inspect.getdoc(part) or "" for part in [thing, *parts])


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_library_knows_no_word_of_the_book(module):
    """It is of use without it; the API pages add the links to cards and lessons."""
    for text in docstrings(module):
        assert not re.findall(r"\b(?:[Ll]essons?|[Cc]hapters?|the book|[Dd]ocuments?\s+\d+)\b", text)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_name_in_single_backticks_is_documented(module):
    """On the API pages it is a reference; parameters and code stand in double backticks."""
    public = {f"{m.__name__}.{name}" for m in MODULES for name in m.__all__}
    public |= {name.removeprefix(f"{module.__name__}.") for name in public}
    for text in docstrings(module):
        assert set(re.findall(r"(?<![:`\w])`([^`\s:]+)`(?!`)", text)) <= public


def test_every_public_name_is_on_an_api_page():
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "book" / "reference").glob("api-*.md"))
    modules = {inspect.getmodule(function).__name__ for function in FUNCTIONS.values()} - {"metrics_lib._arrays"}
    assert {f".. automodule:: {module}" for module in modules} <= set(pages.splitlines())


def run(code):
    command = [sys.executable, "-W", "error", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_version_has_one_source():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "metrics_lib.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", metrics_lib.__version__)


@pytest.mark.parametrize("name", ["plot", "sql", "trec", "uncertainty"])
def test_a_module_is_imported_when_it_is_first_used(name):
    full = f"metrics_lib.{name}"
    out = run(f"import sys, metrics_lib as m; print({full!r} in sys.modules, m.{name}.__name__, {name!r} in dir(m))")
    assert out.split() == ["False", full, "True"]


def test_an_unknown_name_is_no_attribute():
    with pytest.raises(AttributeError, match="module 'metrics_lib' has no attribute 'ncdg'"):
        metrics_lib.ncdg  # noqa: B018


def test_plotting_without_matplotlib_says_what_to_install():
    hidden = "import sys; sys.modules['matplotlib'] = sys.modules['cycler'] = None\n"
    code = "try:\n    import metrics_lib.plot\nexcept ModuleNotFoundError as error:\n    print(error)"
    assert "metrics_lib[plot]" in run(hidden + code)


def test_the_package_says_what_it_holds():
    modules = {module.__name__.rpartition(".")[2] for module in map(inspect.getmodule, FUNCTIONS.values())}
    named = set(re.findall(r"``(?:metrics_lib\.)?(\w+)``", metrics_lib.__doc__))
    assert modules - {"_arrays"} <= named


def test_importing_the_library_imports_nothing_but_numpy():
    code = "import sys; import metrics_lib; print(*{name.partition('.')[0] for name in sys.modules})"
    loaded = set(run(code).split()) - set(sys.stdlib_module_names)
    allowed = {"numpy", "metrics_lib", "__main__", "_distutils_hack", "sitecustomize", "usercustomize"}
    assert not {name for name in loaded if not name.startswith("__editable__")} - allowed
