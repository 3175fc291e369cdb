"""What the house looks like, in figures: its modules, the imports between its rooms, and the way to a mark.

`make house` prints them. A way is what one reads who follows the calls that functions make by name, each function when
it is first met, in the order of the text: it returns where it leads into a module that it had left.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parent.parent
HOUSE = "autograder"
WAY = ("autograder.grading.batch.report_on", "autograder.grading.exercise.marked")
CEILING = 17


@cache
def modules() -> dict[str, ast.Module]:
    """Give the modules of the house by name, as trees; what packs bring is not part of it."""
    paths = [path for path in (ROOT / HOUSE).rglob("*.py") if not {"checks", "mistakes"} & set(path.parts)]
    return {_name(path): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(paths)}


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def room_of(module: str) -> str:
    """Give the room of a module: a folder, or a module that stands by itself.

    >>> room_of("autograder.exam.build"), room_of("autograder.sandbox.inside.frames"), room_of("autograder.cli")
    ('exam', 'sandbox', 'cli')
    """
    return (*module.split("."), "")[1]


def imported(module: str) -> dict[str, str]:
    """Give the names that a module imports from the house, at its top or in its functions, with what they stand for."""
    return {alias.asname or alias.name: thing for alias, thing in _imports(module)}


@cache
def _imports(module: str) -> tuple[tuple[ast.alias, str], ...]:
    """Give all that a module imports from the house: in its functions one name may stand for several things."""
    nodes = (node for node in ast.walk(modules()[module]) if isinstance(node, ast.ImportFrom) and not node.level)
    ours = (node for node in nodes if (node.module or "").startswith(HOUSE))
    return tuple((alias, f"{node.module}.{alias.name}") for node in ours for alias in node.names)


def arrows() -> set[tuple[str, str]]:
    """Give the imports between different modules of the house."""
    pairs = ((module, _module(thing)) for module in modules() for _, thing in _imports(module))
    return {(one, other) for one, other in pairs if one != other}


def _module(thing: str) -> str:
    return thing if thing in modules() else thing.rpartition(".")[0]


def between_rooms() -> set[tuple[str, str]]:
    """Give the imports between different rooms."""
    return {(room_of(one), room_of(other)) for one, other in arrows() if room_of(one) != room_of(other)}


def asked_for() -> set[str]:
    """Give the modules that other rooms import, with the packages that these lie in."""
    asked = {other for one, other in arrows() if room_of(one) != room_of(other)}
    return {_upto(module, depth) for module in asked for depth in range(3, module.count(".") + 2)}


def _upto(module: str, depth: int) -> str:
    return ".".join(module.split(".")[:depth])


def offered() -> set[str]:
    """Give the modules that rooms say they offer: those that are named in `__all__` of their packages."""
    return {f"{package}.{name}" for package in packages() for name in _named_by(modules()[package], "__all__")}


def _named_by(tree: ast.Module, name: str) -> Iterable[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            yield from ast.literal_eval(node.value)


def packages() -> set[str]:
    """Give the packages of the house, which are rooms or parts of one."""
    return {module for module in modules() if any(other.startswith(f"{module}.") for other in modules())} - {HOUSE}


def circles() -> set[tuple[str, str]]:
    """Give the pairs of rooms that import each other."""
    pairs = between_rooms()
    return {(one, other) for one, other in pairs if (other, one) in pairs and one < other}


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Give the functions and methods of the house, with their modules."""
    for module, tree in modules().items():
        yield from ((module, node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def meanings() -> dict[str, dict[str, str]]:
    """Give each name that modules of the house and the course define at their top, with what it is in each of them.

    What a unit gives to its learners, what its exam and its table are made of, is a language of its own.
    """
    units = {path.stem for path in (ROOT / "course").glob("*.toml")}
    paths = [*(ROOT / HOUSE).rglob("*.py"), *(ROOT / "course").rglob("*.py")]
    found: dict[str, dict[str, str]] = {}
    for path in paths:
        if path.stem not in units and path != ROOT / "course/arena/values.py":
            for name, meaning in _defined(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(name, {})[_name(path)] = meaning
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


def lines_of(function: ast.FunctionDef) -> int:
    """Give the length of a function's body in lines, its docstring aside."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def way(start: str = WAY[0], end: str = WAY[1]) -> list[str]:
    """Give the modules that one comes through from a function to another; values that are named on the way are no step.

    A module stands there again where one has to come back to it for another function.
    """
    met = dict.fromkeys(_followed(start, set()))
    upto = [*met][: [*met].index(end) + 1] if end in met else []
    passed = [function.rpartition(".")[0] for function in upto]
    return [one for one, other in pairwise([*passed, ""]) if one != other]


def _followed(function: str, seen: set[str]) -> Iterator[str]:
    """Give a function and those that it leads to, each when it is first met."""
    module, _, name = function.rpartition(".")
    if function in seen or not _is_function(module, name):
        return
    seen.add(function)
    yield function
    for called in _calls(module, name):
        yield from _followed(called, seen)


def _is_function(module: str, name: str) -> bool:
    body = modules()[module].body if module in modules() else []
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in body)


def _calls(module: str, name: str) -> Iterable[str]:
    """Give the functions and classes of the house that one mentions, in the order of its text."""
    here = {node.name for node in modules()[module].body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    known = imported(module) | {each: f"{module}.{each}" for each in here}
    found = [node for node in modules()[module].body if getattr(node, "name", None) == name]
    names = [node for top in found for node in ast.walk(top) if isinstance(node, ast.Name) and node.id in known]
    ordered = sorted(names, key=lambda node: (node.lineno, node.col_offset))
    return dict.fromkeys(known[node.id] for node in ordered)


def main() -> None:
    passed = way()
    returns = Counter(module for place, module in enumerate(passed) if module in passed[:place])
    (most, times), *_ = returns.most_common(1)
    longest = max(lines_of(function) for _, function in functions())
    rooms = {room_of(module) for module in modules()} - {""}
    print(f"{len(modules())} modules in {len(rooms)} rooms: {', '.join(sorted(rooms))}")
    print(f"{len(arrows())} imports between modules, {len(between_rooms())} between rooms")
    print(f"rooms that import each other: {', '.join(map('-'.join, sorted(circles()))) or 'none'}")
    print(
        f"from report_on to a mark: {len(set(passed))} modules, {returns.total()} returns ({times} of them to {most})"
    )
    print(f"{len(offered())} of {len(modules()) - len(packages()) - 1} modules are offered to other rooms")
    print(f"the longest body has {longest} lines (the ceiling is {CEILING})")


if __name__ == "__main__":
    main()
