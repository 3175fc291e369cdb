"""What there is in a sandbox: the interpreter without any site-packages, a unit of the course, toolz and `inside`."""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

import toolz

import course

PACKAGES = {
    "inside": Path(__file__).parent / "inside",
    "course": Path(course.__file__).parent,
    "toolz": Path(toolz.__file__).parent,
}
PACKAGES_CAGED = {name: f"/foldem/{name}" for name in PACKAGES}
WHOLE, NEEDED_INSIDE = ("inside", "toolz"), ("course.effects",)
SITES = ("site-packages", "dist-packages")
C_LIBRARY = re.compile(r"(/\S*)/(?:ld|libc|libm|libpython|libffi|libz|libcrypto)[-.\d]\S*$")


def interpreter() -> Path:
    """Give the interpreter itself: a virtual environment's own would lead to its site-packages."""
    return Path(getattr(sys, "_base_executable", "") or sys.executable).resolve()


def start_command(package: str, control: int) -> list[str]:
    """Give the command that starts the zygote from where `inside` is."""
    code = f"import sys; sys.path.insert(0, {os.path.dirname(package)!r}); from inside import zygote; "
    return [str(interpreter()), "-sSPB", "-c", f"{code}zygote.main({control})"]


@cache
def shown() -> tuple[Path, ...]:
    """Give what the interpreter needs: itself, its standard library, the folders of its shared libraries."""
    loaders = [loader for folder in ("/lib", "/lib64") for loader in Path(folder).glob("ld-*.so*")]
    loader_cache = [path for path in (Path("/etc/ld.so.cache"),) if path.exists()]
    paths = [interpreter(), *_standard_library(), *_library_folders(), *loaders, *loader_cache]
    return tuple(sorted({path.parent.resolve() / path.name for path in paths}))


@cache
def hidden() -> tuple[Path, ...]:
    """Give what lies below that and is not to be seen: every folder of installed packages, and other Pythons."""
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
    """Give the folders that the C library and its like are loaded from, and the interpreter's own `lib`."""
    maps = Path("/proc/self/maps")
    found = [C_LIBRARY.search(line) for line in maps.read_text().splitlines()] if maps.exists() else []
    folders = {Path(match[1]).resolve() for match in found if match and not any(site in match[1] for site in SITES)}
    own = Path(sys.base_prefix, "lib").resolve()
    return tuple(sorted(folders | {own} if any(own.glob("lib*.so*")) else folders))


@cache
def readable() -> tuple[Path, ...]:
    """Give `shown` without `hidden`, as paths of which each may be read with all that is below it."""
    return tuple(part for path in shown() for part in _without(path, hidden()))


def _without(path: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    if path in hidden:
        return
    if any(other.is_relative_to(path) for other in hidden):
        for child in path.iterdir():
            yield from _without(child, hidden)
    elif path.exists():
        yield path


@cache
def course_modules(modules: tuple[str, ...], withheld: tuple[str, ...]) -> tuple[str, ...]:
    """Give the modules of the course that these are built on, and what runs inside; without those that are withheld.

    The others hold answers here and there: the tables know every rule of their games.
    """
    found, todo = {"course"}, {*modules, *NEEDED_INSIDE}
    while todo := todo - found - {*withheld}:
        found |= todo
        todo = {
            part for module in todo if _source(module).exists() for name in _imported(module) for part in _path(name)
        }
    return tuple(sorted(found))


def _path(name: str) -> Iterator[str]:
    """Give a module's name and those of the packages that it is in."""
    parts = name.split(".")
    yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


def _imported(module: str) -> Iterator[str]:
    tree = ast.parse(_source(module).read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "course":
            yield from [f"course.{each.name}" for each in node.names] if node.module == "course" else [str(node.module)]


def _source(module: str) -> Path:
    path = PACKAGES["course"].joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def course_files(modules: Sequence[str], withheld: Sequence[str]) -> list[Path]:
    """Give the files of `course_modules`, compiled ones too."""
    sources = [_source(name) for name in course_modules(tuple(modules), tuple(withheld))]
    compiled = [Path(cache_from_source(str(source))) for source in sources]
    return [path for path in (*sources, *compiled) if path.exists()]


def bubblewrap(program: str, course: Sequence[Path], extra: Sequence[Path]) -> list[str]:
    """Give the command that builds the cage: new namespaces, and nothing mounted but what is shown."""
    command = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for link in (Path("/lib"), Path("/lib64")):
        command += ["--symlink", os.readlink(link), str(link)] if link.is_symlink() else []
    for path in sorted({*shown(), *hidden()}, key=lambda path: len(path.parts)):
        command += _masked(path) if path in hidden() else ["--ro-bind", str(path), str(path)]
    for name in WHOLE:
        command += ["--ro-bind", str(PACKAGES[name]), PACKAGES_CAGED[name]]
    for path in course:
        command += ["--ro-bind", str(path), f"{PACKAGES_CAGED['course']}/{path.relative_to(PACKAGES['course'])}"]
    for path in extra:
        command += ["--ro-bind", str(path), str(path)]
    return [*command, "--dev-bind", os.devnull, os.devnull, "--remount-ro", "/", "--chdir", "/"]


def _masked(path: Path) -> list[str]:
    return ["--tmpfs", str(path), "--remount-ro", str(path)]
