"""Grading: a submission and an exam become a report.

Each exercise's answer is run in a sandboxed child of its own, with the reference for every other exercise, so
that an early mistake costs its own points only. A second, cheap round runs the learner's functions together
and names the one at fault where they do not fit; it never changes a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.config import PUBLISHED, Policy, secret_folders
from autograder.exam.known import is_placeholder
from autograder.exam.model import EXAMPLES, Paper
from autograder.exam.plan import Plan
from autograder.exam.store import exam_for, fingerprint
from autograder.grading.budget import Budget, Spent
from autograder.grading.diagnosed import diagnosed, with_code
from autograder.grading.memory import Memory, Recall, nothing
from autograder.grading.own import with_own_functions
from autograder.grading.session import Session, Setting, recognised
from autograder.grading.turns import Turn, turns
from autograder.grading.verdicts import load_failure
from autograder.report.data import from_data
from autograder.report.model import PASSED, UNGRADED, UNWRITTEN, WRONG, ExerciseReport, FacetReport, Graded
from autograder.report.stops import BotLost, Hidden, NotRun, OverBudget
from autograder.report.words import (
    failure_of,
    fault_text,
    own_remark_text,
    remark_lines,
    stop_text,
    unloaded_text,
    why_not,
)
from autograder.sandbox.host import OFF, LateSandbox, Limits, Sandbox
from autograder.sandbox.imports import imported
from autograder.submission.model import Answer, Lines, Missing, OwnRemarks, Submission, Unparsed, Unwritten
from autograder.submission.plain import what_looks_in
from autograder.units.pack import COURSE, student_packages
from autograder.units.unit import Exercise, asked, read_unit
from course import form
from course.failure import Failure

TENTH = 0.1
JUDGING_ROOMS = ("submission", "grading", "report", "arena", "sandbox")


def installed_version() -> str:
    """Give the version of this package, "0" where it is not installed."""
    try:
        return version("foldem")
    except PackageNotFoundError:
        return "0"


def grade(submission: Submission, policy: Policy | None = None, recall: Recall = nothing) -> Graded:
    """Give the report on a submission; NoSandbox if this machine has none and the policy does not say `off`."""
    return grade_and_learn(submission, policy or Policy(), recall)[0]


def grade_and_learn(
    submission: Submission, policy: Policy, recall: Recall, budget: Budget | None = None
) -> tuple[Graded, Mapping[str, str]]:
    """Give the report on a submission, and the verdicts that nobody could recall.

    Where the grader was at fault it is tried once more.
    """
    report, verdicts = _grade_once(submission, policy, recall, budget)
    if report.is_graded:
        return report, verdicts
    report, more = _grade_once(submission, policy, lambda key: verdicts.get(key) or recall(key), None)
    return report, {**verdicts, **more}


def _grade_once(
    submission: Submission, policy: Policy, recall: Recall, budget: Budget | None
) -> tuple[Graded, Mapping[str, str]]:
    exam_for(submission.unit.name, policy.seed)
    with open_sandbox(submission.unit.name, policy, LateSandbox, imported(submission.sources)) as sandbox:
        memory = Memory(recall, judged_by(submission.unit.name, policy, sandbox.level))
        return grade_in(sandbox, submission, policy, memory, budget), memory.fresh


def judged_by(unit_name: str, policy: Policy, level: str) -> str:
    """Give a text that changes with anything that a verdict depends on, the answer aside."""
    limits = policy.seconds_per_call, policy.seconds_per_exercise, policy.seconds_per_submission, policy.memory_mb
    own = (f"{each.exercise} {each.digest}" for each in policy.relations_to(unit_name))
    words = installed_version(), code_digest(), fingerprint(unit_name, policy.seed), level, *map(str, limits), *own
    return sha256("|".join(words).encode()).hexdigest()


@cache
def code_digest() -> str:
    """Give a text that changes with the code that judges."""
    house, digest = Path(__file__).parents[1], sha256()
    rooms = *(house / room for room in JUDGING_ROOMS), COURSE / "form", COURSE / "diagnoses"
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
    return kind(
        (unit.module.__name__,),
        limits,
        policy.sandbox,
        withheld=unit.withheld,
        packages=student_packages(),
        imports=imports,
        secrets=secret_folders(),
    )


def grade_in(
    sandbox: Sandbox,
    submission: Submission,
    policy: Policy,
    memory: Memory | None = None,
    budget: Budget | None = None,
) -> Graded:
    """Give the report on a submission that is run in an open sandbox."""
    unit = submission.unit
    exam = exam_for(unit.name, policy.seed, policy.relations_to(unit.name))
    budget = budget or Budget(policy.seconds_per_submission)
    budget.begin()
    setting = Setting(sandbox, submission, policy, exam, memory or Memory(), budget)
    chosen = [exercise for exercise in unit.exercises if exercise.name in (policy.exercises or submission.assigned)]
    exercises = with_own_functions(setting, in_turn(setting, chosen))
    told = sandbox.level, tuple(exercises), remark_lines(submission.remarks)
    return Graded(unit.name, unit.title, installed_version(), seed_shown(policy), *told)


def in_turn(setting: Setting, chosen: Sequence[Exercise]) -> list[ExerciseReport]:
    """Give the reports on these exercises in their order, examined in the order of their turns."""
    solved: frozenset[str] = frozenset()
    reports: dict[str, ExerciseReport] = {}
    in_line = list(turns(setting.exam, setting.submission, [exercise.name for exercise in chosen]))
    for place, turn in enumerate(in_line, 1):
        setting.budget.draw(len(in_line) - place, len(in_line))
        reports[turn.name] = examined(setting, setting.exam.unit[turn.name], turn, solved)
        solved |= {turn.name} if reports[turn.name].state == PASSED else frozenset()
    return [reports.get(exercise.name) or unanswered(setting, exercise) for exercise in chosen]


def seed_shown(policy: Policy) -> str:
    """Give the seed as a report names it: a secret one is not told."""
    return policy.seed if policy.seed == PUBLISHED else "secret"


def unanswered(setting: Setting, exercise: Exercise) -> ExerciseReport:
    """Give the report on an exercise without an answer that can be run."""
    attempt = setting.submission.attempts[exercise.name]
    assert not isinstance(attempt, Answer)
    state = UNWRITTEN if isinstance(attempt, Missing | Unwritten) else WRONG
    parses = not isinstance(attempt, Unparsed)
    report = replace(_blank(exercise, attempt.remarks), state=state, problem=why_not(attempt), parses=parses)
    return diagnosed(report, setting.submission, exercise, (), False)


def _blank(exercise: Exercise, remarks: OwnRemarks) -> ExerciseReport:
    told = tuple(map(own_remark_text, remarks))
    return ExerciseReport(exercise.name, exercise.number, UNWRITTEN, 0.0, exercise.points, remarks=told)


def examined(setting: Setting, exercise: Exercise, turn: Turn, solved: frozenset[str]) -> ExerciseReport:
    """Give the report on one exercise; a fault of the grader is "ungraded", never a zero."""
    answer = setting.submission.answers[exercise.name]
    blank = _blank(exercise, answer.remarks)
    try:
        setting.budget.demand()
        return _judged(setting, blank, exercise, turn, solved)
    except Spent:
        return replace(blank, state=WRONG, problem=stop_text(OverBudget()))
    except Exception as error:
        return replace(blank, state=UNGRADED, problem=fault_text(error))


def _judged(
    setting: Setting, blank: ExerciseReport, exercise: Exercise, turn: Turn, solved: frozenset[str]
) -> ExerciseReport:
    answer, paper = setting.submission.answers[exercise.name], setting.exam.papers[exercise.name]
    plan = setting.plan({exercise.name, *turn.own}, paper, turn.references)
    tried = told_of(_tried(setting, paper, answer, plan), why_hidden(setting, plan, solved))
    report = replace(blank, remarks=blank.remarks + tried.remarks)
    if tried.problem:
        failures = [tried.load] if tried.load else []
        wrong = replace(report, state=WRONG, problem=tried.problem)
        return diagnosed(wrong, setting.submission, exercise, failures, tried.prints)
    helpers = setting.submission.helpers_for([answer.source])
    findings = form.review(asked(setting.exam.unit, exercise), answer.source, helpers)
    state = PASSED if tried.passed else WRONG
    facets = with_code(tried.facets, setting.submission)
    report = replace(report, state=state, facets=facets, form=findings, digest=tried.digest)
    report = replace(report, belief=tried.belief, truth=tried.truth)
    failures = [facet.failure for facet in facets if facet.failure]
    report = diagnosed(report, setting.submission, exercise, failures, tried.prints) if failures else report
    return marked(report, exercise, setting.form_share)


def why_hidden(setting: Setting, plan: Plan, solved: frozenset[str]) -> Hidden | None:
    """Give why it must not be told what an answer gave: it could read a reference that its author lacks."""
    unsolved = [step.name for step in plan if step.kind == "reference" and step.name not in solved]
    if not unsolved or setting.sandbox.level == OFF:
        return None
    word = what_looks_in(step.source for step in plan if isinstance(step.source, str))
    return Hidden(word, unsolved[0]) if word else None


@dataclass(frozen=True)
class Ran:
    """What came of running an answer: why it could not be, or facet by facet; and the known mistake that it makes.

    `load` is what its cell failed with, if it did; `prints` tells that it printed where nothing was to be printed.
    """

    problem: str = ""
    facets: tuple[FacetReport, ...] = ()
    remarks: Lines = ()
    belief: str = ""
    truth: str = ""
    digest: str = ""
    load: Failure | None = None
    prints: bool = False

    @property
    def passed(self) -> bool:
        return all(facet.passed for facet in self.facets)


def told_of(tried: Ran, why: Hidden | None) -> Ran:
    """Give what came of an answer with nothing that its process has said, if there is a reason `why`."""
    if not why or (tried.passed and not tried.problem):
        return replace(tried, remarks=()) if why else tried
    failed = [facet if facet.passed else replace(facet, failure=failure_of(why)) for facet in tried.facets]
    return Ran(tried.problem and stop_text(why), tuple(failed))


def _tried(setting: Setting, paper: Paper, answer: Answer, plan: Plan) -> Ran:
    """Give what comes of running an answer, or what came of it before; what did not end orderly is not relied on."""
    what = f"exam of {answer.name}"
    if (found := setting.memory.recalled(what, plan)) is not None:
        return from_data(Ran, found)
    session = Session(setting, paper, plan, answer.name)
    tried = _run(session, answer)
    if session.is_orderly and (tried.passed or not paper.contests):
        setting.memory.keep(what, plan, asdict(tried), session.tells_places)
    return tried


def _run(session: Session, answer: Answer) -> Ran:
    setting, paper = session.setting, session.paper
    facets = tuple(session.facets(paper.facets))
    if session.unloaded:
        load = load_failure(session.unloaded)
        return Ran(unloaded_text(session.unloaded), remarks=session.remarks, load=load)
    facets += (*session.contrast(paper.facets), *_contests(setting, paper, session.plan))
    tried = Ran("", facets, session.remarks, prints=session.prints)
    if tried.passed:
        return tried
    tried = replace(tried, digest=session.digest)
    if is_placeholder(answer.source):
        return tried
    known = recognised(paper, facets, session.seen, answer.source)
    return replace(tried, belief=known.belief, truth=known.truth) if known else tried


def _contests(setting: Setting, paper: Paper, plan: Plan) -> Iterator[FacetReport]:
    """Give the report on each contest; the bot's process is another one, which is asked question by question."""
    if not paper.contests:
        return
    from autograder.arena import contest
    from autograder.arena.entries import request_for

    exercise, seconds = paper.exercise, setting.policy.seconds_per_call
    request, is_lost = request_for(plan, exercise.name, seconds, seconds), False
    with contest.sandbox_like(setting.sandbox) as sandbox:
        for name in paper.contests:
            try:
                children = partial(setting.budget.child, sandbox)
                stop = NotRun() if is_lost else contest.held(setting.exam, exercise, name, children, request)
            except Spent:
                stop = BotLost(exercise.name, None)
            is_lost = is_lost or isinstance(stop, BotLost)
            deals = setting.exam.checks[exercise.name].contests[name].deals
            yield FacetReport(name, stop is None, 0, failure_of(stop) if stop else None, 2 * deals)


def marked(report: ExerciseReport, exercise: Exercise, form_share: float) -> ExerciseReport:
    """Give the report with its points: results by the share of facets, at most half if an example fails; form.

    Who knows the visible examples, and nothing that they stand for, earns a tenth.
    """
    form_of = form_share * exercise.points
    share = report.share
    if any(facet.name == EXAMPLES and not facet.passed for facet in report.facets):
        share = min(share, 0.5)
    results = (exercise.points - form_of) * share
    form_points = form_of * form.mark(report.form) if share else 0.0
    if report.state != PASSED and not any(facet.passed for facet in report.rules if facet.name != EXAMPLES):
        results, form_points = TENTH * results, TENTH * form_points
    return replace(
        report,
        points=round(results + form_points + 1e-9, 1),
        form_points=round(form_points + 1e-9, 1),
        form_of=round(form_of + 1e-9, 1),
    )
