"""Markers: processes that grade one submission after another, so that several are graded at the same time.

A marker receives the settings first, and then one file at a time. A marker gets cached verdicts from its parent, and
ends when its parent ends. Answers run in its sandboxes, never in the marker itself.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from autograder.config import secret_folders
from autograder.exam.store import fingerprint
from autograder.grading.batch import Brief, Learned, Task, learned_of
from autograder.grading.cages import SharedSandbox
from autograder.grading.memory import Recall, no_verdicts, remembering
from autograder.grading.run import SandboxFor, code_digest, pack_digest
from autograder.sandbox.host import held_level
from autograder.units.unit import read_unit

BE_A_MARKER = """
from autograder.garbage import look_seldom
look_seldom()
import sys
from autograder.grading.marker import serve
serve(int(sys.argv[1]))
"""
LOST = EOFError, OSError


@dataclass(frozen=True)
class Likeness:
    """The things that must be equal on all machines: the sandbox, the judging code, and the units with exams."""

    level: str
    code: str
    exams: Mapping[str, str]


@dataclass(frozen=True)
class Compared:
    """A request for what must be equal on all machines, for these units."""

    units: tuple[str, ...]


def likeness(brief: Brief, units: tuple[str, ...]) -> Likeness:
    """Return this process's `Likeness`. Raises NoSandbox or UnitError if it cannot grade these units."""
    policy, catalogue = brief.policy, brief.catalogue
    level = held_level(policy.sandbox, secret_folders(catalogue))
    known = [read_unit(catalogue, unit) for unit in units if unit in catalogue.units]
    exams = {unit.name: f"{fingerprint(unit, policy.seed)} {pack_digest(unit)}" for unit in known}
    return Likeness(level, code_digest(), exams)


class Marker:
    """A marker process, as its parent sees it. The process starts at the first request, and restarts if it is lost."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self._channel: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_dismissed = False

    def graded(self, task: Task, recall: Recall) -> Learned:
        """Return the outcome of grading a file."""
        try:
            reply = self._request(task, recall)
        except LOST:
            if self._is_dismissed:
                raise
            self._end()
            reply = self._request(task, recall)
        assert isinstance(reply, Learned)
        return reply

    def compared(self, units: tuple[str, ...]) -> Likeness:
        """Return the marker's `Likeness`."""
        reply = self._request(Compared(units), no_verdicts)
        assert isinstance(reply, Likeness)
        return reply

    def _request(self, what: object, recall: Recall) -> object:
        channel = self._channel or self._begun()
        channel.send(what)
        while isinstance(reply := channel.recv(), list):
            channel.send(recall(reply))
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _begun(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, "-P", "-c", BE_A_MARKER, str(theirs.fileno())]
            self._process = subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._channel = Connection(ours.detach())
        self._channel.send(self.brief)
        return self._channel

    def dismiss(self) -> None:
        """End the process permanently."""
        self._is_dismissed = True
        self._end()

    def _end(self) -> None:
        if self._channel and self._process:
            self._process.kill()
            self._process.wait()
            self._channel.close()
        self._channel = self._process = None


def serve(handle: int) -> None:
    """Grade files until the parent ends."""
    channel, inbox = Connection(handle), SimpleQueue[Any]()
    Thread(target=_listen, args=(channel, inbox), daemon=True).start()
    brief, sandbox = inbox.get(), SharedSandbox()

    def recall(keys: Sequence[str]) -> Mapping[str, str]:
        channel.send([*keys])
        verdicts: Mapping[str, str] = inbox.get()
        return verdicts

    remembered = remembering(recall)
    while True:
        channel.send(_answer(brief, inbox.get(), remembered, sandbox.for_submission))


def _listen(channel: Connection, inbox: SimpleQueue[object]) -> None:
    """Read messages, and exit when the parent has ended."""
    with suppress(*LOST):
        while True:
            inbox.put(channel.recv())
    os._exit(0)


def _answer(brief: Brief, what: object, recall: Recall, sandbox_for: SandboxFor) -> object:
    try:
        if isinstance(what, Compared):
            return likeness(brief, what.units)
        assert isinstance(what, Task)
        return learned_of(what, brief, recall, sandbox_for)
    except Exception as error:
        return error
