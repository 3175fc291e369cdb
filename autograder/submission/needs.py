"""Which statements an answer needs: those that bind names which it uses, or that may change a value of theirs.

The work grows with the number of names that the statements use. `model.py` calls this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Set
from enum import Enum, auto
from typing import TYPE_CHECKING

from course.form.given import BUILTINS

if TYPE_CHECKING:
    from autograder.submission.model import Helper, Submission


class Need(Enum):
    """How a name is needed: with its last value, with every value that it had, or also with what may change it."""

    LAST = auto()
    EVERY = auto()
    CHANGES = auto()


class Needs:
    """The statements that names need where a check sees those with places below `until`.

    The exercises in `own` get their values from their own cells, and others from no statement.
    """

    def __init__(self, submission: Submission, own: Collection[str], until: float) -> None:
        self.submission, self.own, self.until = submission, own, until
        self.names, self.places = defaultdict[Need, set[str]](set), defaultdict[Need, set[int]](set)
        self.todo: list[tuple[str, Need]] = []
        self.below = set[str]()
        binders = (each for each in submission.statements if any(self._binds(each, name) for name in each.binds))
        self.later = frozenset[str]().union(*(each.later for each in binders))

    def of(self, names: Set[str]) -> set[int]:
        """Return the places of the statements that these names need."""
        self._want(names, Need.LAST)
        while self.todo:
            name, need = self.todo.pop()
            if need is Need.CHANGES:
                self._follow(name)
            else:
                self._bind(name, need)
        return self.places[Need.LAST] | self.places[Need.EVERY]

    def _want(self, names: Set[str], need: Need) -> None:
        fresh = names - self.names[need]
        self.names[need] |= fresh
        self.todo += [(name, need) for name in fresh]

    def _bind(self, name: str, need: Need) -> None:
        """Take the statements that bind a name; if only its last value matters, from the last sure one on."""
        binders = self._binders(name)
        if need is Need.LAST:
            sure = [index for index, each in enumerate(binders) if each.is_sure and name in each.fixed]
            binders = binders[sure[-1] :] if sure else binders
        for each in binders:
            self._take(each, need)
        if name in self.later or any(name not in each.fixed for each in binders):
            self._want({name}, Need.CHANGES)

    def _take(self, helper: Helper, need: Need) -> None:
        """Take a statement. Only functions use names later, with their last values."""
        need = need if helper.is_sure else Need.EVERY
        if helper.place not in self.places[need]:
            self.places[need].add(helper.place)
            self._want(helper.uses, need)

    def _follow(self, name: str) -> None:
        """Take the statements that may change the value of a name, because they use it or what depends on it."""
        for each in self.submission.using.get(name, ()):
            if (each.place < self.until or name in self.below) and each.place not in self.places[Need.CHANGES]:
                self.places[Need.CHANGES].add(each.place)
                self._want({bound for bound in each.binds | each.later if self._binds(each, bound)}, Need.CHANGES)
                if not each.only_binds:
                    self._take(each, Need.EVERY)

    def _binders(self, name: str) -> list[Helper]:
        """Return the statements that may bind a name above. If it means nothing there, those below count, too."""
        binders = [each for each in self.submission.binding.get(name, ()) if self._binds(each, name)]
        above = [each for each in binders if each.place < self.until]
        if above or name in BUILTINS or name in self.submission.unit.module.__all__:
            return above
        self.below.add(name)
        return binders

    def _binds(self, helper: Helper, name: str) -> bool:
        """Return whether a statement may give a name its value."""
        if name not in self.submission.unit.by_name:
            return True
        return name in self.own and helper.place in self.submission.attempts[name].statements
