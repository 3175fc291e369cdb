"""Files of JupyterLite that no notebook loads: diagrams, charts and terminals, and formats for old browsers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder.config import ConfigError
from course.graph import reached

NEEDLESS_EXTENSIONS = ("@jupyterlab/mermaid-extension", "@jupyterlab/terminal-extension", "@jupyterlab/vega5-extension")
# A text that only the first script of a library has. These extensions load the libraries.
LIBRARY_MARKS = {
    "elk": "org.eclipse.elk",
    "mermaid": "mermaidAPI",
    "vega": "vega-bindings",
    "vega-embed": "vega-actions",
    "vega-lite": "errorband",
    "xterm": "Terminal must be opened first",
}
# Browsers that run Python load fonts as WOFF2. `schemas/all.json` has the settings of all extensions.
NEEDLESS_FILES = ("fa-*.eot", "fa-*.svg", "fa-*.ttf", "fa-*.woff", "schemas/@*/*/*.json")
LARGE_ICON, SMALL_ICON = "lab/favicon.ico", "static/favicons/favicon.ico"
LOADED_SCRIPT = re.compile(r"\.e\((\d+)\)")  # a script loads another by its number, with which the file's name begins


def drop_unused(site: Path) -> None:
    """Delete the files of a site that no notebook loads. Raises ConfigError if JupyterLite has no such files."""
    build = site / "build"
    texts = {path: path.read_text(encoding="utf-8") for path in build.rglob("*.js")}
    first = {path for name, mark in LIBRARY_MARKS.items() for path in _some(f"script of {name}", _with(mark, texts))}
    unused = loaded(texts) - loaded({path: text for path, text in texts.items() if path not in first})
    for path in (*unused, *(path for files in NEEDLESS_FILES for path in _some(files, build.glob(files)))):
        path.unlink()
    shutil.copy(site / SMALL_ICON, site / LARGE_ICON)


def _with(mark: str, texts: Mapping[Path, str]) -> Iterable[Path]:
    return (path for path, text in texts.items() if mark in text)


def _some(what: str, files: Iterable[Path]) -> list[Path]:
    if paths := [*files]:
        return paths
    raise ConfigError(f"JupyterLite has no {what}: this Foldem does not support its version")


def loaded(texts: Mapping[Path, str]) -> set[Path]:
    """Return the scripts that load others, and those that they load, directly or not.

    >>> texts = {"bundle.js": "t.e(1)", "1.a.js": "t.e(2)", "2.b.js": "", "3.c.js": ""}
    >>> sorted(path.name for path in loaded({Path(name): text for name, text in texts.items()}))
    ['1.a.js', '2.b.js', 'bundle.js']
    """
    numbered = {path.name.split(".")[0]: path for path in texts}

    def after(path: Path) -> Iterable[Path]:
        return (numbered[number] for number in LOADED_SCRIPT.findall(texts[path]) if number in numbered)

    return reached((path for path in texts if not path.name[0].isdigit()), after)
