"""What book/lessons/judges-and-text.ipynb says, held."""

import itertools
import math
from fractions import Fraction

import numpy as np

from metrics_lib import cohen_kappa_score
from metrics_lib.uncertainty import bootstrap, wilson_interval
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-judges-and-text")
def test_the_opening(axes, b_first, b_second, by_length, calls, fifths, places, ratio, simulate, truth):
    in_both_orders = (b_second + b_first) / 2
    holds("For 4,000 questions a language model reads both answers")
    assert set(truth) == {0, 1} and truth.shape == b_second.shape == (4000,)
    holds("It prefers B on 56 % of them.")
    assert round(b_second.mean(), 2) == 0.56 and bootstrap(np.mean, b_second, n_resamples=999, rng=0).low > 0.5
    holds("Swap the answers, and the same judge prefers A: what is read last pleases it more")
    assert round(b_first.mean(), 2) == 0.47 and bootstrap(np.mean, b_first, n_resamples=999, rng=0).high < 0.5
    no_place = simulate(place_effect=0)[2]
    assert abs(no_place(1).mean() - no_place(-1).mean()) < 0.01 < 0.09 < b_second.mean() - b_first.mean()
    holds("Ask in both orders, and B still has 52 %: B's answers are long, and the judge likes long ones")
    assert (
        round(in_both_orders.mean(), 2) == 0.52 and bootstrap(np.mean, in_both_orders, n_resamples=999, rng=0).low > 0.5
    )
    assert np.median(ratio) > 1.4
    no_length = simulate(length_effect=0)[2]
    assert (no_length(1).mean() + no_length(-1).mean()) / 2 < 0.47
    holds("A is better on 56 % of the questions")
    assert round(1 - truth.mean(), 2) == 0.56 and round(truth.mean(), 2) == 0.44
    holds("The same judge prefers B when it is read last, and when it is long.")
    assert [found.value > 0.5 for found in by_length] == [False, False, True, True, True]
    holds("Two panels with the share for B from 0.35 to 0.7")
    assert len(axes) == 2 and axes[0].get_ylim() == axes[1].get_ylim() == (0.35, 0.7)
    holds("Left, three dots with bars over the order of the answers; B last is at 0.56, B first at 0.47")
    assert len(calls) == 3 == len(axes[0].containers)
    holds("Right, five dots with bars over B's length divided by A's, each for 800 questions")
    assert [len(rows) for rows in fifths] == [800] * 5
    holds(
        "climbs from 0.40 at 0.7 to 0.63 at 3.2; orange squares, the truth in these groups, stay between 0.42 and 0.47"
    )
    shares = [round(found.value, 2) for found in by_length]
    assert shares == sorted(shares) and (shares[0], shares[-1]) == (0.4, 0.63)
    assert [round(places[i], 1) for i in (0, -1)] == [0.7, 3.2]
    assert all(0.42 <= truth[rows].mean() <= 0.47 for rows in fifths)


@section("lesson-judges-and-text-one-line")
def test_in_one_line():
    holds("Two raters label each item")
    assert (
        round(cohen_kappa_score(list("A" * 60 + "B" * 40), list("A" * 40 + "B" * 20 + "A" * 10 + "B" * 30)), 3) == 0.4
    )
    proved("Rater 1 gives label $l$ to a share $a_l$ of them, rater 2 to a share $b_l$")
    assert math.isclose(0.6 * 0.5 + 0.4 * 0.5, 0.5)


@section("lesson-judges-and-text-by-hand")
def test_by_hand(agree, chance, people, says, table):
    holds("They agree on $p_o = (40 + 30)/100 = 0.7$.")
    assert math.isclose((40 + 30) / 100, 0.7) and math.isclose(agree, 0.7)
    holds("A person and the judge name the better answer to 100 questions")
    assert table.shape == (2, 2) and len(people) == len(says) == 100 and set(people) == {"A", "B"}
    assert math.isclose(0.6 * 0.5 + 0.4 * 0.5, 0.5) and math.isclose(chance, 0.5)
    assert math.isclose((0.7 - 0.5) / (1 - 0.5), 0.4) and math.isclose(cohen_kappa_score(people, says), 0.4)
    assert np.allclose(table.sum(axis=1), [60 / 100, 40 / 100]) and np.allclose(table.sum(axis=0), [50 / 100, 50 / 100])
    holds("The call agrees.")
    assert math.isclose((agree - chance) / (1 - chance), cohen_kappa_score(people, says))


@section("lesson-judges-and-text-good")
def test_how_good_is_an_agreement_of_90(ax, kappa):
    holds("Notes say that at one half chance agrees on 50 %, at 0.05 on 90.5 %, more than the raters do.")
    assert math.isclose(0.05**2 + 0.95**2, 0.905) and 0.905 > 0.9 and 0.5**2 + 0.5**2 == 0.5
    holds("It rises from -0.05 at the left end to 0.44 at 0.1 and 0.80 at 0.5")
    assert np.isclose(kappa[[0, -1]], [-1 / 19, 0.8]).all() and math.isclose(0.1**2 + 0.9**2, 0.82)
    assert (np.diff(kappa) > 0).all() and round((0.9 - 0.82) / 0.18, 2) == 0.44
    holds("dots mark these three places")
    assert sum(line.get_marker() == "o" for line in ax.lines) == 3
    raters_of_check = [
        ([0] * 90 + [1] * 10, [0] * 85 + [1] * 5 + [0] * 5 + [1] * 5),
        ([0] * 50 + [1] * 50, [0] * 45 + [1] * 5 + [0] * 5 + [1] * 45),
        ([0] * 95 + [1] * 5, [0] * 90 + [1] * 5 + [0] * 5),
    ]
    holds("Let two raters each flag the same share of the texts as toxic, and agree on 90 %")
    assert all(sum(one) == sum(two) and np.mean(np.equal(one, two)) == 0.9 for one, two in raters_of_check)
    holds("The same 90 % is a Cohen's kappa of 0.80, or one below 0")
    kappas_of_check = [cohen_kappa_score(one, two) for one, two in raters_of_check]
    assert np.round(kappas_of_check, 2).tolist() == [0.44, 0.8, -0.05]
    proved("At 1 text in 20 the raters have not one flagged text in common.")
    assert [d for d in range(6) if 100 - 2 * (5 - d) == 90] == [0] and 5 / 100 == 1 / 20
    holds("Kappa is 1 if they agree throughout, 0 on average if one of them answers at random, and -1 at worst")
    texts_of_check = list(itertools.product([0, 1], repeat=5))
    pairs_of_check = [two for two in itertools.product(texts_of_check, repeat=2) if 0 < sum(two[0]) < 5]
    found_of_check = [cohen_kappa_score(*two) for two in pairs_of_check]
    assert math.isclose(max(found_of_check), 1) and cohen_kappa_score([0, 1], [1, 0]) == -1
    assert min(found_of_check) >= -1
    assert all((one == two) == math.isclose(k, 1) for (one, two), k in zip(pairs_of_check, found_of_check, strict=True))
    for fixed_of_check in ([0, 0, 1, 1, 1, 2], [0, 0, 0, 0, 1, 2]):
        shuffled = itertools.permutations([0, 1, 1, 2, 2, 2])
        assert abs(np.mean([cohen_kappa_score(fixed_of_check, list(order)) for order in shuffled])) < 1e-9


@section("lesson-judges-and-text-blind")
def meant(rest):
    return f"the drug is {rest}"


@section("lesson-judges-and-text-blind")
def twin(judge):
    return judge(1)


@section("lesson-judges-and-text-blind")
def test_what_it_cannot_see(b_second, bleu, meant, ngrams, outputs, truth, twin):
    among = [cohen_kappa_score(*two) for two in ((b_second, twin), (truth, b_second), (truth, twin))]
    holds("the two copies agree with a Cohen's kappa of 0.70, each of them with the truth with one of about 0.57")
    assert round(among[0], 2) == 0.70 and all(abs(value - 0.57) < 0.01 for value in among[1:])
    holds("Ask a second copy of the judge")
    assert len(twin) == len(b_second) and (twin != b_second).any()
    holds("with errors as frequent, but independent, they would have 0.34")
    says_b = [np.mean(b_second[truth == right]) for right in (0, 1)]
    shares_of_check = np.array([1 - truth.mean(), truth.mean()])
    agree_of_check = shares_of_check @ [rate**2 + (1 - rate) ** 2 for rate in says_b]
    chance_of_check = b_second.mean() ** 2 + (1 - b_second.mean()) ** 2
    assert round((agree_of_check - chance_of_check) / (1 - chance_of_check), 2) == 0.34
    at_random = np.random.default_rng(6).random((50, 4000)) < np.where(truth, *says_b[::-1])
    own_errors = [cohen_kappa_score(one, other) for one, other in zip(at_random[::2], at_random[1::2], strict=True)]
    assert abs(np.mean(own_errors) - 0.34) < 0.01
    holds("The copies share their taste and stumble on the same close questions")
    rng_of_check = np.random.default_rng(7)
    merit_of_check = rng_of_check.normal(-0.126, 1, 50000)
    liking_of_check = merit_of_check + 0.15 + rng_of_check.normal(0, 0.4, (2, 50000))
    tastes_of_check = 0.5 * rng_of_check.normal(0.4, 0.6, (2, 50000)) + rng_of_check.normal(0, 0.5, (2, 50000))
    one_taste, own_taste = (liking_of_check + taste > 0 for taste in (tastes_of_check[:1], tastes_of_check))
    assert abs(cohen_kappa_score(*one_taste) - 0.70) < 0.01
    assert 0.34 + 0.1 < cohen_kappa_score(*own_taste) < 0.70 - 0.2
    both_wrong = (own_taste != (merit_of_check > 0)).all(axis=0)
    close_of_check = abs(merit_of_check) < 0.5
    assert both_wrong[close_of_check].mean() > 5 * both_wrong[~close_of_check].mean()
    holds("each counted at most as often as there")
    repeated = ngrams(["the"] * 7, 1) & ngrams(["the", "cat", "is", "on", "the", "mat"], 1)
    assert repeated.total() == 2
    values_of_check = [bleu([text], [meant]) for text in outputs]
    holds("Three outputs for *the drug is safe for children under twelve*")
    assert len(outputs) == 3 and meant == "the drug is safe for children under twelve"
    holds("*Quite safe* and *not safe* have the same BLEU, and the right paraphrase has 0")
    assert values_of_check[0] == values_of_check[1] > 50 and values_of_check[2] == 0
    holds("no n-gram of four words is shared, and one zero makes the product zero")
    assert [(ngrams(outputs[2].split(), n) & ngrams(meant.split(), n)).total() for n in range(1, 5)] == [5, 3, 1, 0]
    assert bleu(["a b c x"], ["a b c y"]) == 0 < bleu(["a b c d x"], ["a b c d y"])
    holds("The first factor punishes output that is too short.")
    assert bleu(["a b c d e f g h"], ["a b c d e f g h"]) == 100 > bleu(["a b c d e"], ["a b c d e f g h"])
    assert math.isclose(bleu(["a b c d e"], ["a b c d e f g h"]), 100 * math.exp(1 - 8 / 5))
    assert all(math.isclose(part, 1) for part in (5 / 5, 4 / 4, 3 / 3, 2 / 2))


@section("lesson-judges-and-text-choices")
def test_the_choices(
    bleu,
    exact,
    exact_match,
    fleiss_kappa,
    kendall_tau,
    krippendorff_alpha,
    meant,
    naive,
    odds,
    outputs,
    p,
    pass_at_k,
    people,
    rank_biased_overlap,
    says,
    word_error_rate,
):
    assert round(cohen_kappa_score(people, says), 2) == 0.40
    judged_of_check = [[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0]]
    assert round(fleiss_kappa([[3, 0], [2, 1], [1, 2], [0, 3]]), 2) == 0.33
    assert np.sum(judged_of_check, axis=0).tolist() == [3, 2, 1, 0]
    assert round(krippendorff_alpha([*judged_of_check[:2], [1, None, 0, 0]]), 2) == 0.67
    assert exact_match(outputs[1], meant) == 0 and word_error_rate(outputs[1], meant) == 0.125
    assert round(bleu(outputs[1:2], [meant]), 1) == 59.7 and round(float(pass_at_k(10, 3, 5)), 3) == 0.917
    assert cohen_kappa_score([0, 0, 1, 1], [0, 1, 0, 1]) == 0 == exact_match("", meant) == bleu([""], [meant])
    assert word_error_rate("", meant) == 1 and pass_at_k(10, 0, 5) == 0
    drawn_of_check = [[order[:3], order[3:]] for order in itertools.permutations([0, 0, 0, 1, 1, 1])]
    assert abs(np.mean([krippendorff_alpha(both_raters) for both_raters in drawn_of_check])) < 1e-9
    rng_of_check = np.random.default_rng(2)
    ones_of_check = [rng_of_check.permutation([0] * 30 + [1] * 30).reshape(20, 3).sum(axis=1) for draw in range(500)]
    assert -0.04 < np.mean([fleiss_kappa(np.transpose([3 - ones, ones])) for ones in ones_of_check]) < 0
    holds("ours splits at blanks, sacreBLEU's `13a` cuts off punctuation, and the value changes")
    assert bleu(["it is not safe ."], ["it is not safe ."]) == 100 > bleu(["it is not safe."], ["it is not safe ."])
    stars = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [1, 2, 2, 3, 3, 4, 4, 5, 5, 4]
    holds("Two raters give 1 1 2 2 3 3 4 4 5 5 and 1 2 2 3 3 4 4 5 5 4")
    assert round(cohen_kappa_score(*stars), 2) == 0.38
    holds("which charge the squared distance, it is 0.86")
    assert round(cohen_kappa_score(*stars, weights="quadratic"), 2) == 0.86
    proved("Judges that rank five systems ABCDE and ACBED agree on 8 of the 10 pairs")
    pairs_of_check = list(itertools.combinations("ABCDE", 2))
    alike_of_order = {
        o: sum(o.index(x) < o.index(y) for x, y in pairs_of_check) for o in itertools.permutations("ABCDE")
    }
    assert alike_of_order[tuple("ACBED")] == 8 and len(pairs_of_check) == 10
    holds("*Kendall's tau* is (8 - 2)/10 = 0.6, which 12 % of random orders reach")
    assert (8 - 2) / 10 == 0.6 == kendall_tau("ABCDE", "ACBED")
    assert round(np.mean([alike >= 8 for alike in alike_of_order.values()]), 2) == 0.12
    holds("*Rank-biased overlap*, in which depth $d$ of the tops weighs $0.9^d$, is 0.94.")
    assert round(rank_biased_overlap("ABCDE", "ACBED"), 2) == 0.94
    holds("An exact match depends on what is evened out first: here case, punctuation and articles.")
    assert exact_match("The end.", "end") == exact_match("THE END", "an end!") == 1 and exact_match("ends", "end") == 0
    holds(
        "pass@k is the probability that at least one of $k$ passes",
        "the share of the draws of 5 from the 10 that hold a right one",
    )
    draws_of_check = list(itertools.combinations([1] * 3 + [0] * 7, 5))
    assert pass_at_k(10, 3, 5) == Fraction(11, 12) == Fraction(sum(map(max, draws_of_check)), len(draws_of_check))
    holds("The obvious $1 - (1 - c/n)^k$ says 0.832.")
    assert round(float(naive[3]), 3) == 0.832
    proved("The truth is $1 - 0.5^5 = 0.969$: the formula hits it on average, the obvious estimate is too low.")
    assert round(1 - 0.5**5, 3) == 0.969 and np.dot(odds, exact) == 1 - (1 - p) ** 5 > np.dot(odds, naive)
    for n_all, p_all in itertools.product(range(2, 6), (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))):
        odds_all = [math.comb(n_all, c) * p_all**c * (1 - p_all) ** (n_all - c) for c in range(n_all + 1)]
        for k_all in range(2, n_all + 1):
            wanted = 1 - (1 - p_all) ** k_all
            assert sum(o * pass_at_k(n_all, c, k_all) for c, o in enumerate(odds_all)) == wanted
            assert sum(o * (1 - (1 - Fraction(c, n_all)) ** k_all) for c, o in enumerate(odds_all)) < wanted
    holds("It is no share")
    assert word_error_rate("oh no not again", "no") == 3
    holds("WER is the smallest number of words to replace, drop and add")
    assert [word_error_rate(text, "a b c d") for text in ("a b c", "a b c d e", "a x c d", "d a b c")] == [0.25] * 3 + [
        0.5
    ]
    holds("Average both over all $c$, each program right with probability 0.5")
    assert sum(odds) == 1 and len(odds) == len(naive) == len(exact) == 11
    holds("Krippendorff's alpha compares the disagreement with that of labels drawn from all items with two or more")
    assert krippendorff_alpha([[0, 1, 0], [0, 1, 1]]) == 1 - (1 / 3) / (9 * 2 / 30)
    assert krippendorff_alpha([[0, 1, 0, 0], [0, 1, 1, None]]) == krippendorff_alpha([[0, 1, 0], [0, 1, 1]])


@section("lesson-judges-and-text-case")
def test_on_real_data(alike, asked, b_first, b_second, both, pair, ratio, simulate, truth, twin):
    holds("The swap changes 16 % of the verdicts, asking again in the same order 15 %: the bias shows in the shares.")
    assert round((b_second != b_first).mean(), 2) == 0.16 and round((b_second != twin).mean(), 2) == 0.15
    no_place = simulate(place_effect=0)[2]
    swapped_of_check = no_place(1), no_place(-1)
    assert (swapped_of_check[0] != swapped_of_check[1]).mean() > 0.13
    assert abs(np.subtract(*swapped_of_check).mean()) < 0.01 < 0.09 < (b_second - b_first).mean()
    calls_of_check = [bootstrap(np.mean, calls, n_resamples=2000, rng=0) for calls in (b_second, both, both[alike])]
    holds("B has 56 % when read last, 52 % in both orders, and 44 % among answers of like length, from 41 to 48 %.")
    assert [round(part.value, 2) for part in calls_of_check] == [0.56, 0.52, 0.44]
    assert [round(end, 2) for end in calls_of_check[2][1:3]] == [0.41, 0.48] and calls_of_check[2].high < 0.5
    holds("no answer more than 1.2 times as long as the other")
    assert ratio[alike].max() < 1.2 and ratio[alike].min() > 1 / 1.2
    holds("To hold the length fixed is right where length is no merit: here it is none.")
    assert abs(np.corrcoef(np.log(ratio), truth)[0, 1]) < 0.02
    holds(
        "A Cohen's kappa of 0.53, from 0.44 to 0.63, and still the wrong winner",
        "what counts is that the errors lean to one side",
    )
    kappa_of_check = cohen_kappa_score(truth, b_second)
    found_of_check = bootstrap(cohen_kappa_score, *pair, n_resamples=2000, rng=0)
    assert np.round(found_of_check[:3], 2).tolist() == [0.53, 0.44, 0.63]
    assert b_second.mean() > 0.5 > truth.mean()
    lean = [((b_second == call) & (truth != call)).sum() for call in (1, 0)]
    coin = np.where(np.random.default_rng(5).random(4000) < 0.25, 1 - truth, truth)
    assert lean[0] > 3 * lean[1] and cohen_kappa_score(truth, coin) < kappa_of_check and coin.mean() < 0.5
    holds("The 300 mend that, whatever the bias")
    for place_of_check, length_of_check in ((0.15, 0.5), (1, 0), (0, 2)):
        right_of_check, _, judge_of_check = simulate(400, place_of_check, length_of_check, 3)
        call_of_check = judge_of_check(1)
        rng_of_check = np.random.default_rng(4)
        some = np.array([rng_of_check.choice(400, 30, replace=False) for draw in range(2000)])
        mended = call_of_check.mean() + (right_of_check - call_of_check)[some].mean(axis=1)
        assert abs(mended.mean() - right_of_check.mean()) < 0.01
    holds("In the eyes of people B has 43 % of these 4,000 questions, from 38 to 48 %: below one half, ship A.")
    mended_of_check = both.mean() + np.array(bootstrap(np.mean, truth[asked] - both[asked], rng=0)[:3])
    assert mended_of_check[2] < 1 / 2 and np.round(mended_of_check, 2).tolist() == [0.43, 0.38, 0.48]
    holds("The 300 alone say a wider 35 to 46 %.")
    alone_of_check = bootstrap(np.mean, truth[asked], rng=0)
    assert np.round(alone_of_check[1:3], 2).tolist() == [0.35, 0.46]
    assert np.ptp(alone_of_check[1:3]) > np.ptp(mended_of_check[1:])
    slices = {"C": [540, 200], "D": [480, 240]}
    proved("Two models C and D answer 1,000 questions, 600 of which were online before either was trained")
    assert len(slices) == 2 and 600 + 400 == 1000
    assert [right / n for right, n in zip(slices["C"], (600, 400), strict=True)] == [0.90, 0.50]
    assert [right / n for right, n in zip(slices["D"], (600, 400), strict=True)] == [0.80, 0.60]
    proved("C leads on all, D on what was written since")
    assert (sum(slices["C"]) / 1000, sum(slices["D"]) / 1000) == (0.74, 0.72)
    assert wilson_interval(200, 400).high < wilson_interval(240, 400).low
    proved("on different mixes a model that leads in each slice can trail in total")
    worse, better = (0.8, 0.5), (0.9, 0.6)
    assert 0.2 * better[0] + 0.8 * better[1] < 0.8 * worse[0] + 0.2 * worse[1]
    holds("Let both answer the same mix, too")
    for share_of_check in np.linspace(0, 1, 11):
        weights = np.array([share_of_check, 1 - share_of_check])
        assert weights @ better > weights @ worse


@section("Try it")
def test_try_it(first, second):
    holds(
        "Label ten texts 0 or 1 for two raters who both use both labels, agree on at least eight texts",
        "Agreement of 80 %, kappa below 0",
    )
    assert len(first) == len(second) == 10 and set(first) == set(second) == {0, 1}
    assert np.mean(np.equal(first, second)) == 0.8 and cohen_kappa_score(first, second) < 0
    holds("Each flags one text, and not the same")
    assert sum(first) == sum(second) == 1 and first.index(1) != second.index(1)
    proved("By chance they would agree on 0.9 · 0.9 + 0.1 · 0.1 = 0.82 of the texts.")
    assert math.isclose(0.9 * 0.9 + 0.1 * 0.1, 0.82)


@section("Further")
def test_further(exact, k, odds, p):
    holds("pass@k has an unbiased form")
    assert np.dot(odds, exact) == 1 - (1 - p) ** k


@section("lesson-judges-and-text-good")
def test_unchecked_how_good_is_an_agreement_of():
    unchecked("for 0.4 to 0.6 are habit; a better yardstick is the kappa of two people on the same items", "advice")


@section("Further")
def test_unchecked_further():
    unchecked("No document has a judge, a kappa, BLEU, a word error rate or pass@k", "read")
    unchecked("correct a model's labels by a few of people, with valid intervals", "read")
