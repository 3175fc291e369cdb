"""Grading: a submission and an exam become a report.

Each exercise's answer is run in a sandboxed child of its own, with the reference for every other exercise, so
that an early mistake costs its own points only. A second, cheap round runs the learner's functions together
and names the one at fault where they do not fit; it never changes a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.config import PUBLISHED, Policy
from autograder.exam.known import is_placeholder
from autograder.exam.model import EXAMPLES, Paper
from autograder.exam.plan import Plan
from autograder.exam.store import exam_for, fingerprint
from autograder.grading.memory import Memory, Recall, nothing
from autograder.grading.own import with_own_functions
from autograder.grading.session import NOT_RUN, Session, Setting, recognised
from autograder.report.data import from_data
from autograder.report.model import PASSED, UNGRADED, UNWRITTEN, WRONG, ExerciseReport, FacetReport, Graded
from autograder.report.words import fault_text, unloaded_text, why_not
from autograder.sandbox.host import LateSandbox, Limits, Sandbox
from autograder.sandbox.imports import imported
from autograder.submission.model import Answer, Lines, Missing, Submission, Unwritten
from autograder.text import printable
from autograder.units.pack import COURSE, student_packages
from autograder.units.unit import Exercise, asked, read_unit
from course import form
from course.failure import Failure

ROOMS = ("submission", "grading", "report", "arena", "sandbox")


def installed_version() -> str:
    """Give the version of this package, "0" where it is not installed."""
    try:
        return version("foldem")
    except PackageNotFoundError:
        return "0"


def grade(submission: Submission, policy: Policy | None = None, recall: Recall = nothing) -> Graded:
    """Give the report on a submission; NoSandbox if this machine has none and the policy does not say `off`."""
    return grade_and_learn(submission, policy or Policy(), recall)[0]


def grade_and_learn(submission: Submission, policy: Policy, recall: Recall) -> tuple[Graded, Mapping[str, str]]:
    """Give the report on a submission, and the verdicts that nobody could recall."""
    with open_sandbox(submission.unit.name, policy, LateSandbox, imported(submission.sources)) as sandbox:
        memory = Memory(recall, judged_by(submission.unit.name, policy, sandbox.level))
        return grade_in(sandbox, submission, policy, memory), memory.fresh


def judged_by(unit_name: str, policy: Policy, level: str) -> str:
    """Give a text that changes with anything that a verdict depends on, the answer aside."""
    limits = policy.seconds_per_call, policy.seconds_per_exercise, policy.memory_mb
    words = installed_version(), code_digest(), fingerprint(unit_name, policy.seed), level, *map(str, limits)
    return sha256("|".join(words).encode()).hexdigest()


@cache
def code_digest() -> str:
    """Give a text that changes with the code that judges."""
    house, digest = Path(__file__).parents[1], sha256()
    rooms = *(house / room for room in ROOMS), COURSE / "form"
    for file in (
        house / "text.py",
        COURSE / "failure.py",
        *(path for room in rooms for path in sorted(room.glob("*.py"))),
    ):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def open_sandbox(unit_name: str, policy: Policy, kind: type[Sandbox] = Sandbox, imports: Iterable[str] = ()) -> Sandbox:
    """Give a sandbox for one submission to a unit, which `imports` these modules."""
    limits = Limits(
        cpu_seconds=policy.seconds_per_exercise,
        wall_seconds=3 * policy.seconds_per_exercise + 5,
        memory_mb=policy.memory_mb,
    )
    unit = read_unit(unit_name)
    modules = (unit.module.__name__,)
    return kind(modules, limits, policy.sandbox, withheld=unit.withheld, packages=student_packages(), imports=imports)


def grade_in(sandbox: Sandbox, submission: Submission, policy: Policy, memory: Memory | None = None) -> Graded:
    """Give the report on a submission that is run in an open sandbox."""
    unit = submission.unit
    setting = Setting(sandbox, submission, policy, exam_for(unit.name, policy.seed), memory or Memory())
    chosen = [exercise for exercise in unit.exercises if exercise.name in (policy.exercises or submission.assigned)]
    exercises = with_own_functions(setting, [examined(setting, exercise) for exercise in chosen])
    level = sandbox.level
    return Graded(
        unit.name, unit.title, installed_version(), seed_shown(policy), level, tuple(exercises), submission.remarks
    )


def seed_shown(policy: Policy) -> str:
    """Give the seed as a report names it: a secret one is not told."""
    return policy.seed if policy.seed == PUBLISHED else "secret"


def examined(setting: Setting, exercise: Exercise) -> ExerciseReport:
    """Give the report on one exercise; a fault of the grader is "ungraded", never a zero."""
    attempt = setting.submission.attempts[exercise.name]
    blank = ExerciseReport(exercise.name, exercise.number, UNWRITTEN, 0.0, exercise.points, remarks=attempt.remarks)
    if not isinstance(attempt, Answer):
        state = UNWRITTEN if isinstance(attempt, Missing | Unwritten) else WRONG
        return replace(blank, state=state, problem=why_not(attempt))
    try:
        return _judged(setting, blank, exercise, attempt)
    except Exception as error:
        return replace(blank, state=UNGRADED, problem=fault_text(error))


def _judged(setting: Setting, blank: ExerciseReport, exercise: Exercise, answer: Answer) -> ExerciseReport:
    tried = _tried(setting, setting.exam.papers[exercise.name], answer)
    report = replace(blank, remarks=blank.remarks + tried.remarks)
    if tried.problem:
        return replace(report, state=WRONG, problem=tried.problem)
    helpers = setting.submission.helpers_for([answer.source])
    findings = form.review(asked(setting.exam.unit, exercise), answer.source, helpers)
    state = PASSED if tried.passed else WRONG
    report = replace(report, state=state, facets=tried.facets, form=findings, belief=tried.belief, truth=tried.truth)
    return marked(report, exercise, setting.form_share)


@dataclass(frozen=True)
class Tried:
    """What came of running an answer: why it could not be, or facet by facet; and the known mistake that it makes."""

    problem: str = ""
    facets: tuple[FacetReport, ...] = ()
    remarks: Lines = ()
    belief: str = ""
    truth: str = ""

    @property
    def passed(self) -> bool:
        return all(facet.passed for facet in self.facets)


def _tried(setting: Setting, paper: Paper, answer: Answer) -> Tried:
    """Give what comes of running an answer, or what came of it before; what did not end orderly is not relied on."""
    plan, what = setting.plan({answer.name}, paper), f"exam of {answer.name}"
    if (found := setting.memory.recalled(what, plan)) is not None:
        return from_data(Tried, found)
    session = Session(setting, paper, plan, answer.name)
    facets = tuple(session.facets(paper.facets))
    if session.unloaded:
        tried = Tried(unloaded_text(session.unloaded), remarks=session.remarks)
    else:
        facets += (*session.contrast(paper.facets), *_contests(setting, paper, plan))
        tried = Tried("", facets, session.remarks)
        if (
            not tried.passed
            and not is_placeholder(answer.source)
            and (known := recognised(paper, facets, session.seen))
        ):
            tried = replace(tried, belief=known.belief, truth=known.truth)
    if session.is_orderly and (tried.passed or not paper.contests):
        setting.memory.keep(what, plan, asdict(tried), session.tells_places)
    return tried


def _contests(setting: Setting, paper: Paper, plan: Plan) -> Iterator[FacetReport]:
    """Give the report on each contest; the bot's process is another one, which is asked question by question."""
    if not paper.contests:
        return
    from autograder.arena import contest
    from autograder.arena.entries import request_for

    exercise, seconds = paper.exercise, setting.policy.seconds_per_call
    request, lost = request_for(plan, exercise.name, seconds, seconds), ""
    with contest.sandbox_like(setting.sandbox) as sandbox:
        for name in paper.contests:
            entry = setting.exam.checks[exercise.name].contests[name]
            seeds = contest.deals_of(entry, exercise, name, setting.exam.seed)
            try:
                told = lost or contest.held(entry, seeds, exercise, sandbox, request)
            except contest.Lost as error:
                told, lost = f"{exercise.name}: the bot that it gives {error}", NOT_RUN
            yield FacetReport(name, not told, 0, Failure(did=printable(told)) if told else None, 2 * entry.deals)


def marked(report: ExerciseReport, exercise: Exercise, form_share: float) -> ExerciseReport:
    """Give the report with its points: results by the share of facets, at most half if an example fails; form."""
    form_of = form_share * exercise.points
    share = report.share
    if any(facet.name == EXAMPLES and not facet.passed for facet in report.facets):
        share = min(share, 0.5)
    results = (exercise.points - form_of) * share
    form_points = form_of * form.mark(report.form) if share else 0.0
    return replace(
        report,
        points=round(results + form_points + 1e-9, 1),
        form_points=round(form_points + 1e-9, 1),
        form_of=round(form_of + 1e-9, 1),
    )
