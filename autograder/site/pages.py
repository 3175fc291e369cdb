"""The pages of a site: its JupyterLite, the start page, the page for shared games, and which files it leaves out."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jinja2
import nbformat
from markdown_it import MarkdownIt
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.config import ConfigError
from autograder.site.parts import LOCK_FILE, STANDARD, SiteDownloads, add_wheels, extension_folder
from course.learner.opening import KERNEL_SPEC, LINE_NUMBER_SETTINGS, TODAY_CELL_CODE, TODAY_TEXT
from course.show.pictures import joined_files, unit_picture
from course.show.results import duration_text
from course.tables.scene import scene_style
from course.tables.sharing import PLAY_PAGE

HERE = Path(__file__).parent
NEEDLESS_EXTENSIONS = ("@jupyterlab/mermaid-extension", "@jupyterlab/terminal-extension", "@jupyterlab/vega5-extension")
KERNEL_PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
NEEDED_EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "anywidget")
STARTER, WORKER, KERNELS = "early.mjs", "worker.mjs", "comlink.worker.*.js"
SETTINGS, PYODIDE, APPS = "jupyter-lite.json", "static/pyodide", ("lab", "notebooks", "edit", "tree")
WASM_FILE = "pyodide.asm.wasm"
PACKED_SUFFIX = ".packed"  # not `.gz`, which some servers unpack and others do not
IGNORED_PYODIDE_FILES = shutil.ignore_patterns(
    WASM_FILE, "*.map", "*.d.ts", "*.html", "*.md", "pyodide.js", "package.json", LOCK_FILE
)
SAVE_INTERVAL = 5  # seconds; a reload shows the last saved version
SETTINGS_OVERRIDES = {
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": SAVE_INTERVAL},
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},  # as light or dark as the start page
    **LINE_NUMBER_SETTINGS,
}


def write_jupyterlite(
    parts: SiteDownloads, own: Iterable[Path], files: Mapping[str, str], name: str, out: Path
) -> None:
    """Write JupyterLite into a folder, with the notebooks and the wheels that they need."""
    with tempfile.TemporaryDirectory() as scratch:
        lite = Path(scratch)
        shutil.copytree(parts.pyodide, lite / PYODIDE, ignore=IGNORED_PYODIDE_FILES)
        program = gzip.compress((parts.pyodide / WASM_FILE).read_bytes(), 9, mtime=0)
        (lite / PYODIDE / f"{WASM_FILE}{PACKED_SUFFIX}").write_bytes(program)
        shutil.copy(HERE / STARTER, lite / PYODIDE)
        loaded = add_wheels(parts, own, lite / PYODIDE)
        for path, text in files.items():
            (lite / "files" / path).parent.mkdir(parents=True, exist_ok=True)
            (lite / "files" / path).write_text(text, encoding="utf-8")
        _write_json(lite / SETTINGS, lite_settings(name, loaded))
        _write_json(lite / "overrides.json", SETTINGS_OVERRIDES)
        build = {
            "apps": APPS,
            "contents": ["files"],
            "federated_extensions": [str(extension_folder(name)) for name in NEEDED_EXTENSIONS],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "settings_overrides": ["overrides.json"],
        }
        _write_json(lite / "jupyter_lite_config.json", {"LiteBuildConfig": build})
        _build_lite(lite, out)
        enable_early_loading(out)


def _write_json(file: Path, data: Mapping[str, object]) -> None:
    file.write_text(json.dumps(data), encoding="utf-8")


def lite_settings(name: str, loaded: Iterable[str]) -> dict[str, object]:
    """Return the settings of JupyterLite's pages, such as the packages that Python loads when a notebook opens."""
    kernel = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"lockFileURL": f"./{PYODIDE}/{LOCK_FILE}", "packages": list(loaded)},
    }
    data = {"appName": name, "disabledExtensions": NEEDLESS_EXTENSIONS, "exposeAppInBrowser": True}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {**data, "litePluginSettings": {KERNEL_PLUGIN: kernel}},
    }


def enable_early_loading(site: Path) -> None:
    """Let notebooks use the Python that their page has already started to load.

    The page starts to load Python before JupyterLite needs it. Raises ConfigError if this version of JupyterLite's
    kernel does not support early loading.
    """
    kernel = next((site / "extensions").rglob(KERNELS), None)
    if kernel is None:
        raise ConfigError(f"this version of Foldem does not support this JupyterLite: its kernel has no file {KERNELS}")
    imported = f"./{STARTER}", f"../../{kernel.relative_to(site).as_posix()}"
    (site / PYODIDE / WORKER).write_text("".join(f'import "{each}";\n' for each in imported), encoding="utf-8")
    data = json.loads((site / SETTINGS).read_text(encoding="utf-8"))
    data["jupyter-config-data"]["litePluginSettings"][KERNEL_PLUGIN]["pyodideUrl"] = f"./{PYODIDE}/{STARTER}"
    _write_json(site / SETTINGS, data)


def _build_lite(lite: Path, out: Path) -> None:
    """Run JupyterLite's builder in a new folder, because it skips steps that an earlier run has finished."""
    order = [sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", str(out.resolve())]
    done = subprocess.run(order, cwd=lite, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        texts = [line for line in (done.stderr or done.stdout).splitlines() if "rror" in line]
        raise ConfigError(f"JupyterLite could not be built: {texts[-1].strip() if texts else done.stderr[-300:]}")


# ------------------------------------------------------------------------------------------------ the start page


TODAY_FILE = "today.ipynb"  # at the top, because its questions cover the folders below
HEAD_WITH_SCRIPT = '<head><script src="../foldem.js"></script>'


@dataclass(frozen=True)
class NotebookCard:
    """The data of a notebook for the start page: its path, a hash (`stamp`), and a description of its unit."""

    path: str
    title: str
    summary: str
    size: str
    picture: str
    unit: str
    exercises: tuple[str, ...]
    stamp: str
    game: str = ""
    """The end of the address at which the reference solutions play the game, or ""."""


def notebook_card(path: str, notebook: Mapping[str, Any], stated: Mapping[str, Any]) -> NotebookCard:
    """Return the card of a notebook, with the number of its exercises."""
    data = notebook.get("metadata", {}).get("foldem", {})
    every = {each["name"]: each["points"] for each in stated.get("exercises", ())}
    names = [name for name in every if name in data.get("exercises", every)]
    size = f"{len(names)} exercises, about {duration_text([every[name] for name in names])}" if names else ""
    title = stated.get("title", Path(path).stem)
    unit, stamp = (str(data.get(key, "")) for key in ("unit", "site"))
    return NotebookCard(
        path, title, stated.get("summary", ""), size, unit_picture(stated.get("picture", "")), unit, tuple(names), stamp
    )


def _read_site_file(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def add_start_page(site: Path, name: str, cards: Iterable[NotebookCard], version: str) -> None:
    """Write the start page, and make the notebooks' pages show a progress bar while they load Python."""
    template = jinja2.Environment(autoescape=True).from_string(_read_site_file("start.html"))
    shown = [*cards]
    exercises = {each.path: each.exercises for each in shown if each.unit}
    page = template.render(name=name, cards=shown, exercises=json.dumps(exercises), version=version, today=TODAY_FILE)
    (site / "index.html").write_text(page, encoding="utf-8")
    for file in ("foldem.js", "work.js"):
        shutil.copy(HERE / file, site)
    for app in ("lab", "notebooks"):
        index = site / app / "index.html"
        index.write_text(index.read_text(encoding="utf-8").replace("<head>", HEAD_WITH_SCRIPT, 1), encoding="utf-8")


def today_notebook() -> str:
    """Return a notebook that asks today's questions, as text."""
    cells = [new_markdown_cell(f"# Today\n\n{TODAY_TEXT}", id="title"), new_code_cell(TODAY_CELL_CODE, id="today")]
    language = {"name": "python"}  # without it, JupyterLite asks which kernel to start
    notebook = new_notebook(cells=cells, metadata={"kernelspec": KERNEL_SPEC, "language_info": language})
    return nbformat.writes(notebook) + "\n"


def add_notebook_texts(site: Path, notebooks: Mapping[str, str]) -> None:
    """Write the text of each notebook as HTML.

    A notebook's page shows this HTML until JupyterLite has drawn the notebook. The HTML has no links, since links work
    only in the notebook itself.
    """
    for path, text in notebooks.items():
        parts = []
        for cell in json.loads(text).get("cells", ()):
            if cell["cell_type"] == "markdown":
                html = re.sub(r"</?a\b[^>]*>", "", MarkdownIt().enable("table").render("".join(cell["source"])))
                parts.append(f'<div id="text-{escape(cell.get("id", ""))}">{html}</div>')
        file = site / "texts" / f"{path}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(parts), encoding="utf-8")


# ------------------------------------------------------------------------------------------------ shared games


PLAY_FOLDER = "static/play"
SHARED_PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    f"{WASM_FILE}{PACKED_SUFFIX}",
    STANDARD,
    LOCK_FILE,
)  # notebooks load these, too
# The memory section of Pyodide: one memory with a first and a largest size, in pages of 64 KiB; the latter is 65,536.
MEMORY_SECTION = re.compile(rb"\x05\x07\x01\x01[\x80-\xff][\x00-\x7f](\x80\x80\x04)", re.DOTALL)
MEMORY_LIMIT = (0x80, 0xC0, 0x00)  # 8,192 pages, which are 512 MiB, as a number of three bytes


def add_play_page(site: Path, name: str, parts: SiteDownloads) -> None:
    """Write the page for shared games into a site, with the files that only this page needs.

    Raises ConfigError if the memory of this version of Pyodide cannot be limited.
    """
    sections = [*MEMORY_SECTION.finditer((parts.pyodide / WASM_FILE).read_bytes())]
    if len(sections) != 1:
        raise ConfigError("this version of Pyodide is not supported: Foldem cannot limit its memory")
    limit = {"at": sections[0].start(1), "replaces": [*sections[0][1]], "bytes": MEMORY_LIMIT}
    pyodide, own = site / PYODIDE, site / PLAY_FOLDER
    own.mkdir(parents=True)
    frame = joined_files("show/page.js", "watch/watch.js", "tables/table.js") + _read_site_file("frame.js")
    style = scene_style() + joined_files("tables/table.css", "watch/watch.css") + _read_site_file("frame.css")
    packages: dict[Path, set[str]] = {}  # those with units, by wheel
    for wheel in pyodide.glob("*.whl"):
        with ZipFile(wheel) as archive:
            packages[wheel] = {name.split("/")[0] for name in archive.namelist() if "/statements/" in name}
    names, wheels = sorted({*chain(*packages.values())}), [wheel for wheel, inside in packages.items() if inside]
    texts = {
        "frame.js": frame,
        "frame.css": style,
        "engine.js": _read_site_file("engine.js"),
        "packages.json": json.dumps(names),
    }
    for file, text in texts.items():
        (own / file).write_bytes(text.encode())  # the hash of the frame is that of these bytes
    shutil.copy(HERE / "play.js", site)
    files = [*(pyodide / each for each in SHARED_PYODIDE_FILES), *wheels, *own.iterdir()]
    sizes = {path.relative_to(site).as_posix(): path.stat().st_size for path in sorted(files)}
    hashed = b64encode(sha256(frame.encode()).digest()).decode()
    shown = {"name": name, "files": json.dumps(sizes), "limit": json.dumps(limit), "hash": f"sha256-{hashed}"}
    page = jinja2.Environment(autoescape=True).from_string(_read_site_file("play.html")).render(shown)
    (site / PLAY_PAGE).write_text(page, encoding="utf-8")
