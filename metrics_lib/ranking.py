"""Metrics of ranked lists: what a reader gains by going down the list from rank 1.

A bare name such as `ndcg` takes relevance *in ranked order*: the last axis is the rank, leading axes are queries.
Lists of unequal length come as `metrics_lib.lists.Lists`, without padding.
Names that end in ``_score`` take true relevance and scores, as scikit-learn does, and sort the items themselves.
Binary metrics count an item as relevant if its value is greater than 0.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    Undefined,
    UndefinedInMean,
    as_array,
    as_count,
    as_cutoff,
    as_floats,
    as_number_above,
    as_numbers,
    as_totals,
    as_weights,
    check_flag,
    check_undefined,
    invalid,
    one_of,
    same_shape,
    warn_undefined,
)
from metrics_lib._floats import Result, as_result, divide, mean, precision_share, row_blocks
from metrics_lib._sorting import best_columns
from metrics_lib.lists import Lists, check_pools, ideal_order, of_ranked, takes_lists, values_for

__all__ = [
    "average_precision",
    "cumulative_gain",
    "dcg",
    "dcg_score",
    "expected_reciprocal_rank",
    "fbeta_at_k",
    "ideal_dcg",
    "mean_average_precision",
    "mean_over_queries",
    "mean_reciprocal_rank",
    "ndcg",
    "ndcg_score",
    "precision_at_k",
    "r_precision",
    "rank_biased_precision",
    "rank_by_score",
    "recall_at_k",
    "reciprocal_rank",
]

Gain = Literal["linear", "exponential"]
Denominator = Literal["relevant", "min", "hits", "k"]
Discount = Callable[[NDArray[np.float64]], ArrayLike]
Ranked = ArrayLike | Lists
PerQuery = ArrayLike | Mapping[Any, float]


_INT32 = np.iinfo(np.int32).max
_NOTHING_RELEVANT = "undefined: a query has no relevant item (pass undefined= to give it a value)"


# Binary relevance


@takes_lists
def precision_at_k(rel: ArrayLike, k: int) -> Result:
    r"""Share of the first ``k`` ranks that hold a relevant item.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Relevance in ranked order; values greater than 0 are relevant. Pad shorter lists with 0, or pass
        `metrics_lib.lists.Lists`.
    k : int
        Number of ranks to look at, at least 1. Beyond the list it still divides by ``k``.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1], higher is better; a float for one list.

    Raises
    ------
    ValueError
        If ``rel`` is empty or not finite, or ``k`` is not an integer of at least 1.

    See Also
    --------
    recall_at_k, fbeta_at_k

    Notes
    -----
    .. math:: P@k = \frac{1}{k} \sum_{i=1}^{k} [rel_i > 0]

    Dividing by ``k`` even where fewer items were returned is what trec_eval does.

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> precision_at_k([1, 0, 1, 0, 1], 3)
    0.6666666666666666
    >>> precision_at_k([[1, 1], [0, 1]], 4)
    array([0.5 , 0.25])
    """
    relevant, k = _relevant(rel, as_count(k, "k"))
    return as_result(relevant[..., :k].sum(axis=-1) / np.float64(k))


@takes_lists
def recall_at_k(rel: ArrayLike, k: int, *, n_relevant: PerQuery | None = None, undefined: Undefined = np.nan) -> Result:
    r"""Share of the relevant items that stand in the first ``k`` ranks.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Relevance in ranked order; values greater than 0 are relevant.
    k : int
        Number of ranks to look at, at least 1.
    n_relevant : int, array_like of int of shape (...) or mapping, default=None
        Number of relevant items that exist, retrieved or not: one for all queries or one per query;
        with Lists one per query in the order of its ``queries``, or a mapping from query to number.
        Default: those in the list.
    undefined : float or 'raise', default=nan
        Value of a query without any relevant item.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1], higher is better.

    Raises
    ------
    ValueError
        If ``rel`` or ``k`` is invalid, ``n_relevant`` is smaller than the number of relevant items in the list,
        or ``undefined='raise'`` and a query has no relevant item.

    See Also
    --------
    precision_at_k, fbeta_at_k

    Notes
    -----
    .. math:: R@k = \frac{1}{R} \sum_{i=1}^{k} [rel_i > 0]

    with :math:`R` relevant items.

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> recall_at_k([1, 0, 1, 0, 1], 3)
    0.6666666666666666
    >>> recall_at_k([1, 0, 1, 0, 1], 3, n_relevant=4)
    0.5
    """
    relevant, k = _relevant(rel, as_count(k, "k"))
    return divide(
        relevant[..., :k].sum(axis=-1),
        _count_relevant(relevant, n_relevant),
        undefined=undefined,
        why=_NOTHING_RELEVANT,
    )


@takes_lists
def fbeta_at_k(
    rel: ArrayLike,
    k: int,
    *,
    beta: float = 1.0,
    n_relevant: PerQuery | None = None,
    undefined: Undefined = np.nan,
) -> Result:
    r"""Weighted harmonic mean of precision and recall in the first ``k`` ranks.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Relevance in ranked order; values greater than 0 are relevant.
    k : int
        Number of ranks to look at, at least 1.
    beta : float, default=1.0
        How many times as much recall counts as precision, from 0 (precision) to infinity (recall).
    n_relevant : int, array_like of int of shape (...) or mapping, default=None
        Number of relevant items that exist. Default: those in the list.
    undefined : float or 'raise', default=nan
        For an infinite ``beta``, which is recall: the value of a query without any relevant item.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1], higher is better; 0 where no relevant item is in the first ``k`` ranks.

    Raises
    ------
    ValueError
        If an argument is invalid, or ``undefined='raise'`` and a value is undefined.

    See Also
    --------
    precision_at_k, recall_at_k

    Notes
    -----
    .. math:: F_{\beta}@k = \frac{(1 + \beta^2) \, P@k \, R@k}{\beta^2 \, P@k + R@k}
              = \frac{TP}{\alpha k + (1 - \alpha) R}, \qquad \alpha = \frac{1}{1 + \beta^2}

    with :math:`TP` relevant items in the first ``k`` ranks and :math:`R` in all. The second form counts, as
    `metrics_lib.classification.f1_score` does: it needs no case for P = R = 0, and where nothing is relevant it is 0,
    though recall and the first form are 0/0 there.

    References
    ----------
    van Rijsbergen (1979).

    Examples
    --------
    >>> fbeta_at_k([1, 0, 1, 0, 1], 2)
    0.4
    >>> round(fbeta_at_k([1, 0, 1, 0, 1], 2, beta=2), 6)
    0.357143
    """
    relevant, k = _relevant(rel, as_count(k, "k"))
    share = precision_share(beta)
    total = _count_relevant(relevant, n_relevant)
    hits = relevant[..., :k].sum(axis=-1)
    return divide(hits, share * k + (1 - share) * total, undefined=undefined, why=_NOTHING_RELEVANT)


@takes_lists
def average_precision(
    rel: ArrayLike,
    k: int | None = None,
    *,
    n_relevant: PerQuery | None = None,
    denominator: Denominator = "relevant",
    undefined: Undefined = np.nan,
) -> Result:
    r"""Sum of the precisions at the ranks of the relevant items, over how many there are.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Relevance in ranked order; values greater than 0 are relevant.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: the whole list.
    n_relevant : int, array_like of int of shape (...) or mapping, default=None
        Number of relevant items that exist, retrieved or not. Default: those in the list.
    denominator : {'relevant', 'min', 'hits', 'k'}, default='relevant'
        What the sum is divided by:

        - ``'relevant'``: all relevant items, so that a missing one counts as precision 0
          (trec_eval, ranx, scikit-learn);
        - ``'min'``: the smaller of the relevant items and ``k``, so that a full top ``k`` reaches 1
          (``map_at_k`` of recommenders, RecBole);
        - ``'hits'``: the relevant items found in the first ``k`` ranks, so that a missing one costs nothing
          (torchmetrics);
        - ``'k'``: the ranks looked at (lecture notes, above all Chinese ones).
    undefined : float or 'raise', default=nan
        Value of a query without any relevant item, and of one without a hit under ``'hits'``, where the quotient is
        0/0.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1], higher is better.

    Raises
    ------
    ValueError
        If an argument is invalid, or ``undefined='raise'`` and a value is 0/0.

    See Also
    --------
    mean_average_precision : The mean over queries.

    Notes
    -----
    .. math:: AP@k = \frac{1}{D} \sum_{i=1}^{k} [rel_i > 0] \, P@i

    References
    ----------
    Buckley and Voorhees (2000). Manning et al. (2008).

    Examples
    --------
    >>> average_precision([1, 0, 1, 0, 1])
    0.7555555555555555
    >>> found = [1, 1, 0, 0, 0]
    >>> [round(average_precision(found, n_relevant=3, denominator=d), 4) for d in ("relevant", "min", "hits", "k")]
    [0.6667, 0.6667, 1.0, 0.4]
    """
    one_of(denominator, "denominator", ("relevant", "min", "hits", "k"))
    relevant, cut = _relevant(rel, k)
    total = _count_relevant(relevant, n_relevant)
    top = relevant[..., :cut]
    hits = top.cumsum(axis=-1, dtype=np.float64)
    precisions = hits / np.arange(1, top.shape[-1] + 1)
    divisors: dict[str, Any] = {
        "relevant": total,
        "min": np.minimum(total, cut),
        "hits": hits[..., -1],
        "k": np.float64(cut),
    }
    divisor = np.where(total > 0, divisors[denominator], 0)
    return divide((precisions * top).sum(axis=-1), divisor, undefined=undefined, why=_NOTHING_RELEVANT)


def mean_average_precision(
    rel: Ranked,
    k: int | None = None,
    *,
    n_relevant: PerQuery | None = None,
    denominator: Denominator = "relevant",
    undefined: UndefinedInMean = np.nan,
) -> float:
    r"""Mean of the average precisions of all queries.

    Parameters
    ----------
    rel, k, n_relevant, denominator
        As in `average_precision`.
    undefined : float, 'raise' or 'skip', default=nan
        Value of a query whose average precision is 0/0; ``'skip'`` leaves it out of the mean.

    Returns
    -------
    float
        In [0, 1], higher is better. With ``'skip'`` and no query left, nan.

    Raises
    ------
    ValueError
        As in `average_precision`.

    See Also
    --------
    average_precision : One value per query.
    mean_over_queries : The mean of any other metric.

    Notes
    -----
    .. math:: MAP = \frac{1}{|Q|} \sum_{q \in Q} AP_q

    trec_eval counts a query without relevant items as 0, which is ``undefined=0`` here.

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> mean_average_precision([[1, 0, 1], [0, 1, 0]])
    0.6666666666666666
    >>> mean_average_precision([[1, 0, 1], [0, 0, 0]], undefined="skip")
    0.8333333333333333
    """
    check_undefined(undefined, mean=True)
    of_one: Undefined = np.nan if undefined == "skip" else undefined
    values = average_precision(rel, k, n_relevant=n_relevant, denominator=denominator, undefined=of_one)
    return mean_over_queries(values, undefined=undefined)


@takes_lists
def r_precision(rel: ArrayLike, *, n_relevant: PerQuery | None = None, undefined: Undefined = np.nan) -> Result:
    r"""Precision after as many ranks as there are relevant items, where it equals recall.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Relevance in ranked order; values greater than 0 are relevant.
    n_relevant : int, array_like of int of shape (...) or mapping, default=None
        Number of relevant items that exist, retrieved or not, as in `recall_at_k`. Default: those in the list.
    undefined : float or 'raise', default=nan
        Value of a query without any relevant item.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1], higher is better.

    Raises
    ------
    ValueError
        If an argument is invalid, or ``undefined='raise'`` and a query has no relevant item.

    See Also
    --------
    precision_at_k, recall_at_k
    metrics_lib.curves.break_even_point : The same from scores, with ties.

    Notes
    -----
    .. math:: \text{R-precision} = P@R = R@R = \frac{1}{R} \sum_{i=1}^{R} [rel_i > 0]

    with :math:`R` relevant items. A perfect list has 1 whatever :math:`R` is, which :math:`P@k` cannot reach where
    :math:`R < k`. A list shorter than :math:`R` still divides by :math:`R`, as in trec_eval (``Rprec``) and ranx
    (``r_precision``); trec_eval counts a query without relevant items as 0, which is ``undefined=0`` here.

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> r_precision([1, 0, 1, 0, 1])
    0.6666666666666666
    >>> r_precision([1, 0, 1, 0, 1], n_relevant=8)
    0.375
    """
    relevant, length = _relevant(rel, None)
    total = _count_relevant(relevant, n_relevant)
    within = np.arange(length) < total[..., None]
    return divide((relevant & within).sum(axis=-1), total, undefined=undefined, why=_NOTHING_RELEVANT)


@takes_lists
def rank_biased_precision(rel: ArrayLike, k: int | None = None, *, p: float = 0.8) -> Result:
    r"""Rank-biased precision (RBP): the relevant share of what a reader sees who goes on with probability ``p``.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Relevance in ranked order; values greater than 0 are relevant.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: the whole list.
    p : float, default=0.8
        Persistence: the probability of going on to the next rank, at least 0 and below 1.
        At 0 the first rank alone counts; the default is that of ir_measures.

    Returns
    -------
    float or ndarray of shape (...)
        Values from 0 to :math:`1 - p^n` for :math:`n` ranks, higher is better.

    Raises
    ------
    ValueError
        If ``rel``, ``k`` or ``p`` is invalid.

    See Also
    --------
    precision_at_k : Every rank counts the same, up to the cut.
    expected_reciprocal_rank : The probability of going on falls with what was found.

    Notes
    -----
    .. math:: RBP = (1 - p) \sum_{i \ge 1} p^{i-1} \, [rel_i > 0]

    The reader sees rank i with probability :math:`p^{i-1}` and :math:`1 / (1 - p)` ranks on average, by which the sum
    is divided, however many relevant items there are: no value is undefined. A list of :math:`n` ranks leaves
    :math:`p^n` open, the *residual*: what follows it can add that much and no more.
    ranx has p = 0.5, 0.8 and 0.95 in its names (``rbp.80``).

    References
    ----------
    Moffat and Zobel (2008).

    Examples
    --------
    >>> round(rank_biased_precision([1, 0, 1]), 6)
    0.328
    >>> rank_biased_precision([1, 0, 1], p=0.5)
    0.625
    """
    relevant, k = _relevant(rel, k)
    persistence = as_floats(p, "p", ndim=0, min_ndim=0)
    if isinstance(p, bool) or not 0 <= persistence < 1:
        raise invalid("p", "a number of at least 0 and below 1", repr(p))
    top = relevant[..., :k]
    return _weighted_sum(top, (1 - persistence) * persistence ** np.arange(top.shape[-1]))


@takes_lists
def reciprocal_rank(rel: ArrayLike, k: int | None = None) -> Result:
    r"""One over the rank of the first relevant item, 0 if there is none.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Relevance in ranked order; values greater than 0 are relevant.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: the whole list.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1], higher is better.

    Raises
    ------
    ValueError
        If ``rel`` or ``k`` is invalid.

    See Also
    --------
    mean_reciprocal_rank : The mean over queries.
    expected_reciprocal_rank : For graded relevance.

    Notes
    -----
    .. math:: RR = \frac{1}{\min \{ i : rel_i > 0 \}}

    References
    ----------
    Voorhees (1999).

    Examples
    --------
    >>> reciprocal_rank([0, 0, 1, 1])
    0.3333333333333333
    >>> reciprocal_rank([0, 0, 1, 1], k=2)
    0.0
    """
    relevant, k = _relevant(rel, k)
    top = relevant[..., :k]
    return as_result(np.where(top.any(axis=-1), 1 / (top.argmax(axis=-1) + 1), 0.0))


def mean_reciprocal_rank(rel: Ranked, k: int | None = None) -> float:
    r"""Mean of the reciprocal ranks of all queries; a query without a hit counts 0.

    Parameters
    ----------
    rel, k
        As in `reciprocal_rank`.

    Returns
    -------
    float
        In [0, 1], higher is better.

    Raises
    ------
    ValueError
        If ``rel`` or ``k`` is invalid.

    See Also
    --------
    reciprocal_rank : One value per query.

    Notes
    -----
    .. math:: MRR = \frac{1}{|Q|} \sum_{q \in Q} RR_q

    References
    ----------
    Voorhees (1999).

    Examples
    --------
    >>> mean_reciprocal_rank([[0, 0, 1], [0, 1, 0], [1, 0, 0]])
    0.611111111111111
    """
    return mean_over_queries(reciprocal_rank(rel, k))


def mean_over_queries(values: ArrayLike, *, undefined: UndefinedInMean = np.nan) -> float:
    r"""Mean of the values that a metric gives to the queries, with a choice for those that are undefined.

    Parameters
    ----------
    values : array_like of shape (...)
        What `ndcg`, `recall_at_k` or any other metric returned for a batch; nan marks an undefined value.
    undefined : float, 'raise' or 'skip', default=nan
        What stands for each nan; ``'skip'`` leaves it out of the mean.

    Returns
    -------
    float
        The mean. With ``'skip'`` and no query left, nan.

    Raises
    ------
    ValueError
        If ``values`` is empty, infinite or not numeric, or ``undefined='raise'`` and a value is nan.

    See Also
    --------
    mean_average_precision, mean_reciprocal_rank : Metric and mean in one call.

    Notes
    -----
    .. math:: \frac{1}{|Q|} \sum_{q \in Q} m_q

    Libraries differ on the queries without relevant items: trec_eval and ranx count them as 0, torchmetrics lets the
    caller choose (``empty_target_action``).

    References
    ----------
    Manning et al. (2008).

    Examples
    --------
    >>> per_query = ndcg([[2, 1], [1, 2], [0, 0]])
    >>> round(mean_over_queries(per_query, undefined="skip"), 6)
    0.929859
    >>> round(mean_over_queries(per_query, undefined=0), 6)
    0.619906
    """
    check_undefined(undefined, mean=True)
    given = as_array(values, "values", "numbers")
    nan = given != given
    if undefined == "raise" and nan.any():
        raise ValueError(f"values: {np.count_nonzero(nan)} of {nan.size} are undefined (nan)")
    filled = as_floats(np.where(nan, np.zeros_like(given), given), "values", min_ndim=0)
    if undefined == "skip":
        return np.nan if nan.all() else _mean(filled[~nan])
    if nan.any():
        filled[nan] = undefined
    return _mean(filled)


# Graded relevance


@takes_lists
def expected_reciprocal_rank(
    grades: ArrayLike, k: int | None = None, *, max_grade: float | None = None, discount: Discount | None = None
) -> Result:
    r"""Expected value of the reciprocal of the rank at which a reader going down the list is satisfied.

    Parameters
    ----------
    grades : array_like of shape (..., n_ranks) or Lists
        Grades in ranked order, not negative.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: the whole list.
    max_grade : float, default=None
        Highest grade of the scale, which satisfies with probability :math:`1 - 2^{-max}`.
        Required for more than one list: the value of a query must not depend on the others.
        Default for one list: the highest grade in it. Give it whenever the scale is known: the value depends on it.
    discount : callable, default=None
        Takes the ranks 1, 2, ... as an array and returns their weights, not negative and not increasing.
        Default: the reciprocal of the rank. With another one the value is no longer an expected reciprocal rank.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1) for discounts up to 1, higher is better; 0 where no grade is positive.

    Raises
    ------
    ValueError
        If ``grades`` has a negative value or one above ``max_grade``, if it holds more than one list and ``max_grade``
        is missing, or if an argument is invalid.

    See Also
    --------
    reciprocal_rank : For binary relevance.
    ndcg : Gains that do not depend on what stands above.

    Notes
    -----
    .. math:: ERR@k = \sum_{i=1}^{k} \frac{1}{i} \, p_i \prod_{j<i} (1 - p_j),
              \qquad p_i = \frac{2^{g_i} - 1}{2^{g_{max}}}

    References
    ----------
    Chapelle et al. (2009).

    Examples
    --------
    >>> expected_reciprocal_rank([3, 2, 0], max_grade=3)
    0.8984375
    >>> expected_reciprocal_rank([3, 2, 0], max_grade=4)
    0.490234375
    """
    values = as_floats(grades, "grades")
    top_grade = _top_grade(values, max_grade, of_one_list=values.ndim == 1)
    top = values[..., : as_cutoff(k, values.shape[-1])]
    satisfied = np.exp2(top - top_grade) - np.exp2(-top_grade)
    reached = np.ones_like(satisfied)
    np.cumprod(1 - satisfied[..., :-1], axis=-1, out=reached[..., 1:])
    weights = _discounts(np.reciprocal if discount is None else discount, top.shape[-1])
    return _weighted_sum(satisfied * reached, weights)


@takes_lists
def cumulative_gain(rel: ArrayLike, k: int | None = None) -> Result:
    r"""Sum of the grades in the first ``k`` ranks, whatever their order.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Grades in ranked order.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: the whole list.

    Returns
    -------
    float or ndarray of shape (...)
        Unbounded, in units of the grades; higher is better.

    Raises
    ------
    ValueError
        If ``rel`` or ``k`` is invalid.

    See Also
    --------
    dcg : Lower ranks count less.

    Notes
    -----
    .. math:: CG@k = \sum_{i=1}^{k} rel_i

    References
    ----------
    Järvelin and Kekäläinen (2002).

    Examples
    --------
    >>> cumulative_gain([3, 2, 3, 0, 1, 2])
    11.0
    """
    grades = as_numbers(rel, "rel")
    top = grades[..., : as_cutoff(k, grades.shape[-1])]
    return _weighted_sum(top, np.ones(top.shape[-1]))


@takes_lists
def dcg(rel: ArrayLike, k: int | None = None, *, gain: Gain = "linear", discount: Discount | None = None) -> Result:
    r"""Discounted cumulative gain: the gains of the first ``k`` ranks, lower ranks counting less.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Grades in ranked order. Negative ones are allowed and lower the sum.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: the whole list.
    gain : {'linear', 'exponential'}, default='linear'
        What a grade is worth: itself (scikit-learn, trec_eval), or
        :math:`2^{rel} - 1` (LightGBM by default, gdeval).
    discount : callable, default=None
        Takes the ranks 1, 2, ... as an array and returns their weights, not negative and not increasing.
        Default: :math:`1 / \log_2(rank + 1)`.

    Returns
    -------
    float or ndarray of shape (...)
        Unbounded; higher is better.

    Raises
    ------
    ValueError
        If an argument is invalid or a gain overflows.

    See Also
    --------
    ideal_dcg : The greatest value attainable.
    ndcg : The ratio of the two.
    dcg_score : From scores instead of ranks.

    Notes
    -----
    .. math:: DCG@k = \sum_{i=1}^{k} \frac{gain(rel_i)}{\log_2(i + 1)}

    References
    ----------
    Järvelin and Kekäläinen (2002). Burges et al. (2005) for the exponential gain.

    Examples
    --------
    >>> round(dcg([3, 2, 3, 0, 1, 2]), 6)
    6.861127
    >>> round(dcg([3, 2, 3, 0, 1, 2], k=3, gain="exponential"), 6)
    12.392789
    """
    grades = as_numbers(rel, "rel")
    cut = as_cutoff(k, grades.shape[-1])
    return _weighted_sum(_gains(grades[..., :cut], gain, "rel"), _discounts(discount, min(cut, grades.shape[-1])))


@of_ranked
def ideal_dcg(
    judged: Ranked, k: int | None = None, *, gain: Gain = "linear", discount: Discount | None = None
) -> Result:
    r"""Compute the greatest DCG that any ranking of the judged items can reach in its first ``k`` ranks.

    Parameters
    ----------
    judged : array_like of shape (..., n_judged) or Lists
        Grades of all judged items, in any order.
    k, gain, discount
        As in `dcg`.

    Returns
    -------
    float or ndarray of shape (...)
        The DCG of the grades in descending order, cut at ``k``.

    Raises
    ------
    ValueError
        As in `dcg`.

    See Also
    --------
    dcg, ndcg

    Notes
    -----
    .. math:: IDCG@k = \max_{\pi} \sum_{i=1}^{k} \frac{gain(judged_{\pi(i)})}{\log_2(i + 1)}

    Some lecture notes do not cut the ideal: leave out ``k``.

    References
    ----------
    Järvelin and Kekäläinen (2002).

    Examples
    --------
    >>> round(ideal_dcg([3, 2, 3, 0, 1, 2, 3, 0], k=6), 6)
    8.384055
    """
    if isinstance(judged, Lists):
        return _ideal_of_lists(judged, as_cutoff(k, int(judged.lengths.max())), gain, discount)
    grades = as_numbers(judged, "judged")
    cut = as_cutoff(k, grades.shape[-1])
    weights = _discounts(discount, min(cut, grades.shape[-1]))
    return _weighted_sum(_gains(_highest(grades, cut), gain, "judged"), weights)


@of_ranked
def ndcg(
    rel: Ranked,
    k: int | None = None,
    *,
    judged: Ranked | None = None,
    gain: Gain = "linear",
    discount: Discount | None = None,
    undefined: Undefined = np.nan,
) -> Result:
    r"""Normalised discounted cumulative gain: the DCG over the greatest one attainable.

    The greatest one is that of the best items of ``judged``. Without ``judged`` it is that of the list itself, sorted:
    a list that lacks every good item can then score 1, and only lists that hold all judged items can be compared.

    Parameters
    ----------
    rel : array_like of shape (..., n_ranks) or Lists
        Grades in ranked order, not negative. Items that nobody judged have grade 0.
    k : int, default=None
        Number of ranks to look at in the list and in the ideal, at least 1. Default: all of both.
    judged : array_like of shape (..., n_judged) or Lists, default=None
        Grades of all judged items of each query, retrieved or not, in any order, padded with 0.
        Default: the list itself, so that relevant items left out of it cost nothing; what ``Lists`` know of the pool.
    gain : {'linear', 'exponential'}, default='linear'
        As in `dcg`.
    discount : callable, default=None
        As in `dcg`.
    undefined : float or 'raise', default=nan
        Value of a query without a relevant item, whose ideal is 0.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, 1], both ends attained; higher is better.

    Raises
    ------
    ValueError
        If an argument is invalid, a grade is negative, the list holds a positive grade that ``judged`` lacks,
        or ``undefined='raise'`` and a query has no relevant item.

    See Also
    --------
    dcg, ideal_dcg
    ndcg_score : From scores instead of ranks.

    Notes
    -----
    .. math:: NDCG@k = \frac{DCG@k}{IDCG@k}

    trec_eval counts a query without relevant items as 0 (``undefined=0``), LightGBM as 1 (``undefined=1``);
    `mean_over_queries` takes the mean and can leave such queries out.
    Judges give negative grades to spam; trec_eval counts them as 0: pass ``np.maximum(grades, 0)``. With less than 0
    for an item the ideal list would end above it, and the value could be above 1.
    Some lecture notes divide by the ideal of the list without a cut: ``dcg(rel, k) / ideal_dcg(rel)``.

    References
    ----------
    Järvelin and Kekäläinen (2002). Burges et al. (2005) for the exponential gain.

    Examples
    --------
    >>> returned = [3, 2, 3, 0, 1, 2]
    >>> round(ndcg(returned), 6)
    0.960808
    >>> round(ndcg(returned, k=6, judged=[*returned, 3, 0]), 6)
    0.818354
    >>> ndcg([[2, 1], [1, 2], [0, 0]]).round(6)
    array([1.      , 0.859719,      nan])
    """
    if isinstance(rel, Lists):
        pool = _pool_of_lists(rel, judged)
        ideal: Result = values_for(rel, pool, ideal_dcg(pool, k, gain=gain, discount=discount))
    else:
        ideal = ideal_dcg(_pool(rel, judged), k, gain=gain, discount=discount)
    attained = dcg(rel, k, gain=gain, discount=discount)
    return divide(attained, ideal, undefined=undefined, why=_NOTHING_RELEVANT)


# From scores


def dcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
    gain: Gain = "linear",
) -> float:
    r"""Mean DCG of the rankings by score, as ``sklearn.metrics.dcg_score``.

    Parameters
    ----------
    y_true : array_like of shape (n_queries, n_documents)
        Grades, two documents or more.
    y_score : array_like of shape (n_queries, n_documents)
        Scores by which the documents are ranked, highest first.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: all.
    log_base : float, default=2
        Base of the logarithm in the discount, greater than 1.
    sample_weight : array_like of shape (n_queries,), default=None
        Weight of each query in the mean.
    ignore_ties : bool, default=False
        If False, documents of equal score share the mean of their gains, which is the expected DCG over all orders of
        equals. If True, equals stand in order of descending index.
    gain : {'linear', 'exponential'}, default='linear'
        As in `dcg`; scikit-learn has only the linear one.

    Returns
    -------
    float
        Unbounded; higher is better.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    dcg : For lists already in ranked order.

    Notes
    -----
    For a group of equals that fills the ranks :math:`a, \dots, b` the sum holds

    .. math:: \overline{gain} \sum_{i=a}^{\min(b, k)} \frac{1}{\log(i + 1)}

    References
    ----------
    Järvelin and Kekäläinen (2002). McSherry and Najork (2008) for ties.

    Examples
    --------
    >>> round(dcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 6)
    9.499458
    >>> round(dcg_score([[3, 1]], [[0.5, 0.5]]), 6)
    3.26186
    """
    grades, scores = _grades_and_scores(y_true, y_score, ignore_ties)
    weights = as_weights(sample_weight, len(grades))
    log_base = as_number_above(log_base, "log_base", 1)
    per_query = _dcg_by_score(grades, scores, k, gain, ignore_ties) * np.log2(log_base)
    return _mean(per_query, weights)


def ndcg_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    k: int | None = None,
    sample_weight: ArrayLike | None = None,
    ignore_ties: bool = False,
    gain: Gain = "linear",
) -> float:
    r"""Mean NDCG of the rankings by score, as ``sklearn.metrics.ndcg_score``.

    Parameters
    ----------
    y_true : array_like of shape (n_queries, n_documents)
        Grades of at least 0, two documents or more.
    y_score : array_like of shape (n_queries, n_documents)
        Scores by which the documents are ranked, highest first.
    k : int, default=None
        Number of ranks to look at, at least 1. Default: all.
    sample_weight : array_like of shape (n_queries,), default=None
        Weight of each query in the mean.
    ignore_ties : bool, default=False
        As in `dcg_score`.
    gain : {'linear', 'exponential'}, default='linear'
        As in `dcg`; scikit-learn has only the linear one.

    Returns
    -------
    float
        In [0, 1], higher is better.

    Raises
    ------
    ValueError
        If an argument is invalid or a grade is negative.

    Warns
    -----
    UndefinedMetricWarning
        If a query has no relevant document: it counts 0 in the mean, as in scikit-learn (which does so silently).

    See Also
    --------
    ndcg : For lists already in ranked order, with a pool of judged items and a choice for undefined values.

    Notes
    -----
    .. math:: \frac{1}{|Q|} \sum_{q \in Q} \frac{DCG_q@k}{IDCG_q@k}

    The ideal is taken over all documents passed.

    References
    ----------
    Järvelin and Kekäläinen (2002). McSherry and Najork (2008) for ties.

    Examples
    --------
    >>> round(ndcg_score([[10, 0, 0, 1, 5]], [[0.1, 0.2, 0.3, 4, 70]]), 6)
    0.695694
    >>> round(ndcg_score([[3, 1]], [[0.5, 0.5]]), 6)
    0.898354
    """
    grades, scores = _grades_and_scores(y_true, y_score, ignore_ties)
    weights = as_weights(sample_weight, len(grades))
    attained = _dcg_by_score(grades, scores, k, gain, ignore_ties)
    ideal = np.asarray(ideal_dcg(grades, k, gain=gain))
    without = np.count_nonzero(ideal == 0)
    if without:
        warn_undefined(f"ndcg_score: {without} queries have no relevant document and count 0")
    return _mean(np.asarray(divide(attained, ideal, undefined=0.0, why=_NOTHING_RELEVANT)), weights)


def rank_by_score(relevance: ArrayLike, scores: ArrayLike) -> NDArray[Any]:
    """Put relevance in ranked order, highest score first.

    Parameters
    ----------
    relevance : array_like of shape (..., n_items)
        Relevance of each item.
    scores : array_like of shape (..., n_items)
        Score of each item.

    Returns
    -------
    ndarray of shape (..., n_items)
        The values of ``relevance`` by descending score. Items of equal score keep the order of the input, so the value
        of a metric may depend on that order; `ndcg_score` averages over it instead.

    Raises
    ------
    ValueError
        If the shapes differ or an argument is invalid.

    See Also
    --------
    ndcg, average_precision, reciprocal_rank : What to do with the result.

    Notes
    -----
    The sort is stable. Ranks start at 1.

    References
    ----------
    McSherry and Najork (2008), on what ties do to ranking metrics.

    Examples
    --------
    >>> rank_by_score([0, 3, 1, 2], [0.1, 0.4, 0.9, 0.4])
    array([1, 3, 2, 0])
    """
    values, keys = as_numbers(relevance, "relevance"), as_numbers(scores, "scores")
    same_shape(values, "relevance", keys, "scores")
    # Reversed twice, an ascending stable sort keeps equals in order; negated keys would overflow for integers.
    order = keys.shape[-1] - 1 - np.argsort(keys[..., ::-1], axis=-1, kind="stable")[..., ::-1]
    return np.take_along_axis(values, order, axis=-1)


# Shared steps


def _relevant(rel: ArrayLike, k: int | None) -> tuple[NDArray[np.bool_], int]:
    """Which ranks hold a relevant item, and the rank to cut at."""
    grades = as_numbers(rel, "rel")
    return grades > 0, as_cutoff(k, grades.shape[-1])


def _check_grades(grades: NDArray[Any], name: str) -> None:
    if grades.min() < 0:
        raise invalid(name, "grades of at least 0 (to count others as 0: np.maximum(grades, 0))", grades.min())


def _top_grade(grades: NDArray[Any], max_grade: float | None, *, of_one_list: bool) -> NDArray[np.float64]:
    """The highest grade of the scale, if it is known and no grade is beyond it or negative."""
    _check_grades(grades, "grades")
    if max_grade is None and not of_one_list:
        raise invalid("max_grade", "the highest grade of the scale, for more than one list", None)
    top_grade = as_floats(grades.max() if max_grade is None else max_grade, "max_grade", ndim=0, min_ndim=0)
    if grades.max() > top_grade:
        raise invalid("max_grade", f"at least the highest grade, {grades.max()}", top_grade)
    return top_grade


def _count_relevant(relevant: NDArray[np.bool_], n_relevant: PerQuery | None) -> NDArray[np.float64]:
    """Relevant items per query: as given, if that covers those in the list, otherwise those in the list."""
    listed: NDArray[np.float64] = np.asarray(relevant.sum(axis=-1, dtype=np.float64))
    if n_relevant is None:
        return listed
    if isinstance(n_relevant, Mapping):
        raise invalid("n_relevant", "one number or one per query, as no Lists name the queries", "a mapping")
    return as_totals(n_relevant, listed)


def _discounts(discount: Discount | None, length: int) -> NDArray[np.float64]:
    """Weights of the ranks 1 to `length`; the ideal order is the descending one only if they never increase."""
    ranks = np.arange(1.0, length + 1)
    if discount is None:
        return np.asarray(1 / np.log2(ranks + 1))
    if not callable(discount):
        raise invalid("discount", "a function of the ranks or None", repr(discount))
    with np.errstate(all="ignore"):
        weights = as_floats(discount(ranks), "discount", min_ndim=0)
    weights = np.broadcast_to(weights, ranks.shape) if weights.ndim == 0 else weights
    if weights.shape != ranks.shape:
        raise invalid("discount", f"weights of shape {ranks.shape}", weights.shape)
    if weights.min() < 0 or (np.diff(weights) > 0).any():
        raise invalid("discount", "weights of at least 0 that do not increase with the rank", weights)
    return weights


def _gains(grades: NDArray[Any], gain: Gain, name: str) -> NDArray[np.float64]:
    one_of(gain, "gain", ("linear", "exponential"))
    gains: NDArray[np.float64] = grades.astype(np.float64, copy=False)
    if gain == "linear":
        return gains
    if gains.max() >= 1024:
        raise invalid(name, "grades below 1024, whose exponential gain is finite", gains.max())
    return np.asarray(np.exp2(gains) - 1)


def _weighted_sum(values: NDArray[Any], weights: NDArray[np.float64]) -> Result:
    """Sum over the last axis; each row is summed alone and in the same order, so a batch equals its rows exactly."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.ascontiguousarray(values * weights).sum(axis=-1)
    if not np.isfinite(total).all():
        raise ValueError("the sum of the gains exceeds the range of float64")
    return as_result(total)


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> float:
    with np.errstate(over="ignore"):
        value = mean(values.ravel(), weights)
    if np.isinf(value) and np.isfinite(values).all():
        raise ValueError("the sum of the values exceeds the range of float64")
    return value


def _highest(grades: NDArray[Any], k: int) -> NDArray[Any]:
    """The k highest values of each row, in descending order."""
    short = grades.dtype.kind in "iu" and grades.min() >= -_INT32 and grades.max() <= _INT32
    ordered = grades.astype(np.int32 if short else grades.dtype)  # NumPy sorts 32 bits faster than 64
    ordered.sort(axis=-1)
    return ordered[..., : -k - 1 : -1]


def _ideal_of_lists(judged: Lists, k: int, gain: Gain, discount: Discount | None) -> Result:
    """The ideal DCG of each pool: by counting its grades, where they are few whole numbers."""
    ideal = ideal_order(judged, k)
    if ideal is not None:
        return dcg(ideal, k, gain=gain, discount=discount)
    return judged.each(ideal_dcg, k, gain=gain, discount=discount)


def _pool_of_lists(rel: Lists, judged: object) -> Lists:
    """The judged items of each query: those given, or those that the lists know, or themselves."""
    known = rel if rel.pool is None else rel.pool
    pool = known if judged is None else judged
    if not isinstance(pool, Lists):
        raise invalid("judged", "Lists, as rel is", f"a value of type {type(judged).__name__}")
    _check_grades(rel.grades, "rel")
    _check_grades(pool.grades, "judged")
    if pool is not known:
        check_pools(pool, rel)
    return pool


def _pool(rel: ArrayLike, judged: ArrayLike | Lists | None) -> NDArray[Any]:
    """The judged grades, if every positive grade of the list is among them as often as it is in the list."""
    grades = as_numbers(rel, "rel")
    _check_grades(grades, "rel")
    if judged is None:
        return grades
    if isinstance(judged, Lists):
        raise invalid("judged", "an array, as rel is", "Lists")
    pool = as_numbers(judged, "judged")
    _check_grades(pool, "judged")
    if pool.shape[:-1] != grades.shape[:-1]:
        raise invalid("judged", f"one pool a query, leading shape {grades.shape[:-1]}", pool.shape)
    values = np.concatenate([grades, pool], axis=-1).reshape(-1, _width(grades, pool))
    surplus = np.where(np.arange(values.shape[1]) < grades.shape[-1], -1, 1)
    order = np.argsort(values, axis=1)
    values, surplus = np.take_along_axis(values, order, axis=1), surplus[order]
    surplus[values == 0] = 0
    first = np.ones(values.shape, dtype=bool)
    first[:, 1:] = values[:, 1:] != values[:, :-1]
    starts = np.flatnonzero(first)
    lacking = np.add.reduceat(surplus.ravel(), starts) < 0
    if lacking.any():
        where = starts[lacking][0]
        raise invalid("judged", "every positive grade of the list", f"too few of grade {values.ravel()[where]}")
    return pool


def _width(*arrays: NDArray[Any]) -> int:
    return sum(array.shape[-1] for array in arrays)


def _grades_and_scores(y_true: ArrayLike, y_score: ArrayLike, ignore_ties: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    check_flag(ignore_ties, "ignore_ties")
    grades, scores = as_numbers(y_true, "y_true", ndim=2), as_numbers(y_score, "y_score", ndim=2)
    same_shape(grades, "y_true", scores, "y_score")
    if grades.shape[1] < 2:
        raise invalid("y_true", "at least 2 documents a query", f"shape {grades.shape}")
    _check_grades(grades, "y_true")
    return grades, scores


def _dcg_by_score(
    grades: NDArray[Any], scores: NDArray[Any], k: int | None, gain: Gain, ignore_ties: bool
) -> NDArray[np.float64]:
    """DCG of each row ranked by score, a block of rows that fits the cache at a time."""
    n_queries, length = scores.shape
    weights = _discounts(None, min(as_cutoff(k, length), length))
    repair = _last_first_dcg if ignore_ties else _tie_averaged_dcg
    total = np.empty(n_queries)
    for rows in row_blocks(scores.shape):
        best, doubtful = best_columns(scores[rows], len(weights))
        best += np.arange(0, best.shape[0] * length, length)[:, None]
        ranked = grades[rows].ravel().take(best.astype(np.intp, copy=False))
        total[rows] = _weighted_sum(_gains(ranked, gain, "y_true"), weights)
        if doubtful.any():
            again = rows.start + np.flatnonzero(doubtful)
            total[again] = repair(_gains(grades[again], gain, "y_true"), scores[again], weights)
    return total


def _last_first_dcg(
    gains: NDArray[np.float64], scores: NDArray[Any], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """DCG in which equal scores stand in order of descending index."""
    best = np.argsort(scores, axis=1, kind="stable")[:, : -len(weights) - 1 : -1]
    return np.asarray(_weighted_sum(np.take_along_axis(gains, best, axis=1), weights))


def _tie_averaged_dcg(
    gains: NDArray[np.float64], scores: NDArray[Any], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """DCG in which each run of equal scores contributes its mean gain at every rank it fills."""
    length = scores.shape[1]
    order = np.argsort(scores, axis=1)[:, ::-1]
    ordered = np.take_along_axis(scores, order, axis=1)
    first = np.ones(scores.shape, dtype=bool)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(first)
    sizes = np.diff(starts, append=scores.size)
    mean_gain = np.add.reduceat(np.take_along_axis(gains, order, axis=1).ravel(), starts) / sizes
    cumulated = np.zeros(length + 1)
    cumulated[1 : len(weights) + 1] = weights.cumsum()
    cumulated[len(weights) + 1 :] = cumulated[len(weights)]
    rank = starts % length
    weight = cumulated[rank + sizes] - cumulated[rank]
    return np.asarray(np.add.reduceat(mean_gain * weight, np.flatnonzero(rank == 0)))
