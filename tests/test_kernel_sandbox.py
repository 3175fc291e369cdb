"""The kernel in bubblewrap: what it reaches, its interrupts, and what remains after its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import AsyncKernelManager

from autograder.hosts import kernel_sandbox
from autograder.hosts.kernel_sandbox import KernelSandbox, environment_of, hidden_in, problem
from tests.classroom import write_files

pytestmark = [pytest.mark.nbgrader, pytest.mark.sandbox, pytest.mark.bubblewrap]
Run = Callable[[str], Awaitable[str]]


def with_kernel(folder: Path, act: Callable[[Any, Run], Awaitable[Any]], **options: object) -> Any:
    """Start a sandboxed kernel in a folder, and return what an action returns that can run code in it."""

    async def main() -> Any:
        manager: Any = AsyncKernelManager(kernel_name="python3")
        manager.provisioner = KernelSandbox(kernel_id="", kernel_spec=manager.kernel_spec, parent=manager, **options)
        await manager.start_kernel(cwd=str(folder))
        client = manager.client()
        client.start_channels()
        await client.wait_for_ready(timeout=60)

        async def run(code: str) -> str:
            texts: list[str] = []
            keep = lambda message: texts.append(  # noqa: E731
                message["content"].get("text") or message["content"].get("ename") or ""
            )
            await client.execute_interactive(code, output_hook=keep, timeout=60, allow_stdin=False)
            return "".join(texts).strip()

        try:
            return await act(manager, run)
        finally:
            client.stop_channels()
            await manager.shutdown_kernel(now=True)
            await asyncio.sleep(0)
            assert not Path(manager.provisioner.folder).exists()

    return asyncio.run(main())


@pytest.mark.promise("others")
def test_a_kernel_reaches_its_own_files_only(tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys(("data.csv", "problem.ipynb"), "1"))
    (tmp_path / "link").symlink_to("/etc/passwd")

    async def act(_: Any, run: Run) -> list[str]:
        look = "import os, socket; open('new', 'w'); print(sorted(os.listdir()))"
        tries = ["open('/usr/x', 'w')", "open('/given/data.csv', 'w')", "open('/dev/x', 'w')", "open('/etc/passwd')"]
        tries += ["socket.create_connection(('127.0.0.1', 1), 1)", f"os.listdir({str(tmp_path)!r})", "import solutions"]
        return [await run(code) for code in (look, *tries)]

    files, *errors = with_kernel(tmp_path, act)
    assert files == "['data.csv', 'new']" and not (tmp_path / "new").exists()
    assert set(errors) == {"OSError", "FileNotFoundError", "ModuleNotFoundError", "ConnectionRefusedError"}


def test_a_kernel_reads_an_environment_in_the_folder_of_temporary_files(tmp_path: Path) -> None:
    write_files(tmp_path, {"packages/about.txt": "there"})
    code = f"print(open({str(tmp_path / 'packages' / 'about.txt')!r}).read())"
    assert with_kernel(tmp_path, lambda _, run: run(code), readable=[str(tmp_path / "packages")]) == "there"


def test_an_interrupt_ends_a_cell_and_its_processes_but_not_the_kernel(tmp_path: Path) -> None:
    async def act(manager: Any, run: Run) -> list[str]:
        results = []
        for code in ("while True: pass", "import subprocess; subprocess.run(['sleep', '600'])"):
            running = asyncio.ensure_future(run(code))
            await asyncio.sleep(2)
            await manager.interrupt_kernel()
            results.append(await running)
        return [*results, await run("print('alive')")]

    assert with_kernel(tmp_path, act) == ["KeyboardInterrupt", "KeyboardInterrupt", "alive"]


def test_memory_and_files_are_limited(tmp_path: Path) -> None:
    async def act(_: Any, run: Run) -> list[str]:
        fill = "while True: open(str(len(os.listdir())), 'wb').write(bytes(5 << 20))"
        return [await run("bytearray(1 << 31)"), await run(f"import os\n{fill}")]

    assert with_kernel(tmp_path, act, memory_mb=1500, files_mb=50) == ["MemoryError", "OSError"]
    (tmp_path / "large").write_bytes(bytes(3 << 20))
    with pytest.raises(RuntimeError, match=r"KernelSandbox\.readable"):
        with_kernel(tmp_path, act, files_mb=2)


def test_without_bubblewrap_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem() == ""
    problem.cache_clear()
    monkeypatch.setattr(kernel_sandbox, "NAMESPACES", ("--no-such-option",))
    assert "bubblewrap 0.8" in problem() and "apt-get install bubblewrap" in problem() and "\n" not in problem()
    problem.cache_clear()


def test_an_environment_is_its_packages_and_its_python(tmp_path: Path) -> None:
    names = "env/bin/x", "env/lib/python3.11/site-packages/solutions/x", "python/bin/python3", "env/course/x", "other/x"
    write_files(tmp_path, dict.fromkeys((*names, "between/x"), ""))
    (tmp_path / "env/bin/python").symlink_to(tmp_path / "python/bin/python3")
    roots = environment_of(str(tmp_path / "env/bin/python"))
    assert roots == [tmp_path / "env", tmp_path / "python"]
    (tmp_path / "between/python3").symlink_to(tmp_path / "python/bin/python3")
    (tmp_path / "env/bin/python3").symlink_to("../../between/python3")
    assert tmp_path / "between" in environment_of(str(tmp_path / "env/bin/python3"))
    assert environment_of(str(Path.home() / "bin" / "R")) == [] == environment_of("/usr/bin/R")
    hidden = hidden_in(roots, [tmp_path / "env/course", tmp_path / "other"])
    assert hidden == [tmp_path / "env/course", tmp_path / "env/lib/python3.11/site-packages/solutions"]
