"""Entropy, cross-entropy, KL divergence and the perplexities.

Distributions lie along the last axis and leading axes are a batch; the result has the shape of the leading axes
(a float for one distribution). Nothing is normalised: probabilities that do not sum to one are refused.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics_lib._arrays import (
    as_array,
    as_floats,
    as_number_above,
    as_numbers,
    invalid,
    one_of,
    same_shape,
)
from metrics_lib._floats import Result, as_result, resolution

__all__ = [
    "corpus_perplexity",
    "cross_entropy",
    "entropy",
    "kl_divergence",
    "model_perplexity",
    "perplexity",
    "sentence_perplexity",
]

Row = Sequence[float]  # one distribution, as type checkers see it; arrays may hold one or many
Rows = Sequence[Row]
Numbers = NDArray[Any]
Array = NDArray[np.float64]
Surprise = Callable[..., Array]

_BLOCK = 1 << 16
_SMALLEST = 5e-324


@overload
def entropy(p: Row, *, base: float = 2) -> float: ...
@overload
def entropy(p: Rows, *, base: float = 2) -> Array: ...
@overload
def entropy(p: ArrayLike, *, base: float = 2) -> Result: ...
def entropy(p: ArrayLike, *, base: float = 2) -> Result:
    r"""Entropy: the expected surprise of a draw from ``p``.

    Parameters
    ----------
    p : array_like of shape (..., n_events)
        Probabilities: non-negative, the sum along the last axis is 1 (see Notes).
    base : float, default=2
        Base of the logarithm: 2 gives bits, ``math.e`` nats, 10 hartleys. Finite and above 1.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, log(n_events)]: 0 for a certain event, the upper end for the uniform distribution.

    Raises
    ------
    ValueError
        If ``p`` is not a distribution along the last axis, or ``base`` is invalid.

    See Also
    --------
    cross_entropy, kl_divergence
    perplexity : The number of equally likely events with the same entropy.

    Notes
    -----
    .. math:: H(p) = -\sum_x p(x) \log_b p(x), \qquad 0 \log 0 = 0

    Sums may differ from 1 by the square root of the machine epsilon of the type they came in: 1.5e-8 for float64
    (and for lists and integers), 3.5e-4 for float32. They are used as they are; SciPy instead divides by the sum,
    whatever it is. Logarithms and sums are taken in float64.

    References
    ----------
    Cover and Thomas (2006).

    Examples
    --------
    >>> entropy([0.5, 0.25, 0.25])
    1.5
    >>> entropy([[1, 0], [0.5, 0.5]])
    array([0., 1.])
    """
    log_base = math.log(as_number_above(base, "base", 1))
    return as_result(_expected_surprise((p,), ("p",), _own_surprise) / log_base)


@overload
def cross_entropy(p: Row, q: Row, *, base: float = 2) -> float: ...
@overload
def cross_entropy(p: Rows, q: Rows, *, base: float = 2) -> Array: ...
@overload
def cross_entropy(p: ArrayLike, q: ArrayLike, *, base: float = 2) -> Result: ...
def cross_entropy(p: ArrayLike, q: ArrayLike, *, base: float = 2) -> Result:
    r"""Cross-entropy: the expected surprise of a draw from ``p`` to someone who believes in ``q``.

    Parameters
    ----------
    p : array_like of shape (..., n_events)
        True probabilities (the data): non-negative, the sum along the last axis is 1.
    q : array_like of the same shape as ``p``
        Believed probabilities (the model).
    base : float, default=2
        Base of the logarithm: 2 gives bits, ``math.e`` nats. Finite and above 1.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [H(p), inf]; infinite, without a warning, where ``q`` is 0 and ``p`` is not.

    Raises
    ------
    ValueError
        If ``p`` or ``q`` is not a distribution along the last axis, their shapes differ, or ``base`` is invalid.

    See Also
    --------
    entropy : The least value, reached for ``q = p``.
    kl_divergence : The excess over the least value.

    Notes
    -----
    .. math:: H(p, q) = -\sum_x p(x) \log_b q(x), \qquad 0 \log 0 = 0

    The data come first, as in Cover and Thomas (2006); some lecture notes exchange the roles of p and q.
    The tolerance of the sums is that of `entropy`.

    References
    ----------
    Cover and Thomas (2006).

    Examples
    --------
    >>> round(cross_entropy([0.5, 0.5], [0.75, 0.25]), 12)
    1.207518749639
    >>> cross_entropy([0.5, 0.5], [1, 0])
    inf
    """
    log_base = math.log(as_number_above(base, "base", 1))
    return as_result(_expected_surprise((p, q), ("p", "q"), _surprise) / log_base)


@overload
def kl_divergence(p: Row, q: Row, *, base: float = 2) -> float: ...
@overload
def kl_divergence(p: Rows, q: Rows, *, base: float = 2) -> Array: ...
@overload
def kl_divergence(p: ArrayLike, q: ArrayLike, *, base: float = 2) -> Result: ...
def kl_divergence(p: ArrayLike, q: ArrayLike, *, base: float = 2) -> Result:
    r"""Kullback-Leibler divergence: the surprise that believing in ``q`` adds to the least possible one.

    Parameters
    ----------
    p : array_like of shape (..., n_events)
        True probabilities (the data): non-negative, the sum along the last axis is 1.
    q : array_like of the same shape as ``p``
        Believed probabilities (the model).
    base : float, default=2
        Base of the logarithm: 2 gives bits, ``math.e`` nats. Finite and above 1.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [0, inf]; 0 for ``q = p``, infinite, without a warning, where ``q`` is 0 and ``p`` is not.

    Raises
    ------
    ValueError
        If ``p`` or ``q`` is not a distribution along the last axis, their shapes differ, or ``base`` is invalid.

    See Also
    --------
    cross_entropy

    Notes
    -----
    .. math:: D(p \,\|\, q) = \sum_x p(x) \log_b \frac{p(x)}{q(x)} = H(p, q) - H(p)

    It is not symmetric, hence not a distance. The true value is never negative; where rounding makes it so, 0 is
    returned. The tolerance of the sums is that of `entropy`.

    References
    ----------
    Cover and Thomas (2006).

    Examples
    --------
    >>> round(kl_divergence([0.5, 0.5], [0.75, 0.25]), 12)
    0.207518749639
    >>> kl_divergence([1, 0], [0.5, 0.5])
    1.0
    """
    log_base = math.log(as_number_above(base, "base", 1))
    return as_result(_expected_surprise((p, q), ("p", "q"), _excess_surprise) / log_base)


@overload
def perplexity(p: Row) -> float: ...
@overload
def perplexity(p: Rows) -> Array: ...
@overload
def perplexity(p: ArrayLike) -> Result: ...
def perplexity(p: ArrayLike) -> Result:
    r"""Perplexity of a distribution: the number of equally likely events that are as uncertain as ``p``.

    Parameters
    ----------
    p : array_like of shape (..., n_events)
        Probabilities: non-negative, the sum along the last axis is 1.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [1, n_events], both ends attained; where rounding would pass the upper one, that end is returned.

    Raises
    ------
    ValueError
        If ``p`` is not a distribution along the last axis.

    See Also
    --------
    entropy : Its logarithm.
    model_perplexity : The perplexity of a model on observed events.

    Notes
    -----
    .. math:: \mathrm{PP}(p) = b^{H_b(p)} = \prod_x p(x)^{-p(x)}

    It is the same for every base b. The tolerance of the sum is that of `entropy`.

    References
    ----------
    Cover and Thomas (2006). Jurafsky and Martin (2009).

    Examples
    --------
    >>> perplexity([1, 0, 0])
    1.0
    >>> round(perplexity([0.5, 0.25, 0.25]), 12)
    2.828427124746
    """
    surprise = _expected_surprise((p,), ("p",), _own_surprise)
    # Rounding must not carry the value past the number of events: exp(log(n)) is above n for some n.
    return as_result(np.minimum(np.exp(surprise), np.shape(p)[-1]))


@overload
def model_perplexity(log_probs: Row, *, base: float = math.e) -> float: ...
@overload
def model_perplexity(log_probs: Rows, *, base: float = math.e) -> Array: ...
@overload
def model_perplexity(log_probs: ArrayLike, *, base: float = math.e) -> Result: ...
def model_perplexity(log_probs: ArrayLike, *, base: float = math.e) -> Result:
    r"""Perplexity of a model on observed events, from the log-probabilities that it gave them.

    Parameters
    ----------
    log_probs : array_like of shape (..., n_events)
        Logarithm of the probability given to each event, at most 0; ``-inf`` stands for probability 0.
    base : float, default=math.e
        Base of those logarithms, finite and above 1: ``math.e`` for what frameworks call log-softmax, 2 for bits.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [1, inf], lower is better; infinite, without a warning, if an event had probability 0.

    Raises
    ------
    ValueError
        If ``log_probs`` is empty, not numeric, NaN or above 0, ``base`` is invalid,
        or the perplexity leaves the range of float64 although no probability is 0.

    See Also
    --------
    sentence_perplexity : From probabilities.
    corpus_perplexity : From the sentences of a corpus.

    Notes
    -----
    .. math:: \mathrm{PP} = b^{-\frac{1}{N} \sum_{i=1}^{N} \log_b q(x_i)}

    The exponent is the cross-entropy between the empirical distribution of the events and the model.

    References
    ----------
    Jurafsky and Martin (2009).

    Examples
    --------
    >>> model_perplexity([-1, -3], base=2)
    4.0
    >>> model_perplexity([-1, -math.inf])
    inf
    """
    surprise, impossible = _surprise_of(log_probs, "log_probs", base)
    return as_result(_perplexity(surprise.mean(axis=-1), impossible.any(axis=-1), base, "log_probs"))


@overload
def sentence_perplexity(token_probs: Row) -> float: ...
@overload
def sentence_perplexity(token_probs: Rows) -> Array: ...
@overload
def sentence_perplexity(token_probs: ArrayLike) -> Result: ...
def sentence_perplexity(token_probs: ArrayLike) -> Result:
    r"""Perplexity of a sentence, from the probability of each of its tokens given those before it.

    Parameters
    ----------
    token_probs : array_like of shape (..., n_tokens)
        Conditional probabilities in [0, 1], one a token that the model had to predict. Whether the end of the
        sentence is such a token is the caller's choice: include its probability, or leave it out.

    Returns
    -------
    float or ndarray of shape (...)
        Values in [1, inf], lower is better; infinite, without a warning, if a token had probability 0.

    Raises
    ------
    ValueError
        If ``token_probs`` is empty, not numeric, not finite, or outside [0, 1],
        or the perplexity leaves the range of float64 although no probability is 0.

    See Also
    --------
    corpus_perplexity

    Notes
    -----
    .. math:: \mathrm{PP}(S) = P(w_1 \dots w_N)^{-1/N}
              = \sqrt[N]{\prod_{i=1}^{N} \frac{1}{p(w_i \mid w_1 \dots w_{i-1})}}

    The usual count is N + 1 for N words: the end token is predicted and counted, the start token is given and not
    counted (Jurafsky and Martin, 2009; SRILM's ``ppl``). SRILM's ``ppl1`` leaves the end token out of the count alone,
    which gives another number. The product is taken as a sum of logarithms, so that long sentences do not underflow.

    References
    ----------
    Jurafsky and Martin (2009).

    Examples
    --------
    >>> round(sentence_perplexity([0.1, 0.1, 0.1, 0.1]), 12)
    10.0
    >>> sentence_perplexity([0.5, 0])
    inf
    """
    probs = as_floats(token_probs, "token_probs")
    if probs.min() < 0 or probs.max() > 1:
        raise invalid("token_probs", "probabilities in [0, 1]", f"values from {probs.min()} to {probs.max()}")
    impossible = probs == 0
    surprise = -np.log(np.where(impossible, 1.0, probs))
    return as_result(_perplexity(surprise.mean(axis=-1), impossible.any(axis=-1), math.e, "token_probs"))


def corpus_perplexity(
    sentences: Iterable[ArrayLike],
    *,
    base: float = math.e,
    average: Literal["pooled", "per_sentence"] = "pooled",
) -> float:
    r"""Perplexity of a corpus, from the log-probabilities of the tokens of each sentence.

    Parameters
    ----------
    sentences : iterable of array_like of shape (n_tokens,) each
        Logarithm of each token's probability, at most 0, sentence by sentence; ``-inf`` stands for probability 0.
        Sentences may differ in length, and none is empty. The end token of each sentence belongs to them.
    base : float, default=math.e
        Base of those logarithms, finite and above 1.
    average : {'pooled', 'per_sentence'}, default='pooled'
        ``'pooled'``: the mean log-probability is taken over all tokens. ``'per_sentence'``: the arithmetic mean of
        the sentences' own perplexities.

    Returns
    -------
    float
        Value in [1, inf], lower is better; infinite, without a warning, if a token had probability 0.

    Raises
    ------
    ValueError
        If ``sentences`` is empty or holds anything but non-empty one-dimensional arrays of numbers of at most 0,
        another argument is invalid, or the perplexity leaves the range of float64 although no probability is 0.

    See Also
    --------
    sentence_perplexity, model_perplexity

    Notes
    -----
    .. math:: \mathrm{PP}_\text{pooled} = b^{-\frac{1}{N'} \sum_k \log_b P(s_k)}
              = \prod_k \mathrm{PP}(s_k)^{n_k / N'},
              \qquad \mathrm{PP}_\text{per sentence} = \frac{1}{K} \sum_k \mathrm{PP}(s_k)

    with :math:`n_k` tokens in sentence k and :math:`N' = \sum_k n_k`. Pooled is the usual definition (Jurafsky and
    Martin, 2009; SRILM): every token counts alike, so a sentence counts by its length. The mean over sentences is what
    some tools report, for example the perplexity measurement of Hugging Face evaluate. The plain geometric mean of the
    sentences' perplexities, which some lecture notes describe, is a third number.

    References
    ----------
    Jurafsky and Martin (2009).

    Examples
    --------
    >>> corpus_perplexity([[-1, -1], [-4, -4, -4, -4]], base=2)
    8.0
    >>> corpus_perplexity([[-1, -1], [-4, -4, -4, -4]], base=2, average="per_sentence")
    9.0
    """
    one_of(average, "average", ("pooled", "per_sentence"))
    tokens, lengths = _joined(sentences)
    surprise, impossible = _surprise_of(tokens, "sentences", base)
    if average == "pooled":
        return float(_perplexity(surprise.mean(), impossible.any(), base, "sentences"))
    starts = np.cumsum(lengths) - lengths
    means = np.add.reduceat(surprise, starts) / lengths
    per_sentence = _perplexity(means, np.logical_or.reduceat(impossible, starts), base, "sentences")
    return float(per_sentence @ np.full(len(lengths), 1 / len(lengths)))


# Distributions


@np.errstate(all="ignore")
def _expected_surprise(distributions: Sequence[ArrayLike], names: Sequence[str], surprise: Surprise) -> Array:
    """The sum of `surprise`, in natural units, over each distribution, which is checked on the way.

    It works on pieces that fit the cache. In each, NaN fails to be at least 0, and infinity makes the sum infinite.
    """
    arrays = [as_numbers(values, name, finite=False) for values, name in zip(distributions, names, strict=True)]
    for array, name in zip(arrays[1:], names[1:], strict=True):
        same_shape(arrays[0], names[0], array, name)
    tables = [array.reshape(-1, array.shape[-1]) for array in arrays]
    total = np.zeros(len(tables[0]))
    masses = [np.zeros(len(table)) for table in tables]
    for piece in _pieces(*tables[0].shape):
        parts = [table[piece].astype(np.float64, copy=False) for table in tables]
        least = [part.min() for part in parts]
        for i, part in enumerate(parts):
            if not least[i] >= 0:
                raise invalid(names[i], "non-negative probabilities", as_numbers(arrays[i], names[i]).min())
            masses[i][piece[0]] += part.sum(axis=-1)
        total[piece[0]] += surprise(*parts, *least)
    for mass, array, name in zip(masses, arrays, names, strict=True):
        _check_sums(mass, array, name)
    return np.maximum(total, 0.0).reshape(arrays[0].shape[:-1])


def _pieces(rows: int, columns: int) -> Iterator[tuple[slice, slice]]:
    width = min(columns, _BLOCK)
    height = max(1, _BLOCK // width)
    for row in range(0, rows, height):
        for column in range(0, columns, width):
            yield slice(row, row + height), slice(column, column + width)


def _check_sums(mass: Array, array: Numbers, name: str) -> None:
    tolerance = math.sqrt(resolution(array.dtype))
    worst = mass[np.argmax(np.abs(mass - 1))]
    if not abs(worst - 1) <= tolerance:
        expected = f"probabilities whose sum along the last axis is 1 (within {tolerance:.2g})"
        raise invalid(name, expected, f"a sum of {worst}")


def _own_surprise(p: Array, least_p: Any) -> Array:
    surprise: Array = -np.vecdot(p, _log(p, least_p))
    return surprise


def _surprise(p: Array, q: Array, least_p: Any, least_q: Any) -> Array:
    return _infinite_if_impossible(-np.vecdot(p, _log(q, least_q)), p, q, least_q)


def _excess_surprise(p: Array, q: Array, least_p: Any, least_q: Any) -> Array:
    logs = _log(p, least_p)
    logs -= _log(q, least_q)
    return _infinite_if_impossible(np.vecdot(p, logs), p, q, least_q)


def _log(probs: Array, least: Any) -> Array:
    """The logarithm, with some finite number for that of 0: its product with the probability 0 is 0."""
    logs: Array = np.log(probs if least > 0 else np.maximum(probs, _SMALLEST))
    return logs


def _infinite_if_impossible(surprise: Array, p: Array, q: Array, least_q: Any) -> Array:
    if least_q == 0:
        surprise[((q == 0) & (p > 0)).any(axis=-1)] = np.inf
    return surprise


# Observed events


def _surprise_of(log_probs: ArrayLike, name: str, base: float) -> tuple[Array, NDArray[np.bool_]]:
    """The surprise of each event in the unit of ``base``, 0 in place of infinity, and where it is infinite."""
    as_number_above(base, "base", 1)
    logs = as_array(log_probs, name, "numbers")
    impossible = np.zeros(logs.shape, dtype=bool)
    if logs.dtype.kind in "fO":
        impossible |= logs == -np.inf
        logs = np.where(impossible, 0, logs)
    surprise = 0.0 - as_floats(logs, name)
    if surprise.min() < 0:
        raise invalid(name, "log-probabilities of at most 0", -surprise.min())
    # Beyond 1e290 the perplexity overflows however many events share the sum; the sum itself must not.
    return np.minimum(surprise, 1e290), impossible


def _perplexity(mean_surprise: Any, impossible: Any, base: float, name: str) -> Array:
    with np.errstate(over="ignore"):
        finite = np.exp(mean_surprise) if base == math.e else np.power(float(base), mean_surprise)
    if (np.isinf(finite) & ~impossible).any():
        raise invalid(name, "a perplexity that float64 can hold", "an overflow")
    return np.where(impossible, np.inf, finite)


def _joined(sentences: Iterable[ArrayLike]) -> tuple[Numbers, NDArray[np.int64]]:
    """All tokens in one array, and the length of each sentence."""
    if not isinstance(sentences, Iterable) or isinstance(sentences, (str, bytes)):
        raise invalid("sentences", "a list of sentences", type(sentences).__name__)
    arrays = [as_array(sentence, "sentences", "numbers") for sentence in sentences]
    wrong = next((array for array in arrays if array.ndim != 1 or not array.size), None)
    if not arrays or wrong is not None:
        got = "no sentence" if wrong is None else f"one of shape {wrong.shape}"
        raise invalid("sentences", "at least one sentence, each a non-empty one-dimensional array", got)
    return np.concatenate(arrays), np.array([len(array) for array in arrays])
