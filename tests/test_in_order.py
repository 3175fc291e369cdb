"""Working in order: each exercise can be checked once the earlier ones are solved, in the kit and elsewhere."""

from __future__ import annotations

from itertools import takewhile

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


@pytest.mark.parametrize(("unit", "name"), one_in(40, EXERCISES))
def test_an_exercise_can_be_checked_once_those_before_it_are_solved(unit: str, name: str) -> None:
    assert waits(read_unit(unit), name) == []


@pytest.mark.proof
@pytest.mark.parametrize(("old", "new", "state"), [("", "", GOOD), ("CLOCKWISE", "COUNTERCLOCKWISE", BAD)])
def test_the_kit_judges_a_deal_though_bots_are_written_later(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, state: str
) -> None:
    monkeypatch.setattr(catalogue, "sealed", read_sealed)
    monkeypatch.setattr(catalogue, "references", lambda: None)
    solved = reference_answers(read_unit("uno"))
    before = [solved[each] for each in takewhile(lambda each: each != "deal", solved)]
    result = Lesson("uno", *before, solved["deal"].replace(old, new)).check("deal")
    assert result.state == state and "naive" not in result.text()
