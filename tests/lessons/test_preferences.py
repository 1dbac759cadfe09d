"""The functions of the lesson on preferences, beside statsmodels, scikit-learn and enumeration."""

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from sklearn.linear_model import LogisticRegression

LESSON = "preferences"
SEEDS = range(10)


def tournament(rng, n, games=60):
    """Rows of +1 and -1, and results, of which a few are ties; each has won and lost against each."""
    pairs = list(itertools.permutations(range(n), 2)) + rng.integers(n, size=(games, 2)).tolist()
    first, second = np.transpose([pair for pair in pairs if pair[0] != pair[1]])
    results = np.r_[np.ones(n * (n - 1)), rng.choice([0, 0.5, 1], len(first) - n * (n - 1))]
    return np.eye(n)[first] - np.eye(n)[second], results


@pytest.mark.parametrize("seed", SEEDS)
def test_strengths_and_errors_as_in_statsmodels(lesson, seed):
    x, y = tournament(np.random.default_rng(seed), 4 + seed % 3)
    theta, spread = lesson["bradley_terry"](x, y)
    fitted = sm.GLM(y, x[:, 1:], family=sm.families.Binomial()).fit(tol=1e-12)
    assert theta.mean() == pytest.approx(0, abs=1e-9)
    assert theta[1:] - theta[0] == pytest.approx(fitted.params, abs=1e-6)
    errors = [spread[0, 0] + spread[i, i] - 2 * spread[0, i] for i in range(1, len(theta))]
    assert np.sqrt(errors) == pytest.approx(fitted.bse, abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("penalty", [0.5, 1, 4])
def test_the_penalty_is_one_over_c_of_scikit_learn(lesson, seed, penalty):
    x, y = tournament(np.random.default_rng(seed), 4)
    x, y = np.r_[x, x], np.r_[y > 0, y > 0.5].astype(int)  # a tie is a win in one copy and a loss in the other
    model = LogisticRegression(C=1 / penalty, fit_intercept=False, tol=1e-10, max_iter=1000).fit(x, y)
    assert lesson["bradley_terry"](x, y, penalty)[0] == pytest.approx(model.coef_[0], abs=1e-5)


def test_strengths_as_in_choix(lesson):
    """Of choix 0.4.1: ilsr_pairwise, for a table of wins."""
    wins = np.array([[0, 7, 3, 2], [5, 0, 8, 1], [2, 4, 0, 6], [6, 3, 1, 0]])
    i, j = np.nonzero(wins)
    winner, loser = np.repeat(i, wins[i, j]), np.repeat(j, wins[i, j])
    theta, _ = lesson["bradley_terry"](lesson["votes_of"](winner, loser, 4), np.ones(len(winner)))
    assert theta == pytest.approx([-0.06266166079, -0.01527660849, 0.00157456551, 0.07636370377], abs=1e-8)


@pytest.mark.parametrize("seed", SEEDS)
def test_newton_from_0_finds_the_maximum_where_there_is_one(lesson, seed):
    """Where all are joined, the slope of the likelihood is 0 at the end: expected wins are the wins."""
    rng, seen = np.random.default_rng(seed), 0
    while seen < 20:
        n = rng.integers(2, 7)
        wins = rng.poisson(1.2, (n, n)) * (1 - np.eye(n, dtype=int))
        if not lesson["joined"](wins):
            continue
        i, j = np.nonzero(wins)
        x = lesson["votes_of"](np.repeat(i, wins[i, j]), np.repeat(j, wins[i, j]), n)
        theta, _ = lesson["bradley_terry"](x, np.ones(len(x)))
        chance = 1 / (1 + np.exp(-x @ theta))
        assert x.T @ (1 - chance) == pytest.approx(np.zeros(n), abs=1e-6)
        seen += 1


@pytest.mark.parametrize("n", [1, 2, 3])
def test_joined_by_following_wins(lesson, n):
    for cells in itertools.product([0, 2], repeat=n * n):
        wins = np.reshape(cells, (n, n)) * (1 - np.eye(n, dtype=int))
        reached = [{i} for i in range(n)]
        for _ in range(n):
            reached = [of | {j for i in of for j in range(n) if wins[i, j]} for of in reached]
        assert lesson["joined"](wins) == all(len(of) == n for of in reached)


def test_elo_keeps_the_sum_and_moves_by_k_times_the_surprise(lesson):
    """One win between equals at K of 32, as elote 1.5.1 has it, and the lead of the first."""
    assert lesson["elo"]([(0, 1, 1)], 2).tolist() == [1016, 984]
    assert lesson["elo"]([(0, 1, 0.5)], 2).tolist() == [1000, 1000]
    games = np.random.default_rng(0).integers(0, [3, 3, 2], (200, 3))
    ratings = lesson["elo"](games[games[:, 0] != games[:, 1]].tolist(), 3)
    assert ratings.sum() == pytest.approx(3000)
    expected = 1 / (1 + 10 ** (-100 / 400))
    assert lesson["elo"]([(0, 1, 0)], 2, 10, 100) == pytest.approx([1000 - 10 * expected, 1000 + 10 * expected])
