"""The probable meaning of an undefined name. Names in the function are tried first, then those of the unit."""

from __future__ import annotations

import ast
from enum import Enum

from course.diagnoses.evidence import Diagnosis, Evidence, own_nodes, positional_parameters
from course.form.reading import COMPREHENSIONS

PARAMETERS_SHOWN = 4


def not_defined(e: Evidence, name: str) -> Diagnosis:
    """Return a message about a name that is not defined anywhere."""
    uses = [node for node in e.here if isinstance(node, ast.Name) and node.id == name]
    is_called = any(isinstance(node, ast.Call) and node.func in uses for node in e.here)
    says = f"`{name}` is not defined."
    if name in e.bound:
        return Diagnosis(f"{says} Your answer gives it a value only later, or in another function.")
    others = [each for each in e.known - e.bound if is_called or each not in e.given.types]
    inside = _names_in_scope(e, uses)
    nearest = [e.near(name, among) for among in ((others, inside) if is_called else (inside, others))]
    if near := next(filter(None, nearest if is_called else nearest[:1]), ""):
        return Diagnosis(f"{says} Did you mean `{near}`?")
    if members := _members_compared(e, name):
        return Diagnosis(f"{says} Choose from {members}.")
    if nearest[1]:
        return Diagnosis(f"{says} Did you mean `{nearest[1]}`?")
    if uses and e.parameters and not is_called and name.islower():
        return Diagnosis(f"{says} {_parameters(e)}")
    if isinstance(e.value, ast.Call) and e.requirements.is_called:
        return Diagnosis(f"{says} `{e.requirements.name}` is a function: it gets such values as arguments in a call.")
    return Diagnosis(f"{says} No cell that has run defines it.")


def _names_in_scope(e: Evidence, uses: list[ast.Name]) -> list[str]:
    """Return the names that a line could use.

    The names are parameters and variables. A comprehension's own variables count only inside it.
    """
    around = [f for f in e.all(ast.FunctionDef, ast.Lambda) if f.lineno <= e.failure.line <= (f.end_lineno or 0)]
    names: list[str] = []
    for function in reversed(around):
        nodes = list(own_nodes(function))
        hidden = {id(n) for c in nodes if isinstance(c, COMPREHENSIONS) and not _holds(c, uses) for n in ast.walk(c)}
        names += [arg.arg for arg in positional_parameters(function)]
        names += [n.id for n in nodes if isinstance(n, ast.Name) and _is_stored(n) and id(n) not in hidden]
        names += [n.name for n in nodes if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name]
    return [*dict.fromkeys(names)]


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _holds(node: ast.AST, uses: list[ast.Name]) -> bool:
    return any(inner in uses for inner in ast.walk(node))


def _members_compared(e: Evidence, name: str) -> str:
    """Return the possible members if the failed line compares a part with the name (`card.rank == ACE`); else ""."""
    for node in e.here:
        match node:
            case ast.Compare(left=ast.Attribute(attr=attr), comparators=[other]):
                kind: object = e.given.fields.get(attr)
                names = [each.id for each in ast.walk(other) if isinstance(each, ast.Name)]
                if name in names and isinstance(kind, type) and issubclass(kind, Enum):
                    return ", ".join(f"`{each.name}`" for each in kind)
    return ""


def _parameters(e: Evidence) -> str:
    """Return a sentence that names the answer's parameters, or only those that the answer never uses."""
    loaded = {node.id for node in e.all(ast.Name)}
    unread = [name for name in e.parameters if name not in loaded]
    names = [f"`{name}`" for name in (unread or e.parameters)[:PARAMETERS_SHOWN]]
    if len(names) == 1:
        return f"Did you mean the parameter {names[0]}?"
    return f"The parameters of `{e.requirements.name}` are {', '.join(names[:-1])} and {names[-1]}."
