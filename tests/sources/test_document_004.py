"""Document 004: every formula and every printed number, from the definitions and without metrics_lib's code."""

import math
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

import metrics_lib as ml
from tests.registries import exact, load, same, verdict

DOCUMENT = "004"
WORKED = {(r["line"], r["what"]): r for r in load("worked_numbers") if r["document"] == DOCUMENT}
FORMULAS = {(r["line"], r["quantity"]): r for r in load("formulas") if r["document"] == DOCUMENT}


# 2 (4): six results with these grades, and two more that were judged


def term(grade, rank):
    """A grade over log2(rank + 1), exact where the logarithm is a whole number."""
    power = math.log2(rank + 1)
    return Fraction(grade, int(power)) if power.is_integer() else grade / power


RETURNED, IDEAL = [3, 2, 3, 0, 1, 2], [3, 3, 3, 2, 2, 1]
DCG_TERMS = [term(grade, rank) for rank, grade in enumerate(RETURNED, 1)]
IDCG_TERMS = [term(grade, rank) for rank, grade in enumerate(IDEAL, 1)]
DCG, IDCG = math.fsum(DCG_TERMS), math.fsum(IDCG_TERMS)

NUMBERS = {(221, f"DCG term, rank {rank}"): value for rank, value in enumerate(DCG_TERMS, 1)}
NUMBERS |= {(227, f"IDCG term, rank {rank}"): value for rank, value in enumerate(IDCG_TERMS, 1)}
NUMBERS |= {
    (221, "DCG@6, linear gain"): DCG,
    (221, "sum of the six printed DCG terms"): Fraction(300 + 126 + 150 + 0 + 38 + 71, 100),
    (223, "ideal order"): [3, 3, 3, 2, 2, 1, 0, 0],
    (227, "IDCG@6, linear gain"): IDCG,
    (227, "sum of the six printed IDCG terms"): Fraction(300 + 189 + 150 + 86 + 77 + 35, 100),
    (229, "the printed quotient 6.86/8.37"): Fraction(686, 837),
    (229, "NDCG@6, linear gain"): DCG / IDCG,
}


def test_every_printed_number_is_derived_here():
    assert set(NUMBERS) == set(WORKED)


@pytest.mark.parametrize("key", WORKED, ids=str)
def test_a_printed_number_against_its_definition(key):
    record, value = WORKED[key], NUMBERS[key]
    assert same(value, exact(record["exact"]))
    rational = value if isinstance(value, list) else Fraction(value)
    assert verdict(record["printed"].replace("、", ", "), rational) == record["verdict"]


def test_the_ideal_order_is_the_descending_one():
    assert all(a >= b for a, b in pairwise(IDEAL))
    assert sorted([*IDEAL, 0, 0]) == sorted([*RETURNED, 3, 0])


def test_ten_of_the_twelve_terms_are_right():
    terms = [record["verdict"] for (_, what), record in WORKED.items() if "term, rank" in what]
    assert len(terms) == 12
    assert sum(verdict in ("exact", "rounded") for verdict in terms) == 10


RNG = np.random.default_rng(4)
LISTS = [RNG.integers(0, 4, size).tolist() for size in (1, 2, 5, 8)]


def cumulative_gain_in_words(rel):
    """Line 197: the sum of the relevance of the results up to position p, whatever their order."""
    for p in range(1, len(rel) + 1):
        assert ml.cumulative_gain(rel, p) == sum(rel[:p])
    assert {ml.cumulative_gain(list(order)) for order in permutations(rel[:4])} == {sum(rel[:4])}


def discounted_cumulative_gain_in_words(rel):
    """Line 207: at rank i the weight is 1/log2(i + 1), and it falls."""
    weights = [ml.dcg([0] * (i - 1) + [1]) for i in range(1, len(rel) + 1)]
    assert weights == pytest.approx([1 / math.log2(i + 1) for i in range(1, len(rel) + 1)], abs=1e-15)
    assert weights == sorted(weights, reverse=True)
    assert ml.dcg(rel) == pytest.approx(math.fsum(map(float, map(term, rel, range(1, len(rel) + 1)))), abs=1e-12)


def normalised_discounted_cumulative_gain_in_words(rel):
    """Line 213: DCG over IDCG, the greatest DCG there is."""
    rel = [*rel[:5], 1]
    greatest = max(math.fsum(map(float, map(term, order, range(1, 7)))) for order in permutations(rel))
    own = math.fsum(map(float, map(term, rel, range(1, 7))))
    assert ml.ndcg(rel) == pytest.approx(own / greatest, abs=1e-12)


WORKED_FORMULAS = {
    (197, "cumulative gain, in words"): cumulative_gain_in_words,
    (207, "discounted cumulative gain, in words"): discounted_cumulative_gain_in_words,
    (213, "normalised discounted cumulative gain and its ideal, in words"): (
        normalised_discounted_cumulative_gain_in_words
    ),
}


def test_every_formula_is_worked_here():
    assert set(WORKED_FORMULAS) == set(FORMULAS)


@pytest.mark.parametrize("key", WORKED_FORMULAS, ids=str)
@pytest.mark.parametrize("rel", LISTS, ids=str)
def test_a_formula(key, rel):
    WORKED_FORMULAS[key](rel)
