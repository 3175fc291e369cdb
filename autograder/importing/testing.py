"""The code of a test cell: how it can run again, and what of it only its text shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.importing.reading import SourceCell

TEST_ERRORS = {"AssertionError", "Exception", "BaseException"}
RAISE_AGAIN = "if __import__('sys').exc_info()[0] is AssertionError:\n    raise"


def code_to_repeat(cell: SourceCell) -> str:
    """Return the code of a test so that it fails where its author catches failures.

    A test of Otter Assign notes the text of its last expression, because Otter compares it.
    """
    tree = ast.parse(cell.code if cell.is_python else "")
    for handler in _handlers_of_failures(tree):
        handler.body[:0] = ast.parse(RAISE_AGAIN).body
    last = tree.body[-1] if tree.body else None
    if cell.has_result and isinstance(last, ast.Expr):
        tree.body[-1] = ast.parse(f"__foldem__.result = repr({ast.unparse(last)})").body[0]
    return ast.unparse(tree)


def lines_that_cannot_fail(cell: SourceCell) -> list[int]:
    """Return the lines that catch the error of a failed test and do not raise it again."""
    handlers = _handlers_of_failures(cell.tree)
    return [each.lineno for each in handlers if not any(isinstance(node, ast.Raise) for node in ast.walk(each))]


def lambdas_in(cell: SourceCell, name: str, line: int) -> Iterator[tuple[int | str, ast.Lambda]]:
    """Yield the functions without a name among the arguments of a function's calls in a line, by position or name."""
    for node in ast.walk(cell.tree):
        if isinstance(node, ast.Call) and node.lineno <= line <= (node.end_lineno or 0) and _name(node.func) == name:
            arguments: list[tuple[int | str, ast.expr]] = [*enumerate(node.args)]
            arguments += [(key.arg or "", key.value) for key in node.keywords]
            yield from ((at, arg) for at, arg in arguments if isinstance(arg, ast.Lambda))


def _handlers_of_failures(tree: ast.Module) -> list[ast.ExceptHandler]:
    tries = (node for node in ast.walk(tree) if isinstance(node, ast.Try) and any(map(_can_fail, node.body)))
    return [handler for node in tries for handler in node.handlers if _catches_failures(handler)]


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _can_fail(test: ast.stmt) -> bool:
    """Return whether a statement asserts something, with the keyword or with a function such as `assert_equal`."""
    calls = (node for node in ast.walk(test) if isinstance(node, ast.Assert | ast.Call))
    return any(isinstance(node, ast.Assert) or _name(node.func).startswith("assert") for node in calls)


def _catches_failures(handler: ast.ExceptHandler) -> bool:
    kinds = [handler.type] if handler.type else []
    names = {each.id for kind in kinds for each in ast.walk(kind) if isinstance(each, ast.Name)}
    return not kinds or bool(names & TEST_ERRORS)
