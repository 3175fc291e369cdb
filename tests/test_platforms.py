"""Downloads as each platform writes them: by the table of name patterns, each file reaches its student or is listed."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from autograder.term.platforms import PLATFORM_PATTERNS, ROSTER_PATTERNS, NamePattern
from autograder.term.roster import read_roster
from tests.command import is_one_line_refusal
from tests.downloads import metadata, write_zip
from tests.test_collect import collect, counts, make_course, whose_is_whose, work

NAME_PATTERNS = PLATFORM_PATTERNS + ROSTER_PATTERNS
ROSTER = "id,name,email\ns201,Jörg Müller,jmueller@uni.example\ns202,María José de la Cruz Pérez,mjcruz@uni.example\n"
BLACKBOARD = "Homework 1_{}_attempt_2026-03-01-10-15-0{}"
DOWNLOADS = {
    "moodle": {
        "Jörg Müller_4101_assignsubmission_file/1_dominoes.ipynb": "s201",
        "María José de la Cruz Pérez_4102_assignsubmission_file_mine.ipynb": "s202",
        "Jörg Müller_4101_assignsubmission_onlinetext/onlinetext.html": "",
    },
    "canvas": {
        "müllerjörg_LATE_512_70991_1_dominoes-1.ipynb": "s201",
        "delacruzpérezmaríajosé_513_70992_1_dominoes.ipynb": "s202",
    },
    "gradescope": {
        "assignment_9_export/submission_metadata.yml": "",
        "assignment_9_export/submission_11/1_dominoes.ipynb": "s201",
        "assignment_9_export/submission_12/1_dominoes.ipynb": "s202",
    },
    "teams": {
        "Submitted files/Jörg Müller/Homework 1/Version 9/1_dominoes.ipynb": "",
        "Submitted files/Jörg Müller/Homework 1/Version 10/1_dominoes.ipynb": "s201",
        "Submitted files/María José de la Cruz Pérez/Homework 1/Version 1/1_dominoes.ipynb": "s202",
    },
    "blackboard": {
        f"{BLACKBOARD.format('s201', 0)}_1_dominoes.ipynb": "",
        f"{BLACKBOARD.format('s201', 9)}_1_dominoes.ipynb": "s201",
        f"{BLACKBOARD.format('s201', 9)}.txt": "",
        f"{BLACKBOARD.format('mjcruz', 2)}_1_dominoes.ipynb": "s202",
    },
    "sakai": {
        "Homework 1/grades.csv": "",
        "Homework 1/Müller, Jörg(jmueller)/Submission attachment(s)/1_dominoes.ipynb": "s201",
        "Homework 1/Müller, Jörg(jmueller)/timestamp.txt": "",
        "Homework 1/de la Cruz Pérez, María José(s202)/Submission attachment(s)/1_dominoes.ipynb": "s202",
    },
    "brightspace": {
        "39786-640693 - Jörg Müller - Sep 30, 2026 1159 PM/1_dominoes.ipynb": "",
        "39786-640693 - Jörg Müller - Oct 1, 2026 905 AM/1_dominoes.ipynb": "s201",
        "39787-640694 - María José de la Cruz Pérez - Mar 1, 2026 1130 AM/1_dominoes.ipynb": "s202",
        "index.html": "",
    },
    "ilias": {
        "Homework 1/Abgaben/Müller_Jörg_jmueller_3310/20260301101500_1_dominoes.ipynb": "",
        "Homework 1/Abgaben/Müller_Jörg_jmueller_3310/20260302101500_1_dominoes.ipynb": "s201",
        "Homework 1/Abgaben/Team 7/de la Cruz Pérez_María José_mjcruz_3314/20260301101500_1_dominoes.ipynb": "s202",
    },
    "google classroom": {
        "Jörg Müller - 1_dominoes.ipynb": "s201",
        "María José de la Cruz Pérez - 1_dominoes.ipynb": "s202",
    },
    "github": {
        "homework-1-jmueller/1_dominoes.ipynb": "s201",
        "homework-1-jmueller/README.md": "",
        "homework-1-mjcruz/1_dominoes.ipynb": "s202",
        "homework-1-mjcruz/.github/workflows/classroom.yml": "",
    },
    "github by its command": {
        "homework-1-submissions/homework-1-jmueller/1_dominoes.ipynb": "s201",
        "homework-1-submissions/homework-1-mjcruz/1_dominoes.ipynb": "s202",
    },
    "codegrade": {
        "Jörg Müller - jmueller/1_dominoes.ipynb": "s201",
        "María José de la Cruz Pérez - mjcruz/1_dominoes.ipynb": "s202",
    },
}
METADATA = metadata({11: ("X", "", "jmueller@uni.example", ""), 12: ("Y", "", "mjcruz@uni.example", "")})


@pytest.fixture
def course(tmp_path: Path) -> Path:
    root = make_course(tmp_path)
    (root / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return root


def collect_named(course: Path, *paths: str, words: tuple[str, ...] = ()) -> CompletedProcess[str]:
    """Collect a download with these files. Each notebook contains its path."""
    texts = {path: work("dominoes", path) if path.endswith(".ipynb") else "" for path in paths}
    return collect(course, {path: METADATA if path.endswith(".yml") else text for path, text in texts.items()}, *words)


@pytest.mark.parametrize("row", NAME_PATTERNS, ids=lambda row: f"{row.platform} {row.example}")
def test_each_pattern_reads_its_example(row: NamePattern) -> None:
    [cells] = [each for each in row.readings(row.example) if row.groups.items() <= each.items()]
    assert cells.keys() - row.groups.keys() <= {"name", "assignment"}
    earlier = PLATFORM_PATTERNS[: PLATFORM_PATTERNS.index(row)] if row in PLATFORM_PATTERNS else ()
    assert not any(each.readings(row.example) for each in earlier)


@pytest.mark.parametrize("platform", DOWNLOADS)
def test_a_download_of_each_platform_reaches_its_students(course: Path, platform: str) -> None:
    files = DOWNLOADS[platform]
    done = collect_named(course, *files)
    assert whose_is_whose(course) == {student: path for path, student in files.items() if student}, done.stdout
    odd = [
        line
        for line in done.stdout.splitlines()
        if " files for 1_dominoes. " not in line and "submission times" not in line
    ]
    assert odd[:-1] in ([], ["This download is for dominoes."]) or "LATE" in str(files), done.stdout


@pytest.mark.parametrize("platform", ["moodle", "canvas", "blackboard", "brightspace", "sakai", "teams", "ilias"])
def test_a_stranger_in_a_platforms_download_is_listed_and_nobody_else(course: Path, platform: str) -> None:
    files = [
        path.replace("Jörg", "Eve").replace("jörg", "eve").replace("jmueller", "eve") for path in DOWNLOADS[platform]
    ]
    files = [path.replace("Müller", "Unknown").replace("müller", "unknown").replace("s201", "s999") for path in files]
    done = collect_named(course, *files)
    assert whose_is_whose(course).keys() == {"s202"}
    [line] = [line for line in done.stdout.splitlines() if "not matched" in line]
    assert "Homework 1" not in line.partition(":")[0] and "Submitted files" not in line.partition(":")[0]
    assert any(each in line for each in ("moodle.csv", "column canvas_id", "column login", "Write this name into"))


@pytest.mark.promise("others")
@pytest.mark.parametrize("platform", ["sakai", "teams", "ilias"])
def test_folders_that_a_student_names_like_a_platform_stay_the_students(course: Path, platform: str) -> None:
    own = next(path for path in DOWNLOADS[platform] if path.endswith(".ipynb"))
    collect_named(course, *(f"s202/{own.replace('Submitted files', 'x')}", f"s202/{own}"))
    assert not counts(course, "s201") and counts(course, "s202")


@pytest.mark.promise("others")
def test_names_with_a_hyphen_are_not_a_part_of_them(course: Path) -> None:
    (course / "roster.csv").write_text("id,name,email\n1,Marie Lee,ann@x.org\n2,Ann Lee,lee@x.org\n")
    collect_named(course, "mary-ann/x.ipynb", "Anne-Marie Lee/x.ipynb", "eve-lee/x.ipynb", "Mary Ann Lee/x.ipynb")
    assert whose_is_whose(course) == {}
    collect_named(course, "team-1/x.ipynb", "team-2/x.ipynb")
    assert whose_is_whose(course) == {}
    collect_named(course, "hw-ann/x.ipynb", "hw-lee/x.ipynb")
    assert whose_is_whose(course) == {"1": "hw-ann/x.ipynb", "2": "hw-lee/x.ipynb"}


@pytest.mark.promise("others")
def test_logins_that_begin_alike_are_read_as_a_whole(course: Path) -> None:
    (course / "roster.csv").write_text("id,name,login\n1,A B,ann-lee\n2,C D,ann-ray\n3,E F,lee\n")
    done = collect_named(course, "hw-1-ann-lee/x.ipynb", "hw-1-ann-ray/x.ipynb")
    assert whose_is_whose(course) == {"2": "hw-1-ann-ray/x.ipynb"}
    assert "hw-1-ann-lee: not matched: it may belong to 1 or 3 of roster.csv" in done.stdout


@pytest.mark.promise("others")
@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("HW_1_{}_attempt_2026-03-01-10-15-00_x.ipynb", {"1": "k_lee", "2": "lee"}),
        ("HW_1/Abgaben/Lee_Ann_{}_33/x.ipynb", {"2": "lee"}),
    ],
)
def test_login_with_an_underscore_is_not_its_end(course: Path, path: str, found: dict[str, str]) -> None:
    (course / "roster.csv").write_text("id,name,login\n1,A B,k_lee\n2,E F,lee\n")
    done = collect_named(course, *(path.format(login) for login in ("k_lee", "lee", "q_x")))
    assert whose_is_whose(course) == {student: path.format(login) for student, login in found.items()}
    assert "into the column login of roster.csv" in done.stdout


@pytest.mark.promise("others")
@pytest.mark.parametrize("path", ["{}_101_assignsubmission_file/x.ipynb", "{}/x.ipynb", "{} - x.ipynb"])
def test_names_of_the_same_letters_are_compared_by_word(course: Path, path: str) -> None:
    (course / "roster.csv").write_text("id,name\n1,Ann Abelle\n2,김철수\n")
    done = collect_named(course, *(path.format(name) for name in ("Anna Belle", "Abelle Ann", "김 철수")))
    assert whose_is_whose(course) == {"1": path.format("Abelle Ann"), "2": path.format("김 철수")}
    assert "Anna Belle" in done.stdout and "not matched" in done.stdout


@pytest.mark.promise("others")
def test_joined_name_that_two_rows_have_is_ambiguous(course: Path) -> None:
    (course / "roster.csv").write_text("id,name\n1,Ann Abelle\n2,Anna Belle\n")
    done = collect_named(course, "annabelle_77_991_x.ipynb")
    assert (
        not whose_is_whose(course) and "annabelle_77: not matched: it may belong to 1 or 2 of roster.csv" in done.stdout
    )


def test_the_most_similar_row_of_the_roster_is_named(course: Path) -> None:
    done = collect_named(course, "Jorg Muller/x.ipynb", "Homework 1/x.ipynb")
    assert whose_is_whose(course) == {}
    assert (
        "Jorg Muller: not matched: nobody in roster.csv has this name or id. "
        "The most similar row is s201,Jörg Müller,jmueller@uni.example. "
        "Rename it to the student's id, or add --pattern" in done.stdout.splitlines()
    )
    assert (
        "Homework 1: not matched: nobody in roster.csv has this name or id. Rename it" in done.stdout
        and "Add the student" not in done.stdout
    )


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (r".+_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_(?P<file_id>\w+)", "x_s201_attempt_2026-1-1_a.ipynb"),
        (r"(?P<last_name>\w+)\.(?P<first_name>\w+)/", "Müller.Jörg/hw.ipynb"),
        (r"[^/]+/(?P<email>[^/]+)/", "week 3/JMueller@uni.example/hw.ipynb"),
        (r".*\[(?P<login>\w+)\]", "a/b/[jmueller].ipynb"),
        (r"(?P<name>[^/]+) \(\d+\)/v(?P<order>\d+)/", "Jörg Müller (17)/v10/a.ipynb"),
    ],
)
def test_names_of_other_platforms_are_read_by_a_pattern(course: Path, pattern: str, path: str) -> None:
    done = collect_named(course, path, "other/0.ipynb", words=("--pattern", pattern))
    assert whose_is_whose(course) == {"s201": path}
    assert "other: not matched: nobody in roster.csv has this name or id. Change --pattern or roster.csv" in done.stdout


def test_time_in_a_pattern_decides_which_file_is_newer(course: Path) -> None:
    """The times of nbgrader's own example have no zeros."""
    pattern = r"x_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_"
    times = "2026-2-28-9-15-0", "2026-11-3-9-15-0", "2026-1-30-10-15-0"
    done = collect_named(course, *(f"x_s201_attempt_{each}_a.ipynb" for each in times), words=("--pattern", pattern))
    assert whose_is_whose(course) == {"s201": f"x_s201_attempt_{times[1]}_a.ipynb"}
    assert " counts: " in done.stdout


@pytest.mark.parametrize("pattern", ["(", "no group", r"(?P<file_id>\w+)", r"\w+_(?P<student_id"])
def test_a_pattern_that_cannot_be_used_is_refused(course: Path, pattern: str) -> None:
    assert is_one_line_refusal(collect_named(course, "s201/x.ipynb", words=("--pattern", pattern)))
    assert whose_is_whose(course) == {}


def test_absentees_are_named_for_the_assignment_of_the_download(course: Path) -> None:
    collect(course, {"s201/x.ipynb": work("dominoes")})
    done = collect(course, {"s202/x.ipynb": work("uno")}, days=1)
    assert "no file for uno from s201" in done.stdout.splitlines() and "no file for dominoes" not in done.stdout


UNREADABLE = {
    ("x.ipynb", ""): "it is empty",
    ("x.ipynb", '{"cells": ['): "line 1 is broken",
    ("x.ipynb", "{\n<<<<<<< HEAD\n"): "line 2 is a conflict marker of git",
    ("x.ipynb", '{"nbformat": "4"}'): "not a valid Jupyter notebook of format 4",
    ("1_dominoes.py", "from course.dominoes import *\n"): "this is a Python file",
}


@pytest.mark.parametrize(("name", "text"), UNREADABLE)
def test_collect_says_why_a_file_cannot_be_graded(course: Path, name: str, text: str) -> None:
    done = collect(course, {f"s201/{name}": text, "s202/x.ipynb": work("dominoes")})
    [line] = [each for each in done.stdout.splitlines() if each.startswith(f"s201/{name}: not graded: ")]
    assert UNREADABLE[name, text] in line and counts(course, "s202")


# ------------------------------------------------------------------------------------------------ rosters

MOODLE_PARTICIPANTS = 'First name,Last name,Email address,Groups\nJörg,Müller,jmueller@uni.example,"A, B"\n'
ROSTERS = {
    "github classroom": (
        '"identifier","github_username","github_id","name"\n"s201","jmueller","1001","Jörg M"\n',
        "s201",
    ),
    "canvas": (
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework (12)\n,,,,,\n    Points Possible,,,,,10\n"
        '"Müller, Jörg",512,u77,jmueller,A,5\n',
        "512",
    ),
    "moodle's participants": (MOODLE_PARTICIPANTS, "jmueller@uni.example"),
    "moodle's grades": (
        "First name,Last name,ID number,Email address\nJörg,Müller,s201,jmueller@uni.example\n",
        "s201",
    ),
    "moodle's grades without id numbers": (
        "First name,Last name,ID number,Institution,Email address\nJörg,Müller,,,jmueller@uni.example\n",
        "jmueller@uni.example",
    ),
}


@pytest.mark.parametrize("platform", ROSTERS)
def test_a_roster_that_a_platform_exports_is_read(course: Path, platform: str) -> None:
    text, student = ROSTERS[platform]
    (course / "roster.csv").write_text(text, encoding="utf-8")
    assert [*read_roster(course / "roster.csv")] == [student]
    path = "canvas_512_70991_x.ipynb" if platform == "canvas" else "homework-1-jmueller/x.ipynb"
    assert collect_named(course, path, "homework-1-other/README.md").returncode < 2
    assert whose_is_whose(course) == {student: path}


def test_ids_that_a_spreadsheet_has_damaged_are_named(course: Path) -> None:
    (course / "roster.csv").write_text("id,name\n7,A B\n")
    done = collect_named(course, "007/x.ipynb")
    assert "007: not matched: roster.csv has 7, because a spreadsheet drops zeros. Export the list again" in done.stdout
    (course / "roster.csv").write_text("id,name\n7,A B\n1.23457E+10,C D\n")
    done = collect_named(course, "007/x.ipynb")
    assert is_one_line_refusal(done) and "a spreadsheet has rounded the id 1.23457E+10" in done.stderr


@pytest.mark.promise("batch")
def test_zip_in_a_students_zip_is_named_and_stays_closed(tmp_path: Path, course: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"x.ipynb": work("dominoes")})
    outer = write_zip(tmp_path / "outer.zip", {"deep/inner.zip": inner.read_bytes()})
    done = collect(course, {"s201/outer.zip": outer.read_bytes(), "s202/x.ipynb": work("dominoes")})
    assert "s201/outer/deep/inner.zip: not a notebook. Ask the student for the .ipynb file" in done.stdout
    assert not counts(course, "s201") and counts(course, "s202")


def test_the_page_about_platforms_has_each_example_of_the_table() -> None:
    page = (Path(__file__).parent.parent / "docs" / "platforms.md").read_text(encoding="utf-8")
    examples = [row.example for row in NAME_PATTERNS if not row.example.startswith(("anon_", "homework-1-submissions"))]
    assert [each for each in examples if f"`{each}`" not in page] == []
