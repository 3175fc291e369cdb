"""The student kit: installed in a fresh environment, without solutions or autograder, it runs a sealed exam."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.commands.student_kit import build_wheel, make_kit
from course.kernel.workspace import IN_A_COURSE
from tests.classroom import write_files
from tests.command import install_kit, run_in_kit
from tests.units import known, read_unit


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
    assert (tmp_path / "kit" / "tiles" / "1_dominoes.ipynb").read_text() == "{}"
    assert tomllib.loads((tmp_path / "kit" / "foldem.toml").read_text()) == IN_A_COURSE | {"hints": False}
    assert "hints" not in zipfile.ZipFile(wheel_in(tmp_path / "kit")).read("course/dominoes/unit.toml").decode()


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
