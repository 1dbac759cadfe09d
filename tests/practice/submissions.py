"""Wrong and right submissions for every exercise, as people write them in a hurry.

A row of `WRONG` is what is wrong, a part of what the report says, and the code: with certainty, or "?" before what may
be, "!" before what is seen, and "-" where the report knows no name. A line that begins with a space goes on with the
row above. Those of the exercises in `EARLIER` were written before this checker, those of the others before its
 messages.
"""

# ruff: noqa: F401 - the rows use what is imported

import bisect
import itertools
import math
import re
import string
import time
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from statistics import NormalDist

import numpy as np
import pandas as pd
import scipy.special
import scipy.stats
import sklearn.metrics

EARLIER = ["auc", "gauc", "ndcg_at_k", "average_precision", "hit_rate", "log_loss", "roc_points", "auc_sql"]
NAN, EPS = math.nan, 2.0**-52
log, log2, pairwise = math.log, math.log2, itertools.pairwise

# What several submissions have in common.
# fmt: off

def won(a, b):
    return (a > b) + (a == b) / 2

def each(y, s, value=won, alone=NAN):
    """The mean over all pairs of a positive and a negative."""
    values = [value(a, b) for a in s[y == 1] for b in s[y == 0]]
    return float(np.mean(values)) if values else alone

def ranked(y, s, ranks):
    """The rank sum over the pairs."""
    p, n = int((y == 1).sum()), int((y == 0).sum())
    return (ranks[y == 1].sum() - p * (p + 1) / 2) / (p * n) if p and n else NAN

def ordered(s):
    ranks = np.empty(len(s))
    ranks[np.argsort(s, kind="stable")] = np.arange(1, len(s) + 1)
    return ranks

def curve(y, s, cuts):
    """False and true positive rates at the cuts."""
    return [[((s >= c) & (y == one)).sum() / (y == one).sum() for c in cuts] for one in (0, 1)]

def area(y, s, cuts):
    if y.min() == y.max():
        return NAN
    fpr, tpr = curve(y, s, cuts)
    return np.trapezoid([0, *tpr], [0, *fpr])

def endless(*_):
    end = time.monotonic() + 2
    while time.monotonic() < end:
        pass

def grouped(y, s, g, weight=len, one=None, change=lambda s: s, parts=lambda g: [g == u for u in set(g.tolist())]):
    """Grouped AUC with another weight, a value for one class, other scores or other groups."""
    total = weights = 0
    for part in parts(g):
        value = each(y[part], change(s)[part], alone=one)
        if value is not None:
            total, weights = total + weight(y[part]) * value, weights + weight(y[part])
    return total / weights if weights and (one is None or grouped(y, s, g) == grouped(y, s, g)) else NAN

def runs(g):
    number = np.cumsum(np.r_[0, g[1:] != g[:-1]])
    return [number == one for one in range(number[-1] + 1)]

def dcg(r, k, discount=lambda i: log2(i + 1)):
    return sum(x / discount(i) for i, x in enumerate(r[:k], 1))

def ndcg(rel, k, best=lambda rel, k: np.sort(rel)[::-1], none=NAN, gain=lambda r: r, dcg=dcg):
    ideal = dcg(gain(best(rel, k)), k)
    return dcg(gain(rel), k) / ideal if ideal else none

def sorting_in_place(rel, k):
    value = dcg(rel.copy(), k)
    rel.sort()
    return value / dcg(rel[::-1], k) if rel.any() else NAN

def beyond(rel, k):
    best = sorted(rel, reverse=True)
    d, i = sum(rel[j] / log2(j + 2) for j in range(k)), sum(best[j] / log2(j + 2) for j in range(k))
    return d / i if i else NAN

def ap(rel, k, n, hit=lambda r: r > 0, by=lambda n, k, hits: n, none=NAN):
    """Average precision with another hit or divisor."""
    hits = total = 0
    for i, r in enumerate(rel[:k], 1):
        if hit(r):
            hits += 1
            total += hits / i
    return total / (by(n, k, hits) or 1) if n else none

def users(rel, k, n, value, count=lambda r: (r > 0).sum(1)):
    hits = count(rel[n > 0][:, :k])
    return value(hits, n[n > 0]) if len(hits) else [NAN] * 3

def clipped(y, p, low=EPS, high=None, log=np.log, total=np.mean):
    p = np.clip(p, low, 1 - (low if high is None else high))
    return -total(np.where(y == 1, log(p), log(1 - p)))

def rates(y, s, cuts=lambda s: np.unique(s)[::-1], start=(0,), swap=1):
    if y.min() == y.max() and swap > 0:
        raise ValueError("one class")
    p, n = int(y.sum()), int((1 - y).sum())
    at = [(int(((s >= c) & (y == 0)).sum()) / n, int(((s >= c) & (y == 1)).sum()) / p) for c in cuts(s)]
    return [[*start, *(fpr for fpr, _ in at)], [*start, *(tpr for _, tpr in at)]][::swap]

def by_row(y, s):
    y = y[np.argsort(-s)]
    return np.r_[0, np.cumsum(1 - y) / (1 - y).sum()], np.r_[0, np.cumsum(y) / y.sum()]

def walked(y, s):
    p, n = sum(y.tolist()), len(y) - sum(y.tolist())
    if not p or not n:
        raise ValueError("one class only")
    points, tp, fp, last = [], 0, 0, None
    for score, label in sorted(zip(s.tolist(), y.tolist(), strict=True), reverse=True):
        points += [(fp / n, tp / p)] if score != last else []
        last, tp, fp = score, tp + label, fp + 1 - label
    return zip(*points, (1.0, 1.0), strict=True)

def cells(y, p):
    """TP, FP, FN."""
    return [int(((y == a) & (p == b)).sum()) for a, b in ((1, 1), (0, 1), (1, 0))]

def over(a, b):
    return a / b if b else 0.0

def three(y, p, change=lambda *v: v[:3], count=cells):
    tp, fp, fn = count(y, p)
    return change(over(tp, tp + fp), over(tp, tp + fn), over(2 * tp, 2 * tp + fp + fn), tp, fp, fn)

def harmonic(p, r):
    return p, r, 2 * p * r / (p + r)

def both(y, p):
    return np.union1d(y, p)

def f1s(y, p, labels=both):
    return [over(2 * ((y == c) & (p == c)).sum(), (y == c).sum() + (p == c).sum()) for c in labels(y, p)]

def two(y, p, labels=both, macro=np.mean, micro=lambda y, p: np.mean(y == p)):
    return macro(f1s(y, p, labels)), micro(y, p)

def of_means(y, p):
    a, b = sklearn.metrics.precision_recall_fscore_support(y, p, average="macro", zero_division=0)[:2]
    return over(2 * a * b, a + b)

def kappa(y, p, chance=None, last=lambda po, pe: (po - pe) / (1 - pe), zero=NAN):
    po = np.mean(y == p)
    pe = chance(y, p) if chance else sum((y == c).mean() * (p == c).mean() for c in both(y, p))
    return zero if len(both(y, p)) == 1 else last(po, pe)

def first(rel, k, hit=lambda g: g > 0, none=0.0, value=lambda i: 1 / i, start=1):
    return next((value(i) for i, g in enumerate(rel[:k], start) if hit(g)), none)

def err(grades, k, m, p=lambda g, m, top: (2.0**g - 1) / 2.0**m, weight=lambda r: 1 / r, start=1, early=False):
    total, go = 0.0, 1.0
    for r, g in enumerate(grades[:k], start):
        s = p(int(g), m, int(grades.max()))
        total, go = total + go * (1 - s if early else 1) * s * weight(r), go * (1 - s)
    return total

def too_deep(g, k, m, i=0, go=1.0):
    """Right, but a note says that a thousand items end in an error."""
    s = (2 ** int(g[i]) - 1) / 2**m if i < min(k, len(g)) else 0
    return go * s / (i + 1) + too_deep(g, k, m, i + 1, go * (1 - s)) if i < min(k, len(g)) else 0.0

def pairs(s, value=np.mean, none=NAN):
    return value(s[np.triu_indices(len(s), 1)]) if len(s) > 1 else none

def flat(sentences):
    return np.concatenate(sentences)

def terms(p, q, log=np.log2):
    with np.errstate(all="ignore"):
        return np.where(p > 0, p * log(np.where(p > 0, p, 1) / q), 0)

def binned(y, p, n, number=lambda p, n: np.maximum(np.ceil(p * n) - 1, 0), gap=abs, total=np.dot, middle=False):
    b = number(p, n)
    rows = [b == i for i in np.unique(b)]
    gaps = [gap(y[r].mean() - ((b[r][0] + 0.5) / n if middle else p[r].mean())) for r in rows]
    return total(np.array(gaps), np.array([r.mean() for r in rows]))

def every_bin(y, p, n):
    rows = [(p > a) & (p <= b) if a else p <= b for a, b in pairwise(np.linspace(0, 1, n + 1))]
    return sum(abs(y[r].mean() - p[r].mean()) * r.mean() for r in rows)

def interval(v, i, a, shares=lambda a: [(1 - a) / 2, (1 + a) / 2], of=lambda v, i: v[i].mean(axis=1), q=np.quantile):
    return tuple(q(of(v, i), share) for share in shares(a))

def normal(v, i, level):
    z, m = NormalDist().inv_cdf((1 + level) / 2), v[i].mean(axis=1)
    return v.mean() - z * m.std(), v.mean() + z * m.std()

def even(s, bins):
    return np.minimum(bins * (s - s.min()) / (np.ptp(s) or 1), bins - 1)

def edges(s, bins, side="right", extra=1):
    return np.searchsorted(np.linspace(s.min(), s.max(), bins + extra)[1:-1], s, side)

def counted(y, s, bins, number=even, value=lambda p, b, n: (p * (b + n / 2)).sum(), half=2):
    b = number(s, bins).astype(int)
    p, n = (np.bincount(b[y == c], minlength=b.max() + 1) for c in (1, 0))
    m = p.sum() * n.sum()
    return (value(p, np.cumsum(n) - n, n) / m, (p * n).sum() / half / m) if m else (NAN, NAN)

def no_last_bin(y, s, bins):
    width = (s.max() - s.min()) / bins or 1
    [[0] * bins][0][max(int((x - s.min()) / width) for x in s)]
    return counted(y, s, bins)

def bare(text, signs=string.punctuation, blank=""):
    return "".join(blank if c in signs else c for c in text.lower())

def words(text, bare=bare, articles=re.compile(r"\b(a|an|the)\b")):
    return articles.sub(" ", bare(text)).split()

def same(a, b):
    return (Counter(a) & Counter(b)).total()

def f1_of(o, refs, split=words, same=same, value=lambda c, a, b: 2 * c / (a + b), best=max,
          empty=lambda a, b: float(a == b)):
    """Token F1 with other tokens, another count, value or choice among the references."""
    pairs = [(split(o), split(str(r))) for r in refs]
    return best([value(same(a, b), len(a), len(b)) if a and b else empty(a, b) for a, b in pairs])

def as_printed(output, references):
    """In the steps of the script."""
    def one(out, ref):
        if not out or not ref:
            return int(out == ref)
        common = sum((Counter(out) & Counter(ref)).values())
        if common == 0:
            return 0
        precision, recall = common / len(out), common / len(ref)
        return 2 * precision * recall / (precision + recall)
    return max(one(words(output), words(reference)) for reference in references)

def weighed(r, p, q, weight=lambda p, q: q / p, ips=lambda w, r: len(w), snips=lambda w, r: w.sum()):
    """IPS and its self-normalised form with another weight or another divisor."""
    w = weight(p, q)
    total = (w * r).sum()
    return total / ips(w, r), total / snips(w, r) if snips(w, r) else NAN

def walked_log(reward, p_old, p_new):
    total = weights = Fraction(0)
    for r, p, q in zip(reward.tolist(), p_old.tolist(), p_new.tolist(), strict=True):
        w = Fraction(q) / Fraction(p)
        total, weights = total + w * Fraction(r), weights + w
    if not weights:
        raise ValueError("no support")
    return total / len(reward), total / weights

def arms(ka, na, kb, nb, error=None, p=lambda z: math.erfc(abs(z) / 2**0.5), lift=lambda a, b: b - a, z=None):
    """Two arms with another standard error, p-value or lift."""
    a, b = ka / na, kb / nb
    se = (error or unpooled)(a, na, b, nb)
    return lift(a, b), se, p((b - a) / (z(a, na, b, nb) if z else se)) if se else NAN

def unpooled(a, na, b, nb):
    return math.sqrt(a * (1 - a) / na + b * (1 - b) / nb)

def pooled(a, na, b, nb):
    both = (a * na + b * nb) / (na + nb)
    return math.sqrt(both * (1 - both) * (1 / na + 1 / nb))

def cooled(z, y, ts, by=lambda z, t: z / t, log=lambda z: z - np.logaddexp.reduce(z, axis=1, keepdims=True),
           pick=np.argmin, total=np.mean, cost=lambda logp, y: -logp[np.arange(len(y)), y]):
    """The best temperature with another scale, softmax, loss or choice."""
    losses = [total(cost(log(by(z, t)), y)) for t in ts]
    return ts[pick(losses)], losses[pick(losses)]

def plain_softmax(z):
    return np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)

def shifted(z):
    return plain_softmax(z - z.max(axis=1, keepdims=True))

def brier(logp, y):
    return ((np.exp(logp) - np.eye(logp.shape[1])[y]) ** 2).sum(axis=1)

def row_by_row(logits, labels, temperatures):
    best = None
    for t in temperatures:
        loss = 0
        for row, label in zip(logits.tolist(), labels.tolist(), strict=True):
            top = max(row)
            loss += math.log(math.fsum(math.exp((x - top) / t) for x in row)) - (row[label] - top) / t
        if best is None or loss / len(labels) < best[1]:
            best = t, loss / len(labels)
    return best

KEPT = "label IS NOT NULL AND score IS NOT NULL"
SHARE = "AVG((p.score > n.score) + (p.score = n.score) / 2.0)"
PAIRS = "log p, log n WHERE p.label = 1 AND n.label = 0"
AUCS = f"(SELECT p.user_id AS u, {SHARE} AS auc FROM {PAIRS} AND p.user_id = n.user_id GROUP BY 1)"
RANKS = f"""WITH r AS (SELECT label AS y, RANK() OVER (ORDER BY score) + (COUNT(*) OVER (PARTITION BY score) - 1) / 2.0
 AS k FROM log WHERE {KEPT}) SELECT (SUM(y * k) - SUM(y) * (SUM(y) + 1) / 2.0) / (SUM(y) * SUM(1 - y)) FROM r"""
USERS = f"""WITH r AS (SELECT user_id AS u, label AS y, RANK() OVER (PARTITION BY user_id ORDER BY score)
 + (COUNT(*) OVER (PARTITION BY user_id, score) - 1) / 2.0 AS k FROM log WHERE {KEPT}), users AS (SELECT COUNT(*) AS n,
 1.0 * (SUM(y * k) - SUM(y) * (SUM(y) + 1) / 2) / (SUM(y) * SUM(1 - y)) AS auc FROM r GROUP BY u)
SELECT SUM(n * auc) / SUM(n) FROM users WHERE auc IS NOT NULL"""
GROUPS = f"""WITH g AS (SELECT score, SUM(label) AS p, COUNT(*) - SUM(label) AS n FROM log WHERE {KEPT} GROUP BY 1)
SELECT SUM(a.p * b.n * {SHARE[3:].replace("p.", "a.").replace("n.", "b.")}) / SUM(a.p * b.n) FROM g a, g b"""

def changed(text, *edits):
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text

# fmt: on
WRONG = {
    "auc": """
ties by a wide isclose | nearly equal ones tie | lambda y, s: each(y, s, lambda a, b: 0.5 if np.isclose(a, b,
 atol=1e-3) else a > b)
ties count nothing | a tied pair counts nothing | lambda y, s: each(y, s, lambda a, b: a > b)
ranks by argsort | equal scores are not merged | lambda y, s: ranked(y, s, ordered(s))
one half for one class | yours is 0.5 | lambda y, s: each(y, s, alone=0.5)
0/0 in Python | ZeroDivisionError | lambda y, s: sum(won(a, b) for a in s[y == 1] for b in s[y == 0]) / (int(y.sum()) *
 int((1 - y).sum()))
it prints | !It prints (0.75) | lambda y, s: print(each(y, s))
steps of an unmerged curve | not merged | lambda y, s: np.cumsum(y[(o := np.argsort(-s, kind="stable"))])[y[o] ==
 0].sum() /
 (y.sum() * (1 - y).sum()) if 0 < y.sum() < len(y) else NAN
20 thresholds over the range | - | lambda y, s: area(y, s, np.linspace(s.max(), s.min(), 20))
turned over | turned over | lambda y, s: max(each(y, s), 1 - each(y, s))
a loop without end | !No result in time | endless
an unknown name | !Every test ends in an error | lambda y, s: roc_auc(y, s)
four decimals | rounded; | lambda y, s: round(each(y, s), 4)
a text | !of type str | lambda y, s: f"{each(y, s):.3f}"
dense ranks | dense | lambda y, s: ranked(y, s, np.unique(s, return_inverse=True)[1] + 1)""",
    "gauc": """
no weights | without weights | lambda *a: grouped(*a, weight=lambda y: 1)
weights by clicks | by their clicks | lambda *a: grouped(*a, weight=sum)
one class counts 0 | count 0 | lambda *a: grouped(*a, one=0.0)
clipped scores | cut to 0...1 | lambda *a: grouped(*a, change=lambda s: np.clip(s, 0, 1))
runs of rows | adjacent rows | lambda *a: grouped(*a, parts=runs)
two decimals of the scores | ?rounded | lambda *a: grouped(*a, change=lambda s: np.round(s, 2))
numbers for groups | !invalid literal | lambda y, s, g: grouped(y, s, np.array([int(u) for u in g]))
weights by pairs | by their pairs | lambda *a: grouped(*a, weight=lambda y: y.sum() * (1 - y).sum())""",
    "ndcg_at_k": """
ideal of the first k | cut list | lambda rel, k: ndcg(rel, k, lambda rel, k: np.sort(rel[:k])[::-1])
0 for nothing relevant | yours is 0; | lambda rel, k: ndcg(rel, k, none=0.0)
exponential gain | 2^rel - 1 | lambda rel, k: ndcg(rel, k, gain=lambda r: 2.0 ** np.asarray(r) - 1)
no + 1 in the logarithm | ranks start at 0 | lambda rel, k: ndcg(rel, k, dcg=lambda r, k: dcg(r, k, log))
sorts the argument | arguments are changed | sorting_in_place
rank 2 in full | first paper | lambda rel, k: ndcg(rel, k, dcg=lambda r, k: dcg(r, k, lambda i: max(1, log2(i))))
whole grades | cut to whole numbers | lambda rel, k: ndcg(rel.astype(int), k)
ideal of ones | holds ones | lambda rel, k: ndcg(rel, k, lambda rel, k: np.ones((rel > 0).sum()))
a loop over k | k beyond the list | beyond""",
    "average_precision": """
divided by hits | hits found | lambda *a: ap(*a, by=lambda n, k, hits: hits)
divided by the smaller of two | smaller of k | lambda *a: ap(*a, by=lambda n, k, hits: min(n, k))
sums of grades | ?added up | lambda rel, k, n: (np.cumsum(t := rel[:k]) / np.arange(1, len(t) + 1) * (t > 0)).sum() / n
 if n else NAN
weighted by grade | ?added up | lambda rel, k, n: (np.cumsum((t := rel[:k]) > 0) / np.arange(1, len(t) + 1) * t).sum()
 / n if n else NAN
ranks from 0 | ranks start at 0 | lambda rel, k, n: sum(j / i for j, i in enumerate(np.flatnonzero(rel[:k] > 0), 1)) /
 n if n else NAN
0 for nothing relevant | yours is 0; | lambda *a: ap(*a, none=0.0)
return within the loop | return inside | lambda rel, k, n: next((1 / i / n for i, r in enumerate(rel[:k], 1) if r
 > 0), 0) if n else NAN
grades of 1 alone | exactly 1 | lambda *a: ap(*a, hit=lambda r: r == 1)
a list of precisions | !the task asks for one number | lambda rel, k, n: [(rel[: i + 1] > 0).mean() for i in
 range(min(k, len(rel))) if rel[i] > 0]""",
    "hit_rate": """
no mean | !the task asks for 3 values | lambda rel, k, n: ((h := (rel[:, :k] > 0).sum(1)) > 0, h / k, h / np.maximum(n,
 1))
the hit rate alone | !one number | lambda rel, k, n: float((rel[n > 0][:, :k] > 0).any(axis=1).mean()) if n.any() else
 NAN
precision by the length | length of the list | lambda rel, k, n: users(rel, k, n, lambda h, t: ((h > 0).mean(), (h /
 min(k, rel.shape[1])).mean(), (h / t).mean()))
everybody counts | are counted | lambda rel, k, n: (((h := (rel[:, :k] > 0).sum(1)) > 0).mean(), (h / k).mean(), (h /
 np.maximum(n, 1)).mean())
pooled recall | recall is pooled | lambda *a: users(*a, lambda h, t: ((h > 0).mean(), h.mean() / a[1], h.sum() /
 t.sum()))
a dictionary | !of type dict | lambda *a: users(*a, lambda h, t: {"hit": (h > 0).mean()}) if a[2].any() else {}
sums of grades | added up | lambda *a: users(*a, lambda h, t: ((h > 0).mean(), (h / a[1]).mean(), (h / t).mean()),
 lambda r: r.sum(1))""",
    "log_loss": """
another bound | another bound | lambda y, p: clipped(y, p, 1e-15)
no clip | not clipped | lambda y, p: -np.mean(np.where(y == 1, np.log(p), np.log(1 - p)))
a sum | sum over the rows | lambda y, p: clipped(y, p, total=np.sum)
bits and a small number | - | lambda y, p: -np.mean(np.log2(np.where(y == 1, p, 1 - p) + 1e-9))
positives alone | the negatives cost nothing | lambda y, p: -(y * np.log(np.clip(p, EPS, 1))).mean()
single precision | - | lambda y, p: clipped(y, p.astype(np.float32), 1e-7)""",
    "roc_points": """
a point for each row | ?not merged | by_row
three decimals | rounded | lambda y, s: rates(y, np.round(s, 3))
no first point | does not begin at (0, 0) | lambda y, s: rates(y, s, start=())
the axes exchanged | axes are swapped | lambda y, s: rates(y, s, swap=-1)""",
    "auc_sql": """
ties lost | counts as lost | f"SELECT AVG(CASE WHEN p.score > n.score THEN 1.0 WHEN p.score <= n.score THEN 0 END) FROM
 {PAIRS}"
ROW_NUMBER | ROW_NUMBER | changed(RANKS, ("RANK()", "ROW_NUMBER()"), ("(COUNT(*) OVER (PARTITION BY score) - 1) / 2.0",
 "0"))
COUNT(*) in the divisor | ?count in the divisor | changed(RANKS, ("SUM(1 - y))", "((SELECT COUNT(*) FROM log) -
 SUM(y)))"))
a bracket is missing | !syntax error | "SELECT AVG(p.score > n.score FROM log p JOIN log n ON p.label > n.label\"""",
    "precision_recall_f1": """
nothing guards 0/0 | 0/0 is not handled | lambda y, p: harmonic((tp := cells(y, p)[0]) / (tp + cells(y, p)[1]), tp /
 (tp + cells(y, p)[2]))
precision and recall exchanged | are swapped | lambda y, p: three(y, p, lambda p, r, f, *_: (r, p, f))
arithmetic mean | arithmetic mean | lambda y, p: three(y, p, lambda p, r, *_: (p, r, (p + r) / 2))
two numbers | !2 values | lambda y, p: three(y, p)[:2]
0/0 is 1 | gives 1 here | lambda y, p: three(y, p, lambda p, r, f, tp, fp, fn: (p if tp + fp else 1, r if tp + fn else
 1, f))
equal labels are hits | both labels are equal | lambda y, p: ((a := over((y == p).sum(), p.sum())), (b := over((y ==
 p).sum(), y.sum())), over(2 * a * b, a + b))
two decimals | rounded; | lambda y, p: np.round(three(y, p), 2)
macro average | (macro) | lambda y, p: sklearn.metrics.precision_recall_fscore_support(y, p, average="macro",
 zero_division=0)[:3]
Jaccard for F1 | Jaccard | lambda y, p: three(y, p, lambda p, r, f, tp, fp, fn: (p, r, over(tp, tp + fp + fn)))
differences of totals | difference of the totals | lambda y, p: three(y, p, count=lambda y, p: (cells(y, p)[0],
 max(sum(p) - sum(y), 0), max(sum(y) - sum(p), 0)))""",
    "macro_micro_f1": """
labels of y_true | never true are left out | lambda y, p: two(y, p, lambda y, p: np.unique(y))
accuracy of the labels | mean accuracy | lambda y, p: two(y, p, micro=lambda y, p: np.mean([np.mean((y == c) == (p ==
 c)) for c in both(y, p)]))
weighted by rows | weighted by the rows | lambda y, p: two(y, p, macro=lambda f: np.average(f, weights=[(y == c).sum()
 for c in both(y, p)]))
micro first | are swapped | lambda y, p: two(y, p)[::-1]
labels 0 to the greatest | 0 to the greatest | lambda y, p: two(y, p, lambda y, p: range(int(max(y.max(), p.max())) +
 1))
labels without a hit left out | without a hit | lambda y, p: two(y, p, macro=lambda f: np.mean([x for x in f if x] or
 [0]))
F1 of the means | F1 of mean precision | lambda y, p: two(y, p, macro=lambda f: of_means(y, p))
macro alone | !one number | lambda y, p: two(y, p)[0]
no guard | 0/0 is not handled | lambda y, p: two(y, p, macro=lambda f: np.mean(f) if all(f) else NAN)
labels 0 and 1 | labels 0 and 1 alone | lambda y, p: two(y, p, lambda y, p: [0, 1])""",
    "cohen_kappa": """
one over the classes | Bennett | lambda y, p: kappa(y, p, lambda y, p: 1 / len(both(y, p)))
raw agreement | raw agreement | lambda y, p: np.mean(y == p)
pooled shares | Scott | lambda y, p: kappa(y, p, lambda y, p: sum((((y == c).mean() + (p == c).mean()) / 2) ** 2 for c
 in both(y, p)))
0/0 in Python | ZeroDivisionError | lambda y, p: kappa(y, p) if len(both(y, p)) > 1 else 0 / 0
never below 0 | ?cut off at 0 | lambda y, p: max(0, kappa(y, p)) if len(both(y, p)) > 1 else NAN
chance of label 1 | label 1 alone | lambda y, p: kappa(y, p, lambda y, p: (y == 1).mean() * (p == 1).mean())
1 for two constants | yours is 1; | lambda y, p: kappa(y, p, zero=1.0)
labels by bincount | !UFuncTypeError | lambda y, p: kappa(y, p) if max(y.max(), p.max()) + 1 else 0
over the disagreement | divided by 1 - p_o | lambda y, p: kappa(y, p, last=lambda po, pe: (po - pe) / (1 - po) if po <
 1 else 1.0)
Matthews | Matthews | lambda y, p: sklearn.metrics.matthews_corrcoef(y, p) if len(both(y, p)) > 1 else NAN
small letters | upper and lower case | lambda y, p: kappa(*(np.char.lower(v) if v.dtype.kind == "U" else v for v in (y,
 p)))""",
    "reciprocal_rank": """
argmax without any | ?argmax is 0 | lambda rel, k: 1 / (np.argmax(rel[:k] > 0) + 1)
ranks from 0 | ranks start at 0 | lambda rel, k: first(rel, k, start=0)
grades of 1 alone | exactly 1 | lambda rel, k: first(rel, k, lambda g: g == 1)
the rank | this is the rank; | lambda rel, k: first(rel, k, value=float)
k is ignored | k is ignored | lambda rel, k: first(rel, len(rel))
nan without a hit | undefined here | lambda rel, k: first(rel, k, none=NAN)
any true value | ?negative value | lambda rel, k: first(rel, k, bool)
all hits | are added | lambda rel, k: sum(1 / i for i, g in enumerate(rel[:k], 1) if g > 0)
a loop over k | k beyond the list | lambda rel, k: next((1 / (i + 1) for i in range(k) if rel[i] > 0), 0.0)
the last hit | last hit | lambda rel, k: 1 / (np.flatnonzero(rel[:k] > 0)[-1] + 1) if (rel[:k] > 0).any() else 0""",
    "expected_reciprocal_rank": """
top of the list | taken from the list | lambda *a: err(*a, lambda g, m, top: (2**g - 1) / 2**top)
2^max - 1 | 2^max - 1 | lambda *a: err(*a, lambda g, m, top: (2**g - 1) / (2**m - 1))
no rank | there is no 1 / rank | lambda *a: err(*a, weight=lambda r: 1)
own probability first | own probability | lambda *a: err(*a, early=True)
^ for a power | exclusive or | lambda *a: err(*a, lambda g, m, top: (2 ^ g - 1) / (2 ^ m))
logarithmic discount | that of NDCG | lambda *a: err(*a, weight=lambda r: 1 / log2(r + 1))
divided by k | divided by k | lambda g, k, m: err(g, k, m) / k
k is ignored | k is ignored | lambda g, k, m: err(g, len(g), m)
grade over top | grade / max_grade | lambda *a: err(*a, lambda g, m, top: g / m)
ranks from 0 | !Every test ends in an error | lambda *a: err(*a, start=0)""",
    "intra_list_similarity": """
mean of the matrix | diagonal is counted | lambda s: s.mean()
mean with zeros | counts the zeros | lambda s: np.triu(s, 1).mean()
a sum | sum over the pairs | lambda s: pairs(s, np.sum)
a diagonal of ones | as if it held ones | lambda s: (s.sum() - len(s)) / (len(s) * (len(s) - 1)) if len(s) > 1 else NAN
zeros left out | similarity 0 are left out | lambda s: pairs(s, lambda u: u[u != 0].mean() if u.any() else 0.0)
neighbours | neighbours | lambda s: np.diag(s, 1).mean() if len(s) > 1 else NAN
absolute values | sign of the similarities | lambda s: pairs(s, lambda u: np.abs(u).mean())
0 for one item | yours is 0; | lambda s: pairs(s, none=0.0)
the greatest | greatest similarity | lambda s: pairs(s, np.max)
divided by n^2 | n^2 | lambda s: pairs(s, lambda u: u.sum() / len(s) ** 2)""",
    "perplexity": """
mean of the sentences | averaged the texts' perplexities; | lambda s: np.mean([np.exp(-np.mean(x)) for x in s])
2 to the nats | 2 is raised | lambda s: 2 ** -flat(s).mean()
one token too few | one too small | lambda s: np.exp(-flat(s).sum() / np.float64(flat(s).size - 1))
no end tokens | end tokens are left out | lambda s: np.exp(-np.mean([t for x in s for t in x[:-1]]))
no exp | cross-entropy, in nats | lambda s: -flat(s).mean()
product | ?probabilities are multiplied | lambda s: np.prod(np.exp(flat(s))) ** (-1 / flat(s).size)
not divided | not divided | lambda s: np.exp(-flat(s).sum())
divided by sentences | number of sentences | lambda s: np.exp(-flat(s).sum() / len(s))
finite tokens | impossible tokens | lambda s: np.exp(-flat(s)[np.isfinite(flat(s))].mean())
mean of a ragged list | different length is an error | lambda s: np.exp(-np.mean(s))""",
    "kl_divergence": """
nats | log base e | lambda p, q: terms(p, q, np.log).sum()
the other direction | KL(q||p) | lambda p, q: terms(q, p).sum()
0 log 0 | 0 * log 0 | lambda p, q: (p * np.log2(p / q)).sum()
added to both | small number is added | lambda p, q: ((p + 1e-12) * np.log2((p + 1e-12) / (q + 1e-12))).sum()
impossible beliefs skipped | with q = 0 are skipped | lambda p, q: terms(p[q > 0], q[q > 0]).sum()
a mean | mean over the events | lambda p, q: terms(p, q).mean()
cross-entropy | cross-entropy | lambda p, q: -sum(a * np.log2(b) for a, b in zip(p, q, strict=True) if a > 0)
Jensen-Shannon | Jensen-Shannon | lambda p, q: (terms(p, (p + q) / 2).sum() + terms(q, (p + q) / 2).sum()) / 2
bounded belief | bounds them | lambda p, q: terms(p, np.maximum(q, 1e-9)).sum()
absolute terms | lose their sign | lambda p, q: np.abs(terms(p, q)).sum()
rare events dropped | small p | lambda p, q: terms(np.where(p < 1e-6, 0, p), q).sum()""",
    "expected_calibration_error": """
bins weigh alike | weighs the same | lambda *a: binned(*a, total=lambda gaps, w: gaps.mean())
lower edges | lower edge and not | lambda *a: binned(*a, lambda p, n: np.minimum((p * n).astype(int), n - 1))
one bin too few | one bin too few | lambda *a: binned(*a, lambda p, n: np.searchsorted(np.linspace(0, 1, n)[1:-1], p))
middle of the bin | middle of the bin | lambda *a: binned(*a, middle=True)
ten bins | fixed or bounded | lambda *a: binned(*a, lambda p, n: np.maximum(np.ceil(p * 10) - 1, 0))
at most fifteen | fixed or bounded | lambda *a: binned(*a, lambda p, n: np.maximum(np.ceil(p * min(n, 15)) - 1, 0))
squares | squared | lambda *a: binned(*a, gap=np.square)
signs | keep their sign | lambda *a: binned(*a, gap=float)
empty bins | not skipped | every_bin
being right | max(p, 1 - p) | lambda y, p, n: binned(1 * ((p >= 0.5) == y), np.maximum(p, 1 - p), n)
equally filled | equal numbers of rows | lambda *a: binned(*a, lambda p, n: np.searchsorted(np.quantile(p, np.arange(1,
 n) / n), p))""",
    "bootstrap_interval": """
1 - level at each end | cut off at each end | lambda *a: interval(*a, lambda a: [1 - a, a])
columns | over the columns | lambda *a: interval(*a, of=lambda v, i: v[i].mean(axis=0))
percentages | taken for percentages | lambda *a: interval(*a, q=np.percentile)
medians | the median | lambda *a: interval(*a, of=lambda v, i: np.median(v[i], axis=1))
upper end first | upper end comes first | lambda *a: interval(*a, lambda a: [(1 + a) / 2, (1 - a) / 2])
normal | normal interval | normal
no interpolation | is not interpolated | lambda *a: interval(*a, q=lambda m, q: np.sort(m)[int(q * (len(m) - 1))])
sums | added up | lambda *a: interval(*a, of=lambda v, i: v[i].sum(axis=1))
always 95 per cent | always 0.95 | lambda *a: interval(*a, lambda a: [0.025, 0.975])
the width | !one number | lambda *a: np.diff(interval(*a))[0]""",
    "auc_by_histogram": """
bins on 0 to 1 | between 0 and 1 | lambda *a: counted(*a, lambda s, bins: np.clip(s * bins, 0, bins - 1))
no last bin | falls out | no_last_bin
one bin too few | one bin too few | lambda *a: counted(*a, lambda s, bins: edges(s, bins, extra=0))
ties lost | counts nothing here | lambda *a: counted(*a, value=lambda p, b, n: (p * b).sum())
whole pairs | twice too wide | lambda *a: counted(*a, half=1)
upper edges | upper edge and not | lambda *a: counted(*a, lambda s, bins: edges(s, bins, "left"))
equally filled | equal numbers of rows | lambda *a: counted(*a, lambda s, b: np.searchsorted(np.quantile(s,
 np.arange(1, b) / b), s, "right"))
the exact AUC | AUC of the scores | lambda *a: (each(*a[:2]), counted(*a)[1])
the value alone | !one number | lambda *a: counted(*a)[0]
a width of zero | ?width 0 | lambda *a: counted(*a) if 1 / float(np.ptp(a[1])) else 0""",
    "gauc_sql": """
users weigh alike | is not weighted | changed(USERS, ("SUM(n * auc) / SUM(n)", "AVG(auc)"))
users are compared | all rows together | f"SELECT {SHARE} FROM {PAIRS}"
NULLs weigh | weights count rows with a NULL | f"SELECT AVG(auc) FROM log JOIN {AUCS} ON u = user_id"
one class counts 0 | one class count 0 | changed(USERS, ("n * auc", "n * COALESCE(auc, 0)"), (" WHERE auc IS NOT NULL",
 ""))
ROW_NUMBER | ROW_NUMBER | changed(USERS, ("RANK", "ROW_NUMBER"), ("(COUNT(*) OVER (PARTITION BY user_id, score) - 1)",
 "0"))
ties of all users | PARTITION BY score lacks | changed(USERS, ("PARTITION BY user_id, score", "PARTITION BY score"))
weighted by clicks | by their clicks | changed(USERS, ("COUNT(*) AS n", "SUM(y) AS n"))
a row for each user | !2 rows with 2 columns | f"SELECT u, auc FROM {AUCS}"
0 for nobody | yours is 0; | changed(USERS, ("SUM(n * auc) / SUM(n)", "COALESCE(SUM(n * auc) / SUM(n), 0)"))
integers | ?integer divided | changed(USERS, ("- 1) / 2.0", "- 1) / 2"), ("1.0 * ", ""))
weighted by pairs | by their pairs | f"SELECT {SHARE} FROM {PAIRS} AND p.user_id = n.user_id\"""",
    "token_f1": """
sets | taken as sets | lambda o, r: f1_of(o, r, lambda t: set(words(t)), lambda a, b: len(a & b))
shared kinds over all tokens | counts once, while | lambda o, r: f1_of(o, r, same=lambda a, b: len(set(a) & set(b)))
articles stay | articles are kept | lambda o, r: f1_of(o, r, lambda t: bare(t).split())
blanks for signs | becomes a blank | lambda o, r: f1_of(o, r, lambda t: words(t, lambda t: bare(t, blank=" ")))
case stays | capitals are kept | lambda o, r: f1_of(o, r, lambda t: words(t, lambda t: "".join(c for c in t if c not in
 string.punctuation)))
only letters and digits | all signs are deleted | lambda o, r: f1_of(o, r, lambda t: words(t, lambda t:
 re.sub(r"[^\\w\\s]", "",
 t.lower())))
mean over the references | mean over the references | lambda o, r: f1_of(o, r, best=np.mean)
the first reference | first reference | lambda o, r: f1_of(o, r[:1])
the last reference | last reference | lambda o, r: f1_of(o, r[-1:])
recall | this is recall | lambda o, r: f1_of(o, r, value=lambda c, a, b: c / b)
both empty is 0 | ?two empty texts | lambda o, r: f1_of(o, r, empty=lambda a, b: 0.0)
found in the reference | occurs in one text | lambda o, r: f1_of(o, r, same=lambda a, b: sum(t in b for t in a))
exact match | ?exact match | lambda o, r: f1_of(o, r, value=lambda *_: 0.0, same=lambda a, b: 0) or f1_of(o, r, lambda
 t: ["
 ".join(words(t))])
signs at the ends | ends of a word | lambda o, r: f1_of(o, r, lambda t: [w for w in (x.strip(string.punctuation) for x
 in
 t.lower().split()) if w not in ("a", "an", "the", "")])
all references in one | put together into one | lambda o, r: f1_of(o, [" ".join(r)])
divides by nothing | an empty text makes 0/0 | lambda o, r: f1_of(o, r, empty=lambda a, b: 2 * 0 / len(a + b))""",
    "ips": """
upside down | upside down | lambda r, p, q: weighed(r, p, q, lambda p, q: p / q)
no weights | nothing is weighted | lambda r, p, q: weighed(r, p, q, lambda p, q: np.ones(len(p)))
divided by the clicks | sum of the rewards | lambda *a: weighed(*a, ips=lambda w, r: r.sum())
clipped at 10 | large weights are cut | lambda r, p, q: weighed(r, p, q, lambda p, q: np.minimum(q / p, 10))
the other order | IPS first | lambda *a: weighed(*a)[::-1]
IPS alone | !one number | lambda *a: weighed(*a)[0]
weights of clicks | ?rows with a reward | lambda *a: weighed(*a, snips=lambda w, r: w[r > 0].sum())
rows with a weight | rows with a weight | lambda *a: weighed(*a, ips=lambda w, r: (w > 0).sum())
the new chance alone | leave out the old | lambda r, p, q: weighed(r, p, q, lambda p, q: q)
one over the old chance | leave out the new | lambda r, p, q: weighed(r, p, q, lambda p, q: 1 / p)
0 without support | yours is [0, 0] | lambda r, p, q: [0, 0] if not q.any() else weighed(r, p, q)
divided twice | divided twice | lambda *a: weighed(*a, snips=lambda w, r: w.sum() * len(w))
at most 1 | between 0 and 1 | lambda *a: np.minimum(weighed(*a), 1)
a small number in the divisor | small number is added | lambda r, p, q: weighed(r, p, q, lambda p, q: q / (p + 1e-8))
where both agree | counts in full | lambda r, p, q: weighed(r, p, q, lambda p, q: (q > 0) * 1.0, ips=lambda w, r:
 w.sum())""",
    "ab_test": """
pooled | standard error is pooled | lambda *a: arms(*a, pooled)
pooled for the test | z has the pooled | lambda *a: arms(*a, z=pooled)
one side | one-sided | lambda *a: arms(*a, p=lambda z: math.erfc(abs(z) / 2**0.5) / 2)
no absolute value | exceeds 1 | lambda *a: arms(*a, p=lambda z: 2 * (1 - NormalDist().cdf(z)))
errors added | of the arms are added | lambda *a: arms(*a, lambda a, na, b, nb: math.sqrt(a * (1 - a) / na) +
 math.sqrt(b * (1 - b) / nb))
the variance | this is the variance | lambda *a: arms(*a, lambda *r: unpooled(*r) ** 2)
relative lift | relative lift | lambda *a: arms(*a, lift=lambda a, b: (b - a) / a if a else NAN)
old less new | new less old | lambda *a: arms(*a, lift=lambda a, b: a - b)
no root of 2 | wants |z| / sqrt(2) | lambda *a: arms(*a, p=lambda z: 1 - math.erf(abs(z)))
confidence | this is 1 - p | lambda *a: arms(*a, p=lambda z: math.erf(abs(z) / 2**0.5))
all users below | put together in the divisor | lambda *a: arms(*a, lambda a, na, b, nb: math.sqrt((a * (1 - a) + b *
 (1 - b)) / (na + nb)))
z for p | number is z | lambda *a: arms(*a, p=lambda z: z)
0/0 in Python | ZeroDivisionError | lambda *a: arms(*a) if unpooled(a[0] / a[1], a[1], a[2] / a[3], a[3]) else 0 / 0
1 for 0/0 | yours is [0, 0, 1] | lambda *a: arms(*a)[:2] + (1.0 if math.isnan(arms(*a)[2]) else arms(*a)[2],)
one less in the divisor | n - 1 | lambda *a: arms(*a, lambda a, na, b, nb: math.sqrt(a * (1 - a) / max(na - 1, 1) + b *
 (1
 - b) / max(nb - 1, 1)))
percentages | in per cent | lambda *a: (100 * arms(*a)[0], 100 * arms(*a)[1], arms(*a)[2])""",
    "temperature": """
exp overflows | exp overflows | lambda *a: cooled(*a, log=lambda z: np.log(plain_softmax(z)))
the logarithm of 0 | becomes 0 | lambda *a: cooled(*a, log=lambda z: np.log(shifted(z)))
multiplied | are multiplied | lambda *a: cooled(*a, by=lambda z, t: z * t)
the place of the temperature | place of the candidate | lambda z, y, ts: (list(ts).index(cooled(z, y, ts)[0]),
 cooled(z, y, ts)[1])
a sum | added up | lambda *a: cooled(*a, total=np.sum)
bits | base 2 | lambda *a: cooled(*a, cost=lambda logp, y: -logp[np.arange(len(y)), y] / log(2))
the most likely class | likeliest class | lambda *a: cooled(*a, cost=lambda logp, y: -logp.max(axis=1))
loss at 1 | at temperature 1 | lambda z, y, ts: (cooled(z, y, ts)[0], cooled(z, y, [1.0])[1])
Brier score | Brier | lambda *a: cooled(*a, cost=brier)
the last of equal ones | of equal losses | lambda *a: cooled(*a, pick=lambda x: len(x) - 1 - np.argmin(x[::-1]))
columns | down the columns | lambda *a: cooled(*a, log=lambda z: z - np.logaddexp.reduce(z, axis=0, keepdims=True))
clipped | bounded below | lambda *a: cooled(*a, log=lambda z: np.log(np.clip(shifted(z), 1e-12, 1)))
loss first | order is wrong | lambda *a: cooled(*a)[::-1]
the greatest loss | highest loss | lambda *a: cooled(*a, pick=np.argmax)
the temperature alone | !one number | lambda *a: cooled(*a)[0]
sigmoids | sigmoid of its own | lambda *a: cooled(*a, log=lambda z: -np.logaddexp(0, -z))""",
}

RIGHT = {
    "auc": """
lambda y, s: Fraction(sum(bisect.bisect_left(n := sorted(s[y == 0]), p) + bisect.bisect_right(n, p) for p in s[y == 1]),
 2 * int(y.sum()) * int((1 - y).sum())) if 0 < y.sum() < len(y) else NAN
lambda y, s: np.heaviside(np.subtract.outer(s[y == 1], s[y == 0]), 0.5).mean() if 0 < y.sum() < len(y) else np.nan
lambda y, s: ranked(y, s, pd.Series(s).rank())
lambda y, s: Decimal(each(y, s))
lambda y, s: np.float32((np.sign(s[y == 1][:, None] - s[y == 0]).mean() + 1) / 2) if 0 < y.sum() < len(y) else NAN""",
    "gauc": """
lambda y, s, g: grouped(y, s, g)
lambda y, s, g: np.average([x for x, _ in v], weights=[w for _, w in v]) if (v := [(each(y[i], s[i]), len(i)) for i in
 pd.Series(y).groupby(g).indices.values()
 if 0 < y[i].sum() < len(i)]) else NAN""",
    "ndcg_at_k": """
lambda r, k: (lambda d: d(r) / d(np.sort(r)[::-1]) if r.any() else NAN)(lambda r: reduce(lambda a, x: a + x[1] /
 log(x[0], 2), enumerate(r[:k], 2), 0.0))
lambda r, k: np.array((w := (np.arange(len(r)) < k) / np.log2(np.arange(2, len(r) + 2))) @ r /
 np.float64(np.sort(r)[::-1] @ w))
lambda r, k: np.divide(dcg(r, k), dcg(sorted(r, key=lambda x: -x), k))""",
    "average_precision": """
lambda r, k, n: sum(Fraction(j, i) for j, i in enumerate((i for i, x in enumerate(r[:k], 1) if x > 0), 1)) / int(n) if
 n else NAN
lambda r, k, n: np.float64((np.cumsum(h := r[:k] > 0) / np.arange(1, h.size + 1))[h].sum()) / n
lambda r, k, n: math.fsum((r[: i + 1] > 0).mean() for i in np.flatnonzero(r[:k] > 0)) / n if n else NAN""",
    "hit_rate": """
lambda *a: users(*a, lambda h, t: (x for x in ((h > 0).mean(), h.mean() / a[1], (h / t).mean())))
lambda *a: users(*a, lambda h, t: pd.Series({"hit": (h > 0).mean(), "precision": (h / a[1]).mean(), "recall": (h /
 t).mean()}))
lambda *a: users(*a, lambda h, t: np.array([np.count_nonzero(h) / len(h), h.sum() / (a[1] * len(h)), np.mean(h /
 t)]))""",
    "log_loss": """
lambda y, p: -np.log(np.where(y, p, 1 - p).clip(EPS, 1 - EPS)).mean()
lambda y, p: math.fsum(-log(max(min(b, 1 - EPS), EPS) if a else 1 - max(min(b, 1 - EPS), EPS)) for a, b in zip(y, p)) /
 len(y)
lambda y, p: np.average([-log(q) if t else -math.log1p(-q) for t, q in zip(y, np.clip(p, EPS, 1 - EPS))])""",
    "roc_points": """
lambda y, s: curve(y, s, [math.inf, *np.unique(s)[::-1]])
walked""",
    "auc_sql": """
f"SELECT {SHARE} FROM {PAIRS};"
RANKS
changed(RANKS, ("RANK() OVER (ORDER BY score) +", "COUNT(*) OVER (ORDER BY score) -"))
GROUPS""",
    "precision_recall_f1": """
lambda y, p: sklearn.metrics.precision_recall_fscore_support(y, p, average="binary", zero_division=0)[:3]
lambda y, p: three(y, p, lambda p, r, f, *_: [Fraction(p), Decimal(r), f])
lambda y, p: np.array([over(y @ p, p.sum()), over(y @ p, y.sum()), over(2 * (y @ p), p.sum() + y.sum())])""",
    "macro_micro_f1": """
lambda y, p: [sklearn.metrics.f1_score(y, p, average=a, zero_division=0) for a in ("macro", "micro")]
lambda y, p: ((2 * np.diag(t := sklearn.metrics.confusion_matrix(y, p)) / (t.sum(0) + t.sum(1))).mean(), np.trace(t) /
 t.sum())
lambda y, p: iter(two(y, p, macro=lambda f: math.fsum(f) / len(f)))""",
    "cohen_kappa": """
lambda y, p: sklearn.metrics.cohen_kappa_score(y, p) if len(both(y, p)) > 1 else NAN
lambda y, p: 1 - np.float64((y != p).mean()) / np.mean(y[:, None] != p) if len(both(y, p)) > 1 else np.nan
lambda y, p: kappa(y, p, lambda y, p: Fraction(sum(n * p.tolist().count(c) for c, n in Counter(y.tolist()).items()),
 len(y) ** 2))""",
    "reciprocal_rank": """
lambda rel, k: max([Fraction(1, i) for i, g in enumerate(rel[:k], 1) if g > 0], default=0)
lambda rel, k: np.max((rel[:k] > 0) / np.arange(1, len(rel[:k]) + 1))
lambda rel, k: 0.0 if not (h := np.flatnonzero(rel[:k] > 0)).size else 1.0 / (1 + h[0])""",
    "expected_reciprocal_rank": """
too_deep
lambda g, k, m: err(g, k, m, lambda grade, top, _: Fraction(2**grade - 1, 2**top))
lambda g, k, m: ((s := (np.ldexp(1.0, g[:k]) - 1) / 2**m) * np.r_[1, np.cumprod(1 - s)][: len(s)] / np.arange(1, len(s)
 + 1)).sum()""",
    "intra_list_similarity": """
lambda s: np.mean([s[i, j] for i, j in itertools.combinations(range(len(s)), 2)] or NAN)
lambda s: np.float64(s.sum() - s.diagonal().sum()) / (len(s) ** 2 - len(s)) if len(s) - 1 else NAN
lambda s: np.tril(s, -1).sum() / math.comb(len(s), 2) if len(s) > 1 else NAN""",
    "perplexity": """
lambda s: math.exp(-math.fsum(t for x in s for t in x) / sum(map(len, s)))
lambda s: np.float64(2) ** (-flat(s).mean() / log(2))
lambda s: np.exp(np.average([-np.mean(x) for x in s], weights=[len(x) for x in s]))""",
    "kl_divergence": """
lambda p, q: scipy.stats.entropy(p, q, base=2)
lambda p, q: sum((a * log2(a / b) if b else math.inf) for a, b in zip(p.tolist(), q.tolist(), strict=True) if a)
lambda p, q: float(terms(p, q, np.log).sum() / np.log(2))""",
    "expected_calibration_error": """
lambda y, p, n: pd.Series(y - p).groupby(np.clip(np.ceil(p * n), 1, None)).sum().abs().sum() / len(y)
lambda y, p, n: math.fsum(abs(v) for v in reduce(lambda d, x: d.__setitem__(x[0], d[x[0]] + x[1]) or d,
 zip(np.maximum(1, np.ceil(p * n)).tolist(), (y - p).tolist()), defaultdict(float)).values()) / len(y)
lambda y, p, n: np.abs(np.bincount(np.digitize(p, np.arange(1, n) / n, right=True), y - p)).sum() / len(y)""",
    "bootstrap_interval": """
lambda v, i, a: np.percentile(np.take(v, i).mean(1), [50 - 50 * a, 50 + 50 * a])
lambda v, i, a: [(m := sorted(float(np.mean(v[j])) for j in i))[int(x)] * (1 - x % 1) + m[min(int(x) + 1, len(m) - 1)]
 * (x % 1)
 for x in ((len(i) - 1) * (1 - a) / 2, (len(i) - 1) * (1 + a) / 2)]
lambda v, i, a: np.interp([(1 - a) / 2, (1 + a) / 2], np.arange(len(i)) / max(len(i) - 1, 1), np.sort([v[j].sum() /
 len(j) for j in i]))""",
    "auc_by_histogram": """
counted
lambda y, s, b: counted(y, s, b, edges)
lambda y, s, b: ((lambda w, t: (w + t / 2, t / 2))(*((f(*np.ix_(*(np.floor(even(s, b))[y == c] for c in (1,
 0))))).mean() for f in (np.greater, np.equal)))
 if 0 < y.sum() < len(y) else [NAN, NAN])""",
    "gauc_sql": """
USERS.lower()
f"SELECT AVG(auc) FROM log JOIN {AUCS} ON u = user_id WHERE {KEPT}"
changed(USERS, ("SUM(n * auc) / SUM(n)", "SUM(n * auc) / SUM(n) FILTER (WHERE auc >= 0)"), (" WHERE auc IS NOT NULL",
 ""))""",
    "token_f1": """
as_printed
lambda o, r: max(Fraction(2 * sum(min(a.count(t), b.count(t)) for t in {*a}), len(a) + len(b)) if a + b else 1 for a in
 [words(o)] for b in map(words, r))
lambda o, r: f1_of(o, r, lambda t: [w for w in t.lower().translate({ord(c): None for c in string.punctuation}).split()
 if w not in {"a", "an", "the"}])""",
    "ips": """
walked_log
lambda r, p, q: (np.mean(r * q / p), np.average(r, weights=q / p) if q.any() else NAN)
lambda r, p, q: np.dot(q / p, r) / np.array([len(r), np.sum(q / p)])""",
    "ab_test": """
lambda ka, na, kb, nb: (d := kb / nb - ka / na, s := unpooled(ka / na, na, kb / nb, nb), 2 * (1 -
 NormalDist().cdf(abs(d) / s)) if s else NAN)
lambda *a: arms(*a, lambda a, na, b, nb: (np.var([0] * round(na - a * na) + [1] * round(a * na)) / na + np.var([0] *
 round(nb - b * nb) + [1] * round(b * nb)) / nb) ** 0.5)
lambda *a: arms(*a, p=lambda z: 1 - math.erf(abs(z) / math.sqrt(2)))""",
    "temperature": """
row_by_row
lambda z, y, ts: min((-np.mean(scipy.special.log_softmax(z / t, axis=1)[range(len(y)), y]), t) for t in ts)[::-1]
lambda *a: cooled(*a)""",
}


def rows(table):
    """Each row of a table, with the name of its exercise."""
    return [(name, row) for name, text in table.items() for row in text.strip().replace("\n ", " ").split("\n")]


def code(text):
    return eval(text, globals())
