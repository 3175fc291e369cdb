"""Calls that a facet has for contrast: by them functions are told from constants, and from tables of the examples."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from autograder.exam.model import EXAMPLES, Facet
from autograder.units.unit import Example, Exercise
from course.exam import wire
from course.exam.calls import Call


def shown_inputs(exercise: Exercise, given: Mapping[str, Any], text: Callable[[Any], str]) -> frozenset[str]:
    """Give the arguments, each list of them as a text, with which the visible examples call the exercise."""
    return frozenset(text(args) for example in exercise.examples for args in _calls(exercise.name, example, given))


def _calls(name: str, example: Example, given: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Give the arguments of an example's calls; of one that needs other answers to be worked out, none."""
    for node in ast.walk(ast.parse(example.call)):
        match node:
            case ast.Call(func=ast.Name(id=called), args=args, keywords=[]) if called == name:
                names = dict(given)
                try:
                    exec("\n".join(example.setup), names)
                    yield eval(ast.unparse(ast.Tuple(args)), names)
                except Exception:
                    continue


def contrast_pool(facets: Iterable[Facet]) -> list[tuple[Call, str]]:
    """Give the calls to choose contrasts from: examples last, which may say more than the call (`f(x) is None`)."""
    pairs = [pair for f in facets if not f.whole for pair in zip(f.calls, f.expected, strict=True)]
    return sorted(pairs, key=lambda pair: pair[0].kind == "example")


def with_contrast(facet: Facet, pool: list[tuple[Call, str]], shown: frozenset[str]) -> Facet:
    """Give the facet with calls added: no constant, no giving back of an argument, no table of what is shown passes."""
    if facet.whole or facet.calls[0].kind == "value":
        return facet
    extra: list[tuple[Call, str]] = []
    for lazy in (_constant(facet), *(_projection(index) for index in range(4)), *_tables(facet, shown)):
        pairs = [*zip(facet.calls, facet.expected, strict=True), *extra]
        if all(lazy(call, text) for call, text in pairs):
            extra += [pair for pair in pool if not lazy(*pair)][:1]
    calls, expected = zip(*extra, strict=True) if extra else ((), ())
    return Facet(facet.name, facet.calls + calls, facet.expected + expected, contrasts=len(calls))


def _constant(facet: Facet) -> Any:
    return lambda _call, text: text == facet.expected[0]


def _tables(facet: Facet, shown: frozenset[str]) -> Iterator[Any]:
    """Give the function that knows what the statement shows, and nothing else: it passes the examples, and no more."""
    if facet.name != EXAMPLES:
        yield lambda call, _text: call.kind == "example" or wire.text_of(call.what[0]) in shown


def _projection(index: int) -> Any:
    def gives_back(call: Call, text: str) -> bool:
        args = [arg for group in call.what for arg in group] if call.kind == "args" else []
        return index < len(args) and text == wire.text_of(["ok", args[index]])

    return gives_back
