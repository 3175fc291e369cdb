"""Impostors: wrong answers that learners catch with their own examples, before they write an answer.

For each input of an exercise's world, we store the reference's result, and which wrong answers have another result.
Wrong answers that no input catches are left out.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from functools import cache, partial
from io import StringIO
from pathlib import Path

from autograder.config import PUBLISHED_SEED, cache_folder
from autograder.exam.contrast import KitWorld
from autograder.exam.model import Exam, is_left_to_teachers
from autograder.exam.store import exam_for, fingerprint, write_cache_file
from autograder.units.mistakes import Mistake, mistakes_of
from autograder.units.pack import catalogue_here
from autograder.units.unit import Unit, units_in
from course.data import as_data, from_data
from course.exam.calls import Args, Names
from course.exam.impostors import (
    SHORT,
    ClaimedExample,
    SolvedWorld,
    choose_inputs,
    full_digest,
    solved_world_in,
    world_data,
)
from course.exam.observing import TimeUp, allow_nested_calls, wire_of_module
from course.exam.readable import value_code
from course.exam.sealed import Seal, WorldData
from course.exam.wire import Tree, WireError, text_of
from course.exam.world import worlds_of
from course.kernel.limits import limited
from course.limits import MOST_INPUTS_TRIED, SECONDS_PER_WORLD

LEAST_INPUTS, LEAST_KINDS = 4, 2
ARGUMENTS_LENGTH = 90  # letters of all arguments together


def writable_inputs(exam: Exam, name: str) -> tuple[Args, ...]:
    """Return the shortest inputs that are in an exercise's exam and that learners can write as code.

    Return () if more than the returned value is needed to decide whether an answer is right.
    """
    paper, check = exam.by_name[name], exam.checks[name]
    is_judged_otherwise = check.tolerance or paper.iterates or is_left_to_teachers(exam.unit, exam.checks, name)
    if is_judged_otherwise or not paper.exercise.is_called:
        return ()
    names = {name: getattr(exam.unit.module, name) for name in exam.unit.module.__all__}
    by_code = dict[str, Args]()
    for call in paper.published.calls:
        if call.kind != "args" or call.typed or call.keywords or call.chance is not None:
            continue
        code = ", ".join(map(value_code, exam.case(call).args))
        if len(code) > ARGUMENTS_LENGTH:
            continue
        with suppress(NameError, SyntaxError, TypeError, ValueError, WireError):  # not every value has code
            args = eval(f"({code},)", names)
            if [*map(exam.wire.encode, args)] == call.given:
                by_code[code] = args
    shortest = sorted(by_code, key=lambda code: (len(code), code))[:MOST_INPUTS_TRIED]
    return tuple(by_code[code] for code in shortest) if len(shortest) >= LEAST_INPUTS else ()


OFFERED_INPUT_COUNT = 14  # inputs of an exercise whose author wrote no world


@cache
def impostors_of(unit: Unit, seed: str = PUBLISHED_SEED) -> dict[str, WorldData]:
    """Return the worlds of a unit's exercises, with results, as data. Worlds that are not in the cache are computed.

    For the kits of a course with a secret seed, the reserved inputs are left out.
    """
    stored = stored_impostors(unit, seed)
    if stored is not None:
        return stored
    made = dict[str, WorldData]()
    if seed == PUBLISHED_SEED:
        for name in unit.by_name:
            if world := known_world(unit, name):
                made[name] = world_data(world)
    else:
        for name, data in impostors_of(unit).items():
            full = solved_world_in(data)
            offered = full.world(unit.module, name) if full.inputs else None
            left = KitWorld(exam_for(unit), name, seed, offered).without_reserved_inputs(full)
            if left.beliefs:
                made[name] = world_data(left)
    write_cache_file(_cache_path(unit, seed), json.dumps(as_data(made), separators=(",", ":")))
    return made


def stored_impostors(unit: Unit, seed: str = PUBLISHED_SEED) -> dict[str, WorldData] | None:
    """Return the worlds of a unit's exercises from the cache, or None if the cache does not have them."""
    with suppress(OSError, ValueError):
        return from_data(dict[str, WorldData], json.loads(_cache_path(unit, seed).read_text(encoding="utf-8")))
    return None


def _cache_path(unit: Unit, seed: str) -> Path:
    return cache_folder() / f"{unit.name}-impostors-{fingerprint(unit, seed)}.json"


def known_world(unit: Unit, name: str) -> SolvedWorld | None:
    """Return the world of an exercise with the right results for its inputs.

    The inputs are those that the unit's author wrote, or else short inputs of the exam. Return None if no inputs
    distinguish between the wrong answers.
    """
    if world := worlds_of(unit.module.__name__).get(name):
        return _world_with_results(unit, name, world.distinct())
    tried = writable_inputs(exam_for(unit), name)
    caught = _world_with_results(unit, name, tried).caught if tried else ()
    if len(set(caught) - {frozenset()}) < LEAST_KINDS:
        return None
    chosen = tuple(tried[index] for index in choose_inputs(caught, OFFERED_INPUT_COUNT))
    trees = [[wire_of_module(unit.module).encode(arg) for arg in args] for args in chosen]
    return replace(_world_with_results(unit, name, chosen), inputs=zlib.compress(text_of(trees).encode(), 9))


def _world_with_results(unit: Unit, name: str, inputs: Sequence[Args]) -> SolvedWorld:
    known = _ReferenceResults(unit, name, inputs)
    wrong = [(each.belief, known.inputs_that_catch(each)) for each in candidate_mistakes(unit, name)]
    caught = [(belief, indexes) for belief, indexes in wrong if indexes]
    hands = (
        frozenset(n for n, (_, indexes) in enumerate(caught) if index in indexes) for index in range(len(known.right))
    )
    digests = tuple(digest[:SHORT] for digest in known.digests)
    return SolvedWorld(tuple(belief for belief, _ in caught), digests, tuple(hands))


def candidate_mistakes(unit: Unit, name: str) -> list[Mistake]:
    """Return those known mistakes in an exercise that the inputs of the exercise's world can reveal."""
    world = worlds_of(unit.module.__name__).get(name)
    blind = world.blind if world else ()
    return [each for each in mistakes_of(unit) if each.exercise == name and each.belief and each.name not in blind]


class _ReferenceResults:
    """The results of the reference for some inputs."""

    def __init__(self, unit: Unit, name: str, inputs: Sequence[tuple[object, ...]]) -> None:
        self.unit, self.name, self.seal = unit, name, Seal(unit.module, name)
        self.calls = [ClaimedExample(unit.module, args, None).call for args in inputs]
        decode = partial(self.seal.wire.decode, function=self.seal.wire.functions.__getitem__)
        self.inputs = [tuple(map(decode, call.what[0])) for call in self.calls]
        self.right = self._result_trees("")
        self.digests = [self.digest(index, tree) for index, tree in enumerate(self.right)]

    def digest(self, index: int, tree: Tree) -> bytes:
        return full_digest(self.seal, index, self.calls[index], tree)

    def inputs_that_catch(self, mistake: Mistake) -> frozenset[int]:
        """Return the indexes of the inputs for which a wrong answer returns a wrong result."""
        try:
            outcomes = [*enumerate(self._result_trees(mistake.source))]
        except TimeUp:  # a wrong answer that never ends cannot be shown
            return frozenset()
        differing = ((index, tree) for index, tree in outcomes if tree != self.right[index])
        return frozenset(index for index, tree in differing if self.digest(index, tree) != self.digests[index])

    def _result_trees(self, answer: str) -> list[Tree]:
        """Return the results of the calls, by the reference or by another answer."""
        names: Names = {name: getattr(self.unit.module, name) for name in self.unit.module.__all__}
        depth, trees = sys.getrecursionlimit(), list[Tree]()
        allow_nested_calls()
        try:
            with redirect_stdout(StringIO()):
                for code in exam_for(self.unit).reference_codes.values():
                    exec(code, names)
                exec(answer, names)
                with limited(SECONDS_PER_WORLD):
                    for args in self.inputs:
                        try:
                            trees.append(["ok", self.seal.wire.encode(names[self.name](*args))])
                        except Exception as error:
                            trees.append(["raised", type(error).__name__, None])
        finally:
            sys.setrecursionlimit(depth)
        return trees


if __name__ == "__main__":  # `foldem lab` fills the cache for all units, so that a learner's first check is fast
    for make in exam_for, impostors_of:
        for each in units_in(catalogue_here()):
            make(each)
