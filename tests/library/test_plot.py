"""metrics_lib.plot: the data that each picture shows."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import metrics_lib as ml
from metrics_lib import plot


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def heights(container):
    return [bar.get_height() for bar in container]


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("k", [None, 1, 4, 9])
def test_discounted_gains_add_up_to_dcg(ax, gain, k):
    rel = [3, 2, 3, 0, 1, 2]
    assert plot.discounted_gains(ax, rel, k, gain=gain) is ax
    gains, discounted = ax.containers
    expected = [2**r - 1 if gain == "exponential" else r for r in rel[:k]]
    assert heights(gains) == expected
    np.testing.assert_allclose(heights(discounted), [g / np.log2(i + 1) for i, g in enumerate(expected, 1)], rtol=1e-14)
    assert sum(heights(discounted)) == pytest.approx(ml.dcg(rel, k, gain=gain))
    assert [bar.get_x() + bar.get_width() / 2 for bar in gains] == pytest.approx(range(1, len(expected) + 1))


def test_discounted_gains_take_one_list_and_any_discount(ax):
    plot.discounted_gains(ax, [2, 1], discount=lambda ranks: 1 / ranks)
    assert heights(ax.containers[1]) == [2, 0.5]
    with pytest.raises(ValueError, match="rel: expected 1 dimension"):
        plot.discounted_gains(ax, [[1, 2]])


RNG = np.random.default_rng(5)
Y_TRUE = np.array([1, 0, 1, 1, 0, 0, 1, 0])
Y_SCORE = np.array([0.9, 0.8, 0.8, 0.6, 0.5, 0.3, 0.3, 0.1])


def test_confusion_cells_show_every_count_where_it_belongs(ax):
    matrix = RNG.integers(0, 99, (3, 3))
    assert plot.confusion_cells(ax, matrix, labels="abc") is ax
    assert {(*text.get_position()[::-1], text.get_text()) for text in ax.texts} == {
        (row, column, str(cell)) for (row, column), cell in np.ndenumerate(matrix)
    }
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "true")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b", "c"]


def test_roc_steps_have_the_area_of_the_auc_and_mark_each_tie(ax):
    plot.roc_steps(ax, Y_TRUE, Y_SCORE, label="scores")
    _, curve, *ties = ax.lines
    assert ml.auc(*curve.get_data()) == pytest.approx(ml.roc_auc_score(Y_TRUE, Y_SCORE))
    assert [line.get_xydata().tolist() for line in ties] == [[[0, 0.25], [0.25, 0.5]], [[0.5, 0.75], [0.75, 1]]]
    assert ax.get_legend_handles_labels()[1] == ["scores"]


def test_precision_recall_steps_have_the_area_of_the_average_precision(ax):
    plot.precision_recall_steps(ax, Y_TRUE, Y_SCORE)
    _, curve, point = ax.lines
    recall, precision = curve.get_data()
    assert curve.get_drawstyle() == "steps-post"
    area = -np.sum(np.diff(recall) * precision[:-1])
    assert area == pytest.approx(ml.average_precision_score(Y_TRUE, Y_SCORE))
    assert point.get_xydata().tolist() == [[ml.break_even_point(Y_TRUE, Y_SCORE)] * 2]


def test_threshold_sweep_shows_the_metrics_at_each_threshold(ax):
    plot.threshold_sweep(ax, Y_TRUE, Y_SCORE)
    metrics = {"precision": ml.precision_score, "recall": ml.recall_score, "F1": ml.f1_score}
    assert [line.get_label() for line in ax.lines] == list(metrics)
    for line in ax.lines:
        for threshold, value in line.get_xydata():
            assert value == pytest.approx(metrics[line.get_label()](Y_TRUE, threshold <= Y_SCORE))


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_every_point_of_a_contour_has_its_f(ax, beta):
    plot.fbeta_contours(ax, beta)
    (contours,) = ax.collections
    for level, path in zip(contours.levels, contours.get_paths(), strict=True):
        recall, precision = path.vertices.T
        values = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        np.testing.assert_allclose(values, level, atol=2e-3)


def test_errors_under_an_outlier_are_those_of_the_moved_prediction(ax):
    true, pred = np.array([1.0, 2, 3]), np.array([1.5, 2, 2])
    plot.errors_under_outlier(ax, true, pred, index=1, up_to=4)
    rmse, mae = ax.lines
    for (error, high), (_, low) in zip(rmse.get_xydata(), mae.get_xydata(), strict=True):
        assert high == pytest.approx(np.sqrt((0.25 + error**2 + 1) / 3))
        assert low == pytest.approx((0.5 + error + 1) / 3)
    assert (rmse.get_xdata()[0], rmse.get_xdata()[-1]) == (0, 4)
    assert pred.tolist() == [1.5, 2, 2]


@pytest.mark.parametrize("base", [2, np.e])
def test_bars_of_information_add_up(ax, base):
    p, q = [0.5, 0.3, 0.2, 0.0], [0.2, 0.3, 0.4, 0.1]
    plot.entropy_bars(ax, p, base=base)
    plot.kl_bars(ax, p, q, base=base)
    shares, differences = map(heights, ax.containers)
    assert sum(shares) == pytest.approx(ml.entropy(p, base=base))
    assert sum(differences) == pytest.approx(ml.kl_divergence(p, q, base=base))
    assert min(differences) < 0 == shares[3]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda ax: plot.confusion_cells(ax, [[1, 2]]), "matrix: expected a square matrix"),
        (lambda ax: plot.confusion_cells(ax, [[-1]]), "matrix: .*at least 0"),
        (lambda ax: plot.confusion_cells(ax, [[1]], labels="ab"), "labels: expected 1 names"),
        (lambda ax: plot.fbeta_contours(ax, 0), "beta: "),
        (lambda ax: plot.errors_under_outlier(ax, [1], [1, 2]), "y_pred: expected the shape of y_true"),
        (lambda ax: plot.errors_under_outlier(ax, [1], [1], index=1), "index: "),
        (lambda ax: plot.errors_under_outlier(ax, [1], [1], up_to=0), "up_to: "),
        (lambda ax: plot.entropy_bars(ax, [0.5, 0.6]), "p: "),
        (lambda ax: plot.entropy_bars(ax, [[0.5, 0.5]]), "p: expected 1 dimension"),
        (lambda ax: plot.kl_bars(ax, [1, 0], [0, 1]), "q: expected a positive probability"),
    ],
)
def test_bad_input_is_refused_by_name(ax, draw, message):
    with pytest.raises(ValueError, match=message):
        draw(ax)
