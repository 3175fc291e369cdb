"""The files of a course: where they are, how to write them atomically (write, then rename), and locks for all systems.

The location of a submission does not depend on the folder in which a run is started.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from io import TextIOWrapper
from itertools import count
from pathlib import Path, PurePosixPath
from tempfile import TemporaryFile
from typing import BinaryIO, TextIO
from unicodedata import normalize

from filelock import FileLock, Timeout

from autograder.config import ConfigError, Policy, Settings, cache_folder, settings_file_for
from autograder.text import short_name, shown_name
from autograder.units.pack import Catalogue

SUBMITTED_FOLDER = "submitted"
OWN_FOLDER = ".foldem"  # in a course folder: Foldem's own files, except the store
DRAFT_NAME = ".foldem-{}.part"
INVALID_NAME_PATTERN = re.compile(r'^\.|[<>:"/\\|?*\x00-\x1f\x7f]|[. ]$')
LOG_FILE = "log.jsonl"  # a file next to the students' folders in `collected/`
RESERVED_NAME_PATTERN = re.compile(rf"(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)|{re.escape(LOG_FILE)}$", re.IGNORECASE)


@dataclass(frozen=True)
class CourseFolder:
    """The folder of a course, its settings, and its units in the released version.

    Without a course folder, settings and units are the defaults. `start` is the folder in which the search for the
    course folder began. If `is_graded` is true, the course is inside the folder to grade, so a student may have made
    it. If `is_graded` is true, code that is named in the course's settings is not run.
    """

    catalogue: Catalogue
    start: Path = Path()
    root: Path | None = None
    settings: Settings = field(default_factory=Settings)
    is_graded: bool = False

    @property
    def policy(self) -> Policy:
        return self.settings.policy

    @property
    def folder(self) -> Path:
        """Return the path of the course folder. Raises ConfigError if there is no course folder."""
        if self.root is None:
            raise ConfigError(
                f"{Path.cwd()} is not in a course folder: change to a course folder, or add its path to the command"
            )
        return self.root


@dataclass(frozen=True)
class SubmittedFile:
    """The file of a submission: its course (or ""), location in the course, displayed name, student and assignment.

    In nbgrader's `submitted/`, the names of the folders are the student and the assignment. In other folders, the
    student's name is the first part of `name`. `student` and `assignment` are unchanged folder names, so only `name` is
    safe to print.
    """

    path: Path
    course: str
    place: str
    name: str
    student: str
    assignment: str


def locate_files(
    notebooks: Iterable[tuple[str, Path]], root: Path | None = None, course: str = ""
) -> Iterator[SubmittedFile]:
    """Yield a `SubmittedFile` for each notebook. `root` is the course folder, and `course` its name in the store.

    A file outside of `root` belongs to no course. Settings next to the files are ignored, because a student may have
    written them.
    """
    for name, path in notebooks:
        resolved = path.parent.resolve() / path.name
        home, of = (root, course) if root and resolved.is_relative_to(root) else (None, "")
        location = path_text(resolved.relative_to(home) if home else resolved)
        # A `submitted/` of the course or of the command counts, and none that a student has made.
        given = Path(resolved.anchor, *resolved.parts[: -len(PurePosixPath(name).parts)])
        given = next((each.parent for each in (given, *given.parents) if each.name == SUBMITTED_FOLDER), given)
        folders = [folder / SUBMITTED_FOLDER for folder in (home, given) if folder]
        below = next((resolved.relative_to(folder) for folder in folders if resolved.is_relative_to(folder)), Path())
        if len(below.parts) > 1:
            handed_in = PurePosixPath(below)
            student, *rest = handed_in.parts
            name = shown_name(path_text(handed_in.with_suffix("")))
            whose = path_text(PurePosixPath(student)), path_text(PurePosixPath(rest[0])) if rest[1:] else ""
            yield SubmittedFile(path, of, location, name, *whose)
            continue
        yield SubmittedFile(path, of, location, name, PurePosixPath(name).parts[0].removesuffix(".ipynb"), "")


def course_root_of(folder: Path) -> Path | None:
    """Return the course folder that contains a folder, or None."""
    file = settings_file_for(folder)
    return file.parent if file else None


def path_text(path: Path | PurePosixPath) -> str:
    """Return a path as text that can be stored, even if its bytes are not valid text."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


# ------------------------------------------------------------------------------------------------ names, writing, locks


def as_folder_name(name: str) -> str:
    """Return a folder name that is valid on Linux, macOS and Windows. A name that is already valid does not change.

    >>> as_folder_name("s1"), as_folder_name("../a:b"), as_folder_name("con"), as_folder_name("log.jsonl")
    ('s1', '_._a_b', '_con', '_log.jsonl')
    """
    safe = short_name(INVALID_NAME_PATTERN.sub("_", name) or "_", name)
    return f"_{safe}" if RESERVED_NAME_PATTERN.match(safe) else safe


@cache
def folder_key(name: str) -> str:
    """Return a key that is equal for two names if macOS or Windows would treat them as the same folder."""
    return normalize("NFC", normalize("NFC", name).casefold())


def entries_below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield all entries of a folder at any depth, the outer entries first.

    `Path.rglob` is not used, because it fails in folders that are a thousand levels deep.
    """
    todo = [os.fspath(folder)]
    while todo:
        entries: list[os.DirEntry[str]] = []
        with suppress(OSError), os.scandir(todo.pop()) as scanned:
            entries.extend(scanned)
        todo += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        yield from entries


def files_below(folder: Path) -> Iterator[Path]:
    """Yield all files and symbolic links in a folder, at any depth."""
    return (Path(entry.path) for entry in entries_below(folder) if not entry.is_dir(follow_symlinks=False))


def regrade_marker_path(root: Path, student: str, assignment: str) -> Path:
    """Return the path of a marker file. As long as the marker file exists, nbgrader grades the submission again."""
    return root / OWN_FOLDER / f"{len(student)}-{student}-{assignment}.mark"


def write_texts(texts: Mapping[Path, str]) -> Iterator[str]:
    """Write texts to files, and yield a line that names each written file. Missing folders are created."""
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        yield f"wrote  {path}"


@contextmanager
def atomic_text_file(path: Path) -> Iterator[TextIO]:
    """Provide a text file to write. Readers of the file see either its old content or its complete new content."""
    with atomic_binary_file(path) as file, TextIOWrapper(file, encoding="utf-8", newline="") as text:
        yield text


@contextmanager
def atomic_binary_file(path: Path) -> Iterator[BinaryIO]:
    """Provide a binary file to write. Missing folders are created.

    Readers of the file see either its old content or its complete new content, even after a crash.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(DRAFT_NAME.format(sha256(path.name.encode(errors="surrogateescape")).hexdigest()[:16]))
    draft.unlink(missing_ok=True)  # a link there would lead the content to another file
    try:
        with draft.open("xb") as file:
            yield file
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def rename_folder_at(path: Path) -> None:
    """Rename a folder that has the name of a file to write, or of its temporary file.

    A student may have made such a folder.
    """
    for taken in (path, *path.parent.glob(DRAFT_NAME.format("*"))):
        if taken.is_dir() and not taken.is_symlink():
            names = (taken.with_name(f"{taken.name}.folder{number or ''}") for number in count())
            taken.rename(next(free for free in names if not os.path.lexists(free)))


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that its readers see either the old content or the complete new content."""
    with atomic_binary_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def ensure_writable(folder: Path) -> None:
    """Make a folder, and test whether files can be written in it. Raises OSError if no file can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryFile(dir=folder):  # without a name that another process could use, too
        pass


@contextmanager
def locked_output_folder(folder: Path) -> Iterator[None]:
    """Lock an output folder for the `with` block, and remove temporary files of an interrupted process."""
    with locked_path(folder):
        for draft in files_below(folder):
            if draft.match(DRAFT_NAME.format("*")):
                draft.unlink(missing_ok=True)
        yield


@contextmanager
def locked_path(path: Path) -> Iterator[None]:
    """Lock a file or folder for the `with` block. If another process has this lock, wait."""
    hold = PathLock(path)
    hold.acquire(patient=True)
    try:
        yield
    finally:
        hold.release()


class PathLock:
    """A lock on a file or folder. The lock ends when its process ends. Locking does not change the file or folder.

    The lock uses a separate file in the course folder, or in the cache if there is no course.
    """

    def __init__(self, path: Path) -> None:
        complete, root = path.parent.resolve() / path.name, course_root_of(path.parent)
        name = (complete.relative_to(root) if root else complete).as_posix()
        folder = root / OWN_FOLDER / "locks" if root else cache_folder("locks")
        self._file = folder / sha256(name.encode(errors="surrogateescape")).hexdigest()[:24]
        self._lock = FileLock(self._file, thread_local=False)  # any thread may release it

    def acquire(self, patient: bool = False) -> bool:
        """Acquire the lock, and return whether this process has it now. If `patient` is true, wait for the lock.

        If no lock file can be written, every process gets the lock. Without locks, two processes may grade the same
        file, but with the same result.
        """
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=-1 if patient else 0)
        except Timeout:
            return False
        except (OSError, NotImplementedError):
            pass
        return True

    def release(self) -> None:
        self._lock.release()
