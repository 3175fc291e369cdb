"""Downloads as each platform writes them: each file reaches its student, or is listed with what to do."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.term.platforms import PLATFORM_PATTERNS, ROSTER_PATTERNS, NamePattern
from autograder.term.roster import moodle_names_in
from tests.classroom import write_file
from tests.command import foldem_here, is_one_line_refusal
from tests.downloads import (
    ANN,
    BOB,
    ROSTER,
    all_collected,
    canvas_name,
    collect,
    counts,
    given_times,
    make_course,
    metadata,
    moodle_files,
    moodle_folder,
    packed,
    whose_is_whose,
    work,
    worksheet,
)
from tests.units import ROOT

NAME_PATTERNS = PLATFORM_PATTERNS + ROSTER_PATTERNS
PEOPLE = "id,name,email\ns201,Jörg Müller,jmueller@uni.example\ns202,María José de la Cruz Pérez,mjcruz@uni.example\n"
IN_TIME = "Sunday, 1 March 2026, 9:00 PM"
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


class Case(NamedTuple):
    """A download of notebooks for dominoes: who gets which file, by path, and a line in the output."""

    roster: str
    files: dict[str, str]
    """The students of each file that counts, or ""."""
    line: str = ""
    words: tuple[str, ...] = ()
    times: str = ""
    moodle: str = ""
    """A table `moodle.csv`."""
    listed: str = METADATA
    """A list of Gradescope."""
    before: dict[str, str] = {}
    """An earlier download."""


def collected(course: Path, case: Case) -> str:
    """Collect the downloads of a case, and return the last output. Each notebook contains its path."""
    write_file(course / "roster.csv", case.roster)
    if case.moodle:
        write_file(course / "moodle.csv", f"assignment,student,name\n{case.moodle}")
    for days, paths in enumerate((case.before, case.files)):
        files = {path: work("dominoes", path) if path.endswith(".ipynb") else "" for path in paths}
        files |= {path: case.listed for path in paths if path.endswith(".yml")}
        done = collect(course, files, *case.words, *given_times(course, case.times), days=days) if paths else None
    assert done
    return done.stdout + done.stderr


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return make_course(tmp_path)


@pytest.mark.parametrize("row", NAME_PATTERNS, ids=lambda row: f"{row.platform} {row.example}")
def test_each_pattern_reads_its_example(row: NamePattern) -> None:
    [cells] = [each for each in row.matched_groups(row.example) if row.groups.items() <= each.items()]
    assert cells.keys() - row.groups.keys() <= {"name", "assignment"}
    earlier = PLATFORM_PATTERNS[: PLATFORM_PATTERNS.index(row)] if row in PLATFORM_PATTERNS else ()
    assert not any(each.matched_groups(row.example) for each in earlier)


@pytest.mark.parametrize("platform", DOWNLOADS)
def test_a_download_of_each_platform_reaches_its_students(course: Path, platform: str) -> None:
    files = DOWNLOADS[platform]
    shown = collected(course, Case(PEOPLE, files))
    assert whose_is_whose(course) == {student: path for path, student in files.items() if student}, shown
    usual = " files for 1_dominoes. ", "submission times", "This download is for dominoes."
    odd = [line for line in shown.splitlines()[:-1] if not any(text in line for text in usual)]
    assert not odd or "LATE" in str(files)


@pytest.mark.parametrize("platform", ["moodle", "canvas", "blackboard", "brightspace", "sakai", "teams", "ilias"])
def test_a_stranger_in_a_platforms_download_is_listed_and_nobody_else(course: Path, platform: str) -> None:
    files, other = "\n".join(DOWNLOADS[platform]), {"Jörg": "Eve", "jörg": "eve", "jmueller": "eve", "s201": "s999"}
    for word, instead in (other | {"Müller": "Unknown", "müller": "unknown"}).items():
        files = files.replace(word, instead)
    shown = collected(course, Case(PEOPLE, dict.fromkeys(files.split("\n"), "")))
    [line] = [line for line in shown.splitlines() if "not matched" in line]
    assert whose_is_whose(course).keys() == {"s202"} and "Homework 1" not in line.partition(":")[0]
    assert any(each in line for each in ("moodle.csv", "column canvas_id", "column login", "Write this name into"))


def moodle(name: str, number: int, file: str = "/x.ipynb") -> str:
    return f"{moodle_folder(name, number)}{file}"


TWO_ANNS = "id,name,email\ns1,Ann Lee,ann@x.org\ns2,Ann Lee,lee@x.org\n"
ANN_1, ANN_2 = moodle("Ann Lee", 101), moodle("Ann Lee", 102)
SETTLED = worksheet([(101, "Ann Lee", "lee@x.org", IN_TIME), (102, "Ann Lee", "ann@x.org", IN_TIME)])
OF_ANN, OF_GROUP = f"{ANN}/1_dominoes.ipynb", moodle("Group A-Ann Lee", 101)
GROUP_MEMBER = "id,name,email\ns1,A. Lee,ann@uni.edu\n"
RENUMBERED = moodle("Ann Lee", 201), moodle("Bob Ray", 202)
OUTSIDER = "it may belong to s1 of roster.csv, or to somebody else"
OTHER_NUMBER = canvas_name("Lee, Ann", 77, 991000, "hw_2026_03_04_x.ipynb")
TWO_SIDS = metadata({11: ("Ann Lee", "s1", "ann@x.org", ""), 12: ("Bob Ray", "s1", "bob@x.org", "")})
TWO_NAMESAKES = metadata({11: ("Ann Lee", "s2", "a@y.org", ""), 12: ("Ann Lee", "", "ann@x.org", "")})
OF_GRADESCOPE = tuple(f"assignment_9_export/submission_{number}/x.ipynb" for number in (11, 12))
LIST = "assignment_9_export/submission_metadata.yml"
FORGED_LIST = "{}:\n  :submitters:\n  - {{:name: Bob Ray, :sid: s2}}\n"
NAMES = "id,name\n1,Ann Abelle\n2,김철수\n"
CANVAS_IDS = "id,name,canvas_id\ns1,Ann Lee,77\ns2,Ann Lee,88\ns3,李 明,99\n"
CANVAS_EXPORT = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Homework (12)\n,,,,,\n    Points Possible,,,,,10\n"
    '"Müller, Jörg",512,u77,jmueller,A,5\n'
)
ALIKE = {
    "Ann Lee": "Nan Eel",
    "राम": "रीम",
    "กิตติ": "กุตตุ",
    "Jörg Muß": "Jorg Muss",
    "علي": "علىّ",
    "김철수": "김철스",
}
SAME = {
    "O'Brien, Seán": "Seán O'Brien",
    "Anne-Marie Lee": "Anne-Marie LEE",
    "José García": "Jose\u0301 Garci\u0301a",
    "García Márquez Gabriel": "Gabriel García Márquez",
    "d’Artagnan Charles": "Charles d'Artagnan",
}
FOLDERS = {"s1": "s1", "S1": "s1", "ann@x.org": "s1", "ann": "s1", "Lee, Ann": "s1"}
STRANGE_FOLDERS = ["Ann Smith", "ann_smith", "s10", "Bob"]
ROSTERS = {
    "github classroom": (
        '"identifier","github_username","github_id","name"\n"s201","jmueller","1001","Jörg M"\n',
        "s201",
    ),
    "moodle's participants": (
        'First name,Last name,Email address,Groups\nJörg,Müller,jmueller@uni.example,"A, B"\n',
        "jmueller@uni.example",
    ),
    "moodle's grades": (
        "First name,Last name,ID number,Email address\nJörg,Müller,s201,jmueller@uni.example\n",
        "s201",
    ),
    "moodle's grades without id numbers": (
        "First name,Last name,ID number,Institution,Email address\nJörg,Müller,,,jmueller@uni.example\n",
        "jmueller@uni.example",
    ),
}
OWN_PATTERNS = {
    r".+_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_(?P<file_id>\w+)": "x_s201_attempt_2026-1-1_a.ipynb",
    r"(?P<last_name>\w+)\.(?P<first_name>\w+)/": "Müller.Jörg/hw.ipynb",
    r"[^/]+/(?P<email>[^/]+)/": "week 3/JMueller@uni.example/hw.ipynb",
    r".*\[(?P<login>\w+)\]": "a/b/[jmueller].ipynb",
    r"(?P<name>[^/]+) \(\d+\)/v(?P<order>\d+)/": "Jörg Müller (17)/v10/a.ipynb",
}
CASES = {
    **{
        f"{one} is not {other}": Case(
            f"id,name\ns1,{one}\ns2,{other}\n", {moodle(one, 101): "s1", moodle(other, 102): "s2"}
        )
        for one, other in ALIKE.items()
    },
    **{
        f"{there} in Moodle is {here}": Case(f'id,name\ns1,"{here}"\n', {moodle(there, 101): "s1"})
        for there, here in SAME.items()
    },
    **{
        f"{there} in Canvas is {here}": Case(
            f'id,name\ns1,"{here}"\n', {canvas_name(there.replace(", ", ""), 77, 991, "x.ipynb"): "s1"}
        )
        for there, here in SAME.items()
    },
    **{f"{name} is a student": Case(ROSTER, {f"{name}/x.ipynb": student}) for name, student in FOLDERS.items()},
    "s1_late.ipynb is a student's": Case(ROSTER, {"s1_late.ipynb": "s1"}),
    **{f"{name} is nobody": Case(ROSTER, {f"{name}/x.ipynb": ""}, ": not matched") for name in STRANGE_FOLDERS},
    **{
        f"{name} begins with no id": Case(
            "id,name\n1,Ann Lee\n2,Bob Ray\n", {name: "", "1_mine.ipynb": "1", "2/x.ipynb": "2"}, ": not matched"
        )
        for name in ("1_dominoes.ipynb", "1_dominoes (2).ipynb", "1_dominoes_lee/x.ipynb")
    },
    **{
        f"a roster of {platform}": Case(
            text, {"homework-1-jmueller/x.ipynb": student, "homework-1-other/README.md": ""}
        )
        for platform, (text, student) in ROSTERS.items()
    },
    "a roster of canvas": Case(CANVAS_EXPORT, {"canvas_512_70991_x.ipynb": "512"}),
    **{
        f"the pattern {pattern}": Case(
            PEOPLE,
            {path: "s201", "other/0.ipynb": ""},
            "other: not matched: nobody in roster.csv has this name or id. Change --pattern or roster.csv",
            ("--pattern", pattern),
        )
        for pattern, path in OWN_PATTERNS.items()
    },
    "times in a pattern, without zeros": Case(
        PEOPLE,
        {f"x_s201_attempt_2026-{day}_a.ipynb": "s201" * (day[:2] == "11") for day in ("2-28-9", "11-3-9", "1-30-10")},
        " counts: ",
        ("--pattern", r"x_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_"),
    ),
    "a name like one in the roster": Case(
        PEOPLE,
        {"Jorg Muller/x.ipynb": "", "Homework 1/x.ipynb": ""},
        "Jorg Muller: not matched: nobody in roster.csv has this name or id. The most similar row is s201,Jörg "
        "Müller,jmueller@uni.example. Rename it to the student's id, or add --pattern\n",
    ),
    "a name like none in the roster": Case(
        PEOPLE,
        {"Homework 1/x.ipynb": ""},
        "Homework 1: not matched: nobody in roster.csv has this name or id. Rename",
    ),
    "hyphens in names": Case(
        "id,name,email\n1,Marie Lee,ann@x.org\n2,Ann Lee,lee@x.org\n",
        {"mary-ann/x.ipynb": "", "Anne-Marie Lee/x.ipynb": "", "eve-lee/x.ipynb": "", "Mary Ann Lee/x.ipynb": ""},
    ),
    "hyphens before logins": Case(
        "id,name,email\n1,Marie Lee,ann@x.org\n2,Ann Lee,lee@x.org\n", {"hw-ann/x.ipynb": "1", "hw-lee/x.ipynb": "2"}
    ),
    "hyphens before numbers": Case("id,name\n1,Marie Lee\n2,Ann Lee\n", {"team-1/x.ipynb": "", "team-2/x.ipynb": ""}),
    "logins that begin alike": Case(
        "id,name,login\n1,A B,ann-lee\n2,C D,ann-ray\n3,E F,lee\n",
        {"hw-1-ann-lee/x.ipynb": "", "hw-1-ann-ray/x.ipynb": "2"},
        "hw-1-ann-lee: not matched: it may belong to 1 or 3 of roster.csv",
    ),
    "logins with an underscore": Case(
        "id,name,login\n1,A B,k_lee\n2,E F,lee\n",
        {f"HW_1_{login}_attempt_2026-03-01-10-15-00_x.ipynb": of for login, of in (("k_lee", "1"), ("lee", "2"))}
        | {"HW_1_q_x_attempt_2026-03-01-10-15-00_x.ipynb": ""},
        "into the column login of roster.csv",
    ),
    "logins of ILIAS with an underscore": Case(
        "id,name,login\n1,A B,k_lee\n2,E F,lee\n",
        {f"HW_1/Abgaben/Lee_Ann_{login}_33/x.ipynb": of for login, of in (("k_lee", ""), ("lee", "2"), ("q_x", ""))},
        "into the column login of roster.csv",
    ),
    **{
        f"words of names in {path}": Case(
            NAMES,
            {path.format(name): of for name, of in (("Anna Belle", ""), ("Abelle Ann", "1"), ("김 철수", "2"))},
            "not matched",
        )
        for path in ("{}_101_assignsubmission_file/x.ipynb", "{}/x.ipynb", "{} - x.ipynb")
    },
    "a joined name of two rows": Case(
        "id,name\n1,Ann Abelle\n2,Anna Belle\n",
        {"annabelle_77_991_x.ipynb": ""},
        "annabelle_77: not matched: it may belong to 1 or 2 of roster.csv",
    ),
    "a name that begins with a dot": Case("id,name\ns1,. Sukarno\n", {moodle(". Sukarno", 7): "s1", ".x/a.ipynb": ""}),
    "two namesakes": Case(
        TWO_ANNS,
        {ANN_1: "", ANN_2: ""},
        "Ann Lee_101: not matched: it may belong to s1 or s2 of roster.csv. Add --times with Moodle's grading "
        "worksheet, or the line dominoes,ID,Ann Lee_101 to moodle.csv\n",
    ),
    "two namesakes in the worksheet": Case(TWO_ANNS, {ANN_1: "s2", ANN_2: "s1"}, times=SETTLED),
    "two namesakes in moodle.csv": Case(
        TWO_ANNS, {ANN_1: "s2", ANN_2: "s1"}, moodle="dominoes,s2,Ann Lee_101\ndominoes,s1,Ann Lee_102\n"
    ),
    "two namesakes with numbers of Canvas": Case(
        CANVAS_IDS,
        {
            canvas_name("Lee, Ann", 77, 977, "x.ipynb"): "s1",
            canvas_name("Lee, Ann", 88, 988, "x.ipynb"): "s2",
            canvas_name("李 明", 99, 999, "x.ipynb"): "s3",
        },
    ),
    "a third namesake of Canvas": Case(
        CANVAS_IDS,
        {canvas_name("Lee, Ann", 66, 999, "x.ipynb"): ""},
        "Write 66 into the column canvas_id of roster.csv",
    ),
    "a namesake off the roster": Case(
        ROSTER, {ANN_1: "s1", ANN_2: ""}, f"Ann Lee_102: not matched: {OUTSIDER}", before={OF_ANN: ""}
    ),
    "a class with new numbers of Moodle": Case(
        ROSTER,
        dict.fromkeys(RENUMBERED, ""),
        f"Ann Lee_201: not matched: {OUTSIDER}. Add --times",
        before={OF_ANN: "s1", f"{BOB}/1_dominoes.ipynb": "s2"},
    ),
    "new numbers of Moodle in the worksheet": Case(
        ROSTER,
        dict(zip(RENUMBERED, ("s1", "s2"), strict=True)),
        times=worksheet([(201, "Ann Lee", "ann@x.org", IN_TIME), (202, "Bob Ray", "bob@x.org", IN_TIME)]),
        before={OF_ANN: "", f"{BOB}/1_dominoes.ipynb": ""},
    ),
    "a group with a student's number": Case(
        f"{ROSTER}s3,Cid Foe,cid@x.org,\n",
        {moodle("Group A", 103): ""},
        "Group A_103: not matched",
        times=worksheet([(103, "Cid Foe", "cid@x.org", IN_TIME)]),
    ),
    "a group in moodle.csv": Case(
        f"{ROSTER}s3,Cid Foe,cid@x.org,\n",
        {moodle("Group A", 103): "s1 s2"},
        "s1, s2: times.csv has no submission time, so no points are deducted",
        times=worksheet([(103, "Cid Foe", "cid@x.org", IN_TIME)]),
        moodle="dominoes,s1,Group A_103\ndominoes,s2,Group A_103\n",
    ),
    "a member of a group": Case(
        GROUP_MEMBER,
        {OF_GROUP: ""},
        "not matched: nobody in roster.csv has this name or id. Add --times with Moodle's grading worksheet",
    ),
    "a member of a group in the worksheet": Case(
        GROUP_MEMBER, {OF_GROUP: "s1"}, times=worksheet([(101, "Ann Lee", "ann@uni.edu", IN_TIME)])
    ),
    "two people with one address": Case(
        "id,name,email\ns2,Bob Ray,bob@uni.edu\n",
        {moodle("Bob Ray", 102): "", moodle("Eve Poe", 9): ""},
        "Eve Poe_9: not matched: it may belong to s2 of roster.csv, or to somebody else",
        times=worksheet([(102, "Bob Ray", "bob@uni.edu", "-"), (9, "Eve Poe", "bob@uni.edu", "-")]),
    ),
    **{
        f"a name of Canvas with another number: {name}": Case(
            ROSTER, {OTHER_NUMBER: "s1", f"{name}.ipynb": ""}, f"{name}.ipynb: not matched"
        )
        for name in ("leeann_77_999999999__88_991001_x", "xx_77_999999999_LATE_88_991001_x")
    },
    **{
        f"a name of Moodle that contains another: {end}": Case(
            ROSTER, {moodle("Ann Lee", 101): "s1", f"{ANN}_777_assignsubmission_file{end}": ""}, ": not matched"
        )
        for end in ("/0_warmup.ipynb", "_0_warmup.ipynb")
    },
    **{
        f"a student's file named {name}": Case(ROSTER, {"s2/my.ipynb": "s2", f"s1/{name}": "s1"})
        for name in ("s2_88_991_mine.ipynb", "s2_123_assignsubmission_file/mine.ipynb")
    },
    "namesakes of Gradescope": Case(
        TWO_ANNS, {LIST: "", **dict(zip(OF_GRADESCOPE, ("s2", "s1"), strict=True))}, listed=TWO_NAMESAKES
    ),
    "a forged id of Gradescope, with addresses": Case(
        ROSTER, {LIST: "", **dict(zip(OF_GRADESCOPE, ("s1", "s2"), strict=True))}, listed=TWO_SIDS
    ),
    "a forged id of Gradescope, with one address": Case(
        "id,name,email\ns1,Ann Lee,ann@x.org\n",
        {LIST: "", **dict(zip(OF_GRADESCOPE, ("s1", ""), strict=True))},
        listed=TWO_SIDS,
    ),
    "a forged id of Gradescope, without addresses": Case(
        "id,name\ns1,Ann Lee\n",
        {LIST: "", **dict.fromkeys(OF_GRADESCOPE, "")},
        f"Ann Lee_ann@x.org: not matched: {OUTSIDER}. Write ann@x.org into",
        listed=TWO_SIDS,
    ),
    "a student's file named like Gradescope's list": Case(
        ROSTER,
        {f"{ANN}_/submission_metadata.yml": "", f"{ANN}_/a.ipynb": "s1", "s2/b.ipynb": "s2"},
        listed=FORGED_LIST.format(f"{ANN}_"),
    ),
    "a stranger's list of Gradescope": Case(
        ROSTER,
        {"stranger/submission_metadata.yml": "", "stranger/a.ipynb": "", "s1/a.ipynb": "s1", "s2/b.ipynb": "s2"},
        listed=FORGED_LIST.format("s1"),
    ),
    "an only folder of a namesake": Case(f"{ROSTER}s3,Ann Lee,lee@x.org,99\n", {"Ann Lee/s2/x.ipynb": ""}),
    "an only folder of a namesake with a list": Case(
        f"{ROSTER}s3,Ann Lee,lee@x.org,99\n",
        {"Ann Lee/submission_1/x.ipynb": "", "Ann Lee/submission_metadata.yml": ""},
        listed=FORGED_LIST.format("submission_1"),
    ),
    "an only folder of a stranger with a list": Case(
        ROSTER,
        {"stranger/submission_1/x.ipynb": "", "stranger/submission_metadata.yml": ""},
        listed=FORGED_LIST.format("submission_1"),
    ),
}


@pytest.mark.promise("others")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_file_reaches_its_student_and_no_other(course: Path, case: Case) -> None:
    shown = collected(course, case)
    files = {**case.before, **case.files}.items()
    assert whose_is_whose(course) == {student: path for path, students in files for student in students.split()}, shown
    assert case.line in shown


@pytest.mark.promise("others")
@pytest.mark.parametrize("platform", ["sakai", "teams", "ilias"])
def test_folders_that_a_student_names_like_a_platform_stay_the_students(course: Path, platform: str) -> None:
    own = next(path for path in DOWNLOADS[platform] if path.endswith(".ipynb"))
    collected(course, Case(PEOPLE, {f"s202/{own.replace('Submitted files', 'x')}": "", f"s202/{own}": ""}))
    assert whose_is_whose(course).keys() == {"s202"}


@pytest.mark.promise("others")
def test_a_number_that_was_another_students_is_listed(course: Path) -> None:
    for roster in ("id,name\ns2,Ann Lee\ns1,Bob Ray\n", "id,name\ns1,Ann Lee\ns2,Bob Ray\n"):
        shown = collected(course, Case(roster, {OF_ANN: "", moodle("Bob Ray", 102): ""}))
    assert "Ann Lee_101, Bob Ray_102: not matched: another student had this number before. If roster.csv was" in shown


def test_a_file_counts_once_its_student_is_known(course: Path) -> None:
    collected(course, Case(TWO_ANNS, {ANN_1: "", ANN_2: ""}))
    assert not (course / "submitted").exists() and len(all_collected(course)) == 2
    collected(course, Case(TWO_ANNS, {ANN_1: ""}, times=SETTLED))
    assert whose_is_whose(course) == {"s1": ANN_2, "s2": ANN_1}


def test_a_group_has_one_number_in_all_assignments_of_moodle(course: Path) -> None:
    rows = [f"{assignment},{student},Group A_7" for assignment in ("dominoes", "uno") for student in ("s1", "s2")]
    write_file(course / "moodle.csv", "\n".join(("assignment,student,name", *rows)))
    for days, assignment in enumerate(("dominoes", "uno")):
        done = collect(course, {moodle("Group A", 7): work(assignment)}, days=days)
    assert "This download is for uno." in done.stdout and counts(course) == work("dominoes")
    assert counts(course, "s2", "uno") == work("uno")


@pytest.mark.parametrize(
    "spoilt", ["assignment,student,name\ndominoes,s1,Zo\udceb_9\n", "a,b\n1,2\n", "assignment,student\n"]
)
def test_a_moodle_csv_that_cannot_be_read_keeps_what_a_teacher_wrote(course: Path, spoilt: str) -> None:
    write_file(course / "moodle.csv", content := spoilt.encode(errors="surrogateescape"))
    assert is_one_line_refusal(collect(course, moodle_files())) and (course / "moodle.csv").read_bytes() == content


def test_moodle_csv_has_no_formula_and_keeps_the_rows_of_a_teacher(course: Path) -> None:
    name = "=HYPERLINK(x) Lee"
    case = Case(f"id,name\ns1,{name}\n", {moodle(name, 123456): ""}, moodle="uno,s2,Group A_7\n  \n,,\n")
    collected(course, case)
    rows = (course / "moodle.csv").read_text(encoding="utf-8")
    assert "dominoes,s1,'=HYPERLINK" in rows and "uno,s2,Group A_7" in rows
    assert moodle_names_in(course)["dominoes", "s1"] == f"{name}_123456"


@pytest.mark.parametrize("pattern", ["(", "no group", r"(?P<file_id>\w+)", r"\w+_(?P<student_id"])
def test_a_pattern_that_cannot_be_used_is_refused(course: Path, pattern: str) -> None:
    assert is_one_line_refusal(collect(course, {"s201/x.ipynb": work("dominoes")}, "--pattern", pattern))


def test_students_without_a_file_and_files_without_a_student_are_named(course: Path) -> None:
    write_file(course / "submitted/s9/dominoes/1_dominoes.ipynb", work("dominoes"))
    done = collect(course, {"s1/x.ipynb": work("dominoes")})
    message = "s9: in submitted/, but not in roster.csv. Add the student, or remove the folder"
    assert {message, "no file for dominoes from s2"} <= {*done.stdout.splitlines()}
    done = collect(course, {"s2/x.ipynb": work("uno")}, days=1)
    assert "no file for uno from s1" in done.stdout.splitlines() and "no file for dominoes" not in done.stdout


UNREADABLE = {
    ("x.ipynb", ""): "it is empty",
    ("x.ipynb", '{"cells": ['): "line 1 is broken",
    ("x.ipynb", "{\n<<<<<<< HEAD\n"): "line 2 is a conflict marker of git",
    ("x.ipynb", '{"nbformat": "4"}'): "not a valid Jupyter notebook of format 4",
    ("1_dominoes.py", "from course.dominoes import *\n"): "this is a Python file",
}


@pytest.mark.parametrize(("name", "text"), UNREADABLE)
def test_collect_says_why_a_file_cannot_be_graded(course: Path, name: str, text: str) -> None:
    done = collect(course, {f"s1/{name}": text, "s2/x.ipynb": work("dominoes")})
    [line] = [each for each in done.stdout.splitlines() if each.startswith(f"s1/{name}: not graded: ")]
    assert UNREADABLE[name, text] in line and counts(course, "s2")


@pytest.mark.promise("batch")
def test_zip_in_a_students_zip_is_named_and_stays_closed(course: Path) -> None:
    outer = packed({"deep/inner.zip": packed({"x.ipynb": work("dominoes")})})
    done = collect(course, {"s1/outer.zip": outer, "s2/x.ipynb": work("dominoes")})
    assert "s1/outer/deep/inner.zip: not a notebook. Ask the student for the .ipynb file" in done.stdout
    assert not counts(course) and counts(course, "s2")


def test_a_name_that_is_no_text_is_ignored(course: Path) -> None:
    try:
        write_file(course.parent / "folder" / "s1" / os.fsdecode(b"J\xfcrgen.ipynb"), work("dominoes"))
    except OSError:
        pytest.skip("this file system has no such names")
    for _ in range(2):
        assert foldem_here("collect", course.parent / "folder", course).returncode == 1
    assert whose_is_whose(course) == {"s1": ""}


def test_the_page_about_platforms_has_each_example_of_the_table() -> None:
    page = (ROOT / "docs" / "platforms.md").read_text(encoding="utf-8")
    examples = [row.example for row in NAME_PATTERNS if not row.example.startswith(("anon_", "homework-1-submissions"))]
    assert [each for each in examples if f"`{each}`" not in page] == []
