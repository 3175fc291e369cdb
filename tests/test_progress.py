"""Hints, borrowing, solutions, the progress stored beside the notebooks, and `today()`, the practice of ideas."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from textwrap import indent

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jupyterlab_server.workspaces_handler import WorkspacesManager

from autograder.commands.lab import make_working_copy, settings_folder
from autograder.units.unit import units_in
from course.kernel import catalogue
from course.kernel.workspace import Workspace
from course.learner import hints, progress
from course.learner.answer import answer_among
from course.learner.practising import (
    DONE_TODAY,
    IDEAS_A_DAY,
    INTERVALS,
    NOT_YET,
    DailyPractice,
    IdeaKey,
    IdeaReview,
    due_day,
    ideas_of,
    load_reviews,
    plan_day,
    practice_of,
    practice_today,
    questions_about_idea,
    review_file,
    save_review,
)
from course.learner.progress import ExerciseState, load, progress_file, shown_progress, stored_state, update
from course.show.results import GOOD
from tests.kernel import RIGHT, Kernel, save
from tests.kernel import folder as folder
from tests.kernel import kernel as kernel
from tests.units import known, read_unit, unit_names

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
    file = progress_file(folder, "dominoes")
    file.write_text(file.read_text().replace(".0,", ","))  # as JavaScript writes whole numbers
    assert "1 of 22" in solved.run('progress("dominoes")') and [*file.parent.iterdir()] == [file]
    file.write_text(damage)
    assert "0 of 22" in solved.run('progress("dominoes")') and "1 of 22" in solved.run('check("flip")')


def test_progress_in_a_read_only_folder_lasts_as_long_as_the_kernel(kernel: Kernel, folder: Path) -> None:
    (folder / ".foldem").write_text("a file where the folder should be")
    assert "✓ flip" in kernel.after(RIGHT, 'check("flip")', check='progress("dominoes")')
    (folder / ".foldem").unlink()
    kernel.run('hint("append")')
    assert load(folder, "dominoes")["flip"].state == "good"


@pytest.mark.parametrize(
    "asking", ['check("flip")', "progress()", 'hint("flip")', 'borrow("flip")', 'solution("flip")']
)
def test_a_missing_folder_is_reported_in_one_line(kernel: Kernel, folder: Path, asking: str) -> None:
    kernel.run(RIGHT)
    folder.rmdir()
    assert kernel.run(asking) == "the folder of this notebook does not exist any more: restart the kernel\n"


def test_notebooks_of_two_units_that_are_run_at_once_undo_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    dominoes, warmup = answer_among({}, "flip", "dominoes"), answer_among({}, "swap_ends", "warmup")
    write_here = progress.write_here

    def interrupted_write(file: Path, text: str) -> None:
        if file.stem == "dominoes":
            update(warmup, lambda entry: replace(entry, fails=1))
        write_here(file, text)

    monkeypatch.setattr(progress, "write_here", interrupted_write)
    update(dominoes, lambda entry: replace(entry, hints=1))
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
    settings = settings_folder(folder)
    (layout,) = (settings / "workspaces").iterdir()
    workspace = json.loads(layout.read_text())
    WorkspacesManager(str(folder)).save("default", layout.read_text())
    assert (folder / layout.name).exists() and workspace["data"]["layout-restorer:data"]["left"]["collapsed"]
    layout.write_text("{}")
    settings_folder(folder)
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
        ("Dominoes: 1 of 22 functions built by Ada & Co", "Next: append"),
        (),
    ),
    "a borrowed function": (None, (), 'borrow("legal_adds")', ("A borrowed answer earns no points",), ("<function",)),
    "a borrowed function works": (None, BORROWED, "legal_adds(Domino(1, 2), EMPTY)", ("Chain(1, '1-2', 2)",), ()),
    "a borrowed function is not checked": (None, BORROWED, 'check("legal_adds")', ("◇ legal_adds",), ()),
    "a borrowed function earns no points": (None, BORROWED, PROGRESS, ("0 / 54 points", "◇ legal_adds"), ()),
    "borrowing ends with an own answer": (None, ('borrow("flip")', RIGHT, CHECK), PROGRESS, ("✓ flip",), ("◇",)),
    "the solution after a pass": (None, (OTHER, CHECK), SOLUTION, (*OTHER.splitlines(), *REFERENCE.splitlines()), ()),
    "no solution after two failed checks": (None, (WRONG, CHECK, CHECK), SOLUTION, ("so far 2",), ("The reference",)),
    "the solution after three failed checks": (
        None,
        (WRONG, CHECK, CHECK, CHECK),
        SOLUTION,
        tuple(REFERENCE.splitlines()),
        (),
    ),
    "unwritten exercises are no failed checks": (None, (STUB, CHECK, CHECK, CHECK), SOLUTION, ("so far 0",), ()),
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
        assert load(folder, "dominoes")["legal_adds"].hints == used
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
    longest = INTERVALS[-1] + -(-count // IDEAS_A_DAY) + 1
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
    for right in (*history, *[True] * len(INTERVALS)):
        reviews.append(IdeaReview(day, "unit", "idea", right))
        gaps.append(due_day(reviews) - day)
        day = due_day(reviews)
    last = gaps[-len(INTERVALS) :]
    assert last == sorted(last) and last[-1] == INTERVALS[-1]


# ------------------------------------------------------------------------------------------------ in a folder


def passed(folder: Path, unit: str, *names: str) -> Workspace:
    """Store that exercises have passed, and return the folder's workspace."""
    file = progress_file(folder, unit)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(dict.fromkeys(names, asdict(ExerciseState(GOOD)))))
    return Workspace({}, folder)


def answer_wrongly(practice: DailyPractice) -> None:
    for question in practice.posed:
        question.reply("abcd"[(question.right + 1) % len(question.choices)])


def test_answers_change_the_next_day_and_not_the_rest_of_this_one(tmp_path: Path) -> None:
    space = passed(tmp_path, "warmup", "penalty", "swap_ends")
    practice = practice_of([space], DAY)
    assert {idea for (_, idea), _ in practice.open} == {"immutable", "pure", "match", "sum type"}
    for answer, left in (("Z", practice.open), ("A", practice.open[1:])):
        practice.posed[0].reply(answer)
        assert practice_of([space], DAY).open == left
    answer_wrongly(practice_of([space], DAY))
    assert practice_of([space], DAY).state == DONE_TODAY
    assert len(practice_of([space], date(2026, 3, 2)).open) >= 3


@given(damage=st.binary(max_size=60).filter(lambda each: b"\n" not in each and b"\r" not in each))
def test_a_broken_line_loses_no_other_answer(damage: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("today")
    first, second = (IdeaReview(day, "uno", "fold", True) for day in (1, 2))
    save_review(folder, first)
    with review_file(folder).open("ab") as file:
        file.write(damage)  # as of a program that was killed
    save_review(folder, second)
    assert [each for each in load_reviews(folder) if each in (first, second)] == [first, second]


@pytest.mark.parametrize("unit", ["warmup", "sedma"])
def test_each_idea_has_questions_with_one_right_choice(unit: str) -> None:
    for idea in ideas_of(unit):
        questions = questions_about_idea(idea, {*catalogue.statements(unit).by_name})
        assert questions and all(len({*each.choices}) == len(each.choices) > 1 for each in questions), idea
        for each in questions:
            shuffled = each.shuffled("a seed")
            assert shuffled.choices[shuffled.right] == each.choices[each.right]


def test_an_idea_has_questions_of_several_kinds() -> None:
    fold = next(idea for idea in ideas_of("warmup") if idea.name == "fold")
    asked = questions_about_idea(fold, {"winning_card", "pile_up"})
    assert {each.text.split()[0] for each in asked} == {"Somebody", "What", "Which"}


def test_it_covers_the_folders_of_assignments(kernel: Kernel, folder: Path) -> None:
    for part, unit, name in ((".", "uno", "is_lt"), ("week1", "warmup", "penalty"), ("week2", "dominoes", "append")):
        passed(folder / part, unit, name)
    (folder / "week3").symlink_to(folder / "week1")
    practice = practice_today(Workspace({}, folder))
    assert {unit for (unit, _), _ in practice.open} == {"warmup", "dominoes", "uno"}
    shown = kernel.run("from course.check import today\ntoday()")
    assert all(each.text in shown for each in practice.posed)
    answer_wrongly(practice)
    assert load_reviews(folder / "week2") and not practice_today(Workspace({}, folder / "week2")).open


def test_the_form_tells_the_right_choice_only_after_an_answer_and_saves_it(tmp_path: Path) -> None:
    assert practice_of([Workspace({}, tmp_path)], DAY).state == NOT_YET
    practice = practice_of([passed(tmp_path, "warmup", "penalty")], DAY)
    widget = practice.posed[0].widget()
    assert practice.open[0][1].why not in str(widget.get_state())
    for letter in "AB":
        widget._handle_custom_msg({"answers": [letter]}, [])
    assert widget.reply_html and len(load_reviews(tmp_path)) == 1
