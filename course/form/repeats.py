"""The rule of the same call computed twice: on one way through a function, with nothing changed in between."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from course.form.given import words
from course.form.reading import COMPREHENSIONS, FUNCTIONS, MUTATORS, TAKERS, Reading, Spot, root_name, text

# What is over at once, and what gives another answer each time it is asked.
CHEAP = words(
    "abs bool callable chr dict divmod enumerate filter float frozenset getattr hasattr id int isinstance issubclass "
    "iter len list map max min object ord pow range repr reversed round set slice str super tuple type zip"
)
FICKLE = words(
    "choose get_random_int input input_valid manual next open print random_below recur shuffle_list transcript "
    "choice randint random randrange sample shuffle"
)
FREE = CHEAP | FICKLE | MUTATORS | TAKERS
MOST = 200  # calls that are kept in mind: to look through more of them would take long, and tell nobody anything
Seen = dict[str, ast.Call]


def repeated_calls(reading: Reading) -> Iterator[Spot]:
    """Find calls that are made a second time though their value is known."""
    for function in [*reading.all(*FUNCTIONS)]:
        walk = _Walk(reading)
        body = function.body if isinstance(function.body, list) else [ast.Return(function.body)]
        walk.block(body, {})
        for call, first in walk.twice:
            why = f"`{text(call)}` was computed before, in line {first.lineno}, with the same arguments"
            yield Spot(call, why, example=f"known = {text(call)}\n…       # and `known` wherever it is needed")


class _Walk:
    """A walk along all the ways through a function; calls seen on the way, by their code."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.twice: list[tuple[ast.Call, ast.Call]] = []

    def block(self, body: Iterable[ast.stmt], seen: Seen) -> Seen | None:
        """Walk statements; give what is seen at their end, None if the end is never reached."""
        for statement in body:
            after = self.statement(statement, seen)
            if after is None:
                return None
            seen = after
        return seen

    def statement(self, node: ast.stmt, seen: Seen) -> Seen | None:
        match node:
            case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
                self.values(node, seen)
                return None
            case ast.If(test=test, body=body, orelse=orelse):
                seen = self.value(test, seen)
                return _joined(self.block(part, seen) for part in (body, orelse))
            case ast.Match(subject=subject, cases=cases):
                return self.cases(cases, self.value(subject, seen))
            case ast.For() | ast.AsyncFor() | ast.While():
                return self.loop(node, seen)
            case ast.Try() | ast.With() | ast.AsyncWith():
                return self.guarded(node, seen)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                return _without(seen, {name})
        return _without(self.values(node, seen), _bound(node) | _changed(node))

    def cases(self, cases: list[ast.match_case], seen: Seen) -> Seen | None:
        ends: list[Seen | None] = []
        for case in cases:
            seen = _without(seen, _bound(case.pattern))
            seen = self.value(case.guard, seen) if case.guard else seen
            ends.append(self.block(case.body, seen))
        return _joined([*ends, seen])

    def loop(self, node: ast.For | ast.AsyncFor | ast.While, seen: Seen) -> Seen:
        seen = seen if isinstance(node, ast.While) else self.value(node.iter, seen)
        changed = _bound(node).union(*map(_changed, (part for part in ast.walk(node) if isinstance(part, ast.stmt))))
        seen = _without(seen, changed)
        seen = self.value(node.test, seen) if isinstance(node, ast.While) else seen
        self.block(node.body, seen)
        return self.block(node.orelse, seen) or seen

    def guarded(self, node: ast.Try | ast.With | ast.AsyncWith, seen: Seen) -> Seen | None:
        for item in getattr(node, "items", ()):
            seen = self.value(item.context_expr, seen)
        ends = [self.block(node.body, _without(seen, _bound(node)))]
        ends += [self.block(handler.body, {}) for handler in getattr(node, "handlers", ())]
        for part in (getattr(node, "orelse", []), getattr(node, "finalbody", [])):
            self.block(part, {})
        return None if all(end is None for end in ends) else {}

    def values(self, node: ast.AST, seen: Seen) -> Seen:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                seen = self.value(part, seen)
        return seen

    def value(self, node: ast.AST, seen: Seen) -> Seen:
        """Walk an expression in the order in which Python computes it."""
        match node:
            case ast.Lambda():
                return seen
            case ast.IfExp(test=test, body=body, orelse=orelse):
                seen = self.value(test, seen)
                return self.value(body, seen) | self.value(orelse, seen)
            case ast.Name() | ast.Constant():
                return seen
        if isinstance(node, COMPREHENSIONS):
            return self.comprehension(node, seen)
        for part in ast.iter_child_nodes(node):
            seen = self.value(part, seen)
        if isinstance(node, ast.NamedExpr):
            return _without(seen, _bound(node))
        return self.call(node, seen) if isinstance(node, ast.Call) else seen

    def comprehension(self, node: ast.AST, seen: Seen) -> Seen:
        """Walk a comprehension; what it sees inside depends on its own names, and is forgotten."""
        inside = _without(seen, _bound(node))
        for generator in getattr(node, "generators", ()):
            inside = self.value(generator.iter, inside)
            for test in generator.ifs:
                inside = self.value(test, inside)
        for part in (getattr(node, name, None) for name in ("elt", "key", "value")):
            inside = self.value(part, inside) if part is not None else inside
        return seen

    def call(self, node: ast.Call, seen: Seen) -> Seen:
        if len(seen) >= MOST or not self.counts(node):
            return seen
        key = ast.dump(node)
        if key in seen:
            self.twice.append((node, seen[key]))
            return seen
        return {**seen, key: node}

    def counts(self, node: ast.Call) -> bool:
        """Tell whether a call costs something and gives the same each time: not `len(x)`, `Card(…)`, `input()`."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else root_name(node.func)
        if not name or name[0].isupper() or name in FREE or not (node.args or node.keywords):
            return False
        return not any(_is_fickle(part) for part in ast.walk(node))


def _is_fickle(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and root_name(node.func) in FICKLE | {"iter"}


def _bound(node: ast.AST) -> set[str]:
    """Give the names that are bound anywhere inside a node."""
    return {name for inner in ast.walk(node) if (name := _bound_here(inner))}


def _bound_here(node: ast.AST) -> str | None:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return name
        case ast.MatchMapping(rest=name) | ast.ExceptHandler(name=name):
            return name
    return None


def _changed(node: ast.stmt) -> set[str]:
    """Give the names whose value a statement may change in place: its targets' owners, and those of methods called."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
            return {root_name(owner)}
        case ast.Assign(targets=targets):
            return {root_name(part) for target in targets for part in ast.walk(target)} - {""}
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return {root_name(target)}
    return {root_name(part.func.value) for part in ast.walk(node) if _takes(part)}  # type: ignore[attr-defined]


def _takes(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKERS


def _without(seen: Seen, names: set[str]) -> Seen:
    """Forget the calls that mention one of the names."""
    if not names or not seen:
        return seen
    return {key: call for key, call in seen.items() if not any(f"Name(id='{name}'" in key for name in names)}


def _joined(ends: Iterable[Seen | None]) -> Seen | None:
    """Give what may have been seen after several ways, of which only those count that come to an end."""
    found = [end for end in ends if end is not None]
    return {key: call for end in found for key, call in end.items()} if found else None
