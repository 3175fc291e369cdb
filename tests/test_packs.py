"""Units from anywhere: a pack is loaded, graded, kept secret, and refused if it is broken."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from autograder.config import with_course_packs
from autograder.prove import answers
from autograder.sandbox.sources import course_modules
from autograder.units import pack as packs
from autograder.units.pack import UnitError, import_file, kernel_environment
from autograder.units.written import written_statements
from tests.classroom import notebook_with, reference_answers, write_file, write_files
from tests.command import foldem, foldem_here, is_one_line_refusal, printed_by
from tests.units import WAR, known, mistakes_of, read_unit, secret_folders, unit_names


@pytest.fixture(autouse=True)
def _none_known_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, "")


@pytest.fixture
def war(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_PACKS", str(WAR))


def test_the_units_of_a_pack_come_behind_ours(war: None) -> None:
    unit = read_unit(unit_names()[-1])
    assert (unit.name, unit.stem, unit.module.__name__) == ("war", "0_war", "war_course.war")


def submitted(folder: Path) -> Path:
    """Write a class: a right submission, one with a mistake everywhere, and one that looks for the answers."""
    deeds = {
        "outranks": f"def outranks(one, other):\n    return open({str(WAR / 'solutions' / 'war.py')!r}).read()",
        "deal": "def deal(pack):\n    from war_course_solutions.war import deal\n    return deal(pack)",
        "battle": "def battle(one, other):\n    from solutions.war import battle\n    return battle(one, other)",
    }
    mistakes = {mistake.exercise: mistake.source for mistake in mistakes_of("war")}
    students = {"ada": reference_answers(read_unit("war")), "bob": mistakes, "eve": deeds}
    files = {f"{name}/0_war.ipynb": notebook_with("war", answers) for name, answers in students.items()}
    return write_files(folder, files)


@pytest.mark.sandbox
def test_answers_to_a_pack_see_only_its_student_package(war: None, tmp_path: Path) -> None:
    printed_by(foldem("grade", submitted(tmp_path / "in"), "--pack", WAR, "--out", tmp_path / "out", FOLDEM_PACKS=""))
    reports = json.loads((tmp_path / "out" / "report.json").read_text())
    assert [(report["submission"][:3], report["points"] == 4, report["points"] == 0) for report in reports] == [
        ("ada", True, False),
        ("bob", False, False),
        ("eve", False, True),
    ]
    verdicts = [facet["verdict"] for exercise in reports[1]["exercises"] for facet in exercise["facets"]]
    assert any(verdicts) and not any("are hidden" in each for each in verdicts)  # what is imported of a pack is plain
    lost = foldem("report", tmp_path / "out", FOLDEM_PACKS="")
    assert lost.returncode and "was graded, but no known pack has it" in lost.stderr and "Traceback" not in lost.stderr
    printed_by(foldem("report", tmp_path / "out", "--pack", WAR, FOLDEM_PACKS=""))
    assert "bob" in (tmp_path / "out" / "class.html").read_text()


def test_a_sandbox_has_only_the_needed_modules_of_a_pack(war: None) -> None:
    there = course_modules(("war_course.war",), (), known().student_packages)
    ours = tuple(name for name in there if not name.startswith("course.exam"))  # with which a child observes
    assert ours == (
        "course",
        "course.data",
        "course.effects",
        "course.limits",
        "course.values",
        "war_course",
        "war_course.war",
    )


def test_modules_that_a_students_module_imports_in_any_way_are_there(tmp_path: Path) -> None:
    names = "__init__", "one", "two", "three", "deep/__init__", "secret"
    fox = "import fox_course.one\nfrom . import two\nfrom .deep import four\n"
    sources = dict.fromkeys(names, "") | {"fox": fox, "deep/four": "from ..three import *\n"}
    write_files(tmp_path, {f"{name}.py": text for name, text in sources.items()})
    there = course_modules(("fox_course.fox",), (), {"fox_course": tmp_path})
    assert {name.removeprefix("fox_course.") for name in there if name.startswith("fox_course.")} == {
        *("fox", "one", "two", "three", "deep", "deep.four"),
    }


def test_the_self_test_tries_to_read_a_packs_secrets(war: None) -> None:
    assert {WAR / role for role in ("solutions", "exams", "right")} <= {*secret_folders()}


def test_kernels_import_only_the_package_of_the_named_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(WAR / "war_course", tmp_path / "war_course")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("FOLDEM_PACKS", str(WAR))
    first = Path(kernel_environment(known())["PYTHONPATH"].split(os.pathsep)[0])
    assert os.listdir(first) == ["war_course"] and (first / "war_course").resolve() == WAR / "war_course"


# ------------------------------------------------------------------------------------- packs named by a course


def course(folder: Path, pack: Path) -> Path:
    return write_files(folder, {"foldem.toml": f'seed = "s"\npacks = {json.dumps([str(pack)])}\n'})


@pytest.mark.promise("others")
def test_no_pack_is_taken_from_settings_among_the_submissions(tmp_path: Path) -> None:
    """A pack's files are run, so a submission must not bring one."""
    eve = course(tmp_path / "submitted" / "eve", WAR)
    assert with_course_packs(known(), eve, but=[eve]) == known()


@pytest.mark.promise("check")
def test_check_in_a_hand_in_runs_no_pack_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher may check a notebook in the folder of its student."""
    eve = course(tmp_path / "eve", Path("war"))
    shutil.copytree(WAR, eve / "war")
    shutil.copy(WAR / "notebooks" / "0_war.ipynb", eve)
    (eve / "war" / "war_course" / "__init__.py").write_text("raise SystemExit('run')\n")
    monkeypatch.chdir(eve)
    done = foldem("check", "0_war.ipynb")
    assert done.returncode == 2 and "it names are not used" in done.stderr and "run" not in done.stderr.splitlines()


@pytest.mark.parametrize("given", [".", "cs101", "../cs101"])
def test_packs_in_settings_among_submissions_are_ignored_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    folder = course(tmp_path / "cs101", WAR)
    (folder / "submitted").mkdir()
    monkeypatch.chdir(folder / ".." if given == "cs101" else folder)
    hint = foldem_here("grade", given).stderr
    assert (
        hint.count("it names are not used") == 1 and "grade only the folder with the submissions, or add --pack" in hint
    )
    assert "its packs" not in foldem_here("grade", given, "--pack", WAR).stderr
    monkeypatch.setenv(packs.VARIABLE, "")
    assert "its packs" not in foldem_here("grade", f"{given}/submitted").stderr


# ------------------------------------------------------------------------------------------------ broken packs


CLASHES = {
    "units": (
        'name = "fox"\ncourse = "fox_course"\nunits = ["uno"]\n',
        r":3: the unit uno exists already, in the pack",
    ),
    "imports": (
        'name = "fox"\ncourse = "course"\nunits = ["fox"]\n',
        r":2: the package course exists already, in the pack foldem",
    ),
}


@pytest.mark.parametrize("clash", CLASHES)
def test_two_packs_share_no_unit_and_no_student_package(tmp_path: Path, clash: str) -> None:
    text, message = CLASHES[clash]
    write_file(tmp_path / "pack.toml", text)
    with pytest.raises(UnitError, match=message):
        known(tmp_path)
    assert [pack.name for pack in known().packs] == ["foldem"]


@pytest.mark.proof
@pytest.mark.sandbox
def test_a_pack_is_proven_by_the_laws_that_ours_is_proven_by(tmp_path: Path) -> None:
    proofs = printed_by(foldem("prove", "--pack", WAR, "--jobs", "1"))
    assert "mutants refused (97 of 97)" in proofs and "mistakes refused (9 of 9)" in proofs


def test_reference_that_needs_a_later_exercise_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    early = {"flip": "def flip(domino):\n    return append and Domino(domino.right, domino.left)"}
    monkeypatch.setattr(answers, "reference_answers", lambda unit: early)
    assert "flip waits for a later exercise in the kit" in answers.messages_if_waiting(read_unit("dominoes"), "flip")[0]


NO_PYTHON = {
    "a syntax error": (b"\ndef deal__x(:\n", r":\d+: SyntaxError: invalid syntax"),
    "Latin-1": (b"# Stra\xdfe\n", ": it is not UTF-8 text"),
    "a null byte": (b"\0", r":\d+: SyntaxError: "),
}


@pytest.mark.parametrize("what", NO_PYTHON)
def test_unparsable_files_of_a_pack_are_reported_with_their_path(tmp_path: Path, what: str) -> None:
    added, message = NO_PYTHON[what]
    path = write_file(tmp_path / "war.py", (WAR / "solutions/war.py").read_bytes() + added)
    with pytest.raises(UnitError, match=re.escape(str(path)) + message):
        list(written_statements(path))


@pytest.mark.parametrize("words", [("course", "--upgrade"), ("export", "--to", "csv"), ("report",)])
def test_commands_on_a_course_read_its_packs(tmp_path: Path, words: tuple[str, ...]) -> None:
    folder = course(tmp_path / "cs101", Path("nowhere"))
    assert "nowhere is not a pack" in foldem_here(*words, folder).stderr


def test_a_pack_with_a_folder_per_role_is_refused_in_one_line(tmp_path: Path) -> None:
    shutil.copytree(WAR, tmp_path / "war")
    (tmp_path / "war" / "war_course" / "war.py").touch()
    done = foldem_here("build", "--pack", tmp_path / "war")
    assert is_one_line_refusal(done) and "war_course/war.py: a unit is a folder now" in done.stderr


def test_pinned_checks_may_name_modules_as_they_were(tmp_path: Path) -> None:
    lines = "from course.wholes.basra import SIZE", "from course.alike.uno import unordered"
    (tmp_path / "old.checks.py").write_text("\n".join(lines), encoding="utf-8")
    assert {"SIZE", "unordered"} <= vars(import_file("pinned_in_a_test", tmp_path / "old.checks.py")).keys()
