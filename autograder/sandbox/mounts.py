"""The files in a sandbox: the interpreter without site-packages, a unit of the course, toolz and `inside`."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path

import toolz

from autograder.sandbox.sources import COURSE, Folders, imported, modules_behind, source_of

PACKAGES = {
    "inside": Path(__file__).parent / "inside",
    "course": COURSE,
    "toolz": Path(toolz.__file__).parent,
}
MOUNTED_COMPLETELY, NEEDED_INSIDE = (
    ("inside", "toolz"),
    ("course.data", "course.effects", "course.exam.observing", "course.exam.observing"),
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


def course_modules(
    modules: Iterable[str], withheld: Iterable[str], packages: Mapping[str, Path] | None = None
) -> tuple[str, ...]:
    """Return the modules of the course that these modules, and `inside`, import, except withheld ones.

    Other modules can contain answers: tables, for example, know all rules of their games. `packages` are additional
    folders that students import.
    """
    return modules_behind(frozenset((*modules, *NEEDED_INSIDE)), _folders(packages), frozenset(withheld))


def _folders(packages: Mapping[str, Path] | None) -> Folders:
    return tuple(({"course": PACKAGES["course"]} | dict(packages or {})).items())


def imports_of(modules: Iterable[str], packages: Mapping[str, Path] | None = None) -> tuple[str, ...]:
    """Return the standard-library modules that these modules of the course import, for modules that are added later."""
    sources = (source_of(module, _folders(packages)) for module in modules)
    return imported(source.read_text(encoding="utf-8") for source in sources if source)


def course_files(
    modules: Iterable[str], withheld: Iterable[str], packages: Mapping[str, Path] | None = None
) -> dict[Path, str]:
    """Return the files of `course_modules`, including compiled ones, each with its path in the sandbox."""
    folders = _folders(packages)
    sources = [source for name in course_modules(modules, withheld, packages) if (source := source_of(name, folders))]
    compiled = [Path(cache_from_source(str(source))) for source in sources]
    return {
        path: target for path in (*sources, *compiled) if path.exists() for target in _paths_in_sandbox(path, folders)
    }


def _paths_in_sandbox(path: Path, folders: Folders) -> Iterator[str]:
    yield from (f"{caged(top)}/{path.relative_to(folder)}" for top, folder in folders if path.is_relative_to(folder))


def caged(package: str) -> str:
    """Return the path of a package inside the sandbox."""
    return f"/foldem/{package}"


def bubblewrap(program: str, course: Mapping[Path, str]) -> list[str]:
    """Return the command that builds the sandbox: new namespaces, and only the needed mounts."""
    command = [program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for link in (Path("/lib"), Path("/lib64")):
        command += ["--symlink", os.readlink(link), str(link)] if link.is_symlink() else []
    for path in sorted({*interpreter_paths(), *hidden()}, key=lambda path: len(path.parts)):
        masked = ["--tmpfs", str(path), "--remount-ro", str(path)]
        command += masked if path in hidden() else ["--ro-bind", str(path), str(path)]
    for name in MOUNTED_COMPLETELY:
        command += ["--ro-bind", str(PACKAGES[name]), caged(name)]
    for path, target in course.items():
        command += ["--ro-bind", str(path), target]
    return [*command, "--dev-bind", os.devnull, os.devnull, "--remount-ro", "/", "--chdir", "/"]
