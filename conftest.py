"""Pytest without what it would do for nothing."""

import atexit
import gc
import os
import sys
from collections.abc import Iterator

import pytest
from _pytest.runner import runtestprotocol

# On import jsonschema compiles dozens of grammars of addresses in other alphabets, in each process anew. No schema here
# asks for one. Nbval needs jsonschema, so it is loaded after this line; no plugin is loaded because it is installed.
sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]

pytest_plugins = ["nbval.plugin", "tests.forked_kernels"]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Twenty thousand tests stay until the end: nothing is gained by looking through them for what may go."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Of a test in a process of xdist only the outcome is reported, not its beginning, set-up and end."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let a process of xdist end at once: all is reported, and to take a gigabyte apart takes seconds."""
    if hasattr(config, "workerinput"):
        gc.collect()
        gc.freeze()
        atexit.register(os._exit, 0)
