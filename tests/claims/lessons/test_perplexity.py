"""What book/lessons/perplexity.ipynb says, held."""

import math

import numpy as np

from metrics_lib import corpus_perplexity, cross_entropy, model_perplexity, perplexity, sentence_perplexity
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-perplexity")
def test_the_opening(axes, by_character, by_word, logs_a, logs_b, name, test, train):
    holds("On 1,000 names that neither has seen, A has a perplexity of 11.9 and B one of 793")
    assert len(test) == 1000 and not set(test) & set(train)
    assert round(corpus_perplexity(logs_a, base=2), 1) == 11.9 and round(corpus_perplexity(logs_b, base=2)) == 793
    holds("as if A chose among 12 equally likely characters each time, and B among 793 words")
    assert round(corpus_perplexity(logs_a, base=2)) == 12
    holds("sixteen narrow bars of unlike height, around three bits")
    assert len(axes[0].patches) == 16 == len(set(by_character(name))) and 3 < -by_character(name).mean() < 3.5
    holds("four bars, wide and low")
    assert len(axes[1].patches) == 4 and axes[1].patches[0].get_width() == 8
    holds("A, 16 tokens, 52.0 bits, perplexity 9.5; B, 4 tokens, 23.8 bits, perplexity 62")
    parts = [f"{len(x)} {-x.sum():.1f} {model_perplexity(x, base=2):.2g}" for x in (by_character(name), by_word(name))]
    assert parts == ["16 52.0 9.5", "4 23.8 62"] and name in test
    holds("it needs 23.8 bits, and A 52.0: B finds the name far less surprising")
    assert by_word(name).sum() > by_character(name).sum() + 20
    proved("five characters on average: one guess among hundreds costs less than five among twelve")
    assert round(sum(len(x) for x in logs_a) / sum(len(x) for x in logs_b)) == 5
    assert math.log2(793) < 5 * math.log2(12)
    holds("A needs 3.57 bits and B 1.83")
    characters = sum(len(one) + 1 for one in test)
    assert [f"{-sum(x.sum() for x in logs) / characters:.2f}" for logs in (logs_a, logs_b)] == ["3.57", "1.83"]


@section("In one line")
def test_in_one_line():
    holds("`sentence_perplexity([1/2, 1/4, 1/8, 1/64])` is 8: lower is better, and 1 is perfect.")
    assert math.isclose(sentence_perplexity([1 / 2, 1 / 4, 1 / 8, 1 / 64]), 8) and sentence_perplexity([1, 1, 1]) == 1
    assert sentence_perplexity([1 / 2, 1 / 4, 1 / 8, 1 / 4]) < 8


@section("lesson-perplexity-hand")
def test_by_hand(ALPHABET, bag, forecast, logs_a, test, train, values):
    holds("is four tokens, three letters and the end")
    assert len(bag) == 4 == len("bag") + 1 and math.isclose(math.prod(bag), 1 / 4096)
    assert np.log2(1 / bag).tolist() == [1, 2, 3, 6] and np.log2(1 / bag).sum() == 12
    holds("12 bits on 4 tokens are 3 bits a token, and $2^3 = 8$.")
    assert 12 / 4 == 3 and math.isclose(sentence_perplexity(bag), 2**3)
    holds("One bit less a token halves a perplexity.")
    for less in logs_a[:50]:
        assert math.isclose(model_perplexity(less - 1, base=2) / 2, model_perplexity(less, base=2))
    holds("A counted in 1,712 names how often each character followed each other one.")
    assert len(train) == 1712
    holds("Four senses, one model", "Of it one can ask four perplexities; each has a function")
    own_forecast = perplexity([forecast(token) for token in ALPHABET + "$"])
    values_of_four = [own_forecast, *values]
    assert np.round(values_of_four, 1).tolist() == [10.8, 11.1, 9.5, 11.9] and len(values_of_four) == 4
    holds("it says how unsure a forecast is, not how good")
    assert perplexity([0.9, 0.1]) < perplexity([0.5, 0.5])
    assert model_perplexity(np.log([0.1] * 9 + [0.9])) > model_perplexity(np.log([0.5] * 10))
    holds("A long name of $n_k$ tokens weighs more in the last than a short one.")
    tokens_of = np.array([len(logs) for logs in logs_a])
    own = np.array([model_perplexity(logs, base=2) for logs in logs_a])
    assert math.isclose(np.exp(tokens_of @ np.log(own) / tokens_of.sum()), values[-1])
    assert len(set(tokens_of)) > 1 and len(test) == 1000


@section("lesson-perplexity-scale")
def test_how_good_is_12(ALPHABET, bag, counts_a, memories, new, probability, seen_before):
    holds("How good is 12?")
    assert round(new[1]) == 12
    holds("remember none to six characters")
    assert list(memories) == [0, 1, 2, 3, 4, 5, 6]
    holds("Two lines fall together from about 20 to about 12 at memory 1.")
    for line in (seen_before, new):
        assert np.allclose(line[:2], [20, 12], atol=0.4)
    holds("falls on to 1.6")
    assert round(seen_before[-1], 1) == 1.6
    holds("to 3.9 at memory 4, from where it rises to 4.2")
    assert round(new[4], 1) == 3.9 and round(new[6], 1) == 4.2
    holds("On the names of its training a longer memory looks better and better")
    assert seen_before == sorted(seen_before, reverse=True)
    holds("only new text counts")
    assert min(new) == new[4] and new[4:] == sorted(new[4:])
    holds("28 for letters, space and end")
    assert len(ALPHABET + "$") == 28 and math.isclose(sentence_perplexity([1 / 28] * 5), 28)
    holds("one token that the model calls impossible")
    assert sentence_perplexity([*bag, 0]) == math.inf
    holds("on what is itself drawn at random no model stays below $2^{H(p)}$ in the long run")
    for belief in np.random.default_rng(0).dirichlet(np.ones(4), 200):
        assert 2 ** cross_entropy([1 / 2, 1 / 4, 1 / 8, 1 / 8], belief) >= perplexity([1 / 2, 1 / 4, 1 / 8, 1 / 8])
    holds("**Worst** is infinite")
    assert model_perplexity([-1, -math.inf], base=2) == math.inf
    holds("shared out over all tokens as after a shorter memory, so that nothing is impossible.")
    for one_before in "tq^":
        shares = [probability(token, (one_before,), counts_a, 28) for token in ALPHABET + "$"]
        assert math.isclose(sum(shares), 1) and min(shares) > 0


@section("What it cannot see")
def test_what_it_cannot_see(steady, wrong_dose):
    holds("Two models read 'take two pills daily'")
    order = ["take", "two", "pills", "daily"]
    assert len([steady, wrong_dose]) == 2 and len(order) == len(steady) == len(wrong_dose)
    holds("One hesitates at each word; the other would have written another number of pills.")
    assert len(set(steady)) == 1 and wrong_dose.index(min(wrong_dose)) == order.index("two")
    holds("Both have a perplexity of 2.")
    assert math.isclose(sentence_perplexity(steady), 2) and math.isclose(sentence_perplexity(wrong_dose), 2)


@section("lesson-perplexity-choices")
def test_the_choices(ALPHABET, bag, by_character, counts_b, cut, forecast, known, log_probs, test, two_texts):
    own_bag = [sentence_perplexity(bag), sentence_perplexity(bag) ** (4 / 3), sentence_perplexity(bag[:3])]
    assert np.allclose(own_bag, [8, 16, 4])
    holds("a second text, one letter and its end, has 12 bits on 2")
    assert [(sum(text), len(text)) for text in two_texts] == [(-12, 4), (-12, 2)]
    pooled = corpus_perplexity(two_texts, base=2)
    mean = corpus_perplexity(two_texts, base=2, average="per_sentence")
    assert np.allclose([pooled, mean, math.sqrt(8 * 64)], [16, 36, 22.6], atol=0.03)
    assert f"{corpus_perplexity(two_texts):.1f}" == "54.6"
    holds("mean of the two perplexities")
    assert np.isclose(mean, np.mean([2 ** (12 / 4), 2 ** (12 / 2)]))
    holds("A model that does not guess the end has no probability for a text, only for its beginning.")
    assert math.isclose(sum(forecast(token, "^") for token in ALPHABET + "$"), 1)
    holds("The start of a text is not counted")
    assert len(by_character("bag")) == 4
    holds("On four words 12 bits are a perplexity of 8 a word, on twelve characters of 2 a character.")
    assert math.isclose(model_perplexity([-12 / 4] * 4, base=2), 8)
    assert math.isclose(model_perplexity([-12 / 12] * 12, base=2), 2)
    holds("the 806 words that it met more than once, and spells the others, 15 % in the new names, with A's help")
    words = [word for one in test for word in one.split()]
    assert len(known) == 806 and f"{np.mean([word not in known for word in words]):.0%}" == "15%"
    holds("Without the spelling its perplexity would be 66.7 in place of 793.")
    unspelled = [log_probs(cut(one), 1, counts_b, len(known) + 2) for one in test]
    assert round(corpus_perplexity(unspelled, base=2), 1) == 66.7


@section("On real data")
def test_on_real_data(
    bits_a, bits_b, bits_c, by_family, by_name, cut, families, logs_a, logs_b, logs_c, names, new, saved, size, test
):
    models = (logs_a, logs_c, logs_b)
    holds("2,712 different ones of letters and spaces, 1,000 of them kept for the test")
    assert len(names) == len(set(names)) == 2712 and len(test) == 1000
    holds("A with a memory of four, the best above, joins as model C")
    assert new.index(min(new)) == 4
    pooled = [corpus_perplexity(logs, base=2) for logs in models]
    own_mean = [corpus_perplexity(logs, base=2, average="per_sentence") for logs in models]
    assert [f"{value:.3g}" for value in pooled] == ["11.9", "3.9", "793"]
    assert [f"{value:.3g}" for value in own_mean[:2]] == ["12.2", "5.73"] and f"{own_mean[2]:,.0f}" == "86,656,902"
    per_character = [f"{bits.sum() / size.sum():.2f}" for bits in (bits_a, bits_c, bits_b)]
    assert per_character == ["3.57", "1.96", "1.83"]
    holds("The column of perplexities puts B last, bits per character put it first.")
    assert max(pooled) == pooled[2] and min(per_character) == per_character[2]
    holds("three words that B does not know, brings 98 % of it")
    of_names = np.array([model_perplexity(logs, base=2) for logs in logs_b])
    assert f"{of_names.max() / of_names.sum():.0%}" == "98%"
    largest = test[of_names.argmax()]
    assert largest == "paperweight childhood memories" and cut(largest) == ["?"] * 3
    holds("the character after four")
    assert all(len(logs) == len(one) + 1 for logs, one in zip(logs_c, test, strict=True))
    holds("B saves 0.132 bits a character, between 0.089 and 0.175 by families")
    assert np.round(by_family[:3], 3).tolist() == [0.132, 0.089, 0.175]
    holds("Names that begin with the same word are alike")
    own = np.unique(families, return_inverse=True)[1]
    shuffled = [np.random.default_rng(seed).permutation(own) for seed in range(200)]
    between = [(np.bincount(kin, saved / size) ** 2 / np.bincount(kin)).sum() for kin in (own, *shuffled)]
    assert between[0] > max(between[1:])
    assert by_family.high - by_family.low > 1.1 * (by_name.high - by_name.low)


@section("Try it")
def test_try_it(empty, logs_b):
    proved("B needs 1.82 bits for what costs A 2.")
    assert round(math.log2(1024) / 5.5, 2) == 1.82 and math.log2(4) == 2
    holds("whose perplexity on the 1,000 names is below 2")
    assert corpus_perplexity(empty, base=2) < 2 and len(empty) == 1000
    holds("Two perplexities may be compared on the same text")
    assert corpus_perplexity(empty, base=2) < corpus_perplexity(logs_b, base=2)


@section("What it cannot see")
def test_unchecked_what_it_cannot_see():
    unchecked("A fluent falsehood can be as probable as a fluent truth.", "what is true no probability says")
