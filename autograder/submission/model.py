"""A submission as values: answers, helpers, remarks, and which helpers an answer needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from autograder.units.unit import Unit
from course.form import Source
from course.syntax import binds_in, names_in

Lines = tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What answers an exercise: its source if it can be run, else the one line that says why not."""

    name: str
    source: str = ""
    problem: str = ""
    remarks: Lines = ()

    @property
    def is_written(self) -> bool:
        return not self.problem


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
    """A notebook, read: answers by exercise, helpers in order, remarks on what is odd."""

    unit: Unit
    answers: dict[str, Answer]
    helpers: tuple[Helper, ...] = ()
    remarks: Lines = ()
    assigned: tuple[str, ...] = ()

    @cached_property
    def binders(self) -> dict[str, list[int]]:
        """The places, among the helpers, of those that bind a name; under "" those of which nobody knows what."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, helper in enumerate(self.helpers):
            for name in helper.binds or {""}:
                found[name].append(place)
        return found


def needed_helpers(submission: Submission, sources: Iterable[str]) -> list[Helper]:
    """Give the helpers that these sources need, directly or through another helper, in the notebook's order.

    What a source binds itself goes before what another cell binds.
    """
    if not submission.helpers:
        return []
    sources = tuple(sources)
    names, bound = (set[str]().union(*map(find, sources)) for find in (names_in, binds_in))
    todo, seen, needed = ["", *names], {"", *names}, set[int]()
    while todo:
        for place in set(submission.binders.get(todo.pop(), ())) - needed:
            if set() < submission.helpers[place].binds <= bound:
                continue
            needed.add(place)
            fresh = submission.helpers[place].uses - seen
            seen |= fresh
            todo += fresh
    return [submission.helpers[place] for place in sorted(needed)]
