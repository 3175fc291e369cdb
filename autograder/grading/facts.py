"""The facts of a wrong answer's failing call: what decided it. They come from a process that decides nothing."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.exam.plan import setup_for
from autograder.grading.diagnosed import labeled_source
from autograder.grading.runs import Job, Setting
from autograder.sandbox.host import ChildTooLoud, ChildTooSlow, Limits, SandboxDied
from autograder.sandbox.inside.orders import FactsRequest, Step, packed
from course.diagnoses.failure import Failure
from course.exam.readable import from_inside, strict_json

LIMITS = Limits(cpu_seconds=2, wall_seconds=5.0, output_mb=1)
WATCHER = "inside.watcher", ("course.watch.watching", "course.watch.facts")
LONGEST_FACTS = 800


class FactFinder:
    """A finder of facts for one submission. After a process that did not answer, it looks for no more."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.is_lost = setting, False

    def facts(self, job: Job, failure: Failure) -> str:
        """Return what decided the outcome of a failing call of a job, or "" if that is unknown. The call runs again."""
        if self.is_lost or not failure.call:
            return ""
        try:
            self.is_lost, text = True, self._received(job, failure)
        except (SandboxDied, ChildTooSlow, ChildTooLoud, EOFError, ValueError):
            return ""
        self.is_lost = not isinstance(text, str)
        return from_inside(text, LONGEST_FACTS) if isinstance(text, str) else ""

    def _received(self, job: Job, failure: Failure) -> object:
        setting = self.setting
        setup = setup_for(setting.exam, job.plan, job.answer, setting.policy.seconds_per_call, job.paper.modules)
        shown = failure.source, str(failure.did), failure.wanted_code, failure.row
        request = FactsRequest(setting.exam.unit.module.__name__, setup, [*self._texts(job.plan)], *shown)
        with setting.sandbox.second(*WATCHER, LIMITS).child() as child:
            child.send_last(packed(request))
            return strict_json(child.receive() or b"")

    def _texts(self, plan: Iterable[Step]) -> Iterable[tuple[str, str]]:
        labels = dict.fromkeys(step.name for step in plan if step.source and isinstance(step.source, str))
        return ((label, labeled_source(self.setting.submission, label)) for label in labels)
