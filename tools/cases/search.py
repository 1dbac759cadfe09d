"""Make the search of the lessons: what a search engine answered to questions, and how good the answers were judged.

Needs a copy of trec_eval's repository, whose folder of tests is to be named:
``python tools/cases/search.py trec_eval/test``.
"""

import sys
from pathlib import Path

import pandas as pd

CASES = Path(__file__).resolve().parents[1] / "book" / "lessons" / "cases"


def main() -> None:
    folder = Path(sys.argv[1])
    run = pd.read_csv(
        folder / "results.comment.test", sep=r"\s+", names=["query", "_", "passage", "rank", "score", "name"]
    )
    judged = pd.read_csv(
        folder / "qrels.comment.test", sep=r"\s+", names=["query", "_", "passage", "grade"], usecols=range(4)
    )
    columns = ["query", "passage"]
    table = run[run["query"].isin(judged["query"])][[*columns, "score"]].merge(
        judged[[*columns, "grade"]], on=columns, how="outer"
    )
    table["score"] = table.score.round(6)
    pages = table.passage.str.partition("#")[0]
    table["page"] = pages.factorize(sort=True)[0] + 1
    table["passage"] = table.passage.factorize(sort=True)[0] + 1
    table["query"] = table["query"].factorize(sort=True)[0] + 1
    table["grade"] = table.grade.astype("Int64")
    table = table.sort_values(["query", "score", "passage"], ascending=[True, False, True])
    table[["query", "page", "passage", "score", "grade"]].to_csv(CASES / "search.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
