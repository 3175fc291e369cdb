"""Sessions: the runs of one exercise's answer in sandboxed children, and the verdict on each facet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import starmap
from operator import eq
from typing import Any

from autograder.config import Policy
from autograder.exam.known import Known, digest
from autograder.exam.model import CONTRAST, Call, Exam, Facet, Paper
from autograder.exam.plan import Plan, packed, planned, request
from autograder.grading import verdicts
from autograder.grading.memory import Memory
from autograder.report.model import FacetReport
from autograder.sandbox.host import ChildTooLoud, ChildTooSlow, Sandbox
from autograder.sandbox.inside import runner, wire
from autograder.submission.model import Submission, needed_helpers
from autograder.text import from_inside, one_line, printable, strict_json
from course.failure import Failure

NOT_RUN = "not run, because the process had ended"
SAMPLE = 24
MOST_HELPERS = 20
TOO_SLOW = runner.FAULTS[runner.TimeUp]
LATE = ["fault", TOO_SLOW]


def recognised(paper: Paper, facets: Iterable[FacetReport], seen: Iterable[tuple[bytes, bytes]]) -> Known | None:
    """Give the common mistake that gives the same wherever the answer is wrong: the one that is most like it."""
    if not paper.mistakes:
        return None
    digests = tuple(starmap(digest, seen))
    failed = [place for place, facet in enumerate(facets) if facet.counts and not facet.passed]
    found = [known for known in paper.mistakes if known.explains(digests, failed)]
    return max(found, key=lambda known: sum(map(eq, known.digests, digests)), default=None)


def sample(paper: Paper) -> tuple[Facet, ...]:
    """Give a cheap part of a paper: of each facet a few calls, spread from the smallest to the largest."""
    return tuple(_thinned(facet) for facet in paper.facets if not facet.whole)


def _thinned(facet: Facet) -> Facet:
    step = max(1, len(facet.calls) // SAMPLE)
    return Facet(facet.name, facet.calls[::step], facet.expected[::step])


Invariant = Callable[[Any, Any, Any], str | None]


@dataclass(frozen=True)
class Setting:
    """A submission, what its answers are run in, and what they are judged by."""

    sandbox: Sandbox
    submission: Submission
    policy: Policy
    exam: Exam
    memory: Memory = field(default_factory=Memory)

    @property
    def form_share(self) -> float:
        return self.exam.unit.form_share if self.policy.form_share is None else self.policy.form_share

    def plan(self, own: Iterable[str], paper: Paper) -> Plan:
        """Give how everything is defined that a paper needs: these exercises by the learner's own answers."""
        answers = {name: self.submission.answers[name].source for name in own}
        return planned(self.exam, answers, needed_helpers(self.submission, answers.values()), paper.mentions)


class Session:
    """The runs of one exercise's answer: usually a single child; another where a child died, to find the call."""

    def __init__(
        self, setting: Setting, paper: Paper, plan: Plan, answer: str, invariant: Invariant | None = None
    ) -> None:
        self.setting, self.paper, self.plan, self.answer, self.invariant = setting, paper, plan, answer, invariant
        self.problem, self.endless = "", False
        self.contrasts: list[Failure] = []
        self.seen: list[tuple[bytes, bytes]] = []
        self.remarks: tuple[str, ...] = ()

    def facets(self, facets: tuple[Facet, ...], find_death: bool = True) -> Iterator[FacetReport]:
        """Give the report on each facet; none if the answer's cell does not even load (then `problem` says why).

        If the process ends in one, that one is run again to `find_death`, and those after it are not run.
        """
        orders = self.paper.orders if facets is self.paper.facets else [self.paper.order(facet) for facet in facets]
        with self.setting.sandbox.child() as child:
            child.send(packed(self._request(orders)))
            if not self._loaded(child):
                return
            for index, facet in enumerate(facets):
                frames = self._frames(child)
                if frames is None:
                    end = self._end(child)
                    yield _reported(facet, self._death(facet, orders[index], end) if find_death else Failure(did=end))
                    yield from (_reported(late, Failure(did=NOT_RUN)) for late in facets[index + 1 :])
                    return
                yield self._judge(facet, *frames)

    def is_orderly(self, facets: Iterable[FacetReport]) -> bool:
        """Tell whether the run came to its end, so that it would come to the same another time."""
        told = [self.problem, *(facet.verdict for facet in facets)]
        return not self.endless and not any(TOO_SLOW in line or NOT_RUN in line for line in told)

    def _request(self, orders: list[dict[str, Any]], one_by_one: bool = False) -> dict[str, Any]:
        seconds = self.setting.policy.seconds_per_call
        return request(
            self.setting.exam,
            self.answer,
            self.plan,
            orders,
            seconds=seconds,
            one_by_one=one_by_one,
            modules=self.paper.modules,
        )

    def _loaded(self, child: Any) -> bool:
        try:
            report = strict_json(child.receive() or b"")
        except (ChildTooSlow, ChildTooLoud) as late:
            report = {"error": str(late)}
        match report:
            case {"error": None, "helpers": list(helpers)}:
                pairs = map(_pair, helpers[:MOST_HELPERS])
                self.remarks = tuple(f"helper in {label}: {story}" for label, story in pairs)
                return True
            case {"error": str(story)}:
                self.problem = f"its cell fails when run: {from_inside(story)}"
            case _:
                self.problem = f"its cell fails when run: it {self._end(child)}"
        return False

    def _end(self, child: Any) -> str:
        """Say how a process ended before its time."""
        end = child.end()
        self.endless = True
        if end.status == runner.IGNORED_THE_LIMIT:
            return TOO_SLOW
        return end.said

    def _frames(self, child: Any) -> tuple[bytes, bytes] | None:
        try:
            first = child.receive()
            second = child.receive() if first is not None else None
        except (ChildTooSlow, ChildTooLoud):
            return None
        return None if second is None else (first, second)

    def _death(self, facet: Facet, order: dict[str, Any], end: str) -> Failure:
        """Run the facet again, a frame per call, to name the call that the process did not survive."""
        seen = 0
        with self.setting.sandbox.child() as again:
            again.send(packed(self._request([order], one_by_one=True)))
            if not self._loaded(again):
                return Failure(did=f"{self.answer} {end}")
            while seen < len(facet.calls) and self._frames(again) is not None:
                seen += 1
            if seen == len(facet.calls):
                return Failure(did=f"{self.answer} {end}, in so many calls")
            return verdicts.call_failure(self.setting.exam, self.paper, facet.calls[seen], self._end(again))

    def _judge(self, facet: Facet, frame: bytes, notes: bytes) -> FacetReport:
        self._remark_on_printing(notes)
        self.seen.append((frame, notes))
        if frame == facet.frame and not facet.whole:
            return _reported(facet, None)
        trees, told = strict_json(frame), strict_json(notes)
        if not isinstance(trees, list) or not isinstance(told, dict):
            return _reported(facet, Failure(did="its process sent something that is no observation"))
        self.endless |= trees[-1:] == [LATE]
        if facet.whole:
            return _reported(facet, self._whole(facet, trees))
        index, failure = self._refused(facet, trees, told) or (0, None)
        if failure is None or index < facet.own:
            return _reported(facet, failure)
        self.contrasts.append(failure)
        return FacetReport(facet.name, False, facet.own)

    def contrast(self, facets: tuple[Facet, ...]) -> Iterator[FacetReport]:
        """Give the report on what was asked for contrast, if anything was: with the smallest call that failed."""
        if calls := sum(facet.contrasts for facet in facets):
            lost = Failure(did=NOT_RUN) if len(self.seen) < len(facets) else None
            failure = min(self.contrasts, key=lambda failure: len(failure.call), default=lost)
            yield FacetReport(CONTRAST, failure is None, calls, failure, counts=False)

    def _refused(self, facet: Facet, trees: list[Any], notes: dict[str, Any]) -> tuple[int, Failure] | None:
        """Give the first call of a facet that is refused, by its place, and why."""
        for index, (call, expected) in enumerate(zip(facet.calls, facet.expected, strict=True)):
            if index >= len(trees):
                return index, Failure(did=NOT_RUN)
            if failure := self._refusal(call, expected, trees[index], notes.get(str(index))):
                return index, failure
        return None

    def _refusal(self, call: Call, expected: str, tree: Any, note: Any) -> Failure | None:
        exam = self.setting.exam
        strange = not wire.fits(tree) or tree == LATE
        if self.invariant is None or strange or wire.text_of(tree) == expected:
            return verdicts.refusal(exam, self.paper, call, expected, tree, note)
        try:
            told = self.invariant(exam.case(call), exam.observation(json.loads(expected)), exam.observation(tree))
        except Exception as error:
            told = f"is no such outcome ({type(error).__name__})"
        return Failure(did=told) if told else None

    def _whole(self, facet: Facet, trees: list[Any]) -> Failure | None:
        exam, name = self.setting.exam, self.paper.exercise.name
        judge = exam.checks.FACETS[name][facet.name].judge
        try:
            observations = tuple(exam.observation(tree) for tree in trees if wire.fits(tree))
            if faults := [seen for seen in observations if seen.fault or seen.raised]:
                return Failure(did=f"{name} {faults[0].fault or f'raised {faults[0].raised}'}")
            reason = judge(observations) if len(observations) == len(facet.calls) else NOT_RUN
        except Exception as error:
            reason = f"gave something that cannot be judged ({type(error).__name__})"
        return Failure(did=printable(f"{name}: {reason}")) if reason else None

    def _remark_on_printing(self, notes: bytes) -> None:
        if b'"printed"' in notes and not any("prints" in remark for remark in self.remarks):
            self.remarks += ("it prints something, which is not part of what it should do (this costs nothing)",)


def _reported(facet: Facet, failure: Failure | None) -> FacetReport:
    return FacetReport(facet.name, failure is None, facet.own, failure)


def _pair(item: Any) -> tuple[str, str]:
    label, story = item if isinstance(item, list) and len(item) == 2 else ("?", "")
    return one_line(label, 60), from_inside(story)
