"""The sentences for everything in a report.

The sentences are made when a report is shown, and no other code depends on their words. Commands and hosts call this
module; grading does not. Sentences that kernels also need are in `course/diagnoses/`.
"""

from __future__ import annotations

from dataclasses import replace
from signal import strsignal
from typing import Any

import msgspec

from autograder.report.model import (
    BrokenHelper,
    ExerciseRemark,
    ExerciseReport,
    ExtraPrinting,
    FacetReport,
    FailsWithOwnFunctions,
    Graded,
    NeedsUnwrittenFunctions,
    NotebookRemark,
    NotRunWithOwnFunctions,
    Report,
    RunWithWrongFunctions,
    SecondFile,
    Ungradable,
    WorksWithOwnFunctions,
)
from autograder.report.stops import (
    SLOW_OUTCOMES,
    AllRaised,
    BadFile,
    BotFault,
    BotFoul,
    BotLost,
    ContestLost,
    Died,
    Forbidden,
    GraderFault,
    HiddenCalls,
    InvalidAnswer,
    LeftToNbgrader,
    NoAnswer,
    NoNotebook,
    NoObservation,
    NotAllowed,
    NotInUnit,
    NotLoaded,
    NotReturned,
    NotRun,
    NoValue,
    Outdated,
    OverBudget,
    Oversized,
    Refused,
    SandboxFault,
    Stop,
    TooLate,
    Unjudged,
    WithheldValue,
)
from autograder.sandbox.cage import (
    FAILED_EXIT,
    FILE_LABEL,
    ChildError,
    ChildExit,
    CodeLine,
    Exited,
    FailedDefinition,
    Killed,
    LimitReached,
    RaisedException,
    TooLoud,
    TooSlow,
)
from autograder.sandbox.inside.tickers import IGNORED_LIMIT_STATUS
from autograder.submission.model import (
    Adopted,
    BoundAgain,
    BoundBuiltins,
    LeftOut,
    NotAssigned,
    OtherVersion,
    PartOfUnit,
    SeveralTimes,
    TextTuple,
)
from autograder.text import shown_name
from course.diagnoses.failure import SLOW, Failure
from course.diagnoses.obstacle import flaw_text, obstacle_text
from course.exam.readable import LIMIT_DESCRIPTIONS, line_without_folders, one_line, printable_text
from course.show.results import ALSO_PRINTS_NOTE

# ------------------------------------------------------------------------------------------------ reports


def problem_text(report: ExerciseReport) -> str:
    """Return why an exercise was not run, or why its run stopped; "" if there is no problem."""
    return stop_text(report.stop) if report.stop else ""


def shown_failure(facet: FacetReport) -> Failure | None:
    """Return the failure of a facet. If the failing call has no value that can be judged, the failure says why."""
    if facet.failure is None or facet.stop is None:
        return facet.failure
    return replace(facet.failure, words=printable_text(stop_text(facet.stop)))


def facet_failure_text(facet: FacetReport) -> str:
    """Return the failure of a facet as one line of text that can be pasted into a cell; "" if there is none."""
    failure = shown_failure(facet)
    if failure and isinstance(facet.stop, WithheldValue) and failure.wanted is not None:
        failure = replace(failure, words=f"expected {failure.wanted_words}; {failure.words}")
    return str(failure or "")


def first_problem_text(report: ExerciseReport) -> str:
    """Return the first failure as one line, or else why the exercise was not run; "" if there is no problem.

    A failure that can be shown comes before failures of hidden calls.
    """
    facets = sorted(report.facets, key=lambda facet: facet.stop == HiddenCalls())
    return next(filter(None, map(facet_failure_text, facets)), problem_text(report))


def note_lines(report: ExerciseReport, with_printing: bool = True) -> TextTuple:
    """Return sentences about an exercise: whether the answer works with the learner's functions, and the remarks."""
    remarks = tuple(remark_text(each) for each in report.remarks if with_printing or each != ExtraPrinting())
    match report.own:
        case NeedsUnwrittenFunctions(names):
            return (
                f"not tried with your own functions, because these functions are not written yet: {', '.join(names)}",
                *remarks,
            )
        case WorksWithOwnFunctions():
            return ("this answer also works with your own functions", *remarks)
        case FailsWithOwnFunctions(names, together):
            return (f"this answer does not work with your own {' and '.join(names)}{' together' * together}", *remarks)
        case NotRunWithOwnFunctions():
            return ("not tried with your own functions, because too many of your functions do not end", *remarks)
    return remarks


def extra_row_text(row: ExerciseReport) -> str:
    """Return one line of text for a row with points that belong to no exercise.

    >>> from autograder.report.model import PASSED
    >>> extra_row_text(ExerciseReport("lateness", 0, PASSED, -1.5, 0, remarks=("late by 3 h: 10% of the points",)))
    'lateness -1.5 (late by 3 h: 10% of the points)'
    """
    reasons = f" ({', '.join(map(remark_text, row.remarks))})" if row.remarks else ""
    return f"{row.name} {row.points:+g}{reasons}"


def remark_lines(report: Graded) -> TextTuple:
    """Return each remark on a notebook as a sentence."""
    return tuple(map(remark_text, report.remarks))


def exported_report(report: Report) -> dict[str, Any]:
    """Return a report as JSON data for people and scripts: its values, and in addition totals and sentences."""
    if isinstance(report, Ungradable):
        blank = Graded(report.unit, report.title, "", "", "", ())
        return exported_report(blank) | {"type": "Ungradable", "problem": stop_text(report.reason)}
    totals = {"points": report.points, "of": report.of, "solved": report.solved, "calls": report.calls}
    exercises = list[dict[str, Any]]()
    for each in report.exercises:
        facets = [msgspec.to_builtins(facet) | {"verdict": facet_failure_text(facet)} for facet in each.facets]
        sentences = {"problem": problem_text(each), "notes": note_lines(each), "facets": facets}
        exercises.append(msgspec.to_builtins(each) | sentences)
    own = {"problem": "", "notes": remark_lines(report), "exercises": exercises}
    return totals | msgspec.to_builtins(report) | own


# ------------------------------------------------------------------------------------------------ remarks


def remark_text(remark: NotebookRemark | ExerciseRemark) -> str:
    """Return a remark as one line.

    >>> remark_text(SeveralTimes("flip", 2, (7, 9), 9)), remark_text(Adopted("flip", 4))[:32]
    ('flip: its cell occurs 2 times (cells 7 and 9), and cell 9 is graded', 'flip: its own cell is missing or')
    """
    match remark:
        case str():
            return remark
        case ExtraPrinting():
            return ALSO_PRINTS_NOTE
        case BrokenHelper(label, error):
            return f"a helper in {label} fails: {error_text(error) if error else ''}"
        case RunWithWrongFunctions(names):
            return f"the result was computed with these functions of yours, which are not right yet: {', '.join(names)}"
        case NotAssigned(names):
            return f"these exercises are not in this assignment and earn no points: {one_line(', '.join(names), 100)}"
        case PartOfUnit(number, of, first, last):
            return f"the notebook says that the assignment has {number} of the unit's {of} exercises, {first} to {last}"
        case SecondFile(student, unit, file):
            return f"{shown_name(student)} has a second file for {unit}; only {file} is graded"
    return one_line(_notebook_remark_text(remark))


def _notebook_remark_text(
    remark: OtherVersion | SeveralTimes | Adopted | LeftOut | BoundAgain | BoundBuiltins,
) -> str:
    match remark:
        case OtherVersion():
            return (
                "the notebook comes from another version of Foldem: some of its statements may differ from those "
                "of the exam"
            )
        case SeveralTimes(name, times, cells, chosen):
            where = " and ".join(map(str, cells))
            return f"{name}: its cell occurs {times} times (cells {where}), and cell {chosen} is graded"
        case Adopted(name, cell):
            return f"{name}: its own cell is missing or has no answer, so the definition in cell {cell} is graded"
        case LeftOut(cell, flaw):
            return f"cell {cell} is not valid Python, so it is ignored: {one_line(flaw_text(flaw))}"
        case BoundAgain(names, cell):
            return f"{', '.join(names)}: also defined in cell {cell}, but only the exercise's own cell is graded"
        case BoundBuiltins(names, cell):
            meaning = f"cell {cell} redefines this built-in name for the exercises below cell {cell}. Use another name"
            return f"{', '.join(names)}: {meaning}"


# ------------------------------------------------------------------------------------------------ processes


def exit_text(child_exit: ChildExit) -> str:
    """Return how a child process ended, as the rest of a sentence that begins with "it".

    >>> exit_text(Exited(3)), exit_text(Exited(1)), exit_text(Killed(11))
    ('ended the process (exit status 3)', 'ended its process', 'was killed (segmentation fault)')
    """
    if child_exit == FAILED_EXIT:
        return "ended its process"
    match child_exit:
        case Exited(status) if status == IGNORED_LIMIT_STATUS:
            return LIMIT_DESCRIPTIONS["time"]
        case Exited(status):
            return f"ended the process (exit status {status})"
        case Killed(number):
            return f"was killed ({(strsignal(number) or 'by a signal').lower()})"
        case TooSlow(seconds):
            return f"took longer than {seconds:g} s"
        case TooLoud(megabytes):
            return f"sent more than {megabytes} MB of data"


def error_text(error: ChildError) -> str:
    """Return an exception as one line, with the number of the learner's line that raised it.

    >>> from autograder.sandbox.cage import CodeLine
    >>> error_text(RaisedException("KeyError", "'x'", CodeLine("flip", 2)))
    "KeyError: 'x' (line 2 of the cell of flip)"
    """
    match error:
        case LimitReached(limit):
            return LIMIT_DESCRIPTIONS[limit]
        case RaisedException(name, text, line):
            where = f" ({code_line_text(line)})" if line else ""
            return line_without_folders(f"{name}{': ' if text else ''}{text}{where}")


def code_line_text(line: CodeLine) -> str:
    """Return the number of a line and the name of its cell, as words.

    >>> from autograder.sandbox.cage import CodeLine
    >>> code_line_text(CodeLine("flip", 2))
    'line 2 of the cell of flip'
    """
    cell = "the file" if line.label == FILE_LABEL else f"the cell of {line.label}"
    return f"line {line.line} of {cell}"


def bot_fault_text(fault: BotFault) -> str:
    """Return why a bot did not answer, as the rest of a sentence that begins with "it"."""
    match fault:
        case RaisedException() | LimitReached():
            return f"raised {error_text(fault)}"
        case TooLate(seconds):
            return f"took longer than {seconds:g} s"
        case InvalidAnswer():
            return "sent an invalid answer"
    return loss_text(fault)


def loss_text(loss: ChildExit | FailedDefinition) -> str:
    """Return why a bot's process ended or could not load the bot, as the rest of a sentence that begins with "it".

    >>> error = RaisedException("KeyError")
    >>> loss_text(FailedDefinition("champion", error)), loss_text(FailedDefinition(FILE_LABEL, error))
    ('does not load: champion: KeyError', 'does not load: KeyError')
    """
    match loss:
        case Exited(status) if status == IGNORED_LIMIT_STATUS:
            return "ran longer than its time limit, and did not stop"
        case FailedDefinition(label, error):
            reason = error_text(error) if error else "no reason was given"
            return (
                f"does not load: {reason if label in ('', FILE_LABEL) else line_without_folders(f'{label}: {reason}')}"
            )
    return exit_text(loss)


# ------------------------------------------------------------------------------------------------ stops


def stop_text(stop: Stop) -> str:
    """Return a sentence that says why a file, an exercise or a call has no result that can be judged.

    >>> stop_text(Died("flip", Exited(3)))
    'flip ended the process (exit status 3)'
    >>> stop_text(NotRun("flip"))
    'flip: not run, because the process of this answer had already ended'
    >>> stop_text(NotLoaded(Exited(3))), stop_text(NotLoaded(RaisedException("NameError", "x")))
    ('the cell fails when it runs: it ended the process (exit status 3)', 'the cell fails when it runs: NameError: x')
    """
    match stop:
        case BadFile(message):
            return message
        case NoNotebook(name, folder):
            return f"no notebook in {folder} has the check cell of {name}"
        case LeftToNbgrader():
            return "nbgrader has no mark for this cell yet"
        case NotInUnit():
            return "this exercise is not part of the unit"
        case Outdated():
            return "graded by an older version of Foldem: run `foldem grade` again"
        case SandboxFault(text):
            return f"the sandbox failed: {text}"
        case GraderFault(error, text):
            return f"an error in the grader: {line_without_folders(f'{error}: {text}')}"
        case NoAnswer(name):
            return one_line(obstacle_text(stop.obstacle, name))
        case Forbidden(why):
            return why
    return _run_stop_text(stop)


def _run_stop_text(stop: Stop) -> str:
    """Return why a run stopped, or was not started."""
    match stop:
        case NotLoaded(trouble):
            why = error_text(trouble) if isinstance(trouble, ChildError) else f"it {exit_text(trouble)}"
            return f"the cell fails when it runs: {why}"
        case NotRun(name):
            return f"{_prefix_for(name)}not run, because the process of this answer had already ended"
        case OverBudget():
            return "not run, because the submission has used up its time"
        case Died(name, child_exit):
            return f"{name} {exit_text(child_exit)}"
        case NotAllowed(code, line, exercise):
            rule = f"this is allowed only after your `{exercise}` is right. Write the line in another way."
            return f"not run: {code_line_text(line)} uses `{one_line(code, 60)}`, but {rule}"
        case NoObservation():
            return "the process that ran the answer sent data that the grader cannot read"
        case NotReturned(effect):
            return effect_text(effect)
        case BotLost(name, loss):
            why = loss_text(loss) if loss else "used up the time limit of the submission"
            return f"{name}: its bot {why}"
    return _judgement_stop_text(stop)


def _judgement_stop_text(stop: Stop) -> str:
    """Return why results were refused, could not be judged, or are not shown."""
    match stop:
        case HiddenCalls():
            return "right in all published calls, but wrong in some hidden calls"
        case WithheldValue(exercise):
            return f"your result is hidden until your answer for `{exercise}` is right"
        case AllRaised(name, error, limit):
            return f"{name} {LIMIT_DESCRIPTIONS[limit] if limit else f'raised {error}'}"
        case Refused(reason, name):
            return f"{_prefix_for(name)}{reason}"
        case Unjudged(error, name):
            return f"{_prefix_for(name)}returned something that cannot be judged ({error})"
        case ContestLost(name, goal, won, lost, deals, share):
            pairs = f"{won} deals won, {lost} deals lost, {deals - won - lost} deals tied"
            return f"{name}: {goal} (won {100 * share:.1f} % of {2 * deals:,} sets; {pairs})"
        case BotFoul(code, reason):
            return f"{code}: {reason if isinstance(reason, str) else bot_fault_text(reason)}"
    raise TypeError(type(stop).__name__)


def _prefix_for(name: str) -> str:
    return f"{name}: " if name else ""


def effect_text(effect: ChildExit | LimitReached | Oversized | NoValue) -> str:
    """Return what a call did instead of returning a value, as words.

    >>> effect_text(LimitReached("time")), effect_text(Exited(3))
    ('took too long', 'ended the process (exit status 3)')
    """
    match effect:
        case LimitReached() | Exited() if effect in SLOW_OUTCOMES:
            return str(SLOW)
        case Oversized():
            return "made a value that is too large"
        case NoValue():
            return "returned a value of a type that the unit does not use"
        case LimitReached(limit):
            return LIMIT_DESCRIPTIONS[limit]
    return exit_text(effect)


NOT_IN_NOTEBOOK = "not part of this notebook"
