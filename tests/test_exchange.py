"""nbgrader's exchange with folders that a student may write there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from errno import ENOSPC
from getpass import getuser
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory

from autograder.hosts.cells import find_scripts
from autograder.hosts.nbgrader import course_config
from tests.classroom import write_file, write_files

ME, WHEN, TEXT = getuser(), "2026-11-27 10:00:00.000000 UTC", "{}"


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new gradebook. nbgrader starts another process for each."""
    find_scripts()
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    Gradebook(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def api(tmp_path: Path, gradebook: Path, monkeypatch: pytest.MonkeyPatch) -> NbGraderAPI:
    """Return nbgrader with our configuration, in a course with an exchange."""
    root = tmp_path / "cs101"
    (tmp_path / "exchange" / "cs101" / "inbound").mkdir(parents=True)
    (tmp_path / "exchange").chmod(0o1777)
    (root / "source" / "hw").mkdir(parents=True)
    (root / "source" / "hw" / "1.ipynb").write_text("the references")
    monkeypatch.chdir(root)
    config = course_config()
    config.CourseDirectory.root, config.CourseDirectory.course_id = str(root), "cs101"
    config.Exchange.root = str(tmp_path / "exchange")
    shutil.copy(gradebook, root)
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def test_zip_collect_leads_to_a_command_in_which_names_are_checked() -> None:
    with pytest.raises(SystemExit, match="run `foldem collect` instead"):
        ZipCollectApp(config=course_config()).init_plugins()


def handed_in(name: str = f"{ME}+hw+{WHEN}+a1") -> Path:
    """Put a submission into the exchange."""
    files = {"1.ipynb": TEXT, "timestamp.txt": WHEN}
    return write_files(Path("..", "exchange", "cs101", "inbound", name), files)


def collected(api: NbGraderAPI) -> dict[str, str]:
    """Collect, and return the contents of all collected files."""
    assert api.collect("hw")["success"]
    files = [path for path in Path("submitted").rglob("*") if path.is_file()]
    return {str(path.relative_to("submitted")): path.read_text() for path in files}


def hundred_levels(folder: Path) -> None:
    write_file(folder / "/".join(["d"] * 100) / "2.ipynb")


def large(folder: Path) -> None:
    write_file(folder / "z.bin", "")
    os.truncate(folder / "z.bin", 200_000_000)


@pytest.mark.promise("others")
@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "2.ipynb").symlink_to(Path("source", "hw", "1.ipynb").absolute()),
        lambda folder: (folder / "more").symlink_to(Path("source").absolute()),
        hundred_levels,
        large,
        lambda folder: os.mkfifo(folder / "2.ipynb"),
    ],
    ids=["link", "link to a folder", "a hundred levels", "200 MB", "pipe"],
)
def test_collecting_copies_only_a_students_own_files(api: NbGraderAPI, change: Callable[[Path], None]) -> None:
    change(handed_in())
    assert collected(api) == {f"{ME}/hw/1.ipynb": TEXT, f"{ME}/hw/timestamp.txt": WHEN}
    assert not Path("submitted", ME, "hw").stat().st_mode & 0o002  # in the exchange, everybody can write there


@pytest.mark.promise("batch")
@pytest.mark.parametrize(
    "name", [f"{ME}+hw+xyz", f"{ME}+hw+", f"+hw+{WHEN}+a1", f"{ME}+hw+{WHEN}+a+b", f"{ME}+hw+{10**22} UTC+a", "x+hw+1"]
)
def test_a_strange_name_in_the_exchange_stops_nobodys_collecting(api: NbGraderAPI, name: str) -> None:
    handed_in()
    handed_in(name)
    assert [*collected(api)] == [f"{ME}/hw/1.ipynb", f"{ME}/hw/timestamp.txt"]


@pytest.mark.promise("others")
@pytest.mark.parametrize("is_link_to_hers", [False, True])
def test_nobody_hands_in_for_another_student(api: NbGraderAPI, monkeypatch: Any, is_link_to_hers: bool) -> None:
    handed_in(f"ada+hw+{WHEN}+a1")
    if is_link_to_hers:  # for a moment
        monkeypatch.setattr(Path, "owner", lambda path: "ada")
    assert collected(api) == {}


@pytest.mark.promise("escape")
def test_no_name_in_the_exchange_is_a_script_or_a_folder_above(api: NbGraderAPI) -> None:
    api.config.ExchangeCollect.check_owner = False
    handed_in(f"<script>alert(1)<+hw+{WHEN}+a1")
    handed_in(f"..+hw+{WHEN}+a1")
    handed_in(f"ada+hw+{WHEN}+a1")
    assert [*collected(api)] == ["ada/hw/1.ipynb", "ada/hw/timestamp.txt"] and not Path("hw").exists()


@pytest.mark.promise("others")
def test_a_link_or_a_file_in_the_exchange_is_no_hand_in(api: NbGraderAPI) -> None:
    folder = handed_in()
    folder.with_name(f"{ME}+hw+2027-01-01 UTC+a1").symlink_to(Path("source", "hw").absolute())
    write_file(folder.with_name(f"{ME}+hw+2027-01-01 UTC+a2"))
    assert collected(api)[f"{ME}/hw/1.ipynb"] == TEXT


@pytest.mark.promise("batch")
def test_feedback_is_released_if_others_lack_the_secret_of_the_exchange(api: NbGraderAPI) -> None:
    for student in ("ada", "bob", "eve"):
        files = {"1.html": student, "timestamp.txt": WHEN, "submission_secret.txt": student}
        write_files(Path("feedback", student, "hw"), files)
    Path("feedback", "ada", "hw", "timestamp.txt").write_bytes(b"\xff")
    Path("feedback", "bob", "hw", "submission_secret.txt").unlink()
    assert api.release_feedback("hw")["success"]
    released = Path("..", "exchange", "cs101", "feedback").glob("*.html")
    assert [page.read_text() for page in released] == ["eve"]


def test_no_part_of_a_hand_in_is_collected_if_the_disk_is_full(
    api: NbGraderAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed_in()
    with monkeypatch.context() as patch:
        patch.setattr("shutil.copyfile", Mock(side_effect=[None, OSError(ENOSPC, "No space left on device")]))
        assert not api.collect("hw")["success"]
    assert {Path(name).name for name in collected(api)} == {"1.ipynb", "timestamp.txt"}


def test_a_name_that_is_not_utf_8_is_collected_as_text(api: NbGraderAPI) -> None:
    """Unpacking a zip of Windows leaves such names; nbgrader's gradebook takes none, and autograding failed."""
    (handed_in() / os.fsdecode(b"L\xf6sung.ipynb")).write_text(TEXT)
    assert f"{ME}/hw/L\\xf6sung.ipynb" in collected(api)
