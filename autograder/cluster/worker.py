"""Code that runs on Dask's workers. For each run, a worker has grading processes, at most one per thread.

Before a worker gets work, it receives the policy and the course files that it lacks.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic

from autograder.config import Policy
from autograder.grading.batch import FileOutcome, GradingBrief, GradingEnvironment, Pool, Task
from autograder.submission.model import AssignmentPoints
from autograder.units.pack import PINNED, Catalogue, installed_catalogue
from autograder.units.unit import read_unit
from course.limits import FORGOTTEN_SECONDS


@dataclass(frozen=True)
class RunSetup:
    """Everything that a worker needs for a run: policy, units and the course's files.

    The packs are installed on the worker's machine. So their paths, and the unit to grade, are sent as names.
    """

    run: str
    policy: Policy
    units: tuple[str, ...]
    wanted: str | None = None
    packs: tuple[str, ...] = ()
    pins: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    relations: tuple[bytes, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class SentFile:
    """A file for a worker to grade. Dask logs its `repr`, which contains nothing about a student."""

    name: str = field(repr=False)
    parts: AssignmentPoints
    data: bytes = field(repr=False)


class WorkerState:
    """A worker's state during a run: its grading processes and files."""

    def __init__(self, engagement: RunSetup) -> None:
        self.engagement, self.used = engagement, monotonic()
        self.folder = TemporaryDirectory(prefix="foldem-run-")
        catalogue = self._catalogue()
        wanted = read_unit(catalogue, engagement.wanted) if engagement.wanted else None
        self.pool = Pool(GradingBrief(self._policy(), catalogue, wanted), os.cpu_count() or 1)

    def _policy(self) -> Policy:
        """Return the policy, with the paths that relations have on this machine."""
        policy, files = self.engagement.policy, []
        for number, (each, text) in enumerate(zip(policy.relations, self.engagement.relations, strict=True)):
            files.append(replace(each, file=Path(self.folder.name, f"relation{number}.py")))
            files[-1].file.write_bytes(text)
        return replace(policy, relations=tuple(files))

    def _catalogue(self) -> Catalogue:
        """Return the packs on this machine, with the pinned files of the course."""
        here = [Path(pack) for pack in self.engagement.packs if Path(pack).is_dir()]
        catalogue, root = installed_catalogue().with_packs(here), Path(self.folder.name)
        if not self.engagement.pins:
            return catalogue
        (root / PINNED).mkdir()
        for name, text in self.engagement.pins.items():
            (root / PINNED / name).write_bytes(text)
        return catalogue.pinned(root)

    def graded(self, sent: SentFile) -> FileOutcome:
        """Grade a file in a grading process, with its assignment's points."""
        self.used = monotonic()
        with TemporaryDirectory(dir=self.folder.name) as scratch:
            path = Path(scratch, sent.name)
            path.write_bytes(sent.data)
            return self.pool.begin(Task(path, sent.parts)).result()

    def dismiss(self) -> None:
        self.pool.dismiss()
        self.folder.cleanup()


WORKPLACES: dict[str, WorkerState] = {}
ENGAGING = Lock()


async def engage(engagement: RunSetup) -> GradingEnvironment:
    """Set up this worker for a run, and return its versions. Raises NoSandbox if it cannot grade."""
    return await asyncio.to_thread(_set_up, engagement)


def _set_up(engagement: RunSetup) -> GradingEnvironment:
    with ENGAGING:
        for run, workplace in list(WORKPLACES.items()):
            if monotonic() - workplace.used > FORGOTTEN_SECONDS:
                dismiss(run)
        if engagement.run not in WORKPLACES:
            WORKPLACES[engagement.run] = WorkerState(engagement)
    return WORKPLACES[engagement.run].pool.grading_environment(engagement.units)


def grade_sent(run: str, sent: SentFile) -> FileOutcome:
    """Grade a file of a run."""
    return WORKPLACES[run].graded(sent)


def dismiss(run: str) -> None:
    """End a run, and delete its data."""
    if workplace := WORKPLACES.pop(run, None):
        workplace.dismiss()
