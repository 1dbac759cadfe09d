"""The reciprocal rank, and its expected value for grades."""

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_book.practice.exercises.rankings import BINARY, EARLY, IGNORED, LATE, LIST, RANKS, RELEVANT
from metrics_lib import expected_reciprocal_rank, reciprocal_rank


def rr_by_loop(rel: Array, k: int) -> float:
    for rank, value in enumerate(rel[:k], start=1):
        if value > 0:
            return 1 / rank
    return 0.0


def rr_by_arrays(rel: Array, k: int) -> float:
    relevant = rel[:k] > 0
    return 1 / (int(relevant.argmax()) + 1) if relevant.any() else 0.0


def draw_first(rng: np.random.Generator, n: int) -> tuple[Array, int]:
    if n >= 100:
        return np.r_[np.zeros(n - 1, dtype=int), 1], n
    values = np.array([[0, 0, 1, 1], [0, 1, 2, 3], [0, 0, 0.5, 1], [-1, 0, 1, 2]][rng.integers(4)])
    share = rng.random()
    return np.where(rng.random(n) < share, rng.choice(values, n), 0), int(rng.integers(1, n + 3))


ONE, NONE = "return 1 / rank", "return 0.0"
HITS = "[i for i, v in enumerate(rel[:k], 1) if v > 0]"

RECIPROCAL_RANK = Exercise(
    name="reciprocal_rank",
    title="reciprocal rank of one query (倒数排名)",
    parameters="rel, k",
    task=(
        LIST,
        BINARY,
        RANKS,
        "Return one number: one over the rank of the first relevant item among the first k.",
        "No relevant item in the first k: 0.",
        "k beyond the list: look at the whole list.",
    ),
    right=reciprocal_rank,
    draw=draw_first,
    cases=(
        ("first hit at rank 3", ([0, 0, 1, 1, 0], 5), "Later hits do not matter."),
        ("hit at the first rank", ([1, 0, 1], 3), "The best there is: 1."),
        ("no hit", ([0, 0, 0], 3), "0, and the query counts in the mean."),
        ("a hit just below the cut", ([0, 0, 1], 2), "The item at rank k + 1 was not seen."),
        ("a hit at the cut", ([0, 0, 1, 1], 3), "Rank k itself is seen."),
        ("k beyond the list", ([0, 1], 10), "Ranks that do not exist hold no hit."),
        ("no hit and k beyond the list", ([0, 0], 5), "The list ends before the cut: 0."),
        ("graded relevance", ([0, 2, 0, 3], 4), "Any grade above 0 is relevant, not only the highest."),
        ("a grade of one half", ([0, 0.5, 0, 1], 4), "It is above 0, and so it is relevant."),
        ("a negative grade", ([-1, 0, 1, 0], 4), "It is not 0, and still not relevant."),
        ("a hit at rank 60", ([0] * 59 + [1], 100), "The first hit may be far down."),
    ),
    hints=(
        "Only the first hit matters: stop there.",
        "Ranks start at 1; Python's indices do not.",
        "After a loop that found nothing, return 0.",
    ),
    approaches=(
        Approach(
            rr_by_loop, "Go down the list and return at the first hit.", "O(k) time, O(1) memory", "one list at a time"
        ),
        Approach(
            rr_by_arrays,
            "argmax of a boolean array is the index of the first True.",
            "O(k) time and memory; with axis=-1 for a batch as well",
            "argmax is 0 where nothing is true: without any() a list without a hit would count 1",
        ),
    ),
    mistakes={
        **RELEVANT,
        IGNORED: ("rel[:k] -> rel",),
        EARLY: ("rel[:k] -> rel[:k - 1]",),
        LATE: ("rel[:k] -> rel[:k + 1]",),
        "this is the rank of the last hit; the first one counts.": (f"return: 1 / max({HITS}) if {HITS} else 0.0",),
        "this is the rank; the value is one over it.": (f"{ONE} -> return float(rank)",),
        "ranks start at 0 here; they start at 1.": ("start=1 -> start=0", f"{ONE} -> return 1 / np.float64(rank - 1)"),
        "ranks start at 2 here: an index that starts at 1 needs no + 1.": ("start=1 -> start=2",),
        "this is 1 wherever there is a hit, the hit rate; the value is one over its rank.": (f"{ONE} -> return 1.0",),
        "a list without a hit counts 1 here: argmax is 0 where nothing is true.": (f"{NONE} -> return 1.0",),
        "a list without a hit is undefined here; it counts 0.": (
            f"{NONE} -> return np.nan",
            f"{NONE} -> return [][0]",
        ),
        "k beyond the list is not handled: there is no item at these ranks.": (
            " in enumerate(rel[:k], start=1) ->  in ((i + 1, rel[i]) for i in range(k))",
        ),
        "the reciprocal ranks of all hits are averaged; only the first one counts.": (
            f"return: sum(1 / i for i in {HITS}) / max(len({HITS}), 1)",
        ),
        "the reciprocal ranks of all hits are added; only the first one counts.": (
            f"return: sum(1 / i for i in {HITS})",
        ),
    },
)

# ---- expected reciprocal rank -----------------------------------------------------------------------------------


def err(grades: Array, k: int, max_grade: int) -> float:
    return float(expected_reciprocal_rank(grades, k, max_grade=max_grade))


def err_by_loop(grades: Array, k: int, max_grade: int) -> float:
    still_reading, total = 1.0, 0.0
    for rank, grade in enumerate(grades[:k], start=1):
        satisfied = (2 ** int(grade) - 1) / 2**max_grade
        total += still_reading * satisfied / rank
        still_reading *= 1 - satisfied
    return total


def err_by_arrays(grades: Array, k: int, max_grade: int) -> float:
    satisfied = (np.exp2(grades[:k]) - 1) / 2.0**max_grade
    reached = np.r_[1, np.cumprod(1 - satisfied)[:-1]]
    return float((satisfied * reached / np.arange(1, len(satisfied) + 1)).sum())


def draw_grades(rng: np.random.Generator, n: int) -> tuple[Array, int, int]:
    top = int(rng.integers(1, 6))
    best = top if rng.random() < 0.7 else int(rng.integers(top + 1))
    return rng.integers(0, best + 1, n), n if n >= 100 else int(rng.integers(1, n + 3)), top


PROBABILITY, STAY, ADD = "(2 ** int(grade) - 1) / 2**max_grade", "still_reading *= 1 - satisfied", "satisfied / rank"


def satisfied(*values: str) -> tuple[str, ...]:
    return tuple(f"{PROBABILITY} -> {value}" for value in values)


EXPECTED_RECIPROCAL_RANK = Exercise(
    name="expected_reciprocal_rank",
    title="expected reciprocal rank, ERR@k (期望倒数排名)",
    parameters="grades, k, max_grade",
    task=(
        "grades holds the grades of one list in ranked order, whole numbers from 0; ranks start at 1.",
        RANKS,
        "max_grade is the highest grade of the scale, whether it occurs in the list or not.",
        "A reader goes down the list and is satisfied by an item of grade g with probability "
        "(2^g - 1) / 2^max_grade, and then stops.",
        "Return one number: the expected value of 1 / rank of the item that satisfies, over the first k ranks; a "
        "reader who is never satisfied counts 0.",
        "k beyond the list: look at the whole list.",
    ),
    right=err,
    draw=draw_grades,
    cases=(
        ("grades 3, 2, 0 of at most 3", ([3, 2, 0], 3, 3), "Every grade but 0 may stop the reader."),
        (
            "the same list on a scale up to 4",
            ([3, 2, 0], 3, 4),
            "The scale belongs to the judgements, not to the list: the same grade satisfies less.",
        ),
        ("nothing relevant", ([0, 0, 0], 3, 3), "No reader is satisfied: 0, and defined."),
        ("k = 1", ([2, 3], 1, 3), "Only the first item."),
        ("a cut before the best item", ([0, 1, 3, 3], 2, 3), "Items below the cut add nothing."),
        ("k beyond the list", ([1, 2], 10, 2), "Ranks that do not exist add nothing."),
        ("one more good item below", ([3, 3, 3, 3], 4, 3), "An item is worth less the better those above it are."),
        ("the good item last", ([0, 0, 0, 2], 4, 2), "Ranks above it lower its weight, grade 0 stops no reader."),
        ("binary grades", ([0, 1, 1, 1], 4, 1), "With grades 0 and 1 every hit satisfies every second reader."),
    ),
    hints=(
        "Keep the probability that the reader is still reading; it starts at 1.",
        "At each rank add still_reading * p / rank, and only then multiply still_reading by 1 - p.",
        "p = (2^g - 1) / 2^max_grade: for grade 0 it is 0, and it never reaches 1.",
    ),
    approaches=(
        Approach(
            err_by_loop,
            "One pass that carries the probability of still reading.",
            "O(k) time, O(1) memory",
            "grades that are not whole are cut by int(grade)",
        ),
        Approach(
            err_by_arrays,
            "A cumulative product, shifted by one rank, is the probability of reaching each item.",
            "O(k) time and memory, no loop in Python",
            "without the shift every item is hidden by itself",
        ),
    ),
    mistakes={
        "g_max is taken from the list; it is the top of the scale, max_grade, whatever the list holds.": (
            "begin: max_grade = grades.max()",
            "begin: max_grade = grades[:k].max()",
        ),
        "the reader never stops: weight each item by the probability that it is reached.": (f"{STAY} -> pass",),
        "an item's own probability is already taken off when it is reached: only those above it count.": (
            f"total += still_reading * {ADD} -> {STAY} ;; {STAY}\n        {STAY} -> {STAY}\n        total += "
            f"still_reading * {ADD}",
        ),
        "the discount is 1 / log2(rank + 1), that of NDCG; here it is 1 / rank.": (
            f"{ADD} -> satisfied / np.log2(rank + 1)",
        ),
        "there is no 1 / rank: this is the probability that the reader is satisfied at all.": (f"{ADD} -> satisfied",),
        "ranks start at 0 here; they start at 1.": (
            f"{ADD} -> np.float64(satisfied) / (rank - 1)",
            "start=1 -> start=0",
        ),
        "ranks start at 2 here: an index that starts at 1 needs no + 1.": ("start=1 -> start=2",),
        "the probability is divided by 2^max - 1, so that the top grade always satisfies; divide by 2^max.": satisfied(
            "(2 ** int(grade) - 1) / (2**max_grade - 1)"
        ),
        "the - 1 is missing in 2^g - 1: even grade 0 satisfies.": satisfied("2 ** int(grade) / 2**max_grade"),
        "the probability is grade / max_grade; it is (2^g - 1) / 2^max_grade.": satisfied("grade / max_grade"),
        "the probability is not divided by 2^max_grade.": satisfied("2 ** int(grade) - 1"),
        "^ is exclusive or in Python, not a power: write 2**g.": satisfied(
            "((2 ^ int(grade)) - 1) / (2 ^ max_grade)",
            "np.float64((2 ^ int(grade)) - 1) / (2 ^ max_grade)",
            "(2 ^ (int(grade) - 1)) / (2 ^ max_grade)",
            "np.float64(2 ^ (int(grade) - 1)) / (2 ^ max_grade)",
            "((2 ^ int(grade)) - 1) / 2**max_grade",
            "(2 ^ (int(grade) - 1)) / 2**max_grade",
        ),
        IGNORED: ("grades[:k] -> grades",),
        EARLY: ("grades[:k] -> grades[:k - 1]",),
        LATE: ("grades[:k] -> grades[:k + 1]",),
        "k beyond the list is not handled: there is no item at these ranks.": (
            " in enumerate(grades[:k], start=1) ->  in ((i + 1, grades[i]) for i in range(k))",
        ),
        "this is divided by the ERR of the ideal order (nERR); the task asks for ERR itself.": (
            "return total -> return total / (err(np.sort(grades)[::-1], k, max_grade) or 1)",
            "return total -> return total / (err(np.sort(grades)[::-1], k, max_grade) or np.nan)",
        ),
        "the sum is divided by k; the probabilities are weights enough.": (
            "return total -> return total / k",
            "return total -> return total / len(grades[:k])",
        ),
    },
)
