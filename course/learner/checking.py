"""The road of a check: an obstacle, or what comes of an exam, and the result that says so.

Nothing is blamed on an answer that another cell has done: a name that was given another meaning is told with its cell,
and a function of the learner's own that is not right yet is named before those that use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from course.diagnoses import Evidence, diagnose, trouble_of
from course.diagnoses.failure import RAISED, Failure
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
    first_cell_text,
    obstacle_text,
    way_out,
)
from course.kernel.catalogue import Lender, statements
from course.kernel.history import defined_at
from course.learner.alone import among_references, with_expected
from course.learner.answer import Answer
from course.learner.evidence import evidence_of
from course.learner.examined import Examined, FullExaminer
from course.learner.examples import tried
from course.learner.practice import Practice, Practised
from course.learner.sealed import only_examples_text, practised, shows_belief
from course.show.results import BAD, BORROWED, GOOD, OPEN, Part, Result

OTHER_WAY = "cannot be checked here: it uses other answers of yours, which are right but differ from the exam's"
MAY_BE_RIGHT = "differs from the examples, but may be right"


def check_answer(answer: Answer, full: FullExaminer | None, lender: Lender | None) -> Result:
    """Return the result of one answer: what is in the way of examining it, or what came of that.

    Where an autograder is installed, it supplies the exam (`full`); a `lender` has references.
    """
    if answer.obstacle:
        return _blocked(answer, answer.obstacle)
    examined = full.examine(answer) if full and answer.space.runs else None
    return _result(answer, examined or examine_here(answer, lender))


# ------------------------------------------------------------------------------------------------ what is in the way


def _blocked(answer: Answer, obstacle: Obstacle) -> Result:
    """Return the result of an answer that cannot be examined."""
    words = obstacle_text(obstacle, answer.name)
    says = (
        _first_cell(answer, obstacle)
        or _stub_below(answer, obstacle)
        or way_out(obstacle, answer.name, answer.asked.is_called)
    )
    match obstacle:
        case Borrowed():
            return Result(answer.name, BORROWED, words)
        case Edited() | NeverRun() | Shadowed() | Unseen():
            return Result(answer.name, OPEN, words, says=says)
    most = answer.stated["points"]
    headline = f"{words} · 0 of {most:g} point{'' if most == 1 else 's'}"
    state = OPEN if isinstance(obstacle, Unwritten) else BAD
    return _with_cause(answer, obstacle, Result(answer.name, state, headline, says=says, stale=True))


def _first_cell(answer: Answer, obstacle: Obstacle) -> str:
    """Return what to run first, where a cell did not run to its end and the notebook lacks what its unit gives."""
    if not isinstance(obstacle, NeverRun | Crashed) or not answer.not_imported:
        return ""
    return first_cell_text(answer.asked.module, answer.name)


def _stub_below(answer: Answer, obstacle: Obstacle) -> str:
    """Return where the empty exercise stands below an answer in one cell, "" if it does not."""
    rows = [line for line, name in defined_at(answer.source) if name == answer.name]
    if not isinstance(obstacle, Unwritten) or len(rows) < 2:
        return ""
    return f"Line {rows[-1]} defines the empty `{answer.name}` again, below your answer. Delete it, from that line on."


def _with_cause(answer: Answer, obstacle: Obstacle, result: Result) -> Result:
    """Return the result with what to do about a cell that does not parse, or stopped."""
    match obstacle:
        case Unparsed(source=source):
            return _diagnosed(result, Evidence(answer.asked, source, trouble=trouble_of(source)))
        case Crashed(error, says, line, code, source) if says or line:
            failure = Failure(did=RAISED, error=error, seen=says, label=answer.name, line=line, code=code)
            evidence = evidence_of(answer, (failure,), source=source)
            return _diagnosed(replace(result, parts=(Part(BAD, "the cell", failure),)), evidence)
    return result


def _diagnosed(result: Result, evidence: Evidence) -> Result:
    found = diagnose(evidence)
    return replace(result, says=found.says, example=found.example) if found else result


# ------------------------------------------------------------------------------------------------ what came of it


def _result(answer: Answer, examined: Examined) -> Result:
    """Return the result of an exam, with what to do next where something is wrong."""
    result = Result(
        answer.name,
        examined.state,
        examined.headline,
        examined.parts,
        says=examined.says,
        example=examined.example,
        notes=(*examined.notes, *(examined.print_notes if examined.state == GOOD else ())),
        form=examined.form,
        points=examined.points,
        form_points=examined.form_points,
        form_of=examined.form_of,
    )
    if examined.state != BAD or examined.says or not examined.failures:
        return result
    evidence = evidence_of(answer, examined.failures, examined.prints)
    found = diagnose(evidence, surely=bool(examined.belief))
    if examined.belief and not found:
        return replace(result, belief=examined.belief, says=examined.truth)
    return replace(result, says=found.says, example=found.example) if found else result


def examine_here(answer: Answer, lender: Lender | None) -> Examined:
    """Return what comes of the visible examples and the sealed exam, run here and now.

    An answer is tried by itself where there are references for all the others, else among the learner's own answers.
    """
    alone = among_references(answer, lender) if lender else None
    scene = alone or answer
    seen = tried(scene)
    right = seen.count - len(seen.failures)
    if not seen.failures and (practice := practised(scene)):
        return _practised(answer, practice, alone, lender)
    parts = tuple(Part(BAD, "", failure) for failure in seen.failures)
    headline = f"{right} of {seen.count} example{'' if seen.count == 1 else 's'} right"
    prints = seen.prints and not any("transcript" in example["call"] for example in answer.stated["examples"])
    if seen.unsure and not seen.failures:
        unsure = tuple(Part(OPEN, "", _as_one_of_several(failure)) for failure in seen.unsure)
        return Examined(OPEN, MAY_BE_RIGHT, unsure, notes=(only_examples_text(answer),), form=answer.form)
    if not seen.failures:
        notes = (*_doubts(answer), only_examples_text(answer))
        return Examined(GOOD, headline, prints=prints, notes=notes, form=answer.form)
    waits = None if alone else _waiting(answer)
    return waits or Examined(BAD, headline, parts, seen.prints, form=answer.form)


def _as_one_of_several(failure: Failure) -> Failure:
    """Return what differs from an example, without saying that what is shown was expected."""
    return replace(failure, wanted=None, remark=f"the example shows {failure.wanted_words}")


def _practised(answer: Answer, practice: Practice, alone: Answer | None, lender: Lender | None) -> Examined:
    """Return what came of a sealed exam, whose visible examples are right."""
    parts = tuple(_part(facet, alone, lender) for facet in practice.facets)
    left = f"not tried here: {'; '.join(practice.left)}. Your teacher's autograder tries it"
    notes = (left,) if practice.left else ()
    if practice.passed and not practice.calls:
        return Examined(OPEN, OTHER_WAY, notes=notes)
    if practice.passed:
        headline = f"right in all {practice.calls:,} call{'' if practice.calls == 1 else 's'}"
        return Examined(GOOD, headline, parts, practice.prints, notes=(*_doubts(answer), *notes), form=answer.form)
    if waits := None if alone else _waiting(answer, practice.paper.mentions):
        return waits
    headline = f"{sum(facet.passed for facet in practice.facets)} of {len(parts)} rules pass"
    known = practice.mistake(partial(shows_belief, answer, practice), answer.source)
    belief, truth = (known.belief, known.truth) if known else ("", "")
    return Examined(BAD, headline, parts, practice.prints, belief, truth, form=answer.form)


def _part(facet: Practised, alone: Answer | None, lender: Lender | None) -> Part:
    state = GOOD if facet.passed else BAD if facet.failure else OPEN
    failure = facet.failure
    if failure and alone and lender:
        failure = with_expected(failure, alone, lender)
    return Part(state, facet.name, failure, f"{facet.calls:,} call{'' if facet.calls == 1 else 's'}")


# ------------------------------------------------------------------------------------------------ whom it uses


def _doubts(answer: Answer) -> Iterator[str]:
    yield from (f"uses your `{name}`, which is not right yet" for name in _culprits(answer))


def _culprits(answer: Answer, mentions: Iterable[str] = (), whole: bool = False) -> Iterator[str]:
    """Yield the exercises that an answer uses, or that its exam `mentions`, and that are not right yet.

    What they are tried on is their visible examples, and the `whole` of their sealed exam only where it matters.
    Of a later exercise an exam takes no more than the name, so nobody waits for it.
    """
    for name in dict.fromkeys((*answer.uses, *(each for each in mentions if each in _before(answer)))):
        other = answer.other(name)
        if name != answer.name and other.obstacle != Borrowed() and (other.obstacle or _fails(other, whole)):
            yield name


def _before(answer: Answer) -> list[str]:
    """Return the exercises that come before an answer's, in teaching order."""
    in_order = [each["name"] for each in statements(answer.unit)["exercises"]]
    return in_order[: in_order.index(answer.name)]


def _fails(answer: Answer, whole: bool) -> bool:
    if tried(answer).failures:
        return True
    practice = practised(answer) if whole else None
    return practice is not None and not practice.passed


def _waiting(answer: Answer, mentions: Iterable[str] = ()) -> Examined | None:
    """Return that an own function has to be right first, None if none has."""
    name = next(_culprits(answer, mentions, whole=True), "")
    if not name:
        return None
    if name not in _before(answer) and name not in statements(answer.unit)["calls"][answer.name]:
        says = f"Find a way without `{name}`, or solve that one first."
        return Examined(OPEN, f"calls your `{name}`, a later exercise that is not right yet", says=says)
    says = f'Fix `{name}` first: `check("{name}")` shows what is wrong.'
    match answer.other(name).obstacle:
        case Unwritten():
            return Examined(OPEN, f"waits for your `{name}`, which is not written yet")
        case None:
            return Examined(OPEN, f"uses your `{name}`, which is not right yet", says=says)
        case obstacle:
            return Examined(OPEN, f"uses your `{name}`: {obstacle_text(obstacle, name)}", says=says)
