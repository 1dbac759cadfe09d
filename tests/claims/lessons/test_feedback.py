"""What book/lessons/feedback.ipynb says, held."""

import math
from fractions import Fraction

import numpy as np

from benchmarks import feedback
from metrics_lib import ndcg
from metrics_lib.uncertainty import bootstrap
from tests.claims.runner import holds, section, unchecked


@section("lesson-feedback")
def test_the_opening(axes, clicked, clicks, found, look, naive, place_a, place_b, relevant, truth, weighted):
    ahead = bootstrap(np.mean, (weighted[1] - weighted[0]).mean(axis=1), n_resamples=2000, rng=0)
    holds("a log of 2,000 lists with the clicks of A's visitors")
    assert (
        clicks.shape == (2000, 5) and (np.sort(place_a) == np.arange(5)).all() and (np.sort(place_b) == range(5)).all()
    )
    holds(
        "With the clicks as grades, A has a mean NDCG of 0.857 over the lists with a click, and B of 0.811.",
        "A is at 0.857 and B lower, at 0.811",
    )
    assert [round(value, 3) for value in naive] == [0.857, 0.811] and (clicks[clicked].sum(axis=1) > 0).all()
    assert not clicks[~clicked].any()
    holds("By the NDCG of the clicks, A leads.", "By inverse propensity (dots with 95% intervals), B leads")
    assert [round(value, 3) for value in naive] == [0.857, 0.811] and found[0].value < found[1].value
    assert (
        truth[0] < truth[1]
        and found[0][1:3]
        == bootstrap(np.mean, weighted[0].mean(axis=1), confidence_level=0.95, n_resamples=2000, rng=0)[1:3]
    )
    holds(
        "For A the dot is at 0.134 and the diamond of the truth at 0.136.",
        "For B the dot is at 0.150, with a bar from 0.141 to 0.159, and the diamond is at 0.151",
    )
    assert [round(one.value, 3) for one in found] == [0.134, 0.150] and np.round(truth, 3).tolist() == [0.136, 0.151]
    assert [round(end, 3) for end in found[1][1:3]] == [0.141, 0.159]
    holds("All of them looked at the first place, half at the second, and a fifth at the fifth.")
    assert look[[0, 1, 4]].tolist() == [1, 1 / 2, 1 / 5]
    holds("So whatever A puts on top is clicked more often, and A earns credit for its own order")
    of_place = [clicks[place_a == place].mean() for place in range(5)]
    assert of_place[0] > 1.5 * of_place[1] and sorted(of_place, reverse=True) == of_place
    cause = np.random.default_rng(1)
    all_seen = cause.random((2000, 5)) < relevant  # were all places looked at alike, B would lead by NDCG, too
    some = all_seen.any(axis=1)
    both = [ndcg(np.take_along_axis(all_seen, one.argsort(), axis=1)[some]).mean() for one in (place_a, place_b)]
    assert both[1] > both[0]
    if_seen = [all_seen[place_a == place].mean() for place in range(5)]
    assert all(of_place[0] / of_place[k] > 1.5 * if_seen[0] / if_seen[k] for k in range(1, 5))
    holds("B gets 0.016 more clicks per product shown than A (95% interval 0.010 to 0.021)")
    assert [round(end, 3) for end in ahead[:3]] == [0.016, 0.010, 0.021]


@section("In one line")
def test_in_one_line(clicks, look, place_a, place_b):
    holds(
        "If the first depends on the place alone and the second on the product, their probabilities multiply",
    )
    met, meant = np.random.default_rng(2).random((2, 400_000)) < [[0.5], [0.3]]
    assert abs((met & meant).mean() - 0.5 * 0.3) < 0.003
    holds("A click on something that is seen twice as often under the new system counts twice")
    assert np.isclose(look[1] / look[3], 2)
    holds("is 0.150")
    assert round((look[place_b] / look[place_a] * clicks).mean(), 3) == 0.150


@section("lesson-feedback-by-hand")
def test_by_hand(click, clicks, ips, look, new, p, place_a, place_b, snips, weights, x, y):
    third, quarter = Fraction(1, 3), Fraction(1, 4)
    chance_of, to_new, clicked_of = [x, y], [y, x], [Fraction(1, 5), Fraction(2, 5)]
    holds("X with probability 3/4 and Y with 1/4")
    assert chance_of == [Fraction(3, 4), Fraction(1, 4)] and sum(chance_of) == sum(to_new) == 1
    holds("The new policy would draw X with 1/4.")
    assert to_new[0] == Fraction(1, 4)
    assert weights(p, new).tolist() == [third, third, 3, 3] and weights(p, new).sum() == Fraction(20, 3)
    holds("divides by the number of rows: $(19/3)/4 = 1.58$")
    assert ips(click, p, new) == Fraction(19, 3) / 4 == Fraction(19, 12) and round(19 / 12, 2) == 1.58
    holds("divides by the sum of the weights: $(19/3)/(20/3) = 0.95$")
    assert snips(click, p, new) == Fraction(19, 3) / Fraction(20, 3) == Fraction(95, 100)
    holds("This log showed Y twice instead of once")
    assert p.count(quarter) == 2 and len(p) * quarter == 1
    outcomes = [(i, c, chance_of[i] * (clicked_of[i] if c else 1 - clicked_of[i])) for i in (0, 1) for c in (1, 0)]
    holds("A row then has four outcomes")
    assert len(outcomes) == 4 and sum(chance for *_, chance in outcomes) == 1
    assert clicked_of == [1 - Fraction(4, 5), 1 - Fraction(3, 5)]
    assert [chance for *_, chance in outcomes] == [Fraction(3, 20), Fraction(12, 20), Fraction(2, 20), Fraction(3, 20)]
    parts = [chance * c * to_new[i] / chance_of[i] for i, c, chance in outcomes]
    assert parts == [Fraction(1, 20), 0, Fraction(6, 20), 0]
    holds("The products add up to 7/20, which is what the new policy gets: 1/4·1/5 + 3/4·2/5.")
    due = Fraction(1, 4) * Fraction(1, 5) + Fraction(3, 4) * Fraction(2, 5)
    assert sum(parts) == due == Fraction(7, 20)
    expected = {}
    for size in (1, 2, 3, 4):
        for way, estimator in (("ips", ips), ("snips", snips)):
            expected[way, size] = 0
            for drawn_rows in np.ndindex(*(4,) * size):
                one_log = [outcomes[i] for i in drawn_rows]
                table_columns = (
                    [c for _, c, _ in one_log],
                    [chance_of[i] for i, *_ in one_log],
                    [to_new[i] for i, *_ in one_log],
                )
                expected[way, size] += np.prod([chance for *_, chance in one_log]) * estimator(*table_columns)
    assert round(ips(clicks, look[place_a], look[place_b]), 3) == 0.150
    holds(
        "IPS is right only on average over all logs that could have been written",
        "The probability of being logged, if it is correct and not 0, cancels against the weight",
        "so IPS is *unbiased*.",
    )
    assert all(expected["ips", size] == due for size in (1, 2, 3, 4))
    holds("SNIPS is slightly biased, but it stays between 0 and 1, and its bias fades as the log grows.")
    off = [abs(expected["snips", size] - due) for size in (1, 2, 3, 4)]
    assert off == sorted(off, reverse=True) and off[-1] > 0
    far = np.random.default_rng(3)
    is_y = far.random((500, 2000)) < 0.25
    clicked_far = far.random(is_y.shape) < np.where(is_y, 0.4, 0.2)
    by_y = np.where(is_y, 3, 1 / 3)
    assert abs(((by_y * clicked_far).sum(axis=1) / by_y.sum(axis=1)).mean() - 0.35) < 0.003
    assert all(
        0 <= snips(cs, ps, ns) <= 1
        for cs in np.ndindex(2, 2, 2)
        for ps in ((0.1, 0.5, 1), (0.9, 0.2, 0.2))
        for ns in ((1, 0.3, 0), (0.5, 0.5, 0.9))
    )


@section("lesson-feedback-variance")
def test_how_good_is_an_estimate_with_weights(effective_size, half, heavy, logs, spread, weights):
    holds("The spread is 0.14, and by Kish's formula")
    assert round(spread, 2) == 0.14
    holds(
        "The band is the formula, and the bars are 2,000 simulated logs each.",
        "Upright bars at the weights 1, 2, 5, 10, 20 and 50 fill the band, within 0.04 of its edges.",
    )
    for times, simulated in logs.items():
        predicted = np.sqrt((0.4 * times - 0.4**2) / 1000)
        assert len(simulated) == 2000 and abs(simulated.std() / predicted - 1) < 0.04
        assert (abs(np.quantile(simulated, [0.025, 0.975]) - 0.4 - [-1.96 * predicted, 1.96 * predicted]) < 0.04).all()
    holds("With independent rows, clicks of 0 or 1, and the same probabilities for each visitor")
    for old_x, new_x, rate_x, rate_y in ((0.75, 0.25, 0.2, 0.4), (0.3, 0.9, 0.5, 0.1), (0.5, 0.5, 0, 1)):
        v = new_x * rate_x + (1 - new_x) * rate_y
        law = new_x**2 / old_x * rate_x + (1 - new_x) ** 2 / (1 - old_x) * rate_y - v**2
        draws = np.random.default_rng(5)
        is_x = draws.random(400_000) < old_x
        gained = draws.random(400_000) < np.where(is_x, rate_x, rate_y)
        each = np.where(is_x, new_x / old_x, (1 - new_x) / (1 - old_x)) * gained
        assert abs(each.var() / law - 1) < 0.02
    own = np.where(draws.random(400_000) < 0.5, 0.9, 0.1)  # of each visitor: the mean propensity, 1/2, would not do
    each = (draws.random(400_000) < own) / own * (draws.random(400_000) < 0.4)
    assert each.var() > 2 * (1 / 0.5 * 0.4 - 0.4**2)
    holds("It widens from 0.37 to 0.43 at weight 1 to 0.12 to 0.68 at weight 50")
    assert np.round([0.4 - half[0], 0.4 + half[0], 0.4 - half[-1], 0.4 + half[-1]], 2).tolist() == [
        0.37,
        0.43,
        0.12,
        0.68,
    ]
    holds("Where IPS comes out in 95 of 100 logs of 1,000 rows")
    for times, simulated in logs.items():
        assert abs((abs(simulated - 0.4) <= 1.96 * np.sqrt((0.4 * times - 0.16) / 1000)).mean() - 0.95) < 0.02
    holds("If the log showed Y to one visitor in 50, a row with Y weighs 50, and any other row 0.")
    assert weights([1 / 50, 49 / 50], [1, 0]).tolist() == [50, 0]
    holds("the 1,000 rows count as 20", "Below them are the effective sizes 1000, 500, 200, 100, 50 and 20.")
    sizes = [effective_size([times] * (1000 // times) + [0] * (1000 - 1000 // times)) for times in heavy]
    assert np.allclose(sizes, [1000, 500, 200, 100, 50, 20])
    holds("Twenty visitors who all saw Y would give a spread of 0.11, and SNIPS reaches that.")
    assert round(np.sqrt(0.4 * 0.6 / 20), 2) == 0.11
    holds("IPS does worse, because luck also decides how many rows show Y, and SNIPS divides that out.")
    cause = np.random.default_rng(6)
    rows_y = cause.binomial(1000, 1 / 50, 20_000)
    clicks_y = cause.binomial(rows_y, 0.4)
    assert round((50 * clicks_y / 1000).std(), 2) == 0.14
    assert abs((50 * cause.binomial(20, 0.4, 20_000) / 1000).std() - 0.11) < 0.003
    assert round((clicks_y / rows_y)[rows_y > 0].std(), 2) == 0.11


@section("lesson-feedback-choices")
def contains_of(simulated):
    return {(row["study"], row["method"], int(row["weight"])): float(row["contains"]) for row in simulated}


@section("lesson-feedback-variance")
def test_intervals_of_few_clicks(contains_of):
    holds("it contains the truth in 95% of the logs at a weight of 50, because about 8 weighted clicks remain")
    assert round(contains_of["weights", "IPS", 50], 2) == 0.95 and 1000 * 0.4 / 50 == 8
    holds("with a click rate of 0.005 and 10,000 rows, one weighted click remains on average")
    assert feedback.LAWS["rare"] == (0.005, 10_000) and 10_000 * 0.005 / 50 == 1
    holds("and then the interval contains the truth in 64%")
    assert round(contains_of["rare", "IPS", 50], 2) == 0.64
    by_clicks = [contains_of["rare", "IPS", weight] for weight in (10, 20, 50)]  # 5, 2.5 and 1 of them
    assert by_clicks == sorted(by_clicks, reverse=True) and by_clicks[0] > 0.94


@section("lesson-feedback-blind")
def test_what_it_cannot_see(clicks, found, ips, look, place_a, place_b, snips, truth, weights):
    p_of, show = np.array([1 / 2, 1 / 2, 0]), np.array([1 / 4, 1 / 4, 1 / 2])
    on_logs, truths, written = [], [], []
    for clicks_z in (0, 1):
        liked_of = np.array([0.2, 0.4, clicks_z])
        on_logs.append(p_of[:2] @ (show[:2] / p_of[:2] * liked_of[:2]))
        truths.append(show @ liked_of)
        both_worlds = np.random.default_rng(7)
        product = both_worlds.choice(3, 1000, p=p_of)
        written.append((product.tolist(), (both_worlds.random(1000) < liked_of[product]).tolist()))
    holds(
        "In one world nobody clicks on Z, and in another everyone does.",
        "Both worlds write the same log, and in both IPS tends to 0.2/4 + 0.4/4 = 0.15",
        "while the truth is 0.15 or 0.65",
    )
    assert written[0] == written[1] and np.allclose(on_logs, 0.15) and np.allclose(truths, [0.15, 0.65])
    holds("no weight repairs it")
    assert written[0] == written[1] and truths[0] != truths[1]
    holds(
        "if one list in ten is drawn at random from five products, each has a propensity of at least 0.02",
        "and no weight exceeds 50",
    )
    assert np.isclose(0.1 / 5, 0.02) and weights([0.1 / 5], [1]).max() < 50 + 1e-9
    holds("the log has X and Y half the time each, clicked at rates of 0.2 and 0.4")
    assert p_of.tolist() == [1 / 2, 1 / 2, 0] and show.tolist() == [1 / 4, 1 / 4, 1 / 2] and sum(show[:2]) == 0.5
    holds("Here are three more faults, and what IPS tends to on longer and longer logs")
    assert np.isclose(1 / 50 * 10 * 0.4, 0.08) and np.isclose(1 / 50 * 10, 0.2) and len(on_logs) + 1 == 3
    holds("a product moves from the second place to the first, and its estimate is half of what it should be")
    moved = [0.4 * 0.4 / believed for believed in (0.8, 0.4)]
    assert np.allclose(moved, [0.20, 0.40]) and np.isclose(moved[0], moved[1] / 2) and 1 / 0.8 == 1.25
    holds("whose weights need not average 1 (in the opening they average 1.21, so do not use SNIPS there)")
    ratio = look[place_b] / look[place_a]
    assert round(ratio.mean(), 2) == 1.21
    assert abs(snips(clicks, look[place_a], look[place_b]) - truth[1]) > 10 * abs(found[1].value - truth[1])
    holds("propensity of Y recorded as 1/2; it was 0.9 for fans and 0.1 for others")
    fans = np.array([[0.5, 0.9, 0.6], [0.5, 0.1, 0.2]])
    share, saw_y, click_y = fans.T
    assert np.isclose((share * saw_y * click_y).sum() / 0.5, 0.56) and np.isclose(share @ click_y, 0.40)
    assert np.isclose((share * saw_y).sum() / 0.5, 1) and share @ saw_y == 1 / 2
    holds("fans saw Y more often than recorded, and they click on it at 0.6, others at 0.2")
    assert share.tolist() == [1 / 2, 1 / 2] and click_y.tolist() == [0.6, 0.2] and saw_y[0] > 1 / 2
    assert (share * saw_y * click_y).sum() / (share * saw_y).sum() > share @ click_y
    holds("With each visitor's own propensity, IPS is back at 0.40.")
    long = np.random.default_rng(8)
    is_fan = long.random(400_000) < 0.5
    saw = long.random(400_000) < np.where(is_fan, 0.9, 0.1)
    gained = saw & (long.random(400_000) < np.where(is_fan, 0.6, 0.2))
    assert abs(ips(gained, np.full(400_000, 0.5), saw * 1.0) - 0.56) < 0.005
    assert abs(ips(gained[saw], np.where(is_fan, 0.9, 0.1)[saw], np.ones(saw.sum())) * saw.mean() - 0.40) < 0.005
    holds(
        "the weights of a sound log average about 1",
        "so the first two faults show in the mean weight",
    )
    for old in ([0.75, 0.25], [0.02, 0.98]):
        for show in ([0, 1], [0.5, 0.5], [0.9, 0.1]):
            full = np.divide(show, old)
            assert np.isclose(old @ full, 1) and (old @ np.minimum(full, 1.01) < 1 or full.max() <= 1.01)
    assert np.isclose(0.25 * weights([0.5], [1]).mean(), 0.5)
    assert (np.random.default_rng(11).binomial(50, 1 / 50, 999) == 0).mean() > 0.3
    holds("The other two do not.")
    sights = set()
    for true_look in (0.1, 0.4, 0.8, 1):
        for of_fans in (0.1, 0.5, 0.9):
            both_weights = (
                weights([0.8], [1]).mean(),
                (0.5 * of_fans + 0.5 * (1 - of_fans)) * weights([0.5], [1]).mean(),
            )
            tends_to = true_look * 0.4 / 0.8, (0.5 * of_fans * 0.6 + 0.5 * (1 - of_fans) * 0.2) / 0.5
            sights.add((np.round(both_weights, 9).tolist() == [1.25, 1], np.round(tends_to, 9).tobytes()))
    assert len(sights) == 12 and all(weights_alike for weights_alike, _ in sights)


@section("lesson-feedback-choices")
def test_the_choices(
    best,
    cases,
    click,
    clipped,
    doubly_robust,
    got,
    half,
    ips,
    kind,
    means,
    new,
    p,
    policy,
    rates,
    replay,
    shown,
    snips,
    to_show,
):
    world = [(got[i], policy[kind[i], shown[i]], to_show[i]) for i in range(2000)]
    wrong_model = rates.mean(axis=0)
    simulated = {
        "naive": [replay(got[i], shown[i], best[kind[i]]) for i in range(2000)],
        "ips": [ips(*log) for log in world],
        "snips": [snips(*log) for log in world],
        "clipped": [clipped(*log, 2) for log in world],
        "model": [np.mean(wrong_model[best[kind[i]]]) for i in range(2000)],
        "robust": [doubly_robust(*world[i], wrong_model[shown[i]], wrong_model[best[kind[i]]]) for i in range(2000)],
    }
    uniform = np.random.default_rng(10)
    drawn = uniform.integers(0, 4, kind.shape)
    liked = uniform.random(kind.shape) < rates[kind, drawn]
    simulated["replay"] = [replay(liked[i], drawn[i], best[kind[i]]) for i in range(2000)]
    noted = {row[1]: row for row in rows_of_the_file() if row[0] == "choices"}
    assert list(noted) == ["IPS", "SNIPS", "clipped at 2", "model", "doubly robust", "replay", "replay of a random log"]
    order = ("ips", "snips", "clipped", "model", "robust", "naive", "replay")
    for name, row in zip(order, noted.values(), strict=True):
        assert abs(np.mean(simulated[name]) - 0.4 - float(row[3])) < 0.005
        assert abs(np.std(simulated[name]) - float(row[4])) < 0.002
    holds("The old policy shows the best product to 70% of one kind and 5% of the other")
    assert policy[[0, 1], best].tolist() == [0.7, 0.05] and rates.shape == (2, 4) and abs(kind.mean() - 1 / 2) < 0.001
    holds("and the truth is 0.40")
    assert rates[[0, 1], best].mean() == 0.4 and feedback.RATES.tolist() == rates.tolist()
    holds("Clipping, the model alone, and replay of a log that is not random are biased, so their intervals miss.")
    assert all(float(noted[name][5]) < 0.1 < abs(float(noted[name][3])) + 0.02 for name in list(noted)[2:4])
    assert float(noted["replay"][5]) < 0.1 and float(noted["replay of a random log"][5]) > 0.94
    by_hand = [
        replay(click, list("XXYY"), list("YXYY")),
        clipped(click, p, new, 2),
        doubly_robust(click, p, new, half, half),
    ]
    assert [round(float(one), 2) for one in by_hand] == [0.67, 1.08, 1.25] and np.mean(half) == 0.50
    assert [round(float(one), 2) for one in (ips(click, p, new), snips(click, p, new))] == [1.58, 0.95]
    holds("a model predicts a click rate of one half, and for `replay` the new policy chose Y, X, Y, Y")
    assert half == [1 / 2] * len(click)
    robust = [means[p_right, m_right, "doubly robust"] for p_right, m_right in cases]
    holds("Mean and 95% range of three estimators over 2,000 logs")
    assert len(kind) == 2000 and len({name for *_, name in means}) == 3
    holds("Doubly robust is off if both are wrong.")
    assert np.allclose(robust[:3], 0.4, atol=0.004) and len(kind) == 2000 and len({name for *_, name in means}) == 3
    holds(
        "Four rows, with a line at the truth, 0.40.",
        "With both right, IPS, the model and doubly robust lie on the line.",
    )
    assert len(cases) == 4 and all(
        abs(means[True, True, name] - 0.4) < 0.004 for name in ("IPS", "model", "doubly robust")
    )
    holds("With right propensities and a wrong model, IPS and doubly robust lie on it, and the model is at 0.25.")
    assert round(means[True, False, "model"], 2) == 0.25
    holds(
        "With a right model and wrong propensities, the model and doubly robust lie on it, and IPS is at 0.73.",
        "With both wrong, none does: IPS is at 0.73, the model at 0.25 and doubly robust at 0.54.",
    )
    assert [round(means[True, False, name], 2) for name in ("IPS", "model", "doubly robust")] == [0.4, 0.25, 0.4]
    assert [round(means[False, True, name], 2) for name in ("IPS", "model", "doubly robust")] == [0.73, 0.4, 0.4]
    assert [round(means[False, False, name], 2) for name in ("IPS", "model", "doubly robust")] == [0.73, 0.25, 0.54]
    holds(
        "With both wrong (the log is taken for random, and the model does not tell the kinds apart), it is off by 0.14",
        "the average product of both errors",
    )
    errors = wrong_model[best] - rates[[0, 1], best]
    assert (
        np.isclose((errors * (1 - policy[[0, 1], best] / (1 / 4))).mean(), 0.14) and round(robust[3] - 0.4, 2) == 0.14
    )


@section("lesson-feedback-choices")
def test_looks_by_place(
    by_guess, data, guess, hidden, in_truth, lead, lead_of_b, like, logged, mixed, new_place, rate, settings, user
):
    holds("2,000 users with five lists of five products each")
    assert logged.shape == (10_000, 5) and (np.bincount(user) == 5).all() and len(set(user)) == 2000
    assert abs(mixed.mean() - 1 / 5) < 0.01
    holds("so that the products at all places are alike on average")
    assert (
        np.ptp(like[mixed].mean(axis=0)) < 0.1 * like[mixed].mean() and np.ptp(like[~mixed].mean(axis=0)) > like.mean()
    )
    holds(
        "how often each place is looked at in a simulation: estimated from shuffled lists",
        "at 1, 0.74, 0.54, 0.42 and 0.37, lie about the diamonds of the truth, 1, 0.70, 0.55, 0.45 and 0.40",
    )
    assert (rate / rate[0]).round(2).tolist() == [1, 0.74, 0.54, 0.42, 0.37] and hidden.tolist() == [
        1,
        0.7,
        0.55,
        0.45,
        0.4,
    ]
    assert (abs(rate / rate[0] - hidden) < 0.05).all()
    holds("a dashed line of 1/k falls far below, to 0.20")
    assert guess[-1] == 0.2 and (guess[1:] < hidden[1:] - 0.15).all()
    holds("it is 0.0047, with a bar from 0.0030 to 0.0076, below the line; the truth is 0.0033; by 1/k it is 0.0165")
    assert [round(end, 4) for end in lead[:3]] == [0.0047, 0.0030, 0.0076] and round(in_truth, 4) == 0.0033
    assert round(by_guess, 4) == 0.0165
    holds("Suppose that B pays from one extra click per hundred products shown.")
    assert lead.high < 1 / 100 < by_guess
    holds("The lead is 0.005 (0.003 to 0.008), more than luck but less than 0.01, so do not ship B.")
    assert 0 < lead.low < lead.high < 1 / 100 < by_guess
    holds("Looks of $1/k$, taken for granted, would have given 0.0165 and shipped it.")
    assert round(by_guess, 4) == 0.0165 and by_guess > 0.01
    assert lead.low < in_truth < lead.high
    holds("Each resample draws users with their lists, and estimates the looks anew")
    noted = []
    few = bootstrap(
        lambda *rows: noted.append((np.bincount(rows[3]), *rows[0][rows[2]].mean(axis=0))) or lead_of_b(*rows[:3]),
        *(*data, user),
        **settings | {"n_resamples": 50},
    )
    assert np.array_equal(few.distribution, lead.distribution[:50]) and all(
        (lists % 5 == 0).all() for lists, *_ in noted
    )
    assert len({tuple(curve) for _, *curve in noted}) == 51
    again = np.random.default_rng(12)
    off = np.zeros((300, 2))
    for row_of in range(300):
        dealt = like.copy()
        dealt[mixed] = again.permuted(like[mixed], axis=1)
        redrawn = again.random(like.shape) < hidden * dealt
        by_true_looks = ((hidden[new_place] / hidden - 1) * redrawn)[~mixed].mean()
        off[row_of] = lead_of_b(redrawn, new_place, mixed) - in_truth, by_true_looks - in_truth
    (lift, without), error = off.mean(axis=0), off.std(axis=0) / np.sqrt(300)
    assert abs(lift - 0.0003) < 0.0001 and lift > 4 * error[0] and abs(without) < 2 * error[1]
    assert round(lead.distribution.mean() - lead.value, 4) == 0.0003
    assert 0 < lead.low - 0.0006 < lead.high - 0.0006 < 0.01


@section("lesson-feedback-case")
def test_the_random_log(counts, forward, forward_weights, full, items, leads, own_rates):
    holds("of 10,000 displays for each campaign and policy")
    for c in items:
        for policy in ("random", "thompson"):
            rows = counts[(counts["campaign"] == c) & (counts["log"] == policy)]
            assert rows["shown"].sum() == 10_000 and len(set(rows["item"])) <= items[c]
            assert round(1e3 * rows["clicked"].sum() / 1e4, 1) == round(own_rates[c][policy == "thompson"], 1)
    holds("10,000 random displays count as about 3,000 of Thompson's")
    effective = [w.sum() ** 2 / (w**2).sum() for w in forward_weights.values()]
    assert [round(size) for size in effective] == [2639, 2869, 3492]
    holds("Each interval includes 0.", "that is a hint, and these data do not decide")
    assert all(low < 0 < high for _, low, high in leads.values())
    parts = []
    for c, w in forward_weights.items():
        rows = counts[(counts["campaign"] == c) & (counts["log"] == "random")]
        parts.append(
            1000 * (w - 1) * np.concatenate([np.arange(n) < k for k, n in rows[["clicked", "shown"]].tolist()])
        )
    rng = np.random.default_rng(0)
    together = [np.mean([rng.choice(part, len(part)).mean() for part in parts]) for _ in range(4000)]
    low, high = np.quantile(together, [0.025, 0.975])
    holds("All three campaigns together give 1.2 (0.1 to 2.3), which just excludes it")
    assert round(np.mean(parts), 1) == 1.2 and abs(low - 0.07) < 0.05 and abs(high - 2.29) < 0.08 and low > 0
    holds("and the A/B test of the two logs gave 0.9 (-0.2 to 2.0)")
    clicked = [counts["clicked"][counts["log"] == log].sum() / 30_000 for log in ("random", "thompson")]
    reach = 1.96 * math.sqrt(sum(rate * (1 - rate) for rate in clicked) / 30_000)
    assert [round(1000 * (clicked[1] - clicked[0] + side * reach), 1) for side in (0, -1, 1)] == [0.9, -0.2, 2.0]
    holds(
        "each estimated from the log of the other, with 95% intervals",
        "To find a lead of a fifth, 0.9 clicks per 1,000, takes 73,000 to 125,000 random displays.",
    )
    needed = []
    for c, w in forward_weights.items():
        rows = counts[(counts["campaign"] == c) & (counts["log"] == "random")]
        click = np.concatenate([np.arange(n) < k for k, n in rows[["clicked", "shown"]].tolist()])
        needed.append(round((1.959964 + 0.841621) ** 2 * ((w - 1) * click).var() / 0.0009**2, -3))
        drawn = bootstrap(np.mean, 1000 * w * click, confidence_level=0.95, n_resamples=2000, rng=0)
        assert np.allclose(drawn[:3], forward[c][0])  # as the caption has it, intervals of 95%
    assert [min(needed), max(needed)] == [73_000, 125_000] and round(4.3 / 5, 1) == 0.9
    holds("Its rates are inside all nine intervals.")
    inside = [low < full[c][1] < high for c in items for _, low, high in forward[c]]
    assert len(inside) == 9 and all(inside)
    holds("the centre is clicked 1.31 times as often as the left (0.86 to 1.99), so these data do not decide")
    log = counts[counts["log"] == "random"]
    (left, n_left), (centre, n_centre), _ = [
        (log["clicked"][log["place"] == place].sum(), log["shown"][log["place"] == place].sum()) for place in (1, 2, 3)
    ]
    ratio, reach = centre / n_centre * n_left / left, 1.96 * math.sqrt(1 / left + 1 / centre)
    assert [round(ratio * math.exp(side * reach), 2) for side in (0, -1, 1)] == [1.31, 0.86, 1.99]
    holds("Thompson sampling got more clicks in each campaign")
    assert all(new > old for old, new in full.values())
    holds("at 5.0 to 5.8, with bars from about 3 to 8", "and a dotted line at 5.0, 6.7 or 6.4 crosses all three bars")
    values = np.array([forward[c] for c in items])
    assert [round(v, 1) for v in (values[..., 0].min(), values[..., 0].max())] == [5.0, 5.8]
    assert (values[..., 1].round() // 1 >= 3).all() and (abs(values[..., 2] - 8) < 0.8).all()
    assert [new for _, new in full.values()] == [5.0, 6.7, 6.4]


@section("lesson-feedback-case")
def test_thompsons_log(back, backward, contains_of, effective_size, full, items, parts):
    holds("The mean weight of the women's log is 3.13, where it should be about 1, and its 10,000 rows count as 2.")
    assert round(back["women"].mean(), 2) == 3.13 and round(effective_size(back["women"])) == 2
    assert len(back["women"]) == 10_000
    holds("One display has a propensity of 0.000001.")
    p = parts["women"]["propensity"]
    assert (p == 1e-6).sum() == 1 and (p < 1e-4).sum() == 1
    holds("All others but three are multiples of 0.000005, as if counted in 200,000 simulated draws")
    off = p[abs(p / 5e-6 - np.round(p / 5e-6)) > 1e-6]
    assert sorted(off) == [1e-6, *[round(1 / items["women"], 6)] * 3] and math.isclose(1 / 200_000, 5e-6)
    holds("Doubly robust gives -2.0, a negative click rate.", 'marked "from -25.5"')
    assert round(backward["women"][2][0], 1) == -2.0 and round(backward["women"][2][1], 1) == -25.5
    holds("The display was not clicked, so IPS does not change without it, while SNIPS triples.")
    assert parts["women"]["click"][p == 1e-6].tolist() == [0]
    less, more = backward["women, without it"], backward["women"]
    assert abs(less[0][0] - more[0][0]) < 0.01 and 3 < less[1][0] / more[1][0] < 3.5
    holds("Even then 52% of IPS is a single click")
    weighted = {c: (back[c] * parts[c]["click"])[parts[c]["click"] == 1] for c in parts}
    assert round(weighted["women"].max() / weighted["women"].sum(), 2) == 0.52
    holds("have a mean of 0.94, and yet its intervals miss.", "Its 69 weighted clicks count as 15")
    assert round(back["men"].mean(), 2) == 0.94 and len(weighted["men"]) == 69
    assert round(effective_size(weighted["men"])) == 15
    assert all(high < full["men"][0] for _, _, high in backward["men"])
    holds(
        "those for the random policy in the men's campaign miss", "from 1.7 to 5.0 at most, and the dotted line at 5.1"
    )
    assert round(backward["men"][0][1], 1) == 1.7 and round(max(high for *_, high in backward["men"]), 1) == 5.0
    holds("the bars are long, up to 17")
    assert round(max(high for *_, high in backward["women"])) == 17
    holds("the bootstrap's 95% interval contains the truth in 81%")
    assert round(contains_of["bandit", "IPS", 0], 2) == 0.81
    holds("and if it misses, it is almost always too low")
    rng, low_side, misses = np.random.default_rng(0), 0, 0
    for _ in range(500):
        clicked = rng.choice(back["men"], rng.binomial(10_000, 0.0051))
        low, high = np.quantile(rng.poisson(1, (299, len(clicked))) @ clicked, [0.025, 0.975])
        truth = 10_000 * 0.0051 * back["men"].mean()
        misses += not low <= truth <= high
        low_side += high < truth
    assert misses > 60 and low_side > 0.9 * misses
    holds("26 million displays")
    assert set(full) == set(items)


def rows_of_the_file():
    return [line.split(",") for line in feedback.FILE.read_text(encoding="utf-8").splitlines()]


@section("Try it", after="np.round([ips(click")
def test_two_products(click, effective_size, ips, new, p, snips, weights):
    holds("Both products are clicked at a rate of 0.1, so the new policy gets 0.1 whatever it shows")
    assert all(np.isclose(snips(click, p, np.repeat([q, 1 - q], [120, 880])), 0.1) for q in (0, 0.1, 0.5, 1))
    holds("The new policy shows each half the time.")
    assert set(new) == {1 / 2} and np.isclose(weights(p, new)[0], 5)
    holds("IPS gives 0.109, because X came up 120 times and not 100.")
    assert round(ips(click, p, new), 3) == 0.109
    even = np.repeat([0.1, 0.9], [100, 900])
    assert np.isclose(ips([1] * 10 + [0] * 90 + [1] * 90 + [0] * 810, even, new), 0.1)
    holds("The 1,000 rows count as 362.")
    assert round(effective_size(weights(p, new))) == 362 and len(click) == 1000


@section("Try it")
def test_one_heavy_display(by_ips, by_snips, click, effective_size, robust, w):
    holds("9,999 have a weight of 0.96, and 50 of these were clicked")
    assert (w == 0.96).sum() == 9999 and click.sum() == 50 and not click[-1] and len(w) == 10_000
    holds("The last display has a weight of 20,000 and was not clicked.")
    assert w[-1] == 20_000
    holds("The mean weight is 2.96 instead of about 1, and the 10,000 displays count as 2.")
    assert round(w.mean(), 2) == 2.96 and round(effective_size(w)) == 2
    holds("IPS, 0.0048, is unchanged, because the heavy display has no click")
    assert round(by_ips, 4) == 0.0048 == round(np.mean((w * click)[:-1]), 4)
    holds("SNIPS is a third of that, and the doubly robust estimate, -0.005, is negative")
    assert abs(by_snips / by_ips - 1 / 3) < 0.01 and round(robust, 3) == -0.005
    holds("All but IPS show it.", "a model that predicts 0.005 for everything")
    assert abs(by_ips - 0.005) < 0.001 < min(0.005 - by_snips, 0.005 - robust)


@section("Further")
def test_further(effective_size):
    holds("at their mean, the largest and the effective size")
    assert effective_size([1, 1]) == 2


@section("lesson-feedback-choices")
def test_unchecked_the_choices():
    unchecked("swap two places at random", "what an experiment costs is the shop's")


@section("Further")
def test_unchecked_further():
    unchecked("No document asks what was seen", "read")
