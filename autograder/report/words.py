"""The sentences for all states. All sentences are in this module, and no other code depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from signal import strsignal
from typing import Any

from autograder.report.model import Clashes, Fits, NotTried, Own, Waits
from autograder.report.stops import (
    AllRaised,
    BotFoul,
    BotLost,
    ContestLost,
    Died,
    Hidden,
    NoObservation,
    NoOutcome,
    NotReturned,
    NotRun,
    NoValue,
    OverBudget,
    Oversized,
    Refused,
    Stop,
    Unjudged,
)
from autograder.sandbox.cage import SandboxDied
from autograder.sandbox.inside.tickers import IGNORED_THE_LIMIT
from autograder.sandbox.outcomes import (
    BY_FORCE,
    Broken,
    ChildError,
    ChildExit,
    CodeLine,
    Exited,
    Killed,
    OutOfTime,
    Raised,
    TooLoud,
    TooSlow,
    Unloaded,
)
from autograder.submission.model import (
    Adopted,
    Attempt,
    BoundAgain,
    BoundTogether,
    LeftOut,
    Lines,
    NotAssigned,
    OldFormat,
    OtherVersion,
    OwnRemark,
    PartOfUnit,
    Remark,
    SeveralTimes,
    TurnedInto,
)
from autograder.text import counted
from course.diagnoses.failure import OTHER, SLOW, Did, Failure
from course.diagnoses.obstacle import flaw_text, obstacle_text
from course.exam.readable import from_inside, one_line, printable
from course.exam.snippets import BY_LIMIT

MOST_REMARKS, MOST_CELLS = 20, 5


def obstacle_line(attempt: Attempt) -> str:
    """Return in one printable line why an attempt cannot be checked, or "" if it can."""
    return one_line(obstacle_text(attempt.obstacle, attempt.name)) if attempt.obstacle else ""


def own_remark_text(remark: OwnRemark) -> str:
    """Return a remark on an exercise's cell as a sentence."""
    match remark:
        case TurnedInto(cell, kind):
            return f"cell {cell} was turned into {kind}: read as code"
        case BoundTogether(name, other):
            return f"{other} is also defined in the cell of {name}: that definition is ignored"


def remark_text(remark: Remark) -> str:
    """Return a remark on a notebook as a sentence.

    >>> remark_text(SeveralTimes("flip", (7, 9), 9)), remark_text(Adopted("flip", 4))[:38]
    ('flip: its cell occurs 2 times (7 and 9): cell 9 counts', 'flip: its own cell is missing: cell 4,')
    """
    match remark:
        case OldFormat(number):
            return f"the notebook was in the old format {number}: it was converted"
        case OtherVersion():
            return "the notebook is of another version: some statements may differ"
        case PartOfUnit() | NotAssigned():
            return _assignment_text(remark)
        case SeveralTimes(name, cells, chosen):
            numbers = " and ".join(map(str, cells[:MOST_CELLS]))
            return f"{name}: its cell occurs {len(cells)} times ({numbers}): cell {chosen} counts"
        case Adopted(name, cell):
            return f"{name}: its own cell is missing: cell {cell}, which defines it, counts instead"
        case LeftOut(cell, flaw):
            return f"cell {cell} is not valid Python, so it is ignored: {one_line(flaw_text(flaw))}"
        case BoundAgain(names, cell):
            return f"{', '.join(names)}: also defined in cell {cell}; the exercise's own cell counts"


def _assignment_text(remark: PartOfUnit | NotAssigned) -> str:
    """Return a sentence about the exercises of a notebook and those of its assignment."""
    match remark:
        case NotAssigned(names):
            return f"not in this assignment, so they earn no points: {one_line(', '.join(names), 100)}"
        case PartOfUnit(number, of, first, last, by_course):
            whose = "" if by_course else " (according to the notebook itself; no course confirms it)"
            return f"only a part of the unit: {number} of {of} exercises, {first} to {last}{whose}"


def remark_lines(remarks: Sequence[Remark]) -> Lines:
    """Return remarks on a notebook as lines. After MOST_REMARKS, only their number is shown."""
    more = len(remarks) - MOST_REMARKS
    lines = (one_line(remark_text(each)) for each in remarks[:MOST_REMARKS])
    return (*lines, *[f"and {more} more remarks"] * (more > 0))


BROKEN_OFF = (Killed(BY_FORCE), Exited(1))


def exit_text(child_exit: ChildExit) -> str:
    """Return how a child ended, as words that follow "it". The words are the same in each run.

    When a child closes its channel, it may end by itself or be killed first. Both cases have the same words.

    >>> exit_text(Exited(3)), exit_text(Exited(1)), exit_text(Killed(11))
    ('ended the process (exit status 3)', 'ended its process', 'was killed (segmentation fault)')
    """
    if child_exit in BROKEN_OFF:
        return "ended its process"
    match child_exit:
        case Exited(status) if status == IGNORED_THE_LIMIT:
            return BY_LIMIT["time"]
        case Exited(status):
            return f"ended the process (exit status {status})"
        case Killed(number):
            return f"was killed ({(strsignal(number) or 'by a signal').lower()})"
        case OutOfTime(seconds):
            return f"used up its {seconds} s of CPU time"
        case TooSlow(seconds):
            return f"took longer than {seconds:g} s"
        case TooLoud(megabytes):
            return f"sent more than {megabytes} MB"


def error_text(error: ChildError) -> str:
    """Return an exception as one line, with the learner's line that raised it.

    >>> from autograder.sandbox.outcomes import CodeLine
    >>> error_text(Raised("KeyError", "'x'", CodeLine("flip", 2)))
    "KeyError: 'x' (line 2 of the cell of flip)"
    """
    match error:
        case Broken(limit):
            return BY_LIMIT[limit]
        case Raised(name, text, line):
            where = f" ({code_line_text(line)})" if line else ""
            return from_inside(f"{name}{': ' if text else ''}{text}{where}")


FILE = "file"  # the label of a file without cells


def code_line_text(line: CodeLine) -> str:
    """Return a text with the line and its cell.

    >>> from autograder.sandbox.outcomes import CodeLine
    >>> code_line_text(CodeLine("flip", 2))
    'line 2 of the cell of flip'
    """
    cell = "the file" if line.label == FILE else f"the cell of {line.label}"
    return f"line {line.line} of {cell}"


def loss_text(loss: ChildExit | Unloaded) -> str:
    """Return why a bot's process was lost, as words that follow "it".

    >>> loss_text(Unloaded("champion", Raised("KeyError"))), loss_text(Unloaded(FILE, Raised("KeyError")))
    ('does not load: champion: KeyError', 'does not load: KeyError')
    """
    match loss:
        case Exited(status) if status == IGNORED_THE_LIMIT:
            return "ran longer than its time limit, and did not stop"
        case Unloaded(label, error):
            reason = error_text(error) if error else "no reason was given"
            return f"does not load: {reason if label in ('', FILE) else from_inside(f'{label}: {reason}')}"
    return exit_text(loss)


def helper_text(label: str, error: ChildError | None) -> str:
    """Return what is wrong with a helper."""
    return f"helper in {label}: {error_text(error) if error else ''}"


def unloaded_text(trouble: ChildError | ChildExit) -> str:
    """Return why an answer's cell could not be run.

    >>> unloaded_text(Exited(3)), unloaded_text(Raised("NameError", "x"))
    ('its cell fails when run: it ended the process (exit status 3)', 'its cell fails when run: NameError: x')
    """
    reason = error_text(trouble) if isinstance(trouble, Raised | Broken) else _it(trouble)
    return f"its cell fails when run: {reason}"


def _it(child_exit: ChildExit) -> str:
    return exit_text(child_exit) if isinstance(child_exit, TooSlow | TooLoud) else f"it {exit_text(child_exit)}"


def own_text(own: Own) -> str:
    """Return how an exercise works with the learner's own functions, or "" if there is nothing to report."""
    match own:
        case Waits(names):
            return f"waits for {', '.join(names)}"
        case Fits():
            return "works with your own functions"
        case Clashes(names, together=True):
            return f"does not work together with your own {' and '.join(names)}"
        case Clashes(names):
            return f"does not work with your own {' and '.join(names)}"
        case NotTried():
            return "not tried with your own functions: too many of them do not end"
    return ""


def fault_text(error: Exception) -> str:
    """Return why something could not be graded, from an exception of the grader."""
    if isinstance(error, SandboxDied):
        return f"the sandbox failed: {error}"
    return f"an error in the grader: {from_inside(f'{type(error).__name__}: {error}')}"


def odd_unit_text(own: str, others: int, usual: str) -> str:
    """Return a remark that a notebook belongs to another unit than most notebooks of its class."""
    return f"a notebook of {own}, but {others} other notebooks here are of {usual}"


def odd_part_text(own: int, others: int, usual: int, without: Lines) -> str:
    """Return a remark that a notebook has other exercises than most notebooks of its unit."""
    text = f"; it lacks {', '.join(without)}" if without else ""
    return f"assigns {counted(own, 'exercise')}, but {others} other notebooks here assign {usual}{text}"


def stop_text(stop: Stop) -> str:
    """Return why there is no result to compare with the expected one.

    >>> stop_text(Died("flip", Exited(3), many=True)), stop_text(NotRun("flip"))
    ('flip ended the process (exit status 3), in one of several calls', 'flip: not run, because the process had ended')
    """
    match stop:
        case NotRun(name):
            return f"{_of(name)}not run, because the process had ended"
        case OverBudget():
            return "not examined: the submission has used up its time"
        case Died(name, child_exit, many):
            return f"{name} {exit_text(child_exit)}{', in one of several calls' if many else ''}"
        case Hidden(code, line, reference):
            return _hidden_text(one_line(code, 60), code_line_text(line), reference)
        case NoObservation():
            return "its process sent something that the grader cannot read"
    return _judged_text(stop)


def _hidden_text(code: str, where: str, reference: str) -> str:
    why = f"Details are hidden because {where} uses `{code}`, which could reveal the solution of {reference}."
    return f"{why} Write that line in another way, or solve {reference} first."


def _judged_text(stop: AllRaised | Refused | NoOutcome | Unjudged | ContestLost | BotFoul | BotLost) -> str:
    match stop:
        case AllRaised(name, error, limit):
            return f"{name} {BY_LIMIT[limit] if limit else f'raised {error}'}"
        case Refused(reason, name):
            return f"{_of(name)}{reason}"
        case NoOutcome(error):
            return f"returned something that cannot be judged ({error})"
        case Unjudged(name, error):
            return f"{name}: returned something that cannot be judged ({error})"
    return _contest_text(stop)


def _of(name: str) -> str:
    return f"{name}: " if name else ""


def _contest_text(stop: ContestLost | BotFoul | BotLost) -> str:
    match stop:
        case ContestLost(name, goal, won, lost, deals, p_value):
            shared = deals - won - lost
            return f"{name}: {goal} ({won} deals won, {lost} lost, {shared} shared, so p_value = {p_value:.2g})"
        case BotFoul(name, question, view, reason):
            return f"{name}().{question}({view}): {reason}"
        case BotLost(name, loss):
            why = loss_text(loss) if loss else "used up the time of its submission"
            return f"{name}: the bot that it returns {why}"


SLOW_ENDS: tuple[ChildError | ChildExit, ...] = (Broken("time"), Exited(IGNORED_THE_LIMIT))


def failure_of(stop: Stop) -> Failure:
    """Return a stop as a failure."""
    return Failure(did=_did(stop), words=printable(stop_text(stop)))


def _did(stop: Stop) -> Did:
    match stop:
        case Died(child_exit=child_exit) if child_exit in SLOW_ENDS:
            return SLOW
        case AllRaised(limit="time"):
            return SLOW
    return OTHER


def action_data(action: NotReturned) -> dict[str, Any]:
    """Return the fields of a `Failure` for a call that returned no value: `did`, or `words` if no `did` fits.

    >>> action_data(Broken("time")), action_data(Exited(3))["words"]
    ({'did': <Did.SLOW: 'took too long'>}, 'ended the process (exit status 3)')
    """
    match action:
        case Broken() | Exited() if action in SLOW_ENDS:
            return {"did": SLOW}
        case Oversized():
            return {"words": "made a value that is too large"}
        case NoValue():
            return {"words": "returned a value of a type that the course does not use"}
        case Broken(limit):
            return {"words": BY_LIMIT[limit]}
    return {"words": exit_text(action)}


def no_such_text(error: Exception) -> str:
    """Return why a value is wrong, if the acceptance relation raised an exception."""
    return f"which cannot be judged ({type(error).__name__})"


NOT_IN_IT, NOT_IN_UNIT = "not part of this notebook", "it is not part of the unit"


def no_notebook_text(name: str, folder: str) -> str:
    """Return a message that no notebook contains the check of an exercise."""
    return f"there is no notebook with the check of {name} in {folder}"
