"""A watched run end to end: in a real JupyterLab and browser, by keys and in a small window."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import PATIENCE
from tests.test_tables_browser import chromium, jupyter_lab, opened, write_notebook

pytestmark = [pytest.mark.browser, pytest.mark.npm, pytest.mark.proof, pytest.mark.xdist_group("browser")]

TOTAL = """
def total(items):
    match items:
        case ():
            return 0
        case (first, *rest):
            return first + total(rest)
"""
CELLS = "from course.watch import watch", TOTAL, "watch(total, (1, 2, 3))"
KEYS = (
    ("ArrowRight", 1, "case (first, *rest) matches, with first = 1, rest = [2, 3]"),
    ("ArrowLeft", 0, ""),
    ("End", 11, "returns 6"),
    ("Home", 0, ""),
    ("PageDown", 1, "case (first, *rest) matches"),
    ("PageDown", 2, "line 6 calls total([2, 3])"),
    ("PageUp", 1, ""),
)


def test_a_run_is_walked_through_by_keys_in_little_room(tmp_path: Path) -> None:
    write_notebook(tmp_path / "run.ipynb", *CELLS)
    with jupyter_lab(tmp_path) as address, chromium(tmp_path / "profile") as browser:
        run = opened(browser, address, "run.ipynb")
        run.wait_for_selector(".foldem-run[data-at]", timeout=1000 * PATIENCE)
        assert run.locator(".foldem-run .run-tree ul ul ul ul").count() == 1
        run.locator(".foldem-run .run-tree .here > .run-line .run-go").focus()
        for key, step, text in KEYS:
            run.keyboard.press(key)
            run.wait_for_selector(f'.foldem-run[data-at="{step}"]', timeout=1000 * PATIENCE)
            assert text in run.locator(".foldem-run .run-said").inner_text()
        assert run.locator(".foldem-run .run-side li.changed").all_inner_texts() == ["first = 1", "rest = [2, 3]"]
        assert run.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length") == len(CELLS)
        run.evaluate("() => window.jupyterapp.shell.collapseLeft()")
        run.set_viewport_size({"width": 600, "height": 1000})
        assert run.evaluate("() => document.querySelector('.foldem-run').scrollWidth <= innerWidth")
