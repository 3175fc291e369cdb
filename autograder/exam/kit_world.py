"""The worlds of exercises that kits contain in courses with a secret seed.

Called by `build.py`, `impostors.py` and `prove/`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from autograder.exam.memorized import KnownCall, known_calls
from autograder.exam.model import Exam
from autograder.exam.reserve import MOST_EXAMS, input_of, reserved_inputs, third_of
from course.exam.calls import Args, Call
from course.exam.impostors import SHORT, Inputs, KnownWorld
from course.exam.world import World, worlds_of


class KitWorld:
    """An exercise's world in the kit of a course with a secret seed.

    The inputs of an `offered` world are calls of the exam, so the calls that the seed reserves say which are left out.
    """

    def __init__(self, published: Exam, name: str, seed: str, offered: World | None = None) -> None:
        self.exam = published
        world = offered or worlds_of(published.unit.module.__name__).get(name)
        self.inputs = Inputs(published.unit.module, world) if world else None
        third = () if offered else self._third(seed)
        self.reserved = frozenset((*third, *self._of_reserved_calls(seed)))

    def _third(self, seed: str) -> Iterator[int]:
        indexes = self.inputs.indices if self.inputs else {}
        by_input = {input_of(Call("args", json.loads(text))): index for text, index in indexes.items()}
        yield from (by_input[text] for text in third_of(by_input, self.exam, seed))

    def _of_reserved_calls(self, seed: str) -> Iterator[int]:
        """Yield the indexes of inputs that are equivalent to a reserved one, and so could reveal its result."""
        matches = map(self.inputs.find, _reserved_args(self.exam, seed)) if self.inputs else ()
        yield from (index for index, _ in filter(None, matches))

    def tells(self, known: KnownCall) -> bool:
        """Return whether the kit has a digest of a call's result, because of an equivalent input."""
        match = self.inputs.find(_args_of(self.exam, known.call)) if self.inputs else None
        return match is not None and match[0] not in self.reserved

    def without_reserved(self, known: KnownWorld) -> KnownWorld:
        """Return a world without reserved inputs, and without impostors that only reserved inputs catch."""
        caught = [None if index in self.reserved else each for index, each in enumerate(known.caught)]
        left = sorted(frozenset[int]().union(*(each for each in caught if each is not None)))
        hands = (each if each is None else frozenset(map(left.index, each)) for each in caught)
        digests = (bytes(SHORT) if index in self.reserved else each for index, each in enumerate(known.digests))
        return replace(
            known, beliefs=tuple(known.beliefs[each] for each in left), digests=tuple(digests), caught=tuple(hands)
        )


@lru_cache(MOST_EXAMS)
def _reserved_args(exam: Exam, seed: str) -> list[Args]:
    """Return the arguments of the calls that a course reserves, decoded once for the worlds of all exercises."""
    reserved = reserved_inputs(exam, seed)
    calls = {each.input: each.call for paper in exam.by_name.values() for each in known_calls(paper.facets)}
    return [_args_of(exam, call) for text, call in calls.items() if text in reserved]


def _args_of(exam: Exam, call: Call) -> Args:
    wire, groups = exam.wire, call.what if call.kind == "args" else ()
    return tuple(wire.decode(arg, wire.functions.get) for group in groups for arg in group)
