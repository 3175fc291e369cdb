"""`foldem bundle --for classroom50`: make the folder with which Classroom 50 grades an assignment.

Classroom 50 publishes this folder, and runs it in the student's repository. So its marks are only feedback.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.commands.bundled import (
    PACK_FOLDER,
    assignment_to_bundle,
    bundled_files,
    bundled_settings,
    points_of_unit,
)
from autograder.commands.options import BundleOptions
from autograder.config import PUBLISHED, SETTINGS_FILE
from autograder.units.pack import OURS

SCRIPT = "autograder.py"
PROGRAM = '''"""Grade the notebook in the current folder, and write result.json there. Made by `foldem bundle`."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

BUNDLE = Path(__file__).resolve().parent
UNIT, ASSIGNMENT, PACK = @WORDS@


def remove(path: Path) -> None:
    """Remove what the student has committed under this name, so that it never counts as the result."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def main() -> int:
    remove(Path("result.json"))
    if sys.version_info < (3, 11):
        print("foldem: Python 3.11 or newer is needed: set it in the assignment's runtime", file=sys.stderr)
        return 1
    with TemporaryDirectory() as folder:  # outside of the student's files, whose settings must not apply
        here = Path(folder, "grader")
        shutil.copytree(BUNDLE, here)
        venv.create(here / "venv", with_pip=True)
        python = str(here / "venv" / "bin" / "python")
        wheels = sorted(map(str, here.glob("*.whl")))
        subprocess.run([python, "-P", "-m", "pip", "install", "--quiet", *wheels], check=True)
        command = [python, "-P", "-m", "autograder.hosts.classroom50"]
        words = [str(here), str(Path.cwd()), str(BUNDLE), UNIT, ASSIGNMENT]
        packs = str(here / PACK) if PACK else ""
        own = {"FOLDEM_CACHE": str(here / "cache"), "FOLDEM_PACKS": packs}
        return subprocess.call([*command, *words], env=os.environ | own)


if __name__ == "__main__":
    sys.exit(main())
'''


def run(options: BundleOptions) -> Iterator[str]:
    """Write the folder, and yield what to do next. Raises ConfigError if the folder exists."""
    folder = options.target
    course, name, unit = assignment_to_bundle(options, folder)
    pack = "" if unit.pack.root == OURS else PACK_FOLDER
    with TemporaryDirectory() as wheels:
        for inside, file in bundled_files(course, name, unit, Path(wheels)):
            (folder / inside).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, folder / inside)
    (folder / SETTINGS_FILE).write_text(bundled_settings(course.root, seed=PUBLISHED), encoding="utf-8")
    (folder / SCRIPT).write_text(PROGRAM.replace("@WORDS@", repr((unit.name, name, pack))), encoding="utf-8")
    points = sum(points_of_unit(course, name, unit).values())
    yield f"wrote  {folder}"
    yield "note   students can read this folder: it has reference answers and the published exam, not yours"
    yield f"Next: push it as CLASSROOM/autograders/ASSIGNMENT/; a score of {round(points * 100)} is {points:g} points"
