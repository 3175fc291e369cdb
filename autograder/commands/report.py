"""`foldem report` and `foldem mistakes`: reports on a whole class, from the results in its store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

from toolz import groupby

from autograder.classroom.groups import drafts, groups, unknown_mistakes
from autograder.classroom.help import InNeed
from autograder.classroom.model import HandIn
from autograder.classroom.page import ClassPage, page
from autograder.config import ConfigError
from autograder.grading.run import installed_version
from autograder.report.data import report_of
from autograder.report.model import Graded, Ungradable
from autograder.submission.code import Code, code_in, code_key, code_text, submission_code
from autograder.submission.notebook import NotebookError
from autograder.submission.plain import find_construct
from autograder.submission.reading import digest_of_content, notebook_in, read_content, read_notebook
from autograder.submission.sort import submission_of
from autograder.term.course import Course
from autograder.term.files import write_atomically
from autograder.term.locations import SUBMITTED
from autograder.term.results import report_in
from autograder.term.store import DATABASE_FILE, Store, StoredResult
from autograder.term.view import Class, class_of, student_label
from autograder.term.where import course_in
from autograder.units.build import notebook_file
from autograder.units.pack import Catalogue
from autograder.units.unit import Unit, read_unit

CLASS_PAGE = "class.html"


def make_page(course: Course, out: Path | None, address: str | None, anonymous: bool) -> Iterator[str]:
    """Write the class report. Raises ConfigError if there are no results yet."""
    path = out or course.start / CLASS_PAGE
    written_page(path, course, store_of(course, address), anonymous)
    yield f"wrote  {path}"


def written_page(path: Path, course: Course, store: Store, anonymous: bool) -> None:
    """Write the class report from the results in a store."""
    text = page(shown_of(course, store), anonymous)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)


def store_of(course: Course, address: str | None) -> Store:
    """Return the named store, or that of the course or of the folder with reports."""
    return course.store(address, course.start if (course.start / DATABASE_FILE).is_file() else None)


def draft_mistakes(course: Course, address: str | None, least: int) -> Iterator[str]:
    """Yield Python code for each large group of equal wrong answers without an explanation."""
    for unit, hand_ins in shown_of(course, store_of(course, address)).by_unit.items():
        yield from drafts(groups(hand_ins), least, partial(_is_plain, read_unit(course.catalogue, unit).module))


def _is_plain(module: ModuleType, source: str) -> bool:
    return find_construct([source], module) is None


def unknown_groups(course: Course, address: str | None, least: int) -> Iterator[str]:
    """Yield a line for each of these groups: its number of students, the exercise and the verdict."""
    for hand_ins in shown_of(course, store_of(course, address)).by_unit.values():
        yield from (
            f"{len(each.students):4}  {each.exercise}  {each.verdict}"
            for each in unknown_mistakes(groups(hand_ins), least)
        )


def shown_of(course: Course, store: Store) -> ClassPage:
    """Return the data that the class report shows."""
    root = course.root or course.start
    by_unit = groupby(lambda each: each.report.unit, _hand_ins(course, store))
    if not by_unit:
        hand_ins = root / SUBMITTED if course.root else root
        raise ConfigError(f"there are no results of {course.start} yet: run `foldem grade {hand_ins}` first")
    units = [read_unit(course.catalogue, name) for name in course.catalogue.units if name in by_unit]
    return ClassPage(
        root.resolve().name,
        {unit.name: by_unit[unit.name] for unit in units},
        {unit.name: unit.title for unit in units},
        course.comments,
        {unit.name: tuple(_common(unit)) for unit in units},
        installed_version(),
        tuple(_without_work(course, store, by_unit[units[-1].name])),
    )


def _without_work(course: Course, store: Store, last: Sequence[HandIn]) -> Iterator[InNeed]:
    """Yield the students who have nothing to grade in the last unit, and the reason."""
    graded = {each.student for each in last}
    unreadable = {
        student_label(outline.student): report.problem
        for outline in store.entries(course_in(store, course.root))
        if isinstance(report := report_in(outline), Ungradable)
    }
    for student in dict.fromkeys((*map(student_label, course.roster), *unreadable)):
        if student not in graded:
            problem = unreadable.get(student)
            yield InNeed(student, (f"handed in nothing readable: {problem}" if problem else "handed in nothing",))


def _hand_ins(course: Course, store: Store) -> Iterator[HandIn]:
    """Yield each student's submission that counts, with the teacher's adjustments."""
    name = course_in(store, course.root)
    known = class_of(store, name, course.all_adjustments)
    for entry in filter(known.counts, store.entries(name)):
        report = known.shown(entry).report
        if isinstance(report, Graded):
            earlier = tuple(_earlier(entry, known, store))
            code = stored_code((course.root or course.start) / entry.place, entry, store, course.catalogue)
            yield HandIn(student_label(entry.student), report, code, earlier)


def _earlier(entry: StoredResult, known: Class, store: Store) -> Iterator[Graded]:
    for text in store.earlier(entry):
        report = known.adjust.applied(report_of(json.loads(text)), entry.student, entry.assignment)
        if isinstance(report, Graded):
            yield report


def stored_code(path: Path, entry: StoredResult, store: Store, catalogue: Catalogue) -> Code:
    """Return the code that was graded: from the store, or from the file if it is unchanged."""
    key = code_key(entry.content)
    if text := store.code(key):
        return code_in(text)
    try:
        data = read_content(path) if entry.content else b""
        if digest_of_content(data) != entry.content:
            return Code()
        code = submission_code(submission_of(notebook_in(path, data), catalogue))
    except NotebookError:
        return Code()
    store.keep_code(key, code_text(code))
    return code


def _common(unit: Unit) -> Iterator[str]:
    """Yield code that any student may have: references and the cells of the released notebook."""
    yield from (exercise.source for exercise in unit.exercises)
    notebook = notebook_file(unit)
    if notebook.exists():
        yield from (str(cell.source) for cell in read_notebook(notebook).cells if cell.cell_type == "code")
