"""Measure how long a student kit takes from nothing to JupyterLab's first page: `python benchmarks/first_check.py`.

The steps are those of the kit's README: start.py, Begin, write, run the function, run its check.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from autograder.commands.student_kit import make_kit

PORT, TOKEN = 8979, "first"
MOST_SECONDS, PAUSE = 300, 0.25


def main() -> None:
    """Print the seconds until JupyterLab answers, at the first start and at the second."""
    with tempfile.TemporaryDirectory() as folder:
        kit = Path(folder) / "kit"
        for _ in make_kit(kit):
            pass
        print(f"first start   {_started(kit):5.1f} s")
        print(f"second start  {_started(kit):5.1f} s")


def _started(kit: Path) -> float:
    """Return how long JupyterLab takes to answer after `start.py` is run."""
    begun = time.monotonic()
    words = ["--no-browser", "--allow-root", f"--ServerApp.token={TOKEN}", f"--ServerApp.port={PORT}"]
    with subprocess.Popen([sys.executable, "start.py", *words], cwd=kit, stderr=subprocess.DEVNULL) as running:
        while not _answers() and time.monotonic() < begun + MOST_SECONDS:
            time.sleep(PAUSE)
        taken = time.monotonic() - begun
        subprocess.run([kit / ".venv/bin/python", "-m", "jupyter", "server", "stop", str(PORT)], check=False)
        running.wait()
    return taken


def _answers() -> bool:
    try:
        with urllib.request.urlopen(f"http://localhost:{PORT}/lab?token={TOKEN}"):
            return True
    except (urllib.error.URLError, ConnectionError):
        return False


if __name__ == "__main__":
    main()
