"""Units from anywhere: a pack is loaded, graded, kept secret, and refused if it is broken."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from autograder.config import with_course_packs
from autograder.exam.build import build_exam
from autograder.hosts.products import products
from autograder.prove.answers import waits
from autograder.sandbox.sources import course_modules
from autograder.units import pack as packs
from autograder.units.build import source_notebook, student_stub
from autograder.units.pack import UnitError, import_file, kernel_environment
from autograder.units.written import written_statements
from course.kernel import catalogue
from tests.classroom import notebook_with, reference_answers
from tests.command import foldem, foldem_here, is_one_line_refusal, one_line_with, printed_by
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
    for name, answers in (("ada", reference_answers(read_unit("war"))), ("bob", mistakes), ("eve", deeds)):
        (folder / name).mkdir(parents=True)
        nbformat.write(notebook_with("war", answers), folder / name / "0_war.ipynb")
    return folder


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
    assert lost.returncode and "which was graded: add --pack" in lost.stderr and "Traceback" not in lost.stderr
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
    folder = tmp_path / "fox_course"
    (folder / "deep").mkdir(parents=True)
    sources = dict.fromkeys(("__init__", "one", "two", "three", "deep/__init__", "secret"), "")
    sources["fox"] = "import fox_course.one\nfrom . import two\nfrom .deep import four\n"
    for name, text in (sources | {"deep/four": "from ..three import *\n"}).items():
        (folder / f"{name}.py").write_text(text)
    there = course_modules(("fox_course.fox",), (), {"fox_course": folder})
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


def course(folder: Path, *named: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "foldem.toml").write_text(f'seed = "s"\npacks = {json.dumps([str(path) for path in named])}\n')
    return folder


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
    assert done.returncode == 2 and "its packs are not used" in done.stderr and "run" not in done.stderr.splitlines()


@pytest.mark.parametrize("given", [".", "cs101", "../cs101"])
def test_packs_in_settings_among_submissions_are_ignored_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    folder = course(tmp_path / "cs101", WAR)
    (folder / "submitted").mkdir()
    monkeypatch.chdir(folder / ".." if given == "cs101" else folder)
    hint = foldem_here("grade", given).stderr
    assert hint.count("its packs are not used") == 1 and "name the folder of submissions instead, or add --pack" in hint
    assert "its packs" not in foldem_here("grade", given, "--pack", WAR).stderr
    monkeypatch.setenv(packs.VARIABLE, "")
    assert "its packs" not in foldem_here("grade", f"{given}/submitted").stderr


# ------------------------------------------------------------------------------------------------ broken packs


MISTAKES = "exams/war/mistakes.py"
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
    (tmp_path / "pack.toml").write_text(text)
    with pytest.raises(UnitError, match=message):
        known(tmp_path)
    assert [pack.name for pack in known().packs] == ["foldem"]


@pytest.mark.proof
@pytest.mark.sandbox
def test_a_pack_is_proven_by_the_laws_that_ours_is_proven_by(tmp_path: Path) -> None:
    proofs = printed_by(foldem("prove", "--pack", WAR, "--jobs", "1"))
    assert "mutants refused (97 of 97)" in proofs and "mistakes refused (9 of 9)" in proofs


def broken(folder: Path, number: int, file: str, old: str, new: str) -> Path:
    """Write a copy of the pack `war` under another import name, in which something is broken."""
    shutil.copytree(WAR, folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    for path in [path for suffix in ("py", "toml", "json") for path in folder.rglob(f"*.{suffix}")]:
        path.write_text(path.read_text().replace("war_course", f"war{number}_course"))
    (folder / "war_course").rename(folder / f"war{number}_course")
    return folder


def test_exercise_that_needs_a_later_one_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = "    >>> deal((Card(7, SPADES), Card(1"
    calls_later = f"    >>> battle(*deal((Card(7, SPADES),)))\n    FIRST\n{shown}"
    monkeypatch.setenv("FOLDEM_PACKS", str(broken(tmp_path / "war", 99, "solutions/war.py", shown, calls_later)))
    for path, text in products([read_unit("war")]).items():
        path.write_text(text, encoding="utf-8")
    catalogue._stated.cache_clear()  # a process reads the statements of a package once,
    monkeypatch.setattr(catalogue, "homes", lambda: ("course", "war99_course"))  # and no other pack has this unit
    assert waits(read_unit("war"), "outranks") == []
    assert "deal waits for a later exercise in the kit" in waits(read_unit("war"), "deal")[0]


def test_two_cells_with_one_name_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    head = "# %% [markdown]\n# ## A battle"
    change = "solutions/war.py", head, f'# %% [markdown] by_hand="deal"\n# Why?\n\n{head}'
    monkeypatch.setenv("FOLDEM_PACKS", str(broken(tmp_path / "war", 40, *change)))
    with pytest.raises(UnitError, match=one_line_with("war.py:49: two cells are named 'deal'. Rename one")):
        source_notebook(read_unit("war"))


ENDLESS = {
    "a reference": (
        "solutions/war.py",
        "return pack[::2]",
        "while True: pass\n    return pack[::2]",
        r"war\.py:40: the",
    ),
    "a strategy": (
        "exams/war/checks.py",
        "unique=True).map(tuple)",
        "unique=True).map(lambda _: [0 for _ in iter(lambda: 0, 1) if _])",
        r"\.py:\d+: ",
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_endless_references_of_a_pack_are_reported_with_the_exercise(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    *change, where = ENDLESS[what]
    monkeypatch.setattr("autograder.exam.build.SECONDS_PER_PAPER", 1)
    monkeypatch.setenv("FOLDEM_PACKS", str(broken(tmp_path / "war", 70 + list(ENDLESS).index(what), *change)))
    with pytest.raises(UnitError, match=rf"\A.*{where}.* of deal .*\Z"):
        build_exam(read_unit("war"), "0")


NO_PYTHON = {
    "a syntax error": (b"\ndef deal__x(:\n", r":\d+: SyntaxError: invalid syntax"),
    "Latin-1": (b"# Stra\xdfe\n", ": it is not UTF-8 text"),
    "a null byte": (b"\0", r":\d+: SyntaxError: "),
}


@pytest.mark.parametrize("file", [MISTAKES, "right/war_folds.py", "solutions/war.py"])
@pytest.mark.parametrize("what", NO_PYTHON)
def test_unparsable_files_of_a_pack_are_reported_with_their_path(tmp_path: Path, file: str, what: str) -> None:
    added, message = NO_PYTHON[what]
    path = tmp_path / "war.py"
    path.write_bytes((WAR / file).read_bytes() + added)
    with pytest.raises(UnitError, match=re.escape(str(path)) + message):
        list(written_statements(path))


@pytest.mark.parametrize("parting", ["\f", "\x1c", "\u2028"])
def test_authors_files_are_split_into_lines_as_python_does(
    tmp_path: Path, parting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, number = "card by card, the first player's first.", 60 + ord(parting) % 7
    pack = broken(tmp_path / "war", number, "solutions/war.py", old, old.replace("first.", f"{parting}first."))
    monkeypatch.setenv("FOLDEM_PACKS", str(pack))
    deal = read_unit("war")["deal"]
    assert deal.source.startswith("def deal(pack: Pack)") and deal.source.endswith("return pack[::2], pack[1::2]")
    assert (deal.reference_lines, student_stub(deal).count("pack[::2]")) == (1, 0)


@pytest.mark.parametrize(
    "words", [("course", "--upgrade"), ("export", "--to", "csv"), ("report",), ("prove", "--mistakes")]
)
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
