"""Before any test: sound registries, and one profile for Hypothesis: no deadline, as a machine may be busy."""

import pytest
from hypothesis import settings

from book._ext.records import all_faults

settings.register_profile("metrics", deadline=None)
settings.load_profile("metrics")


def pytest_configure() -> None:
    """Name what the registries lack and stop: most modules read them while tests are collected."""
    faults = all_faults()
    if faults:
        pytest.exit("\n".join(["the registries are not what book/data/schema.yml asks for:", *faults]), returncode=1)
