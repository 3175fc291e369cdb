"""Contrast calls: right answers pass them, but constants fail, and so do answers that look up the calls of a kit.

Assume that a cheater has a table of a kit's calls, and guesses the results of other calls. The exam of a secret seed
has contrast calls for which each way of guessing is wrong.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import islice, permutations
from typing import NamedTuple, TypeAlias

from toolz import groupby

from autograder.exam.model import Exam, Facet, derived_seed
from autograder.units.unit import Exercise
from course.diagnoses.failure import EXAMPLES_FACET
from course.exam import wire
from course.exam.alike import observation_with_close_floats
from course.exam.calls import Args, Call, Names
from course.exam.impostors import SHORT, IndexedInputs, SolvedWorld
from course.exam.observation import without_arguments_after
from course.exam.wire import Tree
from course.exam.world import World, worlds_of
from course.limits import MOST_CACHED_EXAMS, MOST_CONTRAST_CANDIDATES

MISSES_PER_GUESS = 2  # for each guess in each facet; a single call could be guessed by chance
LEAST_UNKNOWN_CALLS = 8  # calls of each facet that no kit has; another way to guess could be right about fewer
LazyAnswer: TypeAlias = Callable[[Call, str], bool]  # whether a lazy answer is right in a call
FIRST_ARGUMENT_COUNT = 4  # the arguments that lazy answers use


def inputs_in_examples(exercise: Exercise, given: Names, text: Callable[[Args], str]) -> frozenset[str]:
    """Return the arguments in the visible examples of an exercise, each as text.

    Examples that need answers to other exercises are left out.
    """
    texts = set[str]()
    nodes = ((example, node) for example in exercise.examples for node in ast.walk(ast.parse(example.call)))
    for example, node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=called), args=args, keywords=keywords) if called == exercise.name:
                names, given_all = dict(given), [*args, *(keyword.value for keyword in keywords)]
                try:
                    exec("\n".join(example.setup), names)
                    values = eval(ast.unparse(ast.Tuple(given_all)), names)
                except Exception:
                    continue
                texts.add(text(values))
    return frozenset(texts)


def with_contrast_calls(
    facet: Facet, pool: list[tuple[Call, str]], shown: frozenset[str], tolerance: float = 0.0
) -> Facet:
    """Return the facet with calls added from the pool, so that every lazy answer fails.

    Lazy answers return a constant or an argument, look up the visible examples (`shown`), or are one-liners such as
    `a[::-1]` and `a + b`.
    """
    if facet.joint or not facet.calls or facet.calls[0].kind == "value":
        return facet
    first = facet.expected[0]

    def equals_first_result(_call: Call, text: str) -> bool:
        if tolerance:
            text = wire.text_of(observation_with_close_floats(json.loads(first), json.loads(text), tolerance))
        return text == first

    def is_in_examples(call: Call, _text: str) -> bool:
        # of a curried function's arguments, only the first one
        return call.kind == "example" or wire.text_of(call._replace(what=call.what[:1]).given) in shown

    extra: list[tuple[Call, str]] = []
    for lazy in (
        equals_first_result,
        *_IDENTITY_ANSWERS,
        *([is_in_examples] if facet.name != EXAMPLES_FACET else []),
        *_ONE_LINERS,
    ):
        pairs = [*zip(facet.calls, facet.expected, strict=True), *extra]
        if all(lazy(call, text) for call, text in pairs):
            extra += [pair for pair in pool if not lazy(*pair)][:1]
    calls, expected = zip(*extra, strict=True) if extra else ((), ())
    return Facet(facet.name, facet.calls + calls, facet.expected + expected, contrasts=len(calls))


def _lazy_answer(compute: Callable[..., Tree], *indexes: int) -> LazyAnswer:
    """Return the lazy answer that computes its result from some of its arguments."""

    def is_right(call: Call, text: str) -> bool:
        try:
            return text == wire.text_of(["ok", compute(*(call.given[index] for index in indexes))])
        except (IndexError, TypeError):
            return False

    return is_right


def _items(tree: Tree) -> Tree:
    """Return the items of a text, a tuple or a list. Raises TypeError for values of other types."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, list) and tree[0] in ("t", "l"):
        return tree[1:]
    raise TypeError(tree)


_ONE_ARGUMENT_FUNCTIONS: tuple[Callable[..., Tree], ...] = (
    lambda tree: tree[::-1] if isinstance(tree, str) else [tree[0], *_items(tree)[::-1]],
    lambda tree: _items(tree)[0],
    lambda tree: _items(tree)[-1],
)
_TWO_ARGUMENT_FUNCTIONS: tuple[Callable[..., Tree], ...] = (
    lambda one, other: [one[0], *_items(one), *_items(other)] if isinstance(one, list) else one + other,
    lambda one, other: wire.text_of(one) == wire.text_of(other),
)
_IDENTITY_ANSWERS = [_lazy_answer(lambda tree: tree, index) for index in range(FIRST_ARGUMENT_COUNT)]
_ONE_LINERS = [
    *(_lazy_answer(compute, index) for index in range(FIRST_ARGUMENT_COUNT) for compute in _ONE_ARGUMENT_FUNCTIONS),
    *(
        _lazy_answer(compute, *pair)
        for pair in permutations(range(FIRST_ARGUMENT_COUNT), 2)
        for compute in _TWO_ARGUMENT_FUNCTIONS
    ),
]


# ------------------------------------------------------------------------------------------------ reserved calls


def input_text(call: Call) -> str:
    """Return the input of a call as text. Curried and uncurried calls with the same arguments have the same text."""
    given = call.given if call.kind == "args" else [call.kind, call.what]
    return wire.text_of([given, [name for name, _ in call.keywords], list(call.typed), call.chance])


@lru_cache(MOST_CACHED_EXAMS)
def reserved_inputs(exam: Exam, seed: str) -> frozenset[str]:
    """Return the inputs that a course reserves for grading.

    They are a third of each facet's inputs, and depend on the course's seed. An input that is reserved for one exercise
    is reserved for all. If an input were reserved for only one exercise, students could find its result in the calls of
    a similar exercise. For example, Sedma's exercises `replay` and `replay_at_once` share many inputs. A facet whose
    calls are judged together has no reserved inputs, because its digest does not show single results.
    """
    facets = (facet for paper in exam.by_name.values() for facet in paper.facets if not facet.joint)
    inputs = ({input_text(call) for call in each.calls[: each.rule_calls] if call.kind == "args"} for each in facets)
    return frozenset().union(*(reserved_third(each, exam, seed) for each in inputs))


def reserved_third(inputs: Iterable[str], exam: Exam, seed: str) -> Iterable[str]:
    """Return the inputs that a course reserves for grading, a third of `inputs`.

    The same seed always chooses the same inputs. Without the seed, nobody can predict which inputs are reserved.
    """
    ranked = sorted(inputs, key=lambda text: derived_seed(seed, "reserved", exam.unit.name, text))
    return ranked[: round(len(ranked) / 3)]


@lru_cache(MOST_CACHED_EXAMS)
def without_reserved_calls(exam: Exam, seed: str) -> Exam:
    """Return an exam without known mistakes, and without the calls that a course's seed reserves for grading."""
    reserved, by_name = reserved_inputs(exam, seed), {}
    for name, paper in exam.by_name.items():
        facets = []
        for facet in paper.facets:
            left = [n for n, call in enumerate(facet.calls) if facet.joint or input_text(call) not in reserved]
            calls, expected = tuple(facet.calls[n] for n in left), tuple(facet.expected[n] for n in left)
            contrasts = facet.contrasts if facet.joint else sum(n >= facet.rule_calls for n in left)
            facets.append(replace(facet, calls=calls, expected=expected, contrasts=contrasts))
        by_name[name] = replace(paper, facets=tuple(each for each in facets if each.rule_calls), mistakes=())
    return replace(exam, by_name=by_name)


# ------------------------------------------------------------------------------------------------ tables and guesses

GUESSED_OUTCOMES, GUESSED_ARGUMENTS, NEIGHBORS = 6, 4, (1, 3, 9)  # the arguments that guesses use


class KnownCall(NamedTuple):
    """A call, with its input and the reference's result as texts."""

    call: Call
    input: str
    gives: str


GuessFunction = Callable[[KnownCall], str]
InputPartsFunction = Callable[[Call], frozenset[object]]


def known_calls(facets: Iterable[Facet]) -> list[KnownCall]:
    """Return the calls that have arguments, from the facets whose calls are judged one by one."""
    judged = [facet for facet in facets if not facet.joint]
    pairs = (pair for facet in judged for pair in zip(facet.calls, facet.expected, strict=True))
    own = [pair for pair in pairs if pair[0].kind == "args"]
    # without the arguments after the call, which only some facets compare
    return [
        KnownCall(call, input_text(call), wire.text_of(without_arguments_after(json.loads(text)))) for call, text in own
    ]


class CheaterTable:
    """The table of a cheater: an exercise's calls in a practice exam, with the reference's results.

    If a call of another exercise has the same input and the same result, this call is also in the table. `shows_result`
    is a function that returns whether the inputs for `catch` reveal the result of a call.
    """

    def __init__(self, practice: Exam, name: str, shows_result: Callable[[KnownCall], bool]) -> None:
        self.known = {each.input: each for each in known_calls(practice.by_name[name].facets)}
        self.results, self.shows_result, self._is_known = (
            _inputs_with_results(practice),
            shows_result,
            dict[str, bool](),
        )

    def knows(self, call: KnownCall) -> bool:
        """Return whether a cheater knows the result of a call, from the practice exam or from the inputs of `catch`."""
        if call.input not in self._is_known:
            is_shown = call.input in self.known or (call.input, call.gives) in self.results
            self._is_known[call.input] = is_shown or self.shows_result(call)
        return self._is_known[call.input]

    def misses(self, guess: GuessFunction, call: KnownCall) -> bool:
        """Return whether a cheater fails a call: the cheater does not know its result, and guesses a wrong one."""
        return not self.knows(call) and guess(call) != call.gives


@lru_cache(MOST_CACHED_EXAMS)
def _inputs_with_results(exam: Exam) -> frozenset[tuple[str, str]]:
    """Return the inputs of all exercises, each with its result."""
    return frozenset((each.input, each.gives) for paper in exam.by_name.values() for each in known_calls(paper.facets))


def guessing_functions(
    known: Sequence[KnownCall], parts: InputPartsFunction, neighbors: Sequence[int] = NEIGHBORS
) -> Iterator[GuessFunction]:
    """Yield functions that guess the result of an unknown call, as a cheater might do.

    The functions guess the most frequent result of similar inputs, of calls with an equal argument, or of all calls.
    Other functions return an argument as their guess. Two inputs are more similar if they share more of their `parts`.
    """
    others, outcomes = [(parts(each.call), each.gives) for each in known], dict[str, list[str]]()
    commonest = [text for text, _ in Counter(each.gives for each in known).most_common(GUESSED_OUTCOMES)]

    def nearest_result(count: int, call: KnownCall) -> str:
        if call.input not in outcomes:
            own = parts(call.call)
            ranked = sorted(others, key=lambda other: len(other[0] ^ own))
            outcomes[call.input] = [text for _, text in ranked[: max(neighbors)]]
        return _most_common_text(outcomes[call.input][:count])

    def result_for_argument(index: int, by_argument: Mapping[str, str], call: KnownCall) -> str:
        return by_argument.get(_argument_text(index, call), commonest[0])

    def argument_itself(index: int, call: KnownCall) -> str:
        return wire.text_of(["ok", *call.call.given[index : index + 1]])

    if known:
        yield from (partial(nearest_result, count) for count in neighbors)
        for index in range(GUESSED_ARGUMENTS):
            groups = groupby(partial(_argument_text, index), known)
            by_argument = {argument: _most_common_text(each.gives for each in of) for argument, of in groups.items()}
            yield partial(result_for_argument, index, by_argument)
    yield from (lambda _, text=text: text for text in commonest)
    yield from (partial(argument_itself, index) for index in range(GUESSED_ARGUMENTS))


def _most_common_text(texts: Iterable[str]) -> str:
    return Counter(texts).most_common(1)[0][0]


def _argument_text(index: int, known: KnownCall) -> str:
    return wire.text_of(known.call.given[index : index + 1])


def input_parts(call: Call) -> frozenset[object]:
    """Return the parts of a call's input: its arguments, their items with their positions, and all nested values."""
    parts: set[object] = {*call.typed, call.chance}
    for index, arg in enumerate(call.given):
        parts.add((index, wire.text_of(arg)))
        if isinstance(arg, list):
            parts |= {(index, position, wire.text_of(item)) for position, item in enumerate(arg)}
        nested = [arg]
        while nested:
            part = nested.pop()
            if isinstance(part, list):
                nested += part
            else:
                parts.add((index, str(part)))
    return frozenset(parts)


class ContrastChooser:
    """Chooses calls for a secret exam.

    A cheater who knows the kit's calls and guesses all other results fails the chosen calls.
    """

    def __init__(self, table: CheaterTable, facets: Iterable[Facet], special: Iterable[str]) -> None:
        """Choose mostly from drawn calls, so that a mistake in one special case costs the points of only one facet."""
        self.table, self.guesses = table, [*guessing_functions([*table.known.values()], input_parts)]
        drawn_first = sorted(facets, key=lambda facet: facet.name in special)
        unknown = {each.input: each for each in known_calls(drawn_first) if not table.knows(each)}
        self.pool = sorted(  # the calls that fewer guesses are right about come first
            [*unknown.values()][:MOST_CONTRAST_CANDIDATES],
            key=lambda call: sum(not table.misses(guess, call) for guess in self.guesses),
        )

    def calls_for(self, facet: Facet) -> list[Call]:
        """Return calls to add to a facet, so that each way of guessing is wrong at least twice."""
        if facet.joint or any(call.kind == "value" for call in facet.calls):
            return []
        known, extra = known_calls([facet]), list[KnownCall]()
        there = {each.input for each in known}
        fresh = [each for each in self.pool if each.input not in there]
        for guess in self.guesses:
            is_missed = partial(self.table.misses, guess)
            missed = sum(1 for _ in islice(filter(is_missed, (*extra, *known)), MISSES_PER_GUESS))
            extra += islice(filter(is_missed, [each for each in fresh if each not in extra]), MISSES_PER_GUESS - missed)
        unknown = {each.input for each in (*extra, *known) if not self.table.knows(each)}
        extra += [each for each in fresh if each not in extra][: max(0, LEAST_UNKNOWN_CALLS - len(unknown))]
        return [each.call for each in extra]


class KitWorld:
    """The inputs from which learners choose with `catch`, in the kit of a course with a secret seed.

    The inputs that the seed reserves are left out. The inputs come from `offered`, a world with inputs of the exam, or
    else from the world that the unit's author wrote.
    """

    def __init__(self, published: Exam, name: str, seed: str, offered: World | None = None) -> None:
        self.exam = published
        world = offered or worlds_of(published.unit.module.__name__).get(name)
        self.inputs = IndexedInputs(published.unit.module, world) if world else None
        reserved = set[int]()
        if self.inputs and not offered:
            indexes = self.inputs.indices.items()
            by_input = {input_text(Call("args", json.loads(text))): index for text, index in indexes}
            reserved |= {by_input[text] for text in reserved_third(by_input, published, seed)}
        if self.inputs:  # an equivalent input could reveal a reserved result, too
            matches = map(self.inputs.find, _reserved_arguments(published, seed))
            reserved |= {match[0] for match in matches if match}
        self.reserved = frozenset(reserved)

    def shows_result(self, known: KnownCall) -> bool:
        """Return whether the kit reveals the result of a call, because `catch` offers an equivalent input."""
        match = self.inputs.find(_decoded_arguments(self.exam, known.call)) if self.inputs else None
        return match is not None and match[0] not in self.reserved

    def without_reserved_inputs(self, known: SolvedWorld) -> SolvedWorld:
        """Return the world without reserved inputs, and without the impostors that only reserved inputs catch."""
        caught = [None if index in self.reserved else each for index, each in enumerate(known.caught)]
        left = sorted(frozenset[int]().union(*(each for each in caught if each is not None)))
        hands = (each if each is None else frozenset(map(left.index, each)) for each in caught)
        digests = (bytes(SHORT) if index in self.reserved else each for index, each in enumerate(known.digests))
        return replace(
            known, beliefs=tuple(known.beliefs[each] for each in left), digests=tuple(digests), caught=tuple(hands)
        )


@lru_cache(MOST_CACHED_EXAMS)
def _reserved_arguments(exam: Exam, seed: str) -> list[Args]:
    """Return the arguments of the calls that a course reserves, decoded once for the worlds of all exercises."""
    reserved = reserved_inputs(exam, seed)
    calls = {each.input: each.call for paper in exam.by_name.values() for each in known_calls(paper.facets)}
    return [_decoded_arguments(exam, call) for text, call in calls.items() if text in reserved]


def _decoded_arguments(exam: Exam, call: Call) -> Args:
    wire, groups = exam.wire, call.what if call.kind == "args" else ()
    return tuple(wire.decode(arg, wire.functions.get) for group in groups for arg in group)
