"""Programs from npm that tests need, in folders below `build/`, which git ignores."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from filelock import FileLock

BUILD = Path(__file__).parent.parent / "build"


def installed(folder: str, *packages: str) -> Path:
    """Return the folder `node_modules` with these packages. The first test that needs them installs them."""
    prefix = BUILD / folder
    done = prefix / "installed"
    with FileLock(f"{prefix}.lock"):
        if not done.exists() or done.read_text() != " ".join(packages):
            prefix.mkdir(parents=True, exist_ok=True)
            options = ("--silent", "--no-audit", "--no-fund", "--prefix", str(prefix))
            subprocess.run([str(shutil.which("npm")), "install", *options, *packages], check=True, timeout=180)
            done.write_text(" ".join(packages))
    return prefix / "node_modules"
