"""Grading in a container, where a machine has no sandbox, with a stand-in for `docker`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from autograder.commands.container import IMAGE, ContainerError, path_in_container, volumes_for
from tests.classroom import notebook_with, write_file, write_files
from tests.command import PATIENCE, PLAIN, foldem, is_one_line_refusal
from tests.sample import as_proof
from tests.units import read_unit

ANSWERS = {"swap_ends": read_unit("warmup")["swap_ends"].source, "penalty": "def penalty(card):\n    return 1"}


def elsewhere(
    path: str, *words: str | Path, folder: Path, system: str = "darwin", **more: str
) -> subprocess.CompletedProcess[str]:
    """Run foldem as on another system, where only programs in these folders exist."""
    command = [sys.executable, "-X", "warn_default_encoding", "-m", "tests.elsewhere", system, *map(str, words)]
    root = str(Path(__file__).parents[1])
    environment = PLAIN | {"PATH": path, "PYTHONPATH": root, "STANDIN_IMAGE": IMAGE} | more
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def docker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a PATH on which the stand-in is found as `docker`."""
    script = Path(__file__).with_name("standin_docker.py")
    text = f'#!/bin/sh\nPATH=/usr/bin:/bin exec {sys.executable} {script} "$@"\n'
    program = write_file(tmp_path_factory.mktemp("docker") / "docker", text)
    program.chmod(0o755)
    return str(program.parent)


def course_in(folder: Path) -> Path:
    """Make a course in which two students have handed in."""
    root = folder / "CS 101, März"
    wrong = ANSWERS | {"swap_ends": "def swap_ends(hand):\n    return hand"}
    files = {
        "foldem.toml": 'seed = "only ours"\nform_share = 0.5\n',
        "adjust.toml": "[warmup.swap_ends]\npoints = 3\n",
        "submitted/ann/warmup/0_warmup.ipynb": notebook_with("warmup", ANSWERS),
        "submitted/bob/warmup/0_warmup.ipynb": notebook_with("warmup", wrong),
    }
    return write_files(root, files)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.promise("container")
@pytest.mark.landlock
@pytest.mark.bubblewrap
def test_course_is_graded_in_a_container_as_in_a_sandbox(tmp_path: Path, docker: str) -> None:
    (tmp_path / "native").mkdir()
    native = foldem("grade", course_in(tmp_path / "native"), "--out", tmp_path / "out", "--sandbox", "landlock")
    course = course_in(tmp_path)
    done = elsewhere(docker, "grade", course.name, "--out", "out in a container", folder=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (0, "")
    assert done.stdout.rpartition("submissions")[0] == native.stdout.rpartition("submissions")[0]
    assert files(tmp_path / "out in a container") == files(tmp_path / "out")


@pytest.mark.landlock
@pytest.mark.bubblewrap
def test_settings_next_to_notebooks_apply_in_a_container_in_their_folder(tmp_path: Path, docker: str) -> None:
    write_files(tmp_path, {"foldem.toml": 'seed = "only ours"\n', "ann.ipynb": notebook_with("warmup", ANSWERS)})
    done = elsewhere(docker, "grade", "ann.ipynb", "--json", folder=tmp_path)
    assert '"seed": "secret"' in done.stdout, done.stdout + done.stderr


@pytest.mark.promise("container")
def test_container_sees_the_course_the_packs_and_the_outputs_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    course = course_in(tmp_path)
    (tmp_path / "loose.ipynb").write_text("{}")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "loose.ipynb")
    paths = course / "submitted" / "ann", tmp_path / "loose.ipynb", tmp_path / "link.ipynb"
    mounts = {*volumes_for(paths, [tmp_path / "out"]).values()}
    assert mounts == {
        f"{tmp_path}/cache:/cache",
        f"{course}:{course}",
        f"{tmp_path}/loose.ipynb:{tmp_path}/loose.ipynb:ro",
        f"{tmp_path}/out:{tmp_path}/out",
    }


def test_missing_image_is_refused_with_the_command_that_builds_it(tmp_path: Path, docker: str) -> None:
    done = elsewhere(docker, "grade", course_in(tmp_path), folder=tmp_path, STANDIN_IMAGE="another")
    command = f"build the image in a copy of the repository: docker build --target grade -t {IMAGE} ."
    assert is_one_line_refusal(done) and command in done.stderr


@pytest.mark.parametrize("system", ["darwin", as_proof("win32")])
def test_without_sandbox_and_container_a_message_says_what_to_install(tmp_path: Path, system: str) -> None:
    done = elsewhere("/nowhere", "grade", course_in(tmp_path), folder=tmp_path, system=system)
    assert is_one_line_refusal(done) and "install Docker or Podman to grade in a container" in done.stderr
    assert ("--sandbox=off" in done.stderr) == (system == "darwin")


def test_store_that_no_container_can_reach_is_refused(tmp_path: Path, docker: str) -> None:
    done = elsewhere(docker, "grade", course_in(tmp_path), "--store", "elsewhere/marks.db", folder=tmp_path)
    assert is_one_line_refusal(done) and "grading runs in a container" in done.stderr


@pytest.mark.parametrize(
    "path", [PurePosixPath("/home/ada/a:b"), PureWindowsPath("//server/share/cs101"), PureWindowsPath("C:/a:b")]
)
def test_folder_that_cannot_be_mounted_is_refused(path: PurePosixPath | PureWindowsPath) -> None:
    with pytest.raises(ContainerError, match="can't be mounted"):
        path_in_container(path)
