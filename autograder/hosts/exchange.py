"""The folders of nbgrader: collecting submissions, renaming notebooks, and cleaning up after interrupted grading.

Students control their files: a file can change at any time, be a symbolic link, or name another student.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from glob import escape, glob
from itertools import islice
from pathlib import Path
from stat import S_ISDIR
from tempfile import TemporaryDirectory

from nbgrader.exchange.default import ExchangeCollect, ExchangeReleaseFeedback
from nbgrader.plugins import ExtractorPlugin

from autograder.config import with_course_packs
from autograder.grading.batch import unit_of_file
from autograder.submission.reading import NotebookError, read_file
from autograder.term.files import OWN_FOLDER, PathLock, files_below, path_text, regrade_marker_path
from autograder.text import shown_name
from autograder.units.pack import Catalogue, catalogue_here
from course.limits import MOST_FILES, MOST_FOLDER_LEVELS

UNESCAPED_CHARACTERS = frozenset("<>\"'`")  # nbgrader's pages show a student's id as it is
REJECTED_RECORD: dict[str, object] = {"username": None, "timestamp": datetime.min}


class RefuseZipCollect(ExtractorPlugin):  # type: ignore[misc]
    """Refuses `nbgrader zip_collect`.

    `nbgrader zip_collect` trusts the student's name in a file's name, which any student can choose.
    """

    def __init__(self, **_: object) -> None:
        raise SystemExit("foldem: `nbgrader zip_collect` is not used in Foldem's courses: run `foldem collect` instead")


class Collect(ExchangeCollect):  # type: ignore[misc]
    """Collects submissions as nbgrader does, but never follows symbolic links or accepts another account's files.

    A submission that cannot be collected is left out, and a message names it. In nbgrader itself, a submission that
    cannot be collected ends the command, so all later submissions are not collected.
    """

    src_records: list[dict[str, object]]

    def init_src(self) -> None:
        super().init_src()
        self.src_records = [record for record in self.src_records if record is not REJECTED_RECORD]

    def _path_to_record(self, path: str) -> dict[str, object]:
        try:
            record = super()._path_to_record(path)
            problem = self._problem(Path(path), record["username"])
        except Exception as error:  # dateutil raises many kinds
            problem = str(error)
        if problem:
            self.log.warning("%s is not collected: %s", shown_name(path), shown_name(problem))
            return REJECTED_RECORD
        return dict(record)

    def _problem(self, folder: Path, student: str) -> str:
        """Return why a folder is not a submission of this student, or an empty text."""
        if student in ("", ".", "..") or not student.isprintable() or UNESCAPED_CHARACTERS.intersection(student):
            return "no student has this name"
        about = folder.lstat()  # once, as somebody may put a link here at any time
        if not S_ISDIR(about.st_mode):
            return "not a folder"
        if self.check_owner:
            from pwd import getpwuid  # not on Windows

            owner = "an account without a name"
            with suppress(KeyError):
                owner = getpwuid(about.st_uid).pw_name
            if student != owner:
                skip = "If all students share an account, set c.ExchangeCollect.check_owner = False"
                return f"it belongs to {owner}, not to {student}. {skip}"
        return ""

    def copy_files(self) -> None:
        self.check_owner = False  # by nbgrader, which only prints a warning, and fails if a folder is gone
        super().copy_files()

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy a submission's own files, through a temporary folder that no student can change.

        If the copying is interrupted, none of the files is collected. If only some files were collected, nbgrader would
        treat them as the full submission, and never collect the rest.
        """
        own = Path(self.coursedir.root, OWN_FOLDER)
        own.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=own) as private:
            copy, ready = Path(private, "copy"), Path(private, "ready")
            copy.mkdir()
            for path, content in self._files_to_collect(Path(src)):
                (copy / path).parent.mkdir(parents=True, exist_ok=True)
                (copy / path).write_bytes(content)
            super().do_copy(str(copy), str(ready))
            shutil.move(ready, dest)

    def _files_to_collect(self, folder: Path) -> Iterator[tuple[Path, bytes]]:
        """Yield the files of a submission until a limit is reached. Notebooks directly in its folder come first."""
        room = 1000 * self.coursedir.max_dir_size
        files = [*islice(files_below(folder), MOST_FILES + 1)]
        files.sort(key=lambda file: (len(file.parts), file.suffix != ".ipynb", str(file)))
        for number, file in enumerate(files):
            path = Path(path_text(file.relative_to(folder)))  # nbgrader's gradebook has no place for other bytes
            try:
                if number >= MOST_FILES or len(path.parts) > MOST_FOLDER_LEVELS:
                    raise NotebookError("there are too many files")
                content = read_file(file, room)
            except (NotebookError, OSError) as error:
                self.log.warning("%s is not collected: %s", shown_name(str(file)), error)
            else:
                room -= len(content)
                yield path, content


class ReleaseFeedback(ExchangeReleaseFeedback):  # type: ignore[misc]
    """Releases feedback as nbgrader does, but skips submissions for which the release fails, and prints a warning."""

    src_path: str

    def copy_files(self) -> None:
        for folder in sorted(glob(self.src_path)):
            self.src_path = escape(folder)
            try:
                super().copy_files()
            except (OSError, UnicodeDecodeError) as error:
                self.log.warning("%s is not released: %s", shown_name(folder), error)


# ------------------------------------------------------------------------------------------------ grading

FEEDBACK_FOLDER = "feedback"
_grading_locks: dict[tuple[str, str], PathLock] = {}


def begin_grading(assignment: str, student: str, notebooks: list[str]) -> None:
    """Mark a student's submission as being graded, and rename its notebooks as nbgrader expects.

    nbgrader calls this function in the course folder. This function changes the list `notebooks`, because nbgrader
    grades the files in this list.
    """
    catalogue = with_course_packs(catalogue_here(), Path.cwd())
    folder = Path(notebooks[0]).parent
    slot = folder.parent.name, folder.name
    mark = regrade_marker_path(Path(), *slot)
    _grading_locks[slot] = PathLock(mark)
    _grading_locks[slot].acquire(patient=True)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    shutil.rmtree(Path(FEEDBACK_FOLDER, *slot), ignore_errors=True)  # its pages are about an earlier file or mark
    wanted = [path.stem for path in Path("source", folder.name).glob("*.ipynb")]
    notebooks[:] = sorted(str(path) for path in rename_notebooks([Path(name) for name in notebooks], wanted, catalogue))


def end_grading(assignment: str, student: str, notebooks: list[str]) -> None:
    """Remove the marker that shows that a student's submission is being graded."""
    folder = Path(notebooks[0]).parent
    slot = folder.parent.name, folder.name
    regrade_marker_path(Path(), *slot).unlink(missing_ok=True)
    with suppress(KeyError):
        _grading_locks.pop(slot).release()


def drop_unfinished_output(root: Path) -> list[Path]:
    """Remove the output of an interrupted `nbgrader autograde`, and return the folders that were removed.

    If this output stayed, nbgrader would not grade the submissions again.
    """
    dropped = []
    for folder in root.glob("autograded/*/*"):
        hold = PathLock(mark := regrade_marker_path(root, *folder.parts[-2:]))
        try:
            if mark.exists() and hold.acquire() and mark.exists():  # otherwise, another process is grading it
                shutil.rmtree(folder)
                mark.unlink()
                dropped.append(folder)
        finally:
            hold.release()
    return dropped


def rename_notebooks(notebooks: list[Path], wanted: list[str], catalogue: Catalogue) -> list[Path]:
    """Return all notebooks, after renaming those that have an unexpected name but the content of a missing notebook.

    If there is only one file, and it is unreadable, it also gets the expected name, so that its problem is reported.
    """
    there = {path.stem for path in notebooks}
    strange = [path for path in notebooks if path.stem not in wanted and not path.is_symlink()]
    for stem in (stem for stem in wanted if stem not in there):
        fitting = [path for path in strange if (unit := unit_of_file(path, catalogue)) and unit.stem == stem]
        if (
            not fitting
            and len(wanted) == len(notebooks) == 1
            and strange
            and unit_of_file(strange[0], catalogue) is None
        ):
            fitting = strange
        if len(fitting) == 1:
            now = fitting[0].with_name(f"{stem}.ipynb")
            fitting[0].rename(now)
            notebooks = [now if path == fitting[0] else path for path in notebooks]
    return notebooks
