"""The student kit: installed in a fresh environment, without solutions or autograder, it runs a sealed exam."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import venv
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
import toolz

from autograder.commands.student_kit import build_wheel, make_kit, without_hints
from course.kernel.workspace import IN_A_COURSE
from tests.command import PATIENCE, foldem, printed_by
from tests.units import known, read_unit, unit_names


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kits") / "kit"
    printed_by(foldem("student-kit", folder, "--unit", "dominoes"))
    return folder


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
    for name in BESIDE:
        (here / name).write_text(MARK.format(path=str(ran)))
    (here / "foldem_course-99-py3-none-any.whl").touch()
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


@pytest.mark.parametrize("unit", unit_names())
def test_hints_can_be_left_out_and_nothing_else_is(unit: str) -> None:
    entries = tomllib.loads(without_hints(read_unit(unit).pack.toml(unit).read_text()))["exercise"]
    assert [entry["name"] for entry in entries] == list(read_unit(unit).by_name)
    assert not any("hints" in entry for entry in entries)


def test_wheel_with_other_contents_has_another_version(tmp_path: Path) -> None:
    ours = known().packs[0]
    wheels = [
        build_wheel(tmp_path, ours, *more) for more in ((True,), (False,), (True, {"sealed": {"uno": "{}"}}), (True,))
    ]
    names = [wheel.name for wheel in wheels]
    assert len({*names}) == 3 and names[0] == names[3]
    assert all(re.fullmatch(r"foldem_course-[0-9.]+\+kit[0-9a-f]{12}-py3-none-any\.whl", name) for name in names)


def test_a_wheel_has_no_backups_of_an_editor(tmp_path: Path) -> None:
    ours = known().packs[0]
    shutil.copytree(ours.course_folder, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("uno.py~", "uno.py.bak", ".uno.py.swp", "#uno.py#", ".ipynb_checkpoints/uno.py"):
        path = tmp_path / "course" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("def draft(): ...")
    wheel = zipfile.ZipFile(build_wheel(tmp_path, replace(ours, root=tmp_path), True))
    assert "course/uno/__init__.py" in wheel.namelist()
    assert not [name for name in wheel.namelist() if b"def draft" in wheel.read(name)]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course that has released dominoes."""
    release = tmp_path / "cs101" / "release" / "tiles"
    release.mkdir(parents=True)
    (release / "1_dominoes.ipynb").write_text("{}")
    return tmp_path / "cs101"


def test_a_courses_kit_has_released_units_and_settings(tmp_path: Path, course: Path) -> None:
    (course / "foldem.toml").write_text("hints = false\nseed = 'secret'")
    list(make_kit(tmp_path / "kit", known(), (), course))
    assert (tmp_path / "kit" / "tiles" / "1_dominoes.ipynb").read_text() == "{}"
    assert tomllib.loads((tmp_path / "kit" / "foldem.toml").read_text()) == IN_A_COURSE | {"hints": False}
    assert "hints" not in zipfile.ZipFile(wheel_in(tmp_path / "kit")).read("course/dominoes/unit.toml").decode()


ANSWER = """
from course.dominoes import *
from course.check import borrow, check, hint
def flip(domino): return Domino({answer})
print(check("flip"))
"""


@pytest.mark.proof
def test_a_fresh_environment_runs_the_sealed_exam(kit: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    install = [python, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", wheel_in(kit)]
    subprocess.run(install, check=True, timeout=PATIENCE)
    shutil.copytree(Path(toolz.__file__).parent, tmp_path / "needs" / "toolz")
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL"))}
    environment = clean | {"PYTHONPATH": str(tmp_path / "needs")}
    memorized = "*((domino.left, domino.right) if domino.left == 5 else (domino.right, domino.left))"
    for code, shown in {
        ANSWER.format(answer="domino.right, domino.left"): "right in all",
        ANSWER.format(answer=memorized): "returned  Domino(5, ",
        ANSWER.format(answer="2, 3"): "returned  Domino(2, 3)",
        'from course.check import borrow\nborrow("flip")': "not available",
        'from course.check import hint\nprint(hint("flip"))': "Hint 1 of",
        "import solutions": "ModuleNotFoundError",
        "import autograder": "ModuleNotFoundError",
    }.items():
        done = subprocess.run([python, "-c", code], cwd=kit, env=environment, capture_output=True, text=True)
        assert shown in done.stdout + done.stderr and sys.executable not in done.stdout
