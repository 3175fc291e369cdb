"""The page of a submission: its content and, in a browser, that it can be read and filtered in either theme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from autograder.report.model import (
    PASSED,
    UNWRITTEN,
    WRONG,
    ExerciseReport,
    FacetReport,
    Graded,
    KnownMistake,
    Ungradable,
)
from autograder.report.render import report_page
from autograder.report.stops import BadFile
from autograder.submission.code import submission_code
from autograder.submission.reading import WRITTEN_REPORT, grade_id
from course.diagnoses.failure import GAVE, Failure
from tests.stage import assert_page_accessible, serious
from tests.test_tables_browser import chromium
from tests.units import blank_notebook, submission_of

LONG = Failure(f"append(Domino(1, 2), Chain(1, '{'1-1 ' * 40}', 1))", GAVE, f"({'1, ' * 90})", f"({'2, ' * 90})")
OTHER = Failure(f"{LONG.call}, {LONG.call}", GAVE, "1", "2")
EXERCISES = (
    ExerciseReport("flip", 1, PASSED, 1, 1, facets=(FacetReport("the examples", True, 3),)),
    ExerciseReport(
        "append", 2, WRONG, 0.5, 2, facets=(FacetReport("left", False, 3, LONG), FacetReport("right", False, 3, OTHER))
    ),
    ExerciseReport("legal_adds", 3, UNWRITTEN, 0, 3, mistake=KnownMistake("a < b", "not so")),
)
NAME = "ann_lee_from_the_first_group_assignsubmission_file/1_dominoes_with_my_answers"
SOURCES = {
    "flip": "flip = tuple",
    "append": f'def append(domino, chain, side):\n    """Lay it."""\n    return ({"chain + " * 40}domino)',
}
PAGE = report_page(Graded("dominoes", "Dominoes", "1", "0", "bubblewrap", EXERCISES), NAME, SOURCES)


def test_a_page_begins_with_contents_with_points_linked_to_each_exercise() -> None:
    for exercise in EXERCISES:
        assert PAGE.index(f'href="#{exercise.name}"') < PAGE.index(f'id="{exercise.name}"')
    assert "append</a> 0.5 of 2</li>" in PAGE and "legal_adds</a> 0 of 3</li>" in PAGE


def test_a_written_report_is_shown_to_the_teacher_and_is_no_code() -> None:
    notebook = blank_notebook("bots")
    cell = next(cell for cell in notebook.cells if grade_id(cell) == WRITTEN_REPORT)
    assert cell.cell_type == "markdown" and cell.metadata["nbgrader"]["points"] == 0
    cell.source = "**1. The task.** It plays <cards>."
    code = submission_code(submission_of(notebook))
    shown = report_page(Graded("bots", "Bots", "1", "0", "bubblewrap", ()), "ann", code.sources)
    assert "For the teacher" in shown and "It plays &lt;cards&gt;." in shown and WRITTEN_REPORT not in code.prints
    assert "For the teacher" not in PAGE


def test_the_page_of_a_broken_file_has_its_next_step() -> None:
    broken = report_page(Ungradable(BadFile("line 1 is broken")), "ann/1_dominoes", {}, "ann")
    assert "<h1>ann</h1>" in broken and "No points yet" in broken and "hand it in again" in broken
    assert "sandbox" not in broken and "seed" not in broken


CUT = """() => [...document.querySelectorAll("h1, p, section, footer, .own")].filter((node) =>
  node.checkVisibility() && getComputedStyle(node).display !== "inline" &&
  (node.getBoundingClientRect().right > innerWidth + 1 || node.scrollWidth > node.clientWidth + 1)
).map((node) => node.outerHTML)"""


FOLDS = """() => Object.fromEntries(Object.entries({
  call: "#append [role=group] details > pre", others: "#append .foldem-result > details > div",
  right: "#flip .own", wrong: "#append .own",
}).map(([name, path]) => [name, document.querySelector(path).checkVisibility({contentVisibilityAuto: true})]))"""


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize(("width", "media"), [(390, "screen"), (794, "print"), (390, "print")])
def test_a_page_is_complete_on_a_phone_and_short_on_paper(page: Any, width: int, media: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(media=media)
    assert page.evaluate(CUT) == [] and page.locator("button").first.is_visible() == (media == "screen")
    labels = [page.get_by_text(name, exact=True).first.bounding_box() for name in ("call", "returned", "expected")]
    folds = page.evaluate(FOLDS)
    assert folds == {"call": media == "print", "others": False, "right": False, "wrong": True}
    assert len({label["x"] for label in labels}) == 1 and len({label["y"] for label in labels}) == 3
    page.emulate_media(media="screen")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("page") / "profile") as browser:
        page = browser.new_page()
        page.set_content(PAGE)
        yield page


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_a_page_is_accessible_in_both_themes_and_filters_failures(
    page: Any,
) -> None:
    assert_page_accessible(page)
    assert page.get_by_label("Show only exercises that are not right").is_checked()
    assert [each.inner_text() for each in page.locator("h2:visible").all()] == ["append", "legal_adds"]
    seen = page.locator("section:visible").evaluate_all("sections => sections.map((section) => section.id)")
    assert seen == ["append", "legal_adds"]
    page.add_style_tag(content="section { color: #777 !important; background: #888 !important }")
    assert [each["id"] for each in serious(page, "html")] == ["color-contrast"]
