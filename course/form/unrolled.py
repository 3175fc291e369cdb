"""Replace a loop by a recursive function, a sum, or a fold, with the learner's own names."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from course.form.reading import Reading, text

PART_ROOM, VARIABLES_SHOWN = 76, 12
Env = dict[str, ast.expr]


@dataclass
class Round:
    """The effect of one round of a loop: the new values of variables, and the condition and value of each `return`."""

    values: Env = field(default_factory=dict)
    exits: list[tuple[ast.expr, ast.expr]] = field(default_factory=list)

    def put(self, name: str, value: ast.expr) -> None:
        """Set a variable's value. Raises CannotUnroll if there are too many variables, or if the value is too long.

        This is checked after each statement, because each one could double the length of a value.
        """
        if "…" in _code(value) or len(self.values) >= VARIABLES_SHOWN:
            raise CannotUnroll
        self.values[name] = value


class CannotUnroll(Exception):
    """Raised for a loop that does more than set variables."""


def unrolled(reading: Reading, loop: ast.For | ast.While) -> str:
    """Return a loop as code without a loop, or "" if that would be complicated."""
    block = reading.blocks.get(loop, [loop])
    match block[block.index(loop) + 1 :]:
        case [ast.Return(value=ast.expr()) | ast.Raise() as after, *_]:  # it ends the function right after the loop
            try:
                done = _round_of(loop.body)
            except CannotUnroll:
                return ""
            around = reading, done, after
            code = _for(loop, *around) if isinstance(loop, ast.For) else _while(loop, *around)
            return "" if "…" in code else code
    return ""


def _while(loop: ast.While, reading: Reading, done: Round, after: ast.Return | ast.Raise) -> str:
    """Return a `while` as a function with the loop's variables as its parameters, or ""."""
    if not done.values:
        return ""
    has_trampoline = "tail_recursive" in reading.given.functions
    again = f"{'recur' if has_trampoline else 'go'}({', '.join(_code(value) for value in done.values.values())})"
    lines = ["@tail_recursive"] * has_trampoline + [f"def go({', '.join(done.values)}):"]
    if isinstance(after, ast.Return) and after.value and not done.exits:
        lines.append(f"    return {again} if {_code(loop.test)} else {_code(after.value)}")
    else:
        lines.append(f"    if not ({_code(loop.test)}):\n        {_code(after)}")
        lines += [f"    if {_code(test)}:\n        return {_code(value)}" for test, value in done.exits]
        lines.append(f"    return {again}")
    starts = (_start_of(reading, loop, name) for name in done.values)
    return "\n".join([*lines, f"return go({', '.join(map(text, starts))})"])


def _for(loop: ast.For, reading: Reading, done: Round, after: ast.Return | ast.Raise) -> str:
    """Return a `for` as a sum, a comprehension, a search or a fold, or ""."""
    head = f"for {text(loop.target)} in {_code(loop.iter)}"
    match list(done.values.items()), done.exits, after:
        case [], [(test, ast.Constant(value=True))], ast.Return(value=ast.Constant(value=False)):
            return f"any({_code(test)} {head})"
        case [], [(test, ast.Constant(value=False))], ast.Return(value=ast.Constant(value=True)):
            return f"not any({_code(test)} {head})"
        case [], [(test, value)], ast.Return(value=ast.expr() as other):
            return f"next(({text(value)} {head} if {_code(test)}), {text(other)})"
        case [(name, value)], [], _:
            start = _start_of(reading, loop, name)
            if gathered := _gathered(head, name, value, start):
                return gathered
            if isinstance(loop.target, ast.Name) and "fold_left" in reading.given.functions:
                step = f"lambda {name}, {loop.target.id}: {_code(value)}"
                return f"fold_left({step}, {text(start)}, {text(loop.iter)})"
    return ""


def _code(node: ast.AST) -> str:
    return text(node, PART_ROOM)


def _gathered(head: str, name: str, value: ast.expr, start: ast.expr) -> str:
    """Return a sum for a loop that adds numbers, a tuple for one that collects items; "" for any other loop."""
    condition, added = "", value
    if isinstance(value, ast.IfExp) and text(value.orelse) == name:
        condition, added = f" if {_code(value.test)}", value.body
    match added, text(start):
        case ast.BinOp(left=ast.Name(id=same), op=ast.Add(), right=item), "0" if same == name:
            return f"sum({_code(item)} {head}{condition})"
        case ast.Tuple(elts=[ast.Starred(value=ast.Name(id=same)), item]), "()" | "[]" | "list()" | "tuple()" if (
            same == name
        ):
            return f"tuple({_code(item)} {head}{condition})"
    return ""


# ------------------------------------------------------------------------------------------------ one round


def _round_of(body: Sequence[ast.stmt], values: Env | None = None) -> Round:
    """Return what one round does; raises CannotUnroll."""
    done = Round(dict(values or {}))
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                done.put(name, _filled(value, done.values))
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=parts)) if len(names) == len(parts):
                filled = [_filled(part, done.values) for part in parts]
                if not {*map(type, names)} <= {ast.Name} or ast.Starred in map(type, parts):
                    raise CannotUnroll
                for target, part in zip(names, filled, strict=True):
                    done.put(text(target), part)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                before = done.values.get(name, ast.Name(target.id, ast.Load()))
                done.put(name, ast.BinOp(before, op, _filled(value, done.values)))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item])):
                before = done.values.get(name, ast.Name(name, ast.Load()))
                done.put(name, ast.Tuple([ast.Starred(before), _filled(item, done.values)], ast.Load()))
            case ast.If():
                _branch_off(done, statement)
            case _:
                raise CannotUnroll
    return done


def _branch_off(done: Round, statement: ast.If) -> None:
    """Add what an `if` of the loop does to a round."""
    test = _filled(statement.test, done.values)
    match statement:
        case ast.If(body=[ast.Return(value=ast.expr() as value)], orelse=others):
            done.exits.append((test, _filled(value, done.values)))
            rest = _round_of(others, done.values)
            if rest.exits:
                raise CannotUnroll
            done.values = rest.values
            return
    one, other = _round_of(statement.body, done.values), _round_of(statement.orelse, done.values)
    if one.exits or other.exits:
        raise CannotUnroll
    for name in dict.fromkeys([*one.values, *other.values]):
        sides = [side.values.get(name, ast.Name(name, ast.Load())) for side in (one, other)]
        if sides[0] is not sides[1]:
            done.put(name, sides[0] if text(sides[0]) == text(sides[1]) else ast.IfExp(test, *sides))


class _Filled(ast.NodeTransformer):
    """A transformer that replaces each variable by its value."""

    def __init__(self, values: Env) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)


def _filled(node: ast.expr, values: Env) -> ast.expr:
    return _Filled(values).visit(deepcopy(node)) if values else node  # type: ignore[no-any-return]


# ------------------------------------------------------------------------------------------------ around the loop


def _start_of(reading: Reading, loop: ast.stmt, name: str) -> ast.expr:
    """Return the value that a variable has before a loop, from its last assignment before the loop."""
    block = reading.blocks.get(loop, [loop])
    for statement in reversed(block[: block.index(loop)]):
        match statement:
            case ast.Assign(targets=[ast.Name(id=same)], value=value) if same == name:
                return value
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=parts)) if len(names) == len(parts):
                for each, part in zip(names, parts, strict=True):
                    if isinstance(each, ast.Name) and each.id == name:
                        return part
    return ast.Name(name, ast.Load())
