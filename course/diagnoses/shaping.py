"""Diagnoses of values of the wrong shape: several for one, an item for its index, a part that does not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from types import UnionType

from course.diagnoses.evidence import WIDEST, Diagnosis, Evidence, called, code, own_nodes
from course.diagnoses.failure import GAVE, RAISED
from course.diagnoses.kinds import kind_words
from course.syntax import expression_of

# ------------------------------------------------------------------------------------------------ several for one


def star_before_recursion(e: Evidence) -> Diagnosis | None:
    """Detect `(first, sort(rest))`, where `sort(rest)` needs a star, and tuples in which one star is not needed."""
    if e.function is None or e.failure.did not in (GAVE, RAISED):
        return None
    if e.failure.line and "'tuple'" not in (e.failure.seen or ""):
        return None
    functions = [each for each in e.all(ast.FunctionDef) if each is e.function or _makes_flat_tuples(each)]
    stars = (_star_in(e, each.name, node) for each in functions for node in own_nodes(each))
    return next(filter(None, stars), None)


def _makes_flat_tuples(function: ast.FunctionDef) -> bool:
    """Return whether a function also returns one of its arguments, or an empty tuple."""
    names = {"()", *(arg.arg for arg in function.args.args)}
    returns = [node.value for node in own_nodes(function) if isinstance(node, ast.Return) and node.value]
    return any(code(value) in names for value in returns)


def _star_in(e: Evidence, name: str, node: ast.AST) -> Diagnosis | None:
    """Return the tuple with a star added before the call of `name`, or with a needless star removed."""
    match node:
        case ast.Tuple(elts=[*firsts, ast.Call() as again]) if firsts and called(again) == name:
            says = f"On line {node.lineno}, the result of `{name}` becomes one item. A star spreads it:"
            return Diagnosis(says, code(ast.Tuple([*firsts, ast.Starred(again)]), WIDEST))
        case ast.Tuple(elts=[ast.Starred(value=ast.Name(id=items)), ast.Starred(value=again)]) if e.error:
            if called(again) == name and not e.failure.line:
                says = f"On line {node.lineno}, the star spreads the items of `{items}`. To keep them together, write:"
                return Diagnosis(says, code(ast.Tuple([ast.Name(items), ast.Starred(again)]), WIDEST))
    return None


def items_and_tuples(e: Evidence) -> Diagnosis | None:
    """Detect a sum of tuples and lists, and show one tuple with all their items."""
    if e.error != "TypeError" or not e.raised(r"can only concatenate (tuple \(not \"list|list \(not \"tuple)"):
        return None
    for node in e.here:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return Diagnosis("You cannot add a tuple and a list. Spread both into a new tuple:", spread_sum(node))
    return None


def spread_sum(node: ast.expr) -> str:
    """Return a sum of tuples and lists as one tuple."""
    return f"({', '.join(_spread(part) for part in _summands(node))})"


def _summands(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _summands(left)
            yield from _summands(right)
        case _:
            yield node


def _spread(node: ast.expr) -> str:
    if isinstance(node, ast.Tuple | ast.List):
        return ", ".join(code(part) for part in node.elts)
    return f"*{code(node)}"


# ------------------------------------------------------------------------------------------------ indexes, members


def item_for_index(e: Evidence) -> Diagnosis | None:
    """Detect an item that is returned where its index is expected."""
    observed, wanted = e.failure.seen or "", e.failure.wanted_code
    items = _items_passed(e)
    if e.failure.did != GAVE or not wanted.isdigit() or observed not in items or int(wanted) >= len(items):
        return None
    loops = [node for node in e.all(ast.For, ast.comprehension) if isinstance(node.iter, ast.Name)]
    says = f"`{e.requirements.name}` returned the item itself, but the answer is its place."
    if not loops:
        return Diagnosis(f"{says} `enumerate` counts the places.")
    target = code(loops[0].target)
    each = "each" if target in ("i", "place") else target
    way = f"for place, {each} in enumerate({code(loops[0].iter)})"
    return Diagnosis(f"{says} `enumerate` counts the places:", way)


def _items_passed(e: Evidence) -> list[str]:
    """Return the code of all items in the tuples that the failed call passes."""
    call = expression_of(e.failure.call)
    tuples = [arg for arg in call.args if isinstance(arg, ast.Tuple)] if isinstance(call, ast.Call) else []
    return [ast.unparse(item) for each in tuples for item in each.elts if isinstance(item, ast.Call)]


def value_for_part(e: Evidence) -> Diagnosis | None:
    """Detect `Num(5)` where 5 is expected: a value instead of its only part."""
    match expression_of(e.failure.seen or "") if e.failure.did == GAVE else None:
        case ast.Call(func=ast.Name(id=name), args=[part]) if ast.unparse(part) == e.failure.wanted_code:
            parts = [*getattr(e.given.types.get(name), "__dataclass_fields__", ())]
            if len(parts) == 1:
                says = (
                    f"`{e.requirements.name}` returned {kind_words(name)}, "
                    f"but the answer is its part `.{parts[0]}`. Add at the end:"
                )
                return Diagnosis(says, f".{parts[0]}")
    return None


def item_for_bool(e: Evidence) -> Diagnosis | None:
    """Detect an item that is returned where True or False is expected."""
    for node in e.all(ast.Return) if e.failure.did == GAVE and e.failure.wanted_code in ("True", "False") else ():
        if called(node.value) == "find" and e.failure.seen not in ("True", "False"):
            says = f"`find` on line {node.lineno} returns an item or `None`, but the answer is True or False. Write:"
            return Diagnosis(says, f"return {code(node.value, WIDEST)} is not None")
    return None


def list_of_the_rest(e: Evidence) -> Diagnosis | None:
    """Detect a recursion that compares a starred name, which is a list, with `()`."""
    stars = {node.value.id for node in e.all(ast.Starred) if isinstance(node.value, ast.Name) and _is_target(node)}
    if not any(isinstance(n, ast.Compare) and "()" in map(code, n.comparators) for n in e.nodes):
        return None
    for call in e.all(ast.Call):
        for arg in call.args if called(call) == e.requirements.name else ():
            if isinstance(arg, ast.Name) and arg.id in stars:
                args = ", ".join(f"tuple({code(each)})" if each is arg else code(each) for each in call.args)
                says = f"A starred name such as `{arg.id}` is a list, and a list never equals `()`. On line "
                return Diagnosis(f"{says}{call.lineno}, write:", f"{called(call)}({args})")
    return None


def _is_target(node: ast.Starred) -> bool:
    return isinstance(node.ctx, ast.Store)


def no_star_before_arguments(e: Evidence) -> Diagnosis | None:
    """Detect `strategy(args)`, where the function takes each item of `args` as an argument."""
    kinds = dict(e.requirements.parameters)
    for call in e.calls_here if e.error == "TypeError" and e.raised(r"missing \d+ required positional") else ():
        match call:
            case ast.Call(func=function, args=[ast.Name(id=name)], keywords=[]):
                kind = e.given.types.get(kinds.get(name, ""))
                if hasattr(kind, "_fields"):
                    says = f"`{code(function)}` on line {call.lineno} takes the parts of `{name}` one by one. "
                    return Diagnosis(f"{says}A star spreads them:", f"{code(function)}(*{name})")
    return None


def no_such_item(e: Evidence) -> Diagnosis | None:
    """Detect `.index(…)` of a value that is not an item."""
    for call in e.calls_here if e.error == "ValueError" and e.raised("not in (tuple|list)|is not in list") else ():
        match call:
            case ast.Call(func=ast.Attribute(value=items, attr="index"), args=[item]):
                says = f"`{code(items)}` has no item that is equal to `{code(item)}`, so `.index(…)` finds no place."
                made = _made_of(e, code(item))
                if isinstance(made, ast.List | ast.ListComp) or called(made) in ("tuple", "list"):
                    return Diagnosis(
                        f"{says} `{code(item)}` contains several items. Take one of them:", f"{code(item)}[-1]"
                    )
                return Diagnosis(says)
    return None


def _made_of(e: Evidence, name: str) -> ast.expr | None:
    """Return the last value that is assigned to a name."""
    values = [node.value for node in e.all(ast.Assign) if name in map(code, node.targets)]
    return values[-1] if values else None


def one_member_for_several(e: Evidence) -> Diagnosis | None:
    """Detect `card.rank in RA`, where `in` needs several values."""
    if e.error != "TypeError" or not e.raised(r"argument of type '\w+' is not|is not a container or iterable"):
        return None
    for node in e.here:
        match node:
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[right]):
                sign = "==" if isinstance(op, ast.In) else "!="
                says = f"`in` on line {node.lineno} needs several values, such as a tuple. To compare with one, write:"
                return Diagnosis(says, f"{code(left)} {sign} {code(right)}")
    return None


def either_of_two(e: Evidence) -> Diagnosis | None:
    """Detect `card.rank == (RA or R10)`, which compares only with the first member."""
    for node in e.all(ast.Compare):
        match node:
            case ast.Compare(
                left=left, ops=[ast.Eq() | ast.Is() | ast.In()], comparators=[ast.BoolOp(op=ast.Or(), values=values)]
            ) if all(isinstance(each, ast.Name | ast.Attribute | ast.Constant) for each in values):
                if _is_member(e, values[0]):
                    either = ", ".join(map(code, values))
                    says = f"On line {node.lineno}, `{code(node.comparators[0])}` is only `{code(values[0])}`. Write:"
                    return Diagnosis(says, f"{code(left)} in ({either})")
    return None


def _is_member(e: Evidence, node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.Attribute) or code(node) in e.given.values


def no_member_of_its_type(e: Evidence) -> Diagnosis | None:
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
                    says = f"On line {node.lineno}, `.{attr}` is {kind_words(kind.__name__)}, and never "
                    return Diagnosis(f"{says}`{code(plain[0])}`. Choose from {members}.")
    return None


# ------------------------------------------------------------------------------------------------ patterns


def no_such_part(e: Evidence) -> Diagnosis | None:
    """Detect `case Score(trick=0)`, where the part is called `tricks`."""
    for node in e.all(ast.MatchClass):
        kind = e.given.types.get(code(node.cls))
        parts = [*getattr(kind, "__dataclass_fields__", ())]
        for attr in node.kwd_attrs if parts else ():
            if attr not in parts and not hasattr(kind, attr):
                near = e.near(attr, parts)
                advice = (
                    f"Did you mean `{near}`?" if near else f"Its parts are {', '.join(f'`{each}`' for each in parts)}."
                )
                return Diagnosis(f"On line {node.lineno}, `{code(node.cls)}` has no part `{attr}`. {advice}")
    return None


def tuple_for_a_class(e: Evidence) -> Diagnosis | None:
    """Detect `case (0, _)` for a value that is not a tuple."""
    kinds = dict(e.requirements.parameters)
    for node in e.all(ast.Match):
        kind = e.given.types.get(kinds.get(code(node.subject), ""))
        if isinstance(kind, UnionType) and (alternatives := _alternatives(node)):
            return alternatives
        if not isinstance(kind, type) or not hasattr(kind, "__dataclass_fields__") or issubclass(kind, tuple):
            continue
        for case in node.cases:
            if isinstance(case.pattern, ast.MatchSequence):
                inside = ", ".join(code(part) for part in case.pattern.patterns)
                says = f"`{code(node.subject)}` is {kind_words(kind.__name__)}, not a tuple, so line "
                return Diagnosis(
                    f"{says}{case.pattern.lineno} never matches. Write:", f"case {kind.__name__}({inside}):"
                )
    return None


def _alternatives(node: ast.Match) -> Diagnosis | None:
    """Detect a comma between two patterns for one value, where `|` is needed."""
    for case in node.cases:
        match case.pattern:
            case ast.MatchSequence(patterns=parts) if parts and all(isinstance(p, ast.MatchClass) for p in parts):
                says = f"On line {case.pattern.lineno}, the comma makes a tuple. Between alternatives, write `|`:"
                return Diagnosis(says, f"case {' | '.join(map(code, parts))}:")
    return None


# ------------------------------------------------------------------------------------------------ texts, classes


def text_without_f(e: Evidence) -> Diagnosis | None:
    """Detect a name in braces in a string that has no `f` before it."""
    for node in e.all(ast.Constant):
        if isinstance(node.value, str) and not isinstance(e.parents.get(node), ast.JoinedStr | ast.Expr):
            match = re.search(r"\{([a-z_]\w*)[\w.\[\]()]*\}", node.value)
            if match and match[1] in {*e.parameters, *e.bound}:
                says = f"On line {node.lineno}, `{match[0]}` is only text. Write an `f` before the quotation mark:"
                return Diagnosis(says, f"f{code(node, WIDEST)}")
    return None


def class_passed(e: Evidence) -> Diagnosis | None:
    """Detect `desk.with_state(Proceed)`, where the class must be called."""
    for call in e.all(ast.Call):
        makes = code(call.func) in e.given.types or called(call) in e.given.methods
        for arg in call.args if makes and called(call) != "isinstance" else ():
            kind = e.given.types.get(code(arg)) if isinstance(arg, ast.Name) and arg.id not in e.bound else None
            if isinstance(kind, type) and getattr(kind, "__dataclass_fields__", None) == {}:
                says = f"On line {arg.lineno}, `{code(arg)}` is the class. To make a value, call it: `{code(arg)}()`."
                return Diagnosis(says)
    return None


# ------------------------------------------------------------------------------------------------ conditions


def half_compared(e: Evidence) -> Diagnosis | None:
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
            says = f"On line {node.lineno}, `{code(first)} {word} {code(second)}` does not test both in the same way. "
            return Diagnosis(f"{says}Should it be this?", f" {word} ".join(both))
    return None


def value_alone(e: Evidence) -> Diagnosis | None:
    """Detect a line that only mentions a value: `None` instead of `return None`."""
    for node in e.all(ast.Expr):
        match node.value:
            case (
                ast.Constant(value=None | bool() | int() | float()) | ast.Name() | ast.Tuple(elts=[]) | ast.Attribute()
            ):
                if e.parents.get(node) is not None:
                    says = f"Line {node.lineno} mentions a value and does nothing with it. Write:"
                    return Diagnosis(says, f"return {code(node.value)}")
    return None


# ------------------------------------------------------------------------------------------------ recursion


def as_long_as_before(e: Evidence) -> Diagnosis | None:
    """Detect a recursion that may never get shorter, because its filter may keep every item."""
    if e.error != "RecursionError" or e.function is None:
        return None
    for call in e.all(ast.Call):
        if called(call) == e.requirements.name and len(call.args) == 1 and isinstance(call.args[0], ast.Name):
            made, name = _made_of(e, call.args[0].id), code(call.args[0])
            loops = [n for n in ast.walk(made) if isinstance(n, ast.comprehension)] if made is not None else []
            if made is not None and loops and code(loops[0].iter) in e.parameters:
                items = code(loops[0].iter)
                says = f"`{name}` on line {made.lineno} can contain all of `{items}` again, so the calls never end."
                return Diagnosis(
                    f"{says} Take one item out first, and go through the others:", f"first, *others = {items}"
                )
    return None
