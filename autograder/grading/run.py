"""Grade: turn a submission and an exam into a report. Answers run in sandboxed child processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import TypeAlias

from autograder.config import PUBLISHED, Policy, secret_folders
from autograder.exam.store import exam_for, fingerprint
from autograder.grading.answer import Examination
from autograder.grading.budget import Budget
from autograder.grading.own import with_own_functions
from autograder.grading.runs import Setting
from autograder.report.model import Graded, MoreRemarks
from autograder.sandbox.host import LateSandbox, Limits, Sandbox
from autograder.sandbox.imports import imported
from autograder.sandbox.mounts import PACKAGES
from autograder.sandbox.sources import digest_of_files, files_behind, role_modules
from autograder.submission.model import Submission
from autograder.units.pack import OURS
from autograder.units.unit import Unit

SandboxFor: TypeAlias = Callable[[Submission, Policy], AbstractContextManager[Sandbox]]
MOST_REMARKS = 20


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
    words = installed_version(), *digests, level, str(policy.lends), *map(str, limits)
    return sha256("|".join(words).encode()).hexdigest()


@cache
def code_digest() -> str:
    """Return a digest of the code that judges, and of the code that runs answers."""
    inside = (f"autograder.sandbox.inside.{path.stem}" for path in PACKAGES["inside"].glob("*.py"))
    units = role_modules("arena", "diagnoses", "form")
    return digest_of_files(files_behind(("autograder.grading.workers", *inside, *units), {}))


@cache
def pack_digest(unit: Unit) -> str:
    """Return a digest of what judges in the folder for students of another pack: its rules of games and of form."""
    return digest_of_files(sorted(unit.pack.course_folder.rglob("*.py")) if unit.pack.root != OURS else ())


def open_sandbox(
    unit: Unit,
    policy: Policy,
    kind: type[Sandbox] = Sandbox,
    imports: Iterable[str] = (),
    modules: tuple[str, ...] = (),
) -> Sandbox:
    """Return a sandbox for submissions to a unit that import these modules, and for `modules` of the course."""
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
    exercises = with_own_functions(examination, [examination.report(name) for name in chosen])
    more = len(submission.remarks) - MOST_REMARKS
    remarks = (*submission.remarks[:MOST_REMARKS], *([MoreRemarks(more)] if more > 0 else ()))
    header = sandbox.level, tuple(exercises), remarks
    seed = policy.seed if policy.seed == PUBLISHED else "secret"
    return Graded(unit.name, unit.title, installed_version(), seed, *header)
