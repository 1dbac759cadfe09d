"""Sorting labelled scores as integers: one `np.sort` of exact keys in place of an `argsort` and its gathers.

A key holds the code of a score (0 for the highest) and, in its lowest bit, whether the row is positive.
Sorted keys are all that a ranking metric needs, they do not depend on the order of the rows, and counts
taken from them are integers, hence exact. Places, lengths and counts have 64 bits even where NumPy's index type has
32, since their sums and products need them.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics_lib._floats import BLOCK

Keys = NDArray[np.uint64]
Integers = NDArray[np.int64]
Labels = NDArray[np.bool_]

MAGNITUDE = np.int64((1 << 63) - 1)  # all bits but the sign
KEY_BITS = 64


def ordered_integers(scores: NDArray[Any]) -> Integers:
    """Integers ordered as the scores are, equal where they are equal.

    The bits of a float, read as an integer, are its sign and then a magnitude that grows with the number:
    the magnitude with its sign is the wanted integer, and both zeros give 0. Narrower floats are exact as float64.
    """
    if scores.dtype.kind == "f":
        bits = scores.astype(np.float64, copy=False).view(np.int64)
        sign = bits >> 63
        ordered: Integers = sign & MAGNITUDE
        ordered ^= bits
        ordered -= sign
        return ordered
    if scores.dtype.kind == "u":
        return (scores.astype(np.uint64, copy=False) ^ np.uint64(1 << 63)).view(np.int64)
    return scores.astype(np.int64)


def _scores_of(ordered: Integers, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The inverse of `ordered_integers`."""
    if dtype.kind == "f":
        return np.copysign(np.abs(ordered).view(np.float64), ordered).astype(dtype, copy=False)
    if dtype.kind == "u":
        return (ordered.view(np.uint64) ^ np.uint64(1 << 63)).astype(dtype, copy=False)
    return ordered.astype(dtype)


class ScoreCode:
    """A code for each score: 0 for the highest, larger for lower ones, the same for equal scores and only for them.

    The code is the distance from the highest score in ordered integers (see `ordered_integers`), which must leave
    one bit for the label. Floats of one sign always do. Where both signs are present, the integers nearest to zero
    belong to no score and are cut out. What is still too wide (huge and tiny magnitudes of both signs,
    64-bit integers from end to end) and long doubles are coded by rank among the distinct scores, at the
    price of a binary search per score.
    """

    def __init__(self, scores: NDArray[Any], *, by_rank: bool = False) -> None:
        self.dtype = scores.dtype
        self.distinct: NDArray[Any] | None = None
        self.gap = 0  # no score but zero lies within this distance of zero
        if not by_rank and scores.dtype.itemsize <= 8:
            low, high = ordered_integers(np.array([scores.min(), scores.max()])).tolist()
            if high - low >= 1 << 63 and scores.dtype.kind == "f":
                self.gap = _smallest_magnitude(scores) - 1
                low, high = low + self.gap, high - self.gap
            self.top, self.bits = high, (high - low).bit_length()
            if self.bits < KEY_BITS:
                return
        ordered = np.sort(scores)
        self.distinct = ordered[run_ends(ordered)]
        self.top = len(self.distinct) - 1
        self.bits = self.top.bit_length()

    def encode(self, scores: NDArray[Any]) -> Keys:
        if self.distinct is not None:
            ordered: Integers = np.searchsorted(self.distinct, scores).astype(np.int64, copy=False)
        else:
            ordered = ordered_integers(scores)
            if self.gap:
                ordered -= np.clip(ordered, -self.gap, self.gap)
        np.subtract(self.top, ordered, out=ordered)
        return ordered.view(np.uint64)

    def decode(self, codes: Keys) -> NDArray[Any]:
        ordered: Integers = self.top - codes.view(np.int64)
        if self.distinct is not None:
            return self.distinct[ordered]
        if self.gap:
            ordered += np.sign(ordered) * self.gap
        return _scores_of(ordered, self.dtype)


def _smallest_magnitude(scores: NDArray[Any]) -> int:
    """The bits of the float nearest to zero; less 1 and unsigned, zero itself counts as the largest."""
    nearest = []
    for start in range(0, len(scores), BLOCK):
        bits = scores[start : start + BLOCK].astype(np.float64, copy=False).view(np.uint64)
        nearest.append(((bits & MAGNITUDE.view(np.uint64)) - np.uint64(1)).min())
    return int(min(nearest)) + 1


def sorted_keys(scores: NDArray[Any], positive: Labels) -> tuple[Keys, ScoreCode]:
    """Keys from the highest score to the lowest, among equal scores the negatives first."""
    code = ScoreCode(scores)
    keys = np.empty(len(scores), dtype=np.uint64)
    for start in range(0, len(keys), BLOCK):
        rows = slice(start, start + BLOCK)
        codes = code.encode(scores[rows])
        codes <<= 1
        np.bitwise_or(codes, positive[rows], out=keys[rows])
    keys.sort()
    return keys, code


def best_columns(scores: NDArray[Any], k: int) -> tuple[Integers, Labels]:
    """Columns of the k highest scores of each row in descending order, and the rows where that order is in doubt.

    The column replaces the lowest bits of integers that fall as the scores rise, so that sorting plain integers, which
    is fast, orders the columns. In doubt are the rows where two of the k best, or the last of them and one left out,
    are equal in the bits that remain: equal scores are always among them, whatever was lost in converting to float64.
    """
    lowest = np.int64((1 << (scores.shape[1] - 1).bit_length()) - 1)
    with np.errstate(over="ignore"):
        keys = ordered_integers(scores)
    np.invert(keys, out=keys)
    keys &= ~lowest
    keys |= np.arange(scores.shape[1])
    keys.sort(axis=1)
    top = keys[:, : k + 1]
    high = top | lowest
    return (top & lowest)[:, :k], (high[:, 1:] == high[:, :-1]).any(axis=1)


def sorted_rows(labels: Labels, scores: NDArray[np.float64]) -> Integers:
    """Each row as sorted keys, one a label: best score first, among equal scores the irrelevant first.

    The lowest bit says whether the label is relevant, the others hold the score, for which 63 bits are left. Where
    that is not enough, the integers nearest to zero are cut out; they belong to scores some 1e308 times smaller than
    the largest, and a block that holds one goes through its ranks.
    """
    keys = ordered_integers(scores)
    surplus = max(-int(keys.min()), int(keys.max())) - (2**62 - 1)
    if surplus > 0:
        nearest = np.clip(keys, -surplus, surplus)
        if ((nearest == keys) & (keys != 0)).any():
            return sorted_rows(labels, ranks_of(scores))
        keys -= nearest
    np.negative(keys, out=keys)
    keys <<= 1
    keys |= labels
    keys.sort(axis=1)
    return keys


def ranks_of(scores: NDArray[Any]) -> NDArray[np.float64]:
    """The scores as positions among the different ones: same order, same ties, small numbers."""
    return np.unique(scores, return_inverse=True)[1].reshape(scores.shape).astype(np.float64)


def places(mask: NDArray[np.bool_]) -> Integers:
    """Where the mask is true."""
    return np.nonzero(mask)[0].astype(np.int64, copy=False)


def run_ends(values: NDArray[Any]) -> Integers:
    """The last place of each run of equal values."""
    last = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=last[:-1])
    return places(last)


def places_of_positives(keys: Keys) -> Integers:
    return places(keys & 1 != 0)


def blocks(keys: Keys, low_bits: int = 1) -> Iterator[tuple[int, Keys]]:
    """Sorted keys in pieces of about `BLOCK`, with the place of each; keys equal but for the low bits stay together."""
    start = 0
    while start < len(keys):
        last = keys[min(start + BLOCK, len(keys)) - 1]
        stop = int(np.searchsorted(keys, last | ((1 << low_bits) - 1), side="right"))
        yield start, keys[start:stop]
        start = stop


def concordant_pairs(keys: Keys) -> int:
    """Twice the number of pairs in which the positive outranks the negative, a tied pair counting one half.

    The positive at place i (from 0) with j positives before it has i - j negatives before it, which score
    higher or the same; summed over the positives these are the pairs that are lost or tied.
    Where two neighbouring keys differ in the label bit alone, a run of negatives meets a run of positives of
    the same score: the product of their lengths is a number of tied pairs, and each is given its half back.
    """
    n_positive = sum_of_places = tied = 0
    for start, block in blocks(keys):
        found = places_of_positives(block)
        n_positive += len(found)
        sum_of_places += start * len(found) + int(found.sum())
        change = block[1:] ^ block[:-1]
        if (change == 1).any():
            ends = run_ends(block)
            lengths = np.diff(ends, prepend=-1)
            meets = places(change[ends[:-1]] == 1)
            tied += int(lengths[meets].dot(lengths[meets + 1]))
    lost_or_tied = sum_of_places - n_positive * (n_positive - 1) // 2
    return 2 * (n_positive * (len(keys) - n_positive) - lost_or_tied) + tied


class GroupPairs(NamedTuple):
    """What the AUC of each group needs; groups ascend."""

    group: Keys
    size: Integers
    n_positive: Integers
    concordant: Integers  # twice the pairs won, a tied pair counting one half

    @property
    def pairs(self) -> Integers:
        return self.n_positive * (self.size - self.n_positive)


def concordant_pairs_by_group(groups: Keys, scores: NDArray[Any], positive: Labels) -> GroupPairs:
    """`concordant_pairs` within each group, from one sort of (group, code, label).

    The three may need more than 64 bits; the code then loses its lowest ones. That can only merge scores, so it
    shows as a negative and a positive of the same group with equal codes. The few groups where this
    happens are done again with ranks for codes, which fit; a group without such a meeting is exact already.
    """
    found, doubtful = _group_pairs(groups, scores, positive, ScoreCode(scores))
    if doubtful.any():
        rows = np.isin(groups, found.group[doubtful])
        code = ScoreCode(scores[rows], by_rank=True)
        found.concordant[doubtful] = _group_pairs(groups[rows], scores[rows], positive[rows], code)[0].concordant
    return found


def _group_pairs(groups: Keys, scores: NDArray[Any], positive: Labels, code: ScoreCode) -> tuple[GroupPairs, Labels]:
    """The counts of each group, and which groups a shortened code may have falsified."""
    width = min(code.bits, KEY_BITS - 1 - int(groups.max()).bit_length())
    lost = code.bits - width
    keys = np.empty(len(scores), dtype=np.uint64)
    for start in range(0, len(keys), BLOCK):
        rows = slice(start, start + BLOCK)
        codes = code.encode(scores[rows])
        codes >>= lost
        codes |= groups[rows] << width
        codes <<= 1
        np.bitwise_or(codes, positive[rows], out=keys[rows])
    keys.sort()

    parts = [_count_groups(block, width + 1) for _, block in blocks(keys, width + 1)]
    group, size, n_positive, concordant, tied = map(np.concatenate, zip(*parts, strict=True))
    return GroupPairs(group, size, n_positive, concordant), tied & (lost > 0)


def _count_groups(keys: Keys, low_bits: int) -> tuple[NDArray[Any], ...]:
    """The fields of `GroupPairs`, and which groups hold tied pairs, for whole groups."""
    change = keys[1:] ^ keys[:-1]
    starts = np.append(0, places(change >> low_bits != 0) + 1)
    size = np.diff(starts, append=len(keys))
    labels = (keys & 1).view(np.int64)
    indices = starts.astype(np.intp, copy=False)  # reduceat takes no other type
    n_positive = np.add.reduceat(labels, indices)
    labels *= np.arange(len(keys))
    sum_of_places = np.add.reduceat(labels, indices) - starts * n_positive
    lost_or_tied = sum_of_places - n_positive * (n_positive - 1) // 2
    concordant = 2 * (n_positive * (size - n_positive) - lost_or_tied)
    tied = np.zeros(len(starts), dtype=np.bool_)
    if (change == 1).any():
        ends = run_ends(keys)
        lengths = np.diff(ends, prepend=-1)
        meets = places(change[ends[:-1]] == 1)
        where = np.searchsorted(starts, ends[meets], side="right") - 1
        np.add.at(concordant, where, lengths[meets] * lengths[meets + 1])
        tied[where] = True
    return keys[starts] >> low_bits, size, n_positive, concordant, tied
