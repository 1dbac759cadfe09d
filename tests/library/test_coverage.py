"""The figures of ``benchmarks/coverage.py``: its laws, its shortcuts, and a part of the table computed anew."""

import csv

import numpy as np
import pytest

from benchmarks.coverage import FILE, HEAD, SETS, STUDIES, average_precision, called, f1, intervals, ordered, sets
from metrics_lib import average_precision_score, f1_score

with FILE.open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
STUDY = {study.measure: study for study in STUDIES}
BY_FORMULA = [row for row in ROWS if row["formula"]]
FEW = [row for row in ROWS if row["measure"] in ("AUC", "click rate by users") and row["n"] == "20"]
MEANS = [row for row in ROWS if row["measure"] in ("mean reciprocal rank", "accuracy") and row["n"] == "20"]


def name(row):
    return f"{row['measure']}, {row['n']}"


def share(study, ends):
    """As the table counts: an interval that could not be had is one of nan, and holds nothing."""
    ends = np.array(ends)
    return np.mean((ends[:, 0] - 1e-12 <= study.truth) & (study.truth <= ends[:, 1] + 1e-12))


def test_the_table_has_every_study_and_size():
    assert tuple(ROWS[0]) == HEAD
    assert [(row["measure"], int(row["n"])) for row in ROWS] == [(s.measure, n) for s in STUDIES for n in s.sizes]
    assert all(float(row["truth"]) == pytest.approx(STUDY[row["measure"]].truth, abs=1e-6) for row in ROWS)
    assert SETS >= 2000


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.measure)
def test_the_truth_is_the_metric_of_a_large_set(study):
    arrays = study.draw(np.random.default_rng(1), 200_000)
    columns = arrays[:1] if study.measure.startswith("click rate") else arrays
    assert study.metric(*columns) == pytest.approx(study.truth, abs=0.005)


def test_the_shortcuts_are_the_metrics_of_the_library():
    rng = np.random.default_rng(2)
    for n in (20, 50):
        y, place = ordered(rng, n)
        truth, prediction = called(rng, n)
        for _ in range(50):
            rows = rng.integers(n, size=n)
            if y[rows].any():
                expected = average_precision_score(y[rows].astype(int), -place[rows])
                assert average_precision(y[rows], place[rows]) == pytest.approx(expected, abs=1e-12)
            if truth[rows].any():
                assert f1(truth[rows], prediction[rows]) == f1_score(truth[rows], prediction[rows])


@pytest.mark.parametrize("row", BY_FORMULA, ids=name)
@pytest.mark.filterwarnings("ignore::metrics_lib.UndefinedMetricWarning")
def test_the_shares_of_formulas_are_computed_anew(row):
    study = STUDY[row["measure"]]
    assert share(study, [study.formula(*arrays) for arrays, _ in sets(study, int(row["n"]))]) == float(row["formula"])


@pytest.mark.parametrize("row", MEANS, ids=name)
def test_the_shares_of_percentiles_are_those_of_other_draws(row):
    study, rng = STUDY[row["measure"]], np.random.default_rng(3)
    ends = []
    for (values,), _ in sets(study, 20):
        ends.append(np.quantile(values[rng.integers(20, size=(999, 20))].mean(axis=1), [0.025, 0.975]))
    assert share(study, ends) == pytest.approx(float(row["percentile"]), abs=0.015)


@pytest.mark.parametrize("row", FEW, ids=name)
@pytest.mark.filterwarnings("ignore")
def test_some_of_the_sets_come_out_as_all_of_them(row):
    study = STUDY[row["measure"]]
    first = share(study, [intervals(study, *one)[0] for one in sets(study, 20, 100)])
    assert first == pytest.approx(float(row["percentile"]), abs=0.1)
