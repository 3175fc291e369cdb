"""The exam as pytest tests, one for each rule of each exercise. Called by `foldem pytest`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pytest

from autograder.config import ConfigError, Policy, folder_with_settings
from autograder.exam.model import Exam
from autograder.exam.store import exam_for
from autograder.grading.run import grade
from autograder.report.model import UNGRADED, ExerciseReport, FacetReport, Graded
from autograder.report.render import result_of
from autograder.report.words import problem_text
from autograder.sandbox.host import NoSandbox, SandboxDied
from autograder.submission.model import NO_ASSIGNMENT, AssignmentPoints, Submission
from autograder.submission.reading import ensure_no_link
from autograder.submission.sort import NotebookError, read_submission
from autograder.term import TermError
from autograder.term.assignments import assignment_of, assignment_points_in, with_points
from autograder.term.course import read_course
from autograder.term.files import locate_files
from autograder.text import shown_name
from autograder.units.pack import Catalogue

ANSWER_TEST_NAME = "the answer"
PASTE_HEADING = "The complete code, to paste into a cell:"
RIGHT_ONLY_HERE_TEXT = "right here, but the answer returns the same for other inputs, too"


@dataclass(frozen=True)
class NotebookCollector:
    """The pytest plugin that collects notebooks in the folder `around`.

    Instead of a notebook, pytest sees an empty file.
    """

    notebooks: Mapping[Path, tuple[Path, str]]
    around: Path
    policy: Policy
    catalogue: Catalogue
    released: Path | None = None
    files: list[SubmissionFile] = field(default_factory=list)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Return the collector of tests for a submission; for any other file, return None."""
        if file_path not in self.notebooks:
            return None
        notebook, name = self.notebooks[file_path]
        own = shown_name(notebook.name)
        file: SubmissionFile = SubmissionFile.from_parent(parent, path=file_path, name=own, nodeid=name)
        file.notebook, file.collecting = notebook, self
        self.files.append(file)
        return file

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the points of each graded notebook."""
        for file in self.files:
            report = vars(file).get("report")
            if isinstance(report, Graded):
                terminalreporter.write_line(f"{file.name}: {report.points:g} of {report.of:g} points")


class SubmissionFile(pytest.File):
    """A submission with tests for its exercises. The submission is graded only once, when its report is first needed.

    `path` is an empty file in an empty folder, so that pytest finds no other files to read.
    """

    notebook: Path
    collecting: NotebookCollector

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        try:
            names = self.submission.assigned if self.exam else ()
        except (NotebookError, ConfigError, TermError) as error:
            raise self.CollectError(str(error)) from None
        yield from (ExerciseTests.from_parent(self, name=name) for name in names)

    @cached_property
    def submission(self) -> Submission:
        for folder in self.notebook.parents:
            if folder == self.notebook.parent or self.collecting.around in folder.parents:
                ensure_no_link(folder)
        return read_submission(self.notebook, self.collecting.catalogue, parts=self.assignment)

    @cached_property
    def assignment(self) -> AssignmentPoints:
        """Return the points of each exercise, from the released notebook if there is one, or else from the course."""
        released, catalogue = self.collecting.released, self.collecting.catalogue
        if released:
            return assignment_points_in(released, catalogue)
        course = read_course(folder_with_settings(self.notebook), catalogue).with_installed_units
        [location] = locate_files([(self.notebook.name, self.notebook)], course.root)
        name = assignment_of(self.notebook, location.assignment, course.assignments, course.catalogue)
        return course.assignments.get(name, NO_ASSIGNMENT)

    @cached_property
    def exam(self) -> Exam:
        return exam_for(self.submission.unit, self.collecting.policy.seed)

    @cached_property
    def report(self) -> Graded | str:
        """Return the report on the submission, or a text that says why there is none."""
        try:
            report = grade(self.submission, self.collecting.policy)
            return with_points(report, self.assignment.get(report.unit, {}))
        except (NoSandbox, SandboxDied) as error:
            return str(error)


class ExerciseTests(pytest.Collector):
    """The tests of an exercise: one for each facet, or only one if the answer is missing, unwritten or unreadable."""

    def collect(self) -> Iterator[pytest.Item]:
        file = _submission_file_of(self)
        facets = file.exam.by_name[self.name].facet_names
        for name in facets if self.name in file.submission.answers else [ANSWER_TEST_NAME]:
            yield FacetTest.from_parent(self, name=name)


class FacetTest(pytest.Item):
    """A test of one facet. The test fails with the text that `check` shows.

    If the grader itself fails, the test is an error.
    """

    def setup(self) -> None:
        report = _submission_file_of(self).report
        if isinstance(report, str):
            pytest.fail(report, pytrace=False)
        if self.exercise.state == UNGRADED:
            pytest.fail(f"could not be graded: {problem_text(self.exercise)}", pytrace=False)

    def runtest(self) -> None:
        facet, exercise = self.facet, self.exercise
        if facet is None and self is next(item for item in self.session.items if item.parent is self.parent):
            pytest.fail(result_of(exercise).text(), pytrace=False)  # the exercise's first test shows the details
        if facet is None:
            raise pytest.skip.Exception(problem_text(exercise), _use_item_location=True)
        if facet.passed:
            return
        text = RIGHT_ONLY_HERE_TEXT
        if facet.failure:  # below what `check` shows, the code of the call, if it does not fit into 80 columns
            text, code = result_of(exercise).text_of(facet.shown_name), facet.failure.source
            if not all(line in text for line in code.splitlines()):
                text = f"{text}\n\n{PASTE_HEADING}\n\n{code}\n"
        pytest.fail(text, pytrace=False)

    @property
    def exercise(self) -> ExerciseReport:
        report = _submission_file_of(self).report
        assert not isinstance(report, str) and self.parent is not None
        return report[self.parent.name]

    @property
    def facet(self) -> FacetReport | None:
        """Return the report on the facet, or None if the exercise could not be run."""
        return next((facet for facet in self.exercise.facets if facet.name == self.name), None)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the test's file, line and title, which pytest shows above a failure.

        The title is not the test's node id, because pytest would replace the dots in a node id.
        """
        return self.path, 0, self.nodeid.replace("::", ": ")


def _submission_file_of(node: pytest.Item | pytest.Collector) -> SubmissionFile:
    file = node.getparent(SubmissionFile)
    assert file is not None
    return file
