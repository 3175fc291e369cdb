"""Files that are whole or not there: written under another name, then moved."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from io import TextIOWrapper
from pathlib import Path
from typing import BinaryIO, TextIO

try:
    import fcntl
except ModuleNotFoundError:  # Windows: nothing is graded there, but what learners run imports this, too
    fcntl = None  # type: ignore[assignment]

DRAFT = ".foldem-{}.part"


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """Give a file of text to write: whoever looks, or begins anew, finds all of it or what was there before."""
    with whole_bytes(path) as file, TextIOWrapper(file, encoding="utf-8", newline="") as text:
        yield text


@contextmanager
def whole_bytes(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write: a reader, or a run after this one was killed, finds all of it or what was there before."""
    draft = path.with_name(DRAFT.format(sha256(path.name.encode(errors="surrogateescape")).hexdigest()[:16]))
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is whole or not there."""
    with whole(path) as file:
        file.write(text)


def demand_writable(folder: Path) -> None:
    """Make a folder, and try to write into it; OSError if that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / DRAFT.format("probe"), "")
    (folder / DRAFT.format("probe")).unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Let one process at a time write a folder, rid of what a killed one has left there."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        for draft in folder.rglob(DRAFT.format("*")):
            draft.unlink(missing_ok=True)
        yield
    finally:
        os.close(handle)


class Hold:
    """A claim to a file while it is graded, which ends with its holder, however that ends."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO | None = None
        with suppress(OSError):
            self._file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")

    def taken(self, patient: bool = False) -> bool:
        """Take the claim, and tell whether nobody else has it; what cannot be opened cannot be claimed, nor graded."""
        if self._file is None:
            return True
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | (0 if patient else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        except OSError:
            pass  # a file system without locks: a file may then be graded by two, with the same result
        return True

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
