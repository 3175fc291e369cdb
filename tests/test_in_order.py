"""Working in order: each exercise can be checked once the earlier ones are solved, in the kit and elsewhere."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import pytest

from autograder.prove.answers import waits
from course.kernel import catalogue
from course.show.results import BAD, GOOD
from tests.classroom import reference_answers
from tests.lesson import Lesson
from tests.sample import one_in
from tests.sealed import read_sealed
from tests.units import read_unit, unit_names

EXERCISES = [(unit, name) for unit in unit_names() for name in read_unit(unit).by_name]


@pytest.mark.parametrize(("unit", "name"), one_in(12, EXERCISES))
def test_an_exercise_can_be_checked_once_those_before_it_are_solved(unit: str, name: str) -> None:
    assert waits(read_unit(unit), name) == []


def in_the_kit(unit: str, name: str, answer: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the result of `check` for a learner who has solved all earlier exercises and run no later cell."""
    monkeypatch.setattr(catalogue, "sealed", read_sealed)
    monkeypatch.setattr(catalogue, "references", lambda: None)
    solved = reference_answers(read_unit(unit))
    return Lesson(unit, *(solved[each] for each in takewhile(lambda each: each != name, solved)), answer).check(name)


@pytest.mark.proof
def test_the_kit_judges_a_deal_though_bots_are_written_later(monkeypatch: pytest.MonkeyPatch) -> None:
    right = reference_answers(read_unit("uno"))["deal"]
    assert in_the_kit("uno", "deal", right, monkeypatch).state == GOOD
    wrong = in_the_kit("uno", "deal", right.replace("CLOCKWISE", "COUNTERCLOCKWISE"), monkeypatch)
    assert wrong.state == BAD and "naive" not in wrong.text()
