"""A submission as values: an attempt at each exercise, helpers, remarks, and which helpers an answer needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from autograder.submission.cell import Flaw
from autograder.units.unit import Unit
from course.form import Source
from course.graph import reached
from course.syntax import binds_in, names_in

Lines = tuple[str, ...]


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
    """The notebook sets so many of a unit's exercises, from the first to the last."""

    number: int
    of: int
    first: str
    last: str


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
Remark: TypeAlias = OldFormat | OtherVersion | PartOfUnit | SeveralTimes | Adopted | LeftOut | BoundAgain
OwnRemarks: TypeAlias = tuple[OwnRemark, ...]


@dataclass(frozen=True)
class Missing:
    """The exercise has no cell."""

    name: str
    remarks: OwnRemarks = ()


@dataclass(frozen=True)
class Unwritten:
    """Its cell still holds the stub."""

    name: str
    remarks: OwnRemarks = ()


@dataclass(frozen=True)
class Unparsed:
    """Its cell does not parse, and its flaw."""

    name: str
    flaw: Flaw
    remarks: OwnRemarks = ()
    source: str = ""


@dataclass(frozen=True)
class Undefined:
    """Its cell does not define the exercise, but other names."""

    name: str
    defines: Lines
    remarks: OwnRemarks = ()


@dataclass(frozen=True)
class Answer:
    """What answers an exercise, as source that can be run."""

    name: str
    source: str
    remarks: OwnRemarks = ()


Attempt: TypeAlias = Missing | Unwritten | Unparsed | Undefined | Answer


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
    def answers(self) -> dict[str, Answer]:
        """The attempts that can be run."""
        return {name: attempt for name, attempt in self.attempts.items() if isinstance(attempt, Answer)}

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
        """Give the helpers that these sources need, directly or through another helper, in the notebook's order.

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
