"""Make the run of the lesson on answers: which metric cards two retrievers return for the questions of this book.

Reads the registries of the book as they are, so that a later run gives another file: the one of the lesson was made
from the questions and cards of November 2026.
"""

import csv
import math
import re
from collections import Counter
from pathlib import Path

import yaml

DATA = Path(__file__).resolve().parents[2] / "book" / "data"
CASES = DATA.parent / "lessons" / "cases"
FIELDS = "symbols", "direction", "needs", "blind_to", "use_when", "do_not_use_when"
TOP = 5


def flat(value):
    """The words of a field, which may be a list or missing."""
    return " ".join(map(flat, value)) if isinstance(value, list) else str(value or "")


def words(text):
    """Its words in small letters, without the places of numbers."""
    return re.findall(r"[a-z]+", re.sub(r"<<[^>]*>>", " ", text.lower()))


def pieces(text):
    """Its runs of four letters or blanks."""
    line = f" {' '.join(words(text))} "
    return Counter(line[i : i + 4] for i in range(len(line) - 3))


def bm25(texts, query, k1=1.2, b=0.75):
    """The score of each text for the words of a query."""
    length = sum(text.total() for text in texts) / len(texts)
    scores = []
    for text in texts:
        score = 0.0
        for word in sorted(set(query)):
            n = sum(word in other for other in texts)
            idf = math.log(1 + (len(texts) - n + 0.5) / (n + 0.5))
            score += idf * text[word] * (k1 + 1) / (text[word] + k1 * (1 - b + b * text.total() / length))
        scores.append(score)
    return scores


def cosine(texts, query):
    """The same for pieces, by their weighted counts."""
    found = Counter(piece for text in texts for piece in text)

    def weighted(counts):
        weights = {
            piece: (1 + math.log(n)) * math.log(len(texts) / found[piece])
            for piece, n in counts.items()
            if piece in found
        }
        norm = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
        return {piece: weight / norm for piece, weight in weights.items()}

    asked = weighted(query)
    return [sum(weight * asked.get(piece, 0.0) for piece, weight in weighted(text).items()) for text in texts]


def main() -> None:
    cards = yaml.safe_load((DATA / "cards.yml").read_text(encoding="utf-8"))
    ids = [card["id"] for card in cards]
    of_card = [
        " ".join(
            [*[f"{card['id'].replace('-', ' ')} {card['name']}"] * 3, *(flat(card.get(field)) for field in FIELDS)]
        )
        for card in cards
    ]
    by_words, by_pieces = [Counter(words(text)) for text in of_card], [pieces(text) for text in of_card]
    head = ["question", "topic", "relevant"]
    head += [f"{engine}{rank}" for engine in ("words", "pieces") for rank in range(1, TOP + 1)]
    rows = []
    for path in sorted((DATA / "questions").glob("*.yml")):
        for question in yaml.safe_load(path.read_text(encoding="utf-8")):
            row = [question["id"], path.stem[3:], " ".join(question["metrics"])]
            scores = bm25(by_words, words(question["question"])), cosine(by_pieces, pieces(question["question"]))
            for of_engine in scores:
                row += [ids[i] for i in sorted(range(len(ids)), key=lambda i: -of_engine[i])[:TOP]]
            rows.append([*row, *(round(max(of_engine), 4) for of_engine in scores)])
    with (CASES / "own-questions.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([[*head, "words_score", "pieces_score"], *rows])


if __name__ == "__main__":
    main()
