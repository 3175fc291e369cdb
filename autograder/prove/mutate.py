"""Mutants: references that are changed in one place. Exams must refuse mutants that behave differently.

`MUTATION_OPERATORS` make the changes. `equivalent_mutants.toml` lists mutants that are right answers.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import warnings
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from itertools import groupby, pairwise
from types import ModuleType
from typing import TypeVar

from autograder.toml import Name, Text, Texts, line_number_of, read_text, read_toml
from autograder.units.pack import UnitError
from autograder.units.unit import Exercise, PassingMode, Unit
from course.exam.readable import one_line

# ------------------------------------------------------------------------------------------------ names of one kind


SiblingNames = dict[str, tuple[str, ...]]


def siblings_in(tree: ast.Module, unit: Unit) -> tuple[SiblingNames, SiblingNames]:
    """Return which other names can replace each name in a reference, and which attributes can replace each attribute.

    All local variables can replace each other. The name of an exercise, or a given name, can be replaced by another
    such name of the same type.
    """
    local = dict[str, None]()
    for node in ast.walk(tree):
        match node:
            case ast.arg(name) | ast.Name(name, ast.Store()) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
                local[name] = None
    names, attributes = _siblings_in_unit(unit)
    return names | {name: tuple(other for other in local if other != name) for name in local}, attributes


@cache
def _siblings_in_unit(unit: Unit) -> tuple[SiblingNames, SiblingNames]:
    functions = ((("function", exercise_type(exercise)), exercise.name) for exercise in unit.exercises)
    things = {name: getattr(unit.module, name) for name in unit.module.__all__}
    classes = {name: thing for name, thing in things.items() if isinstance(thing, type)}
    members = [(name, member.name) for name, cls in classes.items() if issubclass(cls, Enum) for member in cls]
    parts = [
        ((name, str(field.type)), field.name)
        for name, cls in classes.items()
        if is_dataclass(cls)
        for field in fields(cls)
    ]
    return siblings_by_name([*functions, *_kinds_of_given(unit.module)]), siblings_by_name([*members, *parts])


def siblings_by_name(kinds: Iterable[tuple[Hashable, str]]) -> SiblingNames:
    """Map each name to the other names of the same kind. `kinds` has a pair (kind, name) for each name."""
    groups = groupby(sorted(kinds, key=repr), key=lambda pair: pair[0])
    families = [tuple(dict.fromkeys(name for _, name in group)) for _, group in groups]
    others_of: SiblingNames = {}
    for family in families:
        for name in family:
            others_of[name] = (*others_of.get(name, ()), *(other for other in family if other != name))
    return others_of


def exercise_type(exercise: Exercise) -> str:
    """Return the type of an exercise, in the form of an annotation."""
    if isinstance(exercise.node, ast.AnnAssign):
        return ast.unparse(exercise.node.annotation)
    assert isinstance(exercise.node, ast.FunctionDef)
    taken = ", ".join(parameter.annotation for parameter in exercise.parameters)
    return f"Callable[[{taken}], {ast.unparse(exercise.node.returns) if exercise.node.returns else ''}]"


def _kinds_of_given(module: ModuleType) -> Iterator[tuple[Hashable, str]]:
    probes = getattr(module, "PROBES", ())
    for name in module.__all__:
        thing = getattr(module, name)
        if inspect.isfunction(thing) and thing not in probes:
            signature = inspect.signature(thing)
            taken = ", ".join(str(parameter.annotation) for parameter in signature.parameters.values())
            yield ("function", f"Callable[[{taken}], {signature.return_annotation}]"), name
        elif is_dataclass(thing) and isinstance(thing, type):
            yield ("class", tuple(str(field.type) for field in fields(thing))), name
        elif name.isupper() and isinstance(thing, (int, str, Enum)):
            yield ("constant", type(thing).__name__), name


# ------------------------------------------------------------------------------------------------ changes of a node


T = TypeVar("T")
A = TypeVar("A", bound=ast.AST)
Nodes = Iterator[ast.AST]

OTHER_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq, ast.GtE, ast.LtE),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OTHER_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
OTHER_FUNCTIONS = dict(
    pair
    for one, other in (("min", "max"), ("any", "all"), ("fold_left", "fold_right"), ("filter", "map"), ("sum", "len"))
    for pair in ((one, other), (other, one))
)
CONVERSION_FUNCTIONS = ("tuple", "frozenset", "str", "enumerate")


def changed_copy(node: A, **fields: object) -> A:
    """Return a copy of a node with some fields changed."""
    new = copy(node)
    vars(new).update(fields)
    return new


def with_item_replaced(items: Sequence[T], index: int, *new: T) -> list[T]:
    """Return the items, with the item at `index` replaced by the items in `new`."""
    return [*items[:index], *new, *items[index + 1 :]]


def without_one(items: Sequence[T]) -> Iterator[list[T]]:
    return (with_item_replaced(items, index) for index in range(len(items)))


def with_neighbors_swapped(items: Sequence[T]) -> Iterator[list[T]]:
    return ([*items[:i], items[i + 1], items[i], *items[i + 2 :]] for i in range(len(items) - 1))


def changed_comparisons(node: ast.AST) -> Nodes:
    """Yield the comparison with another operator, such as `<=` for `<`, or without its first or last operand."""
    match node:
        case ast.Compare(ops=ops, comparators=comparators):
            for index, op in enumerate(ops):
                yield from (
                    changed_copy(node, ops=with_item_replaced(ops, index, new())) for new in OTHER_COMPARISONS[type(op)]
                )
            if len(ops) > 1:
                yield changed_copy(node, ops=ops[:-1], comparators=comparators[:-1])
                yield changed_copy(node, left=comparators[0], ops=ops[1:], comparators=comparators[1:])


def changed_constants(node: ast.AST) -> Nodes:
    """Yield a number plus or minus one, the other boolean, or a text with one character added or removed."""
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(str(text)):
            yield from (ast.Constant(new) for new in {f"{text}X", text[1:], text.strip()} - {text})


def changed_arithmetic(node: ast.AST) -> Nodes:
    """Yield the expression with another operator or with swapped operands, or one of its operands alone."""
    match node:
        case ast.BinOp(left, op, right):
            yield from (changed_copy(node, op=new()) for new in [OTHER_ARITHMETIC.get(type(op))] if new)
            yield from (left, right)
            if not any(isinstance(side, ast.Constant) for side in (left, right)):
                yield changed_copy(node, left=right, right=left)
        case ast.UnaryOp(ast.USub(), operand):
            yield operand


def negations_of(test: ast.expr) -> Iterator[ast.expr]:
    """Yield the negation of a condition, unless `changed_comparisons` already yields this negation."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        yield test.operand if isinstance(test, ast.UnaryOp) else ast.UnaryOp(ast.Not(), test)


def changed_conditions(node: ast.AST) -> Nodes:
    """Yield the node with its condition negated, left out, or replaced by True or False."""
    match node:
        case ast.If(test) | ast.IfExp(test):
            yield from (
                changed_copy(node, test=new) for new in (ast.Constant(True), ast.Constant(False), *negations_of(test))
            )
        case ast.comprehension(ifs=ifs):
            yield from (changed_copy(node, ifs=rest) for rest in without_one(ifs))
            yield from (
                changed_copy(node, ifs=with_item_replaced(ifs, i, new))
                for i, test in enumerate(ifs)
                for new in negations_of(test)
            )
        case ast.match_case(guard=ast.expr() as guard):
            yield from (changed_copy(node, guard=new) for new in (None, *negations_of(guard)))
        case ast.BoolOp(op, values):
            yield changed_copy(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            yield from (changed_copy(node, values=rest) if len(rest) > 1 else rest[0] for rest in without_one(values))
        case ast.UnaryOp(ast.Not(), operand):
            yield operand


def changed_arguments(node: ast.AST) -> Nodes:
    """Yield the call with two neighboring arguments swapped, or without one keyword argument.

    The argument `strict` of `zip` is never left out, because right calls have the same result without it.
    """
    match node:
        case ast.Call(args=args, keywords=keywords):
            if not any(isinstance(arg, ast.Starred) for arg in args):
                yield from (changed_copy(node, args=new) for new in with_neighbors_swapped(args))
            if not any(keyword.arg == "strict" for keyword in keywords):
                yield from (changed_copy(node, keywords=rest) for rest in without_one(keywords))


def changed_calls(node: ast.AST) -> Nodes:
    """Yield parts that replace a call: its first and last argument, or, for a method, its object and first argument.

    A statement that only calls a function, and a `raise` statement, become `pass`. If a function has several
    decorators, one of them is left out.
    """
    match node:
        case ast.Call(ast.Name(name), args) if name not in CONVERSION_FUNCTIONS:
            ends = {id(arg): arg for arg in (*args[:1], *args[-1:]) if not isinstance(arg, ast.Starred)}
            yield from ends.values()
        case ast.Call(ast.Attribute(owner), args):
            yield owner
            yield from args[:1]
        case ast.Expr(ast.Call()) | ast.Raise():
            yield ast.Pass()
        case ast.FunctionDef(decorator_list=[_, *_] as decorators):
            yield from (changed_copy(node, decorator_list=rest) for rest in without_one(decorators))


def confused_functions(node: ast.AST) -> Nodes:
    """Yield the function that is easily confused with this function, such as `min` for `max`.

    Also yield `f(f(x))` for `f(x)`, unless `f` is a class: `Counter(Counter(x))` is the same counter.
    """
    match node:
        case ast.Call(ast.Name(name), [arg]) if (
            name[0].islower() and not hasattr(builtins, name) and not isinstance(arg, ast.Starred)
        ):
            yield changed_copy(node, args=[node])
        case ast.Name(name, ast.Load()) if name in OTHER_FUNCTIONS:
            yield ast.Name(OTHER_FUNCTIONS[name], ast.Load())


def changed_arms(node: ast.AST) -> Nodes:
    """Yield the `match` statement without one of its arms, or with two arms swapped if a value can match both."""
    match node:
        case ast.Match(cases=cases) if len(cases) > 1:
            yield from (changed_copy(node, cases=rest) for rest in without_one(cases))
            for (one, other), new in zip(pairwise(cases), with_neighbors_swapped(cases), strict=True):
                if not are_disjoint(one.pattern, other.pattern):
                    yield changed_copy(node, cases=new)


def are_disjoint(one: ast.pattern, other: ast.pattern) -> bool:
    """Return whether no value can match both patterns.

    Patterns of different classes are disjoint, because no class of the course inherits from another.
    """
    match one, other:
        case ast.MatchOr(alternatives), _:
            return all(are_disjoint(alternative, other) for alternative in alternatives)
        case _, ast.MatchOr():
            return are_disjoint(other, one)
        case (ast.MatchClass(a, parts), ast.MatchClass(b, others)) if ast.dump(a) == ast.dump(b):
            return any(map(are_disjoint, parts, others))
        case (ast.MatchClass(), ast.MatchClass()):
            return True
        case ast.MatchValue(a), ast.MatchValue(b):
            return ast.dump(a) != ast.dump(b)
        case ast.MatchSequence(parts), ast.MatchSequence(others):
            has_star = any(isinstance(part, ast.MatchStar) for part in (*parts, *others))
            return not has_star and (len(parts) != len(others) or any(map(are_disjoint, parts, others)))
    return False


def changed_patterns(node: ast.AST) -> Nodes:
    """Yield a pattern that matches everything, and copies without one alternative or with two parts swapped."""
    match node:
        case ast.MatchOr(alternatives):
            yield ast.MatchAs()
            for rest in without_one(alternatives):
                yield changed_copy(node, patterns=rest) if len(rest) > 1 else rest[0]
        case ast.MatchClass(patterns=parts) | ast.MatchSequence(parts):
            yield ast.MatchAs()
            yield from (changed_copy(node, patterns=new) for new in with_neighbors_swapped(parts))
        case ast.MatchValue():
            yield ast.MatchAs()


def bounds_off_by_one(node: ast.expr | None) -> Iterator[ast.expr]:
    """Yield a bound plus one, and the bound minus one.

    A bound that is a literal is left out, because `changed_constants` changes it.
    """
    if node is not None and not isinstance(node, (ast.Constant, ast.UnaryOp)):
        yield from (ast.BinOp(node, op, ast.Constant(1)) for op in (ast.Add(), ast.Sub()))


def changed_bounds(node: ast.AST) -> Nodes:
    """Yield a slice or range with a bound left out or off by one, or a complete sequence instead of a slice or item."""
    match node:
        case ast.Slice():
            for name, bound in ast.iter_fields(node):
                yield from (
                    changed_copy(node, **{name: new})
                    for new in (*bounds_off_by_one(bound), *[None] * (bound is not None))
                )
        case ast.Subscript(value, index, ast.Load()):
            yield value
            if not isinstance(index, (ast.Slice, ast.UnaryOp)):
                yield from (changed_copy(node, slice=new) for new in bounds_off_by_one(index))
        case ast.Call(ast.Name("range"), args):
            yield from (
                changed_copy(node, args=with_item_replaced(args, i, new))
                for i, arg in enumerate(args)
                for new in bounds_off_by_one(arg)
            )


def changed_orders(node: ast.AST) -> Nodes:
    """Yield a tuple with two of its parts swapped, or with one part left out."""
    match node:
        case ast.Tuple(parts):
            yield from (changed_copy(node, elts=new) for new in with_neighbors_swapped(parts))
            yield from (changed_copy(node, elts=rest) for rest in without_one(parts) if isinstance(node.ctx, ast.Load))
        case ast.Set([_, _, *_] as parts):
            yield from (changed_copy(node, elts=rest) for rest in without_one(parts))
        case ast.Dict(values=values):
            yield from (changed_copy(node, values=new) for new in with_neighbors_swapped(values))


MUTATION_OPERATORS = (
    changed_comparisons,
    changed_constants,
    changed_arithmetic,
    changed_conditions,
    changed_arguments,
    changed_calls,
    confused_functions,
    changed_arms,
    changed_patterns,
    changed_bounds,
    changed_orders,
)


def replacements(node: ast.AST, siblings: tuple[SiblingNames, SiblingNames]) -> Nodes:
    """Yield all nodes that can replace a node to make a wrong answer. `siblings` is the result of `siblings_in`."""
    names, attributes = siblings
    for operator in MUTATION_OPERATORS:
        yield from operator(node)
    match node:
        case ast.Name(name, ast.Load()) if not hasattr(builtins, name):
            yield from (ast.Name(other, ast.Load()) for other in names.get(name, ()))
        case ast.Attribute(owner, name, ast.Load()):
            yield from (ast.Attribute(owner, other, ast.Load()) for other in attributes.get(name, ()))


# ------------------------------------------------------------------------------------------------ equivalent changes


NUMBER_TYPES = (int, bool, float, Fraction)
NUMBER_FUNCTIONS = ("abs", "int", "len", "ord", "sum")
COMMUTATIVE_OPERATORS = (ast.Add, ast.BitAnd, ast.BitOr, ast.BitXor)  # `+` joins texts, and `|` merges dicts


def number_names(unit: Unit, exercise: Exercise) -> frozenset[str]:
    """Return names whose values are certainly numbers: parameters, and fields of given types (such as `.points`)."""
    given = vars(unit.module)
    types = [thing for thing in given.values() if isinstance(thing, type) and is_dataclass(thing)]
    parts = [(f".{field.name}", _is_number_type(field.type, given)) for each in types for field in fields(each)]
    others = {name for name, is_number in parts if not is_number}
    plain = [each for each in exercise.parameters if each.passing not in (PassingMode.MANY, PassingMode.MANY_NAMED)]
    named = {each.name for each in plain if _is_number_type(each.annotation, given)}
    return frozenset({name for name, _ in parts} - others | named)


def _is_number_type(annotation: object, given: Mapping[str, object]) -> bool:
    try:
        kind = eval(annotation, dict(given)) if isinstance(annotation, str) else annotation
    except Exception:
        return False
    return kind in NUMBER_TYPES


def is_number(node: ast.expr, names: Collection[str]) -> bool:
    """Return whether the value of an expression is certainly a number.

    `names` are names whose values are certainly numbers.

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


def is_equivalent_change(parent: ast.AST, node: ast.AST, new: ast.AST, numbers: Collection[str]) -> bool:
    """Return whether a node can be replaced by `new` without changing a value or an effect.

    `numbers` are names whose values are certainly numbers.
    """
    match node, new:
        case ast.BinOp(left, op, right), ast.BinOp() if (new.left, new.right) == (right, left):
            has_number = is_number(left, numbers) or is_number(right, numbers)
            is_commutative = isinstance(op, ast.Mult) or (isinstance(op, COMMUTATIVE_OPERATORS) and has_number)
            return is_commutative and not (_may_have_effects(left) and _may_have_effects(right))
        case ast.Compare(ast.Call(ast.Name("len")), [ast.Eq()], [ast.Constant(0)]), ast.Compare(ops=[ast.LtE()]):
            return True
        case ast.Tuple(items), ast.Tuple(others) if {*items} == {*others} and isinstance(parent, ast.Compare):
            return node is parent.comparators[-1] and isinstance(parent.ops[-1], ast.In | ast.NotIn)
    return False


# ------------------------------------------------------------------------------------------------ mutants


MutantKey = tuple[str, str, str, str]
FIELDS_WITHOUT_CODE = ("annotation", "returns", "ctx", "type_comment", "op", "ops")


@dataclass(frozen=True)
class Mutant:
    """A reference with one change: the original lines (`line`), the changed lines (`becomes`), and the new source."""

    unit: Unit
    exercise: str
    line: str
    becomes: str
    source: str

    @property
    def key(self) -> MutantKey:
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

    def replace_node(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def node_positions(tree: ast.AST) -> Iterator[NodePosition]:
    """Yield the positions of all nodes in a syntax tree, except in annotations."""
    for field, value in ast.iter_fields(tree):
        nodes = value if isinstance(value, list) else [value]
        for index, node in enumerate(nodes) if field not in FIELDS_WITHOUT_CODE else ():
            if isinstance(node, ast.AST):
                yield NodePosition(tree, field, index if isinstance(value, list) else None, node)
                yield from node_positions(node)


@cache
def mutants_of(unit: Unit, exercise: Exercise) -> tuple[Mutant, ...]:
    """Return the mutants of an exercise.

    All mutants have different texts. Replacements that cannot change a result, such as `b * a` for `a * b`, are left
    out. Changes to the arguments of an exception are also left out, unless the exam compares these arguments.
    """
    tree = ast.parse(exercise.source)
    match tree.body[0]:
        case ast.FunctionDef(body=[ast.Expr(ast.Constant(str())), *rest]) as function:
            function.body = rest  # without the docstring
    original = ast.unparse(tree)
    compared = str if exercise.shows_args else partial(re.compile(r"(\braise [\w.]+)\(.*\)").sub, r"\1")
    made = mutant_texts(tree, unit, number_names(unit, exercise))
    texts = [text for text in dict.fromkeys(made) if compared(text) != compared(original) and compiles(text)]
    return tuple(Mutant(unit, exercise.name, *differing_lines(original, text), text) for text in texts)


def all_mutants(unit: Unit) -> tuple[Mutant, ...]:
    """Return the mutants of all exercises of a unit."""
    return tuple(mutant for exercise in unit.exercises for mutant in mutants_of(unit, exercise))


def mutant_texts(tree: ast.Module, unit: Unit, numbers: Collection[str] = ()) -> Iterator[str]:
    """Yield the text of a syntax tree with one node replaced, for each node and each possible replacement.

    Replacements that cannot change a result, such as `b + a` for `a + b` with numbers, are left out. `numbers` are
    names whose values are certainly numbers.
    """
    siblings = siblings_in(tree, unit)
    for position in list(node_positions(tree)):
        for node in replacements(position.node, siblings):
            if not is_equivalent_change(position.parent, position.node, node, numbers):
                position.replace_node(node)
                yield ast.unparse(tree)
                position.replace_node(position.node)


def compiles(text: str) -> bool:
    """Return whether a text compiles.

    Some mutants do not compile. For example, a `match` arm that matches everything must be the last one.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<mutant>", "exec")
        except (SyntaxError, ValueError):
            return False
    return True


def differing_lines(old: str, new: str) -> tuple[str, str]:
    r"""Return the lines of the old text and the lines of the new text that differ.

    >>> differing_lines("a\n  b\nc\nd", "a\nc\n  b\nd")
    ('b\nc', 'c\nb')
    """
    one, other = ([line.strip() for line in text.splitlines()] for text in (old, new))
    while one and other and one[0] == other[0]:
        del one[0], other[0]
    while one and other and one[-1] == other[-1]:
        del one[-1], other[-1]
    return "\n".join(one), "\n".join(other)


# ------------------------------------------------------------------------------------------------ right mutants


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
class EquivalentMutants(OpenExercise):
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
    equivalent: tuple[EquivalentMutants, ...] = ()
    """Single mutants that are right."""


@cache
def listed_right_mutants(unit: Unit) -> RightMutants:
    """Return the mutants that a unit's pack lists as right."""
    path = unit.pack.folder("right") / EQUIVALENT_FILE
    return read_toml(path, RightMutants, UnitError) if path.exists() else RightMutants()


def stale_mutant_messages(unit: Unit) -> Iterator[str]:
    """Yield a message, with file and line, for each entry in `equivalent_mutants.toml` that matches no mutant."""
    keys, path = {mutant.key for mutant in all_mutants(unit)}, unit.pack.folder("right") / EQUIVALENT_FILE
    for number, entry in enumerate(listed_right_mutants(unit).equivalent):
        for becomes in entry.becomes if entry.unit == unit.name else ():
            if (unit.name, entry.exercise, entry.line, becomes) not in keys:
                line = line_number_of(read_text(path, UnitError), "equivalent", number, "becomes")
                yield f"{path}:{line}: no mutant of {entry.exercise} becomes {one_line(becomes, 200)!r}. Remove it"


def is_right(mutant: Mutant) -> bool:
    """Return whether the exam may accept a mutant: the mutant is listed as right, or its exercise is open."""
    unit, exercise, line, becomes = mutant.key
    listed = listed_right_mutants(mutant.unit)
    return any((each.unit, each.exercise) == (unit, exercise) for each in listed.open) or any(
        (each.unit, each.exercise, each.line) == (unit, exercise, line) and becomes in each.becomes
        for each in listed.equivalent
    )
