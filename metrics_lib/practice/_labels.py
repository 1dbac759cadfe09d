"""Exercises on labels: precision, recall and F1; macro and micro F1."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np

from metrics_lib.classification import Average, f1_score, precision_score, recall_score
from metrics_lib.practice._engine import Approach, Array, Case, Exercise, Mistake, ratio, reordered

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


def _three(tp: int, fp: int, fn: int, zero: float = 0.0) -> Three:
    def over(part: float, whole: float) -> float:
        return part / whole if whole else zero

    return over(tp, tp + fp), over(tp, tp + fn), over(2 * tp, 2 * tp + fp + fn)


def _with_mean(mean: Callable[[float, float], float]) -> Callable[[Array, Array], Three]:
    """F1 replaced by another mean of precision and recall."""

    def three(y_true: Array, y_pred: Array) -> Three:
        precision, recall, _ = precision_recall_f1(y_true, y_pred)
        return precision, recall, mean(precision, recall)

    return three


def _replaced(place: int, value: Callable[[int, int, int, int], float]) -> Callable[[Array, Array], Three]:
    """One of the three numbers replaced by another, of TP, FP, FN and TN."""

    def three(y_true: Array, y_pred: Array) -> Three:
        values = list(precision_recall_f1(y_true, y_pred))
        values[place] = value(*_cells(y_true, y_pred))
        return values[0], values[1], values[2]

    return three


def _f_beta(beta: float) -> Callable[[int, int, int, int], float]:
    weight = beta**2
    return lambda tp, fp, fn, tn: ratio((1 + weight) * tp, (1 + weight) * tp + fp + weight * fn, 0)


def _mcc(tp: int, fp: int, fn: int, tn: int) -> float:
    return ratio(tp * tn - fp * fn, math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)), 0)


def _equal_as_hits(y_true: Array, y_pred: Array) -> Three:
    tp, fp, fn, tn = _cells(y_true, y_pred)
    precision, recall = ratio(tp + tn, tp + fp, 0), ratio(tp + tn, tp + fn, 0)
    return precision, recall, ratio(2 * precision * recall, precision + recall, 0)


def _negative(y_true: Array, y_pred: Array) -> Three:
    return precision_recall_f1(1 - y_true, 1 - y_pred)


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


def _f1_of_rates(y_true: Array, y_pred: Array) -> Three:
    precision, recall, f1 = precision_recall_f1(y_true, y_pred)
    return precision, recall, f1 if precision + recall else math.nan


def _raises(y_true: Array, y_pred: Array) -> Three:
    tp, fp, fn, _ = _cells(y_true, y_pred)
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    return precision, recall, 2 * precision * recall / (precision + recall)


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
    singular=(
        Mistake(
            "precision and recall are swapped: precision divides by the predicted positives.",
            reordered(precision_recall_f1, (1, 0, 2)),
        ),
        Mistake(
            "the three numbers are right and stand in the wrong order; it is precision, recall, F1.",
            reordered(precision_recall_f1, (0, 2, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0)),
        ),
        Mistake(
            "F1 is the arithmetic mean of precision and recall here; it is their harmonic mean.",
            (_with_mean(lambda p, r: (p + r) / 2),),
        ),
        Mistake(
            "F1 is the geometric mean of precision and recall here; it is their harmonic mean.",
            (_with_mean(lambda p, r: math.sqrt(p * r)),),
        ),
        Mistake("F1 lacks the factor 2.", (_with_mean(lambda p, r: ratio(p * r, p + r, 0)),)),
        Mistake("the positive class is 0 here; the task says 1.", (_negative,)),
        Mistake(
            "accuracy stands in the place of precision: it counts true negatives, too.",
            (_replaced(0, lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn)),),
        ),
        Mistake(
            "accuracy stands in the place of F1: it counts true negatives, too.",
            (_replaced(2, lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn)),),
        ),
        Mistake(
            "rows in which both labels are equal are taken as hits; those of two zeros are true negatives.",
            (_equal_as_hits,),
        ),
        Mistake(
            "the first number is FP / (TP + FP), the false discovery rate, 1 - precision.",
            (_replaced(0, lambda tp, fp, fn, tn: ratio(fp, tp + fp, 0)),),
        ),
        Mistake(
            "the second number is specificity, the recall of the negatives.",
            (_replaced(1, lambda tp, fp, fn, tn: ratio(tn, tn + fp, 0)),),
        ),
        Mistake(
            "the second number is FN / (TP + FN), the miss rate, 1 - recall.",
            (_replaced(1, lambda tp, fp, fn, tn: ratio(fn, tp + fn, 0)),),
        ),
        Mistake(
            "the third number is F2, which weights recall more; F1 weights both the same.", (_replaced(2, _f_beta(2)),)
        ),
        Mistake(
            "the third number is F0.5, which weights precision more; F1 weights both the same.",
            (_replaced(2, _f_beta(0.5)),),
        ),
        Mistake(
            "the third number is TP / (TP + FP + FN), the Jaccard index; F1 counts TP twice.",
            (_replaced(2, lambda tp, fp, fn, tn: ratio(tp, tp + fp + fn, 0)),),
        ),
        Mistake("the third number is Matthews' correlation coefficient, not F1.", (_replaced(2, _mcc),)),
        Mistake(
            "the third number is the smaller of precision and recall, not their harmonic mean.", (_with_mean(min),)
        ),
        Mistake(
            "this is the mean over both classes (macro); the task asks for the positive class.", (_averaged("macro"),)
        ),
        Mistake(
            "this is the mean over both classes weighted by their rows; the task asks for the positive class.",
            (_averaged("weighted"),),
        ),
        Mistake(
            "0/0 is not handled: the task asks for 0 where a denominator is 0.",
            (
                _raises,
                lambda t, p: _three(*_cells(t, p)[:3], zero=math.nan),
                _f1_of_rates,
                lambda t, p: (*_three(*_cells(t, p)[:3], zero=math.nan)[:2], _with_nan(t, p)),
            ),
        ),
        Mistake(
            "a small number is added to the denominators; ask whether they are 0 instead.",
            tuple(variant for power in range(3, 10) for variant in _with_epsilon(10.0**-power)),
        ),
        Mistake("0/0 gives 1 here; the task asks for 0.", (lambda t, p: _three(*_cells(t, p)[:3], zero=1),)),
    ),
)


def _with_nan(y_true: Array, y_pred: Array) -> float:
    """F1 from precision and recall, nan where one of them or their sum is useless."""
    tp, fp, fn, _ = _cells(y_true, y_pred)
    return ratio(2 * tp, 2 * tp + fp + fn, 0) if tp else math.nan


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


def _tallies(y_true: Array, y_pred: Array) -> Array:
    """For each label that occurs: TP, FP, FN, TN."""
    labels = np.unique(np.r_[y_true, y_pred])
    return np.array([_cells(1 * (y_true == c), 1 * (y_pred == c)) for c in labels])


def _f1s(y_true: Array, y_pred: Array) -> list[float]:
    return [ratio(2 * tp, 2 * tp + fp + fn, 0) for tp, fp, fn, _ in _tallies(y_true, y_pred)]


def _other_macro(macro: Callable[[Array, Array], float]) -> Callable[[Array, Array], Two]:
    return lambda y_true, y_pred: (macro(y_true, y_pred), macro_micro_f1(y_true, y_pred)[1])


def _f1_of_means(y_true: Array, y_pred: Array) -> float:
    cells = _tallies(y_true, y_pred)
    precision = float(np.mean([ratio(tp, tp + fp, 0) for tp, fp, _, _ in cells]))
    recall = float(np.mean([ratio(tp, tp + fn, 0) for tp, _, fn, _ in cells]))
    return ratio(2 * precision * recall, precision + recall, 0)


def _weighted(y_true: Array, y_pred: Array) -> float:
    cells = _tallies(y_true, y_pred)
    return float(np.average(_f1s(y_true, y_pred), weights=cells[:, 0] + cells[:, 2]))


def _labels_of(which: str) -> Callable[[Array, Array], float]:
    """The mean over the labels that occur in one of the two arrays, or in both."""

    def macro(y_true: Array, y_pred: Array) -> float:
        known = {"true": set(y_true), "predicted": set(y_pred), "both": set(y_true) & set(y_pred)}[which]
        labels = np.unique(np.r_[y_true, y_pred])
        values = [value for value, label in zip(_f1s(y_true, y_pred), labels, strict=True) if label in known]
        return float(np.mean(values)) if values else 0.0

    return macro


def _hit_only(y_true: Array, y_pred: Array) -> float:
    values = [value for value in _f1s(y_true, y_pred) if value > 0]
    return float(np.mean(values)) if values else 0.0


def _macro_or_error(y_true: Array, y_pred: Array) -> Two:
    f1s = [1 / (1 / value) for value in _f1s(y_true, y_pred)]
    return float(np.mean(f1s)), macro_micro_f1(y_true, y_pred)[1]


def _numbered(y_true: Array, y_pred: Array) -> float:
    """The mean over the labels 0, 1, ..., up to the greatest, whether they occur or not."""
    return sum(_f1s(y_true, y_pred)) / (int(max(y_true.max(), y_pred.max())) + 1)


def _mean_of(value: Callable[[int, int, int, int], float]) -> Callable[[Array, Array], float]:
    """The mean over the labels of something else than F1."""
    return lambda y_true, y_pred: float(np.mean([value(*cells) for cells in _tallies(y_true, y_pred)]))


def _label_accuracies(y_true: Array, y_pred: Array) -> Two:
    cells = _tallies(y_true, y_pred)
    return macro_micro_f1(y_true, y_pred)[0], float((cells[:, 0] + cells[:, 3]).sum() / cells.sum())


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
    singular=(
        Mistake(
            "macro F1 is the F1 of mean precision and mean recall here; the task asks for the mean of the F1s.",
            (_other_macro(_f1_of_means),),
        ),
        Mistake(
            "macro F1 is weighted by the rows of each class here; every class counts the same.",
            (_other_macro(_weighted),),
        ),
        Mistake("macro and micro are swapped.", reordered(macro_micro_f1, (1, 0))),
        Mistake(
            "labels that are predicted but never true are left out; their F1 is 0 and counts.",
            (_other_macro(_labels_of("true")),),
        ),
        Mistake(
            "labels that are true but never predicted are left out; their F1 is 0 and counts.",
            (_other_macro(_labels_of("predicted")), _other_macro(_labels_of("both"))),
        ),
        Mistake(
            "labels without a hit are left out; their F1 is 0 and counts.",
            (_other_macro(_hit_only), _other_macro(lambda t, p: _hit_only(t, p) if (t == p).any() else math.nan)),
        ),
        Mistake(
            "0/0 is not handled: where a label has no hit, precision and recall cannot give its F1, which is 0.",
            (_other_macro(lambda t, p: float(np.mean(_f1s(t, p))) if all(_f1s(t, p)) else math.nan), _macro_or_error),
        ),
        Mistake(
            "the F1s of the labels are added; macro F1 is their mean.", (_other_macro(lambda t, p: sum(_f1s(t, p))),)
        ),
        Mistake(
            "the first number is the mean recall of the labels, not their mean F1.",
            (_other_macro(_mean_of(lambda tp, fp, fn, tn: ratio(tp, tp + fn, 0))),),
        ),
        Mistake(
            "the first number is the mean precision of the labels, not their mean F1.",
            (_other_macro(_mean_of(lambda tp, fp, fn, tn: ratio(tp, tp + fp, 0))),),
        ),
        Mistake(
            "the first number is the mean of TP / (TP + FP + FN), the Jaccard index; F1 counts TP twice.",
            (_other_macro(_mean_of(lambda tp, fp, fn, tn: tp / (tp + fp + fn))),),
        ),
        Mistake(
            "the median of the F1s is taken; macro F1 is their mean.",
            (_other_macro(lambda t, p: float(np.median(_f1s(t, p)))),),
        ),
        Mistake(
            "the harmonic mean of the F1s is taken, which one 0 makes 0; macro F1 is their plain mean.",
            (
                _other_macro(
                    lambda t, p: len(_f1s(t, p)) / sum(1 / f1 for f1 in _f1s(t, p)) if all(_f1s(t, p)) else 0.0
                ),
            ),
        ),
        Mistake(
            "the geometric mean of the F1s is taken, which one 0 makes 0; macro F1 is their plain mean.",
            (_other_macro(lambda t, p: math.prod(_f1s(t, p)) ** (1 / len(_f1s(t, p)))),),
        ),
        Mistake(
            "micro is TP / (TP + FP + FN) of the summed counts, the Jaccard index; F1 counts TP twice.",
            (lambda t, p: (macro_micro_f1(t, p)[0], float((t == p).sum() / (2 * len(t) - (t == p).sum()))),),
        ),
        Mistake(
            "the second number is weighted F1; micro F1 sums the counts first.",
            (lambda t, p: (macro_micro_f1(t, p)[0], _weighted(t, p)),),
        ),
        Mistake(
            "the labels 0 to the greatest are averaged, those too that do not occur.",
            (_other_macro(_numbered),),
        ),
        Mistake(
            "the micro average counts true negatives of every label: it is the mean accuracy of the labels.",
            (_label_accuracies,),
        ),
        Mistake(
            "only label 1 counts: this is binary F1.",
            (lambda t, p: (ratio(*_binary(t, p), 0), ratio(*_binary(t, p), 0)),),
        ),
    ),
)


def _binary(y_true: Array, y_pred: Array) -> tuple[int, int]:
    tp, fp, fn, _ = _cells(1 * (y_true == 1), 1 * (y_pred == 1))
    return 2 * tp, 2 * tp + fp + fn


EXERCISES = (PRECISION_RECALL_F1, MACRO_MICRO_F1)
