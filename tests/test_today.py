"""`today()`: spaced practice of ideas; what was missed comes back sooner, and nothing is forgotten."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.kernel import catalogue
from course.kernel.workspace import Workspace
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
from course.learner.progress import ExerciseState, progress_file
from course.show.results import GOOD
from tests.kernel import Kernel, folder, kernel
from tests.units import unit_names

__all__ = ["folder", "kernel"]

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
