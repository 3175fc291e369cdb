"""Grading by the workers of a Dask scheduler. Workers must have the same versions as this machine.

Each worker gets a few files at a time. If a worker is lost, its files go to another worker. If the scheduler or all
workers are lost, the run ends, and can be continued later. Dask is imported only if a cluster is used.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import os
import re
import sysconfig
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from autograder.config import PUBLISHED_SEED, Policy, secret_folders
from autograder.errors import UserError, install_command
from autograder.exam.store import exam_for
from autograder.grading.batch import (
    FileOutcome,
    GradingBrief,
    GradingEnvironment,
    Pool,
    Task,
    grade_task,
    grading_environment,
)
from autograder.grading.run import installed_version
from autograder.report.model import Ungradable
from autograder.report.stops import fault_of
from autograder.sandbox.host import OFF, NoSandbox, usable_level
from autograder.submission.model import AssignmentPoints
from autograder.submission.reading import NotebookError, digest_of_content, read_file
from autograder.units.pack import PINNED, installed_catalogue
from autograder.units.unit import read_unit
from course.limits import SCHEDULER_REPLY_SECONDS, SECONDS_BETWEEN_WORKER_CHECKS, UNUSED_COURSE_SECONDS


class ClusterError(UserError, ValueError):
    """Raised for a cluster that cannot be used. The message is one line."""


@dataclass(frozen=True)
class RunSetup:
    """The data that a worker gets once, at the start of a run: the policy, the units and the course's pinned files.

    Packs are not sent, only their paths, because the packs are installed on the worker's machine.
    """

    run: str
    policy: Policy
    units: tuple[str, ...]
    packs: tuple[str, ...] = ()
    pins: Mapping[str, bytes] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class SentFile:
    """A file for a worker to grade. Dask logs the `repr` of this object, which contains nothing about the student."""

    name: str = field(repr=False)
    parts: AssignmentPoints
    data: bytes = field(repr=False)


class WorkerState:
    """A worker's state during a run: its grading processes and files."""

    def __init__(self, setup: RunSetup) -> None:
        self.used = monotonic()
        self.folder = TemporaryDirectory(prefix="foldem-run-")
        root = Path(self.folder.name)
        catalogue = installed_catalogue().with_packs([Path(pack) for pack in setup.packs if Path(pack).is_dir()])
        if setup.pins:
            (root / PINNED).mkdir()
            for name, text in setup.pins.items():
                (root / PINNED / name).write_bytes(text)
            catalogue = catalogue.with_pins(root)
        self.pool = Pool(GradingBrief(setup.policy, catalogue), os.cpu_count() or 1)


WORKER_STATES: dict[str, WorkerState] = {}
SETUP_LOCK = Lock()


async def set_up_worker(setup: RunSetup) -> GradingEnvironment:
    """Set up this worker for a run, and return its versions. Raises NoSandbox if it cannot grade."""
    return await asyncio.to_thread(_set_up_once, setup)


def _set_up_once(setup: RunSetup) -> GradingEnvironment:
    with SETUP_LOCK:
        for run, state in list(WORKER_STATES.items()):
            if monotonic() - state.used > UNUSED_COURSE_SECONDS:
                end_run(run)
        if setup.run not in WORKER_STATES:
            WORKER_STATES[setup.run] = WorkerState(setup)
    return WORKER_STATES[setup.run].pool.grading_environment(setup.units)


def grade_sent_file(run: str, sent: SentFile) -> FileOutcome:
    """Grade a file in a grading process of this worker, with the points of its assignment.

    `run` is the id of the run.
    """
    state = WORKER_STATES[run]
    state.used = monotonic()
    with TemporaryDirectory(dir=state.folder.name) as scratch:
        path = Path(scratch, sent.name)
        path.write_bytes(sent.data)
        return state.pool.begin(Task(path, sent.parts)).result()


def end_run(run: str) -> None:
    """End a run on this worker, and delete the run's data."""
    if state := WORKER_STATES.pop(run, None):
        state.pool.dismiss()
        state.folder.cleanup()


ENCRYPTED_PROTOCOL = "tls"
ADDRESS_PATTERN = re.compile(
    r"(?P<protocol>tcp|tls)://(\[(?P<six>[0-9a-fA-F:]+)\]|(?P<host>[\w.-]+)):(?P<port>\d{1,5})"
)


def is_private(address: str) -> bool:
    """Return whether the connection to an address is encrypted or stays on this machine.

    >>> is_private("tls://grading.example:8786"), is_private("tcp://127.0.0.1:8786"), is_private("tcp://10.0.0.5:8786")
    (True, True, False)
    """
    if (match := ADDRESS_PATTERN.fullmatch(address)) is None:
        return False
    host = match["six"] or match["host"]
    try:
        is_here = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_here = host == "localhost"
    return match["protocol"] == ENCRYPTED_PROTOCOL or is_here


SCHEDULER_LOST_MESSAGE = (
    "the scheduler or its last usable worker is lost. Start them, and run the same command to continue"
)


class Cluster:
    """Those workers of a scheduler that have the same files and sandbox as this machine when a run begins.

    For each worker that is not used, `tell` is called with the reason. If a worker is lost, Dask gives this worker's
    files to another worker. Raises ClusterError if no worker can be used.
    """

    def __init__(self, address: str, brief: GradingBrief, tell: Callable[[str], object]) -> None:
        off = replace(brief, policy=replace(brief.policy, sandbox=OFF))
        self.mine = replace(grading_environment(off, brief.catalogue.units), level="")
        with suppress(NoSandbox):  # the workers use this machine's level. If it has none, they may have another one
            level = usable_level(brief.policy.sandbox, secret_folders(brief.catalogue))
            brief = replace(brief, policy=replace(brief.policy, sandbox=level))
            self.mine = replace(self.mine, level=level)
        self.brief = brief
        self.address, self.setup = address, run_setup_for(brief)
        self._over, self._running = Event(), dict[Any, Future[FileOutcome]]()  # Dask's futures, and ours
        self._around = ExitStack()
        self._client = self._around.enter_context(_client(address))
        threads = {name: about["nthreads"] for name, about in self._workers().items()}
        refusals = self._refusals([*threads])
        lines = [f"worker {name} is not used: {reason}" for name, reason in sorted(refusals.items()) if reason]
        self.good = {name: threads[name] for name in threads if not refusals[name]}
        if not self.good:
            self._around.close()
            why = "; ".join(lines) or "it has no worker: start some with `dask worker`"
            raise ClusterError(f"no worker of the scheduler {address} can grade: {why}")
        for line in lines:
            tell(line)
        Thread(target=self._watch_workers, daemon=True).start()

    @property
    def capacity(self) -> int:
        """Return how many files the workers can take: for each thread, one to grade and one that waits."""
        return max(2, 2 * sum(self.good.values()))

    def begin(self, task: Task) -> Future[FileOutcome]:
        """Send a file to the workers, and return a `Future` with the outcome.

        A file that cannot be read is graded on this machine instead.
        """
        result = Future[FileOutcome]()
        try:
            sent = None if task.problem else SentFile(task.path.name, task.parts, read_file(task.path))
        except (NotebookError, OSError):
            sent = None
        if sent is None:
            result.set_result(grade_task(task, self.brief))  # the report says why
            return result
        ours = {"workers": [*self.good], "retries": 2, "pure": False}
        remote = self._client.submit(grade_sent_file, self.setup.run, sent, **ours)
        self._running[remote] = result
        remote.add_done_callback(partial(self._finish, digest_of_content(sent.data)))
        return result

    def dismiss(self) -> None:
        self._over.set()
        with suppress(Exception):
            self._client.run(end_run, self.setup.run, workers=[*self.good], on_error="ignore")
        self._around.close()

    def _finish(self, content: str, remote: Any) -> None:
        """Pass on a worker's outcome for a file, or the reason why the worker could not grade the file."""
        result = self._running.pop(remote, None)
        if result is None:
            return
        if remote.status == "finished":
            result.set_result(replace(remote.result(), content=content))
        elif remote.status == "error":
            result.set_result(FileOutcome(Ungradable(fault_of(remote.exception())), content=content))
        else:
            result.set_exception(ClusterError(f"{self.address}: {SCHEDULER_LOST_MESSAGE}"))

    def _watch_workers(self) -> None:
        """End the run when no worker is left that may grade its files. Without this method, Dask would wait forever."""
        while not self._over.wait(SECONDS_BETWEEN_WORKER_CHECKS):
            with suppress(OSError, TimeoutError):
                if self._client.status == "running" and self.good.keys() & self._workers():
                    continue
            while self._running and not self._over.is_set():
                _, result = self._running.popitem()
                result.set_exception(ClusterError(f"{self.address}: {SCHEDULER_LOST_MESSAGE}"))

    def _workers(self) -> Mapping[str, Any]:
        """Return what the scheduler knows about its workers, by address."""
        client = self._client
        known = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=SCHEDULER_REPLY_SECONDS)
        return dict(known["workers"])

    def _refusals(self, workers: Sequence[str]) -> dict[str, str]:
        """Return why each worker gets no work, or "". No secret is sent before this check."""
        is_secret = self.brief.policy.seed != PUBLISHED_SEED
        open_line = "its connection is not encrypted, and this course's seed is secret: use TLS"
        refusals = {each: open_line if is_secret and not is_private(each) else "" for each in workers}
        questions = (
            (sysconfig.get_python_version, (), partial(version_difference, "Python", sysconfig.get_python_version())),
            (metadata.version, ("foldem",), partial(version_difference, "Foldem", installed_version())),
            (set_up_worker, (self.setup,), partial(environment_difference, self.mine)),
        )
        for question, words, difference in questions:
            fit = [each for each in workers if not refusals[each]]
            replies = self._client.run(question, *words, workers=fit, on_error="return") if fit else {}
            for each, reply in replies.items():
                error = " ".join(str(reply).split()) or type(reply).__name__
                failed = isinstance(reply, Exception)
                refusals[each] = f"it cannot grade: {error}" if failed else difference(reply)
        return refusals


def run_setup_for(brief: GradingBrief) -> RunSetup:
    """Return the data that a worker needs to grade with this brief."""
    policy, catalogue = brief.policy, brief.catalogue
    for unit in (unit for pack in catalogue.packs for unit in pack.units if pack.pin_folder(unit)):
        exam_for(read_unit(catalogue, unit), policy.seed)  # a course has pinned exams for its released units
    pins = next((pack.pins for pack in catalogue.packs if pack.pins), None)
    files = {path.name: path.read_bytes() for path in pins.iterdir() if path.is_file()} if pins else {}
    packs = tuple(str(pack.root) for pack in catalogue.named_packs)
    return RunSetup(token_hex(8), policy, catalogue.units, packs, files)


def ensure_usable_address(address: str, is_secret: bool) -> None:
    """Raise ClusterError if the address is invalid, if it is insecure and the seed is secret, or if Dask is missing."""
    if not ADDRESS_PATTERN.fullmatch(address):
        raise ClusterError(f"{address} is not the address of a Dask scheduler: use tcp://host:8786 or tls://host:8786")
    if is_secret and not is_private(address):
        why = "is not encrypted, and this course's seed is secret: use tls://, or a scheduler on this machine"
        raise ClusterError(f"{address} {why}")
    if find_spec("distributed") is None:
        raise ClusterError(f"dask.distributed is not installed: {install_command('cluster')}")


def version_difference(what: str, mine: str, theirs: str) -> str:
    """Return a message if a worker's version of `what` differs from this machine's; otherwise ""."""
    return "" if theirs == mine else f"it has {what} {theirs}, this machine has {what} {mine}: use the same versions"


def environment_difference(mine: GradingEnvironment, theirs: GradingEnvironment) -> str:
    """Return a message if a worker's files or sandbox differ from those of this machine; otherwise ""."""
    if theirs.code != mine.code:
        return "its Foldem has different files: install the same Foldem on both"
    for unit in mine.exams:
        if theirs.exams.get(unit) != mine.exams[unit]:
            return f"its version of {unit} or of Hypothesis is missing or different: install the same version"
    if mine.level and theirs.level != mine.level:
        return f"its sandbox is {theirs.level}, this machine's is {mine.level}: choose one with --sandbox"
    return ""


@contextmanager
def _client(address: str) -> Iterator[Any]:
    """Provide a client of a scheduler. Raises ClusterError if the scheduler cannot be reached."""
    from distributed import Client
    from distributed.security import Security

    # Turn off Dask's own messages about lost workers and versions, which are handled here.
    for name in [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")
    try:
        has_certificate = Security().get_connection_args("client")["ssl_context"] is not None
    except OSError:  # the file is missing, or is not a certificate
        has_certificate = False
    if address.startswith(ENCRYPTED_PROTOCOL) and not has_certificate:
        raise ClusterError("tls:// needs certificates: set distributed.comm.tls in Dask's configuration")
    try:
        client = Client(address, timeout=SCHEDULER_REPLY_SECONDS / 2, set_as_default=False)
    except OSError:
        remedy = "start one with `dask scheduler`, or correct the address"
        if address.startswith(ENCRYPTED_PROTOCOL):
            remedy += "; if it runs already, its certificates may come from a different authority"
        raise ClusterError(f"no Dask scheduler found at {address}: {remedy}") from None
    with client:
        yield client
