"""Time every metric beside its peers and beside a lower bound, in one process, and print ratios.

Run as ``python -m benchmarks [WORD ...]``: only the work whose name holds one of the words, or all of it.
A full run rewrites ``RESULTS.md``. Machines are noisy, so the candidates of one row take turns and only
the ratios of their medians are reported.
"""

import gc
import importlib
import pkgutil
import platform
import statistics
import sys
import time
import warnings
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import benchmarks
from benchmarks import Candidate, Case

ROUNDS = 9
HEADER = ("work", "candidate", "ratio to metrics_lib", "wanted", "verdict")


def seconds(call: Candidate) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def medians(case: Case) -> dict[str, float]:
    """Seconds a call of each candidate, taken in turns after one warm-up."""
    candidates = {"metrics_lib": case.ours, **case.peers, **case.floors}
    repeats = {}
    for name, call in candidates.items():
        call()
        repeats[name] = max(1, round(0.002 / max(seconds(call), 1e-9)))
    times: dict[str, list[float]] = {name: [] for name in candidates}
    gc.disable()
    for _ in range(ROUNDS):
        for name, call in candidates.items():
            times[name].append(min(seconds(call) for _ in range(repeats[name])))
    gc.enable()
    return {name: statistics.median(values) for name, values in times.items()}


def rows(case: Case) -> list[tuple[str, ...]]:
    """How many times slower each peer is, and how many times each floor our own time is."""
    measured = medians(case)
    ours = measured.pop("metrics_lib")
    table = []
    for name, other in measured.items():
        wanted = case.wanted.get(name)
        if name in case.floors:
            ratio, text, met = ours / other, "at most {:g}", lambda r, w: r <= w
        else:
            ratio, text, met = other / ours, "at least {:g}", lambda r, w: r >= w
        verdict = "" if wanted is None else ("met" if met(ratio, wanted) else "MISSED")
        label = f"{name} (ours over it)" if name in case.floors else name
        table.append((case.work, label, f"{ratio:.3g}", "" if wanted is None else text.format(wanted), verdict))
    return table


def installed(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return ""


def report(table: list[tuple[str, ...]]) -> str:
    packages = [
        "numpy",
        "scipy",
        "scikit-learn",
        "pandas",
        "torchmetrics",
        "ranx",
        "pytrec-eval-terrier",
        "ir-measures",
        "duckdb",
    ]
    machine = [platform.machine(), platform.system(), f"Python {platform.python_version()}"]
    lines = [
        "# Benchmarks",
        "",
        "Ratios of median times within one run; a peer's ratio says how many times slower it is,",
        "a floor's how many times its time ours is.",
        "Written by `make bench`; absolute times are left out because they do not travel.",
        "",
        "Machine and versions: " + ", ".join(filter(None, machine + [installed(name) for name in packages])) + ".",
        "",
        "| " + " | ".join(HEADER) + " |",
        "|" + "---|" * len(HEADER),
    ]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in table]) + "\n"


def main(words: list[str]) -> int:
    warnings.simplefilter("ignore")
    table = []
    names = {info.name for info in pkgutil.iter_modules(benchmarks.__path__)}
    for module in sorted(names - {"__main__"}):
        for case in getattr(importlib.import_module(f"benchmarks.{module}"), "cases", tuple)():  # others run by hand
            if words and not any(word in case.work for word in words):
                continue
            for row in rows(case):
                table.append(row)
                print("{:<62} {:<34} {:>8}  {:<14} {}".format(*row), flush=True)
    if not words:
        Path(__file__).with_name("RESULTS.md").write_text(report(table), encoding="utf-8")
    return any("MISSED" in row for row in table)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
