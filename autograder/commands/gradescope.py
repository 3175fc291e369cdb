"""`foldem gradescope`: an autograder for Gradescope as a zip: Foldem itself, the unit's pack, the course's settings."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.commands.wheel import whole_wheel
from autograder.config import SETTINGS_FILE, ConfigError, course_file, settings_text
from autograder.units.pack import OURS, PACK_FILE, ROLES, Pack
from autograder.units.unit import Unit

PACK_PLACE = "pack"
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
# The exam is built here once, and not for each submission.
FOLDEM_CACHE="$here/cache" FOLDEM_PACKS="@PACKS@" "$here/venv/bin/python" - "$here" <<'END'
import sys
from pathlib import Path
from autograder.config import policy_for
from autograder.exam.store import exam_for
exam_for("@UNIT@", policy_for(Path(sys.argv[1])).seed)
END
"""
RUN = """#!/usr/bin/env bash
# Gradescope runs this for each submission.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
here="$root/source"
export FOLDEM_CACHE="$here/cache" FOLDEM_PACKS="@PACKS@"
exec "$here/venv/bin/python" -m autograder.hosts.gradescope \\
  "$here" "$root/submission" "$root/results/results.json" @UNIT@
"""


def make_zip(path: Path, unit: Unit, course: Path | None, force: bool = False) -> Iterator[str]:
    """Write the zip, and say what to do with it; ConfigError if it is there already, or the course has no settings."""
    if path.exists() and not force:
        raise ConfigError(f"{path} is there already: name a new file, or say --force")
    settings = course_settings(course)
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place:
        wheel = whole_wheel(Path(place))
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in (("setup.sh", SETUP), ("run_autograder", RUN)):
                archive.writestr(_executable(name), _filled(text, unit))
            for name, file in files_of(unit.pack):
                archive.write(file, f"{PACK_PLACE}/{name}")
            archive.writestr(SETTINGS_FILE, settings)
            archive.write(wheel, wheel.name)
    yield f"wrote  {path}"
    points = sum(exercise.points for exercise in unit.exercises)
    yield f"Next: upload it to Gradescope (Configure Autograder), for an assignment of {points:g} points"


def _filled(text: str, unit: Unit) -> str:
    """Give a script for a unit, with the place of its pack, if that is not Foldem's own."""
    place = "" if unit.pack.root == OURS else f"$here/{PACK_PLACE}"
    return text.replace("@UNIT@", unit.name).replace("@PACKS@", place)


def files_of(pack: Pack) -> Iterator[tuple[str, Path]]:
    """Give the files of a pack by their names in it; none of ours, which comes with Foldem itself."""
    if pack.root == OURS:
        return
    yield PACK_FILE, pack.settings
    for role, folder in {**{role: pack.folder(role) for role in ROLES}, pack.course: pack.course_folder}.items():
        for file in sorted(folder.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield f"{role}/{file.relative_to(folder).as_posix()}", file


def course_settings(course: Path | None) -> str:
    """Give the course's settings; those of a new course, with a seed of its own, if none is named."""
    if course is None:
        with TemporaryDirectory() as nowhere:
            return settings_text(Path(nowhere))
    file = course_file(course)
    if file is None:
        raise ConfigError(f"{course} has no {SETTINGS_FILE}: make a course with `foldem course {course}`")
    return file.read_text(encoding="utf-8")


def _executable(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
    info.external_attr = (stat.S_IFREG | 0o755) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info
