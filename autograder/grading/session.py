"""Sessions: run one exercise's answer in sandboxed child processes, and return a verdict on each facet."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import starmap
from typing import NamedTuple

from msgspec.structs import replace

from autograder.config import Policy
from autograder.exam.model import CONTRAST, Exam, Facet, Paper
from autograder.exam.plan import Parted, Plan, common_orders, parted, planned, request, sources_of
from autograder.grading import verdicts
from autograder.grading.budget import Budget
from autograder.grading.judgement import OUT_OF_TIME, Assessed, Assessor, assessor_for, reported
from autograder.grading.memory import Memory
from autograder.grading.series import Series
from autograder.report.model import BrokenHelper, ExerciseRemark, ExtraPrinting, FacetReport
from autograder.report.stops import Died, FailedCall, NotRun, OverBudget, stopped
from autograder.sandbox.host import Child, ChildTooLoud, ChildTooSlow, Sandbox, Shared
from autograder.sandbox.imports import imported
from autograder.sandbox.inside.orders import ChildRequest, Request, Rest, StationRequest, packed
from autograder.sandbox.outcomes import ChildError, ChildExit, Exited, Raised, child_error
from autograder.submission.model import Helper, Submission
from autograder.submission.plain import find_construct
from course.exam.calls import FacetOrder
from course.exam.known import digest
from course.exam.readable import one_line, strict_json

MOST_NOTES = 20
FAULT = b'["fault",'


@dataclass(frozen=True)
class Setting:
    """A submission, the sandbox for its answers, and the exam and policy for judging them."""

    sandbox: Sandbox
    submission: Submission
    policy: Policy
    exam: Exam
    memory: Memory = field(default_factory=Memory)
    budget: Budget = field(default_factory=lambda: Budget(Policy().seconds_per_submission))
    group: AnswerGroup | None = None

    @property
    def form_share(self) -> float:
        return self.exam.unit.form_share if self.policy.form_share is None else self.policy.form_share

    @property
    def alone(self) -> Setting:
        """Return the setting for an answer that must not use what it sent from the group."""
        return dataclasses.replace(self, group=None)

    def relation_to(self, name: str) -> str:
        """Return a text that identifies a teacher's acceptance relations for an exercise, or ""."""
        return "".join(
            f" by {each.digest}" for each in self.policy.relations_to(self.exam.unit.name) if each.exercise == name
        )

    def run_of(self, what: str, name: str, plan: Plan) -> str:
        """Return a text that identifies a run for the cache, in addition to its plan.

        The text names modules that the plan imports and the sandbox lacks. Too many other imports can cause this.
        """
        lacking = [module for module in imported(sources_of(plan)) if module not in self.sandbox.imports]
        return f"{what} {name}{self.relation_to(name)}{f' without {lacking}' if lacking else ''}"

    def recalled(self, what: str, plan: Plan) -> object:
        """Return the cached outcome of a plan, and charge the budget for its run.

        Return None if there is none, or if the run would exceed the budget. Then the plan has to be run.
        """
        (verdict,) = self.memory.recalled([(what, plan)])
        if verdict is None or verdict.seconds >= self.budget.left:
            return None
        self.budget.charge(verdict.seconds)
        return verdict.outcome

    def plan(
        self,
        own: Iterable[str],
        paper: Paper,
        references: frozenset[str] | None = None,
        helpers: Sequence[Helper] | None = None,
    ) -> Plan:
        """Return the plan of definitions for an exercise. The exercises in `own` are answered by the learner.

        With `references`, only this exercise is the learner's. Otherwise the answers run together. They run with the
        helpers that they need, or with these `helpers`.
        """
        subject = "" if references is None else paper.exercise.name
        answers = {name: self.submission.answers[name].source for name in own}
        if helpers is None:
            helpers = self.submission.helpers_for(answers.values(), subject)
        return planned(self.exam, answers, helpers, paper.mentions, subject, references)


class Record(NamedTuple):
    """The messages that an answer sent from a group, and the CPU seconds that it used."""

    messages: tuple[bytes, ...]
    seconds: float

    @property
    def shows_process(self) -> bool:
        """Return whether a message shows an address or a limit of the process."""
        return any(sign in message for message in self.messages for sign in (b"0x", FAULT))


class Recorded:
    """A child that has already sent its messages."""

    def __init__(self, record: Record) -> None:
        self._messages = iter(record.messages)

    def send(self, data: bytes) -> None:
        """Ignore a message, because the child has ended."""

    def receive(self) -> bytes | None:
        """Return the next message, or None after the last one."""
        return next(self._messages, None)

    def end(self) -> ChildExit:
        """Return how the child ended."""
        return Exited(0)


@dataclass(frozen=True)
class AnswerGroup:
    """A submission's plain answers: what they share, the rest of each request, and what they sent when run together."""

    shared: Shared
    rests: Mapping[str, Rest]
    records: Mapping[str, Record]


class Session:
    """The runs of one exercise's answer: usually one child; after a crash, a second one to find the call.

    With a `record`, the answer has already run. With a `series`, it shares a child with other runs.

    `unloaded` is the reason why the cell failed to load: an exception, or the end of the child. If `endless` is true, a
    process did not end by itself. If `cut_short` is true, some calls were not made. If `names_lines` is true, a
    failure names a line or a cell. `assessor` judges the calls; runs with the learner's own functions have another one.
    """

    def __init__(
        self,
        setting: Setting,
        paper: Paper,
        plan: Plan,
        answer: str,
        assessor: Assessor | None = None,
        record: Record | None = None,
        series: Series | None = None,
    ) -> None:
        self.setting, self.paper, self.plan, self.answer = setting, paper, plan, answer
        self.record, self.series = record, series
        self.assessor, self.is_alone = assessor or assessor_for(setting.exam, answer), assessor is None
        self.unloaded: ChildError | ChildExit | None = None
        self.endless, self.cut_short, self.prints, self.names_lines = False, False, False, False
        self.contrasts: list[FailedCall] = []
        self.records: list[tuple[bytes, bytes]] = []
        self.remarks: tuple[ExerciseRemark, ...] = ()

    @property
    def digest(self) -> str:
        """Return a short text that is equal for answers with the same results."""
        digests = "|".join(starmap(digest, self.records))
        return sha256(digests.encode()).hexdigest()[:12]

    def facets(self, facets: tuple[Facet, ...], find_death: bool = True) -> Iterator[FacetReport]:
        """Yield the report on each facet; none if the answer's cell fails to load (see `unloaded`).

        If the process ends during a facet, `find_death` runs that facet again, and later facets are not run.
        """
        orders = self.paper.orders if facets is self.paper.facets else [self.paper.order(facet) for facet in facets]
        with self._child(facets, orders) as child:
            if not self._loaded(child):
                return
            for index, facet in enumerate(facets):
                frames = self._requested(orders[index], child) if self.series and index else self._frames(child)
                if self.setting.budget.left <= 0:
                    self.cut_short = True
                    yield from (reported(late, OverBudget()) for late in facets[index:])
                    return
                if frames is None:
                    died = Died(self.answer, self._end(child))
                    yield reported(facet, self._death(facet, orders[index], died) if find_death else died)
                    yield from (reported(late, NotRun()) for late in facets[index + 1 :])
                    return
                yield self._judge(facet, *frames)

    @property
    def is_orderly(self) -> bool:
        """Return whether the run ended normally, so that another run would have the same results."""
        return not self.endless and not self.cut_short

    @property
    def is_clean(self) -> bool:
        """Return whether the run ended normally, and no call reached a limit."""
        return self.is_orderly and not any(FAULT in observations for observations, _ in self.records)

    @property
    def depends_on_lines(self) -> bool:
        """Return whether the same code on other lines could have another outcome.

        Code that is not plain could look up its own lines.
        """
        return self.names_lines or find_construct(sources_of(self.plan), self.setting.exam.unit.module) is not None

    @contextmanager
    def _child(self, facets: tuple[Facet, ...], orders: list[FacetOrder]) -> Iterator[Child | Recorded]:
        """Provide a process that has received its request."""
        if self.record:
            yield Recorded(self.record)
            return
        if self.series:
            yield self.series.begin(self._request(orders[:1], self.plan))
            return
        shared, rest = self._request_parts(facets, orders)
        with self.setting.budget.child(self.setting.sandbox, shared) as child:
            child.send_last(packed(rest))
            yield child

    def _request_parts(
        self, facets: tuple[Facet, ...], orders: list[FacetOrder]
    ) -> tuple[Shared | None, Request | ChildRequest]:
        """Return the part of the request that other answers share, if any, and the rest."""
        group = self.setting.group
        if facets is self.paper.facets and self.is_alone:
            if group and self.answer in group.rests:
                return group.shared, ChildRequest([group.rests[self.answer]])
            parts = parted(self.setting.exam, self.plan, self.answer, self.paper.mentions)
            if parts and self.setting.sandbox.is_met_again(shared := self._shared(parts)):
                return shared, ChildRequest([Rest(parts.rest, self.answer)])
        return None, self._request(orders, self.plan)

    def _shared(self, parts: Parted) -> Shared:
        """Return the request that this child shares with the children of other answers."""
        exam, seconds = self.setting.exam, self.setting.policy.seconds_per_call
        names = tuple(step[:2] for step in (*parts.before, *parts.after))

        def read() -> bytes:
            orders, modules = self.paper.orders, self.paper.modules
            return packed(StationRequest([common_orders(exam, self.answer, parts, orders, seconds, modules)]))

        return Shared((exam, self.answer, names, seconds), read)

    def _request(self, orders: list[FacetOrder], plan: Plan, one_by_one: bool = False) -> Request:
        seconds, modules = self.setting.policy.seconds_per_call, self.paper.modules
        packed_request = request(self.setting.exam, plan, orders, answer=self.answer, seconds=seconds, modules=modules)
        return packed_request._replace(one_by_one=one_by_one)

    def _loaded(self, child: Child | Recorded) -> bool:
        try:
            report = strict_json(child.receive() or b"")
        except (ChildTooSlow, ChildTooLoud):
            self.unloaded, self.cut_short = child.end(), True
            return False
        match report:
            case {"error": None, "helpers": list(helpers)}:
                self.remarks = tuple(BrokenHelper(*_helper(each)) for each in helpers[:MOST_NOTES])
                self.names_lines |= bool(helpers)
                return True
            case {"error": error}:
                self.unloaded = child_error(error)
        self.cut_short |= self.unloaded == OUT_OF_TIME
        self.names_lines |= isinstance(self.unloaded, Raised)  # the message of a SyntaxError has a line, too
        self.unloaded = self.unloaded or self._end(child)
        return False

    def _end(self, child: Child | Recorded) -> ChildExit:
        """Return the reason why a child ended early."""
        self.endless = True
        return child.end()

    def _requested(self, order: FacetOrder, child: Child | Recorded) -> tuple[bytes, bytes] | None:
        """Request a later facet of a run in a series, and return its frames."""
        child.send(packed(self._request([order], [])))
        return self._frames(child)

    def _frames(self, child: Child | Recorded) -> tuple[bytes, bytes] | None:
        try:
            first = child.receive()
            second = None if first is None else child.receive()
        except (ChildTooSlow, ChildTooLoud):
            return None
        return None if first is None or second is None else (first, second)

    def _death(self, facet: Facet, order: FacetOrder, died: Died) -> FailedCall | Died:
        """Run the facet again, call by call, to find the call that ended the process."""
        count = 0
        if self.setting.budget.left < 1:
            return died
        with self.setting.budget.child(self.setting.sandbox) as again:
            again.send_last(packed(self._request([order], self.plan, one_by_one=True)))
            if not self._loaded(again):
                return died
            while count < len(facet.calls) and self._frames(again) is not None:
                count += 1
            if count == len(facet.calls):
                return replace(died, many=True)
            failure = verdicts.call_failure(self.setting.exam, self.paper, facet.calls[count])
            return verdicts.without_value(failure, self._end(again))

    def _judge(self, facet: Facet, frame: bytes, notes: bytes) -> FacetReport:
        self._remark_on_printing(notes)
        self.records.append((frame, notes))
        judged = self._judged(facet, frame, notes)
        self.endless |= judged.endless
        self.cut_short |= judged.cut_short
        self.names_lines |= judged.names_lines
        self.contrasts += [judged.contrast] if judged.contrast else []
        return judged.report

    def _judged(self, facet: Facet, frame: bytes, notes: bytes) -> Assessed:
        for index, each in enumerate(self.assessor.paper.facets):
            if each is facet:
                return self.assessor.judged(index, frame, notes)
        return self.assessor.judge(facet, frame, notes)

    def contrast(self, facets: tuple[Facet, ...]) -> Iterator[FacetReport]:
        """Yield the report on the contrast calls, if there are any, with the smallest failing call."""
        if calls := sum(facet.contrasts for facet in facets):
            lost = stopped(NotRun()) if len(self.records) < len(facets) else None
            failed = min(self.contrasts, key=lambda failed: len(failed.failure.call), default=lost)
            failure, stop = (failed.failure, failed.stop) if failed else (None, None)
            yield FacetReport(CONTRAST, failed is None, calls, failure, stop, counts=False)

    def _remark_on_printing(self, notes: bytes) -> None:
        if b'"printed"' in notes and not self.prints:
            self.prints = True
            self.remarks += (ExtraPrinting(),)


def _helper(note: object) -> tuple[str, ChildError | None]:
    label, error = note if isinstance(note, list) and len(note) == 2 else ("?", None)
    return one_line(label, 60), child_error(error)
