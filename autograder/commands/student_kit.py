"""`foldem student-kit`: make a folder with notebooks and the wheels that they import, without any solutions."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.metadata import distribution, requires
from pathlib import Path
from types import MappingProxyType

import tomlkit
from hatchling.builders.wheel import WheelBuilder

from autograder.commands.options import StudentKitOptions
from autograder.config import PUBLISHED_SEED, SETTINGS_FILE, ConfigError, help_settings_for, policy_for
from autograder.exam.sealing import sealed_practice
from autograder.grading.puzzles import puzzles_as_json
from autograder.grading.run import installed_version
from autograder.submission.reading import Notebook, own_metadata
from autograder.term.course import chosen_catalogue, chosen_units
from autograder.term.files import write_texts
from autograder.units.build import built_notebook
from autograder.units.pack import Catalogue, Pack
from autograder.units.pages import how_to_work_block, line_on_checks_and_hints
from autograder.units.unit import Unit, read_unit, units_in
from course.kernel.workspace import COURSE_DEFAULTS
from course.roles import UNIT_FILE_NAME

BACKUP_PATTERNS = "*~", "#*#", "*.bak", "*.orig", "*.rej", "*.swp", "*.tmp"  # may contain a draft of a reference
EXCLUDED_PATTERNS = ("__pycache__", ".*", *BACKUP_PATTERNS, "notebooks", "sealed", "puzzles")  # a kit has its own
SHORTEST_SAFE_SEED = 16  # characters
PYPROJECT_TEMPLATE = """[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
description = "{description}"
requires-python = ">=3.11"
license-files = ["LICENSE*"]
dependencies = {dependencies}

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""
KIT_SETTINGS_TEMPLATE = """\
# Settings of your course: whether its notebooks offer hints, borrow() and solution(), and puzzles.
# `sharing`: true, false, or the time from which share() makes links to games. `site`: the address of these links.
hints = {hints}
borrowing = {borrowing}
puzzles = {puzzles}
sharing = {sharing}
site = {site}
"""
NEXT_LINK_PATTERN = r"(?<=\*\*Next: )\[([^\]]+)\]\(([^)]+\.ipynb)\)"
VS_CODE_FILE = ".vscode/settings.json"
VS_CODE_SETTINGS = """{
  // Suggestions would write your answers. Change this to true to switch them on.
  "editor.inlineSuggest.enabled": false
}
"""
KIT_README_TEMPLATE = """# Your notebooks

You need Python 3.11 or newer. Open a terminal in this folder and run:

    python3 start.py

On Windows, run `py start.py`. The first start installs JupyterLab here, which takes about a minute. Then your browser
opens the start page: click *Begin*, read, and write your function. Run it and the `check` below it with Shift-Enter.
Later, *Continue* leads to your next exercise.

`check` tests your functions with a practice exam and shows what is wrong. Your teacher's exam may use other inputs.
Hand in the notebook.

In VS Code, this folder switches inline suggestions off, since they would write your answers. To switch them on, change
`.vscode/settings.json`.

If you prefer an environment of your own, run `pip install jupyterlab {wheels}` in it, then `jupyter lab`.
"""
START_SCRIPT = """# Open the notebooks in JupyterLab; the first start installs everything: python3 start.py
import sys

del sys.path[0]  # this folder, in which a stranger may have put modules
import os
import subprocess
import venv
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = str(HERE / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
WHEELS = @WHEELS@
DONE = HERE / ".venv" / "wheels.txt"  # which wheels are installed
LAB = HERE / ".foldem" / "lab"
OPEN = '''import os, sys
sys.modules["rfc3987_syntax"] = None  # its import takes jsonschema two seconds, and nothing here needs it
from pathlib import Path
import nbformat.sign
from course.learner.opening import LAYOUTS_FOLDER, START_PAGE_NAME, STARTUP_FILE
from course.learner.opening import write_layout, write_settings, write_start_page
if write_start_page(Path()):
    nbformat.sign.NotebookNotary().sign(nbformat.read(START_PAGE_NAME, 4))  # so that JupyterLab shows its links
write_layout(write_settings(Path(".foldem/lab")) / LAYOUTS_FOLDER)
os.environ["PYTHONSTARTUP"] = STARTUP_FILE
os.chdir(sys.prefix)  # in the folder itself, JupyterLab would run a jupyter_server_config.py that a stranger put there
from jupyterlab.labapp import main
main()'''
SAFE = {**os.environ, "PYTHONSAFEPATH": "1"}  # pip, JupyterLab and kernels start with no module of this folder

if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or newer is needed, and this is " + sys.version.split()[0])
if not DONE.exists() or DONE.read_text(encoding="utf-8").splitlines() != WHEELS:
    print("Installing JupyterLab in this folder. This takes about a minute, once.", flush=True)
    has_pip = find_spec("pip") is not None  # it installs pip, too: quicker than venv does
    venv.create(HERE / ".venv", with_pip=not has_pip)
    pip = [sys.executable, "-m", "pip", "--python", PYTHON] if has_pip else [PYTHON, "-m", "pip"]
    words = ["install", "--quiet", "--disable-pip-version-check", "--no-compile", "pip", "jupyterlab", *WHEELS]
    subprocess.run([*pip, *words], cwd=HERE, env=SAFE, check=True)
    DONE.write_text("\\n".join(WHEELS), encoding="utf-8")
lab = ["--LabServerApp.app_settings_dir=" + str(LAB), "--LabServerApp.workspaces_dir=" + str(LAB / "workspaces")]
lab += ["--LabApp.default_url=/lab/tree/start.ipynb", "--ServerApp.root_dir=" + str(HERE)]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    lab.append("--allow-root")  # in a container, the user is root, and JupyterLab refuses to run as root without this
try:
    sys.exit(subprocess.run([PYTHON, "-c", OPEN, *lab, *sys.argv[1:]], cwd=HERE, env=SAFE).returncode)
except KeyboardInterrupt:
    pass
"""


def run(options: StudentKitOptions) -> Iterator[str]:
    """Write the student kit that the options describe, and yield a line of output about each file."""
    catalogue = chosen_catalogue(options.pack, options.course or Path.cwd())
    units = chosen_units(catalogue, options.pack, options.unit)
    return make_kit(options.folder, catalogue, units, options.course, options.force)


def make_kit(
    folder: Path, catalogue: Catalogue, units: tuple[Unit, ...] = (), course: Path | None = None, force: bool = False
) -> Iterator[str]:
    """Write the student kit into a folder, and yield a line of output about each file."""
    notebooks = chosen_notebooks(units, catalogue, course)
    first = {Path(path).name: path for path in reversed(notebooks)}  # they are at the top, beside the start page
    at_top = {name: notebooks.pop(path) for name, path in reversed(first.items())}
    notebooks = without_dead_links(at_top | notebooks, catalogue)
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not force)):
        raise ConfigError(f"{folder} is not empty: choose a new folder, or add --force to write into it")
    allowed, files = allowed_help(course), kit_data_files(notebooks.values(), catalogue, course)
    yield from seed_remarks(course)
    packs = packs_in(notebooks.values(), catalogue)
    wheels = [build_wheel(folder, pack, bool(allowed["hints"]), files) for pack in packs]
    yield from (f"wrote  {wheel}" for wheel in wheels)
    names = sorted(wheel.name for wheel in wheels)
    start = START_SCRIPT.replace("@WHEELS@", json.dumps(names))  # installs only these wheels
    texts = {SETTINGS_FILE: kit_settings(allowed), "README.md": KIT_README_TEMPLATE.format(wheels=" ".join(names))}
    texts |= {"start.py": start, VS_CODE_FILE: VS_CODE_SETTINGS}
    yield from write_texts({folder / name: text for name, text in (notebooks | texts).items()})
    yield f"Next: give {folder} to your students; its README.md explains how to start"


def allowed_help(course: Path | None) -> dict[str, bool | str]:
    """Return the settings for students' help in a course: hints, reference solutions, puzzles, and links to games.

    Without a course, the kit is for people who learn alone, so puzzles and links to games are allowed.
    """
    if course is None:
        return COURSE_DEFAULTS | {"puzzles": True, "sharing": True}
    return help_settings_for(course) or COURSE_DEFAULTS


def kit_settings(allowed: Mapping[str, bool | str]) -> str:
    """Return the text of the settings file in a student kit."""
    return KIT_SETTINGS_TEMPLATE.format(**{key: json.dumps(value) for key, value in allowed.items()})


def chosen_notebooks(units: tuple[Unit, ...], catalogue: Catalogue, course: Path | None) -> dict[str, str]:
    """Return the notebooks that a course has released, or the notebooks of these units, by path.

    Raises ConfigError if the course has released none of these notebooks.
    """
    if course is None:
        return {f"{unit.stem}.ipynb": built_notebook(unit) for unit in units or units_in(catalogue)}
    stems = {unit.stem for unit in units}
    paths = [path for path in sorted((course / "release").glob("*/*.ipynb")) if not units or path.stem in stems]
    if not paths:
        raise ConfigError(f"{course} has no released notebooks yet: run `nbgrader generate_assignment` there first")
    return {str(path.relative_to(course / "release")): path.read_text(encoding="utf-8") for path in paths}


def without_dead_links(notebooks: Mapping[str, str], catalogue: Catalogue) -> dict[str, str]:
    """Return the notebooks, by path, without links to notebooks that are not in the same folder.

    If the first unit's notebook is missing, its text about checks and hints is added to the other notebooks.
    """

    def name_or_link(match: re.Match[str]) -> str:
        return match[0] if str(Path(name).with_name(match[2])) in notebooks else match[1]

    linked = dict[str, str]()
    for name, text in notebooks.items():
        linked[name] = re.sub(NEXT_LINK_PATTERN, name_or_link, text)
        unit_name = _metadata_of(text).get("unit")
        if unit_name not in catalogue.units:
            continue
        unit = read_unit(catalogue, str(unit_name))
        first = read_unit(catalogue, unit.pack.units[0])
        if str(Path(name).with_name(f"{first.stem}.ipynb")) not in notebooks:
            data = json.loads(linked[name])
            for cell in (each for each in data["cells"] if each["cell_type"] == "markdown"):
                source = "".join(cell["source"])
                if (short := line_on_checks_and_hints(unit)) in source:
                    cell["source"] = source.replace(short, how_to_work_block(unit)).splitlines(keepends=True)
            linked[name] = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    return linked


def _metadata_of(notebook: str) -> dict[str, object]:
    """Return Foldem's own part of the metadata of a notebook's text."""
    return own_metadata(Notebook((), json.loads(notebook).get("metadata", {})))


def packs_in(notebooks: Iterable[str], catalogue: Catalogue) -> tuple[Pack, ...]:
    """Return the packs that the notebooks are from. Foldem's own pack comes first, because all other packs need it."""
    courses = {_metadata_of(text).get("course") for text in notebooks}
    ours, *others = catalogue.packs
    return (ours, *(pack for pack in others if pack.course in courses))


def sealed_exams(
    notebooks: Iterable[str], catalogue: Catalogue, course: Path | None = None
) -> Iterator[tuple[str, str]]:
    """For each unit in the notebooks, yield the unit's name and its sealed practice exam.

    Inputs that the course reserves for its graded exam are left out.
    """
    seed = policy_for(course).seed if course else PUBLISHED_SEED
    for unit in sorted({str(_metadata_of(text).get("unit")) for text in notebooks} & {*catalogue.units}):
        yield unit, sealed_practice(read_unit(catalogue, unit), seed)


def kit_data_files(
    notebooks: Collection[str], catalogue: Catalogue, course: Path | None = None
) -> dict[str, dict[str, str]]:
    """Return the texts of a kit's data files by folder, and then by the name of the unit.

    The folder `sealed` has the sealed exams. The folder `puzzles` has the puzzles, if the course allows puzzles.
    """
    exams, allowed = dict(sealed_exams(notebooks, catalogue, course)), allowed_help(course)
    has_puzzles = allowed["hints"] and allowed["puzzles"]
    return {
        "sealed": exams,
        "puzzles": {unit: puzzles_as_json(read_unit(catalogue, unit)) for unit in exams if has_puzzles},
    }


def seed_remarks(course: Path | None) -> Iterator[str]:
    """Yield a warning if a course's secret seed is so short that it can be guessed."""
    seed = policy_for(course).seed if course else PUBLISHED_SEED
    if seed != PUBLISHED_SEED and len(seed) < SHORTEST_SAFE_SEED:
        advice = f"use {SHORTEST_SAFE_SEED} characters or more"
        yield f"note   the seed of {course} is so short that students can guess it: {advice}"


def build_wheel(
    folder: Path, pack: Pack, hints: bool, files: Mapping[str, Mapping[str, str]] = MappingProxyType({})
) -> Path:
    """Build the wheel of a pack's course package, and remove older versions of this wheel from the folder.

    The wheel contains the `files` of the pack's units. The wheel contains hints only if `hints` is true.
    """
    with tempfile.TemporaryDirectory() as draft:
        root = Path(draft)
        shutil.copytree(pack.course_folder, root / pack.course, ignore=shutil.ignore_patterns(*EXCLUDED_PATTERNS))
        for path in () if hints else (root / pack.course).glob(f"*/{UNIT_FILE_NAME}"):
            path.write_text(without_hints(path.read_text(encoding="utf-8")), encoding="utf-8")
        for kind, unit in ((kind, unit) for kind, texts in files.items() for unit in {*texts} & {*pack.units}):
            (root / pack.course / kind).mkdir(exist_ok=True)
            (root / pack.course / kind / f"{unit}.json").write_text(files[kind][unit], encoding="utf-8")
        ours = pack.course == "course"
        # A pack's wheel does not require ours, because pip could look for that name in an index. It is in the same kit.
        needs = [need for need in requires("foldem-course") or () if ours and ";" not in need]
        project = PYPROJECT_TEMPLATE.format(
            name="foldem-course" if ours else pack.course.replace("_", "-"),
            version=f"{installed_version()}+kit{_digest_of(root)}",
            description=f"Types, given functions and check for the notebooks of the {pack.name.capitalize()} course",
            dependencies=json.dumps(needs),
            package=pack.course,
        )
        (root / "pyproject.toml").write_text(project, encoding="utf-8")
        licence = pack.course_folder.parent / "LICENSE"
        text = distribution("foldem-course").read_text("licenses/LICENSE") if ours else ""
        if text or licence.exists():
            (root / "LICENSE").write_text(text or licence.read_text(encoding="utf-8"), encoding="utf-8")
        wheel = Path(next(iter(WheelBuilder(draft).build(directory=str(folder.resolve()), versions=["standard"]))))
    for other in {*folder.glob(f"{wheel.name.partition('-')[0]}-*.whl")} - {folder / wheel.name}:
        other.unlink()
    return wheel


def _digest_of(folder: Path) -> str:
    """Return a hash of a folder's files, to use as a version, because pip does not reinstall the same version."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(folder).as_posix()} {file.stat().st_size}\n".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def without_hints(text: str) -> str:
    """Return a unit's TOML text without the hints.

    >>> print(without_hints('points = 1\\nhints = [\\n    "Look.",\\n]\\nlines = 2'))
    points = 1
    lines = 2
    """
    document = tomlkit.parse(text)
    for table in [document, *document.get("exercise", [])]:
        table.pop("hints", None)
    return tomlkit.dumps(document)
