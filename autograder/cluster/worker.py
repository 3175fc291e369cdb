"""Code that runs on Dask's workers: each has its own grading processes for a run, up to one per thread.

Before it gets work, a worker receives the policy and those course files that it lacks. Verdicts are shared between
workers, so that no answer is judged twice.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic

from autograder.config import Policy
from autograder.grading.batch import Learned, Task
from autograder.grading.marker import Brief, Likeness, Marker
from autograder.grading.memory import Recall, nothing
from autograder.submission.model import AssignmentPoints
from autograder.units.pack import PINNED, PINS, VARIABLE, pins_setting

MOST_VERDICTS = 20_000
FORGOTTEN_SECONDS = 3600


class NotEngaged(LookupError):
    """A worker without a setup for this run, because it was restarted."""


@dataclass(frozen=True)
class Engagement:
    """Everything that a worker needs for a run: terms, units and the course's own files."""

    run: str
    brief: Brief
    units: tuple[str, ...]
    packs: tuple[str, ...] = ()
    pins: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    relations: tuple[bytes, ...] = field(default=(), repr=False)
    recalls: bool = True


@dataclass(frozen=True)
class Sent:
    """A file for a worker to grade. Dask logs the `repr` of failing tasks, so it shows nothing about a student."""

    name: str = field(repr=False)
    parts: AssignmentPoints
    data: bytes = field(repr=False)


class Workplace:
    """A worker's state for a run: its grading processes, files and cached verdicts."""

    def __init__(self, engagement: Engagement) -> None:
        self.engagement, self.used, self.known = engagement, monotonic(), dict[str, str]()
        self.folder = TemporaryDirectory(prefix="foldem-run-")
        self._idle, self._all = SimpleQueue[Marker](), list[Marker]()
        self.brief = replace(engagement.brief, policy=self._policy())
        self.environment = self._environment()

    def _policy(self) -> Policy:
        """Return the policy, with the paths of relations on this machine."""
        policy, files = self.engagement.brief.policy, []
        for number, (each, text) in enumerate(zip(policy.relations, self.engagement.relations, strict=True)):
            files.append(replace(each, file=Path(self.folder.name, f"relation{number}.py")))
            files[-1].file.write_bytes(text)
        return replace(policy, relations=tuple(files))

    def _environment(self) -> dict[str, str]:
        """Return the environment of grading processes: packs on this machine and pinned files of the course."""
        here = os.pathsep.join(pack for pack in self.engagement.packs if Path(pack).is_dir())
        found = {name: text for name, text in os.environ.items() if name != PINS} | {VARIABLE: here}
        if not self.engagement.pins:
            return found
        (pinned := Path(self.folder.name, PINNED)).mkdir()
        for name, text in self.engagement.pins.items():
            (pinned / name).write_bytes(text)
        return found | {PINS: pins_setting(Path(self.folder.name))}

    @property
    def recall(self) -> Recall:
        return self.known.get if self.engagement.recalls else nothing

    def graded(self, sent: Sent) -> Learned:
        """Grade a file in a grading process, with its assignment's points."""
        self.used, marker = monotonic(), self._marker()
        try:
            with TemporaryDirectory(dir=self.folder.name) as place:
                path = Path(place, sent.name)
                path.write_bytes(sent.data)
                learned = marker.graded(Task(path, sent.parts), self.recall)
        finally:
            self._idle.put(marker)
        self.learn(learned.verdicts)
        return learned

    def likeness(self) -> Likeness:
        """Return the versions of its grading processes."""
        marker = self._marker()
        try:
            return marker.compared(self.engagement.units)
        finally:
            self._idle.put(marker)

    def _marker(self) -> Marker:
        try:
            return self._idle.get_nowait()
        except Empty:
            self._all.append(Marker(self.brief, self.environment))
            return self._all[-1]

    def learn(self, verdicts: Mapping[str, str]) -> None:
        """Cache these verdicts; very many replace the oldest."""
        self.known.update(verdicts)
        for key in list(self.known)[: max(0, len(self.known) - MOST_VERDICTS)]:
            self.known.pop(key, None)

    def dismiss(self) -> None:
        for marker in self._all:
            marker.dismiss()
        self.folder.cleanup()


WORKPLACES: dict[str, Workplace] = {}
ENGAGING = Lock()


async def engage(engagement: Engagement) -> Likeness:
    """Set this worker up for a run and return its versions. Raises NoSandbox if it cannot grade."""
    return await asyncio.to_thread(_engaged, engagement)


def _engaged(engagement: Engagement) -> Likeness:
    with ENGAGING:
        for run, workplace in list(WORKPLACES.items()):
            if monotonic() - workplace.used > FORGOTTEN_SECONDS:
                dismiss(run)
        if engagement.run not in WORKPLACES:
            WORKPLACES[engagement.run] = Workplace(engagement)
    return WORKPLACES[engagement.run].likeness()


def mark(run: str, sent: Sent) -> Learned:
    """Grade a file of a run."""
    if run not in WORKPLACES:
        raise NotEngaged(run)
    return WORKPLACES[run].graded(sent)


def learn(run: str, verdicts: Mapping[str, str]) -> None:
    """Be told what others have judged."""
    if run in WORKPLACES:
        WORKPLACES[run].learn(verdicts)


def dismiss(run: str) -> None:
    """Forget a run."""
    if workplace := WORKPLACES.pop(run, None):
        workplace.dismiss()
