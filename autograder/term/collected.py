"""The versions of submissions: what a collected file is, which version counts, and the folder `collected/`.

The folder has every file that was ever collected, and a log of where each file came from. Its files are never changed
or removed. Which version counts depends only on the versions and the deadline, so downloads can be collected in any
order, and more than once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePath, PurePosixPath

import msgspec
from toolz import groupby

from autograder.submission.reading import (
    CHECK,
    NO_NOTEBOOK,
    NOTEBOOK_SUFFIXES,
    PYTHON_FILE_MESSAGE,
    PYTHON_SUFFIX,
    NotebookError,
    digest_of_content,
    grade_id,
    notebook_in,
    read_file,
)
from autograder.submission.sort import has_answers, imports_unit, unit_submitted_to
from autograder.term import TermError
from autograder.term.archive import local_time
from autograder.term.assignments import STAMP_FILE, stamped_time
from autograder.term.files import LOG_FILE, SUBMITTED_FOLDER, regrade_marker_path, rename_folder_at, write_atomically
from autograder.units.pack import Catalogue
from autograder.units.unit import UnitError
from course.limits import MOST_COPIED_BYTES

COLLECTED_FOLDER = "collected"
UNMATCHED_FOLDER = ".unclear"  # no student has this id, since ids do not begin with a dot
STAMP_FORMAT = "%Y-%m-%d %H:%M:%S UTC"
ILLEGIBLE, EMPTY, WORKED_ON = range(3)
CHECKPOINT_SUFFIX = "-checkpoint"

SubmissionKey = tuple[str, str, str]


class Version(msgspec.Struct, frozen=True, omit_defaults=True):
    """A collected file: whose notebook it is, where it is from, and the times of the download and of the submission.

    `worth` says whether the file is unreadable (ILLEGIBLE), has no answers (EMPTY), or has answers (WORKED_ON). If
    `student` is empty, the file was not matched to a student yet, and `name` and `ids` are those that the platform
    shows.
    """

    student: str
    assignment: str
    notebook: str
    sha: str
    path: str
    source: str
    downloaded: str
    worth: int
    order: int = 0
    handed_in: str = ""
    platform: str = ""
    number: str = ""
    name: str = ""
    ids: tuple[str, ...] = ()

    @property
    def submission_key(self) -> SubmissionKey:
        """Return the student, the assignment and the notebook to which the version belongs."""
        return self.student, self.assignment, self.notebook

    @property
    def key(self) -> tuple[str, str, str]:
        """Return a key for the version. The key is the same if the same download is collected again."""
        return self.sha, self.path, self.downloaded

    @property
    def submission_time(self) -> datetime | None:
        """Return the submission time, or None if it is unknown."""
        return datetime.fromisoformat(self.handed_in).astimezone(UTC) if self.handed_in else None


def ranked_versions(versions: Sequence[Version], until: datetime | None) -> list[Version]:
    """Return the versions of a notebook that may count, beginning with the best version.

    A known submission time also applies to all versions with the same content. A checkpoint of Jupyter counts only if
    there is no other version.
    """
    known = {sha: time for time, sha in sorted(((each.handed_in, each.sha) for each in versions), reverse=True) if time}
    live = {each.key: each for each in sorted(versions, key=lambda each: bool(each.handed_in))}
    own = [each for each in live.values() if CHECKPOINT_SUFFIX not in PurePosixPath(each.path).name] or live.values()
    timed = [msgspec.structs.replace(each, handed_in=each.handed_in or known.get(each.sha, "")) for each in own]
    return sorted(timed, key=lambda each: rank_key(each, until), reverse=True)


def rank_key(version: Version, until: datetime | None) -> tuple[int, bool, str, int, int, str, str, str]:
    """Return a key for comparing versions. The version with the largest key counts.

    The key's criteria are, in this order: readable and with answers, in time, newest download, last upload, longest
    path.
    """
    is_late = bool(version.submission_time and until and version.submission_time > until)
    reasons = version.worth, not is_late, version.downloaded, version.order
    return *reasons, len(version.path), version.handed_in, version.sha, version.path


def versions_to_collect(versions: Sequence[Version], new: Sequence[Version]) -> list[Version]:
    """Return those `new` versions of a notebook that were not collected before, or have a new submission time."""
    times = {each.key: each.handed_in for each in versions}
    return [each for each in new if each.key not in times or each.handed_in not in ("", times[each.key])]


# ------------------------------------------------------------------------------------------------ content

AssignmentPart = tuple[str, str]  # an assignment, and the stem of one of its notebooks


@dataclass(frozen=True)
class SubmittedWork:
    """The content of a submitted file: its unit, its notebook's name, the exercises that have cells, and its `worth`.

    `worth` has the same meaning as in `Version`. If the file cannot be read, the unit is "". If an unreadable file has
    the name of a notebook, `problem` says why the file cannot be read.
    """

    unit: str = ""
    stem: str = ""
    exercises: frozenset[str] = frozenset()
    worth: int = ILLEGIBLE
    problem: str = ""


def read_work(name: PurePath, content: bytes, catalogue: Catalogue) -> SubmittedWork:
    """Read a submitted file and return its `SubmittedWork`."""
    suffix = name.suffix.lower()
    if suffix == PYTHON_SUFFIX and imports_unit(content, catalogue):
        return SubmittedWork(problem=PYTHON_FILE_MESSAGE)
    if suffix not in NOTEBOOK_SUFFIXES:
        return SubmittedWork()
    try:
        notebook = notebook_in(Path(name.name), content)
        unit = unit_submitted_to(notebook, catalogue)
        worth = WORKED_ON if has_answers(notebook, unit) else EMPTY
    except (NotebookError, UnitError, RecursionError, AttributeError, TypeError, ValueError) as error:
        problem = str(error) if isinstance(error, NotebookError) else NO_NOTEBOOK
        return SubmittedWork(problem=problem if suffix == ".ipynb" else "")
    names = (grade_id(cell).removesuffix(CHECK) for cell in notebook.cells)
    own = frozenset(name for name in names if name in unit.by_name)
    return SubmittedWork(unit.name, unit.stem, own, worth)


def possible_parts(work: SubmittedWork, parts: Mapping[AssignmentPart, SubmittedWork]) -> list[AssignmentPart]:
    """Return the assignments, each with the name of a notebook, to which a file may belong.

    The possible assignments have the same unit as the file, and the exercises that are most similar to the exercises in
    the file. An unreadable file may belong to any assignment.
    """
    if not work.unit:
        return [*parts]
    same = [part for part in parts if part[1] == work.stem]
    likeness = {}
    for part in same:
        one, other = work.exercises, parts[part].exercises
        likeness[part] = len(one & other) / len(one | other) if one | other else 0.0
    return [part for part in same if likeness[part] == max(likeness.values())]


# ------------------------------------------------------------------------------------------------ folders


@dataclass(frozen=True)
class CollectedVersions:
    """All versions that were collected in a course, in order."""

    root: Path
    catalogue: Catalogue
    versions: tuple[Version, ...] = ()

    @cached_property
    def versions_by_submission(self) -> Mapping[SubmissionKey, list[Version]]:
        """Map each triple of student, assignment and notebook to the versions of the notebook."""
        return groupby(lambda version: version.submission_key, self.versions)

    def with_new_versions(self, new: Iterable[Version]) -> CollectedVersions:
        """Return this collection with new versions added at the end.

        Versions that were collected before are left out.
        """
        groups = groupby(lambda version: version.submission_key, new)
        fresh = [
            each
            for key, group in groups.items()
            for each in versions_to_collect(self.versions_by_submission.get(key, []), group)
        ]
        return CollectedVersions(self.root, self.catalogue, (*self.versions, *fresh))

    def file_of(self, version: Version) -> Path:
        """Return the path of a version's file."""
        folder = self.root / COLLECTED_FOLDER / (version.student or UNMATCHED_FOLDER) / version.assignment
        return folder / f"{version.notebook}-{version.sha[:12]}.ipynb"


def read_collected(root: Path, catalogue: Catalogue) -> CollectedVersions:
    """Return all versions that were collected in a course.

    Raises TermError if the log of these versions cannot be read.
    """
    log = root / COLLECTED_FOLDER / LOG_FILE
    try:
        content = log.read_bytes() if log.exists() else b""
        return CollectedVersions(root, catalogue, tuple(msgspec.json.Decoder(Version).decode_lines(content)))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TermError(f"{log} cannot be read: {error}. Restore this file from a backup of the course") from None


def write_collected(collected: CollectedVersions, contents: Mapping[str, bytes]) -> None:
    """Write the new files, and then the log. `contents` maps the digest of each new file to its bytes."""
    for version in collected.versions:
        file = collected.file_of(version)
        if version.sha in contents and not file.exists():
            write_atomically(file, contents[version.sha])
    write_atomically(
        collected.root / COLLECTED_FOLDER / LOG_FILE, msgspec.json.Encoder().encode_lines(collected.versions)
    )


def version_put_by_hand(collected: CollectedVersions, key: SubmissionKey) -> tuple[Version, bytes] | None:
    """Return a version and its content for a file that somebody put into `submitted/` by hand.

    Return None if the file in `submitted/` is missing, or was collected.
    """
    path, content = submitted_path(collected.root, key), _submitted_content(collected.root, key)
    if content is None or is_collected(collected, key):
        return None
    downloaded = local_time(path.stat().st_mtime).isoformat()
    name = f"{SUBMITTED_FOLDER}/{'/'.join(key)}.ipynb"
    worth, instant = read_work(path, content, collected.catalogue).worth, stamped_time(path.parent / STAMP_FILE)
    time = instant.isoformat() if instant and instant.microsecond else ""  # nbgrader's exchange writes microseconds
    return Version(*key, digest_of_content(content), name, SUBMITTED_FOLDER, downloaded, worth, handed_in=time), content


def is_collected(collected: CollectedVersions, key: SubmissionKey) -> bool:
    """Return whether the notebook in `submitted/` is one of the collected versions."""
    return any(are_in_submitted_folder(collected, [each]) for each in collected.versions_by_submission.get(key, []))


def are_in_submitted_folder(collected: CollectedVersions, versions: Sequence[Version]) -> bool:
    """Return whether `submitted/` contains all of these versions."""
    return all(
        _submitted_content(collected.root, each.submission_key) == collected.file_of(each).read_bytes()
        for each in versions
    )


def submitted_path(root: Path, key: SubmissionKey) -> Path:
    """Return the path in `submitted/` for a notebook of a student."""
    student, assignment, notebook = key
    return root / SUBMITTED_FOLDER / student / assignment / f"{notebook}.ipynb"


def _submitted_content(root: Path, key: SubmissionKey) -> bytes | None:
    """Return the content of a notebook in `submitted/`; None if it is missing, or behind a symbolic link."""
    path = submitted_path(root, key)
    if any(each.is_symlink() for each in path.parents[:2]) or not path.exists():
        return None
    with suppress(NotebookError):
        return read_file(path, MOST_COPIED_BYTES)
    return None


def submit_versions(collected: CollectedVersions, counting: Sequence[Version]) -> list[Version]:
    """Copy the versions that count for a student's assignment into `submitted/`.

    Return the versions that were not in `submitted/` before. Files are written in such an order that a late student
    never counts as on time, even after an interruption.
    """
    root, (student, assignment, _) = collected.root, counting[0].submission_key
    folder = root / SUBMITTED_FOLDER / student / assignment
    for each in (folder.parent, folder):
        if each.is_symlink():  # it may lead to another student's
            each.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / STAMP_FILE
    for path in (stamp, *(submitted_path(root, each.submission_key) for each in counting)):
        rename_folder_at(path)
    instant, before = max(filter(None, (each.submission_time for each in counting)), default=None), stamped_time(stamp)
    changed = [each for each in counting if not are_in_submitted_folder(collected, [each])]
    if (changed or instant != before) and (root / "autograded" / student / assignment).is_dir():
        mark = regrade_marker_path(root, student, assignment)  # nbgrader itself compares only time stamps
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    if changed and instant and (before is None or instant > before):
        _write_stamp(stamp, instant)
    for version in changed:
        write_atomically(submitted_path(root, version.submission_key), collected.file_of(version).read_bytes())
    if instant != before:
        _write_stamp(stamp, instant)
    return changed


def _write_stamp(stamp: Path, instant: datetime | None) -> None:
    """Write a submission time. If the time is unknown, remove the time stamp, so that nothing is deducted."""
    if instant is None:
        stamp.unlink(missing_ok=True)
    else:
        write_atomically(stamp, instant.strftime(STAMP_FORMAT) + "\n")
