"""A kernel provisioner that runs a notebook's kernel in bubblewrap, for cells that nbgrader grades.

A student's code shares the kernel with a teacher's tests. So the code can cheat to get a better mark, but it can reach
nothing outside the sandbox.
"""

from __future__ import annotations

import os
import shutil
import signal
import site
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import zmq
from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Dict, Integer, List, Unicode

from autograder.sandbox.cage import MEGABYTE
from autograder.sandbox.sources import PACKAGE_FOLDERS, sandbox_path

KERNEL_HOME = "/tmp"  # of the kernel; its current folder is below
CURRENT_FOLDER, COPIED = f"{KERNEL_HOME}/work", "/given"
KERNEL_SCRIPT = (
    f'echo 1000 > /proc/self/oom_score_adj; cp -r {COPIED}/. . && exec "$@"'  # if memory is short, it goes first
)
SOCKET_FOLDER = "/tmp"  # an `ipc` address has at most 107 bytes, and TMPDIR may be long
SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
SYSTEM_SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime", "R")
PASSED_VARIABLES = ("NBGRADER_EXECUTION", "LANG", "LC_ALL", "TZ", "CONDA_PREFIX", "LD_LIBRARY_PATH", "MPLBACKEND")
EXCHANGE_FOLDERS = ("/usr/local/share/nbgrader", "/usr/share/nbgrader")  # nbgrader's default folders for submissions
LIBRARY_FOLDERS = ("lib", "local/lib")
SECRET_PACKAGES = ("autograder", "solutions")  # references are secret
NAMESPACE_OPTIONS = ("--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--new-session")
DROP_RIGHTS_OPTIONS = ("--cap-drop", "ALL")
UNSET_PARENT_OPTIONS = ("--unsetenv", "JPY_PARENT_PID")  # the process of that number does not exist inside
NEEDED_PROGRAM_TEXT = (
    "a notebook's own cells run in bubblewrap 0.8 or later ({}): install it (apt-get install bubblewrap)"
)
UNSANDBOXED_ADVICE = "or, if you trust all submissions, set sandboxed=False in nbgrader_config.py"


class KernelSandbox(LocalProvisioner):  # type: ignore[misc]
    """Starts a kernel without network.

    The kernel can read only the system and its own packages, and cannot change them. The current folder is a copy of
    the notebook's folder, without the notebooks. The copy is removed when the kernel ends.
    """

    memory_mb = Integer(4096, help="The most memory of each process.").tag(config=True)
    files_mb = Integer(1024, help="The most megabytes of files in the kernel's folder.").tag(config=True)
    cpu_seconds = Integer(1800, help="The most CPU seconds of each process.").tag(config=True)
    processes = Integer(256, help="The most processes and threads.").tag(config=True)
    readable = List(Unicode(), help="More folders that the kernel may read, such as data.").tag(config=True)
    packages = Dict(help="Folders of packages to import, by name.").tag(config=True)
    hidden = List(Unicode(), help="Folders to hide, in addition to nbgrader's exchange and Foldem's references.").tag(
        config=True
    )
    folder: str = ""

    async def pre_launch(self, **kwargs: object) -> dict[str, object]:
        """Make a folder for the kernel's sockets, and return the arguments of `launch_kernel`."""
        self.folder = tempfile.mkdtemp(prefix="foldem-", dir=SOCKET_FOLDER)
        manager = self.parent
        assert manager
        manager.transport, manager.ip = "ipc", f"{self.folder}/s"
        manager.connection_file = f"{self.folder}/kernel.json"
        manager.context.setsockopt(zmq.MAXMSGSIZE, 64 * MEGABYTE)
        return dict(await super().pre_launch(**kwargs))

    async def launch_kernel(self, cmd: list[str], **kwargs: object) -> KernelConnectionInfo:
        """Start the kernel in the sandbox."""
        program = os.path.abspath(shutil.which(cmd[0]) or cmd[0])
        given = Path(str(kwargs.get("cwd") or "."))
        size = sum(file.stat().st_size for file in given.rglob("*") if file.is_file())
        if size > self.files_mb * MEGABYTE:
            more = "keep the notebook in a folder of its own. For large data, set c.KernelSandbox.readable"
            raise RuntimeError(f"{given} has {size // MEGABYTE:,} MB of files, which is too much for a kernel: {more}")
        limits = {
            "as": self.memory_mb * MEGABYTE,
            "fsize": self.files_mb * MEGABYTE,
            "cpu": self.cpu_seconds,
            "nproc": self.processes,
            "core": 0,
        }
        limit = ["prlimit", *(f"--{name}={amount}" for name, amount in limits.items()), "--"]
        inside = [
            *self._mount_options(program, given),
            "--",
            "sh",
            "-c",
            KERNEL_SCRIPT,
            "sh",
            *limit,
            program,
            *cmd[1:],
        ]
        # Variables of the teacher may hold tokens, so only a few are passed on.
        environment = {"LANG": "C.UTF-8"} | {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
        if self.packages:
            environment["PYTHONPATH"] = os.path.dirname(sandbox_path("course"))
        path = os.pathsep.join([os.path.dirname(program), "/usr/local/bin", "/usr/bin", "/bin"])
        environment |= {"PATH": path, "HOME": KERNEL_HOME} | self.kernel_spec.env
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}  # a terminal obeys what it shows
        outside = kwargs | {"cwd": "/", "env": environment} | quiet
        return await super().launch_kernel([*_base_command(), *inside], **outside)

    def _mount_options(self, program: str, given: Path) -> Iterator[str]:
        """Yield the files of the sandbox as options of bubblewrap."""
        for folder in ("/dev/shm", KERNEL_HOME):  # first, because the environment may be in `/tmp`
            yield from ("--size", str(self.files_mb * MEGABYTE), "--tmpfs", folder)
        roots = [*python_folders_of(program), *map(Path, self.readable)]
        for root in roots:
            yield from ("--ro-bind-try", str(root), str(root))
        for path in folders_to_hide((*SYSTEM_FOLDERS, *roots), map(Path, self.hidden)):
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
        for name, folder in self.packages.items():
            yield from ("--ro-bind", str(folder), sandbox_path(name))
        yield from ("--dir", COPIED)
        for entry in sorted(given.iterdir()):
            if entry.suffix != ".ipynb" and not entry.is_symlink():
                yield from ("--ro-bind", str(entry.absolute()), f"{COPIED}/{entry.name}")
        yield from ("--bind", self.folder, self.folder, "--dir", CURRENT_FOLDER, "--chdir", CURRENT_FOLDER)
        yield from ("--remount-ro", "/dev", "--remount-ro", "/")

    async def send_signal(self, signum: int) -> None:
        """Send a signal. An interrupt goes to the kernel and its processes, any other signal to the sandbox."""
        if signum != signal.SIGINT or self.process is None:
            await super().send_signal(signum)
            return
        # the last of descendants that start one program each: bubblewrap, its first process, the kernel
        process = self.process.pid
        with suppress(OSError, ValueError):  # it may have ended
            for _ in range(2):
                children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="utf-8")
                process = int(children.split()[0])
            os.killpg(os.getpgid(process), signum)  # the kernel's own processes are in its group

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the folder of the kernel's sockets."""
        await super().cleanup(restart)
        shutil.rmtree(self.folder, ignore_errors=True)


def _base_command() -> list[str]:
    """Return the beginning of bubblewrap's command: new namespaces, and a read-only system."""
    command = [
        shutil.which("bwrap") or "bwrap",
        *NAMESPACE_OPTIONS,
        *DROP_RIGHTS_OPTIONS,
        *UNSET_PARENT_OPTIONS,
        "--proc",
        "/proc",
        "--dev",
        "/dev",
    ]
    for folder in SYSTEM_FOLDERS:
        is_link = os.path.islink(folder)
        command += ["--symlink", os.readlink(folder), folder] if is_link else ["--ro-bind-try", folder, folder]
    for name in SYSTEM_SETTINGS:
        command += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return command


def python_folders_of(program: str) -> list[Path]:
    """Return the folders that a kernel's Python needs: its environment, and the Python that the environment uses.

    If the program is a symbolic link to another link, the kernel also needs the folder of each link in the chain.
    Folders that contain the user's home folder are left out.
    """
    path = Path(program)
    roots, link = [path.parent.parent, path.resolve().parent.parent], path
    while link.is_symlink() and (link := Path(os.path.normpath(link.parent / link.readlink()))).is_symlink():
        roots.append(link.parent)
    if path == Path(sys.executable):
        roots += [Path(sys.base_prefix), Path(site.getusersitepackages())]
    return [root for root in dict.fromkeys(roots) if root != Path("/usr") and not Path.home().is_relative_to(root)]


def folders_to_hide(roots: Iterable[str | Path], hidden: Iterable[Path]) -> list[Path]:
    """Return the folders below `roots` to hide from the kernel: secret packages, nbgrader's exchanges, and `hidden`."""
    folders = [Path(root) for root in roots]
    sites = [site for root in folders for lib in LIBRARY_FOLDERS for site in root.glob(f"{lib}/python3*/*-packages")]
    packages = (site / name for site in sites for name in SECRET_PACKAGES)
    wanted = {*packages, *map(Path, EXCHANGE_FOLDERS), *(path.absolute() for path in hidden)}
    return sorted(path for path in wanted if path.is_dir() and any(path.is_relative_to(root) for root in folders))


@cache
def kernel_sandbox_problem() -> str:
    """Return why a sandbox for a kernel cannot start here, or "" if it can."""
    try:
        done = subprocess.run([*_base_command(), "prlimit", "true"], capture_output=True, text=True, check=False)
    except OSError as error:
        return NEEDED_PROGRAM_TEXT.format(error.strerror)
    return NEEDED_PROGRAM_TEXT.format(" ".join(done.stderr.split())[:200]) if done.returncode else ""


COURSE_PACKAGE_PATHS = {"course": str(PACKAGE_FOLDERS["course"])}
