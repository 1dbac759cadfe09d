"""From the definitions: what the page on boxes and clusters computes."""

import itertools
import math
from collections import Counter

import numpy as np

HITS = [1, 0, 1, 1, 0, 0, 1]  # seven detections by falling confidence; there are five objects
TRUE, FOUND = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2, 2, 3]
ALONE = list(range(10))
TIME, EVENT, RISK = [2, 4, 5, 7, 8], [1, 1, 0, 1, 0], [9, 4, 6, 3, 3]


def iou(a, b, plus=0):
    """Of boxes x0, y0, x1, y1; ``plus=1`` counts pixels, as the code of VOC does."""
    sides = [max(min(a[2 + k], b[2 + k]) - max(a[k], b[k]) + plus, 0) for k in (0, 1)]
    area = sum((box[2] - box[0] + plus) * (box[3] - box[1] + plus) for box in (a, b))
    return math.prod(sides) / (area - math.prod(sides))


def shifted(s):
    """Two boxes of 10 x 10, one moved to the right: IoU, with the pixel, Dice, and the thresholds of COCO passed."""
    pair = (0, 0, 10, 10), (s, 0, 10 + s, 10)
    value = iou(*pair)
    passed = sum(value >= k / 100 - 1e-9 for k in range(50, 100, 5))
    return [round(value, 3), round(iou(*pair, plus=1), 3), round(2 * value / (1 + value), 3), passed]


def detection_ap(hits, n_objects):
    """Average precision by its interpolations."""
    hits = np.asarray(hits)
    recall, precision = hits.cumsum() / n_objects, hits.cumsum() / np.arange(1, len(hits) + 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    step = np.diff(recall, prepend=0)

    def grid(points):
        where = np.searchsorted(recall, np.linspace(0, 1, points) - 1e-12)
        return np.append(envelope, 0)[np.minimum(where, len(hits))].mean()

    values = {"plain": step @ precision, "envelope": step @ envelope, "11": grid(11), "101": grid(101)}
    values["trapezoid"] = np.trapezoid(np.r_[1, precision], np.r_[0, recall])
    return {name: round(float(value), 3) for name, value in values.items()}


def pixels():
    """90 of background and 10 of an object, 4 missed and 2 added: IoUs, their mean, accuracy, Dice, pooled."""
    table = np.array([[88, 2], [4, 6]])
    both = np.diag(table)
    each = both / (table.sum(axis=0) + table.sum(axis=1) - both)
    pooled = both.sum() / (2 * table.sum() - both.sum())
    values = [*each, each.mean(), both.sum() / table.sum(), 2 * each[1] / (1 + each[1]), pooled]
    return [round(float(value), 3) for value in values]


def rand(one, two):
    """The Rand index, and the same adjusted for chance."""
    pairs = list(itertools.combinations(range(len(one)), 2))
    same = [[labels[i] == labels[j] for i, j in pairs] for labels in (one, two)]
    both, first, second = sum(map(min, *same)), sum(same[0]), sum(same[1])
    chance = first * second / len(pairs)
    agree = sum(a == b for a, b in zip(*same, strict=True)) / len(pairs)
    return [agree, (both - chance) / ((first + second) / 2 - chance)]


def nmi(one, two, average="arithmetic"):
    """Mutual information over a mean of both entropies."""
    shares = [np.array(list(Counter(of).values())) / len(one) for of in (one, two, zip(one, two, strict=True))]
    first, second, joint = (-(p * np.log(p)).sum() for p in shares)
    mean = {"arithmetic": (first + second) / 2, "geometric": math.sqrt(first * second)}
    return float((first + second - joint) / (mean | {"min": min(first, second), "max": max(first, second)})[average])


def silhouette(x, labels):
    x, labels = np.asarray(x, float), np.asarray(labels)
    apart = np.linalg.norm(x[:, None] - x, axis=2)
    values = []
    for i, own in enumerate(labels):
        near = apart[i, (labels == own) & (np.arange(len(x)) != i)].mean()
        far = min(apart[i, labels == other].mean() for other in set(labels.tolist()) - {int(own)})
        values.append((far - near) / max(near, far))
    return float(np.mean(values))


def rings():
    """The silhouette of two rings, one within the other, and of their left and right halves."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.c_[np.cos(angle), np.sin(angle)]
    x = np.r_[ring, 4 * ring]
    return [round(silhouette(x, labels), 3) for labels in (np.repeat([0, 1], 40), (x[:, 0] > 0).astype(int))]


def c_index(time, event, risk, tie=0.5):
    """Of the pairs of which it is known who came first, the share in which that one had the higher risk."""
    won = pairs = 0.0
    for i, j in itertools.permutations(range(len(time)), 2):
        if event[i] and (time[i] < time[j] or (time[i] == time[j] and not event[j])):
            pairs += 1
            won += (risk[i] > risk[j]) + tie * (risk[i] == risk[j])
    return won / pairs
