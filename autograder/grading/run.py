"""Grade: turn a submission and an exam into a report. Each answer runs in its own sandboxed child process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import TypeAlias

from autograder.config import PUBLISHED, Policy, secret_folders
from autograder.exam.store import exam_for, fingerprint
from autograder.grading.budget import Budget
from autograder.grading.exercise import examine_exercise, without_answer
from autograder.grading.group import with_group
from autograder.grading.memory import Memory, Recall, no_verdicts
from autograder.grading.own import with_own_functions
from autograder.grading.session import Setting
from autograder.grading.turns import turns
from autograder.report.model import PASSED, ExerciseReport, Graded, MoreRemarks
from autograder.sandbox.host import LateSandbox, Limits, Sandbox
from autograder.sandbox.imports import imported
from autograder.sandbox.mounts import PACKAGES
from autograder.sandbox.sources import digest_of_files, files_behind, role_modules
from autograder.submission.model import Submission
from autograder.units.pack import OURS
from autograder.units.unit import Exercise, Unit

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


def grade(submission: Submission, policy: Policy | None = None, recall: Recall = no_verdicts) -> Graded:
    """Return the report on a submission.

    Raises NoSandbox if this machine has no sandbox and the policy does not say `off`.
    """
    return grade_and_learn(submission, policy or Policy(), recall)[0]


def grade_and_learn(
    submission: Submission,
    policy: Policy,
    recall: Recall,
    budget: Budget | None = None,
    sandbox_for: SandboxFor = new_sandbox,
) -> tuple[Graded, Mapping[str, str]]:
    """Return the report on a submission, and the new verdicts. The sandbox comes from `sandbox_for`.

    After a fault of the grader, try once more.
    """
    report, verdicts = _grade_once(submission, policy, recall, budget, sandbox_for)
    if report.is_graded:
        return report, verdicts
    report, more = _grade_once(submission, policy, lambda keys: {**recall(keys), **verdicts}, None, new_sandbox)
    return report, {**verdicts, **more}


def _grade_once(
    submission: Submission, policy: Policy, recall: Recall, budget: Budget | None, sandbox_for: SandboxFor
) -> tuple[Graded, Mapping[str, str]]:
    exam_for(submission.unit, policy.seed)
    with sandbox_for(submission, policy) as sandbox:
        memory = Memory(recall, judged_by(submission.unit, policy, sandbox.level))
        return grade_in(sandbox, submission, policy, memory, budget), memory.fresh


@cache
def judged_by(unit: Unit, policy: Policy, level: str) -> str:
    """Return a digest of what a verdict depends on, except the answer and a teacher's acceptance relations."""
    limits = policy.seconds_per_call, policy.seconds_per_exercise, policy.seconds_per_submission, policy.memory_mb
    digests = code_digest(), pack_digest(unit), fingerprint(unit, policy.seed)
    words = installed_version(), *digests, level, *map(str, limits)
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


def grade_in(
    sandbox: Sandbox,
    submission: Submission,
    policy: Policy,
    memory: Memory | None = None,
    budget: Budget | None = None,
) -> Graded:
    """Return the report on a submission, which is run in an open sandbox."""
    unit = submission.unit
    exam = exam_for(unit, policy.seed, policy.relations_to(unit.name))
    budget = budget or Budget(policy.seconds_per_submission)
    budget.begin()
    setting = Setting(sandbox, submission, policy, exam, memory or Memory(), budget)
    chosen = [exercise for exercise in unit.exercises if exercise.name in (policy.exercises or submission.assigned)]
    marked = in_turn(setting, chosen)
    exercises = with_own_functions(setting, marked)
    more = len(submission.remarks) - MOST_REMARKS
    remarks = (*submission.remarks[:MOST_REMARKS], *([MoreRemarks(more)] if more > 0 else ()))
    header = sandbox.level, tuple(exercises), remarks
    return Graded(unit.name, unit.title, installed_version(), seed_shown(policy), *header)


def in_turn(setting: Setting, chosen: Sequence[Exercise]) -> list[ExerciseReport]:
    """Return the reports on these exercises in their order. Exercises are examined in the order of their turns.

    Turns do not depend on the chosen exercises; otherwise `check` and `grade` could give different marks.
    """
    solved: frozenset[str] = frozenset()
    reports: dict[str, ExerciseReport] = {}
    names = {exercise.name for exercise in chosen}
    everything = [name for name in setting.exam.unit.by_name if name in names or name in setting.submission.assigned]
    in_line = [turn for turn in turns(setting.exam, setting.submission, everything) if turn.name in names]
    setting = with_group(setting, in_line)
    for number, turn in enumerate(in_line, 1):
        setting.budget.draw(len(in_line) - number, len(in_line))
        reports[turn.name] = examine_exercise(setting, setting.exam.unit[turn.name], turn, solved)
        solved |= {turn.name} if reports[turn.name].state == PASSED else frozenset()
    return [reports.get(exercise.name) or without_answer(setting, exercise) for exercise in chosen]


def seed_shown(policy: Policy) -> str:
    """Return the seed as a report shows it; a secret one is hidden."""
    return policy.seed if policy.seed == PUBLISHED else "secret"
