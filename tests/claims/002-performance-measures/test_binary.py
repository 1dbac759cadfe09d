"""What book/002-performance-measures/binary.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np
import sympy

from metrics_lib import ConfusionCounts, accuracy_score, auc, break_even_point, roc_auc_score, roc_curve, zero_one_loss
from tests.claims.runner import holds, proved, section, unchecked


@section("002-binary")
def test_the_opening(score, spam):
    holds("A spam filter has given scores to nine messages, of which four are spam")
    assert len(spam) == len(score) == 9 and spam.sum() == 4 and (np.diff(score) <= 0).all()
    holds("Four messages share the score 7.")
    assert (score == 7).sum() == 4
    holds("with ties, the last two differ from the area that software computes")
    assert (
        math.isclose(roc_auc_score(spam, score), 0.8)
        and np.mean(np.greater.outer(score[spam == 1], score[spam == 0])) == 0.7
    )


@section("002-binary-accuracy")
def test_error_rate_and_accuracy(guess, spam):
    holds("Two of the nine predictions are wrong, and seven are right.")
    assert (guess != spam).sum() == 2 and zero_one_loss(spam, guess) == 2 / 9 and accuracy_score(spam, guess) == 7 / 9
    holds("It prints both correctly")
    for n_classes in (2, 3, 4):
        for true in itertools.product(range(n_classes), repeat=4):
            err = sum(one != other for one, other in zip(true, (0, 1, 1, n_classes - 1), strict=True)) / 4
            assert zero_one_loss(true, (0, 1, 1, n_classes - 1)) == err
            assert accuracy_score(true, (0, 1, 1, n_classes - 1)) == 1 - err


@section("002-binary-cells")
def test_the_confusion_matrix(engines):
    useless, fair = engines.values()
    assert useless.tp + useless.fn == fair.tp + fair.fn == 10 and useless.tn + 10 == fair.tn + 15 == 1_000_000
    holds("One engine returns no page, and another returns 10 pages, of which 5 are right.")
    assert (useless.tp + useless.fp, fair.tp + fair.fp, fair.tp) == (0, 10, 5)
    holds("and cannot tell a useless engine from a fair one")
    assert useless.accuracy == fair.accuracy == 0.99999
    holds("Precision and recall do not contain true negatives, so they can.")
    assert all(
        (c.precision, c.recall) == (5 / 10, 5 / 10) for c in (ConfusionCounts(5, 5, 5, tn) for tn in (0, 1, 10**6))
    )


@section("002-binary-pr")
def test_the_p_r_curve(cells, score, spam):
    holds("As the threshold falls, recall rises or stays the same.")
    for truth_of_7 in filter(any, itertools.product([0, 1], repeat=7)):
        reached = roc_curve(truth_of_7, [9, 7, 7, 7, 5, 5, 1], drop_intermediate=False) if not all(truth_of_7) else None
        assert reached is None or ((np.diff(reached.thresholds) < 0).all() and (np.diff(reached.tpr) >= 0).all())
    holds("Precision can rise or fall, and here it falls to 0.6 with the tied messages, and rises again at 6")
    assert [cells[t].precision for t in (9, 7, 6)] == [1, 0.6, 4 / 6] and spam[score == 6].all()


@section("002-binary-bep")
def test_the_break_even_point(cells, firsts, mean, score, spam):
    proved("Both rates have the same numerator")
    for tp, fp, fn in itertools.product(range(1, 7), range(6), range(6)):
        assert (Fraction(tp, tp + fp) == Fraction(tp, tp + fn)) == (fp == fn)
    holds("as many messages are called spam as are spam, which here is four")
    assert spam.sum() == 4
    holds("call 1, 5, 6, 7, 8 or 9 messages spam", "So no threshold has a break-even point.")
    assert [c.tp + c.fp for c in cells.values()] == [1, 5, 6, 7, 8, 9] and all(
        c.precision != c.recall for c in cells.values()
    )
    holds("If you sort the messages and count the first four, you get 1/2 or 3/4")
    assert set(firsts) == {Fraction(1, 2), Fraction(3, 4)} and len(firsts) == 24
    holds(
        "The library takes the mean over all orders",
        "The mean of 5/8, or 0.625, does not depend on how the rows are sorted.",
    )
    for seed in range(20):
        rows_as = np.random.default_rng(seed).permutation(9)
        assert break_even_point(spam[rows_as], score[rows_as]) == 5 / 8
    assert mean == Fraction(5, 8) == Fraction(break_even_point(spam, score))
    for first, *behind in filter(any, itertools.product([0, 1], repeat=5)):
        n_pos = first + sum(behind)
        of_orders = [sum((first, *some)[:n_pos]) / n_pos for some in itertools.permutations(behind)]
        assert math.isclose(np.mean(of_orders), break_even_point([first, *behind], [9, 7, 7, 7, 7]))


@section("002-binary-fbeta")
def test_f1_and_f_beta(P, R, at_5, rows):
    holds("are harmonic means of P and R")
    for weight, tp, fp, fn in itertools.product((0.5, 1, 2), range(1, 5), range(5), range(5)):
        one = ConfusionCounts(tp, fp, fn, 0)
        assert math.isclose(1 / one.fbeta(weight), (1 / one.precision + weight**2 / one.recall) / (1 + weight**2))
        holds("above 1 recall has more influence, and below 1 precision")
        assert (one.fbeta(weight) - one.f1) * (one.recall - one.precision) * (weight - 1) >= -1e-12
    holds("At the threshold 5, recall is the greater of the two.", "It does.")
    assert (P, R) == (2 / 3, 1) and [f for _, f, _ in rows] == sorted(f for _, f, _ in rows)
    assert all(math.isclose(f, value) for _, f, value in rows)
    holds("it has four times the weight of precision")
    assert math.isclose(1 / at_5.fbeta(2), (1 / P + 4 / R) / 5)


@section("002-binary-roc")
def test_the_roc_curve(fpr, thresholds, tpr):
    holds("At the threshold 7 both rates rise at once, FPR by 2/5 and TPR by 1/2, because of the tie.")
    assert thresholds[2] == 7 and np.allclose([np.diff(fpr)[1], np.diff(tpr)[1]], [2 / 5, 1 / 2])


@section("002-binary-integral")
def test_auc_the_integral_and_its_limits(area, fpr, thresholds, tpr):
    holds("FPR grows from 0 to 1, so the integral runs from left to right under the curve")
    assert (np.diff(thresholds) < 0).all() and (np.diff(fpr) >= 0).all() and (fpr[0], fpr[-1]) == (0, 1)
    holds("With the limits exchanged, the area would be negative.")
    assert (np.diff(fpr[::-1]) <= 0).all() and math.isclose(area(fpr[::-1], tpr[::-1]), -0.8)
    assert math.isclose(area(fpr, tpr), auc(fpr, tpr)) and math.isclose(area(fpr, tpr), 0.8)


@section("002-binary-pairs")
def test_auc_the_pairs(even, score, spam, won):
    holds("The sum with the halves agrees with the area; the printed one is too low by half the share of tied pairs.")
    assert won.size == 20 == 4 * 5 and (won.sum(), even.sum()) == (14, 4)
    assert (
        won.mean() == 0.7
        and math.isclose((won + even / 2).mean(), 0.8)
        and math.isclose(roc_auc_score(spam, score), 0.8)
    )


@section("002-binary-pairs")
def test_auc_the_pairs_2(fpr, score, spam, tpr):
    holds("It belongs to the curve that draws each tie in the worst order, with all negatives first")
    for is_pos in map(np.array, itertools.product([0, 1], repeat=5)):
        if 0 < is_pos.sum() < 5:
            graded = np.array([3, 2, 2, 2, 1])
            strict = np.greater.outer(graded[is_pos == 1], graded[is_pos == 0]).mean()
            assert math.isclose(roc_auc_score(is_pos, graded - 0.1 * is_pos), strict)
    holds("Three ways to draw a tie")
    assert np.allclose([roc_auc_score(spam, score + nudge * spam) for nudge in (0, 0.1, -0.1)], [0.8, 0.9, 0.7])
    holds("All three curves coincide except over FPR 0 to 0.4")
    for nudge in (0.1, -0.1):
        other_fpr, other_tpr = roc_curve(spam, score + nudge * spam)[:2]
        across = np.linspace(0.4001, 1, 50)
        assert np.allclose(np.interp(across, other_fpr, other_tpr), np.interp(across, fpr, tpr))
    assert np.allclose(fpr[1:3], [0, 0.4])
    holds("one score to all messages has the area 0, like a filter that ranks all spam last")
    flat = np.ones(9)
    assert np.greater.outer(flat[spam == 1], flat[spam == 0]).mean() == 0 == roc_auc_score(spam, 1 - spam)
    assert roc_auc_score(spam, flat) == 1 / 2


@section("002-binary-pairs")
def test_auc_the_pairs_3(estimates, labels, samples, score, spam, truth, won):
    holds("It is right if the pair is drawn from these nine messages.")
    assert math.isclose(sum(1 / 20 for a in score[spam == 1] for b in score[spam == 0] if a > b), won.mean())
    holds("the AUC of nine messages is an estimate, and a rough one")
    assert abs(np.mean(estimates) - truth) < 0.02 and min(estimates) < 0.3 and max(estimates) == 1
    holds(
        "We draw 500 samples of nine scores from two normal distributions whose means differ by one standard deviation"
    )
    assert samples.shape == (500, 9) and set(labels) == {0, 1}
    assert math.isclose(truth, sympy.N((1 + sympy.erf(sympy.Rational(1, 2))) / 2))


@section("Exercises")
def test_exercises(falling, orders, rows):
    holds("The break-even point depends on the first four messages alone.")
    for spots in itertools.combinations(range(9), 4):
        in_order = [int(i in spots) for i in range(9)]
        assert break_even_point(in_order, falling) == sum(in_order[:4]) / 4
    holds(
        "So let one order have three spam messages there and the fourth at the very end",
        "two at the top and the other two just behind the first four",
    )
    assert (sum(orders[0][:4]), orders[0][8], orders[1][:6]) == (3, 1, [1, 1, 0, 0, 1, 1])
    holds("the orders of four spam messages and five others")
    assert all(sum(one) == 4 and len(one) == 9 for one in orders)
    holds("The first order wins by the break-even point and loses by AUC.")
    assert rows[0][1] > rows[1][1] and rows[0][2] < rows[1][2]


@section("Exercises")
def test_exercises_2(area, labels, samples):
    holds(
        r"The two areas together fill the unit square, so the integral is $1 - \mathrm{AUC}$",
        "exchanging the limits changes its sign",
    )
    for one_sample in samples[:100]:
        across, up = roc_curve(labels, one_sample)[:2]
        assert math.isclose(area(up, across), 1 - area(across, up), abs_tol=1e-12)
        assert math.isclose(area(up[::-1], across[::-1]), -area(up, across), abs_tol=1e-12)


@section("Exercises")
def test_exercises_3(beta, p):
    holds("A weighted mean of two equal numbers is that number, whatever the weights.")
    assert all(math.isclose(share * 0.3 + (1 - share) * 0.3, 0.3) for share in np.linspace(0, 1, 11))
    holds(r"for every $\beta$", "Every beta agrees")
    assert sympy.simplify((1 + beta**2) * p * p / (beta**2 * p + p)) == p
    assert all(math.isclose(ConfusionCounts(3, 1, 1, 4).fbeta(weight), 0.75) for weight in (0.1, 1, 10))


@section("002-binary")
def test_unchecked_the_opening():
    unchecked("prints a formula for each measure of two classes, and no number", "what stands in the document")


@section("002-binary-accuracy")
def test_unchecked_error_rate_and_accuracy():
    unchecked("the most common measures of classification, for two classes and for several", "the document says so")


@section("002-binary-cells")
def test_unchecked_the_confusion_matrix():
    unchecked("probably a picture was lost", "the copy does not say")
    unchecked("care more about precision and recall than about accuracy", "what a field cares about")


@section("002-binary-integral")
def test_unchecked_auc_the_integral_and_its_limits():
    unchecked("common in the many applications where the order itself matters", "the document says so")
    unchecked("Three of them are readers' ratings of medical images", "the fields")


@section("002-binary-pairs")
def test_unchecked_auc_the_pairs():
    unchecked("The document prints both without the two terms", "see the registry of formulas")


@section("Exercises")
def test_unchecked_exercises():
    unchecked("has the higher AUC", "the false statement of the task")
