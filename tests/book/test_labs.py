"""The registry of the labs: what each example says is true of the library's values."""

import re
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from book._ext.lab_values import VALUES, Drawn, read, scored
from metrics_lib import precision_recall_curve, roc_curve
from tests.book.chapter import Chapter
from tests.registries import ROOT, evaluate, load, twice

LABS = {record["id"]: record for record in load("labs")}
PRESETS = [(name, preset) for name, record in LABS.items() for preset in record["presets"]]


def test_the_labs_are_those_with_values_and_compare_these():
    assert LABS.keys() == VALUES.keys()
    for name, record in LABS.items():
        values = VALUES[name](record["presets"][0]["state"].split("~")[0])
        assert record["rows"].keys() <= values.keys()
        assert twice(preset[field] for preset in record["presets"] for field in ("id", "state", "title", "note")) == []


@pytest.mark.parametrize("name", LABS)
def test_every_word_of_a_lab_is_said(name):
    files = [ROOT / "book/_ext/labs.py", *(ROOT / f"book/_static/labs/{script}.js" for script in ("labs", name))]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    record = LABS[name]
    assert record["common"].keys() & record["words"].keys() == set()
    words = record["common"] | record["words"]
    assert [word for word in words if not re.search(rf"""words\.{word}\b|["']{word}["']""", text)] == []


@pytest.mark.parametrize(("name", "preset"), PRESETS, ids=[preset["id"] for _, preset in PRESETS])
def test_an_example_shows_what_it_says(name, preset):
    before, now = (SimpleNamespace(**VALUES[name](text)) for text in preset["state"].split("~"))
    assert [claim for claim in preset["claims"] if not evaluate(claim, {"before": before, "now": now})] == []


@pytest.mark.parametrize("name", LABS)
def test_what_is_no_state_is_refused(name):
    for text in ["", "x", "KJ.6.1", LABS[name]["presets"][0]["state"]]:
        with pytest.raises(ValueError, match="is no state of the lab"):
            read(name, text)


def test_the_curves_of_the_threshold_are_those_of_the_library():
    for preset in LABS["threshold"]["presets"]:
        for text in preset["state"].split("~"):
            values, (letters, _, weight, _) = VALUES["threshold"](text), read("threshold", text)
            y_true, y_score = scored(letters)
            weights = np.where(y_true, 1, int(weight))
            fpr, tpr, _ = roc_curve(y_true, y_score, sample_weight=weights, drop_intermediate=False)
            assert sorted({*map(tuple, values["roc"])}) == sorted({*zip(fpr.tolist(), tpr.tolist(), strict=True)})
            precision, recall, _ = precision_recall_curve(y_true, y_score, sample_weight=weights)
            called = {(r, p) for r, p in values["pr"] if not np.isnan(p)}
            assert called == {*zip(recall[:-1].tolist(), precision[:-1].tolist(), strict=True)}


def test_a_constant_for_each_user_never_changes_their_aucs_nor_gauc():
    (preset,) = (preset for preset in LABS["groups"]["presets"] if preset["id"] == "constant-shift")
    *users, own = preset["state"].split("~")[0].split(".")
    within = [name for name in LABS["groups"]["rows"] if name != "auc"]

    def shifts(letters):
        lowest, highest = min(letters.lower()), max(letters.lower())
        for by in range(ord("a") - ord(lowest), ord("u") - ord(highest) + 1, 3):
            yield "".join(chr(ord(letter) + by) for letter in letters)

    found = [VALUES["groups"](".".join([*shifted, own])) for shifted in product(*map(shifts, users))]
    assert [{values[name] for values in found} for name in within] == [{found[0][name]} for name in within]
    assert len({values["auc"] for values in found}) > 20


def test_micro_averages_are_the_accuracy_whatever_the_matrix():
    for cells in product(range(2), repeat=9):
        if any(cells):
            values = VALUES["averaging"](".".join("-".join(map(str, cells[row : row + 3])) for row in (0, 3, 6)))
            for name in ("micro_precision", "micro_recall", "micro_f1"):
                assert values[name] == pytest.approx(values["accuracy"], abs=1e-12)


def test_the_draws_are_those_of_mulberry32():
    def mulberry32(seed):
        while True:
            seed = (seed + 0x6D2B79F5) % 2**32
            x = (seed ^ seed >> 15) * (seed | 1) % 2**32
            x ^= (x + (x ^ x >> 7) * (x | 61)) % 2**32
            yield x ^ x >> 14

    for seed in (2, 3, 199):
        drawn, wanted = Drawn(seed, 1000), (number * 40 // 2**32 for number in mulberry32(seed))
        found = [*drawn.integers(40, size=1), *drawn.integers(40, size=999)]
        assert found == [next(wanted) for _ in range(1000)]
        assert set(found) == set(range(40))


def test_no_two_seeds_share_their_draws():
    # A seed begins somewhere on one circle of 2^32 numbers, and no two within the draws of one.
    begins = sorted(seed * pow(0x6D2B79F5, -1, 2**32) % 2**32 for seed in range(2, 200))
    assert min(after - before for before, after in pairwise(begins)) > 40 * 10_000


def test_systems_are_compared_on_the_same_queries_and_first_on_those_of_the_lesson():
    states = [
        [read("bootstrap", text) for text in preset["state"].split("~")] for preset in LABS["bootstrap"]["presets"]
    ]
    assert all(before[:2] == now[:2] and before[3] == now[3] for before, now in states)
    lesson = "\n".join(code.source for code in Chapter.read(ROOT / "book/lessons/uncertainty.ipynb").code)
    live, gain_b = (
        np.array(re.search(f'^{name} = "(.*)"$', lesson, re.MULTILINE)[1].split(), dtype=int)
        for name in ("live", "gain_b")
    )
    systems = ["".join(f"{value:02d}" for value in values) for values in (live, live + gain_b)]
    assert states[0][0][:3] == [*systems, str(len(live))]
