"""Exercises on probabilities: log loss, perplexity, KL divergence."""

import math
from collections.abc import Callable

import numpy as np

from metrics_lib.information import corpus_perplexity, cross_entropy, kl_divergence
from metrics_lib.practice._engine import Approach, Array, Case, Exercise, Mistake, ratio

_rng = np.random.default_rng(5)

# ---- log loss ---------------------------------------------------------------------------------------------------

EPS = 2.0**-52  # the distance from 1 to the next float64


def log_loss(y_true: Array, y_prob: Array) -> float:
    p = np.clip(y_prob, EPS, 1 - EPS)
    return float(-np.log(np.where(y_true == 1, p, 1 - p)).mean())


def log_loss_by_loop(y_true: Array, y_prob: Array) -> float:
    eps, total = 2**-52, 0.0
    for label, probability in zip(y_true, y_prob, strict=True):
        p = min(max(probability, eps), 1 - eps)
        total -= math.log(p if label == 1 else 1 - p)
    return total / len(y_true)


def log_loss_by_formula(y_true: Array, y_prob: Array) -> float:
    eps = np.finfo(float).eps
    p = np.clip(y_prob, eps, 1 - eps)
    return float(-(y_true * np.log(p) + (1 - y_true) * np.log(1 - p)).mean())


def _terms(y_true: Array, y_prob: Array, eps: float = EPS) -> tuple[Array, Array]:
    """What the positives and what the negatives cost, 0 for the others."""
    p = np.clip(y_prob, eps, 1 - eps)
    return -y_true * np.log(p), -(1 - y_true) * np.log(1 - p)


def _clipped(eps: float) -> tuple[Callable[[Array, Array], float], Callable[[Array, Array], float]]:
    """Probabilities clipped elsewhere, or with something added."""
    return (
        lambda y, p: float(np.add(*_terms(y, p, eps)).mean()),
        lambda y, p: float(-(y * np.log(p + eps) + (1 - y) * np.log(1 - p + eps)).mean()),
    )


def _clipped_at_one_end() -> tuple[Callable[[Array, Array], float], ...]:
    """As the formula with two terms, and as one logarithm for each row."""

    def formula(y_true: Array, p: Array) -> float:
        return float(-(y_true * np.log(p) + (1 - y_true) * np.log(1 - p)).mean())

    def choice(y_true: Array, p: Array) -> float:
        return float(-np.log(np.where(y_true == 1, p, 1 - p)).mean())

    return (
        lambda y, p: formula(y, np.maximum(p, EPS)),
        lambda y, p: formula(y, np.minimum(p, 1 - EPS)),
        lambda y, p: choice(y, np.maximum(p, EPS)),
        lambda y, p: choice(y, np.minimum(p, 1 - EPS)),
    )


def _bounded_logarithms(y_true: Array, y_prob: Array) -> float:
    """As PyTorch's loss does it."""
    positive, negative = np.maximum(np.log(y_prob), -100), np.maximum(np.log(1 - y_prob), -100)
    return float(-(y_true * positive + (1 - y_true) * negative).mean())


def _unclipped_by_loop(y_true: Array, y_prob: Array) -> float:
    pairs = zip(y_true.tolist(), y_prob.tolist(), strict=True)
    return float(-sum(math.log(p if y == 1 else 1 - p) for y, p in pairs) / len(y_true))


def _unclipped_formula_by_loop(y_true: Array, y_prob: Array) -> float:
    pairs = list(zip(y_true.tolist(), y_prob.tolist(), strict=True))
    return float(-sum(y * math.log(p) + (1 - y) * math.log(1 - p) for y, p in pairs) / len(pairs))


_CLICK = (_rng.random(500) < 0.3).astype(int)
_CHANCE = np.clip(0.3 + 0.3 * (_CLICK - 0.3) + _rng.normal(0, 0.1, 500), 0.01, 0.99)

LOG_LOSS = Exercise(
    name="log_loss",
    title="log loss, the binary cross-entropy (对数损失、二元交叉熵)",
    task=(
        "y_true holds the labels, 0 or 1; y_prob the predicted probabilities of label 1, from 0 to 1.",
        "Return one number: the mean over the rows of -log of the probability that was given to the true label.",
        "The logarithm is natural: the unit is nats.",
        "Probabilities are clipped to [2**-52, 1 - 2**-52] first, as scikit-learn does it: without that, one certain "
        "mistake makes the mean infinite, and all models with such a row look alike. (2**-52 is "
        "numpy.finfo(float).eps.)",
        "Know the price: a metric that clips hides an infinite loss, and the bound decides what a certain mistake "
        "costs, here 52 log 2. In a report, say how many rows were clipped.",
    ),
    reference=log_loss,
    cases=(
        Case("one coin", "Probability one half costs log 2 nats, whatever happens.", ([1], [0.5])),
        Case("four predictions", "Positives and negatives both cost.", ([1, 0, 1, 0], [0.9, 0.2, 0.6, 0.3])),
        Case("negatives only", "A negative costs -log(1 - p).", ([0, 0, 0], [0.1, 0.25, 0.5])),
        Case(
            "the base rate for everybody",
            "The loss of a model that knows nothing but the share of clicks.",
            ([1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25]),
        ),
        Case("a small probability", "It is above the clip and must not be touched.", ([1, 0], [1e-9, 0.5])),
        Case("certain and wrong: 0", "log 0 must not make the whole mean infinite.", ([1, 0], [0.0, 0.4])),
        Case("certain and wrong: 1", "The other end: 1 - p is 0 for a negative.", ([0, 1], [1.0, 0.7])),
        Case("certain and right", "Costs nothing, and 0 * log 0 is not nan.", ([1, 0], [1.0, 0.0])),
        Case("500 rows", "A model with some skill.", (_CLICK, _CHANCE)),
    ),
    hints=(
        "For each row ask one thing: which probability did the true label get? p for a positive, 1 - p for a negative.",
        "Clip p at both ends before the logarithm, not after.",
        "The mean of -log, with the natural logarithm: one half must cost log 2.",
    ),
    approaches=(
        Approach(
            log_loss_by_loop,
            "Row by row: the probability of the true label, clipped, its logarithm.",
            "O(n) time, O(1) memory",
            "slow in Python for millions of rows",
        ),
        Approach(
            log_loss_by_formula,
            "The formula as it is usually written; one of the two terms is 0 in each row.",
            "O(n) time and memory, no loop in Python",
            "from logits, compute log1p(exp(-|z|)) instead: 1 - p loses all digits near 1",
        ),
    ),
    singular=(
        Mistake("log base 2 instead of e: the value is in bits.", (lambda y, p: log_loss(y, p) / math.log(2),)),
        Mistake("log base 10 instead of e.", (lambda y, p: log_loss(y, p) / math.log(10),)),
        Mistake("this is the sum over the rows; the task asks for the mean.", (lambda y, p: log_loss(y, p) * len(y),)),
        Mistake("the sign is missing: a loss is not negative.", (lambda y, p: -log_loss(y, p),)),
        Mistake(
            "the negatives cost nothing: the term (1 - y) * log(1 - p) is missing.",
            (lambda y, p: float(_terms(y, p)[0].mean()), lambda y, p: ratio(_terms(y, p)[0].sum(), y.sum(), 0)),
        ),
        Mistake(
            "label and class are confused: this is the loss of the other label.", (lambda y, p: log_loss(1 - y, p),)
        ),
        Mistake(
            "logarithm of 0 is not clipped: a certain prediction makes the mean infinite or undefined, or raises.",
            (
                lambda y, p: float(-(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()),
                lambda y, p: float(-np.log(np.where(y == 1, p, 1 - p)).mean()),
                _unclipped_by_loop,
                _unclipped_formula_by_loop,
            ),
        ),
        Mistake(
            "the probabilities are clipped at another bound than 2**-52, or something is added to them.",
            (*(variant for power in range(3, 17) for variant in _clipped(10.0**-power)), _clipped(EPS)[1]),
        ),
        Mistake(
            "the logarithms are bounded at -100, as in PyTorch; the task clips the probabilities, at 2**-52.",
            (_bounded_logarithms,),
        ),
        Mistake(
            "the probabilities are taken for logits: there is a sigmoid too many.",
            (lambda y, p: log_loss(y, 1 / (1 + np.exp(-p))),),
        ),
        Mistake(
            "this is the logarithm of the mean probability; the task asks for the mean of the logarithms.",
            (lambda y, p: float(-np.log(np.where(y == 1, p, 1 - p).mean())),),
        ),
        Mistake(
            "this is the median over the rows; the task asks for the mean.",
            (lambda y, p: float(np.median(np.add(*_terms(y, p)))),),
        ),
        Mistake(
            "this is the mean absolute error of the probabilities: the logarithm is missing.",
            (lambda y, p: float(np.abs(y - p).mean()),),
        ),
        Mistake("the probabilities are clipped at one end only; both 0 and 1 occur.", _clipped_at_one_end()),
        Mistake(
            "the arguments are taken the wrong way round: the labels come first, then the probabilities.",
            (lambda y, p: float(np.add(*_terms(p, y)).mean()),),
        ),
        Mistake(
            "this is the Brier score, the mean squared error of the probabilities.",
            (lambda y, p: float(((y - p) ** 2).mean()),),
        ),
        Mistake(
            "the probabilities are cut at one half first: this is the loss of certain predictions.",
            (lambda y, p: log_loss(y, 1.0 * (p >= 0.5)), lambda y, p: log_loss(y, 1.0 * (p > 0.5))),
        ),
    ),
)


# ---- perplexity -------------------------------------------------------------------------------------------------

Sentences = list[Array]


def perplexity(sentences: Sentences) -> float:
    return corpus_perplexity(sentences)


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


def _surprise(sentences: Sentences) -> float:
    """The mean surprise of a token, in nats."""
    return float(-np.concatenate(sentences).mean())


def _product(sentences: Sentences) -> float:
    probability = math.prod(math.exp(log_prob) for sentence in sentences for log_prob in sentence)
    return float(np.float64(probability) ** (-1 / sum(map(len, sentences))))


def _product_or_error(sentences: Sentences) -> float:
    probability = math.prod(math.exp(log_prob) for sentence in sentences for log_prob in sentence)
    return float(probability ** (-1 / sum(map(len, sentences))))


def _tokens_less(sentences: Sentences) -> float:
    tokens = sum(len(sentence) - 1 for sentence in sentences)
    return float(np.exp(np.float64(-np.concatenate(sentences).sum()) / tokens))


def _without_ends(sentences: Sentences) -> float:
    return float(np.exp(-np.concatenate([sentence[:-1] for sentence in sentences]).mean()))


def _without_ends_by_loop(sentences: Sentences) -> float:
    tokens = [log_prob for sentence in sentences for log_prob in sentence.tolist()[:-1]]
    return math.exp(-sum(tokens) / len(tokens))


def _bounded_from(power: int) -> Callable[[Sentences], float]:
    return lambda sentences: perplexity([np.maximum(sentence, -power * math.log(10)) for sentence in sentences])


_LENGTHS = (3, 40, 7, 15, 120)
_CORPUS = tuple(np.log(_rng.uniform(0.02, 0.9, length)).tolist() for length in _LENGTHS)

PERPLEXITY = Exercise(
    name="perplexity",
    title="perplexity of a corpus (困惑度)",
    task=(
        "sentences is a list of arrays, one for each sentence: the natural logarithm of the probability that the "
        "model gave to each token. The end token of a sentence is one of them.",
        "Return one number: exp of the mean surprise (-log probability) over all tokens of all sentences.",
        "Each token counts the same, so a sentence weighs by its length.",
        "A token with probability 0 has the logarithm -inf; the value is inf then. That is no error.",
    ),
    reference=perplexity,
    cases=(
        Case(
            "one sentence, one chance in ten",
            "As uncertain as ten equally likely words at each step.",
            (([math.log(0.1)] * 4,),),
        ),
        Case("one token", "One over its probability.", (([math.log(0.25)],),)),
        Case(
            "two sentences of one length",
            "The geometric mean of the sentences' perplexities, not the arithmetic.",
            (([math.log(0.5)] * 3, [math.log(0.125)] * 3),),
        ),
        Case(
            "two sentences of different length",
            "The longer sentence weighs more.",
            (([math.log(0.5)] * 2, [math.log(0.0625)] * 4),),
        ),
        Case("a model that is always sure and right", "The least value, 1.", (([0.0, 0.0], [0.0]),)),
        Case("an impossible token", "One is enough: infinite.", (([math.log(0.5), -math.inf], [math.log(0.5)]),)),
        Case(
            "a long text",
            "The product of its probabilities is below the smallest float; the sum of logarithms is not.",
            (([math.log(0.05)] * 400, [math.log(0.2)] * 200),),
        ),
        Case("five sentences", "Lengths from 3 to 120 tokens.", (_CORPUS,)),
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
    singular=(
        Mistake(
            "you averaged the texts' perplexities; average the surprise of all tokens, then take exp once.",
            (lambda s: float(np.mean([np.exp(-sentence.mean()) for sentence in s])),),
        ),
        Mistake(
            "every sentence weighs the same (a geometric mean over texts); every token should.",
            (lambda s: float(np.exp(np.mean([-sentence.mean() for sentence in s]))),),
        ),
        Mistake(
            "2 is raised to a surprise in nats; logarithm and power must have one base.",
            (lambda s: float(np.exp2(_surprise(s))),),
        ),
        Mistake(
            "e is raised to a surprise in bits; logarithm and power must have one base.",
            (lambda s: float(np.exp(_surprise(s) / math.log(2))),),
        ),
        Mistake(
            "the surprise is not divided by the number of tokens: this is one over the probability of the corpus.",
            (lambda s: float(np.exp(_surprise(s) * sum(map(len, s)))),),
        ),
        Mistake(
            "the surprise is divided by the number of sentences, not of tokens.",
            (lambda s: float(np.exp(_surprise(s) * sum(map(len, s)) / len(s))),),
        ),
        Mistake(
            "the minus sign is missing: this is one over the perplexity.", (lambda s: float(np.exp(-_surprise(s))),)
        ),
        Mistake("exp is missing: this is the cross-entropy, in nats.", (_surprise,)),
        Mistake("exp is missing: this is the cross-entropy, in bits.", (lambda s: _surprise(s) / math.log(2),)),
        Mistake(
            "the probabilities are multiplied: the product of a long text is 0 in floating point.",
            (_product, _product_or_error),
        ),
        Mistake("the end tokens are not counted, though their surprise is.", (_tokens_less,)),
        Mistake(
            "the end tokens are left out; they are tokens like others.",
            (lambda s: perplexity([sentence[:-1] for sentence in s]), _without_ends, _without_ends_by_loop),
        ),
        Mistake(
            "the end tokens are counted twice: each sentence already holds its own.",
            (lambda s: float(np.exp(_surprise(s) * sum(map(len, s)) / (sum(map(len, s)) + len(s)))),),
        ),
        Mistake(
            "only the first sentence counts: does the return stand inside the loop?",
            (lambda s: perplexity(s[:1]),),
        ),
        *(
            Mistake(
                f"this is the {name} of the texts' perplexities; average the surprise of all tokens, then take exp.",
                (lambda s, of=of: float(of([np.exp(-sentence.mean()) for sentence in s])),),
            )
            for name, of in (("median", np.median), ("maximum", np.max), ("minimum", np.min), ("sum", np.sum))
        ),
        Mistake(
            "this is the median surprise of a token; the task asks for the mean.",
            (lambda s: float(np.exp(-np.median(np.concatenate(s)))),),
        ),
        Mistake(
            "the inverse probabilities are averaged (an arithmetic mean); average the logarithms, then take exp.",
            (lambda s: float(np.exp(-np.concatenate(s)).mean()),),
        ),
        Mistake(
            "impossible tokens are left out, or their logarithms bounded: the infinite value is lost.",
            (
                lambda s: perplexity([sentence[np.isfinite(sentence)] for sentence in s]),
                *map(_bounded_from, range(4, 17)),
            ),
        ),
        Mistake(
            "the probabilities are averaged, not their logarithms.",
            (lambda s: float(1 / np.exp(np.concatenate(s)).mean()),),
        ),
        Mistake(
            "the logarithm is taken again: the sentences already hold logarithms, not probabilities.",
            (
                lambda s: float(np.exp(-np.log(np.concatenate(s)).mean())),
                lambda s: float(np.mean([np.exp(-np.log(sentence).mean()) for sentence in s])),
            ),
        ),
    ),
)


# ---- KL divergence ----------------------------------------------------------------------------------------------


def kl(p: Array, q: Array) -> float:
    return float(kl_divergence(p, q))


def kl_by_loop(p: Array, q: Array) -> float:
    total = 0.0
    for true, believed in zip(p, q, strict=True):
        if true > 0:
            if believed == 0:
                return math.inf
            total += true * math.log2(true / believed)
    return total


def kl_by_arrays(p: Array, q: Array) -> float:
    possible = p > 0
    if (q[possible] == 0).any():
        return math.inf
    return float((p[possible] * np.log2(p[possible] / q[possible])).sum())


def _kl_skipping(p: Array, q: Array) -> float:
    both = (p > 0) & (q > 0)
    return float((p[both] * np.log2(p[both] / q[both])).sum())


def _kl_plain(p: Array, q: Array) -> float:
    return float((p * np.log2(p / q)).sum())


def _kl_plain_by_loop(p: Array, q: Array) -> float:
    return float(sum(a * math.log2(a / b) for a, b in zip(p.tolist(), q.tolist(), strict=True)))


def _weighted_by_belief(p: Array, q: Array) -> float:
    both = (p > 0) & (q > 0)
    return float((q[both] * np.log2(p[both] / q[both])).sum())


def _kl_of_logs(p: Array, q: Array) -> float:
    return float((p * (np.log2(p) - np.log2(q))).sum())


def _smoothed(eps: float) -> tuple[Callable[[Array, Array], float], ...]:
    """Something added to the probabilities, or a lower bound for them."""

    def of(change: Callable[[Array], Array], keep: Callable[[Array], Array]) -> Callable[[Array, Array], float]:
        return lambda p, q: float((p * np.log2(keep(p) / change(q))).sum())

    def added(x: Array) -> Array:
        return x + eps

    def bounded(x: Array) -> Array:
        return np.clip(x, eps, None)

    return (
        of(added, added),
        of(bounded, bounded),
        of(added, lambda p: np.where(p > 0, p, 1)),
        lambda p, q: float(((p + eps) * np.log2((p + eps) / (q + eps))).sum()),
        lambda p, q: float((np.clip(p, eps, 1) * np.log2(np.clip(p, eps, 1) / np.clip(q, eps, 1))).sum()),
    )


def _jensen_shannon(p: Array, q: Array) -> float:
    middle = (p + q) / 2
    return (kl(p, middle) + kl(q, middle)) / 2


def _of_terms(change: Callable[[Array], Array]) -> Callable[[Array, Array], float]:
    """The sum with something done to each term."""

    def changed(p: Array, q: Array) -> float:
        possible = p > 0
        return float(change(p[possible] * np.log2(p[possible] / q[possible])).sum())

    return changed


_P, _Q = _rng.dirichlet(np.ones(20)), _rng.dirichlet(np.ones(20))

KL_DIVERGENCE = Exercise(
    name="kl_divergence",
    title="Kullback-Leibler divergence (KL 散度)",
    task=(
        "p and q hold the probabilities of the same events, each summing to 1: p the truth, q what the model believes.",
        "Return one number: the sum over the events of p * log2(p / q).",
        "The logarithm is to base 2: the unit is bits.",
        "An event with p = 0 adds 0, whatever q is.",
        "An event with p > 0 and q = 0 makes the value inf. That is no error.",
    ),
    reference=kl,
    cases=(
        Case("a fair coin", "The cost of believing in a coin that is not fair.", ([0.5, 0.5], [0.75, 0.25])),
        Case("a biased coin", "The other way round: KL is not symmetric.", ([0.75, 0.25], [0.5, 0.5])),
        Case("the same distribution", "A right belief costs nothing.", ([0.2, 0.3, 0.5], [0.2, 0.3, 0.5])),
        Case(
            "a certain event",
            "log2 of the number of events that were thought equally likely.",
            ([0, 1, 0, 0], [0.25] * 4),
        ),
        Case("an event that cannot happen", "0 * log 0 is 0, not nan.", ([0.5, 0.5, 0.0], [0.25, 0.25, 0.5])),
        Case(
            "an event that was thought impossible",
            "It happens, and was given no probability: infinite.",
            ([0.5, 0.25, 0.25], [0.5, 0.5, 0.0]),
        ),
        Case("impossible in both", "The event adds nothing.", ([0.25, 0.75, 0.0], [0.5, 0.5, 0.0])),
        Case("20 events", "Two random distributions.", (_P, _Q)),
    ),
    hints=(
        "The weights are those of the truth, p; the logarithm compares truth with belief, p / q.",
        "Skip the events with p = 0, and only those.",
        "An event with p > 0 and q = 0 makes the sum infinite: return math.inf before dividing.",
    ),
    approaches=(
        Approach(
            kl_by_loop,
            "Event by event, with the two special cases first.",
            "O(n) time, O(1) memory",
            "rounding can make the value of two nearly equal distributions negative, about -1e-17",
        ),
        Approach(
            kl_by_arrays,
            "Keep the possible events, look for an impossible belief, then one sum.",
            "O(n) time and memory, no loop in Python",
            "distributions that do not sum to 1 pass unnoticed",
        ),
    ),
    singular=(
        Mistake("you computed KL(q||p); the truth p gives the weights.", (lambda p, q: kl(q, p),)),
        Mistake(
            "log base e instead of 2: the value is in nats.", (lambda p, q: float(kl_divergence(p, q, base=math.e)),)
        ),
        Mistake("log base 10 instead of 2.", (lambda p, q: float(kl_divergence(p, q, base=10)),)),
        Mistake(
            "an event with q = 0 makes the value infinite here, even where p = 0; it does so only where p > 0.",
            (lambda p, q: kl(p, q) if q.all() else math.inf,),
        ),
        Mistake(
            "the logarithms are weighted by q, what the model believes; the truth p gives the weights.",
            (lambda p, q: -kl(q, p), _weighted_by_belief),
        ),
        Mistake(
            "this is the cross-entropy: the entropy of p is not subtracted.",
            (lambda p, q: float(cross_entropy(p, q)),),
        ),
        Mistake("both directions are added: KL is not symmetric.", (lambda p, q: kl(p, q) + kl(q, p),)),
        Mistake("both directions are averaged: KL is not symmetric.", (lambda p, q: (kl(p, q) + kl(q, p)) / 2,)),
        Mistake("this is the Jensen-Shannon divergence, which is symmetric and bounded.", (_jensen_shannon,)),
        Mistake(
            "events with q = 0 are skipped: a belief that rules out what happens costs nothing.",
            (_kl_skipping,),
        ),
        Mistake(
            "a small number is added to the probabilities, or bounds them: the infinite value is lost.",
            tuple(variant for power in range(3, 17) for variant in _smoothed(10.0**-power)),
        ),
        Mistake(
            "0 * log 0 is not handled: events with p = 0 must be skipped.",
            (_kl_plain, _kl_plain_by_loop, _kl_of_logs),
        ),
        Mistake(
            "this is the mean over the events; the task asks for the sum.",
            (lambda p, q: kl(p, q) / len(p), lambda p, q: kl(p, q) / (p > 0).sum()),
        ),
        Mistake("the sign is wrong: KL is never negative.", (lambda p, q: -kl(p, q),)),
        Mistake(
            "negative terms lose their sign; single terms may be negative, only their sum is not.",
            (_of_terms(np.abs),),
        ),
        Mistake(
            "negative terms are cut off at 0; single terms may be negative, only their sum is not.",
            (_of_terms(lambda terms: np.maximum(terms, 0)),),
        ),
        Mistake(
            "this is the total variation, half the sum of |p - q|.", (lambda p, q: float(np.abs(p - q).sum() / 2),)
        ),
        Mistake("this is the sum of |p - q|, twice the total variation.", (lambda p, q: float(np.abs(p - q).sum()),)),
        Mistake("this is the root of the Jensen-Shannon divergence.", (lambda p, q: math.sqrt(_jensen_shannon(p, q)),)),
        Mistake("this is the entropy of p: q plays no part.", (lambda p, q: float(cross_entropy(p, p)),)),
    ),
)

EXERCISES = (LOG_LOSS, PERPLEXITY, KL_DIVERGENCE)
