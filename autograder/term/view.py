"""The output folder: the results in the store, as files for people and programs. Files are written atomically."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from textwrap import indent
from types import MappingProxyType
from typing import Any

from msgspec import structs

from autograder.report import render
from autograder.report.model import UNGRADED, Graded, Report, SecondFile, Ungradable
from autograder.report.stops import LeftToNbgrader
from autograder.report.words import exported_report, first_problem_text, stop_text
from autograder.submission.find import relative_page_path
from autograder.term.files import atomic_text_file, folder_key, locked_output_folder, write_atomically
from autograder.term.gradebook import AllAdjustments
from autograder.term.platforms import MOODLE, person_in_name
from autograder.term.results import decoded_report, reasons_by_student
from autograder.term.roster import Student
from autograder.term.store import Store, StoredResult
from autograder.text import safe_cell, shown_name
from autograder.units.pack import Catalogue

CLASS_PAGE, PAGES = "class.html", "pages"
LEAGUE_FOLDER = "league"  # the folder of a league's page, which has pseudonyms
CSV_HEADER = ["submission", "unit", "exercise", "state", "points", "of", "first failure", "probably thought"]


@dataclass(frozen=True)
class ShownReport:
    """A submission's report as it is shown, with its student, and with remarks about the student's other files."""

    place: str
    name: str
    student: str
    assignment: str
    report: Report
    content: str = ""

    def display_name(self, catalogue: Catalogue) -> str:
        """Return a short name to print in tables: only the student's name if folder and file have their usual names."""
        unit, student = self.report.unit, shown_name(self.student)
        usual = unit in catalogue.units and self.name == f"{student}/{unit}/{catalogue.stem(unit)}"
        return student if usual else self.name


@dataclass(frozen=True)
class ClassFacts:
    """Facts about the students of a class, for reports: which students have several files, and why a file counts."""

    adjust: AllAdjustments
    reasons: Mapping[tuple[str, str], str]
    names: Counter[str]
    files: Mapping[tuple[str, str, str], list[str]]

    def is_counting_file(self, entry: StoredResult) -> bool:
        """Return whether a result belongs to the student's file that counts."""
        return not (entry.unit and self._second_file(entry))

    def shown_report(self, entry: StoredResult) -> ShownReport:
        """Return a submission's report with adjustments, and with remarks about the student's other files."""
        name = entry.name if self.names[entry.name] == 1 else entry.place
        stored = decoded_report(entry.report)
        report = self.adjust.adjusted_report(stored, entry.student, entry.assignment, entry.place)
        if isinstance(report, Graded) and isinstance(stored, Graded):
            of_class = self._second_file(entry), self.reasons.get((entry.student, entry.assignment))
            remarks = *stored.remarks, *filter(None, of_class)
            report = structs.replace(report, remarks=remarks)
        catalogue = self.adjust.course.catalogue
        stem = catalogue.stem(entry.unit) if entry.unit in catalogue.units else Path(entry.place).stem
        report = self.adjust.with_cells_of_nbgrader(report, entry.student, entry.assignment, stem)
        return ShownReport(entry.place, name, entry.student, entry.assignment, report, entry.content)

    def _second_file(self, entry: StoredResult) -> SecondFile | None:
        names = self.files[entry.student, entry.assignment, entry.unit]
        counts = counting_file(names, entry.unit, self.adjust.course.catalogue)
        return None if entry.name == counts else SecondFile(entry.student, entry.unit, counts)


def counting_file(names: list[str], unit: str, catalogue: Catalogue) -> str:
    """Return which of a student's files counts. Prefer a file that has the name of the released notebook."""
    stem = catalogue.stem(unit) if unit in catalogue.units else unit
    return min(names, key=lambda name: (name.rpartition("/")[2].removesuffix(".ipynb") != stem, name))


def class_facts_of(store: Store, course: str, adjust: AllAdjustments) -> ClassFacts:
    """Return the facts about the class of a course. This function reads no reports."""
    names, files = Counter[str](), defaultdict[tuple[str, str, str], list[str]](list)
    for outline in store.results_without_reports(course):
        names[outline.name] += 1
        files[outline.student, outline.assignment, outline.unit].append(outline.name)
    return ClassFacts(adjust, reasons_by_student(adjust.course, adjust.deadlines), names, files)


def shown_reports(store: Store, course: str, adjust: AllAdjustments) -> Iterator[ShownReport]:
    """Yield the reports on a class, with the teacher's adjustments. Reports on nbgrader's own notebooks come last."""
    of_nbgrader = {each[0]: each for each in adjust.reports_of_nbgrader()}
    entries = (entry for entry in store.results(course) if entry.place not in of_nbgrader)
    yield from map(class_facts_of(store, course, adjust).shown_report, entries)
    for place, student, assignment, report in of_nbgrader.values():
        yield ShownReport(place, shown_name(f"{student}/{assignment}/{report.unit}"), student, assignment, report)


def student_label(student: str, roster: Mapping[str, Student] = MappingProxyType({})) -> str:
    """Return a student's name and id from the roster.

    For a folder of a Moodle download, return the name and number in the folder's name.

    >>> student_label("Ada Lovelace_4101_assignsubmission_file"), student_label("s101")
    ('Ada Lovelace (4101)', 's101')
    """
    if (listed := roster.get(student)) and listed.name:
        return shown_name(f"{listed.name} ({student})")
    person = person_in_name(student)
    return shown_name(f"{person.name} ({person.number})" if person.platform == MOODLE and person.number else student)


SourceLookup = Callable[[str], Mapping[str, str]]


def write_results(
    folder: Path, items: Iterable[ShownReport], sources: SourceLookup, label: Callable[[str], str] = student_label
) -> None:
    """Write a page for each submission, and the files report.json and report.csv."""
    with (
        locked_output_folder(folder),
        atomic_text_file(folder / "report.json") as reports,
        atomic_text_file(folder / "report.csv") as table,
    ):
        pages, rows = set[str](), csv.writer(table)
        rows.writerow(CSV_HEADER)
        reports.write(
            reports_json(_write_submission(folder, item, rows, pages, sources, label(item.student)) for item in items)
        )


def _write_submission(
    folder: Path, item: ShownReport, rows: Any, pages: set[str], sources: SourceLookup, student: str
) -> ShownReport:
    """Write a submission's page and its rows of report.csv, and return its report."""
    cells: list[list[object]] = []
    match item.report:
        case Ungradable(reason):
            cells.append(["", "", UNGRADED, "", "", stop_text(reason), ""])
        case Graded(unit=unit, exercises=exercises):
            for each in exercises:
                points = "" if isinstance(each.stop, LeftToNbgrader) else each.points
                cells.append([unit, each.name, each.state, points, each.of, first_problem_text(each), each.belief])
    rows.writerows([safe_cell(value) for value in (item.name, *row)] for row in cells)
    # Different names may have the same safe file name, as `Ann` and `ann`.
    names = chain([item.name], map(f"{item.name}-{{}}".format, count(2)))
    paths = (folder / PAGES / relative_page_path(name) for name in names)
    page = next(path for path in paths if folder_key(str(path)) not in pages)
    pages.add(folder_key(str(page)))
    write_atomically(page, render.report_page(item.report, item.name, sources(item.content), student))
    return item


def reports_json(items: Iterable[ShownReport]) -> str:
    """Return the text of report.json."""
    reports = ({"submission": item.name, **exported_report(item.report)} for item in items)
    body = ",\n".join(indent(json.dumps(each, indent=1), " ") for each in reports)
    return f"[\n{body}\n]\n" if body else "[]\n"
