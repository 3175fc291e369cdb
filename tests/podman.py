"""Run the real Podman, with an image that contains only this machine's system and this checkout, read-only.

No registry is contacted. Settings, images and containers are in the test's own folder.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", sys.base_prefix, sys.prefix, str(CHECKOUT))
# The runtime refuses a machine on which both versions of control groups are mounted: it need not see the second.
PROGRAM = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
export CONTAINERS_CONF={folder}/containers.conf CONTAINERS_STORAGE_CONF={folder}/storage.conf
if [ "$(id -u)" = 0 ] && [ -d /sys/fs/cgroup/unified ]; then
  exec unshare --mount sh -c 'umount /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; exec "$0" "$@"' {podman} "$@"
fi
exec {podman} "$@"
"""
SETTINGS = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
volumes = [{volumes}]
[engine]
cgroup_manager = "cgroupfs"
"""
STORAGE = """[storage]
driver = "vfs"
graphroot = "{folder}/images"
runroot = "{folder}/running"
"""


def path_with_podman(folder: Path, image: str) -> str:
    """Return a PATH on which `podman` has the image. Raises OSError, with the reason, if Podman does not run here."""
    podman = shutil.which("podman")
    if podman is None:
        raise OSError("it is not installed")
    (folder / "bin").mkdir()
    program = folder / "bin" / "podman"
    program.write_text(PROGRAM.format(folder=folder, podman=podman))
    program.chmod(0o755)
    volumes = ", ".join(f'"{path}:{path}:ro"' for path in SYSTEM if os.path.exists(path))
    (folder / "containers.conf").write_text(SETTINGS.format(volumes=volumes))
    (folder / "storage.conf").write_text(STORAGE.format(folder=folder))
    entry = f'ENTRYPOINT ["{Path(sys.executable).with_name("foldem")}"]'
    _run([str(program), "import", "--change", entry, "-", image], _empty_folders())
    _run([str(program), "run", "--rm", "--network", "none", "--entrypoint", "/bin/true", image])
    return str(folder / "bin")


def _run(command: list[str], given: bytes = b"") -> None:
    done = subprocess.run(command, input=given, capture_output=True)
    if done.returncode:
        raise OSError((done.stderr.decode(errors="replace").strip().splitlines() or ["it gives no reason"])[-1])


def _empty_folders() -> bytes:
    """Return a tar file with the empty folders on which other folders are mounted."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for path in (*SYSTEM, "/proc", "/dev", "/sys", "/tmp", "/etc"):
            folder = tarfile.TarInfo(path.strip("/"))
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(folder)
    return file.getvalue()
