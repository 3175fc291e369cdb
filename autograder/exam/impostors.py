"""Impostors: wrong answers that learners catch with examples of their own, before they write an answer.

For each input of an exercise's world we store the reference's result, and which wrong answers differ. A wrong answer
that no input catches is left out.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout, suppress
from functools import cache
from io import StringIO
from itertools import repeat
from pathlib import Path
from typing import Any

from autograder.config import PUBLISHED, cache_folder
from autograder.exam.memorized import known_calls
from autograder.exam.reserve import input_of, reserved_inputs, third_of
from autograder.exam.store import exam_for, fingerprint, put
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.unit import Unit, read_unit
from course.exam.calls import Call
from course.exam.impostors import SHORT, Catch, Claim, Dealt, Inputs, Sight, as_data, dealt_in, whole_digest
from course.exam.sealed import Seal
from course.exam.wire import Tree
from course.exam.world import worlds_of

DEEPEST = 200  # calls within calls: worlds are small


@cache
def impostors_of(unit_name: str) -> dict[str, Any]:
    """Return the known worlds of a unit's exercises, as data: cached, or computed."""
    unit = read_unit(unit_name)
    worlds = worlds_of(unit.module.__name__)
    if not worlds:
        return {}
    path = cache_folder() / f"{unit_name}-impostors-{_print_of(unit)}.json"
    with suppress(OSError, ValueError):
        return dict(json.loads(path.read_text(encoding="utf-8")))
    made = {name: as_data(dealt(unit, name)) for name in unit.by_name if name in worlds}
    put(path, json.dumps(made, separators=(",", ":")))
    return made


def practice_impostors(unit_name: str, seed: str) -> dict[str, Any]:
    """Return the worlds for students of a course; with a secret seed, without the inputs it reserves."""
    full = impostors_of(unit_name)
    if seed == PUBLISHED:
        return full
    worlds = {name: KitWorld(unit_name, name, seed) for name in full}
    return {name: as_data(worlds[name].without_reserved(dealt_in(world))) for name, world in full.items()}


class KitWorld:
    """An exercise's world as the kit of a course with a secret seed has it."""

    def __init__(self, unit_name: str, name: str, seed: str) -> None:
        self.exam, self.paper = (exam := exam_for(unit_name)), exam.papers[name]
        world = worlds_of(exam.unit.module.__name__).get(name)
        self.inputs = Inputs(exam.unit.module, world) if world else None
        self.reserved = frozenset((*self._third(seed), *self._of_reserved_calls(seed)))

    def _third(self, seed: str) -> Iterator[int]:
        indexes = self.inputs.places if self.inputs else {}
        by_input = {input_of(Call("args", json.loads(text))): index for text, index in indexes.items()}
        yield from (by_input[text] for text in third_of(by_input, self.paper.exercise, seed))

    def _of_reserved_calls(self, seed: str) -> Iterator[int]:
        """Yield the indexes of inputs that are equivalent to a reserved call, and would reveal its result."""
        reserved = reserved_inputs(self.paper, seed)
        indexes = (self._index_of(each.call) for each in known_calls(self.paper.facets) if each.input in reserved)
        yield from (index for index in indexes if index is not None)

    def _index_of(self, call: Call) -> int | None:
        match = self.inputs.find(self.exam.case(call).args) if self.inputs else None
        return match[0] if match else None

    def tells(self, call: Call) -> bool:
        """Return whether the kit has a digest of a call's result, by an equivalent input."""
        return (index := self._index_of(call)) is not None and index not in self.reserved

    def without_reserved(self, known: Dealt) -> Dealt:
        """Return a world without reserved inputs, and without impostors that only these catch."""
        caught = [None if index in self.reserved else each for index, each in enumerate(known.caught)]
        left = sorted(frozenset[int]().union(*(each for each in caught if each is not None)))
        hands = (each if each is None else frozenset(map(left.index, each)) for each in caught)
        digests = (bytes(SHORT) if index in self.reserved else each for index, each in enumerate(known.digests))
        return Dealt(tuple(known.beliefs[each] for each in left), tuple(digests), tuple(hands))


def _print_of(unit: Unit) -> str:
    """Return a digest of everything that a unit's impostors depend on."""
    world = next(iter(worlds_of(unit.module.__name__).values()))
    file = Path(sys.modules[world.inputs.__module__].__file__ or "")
    return hashlib.sha256(fingerprint(unit.name, PUBLISHED).encode() + file.read_bytes()).hexdigest()[:24]


def dealt(unit: Unit, name: str) -> Dealt:
    """Return the known world of an exercise."""
    known = _Known(unit, name, worlds_of(unit.module.__name__)[name].distinct())
    wrong = [(each.belief, known.caught_by(each)) for each in candidates(unit, name)]
    caught = [(belief, indexes) for belief, indexes in wrong if indexes]
    hands = (
        frozenset(n for n, (_, indexes) in enumerate(caught) if index in indexes) for index in range(len(known.right))
    )
    digests = tuple(digest[:SHORT] for digest in known.digests)
    return Dealt(tuple(belief for belief, _ in caught), digests, tuple(hands))


def candidates(unit: Unit, name: str) -> list[Mistake]:
    """Return the wrong answers to an exercise that its world can distinguish from the right one."""
    blind = worlds_of(unit.module.__name__)[name].blind
    return [each for each in mistakes_of(unit.name) if each.exercise == name and each.belief and each.name not in blind]


class _Known:
    """The reference's results for some inputs; they are few and small, and the reference is trusted."""

    def __init__(self, unit: Unit, name: str, inputs: Sequence[tuple[Any, ...]]) -> None:
        self.unit, self.name, self.seal = unit, name, Seal(unit.module, name)
        self.calls = [Claim(unit.module, args, None).call for args in inputs]
        self.inputs = [tuple(map(self.seal.wire.decode, call.what[0], repeat(self._function))) for call in self.calls]
        self.right = self._trees("")
        self.digests = [self.digest(index, tree) for index, tree in enumerate(self.right)]

    def _function(self, name: str) -> Any:
        return self.seal.wire.functions[name]

    def digest(self, index: int, tree: Tree) -> bytes:
        return whole_digest(self.seal, index, self.calls[index], tree)

    def caught_by(self, mistake: Mistake) -> frozenset[int]:
        """Return the indexes of the inputs for which a wrong answer has another result."""
        outcomes = enumerate(self._trees(mistake.source))
        differing = ((index, tree) for index, tree in outcomes if tree != self.right[index])
        return frozenset(index for index, tree in differing if self.digest(index, tree) != self.digests[index])

    def _trees(self, answer: str) -> list[Tree]:
        """Return the results of the calls, by the reference or by another answer instead."""
        names = {name: getattr(self.unit.module, name) for name in self.unit.module.__all__}
        depth = sys.getrecursionlimit()
        sys.setrecursionlimit(len(inspect.stack(0)) + DEEPEST)
        try:
            with redirect_stdout(StringIO()):
                for code in (*_codes(self.unit), answer):
                    exec(code, names)
                return [self._tree(names[self.name], args) for args in self.inputs]
        finally:
            sys.setrecursionlimit(depth)

    def _tree(self, function: Any, args: tuple[Any, ...]) -> Tree:
        try:
            return ["ok", self.seal.wire.encode(function(*args))]
        except Exception as error:
            return ["raised", type(error).__name__, None]


@cache
def _codes(unit: Unit) -> tuple[Any, ...]:
    return tuple(compile(each.source, "<the reference>", "exec", dont_inherit=True) for each in unit.exercises)


def judged(unit_name: str, name: str, examples: Sequence[tuple[tuple[Any, ...], Any]]) -> tuple[Catch, ...]:
    """Return the judgement on examples outside of the world: the reference and all impostors run.

    Raises WireError or TooLarge if an example can't be encoded.
    """
    unit = read_unit(unit_name)
    known = _Known(unit, name, [args for args, _ in examples])
    beliefs = dealt_in(impostors_of(unit_name)[name]).beliefs
    indexes = {each.belief: known.caught_by(each) for each in candidates(unit, name) if each.belief in beliefs}

    def catch(index: int) -> Catch:
        example = Claim(unit.module, *examples[index])
        if known.digest(index, example.tree) != known.digests[index]:
            return Catch(Sight.WRONG)
        return Catch(Sight.RIGHT, frozenset(n for n, belief in enumerate(beliefs) if index in indexes[belief]))

    return tuple(map(catch, range(len(examples))))
