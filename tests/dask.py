"""Dask's own scheduler and workers as real processes, which tests can end and start again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import trustme

DASK = [sys.executable, "-m", "dask"]


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def certificates(folder: Path) -> dict[str, str]:
    """Return Dask settings for TLS in which only certificates of a new authority are trusted."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    authority.issue_cert("localhost", "127.0.0.1").private_key_and_cert_chain_pem.write_to_path(folder / "own.pem")
    prefix, own = "DASK_DISTRIBUTED__COMM__", str(folder / "own.pem")
    found = {f"TLS__{who}__{what}": own for who in ("SCHEDULER", "WORKER", "CLIENT") for what in ("CERT", "KEY")}
    found |= {"TLS__CA_FILE": str(folder / "authority.pem"), "REQUIRE_ENCRYPTION": "True"}
    return {prefix + name: value for name, value in found.items()}


class Daemons(ExitStack):
    """A scheduler, and workers with one thread each. All of them are ended when the block ends."""

    def __init__(self, folder: Path, protocol: str = "tcp", settings: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.folder, self.port, self.settings = folder, free_port(), dict(settings or {})
        self.address = f"{protocol}://127.0.0.1:{self.port}"

    def scheduler(self) -> subprocess.Popen[bytes]:
        return self._begin("scheduler", "--host", self.address, "--no-dashboard")

    def worker(self, **settings: str) -> subprocess.Popen[bytes]:
        words = "--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60"
        places = "--host", self.address.rpartition(":")[0], "--local-directory", str(self.folder)
        return self._begin("worker", self.address, *words, *places, **settings)

    def _begin(self, *words: str, **settings: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{words[0]}.log").open("ab") as log:
            env = os.environ | self.settings | settings
            process = subprocess.Popen([*DASK, *words], stdout=log, stderr=log, env=env)
        self.callback(self.end, process)
        return process

    @staticmethod
    def end(process: subprocess.Popen[bytes]) -> None:
        """Kill a process, as if its machine were lost."""
        process.kill()
        process.wait()
