"""What states are called, in sentences: no other place has them, and nothing is decided by looking into one."""

from __future__ import annotations

from signal import SIGKILL, strsignal

from autograder.report.model import Clashes, Fits, NotTried, Own, Waits
from autograder.sandbox.cage import SandboxDied
from autograder.sandbox.inside.runner import IGNORED_THE_LIMIT, MOST_PRINTED
from autograder.sandbox.told import (
    Broken,
    Ending,
    Exited,
    Killed,
    OutOfTime,
    Raised,
    Story,
    TooLoud,
    TooSlow,
    Unloaded,
)
from autograder.submission.model import Attempt, Lines, Missing, Undefined, Unparsed, Unwritten
from autograder.text import counted, from_inside, one_line


def why_not(attempt: Attempt) -> str:
    """Give why an attempt cannot be run, "" if it can.

    >>> why_not(Undefined("flip", ("flop", "turn")))
    'the cell of flip does not define flip (it defines flop, turn)'
    """
    match attempt:
        case Missing(name):
            return f"the cell of {name} is missing"
        case Unwritten():
            return "not written yet"
        case Unparsed(trouble=trouble):
            return f"the cell does not parse: {trouble}"
        case Undefined(name, defines):
            what = one_line(f"it defines {', '.join(defines) or 'nothing'}", 100)
            return f"the cell of {name} does not define {name} ({what})"
    return ""


BY_LIMIT = {
    "time": "took too long",
    "printing": f"printed more than {MOST_PRINTED:,} characters",
    "size": "gave a value that is too large",
    "memory": "used too much memory",
}
BROKEN_OFF = (Killed(SIGKILL), Exited(1))


def ending_text(ending: Ending) -> str:
    """Give how a child ended, as words that go on from "it"; the same each time.

    Who closes its channel fails at its next frame, if it is not killed before.

    >>> ending_text(Exited(3)), ending_text(Exited(1)), ending_text(Killed(11))
    ('ended the process (exit status 3)', 'ended its process', 'was killed (segmentation fault)')
    """
    if ending in BROKEN_OFF:
        return "ended its process"
    match ending:
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


def story_text(story: Story) -> str:
    """Give an exception as one line, with the learner's own line that it came from.

    >>> from autograder.sandbox.told import CodeLine
    >>> story_text(Raised("KeyError", "'x'", CodeLine("flip", 2)))
    "KeyError: 'x' (line 2 of the cell of flip)"
    """
    match story:
        case Broken(limit):
            return BY_LIMIT[limit]
        case Raised(name, text, place):
            cell = "" if place is None else "the file" if place.label == FILE else f"the cell of {place.label}"
            where = f" (line {place.line} of {cell})" if place else ""
            return from_inside(f"{name}{': ' if text else ''}{text}{where}")


FILE = "file"  # the label of a whole file, where there are no cells


def loss_text(loss: Ending | Unloaded) -> str:
    """Give why a bot is lost, as words that go on from "it".

    >>> loss_text(Unloaded("champion", Raised("KeyError"))), loss_text(Unloaded(FILE, Raised("KeyError")))
    ('does not load: champion: KeyError', 'does not load: KeyError')
    """
    match loss:
        case Exited(status) if status == IGNORED_THE_LIMIT:
            return "took longer than it may, and did not stop"
        case Unloaded(label, story):
            told = story_text(story) if story else "it does not say why"
            return f"does not load: {told if label in ('', FILE) else from_inside(f'{label}: {told}')}"
    return ending_text(loss)


PRINTS = "it prints something, which is not part of what it should do (this costs nothing)"


def helper_text(label: str, story: Story | None) -> str:
    """Give what went wrong with a helper."""
    return f"helper in {label}: {story_text(story) if story else ''}"


def unloaded_text(trouble: Story | Ending) -> str:
    """Give why an answer's cell could not be run.

    >>> unloaded_text(Exited(3)), unloaded_text(Raised("NameError", "x"))
    ('its cell fails when run: it ended the process (exit status 3)', 'its cell fails when run: NameError: x')
    """
    told = story_text(trouble) if isinstance(trouble, Raised | Broken) else _it(trouble)
    return f"its cell fails when run: {told}"


def _it(ending: Ending) -> str:
    return ending_text(ending) if isinstance(ending, TooSlow | TooLoud) else f"it {ending_text(ending)}"


def own_text(own: Own) -> str:
    """Give how an exercise does among the learner's own functions, "" where there is nothing to say."""
    match own:
        case Waits(names):
            return f"waits for {', '.join(names)}"
        case Fits():
            return "works with your own functions"
        case Clashes(names, together=True):
            return f"does not work with your own {', '.join(names)} together"
        case Clashes(names):
            return f"does not work with your own {' and '.join(names)}"
        case NotTried():
            return "not tried with your own functions: too many of them do not come to an end"
    return ""


def fault_text(error: Exception) -> str:
    """Give, of an exception of ours, why something could not be graded."""
    if isinstance(error, SandboxDied):
        return f"the sandbox failed: {error}"
    return f"a fault of the grader: {from_inside(f'{type(error).__name__}: {error}')}"


def odd_unit_text(own: str, others: int, usual: str) -> str:
    """Say that a notebook is of another unit than most of its class hand in."""
    return f"a notebook of {own}, where {others} others here hand in {usual}"


def odd_part_text(own: int, others: int, usual: int, without: Lines) -> str:
    """Say that a notebook sets other exercises than most of its unit do."""
    told = f": without {', '.join(without)}" if without else ""
    return f"sets {counted(own, 'exercise')}, where {others} others here set {usual}{told}"


SPENT = "not examined: the submission has used up its time"
NOT_IN_IT, NOT_IN_UNIT = "not part of this notebook", "it is not part of the unit"


def no_notebook_text(name: str, folder: str) -> str:
    """Say that an exercise has no notebook to be graded."""
    return f"there is no notebook with the check of {name} in {folder}"
