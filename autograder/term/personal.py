"""The data that a course stores about one student, and how to copy and delete each part.

`foldem takeout` copies the parts, `foldem forget` deletes them.
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

from autograder.config import cache_folder
from autograder.submission.find import page_name
from autograder.submission.notebook import NotebookError
from autograder.submission.reading import LARGEST_COPY, read_file
from autograder.term.adjust import ADJUST_FILE, OF_STUDENTS
from autograder.term.assignments import SOURCE
from autograder.term.collected import COLLECTED, Collected, read_collected, write_collected
from autograder.term.course import Course
from autograder.term.files import LOG, OWN_FOLDER, entries_below, files_below, folder_key, write_atomically
from autograder.term.formats import FORMAT, backup_of
from autograder.term.gradebook import remove_student, rows_of_student
from autograder.term.identity import Identity
from autograder.term.intake import PARTICIPANT_COLUMNS, PARTICIPANTS
from autograder.term.locations import SUBMITTED, path_text
from autograder.term.results import sources_in
from autograder.term.roster import COLUMN_NAMES, ROSTER_FILE, Student, table_text
from autograder.term.store import DATABASE_FILE, Store, StoredResult
from autograder.term.versions import Version
from autograder.term.view import PAGES
from autograder.term.where import course_in
from autograder.text import cell_text, counted
from autograder.units.pack import PINNED
from course.exam.readable import one_line

BY_STUDENT = SUBMITTED, COLLECTED, "autograded", "feedback"  # folders with a folder for each student
WRITTEN_AGAIN = "class.html", "viva.html", "marks-*.csv", "feedback-*.zip"  # commands make these files from the store
LEAGUE = "league"  # the folder of a league's pages, which have pseudonyms and games
OF_THE_TEACHER = SOURCE, "release", PINNED
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
                yield _copy_name(file, root), read_file(file, LARGEST_COPY)


def _delete(path: Path) -> None:
    if _is_folder(path):
        inside = [Path(each.path) for each in entries_below(path) if each.is_dir(follow_symlinks=False)]
        for folder in (*reversed(inside), path):  # `rmtree` alone fails if there are many levels
            shutil.rmtree(folder)
    else:
        path.unlink(missing_ok=True)


def _table_rows(path: Path, titles: Sequence[str], student: str) -> Iterator[Holding]:
    """Yield the rows of a CSV file with the student's id in the column of ids; `titles` are its possible names."""
    own, (head, *_) = _split_rows(path, titles, student)
    if own:
        yield Holding(
            f"{counted(len(own), 'row')} of {path}",
            lambda: [(path.name, "".join([head, *own]).encode())],
            lambda: write_atomically(path, "".join(_split_rows(path, titles, student)[1])),
        )


def _split_rows(path: Path, titles: Sequence[str], student: str) -> tuple[list[str], list[str]]:
    """Return the rows about the student and the others with the head, as they are in the file.

    The column of ids is the last one with such a title, as in `read_roster`.
    """
    text, separator = table_text(path)
    lines = StringIO(text, newline="").readlines()
    reader = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
    head = next(reader, [])
    known = [column for column, title in enumerate(head) if title.strip().lower() in titles]
    column = max(known, default=len(head))
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


def holdings_of(course: Course, identity: Identity, address: str | None, outs: Sequence[Path]) -> Iterator[Holding]:
    """Yield what is stored about a student. The roster comes last, since it knows the student's name."""
    yield from _in_stores(course, identity, address, outs)
    yield from _in_reports(course, identity, outs)
    yield from _in_caches(identity)
    if course.root:
        yield from _in_course(course, course.root, identity)


def _in_stores(course: Course, identity: Identity, address: str | None, outs: Sequence[Path]) -> Iterator[Holding]:
    for store in _stores(course, address, outs):
        for name in _courses(course, store):
            own = tuple(each for each in store.entries(name) if identity.owns(each.student))
            if own or (name and course.root and (course.root / LEAGUE).is_dir()):
                yield _results_of_student(store, name, own)
        copies = (backup_of(store.file, number) for number in range(1, FORMAT)) if store.file else ()
        yield from (stored_files(copy, copy.parent, is_own=False) for copy in copies if _is_mentioned(copy, identity))


def _stores(course: Course, address: str | None, outs: Sequence[Path]) -> list[Store]:
    """Return the stores of a course, or at an address, and of output folders."""
    named = [course.store(address)] if course.root or address else []
    return [*named, *(Store(out / DATABASE_FILE) for out in outs if (out / DATABASE_FILE).is_file())]


def _courses(course: Course, store: Store) -> set[str]:
    return {course_in(store, course.root), ""}


def _in_reports(course: Course, identity: Identity, outs: Sequence[Path]) -> Iterator[Holding]:
    """Yield the files in output folders that mention a student. Pages named after the student are the student's."""
    inside = (file.parent for file in files_below(course.root) if file.name == "report.json") if course.root else ()
    folders = (path.resolve() for path in (*outs, *inside) if not _is_handed_in(path, course))
    shared = {
        Path(page_name(each.student.id)).stem for each in identity.others
    }  # `ann_x` is the folder of `ann+x`, too
    for folder in dict.fromkeys(folders):
        files = {file for pattern in REPORTS for file in folder.glob(pattern)}
        for file in sorted(file for file in files if file.resolve() == file):  # a link may lead out of the folder
            names = file.relative_to(folder).with_suffix("").parts
            is_own = names[0] == PAGES and names[1] not in shared and any(map(identity.owns, names[1:]))
            if is_own or identity.is_in_file(file):
                yield stored_files(file, folder, is_own)


def _in_caches(identity: Identity) -> Iterator[Holding]:
    """Yield the caches that mention a student, for hand-ins without a course. They are filled again when needed."""
    results, unpacked = (cache_folder().with_name(name) for name in CACHES)
    for path in (*results.glob("*"), *unpacked.glob("*/*")):
        files = [path, *(Path(entry.path) for entry in entries_below(path))] if path.is_dir() else [path]
        names = "\n".join(str(file.relative_to(path.parent)) for file in files).encode(errors="replace")
        if identity.is_in(names) or any(_is_mentioned(file, identity) for file in files):
            yield stored_files(path, path.parent, is_own=False)


def _is_mentioned(file: Path, identity: Identity) -> bool:
    """Return whether a file that can be generated again may mention a student."""
    if not file.is_file():
        return False
    return identity.may_be_in_database(file) if file.suffix == ".db" else identity.is_in_file(file)


def _in_course(course: Course, root: Path, identity: Identity) -> Iterator[Holding]:
    student = identity.student.id
    log = read_collected(root, course.catalogue)
    if own := tuple(each for each in log.versions if _is_about(each, identity)):
        yield _collected_versions(log, own)
    for folder in (path for name in BY_STUDENT for path in root.glob(f"{name}/*") if identity.owns(path.name)):
        yield stored_files(folder, root)
    if (root / LEAGUE).is_dir():
        yield stored_files(root / LEAGUE, root, is_own=False)
    for mark in root.glob(f"{OWN_FOLDER}/{len(student)}-{escape(student)}-*"):
        yield stored_files(mark, root)
    for file in (file for pattern in WRITTEN_AGAIN for file in root.glob(pattern) if identity.is_in_file(file)):
        yield stored_files(file, root, is_own=False)
    yield from _in_tables(course, root, identity)


def _in_tables(course: Course, root: Path, identity: Identity) -> Iterator[Holding]:
    student = identity.student.id
    if rows_of_student(course, student).get("student"):
        yield _gradebook_rows(course, student)
    if (root / ADJUST_FILE).is_file():
        yield from _adjusted_marks(root / ADJUST_FILE, student)
    columns = {PARTICIPANTS: PARTICIPANT_COLUMNS[1:2], ROSTER_FILE: COLUMN_NAMES["id"]}
    for name, titles in columns.items():
        if (root / name).is_file():
            yield from _table_rows(root / name, titles, student)


def _is_handed_in(path: Path, course: Course) -> bool:
    """Return whether a student may have made a file. Then its content is not trusted."""
    return course.root is not None and any(path.is_relative_to(course.root / name) for name in BY_STUDENT)


def _is_about(version: Version, identity: Identity) -> bool:
    """Return whether a collected file is a student's, or is unmatched and may be."""
    labels = (version.name, *version.ids, *Path(version.path).parts)
    return identity.owns(version.student) if version.student else any(map(identity.owns, labels))


def identity_of(course: Course, student: str, address: str | None, outs: Sequence[Path]) -> Identity:
    """Return a student of the roster, or a student who is known only by an id.

    If the student's exact id occurs, a name that differs only in case, Unicode's form or signs is another student's.
    """
    groups = [{path.name for path in course.root.glob(f"{name}/*")} for name in BY_STUDENT] if course.root else []
    for store in _stores(course, address, outs):
        groups.append({each.student for name in _courses(course, store) for each in store.outlines(name)})
    both = ((student, other) for names in groups if student in names for other in names)
    twins = {twin for one, twin in both if folder_key(one) == folder_key(twin) or page_name(one) == page_name(twin)}
    others = [each for each in course.roster.values() if each.id != student] + [*map(Student, twins - {student})]
    return Identity(course.roster.get(student) or Student(student), tuple(map(Identity, others)))


def traces(course: Course, identity: Identity, outs: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that still mention a student, in their name or content. The teacher's notebooks are left out."""
    folders = [path for path in (course.root, *outs, *(cache_folder().with_name(name) for name in CACHES)) if path]
    for file in sorted({file for folder in folders for file in files_below(folder) if os.path.isfile(file)}):
        where = next(folder for folder in folders if file.is_relative_to(folder))
        if course.root and any(file.is_relative_to(course.root / name) for name in OF_THE_TEACHER):
            continue
        is_named = identity.is_in(str(file.relative_to(where)).encode(errors="replace"))
        if is_named or identity.is_in_file(file, opens_zips=not _is_handed_in(file, course)):
            yield file


def _copy_name(file: Path, root: Path) -> str:
    """Return the path of a file's copy, whatever bytes its name has."""
    return f"files/{path_text(PurePosixPath(file.relative_to(root).as_posix()))}"


def _json(data: object) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False, default=str).encode()
