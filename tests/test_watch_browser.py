"""A watched run end to end: in a real JupyterLab and browser, with keys, in a small window, in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.axe import assert_accessible
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
RUN = ".foldem-run[data-at]"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    folder = tmp_path_factory.mktemp("lab")
    write_notebook(folder / "run.ipynb", *CELLS)
    with jupyter_lab(folder) as address, chromium(folder / "profile") as browser:
        yield address, browser


@pytest.fixture
def run(place: tuple[str, Any]) -> Iterator[Any]:
    address, browser = place
    page = opened(browser, address, "run.ipynb")
    page.wait_for_selector(RUN, timeout=1000 * PATIENCE)
    yield page
    page.close()


def at(page: Any, step: int) -> str:
    """Return the sentence at a step, as soon as the step is drawn."""
    page.wait_for_selector(f'.foldem-run[data-at="{step}"]', timeout=1000 * PATIENCE)
    return str(page.locator(".foldem-run .run-said").inner_text())


def test_a_run_is_walked_through_by_keys_alone(run: Any) -> None:
    run.locator(".foldem-run .run-tree .here > .run-line .run-go").focus()
    for keys, step, text in (
        (["ArrowRight"], 1, "case (first, *rest) matches, with first = 1, rest = [2, 3]"),
        (["ArrowLeft"], 0, ""),
        (["End"], 11, "returns 6"),
        (["Home"], 0, ""),
        (["ArrowDown", "Enter"], 2, "line 6 calls total([2, 3])"),
    ):
        for key in keys:
            run.keyboard.press(key)
        assert text in at(run, step)
    assert run.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets.length") == len(CELLS)


def test_answers_are_hidden_until_reached_or_shown(run: Any) -> None:
    last = run.locator(".foldem-run .run-tree .run-go").last
    assert last.inner_text() == "total([]) → ?"
    for is_pressed, result in (("true", "0"), ("false", "?")):
        run.get_by_role("button", name="All answers", exact=True).click()
        run.wait_for_selector(f'.foldem-run button[aria-pressed="{is_pressed}"]:text("All answers")')
        assert last.inner_text() == f"total([]) → {result}"


def test_the_next_line_goes_into_the_next_call_and_marks_changes(run: Any) -> None:
    run.locator(".foldem-run .run-tree .here > .run-line .run-go").focus()
    run.keyboard.press("PageDown")
    at(run, 1)
    assert run.locator(".foldem-run .run-side li.changed").all_inner_texts() == ["first = 1", "rest = [2, 3]"]
    run.get_by_role("button", name="Next line", exact=True).click()
    assert at(run, 2) == "line 6 calls total([2, 3])"
    run.keyboard.press("PageUp")
    at(run, 1)


def test_a_run_in_little_room_is_an_accessible_nested_list(run: Any) -> None:
    assert run.locator(".foldem-run .run-tree ul ul ul ul").count() == 1
    run.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    run.set_viewport_size({"width": 600, "height": 1000})
    for theme in ("JupyterLab Dark", "JupyterLab Light"):
        run.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        for way in ("Calls", "On paper"):
            run.get_by_role("button", name=way, exact=True).click()
            run.wait_for_selector(f'.foldem-run button[aria-pressed="true"]:text("{way}")')
            assert_accessible(run, ".foldem-run")
    assert run.evaluate("() => document.querySelector('.foldem-run').scrollWidth <= innerWidth")
    assert run.evaluate("() => document.querySelector('.foldem-run').getAnimations({subtree: true}).length") == 0
    run.set_viewport_size({"width": 1280, "height": 1000})
