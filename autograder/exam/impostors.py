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
    return {name: as_data(worlds[name].without_reserved(dealt_in(told))) for name, told in full.items()}


class KitWorld:
    """An exercise's world as the kit of a course with a secret seed has it."""

    def __init__(self, unit_name: str, name: str, seed: str) -> None:
        self.exam, self.paper = (exam := exam_for(unit_name)), exam.papers[name]
        world = worlds_of(exam.unit.module.__name__).get(name)
        self.inputs = Inputs(exam.unit.module, world) if world else None
        self.reserved = frozenset((*self._third(seed), *self._of_reserved_calls(seed)))

    def _third(self, seed: str) -> Iterator[int]:
        places = self.inputs.places if self.inputs else {}
        by_input = {input_of(Call("args", json.loads(text))): place for text, place in places.items()}
        yield from (by_input[text] for text in third_of(by_input, self.paper.exercise, seed))

    def _of_reserved_calls(self, seed: str) -> Iterator[int]:
        """Yield the indexes of inputs that are equivalent to a reserved call, and would reveal its result."""
        reserved = reserved_inputs(self.paper, seed)
        found = (self._place(each.call) for each in known_calls(self.paper.facets) if each.input in reserved)
        yield from (place for place in found if place is not None)

    def _place(self, call: Call) -> int | None:
        found = self.inputs.find(self.exam.case(call).args) if self.inputs else None
        return found[0] if found else None

    def tells(self, call: Call) -> bool:
        """Return whether the kit has a digest of a call's result, by an equivalent input."""
        return (place := self._place(call)) is not None and place not in self.reserved

    def without_reserved(self, dealt: Dealt) -> Dealt:
        """Return a world without reserved inputs, and without impostors that only these catch."""
        caught = [None if place in self.reserved else each for place, each in enumerate(dealt.caught)]
        left = sorted(frozenset[int]().union(*(each for each in caught if each is not None)))
        hands = (each if each is None else frozenset(map(left.index, each)) for each in caught)
        digests = (bytes(SHORT) if place in self.reserved else each for place, each in enumerate(dealt.digests))
        return Dealt(tuple(dealt.beliefs[each] for each in left), tuple(digests), tuple(hands))


def _print_of(unit: Unit) -> str:
    """Return a digest of everything that a unit's impostors depend on."""
    world = next(iter(worlds_of(unit.module.__name__).values()))
    file = Path(sys.modules[world.inputs.__module__].__file__ or "")
    return hashlib.sha256(fingerprint(unit.name, PUBLISHED).encode() + file.read_bytes()).hexdigest()[:24]


def dealt(unit: Unit, name: str) -> Dealt:
    """Return the known world of an exercise."""
    known = _Known(unit, name, worlds_of(unit.module.__name__)[name].distinct())
    wrong = [(each.belief, known.caught_by(each)) for each in candidates(unit, name)]
    kept = [(belief, places) for belief, places in wrong if places]
    hands = (frozenset(n for n, (_, places) in enumerate(kept) if place in places) for place in range(len(known.right)))
    digests = tuple(digest[:SHORT] for digest in known.digests)
    return Dealt(tuple(belief for belief, _ in kept), digests, tuple(hands))


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
        self.digests = [self.digest(place, tree) for place, tree in enumerate(self.right)]

    def _function(self, name: str) -> Any:
        return self.seal.wire.functions[name]

    def digest(self, place: int, tree: Tree) -> bytes:
        return whole_digest(self.seal, place, self.calls[place], tree)

    def caught_by(self, mistake: Mistake) -> frozenset[int]:
        """Return the indexes of the inputs for which a wrong answer has another result."""
        found = enumerate(self._trees(mistake.source))
        differing = ((place, tree) for place, tree in found if tree != self.right[place])
        return frozenset(place for place, tree in differing if self.digest(place, tree) != self.digests[place])

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
    places = {each.belief: known.caught_by(each) for each in candidates(unit, name) if each.belief in beliefs}

    def seen(place: int) -> Catch:
        example = Claim(unit.module, *examples[place])
        if known.digest(place, example.tree) != known.digests[place]:
            return Catch(Sight.WRONG)
        return Catch(Sight.RIGHT, frozenset(n for n, belief in enumerate(beliefs) if place in places[belief]))

    return tuple(map(seen, range(len(examples))))
