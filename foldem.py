"""The start of the command `foldem`: check that Python finds our packages, because others use the same names, too."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

OURS = {"course": "check", "solutions": "warmup", "autograder": "cli"}


def strangers() -> dict[str, str]:
    """Return the packages that hide ours because they have the same name, with their folders or files."""
    return {name: _origin(name) for name, module in OURS.items() if not _has(name, module)}


def _has(name: str, module: str) -> bool:
    spec = find_spec(name)
    folders = (spec and spec.submodule_search_locations) or ()
    return any(Path(folder, f"{module}.py").is_file() for folder in folders)


def _origin(name: str) -> str:
    spec = find_spec(name)
    if spec is None:
        return ""
    return spec.origin or next(iter(spec.submodule_search_locations or ()), name)


def explained(name: str, origin: str) -> str:
    """Return what is wrong with a package, and what to do.

    >>> explained("course", "/home/ada/course.py")
    "Python finds another `course` than Foldem's: /home/ada/course.py. Rename or uninstall it"
    """
    if origin:
        return f"Python finds another `{name}` than Foldem's: {origin}. Rename or uninstall it"
    return f"Foldem's package `{name}` is missing. Install Foldem again, as its README says"


def main() -> None:
    """Run the command, or say in one line which package of ours is hidden."""
    for name, origin in strangers().items():
        sys.exit(f"foldem: {explained(name, origin)}")
    from autograder.cli import main as run

    run()


if __name__ == "__main__":
    main()
