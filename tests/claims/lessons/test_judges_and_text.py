"""What book/lessons/judges-and-text.ipynb says, held."""

import itertools
import math

import numpy as np
import pytest

from metrics_lib import UndefinedMetricWarning, cohen_kappa_score
from metrics_lib.uncertainty import bootstrap, paired_difference, wilson_interval
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-judges-and-text-case")
def case(alike, b_first, b_last, both, judge, simulate, truth):
    """The simulation, whose code comes after the sections that speak of it."""
    calls = b_last, b_first, both, both[alike]
    return {
        "shares": [bootstrap(np.mean, call, n_resamples=2000, rng=0)[:3] for call in calls],
        "truth": truth,
        "b_last": b_last,
        "twin": judge(1),
        "simulate": simulate,
    }


@section("lesson-judges-and-text")
def test_the_opening(ax, case, shown):
    truth, simulate = case["truth"], case["simulate"]
    holds("For 4,000 questions a language model reads both answers")
    assert set(truth) == {0, 1} and truth.shape == case["b_last"].shape == (4000,)
    assert np.allclose(list(shown.values()), case["shares"], atol=0.00006)
    holds("It prefers B on 56% of them.")
    last, first, both, alike = case["shares"]
    assert round(last[0], 2) == 0.56 and last[1] > 0.5
    holds("the same judge prefers A, because it favours whatever it reads last")
    no_place = simulate(for_place=0)[2]
    assert first[2] < 0.5 and abs(no_place(1).mean() - no_place(-1).mean()) < 0.01 < 0.09 < last[0] - first[0]
    holds("it still gives B 52%, because B's answers are longer and it favours long ones")
    no_length = simulate(for_length=0)
    assert round(both[0], 2) == 0.52 and both[1] > 0.5 and np.median(no_length[1]) > 1.4
    assert (no_length[2](1).mean() + no_length[2](-1).mean()) / 2 < 0.47
    holds("Among answers of similar length, B gets 44%.", "people prefer A on 56% of the questions")
    assert f"{alike[0]:.2f}" == "0.44" and round(1 - truth.mean(), 2) == 0.56
    holds("a dashed one at 0.44, marked people", "by the order of the answers and by their length")
    assert round(truth.mean(), 2) == 0.44 and abs(ax.lines[1].get_xdata()[0] - truth.mean()) < 0.0006
    holds("Four dots with intervals", "from 0.38 to 0.6", "A read first is at 0.56, to the right of one half")
    assert len(shown) == 4 and ax.get_xlim() == (0.38, 0.6) and next(iter(shown)) == "A read first"
    holds("B read first is at 0.47, to the left of it; both orders is at 0.52, just to the right")
    assert [round(value, 2) for value, *_ in shown.values()] == [0.56, 0.47, 0.52, 0.44]
    holds("answers of similar length is at 0.44, on the dashed line")
    assert alike[1] < truth.mean() < alike[2]


@section("lesson-judges-and-text-one-line")
def test_in_one_line():
    holds(
        "Rater 1 gives label $l$ to a share $a_l$, rater 2 to a share $b_l$",
        "1 is perfect, and 0 is what chance gives",
        "`cohen_kappa_score(people, says)` is 0.4",
    )
    assert (
        round(cohen_kappa_score(list("A" * 60 + "B" * 40), list("A" * 40 + "B" * 20 + "A" * 10 + "B" * 30)), 3) == 0.4
    )
    assert cohen_kappa_score([0, 1], [0, 1]) == 1 and cohen_kappa_score([0, 0, 1, 1], [0, 1, 0, 1]) == 0


@section("lesson-judges-and-text-by-hand")
def test_by_hand(agree, chance, people, says, table):
    holds("A person and the judge name the better answer to 100 questions")
    assert table.shape == (2, 2) and len(people) == len(says) == 100 and set(people) == {"A", "B"}
    holds("They agree on $p_o = (40 + 30)/100 = 0.7$.")
    assert math.isclose((40 + 30) / 100, 0.7) and math.isclose(agree, 0.7)
    assert math.isclose(0.6 * 0.5 + 0.4 * 0.5, 0.5) and math.isclose(chance, 0.5)
    assert math.isclose((0.7 - 0.5) / (1 - 0.5), 0.4) and math.isclose(cohen_kappa_score(people, says), 0.4)
    assert np.allclose(table.sum(axis=1), [60 / 100, 40 / 100]) and np.allclose(table.sum(axis=0), [50 / 100, 50 / 100])
    assert math.isclose((agree - chance) / (1 - chance), cohen_kappa_score(people, says))


@section("lesson-judges-and-text-good", after="fig, ax")
def test_how_good_is_an_agreement_of_90(ax, kappa):
    holds("Notes say that chance agrees on 50% if half of the texts are flagged, on 82% if 1 in 10 is, and on 90.5%")
    assert math.isclose(0.05**2 + 0.95**2, 0.905) and 0.905 > 0.9 and 0.5**2 + 0.5**2 == 0.5
    holds("It rises from -0.05 at the left end to 0.44 at 0.1 and 0.80 at 0.5")
    assert np.isclose(kappa[[0, -1]], [-1 / 19, 0.8]).all() and math.isclose(0.1**2 + 0.9**2, 0.82)
    assert (np.diff(kappa) > 0).all() and round((0.9 - 0.82) / 0.18, 2) == 0.44
    holds("dots mark these three places")
    assert sum(line.get_marker() == "o" for line in ax.lines) == 3
    raters = [
        ([0] * 90 + [1] * 10, [0] * 85 + [1] * 5 + [0] * 5 + [1] * 5),
        ([0] * 50 + [1] * 50, [0] * 45 + [1] * 5 + [0] * 5 + [1] * 45),
        ([0] * 95 + [1] * 5, [0] * 90 + [1] * 5 + [0] * 5),
    ]
    holds("Suppose that two raters each flag the same share of the texts as toxic, and agree on 90%")
    assert all(sum(one) == sum(two) and np.mean(np.equal(one, two)) == 0.9 for one, two in raters)
    holds("The same 90% can be a Cohen's kappa of 0.80 or one below 0")
    assert np.round([cohen_kappa_score(one, two) for one, two in raters], 2).tolist() == [0.44, 0.8, -0.05]
    proved("At 1 text in 20, the raters do not have a single flagged text in common.")
    assert [d for d in range(6) if 100 - 2 * (5 - d) == 90] == [0] and 5 / 100 == 1 / 20
    holds("Kappa is 1 if the raters agree on each item, 0 on average if one of them answers at random, and -1 at worst")
    texts = list(itertools.product([0, 1], repeat=5))
    pairs = [two for two in itertools.product(texts, repeat=2) if 0 < sum(two[0]) < 5]
    found = [cohen_kappa_score(*two) for two in pairs]
    assert math.isclose(max(found), 1) and cohen_kappa_score([0, 1], [1, 0]) == -1 and min(found) >= -1
    assert all((one == two) == math.isclose(k, 1) for (one, two), k in zip(pairs, found, strict=True))
    for fixed in ([0, 0, 1, 1, 1, 2], [0, 0, 0, 0, 1, 2]):
        shuffled = itertools.permutations([0, 1, 1, 2, 2, 2])
        assert abs(np.mean([cohen_kappa_score(fixed, list(order)) for order in shuffled])) < 1e-9
    holds("If both use one label throughout, it is 0/0.")
    with pytest.warns(UndefinedMetricWarning, match="0/0"):
        assert math.isnan(cohen_kappa_score([1, 1], [1, 1]))
    unchecked("for 0.4 to 0.6 are a habit; the kappa of two people on the same items is a better yardstick", "advice")


@section("lesson-judges-and-text-blind")
def test_two_copies_of_a_judge(case):
    truth, b_last, twin = case["truth"], case["b_last"], case["twin"]
    among = [cohen_kappa_score(*two) for two in ((b_last, twin), (truth, b_last), (truth, twin))]
    holds("The two copies reach a Cohen's kappa of 0.70 with each other, and of about 0.57 with the truth.")
    assert round(among[0], 2) == 0.70 and all(abs(value - 0.57) < 0.01 for value in among[1:])
    holds("Ask a second copy of the judge")
    assert len(twin) == len(b_last) and (twin != b_last).any()
    holds("if their errors were as frequent but independent, their kappa would be 0.34")
    rates = [np.mean(b_last[truth == right]) for right in (0, 1)]
    agree = np.array([1 - truth.mean(), truth.mean()]) @ [rate**2 + (1 - rate) ** 2 for rate in rates]
    chance = b_last.mean() ** 2 + (1 - b_last.mean()) ** 2
    assert round((agree - chance) / (1 - chance), 2) == 0.34
    at_random = np.random.default_rng(6).random((50, 4000)) < np.where(truth, *rates[::-1])
    own_errors = [cohen_kappa_score(one, other) for one, other in zip(at_random[::2], at_random[1::2], strict=True)]
    assert abs(np.mean(own_errors) - 0.34) < 0.01
    holds("The copies share their taste, and they stumble on the same close questions")
    rng = np.random.default_rng(7)
    merit = rng.normal(-0.126, 1, 50000)
    liking = merit + 0.15 + rng.normal(0, 0.4, (2, 50000))
    tastes = 0.5 * rng.normal(0.4, 0.6, (2, 50000)) + rng.normal(0, 0.5, (2, 50000))
    one_taste, own_taste = (liking + taste > 0 for taste in (tastes[:1], tastes))
    assert abs(cohen_kappa_score(*one_taste) - 0.70) < 0.01
    assert 0.34 + 0.1 < cohen_kappa_score(*own_taste) < 0.70 - 0.2
    both_wrong, close = (own_taste != (merit > 0)).all(axis=0), abs(merit) < 0.5
    assert both_wrong[close].mean() > 5 * both_wrong[~close].mean()


@section("lesson-judges-and-text-blind")
def test_bleu(bleu, meant, ngrams, outputs):
    holds("each counted at most as often as it occurs there")
    repeated = ngrams(["the"] * 7, 1) & ngrams(["the", "cat", "is", "on", "the", "mat"], 1)
    assert repeated.total() == 2
    values = [bleu([text], [meant]) for text in outputs]
    holds("three outputs for the drug is safe for children under twelve")
    assert len(outputs) == 3 and meant == "the drug is safe for children under twelve"
    holds("Quite safe and not safe have the same BLEU.")
    assert values[0] == values[1] > 50
    holds(
        "because it shares no run of four words, and a single zero makes the product zero",
        "The right paraphrase scores 0",
    )
    assert [(ngrams(outputs[2].split(), n) & ngrams(meant.split(), n)).total() for n in range(1, 5)] == [5, 3, 1, 0]
    assert values[2] == 0 == bleu(["a b c x"], ["a b c y"]) < bleu(["a b c d x"], ["a b c d y"])
    holds("The first factor, the brevity penalty, punishes output that is too short.")
    assert bleu(["a b c d e f g h"], ["a b c d e f g h"]) == 100 > bleu(["a b c d e"], ["a b c d e f g h"])
    assert math.isclose(bleu(["a b c d e"], ["a b c d e f g h"]), 100 * math.exp(1 - 8 / 5))


@section("lesson-judges-and-text-choices")
def test_the_choices(bleu, fleiss_kappa, kendall_tau, krippendorff_alpha, meant, orleans, outputs, winnipeg):
    kappas = [cohen_kappa_score(orleans, winnipeg, weights=weights) for weights in (None, "linear", "quadratic")]
    assert [f"{kappa:.3f}" for kappa in kappas] == ["0.208", "0.380", "0.525"]
    assert round(fleiss_kappa([[3, 0], [2, 1], [1, 2], [0, 3]]), 3) == 0.333
    assert round(krippendorff_alpha([[1, 1, 0, 0], [1, 1, 1, 0], [1, None, 0, 0]]), 3) == 0.667
    assert round(bleu(outputs[1:2], [meant]), 1) == 59.7 and math.isclose(kendall_tau("ABCDE", "ACBED"), 0.6)
    holds("because ours splits at blanks, sacreBLEU's `13a` also cuts off punctuation, and the value changes")
    assert bleu(["it is not safe ."], ["it is not safe ."]) == 100 > bleu(["it is not safe."], ["it is not safe ."])
    holds(
        "Krippendorff's alpha is 1 minus the disagreement over that of labels drawn",
        "from all items that have two or more.",
    )
    assert krippendorff_alpha([[0, 1, 0], [0, 1, 1]]) == 1 - (1 / 3) / (9 * 2 / 30)
    assert krippendorff_alpha([[0, 1, 0, 0], [0, 1, 1, None]]) == krippendorff_alpha([[0, 1, 0], [0, 1, 1]])
    proved("These rankings share the order of 8 of the 10 pairs, and 12% of all random orders do as well or better")
    pairs = list(itertools.combinations("ABCDE", 2))
    alike = {o: sum(o.index(x) < o.index(y) for x, y in pairs) for o in itertools.permutations("ABCDE")}
    assert alike[tuple("ACBED")] == 8 and len(pairs) == 10
    assert round(np.mean([count >= 8 for count in alike.values()]), 2) == 0.12


NEW_ORLEANS = np.array([[5, 3, 0, 0], [3, 11, 4, 0], [2, 13, 3, 4], [1, 2, 4, 14]])


@section("lesson-judges-and-text-choices")
def test_two_neurologists(counts, orleans, winnipeg):
    def kappa(table):
        share = table / table.sum()
        chance = share.sum(axis=1) @ share.sum(axis=0)
        return (np.trace(share) - chance) / (1 - chance)

    holds("with which two neurologists diagnosed multiple sclerosis in 149 patients of Winnipeg")
    assert counts.sum() == len(orleans) == 149
    holds("They agree on 43% of the patients.")
    assert f"{np.mean(orleans == winnipeg):.0%}" == "43%"
    proved("Plain kappa treats certain against probable as just as bad as certain against doubtful.")
    moved = [counts.copy() for _ in range(2)]
    for table, column in zip(moved, (1, 3), strict=True):
        table[0, column] += 1
    assert all(np.trace(table) == np.trace(counts) for table in moved)
    holds("One table has kappas of 0.21, 0.38 and 0.52")
    kappas = [cohen_kappa_score(orleans, winnipeg, weights=weights) for weights in (None, "linear", "quadratic")]
    assert [f"{value:.2f}" for value in kappas] == ["0.21", "0.38", "0.52"] and math.isclose(kappas[0], kappa(counts))
    holds("None of the three shows that the disagreement has a direction.")
    for weights, value in zip((None, "linear", "quadratic"), kappas, strict=True):
        assert math.isclose(cohen_kappa_score(winnipeg, orleans, weights=weights), value)
    holds("The neurologist from Winnipeg was certain of 84 patients, and the one from New Orleans of 44.")
    assert (counts[:, 0].sum(), counts[0].sum()) == (84, 44)
    holds("Winnipeg's grades are surer by 0.51 of a grade (95% interval 0.36 to 0.66).")
    lean = paired_difference(orleans, winnipeg, rng=0)
    assert np.round(lean[:3], 2).tolist() == [0.51, 0.36, 0.66]
    holds("Just over half of this lean comes from where certain begins, and most of the rest from where probable does.")
    apart = np.cumsum(counts.sum(axis=0) - counts.sum(axis=1))[:3]
    assert math.isclose(apart.sum() / 149, lean.value) and 0.5 < apart[0] / apart.sum() < 0.55
    assert apart[1] > 0.8 * apart[1:].sum()
    holds("If they agreed on both, little lean would be left, but much disagreement")
    assert apart[2] / apart.sum() < 0.1 and 1 - kappas[0] > 0.7
    holds("the two could agree on at most 73% of the patients, and reach a kappa of at most 0.63")
    share = counts / counts.sum()
    most, chance = np.minimum(share.sum(axis=1), share.sum(axis=0)).sum(), share.sum(axis=1) @ share.sum(axis=0)
    assert f"{most:.0%} {(most - chance) / (1 - chance):.2f}" == "73% 0.63"
    holds("because their kappa is a third of what these margins allow")
    assert abs(kappas[0] / ((most - chance) / (1 - chance)) - 1 / 3) < 0.01
    cells = np.indices((4, 4)).reshape(2, -1)
    rows, columns = np.repeat(cells, NEW_ORLEANS.ravel(), axis=1)
    holds("On 69 patients of New Orleans the lean has the same direction, 0.29 (0.08 to 0.50)")
    assert len(rows) == 69
    assert [f"{value:.2f}" for value in paired_difference(rows, columns, rng=0)[:3]] == ["0.29", "0.08", "0.50"]
    holds("and kappa is 0.30 (0.14 to 0.45)")
    there = bootstrap(cohen_kappa_score, rows, columns, rng=0)[:3]
    assert [f"{value:.2f}" for value in there] == ["0.30", "0.14", "0.45"]
    holds("because the difference in kappa is 0.09, with an interval from -0.10 to 0.27")
    rng = np.random.default_rng(0)
    drawn = [
        [kappa(rng.multinomial(table.sum(), table.ravel() / table.sum()).reshape(4, 4)) for _ in range(4000)]
        for table in (NEW_ORLEANS, counts)
    ]
    low, high = np.quantile(np.subtract(*drawn), [0.025, 0.975])
    assert round(kappa(NEW_ORLEANS) - kappa(counts), 2) == 0.09 and abs(low + 0.1) < 0.006 and abs(high - 0.27) < 0.006


@section("lesson-judges-and-text-choices")
def test_words(meant, outputs, word_error_rate):
    assert word_error_rate(outputs[1], meant) == 0.125
    holds("A rate of 3 shows that it is not a share of the words.")
    assert word_error_rate("oh no not again", "no") == 3
    holds("is the smallest number of words to replace, drop and add")
    texts = ("a b c", "a b c d e", "a x c d", "d a b c")
    assert [word_error_rate(text, "a b c d") for text in texts] == [0.25] * 3 + [0.5]


@section("lesson-judges-and-text-case")
def test_the_swap(alike, b_first, b_last, both, case, ratio, simulate, truth):
    twin = case["twin"]
    holds("no answer is more than 1.2 times as long as the other")
    assert ratio[alike].max() < 1.2 and ratio[alike].min() > 1 / 1.2
    holds("a pair that changes counts as one half")
    assert set(both[b_last != b_first]) == {1 / 2} and set(both[b_last == b_first]) == {0, 1}
    holds("The swap changes 16% of the verdicts.")
    assert round((b_last != b_first).mean(), 2) == 0.16
    holds("because asking again in the same order changes 15%; the bias shows in the shares, 56% and 47%")
    assert round((b_last != twin).mean(), 2) == 0.15
    no_place = simulate(for_place=0)[2]
    swapped = no_place(1), no_place(-1)
    assert (swapped[0] != swapped[1]).mean() > 0.13 and abs(np.subtract(*swapped).mean()) < 0.01
    assert [round(calls.mean(), 2) for calls in (b_last, b_first)] == [0.56, 0.47]
    holds("on the 778 questions with answers of similar length, B gets 44% (41 to 48)")
    assert alike.sum() == 778
    found = bootstrap(np.mean, both[alike], n_resamples=2000, rng=0)[:3]
    assert f"{found[0]:.2f}" == "0.44" and [round(end, 2) for end in found[1:]] == [0.41, 0.48]
    holds("limits of 1.1 and 2 also leave B below one half, with 39.6% (35.5 to 43.8) and 48.0% (46.3 to 49.9)")
    for limit, said in ((1.1, ["39.6", "35.5", "43.8"]), (2, ["48.0", "46.3", "49.9"])):
        share = bootstrap(np.mean, both[abs(np.log(ratio)) < np.log(limit)], n_resamples=2000, rng=0)[:3]
        assert [f"{100 * value:.1f}" for value in share] == said and share[2] < 1 / 2
    holds("It does, and people do not.")
    assert abs(np.corrcoef(np.log(ratio), truth)[0, 1]) < 0.02 < 0.15 < np.corrcoef(np.log(ratio), both)[0, 1]
    holds("If people did prefer longer answers, that would throw away a merit of B's.")
    rng = np.random.default_rng(3)
    length = rng.normal(0.4, 0.6, 20000)
    liked = rng.normal(-0.126, 1, 20000) + 0.5 * length > 0
    assert liked.mean() > 0.5 > liked[abs(length) < np.log(1.2)].mean() + 0.02


@section("lesson-judges-and-text-case", after="by_length =")
def test_the_length(both, by_length, fifths, of_people, places):
    holds("five groups of 800 questions by B's length over A's, with 95% intervals")
    assert [len(rows) for rows in fifths] == [800] * 5
    again = bootstrap(np.mean, both[fifths[0]], n_resamples=999, confidence_level=0.95, rng=0)
    assert again[:3] == by_length[0][:3]
    holds("The judge's share climbs with the length, that of people does not.")
    shares = [round(found.value, 2) for found in by_length]
    assert shares == sorted(shares) and of_people != sorted(of_people)
    holds("climb from 0.40 at 0.7 to 0.63 at 3.2", "stay between 0.42 and 0.47")
    assert (shares[0], shares[-1]) == (0.4, 0.63) and [round(places[i], 1) for i in (0, -1)] == [0.7, 3.2]
    assert all(0.42 <= share <= 0.47 for share in of_people)


@section("lesson-judges-and-text-case")
def test_asking_people(asked, b_last, both, pair, simulate, truth):
    holds("with a Cohen's kappa of 0.53 (0.44 to 0.63), and still names the wrong winner")
    assert np.round(bootstrap(cohen_kappa_score, *pair, n_resamples=2000, rng=0)[:3], 2).tolist() == [0.53, 0.44, 0.63]
    assert b_last.mean() > 0.5 > truth.mean() and len(asked) == 300
    holds("because its errors lean to one side")
    lean = [((b_last == call) & (truth != call)).sum() for call in (1, 0)]
    coin = np.where(np.random.default_rng(5).random(4000) < 0.25, 1 - truth, truth)
    assert lean[0] > 3 * lean[1] and cohen_kappa_score(truth, coin) < cohen_kappa_score(truth, b_last)
    assert coin.mean() < 0.5
    holds("The same 300 answers correct it, whatever its bias")
    for place, length in ((0.15, 0.5), (1, 0), (0, 2)):
        right, _, judge = simulate(400, place, length, 3)
        call, rng = judge(1), np.random.default_rng(4)
        some = np.array([rng.choice(400, 30, replace=False) for draw in range(2000)])
        corrected = call.mean() + (right - call)[some].mean(axis=1)
        assert abs(corrected.mean() - right.mean()) < 0.01
    holds("People would give B 43% of these 4,000 questions (38 to 48), which is less than one half, so ship A.")
    corrected = both.mean() + np.array(bootstrap(np.mean, truth[asked] - both[asked], rng=0)[:3])
    assert corrected[2] < 1 / 2 and np.round(corrected, 2).tolist() == [0.43, 0.38, 0.48]
    holds("The 300 answers alone give a wider interval, 35% to 46%.")
    alone = bootstrap(np.mean, truth[asked], rng=0)
    assert np.round(alone[1:3], 2).tolist() == [0.35, 0.46] and np.ptp(alone[1:3]) > np.ptp(corrected[1:])


@section("lesson-judges-and-text-case")
def test_one_number_for_a_test_set():
    slices = {"C": [540, 200], "D": [480, 240]}
    proved("answer 1,000 questions, of which 600 were online before either was trained", "the new 400")
    assert len(slices) == 2 and 600 + 400 == 1000
    assert [right / n for right, n in zip(slices["C"], (600, 400), strict=True)] == [0.90, 0.50]
    assert [right / n for right, n in zip(slices["D"], (600, 400), strict=True)] == [0.80, 0.60]
    proved("C leads on all questions, and D on those written since, by 10 points (3 to 17)")
    assert (sum(slices["C"]) / 1000, sum(slices["D"]) / 1000) == (0.74, 0.72)
    reach = 1.96 * math.sqrt((0.5 * 0.5 + 0.6 * 0.4) / 400)
    assert [round(100 * (0.1 + side * reach)) for side in (0, -1, 1)] == [10, 3, 17]
    assert wilson_interval(200, 400).high < wilson_interval(240, 400).low
    proved("because on different mixes a model that leads in each slice can trail in total")
    worse, better = (0.8, 0.5), (0.9, 0.6)
    assert 0.2 * better[0] + 0.8 * better[1] < 0.8 * worse[0] + 0.2 * worse[1]
    proved("Both models should answer the same mix")
    for share in np.linspace(0, 1, 11):
        assert np.dot([share, 1 - share], better) > np.dot([share, 1 - share], worse)


@section("Try it")
def test_try_it(first, second):
    holds("for two raters who both use both labels, agree on at least eight texts", "Agreement of 80%, kappa below 0")
    assert len(first) == len(second) == 10 and set(first) == set(second) == {0, 1}
    assert np.mean(np.equal(first, second)) == 0.8 and cohen_kappa_score(first, second) < 0
    holds("Each rater flags one text, and not the same one")
    assert sum(first) == sum(second) == 1 and first.index(1) != second.index(1)
    proved("By chance they would agree on 0.9 · 0.9 + 0.1 · 0.1 = 0.82 of the texts, which is more than the 0.8")
    assert math.isclose(0.9 * 0.9 + 0.1 * 0.1, 0.82)
    proved(
        "A judge gives B 56% of 2,000 questions.",
        "On 200 of them, drawn at random, people prefer B 88 times, and the judge prefers B 110 times",
        "What share of the 2,000 questions would people give to B",
        "People would give B 45%, so A is ahead.",
    )
    assert math.isclose(0.56 + (88 - 110) / 200, 0.45)
    holds("Whether by more than chance depends on how often the two differ, which these counts do not say.")
    spreads = []
    for apart in (22, 198):  # how often they differ, with the same counts of 88 and 110
        gaps = [-1] * (22 + (apart - 22) // 2) + [1] * ((apart - 22) // 2) + [0] * (200 - apart)
        spreads.append(paired_difference(gaps, np.zeros(200), rng=0))
    assert all(math.isclose(spread.value, (88 - 110) / 200) for spread in spreads)
    assert 0.56 + spreads[0].high < 1 / 2 < 0.56 + spreads[1].high


@section("Further")
def test_unchecked_further():
    unchecked("No document has a judge, a kappa, BLEU or a word error rate", "read")
    unchecked("correct a model's labels by a few of people, with valid intervals", "read")
