"""Grade: turn a submission and an exam into a report. Answers run in sandboxed child processes.

After that, the learner's own functions run together. If right answers fail in this run, the report names the function
that makes them fail. This never changes a mark. The run has no secret: its calls are published, and it contains
references only for solved exercises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import TypeAlias

from msgspec import structs

from autograder.config import PUBLISHED, Policy, secret_folders
from autograder.exam.model import Exam
from autograder.exam.plan import sources_of
from autograder.exam.store import exam_for, fingerprint
from autograder.grading.answer import Examination
from autograder.grading.judgement import Assessor
from autograder.grading.runs import Budget, BudgetSpent, Job, RunResult, Setting, run_alone, run_together
from autograder.report.model import PASSED, Clashes, ExerciseReport, Fits, Graded, MoreRemarks, NotTried, Own, Waits
from autograder.sandbox.host import LateSandbox, Limits, Sandbox
from autograder.sandbox.mounts import PACKAGES
from autograder.sandbox.sources import digest_of_files, files_behind, imported, role_modules
from autograder.submission.model import Submission
from autograder.submission.plain import can_share_process
from autograder.submission.stateless import is_stateless
from autograder.units.pack import OURS
from autograder.units.unit import Unit
from course.graph import reachable_from
from course.limits import MOST_FAULTS, MOST_REMARKS
from course.syntax import names_in

SAMPLE = 24


@cache
def assessor_for_joint_runs(exam: Exam, name: str) -> Assessor:
    """Return the assessor for runs with the learner's own functions.

    It has only a few of the exam's published calls.
    """
    paper = exam.by_name[name].published
    facets = []
    for facet in paper.facets:
        if facet.calls and not facet.joint:
            step = max(1, len(facet.calls) // SAMPLE)  # from the smallest to the largest
            few = replace(facet, calls=facet.calls[::step], expected=facet.expected[::step], contrasts=0)
            facets.append(few)
    return Assessor(exam, replace(paper, facets=tuple(facets)), exam.checks[name].invariant)


class _JointRuns:
    """A runner that lets the learner's functions call each other, and stops after several endless calls."""

    def __init__(self, examination: Examination, reports: list[ExerciseReport]) -> None:
        self.setting, self.submission, self.exam = examination.setting, examination.submission, examination.exam
        self.right = [report.name for report in reports if report.state == PASSED]
        self.wrong = {report.name for report in reports if report.state != PASSED}

    def notes(self) -> dict[str, Own]:
        """Return, for each right exercise that uses wrong or missing ones, how it works with them."""
        notes, jobs = dict[str, Own](), dict[str, Job]()
        for name in self.right:
            others = self._others(name)
            if missing := [other for other in others if other not in self.submission.answers]:
                notes[name] = Waits(tuple(missing))
            elif self.wrong & {*others} and (job := self._job(name, others)):
                jobs[name] = job
        plain = {name: job for name, job in jobs.items() if job.is_plain}
        outcomes, endless = dict[str, RunResult | None](), 0
        with suppress(BudgetSpent):
            outcomes |= zip(plain, run_together(self.setting, [*plain.values()]), strict=True)
        for name, job in jobs.items():
            outcome = outcomes.get(name)
            try:
                if outcome is None and (endless > MOST_FAULTS or self.setting.budget.left <= 0):
                    notes[name] = NotTried()
                    continue
                outcome = outcome or run_alone(self.setting, job)
                endless += outcome.endless
                if outcome.passed:
                    notes[name] = Fits()
                    continue
                wrong = [other for other in self._others(name) if other in self.wrong]
                # To blame are those that use no other wrong function.
                first = [each for each in wrong if not {*self._others(each)} & {*wrong} - {each}] or wrong
                notes[name] = Clashes(tuple(first), together=len(first) > 1)
            except BudgetSpent:
                notes[name] = NotTried()
            except Exception:  # an error of the grader costs no points
                continue
        return notes

    def _job(self, name: str, others: Iterable[str]) -> Job | None:
        """Return the job of an answer with others, or None if it needs a reference that the author has not earned."""
        assessor = assessor_for_joint_runs(self.exam, name)
        plan = self.setting.plan({name, *others}, assessor.paper)
        is_open = self.setting.policy.lends_references or all(
            step.name in self.right for step in plan if step.is_reference
        )
        may_share = self.setting.may_share and not assessor.paper.modules and is_stateless(self.exam.unit.module)
        is_plain = may_share and can_share_process(sources_of(plan), self.exam.unit.module)
        return Job(assessor.paper, plan, assessor, is_plain) if is_open else None

    def _others(self, name: str) -> tuple[str, ...]:
        """Return the exercises that an answer uses, directly or through helpers."""
        met = reachable_from({name}, self._named) - {name}
        return tuple(other for other in self.submission.assigned if other in met)

    def _named(self, name: str) -> set[str]:
        answer = self.submission.answers.get(name)
        if answer is None:
            return set(self.exam.unit.reached[name])
        helpers = self.submission.helpers_for([answer.source])
        words = set().union(*(helper.uses for helper in helpers)) | names_in(answer.source)
        return words & set(self.exam.unit.by_name)


SandboxFor: TypeAlias = Callable[[Submission, Policy], AbstractContextManager[Sandbox]]


@cache
def installed_version() -> str:
    """Return the version of this package, or "0" if it is not installed."""
    try:
        return version("foldem")
    except PackageNotFoundError:
        return "0"


def new_sandbox(submission: Submission, policy: Policy) -> Sandbox:
    """Return a new sandbox for a submission."""
    return open_sandbox(submission.unit, policy, LateSandbox, imported(submission.sources))


def grade(
    submission: Submission,
    policy: Policy | None = None,
    budget: Budget | None = None,
    sandbox_for: SandboxFor = new_sandbox,
) -> Graded:
    """Return the report on a submission. The sandbox comes from `sandbox_for`.

    After a fault of the grader, the whole submission is graded once more. Raises NoSandbox if this machine has no
    sandbox and the policy does not say `off`.
    """
    policy = policy or Policy()
    exam_for(submission.unit, policy.seed)
    with sandbox_for(submission, policy) as sandbox:
        report = grade_in(sandbox, submission, policy, budget)
    if report.is_graded:
        return report
    with new_sandbox(submission, policy) as sandbox:
        return grade_in(sandbox, submission, policy)


@cache
def judged_by(unit: Unit, policy: Policy, level: str) -> str:
    """Return a digest of what a report depends on, except the answers and a teacher's acceptance relations."""
    limits = policy.seconds_per_call, policy.seconds_per_exercise, policy.seconds_per_submission, policy.memory_mb
    digests = code_digest(), pack_digest(unit), fingerprint(unit, policy.seed)
    words = installed_version(), *digests, level, str(policy.lends_references), *map(str, limits)
    return sha256("|".join(words).encode()).hexdigest()


@cache
def code_digest() -> str:
    """Return a digest of the code that judges, and of the code that runs answers."""
    inside = (f"autograder.sandbox.inside.{path.stem}" for path in PACKAGES["inside"].glob("*.py"))
    units = role_modules("contest", "advice", "form")
    return digest_of_files(files_behind(("autograder.grading.batch", *inside, *units), {}))


@cache
def pack_digest(unit: Unit) -> str:
    """Return a digest of another pack's code for students, because its rules of games and of form affect reports."""
    return digest_of_files(sorted(unit.pack.course_folder.rglob("*.py")) if unit.pack.root != OURS else ())


def open_sandbox(
    unit: Unit,
    policy: Policy,
    kind: type[Sandbox] = Sandbox,
    imports: Iterable[str] = (),
    modules: tuple[str, ...] = (),
) -> Sandbox:
    """Return a sandbox for submissions to a unit. `imports` are what they import; the course's `modules` are added."""
    limits = Limits(
        cpu_seconds=policy.seconds_per_exercise,
        wall_seconds=3 * policy.seconds_per_exercise + 5,
        memory_mb=policy.memory_mb,
    )
    return kind(
        (unit.module.__name__, *modules),
        limits,
        policy.sandbox,
        withheld=unit.withheld,
        packages=unit.catalogue.student_packages,
        imports=imports,
        secrets=secret_folders(unit.catalogue),
    )


def grade_in(sandbox: Sandbox, submission: Submission, policy: Policy, budget: Budget | None = None) -> Graded:
    """Return the report on a submission, which is run in an open sandbox."""
    unit = submission.unit
    exam = exam_for(unit, policy.seed, policy.relations_to(unit.name))
    budget = budget or Budget(policy.seconds_per_submission)
    budget.begin()
    chosen = [name for name in unit.by_name if name in (policy.exercises or submission.assigned)]
    examination = Examination(Setting(sandbox, submission, policy, exam, budget), chosen)
    exercises = [examination.report(name) for name in chosen]
    if any(report.state != PASSED for report in exercises):  # say how the right ones work with the learner's functions
        notes = _JointRuns(examination, exercises).notes()
        exercises = [structs.replace(report, own=notes.get(report.name)) for report in exercises]
    more = len(submission.remarks) - MOST_REMARKS
    remarks = (*submission.remarks[:MOST_REMARKS], *([MoreRemarks(more)] if more > 0 else ()))
    header = sandbox.level, tuple(exercises), remarks
    seed = policy.seed if policy.seed == PUBLISHED else "secret"
    return Graded(unit.name, unit.title, installed_version(), seed, *header)
