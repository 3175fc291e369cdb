"""The knowledge that a cheater can get from a course's kit: a table of its calls, and guesses for other calls.

The exam of a secret seed has contrast calls for which each of these guesses is wrong. `contrast.py` chooses these
calls.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from toolz import groupby

from autograder.exam.model import Exam, Facet, Paper, derived_seed
from course.exam import wire
from course.exam.calls import Args, Call
from course.exam.impostors import SHORT, Inputs, KnownWorld
from course.exam.observation import without_after
from course.exam.wire import Tree
from course.exam.world import World, worlds_of
from course.limits import MOST_CACHED_EXAMS


def input_of(call: Call) -> str:
    """Return a text that is equal for calls with the same input, whether or not they are curried."""
    given = call.given if call.kind == "args" else [call.kind, call.what]
    return wire.text_of([given, [name for name, _ in call.keywords], list(call.typed), call.chance])


@lru_cache(MOST_CACHED_EXAMS)
def reserved_inputs(exam: Exam, seed: str) -> frozenset[str]:
    """Return the inputs that a course reserves: a third of each facet's, chosen by its seed.

    An input that one exercise reserves is reserved in all. Otherwise the calls of a similar exercise would show its
    result: Sedma's `replay_at_once` has many inputs of `replay`. A facet that is judged together has no digests of
    single calls, and so reveals nothing.
    """
    facets = (facet for paper in exam.by_name.values() for facet in paper.facets if not facet.joint)
    inputs = ({input_of(call) for call in each.calls[: each.rule_calls] if call.kind == "args"} for each in facets)
    return frozenset().union(*(reserved_third(each, exam, seed) for each in inputs))


def reserved_third(inputs: Iterable[str], exam: Exam, seed: str) -> Iterable[str]:
    """Return a third of the inputs. The chosen inputs are the same for the same seed, and unpredictable without it."""
    ranked = sorted(inputs, key=lambda text: derived_seed(seed, "reserved", exam.unit.name, text))
    return ranked[: round(len(ranked) / 3)]


@lru_cache(MOST_CACHED_EXAMS)
def without_reserved(exam: Exam, seed: str) -> Exam:
    """Return an exam without the calls that a course's seed reserves, and without known mistakes."""
    reserved = reserved_inputs(exam, seed)
    return replace(exam, by_name={name: _practised(paper, reserved) for name, paper in exam.by_name.items()})


def _practised(paper: Paper, reserved: frozenset[str]) -> Paper:
    facets = (facet if facet.joint else _without(facet, reserved) for facet in paper.facets)
    return replace(paper, facets=tuple(facet for facet in facets if facet.rule_calls), mistakes=())


def _without(facet: Facet, reserved: frozenset[str]) -> Facet:
    remaining = [index for index, call in enumerate(facet.calls) if input_of(call) not in reserved]
    calls, expected = (
        tuple(facet.calls[index] for index in remaining),
        tuple(facet.expected[index] for index in remaining),
    )
    return replace(
        facet, calls=calls, expected=expected, contrasts=sum(index >= facet.rule_calls for index in remaining)
    )


GUESSED_OUTCOMES, GUESSED_ARGUMENTS, NEIGHBOURS = 6, 4, (1, 3, 9)  # the arguments that guesses use


class KnownCall(NamedTuple):
    """A call with arguments, its observation, the text of its input, and the reference's result."""

    call: Call
    observed: str
    input: str
    gives: str


Guess = Callable[[KnownCall], str]
PartsOf = Callable[[Call], frozenset[object]]


def known_calls(facets: Iterable[Facet]) -> list[KnownCall]:
    """Return the calls of the kind `args` in those facets whose calls are judged one by one."""
    judged = [facet for facet in facets if not facet.joint]
    pairs = (pair for facet in judged for pair in zip(facet.calls, facet.expected, strict=True))
    own = [pair for pair in pairs if pair[0].kind == "args"]
    # without the arguments after the call, which only some facets compare
    return [KnownCall(*pair, input_of(pair[0]), wire.text_of(without_after(json.loads(pair[1])))) for pair in own]


class Table:
    """An exercise's calls in a practice exam, with the reference's results.

    Calls of other exercises with the same input and result count as known: the cheater may know which ones to believe.
    `tells` decides whether a kit has the result of a call for learners' own examples.
    """

    def __init__(self, practice: Exam, name: str, tells: Callable[[KnownCall], bool]) -> None:
        self.known = {each.input: each for each in known_calls(practice.by_name[name].facets)}
        self.results, self.tells, self._is_known = _results_in(practice), tells, dict[str, bool]()

    def knows(self, call: KnownCall) -> bool:
        """Return whether a table contains a call, and so knows its result."""
        if call.input not in self._is_known:
            is_shown = call.input in self.known or (call.input, call.gives) in self.results
            self._is_known[call.input] = is_shown or self.tells(call)
        return self._is_known[call.input]

    def misses(self, guess: Guess, call: KnownCall) -> bool:
        """Return whether a table, with a guess for the calls that it does not know, is wrong about a call."""
        return not self.knows(call) and guess(call) != call.gives


@lru_cache(MOST_CACHED_EXAMS)
def _results_in(exam: Exam) -> frozenset[tuple[str, str]]:
    """Return the inputs of all exercises, each with its result."""
    return frozenset((each.input, each.gives) for paper in exam.by_name.values() for each in known_calls(paper.facets))


def guessing_functions(
    known: Sequence[KnownCall], parts: PartsOf, neighbours: Sequence[int] = NEIGHBOURS
) -> Iterator[Guess]:
    """Yield ways to guess a call's result from the results of other calls. Similar inputs share `parts`."""
    commonest = [text for text, _ in Counter(each.gives for each in known).most_common(GUESSED_OUTCOMES)]
    if known:
        yield from _guesses_from_nearest(known, parts, neighbours)
        yield from (_by_argument(known, index, commonest[0]) for index in range(GUESSED_ARGUMENTS))
    yield from map(_constant, commonest)
    yield from map(_given_back, range(GUESSED_ARGUMENTS))


def _guesses_from_nearest(known: Sequence[KnownCall], parts: PartsOf, counts: Sequence[int]) -> Iterator[Guess]:
    """For each number in `counts`, yield a guess: the most frequent result of that many nearest inputs."""
    others, outcomes = [(parts(each.call), each.gives) for each in known], dict[str, list[str]]()

    def nearest(call: KnownCall) -> list[str]:
        if call.input not in outcomes:
            own = parts(call.call)
            ranked = sorted(others, key=lambda other: len(other[0] ^ own))
            outcomes[call.input] = [text for _, text in ranked[: max(counts)]]
        return outcomes[call.input]

    yield from (lambda call, count=count: _commonest(nearest(call)[:count]) for count in counts)


def _by_argument(known: Iterable[KnownCall], index: int, otherwise: str) -> Guess:
    """Return a guess: the most frequent result of calls with the same argument."""
    groups = groupby(lambda each: _argument(each, index), known)
    commonest = {argument: _commonest(each.gives for each in of) for argument, of in groups.items()}
    return lambda call: commonest.get(_argument(call, index), otherwise)


def _commonest(texts: Iterable[str]) -> str:
    return Counter(texts).most_common(1)[0][0]


def _argument(known: KnownCall, index: int) -> str:
    return wire.text_of(known.call.given[index : index + 1])


def _constant(text: str) -> Guess:
    return lambda _: text


def _given_back(index: int) -> Guess:
    return lambda known: wire.text_of(["ok", *known.call.given[index : index + 1]])


def input_parts(call: Call) -> frozenset[object]:
    """Return the parts of an input: its arguments, their items by position, and all nested values."""
    args = call.given
    arguments = {(index, wire.text_of(arg)) for index, arg in enumerate(args)}
    items = {(index, *item) for index, arg in enumerate(args) for item in _items(arg)}
    leaves = {(index, leaf) for index, arg in enumerate(args) for leaf in _leaves(arg)}
    return frozenset((*arguments, *items, *leaves, *call.typed, call.chance))


def _items(tree: Tree) -> Iterator[tuple[int, str]]:
    if isinstance(tree, list):
        yield from ((index, wire.text_of(item)) for index, item in enumerate(tree))


def _leaves(tree: Tree) -> Iterator[str]:
    if isinstance(tree, list):
        for branch in tree:
            yield from _leaves(branch)
    else:
        yield str(tree)


class KitWorld:
    """An exercise's world in the kit of a course with a secret seed.

    The inputs of an `offered` world are calls of the exam; the calls that the seed reserves are left out.
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
        yield from (by_input[text] for text in reserved_third(by_input, self.exam, seed))

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


@lru_cache(MOST_CACHED_EXAMS)
def _reserved_args(exam: Exam, seed: str) -> list[Args]:
    """Return the arguments of the calls that a course reserves, decoded once for the worlds of all exercises."""
    reserved = reserved_inputs(exam, seed)
    calls = {each.input: each.call for paper in exam.by_name.values() for each in known_calls(paper.facets)}
    return [_args_of(exam, call) for text, call in calls.items() if text in reserved]


def _args_of(exam: Exam, call: Call) -> Args:
    wire, groups = exam.wire, call.what if call.kind == "args" else ()
    return tuple(wire.decode(arg, wire.functions.get) for group in groups for arg in group)
