"""A submission as values: an attempt at each exercise, remarks, and helpers with the names that they define and use."""

from __future__ import annotations

import ast
import symtable
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from enum import IntEnum, auto
from functools import cached_property
from math import inf

from msgspec import Struct

from autograder.units.unit import Unit
from course.diagnoses.obstacle import Flaw, Obstacle
from course.form import Source
from course.form.reading import BUILTINS, root_name, word_set
from course.syntax import global_names_in, subtree_of

TextTuple = tuple[str, ...]
STAR_IMPORT = "*"  # the name that `from m import *` binds
SHOWN_CELL_COUNT = 5  # whose numbers a remark has
AssignmentPoints = Mapping[str, Mapping[str, float]]  # the exercises of an assignment with their points, by unit
NO_ASSIGNMENT: AssignmentPoints = {}


class OtherVersion(Struct, frozen=True, tag=True):
    """A remark: the notebook was made from another version of its unit."""


class PartOfUnit(Struct, frozen=True, tag=True):
    """A remark: the notebook's list of exercises has only the exercises of a unit from `first` to `last`."""

    number: int
    of: int
    first: str
    last: str


class NotAssigned(Struct, frozen=True, tag=True):
    """A remark: the notebook has exercises that are not part of the assignment."""

    names: TextTuple


class SeveralTimes(Struct, frozen=True, tag=True):
    """A remark: several cells are for one exercise.

    `cells` are the numbers of the first few cells for this exercise, and `chosen` is the number of the cell that
    counts.
    """

    name: str
    times: int
    cells: tuple[int, ...]
    chosen: int


class Adopted(Struct, frozen=True, tag=True):
    """A remark: an exercise's own cell is missing, unwritten or without an answer, so another cell counts."""

    name: str
    cell: int


class BoundBuiltins(Struct, frozen=True, tag=True):
    """A remark: the cell redefines built-in names.

    The new meaning of the names affects all exercises that use these names.
    """

    names: TextTuple
    cell: int


class LeftOut(Struct, frozen=True, tag=True):
    """A remark: the cell cannot be parsed, so the grader leaves this cell out."""

    cell: int
    flaw: Flaw


class BoundAgain(Struct, frozen=True, tag=True):
    """A remark: the cell defines exercises whose answers are in other cells."""

    names: TextTuple
    cell: int


Remark = OtherVersion | PartOfUnit | NotAssigned | SeveralTimes | Adopted | BoundBuiltins | LeftOut | BoundAgain


@dataclass(frozen=True)
class Attempt:
    """A notebook's attempt at an exercise: source code to run, or the obstacle that prevents running it.

    The source has those statements of the exercise's cell that the answer needs. `statements` are the indexes of the
    source's statements in the notebook. The exercise's check can use the statements with indexes below `until`.
    """

    name: str
    source: str = ""
    obstacle: Obstacle | None = None
    statements: frozenset[int] = frozenset()
    until: float = inf


@dataclass(frozen=True)
class Helper(Source):
    """A Python statement that may be needed by answers in other cells.

    `behind` is the number of the exercise whose cell contains or precedes the helper, or 0 if there is no such
    exercise. `label` is the name of the exercise whose cell contains the helper, or the number of the cell, as in
    `cell_3`.

    The helper may define the names in `binds`, or may change their values, for example by appending to a list. If the
    helper defines a function, calls of this function may define or change the names in `later`. The names in `fixed`
    get values that no call can change. If `is_sure` is true, the helper cannot fail. `index` is the helper's position
    in the notebook.
    """

    behind: int
    binds: frozenset[str]
    uses: frozenset[str]
    later: frozenset[str] = frozenset()
    fixed: frozenset[str] = frozenset()
    is_sure: bool = False
    index: int = 0


@dataclass(frozen=True)
class Submission:
    """The content of a notebook: attempts, statements in order, remarks, and text (`written`) for a teacher to read."""

    unit: Unit
    attempts: dict[str, Attempt]
    statements: tuple[Helper, ...] = ()
    remarks: tuple[Remark, ...] = ()
    assigned: TextTuple = ()
    written: str = ""

    @property
    def sources(self) -> TextTuple:
        """Return all code that may be run: the sources of the answers and of the helpers."""
        return (*(answer.source for answer in self.answers.values()), *(helper.source for helper in self.helpers))

    @cached_property
    def helpers(self) -> tuple[Helper, ...]:
        """Return the statements that define names, but no exercises."""
        return tuple(each for each in self.statements if each.binds and self.unit.by_name.keys().isdisjoint(each.binds))

    @cached_property
    def answers(self) -> dict[str, Attempt]:
        """Return the attempts that can be run, by exercise."""
        return {name: attempt for name, attempt in self.attempts.items() if attempt.obstacle is None}

    @cached_property
    def helpers_of(self) -> dict[str, tuple[Helper, ...]]:
        """Return the helpers that each answer needs if references replace all other answers."""
        return {name: tuple(self.helpers_for([answer.source], name)) for name, answer in self.answers.items()}

    def helpers_for(self, sources: Iterable[str], exercise: str = "") -> list[Helper]:
        """Return the statements of other cells that these sources need, in the notebook's order.

        If an `exercise` is given, only statements that its check can use are returned. Without an `exercise`, any
        statement of another cell may be returned.
        """
        texts = {*sources}
        own = [name for name, answer in self.answers.items() if answer.source in texts]
        names = {*own}.union(*map(global_names_in, texts - {self.answers[name].source for name in own}))
        indexes = frozenset[int]().union(*(self.answers[name].statements for name in own))
        until = self.attempts[exercise].until if exercise else inf
        return [each for each in self.needed_statements(names, own, until) if each.index not in indexes]

    def needed_statements(self, names: Iterable[str], own: Collection[str], until: float) -> list[Helper]:
        """Return the statements that define these names or may change their values, directly or through other names.

        `own` are the exercises whose answers are needed. Statements with indexes from `until` on are used only for
        names that no earlier statement defines.
        """
        indexes = _StatementSearch(self, own, until).find_indexes({*names, STAR_IMPORT})
        return [each for each in self.statements if each.index in indexes]

    @cached_property
    def statements_by_name(self) -> tuple[dict[str, list[Helper]], dict[str, list[Helper]]]:
        """Return, for each name, the statements that may define or change its value, and the statements that use it."""
        binders, users = defaultdict[str, list[Helper]](list), defaultdict[str, list[Helper]](list)
        for each in self.statements:
            for name in each.binds:
                binders[name].append(each)
            for name in each.uses:
                users[name].append(each)
        return binders, users


class _Need(IntEnum):
    """A way in which a name is needed: its last value, every value that it had, or also statements that change it."""

    LAST = auto()
    EVERY = auto()
    CHANGES = auto()


class _StatementSearch:
    """A search for the statements that compute the values of names. A check sees statements with indexes below `until`.

    The exercises in `own` get their values from their own cells, and no statement gives values to other exercises.
    """

    def __init__(self, submission: Submission, own: Collection[str], until: float) -> None:
        self.submission, self.own, self.until = submission, own, until
        self.binders, self.users = submission.statements_by_name
        self.names, self.indexes = defaultdict[_Need, set[str]](set), defaultdict[_Need, set[int]](set)
        self.todo: list[tuple[str, _Need]] = []
        self.below = set[str]()
        binders = (each for each in submission.statements if any(self._may_bind(each, name) for name in each.binds))
        self.later = frozenset[str]().union(*(each.later for each in binders))

    def find_indexes(self, names: Set[str]) -> set[int]:
        """Return the indexes of the statements that compute the values of these names."""
        self._add_names(names, _Need.LAST)
        while self.todo:
            name, need = self.todo.pop()
            if need is not _Need.CHANGES:
                self._take_binders(name, need)
                continue
            # Take the statements that may change the value, because they use the name, or names that depend on it.
            followed = self.indexes[_Need.CHANGES]
            for each in self.users.get(name, ()):
                if each.index not in followed and (each.index < self.until or name in self.below):
                    followed.add(each.index)
                    bound = {bound for bound in each.binds | each.later if self._may_bind(each, bound)}
                    self._add_names(bound, _Need.CHANGES)
                    if not each.binds or not each.binds <= each.fixed:  # then running it may change values
                        self._take_statement(each, _Need.EVERY)
        return self.indexes[_Need.LAST] | self.indexes[_Need.EVERY]

    def _add_names(self, names: Set[str], need: _Need) -> None:
        fresh = names - self.names[need]
        self.names[need] |= fresh
        self.todo += [(name, need) for name in fresh]

    def _take_binders(self, name: str, need: _Need) -> None:
        """Take the statements that bind a name. If only its last value matters, begin with the last sure statement."""
        binders = [each for each in self.binders.get(name, ()) if self._may_bind(each, name)]
        above = [each for each in binders if each.index < self.until]
        if above or name in BUILTINS or name in self.submission.unit.module.__all__:
            binders = above
        else:  # those below count, too, since it means nothing above
            self.below.add(name)
        if need is _Need.LAST:
            sure = [index for index, each in enumerate(binders) if each.is_sure and name in each.fixed]
            binders = binders[sure[-1] :] if sure else binders
        for each in binders:
            self._take_statement(each, need)
        if name in self.later or any(name not in each.fixed for each in binders):
            self._add_names({name}, _Need.CHANGES)

    def _take_statement(self, helper: Helper, need: _Need) -> None:
        """Take a statement.

        A sure statement uses names only inside functions, which are called later and see the last values.
        """
        need = need if helper.is_sure else _Need.EVERY
        if helper.index not in self.indexes[need]:
            self.indexes[need].add(helper.index)
            self._add_names(helper.uses, need)

    def _may_bind(self, helper: Helper, name: str) -> bool:
        """Return whether a statement may give a name its value."""
        if name not in self.submission.unit.by_name:
            return True
        return name in self.own and helper.index in self.submission.attempts[name].statements


IMPORT_NODES, DEFINING_NODES = (ast.Import, ast.ImportFrom), (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
MUTABLE_NODES = ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp
FIXED_CONTAINERS = word_set("frozenset tuple")  # functions that give fixed values, if the items are fixed
FIXED_CALLS = FIXED_CONTAINERS | word_set("bool cache complex compose curry float int lru_cache partial range str")


def names_bound_by(statement: ast.stmt, source: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets of names that a statement may define, delete or change in place.

    Names in the first set may change when the statement runs. Names in the second set can change only when a function
    that the statement defines is called.

    >>> def bound(source):
    ...     return [sorted(names) for names in names_bound_by(ast.parse(source).body[0], source)]
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
    targets = subtree_of(statement).all(ast.Attribute, ast.Subscript)
    later |= {root_name(node) for node in targets if not isinstance(node.ctx, ast.Load)} - {""}
    if isinstance(statement, ast.ImportFrom) and statement.names[0].name == STAR_IMPORT:
        now.add(STAR_IMPORT)
    return (
        (frozenset(now), frozenset(later))
        if isinstance(statement, DEFINING_NODES)
        else (frozenset(now | later), frozenset())
    )


def fixed_names(statement: ast.stmt, makers: Collection[str]) -> frozenset[str]:
    """Return the names to which a statement assigns values that no call can change.

    Calls of functions in `makers` return values that no call can change.
    """
    match statement:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return frozenset((each.asname or each.name).partition(".")[0] for each in names)
        case ast.FunctionDef(name=name, decorator_list=decorators, args=arguments):
            is_made = all(_called_name(each) in makers for each in decorators)
            return frozenset([name] if is_made and _are_fixed(_defaults(arguments), makers) else [])
        case ast.Assign(targets=targets, value=value) if _are_fixed([value], makers):
            parts = (part for target in targets for part in getattr(target, "elts", [target]))
            return frozenset(part.id for part in parts if isinstance(part, ast.Name))
    return frozenset()


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *filter(None, arguments.kw_defaults)]


def _called_name(node: ast.expr) -> str:
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
        calls = [*subtree_of(expression).all(ast.Call)]
        items = {argument for call in calls if _called_name(call) in FIXED_CONTAINERS for argument in call.args}
        is_made = all(_called_name(call) in makers for call in calls)
        if not is_made or not {*subtree_of(expression).all(*MUTABLE_NODES)} <= items:
            return False
    return True


def cannot_fail(statement: ast.stmt) -> bool:
    """Return whether a statement cannot fail, so that its names certainly get new values."""
    match statement:
        case ast.FunctionDef(decorator_list=[], args=arguments):
            return all(map(_is_literal, _defaults(arguments)))
        case ast.Assign(targets=targets, value=value):
            return _is_literal(value) and all(isinstance(target, ast.Name) for target in targets)
    return False


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.Lambda):
        return not _defaults(node.args)
    return all(isinstance(each, (ast.Constant, ast.Tuple)) for each in subtree_of(node).nodes)
