"""The values that a lab shows in a state, computed by metrics_lib: for its tables, and for the tests of its script.

A state is the text by which a link to the lab carries it, its parts between full stops.
A scored item is a letter: its place in the alphabet is the score, and a capital is a positive.
An order is the letters of its documents, with a mark after those that it returns.
The values of a system on the queries of a test are two digits each, hundredths.
"""

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from metrics_lib import (
    ConfusionCounts,
    accuracy_score,
    average_precision,
    average_precision_score,
    cumulative_gain,
    dcg,
    expected_reciprocal_rank,
    f1_score,
    gauc,
    macro_f1_score,
    ndcg,
    precision_at_k,
    precision_score,
    recall_at_k,
    recall_score,
    reciprocal_rank,
    roc_auc_score,
)
from metrics_lib.uncertainty import bootstrap

FORMS = {
    "threshold": r"[a-kA-K]{1,24}\.(\d|1[01])\.([1-9]|1\d|20)\.(10-1|5-1|2-1|1-1|1-2|1-5|1-10|1-20)",
    "averaging": r"(?=.*[1-9])" + r"\.".join(["-".join([r"(0|[1-9]\d?)"] * 3)] * 3),
    "groups": r"([a-uA-U]{1,8}\.){3}\d{3}",
    "ranked-list": r"(?![^.]*([^.])[^.]*\1)[-K-NP-U]{3,11}\.[0-3]{2,10}\.([1-9]|10)\.(linear|exponential)"
    r"\.(relevant|min|hits|k)\.(list|judged)\.(p|recall|ap|rr|cg|dcg|ndcg|err)",
    "bootstrap": r"((\d\d){5,40}\.){2}([5-9]|[1-3]\d|40)\.([1-9]|10)\.(rows|users)\.(paired|apart)\.[1-9]\d?"
    r"\.([1-9]\d{0,3}|10000)",
}
DOCUMENTS, END = "KLMNPQRSTU", "-"
MAX_GRADE = 3
CUTS = range(12)  # one below each of the eleven scores, one above all
STEPS = (10, 100, 1000, 10_000)  # draws at which the interval is looked at


def read(lab: str, text: str) -> list[str]:
    """The parts of a state; ValueError if the text is none."""
    parts = text.split(".")
    if not re.fullmatch(FORMS[lab], text, re.ASCII) or (lab in FITS and not FITS[lab](*parts)):
        raise ValueError(f"{text!r} is no state of the lab {lab}, expected {FORMS[lab]}")
    return parts


def complete(order: str, grades: str, k: str, *_: str) -> bool:
    """Whether the order holds each document that has a grade, and k is a rank of one."""
    return sorted(order) == [END, *DOCUMENTS[: len(grades)]] and int(k) <= len(grades)


def enough(a: str, b: str, n: str, size: str, unit: str, *_: str) -> bool:
    """Whether both systems have n values, and there are two users or more to be drawn if any."""
    return len(a) == len(b) >= 2 * int(n) and int(size) < int(n) and (unit == "rows" or size != "1")


FITS: dict[str, Callable[..., bool]] = {"ranked-list": complete, "bootstrap": enough}


def scored(letters: str) -> tuple[np.ndarray, np.ndarray]:
    """The labels and the scores of items."""
    y_true = np.array([letter.isupper() for letter in letters], dtype=int)
    return y_true, np.array([ord(letter) - ord("a") for letter in letters.lower()])


def auc(y_true: np.ndarray, y_score: np.ndarray, **options: Any) -> float:
    """The AUC, undefined where there is one class only."""
    return roc_auc_score(y_true, y_score, **options) if 0 < y_true.sum() < len(y_true) else np.nan


def threshold(text: str) -> dict[str, Any]:
    letters, cut, weight, cost = read("threshold", text)
    y_true, y_score = scored(letters)
    weights = np.where(y_true, 1, int(weight))
    counts = [ConfusionCounts.from_labels(y_true, (y_score >= cut).astype(int), sample_weight=weights) for cut in CUTS]
    alarm, miss = map(int, cost.split("-"))
    costs = [(alarm * count.fp + miss * count.fn) / int(weights.sum()) for count in counts]
    here = counts[int(cut)]
    return {
        "tp": here.tp,
        "fp": here.fp,
        "fn": here.fn,
        "tn": here.tn,
        "prevalence": here.prevalence,
        "accuracy": here.accuracy,
        "precision": here.precision,
        "recall": here.recall,
        "fpr": here.false_positive_rate,
        "f1": here.f1,
        "auc": auc(y_true, y_score, sample_weight=weights),
        "ap": average_precision_score(y_true, y_score, sample_weight=weights) if y_true.any() else np.nan,
        "cost": costs[int(cut)],
        "costs": costs,
        "best": [cut for cut in CUTS if costs[cut] == min(costs)],
        "roc": [[count.false_positive_rate, count.recall] for count in reversed(counts)],
        "pr": [[count.recall, count.precision] for count in reversed(counts)],
    }


def groups(text: str) -> dict[str, Any]:
    *users, own = read("groups", text)
    y_true, y_score = scored("".join(users))
    user = np.repeat(["a", "b", "c"], list(map(len, users)))
    own_weights = dict(zip("abc", map(int, own), strict=True))
    values = {f"auc_{name}": auc(y_true[user == name], y_score[user == name]) for name in own_weights}
    counted = [weight for name, weight in own_weights.items() if not np.isnan(values[f"auc_{name}"])]
    return values | {
        "auc": auc(y_true, y_score),
        "gauc_impressions": gauc(y_true, y_score, user),
        "gauc_clicks": gauc(y_true, y_score, user, weights="clicks"),
        "gauc_uniform": gauc(y_true, y_score, user, weights="uniform"),
        "gauc_own": gauc(y_true, y_score, user, weights=own_weights) if sum(counted) else np.nan,
    }


def averaging(text: str) -> dict[str, Any]:
    counts = [int(count) for row in read("averaging", text) for count in row.split("-")]
    y_true = np.repeat([0, 0, 0, 1, 1, 1, 2, 2, 2], counts)
    y_pred = np.repeat([0, 1, 2] * 3, counts)
    scores = {"precision": precision_score, "recall": recall_score, "f1": f1_score}
    values: dict[str, Any] = {"accuracy": accuracy_score(y_true, y_pred)}
    for name, score in scores.items():
        one = partial(score, y_true, y_pred, labels=[0, 1, 2])
        values[name] = one(average=None, zero_division=np.nan).tolist()
        values |= {f"{mean}_{name}": one(average=mean, zero_division=0) for mean in ("micro", "macro", "weighted")}
    values["f1_of_means"] = macro_f1_score(y_true, y_pred, definition="f1_of_means", labels=[0, 1, 2], zero_division=0)
    return values


def ranked_list(text: str) -> dict[str, Any]:
    order, digits, cut, gain, denominator, pool, _ = read("ranked-list", text)
    grades, k = list(map(int, digits)), int(cut)
    returned = [grades[DOCUMENTS.index(name)] for name in order.split(END)[0]]
    padded = returned + [0] * (len(grades) - len(returned))  # adds nothing, and a list may be empty
    n_relevant = sum(grade > 0 for grade in grades)

    def divided(denominator: Any) -> float:
        return average_precision(padded, k, n_relevant=n_relevant, denominator=denominator)

    def discounted(gain: Any) -> float:
        return dcg(padded, k, gain=gain)

    def normalised(gain: Any, pool: str) -> float:
        return ndcg(padded, k, gain=gain, judged=grades if pool == "judged" else padded)

    gains, denominators, pools = ("linear", "exponential"), ("relevant", "min", "hits", "k"), ("list", "judged")
    return {
        "list": returned,
        "p": precision_at_k(padded, k),
        "recall": recall_at_k(padded, k, n_relevant=n_relevant),
        "ap": divided(denominator),
        "rr": reciprocal_rank(padded, k),
        "cg": cumulative_gain(padded, k),
        "dcg": discounted(gain),
        "ndcg": normalised(gain, pool),
        "err": expected_reciprocal_rank(padded, k, max_grade=MAX_GRADE),
        **{f"ap_{other}": divided(other) for other in denominators},
        **{f"dcg_{other}": discounted(other) for other in gains},
        **{f"ndcg_{other}": normalised(other, pool) for other in gains},
        **{f"ndcg_{other}": normalised(gain, other) for other in pools},
    }


class Drawn(np.random.Generator):
    """The places that the script draws, by the same generator (mulberry32), which has a number for each count."""

    def __init__(self, seed: int, counts: int) -> None:
        super().__init__(np.random.PCG64(0))
        x = (seed + 0x6D2B79F5 * np.arange(1, counts + 1, dtype=np.uint64)).astype(np.uint32)
        x = (x ^ x >> 15) * (x | 1)
        x ^= x + (x ^ x >> 7) * (x | 61)
        self.numbers, self.used = (x ^ x >> 14).astype(np.uint64), 0

    def integers(self, below: int, *, size: int | tuple[int, int]) -> np.ndarray:  # type: ignore[override]
        first, self.used = self.used, self.used + int(np.prod(size))
        return (self.numbers[first : self.used] * below >> 32).astype(np.int64).reshape(size)


@cache
def resampled(text: str) -> dict[str, Any]:
    """The systems apart have places of their own, and the paired difference has those of A for both."""
    *systems, n, size, unit, how, seed, draws = read("bootstrap", text)
    a, b = (np.array(re.findall("..", digits)[: int(n)], dtype=int) for digits in systems)
    user = np.arange(len(a)) // int(size)

    def means(values: np.ndarray, unit: str, stream: int) -> np.ndarray:
        drawn = Drawn(2 * int(seed) + stream, int(draws) * len(a))
        groups = user if unit == "users" else None
        return bootstrap(np.mean, values, groups=groups, n_resamples=int(draws), rng=drawn).distribution / 100

    def interval(means: np.ndarray) -> list[float]:
        return np.quantile(means, [(1 - 0.95) / 2, (1 + 0.95) / 2]).tolist()

    differences, of_systems = {}, {}
    for each in ("rows", "users") if size != "1" else ("rows",):
        of_systems[each] = means(a, each, 0), means(b, each, 1)
        differences[f"{each}_paired"] = means(b - a, each, 0)
        differences[f"{each}_apart"] = of_systems[each][1] - of_systems[each][0]
    chosen = differences[f"{unit}_{how}"]
    low, high = interval(chosen)
    return {
        "n": len(a),
        "mean_a": a.mean() / 100,
        "mean_b": b.mean() / 100,
        "difference": (b - a).mean() / 100,
        "low": low,
        "high": high,
        "width": high - low,
        "above": (chosen > 0).mean(),
        "a": interval(of_systems[unit][0]),
        "b": interval(of_systems[unit][1]),
        **{name: interval(means) for name, means in differences.items()},
        "steps": [[step, *interval(chosen[:step])] for step in STEPS if step <= len(chosen)],
    }


VALUES: dict[str, Callable[[str], dict[str, Any]]] = {
    "threshold": threshold,
    "groups": groups,
    "averaging": averaging,
    "ranked-list": ranked_list,
    "bootstrap": resampled,
}
