"""The page on which shared games are played, and its files: a small Python with a limit of memory, and the tables."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import jinja2

from autograder.config import ConfigError
from autograder.site.lite import PYODIDE
from autograder.site.parts import LOCK, Parts
from autograder.site.wheels import STANDARD
from course.show.widgets import script
from course.tables.scene import scene_style
from course.tables.sharing import PLAY_PAGE

HERE, PLAY_FOLDER = Path(__file__).parent, "static/play"
PYTHON_SCRIPT, WASM = "pyodide.asm.mjs", "pyodide.asm.wasm"
PACKED = ".packed"  # not `.gz`, which some servers unpack and others do not
OF_NOTEBOOKS = ("pyodide.mjs", LOCK)  # files of Pyodide that notebooks load, too
OTHER_PACKAGES = {"toolz", "tlz"}  # in addition to the standard library
# The memory section of Pyodide: one memory with a first and a largest size, in pages of 64 KiB; the latter is 65,536.
PROGRAM_MEMORY = re.compile(rb"(\x05\x07\x01\x01[\x80-\xff][\x00-\x7f])\x80\x80\x04", re.DOTALL)
MEMORY_LIMIT = b"\x80\xc0\x00"  # 8,192 pages, which are 512 MiB, as a number of three bytes


def add_play(site: Path, name: str, parts: Parts) -> None:
    """Write the page into a site, with the files that only this page needs."""
    pyodide, own = site / PYODIDE, site / PLAY_FOLDER
    own.mkdir(parents=True)
    frame = script("show/page.js", "watch/watch.js", "tables/table.js") + _text("frame.js")
    wheels = [wheel for wheel in pyodide.glob("*.whl") if _packages_of_units(wheel)]
    for file, data in _own_files(pyodide, frame, wheels).items():
        (own / file).write_bytes(data)
    _write_library(parts.pyodide / STANDARD, pyodide / STANDARD, own / STANDARD)
    shutil.copy(HERE / "play.js", site)
    files = [*(pyodide / each for each in OF_NOTEBOOKS), *wheels, *own.iterdir()]
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in sorted(files)}
    hashed = b64encode(sha256(frame.encode()).digest()).decode()
    shown = {"name": name, "files": json.dumps(sizes), "hash": f"sha256-{hashed}"}
    page = jinja2.Environment(autoescape=True).from_string(_text("play.html")).render(shown)
    (site / PLAY_PAGE).write_text(page, encoding="utf-8")


def _own_files(pyodide: Path, frame: str, wheels: Iterable[Path]) -> dict[str, bytes]:
    """Return the files that only this page needs, by name: Python's program with its limit, and the frame."""
    program = {WASM: with_limit((pyodide / WASM).read_bytes()), PYTHON_SCRIPT: (pyodide / PYTHON_SCRIPT).read_bytes()}
    style = scene_style() + script("tables/table.css", "watch/watch.css") + _text("frame.css")
    packages = json.dumps(sorted({package for wheel in wheels for package in _packages_of_units(wheel)}))
    texts = {"frame.js": frame, "frame.css": style, "engine.js": _text("engine.js"), "packages.json": packages}
    packed = {f"{name}{PACKED}": gzip.compress(data, 9, mtime=0) for name, data in program.items()}
    return packed | {name: text.encode() for name, text in texts.items()}


def _text(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def _write_library(standard: Path, compiled: Path, file: Path) -> None:
    """Write Python's library, compiled, without the packages of notebooks."""
    with ZipFile(standard) as archive:
        names = OTHER_PACKAGES | {_top(name) for name in archive.namelist()}
    with ZipFile(compiled) as source, ZipFile(file, "w") as out:
        for each in source.infolist():
            if _top(each.filename) in names:
                out.writestr(each, source.read(each), ZIP_DEFLATED, 9)


def _top(name: str) -> str:
    return name.split("/")[0].split(".")[0]


def _packages_of_units(wheel: Path) -> set[str]:
    """Return the packages in a wheel that contain units."""
    with ZipFile(wheel) as archive:
        return {name.split("/")[0] for name in archive.namelist() if "/statements/" in name}


def with_limit(wasm: bytes) -> bytes:
    """Return Pyodide's program with a limit of memory. Raises ConfigError if it has another memory than expected."""
    limited, count = PROGRAM_MEMORY.subn(rb"\1" + MEMORY_LIMIT, wasm)
    if count != 1:
        raise ConfigError("Pyodide's program has no memory as expected: this Foldem does not support its version")
    return limited
