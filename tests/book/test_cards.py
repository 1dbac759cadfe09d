"""The metric cards: complete, computed, shown in their chapters, and in accord with the library and the terms."""

import ast
import inspect
import math
import re
import warnings
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import metrics_lib
from metrics_lib import lists, measures, sql, trec, uncertainty
from tests.book.chapter import Chapter
from tests.registries import NAMES, ROOT, evaluate, exact, flat, load, same, select, twice
from tools import notebooks

CARDS = load("cards")
TASKS = ["labels", "scores", "ranked list", "numbers", "distributions"]
# Addresses (card-<id>) that others link to: these stay.
PUBLISHED = """accuracy error-rate precision recall specificity false-positive-rate false-discovery-rate f1 f-beta
    macro-average micro-average macro-f1 weighted-f1 hamming-loss instance-f1 roc-curve auc gauc multilabel-auc pr-curve
    break-even-point ranking-loss one-error coverage-error label-ranking-average-precision precision-at-k recall-at-k
    f-at-k average-precision mean-average-precision reciprocal-rank mean-reciprocal-rank expected-reciprocal-rank
    cumulative-gain dcg ndcg hit-ratio intra-list-similarity mse rmse mae mape smape wmape r2 entropy cross-entropy
    kl-divergence distribution-perplexity model-perplexity corpus-perplexity"""
TEXTS = ["range", "direction", "needs", "undefined", "short_undefined", "blind_to", "use_when"]
HELPERS = {helper["name"] for helper in load("helpers")}
# What stands in the calls of the cards: for a good result, and what is worse in a bad one. A card may bring its own.
GOOD = {
    "y_true": [1, 0],
    "y_pred": [1, 0],
    "y_score": [2, 1],
    "groups": [1, 1],
    "rel": [[3, 2, 0]],
    "grades": [3, 2, 0],
    "k": 2,
    "hits": [2],
    "n_relevant": [3],
    "similarity": [[1, 0], [0, 1]],
    "p": [0.75, 0.25],
    "q": [0.75, 0.25],
    "log_probs": [-1, -1],
    "sentences": [[-1, -1]],
}
BAD = {
    "y_pred": [0, 1],
    "y_score": [1, 2],
    "rel": [[0, 2, 3]],
    "grades": [0, 2, 3],
    "hits": [1],
    "similarity": [[1, 1], [1, 1]],
    "q": [0.25, 0.75],
    "log_probs": [-2, -3],
    "sentences": [[-2, -3]],
}
# A curve has no single value, and what is a property of the data no better one.
DIRECTED = [
    card for card in CARDS if card["id"] not in ("roc-curve", "pr-curve") and "neither" not in card["direction"]
]
CHAPTERS = {
    path.relative_to(notebooks.BOOK).with_suffix("").as_posix(): Chapter.read(path)
    for path in notebooks.book_notebooks()
}
SHOWN = {
    home: [card for block in chapter.directives if block.name == "card-links" for card in block.argument.split()]
    for home, chapter in CHAPTERS.items()
}

each_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card["id"])


def names_in(expression):
    return {node.id for node in ast.walk(ast.parse(expression, mode="eval")) if isinstance(node, ast.Name)}


def arguments(card, bad):
    """What the names in a call stand for; several labels come as indicator matrices."""
    data = GOOD | card.get("good", {}) | (BAD | card.get("bad", {}) if bad else {})
    if re.search("multi-?label$", card["home"]):
        data |= {name: [data[name], data[name][::-1]] for name in ("y_true", "y_pred", "y_score")}
    return data


def value_of(check):
    """The value of a check as it is now, or the name of its error; and whether the library warned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", metrics_lib.UndefinedMetricWarning)
        try:
            value = evaluate(check["expr"])
        except ValueError:
            value = "ValueError"
    return value, bool(caught)


def own(card):
    """The checks that call a function of the card, with the numbers that they give."""
    functions = set().union(*map(names_in, card["call"])) & set(metrics_lib.__all__)
    for check in card["checks"]:
        value, warned = value_of(check)
        if names_in(check["expr"]) & functions:
            yield check, flat(exact(check["value"])) if value != "ValueError" else [], warned


# The records


def test_the_cards_are_in_the_order_of_the_tasks_and_keep_their_addresses():
    assert [card["id"] for card in CARDS] == [
        card["id"] for card in sorted(CARDS, key=lambda card: TASKS.index(card["task"]))
    ]
    assert twice(card["id"] for card in CARDS) == []
    assert twice(card["name"] for card in CARDS) == []
    assert set(PUBLISHED.split()) - {card["id"] for card in CARDS} == set()


@each_card
def test_related_cards_name_each_other(card):
    others = {other["id"]: other for other in CARDS}
    unknown = [other for other in card["related"] if other not in others or other == card["id"]]
    assert unknown == [], f"related of {card['id']}: expected ids of other cards"
    silent = [other for other in card["related"] if card["id"] not in others[other]["related"]]
    assert silent == [], f"{card['id']} names these cards: expected that their related names it, too"


@each_card
def test_a_call_is_one_that_the_library_takes(card):
    for call in card["call"]:
        tree = ast.parse(call, mode="eval").body
        node, attribute = (tree.value, tree.attr) if isinstance(tree, ast.Attribute) else (tree, "")
        if isinstance(node.func, ast.Attribute) and node.func.attr == "fbeta":
            node = node.func.value
        function = eval(ast.unparse(node.func), vars(metrics_lib))
        inspect.signature(function).bind(*node.args, **{keyword.arg: None for keyword in node.keywords})
        assert not attribute or hasattr(metrics_lib.ConfusionCounts, attribute)


def test_every_function_of_the_library_is_on_a_card_or_a_helper():
    called = {name for card in CARDS for call in card["call"] for name in names_in(call)}
    functions = {name for name in metrics_lib.__all__ if inspect.isfunction(getattr(metrics_lib, name))}
    without = sorted(functions - called - HELPERS)
    assert without == [], (
        "expected a card that calls each, or a line in book/data/helpers.yml that says why there is none"
    )
    assert sorted(HELPERS - functions | HELPERS & called) == [], "helpers.yml: these are no functions, or on a card"


# The numbers


@each_card
def test_the_values_of_a_card_are_computed(card):
    for check in card["checks"]:
        assert list(check) == ["expr", "value"]
        value, _ = value_of(check)
        if check["value"] == "ValueError":
            assert value == "ValueError", check
        else:
            assert value != "ValueError", check
            assert same(value, exact(check["value"])), check


@each_card
def test_the_first_example_holds_by_the_library_and_in_plain_python(card):
    first, *others = card["checks"]
    functions = set(metrics_lib.__all__)
    assert names_in(first["expr"]) & names_in(card["call"][0]) & functions
    assert any(check["value"] == first["value"] and not names_in(check["expr"]) & functions for check in others)


@pytest.mark.filterwarnings("ignore::metrics_lib.UndefinedMetricWarning")
@pytest.mark.parametrize("card", DIRECTED, ids=lambda card: card["id"])
def test_the_direction_is_that_from_a_bad_result_to_a_good_one(card):
    call = card["call"][0].replace("...", "None")
    unknown = names_in(call) - set(NAMES) - set(arguments(card, bad=True))
    assert not unknown, f"{card['id']}: say in its fields good and bad what {sorted(unknown)} of {call} stand for"
    good, bad = (np.mean(eval(call, NAMES | arguments(card, bad))) for bad in (False, True))
    assert (good > bad) == card["direction"].startswith("higher")
    assert (good < bad) == card["direction"].startswith("lower")


@each_card
def test_the_range_is_kept_and_its_ends_are_attained(card):
    numbers = [number for _, numbers, warned in own(card) if not warned for number in numbers if number == number]
    kinds = r"([\[(])(?:(-?\d+)|\S+), (?:(\d+)|.+?)([\])])"
    opening, low, high, closing = re.match(kinds, card["range"]).groups()
    for end, closed, inside in [
        (low, opening == "[", lambda number: number > int(low)),
        (high, closing == "]", lambda number: number < int(high)),
    ]:
        if end is not None:
            assert (int(end) in numbers) == closed, card["range"]
            assert [number for number in numbers if number != int(end) and not inside(number)] == []
    if high is None and r"\infty$)" in card["range"]:
        assert max(numbers) >= 1000
    if r"\infty$]" in card["range"]:
        assert math.inf in numbers


@each_card
def test_the_undefined_case_is_computed(card):
    undefined = [
        check
        for check in card["checks"]
        if value_of(check)[1] or check["value"] == "ValueError" or check["value"] != check["value"]
    ]
    if card["undefined"].startswith("never"):
        assert all(check["value"] == "ValueError" for check in undefined)
        assert card["short_undefined"].startswith("never")
    else:
        assert undefined
        assert not card["short_undefined"].startswith("never")


@each_card
def test_a_card_states_only_computed_numbers(card):
    values = [
        number for check in card["checks"] if check["value"] != "ValueError" for number in flat(exact(check["value"]))
    ]
    text = " ".join([*(card[field] for field in ["symbols", *TEXTS]), *card["do_not_use_when"]])
    printed = set(re.findall(r"(?<![\w./])\d+(?:\.\d+|/\d+)(?![\w/])", text)) - {"0/0"}
    assert [number for number in printed if Fraction(number) not in values] == []


# The intervals


def sample(card):
    """Forty rows for the names in the calls of a card, none of them perfect."""
    rng = np.random.default_rng(0)
    truth, noise = np.tile([1, 0], 20), rng.random(40)
    called = np.where(noise < 0.8, truth, 1 - truth)
    score = np.round(truth + 1.5 * noise, 1)
    grades = rng.integers(0, 4, (40, 3))
    grades[:, 2] += 1 - np.minimum(grades.sum(axis=1), 1)
    data = {"y_true": truth, "y_pred": called, "y1": truth, "y2": called, "y_score": score, "n": 40}
    if re.search("multi-?label$", card["home"]):
        other = np.roll(truth, 1)
        data |= {
            "y_true": np.c_[truth, other],
            "y_pred": np.c_[called, np.roll(other, 3)],
            "y_score": np.c_[score, noise],
        }
    if card["task"] == "numbers":
        data |= {"y_true": 10 + noise, "y_pred": 10 + rng.random(40)}
    if card["id"] == "micro-average":
        data |= {"y_true": truth + (noise < 0.5), "y_pred": called + (noise < 0.6)}
    counts = metrics_lib.ConfusionCounts.from_labels(truth, called)
    users = np.repeat(np.arange(8), 5)
    shown = rng.random((40, 3, 3))
    return data | {
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
        "tn": counts.tn,
        "y_prob": np.clip(score / 3, 0, 1),
        "y_proba": np.clip(score / 3, 0, 1),
        "groups": users,
        "aucs": metrics_lib.gauc(truth, score, users, return_groups=True)[2],
        "impressions": np.full(8, 5),
        "rel": grades,
        "grades": grades,
        "judged": grades,
        "k": 2,
        "hits": rng.integers(0, 4, 40),
        "n_relevant": np.full(40, 4),
        "similarity": (shown + shown.swapaxes(1, 2)) / 2,
        "log_probs": -noise - 0.1,
        "sentences": [[-share, -0.5] for share in noise + 0.1],
    }


@pytest.mark.filterwarnings("ignore::metrics_lib.UndefinedMetricWarning")
@pytest.mark.parametrize("card", [card for card in CARDS if "`" in card["interval"]], ids=lambda card: card["id"])
def test_the_interval_of_a_card_is_one_of_its_metric(card):
    names = NAMES | sample(card)
    calls = re.findall("`([^`]+)`", card["interval"])
    drawn = {name: getattr(uncertainty, name) for name in uncertainty.__all__}
    drawn["bootstrap"] = partial(uncertainty.bootstrap, n_resamples=200, rng=0)
    found = [eval(call, names | drawn) for call in calls]
    assert all(low <= value <= high and low < high for value, low, high, *_ in found)
    if not card["interval"].startswith("none"):
        relevant = (
            card["call"][0].replace("n_relevant=...", "n_relevant=n_relevant").replace("judged=...", "judged=judged")
        )
        expected = np.mean(eval(relevant.replace("max_grade=...", "max_grade=3"), names))
        assert [interval.value for interval in found] == pytest.approx([expected])


def test_resamples_have_a_larger_calibration_error():
    """That is why its card names no interval."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        said = rng.random(500)
        happened = (rng.random(500) < said).astype(int)
        found = uncertainty.bootstrap(metrics_lib.expected_calibration_error, happened, said, n_resamples=100, rng=rng)
        assert found.distribution.mean() > found.value


# The other doors


@pytest.mark.parametrize(
    "card", [card for card in CARDS if "sql" in card.get("doors", {})], ids=lambda card: card["id"]
)
def test_the_query_of_a_card_gives_the_value_of_its_function(card):
    data = sample(card)
    query = eval(card["doors"]["sql"], {"sql": sql, "table": "log", "groups": "user"})
    name = card["doors"]["sql"].removeprefix("sql.").partition("(")[0]
    call = next((call for call in card["call"] if call.startswith(f"{name}(")), card["call"][0])
    second = data[ast.parse(call, mode="eval").body.args[1].id].tolist()
    columns = {"label": data["y_true"].tolist(), "score": second, "prediction": second, "user": data["groups"].tolist()}
    assert select(query, **columns)[0][0] == pytest.approx(eval(call, NAMES | data), rel=1e-12)


@pytest.mark.parametrize(
    "card", [card for card in CARDS if "measure" in card.get("doors", {})], ids=lambda card: card["id"]
)
def test_the_measure_of_a_card_gives_the_value_of_a_function_of_it(card):
    grades = np.random.default_rng(0).integers(0, 4, (30, 12))
    hits, relevant = (grades[:, :10] > 0).sum(axis=1), (grades > 0).sum(axis=1)
    data = {"rel": grades, "grades": grades, "judged": grades, "hits": hits, "n_relevant": relevant, "k": 10}
    known = {**data, "max_grade": 4}
    calls = [re.sub(r"(\w+)=\.\.\.", r"\1=\1", call) for call in card["call"]]
    expected = [eval(call, NAMES | known) for call in calls if names_in(call) <= {*NAMES, *known}]

    query, place = (index.ravel().tolist() for index in np.indices(grades.shape))
    score = [-rank for rank in place]
    table = lists.Lists.from_columns(query, score, grades.ravel())
    items = list(enumerate(grades.tolist()))
    qrels = {query: dict(enumerate(grades)) for query, grades in items}
    run = {query: {rank: -rank for rank in range(12)} for query, _ in items}
    name = card["doors"]["measure"]
    rows = select(sql.evaluate("log", name), query=query, item=place, label=grades.ravel().tolist(), score=score)
    for found in (
        measures.evaluate(table, name)[name],
        trec.evaluate(qrels, run, name)[name],
        np.array([row[1] for row in sorted(rows)]),
    ):
        assert any(
            np.allclose(found if np.ndim(values) else found.mean(), values, rtol=1e-12, atol=1e-15)
            for values in expected
        )


def test_every_query_and_every_measure_is_on_a_card():
    doors = [card.get("doors", {}) for card in CARDS]
    queries = {door["sql"].removeprefix("sql.").partition("(")[0] for door in doors if "sql" in door}
    assert set(sql.__all__) - {"counts"} - HELPERS == queries, "counts merges rows and has no value"
    used = {measures.parsed_measure(door["measure"])[0].name for door in doors if "measure" in door}
    assert set(measures.MEASURES) - {"Judged"} == used, "Judged says how much is known of the lists"


def test_the_cheat_sheet_says_what_the_other_doors_are():
    page = (ROOT / "book" / "reference" / "cheat-sheet.md").read_text(encoding="utf-8")
    says = page.partition("## Tables and files\n")[2]
    data = {"sql": sql, "trec": trec, "qrels": {"q": {"d": 1}}, "run": {"q": {"d": 1}}}
    for call in re.findall(r"`((?:sql|trec)\.[^`]+)`", says):
        assert eval(call, data)
    named = re.findall("`([^`]+)`", says.partition("Measures by name")[2])
    used = {measures.parsed_measure(name.replace("@k", "@10"))[0].name for name in named}
    assert used == set(measures.MEASURES) - {"Judged"}


# Cards and chapters, both ways


@each_card
def test_a_card_is_derived_and_shown_in_its_home(card):
    assert card["home"] in CHAPTERS, f"home of {card['id']}: expected a notebook of the book"
    chapter = CHAPTERS[card["home"]]
    written = "\n".join(cell.source for cell in chapter.notebook.cells)
    label = rf"^\({card['equation']}\)=$|^\$\$ \({card['equation']}\)$"
    assert re.search(label, written, re.MULTILINE), f"{card['home']} has no label {card['equation']}"
    assert card["id"] in SHOWN[card["home"]], f"{card['home']} does not show the card"


@pytest.mark.parametrize("home", SHOWN)
def test_a_chapter_shows_cards_that_exist(home):
    assert len(set(SHOWN[home])) == len(SHOWN[home])
    assert [name for name in SHOWN[home] if name not in {card["id"] for card in CARDS}] == []


@pytest.mark.parametrize("directive", ["metric-cards", "card-table", "cheat-sheet"])
def test_the_reference_pages_show_each_task_once(directive):
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "book" / "reference").glob("*.md"))
    assert sorted(re.findall(rf"^```{{{directive}}} (.+)$", pages, re.MULTILINE)) == sorted(TASKS)


# Cards and terms


def test_each_card_has_its_term_with_the_same_chinese_name_and_home():
    cards = {card["id"]: card for card in CARDS}
    terms = [term for term in load("terms") if term["card"]]
    assert {term["card"] for term in terms} == set(cards)
    for term in terms:
        card = cards[term["card"]]
        assert term["chinese"] in card["chinese"], card["id"]
        assert term["home"] == card["home"], card["id"]
