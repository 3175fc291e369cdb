"""`foldem lab`: open JupyterLab on a working copy of the notebooks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import jupyterlab  # noqa: F401  a missing extra is named at once
import nbformat
from nbformat.sign import NotebookNotary

from autograder.commands.options import LabOptions
from autograder.config import ConfigError
from autograder.term.course import chosen_catalogue, chosen_units
from autograder.units.build import built_notebook
from autograder.units.pack import kernel_environment
from autograder.units.unit import Unit, units_in
from course.kernel.notebook import make_real_folder, write_safely
from course.learner.opening import (
    LAYOUTS_FOLDER,
    START_PAGE_NAME,
    environment_with_startup,
    write_layout,
    write_settings,
    write_start_page,
)

TEACHER_EXTENSIONS = {"@jupyter/nbgrader": True}  # nbgrader's menus and sidebar, which learners do not need
# On a narrow screen, the table of contents is narrower. On a wide one, outputs are next to the cell.
LAB_STYLE = """@media (max-width: 1000px) {
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


def run(options: LabOptions) -> int:
    """Make the working copy, or add missing notebooks to it, and run JupyterLab until it stops.

    Return JupyterLab's exit status. Packs that settings name are used only if the settings are in a parent folder of
    the working copy. Settings in the working copy itself may come from a stranger.
    """
    folder, catalogue = options.folder, chosen_catalogue(options.pack, options.folder.resolve().parent)
    units = chosen_units(catalogue, options.pack) or units_in(catalogue)
    sys.stdout.writelines(f"{line}\n" for line in make_working_copy(folder, units))
    environment, silent, python = kernel_environment(catalogue), subprocess.DEVNULL, [sys.executable, "-P", "-m"]
    subprocess.Popen([*python, "autograder.exam.impostors"], env=environment, stdout=silent, stderr=silent)
    environment = environment_with_startup(environment) | {"JUPYTER_PREFER_ENV_PATH": "1"}
    settings = write_lab_settings(folder)
    # Without a course, nbgrader's part of the server prints an error.
    parts = "assignment_list", "course_list", "formgrader", "validate_assignment"
    words = [f"--ServerApp.root_dir={folder.resolve()}", f"--LabServerApp.app_settings_dir={settings}"]
    words += [
        f"--LabApp.default_url=/lab/tree/{START_PAGE_NAME}",
        f"--LabServerApp.workspaces_dir={settings / LAYOUTS_FOLDER}",
    ]
    words += ["--LabApp.custom_css=True", "--LabApp.expose_app_in_browser=True"]  # the latter for *Play*
    words += [
        f"--ServerApp.jpserver_extensions={ {f'nbgrader.server_extensions.{part}': False for part in parts} }",
        f"--ServerApp.tornado_settings={ {'static_custom_path': [str(settings / 'custom')]} }",
    ]
    # In a container, the user is root. JupyterLab refuses to run as root without this.
    words += ["--allow-root"] * (getattr(os, "geteuid", lambda: 1)() == 0)
    command = [*python, "jupyterlab", *words, *["--no-browser"] * options.no_browser]
    # In the folder itself, JupyterLab would run a `jupyter_server_config.py` that a stranger put there.
    with subprocess.Popen(command, env=environment, cwd=sys.prefix) as running:
        signal.signal(signal.SIGTERM, lambda *_: running.terminate())
        try:
            return running.wait()
        except KeyboardInterrupt:
            running.terminate()
            return 0


def make_working_copy(folder: Path, units: Iterable[Unit]) -> Iterator[str]:
    """Copy the missing notebooks of these units to the folder. Yield a line of output about each copy.

    Existing files do not change.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file, not a folder")
    texts = {f"{unit.stem}.ipynb": built_notebook(unit) for unit in units}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        target = folder / name
        if not os.path.lexists(target):
            target.write_bytes(text.encode())
            yield f"new    {target}"
    if write_start_page(folder):
        NotebookNotary().sign(nbformat.read(folder / START_PAGE_NAME, 4))  # so that JupyterLab shows its links


def write_lab_settings(folder: Path) -> Path:
    """Write JupyterLab's settings for a working copy, and return the path of the folder with these settings."""
    settings = write_settings(folder.resolve() / ".foldem" / "lab")
    write_safely(settings / "page_config.json", json.dumps({"disabledExtensions": TEACHER_EXTENSIONS}))
    make_real_folder(settings / "custom")
    write_safely(settings / "custom" / "custom.css", LAB_STYLE)
    write_layout(settings / LAYOUTS_FOLDER)
    return settings
