"""Versions: every collected file for a student's notebook, and the rule for which one counts.

The rule depends only on the versions and the deadline. So downloads can be collected in any order and more than once.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath

import msgspec

ILLEGIBLE, EMPTY, WORKED_ON = range(3)
CHECKPOINT = "-checkpoint"
WHAT_COUNTS = "worth", "is_in_time", "downloaded", "uploaded"  # to prefer a version, the most important first

Slot = tuple[str, str, str]


class Version(msgspec.Struct, frozen=True, omit_defaults=True):
    """A collected file: the notebook that it is for, its source, the time of the download, and the submission time.

    `worth` is ILLEGIBLE, EMPTY or WORKED_ON. If `student` is empty, nobody matches yet, and `name` and `ids` are the
    platform's.
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
    def slot(self) -> Slot:
        """Return the student, assignment and notebook to which the version belongs."""
        return self.student, self.assignment, self.notebook

    @property
    def key(self) -> tuple[str, str, str]:
        """Return a key that is the same whenever the same download is collected again."""
        return self.sha, self.path, self.downloaded

    @property
    def instant(self) -> datetime | None:
        """Return the submission time, or None if it is unknown."""
        return datetime.fromisoformat(self.handed_in).astimezone(UTC) if self.handed_in else None


def by_rank(versions: Sequence[Version], until: datetime | None) -> list[Version]:
    """Return the versions of a notebook that may count, best first, with known submission times filled in.

    A known time applies to every version with the same content. A checkpoint of Jupyter counts only if it is alone.
    """
    known = {sha: time for time, sha in sorted(((each.handed_in, each.sha) for each in versions), reverse=True) if time}
    live = {each.key: each for each in sorted(versions, key=lambda each: bool(each.handed_in))}
    own = [each for each in live.values() if CHECKPOINT not in PurePosixPath(each.path).name] or live.values()
    timed = [msgspec.structs.replace(each, handed_in=each.handed_in or known.get(each.sha, "")) for each in own]
    return sorted(timed, key=lambda each: rank(each, until), reverse=True)


def rank(version: Version, until: datetime | None) -> tuple[int, bool, str, int, int, str, str, str]:
    """Return what `WHAT_COUNTS` names, and then what decides between equals: the longest path, as of `x (10)`."""
    is_late = bool(version.instant and until and version.instant > until)
    reasons = version.worth, not is_late, version.downloaded, version.order
    return *reasons, len(version.path), version.handed_in, version.sha, version.path


def reason_to_prefer(one: Version, other: Version, until: datetime | None) -> str:
    """Return the first reason to prefer one version to another, or "" if there is none."""
    ranks = zip(WHAT_COUNTS, rank(one, until), rank(other, until), strict=False)
    return next((reason for reason, mine, theirs in ranks if mine != theirs), "")


def versions_to_collect(versions: Sequence[Version], new: Sequence[Version]) -> list[Version]:
    """Return the new versions of a notebook that were not collected before, or that have another submission time."""
    times = {each.key: each.handed_in for each in versions}
    return [each for each in new if each.key not in times or each.handed_in not in ("", times[each.key])]
