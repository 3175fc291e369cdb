"""nbgrader in a term: killed and run again, renamed or broken notebooks, the course's own points, and its exchange."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from errno import ENOSPC
from getpass import getuser
from pathlib import Path
from subprocess import DEVNULL
from typing import Any
from unittest.mock import Mock

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.zipcollectapp import ZipCollectApp
from nbgrader.coursedir import CourseDirectory

from autograder.hosts import exchange
from autograder.hosts.cells import add_scripts_to_path
from autograder.hosts.exchange import begin_grading, drop_unfinished_output, end_grading
from autograder.hosts.nbgrader import course_config
from autograder.submission.reading import CHECK, grade_id
from autograder.units.pack import VARIABLE
from tests.classroom import blank_notebook, reference_answers, write_file, write_files
from tests.command import foldem_here, printed_by
from tests.test_nbgrader import BIN, ENVIRONMENT, Course, filled, make_course
from tests.units import WAR, read_unit

STUDENTS = ("ann", "bob", "cid", "dan", "eve", "fay", "gus")
IN_TIME = datetime(2026, 2, 1, tzinfo=UTC).timestamp()
POINTS = {"swap_ends": 10, "penalty": 0.5}
FIRST = {name: reference_answers(read_unit("warmup"))[name] for name in ("swap_ends", "penalty")}


def set_points(course: Course) -> None:
    """Change points in the source notebook, as a teacher does, and release it."""
    path = course.root / "source" / "warmup" / "0_warmup.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if (name := grade_id(cell).removesuffix(CHECK)) in POINTS and cell.metadata.nbgrader.grade:
            cell.metadata.nbgrader.points = POINTS[name]
    nbformat.write(notebook, path)
    course.run("nbgrader", "generate_assignment", "warmup", "--force")


@pytest.mark.proof
@pytest.mark.sandbox
@pytest.mark.nbgrader
def test_a_term_with_nbgrader_and_both_exports_give_the_right_marks(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", "warmup")
    set_points(course)
    for student in STUDENTS[:4]:
        course.hand_in(student, filled(course.released(), FIRST))
    forged = filled(course.released(), FIRST)
    forged.metadata["foldem"] |= {"exercises": ["penalty"]}
    course.hand_in("fay", forged)
    collected = write_file(tmp_path / "download" / "gus" / "work.ipynb", filled(course.released(), FIRST))
    os.utime(collected, (IN_TIME, IN_TIME))
    write_file(course.root / "roster.csv", "id,name\n" + "".join(f"{name},{name.title()}\n" for name in STUDENTS))
    assert "1 notebook collected" in foldem_here("collect", tmp_path / "download", course.root).stdout
    course.path("bob").rename(course.path("bob").with_name("mine (1).ipynb"))
    course.path("cid").write_text("{")
    with course.gradebook() as gradebook:
        gradebook.add_student("eve")
    late_by_a_day(course, "dan")
    (course.root / "adjust.toml").write_text(
        "[warmup.riffle]\ndropped = true\n[warmup.penalty]\npoints = 3\n"
        "[[bonus]]\nstudent = 'ann'\nunit = 'warmup'\npoints = 2"
    )
    kill_in_the_midst_of(course, "ann")
    mark_by_hand(course, "penalty", 2.5, "ann")
    course.run("nbgrader", "autograde", "warmup", in_spite_of_errors=True)
    marks = course.marks()
    # nbgrader has the bonus, and the cost of lateness, with the first check.
    expected = {"ann": (10 + 2, 2.5), "bob": (10, 3), "dan": (10 - 1.3, 3)}
    assert {each: (marks[each]["swap_ends"], marks[each]["penalty"]) for each in expected} == expected
    with course.gradebook() as gradebook:
        gradebook.find_grade("penalty" + CHECK, course.stem, "warmup", "bob").extra_credit = 1.25
    both = course.exported(), course.exported_by_us()  # nothing was graded by `foldem grade`
    assert [{student: float(points) for student, points in each.items() if points} for each in both] == [
        {"ann": 14.5, "bob": 14.25, "dan": 11.7, "fay": 13, "gus": 13}
    ] * 2
    with course.gradebook() as gradebook:
        assert gradebook.find_assignment("warmup").max_score == 28


@pytest.mark.nbgrader
@pytest.mark.sandbox
def test_lateness_and_total_marks_include_marks_by_hand(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", "warmup")
    for student in ("ann", "bob"):
        course.hand_in(student, filled(course.released(), FIRST))
    course.run("nbgrader", "autograde", "warmup")
    late_by_a_day(course, "ann", "bob")
    mark_by_hand(course, "riffle", 6.0, "ann", "bob")
    (course.root / "adjust.toml").write_text("[[mark]]\nstudent = 'bob'\nunit = 'warmup'\npoints = 10")
    course.run("nbgrader", "autograde", "warmup", "--force")
    assert "lateness -" in (course.root / "autograded/ann/warmup/0_warmup.ipynb").read_text()
    assert "lateness -" in printed_by(foldem_here("grade", course.root))
    both = course.exported(), course.exported_by_us()
    assert [{student: float(points) for student, points in each.items()} for each in both] == [
        {"ann": 8.1, "bob": 10}
    ] * 2


@pytest.mark.nbgrader
@pytest.mark.sandbox
def test_a_mark_by_hand_belongs_to_the_answer_it_was_given_for(tmp_path: Path) -> None:
    course = make_course(tmp_path / "course", "warmup")
    wrong = FIRST | {"penalty": "def penalty(card):\n    return 7"}
    for student in ("ann", "bob"):
        course.hand_in(student, filled(course.released(), wrong))
    course.run("nbgrader", "autograde", "warmup")
    mark_by_hand(course, "penalty", 0.5, "ann", "bob")
    printed_by(foldem_here("grade", course.root / "submitted", "--quiet"))
    assert course.exported_by_us() == {"ann": "1.5", "bob": "1.5"}
    course.hand_in("ann", filled(course.released(), FIRST))
    course.hand_in("bob", filled(course.released(), wrong | {"riffle": ""}))
    shown = printed_by(foldem_here("grade", course.root / "submitted"))
    assert "ann: penalty: The mark by hand (0.5) was for an earlier answer, so it does not count" in shown
    assert course.exported_by_us() == {"ann": "3", "bob": "1.5"}
    shown = course.run("nbgrader", "autograde", "warmup", "--force")
    assert "ann/warmup: penalty: the mark by hand was for an earlier answer" in shown and "bob/warmup:" not in shown
    assert course.exported() == {"ann": "3.0", "bob": "1.5"} and course.exported_by_us()["ann"] == "3"
    with course.gradebook() as gradebook:
        assert gradebook.find_grade("penalty-check", course.stem, "warmup", "ann").needs_manual_grade


def late_by_a_day(course: Course, *students: str) -> None:
    """Make students a day late, which costs a tenth in this course. Their notebooks claim extra points."""
    with (course.root / "foldem.toml").open("a") as settings:
        settings.write("\nlate_per_day = 0.1\ndeadlines = { warmup = 2026-03-01T12:00:00Z }\n")
    for student in students:
        (course.path(student).parent / "timestamp.txt").write_text("2026-03-02 11:00:00 UTC\n")
        notebook = nbformat.read(course.path(student), as_version=4)
        for cell in notebook.cells:
            cell.metadata["foldem"] = {"extra": 100}
        course.hand_in(student, notebook)


def kill_in_the_midst_of(course: Course, student: str) -> None:
    """Kill a real `nbgrader autograde` as soon as it grades a student."""
    folder = course.root / "autograded" / student / "warmup"
    command = [BIN / "nbgrader", "autograde", "warmup"]
    with subprocess.Popen(command, cwd=course.root, env=ENVIRONMENT, stdout=DEVNULL, stderr=DEVNULL) as run:
        while run.poll() is None and not folder.exists():
            time.sleep(0.01)
        run.kill()
    assert run.returncode == -9 and folder.exists()


def mark_by_hand(course: Course, exercise: str, points: float, *students: str) -> None:
    """Mark an exercise as a teacher does in the formgrader."""
    with course.gradebook() as gradebook:
        for student in students:
            gradebook.find_grade(exercise + CHECK, course.stem, "warmup", student).manual_score = points
            gradebook.find_comment(exercise, course.stem, "warmup", student).manual_comment = "see me"


def test_after_a_kill_only_unfinished_files_are_graded_again(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for student in ("ann", "bob", "cid"):
        Path("autograded", student, "warmup").mkdir(parents=True)
        Path("submitted", student, "warmup").mkdir(parents=True)
        begin_grading("warmup", "*", [f"submitted/{student}/warmup/0_warmup.ipynb"])
    end_grading("warmup", "*", ["submitted/ann/warmup/0_warmup.ipynb"])
    assert drop_unfinished_output(Path()) == [], "a process that lives has them in hand"
    exchange._grading_locks.pop(("bob", "warmup")).release()
    assert drop_unfinished_output(Path()) == [Path("autograded/bob/warmup")]
    end_grading("warmup", "*", ["submitted/cid/warmup/0_warmup.ipynb"])
    assert drop_unfinished_output(Path()) == [] and Path("autograded/cid/warmup").exists()


def test_feedback_on_an_earlier_file_or_mark_goes_when_grading_begins(tmp_path: Path, monkeypatch: Any) -> None:
    """nbgrader keeps it unless there is a later time stamp, as after `foldem collect` without times, or `--force`."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "feedback", {"ann/hw/0_warmup.html": "", "bob/hw/0_warmup.html": ""})
    begin_grading("hw", "*", ["submitted/ann/hw/0_warmup.ipynb"])
    end_grading("hw", "*", ["submitted/ann/hw/0_warmup.ipynb"])
    assert [*Path("feedback").glob("*/*")] == [Path("feedback/bob/hw")]


@pytest.mark.parametrize(
    ("wanted", "there", "then"),
    [
        ("0_warmup", {"mine": "warmup"}, {"0_warmup"}),
        ("0_war", {"mine": "war"}, {"0_war"}),
        ("0_warmup", {"mine": "warmup", "0_warmup": "warmup"}, {"mine", "0_warmup"}),
        ("0_warmup", {"mine": "warmup", "too": "warmup"}, {"mine", "too"}),
        ("0_warmup", {"mine": "uno"}, {"mine"}),
        ("0_warmup", {"mine": ""}, {"0_warmup"}),
        ("0_warmup", {"mine": "", "other": "uno"}, {"mine", "other"}),
    ],
)
def test_nbgrader_renames_a_notebook_by_its_content(
    wanted: str, there: dict[str, str], then: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        f"submitted/ann/hw/{name}.ipynb": unit and blank_notebook(read_unit(unit, WAR)) for name, unit in there.items()
    }
    write_files(tmp_path, files | {"foldem.toml": f"packs = [{str(WAR)!r}]", f"source/hw/{wanted}.ipynb": ""})
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.chdir(tmp_path)
    begin_grading("hw", "ann", notebooks := [*files])
    end_grading("hw", "ann", notebooks)
    assert {Path(path).stem for path in notebooks} == then
    assert {path.stem for path in Path("submitted/ann/hw").iterdir()} == then


# ------------------------------------------------------------------------------------------------ the exchange


ME, WHEN, TEXT = getuser(), "2026-11-27 10:00:00.000000 UTC", "{}"


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a new gradebook. nbgrader starts another process for each."""
    add_scripts_to_path()
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


@pytest.mark.promise("others")
@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "2.ipynb").symlink_to(Path("source", "hw", "1.ipynb").absolute()),
        lambda folder: (folder / "more").symlink_to(Path("source").absolute()),
        lambda folder: write_file(folder / "/".join(["d"] * 100) / "2.ipynb"),
        lambda folder: os.truncate(write_file(folder / "z.bin", ""), 200_000_000),
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
