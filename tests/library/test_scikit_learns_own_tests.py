"""scikit-learn's own tests of its metrics, with our functions in their place; nothing of them is stored here."""

import os
import subprocess
import sys
from xml.etree import ElementTree

from tests.registries import ROOT

FILES = ["test_ranking", "test_classification", "test_regression", "test_common"]

# What differs on purpose: how many variants of each test fail, and why.
OTHERWISE = {
    "test_multiclass_ovo_roc_auc_toydata": (4, "average=None with 'ovo': a ValueError, not a NotImplementedError"),
    "test_confusion_matrix_at_thresholds_implicit_bytes_pos_label": (4, "bytes: a ValueError, not a TypeError"),
    "test_confusion_matrix_dtype": (1, "weights whose sum 64 bits do not hold are refused; there they wrap round"),
    "test_precision_warnings": (1, "compares the wording of a warning"),
    "test_recall_warnings": (1, "compares the wording of a warning"),
    "test_fscore_warnings": (1, "compares the wording of a warning"),
    "test_prf_warnings": (1, "compares the wording of a warning"),
    "test_classification_report_zero_division_warning": (1, "compares the wording of a warning"),
    "test_log_loss_not_probabilities_warning": (3, "rows that do not sum to 1 are refused; there they only warn"),
    "test_log_loss_y_pred_deprecation": (1, "an argument that is about to go"),
}


def test_the_tests_of_scikit_learn_pass_with_our_functions(tmp_path):
    report = tmp_path / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "--disable-plugin-autoload", "-p", "no:cacheprovider"]
    command += [
        "-p",
        "tests.library.as_scikit_learn",
        "-c",
        os.devnull,
        f"--rootdir={tmp_path}",
        f"--junit-xml={report}",
    ]
    command += ["--pyargs", *(f"sklearn.metrics.tests.{name}" for name in FILES)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout + done.stderr
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = [case.get("name").partition("[")[0] for case in cases if case.find("failure") is not None]
    assert {name: failed.count(name) for name in failed} == {name: n for name, (n, _) in OTHERWISE.items()}, done.stdout
    assert not any(case.find("error") is not None for case in cases)
    assert sum(case.find("skipped") is None for case in cases) > 2200
