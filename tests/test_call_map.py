"""The map of calls between exercises: derived, laid out from left to right, each name a link with its state."""

from __future__ import annotations

import re
from base64 import b64decode
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from course.kernel import catalogue
from course.kernel.workspace import Workspace
from course.learner.progress import call_map, map_of, unit_progress
from course.show.calling import TALL, CallMap
from course.show.results import BAD, GOOD, HUES, OPEN
from tests.units import read_unit, unit_names


@pytest.fixture(params=unit_names())
def unit(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def laid_out(unit: str) -> CallMap:
    return CallMap(catalogue.statements(unit).calls, {})


def test_a_map_has_a_link_to_every_exercise_and_every_call(unit: str) -> None:
    needs = {exercise.name: exercise.needs for exercise in read_unit(unit).exercises}
    assert laid_out(unit).calls == needs
    html, stated = map_of(unit_progress(Workspace({}, Path()), unit)).markup, catalogue.statements(unit)
    picture = b64decode(re.findall(r"base64,([\w+/=]+)", html)[0]).decode()
    assert picture.count("<path") == sum(map(len, needs.values()))
    assert [name for name in needs if f'href="{stated.notebook}#cell-id={name}-lesson"' not in html] == []


def test_callers_are_to_the_right_and_no_boxes_overlap(unit: str) -> None:
    layout = laid_out(unit)
    boxes, (width, height) = layout.boxes, layout.size
    assert all(boxes[name][0] > sum(boxes[other][::2]) for name in boxes for other in layout.calls[name])
    for one, other in combinations(boxes.values(), 2):
        assert one[0] != other[0] or abs(one[1] - other[1]) >= 24
    assert all(left + wide <= width + 0.01 and 0 <= top < height for left, top, wide in boxes.values())


def test_no_line_crosses_a_box(unit: str) -> None:
    layout = laid_out(unit)
    for caller, called in ((name, each) for name, calls in layout.calls.items() for each in calls if each != name):
        others = {name: box for name, box in layout.boxes.items() if name not in (called, caller)}
        for (x, y), (to, down) in pairwise(layout.route(called, caller)):
            for name, (left, top, wide) in others.items():
                assert to <= left or x >= left + wide or max(y, down) <= top or min(y, down) >= top + TALL, name


def test_right_and_wrong_parts_have_their_colors_and_signs() -> None:
    calls = CallMap({"a": (), "b": ("a",), "c": ("b",)}, {"a": GOOD, "b": BAD, "c": OPEN})
    html = calls.html(lambda name: f'href="#{name}"')
    assert html.count(f"background:{HUES[GOOD]}") == html.count(f"background:{HUES[BAD]}") == 1
    assert "✓ a" in html and "✗ b" in html and ">c<" in html and "b, not right calls a" in html
    assert calls.text() == "✓ a\n✗ b calls a\n○ c calls b"


def test_functions_that_call_each_other_have_a_place_too() -> None:
    assert CallMap({"a": ("b",), "b": ("a",), "c": ("c",)}, {}).boxes.keys() == {"a", "b", "c"}


def test_nbgrader_is_shown_no_map(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "game" in repr(call_map("uno"))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert call_map("uno") is None
