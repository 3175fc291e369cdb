"""Run answers in the child processes of a sandbox, alone or together, and judge the observations that come back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from time import monotonic, thread_time

from autograder.config import Policy
from autograder.exam.model import Exam, Facet, Paper
from autograder.exam.plan import Plan, plan_definitions, setup_for, sources_of
from autograder.grading.judgement import Assessor, assessor_for, facet_report
from autograder.report.model import (
    PASSED,
    BrokenHelper,
    ExerciseReport,
    FacetReport,
    FailsWithOwnFunctions,
    NeedsUnwrittenFunctions,
    NotRunWithOwnFunctions,
    OwnRunOutcome,
    WorksWithOwnFunctions,
)
from autograder.report.stops import Died, FailedCall, NotRun, OverBudget, failed_call_for
from autograder.sandbox.cage import Cage, Child, ChildError, ChildExit, child_error
from autograder.sandbox.host import ChildTooLoud, ChildTooSlow, Sandbox
from autograder.sandbox.inside.orders import Request, RequestedRun, packed_request
from autograder.submission.model import Submission
from autograder.submission.plain import can_share_process
from autograder.units.pack import FOLDEM_PACK_FOLDER
from course.diagnoses.failure import CONTRAST_FACET
from course.exam.readable import decode_strict_json, one_line
from course.limits import (
    MOST_ENDLESS_CALLS,
    MOST_KNOWN_RESULTS,
    MOST_REMARKS,
    SECONDS_PER_SHARED_PROCESS,
    SECONDS_PER_SHORT_CALL,
)
from course.syntax import global_names_in, reachable_from

Clock = Callable[[], float]
# Real time counts less than processor time, because the machine may be busy, and grading waits for bots. This many
# seconds of real time count as one second of processor time.
REAL_TIME_DIVISOR = 20


class BudgetSpent(Exception):
    """Raised when an exercise has used up its share of the time.

    The exercise's remaining calls are not run or judged.
    """


class Budget:
    """The time for grading a submission, in seconds. `already` is the part of this time that was used before `begin`.

    The processor time of the grading thread is also part of the time used.
    """

    def __init__(
        self, seconds: float, already: float = 0, *, cpu: Clock = thread_time, wall: Clock = monotonic
    ) -> None:
        self.seconds, self._already, self._cpu, self._wall = seconds, already, cpu, wall
        self._began, self._until = (cpu(), wall()), seconds
        self._children: list[Child] = []

    def begin(self) -> None:
        """Start to measure the time. The time of earlier work, such as building an exam, is not part of the budget."""
        self._began = self._cpu(), self._wall()

    @property
    def seconds_left(self) -> float:
        """Return the seconds that remain.

        The time used is the processor time or a twentieth of the real time, whichever is more.
        """
        cpu, wall = self._began
        inside = sum(child.cpu_seconds for child in self._children)
        spent = max(self._cpu() - cpu + inside, (self._wall() - wall) / REAL_TIME_DIVISOR)
        return self._until - self._already - spent

    def set_limit(self, waiting: int, of: int) -> None:
        """Limit the time of the next exercise.

        The part 1 / (2 * `of`) of the submission's time is reserved for each of the `waiting` exercises that come
        later.
        """
        self._until = self.seconds * (1 - waiting / of / 2)

    def ensure_time_left(self) -> None:
        """Raise BudgetSpent if no time is left."""
        if self.seconds_left <= 0:
            raise BudgetSpent("has used up the time of its submission")

    @contextmanager
    def child(self, cage: Cage) -> Iterator[Child]:
        """Provide a new child process that is limited to the remaining time. Raises BudgetSpent if no time is left."""
        self.ensure_time_left()
        with cage.child(seconds=max(1, int(self.seconds_left))) as child:
            self._children.append(child)
            yield child


FAULT_PREFIX = b'["fault",'
SHARE_OF_BUDGET, SHARE_OF_CALL = 20, 4  # of the usual limits, for answers that run together


@dataclass(frozen=True)
class GradingContext:
    """Everything that is needed to run and judge a submission: sandbox, policy, exam, and time budget."""

    sandbox: Sandbox
    submission: Submission
    policy: Policy
    exam: Exam
    budget: Budget = field(default_factory=lambda: Budget(Policy().seconds_per_submission))

    @property
    def may_share_process(self) -> bool:
        """Return whether plain answers may run one after another in one process.

        Only answers to units of Foldem's own pack may share a process. In other packs, given functions can have state.
        An answer could change this state for the answers that run after it.
        """
        return self.exam.unit.pack.root == FOLDEM_PACK_FOLDER

    def plan(self, own: set[str], paper: Paper, references: frozenset[str] | None = None) -> Plan:
        """Return the definitions to run for an exercise. The learner's answers are used for the exercises in `own`.

        If `references` are given, only the exercise of `paper` is tested. If no references are given, all answers in
        `own` are tested together.
        """
        subject = "" if references is None else paper.exercise.name
        answers = {name: self.submission.answers[name].source for name in sorted(own)}
        helpers = self.submission.helpers_for(answers.values(), subject)
        return plan_definitions(self.exam, answers, helpers, paper.mentions, subject, references)


@dataclass(frozen=True)
class Job:
    """An answer to run: the calls of a paper, the definitions to run before them, and the assessor of the results.

    If `is_plain` is true, the answer cannot inspect its process, so its result is reused for all answers with the same
    code.
    """

    paper: Paper
    plan: Plan
    assessor: Assessor
    is_plain: bool = False

    def requested_run(self, setting: GradingContext) -> RequestedRun:
        """Return the job in the form that a child process receives."""
        setup = setup_for(
            setting.exam, self.plan, self.paper.exercise.name, setting.policy.seconds_per_call, self.paper.modules
        )
        return RequestedRun(setup, self.paper.packed_orders)


def job_for(setting: GradingContext, paper: Paper, plan: Plan, is_plain: bool = False) -> Job:
    """Return the job that runs an answer with the calls of `paper`, which may be only the published calls."""
    with_secrets = paper is setting.exam.by_name[paper.exercise.name]
    return Job(paper, plan, assessor_for(setting.exam, paper.exercise.name, with_secrets), is_plain)


@dataclass
class RunResult:
    """The result of running an answer, with a report on each facet.

    If the answer's cell failed to load, `unloaded` is the exception, or says how the child process ended. `frames` are
    the observations as they were received. If `endless` is true, the process had to be stopped.
    """

    facets: tuple[FacetReport, ...] = ()
    unloaded: ChildError | ChildExit | None = None
    helpers: tuple[BrokenHelper, ...] = ()
    frames: list[tuple[bytes, bytes]] = field(default_factory=list)
    contrasts: list[FailedCall] = field(default_factory=list)
    prints: bool = False
    endless: bool = False

    @property
    def passed(self) -> bool:
        return not self.unloaded and all(facet.passed for facet in self.facets)

    @property
    def is_repeatable(self) -> bool:
        """Return whether another run of the answer would have the same result.

        If a limit was reached, another run may have a different result.
        """
        return not (self.endless or self.unloaded or any(FAULT_PREFIX in frame for frame, _ in self.frames))

    def contrast_reports(self, facets: Sequence[Facet]) -> Iterator[FacetReport]:
        """Yield one report on all contrast calls. If some of them failed, the report shows the shortest failed call.

        If there are no contrast calls, yield nothing.
        """
        if calls := sum(facet.contrasts for facet in facets):
            lost = failed_call_for(NotRun()) if len(self.frames) < len(facets) else None
            failed = min(self.contrasts, key=lambda failed: len(failed.failure.call), default=lost)
            failure, stop = (failed.failure, failed.stop) if failed else (None, None)
            yield FacetReport(CONTRAST_FACET, failed is None, calls, failure, stop, counts=False)


_known_results: dict[object, RunResult] = {}  # results of plain answers; many students of a class hand in equal ones


def _result_key(setting: GradingContext, job: Job) -> object:
    """Return a key that is equal for plain answers with the same result: the policy, the judge and the definitions."""
    return setting.policy, job.assessor, tuple(each if isinstance(each.source, str) else each[:2] for each in job.plan)


def _cache_result(setting: GradingContext, job: Job, result: RunResult) -> None:
    """Cache the result of a plain answer for equal answers. A result that depends on a limit is not cached."""
    if job.is_plain and result.is_repeatable:
        if len(_known_results) >= MOST_KNOWN_RESULTS:
            _known_results.clear()
        _known_results[_result_key(setting, job)] = result


def run_together(setting: GradingContext, jobs: Sequence[Job]) -> list[RunResult | None]:
    """Run plain answers one after another in one child process, and return their results.

    The result is None for an answer that has to run alone, because it ended the child, reached a limit, or did not
    load. The limits are well below those for running alone, so an answer that is right here would also be right alone.
    The time of runs in a shared process is not part of the submission's budget.
    """
    policy, used = setting.policy, 0.0
    results = [_known_results.get(_result_key(setting, job)) for job in jobs]
    waiting = [index for index, result in enumerate(results) if result is None]
    seconds = min(
        SECONDS_PER_SHARED_PROCESS, policy.seconds_per_exercise, policy.seconds_per_submission // SHARE_OF_BUDGET
    )
    per_call = min(SECONDS_PER_SHORT_CALL, policy.seconds_per_call / SHARE_OF_CALL)
    while waiting and used < seconds:
        runs = [
            (run := jobs[index].requested_run(setting))._replace(setup=run.setup._replace(seconds=per_call))
            for index in waiting
        ]
        with setting.sandbox.child(seconds=max(1, int(seconds - used))) as child:
            child.send_last(packed_request(Request(setting.exam.unit.module.__name__, runs, per_call)))
            with suppress(ChildTooSlow, ChildTooLoud, EOFError, ValueError):
                while waiting:
                    index = waiting.pop(0)
                    results[index] = result = _receive_result(child, jobs[index])
                    if result:
                        _cache_result(setting, jobs[index], result)
        used += child.cpu_seconds
    return results


def _receive_result(child: Child, job: Job) -> RunResult | None:
    """Return the outcome of a child's next answer, or None if the answer must run alone.

    Raises EOFError if the child ended.
    """
    outcome = RunResult()
    if _has_loaded(child, outcome):
        for index in range(len(job.paper.facets)):
            outcome.frames.append((_receive_message(child), _receive_message(child)))
            _judge(job, outcome, index)
    _receive_message(child)
    return outcome if outcome.is_repeatable else None


def _receive_message(child: Child) -> bytes:
    if (message := child.receive()) is None:
        raise EOFError
    return message


def run_alone(setting: GradingContext, job: Job) -> RunResult:
    """Run an answer alone in a child process. If the child ends early, the remaining facets are not judged."""
    if job.is_plain and (known := _known_results.get(_result_key(setting, job))):
        return known
    outcome, facets = RunResult(), job.paper.facets
    with setting.budget.child(setting.sandbox) as child:
        child.send_last(packed_request(Request(setting.exam.unit.module.__name__, [job.requested_run(setting)])))
        try:
            if not _has_loaded(child, outcome):
                outcome.unloaded, outcome.endless = outcome.unloaded or child.end(), True
                return outcome
        except (ChildTooSlow, ChildTooLoud):
            outcome.unloaded = child.end()
            return outcome
        for index, facet in enumerate(facets):
            stop: FailedCall | OverBudget | None = None
            if (frames := _receive_frames(child)) is None:
                outcome.endless, stop = True, failed_call_for(Died(job.paper.exercise.name, child.end()))
            if setting.budget.seconds_left <= 0:
                stop = OverBudget()
            if stop or frames is None:
                late = stop if isinstance(stop, OverBudget) else NotRun()
                outcome.facets += (
                    facet_report(facet, stop),
                    *(facet_report(each, late) for each in facets[index + 1 :]),
                )
                return outcome
            outcome.frames.append(frames)
            _judge(job, outcome, index)
    _cache_result(setting, job, outcome)
    return outcome


def _has_loaded(child: Child, outcome: RunResult) -> bool:
    """Read the report on loading. Return whether the answer has been loaded."""
    match decode_strict_json(child.receive() or b""):
        case {"error": None, "helpers": list(helpers)}:
            for note in helpers[:MOST_REMARKS]:
                label, trouble = note if isinstance(note, list) and len(note) == 2 else ("?", None)
                outcome.helpers += (BrokenHelper(one_line(label, 60), child_error(trouble)),)
            return True
        case {"error": error}:
            outcome.unloaded = child_error(error)
    return False


def _receive_frames(child: Child) -> tuple[bytes, bytes] | None:
    with suppress(ChildTooSlow, ChildTooLoud, EOFError):
        return _receive_message(child), _receive_message(child)
    return None


def _judge(job: Job, outcome: RunResult, index: int) -> None:
    """Judge the last observations of an outcome, those of the facet with this index."""
    frame, notes = outcome.frames[-1]
    outcome.prints |= b'"printed"' in notes
    judged = job.assessor.judge_cached(index, frame, notes)
    outcome.endless |= judged.endless
    outcome.contrasts += [judged.contrast] if judged.contrast else []
    outcome.facets += (judged.report,)


SAMPLED_CALLS_PER_FACET = 24


@cache
def assessor_for_joint_runs(exam: Exam, name: str) -> Assessor:
    """Return the assessor for runs in which the learner's own functions call each other.

    The assessor has only a few of the exam's published calls.
    """
    paper = exam.by_name[name].published
    facets = []
    for facet in paper.facets:
        if facet.calls and not facet.joint:
            step = max(1, len(facet.calls) // SAMPLED_CALLS_PER_FACET)  # from the smallest to the largest
            few = dataclasses.replace(facet, calls=facet.calls[::step], expected=facet.expected[::step], contrasts=0)
            facets.append(few)
    return Assessor(exam, dataclasses.replace(paper, facets=tuple(facets)), exam.checks[name].invariant)


def notes_on_joint_runs(setting: GradingContext, reports: Iterable[ExerciseReport]) -> dict[str, OwnRunOutcome]:
    """Run right answers together with the learner's own wrong functions that these answers use.

    Return notes on the results. If an answer uses a missing function, its note names the function. After several
    endless calls, no more answers are run. Notes never change a mark. Nothing in the joint runs is secret, because the
    calls are published and references are used only for solved exercises.
    """
    right = [report.name for report in reports if report.state == PASSED]
    wrong = {report.name for report in reports if report.state != PASSED}
    notes, jobs = dict[str, OwnRunOutcome](), dict[str, Job]()
    for name in right:
        others = _used_exercises(setting, name)
        if missing := [other for other in others if other not in setting.submission.answers]:
            notes[name] = NeedsUnwrittenFunctions(tuple(missing))
        elif wrong & {*others} and (job := _joint_job(setting, name, others, right)):
            jobs[name] = job
    plain = {name: job for name, job in jobs.items() if job.is_plain and setting.may_share_process}
    outcomes, endless = dict[str, RunResult | None](), 0
    with suppress(BudgetSpent):
        outcomes |= zip(plain, run_together(setting, [*plain.values()]), strict=True)
    for name, job in jobs.items():
        outcome = outcomes.get(name)
        try:
            if outcome is None and (endless > MOST_ENDLESS_CALLS or setting.budget.seconds_left <= 0):
                notes[name] = NotRunWithOwnFunctions()
                continue
            outcome = outcome or run_alone(setting, job)
            endless += outcome.endless
            if outcome.passed:
                notes[name] = WorksWithOwnFunctions()
                continue
            blamed = [other for other in _used_exercises(setting, name) if other in wrong]
            # To blame are those that use no other wrong function.
            first = [each for each in blamed if not {*_used_exercises(setting, each)} & {*blamed} - {each}] or blamed
            notes[name] = FailsWithOwnFunctions(tuple(first), together=len(first) > 1)
        except BudgetSpent:
            notes[name] = NotRunWithOwnFunctions()
        except Exception:  # an error of the grader costs no points
            continue
    return notes


def _joint_job(setting: GradingContext, name: str, others: Iterable[str], right: Sequence[str]) -> Job | None:
    """Return the job that runs an answer with the learner's answers to `others`.

    Return None if the job needs the reference of an unsolved exercise.
    """
    assessor = assessor_for_joint_runs(setting.exam, name)
    plan = setting.plan({name, *others}, assessor.paper)
    is_open = setting.policy.lends_references or all(step.name in right for step in plan if step.is_reference)
    is_plain = not assessor.paper.modules and can_share_process(sources_of(plan), setting.exam.unit.module)
    return Job(assessor.paper, plan, assessor, is_plain) if is_open else None


def _used_exercises(setting: GradingContext, name: str) -> tuple[str, ...]:
    """Return the exercises that an answer uses, directly or through helpers."""
    met = reachable_from({name}, partial(_directly_used_exercises, setting)) - {name}
    return tuple(other for other in setting.submission.assigned if other in met)


def _directly_used_exercises(setting: GradingContext, name: str) -> set[str]:
    answer = setting.submission.answers.get(name)
    if answer is None:
        return set(setting.exam.unit.reached_exercises[name])
    helpers = setting.submission.helpers_for([answer.source])
    words = set().union(*(helper.uses for helper in helpers)) | global_names_in(answer.source)
    return words & set(setting.exam.unit.by_name)
