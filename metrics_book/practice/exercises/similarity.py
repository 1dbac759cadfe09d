"""Intra-list similarity."""

import math

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import intra_list_similarity


def ils_by_loop(similarity: Array) -> float:
    n = len(similarity)
    if n < 2:
        raise ValueError("a list of one item has no pair")
    total = sum(similarity[i][j] for i in range(n) for j in range(i + 1, n))
    return float(total / (n * (n - 1) / 2))


def ils_by_sums(similarity: Array) -> float:
    n = len(similarity)
    off_diagonal = similarity.sum() - np.trace(similarity)
    return float(off_diagonal / (n * (n - 1))) if n > 1 else math.nan


def ils_by_indices(similarity: Array) -> float:
    pairs = similarity[np.triu_indices(len(similarity), 1)]
    return float(pairs.mean()) if len(pairs) else math.nan


def draw_matrix(rng: np.random.Generator, n: int) -> tuple[Array]:
    items = rng.normal(size=(n if rng.random() < 0.95 else 1, int(rng.integers(1, 5))))
    kind = rng.integers(4)
    values = [items @ items.T, np.round(items @ items.T), np.sign(items @ items.T), np.abs(items @ items.T)][kind]
    np.fill_diagonal(values, [1, 0, rng.random(), 1][rng.integers(4)])
    return (values,)


PAIRS, UPPER = "similarity[np.triu_indices(len(similarity), 1)]", "indices: float(pairs.mean()) ->"
DIVISOR = "total / (n * (n - 1) / 2) ->"

INTRA_LIST_SIMILARITY = Exercise(
    name="intra_list_similarity",
    title="intra-list similarity, ILS (列表内相似度)",
    parameters="similarity",
    task=(
        "similarity is a symmetric matrix: the similarity of each pair of items of one list. It may be negative.",
        "Return one number: the mean over all pairs of different items, each pair counted once.",
        "The diagonal, an item with itself, is not a pair; it may hold anything.",
        "One item: there is no pair and the value is 0/0; return nan or raise a ValueError.",
    ),
    right=intra_list_similarity,
    draw=draw_matrix,
    sizes=(),
    zero="the list has one item",
    cases=(
        ("three items", ([[1, 0.75, 0.25], [0.75, 1, 0.5], [0.25, 0.5, 1]],), "Three pairs, without the diagonal."),
        ("two items", ([[1, 0.4], [0.4, 1]],), "One pair: its similarity is the value."),
        ("three copies of one item", ([[1, 1, 1], [1, 1, 1], [1, 1, 1]],), "The least diverse list: 1."),
        ("nothing in common", ([[1, 0, 0], [0, 1, 0], [0, 0, 1]],), "The most diverse list without negative values."),
        (
            "some pairs with similarity 0",
            ([[1, 0, 0.9, 0], [0, 1, 0, 0.3], [0.9, 0, 1, 0], [0, 0.3, 0, 1]],),
            "A pair without similarity is a pair and counts.",
        ),
        ("negative similarities", ([[1, -0.5, 0.25], [-0.5, 1, -0.25], [0.25, -0.25, 1]],), "Their signs count."),
        ("a diagonal of zeros", ([[0, 0.75, 0.25], [0.75, 0, 0.5], [0.25, 0.5, 0]],), "The value must not change."),
        ("one item", ([[1.0]],), "There is no pair."),
    ),
    hints=(
        "How many pairs do n items make? Each of them is in the matrix twice.",
        "Sum above the diagonal only: rows i, columns j > i.",
        "Divide by n (n - 1) / 2; with one item that is 0.",
    ),
    approaches=(
        Approach(
            ils_by_loop,
            "Two loops over i < j.",
            "O(n^2) time, O(1) memory",
            "slow in Python beyond a few hundred items; lists are shorter than that",
        ),
        Approach(
            ils_by_sums,
            "The whole sum less the diagonal, over all ordered pairs: each pair counts twice above and below.",
            "O(n^2) time, O(1) memory, no loop in Python",
            "needs a symmetric matrix",
        ),
        Approach(
            ils_by_indices,
            "Take the entries above the diagonal and average them.",
            "O(n^2) time and memory",
            "np.triu keeps the shape: its mean divides by n^2",
        ),
    ),
    mistakes={
        "the diagonal is counted: an item is not a pair with itself.": (
            "return: float(similarity.mean())",
            "indices: (len(similarity), 1) -> (len(similarity))",
        ),
        "np.triu(s, 1).mean() counts the zeros on and below the diagonal as well: the sum over the pairs is divided by "
        "n^2, and there are n (n - 1) / 2 pairs.": ("return: float(np.triu(similarity, 1).mean())",),
        "the diagonal is subtracted as n, as if it held ones; it may hold anything.": (
            "sums: np.trace(similarity) -> n",
        ),
        "only neighbours in the list are compared; every pair counts.": (
            f"indices: {PAIRS} -> np.diag(similarity, 1)",
        ),
        "pairs with similarity 0 are left out; they are pairs.": (
            f"indices: {PAIRS} -> (lambda u: u[u != 0])({PAIRS})",
            f"indices: {PAIRS} -> (lambda u: u[u != 0] if u.any() else u)({PAIRS})",
        ),
        "the similarities are squared before they are averaged.": (f"{UPPER} float((pairs**2).mean())",),
        "the sign of the similarities is lost.": (f"{UPPER} float(np.abs(pairs).mean())",),
        "negative similarities are cut off at 0; they count with their sign.": (
            f"{UPPER} float(np.maximum(pairs, 0).mean())",
        ),
        "this is the greatest similarity of a pair; the task asks for the mean.": (f"{UPPER} float(pairs.max())",),
        "this is the sum over the pairs, which grows with the list; the task asks for the mean.": (
            f"{DIVISOR} total",
            "return: float(np.triu(similarity, 1).sum())",
        ),
        "each pair is counted twice, but the divisor counts it once.": (f"{DIVISOR} 2 * total / (n * (n - 1) / 2)",),
        "each pair is counted once, but the divisor counts it twice.": (f"{DIVISOR} total / (n * (n - 1))",),
        "the sum over the pairs is divided by n - 1; there are n (n - 1) / 2 pairs.": (f"{DIVISOR} total / (n - 1)",),
        "this is 1 - ILS, a diversity.": (f"{DIVISOR} 1 - total / (n * (n - 1) / 2)",),
    },
)
