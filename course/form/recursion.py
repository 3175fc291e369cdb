"""The rule of tail recursion: a function must do nothing after a recursive call, direct or indirect."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from course.form.reading import FUNCTION_NODES, FunctionSyntax, Reading, Violation, root_name, text
from course.limits import MOST_FUNCTIONS
from course.syntax import reachable_from

RECURSION_WRAPPERS = {"curry", "tail_recursive"}
Scope = dict[str, "Definition | None"]


@dataclass(eq=False)
class Definition:
    """A named function, its decorators, and the nodes in it that mention named functions."""

    name: str
    node: FunctionSyntax
    wrappers: frozenset[str]
    mentions: list[tuple[ast.Name, Definition]] = field(default_factory=list)
    recurs: list[ast.Call] = field(default_factory=list)

    @cached_property
    def tail_expressions(self) -> set[ast.AST]:
        """Return the expressions that the function may evaluate last."""
        body = self.node.body
        return {*_calls_in_tail_position(body)} if isinstance(body, ast.expr) else {*_tail_calls(body)}


def tail_recursion(reading: Reading) -> Iterator[Violation]:
    """Find recursive calls, and `recur`, that are not in tail position."""
    functions = [*_named_functions(reading)]
    if len(functions) > MOST_FUNCTIONS:
        why = f"the answer has more than {MOST_FUNCTIONS} functions"
        yield Violation(reading.definition, why, instead="write fewer functions")
        return
    after = {function: reachable_from(_mentioned_functions(function), _mentioned_functions) for function in functions}
    for function in functions:
        yield from _calls_by_name(reading, function, {other for other in after[function] if function in after[other]})
        for call in function.recurs:
            if "tail_recursive" not in function.wrappers:
                why = f"`recur` needs a `@tail_recursive` function, but `{function.name}` is not one"
                instead = "add `@tail_recursive` above the function, or call the function by its name"
                yield Violation(call, why, instead=instead)
            elif call not in function.tail_expressions:
                yield Violation(call, f"`recur` works only as `return recur(…)`: {_remaining_work(reading, call)}")


def _mentioned_functions(function: Definition) -> set[Definition]:
    return {other for _, other in function.mentions}


def _calls_by_name(reading: Reading, function: Definition, circle: set[Definition]) -> Iterator[Violation]:
    """Find recursive calls by name that are not tail calls, and those that go around the function's own trampoline."""
    for name, other in function.mentions:
        calls: list[ast.AST] = []
        inner: ast.AST = name  # for `f(a)(b)`, first `f`, then `f(a)`, then the complete call
        while isinstance(call := reading.parents.get(inner), ast.Call) and call.func is inner:
            calls.append(call)
            inner = call
        is_answer = other.name == reading.requirements.name and reading.requirements.curried
        is_curried = "curry" in other.wrappers or is_answer  # then it may be called several times in a row
        if other in circle and function.tail_expressions.isdisjoint(calls if is_curried else calls[:1]):
            why = f"`{text(inner)}` is not a tail call: {_remaining_work(reading, inner)}"
            if not calls:
                why = f"`{function.name}` passes `{other.name}` to another function, and waits for the result"
            yield Violation(inner, why)
        elif other is function and "tail_recursive" in function.wrappers and inner in function.tail_expressions:
            # a call by name still waits for the next call; `recur` would not wait
            why = f"`{text(inner, 24)}` calls `{function.name}` by its name, so `@tail_recursive` has no effect"
            yield Violation(inner, why, instead=f"write `recur` where the function calls `{function.name}`")


def _remaining_work(reading: Reading, call: ast.AST) -> str:
    """Return a sentence about what is left to do after a call."""
    for inner, outer in zip([call, *reading.ancestors(call)], reading.ancestors(call), strict=False):
        match outer:
            case ast.BinOp(op=op):
                return (
                    f"after the call returns, {_WORK_AFTER_CALL.get(type(op), 'a calculation must still be finished')}"
                )
            case ast.Call() if inner is not outer.func:
                return f"after the call returns, `{text(outer.func, 24)}` must still be called"
            case ast.Tuple() | ast.List() | ast.Set() | ast.Dict() | ast.Starred():
                return "after the call returns, its result must still be put into a collection"
            case ast.comprehension() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return "after the call returns, the comprehension around the call continues"
            case ast.Lambda():
                return "another function calls the `lambda` around this call, and waits for the result"
            case ast.Try() | ast.With():
                return f"the `{type(outer).__name__.lower()}` around the call is not finished when the call returns"
            case ast.stmt():
                break
    return "after the call returns, the function still has something to do"


_WORK_AFTER_CALL = {ast.Add: "an addition must still be done", ast.Mult: "a multiplication must still be done"}


def _named_functions(reading: Reading) -> Iterator[Definition]:
    """Yield the named functions, each with the functions that it mentions. Names follow Python's scopes."""
    definitions = {node: named for node in reading.all(*FUNCTION_NODES) if (named := _definition_of(reading, node))}
    scopes = _scopes(reading, definitions.values())
    for node in reading.read_nodes:
        path = [node, *reading.ancestors(node)]
        user = next((definitions[outer] for outer in path if outer in definitions), None)
        if user is None:
            continue
        inside = path[path.index(user.node) - 1]
        if inside is not user.node.body and inside not in reading.blocks:  # a decorator, a default or an annotation
            continue
        if node.id == "recur":
            call = reading.parents[node]
            user.recurs += [call] if isinstance(call, ast.Call) and call.func is node else []
        elif other := _resolved_definition(reading, node, scopes):
            user.mentions.append((node, other))
    yield from definitions.values()


def _scopes(reading: Reading, definitions: Iterable[Definition]) -> dict[ast.AST | None, Scope]:
    """Return what names mean in each function, and note `tail_recursive(walk)`, which is the same as a decorator."""
    scopes: dict[ast.AST | None, Scope] = defaultdict(dict)
    for named in definitions:
        scopes[reading.function_of(named.node)][named.name] = named
    for node in reading.all(ast.arg, ast.Name, ast.MatchAs):
        match node:  # a parameter or variable that hides a function of the same name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)):
                scopes[reading.function_of(node)].setdefault(name, None)
    for call in reading.all(ast.Call):
        match call:
            case ast.Call(func=ast.Name(id=wrapper), args=[ast.Name() as wrapped]) if wrapper in RECURSION_WRAPPERS:
                if function := _resolved_definition(reading, wrapped, scopes):
                    function.wrappers |= {wrapper}
    return scopes


def _definition_of(reading: Reading, node: FunctionSyntax) -> Definition | None:
    if not isinstance(node, ast.Lambda):
        return Definition(node.name, node, frozenset(root_name(decorator) for decorator in node.decorator_list))
    wrappers, outer = set(), reading.parents.get(node)
    while isinstance(outer, ast.Call) and root_name(outer.func) in RECURSION_WRAPPERS:
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


def _resolved_definition(reading: Reading, node: ast.Name, scopes: dict[ast.AST | None, Scope]) -> Definition | None:
    functions = (outer for outer in reading.ancestors(node) if isinstance(outer, FUNCTION_NODES))
    return next((scopes[each][node.id] for each in chain(functions, [None]) if node.id in scopes[each]), None)


def _calls_in_tail_position(node: ast.expr | None) -> Iterator[ast.AST]:
    """Yield the calls in tail position of an expression."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _calls_in_tail_position(body)
            yield from _calls_in_tail_position(orelse)
        case ast.BoolOp(values=[*_, last]):
            yield from _calls_in_tail_position(last)
        case ast.Call():
            yield node


def _tail_calls(body: list[ast.stmt], is_last: bool = True) -> Iterator[ast.AST]:
    """Yield the calls in tail position of `return`s, and those that are a statement after which the function ends.

    Inside `try` and `with`, no position is a tail position.
    """
    for statement in body:
        ends = is_last and statement is body[-1]
        if isinstance(statement, ast.Return) or (ends and isinstance(statement, ast.Expr)):
            yield from _calls_in_tail_position(statement.value)
        for block in _blocks_with_tail_calls(statement):
            yield from _tail_calls(block, ends and isinstance(statement, ast.If | ast.Match))


def _blocks_with_tail_calls(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the blocks of a statement in which a `return` can be a tail call."""
    match statement:
        case ast.If(body=one, orelse=other) | ast.For(body=one, orelse=other) | ast.While(body=one, orelse=other):
            return [one, other]
        case ast.Match(cases=cases):
            return [case.body for case in cases]
        case ast.Try(handlers=handlers, orelse=orelse, finalbody=[]):
            return [orelse, *(handler.body for handler in handlers)]
    return []
