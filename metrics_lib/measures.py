r"""Many measures of ranked lists by their names: from a long table to every metric of every query.

A recommender's log has a row for each item shown: the user, the item, the score, the label. Three lines to
P@5, P@10, NDCG@10 and AP of each user:

>>> from metrics_lib import Lists
>>> user, item = ["u2", "u1", "u1", "u2", "u1"], ["a", "a", "b", "c", "d"]
>>> score, label = [0.3, 0.9, 0.4, 0.8, 0.7], [1, 1, 0, 0, 1]
>>> lists = Lists.from_columns(user, score, label, item=item)
>>> values = evaluate(lists, ["P@5", "P@10", "nDCG@10", "AP"])
>>> {measure: of_users.round(4).tolist() for measure, of_users in values.items()}
{'P@5': [0.4, 0.2], 'P@10': [0.2, 0.1], 'nDCG@10': [1.0, 0.6309], 'AP': [1.0, 0.5]}

The values stand in the order of the queries; the means are one call away:

>>> values.queries.tolist(), values.of("u2")["AP"], values.mean()["AP"]
(['u1', 'u2'], 0.5, 0.75)

The columns of a pandas frame are taken as they are, and ``pd.DataFrame(values, index=values.queries)`` is the frame of
the results. Names of trec_eval are understood as well, ``map`` and ``ndcg_cut_10``.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics_lib import ranking
from metrics_lib._arrays import Undefined, UndefinedInMean, as_count, check_undefined, invalid, one_of
from metrics_lib._floats import Floats, precision_share
from metrics_lib._sorting import Integers, places
from metrics_lib.lists import (
    Lists,
    check_pools,
    matrices,
    place_of,
    relevant_of,
    rows_of,
    values_for,
    with_queries_of,
)

__all__ = ["Evaluation", "evaluate"]

Options = Mapping[str, Any]


class Evaluation(dict[str, Floats]):
    """One value per query of each measure: a dict from the measure's name to the values, as `evaluate` returns it.

    ``queries``, ascending, are those to which the values belong, one by one. Two are equal if they have the same
    queries, measures and values, nan included.
    """

    def __init__(self, queries: NDArray[Any], by_measure: Mapping[str, Floats]) -> None:
        super().__init__(by_measure)
        self.queries = queries

    def of(self, query: object) -> dict[str, float]:
        """Return the value of each measure for one query.

        Parameters
        ----------
        query : object
            One of ``queries``.

        Returns
        -------
        dict of str to float
            A value for each measure.

        Raises
        ------
        ValueError
            If there is no such query.
        """
        place = place_of(query, self.queries)
        return {measure: float(values[place]) for measure, values in self.items()}

    def mean(self, *, undefined: UndefinedInMean = np.nan) -> dict[str, float]:
        """Return the mean over the queries of each measure, as `metrics_lib.ranking.mean_over_queries`.

        Parameters
        ----------
        undefined : float, 'raise' or 'skip', default=nan
            What stands for each undefined value; ``'skip'`` leaves it out of the mean.

        Returns
        -------
        dict of str to float
            A mean for each measure.

        Raises
        ------
        ValueError
            If ``undefined='raise'`` and a value is undefined.
        """
        return {measure: ranking.mean_over_queries(values, undefined=undefined) for measure, values in self.items()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluation) or self.keys() != other.keys():
            return False
        if not np.array_equal(self.queries, other.queries):
            return False
        return all(np.array_equal(values, other[measure], equal_nan=True) for measure, values in self.items())

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return f"Evaluation({len(self.queries)} queries, {', '.join(self)})"


def evaluate(
    lists: Lists,
    measures: str | Sequence[str],
    *,
    judged: Lists | None = None,
    queries: Literal["listed", "judged"] = "listed",
    undefined: Undefined = np.nan,
) -> Evaluation:
    r"""Compute measures by name, one value per query.

    Parameters
    ----------
    lists : Lists
        The ranked lists. Grades below 0 count as 0, as in trec_eval.
    measures : str or sequence of str
        Names such as ``'nDCG@10'``: a measure, its options in parentheses, the rank to cut at. Capitals do not matter.

        ================  =================================================  ==============================
        name              function                                           options
        ================  =================================================  ==============================
        ``P@k``           `metrics_lib.ranking.precision_at_k`               ``rel``
        ``R@k``           `metrics_lib.ranking.recall_at_k`                  ``rel``
        ``F@k``           `metrics_lib.ranking.fbeta_at_k`                   ``rel``, ``beta``
        ``Success@k``     1 if a relevant item is in the first k ranks       ``rel``
        ``AP``            `metrics_lib.ranking.average_precision`            ``rel``, ``denominator``
        ``RR``            `metrics_lib.ranking.reciprocal_rank`              ``rel``
        ``Rprec``         `metrics_lib.ranking.r_precision`                  ``rel``
        ``RBP``           `metrics_lib.ranking.rank_biased_precision`        ``rel``, ``p``
        ``ERR``           `metrics_lib.ranking.expected_reciprocal_rank`     ``max_grade``
        ``DCG``           `metrics_lib.ranking.dcg`                          ``gain``
        ``nDCG``          `metrics_lib.ranking.ndcg`                         ``gain``
        ``Judged``        share of the ranks with an item somebody judged
        ================  =================================================  ==============================

        The names of trec_eval mean the same: ``map``, ``map_cut_k``, ``recip_rank``, ``P_k``, ``recall_k``,
        ``success_k``, ``Rprec``, ``ndcg``, ``ndcg_cut_k``.
        ``rel`` is the least grade that counts as relevant and above 0, as in ``'P(rel=2)@5'``; without it every grade
        above 0 does. The other options are the keywords of the function. ``max_grade`` of ``ERR``, or ``max``, is 4
        unless given, as in the script of TREC, gdeval. A cut may follow each of them but ``Rprec``. ``Judged`` is for
        the lists of `metrics_lib.trec.rank` and divides by the ranks there are, at most k.
    judged : Lists, default=None
        All judged items of each query, made from the judgements' own columns
        (``Lists.from_columns(query, grade, grade)``): the pool of ``nDCG``, and the number of relevant items of
        ``R``, ``F``, ``AP`` and ``Rprec``. A query that is not among them has no relevant item.
        Default: what the lists know of it, or the lists themselves.
    queries : {'listed', 'judged'}, default='listed'
        Those that have a list; or also those that are only in ``judged``, as users to whom nothing was recommended,
        who then count as if one irrelevant item had been returned: 0, or ``undefined`` where nothing is relevant.
        With ``'listed'`` a system gains by returning nothing where a query is hard.
    undefined : float or 'raise', default=nan
        Value of a query without any relevant item, where the measure is 0/0; trec_eval takes 0.

    Returns
    -------
    Evaluation
        A mapping from each name, as given, to an array with one value per query, in the order of its ``queries``.

    Raises
    ------
    ValueError
        If a measure is unknown (the error lists those that are known), an option of it is, a grade of the lists is
        missing in ``judged``, or an argument is invalid.

    See Also
    --------
    metrics_lib.ranking.mean_over_queries : The mean of any metric.

    Notes
    -----
    .. math:: m_q = M(\text{list of } q, \text{judgements of } q)

    for each query :math:`q` and measure :math:`M`; the mean over queries gives each query the same weight.
    The names follow ir_measures, where ``RBP`` without ``rel`` weighs the grades; here all above 0 count alike.

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> lists = Lists.from_columns([1, 1, 1, 2, 2], [0.9, 0.8, 0.7, 0.9, 0.8], [3, 0, 1, 0, 0])
    >>> values = evaluate(lists, ["P(rel=2)@1", "RR", "nDCG@3"])
    >>> values["nDCG@3"].round(4)
    array([0.9639,    nan])
    """
    if not isinstance(lists, Lists):
        raise invalid("lists", "Lists", f"a value of type {type(lists).__name__}")
    if not isinstance(judged, (Lists, type(None))):
        raise invalid("judged", "Lists or None", f"a value of type {type(judged).__name__}")
    check_undefined(undefined)
    one_of(queries, "queries", ("listed", "judged"))
    names = measure_names(measures)
    parsed = [parsed_measure(name) for name in names]
    lists = _from_zero(lists)
    if judged is not None:
        judged = _from_zero(judged)
        check_pools(judged, lists)
        lists = replace(lists, pool=judged)
    if queries == "judged":
        if lists.pool is None:
            raise invalid("judged", "Lists, for queries='judged'", None)
        lists = with_queries_of(lists, lists.pool)
    values = {}
    for text, (measure, options, k) in zip(names, parsed, strict=True):
        ranked = _relevant(lists, options["rel"]) if "rel" in options else lists
        own = {option: value for option, value in options.items() if option != "rel"}
        own |= {"undefined": undefined} if measure.may_be_undefined else {}
        in_order = replace(ranked, tied=None)
        values[text] = measure.value(in_order, *([] if measure.cut == "none" else [k]), **own)
        if ranked.tied is not None:
            values[text] = mean_over_orders(in_order, ranked.tied, measure, k, options, values[text])
    return Evaluation(lists.queries, values)


def _from_zero(lists: Lists) -> Lists:
    """The lists without grades below 0, which judges give to spam; they count as 0."""
    if lists.pool is not None:
        lists = replace(lists, pool=_from_zero(lists.pool))
    return replace(lists, grades=np.maximum(lists.grades, 0)) if lists.grades.min() < 0 else lists


def _relevant(lists: Lists, level: float | None) -> Lists:
    """Which items count as relevant: those of the level or above, or all with a grade above 0."""
    pool = None if lists.pool is None else _relevant(lists.pool, level)
    return replace(lists, grades=lists.grades > 0 if level is None else lists.grades >= level, pool=pool)


# The mean over the orders of equal scores


class Ranks(NamedTuple):
    """Lists of one length as the rows of matrices: what is known of each rank where equal scores have no order."""

    rank: Floats  # from 1
    value: Floats  # of an item in some order: its gain, its chance to satisfy, or whether it is relevant
    mean: Floats  # of the values of its tie
    total: Floats  # their sum
    size: Integers  # their number
    place: Integers  # from 0 within the tie
    n_relevant: Floats  # of the list


def mean_over_orders(
    lists: Lists, tied: NDArray[np.bool_], measure: "Measure", k: int | None, options: Options, of_one: Floats
) -> Floats:
    """The mean of a measure over all orders of the tied items, in closed form; where it is 0/0, its value of one."""
    if options.get("denominator", "relevant") != "relevant":
        raise invalid("measures", "AP with denominator=relevant, where ties have no order", options["denominator"])
    value = measure.worth(lists, options)
    relevant = rows_of(lists, relevant_of(lists))
    found = np.empty(len(lists.queries))
    for queries, rows in matrices(lists, of=np.arange(len(value))):
        ranks = _ranks(value[rows], tied[rows], relevant[rows])
        found[queries] = measure.share(ranks, options)[:, :k].sum(axis=1)
    divisor = measure.divisor(lists, k, options)
    values = of_one.copy()
    np.divide(found, divisor, out=values, where=np.greater(divisor, 0))
    return values


def _ranks(value: Floats, tied: NDArray[np.bool_], n_relevant: Floats) -> Ranks:
    start = places(~tied.ravel()).astype(np.intp, copy=False)  # of each tie; an item without equals is one of its own
    size = np.diff(start, append=tied.size)
    total = np.add.reduceat(value.ravel(), start)
    mean, total, start, sizes = (
        np.repeat(of_ties, size).reshape(tied.shape) for of_ties in (total / size, total, start, size)
    )
    rank = np.broadcast_to(np.arange(1.0, tied.shape[1] + 1), tied.shape)
    return Ranks(rank, value, mean, total, sizes, np.arange(tied.size).reshape(tied.shape) - start, n_relevant)


def _precisions(at: Ranks, options: Options) -> Floats:
    """The precision at each rank if it is relevant: its item, those of ties before, those before it in its own tie."""
    before = at.mean.cumsum(axis=1) - at.mean * (at.place + 1)
    own = at.place * (at.total - 1) / np.maximum(at.size - 1, 1)
    return at.mean * (1 + before + own) / at.rank


def _first_relevant(at: Ranks, options: Options) -> Floats:
    """The chance that a rank is the first relevant one: the items are drawn from their tie one after the other."""
    none = np.cumprod(1 - np.minimum(at.total / (at.size - at.place), 1), axis=1)
    return -np.diff(none, axis=1, prepend=1)


def _first_satisfying(at: Ranks, options: Options) -> Floats:
    """The chance that a rank is the first to satisfy, over the rank.

    That none of t items of a tie satisfies has, over the orders, the mean over all subsets of t items: if the first m
    items are known, ``mean[t]`` of these is (m - t)/m of that without the last, and t/m of those that hold it.
    """
    missed = 1 - at.value
    column = np.arange(missed.shape[1]) - at.place
    none_before = np.take_along_axis(np.cumprod(np.insert(missed, 0, 1, axis=1), axis=1), column, axis=1)
    mean, t = np.zeros_like(missed), at.place + 1
    for m in range(1, int(at.size.max()) + 1):
        last = np.take_along_axis(missed, np.minimum(column + m - 1, missed.shape[1] - 1), axis=1)
        one_less = np.where(at.place == 0, 1, np.insert(mean[:, :-1], 0, 1, axis=1))
        mean = np.where(m <= at.size, (np.maximum(m - t, 0) * mean + t * last * one_less) / m, mean)
    return -np.diff(none_before * mean, axis=1, prepend=1) / at.rank


# SQL


@dataclass
class Columns:
    """What measures in SQL need of a list, of each row and of the rows above it; and the highest grade they take."""

    of_lists: dict[str, str] = field(default_factory=dict)
    of_rows: dict[str, str] = field(default_factory=dict)
    running: dict[str, str] = field(default_factory=dict)
    top_grade: float | None = None

    def relevant(self, options: Options) -> str:
        """The column that is 1 where an item is relevant."""
        level = options["rel"]
        name = suffixed("rel", level)
        good = "grade > 0" if level is None else f"grade >= {literal(level)}"
        self.of_rows[name] = f"CASE WHEN {good} THEN 1 ELSE 0 END"
        return name


DOWN = "($partition ORDER BY place ROWS UNBOUNDED PRECEDING)"


def literal(value: float) -> str:
    """The digits of a float; in Spark those without an exponent are a DECIMAL."""
    digits = repr(float(value))
    return digits if "e" in digits else digits + "e0"


def suffixed(name: str, value: float | None) -> str:
    return name if value is None else f"{name}_" + re.sub(r"\W", "_", repr(float(value)))


def _top(value: str, k: int | None) -> str:
    """A value in the first k ranks."""
    return value if k is None else f"CASE WHEN place <= {k} THEN {value} END"


def _hits(columns: Columns, k: int | None, options: Options) -> tuple[str, str]:
    """How many items are relevant in the first k ranks, and in all."""
    rel = columns.relevant(options)
    return f"SUM({_top(rel, k)})", f"SUM({rel})"


def _precision_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    return f"1e0 * {_hits(columns, k, options)[0]} / {k}"


def _recall_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    found, total = _hits(columns, k, options)
    return f"1e0 * {found} / NULLIF({total}, 0)"


def _fbeta_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    found, total = _hits(columns, k, options)
    share = precision_share(options["beta"])
    return f"{found} / NULLIF({literal(share)} * {k} + {literal(1 - share)} * {total}, 0)"


def _success_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    return f"1e0 * MAX({_top(columns.relevant(options), k)})"


def _average_precision_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    found, total = _hits(columns, k, options)
    rel, hits = columns.relevant(options), suffixed("hits", options["rel"])
    columns.running[hits] = f"SUM({rel}) OVER {DOWN}"
    length = "MAX(n_rows)" if k is None else str(k)
    if k is None and options["denominator"] in ("min", "k"):
        columns.of_lists["n_rows"] = "COUNT(*) OVER ($partition)"
    divisor = {
        "relevant": total,
        "min": f"CASE WHEN {total} < {length} THEN {total} ELSE {length} END",
        "hits": f"NULLIF({found}, 0)",
        "k": length,
    }[options["denominator"]]
    return f"SUM({_top(f'1e0 * {rel} * {hits} / place', k)}) / CASE WHEN {total} > 0 THEN {divisor} END"


def _reciprocal_rank_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    return f"MAX({_top(f'1e0 * {columns.relevant(options)} / place', k)})"


def _r_precision_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    rel, relevant = columns.relevant(options), suffixed("relevant", options["rel"])
    columns.running[relevant] = f"SUM({rel}) OVER ($partition)"
    return f"1e0 * SUM(CASE WHEN place <= {relevant} THEN {rel} END) / NULLIF(SUM({rel}), 0)"


def _rank_biased_precision_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    rel, p = columns.relevant(options), options["p"]
    return f"{literal(1 - p)} * SUM({_top(f'{rel} * POWER({literal(p)}, place - 1)', k)})"


def _expected_reciprocal_rank_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    best = options["max_grade"]
    if best > 52:  # 1 less the chance to satisfy would be 0, which has no logarithm
        raise invalid("measures", "ERR with a max_grade of at most 52", f"{best:g}")
    columns.top_grade = best if columns.top_grade is None else min(best, columns.top_grade)
    satisfied, missed = suffixed("satisfied", best), suffixed("missed", best)
    columns.of_rows[satisfied] = f"(POWER(2e0, grade) - 1) / {literal(2.0**best)}"
    columns.running[missed] = f"EXP(SUM(LN(1 - {satisfied})) OVER {DOWN})"
    # The product goes down to the place itself, whose own factor is taken out again.
    return f"SUM({_top(f'{satisfied} * {missed} / (1 - {satisfied}) / place', k)})"


def _discounted(k: int | None, options: Options) -> str:
    gain = "grade" if options["gain"] == "linear" else "(POWER(2e0, grade) - 1)"
    return _top(f"{gain} / LN(place + 1e0)", k)


def _dcg_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    return f"LN(2e0) * SUM({_discounted(k, options)})"


def _ndcg_in_sql(columns: Columns, k: int | None, options: Options) -> str:
    columns.running["ideal_place"] = "ROW_NUMBER() OVER ($partition ORDER BY grade DESC)"
    attained = _discounted(k, options)
    return f"SUM({attained}) / NULLIF(SUM({attained.replace('place', 'ideal_place')}), 0)"


# The measures


def _level(text: str) -> float:
    """The least grade that is relevant; grade 0 is what nobody judged."""
    level = float(text)
    if not 0 < level < np.inf:
        raise ValueError(text)
    return level


def _graded(lists: Lists, options: Options) -> Floats:
    return lists.grades.astype(np.float64)


def _gained(lists: Lists, options: Options) -> Floats:
    grades = _graded(lists, options)
    return np.exp2(grades) - 1 if options["gain"] == "exponential" else grades


def _satisfying(lists: Lists, options: Options) -> Floats:
    best: float = options["max_grade"]
    satisfying: Floats = np.exp2(_graded(lists, options) - best) - np.exp2(-best)
    return satisfying


def _mean_of_tie(at: Ranks, options: Options) -> Floats:
    return at.mean


def _discounted_mean(at: Ranks, options: Options) -> Floats:
    return at.mean / np.log2(at.rank + 1)


def _of_relevant(lists: Lists, k: int | None, options: Options) -> Floats:
    return relevant_of(lists)


def _weighed(lists: Lists, k: int | None, options: Options) -> Floats:
    assert k is not None  # F has a cut
    share = precision_share(options["beta"])
    return share * k + (1 - share) * relevant_of(lists)


def _ideal(lists: Lists, k: int | None, options: Options) -> Floats:
    pool = lists if lists.pool is None else lists.pool
    return values_for(lists, pool, np.asarray(ranking.ideal_dcg(pool, k, gain=options["gain"])))


def _success(lists: Lists, k: int) -> Floats:
    found = ranking.precision_at_k(lists, k) > 0
    return found.astype(np.float64)


def _known(lists: Lists) -> NDArray[np.bool_]:
    if lists.known is None:
        raise invalid("lists", "lists of metrics_lib.trec.rank, which know what was judged, for Judged", lists)
    return lists.known


def _judged(lists: Lists, k: int | None) -> Floats:
    return replace(lists, grades=_known(lists)).each(lambda known: known.mean(axis=1), depth=k)


@dataclass(frozen=True)
class Measure:
    """All that is known of a measure: its name, its value, and how ties, SQL and trec_eval have it."""

    name: str
    value: Callable[..., Floats]  # of lists, the cut if it takes one, and the options but for rel
    in_sql: Callable[[Columns, int | None, Options], str] | None
    cut: Literal["needed", "optional", "none"] = "optional"
    options: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)  # how the text of each is read
    defaults: Options = field(default_factory=dict)  # where they are not those of the function
    may_be_undefined: bool = False
    worth: Callable[[Lists, Options], Floats] = _graded  # what an item adds, wherever it stands
    share: Callable[[Ranks, Options], Floats] = _mean_of_tie  # what each rank adds, in the mean over orders of ties
    divisor: Callable[[Lists, int | None, Options], Any] = lambda lists, k, options: 1.0  # what the sum is divided by
    in_trec_eval: tuple[str, ...] = ()  # k stands for the cut

    @property
    def all_defaults(self) -> dict[str, Any]:
        own = inspect.signature(self.value).parameters
        of_value = {name: None if name == "rel" else own[name].default for name in self.options}
        return {**of_value, **self.defaults}


_REL: Mapping[str, Callable[[str], Any]] = {"rel": _level}
MEASURES = {
    measure.name: measure
    for measure in (
        Measure(
            "P",
            ranking.precision_at_k,
            _precision_in_sql,
            "needed",
            _REL,
            divisor=lambda lists, k, options: k,
            in_trec_eval=("P_k",),
        ),
        Measure(
            "R",
            ranking.recall_at_k,
            _recall_in_sql,
            "needed",
            _REL,
            may_be_undefined=True,
            divisor=_of_relevant,
            in_trec_eval=("recall_k",),
        ),
        Measure(
            "F",
            ranking.fbeta_at_k,
            _fbeta_in_sql,
            "needed",
            {**_REL, "beta": float},
            may_be_undefined=True,
            divisor=_weighed,
        ),
        Measure(
            "Success",
            _success,
            _success_in_sql,
            "needed",
            _REL,
            share=_first_relevant,
            in_trec_eval=("success_k",),
        ),
        Measure(
            "AP",
            ranking.average_precision,
            _average_precision_in_sql,
            options={**_REL, "denominator": str},
            may_be_undefined=True,
            share=_precisions,
            divisor=_of_relevant,
            in_trec_eval=("map", "map_cut_k"),
        ),
        Measure(
            "RR",
            ranking.reciprocal_rank,
            _reciprocal_rank_in_sql,
            options=_REL,
            share=lambda at, options: _first_relevant(at, options) / at.rank,
            in_trec_eval=("recip_rank",),
        ),
        Measure(
            "Rprec",
            ranking.r_precision,
            _r_precision_in_sql,
            "none",
            _REL,
            may_be_undefined=True,
            share=lambda at, options: at.mean * (at.rank <= at.n_relevant),
            divisor=_of_relevant,
            in_trec_eval=("Rprec",),
        ),
        Measure(
            "RBP",
            ranking.rank_biased_precision,
            _rank_biased_precision_in_sql,
            options={**_REL, "p": float},
            share=lambda at, options: at.mean * (1 - options["p"]) * options["p"] ** (at.rank - 1),
        ),
        Measure(
            "ERR",
            ranking.expected_reciprocal_rank,
            _expected_reciprocal_rank_in_sql,
            options={"max_grade": float},
            defaults={"max_grade": 4.0},
            worth=_satisfying,
            share=_first_satisfying,
        ),
        Measure(
            "DCG",
            ranking.dcg,
            _dcg_in_sql,
            options={"gain": str},
            worth=_gained,
            share=_discounted_mean,
        ),
        Measure(
            "nDCG",
            ranking.ndcg,
            _ndcg_in_sql,
            options={"gain": str},
            may_be_undefined=True,
            worth=_gained,
            share=_discounted_mean,
            divisor=_ideal,
            in_trec_eval=("ndcg", "ndcg_cut_k"),
        ),
        Measure(
            "Judged",
            _judged,
            None,
            worth=lambda lists, options: _known(lists).astype(np.float64),
            divisor=lambda lists, k, options: np.minimum(lists.lengths, k or lists.lengths),
        ),
    )
}


# Their names

_ALSO_CALLED = {"max": "max_grade"}
_GRAMMAR = re.compile(r"([A-Za-z]+)(?:\(([^()]*)\))?(?:@(\d+))?")


def measure_names(measures: object) -> list[str]:
    """The names that were given, one or several."""
    names = [measures] if isinstance(measures, str) else measures
    if not isinstance(names, Iterable) or not (names := list(names)):
        raise invalid("measures", "at least one name such as nDCG@10", repr(measures))
    return names


def parsed_measure(text: object) -> tuple[Measure, dict[str, Any], int | None]:
    """The measure that a name such as ``P(rel=2)@5`` means, its options and its cut."""
    by_name = {name.lower(): measure for name, measure in MEASURES.items()}
    match = _GRAMMAR.fullmatch(_from_trec_eval(text)) if isinstance(text, str) else None
    if match is None or match[1].lower() not in by_name:
        known = ", ".join(name + "@k" * (measure.cut == "needed") for name, measure in MEASURES.items())
        raise invalid("measures", f"names such as nDCG@10 or P(rel=2)@5, of {known}", repr(text))
    measure = by_name[match[1].lower()]
    if (match[3] is None) if measure.cut == "needed" else (measure.cut == "none" and match[3] is not None):
        raise invalid("measures", f"{match[1]}{'@k' * (measure.cut == 'needed')}", repr(text))
    given: dict[str, Any] = {}
    for part in match[2].split(",") if match[2] else []:
        option, _, value = (word.strip() for word in part.partition("="))
        option = _ALSO_CALLED.get(option, option)
        try:
            if option in given:
                raise ValueError(option)
            given[option] = measure.options[option](value)
        except (KeyError, ValueError) as error:
            known = ", ".join(f"{name}=..." for name in measure.options)
            raise invalid("measures", f"options of {match[1]} among {known}, each once", repr(text)) from error
    return measure, measure.all_defaults | given, None if match[3] is None else as_count(int(match[3]), f"k of {text}")


def _from_trec_eval(text: str) -> str:
    """A name of trec_eval as one of ours, ``ndcg_cut_10`` as ``nDCG@10``; any other as it is."""
    ours = {name.lower(): measure.name for measure in MEASURES.values() for name in measure.in_trec_eval}
    stem, _, cut = text.replace(".", "_").rpartition("_")
    if cut.isdecimal():
        return f"{ours[f'{stem}_k'.lower()]}@{cut}" if f"{stem}_k".lower() in ours else text
    return ours.get(text.lower(), text)
