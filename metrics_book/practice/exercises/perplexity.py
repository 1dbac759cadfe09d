"""Perplexity of a corpus."""

import math
from typing import Any

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import corpus_perplexity

Sentences = list[Array]


def perplexity_by_loop(sentences: Sentences) -> float:
    total, tokens = 0.0, 0
    for sentence in sentences:
        for log_prob in sentence:
            total -= log_prob
            tokens += 1
    return math.exp(total / tokens)


def perplexity_by_arrays(sentences: Sentences) -> float:
    return float(np.exp(-np.concatenate(sentences).mean()))


def perplexity_by_texts(sentences: Sentences) -> float:
    lengths = np.array([len(sentence) for sentence in sentences])
    surprise = np.array([-sentence.mean() for sentence in sentences])
    return float(np.exp((surprise * lengths).sum() / lengths.sum()))


def draw_corpus(rng: np.random.Generator, n: int) -> tuple[Any]:
    tokens = np.log(rng.uniform(*[(0.02, 0.9), (1e-9, 1e-3), (0.5, 1.0)][rng.integers(3)], n))
    if n < 100 and rng.random() < 0.1:
        tokens[rng.integers(n)] = -np.inf
    cuts = np.unique(rng.integers(1, n, int(rng.integers(0, 4)) if n < 100 else n // 20))
    return (np.split(tokens, cuts),)


ALL = "arrays: np.exp(-np.concatenate(sentences).mean()) ->"
SUM = "np.concatenate(sentences).sum()"
COUNT = "sum(map(len, sentences))"
EACH = "[np.exp(-sentence.mean()) for sentence in sentences]"


def over(count: str) -> tuple[str, str]:
    """The surprise divided by something else; in Python a large power is an error."""
    return f"{ALL} np.exp(np.float64(-{SUM}) / ({count}))", f"total / tokens -> total / ({count})"


def of_tokens(tokens: str) -> tuple[str, str]:
    """The mean over other tokens."""
    return f"begin: sentences = {tokens}", f"arrays: concatenate(sentences) -> concatenate({tokens})"


PERPLEXITY = Exercise(
    name="perplexity",
    title="perplexity of a corpus (困惑度)",
    parameters="sentences",
    task=(
        "sentences is a list of arrays, one for each sentence: the natural logarithm of the probability that the "
        "model gave to each token. The end token of a sentence is one of them.",
        "Return one number: exp of the mean surprise (-log probability) over all tokens of all sentences.",
        "Each token counts the same, so a sentence weighs by its length.",
        "A token with probability 0 has the logarithm -inf; the value is inf then. That is not an error.",
    ),
    right=corpus_perplexity,
    draw=draw_corpus,
    cases=(
        ("one sentence, one chance in ten", (([math.log(0.1)] * 4,),), "As uncertain as ten equally likely words."),
        ("one token", (([math.log(0.25)],),), "One over its probability."),
        (
            "two sentences of one length",
            (([math.log(0.5)] * 3, [math.log(0.125)] * 3),),
            "The geometric mean of the sentences' perplexities, not the arithmetic.",
        ),
        ("two sentences of different length", (([math.log(0.5)] * 2, [math.log(0.0625)] * 4),), "Length is weight."),
        ("a model that is always sure and right", (([0.0, 0.0], [0.0]),), "The least value, 1."),
        ("an impossible token", (([math.log(0.5), -math.inf], [math.log(0.5)]),), "One is enough: infinite."),
        (
            "a long text",
            (([math.log(0.05)] * 400, [math.log(0.2)] * 200),),
            "The product of its probabilities is below the smallest float; the sum of logarithms is not.",
        ),
    ),
    hints=(
        "Add up logarithms; never multiply probabilities.",
        "One sum and one count over all tokens of all sentences, then one division.",
        "exp(-sum / count): the base of exp must be the base of the logarithms, here e.",
    ),
    approaches=(
        Approach(
            perplexity_by_loop,
            "Two accumulators over all tokens.",
            "O(tokens) time, O(1) memory",
            "math.exp raises OverflowError beyond 709 nats per token",
        ),
        Approach(
            perplexity_by_arrays,
            "Put all tokens into one array and take its mean.",
            "O(tokens) time and memory, no loop in Python",
            "a corpus that does not fit memory: keep sum and count instead",
        ),
        Approach(
            perplexity_by_texts,
            "From the sentences' own means, weighted by their lengths: what to do with numbers reported per text.",
            "O(tokens) time, O(sentences) memory",
            "an empty sentence has no mean",
        ),
    ),
    mistakes={
        "the end tokens are left out; they are tokens like others.": (
            *of_tokens("[sentence[:-1] for sentence in sentences]"),
            "total / tokens -> total / max(tokens, 1) ;; begin: sentences = [sentence[:-1] for sentence in sentences]",
        ),
        "only the first sentence counts: is the return inside the loop?": of_tokens("sentences[:1]")[:1],
        "only the last sentence counts: are sum and count set to 0 inside the loop?": of_tokens("sentences[-1:]")[:1],
        "impossible tokens are left out, or their logarithms bounded: the infinite value is lost.": (
            *of_tokens("[sentence[np.isfinite(sentence)] for sentence in sentences]"),
            *(
                of_tokens(f"[np.maximum(sentence, np.log(1e-{power})) for sentence in sentences]")[0]
                for power in range(9, 17)
            ),
            *of_tokens("[np.log(np.exp(sentence) + 1e-12) for sentence in sentences]")[:1],
        ),
        "every sentence weighs the same (a geometric mean over texts); every token should.": (
            f"{ALL} np.exp(-np.mean([sentence.mean() for sentence in sentences]))",
        ),
        "the surprise is not divided by the number of tokens: this is 1 / the text's probability.": over("1"),
        "the surprise is divided by the number of sentences, not of tokens.": over("len(sentences)"),
        "the end tokens are not counted, though their surprise is.": over(f"{COUNT} - len(sentences)"),
        "the number of tokens is one too small: the sum is divided by n - 1.": over(f"{COUNT} - 1"),
        "the end tokens are counted twice: each sentence already holds its own.": over(f"{COUNT} + len(sentences)")[:1],
        "2 is raised to a surprise in nats; logarithm and power must have one base.": (
            "arrays: np.exp( -> np.exp2(",
            "math.exp(total / tokens) -> 2 ** (total / tokens)",
        ),
        "exp is missing: this is the cross-entropy, in nats.": ("arrays: np.exp( -> (",),
        "the minus sign is missing: this is one over the perplexity.": ("arrays: exp(- -> exp(",),
        "you averaged the texts' perplexities; average the surprise of all tokens, then take exp once.": (
            f"{ALL} np.mean({EACH})",
        ),
        "the probabilities are multiplied: the product of a long text is 0 in floating point.": (
            f"{ALL} np.exp(np.concatenate(sentences)).prod() ** (-1 / {COUNT})",
            f"{ALL} math.prod(np.exp(np.concatenate(sentences)).tolist()) ** (-1 / {COUNT})",
        ),
        "np.mean of sentences of different length is an error; put all tokens into one array first.": (
            f"{ALL} np.exp(-np.mean(sentences))",
        ),
    },
)
