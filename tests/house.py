"""Figures on the architecture: the modules of both halves, the imports between their layers, and six call paths.

`make house` prints them. A layer is a folder, or a module that stands alone; `roads.py` counts functions on call paths.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from math import inf
from pathlib import Path

from tests import roads

ROOT = Path(__file__).parent.parent
GRADER, LEARNERS = "autograder", "course"
CEILING, WIDEST, MOST_BETWEEN, MOST_ANY = 40, 120, 92, 166
ROLES = {  # names that several functions may share, because they have one role
    "main": "the entry point of a process, a command or a host",
    "run": "what the command line calls in a module of commands",
}
PLAIN = (ast.Call, ast.Attribute, ast.Subscript, ast.Name, ast.Constant, ast.JoinedStr)
IDEAS = (  # expressions that compute something: a function's name says what
    *(ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.IfExp, ast.NamedExpr, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


@cache
def modules(half: str = GRADER) -> dict[str, ast.Module]:
    """Return the syntax trees of a half's modules by name, without the modules of packs."""
    return {name: tree for name, tree in roads.trees().items() if name.split(".")[0] == half}


def layer_of(module: str) -> str:
    """Return the layer of a module: a folder, or a module that stands alone. For a unit's module it is its role.

    >>> layer_of("autograder.exam.build"), layer_of("autograder.sandbox.inside.frames"), layer_of("autograder.cli")
    ('exam', 'sandbox', 'cli')
    >>> layer_of("course.uno"), layer_of("course.uno.table")
    ('uno', 'table')
    """
    layer, role = (*module.split("."), "", "")[1:3]
    return role if role and layer in units() else layer


@cache
def units() -> frozenset[str]:
    """Return the names of our units."""
    return frozenset(file.parent.name for file in (ROOT / LEARNERS).glob("*/unit.toml"))


@cache
def _imports(module: str) -> tuple[str, ...]:
    """Return everything that a module imports from its own half, including imports in functions and for annotations."""
    half = module.split(".")[0]
    nodes = [node for node in ast.walk(roads.trees()[module]) if isinstance(node, ast.Import | ast.ImportFrom)]
    whole = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    parts = [f"{node.module}.{each.name}" for node in nodes if isinstance(node, ast.ImportFrom) for each in node.names]
    return tuple(name for name in (*whole, *parts) if name.split(".")[0] == half)


def arrows(half: str = GRADER) -> set[tuple[str, str]]:
    """Return the imports between different modules of a half."""
    pairs = ((module, thing) for module in modules(half) for thing in _imports(module))
    named = {(one, other if other in roads.trees() else other.rpartition(".")[0]) for one, other in pairs}
    return {(one, other) for one, other in named if one != other}


def between_layers(half: str = GRADER) -> set[tuple[str, str]]:
    """Return the imports between different layers."""
    return {(layer_of(one), layer_of(other)) for one, other in arrows(half) if layer_of(one) != layer_of(other)}


def cycle_in(pairs: set[tuple[str, str]]) -> list[str]:
    """Return the modules that remain after removing, again and again, those at an end of the imports.

    Only modules on a cycle, or between two cycles, remain.

    >>> cycle_in({("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")})
    ['b', 'c']
    """
    left = {name for pair in pairs for name in pair}
    while True:
        kept = {(one, other) for one, other in pairs if one in left and other in left}
        ends = left - {one for one, _ in kept} | left - {other for _, other in kept}
        if not ends:
            return sorted(left)
        left -= ends


def asked_for() -> set[str]:
    """Return the modules that other layers import, and the packages that contain these modules."""
    imported = {tuple(other.split(".")) for one, other in arrows() if layer_of(one) != layer_of(other)}
    return {".".join(parts[:depth]) for parts in imported for depth in range(3, len(parts) + 1)}


def offered() -> set[str]:
    """Return the modules that layers offer, which the `__all__` of their packages names."""
    return {f"{package}.{name}" for package in packages() for name in _named_by(modules()[package], "__all__")}


def _named_by(tree: ast.Module, name: str) -> Iterable[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            yield from ast.literal_eval(node.value)


def packages() -> set[str]:
    """Return the packages of the grader, which are layers or parts of one."""
    return {module for module in modules() if any(other.startswith(f"{module}.") for other in modules())} - {GRADER}


def belongs_to_a_unit(module: str) -> bool:
    """Return whether a module is a unit's, in any role, or its name begins with a unit's.

    >>> belongs_to_a_unit("course.uno"), belongs_to_a_unit("course.uno.world"), belongs_to_a_unit("course.exam.world")
    (True, True, False)
    """
    return bool(units() & {part.partition("_")[0] for part in module.split(".")})


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions and methods of the grader, with their modules."""
    for module, tree in modules().items():
        yield from ((module, node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def meanings() -> dict[str, dict[str, str]]:
    """Return each top-level name of the grader and the course, with its meaning in each module.

    Units are left out, because the names for their learners, exams and tables belong together.
    """
    paths = [*(ROOT / GRADER).rglob("*.py"), *(ROOT / "course").rglob("*.py")]
    found: dict[str, dict[str, str]] = {}
    for path in paths:
        if not units() & {path.stem, path.parent.name} and path != ROOT / "course/arena/values.py":
            for name, meaning in _defined(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(name, {})[roads.name_of(path)] = meaning
    return found


def _defined(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.name, f"class {node.name}: {ast.get_docstring(node)}"
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
            tops = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (pair for top in tops for pair in _bound(top, node.value))


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    if isinstance(target, ast.Name):
        yield target.id, ast.unparse(value)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts, strict=False):
            yield from _bound(one, other)
    elif isinstance(target, ast.Tuple):
        yield from (pair for each in target.elts for pair in _bound(each, value))


def shared_names() -> dict[str, list[str]]:
    """Return the names of functions in several modules, with these modules. Units and private names are left out."""
    modules_of: dict[str, list[str]] = {}
    for module, tree in (modules(LEARNERS) | modules()).items():
        if not units() & {*module.split(".")}:
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    modules_of.setdefault(node.name, []).append(module)
    return {name: several for name, several in modules_of.items() if len(several) > 1}


def inlinable() -> list[str]:
    """Return the private functions of both halves that are called once and hide nothing."""
    paths = [path for half in (LEARNERS, GRADER) for path in sorted((ROOT / half).rglob("*.py"))]
    sources = {roads.name_of(path): path.read_text(encoding="utf-8") for path in paths}
    known = modules(LEARNERS) | modules()
    return [f"{module}.{name}" for module in sources if module in known for name in inlinable_in(sources[module])]


def inlinable_in(source: str) -> Iterator[str]:
    """Yield the private functions of a module whose only call could be replaced by the expression that they return.

    A function with a docstring or an expression of `IDEAS` hides something. The replaced line must fit.

    >>> source = "def _pair(x, y): return zip(x, y, x)\\ndef double(x): return _pair(x, [])"
    >>> [*inlinable_in(source)], [*inlinable_in(source + " or _pair")], [*inlinable_in(source.replace("y, x", "-y, x"))]
    (['_pair'], [], [])
    >>> [*inlinable_in(source.replace("(x, [])", "([], x)"))], [*inlinable_in(source + " " * 80 + " or x.is_empty()")]
    ([], [])
    """
    nodes, lines = [*ast.walk(ast.parse(source))], source.splitlines()
    uses = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    calls = {node.func.id: node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name, args, [ast.Return(ast.expr() as value)], decorator_list=[]) if name in calls:
                call = calls[name]
                arguments = dict(zip((each.arg for each in args.args), call.args, strict=False))
                width = len(lines[call.lineno - 1]) - len(ast.unparse(call)) + _width_with(arguments, value)
                is_called_once = name.startswith("_") and uses[name] == 1 and call.lineno == call.end_lineno
                yield from [name] if is_called_once and _hides_nothing(value) and width <= WIDEST else []


def _hides_nothing(value: ast.expr) -> bool:
    return isinstance(value, PLAIN) and not any(isinstance(node, IDEAS) for node in ast.walk(value))


def _width_with(arguments: dict[str, ast.expr], value: ast.expr) -> float:
    """Return the length of an expression with arguments instead of parameters; infinite if one is computed twice."""
    uses = Counter(node.id for node in ast.walk(value) if isinstance(node, ast.Name))
    if any(uses[name] > 1 and not isinstance(argument, ast.Name) for name, argument in arguments.items()):
        return inf
    longer = sum(uses[name] * (len(ast.unparse(each)) - len(name)) for name, each in arguments.items())
    return len(ast.unparse(value)) + longer


def lines_of(function: ast.FunctionDef) -> int:
    """Return the number of lines of a function's body, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def uses_of_any() -> dict[str, int]:
    """Return how often each file of both halves uses `Any`, apart from its import. Files without `Any` are left out."""
    paths = [path for half in (LEARNERS, GRADER) for path in (ROOT / half).rglob("*.py")]
    uses = {path.relative_to(ROOT).as_posix(): _names_any(path.read_text(encoding="utf-8")) for path in paths}
    return {path: count for path, count in uses.items() if count}


def _names_any(source: str) -> int:
    """Return how often a program uses `Any`.

    >>> _names_any("from typing import Any\\ndef f(x: list[Any], y: 'Any') -> typing.Any: ...")
    3
    """
    nodes = [*ast.walk(ast.parse(source))]
    quoted = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = [getattr(node, "id", getattr(node, "attr", "")) for node in nodes]
    return named.count("Any") + sum(len(re.findall(r"\bAny(?=[\]|,)]|$)", text)) for text in quoted)


def statements() -> dict[str, int]:
    """Return the number of statements in the product and in the tests.

    The product is everything in `course/` and `autograder/` but the known mistakes. The tests are the modules in
    `tests/`, without right answers, attacks and packs.
    """
    files = {"product": product(), "tests": [*(ROOT / "tests").glob("*.py")]}
    return {part: sum(_sizes(path)[0] for path in paths) for part, paths in files.items()}


def product() -> list[Path]:
    """Return the files of the product: both halves, without the known mistakes."""
    files = [path for half in (LEARNERS, GRADER) for path in (ROOT / half).rglob("*.py")]
    return [path for path in files if path.name != "mistakes.py" or path.parent.name not in units()]


@cache
def _sizes(path: Path) -> tuple[int, int]:
    return sizes(path.read_text(encoding="utf-8"))


def sizes(source: str) -> tuple[int, int]:
    """Return the number of statements of a program and of all nodes of its tree, without docstrings.

    Dense lines do not lower it.

    >>> sizes("def f():\\n    \\"Return 3.\\"\\n    x = 1; y = 2; return x + y")
    (4, 18)
    """
    nodes = [*ast.walk(ast.parse(source))]
    texts = [
        node for node in nodes if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
    ]
    return sum(isinstance(node, ast.stmt) for node in nodes) - len(texts), len(nodes) - 2 * len(texts)


def capabilities() -> dict[str, list[Path]]:
    """Return the modules of the product by what they are there for, according to `capabilities.toml`."""
    table = tomllib.loads((ROOT / "tests/capabilities.toml").read_text(encoding="utf-8"))
    files: dict[str, list[Path]] = {name: [] for name in table}
    for path in product():
        patterns = ((name, pattern) for name, row in table.items() for pattern in row)
        files[next(name for name, pattern in patterns if fnmatchcase(roads.name_of(path), pattern))].append(path)
    return files


def _print_capabilities() -> None:
    for name, paths in capabilities().items():
        statements_in, nodes_in = map(sum, zip(*map(_sizes, paths), strict=True))
        print(f"  {statements_in:6,} statements {nodes_in:8,} nodes {len(paths):4} modules: {name}")
    scripts = [path for half in (LEARNERS, GRADER) for path in (ROOT / half).rglob("*.*js")]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in scripts)
    print(f"JavaScript: {lines:,} lines in {len(scripts)} files")


def main() -> None:
    for half in (LEARNERS, GRADER):
        layers = {layer_of(module) for module in modules(half)} - {""}
        print(f"{half}: {len(modules(half))} modules in {len(layers)} layers: {', '.join(sorted(layers))}")
        print(f"  {len(arrows(half))} imports between modules, {len(between_layers(half))} between layers")
        print(f"  modules on cycles of imports: {', '.join(cycle_in(arrows(half))) or 'none'}")
    for part, count in statements().items():
        print(f"{part}: {count:,} statements")
    print(f"product: {sum(_sizes(path)[1] for path in product()):,} nodes of syntax trees")
    _print_capabilities()
    roads.main()


if __name__ == "__main__":
    main()
