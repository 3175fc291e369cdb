"""JupyterLite: the pages on which notebooks are edited and run, and their settings."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from autograder.config import ConfigError
from autograder.site.parts import LOCK, Parts, add_wheels, extension
from course.learner.opening import LINE_NUMBERS

NEEDLESS_EXTENSIONS = ("@jupyterlab/mermaid-extension", "@jupyterlab/terminal-extension", "@jupyterlab/vega5-extension")
PLUGIN = "@jupyterlite/pyodide-kernel-extension:kernel"
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension", "anywidget")
STARTER, WORKER, KERNELS = "early.mjs", "worker.mjs", "comlink.worker.*.js"
SETTINGS, PYODIDE, APPS = "jupyter-lite.json", "static/pyodide", ("lab", "notebooks", "edit", "tree")
WASM = "pyodide.asm.wasm"
PACKED = ".packed"  # not `.gz`, which some servers unpack and others do not
NOT_OF_PYODIDE = shutil.ignore_patterns(WASM, "*.map", "*.d.ts", "*.html", "*.md", "pyodide.js", "package.json", LOCK)
SAVED_EVERY = 5  # seconds; a reload shows the last saved version
OVERRIDES = {
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": SAVED_EVERY},
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},  # as light or dark as the start page
    **LINE_NUMBERS,
}


def write_lite(parts: Parts, own: Iterable[Path], files: Mapping[str, str], name: str, out: Path) -> None:
    """Write JupyterLite into a folder, with the notebooks and the wheels that they import."""
    with tempfile.TemporaryDirectory() as scratch:
        lite = Path(scratch)
        shutil.copytree(parts.pyodide, lite / PYODIDE, ignore=NOT_OF_PYODIDE)
        program = gzip.compress((parts.pyodide / WASM).read_bytes(), 9, mtime=0)
        (lite / PYODIDE / f"{WASM}{PACKED}").write_bytes(program)
        shutil.copy(Path(__file__).with_name(STARTER), lite / PYODIDE)
        loaded = add_wheels(parts, own, lite / PYODIDE)
        for path, text in files.items():
            (lite / "files" / path).parent.mkdir(parents=True, exist_ok=True)
            (lite / "files" / path).write_text(text, encoding="utf-8")
        _write(lite / SETTINGS, settings(name, loaded))
        _write(lite / "overrides.json", OVERRIDES)
        build = {
            "apps": APPS,
            "contents": ["files"],
            "federated_extensions": [str(extension(name)) for name in EXTENSIONS],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "settings_overrides": ["overrides.json"],
        }
        _write(lite / "jupyter_lite_config.json", {"LiteBuildConfig": build})
        _run(lite, out)
        load_early(out)


def _write(file: Path, data: Mapping[str, object]) -> None:
    file.write_text(json.dumps(data), encoding="utf-8")


def settings(name: str, loaded: Iterable[str]) -> dict[str, object]:
    """Return the settings of JupyterLite's pages, such as the packages that Python loads when a notebook opens."""
    kernel = {
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"lockFileURL": f"./{PYODIDE}/{LOCK}", "packages": list(loaded)},
    }
    data = {"appName": name, "disabledExtensions": NEEDLESS_EXTENSIONS, "exposeAppInBrowser": True}
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": {**data, "litePluginSettings": {PLUGIN: kernel}}}


def load_early(site: Path) -> None:
    """Let notebooks use a Python that the page has started to load early.

    Raises ConfigError if this version of JupyterLite's kernel does not support that.
    """
    kernel = next((site / "extensions").rglob(KERNELS), None)
    if kernel is None:
        raise ConfigError(f"JupyterLite's kernel has no {KERNELS}: this version of Foldem does not support it")
    imported = f"./{STARTER}", f"../../{kernel.relative_to(site).as_posix()}"
    (site / PYODIDE / WORKER).write_text("".join(f'import "{each}";\n' for each in imported), encoding="utf-8")
    data = json.loads((site / SETTINGS).read_text(encoding="utf-8"))
    data["jupyter-config-data"]["litePluginSettings"][PLUGIN]["pyodideUrl"] = f"./{PYODIDE}/{STARTER}"
    _write(site / SETTINGS, data)


def _run(lite: Path, out: Path) -> None:
    """Run the builder in a new folder, because it skips steps that an earlier run has finished."""
    order = [sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", str(out.resolve())]
    done = subprocess.run(order, cwd=lite, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        texts = [line for line in (done.stderr or done.stdout).splitlines() if "rror" in line]
        raise ConfigError(f"JupyterLite could not be built: {texts[-1].strip() if texts else done.stderr[-300:]}")
