"""Precision, recall and F1; macro and micro F1."""

from collections import Counter
from typing import Literal

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise
from metrics_lib import f1_score, precision_score, recall_score

Average = Literal["binary", "macro", "weighted"]
Three = tuple[float, float, float]
Two = tuple[float, float]


def three(y_true: Array, y_pred: Array, average: Average = "binary") -> list[float]:
    scores = (precision_score, recall_score, f1_score)
    return [float(score(y_true, y_pred, average=average, zero_division=0)) for score in scores]


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


def ratio(part: float, whole: float) -> float:
    """What edits write for a quotient."""
    return part / whole if whole else 0.0


def draw_binary(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    share, right = rng.random(2)
    true = (rng.random(n) < share).astype(int)
    return true, np.where(rng.random(n) < right, true, 1 - true)


TN = "(len(y_true) - tp - fp - fn)"
P, PG = "precision = tp / (tp + fp)", "precision = tp / (tp + fp) if tp + fp else 0.0"
R, RG = "recall = tp / (tp + fn)", "recall = tp / (tp + fn) if tp + fn else 0.0"
F1 = "f1 = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0.0"
OF_RATES = f"{F1} -> f1 = ratio(2 * precision * recall, precision + recall)"
BY_RATES = f"{F1} -> f1 = 2 * precision * recall / (precision + recall)"
RETURN = "return precision, recall, f1 -> return "


def first(rate: str) -> tuple[str, str]:
    """Another rate for precision; F1 may be made of it."""
    return f"{PG} -> precision = {rate}", f"{PG} -> precision = {rate} ;; {OF_RATES}"


def second(rate: str) -> tuple[str, str]:
    return f"{RG} -> recall = {rate}", f"{RG} -> recall = {rate} ;; {OF_RATES}"


def third(*values: str) -> tuple[str, ...]:
    return tuple(f"{F1} -> f1 = {value}" for value in values)


def with_epsilon(eps: str) -> tuple[str, ...]:
    rates = f"{PG} -> precision = tp / (tp + fp + {eps}) ;; {RG} -> recall = tp / (tp + fn + {eps}) ;; "
    return (
        rates + f"{BY_RATES[:-1]} + {eps})",
        rates + OF_RATES,
        rates + F1 + f" -> f1 = 2 * tp / (2 * tp + fp + fn + {eps})",
    )


PRECISION_RECALL_F1 = Exercise(
    name="precision_recall_f1",
    title="precision, recall and F1 (精确率、召回率、F1 值)",
    parameters="y_true, y_pred",
    task=(
        "y_true and y_pred hold the true and the predicted labels, 0 or 1, and 1 is the positive class.",
        "Return three numbers in this order: precision, recall, F1.",
        "0/0: each of the three is 0 where its own denominator is 0: precision without a predicted positive, recall "
        "without a true one, F1 = 2 TP / (2 TP + FP + FN) without either. It is 0 wherever no positive is found.",
    ),
    right=three,
    draw=draw_binary,
    cases=(
        (
            "eight rows",
            ([1, 1, 1, 0, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0]),
            "Three found, one false alarm, two missed.",
        ),
        (
            "one positive in ten",
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
            "With rare positives the nine negatives must not help.",
        ),
        ("everything right", ([1, 0, 1, 0, 0], [1, 0, 1, 0, 0]), "All three are 1."),
        ("everything predicted positive", ([1, 0, 0, 0, 1], [1, 1, 1, 1, 1]), "Recall is 1, and no merit."),
        ("nothing predicted positive", ([1, 0, 1, 0], [0, 0, 0, 0]), "Precision is 0/0; recall and F1 are 0 as well."),
        ("no positive exists", ([0, 0, 0], [0, 1, 0]), "Recall is 0/0; precision and F1 are 0."),
        ("no positive on either side", ([0, 0, 0], [0, 0, 0]), "All three are 0/0."),
        ("no hit", ([1, 0, 1, 0], [0, 1, 0, 1]), "Both rates are 0, and their harmonic mean is 0 and not an error."),
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
    mistakes={
        "the positive class is 0 here; the task says 1.": ("begin: y_true, y_pred = 1 - y_true, 1 - y_pred",),
        "accuracy is in the place of precision: it counts true negatives as well.": first(f"(tp + {TN}) / len(y_true)"),
        "the first number is FP / (TP + FP), the false discovery rate, 1 - precision.": first("ratio(fp, tp + fp)"),
        "precision is divided by the number of all rows; its denominator is TP + FP.": first("tp / len(y_true)"),
        "the first number is TN / (TN + FN), the precision of the negatives.": first(f"ratio({TN}, {TN} + fn)"),
        "the second number is specificity, the recall of the negatives.": second(f"ratio({TN}, {TN} + fp)"),
        "the second number is FN / (TP + FN), the miss rate, 1 - recall.": second("ratio(fn, tp + fn)"),
        "recall is divided by the number of all rows; its denominator is TP + FN.": second("tp / len(y_true)"),
        "F1 is the arithmetic mean of precision and recall here; it is their harmonic mean.": third(
            "(precision + recall) / 2"
        ),
        "accuracy is in the place of F1: it counts true negatives as well.": third(f"(tp + {TN}) / len(y_true)"),
        "the third number is F2, which weights recall more; F1 weights both the same.": third(
            "ratio(5 * tp, 5 * tp + fp + 4 * fn)"
        ),
        "the third number is TP / (TP + FP + FN), the Jaccard index; F1 counts TP twice.": third(
            "ratio(tp, tp + fp + fn)"
        ),
        "0/0 is not handled: the task asks for 0 where a denominator is 0.": (
            f"{PG} -> {P} ;; {RG} -> {R}",
            f"{PG} -> {P} ;; {RG} -> {R} ;; {BY_RATES}",
            f"{PG} -> {P} ;; {RG} -> {R} ;; {OF_RATES}",
            f"tp = fp = fn = 0 -> tp = fp = fn = np.float64(0) ;; {PG} -> {P} ;; {RG} -> {R}",
            f"tp = fp = fn = 0 -> tp = fp = fn = np.float64(0) ;; {PG} -> {P} ;; {RG} -> {R} ;; {BY_RATES}",
            f"tp = fp = fn = 0 -> tp = fp = fn = np.float64(0) ;; {BY_RATES.replace('recall)', 'np.float64(recall))')}",
            BY_RATES,
            f"{BY_RATES} if tp + fp or tp + fn else 0.0",
        ),
        "0/0 gives 1 here; the task asks for 0.": (
            "0.0 -> 1.0",
            f"{PG} -> {P} if tp + fp else 1.0 ;; {RG} -> {R} if tp + fn else 1.0",
            f"{PG} -> {P} if tp + fp else 1.0 ;; {RG} -> {R} if tp + fn else 1.0 ;; {OF_RATES}",
        ),
        "precision and recall are swapped: precision divides by the predicted positives.": (
            f"{RETURN}recall, precision, f1",
        ),
        "rows in which both labels are equal are taken as hits; those of two zeros are true negatives.": (
            "predicted == 1 and true == 1 -> predicted == true",
            f"predicted == 1 and true == 1 -> predicted == true ;; {PG} -> precision = ratio(tp, y_pred.sum()) ;; {RG} "
            f"-> recall = ratio(tp, y_true.sum()) ;; {OF_RATES}",
        ),
        "FP and FN come from the difference of the totals; a false alarm and a miss do not cancel. Count row by row.": (
            f"{PG} -> fp, fn = max(fp - fn, 0), max(fn - fp, 0)\n    {PG}",
        ),
        "this is the mean over both classes (macro); the task asks for the positive class.": (
            "return: three(y_true, y_pred, 'macro')",
        ),
        "a small number is added to the denominators; ask whether they are 0 instead.": tuple(
            edit for power in range(3, 9) for edit in with_epsilon(f"1e-{power}")
        ),
    },
)

# ---- macro and micro F1 -----------------------------------------------------------------------------------------


def macro_micro(y_true: Array, y_pred: Array) -> Two:
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


def draw_labels(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    names = [np.arange(2), np.arange(3), np.array([2, 3, 7, 9]), np.array(["cat", "Cat", "cow", "dog"])][
        rng.integers(4)
    ]
    share = rng.dirichlet(np.ones(len(names)))
    true, other = rng.choice(names, n, p=share), rng.choice(names, n)
    return true, np.where(rng.random(n) < rng.random(), true, other)


LABELS, MACRO, MICRO = "set(tp) | set(fp) | set(fn)", "sum(f1) / len(f1)", "2 * hits / (2 * hits + wrong)"
ONE = "2 * tp[c] / (2 * tp[c] + fp[c] + fn[c])"
BOTH = f"return {MACRO}, {MICRO}"


def of_these(labels: str) -> tuple[str, str]:
    """F1 of some labels alone, the micro average of all or of these."""
    counts = (f"sum({name}.values()) -> sum({name}[c] for c in labels)" for name in ("tp", "fp", "fn"))
    guarded = f"{LABELS} -> {labels} ;; {ONE} -> ratio(2 * tp[c], 2 * tp[c] + fp[c] + fn[c])"
    guarded += f" ;; {MACRO} -> ratio(sum(f1), len(f1))"
    return guarded, f"{guarded} ;; {' ;; '.join(counts)} ;; {MICRO} -> ratio(2 * hits, 2 * hits + wrong)"


def second_number(*values: str) -> tuple[str, ...]:
    return tuple(f"{BOTH} -> return {MACRO}, {value}" for value in values)


PRECISIONS, RECALLS = (f"[ratio(tp[c], tp[c] + {name}[c]) for c in labels]" for name in ("fp", "fn"))
OF_MEANS = f"float(harmonic(np.mean({PRECISIONS}), np.mean({RECALLS})))"
WEIGHTED = "sum((tp[c] + fn[c]) * f for c, f in zip(labels, f1)) / len(y_true)"
ACCURACIES = "1 - wrong / len(y_true) / len(labels)"


def harmonic(one: float, other: float) -> float:
    return ratio(2 * one * other, one + other)


MACRO_MICRO_F1 = Exercise(
    name="macro_micro_f1",
    title="macro and micro F1 (宏 F1、微 F1)",
    parameters="y_true, y_pred",
    task=(
        "y_true and y_pred hold the true and the predicted labels of more than one class, numbers or strings.",
        "Return two numbers in this order: macro F1, micro F1.",
        "Macro F1 is the mean of the F1s of all labels that occur in y_true or in y_pred, each label counting the "
        "same.",
        "Micro F1 is the F1 of the counts TP, FP and FN summed over the labels.",
        "0/0: the F1 of a label is 2 TP / (2 TP + FP + FN), whose denominator is never 0 for a label that occurs.",
    ),
    right=macro_micro,
    draw=draw_labels,
    cases=(
        ("three classes", ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]), "Each label's F1 counts the same in the mean."),
        (
            "a rare class",
            ([0, 0, 0, 0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]),
            "Macro sees the class that is never found, micro hardly does.",
        ),
        ("a class that is only predicted", ([0, 0, 1, 1], [0, 2, 1, 1]), "Its F1 is 0 and counts: all are wrong."),
        ("a class that is never predicted", ([0, 0, 1, 2, 2], [0, 0, 1, 1, 0]), "Its F1 is 0 and counts."),
        (
            "labels that are strings",
            (["cat", "dog", "dog", "cow", "cat"], ["cat", "dog", "cat", "cow", "cow"]),
            "Labels are names; nothing is calculated with them.",
        ),
        ("labels with gaps", ([3, 3, 7, 9, 9, 9], [3, 7, 7, 9, 9, 3]), "A label that does not occur is not a class."),
        ("everything right", ([0, 1, 2, 1], [0, 1, 2, 1]), "Both are 1."),
        ("nothing right", ([0, 1, 2], [1, 2, 0]), "Both are 0, and that is not an error."),
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
    mistakes={
        "labels that are predicted but never true are left out; their F1 is 0 and counts.": of_these(
            "set(tp) | set(fn)"
        ),
        "labels that are true but never predicted are left out; their F1 is 0 and counts.": of_these(
            "set(tp) | set(fp)"
        ),
        "the labels 0 and 1 alone are averaged; there may be others, and strings.": of_these("[0, 1]"),
        "the labels 0 to the greatest are averaged, even those that do not occur.": (
            of_these("range(int(max(y_true.max(), y_pred.max())) + 1)")[0],
            of_these("range(max(set(tp) | set(fp) | set(fn)) + 1)")[0],
        ),
        "labels without a hit are left out; their F1 is 0 and counts.": (
            of_these("set(tp)")[0],
            f"{LABELS} -> set(tp) ;; {MACRO} -> float(np.mean(f1))",
        ),
        "0/0 is not handled: where a label has no hit, precision and recall cannot give its F1, which is 0.": (
            f"{ONE} -> 2 / ((tp[c] + fp[c]) / tp[c] + (tp[c] + fn[c]) / tp[c])",
            f"{MACRO} -> sum(f1) / len(f1) if all(f1) else float('nan')",
        ),
        "macro F1 is the F1 of mean precision and mean recall here; take the mean of the F1s.": (
            f"{MACRO} -> {OF_MEANS}",
        ),
        "macro F1 is weighted by the rows of each class here; every class counts the same.": (
            f"{MACRO} -> {WEIGHTED}",
        ),
        "the F1s of the labels are added; macro F1 is their mean.": (f"{MACRO} -> sum(f1)",),
        "the first number is micro F1 as well: the counts are summed over the labels.": (f"{MACRO} -> {MICRO}",),
        "the micro average counts true negatives of every label: it is the mean accuracy of the labels.": second_number(
            ACCURACIES
        ),
        "macro and micro are swapped.": (f"{BOTH} -> return {MICRO}, {MACRO}",),
    },
)
