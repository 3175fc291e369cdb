"""The data that a course stores about one student, and how to copy and delete each part.

`foldem forget` deletes the parts, or copies them.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from glob import escape
from io import StringIO
from pathlib import Path, PurePosixPath

import tomlkit
from msgspec import to_builtins
from toolz import groupby

from autograder.config import cache_folder
from autograder.submission.find import page_name
from autograder.submission.reading import NotebookError, read_file
from autograder.term.adjust import ADJUST_FILE, OF_STUDENTS
from autograder.term.collected import COLLECTED, Collected, read_collected, write_collected
from autograder.term.course import Course
from autograder.term.files import LOG, OWN_FOLDER, entries_below, files_below, write_atomically
from autograder.term.gradebook import remove_student, rows_of_student
from autograder.term.locations import SUBMITTED, path_text
from autograder.term.people import likely_matches, sure_matches
from autograder.term.platforms import Person, person_at
from autograder.term.results import sources_in
from autograder.term.roster import PARTICIPANT_COLUMNS, PARTICIPANTS, ROSTER_FILE, columns_of, text_and_separator
from autograder.term.store import DATABASE_FILE, Store, StoredResult
from autograder.term.versions import Version
from autograder.term.view import PAGES
from autograder.term.where import collected_in, course_in
from autograder.text import cell_text, counted
from course.exam.readable import one_line
from course.limits import MOST_COPIED_BYTES

BY_STUDENT = SUBMITTED, COLLECTED, "autograded", "feedback"  # folders with a folder for each student
LEAGUE = "league"  # the folder of a league's pages, which have pseudonyms and games
WRITTEN_AGAIN = "class.html", "viva.html", "marks-*.csv", "feedback-*.zip", LEAGUE  # commands make these from the store
CACHES = "results", "unpacked"
REPORTS = "report.json", "report.csv", "class.html", "viva.html", f"{PAGES}/**/*.html"


@dataclass(frozen=True)
class Holding:
    """One thing that is stored about a student: a description, its contents as files by path, and how to delete it.

    Nothing happens if it is gone already.
    """

    label: str
    copies: Callable[[], Iterable[tuple[str, bytes]]]
    delete: Callable[[], object]


def stored_files(path: Path, root: Path, is_own: bool = True) -> Holding:
    """Return a file, or a folder with all its files. `is_own` says whether only this student is in it."""
    files = sorted(files_below(path)) if _is_folder(path) else [path]
    count = sum(map(os.path.isfile, files)) if _is_folder(path) else 0
    what = f" ({counted(count, 'file')})" if count else "" if is_own else ", which can be made again"
    return Holding(f"{path}{what}", partial(_copies_of_files, files if is_own else (), root), partial(_delete, path))


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _copies_of_files(files: Iterable[Path], root: Path) -> Iterator[tuple[str, bytes]]:
    for file in files:
        with suppress(NotebookError, OSError):  # the student can swap a file for a link to somebody else's
            if os.path.isfile(file):
                yield _copy_name(file, root), read_file(file, MOST_COPIED_BYTES)


def _delete(path: Path) -> None:
    if _is_folder(path):
        inside = [Path(each.path) for each in entries_below(path) if each.is_dir(follow_symlinks=False)]
        for folder in (*reversed(inside), path):  # `rmtree` alone fails if there are many levels
            shutil.rmtree(folder)
    else:
        path.unlink(missing_ok=True)


def _delete_files(files: Iterable[Path]) -> None:
    for file in files:
        file.unlink(missing_ok=True)


def _table_rows(path: Path, student: str) -> Iterator[Holding]:
    """Yield the rows of a CSV file with the student's id in the column of ids."""
    own, (head, *_) = _split_rows(path, student)
    if own:
        yield Holding(
            f"{counted(len(own), 'row')} of {path}",
            lambda: [(path.name, "".join([head, *own]).encode())],
            lambda: write_atomically(path, "".join(_split_rows(path, student)[1])),
        )


def _split_rows(path: Path, student: str) -> tuple[list[str], list[str]]:
    """Return the rows about the student and the others with the head, as they are in the file."""
    text, separator = text_and_separator(path)
    lines = StringIO(text, newline="").readlines()
    reader = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
    head, rows = next(reader, []), [*csv.reader(lines, delimiter=separator)][1:]
    is_moodle = path.name == PARTICIPANTS
    columns = {title: column for column, title in enumerate(head)} if is_moodle else columns_of(head, rows)
    column = columns.get(PARTICIPANT_COLUMNS[1] if is_moodle else "id", len(head))
    start = reader.line_num
    own, others = list[str](), ["".join(lines[:start])]
    for cells in reader:
        is_own = student == one_line(cell_text("".join(cells[column : column + 1])))
        (own if is_own else others).append("".join(lines[start : reader.line_num]))
        start = reader.line_num
    return own, others


def _adjusted_marks(path: Path, student: str) -> Iterator[Holding]:
    """Yield the tables of `adjust.toml` about a student: marks, bonuses and extensions."""
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    rows = ((name, row) for name in OF_STUDENTS for row in document.get(name, []))
    own = [f"[[{name}]]\n{row.as_string()}" for name, row in rows if row.get("student") == student]
    if own:
        label = f"{counted(len(own), 'table')} of {path}"
        yield Holding(label, lambda: [(path.name, "\n".join(own).encode())], partial(_delete_tables, path, student))


def _delete_tables(path: Path, student: str) -> None:
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    for name in OF_STUDENTS:
        rows = document.get(name, [])
        for index in reversed(range(len(rows))):
            if rows[index].get("student") == student:
                del rows[index]
        if name in document and not rows:
            del document[name]
    write_atomically(path, document.as_string())


def _collected_versions(collected: Collected, own: tuple[Version, ...]) -> Holding:
    """Return the lines about a student in the log of collected files, and files that were not matched to anyone."""
    files = [collected.file_of(each) for each in own if not each.student]
    log = f"{COLLECTED}.json", _json([to_builtins(each) for each in own])
    return Holding(
        f"{counted(len(own), 'line')} of {collected.root / COLLECTED / LOG}",
        lambda: [log, *((_copy_name(file, collected.root), file.read_bytes()) for file in files if file.is_file())],
        partial(_delete_versions, collected, own),
    )


def _delete_versions(collected: Collected, own: tuple[Version, ...]) -> None:
    gone = {*own}
    rest = tuple(each for each in collected.versions if each not in gone)
    for file in set(map(collected.file_of, own)) - set(map(collected.file_of, rest)):
        file.unlink(missing_ok=True)
    write_collected(Collected(collected.root, collected.catalogue, rest), {})


def _results_of_student(store: Store, course: str, entries: Sequence[StoredResult]) -> Holding:
    """Return a student's results in a store: reports, earlier reports, and code."""
    return Holding(
        f"{counted(len(entries), 'result')} in {store.where}, and all of its league matches",
        lambda: [("results.json", _json([_result_copy(store, entry) for entry in entries]))],
        lambda: store.forget(course, {entry.student for entry in entries}),
    )


def _result_copy(store: Store, entry: StoredResult) -> dict[str, object]:
    parsed = {"report": json.loads(entry.report), "marks": json.loads(entry.marks)}
    earlier = [json.loads(each) for each in store.earlier(entry)]
    return asdict(entry) | parsed | {"earlier": earlier, "code": dict(sources_in(store, entry.content))}


def _gradebook_rows(course: Course, student: str) -> Holding:
    """Return a student's rows in nbgrader's gradebook."""
    return Holding(
        f"the student {student} in nbgrader's gradebook, with all marks",
        lambda: [("gradebook.json", _json(rows_of_student(course, student)))],
        partial(remove_student, course, student),
    )


def holdings_of(course: Course, student: str, address: str | None, out_folders: Sequence[Path]) -> list[Holding]:
    """Return what is stored about a student, or nothing if the student has no folder and no row.

    Otherwise, files about the whole class that can be made again come after the student's own. The rows come last,
    since `roster.csv` is needed to recognize the student.
    """
    stores = _stores(course, address, out_folders)
    reports = [*_report_files(course, out_folders)]
    own = [*_in_stores(course, student, stores), *_own_pages(course, student, reports)]
    rows = [*_in_course(course, course.root, student)] if course.root else []
    return [*own, *_made_again(course, reports), *rows] if own or rows else []


def _in_stores(course: Course, student: str, stores: Iterable[Store]) -> Iterator[Holding]:
    for store in stores:
        for name in {course_in(store, course.root), collected_in(store, course.root), ""}:
            own = tuple(each for each in store.entries(name) if is_students(each.student, student, course))
            if own or (name and course.root and (course.root / LEAGUE).is_dir()):
                yield _results_of_student(store, name, own)


def is_students(name: str, student: str, course: Course) -> bool:
    """Return whether a folder is a student's: it has the id, or a platform's name for only this student.

    Names that differ only in case are several students'.
    """
    person = person_at(name)
    return name == student or bool(person.platform and _whose(person, course) == (student,))


def _whose(person: Person, course: Course) -> tuple[str, ...]:
    return sure_matches(person, course.roster) or likely_matches(person, course.roster)


def _stores(course: Course, address: str | None, out_folders: Sequence[Path]) -> list[Store]:
    """Return the stores of a course, or at an address, and of output folders."""
    named = [course.store(address)] if course.root or address else []
    return [*named, *(Store(out / DATABASE_FILE) for out in out_folders if (out / DATABASE_FILE).is_file())]


def _report_files(course: Course, out_folders: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield the files in output folders that `foldem grade` makes, each with its folder. Links are left out."""
    inside = (file.parent for file in files_below(course.root) if file.name == "report.json") if course.root else ()
    for folder in dict.fromkeys(path.resolve() for path in (*out_folders, *inside) if not _is_handed_in(path, course)):
        files = {file for pattern in REPORTS for file in folder.glob(pattern)}
        yield from ((file, folder) for file in sorted(files) if file.resolve() == file)


def _own_pages(course: Course, student: str, reports: Iterable[tuple[Path, Path]]) -> Iterator[Holding]:
    """Yield a student's pages. `ann_x` is the folder of `ann+x`, too: then, it is nobody's own."""
    stem = Path(page_name(student)).stem
    known = {*course.roster, *(path.name for path in course.root.glob(f"{SUBMITTED}/*"))} if course.root else set()
    if any(Path(page_name(each)).stem == stem for each in known - {student}):
        return
    for file, folder in reports:
        names = file.relative_to(folder).with_suffix("").parts
        if names[0] == PAGES and names[1] == stem:
            yield stored_files(file, folder)


def _made_again(course: Course, reports: Iterable[tuple[Path, Path]]) -> Iterator[Holding]:
    """Yield the files about the whole class, and the caches, which commands make again from what is left."""
    for folder, pages in groupby(lambda pair: pair[1], reports).items():
        what = f"{counted(len(pages), 'report file')} in {folder}, which can be made again"
        yield Holding(what, tuple, partial(_delete_files, [file for file, _ in pages]))
    files = [file for pattern in WRITTEN_AGAIN for file in course.root.glob(pattern)] if course.root else []
    files += [cache_folder().with_name(name) for name in CACHES]
    yield from (stored_files(file, file.parent, is_own=False) for file in files if file.exists())


def _in_course(course: Course, root: Path, student: str) -> Iterator[Holding]:
    log = read_collected(root, course.catalogue)
    if own := tuple(each for each in log.versions if _is_about(each, student, course)):
        yield _collected_versions(log, own)
    for folder in (path for name in BY_STUDENT for path in root.glob(f"{name}/{escape(student)}")):
        if folder.name == student:
            yield stored_files(folder, root)
    for mark in root.glob(f"{OWN_FOLDER}/{len(student)}-{escape(student)}-*"):
        yield stored_files(mark, root)
    if rows_of_student(course, student).get("student"):
        yield _gradebook_rows(course, student)
    if (root / ADJUST_FILE).is_file():
        yield from _adjusted_marks(root / ADJUST_FILE, student)
    for name in (PARTICIPANTS, ROSTER_FILE):
        if (root / name).is_file():
            yield from _table_rows(root / name, student)


def _is_about(version: Version, student: str, course: Course) -> bool:
    """Return whether a collected file is a student's, or waits for a student and can be only this one's."""
    person = Person(version.platform, version.name, version.number, version.ids)
    return version.student == student or (not version.student and student in _whose(person, course))


def _is_handed_in(path: Path, course: Course) -> bool:
    """Return whether a student may have made a file. Then its content is not trusted."""
    return course.root is not None and any(path.is_relative_to(course.root / name) for name in BY_STUDENT)


def _copy_name(file: Path, root: Path) -> str:
    """Return the path of a file's copy, whatever bytes its name has."""
    return f"files/{path_text(PurePosixPath(file.relative_to(root).as_posix()))}"


def _json(data: object) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False, default=str).encode()
