"""A submission as values: an attempt at each exercise, helpers, and remarks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cached_property
from math import inf
from typing import TypeAlias

from msgspec import Struct

from autograder.submission.bindings import EVERYTHING
from autograder.units.unit import Unit
from course.diagnoses.obstacle import Flaw, Obstacle
from course.form import Source
from course.form.given import BUILTINS
from course.syntax import names_in

Lines = tuple[str, ...]
CELLS_SHOWN = 5  # whose numbers a remark has
AssignmentPoints: TypeAlias = Mapping[
    str, Mapping[str, float]
]  # the exercises of an assignment with their points, by unit
NO_ASSIGNMENT: AssignmentPoints = {}


class TurnedInto(Struct, frozen=True, tag=True):
    """A remark: an exercise's cell was changed to another type of cell."""

    cell: int
    kind: str


class BoundTogether(Struct, frozen=True, tag=True):
    """A remark: the cell of this exercise also defines another exercise."""

    name: str
    other: str


class OtherVersion(Struct, frozen=True, tag=True):
    """A remark: the notebook is of another version of its unit."""


class PartOfUnit(Struct, frozen=True, tag=True):
    """A remark: the assignment, or the notebook itself, has only the exercises of a unit from `first` to `last`."""

    number: int
    of: int
    first: str
    last: str
    by_course: bool = True


class NotAssigned(Struct, frozen=True, tag=True):
    """A remark: the notebook has exercises that are not part of the assignment."""

    names: Lines


class SeveralTimes(Struct, frozen=True, tag=True):
    """A remark: an exercise has several cells. `cells` are the first ones, and the cell `chosen` counts."""

    name: str
    times: int
    cells: tuple[int, ...]
    chosen: int


class Adopted(Struct, frozen=True, tag=True):
    """A remark: an exercise's own cell is missing, unwritten or no answer. Another cell that defines it counts."""

    name: str
    cell: int


class BoundBuiltins(Struct, frozen=True, tag=True):
    """A cell that gives built-in names a new meaning, which applies to all exercises that use them."""

    names: Lines
    cell: int


class LeftOut(Struct, frozen=True, tag=True):
    """A cell that does not parse."""

    cell: int
    flaw: Flaw


class BoundAgain(Struct, frozen=True, tag=True):
    """A cell that belongs to no exercise, but defines exercises."""

    names: Lines
    cell: int


OwnRemark: TypeAlias = TurnedInto | BoundTogether
Remark: TypeAlias = (
    OtherVersion | PartOfUnit | NotAssigned | SeveralTimes | Adopted | BoundBuiltins | LeftOut | BoundAgain
)
OwnRemarks: TypeAlias = tuple[OwnRemark, ...]


@dataclass(frozen=True)
class Attempt:
    """A notebook's attempt at an exercise: source code to run, or an obstacle.

    The source has the statements of the exercise's cell that the answer needs. `statements` are their indexes in the
    notebook, and the exercise's check sees the statements with indexes below `until`.
    """

    name: str
    source: str = ""
    obstacle: Obstacle | None = None
    remarks: OwnRemarks = ()
    statements: frozenset[int] = frozenset()
    until: float = inf


@dataclass(frozen=True)
class Helper(Source):
    """A statement of a cell. Answers in other cells may need it.

    `behind` is the number of the exercise whose cell contains or precedes the helper, or 0. The label is the name of
    the exercise whose cell contains it, or its cell's number, as in `cell_3`.

    The statement may bind the names in `binds` or change their values, also in place. Its functions may do so with the
    names in `later`. Names in `fixed` get a value that no call can change. If `is_sure` is true, the statement cannot
    fail. `index` is its position in the notebook.
    """

    behind: int
    binds: frozenset[str]
    uses: frozenset[str]
    later: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    is_sure: bool = False
    index: int = 0

    @property
    def only_binds(self) -> bool:
        """Return whether running this changes no value, as with an import, a function or a constant."""
        return bool(self.binds) and self.binds <= self.fixed


@dataclass(frozen=True)
class Submission:
    """A notebook after reading: attempts, statements in order, remarks, and text `written` for a teacher to read."""

    unit: Unit
    attempts: dict[str, Attempt]
    statements: tuple[Helper, ...] = ()
    remarks: tuple[Remark, ...] = ()
    assigned: Lines = ()
    written: str = ""

    @property
    def sources(self) -> Lines:
        """Return all code that may be run: the answers and the helpers."""
        return (*(answer.source for answer in self.answers.values()), *(helper.source for helper in self.helpers))

    @cached_property
    def helpers(self) -> tuple[Helper, ...]:
        """Return the statements that bind something other than exercises."""
        return tuple(each for each in self.statements if each.binds and self.unit.by_name.keys().isdisjoint(each.binds))

    @cached_property
    def answers(self) -> dict[str, Attempt]:
        """Return the attempts that can be run."""
        return {name: attempt for name, attempt in self.attempts.items() if attempt.obstacle is None}

    @cached_property
    def helpers_of(self) -> dict[str, tuple[Helper, ...]]:
        """For each answer, return the helpers that it needs if references replace all other answers."""
        return {name: tuple(self.helpers_for([answer.source], name)) for name, answer in self.answers.items()}

    def helpers_for(self, sources: Iterable[str], exercise: str = "") -> list[Helper]:
        """Return the statements of other cells that these sources need, in the notebook's order.

        With an `exercise`, only the statements that its check sees count; without one, all statements of the notebook.
        """
        texts = {*sources}
        own = [name for name, answer in self.answers.items() if answer.source in texts]
        names = {*own}.union(*map(names_in, texts - {self.answers[name].source for name in own}))
        indexes = frozenset[int]().union(*(self.answers[name].statements for name in own))
        until = self.attempts[exercise].until if exercise else inf
        return [each for each in self.needed(names, own, until) if each.index not in indexes]

    def needed(self, names: Iterable[str], own: Collection[str], until: float) -> list[Helper]:
        """Return the statements that bind names, or that may change the values of these names, directly or not."""
        indexes = _Needs(self, own, until).of({*names, EVERYTHING})
        return [each for each in self.statements if each.index in indexes]

    @cached_property
    def statements_that_bind(self) -> dict[str, list[Helper]]:
        """Return the statements that may bind or change each name, in order."""
        return _by_name((name, each) for each in self.statements for name in each.binds)

    @cached_property
    def statements_that_use(self) -> dict[str, list[Helper]]:
        """Return the statements that use each name, in order."""
        return _by_name((name, each) for each in self.statements for name in each.uses)


def _by_name(pairs: Iterable[tuple[str, Helper]]) -> dict[str, list[Helper]]:
    helpers = defaultdict[str, list[Helper]](list)
    for name, helper in pairs:
        helpers[name].append(helper)
    return helpers


class _Need(IntEnum):
    """A way in which a name is needed: its last value, every value that it had, or also statements that change it."""

    LAST = auto()
    EVERY = auto()
    CHANGES = auto()


class _Needs:
    """The statements that names need for a check, which sees the statements with indexes below `until`.

    The exercises in `own` get their values from their own cells, and no statement gives values to other exercises.
    """

    def __init__(self, submission: Submission, own: Collection[str], until: float) -> None:
        self.submission, self.own, self.until = submission, own, until
        self.names, self.indexes = defaultdict[_Need, set[str]](set), defaultdict[_Need, set[int]](set)
        self.todo: list[tuple[str, _Need]] = []
        self.below = set[str]()
        binders = (each for each in submission.statements if any(self._binds(each, name) for name in each.binds))
        self.later = frozenset[str]().union(*(each.later for each in binders))

    def of(self, names: Set[str]) -> set[int]:
        """Return the indexes of the statements that these names need."""
        self._want(names, _Need.LAST)
        while self.todo:
            name, need = self.todo.pop()
            if need is _Need.CHANGES:
                self._follow(name)
            else:
                self._bind(name, need)
        return self.indexes[_Need.LAST] | self.indexes[_Need.EVERY]

    def _want(self, names: Set[str], need: _Need) -> None:
        fresh = names - self.names[need]
        self.names[need] |= fresh
        self.todo += [(name, need) for name in fresh]

    def _bind(self, name: str, need: _Need) -> None:
        """Take the statements that bind a name. If only its last value matters, begin with the last sure statement."""
        binders = [each for each in self.submission.statements_that_bind.get(name, ()) if self._binds(each, name)]
        above = [each for each in binders if each.index < self.until]
        if above or name in BUILTINS or name in self.submission.unit.module.__all__:
            binders = above
        else:  # those below count, too, since it means nothing above
            self.below.add(name)
        if need is _Need.LAST:
            sure = [index for index, each in enumerate(binders) if each.is_sure and name in each.fixed]
            binders = binders[sure[-1] :] if sure else binders
        for each in binders:
            self._take(each, need)
        if name in self.later or any(name not in each.fixed for each in binders):
            self._want({name}, _Need.CHANGES)

    def _take(self, helper: Helper, need: _Need) -> None:
        """Take a statement. A sure statement uses names only in functions, so later, with their last values."""
        need = need if helper.is_sure else _Need.EVERY
        if helper.index not in self.indexes[need]:
            self.indexes[need].add(helper.index)
            self._want(helper.uses, need)

    def _follow(self, name: str) -> None:
        """Take the statements that may change the value of a name, because they use it or names that depend on it."""
        followed = self.indexes[_Need.CHANGES]
        for each in self.submission.statements_that_use.get(name, ()):
            if each.index not in followed and (each.index < self.until or name in self.below):
                followed.add(each.index)
                self._want({bound for bound in each.binds | each.later if self._binds(each, bound)}, _Need.CHANGES)
                if not each.only_binds:
                    self._take(each, _Need.EVERY)

    def _binds(self, helper: Helper, name: str) -> bool:
        """Return whether a statement may give a name its value."""
        if name not in self.submission.unit.by_name:
            return True
        return name in self.own and helper.index in self.submission.attempts[name].statements
