r"""Ranked lists of unequal length, stored without padding.

`Lists` is taken wherever ``metrics_lib.ranking`` takes ranked relevance, and by `metrics_lib.measures.evaluate`, which
computes many measures by name. Lists of one length stand side by side and are a matrix to the metrics.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import chain
from typing import Any, Concatenate, ParamSpec, Protocol, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    as_array,
    as_column,
    as_count,
    as_keys,
    as_numbers,
    as_totals,
    invalid,
    unique_keys,
)
from metrics_lib._floats import BLOCK, Floats, Result
from metrics_lib._sorting import Integers, best_columns, places

__all__ = ["Lists"]

Row = Sequence[float]  # to a type checker one list gives a float and lists of lists an array; an array may be either
Options = ParamSpec("Options")

_INT32 = np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False, repr=False)
class Lists:
    """Ranked lists of unequal length, one a query, without padding; made by ``from_columns`` or ``from_lists``.

    What takes ranked relevance takes them, and returns one value per query: the value that the list has alone.
    The values stand in the order of ``queries``, which ascend; ``lengths`` has the number of items of each.
    The lists are stored by length, those of one length side by side: ``grades`` has them one after the other, ``order``
    the place of each list's query in ``queries``, and ``rows`` says from which row of the table each grade came.
    `metrics_lib.trec.rank` adds what its files know: ``pool`` has all judged items of each query, and counts wherever
    ``n_relevant`` or ``judged`` is not given; ``known`` says which rows somebody judged, ``tied`` which ones have the
    score of the row before, if a measure is to be the mean over the orders of equal scores.

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
    grades: NDArray[Any]  # in ranked order, list after list, short lists first
    order: Integers
    rows: Integers
    pool: "Lists | None" = None
    known: NDArray[np.bool_] | None = None  # row by row, as grades
    tied: NDArray[np.bool_] | None = None

    @classmethod
    def from_columns(
        cls,
        query: ArrayLike,
        score: ArrayLike,
        grade: ArrayLike,
        *,
        item: ArrayLike | None = None,
        tie: ArrayLike | None = None,
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
            The grade (label) of each row; for an item that nobody judged pass 0. Metrics say which grades they take.
        item : array_like of shape (n_rows,), default=None
            The item (document) of each row. If given, one that stands twice in a query is an error: a join that has
            multiplied rows would otherwise go unnoticed.
        tie : array_like of shape (n_rows,), default=None
            What orders rows of equal score, the greater first; ``item`` by default, which is the order of trec_eval.
            Without either, or where it is equal, too, rows keep the order of the input, as in
            `metrics_lib.ranking.rank_by_score`; nothing is averaged, as `metrics_lib.ranking.ndcg_score` does.

        Returns
        -------
        Lists
            The grades of each query in ranked order.

        Raises
        ------
        ValueError
            If the columns are empty, differ in length, hold nan, a column cannot be sorted, or an item stands twice in
            a query.
        """
        scores, grades = (as_column(as_numbers(c, name)) for c, name in ((score, "score"), (grade, "grade")))
        queries, codes, lengths = _coded(query)
        items, ties = (None if c is None else as_keys(c, name) for c, name in ((item, "item"), (tie, "tie")))
        for column, name in ((scores, "score"), (grades, "grade"), (items, "item"), (ties, "tie")):
            if column is not None and column.shape != codes.shape:
                raise invalid(name, f"{len(codes)} values, one per row of query", f"shape {column.shape}")
        if items is not None:
            _check_each_once(items, codes, queries)
            ties = items if ties is None else ties
        order = np.argsort(lengths, kind="stable").astype(np.int64, copy=False)
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        rows = _grouped(number[codes])
        scores, ties = scores[rows], None if ties is None else ties[rows]
        for part, shape in _blocks(lengths[order]):
            best = _best_first(scores[part].reshape(shape), None if ties is None else ties[part].reshape(shape))
            rows[part] = np.take_along_axis(rows[part].reshape(shape), best, axis=1).ravel()
        return cls(queries, lengths, grades[rows], order, rows)

    @classmethod
    def from_lists(cls, grades: Iterable[ArrayLike], *, queries: ArrayLike | None = None) -> "Lists":
        """Take lists that are in ranked order already, one for each query.

        Parameters
        ----------
        grades : iterable of array_like of shape (n_items,)
            The grades of each list from rank 1 down: lists of lists, a column of lists of pandas or Polars.
            An empty list counts as one item of grade 0, as a query to which nothing was returned.
        queries : array_like of shape (n_queries,), default=None
            The query (user) of each list, each once. Default: their numbers, from 0.

        Returns
        -------
        Lists
            The lists, in the order of the queries.

        Raises
        ------
        ValueError
            If there is no list, a grade is no finite number, or the queries are not one for each list, each once.

        Examples
        --------
        Which of the films that were shown did a user watch?

        >>> shown, watched = [["a", "b", "c"], ["d", "b"], []], [{"c"}, {"d", "b"}, {"a"}]
        >>> grades = [[film in seen for film in films] for films, seen in zip(shown, watched)]
        >>> lists = Lists.from_lists(grades, queries=["ann", "bob", "cem"])
        >>> from metrics_lib import reciprocal_rank
        >>> reciprocal_rank(lists).round(4)
        array([0.3333, 1.    , 0.    ])
        """
        parts = [part if type(part) is np.ndarray and part.ndim == 1 else _as_list(part) for part in _as_list(grades)]
        parts = [part if len(part) else [0] for part in parts]
        if not parts:
            raise invalid("grades", "at least one list", "none")
        arrays = all(isinstance(part, np.ndarray) for part in parts)
        column = as_numbers(np.concatenate(parts) if arrays else list(chain.from_iterable(parts)), "grades", ndim=1)
        lengths = np.fromiter(map(len, parts), np.int64, len(parts))
        keys = np.arange(len(parts)) if queries is None else as_keys(queries, "queries")
        if keys.shape != lengths.shape:
            raise invalid("queries", f"{len(lengths)} values, one per list", f"shape {keys.shape}")
        rank = np.arange(len(column)) - _repeated(starts_of(lengths), lengths)
        lists = cls.from_columns(_repeated(keys, lengths), -rank, column)
        if len(lists.queries) < len(keys):
            raise invalid("queries", "each query once", "one of them again")
        return lists

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
        place = place_of(query, self.queries)
        before = self.order[: int(np.flatnonzero(self.order == place)[0])]
        start = int(self.lengths[before].sum())
        return self.grades[start : start + int(self.lengths[place])].copy()

    def each(self, metric: Callable[..., Any], *args: Any, depth: int | None = None, **options: Any) -> Floats:
        """Compute a metric of each list.

        Parameters
        ----------
        metric : callable
            Takes ranked grades of shape (n_lists, n_ranks), then ``args`` and ``options``;
            returns a value for each list. All its lists have the same length.
        *args, **options
            Passed on.
        depth : int, default=None
            The number of ranks that the metric looks at: it is given no more of longer lists. Default: all.

        Returns
        -------
        ndarray of shape (n_queries,)
            The value of each query, in the order of ``queries``.

        Raises
        ------
        ValueError
            As ``metric``, or if it returns something else than a value for each list.

        Examples
        --------
        Which users clicked on one of the first two ranks:

        >>> lists = Lists.from_columns([1, 1, 1, 2], [0.2, 0.3, 0.1, 0.4], [1, 0, 0, 0])
        >>> lists.each(lambda rel: rel[:, :2].any(axis=1)).tolist()
        [1.0, 0.0]
        """
        values = np.empty(len(self.queries))
        for queries, grades in matrices(_in_order(self), None if depth is None else as_count(depth, "depth")):
            found = np.asarray(metric(grades, *args, **options))
            if found.shape != queries.shape:
                wanted = f"a function that returns {len(queries)} values for as many lists"
                raise invalid("metric", wanted, f"shape {found.shape}")
            values[queries] = found
        return values

    def __repr__(self) -> str:
        return f"Lists({len(self.queries)} queries, {len(self.grades)} rows)"


def _as_list(part: object) -> Sequence[Any]:
    """Lists, or the grades of one, as a Python list."""
    if isinstance(part, (str, bytes, Mapping)) or not isinstance(part, Iterable):
        raise invalid("grades", "a list of grades for each query", f"a value of type {type(part).__name__}")
    return as_array(part, "grades", "grades").tolist() if isinstance(part, np.ndarray) else list(part)


def place_of(query: object, queries: NDArray[Any]) -> int:
    """Where a query stands among those there are."""
    found = np.flatnonzero(queries == query)
    if not len(found):
        raise invalid("query", "one of queries", repr(query))
    return int(found[0])


class OfRanked(Protocol[Options]):
    """A metric of ranked lists: one value for a list, one per query for many."""

    @overload
    def __call__(self, rel: Row, *args: Options.args, **options: Options.kwargs) -> float: ...
    @overload
    def __call__(self, rel: Sequence[Row] | Lists, *args: Options.args, **options: Options.kwargs) -> Floats: ...
    @overload
    def __call__(self, rel: ArrayLike | Lists, *args: Options.args, **options: Options.kwargs) -> Result: ...


def of_ranked(metric: Callable[Concatenate[Any, Options], Result]) -> OfRanked[Options]:
    """The metric, typed by what it takes: a list, several, or `Lists`."""
    return cast(OfRanked[Options], metric)


def takes_lists(metric: Callable[Concatenate[Any, Options], Result]) -> OfRanked[Options]:
    """Let a metric of ranked relevance take `Lists`, too: a value for each query, its own ``n_relevant`` with it."""
    counts = "n_relevant" in (metric.__kwdefaults__ or {})

    @wraps(metric)
    def of_either(rel: Any, *args: Options.args, **options: Options.kwargs) -> Result:
        if not isinstance(rel, Lists):
            return metric(rel, *args, **options)
        lists = _in_order(rel)
        values = np.empty(len(lists.queries))
        totals = _totals(lists, options.pop("n_relevant", None)) if counts else None
        for queries, grades in matrices(lists, _depth(args[0] if args else options.get("k"))):
            if totals is not None:
                options["n_relevant"] = totals[queries]
            values[queries] = metric(grades, *args, **options)
        return values

    return cast(OfRanked[Options], of_either)


def _depth(k: object) -> int | None:
    """How many ranks a metric with this cut looks at; what is no cut it refuses itself."""
    return int(k) if isinstance(k, (int, np.integer)) and not isinstance(k, bool) and k > 0 else None


def _in_order(lists: Lists) -> Lists:
    if lists.tied is not None:
        raise invalid("lists", "lists whose ties have an order, save for evaluate", lists)
    return lists


def matrices(
    lists: Lists, depth: int | None = None, of: NDArray[Any] | None = None
) -> Iterator[tuple[Integers, NDArray[Any]]]:
    """The lists by their length, or the first ranks of all that are deep enough, as the rows of a matrix.

    Before each matrix the queries to which its rows belong. ``of`` has what stands in the cells, for each row as the
    lists are stored: the grades by default.
    """
    cells = lists.grades if of is None else of
    lengths = lists.lengths[lists.order]
    short = len(lengths) if depth is None else int(np.searchsorted(lengths, depth))
    place = 0
    for part, shape in _blocks(lengths[:short]):
        yield lists.order[place : place + shape[0]], cells[part].reshape(shape)
        place += shape[0]
    if depth is not None:
        starts, step = starts_of(lengths), max(1, BLOCK // depth)
        for begin in range(place, len(lengths), step):
            yield lists.order[begin : begin + step], cells[starts[begin : begin + step, None] + np.arange(depth)]


def _totals(lists: Lists, n_relevant: Any) -> Floats:
    """The number of relevant items of each query: as given, if that covers those in its list, or in its pool."""
    if n_relevant is None:
        return relevant_of(lists)
    if hasattr(n_relevant, "items"):
        table = dict(n_relevant.items())
        try:
            n_relevant = list(map(table.__getitem__, lists.queries.tolist()))
        except KeyError as error:
            raise invalid("n_relevant", "a number for each query", f"none for {error.args[0]!r}") from error
    return as_totals(n_relevant, count(lists))


def relevant_of(lists: Lists) -> Floats:
    """The number of relevant items of each query: in its pool, or else in its list."""
    return count(lists) if lists.pool is None else values_for(lists, lists.pool, count(lists.pool))


def rows_of(lists: Lists, values: NDArray[Any]) -> NDArray[Any]:
    """The value of its query for each row, as the rows are stored."""
    return _repeated(values[lists.order], lists.lengths[lists.order])


def count(lists: Lists) -> Floats:
    """The number of items with a grade above 0 in each list."""
    counts = np.empty(len(lists.queries))
    starts = starts_of(lists.lengths[lists.order]).astype(np.intp, copy=False)  # reduceat takes no other type
    counts[lists.order] = np.add.reduceat(lists.grades > 0, starts, dtype=np.int64)
    return counts


def starts_of(lengths: Integers) -> Integers:
    """The first row of each list."""
    return np.append(0, lengths.cumsum()[:-1])


def ideal_order(lists: Lists, depth: int | None) -> Lists | None:
    """The first ranks of the ideal order of each list, by counting; None where grades are not few whole numbers."""
    grades = lists.grades
    low, high = int(grades.min()), int(grades.max())
    n_grades, lengths = high - low + 1, lists.lengths[lists.order]
    if grades.dtype.kind not in "biu" or max(-low, high) > _INT32 or n_grades * len(lengths) > 2 * len(grades):
        return None
    cells = _repeated(np.arange(len(lengths)) * n_grades - low, lengths) + grades.astype(np.int64, copy=False)
    counts = _counted(cells, len(lengths) * n_grades).reshape(-1, n_grades)
    kept = lists.lengths if depth is None else np.minimum(lists.lengths, depth)
    filled = np.minimum(counts[:, ::-1].cumsum(axis=1), kept[lists.order][:, None])
    falling = np.tile(np.arange(high, low - 1, -1), len(lengths))
    ideal = _repeated(falling, np.diff(filled, axis=1, prepend=0).ravel())
    return Lists(lists.queries, kept, ideal, lists.order, np.full(len(ideal), -1))


def values_for(lists: Lists, judged: Lists, values: NDArray[Any]) -> Floats:
    """What the queries of ``judged`` have for the queries of the lists; 0 for a query without judgements."""
    at = _places_in(judged, lists)
    return np.where(at >= 0, values[at], 0.0)


def with_queries_of(lists: Lists, judged: Lists) -> Lists:
    """The lists, and for each query that is only judged a list of one item of grade 0, which nobody judged."""
    missing = judged.queries[_places_in(lists, judged) < 0]
    queries = np.concatenate([lists.queries, missing])
    ascending = np.argsort(queries, kind="stable")
    place = np.empty(len(queries), dtype=np.int64)
    place[ascending] = np.arange(len(queries))

    def padded(rows: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if rows is None else np.append(np.zeros(len(missing), dtype=rows.dtype), rows)

    return Lists(
        queries[ascending],
        np.append(lists.lengths, np.ones(len(missing), dtype=np.int64))[ascending],
        np.append(np.zeros(len(missing), dtype=lists.grades.dtype), lists.grades),
        np.append(place[len(lists.queries) :], place[lists.order]),
        np.append(np.full(len(missing), -1), lists.rows),
        lists.pool,
        padded(lists.known),
        padded(lists.tied),
    )


def check_pools(judged: Lists, lists: Lists) -> None:
    """Refuse judgements that lack a positive grade of a list, or hold it less often than the list does."""
    listed, pooled = lists.grades > 0, judged.grades > 0
    grades, codes = np.unique(np.concatenate([lists.grades[listed], judged.grades[pooled]]), return_inverse=True)
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
    return _repeated(lists.order, lists.lengths[lists.order])


def _places_in(lists: Lists, others: Lists) -> Integers:
    """Where each query of the others stands in the lists, -1 where it is missing."""
    kinds = {"numbers" if queries.dtype.kind in "biuf" else "others" for queries in (lists.queries, others.queries)}
    if len(kinds) > 1:
        raise invalid(
            "judged", "queries of the kind of the lists'", f"{lists.queries.dtype} and {others.queries.dtype}"
        )
    at = np.searchsorted(lists.queries, others.queries).clip(max=len(lists.queries) - 1).astype(np.int64, copy=False)
    return np.where(lists.queries[at] == others.queries, at, -1)


def _check_each_once(items: NDArray[Any], codes: Integers, queries: NDArray[Any]) -> None:
    """Refuse an item that stands in two rows of a query."""
    labels, places_of_items = unique_keys(items, "item")
    pairs = codes * len(labels) + places_of_items
    ascending = np.sort(pairs)
    again = ascending[1:][ascending[1:] == ascending[:-1]]
    if len(again):
        which, what = divmod(int(again[0]), len(labels))
        raise invalid("item", "each item of a query once", f"{labels[what]} of query {queries[which]} again")


def _coded(query: ArrayLike) -> tuple[NDArray[Any], Integers, Integers]:
    """The distinct queries, the place of each row's query among them, and how many rows each has."""
    column = as_keys(query, "query")
    if column.dtype.kind in "iu":
        wide = column if column.dtype.itemsize == 8 else column.astype(np.int64)
        low = wide.min()
        if int(wide.max()) - int(low) <= 2 * len(wide):  # a table of all numbers in between is small
            codes = (wide - low).astype(np.int64)
            counts = _counted(codes)
            present = places(counts > 0)
            if len(present) < len(counts):
                codes = (np.cumsum(counts > 0) - 1)[codes]
            return (
                (present.astype(wide.dtype) + low).astype(column.dtype),
                codes,
                counts[present],
            )
    # A table is often grouped by query, and then there are few values to sort.
    heads = np.append(0, places(column[1:] != column[:-1]) + 1)
    labels, codes = unique_keys(column[heads], "query")
    codes = _repeated(codes, np.diff(heads, append=len(column)))
    return labels, codes, _counted(codes)


def _repeated(values: NDArray[Any], times: Integers) -> NDArray[Any]:
    return np.repeat(values, times.astype(np.intp, copy=False))  # no wider type is taken


def _counted(codes: Integers, size: int = 0) -> Integers:
    """How often each code occurs."""
    return np.bincount(codes.astype(np.intp, copy=False), minlength=size).astype(np.int64, copy=False)


def _blocks(lengths: Integers) -> Iterator[tuple[slice, tuple[int, int]]]:
    """Ascending lengths of lists: the rows of those of one length that fit the cache, and their shape as a matrix."""
    first = start = 0
    for last in [*(places(lengths[1:] != lengths[:-1]) + 1).tolist(), len(lengths)]:
        length = int(lengths[first]) if first < last else 1
        step = max(1, BLOCK // length)
        for begin in range(first, last, step):
            shape = min(step, last - begin), length
            yield slice(start, start + shape[0] * length), shape
            start += shape[0] * length
        first = last


def _grouped(number: Integers) -> Integers:
    """The rows list by list, and within a list as they came: sixteen bits at a time, which NumPy counts."""
    rows = np.argsort(number.astype(np.uint16), kind="stable")
    for shift in range(16, int(number.max()).bit_length(), 16):
        rows = rows[np.argsort((number[rows] >> shift).astype(np.uint16), kind="stable")]
    return rows.astype(np.int64, copy=False)


def _best_first(scores: NDArray[Any], ties: NDArray[Any] | None) -> Integers:
    """The columns of each row from the highest score down, equal ones by ``ties`` downwards and then from the left."""
    best, doubtful = best_columns(scores, scores.shape[1])
    rows = places(doubtful)
    if len(rows) and ties is None:
        ranked = np.take_along_axis(scores[rows], best[rows], axis=1)
        rows = rows[(ranked[:, 1:] > ranked[:, :-1]).any(axis=1)]
    if len(rows):
        again = [scores[rows]] if ties is None else [ties[rows], scores[rows]]
        best[rows] = np.lexsort([-unique_keys(keys, "tie")[1].reshape(keys.shape) for keys in again], axis=1)
    return best
