"""Entropies of 100,000 distributions over 1000 events, perplexity of a corpus, and one small call."""

from collections.abc import Iterator

import numpy as np
from scipy import special, stats

from benchmarks import Case
from metrics_lib import information


def looped_corpus_perplexity(sentences: list[np.ndarray]) -> float:
    return float(np.exp(-sum(sentence.sum() for sentence in sentences) / sum(map(len, sentences))))


def cases() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    p = rng.random((100_000, 1000))
    p /= p.sum(axis=1, keepdims=True)
    q = np.roll(p, 1, axis=0)
    yield Case(
        "entropy, 1e5 x 1000",
        lambda: information.entropy(p),
        {
            "scipy.special.entr": lambda: special.entr(p).sum(axis=1),
            "scipy.stats.entropy": lambda: stats.entropy(p, base=2, axis=1),
        },
        {"one np.log of all": lambda: np.log(p)},
        {"scipy.special.entr": 2.5},
    )
    yield Case(
        "kl_divergence, 1e5 x 1000",
        lambda: information.kl_divergence(p, q),
        {"scipy.special.rel_entr": lambda: special.rel_entr(p, q).sum(axis=1)},
        {"one np.log of all": lambda: np.log(p)},
    )
    few = p[0, :100] / p[0, :100].sum()
    yield Case(
        "a call on 100 rows: entropy",
        lambda: information.entropy(few),
        {"scipy.stats.entropy": lambda: stats.entropy(few, base=2)},
        wanted={"scipy.stats.entropy": 5},
    )
    sentences = [np.log(rng.random(length)) for length in rng.integers(5, 40, size=100_000)]
    yield Case(
        "corpus_perplexity, 1e5 sentences",
        lambda: information.corpus_perplexity(sentences),
        {"a Python loop over the sentences": lambda: looped_corpus_perplexity(sentences)},
        {"one np.concatenate": lambda: np.concatenate(sentences)},
    )
