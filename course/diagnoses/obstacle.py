"""The obstacles that keep an exercise from being checked, in a kernel or a submission, as values and as text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

RUN_CELL_ADVICE = "Run the cell (Shift-Enter), then check again"
OTHER_NAMES_WIDTH = 100  # characters of the other names that a cell defines


# ------------------------------------------------------------------------------------------------ unreadable cells


class FlawKind(StrEnum):
    """The reasons why a cell cannot be read.

    TOO_LONG and TOO_DEEP are for cells that are longer or more deeply nested than any answer needs to be.
    """

    BAD_SYNTAX, UNPARSABLE, TOO_LONG, TOO_DEEP = "syntax", "error", "long", "deep"


BAD_SYNTAX, UNPARSABLE, TOO_LONG, TOO_DEEP = FlawKind


@dataclass(frozen=True)
class Flaw:
    """The reason why a cell cannot be read.

    `says` is Python's message about bad syntax, or the name of the exception that the parser raised.
    """

    kind: FlawKind
    says: str = ""
    line: int | None = None


def flaw_text(flaw: Flaw) -> str:
    """Return why a cell cannot be read.

    >>> flaw_text(Flaw(BAD_SYNTAX, "invalid syntax", 3)), flaw_text(Flaw(UNPARSABLE, "ValueError"))
    ('invalid syntax, line 3', 'the cell has a character or a number that Python does not allow (ValueError)')
    """
    match flaw.kind:
        case FlawKind.BAD_SYNTAX:
            return f"{flaw.says}, line {flaw.line}"
        case FlawKind.UNPARSABLE:
            return f"the cell has a character or a number that Python does not allow ({flaw.says})"
        case FlawKind.TOO_LONG:
            return "the cell is too long"
        case FlawKind.TOO_DEEP:
            return "the brackets or the blocks are nested too deeply"


# ------------------------------------------------------------------------------------------------ obstacles


@dataclass(frozen=True)
class MissingCell:
    """An obstacle: the exercise has no cell."""


@dataclass(frozen=True)
class UnwrittenExercise:
    """An obstacle: the exercise's cell still contains the stub."""


@dataclass(frozen=True)
class UnparsedCell:
    """An obstacle: the exercise's cell does not parse. `flaw` is the reason, and `source` is the text of the cell."""

    flaw: Flaw
    source: str = ""


@dataclass(frozen=True)
class UndefinedName:
    """An obstacle: the exercise's cell defines other names (`defines`), but not the exercise."""

    defines: tuple[str, ...]


@dataclass(frozen=True)
class BorrowedReference:
    """An obstacle: the exercise's name is bound to the reference, which the learner has borrowed."""


@dataclass(frozen=True)
class EditedCell:
    """An obstacle: the exercise's cell was changed after it was run."""


@dataclass(frozen=True)
class UnrunCell:
    """An obstacle: the exercise's cell was not run."""


@dataclass(frozen=True)
class RedefinedName:
    """An obstacle: the later cell `cell` has redefined the exercise's name in the line `line`."""

    cell: str
    line: str


@dataclass(frozen=True)
class CrashedCell:
    """An obstacle: the exercise's cell raised an error before it defined the exercise.

    `says` is the message of the error, and `line` and `code` are the line that raised the error.
    """

    error: str
    says: str
    line: int
    code: str
    source: str


@dataclass(frozen=True)
class UngradableDefinition:
    """An obstacle: the exercise's name has a value, but no statement defines it in a way that the grader accepts."""


Obstacle: TypeAlias = (
    MissingCell
    | UnwrittenExercise
    | UnparsedCell
    | UndefinedName
    | BorrowedReference
    | EditedCell
    | UnrunCell
    | RedefinedName
    | CrashedCell
    | UngradableDefinition
)


def obstacle_text(obstacle: Obstacle, name: str) -> str:  # noqa: C901 (a table: one line for each case)
    """Return the text that describes an obstacle.

    >>> obstacle_text(UndefinedName(("flop",)), "flip"), obstacle_text(UnparsedCell(Flaw(TOO_LONG)), "flip")
    ('the cell defines `flop`, but the exercise is `flip`', 'Python cannot read the cell: the cell is too long')
    """
    match obstacle:
        case MissingCell():
            return "the cell of this exercise is missing"
        case UnwrittenExercise():
            return "not written yet"
        case UnparsedCell(flaw):
            return f"Python cannot read the cell: {flaw_text(flaw)}"
        case UndefinedName(defines):
            names = ", ".join(f"`{other}`" for other in defines) or "nothing"
            cut = names if len(names) <= OTHER_NAMES_WIDTH else f"{names[: OTHER_NAMES_WIDTH - 1]}…"
            return f"the cell defines {cut}, but the exercise is `{name}`"
        case BorrowedReference():
            return "you borrowed this answer, so it earns no points. To check your own answer, run its cell"
        case EditedCell():
            return f"you changed the cell, but did not run it. {RUN_CELL_ADVICE}"
        case UnrunCell():
            return f"the cell was not run. {RUN_CELL_ADVICE}"
        case RedefinedName(cell, line):
            return f"{cell} redefines `{name}`: `{line}`"
        case CrashedCell(error, line=line):
            where = f" in line {line}" if line else ""
            return f"the cell stopped with {error}{where}, before `{name}` was defined"
        case UngradableDefinition():
            return f"no cell defines `{name}` in a form that can be graded"


def first_cell_advice(module: str, name: str) -> str:
    """Return the advice to run the notebook's first cell, because the unit's names are missing."""
    return f"Run the first cell (`from {module} import *`), then the cell of `{name}`, and check again."


def advice_on_obstacle(obstacle: Obstacle, name: str, is_called: bool) -> str:
    """Return advice on an obstacle, or "" if the text of the obstacle already contains the advice.

    `is_called` says whether the exercise is a function.
    """
    match obstacle:
        case UndefinedName([*_, last]) if last.lower() == name.lower():
            return (
                f"Python distinguishes capital and small letters: rename `{last}` to `{name}`, and run the cell again."
            )
        case UndefinedName([*_, last]):
            return f"Write `{name}` where the cell has `{last}`, and run the cell again."
        case RedefinedName():
            return f"Use another name in that cell, then run the cell of `{name}` again."
        case CrashedCell(says="", line=0):
            return f"Run the cell of `{name}` again to see the error that stopped it."
        case UngradableDefinition():
            forms = f"`def {name}(…): …` or `{name} = …`" if is_called else f"`{name} = …`"
            return f"Write {forms} in the cell of the exercise, without indentation."
    return ""
