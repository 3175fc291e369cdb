"""`foldem lab`: JupyterLab on a working copy of the notebooks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.build import notebooks_folder

# JupyterLab asks about news on its first start, which reaches for the network; and saving soon lets `check`
# see that a cell was edited but not run.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},
}


def open_lab(folder: Path, no_browser: bool) -> int:
    """Make or complete the working copy, then run JupyterLab on it until it is stopped; give its exit status."""
    for line in make_working_copy(folder):
        print(line)
    subprocess.Popen([sys.executable, "-m", "autograder.exams"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder.resolve()}"]
    command += [f"--LabServerApp.app_settings_dir={settings_folder(folder)}"] + ["--no-browser"] * no_browser
    try:
        return subprocess.run(command, env=os.environ | {"JUPYTER_PREFER_ENV_PATH": "1"}).returncode
    except KeyboardInterrupt:
        return 0


def make_working_copy(folder: Path) -> Iterator[str]:
    """Copy the notebooks that are not there yet, and say what was done; nothing that is there is touched."""
    folder.mkdir(parents=True, exist_ok=True)
    for notebook in sorted(notebooks_folder().glob("*.ipynb")):
        target = folder / notebook.name
        if not target.exists():
            shutil.copyfile(notebook, target)
            yield f"new    {target}"
        elif _version(target) != _version(notebook):
            yield f"kept   {target} (yours is of another version; rename it to get the new one)"


def _version(notebook: Path) -> str | None:
    try:
        return json.loads(notebook.read_text(encoding="utf-8"))["metadata"]["foldem"]["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def settings_folder(folder: Path) -> Path:
    """Give the folder of JupyterLab's settings for a working copy, written afresh."""
    settings = folder.resolve() / ".foldem" / "lab"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "overrides.json").write_text(json.dumps(SETTINGS, indent=1), encoding="utf-8")
    return settings
