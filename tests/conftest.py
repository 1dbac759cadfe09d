"""Before any test: sound registries, one profile for Hypothesis (no deadline, as a machine may be busy), an order."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import settings

from book._ext.records import all_faults

settings.register_profile("metrics", deadline=None)
settings.load_profile("metrics")


@pytest.hookimpl(trylast=True)  # the processes of xdist have begun to collect
def pytest_sessionstart(session: pytest.Session) -> None:
    """Name what the registries lack and stop: most modules read them while tests are collected."""
    faults = [] if hasattr(session.config, "workerinput") else all_faults()
    if faults:
        pytest.exit("\n".join(["the registries are not what book/data/schema.yml asks for:", *faults]), returncode=1)


# What takes longest begins first, so that no process is left alone with it in the end.
LONG = [
    "tests/browser/test_readers_notebooks.py",
    "tests/browser/test_jupyterlab.py",
    "tests/book/test_notebook_tool.py",
    "tests/library/test_sql.py",
    "tests/library/test_scikit_learns_own_tests.py",
    "tests/library/test_typing.py",
    "tests/browser/",
    "book/",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def place(item: pytest.Item) -> int:
        return next((n for n, start in enumerate(LONG) if item.nodeid.startswith(start)), len(LONG))

    items.sort(key=place)


# What the front page says of the tests: no source, and so in no commit.
RUN = Path(__file__).parents[1] / "_build" / "tests.json"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    """Write down what a complete run gave that passed."""
    option = config.option
    complete = config.args == config.getini("testpaths")
    if exitstatus or not complete or option.keyword or option.markexpr or option.collectonly:
        return
    passed, skipped = (len(terminalreporter.stats.get(name, [])) for name in ("passed", "skipped"))
    RUN.parent.mkdir(exist_ok=True)
    RUN.write_text(json.dumps({"day": str(date.today()), "passed": passed, "skipped": skipped}), encoding="utf-8")
