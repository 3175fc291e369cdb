"""Versions: every collected file for a student's notebook, and the rule for which one counts.

The rule depends only on the versions and the deadline. So downloads can be collected in any order and more than once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec
from toolz import groupby

ILLEGIBLE, EMPTY, WORKED_ON = range(3)
CHECKPOINT = "-checkpoint"
COPY_SUFFIX = re.compile(r"(?:[ _]?\((\d{1,9})\)|-(\d{1,9}))$")

Slot = tuple[str, str, str]


class Version(msgspec.Struct, frozen=True, omit_defaults=True):
    """A collected file: the notebook that it is for, its source, the time of the download, and the hand-in time.

    `worth` is ILLEGIBLE, EMPTY or WORKED_ON. If `replaces` is true, the teacher prefers it to all earlier files. If the
    student is unclear, `student` is empty, and `name` and `ids` are the platform's.
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
    replaces: bool = False
    name: str = ""
    ids: tuple[str, ...] = ()

    @property
    def slot(self) -> Slot:
        """Return the student, assignment and notebook to which the version belongs."""
        return self.student, self.assignment, self.notebook

    @property
    def key(self) -> tuple[str, str, str]:
        """Return a key that is the same whenever the same download is collected again."""
        return self.sha, self.path, self.downloaded

    @property
    def folder(self) -> str:
        """Return the folder of the file."""
        return self.path.rpartition("/")[0]

    @property
    def base(self) -> str:
        """Return the file's name without its suffix and copy number."""
        return COPY_SUFFIX.sub("", PurePosixPath(self.path).stem)

    @property
    def copy(self) -> int:
        """Return the copy number: 2 for `x (2).ipynb` and `x-2.ipynb`, else 0."""
        match = COPY_SUFFIX.search(PurePosixPath(self.path).stem)
        return int(match[1] or match[2]) if match else 0

    @property
    def instant(self) -> datetime | None:
        """Return the hand-in time, or None if it is unknown."""
        return datetime.fromisoformat(self.handed_in).astimezone(UTC) if self.handed_in else None

    def is_late(self, until: datetime | None) -> bool:
        """Return whether the file is known to be after the deadline."""
        return bool(self.instant and until and self.instant > until)


class Rank(NamedTuple):
    """The reasons to prefer one version to another, the most important first. The first difference decides."""

    worth: int
    is_in_time: bool
    downloaded: str
    uploaded: int
    has_given_name: bool
    copy: int
    depth: int
    handed_in: str
    sha: str


def by_rank(versions: Sequence[Version], until: datetime | None) -> list[Version]:
    """Return the versions of a notebook that may count, best first."""
    live = live_versions(versions)
    uploads = _last_uploads(live)
    return sorted(live, key=lambda version: rank(version, uploads, until), reverse=True)


def reason_to_prefer(one: Version, other: Version, live: Sequence[Version], until: datetime | None) -> str:
    """Return the first reason to prefer one version to another, or "" if there is none."""
    uploads = _last_uploads(live)
    ranks = rank(one, uploads, until), rank(other, uploads, until)
    first = next((name for name, *values in zip(Rank._fields, *ranks, strict=True) if values[0] != values[1]), "")
    return "" if first in ("depth", "handed_in", "sha") else first


def _last_uploads(live: Sequence[Version]) -> Mapping[tuple[str, str, str], int]:
    """Return the position of the last upload of each file and its copies, by download and name."""
    alike = groupby(lambda each: (each.downloaded, each.folder, each.base), live)
    return {key: max(each.order for each in group) for key, group in alike.items()}


def rank(version: Version, uploads: Mapping[tuple[str, str, str], int], until: datetime | None) -> Rank:
    """Return the reasons to prefer a version. A file and its copies all have the last one's upload position."""
    return Rank(
        version.worth,
        not version.is_late(until),
        version.downloaded,
        uploads[version.downloaded, version.folder, version.base],
        f"_{version.base}".endswith(f"_{version.notebook}"),
        version.copy,
        -version.path.count("/"),
        version.handed_in,
        version.sha,
    )


def live_versions(versions: Sequence[Version]) -> list[Version]:
    """Return the versions that may count, in order of collection, with known hand-in times filled in.

    A known time applies to every version with the same content. A checkpoint of Jupyter counts only if it is alone.
    """
    last = next((each for each in reversed(versions) if each.replaces), None)
    batch = [each for each in versions if last and each.replaces and each.downloaded == last.downloaded]
    first = versions.index(batch[0]) if batch else 0
    replaced = {each.key for each in versions[:first]} - {each.key for each in batch}
    live, known = dict[tuple[str, str, str], Version](), dict[str, str]()
    for each in sorted(versions[first:], key=lambda each: each.handed_in, reverse=True):
        known |= {each.sha: each.handed_in} if each.handed_in else {}
    for each in (each for each in versions[first:] if each.key not in replaced):
        live[each.key] = live[each.key] if each.key in live and not each.handed_in else each
    own = [each for each in live.values() if not each.base.endswith(CHECKPOINT)] or live.values()
    return [msgspec.structs.replace(each, handed_in=each.handed_in or known.get(each.sha, "")) for each in own]


def versions_to_collect(versions: Sequence[Version], new: Sequence[Version]) -> list[Version]:
    """Return the new versions of a notebook that were not collected before, or that have another hand-in time."""
    if new and new[0].replaces:
        is_last = [each.key for each in versions[-len(new) :] if each.replaces] == [each.key for each in new]
        return [] if is_last else [*new]
    times = {each.key: each.handed_in for each in versions}
    return [each for each in new if each.key not in times or each.handed_in not in ("", times[each.key])]
