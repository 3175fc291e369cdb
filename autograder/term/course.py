"""A course as a value, which a command or host reads once and passes on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import replace as with_fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from autograder.config import SETTINGS_FILE, ConfigError, is_among_submissions, settings_for
from autograder.report.model import Graded, Report
from autograder.submission.model import AssignmentPoints
from autograder.term.adjust import Adjustments, adjustments_in
from autograder.term.assignments import assignments_in
from autograder.term.files import CourseFolder, root_of
from autograder.toml import is_of_type, line_of, parse_toml, read_text
from autograder.units.pack import Catalogue

if TYPE_CHECKING:
    from autograder.term.gradebook import AllAdjustments
    from autograder.term.roster import Student
    from autograder.term.store import Store


COMMENTS_FILE = "comments.toml"
FROM = "from your teacher: "
Comments = Mapping[str, Mapping[str, str]]


def comments_in(root: Path | None) -> Comments:
    """Return a course's comments by exercise and group. Raises ConfigError if the file is invalid.

    The file has a table for each exercise, such as `[flip]`, with a line for each group: `3f0a19c2b7d4 = "Look at …"`.
    """
    if root is None or not (root / COMMENTS_FILE).is_file():
        return {}
    file = root / COMMENTS_FILE
    result = parse_toml(text := read_text(file, ConfigError), file, ConfigError)
    for name, comments in result.items():
        if not is_of_type(dict[str, str], comments):
            must_be = f'{name} must be a table: write [{name}], and below it lines such as group = "…"'
            raise ConfigError(f"{file}:{line_of(text, name)}: {must_be}")
    return result


def commented(report: Report, comments: Comments) -> Report:
    """Return a report with the comments on its answers' groups."""
    if not comments or not isinstance(report, Graded):
        return report
    data = {each.name: comments.get(each.name, {}).get(each.digest, "") for each in report.exercises if each.digest}
    exercises = (
        replace(each, remarks=(*each.remarks, FROM + text)) if (text := data.get(each.name)) else each
        for each in report.exercises
    )
    return replace(report, exercises=tuple(exercises))


@dataclass(frozen=True)
class Course(CourseFolder):
    """A course folder with the files of its teacher. Each file is read at its first use, and only once."""

    @cached_property
    def adjustments(self) -> Adjustments:
        """Return the adjustments in `adjust.toml`. Raises TermError if they are invalid."""
        return adjustments_in(self)

    @cached_property
    def all_adjustments(self) -> AllAdjustments:
        """Return the adjustments with those in nbgrader's gradebook. Raises TermError if one cannot be read."""
        from autograder.term.gradebook import with_gradebook  # here, since a notebook's kernel needs no database

        return with_gradebook(self.adjustments)

    @cached_property
    def assignments(self) -> Mapping[str, AssignmentPoints]:
        """Return the assignments, with the points of their exercises."""
        return assignments_in(self)

    @cached_property
    def roster(self) -> Mapping[str, Student]:
        """Return the students by id; empty without a roster."""
        from autograder.term.roster import ROSTER_FILE, read_roster  # here, since a notebook's kernel needs none

        path = self.root / ROSTER_FILE if self.root else None
        return read_roster(path) if path and path.is_file() else {}

    @cached_property
    def comments(self) -> Comments:
        """Return the teacher's comments on groups of equal answers. Raises ConfigError if the file is invalid."""
        return comments_in(self.root)

    def store(self, address: str | None = None, out: Path | None = None) -> Store:
        """Return the store at an address or, without one, that of the course, the output folder or the cache."""
        from autograder.term.store import open_store  # here, since a notebook's kernel needs no database

        return open_store(self, address, out)

    @property
    def as_installed(self) -> Course:
        """Return the course with the installed version of its units."""
        return with_fields(self, catalogue=self.catalogue.pinned(None))


def read_course(folder: Path, catalogue: Catalogue, graded: Iterable[Path] = ()) -> Course:
    """Return the course around a folder, or a course without a folder; `graded` are the files to grade."""
    root = root_of(folder)
    is_graded = root is not None and is_among_submissions(root / SETTINGS_FILE, graded)
    return Course(catalogue.pinned(root, is_graded), folder, root, settings_for(folder), is_graded)
