"""A unit of a pack has advice, words and rules of form of its own, in kits and in the grader."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from autograder.units import pack as packs
from autograder.units.unit import requirements_of
from course.diagnoses import Diagnosis, Evidence, UnitAdvice, diagnose
from course.diagnoses.advice import advice_of
from course.form.given import in_words_of
from course.roles import role_module
from course.watch.reach import is_given
from tests.classroom import notebook_with, reference_answers
from tests.command import foldem, printed_by
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
    printed_by(foldem("grade", tmp_path / "0_war.ipynb", "--pack", WAR, "--out", tmp_path / "out"))
    (report,) = json.loads((tmp_path / "out" / "report.json").read_text())
    outranks, deal, _ = report["exercises"]
    assert deal["advice"]["says"].startswith(ADVICE) and outranks["points"] == 0.9
    assert [finding["rule"] for finding in outranks["form"]] == ["no-suits"]


def test_own_rule_is_in_the_notebook() -> None:
    notebook = (WAR / "notebooks" / "0_war.ipynb").read_text(encoding="utf-8")
    assert "Compare ranks only: suits mean nothing in war." in notebook


def test_examples_have_the_words_of_the_unit() -> None:
    words = [in_words_of(module, "(*items, item)") for module in ("war_course.war", "stdlib_course.stdlib")]
    assert words == ["(*hand, card)", "(*items, item)"]


def test_unit_words_replace_only_names_that_examples_use() -> None:
    with pytest.raises(ValueError, match="do not use 'card', but Kind, item, items"):
        UnitAdvice(words={"card": "tile"})


def test_fault_of_a_detector_is_not_the_learners(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(_: Evidence) -> Diagnosis | None:
        raise ZeroDivisionError

    own = role_module("war_course.war", "advice")
    monkeypatch.setattr(own, "ADVICE", UnitAdvice(first=(faulty,), last=(lambda _: Diagnosis("Last."),)))
    assert len(advice_of("war_course.war").first) == 1
    requirements = requirements_of(read_unit("war"), read_unit("war")["deal"])
    assert diagnose(Evidence(requirements, "def deal(pack):\n    return pack")) == Diagnosis("Last.")


def test_unknown_rule_of_form_is_an_error_with_its_line(tmp_path: Path) -> None:
    shutil.copytree(WAR, tmp_path / "war")
    file = tmp_path / "war" / "war_course" / "war" / "unit.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("no-suits", "no-suit"), encoding="utf-8")
    done = foldem("build", "--pack", tmp_path / "war", FOLDEM_PACKS="")
    assert re.search(r"unit\.toml:\d+: unknown rule of style 'no-suit': did you mean 'no-suits'\?", done.stderr)


def test_watch_records_the_given_functions_of_a_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    def given() -> None: ...

    assert not is_given(given)
    monkeypatch.setattr(given, "__module__", read_unit("war").module.__name__)
    assert is_given(given)
