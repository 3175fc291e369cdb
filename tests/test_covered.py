"""Kinds of input: `foldem prove` lists those that no call of an exercise has."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.prove import taught
from autograder.prove.taught import uncovered
from tests.units import read_unit, unit_names

KALAH = Path(__file__).parents[1] / "packs" / "kalah"


@pytest.mark.parametrize("unit", [*unit_names(), "kalah"])
def test_our_exams_have_every_kind_of_input_or_say_why_not(unit: str) -> None:
    read = read_unit(unit, *[KALAH] * (unit == "kalah"))
    assert [line for name in read.by_name for line in uncovered(read, name)] == []


@pytest.mark.parametrize(
    ("unit", "name", "kinds"),
    [
        ("warmup", "winning_card", ["0 items in trick"]),
        ("sedma", "tally", ["0 items in record", "1 item in record", "2 items in record", "3 items in record"]),
        ("bots", "stupid_play_card", ["Card in View.drawn of view", "0 items in View.hand of view"]),
        ("uno", "move_action", ["Pass in move", "Crd in Order.card of move", "Wild in Simple.card of move"]),
        ("uno", "execution", ["Proceed in Desk.state of desk", "Give in Desk.state of desk"]),
    ],
)
def test_kind_without_a_reason_is_listed(
    unit: str, name: str, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = taught.exam_for(read_unit(unit))
    bare = replace(exam)
    vars(bare)["checks"] = replace(exam.checks, absent={})
    monkeypatch.setattr(taught, "exam_for", lambda _: bare)
    assert {f"no call has such an input: {name}: {kind}" for kind in kinds} <= {*uncovered(read_unit(unit), name)}
