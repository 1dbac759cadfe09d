"""Pytest without what it would do for nothing."""

import atexit
import gc
import os
import sys
from collections.abc import Iterator

import pytest

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


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let a process of xdist end at once: all is reported, and to take a gigabyte apart takes seconds."""
    if hasattr(config, "workerinput"):
        gc.collect()
        gc.freeze()
        atexit.register(os._exit, 0)
