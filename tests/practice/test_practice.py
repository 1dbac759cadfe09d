"""The exercises: right solutions pass, wrong ones do not, and what is said of them is true."""

import functools
import io
import time
from collections import Counter
from contextlib import redirect_stdout

import numpy as np
import pytest

from metrics_book import practice
from metrics_book.practice._sql import READS
from metrics_book.practice._values import close, trace, undefined
from metrics_book.practice.exercises import ALL
from tests.practice.submissions import EARLIER, RIGHT, WRONG, code, endless, rows

pytestmark = pytest.mark.filterwarnings("ignore")
EACH = pytest.mark.parametrize("one", ALL, ids=[one.name for one in ALL])
AUC = "SELECT AVG((p.score > n.score) + (p.score = n.score) / 2.0) FROM log p JOIN log n ON p.label > n.label"
COUNTING = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t)"
SURE = {"?": "may be", "!": "seen", "-": "unknown"}

# Words of a task, and of the message for a solution that lacks this rule.
RULES = {
    "auc": "any scale = cut to 0...1; higher means = wrong way round; Ties: = counts nothing",
    "gauc": "any scale = cut to 0...1; any order = adjacent rows; weighted by = without weights; Ties: = counts"
    " nothing; of one class have = count 0",
    "precision_recall_f1": "1 is the positive class = positive class is 0; in this order = are swapped; 0/0: = gives 1"
    " here",
    "ndcg_at_k": "number of ranks = one rank late; log2(i + 1) = one rank late, at; the grade itself = 2^rel - 1; a"
    " fraction = whole numbers; the whole list, not = cut list; k beyond = k beyond",
    "average_precision": "above 0 = 1 is not taken; -1 is not = negative value; number of ranks = one rank late; in the"
    " list or not = items in the list; divided by n_relevant = hits found; k beyond = k beyond",
    "reciprocal_rank": "above 0 = 1 is not taken; -1 is not = negative value; number of ranks = one rank late; one over"
    " = this is the rank; first relevant = last hit; No relevant item = counts 1 here; k beyond = k beyond",
    "macro_micro_f1": "or strings = 0 to the greatest; in this order = are swapped; or in y_pred = never true; counting"
    " the same = weighted by; summed over = mean accuracy; 0/0: = 0/0 is not",
    "hit_rate": "above 0 = 1 is not taken; -1 is not = negative value; number of ranks = one rank late; in the list or"
    " not = list; at least one relevant = hits are counted; hits / n_relevant = pooled; still divides by k = length"
    " of; are left out = are counted",
    "log_loss": "true label = other label; mean over = sum over; natural = base 2; [eps, 1 - eps] = another bound",
    "perplexity": "end token = end tokens are left; exp of = exp is missing; weighs by its length = averaged the; -inf;"
    " the value is inf = impossible tokens",
    "kl_divergence": "p the truth = KL(q||p); the sum = the mean; base 2 = base e; adds 0 = 0 * log 0; makes the value"
    " inf = q = 0 are skipped; may be small = small p",
    "expected_reciprocal_rank": "number of ranks = one rank late; in the list or not = from the list; 2^max_grade ="
    " 2^max - 1; then stops = own probability; 1 / rank = there is no 1 / rank; k beyond = k beyond",
    "intra_list_similarity": "negative = sign of; the mean = sum over; all pairs = neighbours; is not a pair = diagonal"
    " is counted; hold anything = held ones",
    "roc_points": "in this order = axes are swapped; first (0, 0) = does not begin; for each different = the last"
    " point, (1, 1), is; at least this score = is missing; straight lines = straight lines; Ties: = not merged; any"
    " scale = grid",
    "auc_by_histogram": "equal width = equal numbers; lowest to the highest = between 0 and 1; lower edge = upper edge"
    " and not; holds both = falls out; a bound = twice too wide; Ties: = counts nothing; all scores are equal = width"
    " 0",
    "auc_sql": "1 is the positive = reversed; Ties: = counts as lost; NULL: = label is NULL counts",
    "gauc_sql": "user_id = all rows together; weighted by = not weighted; Ties: = counts as lost; NULL: = score is NULL"
    " takes; of the weights too = weights count; of one class have = one class count 0",
    "cohen_kappa": "or strings = case; both agree = accuracy; the sum over = label 1 alone; its share in y_pred = pi;"
    " negative = cut off",
    "expected_calibration_error": "number of bins = fixed; upper edge = lower edge and; holds 0 = 0 falls out; n_b / n"
    " = weighs the same; share of positives = accuracy; |share = sign; without rows = not skipped",
    "bootstrap_interval": "each row = columns; occur twice = counts once; level of confidence = always 0.95; lower and"
    " = upper end comes; (1 - level) / 2 = at each end; of the means = the median; linearly = not interpolated",
    "token_f1": "lower case = capitals are; delete each = punctuation is kept; in string.punctuation = all signs are;"
    " no blank in = becomes a blank; in this order = articles go before; words a, an and the = a or an is kept; leave"
    " out the words = cut out of words; tokens of output + = Jaccard; in any order = same place; as often as = as sets;"
    " neither text has = two empty texts count 0; only one has none = counts 1 against; the best reference = first ref",
    "ips": "also a negative = negative rewards; any number = count as 1 or 0; p_new / p_old = upside down; however"
    " large = are cut; in this order = order is wrong; all rows = with a weight or; the sum of the weights = both"
    " numbers are IPS; cut to the range = kept between",
    "ab_test": "may differ in size = are put together; in this order = order is wrong; less that of the old = old arm"
    " comes; a fraction = in per cent; unpooled one = error is pooled; sum of both variances = are added; the root of ="
    " this is the variance; rate * (1 - rate) = 1 - rate is missing; rate) / n = n - 1; two-sided = one-sided; this"
    " standard error = z has the pooled; without a correction = continuity; sqrt(2) = erf is asked; |z| = exceeds 1",
    "temperature": "from 0 = counted from 1; thousands = exp overflows; divided by T = are multiplied; of a row = down"
    " the columns; a softmax over = sigmoid; mean over the rows = added up; natural = base 2; minus the natural = minus"
    " sign; true class's = likeliest; become 0 = becomes 0; be bounded = bounded below; in this order = order is wrong;"
    " the candidate with = place of the; and that log loss = at temperature 1; log loss, and = Brier; Of equal = equal"
    " losses",
}


@functools.cache
def checked(name, text, limit=2.0):
    """The report of a submission, and the seconds of the processor that it took."""
    function = code(text)
    begin = time.process_time()
    with redirect_stdout(io.StringIO()):
        report = practice.check(name, function, time_limit=0.3 if function is endless else limit)
    return report, time.process_time() - begin


def said(name, function, **options):
    with redirect_stdout(io.StringIO()) as out:
        practice.check(name, function, **options)
    return " ".join(out.getvalue().split())


def values(one, function, named=False):
    cases = zip(one.all_cases, one.expected, strict=True)
    return [(trace(function, c.arguments), e) for c, e in cases if not undefined(e) and (c.name or not named)]


# ---- solutions and mistakes -----------------------------------------------------------------------------------------


@EACH
def test_every_solution_passes_within_a_second_and_a_value_for_nothing_does_not(one):
    for approach in one.approaches:
        begin = time.process_time()
        assert said(one.name, approach.function).startswith(
            f"{one.name}: {len(one.cases) + 1 + (one.language != 'sql')} of "
        )
        assert time.process_time() - begin < 1
    assert bool(one.zero) == any(undefined(e) for c, e in zip(one.all_cases, one.expected, strict=True) if c.name)
    if one.zero and one.language == "python":
        told = said(one.name, lambda *arguments: np.nan_to_num(one.right(*arguments)))
        assert f"where {one.zero}, the value is 0/0, and yours is" in told


@EACH
def test_every_mistake_shows_and_differs_and_is_named(one):
    seen = {}
    for message, function in one.suspects:
        got = values(one, function)
        assert not all(close(*pair) for pair in got), message
        assert not {"NameError", "AttributeError", "SyntaxError"} & {str(value) for value, _ in got}, message
        assert seen.setdefault(str(got), message) == message
    for message, edits in one.mistakes.items():
        assert " ".join(message.split()) in said(one.name, one.mutant(edits[0])), message


@EACH
def test_every_rule_of_a_task_has_a_case_that_fails_without_it(one):
    for rule in RULES[one.name].split(";"):
        words, _, phrase = (part.strip() for part in rule.partition(" = "))
        assert words in " ".join(one.task), words
        function = next(one.mutant(edits[0]) for message, edits in one.mistakes.items() if phrase in message)
        assert not all(close(*pair) for pair in values(one, function, named=True)), words


# ---- submissions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "row"), rows(WRONG), ids=[row.partition(" | ")[0] for _, row in rows(WRONG)])
def test_a_wrong_submission_is_called_what_it_is(name, row):
    _, says, text = row.split(" | ", 2)
    report, _ = checked(name, text)
    assert not report.passed
    assert report.diagnosis.sure == SURE.get(says[0], "certain"), report
    assert says[0] == "-" or says.lstrip("?!") in " ".join(report.mistakes)


@pytest.mark.parametrize(("name", "text"), rows(RIGHT))
def test_a_right_submission_passes_within_a_second(name, text):
    report, seconds = checked(name, text)
    assert report.passed, report
    assert seconds < 1


def test_so_many_are_named():
    sure = {True: Counter(), False: Counter()}
    for name, row in rows(WRONG):
        sure[name in EARLIER][SURE.get(row.split(" | ", 2)[1][0], "certain")] += 1
    assert sure[True] == {"certain": 43, "seen": 10, "may be": 5, "unknown": 3}
    assert sure[False] == {"certain": 169, "seen": 9, "may be": 9}
    assert min(Counter(name for name, _ in rows(WRONG) if name not in EARLIER).values()) >= 10
    assert min(Counter(name for name, _ in rows(RIGHT) if name not in EARLIER).values()) >= 3


@pytest.mark.parametrize("change", ["np.clip(s, 0, 1)", "np.round(s, 2)", "np.searchsorted(np.linspace(0, 1, 101), s)"])
def test_what_auc_refuses_gauc_and_the_curve_refuse(change):
    assert not checked("auc", f"lambda y, s: each(y, {change})")[0].passed
    assert not checked("gauc", f"lambda y, s, g: grouped(y, {change}, g)")[0].passed
    assert not checked("roc_points", f"lambda y, s: rates(y, {change})")[0].passed


# ---- the report -----------------------------------------------------------------------------------------------------


def test_notes_on_time_precision_prints_and_warnings():
    right = practice.approaches("auc")[0].function
    assert "Right, but quadratic: " in said("auc", right)
    assert "quadratic" not in said("auc", practice.approaches("auc")[1].function)
    assert "near single precision (float32), and were compared to five digits" in said(
        "auc", lambda y, s: np.float32(right(y, s))
    )
    assert "It printed: 4" in said("auc", lambda y, s: (print(len(y)), right(y, s))[1])
    assert "Your function warned: RuntimeWarning: divide by zero" in said("log_loss", lambda y, p: np.log(p).mean())
    short = said("auc", lambda y, s: right(y, s) if len(y) < 100 else 0.5)
    assert "Only a long input shows it: the value is wrong for 200 rows." in short
    assert "Right, but not for long inputs: 800 rows end in KeyError" in said(
        "auc", lambda y, s: right(y, s) if len(y) < 800 else {}[0]
    )


def test_after_a_call_that_is_late_no_more_are_made():
    calls = []
    begin = time.monotonic()
    told = said("auc", lambda y, s: calls.append(y) or endless(), time_limit=0.2)
    assert len(calls) == 1
    assert time.monotonic() - begin < 2
    assert "No result in time" in told
    assert "got no result in time" in told
    assert "Right" not in said("auc", lambda y, s: (_ for _ in ()).throw(practice.Stopped), time_limit=0.2)


def test_slow_calls_end_the_random_inputs_and_not_the_named_ones():
    right, calls = practice.approaches("auc")[2].function, []
    report, _ = checked("auc", "lambda y, s: (sum(range(3_000_000)), each(y, s))[1]", 0.5)
    assert all(result.passed for result in report.results), report
    assert said("auc", lambda y, s: calls.append(0) or right(y, s)).startswith("auc: 14 of 14")
    assert len(calls) > 72


def test_a_blank_stub_and_what_cannot_be_called():
    for one in ALL:
        names = {}
        exec(one.stub, names)
        assert f"{one.answer} returns nothing yet. Help: practice.hint('{one.name}')" in said(
            one.name, names[one.answer]
        )
        assert one.language == "sql" or "NumPy only" in one.stub
    for name, wrong, words in [
        ("auc", 0.75, "the function my_auc(y_true, y_score) itself, got 0.75 of type float"),
        ("auc", AUC, "the function my_auc(y_true, y_score) itself"),
        ("auc_sql", len, "the text of a query"),
        ("auc", lambda y: 1, "expected my_auc(y_true, y_score), got a function of (y)"),
    ]:
        with pytest.raises(TypeError, match=r".") as error:
            practice.check(name, wrong)
        assert words in str(error.value)
    with pytest.raises(ValueError, match="did you mean 'ndcg_at_k'"):
        practice.task("ndcg_at_10")
    with pytest.raises(ValueError, match="time_limit: expected a positive number"):
        practice.check("auc", len, time_limit=0)


def test_hints_begin_again_and_what_is_shown_is_public(capsys):
    for _ in range(5):
        practice.hint("auc")
    *_, last, again = capsys.readouterr().out.split("hint 3 of 3")[-1].splitlines()[-4:]
    assert "hint 1 of 3" in last + again
    assert repr(practice.exercises()).count("\n") == 25
    for name in practice.exercises():
        assert practice.exercise(name).signature in practice.task(name)
        assert repr(practice.approaches(name)).count("**complexity**") == len(practice.approaches(name))


# ---- SQL ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "auc_sql returns nothing yet."),
        ("DROP TABLE log", READS),
        ("ATTACH 'a' AS b", READS),
        ("SELECT load_extension('a')", READS),
        (f"{AUC}; SELECT 1", "one statement at a time"),
        ("SELECT AVG(lable) FROM log", "no such column: lable"),
        ("SELECT label FROM log", "rows with 1 column; the task asks for one value"),
        (f"{COUNTING} SELECT n FROM t", "more than 1000 rows with 1 column"),
        ("SELECT '0.75'", "'0.75', a text and not a number"),
        ("SELECT NULL", "The result is NULL whatever the arguments"),
        (f"{COUNTING} SELECT COUNT(*) FROM t", "No result in time"),
    ],
)
def test_what_a_query_may_not_do_or_give(text, told):
    assert told in said("auc_sql", text, time_limit=0.3)
    assert said("auc_sql", AUC).startswith("auc_sql: 12 of 12 tests passed.")
