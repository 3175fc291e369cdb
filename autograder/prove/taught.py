"""Find out which syntax and which words a reference needs that no earlier lesson has shown."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from textwrap import dedent
from typing import TypeAlias

import jupytext

from autograder.units.pages import given_names
from autograder.units.unit import Exercise, Unit, read_unit
from course.syntax import bound_names, names_in

Tools: TypeAlias = frozenset[str]
ShownTools: TypeAlias = tuple[Tools, Tools]  # forms of syntax, and words

# What a reader knows after one semester of Python without functional programming.
BASIC_WORDS = frozenset(
    [
        "abs",
        "bool",
        "dict",
        "float",
        "input",
        "int",
        "len",
        "list",
        "max",
        "min",
        "open",
        "print",
        "range",
        "round",
        "set",
        "sorted",
        "str",
        "sum",
        "tuple",
        "append",
        "join",
        "lower",
        "split",
        "strip",
        "upper",
        "True",
        "False",
        "None",
        "ValueError",
    ]
)
INNER_FUNCTION = "a function in a function"
NAME = re.compile(r"[^\W\d]\w*")
FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
INLINE = re.compile(r"`([^`]+)`|<code>(.*?)</code>", re.DOTALL)
PROMPT = re.compile(r"^(?:>>>|\.\.\.)(?: |$)", re.MULTILINE)
PREDICTED = re.compile(r'predict\(\s*"""(.*?)"""', re.DOTALL)
NODES: dict[type[ast.AST], str] = {
    ast.Lambda: "`lambda`",
    ast.GeneratorExp: "a comprehension",
    ast.ListComp: "a comprehension",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dict comprehension",
    ast.IfExp: "`… if … else …`",
    ast.NamedExpr: "`:=`",
    ast.Match: "`match`",
    ast.MatchClass: "a class in a pattern",
    ast.MatchOr: "`|` in a pattern",
    ast.MatchSequence: "a tuple in a pattern",
    ast.MatchStar: "a star in a pattern",
    ast.Raise: "`raise`",
    ast.Try: "`try`",
    ast.With: "`with`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield`",
    ast.Is: "`is`",
    ast.IsNot: "`is not`",
}


def _has_star(items: Iterable[ast.AST]) -> bool:
    return any(isinstance(each, ast.Starred) for each in items)


def _is_tuple_with_star(node: ast.AST, ctx: type[ast.expr_context]) -> bool:
    return isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ctx) and _has_star(node.elts)


SPECIAL_FORMS: dict[str, Callable[[ast.AST], object]] = {  # those for which the type of a node is not enough
    "a condition in a comprehension": lambda node: isinstance(node, ast.comprehension) and node.ifs,
    "two `for`s in a comprehension": lambda node: len(getattr(node, "generators", ())) > 1,
    "a chain of comparisons, `a < b < c`": lambda node: isinstance(node, ast.Compare) and len(node.ops) > 1,
    "a slice with a step": lambda node: isinstance(node, ast.Slice) and node.step,
    "a star in a call": lambda node: isinstance(node, ast.Call) and _has_star(node.args),
    "a star in a tuple": lambda node: _is_tuple_with_star(node, ast.Load),
    "a star on the left of `=`": lambda node: _is_tuple_with_star(node, ast.Store),
    INNER_FUNCTION: (
        lambda node: isinstance(node, ast.FunctionDef) and any(isinstance(each, ast.FunctionDef) for each in node.body)
    ),
    "a function that calls itself": lambda node: isinstance(node, ast.FunctionDef) and node.name in words_in(node),
    "a guard": lambda node: isinstance(node, ast.match_case) and node.guard,
    "`as` in a pattern": lambda node: isinstance(node, ast.MatchAs) and node.pattern,
    "a name with a dot in a pattern": (
        lambda node: isinstance(node, ast.MatchValue) and isinstance(node.value, ast.Attribute)
    ),
    "a number or text in a pattern": (
        lambda node: isinstance(node, ast.MatchValue) and not isinstance(node.value, ast.Attribute)
    ),
    "`None` in a pattern": lambda node: isinstance(node, ast.MatchSingleton) and node.value is None,
    "`True` in a pattern": lambda node: isinstance(node, ast.MatchSingleton) and node.value is True,
    "`False` in a pattern": lambda node: isinstance(node, ast.MatchSingleton) and node.value is False,
}


# ------------------------------------------------------------------------------------------------ used by references


def forms_in(tree: ast.AST) -> Iterator[str]:
    """Yield the names of syntax forms in `tree` that somebody may not know after one semester of Python."""
    for node in ast.walk(tree):
        if form := NODES.get(type(node)):
            yield form
        yield from (form for form, is_used in SPECIAL_FORMS.items() if is_used(node))


def words_in(tree: ast.AST) -> Iterator[str]:
    """Yield the words in a syntax tree that a reader must know: names, methods, and keywords of built-in functions."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word):
                yield word
            case ast.ImportFrom(names=names):
                yield from (each.asname or each.name for each in names)
            case ast.Call(func=ast.Name(id=name), keywords=keywords) if hasattr(builtins, name):
                yield from (f"{each.arg}=" for each in keywords if each.arg)


def needed(exercise: Exercise) -> ShownTools:
    """Return the syntax forms and the words that a reference needs. Its docstring and annotations do not count."""
    bare = ast.parse(exercise.source)
    for node in ast.walk(bare):  # take away what its stub already contains: annotations, decorators, the docstring
        match node:
            case ast.arg():
                node.annotation = None
            case ast.FunctionDef():
                node.returns = None
            case ast.AnnAssign():
                node.annotation = ast.Constant("")
    for each in (each for each in bare.body if isinstance(each, ast.FunctionDef)):
        each.decorator_list, each.body = [], each.body[1:]
    outer = names_in(ast.unparse(bare)) - {exercise.name}
    words = frozenset(words_in(bare))
    local = {node.id for node in ast.walk(bare) if isinstance(node, ast.Name)} - outer
    forms = set(forms_in(bare)) - ({INNER_FUNCTION} if exercise.helpers else set())  # helpers may be anywhere
    return frozenset(forms), words - local - {exercise.name}


# ------------------------------------------------------------------------------------------------ shown in lessons


def shown_by(codes: Iterable[str]) -> ShownTools:
    """Return the syntax forms and the words in pieces of code. A piece that cannot be parsed has only words."""
    forms, words = set[str](), set[str]()
    for code in codes:
        tree = piece_tree(code)
        forms |= set(forms_in(tree)) if tree else set()
        words |= set(words_in(tree)) if tree else set(NAME.findall(code))
    return frozenset(forms), frozenset(words)


def piece_tree(code: str) -> ast.Module | None:
    """Return the syntax tree of a piece of code, or None if it cannot be parsed.

    The piece may also be a `case`, a decorator, or the first line of a block.

    >>> type(piece_tree("case ():").body[0]).__name__
    'Match'
    """
    head = code.rstrip(":")
    for text in (code, f"match _:\n    {head}:\n        pass", f"{head}:\n    pass", f"{code}\ndef _(): pass"):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError):
            continue
    return None


def codes_of(text: str) -> Iterator[str]:
    """Yield the code in a lesson or statement: blocks, examples without their results, and text in backquotes."""
    for language, block in FENCE.findall(text):
        if language in ("", "python"):
            yield block if not PROMPT.search(block) else _examples(block)
    rest = FENCE.sub("", text)
    yield _examples(rest)
    for ticked, tagged in INLINE.findall(rest):
        yield " ".join((ticked or tagged).split())


def _examples(text: str) -> str:
    """Return the code of a text's examples, without their results.

    >>> _examples("They add up:\\n    >>> sum((1, 2))\\n    3")
    'sum((1, 2))'
    """
    return "\n".join(PROMPT.sub("", line.strip()) for line in text.splitlines() if PROMPT.match(line.strip()))


@cache
def cells_of(unit: Unit) -> tuple[tuple[str, ShownTools], ...]:
    """Return a name for each cell of a unit, in order, with the syntax forms and the words that the cell shows.

    The name is that of the exercise that the cell defines, or "".
    """
    text = unit.pack.file("solutions", unit.name).read_text("utf-8")
    cells = jupytext.reads(text, fmt="py:percent").cells
    shown = list[tuple[str, ShownTools]]()
    for cell in cells:
        tree = piece_tree(cell.source) if cell.cell_type != "markdown" else None
        names = [name for each in (tree.body if tree else []) for name in bound_names(each) if name in unit.by_name]
        if names:
            shown.append((names[0], _stated(unit[names[0]])))
        elif cell.cell_type == "markdown":
            shown.append(("", shown_by(codes_of(cell.source))))
        else:
            shown.append(("", shown_by([cell.source, *map(dedent, PREDICTED.findall(cell.source))])))
    return tuple(shown)


def _stated(exercise: Exercise) -> ShownTools:
    """Return the forms and words that the statement of an exercise shows.

    Names with a capital letter need no backquotes.
    """
    named = {word for word in NAME.findall(exercise.docstring) if not word.islower()}
    parameters = {parameter.name for parameter in exercise.parameters}
    head = (line.removeprefix("@") for line in exercise.signature.splitlines() if line.startswith("@"))
    forms, words = shown_by([*codes_of(exercise.docstring), *head])
    return forms, words | named | parameters


# ------------------------------------------------------------------------------------------------------ comparison


def untaught(unit: Unit) -> Iterator[tuple[Exercise, tuple[str, ...]]]:
    """Yield each exercise, with the syntax forms and words of its reference that nothing before it has shown.

    Readers are assumed to know one semester of Python, and the earlier units of the pack. Fields of types and members
    of enumerations count as shown if the list of given names has them.
    """
    earlier = unit.pack.units[: unit.pack.units.index(unit.name)]
    shown = [each for name in earlier for _, each in cells_of(read_unit(unit.catalogue, name))]
    forms = frozenset[str]().union(*(each for each, _ in shown))
    words = BASIC_WORDS.union(unit.by_name, *(each for _, each in shown))
    for row in given_names(unit):
        name, _, parts = row.partition("(")
        words |= {*NAME.findall(row if ", " in name else parts)}
    assumed = {each.replace("`", "") for each in unit.policy.assumes}
    for name, (new_forms, new_words) in cells_of(unit):
        forms, words = forms | new_forms, words | new_words
        if name:
            used_forms, used_words = needed(unit[name])
            new = (*sorted(used_forms - forms), *(f"`{word}`" for word in sorted(used_words - words)))
            yield unit[name], tuple(each for each in new if each.replace("`", "") not in assumed)
            forms, words = forms | used_forms, words | used_words
