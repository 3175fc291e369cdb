"""The page on which shared games are played, and its files: a small Python with a limit of memory, and the tables."""

from __future__ import annotations

import json
import re
import shutil
from base64 import b64encode
from hashlib import sha256
from itertools import chain
from pathlib import Path
from zipfile import ZipFile

import jinja2

from autograder.config import ConfigError
from autograder.site.lite import PACKED, PYODIDE, WASM
from autograder.site.parts import LOCK, Parts
from autograder.site.wheels import STANDARD
from course.show.widgets import script
from course.tables.scene import scene_style
from course.tables.sharing import PLAY_PAGE

HERE, PLAY_FOLDER = Path(__file__).parent, "static/play"
OF_NOTEBOOKS = ("pyodide.mjs", "pyodide.asm.mjs", f"{WASM}{PACKED}", STANDARD, LOCK)  # notebooks load these, too
# The memory section of Pyodide: one memory with a first and a largest size, in pages of 64 KiB; the latter is 65,536.
PROGRAM_MEMORY = re.compile(rb"\x05\x07\x01\x01[\x80-\xff][\x00-\x7f](\x80\x80\x04)", re.DOTALL)
MEMORY_LIMIT = (0x80, 0xC0, 0x00)  # 8,192 pages, which are 512 MiB, as a number of three bytes


def add_play(site: Path, name: str, parts: Parts) -> None:
    """Write the page into a site, with the files that only this page needs.

    Raises ConfigError if Pyodide's program has its memory in another place than expected.
    """
    sections = [*PROGRAM_MEMORY.finditer((parts.pyodide / WASM).read_bytes())]
    if len(sections) != 1:
        raise ConfigError("this version of Pyodide is not supported: its program has another memory than expected")
    limit = {"at": sections[0].start(1), "replaces": [*sections[0][1]], "bytes": MEMORY_LIMIT}
    pyodide, own = site / PYODIDE, site / PLAY_FOLDER
    own.mkdir(parents=True)
    frame = script("show/page.js", "watch/watch.js", "tables/table.js") + _text("frame.js")
    style = scene_style() + script("tables/table.css", "watch/watch.css") + _text("frame.css")
    packages = {wheel: _packages_of_units(wheel) for wheel in pyodide.glob("*.whl")}
    names, wheels = sorted({*chain(*packages.values())}), [wheel for wheel, inside in packages.items() if inside]
    texts = {"frame.js": frame, "frame.css": style, "engine.js": _text("engine.js"), "packages.json": json.dumps(names)}
    for file, text in texts.items():
        (own / file).write_bytes(text.encode())  # the hash of the frame is that of these bytes
    shutil.copy(HERE / "play.js", site)
    files = [*(pyodide / each for each in OF_NOTEBOOKS), *wheels, *own.iterdir()]
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in sorted(files)}
    hashed = b64encode(sha256(frame.encode()).digest()).decode()
    shown = {"name": name, "files": json.dumps(sizes), "limit": json.dumps(limit), "hash": f"sha256-{hashed}"}
    page = jinja2.Environment(autoescape=True).from_string(_text("play.html")).render(shown)
    (site / PLAY_PAGE).write_text(page, encoding="utf-8")


def _text(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def _packages_of_units(wheel: Path) -> set[str]:
    """Return the packages in a wheel that contain units."""
    with ZipFile(wheel) as archive:
        return {name.split("/")[0] for name in archive.namelist() if "/statements/" in name}
