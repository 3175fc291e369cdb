"""Measure the time until a sandboxed kernel is ready, beside a kernel without a sandbox: median of three, in turn."""

from __future__ import annotations

import asyncio
import tempfile
from statistics import median
from time import monotonic
from typing import Any

from jupyter_client.manager import AsyncKernelManager

from autograder.hosts.kernel_sandbox import KernelSandbox

RUNS = 3


async def seconds(sandboxed: bool, folder: str) -> float:
    """Return the seconds from the start of a kernel to its first reply."""
    manager: Any = AsyncKernelManager(kernel_name="python3")
    if sandboxed:
        manager.provisioner = KernelSandbox(kernel_id="", kernel_spec=manager.kernel_spec, parent=manager)
    began = monotonic()
    await manager.start_kernel(cwd=folder)
    client = manager.client()
    client.start_channels()
    await client.wait_for_ready(timeout=60)
    ready = monotonic() - began
    client.stop_channels()
    await manager.shutdown_kernel(now=True)
    return ready


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        times = [[asyncio.run(seconds(kind, folder)) for kind in (True, False)] for _ in range(RUNS)]
    sandboxed, plain = (median(column) for column in zip(*times, strict=True))
    print(f"ready after {sandboxed:.2f} s in the sandbox, {plain:.2f} s without (median of {RUNS})")


if __name__ == "__main__":
    main()
