"""Files of judgements and results, a million lines with their reading, beside ir_measures and pytrec_eval."""

import tempfile
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks import Candidate, Case
from metrics_lib import trec

MEASURES = ["nDCG@10", "AP", "P@10", "P(rel=2)@5", "R@100", "RR", "Success@1", "Rprec", "Judged@10"]
OF_TREC_EVAL = {"nDCG@10": "ndcg_cut.10", "AP": "map", "P@10": "P.10", "R@100": "recall.100", "RR": "recip_rank"}
N_QUERIES, DEPTH, N_JUDGED = 1000, 1000, 50


def cases() -> Iterator[Case]:
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder, "qrels.txt"), Path(folder, "run.txt")
        write(*paths)
        for work, measures, wanted in (("nine measures", MEASURES, 1.5), ("ERR@20", ["ERR@20"], 3)):
            peers: dict[str, Candidate] = {}
            if find_spec("ir_measures"):
                peers["ir_measures"] = partial(by_ir_measures, *paths, measures)
            yield Case(
                f"trec {work}, 1e6 lines read",
                partial(trec.evaluate, *paths, measures),
                peers,
                {"read_run": partial(trec.read_run, paths[1])},
                {"ir_measures": wanted},
            )
        if find_spec("pytrec_eval"):
            yield Case(
                "trec five measures, 1e6 lines read",
                partial(trec.evaluate, *paths, list(OF_TREC_EVAL)),
                {"pytrec_eval": partial(by_pytrec_eval, *paths)},
                wanted={"pytrec_eval": 0.4},  # at most 2.5 times its time
            )


def write(qrels: Path, run: Path) -> None:
    """A thousand results of a thousand queries; of each query fifty judged documents, of which half are returned."""
    rng = np.random.default_rng(0)
    with qrels.open("w") as judged, run.open("w") as returned:
        for query in range(1, N_QUERIES + 1):
            names = [f"doc-{number:07d}" for number in rng.choice(10**7, DEPTH + N_JUDGED // 2, replace=False)]
            scores = np.sort(rng.normal(12, 3, DEPTH).round(6))[::-1].tolist()
            returned.writelines(
                f"{query} Q0 {name} {rank} {score} run\n"
                for rank, (name, score) in enumerate(zip(names[:DEPTH], scores, strict=True), 1)
            )
            found = np.append(rng.choice(DEPTH, N_JUDGED // 2, replace=False), np.arange(DEPTH, len(names)))
            judged.writelines(f"{query} 0 {names[place]} {rng.integers(0, 5)}\n" for place in found)


def by_ir_measures(qrels: Path, run: Path, measures: list[str]) -> object:
    import ir_measures

    parsed = [ir_measures.parse_measure(name) for name in measures]
    files = ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
    return list(ir_measures.iter_calc(parsed, *files))


def by_pytrec_eval(qrels: Path, run: Path) -> object:
    import pytrec_eval

    with qrels.open() as judged, run.open() as returned:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(judged), set(OF_TREC_EVAL.values()))
        return evaluator.evaluate(pytrec_eval.parse_run(returned))
