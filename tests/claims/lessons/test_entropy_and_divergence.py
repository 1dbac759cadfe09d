"""What book/lessons/entropy-and-divergence.ipynb says, held."""

import itertools
import math

import numpy as np
from scipy.stats import chi2, power_divergence

from metrics_lib import cross_entropy, crps, entropy, kl_divergence, log_loss, perplexity
from metrics_lib.uncertainty import paired_difference, wilson_interval
from tests.claims.runner import holds, section, unchecked


@section("lesson-entropy-and-divergence")
def test_the_opening(ax, axes, bits, books, events, weather):
    holds("Half of its days are sunny, a quarter are cloudy, an eighth rainy and an eighth snowy.")
    assert weather.tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 8]
    holds("Code book A has a word of two bits for each kind of day.")
    assert bits["A"].tolist() == [2] * 4 and len(events) == 4
    holds("0 for cloud and 10 for rain")
    assert dict(zip(events, books["B"], strict=True)) == {"sun": "110", "cloud": "0", "rain": "10", "snow": "111"}
    holds("Book A costs 2 bits a day and book B 2.375, so ship A.")
    assert [weather @ bits[name] for name in ("A", "B", "best")] == [2, 2.375, 1.75]
    holds("The best book for this weather costs 1.75 bits.")
    shapes = [shape for shape in itertools.product(range(1, 8), repeat=4) if sum(2.0**-n for n in shape) <= 1]
    assert min(weather @ np.array(shape) for shape in shapes) == 1.75
    holds("which is worse than having no idea at all", "2 and 2.375 bits are the cross-entropy of each book")
    assert cross_entropy(weather, 2.0 ** -bits["B"]) > cross_entropy(weather, [1 / 4] * 4) == 2
    holds("1.75 bits is the entropy of the weather")
    assert entropy(weather) == 1.75
    holds("0.25 bits for A and 0.625 for B")
    assert np.allclose([kl_divergence(weather, 2.0 ** -bits[name]) for name in "AB"], [0.25, 0.625])
    holds("there is a hatched bit above sun, and a dotted bit is free over rain and over snow")
    assert (bits["A"] - bits["best"]).tolist() == [1, 0, -1, -1]
    holds("two hatched bits above sun, a dotted bit is free over cloud and over rain, and snow is as filled")
    assert (bits["B"] - bits["best"]).tolist() == [2, -1, -1, 0]
    holds("one half, a quarter and two eighths wide")
    assert [ax.patches[i].get_width() for i in range(4)] == [1 / 2, 1 / 4, 1 / 8, 1 / 8]
    holds("Filled steps rise to 1, 2, 3 and 3 bits, as far as the words of the book are that long.")
    assert bits["best"].tolist() == [1, 2, 3, 3] and np.minimum(bits["A"], bits["best"]).max() < 3


@section("In one line")
def test_in_one_line(bits, weather):
    cloudy = 2.0 ** -bits["B"]
    holds("`entropy(p)` is 1.75, `cross_entropy(p, q)` is 2.375 and `kl_divergence(p, q)` is 0.625")
    values = [entropy(weather), cross_entropy(weather, cloudy), kl_divergence(weather, cloudy)]
    assert np.allclose(values, [1.75, 2.375, 0.625])
    holds(r"To give an event the probability $q(x)$ is to give it a word of $\log_2 1/q(x)$ bits.")
    assert np.log2(1 / cloudy).tolist() == bits["B"].tolist()


@section("lesson-entropy-and-divergence-hand")
def test_by_hand(bits, books, days, loss, p, q, said):
    holds("Words sent one after the other can be told apart if no word is the beginning of another.")
    for code in books.values():
        messages = ["".join(words) for size in (1, 2, 3, 4) for words in itertools.product(code, repeat=size)]
        assert not any(a != b and b.startswith(a) for a in code for b in code) and len(set(messages)) == len(messages)
    holds("you give away half of all messages, because nothing else may begin with 0")
    assert np.mean([message[0] == "0" for message in itertools.product("01", repeat=6)]) == 1 / 2
    assert [w for w in books["B"] if w.startswith("0")] == ["0"]
    holds("A word of $l$ bits uses up a share $2^{-l}$ of the messages, and the shares add up to at most 1")
    for w in books["B"]:
        begin = [message[: len(w)] == tuple(w) for message in itertools.product("01", repeat=6)]
        assert np.mean(begin) == 2.0 ** -len(w)
    short = ["".join(w) for size in (1, 2, 3) for w in itertools.product("01", repeat=size)]
    for code in itertools.combinations(short, 4):
        free_of_prefixes = not any(a != b and b.startswith(a) for a in code for b in code)
        assert not free_of_prefixes or sum(2.0 ** -len(w) for w in code) <= 1
    holds("If they add up to exactly 1, they are probabilities, and the book is a belief; if not, it wastes bits.")
    assert (2.0 ** -bits["B"]).tolist() == q.tolist() and q.sum() == 1
    for lengths in itertools.product(range(1, 6), repeat=3):
        slack = 1 - sum(2.0**-n for n in lengths)
        shorter = [[n - (i == j) for j, n in enumerate(lengths)] for i in range(3)]
        saved = any(min(new) > 0 and sum(2.0**-n for n in new) <= 1 for new in shorter)
        assert slack < 0 or slack > 0 or not saved
    holds("B believes in the $q$ of this table")
    table = np.column_stack([p, bits["best"], q, bits["B"]])
    expected = [[0.5, 1, 0.125, 3], [0.25, 2, 0.5, 1], [0.125, 3, 0.25, 2], [0.125, 3, 0.125, 3]]
    assert np.array_equal(table, expected) and [p @ bits["best"], p @ bits["B"]] == [1.75, 2.375]
    holds("and you need 1.75 questions a day on average")
    assert p @ [1, 2, 3, 3] == 1.75 == entropy(p)
    holds("round each of them up (a Shannon code), and the mean length is less than one bit above the entropy")
    for data in np.random.default_rng(0).dirichlet(np.ones(5), 200):
        lengths = np.ceil(np.log2(1 / data))
        assert (2.0**-lengths).sum() <= 1 and entropy(data) <= data @ lengths < entropy(data) + 1
    holds(r"An event that does not occur adds nothing to an entropy, because $0 \log_2 0$ counts as 0.")
    assert entropy([*p, 0]) == entropy(p)
    holds("here eight days in the shares of $p$")
    assert len(days) == 8 and np.array_equal(np.bincount(days) / 8, p)
    holds("It is 2.375 bits again, because frequent events occur frequently among the days.")
    assert np.log2(1 / q[days]).mean() == 2.375
    assert math.isclose(log_loss(days, said) / math.log(2), 2.375)
    holds("PyTorch prints 1.386 for a uniform guess over four classes, which is 2 bits.")
    uniform = log_loss(days, np.full((8, 4), 1 / 4))
    assert round(uniform, 3) == 1.386 and math.isclose(uniform / math.log(2), 2)
    holds("If you took that for bits, it would seem to beat the best possible book for our weather.")
    assert uniform < entropy(p) < uniform / math.log(2) and math.isclose(loss / math.log(2), 2.375)
    holds("a bit is 0.693 nats")
    assert round(math.log(2), 3) == 0.693 and math.isclose(entropy(p, base=math.e), 1.75 * math.log(2))
    holds("whatever lowers the cross-entropy lowers the KL divergence by the same amount")
    some = np.random.default_rng(0).dirichlet(np.ones(4), 200)
    data = np.tile(p, (200, 1))
    assert np.allclose(cross_entropy(data, some) - kl_divergence(data, some), 1.75)
    holds("maximising the likelihood (the probability of what happened) and minimising KL are therefore the same thing")
    losses = [log_loss(days, np.tile(model, (8, 1))) for model in some]
    likelihoods = [np.prod(model[days]) for model in some]
    orders = np.argsort(losses), np.argsort(likelihoods)[::-1], np.argsort(kl_divergence(data, some))
    assert all(np.array_equal(order, orders[0]) for order in orders)


@section("lesson-entropy-and-divergence-scale")
def all_kl():
    grid = np.array([c for c in itertools.product(range(9), repeat=4) if sum(c) == 8]) / 8
    one, two = np.repeat(grid, len(grid), axis=0), np.tile(grid, (len(grid), 1))
    return kl_divergence(one, two)


@section("lesson-entropy-and-divergence-scale")
def one():
    grid = np.array([c for c in itertools.product(range(9), repeat=4) if sum(c) == 8]) / 8
    return ((np.repeat(grid, len(grid), axis=0), np.tile(grid, (len(grid), 1))))[0]


@section("lesson-entropy-and-divergence-scale")
def two():
    grid = np.array([c for c in itertools.product(range(9), repeat=4) if sum(c) == 8]) / 8
    return ((np.repeat(grid, len(grid), axis=0), np.tile(grid, (len(grid), 1))))[1]


@section("lesson-entropy-and-divergence-scale")
def test_how_good_is_1_bit(half, heads, nine, truths):
    grid = np.array([c for c in itertools.product(range(9), repeat=4) if sum(c) == 8]) / 8
    one, two = np.repeat(grid, len(grid), axis=0), np.tile(grid, (len(grid), 1))
    all_kl = kl_divergence(one, two)
    holds(r"which is 0 if the outcome is certain and $\log_2 n$ for $n$ equally likely events")
    assert (
        np.array_equal(entropy(grid) == 0, grid.max(axis=1) == 1) and entropy([1 / 4] * 4) == 2 == entropy(grid).max()
    )
    holds(r"costs $\log_2 n$ whatever the data are")
    assert np.allclose(cross_entropy(grid, np.full_like(grid, 1 / 4)), 2)
    holds("because an event that the model calls impossible makes the cost infinite when it happens")
    assert np.array_equal(np.isinf(cross_entropy(one, two)), ((one > 0) & (two == 0)).any(axis=1))
    holds(
        "1 bit is perfect for a fair coin but poor for one that shows heads nine times in ten, whose entropy is 0.469"
    )
    assert entropy([1 / 2, 1 / 2]) == 1 and round(entropy([9 / 10, 1 / 10]), 3) == 0.469
    holds("How good is 1 bit?")
    assert np.allclose(half, 1)
    holds("No line in the picture crosses the curve, because a logarithm lies below its tangent")
    for belief in np.linspace(0.01, 0.99, 99):
        line = cross_entropy(truths, np.tile([belief, 1 - belief], (201, 1)))
        assert (line >= entropy(truths) - 1e-12).all()
    holds("So a KL divergence is never negative, and it is 0 for the true belief alone.")
    assert all_kl.min() >= 0 and np.array_equal(all_kl == 0, (one == two).all(axis=1))
    holds(r"a logarithm lies below its tangent: $\ln t \le t - 1$, with equality at $t = 1$ alone")
    t = np.linspace(0.01, 5, 500)
    assert (np.log(t) <= t - 1 + 1e-12).all() and np.isclose(t[np.isclose(np.log(t), t - 1, atol=1e-9)], 1).all()
    holds("Each straight line is the cross-entropy of a fixed belief, which touches the curve where the belief is true")
    assert np.allclose(np.diff(nine, 2), 0) and heads[np.argmin(nine - entropy(truths))] == 0.9
    holds("rises from 0 to 1 bit in the middle and falls to 0")
    assert entropy(truths)[[0, 100, 200]].tolist() == [0, 1, 0]
    holds("falls from 3.32 bits on the left to 0.15 on the right")
    assert [round(float(end), 2) for end in nine[[0, -1]]] == [3.32, 0.15]
    holds("At one half a dotted vertical of length 0.737")
    assert round(kl_divergence([0.5, 0.5], [0.9, 0.1]), 3) == 0.737


@section("What it cannot see")
def test_what_it_cannot_see(far, near, off):
    holds("Both cost 2.32 bits, because no other probability than that of 20 enters.")
    both = [cross_entropy(off == 0, forecast) for forecast in (near, far)]
    assert np.round(both, 2).tolist() == [2.32, 2.32]
    for seed in range(100):
        order = np.random.default_rng(seed).permutation(41)
        assert math.isclose(cross_entropy((off == 0)[order], far[order]), both[0])
    holds(
        "Two forecasts gave 20 degrees a probability of 0.2; one gave 0.4 each to 19 and 21, and the other to 0 and 40."
    )
    assert near[20] == far[20] == 0.2 and near[19] == near[21] == far[0] == far[40] == 0.4
    assert [np.flatnonzero(forecast).tolist() for forecast in (near, far)] == [[19, 20, 21], [0, 20, 40]]
    holds("The model may be worse or the data harder, because a cross-entropy is the sum of both.")
    assert cross_entropy([1, 0, 0, 0], [1, 0, 0, 0]) + 2 == cross_entropy([1, 0, 0, 0], [1 / 4] * 4)
    assert entropy([1, 0, 0, 0]) + 2 == entropy([1 / 4] * 4)
    holds("the expected distance of the honest forecast is 0.889")
    likely = np.array([19, 20, 21])
    assert round(abs(likely[:, None] - likely).mean(), 3) == 0.889
    holds('and that of "20 for sure" is 0.667')
    for_sure = crps(likely, np.full((3, 1), 20))
    assert round(for_sure, 3) == 0.667 and math.isclose(for_sure, abs(likely - 20).mean())
    holds("Here honesty costs 0.444", "0.667")
    assert round(crps(likely, [likely]), 3) == 0.444 and round(for_sure, 3) == 0.667
    holds("which means that you expect the lowest value if you forecast the true probabilities")
    rng = np.random.default_rng(0)
    for truth, other in rng.dirichlet(np.ones(4), (200, 2)):
        values, honest, lie = [[0, 1, 3, 7]], (truth,), (other,)
        assert crps([0, 1, 3, 7], values, honest, sample_weight=truth) < crps(
            [0, 1, 3, 7], values, lie, sample_weight=truth
        )
        assert cross_entropy(truth, truth) < cross_entropy(truth, other)
    holds("takes off half of the forecast's own spread", "for a single value it is the absolute error")
    for y, chances in zip(range(4), rng.dirichlet(np.ones(4), 4), strict=True):
        own = chances @ abs(np.subtract.outer(range(4), range(4))) @ chances
        away = chances @ abs(np.arange(4) - y)
        assert math.isclose(crps([y], [range(4)], [chances]), away - own / 2)
    assert crps([5], [[2]]) == 3 == abs(5 - 2)
    assert [round(crps([20], [np.arange(41)], [f]), 2) for f in (near, far)] == [0.32, 6.4]


@section("The choices")
def test_the_choices(all_kl, back, bells, cover, days, detour, near, one, p, peaks, q, seek, there, two, x):
    middle_of_p_q, no_snow = (p + q) / 2, np.array([1 / 2, 1 / 4, 1 / 4, 0])
    values = [
        kl_divergence(p, q, base=2),
        kl_divergence(p, q, base=math.e),
        kl_divergence(q, p),
        kl_divergence(p, q, base=math.e) + kl_divergence(q, p, base=math.e),
        (kl_divergence(p, middle_of_p_q) + kl_divergence(q, middle_of_p_q)) / 2,
        2 ** cross_entropy(p, q),
    ]
    assert np.round(values, 3).tolist() == [0.625, 0.433, 0.5, 0.780, 0.133, 5.187] and round(values[-1], 2) == 5.19
    assert kl_divergence(p, no_snow) == math.inf and f"{np.finfo(float).eps:.1e}" == "2.2e-16"
    clipped = log_loss(days, np.tile(no_snow, (8, 1))) / math.log(2) - 1.75
    assert round(clipped, 9) == 6
    holds("a finite number, 1 bit at most")
    middle = (one + two) / 2
    shannon = (kl_divergence(one, middle) + kl_divergence(two, middle)) / 2
    assert math.isclose(shannon.max(), 1) and np.isinf(all_kl).any()
    holds("G statistic of eight days", "are all made of KL")
    statistic = 2 * 8 * kl_divergence(p, q, base=math.e)
    assert round(statistic, 2) == 6.93 == round(power_divergence(8 * p, 8 * q, lambda_="log-likelihood").statistic, 2)
    assert round(crps([20], [np.arange(41)], [near]), 2) == 0.32
    assert round(2**2.375, 2) == 5.19 and math.isclose(perplexity(p), 2 ** entropy(p))
    holds("over the values from 0 to 20")
    assert x[0] == 0 and x[-1] == 20
    holds("Suppose that the data $p$ have two peaks")
    assert [i for i in x[1:-1] if peaks[i - 1] < peaks[i] > peaks[i + 1]] == [6, 14] and peaks[6] > peaks[14]
    holds("a bell, can have one")
    for curve in bells.values():
        assert len([i for i in x[1:-1] if curve[i - 1] < curve[i] > curve[i + 1]]) <= 1
    holds("With the data first it covers both peaks, with the model first it seeks one.")
    assert 7 < cover[0] < 13 and cover[1] > 3 and seek == (6, 1.5)
    holds("spreads over both of them, with its top in between")
    assert 6 < bells[cover].argmax() < 14
    holds("rises around the higher peak alone, above the bars")
    assert bells[seek].argmax() == 6 and bells[seek][6] > peaks[6] and bells[seek][14] < 0.001
    holds("The best bell depends on which of the two comes first")
    assert cover != seek
    holds("a bell fitted by it covers both peaks, and puts weight between them, where there are hardly any data")
    assert bells[cover][10] > 2 * peaks[10] and peaks[10] < 0.02
    holds("penalises what the model leaves out")
    assert kl_divergence([0.5, 0.5], [1, 0]) == math.inf and kl_divergence([1, 0], [0.5, 0.5]) == 1
    holds("because it is not symmetric, and because a detour can be shorter than the direct way")
    assert there != back and detour < there


@section("The choices")
def test_the_third_coin(back, detour, fair, loaded, mid, there):
    holds("from a fair coin to a loaded one, back again, and by way of a third coin")
    assert np.round([there, back, detour], 3).tolist() == [0.737, 0.531, 0.347] and fair != mid != loaded


@section("The choices")
def test_unchecked_the_choices():
    unchecked(r"scikit-learn: 0 becomes $2.2 \cdot 10^{-16}$", "the library's tests compare log_loss with it")


# On real data


@section("On real data")
def by_weekday():
    return (np.arange(365) + 2) % 7  # 0 is a Sunday, as 1 January 2013 was a Tuesday


@section("On real data")
def test_the_file(carrier, known, lost, table, usual):
    holds("on all 365 days of 2013", "the 16 airlines")
    assert set(table["day"]) == set(range(1, 366)) and carrier.max() == 15 and usual.shape == (365, 16)
    assert set(table["origin"]) == {"EWR", "JFK", "LGA"} and len(table) == 11864
    for row in table[::500]:
        same = (table["day"] == row["day"]) & (table["carrier"] == row["carrier"])
        column = carrier[np.flatnonzero(same)[0]]
        assert usual[row["day"] - 1, column] == table["flights"][same].sum()
    away = table["origin"] == "LGA"
    assert usual.sum() - lost.sum() == table["flights"][away].sum()
    holds("that of January to March, with half a flight added to each airline so that none is impossible")
    assert known.sum() == usual[: 31 + 28 + 31].sum() + 8 and (lost <= usual).all() and known.min() > 0


@section("On real data")
def test_the_levels(far_lost, far_usual, few, largest, later, lost_total, middle, smallest, spring, tight, usual_total):
    holds("We choose the level of the alarm on April to June, and judge it on the 184 days from July")
    assert far_usual[spring].size == 91 == 30 + 31 + 30 and far_usual[later].size == 184 and spring.stop == later.start
    holds("the largest usual day is 0.022 bits away, and the smallest day without LaGuardia is 0.088")
    assert [round(largest, 3), round(smallest, 3)] == [0.022, 0.088]
    holds("is the 99% point of the usual days of spring", "is the geometric mean of 0.022 and 0.088")
    assert largest == far_usual[spring].max() and smallest == far_lost[spring].min()
    assert (far_usual[spring] > tight).sum() == 1 and math.isclose(middle**2, largest * smallest)
    holds("it rings below 708, midway between")
    assert few == 708 == (usual_total[spring].min() + lost_total[spring].max()) / 2
    assert lost_total[spring].max() < few < usual_total[spring].min()


@section("On real data")
def test_the_alarms(by_weekday, far_lost, far_usual, few, half, later, lost_total, middle, rings, tight, usual_total):
    alarms = np.flatnonzero(far_usual > tight)
    alarms = alarms[alarms >= later.start]
    holds("The tight level was meant to ring on 1% of the usual days, and it rang on 11 of 184, or 6%.")
    assert len(alarms) == 11 and round(100 * len(alarms) / 184) == 6
    holds("All 11 are Saturdays, public holidays or days next to one")
    holidays = {185, 245, 332, 359, 366}  # 4 July, Labor Day, Thanksgiving, Christmas, New Year
    for day in alarms + 1:
        assert by_weekday[day - 1] == 6 or {day - 1, day, day + 1} & holidays
    holds("an interval that treats days as independent draws (3% to 10%) would mislead")
    interval = wilson_interval(len(alarms), 184)
    assert [round(100 * interval.low), round(100 * interval.high)] == [3, 10]
    holds("Counting flights rings on 14 usual days, 12 of which are Saturdays, which have fewer flights.")
    rung = np.flatnonzero(usual_total < few)
    rung = rung[rung >= later.start]
    assert len(rung) == 14 and (by_weekday[rung] == 6).sum() == 12
    assert usual_total[by_weekday == 6].mean() < 0.8 * usual_total[by_weekday != 6].mean()
    holds(
        "The middle level rang on no usual day and missed no loss; if days were alike, a rate of up to 2.0% would fit"
    )
    assert (far_usual[later] > middle).sum() == 0 == (far_lost[later] <= middle).sum()
    assert (lost_total[later] < few).all() and round(100 * wilson_interval(0, 184).high, 1) == 2.0
    holds("Its margin is small, because 31 August and Christmas reached 0.038 bits.")
    assert np.round(far_usual[[243 - 1, 359 - 1]], 3).tolist() == [0.038, 0.038]
    assert 0.85 * middle < far_usual[later].max() < middle
    holds("it rings on only 11 of 184 days", "use the tight level, which rings on 157")
    assert [rings(middle, half), rings(tight, half)] == [11, 157]
    for seed in range(1, 6):
        drop = np.random.default_rng(seed).binomial(2 * 150, 0.5)
        assert 100 < drop < 200 and rings(middle, half) < 20 < 140 < rings(tight, half)
    holds("From September, usual days are about twice as far away as in spring, so renew the known mix.")
    spring_days, autumn = np.median(far_usual[90:181]), np.median(far_usual[243:])
    assert abs(autumn / spring_days - 2) < 0.1 and np.median(far_usual[181:243]) < 1.05 * spring_days


@section("On real data")
def test_the_picture(far_lost, far_usual, middle, tight):
    holds("form a narrow band around 0.1")
    assert far_lost[90:].min() > 0.06 and far_lost[90:].max() < 0.14 and abs(np.median(far_lost[90:]) - 0.1) < 0.005
    holds("lie around 0.005 until August and around 0.01 afterwards")
    assert round(np.median(far_usual[90:243]), 3) == 0.005 and round(np.median(far_usual[243:]), 3) == 0.009
    holds("A dashed line at 0.044", "A dotted line at 0.019", "runs between the bands")
    assert [round(middle, 3), round(tight, 3)] == [0.044, 0.019] and far_usual[90:].max() < middle < far_lost.min()
    holds("just above the circles marked")
    assert set(np.argsort(far_usual[90:])[-2:] + 91) == {243, 359}
    holds("over the days from 91 to 365 of 2013, on a logarithmic scale from 0.001 to 0.3 bits")
    assert far_usual[90:].min() > 0.001 and far_lost[90:].max() < 0.3


@section("On real data")
def test_the_g_test(far_usual, known, later, usual, usual_total):
    flights = np.median(usual_total)
    holds("which is 0.011 for the 964 flights of a median day")
    assert flights == 964 and round((16 - 1) / (2 * math.log(2) * flights), 3) == 0.011
    drawn = np.random.default_rng(0).multinomial(964, known / known.sum(), 4000) / 964
    from_draws = kl_divergence(drawn, np.tile(known / known.sum(), (4000, 1)))
    assert abs(from_draws.mean() / 0.0112 - 1) < 0.05
    holds("would follow a chi-squared distribution with 15 degrees of freedom")
    statistics = 2 * 964 * math.log(2) * from_draws
    assert abs((statistics > chi2.ppf(0.95, 15)).mean() - 0.05) < 0.02 and abs(statistics.var() / 30 - 1) < 0.15
    holds("But 44% of the usual days from April have a $G$ below its 5% point, 7.26, because a timetable is not drawn")
    of_days = 2 * usual_total * math.log(2) * far_usual
    point = chi2.ppf(0.05, 15)
    assert round(point, 2) == 7.26 and round(100 * (of_days[90:] < point).mean()) == 44
    assert abs((statistics < point).mean() - 0.05) < 0.02
    one = power_divergence(usual[200], usual_total[200] * known / known.sum(), lambda_="log-likelihood")
    assert math.isclose(one.statistic, of_days[200])
    holds("KL is infinite on 160 of the 184 usual days, because a rare airline did not fly")
    shares_of_days = usual[later] / usual_total[later, None]
    other_way = kl_divergence(np.tile(known / known.sum(), (184, 1)), shares_of_days)
    assert np.isinf(other_way).sum() == 160 and np.array_equal(np.isinf(other_way), (usual[later] == 0).any(axis=1))
    assert (known / known.sum())[(usual[later] == 0).any(axis=0)].max() < 0.01


@section("lesson-entropy-and-divergence-drift")
def test_psi(known, later, lost, p, psi, q, shares, usual):
    without = psi(shares(lost + 0.5), shares(known + 0 * lost))[later]
    holds("A level of 0.25 would not ring on a single day", "and 0.1 rings on 182 of 184")
    assert without.max() < 0.25 and (without > 0.1).sum() == 182 and len(without) == 184
    assert psi(shares(usual + 0.5), shares(known + 0 * usual))[later].max() < 0.1
    holds("although almost a third of the flights are gone")
    assert 0.31 < 1 - lost[later].sum() / usual[later].sum() < 1 / 3
    assert math.isclose(psi(p, q), ((p - q) * np.log(p / q)).sum())


@section("On real data")
def test_noon(changes, file, forecasts, noon, scores, tomorrow, week):
    holds("for 363 days of 2013", "on 304 days", "adds each change of the last 60 days to today's value")
    assert len(file) == 363 and len(tomorrow) == 304
    for d in (61, 200, 364):
        steps = [noon[k + 1] - noon[k] for k in range(d - 60, d - 1) if not np.isnan(noon[k])]
        assert np.allclose(np.sort(changes(d)), np.sort(noon[d - 1] + np.array(steps)))
        assert np.allclose(changes(d, 0.4) - noon[d - 1], 0.4 * (changes(d) - noon[d - 1]))
    holds("By CRPS the changes win, and no interval includes 0.")
    for other in list(scores)[1:]:
        assert paired_difference(scores["changes"][0], scores[other][0], groups=week, rng=0).high < 0
    assert min(scores, key=lambda name: scores[name][0].mean()) == "changes" and len(set(week)) == 44
    holds("The expected distance puts this forecast 1.21 degrees behind today's value (1.08 to 1.34)")
    behind = paired_difference(scores["changes"][1], scores["today, for sure"][1], groups=week, rng=0)
    assert np.round(behind[:3], 2).tolist() == [1.21, 1.08, 1.34]
    came, inside = noon[tomorrow], {}
    for name in ("changes", "too sure"):
        ends = np.array([np.quantile(values, [0.1, 0.9]) for values in forecasts[name]])
        inside[name] = round(100 * ((ends[:, 0] <= came) & (came <= ends[:, 1])).mean())
    holds("contains the temperature on 80% of the days, and that of the too-sure forecast on only 42%")
    assert inside == {"changes": 80, "too sure": 42}
    holds("because on 15 days none of the changes leads to the temperature that came")
    assert sum(y not in values for y, values in zip(came, forecasts["changes"], strict=True)) == 15
    holds("The two scores disagree about the order")
    orders = [sorted(scores, key=lambda name: scores[name][which].mean()) for which in (0, 1)]
    assert orders[0] != orders[1] and orders[1][0] == "today, for sure"


@section("Try it")
def test_try_it(bits_a_toss, books):
    holds("how many bits does a uniform guess over four classes cost")
    assert cross_entropy([1, 0, 0, 0], [1 / 4] * 4) == math.log2(4) == 2
    holds("A coin shows heads nine times in ten")
    assert math.isclose(bits_a_toss(1), 9 / 10 * 1 + 1 / 10 * 4)
    holds("so its entropy is 0.469 bits, but no word is shorter than one bit")
    assert round(entropy([0.9, 0.1]), 3) == 0.469 and all(len(w) >= 1 for code in books.values() for w in code)
    holds("The first costs 2.02 bits, which is more than the 2 bits of a uniform guess over four classes")
    assert 1.9 < math.log2(4) < 1.4 / math.log(2) and 1.4 < 1.9
    holds("A block of $n$ tosses wastes less than one bit, so a toss wastes less than $1/n$.")
    for size in range(1, 25):
        assert entropy([0.9, 0.1]) <= bits_a_toss(size) < entropy([0.9, 0.1]) + 1 / size
