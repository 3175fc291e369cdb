"""`foldem bundle --for gradescope`: make a zip with Foldem, the unit's pack and the course's settings."""

from __future__ import annotations

import shlex
import stat
import zipfile
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
from autograder.config import SETTINGS_FILE
from autograder.term.adjust import ADJUST_FILE
from autograder.term.course import Course
from autograder.units.pack import OURS
from autograder.units.unit import Unit

SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, when the autograder is built.
set -euo pipefail
here="${AUTOGRADER_ROOT:-/autograder}/source"
python=""
for name in python3.13 python3.12 python3.11 python3; do
  if "$name" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$name; break; fi
done
if [ -z "$python" ]; then
  apt-get update -qq
  for name in python3.13 python3.12 python3.11; do
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$name" "$name-venv"; then python=$name; break; fi
  done
fi
[ -n "$python" ] || { echo "foldem: Python 3.11 or newer is needed; choose a newer base image" >&2; exit 1; }
"$python" -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet "$here"/*.whl
# Build the exam once, not for each submission.
FOLDEM_CACHE="$here/cache" FOLDEM_PACKS="@PACKS@" "$here/venv/bin/python" - "$here" <<'END'
import sys
from pathlib import Path
from autograder.exam.store import exam_for
from autograder.term.course import read_course
from autograder.units.pack import catalogue_here
from autograder.units.unit import read_unit
course = read_course(Path(sys.argv[1]), catalogue_here())
exam_for(read_unit(course.catalogue, "@UNIT@"), course.policy.seed)
END
"""
RUN = """#!/usr/bin/env bash
# Gradescope runs this for each submission.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
here="$root/source"
export FOLDEM_CACHE="$here/cache" FOLDEM_PACKS="@PACKS@"
exec "$here/venv/bin/python" -P -m autograder.hosts.gradescope \\
  "$here" "$root/submission" "$root/results/results.json" @UNIT@@ASSIGNMENT@
"""


def run(options: BundleOptions) -> Iterator[str]:
    """Write the zip, and yield what to do next. Raises ConfigError if the zip exists."""
    path = options.target
    course, name, unit = assignment_to_bundle(options, path)
    _write(path, name, unit, course)
    yield f"wrote  {path}"
    if course.root and (course.root / ADJUST_FILE).is_file():
        yield f"note   {course.root / ADJUST_FILE} has no effect on Gradescope"
    points = sum(points_of_unit(course, name, unit).values())
    yield f"Next: on Gradescope, make an assignment of {points:g} points and upload the zip under Configure Autograder"


def _write(path: Path, assignment: str, unit: Unit, course: Course) -> None:
    """Write the zip: scripts, the unit's pack, the unit's files in the course, settings, and Foldem itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for script, text in (("setup.sh", SETUP), ("run_autograder", RUN)):
            archive.writestr(_executable(script), _filled(text, unit, assignment))
        for inside, file in bundled_files(course, assignment, unit, Path(folder)):
            archive.write(file, inside)
        archive.writestr(SETTINGS_FILE, bundled_settings(course.root))


def _filled(text: str, unit: Unit, assignment: str) -> str:
    """Return a script for a unit, with the path of its pack. Foldem's own pack needs no path."""
    pack = "" if unit.pack.root == OURS else f"$here/{PACK_FOLDER}"
    word = f" {shlex.quote(assignment)}" if assignment else ""
    return text.replace("@UNIT@", unit.name).replace("@ASSIGNMENT@", word).replace("@PACKS@", pack)


def _executable(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
    info.external_attr = (stat.S_IFREG | 0o755) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
