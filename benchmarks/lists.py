"""Ranked lists of unequal length from a long table, beside the same lists padded to the longest one."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import metrics_lib
from benchmarks import Case

MEASURES = ["nDCG@10", "P@10", "R@10", "Success@10", "RR@10", "AP", "ERR@10"]


def cases() -> Iterator[Case]:
    for power, wanted in ((6, 5), (7, 2)):
        columns = table(10**power)
        yield Case(
            f"seven measures of ranked lists, 1e{power} rows, 50 a list",
            lambda columns=columns: metrics_lib.evaluate(metrics_lib.Lists.from_columns(*columns), MEASURES),
            {"padded to the longest list": lambda columns=columns: of_padded(*padded(*columns))},
            {"one np.sort of the scores": lambda columns=columns: np.sort(columns[1])},
            {"padded to the longest list": wanted},
        )


def table(n_rows: int) -> tuple[NDArray[Any], ...]:
    """A shuffled log: most users have short lists, a few have long ones, no one more than 500."""
    rng = np.random.default_rng(0)
    lengths = np.minimum(rng.geometric(1 / 50, n_rows // 50 * 2), 500)
    user = np.repeat(np.arange(len(lengths)), lengths)[:n_rows]
    rng.shuffle(user)
    return user, rng.random(len(user)), rng.integers(0, 5, len(user)) * (rng.random(len(user)) < 0.3)


def padded(user: NDArray[Any], score: NDArray[Any], grade: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The grades in ranked order, a row for each user, the gaps filled with 0; and the lengths."""
    order = np.lexsort((-score, user))
    user, grade = user[order], grade[order]
    lengths = np.bincount(user)
    place = np.arange(len(user)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    matrix = np.zeros((len(lengths), lengths.max()), dtype=grade.dtype)
    matrix[user, place] = grade
    return matrix, lengths


def of_padded(matrix: NDArray[Any], lengths: NDArray[Any]) -> list[Any]:
    return [
        metrics_lib.ndcg(matrix, 10),
        metrics_lib.precision_at_k(matrix, 10),
        metrics_lib.recall_at_k(matrix, 10),
        np.sign(metrics_lib.precision_at_k(matrix, 10)),
        metrics_lib.reciprocal_rank(matrix, 10),
        metrics_lib.average_precision(matrix),
        metrics_lib.expected_reciprocal_rank(matrix, 10, max_grade=4),
    ]
