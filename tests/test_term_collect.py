"""Downloads of learning platforms become submissions of a course; and what a download must not do."""

from __future__ import annotations

import os
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.commands import collect
from autograder.commands.options import CollectOptions
from autograder.submission.reading import read_file
from autograder.term import TermError, archive
from autograder.term.archive import ArchiveError, clock_time, files_of, unpack
from autograder.term.roster import participants_in
from tests.classroom import blank_notebook, link_of_another_user, only_in_steps
from tests.command import one_line_with
from tests.units import find_notebooks

ROSTER = "id,name,email,canvas_id\ns1,Ann Lee,ann@x.org,77\ns2,Bob Ray,bob@x.org,88\n"
MOODLE = "Ann Lee_123456_assignsubmission_file"
LISTED = "submission_1:\n  :submitters:\n  - {:name: Bob Ray, :sid: s2}\n"


def text(unit: str, note: str = "") -> str:
    notebook = blank_notebook(unit)
    notebook.cells[0].source += note
    return nbformat.writes(notebook)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    root = tmp_path / "cs101"
    for assignment, stem in (("warmup", "0_warmup"), ("dominoes", "1_dominoes")):
        (root / "source" / assignment).mkdir(parents=True)
        (root / "source" / assignment / f"{stem}.ipynb").write_text("{}")
    (root / "foldem.toml").write_text("")
    (root / "roster.csv").write_text(ROSTER)
    return root


def zipped(path: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make a zip; each file's time is the minute of its position."""
    with zipfile.ZipFile(path, "w") as archive:
        for minute, (name, content) in enumerate(files.items()):
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 12, minute, 0)), content)
    return path


def take(
    course: Path, files: Mapping[str, str | bytes], assignment: str | None = None, is_unpacked: bool = False
) -> int:
    """Collect a zip with these files, or the folder with its contents, and return the exit status."""
    download = zipped(course.parent / "download.zip", files)
    download = unpack(download, course.parent / "download") if is_unpacked else download
    return collect.run(CollectOptions(download=download, course=course, assignment=assignment))


def handed_in(course: Path) -> dict[str, str]:
    submitted = course / "submitted"
    return {str(path.relative_to(submitted)): path.read_text() for path in sorted(submitted.rglob("*.ipynb"))}


@pytest.mark.parametrize(
    "name",
    [
        f"{MOODLE}/mine (1).ipynb",
        f"{MOODLE}_mine.ipynb",
        "leeann_77_991_mine.ipynb",
        "leeann_LATE_77_991_mine-1.ipynb",
        "s1/mine.ipynb",
        "s1_dominoes.ipynb",
        "Ann Lee/deep/mine.ipynb",
    ],
)
def test_a_notebook_goes_to_its_student_by_its_content(course: Path, name: str) -> None:
    take(course, {name: text("dominoes")})
    assert handed_in(course) == {"s1/dominoes/1_dominoes.ipynb": text("dominoes")}
    assert not (course / "submitted/s1/dominoes/timestamp.txt").exists(), "a download's time is no submission time"


def test_the_newest_counts_and_whatever_is_odd_is_listed(course: Path, capsys: Any) -> None:
    files = {
        "s1/new.ipynb": text("warmup", "newer"),
        "s1/uno.ipynb": text("uno"),
        "s1/photo.png": "",
        "s2/photo.png": "",
        "Bob Way/x.ipynb": text("warmup"),
    }
    assert (take(course, {"s1/old.ipynb": text("warmup", "older")} | files), handed_in(course)) == (
        1,
        {"s1/warmup/0_warmup.ipynb": text("warmup", "newer")},
    )
    lines = {*capsys.readouterr().out.splitlines()}
    assert lines >= {
        "s1: 2 files for 0_warmup. s1/new.ipynb counts: readable files with answers come first, then "
        "files in time, then the newest. All files are in collected/s1/warmup",
        "s1/uno.ipynb: a notebook of uno, which is in no assignment of this course. Ask the student for the right file",
        "s2/photo.png: not a notebook. Ask the student for the .ipynb file",
        "Bob Way: not matched: nobody in roster.csv has this name or id. The most similar row is s2,Bob Ray,bob@x.org. "
        "Rename it to the student's id, or add --pattern",
        "no file for warmup from s2",
        "1 notebook collected, 0 unchanged.",
    }
    assert not any(line.startswith("s1/photo.png") for line in lines), "the student has a notebook"
    take(course, {"s1/old.ipynb": text("warmup", "older")})
    assert handed_in(course) == {"s1/warmup/0_warmup.ipynb": text("warmup", "newer")}


def test_an_unreadable_file_goes_to_the_only_possible_assignment(course: Path) -> None:
    for assignment, files in ((None, {}), ("dominoes", {"s1/dominoes/1_dominoes.ipynb": "{"})):
        take(course, {"s1/broken.ipynb": "{"}, assignment)
        assert handed_in(course) == files


@pytest.mark.promise("terminal")
def test_a_file_s_name_cannot_write_to_the_terminal(course: Path, capsys: Any) -> None:
    """The file that counts is named in the reason, too."""
    take(course, {"s1/old.ipynb": text("warmup"), "s1/a\x1b]0;title\x07\x1b[2J\u202e\n.ipynb": text("warmup", "new")})
    lines = capsys.readouterr().out.splitlines()
    assert any("]0;title" in line for line in lines) and all(line.isprintable() for line in lines)


@pytest.mark.promise("others")
@pytest.mark.parametrize(
    "files",
    [
        {"Ann Lee/s2/x.ipynb": text("warmup")},
        {
            "Ann Lee/submission_1/x.ipynb": text("warmup"),
            "Ann Lee/submission_metadata.yml": LISTED,
        },
        {"stranger/submission_1/x.ipynb": text("warmup"), "stranger/submission_metadata.yml": LISTED},
    ],
)
def test_an_only_folder_of_nobody_does_not_say_whose_its_files_are(course: Path, files: Mapping[str, str]) -> None:
    (course / "roster.csv").write_text(f"{ROSTER}s3,Ann Lee,lee@x.org,99\n")
    take(course, files)
    assert handed_in(course) == {}


@pytest.mark.promise("others")
@pytest.mark.parametrize("inner", ["s1/x.ipynb", f"{MOODLE}/x.ipynb", "Lee, Ann(s1)/Submission attachment(s)/x.ipynb"])
def test_an_only_zip_does_not_say_whose_its_files_are(course: Path, inner: str) -> None:
    take(course, {"s1/x.ipynb": text("warmup", "mine")})
    assert take(course, {"homework.zip": packed({inner: text("warmup", "a classmate's")})}) == 1
    assert handed_in(course) == {"s1/warmup/0_warmup.ipynb": text("warmup", "mine")}
    take(course, {"Bob Ray_7_assignsubmission_file/homework.zip": packed({inner: text("warmup", "Bob's")})})
    assert handed_in(course)["s2/warmup/0_warmup.ipynb"] == text("warmup", "Bob's")


@pytest.mark.parametrize("name", ["../evil.ipynb", "s1/../../evil.ipynb", "/tmp/evil.ipynb", "s1\\..\\..\\evil.ipynb"])
def test_a_zip_that_would_write_outside_is_refused_as_a_whole(course: Path, name: str) -> None:
    with pytest.raises(ArchiveError, match="outside"):
        take(course, {"s1/fine.ipynb": text("warmup"), name: text("warmup")})
    assert handed_in(course) == {}


def test_a_link_is_not_followed(tmp_path: Path, course: Path, capsys: Any) -> None:
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as archive:
        link = zipfile.ZipInfo("s1/mine.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    collect.run(CollectOptions(download=tmp_path / "download.zip", course=course))
    assert handed_in(course) == {} and "s1/mine.ipynb: links are not followed" in capsys.readouterr().out


@pytest.mark.promise("others")
@only_in_steps
def test_a_folder_swapped_for_a_link_is_not_collected(
    tmp_path: Path, course: Path, monkeypatch: Any, capsys: Any
) -> None:
    files = {"s1/0_warmup.ipynb": text("warmup"), "s2/0_warmup.ipynb": text("warmup", "theirs")}
    folder = unpack(zipped(tmp_path / "class.zip", files), tmp_path / "submissions")
    mine, theirs = folder / "s1", folder / "s2"

    def swap(seconds: float) -> datetime:
        if not mine.is_symlink():
            mine.rename(tmp_path / "before")
            link_of_another_user(mine, theirs, monkeypatch)
        return clock_time(seconds)

    monkeypatch.setattr(archive, "clock_time", swap)
    collect.run(CollectOptions(download=folder, course=course))
    assert [*handed_in(course)] == ["s2/warmup/0_warmup.ipynb"]
    assert "s1/0_warmup.ipynb: this is a link" in capsys.readouterr().out


@pytest.fixture
def nested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folders of two students. One has a folder in a folder, and so on, which pytest could not remove."""
    for student in ("s1", "s2"):
        (tmp_path / "submissions" / student).mkdir(parents=True)
    (tmp_path / "submissions" / "s2" / "0_warmup.ipynb").write_text(text("warmup"))
    monkeypatch.chdir(tmp_path / "submissions" / "s1")
    for _ in range(1_200):
        os.mkdir("d")
        os.chdir("d")
    monkeypatch.chdir(tmp_path)
    yield tmp_path / "submissions"
    subprocess.run(["rm", "-rf", tmp_path / "submissions"], check=True)


@pytest.mark.promise("batch")
def test_a_thousand_nested_folders_stop_no_collection(tmp_path: Path, course: Path, nested: Path) -> None:
    collect.run(CollectOptions(download=nested, course=course))
    assert [*handed_in(course)] == ["s2/warmup/0_warmup.ipynb"]
    folder = unpack(zipped(tmp_path / "a.zip", {f"s1/{'a/' * 985}x.ipynb": "{}", "s2/y.ipynb": "{}"}), tmp_path / "a")
    assert [*folder.iterdir()] == [folder / "s2"]


@pytest.mark.promise("others")
@pytest.mark.parametrize("link", ["s1", "s1/warmup"])
def test_collecting_into_a_linked_folder_harms_no_classmate(course: Path, link: str) -> None:
    theirs = course / "submitted/s2/warmup/0_warmup.ipynb"
    theirs.parent.mkdir(parents=True)
    theirs.write_text(text("warmup", "theirs"))
    (course / "submitted" / link).parent.mkdir(exist_ok=True)
    (course / "submitted" / link).symlink_to(course / "submitted" / link.replace("s1", "s2"))
    take(course, {"s1/a.ipynb": text("warmup", "mine")})
    assert handed_in(course) == {
        "s1/warmup/0_warmup.ipynb": text("warmup", "mine"),
        "s2/warmup/0_warmup.ipynb": text("warmup", "theirs"),
    }
    assert "submitted/s1" not in (course / "collected/log.jsonl").read_text()


def test_a_file_that_cannot_be_read_stops_no_collection(course: Path, monkeypatch: Any, capsys: Any) -> None:
    def read(path: Path) -> bytes:
        if path.parent.name == "s1":
            raise PermissionError(13, "Permission denied", str(path))
        return read_file(path)

    monkeypatch.setattr(archive, "read_file", read)
    take(course, {f"{each}/0_warmup.ipynb": text("warmup") for each in ("s1", "s2")}, is_unpacked=True)
    assert [*handed_in(course)] == ["s2/warmup/0_warmup.ipynb"]
    assert "s1/0_warmup.ipynb: it cannot be read: Permission denied" in capsys.readouterr().out


def test_bombs_and_a_million_files_are_refused_before_anything_is_unpacked(tmp_path: Path, monkeypatch: Any) -> None:
    many = zipped(tmp_path / "many.zip", {f"s1/{number}.ipynb": "x" * 50 for number in range(20)})
    monkeypatch.setattr("autograder.term.archive.MOST_COPIED_BYTES", 500)
    with pytest.raises(ArchiveError, match="MB unpacked"):
        list(files_of(many))
    monkeypatch.setattr("autograder.term.archive.MOST_FILES", 10)
    with pytest.raises(ArchiveError, match="more than 10 files"):
        list(files_of(many))


def packed(files: dict[str, str]) -> bytes:
    """Return a zip as a student hands it in, with arbitrary times."""
    with zipfile.ZipFile(file := BytesIO(), "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1999, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


@pytest.mark.parametrize("name", [f"{MOODLE}/work.zip", f"{MOODLE}_work.zip", "s1.ZIP", "Ann Lee.zip"])
def test_a_zip_that_is_handed_in_is_opened(course: Path, name: str) -> None:
    inner = packed({"my work/mine.ipynb": text("warmup"), "__MACOSX/._mine.ipynb": "x"})
    assert take(course, {name: inner}) == 1, "there is nothing from s2"
    assert handed_in(course) == {"s1/warmup/0_warmup.ipynb": text("warmup")}
    assert not (course / "submitted/s1/warmup/timestamp.txt").exists(), "a student chooses the times in a zip"


@pytest.mark.parametrize("number", [f" ({'9' * 5000})", f"-{'9' * 5000}"])
def test_long_number_in_a_file_name_stops_no_collecting(course: Path, number: str) -> None:
    odd = packed({"mine.ipynb": text("warmup"), f"mine{number}.ipynb": text("warmup", "a copy")})
    take(course, {"s1/work.zip": odd, "s2/mine.ipynb": text("warmup")})
    assert [*handed_in(course)] == ["s1/warmup/0_warmup.ipynb", "s2/warmup/0_warmup.ipynb"]


def test_of_two_files_with_one_path_in_a_zip_the_last_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for name, content in (("s1/a", "1"), ("s1/b", "2"), ("s1/a", "3"), ("s1\\b", "4")):
            archive.writestr(name, content)
    assert [each.content for each in files_of(tmp_path / "a.zip")] == [b"3", b"4"]


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (packed({"../evil.ipynb": text("warmup"), "mine.ipynb": text("warmup")}), "a path outside of it"),
        (packed({"bomb.ipynb": "x" * 2_000_000}), "MB unpacked"),
        (packed({f"{number}.ipynb": "" for number in range(20)}), "contains more than 10 files"),
        (packed({"mine.ipynb": text("warmup")})[:-30], "the zip cannot be read"),
        (b"no zip", "the zip cannot be read"),
    ],
    ids=["outside", "bomb", "many", "cut", "none"],
)
def test_a_harmful_zip_stays_closed_and_costs_nobody_else(
    course: Path, inner: bytes, reason: str, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.setattr("autograder.term.archive.LARGEST_FILE", 1_000_000)
    monkeypatch.setattr("autograder.term.archive.MOST_COPIED_BYTES", 8_000_000)
    monkeypatch.setattr("autograder.term.archive.MOST_FILES", 10)
    assert (take(course, {"s1/work.zip": inner, "s2/mine.ipynb": text("warmup")}), list(handed_in(course))) == (
        1,
        ["s2/warmup/0_warmup.ipynb"],
    )
    assert any(line.startswith("s1/work.zip: ") and reason in line for line in capsys.readouterr().out.splitlines())


@pytest.mark.promise("others")
def test_a_zip_that_takes_all_it_may_takes_nothing_from_those_behind_it(course: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("autograder.term.archive.LARGEST_FILE", 1_000_000)
    monkeypatch.setattr("autograder.term.archive.MOST_COPIED_BYTES", 5_000_000)
    greedy = packed({"a.png": "x" * 900_000})
    take(
        course, {f"s1/{number}.zip": greedy for number in range(9)} | {"s2/a.zip": packed({"a.ipynb": text("warmup")})}
    )
    assert list(handed_in(course)) == ["s2/warmup/0_warmup.ipynb"]


@pytest.mark.promise("batch")
@pytest.mark.parametrize("name", ["s1/{0}/{0}.zip", "all/s1/{0}/{0}.zip", "leeann_77_{0}_a.zip", f"{MOODLE}_{{0}}.zip"])
def test_many_zips_of_one_student_take_no_more_than_a_few(tmp_path: Path, name: str, monkeypatch: Any) -> None:
    monkeypatch.setattr("autograder.term.archive.LARGEST_FILE", 1_000_000)
    other = "all/s2/a.ipynb" if name.startswith("all") else "s2/a.ipynb"
    greedy = {name.format(number): packed({"a.ipynb": "x" * 900_000}) for number in range(20)}
    found = [*files_of(zipped(tmp_path / "all.zip", {other: "{}"} | greedy))]
    assert len(found) == 21 and sum(len(each.content) for each in found) < 5_000_000


@pytest.mark.promise("others")
@pytest.mark.parametrize("own", ["s2_88_991_mine.ipynb", "s2_123_assignsubmission_file/mine.ipynb"])
@pytest.mark.parametrize("is_zip", [True, False])
def test_students_files_named_like_a_platforms_stay_theirs(course: Path, own: str, is_zip: bool) -> None:
    mine = {"s1/a.zip": packed({own: text("warmup", "mine")})} if is_zip else {f"s1/{own}": text("warmup", "mine")}
    take(course, {"s2/my.ipynb": text("warmup")} | mine)
    assert handed_in(course)["s2/warmup/0_warmup.ipynb"] == text("warmup")
    assert handed_in(course)["s1/warmup/0_warmup.ipynb"] == text("warmup", "mine")


@pytest.mark.promise("others")
@pytest.mark.parametrize("place", ["/0_warmup.ipynb", "_0_warmup.ipynb"])
def test_moodle_name_that_contains_another_hands_in_for_nobody(course: Path, capsys: Any, place: str) -> None:
    forged = {f"{MOODLE}_777_assignsubmission_file{place}": text("warmup", "a stranger's, which is newer")}
    assert (
        take(course, {f"{MOODLE}/0_warmup.ipynb": text("warmup", "mine")} | forged),
        [*handed_in(course).values()],
    ) == (1, [text("warmup", "mine")])
    assert ": not matched" in capsys.readouterr().out


@pytest.mark.parametrize("name", [f"{MOODLE}/mine.ipynb", "leeann_77_991_mine.ipynb", "s1/mine.ipynb"])
def test_folder_around_a_download_is_named_and_can_be_collected(course: Path, name: str, capsys: Any) -> None:
    take(course, {f"cs101 dominoes/{name}": text("dominoes")})
    assert not handed_in(course)
    assert "If it is a folder around everybody's files, collect that folder" in capsys.readouterr().out
    folder = unpack(course.parent / "download.zip", course.parent / "unpacked") / "cs101 dominoes"
    collect.run(CollectOptions(download=folder, course=course))
    assert list(handed_in(course)) == ["s1/dominoes/1_dominoes.ipynb"]


@pytest.mark.promise("batch")
def test_without_a_course_each_file_of_a_zip_is_graded_or_named(tmp_path: Path) -> None:
    names = [f"{MOODLE}_{'Домашнее задание ' * 9}.ipynb", f"{'Ж' * 200}_7_assignsubmission_file/mine.ipynb"]
    files = dict.fromkeys(names, text("warmup")) | {"s3/work.zip": b"damaged", f"s4/{'a/' * 985}x.ipynb": "{}"}
    messages: list[str] = []
    folder = unpack(zipped(tmp_path / "all.zip", files), tmp_path / "unpacked", messages.append)
    assert len([*folder.rglob("*.ipynb")]) == 2 and [line[:3] for line in sorted(messages)] == ["s3/", "s4/"]


@pytest.mark.parametrize("is_flat", [False, True])
def test_a_student_whose_name_begins_with_a_dot_is_not_hidden(tmp_path: Path, course: Path, is_flat: bool) -> None:
    (course / "roster.csv").write_text("id,name\ns1,. Sukarno\n")
    files = {f". Sukarno_7_assignsubmission_file{'_/'[not is_flat]}a.ipynb": text("warmup"), ".x/a.ipynb": "{}"}
    assert take(course, files) == 0 and [*handed_in(course)] == ["s1/warmup/0_warmup.ipynb"]
    folder = unpack(course.parent / "download.zip", tmp_path / "unpacked")
    assert len([*find_notebooks([folder])]) == 1


@pytest.mark.promise("batch")
def test_a_name_that_is_too_long_for_a_folder_stops_no_collecting(course: Path) -> None:
    others = {f"{letter * 200}_7_assignsubmission_file/a.ipynb": text("warmup", letter) for letter in "ЖД"}
    take(course, {f"{MOODLE}/a.ipynb": text("warmup")} | others)
    assert len(handed_in(course)) == 1 and len([*(course / "collected").rglob("*.ipynb")]) == 3


def test_each_notebook_of_an_assignment_has_its_own_newest(course: Path) -> None:
    (course / "source/dominoes/1_dominoes.ipynb").rename(course / "source/warmup/1_dominoes.ipynb")
    for files in (
        {"s1/b.ipynb": text("warmup"), "": "", "s1/a.ipynb": text("dominoes")},
        {"": "", "s1/b.ipynb": text("warmup", "newer")},
        {"s1/b.ipynb": text("warmup", "older")},
    ):
        take(course, files)
    assert handed_in(course)["s1/warmup/0_warmup.ipynb"] == text("warmup", "newer")


@pytest.mark.parametrize("writes", range(6))
def test_a_killed_collection_is_finished_by_the_next(
    course: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    files = {"submission_metadata.yml": METADATA, "submission_11/a.ipynb": text("warmup")}
    stamp, file = (course / "submitted/s1/warmup" / name for name in ("timestamp.txt", "0_warmup.ipynb"))
    done, replace = iter(range(100)), Path.replace
    with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
        patch.setattr(Path, "replace", lambda *paths: replace(*paths) if next(done) < writes else 1 // 0)
        take(course, files)
    assert stamp.exists() or not file.exists(), "nobody who may be late is on time"
    take(course, files)
    assert stamp.read_text() == "2026-03-02 10:30:00 UTC\n" and file.read_text() == text("warmup")
    assert len((course / "collected/log.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize("name", ["..zip", "...zip"])
def test_a_zip_that_is_called_by_dots_reaches_no_neighbour(tmp_path: Path, name: str) -> None:
    inner = packed({"s1/mine.ipynb": "of s2"})
    download = zipped(tmp_path / "all.zip", {"s1/mine.ipynb": "of s1", f"s2/{name}": inner, f"{name}": inner})
    assert (unpack(download, tmp_path / "unpacked") / "s1/mine.ipynb").read_text() == "of s1"
    assert {path.parent.parent.name for path in tmp_path.rglob("mine.ipynb")} == {"unpacked", "_"}


@pytest.mark.parametrize("name", ["", ".", "./", "s1\\"])
def test_nameless_entries_of_a_zip_are_ignored(tmp_path: Path, course: Path, name: str) -> None:
    assert (take(course, {name: "", "./s1/mine.ipynb": text("warmup")}), handed_in(course)) == (
        collect.SOME_ODD,
        {"s1/warmup/0_warmup.ipynb": text("warmup")},
    )
    folder = unpack(tmp_path / "download.zip", tmp_path / "unpacked")
    assert [str(path.relative_to(folder)) for path in folder.rglob("*.*")] == ["s1/mine.ipynb"]


@pytest.mark.parametrize(
    "when", [(2026, 3, 0, 0, 0, 0), (2026, 15, 1, 0, 0, 0), (2026, 3, 1, 31, 0, 0), (2026, 3, 1, 0, 0, 60)]
)
def test_an_invalid_time_in_a_zip_refuses_no_file(tmp_path: Path, course: Path, when: Any) -> None:
    (odd := zipfile.ZipInfo("s2/mine.ipynb")).date_time = when
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as archive:
        for member in (odd, "s1/mine.ipynb"):
            archive.writestr(member, text("warmup"))
    assert (collect.run(CollectOptions(download=tmp_path / "download.zip", course=course)), len(handed_in(course))) == (
        collect.ALL_TAKEN,
        2,
    )


METADATA = """---
submission_11:
  :submitters:
  - :name: Ann Lee
    :sid: s1
    :email: ann@x.org
  - :name: Bob Ray
    :email: bob@x.org
  :created_at: 2026-03-02 10:30:00.000000000 Z
  :score: 0.0
"""


def test_gradescope_gives_a_folders_student_and_time(course: Path) -> None:
    files = {"submission_metadata.yml": METADATA, "submission_11/a.ipynb": text("warmup")}
    assert (take(course, {f"assignment_5_export/{name}": file for name, file in files.items()}), handed_in(course)) == (
        0,
        {f"{each}/warmup/0_warmup.ipynb": text("warmup") for each in ("s1", "s2")},
    )
    assert (course / "submitted/s2/warmup/timestamp.txt").read_text() == "2026-03-02 10:30:00 UTC\n"


@pytest.mark.parametrize("is_alone", [False, True])
@pytest.mark.parametrize("is_unpacked", [False, True])
def test_a_students_file_named_like_gradescopes_list_is_ordinary(
    course: Path, is_unpacked: bool, is_alone: bool
) -> None:
    folder = f"{MOODLE}_"
    files = {"submission_metadata.yml": METADATA.replace("submission_11", folder), "a.ipynb": text("warmup")}
    files = {f"{folder}/{name}": file for name, file in files.items()}
    take(course, files | ({} if is_alone else {"s2/b.ipynb": "{}"}), "warmup", is_unpacked)
    assert handed_in(course)["s1/warmup/0_warmup.ipynb"] == text("warmup")
    assert handed_in(course).get("s2/warmup/0_warmup.ipynb") != text("warmup")
    assert not (course / "submitted/s1/warmup/timestamp.txt").exists()


@pytest.mark.parametrize("is_unpacked", [False, True])
@pytest.mark.parametrize("others", [("s1/a.ipynb", "s2/b.ipynb"), (f"{MOODLE}_a.ipynb", "s2_b.ipynb")])
def test_a_strangers_folder_does_not_say_whose_the_other_files_are(
    course: Path, others: tuple[str, str], is_unpacked: bool
) -> None:
    files = dict(zip(others, (text("warmup", "Ann"), text("warmup", "Bob")), strict=True))
    listed = METADATA.replace("submission_11", Path(others[1]).parts[0])
    strange = {"stranger/a.ipynb": text("warmup"), "stranger/submission_metadata.yml": listed}
    take(course, files | strange, "warmup", is_unpacked)
    assert [*handed_in(course).items()] == [
        ("s1/warmup/0_warmup.ipynb", text("warmup", "Ann")),
        ("s2/warmup/0_warmup.ipynb", text("warmup", "Bob")),
    ]
    assert not (course / "submitted/s2/warmup/timestamp.txt").exists()


@pytest.mark.parametrize("way", [zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
def test_a_list_of_gradescope_is_read_out_of_no_zip_that_does_harm(tmp_path: Path, course: Path, way: int) -> None:
    download = tmp_path / "download.zip"
    with zipfile.ZipFile(download, "w", way) as archive:
        archive.writestr("submission_metadata.yml", "".join(map(str, range(9000))))
    content = bytearray(download.read_bytes())
    content[100:140] = b"\xff" * 40
    download.write_bytes(content)
    with pytest.raises(ArchiveError, match="the zip cannot be read"):
        collect.run(CollectOptions(download=download, course=course))


@pytest.mark.parametrize("content", ["- a", ": :", "submission_1: 3", "x: {:submitters: [1]}"])
def test_a_list_of_gradescope_that_cannot_be_read_is_one_line(course: Path, content: str) -> None:
    with pytest.raises(TermError, match=one_line_with("submission_metadata.yml")):
        take(course, {"submission_metadata.yml": content})
    assert handed_in(course) == {}


def test_moodle_csv_has_no_formula_and_reads_back_the_name(course: Path, tmp_path: Path) -> None:
    name = "=HYPERLINK(x) Lee"
    (course / "roster.csv").write_text(f"id,name\ns1,{name}\n")
    take(course, {f"{name}_123456_assignsubmission_file_/0_warmup.ipynb": text("warmup")}, "warmup")
    assert "warmup,s1,'=HYPERLINK" in (course / "moodle.csv").read_text(encoding="utf-8")
    assert participants_in(course) == {("warmup", "s1"): f"{name}_123456"}


@pytest.mark.promise("others")
def test_names_that_differ_only_in_case_share_no_folder(tmp_path: Path) -> None:
    both = zipped(tmp_path / "both.zip", {"Ann/a.ipynb": "of Ann", "ann/b.ipynb": "of ann"})
    messages: list[str] = []
    notebooks = unpack(both, tmp_path / "unpacked", messages.append).rglob("*.ipynb")
    assert {path.parent.name: path.read_text() for path in notebooks} == {"Ann": "of Ann"}
    assert [line[:12] for line in messages] == ["ann/b.ipynb:"]
