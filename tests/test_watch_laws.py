"""The law of watching: a watched run equals the plain run, and has the calls that a counter counts."""

from __future__ import annotations

import inspect
import random
import sys
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.exam.cases import Case
from autograder.exam.store import exam_for
from course.effects import transcript
from course.values import strictly_equal
from course.watch.record import RunLimits, record
from course.watch.run import CallOwner, Kind, State
from tests.classroom import right_answers
from tests.units import read_unit, unit_names

HERE = Path(__file__).parent
IN_BRACKETS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
ENDLESS = RunLimits(10**7, 10**7, 10**7, lambda: 0.0)
STYLES = [(unit, style) for unit in unit_names() for style in ("", *(right.style for right in right_answers(unit)))]
Names = dict[str, Any]


@cache
def namespace(unit: str, style: str) -> Any:
    """Return the names that a module of references or of right answers defines."""
    if not style:
        return vars(import_module(f"solutions.{unit}"))
    path = HERE / "right" / f"{unit}_{style}.py"
    names: Names = {"__name__": "right"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), names)
    return names


def plainly(names: Names, name: str, case: Case) -> tuple[State, Any, str, list[str]]:
    """Return how a call without watching ends, what it prints, and the calls that Python's own profiler counts."""
    ended, frames = list[tuple[State, Any]](), list[FrameType]()

    def count(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_own = event == "call" and frame.f_globals is names and code.co_name not in IN_BRACKETS
        if is_own and not (code.co_flags & inspect.CO_GENERATOR and any(one is frame for one in frames)):
            frames.append(frame)

    def called() -> None:
        sys.setprofile(count)
        try:
            ended.append((State.GAVE, names[name](*case.args)))
        except Exception as error:
            ended.append((State.RAISED, error))
        finally:
            sys.setprofile(None)

    random.seed(1)
    _, printed = transcript(called, typed=case.typed, chance=case.chance or 0)
    return *ended[0], printed, [frame.f_code.co_name for frame in frames]


def obeys_the_law(names: Names, name: str, case: Case) -> None:
    """Fail unless watching a call changes nothing, and shows all its calls."""
    state, value, printed, calls = plainly(names, name, case)
    random.seed(1)
    call = partial(transcript, names[name], *case.args, typed=case.typed, chance=case.chance or 0)
    run = record(call, (), names, limits=ENDLESS)
    assert (run.state, run.left_out) == (state, 0)
    assert "".join(event.value for event in run.events if event.kind is Kind.PRINTED) == printed
    if state is State.GAVE:
        assert strictly_equal(run.value[0], value) or repr(type(value)) == "<class 'function'>"
    else:
        assert (type(run.error), run.error and run.error.args) == (type(value), value.args)
    assert [call.name.replace("λ", "<lambda>") for call in run.calls if call.kind is CallOwner.OWN] == calls


@pytest.mark.proof
@pytest.mark.parametrize(("unit", "style"), STYLES)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(choice=st.data())
def test_watching_changes_nothing_and_shows_the_calls_that_there_are(
    unit: str, style: str, choice: st.DataObject
) -> None:
    exam, names = exam_for(read_unit(unit)), namespace(unit, style)
    for name, paper in exam.by_name.items():
        calls = [call for facet in paper.facets for call in facet.calls if call[0] == "args"]
        if calls:
            obeys_the_law(names, name, exam.case(choice.draw(st.sampled_from(calls))))
