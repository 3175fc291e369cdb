"""Diagnoses of conditions that are always true or always false, by the source of the answer alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from course.diagnoses.evidence import LONGEST_CODE, WIDEST, Diagnosis, Evidence, called, code, with_article
from course.diagnoses.kinds import (
    FUNCTION_KINDS,
    fields_captured,
    item_kinds_of,
    kind_words,
    kinds_of,
    kinds_written,
    parts_of,
    signature_of,
)
from course.form.given import members_of

ITEMS_ONCE = ("map", "filter", "zip", "reversed", "enumerate")


TESTING = ("filter", "find", "takewhile", "dropwhile")


# ------------------------------------------------------------------------------------------------ always true


def unlike_one_of_two(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `tile != one or tile != other`, which is always true."""
    for node in e.all(ast.BoolOp):
        tests = [each for each in node.values if isinstance(each, ast.Compare)]
        same = {code(test.left) for test in tests}
        unequal = all(isinstance(test.ops[0], ast.NotEq | ast.IsNot) and len(test.ops) == 1 for test in tests)
        if isinstance(node.op, ast.Or) and tests == node.values and len(same) == 1 and unequal:
            yield Diagnosis(
                f"On line {node.lineno}, one of these is always true. If none of them may be equal, write:",
                code(ast.BoolOp(ast.And(), node.values), LONGEST_CODE),
            )


def compared_with_or(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `tile != (one or other)`, which compares with `one` alone, because it counts as true."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.BoolOp(op=ast.Or(), values=parts)]
            ) if _always_counts_as_true(e, parts[0]):
                word = ast.In() if isinstance(op, ast.Eq) else ast.NotIn()
                yield Diagnosis(
                    f"`({code(node.comparators[0])})` on line {node.lineno} is just `{code(parts[0])}`: `or` returns "
                    "the first value that counts as true. To compare with both, write:",
                    code(ast.Compare(node.left, [word], [ast.Tuple(parts)]), LONGEST_CODE),
                )


def _always_counts_as_true(e: Evidence, node: ast.expr) -> bool:
    """Return whether an expression certainly has a value that counts as true, such as a tile."""
    kinds = [e.given.types.get(kind) for kind in kinds_written(e, node)]
    return bool(kinds) and all(hasattr(kind, "__dataclass_fields__") and _has_no_length(kind) for kind in kinds)


def _has_no_length(kind: object) -> bool:
    return not {"__len__", "__bool__"} & {*dir(kind)}


def lazy_condition(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `good = filter(…)` and then `if good`."""
    made = {each.targets[0].id: each for each in e.all(ast.Assign) if _is_lazy(each.value) and _is_name(each)}
    for test in _tests(e):
        if isinstance(test, ast.Name) and (each := made.get(test.id)):
            kind = called(each.value) or "generator"
            value = code(each.value, LONGEST_CODE) if called(each.value) else code(each.value, LONGEST_CODE)[1:-1]
            yield Diagnosis(
                f"`{test.id}` is {with_article(kind)}, which counts as true even without items. On line "
                f"{each.lineno}, write:",
                f"{test.id} = tuple({value})",
            )


def _is_lazy(node: ast.AST) -> bool:
    return called(node) in ITEMS_ONCE or isinstance(node, ast.GeneratorExp)


def _is_name(node: ast.Assign) -> bool:
    return len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)


def _tests(e: Evidence) -> Iterator[ast.expr]:
    """Yield the expressions that are used as conditions."""
    for node in e.nodes:
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.UnaryOp(op=ast.Not(), operand=test):
                yield test
            case ast.BoolOp(values=[*tests, _]):
                yield from tests
            case ast.comprehension(ifs=tests):
                yield from tests


def lazy_against_none(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `filter(test, cards) is not None`, which is always true."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=ast.Call(func=ast.Name(id="filter" | "map" as name), args=args), comparators=[other]):
                if isinstance(other, ast.Constant) and other.value is None:
                    says = f"`{name}(…)` on line {node.lineno} is never `None`, even if it has no items."
                    if name == "filter" and "find" in e.given.functions:
                        search = ast.Call(ast.Name("find"), args, [])
                        yield Diagnosis(
                            f"{says} `find` returns an item or `None`:",
                            code(ast.Compare(search, node.ops, node.comparators), LONGEST_CODE),
                        )
                    yield Diagnosis(f"{says} Make a tuple, and compare its length:", f"len(tuple({name}(…))) > 0")


def value_before_or(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `Simple(card) or Order(card, color)`, which is always the first value."""
    for node in e.all(ast.BoolOp):
        first = node.values[0]
        kind = e.given.types.get(called(first))
        is_plain = hasattr(kind, "__dataclass_fields__") and _has_no_length(kind)
        if isinstance(first, ast.Call) and is_plain and isinstance(node.op, ast.Or):
            second = code(node.values[1], WIDEST)
            yield Diagnosis(
                f"On line {node.lineno}, `{called(first)}(…)` counts as true, so nothing after `or` is ever used. "
                "Choose between them with a condition:",
                f"{code(first, WIDEST)} if … else {second}",
            )


def parameter_as_condition(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(card for card in cards if condition)`, where `condition` is a function in the arguments."""
    functions = {
        name for name, kind in e.requirements.parameters if kinds_of(kind, e.requirements.module) >= FUNCTION_KINDS
    }
    for node in e.all(ast.comprehension):
        for test in node.ifs:
            if isinstance(test, ast.Name) and test.id in functions & {*e.parameters}:
                yield Diagnosis(
                    f"`{test.id}` on line {test.lineno} is a function, and always counts as true. Call it:",
                    f"{test.id}({code(node.target)})",
                )


def waiting_test(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `filter(fits, cards)`, where `fits` takes two arguments and so returns a function."""
    named = {
        code(each.targets[0]): each.value.id
        for each in e.all(ast.Assign)
        if isinstance(each.value, ast.Name) and each.value.id not in e.bound
    }
    for call in e.all(ast.Call) if not e.error else ():
        if isinstance(call.func, ast.Name) and called(call) in TESTING and call.args:
            name = named.get(code(call.args[0]), code(call.args[0]))
            names = [parameter for parameter, _ in signature_of(e, name)] if name in e.requirements.exercises else []
            if len(names) == 2 and name not in e.bound:
                yield Diagnosis(
                    f"`{called(call)}` on line {call.lineno} calls `{name}` with one argument, but it takes two. "
                    "Pass the first one already:",
                    f"{name}({names[0]})",
                )


def item_against_member(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `card == RA`, where only the card's rank can be equal to `RA`."""
    items = dict(_items(e))
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.Is() | ast.In()], comparators=[right]):
                first = right.elts[0] if isinstance(right, ast.Tuple) and right.elts else right
                member = e.given.values.get(code(first))
                parts = _parts_with(e, items.get(name, ""), member)
                if member and len(parts) == 1:
                    yield Diagnosis(
                        f"`{name}` on line {node.lineno} is {kind_words(items[name])}, and never `{code(first)}`. "
                        "Write:",
                        code(ast.Compare(ast.Name(f"{name}.{parts[0]}"), node.ops, node.comparators), LONGEST_CODE),
                    )


def _items(e: Evidence) -> Iterator[tuple[str, str]]:
    """Yield the names of a parameter's items, with their type if it is the only one."""
    kinds = dict(e.requirements.parameters)
    for node in e.all(ast.comprehension):
        match node:
            case ast.comprehension(target=ast.Name(id=name), iter=ast.Name(id=items)) if items in kinds:
                those = item_kinds_of(kinds[items], e.requirements.module)
                yield from [(name, each) for each in those if len(those) == 1]


def _parts_with(e: Evidence, kind: str, member: type | None) -> list[str]:
    """Return the fields of a class that hold a member of an enumeration."""
    if member is None or not issubclass(member, Enum):
        return []
    parts = parts_of(e, kind)
    return [part for part in parts if member in members_of(e.given.fields.get(part))]


def uncalled_in_comparison(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `cards == produce_unshuffled_deck`, where the function is not called."""
    functions = {name for name in e.given.functions if not signature_of(e, name)}
    for node in e.all(ast.Compare):
        for side in [node.left, *node.comparators]:
            if isinstance(side, ast.Name) and side.id in functions - e.bound and isinstance(node.ops[0], ast.Eq):
                yield Diagnosis(
                    f"`{side.id}` on line {node.lineno} is a function, and equals nothing else. Call it:",
                    f"{side.id}()",
                )


# ------------------------------------------------------------------------------------------------ never equal


def items_against_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `player.cards == 0`, where the cards are a tuple."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                left=items, ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value=int() as number)]
            ):
                part = e.given.fields.get(items.attr) if isinstance(items, ast.Attribute) else None
                is_tuple = getattr(part, "__origin__", None) is tuple or kinds_written(e, items) == {"tuple"}
                if is_tuple and not isinstance(number, bool):
                    yield Diagnosis(
                        f"`{code(items)}` on line {node.lineno} is a tuple, and never equals a number. Write:",
                        code(ast.Compare(ast.Name(f"len({code(items)})"), node.ops, node.comparators), LONGEST_CODE),
                    )


def text_against_number(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `text[0] == left`, where `left` is a number."""
    kinds = dict(fields_captured(e, e.nodes))
    for node in e.all(ast.Compare):
        for one, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            match one, other:
                case ast.Subscript(value=text), ast.Name() | ast.Attribute():
                    if _kind(e, kinds, text) is str and _kind(e, kinds, other) is int and len(node.ops) == 1:
                        yield Diagnosis(
                            f"`{code(one)}` on line {node.lineno} is a string, which never equals the number"
                            f" `{code(other)}`. Convert it to a number:",
                            f"int({code(one)})",
                        )


def _kind(e: Evidence, kinds: dict[str, object], node: ast.expr) -> object:
    return e.given.fields.get(node.attr) if isinstance(node, ast.Attribute) else kinds.get(code(node))


def tuple_for_either(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `case 3, 4:` for a number: this pattern matches only a tuple."""
    kinds = dict(e.requirements.parameters)
    for node in e.all(ast.Match):
        those = kinds_of(kinds.get(code(node.subject), ""), e.requirements.module)
        for case in node.cases if those and those <= {"int", "bool", "str"} else ():
            match case.pattern:
                case ast.MatchSequence(patterns=[ast.MatchValue(), *_] as parts):
                    yield Diagnosis(
                        f"`{code(node.subject)}` is one value, so the comma on line {case.pattern.lineno} never"
                        " matches. For either of them, write:",
                        f"case {' | '.join(map(code, parts))}:",
                    )


def all_of_them_again(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `items[:place] + items[place:]`, which are all the items."""
    for node in e.all(ast.BinOp):
        match node:
            case ast.BinOp(
                left=ast.Subscript(value=one, slice=ast.Slice(lower=None, upper=ast.expr() as end)),
                op=ast.Add(),
                right=ast.Subscript(value=other, slice=ast.Slice(lower=ast.expr() as start, upper=None)),
            ) if code(one) == code(other) and code(end) == code(start):
                items, index = code(one), code(end)
                yield Diagnosis(
                    f"The two slices on line {node.lineno} together are all of `{items}`. To leave one out, write:",
                    f"{items}[:{index}] + {items}[{index} + 1:]",
                )


# These look only at the source of the answer. None of them may match a right answer.
TRUTHS = (
    unlike_one_of_two,
    compared_with_or,
    lazy_condition,
    lazy_against_none,
    value_before_or,
    parameter_as_condition,
    waiting_test,
    item_against_member,
    uncalled_in_comparison,
    items_against_number,
    text_against_number,
    tuple_for_either,
    all_of_them_again,
)
