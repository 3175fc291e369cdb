"""A stand-in for `docker`: it knows the options that Foldem uses, and runs the command in bubblewrap, on this machine.

Its image is this machine's system and this checkout. As in a container, nothing else exists unless it is mounted. There
is no network, and `bwrap` cannot run inside. So Landlock confines answers, as in Docker's containers.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", sys.prefix, sys.base_prefix, CHECKOUT)


def main(words: list[str]) -> int:
    """Print the id of the image if it is the only existing one, or run a command in it."""
    if words[0] == "images":
        print("0123456789ab" * (words[-1] == os.environ["STANDIN_IMAGE"]))
        return 0
    return _run(words[1:])


def _run(words: list[str]) -> int:
    asked = _parser().parse_args(words)
    if (asked.network, asked.image) != ("none", os.environ["STANDIN_IMAGE"]):
        return 125
    mounts = sorted((_mount(volume) for volume in asked.volume), key=lambda mount: len(mount[2]))
    read = [word for path in map(str, SYSTEM) if os.path.exists(path) for word in ("--ro-bind", path, path)]
    bound = [word for mount in mounts for word in mount]
    variables = [word for each in asked.env for word in ("--setenv", *each.split("=", 1))]
    world = ["--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev", *read, "--tmpfs", "/tmp"]
    hidden = [word for folder in ("/usr/bin", "/bin") for word in ("--ro-bind", "/dev/null", f"{folder}/bwrap")]
    path = ["--clearenv", "--setenv", "PATH", "/usr/bin:/bin", *variables, "--chdir", asked.workdir]
    foldem = Path(sys.executable).with_name("foldem")
    checkout = ["--ro-bind", str(CHECKOUT), str(CHECKOUT)]  # once more: it may lie in /tmp
    command = ["bwrap", *world, *checkout, *bound, *hidden, *path, str(foldem), *asked.words]
    return subprocess.run(command).returncode


def _mount(volume: str) -> tuple[str, str, str]:
    """Return a mount as bubblewrap's arguments: the option, the source, and the target."""
    source, target, *mode = volume.split(":")
    if not os.path.exists(source):
        raise SystemExit(125)
    return "--ro-bind" if mode == ["ro"] else "--bind", source, target


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("docker run", allow_abbrev=False, exit_on_error=True)
    for name in ("--rm", "--read-only"):
        parser.add_argument(name, action="store_true")
    for name in ("--network", "--tmpfs", "--cap-drop", "--user", "--workdir"):
        parser.add_argument(name)
    for name in ("--env", "--volume"):
        parser.add_argument(name, action="append", default=[])
    parser.add_argument("image")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
