"""Versions: every collected file for a student's notebook, and the rule for which one counts.

The rule depends only on the versions and the deadline. So downloads can be collected in any order and more than once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath, PurePosixPath

import msgspec

from autograder.submission.reading import CHECK, MODULE, NO_NOTEBOOK, NotebookError, grade_id, notebook_in
from autograder.submission.sort import belongs_to_unit, has_answers, unit_submitted_to
from autograder.units.pack import Catalogue
from autograder.units.unit import UnitError

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


AssignmentPart = tuple[str, str]  # an assignment, and the stem of one of its notebooks
# Browsers save notebooks as .txt, too.
READ_AS = {MODULE: MODULE} | dict.fromkeys((".ipynb", ".json", ".txt"), ".ipynb")


@dataclass(frozen=True)
class Work:
    """The content of a file.

    It has the unit ("" if unreadable), the stem of the notebook, the exercises with cells, and its worth.
    `problem` says why a file that is named like a notebook is unreadable.
    """

    unit: str = ""
    stem: str = ""
    exercises: frozenset[str] = frozenset()
    worth: int = ILLEGIBLE
    problem: str = ""


def read_work(name: PurePath, content: bytes, catalogue: Catalogue) -> Work:
    """Return the content of a file."""
    suffix = READ_AS.get(name.suffix.lower())
    if not suffix:
        return Work()
    try:
        if suffix == MODULE and not belongs_to_unit(name, content.decode("utf-8-sig"), catalogue):
            return Work()
        notebook = notebook_in(Path(name.name).with_suffix(suffix), content)
        unit = unit_submitted_to(notebook, catalogue)
        worth = WORKED_ON if has_answers(notebook, unit) else EMPTY
    except (NotebookError, UnitError, RecursionError, AttributeError, TypeError, ValueError) as error:
        problem = str(error) if isinstance(error, NotebookError) else NO_NOTEBOOK
        return Work(problem=problem if name.suffix.lower() in (MODULE, ".ipynb") else "")
    names = (grade_id(cell).removesuffix(CHECK) for cell in notebook.cells)
    own = frozenset(name for name in names if name in unit.by_name)
    return Work(unit.name, unit.stem, own, worth)


def course_parts(root: Path, catalogue: Catalogue) -> dict[AssignmentPart, Work]:
    """Return the assignments of a course with their notebooks and contents."""
    paths = sorted((root / "source").glob("*/*.ipynb"))
    return {(path.parent.name, path.stem): read_work(path, path.read_bytes(), catalogue) for path in paths}


def possible_parts(work: Work, parts: Mapping[AssignmentPart, Work]) -> list[AssignmentPart]:
    """Return the assignments to which a notebook may belong.

    These assignments have the same unit and, if possible, exactly the exercises of the notebook. An unreadable file may
    belong to any assignment.
    """
    if not work.unit:
        return [*parts]
    same = [part for part in parts if part[1] == work.stem]
    likeness = {part: _likeness(work.exercises, parts[part].exercises) for part in same}
    return [part for part in same if likeness[part] == max(likeness.values())]


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
