"""What book/lessons/entropy-and-divergence.ipynb says, held."""

import itertools
import math

import numpy as np

from metrics_lib import cross_entropy, entropy, kl_divergence, log_loss, perplexity
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-entropy-and-divergence")
def test_the_opening(ax, axes, bits, books, events, weather):
    holds("Half of its days are sunny, a quarter are cloudy, an eighth rainy, an eighth snowy.")
    assert weather.tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 8]
    holds("has two bits for each of the four")
    assert bits["A"].tolist() == [2] * 4 and len(events) == 4
    holds("0 for cloud and 10 for rain")
    assert dict(zip(events, books["B"], strict=True)) == {"sun": "110", "cloud": "0", "rain": "10", "snow": "111"}
    holds("Book A costs 2 bits a day and B 2.375")
    assert [weather @ bits[name] for name in ("A", "B", "best")] == [2, 2.375, 1.75]
    holds("The best book for this weather costs 1.75.")
    shapes = [shape for shape in itertools.product(range(1, 8), repeat=4) if sum(2.0**-n for n in shape) <= 1]
    assert min(weather @ np.array(shape) for shape in shapes) == 1.75
    holds("the rest, 0.25 and 0.625")
    assert np.allclose([kl_divergence(weather, 2.0 ** -bits[name]) for name in "AB"], [0.25, 0.625])
    holds("all words two bits: above sun a hatched bit, over rain and snow a dotted bit is left free")
    assert (bits["A"] - bits["best"]).tolist() == [1, 0, -1, -1]
    holds("above sun two hatched bits, over cloud and rain a dotted bit is left free, snow is as filled")
    assert (bits["B"] - bits["best"]).tolist() == [2, -1, -1, 0]
    holds("one half, a quarter and two eighths wide")
    assert [ax.patches[i].get_width() for i in range(4)] == [1 / 2, 1 / 4, 1 / 8, 1 / 8]
    holds("Filled steps rise to 1, 2, 3 and 3, as far as the book has words so long.")
    assert bits["best"].tolist() == [1, 2, 3, 3] and np.minimum(bits["A"], bits["best"]).max() < 3


@section("In one line")
def test_in_one_line(bits, weather):
    cloudy = 2.0 ** -bits["B"]
    holds("`entropy(p)` is 1.75, `cross_entropy(p, q)` 2.375 and `kl_divergence(p, q)` 0.625")
    values = [entropy(weather), cross_entropy(weather, cloudy), kl_divergence(weather, cloudy)]
    assert np.allclose(values, [1.75, 2.375, 0.625])
    holds(r"To give an event the probability $q(x)$ is to give it a word of $\log_2 1/q(x)$ bits.")
    assert np.log2(1 / cloudy).tolist() == bits["B"].tolist()


@section("lesson-entropy-and-divergence-hand")
def test_by_hand(bits, books, days, p, q, said):
    holds("Words sent one after the other can be told apart if no word is the beginning of another.")
    for code in books.values():
        messages = ["".join(words) for size in (1, 2, 3, 4) for words in itertools.product(code, repeat=size)]
        assert not any(a != b and b.startswith(a) for a in code for b in code) and len(set(messages)) == len(messages)
    holds("nothing else may begin with 0")
    assert [w for w in books["B"] if w.startswith("0")] == ["0"]
    holds("gives away half of all messages")
    assert np.mean([message[0] == "0" for message in itertools.product("01", repeat=6)]) == 1 / 2
    holds("A word of $l$ bits uses up a share of $2^{-l}$, and the shares add up to 1 at most")
    for w in books["B"]:
        begin = [message[: len(w)] == tuple(w) for message in itertools.product("01", repeat=6)]
        assert np.mean(begin) == 2.0 ** -len(w)
    short = ["".join(w) for size in (1, 2, 3) for w in itertools.product("01", repeat=size)]
    for code in itertools.combinations(short, 4):
        free_of_prefixes = not any(a != b and b.startswith(a) for a in code for b in code)
        assert not free_of_prefixes or sum(2.0 ** -len(w) for w in code) <= 1
    holds("That is why a book is a belief; B believes in the $q$ of this table.")
    assert (2.0 ** -bits["B"]).tolist() == q.tolist() and q.sum() == 1
    table = np.column_stack([p, bits["best"], q, bits["B"], p * bits["best"], p * bits["B"]])
    expected = [[0.5, 1, 0.125, 3, 0.5, 1.5], [0.25, 2, 0.5, 1, 0.5, 0.25], [0.125, 3, 0.25, 2, 0.375, 0.25]]
    assert np.array_equal(table, [*expected, [0.125, 3, 0.125, 3, 0.375, 0.375]])
    assert table.sum(axis=0)[[0, 2, 4, 5]].tolist() == [1, 1, 1.75, 2.375]
    holds(r"An event that does not occur adds nothing to an entropy: $0 \log_2 0$ counts as 0.")
    assert entropy([*p, 0]) == entropy(p)
    holds("here eight in the shares of $p$")
    assert len(days) == 8 and np.array_equal(np.bincount(days) / 8, p)
    holds("is the same number, since frequent events bring their frequency along")
    assert np.log2(1 / q[days]).mean() == 2.375
    assert math.isclose(log_loss(days, said) / math.log(2), 2.375)
    holds("a bit is 0.693 nats")
    assert round(math.log(2), 3) == 0.693 and math.isclose(entropy(p, base=math.e), 1.75 * math.log(2))
    holds("what lowers the cross-entropy lowers the KL divergence by as much")
    some = np.random.default_rng(0).dirichlet(np.ones(4), 200)
    data = np.tile(p, (200, 1))
    assert np.allclose(cross_entropy(data, some) - kl_divergence(data, some), 1.75)
    holds("maximising the likelihood (the probability of what happened) and minimising KL are one thing")
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
    holds(r"from 0, if the outcome is certain, to $\log_2 n$ for $n$ equally likely events")
    assert (
        np.array_equal(entropy(grid) == 0, grid.max(axis=1) == 1) and entropy([1 / 4] * 4) == 2 == entropy(grid).max()
    )
    holds(r"costs $\log_2 n$ whatever the data are")
    assert np.allclose(cross_entropy(grid, np.full_like(grid, 1 / 4)), 2)
    holds("an event that the model calls impossible and that happens makes it infinite")
    assert np.array_equal(np.isinf(cross_entropy(one, two)), ((one > 0) & (two == 0)).any(axis=1))
    holds(
        "1 bit is perfect for a fair coin, and poor for one that shows heads nine times of ten, whose entropy is 0.469"
    )
    assert entropy([1 / 2, 1 / 2]) == 1 and round(entropy([9 / 10, 1 / 10]), 3) == 0.469
    holds("How good is 1 bit?")
    assert np.allclose(half, 1)
    holds("No line ever crosses the curve")
    for belief in np.linspace(0.01, 0.99, 99):
        line = cross_entropy(truths, np.tile([belief, 1 - belief], (201, 1)))
        assert (line >= entropy(truths) - 1e-12).all()
    holds("A KL divergence is never negative, and 0 for the true belief alone.")
    assert all_kl.min() >= 0 and np.array_equal(all_kl == 0, (one == two).all(axis=1))
    holds(r"a logarithm lies below its tangent, $\ln t \le t - 1$, with equality at $t = 1$ alone")
    t = np.linspace(0.01, 5, 500)
    assert (np.log(t) <= t - 1 + 1e-12).all() and np.isclose(t[np.isclose(np.log(t), t - 1, atol=1e-9)], 1).all()
    holds("each straight line is the cross-entropy of a fixed belief and touches the curve where the belief is true")
    assert np.allclose(np.diff(nine, 2), 0) and heads[np.argmin(nine - entropy(truths))] == 0.9
    holds("A thick arch rises from 0 to 1 bit in the middle and falls to 0.")
    assert entropy(truths)[[0, 100, 200]].tolist() == [0, 1, 0]
    holds("falls from 3.32 bits on the left to 0.15 on the right")
    assert [round(float(end), 2) for end in nine[[0, -1]]] == [3.32, 0.15]
    holds("At one half a dotted vertical of length 0.737")
    assert round(kl_divergence([0.5, 0.5], [0.9, 0.1]), 3) == 0.737


@section("What it cannot see")
def test_what_it_cannot_see(far, near, off):
    holds("Both cost 2.32 bits: what the events mean does not enter.")
    both = [cross_entropy(off == 0, forecast) for forecast in (near, far)]
    assert np.round(both, 2).tolist() == [2.32, 2.32]
    for seed in range(100):
        order = np.random.default_rng(seed).permutation(41)
        assert math.isclose(cross_entropy((off == 0)[order], far[order]), both[0])
    holds("each gave the 20 a probability of 0.2 and the others 0.4")
    assert near[20] == far[20] == 0.2 and near[19] == near[21] == far[0] == far[40] == 0.4
    holds("One forecast said 19, 20 or 21, the other 0, 20 or 40")
    assert [np.flatnonzero(forecast).tolist() for forecast in (near, far)] == [[19, 20, 21], [0, 20, 40]]
    holds("Two bits more than yesterday: is the model worse, or are the data harder?")
    assert cross_entropy([1, 0, 0, 0], [1, 0, 0, 0]) + 2 == cross_entropy([1, 0, 0, 0], [1 / 4] * 4)
    assert entropy([1, 0, 0, 0]) + 2 == entropy([1 / 4] * 4)


@section("The choices")
def test_the_choices(all_kl, back, bells, cover, days, detour, one, p, peaks, q, seek, there, two, x):
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
    holds("finite, 1 bit at most")
    middle = (one + two) / 2
    shannon = (kl_divergence(one, middle) + kl_divergence(two, middle)) / 2
    assert math.isclose(shannon.max(), 1) and np.isinf(all_kl).any()
    holds("5.19 choices in place of 2.375 bits")
    assert round(2**2.375, 2) == 5.19 and math.isclose(perplexity(p), 2 ** entropy(p))
    holds("over the values from 0 to 20")
    assert x[0] == 0 and x[-1] == 20
    holds("have two peaks")
    assert [i for i in x[1:-1] if peaks[i - 1] < peaks[i] > peaks[i + 1]] == [6, 14] and peaks[6] > peaks[14]
    holds("can have one")
    for curve in bells.values():
        assert len([i for i in x[1:-1] if curve[i - 1] < curve[i] > curve[i + 1]]) <= 1
    holds("With the data first it covers both peaks, with the model first it seeks one.")
    assert 7 < cover[0] < 13 and cover[1] > 3 and seek == (6, 1.5)
    holds("A solid flat bell spreads over both peaks, with its top between them.")
    assert 6 < bells[cover].argmax() < 14
    holds("stands on the higher peak alone, higher than the bars")
    assert bells[seek].argmax() == 6 and bells[seek][6] > peaks[6] and bells[seek][14] < 0.001
    holds("Which bell is best depends on who comes first")
    assert cover != seek
    holds("a bell fitted by it covers, and puts weight between the peaks, where there is hardly anything")
    assert bells[cover][10] > 2 * peaks[10] and peaks[10] < 0.02
    holds("punishes what the model leaves out")
    assert kl_divergence([0.5, 0.5], [1, 0]) == math.inf and kl_divergence([1, 0], [0.5, 0.5]) == 1
    holds("it is not symmetric, and a detour can be shorter than the direct way")
    assert there != back and detour < there


@section("The choices")
def test_the_choices_2(back, detour, fair, loaded, mid, there):
    holds("it is 0.737, back 0.531, and by way of a third coin 0.347")
    assert np.round([there, back, detour], 3).tolist() == [0.737, 0.531, 0.347] and len([fair, mid, loaded]) == 3


@section("lesson-entropy-and-divergence-drift")
def test_on_real_data(
    ax, bins, carrier, day_first, day_first_lost, flights, known, known_first, lost, names, pools, rings, usual
):
    holds("the 6,000 flights in")
    assert len(flights) == 6000
    holds("1,000 usual days from them, and 1,000 on which")
    assert usual.shape == lost.shape == (1000, 15) and len(names) == 15
    holds("LaGuardia, was lost")
    assert names[np.flatnonzero(lost.max(axis=0) == 0)].size < names.size == lost.shape[1]
    holds("Even a usual day is 0.021 bits of KL off on average: a sample does not repeat the mix.")
    assert round(day_first.mean(), 3) == 0.021 and day_first.min() > 0
    proved(r"expects carriers less one over $2 \ln 2$ times flights: here $14 / (2 \cdot 500 \cdot \ln 2)$, 0.020")
    assert round(14 / (2 * 500 * math.log(2)), 3) == 0.02
    holds("897 of the 1,000 usual days are infinitely far off: a rare carrier did not fly")
    assert np.isinf(known_first).sum() == 897
    assert np.array_equal(np.isinf(known_first), (usual == 0).any(axis=1))
    assert max(known[0][(usual == 0).any(axis=0)]) < 0.01
    holds("rings on 2 usual days, and on 998 without LaGuardia")
    assert (day_first > 0.05).sum() == 2 and (day_first_lost > 0.05).sum() == 998
    holds("One false alarm, one day missed; 0.56 % of such days, two a year, would fit.")
    again = np.random.default_rng(1)
    on_new = [rings(pool, again) for pool in pools]
    assert [round(1000 * share.value) for share in on_new] == [1, 999]
    assert round(100 * on_new[0].high, 2) == 0.56 and round(365 * on_new[0].high) == 2
    holds("But the file's 647 flights on Saturdays are 0.033 bits off, as many drawn ones 0.015")
    saturday = np.is_busday(np.datetime64("2012-12-31") + flights["day"], weekmask="Sat")
    shuffles = np.random.default_rng(2)
    of_647 = [carrier[saturday], *(shuffles.choice(carrier, saturday.sum(), replace=False) for _ in range(400))]
    far_off = kl_divergence(np.array([np.bincount(one, minlength=15) for one in of_647]) / saturday.sum(), known[:401])
    assert saturday.sum() == 647 and np.round([far_off[0], far_off[1:].mean()], 3).tolist() == [0.033, 0.015]
    assert (far_off[1:] >= far_off[0]).mean() < 0.01
    holds("a Saturday comes near the alarm")
    assert 0.035 < far_off[0] - far_off[1:].mean() + day_first.mean() < 0.05
    holds("Two histograms over 0 to 0.2 bits.")
    assert len(ax.containers) == 2 and bins[0] == 0 and max(day_first.max(), day_first_lost.max()) < 0.2
    holds("form a high narrow hill around 0.02")
    assert round(np.median(day_first), 2) == 0.02
    holds("form a lower, wider hill around 0.1")
    assert 0.09 < np.median(day_first_lost) < 0.1 and day_first_lost.std() > day_first.std()


@section("Try it")
def test_try_it(bits_a_toss, books):
    holds("what does a uniform guess over four classes cost")
    assert cross_entropy([1, 0, 0, 0], [1 / 4] * 4) == math.log2(4) == 2
    holds("A coin shows heads nine times of ten")
    assert math.isclose(bits_a_toss(1), 9 / 10 * 1 + 1 / 10 * 4)
    holds("its entropy is 0.469, but no word is shorter than one bit")
    assert round(entropy([0.9, 0.1]), 3) == 0.469 and all(len(w) >= 1 for code in books.values() for w in code)
    holds("The second is better, although its number is larger")
    assert 1.9 < math.log2(4) < 1.4 / math.log(2) and 1.4 < 1.9
    holds("A block of $n$ tosses wastes less than one bit, so a toss less than $1/n$.")
    for size in range(1, 25):
        assert entropy([0.9, 0.1]) <= bits_a_toss(size) < entropy([0.9, 0.1]) + 1 / size


@section("The choices")
def test_unchecked_the_choices():
    unchecked(r"scikit-learn: 0 becomes $2.2 \cdot 10^{-16}$", "the library's tests compare log_loss with it")
