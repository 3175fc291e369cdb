"""Plain answers: they can call functions, but cannot inspect them.

Only the text of an answer decides whether the answer is plain. The answer is never run for this.

Syntax, names and imports are plain only if they are in the lists below. Attributes that a learner's own class may have
are plain, too. `grading/run.py` checks an answer together with everything that is loaded with it.
"""

from __future__ import annotations

import ast
import builtins
import sys
import types
from abc import ABCMeta
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import EnumType
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from string import Formatter
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from autograder.sandbox.sources import course_modules
from course.form.reading import word_set
from course.syntax import global_names_in, lines_of, nodes_in, tree_of

# The lists. Before you add a name, consider its value for any object: `tests/test_plain.py` searches everything that
# can be reached from these names.


def is_exception_class(thing: object) -> bool:
    """Return whether an object is the class of an exception."""
    return isinstance(thing, type) and issubclass(thing, BaseException)


# Some uses of `getattr`, `hasattr` and `type` are plain. The readers below decide which ones.
PLAIN_BUILTINS = frozenset(name for name, thing in vars(builtins).items() if is_exception_class(thing)) | word_set("""
    Ellipsis NotImplemented abs all any ascii bin bool bytes callable chr complex dict display divmod enumerate exit
    filter float format frozenset get_ipython hash hex input int isinstance issubclass iter len list map max min next
    object oct ord pow print quit range repr reversed round set slice sorted str sum tuple zip
""")
REFUSED_BUILTINS = frozenset(name for name in dir(builtins) if name[:1] != "_") - PLAIN_BUILTINS

# Nodes of the syntax tree: no coroutines, no `with`, no `except*`, no type parameters. The readers below decide
# which classes are plain: many library functions read attributes of their arguments by name.
PLAIN_NODES = frozenset(
    getattr(ast, name)
    for name in word_set("""
    AnnAssign Assert Assign Attribute AugAssign BinOp BoolOp Break Call ClassDef Compare Constant Continue Delete Dict
    DictComp ExceptHandler Expr For FormattedValue FunctionDef GeneratorExp Global If IfExp Import ImportFrom JoinedStr
    Lambda List ListComp Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton MatchStar MatchValue
    Module Name NamedExpr Nonlocal Pass Raise Return Set SetComp Slice Starred Subscript Try Tuple UnaryOp
    While Yield YieldFrom alias arg arguments comprehension keyword match_case
""")
).union(*(kind.__subclasses__() for kind in (ast.boolop, ast.cmpop, ast.operator, ast.unaryop)))

# Attributes of standard-library types. `format` is missing, because `"{0.__code__}".format(f)` reads any attribute.
# `args` and `copy` are missing, because they can return `type` itself, which can make classes: the `args` of a
# `KeyError` contain the key, and `Counter.copy(int)` returns the class of `int`. Some calls of `format` and
# `copy` are accepted below.
PLAIN_ATTRIBUTES = word_set("""
    __contains__ __eq__ __getitem__ __len__ __name__
    capitalize casefold center count endswith expandtabs find index isalnum isalpha isascii isdecimal isdigit
    isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition
    removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip
    swapcase title translate upper zfill
    append clear extend insert pop remove reverse sort
    fromkeys get items keys popitem setdefault update values
    add difference difference_update discard intersection intersection_update isdisjoint issubset issuperset
    symmetric_difference symmetric_difference_update union
    bit_count bit_length conjugate denominator imag is_integer numerator real
    name value _asdict _fields _make _replace
    appendleft cache_clear cache_info elements extendleft from_iterable most_common popleft rotate subtract total
    choice choices randint random randrange sample shuffle
""")

# Modules that may be imported. None of them reads an attribute by a computed name, makes a class, evaluates a text, or
# contains another module. `deepcopy` is missing, because its memo sets attributes by name.
PLAIN_MODULES: Mapping[str, frozenset[str]] = {
    "__future__": word_set("annotations"),
    "bisect": word_set("bisect bisect_left bisect_right insort insort_left insort_right"),
    "cmath": word_set("cos e exp inf isclose log log10 nan phase pi polar rect sin sqrt tan tau"),
    "collections": word_set("Counter OrderedDict defaultdict deque"),
    "collections.abc": word_set("""
        Callable Collection Container Generator Hashable Iterable Iterator Mapping MutableMapping MutableSequence
        MutableSet Reversible Sequence Set Sized
    """),
    "copy": word_set("copy"),
    "course.check": word_set("borrow call_map catch certificate check example hint predict progress solution"),
    "course.effects": word_set("choose random_below shuffle_list transcript"),
    "course.functional": word_set("compose curry fold_left fold_right identity recur tail_recursive"),
    "course.values": word_set("TODO"),
    "dataclasses": word_set("asdict astuple replace"),
    "enum": word_set("unique"),
    "fractions": word_set("Fraction"),
    "functools": word_set("cache cmp_to_key lru_cache partial reduce"),
    "heapq": word_set("heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"),
    "itertools": word_set("""
        accumulate batched chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse
        groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest
    """),
    "math": word_set("""
        acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 expm1
        fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma
        log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau
        trunc ulp
    """),
    "operator": word_set("""
        add and_ concat contains countOf eq floordiv ge getitem gt indexOf invert is_ is_not itemgetter le lt
        mod mul ne neg not_ or_ pos pow sub truediv truth xor
    """),
    "random": word_set(
        "Random betavariate choice choices gauss randint random randrange sample seed shuffle triangular uniform"
    ),
    "string": word_set("ascii_letters ascii_lowercase ascii_uppercase digits punctuation whitespace"),
    "toolz": word_set("""
        accumulate assoc assoc_in comp complement compose compose_left concat concatv cons count countby curry dissoc do
        drop filter first flip frequencies get get_in groupby identity interleave interpose isdistinct isiterable
        itemfilter itemmap iterate join juxt keyfilter keymap last map mapcat merge merge_sorted merge_with nth partial
        partition partition_all partitionby peek pipe pluck reduce reduceby remove second sliding_window sorted tail
        take take_nth thread_first thread_last topk unique update_in valfilter valmap
    """),
    "typing": word_set("""
        Any Callable Collection Container Counter DefaultDict Deque Dict Final FrozenSet Generator Hashable Iterable
        Iterator List Literal Mapping MutableMapping MutableSequence Never NoReturn Optional Sequence Set Tuple
        TypeAlias TypeVar Union cast
    """),
}

# Names that only some uses of are plain, by their modules. The readers below decide which ones.
PARTLY_PLAIN_IMPORTS: Mapping[str, frozenset[str]] = {
    "copy": word_set("deepcopy"),
    "dataclasses": word_set("dataclass"),
}


# Attributes of frames, generators, code objects and similar objects. They are never plain, even if a unit's type has
# them.
_INSPECTED_TYPES = (*vars(types).values(), str, property, ABCMeta, BaseException)
INTERNAL_ATTRIBUTES = (
    frozenset(name for kind in _INSPECTED_TYPES if isinstance(kind, type) for name in dir(kind)) - PLAIN_ATTRIBUTES
)


def _types_with_denied_attributes() -> Iterator[type]:
    """Yield the library's types with attributes that may lead to code, or that functions read from any argument."""
    theirs = (
        name for name in (*PLAIN_MODULES, *PARTLY_PLAIN_IMPORTS, "toolz.functoolz") if name.split(".")[0] != "course"
    )
    modules = (builtins, *map(import_module, theirs))
    for thing in {thing for module in modules for thing in vars(module).values() if isinstance(thing, type)}:
        if thing not in (int, float, complex, bool, range, slice) and not is_exception_class(thing):
            yield thing


# Attributes that a learner's own class must not have. Of an AttributeError, `obj` is the object without the attribute.
DENIED_ATTRIBUTES = INTERNAL_ATTRIBUTES.union({"obj"}, *map(dir, _types_with_denied_attributes())) - PLAIN_ATTRIBUTES

# The readers.

ADDRESS_DEPENDENT_NAMES = {"hash", "object"}  # their results depend on addresses in memory
PLAIN_SPECIAL_METHODS = {
    "__init__",
    "__post_init__",
    "__repr__",
    "__str__",
}  # the only special methods of a plain class


@dataclass(frozen=True, order=True)
class Construct:
    """A piece of code that is not plain, and the number of its line."""

    line: int
    code: str


@dataclass(frozen=True)
class Exports:
    """The exports of a unit: names to use and import, attributes of its types, and names that are never plain."""

    modules: Mapping[str, frozenset[str]]
    attributes: frozenset[str]
    untouched: frozenset[str]
    own: frozenset[str]
    given: frozenset[str]

    def allows_import(self, module: str, name: str) -> bool:
        """Return whether a name may be imported from a module.

        If the name is "", return whether the module may be imported.
        """
        return module in self.modules and (not name or name in self.modules[module])


def find_refused_construct(sources: Iterable[str], module: ModuleType) -> tuple[int, Construct] | None:
    r"""Return the first construct that is not plain, with the index of its source; None if all sources are plain.

    The sources run in one namespace, with the names of a unit's `module`.

    >>> import course.dominoes as dominoes
    >>> find_refused_construct(["def f(tile):\n    return tile.left, flip.__code__"], dominoes)
    (0, Construct(line=2, code='flip.__code__'))
    >>> find_refused_construct(["import math", "def f(tile):\n    return math.sqrt(tile.left)"], dominoes)
    """
    readings = [_cached_reader(source) for source in sources]
    together = _SharedNames(exports_of(module), readings)
    constructs = (
        (index, min(together.refused_constructs(reading), default=None)) for index, reading in enumerate(readings)
    )
    return next(((index, construct) for index, construct in constructs if construct), None)


def can_share_process(sources: Iterable[str], module: ModuleType) -> bool:
    r"""Return whether sources are plain, and neither affect other code in their process nor depend on it.

    Sources that can share a process set no attributes, and use neither Python's random numbers nor hashes. Sources with
    `try` cannot share a process: with `try`, an answer could notice how much memory is left, or continue when it should
    end.

    >>> import course.dominoes as dominoes
    >>> can_share_process(["def f(tile):\n    return tile.left"], dominoes)
    True
    >>> can_share_process(["Domino.left = 2"], dominoes), can_share_process(["import random"], dominoes)
    (False, False)
    """
    texts = [*sources]
    return (
        not any(_cached_reader(source).depends_on_process for source in texts)
        and find_refused_construct(texts, module) is None
    )


class _SharedNames:
    """The meaning of names that one source uses and another source binds."""

    def __init__(self, exports: Exports, readings: Iterable[_Reader]) -> None:
        every = [*readings]
        self.exports = exports
        self.modules: dict[str, set[str]] = defaultdict(set)
        self.copies = False
        self.bound = exports.own.union(*(reading.bound.keys() | reading.assigned for reading in every))
        for reading in every:
            for name, module in reading.aliases:
                self.modules[name].add(module)
            self.copies |= any(module == "copy" for module, _ in reading.imports)

    def refused_constructs(self, reading: _Reader) -> Iterator[Construct]:  # noqa: C901 (a table: one loop for each kind)
        """Yield the constructs of a source that are not plain."""
        yield from reading.refused
        for (module, name), line in reading.imports.items():
            if not self.exports.allows_import(module, name):
                yield Construct(line, f"from {module} import {name}" if name else f"import {module}")
        # No name of a module may mean anything else. Otherwise, a parameter called `copy` could read an attribute that
        # is only allowed for the module `copy`.
        for name, line in reading.bound.items():
            if name in self.modules:
                yield Construct(line, name)
        for (name, module), line in reading.aliases.items():
            if name in self.exports.given:
                yield Construct(line, f"import {module} as {name}")
        for name, line in reading.names.items():
            if name in self.modules or (name in self.exports.untouched and name in reading.outer):
                yield Construct(line, name)
        for name, line in reading.relied.items():
            if name in self.bound or name in self.modules:
                yield Construct(line, name)
        for (name, attribute), line in reading.members.items():
            if not self._is_plain_attribute(name, attribute, reading):
                yield Construct(line, f"{name}.{attribute}")
        for (name, attribute), line in reading.partly_plain.items():
            if not all(attribute in PARTLY_PLAIN_IMPORTS.get(module, ()) for module in self.modules.get(name, ("",))):
                yield Construct(line, f"{name}.{attribute}")
        for attribute, line in reading.attributes.items():
            if not self._may_read(attribute):
                yield Construct(line, f".{attribute}")
        # A copied method is read again by the name of its function: after `curry.left = func`, a copy of
        # `curry(f).left` is `curry(f).func`.
        # The object of an attribute that is set may be a class of the library.
        for attribute, line in reading.stores.items():
            is_new = may_be_field(attribute) and attribute not in PLAIN_ATTRIBUTES
            if self.copies or not (is_new or attribute in self.exports.attributes):
                yield Construct(line, f".{attribute} =")
        if self.copies and reading.classes:
            yield Construct(*min((line, f"class {name}") for name, line in reading.classes.items()))

    def _is_plain_attribute(self, name: str, attribute: str, reading: _Reader) -> bool:
        """Return whether this attribute of this name may be read.

        Of a module, only attributes that may be imported can be read.
        """
        if modules := self.modules.get(name):
            return all(self.exports.allows_import(module, attribute) for module in modules)
        return (name not in self.exports.untouched or name not in reading.outer) and self._may_read(attribute)

    def _may_read(self, attribute: str) -> bool:
        return may_be_field(attribute) or attribute in PLAIN_ATTRIBUTES or attribute in self.exports.attributes


def _is_dunder(name: str | None) -> bool:
    return name is not None and name[:2] == "__" == name[-2:]


class _Reader:
    """The names in one source, each with its first line; `refused` are constructs that are never plain."""

    def __init__(self, source: str) -> None:
        self.lines, self.outer = lines_of(source), {*global_names_in(source)}
        self.refused: list[Construct] = []
        self.imports: dict[tuple[str, str], int] = {}
        self.aliases: dict[tuple[str, str], int] = {}
        self.bound: dict[str, int] = {}  # except by an assignment, or as a module
        self.names: dict[str, int] = {}
        self.members: dict[tuple[str, str], int] = {}
        self.attributes: dict[str, int] = {}
        self.stores: dict[str, int] = {}
        self.assigned = set[str]()
        self.classes: dict[str, int] = {}
        self.relied: dict[str, int] = {}  # names that must mean what the library means by them
        self.partly_plain: dict[tuple[str, str], int] = {}  # calls like `functools.wraps(f)`
        self._accepted, self._owners = set[ast.AST](), set[ast.AST]()
        kinds = set[type]()
        for node in nodes_in(tree_of(source)):  # outer nodes before inner ones
            kinds.add(node.__class__)
            if visit := _VISITORS.get(node.__class__, _Reader._refuse):
                visit(self, node)
        # The library's random numbers, addresses and classes depend on other runs. So does `try`: it can catch a
        # MemoryError, and in a generator, it may run when the generator is removed from memory.
        has_chance = any(module == "random" for module, _ in self.imports)
        has_state = bool(self.stores or self.classes) or not ADDRESS_DEPENDENT_NAMES.isdisjoint(self.names)
        self.depends_on_process = has_chance or has_state or ast.Try in kinds
        del self.lines, self._accepted, self._owners  # only the result stays in memory, not the source

    def _refuse(self, node: object, code: str = "") -> None:
        if not self.refused:
            line = getattr(node, "lineno", 1)
            self.refused.append(Construct(line, code or self.lines[line - 1].strip()))

    def _visit_name(self, node: ast.Name) -> None:
        name = node.id
        if _is_dunder(name) and not (name == "__name__" and isinstance(node.ctx, ast.Load)):
            self._refuse(node, name)
        if (
            name in _PARTLY_PLAIN_NAMES
            and node not in self._accepted
            and (name in self.outer or name not in REFUSED_BUILTINS)
        ):
            self._refuse(node, name)
        if not isinstance(node.ctx, ast.Load):
            self.assigned.add(name)
        if name not in self.names and node not in self._owners:
            self.names[name] = node.lineno

    def _visit_attribute(self, node: ast.Attribute) -> None:
        if node in self._accepted:
            return
        if not isinstance(node.ctx, ast.Load):
            self.stores.setdefault(node.attr, node.lineno)
        elif isinstance(node.value, ast.Name):
            self.members.setdefault((node.value.id, node.attr), node.lineno)
            self._owners.add(node.value)
        else:
            self.attributes.setdefault(node.attr, node.lineno)
        if node.attr == "__name__":
            self._accept_type(node.value)

    def _visit_call(self, node: ast.Call) -> None:
        """Treat `getattr(card, "suit", None)` as reading the attribute `suit`.

        Accept `deepcopy(x)`, but without a memo, because `deepcopy` sets attributes of the memo. Accept `x.copy()`, but
        not `Counter.copy(int)`, and `"{}".format(x)`, but not `"{0.__code__}".format(x)`.
        """
        match node:
            case ast.Call(ast.Attribute(ast.Constant(str(text)), "format")) if _has_plain_fields(text):
                self._accepted.add(node.func)
            case ast.Call(ast.Attribute(_, "copy"), [], []):
                self._accepted.add(node.func)
            case ast.Call(func, [arg], []) if not isinstance(arg, ast.Starred):
                self._accept_partly_plain(func, "deepcopy")
        if getattr(node.func, "id", "") not in _PARTLY_PLAIN_NAMES:
            return
        match node:
            case ast.Call(ast.Name("getattr" | "hasattr") as called, [first, ast.Constant(str(name)), *_], []):
                if not isinstance(first, ast.Starred):
                    self._accepted.add(called)
                    self.attributes.setdefault(name, node.lineno)

    def _accept_partly_plain(self, node: ast.expr, name: str) -> None:
        """Accept a name of a library, or `module.name`, only where its use is plain."""
        match node:
            case ast.Name(id=written) if written == name:
                self.relied.setdefault(name, node.lineno)
            case ast.Attribute(ast.Name(id=module) as owner, attr) if attr == name:
                self.partly_plain.setdefault((module, name), node.lineno)
                self._owners.add(owner)
            case _:
                return
        self._accepted.add(node)

    def _visit_class(self, node: ast.ClassDef) -> None:
        """Accept a class whose base and decorator are listed, and whose body has only fields and methods."""
        self.classes.setdefault(node.name, node.lineno)
        self.bound.setdefault(node.name, node.lineno)
        base = node.bases[0] if node.bases else None
        kind = base.id if isinstance(base, ast.Name) else ""
        if len(node.bases) > 1 or node.keywords or _is_dunder(node.name) or not (base is None or kind in _PLAIN_BASES):
            self._refuse(node)
        if isinstance(base, ast.Name):
            self.relied.setdefault(kind, base.lineno)
        for decorator in node.decorator_list:
            match decorator:
                case ast.Call(func, [], keywords):  # such as `dataclass(frozen=True)`
                    if all(each.arg and isinstance(each.value, ast.Constant) for each in keywords):
                        decorator = func
            self._accept_partly_plain(decorator, "dataclass")
        for part in node.body:
            self._visit_class_member(part)

    def _visit_class_member(self, node: ast.stmt) -> None:
        """Accept a field or a method. In a class, a name that is not bound yet means the name in the outer scope."""
        match node:
            case ast.Pass() | ast.Expr(ast.Constant()):
                pass
            case ast.AnnAssign(ast.Name(name)) | ast.Assign([ast.Name(name)]) if may_be_field(name):
                self.outer.add(name)
            case ast.FunctionDef(name) if may_be_field(name) or name in PLAIN_SPECIAL_METHODS:
                self._accepted.add(node)
                self.outer.add(name)
            case _:
                self._refuse(node)

    def _visit_harmless_type_use(self, node: ast.Compare | ast.Subscript | ast.FormattedValue) -> None:
        match node:
            case ast.Compare():
                for part in (node.left, *node.comparators):
                    self._accept_type(part)
            case ast.Subscript(value=ast.Dict()):
                self._accept_type(node.slice)
            case ast.FormattedValue():
                self._accept_type(node.value)

    def _accept_type(self, node: ast.expr) -> None:
        """Accept `type(card)` if the class is only compared; otherwise, `type(card)` could make classes with hooks."""
        for part in node.elts if isinstance(node, ast.Tuple) else [node]:
            match part:
                case ast.Call(ast.Name("type") as called, [arg], []) if not isinstance(arg, ast.Starred):
                    self._accepted.add(called)

    def _visit_import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.imports.setdefault((alias.name, ""), node.lineno)
            top = alias.name.split(".")[0]
            self.aliases.setdefault((alias.asname, alias.name) if alias.asname else (top, top), node.lineno)

    def _visit_import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.asname is None and alias.name in PARTLY_PLAIN_IMPORTS.get(module, ()):
                continue  # its uses are checked
            self.imports.setdefault((module, alias.name), node.lineno)
            self.bound.setdefault(alias.asname or alias.name, node.lineno)

    def _visit_function(self, node: ast.FunctionDef) -> None:
        if node not in self._accepted:
            if _is_dunder(node.name):
                self._refuse(node, node.name)
            self.bound.setdefault(node.name, node.lineno)
        self._note_annotation(node)

    def _note_annotation(self, node: ast.AST) -> None:
        """Treat names in an annotation as names of the outer scope, in every version of Python."""
        annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
        nodes = ast.walk(annotation) if annotation else ()
        self.outer |= {node.id for node in nodes if isinstance(node, ast.Name)}

    def _visit_class_pattern(self, node: ast.MatchClass) -> None:
        for name in node.kwd_attrs:
            self.attributes.setdefault(name, node.lineno)

    def _note_captured_name(self, node: ast.arg | ast.ExceptHandler | ast.pattern) -> None:
        """Note a name that a parameter, a pattern or `except … as` binds."""
        self._refuse_dunder_binding(node)
        for name in filter(None, (getattr(node, field, None) for field in ("arg", "name", "rest"))):
            self.bound.setdefault(name, node.lineno)
        self._note_annotation(node)

    def _refuse_dunder_binding(self, node: object) -> None:
        """Refuse names such as `__builtins__` wherever a name is bound, except in an assignment."""
        for field in ("arg", "asname", "name", "names", "rest"):
            bound = getattr(node, field, None)
            if any(map(_is_dunder, bound if isinstance(bound, list) else [bound])):
                self._refuse(node)


def _has_plain_fields(text: str) -> bool:
    """Return whether a format only has fields like `{}`, `{0:>3}`, `{name!r}` or `{:{}}`.

    >>> _has_plain_fields("{0:>{width}} {}"), _has_plain_fields("{0.left}"), _has_plain_fields("{:{0[left]}}")
    (True, False, False)
    """
    try:
        parts = [(name, spec) for _, name, spec, _ in Formatter().parse(text) if name is not None]
    except ValueError:
        return False
    return all((f"_{name}".isidentifier() and _has_plain_fields(spec or "")) for name, spec in parts)


def may_be_field(name: str) -> bool:
    """Return whether a learner's class may have an attribute of this name.

    >>> may_be_field("cards"), may_be_field("f_globals"), may_be_field("_fields")
    (True, False, False)
    """
    return name[:1] != "_" and name not in DENIED_ATTRIBUTES


_cached_reader = lru_cache(maxsize=512)(_Reader)
_PLAIN_BASES = frozenset(name for name in PLAIN_BUILTINS if is_exception_class(getattr(builtins, name, None))) | {
    "object"
}
_PARTLY_PLAIN_NAMES = REFUSED_BUILTINS.union(*PARTLY_PLAIN_IMPORTS.values())
_VISITORS: dict[type[ast.AST], Callable[[_Reader, Any], None] | None] = {
    **dict.fromkeys(PLAIN_NODES),
    **dict.fromkeys(
        [ast.arg, ast.ExceptHandler, ast.MatchAs, ast.MatchMapping, ast.MatchStar], _Reader._note_captured_name
    ),
    **dict.fromkeys([ast.Global, ast.Nonlocal, ast.alias], _Reader._refuse_dunder_binding),
    ast.AnnAssign: _Reader._note_annotation,
    ast.Attribute: _Reader._visit_attribute,
    ast.Call: _Reader._visit_call,
    ast.ClassDef: _Reader._visit_class,
    **dict.fromkeys([ast.Compare, ast.FormattedValue, ast.Subscript], _Reader._visit_harmless_type_use),
    ast.FunctionDef: _Reader._visit_function,
    ast.Import: _Reader._visit_import,
    ast.ImportFrom: _Reader._visit_import_from,
    ast.MatchClass: _Reader._visit_class_pattern,
    ast.Name: _Reader._visit_name,
}


@cache
def exports_of(module: ModuleType) -> Exports:
    """Return the exports of a unit's module."""
    package = module.__name__.split(".")[0]
    folder = Path(sys.modules[package].__path__[0])
    mounted = {"course.check"} & {*course_modules([module.__name__], (), {package: folder})}
    untouched = frozenset(name for name in module.__all__ if _is_excluded_export(getattr(module, name), package))
    own = {module.__name__: frozenset(module.__all__) - untouched | {"*"}}
    modules = {name: names for name, names in PLAIN_MODULES.items() if name not in mounted}
    attributes = frozenset(_attributes_in(module, {package, "course"}))
    return Exports(
        modules | own, attributes, untouched, frozenset(module.__all__), frozenset(module.__all__) | {*dir(builtins)}
    )


def _attributes_in(module: ModuleType, ours: set[str]) -> Iterator[str]:
    """Yield the attributes of the types in a unit's module, and of types defined in our other modules that it uses."""
    kinds = [thing for thing in vars(module).values() if _is_type_from(thing, ours)]
    around = {kind.__module__: sys.modules[kind.__module__] for kind in kinds}.values()
    for kind in {thing for each in around for thing in vars(each).values() if _is_type_from(thing, ours)}:
        for base in kind.__mro__:
            if _is_type_from(base, ours):
                slots = vars(base).get("__slots__", ())
                fields = vars(base).get("__dataclass_fields__", ())
                names = *vars(base), *fields, *([slots] if isinstance(slots, str) else slots)
                yield from (name for name in names if name[:1] != "_" and name not in INTERNAL_ATTRIBUTES)


def _is_type_from(thing: object, packages: set[str]) -> bool:
    return isinstance(thing, type) and thing.__module__.split(".")[0] in packages


def _is_excluded_export(thing: object, package: str) -> bool:
    """Return whether plain answers must not use an export: a way to make classes, or part of an unlisted library."""
    if isinstance(thing, EnumType) and not len(thing):
        return True
    if not isinstance(thing, type | FunctionType | BuiltinFunctionType) or is_exception_class(thing):
        homes = {package, "course", "builtins", "types", *(name.split(".")[0] for name in PLAIN_MODULES)}
        return isinstance(thing, ModuleType) or type(thing).__module__.split(".")[0] not in homes
    module = (thing.__module__ or "").lstrip("_")
    listed = PLAIN_BUILTINS if module == "builtins" else PLAIN_MODULES.get(module, frozenset())
    is_a_library = module.split(".")[0] in sys.stdlib_module_names or module in PLAIN_MODULES
    return is_a_library and thing.__name__ not in listed
