"""`pytest --submission my.ipynb`: the exam as tests, one for each exercise and facet, graded as `foldem grade` does.

Nothing of the autograder is imported, and no hook but two is called, where the option is not given.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from autograder.config import Policy
    from autograder.exam.model import Exam
    from autograder.report.model import ExerciseReport, FacetReport, Graded
    from autograder.submission.model import Submission

ANSWER = "the answer"
RIGHT_BUT = "right, but the answer gives the same for what is asked for contrast"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("foldem", "grading notebooks")
    add = group.addoption
    add("--submission", action="append", metavar="NOTEBOOK", help="Grade a Foldem notebook (may be repeated).")
    add("--submission-pack", action="append", metavar="PACK", help="Know the units of a pack (may be repeated).")
    add("--submission-sandbox", metavar="LEVEL", help="auto, bubblewrap, landlock, or off (confines nothing).")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Iterator[None]:
    """Read no `conftest.py` where submissions are graded: it may be a student's, and so may be settings beside them.

    These are refused before more of what they say is done: `--debug` has pytest write a file, wherever they say.
    """
    if paths := _given(early_config):
        early_config.known_args_namespace.noconftest = True
        _demand_none_beside(early_config.inipath, paths)
    return (yield)


def _demand_none_beside(settings: Path | None, paths: list[Path]) -> None:
    if settings and any(path.parent == settings.parent.resolve() for path in paths):
        raise pytest.UsageError(f"{settings} lies beside a submission, and is not to be read: use -c {os.devnull}")


def _given(config: pytest.Config) -> list[Path]:
    """Give where the submissions are; a link is not followed, since what it leads to is not what was given."""
    given = getattr(config.known_args_namespace, "submission", None) or ()
    return [Path(os.path.abspath(Path(config.invocation_params.dir, path))) for path in given]


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Have the submissions collected: alone, unless other paths are named too."""
    paths = _given(config)
    if not paths:
        return
    _know_packs(config, paths)
    places = _set_apart(config, paths)
    named = config.args if config.args_source is config.ArgsSource.ARGS else []
    args = [_apart(arg, config, places) for arg in named]
    asked = {arg.partition("::")[0] for arg in args}
    config.args = [*args, *(str(place) for place in places.values() if str(place) not in asked)]
    config.pluginmanager.register(Collecting({place: path for path, place in places.items()}), "foldem-submissions")


def _set_apart(config: pytest.Config, paths: list[Path]) -> dict[Path, Path]:
    """Give for each submission an empty place of its own, in a folder of ours: nothing else lies beside or above it."""
    folder = Path(tempfile.mkdtemp(prefix="foldem-")).resolve()
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    config.pluginmanager._confcutdir = folder
    places = {path: Path(folder, str(number), path.name) for number, path in enumerate(dict.fromkeys(paths))}
    for path, place in places.items():
        if not os.path.lexists(path):
            raise pytest.UsageError(f"file or directory not found: {path}")
        place.parent.mkdir()
        place.touch()
    return places


def _apart(arg: str, config: pytest.Config, places: dict[Path, Path]) -> str:
    """Give an argument as it is, or with a submission's own place in it."""
    path, colons, rest = arg.partition("::")
    place = places.get(Path(os.path.abspath(Path(config.invocation_params.dir, path))))
    return f"{place}{colons}{rest}" if place else arg


def _know_packs(config: pytest.Config, paths: list[Path]) -> None:
    """Make packs known: those that are named, and those of the course where pytest was begun."""
    from autograder.config import ConfigError, use_course_packs
    from autograder.units.pack import UnitError, use_packs

    here = config.invocation_params.dir
    try:
        use_packs(Path(here, pack) for pack in config.getoption("submission_pack") or ())
        use_course_packs(here, but=[path.parent for path in paths])
    except (ConfigError, UnitError) as error:
        raise pytest.UsageError(str(error)) from None


class Collecting:
    """Collects the submissions, each in its place."""

    def __init__(self, submissions: dict[Path, Path]) -> None:
        self.submissions = submissions

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Give the collector of a submission, None for any other file."""
        path = self.submissions.get(file_path)
        if path is None:
            return None
        shown = os.path.relpath(path, parent.config.rootpath)
        file: SubmissionFile = SubmissionFile.from_parent(parent, path=file_path, name=path.name, nodeid=shown)
        file.given = path
        return file


class SubmissionFile(pytest.File):
    """A submission: its exercises, and the report on it, which is made once and when first asked for.

    `given` is where it is; its `path` is an empty place, for which pytest looks for nothing else.
    """

    given: Path

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        from autograder.config import ConfigError
        from autograder.submission.sort import NotebookError

        try:
            names = self.submission.assigned if self.exam else ()
        except (NotebookError, ConfigError) as error:
            yield Ungraded.from_parent(self, name="the notebook", reason=str(error))
        else:
            yield from (ExerciseTests.from_parent(self, name=name) for name in names)

    @cached_property
    def submission(self) -> Submission:
        from autograder.submission.notebook import demand_no_link
        from autograder.submission.sort import read_submission

        demand_no_link(self.given.parent)
        return read_submission(self.given)

    @cached_property
    def policy(self) -> Policy:
        from autograder.config import above, policy_for

        policy = policy_for(above(self.given))
        return replace(policy, sandbox=self.config.getoption("submission_sandbox") or policy.sandbox)

    @cached_property
    def exam(self) -> Exam:
        from autograder.exam.store import exam_for

        return exam_for(self.submission.unit.name, self.policy.seed)

    @cached_property
    def report(self) -> Graded | str:
        """The report, or why there is none."""
        from autograder.grading.run import grade
        from autograder.sandbox.host import NoSandbox, SandboxDied

        try:
            return grade(self.submission, self.policy)
        except (NoSandbox, SandboxDied) as error:
            return str(error)


class Ungraded(pytest.Item):
    """Stands for a file that cannot be graded: an error, which stops no other submission."""

    def __init__(self, *, reason: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.reason = reason

    def setup(self) -> None:
        pytest.fail(self.reason, pytrace=False)

    def runtest(self) -> None:
        """Never run: its setup fails."""

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.nodeid


class ExerciseTests(pytest.Collector):
    """An exercise: its facets, or a single test where its answer is missing, unwritten or does not parse."""

    def collect(self) -> Iterator[pytest.Item]:
        file = _file_of(self)
        facets = file.exam.papers[self.name].facet_names
        for name in facets if self.name in file.submission.answers else [ANSWER]:
            yield FacetTest.from_parent(self, name=name)


class FacetTest(pytest.Item):
    """A facet of an exercise: it fails with what `check` shows, the first in full; the grader's faults are errors."""

    def setup(self) -> None:
        from autograder.report.model import UNGRADED

        report = _file_of(self).report
        if isinstance(report, str):
            pytest.fail(report, pytrace=False)
        if self.exercise.state == UNGRADED:
            pytest.fail(f"could not be graded: {self.exercise.problem}", pytrace=False)

    def runtest(self) -> None:
        from autograder.report.render import result_of

        facet = self.facet
        if facet is None and self.is_first:
            pytest.fail(result_of(self.exercise).text(), pytrace=False)
        if facet is None:
            raise pytest.skip.Exception(self.exercise.problem, _use_item_location=True)
        if not facet.passed:
            told = result_of(self.exercise).text_of(facet.name) if facet.failure else RIGHT_BUT
            pytest.fail(told, pytrace=False)

    @property
    def exercise(self) -> ExerciseReport:
        report = _file_of(self).report
        assert not isinstance(report, str) and self.parent is not None
        return report[self.parent.name]

    @property
    def facet(self) -> FacetReport | None:
        """The facet's report, None if the exercise could not be run at all."""
        return next((facet for facet in self.exercise.facets if facet.name == self.name), None)

    @property
    def is_first(self) -> bool:
        """Tell whether this is the one test that tells what is wrong with the whole exercise."""
        first = next(item for item in self.session.items if item.parent is self.parent)
        return first is self

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.nodeid


def _file_of(node: pytest.Item | pytest.Collector) -> SubmissionFile:
    file = node.getparent(SubmissionFile)
    assert file is not None
    return file
