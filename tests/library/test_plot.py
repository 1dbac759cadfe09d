"""metrics_lib.plot: the data that each picture shows."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

import metrics_lib as ml
from metrics_lib import plot
from metrics_lib.uncertainty import delong_interval, paired_difference, wilson_interval

RNG = np.random.default_rng(5)
Y_TRUE = np.array([1, 0, 1, 1, 0, 0, 1, 0])
Y_SCORE = np.array([0.9, 0.8, 0.8, 0.6, 0.5, 0.3, 0.3, 0.1])


@pytest.fixture
def ax():
    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def xy(line):
    return line.get_xydata().tolist()


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


# How it looks: what each picture writes on its axes and in its legend, and which part of the plane it shows

LOOKS = {
    "discounted_gains": (lambda ax: plot.discounted_gains(ax, [3, 2]), "rank", "gain", ["gain", "discounted gain"]),
    "confusion_cells": (lambda ax: plot.confusion_cells(ax, [[3, 2], [0, 1]]), "predicted", "true", []),
    "reliability_diagram": (
        lambda ax: plot.reliability_diagram(ax, Y_TRUE, Y_SCORE, label="forecast"),
        "predicted probability",
        "share of positives",
        ["forecast", "share of samples"],
    ),
    "roc_steps": (
        lambda ax: plot.roc_steps(ax, Y_TRUE, Y_SCORE, label="scores"),
        "false positive rate",
        "true positive rate",
        ["scores"],
    ),
    "intervals": (lambda ax: plot.intervals(ax, {"a": (1, 0, 2)}), "value and interval", "", []),
    "paired_differences": (
        lambda ax: plot.paired_differences(ax, [2, 1], [1, 3], n_resamples=9),
        "queries, sorted",
        "difference",
        [],
    ),
    "fbeta_contours": (lambda ax: plot.fbeta_contours(ax, 2), "recall", "precision", []),
}


def test_every_picture_has_its_looks_tested():
    assert set(LOOKS) == set(plot.__all__)


@pytest.mark.parametrize("name", LOOKS)
def test_axes_and_legend_name_what_is_drawn(ax, name):
    draw, xlabel, ylabel, legend = LOOKS[name]
    assert draw(ax) is ax
    assert [ax.get_xlabel(), ax.get_ylabel()] == [xlabel, ylabel]
    assert ax.get_legend_handles_labels()[1] == legend


def test_the_gain_is_an_outline_and_the_discounted_gain_is_filled(ax):
    plot.discounted_gains(ax, [3, 2])
    handles = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    assert {bar.get_facecolor()[3] for bar in handles["gain"]} == {0}
    assert {bar.get_facecolor()[3] for bar in handles["discounted gain"]} == {1}
    assert heights(handles["gain"]) == [3, 2]
    assert ax.get_xticks().tolist() == [1, 2]


def test_roc_axes_are_square_and_the_chance_line_is_the_diagonal(ax):
    plot.roc_steps(ax, Y_TRUE, Y_SCORE)
    assert ax.get_aspect() == 1
    assert xy(ax.lines[0]) == [[0, 0], [1, 1]]
    assert [xy(ax.lines[1])[0], xy(ax.lines[1])[-1]] == [[0, 0], [1, 1]]


def luminance(color):
    """Relative luminance as in WCAG 2."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contours_are_square(ax):
    assert plot.fbeta_contours(ax, 2).get_aspect() == 1


def test_a_count_is_legible_on_its_cell(ax):
    cells = np.arange(100).reshape(10, 10)
    plot.confusion_cells(ax, cells)
    (image,) = ax.images
    for text, cell in zip(ax.texts, cells.ravel(), strict=True):
        lighter, darker = sorted([luminance(text.get_color()), luminance(image.to_rgba(cell)[:3])], reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, cell


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ([[123456, 99999], [0, 7]], ["123456", "99999", "0", "7"]),
        ([[2**62 + 1, 0], [0, 1]], [str(2**62 + 1), "0", "0", "1"]),
        ([[123456.0, 1234.5], [0.0, 7.25]], ["123456", "1234", "0", "7.25"]),
        ([[1 / 3, 2 / 3], [0.0, 1.0]], ["0.3333", "0.6667", "0", "1"]),
        ([[True, False], [False, True]], ["1", "0", "0", "1"]),
    ],
)
def test_counts_have_all_their_digits_and_rates_four(ax, cells, shown):
    plot.confusion_cells(ax, cells)
    assert [text.get_text() for text in ax.texts] == shown


def test_the_positive_label_and_the_weights_are_those_of_the_metric(ax):
    names, weights = np.where(Y_TRUE == 1, "spam", "ham"), np.arange(1, 9)
    options = {"pos_label": "spam", "sample_weight": weights}
    plot.roc_steps(ax, names, Y_SCORE, **options)
    assert ml.auc(*ax.lines[1].get_data()) == pytest.approx(
        ml.roc_auc_score(names == "spam", Y_SCORE, sample_weight=weights)
    )


def test_confusion_cells_show_every_count_where_it_belongs(ax):
    matrix = RNG.integers(0, 99, (3, 3))
    assert plot.confusion_cells(ax, matrix, labels="abc") is ax
    assert {(*text.get_position()[::-1], text.get_text()) for text in ax.texts} == {
        (row, column, str(cell)) for (row, column), cell in np.ndenumerate(matrix)
    }
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "true")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b", "c"]


def test_named_cells_have_the_name_above_the_count(ax):
    plot.confusion_cells(ax, [[30, 20], [10, 40]], names=[["TN", "FP"], ["FN", "TP"]])
    assert [text.get_text() for text in ax.texts] == ["TN\n30", "FP\n20", "FN\n10", "TP\n40"]


@pytest.mark.parametrize("weights", [None, np.arange(8)])
@pytest.mark.parametrize(("n_bins", "strategy"), [(10, "uniform"), (3, "quantile")])
def test_the_gaps_of_a_reliability_diagram_are_the_calibration_error(ax, weights, n_bins, strategy):
    options = {"n_bins": n_bins, "strategy": strategy, "sample_weight": weights}
    assert plot.reliability_diagram(ax, Y_TRUE, Y_SCORE, **options) is ax
    diagonal, curve = ax.lines
    (gaps,), shares = ax.collections, heights(ax.containers[0])
    assert xy(diagonal) == [[0, 0], [1, 1]]
    assert sum(shares) == pytest.approx(1)
    lengths = [abs(end - start) for (_, start), (_, end) in gaps.get_segments()]
    error = ml.expected_calibration_error(Y_TRUE, Y_SCORE, **options)
    assert np.dot(lengths, shares) == pytest.approx(error)
    if weights is None:
        curve_of = ml.calibration_curve(Y_TRUE, Y_SCORE, n_bins=n_bins, strategy=strategy)
        assert curve.get_xdata().tolist() == curve_of.prob_pred.tolist()
        assert curve.get_ydata().tolist() == curve_of.prob_true.tolist()
    centres = [bar.get_x() + bar.get_width() / 2 for bar in ax.containers[0]]
    assert centres == pytest.approx(curve.get_xdata())
    assert ax.get_aspect() == 1
    assert ax.get_ylim() == (0, 1.05)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_bands_of_a_reliability_diagram_are_wilsons(ax, level):
    plot.reliability_diagram(ax, Y_TRUE, Y_SCORE, n_bins=3, confidence_level=level)
    bands, gaps = ax.collections
    places = np.searchsorted([1 / 3, 2 / 3], Y_SCORE)
    expected = [
        wilson_interval(int(Y_TRUE[places == place].sum()), int((places == place).sum()), confidence_level=level)
        for place in range(3)
    ]
    assert [segment[:, 1].tolist() for segment in bands.get_segments()] == [[low, high] for _, low, high in expected]
    assert [segment[0, 0] for segment in bands.get_segments()] == [segment[0, 0] for segment in gaps.get_segments()]
    assert ax.lines[1].get_ydata().tolist() == [value for value, *_ in expected]


def test_intervals_stand_in_their_order_from_the_top(ax):
    results = {"first": (0.5, 0.25, 0.75), "second": wilson_interval(1, 4), "third": delong_interval(Y_TRUE, Y_SCORE)}
    plot.intervals(ax, results, reference=0.5)
    (bars,) = ax.collections
    ends = [[segment[0, 0], segment[1, 0], segment[0, 1]] for segment in bars.get_segments()]
    assert ends == [[low, high, place] for place, (_, low, high, *_) in enumerate(results.values())]
    reference, dots = ax.lines
    assert reference.get_xdata() == [0.5, 0.5]
    assert dots.get_xdata().tolist() == [result[0] for result in results.values()]
    assert [label.get_text() for label in ax.get_yticklabels()] == list(results)
    bottom, top = ax.get_ylim()
    assert bottom > top


def test_paired_differences_are_sorted_beside_their_mean(ax):
    a, b = np.array([0.5, 0.75, 0.25, 1.0]), np.array([0.75, 0.25, 0.25, 0.5])
    plot.paired_differences(ax, a, b, confidence_level=0.9, n_resamples=99, rng=3)
    assert heights(ax.patches) == [-0.25, 0, 0.5, 0.5]
    assert len({bar.get_facecolor() for bar in ax.patches[1:]}) == 1
    assert ax.patches[0].get_facecolor() != ax.patches[1].get_facecolor()
    expected = paired_difference(a, b, confidence_level=0.9, n_resamples=99, rng=3)
    (bar,) = ax.collections[0].get_segments()
    assert bar[:, 1].tolist() == [expected.low, expected.high]
    assert ax.lines[1].get_ydata() == [expected.value]
    assert bar[0, 0] > 3.5


def test_roc_steps_have_the_area_of_the_auc_and_mark_each_tie(ax):
    plot.roc_steps(ax, Y_TRUE, Y_SCORE, label="scores")
    _, curve, *ties = ax.lines
    assert ml.auc(*curve.get_data()) == pytest.approx(ml.roc_auc_score(Y_TRUE, Y_SCORE))
    assert [line.get_xydata().tolist() for line in ties] == [[[0, 0.25], [0.25, 0.5]], [[0.5, 0.75], [0.75, 1]]]
    assert ax.get_legend_handles_labels()[1] == ["scores"]


@pytest.mark.parametrize(("beta", "axis"), [(0, 1), (np.inf, 0), (1e200, 0)])
def test_the_ends_of_beta_are_lines_of_equal_precision_and_of_equal_recall(ax, beta, axis):
    (contours,) = plot.fbeta_contours(ax, beta).collections
    for level, path in zip(contours.levels, contours.get_paths(), strict=True):
        np.testing.assert_allclose(path.vertices[:, axis], level, atol=1e-12)


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_every_point_of_a_contour_has_its_f(ax, beta):
    plot.fbeta_contours(ax, beta)
    (contours,) = ax.collections
    for level, path in zip(contours.levels, contours.get_paths(), strict=True):
        recall, precision = path.vertices.T
        values = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        np.testing.assert_allclose(values, level, atol=2e-3)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda ax: plot.confusion_cells(ax, [[1, 2]]), "matrix: expected a square matrix"),
        (lambda ax: plot.confusion_cells(ax, [[-1]]), "matrix: .*at least 0"),
        (lambda ax: plot.confusion_cells(ax, [[1]], labels="ab"), "labels: expected 1 names"),
        (lambda ax: plot.confusion_cells(ax, [[1]], names=["TP"]), "names: expected the shape of matrix"),
        (lambda ax: plot.reliability_diagram(ax, Y_TRUE, Y_SCORE + 1), "y_prob: expected probabilities from 0 to 1"),
        (lambda ax: plot.reliability_diagram(ax, Y_TRUE, Y_SCORE, n_bins=0), "n_bins: "),
        (
            lambda ax: plot.reliability_diagram(ax, [0, 1], [0, 1], confidence_level=0.9, sample_weight=[1, 1]),
            "confidence_level: expected None where samples are weighted, got 0.9",
        ),
        (lambda ax: plot.reliability_diagram(ax, [0, 1], [0, 1], confidence_level=2), "confidence_level: "),
        (lambda ax: plot.intervals(ax, {}), "results: expected at least one interval, got none"),
        (lambda ax: plot.intervals(ax, {"a": (1, 2)}), "results\\['a'\\]: expected a value, the low end"),
        (lambda ax: plot.intervals(ax, {"a": (1, 2, 1)}), "results\\['a'\\]: expected a value, the low end"),
        (lambda ax: plot.intervals(ax, {"a": (1, 2, np.nan)}), "results\\['a'\\]: "),
        (lambda ax: plot.paired_differences(ax, [1, 2], [1]), "b: "),
        (lambda ax: plot.fbeta_contours(ax, -1), "beta: "),
        (lambda ax: plot.fbeta_contours(ax, 10**400), "beta: "),
    ],
)
def test_bad_input_is_refused_by_name(ax, draw, message):
    with pytest.raises(ValueError, match=message):
        draw(ax)
