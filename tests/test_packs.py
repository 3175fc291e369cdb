"""Units from anywhere: a pack is loaded, graded, kept secret, and refused if it is broken."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from autograder.commands.github import make_starter
from autograder.config import ConfigError, with_course_packs
from autograder.exam.build import build_exam
from autograder.hosts.products import products
from autograder.prove.in_order import waits
from autograder.sandbox import mounts
from autograder.units import pack as packs
from autograder.units.build import source_notebook, student_stub
from autograder.units.pack import UnitError, kernel_environment, read_pack
from autograder.units.written import written_statements
from tests.classroom import notebook_with, reference_answers
from tests.command import foldem, foldem_here, is_one_line_refusal
from tests.units import course_in, known, mistakes_of, read_unit, right_answers, secret_folders, unit_names

WAR = Path(__file__).parent / "packs" / "war"


@pytest.fixture(autouse=True)
def _none_known_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, "")


@pytest.fixture
def war(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("FOLDEM_PACKS", str(WAR))
    yield


def test_the_units_of_a_pack_come_behind_ours(war: None) -> None:
    assert unit_names()[-1] == "war" and read_unit("war").stem == "0_war"
    assert read_unit("war").module.__name__ == "war_course.war"


def test_a_pack_is_known_only_where_it_was_named() -> None:
    assert "war" not in unit_names()


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
    done = foldem("grade", submitted(tmp_path / "in"), "--pack", WAR, "--out", tmp_path / "out", FOLDEM_PACKS="")
    assert done.returncode == 0, done.stderr
    reports = json.loads((tmp_path / "out" / "report.json").read_text())
    assert [(report["submission"][:3], report["points"] == 4) for report in reports] == [
        ("ada", True),
        ("bob", False),
        ("eve", False),
    ]
    assert reports[2]["points"] == 0
    told = [facet["verdict"] for exercise in reports[1]["exercises"] for facet in exercise["facets"]]
    assert any(told) and not any("are hidden" in verdict for verdict in told)  # what is imported of a pack is plain


def test_a_sandbox_has_only_the_needed_modules_of_a_pack(war: None) -> None:
    there = mounts.course_modules(("war_course.war",), (), known().student_packages)
    ours = tuple(name for name in there if not name.startswith("course.exam"))  # with which a child observes
    assert ours == ("course", "course.effects", "course.values", "war_course", "war_course.war")


def test_modules_that_a_students_module_imports_in_any_way_are_there(tmp_path: Path) -> None:
    folder = tmp_path / "fox_course"
    (folder / "deep").mkdir(parents=True)
    for name in ("__init__", "one", "two", "three", "deep/__init__", "deep/four", "secret"):
        (folder / f"{name}.py").touch()
    (folder / "fox.py").write_text("import fox_course.one\nfrom . import two\nfrom .deep import four\n")
    (folder / "deep" / "four.py").write_text("from ..three import *\n")
    there = mounts.course_modules(("fox_course.fox",), (), {"fox_course": folder})
    assert {name.removeprefix("fox_course.") for name in there if name.startswith("fox_course.")} == {
        *("fox", "one", "two", "three", "deep", "deep.four"),
    }


def test_the_self_test_tries_to_read_a_packs_secrets(war: None) -> None:
    kept = {str(WAR / role) for role in ("solutions", "checks", "mistakes", "right")}
    assert kept <= set(map(str, secret_folders()))


def test_kernels_can_import_only_the_student_package_of_a_pack(war: None) -> None:
    first = kernel_environment(known())["PYTHONPATH"].split(os.pathsep)[0]
    assert os.listdir(first) == ["war_course"]


def test_kernels_prefer_a_named_pack_to_an_installed_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_course_names_its_packs_by_their_paths_from_its_settings(tmp_path: Path) -> None:
    shutil.copytree(WAR, tmp_path / "war")
    folder = course(tmp_path / "cs101", Path("../war"))
    assert with_course_packs(known(), folder).packs[-1].root == tmp_path / "war"


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
    told = foldem_here("grade", given).stderr
    assert told.count("its packs are not used") == 1 and "name the folder of submissions instead, or add --pack" in told
    assert "its packs" not in foldem_here("grade", given, "--pack", WAR).stderr
    monkeypatch.setenv(packs.VARIABLE, "")
    assert "its packs" not in foldem_here("grade", f"{given}/submitted").stderr


def test_a_course_with_an_invalid_pack_names_the_setting(tmp_path: Path) -> None:
    folder = course(tmp_path / "cs101", Path("nowhere"))
    with pytest.raises(ConfigError, match=r"foldem.toml:2: .*nowhere is not a pack"):
        with_course_packs(known(), folder)


# ------------------------------------------------------------------------------------------------ broken packs


SETTINGS = {
    'name = "fox"\ncourse = "fox_course"\nunits = ["fox"]\nposition = 1\n': ":4: unknown key 'position'",
    'name = "fox"\ncourse = "fox_course"\nunits = "fox"\n': ":3: units must be a list of names, not 'fox'",
    'name = "fox"\ncourse = "fox_course"\nunits = ["fox", "fox"]\n': ":3: the unit fox is listed twice",
    'name = "fox"\ncourse = "fox-course"\nunits = ["fox"]\n': ":2: course must be a name",
    'course = "fox_course"\nunits = ["fox"]\n': ":1: the key 'name' is missing",
    'name = "fox"\ncourse = "fox_course"\nunits = ["fox"]\n[folders]\nanswers = "x"\n': ":5: unknown role 'answers'",
    "name = fox\n": "pack.toml: ",
}


@pytest.mark.parametrize("text", SETTINGS)
def test_settings_of_a_pack_that_mean_nothing_are_refused_with_their_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "pack.toml").write_text(text)
    with pytest.raises(UnitError) as caught:
        read_pack(tmp_path)
    assert SETTINGS[text] in str(caught.value) and "\n" not in str(caught.value)


UNO = 'name = "fox"\ncourse = "fox_course"\nunits = ["uno"]\n'
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
    text, told = CLASHES[clash]
    (tmp_path / "pack.toml").write_text(text)
    with pytest.raises(UnitError, match=told):
        known(tmp_path)
    assert [pack.name for pack in known().packs] == ["foldem"]


def test_the_pack_that_tests_keep_is_built(war: None) -> None:
    assert [
        path for path, text in products([read_unit("war")]).items() if path.read_text(encoding="utf-8") != text
    ] == []


@pytest.mark.proof
@pytest.mark.sandbox
def test_a_pack_is_proven_by_the_laws_that_ours_is_proven_by(tmp_path: Path) -> None:
    done = foldem("prove", "--pack", WAR, "--jobs", "1")
    assert done.returncode == 0, done.stdout
    assert "mutants refused (97 of 97)" in done.stdout and "mistakes refused (9 of 9)" in done.stdout


# What is changed in war's files, and the file and what is said of it.
BROKEN = {
    "no reference": (
        "war_course/war.toml",
        'name = "deal"',
        'name = "dealt"',
        "toml:14: the exercise dealt has no",
    ),
    "no exercise": ("solutions/war.py", "def deal(", "def dealt(", "war.toml:14: the exercise deal has no reference"),
    "no example": ("solutions/war.py", ">>> deal(", "deal(", "war.py:40: deal has no example"),
    "a check of nothing": (
        "checks/war.py",
        '"battle": Check',
        '"batle": Check',
        "py:30: war has no exercise",
    ),
    "no strategy": (
        "checks/war.py",
        '    "Pack": ',
        '    "Hand": ',
        "py:40: deal: no strategy for",
    ),
    "it raises": (
        "solutions/war.py",
        "return pack[::2]",
        "return 1 / 0, pack[::2]",
        "py:40: the reference of",
    ),
    "it raises for what is drawn": (
        "solutions/war.py",
        "pack[1::2]",
        "pack[1 // (len(pack) < 4) :: 2]",
        "py:40: the reference of deal raises ZeroDivisionError: deal((",
    ),
    "it raises for what is chosen": (
        "checks/war.py",
        '"no war": battles(',
        '"no war": (case(None, None),), "one war": battles(',
        "checks/war.py:32: the reference of battle raises TypeError: battle(None, None)",
    ),
    "an unknown key": (
        "war_course/war.toml",
        "points = 1",
        "pionts = 1",
        "toml:8: unknown key 'pionts'",
    ),
    "a wrong kind": (
        "war_course/war.toml",
        "points = 1",
        'points = "1"',
        "toml:8: points must be a number",
    ),
    "points without end": (
        "war_course/war.toml",
        "points = 1",
        "points = inf",
        "toml:8: points must be a number from 0 to 999,999, not inf",
    ),
    "nothing is withheld": (
        "war_course/war.toml",
        "form_share = 0.2",
        'form_share = 0.2\nwithheld = ["course.nowhere"]',
        "war.toml:4: withheld: 'course.nowhere' is not a module of course or war",
    ),
    "no module is withheld": (
        "war_course/war.toml",
        "form_share = 0.2",
        'form_share = 0.2\nwithheld = [""]',
        "war.toml:4: withheld: '' is not a module of course or war",
    ),
    "what a unit begins with is withheld": (
        "war_course/war.toml",
        "form_share = 0.2",
        'form_share = 0.2\nwithheld = ["war_course.war"]',
        "is always needed, so it cannot be withheld",
    ),
    "two of a name": ("solutions/war.py", "def battle(", "def deal(", "is defined twice: in line 40 too"),
    "an example begun badly": ("solutions/war.py", ">>> deal(", ">>>deal(", "py:40: line 3 of the docstring for deal"),
    "a strategy that is none": (
        "checks/war.py",
        "max_size=7).map(tuple)",
        "max_size=7).map(len).filter(lambda n: n > 9)",
        "war.py:30: no inputs of battle could be drawn: Unsatisfiable",
    ),
    "no Python in what is given": ("war_course/war.py", "__all__ = ", "__all__ = = ", "_course/war.py:"),
    "what is given fails": ("war_course/war.py", "__all__ = ", "__all__ = 1 / 0, ", "_course/war.py:"),
    "an idea used in nothing": (
        "war_course/war.toml",
        "[[exercise]]",
        '[[idea]]\nname = "x"\nsays = "y"\nused = ["dealt"]\n[[exercise]]',
        "names an unknown exercise dealt",
    ),
    "a count of nothing": (
        "checks/war.py",
        "Check(",
        "Check(count=0, ",
        "war.py:30: the count of battle is not a whole",
    ),
    "no Python": ("solutions/war.py", "def deal(", "def deal((", "war.py:"),
}


# Names of cells that a person marks, and what is said of them.
NAMES_BY_HAND = {
    '"deal"': "war.py:49: another cell is named 'deal'",
    '"start-tools"': "war.py:49: another cell is named 'start-tools'",
    '"essay"\n# x\n\n# %% [markdown] by_hand="essay"': "war.py:52: another cell is named 'essay'",
    '""': "war.py:49: by_hand must be a name of at most 64 letters, digits, _ and -, not ''",
    '"two words"': "war.py:49: by_hand must be a name",
    "5": "war.py:49: by_hand must be a name",
}


def broken(folder: Path, number: int, file: str, old: str, new: str) -> Path:
    """Write a copy of the pack `war` under another import name, in which something is broken."""
    shutil.copytree(WAR, folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    for path in [*folder.rglob("*.py"), *folder.rglob("*.toml")]:
        path.write_text(path.read_text().replace("war_course", f"war{number}_course"))
    (folder / "war_course").rename(folder / f"war{number}_course")
    return folder


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_pack_is_reported_in_one_line_with_file_and_line(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    *change, told = BROKEN[what]
    monkeypatch.setenv("FOLDEM_PACKS", str(broken(tmp_path / "war", list(BROKEN).index(what), *change)))
    with pytest.raises(UnitError) as caught:
        build_exam(read_unit("war"), "0")
    assert told in str(caught.value) and "\n" not in str(caught.value)


def test_exercise_that_needs_a_later_one_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = "    >>> deal((Card(7, SPADES), Card(1"
    calls_later = f"    >>> battle(*deal((Card(7, SPADES),)))\n    FIRST\n{shown}"
    monkeypatch.setenv("FOLDEM_PACKS", str(broken(tmp_path / "war", 99, "solutions/war.py", shown, calls_later)))
    for path, text in products([read_unit("war")]).items():
        path.write_text(text, encoding="utf-8")
    assert waits(read_unit("war"), "outranks") == []
    assert "deal waits for a later exercise in the kit" in waits(read_unit("war"), "deal")[0]


@pytest.mark.parametrize("name", NAMES_BY_HAND)
def test_an_impossible_cell_name_is_reported_in_one_line(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "# %% [markdown]\n# ## A battle"
    change = "solutions/war.py", head, f"# %% [markdown] by_hand={name}\n# Why?\n\n{head}"
    monkeypatch.setenv("FOLDEM_PACKS", str(broken(tmp_path / "war", 40 + list(NAMES_BY_HAND).index(name), *change)))
    with pytest.raises(UnitError) as caught:
        source_notebook(read_unit("war"))
    assert NAMES_BY_HAND[name] in str(caught.value) and "\n" not in str(caught.value)


ENDLESS = {
    "a reference": ("solutions/war.py", "return pack[::2]", "while True: pass\n    return pack[::2]", "war.py:40: the"),
    "a strategy": (
        "checks/war.py",
        "unique=True).map(tuple)",
        "unique=True).map(lambda _: [0 for _ in iter(lambda: 0, 1) if _])",
        "war.py:",
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_endless_references_of_a_pack_are_reported_with_the_exercise(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    *change, told = ENDLESS[what]
    monkeypatch.setattr("autograder.exam.build.LONGEST_PAPER", 2)
    monkeypatch.setattr("autograder.exam.build.REMIND_EVERY", 0.1)
    monkeypatch.setenv("FOLDEM_PACKS", str(broken(tmp_path / "war", 70 + list(ENDLESS).index(what), *change)))
    with pytest.raises(UnitError, match=r"war.py:\d+: .* of deal ") as caught:
        build_exam(read_unit("war"), "0")
    assert told in str(caught.value) and "\n" not in str(caught.value)


NO_PYTHON = {
    "a syntax error": (b"\ndef deal__x(:\n", r":\d+: SyntaxError: invalid syntax"),
    "Latin-1": (b"# Stra\xdfe\n", ": it is not UTF-8 text"),
    "a null byte": (b"\0", r":\d+: SyntaxError: "),
}


@pytest.mark.parametrize("file", ["mistakes/war.py", "right/war_folds.py", "solutions/war.py"])
@pytest.mark.parametrize("what", NO_PYTHON)
def test_unparsable_files_of_a_pack_are_reported_with_their_path(tmp_path: Path, file: str, what: str) -> None:
    added, told = NO_PYTHON[what]
    pack = tmp_path / "war"
    shutil.copytree(WAR, pack)
    (pack / file).write_bytes((pack / file).read_bytes() + added)
    with pytest.raises(UnitError, match=re.escape(str(pack / file)) + told):
        list(written_statements(pack / file))


@pytest.mark.parametrize("parting", ["\f", "\x1c", "\u2028"])
def test_authors_files_are_split_into_lines_as_python_does(
    tmp_path: Path, parting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = broken(tmp_path / "war", 60 + ord(parting) % 7, "solutions/war.py", "# # War", f"# # War{parting}and peace")
    change = f"""card by card, the first{parting} player's first.\n\n    """
    text = (pack / "solutions" / "war.py").read_text(encoding="utf-8")
    text = text.replace("card by card, the first player's first.\n\n    ", change)
    (pack / "solutions" / "war.py").write_text(text, encoding="utf-8")
    monkeypatch.setenv("FOLDEM_PACKS", str(pack))
    deal = read_unit("war")["deal"]
    assert deal.source.startswith("def deal(pack: Pack)") and deal.source.endswith("return pack[::2], pack[1::2]")
    assert (deal.typical_lines, student_stub(deal).count("pack[::2]")) == (1, 0)


def test_a_pack_may_have_files_that_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "war.py").touch()
    assert list(written_statements(tmp_path / "war.py")) == []


def test_a_command_refuses_a_broken_pack_and_writes_nothing(tmp_path: Path) -> None:
    pack = broken(tmp_path / "war", 99, *BROKEN["an unknown key"][:3])
    before = sorted(pack.rglob("*"))
    assert is_one_line_refusal(foldem("build", "--pack", pack))
    assert sorted(pack.rglob("*")) == before


def test_an_incomplete_right_answer_is_reported_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(
        "FOLDEM_PACKS", str(broken(tmp_path / "war", 96, "right/war_folds.py", "def deal(", "def dealt("))
    )
    with pytest.raises(UnitError, match=r"right/war_folds.py: there is no answer to deal"):
        right_answers("war")


@pytest.mark.parametrize("command", ["build", "prove"])
def test_a_mistake_in_an_unknown_exercise_is_refused_with_its_line(tmp_path: Path, command: str) -> None:
    number = 97 + len(command) % 2
    pack = broken(tmp_path / "war", number, "mistakes/war.py", "def outranks__", "def outrank__")
    done = foldem(command, "--pack", pack)
    assert is_one_line_refusal(done)
    assert "mistakes/war.py:" in done.stderr and "war has no exercise 'outrank'" in done.stderr


def test_products_with_foldem_alone_refuse_units_of_other_packs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLDEM_PACKS", str(WAR))
    with pytest.raises(UnitError, match="war is from the pack war"):
        list(make_starter(tmp_path / "out", course_in(None), None, "war"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", [("regrade",), ("export", "--to", "csv"), ("report",), ("mistakes",)])
def test_commands_on_a_course_read_its_packs(tmp_path: Path, words: tuple[str, ...]) -> None:
    folder = course(tmp_path / "cs101", Path("nowhere"))
    assert "nowhere is not a pack" in foldem_here(words[0], folder, *words[1:]).stderr
