"""nbgrader's formgrader in a real browser: marks by hand, a student's texts, and grading from its page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.test_nbgrader import BIN, ENVIRONMENT, Course
from tests.test_nbgrader_cells import SOLVED, answered, new_course, rows
from tests.test_tables_browser import chromium, free_port, serving

pytestmark = [pytest.mark.nbgrader, pytest.mark.sandbox, pytest.mark.bubblewrap, pytest.mark.browser]


@contextmanager
def formgrader(course: Course) -> Iterator[str]:
    """Run Jupyter's server in a course folder; return the address of its formgrader."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    options = ("--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=", "--ServerApp.password=")
    command = [BIN / "jupyter-server", *options]
    with serving(command, f"{base}/api", course.root / "server.log", cwd=course.root, env=ENVIRONMENT):
        yield f"{base}/formgrader"


@pytest.mark.proof
@pytest.mark.parametrize("kind", ["ours", "kernel"])
def test_formgrader_grades_shows_and_marks_what_is_nbgrader_s(kind: str, tmp_path: Path) -> None:
    course = new_course(tmp_path / "course", kind)
    evil = "<img src=x onerror=alert(1)>"
    show = f"from IPython.display import HTML, display\ndisplay(HTML({evil!r}))"
    course.hand_in("ann", answered(course, SOLVED | {"why": f"Because {evil}", "plot": show}))
    dialogs: list[str] = []
    with formgrader(course) as address, chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(f"{address}/manage_submissions/hw")
        page.locator(".autograde a").first.click()
        page.get_by_text("Successfully autograded").first.wait_for()
        page.goto(f"{address}/gradebook/hw/problem")
        page.locator("a[href*='/submissions/']").first.click()
        page.get_by_text(f"Because {evil}").wait_for()
        page.wait_for_load_state("networkidle")  # before that, the formgrader does not save what is written
        assert page.input_value("input#caesar_test") in ("", "2") and page.locator("b", has_text="three").count()
        for name in ("plot", "why", "task"):
            page.fill(f"input#{name}", "2.5")
            with page.expect_response(lambda response: response.request.method == "PUT"):
                page.keyboard.press("Tab")
    assert not dialogs
    assert {row[5]: row[1] for row in rows(course)[0] if row[1] is not None} == dict.fromkeys(
        ("plot", "why", "task"), 2.5
    )
    assert course.exported() == {"ann": "11.5"}
