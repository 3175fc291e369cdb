"""Check an answer: find an obstacle or run an exam, and describe the result.

The result does not blame an answer for a mistake elsewhere. The result first names a cell that redefines a name, or
another function of the learner that is not right yet.
"""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Protocol

from course.diagnoses import Evidence, diagnose, syntax_problem_of
from course.diagnoses.evidence import no_facts
from course.diagnoses.failure import EXAMPLES, RAISED, Failure
from course.diagnoses.obstacle import (
    Borrowed,
    Crashed,
    Edited,
    NeverRun,
    Obstacle,
    Shadowed,
    Unparsed,
    Unseen,
    Unwritten,
    advice_on_obstacle,
    first_cell_text,
    obstacle_text,
)
from course.exam.observation import effects_in
from course.exam.readable import one_line
from course.form import deciding_finding
from course.kernel.catalogue import Lender
from course.kernel.history import statements_of
from course.learner.alone import among_references, with_expected
from course.learner.answer import Answer
from course.learner.practice import Practice, PractisedFacet, known_mistake, practise
from course.learner.sealed import only_examples_text, sealed_exams_of
from course.show.results import BAD, BORROWED, GOOD, OPEN, AlsoPrints, Part, Result, score_text
from course.syntax import bound_names


class FullExaminer(Protocol):
    """An installed autograder, which has all exams."""

    def examine(self, answer: Answer) -> ExamOutcome | None:
        """Return the outcome of the complete exam, or None if it cannot be run here."""
        ...


@dataclass(frozen=True)
class ExamOutcome:
    """The outcome of an exam: its result without advice, and whether the answer printed something.

    If a known mistake has the same results as the answer, `belief` is the idea behind the mistake, and `truth` corrects
    that idea. If no call could be made, the result may have advice already.
    """

    result: Result
    prints: bool = False
    belief: str = ""
    truth: str = ""


def evidence_of(answer: Answer, failures: tuple[Failure, ...], prints: bool = False, source: str = "") -> Evidence:
    """Return the evidence on an answer, or on the `source` of a cell that does not define the exercise."""
    first = tuple(sorted(failures, key=lambda failure: (not failure.call, len(failure.one_line_code))))
    return Evidence(
        answer.requirements,
        source or answer.source,
        first,
        answer.helpers,
        prints,
        elsewhere=dict(_elsewhere(answer)),
        rebound=dict(_rebound(answer)),
        hidden=dict(_hidden(answer)),
        not_imported=answer.not_imported,
        defined_now=frozenset(answer.space.names) if source else frozenset(),
        facts=cache(lambda: _facts(answer, first[0])) if first and first[0].call else no_facts,
    )


def _facts(answer: Answer, failure: Failure) -> str:
    from course.learner.offering import facts_about  # imported only here, because few checks need it

    return facts_about(answer, failure)


def _elsewhere(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the names defined in cells that were not run, or that stopped, each with a description of the cell."""
    past = answer.space.runs
    run_texts = {run.typed.strip() for run in past if not run.error}
    cells = answer.book.cells if answer.book else ()
    saved = [(source, "a cell of yours that was not run") for _, source in cells]
    ended = [(run.typed, f"{run.label}, which stopped with {run.error}") for run in past if run.error]
    for text, words in saved + ended:
        if text.strip() not in run_texts:
            names = {name for statement in statements_of(text) for name in bound_names(statement)}
            yield from ((name, words) for name in names - {*answer.names})


def _hidden(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the built-in names that a cell has redefined, each with its value and the cell."""
    for run in answer.space.runs:
        for name in run.binds & {*vars(builtins)}:
            if name in answer.names and name not in answer.requirements.exercises:
                value = answer.names[name]
                what = "your own function" if callable(value) else f"`{one_line(repr(value), 20)}`"
                yield name, f"{what} since {run.label}"


def _rebound(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the given names that a cell has redefined, each with the cell."""
    module = import_module(answer.requirements.module)
    for run in answer.space.runs:
        for name in run.binds & {*getattr(module, "__all__", ())}:
            if answer.names.get(name) is not getattr(module, name):
                yield name, run.label


OTHER_WAY = "cannot be checked here: it uses other answers of yours, which are right but differ from the exam's answers"
MAY_BE_RIGHT = "differs from the examples, but may be right"


def check_answer(answer: Answer, full: FullExaminer | None, lender: Lender | None) -> Result:
    """Return the result of a check: the obstacle, the rule of form that decides, or the outcome of the exam.

    An installed autograder supplies the exam (`full`). A `lender` supplies references.
    """
    if answer.obstacle:
        return _blocked(answer, answer.obstacle)
    if decides := deciding_finding(answer.requirements, answer.form):
        headline = f"{decides.why} · {score_text(0, answer.stated.points)}"
        result = Result(answer.name, BAD, headline, form=answer.form, stale=True)
        return _diagnosed(result, evidence_of(answer, ()))
    examined = (full.examine(answer) if full and answer.space.runs else None) or examine_here(answer, lender)
    return _with_advice(answer, examined) if examined.result.state == BAD else examined.result


# ------------------------------------------------------------------------------------------------ obstacles


def _blocked(answer: Answer, obstacle: Obstacle) -> Result:
    """Return the result for an answer that cannot be checked."""
    words = obstacle_text(obstacle, answer.name)
    says = (
        _first_cell(answer, obstacle)
        or _stub_below(answer, obstacle)
        or advice_on_obstacle(obstacle, answer.name, answer.requirements.is_called)
    )
    match obstacle:
        case Borrowed():
            return Result(answer.name, BORROWED, words)
        case Edited() | NeverRun() | Shadowed() | Unseen() | Crashed(says="", line=0):
            return Result(answer.name, OPEN, words, says=says)
    most = answer.stated.points
    headline = f"{words} · {score_text(0, most)}"
    state = OPEN if isinstance(obstacle, Unwritten) else BAD
    return _with_cause(answer, obstacle, Result(answer.name, state, headline, says=says, stale=True))


def _first_cell(answer: Answer, obstacle: Obstacle) -> str:
    """Return advice to run the first cell, if the unit's names are missing; else ""."""
    if not isinstance(obstacle, NeverRun | Crashed) or not answer.not_imported:
        return ""
    return first_cell_text(answer.requirements.module, answer.name)


def _stub_below(answer: Answer, obstacle: Obstacle) -> str:
    """Return advice to delete the empty function below an answer in the same cell, or "" if there is none."""
    functions = (node for node in statements_of(answer.source) if isinstance(node, ast.FunctionDef))
    rows = [node.lineno for node in functions if node.name == answer.name]
    if not isinstance(obstacle, Unwritten) or len(rows) < 2:
        return ""
    return f"Line {rows[-1]} defines the empty `{answer.name}` again, below your answer. Delete that second definition."


def _with_cause(answer: Answer, obstacle: Obstacle, result: Result) -> Result:
    """Return the result with advice for a cell that does not parse, or that stopped with an error."""
    match obstacle:
        case Unparsed(source=source):
            return _diagnosed(result, Evidence(answer.requirements, source, syntax_problem=syntax_problem_of(source)))
        case Crashed(error, says, line, code, source) if says or line:
            failure = Failure(did=RAISED, error=error, seen=says, label=answer.name, line=line, code=code)
            evidence = evidence_of(answer, (failure,), source=source)
            return _diagnosed(replace(result, parts=(Part(BAD, "the cell", failure),)), evidence)
    return result


def _diagnosed(result: Result, evidence: Evidence) -> Result:
    diagnosis = diagnose(evidence)
    return replace(result, says=diagnosis.says, example=diagnosis.example) if diagnosis else result


# ------------------------------------------------------------------------------------------------ outcomes


def _with_advice(answer: Answer, examined: ExamOutcome) -> Result:
    """Return the result of an exam that the answer does not pass, with advice."""
    result = examined.result
    failures = tuple(part.failure for part in result.parts if part.failure)
    if result.says or not failures:
        return result
    evidence = evidence_of(answer, failures, examined.prints)
    diagnosis = diagnose(evidence, surely=bool(examined.belief))
    if diagnosis:
        return replace(result, says=diagnosis.says, example=diagnosis.example)
    return replace(result, belief=examined.belief, says=examined.truth)


def examine_here(answer: Answer, lender: Lender | None) -> ExamOutcome:
    """Run the visible examples and the sealed exam, if there is one, in this kernel, and return the outcome.

    If there are references, the answer runs with them for all other exercises, or else with the learner's own
    functions.
    """
    alone = among_references(answer) if lender else None
    sealed = sealed_exams_of(answer)
    practice, is_sealed = practise(alone or answer, sealed), answer.name in sealed
    if not practice.passed:
        return _failing(answer, practice, alone)
    parts = tuple(_part(facet, alone) for facet in practice.facets) if is_sealed else ()
    if practice.unsure and not is_sealed:
        unsure = tuple(Part(OPEN, "", _as_one_of_several(failure)) for failure in practice.unsure)
        result = Result(answer.name, OPEN, MAY_BE_RIGHT, unsure, notes=(only_examples_text(answer),), form=answer.form)
        return ExamOutcome(result)
    note = "" if is_sealed else only_examples_text(answer)
    if practice.left:
        note = f"not tried here: {'; '.join(practice.left)}. Only your teacher's autograder tries this"
    calls = sum(facet.calls for facet in practice.facets)
    if is_sealed and not calls:
        return ExamOutcome(Result(answer.name, OPEN, OTHER_WAY, notes=(note,)))
    if not is_sealed:
        headline = _examples_right(len(answer.stated.examples), len(answer.stated.examples))
    else:
        has_more = not practice.left or {facet.name for facet in practice.paper.facets} != {EXAMPLES}
        headline = f"right in all {calls:,} {'call' if has_more else 'example'}{'' if calls == 1 else 's'}"
    doubts = (f"uses your `{name}`, which is not right yet" for name in _culprits(answer))
    prints = any(b'"printed"' in notes for _, notes in practice.observations)
    notes = (*doubts, *([note] if note else []), *([str(AlsoPrints())] if prints else []))
    return ExamOutcome(Result(answer.name, GOOD, headline, parts, notes=notes, form=answer.form))


def _failing(answer: Answer, practice: Practice, alone: Answer | None) -> ExamOutcome:
    """Return the outcome of a wrong answer: the visible examples that fail, or else the rules of the sealed exam."""
    mentions = () if practice.examples else practice.paper.mentions
    if waits := None if alone else _waiting(answer, mentions):
        return ExamOutcome(waits)
    prints = any(b'"printed"' in notes for _, notes in practice.observations)
    if practice.examples:
        count, parts = len(answer.stated.examples), tuple(Part(BAD, "", failure) for failure in practice.examples)
        tried = json.loads(practice.observations[0][0])[:count]
        prints = prints or any(effects[0] for tree in tried if (effects := effects_in(tree)))
        headline = _examples_right(len(tried) - len(parts), count)
        headline += f", {count - len(tried)} not tried" if len(tried) < count else ""
    else:
        parts = tuple(_part(facet, alone) for facet in practice.facets)
        headline = f"{sum(facet.passed for facet in practice.facets)} of {len(parts)} checks pass"
    is_done = all(failure.is_done for failure in practice.examples)
    belief, truth = known_mistake(answer, practice) if is_done else ("", "")
    return ExamOutcome(Result(answer.name, BAD, headline, parts, form=answer.form), prints, belief, truth)


def _examples_right(right: int, count: int) -> str:
    return f"{right} of {count} example{'' if count == 1 else 's'} right"


def _as_one_of_several(failure: Failure) -> Failure:
    """Return a failure without an expected result, because the example's result is only one of several right ones."""
    return replace(failure, wanted=None, remark=f"the example shows {failure.wanted_words}")


def _part(facet: PractisedFacet, alone: Answer | None) -> Part:
    state = GOOD if facet.passed else BAD if facet.failure else OPEN
    failure = with_expected(facet.failure, alone) if facet.failure and alone else facet.failure
    return Part(state, facet.name, failure, f"{facet.calls:,} call{'' if facet.calls == 1 else 's'}")


# ------------------------------------------------------------------------------------------------ other exercises


def _culprits(answer: Answer, mentions: Iterable[str] = (), complete: bool = False) -> Iterator[str]:
    """Of the exercises that an answer uses or its exam `mentions`, yield those that are not right yet.

    Each exercise is run on its visible examples, or, if `complete` is set, on its complete sealed exam. Later exercises
    are skipped: an exam needs only their names.
    """
    sealed = sealed_exams_of(answer) if complete else {}
    for name in dict.fromkeys((*answer.uses, *(each for each in mentions if each in _before(answer)))):
        other = answer.other(name)
        if name == answer.name or other.obstacle == Borrowed():
            continue
        if other.obstacle or not practise(other, sealed).passed:
            yield name


def _before(answer: Answer) -> tuple[str, ...]:
    """Return the exercises that come before an answer's, in teaching order."""
    in_order = tuple(answer.unit_stated.by_name)
    return in_order[: in_order.index(answer.name)]


def _waiting(answer: Answer, mentions: Iterable[str] = ()) -> Result | None:
    """Return a result that names the exercise to solve first, or None."""
    name = next(_culprits(answer, mentions, complete=True), "")
    if not name:
        return None
    if circle := _in_a_circle(answer, name):
        return circle
    if name not in _before(answer) and name not in answer.unit_stated.calls[answer.name]:
        says = f"Find a way without `{name}`, or solve `{name}` first."
        return Result(answer.name, OPEN, f"calls your `{name}`, a later exercise that is not right yet", says=says)
    says = f'Fix `{name}` first: `check("{name}")` shows what is wrong.'
    match answer.other(name).obstacle:
        case Unwritten():
            return Result(answer.name, OPEN, f"needs your `{name}`, which is not written yet")
        case None:
            return Result(answer.name, OPEN, f"uses your `{name}`, which is not right yet", says=says)
        case obstacle:
            return Result(answer.name, OPEN, f"uses your `{name}`: {obstacle_text(obstacle, name)}", says=says)


def _in_a_circle(answer: Answer, name: str) -> Result | None:
    """Return a result for two exercises that call each other, so that neither can be right first; otherwise None."""
    if answer.name not in answer.other(name).uses:
        return None
    is_later = name in _before(answer)
    first, second = (name, answer.name) if is_later else (answer.name, name)
    says = f"Write `{first}` without `{second}`: `{first}` comes first."
    ask = f' Then run `check("{first}")`.' if is_later else ""
    return Result(answer.name, OPEN, f"calls your `{name}`, which calls `{answer.name}` again", says=says + ask)
