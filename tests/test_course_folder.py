"""Course folders: what the command writes, and how nbgrader, students and the grader use it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest

from autograder.commands.course import assignments_to_make, make_course, selected_exercises
from autograder.config import (
    PUBLISHED_SEED,
    SETTINGS_FILE,
    ConfigError,
    Policy,
    Settings,
    cache_folder,
    help_settings_for,
    policy_for,
    settings_text,
)
from autograder.exam.store import write_cache_file
from autograder.submission.model import PartOfUnit
from autograder.submission.reading import grade_id
from autograder.term.assignments import assignment_points_in
from autograder.toml import toml_keys_of
from course.kernel.workspace import COURSE_DEFAULTS
from tests.classroom import of_another_user, write_files
from tests.command import PATIENCE, foldem_here
from tests.units import known, read_submission, read_unit

UNIT = read_unit("dominoes")


def source(course: Path, assignment: str, stem: str = "1_dominoes") -> nbformat.NotebookNode:
    return nbformat.read(course / "source" / assignment / f"{stem}.ipynb", 4)


def ids(notebook: nbformat.NotebookNode) -> set[str]:
    return {cell.id for cell in notebook.cells}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course") / "cs101"
    for words in (
        ("--unit", "dominoes", "--exercises", "append..suppress", "--name", "tiles"),
        ("--unit", "dominoes", "--exercises", "take,move"),
        ("--unit", "dominoes", "--unit", "sedma"),
        ("--unit", "warmup", "--unit", "basra", "--name", "both"),
    ):
        assert foldem_here("course", folder, *words).returncode == 0
    return folder


def test_a_notebook_of_a_course_links_to_none_that_its_assignment_lacks(course: Path) -> None:
    for path in sorted(course.glob("source/*/*.ipynb")):
        linked = {Path(name) for name in re.findall(r"\]\(([^)#]+\.ipynb)", path.read_text())}
        assert [name for name in linked if not path.with_name(str(name)).exists()] == [], path
    assert "How to work: checks, hints and points" in (course / "source" / "tiles" / "1_dominoes.ipynb").read_text()


def test_each_assignment_is_there_under_its_name(course: Path) -> None:
    assert {str(path.relative_to(course / "source")) for path in (course / "source").glob("*/*")} == {
        "tiles/1_dominoes.ipynb",
        "dominoes-take-move/1_dominoes.ipynb",
        "dominoes/1_dominoes.ipynb",
        "sedma/2_sedma.ipynb",
        "both/0_warmup.ipynb",
        "both/3_basra.ipynb",
    }


def test_the_teachers_own_notebooks_are_not_graded_as_hand_ins(course: Path) -> None:
    done = foldem_here("grade", course)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{course.name}/submitted is missing: to fill it with submissions" in " ".join(done.stderr.split())


def test_a_part_of_a_unit_sets_its_exercises_and_gives_earlier_ones(course: Path) -> None:
    notebook = source(course, "tiles")
    part = ["append", "string_of_chain", "string_of_dominoes", "make_dominoes", "suppress"]
    assert {grade_id(cell) for cell in notebook.cells} - {""} == {*part, *(f"{name}-check" for name in part)}
    assert "flip-given" in ids(notebook) and "append-given" not in ids(notebook)
    assert "<small>5 exercises · difficulty ★ to ★★ · about half an hour</small>" in notebook.cells[0].source
    assert not any("input_move" in name for name in ids(notebook))
    cells = {cell.id: cell.source for cell in notebook.cells}
    assert cells["flip-given"] == UNIT["flip"].source and "<small>(given)</small>" in cells["flip-lesson"]


def test_a_part_of_single_exercises_gives_those_in_between(course: Path) -> None:
    names = ids(source(course, "dominoes-take-move"))
    assert {"take", "move", "string_of_dominoes-given"} <= names and "make_dominoes" not in names
    assert not any(name.endswith("-given") for name in ids(source(course, "dominoes")))


def test_names_and_ranges_mean_exercises_in_teaching_order() -> None:
    assert selected_exercises(UNIT, "take, flip..string_of_chain") == ("flip", "append", "string_of_chain", "take")


def test_only_a_part_that_no_course_confirms_is_mentioned(course: Path) -> None:
    path = course / "source" / "tiles" / "1_dominoes.ipynb"
    remarks = [read_submission(path, UNIT, parts).remarks for parts in ({}, assignment_points_in(path, known()))]
    assert [any(isinstance(each, PartOfUnit) for each in own) for own in remarks] == [True, False]


def test_files_of_the_teachers_own_are_kept_unless_forced(course: Path) -> None:
    path = course / "source" / "sedma" / "2_sedma.ipynb"
    made = path.read_text()
    path.write_bytes(made.replace("Sedma", "Our Sedma, Stra\udcdfe").encode(errors="surrogateescape"))  # no UTF-8
    assert f"kept   {path} (yours differs)" in foldem_here("course", course, "--unit", "sedma").stdout
    assert path.read_bytes() != made.encode()
    assert f"wrote  {path}" in foldem_here("course", course, "--unit", "sedma", "--force").stdout
    assert path.read_text() == made


# ------------------------------------------------------------------------------------------------ foldem.toml


def test_the_settings_template_states_the_defaults(tmp_path: Path) -> None:
    assert Settings(**tomllib.loads(settings_text(tmp_path)) | {"seed": PUBLISHED_SEED}) == Settings()
    assert Settings().help == COURSE_DEFAULTS


def make_warmup(folder: Path) -> list[str]:
    """Make a course of the warm-up, and return what the command prints."""
    return list(make_course(folder, assignments_to_make((read_unit("warmup"),), None, None), known()))


def test_each_course_draws_and_keeps_its_own_seed(tmp_path: Path) -> None:
    for name in ("one", "other"):
        make_warmup(tmp_path / name)
    one, other = policy_for(tmp_path / "one").seed, policy_for(tmp_path / "other").seed
    assert len({one, other, PUBLISHED_SEED}) == 3
    assert f"kept   {tmp_path / 'one' / SETTINGS_FILE}" in make_warmup(tmp_path / "one")
    assert policy_for(tmp_path / "one").seed == one


@pytest.mark.promise("others")
@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_other_users_open_no_new_course_and_no_exam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOLDEM_CACHE", str(tmp_path / "cache"))
    (tmp_path / "old").mkdir(mode=0o755)
    for name in ("new", "old"):
        make_warmup(tmp_path / name)
    write_cache_file(cache_folder() / "warmup.json", "{}")
    assert [path.stat().st_mode & 0o007 for path in (tmp_path / "new", cache_folder())] == [0, 0]
    assert (tmp_path / "old").stat().st_mode & 0o777 == 0o755


def test_a_course_without_its_own_seed_gets_a_warning(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text("hints = false")
    note = "has no seed, so the exam is the published one: add a secret seed"
    assert f"note   {tmp_path / SETTINGS_FILE} {note}" in make_warmup(tmp_path)


@pytest.mark.nbgrader
def test_settings_that_cannot_be_used_end_nbgrader_in_one_line(tmp_path: Path) -> None:
    make_warmup(tmp_path)
    (tmp_path / SETTINGS_FILE).write_text("hint = true")
    words = [Path(sys.executable).with_name("nbgrader"), "generate_assignment", "warmup"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 1 and not (tmp_path / "release").exists()
    assert done.stderr.splitlines()[-1].endswith("unknown key 'hint': did you mean 'hints'?")
    assert "Traceback" not in done.stderr


MISFITS = {
    'seed = ""': "seed must be a text",
    "memory_mb = 32": "memory_mb must be a whole number of at least 64, not 32",
    "seconds_per_exercise = true": "seconds_per_exercise must be a whole number above 0, not True",
    "seconds_per_call = 0": "seconds_per_call must be a number above 0, not 0",
    "form_share = 1.5": "form_share must be a number from 0 to 1, not 1.5",
    'sandbox = "off"': 'sandbox must be "auto", "bubblewrap" or "landlock" (for off, use the',
    'packs = "../war"': 'packs must be a list of paths, like ["../war"], not',
    'hints = "yes"': "hints must be true or false, not 'yes'",
    'exercises = ["flip"]': "unknown key 'exercises': the keys are seed, ",
    "[policy]": "unknown key 'policy'",
    "hints = yes": "Invalid value",
    **{
        f'timezone = "{zone}"': f"there is no time zone {zone!r}"
        for zone in ("Berlin", "Europe", "../etc/passwd", "x y")
    },
    f"deadlines = {'[' * 3_000}": "too many brackets",
}


@pytest.mark.parametrize("text", MISFITS)
def test_settings_that_mean_nothing_are_refused_with_their_line(tmp_path: Path, text: str) -> None:
    (tmp_path / SETTINGS_FILE).write_text(f"# Ours.\n{text}\n")
    with pytest.raises(ConfigError) as refused:
        policy_for(tmp_path)
    assert f"{SETTINGS_FILE}:2: {MISFITS[text]}" in str(refused.value) and "\n" not in str(refused.value)


def test_the_template_documents_every_key(tmp_path: Path) -> None:
    text = settings_text(tmp_path)
    for key in toml_keys_of(Settings):
        above = text[: re.search(rf"^(# )?{key} = ", text, re.MULTILINE).start()]  # type: ignore[union-attr]
        assert above.split("\n\n")[-1].startswith("# "), key


def test_without_settings_help_is_not_mentioned(tmp_path: Path) -> None:
    assert help_settings_for(tmp_path) is None
    (tmp_path / "foldem.toml").write_text("hints = false")
    assert help_settings_for(tmp_path) == COURSE_DEFAULTS | {"hints": False}


@pytest.mark.promise("others")
def test_settings_that_any_user_could_have_written_never_apply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packs that such a file names would run as the teacher. Elsewhere, the outermost file applies."""
    write_files(tmp_path, {SETTINGS_FILE: "form_share = 0.5\n", f"cs101/{SETTINGS_FILE}": "form_share = 0.3\n"})
    assert policy_for(tmp_path / "cs101").form_share == 0.5
    tmp_path.chmod(0o1777)
    assert policy_for(tmp_path / "cs101").form_share == 0.3 and policy_for(tmp_path) == Policy()
    tmp_path.chmod(0o777)
    assert policy_for(tmp_path / "cs101").form_share == 0.5  # it is one's own
    of_another_user(tmp_path / SETTINGS_FILE, monkeypatch)
    assert policy_for(tmp_path / "cs101").form_share == 0.3
    tmp_path.chmod(0o775)
    assert policy_for(tmp_path / "cs101").form_share == 0.5  # another teacher's
