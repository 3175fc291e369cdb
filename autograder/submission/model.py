"""A submission as values: an attempt at each exercise, helpers, remarks, and which helpers an answer needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from autograder.units.unit import Unit
from course.diagnoses.obstacle import Flaw, Obstacle
from course.form import Source
from course.graph import reached
from course.syntax import binds_in, names_in

Lines = tuple[str, ...]
AssignmentPoints: TypeAlias = Mapping[
    str, Mapping[str, float]
]  # what an assignment sets: by unit, exercises with their points
NO_ASSIGNMENT: AssignmentPoints = {}


@dataclass(frozen=True)
class TurnedInto:
    """An exercise's cell was turned into one of another kind."""

    cell: int
    kind: str


@dataclass(frozen=True)
class BoundBeside:
    """Another exercise is bound in the cell of this one."""

    name: str
    other: str


@dataclass(frozen=True)
class OldFormat:
    """The notebook was in an old format."""

    number: str


@dataclass(frozen=True)
class OtherVersion:
    """The notebook is of another version of its unit."""


@dataclass(frozen=True)
class PartOfUnit:
    """So many of a unit's exercises are set, from the first to the last: by a course, or by the notebook itself."""

    number: int
    of: int
    first: str
    last: str
    by_course: bool = True


@dataclass(frozen=True)
class NotAssigned:
    """The notebook has exercises that the assignment does not set."""

    names: Lines


@dataclass(frozen=True)
class SeveralTimes:
    """An exercise's cell is there several times: in these cells, of which one counts."""

    name: str
    cells: tuple[int, ...]
    chosen: int


@dataclass(frozen=True)
class Adopted:
    """An exercise's own cell is gone: another cell, which defines it, counts instead."""

    name: str
    cell: int


@dataclass(frozen=True)
class LeftOut:
    """A cell does not parse."""

    cell: int
    flaw: Flaw


@dataclass(frozen=True)
class BoundAgain:
    """A cell that is no exercise's binds exercises."""

    names: Lines
    cell: int


OwnRemark: TypeAlias = TurnedInto | BoundBeside
Remark: TypeAlias = OldFormat | OtherVersion | PartOfUnit | NotAssigned | SeveralTimes | Adopted | LeftOut | BoundAgain
OwnRemarks: TypeAlias = tuple[OwnRemark, ...]


@dataclass(frozen=True)
class Attempt:
    """What a notebook has for an exercise: source that can be run, or the obstacle that is in the way."""

    name: str
    source: str = ""
    obstacle: Obstacle | None = None
    remarks: OwnRemarks = ()


@dataclass(frozen=True)
class Helper(Source):
    """A definition, import or assignment that is no answer, in or behind the cell of the exercise of a number (or 0).

    Its label is the name of the exercise in whose cell it stands, or the number of its cell, as `cell_3`.
    """

    behind: int
    binds: frozenset[str]
    uses: frozenset[str]


@dataclass(frozen=True)
class Submission:
    """A notebook, read: attempts, helpers in order, remarks on what is odd, and what is `written` for a person."""

    unit: Unit
    attempts: dict[str, Attempt]
    helpers: tuple[Helper, ...] = ()
    remarks: tuple[Remark, ...] = ()
    assigned: Lines = ()
    written: str = ""

    @property
    def sources(self) -> Lines:
        """All the code that may be run: the answers' and the helpers'."""
        return (*(answer.source for answer in self.answers.values()), *(helper.source for helper in self.helpers))

    @cached_property
    def answers(self) -> dict[str, Attempt]:
        """The attempts that can be run."""
        return {name: attempt for name, attempt in self.attempts.items() if attempt.obstacle is None}

    @cached_property
    def helpers_of(self) -> dict[str, tuple[Helper, ...]]:
        """The helpers that each answer needs, where the other exercises are not its author's."""
        return {name: tuple(self.helpers_for([answer.source])) for name, answer in self.answers.items()}

    @cached_property
    def _binders(self) -> dict[str, list[int]]:
        """The places, among the helpers, of those that bind a name; under "" those of which nobody knows what."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, helper in enumerate(self.helpers):
            for name in helper.binds or {""}:
                found[name].append(place)
        return found

    def helpers_for(self, sources: Iterable[str]) -> list[Helper]:
        """Return the helpers that these sources need, directly or through another helper, in the notebook's order.

        What a source binds itself goes before what another cell binds.
        """
        sources = tuple(sources)
        if not self.helpers:
            return []
        names, bound = (set[str]().union(*map(find, sources)) for find in (names_in, binds_in))

        def binders(names: Iterable[str]) -> set[int]:
            places = {place for name in names for place in self._binders.get(name, ())}
            return {place for place in places if not set() < self.helpers[place].binds <= bound}

        met = reached(binders({"", *names}), lambda place: binders(self.helpers[place].uses))
        return [self.helpers[place] for place in sorted(met)]
