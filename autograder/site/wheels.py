"""Lean wheels: what a notebook needs of a package, compiled for Pyodide's Python, and the lock that names them all.

Most packages lie in the zip of Python's own library, out of which they are imported: to unpack wheels takes longer.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.config import ConfigError
from autograder.site.parts import LOCK, NO_NPM, Parts, extension, kept

# What no notebook asks for: tests, packages' own front ends (these are extensions of JupyterLab), typings of others.
NEEDLESS = re.compile(
    r"(^|/)tests?/|\.data/|^(anywidget|ipywidgets)/(labextension|nbextension|static)/"
    r"|^jedi/third_party/(django-stubs|typeshed/(third_party/2(and3)?|stdlib/2))/"
    r"|\.(js|map|md|rst)$|/RECORD$|licen[cs]es?/"
)
STANDARD = "python_stdlib.zip"  # comes with its sources alone, and Python would compile what it imports each time
WITH_SOURCES = re.compile(r"^foldem|course")  # whose sources are read: by completion and help, and in tracebacks
READS_FILES = re.compile(rf"{WITH_SOURCES.pattern}|^(jedi|parso)-")  # that lie beside it, and can't in a zip
COMPILE = """
import { pathToFileURL } from "node:url";
const [home, work] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(home + "/pyodide.mjs").href);
const python = await loadPyodide({ indexURL: home + "/" });
python.mountNodeFS("/work", work);
python.runPython(`
import compileall, py_compile, warnings
warnings.simplefilter("ignore")
how = dict(quiet=2, maxlevels=20, stripdir="/work", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
compileall.compile_dir("/work/lean", legacy=True, **how)
compileall.compile_dir("/work/whole", **how)
`);
"""


def add_wheels(parts: Parts, own: Iterable[Path], folder: Path) -> tuple[str, ...]:
    """Write lean wheels into Pyodide's folder, and the lock that names them; give the names of all that is there."""
    others = (*parts.wheels, *_kernel_wheels())
    lean, standard = _kept(parts, others)
    shutil.copy(standard, folder / standard.name)
    with tempfile.TemporaryDirectory() as place:
        made = [*lean, *_compiled(parts, own, Path(place))]
        for wheel in made:
            shutil.copy(wheel, folder / wheel.name)
        lock = {"info": parts.lock["info"], "packages": dict(map(_entry, made))}
        (folder / LOCK).write_text(json.dumps(lock), encoding="utf-8")
        return tuple(sorted({*lock["packages"], *(_named(wheel) for wheel in others)}))


def _kernel_wheels() -> tuple[Path, ...]:
    """Return the wheels that come with the kernel's extension."""
    folder = extension("@jupyterlite/pyodide-kernel-extension") / "static" / "pypi"
    return tuple(wheel for wheel in sorted(folder.glob("*.whl")) if "widgetsnbextension-3" not in wheel.name)


def _kept(parts: Parts, wheels: Iterable[Path]) -> tuple[tuple[Path, ...], Path]:
    """Return wheels of others and Python's own library, compiled, from the cache: they are the same in each site."""
    told = "|".join([parts.pyodide.name, Path(__file__).read_text(encoding="utf-8"), *(wheel.name for wheel in wheels)])
    folder = kept(f"lean-{hashlib.sha256(told.encode()).hexdigest()[:12]}")
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as place:
            (Path(place) / "made").mkdir()
            list(_compiled(parts, (*wheels, parts.pyodide / STANDARD), Path(place) / "made"))
            (Path(place) / "made").replace(folder)
    return tuple(sorted(folder.glob("*.whl"))), folder / STANDARD


def _compiled(parts: Parts, wheels: Iterable[Path], folder: Path) -> Iterator[Path]:
    """Write wheels, or the library's zip, with what Python compiles of them and without what is needless."""
    with tempfile.TemporaryDirectory() as place:
        opened = {home_of(wheel): _opened(wheel, Path(place)) for wheel in wheels}
        for part in ("lean", "whole"):
            (Path(place) / part).mkdir(exist_ok=True)
        _compile(parts.pyodide, Path(place))
        for name, folder_of in opened.items():
            yield _zipped(folder_of, folder / name)


def home_of(wheel: Path) -> str:
    """Return the file that a wheel's content comes into: itself, or the zip of Python's library."""
    return wheel.name if READS_FILES.search(wheel.name) else STANDARD


def _opened(wheel: Path, place: Path) -> Path:
    """Return the folder that a wheel is unpacked in: `whole` with its sources to stay, else `lean`."""
    folder = place / ("whole" if WITH_SOURCES.search(wheel.name) else "lean") / Path(home_of(wheel)).stem
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(
            folder, [name for name in archive.namelist() if not NEEDLESS.search(name) or WITH_SOURCES.search(name)]
        )
    return folder


def _compile(pyodide: Path, work: Path) -> None:
    if shutil.which("node") is None:
        raise ConfigError(NO_NPM)
    script = work / "compile.mjs"
    script.write_text(COMPILE, encoding="utf-8")
    done = subprocess.run(
        ["node", script, pyodide, work], capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if done.returncode:
        raise ConfigError(
            f"Python for the browser did not run in Node.js (20 or newer is needed): {done.stderr[-300:]}"
        )


def _zipped(folder: Path, wheel: Path) -> Path:
    """Write a folder as a wheel, without the sources beside which something compiled lies; the same bytes each time."""
    files = (path for path in folder.rglob("*") if path.is_file())
    kept = [path for path in files if path.suffix != ".py" or not path.with_suffix(".pyc").is_file()]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(kept):
            named = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            archive.writestr(named, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return wheel


def _entry(wheel: Path) -> tuple[str, dict[str, Any]]:
    """Return what a lock says of a wheel. That one needs others is not said: all that a lock names are loaded."""
    told = {
        "name": _named(wheel),
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": _imports(wheel),
        "depends": [],
        "unvendored_tests": False,
    }
    return str(told["name"]), told


def _named(wheel: Path) -> str:
    return wheel.name.split("-")[0].lower().replace("_", "-")


def _imports(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    return sorted(top.removesuffix(".pyc").removesuffix(".py") for top in tops if not top.endswith(".dist-info"))
