"""The two distributions and the student kit: their content, requirements, and messages if something is missing."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograder.commands.bundle import build_foldem_wheels
from autograder.commands.student_kit import build_wheel, make_kit
from autograder.config import ConfigError, read_settings
from autograder.errors import MODULES_BY_EXTRA, install_command
from autograder.hosts.nbgrader import course_config, generate_assignment
from autograder.units.build import INSTALLING, install_cell
from course.kernel.workspace import COURSE_DEFAULTS
from course.learner.opening import copy_notebooks, write_start_page
from foldem import explained, strangers
from tests.classroom import write_files
from tests.command import FOLDEM, PATIENCE, PLAIN, foldem_here, install_kit, is_one_line_refusal, printed_by, run_in_kit
from tests.units import ROOT, known, read_unit

HERE, READ = (
    "tests/test_packages.py",
    (".py", ".md", ".txt", ".toml", ".yml", ".ipynb", "Makefile", "Dockerfile", "postBuild"),
)
COURSE_ROOT = ROOT / "packages" / "course"
LIGHT = f"""
import sys
for name in {[module for modules in MODULES_BY_EXTRA.values() for module in modules]}:
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
    (ours, course) = build_foldem_wheels(tmp_path)
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
    extra = {module for modules in MODULES_BY_EXTRA.values() for module in modules}
    ours = {"course", "solutions", "autograder", "course_checks", "course_mistakes"}
    assert {*imports()} - {*sys.stdlib_module_names} - base - extra - ours - WITH_OTHERS == set()
    assert {*MODULES_BY_EXTRA} <= {*project(ROOT)["optional-dependencies"]}


# ------------------------------------------------------------------------------------------------ installing


PIP = r"""\bpip["', ]+install["', ]+([^\s"'`|&]+[ \t]+)*"""
BY_NAME = re.compile(PIP + r"""["']?foldem(-course)?(?=$|[\s"'`,.;:)\[=])""", re.MULTILINE)


def our_texts() -> dict[str, str]:
    """Return the text of each file in git, by its name."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = (name for name in listed.split("\n") if (ROOT / name).is_file())
    return {name: (ROOT / name).read_text(encoding="utf-8", errors="ignore") for name in names}


def test_no_file_names_a_package_index() -> None:
    words = ("pypi." + "org", "files.python" + "hosted", "registry.npm" + "js", "deb.deb" + "ian", "--index" + "-url")
    assert {name for name, text in our_texts().items() if any(word in text for word in words)} == set()


def test_nothing_installs_our_packages_by_their_names() -> None:
    """An index may have a stranger's package of that name."""
    read = {name: text for name, text in our_texts().items() if name.endswith(READ) and name != HERE}
    assert {name for name, text in read.items() if BY_NAME.search(text)} == set()
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
    generate_assignment(tmp_path, "warmup", course_config())
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


# ------------------------------------------------------------------------------------------------ missing packages


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
    assert is_one_line_refusal(done) and install_command(extra) in done.stderr, done.stderr
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


# ------------------------------------------------------------------------------------------------ student kits


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_kit(tmp_path_factory.mktemp("kits"), "--unit", "dominoes")


def wheel_in(kit: Path) -> Path:
    (wheel,) = kit.glob("*.whl")
    return wheel


def test_a_kit_is_the_notebooks_a_wheel_and_how_to_begin(kit: Path) -> None:
    wheel = wheel_in(kit).name
    names = {wheel, "1_dominoes.ipynb", "README.md", "start.py", "foldem.toml", ".vscode"}
    readme = (kit / "README.md").read_text()
    assert {path.name for path in kit.iterdir()} == names and wheel in readme and ".vscode/settings.json" in readme
    assert '"editor.inlineSuggest.enabled": false' in (kit / ".vscode" / "settings.json").read_text()


def test_a_kit_without_the_first_unit_says_how_to_work(kit: Path) -> None:
    text = (kit / "1_dominoes.ipynb").read_text()
    counts = [text.count(part) for part in ("0_warmup.ipynb", "How to work: checks, hints and points")]
    assert counts == [0, 1] and 'check(\\"flip\\")' in text


def test_a_kit_links_to_no_notebook_that_is_not_in_it(kit: Path, tmp_path: Path) -> None:
    text = (kit / "1_dominoes.ipynb").read_text()
    assert "**Next: Sedma" in text and "2_sedma.ipynb" not in text
    list(make_kit(tmp_path / "two", known(), tuple(read_unit(name) for name in ("dominoes", "sedma"))))
    assert "(2_sedma.ipynb).**" in (tmp_path / "two" / "1_dominoes.ipynb").read_text()


MARK = "import pathlib\npathlib.Path({path!r}).touch()\n"
BESIDE = "subprocess.py", "venv.py", "pip.py", "jupyterlab.py", "course.py", "jupyter_server_config.py"


@pytest.mark.promise("others")
def test_start_script_runs_no_other_file_of_its_folder(kit: Path, tmp_path: Path) -> None:
    here, ran = shutil.copytree(kit, tmp_path / "kit"), tmp_path / "ran"
    strange = dict.fromkeys(BESIDE, MARK.format(path=str(ran)))
    write_files(here, strange | {"foldem_course-99-py3-none-any.whl": ""})
    installs = subprocess.run(
        [sys.executable, "start.py"],
        cwd=here,
        env=os.environ | {"PIP_NO_INDEX": "1"},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "jupyterlab" in installs.stderr and not ran.exists()
    (here / ".venv" / "wheels.txt").write_text(wheel_in(kit).name)
    python = here / ".venv" / "bin" / "python"
    python.unlink()
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    command = [sys.executable, "start.py", "--no-browser"]
    with subprocess.Popen(command, cwd=here, start_new_session=True, stderr=subprocess.PIPE, text=True) as lab:
        assert lab.stderr and any("is running at" in line for line in lab.stderr)
        os.killpg(lab.pid, signal.SIGTERM)
    assert (here / "start.ipynb").exists() and not ran.exists()


def test_the_wheel_holds_the_course_alone(kit: Path) -> None:
    names = zipfile.ZipFile(wheel_in(kit)).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"course", "foldem_course"}
    assert {"course/check.py", "course/statements/dominoes.json"} <= {*names}
    assert [name for name in names if re.search("/sealed/|pycache", name)] == ["course/sealed/dominoes.json"]
    (metadata,) = (name for name in names if name.endswith("METADATA"))
    assert re.findall(r"Requires-Dist: (\w+)", zipfile.ZipFile(wheel_in(kit)).read(metadata).decode()) == [
        "anywidget",
        "ipywidgets",
        "toolz",
    ]


def test_no_file_of_a_kit_holds_an_answer(kit: Path) -> None:
    wheel = zipfile.ZipFile(wheel_in(kit))
    texts = [wheel.read(name).decode() for name in wheel.namelist()]
    texts += [path.read_text() for path in kit.rglob("*") if path.suffix != ".whl" and path.is_file()]
    bodies = ["\n".join(e.source.splitlines()[e.docstring_end :]) for e in read_unit("dominoes").exercises]
    assert [body for body in bodies if len(body) > 30 and any(body in text for text in texts)] == []


def test_wheel_with_other_contents_has_another_version(tmp_path: Path) -> None:
    ours = known().packs[0]
    contents = (True,), (True, {"sealed": {"uno": "{}"}}), (True,)
    names = [build_wheel(tmp_path, ours, *more).name for more in contents]
    assert names[0] != names[1] and names[0] == names[2]
    assert all(re.fullmatch(r"foldem_course-[0-9.]+\+kit[0-9a-f]{12}-py3-none-any\.whl", name) for name in names)


def test_a_wheel_has_no_backups_of_an_editor(tmp_path: Path) -> None:
    ours, names = known().packs[0], ("uno.py~", "uno.py.bak", ".uno.py.swp", "#uno.py#", ".ipynb_checkpoints/uno.py")
    shutil.copytree(ours.course_folder, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    write_files(tmp_path / "course", dict.fromkeys(names, "def draft(): ..."))
    wheel = zipfile.ZipFile(build_wheel(tmp_path, replace(ours, root=tmp_path), True))
    assert "course/uno/__init__.py" in wheel.namelist()
    assert not [name for name in wheel.namelist() if b"def draft" in wheel.read(name)]


def test_a_courses_kit_has_released_units_and_settings(tmp_path: Path) -> None:
    files = {"foldem.toml": "hints = false\nseed = 'secret'", "release/tiles/1_dominoes.ipynb": "{}"}
    list(make_kit(tmp_path / "kit", known(), (), write_files(tmp_path / "cs101", files)))
    assert (tmp_path / "kit" / "1_dominoes.ipynb").read_text() == "{}"
    assert tomllib.loads((tmp_path / "kit" / "foldem.toml").read_text()) == COURSE_DEFAULTS | {"hints": False}
    assert "hints" not in zipfile.ZipFile(wheel_in(tmp_path / "kit")).read("course/dominoes/unit.toml").decode()


def test_the_start_page_of_a_courses_kit_leads_to_its_notebooks(tmp_path: Path) -> None:
    names = "hw1/0_warmup.ipynb", "hw2/0_warmup.ipynb", "hw2/1_dominoes.ipynb"
    files = {f"release/{name}": (ROOT / "notebooks" / Path(name).name).read_text(encoding="utf-8") for name in names}
    list(make_kit(tmp_path / "kit", known(), (), write_files(tmp_path / "cs101", files)))
    assert write_start_page(tmp_path / "kit")
    links = re.findall(r'href=\\"([^"#\\]+)', (tmp_path / "kit" / "start.ipynb").read_text(encoding="utf-8"))
    assert {*links} == {"0_warmup.ipynb", "1_dominoes.ipynb"} == {path.name for path in tmp_path.glob("kit/[0-9]*")}
    assert "1_dominoes.ipynb" not in (tmp_path / "kit/hw2/0_warmup.ipynb").read_text(encoding="utf-8")


ANSWER = "def flip(domino): return Domino({})\nprint(check('flip'))"
MEMORIZED = "*((domino.left, domino.right) if domino.left == 5 else (domino.right, domino.left))"


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (ANSWER.format("domino.right, domino.left"), "right in all"),
        (ANSWER.format(MEMORIZED), "returned  Domino(5, "),
        ("print(hint('flip'))\nborrow('flip')", "not available"),
        ("import solutions", "ModuleNotFoundError"),
        ("import autograder", "ModuleNotFoundError"),
    ],
)
def test_kit_runs_the_sealed_exam_and_has_no_answer(kit: Path, code: str, shown: str) -> None:
    assert shown in run_in_kit(kit, "course.dominoes", code)
