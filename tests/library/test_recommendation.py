"""metrics_lib.recommendation against its definitions in exact fractions, and at the edges."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_lib.recommendation import hit_ratio, intra_list_similarity

DEFINITIONS = ["pooled", "per_user", "any"]


def exact_hit_ratio(users, definition):
    """The definition for users that all have relevant items."""
    if definition == "pooled":
        return Fraction(sum(h for h, _ in users), sum(n for _, n in users))
    values = [Fraction(h, n) if definition == "per_user" else Fraction(h >= 1) for h, n in users]
    return sum(values) / len(values)


def exact_similarity(matrix, definition):
    pairs = [Fraction(float(matrix[i][j])) for i, j in itertools.combinations(range(len(matrix)), 2)]
    return sum(pairs) if definition == "sum" else sum(pairs) / len(pairs)


# Hit ratio

users = st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: (min(pair), max(pair)))


@pytest.mark.parametrize(("definition", "expected"), [("pooled", 1 / 2), ("per_user", 91 / 180), ("any", 1)])
def test_hit_ratio_of_the_shared_example(definition, expected):
    assert hit_ratio([6, 5, 4], [10, 12, 8], definition=definition) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("definition", DEFINITIONS)
@settings(max_examples=80)
@given(st.lists(users, min_size=1, max_size=12))
def test_hit_ratio_equals_its_definition(definition, users):
    served = [(h, n) for h, n in users if n]
    hits, n_relevant = zip(*users, strict=True)
    value = hit_ratio(hits, n_relevant, definition=definition, undefined="skip")
    assert type(value) is float
    if served:
        assert value == pytest.approx(float(exact_hit_ratio(served, definition)), rel=1e-14)
        assert 0 <= value <= 1
        assert value == pytest.approx(hit_ratio(hits[::-1], n_relevant[::-1], definition=definition, undefined="skip"))
    else:
        assert math.isnan(value)
    by_default = hit_ratio(hits, n_relevant, definition=definition)
    if len(served) == len(users) or (served and definition == "pooled"):
        assert by_default == value
    else:
        assert math.isnan(by_default)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 1), min_size=1, max_size=20))
def test_the_three_agree_with_one_relevant_item_for_every_user(hits):
    values = {hit_ratio(hits, [1] * len(hits), definition=definition) for definition in DEFINITIONS}
    assert max(values) == pytest.approx(min(values), rel=1e-15)
    assert max(values) == pytest.approx(sum(hits) / len(hits), rel=1e-15)


@pytest.mark.parametrize(
    ("definition", "undefined", "expected"),
    [
        ("pooled", np.nan, 0.4),
        ("pooled", 0, 0.4),
        ("pooled", "raise", 0.4),
        ("pooled", "skip", 0.4),
        ("per_user", np.nan, np.nan),
        ("per_user", 0, 0.25),
        ("per_user", 1, 7 / 12),
        ("per_user", "skip", 0.375),
        ("per_user", "raise", None),
        ("any", np.nan, np.nan),
        ("any", 0, 1 / 3),
        ("any", np.float32(1), 2 / 3),
        ("any", "skip", 0.5),
        ("any", "raise", None),
    ],
)
def test_a_user_without_relevant_items(definition, undefined, expected):
    arguments = {"definition": definition, "undefined": undefined}
    if expected is None:
        with pytest.raises(ValueError, match="undefined: a user has no relevant item"):
            hit_ratio([6, 0, 0], [8, 7, 0], **arguments)
    else:
        assert hit_ratio([6, 0, 0], [8, 7, 0], **arguments) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_only_users_without_relevant_items(definition):
    assert math.isnan(hit_ratio([0, 0], [0, 0], definition=definition))
    assert math.isnan(hit_ratio([0, 0], [0, 0], definition=definition, undefined="skip"))
    assert hit_ratio([0, 0], [0, 0], definition=definition, undefined=0.25) == 0.25
    with pytest.raises(ValueError, match="undefined"):
        hit_ratio([0, 0], [0, 0], definition=definition, undefined="raise")


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_hit_ratio_accepts_every_container_and_type_and_modifies_nothing(definition):
    hits, n_relevant = np.array([1, 0, 1]), np.array([1, 1, 1])
    value = hit_ratio(hits, n_relevant, definition=definition)
    for make in (list, tuple, pd.Series, lambda a: pd.Series(a, index=[9, 7, 8]), lambda a: a[::-1][::-1]):
        assert hit_ratio(make(hits), make(n_relevant), definition=definition) == value
    for kind in ("bool", "uint8", "int64", "float32", "float64", "object"):
        assert hit_ratio(hits.astype(kind), n_relevant, definition=definition) == value
    many = np.array([100, 100, 100], dtype=np.int8)
    assert hit_ratio(many, many, definition=definition) == 1
    hits.flags.writeable = n_relevant.flags.writeable = False
    assert hit_ratio(hits, n_relevant, definition=definition) == value
    assert hits.tolist() == [1, 0, 1]


BAD_COUNTS = [
    [1, -1],
    [0.5, 1],
    [1, math.nan],
    [1, math.inf],
    [],
    [[1, 1]],
    1,
    None,
    ["1", "1"],
    "ab",
    [1, None],
    [[1], [1, 2]],
]


@pytest.mark.parametrize("bad", BAD_COUNTS, ids=repr)
def test_bad_counts_are_refused_by_name(bad):
    with pytest.raises(ValueError, match="^hits: expected .*, got "):
        hit_ratio(bad, [5, 5], definition="any")
    with pytest.raises(ValueError, match="^n_relevant: expected .*, got "):
        hit_ratio([0, 0], bad, definition="any")


def test_counts_whose_sum_overflows_are_refused_where_they_are_summed():
    huge = [1e308, 1e308]
    with np.errstate(all="raise"):
        with pytest.raises(ValueError, match="^n_relevant: expected counts whose sum float64 can hold"):
            hit_ratio(huge, huge, definition="pooled")
        assert hit_ratio(huge, huge, definition="per_user") == hit_ratio(huge, huge, definition="any") == 1


def test_other_bad_arguments_of_hit_ratio():
    with pytest.raises(ValueError, match="^hits: expected at most n_relevant, got 3 of 2 for the user at 1"):
        hit_ratio([1, 3], [1, 2], definition="pooled")
    with pytest.raises(ValueError, match="^n_relevant: expected the shape of hits"):
        hit_ratio([1, 1], [1, 1, 1], definition="pooled")
    for definition in ("mean", None, 1):
        with pytest.raises(ValueError, match="^definition: expected one of 'pooled', 'per_user', 'any'"):
            hit_ratio([1], [1], definition=definition)
    for undefined in ("zero", None, True):
        with pytest.raises(ValueError, match="^undefined: expected"):
            hit_ratio([1], [1], definition="any", undefined=undefined)
    with pytest.raises(TypeError):
        hit_ratio([1], [1], "any")
    with pytest.raises(TypeError, match="required keyword-only argument: 'definition'"):
        hit_ratio([1], [1])


# Intra-list similarity


@pytest.mark.parametrize(("definition", "expected"), [("mean", 0.5), ("sum", 1.5)])
def test_similarity_of_the_shared_example(definition, expected):
    matrix = [[1, 0.8, 0.2], [0.8, 1, 0.5], [0.2, 0.5, 1]]
    assert intra_list_similarity(matrix, definition=definition) == pytest.approx(expected, rel=1e-15)
    assert intra_list_similarity(matrix) == pytest.approx(0.5, rel=1e-15)


def test_only_the_sum_grows_with_the_length():
    for length, total in ((3, 1.5), (6, 7.5)):
        alike = np.full((length, length), 0.5)
        assert intra_list_similarity(alike) == 0.5
        assert intra_list_similarity(alike, definition="sum") == total


@pytest.mark.parametrize("definition", ["mean", "sum"])
@settings(max_examples=60)
@given(st.integers(2, 7), st.integers(0, 10_000))
def test_similarity_equals_its_definition(definition, length, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-64, 64, size=(length, length)) / 64
    matrix = (matrix + matrix.T) / 2
    value = intra_list_similarity(matrix, definition=definition)
    assert type(value) is float
    assert value == pytest.approx(float(exact_similarity(matrix, definition)), rel=1e-13, abs=1e-15)
    other_diagonal = matrix - np.diag(np.diag(matrix)) + np.diag(rng.normal(scale=1e20, size=length))
    assert intra_list_similarity(other_diagonal, definition=definition) == value
    order = rng.permutation(length)
    assert intra_list_similarity(matrix[order][:, order], definition=definition) == pytest.approx(value, abs=1e-13)
    pairs = matrix[np.triu_indices(length, 1)]
    if definition == "mean":
        assert pairs.min() - 1e-15 <= value <= pairs.max() + 1e-15


@pytest.mark.parametrize("shape", [(4,), (2, 3), (1, 1), (2, 1, 3)])
def test_a_batch_of_lists_is_its_lists(shape):
    values = np.random.default_rng(0).normal(size=(*shape, 5, 5))
    matrices = values + values.swapaxes(-2, -1)
    for definition in ("mean", "sum"):
        value = intra_list_similarity(matrices, definition=definition)
        each = [intra_list_similarity(matrix, definition=definition) for matrix in matrices.reshape(-1, 5, 5)]
        assert value.shape == shape
        assert value.ravel() == pytest.approx(np.array(each), rel=1e-14)


def test_a_list_of_one_item_has_a_sum_and_no_mean():
    assert intra_list_similarity([[1]], definition="sum") == 0
    assert math.isnan(intra_list_similarity([[1]]))
    assert intra_list_similarity([[1]], undefined=0.5) == 0.5
    assert intra_list_similarity(np.ones((3, 1, 1)), undefined=0).tolist() == [0, 0, 0]
    assert intra_list_similarity(np.ones((3, 1, 1)), definition="sum", undefined="raise").tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="undefined: a list of one item has no pair"):
        intra_list_similarity([[1]], undefined="raise")


@pytest.mark.parametrize("value", [5e-324, -5e-324, 1e-310, 1e308])
def test_the_smallest_and_the_largest_similarities_are_kept(value):
    with np.errstate(all="raise"):
        assert intra_list_similarity([[1, value], [value, 1]]) == value


def test_similarity_accepts_every_container_and_type_and_modifies_nothing():
    matrix = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
    value = intra_list_similarity(matrix)
    for make in (np.ndarray.tolist, pd.DataFrame, np.asfortranarray, lambda a: tuple(map(tuple, a))):
        assert intra_list_similarity(make(matrix)) == value
    for kind in ("bool", "uint8", "float16", "float32", "longdouble", "object"):
        assert intra_list_similarity(matrix.astype(kind)) == value
    halves = np.full((80, 80), 0.1, dtype=np.float16)
    assert intra_list_similarity(halves) == pytest.approx(float(halves[0, 0]), rel=1e-12)
    matrix.flags.writeable = False
    assert intra_list_similarity(matrix) == value


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_rounding_of_cosines_is_not_asymmetry(kind):
    items = np.random.default_rng(0).normal(size=(40, 30)).astype(kind)
    items /= np.linalg.norm(items, axis=1, keepdims=True)
    cosines = items @ items.T
    wobble = np.nextafter(cosines, np.random.default_rng(1).normal(size=cosines.shape).astype(kind))
    assert (wobble != wobble.T).any()
    assert intra_list_similarity(wobble) == pytest.approx(intra_list_similarity(cosines), abs=1e-6)
    cosines[3, 5] += 2 * np.sqrt(np.finfo(kind).eps)
    with pytest.raises(ValueError, match="^similarity: expected symmetric matrices"):
        intra_list_similarity(cosines)


ASYMMETRIC = np.array([[1e20, 0.5], [0.25, 1e20]])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (ASYMMETRIC, "symmetric matrices, got 0.5 facing 0.25"),
        ([np.eye(2), ASYMMETRIC], "symmetric matrices"),
        (np.array([[0, 200], [1, 0]], dtype=np.uint8), "symmetric matrices, got 200.0 facing 1.0"),
        ([[1e308, 1e308], [-1e308, 0]], r"symmetric matrices, got 1e\+308 facing -1e\+308"),
        (np.ones((2, 3)), r"square matrices, got shape \(2, 3\)"),
        ([1, 2], "at least 2 dimensions"),
        (1, "at least 2 dimensions"),
        (np.ones((0, 0)), "at least one value"),
        ([[1, math.nan], [math.nan, 1]], "finite numbers"),
        ([[math.inf, 1], [1, 1]], "finite numbers"),
        ([["a", "b"], ["b", "a"]], "an array of real numbers"),
        ([[1, 2], [1]], "an array of numbers"),
        (None, "an array of real numbers"),
        (np.full((3, 3), 1e308), "values whose sum float64 can hold, got an overflow"),
    ],
)
def test_bad_similarities_are_refused_by_name(bad, message):
    for definition in ("mean", "sum"):
        with np.errstate(all="raise"), pytest.raises(ValueError, match="^similarity: expected " + message):
            intra_list_similarity(bad, definition=definition)


def test_bad_options_of_similarity():
    for definition in ("median", None):
        with pytest.raises(ValueError, match="^definition: expected one of 'mean', 'sum'"):
            intra_list_similarity(np.eye(2), definition=definition)
    for undefined in ("skip", None, True):
        with pytest.raises(ValueError, match="^undefined: expected"):
            intra_list_similarity(np.eye(2), undefined=undefined)
    with pytest.raises(TypeError):
        intra_list_similarity(np.eye(2), "sum")
