"""Diagnoses of single values where several are needed, and of items that cannot be compared by `<`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.diagnoses.evidence import LONGEST_CODE, Diagnosis, Evidence, called, code
from course.diagnoses.kinds import kind_words, kinds_of, kinds_of_type, kinds_written, parts_of, signature_of

NO_ITEMS = (
    r"'(\w+)' object is not (?:iterable|reversible)|cannot unpack non-iterable (\w+) object|"
    r"after \* must be an iterable, not (\w+)"
)


def not_iterable(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a single value where several items are needed."""
    match = e.raised(NO_ITEMS) if e.error == "TypeError" else None
    kind = next(filter(None, match.groups())) if match else "NoneType"
    if kind == "NoneType" or not e.failure.line:
        return
    yield from _star_before_one(e, kind)
    if kind == "int":
        yield from _number_counted(e)
        yield from _sum_of_one(e)
    yield from _part_with_items(e, kind)
    yield _single_value(e, kind)


def _part_with_items(e: Evidence, kind: str) -> Iterator[Diagnosis]:
    """Detect `for player in desk`, where a part of the desk holds the players."""
    parts = parts_of(e, kind)
    several = [part for part in parts if kinds_of_type(e.given.fields.get(part)) == {"tuple"}]
    loops = [each for node in e.here for each in getattr(node, "generators", [node])] if several else []
    for node in loops:
        if isinstance(node, ast.comprehension | ast.For) and isinstance(node.iter, ast.Name):
            owner, target = node.iter.id, code(node.target)
            near = [part for part in several if part.startswith(target)]
            yield Diagnosis(
                f"`{owner}` on line {e.failure.line} is {kind_words(kind)}, and has no items itself. "
                "Go through a part of it:",
                "\n".join(f"for {target} in {owner}.{part}" for part in near or several),
            )


def _star_before_one(e: Evidence, kind: str) -> Iterator[Diagnosis]:
    """Detect `(*others[-1], *others)`, which spreads a single item."""
    single = [node for node in e.here if isinstance(node, ast.Starred) and _is_item(node.value)]
    if len(single) != 1 or not e.raised(r"after \*"):
        return
    what, outer = code(single[0].value), e.parents.get(single[0], single[0])
    yield Diagnosis(
        f"`{what}` on line {single[0].lineno} is a single `{kind}`. Leave out the star before it:",
        code(outer, LONGEST_CODE).replace(f"*{what}", what),
    )


def _is_item(node: ast.expr) -> bool:
    return isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice)


def _number_counted(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `for i in len(cards)`, which loops over a number."""
    loops = [each for node in e.here for each in getattr(node, "generators", [node])]
    for node in loops:
        if isinstance(node, ast.comprehension | ast.For) and _may_be_a_number(e, node.iter):
            yield Diagnosis(
                f"`{code(node.iter)}` on line {e.failure.line} is a number without items. To count up to it, write:",
                f"for {code(node.target)} in range({code(node.iter, LONGEST_CODE)})",
            )


def _may_be_a_number(e: Evidence, items: ast.expr) -> bool:
    is_written = isinstance(items, ast.Tuple | ast.List) or called(items) in ("range", "enumerate")
    return not is_written and "tuple" not in kinds_written(e, items)


def _sum_of_one(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `sum(penalty(card))`, where the argument is already a number."""
    for call in e.calls_here:
        is_loop = any(isinstance(arg, ast.GeneratorExp | ast.ListComp) for arg in call.args)
        if called(call) not in ("sum", "max", "min") or len(call.args) != 1 or call.keywords or is_loop:
            continue
        match call.args[0]:
            case ast.Call(func=ast.Name(id=name), args=[items]) if name in e.bound and "tuple" in kinds_written(
                e, items
            ):
                yield Diagnosis(
                    f"Line {call.lineno} calls `{name}` once, with all of `{code(items)}`. For each item, write:",
                    f"{called(call)}(map({name}, {code(items)}))",
                )
            case inner:
                yield Diagnosis(
                    f"`{code(inner)}` on line {call.lineno} is one number already. Leave out `{called(call)}`:",
                    code(inner, LONGEST_CODE),
                )


def _single_value(e: Evidence, kind: str) -> Diagnosis:
    """Return the notation for a tuple of a single value."""
    what = "number" if kind == "int" else f"`{kind}`"
    for call in e.calls_here:
        if called(call) in ("tuple", "list") and len(call.args) == 1:
            return Diagnosis(
                f"`{code(call)}` on line {call.lineno} needs several items, but this is a single {what}. For a tuple "
                "with only this item, write:",
                f"({code(call.args[0], LONGEST_CODE)},)",
            )
    return Diagnosis(f"This {what} is a single value without items. A tuple with one item needs a comma: `(value,)`.")


def step_order(fold: str) -> str:
    """Return the arguments with which a fold calls its step, in words."""
    return "the next item, then the result so far" if fold == "fold_right" else "the result so far, then the next item"


def fold_by(e: Evidence, name: str, call: ast.Call) -> str:
    """Return a fold that finds the best item, for items that `max` and `min` cannot compare.

    The fold uses a function that compares two items.
    """
    items = code(call.args[0], LONGEST_CODE) if call.args else "items"
    if called(call) not in ("max", "min") or "fold_left" not in e.given.functions:
        return ""
    return f"fold_left(lambda best, each: each if {name}(each, best) else best, {items}[0], {items}[1:])"


def compared_two_by_two(e: Evidence, kinds: set[str]) -> Iterator[Diagnosis]:
    """Detect `max(trick)`, where a function of the unit decides which of two cards is better."""
    names = [name for name in sorted(e.given.functions.keys() | e.requirements.exercises) if _compares(e, name, kinds)]
    for call in e.calls_here if names and e.requirements.name not in names else ():
        if example := fold_by(e, names[0], call):
            what = f"`{'` and `'.join(sorted(kinds))}`" if len(kinds) > 1 else f"two `{min(kinds)}`s"
            yield Diagnosis(
                f"`{called(call)}` cannot compare {what}. `{names[0]}` can, so find the best one with a fold:", example
            )


def _compares(e: Evidence, name: str, kinds: set[str]) -> bool:
    """Return whether both parameters of a function may be values of these kinds."""
    taken = [kinds_of(annotation, e.requirements.module) for _, annotation in signature_of(e, name)]
    return len(taken) == 2 and all(kinds <= each for each in taken)
