"""Mutants: references with one small change. `equivalent_mutants.toml` lists mutants that are right answers."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache

from autograder.prove.operators import replacements, siblings_in
from autograder.toml import Name, Text, Texts, line_of, read_text, read_toml
from autograder.units.pack import UnitError
from autograder.units.unit import Exercise, PassedBy, Unit
from course.exam.readable import one_line

NUMBER_TYPES = (int, bool, float, Fraction)
NUMBER_FUNCTIONS = ("abs", "int", "len", "ord", "sum")
COMMUTATIVE_NUMBERS = (ast.Add, ast.BitAnd, ast.BitOr, ast.BitXor)  # `+` joins texts, and `|` merges dicts


def number_names(unit: Unit, exercise: Exercise) -> frozenset[str]:
    """Return the names that are certainly numbers: parameters, and fields of given types (such as `.points`)."""
    given = vars(unit.module)
    types = [thing for thing in given.values() if isinstance(thing, type) and is_dataclass(thing)]
    parts = [(f".{field.name}", _is_number_type(field.type, given)) for each in types for field in fields(each)]
    others = {name for name, is_number in parts if not is_number}
    plain = [each for each in exercise.parameters if each.passing not in (PassedBy.MANY, PassedBy.MANY_NAMED)]
    named = {each.name for each in plain if _is_number_type(each.annotation, given)}
    return frozenset({name for name, _ in parts} - others | named)


def _is_number_type(annotation: object, given: Mapping[str, object]) -> bool:
    try:
        kind = eval(annotation, dict(given)) if isinstance(annotation, str) else annotation
    except Exception:
        return False
    return kind in NUMBER_TYPES


def is_number(node: ast.expr, names: Collection[str]) -> bool:
    """Return whether an expression is certainly a number. `names` are names that are certainly numbers.

    >>> [is_number(ast.parse(code, mode="eval").body, ["n"]) for code in ("n + x", "x.n", "-x", "x + x", "sum(x, ())")]
    [True, False, True, False, False]
    """
    match node:
        case ast.Constant(value):
            return isinstance(value, NUMBER_TYPES)
        case ast.Name(name):
            return name in names
        case ast.Attribute(attr=name):
            return f".{name}" in names
        case ast.BinOp(left, ast.Add(), right):
            return is_number(left, names) or is_number(right, names)
        case ast.UnaryOp(ast.USub()) | ast.BinOp(op=ast.Sub() | ast.FloorDiv()) | ast.Call(ast.Attribute(attr="count")):
            return True
    return _is_pure_call(node)


def _is_pure_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in NUMBER_FUNCTIONS and len(node.args) == 1


def _may_have_effects(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Call) and not _is_pure_call(each) for each in ast.walk(node))


def is_same(parent: ast.AST, node: ast.AST, new: ast.AST, numbers: Collection[str]) -> bool:
    """Return whether a node can be replaced by `new` without changing a value or an effect.

    `numbers` are names that are certainly numbers.
    """
    match node, new:
        case ast.BinOp(left, op, right), ast.BinOp() if (new.left, new.right) == (right, left):
            has_number = is_number(left, numbers) or is_number(right, numbers)
            is_commutative = isinstance(op, ast.Mult) or (isinstance(op, COMMUTATIVE_NUMBERS) and has_number)
            return is_commutative and not (_may_have_effects(left) and _may_have_effects(right))
        case ast.Compare(ast.Call(ast.Name("len")), [ast.Eq()], [ast.Constant(0)]), ast.Compare(ops=[ast.LtE()]):
            return True
        case ast.Tuple(items), ast.Tuple(others) if {*items} == {*others} and isinstance(parent, ast.Compare):
            return node is parent.comparators[-1] and isinstance(parent.ops[-1], ast.In | ast.NotIn)
    return False


Key = tuple[str, str, str, str]
NOT_CODE = ("annotation", "returns", "ctx", "type_comment", "op", "ops")


@dataclass(frozen=True)
class Mutant:
    """A reference with one change: the original lines (`line`), the changed lines (`becomes`), and the new source."""

    unit: Unit
    exercise: str
    line: str
    becomes: str
    source: str

    @property
    def key(self) -> Key:
        return self.unit.name, self.exercise, self.line, self.becomes

    def __str__(self) -> str:
        """Return the changed lines as a diff."""
        old, new = (text.replace("\n", "\n  ") for text in (self.line, self.becomes))
        return f"{self.unit.name}.{self.exercise}\n- {old}\n+ {new}"


@dataclass(frozen=True)
class NodePosition:
    """The position of a node in its syntax tree."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def positions(tree: ast.AST) -> Iterator[NodePosition]:
    """Yield the positions of all nodes in a syntax tree, except in annotations."""
    for field, value in ast.iter_fields(tree):
        nodes = value if isinstance(value, list) else [value]
        for index, node in enumerate(nodes) if field not in NOT_CODE else ():
            if isinstance(node, ast.AST):
                yield NodePosition(tree, field, index if isinstance(value, list) else None, node)
                yield from positions(node)


@cache
def mutants_of(unit: Unit, exercise: Exercise) -> tuple[Mutant, ...]:
    """Return the mutants of an exercise.

    No two have the same text, and none is right for a simple reason of algebra.
    """
    tree = ast.parse(exercise.source)
    match tree.body[0]:
        case ast.FunctionDef(body=[ast.Expr(ast.Constant(str())), *rest]) as function:
            function.body = rest  # without the docstring
    original = ast.unparse(tree)
    changed = changed_texts(tree, unit, number_names(unit, exercise))
    texts = [text for text in dict.fromkeys(changed) if text != original and compiles(text)]
    return tuple(Mutant(unit, exercise.name, *changed_lines(original, text), text) for text in texts)


def all_mutants(unit: Unit) -> tuple[Mutant, ...]:
    """Return the mutants of all exercises of a unit."""
    return tuple(mutant for exercise in unit.exercises for mutant in mutants_of(unit, exercise))


def changed_texts(tree: ast.Module, unit: Unit, numbers: Collection[str] = ()) -> Iterator[str]:
    """Yield the text of a syntax tree with one node replaced, for each node and each possible replacement.

    Replacements that are right for a simple reason of algebra are left out. `numbers` are names that are certainly
    numbers.
    """
    siblings = siblings_in(tree, unit)
    for position in list(positions(tree)):
        for node in replacements(position.node, siblings):
            if not is_same(position.parent, position.node, node, numbers):
                position.put(node)
                yield ast.unparse(tree)
                position.put(position.node)


def compiles(text: str) -> bool:
    """Return whether a text compiles. A mutant may not: for example, only the last `match` arm may match everything."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<mutant>", "exec")
        except (SyntaxError, ValueError):
            return False
    return True


def changed_lines(old: str, new: str) -> tuple[str, str]:
    r"""Return the lines that differ, from the old text and from the new one.

    >>> changed_lines("a\n  b\nc\nd", "a\nc\n  b\nd")
    ('b\nc', 'c\nb')
    """
    one, other = ([line.strip() for line in text.splitlines()] for text in (old, new))
    while one and other and one[0] == other[0]:
        del one[0], other[0]
    while one and other and one[-1] == other[-1]:
        del one[-1], other[-1]
    return "\n".join(one), "\n".join(other)


EQUIVALENT_FILE = "equivalent_mutants.toml"


@dataclass(frozen=True)
class OpenExercise:
    """An exercise whose mutants may all be right answers."""

    unit: Name
    """The unit."""
    exercise: Name
    """The exercise."""
    because: Text
    """The reason why such answers are right."""


@dataclass(frozen=True)
class Equivalent(OpenExercise):
    """A line of a reference, and changed lines that may replace it in a right answer."""

    line: Text
    """The line or lines of the reference."""
    becomes: Texts
    """The changed line or lines."""


@dataclass(frozen=True)
class RightMutants:
    """The content of `equivalent_mutants.toml`."""

    open: tuple[OpenExercise, ...] = ()
    """Exercises of which any mutant may be right."""
    equivalent: tuple[Equivalent, ...] = ()
    """Single mutants that are right."""


@cache
def listed_mutants(unit: Unit) -> RightMutants:
    """Return the mutants that a unit's pack lists as right."""
    path = unit.pack.folder("right") / EQUIVALENT_FILE
    return read_toml(path, RightMutants, UnitError) if path.exists() else RightMutants()


def stale_mutants(unit: Unit) -> Iterator[str]:
    """Yield a line, with file and line number, for each change in `equivalent_mutants.toml` that is no mutant."""
    keys, path = {mutant.key for mutant in all_mutants(unit)}, unit.pack.folder("right") / EQUIVALENT_FILE
    for number, entry in enumerate(listed_mutants(unit).equivalent):
        for becomes in entry.becomes if entry.unit == unit.name else ():
            if (unit.name, entry.exercise, entry.line, becomes) not in keys:
                line = line_of(read_text(path, UnitError), "equivalent", number, "becomes")
                wrong = f"no mutant of {entry.exercise} becomes {one_line(becomes, 200)!r}. Remove it"
                yield f"{path}:{line}: {wrong}"


def is_right(mutant: Mutant) -> bool:
    """Return whether the exam may accept a mutant, because it is listed or belongs to an open exercise."""
    unit, exercise, line, becomes = mutant.key
    listed = listed_mutants(mutant.unit)
    return any((each.unit, each.exercise) == (unit, exercise) for each in listed.open) or any(
        (each.unit, each.exercise, each.line) == (unit, exercise, line) and becomes in each.becomes
        for each in listed.equivalent
    )
