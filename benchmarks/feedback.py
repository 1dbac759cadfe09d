"""Estimates from logs whose truth is known: the figures of the lesson's ``feedback.csv``.

Run as ``python -m benchmarks.feedback``; it takes some seconds.
"weights": how often the 95% percentile interval of the bootstrap contains the truth, if the new policy shows everybody
an item that the log showed to one visitor in ``weight``; "rare" is the same with few clicks and more rows.
"bandit": the same for IPS with the weights of a real log, whose mean is not 1 and does not matter here.
"choices": seven estimators, two kinds of visitor and four products, with intervals of 1.96 standard errors.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CASES = Path(__file__).parents[1] / "book/lessons/cases"
FILE = CASES / "feedback.csv"
HEAD = ("study", "method", "weight", "bias", "spread", "contains")
LOGS, RESAMPLES = 2000, 999
WEIGHTS = (1, 2, 5, 10, 20, 50)
LAWS = {"weights": (0.4, 1000), "rare": (0.005, 10_000)}  # click rate of the item, rows
MODEL = 0.8  # what the model of doubly robust predicts, over the truth

Floats = NDArray[np.float64]


def estimates(counts: NDArray[Any], weight: int, rate: float) -> dict[str, Floats]:
    """The estimates of logs of which we count the rows with the item clicked, with it and not clicked, and without."""
    clicked, not_clicked, others = np.moveaxis(counts, -1, 0)
    rows, shown = clicked + not_clicked + others, clicked + not_clicked
    ips = weight * clicked / rows
    guess = MODEL * rate
    return {
        "IPS": ips,
        "SNIPS": clicked / np.maximum(shown, 1),
        "doubly robust": guess + ips - guess * weight * shown / rows,
    }


def by_weights(study: str, rng: np.random.Generator) -> Iterator[tuple[object, ...]]:
    rate, rows = LAWS[study]
    for weight in WEIGHTS:
        law = np.array([rate, 1 - rate, weight - 1]) / weight
        logs = rng.multinomial(rows, law, LOGS)
        found = estimates(logs, weight, rate)
        drawn = estimates(np.stack([rng.multinomial(rows, log / rows, RESAMPLES) for log in logs]), weight, rate)
        for method, values in found.items():
            low, high = np.quantile(drawn[method], [0.025, 0.975], axis=1)
            yield study, method, weight, values.mean() - rate, values.std(), ((low <= rate) & (rate <= high)).mean()


def by_bandit(rng: np.random.Generator) -> Iterator[tuple[object, ...]]:
    """Logs of 10,000 rows with the weights of the men's campaign, each clicked with the same probability."""
    log = np.genfromtxt(CASES / "bandit-log.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    w = 1 / 34 / log["propensity"][log["campaign"] == "men"]
    rate, rows = 0.0051, len(w)
    truth = rate * w.mean()
    values, contains = [], []
    for _ in range(LOGS):
        clicked = rng.choice(w, rng.binomial(rows, rate))
        drawn = rng.poisson(1, (RESAMPLES, len(clicked))) @ clicked / rows  # of many rows, a few are clicked
        low, high = np.quantile(drawn, [0.025, 0.975])
        values.append(clicked.sum() / rows)
        contains.append(low <= truth <= high)
    yield "bandit", "IPS", 0, np.mean(values) - truth, np.std(values), np.mean(contains)


# Of two kinds of visitor: the click rates of four products, and how often the log showed each
RATES = np.array([[0.5, 0.2, 0.1, 0.1], [0.1, 0.2, 0.3, 0.2]])
POLICY = np.array([[0.7, 0.1, 0.1, 0.1], [0.5, 0.2, 0.05, 0.25]])


def by_choices(rng: np.random.Generator) -> Iterator[tuple[object, ...]]:
    """The new policy shows each kind its best product; the model does not tell the kinds apart."""
    best, rows = RATES.argmax(axis=1), 1000
    truth = RATES.max(axis=1).mean()
    found: dict[str, list[tuple[float, float]]] = {}
    for _ in range(LOGS):
        kind = rng.integers(0, 2, rows)
        shown = (rng.random(rows)[:, None] > POLICY.cumsum(axis=1)[kind]).sum(axis=1)
        click = (rng.random(rows) < RATES[kind, shown]) * 1.0
        same = shown == best[kind]
        w = same / POLICY[kind, shown]
        model, after = (RATES.mean(axis=0)[item] for item in (shown, best[kind]))
        uniform = rng.integers(0, 4, rows)
        liked = (rng.random(rows) < RATES[kind, uniform]) * 1.0
        snips = (w * click).sum() / w.sum()
        samples = {
            "IPS": w * click,
            "SNIPS": snips + w * (click - snips) / w.mean(),  # the delta method
            "clipped at 2": np.minimum(w, 2) * click,
            "model": after,
            "doubly robust": after + w * (click - model),
            "replay": click[same],
            "replay of a random log": liked[uniform == best[kind]],
        }
        for method, values in samples.items():
            error = values.std(ddof=1) / math.sqrt(len(values))
            found.setdefault(method, []).append((float(values.mean()), float(error)))
    for method, pairs in found.items():
        value, error = np.transpose(pairs)
        contains = (abs(value - truth) <= 1.959964 * error).mean()
        yield "choices", method, 0, value.mean() - truth, value.std(), contains


def studies() -> Iterator[tuple[object, ...]]:
    """Each study, with a seed of its own."""
    for seed, study in enumerate(LAWS):
        yield from by_weights(study, np.random.default_rng(seed))
    yield from by_choices(np.random.default_rng(2))
    yield from by_bandit(np.random.default_rng(3))


def main() -> None:
    lines = [",".join(HEAD)]
    lines += [f"{study},{way},{weight},{a:.4f},{b:.4f},{c:g}" for study, way, weight, a, b, c in studies()]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
