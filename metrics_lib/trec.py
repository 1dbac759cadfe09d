r"""Measures of runs: files of judgements (qrels) and of results (run), as the Text Retrieval Conference has them.

A line of a qrels file is ``query iteration document grade``, a line of a run ``query Q0 document rank score tag``;
the rank is ignored, the scores decide. `evaluate` takes the paths of both, or what was read, or dicts:

>>> qrels = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}}
>>> run = {"q1": {"b": 0.9, "c": 0.7, "d": 0.7, "a": 0.1}}
>>> values = evaluate(qrels, run, ["nDCG@10", "P(rel=2)@2", "Judged@2"])
>>> values.of("q1")
{'nDCG@10': 0.543791241910304, 'P(rel=2)@2': 0.0, 'Judged@2': 0.5}

Documents c and d have one score. As in trec_eval, the greater name is ranked first, and queries without results are
left out of the mean; both are keywords:

>>> {measure: round(value, 4) for measure, value in summary(qrels, run, ["RR", "AP"]).items()}
{'RR': 0.3333, 'AP': 0.4167}
>>> {measure: round(value, 4) for measure, value in summary(qrels, run, ["RR", "AP"], queries="qrels").items()}
{'RR': 0.1667, 'AP': 0.2083}

The same from a command line, with a paired test of two runs::

    python -m metrics_lib.trec QRELS RUN -m nDCG@10 -m AP --compare RUN2
"""

import argparse
import gzip
import os
import re
import sys
import warnings
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, repeat
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics_lib import measures as by_name
from metrics_lib._arrays import Undefined, as_numbers, invalid, one_of
from metrics_lib._sorting import Integers, places
from metrics_lib.lists import Lists, starts_of
from metrics_lib.measures import Evaluation

__all__ = ["Table", "evaluate", "rank", "read_qrels", "read_run", "summary"]

Queries = Literal["both", "qrels"]
Ties = Literal["docno", "average", "raise"]
Precision = type[np.float64] | type[np.float32]

_QRELS = "query", "iteration", "document", "grade"
_RUN = "query", "Q0", "document", "rank", "score", "tag"
_OF_QRELS = f" ({len(_QRELS)} words are a line of judgements)"
_BLANKS = " \t\r\f\v"  # no others: a name may hold what Unicode calls a space
_PART = 1 << 16  # characters read at a time, few enough that their words stay in the cache


class Table(NamedTuple):
    """Judgements or results, a row for each document of a query: what `read_qrels` and `read_run` return.

    Parameters
    ----------
    query, document : sequence of str
        The query and the document of each row.
    value : ndarray
        The grade, or the score.
    file : str, default=''
        Where the rows come from; with ``skipped``, the lines of it that hold no row, errors say where they are.
    skipped : sequence of int, default=()
        Ascending, from 1.
    """

    query: Sequence[Any]
    document: Sequence[Any]
    value: NDArray[Any]
    file: str = ""
    skipped: Sequence[int] = ()

    def where(self, row: int) -> str:
        """Return where a row stands: ``line 7 of run.txt``, or ``row 6`` of what comes from no file.

        Parameters
        ----------
        row : int
            From 0.

        Returns
        -------
        str
        """
        if not self.file:
            return f"row {row}"
        line = row + 1
        for skipped in self.skipped:
            line += skipped <= line
        return f"line {line} of {self.file}"


Source = Table | str | os.PathLike[str] | Mapping[Any, Mapping[Any, float]]


def read_qrels(path: str | os.PathLike[str]) -> Table:
    r"""Read judgements: ``query iteration document grade`` in each line.

    Parameters
    ----------
    path : str or path-like
        A text file in UTF-8, compressed by gzip if its name ends in ``.gz``; ``-`` is the standard input. Blank lines,
        and those that begin with ``#``, are skipped.

    Returns
    -------
    Table
        Queries, documents and grades: integers, or floats if one of them has a fraction. A grade below 0 means that
        the document was not judged after all, as in trec_eval.

    Raises
    ------
    ValueError
        If a line has not four words, its grade is no finite number, or there is no line, and the line is named; or if
        the file is no UTF-8, or no whole gzip file though its name says so.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "qrels.txt")
    >>> _ = path.write_text("301 0 FT941-1 2\n\n# a comment\n301 0 FT941-7 0\n")
    >>> table = read_qrels(path)
    >>> table.query, table.document, table.value.tolist()
    (['301', '301'], ['FT941-1', 'FT941-7'], [2, 0])
    """
    table = _read(path, "qrels", _QRELS, 3)
    with np.errstate(invalid="ignore"):
        whole = table.value.astype(np.int64)
    return table._replace(value=whole) if (whole == table.value).all() else table


def read_run(path: str | os.PathLike[str]) -> Table:
    r"""Read results: ``query Q0 document rank score tag`` in each line.

    Parameters
    ----------
    path : str or path-like
        As for `read_qrels`. The tag may have several words.

    Returns
    -------
    Table
        Queries, documents and scores, in the order of the file.

    Raises
    ------
    ValueError
        If a line has fewer than six words, its score is no finite number, or there is no line, and the line is named;
        or if the file is no UTF-8, or no whole gzip file though its name says so.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "run.txt")
    >>> _ = path.write_text("301 Q0 FT941-7 1 12.5 ours\n301 Q0 FT941-1 2 11.0 ours\n")
    >>> read_run(path).value.tolist()
    [12.5, 11.0]
    """
    return _read(path, "run", _RUN, 4)


def rank(
    qrels: Source, run: Source, *, queries: Queries = "both", ties: Ties = "docno", precision: Precision = np.float64
) -> Lists:
    r"""Put the results of each query in order, and look up what they were judged.

    Parameters
    ----------
    qrels, run : Table, path or mapping
        Judgements and results: the path of a file, what `read_qrels` and `read_run` returned, a `Table` of your own
        columns, or a mapping from query to one from document to grade or score.
    queries : {'both', 'qrels'}, default='both'
        Those that have judgements and results, as in trec_eval; or all that have judgements, as in ir_measures and
        ``trec_eval -c``: a query without results then gets one result that nobody judged, and so 0 by each measure.
        With ``'both'`` a system gains by returning nothing where a query is hard.
    ties : {'docno', 'average', 'raise'}, default='docno'
        What orders documents of equal score: their names, the greater first, as in trec_eval; nothing, so that
        measures are the mean over all orders of these documents; or a tie is an error.
    precision : {numpy.float64, numpy.float32}, default=numpy.float64
        In which scores are compared. Single precision, as before version 10 of trec_eval and in pytrec_eval, takes
        many scores for equal that differ by less than 1 part in 8 million.

    Returns
    -------
    Lists
        The ranked grades of each query, queries ascending; documents that nobody judged, and grades below 0, have
        grade 0. They know all judgements, so that `metrics_lib.ranking.ndcg` and others need no more than these lists.

    Raises
    ------
    ValueError
        If a document of a query is judged or returned twice, no query has both judgements and results, a file has a
        fault, a score is not finite, or queries or documents are strings in one of the two and numbers in the other.

    See Also
    --------
    evaluate : Measures of these lists by name.

    Examples
    --------
    >>> qrels = {"q1": {"a": 1, "c": 2}}
    >>> rank(qrels, {"q1": {"b": 3, "a": 2, "c": 2}}).ranked("q1").tolist()
    [0, 2, 1]
    """
    one_of(queries, "queries", ("both", "qrels"))
    one_of(ties, "ties", ("docno", "average", "raise"))
    one_of(precision, "precision", (np.float64, np.float32))
    judged, results = _table(qrels, "qrels", read_qrels), _table(run, "run", read_run)
    for kind, ours, theirs in (
        ("queries", results.query, judged.query),
        ("documents", results.document, judged.document),
    ):
        if isinstance(ours[0], str) != isinstance(theirs[0], str):  # '7' is not 7, and nothing would be found
            raise invalid("run", f"{kind} of the type that qrels has, as {theirs[0]!r}", repr(ours[0]))
    found = _found(judged, results)
    returned = set(results.query)
    asked = _sorted(set(judged.query) if queries == "qrels" else returned.intersection(judged.query), "qrels")
    if not returned.intersection(asked):
        got = f"none of them, but {results.query[0]!r} and others"
        raise invalid("run", f"results for the queries of qrels, such as {judged.query[0]!r}", got)
    queries_asked = np.array(asked)
    if queries_asked.ndim > 1:
        raise invalid("qrels", "queries that are strings, numbers or dates", repr(asked[0]))
    number = {query: place for place, query in enumerate(asked)}

    codes = _looked_up(number, results.query)
    rows, missing = places(codes >= 0), [number[query] for query in asked if query not in returned]
    with np.errstate(over="ignore"):
        score = as_numbers(results.value.astype(precision, copy=False), "run")[rows]
    score, query = np.append(score, np.zeros(len(missing))), np.append(codes[rows], missing).astype(np.int64)
    found = np.append(found[rows], np.full(len(missing), -1))
    grades = np.append(judged.value, -1)[found]
    order = Lists.from_columns(query, score, grades)
    tied = _tied(order, score)
    if tied.any():  # only documents with a score in common are compared by name
        of_ties = order.rows[tied | np.append(tied[1:], False)]
        names = [results.document[row] for row in rows[of_ties].tolist()]
        if ties == "raise":
            place = int(order.rows[tied.argmax()])
            got = f"{score[place]} again in {results.where(int(rows[place]))}"
            raise invalid("run", "a score of its own for each document of a query", got)
        tie = np.zeros(len(query), dtype=np.int64)
        tie[of_ties] = _looked_up({name: place for place, name in enumerate(_sorted(set(names), "run"))}, names)
        order = Lists.from_columns(query, score, grades, tie=tie)

    codes = _looked_up(number, judged.query)
    kept = codes >= 0
    pool = np.maximum(judged.value[kept], 0)
    return replace(
        order,
        queries=queries_asked,
        grades=np.maximum(order.grades, 0),
        pool=replace(Lists.from_columns(codes[kept], pool, pool), queries=queries_asked),
        known=order.grades >= 0,
        tied=tied if ties == "average" else None,
    )


def evaluate(
    qrels: Source,
    run: Source,
    measures: str | Sequence[str],
    *,
    queries: Queries = "both",
    ties: Ties = "docno",
    precision: Precision = np.float64,
    undefined: Undefined = 0.0,
) -> Evaluation:
    r"""Compute measures of a run by name, one value per query.

    Parameters
    ----------
    qrels, run : Table, path or mapping
        As for `rank`.
    measures : str or sequence of str
        Names such as ``'nDCG@10'``, ``'P(rel=2)@5'``, ``'ERR(max=4)@20'``: see `metrics_lib.measures.evaluate`.
    queries, ties, precision
        As for `rank`.
    undefined : float or 'raise', default=0.0
        Value of a query without any relevant document, where the measure is 0/0.

    Returns
    -------
    metrics_lib.measures.Evaluation
        A mapping from each name, as given, to an array with one value per query, in the order of its ``queries``;
        with ``.of(query)`` and ``.mean()``.

    Raises
    ------
    ValueError
        If a measure is unknown (the error lists those that are known), or as `rank`.

    See Also
    --------
    summary : The means.
    metrics_lib.uncertainty.paired_difference : Two runs compared.

    Notes
    -----
    .. math:: m_q = M(\text{results of } q, \text{judgements of } q)

    The values are those of trec_eval, where it has the measure: ``AP`` is its ``map``, ``RR`` its ``recip_rank``,
    ``R@k`` its ``recall_k``, ``nDCG@k`` its ``ndcg_cut_k``, and ``Judged@k`` 1 less its ``unj_k``. For ``Judged@k``
    ir_measures counts a document with a grade below 0 as judged, and orders equal scores otherwise.

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> values = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1}, "q2": {"a": 2, "b": 1}}, ["RR", "P@5"])
    >>> values.queries.tolist(), values["RR"].tolist()
    (['q1', 'q2'], [1.0, 0.5])
    """
    ranked = rank(qrels, run, queries=queries, ties=ties, precision=precision)
    return by_name.evaluate(ranked, measures, undefined=undefined)


def summary(
    qrels: Source,
    run: Source,
    measures: str | Sequence[str],
    *,
    queries: Queries = "both",
    ties: Ties = "docno",
    precision: Precision = np.float64,
    undefined: Undefined = 0.0,
) -> dict[str, float]:
    r"""Compute the mean over the queries of each measure of a run.

    Parameters
    ----------
    qrels, run, measures, queries, ties, precision, undefined
        As for `evaluate`.

    Returns
    -------
    dict of str to float
        A mean for each measure.

    Raises
    ------
    ValueError
        As `evaluate`.

    See Also
    --------
    evaluate : The value of each query.

    Notes
    -----
    .. math:: \bar m = \frac{1}{|Q|} \sum_{q \in Q} m_q

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> summary({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1}, "q2": {"a": 2, "b": 1}}, "RR")
    {'RR': 0.75}
    """
    values = evaluate(qrels, run, measures, queries=queries, ties=ties, precision=precision, undefined=undefined)
    return values.mean()


# Reading


def _read(path: str | os.PathLike[str], name: str, words: tuple[str, ...], place: int) -> Table:
    """The columns of queries, of documents and of the numbers that stand at the place."""
    width = len(words) + 1  # a mark ends each line, so that a line with too many or too few words is noticed
    queries: list[str] = []
    documents: list[str] = []
    values = array("d")
    skipped: list[int] = []
    before = 0
    file = "standard input" if path == "-" else os.fspath(path)
    table = Table(queries, documents, np.empty(0), file, skipped)
    try:
        for text in _parts(path):
            fields = text.replace("\n", " \0 ").split()
            n_lines = text.count("\n")
            simple = text.isascii() and not text.startswith("#") and "\n#" not in text
            if not simple or len(fields) != n_lines * width or fields[width - 1 :: width].count("\0") != n_lines:
                fields = []
                for line, row in enumerate(text.split("\n")[:-1], before + 1):
                    found = re.split(f"[{_BLANKS}]+", row.strip(_BLANKS), maxsplit=len(words) - 1)
                    if found == [""] or row[0] == "#":
                        skipped.append(line)
                    elif len(found) == len(words):
                        fields += [*found, "\0"]
                    else:
                        expected = f"{len(words)} words ({' '.join(words)})"
                        got = f"{len(found)} in line {line} of {table.file}"
                        raise invalid(name, expected, got + _OF_QRELS * (len(found) == len(_QRELS)))
            before += n_lines
            queries += map(sys.intern, fields[::width])
            documents += fields[2::width]
            first = len(values)
            numbers = fields[place::width]
            try:
                values.extend(map(float, numbers))
                bad = places(~np.isfinite(np.array(values[first:])))
                if "_" in " ".join(numbers):  # which Python takes for a separator of digits
                    bad = np.array([place for place, number in enumerate(numbers) if "_" in number])
            except ValueError:
                bad = np.array([len(values) - first])
            if len(bad):
                got = f"{numbers[bad[0]]!r} in {table.where(first + int(bad[0]))}"
                if name == "qrels" and len(numbers[bad[0]].split()) == 3:
                    got += " (six words are a line of a run)"
                raise invalid(name, f"a finite number as {words[place]}", got)
    except UnicodeDecodeError as error:
        raise invalid(name, "text in UTF-8", f"{error} in {table.file}") from error
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise invalid(name, "a whole file of gzip, as .gz says", f"{error} in {table.file}") from error
    if not values:
        raise invalid(name, "at least one line of data", f"none in {table.file}")
    return table._replace(value=np.array(values))


def _parts(path: str | os.PathLike[str]) -> Iterator[str]:
    """The text of a file, some lines at a time, each with its end."""
    opened: Any = gzip.open if os.fspath(path).endswith(".gz") else partial(open, closefd=path != "-")
    with opened(0 if path == "-" else path, "rt", encoding="utf-8-sig") as file:
        while text := file.read(_PART) + file.readline():
            yield text if text.endswith("\n") else text + "\n"


# Joining


def _table(source: Source, name: str, read: Callable[[str | os.PathLike[str]], Table]) -> Table:
    """What was given as a table."""
    if isinstance(source, str | os.PathLike):
        source = read(source)
    elif isinstance(source, Mapping):
        for query, documents in source.items():
            if not isinstance(documents, Mapping):
                got = f"a value of type {type(documents).__name__} for {query!r}"
                raise invalid(name, "a mapping from each query to one from its documents to numbers", got)
        source = Table(
            [query for query, documents in source.items() for _ in documents],
            [document for documents in source.values() for document in documents],
            np.array([value for documents in source.values() for value in documents.values()]),
        )
    elif not isinstance(source, Table):
        expected = "a Table, the path of a file or a mapping from query to documents"
        raise invalid(name, expected, f"a value of type {type(source).__name__}")
    # Lists, as the rows of a pandas column are found by its index.
    source = source._replace(query=list(source.query), document=list(source.document))
    value = as_numbers(source.value, name, ndim=1)
    if not len(source.query) == len(source.document) == len(value):
        columns = f"{len(source.query)} queries, {len(source.document)} documents, {len(value)} values"
        raise invalid(name, "columns of one length", columns)
    return source._replace(value=value)


def _found(judged: Table, results: Table) -> Integers:
    """The row of ``judged`` that has the query and the document of each result, -1 where none has."""
    known, hashes = _unique_hashes(judged, "qrels"), _unique_hashes(results, "run")
    bits = (1 << (16 * len(known)).bit_length()) - 1
    marked = np.zeros(bits + 1, dtype=np.bool_)
    marked[known & bits] = True
    rows = places(marked[hashes & bits])  # those that were judged, and a few by accident
    row_of = dict(zip(zip(judged.query, judged.document, strict=True), count(), strict=False))
    found = np.full(len(hashes), -1)
    found[rows] = _looked_up(row_of, [(results.query[row], results.document[row]) for row in rows.tolist()])
    return found


def _unique_hashes(table: Table, name: str) -> Integers:
    """The hash of the query and the document of each row; no document of a query is there twice."""
    hashes = np.fromiter(map(hash, zip(table.query, table.document, strict=True)), np.int64, len(table.value))
    ascending = np.sort(hashes)
    if (ascending[1:] == ascending[:-1]).any():  # a duplicate, or an accident
        seen = set()
        for row, pair in enumerate(zip(table.query, table.document, strict=True)):
            if pair in seen:
                got = f"{pair[1]} of query {pair[0]} again in {table.where(row)}"
                raise invalid(name, "each document of a query once", got)
            seen.add(pair)
    return hashes


def _looked_up(table: Mapping[Any, int], keys: Sequence[Any]) -> Integers:
    """What the table has for each key, -1 where it lacks it."""
    return np.fromiter(map(table.get, keys, repeat(-1)), np.int64, len(keys))


def _sorted(names: set[Any], source: str) -> list[Any]:
    try:
        return sorted(names)
    except TypeError as error:
        raise invalid(source, "names that can be sorted", f"names of several types ({error})") from error


def _tied(order: Lists, score: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each row of the ranked lists has the score of the row before."""
    ranked = score[order.rows]
    tied = np.append(False, ranked[1:] == ranked[:-1])
    tied[starts_of(order.lengths[order.order])] = False
    return tied


# The command


def main(words: Sequence[str] | None = None) -> None:
    """Run the command ``python -m metrics_lib.trec``."""
    parser = argparse.ArgumentParser(
        prog="python -m metrics_lib.trec",
        description="Measures of a run, the mean over queries, as trec_eval prints them: name, query, value.",
        epilog="example: python -m metrics_lib.trec qrels.txt run.txt.gz -m nDCG@10 -m 'P(rel=2)@5'",
    )
    parser.add_argument("qrels", help="judgements: query iteration document grade")
    parser.add_argument("run", help="results: query Q0 document rank score tag")
    parser.add_argument("-m", "--measure", action="append", required=True, metavar="NAME", help="such as nDCG@10, AP")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--per-query", action="store_true", help="the value of each query, too")
    form.add_argument("--compare", metavar="RUN2", help="a second run: differences, their intervals and p-values")
    parser.add_argument("--queries", choices=["both", "qrels"], default="both", help="qrels: no results count 0")
    parser.add_argument("--ties", choices=["docno", "average", "raise"], default="docno", help="order of equal scores")
    given = parser.parse_args(words)
    try:
        qrels = read_qrels(given.qrels)
        runs = [
            evaluate(qrels, path, given.measure, queries=given.queries, ties=given.ties)
            for path in (given.run, given.compare)
            if path is not None
        ]
        for path, values in zip((given.run, given.compare), runs, strict=False):
            left_out = len(set(qrels.query)) - len(values.queries)
            if left_out:
                print(f"{path}: no results for {left_out} of the judged queries, left out", file=sys.stderr)
        print("\n".join(_compared(*runs) if given.compare else _printed(runs[0], given.per_query)), flush=True)
    except BrokenPipeError:  # whoever reads has read enough; nothing must be left to write at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as error:
        parser.error(str(error))


def _printed(values: Evaluation, per_query: bool) -> Iterator[str]:
    if per_query:
        for place, query in enumerate(values.queries):
            yield from (f"{measure:<22}\t{query}\t{of_queries[place]:.4f}" for measure, of_queries in values.items())
    yield f"{'num_q':<22}\tall\t{len(values.queries)}"
    yield from (f"{measure:<22}\tall\t{mean:.4f}" for measure, mean in values.mean().items())


def _compared(first: Evaluation, second: Evaluation) -> Iterator[str]:
    """Both means, their difference, its interval of 95 % and its p-value, over the queries that both runs have."""
    from metrics_lib.uncertainty import paired_difference

    _, *rows = np.intersect1d(first.queries, second.queries, return_indices=True)
    if len(rows[0]) < 2:
        raise invalid("compare", "runs with results for at least two judged queries in common", len(rows[0]))
    yield f"{'num_q':<22}\tboth\t{len(rows[0])}"
    yield f"{'measure':<22}\trun\trun2\trun-run2\tlow\thigh\tp"
    if len(first) > 1:
        print(f"{len(first)} measures are {len(first)} chances of a small p", file=sys.stderr)
    for measure in first:
        a, b = first[measure][rows[0]], second[measure][rows[1]]
        with warnings.catch_warnings(record=True) as remarks:
            found = paired_difference(a, b, rng=0)
        for remark in remarks:
            print(f"{measure}: {remark.message}", file=sys.stderr)
        figures = (a.mean(), b.mean(), found.value, found.low, found.high, found.p_value)
        yield "\t".join([f"{measure:<22}", *(f"{figure:.4f}" for figure in figures)])


if __name__ == "__main__":
    main()
