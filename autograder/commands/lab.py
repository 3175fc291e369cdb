"""`foldem lab`: JupyterLab on a working copy of the notebooks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from jupyterlab_server.workspaces_handler import WorkspacesManager
from nbformat.sign import NotebookNotary

from autograder.config import ConfigError
from autograder.units.build import built_notebook
from autograder.units.pack import kernel_environment
from autograder.units.unit import read_unit, unit_names
from course.learner.opening import START, with_startup, write_settings, write_start_page

FOR_TEACHERS = {"@jupyter/nbgrader": True}  # its menus and sidebar, which learners do not need
# JupyterLab opens with one sidebar: the table of contents.
LAYOUT = {
    "left": {
        "collapsed": False,
        "visible": True,
        "current": "@jupyterlab/toc:plugin",
        "widgets": ["filebrowser", "running-sessions", "@jupyterlab/toc:plugin", "extensionmanager.main-view"],
    },
    "relativeSizes": [0.18, 0.82, 0],
}
# On a wide screen, outputs are beside the cell; on a narrow one, the table of contents is narrower.
LOOKS = """@media (max-width: 1000px) {
  body { --jp-sidebar-min-width: 160px; }
}
@media (min-width: 1600px) {
  .jp-Notebook .jp-CodeCell:not(.jp-mod-noOutputs, :has(.jp-InputPlaceholder)) {
    display: grid;
    grid-template: "header header" auto "input output" auto "footer footer" auto / minmax(0, 4fr) minmax(0, 5fr);
    gap: 0 12px;
    align-items: start;
    > .jp-CellHeader { grid-area: header; }
    > .jp-Cell-inputWrapper { grid-area: input; }
    > .jp-Cell-outputWrapper { grid-area: output; margin-top: 0; }
    > .jp-CellFooter { grid-area: footer; }
  }
}
"""


def open_lab(folder: Path, no_browser: bool, units: tuple[str, ...] = ()) -> int:
    """Make or complete the working copy, run JupyterLab on it until it stops, and return its exit status."""
    sys.stdout.writelines(f"{line}\n" for line in make_working_copy(folder, units))
    subprocess.Popen(
        [sys.executable, "-m", "autograder.exam.store"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.resolve()}"]
    environment, settings = with_startup(kernel_environment()), settings_folder(folder)
    environment["JUPYTER_PREFER_ENV_PATH"] = "1"
    command += [f"--LabServerApp.app_settings_dir={settings}", f"--LabApp.default_url=/lab/tree/{START}"]
    command += [f"--LabServerApp.workspaces_dir={settings / 'workspaces'}", "--LabApp.custom_css=True"]
    command += [f"--ServerApp.tornado_settings={ {'static_custom_path': [str(settings / 'custom')]} }"]
    # In a container the user is root, and JupyterLab refuses to start as root without this.
    command += ["--no-browser"] * no_browser + ["--allow-root"] * (getattr(os, "geteuid", lambda: 1)() == 0)
    try:
        return subprocess.run(command, env=environment).returncode
    except KeyboardInterrupt:
        return 0


def make_working_copy(folder: Path, units: tuple[str, ...] = ()) -> Iterator[str]:
    """Copy missing notebooks, of all or some units, and yield a line for each; existing files stay."""
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file, not a folder")
    texts = {f"{unit.stem}.ipynb": built_notebook(unit) for unit in map(read_unit, units or unit_names())}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        target = folder / name
        if not target.exists():
            target.write_bytes(text.encode())
            yield f"new    {target}"
        elif _told(target).get("version") != json.loads(text)["metadata"]["foldem"]["version"]:
            yield f"kept   {target} (you have another version; rename it to get the new one)"

    write_signed_start_page(folder)


def _told(notebook: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(notebook.read_text(encoding="utf-8"))["metadata"]["foldem"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def write_signed_start_page(folder: Path) -> None:
    """Write the start page, and sign it so that JupyterLab shows its links."""
    if write_start_page(folder):
        NotebookNotary().sign(nbformat.read(folder / START, 4))


def settings_folder(folder: Path) -> Path:
    """Return the folder of JupyterLab's settings for a working copy, written afresh."""
    settings = write_settings(folder.resolve() / ".foldem" / "lab")
    (settings / "page_config.json").write_text(json.dumps({"disabledExtensions": FOR_TEACHERS}), encoding="utf-8")
    (settings / "custom").mkdir(exist_ok=True)
    (settings / "custom" / "custom.css").write_text(LOOKS, encoding="utf-8")
    lay_out(settings / "workspaces")
    return settings


def lay_out(folder: Path) -> None:
    """Write how JupyterLab is laid out at first; what a learner has made of it since is left alone."""
    folder.mkdir(exist_ok=True)
    if not any(folder.iterdir()):
        layout = {"data": {"layout-restorer:data": LAYOUT}, "metadata": {"id": "default"}}
        WorkspacesManager(str(folder)).save("default", json.dumps(layout))
