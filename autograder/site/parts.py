"""The packages of a site: Pyodide from npm and wheels from PyPI, downloaded once, reduced in size, and compiled.

Most packages are put into one zip, since unpacking wheels takes longer than importing from a zip.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from autograder.config import ConfigError, cache_folder
from autograder.errors import install_command, missing_extra_message
from autograder.exam.model import checks_of
from autograder.units.unit import Unit

NO_NPM_MESSAGE = "npm is not installed; it downloads Pyodide. Run apt-get install npm (Node.js 20 or newer)"
# The kernel's packages, by the names under which they are loaded, and the packages that our notebooks need besides
# `course`.
KERNEL_PACKAGES = ("ipython", "jedi", "micropip")
NOTEBOOK_PACKAGES = ("anywidget", "comm", "ipywidgets", "psygnal", "toolz", "typing_extensions")
LOCK_FILE = "pyodide-lock.json"


@dataclass(frozen=True)
class SiteDownloads:
    """Pyodide's folder from npm, and the wheels from PyPI that notebooks need."""

    pyodide: Path
    wheels: tuple[Path, ...]

    @cached_property
    def lock(self) -> dict[str, Any]:
        return dict(json.loads((self.pyodide / LOCK_FILE).read_text(encoding="utf-8")))


def fetch_downloads() -> SiteDownloads:
    """Return Pyodide and the wheels from the cache, or download them. Raises ConfigError if a download fails."""
    if find_spec("jupyterlite_core") is None or find_spec("jupyterlite_pyodide_kernel") is None:
        raise ConfigError(missing_extra_message("jupyterlite_core", "foldem site"))
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    pyodide = _npm_package_folder(f"pyodide@{PYODIDE_VERSION}")
    lock = json.loads((pyodide / LOCK_FILE).read_text(encoding="utf-8"))
    known = {_project_name(package["name"]): package for package in lock["packages"].values()}
    pins, needed = set[str](), [*KERNEL_PACKAGES]
    while needed:  # the kernel's packages and their dependencies, in the versions tested with Pyodide
        package = known[_project_name(needed.pop())]
        pin = f"{package['name']}=={package['version']}"
        needed += package["depends"] if pin not in pins else []
        pins.add(pin)
    pins |= {f"{name}=={version(name)}" for name in NOTEBOOK_PACKAGES}
    return SiteDownloads(pyodide, tuple(map(_downloaded_wheel, sorted(pins))))


def extension_folder(name: str) -> Path:
    """Return the folder of an installed JupyterLab extension. Raises ConfigError if the extension is missing."""
    from jupyter_core.paths import jupyter_path

    folders = (Path(folder) / name for folder in jupyter_path("labextensions"))
    folder = next((each for each in folders if each.is_dir()), None)
    if folder is None:
        raise ConfigError(
            f"the JupyterLab extension {name} is not installed: {install_command('site')} --force-reinstall"
        )
    return folder


def _project_name(name: str) -> str:
    return name.lower().replace("_", "-")


def _npm_package_folder(package: str) -> Path:
    """Return the folder of an npm package, unpacked in the cache."""

    def unpack_into(draft: Path) -> Path:
        if shutil.which("npm") is None:
            raise ConfigError(NO_NPM_MESSAGE)
        _run_download(["npm", "pack", package, "--silent", "--pack-destination", str(draft)], package, draft)
        with tarfile.open(next(draft.glob("*.tgz"))) as archive:
            archive.extractall(draft, filter="data")
        return draft / "package"

    return cached_folder(package, unpack_into)


def _downloaded_wheel(pin: str) -> Path:
    """Return the pure-Python wheel of a PyPI package from the cache."""

    def download_into(draft: Path) -> Path:
        any_python = ["--only-binary", ":all:", "--platform", "any", "--python-version", "3.14", "--abi", "none"]
        order = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *any_python, "-d", str(draft), pin]
        _run_download(order, pin, draft)
        return draft

    return next(cached_folder(pin, download_into).glob("*.whl"))


def cached_folder(name: str, make: Callable[[Path], Path]) -> Path:
    """Return the folder with this name in the cache. If the folder is missing, create it with `make`.

    `make` gets a temporary folder, and returns the folder that is then moved to the cache. An interrupted run leaves no
    incomplete folder in the cache.
    """
    folder = cache_folder("site") / name
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as scratch:
            draft = Path(scratch) / "draft"
            draft.mkdir()
            make(draft).replace(folder)
    return folder


def _run_download(order: list[str], what: str, folder: Path) -> None:
    done = subprocess.run(order, capture_output=True, encoding="utf-8", errors="replace", cwd=folder, check=False)
    if done.returncode:
        lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        message = next((line for line in lines if "rror" in line), [*lines, "no reason given"][-1])
        raise ConfigError(f"{what} could not be downloaded: check the network and run the command again ({message})")


# Files that no notebook needs: tests, type stubs, and the browser parts of packages, which JupyterLab has as
# extensions.
NEEDLESS_FILES = re.compile(
    r"(^|/)tests?/|\.data/|^(anywidget|ipywidgets)/(labextension|nbextension|static)/"
    r"|^jedi/third_party/(django-stubs|typeshed/(third_party/2(and3)?|stdlib/2))/"
    r"|\.(js|map|md|rst)$|/RECORD$|licen[cs]es?/"
)
# Both have no sources, which Python would compile at each start. Shared games load only the first.
STANDARD, EXTRA_PACKAGES = "python_stdlib.zip", "packages.zip"
FOR_STDLIB_ZIP = re.compile(rf"^(toolz-|{STANDARD})")
WHEELS_WITH_SOURCES = re.compile(r"^foldem|course")  # completion, help and tracebacks read these sources
# these read files next to their modules, which is impossible in a zip
WHEELS_READING_FILES = re.compile(rf"{WHEELS_WITH_SOURCES.pattern}|^(jedi|parso)-")
COMPILE_SCRIPT = """
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


def add_wheels(parts: SiteDownloads, own: Iterable[Path], folder: Path) -> tuple[str, ...]:
    """Write compiled wheels, and a lock file that lists them, into Pyodide's folder.

    Return the names of all packages that the site has.
    """
    kernel = extension_folder("@jupyterlite/pyodide-kernel-extension") / "static" / "pypi"
    of_kernel = (wheel for wheel in sorted(kernel.glob("*.whl")) if "widgetsnbextension-3" not in wheel.name)
    others = (*parts.wheels, *of_kernel)
    lean, zips = _cached_wheels(parts, others)
    for file in zips:
        shutil.copy(file, folder)
    with tempfile.TemporaryDirectory() as scratch:
        made = [*lean, *_compile_wheels(parts, own, Path(scratch))]
        for wheel in made:
            shutil.copy(wheel, folder / wheel.name)
        lock = {"info": parts.lock["info"], "packages": dict(map(_lock_entry, made))}
        (folder / LOCK_FILE).write_text(json.dumps(lock), encoding="utf-8")
        return tuple(sorted({*lock["packages"], *(_project_name(wheel.name.split("-")[0]) for wheel in others)}))


def _cached_wheels(parts: SiteDownloads, wheels: Iterable[Path]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return the compiled wheels of other projects, and the zips of Python's library and of packages.

    These files come from the cache, since they are the same for every site.
    """
    text = "|".join([parts.pyodide.name, Path(__file__).read_text(encoding="utf-8"), *(wheel.name for wheel in wheels)])

    def compile_into(draft: Path) -> Path:
        list(_compile_wheels(parts, (*wheels, parts.pyodide / STANDARD), draft))
        return draft

    folder = cached_folder(f"lean-{hashlib.sha256(text.encode()).hexdigest()[:12]}", compile_into)
    return tuple(sorted(folder.glob("*.whl"))), (folder / STANDARD, folder / EXTRA_PACKAGES)


def _compile_wheels(parts: SiteDownloads, wheels: Iterable[Path], folder: Path) -> Iterator[Path]:
    """Compile wheels, or the zip of Python's library, without files that notebooks do not need."""
    if shutil.which("node") is None:
        raise ConfigError(NO_NPM_MESSAGE)
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        opened = {target_file_name(wheel): _unpack_wheel(wheel, work) for wheel in wheels}
        for part in ("lean", "whole"):
            (work / part).mkdir(exist_ok=True)
        script = work / "compile.mjs"
        script.write_text(COMPILE_SCRIPT, encoding="utf-8")
        order = ["node", str(script), str(parts.pyodide), scratch]
        done = subprocess.run(order, capture_output=True, encoding="utf-8", errors="replace", check=False)
        if done.returncode:
            why = f"Node.js (20 or newer is needed): {done.stderr[-300:]}"
            raise ConfigError(f"Python for the browser could not be run in {why}")
        for name, folder_of in opened.items():
            yield _zip_folder(folder_of, folder / name)


def target_file_name(wheel: Path) -> str:
    """Return the name of the site's file with the content of a wheel: the wheel itself, or one of two zips."""
    if WHEELS_READING_FILES.search(wheel.name):
        return wheel.name
    return STANDARD if FOR_STDLIB_ZIP.search(wheel.name) else EXTRA_PACKAGES


def _unpack_wheel(wheel: Path, parent: Path) -> Path:
    """Unpack a wheel, and return its folder: in `whole` if the sources are needed, else in `lean`."""
    folder = (
        parent / ("whole" if WHEELS_WITH_SOURCES.search(wheel.name) else "lean") / Path(target_file_name(wheel)).stem
    )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(
            folder,
            [
                name
                for name in archive.namelist()
                if not NEEDLESS_FILES.search(name) or WHEELS_WITH_SOURCES.search(name)
            ],
        )
    return folder


def _zip_folder(folder: Path, wheel: Path) -> Path:
    """Write a folder as a reproducible wheel. Sources that have a compiled file are left out."""
    files = (path for path in folder.rglob("*") if path.is_file())
    remaining = [path for path in files if path.suffix != ".py" or not path.with_suffix(".pyc").is_file()]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(remaining):
            named = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            archive.writestr(named, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return wheel


def _lock_entry(wheel: Path) -> tuple[str, dict[str, object]]:
    """Return a wheel's entry in the lock file. The entry has no dependencies, since all packages are loaded anyway."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    data = {
        "name": _project_name(wheel.name.split("-")[0]),
        "version": wheel.name.split("-")[1],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(
            top.removesuffix(".pyc").removesuffix(".py") for top in tops if not top.endswith(INFO_SUFFIX)
        ),
        "depends": [],
        "unvendored_tests": False,
    }
    return str(data["name"]), data


INFO_SUFFIX = ".dist-info"
ANSWERS_PACKAGE = "foldem_answers"
ANSWERS_METADATA = "Metadata-Version: 2.1\nName: foldem-answers\nVersion: 1\n"
WHEEL_FORMAT = "Wheel-Version: 1.0\nGenerator: foldem\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
ANSWERS_ENTRY_POINT = f"[foldem.references]\nfull = {ANSWERS_PACKAGE}:References\n"
ANSWERS_MODULE = '''\
"""The references in a learner's kernel on a site for self-study. `course` finds them by an entry point."""


class References:
    """A provider of references to everyone, since the site is for people who learn alone."""

    answers = {answers!r}

    def reference(self, unit, name):
        """Return the source of an exercise's reference."""
        return self.answers[unit][name][0]

    def has_one_answer(self, unit, name):
        """Return whether only the reference's results are right."""
        return self.answers[unit][name][1]
'''


def write_answers_wheel(folder: Path, units: Sequence[Unit]) -> Path:
    """Write a wheel with the references of units, and with a module that gives these references to a kernel.

    Return the path of the wheel.
    """
    wheel = folder / f"{ANSWERS_PACKAGE}-1-py3-none-any.whl"
    checks = {unit.name: checks_of(unit) for unit in units}
    answers = {
        unit.name: {each.name: (each.source, checks[unit.name][each.name].has_one_answer) for each in unit.exercises}
        for unit in units
    }
    about = {"METADATA": ANSWERS_METADATA, "WHEEL": WHEEL_FORMAT, "entry_points.txt": ANSWERS_ENTRY_POINT}
    files = {f"{ANSWERS_PACKAGE}/__init__.py": ANSWERS_MODULE.format(answers=answers)}
    with ZipFile(wheel, "w") as archive:
        for name, text in (
            files | {f"{ANSWERS_PACKAGE}-1{INFO_SUFFIX}/{name}": text for name, text in about.items()}
        ).items():
            archive.writestr(name, text)
    return wheel
