"""A unit of a pack has advice, words and rules of form of its own, in kits and in the grader."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from autograder.units import pack as packs
from autograder.units.unit import requirements_of
from course.diagnoses import Diagnosis, Evidence, UnitAdvice, diagnose
from course.roles import role_module
from tests.classroom import notebook_with, reference_answers
from tests.command import foldem_here, printed_by
from tests.lesson import Lesson
from tests.units import WAR, read_unit

HALVES = "def deal(pack):\n    half = len(pack) // 2\n    return pack[:half], pack[half:]"
BY_SUIT = "def outranks(one, other):\n    return one.suit != 7 and (one.rank - 2) % 13 > (other.rank - 2) % 13"
ADVICE = "The dealer gives one card to each player in turn."


@pytest.fixture(autouse=True)
def _war(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(packs.VARIABLE, str(WAR))


def test_own_detector_advises_in_a_kit() -> None:
    assert Lesson("war", HALVES).check("deal").says.startswith(ADVICE)


def test_own_rule_of_form_is_broken_in_a_kit() -> None:
    (finding,) = Lesson("war", BY_SUIT).check("outranks").form
    assert (finding.rule, finding.breaks, finding.line, finding.example) == ("no-suits", True, 2, "one.rank")


@pytest.mark.sandbox
def test_own_detector_and_rule_are_in_the_report(tmp_path: Path) -> None:
    answers = reference_answers(read_unit("war")) | {"deal": HALVES, "outranks": BY_SUIT}
    nbformat.write(notebook_with("war", answers), tmp_path / "0_war.ipynb")
    printed_by(foldem_here("grade", tmp_path / "0_war.ipynb", "--pack", WAR, "--out", tmp_path / "out"))
    (report,) = json.loads((tmp_path / "out" / "report.json").read_text())
    outranks, deal, _ = report["exercises"]
    assert deal["advice"]["says"].startswith(ADVICE) and outranks["points"] == 0.9
    assert [finding["rule"] for finding in outranks["form"]] == ["no-suits"]


def test_unit_words_replace_only_names_that_examples_use() -> None:
    with pytest.raises(ValueError, match="do not use 'card', but Kind, item, items"):
        UnitAdvice(words={"card": "tile"})


def test_fault_of_a_detector_is_not_the_learners(monkeypatch: pytest.MonkeyPatch) -> None:
    own = UnitAdvice(first=(lambda _: Diagnosis(str(1 / 0)), lambda _: Diagnosis("Next.")))
    monkeypatch.setattr(role_module("war_course.war", "advice"), "ADVICE", own)
    requirements = requirements_of(read_unit("war"), read_unit("war")["deal"])
    assert diagnose(Evidence(requirements, "def deal(pack):\n    return pack")) == Diagnosis("Next.")
