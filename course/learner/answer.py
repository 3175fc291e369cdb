"""An answer to one exercise, as the learner's notebook has it now.

`check`, `hint`, `borrow`, `watch` and `catch` build one, and pass it along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from importlib import import_module
from typing import Any
from unicodedata import normalize

from course.diagnoses import trouble_of
from course.diagnoses.obstacle import (
    BadSyntax,
    Borrowed,
    Crashed,
    Edited,
    NeverRun,
    Obstacle,
    Shadowed,
    Undefined,
    Unparsed,
    Unseen,
    Unwritten,
)
from course.form import FormFinding, Requirements, Source, requirements_from, review
from course.graph import reached
from course.kernel.borrowed import is_borrowed
from course.kernel.catalogue import exercise_of, statements, units
from course.kernel.history import Run, defining_run
from course.kernel.notebook import IN_A_BROWSER, Names, NotRight, is_unwritten, namespace, unit_here
from course.kernel.saved import Book
from course.kernel.workspace import Workspace, names_mentioned, workspace_of
from course.syntax import bound_names, first_line, lines_of

SAVING = 2.0 if IN_A_BROWSER else 0.0  # seconds from what is saved to when it counts as saved


@dataclass(frozen=True)
class Answer:
    """A learner's answer to an exercise: what is asked, the cell that defines it, and the names that it runs among.

    `others` are the answers to other exercises that were looked at so far.
    """

    space: Workspace
    unit: str
    name: str
    asked: Requirements
    stated: dict[str, Any]
    definition: Run | None
    problem: BadSyntax | None
    source: str  # of the cell that last defined the exercise, as it was typed; "" if none did
    names: Names
    others: dict[str, Answer] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def book(self) -> Book | None:
        """The running notebook as it is saved."""
        return self.space.running.get(self.unit)

    @cached_property
    def saved(self) -> str | None:
        """The exercise's cell as it is saved, None if that cannot be known."""
        found = [source for grade, source in self.book.cells if grade == self.name] if self.book else []
        return found[-1] if found else None

    @cached_property
    def judging(self) -> dict[str, Any]:
        """What is stated of how it is judged, where not only the values shown are right."""
        return dict(statements(self.unit).get("judging", {}).get(self.name, {}))

    def other(self, name: str) -> Answer:
        """Return the answer to another exercise of the unit."""
        if name not in self.others:
            self.others[name] = _answer(self.space, self.unit, name, self.others)
        return self.others[name]

    @cached_property
    def obstacle(self) -> Obstacle | None:
        """What is in the way of examining it, None if nothing is."""
        if is_borrowed(self.space.names, self.unit, self.name):
            return Borrowed()
        if disturbance := _disturbance(self):
            return disturbance
        if _is_edited(self):
            return Edited()
        if self.name not in self.space.names:
            return _undefined(self)
        return Unwritten() if is_unwritten(self.space.names, self.name) else None

    @cached_property
    def not_imported(self) -> frozenset[str]:
        """The names that the unit gives and that the notebook does not have: its first cell imports them."""
        return frozenset(getattr(import_module(self.asked.module), "__all__", ())) - {*self.names}

    @cached_property
    def helpers(self) -> tuple[Source, ...]:
        """What it needs of other cells, directly or not, the answers to exercises aside; the latest of each."""
        exercises, mentions = self.asked.exercises, self.space.mentions
        latest = {name: run for run in self.space.runs for name in run.binds - exercises}
        needed = reached(
            names_mentioned(self.source),
            lambda name: frozenset() if name in exercises else mentions.get(name, frozenset()),
        )
        found = {run.number: run for name in needed if (run := latest.get(name)) and run is not self.definition}
        return tuple(Source(run.label, _without(run, exercises)) for _, run in sorted(found.items()))

    @cached_property
    def uses(self) -> tuple[str, ...]:
        """The exercises that it reaches through the learner's own code, in teaching order."""
        mentions = self.space.mentions
        found = reached([self.name], lambda name: mentions.get(name, frozenset())) - {self.name}
        return tuple(each["name"] for each in statements(self.unit)["exercises"] if each["name"] in found)

    @cached_property
    def form(self) -> tuple[FormFinding, ...]:
        """What the rules of form say to it."""
        return review(self.asked, self.source, self.helpers) if self.source else ()


def answer_to(name: str, depth: int) -> Answer:
    """Return the answer to the exercise `name` in the notebook of the caller `depth` frames up.

    Raises NotRight if there is no exercise of that name.
    """
    return answer_among(namespace(depth + 1), name)


def answer_among(names: Names, name: str, unit: str | None = None) -> Answer:
    """Return the answer to the exercise `name` among these names; raises NotRight if there is no such exercise."""
    if not isinstance(name, str):
        raise NotRight('write the name of the exercise in quotes: check("flip")')
    unit = unit or unit_here(names, name)
    if unit is None:
        known = [exercise["name"] for unit in units() for exercise in statements(unit)["exercises"]]
        near = get_close_matches(name, known, 1)
        raise NotRight(f"there is no exercise {name!r}" + (f": did you mean {near[0]!r}?" if near else ""))
    return _answer(workspace_of(names), unit, name, {})


def _answer(space: Workspace, unit: str, name: str, others: dict[str, Answer]) -> Answer:
    definition, problem = defining_run(space.runs, name)
    asked, stated = asked_of(unit, name), exercise_of(unit, name) or {}
    source = definition.typed if definition else ""
    return Answer(space, unit, name, asked, stated, definition, problem, source, space.names, others)


@cache
def asked_of(unit: str, name: str) -> Requirements:
    """Return what is asked of an answer to an exercise."""
    return requirements_from(statements(unit), name)


def _without(run: Run, names: frozenset[str]) -> str:
    """Return a cell's source, blank where it binds some names."""
    lines = lines_of(run.source)
    for statement in run.statements:
        if bound_names(statement) & names:
            for row in range(first_line(statement) - 1, statement.end_lineno or 0):
                lines[row] = ""
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------------ what is in the way


def _disturbance(answer: Answer) -> Obstacle | None:
    """Return what is wrong with the exercise's cell, or with a later cell that gives its name another meaning."""
    name, says, past = answer.name, statements(answer.unit)["asked"][answer.name]["says"], answer.space.runs
    own = next((run for run in reversed(past) if run.answers(name, says)), None)
    binder = next((run for run in reversed(past) if name in run.means), None)
    if answer.problem and (own is None or not own.statements):
        return Unparsed(answer.problem, _broken_text(answer))
    if own is None and binder and answer.asked.is_called and not callable(answer.space.names.get(name)):
        own = next((run for run in reversed(past) if name in run.means and run is not binder), None)
    if own is None or (binder and binder.number == own.number):
        return Unseen() if _is_unseen(answer, [binder] if binder else past) else None
    if binder and binder.number > own.number:
        is_same_cell = binder.answers(name, says) or binder.typed.strip() == own.typed.strip()
        return None if is_same_cell else _shadowed(name, binder)
    return _stopped(answer, own) if own.error else Undefined(tuple(_names_bound(own)))


def _undefined(answer: Answer) -> NeverRun | Crashed:
    """Return why the exercise's name means nothing: its cell ran before it was noted how cells end, or did not run."""
    run = answer.definition
    if run is None or run.has_ended:
        return NeverRun()
    return Crashed("an error", "", 0, "", run.source)


def _names_bound(run: Run) -> Iterator[str]:
    for statement in run.statements:
        yield from sorted(bound_names(statement))


def _is_unseen(answer: Answer, makers: Iterable[Run]) -> bool:
    """Return whether none of these runs defines what the name means, by what grading takes for a definition."""
    several = [*makers]
    return answer.name in answer.space.names and bool(several) and not any(answer.name in run.binds for run in several)


def _broken_text(answer: Answer) -> str:
    """Return the last cell that mentions the exercise and does not parse."""
    texts = (run.source for run in reversed(answer.space.runs) if answer.name in run.source)
    return next((text for text in texts if trouble_of(text)), "")


def _shadowed(name: str, run: Run) -> Shadowed:
    lines = (normalize("NFKC", line.strip()) for line in run.source.splitlines())  # as Python reads names
    return Shadowed(run.label, next((line for line in lines if name in line), ""))


def _stopped(answer: Answer, run: Run) -> Crashed | Unparsed:
    if trouble := trouble_of(run.source):  # as typed, IPython's own commands are no Python
        return Unparsed(BadSyntax(trouble.says, trouble.line), _broken_text(answer))
    lines, (says, line) = lines_of(run.typed), _without_file(run)
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return Crashed(run.error, says, line, code, run.source)


def _without_file(run: Run) -> tuple[str, int]:
    """Return what an error says, and its line; of one that keeps a cell from being compiled Python names the file."""
    found = re.fullmatch(r"(.*) \(\S+, line (\d+)\)", run.told, re.DOTALL)
    return (found[1], int(found[2])) if found and run.error == "SyntaxError" else (run.told, run.line)


def _is_edited(answer: Answer) -> bool:
    """Return whether the exercise's cell was changed since it was last run, as far as the saved notebook tells.

    What was saved before the last run tells nothing: most learners run a cell before the notebook is saved. Nor does
    what a page began to save before it, which takes its time in a browser.
    """
    run, saved, book = answer.definition, answer.saved, answer.book
    if run is None or book is None or saved is None:
        return False
    return book.when > run.began + SAVING and saved.strip() not in {each.typed.strip() for each in answer.space.runs}
