"""What a statement at the top level of a cell does to names, read from its syntax tree. `sort.py` calls this."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from course.form.given import word_set
from course.syntax import OWN_SCOPES, children

TUPLES = word_set("frozenset tuple")  # functions that give fixed values, if their items are fixed
FIXED_CALLS = TUPLES | word_set("bool cache complex compose curry float int lru_cache partial range str")
OPERATIONS = ast.BinOp, ast.BoolOp, ast.Compare, ast.FormattedValue, ast.IfExp, ast.JoinedStr, ast.UnaryOp
FIXED = *OPERATIONS, ast.Attribute, ast.Slice, ast.Starred, ast.Subscript, ast.Tuple
ITEMS = ast.GeneratorExp, ast.List, ast.ListComp
EVERYTHING = "*"  # the name that `from m import *` binds


def bound_in(statement: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names that a statement may bind, unbind or change in place, and those that its functions may.

    >>> [sorted(names) for names in bound_in(ast.parse("for turn in turns:\\n    seen[turn] = (last := turn)").body[0])]
    [['last', 'seen', 'turn'], []]
    >>> [sorted(names) for names in bound_in(ast.parse("def fill():\\n    global sizes\\n    sizes = {}").body[0])]
    [['fill'], ['sizes']]
    """
    names = {*_bindings(statement)}
    now = frozenset(name for name, is_later in names if not is_later)
    return now, frozenset(name for name, _ in names) - now


def _bindings(statement: ast.stmt) -> Iterator[tuple[str, bool]]:
    """Yield each name that is bound, and whether it is only bound when a function is called."""
    todo: list[tuple[ast.AST, bool]] = [(statement, False)]
    while todo:
        node, is_later = todo.pop()
        match node:
            case ast.AnnAssign(value=None):
                continue
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                yield from ((name, is_later) for name in _owner(node))
            case ast.Global(names=names):
                yield from ((name, is_later) for name in names)
            case _ if not is_later:
                yield from ((name, False) for name in _named_by(node))
        inside = [node.iter, *node.ifs] if isinstance(node, ast.comprehension) else children(node)
        todo += [(each, is_later or isinstance(node, OWN_SCOPES)) for each in inside]


def _named_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.alias(name=name, asname=other):
            yield (other or name).partition(".")[0]
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name


def _owner(node: ast.AST) -> Iterator[str]:
    """Yield the first name of a target such as `table[key].field`."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def fixed_names(statement: ast.stmt, makers: Collection[str]) -> frozenset[str]:
    """Return the names to which a statement gives values that no call can change, or which an import brings.

    Calls of `makers` give such values.
    """
    match statement:
        case ast.Import() | ast.ImportFrom():
            return bound_in(statement)[0]
        case ast.FunctionDef(name=name, decorator_list=decorators, args=ast.arguments(defaults=some, kw_defaults=rest)):
            defaults = filter(None, (*some, *rest))
            calls = (each for each in decorators if isinstance(each, ast.Call) or not _is_maker(each, makers))
            makes = all(isinstance(each, ast.Call) and _is_fixed(each, makers) for each in calls)
            return frozenset([name] if makes and all(_is_fixed(each, makers) for each in defaults) else [])
        case ast.Assign(targets=targets, value=value) if _is_fixed(value, makers):
            return frozenset(name for target in targets for name in _plain_names(target))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if _is_fixed(value, makers):
            return frozenset([name])
    return frozenset()


def is_sure(statement: ast.stmt) -> bool:
    """Return whether a statement surely gives its names new values, because it cannot fail."""
    match statement:
        case ast.FunctionDef(decorator_list=[], args=ast.arguments(defaults=some, kw_defaults=rest)):
            return all(_is_literal(each) for each in (*some, *rest) if each)
        case ast.Assign(targets=targets, value=value):
            return _is_literal(value) and all(isinstance(target, ast.Name) for target in targets)
    return False


def _is_literal(node: ast.expr) -> bool:
    match node:
        case ast.Constant() | ast.Lambda(args=ast.arguments(defaults=[], kw_defaults=[])):
            return True
        case ast.Tuple(elts=items):
            return all(map(_is_literal, items))
    return False


def _plain_names(target: ast.expr) -> list[str]:
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def _is_maker(node: ast.expr, makers: Collection[str]) -> bool:
    return getattr(node, "id", getattr(node, "attr", "")) in makers


def _is_fixed(node: ast.AST, makers: Collection[str]) -> bool:
    """Return whether an expression gives a value that no call can change, if the names in it have such values."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Lambda(args=ast.arguments(defaults=defaults, kw_defaults=others)):
            return _all_fixed(filter(None, (*defaults, *others)), makers)
        case ast.Call(func=func, args=arguments, keywords=keywords) if _is_maker(func, makers):
            has_items = getattr(func, "id", "") in TUPLES
            items = [children(each) if has_items and isinstance(each, ITEMS) else [each] for each in arguments]
            return _all_fixed((*chain(*items), *keywords), makers)
    is_operation = isinstance(node, FIXED) or not isinstance(node, ast.expr)  # such as an operator or a keyword
    return is_operation and _all_fixed(children(node), makers)


def _all_fixed(nodes: Iterable[ast.AST], makers: Collection[str]) -> bool:
    return all(_is_fixed(each, makers) for each in nodes)
