"""The data that a course stores about one student, and how to copy and delete each part.

`foldem takeout` copies the parts, `foldem forget` deletes them.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from glob import escape
from io import StringIO
from pathlib import Path, PurePosixPath
from typing import Protocol

import tomlkit
from msgspec import to_builtins

from autograder.config import cache_folder
from autograder.submission.find import page_name
from autograder.submission.notebook import NotebookError
from autograder.submission.reading import LARGEST_COPY, read_file
from autograder.term.adjust import ADJUST_FILE, EXTENSION, SINGLE
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
from autograder.term.roster import COLUMN_NAMES, ROSTER_FILE, Student
from autograder.term.store import DATABASE_FILE, Store, StoredResult
from autograder.term.versions import Version
from autograder.term.view import PAGES
from autograder.term.where import course_in
from autograder.text import cell_text, counted
from autograder.units.pack import PINNED
from course.exam.readable import one_line

BY_STUDENT = SUBMITTED, COLLECTED, "autograded", "feedback"  # folders with a folder for each student
WRITTEN_AGAIN = "class.html", "marks-*.csv", "feedback-*.zip"  # commands make these files from the store
OF_THE_TEACHER = SOURCE, "release", PINNED
CACHES = "results", "unpacked"
REPORTS = "report.json", "report.csv", "class.html", f"{PAGES}/**/*.html"


class Holding(Protocol):
    """One thing that is stored about a student."""

    @property
    def label(self) -> str:
        """Return a description for a list."""
        ...

    def copies(self) -> Iterator[tuple[str, bytes]]:
        """Yield its contents as files, by path."""
        ...

    def delete(self) -> None:
        """Delete it. Nothing happens if it is gone already."""
        ...


@dataclass(frozen=True)
class StoredFiles:
    """A file, or a folder with all its files."""

    path: Path
    root: Path
    is_own: bool = True  # whether only this student is in it

    @property
    def label(self) -> str:
        files = sum(each.is_file() for each in files_below(self.path)) if self._is_folder else 0
        why = "" if self.is_own else ", which can be made again"
        return f"{self.path} ({counted(files, 'file')})" if files else f"{self.path}{why}"

    @property
    def _is_folder(self) -> bool:
        return self.path.is_dir() and not self.path.is_symlink()

    def copies(self) -> Iterator[tuple[str, bytes]]:
        files = sorted(files_below(self.path)) if self._is_folder else [self.path]
        for file in files if self.is_own else ():
            with suppress(NotebookError, OSError):  # the student can swap a file for a link to somebody else's
                if file.is_file():
                    yield _copy_name(file, self.root), read_file(file, LARGEST_COPY)

    def delete(self) -> None:
        if self._is_folder:
            inside = [Path(each.path) for each in entries_below(self.path) if each.is_dir(follow_symlinks=False)]
            for folder in (*reversed(inside), self.path):  # `rmtree` alone fails if there are many levels
                shutil.rmtree(folder)
        else:
            self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class TableRows:
    """The rows of a CSV file about a student: those with the student's id in the column of ids."""

    path: Path
    titles: tuple[str, ...]  # what the column of ids may be called
    student: str

    @property
    def label(self) -> str:
        return f"{counted(len(self._split()[0]), 'row')} of {self.path}"

    def copies(self) -> Iterator[tuple[str, bytes]]:
        head = self._text().splitlines(keepends=True)[:1]
        yield self.path.name, "".join([*head, *self._split()[0]]).encode()

    def delete(self) -> None:
        write_atomically(self.path, "".join(self._split()[1]))

    @property
    def is_empty(self) -> bool:
        return not self._split()[0]

    def _text(self) -> str:
        content = self.path.read_bytes()
        return content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8")

    def _split(self) -> tuple[list[str], list[str]]:
        """Return the rows about the student and the others, as they are in the file."""
        text, start = self._text(), 0
        rows: tuple[list[str], list[str]] = ([], [])
        lines = StringIO(text, newline="").readlines()
        reader = csv.reader(StringIO(text, newline=""), delimiter=max(",;\t", key=text.partition("\n")[0].count))
        column = -1
        for cells in reader:
            is_other = start == 0 or self.student != one_line(cell_text("".join(cells[column : column + 1])))
            if start == 0:
                column = self._column_of_ids(cells)
            rows[is_other].append("".join(lines[start : reader.line_num]))
            start = reader.line_num
        return rows

    def _column_of_ids(self, head: Sequence[str]) -> int:
        """Return the index of the column of ids: the last one, as in `read_roster`, or one beyond all columns."""
        known = [column for column, title in enumerate(head) if title.strip("\ufeff \t").lower() in self.titles]
        return max(known, default=len(head))


@dataclass(frozen=True)
class AdjustedMarks:
    """The tables of `adjust.toml` about a student: marks, bonuses and extensions."""

    path: Path
    student: str

    @property
    def label(self) -> str:
        return f"{counted(len(self._own()), 'table')} of {self.path}"

    def copies(self) -> Iterator[tuple[str, bytes]]:
        yield self.path.name, "\n".join(f"[[{name}]]\n{row.as_string()}" for name, row in self._own()).encode()

    def delete(self) -> None:
        document = self._document()
        for name in (*SINGLE, EXTENSION):
            rows = document.get(name, [])
            for index in reversed(range(len(rows))):
                if rows[index].get("student") == self.student:
                    del rows[index]
            if name in document and not rows:
                del document[name]
        write_atomically(self.path, document.as_string())

    @property
    def is_empty(self) -> bool:
        return not self._own()

    def _document(self) -> tomlkit.TOMLDocument:
        return tomlkit.parse(self.path.read_text(encoding="utf-8"))

    def _own(self) -> list[tuple[str, tomlkit.items.Table]]:
        document = self._document()
        rows = ((name, row) for name in (*SINGLE, EXTENSION) for row in document.get(name, []))
        return [(name, row) for name, row in rows if row.get("student") == self.student]


@dataclass(frozen=True)
class CollectedVersions:
    """The lines about a student in the log of collected files, and files that were not matched to anyone."""

    collected: Collected
    own: tuple[Version, ...]

    @property
    def label(self) -> str:
        return f"{counted(len(self.own), 'line')} of {self.collected.root / COLLECTED / LOG}"

    def copies(self) -> Iterator[tuple[str, bytes]]:
        yield f"{COLLECTED}.json", _json([to_builtins(each) for each in self.own])
        for version in self.own:
            file = self.collected.file_of(version)
            if not version.student and file.is_file():
                yield _copy_name(file, self.collected.root), file.read_bytes()

    def delete(self) -> None:
        rest = tuple(each for each in self.collected.versions if each not in self.own)
        used = set(map(self.collected.file_of, rest))
        for file in map(self.collected.file_of, self.own):
            if file not in used:
                file.unlink(missing_ok=True)
        write_collected(Collected(self.collected.root, self.collected.catalogue, rest), {})


@dataclass(frozen=True)
class ResultsOfStudent:
    """A student's results in a store: reports, earlier reports, and code."""

    store: Store
    course: str
    entries: tuple[StoredResult, ...]

    @property
    def label(self) -> str:
        return f"{counted(len(self.entries), 'result')} in {self.store.where}, and all of its cached verdicts"

    def copies(self) -> Iterator[tuple[str, bytes]]:
        yield "results.json", _json(list(map(self._copy, self.entries)))

    def _copy(self, entry: StoredResult) -> dict[str, object]:
        parsed = {"report": json.loads(entry.report), "marks": json.loads(entry.marks)}
        earlier = [json.loads(each) for each in self.store.earlier(entry)]
        code = dict(sources_in(self.store, entry.content))
        return asdict(entry) | parsed | {"earlier": earlier, "code": code}

    def delete(self) -> None:
        self.store.forget(self.course, {entry.student for entry in self.entries})


@dataclass(frozen=True)
class GradebookRows:
    """A student's rows in nbgrader's gradebook."""

    course: Course
    student: str

    @property
    def label(self) -> str:
        return f"the student {self.student} in nbgrader's gradebook, with all marks"

    def copies(self) -> Iterator[tuple[str, bytes]]:
        yield "gradebook.json", _json(rows_of_student(self.course, self.student))

    def delete(self) -> None:
        remove_student(self.course, self.student)


def holdings_of(course: Course, identity: Identity, address: str | None, outs: Sequence[Path]) -> Iterator[Holding]:
    """Yield what is stored about a student. The roster comes last, since it knows the student's name."""
    yield from _in_stores(course, identity, address, outs)
    yield from _in_reports(course, identity, outs)
    yield from _in_caches(identity)
    if course.root:
        yield from _in_course(course, course.root, identity)


def _in_stores(course: Course, identity: Identity, address: str | None, outs: Sequence[Path]) -> Iterator[Holding]:
    named = [course.store(address)] if course.root or address else []
    for store in (*named, *(Store(out / DATABASE_FILE) for out in outs if (out / DATABASE_FILE).is_file())):
        for name in {course_in(store, course.root), ""}:
            if own := tuple(each for each in store.entries(name) if identity.owns(each.student)):
                yield ResultsOfStudent(store, name, own)
        copies = (backup_of(store.file, number) for number in range(1, FORMAT)) if store.file else ()
        yield from (StoredFiles(copy, copy.parent, is_own=False) for copy in copies if _is_mentioned(copy, identity))


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
                yield StoredFiles(file, folder, is_own)


def _in_caches(identity: Identity) -> Iterator[Holding]:
    """Yield the caches that mention a student, for hand-ins without a course. They are filled again when needed."""
    results, unpacked = (cache_folder().with_name(name) for name in CACHES)
    for path in (*results.glob("*"), *unpacked.glob("*/*")):
        files = [path, *(Path(entry.path) for entry in entries_below(path))] if path.is_dir() else [path]
        names = "\n".join(str(file.relative_to(path.parent)) for file in files).encode(errors="replace")
        if identity.is_in(names) or any(_is_mentioned(file, identity) for file in files):
            yield StoredFiles(path, path.parent, is_own=False)


def _is_mentioned(file: Path, identity: Identity) -> bool:
    """Return whether a file that can be generated again may mention a student."""
    if not file.is_file():
        return False
    return identity.may_be_in_database(file) if file.suffix == ".db" else identity.is_in_file(file)


def _in_course(course: Course, root: Path, identity: Identity) -> Iterator[Holding]:
    student = identity.student.id
    log = read_collected(root, course.catalogue)
    if own := tuple(each for each in log.versions if _is_about(each, identity)):
        yield CollectedVersions(log, own)
    for folder in (path for name in BY_STUDENT for path in root.glob(f"{name}/*") if identity.owns(path.name)):
        yield StoredFiles(folder, root)
    for mark in root.glob(f"{OWN_FOLDER}/{len(student)}-{escape(student)}-*.mark"):
        yield StoredFiles(mark, root)
    for file in (file for pattern in WRITTEN_AGAIN for file in root.glob(pattern) if identity.is_in_file(file)):
        yield StoredFiles(file, root, is_own=False)
    yield from _in_tables(course, root, identity)


def _in_tables(course: Course, root: Path, identity: Identity) -> Iterator[Holding]:
    student = identity.student.id
    if rows_of_student(course, student).get("student"):
        yield GradebookRows(course, student)
    adjusted = AdjustedMarks(root / ADJUST_FILE, student)
    if adjusted.path.is_file() and not adjusted.is_empty:
        yield adjusted
    columns = {PARTICIPANTS: PARTICIPANT_COLUMNS[1:2], ROSTER_FILE: COLUMN_NAMES["id"]}
    for rows in (TableRows(root / name, titles, student) for name, titles in columns.items()):
        if rows.path.is_file() and not rows.is_empty:
            yield rows


def _is_handed_in(path: Path, course: Course) -> bool:
    """Return whether a student may have made a file. Then its content is not trusted."""
    return course.root is not None and any(path.is_relative_to(course.root / name) for name in BY_STUDENT)


def _is_about(version: Version, identity: Identity) -> bool:
    """Return whether a collected file is a student's, or is unmatched and may be."""
    labels = (version.name, *version.ids, *Path(version.path).parts)
    return identity.owns(version.student) if version.student else any(map(identity.owns, labels))


def identity_of(course: Course, student: str) -> Identity:
    """Return a student of the roster, or a student who is known only by an id.

    Next to the student's own folder, a folder whose name differs only in case, Unicode's form or signs is somebody
    else's.
    """
    folders = [{path.name for path in course.root.glob(f"{name}/*")} for name in BY_STUDENT] if course.root else []
    both = ((student, other) for names in folders if student in names for other in names)
    twins = {twin for one, twin in both if folder_key(one) == folder_key(twin) or page_name(one) == page_name(twin)}
    others = [each for each in course.roster.values() if each.id != student] + [*map(Student, twins - {student})]
    return Identity(course.roster.get(student) or Student(student), tuple(map(Identity, others)))


def traces(course: Course, identity: Identity, outs: Sequence[Path]) -> Iterator[Path]:
    """Yield the files that still mention a student, in their name or content. The teacher's notebooks are left out."""
    folders = [path for path in (course.root, *outs, *(cache_folder().with_name(name) for name in CACHES)) if path]
    for file in sorted({file for folder in folders for file in files_below(folder) if file.is_file()}):
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
