"""What a type checker tells the library's user: one list gives a float, lists of lists an array, an array either."""

import re
import subprocess
import sys

import pytest
from mypy import api

from metrics_lib import regression
from tests.registries import ROOT

HEAD = """\
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import metrics_lib as ml
from metrics_book import practice, printed

Floats = NDArray[np.float64]
one: list[int] = [3, 2, 0]
two: list[list[float]] = [[3.0, 2.0], [0.0, 1.0]]
array: NDArray[np.int64] = np.array([3, 2, 0])
nested: tuple[tuple[int, ...], ...] = ((3, 2), (0, 1))
lists = ml.Lists.from_columns(one, array, one, tie=["a", "b", "c"])
"""

OF_LISTS = ["precision_at_k({}, 2)", "recall_at_k({}, 2, n_relevant=9)", "fbeta_at_k({}, 2, beta=0.5, undefined=0)"]
OF_LISTS += ["average_precision({}, denominator='min')", "reciprocal_rank({}, 3)", "cumulative_gain({})", "dcg({}, 3)"]
OF_LISTS += ["expected_reciprocal_rank({}, max_grade=3)", "ideal_dcg({}, gain='exponential')"]
OF_LISTS += ["r_precision({}, n_relevant=9)", "rank_biased_precision({}, 2, p=0.9)"]
OF_LISTS += ["ndcg({0}, 2, judged={0}, undefined='raise')", "entropy({})", "cross_entropy({0}, {0}, base=3)"]
OF_LISTS += ["kl_divergence({0}, {0})", "perplexity({})", "model_perplexity({}, base=2)", "sentence_perplexity({})"]
KINDS = {"one": "float", "tuple(one)": "float", "two": "Floats", "nested": "Floats", "array": "float | Floats"}

RIGHT = [f"assert_type(ml.{call.format(data)}, {kind})" for call in OF_LISTS for data, kind in KINDS.items()]
OF_RANKS = [call for call in OF_LISTS if not re.match("(cross_)?entropy|kl_|perp|model_|sent", call)]
RIGHT += [f"assert_type(ml.{call.format('lists')}, Floats)" for call in OF_RANKS]
RIGHT += [
    "assert_type(ml.mean_average_precision(lists, n_relevant={3: 1, 2: 1, 0: 1}), float)",
    "assert_type(ml.recall_at_k(lists, 2, n_relevant={3: 1}), Floats)",
    "values = ml.evaluate(lists, ['nDCG@10', 'AP'], judged=lists, undefined=0)",
    "assert_type(values['AP'], Floats)",
    "assert_type(values.mean(undefined='skip')['AP'] + values.of(3)['AP'], float)",
    "assert_type(ml.evaluate(lists, 'AP').queries, NDArray[Any])",
    "assert_type(lists.each(lambda rel: rel[:, 0]), Floats)",
    "assert_type(ml.trec.read_run('run.txt').value, NDArray[Any])",
    "assert_type(ml.trec.rank('qrels', ml.trec.read_run('run'), precision=np.float32), ml.Lists)",
    "assert_type(ml.trec.evaluate({'q': {'d': 1}}, 'run', ['AP'], queries='qrels', ties='average')['AP'], Floats)",
    "assert_type(ml.trec.summary({'q': {'d': 1}}, {'q': {'d': 0.5}}, 'AP', undefined='raise'), dict[str, float])",
    "round(ml.ndcg([3, 2, 3, 0, 1, 2]), 6)",
    "ml.ndcg([[2, 1], [1, 2]]).round(6)",
    "float(ml.ndcg(array)) + ml.mean_over_queries(ml.ndcg(two), undefined='skip')",
    "assert_type(ml.mean_average_precision(two, undefined='skip'), float)",
    "assert_type(ml.mean_reciprocal_rank(array), float)",
    "assert_type(ml.ndcg(rel=one, k=3), float)",
    "assert_type(ml.ndcg_score(two, two, sample_weight=[1, 2]), float)",
    "assert_type(ml.hit_ratio(one, one, definition='any', undefined='skip'), float)",
    "assert_type(ml.corpus_perplexity([[-1, -2], [-3]]), float)",
    "assert_type(ml.intra_list_similarity(two), float)",
    "assert_type(ml.intra_list_similarity([two, two], definition='sum'), Floats)",
    "assert_type(ml.intra_list_similarity(array), float | Floats)",
    "practice.exercises()",
    "practice.check('auc_sql', 'SELECT 1').passed or practice.check('auc', ml.roc_auc_score)",
    "printed.verdict('0.33', 1 / 3).upper()",
    "low, value, high = ml.roc_auc_bounds(one, array)",
    "ml.sql.gauc('log', 'user', weights='clicks', by=('day', 'hour')).upper()",
    "ml.sql.evaluate('log', ['AP', 'nDCG@10'], mean=True) + ml.sql.f1_score('log', average='macro', pos_label='a')",
]
OF_LABELS = ["precision_score(one, one{})", "recall_score(array, one{}, labels=[1])", "f1_score(two, two{})"]
OF_LABELS += ["fbeta_score(one, one, beta=2{}, zero_division=0)", "roc_auc_score(one, array{}, sample_weight=one)"]
OF_LABELS += ["average_precision_score(two, two{}, pos_label=1)", "jaccard_score(one, one{}, zero_division=1)"]
RIGHT += [f"assert_type(ml.{call.format(', average=None')}, Floats)" for call in OF_LABELS]
RIGHT += [f"assert_type(ml.{call.format(text)}, float)" for call in OF_LABELS for text in ("", ", average='macro'")]
OF_TARGETS = [name for name in regression.__all__ if name not in ("r2_score", "mean_absolute_scaled_error")]
RIGHT += [f"assert_type(ml.{name}(two, two, multioutput='raw_values'), Floats)" for name in [*OF_TARGETS, "r2_score"]]
RIGHT += [f"assert_type(ml.{name}(array, one, sample_weight=one), float)" for name in [*OF_TARGETS, "r2_score"]]
RIGHT += [f"assert_type(ml.{name}(two, two, multioutput=[0.5, 0.5]), float)" for name in OF_TARGETS]
RIGHT += [
    "round(ml.roc_auc_score([0, 1, 1], [0.1, 0.9, 0.2]), 6)",
    "assert_type(ml.gauc(one, one, one, weights={3: 1.0}, pos_label=3), float)",
    "assert_type(ml.gauc(one, one, ['a', 'b', 'c'], sample_weight=one, return_dropped=True)[0], float)",
    "assert_type(ml.gauc(one, one, one, return_groups=True)[2], Floats)",
    "auc_of_all, users, aucs, left_out = ml.gauc(one, one, one, return_groups=True, return_dropped=True)",
    "assert_type(auc_of_all, float)",
    "score, dropped = ml.gauc(one, one, one, return_dropped=True)",
    "fpr, tpr, thresholds = ml.roc_curve(one, one, pos_label=3)",
    "round(ml.auc(fpr, tpr) + ml.break_even_point(one, one, sample_weight=one), 3)",
    "assert_type(ml.ConfusionCounts.from_labels(one, one, sample_weight=[0.5, 1, 2]).f1, float)",
    "round(ml.macro_f1_score(one, one, sample_weight=one) + ml.accuracy_score(['a'], ['b']), 3)",
    "assert_type(ml.mean_pinball_loss(one, array, alpha=0.9), float)",
    "assert_type(ml.mean_absolute_scaled_error(one, array, y_train=one, seasonality=2, sample_weight=one), float)",
    "assert_type(ml.mean_absolute_scaled_error(two, two, y_train=two, multioutput='raw_values'), Floats)",
    "scores = ml.precision_recall_fscore_support(one, one, beta=2, warn_for=['recall'])",
    "assert_type(scores.precision, Floats)",
    "assert_type(scores.support, NDArray[Any])",
    "precision, recall, fscore, no_support = ml.precision_recall_fscore_support(one, one, average='macro')",
    "assert_type(precision, float)",
    "assert_type(no_support, None)",
    "assert_type(ml.classification_report(one, one, target_names=['a', 'b', 'c'], digits=3), str)",
    "assert_type(ml.classification_report(one, one, output_dict=True), dict[str, Any])",
    "assert_type(ml.top_k_accuracy_score(one, two, k=1, normalize=False), float)",
    "false_alarms, misses, cuts = ml.det_curve(one, one, 3, None, True)",
    "assert_type(misses, Floats)",
    "round(ml.label_ranking_loss(two, two) + ml.hamming_loss(two, two), 3)",
    "assert_type(ml.r2_score(two, two, multioutput='variance_weighted', force_finite=False), float)",
    "assert_type(ml.log_loss(['a', 'b'], two, normalize=False, labels=['a', 'b'], sample_weight=one), float)",
    "assert_type(ml.brier_score_loss(one, array, pos_label=3, scale_by_half=False), float)",
    "prob_true, prob_pred = ml.calibration_curve(one, one, n_bins=3, strategy='quantile')",
    "assert_type(prob_true, Floats)",
    "assert_type(ml.expected_calibration_error(one, one, n_bins=3, sample_weight=one), float)",
    "assert_type(ml.expected_calibration_error(['a', 'b'], two, labels=['a', 'b']), float)",
    "assert_type(ml.crps(one, two, two, sample_weight=one) + ml.crps(array, two, fair=True), float)",
    "assert_type(ml.normalized_cross_entropy(one, one, undefined='raise'), float)",
    "assert_type(ml.matthews_corrcoef(['a'], ['b'], sample_weight=one), float)",
    "assert_type(ml.balanced_accuracy_score(one, array, adjusted=True), float)",
    "assert_type(ml.cohen_kappa_score(one, one, weights='linear', labels=one, replace_undefined_by=0), float)",
]
PARTIAL = ["precision_score, average='macro'", "recall_score, labels=[1]", "f1_score, average='macro'"]
PARTIAL += ["fbeta_score, beta=2.0", "jaccard_score, zero_division=0", "roc_auc_score, max_fpr=0.1"]
PARTIAL += ["average_precision_score, pos_label=1", "gauc, weights='clicks', groups=one"]
PARTIAL += [f"{name}, sample_weight=one" for name in OF_TARGETS if name != "mean_pinball_loss"]
PARTIAL += [
    "mean_absolute_scaled_error, y_train=one",
    "mean_pinball_loss, alpha=0.9",
    "r2_score, force_finite=False",
    "log_loss, labels=[0, 1]",
]
RIGHT += [f"assert_type(partial(ml.{given})(one, one), float)" for given in PARTIAL]
RIGHT += [f"scorer_{place}: Callable[..., float] = partial(ml.{given})" for place, given in enumerate(PARTIAL)]
WRONG = [
    "ml.f1_score(one, one, average='marco')",
    "ml.f1_score(one, one, zero_divison=0)",
    "ml.roc_auc_score(one, one, average='binary')",
    "ml.gauc(one, one, one, weights='views')",
    "ml.classification_report(one, one, output_dict='yes')",
    "ml.precision_recall_fscore_support(one, one, zero_divison=0)",
    "ml.top_k_accuracy_score(one, two, k=1.5)",
    "ml.mean_squared_error(one, one, multioutput='mean')",
    "ml.mean_absolute_scaled_error(one, one)",
    "round(ml.f1_score(one, one, average=None), 6)",
    "round(ml.jaccard_score(one, one, average=None), 6)",
    "ml.cohen_kappa_score(one, one, weights='square')",
    "ml.calibration_curve(one, one, strategy='equal')",
    "ml.brier_score_loss(one, one, scale_by_half='no')",
    "ml.crps(one, two, two, one)",
    "ml.ndcg(one, gain='linaer')",
    "ml.sql.gauc('log', 'user', weights='views')",
    "ml.sql.roc_auc_score('log', 'label')",
    "ml.ndcg(one, undefined='skip')",
    "ml.dcg(one, log_base=2)",
    "ml.precision_at_k(one)",
    "ml.rank_biased_precision(one, persistence=0.8)",
    "ml.evaluate(one, 'AP')",
    "ml.f1_score(lists, lists)",
    "ml.trec.rank('qrels', 'run', ties='raw')",
    "ml.trec.evaluate('qrels', one, 'AP')",
    "round(ml.ndcg(lists), 6)",
    "ml.mean_over_queries(one, undefined='zero')",
    "ml.intra_list_similarity(two, definition='median')",
    "ml.hit_ratio(one, one)",
]


def errors(directory, lines):
    """What ``mypy --strict`` says of a user's program."""
    program = directory / "program.py"
    program.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    # Settings of the project: without them mypy reads untyped helpers of Matplotlib, and whether it then complains of
    # the library hangs on sys.path, which is another under `pytest`, `pytest -n 2` and `python -m pytest`.
    options = [f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={ROOT / '.mypy_cache'}", "--no-error-summary"]
    out, err, _ = api.run([*options, str(program)])
    assert not err
    return out


@pytest.fixture(autouse=True)
def _library_of_this_folder(monkeypatch):
    monkeypatch.setenv("MYPYPATH", str(ROOT))


def test_the_library_is_typed(monkeypatch):
    monkeypatch.chdir(ROOT)  # where pyproject.toml says what is strict
    out, err, status = api.run([])
    assert (status, err) == (0, ""), out


def test_a_program_that_uses_the_library_well_passes(tmp_path):
    assert errors(tmp_path, RIGHT) == ""


def test_pyright_types_a_partial_metric_as_float(tmp_path):
    program = tmp_path / "program.py"
    lines = [line for line in RIGHT if "partial(" in line]
    program.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, str(program)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_misspelt_word_or_a_wrong_type_is_found(tmp_path):
    found = errors(tmp_path, WRONG)
    for line, call in enumerate(WRONG, HEAD.count("\n") + 1):
        assert f"program.py:{line}: error:" in found, call
