"""Run one exercise's answer, facet by facet, and hide what its author must not see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from autograder.exam.model import Paper
from autograder.exam.plan import Plan
from autograder.grading.beliefs import recognised
from autograder.grading.budget import Spent
from autograder.grading.memory import Verdict
from autograder.grading.session import Session, Setting
from autograder.grading.verdicts import load_failure
from autograder.report.model import ExerciseRemark, FacetReport, KnownMistake
from autograder.report.stops import BotLost, Hidden, NotLoaded, NotRun, Stop, stopped
from autograder.sandbox.cage import OFF
from autograder.sandbox.outcomes import CodeLine
from autograder.submission.model import Attempt
from autograder.submission.plain import find_construct
from course.diagnoses.failure import Failure
from course.exam.readable import one_line


class Ran(Struct, frozen=True):
    """The outcome of an answer: the reason why it stopped, or its facets and the known mistake that it makes.

    `load` is the failure of loading the cell. If `prints` is true, the answer printed something that it should not
    print.
    """

    stop: Stop | None = None
    facets: tuple[FacetReport, ...] = ()
    remarks: tuple[ExerciseRemark, ...] = ()
    mistake: KnownMistake | None = None
    digest: str = ""
    load: Failure | None = None
    prints: bool = False

    @property
    def is_right(self) -> bool:
        return self.passed and not self.stop

    @property
    def passed(self) -> bool:
        return all(facet.passed for facet in self.facets)


def trial_of(setting: Setting, answer: Attempt, plan: Plan, solved: frozenset[str]) -> Ran:
    """Return the outcome of an answer.

    Details are hidden that an author who has solved only these exercises may not see.
    """
    why = why_hidden(setting, plan, solved)
    try:
        tried = _tried(setting, setting.exam.by_name[answer.name], answer, plan)
    except Exception as error:
        if why and not isinstance(error, Spent):  # the message may come from the process of the answer
            raise RuntimeError(type(error).__name__) from None
        raise
    return censored(tried, why)


def _tried(setting: Setting, paper: Paper, answer: Attempt, plan: Plan) -> Ran:
    """Return the outcome of an answer, from the cache if possible. Only runs that ended normally are cached."""
    what = setting.run_of("exam of", answer.name, plan)
    if (cached := setting.recalled(what, plan)) is not None:
        return convert(cached, Ran)
    before = setting.budget.spent
    session, tried = _in_group(setting, paper, plan, answer) or _alone(setting, paper, plan, answer)
    if session.is_orderly and (tried.passed or not paper.contests):
        verdict = Verdict(to_builtins(tried), setting.budget.spent - before)
        setting.memory.keep(what, plan, verdict, session.depends_on_lines)
    return tried


def _in_group(setting: Setting, paper: Paper, plan: Plan, answer: Attempt) -> tuple[Session, Ran] | None:
    """Return the outcome of an answer that has run in a group; None if it has to run alone.

    Neighbors in a group could only change when a limit is reached, and which addresses are shown.
    """
    record = setting.group.records.get(answer.name) if setting.group else None
    if record is None or record.seconds >= setting.budget.left or record.shows_process:
        return None
    session = Session(setting, paper, plan, answer.name, record=record)
    try:
        ran = _run(session, answer)
    except ValueError:  # no JSON
        return None
    if session.unloaded or session.remarks or not session.is_orderly:
        return None
    setting.budget.charge(record.seconds)
    return session, ran


def _alone(setting: Setting, paper: Paper, plan: Plan, answer: Attempt) -> tuple[Session, Ran]:
    session = Session(setting, paper, plan, answer.name)
    return session, _run(session, answer)


def _run(session: Session, answer: Attempt) -> Ran:
    setting, paper = session.setting, session.paper
    facets = tuple(session.facets(paper.facets))
    if session.unloaded:
        load = load_failure(session.unloaded)
        return Ran(NotLoaded(session.unloaded), remarks=session.remarks, load=load)
    facets += (*session.contrast(paper.facets), *_contests(setting, paper, session.plan))
    tried = Ran(None, facets, session.remarks, prints=session.prints)
    if tried.passed:
        return tried
    tried = replace(tried, digest=session.digest)
    known = recognised(session.setting.exam.unit, paper, facets, session.records, answer.source)
    return replace(tried, mistake=KnownMistake(known.belief, known.truth)) if known else tried


def _contests(setting: Setting, paper: Paper, plan: Plan) -> Iterator[FacetReport]:
    """Yield the report on each contest. The bot runs in its own process, and receives one question at a time."""
    if not paper.contests:
        return
    from autograder.arena import contest
    from autograder.arena.held import unit_arena

    exercise, seconds, held = paper.exercise, setting.policy.seconds_per_call, unit_arena(setting.exam.unit)
    request, is_lost = held.request_for(plan, exercise.name, seconds, seconds), False
    with contest.sandbox_like(setting.sandbox, held.modules) as sandbox:
        children = partial(setting.budget.child, sandbox)
        for name in paper.contests:
            try:
                stop = NotRun() if is_lost else contest.play_contest(setting.exam, held, name, children, request)
            except Spent:
                stop = BotLost(exercise.name, None)
            is_lost = is_lost or isinstance(stop, BotLost)
            deals = setting.exam.checks[exercise.name].contests[name].deals
            yield FacetReport(name, stop is None, 0, stopped(stop).failure if stop else None, stop, 2 * deals)


def why_hidden(setting: Setting, plan: Plan, solved: frozenset[str]) -> Hidden | None:
    """Return why details must be hidden: the answer could read a reference that its author has not earned.

    Authors earn a reference by solving its exercise.
    """
    unsolved = [step.name for step in plan if step.is_reference and step.name not in solved]
    if not unsolved or setting.sandbox.level == OFF:
        return None
    sources = [(step.name, step.source) for step in plan if isinstance(step.source, str)]
    match = find_construct((source for _, source in sources), setting.exam.unit.module)
    if match is None:
        return None
    index, construct = match
    return Hidden(one_line(construct.code, 60), CodeLine(sources[index][0], construct.line), unsolved[0])


def censored(tried: Ran, why: Hidden | None) -> Ran:
    """Return an outcome. With a reason `why` to hide details, the outcome has no text from the answer's process."""
    if why is None:
        return tried
    if tried.is_right:
        return replace(tried, remarks=())
    hidden = stopped(why).failure
    facets = tuple(facet if facet.passed else replace(facet, failure=hidden, stop=why) for facet in tried.facets)
    return Ran(why if tried.stop else None, facets)
