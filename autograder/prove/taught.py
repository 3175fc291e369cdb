"""A law: nothing is needed before it is taught. The law compares what references use with what was shown before."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from functools import cache
from textwrap import dedent
from typing import TypeAlias

import jupytext

from autograder.units.given import given_names
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


# ------------------------------------------------------------------------------------------------------ used by
# references


def forms_in(tree: ast.AST) -> Iterator[str]:
    """Yield the names of syntax forms in `tree` that a reader after one semester may not know."""
    for node in ast.walk(tree):
        if form := NODES.get(type(node)):
            yield form
        yield from _special_forms(node)


def _special_forms(node: ast.AST) -> Iterator[str]:
    """Yield the forms that cannot be recognized by the type of a node alone."""
    match node:
        case ast.comprehension(ifs=[_, *_]):
            yield "a condition in a comprehension"
        case ast.GeneratorExp(generators=several) | ast.ListComp(generators=several) if len(several) > 1:
            yield "two `for`s in a comprehension"
        case ast.DictComp(generators=several) | ast.SetComp(generators=several) if len(several) > 1:
            yield "two `for`s in a comprehension"
        case ast.Compare(ops=[_, _, *_]):
            yield "a chain of comparisons, `a < b < c`"
        case ast.Slice(step=ast.expr()):
            yield "a slice with a step"
        case ast.FunctionDef(name=name, body=body):
            yield from ("a function in a function" for each in body if isinstance(each, ast.FunctionDef))
            yield from ("a function that calls itself" for word in words_in(node) if word == name)
        case _:
            yield from _forms_of_stars(node)
            yield from _forms_of_patterns(node)


def _forms_of_stars(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(args=[*_, ast.Starred()]) | ast.Call(args=[ast.Starred(), *_]):
            yield "a star in a call"
        case ast.Tuple(elts=parts, ctx=ctx) | ast.List(elts=parts, ctx=ctx) if _has_star(parts):
            yield "a star in a tuple" if isinstance(ctx, ast.Load) else "a star on the left of `=`"


def _has_star(parts: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in parts)


def _forms_of_patterns(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.match_case(guard=ast.expr()):
            yield "a guard"
        case ast.MatchAs(pattern=ast.pattern()):
            yield "`as` in a pattern"
        case ast.MatchValue(value=ast.Attribute()):
            yield "a name with a dot in a pattern"
        case ast.MatchValue():
            yield "a number or text in a pattern"
        case ast.MatchSingleton():
            yield f"`{node.value}` in a pattern"


def words_in(tree: ast.AST) -> Iterator[str]:
    """Yield the words in a tree that a reader must know: names, methods, and keywords of built-in functions."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) | ast.Name(id=word):
                yield word
            case ast.ImportFrom(names=names):
                yield from (each.asname or each.name for each in names)
            case ast.Call(func=ast.Name(id=name), keywords=keywords) if hasattr(builtins, name):
                yield from (f"{each.arg}=" for each in keywords if each.arg)


def needed(exercise: Exercise) -> ShownTools:
    """Return the forms of syntax and the words that a reference needs. Its docstring and annotations do not count."""
    tree = ast.parse(exercise.source)
    bare = ast.fix_missing_locations(_Bare().visit(tree))
    outer = names_in(ast.unparse(bare)) - {exercise.name}
    words = frozenset(words_in(bare))
    local = {node.id for node in ast.walk(bare) if isinstance(node, ast.Name)} - outer
    return frozenset(forms_in(bare)), words - local - {exercise.name}


class _Bare(ast.NodeTransformer):
    """A transformer that removes what a stub already contains: decorators, the docstring, and annotations."""

    def visit_Module(self, node: ast.Module) -> ast.Module:
        for each in node.body:
            if isinstance(each, ast.FunctionDef):
                each.decorator_list, each.body = [], each.body[1:]
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        assert node.value is not None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


# ------------------------------------------------------------------------------------------------------ shown in
# lessons


def shown_by(codes: Iterable[str]) -> ShownTools:
    """Return the forms and words in pieces of code. If a piece does not parse, return all its words."""
    forms, words = set[str](), set[str]()
    for code in codes:
        tree = piece_tree(code)
        forms |= set(forms_in(tree)) if tree else set()
        words |= set(words_in(tree)) if tree else set(NAME.findall(code))
    return frozenset(forms), frozenset(words)


def piece_tree(code: str) -> ast.Module | None:
    """Return the tree of a piece of code, or None. The code may be a case, a decorator, or the first line of a block.

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


def shown_in(text: str) -> ShownTools:
    """Return the forms and words that a lesson or statement shows."""
    return shown_by(codes_of(text))


def codes_of(text: str) -> Iterator[str]:
    """Yield the code in a lesson or statement: blocks, examples without their results, and text between backquotes."""
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
    """Return what each cell of a unit shows, in order. A cell that defines an exercise has the name of the exercise."""
    text = unit.pack.file("solutions", unit.name).read_text("utf-8")
    cells = jupytext.reads(text, fmt="py:percent").cells
    return tuple(_cell(unit, cell.cell_type, cell.source) for cell in cells)


def _cell(unit: Unit, kind: str, source: str) -> tuple[str, ShownTools]:
    if kind == "markdown":
        return "", shown_in(source)
    tree = piece_tree(source)
    names = [name for each in (tree.body if tree else []) for name in bound_names(each) if name in unit.by_name]
    if names:
        return names[0], _stated(unit[names[0]])
    return "", shown_by([source, *map(dedent, PREDICTED.findall(source))])


def _stated(exercise: Exercise) -> ShownTools:
    """Return the forms and words that a stub shows. A name with a capital letter counts even without backquotes."""
    named = {word for word in NAME.findall(exercise.docstring) if not word.islower()}
    parameters = {parameter.name for parameter in exercise.parameters}
    head = (line.removeprefix("@") for line in exercise.signature.splitlines() if line.startswith("@"))
    forms, words = shown_by([*codes_of(exercise.docstring), *head])
    return forms, words | named | parameters


# ------------------------------------------------------------------------------------------------------ comparison


def known_before(unit: Unit) -> ShownTools:
    """Return what readers already know: one semester of Python, and earlier units of the pack."""
    units = unit.pack.units
    earlier = [
        shown for name in units[: units.index(unit.name)] for _, shown in cells_of(read_unit(unit.catalogue, name))
    ]
    return frozenset[str]().union(*(forms for forms, _ in earlier)), BASIC_WORDS.union(*(each for _, each in earlier))


def untaught(unit: Unit) -> Iterator[tuple[Exercise, tuple[str, ...]]]:
    """Yield each exercise with the forms and words that its reference needs and that nothing before it has shown."""
    forms, words = known_before(unit)
    assumed = {each.replace("`", "") for each in unit.policy.assumes}
    words |= _parts(unit) | unit.by_name.keys()
    for name, (new_forms, new_words) in cells_of(unit):
        forms, words = forms | new_forms, words | new_words
        if name:
            used_forms, used_words = needed(unit[name])
            new = (*sorted(used_forms - forms), *(f"`{word}`" for word in sorted(used_words - words)))
            yield unit[name], tuple(each for each in new if each.replace("`", "") not in assumed)
            forms, words = forms | used_forms, words | used_words


def _parts(unit: Unit) -> frozenset[str]:
    """Return the fields of given types and the members of enumerations, which the list of given names shows."""
    rows = (
        (written if ", " in written.partition("(")[0] else written.partition("(")[2]) for written in given_names(unit)
    )
    return frozenset(word for row in rows for word in NAME.findall(row))
