"""`foldem forget`: delete everything that a course stores about a student, or copy it."""

from __future__ import annotations

import csv
import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from glob import escape
from io import StringIO
from itertools import chain, count
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import tomlkit
import typer
from msgspec import to_builtins

from autograder.commands.chosen import chosen_course
from autograder.commands.options import ForgetOptions
from autograder.config import ConfigError, cache_folder
from autograder.submission.reading import NotebookError, read_file
from autograder.term.adjust import ADJUST_FILE, OF_STUDENTS
from autograder.term.collected import COLLECTED, Collected, Version, read_collected, write_collected
from autograder.term.course import Course
from autograder.term.files import (
    LOG,
    OWN_FOLDER,
    SUBMITTED,
    alone_in,
    as_folder_name,
    atomic_bytes,
    entries_below,
    files_below,
    path_text,
    root_of,
    write_atomically,
)
from autograder.term.gradebook import remove_student, rows_of_student
from autograder.term.people import likely_matches, sure_matches
from autograder.term.platforms import Person
from autograder.term.results import stored_code
from autograder.term.roster import PARTICIPANT_COLUMNS, PARTICIPANTS, ROSTER_FILE, columns_of, text_and_separator
from autograder.term.store import DATABASE_FILE, Store, StoredResult, collected_in, course_in
from autograder.term.view import LEAGUE, PAGES
from autograder.text import cell_text, counted, shown_name
from course.exam.readable import one_line
from course.limits import MOST_COPIED_BYTES

DONE, NOTHING_DELETED = 0, 2
BY_STUDENT = SUBMITTED, COLLECTED, "autograded", "feedback"  # folders with a folder for each student
WRITTEN_AGAIN = "class.html", "viva.html", "marks-*.csv", "grades.csv", "feedback-*.zip", LEAGUE  # commands make these
CACHES = "results", "unpacked"
REPORTS = "report.json", "report.csv", "class.html", "viva.html", f"{PAGES}/**/*.html"


def run(options: ForgetOptions) -> int:
    """List what is stored about a student, ask, and delete it; or copy it."""
    course = chosen_course(None, options.course)
    if options.copy:
        copy(course, options, options.copy)
        return DONE
    with alone_in(course.folder / COLLECTED):
        holdings = ensure_holdings(course, options)
        student = course.roster.get(options.student)
        print(f"Stored about {shown_name(f'{student.id} ({student.name})' if student else options.student)}:")
        for holding in holdings:
            print(f"  {shown_name(holding.label)}")
        if not options.yes and not sys.stdin.isatty():
            raise ConfigError("cannot ask for confirmation without a terminal: to delete all of this, add --yes")
        if not options.yes and not typer.confirm("Delete all of this?"):
            print("Nothing was deleted.")
            return NOTHING_DELETED
        for holding in holdings:
            holding.delete()
    where = shlex.quote(shown_name(str(course.folder)))
    print(f"Deleted. To write the reports of the others again: foldem grade {where} --out reports")
    print("Not searched: downloads, backups, your notes, and the files of other students.")
    return DONE


def copy(course: Course, options: ForgetOptions, target: Path) -> None:
    """Write a zip with everything that is stored about a student. Raises ConfigError if it exists."""
    if target.exists():
        raise ConfigError(f"{target} exists already: choose another file name")
    contents = dict[str, bytes]()
    for holding in ensure_holdings(course, options):
        for name, content in holding.copies():
            safe = name.replace("\\", "_")  # a name that leads to no other folder on any system
            names = chain([safe], (f"{number}/{safe}" for number in count(2)))
            contents[next(each for each in names if each not in contents)] = content
    write_zip(target, contents)
    print(f"wrote  {target}")


def write_zip(path: Path, contents: Mapping[str, str | bytes]) -> None:
    """Write a reproducible zip; the keys are paths in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_bytes(path) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)


@dataclass(frozen=True)
class Holding:
    """One thing that is stored about a student: a description, its contents as files by path, and how to delete it.

    Nothing happens if it is gone already.
    """

    label: str
    copies: Callable[[], Iterable[tuple[str, bytes]]]
    delete: Callable[[], object]


def ensure_holdings(course: Course, options: ForgetOptions) -> list[Holding]:
    """Return what is stored about a student. Raises ConfigError if there is nothing, or for an impossible id.

    Files about the whole class that can be made again come after the student's own. The rows come last, since
    `roster.csv` is needed to recognize the student.
    """
    student, outs = options.student, options.reports or ()
    if not student or as_folder_name(student) != student:
        raise ConfigError(f"{student!r} cannot be a student's id")
    if missing := [out for out in outs if not out.is_dir()]:
        raise ConfigError(f"there is no folder {missing[0]}")
    results, rows = [*_results(course, student, course.store(options.store))], [*_in_course(course, student)]
    if not results and not rows:
        raise ConfigError(f"nothing is stored about {student}: {course.root} does not know this id")
    return [*results, *_made_again(course, outs), *rows]


def _results(course: Course, student: str, store: Store) -> Iterator[Holding]:
    """Yield a student's results in the course's store: reports, marks and code, also of files outside of the course."""
    for name in (course_in(store, course.root), collected_in(store, course.root), ""):
        own = [each for each in store.entries(name) if each.student == student]
        if own or (name and (course.folder / LEAGUE).is_dir()):
            label = f"{counted(len(own), 'result')} in {store.where}, and all of its league matches"
            yield Holding(label, partial(_copies_of_results, store, own), partial(store.forget, name, [student]))


def _copies_of_results(store: Store, entries: Iterable[StoredResult]) -> Iterator[tuple[str, bytes]]:
    copies = []
    for entry in entries:
        parsed = {"report": json.loads(entry.report), "marks": json.loads(entry.marks)}
        copies.append(asdict(entry) | parsed | {"code": stored_code(store, entry.content).sources})
    yield "results.json", _json(copies)


def _made_again(course: Course, outs: Iterable[Path]) -> Iterator[Holding]:
    """Yield files about the whole class, and caches: commands make them again from what is left.

    Links are left out. In a folder of students, a student may have made the files, so they are not trusted.
    """
    inside = (file.parent for file in files_below(course.folder) if file.name == "report.json")
    of_students = [course.folder.resolve() / name for name in BY_STUDENT]
    for folder in dict.fromkeys(path.resolve() for path in (*outs, *inside)):
        patterns = REPORTS if root_of(folder) else (DATABASE_FILE, *REPORTS)  # a course's database is not made again
        files = {file for pattern in patterns for file in folder.glob(pattern) if file.resolve() == file}
        if files and not any(map(folder.is_relative_to, of_students)):
            label = f"{counted(len(files), 'report file')} in {folder}, which can be made again"
            yield Holding(label, tuple, partial(_delete, *files))
    others = [file for pattern in WRITTEN_AGAIN for file in course.folder.glob(pattern)]
    for file in (*others, *(cache_folder().with_name(name) for name in CACHES)):
        if file.exists():
            yield Holding(f"{file}, which can be made again", tuple, partial(_delete, file))


# ------------------------------------------------------------------------------------------------ the course folder


def _in_course(course: Course, student: str) -> Iterator[Holding]:
    """Yield a student's files in a course folder, then the rows in the teacher's files."""
    root, log = course.folder, read_collected(course.folder, course.catalogue)
    waiting = [each for each in log.versions if not each.student]
    people = [Person(each.platform, each.name, each.number, each.ids) for each in waiting]
    matches = (sure_matches(each, course.roster) or likely_matches(each, course.roster) for each in people)
    own = [each for each in log.versions if each.student == student]
    # A file that waits for a student is theirs if it can be only this one's.
    own += [each for each, whose in zip(waiting, matches, strict=True) if whose == (student,)]
    if own:
        label = f"{counted(len(own), 'line')} of {root / COLLECTED / LOG}"
        yield Holding(label, partial(_copies_of_versions, log, own), partial(_delete_versions, log, own))
    for folder in (path for name in BY_STUDENT for path in root.glob(f"{name}/{escape(student)}")):
        if folder.name == student:
            yield stored_files(folder, root)
    for mark in root.glob(f"{OWN_FOLDER}/{len(student)}-{escape(student)}-*"):
        yield stored_files(mark, root)
    if rows_of_student(course, student).get("student"):
        yield Holding(
            f"the student {student} in nbgrader's gradebook, with all marks",
            lambda: [("gradebook.json", _json(rows_of_student(course, student)))],
            partial(remove_student, course, student),
        )
    for name in (ADJUST_FILE, PARTICIPANTS, ROSTER_FILE):
        unit, split = ("table", _split_tables) if name == ADJUST_FILE else ("row", _split_rows)
        if (root / name).is_file():
            yield from _part_of_file(root / name, unit, partial(split, root / name, student))


def _copies_of_versions(collected: Collected, own: Iterable[Version]) -> Iterator[tuple[str, bytes]]:
    """Yield the lines about a student in the log of collected files, and files that were not matched to anyone."""
    yield f"{COLLECTED}.json", _json([to_builtins(each) for each in own])
    files = (collected.file_of(each) for each in own if not each.student)
    yield from ((_copy_name(file, collected.root), file.read_bytes()) for file in files if file.is_file())


def _delete_versions(collected: Collected, own: Sequence[Version]) -> None:
    rest = tuple(each for each in collected.versions if each not in own)
    _delete(*set(map(collected.file_of, own)) - set(map(collected.file_of, rest)))
    write_collected(Collected(collected.root, collected.catalogue, rest), {})


def stored_files(path: Path, root: Path) -> Holding:
    """Return a student's file, or a folder with all its files."""
    files = sorted(files_below(path)) if _is_folder(path) else [path]

    def copies() -> Iterator[tuple[str, bytes]]:
        for file in files:
            with suppress(NotebookError, OSError):  # the student can swap a file for a link to somebody else's
                if os.path.isfile(file):
                    yield _copy_name(file, root), read_file(file, MOST_COPIED_BYTES)

    return Holding(f"{path} ({counted(len(files), 'file')})", copies, partial(_delete, path))


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _delete(*paths: Path) -> None:
    for path in paths:
        if _is_folder(path):
            inside = [Path(each.path) for each in entries_below(path) if each.is_dir(follow_symlinks=False)]
            for folder in (*reversed(inside), path):  # `rmtree` alone fails if there are many levels
                shutil.rmtree(folder)
        else:
            path.unlink(missing_ok=True)


def _copy_name(file: Path, root: Path) -> str:
    """Return the path of a file's copy, whatever bytes its name has."""
    return f"files/{path_text(PurePosixPath(file.relative_to(root).as_posix()))}"


def _json(data: object) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False, default=str).encode()


# ------------------------------------------------------------------------------------------------ rows in files


SplitText = tuple[int, str, str]  # the number of a student's parts, their text, and the text without them


def _part_of_file(path: Path, unit: str, split: Callable[[], SplitText]) -> Iterator[Holding]:
    """Yield a student's part of a teacher's file, if there is any."""
    number, own, _ = split()
    if number:
        label = f"{counted(number, unit)} of {path}"
        yield Holding(label, lambda: [(path.name, own.encode())], lambda: write_atomically(path, split()[2]))


def _split_rows(path: Path, student: str) -> SplitText:
    """Split a CSV file, as it is in the file, by the column of ids. The head is in both texts."""
    text, separator = text_and_separator(path)
    lines = StringIO(text, newline="").readlines()
    reader = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
    head, rows = next(reader, []), [*csv.reader(lines, delimiter=separator)][1:]
    is_moodle = path.name == PARTICIPANTS
    columns = {title: column for column, title in enumerate(head)} if is_moodle else columns_of(head, rows)
    column = columns.get(PARTICIPANT_COLUMNS[1] if is_moodle else "id", len(head))
    start = reader.line_num
    own, others = ["".join(lines[:start])], ["".join(lines[:start])]
    for cells in reader:
        is_own = student == one_line(cell_text("".join(cells[column : column + 1])))
        (own if is_own else others).append("".join(lines[start : reader.line_num]))
        start = reader.line_num
    return len(own) - 1, "".join(own), "".join(others)


def _split_tables(path: Path, student: str) -> SplitText:
    """Split `adjust.toml` by the tables about students: marks, bonuses and extensions."""
    document, own = tomlkit.parse(path.read_text(encoding="utf-8")), list[str]()
    for name in OF_STUDENTS:
        rows = document.get(name, [])
        theirs = [index for index, row in enumerate(rows) if row.get("student") == student]
        own += (f"[[{name}]]\n{rows[index].as_string()}" for index in theirs)
        for index in reversed(theirs):
            del rows[index]
        if name in document and not rows:
            del document[name]
    return len(own), "\n".join(own), document.as_string()
