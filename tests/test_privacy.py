"""`foldem forget`, with `--copy` or without: everything about a student is exported, and nothing is left."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.config import cache_folder
from autograder.term.roster import read_roster
from autograder.term.store import Store, StoredResult
from tests.classroom import nest_folders, notebook_with, write_file, write_files
from tests.command import foldem_here, is_one_line_refusal, printed_by
from tests.downloads import moodle_folder, write_zip

pytestmark = pytest.mark.sandbox
EXAMS = cache_folder()
ADA, NAME = "s101", "Ada Lovelace"
OTHERS = ["s102"]
CLASS = f"id,name,email\n{ADA},{NAME},{ADA}@example.org\ns102,Alonzo Church,s102@example.org\n"
ADJUST = f"""# Extensions
[[extension]]
student = "{ADA}"
assignment = "warmup"
until = 2026-03-12T23:59:00+01:00
comment = "{NAME} was ill"

[[bonus]]
student = "s102"
unit = "warmup"
points = 1.0

[[bonus]]
student = "{ADA}"
unit = "warmup"
points = 2.0
"""


def notebook(student: str) -> str:
    """Return a notebook with one answer, which nobody else has."""
    answer = f"def swap_ends(hand):\n    return hand  # {student}"
    return nbformat.writes(notebook_with("warmup", {"swap_ends": answer}))


OF_OTHER = {f"{moodle_folder('Alonzo Church', 4102)}/work.ipynb": notebook("s102")}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a separate cache, since these commands delete files in it."""
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))


def run(*words: str | Path) -> str:
    return printed_by(foldem_here(*words))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a new course with one student in its roster."""
    run("course", tmp_path / "class-of-2026", "--unit", "warmup")
    (tmp_path / "class-of-2026" / "roster.csv").write_text("id,name\ns101,Ada Lovelace\n")
    return tmp_path / "class-of-2026"


def taken_out(student: str, course: Path, *words: str | Path) -> dict[str, bytes]:
    """Return the files in a student's takeout, by name."""
    path = course.parent / "takeout.zip"
    run("forget", student, course, "--copy", path, *words)
    with ZipFile(path) as archive:
        path.unlink()
        return {name: archive.read(name) for name in archive.namelist()}


def add_to_gradebook(course: Path) -> None:
    """Add two students with a mark by hand to a real gradebook, as nbgrader's formgrader does."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        gradebook.add_assignment("warmup")
        gradebook.add_notebook("0_warmup", "warmup")
        gradebook.add_grade_cell("sum_list_check", "0_warmup", "warmup", max_score=2, cell_type="code")
        for student, name in ((ADA, "Ada"), ("s102", "Alonzo")):
            gradebook.add_student(student, first_name=name, email=f"{student}@example.org")
            gradebook.add_submission("warmup", student)
            gradebook.find_grade("sum_list_check", "0_warmup", "warmup", student).manual_score = 1.5
        gradebook.db.commit()


@pytest.fixture(scope="module")
def term(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with a course in which every command that stores something about students was used."""
    folder = tmp_path_factory.mktemp("term")
    course, download = folder / "class-of-2026", folder / "class" / "submissions.zip"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOLDEM_CACHE", str(folder / "cache"))
        patch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # nbgrader runs alembic
        patch.chdir(folder)
        (folder / "cache").mkdir()
        (folder / "cache" / "exams").symlink_to(EXAMS)
        run("course", course, "--unit", "warmup")
        files = {"foldem.toml": 'seed = "0"\n', "roster.csv": CLASS, "adjust.toml": ADJUST}
        write_files(course, files)
        write_zip(write_file(download, ""), {f"{moodle_folder(NAME, 4101)}/work.ipynb": notebook(ADA)} | OF_OTHER)
        run("collect", download, course)
        add_to_gradebook(course)
        for words in (("--out", "reports"), ("--out", "class-of-2026/own")):
            run("grade", course, "--quiet", *words)
        for words in ((), ("--to", "moodle-feedback")):
            run("export", course, *words)
        shutil.unpack_archive(download, "loose")
        for words in (("--out", "free"), ()):
            run("grade", "loose", "--quiet", *words)
        shutil.rmtree("loose")
        yield folder


def mentions(folder: Path) -> list[Path]:
    """Return the files with a student's id or name in their path or bytes, zips included."""
    words = [ADA.encode(), NAME.encode(), b"Lovelace", b"lovelace"]

    def contents(path: Path) -> Iterator[bytes]:
        yield str(path.relative_to(folder)).encode()
        yield path.read_bytes()
        if path.suffix == ".zip":
            with ZipFile(path) as archive:
                yield from (part for name in archive.namelist() for part in (name.encode(), archive.read(name)))

    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and "class" not in path.parts]
    return [path for path in files if any(word in content for content in contents(path) for word in words)]


def test_takeout_contains_all_that_is_stored(term: Path) -> None:
    files = taken_out(ADA, term / "class-of-2026", "--reports", term / "reports")
    content = {name: file.decode() for name, file in files.items()}
    (result,) = json.loads(content["results.json"])
    assert result["student"] == ADA and result["report"]["exercises"] and "def swap_ends" in str(result["code"])
    assert NAME in content["roster.csv"] and "ill" in content["adjust.toml"] and "s102" not in content["adjust.toml"]
    assert json.loads(content["gradebook.json"])["grade"][0]["manual_score"] == 1.5
    assert json.loads(content["collected.json"])[0]["student"] == ADA
    assert {name.split("/")[1] for name in content if name.startswith("files/")} == {"submitted", "collected"}
    assert not any(other in text for other in OTHERS for text in (*content, content["results.json"]))


def test_forget_leaves_no_trace_of_a_student(term: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(term / "cache"))
    monkeypatch.chdir(term)
    before, reports = mentions(term), ("--reports", "reports", "--reports", "free")
    assert {path.relative_to(term).parts[0] for path in before} == {"class-of-2026", "cache", "reports", "free"}
    refused = foldem_here("forget", ADA, "class-of-2026", *reports)
    assert is_one_line_refusal(refused) and "--yes" in refused.stderr and mentions(term) == before
    named = {"results.json", "collected.json", "gradebook.json", "roster.csv", "adjust.toml", "moodle.csv"}
    assert named <= {*refused.stdout.split()}
    run("forget", ADA, "class-of-2026", *reports, "--yes")
    assert not mentions(term) and [*read_roster(term / "class-of-2026" / "roster.csv")] == OTHERS
    assert "1 submission, 1 of them unchanged" in run("grade", "class-of-2026", "--out", "reports")
    assert not mentions(term) and "s102" in (term / "class-of-2026" / "adjust.toml").read_text()
    with Gradebook(f"sqlite:///{term / 'class-of-2026' / 'gradebook.db'}") as gradebook:
        assert (
            [student.id for student in gradebook.students],
            gradebook.find_grade("sum_list_check", "0_warmup", "warmup", "s102").manual_score,
        ) == (["s102"], 1.5)
    again = foldem_here("forget", ADA, "class-of-2026", "--yes")
    assert is_one_line_refusal(again) and "nothing is stored about s101" in again.stderr


RESULT = StoredResult("course", "/tmp/s101/a.ipynb", "s101/a", ADA, "", "warmup", "0", "", True, "{}", "{}")


@pytest.mark.parametrize("name", ["", "course", "course/collected", "class-of-2026", "class-of-2026/collected"])
def test_forget_deletes_all_results_also_of_earlier_versions(course: Path, name: str) -> None:
    Store(course / "foldem.db").save_result(replace(RESULT, course=name), {"0": f'{{"sources": {{"a": "{ADA}"}}}}'})
    write_files(course, {"grades.csv": f"student_id\n{ADA}\n", "viva.html": f"Oral check: {ADA}"})
    assert f"{course / 'grades.csv'}, which" in run("forget", ADA, course, "--yes")
    assert not mentions(course)


@pytest.mark.parametrize("damage", [{"report": "{"}, {"marks": "{"}, {"content": "1"}])
def test_a_damaged_result_stops_forget_in_one_line(course: Path, damage: dict[str, str]) -> None:
    Store(course / "foldem.db").save_result(replace(RESULT, **damage), {"1": "{"})
    assert is_one_line_refusal(foldem_here("forget", ADA, course, "--yes")) and mentions(course)


ROW = '[[mark]]\nstudent = "{}"\nunit = "warmup"\npoints = 1\n'


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (ROW.format(ADA) + ROW.format("s102"), ROW.format("s102")),
        (ROW.format(ADA) + f"  {ROW.format('s102')}", f"  {ROW.format('s102')}"),
        (ROW.format(ADA) + "[warmup.penalty] # 2\npoints = 2\n", "[warmup.penalty] # 2\npoints = 2\n"),
        (f'mark = [{{student = "{ADA}"}}, {{student = "s102"}}]\n', ""),
        (f'bonus = [{{student = "{ADA}"}}]\nwarmup = {{ penalty = {{ points = 2 }} }}\n', ""),
    ],
)
def test_forget_deletes_only_the_students_marks_or_nothing(course: Path, text: str, rest: str) -> None:
    path = write_file(course / "adjust.toml", text)
    assert is_one_line_refusal(foldem_here("forget", ADA, course, "--yes")) == (not rest)
    assert path.read_text() == (rest or text)


def test_forget_deletes_a_very_deep_folder(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nest_folders(course / "submitted" / ADA, monkeypatch)
    run("forget", ADA, course, "--yes")
    assert not (course / "submitted" / ADA).exists()


def test_forget_says_where_it_does_not_look(course: Path) -> None:
    (course / "roster.csv").write_text('\ufeff"id";"name"\ns101;"Lovelace, Ada"\nada2;"Byron, Ada"\n')
    assert "Not searched: downloads, backups, your notes" in run("forget", ADA, course, "--yes")
    assert (course / "roster.csv").read_text() == 'id,name\nada2,"Byron, Ada"\n'


@pytest.mark.parametrize("student", ["..", "", "a/b", ".unclear", "nobody"])
@pytest.mark.parametrize("words", [("--yes",), ("--copy", "copy.zip")])
def test_an_unknown_student_is_refused(tmp_path: Path, course: Path, words: tuple[str, ...], student: str) -> None:
    (course / "submitted" / ".unclear").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    done = foldem_here("forget", student, course, *words)
    assert is_one_line_refusal(done) and [path for path in sorted(tmp_path.rglob("*")) if path in before] == before


def test_forget_finds_files_that_wait_for_a_student(course: Path) -> None:
    (course / "roster.csv").write_text(
        "id,name,email,login\ns101,Ada Lovelace,ada@x.org,alove\ns2,Bob Roe,b@x.org,broe\n"
    )
    waiting = {"assignment": "warmup", "notebook": "0_warmup", "student": "", "source": "a.zip", "worth": 2}
    rows = [
        waiting | {"sha": "1" * 64, "path": "a", "downloaded": "1", "platform": "moodle", "name": "Ada Lovelace"},
        waiting | {"sha": "2" * 64, "path": "b", "downloaded": "2", "platform": "ilias", "name": "X", "ids": ["alove"]},
        waiting | {"sha": "3" * 64, "path": "c", "downloaded": "3", "platform": "moodle", "name": "Bob Roe"},
        waiting | {"sha": "4" * 64, "path": "d", "downloaded": "4", "name": "s101"},
    ]
    folder = course / "collected" / ".unclear" / "warmup"
    folder.mkdir(parents=True)
    for row in rows:
        (folder / f"0_warmup-{str(row['sha'])[:12]}.ipynb").write_text("{}")
    (course / "collected" / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert len(json.loads(taken_out(ADA, course)["collected.json"])) == 3
    run("forget", ADA, course, "--yes")
    assert [each.name for each in folder.iterdir()] == ["0_warmup-333333333333.ipynb"]


@pytest.mark.promise("others")
@pytest.mark.parametrize(
    "other",
    [
        "s2,Ann Lee,x@example.org,1,",  # a namesake
        "s2,Ann Lee Silva,x@example.org,1,",
        "s2,Bob Roe,x@example.org,7,",  # in the group 7
        "s2,Bob Roe,x@example.org,1,7",  # whose number on Canvas is 7
    ],
)
def test_others_who_share_a_name_or_number_are_left_alone(course: Path, other: str) -> None:
    head = "id,name,email,group,canvas id\n"
    (course / "roster.csv").write_text(f"{head}7,Ann Lee,ann@example.org,1,\n{other}\n")
    (course / "moodle.csv").write_text("assignment,student,name\nwarmup,7,Ann Lee_7\nwarmup,s2,Ann Lee_7\n")
    assert taken_out("7", course)["roster.csv"].decode() == f"{head}7,Ann Lee,ann@example.org,1,\n"
    foldem_here("forget", "7", course, "--yes")
    assert ((course / "roster.csv").read_text(), (course / "moodle.csv").read_text()) == (
        f"{head}{other}\n",
        "assignment,student,name\nwarmup,s2,Ann Lee_7\n",
    )


@pytest.mark.promise("others")
def test_forget_follows_no_link_and_believes_no_hand_in(tmp_path: Path, course: Path) -> None:
    """A link in a submission beside a `report.json` would let `forget` delete pages anywhere."""
    outside, reports = write_file(tmp_path / "website" / "about.html", NAME).parent, tmp_path / "reports"
    for folder in (course / "submitted" / "eve" / "warmup", reports):
        write_file(folder / "report.json").with_name("pages").symlink_to(outside)
    foldem_here("forget", ADA, course, "--reports", reports, "--yes")
    assert (outside / "about.html").exists() and not (course / "roster.csv").read_text().count("Ada")


@pytest.mark.promise("batch")
def test_links_that_cannot_be_followed_stop_no_command(tmp_path: Path, course: Path) -> None:
    """A path with such a link is no missing one for Python: it raises another error."""
    for student in ("eve", "eve/warmup", "bob"):
        (course / "submitted" / student).mkdir(parents=True)
        (course / "submitted" / student / "long").symlink_to("x" * 300)
    (tmp_path / "download").mkdir()
    done = foldem_here("collect", tmp_path / "download", course, "--assignment", "warmup")
    assert "0 notebooks collected" in done.stdout, done.stderr
    for student in (ADA, "eve", "bob"):
        assert taken_out(student, course) is not None
        assert "Deleted" in run("forget", student, course, "--yes")


@pytest.mark.promise("others")
@pytest.mark.parametrize("twin", ["ANN\u00e9", "anne\u0301"])
def test_two_folders_whose_names_differ_only_in_case_are_two_students(course: Path, twin: str) -> None:
    ann = "ann\u00e9"
    write_files(course / "submitted", {f"{name}/x.txt": name for name in (ann, twin)})
    if (course / "submitted" / ann / "x.txt").read_text() != ann:
        pytest.skip("here, both names are one folder")
    assert [*taken_out(ann, course)] == [f"files/submitted/{ann}/x.txt"]
    foldem_here("forget", ann, course, "--yes")
    assert [each.name for each in (course / "submitted").iterdir()] == [twin]


@pytest.mark.promise("others")
def test_takeout_follows_no_link_and_copies_files_of_any_name(tmp_path: Path, course: Path) -> None:
    outside = tmp_path / "outside"
    for folder in (outside, course / "submitted" / ADA, course / "feedback", course / "autograded" / ADA / "out"):
        folder.mkdir(parents=True)
    write_file(outside / "key", "secret")
    (course / "feedback" / ADA).symlink_to(outside)
    for name in (b"na\xffme", b"..\\..\\evil.bat", b"two"):
        with open(os.fsencode(course / "submitted" / ADA) + b"/" + name, "w") as file:
            file.write("mine")
    (course / "autograded" / ADA / "out" / "link").symlink_to(outside / "key")
    assert {name for name in taken_out(ADA, course) if name.startswith("files/")} == {
        f"files/submitted/{ADA}/{name}" for name in ("na_xffme", ".._.._evil.bat", "two")
    }
