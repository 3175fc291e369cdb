"""Dask's own scheduler and workers as real processes, to be ended and begun again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

DASK = [sys.executable, "-m", "dask"]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Daemons:
    """A scheduler, and workers with one thread each; all ended when the block ends."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.begun: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Daemons:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.begun:
            self.end(process)

    def scheduler(self) -> subprocess.Popen[bytes]:
        return self._begin("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")

    def worker(self, **settings: str) -> subprocess.Popen[bytes]:
        words = "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--death-timeout", "60"
        return self._begin("worker", self.address, *words, "--local-directory", str(self.folder), **settings)

    def _begin(self, *words: str, **settings: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{words[0]}-{len(self.begun)}.log").open("wb")
        with log:
            process = subprocess.Popen([*DASK, *words], stdout=log, stderr=log, env=os.environ | settings)
        self.begun.append(process)
        return process

    @staticmethod
    def end(process: subprocess.Popen[bytes]) -> None:
        """Kill a process, as a lost machine is lost."""
        process.kill()
        process.wait()
