"""Grading: a submission and an exam become a report.

Each exercise's answer is run in a sandboxed child of its own, with the reference for every other exercise, so
that an early mistake costs its own points only. A second, cheap round runs the learner's functions together
and names the one at fault where they do not fit; it never changes a mark.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from itertools import combinations, starmap
from operator import eq
from typing import Any

from autograder import form, verdicts
from autograder.exams import EXAMPLES, Call, Exam, Facet, Known, Paper, digest, exam_for, packed, request
from autograder.mistakes import is_placeholder
from autograder.reports import (
    PASSED,
    PUBLISHED,
    UNGRADED,
    UNWRITTEN,
    WRONG,
    ExerciseReport,
    FacetReport,
    Policy,
    Report,
)
from autograder.sandbox.host import ChildTooLoud, ChildTooSlow, Limits, Sandbox, SandboxDied
from autograder.sandbox.inside import runner, wire
from autograder.submission import Answer, Submission, names_in, needed_helpers
from autograder.text import from_inside, one_line, printable, strict_json
from autograder.unit import Exercise, read_unit

NOT_RUN = "not run, because the process had ended"
NOT_TRIED = "not tried with your own functions: too many of them do not come to an end"
SAMPLE = 24
MOST_ENDLESS = 3
MOST_HELPERS = 20
TOO_SLOW = runner.FAULTS[runner.TimeUp]
LATE = ["fault", TOO_SLOW]
Plan = list[tuple[Any, ...]]


def installed_version() -> str:
    """Give the version of this package, "0" where it is not installed."""
    try:
        return version("foldem")
    except PackageNotFoundError:
        return "0"


def grade(submission: Submission, policy: Policy | None = None) -> Report:
    """Give the report on a submission; NoSandbox if this machine has none and the policy does not say `off`."""
    policy = policy or Policy()
    with open_sandbox(submission.unit.name, policy) as sandbox:
        return grade_in(sandbox, submission, policy)


def open_sandbox(unit_name: str, policy: Policy) -> Sandbox:
    """Give a sandbox for one submission to a unit."""
    limits = Limits(
        cpu_seconds=policy.seconds_per_exercise,
        wall_seconds=3 * policy.seconds_per_exercise + 5,
        memory_mb=policy.memory_mb,
    )
    unit = read_unit(unit_name)
    return Sandbox((unit.module.__name__,), limits, policy.sandbox, withheld=unit.withheld)


def grade_in(sandbox: Sandbox, submission: Submission, policy: Policy) -> Report:
    """Give the report on a submission that is run in an open sandbox."""
    unit = submission.unit
    run = _Run(sandbox, submission, policy, exam_for(unit.name, policy.seed))
    chosen = [exercise for exercise in unit.exercises if exercise.name in (policy.exercises or submission.assigned)]
    exercises = run.with_own_functions([run.exercise(exercise) for exercise in chosen])
    level = sandbox.level
    return Report(
        unit.name, unit.title, installed_version(), seed_shown(policy), level, tuple(exercises), submission.remarks
    )


def seed_shown(policy: Policy) -> str:
    """Give the seed as a report names it: a secret one is not told."""
    return policy.seed if policy.seed == PUBLISHED else "secret"


class _Run:
    """One submission being graded."""

    def __init__(self, sandbox: Sandbox, submission: Submission, policy: Policy, exam: Exam) -> None:
        self.sandbox, self.submission, self.policy, self.exam = sandbox, submission, policy, exam
        self.form_share = exam.unit.form_share if policy.form_share is None else policy.form_share
        self.endless = 0

    def exercise(self, exercise: Exercise) -> ExerciseReport:
        """Give the report on one exercise; a fault of the grader is "ungraded", never a zero."""
        answer = self.submission.answers[exercise.name]
        blank = ExerciseReport(exercise.name, exercise.number, UNWRITTEN, 0.0, exercise.points, remarks=answer.remarks)
        if not answer.is_written:
            state = UNWRITTEN if answer.problem == "not written yet" or "is missing" in answer.problem else WRONG
            return replace(blank, state=state, problem=answer.problem)
        try:
            return self._judged(blank, exercise, answer)
        except SandboxDied as error:
            return replace(blank, state=UNGRADED, problem=f"the sandbox failed: {error}")
        except Exception as error:
            return replace(blank, state=UNGRADED, problem=f"a fault of the grader: {fault_of(error)}")

    def _judged(self, blank: ExerciseReport, exercise: Exercise, answer: Answer) -> ExerciseReport:
        paper = self.exam.papers[exercise.name]
        session = Session(self, paper, self.plan({exercise.name}, paper.mentions), exercise.name)
        facets = tuple(session.facets(paper.facets))
        if session.problem:
            return replace(blank, state=WRONG, problem=session.problem, remarks=blank.remarks + session.remarks)
        facets += tuple(self._contests(paper, session.plan))
        helpers = needed_helpers(self.submission, [answer.source])
        findings = form.review(self.exam.unit, exercise, answer.source, helpers)
        passed = all(facet.passed for facet in facets)
        report = replace(blank, state=PASSED if passed else WRONG, facets=facets, form=findings)
        report = replace(report, remarks=report.remarks + session.remarks)
        if not passed and not is_placeholder(answer.source) and (known := recognised(paper, facets, session.seen)):
            report = replace(report, belief=known.belief, truth=known.truth)
        return self.marked(report, exercise)

    def _contests(self, paper: Paper, plan: Plan) -> Iterator[FacetReport]:
        """Give the report on each contest; the bot's process is another one, which is asked question by question."""
        if not paper.contests:
            return
        from autograder import contest
        from autograder.contestants import order_for

        exercise, seconds = paper.exercise, self.policy.seconds_per_call
        order, lost = order_for(plan, exercise.name, seconds, seconds), ""
        with contest.sandbox_like(self.sandbox) as sandbox:
            for name in paper.contests:
                entry = self.exam.checks.CONTESTS[exercise.name][name]
                seeds = contest.deals_of(entry, exercise, name, self.exam.seed)
                try:
                    told = lost or contest.held(entry, seeds, exercise, sandbox, order)
                except contest.Lost as error:
                    told, lost = f"{exercise.name}: the bot that it gives {error}", NOT_RUN
                yield FacetReport(name, not told, 0, printable(told), sets=2 * entry.deals)

    def marked(self, report: ExerciseReport, exercise: Exercise) -> ExerciseReport:
        """Give the report with its points: results by the share of facets, at most half if an example fails; form."""
        form_of = self.form_share * exercise.points
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

    def plan(self, own: Iterable[str], mentions: Iterable[str]) -> Plan:
        """Give how everything that is needed is defined, in order: the answers in `own`, helpers, references."""
        own = set(own)
        sources = [self.submission.answers[name].source for name in own]
        helpers = needed_helpers(self.submission, sources)
        words = set().union(mentions, *map(names_in, sources), *(helper.uses for helper in helpers))
        needed = own | self.exam.unit.with_needs(words - own)
        steps: list[tuple[int, int, tuple[Any, ...]]] = [(h.behind, 1, ("helper", h.label, h.source)) for h in helpers]
        for name, exercise in self.exam.unit.by_name.items():
            if name not in needed:
                continue
            code = self.submission.answers[name].source if name in own else self.exam.codes[name]
            steps.append((exercise.number, 0, ("answer" if name in own else "reference", name, code)))
        return [step for _, _, step in sorted(steps, key=lambda step: step[:2])]

    def with_own_functions(self, reports: list[ExerciseReport]) -> list[ExerciseReport]:
        """Give the reports with what is to be said of each exercise that works, run among the learner's functions."""
        return [replace(report, own=self._guarded_own(report, reports)) for report in reports]

    def _guarded_own(self, report: ExerciseReport, reports: list[ExerciseReport]) -> str:
        """Give what is to be said of an exercise, nothing where the grader is at fault: it would cost no point."""
        try:
            return self._own(report, reports)
        except Exception:
            return ""

    def _own(self, report: ExerciseReport, reports: list[ExerciseReport]) -> str:
        if report.state != PASSED or all(other.state == PASSED for other in reports):
            return ""
        others = self.own_others.get(report.name, ())
        if missing := [name for name in others if not self.submission.answers[name].is_written]:
            return f"waits for {', '.join(missing)}"
        wrong = {r.name for r in reports if r.state != PASSED}
        if not wrong & set(others):
            return ""
        if self.endless >= MOST_ENDLESS:
            return NOT_TRIED
        return self._fit(report.name, others, [name for name in others if name in wrong])

    def _fit(self, name: str, others: tuple[str, ...], wrong: list[str]) -> str:
        """Name the one at fault: those that are wrong by themselves are tried first, and in pairs only they."""
        if self._fits(name, others):
            return "works with your own functions"
        right = [other for other in others if other not in wrong]
        for suspects in [*((other,) for other in wrong + right), *combinations(wrong, 2)]:
            if not self._fits(name, suspects):
                return f"does not work with your own {' and '.join(suspects)}"
        return f"does not work with your own {', '.join(others)} together"

    def _fits(self, name: str, others: Iterable[str]) -> bool:
        paper = self.exam.papers[name]
        invariant = getattr(self.exam.checks, "INVARIANTS", {}).get(name)
        session = Session(self, paper, self.plan({name, *others}, paper.mentions), name, invariant)
        fits = all(facet.passed for facet in session.facets(sample(paper), find_death=False)) and not session.problem
        self.endless += session.endless
        return fits

    @cached_property
    def own_others(self) -> dict[str, tuple[str, ...]]:
        """The exercises that each answer reaches, through the learner's own answers and helpers."""
        answers = self.submission.answers
        return {name: tuple(self._reached(name)) for name, answer in answers.items() if answer.is_written}

    def _reached(self, name: str) -> Iterator[str]:
        reached, todo = {name}, [name]
        while todo:
            fresh = self._named(todo.pop()) - reached
            reached |= fresh
            todo += fresh
        return (other for other in self.submission.assigned if other in reached - {name})

    def _named(self, name: str) -> set[str]:
        source = self.submission.answers[name].source
        if not source:
            return set(self.exam.unit.reached[name])
        helpers = needed_helpers(self.submission, [source])
        words = set().union(*(helper.uses for helper in helpers)) | names_in(source)
        return words & set(self.exam.unit.by_name)


def recognised(paper: Paper, facets: Iterable[FacetReport], seen: Iterable[tuple[bytes, bytes]]) -> Known | None:
    """Give the common mistake that gives the same wherever the answer is wrong: the one that is most like it."""
    if not paper.mistakes:
        return None
    digests = tuple(starmap(digest, seen))
    failed = [place for place, facet in enumerate(facets) if not facet.passed]
    found = [known for known in paper.mistakes if known.explains(digests, failed)]
    return max(found, key=lambda known: sum(map(eq, known.digests, digests)), default=None)


def sample(paper: Paper) -> tuple[Facet, ...]:
    """Give a cheap part of a paper: of each facet a few calls, spread from the smallest to the largest."""
    return tuple(_thinned(facet) for facet in paper.facets if not facet.whole)


def _thinned(facet: Facet) -> Facet:
    step = max(1, len(facet.calls) // SAMPLE)
    return Facet(facet.name, facet.calls[::step], facet.expected[::step])


Invariant = Callable[[Any, Any, Any], str | None]


class Session:
    """The runs of one exercise's answer: usually a single child; another where a child died, to find the call."""

    def __init__(self, run: _Run, paper: Paper, plan: Plan, answer: str, invariant: Invariant | None = None) -> None:
        self.run, self.paper, self.plan, self.answer, self.invariant = run, paper, plan, answer, invariant
        self.problem, self.endless = "", False
        self.seen: list[tuple[bytes, bytes]] = []
        self.remarks: tuple[str, ...] = ()

    def facets(self, facets: tuple[Facet, ...], find_death: bool = True) -> Iterator[FacetReport]:
        """Give the report on each facet; none if the answer's cell does not even load (then `problem` says why).

        If the process ends in one, that one is run again to `find_death`, and those after it are not run.
        """
        orders = self.paper.orders if facets is self.paper.facets else [self.paper.order(facet) for facet in facets]
        with self.run.sandbox.child() as child:
            child.send(packed(self._request(orders)))
            if not self._loaded(child):
                return
            for index, facet in enumerate(facets):
                frames = self._frames(child)
                if frames is None:
                    end = self._end(child)
                    yield _reported(facet, self._death(facet, orders[index], end) if find_death else end)
                    yield from (_reported(late, NOT_RUN) for late in facets[index + 1 :])
                    return
                yield self._judge(facet, *frames)

    def _request(self, orders: list[dict[str, Any]], one_by_one: bool = False) -> dict[str, Any]:
        seconds = self.run.policy.seconds_per_call
        return request(
            self.run.exam,
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

    def _death(self, facet: Facet, order: dict[str, Any], end: str) -> str:
        """Run the facet again, a frame per call, to name the call that the process did not survive."""
        seen = 0
        with self.run.sandbox.child() as again:
            again.send(packed(self._request([order], one_by_one=True)))
            if not self._loaded(again):
                return f"{self.answer} {end}"
            while seen < len(facet.calls) and self._frames(again) is not None:
                seen += 1
            if seen == len(facet.calls):
                return f"{self.answer} {end}, in so many calls"
            return f"{verdicts.call_code(self.run.exam, self.paper, facet.calls[seen])} {self._end(again)}"

    def _judge(self, facet: Facet, frame: bytes, notes: bytes) -> FacetReport:
        self._remark_on_printing(notes)
        self.seen.append((frame, notes))
        if frame == facet.frame and not facet.whole:
            return _reported(facet, "")
        trees, stories = strict_json(frame), strict_json(notes)
        if not isinstance(trees, list) or not isinstance(stories, dict):
            return _reported(facet, "its process sent something that is no observation")
        self.endless |= trees[-1:] == [LATE]
        return _reported(facet, self._whole(facet, trees) if facet.whole else self._refused(facet, trees, stories))

    def _refused(self, facet: Facet, trees: list[Any], stories: dict[str, Any]) -> str:
        for index, (call, expected) in enumerate(zip(facet.calls, facet.expected, strict=True)):
            if index >= len(trees):
                return NOT_RUN
            verdict = self._refusal(call, expected, trees[index], stories.get(str(index)))
            if verdict:
                return verdict
        return ""

    def _refusal(self, call: Call, expected: str, tree: Any, story: Any) -> str | None:
        exam = self.run.exam
        strange = not wire.fits(tree) or tree == LATE
        if self.invariant is None or strange or wire.text_of(tree) == expected:
            return verdicts.refusal(exam, self.paper, call, expected, tree, story)
        try:
            return self.invariant(exam.case(call), exam.observation(json.loads(expected)), exam.observation(tree))
        except Exception as error:
            return f"is no such outcome ({type(error).__name__})"

    def _whole(self, facet: Facet, trees: list[Any]) -> str:
        exam, name = self.run.exam, self.paper.exercise.name
        judge = exam.checks.FACETS[name][facet.name].judge
        try:
            observations = tuple(exam.observation(tree) for tree in trees if wire.fits(tree))
            if faults := [seen for seen in observations if seen.fault or seen.raised]:
                return f"{name} {faults[0].fault or f'raised {faults[0].raised}'}"
            reason = judge(observations) if len(observations) == len(facet.calls) else NOT_RUN
        except Exception as error:
            reason = f"gave something that cannot be judged ({type(error).__name__})"
        return f"{name}: {reason}" if reason else ""

    def _remark_on_printing(self, notes: bytes) -> None:
        if b'"printed"' in notes and not any("prints" in remark for remark in self.remarks):
            self.remarks += ("it prints something, which is not part of what it should do (this costs nothing)",)


def _reported(facet: Facet, verdict: str | None) -> FacetReport:
    return FacetReport(facet.name, not verdict, len(facet.calls), printable(verdict or ""))


def fault_of(error: Exception) -> str:
    """Give an exception of ours as one line."""
    return from_inside(f"{type(error).__name__}: {error}")


def _pair(item: Any) -> tuple[str, str]:
    label, story = item if isinstance(item, list) and len(item) == 2 else ("?", "")
    return one_line(label, 60), from_inside(story)
