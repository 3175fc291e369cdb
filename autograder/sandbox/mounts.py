"""The files in a sandbox: the interpreter without site-packages, a unit of the course, toolz and `inside`."""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.util import cache_from_source, resolve_name
from pathlib import Path

import toolz

import course
from autograder.sandbox.imports import imported
from course.graph import reached
from course.syntax import children

PACKAGES = {
    "inside": Path(__file__).parent / "inside",
    "course": Path(course.__file__).parent,
    "toolz": Path(toolz.__file__).parent,
}
MOUNTED_COMPLETELY, NEEDED_INSIDE = (
    ("inside", "toolz"),
    ("course.effects", "course.exam.depth", "course.exam.observing"),
)
SITES = ("site-packages", "dist-packages")
C_LIBRARY = re.compile(r"(/\S*)/(?:ld|libc|libm|libpython|libffi|libz|libcrypto)[-.\d]\S*$")


def interpreter() -> Path:
    """Return the real interpreter. The interpreter of a virtual environment would make its site-packages available."""
    return Path(getattr(sys, "_base_executable", "") or sys.executable).resolve()


def start_command(package: str, control: int) -> list[str]:
    """Return the command that starts the zygote, from the folder of `inside`."""
    code = f"import sys; sys.path.insert(0, {os.path.dirname(package)!r}); from inside import zygote; "
    return [str(interpreter()), "-sSPB", "-c", f"{code}zygote.main({control})"]


@cache
def interpreter_paths() -> tuple[Path, ...]:
    """Return the paths that the interpreter needs: the interpreter, its standard library, and its shared libraries."""
    loaders = [loader for folder in ("/lib", "/lib64") for loader in Path(folder).glob("ld-*.so*")]
    loader_cache = [path for path in (Path("/etc/ld.so.cache"),) if path.exists()]
    paths = [interpreter(), *_standard_library(), *_library_folders(), *loaders, *loader_cache]
    return tuple(sorted({path.parent.resolve() / path.name for path in paths}))


@cache
def hidden() -> tuple[Path, ...]:
    """Return the paths in `interpreter_paths` to hide: folders of installed packages, and other Pythons."""
    sites = {library / site for library in _standard_library() for site in SITES}
    others = {path for folder in _library_folders() for path in folder.glob("python*") if path.is_dir()}
    return tuple(sorted(path for path in sites | (others - set(_standard_library())) if path.is_dir()))


@cache
def _standard_library() -> tuple[Path, ...]:
    return tuple({Path(sysconfig.get_path(kind, vars=_base())).resolve() for kind in ("stdlib", "platstdlib")})


def _base() -> dict[str, str]:
    return {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}


@cache
def _library_folders() -> tuple[Path, ...]:
    """Return the folders of the C library and similar libraries, and the `lib` folder of the interpreter."""
    maps = Path("/proc/self/maps")
    matches = (
        [C_LIBRARY.search(line) for line in maps.read_text(encoding="utf-8").splitlines()] if maps.exists() else []
    )
    folders = {Path(match[1]).resolve() for match in matches if match and not any(site in match[1] for site in SITES)}
    own = Path(sys.base_prefix, "lib").resolve()
    return tuple(sorted(folders | {own} if any(own.glob("lib*.so*")) else folders))


@cache
def readable_paths() -> tuple[Path, ...]:
    """Return the paths of `interpreter_paths` that contain nothing hidden, so that they may be read completely."""
    return tuple(part for path in interpreter_paths() for part in _without(path, hidden()))


def _without(path: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    if path in hidden:
        return
    if any(other.is_relative_to(path) for other in hidden):
        for child in path.iterdir():
            yield from _without(child, hidden)
    elif path.exists():
        yield path


Folders = tuple[tuple[str, Path], ...]


def course_modules(
    modules: Sequence[str], withheld: Sequence[str], packages: Mapping[str, Path] | None = None
) -> tuple[str, ...]:
    """Return the modules of the course that these modules, and `inside`, import, except withheld ones.

    Other modules can contain answers: tables, for example, know all rules of their games. `packages` are additional
    folders that students import.
    """
    return _course_modules(tuple(modules), tuple(withheld), _folders(packages))


def _folders(packages: Mapping[str, Path] | None) -> Folders:
    return tuple(({"course": PACKAGES["course"]} | dict(packages or {})).items())


@cache
def _course_modules(modules: tuple[str, ...], withheld: tuple[str, ...], folders: Folders) -> tuple[str, ...]:
    def there(names: Iterable[str]) -> set[str]:
        return {part for name in names for part in _path(name) if _source(part, folders)} - {*withheld}

    return tuple(sorted(reached(there({*modules, *NEEDED_INSIDE}), lambda module: there(_imported(module, folders)))))


def _path(name: str) -> Iterator[str]:
    """Yield a module's name and those of its packages."""
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


@cache
def _imported(module: str, folders: Folders) -> tuple[str, ...]:
    """Return the modules that a module imports. Imported names count, too, since they may be modules."""
    path = _source(module, folders)
    return tuple(_imports(module, path)) if path else ()


def _imports(module: str, path: Path) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in _statements(ast.parse(path.read_bytes(), str(path))):
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


def _source(module: str, folders: Folders) -> Path | None:
    """Return the file of a module that students may import, or None."""
    top, *rest = module.split(".")
    if top not in dict(folders):
        return None
    path = dict(folders)[top].joinpath(*rest)
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file if file.exists() else None


def imports_of(modules: Sequence[str], packages: Mapping[str, Path] | None = None) -> tuple[str, ...]:
    """Return the standard-library modules that these modules of the course import, for modules that are added later."""
    sources = (_source(module, _folders(packages)) for module in modules)
    return imported(source.read_text(encoding="utf-8") for source in sources if source)


def course_files(
    modules: Sequence[str], withheld: Sequence[str], packages: Mapping[str, Path] | None = None
) -> dict[Path, str]:
    """Return the files of `course_modules`, including compiled ones, each with its path in the sandbox."""
    folders = _folders(packages)
    sources = [source for name in course_modules(modules, withheld, packages) if (source := _source(name, folders))]
    compiled = [Path(cache_from_source(str(source))) for source in sources]
    return {path: target for path in (*sources, *compiled) if path.exists() for target in _caged(path, folders)}


def _caged(path: Path, folders: Folders) -> Iterator[str]:
    yield from (f"{caged(top)}/{path.relative_to(folder)}" for top, folder in folders if path.is_relative_to(folder))


def caged(package: str) -> str:
    """Return the path of a package inside the sandbox."""
    return f"/foldem/{package}"


def bubblewrap(program: str, course: Mapping[Path, str], extra: Sequence[Path]) -> list[str]:
    """Return the command that builds the sandbox: new namespaces, and only the needed mounts."""
    command = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for link in (Path("/lib"), Path("/lib64")):
        command += ["--symlink", os.readlink(link), str(link)] if link.is_symlink() else []
    for path in sorted({*interpreter_paths(), *hidden()}, key=lambda path: len(path.parts)):
        command += _masked(path) if path in hidden() else ["--ro-bind", str(path), str(path)]
    for name in MOUNTED_COMPLETELY:
        command += ["--ro-bind", str(PACKAGES[name]), caged(name)]
    for path, target in course.items():
        command += ["--ro-bind", str(path), target]
    for path in extra:
        command += ["--ro-bind", str(path), str(path)]
    return [*command, "--dev-bind", os.devnull, os.devnull, "--remount-ro", "/", "--chdir", "/"]


def _masked(path: Path) -> list[str]:
    return ["--tmpfs", str(path), "--remount-ro", str(path)]
