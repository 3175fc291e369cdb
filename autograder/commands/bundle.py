"""`foldem bundle`: make the files that Gradescope or GitHub needs to grade an assignment."""

from __future__ import annotations

import csv
import hashlib
import re
import shlex
import stat
import tomllib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import fields
from importlib.metadata import Distribution, distribution
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import tomlkit

from autograder.commands.options import BundleOptions
from autograder.config import SETTINGS_FILE, ConfigError, Policy, settings_file_for, settings_text
from autograder.term.adjust import ADJUST_FILE
from autograder.term.assignments import SOURCE_FOLDER, chosen_assignment, points_of_unit
from autograder.term.course import Course, chosen_course
from autograder.term.files import write_texts
from autograder.units.build import built_notebook
from autograder.units.pack import FOLDEM_PACK_FOLDER, PACK_FILE, PACK_ROLES, PIN_VERSIONS, PINNED
from autograder.units.unit import Unit, read_unit

PACK_FOLDER = "pack"
REPOSITORY_ROOT = Path(__file__).parents[2]
INSTALLER_FILES = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json"}


def assignment_to_bundle(options: BundleOptions) -> tuple[Course, str, Unit]:
    """Return the course, the name of the assignment ("" if there is none), and the unit to grade."""
    course = chosen_course(options.pack, options.course)
    name, unit = chosen_assignment(course, course.assignments, options.assignment, options.unit)
    return course, name, read_unit(course.catalogue, unit)


def bundled_files(course: Course, assignment: str, unit: Unit, wheels: Path) -> Iterator[tuple[str, Path]]:
    """Yield each file of a bundle except the settings, as its path in the bundle and its path on this machine.

    The wheels are built in the folder `wheels`.
    """
    pack, root = unit.pack, course.root
    if pack.root != FOLDEM_PACK_FOLDER:  # ours is in the wheel
        yield f"{PACK_FOLDER}/{PACK_FILE}", pack.settings
        for role, folder in {
            **{role: pack.folder(role) for role in PACK_ROLES},
            pack.course: pack.course_folder,
        }.items():
            for file in sorted(folder.rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    yield f"{PACK_FOLDER}/{role}/{file.relative_to(folder).as_posix()}", file
    if root and assignment:
        source = f"{SOURCE_FOLDER}/{assignment}/{unit.stem}.ipynb"
        yield source, root / source
    for path in sorted((root / PINNED).glob("*")) if root else ():
        if path.name == PIN_VERSIONS or re.fullmatch(rf"{unit.name}(-[^-]*)?\.(py|toml|json)", path.name):
            yield f"{PINNED}/{path.name}", path
    yield from ((wheel.name, wheel) for wheel in build_foldem_wheels(wheels))


def bundled_settings(root: Path | None) -> str:
    """Return those of the course's settings that affect grading.

    Without a course, return the default settings with a new seed. Other settings and comments are left out, because
    they can be secret, such as a database's password in `store`.
    """
    file = settings_file_for(root) if root else None
    with TemporaryDirectory() as nowhere:
        text = file.read_text(encoding="utf-8") if file else settings_text(Path(nowhere))
    settings = tomllib.loads(text)
    return tomlkit.dumps({each.name: settings[each.name] for each in fields(Policy) if each.name in settings})


# ------------------------------------------------------------------------------------------------ our own wheels


def build_foldem_wheels(folder: Path) -> tuple[Path, ...]:
    """Make the wheels of `foldem` and `foldem-course` in a folder, and return their paths."""
    if not (REPOSITORY_ROOT / "pyproject.toml").exists():
        return tuple(_repack_wheel(distribution(name), folder) for name in ("foldem", "foldem-course"))
    from hatchling.builders.wheel import WheelBuilder  # here, since an installed Foldem does without

    builders = [WheelBuilder(str(root)) for root in (REPOSITORY_ROOT, REPOSITORY_ROOT / "packages" / "course")]
    made = (builder.build(directory=str(folder.resolve()), versions=["standard"]) for builder in builders)
    return tuple(Path(next(iter(paths))) for paths in made)


def _repack_wheel(installed: Distribution, folder: Path) -> Path:
    """Make a wheel of the files of an installed distribution, with a new list of these files."""
    files = [file for file in installed.files or () if not {"..", "__pycache__"} & {*file.parts}]
    contents = {str(file): Path(str(file.locate())).read_bytes() for file in files if file.name not in INSTALLER_FILES}
    record = next(name for name in contents if name.endswith(".dist-info/METADATA")).replace("METADATA", "RECORD")
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, data in contents.items():
        digest = urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow((name, f"sha256={digest}", len(data)))
    rows.writerow((record, "", ""))
    path = folder / f"{installed.name.replace('-', '_')}-{installed.version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in contents.items():
            wheel.writestr(name, data)
        wheel.writestr(record, text.getvalue())
    return path


GITHUB_FOLDER = ".github/foldem"
WORKFLOW_TEMPLATE = """\
# Written by `foldem bundle`. Grades the notebook at each push; the run's summary shows the results.
name: Foldem
on: [push, workflow_dispatch]
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install .github/foldem/*.whl pytest
      - name: grade
        # The sandbox is Landlock or, where the runner allows namespaces, bubblewrap.
        # Only the exercises of the released notebook count.
        run: foldem pytest {notebook} --released {released} --junitxml report.xml -q
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: report
          path: report.xml
"""


def _write_github_starter(options: BundleOptions) -> Iterator[str]:
    """Write a notebook and a workflow into a folder. Raises ConfigError if one of the files exists already."""
    folder, (course, name, unit) = options.target, assignment_to_bundle(options)
    notebook = f"{unit.stem}.ipynb"
    if unit.pack.root != FOLDEM_PACK_FOLDER:
        raise ConfigError(
            f"{unit.name} belongs to the pack {unit.pack.name}: on GitHub, students could read its reference "
            "solutions. Use --for gradescope"
        )
    if course.root and name:
        path = course.root / "release" / name / notebook
        if not path.is_file():
            how = f"run `nbgrader generate_assignment {name}` in {course.root} first"
            raise ConfigError(f"{path} does not exist yet: {how}")
        text = path.read_text(encoding="utf-8")
    else:
        text = built_notebook(unit)
    released = f"{GITHUB_FOLDER}/{notebook}"
    workflow = WORKFLOW_TEMPLATE.format(notebook=notebook, released=released)
    texts = {folder / notebook: text, folder / released: text, folder / ".github/workflows/foldem.yml": workflow}
    there = [path for path in texts if path.exists()]
    if there and not options.force:
        raise ConfigError(f"{there[0]} exists already: choose a new folder, or add --force")
    yield from write_texts(texts)
    for old in (folder / GITHUB_FOLDER).glob("*.whl"):
        old.unlink()
    yield from (f"wrote  {wheel}" for wheel in build_foldem_wheels(folder / GITHUB_FOLDER))
    yield "note   the wheels contain reference solutions, as every installation of Foldem does"
    yield "Next: push this folder to GitHub, as the repository that students copy"


SETUP_SCRIPT = """#!/usr/bin/env bash
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
RUN_SCRIPT = """#!/usr/bin/env bash
# Gradescope runs this for each submission.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
here="$root/source"
export FOLDEM_CACHE="$here/cache" FOLDEM_PACKS="@PACKS@"
exec "$here/venv/bin/python" -P -m autograder.hosts.single \\
  "$here" "$root/submission" "$root/results/results.json" @UNIT@@ASSIGNMENT@
"""


def _write_gradescope_zip(options: BundleOptions) -> Iterator[str]:
    """Write the zip, and yield what to do next. Raises ConfigError if the zip exists."""
    path = options.target
    if path.exists() and not options.force:
        raise ConfigError(f"{path} exists already: choose another name, or add --force")
    course, name, unit = assignment_to_bundle(options)
    pack = "" if unit.pack.root == FOLDEM_PACK_FOLDER else f"$here/{PACK_FOLDER}"
    words = {"@UNIT@": unit.name, "@ASSIGNMENT@": f" {shlex.quote(name)}" if name else "", "@PACKS@": pack}
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for script, text in (("setup.sh", SETUP_SCRIPT), ("run_autograder", RUN_SCRIPT)):
            info = zipfile.ZipInfo(script, (2000, 1, 1, 0, 0, 0))
            info.external_attr = (stat.S_IFREG | 0o755) << 16  # executable
            info.compress_type = zipfile.ZIP_DEFLATED
            for word, value in words.items():
                text = text.replace(word, value)
            archive.writestr(info, text)
        for inside, file in bundled_files(course, name, unit, Path(folder)):
            archive.write(file, inside)
        archive.writestr(SETTINGS_FILE, bundled_settings(course.root))
    yield f"wrote  {path}"
    if course.root and (course.root / ADJUST_FILE).is_file():
        yield f"note   {course.root / ADJUST_FILE} has no effect on Gradescope"
    points = sum((course.assignments[name] if name else points_of_unit(unit))[unit.name].values())
    yield f"Next: on Gradescope, make an assignment of {points:g} points and upload the zip under Configure Autograder"


PLATFORM_WRITERS = {"gradescope": _write_gradescope_zip, "github": _write_github_starter}


def run(options: BundleOptions) -> Iterator[str]:
    """Write the files for the platform, and yield lines about the next steps.

    Raises ConfigError for an unknown platform.
    """
    if options.platform not in PLATFORM_WRITERS:
        raise ConfigError(f"--for must be one of {', '.join(PLATFORM_WRITERS)}")
    return PLATFORM_WRITERS[options.platform](options)
