"""Side-by-side timings: each module here yields its cases, ``python -m benchmarks`` runs them."""

from collections.abc import Callable
from dataclasses import dataclass, field

Candidate = Callable[[], object]


@dataclass
class Case:
    """One piece of work: our call, the peers' calls, the floors nothing can go below, and the ratios wanted."""

    work: str
    ours: Candidate
    peers: dict[str, Candidate] = field(default_factory=dict)
    floors: dict[str, Candidate] = field(default_factory=dict)
    wanted: dict[str, float] = field(default_factory=dict)
