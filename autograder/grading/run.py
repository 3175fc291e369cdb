"""Grade a submission: choose which answers run together, run and judge them, find the next step, and give points.

A process with secrets decides only whether each facet passes. A secret is a secret call, or a reference that the author
of the answer has not earned by solving its exercise. All other parts of a report come from a process without secrets,
in which the author's own functions replace the references that are not earned.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cache, lru_cache, partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from itertools import starmap

from msgspec.structs import replace

from autograder.config import PUBLISHED_SEED, Policy, secret_folders
from autograder.exam.model import Exam, Paper
from autograder.exam.plan import Plan, needed_own_answers, sources_of
from autograder.exam.store import exam_for, fingerprint
from autograder.grading.diagnosed import facts_from_child, with_advice, with_quoted_lines
from autograder.grading.judgement import exception_fields
from autograder.grading.runs import (
    Budget,
    BudgetSpent,
    GradingContext,
    Job,
    RunResult,
    job_for,
    notes_on_joint_runs,
    run_alone,
    run_together,
)
from autograder.report.model import (
    PASSED,
    UNGRADED,
    UNWRITTEN,
    WRONG,
    ExerciseRemark,
    ExerciseReport,
    ExtraPrinting,
    FacetReport,
    Graded,
    KnownMistake,
    RunWithWrongFunctions,
)
from autograder.report.stops import (
    BotLost,
    Forbidden,
    HiddenCalls,
    NotAllowed,
    NotLoaded,
    NotRun,
    OverBudget,
    Stop,
    WithheldValue,
    failed_call_for,
    fault_of,
    no_answer_for,
)
from autograder.sandbox.cage import ChildError, CodeLine, RaisedException
from autograder.sandbox.host import Limits, ReusedSandbox, Sandbox
from autograder.sandbox.sources import PACKAGE_FOLDERS, digest_of_files, files_needed_by, loadable_imports, role_modules
from autograder.submission.model import Submission
from autograder.submission.plain import can_share_process, find_refused_construct
from autograder.units.mistakes import contains_belief
from autograder.units.pack import FOLDEM_PACK_FOLDER
from autograder.units.unit import Exercise, Unit, requirements_of
from course import form
from course.diagnoses.failure import EXAMPLES_FACET, OTHER, RAISED, Failure
from course.diagnoses.obstacle import MissingCell, UnwrittenExercise
from course.exam.readable import one_line
from course.exam.sealed import MistakeResults, explaining_mistakes, facet_digest, is_placeholder
from course.limits import MOST_REMARKS

SHARE_FOR_EXAMPLES_ONLY = 0.1
NOT_WRITTEN_ERROR = "NotWritten"  # what a placeholder for an unwritten function raises


class Examination:
    """The reports on the exercises of a submission. Each report is made when it is first needed.

    If answers can neither inspect their process nor affect each other, they run together in one child, before any
    report is made.
    """

    def __init__(self, setting: GradingContext, names: Iterable[str]) -> None:
        self.setting, self.submission, self.exam = setting, setting.submission, setting.exam
        self.everything = frozenset(self.exam.unit.by_name)
        self.reports: dict[str, ExerciseReport] = {}
        self.outcomes: dict[str, RunResult] = {}
        self._pending = [name for name in names if name in self.submission.answers]
        self._of = max(1, len(self._pending))
        with suppress(Exception):  # then the answers run alone, and report what is wrong
            jobs = {
                name: job for name in self._pending if setting.may_share_process and (job := self._job(name)).is_plain
            }
            if len(jobs) > 1:
                outcomes = zip(jobs, run_together(setting, [*jobs.values()]), strict=True)
                self.outcomes = {name: outcome for name, outcome in outcomes if outcome}

    def _job(self, name: str) -> Job:
        """Return the job whose result decides whether an answer passes."""
        paper, plan, module = self.exam.by_name[name], self._plan(name, self.everything), self.exam.unit.module
        is_plain = not (paper.contests or paper.modules) and can_share_process(sources_of(plan), module)
        return job_for(self.setting, paper, plan, is_plain)

    def _plan(self, name: str, references: frozenset[str]) -> Plan:
        """Return the definitions for an answer. The definitions contain only the references that are passed."""
        paper = self.exam.by_name[name]
        own = needed_own_answers(self.exam, self.submission, name, references)
        return self.setting.plan({name, *own}, paper, references)

    def report(self, name: str) -> ExerciseReport:
        """Return the report on an exercise.

        If the grader fails, the exercise is "ungraded" and does not get 0 points.
        """
        if name in self.reports:
            return self.reports[name]
        exercise, attempt = self.exam.unit[name], self.submission.attempts[name]
        blank = ExerciseReport(name, exercise.number, UNWRITTEN, 0.0, exercise.points)
        if name not in self.submission.answers:
            state = UNWRITTEN if isinstance(attempt.obstacle, MissingCell | UnwrittenExercise) else WRONG
            stop = no_answer_for(name, attempt.obstacle) if attempt.obstacle else None
            report = with_advice(replace(blank, state=state, stop=stop), self.submission, exercise, (), False)
            return self.reports.setdefault(name, report)
        self.reports[name] = blank  # so that answers in a circle do not earn each other
        self._pending = [each for each in self._pending if each != name]
        try:
            self.setting.budget.set_limit(len(self._pending), self._of)
            self.setting.budget.ensure_time_left()
            findings = _form_findings(
                self.exam, name, self.submission.answers[name].source, self.submission.helpers_of[name]
            )
            if decides := form.deciding_finding(exercise.facts, findings):  # the answer is not run
                report = replace(blank, state=WRONG, stop=Forbidden(decides.why), form=findings)
                self.reports[name] = with_advice(report, self.submission, exercise, (), False)
            else:
                self.reports[name] = self._examine(blank, exercise, findings)
        except BudgetSpent:
            self.reports[name] = replace(blank, state=WRONG, stop=OverBudget())
        except Exception as error:
            self.reports[name] = replace(blank, state=UNGRADED, stop=fault_of(error))
        return self.reports[name]

    def _unearned_references(self, plan: Plan) -> frozenset[str]:
        """Return the references in a plan whose exercises the author has not solved.

        If the course allows references, return none.
        """
        if self.setting.policy.lends_references:
            return frozenset()
        references = frozenset(step.name for step in plan if step.is_reference)
        return frozenset(name for name in references if self.report(name).state != PASSED)

    def _examine(
        self, blank: ExerciseReport, exercise: Exercise, findings: tuple[form.FormFinding, ...]
    ) -> ExerciseReport:
        name, setting, together = exercise.name, self.setting, self.outcomes.get(exercise.name)
        if together and together.passed and not together.helpers and not together.prints:
            contrast = together.contrast_reports(self.exam.by_name[name].published.facets)
            return self._with_state_and_points(replace(blank, form=findings), exercise, (*together.facets, *contrast))
        job = self._job(name)
        paper, plan, unearned = job.paper, job.plan, self._unearned_references(job.plan)
        if unearned and (stop := self._refused_construct(plan, unearned)):
            return with_advice(replace(blank, state=WRONG, stop=stop), self.submission, exercise, [], False)
        shown_paper = paper if setting.policy.shows_hidden else paper.published
        shown_plan = self._plan(name, self.everything - unearned) if unearned else plan
        shown_job = job_for(setting, shown_paper, shown_plan, job.is_plain and not unearned)
        shown = run_alone(setting, shown_job)
        passing = {facet.name for facet in shown.facets if facet.passed}
        has_more = any(facet.secret and facet.name in passing for facet in paper.facets)
        is_all = not unearned and (shown_paper is paper or not has_more)
        decided = shown if is_all else together or run_alone(setting, job)
        helpers = [each for each in shown.helpers if _called_placeholder(each.error) not in unearned]
        remarks: tuple[ExerciseRemark, ...] = (*blank.remarks, *helpers, *([ExtraPrinting()] if shown.prints else ()))
        report = replace(blank, remarks=remarks)
        if decided.unloaded and shown.unloaded:
            wrong, error = replace(report, state=WRONG, stop=NotLoaded(shown.unloaded)), shown.unloaded
            load = [Failure(did=RAISED, **exception_fields(error, ""))] if isinstance(error, RaisedException) else []
            return with_advice(wrong, self.submission, exercise, load, shown.prints)
        bits = [*(facet.passed for facet in decided.facets)] or [False] * len(paper.facets)
        pairs = zip(paper.facets, bits, shown.facets or [None] * len(bits), strict=True)
        facets = tuple(
            _with_failure(FacetReport(each.name, bit, each.rule_calls), part, unearned) for each, bit, part in pairs
        )
        facets += (*shown.contrast_reports(shown_paper.facets), *self._contest_reports(paper, plan, unearned))
        if not all(bits):
            report = _with_mistake(self.exam, report, shown_paper, shown, self.submission.answers[name].source)
            own = tuple(step.name for step in shown_plan if step.name in unearned and step.kind in ("answer", "own"))
            remarks += (RunWithWrongFunctions(own),) * any(own and each.failure and not each.stop for each in facets)
        facets = with_quoted_lines(facets, self.submission)
        report = self._with_state_and_points(replace(report, remarks=remarks, form=findings), exercise, facets)
        failures = [facet.failure for facet in facets if facet.failure]
        explained, facts = [] if unearned else failures, partial(facts_from_child, setting, shown_job)
        return with_advice(report, self.submission, exercise, explained, shown.prints, facts) if failures else report

    def _refused_construct(self, plan: Plan, unearned: frozenset[str]) -> NotAllowed | None:
        """Return why an answer may not run with references of `unearned`, its unsolved exercises, or None if it may."""
        sources = [(step.name, step.source) for step in plan if isinstance(step.source, str)]
        match = find_refused_construct((source for _, source in sources), self.exam.unit.module)
        if match is None:
            return None
        index, construct = match
        first = min(unearned, key=lambda name: self.exam.unit[name].number)
        return NotAllowed(one_line(construct.code, 60), CodeLine(sources[index][0], construct.line), first)

    def _contest_reports(self, paper: Paper, plan: Plan, unearned: frozenset[str]) -> Iterator[FacetReport]:
        """Yield the report on each contest. The bot runs in its own process, and receives one question at a time."""
        if not paper.contests:
            return
        from autograder.arena import contest

        setting, exercise, held = self.setting, paper.exercise, contest.unit_arena(self.exam.unit)
        seconds, is_lost = setting.policy.seconds_per_call, False
        request = held.request_for(plan, exercise.name, seconds, seconds)
        is_secret = (self.exam.seed != PUBLISHED_SEED or bool(unearned)) and not setting.policy.shows_hidden
        with contest.sandbox_like(setting.sandbox, held.modules) as sandbox:
            children = partial(setting.budget.child, sandbox)
            for name in paper.contests:
                try:
                    stop = NotRun() if is_lost else contest.play_contest(self.exam, held, name, children, request)
                except BudgetSpent:
                    stop = BotLost(exercise.name, None)
                is_lost = is_lost or isinstance(stop, BotLost)
                deals = self.exam.checks[exercise.name].contests[name].deals
                report = FacetReport(name, stop is None, 0, sets=2 * deals)
                yield (
                    _with_failure(report, replace(report, passed=True), unearned)
                    if is_secret
                    else _with_stop(report, stop)
                )

    def _with_state_and_points(
        self, report: ExerciseReport, exercise: Exercise, facets: tuple[FacetReport, ...]
    ) -> ExerciseReport:
        state = PASSED if all(facet.passed for facet in facets if facet.counts) else WRONG
        check = self.exam.checks[exercise.name]
        if check.texts or check.weights:
            named = ((each, check.texts.get(each.name, ""), check.weights.get(each.name, 1.0)) for each in facets)
            facets = tuple(replace(facet, text=text, weight=weight) for facet, text, weight in named)
        policy, unit = self.setting.policy, self.exam.unit
        form_share = unit.form_share if policy.form_share is None else policy.form_share
        return with_computed_points(replace(report, state=state, facets=facets), exercise, form_share)


def _with_stop(report: FacetReport, stop: Stop | None) -> FacetReport:
    return replace(report, failure=failed_call_for(stop).failure, stop=stop) if stop else report


def _called_placeholder(error: ChildError | None) -> str | None:
    """Return the unwritten function whose placeholder was called, because its reference is withheld; otherwise None."""
    return error.text if isinstance(error, RaisedException) and error.name == NOT_WRITTEN_ERROR else None


def _with_failure(facet: FacetReport, shown: FacetReport | None, unearned: frozenset[str]) -> FacetReport:
    """Return the report on a facet whose result is known.

    If the facet failed, add the failure from `shown`, its report in a run without secrets.
    """
    if facet.passed:
        return facet
    failure = shown.failure if shown and not shown.passed else None
    if shown and failure and not (failure.error == NOT_WRITTEN_ERROR and failure.seen in unearned):
        return replace(facet, failure=failure, stop=shown.stop)
    if failure:
        stop: Stop = WithheldValue(str(failure.seen))
        return replace(facet, failure=dataclasses.replace(failure, did=OTHER, error="", seen=None), stop=stop)
    if shown and not shown.passed and not unearned:
        return facet  # only contrast calls fail
    return _with_stop(facet, WithheldValue(min(unearned)) if unearned else HiddenCalls())


def _with_mistake(exam: Exam, report: ExerciseReport, paper: Paper, shown: RunResult, source: str) -> ExerciseReport:
    """Return the report with a digest of the results, and the known mistake that has these results, if any."""
    failed = [index for index, facet in enumerate(shown.facets) if not facet.passed]
    mistakes: tuple[MistakeResults, ...] = () if is_placeholder(source) or not failed else paper.mistakes
    alike = (mistakes[index] for index in explaining_mistakes(mistakes, shown.frames, failed))
    known = next((each for each in alike if contains_belief(exam.unit, report.name, each.belief, source)), None)
    # Equal for the same results. Answers that fail only in hidden calls are not grouped: their mistakes may differ.
    group = sha256("|".join(starmap(facet_digest, shown.frames)).encode()).hexdigest()[:12] if failed else ""
    return replace(report, digest=group, mistake=KnownMistake(known.belief, known.truth) if known else None)


@lru_cache(maxsize=1000)
def _form_findings(
    exam: Exam, name: str, source: str, helpers: tuple[form.Source, ...]
) -> tuple[form.FormFinding, ...]:
    """Return the findings on an answer's form. The findings are cached, since many students hand in equal answers."""
    return form.review(requirements_of(exam.unit, exam.unit[name]), source, helpers)


def with_computed_points(report: ExerciseReport, exercise: Exercise, form_share: float) -> ExerciseReport:
    """Return the report with its points: those for the facets that passed, and those for style.

    Points below the maximum are rounded to one decimal place. If a visible example fails, the facets count for at most
    half of their points. An answer that passes only the visible examples gets a tenth of its points.
    """
    of = exercise.points
    form_of = form_share * of
    share = report.share
    if any(facet.name == EXAMPLES_FACET and not facet.passed for facet in report.facets):
        share = min(share, 0.5)
    results = (of - form_of) * share
    form_points = form_of * form.earned_form_share(report.form) if share else 0.0
    if report.state != PASSED and not any(facet.passed for facet in report.rules if facet.name != EXAMPLES_FACET):
        results, form_points = SHARE_FOR_EXAMPLES_ONLY * results, SHARE_FOR_EXAMPLES_ONLY * form_points
    total = results + form_points + 1e-9
    return replace(
        report,
        points=of if total >= of else min(of, round(total, 1)),
        form_points=round(form_points + 1e-9, 1),
        form_of=round(form_of + 1e-9, 1),
    )


@cache
def installed_version() -> str:
    """Return the version of this package, or "0" if it is not installed."""
    try:
        return version("foldem")
    except PackageNotFoundError:
        return "0"


def grade(
    submission: Submission,
    policy: Policy | None = None,
    budget: Budget | None = None,
    shared: ReusedSandbox | None = None,
) -> Graded:
    """Grade a submission and return its report. The `shared` sandbox is used if it is equivalent to a new one.

    Raises NoSandbox if this machine has no sandbox, but the policy requires one.
    """
    policy = policy or Policy()
    exam_for(submission.unit, policy.seed)
    wanted = open_sandbox(submission.unit, policy, loadable_imports(submission.sources))
    opened = nullcontext(shared.get(wanted)) if shared else wanted  # a shared sandbox stays open
    with opened as sandbox:
        return grade_in(sandbox, submission, policy, budget)


@cache
def grading_digest(unit: Unit, policy: Policy, level: str) -> str:
    """Return a digest of everything that a report depends on, except the answers."""
    limits = policy.seconds_per_call, policy.seconds_per_exercise, policy.seconds_per_submission, policy.memory_mb
    digests = code_digest(), pack_digest(unit), fingerprint(unit, policy.seed)
    words = installed_version(), *digests, level, str(policy.lends_references), *map(str, limits)
    return sha256("|".join(words).encode()).hexdigest()


@cache
def code_digest() -> str:
    """Return one digest of all code that runs answers or judges them."""
    inside = (f"autograder.sandbox.inside.{path.stem}" for path in PACKAGE_FOLDERS["inside"].glob("*.py"))
    units = role_modules("contest", "advice", "form")
    return digest_of_files(files_needed_by(("autograder.grading.batch", *inside, *units), {}))


@cache
def pack_digest(unit: Unit) -> str:
    """Return a digest of the code that students import from another author's pack. This code affects reports."""
    return digest_of_files(
        sorted(unit.pack.course_folder.rglob("*.py")) if unit.pack.root != FOLDEM_PACK_FOLDER else ()
    )


def open_sandbox(unit: Unit, policy: Policy, imports: Sequence[str] = (), modules: tuple[str, ...] = ()) -> Sandbox:
    """Return a sandbox for submissions to a unit.

    Code in the sandbox can import the unit, the modules that submissions import (`imports`), and additional `modules`
    of the course.
    """
    seconds = policy.seconds_per_exercise
    return Sandbox(
        (unit.module.__name__, *modules),
        Limits(cpu_seconds=seconds, wall_seconds=3 * seconds + 5, memory_mb=policy.memory_mb),
        policy.sandbox,
        withheld=unit.withheld_modules,
        packages=unit.catalogue.student_packages,
        imports=imports,
        secrets=secret_folders(unit.catalogue),
    )


def grade_in(sandbox: Sandbox, submission: Submission, policy: Policy, budget: Budget | None = None) -> Graded:
    """Grade a submission in an open sandbox, and return its report."""
    unit = submission.unit
    exam = exam_for(unit, policy.seed)
    budget = budget or Budget(policy.seconds_per_submission)
    budget.begin()
    chosen = [name for name in unit.by_name if name in (policy.exercises or submission.assigned)]
    examination = Examination(GradingContext(sandbox, submission, policy, exam, budget), chosen)
    exercises = [examination.report(name) for name in chosen]
    if any(report.state != PASSED for report in exercises):  # say how the right ones work with the learner's functions
        notes = notes_on_joint_runs(examination.setting, exercises)
        exercises = [replace(report, own=notes.get(report.name)) for report in exercises]
    header = sandbox.level, tuple(exercises), submission.remarks[:MOST_REMARKS]
    seed = policy.seed if policy.seed == PUBLISHED_SEED else "secret"
    return Graded(unit.name, unit.title, installed_version(), seed, *header)
