"""Check an answer: find an obstacle or run an exam, and describe the result.

An answer is not blamed for a mistake elsewhere. If a cell redefines a name, or another function of the learner is
wrong, the result names this cell or function first.
"""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Protocol

from course.diagnoses import Evidence, diagnose, syntax_problem_of
from course.diagnoses.evidence import no_facts
from course.diagnoses.failure import CHANGED, CONTRAST_FACET, EXAMPLES_FACET, RAISED, Failure
from course.diagnoses.obstacle import (
    BorrowedReference,
    CrashedCell,
    EditedCell,
    Obstacle,
    RedefinedName,
    UngradableDefinition,
    UnparsedCell,
    UnrunCell,
    UnwrittenExercise,
    advice_on_obstacle,
    first_cell_advice,
    obstacle_text,
)
from course.exam.observation import effects_in
from course.exam.observing import TimeUp, wire_of_module
from course.exam.readable import one_line
from course.exam.sealed import SealedPaper
from course.form import deciding_finding
from course.kernel import catalogue
from course.kernel.borrowed import independent_references
from course.kernel.history import statements_of
from course.kernel.limits import limited
from course.kernel.notebook import IN_A_BROWSER
from course.learner.answer import Answer, answer_with_references
from course.learner.practice import FacetOutcome, PracticeOutcome, code_or_description, known_mistake, run_practice_exam
from course.show.results import ALSO_PRINTS_NOTE, BAD, BORROWED, GOOD, OPEN, CheckedRule, Result, score_text
from course.syntax import bound_names
from course.values import strictly_equal


class FullExaminer(Protocol):
    """The interface of an object that runs the exams of an installed autograder."""

    def examine(self, answer: Answer) -> Result | None:
        """Return the result of the complete exam, or None if the exam cannot be run."""
        ...


def evidence_of(answer: Answer, failures: tuple[Failure, ...], prints: bool = False, source: str = "") -> Evidence:
    """Return the facts about an answer that are needed to find advice on the answer.

    If a cell stopped before it defined the exercise, `source` is the text of this cell.
    """
    first = tuple(sorted(failures, key=lambda failure: (not failure.call, len(failure.one_line_code))))
    hidden, rebound = _redefined_names(answer)
    return Evidence(
        answer.requirements,
        source or answer.source,
        first,
        answer.helpers,
        prints,
        elsewhere=dict(_names_defined_elsewhere(answer)),
        rebound=rebound,
        hidden=hidden,
        not_imported=answer.missing_unit_names,
        defined_now=frozenset(answer.space.names) if source else frozenset(),
        facts=cache(lambda: _facts_text(answer, first[0])) if first and first[0].call else no_facts,
    )


def _facts_text(answer: Answer, failure: Failure) -> str:
    from course.learner.offering import facts_about  # imported only here, because few checks need it

    return facts_about(answer, failure)


def _names_defined_elsewhere(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield the names defined in cells that were not run, or that stopped, each with a description of the cell."""
    past = answer.space.runs
    run_texts = {run.typed.strip() for run in past if not run.error}
    cells = answer.saved_notebook.cells if answer.saved_notebook else ()
    saved = [(source, "a cell that you have not run") for _, source in cells]
    ended = [(run.typed, f"{run.label}, which stopped with {run.error}") for run in past if run.error]
    for text, words in saved + ended:
        if text.strip() not in run_texts:
            names = {name for statement in statements_of(text) for name in bound_names(statement)}
            yield from ((name, words) for name in names - {*answer.names})


def _code_and_constants(value: object) -> object:
    """Return what a function does: its code and constants. A teacher's cell may define it as the unit does."""
    if not isinstance(value, FunctionType):
        return value
    code = value.__code__
    return (code.co_code, code.co_names, {*code.co_consts} - {value.__doc__, None})


def _redefined_names(answer: Answer) -> tuple[dict[str, str], dict[str, str]]:
    """Return the built-in names that a cell has redefined, with value and cell, and the given names, with the cell."""
    given, hidden, rebound = vars(import_module(answer.requirements.module)), dict[str, str](), dict[str, str]()
    for run in answer.space.runs:
        for name in run.binds:
            if name in given.get("__all__", ()) and not strictly_equal(
                *map(_code_and_constants, (answer.names.get(name), given[name]))
            ):
                rebound[name] = run.label
            if hasattr(builtins, name) and name in answer.names and name not in answer.requirements.exercises:
                value = answer.names[name]
                what = "your own function" if callable(value) else f"`{one_line(repr(value), 20)}`"
                hidden[name] = f"no longer Python's own, because {run.label} has set `{name}` to {what}"
    return hidden, rebound


ANSWERS_DIFFER_FROM_REFERENCES = (
    "this answer cannot be checked here, because it uses your other answers. Those answers are right, but return "
    "other results than the reference solutions"
)
MAY_BE_RIGHT = "the results differ from the examples, but can still be right"
VERSIONS_DIFFER = "the exam and this notebook have different versions. " + (
    "Rename your notebook under *All files*, then reload this page to get the notebook of the current version"
    if IN_A_BROWSER
    else "Install the wheel (`.whl` file) that came with this notebook"
)


def check_answer(answer: Answer, full: FullExaminer | None, has_references: bool = False) -> Result:
    """Return a check's result: an obstacle, a violation of form that makes the answer wrong, or the exam's outcome.

    `full` is an installed autograder, which supplies the exam. References may be available even without an autograder,
    as on a site.
    """
    if answer.obstacle:
        return _obstacle_result(answer, answer.obstacle)
    if decides := deciding_finding(answer.requirements, answer.form_findings):
        headline = f"{decides.why} · {score_text(0, answer.stated.points)}"
        result = Result(answer.name, BAD, headline, form=answer.form_findings, stale=True)
        return _result_with_diagnosis(result, evidence_of(answer, ()))
    result = (full.examine(answer) if full and answer.space.runs else None) or examine_here(answer, has_references)
    failures = tuple(part.failure for part in result.parts if part.failure)
    if result.state != BAD or not failures or (result.says and not result.belief):
        return result
    diagnosis = diagnose(evidence_of(answer, failures, result.prints), surely=bool(result.belief))
    return replace(result, belief="", says=diagnosis.says, example=diagnosis.example) if diagnosis else result


# ------------------------------------------------------------------------------------------------ obstacles


def _obstacle_result(answer: Answer, obstacle: Obstacle) -> Result:
    """Return the result for an answer that cannot be checked.

    If the unit's names are missing, the advice is to run the first cell. If an empty function is below the answer in
    the same cell, it is to delete that. A cell that does not parse, or that stopped with an error, has advice, too.
    """
    name, words = answer.name, obstacle_text(obstacle, answer.name)
    says = advice_on_obstacle(obstacle, name, answer.requirements.is_called)
    functions = [node for node in statements_of(answer.source) if isinstance(node, ast.FunctionDef)]
    rows = [node.lineno for node in functions if node.name == name]
    if isinstance(obstacle, UnrunCell | CrashedCell) and answer.missing_unit_names:
        says = first_cell_advice(answer.requirements.module, name)
    elif isinstance(obstacle, UnwrittenExercise) and len(rows) > 1:
        says = f"Line {rows[-1]} defines the empty `{name}` again, below your answer. Delete that second definition."
    match obstacle:
        case BorrowedReference():
            return Result(name, BORROWED, words)
        case EditedCell() | UnrunCell() | RedefinedName() | UngradableDefinition() | CrashedCell(says="", line=0):
            return Result(name, OPEN, words, says=says)
    headline = f"{words} · {score_text(0, answer.stated.points)}"
    result = Result(name, OPEN if isinstance(obstacle, UnwrittenExercise) else BAD, headline, says=says, stale=True)
    match obstacle:
        case UnparsedCell(source=source):
            return _result_with_diagnosis(
                result, Evidence(answer.requirements, source, syntax_problem=syntax_problem_of(source))
            )
        case CrashedCell(error, text, line, code, source):
            failure = Failure(did=RAISED, error=error, seen=text, label=name, line=line, code=code)
            with_failure = replace(result, parts=(CheckedRule(BAD, "the cell", failure),))
            return _result_with_diagnosis(with_failure, evidence_of(answer, (failure,), source=source))
    return result


def _result_with_diagnosis(result: Result, evidence: Evidence) -> Result:
    diagnosis = diagnose(evidence)
    return replace(result, says=diagnosis.says, example=diagnosis.example) if diagnosis else result


# ------------------------------------------------------------------------------------------------ outcomes


def sealed_exams_of(answer: Answer) -> dict[str, SealedPaper]:
    """Return a dict that maps the exercises of an answer's unit to their sealed exams.

    The dict is empty if the exams belong to another version of the statements than the notebook or the installed unit.
    """
    exam, stated = catalogue.sealed_exam_of(answer.unit), answer.unit_stated.version
    own = answer.saved_notebook.metadata.get("version", stated) if answer.saved_notebook else stated
    return exam.papers if exam.version is None or {exam.version} == {stated, own} else {}


def only_examples_text(answer: Answer) -> str:
    """Return a text that says why only the visible examples were checked."""
    judge = "your teacher's autograder" if answer.space.settings else "the autograder on Linux, macOS or WSL"
    if answer.judging_rules.several:
        return f"this exercise has several right results, so only {judge} can judge your answer"
    if catalogue.sealed_exam_of(answer.unit).papers and not sealed_exams_of(answer):
        return f"only the visible examples were checked, because {VERSIONS_DIFFER}"
    return f"only the visible examples were checked here, because the complete exam needs {judge}"


def examine_here(answer: Answer, has_references: bool) -> Result:
    """Run the visible examples and the sealed exam, if there is one, in this kernel. Return the result.

    If the answer calls other exercises, the references of these exercises run. If there are no references, the
    learner's own functions run.
    """
    alone = answer_with_references(answer) if has_references else None
    sealed = sealed_exams_of(answer)
    practice, is_sealed = run_practice_exam(alone or answer, sealed), answer.name in sealed
    if not practice.passed:
        return _wrong_answer_result(answer, practice, alone)
    parts = tuple(_result_part(facet, alone) for facet in practice.facets) if is_sealed else ()
    if practice.unsure and not is_sealed:
        shown = [(failure, f"the example in the statement shows {failure.wanted_words}") for failure in practice.unsure]
        unsure = tuple(CheckedRule(OPEN, "", replace(each, wanted=None, remark=remark)) for each, remark in shown)
        reason = only_examples_text(answer)
        return Result(answer.name, OPEN, MAY_BE_RIGHT, unsure, notes=(reason,), form=answer.form_findings)
    note = "" if is_sealed else only_examples_text(answer)
    if practice.left:
        note = f"these rules were not tried here: {'; '.join(practice.left)}. Only your teacher's autograder tries them"
    calls = sum(facet.calls for facet in practice.facets)
    if is_sealed and not calls:
        return Result(answer.name, OPEN, ANSWERS_DIFFER_FROM_REFERENCES, notes=(note,))
    if not is_sealed:
        headline = _right_examples_text(len(answer.stated.examples), len(answer.stated.examples))
    else:
        has_more = not practice.left or {facet.name for facet in practice.paper.facets} != {EXAMPLES_FACET}
        headline = f"right in all {calls:,} {'call' if has_more else 'example'}{'' if calls == 1 else 's'}"
    doubts = (f"your function uses `{name}`, which is not right yet" for name in _exercises_not_right(answer))
    prints = any(b'"printed"' in notes for _, notes in practice.observations)
    notes = (*doubts, *([note] if note else []), *([ALSO_PRINTS_NOTE] if prints else []))
    return Result(answer.name, GOOD, headline, parts, notes=notes, form=answer.form_findings)


def _wrong_answer_result(answer: Answer, practice: PracticeOutcome, alone: Answer | None) -> Result:
    """Return the result of a wrong answer: the visible examples that fail, or else the rules of the sealed exam."""
    mentions = () if practice.examples else practice.paper.mentions
    if waits := None if alone else _result_naming_earlier_exercise(answer, mentions):
        return waits
    prints = any(b'"printed"' in notes for _, notes in practice.observations)
    if practice.examples:
        count, parts = (
            len(answer.stated.examples),
            tuple(CheckedRule(BAD, "", failure) for failure in practice.examples),
        )
        tried = json.loads(practice.observations[0][0])[:count]
        prints = prints or any(effects[0] for tree in tried if (effects := effects_in(tree)))
        headline = _right_examples_text(len(tried) - len(parts), count)
        headline += f", {count - len(tried)} not tried" if len(tried) < count else ""
    else:
        parts = tuple(_result_part(facet, alone) for facet in practice.facets)
        rules = [facet.passed for facet in practice.facets if facet.name != CONTRAST_FACET]  # as a report counts
        headline = f"{sum(rules)} of {len(rules)} checks pass"
    is_done = all(failure.has_ended for failure in practice.examples)
    belief, truth = known_mistake(answer, practice) if is_done else ("", "")
    return Result(
        answer.name, BAD, headline, parts, belief=belief, says=truth, form=answer.form_findings, prints=prints
    )


def _right_examples_text(right: int, count: int) -> str:
    return f"{right} of {count} example{'' if count == 1 else 's'} right"


def _result_part(facet: FacetOutcome, alone: Answer | None) -> CheckedRule:
    state = GOOD if facet.passed else BAD if facet.failure else OPEN
    failure = failure_with_reference_result(facet.failure, alone) if facet.failure and alone else facet.failure
    return CheckedRule(state, facet.name, failure, f"{facet.calls:,} call{'' if facet.calls == 1 else 's'}")


def failure_with_reference_result(failure: Failure, alone: Answer) -> Failure:
    """Return a failure in which the expected result is the reference's result.

    If the exercise has several right results, return the failure unchanged.
    """
    is_alike = failure.did == CHANGED or not failure.call.startswith(f"{alone.name}(")
    if is_alike or not catalogue.reference_provider().has_one_answer(alone.unit, alone.name):
        return failure
    try:
        with limited():
            expected = eval(failure.call, {**alone.names, alone.name: independent_references(alone.unit)[alone.name]})
            if hasattr(type(expected), "__next__"):
                wire = wire_of_module(import_module(alone.requirements.module))
                expected = wire.decode(wire.encode(expected, interrupted=[]))
    except (Exception, TimeUp):
        return failure
    return replace(failure, wanted=code_or_description(expected, alone.names), remark="")


# ------------------------------------------------------------------------------------------------ other exercises


def _exercises_not_right(answer: Answer, mentions: Iterable[str] = (), complete: bool = False) -> Iterator[str]:
    """Of the exercises that an answer uses or its exam `mentions`, yield those that are not right yet.

    Each exercise is run on its visible examples, or, if `complete` is set, on its complete sealed exam. Later exercises
    are skipped: an exam needs only their names.
    """
    sealed = sealed_exams_of(answer) if complete else {}
    for name in dict.fromkeys(
        (*answer.used_exercises, *(each for each in mentions if each in _earlier_exercises(answer)))
    ):
        other = answer.other_answer(name)
        if name == answer.name or other.obstacle == BorrowedReference():
            continue
        if other.obstacle or not run_practice_exam(other, sealed).passed:
            yield name


def _earlier_exercises(answer: Answer) -> tuple[str, ...]:
    """Return the exercises that come before an answer's, in teaching order."""
    in_order = tuple(answer.unit_stated.by_name)
    return in_order[: in_order.index(answer.name)]


def _result_naming_earlier_exercise(answer: Answer, mentions: Iterable[str]) -> Result | None:
    """Return a result that names the exercise to solve first, or None."""
    name = next(_exercises_not_right(answer, mentions, complete=True), "")
    if not name:
        return None
    if name not in _earlier_exercises(answer) and name not in answer.unit_stated.calls[answer.name]:
        says = f"Solve `{name}` first, or write your answer without `{name}`."
        return Result(
            answer.name, OPEN, f"your function calls `{name}`, a later exercise that is not right yet", says=says
        )
    says = f'Fix `{name}` first: `check("{name}")` shows what is wrong.'
    match answer.other_answer(name).obstacle:
        case UnwrittenExercise():
            return Result(answer.name, OPEN, f"this exercise needs your `{name}`, which is not written yet")
        case None:
            return Result(answer.name, OPEN, f"your function uses `{name}`, which is not right yet", says=says)
        case obstacle:
            return Result(answer.name, OPEN, f"your function uses `{name}`: {obstacle_text(obstacle, name)}", says=says)
