"""Look up the types that an author's annotations name: aliases, new types, and the fields of classes."""

from __future__ import annotations

import ast
import builtins
import sys
import typing
from collections import abc
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from autograder.units.written import written_statements
from course.syntax import bound_names

Written: TypeAlias = tuple[ast.expr, ModuleType]  # an annotation, and the module in which its names are looked up


def alias(name: str, module: ModuleType) -> Written | None:
    """Return what an annotation's name means: the value of an alias, or the type under a `NewType`; else None."""
    statement, home = _definition(name, module)
    match statement:
        case (
            ast.Assign(value=ast.Call(func=ast.Name("NewType") | ast.Attribute(attr="NewType"), args=[_, of]))
            | ast.AnnAssign(annotation=ast.Name("TypeAlias") | ast.Attribute(attr="TypeAlias"), value=ast.expr() as of)
            | ast.Assign(value=ast.Name() | ast.Subscript() | ast.BinOp() as of)
        ):
            return of, home
    new = _value_of_type_statement(statement)
    return (new, home) if new else None


def field_annotations(cls: type) -> dict[str, Written] | None:
    """Return the annotations of the fields that create an instance of a class; None if a field has no annotation."""
    if is_dataclass(cls):
        names = tuple(field.name for field in fields(cls) if field.init)
    elif hasattr(cls, "_fields"):
        names = tuple(cls._fields)
    else:
        return None
    written = dict[str, Written]()
    for base in reversed(cls.__mro__):
        statement, home = _definition(base.__name__, sys.modules[base.__module__])
        for part in statement.body if isinstance(statement, ast.ClassDef) else ():
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                written[part.target.id] = part.annotation, home
    return {name: written[name] for name in names} if written.keys() >= {*names} else None


def named_object(node: ast.expr, module: ModuleType) -> object:
    """Return the Python object that a name in an annotation refers to; None if it does not exist."""
    names = vars(builtins) | vars(abc) | vars(typing) | vars(module)
    try:
        return eval(compile(ast.Expression(node), "<annotation>", "eval"), names)
    except Exception:
        return None


def _definition(
    name: str, module: ModuleType, visited: tuple[ModuleType, ...] = ()
) -> tuple[ast.stmt | None, ModuleType]:
    """Return the statement that defines a name, and the module that contains the statement.

    The name is looked up in `module`, and then in the modules from which it is imported.
    """
    own, origins = _statements(module)
    if name in own:
        return own[name], module
    others = (sys.modules.get(origin) for origin in origins.get(name, origins.get("*", ())))
    visited = (*visited, module)
    matches = (_definition(name, other, visited) for other in others if other and other not in visited)
    return next((match for match in matches if match[0]), (None, module))


@cache
def _statements(module: ModuleType) -> tuple[dict[str, ast.stmt], dict[str, tuple[str, ...]]]:
    """Return two tables of a module: the statements by the name that they define, and the origins of imported names."""
    own, origins = dict[str, ast.stmt](), dict[str, tuple[str, ...]]()
    path = Path(getattr(module, "__file__", None) or "")
    is_read = path.suffix == ".py" and module.__name__.split(".")[0] not in sys.stdlib_module_names
    for node, _, _ in written_statements(path) if is_read else ():
        match node:
            case ast.ImportFrom(module=str(origin), names=names):
                origins |= {each.asname or each.name: (*origins.get(each.name, ()), origin) for each in names}
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)) | ast.ClassDef(name=name):
                own[name] = node
            case _ if _value_of_type_statement(node):
                own |= dict.fromkeys(bound_names(node), node)
    return own, origins


def _value_of_type_statement(node: ast.stmt | None) -> ast.expr | None:
    """Return the annotation in a `type` statement, which is new in Python 3.12, or None."""
    value = getattr(node, "value", None)
    return value if type(node).__name__ == "TypeAlias" and isinstance(value, ast.expr) else None
