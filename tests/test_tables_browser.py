"""The tables end to end: a real JupyterLab, a real browser, games played by clicks and by keys."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.lab import settings_folder

ROOT = Path(__file__).parent.parent
SCREENSHOTS = ROOT / "screenshots"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
).split()
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.xdist_group("browser")]
if CHROMIUM is None and not os.environ.get("CI"):
    pytestmark.append(pytest.mark.skip(reason="no Chromium: apt-get install chromium"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def jupyter_lab(folder: Path) -> Iterator[str]:
    """Run JupyterLab on a folder; give its address, in which %s stands for a notebook's name."""
    port, base = free_port(), "http://127.0.0.1"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.port={port}"]
    command += [f"--ServerApp.root_dir={folder}", "--IdentityProvider.token=tables", "--expose-app-in-browser"]
    command += [f"--LabServerApp.app_settings_dir={settings_folder(folder)}"]
    log = (folder / "lab.log").open("w")
    home = {"JUPYTER_CONFIG_DIR": str(folder / "config"), "IPYTHONDIR": str(folder / "ipython"), "PYTHONPATH": str(ROOT)}
    env = os.environ | home | {"JUPYTER_PREFER_ENV_PATH": "1", "JUPYTER_RUNTIME_DIR": str(folder / "runtime")}
    server = subprocess.Popen(command, stdout=log, stderr=log, env=env)
    try:
        for _ in range(150):
            try:
                urlopen(f"{base}:{port}/api?token=tables", timeout=2)
                break
            except OSError:
                time.sleep(0.2)
        yield f"{base}:{port}/lab/tree/%s?token=tables&reset"
    finally:
        server.terminate()
        server.wait(20)


@contextmanager
def chromium(profile: Path, **settings: Any) -> Iterator[Any]:
    """Run Chromium on a new profile; give its browser context."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch_persistent_context(
            str(profile), executable_path=CHROMIUM, args=QUIET, viewport={"width": 1280, "height": 1000}, **settings
        )
        yield browser
        browser.close()


def write_notebook(path: Path, *cells: str) -> None:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells], metadata={"kernelspec": kernel})
    nbformat.write(notebook, path)


READY = """() => window.jupyterapp.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status === "idle" """
RUN_ALL = """async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.context.ready; await panel.sessionContext.ready; await panel.revealed;
  await window.jupyterapp.commands.execute("notebook:run-all-cells");
}"""


def opened(browser: Any, address: str, notebook: str, theme: str = "JupyterLab Light") -> Any:
    """Open a notebook in JupyterLab, in a theme, and run it from top to bottom."""
    page = browser.new_page()
    page.goto(address.replace("/lab/tree/", "/lab/tree/") % notebook)
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context", timeout=60000)
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
    page.wait_for_function(READY, timeout=60000)
    page.evaluate(RUN_ALL)
    return page
