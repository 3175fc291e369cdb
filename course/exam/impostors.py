"""Judge the examples that learners write: are they right, and which wrong answers do they catch?

No reference is needed. For each input, an exercise's world has a short digest of the right result, and a list of the
wrong answers that return another result.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from types import ModuleType

from course.exam.calls import Call
from course.exam.observing import wire_of_module
from course.exam.readable import value_code
from course.exam.sealed import Seal, WorldData
from course.exam.wire import TooLargeValue, Tree, WireError, text_of
from course.exam.world import World, worlds_of

SHORT, INDEX_SIZE = 2, 2


class ExampleVerdict(Enum):
    """The verdict on an example: right, wrong, or untried because its input is not in the world."""

    RIGHT, WRONG, UNTRIED = range(3)


@dataclass(frozen=True)
class ExampleJudgement:
    """The judgement of an example, and the indexes of the wrong answers that the example catches."""

    state: ExampleVerdict
    caught: frozenset[int] = frozenset()


UNTRIED_EXAMPLE = ExampleJudgement(ExampleVerdict.UNTRIED)


@dataclass(frozen=True)
class SolvedWorld:
    """A world with its right results.

    `beliefs` are the wrong ideas behind the wrong answers. For each input, `digests` has a digest of the right result.
    `caught` has the indexes of the wrong answers that each input catches, or None for an input that a course reserves
    for its graded exam.

    `inputs` are the arguments that `catch` shows, compressed. `inputs` is empty if the unit's `world.py` lists the
    inputs.
    """

    beliefs: tuple[str, ...]
    digests: tuple[bytes, ...]
    caught: tuple[frozenset[int] | None, ...]
    inputs: bytes = b""

    def world(self, module: ModuleType, name: str) -> World:
        """Return the world of the exercise `name`. If `inputs` is empty, the world is in the unit's `world.py`."""
        if not self.inputs:
            return worlds_of(module.__name__)[name]
        wire = wire_of_module(module)
        trees = json.loads(zlib.decompress(self.inputs))
        inputs = tuple(tuple(wire.decode(arg, wire.functions.__getitem__) for arg in args) for args in trees)
        return World(f'arguments that `catch("{name}")` shows', lambda: inputs)

    def input_codes(self, module: ModuleType, name: str) -> tuple[str, ...]:
        """Return the code of each input: a tuple of arguments, in which functions are written as their names."""
        wire, inputs = wire_of_module(module), self.world(module, name).distinct()
        return tuple(value_code(tuple(wire.decode(wire.encode(arg)) for arg in args)) for args in inputs)


class ClaimedExample:
    """An example as data: the arguments of a call, and its claimed result."""

    def __init__(self, module: ModuleType, args: Sequence[object], outcome: object) -> None:
        wire = wire_of_module(module)
        self.call = Call("args", [[wire.encode(arg) for arg in args]])
        self.tree: Tree = ["ok", wire.encode(outcome)]
        if isinstance(outcome, type) and issubclass(outcome, BaseException):
            self.tree = ["raised", outcome.__name__, None]


class IndexedInputs:
    """The inputs of an exercise's world, with their indexes."""

    def __init__(self, module: ModuleType, world: World) -> None:
        self.module, self.world = module, world
        calls = (ClaimedExample(module, args, None).call for args in world.distinct())
        self.indices = {text_of(call.what): index for index, call in enumerate(calls)}

    def find(self, args: tuple[object, ...], outcome: object = None) -> tuple[int, ClaimedExample] | None:
        """Return the index of the input that is equivalent to `args`, and the learner's example in normal form.

        Return None if no input of the world is equivalent to `args`.
        """
        try:
            own, rename = self.world.canonical(args)
            example = ClaimedExample(self.module, own, rename(outcome))
        except (WireError, TooLargeValue, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return None
        index = self.indices.get(text_of(example.call.what))
        return None if index is None else (index, example)


class ExampleJudge:
    """A judge of the examples that a learner writes for an exercise.

    The judge uses the inputs and results in the exercise's world.
    """

    def __init__(self, module: ModuleType, name: str, known: SolvedWorld) -> None:
        self.module, self.name, self.known = module, name, known
        self.world = known.world(module, name)
        self.seal = Seal(module, name)

    @cached_property
    def _indexed_inputs(self) -> IndexedInputs:
        return IndexedInputs(self.module, self.world)

    def judge(self, args: tuple[object, ...], outcome: object) -> ExampleJudgement:
        """Judge an example, which consists of arguments and the result that the learner expects."""
        index, example = self._indexed_inputs.find(args, outcome) or (None, None)
        if index is None or example is None or (caught := self.known.caught[index]) is None:
            return UNTRIED_EXAMPLE
        if full_digest(self.seal, index, example.call, example.tree)[:SHORT] != self.known.digests[index]:
            return ExampleJudgement(ExampleVerdict.WRONG)
        return ExampleJudgement(ExampleVerdict.RIGHT, caught)


def full_digest(seal: Seal, index: int, call: Call, tree: Tree) -> bytes:
    """Return the digest of a call's value or exception at full length; a world stores only its beginning."""
    return seal.digest("an example", index, call, tree[:2] if tree[0] == "ok" else [*tree[:2], None])


def choose_inputs(caught: Sequence[frozenset[int] | None], most: int) -> list[int]:
    """Return the indexes of at most `most` inputs: first a few that together catch all wrong answers, then more.

    >>> choose_inputs([None, frozenset({0}), frozenset({0, 1}), frozenset(), frozenset({2})], 3)
    [2, 4, 1]
    """
    known = {index: each for index, each in enumerate(caught) if each is not None}
    left, chosen = frozenset[int]().union(*known.values()), list[int]()
    while left:
        best = max(known, key=lambda index: (len(known[index] & left), -index))
        chosen.append(best)
        left -= known[best]
    first_of_each = {each: index for index, each in reversed(known.items())}
    return [*dict.fromkeys((*chosen, *sorted(first_of_each.values()), *known))][:most]


# ------------------------------------------------------------------------------------------------ as stored


def world_data(known: SolvedWorld) -> WorldData:
    """Return a world and its results in the form in which they are stored."""
    hands = tuple(dict.fromkeys(known.caught))
    indexes = b"".join(hands.index(caught).to_bytes(INDEX_SIZE) for caught in known.caught)
    lists = tuple(None if hand is None else tuple(sorted(hand)) for hand in hands)
    return WorldData(known.beliefs, b"".join(known.digests), lists, zlib.compress(indexes, 9), known.inputs)


def solved_world_in(data: WorldData) -> SolvedWorld:
    """Return the world from its stored form, which `world_data` returns."""
    hands = tuple(None if hand is None else frozenset(hand) for hand in data.hands)
    caught = tuple(hands[int.from_bytes(index)] for index in _equal_slices(zlib.decompress(data.caught), INDEX_SIZE))
    return SolvedWorld(data.beliefs, tuple(_equal_slices(data.right, SHORT)), caught, data.inputs)


def _equal_slices(joined: bytes, size: int) -> Iterable[bytes]:
    return [joined[start : start + size] for start in range(0, len(joined), size)]
