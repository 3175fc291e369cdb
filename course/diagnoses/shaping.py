"""Diagnoses of values of the wrong shape: several for one, an item for its index, a part that does not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from types import UnionType

from course.diagnoses.evidence import WIDEST, Diagnosis, Evidence, addends, called, code, own_nodes
from course.diagnoses.failure import GAVE, RAISED
from course.diagnoses.kinds import kind_words, parts_of
from course.form.given import field_names
from course.syntax import expression_of

# ------------------------------------------------------------------------------------------------ several for one


def star_before_recursion(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `(first, sort(rest))`, where `sort(rest)` needs a star, and tuples in which one star is not needed."""
    is_about_tuples = not e.failure.line or "'tuple'" in (e.failure.seen or "")
    for function in (
        e.all(ast.FunctionDef) if e.failure.did in (GAVE, RAISED) and e.function and is_about_tuples else ()
    ):
        if function is e.function or _makes_flat_tuples(function):
            for node in own_nodes(function):
                yield from _star_in(e, function.name, node)


def _makes_flat_tuples(function: ast.FunctionDef) -> bool:
    """Return whether a function also returns one of its arguments, or an empty tuple."""
    names = {"()", *(arg.arg for arg in function.args.args)}
    returns = [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value]
    return any(code(value) in names for value in returns)


def _star_in(e: Evidence, name: str, node: ast.AST) -> Iterator[Diagnosis]:
    """Return the tuple with a star added before the call of `name`, or with a needless star removed."""
    match node:
        case ast.Tuple(elts=[*firsts, ast.Call() as again]) if firsts and called(again) == name:
            yield Diagnosis(
                f"On line {node.lineno}, the result of `{name}` becomes one item. A star spreads it:",
                code(ast.Tuple([*firsts, ast.Starred(again)]), WIDEST),
            )
        case ast.Tuple(elts=[ast.Starred(value=ast.Name(id=items)), ast.Starred(value=again)]) if e.error:
            if called(again) == name and not e.failure.line:
                yield Diagnosis(
                    f"On line {node.lineno}, the star spreads the items of `{items}`. To keep them together, write:",
                    code(ast.Tuple([ast.Name(items), ast.Starred(again)]), WIDEST),
                )


def spread_sum(node: ast.expr) -> str:
    """Return a sum of tuples and lists as one tuple."""
    return f"({', '.join(_spread(part) for part in addends(node))})"


def _spread(node: ast.expr) -> str:
    if isinstance(node, ast.Tuple | ast.List):
        return ", ".join(code(part) for part in node.elts)
    return f"*{code(node)}"


def value_for_part(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `Num(5)` where 5 is expected: a value instead of its only part."""
    match expression_of(e.failure.seen or "") if e.failure.did == GAVE else None:
        case ast.Call(func=ast.Name(id=name), args=[part]) if ast.unparse(part) == e.failure.wanted_code:
            parts = parts_of(e, name)
            if len(parts) == 1:
                yield Diagnosis(
                    f"`{e.requirements.name}` returned {kind_words(name)}, "
                    f"but the answer is its part `.{parts[0]}`. Add at the end:",
                    f".{parts[0]}",
                )


def item_for_bool(e: Evidence) -> Iterator[Diagnosis]:
    """Detect an item that is returned where True or False is expected."""
    for node in e.all(ast.Return) if e.failure.did == GAVE and e.failure.wanted_code in ("True", "False") else ():
        if called(node.value) == "find" and e.failure.seen not in ("True", "False"):
            yield Diagnosis(
                f"`find` on line {node.lineno} returns an item or `None`, but the answer is True or False. Write:",
                f"return {code(node.value, WIDEST)} is not None",
            )


# ------------------------------------------------------------------------------------------------ indexes, members


def list_of_the_rest(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a recursion that compares a starred name, which is a list, with `()`."""
    stars = {
        node.value.id
        for node in e.all(ast.Starred)
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    if not any(isinstance(n, ast.Compare) and "()" in map(code, n.comparators) for n in e.nodes):
        return
    for call in e.all(ast.Call):
        for arg in call.args if called(call) == e.requirements.name else ():
            if isinstance(arg, ast.Name) and arg.id in stars:
                args = ", ".join(f"tuple({code(each)})" if each is arg else code(each) for each in call.args)
                yield Diagnosis(
                    f"A starred name such as `{arg.id}` is a list, and a list never equals `()`. On line "
                    f"{call.lineno}, write:",
                    f"{called(call)}({args})",
                )


def either_of_two(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `card.rank == (RA or R10)`, which compares only with the first member."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                left=left, ops=[ast.Eq() | ast.Is() | ast.In()], comparators=[ast.BoolOp(op=ast.Or(), values=values)]
            ) if all(isinstance(each, ast.Name | ast.Attribute | ast.Constant) for each in values):
                if _is_member(e, values[0]):
                    either = ", ".join(map(code, values))
                    yield Diagnosis(
                        f"On line {node.lineno}, `{code(node.comparators[0])}` is only `{code(values[0])}`. Write:",
                        f"{code(left)} in ({either})",
                    )


def _is_member(e: Evidence, node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Attribute) or code(node) in e.given.values


def no_member_of_its_type(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `card.rank == 10`, although a rank is a member of an enumeration."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                left=ast.Attribute(attr=attr), ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.Is()], comparators=[right]
            ):
                kind = e.given.fields.get(attr)
                parts = right.elts if isinstance(right, ast.Tuple | ast.List | ast.Set) else [right]
                plain = [
                    part
                    for part in parts
                    if isinstance(part, ast.Constant) and part.value not in (None, *e.given.values)
                ]
                if plain and isinstance(kind, type) and issubclass(kind, Enum) and not issubclass(kind, int | str):
                    members = ", ".join(f"`{each.name}`" for each in kind)
                    yield Diagnosis(
                        f"On line {node.lineno}, `.{attr}` is {kind_words(kind.__name__)}, and never "
                        f"`{code(plain[0])}`. Choose from {members}."
                    )


# ------------------------------------------------------------------------------------------------ patterns


def tuple_for_a_class(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `case (0, _)` for a value that is not a tuple."""
    kinds = dict(e.requirements.parameters)
    for node in e.all(ast.Match):
        kind = e.given.types.get(kinds.get(code(node.subject), ""))
        if isinstance(kind, UnionType):
            yield from _alternatives(node)
        if not isinstance(kind, type) or not hasattr(kind, "__dataclass_fields__") or issubclass(kind, tuple):
            continue
        for case in node.cases:
            if isinstance(case.pattern, ast.MatchSequence):
                inside = ", ".join(code(part) for part in case.pattern.patterns)
                yield Diagnosis(
                    f"`{code(node.subject)}` is {kind_words(kind.__name__)}, not a tuple, so line "
                    f"{case.pattern.lineno} never matches. Write:",
                    f"case {kind.__name__}({inside}):",
                )


def _alternatives(node: ast.Match) -> Iterator[Diagnosis]:
    """Detect a comma between two patterns for one value, where `|` is needed."""
    for case in node.cases:
        match case.pattern:
            case ast.MatchSequence(patterns=parts) if parts and all(isinstance(p, ast.MatchClass) for p in parts):
                yield Diagnosis(
                    f"On line {case.pattern.lineno}, the comma makes a tuple. Between alternatives, write `|`:",
                    f"case {' | '.join(map(code, parts))}:",
                )


# ------------------------------------------------------------------------------------------------ texts, classes


def text_without_f(e: Evidence) -> Iterator[Diagnosis]:
    """Detect a name in braces in a string that has no `f` before it."""
    for node in e.all(ast.Constant):
        if isinstance(node.value, str) and not isinstance(e.parents.get(node), ast.JoinedStr | ast.Expr):
            match = re.search(r"\{([a-z_]\w*)[\w.\[\]()]*\}", node.value)
            if match and match[1] in {*e.parameters, *e.bound}:
                yield Diagnosis(
                    f"On line {node.lineno}, `{match[0]}` is only text. Write an `f` before the quotation mark:",
                    f"f{code(node, WIDEST)}",
                )


# ------------------------------------------------------------------------------------------------ conditions


def half_compared(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `deck and floor == ()` and `not deck and floor`, which test the two values in different ways."""
    for node in e.all(ast.BoolOp) if e.failure.did == GAVE else ():
        for first, second in zip(node.values, node.values[1:], strict=False):
            word = "and" if isinstance(node.op, ast.And) else "or"
            match first, second:
                case ast.Name(id=name), ast.Compare(left=ast.Name(), ops=[op], comparators=[right]) if (
                    name in e.parameters
                ):
                    both = ast.unparse(ast.Compare(first, [op], [right])), code(second)
                case ast.UnaryOp(op=ast.Not(), operand=ast.Name()), ast.Name(id=name) if name in e.parameters:
                    both = code(first), f"not {name}"
                case _:
                    continue
            yield Diagnosis(
                f"On line {node.lineno}, `{code(first)} {word} {code(second)}` does not test both in the same way. "
                "Should it be this?",
                f" {word} ".join(both),
            )


def no_such_part(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `case Score(trick=0)`, where the part is called `tricks`."""
    for node in e.all(ast.MatchClass):
        kind = e.given.types.get(code(node.cls))
        parts = field_names(kind)
        for attr in node.kwd_attrs if parts else ():
            if attr not in parts and not hasattr(kind, attr):
                near = e.near(attr, parts)
                advice = (
                    f"Did you mean `{near}`?" if near else f"Its parts are {', '.join(f'`{each}`' for each in parts)}."
                )
                yield Diagnosis(f"On line {node.lineno}, `{code(node.cls)}` has no part `{attr}`. {advice}")


def class_passed(e: Evidence) -> Iterator[Diagnosis]:
    """Detect `desk.with_state(Proceed)`, where the class must be called."""
    for call in e.all(ast.Call):
        makes = code(call.func) in e.given.types or called(call) in e.given.methods
        for arg in call.args if makes and called(call) != "isinstance" else ():
            kind = e.given.types.get(code(arg)) if isinstance(arg, ast.Name) and arg.id not in e.bound else None
            if isinstance(kind, type) and getattr(kind, "__dataclass_fields__", None) == {}:
                yield Diagnosis(
                    f"On line {arg.lineno}, `{code(arg)}` is the class. To make a value, call it: `{code(arg)}()`."
                )
