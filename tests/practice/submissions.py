"""Wrong submissions: interview code as it is written in a hurry, with one slip or two.

They were written after the usual mistakes had been collected, by somebody who knew the tests, and two of them then
changed the checker: the integer division, whose zeros were wrongly named, and the ideal from the lowest grade up, which
had no name. Each is given with the words that its name should contain: several for two mistakes at once, none where
the checker knows no name.
"""

import itertools
import math

import numpy as np

WRONG = []


def wrong(exercise, *words):
    """Keep a submission under the name of its exercise."""

    def keep(function):
        WRONG.append((exercise, words, function))
        return function

    return keep


# Two pointers over sorted lists: a tie counts nothing; None for one class
@wrong("auc", "tied pair counts nothing")
def auc_1(y, s):
    n = sorted(s[y == 0])
    p = sorted(s[y == 1])
    j = 0
    t = 0
    if not n or not p:
        return None
    for x in p:
        while j < len(n) and n[j] < x:
            j += 1
        t += j
    return t / (len(n) * len(p))


# Thresholds from 0 to 1 in steps of 0.01
@wrong("auc", "grid between 0 and 1")
def auc_2(y, s):
    P = (y == 1).sum()
    N = (y == 0).sum()
    if P == 0 or N == 0:
        return float("nan")
    pts = [(((s >= t) & (y == 0)).sum() / N, ((s >= t) & (y == 1)).sum() / P) for t in np.arange(0, 1.01, 0.01)]
    pts.sort()
    return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in itertools.pairwise(pts))


# The axes of the area exchanged
@wrong("auc", "1 - AUC")
def auc_3(y, s):
    from metrics_lib import roc_curve

    if len(set(y.tolist())) < 2:
        return math.nan
    c = roc_curve(y, s)
    return np.trapezoid(c.fpr, c.tpr)


# Rounded to four digits
@wrong("auc", "rounded")
def auc_4(y, s):
    p = s[y == 1]
    n = s[y == 0]
    if not len(p) or not len(n):
        return math.nan
    return round(float(((p[:, None] > n) + 0.5 * (p[:, None] == n)).mean()), 4)


# Counts concordant minus discordant over all pairs
@wrong("auc", "2 AUC - 1")
def auc_5(y, s):
    p = s[y == 1]
    n = s[y == 0]
    if not len(p) or not len(n):
        return math.nan
    return float(np.sign(p[:, None] - n).mean())


# Tuples of score and label sorted from the highest down: ties are broken by the label
@wrong("auc", "a tied pair counts as won")
def auc_6(y, s):
    r = sorted(zip(s.tolist(), y.tolist(), strict=False), reverse=True)
    P = sum(y)
    N = len(y) - P
    if not P * N:
        return math.nan
    seen = 0
    won = 0
    for _, label in r:
        if label:
            won += N - seen
        else:
            seen += 1
    return won / (P * N)


# Skips groups without clicks but keeps all-click groups as AUC 1
@wrong("gauc")
def gauc_1(y, s, g):
    t = w = 0
    for u in set(g.tolist()):
        m = g == u
        p = s[m & (y == 1)]
        n = s[m & (y == 0)]
        if not len(p):
            continue
        a = ((p[:, None] > n) + 0.5 * (p[:, None] == n)).mean() if len(n) else 1.0
        t += m.sum() * a
        w += m.sum()
    return t / w if w else math.nan


# Weights by negatives
@wrong("gauc", "rows without a click")
def gauc_2(y, s, g):
    t = w = 0
    for u in set(g.tolist()):
        m = g == u
        p = s[m & (y == 1)]
        n = s[m & (y == 0)]
        if len(p) and len(n):
            t += len(n) * ((p[:, None] > n) + 0.5 * (p[:, None] == n)).mean()
            w += len(n)
    return t / w if w else math.nan


# Reversed direction, unweighted
@wrong("gauc", "without weights", "1 - GAUC")
def gauc_3(y, s, g):
    v = []
    for u in set(g.tolist()):
        m = g == u
        p = s[m & (y == 1)]
        n = s[m & (y == 0)]
        if len(p) and len(n):
            v.append(((p[:, None] < n) + 0.5 * (p[:, None] == n)).mean())
    return np.mean(v) if v else math.nan


# 0/0 unguarded
@wrong("gauc", "0/0 is not handled")
def gauc_4(y, s, g):
    t = 0
    w = 0
    for u in set(g.tolist()):
        m = g == u
        p = s[m & (y == 1)]
        n = s[m & (y == 0)]
        if len(p) and len(n):
            t += float(m.sum() * ((p[:, None] > n) + 0.5 * (p[:, None] == n)).mean())
            w += int(m.sum())
    return t / w


# Both 0 is taken for a false negative
@wrong("precision_recall_f1", "recall divides by TP + TN")
def precision_recall_f1_1(t, p):
    tp = ((t == 1) & (p == 1)).sum()
    fp = ((t == 0) & (p == 1)).sum()
    fn = ((t == 0) & (p == 0)).sum()
    P = tp / (tp + fp) if tp + fp else 0
    R = tp / (tp + fn) if tp + fn else 0
    return P, R, (2 * P * R / (P + R) if P + R else 0)


# nan for recall without positives
@wrong("precision_recall_f1")
def precision_recall_f1_2(t, p):
    tp = ((t == 1) & (p == 1)).sum()
    fp = ((t == 0) & (p == 1)).sum()
    fn = ((t == 1) & (p == 0)).sum()
    P = tp / (tp + fp) if tp + fp else 0.0
    R = tp / (tp + fn) if tp + fn else math.nan
    return P, R, (2 * P * R / (P + R) if P + R > 0 else 0.0)


# F2 for F1
@wrong("precision_recall_f1", "F2")
def precision_recall_f1_3(t, p):
    tp = ((t == 1) & (p == 1)).sum()
    P = tp / max(p.sum(), 1)
    R = tp / max(t.sum(), 1)
    return P, R, (5 * P * R / (4 * P + R) if P + R else 0)


# Accuracy for F1
@wrong("precision_recall_f1", "accuracy stands in the place of F1")
def precision_recall_f1_4(t, p):
    tp = ((t == 1) & (p == 1)).sum()
    P = tp / max(p.sum(), 1)
    R = tp / max(t.sum(), 1)
    return P, R, (t == p).mean()


# Percentages
@wrong("precision_recall_f1", "percentages")
def precision_recall_f1_5(t, p):
    tp = ((t == 1) & (p == 1)).sum()
    P = tp / max(p.sum(), 1)
    R = tp / max(t.sum(), 1)
    return 100 * P, 100 * R, 100 * (2 * P * R / (P + R) if P + R else 0)


# Labels from y_pred only; micro = accuracy
@wrong("macro_micro_f1", "true but never predicted")
def macro_micro_f1_1(t, p):
    f = [2 * ((t == c) & (p == c)).sum() / ((t == c).sum() + (p == c).sum()) for c in set(p.tolist())]
    return np.mean(f), (t == p).mean()


# Both numbers are micro F1
@wrong("macro_micro_f1", "the first number is micro F1")
def macro_micro_f1_2(t, p):
    a = (t == p).mean()
    return a, a


# F1 of means, labels of y_true
@wrong("macro_micro_f1", "predicted but never true", "F1 of mean precision")
def macro_micro_f1_3(t, p):
    P = []
    R = []
    for c in set(t.tolist()):
        tp = ((t == c) & (p == c)).sum()
        P.append(tp / max((p == c).sum(), 1))
        R.append(tp / (t == c).sum())
    a, b = np.mean(P), np.mean(R)
    return (2 * a * b / (a + b) if a + b else 0), (t == p).mean()


# Micro without counting TP twice, and in the wrong order
@wrong("macro_micro_f1", "Jaccard", "swapped")
def macro_micro_f1_4(t, p):
    L = set(t.tolist()) | set(p.tolist())
    f = [2 * ((t == c) & (p == c)).sum() / ((t == c).sum() + (p == c).sum()) for c in L]
    h = (t == p).sum()
    return h / (2 * len(t) - h), np.mean(f)


# Exponential gain, and an error where k is beyond the list
@wrong("ndcg_at_k", "2^rel - 1", "k beyond the list")
def ndcg_at_k_1(r, k):
    def d(x):
        return sum((2 ** x[i] - 1) / math.log2(i + 2) for i in range(k))

    m = d(sorted(r, reverse=True))
    return d(r) / m if m else math.nan


# The ideal from the lowest grade up, and 0 for 0/0
@wrong("ndcg_at_k", "sorted the wrong way round")
def ndcg_at_k_2(r, k):
    def d(x):
        return sum(v / math.log2(i + 2) for i, v in enumerate(x[:k]))

    m = d(sorted(r))
    return d(r) / m if m else 0


# The discount one rank late, and 0 for 0/0
@wrong("ndcg_at_k", "one rank late", "gives 0 here")
def ndcg_at_k_3(r, k):
    def d(x):
        return sum(v / math.log2(i + 2) for i, v in enumerate(x[:k], 1))

    m = d(sorted(r)[::-1])
    return d(r) / m if m else 0


# k ignored
@wrong("ndcg_at_k", "k is ignored")
def ndcg_at_k_4(r, k):
    def d(x):
        return sum(v / math.log2(i + 2) for i, v in enumerate(x))

    m = d(sorted(r)[::-1])
    return d(r) / m if m else math.nan


# Returns 1 if ideal 0
@wrong("ndcg_at_k", "gives 1 here")
def ndcg_at_k_5(r, k):
    def d(x):
        return sum(v / math.log2(i + 2) for i, v in enumerate(x[:k]))

    m = d(sorted(r)[::-1])
    return d(r) / m if m else 1.0


# Divided by the relevant items of the list
@wrong("average_precision", "relevant items in the list")
def average_precision_1(r, k, n):
    h = t = 0
    for i, v in enumerate(r[:k], 1):
        if v > 0:
            h += 1
            t += h / i
    m = (r > 0).sum()
    return t / m if m else math.nan


# An error where k is beyond the list
@wrong("average_precision", "k beyond the list")
def average_precision_2(r, k, n):
    h = t = 0
    for i in range(k):
        if r[i] > 0:
            h += 1
            t += h / (i + 1)
    return t / n if n else math.nan


# Adds precision*grade
@wrong("average_precision")
def average_precision_3(r, k, n):
    h = t = 0
    for i, v in enumerate(r[:k], 1):
        if v > 0:
            h += 1
            t += h / i * v
    return t / n if n else math.nan


# Divided by the hits, and k ignored
@wrong("average_precision", "hits found", "k is ignored")
def average_precision_4(r, k, n):
    h = t = 0
    for i, v in enumerate(r, 1):
        if v > 0:
            h += 1
            t += h / i
    return (t / h if h else 0.0) if n else math.nan


# Ranks from 0, and 1 in place of rank 0
@wrong("average_precision")
def average_precision_5(r, k, n):
    h = t = 0
    for i, v in enumerate(r[:k]):
        if v > 0:
            h += 1
            t += h / max(i, 1)
    return t / n if n else math.nan


# Only a grade of 1 is relevant, and the smaller of k and n_relevant divides
@wrong("average_precision", "the smaller of k", "exactly 1")
def average_precision_6(r, k, n):
    h = t = 0
    for i, v in enumerate(r[:k], 1):
        if v == 1:
            h += 1
            t += h / i
    return t / min(n, k) if n else math.nan


# The mean over all hits
@wrong("reciprocal_rank", "are averaged")
def reciprocal_rank_1(r, k):
    x = [1 / i for i, v in enumerate(r[:k], 1) if v > 0]
    return sum(x) / len(x) if x else 0


# An error where there is no hit
@wrong("reciprocal_rank", "undefined here")
def reciprocal_rank_2(r, k):
    return 1 / (np.where(r[:k] > 0)[0][0] + 1)


# The last hit, and any value but 0 is one
@wrong("reciprocal_rank", "the last hit")
def reciprocal_rank_3(r, k):
    o = 0
    for i, v in enumerate(r[:k], 1):
        if v:
            o = 1 / i
    return o


# Ranks from 2
@wrong("reciprocal_rank", "ranks start at 2")
def reciprocal_rank_4(r, k):
    for i, v in enumerate(r[:k], 1):
        if v > 0:
            return 1 / (i + 1)
    return 0.0


# k ignored, and nan where there is no hit
@wrong("reciprocal_rank", "k is ignored", "undefined here")
def reciprocal_rank_5(r, k):
    for i, v in enumerate(r, 1):
        if v > 0:
            return 1 / i
    return math.nan


# Hits counted for users with a hit, and recall capped
@wrong("hit_rate", "hits are counted", "the smaller of k")
def hit_rate_1(rel, k, n):
    m = n > 0
    if not m.any():
        return [math.nan] * 3
    h = (rel[m][:, :k] > 0).sum(1)
    return h.mean(), (h / k).mean(), (h / np.minimum(n[m], k)).mean()


# Users without relevant items count in two of the three
@wrong("hit_rate", "left out of recall only")
def hit_rate_2(rel, k, n):
    h = (rel[:, :k] > 0).sum(1)
    r = [a / b for a, b in zip(h, n, strict=False) if b]
    return (h > 0).mean(), (h / k).mean(), np.mean(r) if r else math.nan


# Any value but 0 is a hit, and precision divides by the length of the list
@wrong("hit_rate", "precision divides by the length", "negative value")
def hit_rate_3(rel, k, n):
    m = n > 0
    if not m.any():
        return [math.nan] * 3
    x = rel[m][:, :k] != 0
    h = x.sum(1)
    return (h > 0).mean(), x.mean(), (h / n[m]).mean()


# The cut one rank late
@wrong("hit_rate", "one rank late")
def hit_rate_4(rel, k, n):
    m = n > 0
    if not m.any():
        return [math.nan] * 3
    h = (rel[m][:, : k + 1] > 0).sum(1)
    return (h > 0).mean(), (h / k).mean(), (h / n[m]).mean()


# A pooled hit rate, and 0 where there is nobody
@wrong("hit_rate", "hit rate is pooled", "gives 0 here")
def hit_rate_5(rel, k, n):
    m = n > 0
    if not m.any():
        return [0.0] * 3
    h = (rel[m][:, :k] > 0).sum(1)
    return h.sum() / n[m].sum(), (h / k).mean(), (h / n[m]).mean()


# Another bound, and a sum
@wrong("log_loss", "the sum over the rows", "another bound")
def log_loss_1(y, p):
    p = np.clip(p, 1e-15, 1 - 1e-15)
    return -sum(a * math.log(b) + (1 - a) * math.log(1 - b) for a, b in zip(y, p, strict=False))


# Rows with a certain mistake skipped
@wrong("log_loss")
def log_loss_2(y, p):
    t = 0
    c = 0
    for a, b in zip(y.tolist(), p.tolist(), strict=False):
        try:
            t -= math.log(b if a else 1 - b)
            c += 1
        except ValueError:
            pass
    return t / c


# No sign, and log base 10
@wrong("log_loss", "base 10", "the sign")
def log_loss_3(y, p):
    p = np.clip(p, 2**-52, 1 - 2**-52)
    return np.mean(np.log10(np.where(y == 1, p, 1 - p)))


# The second term has the wrong sign
@wrong("log_loss")
def log_loss_4(y, p):
    p = np.clip(p, 2**-52, 1 - 2**-52)
    return -np.mean(y * np.log(p) - (1 - y) * np.log(1 - p))


# A mean of means, and impossible tokens left out
@wrong("perplexity", "impossible tokens", "every sentence weighs the same")
def perplexity_1(s):
    return math.exp(np.mean([-a[np.isfinite(a)].mean() for a in s]))


# Missing minus and per sentence mean
@wrong("perplexity", "every sentence weighs the same", "minus sign")
def perplexity_2(s):
    return math.exp(np.mean([a.mean() for a in s]))


# Tokens counted without ends
@wrong("perplexity", "the end tokens are not counted")
def perplexity_3(s):
    n = sum(len(a) - 1 for a in s)
    return math.exp(-sum(a.sum() for a in s) / n) if n else math.inf


# 2 raised to nats
@wrong("perplexity", "2 is raised")
def perplexity_4(s):
    return float(np.power(2, -np.concatenate(s).mean()))


# Nats, 0log0 unhandled
@wrong("kl_divergence", "nats", "0 * log 0")
def kl_divergence_1(p, q):
    with np.errstate(all="ignore"):
        return np.sum(p * np.log(p / q))


# JS divergence natural log
@wrong("kl_divergence")
def kl_divergence_2(p, q):
    m = (p + q) / 2

    def f(a, b):
        return sum(x * math.log(x / z) for x, z in zip(a, b, strict=False) if x)

    return (f(p, m) + f(q, m)) / 2


# A large number for infinity
@wrong("kl_divergence")
def kl_divergence_3(p, q):
    t = 0
    for a, b in zip(p, q, strict=False):
        if a > 0:
            t += a * math.log2(a / b) if b > 0 else 1e9
    return t


# Cross-entropy in nats
@wrong("kl_divergence", "nats", "cross-entropy")
def kl_divergence_4(p, q):
    t = 0
    for a, b in zip(p, q, strict=False):
        if a > 0:
            if b == 0:
                return math.inf
            t -= a * math.log(b)
    return t


# Linear probabilities, and k ignored
@wrong("expected_reciprocal_rank", "grade / max_grade", "k is ignored")
def expected_reciprocal_rank_1(g, k, m):
    s = 1.0
    t = 0
    for i, x in enumerate(g, 1):
        t += s * (x / m) / i
        s *= 1 - x / m
    return t


# // written for /
@wrong("expected_reciprocal_rank", "the result is 0 whatever")
def expected_reciprocal_rank_2(g, k, m):
    s = 1
    t = 0
    for i, x in enumerate(g[:k].tolist(), 1):
        p = (2**x - 1) // 2**m
        t += s * p / i
        s *= 1 - p
    return t


# Normalised by ideal and max of list
@wrong("expected_reciprocal_rank", "nERR")
def expected_reciprocal_rank_3(g, k, m):
    m = max(g)

    def e(g):
        s = 1.0
        t = 0
        for i, x in enumerate(g[:k], 1):
            p = (2.0**x - 1) / 2.0**m
            t += s * p / i
            s *= 1 - p
        return t

    b = e(sorted(g, reverse=True))
    return e(g) / b if b else 0.0


# Adjacent pairs only, 0 for one
@wrong("intra_list_similarity", "only neighbours", "gives 0 here")
def intra_list_similarity_1(s):
    n = len(s)
    return float(np.mean([s[i, i + 1] for i in range(n - 1)])) if n > 1 else 0.0


# The sum of the distances
@wrong("intra_list_similarity")
def intra_list_similarity_2(s):
    n = len(s)
    return float(np.sum(1 - s[np.triu_indices(n, 1)])) if n > 1 else math.nan


# Negative similarities count 0
@wrong("intra_list_similarity", "cut off at 0")
def intra_list_similarity_3(s):
    n = len(s)
    if n < 2:
        return math.nan
    u = s[np.triu_indices(n, 1)]
    return u[u > 0].sum() / len(u)


# A row equal to the threshold is not accepted
@wrong("roc_points", "the last point, (1, 1), is missing")
def roc_points_1(y, s):
    if len(set(y.tolist())) < 2:
        raise ValueError
    th = np.unique(s)[::-1]
    return [[0.0] + [(s[y == c] > t).mean() for t in th] for c in (0, 1)]


# Points for columns
@wrong("roc_points", "pairs of two rates")
def roc_points_2(y, s):
    if len(set(y.tolist())) < 2:
        raise ValueError
    th = np.r_[np.inf, np.unique(s)[::-1]]
    return [((s[y == 0] >= t).mean(), (s[y == 1] >= t).mean()) for t in th]


# FPR as specificity, ties unmerged
@wrong("roc_points", "not merged", "specificity")
def roc_points_3(y, s):
    if len(set(y.tolist())) < 2:
        raise ValueError
    y = y[np.argsort(-s, kind="stable")]
    return 1 - np.r_[0, np.cumsum(1 - y) / (1 - y).sum()], np.r_[0, np.cumsum(y) / y.sum()]


# One bin too many
@wrong("auc_by_histogram")
def auc_by_histogram_1(y, s, b):
    lo, hi = s.min(), s.max()
    b = b + 1
    i = np.zeros(len(s), int) if hi == lo else np.minimum(((s - lo) / (hi - lo) * b).astype(int), b - 1)
    p = np.bincount(i[y == 1], minlength=b)
    n = np.bincount(i[y == 0], minlength=b)
    P = p.sum() * n.sum()
    if not P:
        return math.nan, math.nan
    c = np.cumsum(n) - n
    return (p * (c + n / 2)).sum() / P, (p * n).sum() / P / 2


# Swapped results and ties 0
@wrong("auc_by_histogram", "counts nothing", "swapped")
def auc_by_histogram_2(y, s, b):
    lo, hi = s.min(), s.max()
    i = np.zeros(len(s), int) if hi == lo else np.minimum(((s - lo) / (hi - lo) * b).astype(int), b - 1)
    p = np.bincount(i[y == 1], minlength=b)
    n = np.bincount(i[y == 0], minlength=b)
    P = p.sum() * n.sum()
    if not P:
        return math.nan, math.nan
    c = np.cumsum(n) - n
    return (p * n).sum() / P / 2, (p * c).sum() / P


# 0/0 gives 1, shares from y_true twice
@wrong("cohen_kappa", "squared shares of y_true")
def cohen_kappa_1(t, p):
    e = sum((t == c).mean() ** 2 for c in set(t.tolist()))
    o = (t == p).mean()
    return (o - e) / (1 - e) if len(set(t.tolist()) | set(p.tolist())) > 1 and e < 1 else 1.0


# Agreement minus chance over chance
@wrong("cohen_kappa", "divided by p_e")
def cohen_kappa_2(t, p):
    L = set(t.tolist()) | set(p.tolist())
    e = sum((t == c).mean() * (p == c).mean() for c in L)
    o = (t == p).mean()
    if len(L) < 2:
        return math.nan
    return (o - e) / e if e else 0.0


# Chance .5 and 0/0 gives 1
@wrong("cohen_kappa", "one half", "gives 1 here")
def cohen_kappa_3(t, p):
    o = (t == p).mean()
    return 2 * o - 1


# Equal count bins by argsort split
@wrong("expected_calibration_error", "equal numbers of rows")
def expected_calibration_error_1(y, p, b):
    o = np.argsort(p)
    t = 0
    for c in np.array_split(o, b):
        if len(c):
            t += len(c) * abs(y[c].mean() - p[c].mean())
    return t / len(y)


# Low edge of bin as confidence
@wrong("expected_calibration_error", "an edge of the bin")
def expected_calibration_error_2(y, p, b):
    i = np.maximum(np.ceil(p * b).astype(int) - 1, 0)
    return sum((i == j).mean() * abs(y[i == j].mean() - j / b) for j in range(b) if (i == j).any())


# Accuracy for the share of positives
@wrong("expected_calibration_error", "accuracy")
def expected_calibration_error_3(y, p, b):
    i = np.maximum(np.ceil(p * b).astype(int) - 1, 0)
    h = (p > 0.5) == y
    return sum((i == j).mean() * abs(h[i == j].mean() - p[i == j].mean()) for j in range(b) if (i == j).any())


# The quantiles of the first resample
@wrong("bootstrap_interval")
def bootstrap_interval_1(values, indices, level):
    return tuple(np.quantile(values[indices[0]], [(1 - level) / 2, (1 + level) / 2]))


# All of 1 - level at the lower end
@wrong("bootstrap_interval", "at the lower end")
def bootstrap_interval_2(values, indices, level):
    m = values[indices].mean(1)
    return np.quantile(m, 1 - level), np.quantile(m, 1)


# The median, at level 0.95 whatever is asked
@wrong("bootstrap_interval", "the median", "always 0.95")
def bootstrap_interval_3(values, indices, level):
    m = np.median(values[indices], axis=1)
    return tuple(np.percentile(m, [2.5, 97.5]))
