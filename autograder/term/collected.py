"""The folder `collected/` of a course: every file that was ever collected, and a log of their origins.

Files in it are never changed or removed. The version that counts is copied into `submitted/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath

import msgspec
from toolz import groupby

from autograder.submission.find import as_notebook_text
from autograder.submission.reading import MODULE, NotebookError, read_file
from autograder.term import TermError
from autograder.term.archive import clock_time
from autograder.term.files import LOG, make_room, note_change, write_atomically
from autograder.term.lateness import STAMP_FILE, stamped
from autograder.term.locations import SUBMITTED
from autograder.term.versions import Slot, Version, read_work, versions_to_collect
from autograder.units.pack import Catalogue
from course.limits import MOST_COPIED_BYTES

COLLECTED = "collected"
UNCLEAR = ".unclear"  # no student has this id, since ids do not begin with a dot
STAMP = "%Y-%m-%d %H:%M:%S UTC"


@dataclass(frozen=True)
class Collected:
    """Everything collected in a course, in order."""

    root: Path
    catalogue: Catalogue
    versions: tuple[Version, ...] = ()

    @cached_property
    def by_slot(self) -> Mapping[Slot, list[Version]]:
        """Return the versions of each notebook of each student."""
        return groupby(lambda version: version.slot, self.versions)

    def with_new_versions(self, new: Iterable[Version]) -> Collected:
        """Return the collected versions with new ones appended, except those that add nothing new."""
        groups = groupby(lambda version: version.slot, new)
        fresh = [
            each for slot, group in groups.items() for each in versions_to_collect(self.by_slot.get(slot, []), group)
        ]
        return Collected(self.root, self.catalogue, (*self.versions, *fresh))

    def file_of(self, version: Version) -> Path:
        """Return the path of a version's file."""
        suffix = MODULE if version.path.lower().endswith(MODULE) else ".ipynb"
        folder = self.root / COLLECTED / (version.student or UNCLEAR) / version.assignment
        return folder / f"{version.notebook}-{version.sha[:12]}{suffix}"

    def content_of(self, version: Version) -> bytes:
        """Return the content of a version's file."""
        return self.file_of(version).read_bytes()

    def notebook_of(self, version: Version) -> bytes:
        """Return a version as a notebook for `submitted/`, since nbgrader reads only notebooks."""
        file, content = self.file_of(version), self.content_of(version)
        if file.suffix != MODULE:
            return content
        return as_notebook_text(PurePosixPath(version.path).name, content, self.catalogue).encode()


def read_collected(root: Path, catalogue: Catalogue) -> Collected:
    """Return what was collected in a course. Raises TermError if the log is unreadable."""
    log = root / COLLECTED / LOG
    try:
        content = log.read_bytes() if log.exists() else b""
        return Collected(root, catalogue, tuple(msgspec.json.Decoder(Version).decode_lines(content)))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TermError(f"{log} cannot be read: {error}. Restore it from a backup of the course") from None


def write_collected(collected: Collected, contents: Mapping[str, bytes]) -> None:
    """Write new files, then the log; `contents` has the new files by digest."""
    for version in collected.versions:
        file = collected.file_of(version)
        if version.sha in contents and not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, contents[version.sha])
    write_atomically(collected.root / COLLECTED / LOG, msgspec.json.Encoder().encode_lines(collected.versions))


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def left_by_hand(collected: Collected, slot: Slot) -> tuple[Version, bytes] | None:
    """Return a version for a file that somebody put into `submitted/` by hand, with its content."""
    path, content = submitted_file(collected.root, slot), _submitted_content(collected.root, slot)
    if content is None or is_collected(collected, slot):
        return None
    downloaded = clock_time(path.stat().st_mtime).isoformat()
    name = f"{SUBMITTED}/{'/'.join(slot)}.ipynb"
    worth, instant = read_work(path, content, collected.catalogue).worth, stamped(path.parent / STAMP_FILE)
    time = instant.isoformat() if instant and instant.microsecond else ""  # nbgrader's exchange writes microseconds
    return Version(*slot, digest_of(content), name, SUBMITTED, downloaded, worth, handed_in=time), content


def is_collected(collected: Collected, slot: Slot) -> bool:
    """Return whether the notebook in `submitted/` is a collected version."""
    return any(is_submitted(collected, [each]) for each in collected.by_slot.get(slot, []))


def is_submitted(collected: Collected, versions: Sequence[Version]) -> bool:
    """Return whether exactly these versions are in `submitted/`."""
    return all(_submitted_content(collected.root, each.slot) == collected.notebook_of(each) for each in versions)


def submitted_file(root: Path, slot: Slot) -> Path:
    """Return the path in `submitted/` for a slot's notebook."""
    student, assignment, notebook = slot
    return root / SUBMITTED / student / assignment / f"{notebook}.ipynb"


def _submitted_content(root: Path, slot: Slot) -> bytes | None:
    """Return the content of a slot's notebook in `submitted/`, or None if it is missing or behind a link."""
    path = submitted_file(root, slot)
    if any(each.is_symlink() for each in path.parents[:2]) or not path.exists():
        return None
    with suppress(NotebookError):
        return read_file(path, MOST_COPIED_BYTES)
    return None


def submit(collected: Collected, counting: Sequence[Version]) -> list[Version]:
    """Copy the versions that count for a student's assignment into `submitted/`. Return the changed ones.

    The later time stamp is always written first, so that a late student never counts as on time if this is interrupted.
    """
    root, folder = collected.root, submitted_file(collected.root, counting[0].slot).parent
    _make_own_folder(folder, STAMP_FILE, *(submitted_file(root, each.slot).name for each in counting))
    stamp, before = folder / STAMP_FILE, stamped(folder / STAMP_FILE)
    instant = max(filter(None, (each.instant for each in counting)), default=None)
    changed = [each for each in counting if not is_submitted(collected, [each])]
    if changed or instant != before:
        note_change(root, *counting[0].slot[:2])
    if changed and instant and (before is None or instant > before):
        _write_stamp(stamp, instant)
    for version in changed:
        write_atomically(submitted_file(root, version.slot), collected.notebook_of(version))
    if instant != before:
        _write_stamp(stamp, instant)
    return changed


def _make_own_folder(folder: Path, *files: str) -> None:
    """Make a student's folder for an assignment, with room for these files.

    Links are removed, because they may lead to another student's.
    """
    for each in (folder.parent, folder):
        if each.is_symlink():
            each.unlink()
    folder.mkdir(parents=True, exist_ok=True)
    for name in files:
        make_room(folder / name)


def _write_stamp(stamp: Path, instant: datetime | None) -> None:
    """Write a submission time. If it is unknown, remove the time stamp, so that nothing is deducted."""
    if instant is None:
        stamp.unlink(missing_ok=True)
    else:
        write_atomically(stamp, instant.strftime(STAMP) + "\n")
