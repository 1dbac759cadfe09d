"""What book/lessons/ndcg.ipynb says, held."""

import itertools

import numpy as np

from metrics_lib import average_precision, dcg, ideal_dcg, ndcg, ndcg_score
from metrics_lib.uncertainty import paired_difference
from tests.claims.runner import holds, proved, section, unchecked


@section("lesson-ndcg")
def test_the_opening(A, B, axes, best):
    judged = [*A, 3, 0]
    holds("Two search engines answer your question with the same six pages, in different orders.")
    assert sorted(A) == sorted(B) and len(A) == len(B) == 6
    holds("A judge has given each page a grade, from 0 (useless) to 3")
    assert set(A) == {0, 1, 2, 3}
    holds("Both engines show grades worth 11, but after discounting, A keeps more of that.")
    assert sum(A) == sum(B) == 11 and dcg(A) > dcg(B)
    holds("The best possible list has one more 3, a page that both engines missed.")
    assert best.count(3) == A.count(3) + 1 == B.count(3) + 1
    holds("both lists come to 11")
    assert sum(A) == sum(B) == 11
    holds("Three bar charts over ranks 1 to 6, on a common scale.")
    assert len(axes) == 3 and len({ax.get_ylim() for ax in axes}) == 1
    assert all(len(bars) == 6 for ax in axes for bars in ax.containers)
    holds("filled bars inside them are full at rank 1 and shrink to about a third at rank 6")
    assert dcg([1]) == 1 and abs(dcg([0] * 5 + [1]) - 1 / 3) < 0.03
    holds("A opens with a 3, while B leaves both of its 3s in the lower half.")
    assert A[0] == 3 and [rank for rank, grade in enumerate(B, 1) if grade == 3] == [4, 6] and B.count(3) == 2
    holds("0.818 for A and 0.688 for B")
    assert [round(ndcg(rel, 6, judged=judged), 3) for rel in (A, B)] == [0.818, 0.688]
    assert [ax.texts[0].get_text() for ax in axes] == ["6.86 left of 11", "5.77 left of 11", "8.38 left of 14"]


@section("In one line")
def test_in_one_line(A):
    proved("Divide each of the first $k$ grades by a number that grows with its rank")
    assert all(np.log2(i + 1) < np.log2(i + 2) for i in range(1, 1000))
    holds("is 0.818, so engine A delivers 82% of what there was to deliver")
    assert round(ndcg([3, 2, 3, 0, 1, 2], 6, judged=[3, 2, 3, 0, 1, 2, 3, 0]), 3) == 0.818
    assert f"{dcg(A) / ideal_dcg([*A, 3, 0], 6):.0%}" == "82%"


@section("lesson-ndcg-by-hand")
def test_by_hand(A, B, ax, best_order, ideal, judged, moved, order, weights):
    holds("Our six results come to 11 in any order")
    assert {sum(rel) for engine in (A, B) for rel in itertools.permutations(engine)} == {11}
    holds("The 2 at rank 2, for example, is worth 2/1.585 = 1.262.")
    assert A[1] == 2 and round(2 / 1.585, 3) == round(float(weights[1] * A[1]), 3) == 1.262
    holds("this step alone cannot separate the engines")
    assert sum(A) == sum(B)
    holds("Eight pages were judged in all: A's six, and two that neither engine found, with grades 3 and 0.")
    assert len(judged) == 8 and judged[:6] == A and sorted(judged[6:]) == [0, 3] and len(A) == 6
    assert [sum(A), round(dcg(A), 6), sum(ideal), round(ideal_dcg(judged, 6), 6)] == [11, 6.861127, 14, 8.384055]
    holds("A's NDCG@6 is therefore 6.861/8.384, which is 0.818.")
    assert round(dcg(A) / dcg(ideal), 3) == round(6.861 / 8.384, 3) == 0.818
    holds("6.861127/8.384055 is 81.84%, but 6.861/8.384 already comes to 81.83%")
    assert f"{dcg(A) / dcg(ideal):.2%}" == f"{6.861127 / 8.384055:.2%}" == "81.84%"
    assert f"{round(dcg(A), 3) / round(dcg(ideal), 3):.2%}" == f"{6.861 / 8.384:.2%}" == "81.83%"
    holds(
        "because the weights fall from rank to rank, so the highest grade belongs at rank 1, the next highest at "
        "rank 2, and so on"
    )
    assert np.isclose(dcg(list(itertools.permutations(judged, 6))).max(), dcg(ideal))
    holds("Where does A lose the other 18%?")
    assert f"{1 - ndcg(A, 6, judged=judged):.0%}" == "18%"
    holds("Slope chart of eight pages, with ranks 1 to 8 running downwards.")
    assert len(order) == len(ax.lines) - 1 == 8 and ax.yaxis_inverted()
    holds("On the left are engine A's ranks, 1 to 6, and below them two pages that were not returned")
    assert sum("not returned" in text.get_text() for text in ax.texts) == 2
    holds("Dashed lines rise from the 3 at rank 3 to 2, from the 2 at rank 6 to 5 and from the missed 3 to 3.")
    assert {page + 1: order.index(page) + 1 for page in range(8) if order.index(page) < page} == {3: 2, 6: 5, 7: 3}
    holds("from the 2 at rank 2 to 4, from the 0 at rank 4 to 7, below the dotted line, and from the 1 at rank 5 to 6")
    assert {page + 1: order.index(page) + 1 for page in range(8) if order.index(page) > page} == {2: 4, 4: 7, 5: 6}
    holds("The missed 0 stays last.")
    assert order[7] == 7 and order[0] == 0 and judged[7] == 0
    holds(
        "Even the best order of these six reaches only 0.852.",
        "The missing page therefore costs 0.148, and A's order costs the other 0.033",
    )
    of_best = max(ndcg(list(o), 6, judged=judged) for o in itertools.permutations(A))
    assert np.isclose(of_best, ndcg(best_order, 6, judged=judged)) and round(of_best, 3) == 0.852
    assert [round(x, 3) for x in (1 - of_best, of_best - ndcg(A, 6, judged=judged))] == [0.148, 0.033]
    holds("of which moving the useless page to the end would win back 0.013")
    assert moved == [grade for grade in A if grade] + [0]
    assert round(ndcg(moved, 6, judged=judged) - ndcg(A, 6, judged=judged), 3) == 0.013
    holds("Two faults stand out: a page of grade 3 was never returned, and a useless page sits at rank 4.")
    assert [judged[page] for page in order[:6] if page > 5] == [3] and [A[page] for page in order[6:] if page < 6] == [
        0
    ]


@section("lesson-ndcg-range")
def at(A, B, judged):
    return {name: ndcg(rel, 6, judged=judged) for name, rel in (("A", A), ("B", B))}


@section("lesson-ndcg-range")
def test_how_good_is_0_818(A, at, ideal, judged, marks, orders, values):
    holds("scores 0, and the ideal list scores 1")
    assert ndcg([0] * 6, judged=judged) == 0 and np.isclose(ndcg(ideal, 6, judged=judged), 1)
    assert round(at["A"], 3) == 0.818
    holds("Six results can be ordered in 720 ways, few enough to score every one of them")
    assert len(values) == 720
    holds("NDCG@6 for all 720 orders of these six results.")
    assert len(values) == 720 and len(A) == 6
    holds("B does worse than the average shuffle.")
    assert at["B"] < values.mean()
    holds("The bars lie between 0.56, marked worst order, and 0.85, marked best order, with the mean at 0.72")
    assert [round(float(x), 2) for x in marks.values()] == [0.56, 0.72, 0.85]
    holds("A line marks B at 0.69, to the left of the mean, and another marks A at 0.82, near the right end.")
    assert (round(at["A"], 2), round(at["B"], 2)) == (0.82, 0.69)
    holds("B's 0.688 is worse than that, although it beats 31% of the orders, and A's 0.818 beats 90% of them.")
    assert round(float(values.mean()), 3) == 0.723 > round(at["B"], 3) == 0.688
    assert [round(float(np.mean(values < at[name] - 1e-9)), 2) for name in "BA"] == [0.31, 0.9]
    holds("No order of these six reaches 1, because the ideal list contains the 3 that was missed.")
    assert values.max() < 1 and np.isclose(ndcg(orders, 6).max(), 1)
    holds("because luck alone does much better")
    assert values.min() > 0.5
    holds("NDCG also runs high whenever many results are relevant")
    means = [ndcg(list(set(itertools.permutations([1] * n + [0] * (6 - n))))).mean() for n in range(1, 7)]
    assert means == sorted(means) and means[-1] == 1


@section("lesson-ndcg-blind")
def test_what_it_cannot_see(judged, short, spam):
    holds("A useless result adds 0, and so does an empty slot.")
    assert dcg([3, 0]) == dcg([3]) and dcg([3, 0, 2]) == dcg([3]) + dcg([0, 0, 2])
    holds("one engine returns three good pages, and another returns the same three followed by seven pages of spam")
    assert len(short) == 3 and spam[:3] == short and spam[3:] == [0] * 7
    holds("NDCG cannot tell them apart")
    for found in itertools.product(range(3), repeat=3):
        assert ndcg(found, 10, judged=[*found, 3]) == ndcg([*found, *[0] * 7], 10, judged=[*found, 3])
    assert ndcg(short, 10, judged=judged) == ndcg(spam, 10, judged=judged)
    holds("Three copies of one page count as three good results")
    assert np.isclose(dcg([2, 2, 2]), dcg([2]) + dcg([0, 2]) + dcg([0, 0, 2]))
    holds("take the unjudged results out, let the others move up, and compute NDCG again")
    with_one_unjudged, condensed = [3, 0, 2], [3, 2]
    assert ndcg(with_one_unjudged, judged=[3, 2]) < ndcg(condensed, judged=[3, 2])


@section("lesson-ndcg-blind")
def test_what_normalising_costs(C, D, to_find):
    holds("Question 1 has one fair page to find, and question 2 has three excellent ones.")
    assert [[grade for grade in pool if grade] for pool in to_find] == [[1], [3, 3, 3]]
    of = {name: ndcg(engine, 3, judged=to_find) for name, engine in (("C", C), ("D", D))}
    holds("Engine C is better at the first question, engine D at the second")
    assert of["C"][0] > of["D"][0] and of["C"][1] < of["D"][1]
    holds("They put the two engines in opposite orders.", "and C wins", "so D wins")
    assert of["C"].mean() > of["D"].mean() and dcg(C, 3).mean() < dcg(D, 3).mean()
    holds("NDCG divides out how much there was to win, so both questions count the same")
    assert ndcg([1, 0], judged=[1, 0]) == ndcg([3] * 12, judged=[3] * 12) == 1
    holds("DCG adds up what the readers receive")
    assert dcg([6, 2, 4]) == 2 * dcg([3, 1, 2])


@section("lesson-ndcg-dials")
def test_the_choices(A, B, at, ax, curves, judged, p, ranks, scores, stopped, unlucky):
    holds("Three dials are hidden behind the name NDCG")
    dials = [ndcg(A, 4, judged=judged, gain="exponential"), ndcg(A, 4), dcg(A, 4) / ideal_dcg(judged)]
    assert len({*dials, ndcg(A, 4, judged=judged)}) == 4
    ten = [
        [
            round(float(value), 3)
            for value in (
                ndcg(A, 4, judged=judged, gain=gain),
                dcg(A, 4, gain=gain) / ideal_dcg(judged, gain=gain),
                ndcg(A, 4, gain=gain),
                dcg(A, 4, gain=gain) / ideal_dcg(A, gain=gain),
                ndcg(A[:4], gain=gain),
            )
        ]
        for gain in ("linear", "exponential")
    ]
    holds("At $k = 4$, they give engine A's list ten different values")
    assert len({*ten[0], *ten[1]}) == 10
    assert ten == [[0.794, 0.687, 0.853, 0.807, 0.978], [0.765, 0.699, 0.872, 0.849, 0.959]]
    holds("scikit-learn (linear), if you pass only what was returned")
    assert np.isclose(ndcg_score([A], [[6, 5, 4, 3, 2, 1]], k=4), ndcg(A, 4))
    no_ideal = [round(dcg(A, 4, gain=gain), 3 - (gain == "exponential")) for gain in ("linear", "exponential")]
    assert no_ideal == [5.762, 12.39]
    reciprocal = [ndcg(A, 4, judged=judged, gain=g, discount=lambda i: 1 / i) for g in ("linear", "exponential")]
    assert np.round(reciprocal, 3).tolist() == [0.833, 0.798]
    assert round(ndcg_score([judged], scores, k=4), 3) == 0.780
    assert np.isnan(ndcg([0, 0])) and [ndcg([0, 0], undefined=value) for value in (0, 1)] == [0, 1]
    holds("The first value of a row is that of the linear gain")
    assert ten[0][0] == 0.794
    holds("On grades of 0 and 1, the two gains are the same.")
    assert dcg([1], gain="exponential") == dcg([1]) and dcg([0], gain="exponential") == 0
    holds("The exponential gain makes a 3 worth seven 1s, and it can reverse a comparison.")
    assert dcg([3], gain="exponential") == 7 * dcg([1], gain="exponential")
    assert ndcg([3, 0, 2, 2]) < ndcg([2, 3, 2, 0])
    assert ndcg([3, 0, 2, 2], gain="exponential") > ndcg([2, 3, 2, 0], gain="exponential")
    assert all(dcg(rel) == dcg(rel, gain="exponential") for rel in itertools.product([0, 1], repeat=6))
    holds(
        "If the ideal is not cut, a perfect list need not reach 1, and if it leaves out the missed results, a poor "
        "list can."
    )
    assert dcg([3, 3, 2], 2) / ideal_dcg([3, 3, 2]) < 1 == ndcg([3, 3, 2], 2)
    assert ndcg([1, 0, 0]) == 1 > 0.2 > ndcg([1, 0, 0], 3, judged=[1, 0, 0, 3, 3])
    holds("switch the gain, and the other list wins")
    in_lab = [[2, 2, 3, 0, 0, 0], [3, 0, 0, 0, 2, 2]]
    assert np.diff(ndcg(in_lab)) < 0 < np.diff(ndcg(in_lab, gain="exponential"))
    holds("list A scores 1 against the returned list, and less against all judged results")
    assert ndcg([2, 1, 0]) == 1 > ndcg([2, 1, 0], 6, judged=[3, 3, 2, 1, 0, 0])
    holds("steep at the top and flatter further down")
    steps = -np.diff(curves["$1 / \\log_2(i + 1)$"][0](np.arange(1.0, 101)))
    assert (np.diff(steps) < 0).all()
    holds("because it cancels in the quotient")
    for base in (2, 3, 10):
        assert np.isclose(
            ndcg(A, 6, judged=judged, discount=lambda i, base=base: np.log(base) / np.log(i + 1)), at["A"]
        )
    holds("we simulate 10,000 readers, each of whom goes on to the next rank with probability 0.8")
    assert len(stopped) == 10_000 and round(float(p), 2) == 0.8
    holds("Three ways to weight a rank, and the NDCG@6 of both engines under each.")
    assert len(curves) == 3 == len(ax.texts)
    holds("three curves that all begin at 1")
    assert len(curves) == 3 and all(curve[0](1.0) == 1 for curve in curves.values())
    log, reciprocal, fitted = (curve[0](ranks) for curve in curves.values())
    holds("falls fastest, to 0.1")
    assert (reciprocal[1:] < np.minimum(log, fitted)[1:]).all()
    holds("The logarithm, solid, falls to 0.29.")
    assert round(float(reciprocal[9]), 3) == 0.1 and round(float(log[9]), 2) == 0.29
    holds(
        "runs through ten dots; it lies above both others at the top, and falls below the logarithm from rank 6 "
        "onwards, to 0.14"
    )
    assert np.abs([(stopped >= rank).mean() for rank in ranks] - fitted).max() < 0.02 and len(ranks) == 10
    assert ((fitted < log) == (ranks >= 6)).all() and round(float(fitted[9]), 2) == 0.14
    holds("A is ahead under all three")
    for curve in curves.values():
        assert ndcg(A, 6, judged=judged, discount=curve[0]) > ndcg(B, 6, judged=judged, discount=curve[0])
    holds("Suppose that engine A gives the same score to the results at ranks 3 and 4")
    assert scores[0][2] == scores[0][3] and len(set(scores[0][:6])) == 5
    tied = ndcg_score([judged], scores, k=6)
    holds("0.806 is halfway between the lucky order, 0.818, and the unlucky one, 0.794")
    assert np.isclose(tied, (at["A"] + unlucky) / 2) and (round(tied, 3), round(unlucky, 3)) == (0.806, 0.794)
    holds("which is what `ignore_ties=True` returns here")
    assert np.isclose(ndcg_score([judged], scores, k=6, ignore_ties=True), unlucky)
    holds("If nothing that was judged is relevant, the ideal is 0, and NDCG is 0/0.")
    assert dcg([0, 0]) == ideal_dcg([0, 0]) == 0 and np.isnan(ndcg([0, 0])) and ndcg([0, 0], undefined=1) == 1


@section("lesson-ndcg-case", after="fig, axes")
def test_on_real_data(axes, both, by_page, by_passage, below, repeats_below, pages, passages, questions, runs, search):
    holds("It has all 31 questions that were judged and, for each of them, 100 passages from web pages")
    assert len(questions) == 31 == len(np.unique(search["query"])) and {len(run) for run in runs} == {100}
    assert all((np.diff(run["score"]) <= 0).all() for run in runs)
    holds("as well as the passages that were judged and not returned")
    assert (search["grade"][np.isnan(search["score"])] >= 0).all() and np.isnan(search["score"]).sum() > 1000
    holds("on average the first ten passages come from only 5.4 pages")
    assert round(np.mean([len(set(run["page"][:10])) for run in runs]), 1) == 5.4
    holds("put the first passage of each page on top, and the repeats below")
    for original, after in zip(runs, below, strict=True):
        repeats = [page in after["page"][:i] for i, page in enumerate(after["page"])]
        assert repeats == sorted(repeats) and set(after["passage"]) == set(original["passage"])
        assert len(set(after["page"][:10])) == 10
    holds("and ten passages of one page are ten results", "with the linear gain and the ideal of all judged passages")
    same = np.array([(1, 1)] * 10, dtype=[("page", int), ("grade", int)])
    assert by_passage(same, same) == 1 and round(by_page(same, same), 3) == 1 and by_page(same[:1], same) == 1
    threes = np.array([(1, 3), (2, 1), (3, 2)], dtype=same.dtype)
    assert by_passage(threes[1:], threes) == ndcg([1, 2], 10, judged=[3, 1, 2])
    holds("Counted by passage, the change costs 0.059 (95% interval 0.019 to 0.100).")
    pairs = {name: np.array(x)[::-1, ~np.isnan(x[0])] for name, x in (("passage", passages), ("page", pages))}
    found = {name: paired_difference(*pair, confidence_level=0.95, rng=0) for name, pair in pairs.items()}
    assert np.round(found["passage"][:3], 3).tolist() == [-0.059, -0.1, -0.019]
    moves = {name: np.subtract(*np.array(x)[::-1]).round(12) for name, x in (("passage", passages), ("page", pages))}
    means = {name: np.nanmean(x, axis=1).round(3).tolist() for name, x in (("passage", passages), ("page", pages))}
    holds("The two yardsticks point in opposite directions.")
    assert means == {"passage": [0.618, 0.558], "page": [0.476, 0.712]}
    holds("a bar for each of 30 questions")
    assert all((~np.isnan(x)).sum() == 30 for x in moves.values())
    holds("21 of the 30 bars point down, 8 up, and one is flat")
    assert [(np.sign(moves["passage"]) == s).sum() for s in (-1, 1, 0)] == [21, 8, 1]
    holds("29 point up and one is flat")
    assert [(np.sign(moves["page"]) == s).sum() for s in (-1, 1, 0)] == [0, 29, 1]
    marked = [ax.texts[0].get_text().replace("\n", " ") for ax in axes]
    assert marked == ["mean -0.059, -0.100 to -0.019", "mean +0.237, +0.182 to +0.291"]
    holds("because unjudged passages rise from 10% of the first ten to 15%")
    unjudged = [np.mean([run["grade"][:10] < 0 for run in lists]) for lists in both.values()]
    assert [f"{share:.0%}" for share in unjudged] == ["10%", "15%"]
    holds("the cost is 0.037, and its interval, from a cost of 0.079 to a gain of 0.005, includes 0")
    known = [
        [by_passage(run[run["grade"] >= 0], q) for run, q in zip(lists, questions, strict=True)]
        for lists in both.values()
    ]
    of_known = paired_difference(*np.array(known)[:, ~np.isnan(known[0])], rng=0)
    assert np.round(of_known[:3], 3).tolist() == [0.037, -0.005, 0.079] and of_known.low < 0 < of_known.high
    holds("because by passage nothing speaks in favour of the change")
    assert found["passage"].high < 0 < of_known.value
    holds("Counted by page, the change gains 0.237 (0.182 to 0.291).")
    assert np.round(found["page"][:3], 3).tolist() == [0.237, 0.182, 0.291]
    holds("by this yardstick a repeat is worth nothing, so moving repeats down can never cost anything")
    every = list(itertools.product(range(3), repeat=4))
    first_named_first = [one for one in every if list(dict.fromkeys(one)) == list(range(len(set(one))))]
    for grades, of_pages in itertools.product(every, first_named_first):
        small = np.array([*zip(of_pages, grades, strict=True)], dtype=same.dtype)
        assert not any(grades) or by_page(repeats_below(small), small) >= by_page(small, small) - 1e-12
    holds("One question has nothing relevant among its 36 judged passages, and was left out of these means.")
    nothing = [rows for rows in questions if rows["grade"].max() <= 0]
    assert len(nothing) == 1 and (nothing[0]["grade"] == 0).sum() == 36
    assert np.isnan(passages).sum(axis=1).tolist() == np.isnan(pages).sum(axis=1).tolist() == [1, 1]


@section("lesson-ndcg-case")
def test_one_run_under_every_setting(bpref, measured, of_question, questions, runs, settings, turned):
    holds("One run under every setting")
    assert {name.split("@")[0].split(",")[0] for name in settings} == {"AP", "bpref", "P", "RR", "NDCG", "ERR", "RBP"}
    holds(
        "the best order of the hundred passages that were returned, and with the mean of 100 shuffles of them, in which"
    )
    assert all(len(values) == 3 + 100 for one in of_question for values in one.values())
    assert all(shuffle < top and level <= top + 1e-9 for _, shuffle, level, top, *_ in settings.values())
    holds("each passage comes to each rank once")
    assert (np.sort(turned, axis=0) == np.arange(100)[:, None]).all()
    shuffles = {name: round(float(settings[name][1]), 3) for name in ("AP, bar 2", "ERR@10, scale to 3")}
    assert shuffles == {"AP, bar 2": 0.147, "ERR@10, scale to 3": 0.303}  # as the lessons on AP and ERR have it
    levels = {name: round(float(one[2]), 3) for name, one in settings.items()}
    holds("The NDCG@10 of this one run is anything from 0.507 to 0.864")
    of_ten = [level for name, level in levels.items() if name.startswith("NDCG@10") and "100" not in name]
    assert (min(of_ten), max(of_ten)) == (0.507, 0.864)
    holds("the loss all but disappears, because that ideal forgives whatever was left out")
    assert abs(settings["NDCG@10, ideal of the ten"][4]) < 0.005 < 0.05 < -settings["NDCG@10"][4]
    assert ndcg([1, 0]) == ndcg([3, 0]) == 1
    holds("Of the 21 changes, 18 are losses, and of their intervals, 10 lie below 0, the other 11 include it")
    changes = [one[4:7] for one in settings.values()]
    assert len(changes) == 21 and sum(value < 0 for value, _, _ in changes) == 18
    assert sum(high < 0 for _, _, high in changes) == 10 and sum(low <= 0 <= high for _, low, high in changes) == 11
    assert not any(low > 0 for _, low, _ in changes)
    holds("The intervals of AP with bar 3 and of the condensed AP reach 0 by less than 0.001")
    for name in ("AP, bar 3", "AP, bar 2, condensed"):
        assert 0 < settings[name][6] < 0.001 and settings[name][7] < 0.05
    holds("With a bar of 2, grades 2 and 3 count as relevant.")
    rows = questions[0]["grade"]
    first = measured(runs[0]["grade"][None], rows[rows >= 0])
    assert first["AP, bar 2"][0] == average_precision(runs[0]["grade"] >= 2, n_relevant=int((rows >= 2).sum()))
    holds("Questions without anything relevant are left out unless the name says otherwise")
    empty = {name: one[0] for name, one in settings.items()}
    assert empty["NDCG@10"] == 30 and empty["NDCG@10, empty is 0"] == 31 and empty["RR, bar 3, no answer is 0"] == 31
    holds("is a relative of AP that looks only at judged passages")
    known = np.array([[True, True, False, True]])
    listed, moved = np.array([[True, False, False, True]]), np.array([[True, False, True, False]])
    pool = np.array([2, 0, 2, 0])
    assert bpref(listed, known, pool)[0] == bpref(moved, known[:, [0, 1, 3, 2]], pool)[0]


@section("Try it")
def test_try_it(A, at, ideal, judged, weights):
    swaps = [[*A[:i], A[i + 1], A[i], *A[i + 2 :]] for i in range(5)]
    changes = [ndcg(swap, 6, judged=judged) - at["A"] for swap in swaps]
    holds("You may swap two neighbours in engine A's list, once.")
    assert all(sum(a != b for a, b in zip(swap, A, strict=True)) == 2 for swap in swaps)
    holds("Three swaps help, and in each the better page moves up past one that is a single grade worse")
    assert [i for i in range(5) if changes[i] > 0] == [i for i in range(5) if A[i + 1] - A[i] == 1] == [1, 3, 4]
    holds("There are only five swaps")
    assert len(swaps) == 5 == len(A) - 1
    holds("Which swap raises NDCG@6 the most?")
    assert int(np.argmax(changes)) == 1
    holds("The higher up it happens, the more two neighbouring weights differ")
    assert max(changes) > 0 and sum(np.isclose(changes, max(changes))) == 1
    assert int(np.argmax(changes)) == 1 and A[2] > A[1] and (np.diff(-np.diff(weights)) < 0).all()
    holds("On its own, the list of one is perfect")
    assert ndcg(A[:1]) == 1
    holds("each result withheld costs exactly what it would have earned")
    against = [ndcg(A[:n], 6, judged=judged) for n in range(1, 7)]
    assert np.allclose(np.diff(against), (weights * A)[1:] / dcg(ideal))


@section("Further")
def test_further():
    holds("their own numbers give 81.84%")
    assert f"{ndcg([3, 2, 3, 0, 1, 2], 6, judged=[3, 2, 3, 0, 1, 2, 3, 0]):.2%}" == "81.84%"
    holds("so that any sorted list is perfect")
    for found in itertools.product(range(4), repeat=4):
        assert not any(found) or ndcg(sorted(found, reverse=True)[:3]) == 1


@section("lesson-ndcg")
def test_unchecked_the_opening():
    unchecked("Fewer readers reach rank 6 than rank 1", "how people read is no computation")


@section("lesson-ndcg-dials")
def test_unchecked_the_choices():
    unchecked("It is a convention", "nothing follows from the form of the curve")


@section("Further")
def test_unchecked_further():
    unchecked("print 81.96%", "what the document prints is no computation")
