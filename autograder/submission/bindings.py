"""The names that a statement at the top level of a cell binds, changes and uses. `sort.py` calls this."""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Collection, Iterable

from course.form.given import word_set
from course.form.reading import root_name
from course.syntax import branch

EVERYTHING = "*"  # the name that `from m import *` binds
IMPORT_NODES, DEFINING_NODES = (ast.Import, ast.ImportFrom), (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MUTABLE_NODES = ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp
TUPLE_MAKERS = word_set("frozenset tuple")  # functions that give fixed values, if the items are fixed
FIXED_CALLS = TUPLE_MAKERS | word_set("bool cache complex compose curry float int lru_cache partial range str")


def bound_in(statement: ast.stmt, source: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets of names that may be bound, unbound or changed in place: by a statement, and by its functions.

    >>> def bound(source):
    ...     return [sorted(names) for names in bound_in(ast.parse(source).body[0], source)]
    >>> bound("for turn in turns:\\n    seen[turn] = (last := turn)"), bound("def fill():\\n    sizes[2] = 7")
    ([['last', 'seen', 'turn'], []], [['fill'], ['sizes']])
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scopes = [symtable.symtable(source, "<cell>", "exec")]
    except SyntaxError:  # some code can be parsed but not compiled
        return frozenset(), frozenset()
    for scope in scopes:
        scopes += scope.get_children()
    now = {each.get_name() for each in scopes[0].get_symbols() if each.is_assigned() or each.is_imported()}
    inner = (each for scope in scopes[1:] for each in scope.get_symbols())
    later = {each.get_name() for each in inner if each.is_declared_global() and each.is_assigned()}
    targets = branch(statement).all(ast.Attribute, ast.Subscript)
    later |= {root_name(node) for node in targets if not isinstance(node.ctx, ast.Load)} - {""}
    if isinstance(statement, ast.ImportFrom) and statement.names[0].name == EVERYTHING:
        now.add(EVERYTHING)
    return (
        (frozenset(now), frozenset(later))
        if isinstance(statement, DEFINING_NODES)
        else (frozenset(now | later), frozenset())
    )


def fixed_names(statement: ast.stmt, makers: Collection[str]) -> frozenset[str]:
    """Return the names that get values that no call can change. Calls of `makers` give such values."""
    match statement:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return frozenset((each.asname or each.name).partition(".")[0] for each in names)
        case ast.FunctionDef(name=name, decorator_list=decorators, args=arguments):
            is_made = all(_called(each) in makers for each in decorators)
            return frozenset([name] if is_made and _are_fixed(_defaults(arguments), makers) else [])
        case ast.Assign(targets=targets, value=value) if _are_fixed([value], makers):
            parts = (part for target in targets for part in getattr(target, "elts", [target]))
            return frozenset(part.id for part in parts if isinstance(part, ast.Name))
    return frozenset()


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *filter(None, arguments.kw_defaults)]


def _called(node: ast.expr) -> str:
    """Return the name of a function, or of the function that an expression calls."""
    function = node.func if isinstance(node, ast.Call) else node
    return str(getattr(function, "id", getattr(function, "attr", "")))


def _are_fixed(expressions: Iterable[ast.expr], makers: Collection[str]) -> bool:
    """Return whether expressions give values that no call can change, if the names in them have such values."""
    for expression in expressions:
        if isinstance(expression, ast.Lambda):
            if not _are_fixed(_defaults(expression.args), makers):
                return False
            continue
        calls = [*branch(expression).all(ast.Call)]
        items = {argument for call in calls if _called(call) in TUPLE_MAKERS for argument in call.args}
        is_made = all(_called(call) in makers for call in calls)
        if not is_made or not {*branch(expression).all(*MUTABLE_NODES)} <= items:
            return False
    return True


def is_sure(statement: ast.stmt) -> bool:
    """Return whether a statement surely gives its names new values, because it cannot fail."""
    match statement:
        case ast.FunctionDef(decorator_list=[], args=arguments):
            return all(map(_is_literal, _defaults(arguments)))
        case ast.Assign(targets=targets, value=value):
            return _is_literal(value) and all(isinstance(target, ast.Name) for target in targets)
    return False


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.Lambda):
        return not _defaults(node.args)
    return all(isinstance(each, (ast.Constant, ast.Tuple)) for each in branch(node).nodes)
