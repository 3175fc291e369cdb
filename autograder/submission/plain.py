"""Plain answers: those that call functions, but cannot look into them. Told from the text, which is not run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from course.syntax import tree_of

# What of Python's library holds nothing that looks into a function, but for the names below.
MODULES = frozenset(
    [
        "abc",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "course",
        "dataclasses",
        "datetime",
        "decimal",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "math",
        "numbers",
        "operator",
        "random",
        "re",
        "statistics",
        "string",
        "textwrap",
        "time",
        "toolz",
        "typing",
        "__future__",
    ]
)
REFLECTION = frozenset(
    [
        "attrgetter",
        "breakpoint",
        "builtins",
        "cached_property",
        "compile",
        "copyreg",
        "ctypes",
        "delattr",
        "dis",
        "eval",
        "exec",
        "ForwardRef",
        "format_map",
        "Formatter",
        "gc",
        "get_type_hints",
        "getattr",
        "globals",
        "importlib",
        "inspect",
        "linecache",
        "locals",
        "make_dataclass",
        "marshal",
        "memoryview",
        "methodcaller",
        "modules",
        "open",
        "os",
        "pickle",
        "setattr",
        "signal",
        "singledispatch",
        "singledispatchmethod",
        "sys",
        "traceback",
        "types",
        "update_wrapper",
        "vars",
        "wraps",
    ]
)
# What Python's own protocols call by such a name: to define it, or to call the one above it, shows nothing.
PROTOCOLS = frozenset(
    f"__{word}__"
    for word in [
        "add",
        "bool",
        "call",
        "contains",
        "debug",
        "doc",
        "eq",
        "ge",
        "getitem",
        "gt",
        "hash",
        "init",
        "iter",
        "le",
        "len",
        "lt",
        "main",
        "mul",
        "name",
        "ne",
        "next",
        "neg",
        "post_init",
        "repr",
        "slots",
        "str",
        "sub",
    ]
)
TUPLES = frozenset({"_", "_asdict", "_fields", "_make", "_replace"})
FRAMES = re.compile(r"(?:f|tb|gi|cr|ag|co|func)_[a-z_]+")
DUNDER, REACHING = re.compile(r"__[A-Za-z]\w*__"), re.compile(r"{[^{}]*[.\[]")


def what_looks_in(sources: Iterable[str], given: str = "course") -> str:
    """Give the first word of these sources that may look into a function; "" if they are plain.

    What students are `given` to import is as plain as the course itself.

    >>> what_looks_in(["def f(x):\\n    return g.__code__"])
    '__code__'
    >>> what_looks_in(["from functools import reduce\\ndef f(cards):\\n    return reduce(max, cards)._replace(n=1)"])
    ''
    """
    return next((word for source in sources for word in _looking_in(source, given)), "")


@lru_cache(maxsize=512)
def _looking_in(source: str, given: str) -> tuple[str, ...]:
    """Give the first such word, level by level."""
    return tuple(islice((word for node in ast.walk(tree_of(source)) for word in _words(node, given)), 1))


def _words(node: ast.AST, given: str) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield from [word for word in _hidden(name) if word[:2] == "__" or word[:1] != "_"]
        case ast.Attribute(attr="format", value=value):
            yield from _reaching_format(value)
        case ast.Attribute(attr=name, value=owner):
            is_own = isinstance(owner, ast.Name) and owner.id == "self" and name[:2] != "__"
            yield from () if is_own else _hidden(name)
        case ast.Import(names=names):
            yield from (part for alias in names for part in _foreign(alias.name, given))
        case ast.ImportFrom(module=module, names=names):
            yield from _taken_from(module or "", [alias.name for alias in names], given)
        case ast.MatchClass(kwd_attrs=names):
            yield from (word for name in names for word in _hidden(name))
        case ast.Constant(value=str(text)):
            yield from (word for word in DUNDER.findall(text) if word not in PROTOCOLS)


def _taken_from(module: str, names: list[str], given: str) -> Iterator[str]:
    yield from _foreign(module, given)
    yield from (word for name in names for word in _hidden(name))
    yield from ["*"] * (names[0] == "*" and module.split(".")[0] in MODULES - {"course", "toolz", given})


@lru_cache(maxsize=2048)
def _hidden(name: str) -> tuple[str, ...]:
    private = name.startswith("_") and name not in PROTOCOLS | TUPLES
    return (name,) if private or name in REFLECTION or FRAMES.fullmatch(name) else ()


def _foreign(module: str, given: str) -> Iterator[str]:
    if module.split(".")[0] not in MODULES | {given}:
        yield module


def _reaching_format(text: ast.expr) -> Iterator[str]:
    """Give `format` unless its text is at hand, and takes no attribute: `"{0.__code__}".format(f)` does."""
    if not isinstance(text, ast.Constant) or REACHING.search(str(text.value)):
        yield "format"
