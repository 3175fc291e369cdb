"""Measure the Uno table with ten players: click to redrawn table, bytes per move, and run to a visible table.

A click is also measured on an empty widget, which sends a number: this is what JupyterLab itself takes.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from _aims import with_aim

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.test_tables_browser import CHROMIUM, chromium, jupyter_lab, opened, settled, write_notebook

MOVES = 30
THINKING = 300  # milliseconds from a redrawn table to the next click
CELL = "uno_table(bots=9, pace=0, seed=%d)"
EMPTY = '''
import anywidget, traitlets
class Empty(anywidget.AnyWidget):
    _esm = """export default { render({ model, el }) {
      const button = document.createElement("button");
      el.className = "foldem";
      el.append(button);
      button.onclick = () => model.send({});
      model.on("change:revision", () => (el.dataset.revision = button.textContent = model.get("revision")));
      el.dataset.revision = button.textContent = 0;
    } }"""
    revision = traitlets.Int(0).tag(sync=True)
empty = Empty()
empty.on_msg(lambda *_: setattr(empty, "revision", empty.revision + 1))
empty'''
TIMED = """() => new Promise((done, fail) => {
  const root = document.querySelector(".foldem");
  const choices = [".foldem-scene .can > .hit", ".foldem-bar .strong", "button"];
  const target = choices.map(choice => root.querySelector(choice)).find(found => found);
  const start = performance.now();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  });
  watch.observe(root, { attributes: true, attributeFilter: ["data-revision"] });
  setTimeout(() => fail(new Error("the table was not redrawn")), 10000);
  target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
})"""
VISIBLE = """async () => {
  const { commands, shell } = window.jupyterapp;
  const start = performance.now();
  commands.execute("notebook:run-cell");
  while (!document.querySelector(".foldem[data-revision]")) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


def measure(folder: Path) -> dict[str, Any]:
    """Return the times in milliseconds and the sizes in bytes."""
    cells = "from solutions.uno import *\nfrom course.tables import *", CELL % 2, CELL % 3, CELL % 4, CELL % 5
    write_notebook(folder / "warm.ipynb", cells[0])
    with jupyter_lab(folder) as address, chromium(folder / "profile") as browser:
        page = opened(browser, address, "warm.ipynb")
        shown(page, EMPTY)
        empty = [clicked(page) for _ in range(MOVES)]
        visible = [shown(page, cell) for cell in cells[1:]]
        sizes = weigh(page)
        times = []
        while len(times) < MOVES:
            state = settled(page)
            if not state["cards"] and not state["strong"]:
                page.get_by_role("button", name="New game").click()
                continue
            times.append(clicked(page))
    return {"empty": empty, "visible": visible, "times": times, "sizes": sizes}


def clicked(page: Any) -> float:
    """Return the time from a click, after some thinking, to the redrawn widget."""
    page.wait_for_timeout(THINKING)
    return float(page.evaluate(TIMED))


def shown(page: Any, cell: str) -> float:
    """Return the time from running a cell to its visible table, in a notebook without other tables."""
    page.evaluate(
        """source => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          window.jupyterapp.commands.execute("notebook:clear-all-cell-outputs");
          notebook.activeCellIndex = notebook.widgets.length - 1;
          notebook.activeCell.model.sharedModel.setSource(source);
        }""",
        cell,
    )
    page.wait_for_function("() => !document.querySelector('.foldem')")
    return page.evaluate(VISIBLE)


def weigh(page: Any) -> list[int]:
    """Return a list that receives the sizes of the messages with new views."""
    sizes: list[int] = []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def weighed(event: dict[str, Any]) -> None:
        data = event["response"]["payloadData"]
        length = len(data) * 3 // 4 if event["response"]["opcode"] == 2 else len(data)
        if length > 1500:
            sizes.append(length)

    session.on("Network.webSocketFrameReceived", weighed)
    return sizes


def main() -> None:
    if CHROMIUM is None:
        sys.exit("no Chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        measured = measure(Path(folder))
    times, sizes = measured["times"], measured["sizes"]
    ninth = quantiles(times, n=10)[-1]
    click, empty = median(times), median(measured["empty"])
    with_aim("click to redrawn table, ten players", click, 30, "ms")
    print(f"  90 %: {ninth:.0f} ms; an empty widget takes {empty:.0f} ms, and the table {click - empty:.0f} more")
    print(f"bytes per move: median {median(sizes):.0f}, most {max(sizes)} ({len(sizes)} moves)")
    first, *later = measured["visible"]
    print(f"run to visible table: first {first:.0f} ms, later {median(later):.0f} ms")


if __name__ == "__main__":
    main()
