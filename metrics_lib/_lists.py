"""Ranked lists of unequal length, stored without padding: lists of one length stand side by side, and are a matrix."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import BLOCK, as_array, as_column, as_floats, as_numbers, invalid
from metrics_lib._sorting import KEY_BITS, Integers, Keys, ScoreCode, places

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Lists:
    """Ranked lists of unequal length, one a query, without padding; made by `Lists.from_columns`.

    What takes ranked relevance takes them, and returns one value per query, in the order of ``queries``: the value
    that the list has alone.

    Attributes
    ----------
    queries : ndarray of shape (n_queries,)
        The queries (users), ascending.
    lengths : ndarray of int of shape (n_queries,)
        The number of items in each list.

    Examples
    --------
    >>> from metrics_lib import ndcg
    >>> lists = Lists.from_columns(["a", "b", "b"], [0.5, 0.1, 0.9], [1, 3, 0])
    >>> lists
    Lists(2 queries, 3 rows)
    >>> lists.ranked("b").tolist()
    [0, 3]
    >>> ndcg(lists).round(6)
    array([1.     , 0.63093])
    """

    queries: NDArray[Any]
    lengths: Integers
    _grades: NDArray[Any]  # in ranked order, list after list: short lists first, those of one length by query
    _order: Integers  # the query of each list as it is stored

    @classmethod
    def from_columns(
        cls, query: ArrayLike, score: ArrayLike, grade: ArrayLike, *, tie: ArrayLike | None = None
    ) -> "Lists":
        """Rank the rows of a long table, a list for each query.

        Parameters
        ----------
        query : array_like of shape (n_rows,)
            The query (user) of each row: numbers, strings, dates, anything that can be sorted; no nan.
            Rows in any order.
        score : array_like of shape (n_rows,)
            The score of each row; within a query the highest is rank 1.
        grade : array_like of shape (n_rows,)
            The grade (label) of each row; for an item that nobody judged pass 0.
        tie : array_like of shape (n_rows,), default=None
            What orders rows of equal score, the greater first: with the names of the documents this is the order of
            trec_eval. Without it, or where it is equal too, rows keep the order of the input, as in
            `metrics_lib.ranking.rank_by_score`.

        Returns
        -------
        Lists
            The grades of each query in ranked order.

        Raises
        ------
        ValueError
            If the columns are empty, differ in length, hold nan, or a column cannot be sorted.
        """
        scores, grades = (as_column(as_numbers(c, name)) for c, name in ((score, "score"), (grade, "grade")))
        queries, codes, lengths = _coded(query)
        ties = None if tie is None else _column(tie, "tie")
        for column, name in ((scores, "score"), (grades, "grade"), (ties, "tie")):
            if column is not None and column.shape != codes.shape:
                raise invalid(name, f"{len(codes)} values, one per row of query", f"shape {column.shape}")
        order = np.argsort(lengths, kind="stable").astype(np.int64, copy=False)
        number = np.empty(len(order), dtype=np.uint64)
        number[order] = np.arange(len(order))
        return cls(queries, lengths, grades[_ranking(number, codes, scores, ties)], order)

    def ranked(self, query: object) -> NDArray[Any]:
        """Return the grades of one query in ranked order.

        Parameters
        ----------
        query : object
            One of ``queries``.

        Returns
        -------
        ndarray of shape (n_items,)
            Its list.

        Raises
        ------
        ValueError
            If there is no such query.
        """
        found = np.flatnonzero(self.queries == query)
        if not len(found):
            raise invalid("query", "one of queries", repr(query))
        before = self._order[: int(np.flatnonzero(self._order == found[0])[0])]
        start = int(self.lengths[before].sum())
        return self._grades[start : start + int(self.lengths[found[0]])].copy()

    def each(self, metric: Callable[..., Any], *args: Any, n_relevant: Any = None, **options: Any) -> Floats:
        """Compute a metric of each list.

        Parameters
        ----------
        metric : callable
            Takes ranked grades of shape (n_lists, n_ranks), then ``args`` and ``options``;
            returns a value for each list. All its lists have the same length.
        *args, **options
            Passed on.
        n_relevant : int, array_like of int of shape (n_queries,) or mapping, default=None
            Passed on, too: one number for all queries, one per query in the order of ``queries``, or what a mapping
            (a dict or a pandas Series) gives for each query.

        Returns
        -------
        ndarray of shape (n_queries,)
            The value of each query, in the order of ``queries``.

        Raises
        ------
        ValueError
            As ``metric``, or if ``n_relevant`` lacks a query.

        Examples
        --------
        Which users clicked on one of the first two ranks:

        >>> lists = Lists.from_columns([1, 1, 1, 2], [0.2, 0.3, 0.1, 0.4], [1, 0, 0, 0])
        >>> lists.each(lambda rel: rel[:, :2].any(axis=1)).tolist()
        [1.0, 0.0]
        """
        totals = None if n_relevant is None else self._totals(n_relevant)
        values = np.empty(len(self.queries))
        for lists, grades in self._matrices():
            if totals is not None:
                options["n_relevant"] = totals[lists]
            values[lists] = metric(grades, *args, **options)
        return values

    def __repr__(self) -> str:
        return f"Lists({len(self.queries)} queries, {len(self._grades)} rows)"

    def _matrices(self) -> Iterator[tuple[Integers, NDArray[Any]]]:
        """The lists of each length, those that fit the cache at a time: which queries, and their grades as rows."""
        lengths = self.lengths[self._order]
        first = start = 0
        for last in [*(places(lengths[1:] != lengths[:-1]) + 1).tolist(), len(lengths)]:
            length = int(lengths[first])
            step = max(1, BLOCK // length)
            for begin in range(first, last, step):
                lists = self._order[begin : min(begin + step, last)]
                stop = start + length * len(lists)
                yield lists, self._grades[start:stop].reshape(-1, length)
                start = stop
            first = last

    def _totals(self, n_relevant: Any) -> Floats:
        """The number for each query."""
        if hasattr(n_relevant, "items"):
            table = dict(n_relevant.items())
            try:
                n_relevant = list(map(table.__getitem__, self.queries.tolist()))
            except KeyError as error:
                raise invalid("n_relevant", "a number for each query", f"none for {error.args[0]!r}") from error
        totals = as_floats(n_relevant, "n_relevant", min_ndim=0)
        if totals.ndim and totals.shape != self.queries.shape:
            raise invalid("n_relevant", f"one number, or one for each of {len(self.queries)} queries", totals.shape)
        return np.broadcast_to(totals, self.queries.shape)


def like(lists: Lists, grades: NDArray[Any]) -> Lists:
    """The same lists with other grades, which are given row by row as they are stored."""
    return replace(lists, _grades=grades)


def values_for(lists: Lists, judged: Lists, values: NDArray[Any]) -> Floats:
    """What the queries of ``judged`` have for the queries of the lists; 0 for a query without judgements."""
    at = _places_in(judged, lists)
    return np.where(at >= 0, values[at], 0.0)


def check_pools(judged: Lists, lists: Lists) -> None:
    """Refuse judgements that lack a positive grade of a list, or hold it less often than the list does."""
    listed, pooled = lists._grades > 0, judged._grades > 0
    grades, codes = np.unique(np.concatenate([lists._grades[listed], judged._grades[pooled]]), return_inverse=True)
    query = _query_of_rows(lists)[listed]
    wanted, counts = np.unique(query * len(grades) + codes[: len(query)], return_counts=True)
    at = _places_in(lists, judged)[_query_of_rows(judged)[pooled]]
    pool = np.sort((at * len(grades) + codes[len(query) :])[at >= 0])
    lacking = np.searchsorted(pool, wanted, side="right") - np.searchsorted(pool, wanted) < counts
    if lacking.any():
        which, grade = divmod(int(wanted[lacking.argmax()]), len(grades))
        got = f"too few of grade {grades[grade]} for query {lists.queries[which]}"
        raise invalid("judged", "every positive grade of the lists", got)


def _query_of_rows(lists: Lists) -> Integers:
    """The query of each row as it is stored, as a place in ``queries``."""
    return np.repeat(lists._order, lists.lengths[lists._order])


def _places_in(lists: Lists, others: Lists) -> Integers:
    """Where each query of the others stands in the lists, -1 where it is missing."""
    kinds = {"numbers" if queries.dtype.kind in "biuf" else "others" for queries in (lists.queries, others.queries)}
    if len(kinds) > 1:
        raise invalid(
            "judged", "queries of the kind of the lists'", f"{lists.queries.dtype} and {others.queries.dtype}"
        )
    at = np.searchsorted(lists.queries, others.queries).clip(max=len(lists.queries) - 1)
    return np.where(lists.queries[at] == others.queries, at, -1)


def _column(values: ArrayLike, name: str) -> NDArray[Any]:
    """One value a row that can be sorted."""
    column = as_column(as_array(values, name, "values, one per row"))
    if column.ndim != 1 or not len(column):
        raise invalid(name, "one value per row", f"shape {column.shape}")
    if column.dtype.kind not in "biu" and (column != column).any():
        raise invalid(name, "no missing values", "nan")
    return column


def _sorted_unique(values: NDArray[Any], name: str) -> tuple[NDArray[Any], Integers]:
    try:
        labels, codes = np.unique(values, return_inverse=True)
    except TypeError as error:
        raise invalid(name, "values that can be sorted", f"mixed types in dtype {values.dtype}") from error
    return labels, codes.astype(np.int64, copy=False)


def _coded(query: ArrayLike) -> tuple[NDArray[Any], Integers, Integers]:
    """The distinct queries, the place of each row's query among them, and how many rows each has."""
    column = _column(query, "query")
    if column.dtype.kind in "iu":
        wide = column if column.dtype.itemsize == 8 else column.astype(np.int64)
        low = wide.min()
        if int(wide.max()) - int(low) <= 2 * len(wide):  # a table of all numbers in between is small
            codes = (wide - low).astype(np.int64)
            counts = np.bincount(codes)
            present = places(counts > 0)
            if len(present) < len(counts):
                codes = (np.cumsum(counts > 0) - 1)[codes]
            return (present.astype(wide.dtype) + low).astype(column.dtype), codes, counts[present]
    # A table is often grouped by query, and then there are few values to sort.
    heads = np.append(0, places(column[1:] != column[:-1]) + 1)
    labels, codes = _sorted_unique(column[heads], "query")
    codes = np.repeat(codes, np.diff(heads, append=len(column)))
    return labels, codes, np.bincount(codes)


def _ranking(number: Keys, codes: Integers, scores: NDArray[Any], ties: NDArray[Any] | None) -> Integers:
    """The rows list by list, each from its highest score down, equal ones by ``ties`` and then as they came.

    One sort of integers (list, code of the score, row). The code loses its lowest bits where the three need more than
    64; the rows that then look equal are few, and are sorted again by all they have, and so are ties.
    """
    n = len(scores)
    row_bits = (n - 1).bit_length()
    code = ScoreCode(scores)
    width = min(code.bits, KEY_BITS - row_bits - (len(number) - 1).bit_length())
    keys = np.empty(n, dtype=np.uint64)
    for start in range(0, n, BLOCK):
        block = slice(start, min(start + BLOCK, n))
        part = number[codes[block]] << width
        part |= code.encode(scores[block]) >> (code.bits - width)
        part <<= row_bits
        np.bitwise_or(part, np.arange(block.start, block.stop, dtype=np.uint64), out=keys[block])
    keys.sort()
    equal = np.zeros(n + 1, dtype=np.bool_)  # whether a row looks equal to the one before it
    np.equal(keys[1:] >> row_bits, keys[:-1] >> row_bits, out=equal[1:-1])
    keys &= (1 << row_bits) - 1
    order: Integers = keys.view(np.int64)
    if ties is None:
        if width == code.bits:
            return order
        second = places(equal)
        second = second[scores[order[second]] != scores[order[second - 1]]]
        if not len(second):
            return order
        run = np.cumsum(~equal[:-1])
        wrong = np.zeros(run[-1] + 1, dtype=np.bool_)
        wrong[run[second]] = True
        equal[:-1] &= wrong[run]
    at = places(equal[:-1] | equal[1:])
    if len(at):
        rows = order[at]
        by_tie = () if ties is None else (-_sorted_unique(ties[rows], "tie")[1],)
        order[at] = rows[np.lexsort((*by_tie, code.encode(scores[rows]), np.cumsum(~equal[at])))]
    return order
