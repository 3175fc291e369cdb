"""Measure the way from nothing to the first green check, with a student kit and on a site, in a real browser.

Run `python benchmarks/first_check.py [kit] [site]`. It does what the kit's README says, by clicks and keys only, and
prints each step with its seconds. Reading and thinking take no time. It needs Chromium; the site needs npm, too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from autograder.commands.site import make_site
from autograder.commands.student_kit import make_kit
from tests.test_tables_browser import chromium, free_port
from tests.units import known, read_unit

TOKEN, FIRST = "first", read_unit("warmup").exercises[0]
MOST_SECONDS, PAUSE = 300, 0.1
LONG = 1000.0 * MOST_SECONDS
CELL = f'.jp-CodeCell:has-text("def {FIRST.name}")'


class Steps:
    """The steps of a learner, each with its seconds."""

    def __init__(self, title: str) -> None:
        print(title)
        self.count, self.seconds = 0, 0.0

    def take(self, what: str, act: Callable[[], object]) -> None:
        """Take a step, and print how long the machine needs for it."""
        begun = time.monotonic()
        act()
        taken = time.monotonic() - begun
        self.count, self.seconds = self.count + 1, self.seconds + taken
        print(f"  {self.count}. {what:<44} {taken:5.1f} s")

    def total(self) -> None:
        print(f"  {self.count} steps, {self.seconds:.1f} s of machine time")


def solve(steps: Steps, page: Any) -> None:
    """Write the first exercise in its cell, run it, and run the check below it."""
    editor = page.locator(CELL).first.locator(".cm-content")

    def write() -> None:
        editor.click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(FIRST.source)

    def check() -> None:
        page.keyboard.press("Shift+Enter")
        page.get_by_text(f"✓ {FIRST.name}").first.wait_for(timeout=LONG)

    steps.take("click into the cell, and write", write)
    steps.take("Shift-Enter: run the function", lambda: page.keyboard.press("Shift+Enter"))
    steps.take("Shift-Enter: run the check, until it is green", check)
    steps.total()


def begin(page: Any) -> None:
    """Click *Begin*, and wait until the cell of the first exercise is there."""
    page.get_by_text("Begin:").first.click()
    page.locator(CELL).first.wait_for(timeout=LONG)


# ---------------------------------------------------------------------------------------------------- with a kit


def with_kit(folder: Path) -> None:
    """Start a fresh kit, and solve the first exercise."""
    kit, port = folder / "kit", free_port()
    list(make_kit(kit, known()))
    with chromium(folder / "profile") as browser:
        page, steps = browser.new_page(), Steps("student kit")
        with running(kit, port, steps):
            address = f"http://localhost:{port}/lab/tree/start.ipynb?token={TOKEN}"
            steps.take("the start page opens in the browser", lambda: opened(page, address))
            steps.take("click Begin", lambda: begin(page))
            solve(steps, page)
        with running(kit, port, Steps("the next day")):
            pass


def opened(page: Any, address: str) -> None:
    page.goto(address)
    page.get_by_text("Begin:").first.wait_for(timeout=LONG)


@contextmanager
def running(kit: Path, port: int, steps: Steps) -> Iterator[None]:
    """Run `start.py` until JupyterLab answers, and stop it afterwards."""
    words = ["--no-browser", "--allow-root", f"--ServerApp.token={TOKEN}", f"--ServerApp.port={port}"]
    with subprocess.Popen([sys.executable, "start.py", *words], cwd=kit, stderr=subprocess.DEVNULL) as server:
        steps.take("python3 start.py", lambda: wait_for(f"http://localhost:{port}/lab?token={TOKEN}"))
        yield
        subprocess.run([kit / ".venv/bin/python", "-m", "jupyter", "server", "stop", str(port)], check=False)
        server.wait()


def wait_for(address: str) -> None:
    until = time.monotonic() + MOST_SECONDS
    while not _answers(address) and time.monotonic() < until:
        time.sleep(PAUSE)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address):
            return True
    except (urllib.error.URLError, ConnectionError):
        return False


# ---------------------------------------------------------------------------------------------------- on a site


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def on_site(folder: Path) -> None:
    """Open a site with a new browser profile, and solve the first exercise."""
    list(make_site(folder / "site", known()))
    handler = partial(Quiet, directory=str(folder / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, chromium(folder / "profile") as browser:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page, steps = browser.new_page(), Steps("site")
        steps.take("open its address", lambda: opened(page, f"http://127.0.0.1:{server.server_port}/"))
        steps.take("click Begin", lambda: begin(page))
        solve(steps, page)
        server.shutdown()


def main() -> None:
    ways = {"kit": with_kit, "site": on_site}
    for name in sys.argv[1:] or ways:
        with tempfile.TemporaryDirectory() as folder:
            ways[name](Path(folder))


if __name__ == "__main__":
    main()
