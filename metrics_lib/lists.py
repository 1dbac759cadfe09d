r"""Ranked lists of unequal length: from a long table to every metric of every query.

`Lists` holds the lists of a table (query, score, grade) without padding, and is taken wherever ``metrics_lib.ranking``
takes ranked relevance. `evaluate` computes many measures of them by name.

A recommender's log has a row for each item shown: the user, the item, the score, the label. Three lines to
P@5, P@10, NDCG@10 and AP of each user:

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
the results.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics_lib import ranking
from metrics_lib._arrays import Undefined, UndefinedInMean, as_count, check_undefined, invalid, one_of
from metrics_lib._lists import Lists, check_pools, place_of, with_queries_of

__all__ = ["Evaluation", "Lists", "evaluate"]

Lists.__module__ = __name__  # where a reader finds it; ``metrics_lib.ranking`` needs it before this module can be there

Floats = NDArray[np.float64]


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
    Used from the lesson "precision and recall at k" on.

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
    parsed = [_parsed(name) for name in names]
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
        if measure.may_be_undefined:
            options["undefined"] = undefined
        ranked = _relevant(lists, options.pop("rel", None)) if "rel" in measure.options else lists
        in_order = replace(ranked, tied=None)
        values[text] = measure.function(in_order, *([] if measure.cut == "none" else [k]), **options)
        if ranked.tied is not None:
            from metrics_lib._ties import mean_over_orders

            values[text] = mean_over_orders(ranked, ranked.tied, measure.name, k, options, values[text])
    return Evaluation(lists.queries, values)


def _success(lists: Lists, k: int) -> Floats:
    return np.sign(ranking.precision_at_k(lists, k))


def _judged(lists: Lists, k: int | None) -> Floats:
    if lists.known is None:
        raise invalid("lists", "lists of metrics_lib.trec.rank, which know what was judged, for Judged", lists)
    return replace(lists, grades=lists.known).each(lambda known: known.mean(axis=1), depth=k)


class _Measure(NamedTuple):
    """What a name stands for: a function, whether it takes a cut, its options, and whether it can be 0/0."""

    name: str
    function: Callable[..., Floats]
    cut: Literal["needed", "optional", "none"]
    options: Mapping[str, Callable[[str], Any]]
    may_be_undefined: bool = False


def _level(text: str) -> float:
    """The least grade that is relevant; grade 0 is what nobody judged."""
    level = float(text)
    if not 0 < level < np.inf:
        raise ValueError(text)
    return level


_REL: dict[str, Callable[[str], Any]] = {"rel": _level}
_MEASURES = {
    measure.name: measure
    for measure in (
        _Measure("P", ranking.precision_at_k, "needed", _REL),
        _Measure("R", ranking.recall_at_k, "needed", _REL, True),
        _Measure("F", ranking.fbeta_at_k, "needed", {**_REL, "beta": float}, True),
        _Measure("Success", _success, "needed", _REL),
        _Measure("AP", ranking.average_precision, "optional", {**_REL, "denominator": str}, True),
        _Measure("RR", ranking.reciprocal_rank, "optional", _REL),
        _Measure("Rprec", ranking.r_precision, "none", _REL, True),
        _Measure("RBP", ranking.rank_biased_precision, "optional", {**_REL, "p": float}),
        _Measure("ERR", ranking.expected_reciprocal_rank, "optional", {"max_grade": float}),
        _Measure("DCG", ranking.dcg, "optional", {"gain": str}),
        _Measure("nDCG", ranking.ndcg, "optional", {"gain": str}, True),
        _Measure("Judged", _judged, "optional", {}),
    )
}
_ALSO_CALLED = {"max": "max_grade"}
_BY_LOWER = {name.lower(): name for name in _MEASURES}
_KNOWN = ", ".join(name + "@k" * (measure.cut == "needed") for name, measure in _MEASURES.items())
_GRAMMAR = re.compile(r"([A-Za-z]+)(?:\(([^()]*)\))?(?:@(\d+))?")


def measure_names(measures: object) -> list[str]:
    """The names that were given, one or several."""
    names = [measures] if isinstance(measures, str) else measures
    if not isinstance(names, Iterable) or not (names := list(names)):
        raise invalid("measures", "at least one name such as nDCG@10", repr(measures))
    return names


def _parsed(text: object) -> tuple[_Measure, dict[str, Any], int | None]:
    """The measure that a name such as ``P(rel=2)@5`` means, its options and its cut."""
    match = _GRAMMAR.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1].lower() not in _BY_LOWER:
        raise invalid("measures", f"names such as nDCG@10 or P(rel=2)@5, of {_KNOWN}", repr(text))
    measure = _MEASURES[_BY_LOWER[match[1].lower()]]
    if (match[3] is None) if measure.cut == "needed" else (measure.cut == "none" and match[3] is not None):
        raise invalid("measures", f"{match[1]}{'@k' * (measure.cut == 'needed')}", repr(text))
    options: dict[str, Any] = {"max_grade": 4.0} if "max_grade" in measure.options else {}
    given: set[str] = set()
    for part in match[2].split(",") if match[2] else []:
        option, _, value = (word.strip() for word in part.partition("="))
        option = _ALSO_CALLED.get(option, option)
        try:
            if option in given:
                raise ValueError(option)
            given.add(option)
            options[option] = measure.options[option](value)
        except (KeyError, ValueError) as error:
            known = ", ".join(f"{name}=..." for name in measure.options)
            raise invalid("measures", f"options of {match[1]} among {known}, each once", repr(text)) from error
    return measure, options, None if match[3] is None else as_count(int(match[3]), f"k of {text}")


def _from_zero(lists: Lists) -> Lists:
    """The lists without grades below 0, which judges give to spam; they count as 0."""
    if lists.pool is not None:
        lists = replace(lists, pool=_from_zero(lists.pool))
    return replace(lists, grades=np.maximum(lists.grades, 0)) if lists.grades.min() < 0 else lists


def _relevant(lists: Lists, level: float | None) -> Lists:
    """Which items count as relevant: those of the level or above, or all with a grade above 0."""
    pool = None if lists.pool is None else _relevant(lists.pool, level)
    return replace(lists, grades=lists.grades > 0 if level is None else lists.grades >= level, pool=pool)
