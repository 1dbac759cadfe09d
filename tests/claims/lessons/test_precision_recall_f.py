"""What book/lessons/precision-recall-f.ipynb says, held."""

import itertools
import warnings

import numpy as np
import sympy

from metrics_lib import (
    ConfusionCounts,
    f1_score,
    fbeta_score,
    jaccard_score,
    macro_f1_score,
    precision_score,
    recall_score,
)
from metrics_lib.uncertainty import bootstrap, paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-precision-recall-f")
def test_the_opening(A, B, ax):
    holds("Two versions ran on the same 1,000 flights, 140 of them late.")
    assert all(one.tp + one.fn == 140 and one.tp + one.fn + one.fp + one.tn == 1000 for one in (A, B))
    holds("it sent 70 warnings, and 49 were right")
    assert (A.tp + A.fp, A.tp) == (70, 49)
    holds("it sent 280, and 98 were right")
    assert (B.tp + B.fp, B.tp) == (280, 98)
    holds("Two pairs of bars.")
    assert len(ax.patches) == 2 * 2 * 2
    holds("has 91 missed and 49 hits, the bar of the warnings the same 49 hits and 21 false alarms")
    assert (A.fn, A.tp, A.fp) == (91, 49, 21)
    holds("42 are missed and 98 hit, and 182 are false alarms; recall is 0.70 and precision 0.35")
    assert (B.fn, B.tp, B.fp, B.recall, B.precision) == (42, 98, 182, 0.7, 0.35)
    holds("A's warnings are right more often, B finds more")
    assert A.precision > B.precision and A.recall < B.recall
    holds("calls it a draw, 0.467 to 0.467")
    assert np.isclose(A.f1, B.f1) and round(A.f1, 3) == 0.467


@section("In one line")
def test_in_one_line(A):
    ten_true, ten_called = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0, 0, 0, 0, 0]
    holds("is 0.571 on the ten flights below: a precision of 1/2 and a recall of 2/3 make 4/7")
    assert f1_score(ten_true, ten_called) == 4 / 7 and round(4 / 7, 3) == 0.571 and len(ten_true) == 10
    assert (precision_score(ten_true, ten_called), recall_score(ten_true, ten_called)) == (1 / 2, 2 / 3)


@section("lesson-precision-recall-f-hand")
def everybody():
    return ConfusionCounts(tp=140, fp=860, fn=0, tn=0)


@section("lesson-precision-recall-f-hand")
def ten(y_pred, y_true):
    return ConfusionCounts.from_labels(y_true, y_pred)


@section("lesson-precision-recall-f-hand")
def test_by_hand(A, B, called, everybody, hits, ten, there, y_true):
    holds("Ten flights, three of them late; the app warned of two of these, and of two others.")
    assert len(y_true) == 10 and there == 3 and hits == 2 and called - hits == 2
    assert (called, there, hits) == (4, 3, 2)
    holds("two of four")
    assert ten.false_discovery_rate == 1 - ten.precision == 1 / 2 == ten.fp / 4 and ten.fp == 2
    TP, FP, FN = sympy.symbols("TP FP FN", positive=True)
    P, R = TP / (TP + FP), TP / (TP + FN)
    forms = [2 / (1 / P + 1 / R), 2 * P * R / (P + R), 2 * TP / (2 * TP + FP + FN), TP / ((TP + FP + TP + FN) / 2)]
    holds("the hits over the average of what was called and what was there: above, 2 over 3.5")
    assert np.isclose(ten.f1, 2 / 3.5) and (hits, (called + there) / 2) == (2, 3.5)
    assert len({sympy.factor(form) for form in forms}) == 1
    for tp, fp, fn in itertools.product(range(1, 9), range(9), range(9)):
        one = ConfusionCounts(tp=tp, fp=fp, fn=fn, tn=0)
        p_one, r_one = one.precision, one.recall
        holds("Precision and recall have one numerator, the hits.")
        assert np.isclose(p_one * (tp + fp), tp) and np.isclose(r_one * (tp + fn), tp)
        holds("it is the blue share of both bars together")
        assert np.isclose(one.f1, 2 * tp / ((tp + fp) + (tp + fn)))
        holds("at least the smaller of the two, and at most twice that")
        assert min(p_one, r_one) - 1e-12 <= one.f1 <= 2 * min(p_one, r_one)
        holds("is stricter, and the harmonic one, 0.246, the strictest")
        assert one.f1 - 1e-12 <= (p_one * r_one) ** 0.5 <= (p_one + r_one) / 2 + 1e-12
    holds("Warn everybody, and all the late flights are found, with a precision of 0.14")
    assert (everybody.recall, everybody.precision) == (1, 0.14)
    holds("By the arithmetic mean this beats both versions, 0.57 to 0.525.")
    assert [round((one.precision + one.recall) / 2, 3) for one in (everybody, A, B)] == [0.57, 0.525, 0.525]
    holds("Why not simply the half of their sum?")
    assert np.isclose((everybody.precision + everybody.recall) / 2, 0.57)


@section("lesson-precision-recall-f-good")
def test_how_good_is_an_f1_of_0(A, B, ax, everybody):
    holds("Perfect is 1, and worst is 0: no hit at all.")
    assert ConfusionCounts(tp=140, fp=0, fn=0, tn=860).f1 == 1 and ConfusionCounts(tp=0, fp=7, fn=140, tn=853).f1 == 0
    holds("Recall and precision of the two versions, with lines of equal F1.")
    assert len([A, B]) == 2 and len(ax.collections) >= 1
    holds("lie on one thick dotted line, marked F1 0.467")
    assert np.allclose([app.f1 * app.recall / (2 * app.recall - app.f1) for app in (A, B)], [0.7, 0.35])
    assert round(A.f1, 3) == 0.467
    for rate, share in itertools.product(np.arange(1, 100) / 100, np.arange(1, 101) / 100):
        lot = ConfusionCounts(
            tp=rate * share, fp=(1 - rate) * share, fn=rate * (1 - share), tn=(1 - rate) * (1 - share)
        )
        holds("The best of them by F1 is a warning to everybody")
        assert lot.f1 <= 2 * rate / (1 + rate) + 1e-12
        holds("Warnings sent at random are right as often as flights are late, however many you send.")
        assert np.isclose(lot.precision, rate)
    holds("thin lines of equal F1 from 0.1 to 0.9 bend")
    assert np.allclose(ax.collections[0].levels[[0, -1]], [0.1, 0.9])
    holds("0.246 here, and 0.667 where every second flight is late")
    assert round(everybody.f1, 3) == 0.246 and [round(2 * rate / (1 + rate), 3) for rate in (0.14, 0.5)] == [
        0.246,
        0.667,
    ]
    holds("So 0.47 is nearly twice what costs nothing; there it would be less than that.")
    assert round(A.f1, 2) == 0.47 and 1.8 < A.f1 / everybody.f1 < 2 and A.f1 < 2 / 3


@section("What it cannot see")
def test_what_it_cannot_see(coin, skill, ten, y_true):
    holds("At a small airport half of the flights are late, and a coin decides who is warned")
    assert coin.prevalence == coin.recall == coin.false_positive_rate == 1 / 2
    holds("an app finds half of the 100 late flights among 10,000")
    assert (skill.recall, skill.tp + skill.fn, skill.tp + skill.fn + skill.fp + skill.tn) == (1 / 2, 100, 10_000)
    holds("One knows nothing; the other disturbs one in 198 of those on time.")
    assert coin.recall == coin.false_positive_rate and np.isclose(1 / skill.false_positive_rate, 198)
    holds("F1 has no true negatives in it")
    for tp, fp, fn, tn in itertools.product(range(1, 5), range(4), range(4), range(20)):
        assert ConfusionCounts(tp=tp, fp=fp, fn=fn, tn=tn).f1 == ConfusionCounts(tp=tp, fp=fp, fn=fn, tn=0).f1
    before, after = ConfusionCounts(tp=2, fp=2, fn=1, tn=5), ConfusionCounts(tp=2, fp=4, fn=1, tn=10)
    holds("recall stays 2/3, precision falls from 1/2 to 1/3, and F1 from 4/7 to 4/9")
    assert (before.recall, before.precision, before.f1) == (2 / 3, 1 / 2, 4 / 7)
    assert (after.recall, after.precision, after.f1) == (2 / 3, 1 / 3, 4 / 9)
    assert before.false_positive_rate == after.false_positive_rate and after.fp + after.tn == 2 * (
        before.fp + before.tn
    )
    holds("Double the flights on time in the ten above, with the same app")
    assert (before.tp, before.fp, before.fn, before.tn) == (ten.tp, ten.fp, ten.fn, ten.tn) and len(y_true) == 10


@section("lesson-precision-recall-f-choices")
def test_the_choices(A, B, F, axes, beta, p, r, y_pred, y_true):
    holds("indifferent where $R = 2P$: recall weighs 4")
    assert sympy.solve((sympy.diff(F, p) - sympy.diff(F, r)).subs(beta, 2), r) == [2 * p]
    assert sympy.simplify(F - (1 + beta**2) / (1 / p + beta**2 / r)) == 0 and 2**2 == 4
    assert [round(float(fbeta_score(y_true, y_pred, beta=weight)), 3) for weight in (2, 0.5)] == [0.625, 0.526]
    assert [round(f1_score(y_true, y_pred, pos_label=label), 3) for label in (1, 0)] == [0.571, 0.769]
    nobody = 0 * y_true
    assert precision_score(y_true, nobody, zero_division=0) == 0 and f1_score(nobody, nobody, zero_division=1) == 1
    assert np.isnan(precision_score(y_true, nobody, zero_division=np.nan))
    holds("the default, which warns")
    with warnings.catch_warnings(record=True, action="always") as heard:
        assert precision_score(y_true, nobody) == 0 and len(heard) == 1
    assert np.isnan(ConfusionCounts.from_labels(y_true, nobody).precision)
    holds("F1 is no 0/0: by counts it is 0")
    assert f1_score(y_true, nobody, zero_division=np.nan) == 0
    for tp, fp, fn in itertools.product(range(5), range(5), range(1, 5)):
        f_one = ConfusionCounts(tp=tp, fp=fp, fn=fn, tn=0).f1
        assert np.isclose(tp / (tp + fp + fn), f_one / (2 - f_one))
    assert jaccard_score(y_true, y_pred) == 0.4
    three_true, three_called = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
    macro = {macro_f1_score(three_true, three_called, definition=name) for name in ("mean_of_f1", "f1_of_means")}
    holds("in two ways that disagree")
    assert len(macro) == 2
    holds("where recall is β times precision, a point more of either is worth the same")
    assert sympy.solve(sympy.diff(F, p) - sympy.diff(F, r), r) == [beta * p]
    linear = (1 + beta) * p * r / (beta * p + r)
    holds(r"it would be $\sqrt\beta$ times")
    assert sympy.solve(sympy.diff(linear, p) - sympy.diff(linear, r), r) == [sympy.sqrt(beta) * p]
    holds("indifferent where $P = 2R$: recall weighs 1/4")
    assert sympy.solve((sympy.diff(F, p) - sympy.diff(F, r)).subs(beta, sympy.Rational(1, 2)), r) == [p / 2]
    holds("not twice as much, but 1.41 times")
    assert round(float(sympy.sqrt(beta).subs(beta, 2)), 2) == 1.41
    slope = -sympy.diff(F, r) / sympy.diff(F, p)
    holds("there each line falls at 45 degrees")
    assert sympy.simplify(slope.subs(r, beta * p)) == -1
    holds("it rises half as steeply, to precision 0.5 at recall 1")
    assert axes[1].lines[0].get_ydata()[-1] == 0.5 == axes[0].lines[0].get_ydata()[-1] / 2
    for panel, weight in zip(axes, (1, 2), strict=True):
        strokes = [line.get_xydata().mean(axis=0) for line in panel.lines[1:]]
        holds("Each dashed line carries three short black strokes that fall at 45 degrees and touch the curves")
        assert np.allclose([F.subs({beta: weight, r: x0, p: y0}) for x0, y0 in strokes], [0.3, 0.5, 0.7])
        assert all(np.isclose(x0, weight * y0) for x0, y0 in strokes)
    holds("On our two versions they part: F2 prefers B, 0.583 to 0.389, and F0.5 prefers A by the same numbers.")
    assert [round(one.fbeta(2), 3) for one in (A, B)] == [0.389, 0.583] and len([A, B]) == 2
    assert [round(one.fbeta(0.5), 3) for one in (A, B)] == [0.583, 0.389]
    q, c, f, sent, late, tp = sympy.symbols("q c f sent late TP", positive=True)
    now = (1 + beta**2) * tp / (sent + beta**2 * late)
    # the denominator grows by 1 either way, so the expected value is the value at the expected hits
    more = now.subs({tp: tp + q, sent: sent + 1}, simultaneous=True)
    holds("right with probability $q$, adds $2q$ on average above the line and 1 below")
    assert sympy.numer(more.subs(beta, 1)) - sympy.numer(now.subs(beta, 1)) == 2 * q
    assert sympy.denom(more.subs(beta, 1)) - sympy.denom(now.subs(beta, 1)) == 1
    holds("it pays if $q$ is above half of the F1")
    assert sympy.simplify(sympy.solve(more - now, q)[0].subs(beta, 1) - now.subs(beta, 1) / 2) == 0
    luck = np.random.default_rng(1)
    for exponent, weight in itertools.product(luck.uniform(0.1, 10, 100), (0.5, 1, 2)):
        sure = np.sort(luck.random(12) ** exponent)[::-1]
        f_of_first = (1 + weight**2) * sure.cumsum() / (weight**2 * sure.sum() + np.arange(1, 13))
        cut, chosen = f_of_first.max() / (1 + weight**2), np.arange(12) <= f_of_first.argmax()
        holds(r"so the best threshold is half of the best F1 (and for $F_\beta$, $F_\beta/(1 + \beta^2)$)")
        assert (sure[chosen] >= cut - 1e-12).all() and (sure[~chosen] <= cut + 1e-12).all()
    holds(r"a warning pays if $c\,q$ is above $1 - q$: from $q = 1/(1 + c)$ on")
    assert sympy.simplify(sympy.solve(c * q - (1 - q), q)[0] - 1 / (1 + c)) == 0
    holds("The two agree if")
    assert sympy.simplify(sympy.solve(f / (1 + beta**2) - 1 / (1 + c), c)[0] - ((1 + beta**2) / f - 1)) == 0
    price = (1 + beta**2) / f - 1
    holds(r"$\beta^2$ false alarms for a miss if $F_\beta$ is 1, and more the lower it is")
    assert price.subs(f, 1) == beta**2 and sympy.diff(price, f).is_negative
    proved("1.2 at an F1 of 0.9, 4.6 at 0.36")
    assert [round(2 / level_f - 1, 1) for level_f in (0.9, 0.36)] == [1.2, 4.6]
    in_lab = np.repeat([1, 0], [8, 12])
    scores = np.array([10, 9, 9, 8, 7, 6, 5, 3, 9, 7, 6, 5, 4, 4, 3, 3, 2, 2, 1, 0])
    plain, heavy = (
        [
            ConfusionCounts.from_labels(in_lab, scores >= cut, sample_weight=1 + rings * (in_lab == 0))
            for cut in range(12)
        ]
        for rings in (0, 3)
    )
    costs = [cell.fp + 10 * cell.fn for cell in plain]
    holds("is highest at 0.5, whatever a miss costs")
    assert np.argmax([cell.f1 for cell in plain]) == 5
    holds("lowest at 0.3 if a miss costs ten false alarms")
    assert np.argmin(costs) == 3 and costs.count(min(costs)) == 1
    holds("With four negatives for each ring the highest F1 falls from 0.737 to 0.5, and stands at 0.8.")
    assert [round(max(cell.f1 for cell in cells), 3) for cells in (plain, heavy)] == [0.737, 0.5]
    assert np.argmax([cell.f1 for cell in heavy]) == 8


@section("On real data")
def test_on_real_data(ax, bill, choose, draws, f_of, flights, grid, judge):
    models, betas = ("logistic", "bayes", "boosted"), (0.5, 1, 2)
    found, at, kept = {}, {}, {}
    for name, weight in itertools.product(models, betas):
        values = [f_of(choose, name, cut, beta=weight) for cut in grid]
        found[name, weight], at[name, weight] = max(values), grid[np.argmax(values)]
        kept[name, weight] = f_of(judge, name, at[name, weight], beta=weight)
    holds("has 6,000 flights")
    assert len(flights) == 6000 and {"logistic", "bayes", "boosted"} <= set(flights.dtype.names)
    holds("Choose the threshold on one half and judge it on the other, since the highest of 99 values is partly luck")
    assert len(choose) == len(judge) == 3000 and len(grid) == 99
    holds("starts at about 0.46, is highest at 0.13 with 0.50 and falls fast")
    assert np.allclose(
        [ax.lines[0].get_ydata()[0], at["logistic", 2], found["logistic", 2]], [0.46, 0.13, 0.5], atol=0.005
    )
    holds("starts at about 0.26, is highest at 0.17 with 0.36")
    ends = [ax.lines[2].get_ydata()[0], at["logistic", 1], found["logistic", 1]]
    assert np.allclose(ends, [0.26, 0.17, 0.36], atol=0.005)
    holds("starts at about 0.18 and is highest at 0.30 with 0.34")
    ends = [ax.lines[4].get_ydata()[0], at["logistic", 0.5], found["logistic", 0.5]]
    assert np.allclose(ends, [0.18, 0.3, 0.34], atol=0.005)
    holds("On the right they fall towards 0.")
    assert len(ax.lines[::2]) == 3 and all(line.get_ydata()[60] < 0.1 for line in ax.lines[::2])
    rows = [[f"{kept[model, b]:.3f} ({at[model, b]:.2f})" for model in models] for b in betas]
    holds("The same for naive Bayes and boosted trees; F on the other half, the threshold in brackets")
    assert rows == [
        ["0.322 (0.30)", "0.302 (0.27)", "0.301 (0.39)"],
        ["0.357 (0.17)", "0.354 (0.07)", "0.336 (0.14)"],
        ["0.477 (0.13)", "0.472 (0.03)", "0.471 (0.12)"],
    ]
    all_warned = [round(float(fbeta_score(judge["late"], np.ones(3000, dtype=int), beta=b)), 3) for b in betas]
    assert all_warned == [0.167, 0.243, 0.445]
    holds("On the first half the trees led F0.5 and F1, on the second the regression leads each row")
    assert all(max(models, key=lambda model: found[model, b]) == "boosted" for b in (0.5, 1))
    assert all(max(models, key=lambda model: kept[model, b]) == "logistic" for b in betas)
    warnings_of = [(judge[model] >= at[model, 1]).astype(int) for model in ("logistic", "boosted")]
    lead = bootstrap(lambda y, one, two: f1_score(y, one) - f1_score(y, two), judge["late"], *warnings_of, **draws)
    holds("in F1 by 0.02 (interval -0.007 to 0.049): perhaps luck")
    assert np.round(lead[:3], 3).tolist() == [0.02, -0.007, 0.049] and lead.low < 0 < lead.high
    holds("the intervals draw days, each with its weather")
    late_by_day = [judge["late"][judge["day"] == day].mean() for day in set(judge["day"])]
    assert len(late_by_day) == 92 and np.std(late_by_day) > 2 * np.sqrt(0.14 * 0.86 * 92 / 3000)
    mores = [paired_difference(bill(t), bill(0.17), **draws) for t in (0.30, 0.13, 1)]
    holds("0.13 and silence are dearer; the interval of 0.30 holds 0, just.")
    assert mores[1].low > 0 and mores[2].low > 0 and mores[0].low < 0 < mores[0].high
    assert abs(mores[0].low) < 0.05 * mores[0].high and bill(1).sum() == 5 * judge["late"].sum()
    holds("By F2 no model is far ahead of a warning to everybody.")
    assert all(0 < kept[model, 2] - all_warned[2] < 0.04 for model in models)
    holds("with F from the first half")
    assert all(
        found["logistic", b] == max(f_of(flights[:3000], "logistic", cut, beta=b) for cut in grid) for b in betas
    )
    prices = [(1 + b**2) / found["logistic", b] - 1 for b in betas]
    apps = [ConfusionCounts.from_labels(judge["late"], judge["logistic"] >= at["logistic", b]) for b in betas]
    assert [round(price, 1) for price in prices] == [2.7, 4.6, 9.0]
    assert [one.tp + one.fp for one in apps] == [296, 976, 1361]
    holds("what is the bill at five false alarms")
    assert [one.fp + 5 * one.fn for one in apps] == [1753, 1563, 1708] and 5 * judge["late"].sum() == 2075
    holds("Each threshold is the cheapest of the three at its own price, and F1's price is near ours.")
    assert [int(np.argmin([one.fp + price * one.fn for one in apps])) for price in prices] == [0, 1, 2] and len(
        apps
    ) == 3
    assert np.argmin(np.abs(np.array(prices) - 5)) == 1
    holds("one warning in four is right, and six late flights of ten are found")
    assert round(apps[1].precision, 2) == 0.25 and round(apps[1].recall, 1) == 0.6
    holds("So we warn from 0.17 on")
    assert at["logistic", 1] == 0.17
    holds("But the costs say 1/6, without a search.")
    assert 1 / (1 + 5) == 1 / 6 and abs(at["logistic", 1] - 1 / 6) < 0.005


@section("Try it")
def test_try_it(B, beta, everyone):
    holds(r"drop the factor $1 + \beta^2$: $1/0.14 + \beta^2 = 1/0.35 + \beta^2/0.7$")
    assert np.isclose(1 / 0.14 + beta**2, 1 / 0.35 + beta**2 / 0.7) and (B.precision, B.recall) == (0.35, 0.7)
    holds(r"From $\sqrt{10}$, about 3.16")
    assert np.isclose(beta, 10**0.5) and round(beta, 2) == 3.16
    for step in np.arange(1, 100) / 10:
        assert (everyone.fbeta(step) > B.fbeta(step)) == (step > beta)


@section("lesson-precision-recall-f")
def test_unchecked_the_opening():
    unchecked("30 minutes late or later", "the story")


@section("lesson-precision-recall-f-choices")
def test_unchecked_the_choices():
    unchecked("where it says 0.5, half are late", "what the word means")


@section("On real data")
def test_unchecked_on_real_data():
    unchecked("with the probability of being late by three models trained on the months before", "the script does")
