"""`foldem grade` on a machine without a sandbox: the same command runs in the image `grade`.

Docker or Podman runs the image. Only the course, the files to grade and the output folder are mounted, and there is no
network.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath

from msgspec.structs import fields

from autograder.commands.options import GradeOptions
from autograder.config import cache_folder
from autograder.errors import UserError
from autograder.grading.run import installed_version
from autograder.sandbox.host import INSTALL_CONTAINERS, has_sandbox_parts
from autograder.term.course import Course
from autograder.term.files import ensure_writable, root_of
from autograder.units.pack import VARIABLE

PROGRAMS = ("docker", "podman")
IMAGE = f"foldem-grade:{installed_version().replace('+', '-')}"
CACHE, SCRATCH = "/cache", "/tmp"
CONFINED = ("--network", "none", "--read-only", "--tmpfs", SCRATCH, "--cap-drop", "ALL")
NOT_RUN, NONE_GRADED = (125, 126, 127), 2


class ContainerError(UserError, RuntimeError):
    """Raised if no container can be run here. The message is one line."""


def is_needed(level: str) -> bool:
    """Return whether to grade in a container, because no sandbox works here, but Docker or Podman is installed."""
    return level == "auto" and not has_sandbox_parts() and any(map(shutil.which, PROGRAMS))


def grade_in_container(request: GradeOptions, around: Course) -> int:
    """Run `foldem grade` in a container and return its exit status. Raises ContainerError if it cannot."""
    words = _words_of(request, around)
    program, packs = program_with_image(), around.catalogue.roots
    paths = [resolved_path(word) for word in words if isinstance(word, Path)]
    options = container_options(program, volumes_for(paths, [request.out] if request.out else [], packs), packs)
    text = [path_in_container(resolved_path(word)) if isinstance(word, Path) else word for word in words]
    # Ctrl-C interrupts the command in the container, not this one.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        status = subprocess.run([program, "run", "--rm", *CONFINED, *options, IMAGE, *text]).returncode
    finally:
        signal.signal(signal.SIGINT, before)
    return NONE_GRADED if status in NOT_RUN else status


def _words_of(request: GradeOptions, around: Course) -> list[str | Path]:
    """Return the arguments of `foldem` in the container. Raises ContainerError if a store is named."""
    if request.store or around.settings.store:
        raise ContainerError("grading runs in a container, which cannot use the store that you name: leave out `store`")
    words: list[str | Path] = ["grade", *request.paths]
    for each in fields(request):
        value = getattr(request, each.name)
        if not each.required and value != each.default and each.name != "pack":
            words.append(f"--{each.name.replace('_', '-')}")
            words += [] if value is True else [value if isinstance(value, Path) else str(value)]
    if request.out:
        ensure_writable(request.out)
    return words


def program_with_image() -> str:
    """Return the name of the program that has the image: docker or podman.

    Raises ContainerError, with advice, if neither has it.
    """
    installed = [name for name in PROGRAMS if shutil.which(name)]
    for name in installed:
        done = subprocess.run([name, "images", "-q", IMAGE], capture_output=True, encoding="utf-8", errors="replace")
        if done.returncode == 0 and done.stdout.strip():
            return name
    if not installed:
        raise ContainerError(INSTALL_CONTAINERS)
    build = f"{installed[0]} build --target grade -t {IMAGE} ."
    raise ContainerError(
        f"{installed[0]} is not running, or has no image {IMAGE}. Start it, and build the image in a copy of the "
        f"repository: {build}"
    )


def container_options(program: str, volumes: dict[str, str], packs: Sequence[Path]) -> list[str]:
    """Return the options of `docker run` for the user, the mounts, the environment and the current folder.

    Settings next to notebooks apply only in their folder. So the container keeps the current folder if it is mounted.
    """
    options, here = list[str](), path_in_container(Path.cwd().resolve())
    options += ["--workdir", here if any(PurePath(here).is_relative_to(root) for root in volumes) else SCRATCH]
    if sys.platform != "win32":  # written files belong to this user
        options += ["--userns=keep-id"] if program == "podman" and os.getuid() != 0 else []
        options += ["--user", f"{os.getuid()}:{os.getgid()}"]
    environment = {"HOME": SCRATCH, "FOLDEM_CACHE": CACHE, VARIABLE: ":".join(map(path_in_container, packs))}
    environment["COLUMNS"] = str(shutil.get_terminal_size().columns)
    options += [f"--env={name}={value}" for name, value in environment.items()]
    return [*options, *(f"--volume={volume}" for volume in volumes.values())]


def volumes_for(paths: Sequence[Path], outputs: Sequence[Path], packs: Sequence[Path] = ()) -> dict[str, str]:
    """Return the values of `--volume`, by their paths in the container.

    Only courses, outputs and the cache are writable.
    """
    cache = cache_folder().parent
    cache.mkdir(parents=True, exist_ok=True)
    roots = [root for path in paths if (root := root_of(path))]
    others = (path for path in paths if not any(path.is_relative_to(root) for root in roots))
    read = [path for path in others if path.exists() and not path.is_symlink()]
    volumes = {path_in_container(path): f"{path}:{path_in_container(path)}:ro" for path in (*read, *packs)}
    writable = {path_in_container(path): path for path in (*roots, *map(resolved_path, outputs))} | {CACHE: cache}
    return volumes | {target: f"{source}:{target}" for target, source in writable.items()}


def resolved_path(path: Path) -> Path:
    """Return the absolute path of a file or folder.

    Links in the path are resolved. But if the file itself is a link, it stays one, because a student may have made it.
    """
    return path.resolve() if path.is_dir() else path.parent.resolve() / path.name


def path_in_container(path: PurePath) -> str:
    """Return the path that a file or folder has in the container. Raises ContainerError if the path cannot be mounted.

    >>> from pathlib import PurePosixPath, PureWindowsPath
    >>> path_in_container(PurePosixPath("/home/ada/cs101")), path_in_container(PureWindowsPath("C:\\\\Users\\\\Ada"))
    ('/home/ada/cs101', '/c/Users/Ada')
    """
    drive, rest = path.drive, path.as_posix()[len(path.drive) :]
    if ":" in rest or len(drive.rstrip(":")) > 1:
        raise ContainerError(
            f"{path} can't be mounted in a container: move it to a local drive, in a folder without colons"
        )
    return f"/{drive[0].lower()}{rest}" if drive else rest
