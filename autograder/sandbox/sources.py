"""The files of modules: which modules import which, digests of files for cache keys, and the files in a sandbox.

A sandbox has the interpreter without site-packages, a unit of the course, toolz, and the package `inside`.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import cache_from_source, resolve_name
from pathlib import Path

import toolz

import course
from course.limits import MOST_IMPORTS
from course.roles import units_with_role
from course.syntax import PARSING_ERRORS, child_nodes, nodes_in, reachable_from, tree_of

GRADER, COURSE = Path(__file__).parents[1], Path(course.__file__).parent
# Parsing only the imports of our own files takes a tenth of the time.
IMPORT_PATTERN = re.compile(
    rb"^ *(?:from [.\w]+ import (?:\([^)]*\)|[^\n#(]+)|import [.\w]+(?: as \w+)?)(?= *$| *#)", re.MULTILINE
)
PackageFolders = tuple[tuple[str, Path], ...]


def files_needed_by(modules: Iterable[str], packages: Mapping[str, Path]) -> list[Path]:
    """Return the files of these modules, and of all modules that they import from Foldem or from `packages`.

    Modules that do not exist are ignored. Raises SyntaxError if a file cannot be parsed.
    """
    folders = tuple(({GRADER.name: GRADER, COURSE.name: COURSE} | dict(packages)).items())
    sources = (source_path_of(name, folders) for name in modules_needed_by(frozenset(modules), folders))
    return sorted(source for source in sources if source)


def role_modules(*roles: str) -> list[str]:
    """Return the names of the modules with these roles (such as `table`) in Foldem's own units.

    Modules with a role are loaded by name, so no import statement mentions them.
    """
    return [f"{COURSE.name}.{unit}.{role}" for role in roles for unit in units_with_role(role, COURSE)]


def digest_of_files(files: Iterable[Path]) -> str:
    """Return a digest of the contents of files. Missing files count as empty."""
    digest = sha256()
    for file in files:
        digest.update(file.read_bytes() if file.exists() else b"")
    return digest.hexdigest()


@cache
def modules_needed_by(
    modules: frozenset[str], folders: PackageFolders, withheld: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return these modules, their packages, and all modules that they directly or indirectly import.

    Leave out the `withheld` modules.
    """
    files_in = cache(lambda folder: frozenset(os.listdir(folder) if os.path.isdir(folder) else ()))

    @cache
    def existing_modules(module: str) -> frozenset[str]:
        """Return this module and the packages that contain it, without those that do not exist.

        A folder counts as a package even without `__init__.py`.
        """
        package, path = module.rpartition(".")[0], _path_of(module, folders)
        folder, name = os.path.split(path)
        is_there = f"{name}.py" in files_in(folder) or (name in files_in(folder) and os.path.isdir(path))
        return (existing_modules(package) if package else frozenset()) | ({module} if is_there else set())

    def all_existing(names: Iterable[str]) -> set[str]:
        return set[str]().union(*map(existing_modules, names)) - withheld

    def existing_imports(module: str) -> set[str]:
        path = source_path_of(module, folders)
        return all_existing(_modules_imported_by(module, path)) if path else set()

    return tuple(sorted(reachable_from(all_existing(modules), existing_imports)))


@cache
def _modules_imported_by(module: str, path: Path) -> list[str]:
    """Return the modules that a module imports. Imported names are included, because a name may be a module."""
    package, code = module if path.name == "__init__.py" else module.rpartition(".")[0], path.read_bytes()
    is_ours = path.is_relative_to(GRADER) or path.is_relative_to(COURSE)  # a formatter wrote our lines
    lines = b"\n".join(each.strip() for each in IMPORT_PATTERN.findall(code)) if is_ours else code
    nodes, modules = list[ast.AST](ast.parse(lines, str(path)).body), list[str]()
    for node in nodes:
        if not is_ours:  # then imports may be in other statements
            nodes += [part for part in child_nodes(node) if not isinstance(part, ast.expr)]
        match node:
            case ast.Import(names=names):
                modules += [alias.name for alias in names]
            case ast.ImportFrom(module=of, names=names, level=level):
                name = resolve_name("." * level + (of or ""), package)
                modules += [name, *(f"{name}.{alias.name}" for alias in names)]
    return modules


def source_path_of(module: str, folders: PackageFolders) -> Path | None:
    """Return the file of a module in these folders, or None if the module has no file there."""
    path = _path_of(module, folders)
    files = (f"{path}/__init__.py", f"{path}.py") if path else ()  # a folder without the first may be a leftover
    return next((Path(file) for file in files if os.path.exists(file)), None)


def _path_of(module: str, folders: PackageFolders) -> str:
    """Return the path of a module without a suffix, or "" if the module is in none of the folders."""
    top, _, rest = module.partition(".")
    folder = dict(folders).get(top)
    return os.path.join(folder, *filter(None, rest.split("."))) if folder else ""


IMPORTABLE_PACKAGES = sys.stdlib_module_names | {"toolz"}
# Importing these has side effects or takes very long, and no answer needs them.
REFUSED_IMPORTS = {
    "__main__",
    "antigravity",
    "ensurepip",
    "idlelib",
    "lib2to3",
    "site",
    "test",
    "this",
    "tkinter",
    "turtle",
}
REFUSED_IMPORTS |= {"turtledemo", "venv"}
# Python imports these only when needed: for `strptime`, and for "\N{BLACK HEART SUIT}" in a source. Inputs may be
# values of `datetime` and `fractions`.
ALWAYS_IMPORTED = ("datetime", "encodings.ascii", "encodings.latin_1", "fractions", "typing", "unicodedata", "zlib")
IMPLICIT_IMPORTS = {"datetime": "_strptime", "time": "_strptime"}


def loadable_imports(sources: Iterable[str]) -> tuple[str, ...]:
    """Return those modules that these sources import and that the sandbox can load.

    >>> loadable_imports(["from fractions import Fraction", "import time, solutions.uno, unittest.__main__"])
    ('_strptime', 'fractions', 'fractions.Fraction', 'time')
    """
    named = set[str]()
    for name in set[str]().union(*map(_imported_names, sources)):
        root, *_ = parts = name.split(".")
        is_fit = (
            root in IMPORTABLE_PACKAGES
            and not REFUSED_IMPORTS & {*parts}
            and not root.startswith(("_test", "_xx", "xx"))
        )
        if is_fit and name.isascii():
            named.add(name)
    return tuple(sorted(named | {IMPLICIT_IMPORTS[name] for name in named & {*IMPLICIT_IMPORTS}})[:MOST_IMPORTS])


@lru_cache(maxsize=512)
def _imported_names(source: str) -> set[str]:
    named = set[str]()
    with suppress(*PARSING_ERRORS):
        for node in nodes_in(tree_of(source)) if "import" in source else ():
            match node:
                case ast.Import(names=names):
                    named |= {alias.name for alias in names}
                case ast.ImportFrom(module=str(module), names=names, level=0):
                    named |= {module, *(f"{module}.{alias.name}" for alias in names if alias.name != "*")}
                case ast.Call(
                    func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
                    args=[ast.Constant(str(name))],
                ):
                    named.add(name)
    return named


PACKAGE_FOLDERS = {
    "inside": Path(__file__).parent / "inside",
    "course": COURSE,
    "toolz": Path(toolz.__file__).parent,
}
MOUNTED_COMPLETELY, NEEDED_INSIDE = (
    ("inside", "toolz"),
    ("course.data", "course.effects", "course.exam.observing"),
)
SITE_FOLDERS = ("site-packages", "dist-packages")
C_LIBRARY_PATTERN = re.compile(r"(/\S*)/(?:ld|libc|libm|libpython|libffi|libz|libcrypto)[-.\d]\S*$")


def base_interpreter() -> Path:
    """Return the path of the Python interpreter outside of virtual environments.

    With the interpreter of a virtual environment, answers could also import the packages that are installed there.
    """
    return Path(getattr(sys, "_base_executable", "") or sys.executable).resolve()


def zygote_command(package: str, control: int) -> list[str]:
    """Return the command that starts the zygote.

    `package` is the path of the package `inside`, and `control` is the file descriptor of the zygote's control socket.
    """
    code = f"import sys; sys.path.insert(0, {os.path.dirname(package)!r}); from inside import zygote; "
    return [str(base_interpreter()), "-sSPB", "-c", f"{code}zygote.main({control})"]


@cache
def interpreter_paths() -> tuple[Path, ...]:
    """Return the paths that the interpreter needs: the interpreter, its standard library, and its shared libraries."""
    loaders = [loader for folder in ("/lib", "/lib64") for loader in Path(folder).glob("ld-*.so*")]
    loader_cache = [path for path in (Path("/etc/ld.so.cache"),) if path.exists()]
    paths = [base_interpreter(), *_standard_library_folders(), *_library_folders(), *loaders, *loader_cache]
    return tuple(sorted({path.parent.resolve() / path.name for path in paths}))


@cache
def hidden_paths() -> tuple[Path, ...]:
    """Return which paths in `interpreter_paths` to hide: folders of installed packages, and other Python versions."""
    sites = {library / site for library in _standard_library_folders() for site in SITE_FOLDERS}
    others = {path for folder in _library_folders() for path in folder.glob("python*") if path.is_dir()}
    return tuple(sorted(path for path in sites | (others - set(_standard_library_folders())) if path.is_dir()))


@cache
def _standard_library_folders() -> tuple[Path, ...]:
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    return tuple({Path(sysconfig.get_path(kind, vars=base)).resolve() for kind in ("stdlib", "platstdlib")})


@cache
def _library_folders() -> tuple[Path, ...]:
    """Return the folders of the C library and similar libraries, and the `lib` folder of the interpreter."""
    maps = Path("/proc/self/maps")
    matches = (
        [C_LIBRARY_PATTERN.search(line) for line in maps.read_text(encoding="utf-8").splitlines()]
        if maps.exists()
        else []
    )
    folders = {
        Path(match[1]).resolve() for match in matches if match and not any(site in match[1] for site in SITE_FOLDERS)
    }
    own = Path(sys.base_prefix, "lib").resolve()
    return tuple(sorted(folders | {own} if any(own.glob("lib*.so*")) else folders))


@cache
def readable_paths() -> tuple[Path, ...]:
    """Return paths that the sandbox may read: the paths in `interpreter_paths` without the `hidden_paths`."""
    return tuple(part for path in interpreter_paths() for part in _paths_without(path, hidden_paths()))


def _paths_without(path: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    if path in hidden:
        return
    if any(other.is_relative_to(path) for other in hidden):
        for child in path.iterdir():
            yield from _paths_without(child, hidden)
    elif path.exists():
        yield path


def course_modules(modules: Iterable[str], withheld: Iterable[str], packages: Mapping[str, Path]) -> tuple[str, ...]:
    """Return all modules of the course that these modules and the package `inside` import, except withheld ones.

    Other modules are left out, because they can contain answers: tables, for example, contain all rules of their games.
    `packages` are additional packages that students import.
    """
    return modules_needed_by(
        frozenset((*modules, *NEEDED_INSIDE)), (("course", COURSE), *packages.items()), frozenset(withheld)
    )


def standard_imports_of(modules: Iterable[str], packages: Mapping[str, Path]) -> tuple[str, ...]:
    """Return the standard-library modules that these modules of the course import.

    The sandbox loads the standard-library modules in advance, because the modules of the course may need them later.
    """
    sources = (source_path_of(module, (("course", COURSE), *packages.items())) for module in modules)
    return loadable_imports(source.read_text(encoding="utf-8") for source in sources if source)


def course_files(modules: Iterable[str], withheld: Iterable[str], packages: Mapping[str, Path]) -> dict[Path, str]:
    """For each file of the modules from `course_modules`, return its path in the sandbox.

    Compiled files are included.
    """
    folders = (("course", COURSE), *packages.items())
    sources = [
        source for name in course_modules(modules, withheld, packages) if (source := source_path_of(name, folders))
    ]
    targets = dict[Path, str]()
    for path in (*sources, *(Path(cache_from_source(str(source))) for source in sources)):
        for top, folder in folders if path.exists() else ():
            if path.is_relative_to(folder):
                targets[path] = f"{sandbox_path(top)}/{path.relative_to(folder)}"
    return targets


def sandbox_path(package: str) -> str:
    """Return the path of a package inside the sandbox."""
    return f"/foldem/{package}"


def bubblewrap_command(program: str, course: Mapping[Path, str]) -> list[str]:
    """Return the command that starts the sandbox, with new namespaces and only the mounts that are needed."""
    command = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for link in (Path("/lib"), Path("/lib64")):
        command += ["--symlink", os.readlink(link), str(link)] if link.is_symlink() else []
    for path in sorted({*interpreter_paths(), *hidden_paths()}, key=lambda path: len(path.parts)):
        masked = ["--tmpfs", str(path), "--remount-ro", str(path)]
        command += masked if path in hidden_paths() else ["--ro-bind", str(path), str(path)]
    for name in MOUNTED_COMPLETELY:
        command += ["--ro-bind", str(PACKAGE_FOLDERS[name]), sandbox_path(name)]
    for path, target in course.items():
        command += ["--ro-bind", str(path), target]
    return [*command, "--dev-bind", os.devnull, os.devnull, "--remount-ro", "/", "--chdir", "/"]
