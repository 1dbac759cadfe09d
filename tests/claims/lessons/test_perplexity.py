"""What book/lessons/perplexity.ipynb says, held."""

import math
from collections import Counter

import numpy as np

from metrics_lib import corpus_perplexity, cross_entropy, entropy, model_perplexity, perplexity, sentence_perplexity
from metrics_lib.uncertainty import bootstrap, paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("On real data")
def rest(by_word, logs_a, logs_b, log_probs, seen, test, trials):
    """What the opening says of the models, whose code comes later."""
    name = "vintage red mug"
    return {
        "a": -np.array(log_probs(name, 4, seen)),
        "b": -by_word(name),
        "perplexities": [corpus_perplexity(logs, base=2) for logs in (logs_a, logs_b)],
        "right": trials[1][1].mean(axis=1),
        "bits": [-sum(map(sum, logs)) / sum(len(one) + 1 for one in test) for logs in (logs_a, logs_b)],
    }


@section("lesson-perplexity")
def test_the_opening(axes, of_a, of_b, rest):
    holds("On 1,000 names that neither has seen, A has a perplexity of 3.90 and B one of 793")
    assert [f"{value:.3g}" for value in rest["perplexities"]] == ["3.9", "793"]
    holds("as if A chose among 4 equally likely characters each time, and B among 793 words")
    assert round(rest["perplexities"][0]) == 4 and math.isclose(perplexity([1 / 4] * 4), 4)
    assert np.allclose(rest["a"], of_a, atol=0.0051) and np.allclose(rest["b"], of_b, atol=0.0051)
    holds("the highest are those of the v, of the r, and of the m and the u")
    assert len(axes[0].patches) == 16 and sorted(np.argsort(of_a)[-4:]) == [0, 8, 12, 13]
    holds("and most others are close to 0", "Each area is the surprise in bits", "wide and high for")
    assert axes[1].patches[2].get_height() > 4 > 1 > max(axes[1].patches[i].get_height() for i in (0, 1, 3))
    first = axes[1].patches[0]
    assert np.median(of_a) < 0.6 and math.isclose(first.get_width() * first.get_height(), of_b[0])
    holds("A, 16 tokens, 20.6 bits, perplexity 2.4; B, 4 tokens, 23.8 bits, perplexity 62")
    said = [f"{len(x)} {sum(x):.1f} {model_perplexity(-np.array(x), base=2):.2g}" for x in (of_a, of_b)]
    assert said == ["16 20.6 2.4", "4 23.8 62"]
    holds("B's perplexity is 25 times A's, yet the two models need about the same number of bits, 23.8 and 20.6")
    of_name = [model_perplexity(-rest[model], base=2) for model in "ba"]
    assert round(of_name[0] / of_name[1]) == 25 and [round(rest[m].sum(), 1) for m in "ba"] == [23.8, 20.6]
    holds("so it spreads its bits over 4 guesses, and A over 16")
    assert (len(rest["b"]), len(rest["a"])) == (4, 16)
    holds("because both models have to spell the same characters", "A needs 1.96 bits and B 1.83")
    assert [f"{bits:.2f}" for bits in rest["bits"]] == ["1.96", "1.83"]
    holds("because after the first letter B completes 41% of the words correctly, and A 29%")
    assert [f"{share:.0%}" for share in rest["right"][:2]] == ["41%", "29%"]


@section("In one line")
def test_in_one_line():
    holds("so the perplexity is `exp(loss)`: a loss of 3.0 is a perplexity of 20.1")
    assert round(model_perplexity([-3.0] * 7), 1) == 20.1 == round(math.exp(3.0), 1)
    holds("If your loss is in bits, take 2 to the power of it.")
    assert math.isclose(model_perplexity([-3.0] * 7, base=2), 2**3)
    holds("Lower is better, and 1 is perfect.", "`sentence_perplexity([1/2, 1/4, 1/8, 1/64])` is 8.")
    assert math.isclose(sentence_perplexity([1 / 2, 1 / 4, 1 / 8, 1 / 64]), 8) and sentence_perplexity([1, 1, 1]) == 1
    assert sentence_perplexity([1 / 2, 1 / 4, 1 / 8, 1 / 4]) < 8


@section("lesson-perplexity-hand")
def test_by_hand(bag):
    holds('The name "bag" has four tokens, three letters and the end.')
    assert len(bag) == 4 == len("bag") + 1 and math.isclose(math.prod(bag), 1 / 4096)
    assert np.log2(1 / bag).tolist() == [1, 2, 3, 6] and np.log2(1 / bag).sum() == 12
    holds("12 bits on 4 tokens are 3 bits per token, and $2^3 = 8$.", "The fourth root of 4096 is the same")
    assert 12 / 4 == 3 and math.isclose(sentence_perplexity(bag), 2**3) and math.isclose(4096 ** (1 / 4), 2**3)
    holds("The base of the logarithms is $e$ unless you name another")
    assert math.isclose(model_perplexity(np.log(bag)), model_perplexity(np.log10(bag), base=10))
    holds("Saving one bit per token halves the perplexity.")
    for text in np.random.default_rng(0).uniform(-9, -1, (50, 7)):
        assert math.isclose(model_perplexity(text + 1, base=2), model_perplexity(text, base=2) / 2)


@section("lesson-perplexity-hand")
def test_the_model(alphabet, bigram, letters, logs_of, names, test, texts, train):
    holds("set 1,000 of them aside for the test")
    assert len(test) == 1000 and len(names) == len(set(names)) == 2712 and not set(test) & set(train)
    holds("The two additions of 1 are smoothing: each context has one imagined observation")
    for last in "tq^ ":
        shares = [letters(token, last) for token in alphabet + "$"]
        assert math.isclose(sum(shares), 1) and min(shares) > 0
    counts = Counter("".join(train))
    never = [token for token in alphabet if not any(f"q{token}" in name for name in train) and token in counts]
    holds("shared out over all `size` tokens by how common they are")
    assert sorted(never, key=counts.get) == sorted(never, key=lambda token: letters(token, "q")) and len(never) > 9
    holds("The same lines make a model of characters or of words, depending on what a text is cut into.")
    words = bigram([["a", "b"], ["a", "c"]], 4)
    assert math.isclose(sum(words(token, "a") for token in ("a", "b", "c", "$")), 1)
    holds("We give it a new name, and then the same letters backwards")
    assert texts[0] in test and texts[0][::-1] == texts[1]
    holds("The bigram finds the name far less surprising.")
    assert sum(logs_of(letters, texts[0])) > sum(logs_of(letters, texts[1])) + 30


@section("lesson-perplexity-scale")
def test_how_good_is(alphabet, bag, learn, letters, log_probs, logs_a, logs_of, memories, new, seen_before, train):
    holds("How good is 3.90?")
    assert f"{corpus_perplexity(logs_a, base=2):.2f}" == "3.90"
    holds("no model stays below $2^{H(p)}$ in the long run")
    p = [1 / 2, 1 / 4, 1 / 8, 1 / 8]
    for belief in np.random.default_rng(0).dirichlet(np.ones(4), 200):
        assert 2 ** cross_entropy(p, belief) >= 2 ** entropy(p)
    holds("here 28 for 26 letters, the space and the end")
    assert len(alphabet + "$") == 28 and math.isclose(sentence_perplexity([1 / 28] * 5), 28)
    holds("which takes a single token that the model calls impossible")
    assert sentence_perplexity([*bag, 0]) == math.inf
    holds("With a memory of one character, this is the bigram.")
    one = learn(train, 1)
    assert all(np.allclose(log_probs(name, 1, one), logs_of(letters, name)) for name in train[:50])
    holds("We learn from 1,312 of the training names and hold back the other 400", "on 400 names held back")
    assert len(train) == 1312 + 400 and len(train[:-400]) == 1312
    holds("look back none to six characters", "Two lines fall together from about 20 at memory 0 to about 12")
    assert list(memories) == [0, 1, 2, 3, 4, 5, 6]
    assert all(np.allclose(line[:2], [20, 12], atol=0.4) for line in (seen_before, new))
    holds("the training names, falls on to 1.6", "falls to 4.1 at memory 4, marked A, and rises to 4.5 at memory 6")
    assert [round(value, 1) for value in (seen_before[-1], new[4], new[6])] == [1.6, 4.1, 4.5]
    holds("On the training names a longer memory looks better and better.")
    assert seen_before == sorted(seen_before, reverse=True)
    holds("On names held back a memory of four is best and longer ones get worse, so A has a memory of four.")
    assert min(new) == new[4] and new[4:] == sorted(new[4:])
    holds("We now train A on all 1,712 names")
    assert len(train) == 1712


@section("What it cannot see")
def test_what_it_cannot_see(steady, wrong_dose):
    holds('Two models read "take two pills daily"')
    order = ["take", "two", "pills", "daily"]
    assert len(order) == len(steady) == len(wrong_dose)
    holds("but the first hesitates at each word, and the second would have written another number of pills.")
    assert len(set(steady)) == 1 and wrong_dose.index(min(wrong_dose)) == order.index("two")
    holds("Both have a perplexity of 2")
    assert math.isclose(sentence_perplexity(steady), 2) and math.isclose(sentence_perplexity(wrong_dose), 2)
    unchecked("A fluent falsehood can be as probable as a fluent truth.", "what is true no probability says")


@section("lesson-perplexity-choices")
def test_the_choices(alphabet, bag, letters, two_texts):
    assert np.allclose([sentence_perplexity(bag), sentence_perplexity(bag) ** (4 / 3)], [8, 16])
    assert math.isclose(sentence_perplexity(bag[:3]), 4) and math.isclose(model_perplexity(np.log(bag)), 8)
    assert f"{model_perplexity(np.log2(bag)):.1f}" == "20.1"
    holds('Our "bag" has 12 bits on 4 tokens, and a second text, one letter and its end, has 12 bits on 2.')
    assert [(sum(text), len(text)) for text in two_texts] == [(-12, 4), (-12, 2)]
    own = [model_perplexity(text, base=2) for text in two_texts]
    assert np.allclose([corpus_perplexity(two_texts, base=2), np.mean(own)], [16, 36])
    assert f"{math.sqrt(math.prod(own)):.1f}" == "22.6"
    holds("The start of a text is not counted, because no model has to guess it.")
    assert math.isclose(sum(letters(token, "b") for token in alphabet + "$"), 1) and "^" not in alphabet + "$"
    holds("A model that does not guess the end gives a probability to the beginning of a text, but not to the text.")
    assert sum(letters(token, "^") for token in alphabet) < 1 - letters("$", "^") / 2


@section("lesson-perplexity-choices")
def test_units():
    holds("12 bits make a perplexity of 8 on four words, and of 2 on twelve characters.")
    assert math.isclose(model_perplexity([-12 / 4] * 4, base=2), 8)
    assert math.isclose(model_perplexity([-12 / 12] * 12, base=2), 2)


@section("lesson-perplexity-choices")
def test_window(by_stride, log_probs, seen, test):
    holds("a window of five characters, which is four to look back on and one to guess")
    values = [corpus_perplexity([by_stride(name, stride) for name in test], base=2) for stride in range(1, 6)]
    assert math.isclose(values[0], corpus_perplexity([log_probs(name, 4, seen) for name in test], base=2))
    holds("and scores only the tokens that are new")
    assert all(len(by_stride(name, stride)) == len(name) + 1 for name in test[:20] for stride in range(1, 6))
    holds("With a stride of 5 the pieces do not overlap, and the perplexity almost doubles")
    assert 1.85 < values[4] / values[0] < 2 and values == sorted(values)
    holds("the first token of a piece is guessed from nothing", "a stride of 1 gives each guess all its context")
    alone = [by_stride(name, 5)[0] for name in test if name[0] == "s"]
    assert len(set(alone)) == 1 and math.isclose(alone[0], log_probs("s", 0, seen)[0])
    unchecked("reports 19.44 for a stride of 1,024, the length of the window, and 16.45 for 512", "read in its source")


@section("lesson-perplexity-choices")
def test_senses(bag):
    both = [np.log(bag), np.log([1 / 2, 1 / 2])]
    holds("involves no data, so it says how unsure a model is, and not whether it is right")
    assert perplexity([0.9, 0.1]) < perplexity([0.5, 0.5])
    assert model_perplexity(np.log([0.1] * 9 + [0.9])) > model_perplexity(np.log([0.5] * 10))
    holds("that consists of texts $s_k$ with $N'$ tokens in all", "a long text weighs more than a short one")
    own = [model_perplexity(logs) for logs in both]
    assert math.isclose(corpus_perplexity(both), own[0] ** (4 / 6) * own[1] ** (2 / 6))


@section("On real data", after="families =")
def test_bits(
    by_word, cut, families, found, known, logs_a, logs_b, logs_of, names, next_word, saved, size, test, train
):
    holds("2,712 different names consist of letters and spaces.", "was learned or chosen on the other 1,712")
    assert len(names) == 2712 and len(train) == 1712
    holds("It knows the 806 words that occur more than once in the training names")
    assert len(known) == 806
    holds("The columns name different winners", "and only the first compares like with like")
    assert sum(map(len, logs_a)) == size.sum() > 4 * sum(map(len, logs_b))
    holds("Report 1.83 bits per character")
    assert f"{-sum(map(sum, logs_b)) / size.sum():.2f}" == "1.83"
    values = [corpus_perplexity(logs, base=2) for logs in (logs_a, logs_b)]
    assert values[0] < values[1] and saved.sum() > 0
    holds("B saves 0.132 bits per character.", "and runs from 0.090 to 0.175")
    assert np.round(found[:3], 3).tolist() == [0.132, 0.09, 0.175]
    holds("drawn at random, most of which have relatives among the training names")
    assert np.mean(np.isin(families, [name.split()[0] for name in train])) > 0.8
    holds("Names that begin with the same word are alike")
    own = np.unique(families, return_inverse=True)[1]
    shuffled = [np.random.default_rng(seed).permutation(own) for seed in range(200)]
    between = [(np.bincount(kin, saved / size) ** 2 / np.bincount(kin)).sum() for kin in (own, *shuffled)]
    assert between[0] > max(between[1:])
    for name in test[:30]:
        logs = by_word(name)
        assert len(logs) == len(name.split()) + 1 and logs[-1] == logs_of(next_word, cut(name))[-1]


@section("On real data")
def test_the_task(alphabet, families, known, likeliest, next_word, probability, seen, test, trials, vocabulary):
    shares = np.array([right.mean(axis=1) for _, right in trials])
    holds("B, solid with circles, runs from 0.17 through 0.41 and 0.60 to 0.74.")
    assert np.round(shares[:, 0], 2).tolist() == [0.17, 0.41, 0.6, 0.74]
    holds("from 0.10 through 0.29 and 0.49 to 0.68", "from 0.02 through 0.19 and 0.43, and meets A at 0.68")
    assert np.round(shares[:, 1], 2).tolist() == [0.1, 0.29, 0.49, 0.68]
    assert np.round(shares[:, 2], 2).tolist() == [0.02, 0.19, 0.43, 0.68]
    holds("A word counts as long as it has more letters than that.")
    words = [word for name in test for word in name.split()]
    assert [right.shape[1] for _, right in trials] == [sum(len(w) > k for w in words) for k in range(4)]
    holds("B is ahead at each stage, by 12.4 points after one letter (10.8 to 14.0).")
    leads = [paired_difference(right[0], right[1], groups=family, rng=0) for family, right in trials]
    assert all(lead.low > 0 for lead in leads)
    assert [f"{100 * value:.1f}" for value in leads[1][:3]] == ["12.4", "10.8", "14.0"]
    holds("if it may choose among all the words that B knows, it completes 29.8% after one letter instead of 28.9%")
    fits = {start: [w for w in vocabulary if w[0] == start] for start in alphabet}
    chosen, chance = {}, {}

    def after(context, token):
        if (context, token) not in chance:
            chance[context, token] = probability(token, tuple(context), seen)
        return chance[context, token]

    right = []
    for name in test:
        text = "^^^^"
        for word in name.split():
            key = text[-4:], word[0]
            if key not in chosen:
                scores = {}
                for w in fits[word[0]]:
                    whole = key[0] + w
                    own = math.prod(after(whole[i - 4 : i], whole[i]) for i in range(5, len(whole)))
                    scores[w] = own * (after(whole[-4:], " ") + after(whole[-4:], "$"))
                chosen[key] = max(scores, key=scores.get, default="")
            if len(word) > 1:
                right.append(chosen[key] == word)
            text += word + " "
    assert f"{np.mean(right):.1%} {shares[1, 1]:.1%}" == "29.8% 28.9%"


@section("On real data")
def test_when_to_begin(guess_b, known, test, trials):
    words = []  # each word, with the numbers of letters after which B proposes it
    for name in test:
        last = "^"
        for word in name.split():
            words.append((word, {k for k in range(len(word)) if guess_b(last, word[:k]) == word}))
            last = word if word in known else "?"
    holds("A right proposal of B's stays right when the next letter is typed.")
    assert all(k + 1 in right for word, right in words for k in right if k + 1 < len(word))

    def letters_saved(begin, cost):
        saved = 0
        for word, right in words:
            first = next((k for k in range(begin, len(word)) if k in right), len(word))
            saved += len(word) - first - cost * max(first - begin, 0)
        return saved

    holds(
        "So beginning one letter earlier saves one letter on the share $p$ of words that are already right",
        "costs $c$ letters on the others",
        "It pays as long as $c$ is below $p/(1 - p)$, the break-even",
    )
    shares = [right[0].mean() for _, right in trials]
    for begin, p in enumerate(shares):
        for cost in (0.9 * p / (1 - p), 1.1 * p / (1 - p)):
            assert (letters_saved(begin, cost) > letters_saved(begin + 1, cost)) == (cost < p / (1 - p))
    holds("The break-even rises, so begin at the first row in which it exceeds $c$.")
    assert shares == sorted(shares)
    for cost in (0.1, 0.5, 1, 2):
        values = [letters_saved(begin, cost) for begin in (0, 1, 2, 3, 99)]
        assert values.index(max(values)) == next(k for k, p in enumerate(shares) if p / (1 - p) > cost)
    holds("because 1 lies between 0.71 (0.61 to 0.80) and 1.49 (1.32 to 1.64)")
    for (family, right), said in zip(trials[1:3], (["0.71", "0.61", "0.80"], ["1.49", "1.32", "1.64"]), strict=True):
        pays = np.array(bootstrap(np.mean, right[0], groups=family, rng=0)[:3])
        assert [f"{value:.2f}" for value in pays / (1 - pays)] == said


@section("On real data")
def test_new_families(alphabet, bigram, learn, log_probs, logs_of, names, probability):
    """The split by first words, written anew: nothing that was learned on the other split is used."""
    firsts = Counter(name.split()[0] for name in names)

    def drawn(seed):
        order, held, total = sorted(firsts), set(), 0
        np.random.default_rng(seed).shuffle(order)
        for first in order:
            if total < 1000:
                held.add(first)
                total += firsts[first]
        train, test = ([name for name in names if (name.split()[0] in held) == side] for side in (False, True))
        counts = Counter(" ".join(train).split())
        known = {word for word, count in counts.items() if count > 1}
        cut = {name: [word if word in known else "?" for word in name.split()] for name in names}
        letters, words = bigram(train, 28), bigram([cut[name] for name in train], len(known) + 2)
        seen, size = learn(train, 4), np.array([len(name) + 1 for name in test])
        spelled = [sum(sum(logs_of(letters, w)) for w in name.split() if w not in known) for name in test]
        bits_b = np.array([-sum(logs_of(words, cut[n])) - s for n, s in zip(test, spelled, strict=True)])
        bits_a = np.array([-sum(log_probs(name, 4, seen)) for name in test])
        return test, counts, known, cut, words, seen, size, bits_a, bits_b

    test, counts, known, cut, words, seen, size, bits_a, bits_b = drawn(1)
    holds("If we set whole families aside for the test, 1,000 names in all")
    assert len(test) == 1000
    others = [np.sum(a - b) / np.sum(n) for *_, n, a, b in map(drawn, range(2, 12))]
    holds("Ten other draws of families give leads from -0.04 to 0.11, so there the bits do not decide.")
    assert [round(end, 2) for end in (min(others), max(others))] == [-0.04, 0.11] and len(others) == 10
    families = [name.split()[0] for name in test]
    lead = bootstrap(lambda s, n: s.sum() / n.sum(), bits_a - bits_b, size, groups=families, rng=0)
    holds("shrinks to 0.028, with an interval from a loss of 0.061 to a gain of 0.118")
    assert np.round(lead[:3], 3).tolist() == [0.028, -0.061, 0.118]
    guesses = {}

    def b(last, typed):
        if (last, typed) not in guesses:
            fits = [w for w in sorted(known) if w.startswith(typed)]
            guesses[last, typed] = max(fits, key=lambda w: words(w, last), default="")
        return guesses[last, typed]

    def common(typed):
        return max((w for w in sorted(known) if w.startswith(typed)), key=counts.get, default="")

    following = {}

    def a(before, typed):
        while len(typed) < 20:
            context = ("^^^^" + before + typed)[-4:]
            if context not in following:
                following[context] = max(alphabet + "$", key=lambda t: probability(t, tuple(context), seen))
            if following[context] in " $":
                break
            typed += following[context]
        return typed

    rows = {1: [], 2: [], 3: []}
    for name in test:
        whole = name.split()
        for i, word in enumerate(whole):
            last, before = cut[name][i - 1] if i else "^", " ".join([*whole[:i], ""])
            for typed in rows:
                if len(word) > typed:
                    start = word[:typed]
                    right = b(last, start) == word, a(before, start) == word, common(start) == word
                    rows[typed].append((whole[0], *map(float, right)))
    family, of_b, of_a, _ = map(np.array, zip(*rows[1], strict=True))
    holds("because after one letter B completes 26% and A 18%, a lead of 8.2 points (6.2 to 10.2)")
    assert [f"{right.mean():.0%}" for right in (of_b, of_a)] == ["26%", "18%"]
    found = paired_difference(of_b, of_a, groups=family, rng=0)[:3]
    assert [f"{100 * value:.1f}" for value in found] == ["8.2", "6.2", "10.2"]
    holds(
        "the break-evens fall to 0.36 after one letter (0.30 to 0.41), 0.74 after two (0.65 to 0.82)",
        "and 1.56 after three (1.26 to 1.91), so that a box whose wrong proposals cost one letter begins after three",
    )
    fallen = ["0.36", "0.30", "0.41"], ["0.74", "0.65", "0.82"], ["1.56", "1.26", "1.91"]
    for typed, said in zip(rows, fallen, strict=True):
        family, right, *_ = map(np.array, zip(*rows[typed], strict=True))
        pays = np.array(bootstrap(np.mean, right, groups=family, rng=0)[:3])
        assert [f"{value:.2f}" for value in pays / (1 - pays)] == said
    holds(
        "because B's lead over A is 3.3 points, with an interval from a loss of 0.2 to a gain of 6.8",
        "and B trails the list by 0.4, with an interval from a loss of 3.4 to a gain of 2.5",
    )
    family, of_b, *rivals = map(np.array, zip(*rows[3], strict=True))
    for rival, said in zip(rivals, (["3.3", "-0.2", "6.8"], ["-0.4", "-3.4", "2.5"]), strict=True):
        against = paired_difference(of_b, rival, groups=family, rng=0)[:3]
        assert [f"{100 * value:.1f}" for value in against] == said


@section("Try it")
def test_try_it(empty, logs, logs_b):
    proved("B's 10 bits per word are shared by 5.5 characters.")
    assert math.log2(1024) == 10 and round(10 / 5.5, 2) == 1.82 and math.log2(4) == 2
    holds("B is better, because it needs fewer bits per character")
    assert math.log2(sentence_perplexity([1 / 1024])) / 5.5 < math.log2(sentence_perplexity([1 / 4]))
    holds("Replace each word by", "On the 1,000 test names, the bigram then gets")
    assert corpus_perplexity(logs, base=2) < 2 and len(logs) == 1000
    holds("Compare two perplexities only on the same text, in the same tokens, with the same vocabulary.")
    assert corpus_perplexity(logs, base=2) < corpus_perplexity(logs_b, base=2)


@section("Further")
def test_take_aways():
    unchecked("print a formula for each of the four senses", "the chapter works them")
    unchecked("computes the perplexity of GPT-2 with several strides", "read there")
