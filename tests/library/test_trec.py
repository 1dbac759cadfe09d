"""metrics_lib.trec: what trec_eval prints, digit by digit; ties by all their orders; faults of files by their line."""

import gzip
import itertools
import json
import math
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics_lib as ml
from metrics_lib.trec import Table, evaluate, main, rank, read_qrels, read_run, summary

FILES = Path(__file__).with_name("trec")

# Parity

CASES = {  # as README.md of the folder has the commands
    "test": ("qrels.test.with-comments", "results.test", 1, "both"),
    "trunc.c": ("qrels.test.with-comments", "results.trunc", 1, "qrels"),
    "level": ("qrels.rel_level", "results.test", 1, "both"),
    "level.l2": ("qrels.rel_level", "results.test", 2, "both"),
    "comment": ("qrels.comment.test", "results.comment.test", 1, "both"),
    "comment.l3": ("qrels.comment.test", "results.comment.test", 3, "both"),
}
OUR_NAME = {"map": "AP", "map_cut": "AP", "P": "P", "recall": "R", "success": "Success", "Rprec": "Rprec"}
OUR_NAME |= {"recip_rank": "RR", "ndcg": "nDCG", "ndcg_cut": "nDCG", "unj": "Judged", "rbp_p=0.8": "RBP"}


def pair(case):
    qrels, run, *how = CASES[case]
    return FILES / f"{qrels}.gz", FILES / f"{run}.gz", *how


def our_name(name, level):
    stem, _, k = re.fullmatch(r"(.*?)(_(\d+))?", name).groups()
    ours = OUR_NAME[stem]
    return ours + f"(rel={level})" * (ours not in ("nDCG", "Judged")) + (f"@{k}" if k else "")


@pytest.mark.parametrize("case", CASES)
def test_no_digit_differs_from_what_trec_eval_prints(case):
    qrels, run, level, queries = pair(case)
    printed = [line.split() for line in (FILES / f"out.{case}").read_text(encoding="utf-8").splitlines()]
    names = {name: our_name(name, level) for name, _, _ in printed if name != "num_q"}
    values = evaluate(qrels, run, sorted(set(names.values())), queries=queries)
    means = values.mean()
    assert ["num_q", "all", str(len(values.queries))] in printed
    for name, query, figure in printed:
        if name != "num_q":
            value = (means if query == "all" else values.of(query))[names[name]]
            assert f"{1 - value if name.startswith('unj') else value:.4f}" == figure, (name, query)


def test_values_are_those_of_ir_measures():
    qrels, run, *_ = pair("comment")
    expected = json.loads((FILES / "ir_measures.json").read_text(encoding="utf-8"))
    values = evaluate(qrels, run, list(expected))
    for name, of_query in expected.items():
        assert set(values.queries) - set(of_query) <= ({"2024-36302"} if name.startswith("ERR") else set())
        digits = 5e-6 if name.startswith("ERR") else 1e-14
        assert [values.of(query)[name] for query in of_query] == pytest.approx([*of_query.values()], abs=digits)


# Ranking, by definition

NAMES = "abcdefgh"
judgements = st.dictionaries(st.sampled_from("xyz"), st.dictionaries(st.sampled_from(NAMES), st.integers(-1, 3)))
results = st.dictionaries(
    st.sampled_from("wxyz"), st.dictionaries(st.sampled_from(NAMES), st.sampled_from([0.0, 0.5, 1.0, 1.0 + 1e-9]))
)
MEASURES = [
    "P@3",
    "R@2",
    "F(beta=2)@4",
    "Success@2",
    "AP",
    "AP@3",
    "RR",
    "Rprec",
    "RBP(p=0.7)",
    "ERR(max=3)@5",
    "DCG@3",
]
MEASURES += ["nDCG@4", "nDCG(gain=exponential)", "Judged@3", "Judged", "AP(rel=2)", "RR(rel=2)@4", "ERR"]


@given(judgements, results, st.sampled_from(["both", "qrels"]), st.sampled_from([np.float64, np.float32]))
@settings(max_examples=100, deadline=None)
def test_lists_are_ranked_and_measured_as_defined(qrels, run, queries, precision):
    asked = sorted(q for q in qrels if qrels[q] and (queries == "qrels" or run.get(q)))
    if not any(map(qrels.get, qrels)) or not any(map(run.get, run)) or not any(run.get(q) for q in asked):
        with pytest.raises(ValueError, match="^(qrels|run): expected"):
            rank(qrels, run, queries=queries)
        return
    lists = rank(qrels, run, queries=queries, precision=precision)
    values = evaluate(qrels, run, ["nDCG@3", "R@2", "Judged@2"], queries=queries, precision=precision)
    assert lists.queries.tolist() == values.queries.tolist() == asked
    for query in asked:
        of_query, found = qrels[query], run.get(query, {})
        ordered = sorted(found, key=lambda name: (precision(found[name]), name), reverse=True)
        grades = [max(of_query.get(name, 0), 0) for name in ordered] or [0]
        pool = [max(grade, 0) for grade in of_query.values()]
        assert lists.ranked(query).tolist() == grades
        known = [of_query.get(name, -1) >= 0 for name in ordered[:2]] or [False]
        assert values.of(query) == {
            "nDCG@3": ml.ndcg(grades, 3, judged=pool, undefined=0),
            "R@2": ml.recall_at_k(grades, 2, n_relevant=sum(grade > 0 for grade in pool), undefined=0),
            "Judged@2": sum(known) / len(known),
        }


@given(st.lists(st.integers(0, 2), min_size=1, max_size=5), st.lists(st.integers(-1, 3), min_size=8, max_size=8))
@settings(max_examples=20, deadline=None)
def test_the_average_of_ties_is_the_mean_over_all_orders(scores, grades):
    """Each permutation of the names is an order of the tied documents."""
    other = {"z": {"a": 1, "b": 0}}
    orders = []
    for names in itertools.permutations(NAMES[: len(scores)]):
        qrels = {"q": dict(zip([*names, *NAMES[len(scores) :]], grades, strict=True)), **other}
        run = {"q": dict(zip(names, scores, strict=True)), "z": {"b": 1, "a": 1}}
        orders.append(evaluate(qrels, run, MEASURES).of("q"))
    values = evaluate(qrels, run, MEASURES, ties="average")
    for name, value in values.of("q").items():
        assert value == pytest.approx(np.mean([of_order[name] for of_order in orders]), abs=1e-12), name
    assert values.of("z")["RR"] == 0.75


def test_ties_that_have_no_order_are_for_evaluate_alone():
    lists = rank({"q": {"a": 1}}, {"q": {"a": 1, "b": 1}}, ties="average")
    with pytest.raises(ValueError, match="^lists: expected lists whose ties have an order"):
        ml.reciprocal_rank(lists)
    with pytest.raises(ValueError, match="^measures: expected AP with denominator=relevant"):
        ml.evaluate(lists, "AP(denominator=min)@3")
    assert math.isnan(evaluate({"q": {"a": 0}}, {"q": {"a": 1}}, "AP", ties="average", undefined=math.nan)["AP"][0])


def test_the_lists_know_all_judgements():
    qrels, run = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"b": 1, "x": 2}}
    lists = rank(qrels, run)
    assert ml.ndcg(lists).tolist() == [ml.ndcg([0, 2], judged=[3, 2, 1])]
    assert ml.recall_at_k(lists, 2).tolist() == [1 / 3]
    assert ml.average_precision(lists).tolist() == [1 / 6]
    assert ml.evaluate(lists, "R(rel=2)@2")["R(rel=2)@2"].tolist() == [1 / 2]
    assert summary(qrels, run, "nDCG@10") == {"nDCG@10": ml.ndcg([0, 2], 10, judged=[3, 2, 1])}


def test_columns_dicts_and_files_are_the_same(tmp_path):
    (tmp_path / "qrels").write_text("1 0 b 2\n1 0 a 0.5\n", encoding="utf-8")
    with gzip.open(tmp_path / "run.gz", "wt", encoding="utf-8") as file:
        file.write("1 Q0 a 1 3 tag\n1 Q0 b 2 2.5 tag")
    columns = (
        Table(["1", "1"], np.array(["b", "a"]), np.array([2, 0.5])),
        Table(["1"] * 2, ["a", "b"], np.array([3, 2.5])),
    )
    dicts = {"1": {"b": 2, "a": 0.5}}, {"1": {"a": 3, "b": 2.5}}
    for pair_ in (columns, dicts, (tmp_path / "qrels", str(tmp_path / "run.gz"))):
        assert rank(*pair_).ranked("1").tolist() == [0.5, 2]


def test_the_rows_of_a_column_are_found_by_their_place():
    """Not by an index, as pandas has one: that of a frame that was sorted or filtered."""
    frame = pd.DataFrame(
        {"query": ["1", "1", "1", "2"], "document": ["b", "a", "c", "a"], "score": [0.1, 0.5, 0.5, 0.3]}
    )
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1}}
    for some in (frame, frame[::-1], frame[frame.index > 0]):
        run = {}
        for query, document, score in some.itertuples(index=False):
            run.setdefault(query, {})[document] = score
        values = evaluate(qrels, Table(some["query"], some["document"], some["score"]), "AP")
        assert values["AP"].tolist() == evaluate(qrels, run, "AP")["AP"].tolist() == [0.5, 1]


def test_options_of_any_size_are_taken_where_ties_are_averaged():
    qrels, run = {"q": {"a": 2, "b": 0}}, {"q": {"a": 1, "b": 1, "c": 1}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = evaluate(qrels, run, ["F(beta=1e200)@2", "R@2", "ERR(max=2000)"], ties="average").of("q")
    assert values == {"F(beta=1e200)@2": 2 / 3, "R@2": 2 / 3, "ERR(max=2000)": 0}


# Files


def written(tmp_path, text):
    path = tmp_path / "file.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_blank_lines_comments_ends_of_lines_and_marks_are_skipped(tmp_path):
    plain = read_qrels(written(tmp_path, "1 0 a#b 2\n1 0 c -1\n"))
    odd = read_qrels(written(tmp_path, "\ufeff# one\r\n\r\n 1\t0  a#b 2 \r\n#1 0 x 1\n   \n1 0 c -1"))
    assert plain[:2] == odd[:2] == (["1", "1"], ["a#b", "c"])
    assert plain.value.tolist() == odd.value.tolist() == [2, -1]
    assert [odd.where(row).partition(" of ")[0] for row in (0, 1)] == ["line 3", "line 6"]
    assert read_run(written(tmp_path, "1 Q0 a\u00a0b 1 2.5 two words\n")).document == ["a\u00a0b"]


def test_a_fault_far_down_a_file_is_found_by_its_line(tmp_path):
    lines = [f"q{i % 7} Q0 d{i} 1 {i} tag" for i in range(20_000)]
    assert len(read_run(written(tmp_path, "\n".join(lines))).value) == 20_000
    lines[300:300] = ["# a comment", ""]
    lines[15_000] = "q1 Q0 d5 1 much tag"
    with pytest.raises(
        ValueError, match=r"^run: expected a finite number as score, got 'much' in line 15001 of .*file"
    ):
        read_run(written(tmp_path, "\n".join(lines)))
    lines[15_000], lines[4000] = lines[14_000], "q1 Q0 d5"
    with pytest.raises(ValueError, match=r"^run: expected 6 words \(query Q0 .*\), got 3 in line 4001 of .*file"):
        read_run(written(tmp_path, "\n".join(lines)))
    lines[4000] = "q1 Q0 new 1 3 tag"
    with pytest.raises(
        ValueError, match=r"^run: expected each document of a query once, got .* in line 15001 of .*file"
    ):
        evaluate({"q1": {"d1": 1}}, written(tmp_path, "\n".join(lines)), "AP")


# Words move from one line to the next, so that their number is right over both.
FAULTY = {
    "1 0 a\n1 0 b 2 3\n": r"4 words \(query iteration document grade\), got 3 in line 1 of",
    "1 0 a 1\n1 0 b high\n": "a finite number as grade, got 'high' in line 2 of",
    "1 0 a 1 2\n": "a finite number as grade, got '1 2' in line 1 of",
    "1 Q0 a 1 3.0 x\n": r"a finite number as grade, got '1 3.0 x' in line 1 of .* \(six words are a line of a run\)",
    "1 0 a 1\n1 0 b 1_000\n": "a finite number as grade, got '1_000' in line 2 of",
    "1 0 a nan\n": "a finite number as grade, got 'nan' in line 1 of",
    "": "at least one line of data, got none in",
    "# nothing\n\n": "at least one line of data, got none in",
    b"1 0 \xff 1\n": "text in UTF-8, got .* in .*file",
}


@pytest.mark.parametrize("text", FAULTY)
def test_faults_of_files_are_named(tmp_path, text):
    with pytest.raises(ValueError, match=f"^qrels: expected {FAULTY[text]}"):
        read_qrels(written(tmp_path, text))


@pytest.mark.parametrize("kept", [slice(-9), slice(10, None), slice(0, 0)])
def test_a_file_that_is_not_whole_is_named(tmp_path, kept):
    path = tmp_path / "qrels.gz"
    path.write_bytes(gzip.compress(b"1 0 a 1\n" * 99)[kept] or b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff")
    with pytest.raises(ValueError, match=r"^qrels: expected a whole file of gzip, .* in .*qrels\.gz$"):
        read_qrels(path)


QRELS, RUN = {"q": {"a": 1}}, {"q": {"a": 1, "b": 1}}
BAD_CALLS = {
    "a tie": (
        lambda: rank(QRELS, RUN, ties="raise"),
        "run: expected a score of its own .*, got 1.0 again in row [01]$",
    ),
    "other queries": (
        lambda: rank(QRELS, {"r": {"a": 1}}),
        "run: expected results for the queries of qrels, such as 'q', got none of them, but 'r' and others$",
    ),
    "no query": (
        lambda: rank(QRELS, {"r": {"a": 1}}, queries="qrels"),
        "run: expected results .* such as 'q', got none of them",
    ),
    "nan": (lambda: rank(QRELS, {"q": {"a": math.nan}}), "run: expected finite numbers, got nan"),
    "too large": (lambda: rank(QRELS, {"q": {"a": 1e300}}, precision=np.float32), "run: expected finite numbers"),
    "nothing": (lambda: rank({}, RUN), "qrels: expected at least one value"),
    "a judgement twice": (
        lambda: rank(Table(["q", "q"], ["a", "a"], np.array([1, 0])), RUN),
        "qrels: expected each document of a query once, got a of query q again in row 1",
    ),
    "columns": (lambda: rank(QRELS, Table(["q"], ["a", "b"], np.ones(1))), "run: expected columns of one length"),
    "numbers as queries": (
        lambda: rank(QRELS, {7: {"a": 1}}, queries="qrels"),
        "run: expected queries of the type that qrels has, as 'q', got 7$",
    ),
    "numbers as documents": (
        lambda: rank({"q": {"7": 1}}, {"q": {7: 1}}),
        "run: expected documents of the type that qrels has, as '7', got 7$",
    ),
    "a list of results": (lambda: rank(QRELS, {"q": ["a"]}), "run: expected a mapping from .* type list for 'q'$"),
    "pairs as queries": (
        lambda: rank({("mon", 1): {"a": 1}}, {("mon", 1): {"a": 1}}),
        r"qrels: expected queries that are strings, numbers or dates, got \('mon', 1\)$",
    ),
    "names of two types": (
        lambda: rank({"q": {"a": 1}, 1: {"a": 1}}, {"q": {"a": 1}, 1: {"a": 1}}),
        "qrels: expected names",
    ),
    "tied names of two types": (lambda: rank(QRELS, {"q": {"a": 1, 2: 1}}), "run: expected names that can be sorted"),
    "no source": (lambda: rank(3, RUN), "qrels: expected a Table, the path of a file or a mapping"),
    "unknown measure": (lambda: evaluate(QRELS, RUN, "MRR"), "measures: expected names .*, of P@k, R@k, .* got 'MRR'"),
    "queries": (lambda: rank(QRELS, RUN, queries="run"), "queries: expected one of 'both', 'qrels', got 'run'"),
    "ties": (lambda: rank(QRELS, RUN, ties="raw"), "ties: expected one of 'docno', 'average', 'raise', got 'raw'"),
    "precision": (lambda: rank(QRELS, RUN, precision=np.int64), "precision: expected one of"),
    "undefined": (lambda: evaluate({"q": {"a": 0}}, RUN, "AP", undefined="raise"), "no relevant item"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls_are_refused_by_name(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(ValueError, match=message if name == "undefined" else f"^{message}"):
        call()


def test_equal_hashes_are_no_duplicates_and_no_judgements(monkeypatch):
    monkeypatch.setattr("builtins.hash", lambda pair: 1)
    assert rank({"q": {"a": 1, "c": 2}}, {"q": {"a": 1, "b": 2}}).ranked("q").tolist() == [0, 1]


# The command


def test_the_command_prints_as_trec_eval(capsys):
    main([*map(str, pair("test")[:2]), "-m", "AP", "-m", "P@5", "--per-query"])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    theirs = [line.split() for line in (FILES / "out.test").read_text(encoding="utf-8").splitlines()]
    ours = {"map": "AP", "P_5": "P@5", "num_q": "num_q"}
    assert sorted(lines) == sorted([ours[name], query, figure] for name, query, figure in theirs if name in ours)


def test_the_command_says_which_queries_are_left_out(capsys):
    main([*map(str, pair("trunc.c")[:2]), "-m", "AP"])
    out, err = capsys.readouterr()
    assert out.split()[:3] == ["num_q", "all", "2"]
    assert "no results for 1 of the judged queries, left out" in err


def test_the_command_compares_two_runs():
    qrels, run, *_ = map(str, pair("test"))
    other = str(FILES / "results.trunc.gz")
    command = [sys.executable, "-W", "error", "-m", "metrics_lib.trec", qrels, run, "-m", "nDCG@10", "--compare", other]
    done = subprocess.run([*command, "--queries", "qrels"], capture_output=True, text=True, check=True)
    name, *figures = done.stdout.splitlines()[-1].split()
    a, b = (evaluate(qrels, path, "nDCG@10", queries="qrels")["nDCG@10"] for path in (run, other))
    found = ml.uncertainty.paired_difference(a, b, rng=0)
    expected = (a.mean(), b.mean(), found.value, found.low, found.high, found.p_value)
    assert (name, figures) == ("nDCG@10", [f"{figure:.4f}" for figure in expected])
    assert done.stdout.split()[:3] == ["num_q", "both", "3"]


def test_the_command_reads_what_is_piped_to_it_and_ends_quietly_when_its_reader_does(tmp_path):
    qrels, run, *_ = map(str, pair("test"))
    command = [sys.executable, "-W", "error", "-m", "metrics_lib.trec", qrels, "-", "-m", "AP"]
    text = gzip.decompress(Path(run).read_bytes()).decode()
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == f"{evaluate(qrels, run, 'AP').mean()['AP']:.4f}"
    faulty = subprocess.run(command, input="1 Q0 d\n", capture_output=True, text=True, check=False)
    assert "got 3 in line 1 of standard input" in faulty.stderr
    grades, many = tmp_path / "qrels", tmp_path / "run"
    grades.write_text("".join(f"q{i} 0 d 1\n" for i in range(9000)))
    many.write_text("".join(f"q{i} Q0 d 1 1 x\n" for i in range(9000)))

    words = [sys.executable, "-m", "metrics_lib.trec", str(grades), str(many), "-m", "AP", "--per-query"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_the_command_takes_swapped_files_for_swapped(capsys):
    qrels, run, *_ = map(str, pair("test"))
    for words, message in (
        ([run, qrels], "six words are a line of a run"),
        ([qrels, qrels], "(4 words are a line of ju"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main([*words, "-m", "AP"])
        assert message in capsys.readouterr().err


def test_the_command_says_what_few_queries_and_many_measures_mean(capsys):
    qrels, run, *_ = map(str, pair("test"))
    main([qrels, run, "-m", "AP", "-m", "RR", "--compare", str(FILES / "results.trunc.gz"), "--queries", "qrels"])
    assert "2 measures are 2 chances of a small p" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "AP", "--compare", "RUN2"], "compare: expected runs with results for at least two judged queries"),
        (["-m", "AP", "--compare", "RUN2", "--per-query"], "not allowed with argument"),
        (["-m", "MRR"], "measures: expected names such as"),
        (["-m", "AP", "--compare", "missing.txt"], "No such file or directory: 'missing.txt'"),
        ([], "-m/--measure"),
    ],
)
def test_the_command_says_what_is_wrong(capsys, tmp_path, words, message):
    qrels, run, *_ = map(str, pair("test"))
    first = read_run(run)
    one = written(tmp_path, f"{first.query[0]} Q0 {first.document[0]} 1 1 tag\n")
    with pytest.raises(SystemExit, match="2"):
        main([qrels, run, *(str(one) if word == "RUN2" else word for word in words)])
    assert message in capsys.readouterr().err
