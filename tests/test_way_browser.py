"""The way from the start page to an exercise, in a real browser: one click, in JupyterLab and in Notebook 7."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.commands.lab import make_working_copy
from autograder.units.unit import units_in
from course.learner.opening import write_start_page
from tests.command import PATIENCE
from tests.kernel import RIGHT, Kernel, save, working_in
from tests.test_tables_browser import chromium, jupyter_lab
from tests.units import known

pytestmark = [pytest.mark.browser, pytest.mark.npm, pytest.mark.proof, pytest.mark.xdist_group("browser")]

HEADING = """(name) => [...document.querySelectorAll('h3 code')].some((code) => {
  const place = code.textContent === name && code.closest('h3').getBoundingClientRect();
  return place && place.height > 0 && place.top > 0 && place.top < innerHeight; })"""


TITLE = """() => {
  const title = document.querySelector('.jp-Notebook:not(.lm-mod-hidden *) h1'), place = title?.getBoundingClientRect();
  return title?.textContent.includes('Warm-up') && place.height > 0 && place.top > 0 && place.top < innerHeight; }"""


def test_a_click_on_the_start_page_leads_to_the_next_exercise(tmp_path: Path) -> None:
    list(make_working_copy(tmp_path, units_in(known())))
    with jupyter_lab(tmp_path) as address, chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto(address.replace("/lab/tree/", "/notebooks/") % "start.ipynb")
        page.locator(".foldem-progress summary").nth(1).click()
        with browser.expect_page() as other:
            page.get_by_text("legal_adds").first.click()
        other.value.wait_for_function(HEADING, arg="legal_adds", timeout=1000 * PATIENCE)
        page.goto(address % "start.ipynb")
        page.get_by_text("Begin:").first.click()
        page.wait_for_function(TITLE, timeout=1000 * PATIENCE)
        solve_flip(tmp_path)
        page.goto(address % "start.ipynb")
        page.get_by_text("Continue:").first.click()
        page.wait_for_function(HEADING, arg="append", timeout=1000 * PATIENCE)


def solve_flip(folder: Path) -> None:
    """Save and check a right answer, and renew the start page."""
    save(folder, {"flip": RIGHT}, -9)
    with working_in(folder):
        kernel = Kernel()
        for cell in (RIGHT, 'check("flip")'):
            kernel.run(cell)
    assert write_start_page(folder)
