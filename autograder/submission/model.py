"""A submission as values: an attempt at each exercise, helpers, and remarks."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from autograder.units.unit import Unit
from course.diagnoses.obstacle import Flaw, Obstacle
from course.form import Source
from course.form.given import BUILTINS
from course.graph import reached
from course.syntax import binds_in, names_in, tree_of

Lines = tuple[str, ...]
MOST_READ = 1_000  # statements, to find those that may change a value
MOST_CELLS = 5  # whose numbers a remark has
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


class OldFormat(Struct, frozen=True, tag=True):
    """A remark: the notebook has an old format."""

    number: str


class OtherVersion(Struct, frozen=True, tag=True):
    """A remark: the notebook is of another version of its unit."""


class NewerPython(Struct, frozen=True, tag=True):
    """A remark: code does not parse here, and the notebook has run with a newer Python than the grader's."""

    used: str
    here: str


class PartOfUnit(Struct, frozen=True, tag=True):
    """The assignment, or the notebook itself, has only some of a unit's exercises, from the first to the last one."""

    number: int
    of: int
    first: str
    last: str
    by_course: bool = True


class NotAssigned(Struct, frozen=True, tag=True):
    """A remark: the notebook has exercises that are not part of the assignment."""

    names: Lines


class SeveralTimes(Struct, frozen=True, tag=True):
    """An exercise's cell exists several times. It has the numbers of the first cells, and of the one that counts."""

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
    OldFormat
    | OtherVersion
    | NewerPython
    | PartOfUnit
    | NotAssigned
    | SeveralTimes
    | Adopted
    | BoundBuiltins
    | LeftOut
    | BoundAgain
)
OwnRemarks: TypeAlias = tuple[OwnRemark, ...]


@dataclass(frozen=True)
class Attempt:
    """A notebook's attempt at an exercise: source code to run, or an obstacle."""

    name: str
    source: str = ""
    obstacle: Obstacle | None = None
    remarks: OwnRemarks = ()


@dataclass(frozen=True)
class Helper(Source):
    """A definition, import or assignment that is not an answer.

    `behind` is the number of the exercise whose cell contains or precedes the helper, or 0. The label is the name of
    the exercise whose cell contains it, or its cell's number, as in `cell_3`. `completes` says whether it completes a
    value, such as `table.append(1)`. Such a helper counts only for the exercises below it.
    """

    behind: int
    binds: frozenset[str]
    uses: frozenset[str]
    completes: bool = False

    @property
    def is_block(self) -> bool:
        """Return whether this is an import, a function or a class."""
        return isinstance(self._node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))

    @property
    def may_change(self) -> bool:
        """Return whether running this may change values. A function without a decorator is only defined."""
        match self._node:
            case ast.Import() | ast.ImportFrom():
                return False
            case ast.FunctionDef(decorator_list=decorators):
                return bool(decorators)
        return True

    @property
    def _node(self) -> ast.stmt | None:
        return next(iter(tree_of(self.source).body), None)


@dataclass(frozen=True)
class Submission:
    """A notebook after reading: attempts, helpers in order, remarks, and text `written` for a teacher to read.

    `statements` are the helpers and, between them, statements that bind nothing.
    """

    unit: Unit
    attempts: dict[str, Attempt]
    helpers: tuple[Helper, ...] = ()
    remarks: tuple[Remark, ...] = ()
    assigned: Lines = ()
    written: str = ""
    statements: tuple[Helper, ...] = ()

    @property
    def sources(self) -> Lines:
        """Return all code that may be run: the answers and the helpers."""
        return (*(answer.source for answer in self.answers.values()), *(helper.source for helper in self.helpers))

    @cached_property
    def answers(self) -> dict[str, Attempt]:
        """Return the attempts that can be run."""
        return {name: attempt for name, attempt in self.attempts.items() if attempt.obstacle is None}

    @cached_property
    def helpers_of(self) -> dict[str, tuple[Helper, ...]]:
        """Return for each answer the helpers that it needs when the other exercises are references."""
        return {name: tuple(self.helpers_for([answer.source], name)) for name, answer in self.answers.items()}

    @cached_property
    def _binders(self) -> dict[str, list[int]]:
        """Return the indexes of the helpers that bind each name. The key "" has those that bind unknown names."""
        binders: dict[str, list[int]] = defaultdict(list)
        for index, helper in enumerate(self.helpers):
            for name in helper.binds or {""}:
                binders[name].append(index)
        return binders

    def _binding(self, name: str, exercise: str) -> Iterable[int]:
        """Return the indexes of the helpers that give a name its meaning for an exercise.

        If the name means something before, helpers behind the next exercise do not count. Below the exercise, neither
        do built-in and given names that are bound, nor values that are completed. So marks are those of a notebook that
        is run from top to bottom.
        """
        binding = self._binders.get(name, ())
        if not binding or not exercise:
            return binding
        number, is_given = self.unit[exercise].number, name in BUILTINS or name in self.unit.module.__all__
        helpers = ((index, self.helpers[index]) for index in binding)
        before = [
            index
            for index, helper in helpers
            if helper.behind < number + (not is_given and not helper.completes) or helper.label == exercise
        ]
        return before if before or is_given else binding

    def helpers_for(self, sources: Iterable[str], exercise: str = "") -> list[Helper]:
        """Return the helpers that these sources need, directly or not, in the notebook's order.

        A source's own definitions take precedence over those of other cells. If the sources are the answer to one
        exercise, its place in the notebook matters.
        """
        sources = tuple(sources)
        if not self.helpers:
            return []
        names, bound = (set[str]().union(*map(find, sources)) for find in (names_in, binds_in))
        own = {index for index, helper in enumerate(self.helpers) if set() < helper.binds <= bound}

        def after(each: str | int) -> Iterable[str | int]:
            return {*self._binding(each, exercise)} - own if isinstance(each, str) else self.helpers[each].uses

        start: set[str | int] = {"", *names}
        met = reached(start, after)
        return [helper for index, helper in enumerate(self.helpers) if index in met]

    def helpers_with_calls(self, exercise: str) -> list[Helper]:
        """Return an answer's helpers, together with the statements above it that may change a value of theirs.

        Such a statement is `fill(table)`, or a function with one's own decorator. Without any, or in a very long
        notebook, the list is empty.
        """
        helpers, number = self.helpers_of[exercise], self.unit[exercise].number
        values = {name for each in helpers if not each.is_block for name in each.binds}
        above = ((each, uses) for each, uses in self._changing if each.behind < number and each.label != exercise)
        changing = [each for each, uses in above if values & uses and each not in helpers]
        needed = {*helpers, *changing, *self.helpers_for((each.source for each in changing), exercise)}
        return [each for each in self.statements if each in needed] if changing else []

    @cached_property
    def _changing(self) -> list[tuple[Helper, frozenset[str]]]:
        """Return the statements that may change a value, each with the names that it uses, directly or not."""
        few = self.statements if len(self.statements) <= MOST_READ else ()
        its = ((each, self.helpers_for([each.source])) for each in few if each.may_change)
        return [(each, each.uses.union(*(helper.uses for helper in helpers))) for each, helpers in its]
