"""The functions of the lesson on answers, beside enumeration, their definitions and values of torchmetrics."""

import itertools
import math
import re
import string
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

LESSON = "answers"
SEEDS = range(10)
VOCABULARY = np.array(["the", "A", "an", "cat", "Cat.", "sat", "mat,", "5", "3.5", "北京"])


@pytest.mark.parametrize("n", range(1, 8))
def test_both_passes_by_enumeration(lesson, n):
    for c, k in itertools.product(range(n + 1), range(1, n + 1)):
        draws = list(itertools.combinations([1] * c + [0] * (n - c), k))
        assert lesson["pass_at_k"](n, c, k) == pytest.approx(sum(map(max, draws)) / len(draws))
        assert lesson["pass_hat_k"](n, c, k) == pytest.approx(sum(map(min, draws)) / len(draws))


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("n", range(1, 7))
def test_both_passes_are_unbiased(lesson, n, p):
    odds = [math.comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    for k in range(1, n + 1):
        mean = {f: sum(odd * lesson[f](n, c, k) for c, odd in enumerate(odds)) for f in ("pass_at_k", "pass_hat_k")}
        assert mean["pass_at_k"] == pytest.approx(float(1 - (1 - p) ** k))
        assert mean["pass_hat_k"] == pytest.approx(float(p**k))


def test_fewer_runs_than_are_drawn_have_no_value(lesson):
    assert math.isnan(lesson["pass_at_k"](1, 1, 2))
    assert math.isnan(lesson["pass_hat_k"](1, 1, 2))


def by_letters(text):
    """The normalisation, written another way: letter by letter, and articles dropped as words."""
    kept = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return [word for word in re.split(r"\s+", kept) if word not in ("", "a", "an", "the")]


@pytest.mark.parametrize("seed", SEEDS)
def test_short_answers_from_their_definition(lesson, seed):
    rng = np.random.default_rng(seed)
    for _ in range(50):
        output, *references = (" ".join(rng.choice(VOCABULARY, rng.integers(0, 5))) for _ in range(3))
        out, *refs = map(by_letters, (output, *references))
        assert lesson["normalised"](output) == out
        assert lesson["exact_match"](output, references) == any(out == ref for ref in refs)
        f1 = []
        for ref in refs:
            shared = sum(min(out.count(word), ref.count(word)) for word in {*out})
            precision, recall = (shared / len(words) if words else float(out == ref) for words in (out, ref))
            f1.append(2 * precision * recall / (precision + recall) if precision + recall else 0)
        assert lesson["token_f1"](output, references) == pytest.approx(max(f1))


# By the functions of torchmetrics 1.9.0, torchmetrics.functional.text.squad: _compute_f1_score.
BY_TORCHMETRICS = [
    ("A", "A", 1.0),
    ("5 €", "5", 0.667),
    ("“yes”", "yes", 0.0),
    ("1,000", "1000", 1.0),
    ("3.5", "35", 1.0),
    ("new new york", "new york", 0.8),
    ("", "", 1.0),
    ("the", "an", 1.0),
    ("don’t", "dont", 0.0),
]


@pytest.mark.parametrize(("output", "reference", "value"), BY_TORCHMETRICS)
def test_token_f1_as_in_torchmetrics(lesson, output, reference, value):
    assert lesson["token_f1"](output, [reference]) == pytest.approx(value, abs=5e-4)


def test_repeats_count_as_often_as_they_occur(lesson):
    assert lesson["token_f1"]("york york york", ["york"]) == pytest.approx(2 * 1 / (3 + 1))
    assert Counter(lesson["normalised"]("new new york")) == {"new": 2, "york": 1}
