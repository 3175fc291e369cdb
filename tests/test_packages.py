"""The two distributions: their content, their requirements, and the messages if something is missing or hidden."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograder.commands.bundle import own_wheels
from autograder.config import ConfigError, read_settings
from autograder.errors import EXTRAS, install_extra
from autograder.hosts.nbgrader import course_config, generate
from autograder.units.build import INSTALLING, install_cell
from course.learner.opening import copy_notebooks
from foldem import explained, strangers
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem_here, is_one_line_refusal, printed_by

ROOT = Path(__file__).parent.parent
HERE, READ = (
    "tests/test_packages.py",
    (".py", ".md", ".txt", ".toml", ".yml", ".ipynb", "Makefile", "Dockerfile", "postBuild"),
)
COURSE_ROOT = ROOT / "packages" / "course"
LIGHT = f"""
import sys
for name in {[module for modules in EXTRAS.values() for module in modules]}:
    sys.modules[name] = None
from foldem import main
sys.argv[0] = "foldem"
main()
"""
WITH_OTHERS = {"pytest", "traitlets", "jupyter_core"}  # brought by packages that are always there, or asked for by name


def project(root: Path) -> dict[str, Any]:
    return dict(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"])


def light(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command as in an environment without any extra."""
    command = [sys.executable, "-c", LIGHT, *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=PLAIN, timeout=PATIENCE)


def test_version_is_the_same_everywhere() -> None:
    ours, course = project(ROOT), project(COURSE_ROOT)
    version = course["version"]
    assert ours["version"] == version and f"foldem-course=={version}" in ours["dependencies"]
    assert foldem_here("--version").stdout == f"foldem {version}\n"
    assert f"version: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert (ROOT / "LICENSE").read_text() == (COURSE_ROOT / "LICENSE").read_text()


def test_wheel_of_the_course_has_notebooks_and_no_solutions(tmp_path: Path) -> None:
    (ours, course) = own_wheels(tmp_path)
    names = [set(zipfile.ZipFile(wheel).namelist()) for wheel in (ours, course)]
    assert {name.split("/")[0].partition("-")[0] for name in names[1]} == {"course", "foldem_course"}
    assert names[1] > {"course/notebooks/0_warmup.ipynb", "course/statements/warmup.json"}
    assert "solutions/warmup.py" in names[0] and not any(name.startswith("course/") for name in names[0])


def imports() -> Iterator[str]:
    for half in ("autograder", "solutions"):
        for path in (ROOT / half).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    yield from (alias.name.split(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                    yield node.module.split(".")[0]


def test_each_import_belongs_to_the_base_or_to_an_extra() -> None:
    declared = {re.split(r"[^\w.-]", need)[0].lower() for need in project(ROOT)["dependencies"]}
    owners = packages_distributions().items()
    base = {name for name, distributions in owners if declared & {each.lower() for each in distributions}}
    extra = {module for modules in EXTRAS.values() for module in modules}
    ours = {"course", "solutions", "autograder", "course_checks", "course_mistakes"}
    assert {*imports()} - {*sys.stdlib_module_names} - base - extra - ours - WITH_OTHERS == set()
    assert {*EXTRAS} <= {*project(ROOT)["optional-dependencies"]}


PIP = r"""\bpip["', ]+install["', ]+([^\s"'`|&]+[ \t]+)*"""
BY_NAME = re.compile(PIP + r"""["']?foldem(-course)?(?=$|[\s"'`,.;:)\[=])""", re.MULTILINE)


def test_nothing_installs_our_packages_by_their_names() -> None:
    """An index may have a stranger's package of that name."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = (ROOT / name for name in listed.split("\n") if name.endswith(READ))
    matches = {str(path): BY_NAME.findall(path.read_text(encoding="utf-8")) for path in paths if path != Path(__file__)}
    assert {path for path, found in matches.items() if found} == set()
    assert BY_NAME.search('magic("pip", "install foldem-course")') and BY_NAME.search("pip install -q 'foldem[lab]'")


def run_without_the_course(cell: str) -> str:
    """Return what the first cell of a notebook prints where the course is missing, and the magics that it runs."""
    shell = "from types import SimpleNamespace\nget_ipython = lambda: SimpleNamespace(run_line_magic=print)\n"
    program = [sys.executable, "-I", "-S", "-c", shell + cell]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout


def test_notebook_installs_the_course_only_from_the_address_of_its_course(tmp_path: Path) -> None:
    address = "https://uni.example/foldem_course-0.1.0+kit0-py3-none-any.whl#sha256=0"
    printed_by(foldem_here("course", tmp_path, "--unit", "warmup"))
    with (tmp_path / "foldem.toml").open("a") as settings:
        settings.write(f'wheel = "{address}"\n')
    generate(tmp_path, "warmup", course_config())
    (notebook,) = (tmp_path / "release").rglob("*.ipynb")
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]}
    assert run_without_the_course(cells[INSTALLING]) == f"pip install --quiet {address}\n"
    assert run_without_the_course(install_cell()).startswith("Foldem's course is missing here. Ask")


def test_first_cell_is_silent_with_the_course_and_names_another_package(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    exec(install_cell())
    assert capsys.readouterr().out == ""
    monkeypatch.setitem(sys.modules, "course", ModuleType("course"))
    monkeypatch.delitem(sys.modules, "course.check")
    exec(install_cell())
    assert "Another package `course` is in the way here" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wheel", ["foldem-course", "http://x.example/a.whl", "https://x.example/a.whl; rm", 'https://x"']
)
def test_address_that_pip_or_a_shell_could_misread_is_refused(wheel: str, tmp_path: Path) -> None:
    (tmp_path / "foldem.toml").write_text(f"wheel = '{wheel}'\n")
    with pytest.raises(ConfigError, match="wheel"):
        read_settings(tmp_path / "foldem.toml")


def test_light_base_grades_reports_exports_and_checks(tmp_path: Path) -> None:
    printed_by(foldem_here("demo", tmp_path / "class", "--unit", "warmup"))
    shutil.unpack_archive(tmp_path / "class" / "submissions.zip", tmp_path / "work")
    out = tmp_path / "out"
    graded = light("grade", tmp_path / "work", "--out", out, "--sandbox", "off")
    assert "6 submissions" in graded.stdout, graded.stderr
    for words in (("report", out), ("export", out), ("check", ROOT / "notebooks" / "0_warmup.ipynb", "swap_ends")):
        done = light(*words)
        assert "Traceback" not in done.stderr and "needs" not in done.stderr, done.stderr
    assert (out / "class.html").is_file()


@pytest.mark.parametrize(
    "words, extra",
    [
        (("lab", "x"), "lab"),
        (("course", "x", "--unit", "warmup"), "nbgrader"),
        (("student-kit", "x", "--unit", "warmup"), "nbgrader"),
        (("build", "warmup"), "nbgrader"),
        (("site", "x"), "site"),
        (("grade", "x.ipynb", "--cluster", "tcp://host:8786"), "cluster"),
    ],
)
def test_missing_extra_is_one_line(words: tuple[str, ...], extra: str, tmp_path: Path) -> None:
    done = light(*(tmp_path / word if word.startswith("x") else word for word in words))
    assert is_one_line_refusal(done) and install_extra(extra) in done.stderr, done.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("name", ["course", "solutions", "autograder"])
def test_package_of_the_same_name_is_named_in_one_line(name: str, tmp_path: Path) -> None:
    assert strangers() == {}
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").touch()
    done = subprocess.run([FOLDEM, "--help"], env=PLAIN | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True)
    reason = explained(name, str(tmp_path / name / "__init__.py"))
    assert (done.returncode != 0, done.stdout, done.stderr) == (True, "", f"foldem: {reason}\n")


def test_notebooks_are_copied_and_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "0_warmup.ipynb").write_text("mine")
    first, *_, last = copy_notebooks(tmp_path)
    assert first == f"kept   {tmp_path / '0_warmup.ipynb'}" and last.startswith("Next: jupyter lab")
    assert (tmp_path / "0_warmup.ipynb").read_text() == "mine"
    ours = {path.name for path in (ROOT / "notebooks").iterdir()}
    assert {path.name for path in tmp_path.glob("*.ipynb")} == ours | {"start.ipynb"}
