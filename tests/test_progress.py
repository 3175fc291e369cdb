"""Hints, progress, practice of ideas, the start page, and strangers' notebooks, of which nothing runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from functools import partial
from itertools import takewhile
from pathlib import Path
from textwrap import indent

import anywidget
import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jupyterlab_server.config import get_page_config
from jupyterlab_server.workspaces_handler import WorkspacesManager
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder.commands.lab import make_working_copy, write_lab_settings
from autograder.units.unit import units_in
from course.kernel import catalogue
from course.kernel.notebook import read_safely
from course.kernel.workspace import Workspace
from course.learner import hints, progress
from course.learner.answer import answer_in_namespace
from course.learner.opening import (
    LAYOUT_FILE,
    LAYOUTS_FOLDER,
    START_PAGE_NAME,
    environment_with_startup,
    import_unit,
    write_start_page,
)
from course.learner.practising import (
    DAYS_UNTIL_NEXT_QUESTION,
    IDEAS_A_DAY,
    NO_MORE_TODAY,
    NOTHING_SOLVED_YET,
    DailyPractice,
    IdeaKey,
    IdeaReview,
    due_day,
    ideas_of,
    load_reviews,
    plan_day,
    practice_for_today,
    practice_on_day,
    questions_about_idea,
    review_path,
    save_review,
)
from course.learner.progress import (
    ExerciseState,
    call_map_of,
    load_states,
    progress_path,
    shown_progress,
    stored_state,
    unit_progress,
    update_state,
)
from course.limits import LARGEST_FILE
from course.show.results import BAD, GOOD, OPEN, STATE_COLORS
from tests.classroom import write_file, write_files
from tests.command import PATIENCE
from tests.kernel import RIGHT, Kernel, folder, kernel, save, working_in
from tests.test_tables_browser import READY, chromium, jupyter_lab
from tests.units import ROOT, known, read_unit, unit_names

__all__ = ("folder", "kernel")  # fixtures
REFERENCE = read_unit("dominoes")["flip"].source
OTHER = "def flip(domino):\n    left, right = domino.left, domino.right\n    return Domino(right, left)"
WRONG = "def flip(domino):\n    return domino"
HINTS = read_unit("dominoes")["legal_adds"].hints


@pytest.fixture
def solved(kernel: Kernel) -> Kernel:
    kernel.run(RIGHT)
    kernel.run('check("flip")')
    return kernel


# --- progress


def test_progress_and_borrowing_survive_the_kernel(solved: Kernel) -> None:
    solved.run('borrow("append")')
    shown = Kernel().run('progress("dominoes")')
    assert "1 of 22 · 1 / 54 points" in shown and "✓ flip" in shown and "◇ append" in shown


def test_a_cell_that_ran_before_the_first_cell_keeps_its_green(kernel: Kernel) -> None:
    for cell in (REFERENCE, 'check("flip")'):
        kernel.run(cell)
    kernel = Kernel(has_imports=False)
    for cell in (REFERENCE, "from course.dominoes import *\nfrom course.check import *"):
        kernel.run(cell)  # the annotations of the reference are not defined yet
    assert "0 / 1 point" not in (shown := kernel.run('check("flip")')) and "Run the cell of `flip` again" in shown
    assert "1 of 22" in kernel.run('progress("dominoes")')


def test_an_answer_changed_and_saved_loses_its_green(solved: Kernel, folder: Path) -> None:
    for later, (saved, shown) in enumerate(((RIGHT, "✓ flip"), (OTHER, "↻ flip")), 1):
        save(folder, {"flip": saved}, seconds_later=later)
        assert shown in Kernel().run("progress()")


@pytest.mark.parametrize("form", ["if True:\n{}", "try:\n{}\nfinally:\n    pass", "for _ in (1,):\n{}"])
def test_an_answer_inside_a_statement_keeps_its_green_as_others_do(kernel: Kernel, folder: Path, form: str) -> None:
    answer = form.format(indent(RIGHT, "    "))
    assert "1 of 22" in kernel.after(answer)
    save(folder, {"flip": answer}, seconds_later=1)
    assert "✓ flip" in kernel.run('progress("dominoes")')
    assert "↻ flip" in kernel.after(form.format(indent(OTHER, "    ")), check='progress("dominoes")')


def test_a_notebook_saved_before_the_check_takes_no_green_away(kernel: Kernel, folder: Path) -> None:
    save(folder, {}, seconds_later=-5)
    kernel.run(RIGHT)
    assert "1 of 22" in kernel.run('check("flip")')


@pytest.mark.parametrize("damage", ["", "{", "[]", "null", '{"flip": 3}', '{"flip": {"fails": "3"}}'])
def test_a_damaged_file_is_no_error(solved: Kernel, folder: Path, damage: str) -> None:
    file = progress_path(folder, "dominoes")
    file.write_text(file.read_text().replace(".0,", ","))  # as JavaScript writes whole numbers
    assert "1 of 22" in solved.run('progress("dominoes")') and [*file.parent.iterdir()] == [file]
    file.write_text(damage)
    assert "0 of 22" in solved.run('progress("dominoes")') and "1 of 22" in solved.run('check("flip")')


def test_progress_in_a_read_only_folder_lasts_as_long_as_the_kernel(kernel: Kernel, folder: Path) -> None:
    (folder / ".foldem").write_text("a file where the folder should be")
    assert "✓ flip" in kernel.after(RIGHT, 'check("flip")', check='progress("dominoes")')
    (folder / ".foldem").unlink()
    kernel.run('hint("append")')
    assert load_states(folder, "dominoes")["flip"].state == "good"


@pytest.mark.parametrize(
    "asking", ['check("flip")', "progress()", 'hint("flip")', 'borrow("flip")', 'solution("flip")']
)
def test_a_missing_folder_is_reported_in_one_line(kernel: Kernel, folder: Path, asking: str) -> None:
    kernel.run(RIGHT)
    folder.rmdir()
    assert kernel.run(asking) == "the folder of this notebook does not exist any more: restart the kernel\n"


def test_notebooks_of_two_units_that_are_run_at_once_undo_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    dominoes, warmup = answer_in_namespace({}, "flip", "dominoes"), answer_in_namespace({}, "swap_ends", "warmup")
    write_here = progress.write_safely

    def interrupted_write(file: Path, text: str) -> None:
        if file.stem == "dominoes":
            update_state(warmup, lambda entry: replace(entry, fails=1))
        write_here(file, text)

    monkeypatch.setattr(progress, "write_safely", interrupted_write)
    update_state(dominoes, lambda entry: replace(entry, hints=1))
    assert (stored_state(dominoes).hints, stored_state(warmup).fails) == (1, 1)


def test_progress_draws_the_course_with_links_and_the_next_exercise(kernel: Kernel, folder: Path) -> None:
    (folder / "damaged.ipynb").write_text("[" * 100_000)
    list(make_working_copy(folder, units_in(known())))
    assert "Begin: swap_ends in Warm-up" in shown_progress(Workspace({}, folder)).plain
    assert "✓ flip" in kernel.after(RIGHT)
    page = shown_progress(Workspace({}, folder))._repr_mimebundle_()
    for unit in map(catalogue.statements, unit_names()):
        assert f'href="{unit.notebook}"' in page["text/html"] and unit.title in page["text/plain"]
    links = re.findall(r'href="([^"#]+)#cell-id=([^"]+)"', page["text/html"])
    cells = {path.name: {cell.id for cell in nbformat.read(path, 4).cells} for path in folder.glob("?_*.ipynb")}
    assert len(links) > 100 and all(cell in cells[name] for name, cell in links)
    assert "Continue: append in Dominoes" in page["text/plain"]


def test_the_lab_opens_with_closed_sidebars_and_keeps_a_changed_layout(folder: Path) -> None:
    (layout,) = (write_lab_settings(folder) / "workspaces").iterdir()
    workspace = json.loads(layout.read_text())
    WorkspacesManager(str(folder)).save("default", layout.read_text())
    assert (folder / layout.name).exists() and workspace["data"]["layout-restorer:data"]["left"]["collapsed"]
    layout.write_text("{}")
    write_lab_settings(folder)
    assert layout.read_text() == "{}"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('progress("domino")', "there is no unit 'domino'"),
        ("from course.tables import whole_game; whole_game(None)", "there is no recorded game of None"),
        ("call_map(None)", "there is no unit None"),
        ("certificate(None)", "there is no unit None"),
    ],
)
def test_invalid_requests_get_one_line(kernel: Kernel, call: str, message: str) -> None:
    shown = kernel.run(call)
    assert shown.startswith(message) and shown.count("\n") == 1


def test_odd_settings_and_a_notebook_without_exercises_are_no_error(kernel: Kernel, folder: Path) -> None:
    (folder / "foldem.toml").write_text("a = " + "[" * 10_000)
    save(folder, {}, metadata={"exercises": []})
    assert Workspace({}, folder).is_allowed("hints") and "0 of 0" in kernel.run('progress("dominoes")')


def test_nothing_is_kept_or_shown_while_nbgrader_runs(
    kernel: Kernel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    calls = 'progress()\nhint("flip")\ncall_map("uno")\npredict("1 / 0", "A", why="")\ncertificate("uno")'
    assert kernel.run(calls) == "" and not (folder / ".foldem").exists()


NEEDY = f"shared = turned\n{RIGHT}"
STUB = "def flip(domino):\n    raise NotImplementedError"
CHECK, PROGRESS, SOLUTION = 'check("flip")', 'progress("dominoes")', 'solution("flip")'
USES = "seen[flip(Domino(1, 2))] = True", "flip.calls = 0", "seen[flip] = flip"
STOPPING = "turned = 1", NEEDY, CHECK, "del turned, flip", NEEDY
BORROWED = ('borrow("legal_adds")',)

# The settings of the course, or None outside of a course; the cells that are run, and the last one; texts that the last
# one shows, and texts that it does not show.
SHOWN: dict[str, tuple[str | None, tuple[str, ...], str, tuple[str, ...], tuple[str, ...]]] = {
    "a right answer stays green if its cell cannot run": (None, (*STOPPING, CHECK), PROGRESS, ("1 of 22",), ()),
    "its cell is reported as stopped": (None, STOPPING, CHECK, ("the cell stopped with NameError",), ()),
    "an answer that became wrong is not green": (
        None,
        (RIGHT, CHECK, WRONG, CHECK),
        PROGRESS,
        ("✗ flip", "0 of 22"),
        (),
    ),
    "a cell that only uses an answer takes no green away": (
        None,
        (RIGHT, CHECK, "seen = {}", *USES),
        PROGRESS,
        ("✓ flip",),
        (),
    ),
    "a cell that only uses an answer is no part of it": (None, (RIGHT, CHECK, "seen = {}", *USES), SOLUTION, (), USES),
    "a certificate of nothing": (None, (), 'certificate("dominoes")', ("A function appears as soon as",), ()),
    "a certificate": (
        None,
        (RIGHT, CHECK),
        'certificate("dominoes", "Ada & Co")',
        ("Dominoes: 1 of 22 functions written by Ada & Co", "Next: append"),
        (),
    ),
    "a borrowed function": (None, (), 'borrow("legal_adds")', ("A borrowed answer earns no points",), ("<function",)),
    "a borrowed function works": (None, BORROWED, "legal_adds(Domino(1, 2), EMPTY)", ("Chain(1, '1-2', 2)",), ()),
    "a borrowed function is not checked": (None, BORROWED, 'check("legal_adds")', ("◇ legal_adds",), ()),
    "a borrowed function earns no points": (None, BORROWED, PROGRESS, ("0 / 54 points", "◇ legal_adds"), ()),
    "borrowing ends with an own answer": (None, ('borrow("flip")', RIGHT, CHECK), PROGRESS, ("✓ flip",), ("◇",)),
    "the solution after a pass": (None, (OTHER, CHECK), SOLUTION, (*OTHER.splitlines(), *REFERENCE.splitlines()), ()),
    "no solution after two failed checks": (None, (WRONG, CHECK, CHECK), SOLUTION, ("so far: 2",), ("The reference",)),
    "the solution after three failed checks": (
        None,
        (WRONG, CHECK, CHECK, CHECK),
        SOLUTION,
        tuple(REFERENCE.splitlines()),
        (),
    ),
    "unwritten exercises are no failed checks": (None, (STUB, CHECK, CHECK, CHECK), SOLUTION, ("so far: 0",), ()),
    "a course that allows borrowing": ("borrowing = true", (), 'borrow("flip")', ("now the reference solution",), ()),
    "a course without hints": ("hints = false", (), 'hint("legal_adds")', ("no hints",), HINTS),
    "a course without hints offers none": ("hints = false", (), 'borrow("legal_adds")', (), ("hint(",)),
    "no reference in a course": ("", (RIGHT, CHECK), 'borrow("flip")', ("not available", "hint("), ("\n\n",)),
    "no reference without borrowing": ("borrowing = false", (RIGHT, CHECK), SOLUTION, ("not available", "hint("), ()),
    "no reference with damaged settings": ("damaged", (RIGHT, CHECK), SOLUTION, ("not available",), ()),
    "a failed check in a course without hints": ("hints = false", (WRONG,), CHECK, ("✗ flip",), ("Stuck",)),
}


@pytest.mark.parametrize("row", SHOWN)
def test_what_is_shown_depends_on_earlier_cells_and_settings(kernel: Kernel, folder: Path, row: str) -> None:
    settings, cells, last, wanted, unwanted = SHOWN[row]
    if settings is not None:
        (folder / "foldem.toml").write_text(settings)
    shown = kernel.after(*cells, check=last)
    assert [text for text in wanted if text not in shown] + [text for text in unwanted if text in shown] == []


# --- hint


def test_hints_come_step_by_step_and_are_counted(kernel: Kernel, folder: Path) -> None:
    (folder / "foldem.toml").write_text("")  # a course, where no puzzle comes first
    for used in range(1, len(HINTS) + 1):
        shown = kernel.run('hint("legal_adds")')
        assert [text for text in HINTS if text in shown] == [*HINTS[:used]]
        assert load_states(folder, "dominoes")["legal_adds"].hints == used
    assert kernel.run('hint("legal_adds")').count("?") == shown.count("?")


def test_every_exercise_has_two_or_three_hints() -> None:
    counts = {len(texts) for unit in unit_names() for texts in hints.hints_of(unit).values()}
    assert counts <= {2, 3}


# --- in a course


def test_an_assignment_states_what_its_course_allows(kernel: Kernel, folder: Path) -> None:
    save(folder, {}, metadata={"help": {"hints": False, "borrowing": False}})
    assert "no hints" in kernel.run('hint("flip")') and "not available" in kernel.run('borrow("flip")')


def test_borrowing_without_references_says_so(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "examiner", lambda: None)
    assert "they come with the autograder" in kernel.run('borrow("flip")')


def test_a_part_of_a_unit_counts_only_what_it_sets(kernel: Kernel, folder: Path) -> None:
    save(folder, {}, seconds_later=-5, metadata={"exercises": ["flip", "append"]})
    kernel.run(RIGHT)
    assert "1 of 2" in kernel.run('check("flip")') and "1 / 3 points" in kernel.run("progress()")


# --- practice of ideas

DAY = date(2026, 3, 1)
IDEAS = [(unit, idea.name) for unit in unit_names() for idea in ideas_of(unit)]
DAYS, LEAST_TIMES = 60, 4

numbers_of_ideas = st.integers(1, 60)
answers = st.lists(st.booleans(), max_size=12)


def simulated(ideas: list[IdeaKey], is_right: Callable[[IdeaReview], bool]) -> list[IdeaReview]:
    """Return the answers of a learner who answers all questions on each day."""
    reviews = list[IdeaReview]()
    for day in range(1, DAYS + 1):
        asked = [IdeaReview(day, *idea, is_right=True) for idea in plan_day(reviews, ideas, day)]
        reviews += [each._replace(is_right=is_right(each)) for each in asked]
    return reviews


@pytest.mark.parametrize("wrong_of_ten", range(0, 11, 2))
def test_each_idea_is_practised_four_times_in_sixty_days(wrong_of_ten: int) -> None:
    def is_right(each: IdeaReview) -> bool:
        return (7 * each.day + 3 * IDEAS.index((each.unit, each.idea))) % 10 >= wrong_of_ten

    reviews = simulated(IDEAS, is_right)
    times = Counter((each.unit, each.idea) for each in reviews)
    assert times.keys() == {*IDEAS} and min(times.values()) >= LEAST_TIMES
    assert max(Counter(each.day for each in reviews).values()) <= IDEAS_A_DAY


@given(numbers_of_ideas, st.sets(st.integers(0, 59)), st.integers(0, 3))
def test_no_idea_waits_longer_than_its_interval_and_a_round(count: int, missed: set[int], nth: int) -> None:
    ideas = [("unit", f"{number}") for number in range(count)]
    reviews = simulated(ideas, lambda each: int(each.idea) not in missed or each.day % 4 == nth)
    longest = DAYS_UNTIL_NEXT_QUESTION[-1] + -(-count // IDEAS_A_DAY) + 1
    for unit, idea in ideas:
        days = [0, *(each.day for each in reviews if (each.unit, each.idea) == (unit, idea))]
        assert all(later - day <= longest for day, later in zip(days, [*days[1:], DAYS], strict=True))


@given(answers, st.integers(1, 30))
def test_a_mistake_brings_an_idea_back_sooner(history: list[bool], gap: int) -> None:
    before = [IdeaReview(1 + number * gap, "unit", "idea", right) for number, right in enumerate(history)]
    day = 1 + len(history) * gap
    right, wrong = (due_day([*before, IdeaReview(day, "unit", "idea", each)]) for each in (True, False))
    assert day < wrong < right and wrong == day + 1
    assert plan_day([*before, IdeaReview(day, "unit", "idea", True)], [("unit", "idea")], right) == (("unit", "idea"),)


@given(answers)
def test_intervals_grow_while_answers_are_right(history: list[bool]) -> None:
    reviews, day, gaps = list[IdeaReview](), 1, list[int]()
    for right in (*history, *[True] * len(DAYS_UNTIL_NEXT_QUESTION)):
        reviews.append(IdeaReview(day, "unit", "idea", right))
        gaps.append(due_day(reviews) - day)
        day = due_day(reviews)
    last = gaps[-len(DAYS_UNTIL_NEXT_QUESTION) :]
    assert last == sorted(last) and last[-1] == DAYS_UNTIL_NEXT_QUESTION[-1]


# ------------------------------------------------------------------------------------------------ in a folder


def passed(folder: Path, unit: str, *names: str) -> Workspace:
    """Store that exercises have passed, and return the folder's workspace."""
    file = progress_path(folder, unit)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(dict.fromkeys(names, asdict(ExerciseState(GOOD)))))
    return Workspace({}, folder)


def answer_wrongly(practice: DailyPractice) -> None:
    for question in practice.posed_questions:
        question.reply("abcd"[(question.right + 1) % len(question.choices)])


def test_answers_change_the_next_day_and_not_the_rest_of_this_one(tmp_path: Path) -> None:
    space = passed(tmp_path, "warmup", "penalty", "swap_ends")
    practice = practice_on_day([space], DAY)
    assert {idea for (_, idea), _ in practice.open} == {"immutable", "pure", "match", "sum type"}
    for answer, left in (("Z", practice.open), ("A", practice.open[1:])):
        practice.posed_questions[0].reply(answer)
        assert practice_on_day([space], DAY).open == left
    answer_wrongly(practice_on_day([space], DAY))
    assert practice_on_day([space], DAY).status_text == NO_MORE_TODAY
    assert len(practice_on_day([space], date(2026, 3, 2)).open) >= 3


@given(damage=st.binary(max_size=60).filter(lambda each: b"\n" not in each and b"\r" not in each))
def test_a_broken_line_loses_no_other_answer(damage: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("today")
    first, second = (IdeaReview(day, "uno", "fold", True) for day in (1, 2))
    save_review(folder, first)
    with review_path(folder).open("ab") as file:
        file.write(damage)  # as of a program that was killed
    save_review(folder, second)
    assert [each for each in load_reviews(folder) if each in (first, second)] == [first, second]


@pytest.mark.parametrize("unit", ["warmup", "sedma"])
def test_each_idea_has_questions_with_one_right_choice(unit: str) -> None:
    for idea in ideas_of(unit):
        questions = questions_about_idea(idea, {*catalogue.statements(unit).by_name})
        assert questions and all(len({*each.choices}) == len(each.choices) > 1 for each in questions), idea
        for each in questions:
            shuffled = each.with_shuffled_choices("a seed")
            assert shuffled.choices[shuffled.right] == each.choices[each.right]


def test_an_idea_has_questions_of_several_kinds() -> None:
    fold = next(idea for idea in ideas_of("warmup") if idea.name == "fold")
    asked = questions_about_idea(fold, {"winning_card", "pile_up"})
    assert {each.text.split()[0] for each in asked} == {"Somebody", "What", "Which"}


def test_it_covers_the_folders_of_assignments(kernel: Kernel, folder: Path) -> None:
    for part, unit, name in ((".", "uno", "is_lt"), ("week1", "warmup", "penalty"), ("week2", "dominoes", "append")):
        passed(folder / part, unit, name)
    (folder / "week3").symlink_to(folder / "week1")
    practice = practice_for_today(Workspace({}, folder))
    assert {unit for (unit, _), _ in practice.open} == {"warmup", "dominoes", "uno"}
    shown = kernel.run("from course.check import today\ntoday()")
    assert all(each.text in shown for each in practice.posed_questions)
    answer_wrongly(practice)
    assert load_reviews(folder / "week2") and not practice_for_today(Workspace({}, folder / "week2")).open


def test_the_form_tells_the_right_choice_only_after_an_answer_and_saves_it(tmp_path: Path) -> None:
    assert practice_on_day([Workspace({}, tmp_path)], DAY).status_text == NOTHING_SOLVED_YET
    practice = practice_on_day([passed(tmp_path, "warmup", "penalty")], DAY)
    widget = practice.posed_questions[0].widget()
    assert practice.open[0][1].why not in str(widget.get_state())
    for letter in "AB":
        widget._handle_custom_msg({"answers": [letter]}, [])
    assert widget.reply_html and len(load_reviews(tmp_path)) == 1


# ------------------------------------------------------------------------------------------------ the start of a kernel


def test_kernel_begins_with_the_imports_of_its_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(save(tmp_path, {})))
    with working_in(tmp_path):
        kernel = Kernel(has_imports=False)
        import_unit(kernel.shell.user_ns)
        kernel.run(RIGHT)
        assert "✓ flip" in kernel.run('check("flip")')


def test_kernel_of_another_notebook_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path, {})
    (tmp_path / "own.ipynb").write_text("{}")
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "own.ipynb"))
    import_unit(names := dict[str, object]())
    assert names == {}


def in_ipython(folder: Path, typed: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Type lines in IPython as JupyterLab would start it in a folder."""
    command = [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "--simple-prompt"]
    environment = environment_with_startup(dict(os.environ)) | settings
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, input=typed)


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("from course.kernel.notebook import imported_units as units\nprint(units(globals()))", "['dominoes']"),
        ("append(Domino(1, 2), EMPTY, '<')", "append is not defined yet (exercise 2)"),
        ("print(Domino(1, 2), check)", "1-2 <function check"),
    ],
)
def test_any_cell_can_run_first_in_a_started_kernel(tmp_path: Path, cell: str, shown: str) -> None:
    done = in_ipython(tmp_path, cell, JPY_SESSION_NAME=str(save(tmp_path, {})))
    assert shown in done.stdout, done.stdout


MARK = "open('ran.txt', 'w').close()"
STARTED, SHOW_PROGRESS = "print('it', 'started')", "from course.check import progress\nprogress()"
IMPORTED = f"{SHOW_PROGRESS}\nfrom course.learner.opening import import_names\nimport_names(globals(), 'mine', 'toys')"
WARMUP = json.loads((ROOT / "course" / "statements" / "warmup.json").read_text())
TOYS = {"mine/statements/toys.json": json.dumps(WARMUP | {"unit": "toys", "title": "Toys", "module": "wide.toys"})}
PLUGINS = {
    "mine-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: mine\nVersion: 1\n",
    "mine-1.dist-info/entry_points.txt": "[foldem.examiner]\na = mine:a\n[foldem.references]\na = mine:a\n"
    "[foldem.packs]\na = mine\n",
}
# An imported package without `__init__.py` also has the files in any folder of its name, such as a stranger's.
WIDE = {"wide/statements/toys.json": TOYS["mine/statements/toys.json"], "wide/toys/unit.toml": ""}


def marked(*names: str) -> dict[str, str]:
    """Return files of a stranger that write another file when they run."""
    return dict.fromkeys(names, MARK)


# What a stranger's notebook says about its unit, the files beside it, what is typed, and what is shown then.
STRANGE: dict[str, tuple[dict[str, str], dict[str, str], str, str]] = {
    "code in place of a unit": ({"unit": f"dominoes import *\n{MARK}\n#"}, {}, STARTED, "it started"),
    "code in place of a package": (
        {"unit": "dominoes", "course": f"course.uno import *\n{MARK}\nfrom course"},
        {},
        STARTED,
        "it started",
    ),
    "a package beside": (
        {"unit": "own", "course": "mine"},
        marked("mine/__init__.py", "mine/own.py", "mine/statements/own.json"),
        STARTED,
        "it started",
    ),
    "a part of a package beside": (
        {"unit": "own", "course": "mine.part"},
        marked("mine/__init__.py", "mine/statements/own.json"),
        STARTED,
        "it started",
    ),
    "a folder called course": ({"unit": "dominoes"}, marked("course/__init__.py"), STARTED, "it started"),
    "modules called like imported ones": ({"unit": "dominoes"}, marked("toolz.py", "symtable.py"), STARTED, "started"),
    "a package with a unit": ({"unit": "toys", "course": "mine"}, TOYS | marked("mine/__init__.py"), IMPORTED, "of 12"),
    "a part of an imported package": (
        {"unit": "toys", "course": "wide"},
        WIDE | marked("wide/toys/__init__.py", "wide/toys/pictures.py"),
        f"import wide.part\n{SHOW_PROGRESS}",
        "Begin",
    ),
    "plugins and a grader": (
        {},
        PLUGINS | marked("mine.py", "autograder/__init__.py", "doctest.py", "msgspec.py"),
        SHOW_PROGRESS,
        "Begin",
    ),
}


@pytest.mark.promise("others")
@pytest.mark.parametrize("what", STRANGE)
def test_opening_a_strangers_notebook_runs_none_of_its_code(what: str, tmp_path: Path) -> None:
    metadata, files, typed, wanted = STRANGE[what]
    here, settings = tmp_path / "here", {"PYTHONPATH": str(tmp_path / "installed")}
    write_files(tmp_path / "installed", {"wide/part.py": ""})
    write_files(here, files | {"strange.ipynb": json.dumps({"cells": [], "metadata": {"foldem": metadata}})})
    done = in_ipython(here, typed, JPY_SESSION_NAME=str(here / "strange.ipynb"), **settings)
    assert wanted in done.stdout and "Toys" not in done.stdout, done.stdout + done.stderr
    assert not (here / "ran.txt").exists()


def test_an_imported_package_next_to_a_notebook_is_part_of_the_progress(tmp_path: Path) -> None:
    notebook = json.dumps({"cells": [], "metadata": {"foldem": {"unit": "toys", "course": "mine"}}})
    write_files(tmp_path, TOYS | marked("mine/__init__.py") | {"toys.ipynb": notebook})
    done = in_ipython(tmp_path, f"import mine\n{SHOW_PROGRESS}")
    assert "Toys" in done.stdout and (tmp_path / "ran.txt").exists()


@pytest.mark.promise("others")
def test_kernel_starts_with_no_module_beside_its_notebook(tmp_path: Path) -> None:
    (tmp_path / "ipykernel_launcher.py").write_text(MARK)
    (tmp_path / "mine.py").write_text("print('it is', 'mine')")
    launch = [sys.executable, "-m", "ipykernel_launcher", "--version"]
    assert (
        subprocess.run(
            launch, cwd=tmp_path, env=environment_with_startup(dict(os.environ)), capture_output=True
        ).returncode
        == 0
    )
    assert not (tmp_path / "ran.txt").exists()
    (tmp_path / "jedi.py").write_text(MARK)  # IPython imports it to complete a name
    done = in_ipython(tmp_path, f"import mine, jedi\n!{sys.executable} -c 'import mine'\n")
    assert done.stdout.count("it is mine") == 2, done.stdout + done.stderr
    assert not (tmp_path / "ran.txt").exists()


def test_lab_starts_without_error_and_runs_no_code_of_its_folder(tmp_path: Path) -> None:
    for name in ("jupyterlab.py", "jupyter_server_config.py", "autograder/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(MARK)
    pack = shutil.copytree(ROOT / "packs" / "kalah", tmp_path / "pack")
    (pack / "kalah_course" / "__init__.py").write_text(MARK)
    (tmp_path / "foldem.toml").write_text('packs = ["pack"]\n')
    command = [Path(sys.executable).with_name("foldem"), "lab", ".", "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True) as lab:
        assert lab.stderr
        before = takewhile(lambda line: "is running at" not in line, lab.stderr)
        assert [line for line in before if line.startswith("[E")] == [] and "http" in next(lab.stderr)
        os.killpg(lab.pid, signal.SIGTERM)
    assert not (tmp_path / "ran.txt").exists()


def start_page(folder: Path) -> str:
    """Write the start page, and return its text."""
    assert write_start_page(folder)
    return (folder / START_PAGE_NAME).read_text(encoding="utf-8")


def test_start_page_is_renewed_and_a_page_of_the_learner_is_kept(tmp_path: Path) -> None:
    save(tmp_path, {"flip": RIGHT}, -9)
    first = start_page(tmp_path)
    assert "Begin: flip in " in first and "Program games in Python" in first and "today()" not in first
    with working_in(tmp_path):
        Kernel().after(RIGHT)
    assert "today()" in start_page(tmp_path)
    (tmp_path / START_PAGE_NAME).write_text("{}")
    assert not write_start_page(tmp_path) and (tmp_path / START_PAGE_NAME).read_text() == "{}"


@pytest.mark.parametrize("borrowing", ["true", "false"])
def test_start_page_offers_to_borrow_only_where_it_works(tmp_path: Path, borrowing: str) -> None:
    save(tmp_path, {})
    (tmp_path / "foldem.toml").write_text(f"borrowing = {borrowing}")
    assert ("borrow(" in start_page(tmp_path)) is (borrowing == "true")


def test_kernel_of_a_site_begins_with_the_imports_that_the_page_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", "")
    script = (ROOT / "autograder/site/foldem.js").read_text(encoding="utf-8")
    (code,) = re.findall(r"code = `(from course.*?)`;", script)
    names: dict[str, object] = {}
    exec(code.replace("\\n  ", "\n").replace("${values}", "'course', 'dominoes', '/drive/own.ipynb'"), names)
    assert os.environ["JPY_SESSION_NAME"] == "/drive/own.ipynb"
    assert {"Domino", "check"} <= {*names} and "import_names" not in names


# ------------------------------------------------------------------------------------------------ strangers' notebooks

ODD = {
    "a number of exercises": '{"cells": [], "metadata": {"foldem": {"unit": "dominoes", "exercises": 5}}}',
    "exercises that are none": '{"cells": [], "metadata": {"foldem": {"unit": "dominoes", "exercises": [[]]}}}',
    "no version": '{"cells": 5, "metadata": {"foldem": {"unit": [], "course": {}, "version": {}}}}',
    "deep lists": "[" * 100_000,
    "no notebook": "null",
}
SCRIPT = "document.body.dataset.ran = true;"
WIDGET = "application/vnd.jupyter.widget-%s+json"


@pytest.mark.parametrize("kind", ODD)
def test_odd_notebook_in_the_folder_stops_no_lab(tmp_path: Path, kind: str) -> None:
    (tmp_path / "1_dominoes.ipynb").write_text(ODD[kind])
    assert not [*make_working_copy(tmp_path, (read_unit("dominoes"),))]
    assert (tmp_path / START_PAGE_NAME).exists() and (tmp_path / "1_dominoes.ipynb").read_text() == ODD[kind]


LAYOUT = f".foldem/lab/{LAYOUTS_FOLDER}/{LAYOUT_FILE}"
PLACES = (
    "1_dominoes.ipynb",
    "foldem.toml",
    START_PAGE_NAME,
    ".foldem/progress/dominoes.json",
    ".foldem/lab/overrides.json",
    LAYOUT,
)


@pytest.mark.parametrize("place", PLACES)
def test_pipe_or_device_in_a_strangers_folder_keeps_no_lab_waiting(tmp_path: Path, place: str) -> None:
    for name, make in {"pipe": os.mkfifo, "device": partial(os.symlink, "/dev/zero")}.items():
        path = tmp_path / name / place
        path.parent.mkdir(parents=True)
        make(path)
        list(make_working_copy(tmp_path / name, (read_unit("dominoes"),)))
        write_lab_settings(tmp_path / name)
        assert place != LAYOUT or (path.is_file() and not path.is_symlink())


def test_huge_file_in_a_strangers_folder_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge.ipynb").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(OSError, match="this is a folder, a device or a huge file, and cannot be read"):
        read_safely(tmp_path / "huge.ipynb")


def test_links_in_a_strangers_folder_let_no_lab_write_elsewhere(tmp_path: Path) -> None:
    folder, outside = tmp_path / "strange", tmp_path / "thesis.tex"
    lab = folder / ".foldem" / "lab"
    outside.write_text("precious")
    (lab / "custom").mkdir(parents=True)
    links = {lab / name: outside for name in ("overrides.json", "page_config.json", "custom/custom.css")}
    links |= {folder / name: tmp_path / "missing" for name in (START_PAGE_NAME, "1_dominoes.ipynb")}
    for link, target in links.items():
        link.symlink_to(target)
    list(make_working_copy(folder, (read_unit("dominoes"),)))
    write_lab_settings(folder)
    assert outside.read_text() == "precious" and not (tmp_path / "missing").exists()
    assert "notification" in (lab / "overrides.json").read_text()


@pytest.mark.parametrize("link", [".foldem", ".foldem/lab", ".foldem/lab/custom", ".foldem/lab/workspaces"])
def test_linked_folders_in_a_strangers_folder_let_no_lab_write_elsewhere(tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "strange" / link).parent.mkdir(parents=True)
    (tmp_path / "strange" / link).symlink_to(outside)
    write_lab_settings(tmp_path / "strange")
    assert not [*outside.iterdir()] and (tmp_path / "strange" / ".foldem" / "lab" / "custom" / "custom.css").is_file()


def test_links_in_a_strangers_folder_let_no_check_write_elsewhere(tmp_path: Path) -> None:
    (outside := tmp_path / "outside").mkdir()
    for link in (".foldem", ".foldem/progress"):
        folder = tmp_path / link.replace("/", "_")
        (folder / link).parent.mkdir(parents=True)
        (folder / link).symlink_to(outside)
        answer = answer_in_namespace({"FOLDEM_FOLDER": folder}, "flip", "dominoes")
        update_state(answer, lambda entry: replace(entry, hints=1))
        save_review(folder, IdeaReview(1, "uno", "fold", True))
        assert not [*outside.rglob("*")] and load_states(folder, "dominoes")["flip"].hints == 1


def test_settings_in_a_strangers_folder_bring_no_shortcut_and_no_page(tmp_path: Path) -> None:
    lab = tmp_path / ".foldem" / "lab"
    strange = ("overrides.json5", "overrides.d/a.json", "custom/page.html", "page_config.json5", "workspaces/own.json")
    write_files(lab, dict.fromkeys(strange, '{"fullStaticUrl": "//example.org"}'))
    assert "fullStaticUrl" not in get_page_config([], str(write_lab_settings(tmp_path)))  # scripts of another server
    assert [name for name in strange if (lab / name).exists()] == ["workspaces/own.json"]


def hostile() -> nbformat.NotebookNode:
    """Return a notebook whose outputs, text and widget try to run a script."""
    module = {"_model_module": "anywidget", "_model_name": "AnyModel", "_view_module": "anywidget"}
    module["_model_module_version"] = module["_view_module_version"] = f"~{anywidget.__version__}.*"
    code = f"export default {{initialize() {{{SCRIPT}}}, render() {{{SCRIPT}}}}}; {SCRIPT}"
    model = {name[1:]: module[name] for name in ("_model_module", "_model_name", "_model_module_version")}
    model["state"] = module | {"_esm": code, "_view_name": "AnyView", "_anywidget_id": "strange.Widget"}
    state = {"version_major": 2, "version_minor": 0, "state": {"strange": model}}
    bundles = (
        {WIDGET % "view": {"version_major": 2, "version_minor": 0, "model_id": "strange"}},
        {"text/html": f'<script>{SCRIPT}</script><img src="x" onerror="{SCRIPT}"><b>seen</b>'},
        {"application/javascript": SCRIPT},
        {"image/svg+xml": f'<svg xmlns="http://www.w3.org/2000/svg" onload="{SCRIPT}"><script>{SCRIPT}</script></svg>'},
    )
    outputs = [new_output("display_data", bundle) for bundle in bundles]
    cells = (
        new_markdown_cell(f'<img src="x" onerror="{SCRIPT}">'),
        new_code_cell("1", outputs=outputs, execution_count=1),
    )
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=list(cells), metadata={"kernelspec": kernel, "widgets": {WIDGET % "state": state}})


@pytest.mark.proof
@pytest.mark.browser
def test_strangers_notebook_runs_no_script_when_it_is_opened(tmp_path: Path) -> None:
    (tmp_path / "strange.ipynb").write_text(json.dumps(hostile()))
    with jupyter_lab(tmp_path) as lab, chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto(lab % "strange.ipynb")
        page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.context", timeout=1000 * PATIENCE)
        page.wait_for_function(READY, timeout=1000 * PATIENCE)
        page.get_by_text("seen").wait_for(timeout=1000 * PATIENCE)
        time.sleep(3)  # for what would run a little later
        assert page.evaluate("document.body.dataset.ran") is None


# ------------------------------------------------------------------------------------------------ clicks, in a browser

HEADING = """(name) => [...document.querySelectorAll('h3 code')].some((code) => {
  const place = code.textContent === name && code.closest('h3').getBoundingClientRect();
  return place && place.height > 0 && place.top > 0 && place.top < innerHeight; })"""
TITLE = """() => {
  const title = document.querySelector('.jp-Notebook:not(.lm-mod-hidden *) h1'), place = title?.getBoundingClientRect();
  return title?.textContent.includes('Warm-up') && place.height > 0 && place.top > 0 && place.top < innerHeight; }"""


@pytest.mark.browser
@pytest.mark.npm
@pytest.mark.proof
def test_a_click_on_the_start_page_leads_to_the_next_exercise(tmp_path: Path) -> None:
    list(make_working_copy(tmp_path, units_in(known())))
    with jupyter_lab(tmp_path) as address, chromium(tmp_path / "profile") as browser:
        page = browser.new_page()
        page.goto(address.replace("/lab/tree/", "/notebooks/") % "start.ipynb")
        page.locator(".foldem-progress summary").nth(1).click()
        with browser.expect_page() as other:
            page.get_by_text("legal_adds").first.click()
        other.value.wait_for_function(HEADING, arg="legal_adds", timeout=1000 * PATIENCE)
        page.goto(address % "start.ipynb")
        page.get_by_text("Begin:").first.click()
        page.wait_for_function(TITLE, timeout=1000 * PATIENCE)
        solve_flip(tmp_path)
        page.goto(address % "start.ipynb")
        page.get_by_text("Continue:").first.click()
        page.wait_for_function(HEADING, arg="append", timeout=1000 * PATIENCE)


def solve_flip(folder: Path) -> None:
    """Save and check a right answer, and renew the start page."""
    save(folder, {"flip": RIGHT}, -9)
    with working_in(folder):
        Kernel().after(RIGHT)
    assert write_start_page(folder)


# ------------------------------------------------------------------------------------------------ an unknown folder

UNKNOWN = "Your notebook's folder is unknown here"


@pytest.fixture
def attended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person look at the notebook: otherwise, nothing is said about its folder."""
    monkeypatch.setattr(progress, "is_interactive", lambda: True)
    progress._print_progress_folder.cache_clear()


@pytest.mark.usefixtures("attended")
def test_an_unknown_folder_is_mentioned_once_with_what_to_do(kernel: Kernel, tmp_path: Path) -> None:
    text = kernel.run("progress('dominoes')")
    assert f"{UNKNOWN}, so your progress is saved in {tmp_path}." in text
    assert 'run: FOLDEM_FOLDER = "/content/drive/MyDrive/notebooks"' in text
    assert "✓ flip" in (text := kernel.after(RIGHT)) and UNKNOWN not in text


@pytest.mark.usefixtures("attended")
def test_progress_and_settings_are_in_the_folder_that_is_named(kernel: Kernel, tmp_path: Path) -> None:
    drive = write_file(tmp_path / "drive" / "foldem.toml", "hints = false\n").parent
    assert "✓ flip" in (text := kernel.after(f"FOLDEM_FOLDER = {str(drive)!r}", RIGHT)) and UNKNOWN not in text
    assert (drive / ".foldem" / "progress" / "dominoes.json").exists() and [*tmp_path.iterdir()] == [drive]
    assert "no hints" in kernel.run('hint("append")')


@pytest.mark.usefixtures("attended")
@pytest.mark.parametrize("named", ['"/nowhere/at/all"', "7"])
def test_a_named_folder_that_is_missing_is_reported_in_one_line(kernel: Kernel, named: str) -> None:
    text = kernel.run(f'FOLDEM_FOLDER = {named}\ncheck("flip")')
    assert "but this folder does not exist: create it first, or mount your drive" in text and "Traceback" not in text


@pytest.mark.usefixtures("attended")
def test_a_folder_with_the_notebook_is_known(kernel: Kernel, tmp_path: Path) -> None:
    save(tmp_path, {})
    assert UNKNOWN not in kernel.run("progress('dominoes')")


# ----------------------------------------------------------------------------------------------------- The map of calls


@pytest.mark.parametrize("unit", unit_names())
def test_a_map_has_a_link_to_every_exercise_and_every_call(unit: str, tmp_path: Path) -> None:
    shown, stated = call_map_of(unit_progress(Workspace({}, tmp_path), unit)), catalogue.statements(unit)
    for exercise in read_unit(unit).exercises:
        assert f'href="{stated.notebook}#cell-id={exercise.name}-lesson"' in shown.markup
        calls = f" calls {', '.join(exercise.needs)}" if exercise.needs else ""
        assert f"○ {exercise.name}{calls}\n" in f"{shown.plain}\n"


def test_right_and_wrong_parts_have_their_colors_and_signs(tmp_path: Path) -> None:
    part = replace(
        unit_progress(Workspace({}, tmp_path), "dominoes"), states={"flip": GOOD, "append": BAD, "deck": OPEN}
    )
    shown = call_map_of(part)
    assert shown.markup.count(f"solid {STATE_COLORS[GOOD]}") == shown.markup.count(f"solid {STATE_COLORS[BAD]}") == 1
    assert "✓ flip\n✗ append" in shown.plain and "○ deck" in shown.plain
