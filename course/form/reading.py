"""An answer, and the names of its unit, as the rules of form see them; and a rule as a value. A unit may add rules."""

from __future__ import annotations

import ast
import builtins
import enum
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from course.form.policy import Requirements
from course.roles import role_module
from course.syntax import PARSING_ERRORS, bound_names, code_on_one_line, lines_of, reachable_from, subtree_of, tree_of


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


# The names in examples; `docs/own-advice.md` explains them. The other names are Python's, or the learner's own.
NEUTRAL_NAMES = word_set("item items wanted size value values part Kind name")
BUILTINS = word_set(" ".join(name for name in dir(builtins) if not name.startswith("_"))) - word_set(
    "copyright credits license exit quit help Ellipsis"
)
FunctionSyntax = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTION_NODES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
# Methods that change a value in place; most of them return None.
MUTATORS = word_set(
    "append extend insert remove clear sort reverse update add discard appendleft extendleft rotate subtract "
    "difference_update intersection_update symmetric_difference_update __setattr__ __delattr__ __setitem__ "
    "__delitem__ __iadd__ heappush heapify"
)
REMOVING_METHODS = word_set("pop popitem popleft setdefault heappop")


# ------------------------------------------------------------------------------------------------ the names of a unit


def with_unit_names(module: str, example: str) -> str:
    """Return an example with the unit's own names instead of neutral ones.

    The names come from `ADVICE` in the unit's module `advice.py`.

    >>> with_unit_names("course.uno", "(*items, item)"), with_unit_names("no.unit", "(*items, item)")
    ('(*cards, card)', '(*items, item)')
    """
    words: Mapping[str, str] = getattr(getattr(role_module(module, "advice"), "ADVICE", None), "words", {})
    return re.sub(r"\b[A-Za-z]+\b", lambda match: words.get(match[0], match[0]), example)


@dataclass(frozen=True)
class UnitNames:
    """The names that a unit exports, with the facts about them that the rules of form need.

    The facts are about methods, types, fields, values, functions and tuples.
    """

    names: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    types: dict[str, object] = field(default_factory=dict)
    fields: dict[str, object] = field(default_factory=dict)
    values: dict[str, type] = field(default_factory=dict)
    functions: dict[str, Callable[..., object]] = field(default_factory=dict)
    tuples: frozenset[str] = frozenset()


@cache
def unit_names_of(name: str) -> UnitNames:
    """Return the facts about the names that a unit's module exports; empty if there is no such module."""
    try:
        module = import_module(name)
    except ImportError:
        return UnitNames()
    exported = frozenset(getattr(module, "__all__", ())) - {
        getattr(probe, "__name__", "") for probe in getattr(module, "PROBES", ())
    }
    public = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    ours = {"course", name.split(".")[0]}
    classes = [kind for kind in public.values() if isinstance(kind, type) and kind.__module__.split(".")[0] in ours]
    types = {
        key: value
        for key, value in public.items()
        if isinstance(value, (type, UnionType)) or get_origin(value) in (tuple, Union)
    }
    return UnitNames(
        names=exported,
        methods=frozenset(m for cls in classes for m, it in vars(cls).items() if callable(it) and m[:2] != "__"),
        types=types,
        fields=_field_types(classes, module),
        values={key: type(value) for key, value in public.items() if isinstance(value, (enum.Enum, *classes))},
        tuples=frozenset(key for key, value in public.items() if type(value) is tuple),
        functions={key: public[key] for key in exported if callable(public.get(key)) and key not in types},
    )


def _field_types(classes: list[type], module: ModuleType) -> dict[str, object]:
    """Return the type of each field name; None for a name that has different types in two classes."""
    types: dict[str, object] = {}
    for cls in classes:
        try:
            hints = get_type_hints(cls, vars(module))
        except (NameError, TypeError):
            continue
        for name, kind in hints.items():
            types[name] = kind if types.get(name, kind) == kind else None
    return types


def field_names(kind: object) -> list[str]:
    """Return the names of a class's fields, or [] if it is not a dataclass."""
    return [*getattr(kind, "__dataclass_fields__", ())]


def item_type_of(kind: object) -> object:
    """Return the item type X of `tuple[X, ...]`, or None for any other type."""
    args = get_args(kind)
    return args[0] if get_origin(kind) is tuple and args[1:] == (Ellipsis,) else None


def union_members(kind: object) -> frozenset[object]:
    """Return the classes of a union. For a class, return only this class."""
    return frozenset(get_args(kind)) if isinstance(kind, UnionType) or get_origin(kind) is Union else frozenset({kind})


# ------------------------------------------------------------------------------------------------ an answer


@dataclass(frozen=True)
class Source:
    """Source code with its label in reports: the name of an exercise, or a number such as `cell_3`."""

    label: str
    source: str


@dataclass(frozen=True)
class Violation:
    """A violation of a rule: the node, the reason as a sentence, and, if known, what to write instead."""

    node: ast.AST
    why: str
    instead: str = ""
    example: str = ""


@dataclass(frozen=True)
class LabeledLines:
    """The cell or helper that contains a statement. The answer's own cell has no label."""

    label: str
    lines: Sequence[str]


class Reading:
    """The parsed statements that belong to an answer. Statements that only try out the answer are left out."""

    def __init__(self, requirements: Requirements, source: str, helpers: Iterable[Source] = ()) -> None:
        self.requirements = requirements
        self.given: UnitNames = unit_names_of(requirements.module)
        self._parts: dict[ast.stmt, LabeledLines] = {}
        for part in (*helpers, Source("", source)):
            with suppress(*PARSING_ERRORS):  # sources that do not parse are skipped
                self._parts |= dict.fromkeys(tree_of(part.source).body, LabeledLines(part.label, lines_of(part.source)))
        makers: dict[str, set[ast.stmt]] = defaultdict(set)
        for statement in self._parts:
            for made in bound_names(statement) | _changed_names(statement):
                makers[made].add(statement)

        def after(each: str | ast.stmt) -> Set[str | ast.stmt]:
            return _free_names(each) if isinstance(each, ast.stmt) else makers[each]

        # what binds or changes the exercise's name, and what these statements need
        needed: Set[str | ast.stmt] = reachable_from([requirements.name], after)
        is_bound = any(requirements.name in bound_names(statement) for statement in makers[requirements.name])
        self.tops = [statement for statement in self._parts if statement in needed] if is_bound else []

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Return a dict that maps each node to its parent."""
        return {node: outer for top in self.tops for node, outer in subtree_of(top).parents.items()}

    @property
    def nodes(self) -> Iterator[ast.AST]:
        """Return all nodes of the answer, in source order."""
        return (node for top in self.tops for node in subtree_of(top).nodes)

    def all(self, *types: type[ast.AST]) -> list[Any]:
        """Return the nodes of these types, grouped by type, and in source order for each type."""
        return [node for kind in types for top in self.tops for node in subtree_of(top).all(kind)]

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the ancestors of a node, innermost first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function_of(self, node: ast.AST) -> FunctionSyntax | None:
        """Return the innermost function that contains a node, or None."""
        return next((outer for outer in self.ancestors(node) if isinstance(outer, FUNCTION_NODES)), None)

    @cached_property
    def blocks(self) -> dict[ast.AST, list[ast.AST]]:
        """For each statement inside another statement, return its block: the list of statements that contains it."""
        parts = (getattr(node, name, None) for node in self.nodes for name in ("body", "orelse", "finalbody"))
        return {statement: block for block in parts if isinstance(block, list) for statement in block}

    def with_unit_names(self, example: str) -> str:
        """Return a code example with the unit's own names, such as `card` instead of `item`."""
        return with_unit_names(self.requirements.module, example)

    def labeled_lines_of(self, node: ast.AST) -> LabeledLines:
        """Return the cell or helper that contains a node."""
        top = next(reversed([node, *self.ancestors(node)]))
        return self._parts[top] if isinstance(top, ast.stmt) else LabeledLines("", ())

    @cached_property
    def definition(self) -> ast.stmt:
        """Return the last statement that assigns or defines the exercise's name."""
        return next(top for top in reversed(self.tops) if self.requirements.name in bound_names(top))

    @cached_property
    def read_nodes(self) -> list[ast.Name]:
        """Return the nodes of the answer that read a name."""
        return [name for name in self.all(ast.Name) if isinstance(name.ctx, ast.Load)]

    @cached_property
    def read_names(self) -> set[str]:
        """Return the names that the answer reads anywhere."""
        return {name.id for name in self.read_nodes}

    @cached_property
    def imported_names(self) -> set[str]:
        """Return the names that the answer's imports define."""
        return {(alias.asname or alias.name).split(".")[0] for alias in self.all(ast.alias)}

    @cached_property
    def own_names(self) -> set[str]:
        """Return the names of the answer's own functions, classes and parameters."""
        named = self.all(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return {node.name for node in named} | {arg.arg for arg in self.all(ast.arg)}


def local_bindings(reading: Reading) -> Iterator[tuple[str, ast.AST]]:
    """Yield names that are assigned or defined, each with its node.

    Imports, parameters, and names in a class are left out.
    """
    named = [(name.id, name) for name in reading.all(ast.Name) if isinstance(name.ctx, ast.Store)]
    bound = [(name, node) for name, node in named if not isinstance(reading.parents.get(node), ast.AugAssign)]
    kinds = ast.MatchAs, ast.MatchStar, ast.FunctionDef, ast.AsyncFunctionDef, ast.ExceptHandler
    scopes = ast.ClassDef, ast.FunctionDef, ast.Lambda
    for name, node in [*bound, *((node.name, node) for node in reading.all(*kinds) if node.name)]:
        scope = next((outer for outer in reading.ancestors(node) if isinstance(outer, scopes)), None)
        if not isinstance(scope, ast.ClassDef):
            yield name, node


def text(node: ast.AST, most: int = 48) -> str:
    """Return a node as code on one line, cut to `most` characters."""
    return code_on_one_line(node, most)


def root_name(node: ast.AST) -> str:
    """Return the first name of an expression such as `deck[0].suit` or `f(1)(2)`, or "" if it has none."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def called_function(node: ast.AST | None) -> str:
    """Return the name of the called function, or "" if the node is not a call of a plain name."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _changed_names(statement: ast.stmt) -> set[str]:
    """Return the names whose values a statement changes, for example by `table.append(1)`, alone or in a loop."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return set()
    methods = (call.func for call in subtree_of(statement).all(ast.Call))
    changing = (m for m in methods if isinstance(m, ast.Attribute) and m.attr in MUTATORS | REMOVING_METHODS)
    return {root_name(method.value) for method in changing} - {""}


def _free_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads but does not bind."""
    below = subtree_of(statement)
    names, scopes = [*below.all(ast.Name)], [*below.all(ast.comprehension)]
    reads = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    reads |= {name for node in below.all(ast.Global) for name in node.names}
    own = {arg.arg for arg in below.all(ast.arg)} | {node.name for node in below.all(ast.MatchAs, ast.MatchStar)}
    own |= {part.id for scope in scopes for part in ast.walk(scope.target) if isinstance(part, ast.Name)}
    own |= {inner.name for inner in below.all(ast.FunctionDef) if inner is not statement}
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        own |= {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    return reads - own


# ------------------------------------------------------------------------------------------------ rules


@dataclass(frozen=True)
class Rule:
    """A rule of form: how to find violations, and what to write instead."""

    find: Callable[[Reading], Iterator[Violation]]
    """A function that yields the violations in an answer. It must not find any in a right answer."""
    instead: str = ""
    """The end of a sentence that says how to write it instead. A `Violation` may have its own."""
    example: str = ""
    """Code that shows it."""
    says: str = ""
    """The rule as a sentence, for the notebook's list of rules that cost points."""


def own_rules(module: str) -> Mapping[str, Rule]:
    """Return the rules that a unit adds, which are `RULES` in the unit's `form.py`.

    The keys of the dict are the names by which the unit's TOML refers to the rules.
    """
    module_form = role_module(module, "form")
    return module_form.RULES if module_form else {}
