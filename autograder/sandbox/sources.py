"""The files behind modules: which modules import which, for the mounts of a sandbox, and digests for cache keys."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from hashlib import sha256
from importlib.util import resolve_name
from pathlib import Path

import course
from course.graph import reachable_from
from course.limits import MOST_IMPORTS
from course.roles import units_with
from course.syntax import UNPARSED, children, nodes_in, tree_of

GRADER, COURSE = Path(__file__).parents[1], Path(course.__file__).parent
# Parsing only the imports of our own files takes a tenth of the time.
IMPORT = re.compile(
    rb"^ *(?:from [.\w]+ import (?:\([^)]*\)|[^\n#(]+)|import [.\w]+(?: as \w+)?)(?= *$| *#)", re.MULTILINE
)
Folders = tuple[tuple[str, Path], ...]


def files_behind(modules: Iterable[str], packages: Mapping[str, Path]) -> list[Path]:
    """Return the files of these modules and of everything that they import from Foldem and from these packages.

    Modules that do not exist are ignored. Raises SyntaxError if a file does not parse.
    """
    folders = tuple(({GRADER.name: GRADER, COURSE.name: COURSE} | dict(packages)).items())
    sources = (source_of(name, folders) for name in modules_behind(frozenset(modules), folders))
    return sorted(source for source in sources if source)


def role_modules(*roles: str) -> list[str]:
    """Return the modules of our units in these roles. They are loaded by name, and no module imports them."""
    return [f"{COURSE.name}.{unit}.{role}" for role in roles for unit in units_with(role, COURSE)]


def digest_of_files(files: Iterable[Path]) -> str:
    """Return a digest of the contents of files. Missing files count as empty."""
    digest = sha256()
    for file in files:
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()


@cache
def modules_behind(
    modules: frozenset[str], folders: Folders, withheld: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return these modules, their packages, and the modules that they import, except withheld ones."""
    tops, exists = dict(folders), cache(partial(_exists, folders=folders, names_in=cache(_names_in)))

    @cache
    def parts(name: str) -> frozenset[str]:
        return frozenset(filter(exists, _path(name)) if name.partition(".")[0] in tops else ())

    def there(names: Iterable[str]) -> set[str]:
        return set[str]().union(*map(parts, names)) - withheld

    def imported(module: str) -> set[str]:
        path = source_of(module, folders)
        return there(_imported(module, path)) if path else set()

    return tuple(sorted(reachable_from(there(modules), imported)))


def _path(name: str) -> Iterator[str]:
    """Yield a module's name and those of its packages."""
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


@cache
def _imported(module: str, path: Path) -> tuple[str, ...]:
    """Return the modules that a module imports. Imported names count, too, since they may be modules."""
    return tuple(_imports(module, path))


def _imports(module: str, path: Path) -> Iterator[str]:
    package, code = module if path.name == "__init__.py" else module.rpartition(".")[0], path.read_bytes()
    is_ours = path.is_relative_to(GRADER) or path.is_relative_to(COURSE)  # a formatter wrote our lines
    lines = b"\n".join(each.strip() for each in IMPORT.findall(code)) if is_ours else code
    tree = ast.parse(lines, str(path))
    for node in tree.body if is_ours else _statements(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=of, names=names, level=level):
                name = resolve_name("." * level + (of or ""), package)
                yield from (name, *(f"{name}.{alias.name}" for alias in names))


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of a module, including nested ones."""
    todo: list[ast.AST] = [tree]
    while todo:
        for part in children(todo.pop()):
            if isinstance(part, ast.stmt):
                yield part
            if not isinstance(part, ast.expr):
                todo.append(part)


def source_of(module: str, folders: Folders) -> Path | None:
    """Return the file of a module in these folders, or None."""
    path = _path_of(module, folders)
    files = (f"{path}/__init__.py", f"{path}.py") if path else ()  # a folder without the first may be a leftover
    return next((Path(file) for file in files if os.path.exists(file)), None)


def _path_of(module: str, folders: Folders) -> str:
    """Return the path of a module without a suffix, or "" if it is in none of the folders."""
    top, _, rest = module.partition(".")
    folder = dict(folders).get(top)
    return os.path.join(folder, *filter(None, rest.split("."))) if folder else ""


def _exists(module: str, folders: Folders, names_in: Callable[[str], frozenset[str]]) -> bool:
    """Return whether a module is in these folders. A folder needs no `__init__.py`."""
    path = _path_of(module, folders)
    folder, name = os.path.split(path)
    return f"{name}.py" in names_in(folder) or (name in names_in(folder) and os.path.isdir(path))


def _names_in(folder: str) -> frozenset[str]:
    return frozenset(os.listdir(folder) if os.path.isdir(folder) else ())


ROOTS = sys.stdlib_module_names | {"toolz"}
# Importing these has side effects or takes very long, and no answer needs them.
REFUSED = {"__main__", "antigravity", "ensurepip", "idlelib", "lib2to3", "site", "test", "this", "tkinter", "turtle"}
REFUSED |= {"turtledemo", "venv"}
# Python imports these only when needed: for `strptime`, and for "\N{BLACK HEART SUIT}" in a source. Inputs may be
# values of `datetime` and `fractions`.
ALWAYS = ("datetime", "encodings.ascii", "encodings.latin_1", "fractions", "typing", "unicodedata", "zlib")
WITH = {"datetime": "_strptime", "time": "_strptime"}


def imported(sources: Iterable[str]) -> tuple[str, ...]:
    """Return the modules that these sources import and that exist where answers run.

    >>> imported(["from fractions import Fraction", "import time, solutions.uno, unittest.__main__"])
    ('_strptime', 'fractions', 'fractions.Fraction', 'time')
    """
    named = {name for source in sources for name in _imported_names(source) if _is_importable(name)}
    return tuple(sorted(named | {WITH[name] for name in named & {*WITH}})[:MOST_IMPORTS])


def _is_importable(name: str) -> bool:
    root, *_ = parts = name.split(".")
    is_fit = root in ROOTS and not REFUSED & {*parts} and not root.startswith(("_test", "_xx", "xx"))
    return is_fit and name.isascii()


@lru_cache(maxsize=512)
def _imported_names(source: str) -> frozenset[str]:
    if "import" not in source:
        return frozenset()
    try:
        return frozenset(name for node in nodes_in(tree_of(source)) for name in _named_in(node))
    except UNPARSED:
        return frozenset()


def _named_in(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            yield module
            yield from (f"{module}.{alias.name}" for alias in names if alias.name != "*")
        case ast.Call(
            func=ast.Name(id="__import__") | ast.Attribute(attr="import_module"), args=[ast.Constant(str(name))]
        ):
            yield name
        case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(str(name))]):
            yield name
