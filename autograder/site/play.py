"""The page on which shared games are played, and its files: a small Python with a limit of memory, and the tables."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import jinja2
from markupsafe import Markup

from autograder.config import ConfigError
from autograder.site.lite import PYODIDE
from autograder.site.parts import LOCK, Parts
from autograder.site.wheels import STANDARD
from course.show.widgets import script
from course.tables.scene import scene_style
from course.tables.sharing import PAGE

HERE, FOLDER = Path(__file__).parent, "static/play"
SCRIPT, WASM, PACKED = (
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    ".packed",
)  # not `.gz`, which some servers unpack and others do not
SHARED = ("pyodide.mjs", LOCK)  # files of Pyodide that notebooks load, too
NEEDED = {"toolz", "tlz"}  # in addition to the standard library
# The memory section of Pyodide: one memory with a first and a largest size, in pages of 64 KiB; the latter is 65,536.
MEMORY = re.compile(rb"(\x05\x07\x01\x01[\x80-\xff][\x00-\x7f])\x80\x80\x04", re.DOTALL)
AT_MOST = b"\x80\xc0\x00"  # 8,192 pages, which are 512 MiB, as a number of three bytes


def add_play(site: Path, name: str, parts: Parts) -> None:
    """Write the page into a site, with the files that only this page needs."""
    pyodide, own = site / PYODIDE, site / FOLDER
    own.mkdir(parents=True)
    for file, data in {
        WASM: with_limit((pyodide / WASM).read_bytes()),
        SCRIPT: (pyodide / SCRIPT).read_bytes(),
    }.items():
        (own / f"{file}{PACKED}").write_bytes(gzip.compress(data, 9, mtime=0))
    _write_library(parts.pyodide / STANDARD, pyodide / STANDARD, own / STANDARD)
    packages = {wheel: found for wheel in pyodide.glob("*.whl") if (found := _packages_of_units(wheel))}
    (own / "packages.json").write_text(json.dumps(sorted(set[str]().union(*packages.values()))), encoding="utf-8")
    frame = script("show/page.js", "watch/watch.js", "tables/table.js") + _text("frame.js")
    style = scene_style() + script("tables/table.css", "watch/watch.css") + _text("frame.css")
    for file, text in {"frame.js": frame, "frame.css": style, "engine.js": _text("engine.js")}.items():
        (own / file).write_text(text, encoding="utf-8")
    shutil.copy(HERE / "play.js", site)
    files = [*(pyodide / each for each in SHARED), *packages, *own.iterdir()]
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in sorted(files)}
    template = jinja2.Environment(autoescape=True).from_string(_text("play.html"))
    hashed = b64encode(sha256(frame.encode()).digest()).decode()
    sealed = Markup(f"'sha256-{hashed}' 'wasm-unsafe-eval' blob:")
    (site / PAGE).write_text(template.render(name=name, files=json.dumps(sizes), sealed=sealed), encoding="utf-8")


def _text(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def _write_library(standard: Path, compiled: Path, file: Path) -> None:
    """Write Python's library, compiled, without the packages of notebooks."""
    with ZipFile(standard) as archive:
        names = NEEDED | {_top(name) for name in archive.namelist()}
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
    limited, count = MEMORY.subn(rb"\1" + AT_MOST, wasm)
    if count != 1:
        raise ConfigError("Pyodide's program has no memory as expected: this Foldem does not support its version")
    return limited
