"""A harmful download must not write elsewhere, replace other students' files, or stop the collection of the others."""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from autograder.submission.reading import read_file
from autograder.term import archive
from autograder.term.archive import ArchiveError, files_of, local_time
from tests.classroom import link_of_another_user, nest_folders, only_in_steps, write_file, write_files
from tests.command import foldem_here, is_one_line_refusal
from tests.downloads import (
    ANN,
    canvas_name,
    collect,
    counts,
    make_course,
    metadata,
    packed,
    work,
    write_zip,
)

MINE, THEIRS = work("dominoes", "mine"), work("dominoes", "theirs")
SUBMITTED = "submitted/{}/dominoes/1_dominoes.ipynb"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return make_course(tmp_path)


@pytest.mark.promise("terminal")
def test_a_file_s_name_cannot_write_to_the_terminal(course: Path) -> None:
    """The file that counts is named in the reason, too."""
    odd = {"s1/old.ipynb": THEIRS, "s1/a\x1b]0;title\x07\x1b[2J\u202e\n.ipynb": MINE}
    lines = collect(course, odd).stdout.splitlines()
    assert any("]0;title" in line for line in lines) and all(line.isprintable() for line in lines)


@pytest.mark.promise("others")
@pytest.mark.parametrize("inner", ["s1/x.ipynb", f"{ANN}/x.ipynb", "Lee, Ann(s1)/Submission attachment(s)/x.ipynb"])
def test_an_only_zip_does_not_say_whose_its_files_are(course: Path, inner: str) -> None:
    collect(course, {"s1/x.ipynb": MINE})
    collect(course, {"homework.zip": packed({inner: THEIRS})}, days=1)
    collect(course, {"Bob Ray_7_assignsubmission_file/homework.zip": packed({inner: THEIRS})}, days=2)
    assert (counts(course), counts(course, "s2")) == (MINE, THEIRS)


@pytest.mark.parametrize("name", ["../evil.ipynb", "s1/../../evil.ipynb", "/tmp/evil.ipynb", "s1\\..\\..\\evil.ipynb"])
def test_a_zip_that_would_write_outside_is_refused_as_a_whole(course: Path, name: str) -> None:
    done = collect(course, {"s1/fine.ipynb": MINE, name: MINE})
    assert is_one_line_refusal(done) and "outside" in done.stderr and not counts(course)


def test_a_link_is_not_followed(tmp_path: Path, course: Path) -> None:
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as archive:
        link = zipfile.ZipInfo("s1/mine.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    done = foldem_here("collect", tmp_path / "download.zip", course)
    assert not counts(course) and "s1/mine.ipynb: links are not followed" in done.stdout


@pytest.mark.promise("others")
@only_in_steps
def test_a_folder_swapped_for_a_link_is_not_collected(tmp_path: Path, course: Path, monkeypatch: Any) -> None:
    folder = write_files(tmp_path / "submissions", {f"{student}/x.ipynb": THEIRS for student in ("s1", "s2")})

    def swap(seconds: float) -> datetime:
        if not (folder / "s1").is_symlink():
            (folder / "s1").rename(tmp_path / "before")
            link_of_another_user(folder / "s1", folder / "s2", monkeypatch)
        return local_time(seconds)

    monkeypatch.setattr(archive, "local_time", swap)
    done = foldem_here("collect", folder, course)
    assert not counts(course) and counts(course, "s2") and "s1/x.ipynb: this is a link" in done.stdout


@pytest.fixture
def nested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folders of two students. One has a folder in a folder, and so on, which pytest could not remove."""
    folder = write_files(tmp_path / "submissions", {"s1/x.txt": "", "s2/x.ipynb": MINE})
    nest_folders(folder / "s1", monkeypatch)
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


@pytest.mark.promise("batch")
def test_a_thousand_nested_folders_stop_no_collection(tmp_path: Path, course: Path, nested: Path) -> None:
    foldem_here("collect", nested, course)
    assert counts(course, "s2") and not counts(course)


@pytest.mark.promise("others")
@pytest.mark.parametrize("link", ["s1", "s1/dominoes"])
def test_collecting_into_a_linked_folder_harms_no_classmate(course: Path, link: str) -> None:
    write_file(course / SUBMITTED.format("s2"), THEIRS)
    (course / "submitted" / link).parent.mkdir(exist_ok=True)
    (course / "submitted" / link).symlink_to(course / "submitted" / link.replace("s1", "s2"))
    collect(course, {"s1/a.ipynb": MINE})
    assert (counts(course), counts(course, "s2")) == (MINE, THEIRS)
    assert "submitted/s1" not in (course / "collected/log.jsonl").read_text()


def test_a_file_that_cannot_be_read_stops_no_collection(course: Path, monkeypatch: Any) -> None:
    def read(path: Path) -> bytes:
        if path.parent.name == "s1":
            raise PermissionError(13, "Permission denied", str(path))
        return read_file(path)

    monkeypatch.setattr(archive, "read_file", read)
    folder = write_files(course.parent / "download", {f"{each}/x.ipynb": MINE for each in ("s1", "s2")})
    done = foldem_here("collect", folder, course)
    assert counts(course, "s2") and "s1/x.ipynb: it cannot be read: Permission denied" in done.stdout


ONE, MANY, SMALL = 1_000_000, 10, {"LARGEST_FILE": 1_000_000, "MOST_COPIED_BYTES": 5_000_000, "MOST_FILES": 10}


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL.items():
        monkeypatch.setattr(archive, name, value)


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({f"s1/{number}.ipynb": "x" * 900_000 for number in range(6)}, "MB unpacked"),
        ({f"s1/{number}.ipynb": "" for number in range(20)}, "more than 10 files"),
    ],
)
def test_bombs_are_refused_before_anything_is_unpacked(tmp_path: Path, files: dict[str, str], reason: str) -> None:
    with pytest.raises(ArchiveError, match=reason):
        list(files_of(write_zip(tmp_path / "bomb.zip", files)))


@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        (packed({"../evil.ipynb": MINE, "mine.ipynb": MINE}), "a path outside of it"),
        (packed({"bomb.ipynb": "x" * 2_000_000}), "MB unpacked"),
        (packed({f"{number}.ipynb": "" for number in range(20)}), "contains more than 10 files"),
        (packed({"mine.ipynb": MINE})[:-30], "the zip cannot be read"),
        (b"no zip", "the zip cannot be read"),
    ],
    ids=["outside", "bomb", "many", "cut", "none"],
)
def test_a_harmful_zip_stays_closed_and_costs_nobody_else(course: Path, inner: bytes, reason: str) -> None:
    done = collect(course, {"s1/work.zip": inner, "s2/mine.ipynb": MINE})
    assert not counts(course) and counts(course, "s2")
    assert any(line.startswith("s1/work.zip: ") and reason in line for line in done.stdout.splitlines())


@pytest.mark.promise("others")
@pytest.mark.usefixtures("small_limits")
def test_a_zip_that_takes_all_it_may_takes_nothing_from_those_behind_it(course: Path) -> None:
    greedy = packed({"a.png": "x" * 900_000})
    collect(course, {f"s1/{number}.zip": greedy for number in range(9)} | {"s2/a.zip": packed({"a.ipynb": MINE})})
    assert counts(course, "s2")


@pytest.mark.promise("batch")
@pytest.mark.usefixtures("small_limits")
@pytest.mark.parametrize("name", ["s1/{0}/{0}.zip", "all/s1/{0}/{0}.zip", "leeann_77_{0}_a.zip", f"{ANN}_{{0}}.zip"])
def test_many_zips_of_one_student_take_no_more_than_a_few(tmp_path: Path, name: str) -> None:
    other = "all/s2/a.ipynb" if name.startswith("all") else "s2/a.ipynb"
    greedy = {name.format(number): packed({"a.ipynb": "x" * 900_000}) for number in range(9)}
    files = [*files_of(write_zip(tmp_path / "all.zip", {other: "{}"} | greedy))]
    assert len(files) == 10 and sum(len(each.content) for each in files) < 5_000_000


NUMBER = "9" * 5000
ZIPS = {
    "a zip of Moodle": {f"{ANN}/work.zip": packed({"my work/mine.ipynb": MINE, "__MACOSX/._mine.ipynb": "x"})},
    "a zip in Moodle's other layout": {f"{ANN}_work.zip": packed({"mine.ipynb": MINE})},
    "a zip in capitals": {"s1.ZIP": packed({"mine.ipynb": MINE})},
    "a zip with a name": {"Ann Lee.zip": packed({"mine.ipynb": MINE})},
    "long numbers": {"s1/work.zip": packed({f"mine ({NUMBER}).ipynb": MINE, "mine.ipynb": MINE})},
    "a nameless file": {"": "", "s1/mine.ipynb": MINE},
    "a dot": {".": "", "./s1/mine.ipynb": MINE},
    "a folder of Windows": {"s1\\": "", "s1/mine.ipynb": MINE},
    "names that are too long": {f"{letter * 200}_7_assignsubmission_file/a.ipynb": letter for letter in "ЖД"}
    | {f"{ANN}/a.ipynb": MINE},
}


@pytest.mark.promise("batch")
@pytest.mark.parametrize("files", ZIPS.values(), ids=ZIPS)
def test_an_odd_zip_stops_no_collecting(course: Path, files: dict[str, str | bytes]) -> None:
    assert collect(course, files).returncode == 1, "there is nothing from s2"
    assert counts(course) == MINE and not (course / "submitted/s1/dominoes/timestamp.txt").exists()


def test_of_two_files_with_one_path_in_a_zip_the_last_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for name, content in (("s1/a", "1"), ("s1/b", "2"), ("s1/a", "3"), ("s1\\b", "4")):
            archive.writestr(name, content)
    assert [each.content for each in files_of(tmp_path / "a.zip")] == [b"3", b"4"]


def test_folder_around_a_download_is_named_and_can_be_collected(tmp_path: Path, course: Path) -> None:
    done = collect(course, {f"cs101 dominoes/{ANN}/mine.ipynb": MINE})
    assert not counts(course)
    assert "If it is a folder around everybody's files, collect that folder" in done.stdout
    folder = write_file(tmp_path / "unpacked" / "cs101 dominoes" / ANN / "mine.ipynb", MINE).parents[1]
    foldem_here("collect", folder, course)
    assert counts(course)


def test_a_notebook_of_no_assignment_is_listed(course: Path) -> None:
    done = collect(course, {"s1/x.ipynb": work("warmup")})
    assert "s1/x.ipynb: a notebook of warmup, which is in no assignment of this course" in done.stdout


def test_each_notebook_of_an_assignment_has_its_own_newest(course: Path) -> None:
    (course / "source/uno/4_uno.ipynb").rename(course / "source/dominoes/4_uno.ipynb")
    for days, files in enumerate(({"s1/b.ipynb": THEIRS, "s1/a.ipynb": work("uno")}, {"s1/b.ipynb": MINE})):
        collect(course, files, days=days)
    assert counts(course) == MINE and (course / "submitted/s1/dominoes/4_uno.ipynb").read_text() == work("uno")


@pytest.mark.parametrize("writes", range(5))
def test_a_killed_collection_is_finished_by_the_next(
    course: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    listed = metadata({11: ("Ann Lee", "s1", "ann@x.org", "2026-03-02 10:30:00.000000000 Z")})
    files = {"submission_metadata.yml": listed, "submission_11/a.ipynb": MINE}
    stamp, done, replace = course / "submitted/s1/dominoes/timestamp.txt", iter(range(100)), Path.replace
    with monkeypatch.context() as patch, pytest.raises(ZeroDivisionError):
        patch.setattr(Path, "replace", lambda *paths: replace(*paths) if next(done) < writes else 1 // 0)
        collect(course, files)
    assert stamp.exists() or not counts(course), "nobody who may be late is on time"
    collect(course, files)
    assert stamp.read_text() == "2026-03-02 10:30:00 UTC\n" and counts(course) == MINE
    assert len((course / "collected/log.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("name", ["..zip", "...zip"])
def test_a_zip_that_is_called_by_dots_reaches_no_neighbor(tmp_path: Path, name: str) -> None:
    inner = packed({"s1/mine.ipynb": "of s2"})
    download = write_zip(tmp_path / "all.zip", {"s1/mine.ipynb": "of s1", f"s2/{name}": inner, f"{name}": inner})
    assert {str(each.path.parent) for each in files_of(download)} == {"s1", "s2/_/s1", "_/s1"}


@pytest.mark.parametrize(
    "when", [(2026, 3, 0, 0, 0, 0), (2026, 15, 1, 0, 0, 0), (2026, 3, 1, 31, 0, 0), (2026, 3, 1, 0, 0, 60)]
)
def test_an_invalid_time_in_a_zip_refuses_no_file(tmp_path: Path, course: Path, when: Any) -> None:
    (odd := zipfile.ZipInfo("s2/mine.ipynb")).date_time = when
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as archive:
        for member in (odd, "s1/mine.ipynb"):
            archive.writestr(member, MINE)
    assert foldem_here("collect", tmp_path / "download.zip", course).returncode == 0
    assert counts(course) == counts(course, "s2") == MINE


@pytest.mark.parametrize("way", [zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
def test_a_list_of_gradescope_is_read_out_of_no_zip_that_does_harm(tmp_path: Path, course: Path, way: int) -> None:
    with zipfile.ZipFile(tmp_path / "download.zip", "w", way) as archive:
        archive.writestr("submission_metadata.yml", "".join(map(str, range(9000))))
    content = bytearray((tmp_path / "download.zip").read_bytes())
    content[100:140] = b"\xff" * 40
    done = foldem_here("collect", write_file(tmp_path / "download.zip", bytes(content)), course)
    assert is_one_line_refusal(done) and "the zip cannot be read" in done.stderr


def test_names_in_a_zip_are_read_as_utf_8_even_if_it_does_not_say_so(tmp_path: Path) -> None:
    names = [canvas_name("Groß, Jürgen", 77, 991, "x.ipynb"), canvas_name("李 明", 88, 992, "x.ipynb")]
    content = write_zip(tmp_path / "canvas.zip", dict.fromkeys(names, MINE)).read_bytes()
    for mark, flags in ((b"PK\3\4", 7), (b"PK\1\2", 9)):  # without the bit that says that the name is UTF-8
        content = re.sub(rb"(?s)(%b.{%d})." % (re.escape(mark), flags - 4), rb"\1\0", content)
    assert [each.path.name for each in files_of(write_file(tmp_path / "canvas.zip", content))] == sorted(names)
