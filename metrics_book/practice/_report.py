"""The report of all tests of a submission, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metrics_book.practice._engine import Diagnosis, Outcome, diagnose, growth, passes, run
from metrics_book.practice._exercise import Case, Exercise
from metrics_book.practice._values import close, short, shown, size, trace, undefined, wrapped

RANDOM, UNTOUCHED = "random inputs", "leaves its input alone"


@dataclass(frozen=True)
class Result:
    """The outcome of one named test, in words.

    Parameters
    ----------
    name : str
        The name of the test.
    passed : bool
        Whether the submission passed it.
    call, got, expected, why : str
        If it failed: what was called, or the rows that were queried, what came, what should have come, and why it
        matters.
    """

    name: str
    passed: bool
    call: str = ""
    got: str = ""
    expected: str = ""
    why: str = ""

    def __str__(self) -> str:
        if self.passed:
            return f"  ok    {self.name}"
        head = "table" if self.call.startswith("log(") else "call"
        told = {head: self.call, "got": self.got, "expected": self.expected, "why": self.why}
        lines = [" " * 8 + f"{label:12}" + wrapped(text, " " * 20).lstrip() for label, text in told.items() if text]
        return "\n".join([f"  FAIL  {self.name}", *lines])


@dataclass(frozen=True, repr=False)
class Report:
    """What `check` found. ``str(report)`` is the text that it printed, ``report.details`` the list of all tests.

    The text begins with what went wrong, shows the failed test with the fewest values in full, and names the other
    failed tests. ``report.body`` is the same without the last line, which names a function that helps.

    Parameters
    ----------
    name : str
        The name of the exercise.
    results : tuple of Result
        One for each named test, one for all random inputs, and one for what becomes of the arguments.
    diagnosis : Diagnosis
        ``lines``, what went wrong; and ``sure``, how sure that is: ``"passed"``, ``"seen"`` where it is a fact,
        ``"certain"``, ``"may be"`` where it explains most of the failed tests or where several explain all of them, or
        ``"unknown"``.
    notes : tuple of str
        What the submission printed, how it warned, how its time grows, and whether it was compared to five digits.
    smallest : str, optional
        The name of the failed test with the fewest values, or of the first that took too long.
    blank : str, optional
        The name of the submission if it returns nothing in any test, and is to be written yet.
    """

    name: str
    results: tuple[Result, ...]
    diagnosis: Diagnosis
    notes: tuple[str, ...] = ()
    smallest: str = ""
    blank: str = ""

    @property
    def passed(self) -> bool:
        """Whether every test was passed."""
        return not self.failed

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the tests that were not passed."""
        return tuple(result.name for result in self.results if not result.passed)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """What went wrong, line by line."""
        return self.diagnosis.lines

    @property
    def details(self) -> str:
        """Every test, in full where it failed and by its name where it passed."""
        return "\n".join(map(str, self.results))

    @property
    def _count(self) -> str:
        total = len(self.results)
        return f"{self.name}: {total - len(self.failed)} of {total} tests passed"

    @property
    def body(self) -> str:
        """The report without the name of a function that helps."""
        return "\n".join(self._lines())

    def __str__(self) -> str:
        verb = "approaches" if self.passed else "hint"
        return "\n".join(self._lines("", f"{'Compare' if self.passed else 'Help'}: practice.{verb}({self.name!r})"))

    def _lines(self, *more: str) -> list[str]:
        notes = ["", *map(wrapped, self.notes)] if self.notes else []
        if self.blank:
            return [f"{self.blank} returns nothing yet.", *more, *notes]
        if self.passed:
            return [f"{self._count}.", *more, *notes]
        first = next(str(result) for result in self.results if result.name == self.smallest)
        others = [f"  FAIL  {name}" for name in self.failed if name != self.smallest]
        return [f"{self._count}.", *map(wrapped, self.mistakes), "", first, *others, *more, *notes]

    def __repr__(self) -> str:
        return f"<{self._count}>"


def examine(exercise: Exercise, function: Any, limit: float) -> Report:
    """Run all tests and put what they show into words.

    After a call that does not end in time no more are made; random inputs only until all calls took as long as one may.
    """
    cases, outcomes = list(exercise.all_cases), list[Outcome]()
    for case in cases:
        if outcomes and outcomes[-1].late:
            outcomes.append(Outcome(late=True, said="not called: a call before took too long"))
        elif case.name or sum(outcome.seconds for outcome in outcomes) < limit:
            outcomes.append(run(function, case, limit))
    del cases[len(outcomes) :]
    expected = exercise.expected[: len(outcomes)]
    diagnosis = diagnose(exercise, cases, outcomes)
    name = short(str(getattr(function, "__name__", "")))
    name = name if name.isidentifier() else exercise.answer
    triples = list(zip(cases, expected, outcomes, strict=True))
    results = [judged(exercise, name, *triple) for triple in triples if triple[0].name]
    wrong = [(c, r, o) for c, r, o in triples if not c.name and not passes(o, r)]
    shortest = min(wrong, key=lambda triple: size(triple[0].arguments), default=None)
    results.append(judged(exercise, name, *shortest) if shortest else Result(RANDOM, True))
    if exercise.language == "python":
        changed = next((case for case, outcome in zip(cases, outcomes, strict=True) if outcome.changed), None)
        why = "The caller goes on to use the data; sort or fill a copy."
        ended = not all(outcome.late for outcome in outcomes)
        call = called(exercise, name, changed) if changed else ""
        results.append(Result(UNTOUCHED, ended and not changed, call, "" if ended else "no call that ended", why=why))
        if changed and diagnosis.sure == "passed":
            line = "What went wrong: the values are right, and the arguments are changed; work on a copy."
            diagnosis = Diagnosis("certain", (line,))
    notes = noted(exercise, outcomes, expected)
    if all(result.passed for result in results):
        cost, broken = growth(exercise, function, limit)
        notes += [cost] if cost else []
        if broken:
            right = trace(exercise.right, broken.arguments)
            results.append(judged(exercise, name, broken, right, run(function, broken, limit)))
            diagnosis = Diagnosis("seen", (f"Only a long input shows it: the value is wrong for {broken.name}.",))
    blank = exercise.answer if all(o.said == "nothing" and not o.printed for o in outcomes) else ""
    smallest = smallest_of(cases, outcomes, results)
    return Report(exercise.name, tuple(results), diagnosis, tuple(notes), smallest, blank)


def smallest_of(cases: Sequence[Case], outcomes: Sequence[Outcome], results: Sequence[Result]) -> str:
    """The name of the failed test to show: the first that is late, else that with the fewest values."""
    sizes = {case.name or RANDOM: size(case.arguments) for case in reversed(cases)}
    failing = sorted((r for r in results if not r.passed), key=lambda r: (r.name == RANDOM, sizes.get(r.name, 0)))
    late = [c.name or RANDOM for c, o in zip(cases, outcomes, strict=True) if o.late and not o.said]
    return next(iter([*late, *(result.name for result in failing)]), "")


def noted(exercise: Exercise, outcomes: Sequence[Outcome], expected: Sequence[Any]) -> list[str]:
    """What a submission says besides its result is neither right nor wrong."""
    notes = [f"It printed: {outcome.printed}" for outcome in outcomes if outcome.printed][:1]
    warned = [text for outcome in outcomes for text in outcome.warned]
    notes += [f"Your function warned: {text}" for text in list(dict.fromkeys(warned))[:3]]
    pairs = [(o.value, r) for o, r in zip(outcomes, expected, strict=True) if o.value is not None and passes(o, r)]
    if any(close(*pair) and not close(*pair, single=False) for pair in pairs):
        notes.append("The values are near single precision (float32), and were compared to five digits only.")
    return notes


def called(exercise: Exercise, name: str, case: Case) -> str:
    """What a test does, in words."""
    if exercise.language == "python":
        return f"{name}({', '.join(map(shown, case.arguments))})"
    rows = list(zip(*(column.tolist() for column in case.arguments), strict=True))
    few = [f"({', '.join('NULL' if v is None else shown(v) for v in row)})" for row in rows[:10]]
    return f"{exercise.signature}: {', '.join(few)}" + (f", ... {len(rows)} rows" if len(rows) > 10 else "")


def judged(exercise: Exercise, name: str, case: Case, expected: Any, outcome: Outcome) -> Result:
    """One test in words, if it failed with as many digits as tell both values apart."""
    if passes(outcome, expected):
        return Result(case.name or RANDOM, True, got=shown(outcome.value))
    digits = next((d for d in (6, 10, 17) if shown(outcome.value, d) != shown(expected, d)), 17)
    got = outcome.said or ("no result in time" if outcome.late else shown(outcome.value, digits))
    wanted = shown(expected, digits)
    if exercise.language == "sql":
        got, wanted = (text.replace("nan", "NULL") if text == "nan" else text for text in (got, wanted))
    elif undefined(expected):
        wanted = f"{wanted}, or a ValueError"
    why = case.why or "Drawn at random, with the library's value."
    return Result(case.name or RANDOM, False, called(exercise, name, case), got, wanted, why)
