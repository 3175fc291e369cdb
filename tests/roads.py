"""The road that a value takes through the code: `make house` prints some of them.

A road is followed as one reads: from a function into each function of ours that is handed the value, or something
made of it, in the order of the text. Methods and properties of known classes count (a cached property once). What is
known only while the program runs (a plug-in, a rule of a list) is a door: it is followed where a start names what is
behind it. Functions of the rooms that know of no learner and no submission (`MACHINERY`) count where the road enters
them; what they do inside is not followed.

- functions: the different functions on the road
- modules: the different modules that these are in
- returns: how often the road leads into a module that it had left
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMINER = "autograder.hosts.kernel.Examiner"
FULL_DOORS = {
    name: f"{EXAMINER}.{name}"
    for name in ("examine", "grade_file", "reference", "impostors", "example", "only_answer", "exam", "examination")
}
CLICK_DOORS = {"replay": "course.tables.replay.Replay.__call__", "act": "course.tables.dominoes.act"}


MACHINERY = (
    *(f"course.{room}" for room in ("exam", "diagnoses", "form", "arena", "syntax", "values", "graph", "failure")),
    *(f"course.{room}" for room in ("compared", "effects", "blocks", "results", "show", "svg")),
    *(f"autograder.{room}" for room in ("units", "exam", "sandbox", "text", "toml")),
)


@dataclass(frozen=True)
class Start:
    """Where a road begins: a function, the parameter that is followed, and the doors that are open on it."""

    function: str
    parameter: str
    doors: Mapping[str, str] = field(default_factory=dict)


STARTS = {
    "foldem grade": Start("autograder.commands.grade.run", "paths"),
    "check, with the kit": Start("course.check.check", "name"),
    "check, with everything": Start("course.check.check", "name", FULL_DOORS),
    "a click at a table": Start("course.tables.table.GameTable.receive", "action", CLICK_DOORS),
}


@dataclass(frozen=True)
class Road:
    """The functions on a road, one for each time that it leads into one."""

    entered: tuple[str, ...]

    @property
    def functions(self) -> int:
        return len(set(self.entered))

    @property
    def stays(self) -> tuple[str, ...]:
        """The modules that the road leads through, in order."""
        return tuple(module for module, _ in groupby(map(module_of, self.entered)))

    @property
    def modules(self) -> int:
        return len(set(self.stays))

    @property
    def returns(self) -> int:
        return len(self.stays) - self.modules

    def __str__(self) -> str:
        return f"{self.functions} functions in {self.modules} modules, {self.returns} returns"


def road_from(start: Start) -> Road:
    """Return the road of a parameter."""
    return Road(tuple(_Walk(start.doors).into(start.function, {start.parameter})))


@cache
def trees() -> dict[str, ast.Module]:
    """Return the modules of both halves by name, parsed; what authors of units write is left out."""
    paths = [path for half in ("course", "autograder") for path in (ROOT / half).rglob("*.py")]
    kept = [path for path in paths if not {"checks", "mistakes"} & set(path.parts)]
    return {name_of(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(kept)}


def name_of(path: Path) -> str:
    """Return the name that a file is imported by."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def module_of(name: str) -> str:
    """Return the module that a function or a class is in."""
    while name not in trees():
        name = name.rpartition(".")[0]
    return name


@cache
def definitions() -> dict[str, ast.FunctionDef | ast.ClassDef]:
    """Return all classes, functions and methods by their full names."""
    found: dict[str, ast.FunctionDef | ast.ClassDef] = {}
    for module, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found[f"{module}.{node.name}"] = node
                inner = node.body if isinstance(node, ast.ClassDef) else []
                found |= {f"{module}.{node.name}.{each.name}": each for each in inner if is_function(each)}  # type: ignore[attr-defined]
    return found


def is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef)


@cache
def names_in(module: str) -> dict[str, str]:
    """Return what the names of a module stand for: what it imports anywhere of ours, and what it defines."""
    found = {}
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found |= {alias.asname or alias.name: _source(f"{node.module}.{alias.name}") for alias in node.names}
    own = {name.rpartition(".")[2]: name for name in definitions() if name.rpartition(".")[0] == module}
    return found | own


def _source(name: str) -> str:
    """Return where something is defined that a package only hands on."""
    package, _, last = name.rpartition(".")
    if name in trees() or name in definitions() or package not in trees():
        return name
    return names_in(package).get(last, name)


def classes_in(module: str, annotation: ast.AST | None) -> frozenset[str]:
    """Return the classes of ours that an annotation names."""
    if annotation is None:
        return frozenset()
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval")
    found = {names_in(module).get(node.id, "") for node in ast.walk(annotation) if isinstance(node, ast.Name)}
    return frozenset(name for name in found if isinstance(definitions().get(name), ast.ClassDef))


def is_machinery(module: str) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in MACHINERY)


class _Walk:
    """Follows values from function to function, into each once."""

    def __init__(self, doors: Mapping[str, str]) -> None:
        self.doors, self.seen, self.returning = doors, set[str](), set[str]()

    def into(self, function: str, tracked: set[str]) -> Iterator[str]:
        """Yield a function and those that it leads to."""
        yield function
        if function not in self.seen and not is_machinery(module_of(function)):
            self.seen.add(function)
            node = definitions()[function]
            assert isinstance(node, ast.FunctionDef)
            yield from _Body(self, function, node, tracked).steps()


class _Body:
    """One function on the way: which of its names hold the value, and of which classes they are."""

    def __init__(self, walk: _Walk, function: str, node: ast.FunctionDef, tracked: set[str]) -> None:
        self.walk, self.name, self.node, self.tracked = walk, function, node, tracked
        self.module, self.owner = module_of(function), function.rpartition(".")[0]
        args = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        self.classes = {arg.arg: classes_in(self.module, arg.annotation) for arg in args}
        if args and isinstance(definitions().get(self.owner), ast.ClassDef):
            self.classes[args[0].arg] = frozenset([self.owner])

    def steps(self) -> Iterator[str]:
        """Yield the functions that this one leads to, in the order of the text."""
        for node in _in_order(self.node.body):
            self._bind(node)
            match node:
                case ast.Return(value=value) | ast.Yield(value=value) if self._holds(value):
                    self.walk.returning.add(self.name)
                case ast.Call():
                    yield from self._called(node)
                case ast.Attribute(value=value, attr=name) if self._holds(value):
                    yield from self._read(value, name)

    def _holds(self, node: ast.AST | None) -> bool:
        """Return whether an expression is the value, a part of it, or something that the value was put into."""
        match node:
            case ast.Name(id=name):
                return name in self.tracked
            case ast.Call():
                return self._gives_it_back(node)
            case ast.Compare() | ast.JoinedStr() | ast.UnaryOp() | ast.Lambda() | None:
                return False
            case ast.IfExp(body=one, orelse=other):
                return self._holds(one) or self._holds(other)
            case ast.ListComp(elt=one) | ast.SetComp(elt=one) | ast.GeneratorExp(elt=one):
                return self._holds(one)
            case ast.Attribute(value=value) | ast.Subscript(value=value):
                return self._holds(value)
        return any(map(self._holds, ast.iter_child_nodes(node)))

    def _gives_it_back(self, call: ast.Call) -> bool:
        """Return whether what a call gives holds the value: a class does, and a function of ours that returns it."""
        callees = self._callees(call)
        if any(callee in self.walk.returning for callee in callees):
            return True
        if any(is_function(definitions()[callee]) and not is_machinery(module_of(callee)) for callee in callees):
            return False
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        return self._holds(receiver) or any(map(self._holds, [*call.args, *(each.value for each in call.keywords)]))

    def _bind(self, node: ast.AST) -> None:
        """Note the names that are given something made of the value."""
        match node:
            case ast.Assign(targets=targets, value=value):
                self._note(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._note([target], value)
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                self._note([target], value)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._note([target], value)
            case ast.Match(subject=value, cases=cases) if self._holds(value):
                captures = [each.name for case in cases for each in ast.walk(case) if isinstance(each, ast.MatchAs)]
                self.tracked |= {name for name in captures if name}

    def _note(self, targets: list[ast.expr], value: ast.expr) -> None:
        found = (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))
        names = {each.id for each in found if isinstance(each.ctx, ast.Store)}
        if self._holds(value):
            self.tracked |= names
            self.classes |= dict.fromkeys(names, self._classes_of(value))

    def _classes_of(self, node: ast.expr) -> frozenset[str]:
        """Return the classes that an expression may be of."""
        match node:
            case ast.Name(id=name):
                return self.classes.get(name, frozenset())
            case ast.Attribute(value=value, attr=name):
                return frozenset().union(*(_attribute(owner, name) for owner in self._classes_of(value)))
            case ast.Call():
                return frozenset().union(*(_result(name) for name in self._callees(node)))
            case ast.BoolOp(values=values):
                return frozenset().union(*map(self._classes_of, values))
            case ast.IfExp(body=one, orelse=other):
                return self._classes_of(one) | self._classes_of(other)
            case ast.Subscript(value=value) | ast.NamedExpr(value=value):
                return self._classes_of(value)
        return frozenset()

    def _callees(self, call: ast.Call) -> list[str]:
        """Return what a call may lead to: functions, methods, classes of ours."""
        match call.func:
            case ast.Name(id=name):
                return [found] if (found := names_in(self.module).get(name, "")) in definitions() else []
            case ast.Attribute(value=ast.Name(id=name), attr=last) if names_in(self.module).get(name) in trees():
                return [found] if (found := _source(f"{names_in(self.module)[name]}.{last}")) in definitions() else []
            case ast.Attribute(value=value, attr=last):
                owners = self._classes_of(value)
                if isinstance(value, ast.Name):
                    owners |= {names_in(self.module).get(value.id, "")}
                known = [f"{owner}.{last}" for owner in sorted(owners) if f"{owner}.{last}" in definitions()]
                door = self.walk.doors.get(last, "")
                return known or ([door] if door in definitions() else [])
        return []

    def _called(self, call: ast.Call) -> Iterator[str]:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if not any(map(self._holds, given)) and not (receiver and self._holds(receiver)):
            return
        callees = self._callees(call)
        for callee in callees:
            yield from self._entered(callee, call)
        if not callees:  # `map(f, values)`, `partial(f, value)`
            handed = (names_in(self.module).get(each.id, "") for each in call.args if isinstance(each, ast.Name))
            for function in handed:
                if is_function(definitions().get(function)):  # type: ignore[arg-type]
                    yield from self.walk.into(function, _parameters(function))

    def _entered(self, callee: str, call: ast.Call) -> Iterator[str]:
        if isinstance(definitions()[callee], ast.ClassDef):
            callee = f"{callee}.__init__"
        if callee in definitions():
            yield from self.walk.into(callee, _receiving(callee, call, self._holds))

    def _read(self, value: ast.expr, name: str) -> Iterator[str]:
        """Follow a property of the value."""
        for owner in sorted(self._classes_of(value)):
            node = definitions().get(f"{owner}.{name}")
            is_computed_now = f"{owner}.{name}" not in self.walk.seen or not _is_property(node, "cached_property")
            if isinstance(node, ast.FunctionDef) and _is_property(node) and is_computed_now:
                yield from self.walk.into(f"{owner}.{name}", {"self"})


def _in_order(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield nodes in the order of the text; what gives names a meaning before what uses these."""
    for node in nodes:
        match node:
            case ast.For(iter=first) | ast.Match(subject=first) | ast.comprehension(iter=first):
                yield from _in_order([first])
                yield node
                yield from _in_order(each for each in ast.iter_child_nodes(node) if each is not first)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                yield from _in_order(node.generators)
                yield from _in_order(each for each in ast.iter_child_nodes(node) if each not in node.generators)
            case _:
                yield from _in_order(ast.iter_child_nodes(node))
                yield node


def _parameters(function: str) -> set[str]:
    node = definitions()[function]
    assert isinstance(node, ast.FunctionDef)
    return {arg.arg for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}


def _receiving(callee: str, call: ast.Call, holds: object) -> set[str]:
    """Return the parameters of a function that a call hands the value to; of a method also `self`."""
    node = definitions()[callee]
    assert isinstance(node, ast.FunctionDef) and callable(holds)
    names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
    is_method = isinstance(definitions().get(callee.rpartition(".")[0]), ast.ClassDef)
    own = names[:1] if is_method else []
    pairs = [*zip(names[len(own) :], call.args, strict=False)]
    handed = {name for name, arg in pairs if holds(arg)} | {
        each.arg for each in call.keywords if each.arg and holds(each.value)
    }
    rest = {node.args.vararg.arg} if node.args.vararg and any(map(holds, call.args)) else set()
    return {*own} | handed | rest


def _is_property(node: ast.AST | None, kind: str = "property") -> bool:
    return isinstance(node, ast.FunctionDef) and any(kind in ast.unparse(each) for each in node.decorator_list)


def _attribute(owner: str, name: str) -> frozenset[str]:
    """Return the classes that an attribute of a class's objects may be of."""
    node, module = definitions().get(f"{owner}.{name}"), module_of(owner)
    if isinstance(node, ast.FunctionDef):
        return classes_in(module, node.returns) if _is_property(node) else frozenset()
    body = getattr(definitions()[owner], "body", [])
    fields = (each for each in body if isinstance(each, ast.AnnAssign) and ast.unparse(each.target) == name)
    return frozenset().union(*(classes_in(module, each.annotation) for each in fields))


def _result(function: str) -> frozenset[str]:
    node = definitions()[function]
    if isinstance(node, ast.ClassDef):
        return frozenset([function])
    owner = function.rpartition(".")[0]
    own = frozenset([owner]) if node.returns is not None and ast.unparse(node.returns) == "Self" else frozenset[str]()
    return own | classes_in(module_of(function), node.returns)


def main() -> None:
    for name, start in STARTS.items():
        print(f"{name}: {road_from(start)}")


if __name__ == "__main__":
    main()
