"""One profile for all tests with Hypothesis: no deadline, as a busy machine may take its time."""

from hypothesis import settings

settings.register_profile("metrics", deadline=None)
settings.load_profile("metrics")
