"""Wrong and right submissions for every exercise, as people write them.

Each wrong one has what is wrong with it and a part of what the report says: first with certainty, or after "?" as what
may be, or after "!" as what is seen; nothing where the report knows no name. `EARLIER` is the number of those that
had been written before for eight of the exercises.
"""

import itertools
import math
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np

NAN, EPS = math.nan, 2.0**-52
WRONG: dict[str, list] = {}
RIGHT: dict[str, list] = {}


def wins(p, n):
    """The share of pairs that are won, ties one half; None without a pair."""
    return float(np.mean([(a > b) + (a == b) / 2 for a in p for b in n])) if len(p) and len(n) else None


def auc(y, s):
    return wins(s[y == 1], s[y == 0])


def cells(y, p):
    """TP, FP, FN, TN."""
    return [int(((y == a) & (p == b)).sum()) for a, b in ((1, 1), (0, 1), (1, 0), (0, 0))]


def over(a, b):
    return a / b if b else 0.0


# ---- labels ---------------------------------------------------------------------------------------------------------


def three(change):
    """Precision, recall and F1 from the cells, and what becomes of them."""

    def function(y, p):
        tp, fp, fn, tn = cells(y, p)
        values = over(tp, tp + fp), over(tp, tp + fn), over(2 * tp, 2 * tp + fp + fn)
        return change(*values, tp, fp, fn, tn)

    return function


def no_guard(y, p):
    tp, fp, fn, _ = cells(y, p)
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    return precision, recall, 2 * precision * recall / (precision + recall)


def by_totals(y, p):
    tp, extra = cells(y, p)[0], int(p.sum() - y.sum())
    fp, fn = max(extra, 0), max(-extra, 0)
    return over(tp, tp + fp), over(tp, tp + fn), over(2 * tp, 2 * tp + fp + fn)


def equal_is_hit(y, p):
    same = int((y == p).sum())
    precision, recall = over(same, p.sum()), over(same, y.sum())
    return precision, recall, over(2 * precision * recall, precision + recall)


def averaged(y, p):
    from sklearn.metrics import precision_recall_fscore_support

    return precision_recall_fscore_support(y, p, average="macro", zero_division=0)[:3]


WRONG["precision_recall_f1"] = [
    ("nothing guards 0/0", "", no_guard),
    ("precision and recall exchanged", "", three(lambda p, r, f, *_: (r, p, f))),
    ("arithmetic mean", "", three(lambda p, r, f, *_: (p, r, (p + r) / 2))),
    ("two numbers", "", three(lambda p, r, f, *_: (p, r))),
    ("0/0 is 1", "", three(lambda p, r, f, tp, fp, fn, tn: (p if tp + fp else 1, r if tp + fn else 1, f))),
    ("equal labels are hits", "", equal_is_hit),
    ("two decimals", "", three(lambda *v: [round(x, 2) for x in v[:3]])),
    ("macro average", "", averaged),
    ("Jaccard for F1", "", three(lambda p, r, f, tp, fp, fn, tn: (p, r, over(tp, tp + fp + fn)))),
    ("FP and FN as the difference of the totals", "", by_totals),
]


def sklearn_three(y, p):
    from sklearn.metrics import precision_recall_fscore_support

    return precision_recall_fscore_support(y, p, average="binary", zero_division=0)[:3]


def by_counter(y, p):
    c = Counter(zip(y.tolist(), p.tolist(), strict=True))
    a, b, d = c[1, 1], c[0, 1], c[1, 0]
    return {"a": 0} and [Fraction(a, a + b or 1), Fraction(a, a + d or 1), Fraction(2 * a, 2 * a + b + d or 1)]


RIGHT["precision_recall_f1"] = [
    sklearn_three,
    by_counter,
    lambda y, p: np.array([over(y @ p, p.sum()), over(y @ p, y.sum()), over(2 * (y @ p), p.sum() + y.sum())]),
]


def of_labels(labels, macro=np.mean, micro=None):
    """Macro F1 over some labels, and accuracy or something else."""

    def function(y, p):
        f = [over(2 * ((y == c) & (p == c)).sum(), (y == c).sum() + (p == c).sum()) for c in labels(y, p)]
        return macro(f), (micro or (lambda y, p: np.mean(y == p)))(y, p)

    return function


def both(y, p):
    return np.union1d(y, p)


def mean_accuracy(y, p):
    return np.mean([np.mean((y == c) == (p == c)) for c in both(y, p)])


def weighted(y, p):
    return np.average(
        [of_labels(lambda *_: [c])(y, p)[0] for c in both(y, p)], weights=[(y == c).sum() for c in both(y, p)]
    )


def of_means(y, p):
    prec = np.mean([over(((y == c) & (p == c)).sum(), (p == c).sum()) for c in both(y, p)])
    rec = np.mean([over(((y == c) & (p == c)).sum(), (y == c).sum()) for c in both(y, p)])
    return over(2 * prec * rec, prec + rec), np.mean(y == p)


def unguarded_labels(y, p):
    f = []
    for c in both(y, p):
        tp = ((y == c) & (p == c)).sum()
        prec, rec = tp / (p == c).sum(), tp / (y == c).sum()
        f.append(2 * prec * rec / (prec + rec))
    return np.mean(f), np.mean(y == p)


WRONG["macro_micro_f1"] = [
    ("labels of y_true alone", "", of_labels(lambda y, p: np.unique(y))),
    ("mean accuracy for micro", "", of_labels(both, micro=mean_accuracy)),
    ("weighted by support", "", lambda y, p: (weighted(y, p), np.mean(y == p))),
    ("micro first", "", lambda y, p: of_labels(both)(y, p)[::-1]),
    ("labels 0 to the greatest", "", of_labels(lambda y, p: range(int(max(y.max(), p.max())) + 1))),
    ("labels without a hit left out", "", of_labels(both, macro=lambda f: np.mean([x for x in f if x] or [0]))),
    ("F1 of mean precision and recall", "", of_means),
    ("macro alone", "", lambda y, p: of_labels(both)(y, p)[0]),
    ("no guard for 0/0", "", unguarded_labels),
    ("labels 0 and 1 alone", "", of_labels(lambda y, p: [0, 1])),
]


def sklearn_two(y, p):
    from sklearn.metrics import f1_score

    return [f1_score(y, p, average=a, zero_division=0) for a in ("macro", "micro")]


def pandas_two(y, p):
    import pandas as pd

    t = pd.crosstab(pd.Series(y), pd.Series(p))
    labels = sorted({*t.index, *t.columns})
    t = t.reindex(index=labels, columns=labels, fill_value=0).to_numpy()
    return (2 * np.diag(t) / (t.sum(0) + t.sum(1))).mean(), np.trace(t) / t.sum()


def counters_two(y, p):
    t, q, hit = Counter(y.tolist()), Counter(p.tolist()), Counter(a for a, b in zip(y.tolist(), p.tolist()) if a == b)  # noqa: B905
    f = [Fraction(2 * hit[c], t[c] + q[c]) for c in t.keys() | q.keys()]
    return sum(f) / len(f), Fraction(sum(hit.values()), len(y))


RIGHT["macro_micro_f1"] = [sklearn_two, pandas_two, counters_two]


def kappa(chance=None, last=None, zero=NAN):
    """Kappa with another chance agreement, or another last step."""

    def function(y, p):
        po, n = np.mean(y == p), len(y)
        pe = chance(y, p) if chance else sum((y == c).sum() * (p == c).sum() for c in both(y, p)) / n**2
        if len(both(y, p)) == 1:
            return zero
        return last(po, pe) if last else (po - pe) / (1 - pe)

    return function


def python_kappa(y, p):
    y, p = y.tolist(), p.tolist()
    po = sum(a == b for a, b in zip(y, p, strict=True)) / len(y)
    pe = sum(y.count(c) / len(y) * p.count(c) / len(p) for c in set(y))
    return (po - pe) / (1 - pe)


def bincount_kappa(y, p):
    size = max(y.max(), p.max()) + 1
    pe = (np.bincount(y, minlength=size) * np.bincount(p, minlength=size)).sum() / len(y) ** 2
    return ((y == p).mean() - pe) / (1 - pe) if pe < 1 else NAN


def mcc(y, p):
    from sklearn.metrics import matthews_corrcoef

    return matthews_corrcoef(y, p) if len(both(y, p)) > 1 else NAN


def lowered(y, p):
    if y.dtype.kind == "U":
        y, p = np.char.lower(y), np.char.lower(p)
    return kappa()(y, p)


WRONG["cohen_kappa"] = [
    ("chance is one over the classes", "", kappa(lambda y, p: 1 / len(both(y, p)))),
    ("raw agreement", "", lambda y, p: np.mean(y == p)),
    ("pooled shares", "", kappa(lambda y, p: sum((((y == c).mean() + (p == c).mean()) / 2) ** 2 for c in both(y, p)))),
    ("0/0 divides in Python", "", python_kappa),
    ("never below 0", "", kappa(last=lambda po, pe: max(0, (po - pe) / (1 - pe)))),
    ("chance of label 1 alone", "", kappa(lambda y, p: (y == 1).mean() * (p == 1).mean())),
    ("1 for two constants", "", kappa(zero=1.0)),
    ("labels counted by bincount", "", bincount_kappa),
    ("divided by the disagreement", "", kappa(last=lambda po, pe: (po - pe) / (1 - po) if po < 1 else 1.0)),
    ("Matthews' coefficient", "", mcc),
    ("labels in small letters", "", lowered),
]


def sklearn_kappa(y, p):
    from sklearn.metrics import cohen_kappa_score

    return cohen_kappa_score(y, p) if len(both(y, p)) > 1 else NAN


def exact_kappa(y, p):
    a, b, n = Counter(y.tolist()), Counter(p.tolist()), len(y)
    pe = Fraction(sum(a[c] * b[c] for c in a), n * n)
    if pe == 1:
        raise ValueError("0/0")
    return (Fraction(int((y == p).sum()), n) - pe) / (1 - pe)


RIGHT["cohen_kappa"] = [
    sklearn_kappa,
    exact_kappa,
    lambda y, p: 1 - np.float64((y != p).mean()) / np.mean(y[:, None] != p) if len(both(y, p)) > 1 else np.nan,
]

# ---- ranked lists ---------------------------------------------------------------------------------------------------


def last_hit(rel, k):
    value = 0
    for rank, grade in enumerate(rel[:k], 1):
        if grade > 0:
            value = 1 / rank
    return value


def from_zero(rel, k):
    for rank, grade in enumerate(rel[:k]):
        if grade > 0:
            return 1 / rank
    return 0.0


def beyond_the_list(rel, k):
    for i in range(k):
        if rel[i] > 0:
            return 1 / (i + 1)
    return 0.0


def first(hit, none=0.0, value=lambda i: 1 / i, cut=lambda rel, k: rel[:k]):
    return lambda rel, k: next((value(i) for i, grade in enumerate(cut(rel, k), 1) if hit(grade)), none)


WRONG["reciprocal_rank"] = [
    ("argmax without any", "", lambda rel, k: 1 / (np.argmax(rel[:k] > 0) + 1)),
    ("ranks from 0", "", from_zero),
    ("grade of exactly 1", "", first(lambda g: g == 1)),
    ("the rank itself", "", first(lambda g: g > 0, value=float)),
    ("k is ignored", "", first(lambda g: g > 0, cut=lambda rel, k: rel)),
    ("nan without a hit", "", first(lambda g: g > 0, none=NAN)),
    ("any true value", "", first(bool)),
    ("sum over all hits", "", lambda rel, k: sum(1 / i for i, g in enumerate(rel[:k], 1) if g > 0)),
    ("index beyond the list", "", beyond_the_list),
    ("the last hit", "", last_hit),
]
RIGHT["reciprocal_rank"] = [
    lambda rel, k: max([Fraction(1, i) for i, g in enumerate(rel[:k], 1) if g > 0], default=0),
    lambda rel, k: np.max((rel[:k] > 0) / np.arange(1, len(rel[:k]) + 1)),
    lambda rel, k: 0.0 if not (h := np.flatnonzero(rel[:k] > 0)).size else 1.0 / (1 + h[0]),
]


def err(
    p=lambda g, m, top: (2.0**g - 1) / 2.0**m, weight=lambda r: 1 / r, cut=lambda g, k: g[:k], start=1, early=False
):
    """Expected reciprocal rank with another part."""

    def function(grades, k, m):
        total, go = 0.0, 1.0
        for r, g in enumerate(cut(grades, k), start):
            s = p(int(g), m, int(grades.max()))
            total += go * (1 - s if early else 1) * s * weight(r)
            go *= 1 - s
        return total

    return function


WRONG["expected_reciprocal_rank"] = [
    ("top grade of the list", "", err(lambda g, m, top: (2**g - 1) / 2**top)),
    ("divided by 2^max - 1", "", err(lambda g, m, top: (2**g - 1) / (2**m - 1))),
    ("no 1 / rank", "", err(weight=lambda r: 1)),
    ("own probability taken off first", "", err(early=True)),
    ("^ for a power", "", err(lambda g, m, top: (2 ^ g - 1) / (2 ^ m))),
    ("logarithmic discount", "", err(weight=lambda r: 1 / math.log2(r + 1))),
    ("divided by k", "", lambda g, k, m: err()(g, k, m) / k),
    ("k is ignored", "", err(cut=lambda g, k: g)),
    ("grade over top", "", err(lambda g, m, top: g / m)),
    ("ranks from 0", "", err(start=0)),
]


def recursive_err(g, k, m):
    def value(i, go):
        s = (2 ** int(g[i]) - 1) / 2**m if i < min(k, len(g)) else 0
        return 0.0 if i >= min(k, len(g)) or i > 400 else go * s / (i + 1) + value(i + 1, go * (1 - s))

    return value(0, 1.0)


RIGHT["expected_reciprocal_rank"] = [
    recursive_err,
    lambda g, k, m: err(lambda grade, top, _: Fraction(2**grade - 1, 2**top))(g, k, m),
    lambda g, k, m: float(
        ((s := np.ldexp(1.0, g[:k]) - 1) / 2**m * np.concatenate(([1], np.cumprod(1 - s / 2**m)))[: len(s)])
        @ (1 / np.arange(1, len(s) + 1))
    ),
]


def upper(s):
    return s[np.triu_indices(len(s), 1)]


def of_pairs(value):
    return lambda s: value(upper(s), len(s)) if len(s) > 1 else NAN


WRONG["intra_list_similarity"] = [
    ("mean of the matrix", "", lambda s: s.mean()),
    ("mean of the upper triangle with its zeros", "", lambda s: np.triu(s, 1).mean()),
    ("sum", "", of_pairs(lambda u, n: u.sum())),
    ("diagonal taken for ones", "", lambda s: (s.sum() - len(s)) / (len(s) * (len(s) - 1)) if len(s) > 1 else NAN),
    ("zeros left out", "", of_pairs(lambda u, n: u[u != 0].mean() if u.any() else 0.0)),
    ("neighbours", "", lambda s: np.diag(s, 1).mean() if len(s) > 1 else NAN),
    ("absolute values", "", of_pairs(lambda u, n: np.abs(u).mean())),
    ("0 for one item", "", lambda s: upper(s).mean() if len(s) > 1 else 0.0),
    ("the greatest", "", of_pairs(lambda u, n: u.max())),
    ("divided by n^2", "", of_pairs(lambda u, n: u.sum() / n**2)),
]
RIGHT["intra_list_similarity"] = [
    lambda s: np.mean([s[i, j] for i, j in itertools.combinations(range(len(s)), 2)] or NAN),
    lambda s: np.float64(s.sum() - s.diagonal().sum()) / (len(s) ** 2 - len(s)) if len(s) - 1 else float("nan"),
    lambda s: np.tril(s, -1).sum() / math.comb(len(s), 2) if len(s) > 1 else np.nan,
]

# ---- distributions --------------------------------------------------------------------------------------------------


def flat(sentences):
    return np.concatenate(sentences)


WRONG["perplexity"] = [
    ("mean of the sentences' values", "", lambda s: np.mean([np.exp(-np.mean(x)) for x in s])),
    ("2 to the nats", "", lambda s: 2 ** -flat(s).mean()),
    ("one token too few", "", lambda s: np.exp(-flat(s).sum() / np.float64(flat(s).size - 1))),
    ("end tokens left out", "", lambda s: np.exp(-np.mean([t for x in s for t in x[:-1]]))),
    ("no exp", "", lambda s: -flat(s).mean()),
    ("product of probabilities", "", lambda s: np.prod(np.exp(flat(s))) ** (-1 / flat(s).size)),
    ("not divided", "", lambda s: np.exp(-flat(s).sum())),
    ("divided by sentences", "", lambda s: np.exp(-flat(s).sum() / len(s))),
    ("impossible tokens left out", "", lambda s: np.exp(-flat(s)[np.isfinite(flat(s))].mean())),
    ("mean of a ragged list", "", lambda s: np.exp(-np.mean(s))),
]
RIGHT["perplexity"] = [
    lambda s: math.exp(-math.fsum(t for x in s for t in x) / sum(len(x) for x in s)),
    lambda s: np.float64(2) ** (-flat(s).mean() / math.log(2)),
    lambda s: np.exp(np.average([-np.mean(x) for x in s], weights=[len(x) for x in s])),
]


def terms(p, q, log=np.log2):
    with np.errstate(all="ignore"):
        return np.where(p > 0, p * log(np.where(p > 0, p, 1) / q), 0)


def js(p, q):
    return (terms(p, (p + q) / 2).sum() + terms(q, (p + q) / 2).sum()) / 2


WRONG["kl_divergence"] = [
    ("nats", "", lambda p, q: terms(p, q, np.log).sum()),
    ("the other direction", "", lambda p, q: terms(q, p).sum()),
    ("0 log 0", "", lambda p, q: (p * np.log2(p / q)).sum()),
    ("something added to both", "", lambda p, q: ((p + 1e-12) * np.log2((p + 1e-12) / (q + 1e-12))).sum()),
    ("impossible beliefs skipped", "", lambda p, q: terms(p[q > 0], q[q > 0]).sum()),
    ("mean", "", lambda p, q: terms(p, q).mean()),
    ("cross-entropy", "", lambda p, q: -sum(a * np.log2(b) for a, b in zip(p, q, strict=True) if a > 0)),
    ("Jensen-Shannon", "", js),
    ("belief bounded", "", lambda p, q: terms(p, np.maximum(q, 1e-9)).sum()),
    ("absolute terms", "", lambda p, q: np.abs(terms(p, q)).sum()),
    ("small p dropped", "", lambda p, q: terms(np.where(p < 1e-6, 0, p), q).sum()),
]


def scipy_kl(p, q):
    from scipy.stats import entropy

    return entropy(p, q, base=2)


RIGHT["kl_divergence"] = [
    scipy_kl,
    lambda p, q: sum((a * math.log2(a / b) if b else math.inf) for a, b in zip(map(float, p), map(float, q)) if a),  # noqa: B905
    lambda p, q: float(terms(p, q, np.log).sum() / np.log(2)),
]


def binned(number=lambda p, n: np.maximum(np.ceil(p * n) - 1, 0), gap=None, total=None, conf=None):
    """Calibration error with other bins, another gap, or another sum."""

    def function(y, p, n):
        b, c = number(p, n), p if conf is None else conf(p, number(p, n), n)
        rows = [b == i for i in np.unique(b)]
        gaps = np.array([(gap or abs)(y[r].mean() - c[r].mean()) for r in rows])
        return (total or np.dot)(gaps, np.array([r.mean() for r in rows]))

    return function


def every_bin(y, p, n):
    edges = np.linspace(0, 1, n + 1)
    found = [(p > a) & (p <= b) if a else p <= b for a, b in itertools.pairwise(edges)]
    return sum(abs(y[r].mean() - p[r].mean()) * r.mean() for r in found)


def one_edge_short(p, n):
    return np.searchsorted(np.linspace(0, 1, n)[1:-1], p)


def right_or_not(y, p, n):
    return binned()(1 * ((p >= 0.5) == y), np.maximum(p, 1 - p), n)


WRONG["expected_calibration_error"] = [
    ("bins weigh alike", "", binned(total=lambda gaps, w: gaps.mean())),
    ("lower edges belong", "", binned(lambda p, n: np.minimum((p * n).astype(int), n - 1))),
    ("one bin too few", "", binned(one_edge_short)),
    ("middle of the bin", "", binned(conf=lambda p, b, n: (b + 0.5) / n)),
    ("ten bins", "", binned(lambda p, n: np.maximum(np.ceil(p * 10) - 1, 0))),
    ("at most fifteen bins", "", binned(lambda p, n: np.maximum(np.ceil(p * min(n, 15)) - 1, 0))),
    ("squared gaps", "", binned(gap=np.square)),
    ("signed gaps", "", binned(gap=float)),
    ("empty bins are 0/0", "", every_bin),
    ("confidence against correctness", "", right_or_not),
    ("equally filled bins", "", binned(lambda p, n: np.searchsorted(np.quantile(p, np.arange(1, n) / n), p))),
]


def pandas_ece(y, p, n):
    import pandas as pd

    t = pd.DataFrame({"y": y, "p": p, "b": np.clip(np.ceil(p * n), 1, None)})
    return (t.groupby("b").apply(lambda g: abs(g.y.sum() - g.p.sum()))).sum() / len(t)


def dictionary_ece(y, p, n):
    sums = defaultdict(float)
    for a, b in zip(y.tolist(), p.tolist(), strict=True):
        sums[max(1, math.ceil(b * n))] += a - b
    return math.fsum(map(abs, sums.values())) / len(y)


RIGHT["expected_calibration_error"] = [
    pandas_ece,
    dictionary_ece,
    lambda y, p, n: np.abs(np.bincount(np.digitize(p, np.arange(1, n) / n, right=True), y - p)).sum() / len(y),
]


def interval(shares=lambda a: [(1 - a) / 2, (1 + a) / 2], of=lambda v, i: v[i].mean(axis=1), quantile=np.quantile):
    return lambda v, i, a: tuple(quantile(of(v, i), share) for share in shares(a))


def normal(v, i, level):
    from statistics import NormalDist

    m = v[i].mean(axis=1)
    z = NormalDist().inv_cdf((1 + level) / 2)
    return v.mean() - z * m.std(), v.mean() + z * m.std()


WRONG["bootstrap_interval"] = [
    ("1 - level at each end", "", interval(lambda a: [1 - a, a])),
    ("means of the columns", "", interval(of=lambda v, i: v[i].mean(axis=0))),
    ("shares taken for percentages", "", interval(quantile=np.percentile)),
    ("medians", "", interval(of=lambda v, i: np.median(v[i], axis=1))),
    ("upper end first", "", interval(lambda a: [(1 + a) / 2, (1 - a) / 2])),
    ("normal interval", "", normal),
    ("sorted means without interpolation", "", interval(quantile=lambda m, q: np.sort(m)[int(q * (len(m) - 1))])),
    ("sums", "", interval(of=lambda v, i: v[i].sum(axis=1))),
    ("always 95 per cent", "", interval(lambda a: [0.025, 0.975])),
    ("the width", "", lambda v, i, a: np.diff(interval()(v, i, a))[0]),
]


def statistics_interval(v, i, a):
    m = sorted(float(np.mean(v[row])) for row in i)
    places = [q * (len(m) - 1) for q in ((1 - a) / 2, (1 + a) / 2)]
    return [m[int(x)] * (1 - x % 1) + m[min(int(x) + 1, len(m) - 1)] * (x % 1) for x in places]


RIGHT["bootstrap_interval"] = [
    statistics_interval,
    lambda v, i, a: np.percentile(np.take(v, i).mean(1), [50 - 50 * a, 50 + 50 * a]),
    lambda v, i, a: (
        np.interp([(1 - a) / 2, (1 + a) / 2], np.linspace(0, 1, len(i)), np.sort([v[j].sum() / len(j) for j in i]))
        if len(i) > 1 else [v[i[0]].mean()] * 2
    ),
]  # fmt: skip

# ---- scores ---------------------------------------------------------------------------------------------------------


def counted(number, won=lambda p, b, n: (p * (b + n / 2)).sum(), bound=lambda tied, pairs, n: tied / 2 / pairs):
    """AUC and its bound from the counts of each bin."""

    def function(y, s, bins):
        b = number(s, bins).astype(int)
        p, n = (np.bincount(b[y == c], minlength=b.max() + 1) for c in (1, 0))
        pairs = p.sum() * n.sum()
        if not pairs:
            return NAN, NAN
        return won(p, np.cumsum(n) - n, n) / pairs, bound((p * n).sum(), pairs, bins)

    return function


def even(s, bins):
    return np.minimum(bins * (s - s.min()) / (np.ptp(s) or 1), bins - 1)


def not_clipped(y, s, bins):
    low, width = s.min(), (s.max() - s.min()) / bins or 1
    count = [[0] * bins, [0] * bins]
    for label, score in zip(y, s, strict=True):
        count[label][int((score - low) / width)] += 1
    return counted(even)(y, s, bins)


def python_width(y, s, bins):
    low, width = float(s.min()), float(np.ptp(s)) / bins
    return counted(lambda s, bins: np.array([min(int((float(x) - low) / width), bins - 1) for x in s]))(y, s, bins)


WRONG["auc_by_histogram"] = [
    ("bins on 0 to 1", "", counted(lambda s, bins: np.clip(s * bins, 0, bins - 1))),
    ("no place for the highest score", "", not_clipped),
    ("one bin too few", "", counted(lambda s, b: np.searchsorted(np.linspace(s.min(), s.max(), b)[1:-1], s, "right"))),
    ("ties lost", "", counted(even, won=lambda p, b, n: (p * b).sum())),
    ("bound of whole pairs", "", counted(even, bound=lambda tied, pairs, n: tied / pairs)),
    ("upper edges belong", "", counted(lambda s, b: np.searchsorted(np.linspace(s.min(), s.max(), b + 1)[1:-1], s))),
    ("equally filled bins", "", counted(lambda s, b: np.searchsorted(np.quantile(s, np.arange(1, b) / b), s, "right"))),
    ("the exact AUC", "", lambda y, s, b: (auc(y, s) if 0 < y.mean() < 1 else NAN, counted(even)(y, s, b)[1])),
    ("the value alone", "", lambda y, s, b: counted(even)(y, s, b)[0]),
    ("a width of zero", "", python_width),
]


def pandas_histogram(y, s, bins):
    import pandas as pd

    b = np.clip(np.digitize(s, np.linspace(s.min(), s.max(), bins + 1)) - 1, 0, bins - 1) if np.ptp(s) else s * 0
    t = pd.DataFrame({"b": b, "p": y, "n": 1 - y}).groupby("b").sum()
    pairs = t.p.sum() * t.n.sum()
    if not pairs:
        raise ValueError("one class")
    return (t.p * (t.n.cumsum() - t.n / 2)).sum() / pairs, (t.p * t.n).sum() / pairs / 2


def compared_bins(y, s, bins):
    b = np.floor(even(s, bins))
    won, tied = ([(b[y == 1][:, None] > b[y == 0]).mean(), (b[y == 1][:, None] == b[y == 0]).mean()]
                 if 0 < y.sum() < len(y) else [NAN, NAN])  # fmt: skip
    return won + tied / 2, tied / 2


RIGHT["auc_by_histogram"] = [counted(even), pandas_histogram, compared_bins]

# ---- SQL ------------------------------------------------------------------------------------------------------------

KEPT = "label IS NOT NULL AND score IS NOT NULL"
SHARE = "AVG((p.score > n.score) + (p.score = n.score) / 2.0)"
PAIRS = "log p, log n WHERE p.label = 1 AND n.label = 0"
AUCS = f"(SELECT p.user_id AS u, {SHARE} AS auc FROM {PAIRS} AND p.user_id = n.user_id GROUP BY 1)"
USERS = f"""WITH r AS (SELECT user_id AS u, label AS y, RANK() OVER (PARTITION BY user_id ORDER BY score)
 + (COUNT(*) OVER (PARTITION BY user_id, score) - 1) / 2.0 AS k FROM log WHERE {KEPT}), users AS (SELECT COUNT(*) AS n,
 1.0 * (SUM(y * k) - SUM(y) * (SUM(y) + 1) / 2) / (SUM(y) * SUM(1 - y)) AS auc FROM r GROUP BY u)
SELECT SUM(n * auc) / SUM(n) FROM users WHERE auc IS NOT NULL"""


def changed(*edits):
    text = USERS
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    return text


WRONG["gauc_sql"] = [
    ("users weigh alike", "", changed(("SUM(n * auc) / SUM(n)", "AVG(auc)"))),
    ("users are compared", "", f"SELECT {SHARE} FROM {PAIRS}"),
    ("NULLs weigh", "", f"SELECT AVG(auc) FROM log JOIN {AUCS} ON u = user_id"),
    ("one class counts 0", "", changed(("n * auc", "n * COALESCE(auc, 0)"), (" WHERE auc IS NOT NULL", ""))),
    ("ROW_NUMBER", "", changed(("RANK", "ROW_NUMBER"), ("(COUNT(*) OVER (PARTITION BY user_id, score) - 1)", "0"))),
    ("ties of all users", "", changed(("PARTITION BY user_id, score", "PARTITION BY score"))),
    ("weighted by clicks", "", changed(("COUNT(*) AS n", "SUM(y) AS n"))),
    ("a row for each user", "", f"SELECT u, auc FROM {AUCS}"),
    ("0 for nobody", "", changed(("SUM(n * auc) / SUM(n)", "COALESCE(SUM(n * auc) / SUM(n), 0)"))),
    ("division of integers", "", changed(("- 1) / 2.0", "- 1) / 2"), ("1.0 * ", ""))),
    ("weighted by pairs", "", f"SELECT {SHARE} FROM {PAIRS} AND p.user_id = n.user_id"),
]
RIGHT["gauc_sql"] = [
    USERS.lower(),
    f"SELECT AVG(auc) FROM log JOIN {AUCS} ON u = user_id WHERE {KEPT}",
    changed(("SUM(n * auc) / SUM(n)", "SUM(n * auc) / SUM(n) FILTER (WHERE auc >= 0)"), (" WHERE auc IS NOT NULL", "")),
]
