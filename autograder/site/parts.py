"""The parts of a site that come from outside: Pyodide from npm, wheels from PyPI. These parts are downloaded once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from autograder.config import ConfigError, cache_folder
from autograder.errors import install_extra, missing_extra

NO_NPM = "npm is not installed; it downloads Pyodide. Run apt-get install npm (Node.js 20 or newer)"
# The kernel's packages, by the names under which they are loaded, and the packages that our notebooks need besides
# `course`.
OF_KERNEL = ("ipython", "jedi", "micropip")
IMPORTED = ("anywidget", "comm", "ipywidgets", "psygnal", "toolz", "typing_extensions")
LOCK = "pyodide-lock.json"


@dataclass(frozen=True)
class Parts:
    """Pyodide's folder from npm, and the notebooks' wheels from PyPI."""

    pyodide: Path
    wheels: tuple[Path, ...]

    @cached_property
    def lock(self) -> dict[str, Any]:
        return dict(json.loads((self.pyodide / LOCK).read_text(encoding="utf-8")))


def fetched() -> Parts:
    """Return the parts, from the cache, or else from npm and PyPI. Raises ConfigError if a download fails."""
    if find_spec("jupyterlite_core") is None or find_spec("jupyterlite_pyodide_kernel") is None:
        raise ConfigError(missing_extra("jupyterlite_core", "foldem site"))
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    pyodide = _unpacked(f"pyodide@{PYODIDE_VERSION}")
    lock = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))
    known = {_normalized_name(package["name"]): package for package in lock["packages"].values()}
    pins, needed = {f"{name}=={version(name)}" for name in IMPORTED}, [*OF_KERNEL]
    while needed:  # the kernel's packages and their dependencies, in the versions tested with Pyodide
        package = known[_normalized_name(needed.pop())]
        pin = f"{package['name']}=={package['version']}"
        needed += package["depends"] if pin not in pins else []
        pins.add(pin)
    return Parts(pyodide, tuple(map(_wheel, sorted(pins))))


def extension(name: str) -> Path:
    """Return the folder of an installed JupyterLab extension. Raises ConfigError if it is missing."""
    from jupyter_core.paths import jupyter_path

    folders = (Path(folder) / name for folder in jupyter_path("labextensions"))
    folder = next((each for each in folders if each.is_dir()), None)
    if folder is None:
        raise ConfigError(
            f"the JupyterLab extension {name} is not installed: {install_extra('site')} --force-reinstall"
        )
    return folder


def _normalized_name(name: str) -> str:
    return name.lower().replace("_", "-")


def _unpacked(package: str) -> Path:
    """Return the folder of an npm package, unpacked in the cache."""

    def make(draft: Path) -> Path:
        if shutil.which("npm") is None:
            raise ConfigError(NO_NPM)
        _fetch(["npm", "pack", package, "--silent", "--pack-destination", str(draft)], package, draft)
        with tarfile.open(next(draft.glob("*.tgz"))) as archive:
            archive.extractall(draft, filter="data")
        return draft / "package"

    return cached_part(package, make)


def _wheel(pin: str) -> Path:
    """Return the pure-Python wheel of a PyPI package from the cache."""

    def make(draft: Path) -> Path:
        any_python = ["--only-binary", ":all:", "--platform", "any", "--python-version", "3.14", "--abi", "none"]
        order = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *any_python, "-d", str(draft), pin]
        _fetch(order, pin, draft)
        return draft

    return next(cached_part(pin, make).glob("*.whl"))


def cached_part(name: str, make: Callable[[Path], Path]) -> Path:
    """Return the cache folder of a part. To make it, `make` fills a temporary folder, and returns what is the part.

    So an interruption leaves nothing behind. If another process made the part meanwhile, its part counts.
    """
    folder = cache_folder("site") / name
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as scratch:
            draft = Path(scratch) / "draft"
            draft.mkdir()
            part = make(draft)
            try:
                part.replace(folder)
            except OSError:
                if not folder.exists():
                    raise
    return folder


def _fetch(order: list[str], what: str, folder: Path) -> None:
    done = subprocess.run(order, capture_output=True, encoding="utf-8", errors="replace", cwd=folder, check=False)
    if done.returncode:
        lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        message = next((line for line in lines if "rror" in line), [*lines, "no reason given"][-1])
        raise ConfigError(f"{what} could not be downloaded: check the network and run the command again ({message})")
