"""The rule of tail recursion: after a recursive call, direct or indirect, nothing is left to do."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

from course.form.reading import FUNCTIONS, Function, Reading, Violation, root_name, text
from course.graph import reachable_from
from course.limits import MOST_FUNCTIONS

WRAPPERS = {"curry", "tail_recursive"}
Scope = dict[str, "Definition | None"]


@dataclass(eq=False)
class Definition:
    """A named function, its decorators, and the nodes in it that mention named functions."""

    name: str
    node: Function
    wrappers: frozenset[str]
    mentions: list[tuple[ast.Name, Definition]] = field(default_factory=list)
    recurs: list[ast.Call] = field(default_factory=list)

    @cached_property
    def body(self) -> Set[ast.AST]:
        """Return the statements of the function's body, or the expression of a lambda."""
        return {*self.node.body} if isinstance(self.node.body, list) else {self.node.body}

    @cached_property
    def tails(self) -> set[ast.AST]:
        """Return the expressions that the function evaluates last."""
        body = self.node.body
        return {*_tails(body)} if isinstance(body, ast.expr) else {*_last(body), *_returned(body)}


def tail_recursion(reading: Reading) -> Iterator[Violation]:
    """Find recursive calls, and `recur`, that are not in tail position."""
    functions = [*_functions(reading)]
    if len(functions) > MOST_FUNCTIONS:
        yield Violation(
            reading.definition, f"it has more than {MOST_FUNCTIONS} functions", instead="write fewer functions"
        )
        return
    circles = _circles(functions)
    for function in functions:
        tails = function.tails
        for name, other in function.mentions:
            if other in circles[function] and not _is_tail(reading, name, other, tails):
                yield Violation(_full_call(reading, name), _why(reading, name, function, other))
        yield from _around_the_trampoline(reading, function)
        for call in function.recurs:
            if "tail_recursive" not in function.wrappers:
                why = f"`recur` needs a `@tail_recursive` function, but `{function.name}` is not one"
                yield Violation(
                    call, why, instead="add `@tail_recursive` above the function, or call the function by its name"
                )
            elif call not in tails:
                yield Violation(call, f"`recur` only works as `return recur(…)`: {_left_to_do(reading, call)}")


def _around_the_trampoline(reading: Reading, function: Definition) -> Iterator[Violation]:
    """Find `return walk(…)` in a `@tail_recursive` function.

    In such a function, a call by name still waits for the next call; `recur` would not wait.
    """
    for name, other in function.mentions:
        call = _full_call(reading, name)
        if other is function and "tail_recursive" in function.wrappers and call in function.tails:
            why = f"`{text(call, 24)}` calls `{function.name}` itself, so `@tail_recursive` has no effect"
            yield Violation(call, why, instead=f"write `recur` where it calls `{function.name}`")


def _why(reading: Reading, name: ast.Name, function: Definition, other: Definition) -> str:
    call = _full_call(reading, name)
    if call is name:
        return f"`{function.name}` passes `{other.name}` to another function and waits until it returns"
    return f"`{text(call)}` is not a tail call: {_left_to_do(reading, call)}"


def _left_to_do(reading: Reading, call: ast.AST) -> str:
    """Return a sentence about what is left to do after a call."""
    for inner, outer in zip([call, *reading.above(call)], reading.above(call), strict=False):
        match outer:
            case ast.BinOp(op=op):
                return f"after it returns, {_WORK.get(type(op), 'its value is used in a calculation')}"
            case ast.Call() if inner is not outer.func:
                return f"after it returns, `{text(outer.func, 24)}` must still be called"
            case ast.Tuple() | ast.List() | ast.Set() | ast.Dict() | ast.Starred():
                return "after it returns, its value becomes an item of a collection"
            case ast.comprehension() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return "the comprehension around it continues after it returns"
            case ast.Lambda():
                return "another function calls it and waits for it"
            case ast.Try() | ast.With():
                return f"the `{type(outer).__name__.lower()}` around it is still open after it returns"
            case ast.stmt():
                break
    return "something is left to do after it returns"


_WORK = {ast.Add: "something must be added", ast.Mult: "something must be multiplied"}


def _functions(reading: Reading) -> Iterator[Definition]:
    """Yield the named functions, each with the functions that it mentions. Names follow Python's scopes."""
    definitions: dict[ast.AST, Definition] = {}
    for node in reading.nodes:
        if isinstance(node, FUNCTIONS) and (named := _named(reading, node)):
            definitions[node] = named
    scopes = _scopes(reading, definitions.values())
    for node in reading.all(ast.Call):
        _note_wrapper(reading, node, scopes)
    for node in reading.reads:
        user = next((definitions[outer] for outer in reading.above(node) if outer in definitions), None)
        if user is None or _is_decorator(reading, node, user):
            continue
        if node.id == "recur":
            call = reading.parents[node]
            user.recurs += [call] if isinstance(call, ast.Call) and call.func is node else []
        elif other := _resolved(reading, node, scopes):
            user.mentions.append((node, other))
    yield from definitions.values()


def _scopes(reading: Reading, definitions: Iterable[Definition]) -> dict[ast.AST | None, Scope]:
    scopes: dict[ast.AST | None, Scope] = defaultdict(dict)
    for named in definitions:
        scopes[reading.function_of(named.node)][named.name] = named
    for node in reading.nodes:
        match node:  # a parameter or variable that hides a function of the same name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)):
                scopes[reading.function_of(node)].setdefault(name, None)
    return scopes


def _note_wrapper(reading: Reading, call: ast.Call, scopes: dict[ast.AST | None, Scope]) -> None:
    """Note `tail_recursive(walk)`, which is the same as a decorator."""
    match call:
        case ast.Call(func=ast.Name(id=wrapper), args=[ast.Name() as name]) if wrapper in WRAPPERS:
            if function := _resolved(reading, name, scopes):
                function.wrappers |= {wrapper}


def _named(reading: Reading, node: Function) -> Definition | None:
    if not isinstance(node, ast.Lambda):
        return Definition(node.name, node, frozenset(root_name(decorator) for decorator in node.decorator_list))
    wrappers, outer = set(), reading.parents.get(node)
    while isinstance(outer, ast.Call) and root_name(outer.func) in WRAPPERS:
        wrappers.add(root_name(outer.func))
        outer = reading.parents.get(outer)
    match outer:
        case (
            ast.Assign(targets=[ast.Name(id=name)])
            | ast.AnnAssign(target=ast.Name(id=name))
            | ast.NamedExpr(target=ast.Name(id=name))
        ):
            return Definition(name, node, frozenset(wrappers))
    return None


def _is_decorator(reading: Reading, node: ast.Name, user: Definition) -> bool:
    """Return whether a name is in a function's decorators, defaults or annotations."""
    inside = next((inner for inner in [node, *reading.above(node)] if reading.parents.get(inner) is user.node), node)
    return inside not in user.body


def _resolved(reading: Reading, node: ast.Name, scopes: dict[ast.AST | None, Scope]) -> Definition | None:
    functions = (outer for outer in reading.above(node) if isinstance(outer, FUNCTIONS))
    return next((scopes[each][node.id] for each in chain(functions, [None]) if node.id in scopes[each]), None)


def _circles(functions: list[Definition]) -> dict[Definition, set[Definition]]:
    """For each function, return the functions that it can reach and that can also reach it."""
    after = {function: reachable_from(_mentioned(function), _mentioned) for function in functions}
    return {function: {other for other in after[function] if function in after[other]} for function in functions}


def _mentioned(function: Definition) -> set[Definition]:
    return {other for _, other in function.mentions}


def _is_tail(reading: Reading, name: ast.Name, other: Definition, tails: set[ast.AST]) -> bool:
    """Return whether a mention is a tail call. A curried function may be called several times in a row."""
    is_curried = "curry" in other.wrappers or (reading.requirements.curried and other.name == reading.requirements.name)
    return any(call in tails for call in islice(_calls(reading, name), None if is_curried else 1))


def _full_call(reading: Reading, name: ast.Name) -> ast.AST:
    return [name, *_calls(reading, name)][-1]


def _calls(reading: Reading, name: ast.Name) -> Iterator[ast.Call]:
    """Yield the calls of a name. For `f(a)(b)`, yield `f(a)`, and then the complete expression."""
    node: ast.AST = name
    while isinstance(call := reading.parents.get(node), ast.Call) and call.func is node:
        yield call
        node = call


def _tails(node: ast.expr | None) -> Iterator[ast.AST]:
    """Yield the calls in tail position of an expression."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _tails(body)
            yield from _tails(orelse)
        case ast.BoolOp(values=[*_, last]):
            yield from _tails(last)
        case ast.Call():
            yield node


def _returned(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the calls in tail position of `return`s. Inside `try` and `with`, no position is a tail position."""
    for statement in body:
        if isinstance(statement, ast.Return):
            yield from _tails(statement.value)
        for block in _blocks(statement):
            yield from _returned(block)


def _last(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the tail calls of a procedure: calls whose value is not used, after which the function ends."""
    match body:
        case [*_, ast.Expr(value=value)]:
            yield from _tails(value)
        case [*_, ast.If() | ast.Match() as statement]:
            for block in _blocks(statement):
                yield from _last(block)


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the blocks of a statement in which a `return` can be a tail call."""
    match statement:
        case ast.If(body=one, orelse=other) | ast.For(body=one, orelse=other) | ast.While(body=one, orelse=other):
            return [one, other]
        case ast.Match(cases=cases):
            return [case.body for case in cases]
        case ast.Try(handlers=handlers, orelse=orelse, finalbody=[]):
            return [orelse, *(handler.body for handler in handlers)]
    return []
