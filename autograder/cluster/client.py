"""Grading by the workers of a Dask scheduler. Workers must have the same versions as this machine.

Each worker gets a few files at a time. If a worker is lost, its files go to another worker. A lost scheduler may come
back. Dask is imported only if a cluster is used.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import CancelledError, Future
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from importlib import metadata
from importlib.util import find_spec
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from autograder.cluster import ClusterError
from autograder.cluster.address import ENCRYPTED, LOCAL, is_address, is_private
from autograder.cluster.worker import RunNotSetUp, RunSetup, SentFile, dismiss, engage, grade_sent
from autograder.config import PUBLISHED, secret_folders
from autograder.errors import install_extra
from autograder.exam.store import exam_for
from autograder.grading.batch import FileOutcome, GradingBrief, Task, grade_task
from autograder.grading.run import installed_version
from autograder.grading.workers import GradingEnvironment, grading_environment
from autograder.report.model import Ungradable
from autograder.report.stops import fault_of
from autograder.sandbox.host import OFF, NoSandbox, usable_level
from autograder.submission.notebook import NotebookError
from autograder.submission.reading import digest_of_content, read_file
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit

LOOK_SECONDS = 1  # seconds between two updates of the list of workers
REPLY_SECONDS = 10  # a machine counts as lost after this many seconds without a reply
LONGEST_WAIT = 60  # seconds to wait for a lost scheduler, or for the first worker
MOST_LOSSES = 3  # a file that was being graded when its workers were lost is sent again so many times
ALL_LOST = "each worker that graded it was lost"
NO_PAGES = "127.0.0.1:0"


class Cluster:
    """The workers of a scheduler that have this machine's versions. Raises ClusterError if there are none.

    If a worker gets no work, `tell` is called with the reason.
    """

    def __init__(self, address: str, brief: GradingBrief, tell: Callable[[str], object], workers: int = 1) -> None:
        self.brief = brief = with_level(brief)
        self.engagement = run_setup_for(brief)
        self.address, self.tell, self.workers = address, tell, workers
        self.mine = _local_versions(brief)
        self.good, self.refused, self._listed = dict[str, int](), dict[str, str](), set[str]()
        self.failure: ClusterError | None = None
        self._met = dict[str, asyncio.Task[None]]()
        self._doubtful = asyncio.Lock()
        self._running = dict[Any, tuple[str, ...]]()  # Dask's futures, and the workers that may grade each file
        self._ready, self._over, self._is_staffed = Future[None](), asyncio.Event(), asyncio.Event()
        self._thread = Thread(target=lambda: asyncio.run(self._work()), daemon=True)
        self._thread.start()
        self._ready.result()

    @property
    def room(self) -> int:
        """Return how many files the workers can take: one per thread, and as many waiting."""
        return max(2, 2 * sum(self.good.values()))

    def begin(self, task: Task) -> Future[FileOutcome]:
        """Send a file to a free worker. A file that cannot be read is not sent."""
        try:
            task.ensure_clear()
            sent = SentFile(task.path.name, task.parts, read_file(task.path))
        except (NotebookError, OSError):
            result = Future[FileOutcome]()
            result.set_result(grade_task(task, self.brief))
            return result
        return asyncio.run_coroutine_threadsafe(self._graded(sent), self._loop)

    def dismiss(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(2 * REPLY_SECONDS)

    # ------------------------------------------------------------------------------- everything below runs in its own
    # thread

    async def _work(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            async with _scheduler(self.address, self.workers) as address:
                while not self._over.is_set():
                    self._client = await self._connected(address)
                    await self._watch_workers()
        except Exception as error:
            text = f"the cluster {self.address}: {type(error).__name__}: {' '.join(str(error).split())}"
            self.failure = error if isinstance(error, ClusterError) else ClusterError(text)
            if not self._ready.done():
                self._ready.set_exception(self.failure)
                return
            self._is_staffed.set()
            await self._over.wait()

    async def _connected(self, address: str) -> Any:
        """Return a client of the scheduler. Raises ClusterError if there is none within the time limit."""
        from distributed import Client

        _keep_quiet()
        _ensure_certificate(address)
        until = self._loop.time() + (LONGEST_WAIT if self._ready.done() else 0)
        while True:
            try:
                return await Client(address, asynchronous=True, timeout=REPLY_SECONDS / 2, set_as_default=False)
            except OSError:
                if self._loop.time() > until:
                    remedy = "start one with `dask scheduler`, or correct the address"
                    if address.startswith(ENCRYPTED):
                        remedy += "; if it runs already, its certificates may come from a different authority"
                    raise ClusterError(f"no scheduler found at {address}: {remedy}") from None
                await asyncio.sleep(LOOK_SECONDS)

    async def _watch_workers(self) -> None:
        """Keep the list of workers current until all files are graded or the connection is lost."""
        self._alone_since = self._loop.time()
        try:
            while not self._over.is_set() and self._client.status == "running":
                await self._look()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), LOOK_SECONDS)
        except (OSError, TimeoutError):
            pass  # the connection is lost; the caller tries again
        finally:
            await self._leave()

    async def _look(self) -> None:
        """Meet new workers, and forget lost ones with their files."""
        result = await asyncio.wait_for(self._client.scheduler.identity(n_workers=-1), REPLY_SECONDS)
        there = result["workers"]
        self._forget(set(self._met) - set(there))
        for address in set(there) - set(self._met):
            self._met[address] = asyncio.create_task(self._meet(address, there[address]["nthreads"]))
        await self._client.cancel([file for file, workers in self._running.items() if not self.good.keys() & workers])
        self._ensure_usable_worker(set(there))

    def _forget(self, addresses: Iterable[str]) -> None:
        for address in addresses:
            self._met.pop(address).cancel()
            self.good.pop(address, None)
            self.refused.pop(address, None)
            self._listed.discard(address)
        if not self.good:
            self._is_staffed.clear()

    def _ensure_usable_worker(self, there: set[str]) -> None:
        """Raise ClusterError if no worker can grade, or if there has been no worker for too long."""
        if self.good or not there <= set(self.refused):
            self._alone_since = self._loop.time()
        elif there and not self._ready.done():
            raise ClusterError(
                f"no worker of {self.address} can grade: " + "; ".join(map(self._refusal, sorted(there)))
            )
        elif self._loop.time() - self._alone_since > LONGEST_WAIT:
            raise ClusterError(f"{self.address} had no worker for {LONGEST_WAIT} s: start some with `dask worker`")

    def _refusal(self, address: str) -> str:
        return f"worker {address} is not used: {self.refused[address]}"

    async def _meet(self, address: str, threads: int) -> None:
        """Send a worker what it needs to grade, or note why it gets no work."""
        try:
            reason = await self._unfit(address)
        except OSError:
            self._met.pop(address, None)  # the connection failed; the next look tries again
            return
        if reason:
            self.refused[address] = reason
        else:
            self.good[address] = threads
            self._is_staffed.set()
            if not self._ready.done():
                self._ready.set_result(None)
        if self._ready.done():  # until a worker is good, an error may list all of them
            self._list_refused()

    def _list_refused(self) -> None:
        """Report the workers that get no work, each only once."""
        for address in sorted(set(self.refused) - self._listed):
            self.tell(self._refusal(address))
        self._listed |= set(self.refused)

    async def _unfit(self, address: str) -> str:
        """Return why a worker gets no work, or "". No secret is sent before this check."""
        if self.brief.policy.seed != PUBLISHED and not is_private(address):
            return "its connection is not encrypted, and this course's seed is secret: use TLS"
        try:
            python = await self._asked(address, platform.python_version)
            foldem = await self._asked(address, metadata.version, "foldem")
            if message := other_versions(python, foldem):
                return message
            return version_difference(
                self.mine, await self._asked(address, engage, self.engagement), self.brief.catalogue
            )
        except OSError:
            raise
        except Exception as error:
            return _reason(error)

    async def _asked(self, address: str, what: Callable[..., Any], *words: object) -> Any:
        """Return a worker's reply to a call."""
        return (await self._client.run(what, *words, workers=[address]))[address]

    async def _graded(self, sent: SentFile) -> FileOutcome:
        """Let a worker grade a file, and again after a loss. The file may be the reason, so it is then sent alone."""
        learned = await self._tried(sent)
        if learned is None:
            async with self._doubtful:
                for _ in range(MOST_LOSSES):
                    learned = learned or await self._tried(sent)
        return learned or FileOutcome(
            Ungradable(fault_of(ClusterError(ALL_LOST))), content=digest_of_content(sent.data)
        )

    async def _tried(self, sent: SentFile) -> FileOutcome | None:
        """Let a worker grade a file; return None if all workers that may do it are lost.

        If the scheduler or the run is lost, wait for another one.
        """
        from distributed import KilledWorker

        while True:
            await self._is_staffed.wait()
            if self.failure:
                raise self.failure
            if not (workers := tuple(self.good)):  # lost meanwhile; Dask reads an empty list as any worker
                continue
            try:
                return replace(await self._submitted(sent, workers), content=digest_of_content(sent.data))
            except RunNotSetUp:
                self._forget(self._met.keys() & workers)
            except (CancelledError, KilledWorker, OSError):
                if self._client.status == "running":  # otherwise, the scheduler is lost
                    return None
                await asyncio.sleep(LOOK_SECONDS)
            except Exception as error:
                return FileOutcome(Ungradable(fault_of(error)), content=digest_of_content(sent.data))

    async def _submitted(self, sent: SentFile, workers: tuple[str, ...]) -> FileOutcome:
        """Return what one of these workers reports on a file. Dask repeats it after an error or a loss."""
        future = self._client.submit(grade_sent, self.engagement.run, sent, workers=workers, retries=2, pure=False)
        self._running[future] = workers
        try:
            return await future
        finally:
            del self._running[future]

    async def _leave(self) -> None:
        """Forget all workers, and disconnect from the scheduler. Unfinished files wait for the next connection."""
        workers = list(self.good)
        self._forget(list(self._met))
        with suppress(Exception):
            async with asyncio.timeout(REPLY_SECONDS):
                if self._client.status == "running" and self._over.is_set():
                    await self._client.run(dismiss, self.engagement.run, workers=workers, on_error="ignore")
                await self._client.close()


def _local_versions(brief: GradingBrief) -> GradingEnvironment:
    """Return this machine's versions. This machine needs no sandbox if the workers have one."""
    units = brief.catalogue.units
    try:
        return grading_environment(brief, units)
    except NoSandbox:
        return replace(grading_environment(_with_sandbox(brief, OFF), units), level="")


def _with_sandbox(brief: GradingBrief, level: str) -> GradingBrief:
    return replace(brief, policy=replace(brief.policy, sandbox=level))


def with_level(brief: GradingBrief) -> GradingBrief:
    """Return the settings for grading with the name of this machine's sandbox, if it has one."""
    with suppress(NoSandbox):
        return _with_sandbox(brief, usable_level(brief.policy.sandbox, secret_folders(brief.catalogue)))
    return brief


def run_setup_for(brief: GradingBrief) -> RunSetup:
    """Return everything that a worker needs."""
    policy, catalogue = brief.policy, brief.catalogue
    for unit in (unit for pack in catalogue.packs for unit in pack.units if pack.pinned(unit)):
        exam_for(read_unit(catalogue, unit), policy.seed)  # a course has pinned exams for its released units
    pins = next((pack.pins for pack in catalogue.packs if pack.pins), None)
    files = {path.name: path.read_bytes() for path in pins.iterdir() if path.is_file()} if pins else {}
    relations = tuple(each.file.read_bytes() for each in policy.relations)
    packs, wanted = tuple(str(pack.root) for pack in catalogue.named), brief.wanted.name if brief.wanted else None
    return RunSetup(token_hex(8), policy, catalogue.units, wanted, packs, files, relations)


def ensure_usable(address: str, is_secret: bool) -> None:
    """Raise ClusterError for an invalid address, an insecure address with a secret seed, or missing Dask."""
    if not is_address(address):
        raise ClusterError(f"{address} is not a scheduler's address: use tcp://host:8786, tls://host:8786 or local")
    if is_secret and not is_private(address):
        why = "is not encrypted, and this course's seed is secret: use tls://, or a scheduler on this machine"
        raise ClusterError(f"{address} {why}")
    if find_spec("distributed") is None:
        raise ClusterError(f"dask.distributed is not installed: {install_extra('cluster')}")


def _ensure_certificate(address: str) -> None:
    """Raise ClusterError if encryption is required, but Dask's configuration names no certificates."""
    from distributed.security import Security

    try:
        is_armed = Security().get_connection_args("client")["ssl_context"] is not None
    except OSError:  # the file is missing, or is not a certificate
        is_armed = False
    if address.startswith(ENCRYPTED) and not is_armed:
        raise ClusterError("tls:// needs certificates: set distributed.comm.tls in Dask's configuration")


def other_versions(python: str, foldem: str) -> str:
    own = ".".join(map(str, sys.version_info[:2]))
    if python.rpartition(".")[0] != own:
        return f"it has Python {python}, this machine has {own}: use the same version"
    if foldem != installed_version():
        return f"it has Foldem {foldem}, this machine has {installed_version()}: use the same version"
    return ""


def _reason(error: Exception) -> str:
    """Return why a worker cannot grade, from its exception."""
    match error:
        case ModuleNotFoundError() | metadata.PackageNotFoundError():
            return f"{error.name or 'foldem'} is missing there: install foldem[cluster] on it"
    return f"it cannot grade: {' '.join(str(error).split()) or type(error).__name__}"


def version_difference(mine: GradingEnvironment, theirs: GradingEnvironment, catalogue: Catalogue) -> str:
    """Return the difference between a worker and this machine, or ""."""
    if theirs.code != mine.code:
        return "its Foldem has different files: install the same Foldem on both"
    for unit in mine.exams:
        if not theirs.exams.get(unit):
            return f"the pack {catalogue.pack_of(unit).name} is missing there: install it"
        if theirs.exams[unit] != mine.exams[unit]:
            return f"its version of {unit} or of Hypothesis is different: install the same version"
    if mine.level and theirs.level != mine.level:
        return f"its sandbox is {theirs.level}, this machine's is {mine.level}: choose one with --sandbox"
    return ""


def _keep_quiet() -> None:
    """Turn off Dask's own messages about lost workers and versions, which are handled here."""
    for name in [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module="distributed")


@asynccontextmanager
async def _scheduler(address: str, workers: int) -> AsyncIterator[str]:
    """Provide the address of a scheduler; `local` starts a scheduler in this process.

    Anyone who can reach a scheduler can run code on its workers. So our own scheduler has no port that other users of
    this machine can reach. Dask needs ports only for web pages, which are turned off. It imports from its own folder,
    which is not the one in `/tmp`, since anybody can have made that.
    """
    if address != LOCAL:
        yield address
        return
    import dask
    from distributed import LocalCluster

    _keep_quiet()
    settings: dict[str, object] = {"processes": False, "silence_logs": logging.CRITICAL, "dashboard_address": NO_PAGES}
    settings |= {"worker_dashboard_address": NO_PAGES, "threads_per_worker": 1, "asynchronous": True}
    changed: dict[str, object] = {f"distributed.{who}.http.routes": [] for who in ("scheduler", "worker")}
    with TemporaryDirectory(prefix="foldem-cluster-") as own, dask.config.set(changed | {"temporary-directory": own}):
        async with LocalCluster(n_workers=workers, **settings) as cluster:
            yield cluster.scheduler_address
