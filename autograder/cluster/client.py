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
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib import metadata
from importlib.util import find_spec
from itertools import count
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from autograder.cluster import ClusterError
from autograder.cluster.address import ENCRYPTED, LOCAL, is_address, is_private
from autograder.cluster.worker import MOST_VERDICTS, Engagement, NotEngaged, Sent, dismiss, engage, grade_sent, learn
from autograder.config import PUBLISHED, secret_folders
from autograder.exam.store import exam_for
from autograder.grading.batch import Learned, Task, learned_of
from autograder.grading.marker import Brief, Likeness, likeness
from autograder.grading.memory import no_verdict
from autograder.grading.run import installed_version
from autograder.report.model import Ungradable
from autograder.report.words import fault_text
from autograder.sandbox.host import OFF, NoSandbox, held_level
from autograder.submission.model import AssignmentPoints
from autograder.submission.notebook import NotebookError
from autograder.submission.reading import digest_of_content, read_file
from autograder.units.pack import Catalogue
from autograder.units.unit import read_unit

LOOK_SECONDS = 1  # seconds between two updates of the list of workers
REPLY_SECONDS = 10  # a machine counts as lost after this many seconds without a reply
LONGEST_WAIT = 60  # seconds to wait for a lost scheduler, or for the first worker
MOST_TRIES = 3
START_ONE = "start one with `dask scheduler`, or correct the address"
NO_CERTIFICATE = "tls:// needs certificates: set distributed.comm.tls in Dask's configuration"
OTHER_AUTHORITY = "; if it runs already, its certificates may come from a different authority"
START_WORKER = "start some with `dask worker`"
OPEN_WORKER = "its connection is not encrypted, and this course's seed is secret: use TLS"
OPEN_SCHEDULER = "is not encrypted, and this course's seed is secret: use tls://, or a scheduler on this machine"
NO_PAGES = "127.0.0.1:0"
Tell = Callable[[str], object]


@dataclass(order=True)
class Errand:
    """A file to grade, and the future with its result."""

    number: int
    name: str = field(compare=False)
    parts: AssignmentPoints = field(compare=False)
    data: bytes = field(compare=False, repr=False)
    result: Future[Learned] = field(compare=False)
    tries: int = field(default=0, compare=False)


class Cluster:
    """The workers of a scheduler that have this machine's versions. Raises ClusterError if there are none.

    If a worker gets no work, `tell` is called with the reason. All workers receive the `known` verdicts and later ones.
    """

    def __init__(
        self,
        address: str,
        brief: Brief,
        tell: Tell,
        workers: int = 1,
        known: Mapping[str, str] | None = None,
        recalls: bool = True,
    ) -> None:
        self.brief = brief = with_level(brief)
        self.engagement = engagement_for(brief, recalls)
        self.address, self.tell, self.workers = address, tell, workers
        self.known, self.fresh = dict(known or {}), dict[str, str]()
        self.mine = _mine(brief)
        self.is_secret = brief.policy.seed != PUBLISHED
        self.good, self.refused, self.numbers = dict[str, int](), dict[str, str](), count()
        self.in_hand = dict[int, Errand]()
        self.failure: Exception | None = None
        self._loop, self._ready = asyncio.new_event_loop(), Future[None]()
        self._alone_since = self._loop.time()
        self._waiting, self._over = asyncio.PriorityQueue[Errand](), asyncio.Event()
        self._thread = Thread(target=self._loop.run_until_complete, args=[self._work()], daemon=True)
        self._thread.start()
        self._ready.result()

    @property
    def room(self) -> int:
        """Return how many files the workers can take: one per thread, and as many waiting."""
        return max(2, 2 * sum(self.good.values()))

    def begin(self, task: Task) -> Future[Learned]:
        """Send a file to a free worker. A file that cannot be read is not sent."""
        result = Future[Learned]()
        try:
            task.demand_clear()
            errand = Errand(next(self.numbers), task.path.name, task.parts, read_file(task.path), result)
        except (NotebookError, OSError):
            result.set_result(learned_of(task, self.brief, no_verdict))
        else:
            self._loop.call_soon_threadsafe(self._take, errand)
        return result

    def dismiss(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(2 * REPLY_SECONDS)

    # ------------------------------------------------------------------------------- everything below runs in its own
    # thread

    def _take(self, errand: Errand) -> None:
        if self.failure:
            errand.result.set_exception(self.failure)
        else:
            self.in_hand[errand.number] = errand
            self._waiting.put_nowait(errand)

    async def _work(self) -> None:
        try:
            async with _scheduler(self.address, self.workers) as address:
                while not self._over.is_set():
                    await self._with(await self._connected(address))
        except Exception as error:
            text = f"the cluster {self.address}: {type(error).__name__}: {' '.join(str(error).split())}"
            self._fail(error if isinstance(error, ClusterError) else ClusterError(text))

    def _fail(self, failure: Exception) -> None:
        self.failure = failure
        waiting: list[Future[Any]] = [self._ready, *(errand.result for errand in self.in_hand.values())]
        for future in waiting:
            if not future.done():
                future.set_exception(failure)

    async def _connected(self, address: str) -> object:
        """Return a client of the scheduler. Raises ClusterError if there is none within the time limit."""
        from distributed import Client

        _keep_quiet()
        _demand_certificate(address)
        until = self._loop.time() + (LONGEST_WAIT if self._ready.done() else 0)
        while True:
            try:
                return await Client(address, asynchronous=True, timeout=REPLY_SECONDS / 2, set_as_default=False)
            except OSError:
                if self._loop.time() > until:
                    other = OTHER_AUTHORITY if address.startswith(ENCRYPTED) else ""
                    raise ClusterError(f"no scheduler found at {address}: {START_ONE}{other}") from None
                await asyncio.sleep(LOOK_SECONDS)

    async def _with(self, client: Any) -> None:
        """Grade with a scheduler until all files are graded or the connection is lost."""
        desks = dict[str, asyncio.Task[None]]()
        self.refused.clear()
        try:
            while not self._over.is_set() and client.status == "running":
                await self._look(client, desks)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._over.wait(), LOOK_SECONDS)
        except (OSError, TimeoutError):
            pass  # the connection is lost; the caller tries again
        finally:
            await self._leave(client, desks)

    async def _look(self, client: Any, desks: dict[str, asyncio.Task[None]]) -> None:
        """Update the list of workers, and send new verdicts to all of them."""
        result = await asyncio.wait_for(client.scheduler.identity(n_workers=-1), REPLY_SECONDS)
        there = result["workers"]
        for address in [address for address, desk in desks.items() if _is_left(address, desk, there, self.refused)]:
            desks.pop(address).cancel()
            self.refused.pop(address, None)
        for address in set(there) - set(desks):
            desks[address] = asyncio.create_task(self._employ(client, address, there[address]["nthreads"]))
        self._demand_hope(set(there))
        if self.fresh and self.good:
            fresh, self.fresh = self.fresh, {}
            await client.run(learn, self.engagement.run, fresh, workers=list(self.good), on_error="ignore")

    def _demand_hope(self, there: set[str]) -> None:
        """Raise ClusterError if no worker can grade, or if there has been no worker for too long."""
        if self.good or not there <= set(self.refused):
            self._alone_since = self._loop.time()
        elif there and not self._ready.done():
            raise ClusterError(
                f"no worker of {self.address} can grade: " + "; ".join(map(self._refusal, sorted(there)))
            )
        elif self._loop.time() - self._alone_since > LONGEST_WAIT:
            raise ClusterError(f"{self.address} had no worker for {LONGEST_WAIT} s: {START_WORKER}")

    def _refusal(self, address: str) -> str:
        return f"worker {address} is not used: {self.refused[address]}"

    async def _employ(self, client: Any, address: str, threads: int) -> None:
        """Let a worker grade while it is connected, if its versions match."""
        try:
            if reason := await self._unfit(client, address):
                self._refuse(address, reason)
            else:
                await self._give_work(client, address, threads)
        except* Exception:
            pass  # the files are taken back, and the next update finds new workers

    def _refuse(self, address: str, reason: str) -> None:
        self.refused[address] = reason
        if self._ready.done():
            self.tell(self._refusal(address))

    async def _give_work(self, client: object, address: str, threads: int) -> None:
        self.good[address] = threads
        if not self._ready.done():
            self._ready.set_result(None)
            for each in sorted(self.refused):
                self.tell(self._refusal(each))
        try:
            async with asyncio.TaskGroup() as lanes:
                for _ in range(threads + 1):  # one more file than threads, so that no thread waits for the network
                    lanes.create_task(self._lane(client, address))
        finally:
            del self.good[address]

    async def _unfit(self, client: Any, address: str) -> str:
        """Return why a worker gets no work, or "". No secret is sent before this check."""
        if self.is_secret and not is_private(address):
            return OPEN_WORKER
        try:
            python = await _asked(client, address, platform.python_version)
            foldem = await _asked(client, address, metadata.version, "foldem")
            if message := other_versions(python, foldem):
                return message
            result = await _asked(client, address, engage, self.engagement)
            await _asked(client, address, learn, self.engagement.run, self.known)
        except OSError:
            raise
        except Exception as error:
            return _reason(error)
        return unlike(self.mine, result, self.brief.catalogue)

    async def _lane(self, client: Any, address: str) -> None:
        """Let a worker grade one file after another. A file without a result goes to another worker."""
        while True:
            errand = await self._waiting.get()
            try:
                sent = Sent(errand.name, errand.parts, errand.data)
                key = f"foldem-{self.engagement.run}-{errand.number}-{errand.tries}-{next(self.numbers)}"
                learned = await client.submit(
                    grade_sent, self.engagement.run, sent, key=key, workers=[address], pure=False
                )
            except BaseException as error:
                self._return(errand, error)
                raise
            self._deliver(errand, learned)

    def _return(self, errand: Errand, error: BaseException) -> None:
        """Send a file to another worker, or stop trying after several errors."""
        is_loss = isinstance(error, asyncio.CancelledError | CancelledError | NotEngaged | OSError)
        errand.tries += not is_loss
        if errand.tries < MOST_TRIES:
            self._waiting.put_nowait(errand)
        else:
            assert isinstance(error, Exception)
            self._deliver(errand, Learned(Ungradable(fault_text(error))))

    def _deliver(self, errand: Errand, learned: Learned) -> None:
        if self.in_hand.pop(errand.number, None):
            learned = replace(learned, content=digest_of_content(errand.data))
            self.fresh.update(learned.verdicts)
            self.known.update(learned.verdicts)
            for key in list(self.known)[: max(0, len(self.known) - MOST_VERDICTS)]:
                del self.known[key]
            errand.result.set_result(learned)

    async def _leave(self, client: Any, desks: dict[str, asyncio.Task[None]]) -> None:
        """Take back unfinished files, and disconnect from the scheduler."""
        workers = list(self.good)
        for desk in desks.values():
            desk.cancel()
        await asyncio.gather(*desks.values(), return_exceptions=True)
        with suppress(Exception):
            async with asyncio.timeout(REPLY_SECONDS):
                if client.status == "running" and self._over.is_set():
                    await client.run(dismiss, self.engagement.run, workers=workers, on_error="ignore")
                await client.close()


def _mine(brief: Brief) -> Likeness:
    """Return this machine's versions. This machine needs no sandbox if the workers have one."""
    units = brief.catalogue.units
    try:
        return likeness(brief, units)
    except NoSandbox:
        return replace(likeness(_with_sandbox(brief, OFF), units), level="")


def _with_sandbox(brief: Brief, level: str) -> Brief:
    return replace(brief, policy=replace(brief.policy, sandbox=level))


def with_level(brief: Brief) -> Brief:
    """Return the settings for grading with the name of this machine's sandbox, if it has one."""
    with suppress(NoSandbox):
        return _with_sandbox(brief, held_level(brief.policy.sandbox, secret_folders(brief.catalogue)))
    return brief


def engagement_for(brief: Brief, recalls: bool = True) -> Engagement:
    """Return everything that a worker needs."""
    policy, catalogue = brief.policy, brief.catalogue
    for unit in (unit for pack in catalogue.packs for unit in pack.units if pack.pinned(unit)):
        exam_for(read_unit(catalogue, unit), policy.seed)  # a course has pinned exams for its released units
    pins = next((pack.pins for pack in catalogue.packs if pack.pins), None)
    files = {path.name: path.read_bytes() for path in pins.iterdir() if path.is_file()} if pins else {}
    relations = tuple(each.file.read_bytes() for each in policy.relations)
    packs, wanted = tuple(str(pack.root) for pack in catalogue.named), brief.wanted.name if brief.wanted else None
    return Engagement(token_hex(8), policy, catalogue.units, wanted, packs, files, relations, recalls)


def demand_usable(address: str, is_secret: bool) -> None:
    """Raise ClusterError for an invalid address, an insecure address with a secret seed, or missing Dask."""
    if not is_address(address):
        raise ClusterError(f"{address} is not a scheduler's address: use tcp://host:8786, tls://host:8786 or local")
    if is_secret and not is_private(address):
        raise ClusterError(f"{address} {OPEN_SCHEDULER}")
    if find_spec("distributed") is None:
        raise ClusterError("dask.distributed is not installed: run pip install 'foldem[cluster]'")


def _demand_certificate(address: str) -> None:
    """Raise ClusterError if encryption is required, but Dask's configuration names no certificates."""
    from distributed.security import Security

    try:
        is_armed = Security().get_connection_args("client")["ssl_context"] is not None
    except OSError:  # the file is missing, or is not a certificate
        is_armed = False
    if address.startswith(ENCRYPTED) and not is_armed:
        raise ClusterError(NO_CERTIFICATE)


def _is_left(address: str, desk: asyncio.Task[None], there: Mapping[str, Any], refused: Mapping[str, str]) -> bool:
    """Return whether a worker has left or has lost its setup."""
    return address not in there or (desk.done() and address not in refused)


async def _asked(client: Any, address: str, what: Callable[..., Any], *words: object) -> Any:
    """Return a worker's reply to a call."""
    return (await client.run(what, *words, workers=[address]))[address]


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


def unlike(mine: Likeness, theirs: Likeness, catalogue: Catalogue) -> str:
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
