"""A submission as values: an attempt at each exercise, helpers, remarks, and which helpers an answer needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from autograder.units.unit import Unit
from course.form import Source
from course.graph import reached
from course.syntax import binds_in, names_in

Lines = tuple[str, ...]


@dataclass(frozen=True)
class Missing:
    """The exercise has no cell."""

    name: str
    remarks: Lines = ()


@dataclass(frozen=True)
class Unwritten:
    """Its cell still holds the stub."""

    name: str
    remarks: Lines = ()


@dataclass(frozen=True)
class Unparsed:
    """Its cell does not parse, and the trouble with it."""

    name: str
    trouble: str
    remarks: Lines = ()
    source: str = ""


@dataclass(frozen=True)
class Undefined:
    """Its cell does not define the exercise, but other names."""

    name: str
    defines: Lines
    remarks: Lines = ()


@dataclass(frozen=True)
class Answer:
    """What answers an exercise, as source that can be run."""

    name: str
    source: str
    remarks: Lines = ()


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
    """A notebook, read: an attempt at each exercise, helpers in order, remarks on what is odd."""

    unit: Unit
    attempts: dict[str, Attempt]
    helpers: tuple[Helper, ...] = ()
    remarks: Lines = ()
    assigned: Lines = ()

    @property
    def sources(self) -> Lines:
        """All the code that may be run: the answers' and the helpers'."""
        return (*(answer.source for answer in self.answers.values()), *(helper.source for helper in self.helpers))

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """The attempts that can be run."""
        return {name: attempt for name, attempt in self.attempts.items() if isinstance(attempt, Answer)}

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

        def binders(name: str) -> list[int]:
            return [place for place in self._binders.get(name, ()) if not set() < self.helpers[place].binds <= bound]

        met = reached({"", *names}, lambda name: {use for place in binders(name) for use in self.helpers[place].uses})
        return [self.helpers[place] for place in sorted({place for name in met for place in binders(name)})]
