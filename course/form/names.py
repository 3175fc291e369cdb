"""Rules about names: unused names, and names that hide given ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from course.form.given import BUILTINS
from course.form.reading import Reading, Violation

PEEKERS = {"locals", "vars", "eval", "exec"}


def unused_names(reading: Reading) -> Iterator[Violation]:
    """Find local names that are bound and never read."""
    if reading.loads & PEEKERS:
        return
    shared = {name for node in reading.all(ast.Global, ast.Nonlocal) for name in node.names}
    for name, node in local_bindings(reading):
        if name not in reading.loads | shared and not name.startswith("_") and reading.function_of(node):
            what = "function" if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else "name"
            yield Violation(node, f"the {what} `{name}` is never used")


def shadowed_names(reading: Reading) -> Iterator[Violation]:
    """Find names that hide a built-in, a given name or an exercise. A bare name in a pattern often hides one."""
    given = reading.given.names | reading.requirements.exercises
    stub = {name for name, _ in reading.requirements.parameters}
    for name, node in [
        *local_bindings(reading),
        *((arg.arg, arg) for arg in reading.all(ast.arg) if arg.arg not in stub),
    ]:
        if name == reading.requirements.name and reading.function_of(node) is None:
            continue
        if name in given or name in BUILTINS:
            yield Violation(node, *_shadow(name, node, name in given, reading))


def _shadow(name: str, node: ast.AST, is_given: bool, reading: Reading) -> tuple[str, str, str]:
    what = "the exercise" if name in reading.requirements.exercises else "the given" if is_given else "Python's own"
    if isinstance(node, (ast.MatchAs, ast.MatchStar)) and is_given:
        why = f"`{name}` in a pattern is not compared with {what} `{name}`: it captures every value"
        kind = reading.given.values.get(name)
        dotted = f"{kind.__name__}.{name}" if kind and hasattr(kind, name) else f"value if value == {name}"
        return why, "write a name with a dot, or a guard", f"case {dotted}:\n    …"
    return (
        f"here `{name}` is no longer {what} `{name}`",
        "use a name that describes its value",
        f"{reading.in_words('items = …')}      # not `{name} = …`\n{name}          # still has its old meaning",
    )


def local_bindings(reading: Reading) -> Iterator[tuple[str, ast.AST]]:
    """Yield the bound names, each with its node, except imports, parameters and attributes."""
    for name in reading.all(ast.Name):
        if isinstance(name.ctx, ast.Store) and not isinstance(reading.parents.get(name), ast.AugAssign):
            yield from () if _in_class(reading, name) else [(name.id, name)]
    for node in reading.all(ast.MatchAs, ast.MatchStar, ast.FunctionDef, ast.AsyncFunctionDef, ast.ExceptHandler):
        if node.name and not _in_class(reading, node):
            yield node.name, node


def _in_class(reading: Reading, node: ast.AST) -> bool:
    """Return whether a name is bound in the body of a class, not of a function."""
    outer = next((n for n in reading.above(node) if isinstance(n, (ast.ClassDef, ast.FunctionDef, ast.Lambda))), None)
    return isinstance(outer, ast.ClassDef)
