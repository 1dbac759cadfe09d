"""Exercises on labels: precision, recall and F1; macro and micro F1; Cohen's kappa."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from metrics_book.practice._engine import Approach, Array, Case, Exercise, Factor, Mistake, ratio
from metrics_lib.classification import (
    Average,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    precision_score,
    recall_score,
)

Three = tuple[float, float, float]


# ---- precision, recall, F1 --------------------------------------------------------------------------------------


def precision_recall_f1(y_true: Array, y_pred: Array) -> Three:
    precision, recall, f1 = (
        float(score(y_true, y_pred, zero_division=0)) for score in (precision_score, recall_score, f1_score)
    )
    return precision, recall, f1


def three_by_counting(y_true: Array, y_pred: Array) -> Three:
    tp = fp = fn = 0
    for true, predicted in zip(y_true, y_pred, strict=True):
        if predicted == 1 and true == 1:
            tp += 1
        elif predicted == 1:
            fp += 1
        elif true == 1:
            fn += 1
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    f1 = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0
    return precision, recall, f1


def three_by_masks(y_true: Array, y_pred: Array) -> Three:
    tp = int(((y_true == 1) & (y_pred == 1)).sum())
    precision = tp / max((y_pred == 1).sum(), 1)
    recall = tp / max((y_true == 1).sum(), 1)
    f1 = 2 * precision * recall / (precision + recall) if tp else 0.0
    return float(precision), float(recall), float(f1)


def _cells(y_true: Array, y_pred: Array) -> tuple[int, int, int, int]:
    """TP, FP, FN, TN."""
    tp, fp, fn, tn = (int(((y_true == t) & (y_pred == p)).sum()) for t, p in ((1, 1), (0, 1), (1, 0), (0, 0)))
    return tp, fp, fn, tn


Cells = tuple[int, int, int, int]
Rate = Callable[[int, int, int, int], float]


def precision_recall_f1_as(
    y_true: Array,
    y_pred: Array,
    *,
    positive: int = 1,
    first: tuple[Rate, bool] | None = None,
    second: tuple[Rate, bool] | None = None,
    third: Callable[..., float] | None = None,
    zero: tuple[float | None, float | None, bool] = (0.0, 0.0, False),
    order: tuple[int, ...] = (0, 1, 2),
) -> list[float]:
    """The three numbers with one replaced by another, of TP, FP, FN and TN; whether F1 is made of it, too.

    ``zero`` is what 0/0 gives in the two rates and in F1, None to raise; whether F1 is made of the rates.
    """
    tp, fp, fn, tn = _cells(1 * (y_true == positive), 1 * (y_pred == positive))

    def over(part: float, whole: float, at_zero: float | None) -> float:
        return part / whole if at_zero is None else ratio(part, whole, at_zero)

    of_rates, of_f1, made_of_rates = zero
    precision = first[0](tp, fp, fn, tn) if first else over(tp, tp + fp, of_rates)
    recall = second[0](tp, fp, fn, tn) if second else over(tp, tp + fn, of_rates)
    made_of_rates = made_of_rates or any(replaced and replaced[1] for replaced in (first, second))
    if made_of_rates:
        f1 = over(2 * precision * recall, precision + recall, of_f1)
    else:
        f1 = over(2 * tp, 2 * tp + fp + fn, of_f1)
    values = precision, recall, third(precision, recall, tp, fp, fn, tn) if third else f1
    return [values[place] for place in order]


def _accuracy(tp: int, fp: int, fn: int, tn: int) -> float:
    return (tp + tn) / (tp + fp + fn + tn)


def _instead(rate: Rate) -> list[tuple[Rate, bool]]:
    return [(rate, False), (rate, True)]


def _f_beta(beta: float) -> Callable[..., float]:
    weight = beta**2
    return lambda p, r, tp, fp, fn, tn: ratio((1 + weight) * tp, (1 + weight) * tp + fp + weight * fn, 0)


def _mcc(precision: float, recall: float, tp: int, fp: int, fn: int, tn: int) -> float:
    return ratio(tp * tn - fp * fn, math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)), 0)


def _equal_as_hits(y_true: Array, y_pred: Array) -> Three:
    tp, fp, fn, tn = _cells(y_true, y_pred)
    precision, recall = ratio(tp + tn, tp + fp, 0), ratio(tp + tn, tp + fn, 0)
    return precision, recall, ratio(2 * precision * recall, precision + recall, 0)


def _averaged(average: Average) -> Callable[[Array, Array], Three]:
    def three(y_true: Array, y_pred: Array) -> Three:
        scores = (precision_score, recall_score, f1_score)
        p, r, f = (float(s(y_true, y_pred, average=average, zero_division=0)) for s in scores)
        return p, r, f

    return three


def _with_epsilon(eps: float) -> tuple[Callable[[Array, Array], Three], ...]:
    """Denominators with something added: F1 from the two rates, with and without it, and F1 from counts."""

    def three(f1: Callable[[float, float, Array], float]) -> Callable[[Array, Array], Three]:
        def with_eps(y_true: Array, y_pred: Array) -> Three:
            tp, fp, fn, _ = _cells(y_true, y_pred)
            precision, recall = tp / (tp + fp + eps), tp / (tp + fn + eps)
            return precision, recall, f1(precision, recall, np.array([tp, fp, fn]))

        return with_eps

    return (
        three(lambda p, r, cells: 2 * p * r / (p + r + eps)),
        three(lambda p, r, cells: ratio(2 * p * r, p + r, 0)),
        three(lambda p, r, cells: 2 * cells[0] / (cells[0] + cells.sum() + eps)),
    )


_rng = np.random.default_rng(3)
_TRUE = (_rng.random(300) < 0.2).astype(int)
_PRED = np.where(_rng.random(300) < 0.75, _TRUE, 1 - _TRUE)

PRECISION_RECALL_F1 = Exercise(
    name="precision_recall_f1",
    title="precision, recall and F1 (精确率、召回率、F1 值)",
    task=(
        "y_true and y_pred hold the true and the predicted labels, 0 or 1, and 1 is the positive class.",
        "Return three numbers in this order: precision, recall, F1.",
        "0/0: each of the three is 0 where its own denominator is 0: precision without a predicted positive, recall "
        "without a true one, F1 = 2 TP / (2 TP + FP + FN) without either. It is 0 wherever no positive is found.",
    ),
    reference=precision_recall_f1,
    cases=(
        Case(
            "eight rows",
            "Three positives are found, one alarm is false, two positives are missed.",
            ([1, 1, 1, 0, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0]),
        ),
        Case(
            "one positive in ten",
            "With rare positives the nine negatives must not help.",
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
        ),
        Case("everything right", "All three are 1.", ([1, 0, 1, 0, 0], [1, 0, 1, 0, 0])),
        Case(
            "everything predicted positive",
            "Recall is 1 at no merit; precision is the share of positives.",
            ([1, 0, 0, 0, 1], [1, 1, 1, 1, 1]),
        ),
        Case(
            "nothing predicted positive",
            "Precision is 0/0; recall and F1 are 0 all the same.",
            ([1, 0, 1, 0], [0, 0, 0, 0]),
        ),
        Case("no positive exists", "Recall is 0/0; precision and F1 are 0.", ([0, 0, 0], [0, 1, 0])),
        Case("no positive on either side", "All three are 0/0.", ([0, 0, 0], [0, 0, 0])),
        Case(
            "no hit",
            "Precision and recall are 0, and their harmonic mean is 0 and no error.",
            ([1, 0, 1, 0], [0, 1, 0, 1]),
        ),
        Case("300 rows", "Few positives, and many rows that are misjudged.", (_TRUE, _PRED)),
    ),
    hints=(
        "Three counts are enough: true positives, false positives, false negatives.",
        "Precision divides by what you predicted positive, recall by what is positive.",
        "F1 = 2 TP / (2 TP + FP + FN) needs no precision and no recall, so it survives where one of them is 0/0.",
    ),
    approaches=(
        Approach(
            three_by_counting,
            "Count three of the four cells in one pass and divide.",
            "O(n) time, O(1) memory",
            "a loop in Python: slow for millions of rows",
        ),
        Approach(
            three_by_masks,
            "Compare whole arrays; a denominator of 0 is replaced by 1, because the numerator is 0 then.",
            "O(n) time and memory, no loop in Python",
            "the trick with the denominator gives 0 for 0/0 and nothing else",
        ),
    ),
    model=precision_recall_f1_as,
    factors=(
        Factor("positive", {"the positive class is 0 here; the task says 1.": 0}),
        Factor(
            "first",
            {
                "accuracy stands in the place of precision: it counts true negatives, too.": _instead(_accuracy),
                "the first number is FP / (TP + FP), the false discovery rate, 1 - precision.": _instead(
                    lambda tp, fp, fn, tn: ratio(fp, tp + fp, 0)
                ),
                "precision is divided by the number of all rows; its denominator is TP + FP.": _instead(
                    lambda tp, fp, fn, tn: tp / (tp + fp + fn + tn)
                ),
                "both rates divide by TP + FN: the first one is recall, too; precision divides by TP + FP.": _instead(
                    lambda tp, fp, fn, tn: ratio(tp, tp + fn, 0)
                ),
                "precision divides by TP + TN; its denominator is TP + FP.": _instead(
                    lambda tp, fp, fn, tn: ratio(tp, tp + tn, 0)
                ),
                "the first number is TN / (TN + FN), the precision of the negatives.": _instead(
                    lambda tp, fp, fn, tn: ratio(tn, tn + fn, 0)
                ),
            },
        ),
        Factor(
            "second",
            {
                "the second number is specificity, the recall of the negatives.": _instead(
                    lambda tp, fp, fn, tn: ratio(tn, tn + fp, 0)
                ),
                "the second number is FN / (TP + FN), the miss rate, 1 - recall.": _instead(
                    lambda tp, fp, fn, tn: ratio(fn, tp + fn, 0)
                ),
                "recall is divided by the number of all rows; its denominator is TP + FN.": _instead(
                    lambda tp, fp, fn, tn: tp / (tp + fp + fn + tn)
                ),
                "both rates divide by TP + FP: the second one is precision, too; recall divides by TP + FN.": _instead(
                    lambda tp, fp, fn, tn: ratio(tp, tp + fp, 0)
                ),
                "recall divides by TP + TN; its denominator is TP + FN, all positives.": _instead(
                    lambda tp, fp, fn, tn: ratio(tp, tp + tn, 0)
                ),
                "the second number is FP / (FP + TN), the false positive rate; recall is TP / (TP + FN).": _instead(
                    lambda tp, fp, fn, tn: ratio(fp, fp + tn, 0)
                ),
            },
        ),
        Factor(
            "third",
            {
                "F1 is the arithmetic mean of precision and recall here; it is their harmonic mean.": (
                    lambda p, r, *cells: (p + r) / 2
                ),
                "F1 is the geometric mean of precision and recall here; it is their harmonic mean.": (
                    lambda p, r, *cells: math.sqrt(p * r)
                ),
                "brackets are missing: 2 * P * R / P + R is 3 R; write 2 * P * R / (P + R).": [
                    lambda p, r, *cells: ratio(2 * p * r, p, 0) + r,
                    lambda p, r, *cells: ratio(2 * p * r, p, 0) + r if p + r else 0.0,
                ],
                "F1 lacks the factor 2.": (lambda p, r, *cells: ratio(p * r, p + r, 0)),
                "F1 is upside down here: it is 2 P R / (P + R).": [
                    lambda p, r, *cells: ratio(2 * (p + r), p * r, 0),
                    lambda p, r, *cells: ratio(p + r, 2 * p * r, 0),
                    lambda p, r, *cells: ratio(p + r, p * r, 0),
                ],
                "the third number is the product of precision and recall, not their harmonic mean.": (
                    lambda p, r, *cells: p * r
                ),
                "the third number is the smaller of precision and recall, not their harmonic mean.": (
                    lambda p, r, *cells: min(p, r)
                ),
                "accuracy stands in the place of F1: it counts true negatives, too.": (
                    lambda p, r, *cells: _accuracy(*cells)
                ),
                "the third number is F2, which weights recall more; F1 weights both the same.": _f_beta(2),
                "the third number is F0.5, which weights precision more; F1 weights both the same.": _f_beta(0.5),
                "the third number is TP / (TP + FP + FN), the Jaccard index; F1 counts TP twice.": (
                    lambda p, r, tp, fp, fn, tn: ratio(tp, tp + fp + fn, 0)
                ),
                "F1 is 2 TP / (TP + FP + FN) here, up to 2; below the line TP counts twice as well.": (
                    lambda p, r, tp, fp, fn, tn: ratio(2 * tp, tp + fp + fn, 0)
                ),
                "the third number is Matthews' correlation coefficient, not F1.": _mcc,
            },
        ),
        Factor(
            "zero",
            {
                "0/0 is not handled: the task asks for 0 where a denominator is 0.": [
                    (None, None, True),
                    (math.nan, math.nan, False),
                    (math.nan, math.nan, True),
                    (0, math.nan, True),
                    (0, None, True),
                ],
                "0/0 gives 1 here; the task asks for 0.": [(1, 1, False), (1, 1, True), (1, 0, True)],
            },
        ),
        Factor(
            "order",
            {
                "precision and recall are swapped: precision divides by the predicted positives.": (1, 0, 2),
                "the three numbers are right and stand in the wrong order; it is precision, recall, F1.": [
                    (0, 2, 1),
                    (1, 2, 0),
                    (2, 0, 1),
                    (2, 1, 0),
                ],
            },
        ),
    ),
    singular=(
        Mistake(
            "rows in which both labels are equal are taken as hits; those of two zeros are true negatives.",
            (_equal_as_hits,),
        ),
        Mistake(
            "this is the mean over both classes (macro); the task asks for the positive class.", (_averaged("macro"),)
        ),
        Mistake(
            "this is the mean over both classes weighted by their rows; the task asks for the positive class.",
            (_averaged("weighted"),),
        ),
        Mistake(
            "a small number is added to the denominators; ask whether they are 0 instead.",
            tuple(variant for power in range(3, 10) for variant in _with_epsilon(10.0**-power)),
        ),
    ),
)


# ---- macro and micro F1 -----------------------------------------------------------------------------------------

Two = tuple[float, float]


def macro_micro_f1(y_true: Array, y_pred: Array) -> Two:
    macro, micro = (float(f1_score(y_true, y_pred, average=a, zero_division=0)) for a in ("macro", "micro"))
    return macro, micro


def two_by_counting(y_true: Array, y_pred: Array) -> Two:
    tp: Counter[object] = Counter()
    fp: Counter[object] = Counter()
    fn: Counter[object] = Counter()
    for true, predicted in zip(y_true.tolist(), y_pred.tolist(), strict=True):
        if true == predicted:
            tp[true] += 1
        else:
            fp[predicted] += 1
            fn[true] += 1
    labels = set(tp) | set(fp) | set(fn)
    f1 = [2 * tp[c] / (2 * tp[c] + fp[c] + fn[c]) for c in labels]
    hits, wrong = sum(tp.values()), sum(fp.values()) + sum(fn.values())
    return sum(f1) / len(f1), 2 * hits / (2 * hits + wrong)


def two_by_matrix(y_true: Array, y_pred: Array) -> Two:
    labels, codes = np.unique(np.r_[y_true, y_pred], return_inverse=True)
    true, predicted = np.split(codes, 2)
    matrix = np.zeros((len(labels), len(labels)))
    np.add.at(matrix, (true, predicted), 1)
    tp = np.diag(matrix)
    f1 = 2 * tp / (matrix.sum(axis=0) + matrix.sum(axis=1))
    return float(f1.mean()), float(tp.sum() / matrix.sum())


def _f1(tp: int, fp: int, fn: int, tn: int = 0) -> float:
    return ratio(2 * tp, 2 * tp + fp + fn, 0)


def _precision(tp: int, fp: int, fn: int, tn: int) -> float:
    return ratio(tp, tp + fp, 0)


def _recall(tp: int, fp: int, fn: int, tn: int) -> float:
    return ratio(tp, tp + fn, 0)


def _jaccard(tp: int, fp: int, fn: int, tn: int) -> float:
    return ratio(tp, tp + fp + fn, 0)


def _unguarded(tp: int, fp: int, fn: int, tn: int) -> float:
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    return 2 * precision * recall / (precision + recall)


Macro = Callable[[list[float], list[Cells]], float]
Summed = Callable[[list[Cells], list[float]], float]


def two_as(
    y_true: Array,
    y_pred: Array,
    *,
    labels: tuple[Callable[[set[Any], set[Any]], set[Any]], bool] = (set.union, False),
    score: Rate = _f1,
    macro: Macro = lambda scores, cells: float(np.mean(scores)) if scores else 0.0,
    micro: Summed = lambda cells, f1s: _f1(*map(sum, zip(*cells, strict=True))),
    order: int = 1,
) -> tuple[float, ...]:
    """The mean of a score over some labels, and the F1 of the summed counts of all labels, or of these."""
    true, predicted = set(y_true.tolist()), set(y_pred.tolist())
    tallies = [_cells(1 * (y_true == c), 1 * (y_pred == c)) for c in sorted(true | predicted)]
    kept = [_cells(1 * (y_true == c), 1 * (y_pred == c)) for c in sorted(labels[0](true, predicted))]
    micro_value = micro(kept if labels[1] else tallies, [_f1(*cells) for cells in tallies])
    return (macro([score(*cells) for cells in kept], kept), micro_value)[::order]


def _harmonic(one: float, other: float) -> float:
    return ratio(2 * one * other, one + other, 0)


def _f1_of_means(scores: list[float], cells: list[Cells]) -> float:
    return _harmonic(*(float(np.mean([rate(*each) for each in cells])) for rate in (_precision, _recall)))


def _weighted(scores: list[float], cells: list[Cells]) -> float:
    return float(np.average(scores, weights=[tp + fn for tp, _, fn, _ in cells]))


def _hits_only(scores: list[float], cells: list[Cells]) -> float:
    return float(np.mean([score for score in scores if score > 0] or [0.0]))


def _numbered(true: set[Any], predicted: set[Any]) -> set[Any]:
    """The labels 0, 1, ..., up to the greatest, whether they occur or not."""
    return set(range(max(true | predicted) + 1))


def _labels(of: Callable[[set[Any], set[Any]], set[Any]]) -> list[tuple[Any, bool]]:
    return [(of, False), (of, True)]


_TRUE_OF_MANY = _rng.choice(5, 400, p=[0.5, 0.25, 0.15, 0.07, 0.03])
_PRED_OF_MANY = np.where(_rng.random(400) < 0.6, _TRUE_OF_MANY, _rng.integers(0, 5, 400))

MACRO_MICRO_F1 = Exercise(
    name="macro_micro_f1",
    title="macro and micro F1 (宏 F1、微 F1)",
    task=(
        "y_true and y_pred hold the true and the predicted labels of more than one class, numbers or strings.",
        "Return two numbers in this order: macro F1, micro F1.",
        "Macro F1 is the mean of the F1s of all labels that occur in y_true or in y_pred, each label counting the "
        "same.",
        "Micro F1 is the F1 of the counts TP, FP and FN summed over the labels.",
        "0/0: the F1 of a label is 2 TP / (2 TP + FP + FN), whose denominator is never 0 for a label that occurs.",
    ),
    reference=macro_micro_f1,
    cases=(
        Case(
            "three classes",
            "Each label's F1 counts the same in the macro average.",
            ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]),
        ),
        Case(
            "a rare class",
            "Macro sees the class that is never found, micro hardly does.",
            ([0, 0, 0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]),
        ),
        Case(
            "a class that is only predicted",
            "Its F1 is 0 and counts: every prediction of it is wrong.",
            ([0, 0, 1, 1], [0, 2, 1, 1]),
        ),
        Case(
            "a class that is never predicted",
            "Its F1 is 0 and counts.",
            ([0, 0, 1, 2, 2], [0, 0, 1, 1, 0]),
        ),
        Case(
            "labels that are strings",
            "Labels are names; nothing is calculated with them.",
            (["cat", "dog", "dog", "cow", "cat"], ["cat", "dog", "cat", "cow", "cow"]),
        ),
        Case(
            "labels with gaps",
            "A label that does not occur is no class.",
            ([3, 3, 7, 9, 9, 9], [3, 7, 7, 9, 9, 3]),
        ),
        Case("everything right", "Both are 1.", ([0, 1, 2, 1], [0, 1, 2, 1])),
        Case("nothing right", "Both are 0, and that is no error.", ([0, 1, 2], [1, 2, 0])),
        Case("400 rows, five classes", "Frequent classes are easy, rare ones are not.", (_TRUE_OF_MANY, _PRED_OF_MANY)),
    ),
    hints=(
        "Count TP, FP and FN for each label against all others. A wrong prediction is a false positive of one label "
        "and a false negative of another.",
        "Macro: an F1 for each label first, then the plain mean. Micro: sum the counts first, then one F1.",
        "With one label per row every error is one FP and one FN, so micro F1 equals accuracy: check yourself by it.",
    ),
    approaches=(
        Approach(
            two_by_counting,
            "One pass with three counters; a wrong row adds to two of them.",
            "O(n) time, O(c) memory for c classes",
            "a loop in Python: slow for millions of rows",
        ),
        Approach(
            two_by_matrix,
            "Number the labels, fill the confusion matrix; F1 is twice the diagonal over row sum plus column sum.",
            "O(n log n + c^2) time, O(n + c^2) memory",
            "tens of thousands of classes make a matrix too large",
        ),
    ),
    model=two_as,
    factors=(
        Factor(
            "labels",
            {
                "labels that are predicted but never true are left out; their F1 is 0 and counts.": _labels(
                    lambda true, predicted: true
                ),
                "labels that are true but never predicted are left out; their F1 is 0 and counts.": _labels(
                    lambda true, predicted: predicted
                ),
                "labels that occur on one side only are left out; their F1 is 0 and counts.": _labels(set.intersection),
                "the first label is left out, as if it were no class.": _labels(
                    lambda true, predicted: set(sorted(true | predicted)[1:])
                ),
                "the labels 0 to the greatest are averaged, those too that do not occur.": _labels(_numbered),
            },
        ),
        Factor(
            "score",
            {
                "the first number is the mean recall of the labels, not their mean F1.": _recall,
                "the first number is the mean precision of the labels, not their mean F1.": _precision,
                "the first number is the mean of TP / (TP + FP + FN), the Jaccard index; F1 counts TP twice.": _jaccard,
                "the F1 of a label is the arithmetic mean of precision and recall here; it is the harmonic one.": (
                    lambda *cells: (_precision(*cells) + _recall(*cells)) / 2
                ),
                "the F1 of a label lacks the factor 2.": (lambda *cells: _f1(*cells) / 2),
                "the first number is the mean accuracy of the labels: it counts true negatives, too.": _accuracy,
                "0/0 is not handled: where a label has no hit, precision and recall cannot give its F1, which is 0.": [
                    _unguarded,
                    lambda *cells: _f1(*cells) or math.nan,
                ],
            },
        ),
        Factor(
            "macro",
            {
                "macro F1 is the F1 of mean precision and mean recall here; take the mean of the F1s.": _f1_of_means,
                "macro F1 is weighted by the rows of each class here; every class counts the same.": _weighted,
                "macro F1 is weighted by how often each class is predicted; every class counts the same.": (
                    lambda scores, cells: float(np.average(scores, weights=[tp + fp for tp, fp, _, _ in cells]))
                ),
                "labels without a hit are left out; their F1 is 0 and counts.": [
                    _hits_only,
                    lambda scores, cells: _hits_only(scores, cells) or math.nan,
                ],
                "the F1s of the labels are added; macro F1 is their mean.": (lambda scores, cells: sum(scores)),
                "the first number is micro F1, too: the counts are summed over the labels.": (
                    lambda scores, cells: _f1(*map(sum, zip(*cells, strict=True)))
                ),
                "the best F1 of a label is taken; macro F1 is their mean.": lambda scores, cells: max(scores),
                "the median of the F1s is taken; macro F1 is their mean.": (
                    lambda scores, cells: float(np.median(scores))
                ),
                "the harmonic mean of the F1s is taken, which one 0 makes 0; macro F1 is their plain mean.": (
                    lambda scores, cells: len(scores) / sum(1 / f1 for f1 in scores) if all(scores) else 0.0
                ),
                "the geometric mean of the F1s is taken, which one 0 makes 0; macro F1 is their plain mean.": (
                    lambda scores, cells: math.prod(scores) ** (1 / len(scores))
                ),
            },
        ),
        Factor(
            "micro",
            {
                "micro is TP / (TP + FP + FN) of the summed counts, the Jaccard index; F1 counts TP twice.": (
                    lambda cells, f1s: _jaccard(*map(sum, zip(*cells, strict=True)))
                ),
                "the second number is the mean recall of the labels; micro F1 sums the counts first.": (
                    lambda cells, f1s: float(np.mean([_recall(*each) for each in cells]))
                ),
                "the second number is the mean precision of the labels; micro F1 sums the counts first.": (
                    lambda cells, f1s: float(np.mean([_precision(*each) for each in cells]))
                ),
                "the second number is macro F1, too: micro F1 sums the counts first.": (
                    lambda cells, f1s: float(np.mean(f1s))
                ),
                "the second number is the F1 of mean precision and mean recall; micro F1 sums the counts first.": (
                    lambda cells, f1s: _f1_of_means(f1s, cells)
                ),
                "the second number is weighted F1; micro F1 sums the counts first.": (
                    lambda cells, f1s: _weighted(f1s, cells)
                ),
                "the micro average counts true negatives of every label: it is the mean accuracy of the labels.": (
                    lambda cells, f1s: float(np.mean([_accuracy(*each) for each in cells]))
                ),
            },
        ),
        Factor("order", {"macro and micro are swapped.": -1}),
    ),
    singular=(
        Mistake(
            "only label 1 counts: this is binary F1.",
            (lambda t, p: 2 * (precision_recall_f1_as(1 * (t == 1), 1 * (p == 1))[2],),),
        ),
    ),
)

# ---- Cohen's kappa ----------------------------------------------------------------------------------------------


def cohen_kappa(y_true: Array, y_pred: Array) -> float:
    return float(cohen_kappa_score(y_true, y_pred)) if len({*y_true.tolist(), *y_pred.tolist()}) > 1 else math.nan


def kappa_by_counting(y_true: Array, y_pred: Array) -> float:
    n, pairs = len(y_true), zip(y_true.tolist(), y_pred.tolist(), strict=True)
    true, predicted = Counter(y_true.tolist()), Counter(y_pred.tolist())
    agreed = sum(t == p for t, p in pairs)
    by_chance = sum(true[label] * predicted[label] for label in true)
    if by_chance == n * n:
        return math.nan
    return float((n * agreed - by_chance) / (n * n - by_chance))


def kappa_by_matrix(y_true: Array, y_pred: Array) -> float:
    labels, codes = np.unique(np.r_[y_true, y_pred], return_inverse=True)
    if len(labels) == 1:
        raise ValueError("one constant on both sides: kappa is 0/0")
    true, predicted = np.split(codes, 2)
    matrix = np.zeros((len(labels), len(labels)))
    np.add.at(matrix, (true, predicted), 1 / len(true))
    chance = matrix.sum(axis=1) @ matrix.sum(axis=0)
    return float((np.trace(matrix) - chance) / (1 - chance))


Shares = dict[Any, float]


def _by_chance(true: Shares, predicted: Shares) -> float:
    return math.fsum(true[label] * predicted[label] for label in true)


def kappa_as(
    y_true: Array,
    y_pred: Array,
    *,
    chance: Callable[[Shares, Shares], float] = _by_chance,
    divisor: Callable[[float, float], float] = lambda agreed, by_chance: 1 - by_chance,
    agreement: Callable[[Array, Array], float] = lambda y_true, y_pred: float(np.mean(y_true == y_pred)),
    scale: Callable[[float], float] = float,
) -> float:
    """Agreement less what chance gives, from the shares of each label, over what it could be at most."""
    labels = {*y_true.tolist(), *y_pred.tolist()}
    true, predicted = ({c: float(np.mean(y == c)) for c in labels} for y in (y_true, y_pred))
    agreed, by_chance = agreement(y_true, y_pred), chance(true, predicted)
    return scale(ratio(agreed - by_chance, divisor(agreed, by_chance))) if len(labels) > 1 else math.nan


def _sum_of_squares(shares: Iterable[float]) -> float:
    return math.fsum(share**2 for share in shares)


def _kappa_of_counts(of_agreed: int, of_chance: int) -> Callable[[Array, Array], float]:
    """Agreements and the sum of products of counts, divided by n too seldom."""

    def kappa(y_true: Array, y_pred: Array) -> float:
        n, true, predicted = len(y_true), Counter(y_true.tolist()), Counter(y_pred.tolist())
        agreed = int((y_true == y_pred).sum()) / n**of_agreed
        by_chance = sum(true[label] * predicted[label] for label in true) / n**of_chance
        return ratio(agreed - by_chance, 1 - by_chance)

    return kappa


def _weighted_kappa(power: int) -> Callable[[Array, Array], float]:
    def kappa(y_true: Array, y_pred: Array) -> float:
        true, predicted = np.split(np.unique(np.r_[y_true, y_pred], return_inverse=True)[1], 2)
        far, by_chance = (np.abs(true - predicted) ** power), np.abs(true[:, None] - predicted) ** power
        return 1 - ratio(far.mean(), by_chance.mean())

    return kappa


def _kappa_of_cells(y_true: Array, y_pred: Array) -> float:
    tp, fp, fn, tn = _cells(y_true, y_pred)
    return ratio(2 * (tp * tn - fn * fp), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


_ONE_RATER = _rng.choice(4, 200, p=[0.55, 0.25, 0.15, 0.05])
_OTHER_RATER = np.where(_rng.random(200) < 0.65, _ONE_RATER, _rng.integers(0, 3, 200))

COHEN_KAPPA = Exercise(
    name="cohen_kappa",
    title="Cohen's kappa (科恩 kappa 系数)",
    task=(
        "y_true and y_pred hold the labels that two raters, or truth and model, gave to the same items: numbers or "
        "strings, two or more classes.",
        "Return one number: (p_o - p_e) / (1 - p_e), where p_o is the share of items on which both agree.",
        "p_e is the agreement that chance alone would give: the sum over the labels of the share of the label in "
        "y_true times its share in y_pred.",
        "Kappa is negative where both agree less often than by chance.",
        "Both sides one and the same constant: the value is 0/0; return nan or raise a ValueError.",
    ),
    reference=cohen_kappa,
    cases=(
        Case(
            "ten items",
            "They agree on 7 of 10 items; chance alone would give 5.",
            ([1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0, 0, 0, 0, 1]),
        ),
        Case(
            "a rare class",
            "They agree on 8 of 10 items, and chance alone would give more: kappa is below 0.",
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]),
        ),
        Case("perfect agreement", "The highest value: 1.", ([0, 1, 2, 1], [0, 1, 2, 1])),
        Case("less than by chance", "They agree on no item: kappa is negative.", ([0, 1, 0, 1], [1, 0, 1, 0])),
        Case(
            "different habits",
            "One says yes twice as often: chance is made of both habits, not of their mean.",
            ([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0]),
        ),
        Case(
            "one side is a constant",
            "Chance gives all the agreement there is: 0, and defined.",
            ([0, 1, 1, 0, 1], [1, 1, 1, 1, 1]),
        ),
        Case(
            "labels on one side only",
            "A label that one side never uses adds nothing to chance, and its items disagree.",
            ([0, 0, 1, 1, 2], [0, 0, 1, 3, 3]),
        ),
        Case(
            "labels that are strings",
            "Labels are names; nothing is calculated with them.",
            (["spam", "ham", "ham", "spam", "ham"], ["spam", "ham", "spam", "ham", "ham"]),
        ),
        Case("two different constants", "No agreement, and none by chance: 0, and defined.", ([0, 0, 0], [1, 1, 1])),
        Case("one constant on both sides", "Chance explains everything: 0/0.", ([1, 1, 1], [1, 1, 1])),
        Case("200 items", "Four labels of different frequency.", (_ONE_RATER, _OTHER_RATER)),
    ),
    hints=(
        "Two shares: how often they agree, and how often two people with these habits would agree by chance.",
        "Chance: for each label multiply its share on one side by its share on the other, and add up.",
        "What is beyond chance, over the most that could be beyond it: (p_o - p_e) / (1 - p_e). Look at p_e = 1 first.",
    ),
    approaches=(
        Approach(
            kappa_by_counting,
            "Three counts in whole numbers; multiplied by n squared, the formula needs no shares.",
            "O(n) time, O(c) memory for c classes",
            "a loop in Python: slow for millions of items",
        ),
        Approach(
            kappa_by_matrix,
            "The confusion matrix as shares: its trace, and the product of its margins.",
            "O(n log n + c^2) time, O(n + c^2) memory",
            "tens of thousands of classes make a matrix too large",
        ),
    ),
    model=kappa_as,
    factors=(
        Factor(
            "chance",
            {
                "chance is 1 over the number of classes here (Bennett's S); it is made of the shares of each label.": (
                    lambda true, predicted: 1 / len(true)
                ),
                "chance is made of the mean shares of both sides (Scott's pi); multiply the two shares of a label.": (
                    lambda true, predicted: _sum_of_squares((true[c] + predicted[c]) / 2 for c in true)
                ),
                "chance is made of the squared shares of y_true; multiply them by those of y_pred.": (
                    lambda true, predicted: _sum_of_squares(true.values())
                ),
                "chance is made of the squared shares of y_pred; multiply them by those of y_true.": (
                    lambda true, predicted: _sum_of_squares(predicted.values())
                ),
                "chance is one half here, as for two labels that are equally frequent.": (lambda true, predicted: 0.5),
                "chance is the share of the most frequent label; it is a sum over all labels.": (
                    lambda true, predicted: max(true.values())
                ),
                "chance is made of label 1 alone; the other labels agree by chance as well.": (
                    lambda true, predicted: true.get(1, 0) * predicted.get(1, 0)
                ),
                "chance is made of the labels 0 and 1 alone; there may be others, and strings.": (
                    lambda true, predicted: sum(true.get(c, 0) * predicted.get(c, 0) for c in (0, 1))
                ),
            },
        ),
        Factor(
            "divisor",
            {
                "p_o - p_e is not divided by 1 - p_e, the most that can be beyond chance.": (
                    lambda agreed, by_chance: 1
                ),
                "p_o - p_e is divided by p_o; divide by 1 - p_e, the most that can be beyond chance.": [
                    lambda agreed, by_chance: agreed,
                    lambda agreed, by_chance: agreed or math.inf,
                ],
                "p_o - p_e is divided by p_e; divide by 1 - p_e, the most that can be beyond chance.": [
                    lambda agreed, by_chance: by_chance,
                    lambda agreed, by_chance: by_chance or math.inf,
                ],
                "p_o - p_e is divided by 1 - p_o; divide by 1 - p_e, the most that can be beyond chance.": [
                    lambda agreed, by_chance: 1 - agreed,
                    lambda agreed, by_chance: 1 - agreed or 1 - by_chance,
                    lambda agreed, by_chance: 1 - agreed or math.inf,
                ],
                "p_o - p_e is divided by 1 + p_e; divide by 1 - p_e, the most that can be beyond chance.": (
                    lambda agreed, by_chance: 1 + by_chance
                ),
            },
        ),
        Factor(
            "scale",
            {
                "a negative value is cut off at 0; kappa is negative where both agree less than by chance.": (
                    lambda kappa: max(kappa, 0.0)
                ),
                "the sign of kappa is lost or wrong: it is p_o less p_e.": [abs, lambda kappa: -kappa],
            },
        ),
        Factor(
            "agreement",
            {
                "p_o counts the items on which both say 1; they agree wherever both say the same.": (
                    lambda y_true, y_pred: float(np.mean((y_true == 1) & (y_pred == 1)))
                ),
            },
        ),
    ),
    nothing="one constant on both sides; chance explains everything",
    singular=(
        Mistake(
            "this is raw agreement, the accuracy: it is not corrected for chance.",
            (
                lambda t, p: float(np.mean(t == p)),
                lambda t, p: float(np.mean(t == p)) if len({*t.tolist(), *p.tolist()}) > 1 else math.nan,
            ),
        ),
        Mistake(
            "this is Matthews' correlation coefficient, which equals kappa only where both sides have the same shares.",
            (lambda t, p: float(matthews_corrcoef(t, p)) if len({*t.tolist(), *p.tolist()}) > 1 else math.nan,),
        ),
        Mistake(
            "this is weighted kappa, for which labels are grades; here every disagreement counts the same.",
            (_weighted_kappa(1), _weighted_kappa(2)),
        ),
        Mistake(
            "this is the formula of the four cells of the labels 0 and 1; there may be others, and strings.",
            (_kappa_of_cells,),
        ),
        Mistake(
            "counts and shares are mixed: divide the agreements by n, and the products of counts by n squared.",
            (_kappa_of_counts(0, 1), _kappa_of_counts(1, 1), _kappa_of_counts(0, 2)),
        ),
    ),
)

EXERCISES = (PRECISION_RECALL_F1, MACRO_MICRO_F1, COHEN_KAPPA)
