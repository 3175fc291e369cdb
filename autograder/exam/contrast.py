"""Contrast calls: they distinguish right answers from constants, and from tables of known calls."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice, permutations
from typing import TypeAlias

from autograder.exam.memorized import KnownCall, Table, guessing_functions, input_parts, known_calls
from autograder.exam.model import Facet
from autograder.units.unit import Exercise
from course.diagnoses.failure import EXAMPLES
from course.exam import wire
from course.exam.calls import Args, Call, Names
from course.exam.closeness import with_close_floats_replaced
from course.exam.wire import Tree
from course.kernel.catalogue import StatedExample
from course.limits import MOST_CONTRAST_CANDIDATES

MISSES_PER_GUESS = 2  # for each guess in each facet; a single call could be guessed by chance
LEAST_UNKNOWN = 8  # calls of each facet that no kit has; another way to guess could be right about fewer
Lazy: TypeAlias = Callable[[Call, str], bool]  # whether a lazy answer is right in a call
FIRST_ARGUMENTS = 4  # the arguments that lazy answers use


def shown_inputs(exercise: Exercise, given: Names, text: Callable[[Args], str]) -> frozenset[str]:
    """Return the texts of the arguments in the calls of the visible examples."""
    return frozenset(text(args) for example in exercise.examples for args in _calls(exercise.name, example, given))


def _calls(name: str, example: StatedExample, given: Mapping[str, object]) -> Iterator[tuple[object, ...]]:
    """Yield the arguments of an example's calls, except calls whose arguments need other answers."""
    for node in ast.walk(ast.parse(example.call)):
        match node:
            case ast.Call(func=ast.Name(id=called), args=args, keywords=keywords) if called == name:
                names, given_all = dict(given), [*args, *(keyword.value for keyword in keywords)]
                try:
                    exec("\n".join(example.setup), names)
                    yield eval(ast.unparse(ast.Tuple(given_all)), names)
                except Exception:
                    continue


def contrast_pool(facets: Iterable[Facet]) -> list[tuple[Call, str]]:
    """Return the calls from which contrasts are chosen.

    Examples come last, because they may test more than the call.
    """
    pairs = [pair for f in facets if not f.joint for pair in zip(f.calls, f.expected, strict=True)]
    return sorted(pairs, key=lambda pair: pair[0].kind == "example")


def with_contrast(facet: Facet, pool: list[tuple[Call, str]], shown: frozenset[str], tolerance: float = 0.0) -> Facet:
    """Return the facet with enough calls added that no lazy answer passes it.

    Lazy answers are constants, arguments, tables of the examples, and functions such as `a[::-1]` and `a + b`.
    """
    if facet.joint or not facet.calls or facet.calls[0].kind == "value":
        return facet
    extra: list[tuple[Call, str]] = []
    for lazy in (_constant(facet, tolerance), *_PROJECTIONS, *_tables(facet, shown), *_ONE_LINERS):
        pairs = [*zip(facet.calls, facet.expected, strict=True), *extra]
        if all(lazy(call, text) for call, text in pairs):
            extra += [pair for pair in pool if not lazy(*pair)][:1]
    calls, expected = zip(*extra, strict=True) if extra else ((), ())
    return Facet(facet.name, facet.calls + calls, facet.expected + expected, contrasts=len(calls))


def _constant(facet: Facet, tolerance: float) -> Lazy:
    first = json.loads(facet.expected[0]) if tolerance else None

    def is_first(_call: Call, text: str) -> bool:
        if not tolerance:
            return text == facet.expected[0]
        return wire.text_of(with_close_floats_replaced(first, json.loads(text), tolerance)) == facet.expected[0]

    return is_first


def _tables(facet: Facet, shown: frozenset[str]) -> Iterator[Lazy]:
    """Yield a function that knows only the visible examples.

    The function is right about these calls, and wrong about all others.
    """
    if facet.name != EXAMPLES:
        # of a curried function's arguments, only the first one
        yield lambda call, _: call.kind == "example" or wire.text_of(call._replace(what=call.what[:1]).given) in shown


def _computed(compute: Callable[..., Tree], *indexes: int) -> Lazy:
    """Return the lazy answer that computes its result from some of its arguments."""

    def is_right(call: Call, text: str) -> bool:
        try:
            return text == wire.text_of(["ok", compute(*(call.given[index] for index in indexes))])
        except (IndexError, TypeError):
            return False

    return is_right


def _items(tree: Tree) -> Tree:
    """Return the items of a text, a tuple or a list. Raises TypeError for anything else."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, list) and tree[0] in ("t", "l"):
        return tree[1:]
    raise TypeError(tree)


def _reversed(tree: Tree) -> Tree:
    items = _items(tree)[::-1]
    return items if isinstance(tree, str) else [tree[0], *items]


def _sum(one: Tree, other: Tree) -> Tree:
    return [one[0], *_items(one), *_items(other)] if isinstance(one, list) else one + other


def _is_equal(one: Tree, other: Tree) -> bool:
    return wire.text_of(one) == wire.text_of(other)


_PAIRS = (*permutations(range(FIRST_ARGUMENTS), 2),)
_PROJECTIONS = [_computed(lambda tree: tree, index) for index in range(FIRST_ARGUMENTS)]
_ONE_LINERS = [
    *(
        _computed(compute, index)
        for index in range(FIRST_ARGUMENTS)
        for compute in (_reversed, lambda tree: _items(tree)[0], lambda tree: _items(tree)[-1])
    ),
    *(_computed(compute, *pair) for pair in _PAIRS for compute in (_sum, _is_equal)),
]


class ContrastChooser:
    """A chooser of additional calls, for which a known table with a guess for unknown calls is wrong."""

    def __init__(self, table: Table, facets: Iterable[Facet], special: Iterable[str]) -> None:
        """Choose mostly from drawn calls, so that a mistake in one special case does not fail other facets."""
        self.table, self.guesses = table, [*guessing_functions([*table.known.values()], input_parts)]
        drawn_first = sorted(facets, key=lambda facet: facet.name in special)
        unknown = {each.input: each for each in known_calls(drawn_first) if not table.knows(each)}
        self.pool = sorted([*unknown.values()][:MOST_CONTRAST_CANDIDATES], key=self._is_guessed)

    def _is_guessed(self, call: KnownCall) -> int:
        """Return how many of the guesses are right for a call."""
        return sum(not self.table.misses(guess, call) for guess in self.guesses)

    def calls_for(self, facet: Facet) -> list[Call]:
        """Return calls to add to a facet: then each guess of a cheater is wrong twice, and some calls are in no kit."""
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
        extra += [each for each in fresh if each not in extra][: max(0, LEAST_UNKNOWN - len(unknown))]
        return [each.call for each in extra]
