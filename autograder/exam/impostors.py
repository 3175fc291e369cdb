"""Impostors: wrong answers that learners catch with their own examples, before they write an answer.

For each input of an exercise's world, we store the reference's result, and which wrong answers differ. A wrong answer
that no input catches is left out.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from itertools import repeat
from types import CodeType

from autograder.config import PUBLISHED, cache_folder
from autograder.exam.kit_world import KitWorld
from autograder.exam.store import exam_for, fingerprint, write_cached
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.unit import Unit
from course.data import as_data, from_data
from course.exam.calls import Args, Names
from course.exam.impostors import (
    SHORT,
    Catch,
    Claim,
    KnownWorld,
    Sight,
    full_digest,
    known_world_in,
    world_data,
)
from course.exam.sealed import Seal, WorldData
from course.exam.wire import Tree
from course.exam.world import worlds_of

DEEPEST = 200  # nested calls; worlds are small


@cache
def impostors_of(unit: Unit) -> dict[str, WorldData]:
    """Return the known worlds of a unit's exercises as data, from the cache or computed."""
    worlds = worlds_of(unit.module.__name__)
    if not worlds:
        return {}
    path = cache_folder() / f"{unit.name}-impostors-{fingerprint(unit, PUBLISHED)}.json"
    with suppress(OSError, ValueError):
        return from_data(dict[str, WorldData], json.loads(path.read_text(encoding="utf-8")))
    made = {name: world_data(known_world(unit, name)) for name in unit.by_name if name in worlds}
    write_cached(path, json.dumps(as_data(made), separators=(",", ":")))
    return made


def practice_impostors(unit: Unit, seed: str) -> dict[str, WorldData]:
    """Return the worlds for students of a course. With a secret seed, the reserved inputs are left out."""
    full = impostors_of(unit)
    if seed == PUBLISHED:
        return full
    exam = exam_for(unit)
    return {
        name: world_data(KitWorld(exam, name, seed).without_reserved(known_world_in(world)))
        for name, world in full.items()
    }


def known_world(unit: Unit, name: str) -> KnownWorld:
    """Return the world of an exercise with its results."""
    known = _Known(unit, name, worlds_of(unit.module.__name__)[name].distinct())
    wrong = [(each.belief, known.caught_by(each)) for each in candidates(unit, name)]
    caught = [(belief, indexes) for belief, indexes in wrong if indexes]
    hands = (
        frozenset(n for n, (_, indexes) in enumerate(caught) if index in indexes) for index in range(len(known.right))
    )
    digests = tuple(digest[:SHORT] for digest in known.digests)
    return KnownWorld(tuple(belief for belief, _ in caught), digests, tuple(hands))


def candidates(unit: Unit, name: str) -> list[Mistake]:
    """Return the wrong answers to an exercise that its world can tell from the right answer."""
    blind = worlds_of(unit.module.__name__)[name].blind
    return [each for each in mistakes_of(unit) if each.exercise == name and each.belief and each.name not in blind]


class _Known:
    """The reference's results for some inputs. The results are few and small, and the reference is trusted."""

    def __init__(self, unit: Unit, name: str, inputs: Sequence[tuple[object, ...]]) -> None:
        self.unit, self.name, self.seal = unit, name, Seal(unit.module, name)
        self.calls = [Claim(unit.module, args, None).call for args in inputs]
        self.inputs = [tuple(map(self.seal.wire.decode, call.what[0], repeat(self._function))) for call in self.calls]
        self.right = self._trees("")
        self.digests = [self.digest(index, tree) for index, tree in enumerate(self.right)]

    def _function(self, name: str) -> object:
        return self.seal.wire.functions[name]

    def digest(self, index: int, tree: Tree) -> bytes:
        return full_digest(self.seal, index, self.calls[index], tree)

    def caught_by(self, mistake: Mistake) -> frozenset[int]:
        """Return the indexes of the inputs for which a wrong answer has another result."""
        outcomes = enumerate(self._trees(mistake.source))
        differing = ((index, tree) for index, tree in outcomes if tree != self.right[index])
        return frozenset(index for index, tree in differing if self.digest(index, tree) != self.digests[index])

    def _trees(self, answer: str) -> list[Tree]:
        """Return the results of the calls, by the reference or by another answer."""
        names: Names = {name: getattr(self.unit.module, name) for name in self.unit.module.__all__}
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(len(inspect.stack(0)) + DEEPEST)
        try:
            with redirect_stdout(StringIO()):
                for code in _codes(self.unit):
                    exec(code, names)
                exec(answer, names)
                return [self._tree(names[self.name], args) for args in self.inputs]
        finally:
            sys.setrecursionlimit(depth)

    def _tree(self, function: Callable[..., object], args: Args) -> Tree:
        try:
            return ["ok", self.seal.wire.encode(function(*args))]
        except Exception as error:
            return ["raised", type(error).__name__, None]


@cache
def _codes(unit: Unit) -> tuple[CodeType, ...]:
    return tuple(compile(each.source, "<the reference>", "exec", dont_inherit=True) for each in unit.exercises)


def judged(unit: Unit, name: str, examples: Sequence[tuple[Args, object]]) -> tuple[Catch, ...]:
    """Return the judgement on examples that are not in the world. The reference and all impostors are run.

    Raises WireError or TooLarge if an example can't be encoded.
    """
    known = _Known(unit, name, [args for args, _ in examples])
    beliefs = known_world_in(impostors_of(unit)[name]).beliefs
    indexes = {each.belief: known.caught_by(each) for each in candidates(unit, name) if each.belief in beliefs}

    def catch(index: int) -> Catch:
        example = Claim(unit.module, *examples[index])
        if known.digest(index, example.tree) != known.digests[index]:
            return Catch(Sight.WRONG)
        return Catch(Sight.RIGHT, frozenset(n for n, belief in enumerate(beliefs) if index in indexes[belief]))

    return tuple(map(catch, range(len(examples))))
