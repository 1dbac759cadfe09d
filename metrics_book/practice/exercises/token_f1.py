"""Token F1 of an answer, as SQuAD computes it."""

import re
import string
from collections import Counter

import numpy as np

from metrics_book.practice._exercise import Approach, Array, Exercise


def token_f1_by_counter(output: str, references: Array) -> float:
    def tokens(text: str) -> list[str]:
        text = "".join(c for c in text.lower() if c not in string.punctuation)
        return re.sub(r"\b(a|an|the)\b", " ", text).split()

    def f1(out: list[str], ref: list[str]) -> float:
        if not out or not ref:
            return float(out == ref)
        common = sum((Counter(out) & Counter(ref)).values())
        return 2 * common / (len(out) + len(ref))

    return max(f1(tokens(output), tokens(str(reference))) for reference in references)


def token_f1_by_sorting(output: str, references: Array) -> float:
    def tokens(text: str) -> list[str]:
        text = text.lower().translate(str.maketrans("", "", string.punctuation))
        return sorted(t for t in text.split() if t not in ("a", "an", "the"))

    best, out = 0.0, tokens(output)
    for ref in (tokens(str(reference)) for reference in references):
        common = i = j = 0
        while i < len(out) and j < len(ref):
            common += out[i] == ref[j]
            i, j = i + (out[i] <= ref[j]), j + (out[i] >= ref[j])
        best = max(best, 2 * common / (len(out) + len(ref)) if out or ref else 1.0)
    return best


WORDS = ["cat", "Cat", "cat,", "dog", "the", "The", "a", "an", "mat-top", "mattop", "(sat)", "ory", "theory", "!", "€"]


def draw_texts(rng: np.random.Generator, n: int) -> tuple[str, Array]:
    """Few words that repeat; for the cost, many different ones."""
    if n >= 100:
        out, ref = (" ".join(f"w{number}" for number in rng.permutation(n)) for _ in range(2))
        return out, np.array([ref])
    chosen = rng.choice(WORDS, int(rng.integers(2, 9)))
    texts = [" ".join(rng.choice(chosen, int(rng.integers(1, n + 1)))) for _ in range(1 + int(rng.integers(1, 4)))]
    return texts[0], np.array(texts[1:])


DIVIDED, CUT, EMPTY = "2 * common / (len(out) + len(ref))", r'r"\b(a|an|the)\b"', "return float(out == ref)"
CHARS, LAST = '"".join(c for c in text.lower() if c not in string.punctuation)', f're.sub({CUT}, " ", text).split()'
SAME = "sum((Counter(out) & Counter(ref)).values())"


def edit(old: str, *new: str) -> tuple[str, ...]:
    return tuple(f"{old} -> {one}" for one in new)


TOKEN_F1 = Exercise(
    name="token_f1",
    title="token F1 of an answer (词元 F1 值)",
    parameters="output, references",
    task=(
        "output is a text, the answer of a system; references holds one or more texts, each of them a right answer.",
        "Tokens, as SQuAD makes them, in this order: put the text in lower case; delete each of the characters in "
        "string.punctuation, leaving no blank in its place; leave out the words a, an and the; split at white space.",
        "F1 = 2 c / (tokens of output + tokens of the reference), where c counts the tokens they share, in any order. "
        "A token that occurs several times is shared as often as it occurs in both.",
        "If neither text has a token left, their F1 is 1; if only one has none, it is 0.",
        "Return one number: the F1 of the best reference.",
    ),
    right=token_f1_by_counter,
    draw=draw_texts,
    cases=(
        ("two of three", ("red cat", ["red cat sleeps"]), "c is 2: 4/5."),
        ("another order", ("Paris in France", ["France in Paris"]), "The order of the tokens does not count."),
        ("a word repeated", ("no no no", ["no no"]), "Shared twice, not once and not three times: 4/5."),
        ("capitals", ("PARIS", ["Paris"]), "Lower case first."),
        ("punctuation", ("Paris, France.", ["paris france"]), "Deleted, whether a blank follows or not."),
        ("a hyphen", ("well-known", ["well known", "wellknown by"]), "wellknown is one token: 2/3."),
        ("a sign outside string.punctuation", ("5 €", ["5"]), "€ stays, as a token of its own: 2/3."),
        ("articles", ("the answer is an apple", ["answer is a apple"]), "The same three tokens are left."),
        ("a capital article", ("The end", ["end of day"]), "It goes as well, after lower case: 1/2."),
        ("an article in brackets", ("(the) end", ["end"]), "Punctuation is deleted before articles are sought."),
        ("an article inside a word", ("theory", ["ory"]), "Only whole words are left out: 0."),
        ("an article with a hyphen", ("a-team", ["ateam"]), "One word, ateam; a was no word in it."),
        ("the best is the second", ("blue whale", ["whale shark", "blue whale", "fish"]), "The best counts, here 1."),
        ("nothing left on either side", ("The.", ["a", "cat"]), "Both are empty: 1, and not 0/0."),
        ("nothing left on one side", ("...", ["cat"]), "0, and not 0/0."),
    ),
    hints=(
        "Write one function from a text to its list of tokens, and use it for both sides. string.punctuation is 32 "
        "characters of ASCII.",
        "Counter(out) & Counter(ref), from collections, keeps the smaller count of each token. A set forgets counts.",
        "Take care of empty lists before you divide, and take the maximum over the references last.",
    ),
    approaches=(
        Approach(
            token_f1_by_counter,
            "The steps of SQuAD's script; the intersection of two counters is what the texts share.",
            "O(characters) time and memory for each reference",
            "tokens are cut at blanks: a Chinese sentence is one token, so its F1 is 0 or 1",
        ),
        Approach(
            token_f1_by_sorting,
            "Sort both lists of tokens and walk along them together.",
            "O(t log t) time for t tokens",
            "SQuAD's regular expression finds the article in a€, a list of words does not",
        ),
    ),
    mistakes={
        "the tokens are taken as sets; a token counts as often as both texts have it.": (
            f"{SAME} -> len({{*out}} & {{*ref}}) ;; (len(out) + len(ref)) -> (len({{*out}}) + len({{*ref}}))",
        ),
        "a shared token counts once, while all tokens are in the divisor.": edit(SAME, "len({*out} & {*ref})"),
        "a token is shared each time it occurs in one text; take the smaller of its two counts.": edit(
            SAME, "sum(token in ref for token in out)", "sum(token in out for token in ref)"
        ),
        "tokens are shared only at the same place; any order will do.": edit(SAME, "sum(map(str.__eq__, out, ref))"),
        "capitals are kept; put both texts in lower case.": edit("text.lower()", "text"),
        "articles are sought before lower case: The stays.": ("text.lower() -> text ;; text).sp -> text).lower().sp",),
        "punctuation is kept; delete it.": edit(CHARS, "text.lower()"),
        "punctuation becomes a blank; delete it and leave none.": edit(
            CHARS,
            '"".join(" " if c in string.punctuation else c for c in text.lower())',
            r're.sub(r"[^\w\s]", " ", text.lower())',
        ),
        "all signs are deleted; only the characters of string.punctuation are.": edit(
            CHARS, r're.sub(r"[^\w\s]", "", text.lower())', r're.sub(r"[^a-z0-9\s]", "", text.lower())'
        ),
        "punctuation is deleted at the ends of a word alone; delete it inside as well.": edit(
            CHARS, '" ".join(t.strip(string.punctuation) for t in text.lower().split())'
        ),
        "articles are kept; leave out a, an and the.": edit(CUT, "'(?!)'"),
        "the is left out, but a or an is kept.": edit(CUT, r'r"\bthe\b"', r'r"\b(a|the)\b"'),
        "articles are cut out of words; leave out whole words.": edit(CUT, '"a|an|the"', '"the"'),
        "articles go before punctuation does: the a of a-team is no word of its own afterwards.": (
            f'{LAST} -> text.split() ;; text.lower() -> re.sub({CUT}, " ", text.lower())',
            f"{LAST} -> text.split() ;; text.lower() -> "
            '" ".join(t for t in text.lower().split() if t not in ("a", "an", "the"))',
        ),
        "the text is split at each blank, so empty tokens count; split() makes none.": edit(
            "text).split()", "text).split(' ')"
        ),
        "only the first reference counts; take the best.": ("begin: references = references[:1]",),
        "only the last reference counts; take the best.": ("begin: references = references[-1:]",),
        "this is the mean over the references; take the best.": edit(
            "return max(", "return 1 / len(references) * sum("
        ),
        "this is the worst reference; take the best.": edit("return max(", "return min("),
        "the references are put together into one; take the best.": ('begin: references = [" ".join(references)]',),
        "this is recall, c / tokens of the reference.": edit(DIVIDED, "common / len(ref)"),
        "this is precision, c / tokens of output.": edit(DIVIDED, "common / len(out)"),
        "this is the mean of precision and recall; F1 is their harmonic mean.": edit(
            DIVIDED, "(common / len(out) + common / len(ref)) / 2"
        ),
        "this is the Jaccard index, shared over all.": edit(DIVIDED, "common / (len(out) + len(ref) - common)"),
        "this is an exact match; a part of an answer earns a part.": edit(DIVIDED, "float(out == ref)"),
        "two empty texts count 0; they are equal, so 1.": edit(EMPTY, "return 0.0"),
        "an empty text counts 1 against any other; only two empty ones do.": edit(EMPTY, "return 1.0"),
        "an empty text makes 0/0; say what it is worth before you divide.": edit(
            EMPTY, "return 2 * 0 / len(out + ref)", "return np.nan"
        ),
    },
)
