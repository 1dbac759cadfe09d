"""Document 002: every formula and every printed number, from the definitions and without metrics_lib's code."""

import math
from fractions import Fraction
from itertools import product

import pytest

import metrics_lib as ml
from tests.registries import exact, judged, load, same

DOCUMENT = "002"


def first_line(record):
    return record["line"][0] if isinstance(record["line"], list) else record["line"]


WORKED = {(first_line(r), r["what"]): r for r in load("worked_numbers") if r["document"] == DOCUMENT}
FORMULAS = {(first_line(r), r["quantity"]): r for r in load("formulas") if r["document"] == DOCUMENT}


# Printed numbers: sections 1, 2 and 2.1 print none

NUMBERS = {}


# The formulas

WORKED_FORMULAS = {}


def matches(got, wanted):
    return math.isnan(got) if wanted is None else math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12)


# 1: regression, on every pair of short lists of small whole numbers

PAIRS = [
    (y, f) for size in (1, 2) for y in product(range(-2, 4), repeat=size) for f in product((-2, 0, 1, 5), repeat=size)
]
PAIRS.append(((1, 4, 4, 9), (2, 4, 2, 9)))


def mean(values):
    values = [Fraction(value) for value in values]
    return sum(values) / len(values)


def errors(y, f):
    return [Fraction(b - a) for a, b in zip(y, f, strict=True)]


def of_each_pair(name, definition, defined=lambda y: True):
    """A test that a metric is its definition wherever that has a value."""

    def check():
        pairs = [(y, f) for y, f in PAIRS if defined(y)]
        assert len(pairs) > 100
        for y, f in pairs:
            assert matches(getattr(ml, name)(y, f), definition(y, f))

    return check


def symmetric_term(a, b):
    """The term of line 25, 0 where it is 0/0."""
    return abs(Fraction(b - a) / (Fraction(abs(b) + abs(a)) / 2)) if a or b else 0


def weighted():
    """Line 29, with absolute values below the line; as printed it is the same for positive targets only."""
    for y, f in PAIRS:
        got = ml.weighted_mean_absolute_percentage_error(y, f)
        missed, size = sum(map(abs, errors(y, f))), sum(map(abs, y))
        assert matches(got, missed / size if size else None)
        if size and missed:
            assert (sum(y) != 0 and matches(got, missed / sum(y))) == (min(y) >= 0)


def determination(y, f):
    """Line 33, both forms, with the variance of divisor m."""
    variance = mean((mean(y) - a) ** 2 for a in y)
    ratio = sum(e**2 for e in errors(y, f)) / sum((mean(y) - a) ** 2 for a in y)
    assert mean(e**2 for e in errors(y, f)) / variance == ratio
    return 1 - ratio


WORKED_FORMULAS |= {
    (9, "mean squared error"): of_each_pair("mean_squared_error", lambda y, f: mean(e**2 for e in errors(y, f))),
    (13, "root mean squared error"): of_each_pair(
        "root_mean_squared_error", lambda y, f: math.sqrt(mean(e**2 for e in errors(y, f)))
    ),
    (17, "mean absolute error"): of_each_pair("mean_absolute_error", lambda y, f: mean(map(abs, errors(y, f)))),
    (21, "mean absolute percentage error"): of_each_pair(
        "mean_absolute_percentage_error",
        lambda y, f: mean(abs(e / a) for e, a in zip(errors(y, f), y, strict=True)),
        all,
    ),
    (25, "symmetric mean absolute percentage error"): of_each_pair(
        "symmetric_mean_absolute_percentage_error",
        lambda y, f: mean(symmetric_term(a, b) for a, b in zip(y, f, strict=True)),
    ),
    (29, "weighted mean absolute percentage error"): weighted,
    (33, "coefficient of determination"): of_each_pair("r2_score", determination, lambda y: len(set(y)) > 1),
}


# 2.2: several classes, on every matrix of two classes with small counts and some of three


def small_matrices():
    for a, b, c, d in product(range(3), repeat=4):
        if a + b and c + d:
            yield [[a, b], [c, d]]
    yield [[90, 5, 5], [2, 5, 3], [0, 5, 2]]
    yield [[1, 0, 2], [3, 0, 1], [0, 2, 2]]


def labelled(cells):
    """A sample for each count, true and predicted labels."""
    pairs = [(i, j) for i, row in enumerate(cells) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in pairs], [j for _, j in pairs]


def against_the_rest(cells):
    """TP, FP and FN of each class."""
    for i, row in enumerate(cells):
        yield row[i], sum(other[i] for other in cells) - row[i], sum(row) - row[i]


def ratio(part, rest):
    return Fraction(part, part + rest) if part + rest else Fraction(0)


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else Fraction(0)


def macro_precision_and_recall():
    """Line 72, and erratum 002-18: the means of the rates, not the rates of the mean matrix."""
    for cells in small_matrices():
        counts = list(against_the_rest(cells))
        p, r = mean(ratio(tp, fp) for tp, fp, _ in counts), mean(ratio(tp, fn) for tp, _, fn in counts)
        assert matches(ml.precision_score(*labelled(cells), average="macro", zero_division=0), p)
        assert matches(ml.recall_score(*labelled(cells), average="macro", zero_division=0), r)


def macro_f1():
    """Line 72, and errata 002-20 and X-11: the F1 of the means, never below the mean of the F1."""
    smaller = 0
    for cells in small_matrices():
        counts = list(against_the_rest(cells))
        p, r = mean(ratio(tp, fp) for tp, fp, _ in counts), mean(ratio(tp, fn) for tp, _, fn in counts)
        each = mean(harmonic(ratio(tp, fp), ratio(tp, fn)) for tp, fp, fn in counts)
        got = ml.macro_f1_score(*labelled(cells), definition="f1_of_means", zero_division=0)
        assert matches(got, harmonic(p, r))
        assert matches(ml.macro_f1_score(*labelled(cells), zero_division=0), each)
        assert each <= harmonic(p, r)
        smaller += each < harmonic(p, r)
    assert smaller > 10


def micro_rates():
    """Line 76, and erratum 002-21: of the mean counts, and each of the three is the accuracy."""
    for cells in small_matrices():
        tp, fp, fn = (mean(column) for column in zip(*against_the_rest(cells), strict=True))
        p, r = tp / (tp + fp), tp / (tp + fn)
        accuracy = Fraction(sum(row[i] for i, row in enumerate(cells)), sum(map(sum, cells)))
        assert p == r == harmonic(p, r) == accuracy
        for score in (ml.precision_score, ml.recall_score, ml.f1_score):
            assert matches(score(*labelled(cells), average="micro", zero_division=0), accuracy)


def test_the_two_macro_f1s_reverse_a_comparison():
    """Erratum X-11."""
    values = []
    for cells in ([[1, 9], [1, 9]], [[6, 4], [7, 3]]):
        counts = list(against_the_rest(cells))
        p, r = mean(ratio(tp, fp) for tp, fp, _ in counts), mean(ratio(tp, fn) for tp, _, fn in counts)
        values.append((harmonic(p, r), mean(harmonic(ratio(tp, fp), ratio(tp, fn)) for tp, fp, fn in counts)))
    (a_means, a_each), (b_means, b_each) = values
    assert a_means > b_means
    assert a_each < b_each
    assert (a_means, a_each) == (Fraction(1, 2), Fraction(17, 42))


WORKED_FORMULAS |= {
    (72, "macro precision and recall"): macro_precision_and_recall,
    (72, "macro F1"): macro_f1,
    (76, "micro precision, recall and F1"): micro_rates,
}


# 3: ranking, on every list of one to four grades from 0 to 3


RANKED = [grades for length in range(1, 5) for grades in product(range(4), repeat=length)]


def of_each_list(check):
    """A test that runs a check on every list, and that the lists are many."""

    def run():
        assert len(RANKED) == 340
        for grades in RANKED:
            check(grades)

    return run


# 3.4: ERR, by following the reader

NUMBERS |= {(136, "example discount at rank 1"): Fraction(1) / int(math.log2(1 + 1))}


def satisfies(grade, top):
    """Line 130."""
    return Fraction(2**grade - 1, 2**top)


def cascade(grades, top):
    """Where the reader stops: the probability of each rank, and of going on past the last."""
    going_on, stopped = Fraction(1), []
    for grade in grades:
        stopped.append(going_on * satisfies(grade, top))
        going_on -= stopped[-1]
    return stopped, going_on


@of_each_list
def stop_at_a_rank(grades):
    """Line 126: the product is what the reader does, and all readers together are 1."""
    chances = [satisfies(grade, 3) for grade in grades]
    product_form = [chance * math.prod(1 - c for c in chances[:i]) for i, chance in enumerate(chances)]
    stopped, going_on = cascade(grades, 3)
    assert product_form == stopped
    assert sum(stopped) + going_on == 1
    by_rank = [ml.expected_reciprocal_rank(grades, max_grade=3, discount=until(k)) for k in range(1, len(grades) + 1)]
    assert by_rank == pytest.approx([float(sum(stopped[:k])) for k in range(1, len(grades) + 1)], abs=1e-12)


def until(last):
    """A discount under which the metric is the probability of having stopped by a rank."""
    return lambda ranks: ranks <= last


def satisfaction():
    """Line 130, seen in a list of one."""
    for top in range(1, 8):
        for grade in range(top + 1):
            assert ml.expected_reciprocal_rank([grade], max_grade=top) == satisfies(grade, top) < 1


@of_each_list
def expected_reciprocal_rank(grades):
    """Line 134 with 1/r, on three scales."""
    for top in (3, 4, 5):
        err = sum(p / rank for rank, p in enumerate(cascade(grades, top)[0], 1))
        assert matches(ml.expected_reciprocal_rank(grades, max_grade=top), err)


@of_each_list
def discounted_cascade(grades):
    """Line 136: 1 at the first rank, tending to 0; as soon as a reader gets past rank 1 it is not the ERR."""
    weights = [1 / math.log2(rank + 1) for rank in range(1, 5)]
    assert weights[0] == 1
    assert 1 / math.log2(1e300) < 0.002
    stopped, _ = cascade(grades, 3)
    library = ml.expected_reciprocal_rank(grades, max_grade=3, discount=lambda r: [1 / math.log2(i + 1) for i in r])
    assert matches(library, sum(w * p for w, p in zip(weights, stopped, strict=False)))
    assert (library == ml.expected_reciprocal_rank(grades, max_grade=3)) == (not any(stopped[1:]))


WORKED_FORMULAS |= {
    (126, "probability of stopping at rank r"): stop_at_a_rank,
    (130, "probability that a grade satisfies"): satisfaction,
    (134, "expected reciprocal rank"): expected_reciprocal_rank,
    (136, "conditions on the discount of a cascade"): discounted_cascade,
}


# The checks of both dictionaries, after all sections have added to them


def test_every_printed_number_is_derived_here():
    assert set(NUMBERS) == set(WORKED)


@pytest.mark.parametrize("key", NUMBERS, ids=str)
def test_a_printed_number_against_its_definition(key):
    record, value = WORKED[key], NUMBERS[key]
    assert same(value, exact(record["exact"]))
    rational = value if isinstance(value, list) else Fraction(value)
    assert judged(record["printed"], rational) == record["verdict"]


def test_every_formula_is_worked_here():
    assert set(WORKED_FORMULAS) == set(FORMULAS)


@pytest.mark.parametrize("key", WORKED_FORMULAS, ids=str)
def test_a_formula(key):
    WORKED_FORMULAS[key]()
