"""`foldem forget`: delete or copy everything that a course stores about a student."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from glob import escape
from io import StringIO
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from msgspec import to_builtins

from autograder.commands.options import ForgetOptions
from autograder.config import ConfigError, cache_folder
from autograder.submission.reading import NotebookError, read_file
from autograder.term import TermError
from autograder.term.adjust import ADJUST_FILE, STUDENT_TABLES
from autograder.term.collected import COLLECTED_FOLDER, CollectedVersions, Version, read_collected, write_collected
from autograder.term.course import Course, chosen_course
from autograder.term.files import (
    OWN_FOLDER,
    SUBMITTED_FOLDER,
    as_folder_name,
    atomic_binary_file,
    course_root_of,
    entries_below,
    files_below,
    locked_output_folder,
    path_text,
    write_atomically,
)
from autograder.term.gradebook import remove_student, rows_of_student
from autograder.term.people import likely_matches, sure_matches
from autograder.term.platforms import Person
from autograder.term.results import stored_code
from autograder.term.roster import PARTICIPANTS, ROSTER_FILE, column_indexes, read_table
from autograder.term.store import DAMAGED_STORE_MESSAGE, DATABASE_FILE, Store, course_name_in, one_line_errors
from autograder.term.view import LEAGUE_FOLDER, PAGES, student_label
from autograder.text import shown_name, text_of_safe_cell
from autograder.toml import parse_toml
from course.exam.readable import one_line
from course.limits import MOST_COPIED_BYTES

# Each of these folders has a folder for each student.
FOLDERS_BY_STUDENT = SUBMITTED_FOLDER, COLLECTED_FOLDER, "autograded", "feedback"
# Commands make these files.
REMAKEABLE_FILES = "class.html", "viva.html", "marks-*.csv", "grades.csv", "feedback-*.zip", LEAGUE_FOLDER
REPORT_PATTERNS = "report.json", "report.csv", "class.html", "viva.html", f"{PAGES}/**/*.html"
TABLE_START_PATTERN = re.compile(r"^(?=[ \t]*\[\[?[^\[\]\n]+\]\]?\s*(?:#.*)?$)", re.MULTILINE)  # of tables in TOML


def run(options: ForgetOptions) -> Iterator[str]:
    """Yield lines that list everything stored about a student, then delete all of it.

    With `--copy`, write a copy of everything and delete nothing.
    """
    course, student, outs = chosen_course(None, options.course), options.student, options.reports or ()
    if not student or as_folder_name(student) != student:
        raise ConfigError(f"{student!r} cannot be a student's id")
    if missing := [out for out in outs if not out.is_dir()]:
        raise ConfigError(f"there is no folder {missing[0]}")
    if options.copy and options.copy.exists():
        raise ConfigError(f"{options.copy} exists already: choose another file name")
    store = course.store(options.store)
    with locked_output_folder(course.folder / COLLECTED_FOLDER):
        contents, files = stored_data(course, store, student), files_of_student(course, student)
        if not contents and not files:
            raise ConfigError(f"nothing is stored about {student}: no file or result in {course.root} has this id")
        if options.copy:
            write_zip(options.copy, contents)
            yield f"wrote  {options.copy}"
            return
        again = [*_remakeable_files(course, outs)]
        yield f"Stored about {student_label(student, course.roster)}:"
        yield from (f"  {shown_name(name)}" for name in contents)
        yield from (f"  {shown_name(str(path))}" for path in files)
        yield from (f"  {shown_name(str(path))}, which can be made again" for path in again)
        if not options.yes:
            raise ConfigError("nothing was deleted: to delete the listed data, add --yes")
        delete_student(course, store, student, again)
    where = shlex.quote(shown_name(str(course.folder)))
    yield f"Deleted. To write the reports of the other students again: foldem grade {where} --out reports"
    yield "Not searched: downloads, backups, your notes, and the files of other students."


def write_zip(path: Path, contents: Mapping[str, str | bytes]) -> None:
    """Write a zip with these contents, by path in the zip. Zips with equal contents have equal bytes."""
    with atomic_binary_file(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)


def stored_data(course: Course, store: Store, student: str) -> dict[str, bytes]:
    """Return everything that is stored about a student, as a dict that maps the paths of files to their contents."""
    log, results = read_collected(course.folder, course.catalogue), []
    for entry in (
        each for name in _names_in_store(course, store) for each in store.results(name) if each.student == student
    ):
        with one_line_errors(DAMAGED_STORE_MESSAGE):
            parsed = {"report": json.loads(entry.report), "marks": json.loads(entry.marks)}
        results.append(asdict(entry) | parsed | {"code": stored_code(store, entry.content).sources})
    versions, rows = versions_of_student(course, log, student), rows_of_student(course, student)
    data = {"results": results, "collected": to_builtins(versions), "gradebook": rows if rows.get("student") else {}}
    contents = {f"{name}.json": _json_bytes(own) for name, own in data.items() if own}
    contents |= {
        path.name: own.encode() for path in _files_with_rows(course) if (own := split_by_student(path, student)[0])
    }
    files = [
        file
        for path in files_of_student(course, student)
        for file in (files_below(path) if _is_folder(path) else [path])
    ]
    for file in (*files, *(log.file_of(each) for each in versions if not each.student)):
        path = path_text(PurePosixPath(file.relative_to(course.folder).as_posix()))
        name = f"files/{path}".replace("\\", "_")  # it leads to no other folder on any system
        with suppress(NotebookError, OSError):  # the student can swap a file for a link to somebody else's
            content = read_file(file, MOST_COPIED_BYTES)
            contents[f"{len(contents)}-{name}" if name in contents else name] = content
    return contents


def delete_student(course: Course, store: Store, student: str, again: Iterable[Path]) -> None:
    """Delete everything about a student, and the files in `again`, which can be made again.

    The student's rows in files such as `roster.csv` are deleted last, because `roster.csv` is needed to recognize the
    student.
    """
    for name in _names_in_store(course, store):
        store.delete_students(name, [student])
    log = read_collected(course.folder, course.catalogue)
    own = versions_of_student(course, log, student)
    rest = tuple(each for each in log.versions if each not in own)
    _delete_paths(*again, *set(map(log.file_of, own)) - set(map(log.file_of, rest)), *files_of_student(course, student))
    if own:
        write_collected(CollectedVersions(log.root, log.catalogue, rest), {})
    if rows_of_student(course, student):
        remove_student(course, student)
    for path in _files_with_rows(course):
        part, others = split_by_student(path, student)
        if part:
            write_atomically(path, others)


def _names_in_store(course: Course, store: Store) -> list[str]:
    """Return the names that a course can have in the store, also from earlier versions, and "" for other files."""
    own = {course_name_in(store, course.root), shown_name(course.folder.name)}
    return ["", *own, *(f"{name}/{COLLECTED_FOLDER}" for name in own)]


def versions_of_student(course: Course, log: CollectedVersions, student: str) -> list[Version]:
    """Return a student's collected files.

    A file that belongs to no student yet is included if the name or id of its author matches only this student.
    """

    def is_only_match(each: Version) -> bool:
        person = Person(each.platform, each.name, each.number, each.ids)
        return (sure_matches(person, course.roster) or likely_matches(person, course.roster)) == (student,)

    return [each for each in log.versions if each.student == student or (not each.student and is_only_match(each))]


def files_of_student(course: Course, student: str) -> list[Path]:
    """Return a student's files and folders in the course."""
    folders = (path for name in FOLDERS_BY_STUDENT for path in course.folder.glob(f"{name}/{escape(student)}"))
    marks = course.folder.glob(f"{OWN_FOLDER}/{len(student)}-{escape(student)}-*")
    return [*(path for path in folders if path.name == student), *marks]


def _remakeable_files(course: Course, outs: Iterable[Path]) -> Iterator[Path]:
    """Yield caches and files about the whole class, which commands make again without the student.

    Symbolic links are left out. In a folder of students, a student may have made the files, so they are not trusted.
    """
    inside = (file.parent for file in files_below(course.folder) if file.name == "report.json")
    of_students = [course.folder.resolve() / name for name in FOLDERS_BY_STUDENT]
    for folder in dict.fromkeys(path.resolve() for path in (*outs, *inside)):
        if not any(map(folder.is_relative_to, of_students)):
            patterns = (
                REPORT_PATTERNS if course_root_of(folder) else (DATABASE_FILE, *REPORT_PATTERNS)
            )  # a course's results stay
            yield from (file for name in patterns for file in folder.glob(name) if file.resolve() == file)
    others = [file for pattern in REMAKEABLE_FILES for file in course.folder.glob(pattern)]
    yield from (file for file in (*others, *map(cache_folder, ("results", "unpacked"))) if file.exists())


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _delete_paths(*paths: Path) -> None:
    for path in paths:
        if _is_folder(path):
            inside = [Path(each.path) for each in entries_below(path) if each.is_dir(follow_symlinks=False)]
            for folder in (*reversed(inside), path):  # `rmtree` alone fails if there are many levels
                shutil.rmtree(folder)
        else:
            path.unlink(missing_ok=True)


def _json_bytes(data: object) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False, default=str).encode()


# ------------------------------------------------------------------------------------------------ rows in files


def _files_with_rows(course: Course) -> list[Path]:
    """Return the teacher's files with rows about students."""
    paths = (course.folder / name for name in (ADJUST_FILE, PARTICIPANTS, ROSTER_FILE))
    return [path for path in paths if path.is_file()]


def split_by_student(path: Path, student: str) -> tuple[str, str]:
    """Return a student's part of a teacher's file ("" if there is none), and the file without that part."""
    if path.name == ADJUST_FILE:
        tables = TABLE_START_PATTERN.split(path.read_text(encoding="utf-8"))
        others = [each for each in tables if not _is_about_student(path, each, student)]
        return "".join(each for each in tables if each not in others), "".join(others)
    head, *rows = read_table(path)
    is_moodle = path.name == PARTICIPANTS
    columns = {title: column for column, title in enumerate(head)} if is_moodle else column_indexes(head, rows)
    at = columns.get("student" if is_moodle else "id", len(head))
    own = [row for row in rows if student == one_line(text_of_safe_cell("".join(row[at : at + 1])))]
    others = [row for row in rows if row not in own]
    return as_csv_text([head, *own]) if own else "", as_csv_text([head, *others])


def _is_about_student(path: Path, text: str, student: str) -> bool:
    """Return whether a part of `adjust.toml` is a student's.

    Raises TermError if the part is also about other students.
    """
    tables = parse_toml(text, path, TermError)
    rows = (each if isinstance(each, list) else [each] for name, each in tables.items() if name in STUDENT_TABLES)
    students = [row.get("student") for some in rows for row in some]
    if student in students and (len(students) > 1 or len(tables) > 1):
        raise TermError(
            f"{path}: a part of this file is about {student} and other students: write a separate [[mark]], "
            "[[bonus]] or [[extension]] for each student"
        )
    return student in students


def as_csv_text(rows: Iterable[Iterable[str]]) -> str:
    csv.writer(text := StringIO(newline=""), lineterminator="\n").writerows(rows)
    return text.getvalue()
