"""`foldem report`: write a report on a class, from the results in the course's store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from toolz import groupby

from autograder.classroom.model import HandIn, StudentInNeed
from autograder.classroom.page import ClassPageData, class_page
from autograder.commands.options import ReportOptions
from autograder.config import ConfigError
from autograder.grading.run import installed_version
from autograder.report.model import Graded, Ungradable
from autograder.report.words import stop_text
from autograder.submission.find import relative_page_path
from autograder.submission.model import Submission
from autograder.submission.reading import NotebookError, digest_of_content, notebook_in, read_content, read_notebook
from autograder.submission.sort import submission_of
from autograder.term.course import Course, chosen_catalogue, read_course
from autograder.term.files import write_atomically
from autograder.term.results import decoded_report, stored_code
from autograder.term.store import DATABASE_FILE, Store, StoredResult, course_name_in
from autograder.term.view import CLASS_PAGE, PAGES, class_facts_of, student_label
from autograder.units.build import notebook_file
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, read_unit


def run(options: ReportOptions) -> Iterator[str]:
    """Write the class report. Raises ConfigError if there are no results yet."""
    course = read_course(options.folder, chosen_catalogue(options.pack, options.folder))
    path = options.out or course.start / CLASS_PAGE
    write_atomically(path, class_page(class_page_data(course, store_at(course, options.store), path.parent)))
    yield f"wrote  {path}"


def store_at(course: Course, address: str | None) -> Store:
    """Return the store at this address.

    Without an address, return the course's store, or else the store in the folder that the user named.
    """
    return course.store(address, course.start if (course.start / DATABASE_FILE).is_file() else None)


def class_page_data(course: Course, store: Store, folder: Path | None = None) -> ClassPageData:
    """Return the data for the class report. If the students' own pages are in `folder`, the report links to them."""
    root = course.root or course.start
    by_unit = groupby(lambda each: each.report.unit, _hand_ins(course, store, folder))
    if not by_unit:
        way = "run foldem grade with the folder of the submissions, then foldem report with the same folder"
        raise ConfigError(f"no submission in {course.start} is graded yet: {way}")
    if unknown := sorted({*by_unit} - {*course.catalogue.units}):
        raise ConfigError(
            f"the unit {unknown[0]} was graded, but no known pack has it: add --pack with the folder of its pack"
        )
    units = [read_unit(course.catalogue, name) for name in course.catalogue.units if name in by_unit]
    return ClassPageData(
        root.resolve().name,
        {unit.name: by_unit[unit.name] for unit in units},
        {unit.name: unit.title for unit in units},
        {unit.name: tuple(_common_code(unit, course.root)) for unit in units},
        installed_version(),
        tuple(_students_without_work(course, store, by_unit[units[-1].name], folder)),
    )


def _students_without_work(
    course: Course, store: Store, last: Sequence[HandIn], folder: Path | None
) -> Iterator[StudentInNeed]:
    """Yield the students who have nothing to grade in the last unit, and the reason."""
    graded = {each.student for each in last}
    unreadable = {
        student_label(outline.student, course.roster): (stop_text(report.reason), _page_address(folder, outline.name))
        for outline in store.results(course_name_in(store, course.root))
        if isinstance(report := decoded_report(outline.report), Ungradable)
    }
    for student in dict.fromkeys((*(student_label(each, course.roster) for each in course.roster), *unreadable)):
        if student not in graded:
            problem, own_page = unreadable.get(student, ("handed in nothing", ""))
            yield StudentInNeed(student, (problem,), own_page)


def _page_address(folder: Path | None, name: str) -> str:
    """Return the address of a submission's page below the folder of the class report, or "" if there is none."""
    own_page = f"{PAGES}/{relative_page_path(name)}"
    return quote(own_page) if folder and (folder / own_page).is_file() else ""


def _hand_ins(course: Course, store: Store, folder: Path | None) -> Iterator[HandIn]:
    """Yield the submission from which each student's mark comes, with the teacher's adjustments."""
    name = course_name_in(store, course.root)
    known = class_facts_of(store, name, course.all_adjustments)
    for entry in filter(known.is_counting_file, store.results(name)):
        item = known.shown_report(entry)
        report = item.report
        if isinstance(report, Graded):
            code = stored_code(store, entry.content)
            student, listed = student_label(entry.student, course.roster), course.roster.get(entry.student)
            own_page, group = _page_address(folder, item.name), listed.group if listed else ""
            yield HandIn(student, report.without_unmarked(), code, group, page=own_page)


def graded_submission(path: Path, entry: StoredResult, catalogue: Catalogue) -> Submission | None:
    """Return the submission in a file, or None if the file has changed since it was graded."""
    try:
        data = read_content(path) if entry.content else b""
        return submission_of(notebook_in(path, data), catalogue) if digest_of_content(data) == entry.content else None
    except NotebookError:
        return None


def _common_code(unit: Unit, root: Path | None) -> Iterator[str]:
    """Yield code that any student may have: references and the cells of the released notebooks."""
    yield from (exercise.source for exercise in unit.exercises)
    of_course = root.glob(f"release/*/{unit.stem}.ipynb") if root else ()
    for notebook in (notebook_file(unit), *sorted(of_course)):
        with suppress(NotebookError):
            yield from (str(cell.source) for cell in read_notebook(notebook).cells if cell.cell_type == "code")
