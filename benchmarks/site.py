"""Measure the course in a browser, compared with a plain JupyterLite: seconds, and the browser's CPU time.

`python benchmarks/site.py` builds both in one run: ours, and a plain one with the packages of PyPI and Python's library
from npm. A cold start has a new profile. A warm start opens the notebook again in it. `python benchmarks/site.py aims`
measures only ours, and prints each figure with its aim. This needs psutil and Chromium.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from _aims import with_aim

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.commands.site import make_site
from autograder.site.pages import KERNEL_PLUGIN, PYODIDE, SETTINGS, WASM_FILE
from autograder.site.parts import LOCK_FILE, STANDARD, _lock_entry, extension_folder, fetch_downloads
from tests.test_site_browser import READY, RUN, run
from tests.test_tables_browser import chromium
from tests.units import known, read_unit

READINESS = """(async () => {
  let kernel;
  while (!(kernel = window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel))
    await new Promise((resolve) => setTimeout(resolve, 100));
  await kernel.requestExecute({ code: "", silent: true, store_history: false }).done;
  document.body.dataset.foldemReady = "1";
})();"""
TEXT = "#foldem-text, .jp-RenderedMarkdown"
NOTEBOOK, CHECKS, WARM = "notebooks/index.html?path=1_dominoes.ipynb", 5, 3


def plain_of(ours: Path, plain: Path) -> Path:
    """Return a site like ours, without our changes."""
    shutil.copytree(ours, plain)
    parts, pyodide = fetch_downloads(), plain / PYODIDE
    for wheel in pyodide.glob("*.whl"):
        wheel.unlink()
    kernel = extension_folder("@jupyterlite/pyodide-kernel-extension") / "static" / "pypi"
    wheels = [*parts.wheels, *(wheel for wheel in kernel.glob("*.whl") if "extension-3" not in wheel.name)]
    for file in (*wheels, parts.pyodide / STANDARD, parts.pyodide / WASM_FILE):
        shutil.copy(file, pyodide / file.name)
    lock = json.loads((pyodide / LOCK_FILE).read_text())
    (pyodide / LOCK_FILE).write_text(json.dumps(lock | {"packages": dict(map(_lock_entry, wheels))}))
    settings = json.loads((plain / SETTINGS).read_text())
    python = settings["jupyter-config-data"]["litePluginSettings"][KERNEL_PLUGIN]
    python["pyodideUrl"] = f"./{PYODIDE}/pyodide.mjs"
    python["loadPyodideOptions"]["packages"] = [_lock_entry(wheel)[0] for wheel in wheels]
    (plain / SETTINGS).write_text(json.dumps(settings))
    (plain / "foldem.js").write_text(READINESS)
    return plain


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def cpu() -> float:
    """Return the CPU time of all Chromium processes that this process started."""
    times = [each.cpu_times() for each in psutil.Process().children(recursive=True)]
    return sum(each.user + each.system for each in times)


def memory() -> float:
    """Return the peak memory of a page's process so far, in MB."""
    parts = psutil.Process().children(recursive=True)
    return max(each.memory_info().rss for each in parts if "--type=renderer" in " ".join(each.cmdline())) / 1e6


def measured(what: str, act: Callable[[], Any]) -> None:
    begun, before = time.monotonic(), cpu()
    act()
    print(f"  {what:<28} {time.monotonic() - begun:6.1f} s   {cpu() - before:6.1f} s of processors")


def first_cell(page: Any, address: str, cell: str) -> None:
    page.goto(address + NOTEBOOK)
    page.wait_for_function(READY, timeout=600_000)
    page.evaluate(RUN, ["flip", cell])


def checks(page: Any) -> float:
    """Return the median seconds of a check."""
    run(page, "flip", "from course.dominoes import *\nfrom course.check import *")
    run(page, "flip", read_unit("dominoes")["flip"].source)
    taken = []
    for _ in range(CHECKS):
        begun = time.monotonic()
        run(page, "flip-check")
        taken.append(time.monotonic() - begun)
    return median(taken)


def size(site: Path) -> float:
    """Return the size of a site in MB."""
    return sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6


@contextmanager
def served(site: Path, profile: Path) -> Iterator[tuple[Any, str]]:
    """Start a server and a browser with a profile, and provide the browser and the site's address."""
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server,
        chromium(profile) as browser,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield browser, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def first_text_and_check(browser: Any, address: str) -> tuple[float, float]:
    """Open a notebook, and return the seconds until its text is there, and until the first check is green."""
    page, begun = browser.new_page(), time.monotonic()
    page.goto(address + NOTEBOOK, wait_until="commit")
    page.locator(TEXT).first.wait_for()
    text = time.monotonic() - begun
    page.wait_for_function(READY, timeout=600_000)
    run(page, "flip", read_unit("dominoes")["flip"].source)
    if "✓ flip" not in run(page, "flip-check"):
        raise SystemExit("the first check is not green")
    taken = time.monotonic() - begun
    page.close()
    return text, taken


def measure(name: str, site: Path, folder: Path, cell: str) -> None:
    with served(site, folder / f"profile-{name}") as (browser, address):
        print(f"{name}: {size(site):.0f} MB")
        page = browser.new_page()
        for what in ("cold: first cell", *["warm: first cell"] * WARM):
            page.close()
            time.sleep(1)  # until its processes have ended
            page = browser.new_page()
            measured(what, partial(first_cell, page, address, cell))
        print(f"  {'memory of the page':<28} {memory():6.0f} MB")
        if name == "ours":
            print(f"  {'check, median of ' + str(CHECKS):<28} {checks(page):6.2f} s")
            print(f"  {'memory after the checks':<28} {memory():6.0f} MB")


def print_aims(site: Path, folder: Path) -> None:
    """Print the medians of a site, each with its aim."""
    texts, colds, warms = [], [], []
    for number in range(WARM):
        with served(site, folder / f"aims-{number}") as (browser, address):
            cold, warm = (first_text_and_check(browser, address) for _ in range(2))
        texts, colds, warms = [*texts, cold[0]], [*colds, cold[1]], [*warms, warm[1]]
    with_aim("first text", median(texts), 1, "s")
    with_aim("first check, warm", median(warms), 6, "s")
    with_aim("first check, cold", median(colds), 10, "s")
    with_aim("size", size(site), 35, "MB")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        list(make_site(path / "ours", known()))
        if sys.argv[1:] == ["aims"]:
            print_aims(path / "ours", path)
        else:
            plain = plain_of(path / "ours", path / "plain")
            measure("plain", plain, path, "print('hello')")
            measure("ours", path / "ours", path, "from course.dominoes import *")


if __name__ == "__main__":
    main()
