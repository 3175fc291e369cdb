"""What must be so before an answer can be examined: each thing that may be in the way, as a value, and in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias
from unicodedata import normalize

from course import notebook
from course.diagnoses import trouble_of
from course.hints import is_borrowed
from course.history import Run, runs
from course.notebook import Place, statements
from course.syntax import bound_names, lines_of

RUN_IT = "run it (Shift-Enter), then check again"


@dataclass(frozen=True)
class NotOwn:
    """The answer is not the learner's own."""


@dataclass(frozen=True)
class EditedSince:
    """Its cell has another text now than the one that was run."""


@dataclass(frozen=True)
class NeverRun:
    """Its cell was not run."""


@dataclass(frozen=True)
class StillStub:
    """Its cell still holds the stub."""


@dataclass(frozen=True)
class NoPython:
    """Its cell is no Python: what the problem is, and the text that was typed."""

    problem: str
    source: str


@dataclass(frozen=True)
class Shadowed:
    """A later cell has given its name another meaning, in this line."""

    cell: str
    line: str


@dataclass(frozen=True)
class BrokenOff:
    """Its cell ended before it had defined the exercise: with what was said, in a line and its code."""

    run: Run
    told: str
    line: int
    code: str


@dataclass(frozen=True)
class Misnamed:
    """Its cell defines other names."""

    others: tuple[str, ...]


@dataclass(frozen=True)
class Unseen:
    """Its name means something, but by no statement that grading takes for a definition."""


Hindrance: TypeAlias = NotOwn | EditedSince | NeverRun | StillStub | NoPython | Shadowed | BrokenOff | Misnamed | Unseen


def words_of(hindrance: Hindrance, name: str) -> str:
    """Say what is in the way.

    >>> words_of(Misnamed(("flop",)), "flip")
    'its cell defines `flop`, asked was `flip`'
    """
    match hindrance:
        case NotOwn():
            return "borrowed, which is worth no points: run your own cell to have it checked"
        case EditedSince():
            return f"its cell was edited but not run: {RUN_IT}"
        case NeverRun():
            return f"its cell was not run: {RUN_IT}"
        case StillStub():
            return "not written yet"
        case NoPython(problem):
            return f"the cell does not parse: {problem}"
        case Shadowed(cell, line):
            return f"{cell} gave `{name}` another meaning: `{line}`"
        case BrokenOff(run, line=line):
            return f"its cell stopped with {run.error} in line {line}, before `{name}` was defined"
        case Misnamed(others):
            what = ", ".join(f"`{other}`" for other in others) or "nothing"
            return f"its cell defines {what}, asked was `{name}`"
        case Unseen():
            return f"no cell that was run here defines `{name}` in a way that grading finds"


def hindrance_of(place: Place, is_called: bool) -> Hindrance | None:
    """Give what is in the way of examining an exercise, None if nothing is; `is_called`: a function is asked for."""
    if is_borrowed(place):
        return NotOwn()
    if found := _disturbed(place, is_called):
        return found
    if notebook.is_edited(place):
        return EditedSince()
    if place.name not in place.names:
        return NeverRun()
    return StillStub() if notebook.is_unwritten(place.names, place.name) else None


def _disturbed(place: Place, is_called: bool) -> Hindrance | None:
    """Tell of an exercise's cell that does not parse, has stopped, or defines something else, and of other cells."""
    says = statements(place.unit)["asked"][place.name]["says"]
    past = runs(place.names)
    own = next((run for run in reversed(past) if run.answers(place.name, says)), None)
    binder = next((run for run in reversed(past) if place.name in run.means), None)
    _, problem = next(notebook.defining_cells([run.source for run in past], place.name), (0, ""))
    if problem and (own is None or not own.statements):
        return _unparsed(place, problem)
    if own is None and binder and is_called and not callable(place.names.get(place.name)):
        own = next((run for run in reversed(past) if place.name in run.means and run is not binder), None)
    if own is None or (binder and binder.number == own.number):
        return Unseen() if _is_unseen(place, [binder] if binder else past) else None
    if binder and binder.number > own.number:
        return None if binder.answers(place.name, says) else _shadowed(place, binder)
    return _stopped(place, own) if own.error else _misnamed(own)


def _is_unseen(place: Place, makers: list[Run]) -> bool:
    """Tell whether none of these runs defines what a name means, by what grading takes for a definition."""
    return place.name in place.names and bool(makers) and not any(place.name in run.binds for run in makers)


def _unparsed(place: Place, problem: str) -> NoPython:
    texts = (run.source for run in reversed(runs(place.names)) if place.name in run.source and trouble_of(run.source))
    return NoPython(problem, next(texts, ""))


def _shadowed(place: Place, run: Run) -> Shadowed:
    lines = (normalize("NFKC", line.strip()) for line in run.source.splitlines())  # as Python reads names
    return Shadowed(run.label, next((line for line in lines if place.name in line), ""))


def _stopped(place: Place, run: Run) -> BrokenOff | NoPython:
    if trouble := trouble_of(run.source):  # as typed, IPython's own commands are no Python
        return _unparsed(place, f"{trouble.says}, line {trouble.line}")
    lines, (told, line) = lines_of(run.typed), _without_file(run)
    return BrokenOff(run, told, line, lines[line - 1].strip() if 0 < line <= len(lines) else "")


def _without_file(run: Run) -> tuple[str, int]:
    """Give what an error says, and its line; Python says of one that keeps a cell from being compiled in which file."""
    found = re.fullmatch(r"(.*) \(\S+, line (\d+)\)", run.told, re.DOTALL)
    return (found[1], int(found[2])) if found and run.error == "SyntaxError" else (run.told, run.line)


def _misnamed(run: Run) -> Misnamed:
    return Misnamed(tuple(name for statement in run.statements for name in sorted(bound_names(statement))))
