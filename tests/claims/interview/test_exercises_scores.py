"""What book/interview/exercises-scores.ipynb says, held."""

import numpy as np

from metrics_book.practice import approaches
from tests.claims.runner import holds, section, unchecked


@section("interview-exercise-auc")
def test_auc(report):
    holds("why a tie is worth one half")
    assert approaches("auc")[0].function(np.array([0, 1]), np.array([2, 2])) == 1 / 2
    holds("all three named tests that fail have ties")
    assert list(report.failed) == [
        "equal scores",
        "the same rows in another order",
        "all scores equal",
        "random inputs",
    ]
    assert "equal scores are not merged" in report.mistakes[0]
    holds("One data set in two orders gives two values")
    assert report.results[1].got != report.results[2].got
    assert report.results[1].expected == report.results[2].expected


@section("interview-exercise-gauc")
def test_grouped_auc(report, their_gauc):
    assert "without weights" in report.mistakes[0]
    assert list(report.failed)[:2] == ["two users", "the same rows interleaved"]
    holds("Tests in which all users have equally many rows cannot tell the two apart")
    assert [result.passed for result in report.results if result.name == "scores on another level"] == [True]
    right = approaches("gauc")[0].function
    for n in range(64):
        rows = np.array([n >> i & 1 for i in range(6)]), np.array([3, 1, 2, 2, 1, 3]), np.array([1, 2] * 3)
        if {0, 1} == set(rows[0][::2]) == set(rows[0][1::2]):
            assert np.isclose(their_gauc(*rows), right(*rows))
    holds("the first one has users with two and five rows")
    assert report.results[0].call.endswith("[1, 1, 2, 2, 2, 2, 2])")


@section("interview-exercise-auc-sql")
def test_auc_in_sql(report, their_auc_sql):
    holds("All four named tests that fail have equal scores, and all their values are too low.")
    assert list(report.failed) == [
        "equal scores",
        "the same rows in another order",
        "a constant score, positives first",
        "a constant score, negatives first",
        "random inputs",
    ]
    failed = [result for result in report.results if not result.passed]
    assert all(float(result.got) < float(result.expected) for result in failed)
    holds("gives equal scores the lowest of their ranks")
    assert "RANK gives equal scores the lowest of their ranks" in report.mistakes[0]
    join, mean_rank = (approach.function for approach in approaches("auc_sql")[:2])
    query = join.with_text
    theirs = query(their_auc_sql)
    holds("so a tied pair counts as lost, and a positive loses to the other positives of its score besides")
    assert theirs([1, 0], [0.5, 0.5]) == 0
    assert theirs([1, 1, 0], [0.5, 0.5, 0.2]) == 1 / 2
    assert theirs([1, 1, 0], [0.5, 0.6, 0.2]) == 1
    holds("a constant score gets 0, 1 or something between")
    numbered = query(their_auc_sql.replace("RANK", "ROW_NUMBER"))
    assert [numbered(labels, [0.5] * 4) for labels in ([1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0])] == [0, 1, 1 / 2]
    holds("does not skip the ranks that ties take up, while the formula counts rows")
    dense = query(their_auc_sql.replace("RANK", "DENSE_RANK"))
    assert dense([0, 0, 1], [0.5, 0.5, 0.9]) == 1 / 2
    assert dense([0, 0, 1], [0.5, 0.6, 0.9]) == 1
    holds("so that a tied pair counts as won")
    running = query("""
WITH per_score AS (SELECT score, SUM(label) AS pos, SUM(1 - label) AS neg FROM log GROUP BY score),
running AS (SELECT pos, neg, SUM(neg) OVER (ORDER BY score) AS below FROM per_score)
SELECT 1.0 * SUM(pos * below) / (SUM(pos) * SUM(neg)) FROM running""")
    assert running([1, 0], [0.5, 0.5]) == 1
    holds("two close scores in the right order get one half")
    binned = query(mean_rank.replace("FROM log", "FROM (SELECT label, ROUND(score, 1) AS score FROM log)"))
    assert mean_rank([0, 1], [0.51, 0.52]) == 1
    assert binned([0, 1], [0.51, 0.52]) == 1 / 2
    holds("an integer is divided by an integer, and every AUC below 1 is 0")
    cut = query(their_auc_sql.replace("1.0 * ", ""))
    rng = np.random.default_rng(0)
    for _draw in range(100):
        rows = np.append([0, 1], rng.integers(0, 2, 6)), rng.random(8)
        assert cut(*rows) == (theirs(*rows) == 1)
    holds("counts a row whose score is NULL, which no comparison wins; and `ELSE` takes a NULL for a tie")
    joined = "FROM log AS p JOIN log AS n ON p.label = 1 AND n.label = 0"
    assert query(f"SELECT 1.0 * SUM(p.score > n.score) / COUNT(*) {joined}")([1, 1, 0], [0.9, None, 0.1]) == 1 / 2
    otherwise = "CASE WHEN p.score > n.score THEN 1 WHEN p.score < n.score THEN 0 ELSE 0.5 END"
    assert query(f"SELECT AVG({otherwise}) {joined}")([1, 1, 0], [0.9, None, 0.1]) == 3 / 4


@section("interview-exercise-gauc-sql")
def test_grouped_auc_in_sql(report, their_gauc_sql):
    assert "rows with a NULL take part, and ROW_NUMBER" in report.mistakes[0]
    right = approaches("gauc_sql")[1].function
    query = right.with_text
    theirs = query(their_gauc_sql)
    holds(
        "Name the three places where `user_id` belongs: the window of the rank, the window of the ties, the grouping."
    )
    places = [line.strip()[:12] for line in right.splitlines() if "BY user_id" in line]
    assert places == ["RANK() OVER ", "+ (COUNT(*) ", "GROUP BY use"]
    holds("gives the positive the higher or the lower number by the order of the rows")
    assert {theirs([1, 1], labels, [0.5, 0.5]) for labels in ([0, 1], [1, 0])} == {0, 1}
    holds("a row without a label becomes a negative, one without a score the lowest of its user")
    unlabelled, unscored = ([1] * 3, [1, 0, None], [0.5, 0.9, 0.1]), ([1] * 3, [0, 1, 1], [0.5, 0.9, None])
    assert (theirs(*unlabelled), right(*unlabelled)) == (1 / 2, 0)
    assert (theirs(*unscored), right(*unscored)) == (1 / 2, 1)
    holds("ranks the scores of all users together, and values beyond 1 come out")
    together = query(right.replace("PARTITION BY user_id ORDER", "ORDER"))
    perfect = [1, 1, 2, 2], [1, 0, 1, 0], [0.2, 0.1, 0.9, 0.8]
    assert right(*perfect) == 1 < together(*perfect)
    holds("weighs users alike, and not their rows")
    mean = "SUM(n * auc) / SUM(n)"
    of_three_and_two = [1, 1, 1, 2, 2], [1, 1, 0, 1, 0], [0.5, 0.4, 0.3, 0.1, 0.2]
    assert right(*of_three_and_two) == 3 / 5
    assert query(right.replace(mean, "AVG(auc)"))(*of_three_and_two) == 1 / 2
    holds("counts users of one class, as if their rows were ranked the wrong way round")
    one_class = [1, 1, 2, 2], [1, 0, 1, 1], [0.9, 0.1, 0.5, 0.4]
    reversed_rows = [1, 1, 2, 2], [1, 0, 1, 0], [0.9, 0.1, 0.4, 0.5]
    unseen = right.replace("WHERE auc IS NOT NULL", "")
    filled = query(unseen.replace(mean, "SUM(n * COALESCE(auc, 0)) / SUM(n)"))
    assert right(*one_class) == 1
    assert filled(*one_class) == right(*reversed_rows) == 1 / 2
    holds("does the same unseen: a NULL adds nothing above, and its rows stay below")
    assert query(unseen)(*one_class) == filled(*one_class)


@section("interview-exercise-roc-points")
def test_the_points_of_the_roc_curve(report, their_roc_points):
    holds("Every rate is right, and still every curve is wrong: it begins at its second point.")
    assert list(report.failed) == [result.name for result in report.results[:-1]]
    assert "does not begin at (0, 0)" in report.mistakes[0]
    rng = np.random.default_rng(0)
    for _draw in range(100):
        rows = np.append([0, 1], rng.integers(0, 2, 6)), rng.integers(0, 4, 8)
        whole = np.array(approaches("roc_points")[0].function(*rows))
        assert np.allclose(their_roc_points(*rows), whole[:, 1:])
    holds("where all scores are equal a single point is left")
    assert their_roc_points(np.array([0, 1, 0]), np.array([2, 2, 2])) == ([1], [1])


@section("interview-exercise-auc-by-histogram")
def test_auc_from_a_histogram(report, their_auc_by_histogram):
    assert "the bins lie between 0 and 1" in report.mistakes[0]
    assert {"logits", "tiny scores"} <= set(report.failed)
    holds("The first two tests pass, because their scores happen to reach from 0 to 1.")
    assert [result.passed for result in report.results[:2]] == [True, True]
    rows = np.array([1, 0, 1, 0, 1]), np.array([0, 0.3, 0.6, 0.9, 1])
    right = approaches("auc_by_histogram")[0].function
    assert np.allclose(their_auc_by_histogram(*rows, 2), right(*rows, 2))
    assert not np.allclose(their_auc_by_histogram(rows[0], rows[1] / 2, 2), right(rows[0], rows[1] / 2, 2))


@section("interview-exercise-auc-sql")
def test_unchecked_auc_in_sql():
    unchecked("The mean rank is the answer that interviews wait for", "what is asked is not computed")
