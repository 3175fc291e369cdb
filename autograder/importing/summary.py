"""The summary for a teacher: what the exams refuse, the table on the screen, and `import.md`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.config import AUTHOR_POLICY
from autograder.exam.model import Exam, Facet
from autograder.exam.plan import plan_definitions
from autograder.exam.store import exam_for
from autograder.grading.runs import Budget, GradingContext, RunResult, job_for, run_alone
from autograder.importing.deciding import Decision
from autograder.importing.reading import Homework
from autograder.importing.recording import Rehearsal
from autograder.prove.answers import sandbox_of, submission_with
from autograder.prove.mutate import mutants_of
from autograder.text import count_text, points_text
from autograder.units.unit import Unit
from course.exam.readable import one_line
from course.limits import SECONDS_FOR_EXTRAS
from course.syntax import global_names_in

FULL, PARTLY, WARNED, STAYING = "✓", "~", "!", "·"


VARIANT_POLICY = replace(AUTHOR_POLICY, seconds_per_call=0.1)
VARIANTS_TRIED = 20  # of a solution
CATCHABLE_VARIANTS = 6  # of them, for `catch`


@dataclass(frozen=True)
class VariantCounts:
    """The results of trying variants of a solution. Each variant has one small change.

    `passing` are sentences about the variants that pass the teacher's tests. `refused` is the number of variants that
    pass the teacher's tests but that the exam refuses. `wrong` has a few variants that are refused by the tests or the
    exam, and that do not run endlessly.
    """

    tried: int = 0
    passing: tuple[str, ...] = ()
    refused: int = 0
    wrong: tuple[str, ...] = ()

    def __add__(self, other: VariantCounts) -> VariantCounts:
        return VariantCounts(self.tried + other.tried, self.passing + other.passing, self.refused + other.refused)

    def __str__(self) -> str:
        return (
            f"of {self.tried} small changes to your solutions, your tests notice {self.tried - len(self.passing)}, "
            f"and the exam {self.tried - len(self.passing) + self.refused}"
        )


def count_variants(unit: Unit, name: str, facets: Collection[str]) -> VariantCounts:
    """Try variants of an exercise's solution, each with one small change.

    Return which variants pass the teacher's tests, and how many of these the exam refuses. `facets` has the names of
    the facets that contain the calls of the teacher's tests.
    """
    exam, mutants = exam_for(unit), mutants_of(unit, unit[name])
    chosen = {each.source: each for each in mutants[:: -(-len(mutants) // VARIANTS_TRIED) or 1]}
    paper = exam.by_name[name]
    calls = list[Facet]()
    for each in (each for each in paper.facets if each.name in facets):  # with the teacher's calls only
        own, more = each.rule_calls, each.rule_calls + each.contrasts
        made, expected = each.calls[:own] + each.calls[more:], each.expected[:own] + each.expected[more:]
        calls.append(replace(each, calls=made, expected=expected, contrasts=0))
    tests = replace(exam, by_name=exam.by_name | {name: replace(paper, facets=tuple(calls))})
    failing = {source: ran for source in chosen if calls and not (ran := run_in_exam(tests, name, source)).passed}
    passing = {source: run_in_exam(exam, name, source) for source in chosen if source not in failing}
    refused = {source: ran for source, ran in passing.items() if not ran.passed}
    ended = (source for source, ran in (refused | failing).items() if not (ran.endless or ran.unloaded))
    wrong = [source for source in ended if global_names_in(source) <= global_names_in(unit[name].source)]
    texts = tuple(
        f"`{one_line(chosen[source].line, 100)}` changed to `{one_line(chosen[source].becomes, 100)}`: "
        f"your tests do not notice it, {'but the exam does' if source in refused else 'nor does the exam'}"
        for source in passing
    )
    return VariantCounts(len(chosen), texts, len(refused), tuple(wrong[:CATCHABLE_VARIANTS]))


def run_in_exam(exam: Exam, name: str, source: str) -> RunResult:
    """Run an answer to the exercise `name` with the calls of an exam, and return the result."""
    unit, paper = exam.unit, exam.by_name[name]
    plan = plan_definitions(exam, {name: source}, (), paper.mentions, name, frozenset(unit.by_name))
    setting = GradingContext(
        sandbox_of(unit), submission_with(unit, {}), VARIANT_POLICY, exam, Budget(SECONDS_FOR_EXTRAS)
    )
    return run_alone(setting, job_for(setting, paper, plan))


def summary_lines(
    homework: Homework,
    rehearsal: Rehearsal,
    decisions: Sequence[Decision],
    left_out: Mapping[str, str],
    variants: Mapping[str, VariantCounts],
) -> Iterator[str]:
    """Yield the lines of the summary on the screen, with a row for each question."""
    tests = [cell for question in homework.questions for cell in question.tests]
    passing = sum(not rehearsal.error(cell.index) for cell in tests)
    yield f"ran the notebook in the sandbox: {passing} of {len(tests)} test cells pass with your solutions"
    wide = max(len(_decision_name(decision)) for decision in decisions)
    for decision in decisions:
        points, what = points_text(decision.question.points), _decision_text(decision, left_out)
        yield f"{decision_sign(decision)} {_decision_name(decision):<{wide}}  {points:<9}  {what}".rstrip()
    yield from _total_lines(decisions, variants)


def decision_sign(decision: Decision) -> str:
    """Return the symbol, such as ✓, that shows a decision in the summary's table."""
    if decision.stays:
        return STAYING
    return PARTLY if decision.checks else WARNED if decision.catches else FULL


def _decision_name(decision: Decision) -> str:
    return ", ".join(each.name for each in decision.exercises) or decision.question.name


def _decision_text(decision: Decision, left_out: Mapping[str, str]) -> str:
    """Return the words of the summary's table about a question."""
    if decision.stays:
        return f"stays: {decision.reason}"
    for text in (*decision.checks, *_cannot_fail_texts(decision)):
        return text
    made = decision.exercises
    calls = sum(len(cases) for each in made for cases in each.facets.values())
    kinds = ", and ".join(
        f"{each.kind} ({points_text(each.points)})" if made[1:] and each.points else each.kind for each in made
    )
    size = f"{count_text(calls, 'call')} of yours" if calls else count_text(len(made), "value")
    return "; ".join([kinds, size, *(left_out[each.name] for each in made if each.name in left_out)])


def _cannot_fail_texts(decision: Decision) -> Iterator[str]:
    for cell, line in decision.catches:
        yield f"your tests cannot fail: line {line} of {cell} catches the error of a failed test"


def _total_lines(decisions: Sequence[Decision], variants: Mapping[str, VariantCounts]) -> Iterator[str]:
    """Yield the summary lines, which scripts can use."""
    full = [each for each in decisions if decision_sign(each) in (FULL, WARNED)]
    partly, staying = (sum(decision_sign(each) == mark for each in decisions) for mark in (PARTLY, STAYING))
    earned, total = (sum(each.question.points for each in group) for group in (full, decisions))
    yield (
        f"imported {len(full)} of {len(decisions)} questions ({earned:g} of {total:g} points), "
        f"{partly} partly, {staying} stay{'s' if staying == 1 else ''}; total points unchanged"
    )
    if variants:
        yield str(sum(variants.values(), VariantCounts()))


def import_page(
    homework: Homework,
    decisions: Sequence[Decision],
    left_out: Mapping[str, str],
    variants: Mapping[str, VariantCounts],
) -> str:
    """Return the text of `import.md`: the reason for each decision, and what a teacher should know about the tests."""
    lines = [f"# {homework.path.name}", ""]
    for text in _total_lines(decisions, variants):
        lines += [text, ""]
    for decision in decisions:
        lines += [f"## {_decision_name(decision)}", ""]
        lines += [f"- {text}" for text in _fact_lines(decision, left_out, variants)]
        lines.append("")
    return "\n".join(lines)


def _fact_lines(
    decision: Decision, left_out: Mapping[str, str], variants: Mapping[str, VariantCounts]
) -> Iterator[str]:
    cells = ", ".join(cell.name for cell in decision.question.cells)
    yield f"{points_text(decision.question.points)}, from the cells {cells}"
    if decision.stays:
        yield f"stays as it is: {decision.reason}"
    for each in decision.exercises:
        yield f"`{each.name}`: {each.kind}, {points_text(each.points)}"
        yield from (f"{count_text(len(cases), 'call')} of `{name}`" for name, cases in each.facets.items())
        yield from [f"compares with `==` and a tolerance of {each.tolerance:g}"] if each.tolerance else []
        yield from (str(each_fact[each.name]) for each_fact in (left_out, variants) if each.name in each_fact)
        yield from variants.get(each.name, VariantCounts()).passing
    yield from (f"check this: {text}" for text in decision.checks)
    yield from (f"note: {text}" for text in (*_cannot_fail_texts(decision), *decision.warnings))
