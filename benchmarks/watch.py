"""Measure watching: the time to record a run of 5,000 steps, and the time from a click to its redrawn view.

Run `python benchmarks/watch.py`: CPU time in the kernel; with `--browser` also the time from click to redrawn page in a
real JupyterLab. The exit status is 1 if the median CPU time of a click is above 100 ms.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import solutions.dominoes
import solutions.warmup
from course.dominoes import Domino
from course.watch.viewer import Viewer
from course.watch.watching import viewer_of_code

PROMISE = 0.1  # seconds from click to redraw
HANDS = tuple(Domino(a, b) for a in range(7) for b in range(a + 1))
RUNS = {
    "a tail call of 10,038 rounds": ("riffles_to_restore(10_038)", vars(solutions.warmup)),
    "chains of dominoes": (
        "[legal_adds(one, append(other, EMPTY, '<')) for one in HANDS for other in HANDS]",
        vars(solutions.dominoes),
    ),
}
CELL = "from solutions.warmup import *\nfrom course.watch import watch\nwatch(riffles_to_restore, 10_038)"
CLICKED = """() => new Promise((done) => {
  const root = document.querySelector(".foldem-run");
  const start = performance.now();
  new MutationObserver((_, watch) => {
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }).observe(root, { attributes: true, attributeFilter: ["data-drawn"] });
  root.querySelector('button[aria-label^="One step forward"]').click();
})"""


def clicks(viewer: Viewer) -> list[float]:
    """Return the CPU seconds of clicks throughout a run, including the view that is sent."""
    last, times = viewer.view()["last"], list[float]()
    for at in range(0, last, max(last // 100, 1)):
        for action in (["go", at], ["by", 1], ["call", at % len(viewer.run.calls)]):
            start = process_time()
            viewer.receive(action)
            json.dumps(viewer.view())
            times.append(process_time() - start)
    return times


def in_a_browser(count: int = 40) -> list[float]:
    """Return the milliseconds from a click to the redrawn page."""
    from tests.test_tables_browser import chromium, jupyter_lab, opened, write_notebook

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        write_notebook(folder / "run.ipynb", CELL)
        with jupyter_lab(folder) as address, chromium(folder / "profile") as browser:
            page: Any = opened(browser, address, "run.ipynb")
            page.wait_for_selector(".foldem-run[data-at]")
            return [page.evaluate(CLICKED) for _ in range(count)]


def main() -> int:
    """Print the measurements; the exit status says whether the promise is kept."""
    slow = False
    for name, (code, names) in RUNS.items():
        names["HANDS"], start = HANDS, process_time()
        viewer = viewer_of_code(code, names)
        made = process_time() - start
        for way in ("calls", "paper"):
            viewer.receive(["way", way])
            times = clicks(viewer)
            slow |= median(times) > PROMISE
            line = f"median {1000 * median(times):.1f} ms, 99 % {1000 * quantiles(times, n=100)[-1]:.1f} ms of CPU"
            print(f"{name}, {len(viewer.run.steps):,} steps, recorded in {made:.2f} s; a click, {way}: {line}")
    if "--browser" in sys.argv:
        in_browser = in_a_browser()
        print(
            f"click to redrawn page: median {median(in_browser):.0f} ms, 90 % {quantiles(in_browser, n=10)[-1]:.0f} ms"
        )
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
