"""Diagnoses of functions that are passed on, and of calls with too many or too few arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from course.diagnoses.evidence import (
    CORRECTION_ROOM,
    EXAMPLE_ROOM,
    Diagnosis,
    Evidence,
    called,
    code,
    positional_parameters,
)
from course.diagnoses.failure import GAVE
from course.diagnoses.kinds import signature_of
from course.diagnoses.looping import step_order

TWO = ("fold_left", "fold_right", "reduce", "accumulate")
ONE = ("map", "filter", "find", "sorted", "max", "min", "takewhile", "dropwhile")
NUMBERS = ("no arguments", "one argument", "two arguments", "three arguments")


def _names_taken(e: Evidence, name: str) -> list[str]:
    """Return the parameters of a learner's function, an exercise, or a given function."""
    if function := e.functions.get(name):
        return [arg.arg for arg in positional_parameters(function)]
    return [parameter for parameter, _ in signature_of(e, name)]


def too_many_or_few(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a wrong number of arguments for a function that is called, or passed on and called later."""
    match = e.raised(r"(\w+)(?:\.__init__)?\(\) (?:takes|missing|got)", "TypeError")
    names = _names_taken(e, match[1]) if match else []
    if not match or not names:
        return
    name = match[1]
    call = next((call for call in e.calls_here if called(call) == name), None)
    if call is None:
        yield from _argument_of_map_or_fold(e, name, names)
        return
    count = len(call.args) + len(call.keywords)
    if count == len(names) or any(isinstance(arg, ast.Starred) for arg in call.args):
        return
    yield Diagnosis(
        f"`{name}` takes {_number(len(names))}, but line {call.lineno} passes {count}.", f"{name}({', '.join(names)})"
    )


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else f"{count} arguments"


def _argument_of_map_or_fold(e: Evidence, name: str, names: list[str]) -> Iterator[Diagnosis]:
    """Return a message about a function that `map`, `filter` or a fold calls with another number of arguments."""
    for call in e.calls_here:
        higher, handed = called(call), [*call.args[:1], *(word.value for word in call.keywords if word.arg == "key")]
        if higher == "accumulate":
            handed = call.args[1:2]
        if name not in map(code, handed) or higher not in (*ONE, *TWO):
            continue
        count = 2 if higher in TWO else 1
        says = f"`{higher}` on line {call.lineno} calls `{name}` with {_number(count)}"
        order = f": {step_order(higher)}" if count == 2 else ""
        yield Diagnosis(f"{says}{order}. But `{name}` takes {_number(len(names))}. Write a function that fits.")


def body_without_lambda(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `map(len(card), cards)`, `key=sum(rule(card) for card in hand)` and `key=value`, without a `lambda`."""
    match = e.raised(r"name '(\w+)' is not defined|object is not callable", "NameError", "TypeError")
    is_own = e.failure.label in ("", e.requirements.name)  # in a helper, other names are known
    for call in e.calls_here if match and is_own else ():
        functions = call.args[:1] if called(call) in ("map", "filter") else []
        for body in [*functions, *(word.value for word in call.keywords if word.arg == "key")]:
            unknown = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)} - e.known
            name = unknown.pop() if len(unknown) == 1 else ""
            is_part = code(body) == name and name in e.given.fields
            is_misspelt = name in (called(body), code(body)) and not is_part
            if name and not is_misspelt and not isinstance(body, ast.Lambda):
                yield Diagnosis(
                    f"`{called(call)}` on line {call.lineno} needs a function, and `{code(body)}` is a value. Write:",
                    f"lambda each: each.{name}" if is_part else f"lambda {name}: {code(body, CORRECTION_ROOM)}",
                )


def other_chance_each_time(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `items[random_below(n)], items[: random_below(n)]`, where both should use the same random number."""
    sources = [name for name in e.given.functions if re.search("random|choose|shuffle", name)]
    for block in _straight_blocks(e):
        calls = [node for part in block for node in _shallow(part) if called(node) in sources]
        twice = next((each for each in calls if [*map(code, calls)].count(code(each)) > 1), None)
        if twice is not None and e.failure.did == GAVE:
            yield Diagnosis(
                f"The answer calls `{code(twice)}` more than once, and gets another result each time. Call it once, "
                "and name the result:",
                f"chosen = {code(twice, EXAMPLE_ROOM)}",
            )


def _straight_blocks(e: Evidence) -> Iterator[list[ast.stmt]]:
    """Yield the simple statements of each block."""
    compound = (ast.If, ast.Match, ast.For, ast.While, ast.FunctionDef)
    for node in e.nodes:
        if isinstance(block := getattr(node, "body", None), list):
            yield [each for each in block if isinstance(each, ast.stmt) and not isinstance(each, compound)]


def _shallow(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that always run together.

    Nodes inside a lambda or in one branch are left out.
    """
    if not isinstance(node, ast.Lambda | ast.IfExp):
        yield node
        for inner in ast.iter_child_nodes(node):
            yield from _shallow(inner)
