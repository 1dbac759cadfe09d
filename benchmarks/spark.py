"""AUC on Spark: the largest task of each query, and its time beside Spark's own evaluator.

Run by hand, ``python -m benchmarks.spark [ROWS]``, with ten million rows if nothing else is said. It needs ``pip
install pyspark``, a Java (``apt-get install default-jre-headless``), 4 GB of memory and some minutes.
Seconds are those of the processor in all tasks of one run, without collecting garbage. The largest task is told by the
rows it reads, as a share of the log's.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from metrics_lib import sql

PARTITIONS = 16


def run(rows: int, folder: Path) -> dict[str, float]:
    """The value of the AUC by each way, and in the folder a log of every task."""
    from pyspark.ml.evaluation import BinaryClassificationEvaluator
    from pyspark.sql import SparkSession

    options = {
        "spark.driver.memory": "3g",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.rolling.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.sql.adaptive.enabled": "false",  # it merges partitions that are small, as they are on one machine
        "spark.sql.files.minPartitionNum": str(PARTITIONS),
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.ui.showConsoleProgress": "false",
    }
    (folder / "events").mkdir()
    session = SparkSession.builder.master("local[1]").config(map=options).getOrCreate()
    # A score is the chance of a 1, so the AUC is 5/6.
    drawn = session.range(0, rows, 1, PARTITIONS).selectExpr("RAND(1) AS score", "RAND(2) AS chance")
    drawn.selectExpr("score", "CAST(chance < score AS INT) AS label").write.parquet(str(folder / "log"))
    log = session.read.parquet(str(folder / "log"))
    log.createOrReplaceTempView("log")

    def query(text: str) -> Callable[[], float]:
        return lambda: float(session.sql(text).first()["value"])

    ways = {
        "buckets=1024": query(sql.roc_auc_score("log", buckets=1024)),
        "no buckets": query(sql.roc_auc_score("log")),
        "histogram": query(sql.roc_auc_bounds("log")),
    }
    for bins in (1000, 0):
        evaluator = BinaryClassificationEvaluator(rawPredictionCol="score", numBins=bins)
        ways[f"BinaryClassificationEvaluator, numBins={bins}"] = lambda evaluator=evaluator: evaluator.evaluate(log)
    values = {}
    for name, way in ways.items():
        session.sparkContext.setJobDescription(name)
        values[name] = way()
    session.stop()
    return values


def tasks(folder: Path) -> dict[str, list[tuple[float, int]]]:
    """Seconds and rows read of each task of each way."""
    (log,) = (path for path in (folder / "events").iterdir() if not path.name.startswith("."))
    names: dict[int, str] = {}
    found = defaultdict(list)
    for event in map(json.loads, log.read_text(encoding="utf-8").splitlines()):
        if event["Event"] == "SparkListenerJobStart" and "spark.job.description" in event["Properties"]:
            names |= dict.fromkeys(event["Stage IDs"], event["Properties"]["spark.job.description"])
        elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in names:
            metrics = event["Task Metrics"]
            read = metrics["Input Metrics"]["Records Read"] + metrics["Shuffle Read Metrics"]["Total Records Read"]
            found[names[event["Stage ID"]]].append((metrics["Executor CPU Time"] / 1e9, read))
    return found


def main(rows: int = 10**7) -> None:
    with TemporaryDirectory() as name:
        values, found = run(rows, Path(name)), tasks(Path(name))
    seconds = {way: sum(s for s, _ in found[way]) for way in values}
    print("| way | value | seconds | times those of buckets=1024 | largest task |")
    print("|---|---|---|---|---|")
    for way, value in values.items():
        share = max(read for _, read in found[way]) / rows
        ratio = seconds[way] / seconds["buckets=1024"]
        print(f"| {way} | {value:.12f} | {seconds[way]:.2f} | {ratio:.2f} | {share:.1%} |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
